//! Simulates the best play and the play made once more, on the same racks and bags.
//! Their difference therefore varies far less than each value alone.
//!
//! The random numbers are not those of the search that found the best play: there its value is the greatest of many noisy ones, so it is
//! often too high. Not here: which plays meet (`judge.rs`). Start with [`Duel`].

use crate::rules::Play;
use crate::search::chances::Correction;
use crate::search::comparison::{Comparison, ComparisonTerm, Difference, SampledComparison, Shares};
use crate::search::race::differences::Moments;
use crate::search::report::{Listener, LoggedPly, LoggedSample, Report};

/// Two plays, or one, sampled in the same iterations. The duel listens to a simulation that logs its samples.
#[derive(Clone, Debug)]
pub struct Duel {
    plays: [Play; 2],
    rack_size: usize,
    correction: Correction,
    /// By play.
    win: [Moments; 2],
    points: [Moments; 2],
    /// By play: bingos of the reply and of the player's next turn.
    bingos: [[Moments; 2]; 2],
    /// First play minus second play.
    win_difference: Moments,
    points_difference: Moments,
    term_differences: [Moments; ComparisonTerm::ALL.len()],
    bingo_differences: [Moments; 2],
    /// The iteration under way, and its samples.
    iteration: u64,
    pending: [Option<DuelSample>; 2],
}

/// Duels of one play with several others, in the same iterations.
#[derive(Clone, Debug)]
pub struct Duels(pub Vec<Duel>);

impl Listener for Duels {
    fn report(&mut self, _: Report) {}

    fn sample(&mut self, sample: LoggedSample) {
        self.0.iter_mut().for_each(|duel| duel.take_in(&sample));
    }
}

/// One sample of one of the plays.
#[derive(Clone, Copy, Debug)]
struct DuelSample {
    win: f64,
    points: f64,
    /// In the order of [`ComparisonTerm::ALL`]; their sum is the points.
    terms: [f64; ComparisonTerm::ALL.len()],
    /// Of the reply and of the player's next turn, 0 or 1.
    bingos: [f64; 2],
}

impl DuelSample {
    fn of(sample: &LoggedSample, rack_size: usize) -> DuelSample {
        let score = |ply: usize| sample.plies.get(ply).map_or(0.0, |ply| f64::from(ply.score));
        let is_bingo = |ply: &LoggedPly| ply.play.is_bingo(rack_size);
        let [own, reply, next] = [score(0), -score(1), score(2)];
        DuelSample {
            win: sample.win,
            points: sample.equity,
            terms: [own, reply, next, sample.equity - own - reply - next],
            bingos: [1, 2].map(|ply| f64::from(u8::from(sample.plies.get(ply).is_some_and(is_bingo)))),
        }
    }
}

impl Duel {
    /// A duel before its first sample. `correction` is that of its chances.
    pub fn new(best: Play, played: Play, rack_size: usize, correction: Correction) -> Duel {
        Duel {
            plays: [best, played],
            rack_size,
            correction,
            win: [Moments::default(); 2],
            points: [Moments::default(); 2],
            bingos: [[Moments::default(); 2]; 2],
            win_difference: Moments::default(),
            points_difference: Moments::default(),
            term_differences: Default::default(),
            bingo_differences: [Moments::default(); 2],
            iteration: 0,
            pending: [None; 2],
        }
    }

    /// Iterations in which all plays were sampled.
    pub fn iterations(&self) -> u64 {
        self.win[0].count.min(self.win[1].count)
    }

    /// The corrected chance of winning of a play (0 the best, 1 the one made), 0 to 1, and its standard error.
    pub fn win(&self, play: usize) -> (f64, f64) {
        let found = &self.win[play];
        (self.correction.apply(found.mean), self.correction.error_factor(found.mean) * found.standard_error())
    }

    /// Points gained by a play.
    pub fn points(&self, play: usize) -> Moments {
        self.points[play]
    }

    /// The best play's corrected chance of winning minus that of the play made, in the iterations that they share.
    pub fn win_difference(&self) -> Difference {
        let (difference, played) = (self.win_difference, self.win[1].mean);
        let best = (played + difference.mean).clamp(0.0, 1.0);
        let factor = (self.correction.error_factor(best) + self.correction.error_factor(played)) / 2.0;
        Difference { mean: self.correction.apply(best) - self.correction.apply(played), error: factor * difference.standard_error() }
    }

    /// The difference in points.
    pub fn points_difference(&self) -> Moments {
        self.points_difference
    }

    /// Why the best play is better, with the errors of samples on the same deals.
    pub fn comparison(&self) -> Comparison {
        let shares =
            |ply: usize| Shares { of: self.bingos.map(|of_play| of_play[ply].mean), error: self.bingo_differences[ply].standard_error() };
        let sampled = SampledComparison {
            iterations: self.win.map(|moments| moments.count),
            reply_bingo: shares(0),
            own_bingo: shares(1),
            deviation: self.points.map(|moments| moments.deviation()),
        };
        Comparison {
            plays: self.plays,
            win: Some(self.win_difference()),
            points: self.points_difference.into(),
            terms: Some(self.term_differences.map(Difference::from)),
            sampled: Some(sampled),
            draws: Default::default(),
        }
    }
}

