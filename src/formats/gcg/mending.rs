//! Repairs common deviations from the format in recorded games. Each repair is noted with its line,
//! and as much as possible of the intended game is kept.
//!
//! | in the record | read as |
//! |---|---|
//! | a rack that is too large, or has tiles that are not there | the rack is unknown; the turn counts |
//! | points or totals that are not stated | they are worked out |
//! | points that contradict the rules, but agree with the totals after them | they are kept: the players agreed on them |
//! | points or a total that contradict the totals after them | the count by the rules |
//! | last tiles that are not those left, a gain for going out before the bag is empty | the points as stated |
//! | an impossible `#rack1`, `#rack2` or `#incomplete` | the rack is unknown |
//! | tiles of several letters in small letters, as Quackle writes them | those tiles, if that leaves fewer faults |
//! | a nick that is not among the players' | the player whose own nick has no events; for a single event, the player whose turn it is |
//! | a line that is neither a pragma nor an event, a pragma for the second time | it is ignored |
//! | a withdrawal that does not follow a play of the player | that of the other player's play, if the totals agree; else it is ignored |
//! | turns after the turns without points that end a game | the game goes on: turns without points are counted anew |
//! | two turns of one player in a row | the other player has passed between them, at most three times in a game |
//! | an event that cannot be read, or that the rules forbid; a second game | the game ends before it |
//!
//! Not here: character sets and alphabets (`reading.rs`), reading correct games (`parse.rs`, `replay.rs`). Start with [`read`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::formats::gcg::parse::{LooseFault, LooseGame, StatedNumbers, parse_loosely};
use crate::formats::gcg::replay::{Replay, replay};
use crate::formats::gcg::types::{EventMends, FileNote, Gcg, GcgAction, GcgError, GcgEvent};
use crate::rules::tiles::Placed;
use crate::rules::{GameRules, LetterDistribution, Rack, TurnError};

/// The most mends per event, on average, before the rest of a game is given up.
const MOST_MENDS: usize = 6;

/// The most passes that are inserted between two turns of one player.
const MOST_PASSES: usize = 3;

/// A possible game, and the repairs that made it possible.
#[derive(Clone, Debug)]
pub struct ReadGame {
    /// The game. [`replay()`](crate::formats::gcg::replay()) accepts it.
    pub game: Gcg,
    /// The game played through.
    pub replay: Replay,
    /// What was wrong or unusual, by lines.
    pub notes: Vec<FileNote>,
    /// Why the rest of the text is not read, if it is not.
    pub unread: Option<GcgError>,
    /// The number of points and totals that contradict the rules.
    pub(super) wrong_numbers: usize,
}

/// Reads a game, as far as it can be read.
///
/// # Errors
/// The text has no game at all; the error is the first one in it. Or it is a game of more than two players.
pub fn read(text: &str, rules: &GameRules) -> Result<ReadGame, GcgError> {
    let read = read_as_written(text, rules);
    let Some(marked) = with_marked_tiles(text, &rules.distribution) else { return read };
    let faults = |game: &ReadGame| (game.unread.is_some(), game.notes.len());
    match (read, read_as_written(&marked, rules)) {
        (Ok(read), Ok(game)) if faults(&read) <= faults(&game) => Ok(read),
        (_, Ok(mut game)) => {
            let line = text.lines().zip(marked.lines()).position(|(one, other)| one != other).map(|at| at + 1);
            game.notes.push(FileNote { line, text: "tiles of several letters are in small letters from here on".to_string() });
            game.notes.sort_by_key(|note| note.line);
            Ok(game)
        }
        (read, Err(_)) => read,
    }
}

/// Puts brackets around tiles of several letters that an event writes in small letters: `ch.RLAD` becomes
/// `[CH].RLAD`. Returns `None` if no event has such tiles.
fn with_marked_tiles(text: &str, distribution: &LetterDistribution) -> Option<String> {
    let face = |letter| {
        let mut face = String::new();
        distribution.write_placed(Placed::tile(letter), &mut face);
        face.starts_with('[').then(|| (face.trim_matches(['[', ']']).to_lowercase(), face))
    };
    let long: Vec<(String, String)> = distribution.letters().filter_map(face).collect();
    let marked = |word: &str| long.iter().fold(word.to_string(), |word, (small, face)| word.replace(small, face));
    let line_marked = |line: &str| match line.split_once(':') {
        Some((nick, event)) if nick.trim_start().starts_with('>') => {
            // The text after the points is not part of the play.
            let (event, points) = event.split_at(event.find('+').unwrap_or(event.len()));
            format!("{nick}:{}{points}", marked(event))
        }
        _ => line.to_string(),
    };
    let all: String = text.split_inclusive('\n').map(line_marked).collect();
    (all != text).then_some(all)
}

