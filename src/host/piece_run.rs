//! Runs of numbered pieces that may keep a journal, of which a machine may do a part: what the subcommands of `lab` have in common.
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
    /// Keep what is found of each position in this file, so that nothing is lost if the run is interrupted.
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,
    /// Go on with the run of the journal, if it is there.
    #[arg(long, requires = "journal")]
    pub resume: bool,
    /// Write over a journal that is there.
    #[arg(long, requires = "journal", conflicts_with = "resume")]
    pub force: bool,
    /// The part that is measured here.
    #[command(flatten)]
    pub part: ShardArguments,
}

/// The flags of a training that keeps a journal until its table is made.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct TrainingArguments {
    /// Where the pieces are kept while the run goes on [default: the --out file with .part behind, which is removed when that file is written].
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,
    /// Whether a file of the table's name is written over.
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

    /// Claims the place of a table whose journal is elsewhere, or has the table's place by its name. What a run that goes on has written
    /// it may write again.
    ///
    /// # Errors
    /// Those of [`OutputFile::claim`].
    pub fn claim(&self, out: &Path) -> Result<OutputFile> {
        let journal = self.journal_of(out);
        let is_begun = std::fs::metadata(&journal).is_ok_and(|found| found.len() > 0);
        let overwrite = if is_begun { Overwrite::Allowed } else { self.overwriting.overwrite() };
        OutputFile::claim_beside(out, &journal, overwrite)
    }

    /// Opens the journal of a table. Says how to go on.
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

    /// The table is written: its journal is removed, unless the user named it.
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

    /// Keeps a piece. It is on the disk when this returns, if there is a journal.
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

    /// All pieces in order, when all are done. Of a shard, a line that says how far it is.
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
