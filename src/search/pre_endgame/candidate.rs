//! A candidate with its results by deal, share of the wins and rank, and proofs about the leader.
//!
//! Shares are counted in half wins times weight, chances in thousandths times weight. Both are integers, so that sums do not
//! depend on their order. A share counts results as they were found. A chance also takes into account how far results can be
//! trusted: a playout that ends a point ahead says little, one that ends forty points ahead says nearly all. Candidates are
//! compared by their chances.

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::search::pre_endgame::draws::BagDeal;
use crate::search::pre_endgame::results::{DealResult, Foretelling, ProofStatus, WinTieLoss};
use std::cmp::Reverse;
use std::sync::Arc;

/// A mean final lead. It breaks ties between equal shares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeanSpread {
    /// Points times weight, over the deals that were played out or searched.
    pub sum: i64,
    /// Their weight. Only means of equal weight are comparable.
    pub weight: u64,
    /// How thorough it is: 0 for playouts, then the number of the last round of tie-breaks. Only equal ones are comparable.
    pub round: usize,
}

/// How far a candidate came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageReached {
    /// The number of the last counted stage that it went through, 0 for none.
    pub stage: usize,
    /// Whether that stage broke it off, because it cannot reach the best any more.
    pub is_cut: bool,
}

/// A play with what is known of it.
#[derive(Clone, Debug)]
pub struct PreEndgameCandidate {
    /// The play with its static evaluation.
    pub play: EvaluatedPlay,
    /// Tiles we draw after it.
    pub drawn: usize,
    /// Whether tiles stay in the bag. Then a model of both players chooses what follows.
    pub is_modelled: bool,
    /// The calibration of its unsolved results.
    pub foretelling: &'static Foretelling,
    /// The deals that it is judged by.
    pub deals: Arc<[BagDeal]>,
    /// By deal. `None`: not examined.
    pub results: Vec<Option<DealResult>>,
    /// The mean final lead, once deals have been played out.
    pub spread: Option<MeanSpread>,
    /// How far it came.
    pub reached: StageReached,
}

impl PreEndgameCandidate {
    /// Half wins, times weight, of the deals examined.
    pub fn half_wins(&self) -> u64 {
        self.sum(|result| result.map_or(0, |result| result.outcome.half_wins()))
    }

    /// Whether every deal is won, as far as is known.
    pub fn wins_all(&self) -> bool {
        self.results.iter().all(|result| result.is_some_and(|result| result.outcome == WinTieLoss::Win))
    }

    /// The weight of the deals examined.
    pub fn examined(&self) -> u64 {
        self.sum(|result| u64::from(result.is_some()))
    }

    /// Whether every deal has a result.
    pub fn is_examined_in_full(&self) -> bool {
        self.results.iter().all(Option::is_some)
    }

    /// The chance of winning, thousandths times weight, over the deals examined.
    pub fn chance(&self) -> u64 {
        self.sum(|result| result.map_or(0, |result| self.chance_of(&result)))
    }

    /// The chance of winning, thousandths, of a deal of this candidate with this result.
    pub fn chance_of(&self, result: &DealResult) -> u64 {
        result.chance(self.foretelling)
    }

    /// The most half wins, times weight, that it can have: every deal whose result is below this status counts as won.
    pub fn most_half_wins(&self, status: ProofStatus) -> u64 {
        self.sum(|result| result.filter(|result| result.status >= status).map_or(2, |result| result.outcome.half_wins()))
    }

    /// Whether any result rests on more than a playout.
    pub fn is_searched(&self) -> bool {
        self.results.iter().flatten().any(|result| result.status > ProofStatus::Estimate { nodes: 0 })
    }

    /// Whether every deal's result has this status or a stronger one.
    pub fn has_status(&self, status: ProofStatus) -> bool {
        self.results.iter().all(|result| result.is_some_and(|result| result.status >= status))
    }

