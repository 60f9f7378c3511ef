//! Runs of numbered pieces, which may keep a journal and be shared by several machines: what the subcommands of `lab` have in common.
//!
//! Not here: the file (`journal_file.rs`) and its lines (`match_play/journal.rs`). Start with [`PieceRun::open`].

use crate::host::journal_file::{ExistingJournal, JournalFile, ShardArguments};
use crate::host::long_run::{self, GoingOn};
use crate::host::output::say_aside;
use crate::host::output_file::{OutputFile, Overwrite, OverwriteArguments};
use crate::match_play::journal::JournalHeader;
use crate::match_play::shard::{Shard, pieces_left};
use anyhow::{Result, ensure};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The flags of a measurement that can keep a journal.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct MeasurementArguments {
    /// Save the results of each position in this file, so that nothing is lost if the run is interrupted.
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,
    /// Resume the run of the journal, if there is one.
    #[arg(long, requires = "journal")]
    pub resume: bool,
    /// Overwrite an existing journal.
    #[arg(long, requires = "journal", conflicts_with = "resume")]
    pub force: bool,
    /// The part that is measured here.
    #[command(flatten)]
    pub part: ShardArguments,
}

/// The flags of a training that keeps a journal until its table is made.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct TrainingArguments {
    /// Where the pieces are saved during the run [default: the --out file with .part added to its name, which is removed once --out is written].
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,
    /// Whether an existing file of the table's name is overwritten.
    #[command(flatten)]
    pub overwriting: OverwriteArguments,
    /// The part that is done here. A shard writes nothing but the journal.
    #[command(flatten)]
    pub part: ShardArguments,
}

impl TrainingArguments {
    /// Where the journal of a table is.
    pub fn journal_of(&self, out: &Path) -> PathBuf {
        self.journal.clone().unwrap_or_else(|| OutputFile::unfinished(out))
    }

    /// Claims the place of a table that is made of a journal. A run that is resumed may overwrite what it has written.
    ///
    /// # Errors
    /// Those of [`OutputFile::claim`].
    pub fn claim(&self, out: &Path) -> Result<OutputFile> {
        let journal = self.journal_of(out);
        let is_begun = std::fs::metadata(&journal).is_ok_and(|found| found.len() > 0);
        let overwrite = if is_begun { Overwrite::Allowed } else { self.overwriting.overwrite() };
        OutputFile::claim_beside(out, &journal, overwrite)
    }

    /// Opens the journal of a table, and prints how to resume the run.
    ///
    /// # Errors
    /// Those of [`JournalFile::open`].
    pub fn open<H: JournalHeader + Clone>(
        &self,
        out: &Path,
        identity: &H,
        pieces: u64,
        on_entry: &mut dyn FnMut(u64, H::Entry),
    ) -> Result<JournalFile<H>> {
        let mut header_after = |_: Option<&H>| Ok(identity.clone());
        let (_, journal) =
            JournalFile::open(&self.journal_of(out), "--journal", ExistingJournal::Resume, pieces, &mut header_after, on_entry)?;
        say_aside(&format!("if interrupted, go on with: {}", long_run::this_command(GoingOn::Same)));
        Ok(journal)
    }

    /// Removes the journal once the table is written, unless the user named it.
    ///
    /// # Errors
    /// It cannot be removed.
    pub fn finish<H: JournalHeader + Clone>(&self, journal: JournalFile<H>) -> Result<()> {
        if self.journal.is_none() { journal.remove() } else { Ok(()) }
    }
}

/// A run whose pieces are all needed in the end, in the order of their numbers.
#[derive(Debug)]
pub struct PieceRun<H: JournalHeader> {
    journal: Option<JournalFile<H>>,
    done: BTreeMap<u64, H::Entry>,
    pieces: u64,
    shard: Option<Shard>,
}

impl<H: JournalHeader + Clone> PieceRun<H> {
    /// A run of this many pieces, with those that its journal has.
    ///
    /// # Errors
    /// A shard without a journal, or those of [`JournalFile::open`].
    pub fn open(arguments: &MeasurementArguments, identity: &H, pieces: u64) -> Result<PieceRun<H>> {
        let MeasurementArguments { journal, resume, force, part } = arguments;
        ensure!(
            part.shard.is_none() || journal.is_some(),
            "--shard needs --journal: the file that is joined with those of the other shards"
        );
        let mut done = BTreeMap::new();
        let mut open = |path: &PathBuf| {
            let existing = ExistingJournal::of_flags(*resume, *force);
            let mut header_after = |_: Option<&H>| Ok(identity.clone());
            JournalFile::open(path, "--journal", existing, pieces, &mut header_after, &mut |piece, entry| {
                done.insert(piece, entry);
            })
        };
        let journal = journal.as_ref().map(&mut open).transpose()?.map(|(_, journal)| journal);
        if journal.is_some() {
            say_aside(&format!("if interrupted, go on with: {}", long_run::this_command(GoingOn::Resume)));
        }
        Ok(PieceRun { journal, done, pieces, shard: part.shard })
    }

    /// A run whose end is a file: with the journal of a training, or without one where no file is wanted.
    ///
    /// # Errors
    /// A shard or a journal without a file, or those of [`JournalFile::open`].
    pub fn of_training(arguments: &TrainingArguments, out: Option<&Path>, identity: &H, pieces: u64) -> Result<PieceRun<H>> {
        let shard = arguments.part.shard;
        ensure!(
            out.is_some() || (shard.is_none() && arguments.journal.is_none()),
            "--shard and --journal need --out: the file of the report"
        );
        let mut done = BTreeMap::new();
        let mut open = |path| arguments.open(path, identity, pieces, &mut |piece, entry| drop(done.insert(piece, entry)));
        let journal = out.map(&mut open).transpose()?;
        Ok(PieceRun { journal, done, pieces, shard })
    }

    /// The pieces that are done, with their numbers.
    pub fn done(&self) -> impl Iterator<Item = (u64, &H::Entry)> {
        self.done.iter().map(|(&piece, entry)| (piece, entry))
    }

    /// The pieces that belong to this run, in order.
    pub fn own(&self) -> Vec<u64> {
        pieces_left(0..self.pieces, self.shard, |_| false)
    }

    /// The pieces that are still to be done, in order.
    pub fn left(&self) -> Vec<u64> {
        pieces_left(0..self.pieces, self.shard, |piece| self.done.contains_key(&piece))
    }

    /// A piece that is done.
    pub fn get(&self, piece: u64) -> Option<&H::Entry> {
        self.done.get(&piece)
    }

    /// Saves a piece. It is on the disk when this returns, if there is a journal.
    ///
    /// # Errors
    /// The journal cannot be written to.
    pub fn keep(&mut self, piece: u64, entry: H::Entry) -> Result<()> {
        if let Some(journal) = &mut self.journal {
            journal.add([(piece, &entry)])?;
        }
        self.done.insert(piece, entry);
        Ok(())
    }

    /// Returns all pieces in order, when all are done; for a shard, a line that reports its progress.
    pub fn finish(self) -> FinishedRun<H> {
        match (self.shard, &self.journal) {
            (Some(shard), Some(journal)) => FinishedRun::Shard(journal.shard_line(shard, self.pieces)),
            _ => FinishedRun::Whole(self.done.into_values().collect(), self.journal),
        }
    }
}

/// The end of a run of pieces.
#[derive(Debug)]
pub enum FinishedRun<H: JournalHeader> {
    /// All pieces, in order, and the journal, if there is one.
    Whole(Vec<H::Entry>, Option<JournalFile<H>>),
    /// A line about the part that was done.
    Shard(String),
}
