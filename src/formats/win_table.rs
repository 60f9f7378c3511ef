//! Win % tables as CSV: the winning chance of the player on turn, by tiles left and lead.
//!
//! The first line is `unseen` and the leads in points, each one more than the one before. Every other line is a row: first what
//! it is for, then a probability (0 to 1) for each lead. A row is for a number of tiles that the player on turn does not see, as
//! in `30`, or, with an empty bag, for the sizes of their own and the other rack, as in `7/5`. Rows of the second kind may be
//! missing. Lines that begin with `#` are skipped. Printing a table and parsing it gives the table back.
//!
//! Not here: how a table is used (`evaluation/win_model.rs`). Start with [`parse`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::evaluation::win_model::{RowKey, WinTable, WinTableError};
use crate::formats::csv_rows::{self, CsvField, CsvRow};
use std::fmt::Write;
use std::str::FromStr;
use thiserror::Error;

/// The name of the built-in table.
pub const BUILTIN_NAME: &str = "enable";

/// `lexicons/enable.win.csv` as words of four bytes, made by `lexicons/build.rs`: the first lead, the number of columns,
/// and for each row the own rack (0 for a row by tiles unseen), the other rack or the tiles unseen, and the probabilities as `f32`.
///
/// PERF: reading the CSV instead takes 3 ms longer at every start of the program, which is ready in 5 ms.
const BUILTIN: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/enable.win"));

/// The same for `lexicons/crossplay.win.csv`.
const CROSSPLAY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/crossplay.win"));

/// Why a text is not a win % table.
#[derive(Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum WinTableTextError {
    /// A wrong first line.
    #[error("line {line}: expected `unseen,<lead>,<lead + 1>,...`, found {found:?}")]
    Header {
        /// 1-based line.
        line: usize,
        /// The beginning of the line.
        found: String,
    },
    /// A field that is not a number.
    #[error("line {line}, field {field}: {found:?} is not a number")]
    BadNumber {
        /// 1-based line.
        line: usize,
        /// 1-based field.
        field: usize,
        /// The field.
        found: String,
    },
    /// A first field that does not state what the row is for.
    #[error("line {line}: a row is for tiles unseen, as in 30, or for two racks, as in 7/5, not for {found:?}")]
    BadRow {
        /// 1-based line.
        line: usize,
        /// The field.
        found: String,
    },
    /// Numbers that are not a table.
    #[error(transparent)]
    Table(#[from] WinTableError),
}

/// Returns the built-in table, from self-play with the built-in words: `lexicons/README.md` explains how it was made.
pub fn builtin() -> WinTable {
    compiled_in(BUILTIN)
}

/// Returns the built-in table for Crossplay, which ends in another way.
pub fn crossplay() -> WinTable {
    compiled_in(CROSSPLAY)
}

fn compiled_in(bytes: &[u8]) -> WinTable {
    let mut words = bytes.chunks_exact(4).map(|bytes| u32::from_le_bytes(bytes.try_into().unwrap_or_default()));
    let mut word = || words.next().unwrap_or(0);
    let (first_lead, columns) = (word() as i32, word() as usize);
    let rows = bytes.len() / 4 / (columns + 2);
    let mut row = |_| {
        let key = match (word() as usize, word() as usize) {
            (0, unseen) => RowKey::Unseen(unseen),
            (own_rack, other_rack) => RowKey::EmptyBag { own_rack, other_rack },
        };
        (key, (0..columns).map(|_| f32::from_bits(word())).collect())
    };
    trusted(WinTable::new(first_lead, (0..rows).map(&mut row).collect()))
}

#[allow(clippy::expect_used, reason = "a part of the program, not an input; a test reads it")]
fn trusted(table: Result<WinTable, WinTableError>) -> WinTable {
    table.expect("the built-in table is well-formed")
}

/// Reads a table.
///
/// # Errors
/// The line and field that cannot be read, or why the numbers are not probabilities.
pub fn parse(text: &str) -> Result<WinTable, WinTableTextError> {
    let mut rows = csv_rows::rows(text);
    let header = rows.next().ok_or(WinTableError::Empty)?;
    let bad_header = || WinTableTextError::Header { line: header.line, found: header.shortened() };
    let mut fields = header.fields();
    if fields.next().is_none_or(|first| first.text != "unseen") {
        return Err(bad_header());
    }
    let leads: Vec<i32> = fields.map(number).collect::<Result<_, _>>()?;
    let first = *leads.first().ok_or_else(bad_header)?;
    if leads.iter().zip(i64::from(first)..).any(|(&lead, expected)| i64::from(lead) != expected) {
        return Err(bad_header());
    }
    let table: Result<Vec<_>, _> = rows.map(|row| win_row(&row)).collect();
    Ok(WinTable::new(first, table?)?)
}

