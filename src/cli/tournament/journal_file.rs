//! The file of a journal: it only ever grows, a line a pair, and each line is on the disk before the next pair is counted.
//!
//! What the lines say is in `tournament/journal.rs`. Start with [`JournalFile::open`].

use crate::cli::output_file::{hold, is_stream};
use crate::tournament::journal::{Journal, JournalHeader, PairRecord, journal_line};
use anyhow::{Context, Result, bail, ensure};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What happens to a journal that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExistingJournal {
    /// It is kept: a new tournament does not write over it.
    Keep,
    /// The tournament goes on behind its last pair.
    Resume,
    /// A new tournament takes its place.
    Replace,
}

/// An open journal. While this lives, no other process can open it as one.
#[derive(Debug)]
pub struct JournalFile {
    path: PathBuf,
    file: File,
}

impl JournalFile {
    /// Opens the journal of this tournament, new or to go on. Returns the pairs that it holds.
    ///
    /// # Errors
    /// A journal that is there and is to be kept, one of another tournament with the key in which they differ, one that is broken before
    /// its last line, or one that another process has open. A pipe or a device is no journal.
    pub fn open(path: &Path, header: &JournalHeader, existing: ExistingJournal) -> Result<(JournalFile, Vec<PairRecord>)> {
        let place = || path.display().to_string();
        ensure!(!is_stream(path), "{}: not a file: a tournament is kept in a file", place());
        let mut file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path).with_context(place)?;
        hold(&file, path)?;
        let mut there = Vec::new();
        if existing != ExistingJournal::Replace {
            file.read_to_end(&mut there).with_context(place)?;
        }
        if !there.is_empty() && existing == ExistingJournal::Keep {
            bail!(
                "{}: the journal is there already: --resume goes on with its tournament, --force writes over it, another --journal starts a new one",
                place()
            );
        }
        let journal = Journal::parse(&there).with_context(place)?;
        let (pairs, whole_bytes) = match journal {
            Some(journal) => {
                if let Some(difference) = journal.header.difference(header) {
                    bail!("{}: the journal is of another tournament; {difference}", place());
                }
                (journal.pairs, journal.whole_bytes)
            }
            None => (Vec::new(), 0),
        };
        // A last line that was cut off is not part of the journal: it is written over.
        file.set_len(whole_bytes as u64).with_context(place)?;
        file.seek(SeekFrom::End(0)).with_context(place)?;
        let mut journal = JournalFile { path: path.to_path_buf(), file };
        if whole_bytes == 0 {
            journal.write(&journal_line(header)?)?;
        }
        Ok((journal, pairs))
    }

    /// Adds a pair. It is on the disk when this returns.
    ///
    /// # Errors
    /// The file cannot be written to.
    pub fn add(&mut self, pair: &PairRecord) -> Result<()> {
        self.write(&journal_line(pair)?)
    }

    fn write(&mut self, line: &str) -> Result<()> {
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        written.with_context(|| self.path.display().to_string())
    }
}

/// Reads a journal without opening it for writing: also while a tournament writes it.
///
/// # Errors
/// It cannot be read, or is none.
pub fn read_journal(path: &Path) -> Result<Journal> {
    let place = || path.display().to_string();
    ensure!(!is_stream(path), "{}: not a file", place());
    let text = std::fs::read(path).with_context(place)?;
    Journal::parse(&text).with_context(place)?.with_context(|| format!("{}: no whole line of a journal", place()))
}
