//! The candidates of a race: their statistics, their ranking, and which ones are beaten.
//!
//! **Ranking.** Candidates are ranked by their *utility*: the win probability plus a weighted logistic curve of the equity (scale 100
//! points). Points therefore decide between nearly equal chances, and in games that are won or lost anyway. \[macondo\] and \[MAGPIE\]
//! rank in a similar way. Points never outweigh a certain result (`evaluation/zero_turns.rs`). A candidate that ends the game with a
//! win, whatever the unseen tiles are, ranks above all that do not. A candidate that certainly loses the game ranks below all others.
//!
//! **Luck.** Some candidates are sampled more often than others, and the mean of a candidate with few samples includes the luck of its
//! deals. This luck is measured on the candidate with the most samples: its mean over the shared iterations minus its mean over all.
//! This difference, times the regression coefficient, is subtracted (a control variate, see \[Glasserman 2003\], 4.1).
//!
//! **Prior.** The first samples reveal less about a candidate than static equity does. The static expectation therefore counts as a
//! number of samples, after the mean error of static equity over all candidates is removed.
//!
//! **Dropping.** A candidate is beaten if the difference from the *yardstick* shows it.
//! The yardstick is the leader. If the leader has no differences yet, which happens with many
//! candidates, the yardstick is the best-ranked candidate that has them.
//!
//! Everything is summed in the order of iterations and candidates, so that the numbers do not depend on threads.

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::evaluation::zero_turns::EndCertainty;
use crate::search::analysis::Allocation;
use crate::search::budget::StopCondition;
use crate::search::race::differences::{MIN_SAMPLES, Moments, PairedDifferences};
use crate::search::report::SimulationRow;
use std::cmp::{Ordering, Reverse};

/// A candidate with at least this many samples may be sampled less often than others.
const FEWEST_SAMPLES: u64 = 8;

/// Scale of the equity's logistic curve, points.
const EQUITY_SCALE: f64 = 100.0;

/// After this many iterations, candidates that place the same tiles from the same square count as equal.
const MIN_SAMPLES_SIMILAR: u64 = 750;

/// The chance of dropping the best candidate that is accepted when no stop condition is given.
const DEFAULT_DELTA: f64 = 0.001;

/// How candidates are ranked, and when a race is decided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RaceRule {
    /// How playouts are shared, and which candidates are dropped.
    pub allocation: Allocation,
    /// How sure of its leader the race must be to end by itself.
    pub stop_condition: Option<StopCondition>,
    /// After this many iterations, candidates that the stop condition could not tell apart count as equal.
    pub most_undecided: u64,
    /// The weight of the equity in the ranking, relative to the win probability.
    pub equity_weight: f64,
    /// The weight of the static expectation in the ranking, in samples.
    pub static_samples: f64,
}

/// The outcome of a playout.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// Probability of winning at the playout's end, 0 to 1.
    pub win: f64,
    /// Spread gained until then, with the leaves' values, points.
    pub equity: f64,
    /// Plays that were generated for it.
    pub nodes: u64,
}

/// A play in a race, with its statistics.
#[derive(Clone, Debug)]
pub struct RaceCandidate {
    /// Its index among the candidates, which are in the order of static equity, best first.
    pub number: usize,
    /// The play.
    pub play: EvaluatedPlay,
    certainty: EndCertainty,
    /// Its expectation before it is sampled.
    expected: Sample,
    /// The utility of the expectation, up to a constant that all candidates share.
    expected_utility: f64,
    win: Moments,
    equity: Moments,
    utility: Moments,
    is_dropped: bool,
}

/// The candidates of a race with the statistics of their samples.
pub struct Standings {
    candidates: Vec<RaceCandidate>,
    differences: PairedDifferences,
    rule: RaceRule,
    /// Over the candidates that have samples: their number, and the sum of (mean utility minus expected utility).
    surprises: (u64, f64),
    /// The first of the candidates with the most samples.
    most_sampled: usize,
}

