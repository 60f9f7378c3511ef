//! Where the candidates of a simulation stand: their statistics, their ranking, and which ones are beaten.
//!
//! Candidates are ranked by win probability plus three tenths, or what the request says, of a logistic curve of the equity (scale 100 points): near-equal
//! chances are decided by points, and so are games that are won or lost anyway. \[macondo\] and \[MAGPIE\] rank in such a way, too.
//!
//! Points never outweigh what is certain (`evaluation/zero_turns.rs`): a candidate that ends the game with a win whatever the tiles out of sight
//! are stands above all that do not, and one after which the game is lost stands below all others.
//!
//! Some candidates are sampled more often than others. The mean of one with few samples has the luck of the racks that it met. The candidate with most samples
//! tells it: by how much that one did better in the same iterations than in all of its own. As much of it is taken off as the two go together (a control
//! variate, see \[Glasserman 2003\], 4.1).
//!
//! The first samples say less of a candidate than static equity does. So its static equity counts as if it had been seen in some samples more; what all candidates
//! have less or more than static equity expects is taken off before. The more samples there are, the less that counts.
//!
//! A candidate is beaten if the difference from the *yardstick* shows it: from the leader, or, while there are so many candidates that
//! the leader has no differences yet, from the best-ranked one that has.
//!
//! Everything is summed in the order of iterations and candidates, so that the numbers do not depend on threads.

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::evaluation::zero_turns::{EndCertainty, EndInSight};
use crate::search::candidates;
use crate::search::paired::{MIN_SAMPLES, Moments, PairedDifferences};
use crate::search::report::{PlyStats, SimulationRow};
use crate::search::simulation::context::SimulationContext;
use crate::search::simulation::rollout::{PlySample, Sample, SimulationCandidate};
use std::cmp::{Ordering, Reverse};

/// Weight of the equity in the ranking, relative to the win probability, if the request does not say.
pub const EQUITY_WEIGHT: f64 = 0.3;

/// The same where a turn without points ends the game: a play that ends it has a chance to win that is as good as known, and the points
/// that others may still gain are worth little beside it.
pub const EQUITY_WEIGHT_AT_THE_END: f64 = 0.03;

/// As how many samples of a candidate its static equity counts, if the request does not say.
pub const STATIC_SAMPLES: u32 = 16;

/// Samples from which on a candidate may be sampled less often than others.
const FEWEST_SAMPLES: u64 = 8;

/// Scale of the equity's logistic curve, points.
const EQUITY_SCALE: f64 = 100.0;

/// Samples before candidates that place the same tiles on the same square count as one.
pub const MIN_SAMPLES_SIMILAR: u64 = 750;

/// What decides between candidates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankingRule {
    /// The accepted chance of ending with a wrong leader.
    pub delta: f64,
    /// What the equity weighs, relative to the win probability.
    pub equity_weight: f64,
    /// The samples that static equity counts as much as.
    pub static_samples: f64,
}

/// A candidate with its statistics.
struct Arm {
    candidate: SimulationCandidate,
    certainty: EndCertainty,
    /// What its utility is taken to be before it is sampled; one constant for all candidates may be missing.
    expected: f64,
    win: Moments,
    equity: Moments,
    utility: Moments,
    plies: Vec<PlySums>,
    is_pruned: bool,
}

/// Sums of a ply's scores: integers, so that their order does not matter.
#[derive(Clone, Copy, Default)]
pub struct PlySums {
    count: u64,
    score: i64,
    score_squared: i64,
    bingos: u64,
}

/// The candidates of a simulation with all that their samples say.
pub struct Standings {
    arms: Vec<Arm>,
    differences: PairedDifferences,
    rule: RankingRule,
    /// Over the candidates that have samples: their number, and the sum of mean utility less expected utility.
    surprises: (u64, f64),
    /// The first of those with most samples.
    most_sampled: usize,
}

impl Standings {
    /// Candidates without samples, best static play first, each with the utility that is expected of it. `end` is the end that is in sight.
    pub fn new(
        plays: &[EvaluatedPlay],
        end: Option<&EndInSight<'_>>,
        expected: impl Fn(&EvaluatedPlay) -> Sample,
        rule: RankingRule,
    ) -> Standings {
        let arm = |(index, play): (usize, &EvaluatedPlay)| Arm {
            candidate: SimulationCandidate { index, play: *play },
            certainty: end.map_or(EndCertainty::Open, |end| end.certainty(play)),
            expected: utility(&expected(play), rule.equity_weight),
            win: Moments::default(),
            equity: Moments::default(),
            utility: Moments::default(),
            plies: Vec::new(),
            is_pruned: false,
        };
        let arms = plays.iter().enumerate().map(arm).collect();
        Standings { arms, differences: PairedDifferences::new(plays.len()), rule, surprises: (0, 0.0), most_sampled: 0 }
    }

