//! The course of a race: rounds of playouts until a limit, a signal, or a settled ranking.
//!
//! A round is a range of iterations and the candidates played out in them. The statistics before the round decide which candidates
//! these are, so the course of a race depends neither on threads nor on time. The [allocation](Allocation) decides how playouts are
//! shared. By default, candidates close to the leader are played out in every round, and others less often the further they are
//! behind. Candidates that a paired difference shows to be worse are dropped.
//!
//! A signal may cut a round short. Only iterations with samples of all their candidates then count. A race that is stopped in its
//! first iteration has the static ranking, without samples.
//!
//! With very many candidates a round is a single iteration, whose candidates are shared out among the threads. A signal then takes
//! effect within a playout or two.
//!
//! Not here: what a playout is. Start with [`Playout`] and [`Race::run`].

use crate::search::analysis::Allocation;
use crate::search::budget::Signals;
use crate::search::race::standings::{RaceCandidate, RaceRule, Sample, Standings};
use crate::search::report::{Listener, LoggedSample, Outcome, Report};
use crate::search::threads::Team;

/// Iterations of the first round; later rounds are longer, up to [`MAX_ROUND`].
const FIRST_ROUND: u64 = 4;

/// Samples of the longest round, of all its candidates together. In a simulation they take one thread about a tenth of a second.
const MAX_ROUND: u64 = 1920;

/// A candidate d standard errors behind is sampled once every `ROUNDS_A_SQUARE * d²` rounds, or in every round if d is below 1.
/// The further behind it is, the less likely more samples are to change the leader. `benches/strength.md` has the gain in strength.
const ROUNDS_A_SQUARE: f64 = 2.0;

/// Even the worst candidate is sampled once in this many rounds until it is dropped.
const MOST_ROUNDS_BETWEEN: f64 = 32.0;

/// Samples that a thread makes in one task: all samples of one or more iterations, because samples of an iteration share the deal. At
/// the end of a round threads wait for each other, on average for half the time of a task.
const AT_ONE_GO: u64 = 16;

/// The most candidates of an iteration in one task. Each thread that takes such a task computes anew what all of them share.
const MOST_TOGETHER: usize = 64;

/// After this many iterations a race ends, whatever its limits say.
const MAX_ITERATIONS: u64 = 1 << 32;

/// An iteration: one deal of the hidden tiles, on which candidates are played out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Iteration {
    /// Its number, from 0. The deal follows from it.
    pub number: u64,
    /// How many candidates are played out in it.
    pub candidates: usize,
}

/// A way to play candidates out.
pub trait Playout: Sync {
    /// A thread's memory. It must not change any sample.
    type Worker: Send;

    /// The counts in addition to the samples, for one candidate in successive iterations.
    type Tally: Default + Send;

    /// The number of successive iterations for which a worker remembers what their candidates share. No task has more iterations.
    const ITERATIONS_REMEMBERED: u64;

    /// Plays out a candidate in an iteration; `None` if a signal came before its end. A sample depends on candidate and iteration alone.
    fn sample(&self, worker: &mut Self::Worker, candidate: &RaceCandidate, iteration: Iteration, tally: &mut Self::Tally)
    -> Option<Sample>;

    /// Adds tallies of the same iterations, each with the number of its candidate. Called in the order of the iterations.
    fn take_in(&mut self, _tallies: Vec<(usize, Self::Tally)>) {}

    /// Returns the likely number of nodes of a playout, at least 1.
    fn likely_nodes(&self) -> u64 {
        1
    }

    /// Whether all iterations are the same, because nothing is left to chance.
    fn is_certain(&self) -> bool {
        false
    }

    /// Frees a worker's memory of candidates that are dropped.
    fn forget(&self, _worker: &mut Self::Worker, _candidates: &[usize]) {}

    /// Returns the playouts logged since the last call.
    fn take_log(&mut self) -> Vec<LoggedSample> {
        Vec::new()
    }
}

/// How long a race goes on, at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RaceLimits {
    /// Iterations.
    pub iterations: Option<u64>,
    /// Nodes of all samples together. A round may exceed this limit a little.
    pub nodes: Option<u64>,
}

