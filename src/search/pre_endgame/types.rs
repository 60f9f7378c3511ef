//! Results of deals and candidates: how the game ends for us, what that rests on, and bounds on our final lead; a
//! candidate's share of the wins and its rank; proofs about the leader.
//!
//! "We" are the player on turn, whose plays are compared. All leads are ours.
//!
//! Shares are counted in half wins times weight, chances in thousandths times weight. Both are integers, so that sums
//! do not depend on their order. A share counts results as they were found. A chance also takes into account how far
//! they can be trusted: a playout that ends one point ahead is weak evidence, one that ends forty points ahead is
//! strong. Candidates are compared by their chances.

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::search::chances::Correction;
use crate::search::pre_endgame::draws::BagDeal;
use serde::{Deserialize, Serialize};
use std::cmp::{Ordering, Reverse};
use std::sync::Arc;

/// A chance of 1, in thousandths.
pub const CERTAIN: u64 = 1000;

/// A chance, 0 to 1, as an integer, so that equal chances are equal however they were summed.
pub fn billionths(chance: f64) -> u64 {
    (chance * 1e9).round() as u64
}

/// Calibrates the results of unsolved deals: how often such deals are won, in thousandths. A tie is half a win.
#[derive(Debug)]
pub struct Calibration {
    /// The chance by the final lead of a playout in points, interpolated linearly.
    by_lead: [(i64, i64); 9],
    /// The part of that chance that remains, in thousandths, if an unfinished search expects a
    /// loss.
    seems_lost: i64,
    /// The upper bound on the chance if an unfinished search expects a tie.
    seems_level: i64,
    /// The correction of the mean of such chances.
    correction: Correction,
}

/// For candidates that empty a bag of one or two tiles. The opponent is on turn and finds better plays than a playout
/// does: a deal whose playout ends level is lost more often than not.
///
/// Fitted by hand on positions of static games (`tilewright lab pegs --estimates --seed 3`);
/// its results on other positions are in `benches/history.md`.
const BAG_EMPTIED: Calibration = Calibration {
    by_lead: [(-25, 0), (-12, 20), (-5, 90), (-1, 180), (1, 430), (6, 620), (12, 740), (20, 840), (60, 1000)],
    seems_lost: 100,
    seems_level: 400,
    correction: Correction::NONE,
};

/// For candidates that leave one of two tiles in the bag, after which a model chooses the plays. A real opponent finds
/// better plays than the model's, also where the endgames are solved. The correction was fitted on 378 such leaders in games of
/// the engine against itself. Of those for which the model found 20 to 70 %, 38 % on average, 11 % won.
const TILES_STAY: Calibration = Calibration {
    by_lead: [(-60, 0), (-30, 40), (-18, 80), (-10, 280), (-3, 420), (3, 650), (7, 790), (14, 870), (60, 1000)],
    seems_lost: 250,
    seems_level: 400,
    correction: Correction::new(-1.7, 1.9),
};

/// For three or four tiles in the bag, a case that the other two calibrations were not fitted to. It assumes that
/// playouts err equally often in both directions. `benches/strength.md` compares this choice with the fitted
/// calibrations. Results of searches are discounted as in [`TILES_STAY`]. The correction is that of the leaders in two
/// tournaments of the engine against itself, with 4,000 to 40,000 nodes.
const MORE_TILES: Calibration = Calibration {
    by_lead: [(-20, 0), (-15, 125), (-10, 250), (-5, 375), (0, 500), (5, 625), (10, 750), (15, 875), (20, 1000)],
    correction: Correction::new(-0.76, 1.25),
    ..TILES_STAY
};

/// The fitted calibrations apply up to this many tiles in the bag.
const FITTED_TILES: usize = 2;

