//! The file of a journal: it only ever grows, a line a pair, and each line is on the disk before the next pair is counted. All are read
//! again when the run goes on.
//!
//! What the lines say is in `match_play/journal.rs`. Start with [`JournalFile::open`].

use crate::cli::output_file::{hold, is_stream};
use crate::match_play::journal::{Journal, JournalHeader, journal_line};
use anyhow::{Context, Result, bail, ensure};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

/// What happens to a journal that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExistingJournal {
    /// It is kept: a new run does not write over it.
    Keep,
    /// The run goes on behind its last pair.
    Resume,
    /// A new run takes its place.
    Replace,
}

impl ExistingJournal {
    /// What the flags `--resume` and `--force` ask for.
    pub fn of_flags(is_resumed: bool, is_forced: bool) -> ExistingJournal {
        match (is_resumed, is_forced) {
            (true, _) => ExistingJournal::Resume,
            (false, true) => ExistingJournal::Replace,
            (false, false) => ExistingJournal::Keep,
        }
    }
}

/// An open journal. While this lives, no other process can open it as one.
#[derive(Debug)]
pub struct JournalFile<H> {
    path: PathBuf,
    file: File,
    is_resumed: bool,
    header: PhantomData<H>,
}

impl<H: JournalHeader> JournalFile<H> {
    /// Opens the journal of this run, new or to go on. Returns the pairs that it holds. `flag` is the one that names the file.
    ///
    /// # Errors
    /// A journal that is there and is to be kept, one of another run with the first thing in which they differ, one that is broken before
    /// its last line, or one that another process has open. A pipe or a device is no journal.
    pub fn open(path: &Path, flag: &str, header: &H, existing: ExistingJournal) -> Result<(JournalFile<H>, Vec<H::Pair>)> {
        let (place, run) = (|| path.display().to_string(), H::RUN);
        ensure!(!is_stream(path), "{}: not a file: a {run} is kept in a file, and reported on standard output", place());
        let mut file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path).with_context(place)?;
        hold(&file, path)?;
        let mut there = Vec::new();
        if existing != ExistingJournal::Replace {
            file.read_to_end(&mut there).with_context(place)?;
        }
        if !there.is_empty() && existing == ExistingJournal::Keep {
            bail!(
                "{}: the journal is there already: --resume goes on with its {run}, --force writes over it, another {flag} starts a new one",
                place()
            );
        }
        let (pairs, whole_bytes) = match Journal::parse(&there).with_context(place)? {
            Some(journal) => {
                check_header(path, &journal, header)?;
                (journal.pairs, journal.whole_bytes)
            }
            None => (Vec::new(), 0),
        };
        // A last line that was cut off is not part of the journal: it is written over.
        file.set_len(whole_bytes as u64).with_context(place)?;
        file.seek(SeekFrom::End(0)).with_context(place)?;
        let mut journal = JournalFile { path: path.to_path_buf(), file, is_resumed: whole_bytes > 0, header: PhantomData };
        if whole_bytes == 0 {
            journal.write(&journal_line(header)?)?;
        }
        Ok((journal, pairs))
    }

    /// Whether a run goes on here that began earlier.
    pub fn is_resumed(&self) -> bool {
        self.is_resumed
    }

    /// Adds a pair. It is on the disk when this returns.
    ///
    /// # Errors
    /// The file cannot be written to.
    pub fn add(&mut self, pair: &H::Pair) -> Result<()> {
        self.write(&journal_line(pair)?)
    }

    /// Writes a line in one piece, so that no line but the last can be cut off.
    fn write(&mut self, line: &str) -> Result<()> {
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        written.with_context(|| self.path.display().to_string())
    }
}

/// Whether a journal is of this run.
///
/// # Errors
/// The first thing in which they differ.
pub fn check_header<H: JournalHeader>(path: &Path, journal: &Journal<H>, here: &H) -> Result<()> {
    match journal.header.difference(here) {
        Some(difference) => bail!("{}: the journal is of another {}; {difference}", path.display(), H::RUN),
        None => Ok(()),
    }
}

/// Reads a journal without opening it for writing: also while a run writes it.
///
/// # Errors
/// It cannot be read, or is none.
pub fn read_journal<H: JournalHeader>(path: &Path) -> Result<Journal<H>> {
    let place = || path.display().to_string();
    ensure!(!is_stream(path), "{}: not a file", place());
    let text = std::fs::read(path).with_context(place)?;
    Journal::parse(&text).with_context(place)?.with_context(|| format!("{}: no whole line of a journal", place()))
}

/// The header of a journal: `None` if there is none that can be read.
pub fn read_header<H: JournalHeader>(path: &Path) -> Option<H> {
    // A pipe would be waited for.
    if is_stream(path) {
        return None;
    }
    let mut first = Vec::new();
    BufReader::new(File::open(path).ok()?).read_until(b'\n', &mut first).ok()?;
    Some(Journal::parse(&first).ok()??.header)
}
