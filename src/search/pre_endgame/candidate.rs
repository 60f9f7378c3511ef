//! What is known of a candidate: a result for each deal, its share of the wins, and its rank.
//!
//! Shares are counted in half wins times weight, chances in thousandths times weight: integers, so that sums do not depend on
//! their order. A share counts results as they were found; a chance, by which candidates are compared, takes into account how far
//! they can be trusted: a playout that ends a point ahead says little, one that ends forty ahead nearly all.

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::search::pre_endgame::draws::BagDeal;
use std::cmp::{Ordering, Reverse};
use std::sync::Arc;

/// A chance that is none: thousandths.
pub const CERTAIN: u64 = 1000;

/// The final lead from which a playout counts as sure, points; below, the chance is linear.
const SURE_LEAD: i64 = 20;

/// How often, in thousandths, a sign that a searched endgame expects and does not prove is wrong.
const WRONG_SIGNS: u64 = 100;

/// How a game ends for us.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WinTieLoss {
    /// Behind.
    Loss,
    /// Level.
    Tie,
    /// Ahead.
    Win,
}

impl WinTieLoss {
    /// Of a final lead.
    pub fn of(spread: i32) -> WinTieLoss {
        match spread.cmp(&0) {
            Ordering::Less => WinTieLoss::Loss,
            Ordering::Equal => WinTieLoss::Tie,
            Ordering::Greater => WinTieLoss::Win,
        }
    }

    /// Half wins.
    pub fn half_wins(self) -> u64 {
        self as u64
    }

    /// The chance of winning, thousandths, if this is certain.
    fn chance(self) -> u64 {
        self.half_wins() * CERTAIN / 2
    }
}

/// What a result rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProofStatus {
    /// A greedy playout, or an endgame searched with so many nodes.
    Estimate {
        /// 0 for a playout.
        nodes: u64,
    },
    /// The endgame is solved, but it is only the model of the players that led to it.
    Modelled,
    /// The result is proved. Of a candidate that leaves tiles in the bag: we get no more than this result against an opponent
    /// who plays as well as possible, since the model's one, who holds us to it, uses only what he can know.
    Proved,
}

/// What is known of one deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DealResult {
    /// The result.
    pub outcome: WinTieLoss,
    /// What it rests on.
    pub proof: ProofStatus,
    /// Our final lead as it is expected, points: that of the last playout, as far as it may be true.
    pub expected: i32,
    /// Our final lead is proved to be this or more, after the line that led to the endgame.
    pub least: Option<i32>,
    /// And this or less.
    pub most: Option<i32>,
}

impl DealResult {
    /// Of a playout that ends with this lead of ours.
    pub fn of_playout(expected: i32) -> DealResult {
        DealResult { outcome: WinTieLoss::of(expected), proof: ProofStatus::Estimate { nodes: 0 }, expected, least: None, most: None }
    }

    /// Notes what is proved of the endgame's value, on this proof, with what that says of the result.
    pub fn note(&mut self, least: Option<i32>, most: Option<i32>, proof: ProofStatus) {
        self.least = self.least.max(least);
        self.most = self.most.into_iter().chain(most).min();
        self.expected = self.least.map_or(self.expected, |least| least.max(self.expected));
        self.expected = self.most.map_or(self.expected, |most| most.min(self.expected));
        let outcome = match (self.least, self.most) {
            (Some(1..), _) => WinTieLoss::Win,
            (_, Some(..=-1)) => WinTieLoss::Loss,
            (Some(0), Some(0)) => WinTieLoss::Tie,
            _ => return,
        };
        if self.proof < proof {
            (self.outcome, self.proof) = (outcome, proof);
        }
    }

    /// Whether the final lead is known.
    pub fn is_exact(&self) -> bool {
        self.least.is_some() && self.least == self.most
    }

    /// The chance that we win, a tie being half a win, in thousandths.
    pub fn chance(&self) -> u64 {
        match (self.proof, self.outcome) {
            (ProofStatus::Estimate { nodes: 0 }, _) => {
                let lead = i64::from(self.expected).clamp(-SURE_LEAD, SURE_LEAD);
                (CERTAIN as i64 * (SURE_LEAD + lead) / (2 * SURE_LEAD)) as u64
            }
            (ProofStatus::Estimate { .. }, WinTieLoss::Win) => CERTAIN - WRONG_SIGNS,
            (ProofStatus::Estimate { .. }, WinTieLoss::Loss) => WRONG_SIGNS,
            (_, outcome) => outcome.chance(),
        }
    }
}