impl Calibration {
    /// The calibration for a candidate with `in_bag` tiles in the bag before it.
    /// A candidate that leaves tiles in the bag is modelled; one that empties it is not.
    pub fn of(in_bag: usize, is_modelled: bool) -> &'static Calibration {
        match (in_bag, is_modelled) {
            (..=FITTED_TILES, false) => &BAG_EMPTIED,
            (..=FITTED_TILES, true) => &TILES_STAY,
            _ => &MORE_TILES,
        }
    }

    /// The correction of the mean of chances.
    pub fn correction(&self) -> Correction {
        self.correction
    }

    /// The chance by the final lead of a playout, thousandths.
    fn of_lead(&self, lead: i64) -> i64 {
        let chance = |ends: &[(i64, i64)]| {
            let [(from, least), (to, most)] = [ends[0], ends[1]];
            least + (most - least) * (lead.clamp(from, to) - from) / (to - from)
        };
        let range = self.by_lead.windows(2).find(|ends| lead < ends[1].0);
        chance(range.unwrap_or(&self.by_lead[self.by_lead.len() - 2..]))
    }
}

/// How a game ends for us.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WinTieLoss {
    /// Behind.
    Loss,
    /// Level.
    Tie,
    /// Ahead.
    Win,
}

impl WinTieLoss {
    /// Returns the outcome of a final lead.
    pub fn of(lead: i32) -> WinTieLoss {
        match lead.cmp(&0) {
            Ordering::Less => WinTieLoss::Loss,
            Ordering::Equal => WinTieLoss::Tie,
            Ordering::Greater => WinTieLoss::Win,
        }
    }

    /// Half wins: 0, 1 or 2.
    pub fn half_wins(self) -> u64 {
        self as u64
    }

    /// The chance of winning, in thousandths, if this outcome is certain.
    fn chance(self) -> u64 {
        self.half_wins() * CERTAIN / 2
    }
}

/// What a result rests on, from weak to strong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProofStatus {
    /// A greedy playout, or an endgame that was searched and not solved.
    Estimate {
        /// What the search was allowed, 0 for a playout.
        nodes: u64,
    },
    /// The endgame is solved, but a model of both players led to it.
    Modelled,
    /// Proved. For a candidate that leaves tiles in the bag, the result is an upper bound: a perfect opponent allows us
    /// no more, because the model's opponent already holds us to it and uses only what they can know.
    Proved,
}

/// Proved bounds on our final lead, in points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeadBounds {
    /// The lead is at least this.
    pub least: Option<i32>,
    /// The lead is at most this.
    pub most: Option<i32>,
}

impl LeadBounds {
    /// Returns the bounds of a known lead.
    pub fn exactly(lead: i32) -> LeadBounds {
        LeadBounds { least: Some(lead), most: Some(lead) }
    }

    /// Combines two sets of bounds on the same lead.
    fn and(self, other: LeadBounds) -> LeadBounds {
        LeadBounds { least: self.least.max(other.least), most: self.most.into_iter().chain(other.most).min() }
    }

    /// Whether the lead is known.
    pub fn is_exact(self) -> bool {
        self.least.is_some() && self.least == self.most
    }

    /// Whether nothing is known.
    pub fn is_open(self) -> bool {
        self == LeadBounds::default()
    }

    /// How the game ends, if the bounds decide that.
    pub fn outcome(self) -> Option<WinTieLoss> {
        match (self.least, self.most) {
            (Some(1..), _) => Some(WinTieLoss::Win),
            (_, Some(..=-1)) => Some(WinTieLoss::Loss),
            (Some(0), Some(0)) => Some(WinTieLoss::Tie),
            _ => None,
        }
    }

    /// Returns the lead within the bounds that is nearest to this one.
    fn nearest(self, lead: i32) -> i32 {
        let lead = self.least.map_or(lead, |least| least.max(lead));
        self.most.map_or(lead, |most| most.min(lead))
    }
}

/// The knowledge about one deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DealResult {
    /// How the game ends.
    pub outcome: WinTieLoss,
    /// What that rests on.
    pub status: ProofStatus,
    /// The expected final lead, in points: that of the last playout, clamped to the bounds.
    pub expected: i32,
    /// Proved bounds on the final lead, given the line that led to the endgame.
    pub bounds: LeadBounds,
}

