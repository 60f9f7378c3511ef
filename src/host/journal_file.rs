//! The file of a journal: one line per piece, append-only, durable once on the disk.
//! All pieces are read again when the run goes on.
//!
//! Pieces that come faster than the disk writes are written several at once. The lines are described in `match_play/journal.rs`; journals of several
//! machines are joined in `cli/journal.rs`. Start with [`JournalFile::open`].

use crate::host::input_file;
use crate::host::output_file::{hold, is_stream};
use crate::match_play::journal::{JournalError, JournalHead, JournalHeader, JournalReader};
use crate::match_play::shard::{Shard, pieces_left};
use anyhow::{Context, Result, anyhow, bail, ensure};
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Bytes of the longest line: that of a pair of games has a few thousand.
pub const MOST_OF_A_LINE: u64 = 64 << 20;

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

/// The flag of runs that several machines share.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct ShardArguments {
    /// Do only a part of the run: 2/3 is the part of the second of three machines. `tilewright journal merge` joins the journals.
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
}

/// An open journal. While this lives, no other process can open it as one.
#[derive(Debug)]
pub struct JournalFile<H> {
    path: PathBuf,
    file: File,
    is_resumed: bool,
    head: JournalHead<H>,
    /// The pieces that are in it.
    done: BTreeSet<u64>,
}

impl<H: JournalHeader + Clone> JournalFile<H> {
    /// Opens the journal of a new or a resumed run. `header_after` makes the header of this run, and is given that of the resumed run, if
    /// there is one. `on_entry` gets the pieces that the journal has, in the order of the file. `flag` is the flag that names the file, and
    /// `pieces` the number of pieces in all.
    ///
    /// # Errors
    /// An existing journal that is to be kept, one of another run (with the first difference), one that is damaged before its last line,
    /// or one that another process has open; a pipe or a device; those of `header_after`.
    pub fn open(
        path: &Path,
        flag: &str,
        existing: ExistingJournal,
        pieces: u64,
        header_after: &mut dyn FnMut(Option<&H>) -> Result<H>,
        on_entry: &mut dyn FnMut(u64, H::Entry),
    ) -> Result<(H, JournalFile<H>)> {
        let place = || path.display().to_string();
        ensure!(!is_stream(path), "{}: not a file: a journal is kept in a file, and its report goes to standard output", place());
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
        let read = match existing {
            ExistingJournal::Replace => None,
            ExistingJournal::Keep | ExistingJournal::Resume => {
                let mut is_this = |there: &H| check_header(path, there, header.insert(header_after(Some(there))?));
                read_lines(path, BufReader::new(&file), &mut is_this, on_entry)?
            }
        };
        let header = header.map_or_else(|| header_after(None), Ok)?;
        let is_resumed = read.is_some();
        let (head, done, whole_bytes) = match read {
            Some((reader, whole_bytes)) => {
                let (head, done) = reader.into_parts();
                (head, done, whole_bytes)
            }
            None => (JournalHead::new(header.clone(), pieces), BTreeSet::new(), 0),
        };
        // A last line that was cut off is not part of the journal: it is overwritten.
        file.set_len(whole_bytes).with_context(place)?;
        file.seek(SeekFrom::End(0)).with_context(place)?;
        let mut journal = JournalFile { path: path.to_path_buf(), file, is_resumed, head, done };
        if !is_resumed {
            let line = journal.head.line()?;
            journal.write(&line)?;
        }
        Ok((header, journal))
    }

    /// Whether this run continues one that began earlier.
    pub fn is_resumed(&self) -> bool {
        self.is_resumed
    }

    /// The pieces among these that are still to be done, in order: those of the shard, or all.
    pub fn left(&self, pieces: Range<u64>, shard: Option<Shard>) -> Vec<u64> {
        pieces_left(pieces, shard, |piece| self.done.contains(&piece))
    }

