//! Terms for the end of the bag as CSV.
//!
//! The first line is `left,worth,leave`. Every other line is a row of three numbers:
//! - the tiles that a play leaves in the bag, one more than in the row before; below 0 the rack lacks that many tiles;
//! - what that is worth, in points;
//! - how much of the leave's value counts, 1 being all of it, at most 2.
//!
//! The last two have at most three decimals. Lines that begin with `#` are skipped. Not here: how the terms are used
//! (`evaluation/leaves.rs`). Start with [`parse`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::evaluation::leaves::{BagRow, BagTerms, MOST_SHARE, WHOLE_SHARE};
use crate::formats::csv_rows::{self, CsvRow};
use crate::rules::units::Millipoints;
use thiserror::Error;

/// The built-in terms.
const BUILTIN: &str = include_str!("../../lexicons/enable.bag.csv");

/// The terms for Crossplay.
const CROSSPLAY: &str = include_str!("../../lexicons/crossplay.bag.csv");

const HEADER: &str = "left,worth,leave";

/// The most points of a row.
const MOST_POINTS: f64 = 1000.0;

/// Why a text is not a table of terms.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum BagTermsError {
    /// A malformed line.
    #[error("line {line}: expected {expected}, found {found:?}")]
    BadLine {
        /// 1-based line.
        line: usize,
        /// What was expected there.
        expected: String,
        /// The beginning of the line.
        found: String,
    },
    /// No row for a play that empties the bag.
    #[error("there is no row for 0 tiles left")]
    NoRows,
}

/// Returns the built-in terms, from self-play with the built-in words: `lexicons/README.md` explains how they were made.
#[allow(clippy::expect_used, reason = "a part of the program, not an input; a test reads it")]
pub fn builtin() -> BagTerms {
    parse(BUILTIN).expect("the built-in terms are well-formed")
}

/// Returns the built-in terms for Crossplay, which ends in another way.
#[allow(clippy::expect_used, reason = "a part of the program, not an input; a test reads it")]
pub fn crossplay() -> BagTerms {
    parse(CROSSPLAY).expect("the built-in terms are well-formed")
}

/// Reads terms.
///
/// # Errors
/// The line that cannot be read.
pub fn parse(text: &str) -> Result<BagTerms, BagTermsError> {
    let bad =
        |row: &CsvRow, expected: &str| BagTermsError::BadLine { line: row.line, expected: expected.to_string(), found: row.shortened() };
    let mut rows = csv_rows::rows(text);
    let header = rows.next().ok_or(BagTermsError::NoRows)?;
    if header.text() != HEADER {
        return Err(bad(&header, HEADER));
    }
    let mut terms: Vec<(i32, BagRow)> = Vec::new();
    for row in rows {
        let read = bag_row(&row).ok_or_else(|| bad(&row, "tiles left, points (-1000 to 1000), share of the leave (-2 to 2)"))?;
        if let Some(next) = terms.last().map(|(left, _)| left + 1).filter(|&next| next != read.0) {
            return Err(bad(&row, &format!("the row for {next} tiles left")));
        }
        terms.push(read);
    }
    let first = terms.first().map_or(0, |(left, _)| *left);
    BagTerms::new(first, terms.into_iter().map(|(_, row)| row).collect()).ok_or(BagTermsError::NoRows)
}

/// Reads a row: the tiles left, and their terms.
fn bag_row(row: &CsvRow) -> Option<(i32, BagRow)> {
    let mut fields = row.fields().map(|field| field.text);
    let (left, worth, leave) = (fields.next()?, fields.next()?, fields.next()?);
    let number = |text: &str, most: f64| text.parse().ok().filter(|number: &f64| number.abs() <= most);
    let whole = f64::from(WHOLE_SHARE);
    let left = left.parse().ok().filter(|left| (-100..=100).contains(left))?;
    let (worth, leave) = (number(worth, MOST_POINTS)?, number(leave, f64::from(MOST_SHARE) / whole)?);
    let row = BagRow { worth: Millipoints::rounded(worth), leave_share: (leave * whole).round() as i32 };
    fields.next().is_none().then_some((left, row))
}

