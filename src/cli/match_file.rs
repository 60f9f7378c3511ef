//! The file of a match. A line is written whenever a pair of games ends, and all are read again when the match goes on. What the
//! lines say is in `match_play/record.rs`.

use crate::cli::output_file::{hold, is_stream};
use crate::match_play::pairs::PairResult;
use crate::match_play::record::{self, LuckJudgement, MatchHeader};
use anyhow::{Context, Result, bail, ensure};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What happens to a file that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// It is kept: a new match does not write over it.
    Keep,
    /// The match goes on behind its last pair.
    Resume,
    /// A new match takes its place.
    Replace,
}

/// An open file of a match. While this lives, no other process can open it as one.
#[derive(Debug)]
pub struct MatchFile {
    path: PathBuf,
    file: File,
    is_resumed: bool,
}

impl MatchFile {
    /// Opens the file of this match, new or to go on. Returns the pairs that it holds.
    ///
    /// # Errors
    /// A file that is there and is to be kept, a file of another match, one that is broken before its last line, or one that another
    /// process has open. A pipe or a device is no file.
    pub fn open(path: &Path, header: &MatchHeader, existing: Existing) -> Result<(MatchFile, Vec<PairResult>)> {
        let place = || path.display().to_string();
        ensure!(!is_stream(path), "{}: not a file: a match is kept in a file, and reported on standard output", place());
        let mut file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path).with_context(place)?;
        hold(&file, path)?;
        let mut there = Vec::new();
        if existing != Existing::Replace {
            file.read_to_end(&mut there).with_context(place)?;
        }
        if !there.is_empty() && existing == Existing::Keep {
            bail!(
                "{}: the file is there already: --resume goes on with its match, --force writes over it, another --out starts a new one",
                place()
            );
        }
        // A last line that was cut off is not part of the record: it is written over.
        let record = record::parse(&there).with_context(place)?;
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
        let mut file = MatchFile { path: path.to_path_buf(), file, is_resumed: whole_bytes > 0 };
        if whole_bytes == 0 {
            file.write(&record::line(header)?)?;
        }
        Ok((file, pairs))
    }

    /// How the luck of the draws is judged in the match of a file: `None` if there is no match in it that can be read.
    pub fn judgement(path: &Path) -> Option<Option<LuckJudgement>> {
        // A pipe would be waited for.
        if is_stream(path) {
            return None;
        }
        let mut first = Vec::new();
        BufReader::new(File::open(path).ok()?).read_until(b'\n', &mut first).ok()?;
        let record = record::parse(&first).ok()??;
        Some(record.header.luck)
    }

    /// Whether a match goes on here that began earlier.
    pub fn is_resumed(&self) -> bool {
        self.is_resumed
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