fn read_as_written(text: &str, rules: &GameRules) -> Result<ReadGame, GcgError> {
    let games = games_of(text);
    let LooseGame { game, stated, faults, end } = parse_loosely(games.first().map_or("", |game| game.text), rules);
    if let Some(more) = end.as_ref().filter(|error| matches!(error, GcgError::MorePlayers { .. })) {
        return Err(more.clone());
    }
    if game.events.is_empty()
        && let Some(error) = faults.iter().find_map(LooseFault::ignored).or(end.as_ref())
    {
        return Err(error.clone());
    }
    let mut mender = Mender { game, stated, notes: faults.iter().map(fault_note).collect(), unread: end, wrong_numbers: 0, passes: 0 };
    mender.notes.extend(mender.unread.as_ref().map(|error| note(error, READ_UP_TO)));
    mender.notes.extend(
        games
            .get(1)
            .map(|next| FileNote { line: Some(next.line), text: "another game begins here: only the first one is read".to_string() }),
    );
    mender.note_gaps();
    let mut rounds = MOST_MENDS * (mender.game.events.len() + 1);
    loop {
        mender.fill_gaps();
        match replay(&mender.game, rules, None) {
            Ok(replay) => {
                let Mender { game, mut notes, unread, wrong_numbers, .. } = mender;
                if let Some(error) = unread.as_ref().filter(|_| game.events.is_empty()) {
                    return Err(error.clone());
                }
                notes.extend(replay.notes.iter().map(|note| FileNote { line: Some(note.line), text: note.reading.to_string() }));
                notes.sort_by_key(|note| note.line);
                return Ok(ReadGame { game, replay, notes, unread, wrong_numbers });
            }
            // Each round mends the first fault.
            Err(error) if rounds > 0 => mender.mend(&error),
            Err(error) => mender.end_at(&error),
        }
        rounds = rounds.saturating_sub(1);
    }
}

/// A game of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameText<'a> {
    /// Its lines.
    pub text: &'a str,
    /// The number of the first one, from 1.
    pub line: usize,
}

/// Splits a text into its games; there is at least one. A new game begins with the block of pragmas in
/// which a `#player1` or `#player2` comes for the second time, after events.
pub fn games_of(text: &str) -> Vec<GameText<'_>> {
    let mut games = Vec::new();
    let (mut begin, mut begin_line) = (0, 1);
    let (mut at, mut has_events, mut head, mut named) = (0, false, None, [false; 2]);
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let key = line.trim_start_matches('\u{feff}').split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
        if key.starts_with('>') {
            (has_events, head) = (true, None);
        } else if key.starts_with('#') && !["#note", "#rack1", "#rack2", "#incomplete"].contains(&key.as_str()) {
            let place = *head.get_or_insert((at, number));
            let [first, second] = &mut named;
            let is_named = match key.as_str() {
                "#player1" => std::mem::replace(first, true),
                "#player2" => std::mem::replace(second, true),
                _ => false,
            };
            if is_named && has_events {
                games.push(GameText { text: text.get(begin..place.0).unwrap_or_default(), line: begin_line });
                ((begin, begin_line), has_events) = (place, false);
                named = [key == "#player1", key == "#player2"];
            }
        }
        at += line.len();
    }
    games.push(GameText { text: text.get(begin..).unwrap_or_default(), line: begin_line });
    games
}

impl ReadGame {
    /// Returns the game up to the position before an event (1-based), or all of it.
    ///
    /// # Errors
    /// The game has no such event; if the text was not read that far, the reason.
    pub fn up_to(&self, turn: Option<usize>, rules: &GameRules) -> Result<Replay, GcgError> {
        // The event that is not read: the position before it is known.
        let turn = turn.filter(|&turn| self.unread.is_none() || turn != self.game.events.len() + 1);
        replay(&self.game, rules, turn).map_err(|error| self.unread.clone().unwrap_or(error))
    }
}

impl LooseFault {
    fn ignored(&self) -> Option<&GcgError> {
        match self {
            LooseFault::IgnoredLine(error) => Some(error),
            LooseFault::UnknownRack(_) | LooseFault::OddPoints { .. } | LooseFault::SharedNick { .. } | LooseFault::OtherNick { .. } => {
                None
            }
        }
    }
}

const UNKNOWN_RACK: &str = "the rack is treated as unknown";
const BY_THE_RULES: &str = "counted by the rules";
const READ_UP_TO: &str = "the game is read up to here";

fn fault_note(fault: &LooseFault) -> FileNote {
    match fault {
        LooseFault::IgnoredLine(error) => note(error, "the line is ignored"),
        LooseFault::UnknownRack(error) => note(error, UNKNOWN_RACK),
        LooseFault::OddPoints { line, found, points } => {
            FileNote { line: Some(*line), text: format!("points {found:?}: read as {points:+}") }
        }
        LooseFault::OtherNick { line, found, player } => {
            FileNote { line: Some(*line), text: format!("no player is called {found}: read as {player}") }
        }
        LooseFault::SharedNick { line, nick, second } => {
            FileNote { line: Some(*line), text: format!("both players are called {nick}: the second is read as {second}, by turns") }
        }
    }
}