    /// Number of candidates, the pruned ones among them.
    pub fn candidates(&self) -> usize {
        self.arms.len()
    }

    /// A candidate by its number.
    pub fn candidate(&self, arm: usize) -> &SimulationCandidate {
        &self.arms[arm].candidate
    }

    /// Whether a candidate is no longer sampled.
    pub fn is_pruned(&self, arm: usize) -> bool {
        self.arms[arm].is_pruned
    }

    /// Adds an iteration: its sampled candidates in rising order with their samples.
    pub fn add_iteration(&mut self, samples: impl Iterator<Item = (usize, Sample)>) {
        let mut utilities = Vec::with_capacity(self.arms.len());
        for (index, sample) in samples {
            let utility = utility(&sample, self.rule.equity_weight);
            let arm = &mut self.arms[index];
            arm.win.add(sample.win);
            arm.equity.add(sample.equity);
            let before = if arm.utility.count == 0 { arm.expected } else { arm.utility.mean };
            self.surprises.0 += u64::from(arm.utility.count == 0);
            arm.utility.add(utility);
            self.surprises.1 += arm.utility.mean - before;
            utilities.push((index, utility));
        }
        self.differences.add(&utilities);
        for (index, _) in utilities {
            if self.arms[index].utility.count > self.arms[self.most_sampled].utility.count {
                self.most_sampled = index;
            }
        }
    }

    /// Adds what the plies of some rollouts of a candidate scored.
    pub fn add_plies(&mut self, arm: usize, plies: &[PlySums]) {
        let sums = &mut self.arms[arm].plies;
        sums.resize(sums.len().max(plies.len()), PlySums::default());
        for (sum, more) in sums.iter_mut().zip(plies) {
            sum.merge(more);
        }
    }

    /// The candidate that is ranked first.
    pub fn leader(&self) -> usize {
        (0..self.arms.len()).min_by(|&a, &b| self.by_rank(a, b)).expect("there is a candidate")
    }

    /// The order of the ranking: what is certain first; pruned candidates come last among equals, and candidates without a difference
    /// stay in their static order.
    fn by_rank(&self, a: usize, b: usize) -> Ordering {
        let key = |arm: usize| (Reverse(self.arms[arm].certainty), self.arms[arm].is_pruned, -self.estimate(arm), arm);
        key(a).partial_cmp(&key(b)).expect("means are numbers")
    }

    /// What a candidate is taken to be worth: the mean of its samples and what static equity expects, each by its weight. All candidates were expected
    /// to be worth so much less, or more, than they are: that much is added to what was expected of each.
    fn estimate(&self, arm: usize) -> f64 {
        let (mean, weight) = (self.mean_without_luck(arm), self.rule.static_samples);
        if weight == 0.0 {
            return mean;
        }
        let (arm, (sampled, surprise)) = (&self.arms[arm], self.surprises);
        let samples = arm.utility.count as f64;
        let expected = arm.expected + surprise / sampled.max(1) as f64;
        (samples * mean + weight * expected) / (samples + weight)
    }

    /// The mean utility of a candidate, less the luck that it had in the iterations in which it was sampled.
    fn mean_without_luck(&self, arm: usize) -> f64 {
        let (utility, most) = (&self.arms[arm].utility, &self.arms[self.most_sampled].utility);
        let shared = self.differences.moments(self.most_sampled, arm);
        let variance = most.variance();
        // The luck is known only if both were sampled each time.
        let is_told = shared.count == utility.count && shared.count >= FEWEST_SAMPLES;
        if !is_told || shared.count == most.count || variance == 0.0 {
            return utility.mean;
        }
        let luck = utility.mean + shared.mean - most.mean;
        let covariance = (variance + utility.variance() - shared.variance()) / 2.0;
        utility.mean - (covariance / variance).clamp(0.0, 1.0) * luck
    }