impl DealResult {
    /// Returns the result of a playout that ends with this lead.
    pub fn of_playout(expected: i32) -> DealResult {
        let status = ProofStatus::Estimate { nodes: 0 };
        DealResult { outcome: WinTieLoss::of(expected), status, expected, bounds: LeadBounds::default() }
    }

    /// Adds what a search proved about the endgame. If that decides the winner, the result gets this status, unless it
    /// already has a stronger one.
    pub fn note(&mut self, bounds: LeadBounds, status: ProofStatus) {
        self.bounds = self.bounds.and(bounds);
        self.expected = self.bounds.nearest(self.expected);
        if let Some(outcome) = self.bounds.outcome()
            && self.status < status
        {
            (self.outcome, self.status) = (outcome, status);
        }
    }

    /// The chance that we win, thousandths. A tie is half a win. An unsolved result counts with the frequency at which
    /// such results turned out to be wins when solved. A search that merely expects a win adds nothing to the playout
    /// before it, because its first lines have not been answered yet.
    pub fn chance(&self, calibration: &Calibration) -> u64 {
        let ProofStatus::Estimate { nodes } = self.status else { return self.outcome.chance() };
        let by_lead = calibration.of_lead(self.expected.into());
        let chance = match self.outcome {
            WinTieLoss::Loss if nodes > 0 => by_lead * calibration.seems_lost / CERTAIN as i64,
            WinTieLoss::Tie if nodes > 0 => by_lead.min(calibration.seems_level),
            _ => by_lead,
        };
        chance.unsigned_abs()
    }
}

/// What a play is worth over all deals. Wins count first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlayWorth {
    /// Half wins times weight.
    pub half_wins: u64,
    /// The sum of final leads, in points times weight.
    pub lead_sum: i64,
}

impl PlayWorth {
    /// Adds a deal of this weight that ends with this lead.
    pub fn add(&mut self, weight: u64, lead: i32) {
        self.half_wins += weight * WinTieLoss::of(lead).half_wins();
        self.lead_sum += weight as i64 * i64::from(lead);
    }
}

/// A mean final lead. It breaks ties between equal shares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeanSpread {
    /// Points times weight, over the deals that were played out or searched.
    pub sum: i64,
    /// The weight of those deals. Only means of equal weight are comparable.
    pub weight: u64,
    /// How thorough it is: 0 for playouts, then the number of the last round of tie-breaks. Only means of the same
    /// round are comparable.
    pub round: usize,
}

/// The chances of some of a candidate's deals: thousandths times weight, and the weight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChanceSum {
    /// Of deals whose results are exact.
    exact: (u64, u64),
    /// Of all others.
    open: (u64, u64),
}

impl ChanceSum {
    /// All deals of a candidate, with these results by deal. `None` counts as a win.
    pub fn possible(candidate: &PreEndgameCandidate, result: impl Fn(usize) -> Option<DealResult>) -> ChanceSum {
        let mut sum = ChanceSum::default();
        (0..candidate.deals.len()).for_each(|deal| sum.add(candidate, deal, result(deal).as_ref()));
        sum
    }

    /// Adds a deal of a candidate with this result. `None` counts as a win.
    pub fn add(&mut self, candidate: &PreEndgameCandidate, deal: usize, result: Option<&DealResult>) {
        let (sum, chance, weight) = self.part(candidate, deal, result);
        *sum = (sum.0 + chance, sum.1 + weight);
    }

    /// Takes back a deal that was added with this result.
    pub fn take_back(&mut self, candidate: &PreEndgameCandidate, deal: usize, result: Option<&DealResult>) {
        let (sum, chance, weight) = self.part(candidate, deal, result);
        *sum = (sum.0 - chance, sum.1 - weight);
    }

    /// The sum that a deal belongs to, with its chance and its weight. The share of wins after a modelled play is never exact.
    fn part(&mut self, candidate: &PreEndgameCandidate, deal: usize, result: Option<&DealResult>) -> (&mut (u64, u64), u64, u64) {
        let weight = candidate.deals[deal].weight;
        let is_exact = !candidate.is_modelled && result.is_none_or(|result| result.status == ProofStatus::Proved);
        let chance = result.map_or(CERTAIN, |result| candidate.chance_of(result));
        (if is_exact { &mut self.exact } else { &mut self.open }, weight * chance, weight)
    }

