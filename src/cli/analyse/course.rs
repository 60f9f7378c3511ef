//! A running analysis: its journal, remaining time and progress.
//!
//! Start with [`AnalysisRun::open`], and [`AnalysisRun::game`] for each game.

use crate::analysis::JudgeBudget;
use crate::analysis::analyst::AnalysisCourse;
use crate::analysis::record::{AnalysisHeader, JudgedTurn};
use crate::analysis::report::TurnReport;
use crate::host::journal_file::{ExistingJournal, JournalFile};
use crate::host::output::RunProgress;
use crate::search::Signals;
use anyhow::Result;
use std::collections::HashMap;
use std::path::Path;
use std::time::Instant;

/// Each turn gets this at least, ms, when the time in all is used up.
const LEAST_MS: u64 = 20;

/// What all turns may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunBudget {
    /// No turn is judged.
    Nothing,
    /// Each turn the same.
    Each(JudgeBudget),
    /// `ms` milliseconds for all turns together: each turn gets an equal part of what the turns
    /// before it left.
    All {
        /// Time, ms.
        ms: u64,
    },
}

impl RunBudget {
    /// In words.
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
    /// Lines of the journal.
    lines: u64,
    budget: RunBudget,
    /// When the run has to be over, and the turns that are to be judged until then.
    end: Option<Instant>,
    left: u64,
    progress: RunProgress,
    done: u64,
    given_up: &'a Signals,
    /// Why the journal can no longer be written.
    error: Option<anyhow::Error>,
}

impl<'a> AnalysisRun<'a> {
    /// Opens the journal, if there is to be one, and starts the clock. `turns` is the number of turns in all.
    ///
    /// # Errors
    /// The journal is there and is to be kept, is of another analysis, is broken, or cannot be written.
    pub fn open(
        journal: Option<(&Path, ExistingJournal)>,
        header: &AnalysisHeader,
        budget: RunBudget,
        turns: u64,
        given_up: &'a Signals,
    ) -> Result<AnalysisRun<'a>> {
        let mut judged = Vec::new();
        let mut header_after = |_: Option<&AnalysisHeader>| Ok(header.clone());
        let mut open = |(path, existing)| JournalFile::open(path, "--journal", existing, &mut header_after, &mut |turn| judged.push(turn));
        let journal = journal.map(&mut open).transpose()?.map(|(_, journal)| journal);
        let lines = judged.len() as u64;
        let known: HashMap<_, _> = judged.into_iter().map(|judged| ((judged.game, judged.turn), judged.report)).collect();
        let left = turns.saturating_sub(known.len() as u64);
        // Time that an earlier run has used is gone with the turns that it was used for.
        let end = match budget {
            RunBudget::All { ms } => Some(Instant::now() + std::time::Duration::from_millis(ms.saturating_mul(left) / turns.max(1))),
            RunBudget::Each(_) | RunBudget::Nothing => None,
        };
        let progress = RunProgress::new("turns", turns - left, turns);
        Ok(AnalysisRun { journal, known, lines, budget, end, left, progress, done: turns - left, given_up, error: None })
    }

    /// The course of one of the games.
    pub fn game(&mut self, game: usize) -> GameCourse<'_, 'a> {
        GameCourse { run: self, game }
    }

    /// Turns that are judged, now or before.
    pub fn judged(&self) -> usize {
        self.known.len()
    }

    /// Whether what is judged is kept.
    pub fn has_journal(&self) -> bool {
        self.journal.is_some()
    }

    /// Why the run must end, if it must.
    pub fn take_error(&mut self) -> Option<anyhow::Error> {
        self.error.take()
    }

    fn keep(&mut self, game: usize, turn: usize, report: &TurnReport) {
        // What was not judged costs nothing to find again.
        if report.verdict.is_none() {
            return;
        }
        if let Some(journal) = &mut self.journal {
            let judged = JudgedTurn { number: self.lines, game, turn, report: report.clone() };
            match journal.add(&[judged]) {
                Ok(()) => self.lines += 1,
                Err(error) => {
                    self.error = Some(error);
                    self.given_up.stop();
                }
            }
        }
        self.known.insert((game, turn), report.clone());
    }
}

/// An analysis of one of the games.
pub struct GameCourse<'r, 'a> {
    run: &'r mut AnalysisRun<'a>,
    game: usize,
}

impl AnalysisCourse for GameCourse<'_, '_> {
    fn budget(&mut self) -> Option<JudgeBudget> {
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
        if self.run.known.contains_key(&(self.game, turn)) {
            return;
        }
        self.run.keep(self.game, turn, report);
        self.run.left = self.run.left.saturating_sub(1);
        self.run.done += 1;
        self.run.progress.tell(self.run.done);
    }
}