impl RaceCandidate {
    /// Returns a candidate without samples, whose only expectation is its static equity.
    pub fn new(number: usize, play: EvaluatedPlay) -> RaceCandidate {
        RaceCandidate {
            number,
            play,
            certainty: EndCertainty::Open,
            expected: Sample { win: 0.5, equity: play.equity.points(), nodes: 0 },
            expected_utility: 0.0,
            win: Moments::default(),
            equity: Moments::default(),
            utility: Moments::default(),
            is_dropped: false,
        }
    }

    /// The candidates of these plays.
    pub fn all(plays: &[EvaluatedPlay]) -> Vec<RaceCandidate> {
        plays.iter().enumerate().map(|(number, &play)| RaceCandidate::new(number, play)).collect()
    }

    /// Returns the candidate with this expectation and this certainty.
    pub fn expecting(self, expected: Sample, certainty: EndCertainty) -> RaceCandidate {
        RaceCandidate { expected, certainty, ..self }
    }

    /// Mean utility of its samples.
    pub fn utility(&self) -> f64 {
        self.utility.mean
    }

    fn row(&self) -> SimulationRow {
        let is_sampled = self.win.count > 0;
        let (win, equity) = if is_sampled { (self.win.mean, self.equity.mean) } else { (self.expected.win, self.expected.equity) };
        SimulationRow {
            ranked: self.play,
            win,
            win_error: self.win.standard_error(),
            sampled_win: win,
            equity,
            equity_error: self.equity.standard_error(),
            iterations: self.win.count,
            pruned: self.is_dropped,
            plies: Vec::new(),
        }
    }
}

impl RaceRule {
    /// The accepted chance of ending with a wrong leader.
    fn delta(&self) -> f64 {
        self.stop_condition.map_or(DEFAULT_DELTA, StopCondition::delta)
    }
}

impl Standings {
    /// Returns the standings of candidates without samples, numbered in their order, best static play first.
    pub fn new(mut candidates: Vec<RaceCandidate>, rule: RaceRule) -> Standings {
        for candidate in &mut candidates {
            candidate.expected_utility = utility(&candidate.expected, rule.equity_weight);
        }
        let differences = PairedDifferences::new(candidates.len());
        Standings { candidates, differences, rule, surprises: (0, 0.0), most_sampled: 0 }
    }

    /// Number of candidates, including those that were dropped.
    pub fn candidates(&self) -> usize {
        self.candidates.len()
    }

    /// A candidate by its number.
    pub fn candidate(&self, candidate: usize) -> &RaceCandidate {
        &self.candidates[candidate]
    }

    /// Whether a candidate is no longer sampled.
    pub fn is_dropped(&self, candidate: usize) -> bool {
        self.candidates[candidate].is_dropped
    }

    /// Number of candidates that were not dropped.
    pub fn in_race(&self) -> usize {
        self.candidates.iter().filter(|candidate| !candidate.is_dropped).count()
    }

    /// Adds an iteration: its sampled candidates in ascending order with their samples.
    pub fn add_iteration(&mut self, samples: impl Iterator<Item = (usize, Sample)>) {
        let mut utilities = Vec::with_capacity(self.candidates.len());
        for (number, sample) in samples {
            let utility = utility(&sample, self.rule.equity_weight);
            let candidate = &mut self.candidates[number];
            candidate.win.add(sample.win);
            candidate.equity.add(sample.equity);
            let is_first = candidate.utility.count == 0;
            let before = if is_first { candidate.expected_utility } else { candidate.utility.mean };
            self.surprises.0 += u64::from(is_first);
            candidate.utility.add(utility);
            self.surprises.1 += candidate.utility.mean - before;
            utilities.push((number, utility));
        }
        self.differences.add(&utilities);
        for (number, _) in utilities {
            if self.candidates[number].utility.count > self.candidates[self.most_sampled].utility.count {
                self.most_sampled = number;
            }
        }
    }

    /// The candidate that is ranked first.
    pub fn leader(&self) -> usize {
        (0..self.candidates.len()).min_by(|&a, &b| self.by_rank(a, b)).expect("there is a candidate")
    }