    /// The mean chance, 0 to 1, in which the mean of the chances that are not exact is corrected. 0 without deals.
    pub fn mean(&self, correction: Correction) -> f64 {
        let (exact, open) = (self.exact.0 as f64 / CERTAIN as f64, self.open.1 as f64);
        let found = self.open.0 as f64 / CERTAIN as f64 / open.max(1.0);
        (exact + open * correction.apply(found)) / ((self.exact.1 + self.open.1) as f64).max(1.0)
    }
}

/// How far a candidate has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageReached {
    /// The number of the last counted stage that it went through, 0 for none.
    pub stage: usize,
    /// Whether that stage broke it off because it can no longer reach the best.
    pub is_cut: bool,
}

/// A play and what is known about it.
#[derive(Clone, Debug)]
pub struct PreEndgameCandidate {
    /// The play with its static evaluation.
    pub play: EvaluatedPlay,
    /// Tiles we draw after it.
    pub drawn: usize,
    /// Whether tiles stay in the bag, so that a model of both players chooses what follows.
    pub is_modelled: bool,
    /// The calibration of its unsolved results.
    pub calibration: &'static Calibration,
    /// The deals that it is judged by.
    pub deals: Arc<[BagDeal]>,
    /// The results by deal; `None` for a deal that was not examined.
    pub results: Vec<Option<DealResult>>,
    /// The mean final lead, once deals have been played out.
    pub spread: Option<MeanSpread>,
    /// How far it has come.
    pub reached: StageReached,
}

impl PreEndgameCandidate {
    /// Creates a candidate about which nothing is known yet, with `in_bag` tiles in the bag before it.
    pub fn new(play: EvaluatedPlay, in_bag: usize, drawn: usize, is_modelled: bool, deals: Arc<[BagDeal]>) -> PreEndgameCandidate {
        PreEndgameCandidate {
            play,
            drawn,
            is_modelled,
            calibration: Calibration::of(in_bag, is_modelled),
            results: vec![None; deals.len()],
            deals,
            spread: None,
            reached: StageReached::default(),
        }
    }

    /// Half wins, times weight, of the deals examined.
    pub fn half_wins(&self) -> u64 {
        self.sum(|result| result.map_or(0, |result| result.outcome.half_wins()))
    }

    /// Whether every deal is won, as far as known.
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

    /// The chance of winning, thousandths, of a deal of this candidate with this result.
    pub fn chance_of(&self, result: &DealResult) -> u64 {
        result.chance(self.calibration)
    }

    /// The corrected chance of winning over the deals examined, 0 to 1. Proved results count as they are, and the mean of all others is
    /// corrected: a real opponent finds better plays than playouts and models do.
    pub fn chance(&self) -> f64 {
        let mut chances = ChanceSum::default();
        for (deal, result) in self.results.iter().enumerate().filter(|(_, result)| result.is_some()) {
            chances.add(self, deal, result.as_ref());
        }
        chances.mean(self.calibration.correction)
    }

    /// The corrected chance of winning in billionths. Candidates are ranked by it.
    pub fn ranked_chance(&self) -> u64 {
        billionths(self.chance())
    }

