//! A simulation as a race of rollouts, with the scores of their plies in the reports.
//!
//! Only some candidates have their boards kept, so that memory grows with the number of candidates, not with its square.
//!
//! Not here: one rollout (`worker.rs`), rounds and rankings (`search/race/`). Start with [`run`].

use crate::evaluation::StaticEval;
use crate::evaluation::static_eval::EvaluatedPlay;
use crate::evaluation::zero_turns::EndCertainty;
use crate::search::analysis::SimulationOptions;
use crate::search::chances::Correction;
use crate::search::context::SearchContext;
use crate::search::inference::types::Belief;
use crate::search::race::{Iteration, Playout, Race, RaceCandidate, RaceLimits, RaceRule, Sample};
use crate::search::report::{Listener, LoggedSample, Outcome, PlyStats, Report, SimulationReport};
use crate::search::simulation::context::{DEFAULT_PLIES, Horizon, SimulationContext};
use crate::search::simulation::worker::{self, PlySample, RolloutWorker};
use crate::search::threads::Team;

/// The default weight of the equity in the ranking, relative to the win probability.
const EQUITY_WEIGHT: f64 = 0.3;

/// This weight where a turn without points may end the game. The chance of winning of a play that ends it is almost certain, and the
/// points that other plays may still gain matter little in comparison.
const EQUITY_WEIGHT_AT_THE_END: f64 = 0.03;

/// The default weight of static equity in the ranking, in samples.
const STATIC_SAMPLES: u32 = 16;

/// After this many iterations, candidates that a stop condition could not tell apart count as equal.
const MAX_ITERATIONS_UNDECIDED: u64 = 50_000;

/// The most boards after candidates that all threads together keep, 60 KB each or more.
const KEPT_BOARDS: usize = 512;

/// The least number of boards that a thread may keep, however many threads there are.
const KEPT_BY_A_THREAD: usize = 64;

/// Sums of a ply's scores: integers, so that their order does not matter.
#[derive(Clone, Copy, Default)]
struct PlySums {
    count: u64,
    score: i64,
    score_squared: i64,
    bingos: u64,
}

/// The data of a candidate's rollouts in addition to their samples.
#[derive(Default)]
pub struct RolloutTally {
    plies: Vec<PlySums>,
    /// Plies of the longest rollout.
    longest: usize,
    logged: Vec<LoggedSample>,
}

/// The rollouts of a simulation.
pub struct Rollouts<'a> {
    context: SimulationContext<'a>,
    /// By candidate.
    plies: Vec<Vec<PlySums>>,
    /// Plies of the longest rollout.
    longest: usize,
    /// The rollouts of the last round, if they are logged.
    logged: Vec<LoggedSample>,
}

/// Simulates these candidates (at least one, best static play first) until a limit or a signal.
///
/// The opponent's tiles come from the belief, if there is one.
pub fn run(
    search: &SearchContext<'_>,
    plays: &[EvaluatedPlay],
    options: &SimulationOptions,
    belief: Option<&Belief>,
    listener: &mut dyn Listener,
) -> Outcome {
    let (position, knowledge) = (search.position, search.knowledge);
    let horizon = options.plies.map_or(Horizon::usual(position.in_bag()), Horizon::Plies);
    let graph = knowledge.lexicon.graph();
    let mut context = SimulationContext::new(position, graph, &knowledge.evaluator.win_model, horizon, search.settings.seed);
    context.opponent_passes = options.opponent_passes;
    context.belief = belief;
    let may_end = context.rules.is_ended_by_zero_turn_after(position.zero_turns());
    let usual_weight = if may_end { EQUITY_WEIGHT_AT_THE_END } else { EQUITY_WEIGHT };
    let rule = RaceRule {
        allocation: options.allocation,
        stop_condition: options.stop_condition,
        most_undecided: MAX_ITERATIONS_UNDECIDED,
        equity_weight: options.equity_weight.unwrap_or(usual_weight),
        static_samples: options.static_samples.unwrap_or(STATIC_SAMPLES).into(),
    };
    let team = Team::new(search.settings.threads, |threads| {
        let eval = StaticEval::new(position.rules(), knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves);
        RolloutWorker::new(eval, plays.len(), (KEPT_BOARDS / threads).max(KEPT_BY_A_THREAD), options.log_samples)
    });
    let candidates = plays.iter().enumerate().map(|(number, play)| context.candidate(number, play)).collect();
    let rollouts = Rollouts { context, plies: vec![Vec::new(); plays.len()], longest: 0, logged: Vec::new() };
    let limits = RaceLimits { iterations: options.iterations, nodes: options.nodes };
    let most = options.rows.unwrap_or(usize::MAX);
    Race::new(rollouts, candidates, rule).search(&team, limits, search.signals, listener, |race| report(race, most))
}

