//! A journal: a run as JSON lines, with a header that identifies the run and a line for each of its numbered pieces.
//!
//! A piece is, for example, a pair of games, a judged turn, or some counted boards. Its line is written when the piece is complete, so that
//! a run can be interrupted at any moment and resumed later. The header and its number alone determine a piece (in some runs, also pieces of
//! an earlier generation). Several machines can therefore share the pieces, and their journals can be joined.
//!
//! `docs/journals.md` describes the format of all journals. The contents of the lines are in `tournament/record.rs`, `regret/record.rs`,
//! `analysis/record.rs`, `puzzles/record.rs`, and the commands of `lab/`. Not here: the file (`src/host/journal_file.rs`), and the pieces of
//! a machine (`shard.rs`). Start with [`JournalReader`].

use crate::rules::fingerprint::Fingerprint;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
use thiserror::Error;

/// The version of the format.
const FORMAT: u32 = 1;

/// The text before the checksum, at the end of a line.
const BEFORE_CHECKSUM: &str = ",\"crc32\":\"";

/// The number of bytes from there to the end of the line, without the line break.
const CHECKSUM_LEN: usize = BEFORE_CHECKSUM.len() + 8 + "\"}".len();

/// The key of the machine's speed, which does not identify a run.
const MACHINE: &str = "machine";

/// The identity of a run: everything that determines its results.
pub trait JournalHeader: Serialize + DeserializeOwned {
    /// The contents of a line after the header.
    type Entry: Serialize + DeserializeOwned;

    /// The kind of journal, in the file.
    const KIND: &'static str;

    /// The kind of run, for messages.
    const RUN: &'static str;

    /// The name of a piece.
    const ENTRY: &'static str;

    /// Keys of the header whose differences are named first, with their names in messages. A difference in one of them causes others, or
    /// has a flag as its name.
    const TOLD_FIRST: &'static [(&'static str, &'static str)] = &[];

    /// Sets the number of an entry, if the entry has a place for it.
    fn set_number(entry: &mut Self::Entry, number: u64) {
        let _ = (entry, number);
    }

    /// Describes the first difference between this run and another one, if there is any.
    fn difference(&self, here: &Self) -> Option<String> {
        let RunDifference { key, there, here } = difference(&identity(self), &identity(here), Self::TOLD_FIRST)?;
        Some(format!("{key}: {there} in the journal, {here} now"))
    }

    /// Returns a hash of everything that identifies the run.
    fn hash(&self) -> String {
        hash_of(&identity(self))
    }
}

/// The first line of a journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalHead<H> {
    /// The version of the format.
    pub journal: u32,
    /// The kind of journal.
    pub kind: String,
    /// The name of a piece.
    pub unit: String,
    /// The number of pieces with which the run was begun. It does not identify the run, since a longer run begins with the shorter one.
    pub pieces: u64,
    /// The hash of the identity, which each line repeats.
    pub run: String,
    /// The identity of the run.
    pub identity: H,
}

/// The beginning of each line after the first one.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct PieceHead {
    /// The number of the piece, from 0.
    pub piece: u64,
    /// The hash of the run's identity.
    pub run: String,
}

/// A line after the first one.
#[derive(Serialize)]
struct PieceLine<'a, E> {
    piece: u64,
    run: &'a str,
    #[serde(flatten)]
    entry: &'a E,
}

/// Reads a journal line by line, in any order of pieces.
#[derive(Debug)]
pub struct JournalReader<H> {
    /// The first line.
    pub head: JournalHead<H>,
    lines: usize,
    pieces: BTreeSet<u64>,
}

/// The contents of a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Journal<H: JournalHeader> {
    /// The first line.
    pub head: JournalHead<H>,
    /// The pieces with their numbers, in the order of the file.
    pub entries: Vec<(u64, H::Entry)>,
    /// The number of bytes in whole lines. A line after them was cut off.
    pub whole_bytes: usize,
}

