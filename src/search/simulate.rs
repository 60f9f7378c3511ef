//! Anytime simulation: rollouts of the candidates in rounds, with a ranking that gets better, until a limit or a signal.
//!
//! A round is a range of iterations and the candidates sampled in it; which ones follows from the statistics before it, so the
//! course of a simulation does not depend on threads or time. Candidates close to the leader are sampled in every round,
//! others in every second or fourth; those that a paired difference shows to be worse are pruned. A round that a signal cuts
//! short is left out. On request all candidates are sampled in every round and none is pruned.
//!
//! Candidates are ranked by win probability plus a tenth of a logistic curve of the equity (scale 100 points): near-equal
//! chances are decided by points, and so are games that are won or lost anyway (ALGORITHMS 1.5.5).

use crate::evaluation::StaticEval;
use crate::evaluation::static_eval::EvaluatedPlay;
use crate::rules::Position;
use crate::search::budget::Signals;
use crate::search::paired::{Moments, PairedDifferences};
use crate::search::replies;
use crate::search::report::{Outcome, PlyStats, Report, SimRow};
use crate::search::rollout::{Candidate, Horizon, PlySample, Sample, Setting, Worker};
use crate::search::{Knowledge, Listener, LoggedSample, SearchRequest, candidates};
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Weight of the equity in the ranking, relative to the win probability.
const EQUITY_WEIGHT: f64 = 0.1;

/// Scale of the equity's logistic curve, points.
const EQUITY_SCALE: f64 = 100.0;

/// Iterations of the first round; later rounds are longer, up to [`MAX_ROUND`].
const FIRST_ROUND: u64 = 4;

/// Samples of the longest round, of all its candidates together: about a tenth of a second of one thread.
const MAX_ROUND: u64 = 1920;

/// Samples that a thread makes at one go: all those of some iterations, which have the opponent's rack in common, at least of one. Threads
/// wait for each other at the end of a round, on the mean for half as long as this takes.
const AT_ONE_GO: u64 = 16;

/// Samples before a candidate may be pruned.
const MIN_SAMPLES: u64 = 64;

/// Samples before candidates that place the same tiles on the same square count as one.
const MIN_SAMPLES_SIMILAR: u64 = 750;

/// The chance of pruning the best candidate that is accepted when no stop condition is given.
const DEFAULT_DELTA: f64 = 0.001;

/// Iterations after which candidates that a stop condition could not tell apart are taken for equal.
const MAX_ITERATIONS_UNDECIDED: u64 = 50_000;

/// Iterations after which a simulation knows enough, whatever it is told.
const MAX_ITERATIONS: u64 = 1 << 32;

/// A candidate with its statistics.
struct Arm {
    candidate: Candidate,
    win: Moments,
    equity: Moments,
    utility: Moments,
    plies: Vec<PlySums>,
    pruned: bool,
}

/// Sums of a ply's scores: integers, so that their order does not matter.
#[derive(Clone, Copy, Default)]
struct PlySums {
    count: u64,
    score: i64,
    score_squared: i64,
    bingos: u64,
}

/// A part of a round: some iterations of one candidate.
struct Task {
    arm: usize,
    /// Candidates that are sampled in these iterations.
    arms: usize,
    first: u64,
    end: u64,
}

/// What a task found. Shorter than the task if a signal cut it short.
struct TaskResult {
    samples: Vec<Sample>,
    plies: Vec<PlySums>,
    /// Plies of the longest rollout.
    longest: usize,
    logged: Vec<LoggedSample>,
    nodes: u64,
}

/// A simulation under way.
pub struct Simulation<'a> {
    setting: Setting<'a>,
    arms: Vec<Arm>,
    differences: PairedDifferences,
    iterations: u64,
    nodes: u64,
    /// Plies of the longest rollout.
    longest: usize,
    rounds: u64,
    delta: f64,
}