    /// The best `most` candidates by rank.
    fn ranking(&self, most: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.arms.len()).collect();
        if most < order.len() {
            order.select_nth_unstable_by(most, |&a, &b| self.by_rank(a, b));
            order.truncate(most);
        }
        order.sort_unstable_by(|&a, &b| self.by_rank(a, b));
        order
    }

    /// The candidate that others are compared with: the leader, or else the best-ranked one whose differences are old enough to tell.
    pub fn yardstick(&self) -> usize {
        let is_told = |&arm: &usize| self.differences.age(arm).is_some_and(|age| age >= MIN_SAMPLES);
        let leader = self.leader();
        if is_told(&leader) {
            return leader;
        }
        self.differences.with_row().filter(is_told).min_by(|&a, &b| self.by_rank(a, b)).unwrap_or(leader)
    }

    /// Sees to it that the differences from the leader are kept from now on; with few candidates all always are. The candidate that is
    /// ranked last among those with differences gives its own up.
    pub fn follow_leader(&mut self) {
        let leader = self.leader();
        if self.differences.age(leader).is_none()
            && let Some(last) = self.differences.with_row().max_by(|&a, &b| self.by_rank(a, b))
        {
            self.differences.hand_over(last, leader);
        }
    }

    /// How many standard errors `arm` is behind `yardstick`, by their shared iterations and what static equity expects; 0 while that is not known.
    pub fn gap(&self, yardstick: usize, arm: usize) -> f64 {
        let (_, error, count) = self.differences.difference(yardstick, arm);
        if count < FEWEST_SAMPLES || error == 0.0 { 0.0 } else { self.evidence(yardstick, arm) }
    }

    /// The same from the first samples on.
    fn evidence(&self, yardstick: usize, arm: usize) -> f64 {
        let (mean, error, count) = self.differences.difference(yardstick, arm);
        if error == 0.0 {
            return 0.0;
        }
        let (samples, weight) = (count as f64, self.rule.static_samples);
        let expected = self.arms[yardstick].expected - self.arms[arm].expected;
        // The error of one sample shrinks with the root of all that are counted.
        let both = samples + weight;
        (samples * mean + weight * expected) / both / (error * (samples / both).sqrt())
    }

    /// The candidate that is most likely to be better than the leader after all: half the square of how many standard errors it is
    /// behind, and the logarithm of its samples, are least together. `None` if there is no other.
    pub fn rival(&self) -> Option<usize> {
        let leader = self.leader();
        let evidence = |arm: usize| {
            // Who is ahead of the leader is not behind.
            let gap = self.evidence(leader, arm).max(0.0);
            gap * gap / 2.0 + (self.arms[arm].utility.count.max(1) as f64).ln()
        };
        (0..self.arms.len()).filter(|&arm| arm != leader && !self.is_pruned(arm)).min_by(|&a, &b| evidence(a).total_cmp(&evidence(b)))
    }

    /// Whether it is certain that `arm` is worse than `yardstick`, or the paired difference shows it: by the union bound over all
    /// candidates.
    fn is_beaten(&self, yardstick: usize, arm: usize) -> bool {
        self.arms[arm].certainty < self.arms[yardstick].certainty || self.differences.shows(yardstick, arm, self.rule.delta)
    }

    /// Whether the leader is decided after `iterations` iterations: every other candidate is beaten, or so similar to the leader that
    /// more samples would not tell them apart.
    pub fn is_decided(&self, iterations: u64) -> bool {
        let leader = self.leader();
        (0..self.arms.len()).all(|arm| {
            arm == leader
                || self.arms[arm].is_pruned
                || self.is_beaten(leader, arm)
                || iterations >= MIN_SAMPLES_SIMILAR && similar(&self.arms[leader].candidate.play, &self.arms[arm].candidate.play)
        })
    }

    /// Prunes beaten candidates, and returns which. The first two are kept, so that the leader always has a rival to be compared with.
    pub fn prune(&mut self) -> Vec<usize> {
        let (first, yardstick) = (self.ranking(2), self.yardstick());
        let is_beaten = |&arm: &usize| !self.arms[arm].is_pruned && !first.contains(&arm) && self.is_beaten(yardstick, arm);
        let beaten: Vec<usize> = (0..self.arms.len()).filter(is_beaten).collect();
        for &arm in &beaten {
            self.arms[arm].is_pruned = true;
        }
        beaten
    }

    /// The best `most` candidates as rows of a report, best first, each with this many plies.
    pub fn rows(&self, context: &SimulationContext<'_>, most: usize, plies: usize) -> Vec<SimulationRow> {
        self.ranking(most).into_iter().map(|arm| self.arms[arm].row(context, plies)).collect()
    }
}

impl Arm {
    fn row(&self, context: &SimulationContext<'_>, plies: usize) -> SimulationRow {
        let (win, equity) = if self.win.count > 0 {
            (self.win.mean, self.equity.mean)
        } else {
            let Sample { win, equity } = expected(context, &self.candidate.play);
            (win, equity)
        };
        SimulationRow {
            ranked: candidates::ranked(&self.candidate.play, &context.rack),
            win,
            win_error: self.win.standard_error(),
            equity,
            equity_error: self.equity.standard_error(),
            iterations: self.win.count,
            pruned: self.is_pruned,
            plies: (0..plies).map(|ply| self.plies.get(ply).map_or(PlyStats::default(), PlySums::stats)).collect(),
        }
    }
}

