//! A running analysis: its journal, remaining time and progress.
//!
//! Start with [`AnalysisRun::open`], and [`AnalysisRun::game`] for each game.

use crate::analysis::JudgeBudget;
use crate::analysis::analyst::AnalysisCourse;
use crate::analysis::record::{AnalysisHeader, JudgedTurn};
use crate::analysis::report::TurnReport;
use crate::host::journal_file::{ExistingJournal, JournalFile};
use crate::host::output::RunProgress;
use crate::match_play::shard::{Shard, pieces_left};
use crate::search::Signals;
use anyhow::Result;
use std::collections::HashMap;
use std::path::Path;
use std::time::Instant;

/// The least time of a turn, ms, once the time for all turns is used up.
const LEAST_MS: u64 = 20;

/// The search budget of a whole run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunBudget {
    /// No turn is judged.
    Nothing,
    /// The same budget for each turn.
    Each(JudgeBudget),
    /// `ms` milliseconds for all turns together: each turn gets an equal part of what the turns
    /// before it left.
    All {
        /// Time, ms.
        ms: u64,
    },
}

impl RunBudget {
    /// Describes the budget in words.
    pub fn text(self) -> String {
        match self {
            RunBudget::Nothing => "no turn judged".to_string(),
            RunBudget::Each(budget) => budget.text(),
            RunBudget::All { ms } => format!("{} s in all", ms as f64 / 1e3),
        }
    }
}

/// An analysis of all games.
pub struct AnalysisRun<'a> {
    journal: Option<JournalFile<AnalysisHeader>>,
    /// What the journal held, by game and turn.
    known: HashMap<(usize, usize), TurnReport>,
    /// The part of the turns that is judged here.
    shard: Option<Shard>,
    /// By game: the number of its first turn, counted over all games.
    first_turns: Vec<u64>,
    budget: RunBudget,
    /// When the run has to end, and how many turns are left to judge until then.
    end: Option<Instant>,
    left: u64,
    progress: RunProgress,
    done: u64,
    given_up: &'a Signals,
    /// Why the journal can no longer be written.
    error: Option<anyhow::Error>,
}

impl<'a> AnalysisRun<'a> {
    /// Opens the journal, if one is named, and starts the clock. `turns` has the number of turns of each game.
    ///
    /// # Errors
    /// The journal exists and may not be overwritten, belongs to another analysis, is damaged, or cannot be written.
    pub fn open(
        journal: Option<(&Path, ExistingJournal)>,
        header: &AnalysisHeader,
        (budget, shard): (RunBudget, Option<Shard>),
        turns: &[usize],
        given_up: &'a Signals,
    ) -> Result<AnalysisRun<'a>> {
        let mut judged = Vec::new();
        let mut header_after = |_: Option<&AnalysisHeader>| Ok(header.clone());
        let mut first_turns = vec![0];
        turns.iter().for_each(|&turns| first_turns.push(first_turns[first_turns.len() - 1] + turns as u64));
        let turns = first_turns[first_turns.len() - 1];
        let mut open =
            |(path, existing)| JournalFile::open(path, "--journal", existing, turns, &mut header_after, &mut |_, turn| judged.push(turn));
        let journal = journal.map(&mut open).transpose()?.map(|(_, journal)| journal);
        let known: HashMap<_, _> = judged.into_iter().map(|judged| ((judged.game, judged.turn), judged.report)).collect();
        let asked = pieces_left(0..turns, shard, |_| false).len() as u64;
        let left = journal.as_ref().map_or(asked, |journal| journal.left(0..turns, shard).len() as u64);
        // An earlier run has used up the time of the turns that it judged.
        let end = match budget {
            RunBudget::All { ms } => Some(Instant::now() + std::time::Duration::from_millis(ms.saturating_mul(left) / turns.max(1))),
            RunBudget::Each(_) | RunBudget::Nothing => None,
        };
        let done = asked - left;
        let progress = RunProgress::new("turns", done, asked);
        Ok(AnalysisRun { journal, known, shard, first_turns, budget, end, left, progress, done, given_up, error: None })
    }

    /// Returns the number of a turn, counted over all games.
    fn number(&self, game: usize, turn: usize) -> u64 {
        self.first_turns[game] + turn as u64
    }

    /// Whether a turn belongs to the part that is judged here.
    fn has(&self, game: usize, turn: usize) -> bool {
        self.shard.is_none_or(|shard| shard.has(self.number(game, turn)))
    }

    /// Returns the last line that a shard's run prints.
    pub fn shard_line(&self, shard: Shard) -> Option<String> {
        self.journal.as_ref().map(|journal| journal.shard_line(shard, self.first_turns[self.first_turns.len() - 1]))
    }

    /// Returns the course of the analysis of one game.
    pub fn game(&mut self, game: usize) -> GameCourse<'_, 'a> {
        GameCourse { run: self, game }
    }

    /// Counts the turns that have been judged, in this run or before it.
    pub fn judged(&self) -> usize {
        self.known.len()
    }

    /// Whether judged turns are kept in a journal.
    pub fn has_journal(&self) -> bool {
        self.journal.is_some()
    }

    /// Takes the error that ends the run, if there was one.
    pub fn take_error(&mut self) -> Option<anyhow::Error> {
        self.error.take()
    }

    fn keep(&mut self, game: usize, turn: usize, report: &TurnReport) {
        let number = self.number(game, turn);
        if let Some(journal) = &mut self.journal {
            let judged = JudgedTurn { game, turn, report: report.clone() };
            if let Err(error) = journal.add([(number, &judged)]) {
                self.error = Some(error);
                self.given_up.stop();
            }
        }
        self.known.insert((game, turn), report.clone());
    }
}

/// The analysis of one game.
pub struct GameCourse<'r, 'a> {
    run: &'r mut AnalysisRun<'a>,
    game: usize,
}

impl AnalysisCourse for GameCourse<'_, '_> {
    fn budget(&mut self, turn: usize) -> Option<JudgeBudget> {
        if !self.run.has(self.game, turn) {
            return None;
        }
        match (self.run.budget, self.run.end) {
            (RunBudget::Each(budget), _) => Some(budget),
            (RunBudget::Nothing, _) => None,
            (RunBudget::All { ms }, end) => {
                let left = end.map_or(ms, |end| end.saturating_duration_since(Instant::now()).as_millis().try_into().unwrap_or(u64::MAX));
                Some(JudgeBudget::Time { ms: (left / self.run.left.max(1)).max(LEAST_MS) })
            }
        }
    }

    fn judged_before(&mut self, turn: usize) -> Option<TurnReport> {
        self.run.known.get(&(self.game, turn)).cloned()
    }

    fn done(&mut self, turn: usize, report: &TurnReport) {
        if self.run.known.contains_key(&(self.game, turn)) || !self.run.has(self.game, turn) {
            return;
        }
        self.run.keep(self.game, turn, report);
        self.run.left = self.run.left.saturating_sub(1);
        self.run.done += 1;
        self.run.progress.tell(self.run.done);
    }
}
