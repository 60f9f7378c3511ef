//! Win % tables as CSV: how likely the player on turn wins, by the tiles he does not see and his lead.
//!
//! The first line is `unseen` and the leads in points, each one more than the one before; every other line a number of tiles
//! unseen and a probability (0 to 1) for each lead. Lines that begin with `#` are skipped.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::evaluation::win_model::{WinTable, WinTableError};
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
    let leads = numbers::<i32>(leads, line, 2)?;
    let first = *leads.first().ok_or_else(bad_header)?;
    if leads.iter().zip(first..).any(|(&lead, expected)| lead != expected) {
        return Err(bad_header());
    }
    let mut rows = Vec::new();
    for (line, content) in lines {
        let (unseen, values) = content.split_once(',').unwrap_or((content, ""));
        let unseen = unseen.trim().parse().map_err(|_| WinTableTextError::BadNumber { line, field: 1, found: unseen.to_string() })?;
        rows.push((unseen, numbers::<f32>(values, line, 2)?));
    }
    Ok(WinTable::new(first, rows)?)
}

fn numbers<T: FromStr>(text: &str, line: usize, first_field: usize) -> Result<Vec<T>, WinTableTextError> {
    let number = |(at, found): (usize, &str)| {
        found.trim().parse().map_err(|_| WinTableTextError::BadNumber { line, field: at + first_field, found: found.to_string() })
    };
    text.split(',').enumerate().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::WinModel;

    #[test]
    fn a_table_is_read() {
        let model = WinModel::table("t", parse("# trained\nunseen,-1,0,1\n7,0.25,0.5,0.75\n14,0.4,0.5,0.6\n").unwrap());
        assert_eq!([model.win(-1.0, 7), model.win(1.0, 5), model.win(0.0, 99)], [0.25, 0.75, 0.5]);
    }

    #[test]
    fn errors_name_the_place() {
        let message = |text| parse(text).unwrap_err().to_string();
        assert_eq!(message(""), "the table is empty");
        assert_eq!(message("spread,1\n"), "line 1: expected `unseen,<lead>,<lead + 1>,...`, found \"spread,1\"");
        assert_eq!(message("unseen,1,3\n"), "line 1: expected `unseen,<lead>,<lead + 1>,...`, found \"unseen,1,3\"");
        assert_eq!(message("unseen,0,1\n7,0.5,x\n"), "line 2, field 3: \"x\" is not a number");
        assert_eq!(message("unseen,0,1\n7,0.5\n8,1,1\n"), "8 tiles unseen: 2 columns, expected 1");
        assert_eq!(message("unseen,0,1\n7,0.5,0.4\n"), "7 tiles unseen, spread 1: 0.4 is no probability, or less than the one before");
    }
}