/// What is wrong with a journal.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum JournalError {
    /// A line that cannot be read.
    #[error("line {line}, column {column}: expected {expected}: {problem}")]
    BadLine {
        /// 1-based.
        line: usize,
        /// 1-based, in bytes.
        column: usize,
        /// The expected kind of line.
        expected: String,
        /// The error at this place.
        problem: String,
    },
    /// A line that has changed since it was written.
    #[error("line {line} is damaged: its checksum is {found}, expected {expected}")]
    Damaged {
        /// 1-based.
        line: usize,
        /// The checksum in the line.
        found: String,
        /// The checksum of its bytes.
        expected: String,
    },
    /// A journal of another kind.
    #[error("line {line}: this is a journal of {found:?}, expected {expected:?}")]
    OtherKind {
        /// 1-based.
        line: usize,
        /// The kind that was found.
        found: String,
        /// The kind that was expected.
        expected: String,
    },
    /// A piece that an earlier line already has.
    #[error("line {line}: an earlier line already has {entry} {piece}")]
    Doubled {
        /// 1-based.
        line: usize,
        /// The name of a piece.
        entry: String,
        /// Its number.
        piece: u64,
    },
    /// A piece of another run.
    #[error("line {line}: this {entry} belongs to the run {found}, expected {expected}")]
    OtherRun {
        /// 1-based.
        line: usize,
        /// The name of a piece.
        entry: String,
        /// The hash that was found.
        found: String,
        /// The hash of the header.
        expected: String,
    },
}

impl JournalError {
    /// Returns the error of a line that the reader of JSON refuses.
    fn bad_line(line: usize, expected: String, error: &serde_json::Error) -> JournalError {
        // The reader got only one line, and appends the place in it to its message.
        let told = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        let problem = told.strip_suffix(&place).unwrap_or(&told).to_string();
        JournalError::BadLine { line, column: error.column().max(1), expected, problem }
    }

    /// Returns the number of the wrong line, from 1.
    pub fn line(&self) -> usize {
        match self {
            JournalError::BadLine { line, .. }
            | JournalError::Damaged { line, .. }
            | JournalError::OtherKind { line, .. }
            | JournalError::Doubled { line, .. }
            | JournalError::OtherRun { line, .. } => *line,
        }
    }
}

impl<H: JournalHeader> JournalHead<H> {
    /// Returns the first line of a run's journal.
    pub fn new(identity: H, pieces: u64) -> JournalHead<H> {
        let (kind, unit, run) = (H::KIND.to_string(), H::ENTRY.to_string(), identity.hash());
        JournalHead { journal: FORMAT, kind, unit, pieces, run, identity }
    }

    /// Returns the text of the line, with its line break.
    ///
    /// # Errors
    /// None, for the headers of this program.
    pub fn line(&self) -> serde_json::Result<String> {
        sealed(self)
    }

    /// Returns the line of a piece, with its line break.
    ///
    /// # Errors
    /// None, for the entries of this program.
    pub fn piece_line(&self, piece: u64, entry: &H::Entry) -> serde_json::Result<String> {
        sealed(&PieceLine { piece, run: &self.run, entry })
    }
}

impl<H: JournalHeader> JournalReader<H> {
    /// Reads the first line.
    ///
    /// # Errors
    /// The line is not the header of such a journal.
    pub fn new(first: &[u8]) -> Result<JournalReader<H>, JournalError> {
        let bad_line = |error| JournalError::bad_line(1, format!("the header of a journal ({})", H::RUN), &error);
        // A file of another kind has neither a kind of journal nor a checksum.
        let told: JournalHead<Value> = serde_json::from_slice(first).map_err(bad_line)?;
        check_seal(first, 1)?;
        if told.kind != H::KIND {
            return Err(JournalError::OtherKind { line: 1, found: told.kind, expected: H::KIND.to_string() });
        }
        let head: JournalHead<H> = serde_json::from_slice(first).map_err(bad_line)?;
        Ok(JournalReader { head, lines: 1, pieces: BTreeSet::new() })
    }

    /// Reads the next line, and returns the number of its piece with its entry.
    ///
    /// # Errors
    /// The line is not a piece of this run, is damaged, or has a piece that an earlier line already has.
    pub fn entry(&mut self, text: &[u8]) -> Result<(u64, H::Entry), JournalError> {
        let line = self.lines + 1;
        let PieceHead { piece, run } = read_piece(text, line, H::ENTRY)?;
        if run != self.head.run {
            return Err(JournalError::OtherRun { line, entry: H::ENTRY.to_string(), found: run, expected: self.head.run.clone() });
        }
        if !self.pieces.insert(piece) {
            return Err(JournalError::Doubled { line, entry: H::ENTRY.to_string(), piece });
        }
        let bad_line = |error| JournalError::bad_line(line, format!("a {}", H::ENTRY), &error);
        let mut entry: H::Entry = serde_json::from_slice(text).map_err(bad_line)?;
        H::set_number(&mut entry, piece);
        self.lines = line;
        Ok((piece, entry))
    }

    /// Returns the first line, and the numbers of the pieces that were read.
    pub fn into_parts(self) -> (JournalHead<H>, BTreeSet<u64>) {
        (self.head, self.pieces)
    }
}

impl<H: JournalHeader> Journal<H> {
    /// Reads a journal, except for a last line that was cut off. Returns `None` if there is no whole line.
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
        Ok(Some(Journal { head: reader.head, entries, whole_bytes }))
    }
}

