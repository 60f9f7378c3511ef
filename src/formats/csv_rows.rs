//! Reads the CSV of our data files: rows of fields with their line, column and number.
//! The crate `csv` reads them.
//!
//! Fields are divided by commas and have no quotes, since no field of ours holds a comma. Blanks around a field do not count.
//! Empty lines and lines that begin with `#` are skipped. Not here: what the fields mean. Start with [`rows`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::rules::grammar::TextPlace;
use csv::{ReaderBuilder, StringRecord, Terminator};

/// Characters of a row that a message shows.
const SHOWN_CHARACTERS: usize = 40;

/// A line with fields.
pub(super) struct CsvRow {
    /// The line, counted from 1.
    pub(super) line: usize,
    record: StringRecord,
}

/// A field of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CsvField<'a> {
    /// The field without blanks around it.
    pub(super) text: &'a str,
    /// Its number in the row, counted from 1.
    pub(super) number: usize,
    /// Where its text begins.
    pub(super) place: TextPlace,
}

impl CsvRow {
    /// The fields from left to right; there is at least one.
    pub(super) fn fields(&self) -> impl Iterator<Item = CsvField<'_>> {
        let mut column = 1;
        self.record.iter().enumerate().map(move |(index, written)| {
            let blanks = written.chars().take_while(|c| c.is_whitespace()).count();
            let place = TextPlace { line: self.line, column: column + blanks };
            column += written.chars().count() + 1;
            CsvField { text: written.trim(), number: index + 1, place }
        })
    }

    /// The whole line.
    pub(super) fn text(&self) -> String {
        self.record.iter().collect::<Vec<_>>().join(",").trim().to_string()
    }

    /// The beginning of the line, for messages.
    pub(super) fn shortened(&self) -> String {
        self.text().chars().take(SHOWN_CHARACTERS).collect()
    }
}

/// The rows of a text.
pub(super) fn rows(text: &str) -> impl Iterator<Item = CsvRow> {
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .quoting(false)
        .comment(Some(b'#'))
        // Records end at line feeds only. A `\r` before one is a blank at the end of the last field.
        .terminator(Terminator::Any(b'\n'))
        .from_reader(text.as_bytes());
    std::iter::from_fn(move || {
        loop {
            let mut record = StringRecord::new();
            // Nothing can fail: the text is in memory, is UTF-8, and rows may have any number of fields.
            if !reader.read_record(&mut record).unwrap_or(false) {
                return None;
            }
            // The crate's position of a record is that of the comments before it.
            // The reader's current position is certain: it is after the record's line
            // feed, if there is one.
            let behind = reader.position();
            let has_end = text.as_bytes().get(..behind.byte() as usize).is_some_and(|read| read.ends_with(b"\n"));
            let line = behind.line() as usize - usize::from(has_end);
            let is_empty = record.len() <= 1 && record.iter().all(|field| field.trim().is_empty());
            if !is_empty {
                return Some(CsvRow { line, record });
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn fields_know_their_places() {
        let text = "# comment\n\na,é, c\r\n  \n#\n,\nlast";
        let fields: Vec<_> = rows(text)
            .flat_map(|row| {
                row.fields().map(|field| (field.text.to_string(), field.place.line, field.place.column, field.number)).collect::<Vec<_>>()
            })
            .collect();
        let field = |text: &str, line, column, number| (text.to_string(), line, column, number);
        assert_eq!(
            fields,
            [field("a", 3, 1, 1), field("é", 3, 3, 2), field("c", 3, 6, 3), field("", 6, 1, 1), field("", 6, 2, 2), field("last", 7, 1, 1)]
        );
        assert_eq!(rows(text).map(|row| row.text()).collect::<Vec<_>>(), ["a,é, c", ",", "last"]);
    }

    proptest! {
        /// Dividing by hand gives the same lines and fields.
        #[test]
        fn rows_are_the_lines_with_something_in_them(text in "[a\",# é\r\n]{0,40}") {
            let lines = (1..).zip(text.split('\n')).filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty());
            let expected: Vec<(usize, Vec<String>)> =
                lines.map(|(number, line)| (number, line.split(',').map(|field| field.trim().to_string()).collect())).collect();
            let read: Vec<(usize, Vec<String>)> =
                rows(&text).map(|row| (row.line, row.fields().map(|field| field.text.to_string()).collect())).collect();
            prop_assert_eq!(read, expected);
        }
    }
}
