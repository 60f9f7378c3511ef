//! A journal: a run as JSON lines, with a header that identifies the run and a line for each entry.
//! An entry is a pair of games, or a turn that was judged. It only ever grows.
//! A line is written when its entry is complete, so that a run can be interrupted at any moment and
//! go on later; what was cut off at its end is dropped.
//!
//! What the lines hold: `tournament/record.rs`, `regret/record.rs`, `analysis/record.rs`. Not here: the file (`src/host/journal_file.rs`). Start
//! with [`JournalReader`].

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// Which run it is: everything that its results follow from.
pub trait JournalHeader: Serialize + DeserializeOwned {
    /// The contents of a line after the header.
    type Entry: Serialize + DeserializeOwned;

    /// What is kept, for messages.
    const RUN: &'static str;

    /// What an entry is, for messages.
    const ENTRY: &'static str;

    /// The number of an entry, from 0.
    fn number(entry: &Self::Entry) -> u64;

    /// The first thing in which another run differs from this one, if there is one, as a sentence.
    fn difference(&self, here: &Self) -> Option<String>;

    /// A hash of the header, if its entries have one; else nothing.
    fn hash(&self) -> String {
        String::new()
    }

    /// The hash that an entry has.
    fn hash_of(entry: &Self::Entry) -> &str {
        let _ = entry;
        ""
    }
}

/// Reads a journal line by line.
#[derive(Debug)]
pub struct JournalReader<H> {
    /// The first line.
    pub header: H,
    hash: String,
    /// Entries so far.
    entries: u64,
}

/// What a journal holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Journal<H: JournalHeader> {
    /// The first line.
    pub header: H,
    /// The entries, from 0.
    pub entries: Vec<H::Entry>,
    /// The number of bytes in whole lines. What follows them was cut off.
    pub whole_bytes: usize,
}

/// What is wrong with a journal.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JournalError {
    /// A line that is not what it should be.
    #[error("line {line}, column {column}: expected {expected}: {problem}")]
    BadLine {
        /// 1-based.
        line: usize,
        /// 1-based, in bytes.
        column: usize,
        /// What the line should be.
        expected: String,
        /// What is wrong there.
        problem: String,
    },
    /// An entry out of order.
    #[error("line {line}: {entry} {found}, expected {entry} {expected}")]
    WrongEntry {
        /// 1-based.
        line: usize,
        /// What an entry is.
        entry: &'static str,
        /// Its number.
        found: u64,
        /// The one that comes next.
        expected: u64,
    },
    /// An entry of another run.
    #[error("line {line}: a {entry} of the run {found}, expected {expected}")]
    OtherRun {
        /// 1-based.
        line: usize,
        /// What an entry is.
        entry: &'static str,
        /// The hash that was found.
        found: String,
        /// That of the header.
        expected: String,
    },
}

impl JournalError {
    /// A line that is not what it should be, as JSON's reader says.
    fn bad_line(line: usize, expected: String, error: &serde_json::Error) -> JournalError {
        // The reader was given one line, and appends the place to its message.
        let told = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        let problem = told.strip_suffix(&place).unwrap_or(&told).to_string();
        JournalError::BadLine { line, column: error.column().max(1), expected, problem }
    }

    /// The line that is wrong, from 1.
    pub fn line(&self) -> usize {
        match self {
            JournalError::BadLine { line, .. } | JournalError::WrongEntry { line, .. } | JournalError::OtherRun { line, .. } => *line,
        }
    }
}

impl<H: JournalHeader> JournalReader<H> {
    /// Begins with the first line.
    ///
    /// # Errors
    /// It is no header.
    pub fn new(first: &[u8]) -> Result<JournalReader<H>, JournalError> {
        let bad_line = |error| JournalError::bad_line(1, format!("the header of a journal ({})", H::RUN), &error);
        let header: H = serde_json::from_slice(first).map_err(bad_line)?;
        let hash = header.hash();
        Ok(JournalReader { header, hash, entries: 0 })
    }

    /// Reads the next line.
    ///
    /// # Errors
    /// It is not the next entry of this run.
    pub fn entry(&mut self, text: &[u8]) -> Result<H::Entry, JournalError> {
        let (line, expected) = (self.entries as usize + 2, self.entries);
        let bad_line = |error| JournalError::bad_line(line, format!("a {}", H::ENTRY), &error);
        let entry: H::Entry = serde_json::from_slice(text).map_err(bad_line)?;
        if H::number(&entry) != expected {
            return Err(JournalError::WrongEntry { line, entry: H::ENTRY, found: H::number(&entry), expected });
        }
        if H::hash_of(&entry) != self.hash {
            let found = H::hash_of(&entry).to_string();
            return Err(JournalError::OtherRun { line, entry: H::ENTRY, found, expected: self.hash.clone() });
        }
        self.entries += 1;
        Ok(entry)
    }
}

impl<H: JournalHeader> Journal<H> {
    /// Reads a journal, except for a last line that was cut off. `None` if there is no whole line.
    ///
    /// # Errors
    /// The first line that is wrong.
    pub fn parse(text: &[u8]) -> Result<Option<Journal<H>>, JournalError> {
        let mut lines = text.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n"));
        let Some(first) = lines.next() else { return Ok(None) };
        let (mut reader, mut entries, mut whole_bytes) = (JournalReader::<H>::new(first)?, Vec::new(), first.len());
        for line in lines {
            entries.push(reader.entry(line)?);
            whole_bytes += line.len();
        }
        Ok(Some(Journal { header: reader.header, entries, whole_bytes }))
    }
}

/// A line with its end.
///
/// # Errors
/// None that a header or an entry could cause.
pub fn journal_line(content: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string(content).map(|text| text + "\n")
}
