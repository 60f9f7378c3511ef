//! Lists of positions: one CGP per line, with an optional play after `moves`.
//! The lines have the form of `position cgp` in the protocol. A rack alone stands for the
//! empty board with this rack. Lines that begin with `#` are skipped.
//!
//! ```text
//! 15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0
//! 15/15/15/15/15/15/15/3VICAR7/15/15/15/15/15/15/15 AEINRST/ 0/28 0 moves 9C.STAINER
//! QUIZ?
//! ```
//!
//! Not here: games (`formats/gcg`). Start with [`read`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::analysis::report::TurnReport;
use crate::formats::cgp;
use crate::formats::gcg::FileNote;
use crate::rules::notation::parse_move;
use crate::rules::{GameRules, Position, Rack, Seat, Turn};
use std::sync::Arc;

/// A position, and the play made there.
#[derive(Clone, Debug)]
pub struct ListedPosition {
    /// The line, from 1.
    pub line: usize,
    /// The position.
    pub position: Position,
    /// The play made, if the line has one.
    pub made: Option<Turn>,
}

/// The positions of a list, and what is wrong with the others.
#[derive(Clone, Debug, Default)]
pub struct PositionList {
    /// The positions that could be read.
    pub positions: Vec<ListedPosition>,
    /// The errors of the other lines.
    pub notes: Vec<FileNote>,
}

/// Whether a text is a list of positions and not a game, judged by its first line that is not a remark. A first line with a rack alone must
/// be in capitals.
pub fn is_list(text: &str) -> bool {
    let Some((_, first)) = lines(text).next() else { return false };
    let is_board = |word: &str| word.matches('/').count() > 5;
    let is_rack = |line: &str| line.chars().count() <= MOST_OF_A_RACK && line.chars().all(|c| c.is_uppercase() || "?[]".contains(c));
    !first.starts_with('>') && first.split_whitespace().next().is_some_and(is_board) || is_rack(cut(first).0)
}

/// The most characters of a rack, whose tiles of several characters are in brackets.
const MOST_OF_A_RACK: usize = 40;

/// The position of a line, and the play after it.
fn cut(line: &str) -> (&str, Option<&str>) {
    line.split_once(" moves ").map_or((line, None), |(text, made)| (text.trim(), Some(made.trim())))
}

/// A turn of a report as a line of a list: the position as its player saw it, and the play made there, if there was one.
pub fn line_of(turn: &TurnReport, made: Option<&Turn>) -> String {
    let phony = if matches!(made, Some(Turn::Phony(_))) { "phony." } else { "" };
    if turn.play.is_empty() { turn.cgp.clone() } else { line(&turn.cgp, &format!("{phony}{}", turn.play)) }
}

/// A line of a list: a position, and a play that was or can be made there.
pub fn line(cgp: &str, play: &str) -> String {
    format!("{cgp} moves {play}")
}

/// Reads a list.
pub fn read(text: &str, rules: &GameRules) -> PositionList {
    let mut list = PositionList::default();
    for (line, text) in lines(text) {
        match position(text, rules) {
            Ok((position, made)) => list.positions.push(ListedPosition { line, position, made }),
            Err(error) => list.notes.push(FileNote { line: Some(line), text: format!("{error}: the position is left out") }),
        }
    }
    list
}

fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

fn position(text: &str, rules: &GameRules) -> Result<(Position, Option<Turn>), String> {
    let (text, made) = cut(text);
    let position = if text.contains('/') {
        cgp::parse(text, rules).map_err(|error| error.to_string())?.position
    } else {
        opening(text, rules).map_err(|error| format!("{text:?}: {error}"))?
    };
    let made = made.map(|made| parse_move(made, &position).map_err(|error| format!("{made:?}: {error}"))).transpose()?;
    Ok((position, made.map(|made| made.turn)))
}

/// The empty board with a rack.
fn opening(rack: &str, rules: &GameRules) -> Result<Position, String> {
    let rack = Rack::parse(rack, &rules.distribution).map_err(|error| error.to_string())?;
    let mut position = Position::start(Arc::new(rules.clone()));
    position.set_rack(Seat::First, &rack).map_err(|error| error.to_string())?;
    Ok(position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::GameRules;

    const LIST: &str = "\
# two positions
15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0

15/15/15/15/15/15/15/3VICAR7/15/15/15/15/15/15/15 AEINRST/ 0/28 0 moves H8.RETAINS
15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINR1T/ 0/0 0
15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0 moves 8D.
";

    #[test]
    fn positions_are_read_with_their_plays_and_faults_are_told() {
        assert!(is_list(LIST) && !is_list(">Ann: ABC - +0 0\n") && !is_list("#player1 a\n>Ann: ABC - +0 0") && !is_list("hello"));
        let list = read(LIST, &GameRules::english());
        assert_eq!(list.positions.iter().map(|listed| (listed.line, listed.made.is_some())).collect::<Vec<_>>(), [(2, false), (4, true)]);
        assert_eq!(list.notes.iter().map(|note| note.line).collect::<Vec<_>>(), [Some(5), Some(6)]);
        let rack = |text: &str| Rack::parse(text, &GameRules::english().distribution).unwrap();
        let racks = read("AEINRST\n# a blank\nquiz? moves 8G.QUIZ\nAEINRSTU\nZZ\nA1\n", &GameRules::english());
        assert_eq!(
            racks.positions.iter().map(|listed| *listed.position.mover_rack()).collect::<Vec<_>>(),
            [rack("AEINRST"), rack("QUIZ?")]
        );
        assert!(racks.positions.iter().all(|listed| listed.position.board().is_empty()) && racks.positions[1].made.is_some());
        let notes: Vec<String> = racks.notes.iter().map(FileNote::to_string).collect();
        assert_eq!(
            notes,
            [
                "line 4: \"AEINRSTU\": 8 tiles, a rack holds 7: the position is left out",
                "line 5: \"ZZ\": this rack has more Z than are left: the rest is on the board or the other rack: the position is left out",
                "line 6: \"A1\": column 2: \"1\" is not a tile of the english alphabet: the position is left out",
            ]
        );
        assert!(is_list("AEINRST") && is_list("# racks\nQUIZ? moves 8G.QUIZ") && !is_list("Aeinrst") && !is_list(""));
        assert!(list.notes.iter().all(|note| note.text.ends_with(": the position is left out")), "{:?}", list.notes);
    }
}
