//! A journal: a run of pairs as JSON lines, a header that says which run it is, then one line a pair. It only ever grows. A line is
//! written when its pair is over, so that a run can be interrupted at any moment and go on later; what was cut off at its end is dropped.
//!
//! Matches (`match_play/record.rs`) and tournaments (`tournament/record.rs`) say what their lines hold. Not here: the file
//! (`src/cli/journal_file.rs`). Start with [`Journal::parse`].

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// Which run it is: everything that its results follow from.
pub trait JournalHeader: Serialize + DeserializeOwned {
    /// A line of the journal.
    type Pair: Serialize + DeserializeOwned;

    /// What is kept: "match", "tournament".
    const RUN: &'static str;

    /// The number of a pair, from 0.
    fn number(pair: &Self::Pair) -> u64;

    /// The first thing in which another run differs from this one, if there is one, as a sentence.
    fn difference(&self, here: &Self) -> Option<String>;

    /// A hash of the header, if its pairs have one: then it is `(that of the pair, that of the header)`.
    fn hashes(&self, pair: &Self::Pair) -> Option<(String, String)> {
        let _ = pair;
        None
    }
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
    #[error("line {line}: a pair of the {run} {found}, expected {expected}")]
    OtherRun {
        /// 1-based.
        line: usize,
        /// What is kept.
        run: &'static str,
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

impl<H: JournalHeader> Journal<H> {
    /// Reads a journal, except for a last line that was cut off. `None` if there is no whole line.
    ///
    /// # Errors
    /// The first line that is wrong.
    pub fn parse(text: &[u8]) -> Result<Option<Journal<H>>, JournalError> {
        let mut lines = text.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n"));
        let Some(first) = lines.next() else { return Ok(None) };
        let bad = |line, expected: String| move |error| JournalError::BadLine { line, expected, error };
        let header: H = serde_json::from_slice(first).map_err(bad(1, format!("the header of a {}", H::RUN)))?;
        let mut journal = Journal { header, pairs: Vec::new(), whole_bytes: first.len() };
        for (line, text) in (2..).zip(lines) {
            let pair: H::Pair = serde_json::from_slice(text).map_err(bad(line, "a pair".to_string()))?;
            let expected = journal.pairs.len() as u64;
            if H::number(&pair) != expected {
                return Err(JournalError::WrongPair { line, found: H::number(&pair), expected });
            }
            if let Some((found, expected)) = journal.header.hashes(&pair).filter(|(found, expected)| found != expected) {
                return Err(JournalError::OtherRun { line, run: H::RUN, found, expected });
            }
            journal.pairs.push(pair);
            journal.whole_bytes += text.len();
        }
        Ok(Some(journal))
    }
}

/// A line with its end.
///
/// # Errors
/// None that a header or a pair could cause.
pub fn journal_line(content: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string(content).map(|text| text + "\n")
}

/// What tests say of any kind of journal.
#[cfg(test)]
pub(crate) mod checks {
    use super::*;
    use std::fmt::Debug;

    /// A journal of two pairs, cut off at each byte: all whole lines are read, and nothing else.
    pub(crate) fn what_was_written_is_read<H>(header: &H, pairs: &[H::Pair; 2])
    where
        H: JournalHeader + PartialEq + Debug,
        H::Pair: PartialEq + Debug,
    {
        let text = [journal_line(header).unwrap(), journal_line(&pairs[0]).unwrap(), journal_line(&pairs[1]).unwrap()].concat();
        for cut in 0..=text.len() {
            let lines = text[..cut].matches('\n').count();
            let read = Journal::<H>::parse(&text.as_bytes()[..cut]).unwrap();
            assert_eq!(read.is_some(), lines > 0);
            if let Some(read) = read {
                assert_eq!((&read.header, &read.pairs[..]), (header, &pairs[..lines - 1]));
                assert_eq!(read.whole_bytes, text[..cut].rfind('\n').unwrap() + 1);
            }
        }
    }

    /// What is said of a journal of two lines, which is wrong.
    pub(crate) fn refused<H: JournalHeader + Debug>(lines: [&str; 2], expected: &str)
    where
        H::Pair: Debug,
    {
        let error = Journal::<H>::parse(lines.concat().as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}