    /// Adds pieces with their numbers. They are on the disk when this returns.
    ///
    /// # Errors
    /// The file cannot be written to.
    pub fn add<'e>(&mut self, entries: impl IntoIterator<Item = (u64, &'e H::Entry)>) -> Result<()>
    where
        H::Entry: 'e,
    {
        let mut lines = String::new();
        for (piece, entry) in entries {
            lines.push_str(&self.head.piece_line(piece, entry)?);
            self.done.insert(piece);
        }
        self.write(&lines)
    }

    /// Removes the file, which has done its work.
    ///
    /// # Errors
    /// It cannot be removed.
    pub fn remove(self) -> Result<()> {
        std::fs::remove_file(&self.path).with_context(|| self.path.display().to_string())
    }

    /// The line at the end of a shard's run: how far it is, and how the shards are joined.
    pub fn shard_line(&self, shard: Shard, pieces: u64) -> String {
        let (of_shard, unit) = (pieces_left(0..pieces, Some(shard), |_| false), H::ENTRY);
        let done = of_shard.iter().filter(|piece| self.done.contains(piece)).count();
        let path = self.path.display();
        format!(
            "shard {shard}: {done} of its {} {unit}s (of {pieces} in all) are in {path}; join the shards with: tilewright journal merge <new> {path} <others>",
            of_shard.len()
        )
    }

    /// Writes lines in one piece, so that no line but the last can be cut off.
    fn write(&mut self, lines: &str) -> Result<()> {
        let written = self.file.write_all(lines.as_bytes()).and_then(|()| self.file.sync_data());
        written.with_context(|| self.path.display().to_string())
    }
}

/// The error of a journal's line. For a damaged line it has the command that saves the others.
fn in_file(path: &Path, error: JournalError) -> anyhow::Error {
    let place = path.display();
    match error {
        JournalError::Damaged { .. } => {
            anyhow!("{place}: {error}; all other lines are kept by: tilewright journal merge --partial <new> {place}")
        }
        error => anyhow!("{place}: {error}"),
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

/// Reads a journal without opening it for writing: also while a run writes it. `on_header` may refuse it, `on_entry` gets its pieces, in the
/// order of the file.
///
/// # Errors
/// It cannot be read, is not a journal, or is refused.
pub fn read_journal<H: JournalHeader>(
    path: &Path,
    on_header: &mut dyn FnMut(&H) -> Result<()>,
    on_entry: &mut dyn FnMut(u64, H::Entry),
) -> Result<JournalHead<H>> {
    let place = || path.display().to_string();
    let file = input_file::open(path).with_context(place)?;
    let read = read_lines(path, BufReader::new(file), on_header, on_entry)?;
    read.map(|(reader, _)| reader.head).with_context(|| format!("{}: not a journal: it has no complete line", place()))
}

/// Reads the whole lines of a journal, if there are any. Also returns the number of bytes in them.
fn read_lines<H: JournalHeader>(
    path: &Path,
    mut input: impl BufRead,
    on_header: &mut dyn FnMut(&H) -> Result<()>,
    on_entry: &mut dyn FnMut(u64, H::Entry),
) -> Result<Option<(JournalReader<H>, u64)>> {
    let place = || path.display().to_string();
    let (mut reader, mut whole_bytes, mut line) = (None::<JournalReader<H>>, 0, Vec::new());
    loop {
        line.clear();
        input.by_ref().take(MOST_OF_A_LINE).read_until(b'\n', &mut line).with_context(place)?;
        ensure!((line.len() as u64) < MOST_OF_A_LINE, "{}: not a journal: a line has more than {MOST_OF_A_LINE} bytes", place());
        if !line.ends_with(b"\n") {
            return Ok(reader.map(|reader| (reader, whole_bytes)));
        }
        match &mut reader {
            Some(reader) => {
                let (piece, entry) = reader.entry(&line).map_err(|error| in_file(path, error))?;
                on_entry(piece, entry);
            }
            None => on_header(&reader.insert(JournalReader::new(&line).map_err(|error| in_file(path, error))?).head.identity)?,
        }
        whole_bytes += line.len() as u64;
    }
}
