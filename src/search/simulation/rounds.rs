//! The course of a simulation: rounds of rollouts, with a ranking that gets better, until a limit or a signal.
//!
//! A round is a range of iterations and the candidates sampled in it. The statistics before the round decide which candidates
//! these are, so the course of a simulation depends neither on threads nor on time. Candidates close to the leader are sampled in every round,
//! others the less often the further they are behind; those that a paired difference shows to be worse are pruned. Of a round that a signal cuts
//! short those iterations count that have all their candidates: a simulation that is stopped in its first iteration has the static ranking, without
//! samples.
//!
//! With very many candidates a round is a single iteration, its candidates are shared out among the threads, and boards are kept for some of them
//! only. So a signal is obeyed within a rollout or two, and memory grows with the number of candidates, not with its square.

use crate::evaluation::StaticEval;
use crate::evaluation::static_eval::EvaluatedPlay;
use crate::search::analysis::{Allocation, SimulationOptions};
use crate::search::budget::Signals;
use crate::search::context::SearchContext;
use crate::search::inference::belief::Belief;
use crate::search::report::{Listener, LoggedSample, Outcome, Report};
use crate::search::simulation::context::SimulationContext;
use crate::search::simulation::horizon::{DEFAULT_PLIES, Horizon};
use crate::search::simulation::replies::{self, Iteration};
use crate::search::simulation::rollout::{RolloutWorker, Sample, SimulationCandidate};
use crate::search::simulation::standings::{
    self, EQUITY_WEIGHT, EQUITY_WEIGHT_AT_THE_END, PlySums, RankingRule, STATIC_SAMPLES, Standings,
};
use crate::search::threads;
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Iterations of the first round; later rounds are longer, up to [`MAX_ROUND`].
const FIRST_ROUND: u64 = 4;

/// Samples of the longest round, of all its candidates together: about a tenth of a second of one thread.
const MAX_ROUND: u64 = 1920;

/// A candidate that is d standard errors behind is sampled in one of so many times d² rounds, and in every round below one standard error: the further
/// behind, the less likely it is that more samples change the leader. `benches/strength.md` has what that is worth.
const ROUNDS_A_SQUARE: f64 = 2.0;

/// Even the last one is sampled in one of so many rounds, until it is pruned.
const MOST_ROUNDS_BETWEEN: f64 = 32.0;

/// Samples that a thread makes in one task: all samples of one or more iterations, since those share the opponent's rack.
/// Threads wait for each other at the end of a round, on average for half the time of a task.
const AT_ONE_GO: u64 = 16;

/// Candidates of an iteration that one thread takes at most: each thread that takes some works out for itself what they share.
const MOST_TOGETHER: usize = 64;

/// Boards after candidates that all threads together keep, 60 KB each or more.
const KEPT_BOARDS: usize = 512;

/// Boards that a thread may keep, however many threads there are.
const KEPT_BY_A_THREAD: usize = 64;

/// The chance of pruning the best candidate that is accepted when no stop condition is given.
const DEFAULT_DELTA: f64 = 0.001;

/// After this many iterations, candidates that a stop condition could not tell apart count as equal.
const MAX_ITERATIONS_UNDECIDED: u64 = 50_000;

/// After this many iterations a simulation ends, whatever its limits say.
const MAX_ITERATIONS: u64 = 1 << 32;

/// A part of a round: some iterations of one candidate.
struct RolloutTask {
    arm: usize,
    /// Candidates that are sampled in these iterations.
    arms: usize,
    first: u64,
    end: u64,
}

/// What a task found. It has fewer samples than the task has iterations if a signal cut it short.
#[derive(Default)]
struct RolloutResult {
    samples: Vec<Sample>,
    plies: Vec<PlySums>,
    /// Plies of the longest rollout.
    longest: usize,
    logged: Vec<LoggedSample>,
    nodes: u64,
}

/// A simulation under way.
pub struct Simulation<'a> {
    context: SimulationContext<'a>,
    options: &'a SimulationOptions,
    standings: Standings,
    iterations: u64,
    nodes: u64,
    /// Plies of the longest rollout.
    longest: usize,
    rounds: u64,
}