/// Returns the standings as a report of at most `most` rows.
fn report(race: &Race<Rollouts<'_>>, most: usize) -> Report {
    let rollouts = race.playout();
    let plies = match rollouts.context.horizon {
        Horizon::Plies(plies) => plies,
        Horizon::End => rollouts.longest,
    };
    // Plies that no rollout reached are left out: with a horizon of a hundred plies they would be most of the report.
    let reported = rollouts.context.horizon.reported_plies().min(rollouts.longest.max(DEFAULT_PLIES));
    let mut rows = race.standings().rows(most);
    let correction = Correction::of_simulation(rollouts.context.position);
    for (candidate, row) in &mut rows {
        if row.iterations > 0 {
            row.win = correction.apply(row.sampled_win);
            row.win_error *= correction.error_factor(row.sampled_win);
        }
        let sums = &rollouts.plies[*candidate];
        row.plies = (0..reported).map(|ply| sums.get(ply).map_or(PlyStats::default(), |sums| sums.stats(row.iterations))).collect();
    }
    Report::Simulation(SimulationReport { rows: rows.into_iter().map(|(_, row)| row).collect(), plies, nodes: race.nodes() })
}

impl<'a> Playout for Rollouts<'a> {
    type Worker = RolloutWorker<'a>;
    type Tally = RolloutTally;
    const ITERATIONS_REMEMBERED: u64 = worker::ITERATIONS_REMEMBERED as u64;

    fn sample(
        &self,
        worker: &mut RolloutWorker<'a>,
        candidate: &RaceCandidate,
        iteration: Iteration,
        tally: &mut RolloutTally,
    ) -> Option<Sample> {
        let sample = worker.sample(&self.context, candidate, iteration);
        tally.plies.resize(tally.plies.len().max(worker.rollout.plies.len()), PlySums::default());
        for (sum, ply) in tally.plies.iter_mut().zip(&worker.rollout.plies) {
            sum.add(ply);
        }
        tally.logged.extend(worker.rollout.logged(iteration.number, &sample));
        tally.longest = tally.longest.max(worker.rollout.length);
        Some(sample)
    }

    fn take_in(&mut self, mut tallies: Vec<(usize, RolloutTally)>) {
        for (candidate, tally) in &tallies {
            self.longest = self.longest.max(tally.longest);
            let sums = &mut self.plies[*candidate];
            sums.resize(sums.len().max(tally.plies.len()), PlySums::default());
            for (sum, more) in sums.iter_mut().zip(&tally.plies) {
                sum.merge(more);
            }
        }
        // One iteration after the other, each with all its candidates.
        let mut logs: Vec<_> = tallies.iter_mut().map(|(_, tally)| tally.logged.drain(..)).collect();
        while let Some(first) = logs[0].next() {
            self.logged.push(first);
            self.logged.extend(logs[1..].iter_mut().filter_map(Iterator::next));
        }
    }

    fn likely_nodes(&self) -> u64 {
        self.context.likely_plies() as u64
    }

    fn is_certain(&self) -> bool {
        self.context.is_certain()
    }

    fn forget(&self, worker: &mut RolloutWorker<'a>, candidates: &[usize]) {
        worker.forget(candidates);
    }

    fn take_log(&mut self) -> Vec<LoggedSample> {
        std::mem::take(&mut self.logged)
    }
}

impl SimulationContext<'_> {
    /// Returns a candidate with the expectation of static evaluation, as seen from the opponent's turn, or with its result if it ends the
    /// game.
    fn candidate(&self, number: usize, play: &EvaluatedPlay) -> RaceCandidate {
        let equity = play.equity.points();
        let win = match self.end.filter(|end| end.is_ended_by(play)) {
            Some(end) => end.win_if_ended(&play.play),
            None => 1.0 - self.win_model.win(-(f64::from(self.position.spread()) + equity), self.left_after(&play.play)),
        };
        let certainty = self.end.map_or(EndCertainty::Open, |end| end.certainty(play));
        RaceCandidate::new(number, *play).expecting(Sample { win, equity, nodes: 0 }, certainty)
    }
}

impl PlySums {
    /// Adds a ply of a rollout.
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

    /// The statistics of a candidate with this many samples.
    fn stats(&self, samples: u64) -> PlyStats {
        if self.count == 0 {
            return PlyStats::default();
        }
        let count = self.count as f64;
        let mean = self.score as f64 / count;
        let variance = if self.count < 2 { 0.0 } else { (self.score_squared as f64 - count * mean * mean) / (count - 1.0) };
        let share = count / samples.max(self.count) as f64;
        PlyStats { share, score_mean: mean, score_deviation: variance.max(0.0).sqrt(), bingo_share: self.bingos as f64 / count }
    }
}