    /// Compares two candidates by rank: by certainty, then candidates in the race before dropped ones, then by estimate, then by mean
    /// points. Candidates without samples stay in their static order.
    fn by_rank(&self, a: usize, b: usize) -> Ordering {
        let key = |number: usize| {
            let candidate = &self.candidates[number];
            (Reverse(candidate.certainty), candidate.is_dropped, -self.estimate(number), -candidate.equity.mean, number)
        };
        key(a).partial_cmp(&key(b)).expect("means are numbers")
    }

    /// Returns the estimated utility of a candidate: the weighted mean of its samples and of its static expectation. The mean error of
    /// all candidates' expectations is first added to the expectation.
    fn estimate(&self, candidate: usize) -> f64 {
        let (mean, weight) = (self.mean_without_luck(candidate), self.rule.static_samples);
        if weight == 0.0 {
            return mean;
        }
        let (candidate, (sampled, surprise)) = (&self.candidates[candidate], self.surprises);
        let samples = candidate.utility.count as f64;
        let expected = candidate.expected_utility + surprise / sampled.max(1) as f64;
        (samples * mean + weight * expected) / (samples + weight)
    }

    /// The mean utility of a candidate, minus the luck of the iterations in which it was sampled.
    fn mean_without_luck(&self, candidate: usize) -> f64 {
        let (utility, most) = (&self.candidates[candidate].utility, &self.candidates[self.most_sampled].utility);
        let shared = self.differences.moments(self.most_sampled, candidate);
        let variance = most.variance();
        // The luck is known only if both candidates were sampled in all of these iterations.
        let is_known = shared.count == utility.count && shared.count >= FEWEST_SAMPLES;
        if !is_known || shared.count == most.count || variance == 0.0 {
            return utility.mean;
        }
        let luck = utility.mean + shared.mean - most.mean;
        let covariance = (variance + utility.variance() - shared.variance()) / 2.0;
        utility.mean - (covariance / variance).clamp(0.0, 1.0) * luck
    }

