//! The course of a tournament: the finished pairs, the next pairs, and whether it is over.
//!
//! Start with [`TournamentCourse::add`].

use crate::host::journal_file::JournalFile;
use crate::host::output::RunProgress;
use crate::match_play::shard::Shard;
use crate::match_play::sprt::{Sprt, Verdict};
use crate::search::budget::Signals;
use crate::tournament::configuration::{Competitor, CompetitorKind};
use crate::tournament::pairings::{Pairing, Pairings};
use crate::tournament::record::{PairRecord, TournamentHeader};
use crate::tournament::standings::{Rating, TournamentStandings};
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Time between two checks for an interrupt.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Columns of a name in the table of progress.
const NAME_WIDTH: usize = 20;

/// Why a tournament ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TournamentEnd {
    /// All pairs are played.
    AllPairs,
    /// A test is decided.
    Decided,
    /// It was interrupted, and can be resumed.
    Interrupted,
    /// This machine has done its part. The rest is in the journals of other machines.
    ShardDone,
}

/// Gives several threads the next pairings.
#[derive(Debug)]
pub struct PairingDesk {
    pairings: Mutex<Pairings>,
    grown: Condvar,
}

impl PairingDesk {
    /// Returns a desk with these pairings, before the first pair.
    pub fn new(pairings: Pairings) -> PairingDesk {
        PairingDesk { pairings: Mutex::new(pairings), grown: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Pairings> {
        // Pairings change in one step, so a thread that panicked left them whole.
        self.pairings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts the pairs of the whole tournament.
    pub fn total(&self) -> u64 {
        self.lock().total()
    }

    /// Whether the pairing of a pair is already known.
    pub fn is_known(&self, pair: u64) -> bool {
        self.lock().pairing(pair).is_some()
    }

    /// Returns the pairing of a pair, after waiting for the pairs that it depends on. Returns `None` if the signals end the wait.
    pub fn pairing(&self, pair: u64, signals: &Signals) -> Option<Pairing> {
        let mut pairings = self.lock();
        while !signals.is_stopped() {
            if let Some(pairing) = pairings.pairing(pair) {
                return Some(pairing);
            }
            pairings = self.grown.wait_timeout(pairings, LOOK_EVERY).map_or_else(|poisoned| poisoned.into_inner().0, |(guard, _)| guard);
        }
        None
    }

    fn add(&self, pair: &PairRecord) {
        self.lock().add(pair);
        self.grown.notify_all();
    }
}

/// A match or tournament so far.
#[derive(Debug)]
pub struct TournamentCourse<'a> {
    /// The test that may end it.
    pub sprt: Option<Sprt>,
    /// Pairs of the whole tournament.
    pub total: u64,
    /// The standings after these pairs.
    pub standings: TournamentStandings,
    /// All finished pairs in order, if they are remembered.
    pub pairs: Vec<PairRecord>,
    remembering: PairRemembering,
    /// Pairs of an earlier run that wait for an unplayed pair before them.
    waiting: BTreeMap<u64, PairRecord>,
    desk: &'a PairingDesk,
}

/// Whether finished pairs are kept in memory, for outputs that are written at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairRemembering {
    /// Pairs are kept in memory.
    Remembered,
    /// Only the standings are kept.
    Forgotten,
}

impl<'a> TournamentCourse<'a> {
    /// Returns the course before the first pair, with these empty standings.
    pub fn new(
        standings: TournamentStandings,
        desk: &'a PairingDesk,
        sprt: Option<Sprt>,
        remembering: PairRemembering,
    ) -> TournamentCourse<'a> {
        TournamentCourse { sprt, total: desk.total(), standings, pairs: Vec::new(), remembering, waiting: BTreeMap::new(), desk }
    }

    /// Adds a pair of an earlier run, unless the tournament was over before it. The pair counts when all pairs before it have been added,
    /// since joined journals may have gaps.
    pub fn add_earlier(&mut self, pair: PairRecord) {
        self.waiting.insert(pair.pair, pair);
        self.add_waiting();
    }