/// A part of a round: some of its candidates in some of its iterations.
struct RaceTask<'d> {
    candidates: &'d [usize],
    /// How many candidates are played out in these iterations, by all tasks together.
    due: usize,
    first: u64,
    end: u64,
}

/// The result of a task. It has fewer tallies than the task has candidates if a signal cut the task short.
struct TaskResult<T> {
    /// One candidate after the other, each with all iterations of the task.
    samples: Vec<Sample>,
    tallies: Vec<T>,
}

/// A race in progress, which goes on from round to round.
pub struct Race<P> {
    playout: P,
    rule: RaceRule,
    standings: Standings,
    iterations: u64,
    nodes: u64,
    rounds: u64,
}

impl<P: Playout> Race<P> {
    /// Returns a race of these candidates before its first round. There is at least one, and the best static play comes first.
    pub fn new(playout: P, candidates: Vec<RaceCandidate>, rule: RaceRule) -> Race<P> {
        Race { playout, rule, standings: Standings::new(candidates, rule), iterations: 0, nodes: 0, rounds: 0 }
    }

    /// How candidates are played out.
    pub fn playout(&self) -> &P {
        &self.playout
    }

    /// The candidates.
    pub fn standings(&self) -> &Standings {
        &self.standings
    }

    /// Nodes of all samples that count.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Plays rounds until the race is over, a limit is reached, or a signal stops it. A later call goes on where this one ends.
    pub fn run(&mut self, team: &Team<P::Worker>, limits: RaceLimits, signals: &Signals, mut after_round: impl FnMut(&mut Race<P>)) {
        while !signals.is_stopped() && !self.has_reached(limits) && !self.is_over() {
            let due = self.candidates_due();
            let tasks = self.plan_round(&due, limits);
            let results = team.map(&tasks, |worker, task| self.run_task(worker, task, signals));
            // No iteration of the round is complete, because of a signal.
            if !self.take_in(&tasks, results) {
                break;
            }
            let dropped = self.drop_the_beaten();
            if !dropped.is_empty() {
                // Workers may free their memory of candidates that are not sampled any more.
                team.workers().for_each(|mut worker| self.playout.forget(&mut worker, &dropped));
            }
            self.standings.follow_leader();
            after_round(self);
        }
    }

    /// Runs the race as a search, which reports after the first round and whenever a report is asked for.
    pub fn search(
        &mut self,
        team: &Team<P::Worker>,
        limits: RaceLimits,
        signals: &Signals,
        listener: &mut dyn Listener,
        report: impl Fn(&Race<P>) -> Report,
    ) -> Outcome {
        self.run(team, limits, signals, |race| {
            race.playout.take_log().into_iter().for_each(|sample| listener.sample(sample));
            let is_asked = signals.take_report();
            if race.rounds == 1 || is_asked {
                listener.report(report(race));
            }
        });
        let best = self.standings.candidate(self.standings.leader()).play.play;
        Outcome { best: Some(best), last: Some(report(self)), solved: self.iterations > 0 && self.playout.is_certain() }
    }

    /// Drops the candidates that the caller considers hopeless.
    pub fn drop_out(&mut self, is_hopeless: impl Fn(&Standings, usize) -> bool) {
        self.standings.drop_out(is_hopeless);
    }

    fn has_reached(&self, limits: RaceLimits) -> bool {
        // Playouts without nodes count as well, so that such a race ends.
        let nodes = self.nodes.max(self.iterations);
        self.iterations >= limits.iterations.unwrap_or(MAX_ITERATIONS).min(MAX_ITERATIONS) || limits.nodes.is_some_and(|most| nodes >= most)
    }

    /// Whether nothing is left to find out.
    fn is_over(&self) -> bool {
        let RaceRule { allocation, stop_condition, most_undecided, .. } = self.rule;
        if self.iterations == 0 {
            return false;
        }
        let one_is_left = matches!(allocation, Allocation::Elimination { .. }) && self.standings.in_race() == 1;
        let is_decided = || self.iterations >= most_undecided || self.standings.is_decided(self.iterations);
        self.playout.is_certain() || one_is_left || stop_condition.is_some() && is_decided()
    }

