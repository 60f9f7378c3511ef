//! A journal: a run of pairs as JSON lines, a header that says which run it is, then one line a pair. It only ever grows. A line is
//! written when its pair is over, so that a run can be interrupted at any moment and go on later; what was cut off at its end is dropped.
//!
//! What the lines hold is in `tournament/record.rs`, of matches and of tournaments. Not here: the file (`src/cli/journal_file.rs`). Start with
//! [`JournalReader`].

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// Which run it is: everything that its results follow from.
pub trait JournalHeader: Serialize + Sized {
    /// A line of the journal.
    type Pair: Serialize + DeserializeOwned;

    /// What is kept, for messages.
    const RUN: &'static str;

    /// Reads the first line, also in a form of an earlier version of this program.
    ///
    /// # Errors
    /// It is none.
    fn read(line: &[u8]) -> serde_json::Result<(Self, LineForm)>;

    /// Reads a pair of the journal whose header has this form. A journal that goes on has pairs of the form of today behind older ones.
    ///
    /// # Errors
    /// It is none.
    fn read_pair(&self, line: &[u8], form: LineForm) -> serde_json::Result<Self::Pair>;

    /// The number of a pair, from 0.
    fn number(pair: &Self::Pair) -> u64;

    /// The first thing in which another run differs from this one, if there is one, as a sentence.
    fn difference(&self, here: &Self) -> Option<String>;

    /// A hash of the header, if its pairs have one; else nothing.
    fn hash(&self) -> String {
        String::new()
    }

    /// The hash that a pair has.
    fn hash_of(pair: &Self::Pair) -> &str {
        let _ = pair;
        ""
    }
}

/// The form that the lines of a journal have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineForm {
    /// That of today.
    Whole,
    /// That of matches of earlier versions, which kept results without moves.
    ResultsAlone,
}

/// Reads a journal line by line.
#[derive(Debug)]
pub struct JournalReader<H> {
    /// The first line.
    pub header: H,
    form: LineForm,
    hash: String,
    /// Pairs so far.
    pairs: u64,
}

/// What a journal holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Journal<H: JournalHeader> {
    /// The first line.
    pub header: H,
    /// The pairs, from 0.
    pub pairs: Vec<H::Pair>,
    /// The number of bytes in whole lines. What follows them was cut off.
    pub whole_bytes: usize,
}

/// What is wrong with a journal.
#[derive(Debug, Error)]
pub enum JournalError {
    /// A line that is not what it should be.
    #[error("line {line}: expected {expected}: {error}")]
    BadLine {
        /// 1-based.
        line: usize,
        /// What the line should be.
        expected: String,
        /// What is wrong.
        error: serde_json::Error,
    },
    /// A pair out of order.
    #[error("line {line}: pair {found}, expected pair {expected}")]
    WrongPair {
        /// 1-based.
        line: usize,
        /// Its pair.
        found: u64,
        /// The one that comes next.
        expected: u64,
    },
    /// A pair of another run.
    #[error("line {line}: a pair of the run {found}, expected {expected}")]
    OtherRun {
        /// 1-based.
        line: usize,
        /// The hash that stands there.
        found: String,
        /// That of the header.
        expected: String,
    },
}

impl JournalError {
    /// The line that is wrong, from 1.
    pub fn line(&self) -> usize {
        match self {
            JournalError::BadLine { line, .. } | JournalError::WrongPair { line, .. } | JournalError::OtherRun { line, .. } => *line,
        }
    }
}

impl<H: JournalHeader> JournalReader<H> {
    /// Begins with the first line.
    ///
    /// # Errors
    /// It is no header.
    pub fn new(first: &[u8]) -> Result<JournalReader<H>, JournalError> {
        let bad = |error| JournalError::BadLine { line: 1, expected: format!("the header of a journal ({})", H::RUN), error };
        let (header, form) = H::read(first).map_err(bad)?;
        let hash = header.hash();
        Ok(JournalReader { header, form, hash, pairs: 0 })
    }

    /// Reads the next line.
    ///
    /// # Errors
    /// It is not the next pair of this run.
    pub fn pair(&mut self, text: &[u8]) -> Result<H::Pair, JournalError> {
        let (line, expected) = (self.pairs as usize + 2, self.pairs);
        let bad = |error| JournalError::BadLine { line, expected: "a pair".to_string(), error };
        let pair = self.header.read_pair(text, self.form).map_err(bad)?;
        if H::number(&pair) != expected {
            return Err(JournalError::WrongPair { line, found: H::number(&pair), expected });
        }
        if H::hash_of(&pair) != self.hash {
            return Err(JournalError::OtherRun { line, found: H::hash_of(&pair).to_string(), expected: self.hash.clone() });
        }
        self.pairs += 1;
        Ok(pair)
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
        let (mut reader, mut pairs, mut whole_bytes) = (JournalReader::<H>::new(first)?, Vec::new(), first.len());
        for line in lines {
            pairs.push(reader.pair(line)?);
            whole_bytes += line.len();
        }
        Ok(Some(Journal { header: reader.header, pairs, whole_bytes }))
    }
}

/// A line with its end.
///
/// # Errors
/// None that a header or a pair could cause.
pub fn journal_line(content: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string(content).map(|text| text + "\n")
}