/// What static evaluation expects of a play, seen from the opponent's turn; what it comes to if it ends the game.
pub fn expected(context: &SimulationContext<'_>, play: &EvaluatedPlay) -> Sample {
    if let Some(end) = context.end.filter(|end| end.is_ended_by(play)) {
        return Sample { win: end.win_if_ended(&play.play), equity: play.equity.points() };
    }
    let (equity, left) = (play.equity.points(), context.left_after(&play.play));
    Sample { win: 1.0 - context.win_model.win(-(f64::from(context.spread) + equity), left), equity }
}

/// What candidates are ranked by, see the module's text.
pub fn utility(sample: &Sample, equity_weight: f64) -> f64 {
    sample.win + equity_weight / (1.0 + (-sample.equity / EQUITY_SCALE).exp())
}

/// Whether two plays place the same tiles from the same square: samples will hardly tell such plays apart.
pub fn similar(a: &EvaluatedPlay, b: &EvaluatedPlay) -> bool {
    match (a.play.placement(), b.play.placement()) {
        (Some(a), Some(b)) => (a.start, a.direction, a.rack_tiles()) == (b.start, b.direction, b.rack_tiles()),
        _ => false,
    }
}

impl PlySums {
    /// Adds a ply of a rollout.
    pub fn add(&mut self, ply: &PlySample) {
        self.count += 1;
        self.score += i64::from(ply.score);
        self.score_squared += i64::from(ply.score) * i64::from(ply.score);
        self.bingos += u64::from(ply.is_bingo);
    }

    fn merge(&mut self, other: &PlySums) {
        self.count += other.count;
        self.score += other.score;
        self.score_squared += other.score_squared;
        self.bingos += other.bingos;
    }