    /// Returns the next range of iterations, divided into tasks. All tasks of the same iterations are next to each other.
    fn plan_round<'d>(&self, due: &'d [usize], limits: RaceLimits) -> Vec<RaceTask<'d>> {
        let longest = (MAX_ROUND / due.len() as u64).max(1);
        let mut length = match self.rule.allocation {
            Allocation::Elimination { round, .. } => round.max(1) - self.iterations % round.max(1),
            // Rounds grow with the iterations made, as far as the limits allow.
            _ => (self.iterations / 8).clamp(FIRST_ROUND.min(longest), longest),
        };
        if let Some(limit) = limits.iterations {
            length = length.min(limit - self.iterations);
        }
        if let Allocation::TopTwo { floor } = self.rule.allocation
            && self.iterations < floor
        {
            length = length.min(floor - self.iterations);
        }
        if let Some(limit) = limits.nodes {
            let per_iteration = due.len() as u64 * self.playout.likely_nodes();
            length = length.min((limit - self.nodes) / per_iteration).max(1);
        }
        let end = self.iterations + length;
        let at_one_go = (AT_ONE_GO / due.len() as u64).clamp(1, P::ITERATIONS_REMEMBERED);
        let starts = (self.iterations..end).step_by(at_one_go as usize);
        let task = |first: u64, candidates: &'d [usize]| {
            let end = first.saturating_add(at_one_go).min(end);
            RaceTask { candidates, due: due.len(), first, end }
        };
        starts.flat_map(|first| due.chunks(MOST_TOGETHER).map(move |candidates| task(first, candidates))).collect()
    }

    /// Returns the candidates that are played out in the next round, in ascending order. The leader is always one of them.
    fn candidates_due(&self) -> Vec<usize> {
        let standings = &self.standings;
        let (leader, all) = (standings.leader(), 0..standings.candidates());
        match self.rule.allocation {
            Allocation::Adaptive => {
                let yardstick = standings.yardstick();
                let is_due = |candidate: usize| {
                    // A candidate ahead of the yardstick has gap 0.
                    let gap = standings.gap(yardstick, candidate).max(0.0);
                    let every = (ROUNDS_A_SQUARE * gap * gap).clamp(1.0, MOST_ROUNDS_BETWEEN) as u64;
                    !standings.is_dropped(candidate) && self.rounds.is_multiple_of(every)
                };
                all.filter(|&candidate| candidate == leader || is_due(candidate)).collect()
            }
            Allocation::TopTwo { floor } if self.iterations >= floor => {
                let rival = standings.rival();
                all.filter(|&candidate| candidate == leader || Some(candidate) == rival).collect()
            }
            Allocation::Equal | Allocation::TopTwo { .. } | Allocation::Elimination { .. } => {
                all.filter(|&candidate| !standings.is_dropped(candidate)).collect()
            }
        }
    }

    fn run_task(&self, worker: &mut P::Worker, task: &RaceTask<'_>, signals: &Signals) -> TaskResult<P::Tally> {
        let iterations = (task.end - task.first) as usize;
        let mut result = TaskResult {
            samples: Vec::with_capacity(task.candidates.len() * iterations),
            tallies: Vec::with_capacity(task.candidates.len()),
        };
        for &candidate in task.candidates {
            let candidate = self.standings.candidate(candidate);
            let mut tally = P::Tally::default();
            for number in task.first..task.end {
                if signals.is_stopped() {
                    return result;
                }
                let iteration = Iteration { number, candidates: task.due };
                let Some(sample) = self.playout.sample(worker, candidate, iteration, &mut tally) else { return result };
                result.samples.push(sample);
            }
            result.tallies.push(tally);
        }
        result
    }

    /// Adds a round's samples, in the order of iterations and candidates, and returns whether there are any. Iterations that lack one of
    /// their candidates because of a signal are left out.
    fn take_in(&mut self, tasks: &[RaceTask<'_>], results: Vec<TaskResult<P::Tally>>) -> bool {
        let before = self.iterations;
        let mut results = results.into_iter();
        for tasks in tasks.chunk_by(|a, b| a.first == b.first) {
            let results: Vec<_> = results.by_ref().take(tasks.len()).collect();
            let is_whole = tasks.iter().zip(&results).all(|(task, result)| result.tallies.len() == task.candidates.len());
            if !is_whole {
                continue;
            }
            let iterations = (tasks[0].end - tasks[0].first) as usize;
            for offset in 0..iterations {
                let samples = tasks.iter().zip(&results).flat_map(|(task, result)| {
                    let samples = result.samples.iter().skip(offset).step_by(iterations);
                    task.candidates.iter().copied().zip(samples.copied())
                });
                self.standings.add_iteration(samples);
            }
            self.nodes += results.iter().flat_map(|result| &result.samples).map(|sample| sample.nodes).sum::<u64>();
            let tallies = tasks.iter().zip(results).flat_map(|(task, result)| task.candidates.iter().copied().zip(result.tallies));
            self.playout.take_in(tallies.collect());
            self.iterations += iterations as u64;
        }
        self.rounds += 1;
        self.iterations > before
    }

    /// Drops the candidates that the allocation gives up now, and returns them.
    fn drop_the_beaten(&mut self) -> Vec<usize> {
        match self.rule.allocation {
            Allocation::Adaptive => self.standings.drop_beaten(),
            Allocation::Elimination { round, errors } if self.iterations.is_multiple_of(round.max(1)) => {
                let leader = self.standings.leader();
                self.standings.drop_out(|standings, candidate| standings.is_ahead(leader, candidate, errors))
            }
            Allocation::Equal | Allocation::TopTwo { .. } | Allocation::Elimination { .. } => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::static_eval::EvaluatedPlay;
    use crate::search::SimulationReport;
    use crate::search::budget::StopCondition;
    use crate::search::randomness::{self, Stream};

    const EQUAL: RaceRule =
        RaceRule { allocation: Allocation::Equal, stop_condition: None, most_undecided: 50_000, equity_weight: 0.0, static_samples: 0.0 };

    /// Candidates with known means: a sample is the mean, plus luck that all candidates of an iteration share, plus a little noise.
    struct KnownMeans<'a> {
        means: Vec<f64>,
        /// A signal comes in this iteration, at the last candidate.
        stopped_in: Option<u64>,
        signals: &'a Signals,
        is_certain: bool,
        /// By candidate: the iterations that were taken in.
        taken_in: Vec<Vec<u64>>,
    }

    impl KnownMeans<'_> {
        fn win(&self, candidate: usize, iteration: u64) -> f64 {
            let luck = randomness::fraction(1, Stream::Positions, iteration);
            let noise = randomness::fraction(2 + candidate as u64, Stream::Positions, iteration);
            self.means[candidate] + luck + 0.1 * noise
        }
    }

    impl Playout for KnownMeans<'_> {
        type Worker = ();
        type Tally = Vec<u64>;
        const ITERATIONS_REMEMBERED: u64 = 8;

        fn sample(&self, (): &mut (), candidate: &RaceCandidate, iteration: Iteration, tally: &mut Vec<u64>) -> Option<Sample> {
            if self.stopped_in.is_some_and(|stopped| iteration.number >= stopped) && candidate.number + 1 == self.means.len() {
                self.signals.stop();
                return None;
            }
            tally.push(iteration.number);
            Some(Sample { win: self.win(candidate.number, iteration.number), equity: 0.0, nodes: 3 })
        }

        fn take_in(&mut self, tallies: Vec<(usize, Vec<u64>)>) {
            for (candidate, iterations) in tallies {
                self.taken_in[candidate].extend(iterations);
            }
        }

        fn likely_nodes(&self) -> u64 {
            3
        }

        fn is_certain(&self) -> bool {
            self.is_certain
        }
    }

    fn known_means<'a>(means: &[f64], signals: &'a Signals) -> KnownMeans<'a> {
        KnownMeans { means: means.to_vec(), stopped_in: None, signals, is_certain: false, taken_in: vec![Vec::new(); means.len()] }
    }

    fn race_of<'a>(playout: KnownMeans<'a>, rule: RaceRule) -> Race<KnownMeans<'a>> {
        let candidates = RaceCandidate::all(&vec![EvaluatedPlay::PASS; playout.means.len()]);
        Race::new(playout, candidates, rule)
    }

    /// The race of these means after this many iterations by this many threads.
    fn raced<'a>(means: &[f64], rule: RaceRule, iterations: u64, threads: usize, signals: &'a Signals) -> Race<KnownMeans<'a>> {
        let mut race = race_of(known_means(means, signals), rule);
        race.run(&Team::new(threads, |_| ()), iterations_at_most(iterations), signals, |_| ());
        race
    }

    fn iterations_at_most(iterations: u64) -> RaceLimits {
        RaceLimits { iterations: Some(iterations), nodes: None }
    }

    /// What must be equal for any number of threads.
    fn results(race: &Race<KnownMeans<'_>>) -> (Vec<Vec<u64>>, Vec<usize>, Vec<f64>, u64) {
        let standings = race.standings();
        let utilities = (0..standings.candidates()).map(|candidate| standings.candidate(candidate).utility()).collect();
        (race.playout().taken_in.clone(), standings.ranking(usize::MAX), utilities, race.nodes())
    }

    /// The dumb twin of an elimination: after each whole round every candidate is compared with the leader, over all iterations that
    /// both have. Returns the number of iterations of each.
    fn eliminated_by_hand(playout: &KnownMeans<'_>, iterations: u64, round: u64, errors: f64) -> Vec<u64> {
        let mut counts = vec![0; playout.means.len()];
        let mut in_race: Vec<usize> = (0..counts.len()).collect();
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        for end in (1..=iterations / round).map(|number| number * round) {
            in_race.iter().for_each(|&candidate| counts[candidate] = end);
            let mean_of = |candidate: usize| mean(&(0..end).map(|number| playout.win(candidate, number)).collect::<Vec<_>>());
            let leader = in_race.iter().copied().max_by(|&a, &b| mean_of(a).total_cmp(&mean_of(b))).unwrap();
            in_race.retain(|&candidate| {
                let behind: Vec<f64> = (0..end).map(|number| playout.win(leader, number) - playout.win(candidate, number)).collect();
                let variance = behind.iter().map(|by| (by - mean(&behind)).powi(2)).sum::<f64>() / (end - 1) as f64;
                candidate == leader || mean(&behind) <= errors * (variance / end as f64).sqrt()
            });
            if in_race.len() == 1 {
                break;
            }
        }
        counts
    }

    #[test]
    fn all_candidates_meet_every_iteration_once_and_in_order() {
        let signals = Signals::default();
        let race = raced(&[0.1, 0.3, 0.2], EQUAL, 101, 1, &signals);
        let (taken_in, ranking, utilities, nodes) = results(&race);
        assert!(taken_in.iter().all(|iterations| iterations.iter().copied().eq(0..101)));
        assert_eq!((ranking, nodes), (vec![1, 2, 0], 3 * 3 * 101));
        for (candidate, utility) in utilities.into_iter().enumerate() {
            let by_hand = (0..101).map(|number| race.playout().win(candidate, number)).sum::<f64>() / 101.0;
            assert!((utility - by_hand).abs() < 1e-12);
        }
    }

    #[test]
    fn a_race_is_the_same_for_any_number_of_threads_and_however_often_it_is_interrupted() {
        let means: Vec<f64> = (0..100).map(|candidate| f64::from(candidate * 37 % 100) / 300.0).collect();
        let allocations =
            [Allocation::Adaptive, Allocation::Equal, Allocation::Elimination { round: 10, errors: 3.0 }, Allocation::TopTwo { floor: 7 }];
        let signals = Signals::default();
        for allocation in allocations {
            let rule = RaceRule { allocation, ..EQUAL };
            let alone = results(&raced(&means, rule, 200, 1, &signals));
            assert_eq!(alone, results(&raced(&means, rule, 200, 3, &signals)), "{allocation:?}");
        }
        // Rounds of an elimination do not depend on where a run ends.
        let rule = RaceRule { allocation: allocations[2], ..EQUAL };
        let mut parts = race_of(known_means(&means, &signals), rule);
        for iterations in [3, 40, 44, 200] {
            parts.run(&Team::of_caller(()), iterations_at_most(iterations), &signals, |_| ());
        }
        assert_eq!(results(&parts), results(&raced(&means, rule, 200, 1, &signals)));
    }

    #[test]
    fn an_elimination_is_that_of_the_twin() {
        let signals = Signals::default();
        for (means, errors) in [(vec![0.3, 0.31, 0.1, 0.305, 0.29], 3.0), (vec![0.5, 0.2], 3.0), (vec![0.2, 0.2, 0.2], 1.0)] {
            let rule = RaceRule { allocation: Allocation::Elimination { round: 16, errors }, ..EQUAL };
            let race = raced(&means, rule, 640, 1, &signals);
            let counts: Vec<u64> = race.playout().taken_in.iter().map(|iterations| iterations.len() as u64).collect();
            assert_eq!(counts, eliminated_by_hand(race.playout(), 640, 16, errors), "{means:?}");
        }
    }

    #[test]
    fn the_worse_get_fewer_samples_and_the_first_two_stay() {
        let signals = Signals::default();
        let rule = RaceRule { allocation: Allocation::Adaptive, ..EQUAL };
        let race = raced(&[0.3, 0.1, 0.302, 0.298, 0.0], rule, 2_000, 1, &signals);
        let samples: Vec<usize> = race.playout().taken_in.iter().map(Vec::len).collect();
        assert_eq!((race.standings().leader(), samples[2]), (2, 2_000));
        assert!([1, 4].iter().all(|&worse| race.standings().is_dropped(worse) && samples[worse] < 200), "{samples:?}");
        assert!(race.standings().in_race() >= 2);
    }

    #[test]
    fn stop_conditions_end_a_race_that_is_decided_or_certain_or_goes_on_too_long() {
        let signals = Signals::default();
        let sure = RaceRule { stop_condition: Some(StopCondition::Percent99), most_undecided: 400, ..EQUAL };
        let iterations = |means: &[f64], rule| raced(means, rule, 10_000, 1, &signals).iterations;
        assert!(iterations(&[0.1, 0.4], sure) < 200);
        assert!((400..450).contains(&iterations(&[0.1, 0.1], sure)), "they cannot be told apart");
        assert_eq!(iterations(&[0.1, 0.4], EQUAL), 10_000, "nothing ends it but the limit");
        // One candidate alone also goes on to the limit, unless a certainty is asked for.
        assert_eq!(iterations(&[0.1], EQUAL), 10_000);
        assert_eq!(iterations(&[0.1], sure), FIRST_ROUND);
        let mut certain = race_of(KnownMeans { is_certain: true, ..known_means(&[0.1, 0.4], &signals) }, EQUAL);
        let outcome = certain.search(&Team::of_caller(()), RaceLimits::default(), &signals, &mut |_: Report| {}, |race| {
            Report::Simulation(SimulationReport { rows: Vec::new(), plies: 0, nodes: race.nodes() })
        });
        assert!(outcome.solved && certain.iterations == FIRST_ROUND);
    }

    #[test]
    fn limits_are_kept_and_a_signal_leaves_whole_iterations() {
        let signals = Signals::default();
        for nodes in [1, 50, 1_000] {
            let mut race = race_of(known_means(&[0.1, 0.2, 0.3], &signals), EQUAL);
            race.run(&Team::of_caller(()), RaceLimits { iterations: None, nodes: Some(nodes) }, &signals, |_| ());
            assert!((nodes..nodes + 9).contains(&race.nodes()), "{} of {nodes}", race.nodes());
        }
        for stopped_in in [0, 3, 100] {
            let signals = Signals::default();
            let playout = KnownMeans { stopped_in: Some(stopped_in), ..known_means(&[0.1, 0.2, 0.3], &signals) };
            let mut race = race_of(playout, EQUAL);
            let mut rounds = 0;
            race.run(&Team::of_caller(()), RaceLimits::default(), &signals, |_| rounds += 1);
            let taken_in = &race.playout().taken_in;
            assert!(taken_in.iter().all(|iterations| *iterations == taken_in[0]), "each has the same iterations");
            let most_lost = AT_ONE_GO / 3;
            assert!((stopped_in.saturating_sub(most_lost)..=stopped_in).contains(&race.iterations), "{} of {stopped_in}", race.iterations);
            assert_eq!(rounds > 0, race.iterations > 0);
        }
        // A signal that came before it.
        signals.stop();
        assert_eq!(raced(&[0.1, 0.2], EQUAL, 10, 1, &signals).iterations, 0);
    }
}