/// Prints terms below these comments.
pub fn print(terms: &BagTerms, comments: &[String]) -> String {
    let comments = comments.iter().map(|comment| format!("# {comment}\n"));
    let share = |thousandths: i32| f64::from(thousandths) / f64::from(WHOLE_SHARE);
    let rows = terms.rows().map(|(left, row)| format!("{left},{},{}\n", row.worth.points(), share(row.leave_share)));
    comments.chain([format!("{HEADER}\n")]).chain(rows).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, expected: &str) {
        let told = parse(text).map_or_else(|error| error.to_string(), |terms| print(&terms, &["c".to_string()]));
        assert_eq!(told, expected, "{text}");
    }

    #[test]
    fn terms_are_read_and_errors_name_the_line() {
        check("# made so\nleft,worth,leave\n-1,-2.5,0.45\n0, 1, 1\n", "# c\nleft,worth,leave\n-1,-2.5,0.45\n0,1,1\n");
        check("", "there is no row for 0 tiles left");
        check("left,worth,leave\n-2,1,1\n", "there is no row for 0 tiles left");
        check("0,1,1\n", "line 1: expected left,worth,leave, found \"0,1,1\"");
        check(
            "left,worth,leave\n0,1\n",
            "line 2: expected tiles left, points (-1000 to 1000), share of the leave (-2 to 2), found \"0,1\"",
        );
        check(
            "left,worth,leave\n0,1,1,1\n",
            "line 2: expected tiles left, points (-1000 to 1000), share of the leave (-2 to 2), found \"0,1,1,1\"",
        );
        check(
            "left,worth,leave\n0,NaN,1\n",
            "line 2: expected tiles left, points (-1000 to 1000), share of the leave (-2 to 2), found \"0,NaN,1\"",
        );
        for impossible in ["0,1e30,1", "0,-1001,1", "0,inf,1", "0,1,1000", "0,1,-2.1", "0,1,inf", "101,1,1"] {
            let expected = "tiles left, points (-1000 to 1000), share of the leave (-2 to 2)";
            check(&format!("left,worth,leave\n{impossible}\n"), &format!("line 2: expected {expected}, found {impossible:?}"));
        }
        check("left,worth,leave\n0,1,1\n2,1,1\n", "line 3: expected the row for 1 tiles left, found \"2,1,1\"");
    }

    /// Ten points.
    const LEAVE: Millipoints = Millipoints::from_points(10);

    #[test]
    fn the_built_in_terms_are_those_of_the_bags_end() {
        let terms = builtin();
        let value = |left| terms.value(left, Millipoints::ZERO);
        assert!(value(0) < value(1) - Millipoints::from_points(3), "{} for the first turn of the endgame", value(1) - value(0));
        assert!(terms.value(-1, LEAVE) - value(-1) < terms.value(terms.last(), LEAVE) - value(terms.last()), "leaves fade");
    }

    #[test]
    fn in_crossplay_the_player_who_empties_the_bag_has_the_last_word() {
        let value = |left| crossplay().value(left, Millipoints::ZERO);
        assert!(value(0) > value(1) + Millipoints::from_points(10), "{} and {}", value(0), value(1));
    }

    #[test]
    fn the_largest_terms_have_room() {
        let most = BagTerms::new(0, vec![BagRow { worth: Millipoints::from_points(1000), leave_share: MOST_SHARE }]).unwrap();
        assert_eq!(most.value(0, Millipoints::from_points(1000)), Millipoints::from_points(3000));
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_back(
            first in -6..=0i32,
            rows in prop::collection::vec((-90_000..90_000i32, -2000..2000i32), 7..20),
        ) {
            let rows = rows.into_iter().map(|(worth, leave_share)| BagRow { worth: Millipoints(worth), leave_share }).collect();
            let terms = BagTerms::new(first, rows).unwrap();
            prop_assert_eq!(parse(&print(&terms, &["a comment".to_string()])), Ok(terms));
        }
    }
}