impl<'a> Simulation<'a> {
    /// A simulation of these candidates (at least one), best static play first.
    pub fn new(knowledge: &'a Knowledge, request: &SearchRequest, position: &'a Position, candidates: &[EvaluatedPlay]) -> Simulation<'a> {
        let graph = knowledge.lexicon.graph();
        let horizon = request.plies.map_or(Horizon::usual(position.in_bag()), Horizon::Plies);
        let mut setting = Setting::new(position, graph, &knowledge.evaluator.win_model, horizon, request.seed);
        setting.opponent_passes = request.opponent_passes;
        let arm = |(index, play): (usize, &EvaluatedPlay)| Arm {
            candidate: Candidate::new(&setting, index, play),
            win: Moments::default(),
            equity: Moments::default(),
            utility: Moments::default(),
            plies: vec![PlySums::default(); horizon.told_plies()],
            pruned: false,
        };
        let arms = candidates.iter().enumerate().map(arm).collect();
        Simulation {
            setting,
            arms,
            differences: PairedDifferences::new(candidates.len()),
            iterations: 0,
            nodes: 0,
            longest: 0,
            rounds: 0,
            delta: request.limits.stop_condition.map_or(DEFAULT_DELTA, |condition| condition.delta()),
        }
    }

    /// Runs until a limit or a signal.
    pub fn run(&mut self, knowledge: &Knowledge, request: &SearchRequest, signals: &Signals, listener: &mut dyn Listener) -> Outcome {
        let threads = request.threads.max(1);
        let worker = || {
            let eval = StaticEval::new(self.setting.rules, knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves);
            Mutex::new(Worker::new(eval, self.arms.len(), request.log_samples))
        };
        let workers: Vec<_> = (0..threads).map(|_| worker()).collect();
        let pool = (threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started"));
        let mut solved = false;
        while !signals.is_stopped() && !solved && !self.reached_limit(request) {
            let tasks = self.plan_round(request);
            let run_task = |task: &Task| {
                let worker = &workers[rayon::current_thread_index().unwrap_or(0)];
                run_task(
                    &self.setting,
                    &self.arms[task.arm].candidate,
                    task,
                    &mut worker.lock().unwrap_or_else(PoisonError::into_inner),
                    signals,
                )
            };
            let results: Vec<TaskResult> = match &pool {
                Some(pool) => {
                    let together = tasks[0].arms;
                    let run_tasks = |tasks: &'_ [Task]| tasks.iter().map(run_task).collect::<Vec<_>>();
                    pool.install(|| tasks.par_chunks(together).with_max_len(1).flat_map_iter(run_tasks).collect())
                }
                None => tasks.iter().map(run_task).collect(),
            };
            if tasks.iter().zip(&results).any(|(task, result)| result.samples.len() as u64 != task.end - task.first) {
                break;
            }
            self.take_in(&tasks, &results, listener);
            if !request.equally {
                self.prune();
            }
            solved = self.setting.is_certain();
            if self.rounds == 1 || signals.take_report() {
                listener.report(self.report());
            }
        }
        let report = self.report();
        let best = match &report {
            Report::Sim { rows, .. } => rows.first().map(|row| row.ranked.play),
            _ => None,
        };
        Outcome { best, last: Some(report), solved }
    }

    fn reached_limit(&self, request: &SearchRequest) -> bool {
        let limits = &request.limits;
        if self.iterations >= limits.iterations.unwrap_or(MAX_ITERATIONS).min(MAX_ITERATIONS) {
            return true;
        }
        if limits.nodes.is_some_and(|nodes| self.nodes >= nodes) {
            return true;
        }
        let may_be_decided = limits.stop_condition.is_some() && self.iterations > 0 && !limits.infinite;
        may_be_decided && (self.iterations >= MAX_ITERATIONS_UNDECIDED || self.is_decided())
    }

    /// Whether the leader is alone, or among plays that differ from it in nothing that matters.
    fn is_decided(&self) -> bool {
        let leader = self.leader();
        (0..self.arms.len()).all(|arm| {
            arm == leader
                || self.arms[arm].pruned
                || self.is_beaten(leader, arm)
                || self.iterations >= MIN_SAMPLES_SIMILAR && similar(&self.arms[leader].candidate.play, &self.arms[arm].candidate.play)
        })
    }

    /// The candidate ranked first; pruned ones come last.
    fn leader(&self) -> usize {
        self.ranking()[0]
    }

    fn ranking(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.arms.len()).collect();
        let key = |arm: usize| (self.arms[arm].pruned, -self.arms[arm].utility.mean);
        // Stable: candidates without a difference stay in their static order.
        order.sort_by(|&a, &b| key(a).partial_cmp(&key(b)).expect("means are numbers"));
        order
    }

    /// Whether the paired difference shows that `arm` is worse than `leader`: by the union bound over all candidates.
    fn is_beaten(&self, leader: usize, arm: usize) -> bool {
        let (mean, error, count) = self.differences.difference(leader, arm);
        let bound = (2.0 * (self.arms.len() as f64 / self.delta).ln()).sqrt();
        count >= MIN_SAMPLES && mean > bound * error
    }

    /// Prunes beaten candidates, but leaves the leader company.
    fn prune(&mut self) {
        let ranking = self.ranking();
        for &arm in ranking.iter().skip(2) {
            if !self.arms[arm].pruned && self.is_beaten(ranking[0], arm) {
                self.arms[arm].pruned = true;
            }
        }
    }

    /// The next range of iterations, and who is sampled in it.
    fn plan_round(&self, request: &SearchRequest) -> Vec<Task> {
        let leader = self.leader();
        let is_due = |arm: usize| {
            let (mean, error, count) = self.differences.difference(leader, arm);
            let gap = if count < MIN_SAMPLES || error == 0.0 { 0.0 } else { mean / error };
            let every = if gap < 2.0 {
                1
            } else if gap < 3.0 {
                2
            } else {
                4
            };
            self.rounds.is_multiple_of(every)
        };
        let is_sampled = |arm: usize| arm == leader || request.equally || !self.arms[arm].pruned && is_due(arm);
        let arms: Vec<usize> = (0..self.arms.len()).filter(|&arm| is_sampled(arm)).collect();
        let mut length = (self.iterations / 8).min(MAX_ROUND / arms.len() as u64).max(FIRST_ROUND);
        if let Some(limit) = request.limits.iterations {
            length = length.min(limit - self.iterations);
        }
        if let Some(limit) = request.limits.nodes {
            let per_iteration = (arms.len() * self.setting.likely_plies()) as u64;
            length = length.min((limit - self.nodes) / per_iteration).max(1);
        }
        let end = self.iterations + length;
        let at_one_go = (AT_ONE_GO / arms.len() as u64).clamp(1, replies::KEPT as u64);
        let starts = (self.iterations..end).step_by(at_one_go as usize);
        let task = |first: u64, arm: usize| Task { arm, arms: arms.len(), first, end: (first + at_one_go).min(end) };
        starts.flat_map(|first| arms.iter().map(move |&arm| (first, arm))).map(|(first, arm)| task(first, arm)).collect()
    }

    /// Adds a round's samples, in the order of iterations and candidates.
    fn take_in(&mut self, tasks: &[Task], results: &[TaskResult], listener: &mut dyn Listener) {
        let mut start = 0;
        while start < tasks.len() {
            let chunk = tasks[start..].iter().take_while(|task| task.first == tasks[start].first).count();
            let (tasks, results) = (&tasks[start..start + chunk], &results[start..start + chunk]);
            for offset in 0..(tasks[0].end - tasks[0].first) as usize {
                let mut values = Vec::with_capacity(chunk);
                for (task, result) in tasks.iter().zip(results) {
                    let sample = &result.samples[offset];
                    let utility = utility(sample);
                    let arm = &mut self.arms[task.arm];
                    arm.win.add(sample.win);
                    arm.equity.add(sample.equity);
                    arm.utility.add(utility);
                    values.push((task.arm, utility));
                    if let Some(logged) = result.logged.get(offset) {
                        listener.sample(logged.clone());
                    }
                }
                self.differences.add(&values);
            }
            start += chunk;
        }
        for (task, result) in tasks.iter().zip(results) {
            self.nodes += result.nodes;
            self.longest = self.longest.max(result.longest);
            for (sum, more) in self.arms[task.arm].plies.iter_mut().zip(&result.plies) {
                sum.merge(more);
            }
        }
        self.iterations = tasks.last().map_or(self.iterations, |task| task.end);
        self.rounds += 1;
    }

    /// The standings.
    pub fn report(&self) -> Report {
        let rows = self.ranking().into_iter().map(|arm| self.row(&self.arms[arm])).collect();
        let plies = match self.setting.horizon {
            Horizon::Plies(plies) => plies,
            Horizon::End => self.longest,
        };
        Report::Sim { rows, plies, nodes: self.nodes }
    }

    fn row(&self, arm: &Arm) -> SimRow {
        let static_points = f64::from(arm.candidate.play.equity_millipoints) / 1000.0;
        let (win, equity) = if arm.win.count > 0 {
            (arm.win.mean, arm.equity.mean)
        } else {
            // Nothing sampled yet: the static evaluation, seen from the opponent's turn.
            let left = self.setting.left_after(&arm.candidate.play.play);
            (1.0 - self.setting.win_model.win(-(f64::from(self.setting.spread) + static_points), left), static_points)
        };
        SimRow {
            ranked: candidates::ranked(&arm.candidate.play, &self.setting.rack),
            win,
            win_error: arm.win.standard_error(),
            equity,
            equity_error: arm.equity.standard_error(),
            iterations: arm.win.count,
            pruned: arm.pruned,
            plies: arm.plies.iter().map(PlySums::stats).collect(),
        }
    }
}

