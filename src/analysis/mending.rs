//! Reading games as they come: what is wrong in a file is told with its line, and the rest is read all the same.
//!
//! | what is wrong | what is done |
//! |---|---|
//! | a line that cannot be read, a cut file | the game ends before it |
//! | a rack that cannot be | it counts as unknown |
//! | points or a total that the rules do not give | the rules' count |
//! | a turn that the rules forbid | the game ends before it |
//!
//! Not here: reading what is right (`formats/gcg`), which racks follow from others (`known_racks.rs`). Start with [`read`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::analysis::report::FileNote;
use crate::formats::gcg::{self, Gcg, GcgError, Replay};
use crate::rules::{GameRules, Rack, TurnError};

/// A game that is possible, and what was changed for that.
#[derive(Clone, Debug)]
pub struct MendedGame {
    /// The game.
    pub game: Gcg,
    /// The game played through.
    pub replay: Replay,
    /// What was wrong or unusual.
    pub notes: Vec<FileNote>,
}

/// Reads a game, as far as it can be read.
///
/// # Errors
/// The text has no game at all: what is wrong with its first line that is.
pub fn read(text: &str, rules: &GameRules) -> Result<MendedGame, GcgError> {
    let mut notes = Vec::new();
    let mut game = match gcg::parse(text, rules) {
        Ok(game) => game,
        Err(error) => {
            let line = line_of(&error).unwrap_or(1);
            let before: String = text.split_inclusive('\n').take(line.saturating_sub(1)).collect();
            let game = gcg::parse(&before, rules).map_err(|_| error.clone())?;
            if game.events.is_empty() {
                return Err(error);
            }
            notes.push(note(&error, "the game is read up to there"));
            game
        }
    };
    // Each round mends the first thing that is wrong: a rack, a number, or all that comes behind.
    loop {
        match gcg::replay(&game, rules, None) {
            Ok(replay) => {
                notes.extend(replay.notes.iter().map(|note| FileNote { line: Some(note.line), text: note.reading.to_string() }));
                notes.sort_by_key(|note| note.line);
                return Ok(MendedGame { game, replay, notes });
            }
            Err(error) => {
                let done = mend(&mut game, &error);
                notes.push(note(&error, done));
            }
        }
    }
}

fn note(error: &GcgError, done: &str) -> FileNote {
    let text = error.to_string();
    let line = line_of(error);
    // The line stands before the text anyway.
    let text = match line.and_then(|line| text.strip_prefix(&format!("line {line}"))) {
        Some(rest) => rest.trim_start_matches([':', ',', ' ']).to_string(),
        None => text,
    };
    FileNote { line, text: format!("{text}: {done}") }
}

/// Takes what is wrong out of a game, and says what was done. Something is taken out each time: so there is an end to it.
fn mend(game: &mut Gcg, error: &GcgError) -> &'static str {
    let line = line_of(error);
    let index = game.events.iter().position(|event| Some(event.line) == line);
    let points_before = index.map_or(0, |index| points_before(game, index));
    let Some((index, event)) = index.and_then(|index| Some((index, game.events.get_mut(index)?))) else {
        game.racks = [None; 2];
        if matches!(error, GcgError::FinalRack { .. }) {
            return "taken for unknown";
        }
        game.truncate(0);
        return "nothing of the game can be read";
    };
    let player = event.player;
    match error {
        GcgError::Turn { error: TurnError::MissingTile { .. } | TurnError::TooManyTiles { .. }, .. } if !event.rack.is_empty() => {
            event.rack = Rack::EMPTY;
            "the rack is taken for unknown"
        }
        GcgError::Points { expected, found, .. } => {
            // Whether the totals behind it carry the fault on is seen there. Of a play that is taken back with the same fault the total is right.
            event.points = *expected;
            if event.total != points_before.saturating_add(*expected) {
                event.total = event.total.saturating_add(expected - found);
            }
            "counted by the rules"
        }
        GcgError::Total { expected, found, .. } => {
            shift_totals(game, player, index, expected - found);
            "counted by the rules"
        }
        _ => {
            game.truncate(index);
            "the game is read up to there"
        }
    }
}

