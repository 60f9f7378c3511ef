//! The file of a journal: one line an entry, append-only, durable once on the disk.
//! All entries are read again when the run goes on.
//!
//! Entries that are quicker than the disk are written several at once. What the lines say is in `match_play/journal.rs`. Start
//! with [`JournalFile::open`].

use crate::host::input_file;
use crate::host::output_file::{hold, is_stream};
use crate::match_play::journal::{JournalHeader, JournalReader, journal_line};
use anyhow::{Context, Result, bail, ensure};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

/// Bytes of the longest line: that of a pair of games has a few thousand.
const MOST_OF_A_LINE: u64 = 64 << 20;

/// What happens to a journal that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExistingJournal {
    /// It is kept: a new run does not write over it.
    Keep,
    /// The run goes on after its last entry.
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
    /// Opens the journal of a run, new or to go on. `header_after` makes the header of this run, and is given that of the run which goes
    /// on, if there is one; `on_entry` gets the entries that the journal holds. `flag` is the one that names the file.
    ///
    /// # Errors
    /// A journal that is there and is to be kept, one of another run with the first thing in which they differ, one that is broken before
    /// its last line, or one that another process has open. A pipe or a device is no journal. Those of `header_after`.
    pub fn open(
        path: &Path,
        flag: &str,
        existing: ExistingJournal,
        header_after: &mut dyn FnMut(Option<&H>) -> Result<H>,
        on_entry: &mut dyn FnMut(H::Entry),
    ) -> Result<(H, JournalFile<H>)> {
        let place = || path.display().to_string();
        ensure!(!is_stream(path), "{}: not a file: a journal is kept in a file, and reported on standard output", place());
        let mut file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path).with_context(place)?;
        hold(&file, path)?;
        let is_empty = file.metadata().with_context(place)?.len() == 0;
        if !is_empty && existing == ExistingJournal::Keep {
            bail!(
                "{}: the journal is there already: --resume goes on with it, --force writes over it, another {flag} starts a new one",
                place()
            );
        }
        let mut header = None;
        let whole_bytes = match existing {
            ExistingJournal::Replace => 0,
            ExistingJournal::Keep | ExistingJournal::Resume => {
                let mut is_this = |there: &H| check_header(path, there, header.insert(header_after(Some(there))?));
                read_lines(path, BufReader::new(&file), &mut is_this, on_entry)?.map_or(0, |(_, whole_bytes)| whole_bytes)
            }
        };
        let header = header.map_or_else(|| header_after(None), Ok)?;
        // A last line that was cut off is not part of the journal: it is written over.
        file.set_len(whole_bytes).with_context(place)?;
        file.seek(SeekFrom::End(0)).with_context(place)?;
        let mut journal = JournalFile { path: path.to_path_buf(), file, is_resumed: whole_bytes > 0, header: PhantomData };
        if whole_bytes == 0 {
            journal.write(&journal_line(&header)?)?;
        }
        Ok((header, journal))
    }

    /// Whether a run goes on here that began earlier.
    pub fn is_resumed(&self) -> bool {
        self.is_resumed
    }

    /// Adds entries. They are on the disk when this returns.
    ///
    /// # Errors
    /// The file cannot be written to.
    pub fn add(&mut self, entries: &[H::Entry]) -> Result<()> {
        let lines = entries.iter().map(journal_line).collect::<serde_json::Result<String>>()?;
        self.write(&lines)
    }

    /// Writes lines in one piece, so that no line but the last can be cut off.
    fn write(&mut self, lines: &str) -> Result<()> {
        let written = self.file.write_all(lines.as_bytes()).and_then(|()| self.file.sync_data());
        written.with_context(|| self.path.display().to_string())
    }
}

/// Whether a journal with this header is of this run.
///
/// # Errors
/// The first thing in which they differ.
pub fn check_header<H: JournalHeader>(path: &Path, there: &H, here: &H) -> Result<()> {
    match there.difference(here) {
        Some(difference) => bail!("{}: the journal is of another {}; {difference}", path.display(), H::RUN),
        None => Ok(()),
    }
}

/// Reads a journal without opening it for writing: also while a run writes it. `on_header` may refuse it, `on_entry` gets its entries.
///
/// # Errors
/// It cannot be read, is none, or is refused.
pub fn read_journal<H: JournalHeader>(
    path: &Path,
    on_header: &mut dyn FnMut(&H) -> Result<()>,
    on_entry: &mut dyn FnMut(H::Entry),
) -> Result<H> {
    let place = || path.display().to_string();
    let file = input_file::open(path).with_context(place)?;
    let read = read_lines(path, BufReader::new(file), on_header, on_entry)?;
    read.map(|(header, _)| header).with_context(|| format!("{}: no whole line of a journal", place()))
}

/// Reads the whole lines of a journal, if there are any. Returns its header and the number of bytes in them.
fn read_lines<H: JournalHeader>(
    path: &Path,
    mut input: impl BufRead,
    on_header: &mut dyn FnMut(&H) -> Result<()>,
    on_entry: &mut dyn FnMut(H::Entry),
) -> Result<Option<(H, u64)>> {
    let place = || path.display().to_string();
    let (mut reader, mut whole_bytes, mut line) = (None::<JournalReader<H>>, 0, Vec::new());
    loop {
        line.clear();
        input.by_ref().take(MOST_OF_A_LINE).read_until(b'\n', &mut line).with_context(place)?;
        ensure!((line.len() as u64) < MOST_OF_A_LINE, "{}: no journal: a line of more than {MOST_OF_A_LINE} bytes", place());
        if !line.ends_with(b"\n") {
            return Ok(reader.map(|reader| (reader.header, whole_bytes)));
        }
        match &mut reader {
            Some(reader) => on_entry(reader.entry(&line).with_context(place)?),
            None => on_header(&reader.insert(JournalReader::new(&line).with_context(place)?).header)?,
        }
        whole_bytes += line.len() as u64;
    }
}
