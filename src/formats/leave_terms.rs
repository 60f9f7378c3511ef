//! Reads leave terms from CSV: the terms that turn the built-in leave values into those of another game.
//!
//! The first line is `tiles,1,2,3,4,5,6`. Every other line is a term, with its points in leaves of one to six tiles:
//! - `AA,,0.15,0.33,0.24,0.15,0.08` is for leaves with two tiles A or more. The first cell is empty, since a leave of one tile has only one.
//! - A line that names no tile is for every leave.
//!
//! Lines that begin with `#` are skipped.
//!
//! Not here: how the terms are added (`evaluation/leave_table.rs`). Start with [`crossplay`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::evaluation::leave_table::{LeaveTerms, MAX_LEAVE};
use crate::formats::csv_rows::{self, CsvRow};
use crate::rules::units::Millipoints;
use crate::rules::{LetterDistribution, Tile};

/// Fitted by `scripts/leave_terms`: `lexicons/README.md` explains how.
const CROSSPLAY: &str = include_str!("../../lexicons/crossplay.leaves.csv");

/// Returns the terms for Crossplay, by its letters.
#[allow(clippy::expect_used, reason = "a part of the program, not an input; a test reads it")]
pub fn crossplay(distribution: &LetterDistribution) -> LeaveTerms {
    parse(CROSSPLAY, distribution).expect("the built-in terms are well-formed")
}

/// Reads terms. Returns `None` if a line is malformed.
fn parse(text: &str, distribution: &LetterDistribution) -> Option<LeaveTerms> {
    let mut rows = csv_rows::rows(text);
    rows.next().filter(|header| header.text() == "tiles,1,2,3,4,5,6")?;
    let mut terms = LeaveTerms { every: [Millipoints::ZERO; MAX_LEAVE], copies: vec![Vec::new(); distribution.letter_count() + 1] };
    for row in rows {
        let (tiles, by_size) = term(&row, distribution)?;
        match tiles.first() {
            None => terms.every = by_size,
            Some(first) if tiles.iter().all(|tile| tile == first) => {
                let copies = terms.copies.get_mut(first.index()).filter(|copies| copies.len() + 1 == tiles.len())?;
                copies.push(by_size);
            }
            Some(_) => return None,
        }
    }
    Some(terms)
}

/// Reads the tiles of a row, and its cells.
fn term(row: &CsvRow, distribution: &LetterDistribution) -> Option<(Vec<Tile>, [Millipoints; MAX_LEAVE])> {
    let mut fields = row.fields().map(|field| field.text);
    let tiles = distribution.parse_tiles(fields.next()?).ok()?;
    let mut by_size = [Millipoints::ZERO; MAX_LEAVE];
    for (size, cell) in (1..).zip(&mut by_size) {
        let text = fields.next()?;
        if size >= tiles.len() {
            *cell = Millipoints::rounded(text.parse().ok().filter(|points: &f64| points.abs() < 100.0)?);
        } else if !text.is_empty() {
            return None;
        }
    }
    fields.next().is_none().then_some((tiles, by_size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_read_or_refused() {
        let letters = LetterDistribution::english();
        let read = |rows: &str| parse(&format!("# c\ntiles,1,2,3,4,5,6\n{rows}"), &letters);
        let terms = read(",1,1,1,1,1,1\nA,0.5,0,0,0,0,-0.25\nAA,,2,2,2,2,2\n").unwrap();
        assert_eq!(terms.every, [Millipoints::from_points(1); 6]);
        let first = [500, 0, 0, 0, 0, -250].map(Millipoints);
        assert_eq!(terms.copies[1], [first, [0, 2000, 2000, 2000, 2000, 2000].map(Millipoints)]);
        for wrong in [
            "A,1,1,1,1,1\n",
            "A,1,1,1,1,1,1,1\n",
            "AA,,1,1,1,1,1\n",
            "AB,,1,1,1,1,1\n",
            "A,1,1,1,1,1,x\n",
            "1,1,1,1,1,1,1\n",
            "A,,1,1,1,1,1\n",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
        assert_eq!(parse("", &letters), None);
    }

    #[test]
    fn in_crossplay_a_blank_is_worth_less_than_in_the_classic_game() {
        let letters = LetterDistribution::built_in("english_crossplay").unwrap();
        let terms = crossplay(&letters);
        assert!(letters.tiles().all(|tile| terms.copies[tile.index()].len() == usize::from(letters.count(tile).min(3))));
        assert!(terms.copies[0][0].iter().all(|worth| *worth < Millipoints::from_points(-2)), "there are three of them");
    }
}
