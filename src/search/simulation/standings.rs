//! Where the candidates of a simulation stand: their statistics, their ranking, and which ones are beaten.
//!
//! Candidates are ranked by win probability plus a tenth of a logistic curve of the equity (scale 100 points): near-equal
//! chances are decided by points, and so are games that are won or lost anyway. \[macondo\] and \[MAGPIE\] rank in such a way, too.
//!
//! Everything is summed in the order of iterations and candidates, so that the numbers do not depend on threads.

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::search::candidates;
use crate::search::paired::{Moments, PairedDifferences};
use crate::search::report::{PlyStats, SimRow};
use crate::search::simulation::context::SimContext;
use crate::search::simulation::rollout::{PlySample, Sample, SimCandidate};

/// Weight of the equity in the ranking, relative to the win probability.
const EQUITY_WEIGHT: f64 = 0.1;

/// Scale of the equity's logistic curve, points.
const EQUITY_SCALE: f64 = 100.0;

/// Samples before a candidate may be pruned.
pub const MIN_SAMPLES: u64 = 64;

/// Samples before candidates that place the same tiles on the same square count as one.
const MIN_SAMPLES_SIMILAR: u64 = 750;

/// A candidate with its statistics.
struct Arm {
    candidate: SimCandidate,
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
    /// The accepted chance of ending with a wrong leader.
    delta: f64,
}

impl Standings {
    /// Candidates without samples, best static play first.
    pub fn new(context: &SimContext<'_>, plays: &[EvaluatedPlay], delta: f64) -> Standings {
        let arm = |(index, play): (usize, &EvaluatedPlay)| Arm {
            candidate: SimCandidate::new(context, index, play),
            win: Moments::default(),
            equity: Moments::default(),
            utility: Moments::default(),
            plies: vec![PlySums::default(); context.horizon.told_plies()],
            is_pruned: false,
        };
        Standings { arms: plays.iter().enumerate().map(arm).collect(), differences: PairedDifferences::new(plays.len()), delta }
    }

    /// Number of candidates, the pruned ones among them.
    pub fn candidates(&self) -> usize {
        self.arms.len()
    }

    /// A candidate by its number.
    pub fn candidate(&self, arm: usize) -> &SimCandidate {
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
            let utility = utility(&sample);
            let arm = &mut self.arms[index];
            arm.win.add(sample.win);
            arm.equity.add(sample.equity);
            arm.utility.add(utility);
            utilities.push((index, utility));
        }
        self.differences.add(&utilities);
    }

    /// Adds what the plies of some rollouts of a candidate scored.
    pub fn add_plies(&mut self, arm: usize, plies: &[PlySums]) {
        for (sum, more) in self.arms[arm].plies.iter_mut().zip(plies) {
            sum.merge(more);
        }
    }

    /// The candidate that is ranked first.
    pub fn leader(&self) -> usize {
        self.ranking()[0]
    }

    /// Candidates by rank; pruned ones come last.
    fn ranking(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.arms.len()).collect();
        let key = |arm: usize| (self.arms[arm].is_pruned, -self.arms[arm].utility.mean);
        // Stable: candidates without a difference stay in their static order.
        order.sort_by(|&a, &b| key(a).partial_cmp(&key(b)).expect("means are numbers"));
        order
    }

    /// How many standard errors `arm` is behind `leader`, by their shared iterations; 0 while that is not known.
    pub fn gap(&self, leader: usize, arm: usize) -> f64 {
        let (mean, error, count) = self.differences.difference(leader, arm);
        if count < MIN_SAMPLES || error == 0.0 { 0.0 } else { mean / error }
    }

    /// Whether the paired difference shows that `arm` is worse than `leader`: by the union bound over all candidates.
    fn is_beaten(&self, leader: usize, arm: usize) -> bool {
        let (mean, error, count) = self.differences.difference(leader, arm);
        let bound = (2.0 * (self.arms.len() as f64 / self.delta).ln()).sqrt();
        count >= MIN_SAMPLES && mean > bound * error
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

    /// Prunes beaten candidates. The first two are kept, so that the leader always has a rival to be compared with.
    pub fn prune(&mut self) {
        let ranking = self.ranking();
        for &arm in ranking.iter().skip(2) {
            if !self.arms[arm].is_pruned && self.is_beaten(ranking[0], arm) {
                self.arms[arm].is_pruned = true;
            }
        }
    }

    /// All candidates as rows of a report, best first.
    pub fn rows(&self, context: &SimContext<'_>) -> Vec<SimRow> {
        self.ranking().into_iter().map(|arm| self.arms[arm].row(context)).collect()
    }
}

impl Arm {
    fn row(&self, context: &SimContext<'_>) -> SimRow {
        let static_points = self.candidate.play.equity.points();
        let (win, equity) = if self.win.count > 0 {
            (self.win.mean, self.equity.mean)
        } else {
            // Nothing sampled yet: the static evaluation, seen from the opponent's turn.
            let left = context.left_after(&self.candidate.play.play);
            (1.0 - context.win_model.win(-(f64::from(context.spread) + static_points), left), static_points)
        };
        SimRow {
            ranked: candidates::ranked(&self.candidate.play, &context.rack),
            win,
            win_error: self.win.standard_error(),
            equity,
            equity_error: self.equity.standard_error(),
            iterations: self.win.count,
            pruned: self.is_pruned,
            plies: self.plies.iter().map(PlySums::stats).collect(),
        }
    }
}

/// What candidates are ranked by, see the module's text.
fn utility(sample: &Sample) -> f64 {
    sample.win + EQUITY_WEIGHT / (1.0 + (-sample.equity / EQUITY_SCALE).exp())
}

/// Whether two plays place the same tiles from the same square: samples will hardly tell such plays apart.
fn similar(a: &EvaluatedPlay, b: &EvaluatedPlay) -> bool {
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