/// A mean final lead, what breaks ties between equal shares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeanSpread {
    /// Points times weight, over the deals that were played out or searched.
    pub sum: i64,
    /// Their weight. Only equal ones are comparable.
    pub weight: u64,
    /// How thoroughly: 0 for playouts, then the number of the last round of tie-breaks. Only equal ones are comparable.
    pub stage: usize,
}

/// A play with what is known of it.
#[derive(Clone, Debug)]
pub struct PegCandidate {
    /// The play with its static evaluation.
    pub play: EvaluatedPlay,
    /// Tiles we draw after it.
    pub drawn: usize,
    /// Whether tiles stay in the bag: then a model of both players chooses what follows.
    pub is_modelled: bool,
    /// The deals it is judged by.
    pub deals: Arc<[BagDeal]>,
    /// By deal. `None`: not examined.
    pub results: Vec<Option<DealResult>>,
    /// The mean final lead, once deals have been played out.
    pub spread: Option<MeanSpread>,
    /// The last stage it went through, 0 for none.
    pub stage: usize,
    /// Whether that stage broke it off, since it cannot come up to the best any more.
    pub is_cut: bool,
}

impl PegCandidate {
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

    /// The chance of winning, thousandths times weight, over the deals examined.
    pub fn chance(&self) -> u64 {
        self.sum(|result| result.map_or(0, |result| result.chance()))
    }

    /// The half wins it may have if every deal whose proof is below this one is won.
    pub fn half_wins_above(&self, proof: ProofStatus) -> u64 {
        self.sum(|result| result.filter(|result| result.proof >= proof).map_or(2, |result| result.outcome.half_wins()))
    }

    /// Whether any result rests on more than a playout.
    pub fn is_searched(&self) -> bool {
        self.results.iter().flatten().any(|result| result.proof > ProofStatus::Estimate { nodes: 0 })
    }

    /// Whether every deal's result has at least this proof.
    pub fn is_proved_to(&self, proof: ProofStatus) -> bool {
        self.results.iter().all(|result| result.is_some_and(|result| result.proof >= proof))
    }

    /// What the sum of final leads, points times weight, is at least, with this proof.
    pub fn least_sum(&self, proof: ProofStatus) -> Option<i64> {
        self.sum_of(proof, |result| result.least)
    }

    /// And at most.
    pub fn most_sum(&self, proof: ProofStatus) -> Option<i64> {
        self.sum_of(proof, |result| result.most)
    }

    fn sum_of(&self, proof: ProofStatus, lead: impl Fn(DealResult) -> Option<i32>) -> Option<i64> {
        // What is proved of an endgame is as true as the line that led to it.
        let is_proved_to = |result: &DealResult| !self.is_modelled || result.proof >= proof;
        let leads = self.results.iter().map(|result| result.filter(is_proved_to).and_then(&lead));
        self.deals.iter().zip(leads).map(|(deal, lead)| Some(deal.weight as i64 * i64::from(lead?))).sum()
    }

    /// Whether two candidates have the same share after the same stage.
    pub fn is_level_with(&self, other: &PegCandidate) -> bool {
        let standing = |candidate: &PegCandidate| (candidate.stage, candidate.is_cut, candidate.half_wins());
        standing(self) == standing(other)
    }

    fn sum(&self, value: impl Fn(Option<DealResult>) -> u64) -> u64 {
        self.deals.iter().zip(&self.results).map(|(deal, result)| deal.weight * value(*result)).sum()
    }

    /// What rankings go by, the least first. Who went through more stages comes first, an unexamined candidate never before an
    /// examined one; in a stage, those that were broken off come last. Then the chance of winning; of equal ones, unless there is none,
    /// what is proved comes before what a model says. Then the mean spread, the static evaluation.
    pub fn rank(&self) -> impl Ord + use<> {
        // What was broken off has examined fewer deals: its chance is of those. The others of a stage examined equally many.
        let chance = if self.is_cut { (self.chance() << 20) / self.examined().max(1) } else { self.chance() };
        let is_sure = chance > 0 && !self.is_modelled && self.is_proved_to(ProofStatus::Proved);
        let spread = self.spread.map(|spread| (spread.stage, spread.sum));
        let merit = Reverse((chance, is_sure, spread, self.play.equity_millipoints));
        (Reverse(self.stage), self.is_cut, self.results.iter().all(Option::is_none), merit, self.play.play)
    }

    /// Who is worth searching, the least first: of those examined in full the ones with the best chances, whatever stages they
    /// went through.
    pub fn promise(&self) -> impl Ord + use<> {
        let is_complete = !self.is_cut && self.results.iter().all(Option::is_some);
        (Reverse(is_complete), Reverse(self.chance()), self.rank())
    }
}