    /// What the sum of final leads, points times weight, is at least, by results of this status.
    pub fn least_sum(&self, status: ProofStatus) -> Option<i64> {
        self.sum_of(status, |result| result.bounds.least)
    }

    /// The upper bound of that sum.
    pub fn most_sum(&self, status: ProofStatus) -> Option<i64> {
        self.sum_of(status, |result| result.bounds.most)
    }

    fn sum_of(&self, status: ProofStatus, lead: impl Fn(DealResult) -> Option<i32>) -> Option<i64> {
        // A bound is proved of the endgame alone. It is only as true as the line that led there.
        let is_true = |result: &DealResult| !self.is_modelled || result.status >= status;
        let leads = self.results.iter().map(|result| result.filter(is_true).and_then(&lead));
        self.deals.iter().zip(leads).map(|(deal, lead)| Some(deal.weight as i64 * i64::from(lead?))).sum()
    }

    /// Whether two candidates have the same share after the same stage.
    pub fn is_level_with(&self, other: &PreEndgameCandidate) -> bool {
        self.reached == other.reached && self.half_wins() == other.half_wins()
    }

    /// Whether this candidate is no better than the leader: it has a smaller share, or the same one and no greater spread. The
    /// leader's share has this status.
    pub fn is_behind(&self, leader: &PreEndgameCandidate, status: ProofStatus) -> bool {
        let spreads = leader.least_sum(status).zip(self.most_sum(status));
        self.most_half_wins(status) < leader.half_wins() || spreads.is_some_and(|(least, most)| most <= least)
    }

    fn sum(&self, value: impl Fn(Option<DealResult>) -> u64) -> u64 {
        self.deals.iter().zip(&self.results).map(|(deal, result)| deal.weight * value(*result)).sum()
    }

    /// The key of rankings, the least first:
    /// 1. Candidates that went through more stages come first. Within a stage, those broken off come last, and candidates that
    ///    nothing is known of never come before others.
    /// 2. Then the chance of winning counts. At equal chances above zero, what is proved comes before what a model says.
    /// 3. Then the mean spread, then static equity.
    pub fn rank(&self) -> impl Ord + use<> {
        let StageReached { stage, is_cut } = self.reached;
        // A candidate that was broken off has fewer deals examined, so its chance is taken over those. All others of a stage
        // have equally many.
        let chance = if is_cut { (self.chance() << 20) / self.examined().max(1) } else { self.chance() };
        let is_sure = chance > 0 && !self.is_modelled && self.has_status(ProofStatus::Proved);
        let spread = self.spread.map(|spread| (spread.round, spread.sum));
        let merit = Reverse((chance, is_sure, spread, self.play.equity));
        (Reverse(stage), is_cut, self.results.iter().all(Option::is_none), merit, self.play.play)
    }

    /// The key by which candidates are chosen for a search, the least first: those examined in full come first, then the best
    /// chances, whatever stages they went through.
    pub fn promise(&self) -> impl Ord + use<> {
        let is_complete = !self.reached.is_cut && self.is_examined_in_full();
        (Reverse(is_complete), Reverse(self.chance()), self.rank())
    }
}

/// What is proved about the candidate ranked first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeaderProof {
    /// Nothing.
    Nothing,
    /// No other has a greater share of wins.
    Share,
    /// No other has a greater share, or the same one and a greater spread.
    Everything,
}

impl LeaderProof {
    /// For candidates in the order of their ranks, by results of this status or a stronger one.
    pub fn of<'a>(mut candidates: impl Iterator<Item = &'a PreEndgameCandidate> + Clone, status: ProofStatus) -> LeaderProof {
        let Some(leader) = candidates.next() else { return LeaderProof::Nothing };
        let share = leader.half_wins();
        if !leader.has_status(status) || candidates.clone().any(|other| other.most_half_wins(status) > share) {
            return LeaderProof::Nothing;
        }
        if candidates.all(|other| other.is_behind(leader, status)) { LeaderProof::Everything } else { LeaderProof::Share }
    }
}
