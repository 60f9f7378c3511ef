//! The file of a match. A line is written whenever a pair of games ends, and all are read again when the match goes on. What the
//! lines say is in `match_play/record.rs`.

use crate::match_play::pairs::PairResult;
use crate::match_play::record::{self, MatchHeader};
use anyhow::{Context, Result, bail};
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What happens to a file that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// It is kept: a new match does not write over it.
    Keep,
    /// The match goes on behind its last pair.
    Resume,
}

/// An open file of a match.
#[derive(Debug)]
pub struct MatchFile {
    path: PathBuf,
    file: File,
}

impl MatchFile {
    /// Opens the file of this match, new or to go on. Returns the pairs that it holds.
    ///
    /// # Errors
    /// A file that is there and is to be kept, a file of another match, or one that is broken before its last line.
    pub fn open(path: &Path, header: &MatchHeader, existing: Existing) -> Result<(MatchFile, Vec<PairResult>)> {
        let place = || path.display().to_string();
        let there = if path.exists() { std::fs::read(path).with_context(place)? } else { Vec::new() };
        if !there.is_empty() && existing == Existing::Keep {
            bail!("{}: the file is there already: --resume goes on with its match, another --out starts a new one", place());
        }
        // A last line that was cut off is not part of the record: it is written over.
        let record = record::parse(&there).with_context(place)?;
        let mut file = OpenOptions::new().create(true).truncate(false).write(true).open(path).with_context(place)?;
        let (pairs, whole_bytes) = match record {
            Some(record) => {
                if let Some(difference) = record.header.difference(header) {
                    bail!("{}: the file is of another match; {difference}", place());
                }
                (record.pairs, record.whole_bytes)
            }
            None => (Vec::new(), 0),
        };
        file.set_len(whole_bytes as u64).with_context(place)?;
        file.seek(SeekFrom::End(0)).with_context(place)?;
        let mut file = MatchFile { path: path.to_path_buf(), file };
        if whole_bytes == 0 {
            file.write(&record::line(header)?)?;
        }
        Ok((file, pairs))
    }

    /// Adds a pair.
    ///
    /// # Errors
    /// The file cannot be written to.
    pub fn add(&mut self, pair: &PairResult) -> Result<()> {
        self.write(&record::line(pair)?)
    }

    /// Writes a line in one piece, so that no line but the last can be cut off.
    fn write(&mut self, line: &str) -> Result<()> {
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.flush());
        written.with_context(|| self.path.display().to_string())
    }
}