fn note(error: &GcgError, done: &str) -> FileNote {
    let text = error.to_string();
    let line = error.line();
    // The line number is printed before the text anyway.
    let text = match line.and_then(|line| text.strip_prefix(&format!("line {line}"))) {
        Some(rest) => rest.trim_start_matches([':', ',', ' ']).to_string(),
        None => text,
    };
    FileNote { line, text: format!("{text}: {done}") }
}

/// A game that is being mended.
struct Mender {
    game: Gcg,
    stated: Vec<StatedNumbers>,
    notes: Vec<FileNote>,
    unread: Option<GcgError>,
    wrong_numbers: usize,
    /// The number of passes that were inserted.
    passes: usize,
}

impl Mender {
    /// Notes missing numbers: only once, since a program that leaves them out leaves all of them out.
    fn note_gaps(&mut self) {
        let mut note = |is_missing: fn(&StatedNumbers) -> bool, what: &str| {
            let mut missing = self.game.events.iter().zip(&self.stated).filter(|(_, stated)| is_missing(stated));
            if let Some((first, _)) = missing.next() {
                let count = 1 + missing.count();
                let events = if count == 1 { "an event".to_string() } else { format!("{count} events") };
                self.notes.push(FileNote { line: Some(first.line), text: format!("{events} without {what}: worked out") });
            }
        };
        note(|stated| !stated.points, "points");
        note(|stated| !stated.total, "a total");
    }

    /// Works out the numbers that are not stated from those that are.
    fn fill_gaps(&mut self) {
        let mut totals = [0i32; 2];
        for (event, stated) in self.game.events.iter_mut().zip(&self.stated) {
            let [first, second] = &mut totals;
            let total = if event.player == 0 { first } else { second };
            if !stated.total {
                event.total = total.saturating_add(event.points);
            } else if !stated.points {
                event.points = event.total.saturating_sub(*total);
            }
            *total = event.total;
        }
    }

    /// Mends the first fault.
    fn mend(&mut self, error: &GcgError) {
        let Some(index) = self.game.events.iter().position(|event| Some(event.line) == error.line()) else {
            self.game.racks = [None; 2];
            if matches!(error, GcgError::FinalRack { .. }) {
                self.notes.push(note(error, UNKNOWN_RACK));
            } else {
                self.end_at(error);
            }
            return;
        };
        let Some(event) = self.game.events.get_mut(index) else { return };
        let done = match error {
            GcgError::Turn {
                error: TurnError::MissingTile { .. } | TurnError::TakenTile { .. } | TurnError::TooManyTiles { .. }, ..
            } => {
                let doubts = &mut event.mends.is_rack_impossible;
                match &event.action {
                    GcgAction::RackLoss(_) if !*doubts => {
                        *doubts = true;
                        "the points count as stated"
                    }
                    _ if !event.rack.is_empty() && !*doubts => {
                        *doubts = true;
                        UNKNOWN_RACK
                    }
                    GcgAction::Exchange(tiles) => {
                        event.action = GcgAction::ExchangeUnknown(tiles.len());
                        "the exchanged tiles are treated as unknown"
                    }
                    _ => {
                        if !self.doubt_withdrawn_tiles(index) {
                            return self.end_at(error);
                        }
                        "the tiles of a withdrawn play are treated as unknown"
                    }
                }
            }
            GcgError::Leftover { .. } | GcgError::Misplaced { .. }
                if matches!(event.action, GcgAction::OutBonus(_)) && !event.mends.is_rack_impossible =>
            {
                event.mends.is_rack_impossible = true;
                "the points count as stated"
            }
            GcgError::Misplaced { .. } if event.action == GcgAction::Withdrawn => {
                if self.withdraw_the_play_before(index) {
                    "it is read as that of the play before it"
                } else {
                    self.remove(index);
                    "it is ignored"
                }
            }
            GcgError::NotOnTurn { .. } if self.passes < MOST_PASSES => {
                let other = 1 - event.player;
                self.put_pass_before(index, other);
                "a pass is inserted"
            }
            GcgError::Turn { error: TurnError::GameOver, .. } if self.go_on_before(index) => {
                "it is read on, and turns without points are counted anew"
            }
            GcgError::Points { expected, found, .. } => return self.settle(index, found - expected, error),
            GcgError::Total { .. } => return self.settle(index, 0, error),
            _ => return self.end_at(error),
        };
        self.notes.push(note(error, done));
    }