    /// The greatest chance of winning, in billionths, that it can have: every deal whose result is below this status
    /// counts as won. Where results by a model count, they are corrected. For proofs they are not.
    pub fn most_chance(&self, status: ProofStatus) -> u64 {
        let most = self.most_half_wins(status) as f64 / (2 * self.sum(|_| 1)).max(1) as f64;
        billionths(if self.is_modelled && status < ProofStatus::Proved { self.calibration.correction.apply(most) } else { most })
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

    /// The lower bound on the sum of final leads, in points times weight, by results of this status.
    pub fn least_sum(&self, status: ProofStatus) -> Option<i64> {
        self.sum_of(status, |result| result.bounds.least)
    }

    /// The upper bound on the sum of final leads, by results of this status.
    pub fn most_sum(&self, status: ProofStatus) -> Option<i64> {
        self.sum_of(status, |result| result.bounds.most)
    }

    fn sum_of(&self, status: ProofStatus, lead: impl Fn(DealResult) -> Option<i32>) -> Option<i64> {
        // A bound is proved for the endgame alone. It is only as good as the line that led to the endgame.
        let is_true = |result: &DealResult| !self.is_modelled || result.status >= status;
        let leads = self.results.iter().map(|result| result.filter(is_true).and_then(&lead));
        self.deals.iter().zip(leads).map(|(deal, lead)| Some(deal.weight as i64 * i64::from(lead?))).sum()
    }

    /// Whether two candidates have the same share after the same stage.
    pub fn is_level_with(&self, other: &PreEndgameCandidate) -> bool {
        self.reached == other.reached && self.half_wins() == other.half_wins()
    }

    /// Whether this candidate is no better than the leader: it has a smaller share, or the same share and no greater
    /// spread. The leader's share has this status.
    pub fn is_behind(&self, leader: &PreEndgameCandidate, status: ProofStatus) -> bool {
        let spreads = leader.least_sum(status).zip(self.most_sum(status));
        self.most_chance(status) < leader.most_chance(status) || spreads.is_some_and(|(least, most)| most <= least)
    }

    fn sum(&self, value: impl Fn(Option<DealResult>) -> u64) -> u64 {
        self.deals.iter().zip(&self.results).map(|(deal, result)| deal.weight * value(*result)).sum()
    }

    /// The ranking key, smallest first:
    /// 1. Candidates that went through more stages come first. Within a stage, candidates that were broken off come
    ///    last, and candidates without results never come before others.
    /// 2. Then the corrected chance of winning counts. At equal chances above zero, proved results come before modelled ones.
    /// 3. Then the mean spread, then static equity.
    pub fn rank(&self) -> impl Ord + use<> {
        let StageReached { stage, is_cut } = self.reached;
        let chance = self.ranked_chance();
        let is_sure = chance > 0 && !self.is_modelled && self.has_status(ProofStatus::Proved);
        let spread = self.spread.map(|spread| (spread.round, spread.sum));
        let merit = Reverse((chance, is_sure, spread, self.play.equity));
        (Reverse(stage), is_cut, self.results.iter().all(Option::is_none), merit, self.play.play)
    }

    /// The key by which candidates are chosen for a search, smallest first: those examined in full come first, then
    /// those with the best chances, whatever stages they went through.
    pub fn promise(&self) -> impl Ord + use<> {
        let is_complete = !self.reached.is_cut && self.is_examined_in_full();
        (Reverse(is_complete), Reverse(self.ranked_chance()), self.rank())
    }
}

/// What is proved about the candidate ranked first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeaderProof {
    /// Nothing.
    Nothing,
    /// No other candidate has a greater share of wins.
    Share,
    /// No other candidate has a greater share, or the same share and a greater spread.
    Everything,
}