    /// The best `most` candidates by rank.
    pub fn ranking(&self, most: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.candidates.len()).collect();
        if most < order.len() {
            order.select_nth_unstable_by(most, |&a, &b| self.by_rank(a, b));
            order.truncate(most);
        }
        order.sort_unstable_by(|&a, &b| self.by_rank(a, b));
        order
    }

    /// The candidate that others are compared with: the leader, or else the best-ranked one whose row of differences is old enough.
    pub fn yardstick(&self) -> usize {
        let is_old = |&candidate: &usize| self.differences.age(candidate).is_some_and(|age| age >= MIN_SAMPLES);
        let leader = self.leader();
        if is_old(&leader) {
            return leader;
        }
        self.differences.tracked().filter(is_old).min_by(|&a, &b| self.by_rank(a, b)).unwrap_or(leader)
    }

    /// Gives the leader a row of differences if it has none, which happens only with many candidates. The candidate ranked last among
    /// those with rows gives up its own.
    pub fn follow_leader(&mut self) {
        let leader = self.leader();
        if self.differences.age(leader).is_none()
            && let Some(last) = self.differences.tracked().max_by(|&a, &b| self.by_rank(a, b))
        {
            self.differences.move_row(last, leader);
        }
    }

    /// Returns how many standard errors `candidate` is behind `yardstick`, by their shared iterations and the static expectation; 0 while
    /// this is not known.
    pub fn gap(&self, yardstick: usize, candidate: usize) -> f64 {
        let (_, error, count) = self.differences.difference(yardstick, candidate);
        if count < FEWEST_SAMPLES || error == 0.0 { 0.0 } else { self.evidence(yardstick, candidate) }
    }

    /// As [`Standings::gap`], from the first samples on.
    fn evidence(&self, yardstick: usize, candidate: usize) -> f64 {
        let (mean, error, count) = self.differences.difference(yardstick, candidate);
        if error == 0.0 {
            return 0.0;
        }
        let (samples, weight) = (count as f64, self.rule.static_samples);
        let expected = self.candidates[yardstick].expected_utility - self.candidates[candidate].expected_utility;
        // The error shrinks with the root of the number of samples, of which the static expectation counts as some.
        let both = samples + weight;
        (samples * mean + weight * expected) / both / (error * (samples / both).sqrt())
    }

    /// Returns the candidate that is most likely to be better than the leader after all. It has the least sum of half its squared gap, in
    /// standard errors, and the logarithm of its number of samples. `None` if there is no other candidate.
    pub fn rival(&self) -> Option<usize> {
        let leader = self.leader();
        let evidence = |candidate: usize| {
            // A candidate ahead of the leader has gap 0.
            let gap = self.evidence(leader, candidate).max(0.0);
            gap * gap / 2.0 + (self.candidates[candidate].utility.count.max(1) as f64).ln()
        };
        let others = (0..self.candidates.len()).filter(|&candidate| candidate != leader && !self.is_dropped(candidate));
        others.min_by(|&a, &b| evidence(a).total_cmp(&evidence(b)))
    }

    /// Whether one candidate has the higher utility on the same deals, by more than this many standard errors.
    pub fn is_ahead(&self, one: usize, other: usize, errors: f64) -> bool {
        let (mean, error, _) = self.differences.difference(one, other);
        error > 0.0 && mean > errors * error
    }

    /// Returns whether `candidate` is certainly worse than `yardstick`, or whether the paired difference shows this by the union bound over
    /// all candidates.
    fn is_beaten(&self, yardstick: usize, candidate: usize) -> bool {
        let certainty = |number: usize| self.candidates[number].certainty;
        certainty(candidate) < certainty(yardstick) || self.differences.shows(yardstick, candidate, self.rule.delta())
    }

    /// Whether the leader is decided after `iterations` iterations: every other candidate is beaten, or so similar to the leader that
    /// more samples would not tell them apart.
    pub fn is_decided(&self, iterations: u64) -> bool {
        let leader = self.leader();
        let is_similar = |other: usize| similar(&self.candidates[leader].play, &self.candidates[other].play);
        (0..self.candidates.len()).all(|other| {
            other == leader
                || self.is_dropped(other)
                || self.is_beaten(leader, other)
                || iterations >= MIN_SAMPLES_SIMILAR && is_similar(other)
        })
    }

    /// Drops the candidates for which `is_hopeless` is true, and returns them.
    pub fn drop_out(&mut self, is_hopeless: impl Fn(&Standings, usize) -> bool) -> Vec<usize> {
        let dropped: Vec<usize> =
            (0..self.candidates.len()).filter(|&candidate| !self.is_dropped(candidate) && is_hopeless(self, candidate)).collect();
        for &candidate in &dropped {
            self.candidates[candidate].is_dropped = true;
        }
        dropped
    }

    /// Drops beaten candidates, and returns them. The first two are kept, so that the leader always has a rival to be compared with.
    pub fn drop_beaten(&mut self) -> Vec<usize> {
        let (first, yardstick) = (self.ranking(2), self.yardstick());
        self.drop_out(|standings, candidate| !first.contains(&candidate) && standings.is_beaten(yardstick, candidate))
    }

    /// The best `most` candidates as rows of a report, best first, without plies; each with its number.
    pub fn rows(&self, most: usize) -> Vec<(usize, SimulationRow)> {
        self.ranking(most).into_iter().map(|candidate| (candidate, self.candidates[candidate].row())).collect()
    }
}

/// Returns the value by which candidates are ranked; see the module documentation.
fn utility(sample: &Sample, equity_weight: f64) -> f64 {
    sample.win + equity_weight / (1.0 + (-sample.equity / EQUITY_SCALE).exp())
}