/// The points of an event's player before it.
fn points_before(game: &Gcg, index: usize) -> i32 {
    let player = game.events.get(index).map(|event| event.player);
    game.events.iter().take(index).filter(|event| Some(event.player) == player).map(|event| event.points).sum()
}

/// Adds points to a player's totals from an event on.
fn shift_totals(game: &mut Gcg, player: usize, from: usize, points: i32) {
    for event in game.events.iter_mut().skip(from).filter(|event| event.player == player) {
        event.total = event.total.saturating_add(points);
    }
}

/// The line that an error is about.
fn line_of(error: &GcgError) -> Option<usize> {
    match error {
        GcgError::Syntax { place, .. }
        | GcgError::BadTile { place, .. }
        | GcgError::RackTooLong { place, .. }
        | GcgError::UnknownPlayer { place, .. } => Some(place.line),
        GcgError::Repeated { line, .. }
        | GcgError::NotOnTurn { line, .. }
        | GcgError::Turn { line, .. }
        | GcgError::Points { line, .. }
        | GcgError::Total { line, .. }
        | GcgError::Leftover { line, .. }
        | GcgError::Misplaced { line, .. } => Some(*line),
        GcgError::FinalRack { .. } | GcgError::NoSuchTurn { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::english_rules;
    use proptest::prelude::*;

    const GAME: &str = "\
#player1 Ann Ann
#player2 Ben Ben
>Ann: ACEIRTV 8D VICAR +28 28
>Ben: AEFGHII -FGII +0 0
>Ann: BDEELNT H8 (R)END +5 33
>Ben: AAEHOOT 11H DOAT +10 10
";

    /// The turns that are read of a changed game, and the notes.
    fn check(from: &str, to: &str, turns: usize, expected: &[&str]) -> MendedGame {
        assert!(GAME.contains(from), "{from}");
        let mended = read(&GAME.replacen(from, to, 1), &english_rules()).unwrap();
        let line = |note: &FileNote| format!("{}: {}", note.line.map_or(0, |line| line), note.text);
        assert_eq!(mended.notes.iter().map(line).collect::<Vec<_>>(), expected);
        assert_eq!(mended.replay.turns.len(), turns, "{from} -> {to}");
        mended
    }

    #[test]
    fn what_is_wrong_is_told_and_the_rest_is_read() {
        check("#player1", "#player1", 4, &[]);
        check(
            "BDEELNT",
            "VVDEELN",
            4,
            &["5: there is no V for this play: all of them are on the board or the other rack: the rack is taken for unknown"],
        );
        check(
            "AAEHOOT 11H",
            "QQEHOOT 11H",
            4,
            &["6: there is no Q for this play: all of them are on the board or the other rack: the rack is taken for unknown"],
        );
        check("+5 33", "+6 34", 4, &["5: +6 points, by the rules +5: counted by the rules"]);
        let mended = check("+28 28", "+27 27", 4, &["3: +27 points, by the rules +28: counted by the rules"]);
        assert_eq!(mended.replay.positions.last().unwrap().score(0), 33);
        check("+5 33", "+5 32", 4, &["5: a total of 32, the points so far sum up to 33: counted by the rules"]);
        check("11H DOAT +10 10", "11H DO", 3, &["6: column 21: \"\", expected points with + or -: the game is read up to there"]);
        check("H8 (R)END", "H8 (X)END", 2, &["5: there is already another tile on 8H: the game is read up to there"]);
    }

    /// Games as they come: the number of turns that are read, and the notes.
    fn real(text: &str, turns: usize, expected: &[&str]) -> MendedGame {
        let mended = read(text, &english_rules()).unwrap();
        let line = |note: &FileNote| format!("{}: {}", note.line.map_or(0, |line| line), note.text);
        assert_eq!(mended.notes.iter().map(line).collect::<Vec<_>>(), expected, "{text}");
        assert_eq!(mended.replay.turns.len(), turns, "{text}");
        mended
    }

    #[test]
    fn passes_without_a_rack_and_challengers_with_a_full_one_are_read() {
        real(">A: ACEIRTV 8D VICAR +28 28\n>B: - +0 0\n>A: BDEELNT H8 .END +5 33\n", 3, &[]);
        // A challenge in vain: points for the challenged play, with either rack, or a turn that the challenger loses.
        real(">A: ACEIRTV 8D VICAR +28 28\n>A: BDEELNT (challenge) +5 33\n>B: AEFGHII -FGII +0 0\n", 2, &[]);
        real(">A: ACEIRTV 8D VICAR +28 28\n>B: AEFGHII - +0 0\n>A: BDEELNT H8 .END +5 33\n", 3, &[]);
        // A withdrawn phony with the full rack of its player, or without.
        for rack in ["AEFGHII ", ""] {
            let text = format!(">A: ACEIRTV 8D VICAR +28 28\n>B: AEFGHII H8 .EFG +8 8\n>B: {rack}-- -8 0\n>A: BDEELNT H8 .END +5 33\n");
            real(&text, 3, &[]);
        }
        // The same with points that the rules do not give: the total behind it is right.
        real(
            ">A: ACEIRTV 8D VICAR +28 28\n>B: AEFGHII H8 .EFG +7 7\n>B: AEFGHII -- -7 0\n>A: BDEELNT H8 .END +5 33\n",
            3,
            &["2: +7 points, by the rules +8: counted by the rules", "3: -7 points, by the rules -8: counted by the rules"],
        );
    }

    #[test]
    fn a_game_that_ends_behind_a_phony_or_by_six_zero_turns_is_read_to_its_end() {
        real(">A: ACEIRTV 8D VICAR +28 28\n>B: AEFGHII H8 .EFG +8 8\n>B: AEFGHII -- -8 0\n", 2, &[]);
        let zero = ">A: ACEIRTV - +0 0\n>B: AEFGHII - +0 0\n".repeat(3);
        let ended = real(&zero, 6, &[]);
        assert!(ended.replay.positions.last().unwrap().end().is_some());
        real(&format!("{zero}>A: ACEIRTV (ACEIRTV) -12 -12\n>B: AEFGHII (AEFGHII) -14 -14\n"), 6, &[]);
        let late = "7: the game is over: the game is read up to there";
        real(&format!("{zero}>A: ACEIRTV 8D VICAR +28 28\n"), 6, &[late]);
    }

    #[test]
    fn a_file_that_is_cut_anywhere_is_read_as_far_as_it_goes() {
        let rules = english_rules();
        let events: Vec<usize> = GAME.match_indices('>').map(|(at, _)| at).collect();
        for end in events[0] + 1..GAME.len() {
            let whole = GAME[..end].lines().filter(|line| line.starts_with('>')).count() - usize::from(!GAME[..end].ends_with('\n'));
            match read(&GAME[..end], &rules) {
                Ok(mended) => assert!(mended.replay.turns.len() >= whole, "{end}"),
                // Nothing that could be read stands before the cut.
                Err(error) => assert!(whole == 0, "{end}: {error}"),
            }
        }
    }

    #[test]
    fn a_text_without_a_game_is_refused() {
        assert_eq!(
            read("hello", &english_rules()).unwrap_err().to_string(),
            "line 1, column 1: \"hello\", expected a line that begins with # or >"
        );
        assert!(read("", &english_rules()).unwrap().replay.turns.is_empty());
    }

    proptest! {
        #[test]
        fn damaged_games_never_panic(edits in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select("AZa09 >#:-+().?\n".chars().collect::<Vec<_>>())), 1..8)) {
            let mut chars: Vec<char> = GAME.chars().collect();
            for (place, c) in edits {
                let at = place.index(chars.len());
                chars[at] = c;
            }
            let _ = read(&chars.iter().collect::<String>(), &english_rules());
        }
    }
}
