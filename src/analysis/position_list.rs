//! Lists of positions: a CGP a line, with an optional play after `moves`.
//! The lines have the form that `position cgp` of the protocol takes. Lines that begin with `#` are
//! skipped.
//!
//! ```text
//! 15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0
//! 15/15/15/15/15/15/15/3VICAR7/15/15/15/15/15/15/15 AEINRST/ 0/28 0 moves 9C.STAINER
//! ```
//!
//! Not here: games (`formats/gcg`). Start with [`read`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::formats::cgp;
use crate::formats::gcg::FileNote;
use crate::rules::notation::parse_move;
use crate::rules::{GameRules, Position, Turn};

/// A position, and what was done there.
#[derive(Clone, Debug)]
pub struct ListedPosition {
    /// The line, from 1.
    pub line: usize,
    /// The position.
    pub position: Position,
    /// What was done, if it is said.
    pub made: Option<Turn>,
}

/// The positions of a list, and what is wrong with the others.
#[derive(Clone, Debug, Default)]
pub struct PositionList {
    /// Those that can be read.
    pub positions: Vec<ListedPosition>,
    /// What is wrong with the lines that cannot.
    pub notes: Vec<FileNote>,
}

/// Whether a text is a list of positions, and no game: by its first line that is no remark.
pub fn is_list(text: &str) -> bool {
    let first = lines(text).map(|(_, line)| line).next();
    first.is_some_and(|line| !line.starts_with('>') && line.split_whitespace().next().is_some_and(|board| board.matches('/').count() > 5))
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
    let (text, made) = text.split_once(" moves ").map_or((text, None), |(text, made)| (text, Some(made.trim())));
    let position = cgp::parse(text, rules).map_err(|error| error.to_string())?.position;
    let made = made.map(|made| parse_move(made, &position).map_err(|error| format!("{made:?}: {error}"))).transpose()?;
    Ok((position, made.map(|made| made.turn)))
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
        assert!(list.notes.iter().all(|note| note.text.ends_with(": the position is left out")), "{:?}", list.notes);
    }
}