    /// Decides which points and which total count for an event with wrong ones. `surplus` is the number
    /// of points beyond those of the rules.
    fn settle(&mut self, index: usize, surplus: i32, error: &GcgError) {
        let before = self.total_before(index);
        let next = self.next_stated(index);
        let (Some(event), Some(stated)) = (self.game.events.get_mut(index), self.stated.get_mut(index)) else { return };
        let by_rules = event.points.saturating_sub(surplus);
        let total_by_rules = before.saturating_add(by_rules);
        // Whether the next total of this player follows from this one.
        let goes_on = |total: i32| next.is_some_and(|(points, next)| next == total.saturating_add(points));
        let is_sum = event.total == before.saturating_add(event.points);
        let was_stated = stated.points || stated.total;
        let is_agreed = match event.action {
            GcgAction::Withdrawn => false,
            _ if !was_stated || event.total == total_by_rules => false,
            // A sum that no later total contradicts.
            _ if is_sum => !goes_on(total_by_rules) || goes_on(event.total),
            _ => goes_on(event.total) && !goes_on(total_by_rules),
        };
        if is_agreed {
            event.points = event.total.saturating_sub(before);
            event.mends.agreed_points = event.points.saturating_sub(by_rules);
        } else {
            event.points = by_rules;
            event.total = total_by_rules;
        }
        *stated = StatedNumbers { points: true, total: true };
        if was_stated {
            self.wrong_numbers += 1;
            let kept =
                if goes_on(event.total) { "kept, since the totals after it agree" } else { "kept, since no total after it disagrees" };
            self.notes.push(note(error, if is_agreed { kept } else { BY_THE_RULES }));
        }
    }

    /// Returns the total of an event's player before the event.
    fn total_before(&self, index: usize) -> i32 {
        let player = self.game.events.get(index).map(|event| event.player);
        let before = self.game.events.iter().take(index).rev();
        before.into_iter().find(|event| Some(event.player) == player).map_or(0, |event| event.total)
    }

    /// Returns points and total of the next event of the same player, if both are stated.
    fn next_stated(&self, index: usize) -> Option<(i32, i32)> {
        let player = self.game.events.get(index)?.player;
        let behind = self.game.events.iter().zip(&self.stated).skip(index + 1);
        let (event, stated) = behind.into_iter().find(|(event, _)| event.player == player)?;
        (stated.points && stated.total).then_some((event.points, event.total))
    }

    /// Marks the tiles of the last trusted withdrawn play before an event as unknown. Returns whether there
    /// was such a play.
    fn doubt_withdrawn_tiles(&mut self, index: usize) -> bool {
        let is_trusted = |event: &&mut GcgEvent| event.action == GcgAction::Withdrawn && !event.mends.is_rack_impossible;
        let withdrawn = self.game.events.iter_mut().take(index).rev().find(is_trusted);
        withdrawn.map(|event| event.mends.is_rack_impossible = true).is_some()
    }

    /// Lets the game go on after the turn that ended it, the last one before an event. Returns whether it did not before.
    fn go_on_before(&mut self, index: usize) -> bool {
        let is_turn = |event: &&mut GcgEvent| event.action.is_turn() || event.action == GcgAction::Withdrawn;
        let last = self.game.events.iter_mut().take(index).rev().find(is_turn);
        last.is_some_and(|event| !std::mem::replace(&mut event.mends.goes_on, true))
    }

    /// Makes a withdrawal that of the play before it, if the next total of that play's player lacks its points. Returns whether it
    /// did.
    fn withdraw_the_play_before(&mut self, index: usize) -> bool {
        let Some(play) = index.checked_sub(1) else { return false };
        let before = self.total_before(play);
        let next = self.next_stated(play);
        let Some([played, event]) = self.game.events.get_mut(play..=index).and_then(|pair| <&mut [GcgEvent; 2]>::try_from(pair).ok())
        else {
            return false;
        };
        let goes_on = |total: i32| next.is_some_and(|(points, next)| next == total.saturating_add(points));
        if !matches!(played.action, GcgAction::Place { .. }) || !goes_on(before) || goes_on(played.total) {
            return false;
        }
        // The rack is not that player's either.
        (event.player, event.rack) = (played.player, Rack::EMPTY);
        (event.points, event.total) = (played.points.saturating_neg(), before);
        true
    }

    /// Removes an event.
    fn remove(&mut self, index: usize) {
        self.game.events.remove(index);
        self.stated.remove(index);
        self.game.pragmas.iter_mut().filter(|pragma| pragma.after_events > index).for_each(|pragma| pragma.after_events -= 1);
    }

    /// Inserts a pass before an event.
    fn put_pass_before(&mut self, index: usize, player: usize) {
        let pass = GcgEvent {
            player,
            rack: Rack::EMPTY,
            action: GcgAction::Pass,
            points: 0,
            total: 0,
            remark: String::new(),
            line: 0,
            mends: EventMends::default(),
        };
        self.game.events.insert(index, pass);
        self.stated.insert(index, StatedNumbers { points: true, total: false });
        self.game.pragmas.iter_mut().filter(|pragma| pragma.after_events > index).for_each(|pragma| pragma.after_events += 1);
        self.passes += 1;
    }