impl Listener for Duel {
    fn report(&mut self, _: Report) {}

    fn sample(&mut self, sample: LoggedSample) {
        self.take_in(&sample);
    }
}

impl Duel {
    /// Takes in a rollout, if it is of one of the plays.
    fn take_in(&mut self, sample: &LoggedSample) {
        let Some(play) = sample.plies.first().map(|ply| ply.play) else { return };
        if sample.iteration != self.iteration {
            (self.iteration, self.pending) = (sample.iteration, [None; 2]);
        }
        for at in 0..2 {
            if self.plays[at] == play {
                let told = DuelSample::of(sample, self.rack_size);
                self.win[at].add(told.win);
                self.points[at].add(told.points);
                self.bingos[at].iter_mut().zip(told.bingos).for_each(|(moments, bingo)| moments.add(bingo));
                self.pending[at] = Some(told);
            }
        }
        if let [Some(best), Some(played)] = self.pending {
            self.win_difference.add(best.win - played.win);
            self.points_difference.add(best.points - played.points);
            for (at, difference) in self.term_differences.iter_mut().enumerate() {
                difference.add(best.terms[at] - played.terms[at]);
            }
            for (at, difference) in self.bingo_differences.iter_mut().enumerate() {
                difference.add(best.bingos[at] - played.bingos[at]);
            }
            self.pending = [None; 2];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::builder::plain_engine;
    use crate::rules::{Objective, Rack};
    use crate::search::{Allocation, PlaySelection, Search, Signals, SimulationOptions};

    const MIDGAME: &str =
        "14R/13MY/12WOE/12IN1/12SI1/12HEN/7G4A1A/6QI6Z/7G6I/7L2PERVS/6DONKEY3/7T2DECAF/12R2/12U2/10BUXOM FIIJOTU/ 199/158 0";

    #[test]
    fn a_comparison_is_that_of_the_ranking_with_smaller_errors() {
        let position = plain_engine().position(MIDGAME).unwrap();
        let best = plain_engine().static_ranking(&position, 2).unwrap();
        let options = SimulationOptions {
            plays: PlaySelection::only(best.iter().map(|row| row.play).collect()),
            iterations: Some(60),
            allocation: Allocation::Equal,
            log_samples: true,
            ..SimulationOptions::default()
        };
        let mut duel = Duel::new(best[0].play, best[1].play, position.rules().rack_size, Correction::of_simulation(&position));
        let outcome = plain_engine().search_with(&position, options.analysis(), &Signals::default(), &mut duel).unwrap();
        let by_rows = Comparison::of_report(&outcome.last.unwrap(), Objective::MostPoints, &[best[0].play, best[1].play]).unwrap();
        let by_duel = duel.comparison();
        let numbers = |comparison: &Comparison| {
            let sampled = comparison.sampled.clone().unwrap();
            let shares = [sampled.reply_bingo.of, sampled.own_bingo.of, sampled.deviation].concat();
            let differences = comparison.terms.unwrap().into_iter().chain([comparison.points, comparison.win.unwrap()]);
            differences.map(|difference| difference.mean).chain(shares).collect::<Vec<f64>>()
        };
        for (a, b) in numbers(&by_rows).into_iter().zip(numbers(&by_duel)) {
            assert!((a - b).abs() < 1e-9, "{by_rows:?} {by_duel:?}");
        }
        assert!(by_duel.points.error < by_rows.points.error && by_duel.win.unwrap().error < by_rows.win.unwrap().error);
    }

    #[test]
    fn differences_are_those_of_shared_iterations() {
        let exchange = Play::Exchange(Rack::EMPTY);
        let mut duel = Duel::new(exchange, Play::Pass, 7, Correction::NONE);
        let mut add = |iteration: u64, play: Play, win: f64| {
            let plies = vec![LoggedPly { rack: Rack::EMPTY, play, score: 0 }];
            duel.sample(LoggedSample { iteration, plies, spread: 0, equity: 10.0 * win, win });
        };
        let values = [(0.9, 0.5), (0.7, 0.6), (0.4, 0.1), (1.0, 0.9)];
        for (iteration, (best, played)) in (0..).zip(values) {
            add(iteration, exchange, best);
            add(iteration, Play::Pass, played);
        }
        // If a round is cut short, one play has a sample and the other has none.
        add(4, exchange, 0.5);
        let mut by_hand = Moments::default();
        values.iter().for_each(|(best, played)| by_hand.add(best - played));
        let Difference { mean, error } = duel.win_difference();
        assert!((mean - by_hand.mean).abs() < 1e-12 && (error - by_hand.standard_error()).abs() < 1e-12);
        assert_eq!((duel.iterations(), duel.points(0).count, duel.points(1).count), (4, 5, 4));
        assert!((duel.points_difference().mean - 10.0 * by_hand.mean).abs() < 1e-12);
    }
}