/// Reads the key of a row, and its probabilities.
fn win_row(row: &CsvRow) -> Result<(RowKey, Vec<f32>), WinTableTextError> {
    let mut fields = row.fields();
    let key = fields.next().map_or("", |field| field.text);
    let bad_row = || WinTableTextError::BadRow { line: row.line, found: key.chars().take(40).collect() };
    let key = row_key(key).ok_or_else(bad_row)?;
    Ok((key, fields.map(number).collect::<Result<_, _>>()?))
}

/// `30` or `7/5`.
fn row_key(text: &str) -> Option<RowKey> {
    match text.split_once('/') {
        Some((own, other)) => Some(RowKey::EmptyBag { own_rack: own.parse().ok()?, other_rack: other.parse().ok()? }),
        None => text.parse().ok().map(RowKey::Unseen),
    }
}

fn number<N: FromStr>(field: CsvField<'_>) -> Result<N, WinTableTextError> {
    let bad = |_| WinTableTextError::BadNumber { line: field.place.line, field: field.number, found: field.text.to_string() };
    field.text.parse().map_err(bad)
}

/// Prints a table below these comments.
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
        assert_eq!(
            message("unseen,0,1\n7/5,0.5,0.4\n"),
            "racks of 7 and 5, lead 1: 0.4 is not a probability, or is less than the one before"
        );
        assert_eq!(
            message("unseen,2147483647\n7,0.5\n"),
            "the first lead is 2147483647 and the number of columns is 1: leads must be from -100000 to 100000"
        );
        assert_eq!(message("unseen,0\n7,1e30\n"), "7 tiles unseen, lead 0: 1e30 is not a probability, or is less than the one before");
        assert_eq!(message("unseen,0\n7,inf\n"), "7 tiles unseen, lead 0: inf is not a probability, or is less than the one before");
        assert_eq!(message("unseen,0\n9999999/5,0.5\n"), "racks of 9999999 and 5: the row occurs twice, or is for more than 1000 tiles");
        assert_eq!(message("unseen,0\n7,0.5\n7,0.5\n"), "7 tiles unseen: the row occurs twice, or is for more than 1000 tiles");
    }

    #[test]
    fn rows_in_another_order_are_the_same_table() {
        let [one, other] = ["2,1\n1,0.5\n7/5,0.25\n", "7/5,0.25\n1,0.5\n2,1\n"].map(|rows| parse(&format!("unseen,5\n{rows}")).unwrap());
        assert_eq!(one, other);
        assert_eq!(parse(&print(&one, &[])).unwrap(), one);
        assert_eq!(one.rows().map(|(_, cells)| cells[0]).collect::<Vec<_>>(), [0.5, 1.0, 0.25]);
    }

    #[test]
    fn a_table_is_printed() {
        let text = "# one\n# two\nunseen,-1,0\n8,0.00001,0.5\n2/7,0.25,1\n";
        assert_eq!(print(&parse(text).unwrap(), &["one".to_string(), "two".to_string()]), text);
    }

    #[test]
    fn the_built_in_tables_are_those_in_the_repository() {
        assert_eq!(Ok(builtin()), parse(include_str!("../../lexicons/enable.win.csv")));
        assert_eq!(Ok(crossplay()), parse(include_str!("../../lexicons/crossplay.win.csv")));
    }

    /// Frequencies of more than 10^8 games of another engine against itself, with other words: values from its table \[MAGPIE\].
    #[test]
    fn the_built_in_table_is_near_published_frequencies_and_whole() {
        let table = builtin();
        let rows: Vec<RowKey> = table.rows().map(|(key, _)| key).collect();
        let racks = (1..=7).flat_map(|own_rack| (1..=7).map(move |other_rack| RowKey::EmptyBag { own_rack, other_rack }));
        assert_eq!(rows, (8..=93).map(RowKey::Unseen).chain(racks).collect::<Vec<_>>());
        let model = WinModel::table(BUILTIN_NAME, table);
        let published = [
            (93, [0.557, 0.741, 0.875]),
            (50, [0.618, 0.832, 0.947]),
            (30, [0.640, 0.881, 0.976]),
            (20, [0.655, 0.913, 0.987]),
            (14, [0.676, 0.933, 0.996]),
            (8, [0.730, 0.905, 0.996]),
            (7, [0.743, 0.933, 0.997]),
        ];
        for (unseen, wins) in published {
            let left = TilesLeft { in_bag: unseen - 7, own_rack: 7, other_rack: 7 };
            for (lead, win) in [0.0, 50.0, 100.0].into_iter().zip(wins) {
                let found = model.win(lead, left);
                // Other words, other leaves, and leads that include these: no more than 4 % of the games. With one tile in the
                // bag much depends on how these players value emptying it: 6 %.
                assert!(
                    (found - win).abs() < if unseen == 8 { 0.06 } else { 0.04 },
                    "{unseen} unseen, lead {lead}: {found:.3}, published {win}"
                );
            }
        }
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
