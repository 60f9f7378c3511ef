//! Win % tables as CSV: how likely the player on turn wins, by the tiles left and his lead.
//!
//! The first line is `unseen` and the leads in points, each one more than the one before. Every other line is a row: what it is
//! for and a probability (0 to 1) for each lead. A number stands for so many tiles that the player on turn does not see; two
//! numbers, as in `7/5`, for the sizes of his and the other rack when the bag is empty. Rows by tiles unseen alone are a table
//! too. Lines that begin with `#` are skipped. Printing a table and parsing it gives the table back.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::evaluation::win_model::{RowKey, WinTable, WinTableError};
use std::fmt::Write;
use std::str::FromStr;
use thiserror::Error;

/// Why a text is no win % table.
#[derive(Debug, Error, PartialEq)]
pub enum WinTableTextError {
    /// Not the first line that is wanted.
    #[error("line {line}: expected `unseen,<lead>,<lead + 1>,...`, found {found:?}")]
    Header {
        /// 1-based line.
        line: usize,
        /// How it begins.
        found: String,
    },
    /// A field that is no number.
    #[error("line {line}, field {field}: {found:?} is not a number")]
    BadNumber {
        /// 1-based line.
        line: usize,
        /// 1-based field.
        field: usize,
        /// The field.
        found: String,
    },
    /// A first field that says not what the row is for.
    #[error("line {line}: a row is for tiles unseen, as in 30, or for two racks, as in 7/5, not for {found:?}")]
    BadRow {
        /// 1-based line.
        line: usize,
        /// The field.
        found: String,
    },
    /// Numbers that are no table.
    #[error(transparent)]
    Table(#[from] WinTableError),
}

/// Reads a table.
///
/// # Errors
/// The line and field that cannot be read, or why the numbers are no probabilities.
pub fn parse(text: &str) -> Result<WinTable, WinTableTextError> {
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line))
        .filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty());
    let (line, header) = lines.next().ok_or(WinTableError::Empty)?;
    let bad_header = || WinTableTextError::Header { line, found: header.chars().take(40).collect() };
    let leads = header.strip_prefix("unseen,").ok_or_else(bad_header)?;
    let leads = numbers::<i32>(leads, line)?;
    let first = *leads.first().ok_or_else(bad_header)?;
    if leads.iter().zip(first..).any(|(&lead, expected)| lead != expected) {
        return Err(bad_header());
    }
    let mut rows = Vec::new();
    for (line, content) in lines {
        let (key, values) = content.split_once(',').unwrap_or((content, ""));
        let key = parse_key(key.trim()).ok_or_else(|| WinTableTextError::BadRow { line, found: key.chars().take(40).collect() })?;
        rows.push((key, numbers::<f32>(values, line)?));
    }
    Ok(WinTable::new(first, rows)?)
}

fn parse_key(text: &str) -> Option<RowKey> {
    match text.split_once('/') {
        Some((own, other)) => Some(RowKey::EmptyBag { own_rack: own.parse().ok()?, other_rack: other.parse().ok()? }),
        None => text.parse().ok().map(RowKey::Unseen),
    }
}

/// The fields of a line behind its first one.
fn numbers<T: FromStr>(text: &str, line: usize) -> Result<Vec<T>, WinTableTextError> {
    let number = |(at, found): (usize, &str)| {
        found.trim().parse().map_err(|_| WinTableTextError::BadNumber { line, field: at + 2, found: found.to_string() })
    };
    text.split(',').enumerate().map(number).collect()
}

/// A table as text, below these lines of comment.
pub fn print(table: &WinTable, comments: &[String]) -> String {
    let mut text: String = comments.iter().map(|comment| format!("# {comment}\n")).collect();
    text.push_str("unseen");
    let leads = (table.first_lead()..).take(table.columns());
    leads.for_each(|lead| push(&mut text, format_args!(",{lead}")));
    for (row, cells) in table.rows() {
        match row {
            RowKey::Unseen(unseen) => push(&mut text, format_args!("\n{unseen}")),
            RowKey::EmptyBag { own_rack, other_rack } => push(&mut text, format_args!("\n{own_rack}/{other_rack}")),
        }
        cells.iter().for_each(|cell| push(&mut text, format_args!(",{cell}")));
    }
    text.push('\n');
    text
}

fn push(text: &mut String, piece: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = text.write_fmt(piece);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::WinModel;
    use crate::evaluation::win_model::TilesLeft;
    use proptest::prelude::*;

    #[test]
    fn a_table_is_read() {
        let text = "# trained\nunseen,-1,0,1\n8,0.25,0.5,0.75\n14,0.4,0.5,0.6\n7/5,0,0.9,1\n";
        let model = WinModel::table("t", parse(text).unwrap());
        let win = |lead, in_bag, own_rack, other_rack| model.win(lead, TilesLeft { in_bag, own_rack, other_rack });
        let wins = [win(-1.0, 1, 7, 7), win(1.0, 1, 7, 7), win(0.0, 92, 7, 7), win(-1.0, 0, 7, 5), win(1.0, 0, 5, 7)];
        assert_eq!(wins, [0.25, 0.75, 0.5, 0.0, 0.75]);
    }

    #[test]
    fn errors_name_the_place() {
        let message = |text| parse(text).unwrap_err().to_string();
        assert_eq!(message(""), "the table is empty");
        assert_eq!(message("spread,1\n"), "line 1: expected `unseen,<lead>,<lead + 1>,...`, found \"spread,1\"");
        assert_eq!(message("unseen,1,3\n"), "line 1: expected `unseen,<lead>,<lead + 1>,...`, found \"unseen,1,3\"");
        assert_eq!(message("unseen,0,1\n7,0.5,x\n"), "line 2, field 3: \"x\" is not a number");
        assert_eq!(
            message("unseen,0\n7/,0.5\n"),
            "line 2: a row is for tiles unseen, as in 30, or for two racks, as in 7/5, not for \"7/\""
        );
        assert_eq!(message("unseen,0,1\n7,0.5\n8,1,1\n"), "8 tiles unseen: 2 columns, expected 1");
        assert_eq!(message("unseen,0,1\n7/5,0.5,0.4\n"), "racks of 7 and 5, lead 1: 0.4 is no probability, or less than the one before");
        assert_eq!(message("unseen,0\n7,0.5\n7,0.5\n"), "7 tiles unseen: a second row for the same, or more than 1000 tiles");
    }

    #[test]
    fn a_table_is_printed() {
        let text = "# one\n# two\nunseen,-1,0\n8,0.00001,0.5\n2/7,0.25,1\n";
        assert_eq!(print(&parse(text).unwrap(), &["one".to_string(), "two".to_string()]), text);
    }

    fn any_key() -> impl Strategy<Value = RowKey> {
        let racks = (1..=7usize, 1..=7usize).prop_map(|(own_rack, other_rack)| RowKey::EmptyBag { own_rack, other_rack });
        prop_oneof![(0..=93usize).prop_map(RowKey::Unseen), racks]
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_back(
            first in -500..500i32,
            rows in prop::collection::btree_map(any_key(), prop::collection::vec(0.0..=1.0f32, 5), 1..20),
        ) {
            let sorted = |mut cells: Vec<f32>| { cells.sort_by(f32::total_cmp); cells };
            let table = WinTable::new(first, rows.into_iter().map(|(key, cells)| (key, sorted(cells))).collect()).unwrap();
            prop_assert_eq!(parse(&print(&table, &["a comment".to_string()])), Ok(table));
        }
    }
}
