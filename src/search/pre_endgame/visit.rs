//! A stage's work on one candidate: its input ([`Assignment`]) and its output ([`Visit`]).

use crate::rules::Placement;
use crate::search::budget::Signals;
use crate::search::pre_endgame::candidate::{MeanSpread, PreEndgameCandidate};
use crate::search::pre_endgame::endgames::{Case, LeadAnswer};
use crate::search::pre_endgame::results::{CERTAIN, DealResult, WinTieLoss};
use std::cmp::Reverse;

/// What a candidate must be able to reach to be of interest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// Its chance, thousandths times weight, must be this at least.
    pub chance: u64,
    /// Its sum of final leads, points times weight, must exceed this.
    pub lead_sum: Option<i64>,
}

/// What earlier candidates teach about the draws: it changes the order of work, not what is true.
#[derive(Clone, Debug)]
pub struct Hints {
    /// By draw: the chance that candidates lost by it, thousandths times weight. The most costly draws are examined first.
    pub losses: Vec<u64>,
    /// By draw: the opponent's placement that refuted the last candidate that lost by it. It is tried first.
    pub refutations: Vec<Option<Placement>>,
}

impl Hints {
    /// Nothing is known of any draw.
    pub fn none(draws: usize) -> Hints {
        Hints { losses: vec![0; draws], refutations: vec![None; draws] }
    }

    /// Learns from a visit of this candidate.
    pub fn learn(&mut self, candidate: &PreEndgameCandidate, visit: &Visit) {
        for (deal, result) in candidate.deals.iter().zip(&visit.results) {
            let lost = result.map_or(0, |result| CERTAIN - candidate.chance_of(&result));
            self.losses[deal.draw] += deal.weight * lost;
        }
        for (draw, refutation) in &visit.refutations {
            self.refutations[*draw] = Some(*refutation);
        }
    }
}

/// A candidate to work on. What a visit finds depends on this alone: not on the thread, nor on what the thread did before.
#[derive(Clone, Copy)]
pub struct Assignment<'a> {
    /// The candidate.
    pub candidate: &'a PreEndgameCandidate,
    /// Whether it is the leader, with which others are compared.
    pub is_leader: bool,
    /// What it must be able to reach.
    pub target: Target,
    /// What earlier candidates teach.
    pub hints: &'a Hints,
    /// They may end the visit.
    pub signals: &'a Signals,
}

impl Assignment<'_> {
    /// The numbers of the deals in the order in which they are examined: those expected to be lost first, then those that cost
    /// other candidates most.
    pub fn order(&self) -> Vec<usize> {
        let PreEndgameCandidate { deals, results, .. } = self.candidate;
        let expected = |deal: usize| results[deal].map_or(WinTieLoss::Tie, |result| result.outcome);
        let mut order: Vec<usize> = (0..deals.len()).collect();
        order.sort_by_key(|&deal| (expected(deal), Reverse((self.hints.losses[deals[deal].draw], deals[deal].weight))));
        order
    }

    /// The opponent's placement to try first in a deal.
    pub fn refutation(&self, deal: usize) -> Option<&Placement> {
        self.hints.refutations[self.candidate.deals[deal].draw].as_ref()
    }

    /// Ends the visit if a signal came.
    ///
    /// # Errors
    /// [`Stopped`] in that case.
    pub fn go_on(&self) -> Result<(), Stopped> {
        if self.signals.is_stopped() { Err(Stopped) } else { Ok(()) }
    }
}

/// A signal came in the middle of the work: what was found so far is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// How a visit ended by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VisitEnd {
    /// All that the stage asks was found out.
    Complete,
    /// The candidate cannot reach its target.
    Cut,
    /// A rival was not shown to be better than the leader.
    NotBetter,
}

/// What a visit found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    /// By deal.
    pub results: Vec<Option<DealResult>>,
    /// The mean final lead, if it was worked out.
    pub spread: Option<MeanSpread>,
    /// Numbers of draws that are lost, each with the opponent's placement that refuted us ([`LeadAnswer::refutation`]).
    pub refutations: Vec<(usize, Placement)>,
    /// Plays generated and endgame positions searched.
    pub nodes: u64,
}

impl Visit {
    /// The beginning of one: what is known of the candidate.
    pub fn of(candidate: &PreEndgameCandidate) -> Visit {
        Visit { results: candidate.results.clone(), spread: candidate.spread, refutations: Vec::new(), nodes: 0 }
    }

    /// Counts an answer's nodes, and keeps what may help other candidates.
    pub fn note_answer(&mut self, case: Case<'_>, answer: &LeadAnswer) {
        self.nodes += answer.nodes;
        self.refutations.extend(answer.refutation.map(|refutation| (case.bag().draw, refutation)));
    }

    /// The candidate with what was found out so far.
    pub fn applied_to(&self, candidate: &PreEndgameCandidate) -> PreEndgameCandidate {
        PreEndgameCandidate { results: self.results.clone(), ..candidate.clone() }
    }

    /// Notes the expected mean final lead after this round of tie-breaks (0: before the first), unless a later round noted one.
    pub fn note_mean(&mut self, candidate: &PreEndgameCandidate, round: usize) {
        if self.spread.is_some_and(|known| known.round > round) {
            return;
        }
        let mut spread = MeanSpread { round, ..MeanSpread::default() };
        for (deal, result) in candidate.deals.iter().zip(&self.results) {
            if let Some(result) = result {
                spread.sum += deal.weight as i64 * i64::from(result.expected);
                spread.weight += deal.weight;
            }
        }
        self.spread = Some(spread);
    }
}