    /// Adds a pair that was just played, and the pairs that waited for it. Breaks when the tournament is over. Pairs come in order.
    pub fn add(&mut self, pair: &PairRecord) -> ControlFlow<()> {
        self.count(pair);
        self.add_waiting();
        if self.end() == TournamentEnd::Interrupted { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn add_waiting(&mut self) {
        while self.end() == TournamentEnd::Interrupted
            && let Some(pair) = self.waiting.remove(&self.standings.pairs())
        {
            self.count(&pair);
        }
    }

    /// Counts a pair, even if pairs before it are missing.
    pub fn count(&mut self, pair: &PairRecord) {
        self.standings.add(pair);
        self.desk.add(pair);
        if self.remembering == PairRemembering::Remembered {
            self.pairs.push(pair.clone());
        }
    }

    /// Returns why the tournament ended, if it ended now.
    pub fn end(&self) -> TournamentEnd {
        let verdict = self.sprt.and_then(|sprt| Some(sprt.verdict(self.standings.pairing([0, 1])?)));
        match verdict {
            Some(Verdict::H0 | Verdict::H1) => TournamentEnd::Decided,
            _ if self.standings.pairs() >= self.total => TournamentEnd::AllPairs,
            _ => TournamentEnd::Interrupted,
        }
    }

    /// Returns the results so far for the progress display. The line has the leader, or the difference between two engines, a test, and the
    /// number of games lost by faults. Below it is a row for each engine.
    pub fn details(&self, competitors: &[Competitor]) -> (String, Vec<String>) {
        let mut ratings: Vec<(usize, Rating)> = self.standings.ratings().into_iter().enumerate().collect();
        ratings.sort_by(|(_, a), (_, b)| b.elo.total_cmp(&a.elo));
        let faults: u64 = self.standings.faults().map(|(_, _, games)| games).sum();
        let ratio = self.sprt.and_then(|sprt| Some(format!(", llr {:.2}", sprt.log_likelihood_ratio(self.standings.pairing([0, 1])?))));
        let leader = ratings.first().map(|(engine, rating)| {
            let name = &competitors[*engine].name;
            format!(", {name} leads with {:+.0} ± {:.0} Elo", rating.elo, rating.error)
        });
        // Two engines have more figures.
        let apart = self.standings.pairing([0, 1]).filter(|_| ratings.len() == 2).map(|statistics| {
            let (spread, win) = (&statistics.spread, &statistics.win);
            let [wins, error] = [win.mean, win.standard_error()].map(|share| 100.0 * share);
            format!(", spread {:.2} ± {:.2}, wins {wins:.2} ± {error:.2} %", spread.mean, spread.standard_error())
        });
        let leader = apart.or(leader);
        let row = |(engine, rating): &(usize, Rating)| {
            format!("  {:<NAME_WIDTH$} {:>+6.0} ± {:<6.0}", competitors[*engine].name, rating.elo, rating.error)
        };
        // Only programs have faults.
        let is_program = |competitor: &Competitor| matches!(competitor.kind, CompetitorKind::Program(_));
        let faults = if competitors.iter().any(is_program) { format!(", {faults} faults") } else { String::new() };
        let line = format!("{}{}{faults}", leader.unwrap_or_default(), ratio.unwrap_or_default());
        (line, ratings.iter().map(row).collect())
    }
}

/// Adds the pairs of a run to the course and to the journal, if there is one, as they are played.
pub struct PairKeeper<'k, 'a> {
    course: &'k mut TournamentCourse<'a>,
    journal: Option<JournalFile<TournamentHeader>>,
    competitors: &'k [Competitor],
    command: &'k str,
    /// The shard that is played here, unless it is the whole run. The pairs of a shard are kept but not counted.
    shard: Option<Shard>,
    done: u64,
    progress: RunProgress,
    outcome: Result<()>,
}

impl<'k, 'a> PairKeeper<'k, 'a> {
    /// Returns a keeper for the `left` pairs that the course still lacks. `command` resumes the run.
    pub fn new(
        course: &'k mut TournamentCourse<'a>,
        journal: Option<JournalFile<TournamentHeader>>,
        competitors: &'k [Competitor],
        command: &'k str,
        (shard, left): (Option<Shard>, u64),
    ) -> PairKeeper<'k, 'a> {
        let progress = match shard {
            Some(_) => RunProgress::new("pairs", 0, left),
            None => RunProgress::new("pairs", course.standings.pairs(), course.total),
        };
        PairKeeper { course, journal, competitors, command, shard, done: 0, progress, outcome: Ok(()) }
    }

    /// Adds pairs in order. Pairs after the one that ends the tournament do not count, and no record of them is made. The others are on the
    /// disk when this returns. Breaks when the tournament is over, or at an error, which [`PairKeeper::finish`] returns.
    pub fn add<P>(&mut self, pairs: Vec<P>, record: &mut impl FnMut(P) -> Result<PairRecord>) -> ControlFlow<()> {
        self.add_all(pairs, record).unwrap_or_else(|error| {
            self.outcome = Err(error);
            ControlFlow::Break(())
        })
    }

    fn add_all<P>(&mut self, pairs: Vec<P>, record: &mut impl FnMut(P) -> Result<PairRecord>) -> Result<ControlFlow<()>> {
        let kept = if self.shard.is_some() { self.done } else { self.course.standings.pairs() };
        let (mut played, mut flow) = (Vec::new(), ControlFlow::Continue(()));
        for pair in pairs {
            let pair = record(pair)?;
            if self.shard.is_none() {
                flow = self.course.add(&pair);
            }
            played.push(pair);
            if flow.is_break() {
                break;
            }
        }
        if let Some(journal) = &mut self.journal {
            let numbered = played.iter().map(|pair| (pair.pair, pair));
            journal.add(numbered).with_context(|| format!("{kept} pairs are kept, go on with: {}", self.command))?;
        }
        self.done += played.len() as u64;
        Ok(flow)
    }

    /// Reports the progress, unless it was reported a moment ago.
    pub fn tell(&mut self) {
        match self.shard {
            Some(_) => self.progress.tell(self.done),
            None => self.progress.tell_table(self.course.standings.pairs(), || self.course.details(self.competitors)),
        }
    }

    /// Ends the run, and returns the journal, if there is one.
    ///
    /// # Errors
    /// No record could be made of a pair, or the journal could not be written. The error has the number of kept pairs.
    pub fn finish(self) -> Result<Option<JournalFile<TournamentHeader>>> {
        self.outcome.map(|()| self.journal)
    }
}
