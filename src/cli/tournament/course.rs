//! How far a tournament is: its pairs, who plays the next ones, and whether it is over.
//!
//! Start with [`TournamentCourse::add`].

use crate::match_play::sprt::{Sprt, Verdict};
use crate::search::budget::Signals;
use crate::tournament::configuration::Competitor;
use crate::tournament::pairings::{Pairing, Pairings};
use crate::tournament::record::PairRecord;
use crate::tournament::standings::{Rating, TournamentStandings};
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

/// A tournament so far.
#[derive(Debug)]
pub struct TournamentCourse<'a> {
    /// The test that may end it.
    pub sprt: Option<Sprt>,
    /// Pairs of the whole tournament.
    pub total: u64,
    /// What the pairs say.
    pub standings: TournamentStandings,
    /// All pairs that are over, in order.
    pub pairs: Vec<PairRecord>,
    desk: &'a PairingDesk,
}

impl<'a> TournamentCourse<'a> {
    /// Nothing played yet by so many engines.
    pub fn new(engines: usize, desk: &'a PairingDesk, sprt: Option<Sprt>) -> TournamentCourse<'a> {
        TournamentCourse { sprt, total: desk.total(), standings: TournamentStandings::new(engines), pairs: Vec::new(), desk }
    }

    /// Adds a pair, in order; breaks off when the tournament is over.
    pub fn add(&mut self, pair: PairRecord) -> ControlFlow<()> {
        self.standings.add(&pair);
        self.desk.add(&pair);
        self.pairs.push(pair);
        if self.end() == TournamentEnd::Interrupted { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
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

    /// The results so far, for the line of progress: the leader, a test, and how many games were lost by faults. Behind it a row for each
    /// engine.
    pub fn details(&self, competitors: &[Competitor]) -> (String, Vec<String>) {
        let mut ratings: Vec<(usize, Rating)> = self.standings.ratings().into_iter().enumerate().collect();
        ratings.sort_by(|(_, a), (_, b)| b.elo.total_cmp(&a.elo));
        let faults: u64 = self.standings.faults().map(|(_, _, games)| games).sum();
        let ratio = self.sprt.and_then(|sprt| Some(format!(", llr {:.2}", sprt.log_likelihood_ratio(self.standings.pairing([0, 1])?))));
        let leader = ratings.first().map(|(engine, rating)| {
            let name = &competitors[*engine].name;
            format!(", {name} leads with {:+.0} ± {:.0} Elo", rating.elo, rating.error)
        });
        let row = |(engine, rating): &(usize, Rating)| {
            format!("  {:<NAME_WIDTH$} {:>+6.0} ± {:<6.0}", competitors[*engine].name, rating.elo, rating.error)
        };
        let line = format!("{}{}, {faults} faults", leader.unwrap_or_default(), ratio.unwrap_or_default());
        (line, ratings.iter().map(row).collect())
    }
}