    /// Ends the game before the event of an error.
    fn end_at(&mut self, error: &GcgError) {
        let index = self.game.events.iter().position(|event| Some(event.line) == error.line()).unwrap_or(0);
        self.game.truncate(index);
        self.stated.truncate(index);
        // Notes on later lines no longer apply.
        self.notes.retain(|note| note.line.is_none_or(|line| error.line().is_none_or(|end| line < end)));
        self.notes.push(note(error, READ_UP_TO));
        self.unread = Some(error.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::gcg::parse::parse;
    use crate::rules::{GameRules, Seat};
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
    fn check(from: &str, to: &str, turns: usize, expected: &[&str]) -> ReadGame {
        assert!(GAME.contains(from), "{from}");
        let mended = read(&GAME.replacen(from, to, 1), &GameRules::english()).unwrap();
        let line = |note: &FileNote| format!("{}: {}", note.line.map_or(0, |line| line), note.text);
        assert_eq!(mended.notes.iter().map(line).collect::<Vec<_>>(), expected);
        assert_eq!(mended.replay.turns.len(), turns, "{from} -> {to}");
        mended
    }

    #[test]
    fn two_players_of_one_nick_take_turns() {
        let text = GAME.replace("#player2 Ben Ben", "#player2 Ann Anna").replace(">Ben:", ">Ann:");
        let text = text + ">Ann: AAEHOOT -- -10 0\n>Ann: BEELNTU -U +0 33\n";
        let read = read(&text, &GameRules::english()).unwrap();
        assert_eq!(read.game.players.each_ref().map(|player| player.nick.as_str()), ["Ann", "Ann2"]);
        assert_eq!(read.game.events.iter().map(|event| event.player).collect::<Vec<_>>(), [0, 1, 0, 1, 1, 0]);
        assert_eq!(read.notes[0].to_string(), "line 2: both players are called Ann: the second is read as Ann2, by turns");
        assert_eq!(
            parse(&text, &GameRules::english()).unwrap_err().to_string(),
            "line 2, column 10: found \"Ann\", expected a nick that the other player does not have"
        );
    }

    #[test]
    fn a_nick_that_is_not_among_the_players_is_one_of_theirs() {
        let read = |text: &str| read(text, &GameRules::english());
        let players = |game: &ReadGame| game.game.events.iter().map(|event| event.player).collect::<Vec<_>>();
        let told = |game: &ReadGame| game.notes.iter().map(ToString::to_string).collect::<Vec<_>>();
        // Other names than in the pragmas: the players who have no events under their own.
        let other = read(&GAME.replace(">Ann:", ">first:").replace(">Ben:", ">second:")).unwrap();
        assert_eq!(players(&other), [0, 1, 0, 1]);
        let taken = ["line 3: no player is called first: read as Ann", "line 4: no player is called second: read as Ben"];
        assert_eq!(told(&other), taken);
        assert_eq!(players(&read(&GAME.replace(">Ann:", ">first:")).unwrap()), [0, 1, 0, 1]);
        // A slip in one event: by turns.
        let passes = format!("{GAME}{}", ">Ann: BEELNTU - +0 33\n>Ben: AEHIORS - +0 10\n".repeat(2));
        let slip = read(&passes.replacen(">Ben: AEHIORS", ">Bem: AEHIORS", 1)).unwrap();
        assert_eq!(players(&slip), [0, 1, 0, 1, 0, 1, 0, 1]);
        assert_eq!(told(&slip), ["line 8: no player is called Bem: read as Ben"]);
    }

    #[test]
    fn a_game_of_more_than_two_players_is_refused_as_one() {
        let turns = ">Ann: - +0 0\n>Ben: - +0 0\n>Cat: - +0 0\n>Dan: - +0 0\n";
        let head = "#player1 Ann\n#player2 Ben\n#player3 Cat Cat Ion\n#player4 Dan Dan Druff\n";
        let refused = |text: &str| read(text, &GameRules::english()).unwrap_err().to_string();
        let told = "Cat is a third player: this is a game of 4 players, and only games of two are read";
        assert_eq!(refused(&format!("{head}{turns}{turns}")), format!("line 7: {told}"));
        assert_eq!(refused(turns), format!("line 3: {told}"));
        // Named, but without a turn.
        assert_eq!(read(&format!("{head}>Ann: - +0 0\n>Ben: - +0 0\n"), &GameRules::english()).unwrap().replay.turns.len(), 2);
    }

    #[test]
    fn what_is_wrong_is_told_and_the_rest_is_read() {
        check("#player1", "#player1", 4, &[]);
        check(
            "BDEELNT",
            "VVDEELN",
            4,
            &["5: this rack has more V than are left: the rest is on the board or the other rack: the rack is treated as unknown"],
        );
        check(
            "AAEHOOT 11H",
            "QQEHOOT 11H",
            4,
            &["6: this rack has more Q than are left: the rest is on the board or the other rack: the rack is treated as unknown"],
        );
        let kept = check("+5 33", "+6 34", 4, &["5: +6 points are stated, but the rules give +5: kept, since no total after it disagrees"]);
        assert_eq!(kept.replay.positions.last().unwrap().score(Seat::First), 34);
        let mended = check("+28 28", "+27 27", 4, &["3: +27 points are stated, but the rules give +28: counted by the rules"]);
        assert_eq!(mended.replay.positions.last().unwrap().score(Seat::First), 33);
        check("+5 33", "+5 32", 4, &["5: a total of 32 is stated, but the points so far add up to 33: counted by the rules"]);
        check("11H DOAT +10 10", "11H", 3, &["6: column 18: found \"\", expected the word: the game is read up to here"]);
        check("H8 (R)END", "H8 (X)END", 2, &["5: there is already another tile on 8H: the game is read up to here"]);
    }

    /// Checks a game: the number of turns that are read, and the notes.
    fn real(text: &str, turns: usize, expected: &[&str]) -> ReadGame {
        let mended = read(text, &GameRules::english()).unwrap();
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
        // The same with points that the rules do not give: the total after it is right.
        real(
            ">A: ACEIRTV 8D VICAR +28 28\n>B: AEFGHII H8 .EFG +7 7\n>B: AEFGHII -- -7 0\n>A: BDEELNT H8 .END +5 33\n",
            3,
            &["2: +7 points are stated, but the rules give +8: kept, since the totals after it agree"],
        );
    }

    #[test]
    fn a_game_that_ends_behind_a_phony_or_by_six_zero_turns_is_read_to_its_end() {
        real(">A: ACEIRTV 8D VICAR +28 28\n>B: AEFGHII H8 .EFG +8 8\n>B: AEFGHII -- -8 0\n", 2, &[]);
        let zero = ">A: ACEIRTV - +0 0\n>B: AEFGHII - +0 0\n".repeat(3);
        let ended = real(&zero, 6, &[]);
        assert!(ended.replay.positions.last().unwrap().end().is_some());
        real(&format!("{zero}>A: ACEIRTV (ACEIRTV) -12 -12\n>B: AEFGHII (AEFGHII) -14 -14\n"), 6, &[]);
        // Some players, and some programs, go on; no game goes on after a player went out.
        let late = "7: the game is over: it is read on, and turns without points are counted anew";
        let went_on = real(&format!("{zero}>A: ACEIRTV 8D VICAR +28 28\n>B: AEFGHII -FGII +0 0\n"), 8, &[late]);
        assert_eq!(went_on.replay.positions.last().map(|position| (position.end(), position.zero_turns())), Some((None, 1)));
        let twice = format!("{zero}{zero}>A: ACEIRTV 8D VICAR +28 28\n");
        real(&twice, 13, &[late, "12: the game is over: it is read on, and turns without points are counted anew"]);
    }

    #[test]
    fn a_file_that_is_cut_anywhere_is_read_as_far_as_it_goes() {
        let rules = GameRules::english();
        let events: Vec<usize> = GAME.match_indices('>').map(|(at, _)| at).collect();
        for end in events[0] + 1..GAME.len() {
            let whole = GAME[..end].lines().filter(|line| line.starts_with('>')).count() - usize::from(!GAME[..end].ends_with('\n'));
            match read(&GAME[..end], &rules) {
                Ok(mended) => assert!(mended.replay.turns.len() >= whole, "{end}"),
                // Nothing readable precedes the cut.
                Err(error) => assert!(whole == 0, "{end}: {error}"),
            }
        }
    }

    #[test]
    fn a_text_without_a_game_is_refused() {
        assert_eq!(
            read("hello", &GameRules::english()).unwrap_err().to_string(),
            "line 1, column 1: found \"hello\", expected a line that begins with # or >"
        );
        assert!(read("", &GameRules::english()).unwrap().replay.turns.is_empty());
    }

    /// The final scores of a game, and the notes.
    fn scores(text: &str, scores: [i32; 2], expected: &[&str]) -> ReadGame {
        let read = read(text, &GameRules::english()).unwrap();
        let line = |note: &FileNote| format!("{}: {}", note.line.map_or(0, |line| line), note.text);
        assert_eq!(read.notes.iter().map(line).collect::<Vec<_>>(), expected, "{text}");
        let end = read.replay.positions.last().unwrap();
        assert_eq!(end.scores().0, scores, "{text}");
        // The written record is read as the same game.
        let again = super::read(&crate::formats::gcg::print(&read.game), &GameRules::english()).unwrap();
        assert_eq!(again.replay.positions.last(), Some(end), "{text}");
        read
    }

    const FIRST: &str = ">Ann: ABEIRST 8D BAITERS +74 74\n";

    #[test]
    fn racks_that_cannot_be_are_unknown_and_still_written() {
        let too_many = format!("{FIRST}>Ben: AEGINOTX -AX +0 0\n>Ann: CEEOLMR 7G OE +8 82\n");
        let read = scores(&too_many, [82, 0], &["2: column 7: 8 tiles, a rack holds 7: the rack is treated as unknown"]);
        assert!(crate::formats::gcg::print(&read.game).contains(">Ben: AEGINOTX -AX +0 0"));
        let phony = format!("{FIRST}>Ben: AGIIKOS 9G FAG +29 29\n>Ben: AGIIKOS -- -29 0\n>Ann: CEEOLMR 7G OE +8 82\n");
        let unknown = "2: there is no F for this play: it is not on the rack: the rack is treated as unknown";
        let read = scores(&phony, [82, 0], &[unknown]);
        assert!(crate::formats::gcg::print(&read.game).contains(">Ben: AGIIKOS 9G FAG +29 29\n>Ben: AGIIKOS -- -29 0"));
        let exchange = format!("{FIRST}>Ben: NDYEOUI -OUIIYI +0 0\n");
        scores(&exchange, [74, 0], &["2: there is no I for this play: it is not on the rack: the rack is treated as unknown"]);
        let impossible = format!("{FIRST}>Ben: ABCDEFG -QQQ +0 0\n>Ann: CEEOLMR 7G OE +8 82\n");
        let tiles = "the exchanged tiles are treated as unknown";
        scores(
            &impossible,
            [82, 0],
            &[
                "2: there is no Q for this play: it is not on the rack: the rack is treated as unknown",
                &format!("2: there is no Q for this play: all of them are on the board or on racks: {tiles}"),
            ],
        );
    }

    #[test]
    fn numbers_that_are_missing_or_written_otherwise_are_found() {
        let text = format!("{}>Ben: AEGINOT -GI\n>Ann: CEELMOR 7G OE +8\n", FIRST.replace(" 74\n", "\n"));
        scores(&text, [82, 0], &["1: 3 events without a total: worked out", "2: an event without points: worked out"]);
        let text = format!("{FIRST}>Ben: AEGINOT -GI\n>Ann: CEELMOR 7G OE\n");
        let told = ["2: 2 events without points: worked out", "2: 2 events without a total: worked out"];
        scores(&text, [82, 0], &told);
        let text = format!("{FIRST}>Ben: AEGINOT I7 A.T 5 5\n");
        scores(&text, [74, 5], &["2: points \"5\": read as +5"]);
    }

    #[test]
    fn points_that_the_table_agreed_on_stay() {
        let text = ">Ann: ABEIRST 8D BAITERS +84 84\n#note challenged in vain\n>Ben: AEGINOT -GI +0 0\n>Ann: CEELMOR 7G OE +8 92\n";
        scores(text, [92, 0], &["1: +84 points are stated, but the rules give +74: kept, since the totals after it agree"]);
        // The next total takes them back.
        scores(&text.replace("92", "82"), [82, 0], &["1: +84 points are stated, but the rules give +74: counted by the rules"]);
        // Only the total has them.
        let total = text.replace("+84 84", "+74 79").replace("92", "87");
        scores(&total, [87, 0], &["1: a total of 79 is stated, but the points so far add up to 74: kept, since the totals after it agree"]);
    }

    #[test]
    fn a_second_game_is_another_one() {
        let game = format!("#player1 Ann\n#player2 Ben\n{FIRST}#note #player1 is a pragma\n");
        let text = format!("{game}#character-encoding UTF-8\n{game}");
        let games: Vec<(usize, usize)> = games_of(&text).iter().map(|game| (game.line, game.text.lines().count())).collect();
        assert_eq!(games, [(1, 4), (5, 5)]);
        scores(&text, [74, 0], &["5: another game begins here: only the first one is read"]);
        // A player who is named late, or twice before the first event.
        for one in [format!("#player1 Ann\n{FIRST}#player2 Ben\n"), format!("#player1 Ann\n#player1 Ann\n{FIRST}")] {
            assert_eq!(games_of(&one).len(), 1, "{one}");
        }
    }

    #[test]
    fn endings_are_as_they_are_stated() {
        let passes = ">Ben: AEGINOT - +0 0\n>Ann: CEELMOR - +0 74\n".repeat(3);
        let told = ["8: points \"+-11\": read as -11", "9: points \"+ -8\": read as -8"];
        let both = format!("{FIRST}{passes}>Ann: CEELMOR (CEELMOR) +-11 63\n>Ben: AEGINOT (AEGINOT) + -8 -8\n");
        scores(&both, [63, -8], &told);
        // As Quackle writes it: the one who passed last.
        let blank = format!("{FIRST}{passes}>Ann: ? (?) +0 74\n");
        let game = read(&blank, &GameRules::english()).unwrap();
        assert_eq!(game.replay.positions.last().map(|end| end.scores().0), Some([74, 0]));
        let one = format!("{FIRST}{passes}>Ann: CEELMOR (CEELMOR) +-11 63\n");
        let game = read(&one, &GameRules::english()).unwrap();
        let end = game.replay.positions.last().unwrap();
        assert_eq!(end.scores().0, [63, 0]);
        let again = read(&crate::formats::gcg::print(&game.game), &GameRules::english()).unwrap();
        assert_eq!(again.replay.positions.last(), Some(end));
    }

    #[test]
    fn the_rack_of_an_unfinished_game_is_that_of_the_player_on_turn() {
        let text = format!("#player1 Ann\n#player2 Ben\n{FIRST}>Ben: AEGINOT -GI +0 0\n#incomplete ADEILNS\n");
        let read = scores(&text, [74, 0], &[]);
        let end = read.replay.positions.last().unwrap();
        assert_eq!(end.mover_rack().text(&end.rules().distribution), "ADEILNS");
        let text = text.replace("#incomplete ADEILNS", "#rack1 ADEILNSS");
        let read = scores(&text, [74, 0], &["5: column 8: 8 tiles, a rack holds 7: the line is ignored"]);
        assert!(read.replay.positions.last().unwrap().mover_rack().is_empty());
    }

    #[test]
    fn tiles_of_several_letters_may_be_written_small() {
        let spanish = LetterDistribution::built_in("spanish").unwrap();
        let rules = GameRules::english().to_builder().distribution(std::sync::Arc::new(spanish)).build().unwrap();
        let text = ">Ana: AEIRSSU H8 SAUSIER +66 66\n>Beto: AADLRSch 12G ch.RLAD +22 22\n>Ana: AEOSTTL - +0 66\n";
        let game = read(text, &rules).unwrap();
        let [FileNote { line: Some(2), text }] = game.notes.as_slice() else { panic!("{:?}", game.notes) };
        assert_eq!(text, "tiles of several letters are in small letters from here on");
        assert!(crate::formats::gcg::print(&game.game).contains(" 12G [CH].RLAD +22 22"));
        // A blank that stands for L next to an L is read as written, since then nothing is wrong.
        let text = ">Ana: AEILRS? 8D ALlER +10 10\n";
        assert!(read(text, &rules).unwrap().notes.is_empty());
    }

    #[test]
    fn turns_and_withdrawals_that_do_not_fit_cut_nothing_off() {
        let twice = format!("#player1 Ann\n#player2 Ben\n{FIRST}>Ann: CEELMOR 7G OE +8 82\n>Ben: AEGINOT - +0 0\n");
        let read = scores(&twice, [82, 0], &["4: a turn of Ann, but Ben is to move: a pass is inserted"]);
        assert_eq!(read.replay.turns.len(), 4);
        let withdrawn = format!("{FIRST}>Ben: AEGINOT -GI +0 0\n>Ben: AEGINOT -- -8 0\n>Ann: CEELMOR 7G OE +8 82\n");
        scores(&withdrawn, [82, 0], &["3: a withdrawal does not follow a play of the same player: it is ignored"]);
        let of_the_other =
            format!("#player1 Ann\n#player2 Ben\n{FIRST}>Ben: AEGINOT -- -8 0\n>Ben: AEGINOT 8H ON +4 4\n>Ann: ABEIRST - +0 0\n");
        let taken = "4: a withdrawal does not follow a play of the same player: it is read as that of the play before it";
        scores(&of_the_other, [0, 4], &[taken]);
        // A record with the turns of only one player.
        let alone = format!("#player1 Ann\n#player2 Ben\n{FIRST}{}", ">Ann: CEELMOR - +0 74\n".repeat(5));
        assert_eq!(super::read(&alone, &GameRules::english()).unwrap().replay.turns.len(), 7);
        // An unreadable part does not hide the position before it.
        let cut = super::read(&format!("{FIRST}>Ben: AEGINOT 8\n"), &GameRules::english()).unwrap();
        assert_eq!(cut.up_to(Some(2), &GameRules::english()).unwrap().positions.len(), 2);
        assert!(cut.up_to(Some(3), &GameRules::english()).unwrap_err().to_string().starts_with("line 2, column "));
    }

    #[test]
    fn a_withdrawn_play_of_tiles_that_the_player_cannot_have_shows_none() {
        // There is one Q, and Ann plays it.
        let text = format!("{FIRST}>Ben: AEGINOT I7 Q.T +12 12\n>Ben: AEGINOT -- -12 0\n>Ann: AIMNOQS 7C QI +11 85\n");
        let read = read(&text, &GameRules::english()).unwrap();
        let notes: Vec<&str> = read.notes.iter().map(|note| note.text.as_str()).collect();
        assert!(notes.iter().any(|note| note.ends_with("the tiles of a withdrawn play are treated as unknown")), "{notes:?}");
        assert!(read.unread.is_none() && read.replay.turns.len() == 3, "{notes:?}");
    }

    #[test]
    fn nicks_in_another_case_and_names_are_the_players() {
        let text = "#player1 ann Ann Arbor\n#player2 ben Ben\n>Ann Arbor: ABEIRST 8D BAITERS +74 74\n>BEN: AEGINOT -GI +0 0\n";
        scores(text, [74, 0], &[]);
    }

    proptest! {
        #[test]
        fn damaged_games_never_panic(edits in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select("AZa09 >#:-+().?\n".chars().collect::<Vec<_>>())), 1..8)) {
            let mut chars: Vec<char> = GAME.chars().collect();
            for (place, c) in edits {
                let at = place.index(chars.len());
                chars[at] = c;
            }
            let Ok(game) = read(&chars.iter().collect::<String>(), &GameRules::english()) else { return Ok(()) };
            // The written game is the same, though not every rack is known again.
            let text = crate::formats::gcg::print(&game.game);
            let again = read(&text, &GameRules::english()).unwrap();
            let [before, after] = [&game, &again].map(|game| {
                let end = game.replay.positions.last().unwrap();
                (end.board().clone(), end.scores())
            });
            prop_assert!(before == after, "{text}");
        }
    }
}
