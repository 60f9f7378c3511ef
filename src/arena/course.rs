//! The course of a tournament: finished pairs, the next ones, and whether it is over.
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

/// Time between two looks whether the run was interrupted.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Columns of a name in the table that is drawn while the tournament goes on.
const NAME_WIDTH: usize = 20;

/// Why a tournament ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TournamentEnd {
    /// All pairs are played.
    AllPairs,
    /// A test is decided.
    Decided,
    /// It was interrupted, and can go on.
    Interrupted,
    /// This machine has done its part: the rest is in the journals of others.
    ShardDone,
}

/// Tells several threads who plays next.
#[derive(Debug)]
pub struct PairingDesk {
    pairings: Mutex<Pairings>,
    grown: Condvar,
}

impl PairingDesk {
    /// A desk with these pairings, of which nothing is played.
    pub fn new(pairings: Pairings) -> PairingDesk {
        PairingDesk { pairings: Mutex::new(pairings), grown: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Pairings> {
        // A thread that panicked left whole pairings: they change in one step.
        self.pairings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Pairs of the whole tournament.
    pub fn total(&self) -> u64 {
        self.lock().total()
    }

    /// Whether the pairing of a pair is known now.
    pub fn is_known(&self, pair: u64) -> bool {
        self.lock().pairing(pair).is_some()
    }

    /// The pairing of a pair. Waits for those that it follows from; `None` if the signals end the wait.
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
    /// What the pairs say.
    pub standings: TournamentStandings,
    /// All pairs that are over, in order, if they are remembered.
    pub pairs: Vec<PairRecord>,
    remembering: PairRemembering,
    /// Pairs of an earlier run that come after some that are still to be played.
    waiting: BTreeMap<u64, PairRecord>,
    desk: &'a PairingDesk,
}

/// Whether pairs that are over are kept in memory: what is written of them at the end is made from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairRemembering {
    /// They are.
    Remembered,
    /// They are not: the standings are enough.
    Forgotten,
}

impl<'a> TournamentCourse<'a> {
    /// Nothing played yet, on these standings.
    pub fn new(
        standings: TournamentStandings,
        desk: &'a PairingDesk,
        sprt: Option<Sprt>,
        remembering: PairRemembering,
    ) -> TournamentCourse<'a> {
        TournamentCourse { sprt, total: desk.total(), standings, pairs: Vec::new(), remembering, waiting: BTreeMap::new(), desk }
    }

    /// Adds a pair of an earlier run, unless the tournament was over before it. It counts when all pairs before it are there: the journals of
    /// several machines may leave gaps.
    pub fn add_earlier(&mut self, pair: PairRecord) {
        self.waiting.insert(pair.pair, pair);
        self.add_waiting();
    }

    /// Adds a pair that was played now, and those that waited for it; breaks off when the tournament is over. Pairs come in order.
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

    /// Counts a pair, whether or not those before it are there.
    pub fn count(&mut self, pair: &PairRecord) {
        self.standings.add(pair);
        self.desk.add(pair);
        if self.remembering == PairRemembering::Remembered {
            self.pairs.push(pair.clone());
        }
    }

    /// Why it ended, if it ended now.
    pub fn end(&self) -> TournamentEnd {
        let verdict = self.sprt.and_then(|sprt| Some(sprt.verdict(self.standings.pairing([0, 1])?)));
        match verdict {
            Some(Verdict::H0 | Verdict::H1) => TournamentEnd::Decided,
            _ if self.standings.pairs() >= self.total => TournamentEnd::AllPairs,
            _ => TournamentEnd::Interrupted,
        }
    }

    /// The results so far, for the line of progress: the leader, or how far two engines are apart, a test, and how many games were lost by
    /// faults. Behind it a row for each engine.
    pub fn details(&self, competitors: &[Competitor]) -> (String, Vec<String>) {
        let mut ratings: Vec<(usize, Rating)> = self.standings.ratings().into_iter().enumerate().collect();
        ratings.sort_by(|(_, a), (_, b)| b.elo.total_cmp(&a.elo));
        let faults: u64 = self.standings.faults().map(|(_, _, games)| games).sum();
        let ratio = self.sprt.and_then(|sprt| Some(format!(", llr {:.2}", sprt.log_likelihood_ratio(self.standings.pairing([0, 1])?))));
        let leader = ratings.first().map(|(engine, rating)| {
            let name = &competitors[*engine].name;
            format!(", {name} leads with {:+.0} ± {:.0} Elo", rating.elo, rating.error)
        });
        // Of two engines there is more to say.
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

/// Takes in the pairs of a run as they are played: into the course and, if there is one, the journal.
pub struct PairKeeper<'k, 'a> {
    course: &'k mut TournamentCourse<'a>,
    journal: Option<JournalFile<TournamentHeader>>,
    competitors: &'k [Competitor],
    command: &'k str,
    /// The part of the run that is played here, if it is not all of it: its pairs are kept and not counted.
    shard: Option<Shard>,
    done: u64,
    progress: RunProgress,
    outcome: Result<()>,
}

impl<'k, 'a> PairKeeper<'k, 'a> {
    /// For `left` pairs that the course does not have yet. `command` is the one that goes on with the run.
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

    /// Adds pairs, in order, as far as they count: those after the one that ends the tournament do
    /// not, and no record of them is made. They are on the disk when this returns. Breaks off when the tournament is over, or at an error, which
    /// [`PairKeeper::finish`] has.
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

    /// The run is over. Returns the journal, if there is one.
    ///
    /// # Errors
    /// No record could be made of a pair, or the journal could not be written to: the number of kept pairs is reported then.
    pub fn finish(self) -> Result<Option<JournalFile<TournamentHeader>>> {
        self.outcome.map(|()| self.journal)
    }
}