    fn stats(&self) -> PlyStats {
        if self.count == 0 {
            return PlyStats::default();
        }
        let count = self.count as f64;
        let mean = self.score as f64 / count;
        let variance = if self.count < 2 { 0.0 } else { (self.score_squared as f64 - count * mean * mean) / (count - 1.0) };
        PlyStats { score_mean: mean, score_deviation: variance.max(0.0).sqrt(), bingo_share: self.bingos as f64 / count }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Play;
    use crate::rules::units::Millipoints;
    use crate::search::paired::ALL_PAIRS_UP_TO;
    use crate::search::randomness::{self, Stream};
    use rand::Rng;

    /// Candidates of which each is better than the one before it, sampled in this many iterations, with pruning.
    fn sampled(candidates: usize, iterations: u64) -> Standings {
        let pass = EvaluatedPlay::PASS;
        let rule = RankingRule { delta: 0.001, equity_weight: EQUITY_WEIGHT, static_samples: 0.0 };
        let mut standings = Standings::new(&vec![pass; candidates], None, |_| Sample { win: 0.5, equity: 0.0 }, rule);
        let mut rng = randomness::generator(41, Stream::Positions, candidates as u64);
        for _ in 0..iterations {
            let arms: Vec<usize> = (0..candidates).filter(|&arm| !standings.is_pruned(arm)).collect();
            let mut sample = |arm: usize| {
                let noise = f64::from(Rng::next_u32(&mut rng) % 1000) / 4000.0;
                (arm, Sample { win: 0.7 * arm as f64 / candidates as f64 + noise, equity: 0.0 })
            };
            let samples: Vec<_> = arms.into_iter().map(&mut sample).collect();
            standings.add_iteration(samples.into_iter());
            standings.prune();
            standings.follow_leader();
        }
        standings
    }

    #[test]
    fn the_best_candidate_leads_and_the_worst_are_pruned_however_many_there_are() {
        // With the last of these, the best candidates have no differences at first.
        for candidates in [40, ALL_PAIRS_UP_TO, ALL_PAIRS_UP_TO + 1, 4 * ALL_PAIRS_UP_TO] {
            let standings = sampled(candidates, 200);
            let leader = standings.leader();
            assert!(leader > candidates * 9 / 10, "{leader} of {candidates} leads");
            assert!(standings.differences.age(leader).is_some(), "{candidates}");
            let pruned = (0..candidates).filter(|&arm| standings.is_pruned(arm)).count();
            assert!(pruned > candidates / 2, "{pruned} of {candidates} are pruned");
            assert!((candidates * 98 / 100..candidates).all(|arm| !standings.is_pruned(arm)), "{candidates}");
        }
    }

    /// The candidates in their order, after samples with these wins, an iteration a row; static equity expects `expected` of each, and counts as many samples.
    fn ranked(expected: &[f64], static_samples: f64, iterations: &[&[f64]]) -> Vec<usize> {
        let plays: Vec<EvaluatedPlay> =
            (0..expected.len()).map(|at| EvaluatedPlay { play: Play::Pass, score: at as i32, equity: Millipoints::ZERO }).collect();
        let rule = RankingRule { delta: 0.001, equity_weight: 0.0, static_samples };
        let expected = |play: &EvaluatedPlay| Sample { win: expected[play.score as usize], equity: 0.0 };
        let mut standings = Standings::new(&plays, None, expected, rule);
        for wins in iterations {
            standings.add_iteration(wins.iter().map(|&win| Sample { win, equity: 0.0 }).enumerate());
        }
        standings.ranking(plays.len())
    }

    #[test]
    fn few_samples_are_weighed_against_what_static_equity_expects() {
        // The first one is expected to win a tenth more than the second, and won two tenths less in each of two samples.
        let (expected, sample) = ([0.6, 0.5, 0.1], [0.3, 0.5, 0.0]);
        let after = |static_samples, iterations: usize| ranked(&expected, static_samples, &vec![&sample[..]; iterations]);
        assert_eq!(after(0.0, 2), [1, 0, 2], "without weight only samples count");
        assert_eq!(after(8.0, 0), [0, 1, 2]);
        assert_eq!(after(8.0, 2), [0, 1, 2]);
        assert_eq!(after(8.0, 3), [0, 1, 2]);
        assert_eq!(after(8.0, 5), [1, 0, 2], "five samples of -0.2 outweigh eight of 0.1");
        // That all are worth less than expected says nothing of one of them.
        let shifted = expected.map(|win| win + 0.3);
        // With four iterations the first two are equal.
        for iterations in [0, 1, 2, 3, 5, 6, 7] {
            assert_eq!(ranked(&shifted, 8.0, &vec![&sample[..]; iterations]), after(8.0, iterations), "{iterations}");
        }
    }

    #[test]
    fn a_candidate_with_fewer_samples_is_not_judged_by_what_all_were_taken_for() {
        // All are worth 0.4 less than expected; the last one is sampled once, the others ten times.
        let all: &[f64] = &[0.50, 0.53, 0.52];
        let rest: &[f64] = &[0.50, 0.53];
        let iterations: Vec<&[f64]> = std::iter::once(all).chain(std::iter::repeat_n(rest, 9)).collect();
        assert_eq!(ranked(&[0.90, 0.93, 0.92], 4.0, &iterations), [1, 2, 0]);
    }

    #[test]
    fn a_candidate_that_was_sampled_when_all_did_well_is_not_taken_for_the_better_one() {
        // The second one is worth 0.05 less on the same tiles, and was sampled where the first one did better than on the whole.
        let lucky: Vec<[f64; 2]> = (0..10).map(|at| 0.3 + 0.06 * f64::from(at)).map(|win| [win, win - 0.05]).collect();
        let others: Vec<[f64; 1]> = (0..30).map(|at| [0.1 + 0.02 * f64::from(at)]).collect();
        let iterations: Vec<&[f64]> = lucky.iter().map(|both| &both[..]).chain(others.iter().map(|one| &one[..])).collect();
        let mean = |wins: &mut dyn Iterator<Item = f64>, count: f64| wins.sum::<f64>() / count;
        let second = mean(&mut lucky.iter().map(|both| both[1]), 10.0);
        assert!(second > mean(&mut iterations.iter().map(|wins| wins[0]), 40.0), "by its mean it would lead: {second}");
        assert_eq!(ranked(&[0.5, 0.5], 0.0, &iterations), [0, 1]);
        assert_eq!(ranked(&[0.5, 0.5], 8.0, &iterations), [0, 1]);
    }

    #[test]
    fn the_first_few_are_those_of_the_whole_ranking() {
        let standings = sampled(600, 80);
        let all = standings.ranking(600);
        assert!(all.is_sorted_by(|&a, &b| standings.by_rank(a, b) != Ordering::Greater));
        assert_eq!(standings.leader(), all[0]);
        for most in [0, 1, 7, 599, 600, 601] {
            assert_eq!(standings.ranking(most), all[..most.min(600)]);
        }
    }

    #[test]
    fn while_all_have_differences_the_leader_is_the_yardstick() {
        for iterations in [3, MIN_SAMPLES - 1, MIN_SAMPLES, 150] {
            let standings = sampled(30, iterations);
            assert_eq!(standings.yardstick(), standings.leader(), "{iterations}");
        }
    }
}