/// Whether two plays place the same tiles from the same square: samples will hardly tell such plays apart.
fn similar(a: &EvaluatedPlay, b: &EvaluatedPlay) -> bool {
    match (a.play.placement(), b.play.placement()) {
        (Some(a), Some(b)) => (a.start, a.direction, a.rack_tiles()) == (b.start, b.direction, b.rack_tiles()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::race::differences::ALL_PAIRS_UP_TO;
    use crate::search::randomness::{self, Stream};
    use rand::Rng;

    const RULE: RaceRule = RaceRule {
        allocation: Allocation::Adaptive,
        stop_condition: None,
        most_undecided: u64::MAX,
        equity_weight: 0.3,
        static_samples: 0.0,
    };

    fn sample(win: f64) -> Sample {
        Sample { win, ..Sample::default() }
    }

    /// Candidates of which each is better than the one before it, sampled in this many iterations. The beaten ones are dropped.
    fn sampled(candidates: usize, iterations: u64) -> Standings {
        let mut standings = Standings::new(RaceCandidate::all(&vec![EvaluatedPlay::PASS; candidates]), RULE);
        let mut rng = randomness::generator(41, Stream::Positions, candidates as u64);
        for _ in 0..iterations {
            let in_race: Vec<usize> = (0..candidates).filter(|&candidate| !standings.is_dropped(candidate)).collect();
            let mut noisy = |candidate: usize| {
                let noise = f64::from(Rng::next_u32(&mut rng) % 1000) / 4000.0;
                (candidate, sample(0.7 * candidate as f64 / candidates as f64 + noise))
            };
            let samples: Vec<_> = in_race.into_iter().map(&mut noisy).collect();
            standings.add_iteration(samples.into_iter());
            standings.drop_beaten();
            standings.follow_leader();
        }
        standings
    }

    #[test]
    fn the_best_candidate_leads_and_the_worst_are_dropped_however_many_there_are() {
        // With the last of these, the best candidates have no differences at first.
        for candidates in [40, ALL_PAIRS_UP_TO, ALL_PAIRS_UP_TO + 1, 4 * ALL_PAIRS_UP_TO] {
            let standings = sampled(candidates, 200);
            let leader = standings.leader();
            assert!(leader > candidates * 9 / 10, "{leader} of {candidates} leads");
            assert!(standings.differences.age(leader).is_some(), "{candidates}");
            let dropped = candidates - standings.in_race();
            assert!(dropped > candidates / 2, "{dropped} of {candidates} are dropped");
            assert!((candidates * 98 / 100..candidates).all(|candidate| !standings.is_dropped(candidate)), "{candidates}");
        }
    }

    /// The candidates in their order, after samples with these wins, one iteration per row. Static equity expects `expected` of each, and
    /// counts as `static_samples` samples.
    fn ranked(expected: &[f64], static_samples: f64, iterations: &[&[f64]]) -> Vec<usize> {
        let candidate =
            |(number, &win): (usize, &f64)| RaceCandidate::new(number, EvaluatedPlay::PASS).expecting(sample(win), EndCertainty::Open);
        let candidates = expected.iter().enumerate().map(candidate).collect();
        let mut standings = Standings::new(candidates, RaceRule { equity_weight: 0.0, static_samples, ..RULE });
        for wins in iterations {
            standings.add_iteration(wins.iter().map(|&win| sample(win)).enumerate());
        }
        standings.ranking(expected.len())
    }

    #[test]
    fn few_samples_are_weighed_against_what_static_equity_expects() {
        // The first one is expected to win a tenth more than the second, and won two tenths less in each of two samples.
        let (expected, wins) = ([0.6, 0.5, 0.1], [0.3, 0.5, 0.0]);
        let after = |static_samples, iterations: usize| ranked(&expected, static_samples, &vec![&wins[..]; iterations]);
        assert_eq!(after(0.0, 2), [1, 0, 2], "without weight only samples count");
        assert_eq!(after(8.0, 0), [0, 1, 2]);
        assert_eq!(after(8.0, 2), [0, 1, 2]);
        assert_eq!(after(8.0, 3), [0, 1, 2]);
        assert_eq!(after(8.0, 5), [1, 0, 2], "five samples of -0.2 outweigh eight of 0.1");
        // If all are worth less than expected, this reveals nothing about any single one.
        let shifted = expected.map(|win| win + 0.3);
        // With four iterations the first two are equal.
        for iterations in [0, 1, 2, 3, 5, 6, 7] {
            assert_eq!(ranked(&shifted, 8.0, &vec![&wins[..]; iterations]), after(8.0, iterations), "{iterations}");
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