/// What candidates are ranked by, see the module's text.
fn utility(sample: &Sample) -> f64 {
    sample.win + EQUITY_WEIGHT / (1.0 + (-sample.equity / EQUITY_SCALE).exp())
}

/// Whether two plays place the same tiles from the same square, so that samples cannot be expected to tell them apart.
fn similar(a: &EvaluatedPlay, b: &EvaluatedPlay) -> bool {
    match (a.play.placement(), b.play.placement()) {
        (Some(a), Some(b)) => (a.start, a.direction, a.rack_tiles()) == (b.start, b.direction, b.rack_tiles()),
        _ => false,
    }
}

fn run_task(setting: &Setting<'_>, candidate: &Candidate, task: &Task, worker: &mut Worker<'_>, signals: &Signals) -> TaskResult {
    let mut result = TaskResult {
        samples: Vec::new(),
        plies: vec![PlySums::default(); setting.horizon.told_plies()],
        longest: 0,
        logged: Vec::new(),
        nodes: 0,
    };
    let nodes_before = worker.nodes;
    for iteration in task.first..task.end {
        if signals.is_stopped() {
            break;
        }
        let sample = worker.sample(setting, candidate, (iteration, task.arms));
        for (sum, ply) in result.plies.iter_mut().zip(&worker.plies) {
            sum.add(ply);
        }
        result.logged.extend(worker.logged(iteration, &sample));
        result.longest = result.longest.max(worker.length);
        result.samples.push(sample);
    }
    result.nodes = worker.nodes - nodes_before;
    result
}

impl PlySums {
    fn add(&mut self, ply: &PlySample) {
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