impl<'a> Simulation<'a> {
    /// A simulation of these candidates (at least one), best static play first.
    pub fn new(
        search: &SearchContext<'a>,
        candidates: &[EvaluatedPlay],
        options: &'a SimulationOptions,
        belief: Option<&'a Belief>,
    ) -> Simulation<'a> {
        let (position, knowledge) = (search.position, search.knowledge);
        let horizon = options.plies.map_or(Horizon::usual(position.in_bag()), Horizon::Plies);
        let graph = knowledge.lexicon.graph();
        let mut context = SimulationContext::new(position, graph, &knowledge.evaluator.win_model, horizon, search.settings.seed);
        context.opponent_passes = options.opponent_passes;
        context.belief = belief;
        let may_end = context.rules.is_ended_by_zero_turn_after(context.zero_turns);
        let usual_weight = if may_end { EQUITY_WEIGHT_AT_THE_END } else { EQUITY_WEIGHT };
        let delta = options.stop_condition.map_or(DEFAULT_DELTA, |condition| condition.delta());
        let rule = RankingRule {
            delta,
            equity_weight: options.equity_weight.unwrap_or(usual_weight),
            static_samples: options.static_samples.unwrap_or(STATIC_SAMPLES).into(),
        };
        let standings = Standings::new(candidates, context.end.as_ref(), |play| standings::expected(&context, play), rule);
        Simulation { context, options, standings, iterations: 0, nodes: 0, longest: 0, rounds: 0 }
    }

    /// Runs until a limit or a signal.
    pub fn run(&mut self, search: &SearchContext<'a>, listener: &mut dyn Listener) -> Outcome {
        let knowledge = search.knowledge;
        let pool = threads::pool(search.settings.threads);
        // Those that were started, which may be fewer than were asked for.
        let threads = pool.as_ref().map_or(1, |pool| pool.current_num_threads());
        let worker = || {
            let eval = StaticEval::new(self.context.rules, knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves);
            let room = (KEPT_BOARDS / threads).max(KEPT_BY_A_THREAD);
            Mutex::new(RolloutWorker::new(eval, self.standings.candidates(), room, self.options.log_samples))
        };
        let workers: Vec<_> = (0..threads).map(|_| worker()).collect();
        let mut solved = false;
        while !search.signals.is_stopped() && !solved && !self.has_reached_a_limit() {
            let tasks = self.plan_round();
            let run_task = |task: &RolloutTask| {
                let mut worker = workers[threads::number_in(pool.as_ref())].lock().unwrap_or_else(PoisonError::into_inner);
                run_task(&self.context, self.standings.candidate(task.arm), task, &mut worker, search.signals)
            };
            let results: Vec<RolloutResult> = match &pool {
                Some(pool) => {
                    // One thread takes all candidates of its iterations, which share what is known of the opponent's reply.
                    let together = tasks[0].arms.min(MOST_TOGETHER);
                    let run_tasks = |tasks: &'_ [RolloutTask]| tasks.iter().map(run_task).collect::<Vec<_>>();
                    pool.install(|| tasks.par_chunks(together).with_max_len(1).flat_map_iter(run_tasks).collect())
                }
                None => tasks.iter().map(run_task).collect(),
            };
            if !self.take_in(&tasks, &results, listener) {
                break;
            }
            if self.options.allocation == Allocation::Adaptive {
                let beaten = self.standings.prune();
                for worker in &workers {
                    worker.lock().unwrap_or_else(PoisonError::into_inner).forget(&beaten);
                }
            }
            self.standings.follow_leader();
            solved = self.context.is_certain();
            let is_asked = search.signals.take_report();
            if self.rounds == 1 || is_asked {
                listener.report(self.report());
            }
        }
        let best = self.standings.candidate(self.standings.leader()).play.play;
        Outcome { best: Some(best), last: Some(self.report()), solved }
    }

    fn has_reached_a_limit(&self) -> bool {
        let options = self.options;
        if self.iterations >= options.iterations.unwrap_or(MAX_ITERATIONS).min(MAX_ITERATIONS) {
            return true;
        }
        // Rollouts of no plies generate nothing, and count all the same.
        if options.nodes.is_some_and(|nodes| self.nodes.max(self.iterations) >= nodes) {
            return true;
        }
        let may_be_decided = options.stop_condition.is_some() && self.iterations > 0;
        may_be_decided && (self.iterations >= MAX_ITERATIONS_UNDECIDED || self.standings.is_decided(self.iterations))
    }

    /// The next range of iterations, and the candidates sampled in it.
    fn plan_round(&self) -> Vec<RolloutTask> {
        let arms = self.arms_due();
        // Rounds grow with the iterations made, as far as the limits allow.
        let longest = (MAX_ROUND / arms.len() as u64).max(1);
        let mut length = (self.iterations / 8).clamp(FIRST_ROUND.min(longest), longest);
        if let Some(limit) = self.options.iterations {
            length = length.min(limit - self.iterations);
        }
        if let Allocation::TopTwo { floor } = self.options.allocation
            && self.iterations < floor
        {
            length = length.min(floor - self.iterations);
        }
        if let Some(limit) = self.options.nodes {
            let per_iteration = (arms.len() * self.context.likely_plies()) as u64;
            length = length.min((limit - self.nodes) / per_iteration).max(1);
        }
        let end = self.iterations + length;
        let at_one_go = (AT_ONE_GO / arms.len() as u64).clamp(1, replies::KEPT as u64);
        let starts = (self.iterations..end).step_by(at_one_go as usize);
        let task = |first: u64, arm: usize| RolloutTask { arm, arms: arms.len(), first, end: (first + at_one_go).min(end) };
        starts.flat_map(|first| arms.iter().map(move |&arm| (first, arm))).map(|(first, arm)| task(first, arm)).collect()
    }

    /// The candidates that are sampled in the next round: the leader always, others less often the further behind they are.
    fn arms_due(&self) -> Vec<usize> {
        let (leader, yardstick) = (self.standings.leader(), self.standings.yardstick());
        let is_due = |arm: usize| {
            // Who is ahead of the yardstick is not behind.
            let gap = self.standings.gap(yardstick, arm).max(0.0);
            let every = (ROUNDS_A_SQUARE * gap * gap).clamp(1.0, MOST_ROUNDS_BETWEEN) as u64;
            !self.standings.is_pruned(arm) && self.rounds.is_multiple_of(every)
        };
        let all = 0..self.standings.candidates();
        match self.options.allocation {
            Allocation::Adaptive => all.filter(|&arm| arm == leader || is_due(arm)).collect(),
            Allocation::TopTwo { floor } if self.iterations >= floor => {
                let rival = self.standings.rival();
                all.filter(|&arm| arm == leader || Some(arm) == rival).collect()
            }
            Allocation::Equal | Allocation::TopTwo { .. } => all.collect(),
        }
    }

    /// Adds a round's samples, in the order of iterations and candidates, and says whether there are any. Iterations that a signal cut short in one of
    /// their candidates are left out.
    fn take_in(&mut self, tasks: &[RolloutTask], results: &[RolloutResult], listener: &mut dyn Listener) -> bool {
        let before = self.iterations;
        let mut start = 0;
        while start < tasks.len() {
            // All candidates of the same iterations stand together.
            let chunk = tasks[start..].iter().take_while(|task| task.first == tasks[start].first).count();
            let (tasks, results) = (&tasks[start..start + chunk], &results[start..start + chunk]);
            start += chunk;
            let iterations = tasks[0].end - tasks[0].first;
            if results.iter().any(|result| (result.samples.len() as u64) < iterations) {
                continue;
            }
            for offset in 0..iterations as usize {
                for result in results {
                    if let Some(logged) = result.logged.get(offset) {
                        listener.sample(logged.clone());
                    }
                }
                self.standings.add_iteration(tasks.iter().zip(results).map(|(task, result)| (task.arm, result.samples[offset])));
            }
            for (task, result) in tasks.iter().zip(results) {
                self.nodes += result.nodes;
                self.longest = self.longest.max(result.longest);
                self.standings.add_plies(task.arm, &result.plies);
            }
            self.iterations += iterations;
        }
        self.rounds += 1;
        self.iterations > before
    }

    /// The standings.
    fn report(&self) -> Report {
        let plies = match self.context.horizon {
            Horizon::Plies(plies) => plies,
            Horizon::End => self.longest,
        };
        // Plies that no rollout has come to are not told: with a horizon of a hundred they would be most of the report.
        let told = self.context.horizon.told_plies().min(self.longest.max(DEFAULT_PLIES));
        let most = self.options.rows.unwrap_or(usize::MAX);
        Report::Simulation { rows: self.standings.rows(&self.context, most, told), plies, nodes: self.nodes }
    }
}

fn run_task(
    context: &SimulationContext<'_>,
    candidate: &SimulationCandidate,
    task: &RolloutTask,
    worker: &mut RolloutWorker<'_>,
    signals: &Signals,
) -> RolloutResult {
    let mut result = RolloutResult::default();
    let nodes_before = worker.nodes;
    for number in task.first..task.end {
        if signals.is_stopped() {
            break;
        }
        let sample = worker.sample(context, candidate, Iteration { number, candidates: task.arms });
        result.plies.resize(result.plies.len().max(worker.plies.len()), PlySums::default());
        for (sum, ply) in result.plies.iter_mut().zip(&worker.plies) {
            sum.add(ply);
        }
        result.logged.extend(worker.logged(number, &sample));
        result.longest = result.longest.max(worker.length);
        result.samples.push(sample);
    }
    result.nodes = worker.nodes - nodes_before;
    result
}