impl LeaderProof {
    /// Returns what is proved about the first of these candidates, which come in ranking order, by results of at least
    /// this status.
    pub fn of<'a>(mut candidates: impl Iterator<Item = &'a PreEndgameCandidate> + Clone, status: ProofStatus) -> LeaderProof {
        let Some(leader) = candidates.next() else { return LeaderProof::Nothing };
        let chance = leader.most_chance(status);
        if !leader.has_status(status) || candidates.clone().any(|other| other.most_chance(status) > chance) {
            return LeaderProof::Nothing;
        }
        if candidates.all(|other| other.is_behind(leader, status)) { LeaderProof::Everything } else { LeaderProof::Share }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_solved_counts_as_often_as_it_comes_true() {
        for (in_bag, is_modelled) in [(1, false), (2, false), (2, true), (3, false), (4, true)] {
            let calibration = Calibration::of(in_bag, is_modelled);
            let chances: Vec<u64> = (-200..=200).map(|lead| DealResult::of_playout(lead).chance(calibration)).collect();
            assert!(chances.is_sorted() && chances[400] <= CERTAIN, "a greater lead is never worth less");
            // A playout between two leads of the table.
            for ends in calibration.by_lead.windows(2) {
                let [(from, least), (to, most)] = [ends[0], ends[1]];
                let between = DealResult::of_playout(((from + to) / 2) as i32).chance(calibration) as i64;
                assert!((least..=most).contains(&between), "{between} from {from} to {to}");
            }
        }
    }

    #[test]
    fn a_chance_is_corrected_as_far_as_it_is_not_proved() {
        let deals: Arc<[BagDeal]> = [1, 3].map(|weight| BagDeal { draw: 0, tiles: Vec::new(), weight }).into();
        let mut proved = DealResult::of_playout(4);
        proved.note(LeadBounds::exactly(4), ProofStatus::Proved);
        let win = |in_bag: usize, is_modelled: bool, results: [Option<DealResult>; 2]| {
            let candidate = PreEndgameCandidate::new(EvaluatedPlay::PASS, in_bag, 0, is_modelled, Arc::clone(&deals));
            PreEndgameCandidate { results: results.to_vec(), ..candidate }.chance()
        };
        let is = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        // With a lead of 5 points a playout of more tiles wins 62.5 %.
        let open = DealResult::of_playout(5);
        let correction = MORE_TILES.correction;
        is(win(3, false, [Some(proved), Some(open)]), (1.0 + 3.0 * correction.apply(0.625)) / 4.0);
        is(win(3, false, [Some(proved), None]), 1.0);
        is(win(3, false, [None, Some(open)]), correction.apply(0.625));
        is(win(3, true, [Some(proved), Some(open)]), correction.apply((1.0 + 3.0 * 0.625) / 4.0));
        is(win(1, false, [Some(open), Some(open)]), open.chance(&BAG_EMPTIED) as f64 / CERTAIN as f64);
    }

    #[test]
    fn a_share_by_the_model_ranks_by_what_it_is_worth_but_is_not_disproved_by_that() {
        // With two tiles in the bag, the model finds twelve wins of twenty draws after one play; eleven are proved after the other.
        let deals: Arc<[BagDeal]> = (0..20).map(|draw| BagDeal { draw, tiles: Vec::new(), weight: 1 }).collect();
        let solved = |is_modelled: bool, wins: i32, status: ProofStatus| {
            let results = (0..20).map(|deal| {
                let mut result = DealResult::of_playout(0);
                result.note(LeadBounds::exactly(if deal < wins { 9 } else { -9 }), status);
                Some(result)
            });
            let candidate = PreEndgameCandidate::new(EvaluatedPlay::PASS, 2, 0, is_modelled, Arc::clone(&deals));
            PreEndgameCandidate { results: results.collect(), ..candidate }
        };
        let (modelled, proved) = (solved(true, 12, ProofStatus::Modelled), solved(false, 11, ProofStatus::Proved));
        assert!(modelled.chance() < proved.chance() && proved.rank() < modelled.rank());
        assert_eq!(proved.ranked_chance(), 550_000_000);
        let ranked = [&proved, &modelled];
        assert_eq!(LeaderProof::of(ranked.into_iter(), ProofStatus::Modelled), LeaderProof::Everything, "nothing is left to search");
        assert_eq!(LeaderProof::of(ranked.into_iter(), ProofStatus::Proved), LeaderProof::Nothing, "no claim is made");
        // Twenty wins by the model are as good as they are.
        assert!(solved(true, 20, ProofStatus::Modelled).rank() < proved.rank());
    }

    #[test]
    fn what_is_solved_is_certain() {
        let mut result = DealResult::of_playout(-3);
        let before = result.chance(&BAG_EMPTIED);
        result.note(LeadBounds::exactly(4), ProofStatus::Modelled);
        assert_eq!((result.outcome, result.chance(&BAG_EMPTIED), result.chance(&TILES_STAY)), (WinTieLoss::Win, CERTAIN, CERTAIN));
        assert!(before < CERTAIN / 2);
    }
}