/// Checks a line after the first one, and returns its beginning. `entry` is the name of a piece.
///
/// # Errors
/// The line is damaged, or is not a piece of a journal.
pub fn read_piece(text: &[u8], line: usize, entry: &str) -> Result<PieceHead, JournalError> {
    let head = serde_json::from_slice(text).map_err(|error| JournalError::bad_line(line, format!("a {entry}"), &error));
    // If the line has a checksum, its error is more useful than one about the JSON.
    check_seal(text, line)?;
    head
}

/// Checks the first line of a journal of any kind, and returns its contents.
///
/// # Errors
/// The line is damaged, or is not the header of a journal.
pub fn read_head(text: &[u8]) -> Result<JournalHead<Value>, JournalError> {
    let head = serde_json::from_slice(text).map_err(|error| JournalError::bad_line(1, "the header of a journal".to_string(), &error))?;
    check_seal(text, 1)?;
    Ok(head)
}

/// Returns a line with its checksum and line break.
fn sealed(content: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string(content).map(|text| seal(&text))
}

/// Returns an object's text with a checksum before the closing brace, and with a line break.
pub fn seal(object: &str) -> String {
    let content = object.strip_suffix('}').unwrap_or(object);
    let checksum = crc32fast::hash(content.as_bytes());
    format!("{content}{BEFORE_CHECKSUM}{checksum:08x}\"}}\n")
}

/// Checks a line's checksum.
fn check_seal(text: &[u8], line: usize) -> Result<(), JournalError> {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let (content, seal) = text.split_at(text.len().saturating_sub(CHECKSUM_LEN));
    let expected = format!("{:08x}", crc32fast::hash(content));
    let found = seal.strip_prefix(BEFORE_CHECKSUM.as_bytes()).and_then(|seal| seal.strip_suffix(b"\"}"));
    if found == Some(expected.as_bytes()) {
        return Ok(());
    }
    let found = found.map_or("missing".to_string(), |found| String::from_utf8_lossy(found).into_owned());
    Err(JournalError::Damaged { line, found, expected })
}

/// Returns the identity of a run, as JSON with sorted keys.
fn identity(header: &impl Serialize) -> Value {
    let mut identity = serde_json::to_value(header).unwrap_or_default();
    if let Some(keys) = identity.as_object_mut() {
        keys.remove(MACHINE);
    }
    identity
}

/// Returns a hash of an identity.
fn hash_of(identity: &Value) -> String {
    let mut hash = Fingerprint::default();
    hash.add(identity.to_string().bytes());
    format!("{:016x}", hash.value())
}

/// A key in which two runs differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunDifference {
    /// The key, such as `engines[1].name`.
    pub key: String,
    /// Its value in the first run.
    pub there: String,
    /// Its value in the other run.
    pub here: String,
}

/// Returns the first key in which two identities differ. The keys of `told_first` come first, under the names given there.
pub fn difference(there: &Value, here: &Value, told_first: &[(&str, &str)]) -> Option<RunDifference> {
    let first = told_first.iter().find_map(|(key, name)| difference_at(name, there.get(key), here.get(key)));
    first.or_else(|| {
        let mut both = [there.clone(), here.clone()];
        both.iter_mut().filter_map(Value::as_object_mut).for_each(|keys| drop(keys.remove(MACHINE)));
        difference_at("", Some(&both[0]), Some(&both[1]))
    })
}

/// Returns the first difference between two values, with the key that leads to it.
fn difference_at(key: &str, there: Option<&Value>, here: Option<&Value>) -> Option<RunDifference> {
    let below = |name: &str| if key.is_empty() { name.to_string() } else { format!("{key}.{name}") };
    match (there, here) {
        (Some(Value::Object(there)), Some(Value::Object(here))) => {
            let mut names: Vec<&String> = there.keys().chain(here.keys()).collect();
            names.sort();
            names.dedup();
            names.into_iter().find_map(|name| difference_at(&below(name), there.get(name), here.get(name)))
        }
        (Some(Value::Array(there)), Some(Value::Array(here))) => {
            (0..there.len().max(here.len())).find_map(|at| difference_at(&format!("{key}[{at}]"), there.get(at), here.get(at)))
        }
        (there, here) if there == here => None,
        (there, here) => {
            let told = |value: Option<&Value>| value.map_or("nothing".to_string(), Value::to_string);
            // The user's file has these keys without this prefix.
            let key = key.strip_prefix("configuration.").unwrap_or(key).to_string();
            Some(RunDifference { key, there: told(there), here: told(here) })
        }
    }
}
