//! The calibration of a win % model: its Brier score and reliability on games that it was not made
//! from.
//!
//! A model predicts the result before every turn of a game. The result is 1 for a win, one half for a
//! tie, 0 for a loss. The Brier score is the mean squared difference. A model that always predicts one
//! half gets 0.25. A reliable model is right in every [bin](Reliability::bins): of the turns for which
//! it predicts 30 %, 30 % are won. A [`CalibrationLine`] shows in which direction it errs.

use crate::evaluation::WinModel;
use crate::evaluation::win_model::win_of_final_spread;
use crate::match_play::game::TurnBefore;
use crate::rules::Seat;
use crate::training::tally::Tally;
use crate::training::win_percent::valued_lead;
use serde::{Deserialize, Serialize};

/// Bins of predictions, all equally wide.
pub const BINS: usize = 20;

/// The numbers of tiles unseen that have their own tables.
pub const UNSEEN: [usize; 5] = [90, 60, 30, 14, 7];

/// The unit of probabilities in sums. Sums are of integers, so that they do not depend on their order.
const ONE: f64 = 1e6;

/// Predictions with their results.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reliability {
    bins: [BinSums; BINS],
    /// Squares of differences, in (1 / [`ONE`]) squared.
    squares: u128,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct BinSums {
    count: u64,
    predicted: u64,
    happened: u64,
}

/// The mean prediction and the mean result in a bin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// The least prediction in the bin.
    pub from: f64,
    /// The number of predictions.
    pub count: u64,
    /// The mean prediction.
    pub predicted: f64,
    /// The mean result.
    pub happened: f64,
}

impl Reliability {
    /// Adds a prediction, 0 to 1, with its result: 1, one half or 0.
    pub fn add(&mut self, predicted: f64, happened: f64) {
        let bin = &mut self.bins[((predicted * BINS as f64) as usize).min(BINS - 1)];
        let [predicted, happened] = [predicted, happened].map(|part| (part * ONE).round() as u64);
        bin.count += 1;
        bin.predicted += predicted;
        bin.happened += happened;
        self.squares += u128::from(predicted.abs_diff(happened)).pow(2);
    }

    /// Adds other predictions.
    pub fn merge(&mut self, other: &Reliability) {
        for (bin, more) in self.bins.iter_mut().zip(&other.bins) {
            bin.count += more.count;
            bin.predicted += more.predicted;
            bin.happened += more.happened;
        }
        self.squares += other.squares;
    }

    /// Counts the predictions.
    pub fn count(&self) -> u64 {
        self.bins.iter().map(|bin| bin.count).sum()
    }

    /// Returns the mean squared difference of prediction and result, or NaN without predictions.
    pub fn brier(&self) -> f64 {
        self.squares as f64 / (ONE * ONE) / self.count() as f64
    }

    /// Returns the mean error of the bins over all predictions, or NaN without predictions.
    pub fn mean_error(&self) -> f64 {
        let off: u64 = self.bins.iter().map(|bin| bin.predicted.abs_diff(bin.happened)).sum();
        off as f64 / ONE / self.count() as f64
    }

    /// Iterates over the bins that have predictions, in ascending order.
    pub fn bins(&self) -> impl Iterator<Item = Bin> {
        let mean = |sum: u64, count: u64| sum as f64 / ONE / count as f64;
        self.bins.iter().enumerate().filter(|(_, bin)| bin.count > 0).map(move |(at, bin)| Bin {
            from: at as f64 / BINS as f64,
            count: bin.count,
            predicted: mean(bin.predicted, bin.count),
            happened: mean(bin.happened, bin.count),
        })
    }
}

/// The least chance, and the least distance from 1, that a [`CalibrationLine`] takes a prediction for: what is certain has no logarithm of
/// odds.
const LEAST_CHANCE: f64 = 0.001;

/// The most steps to the best line. About six are needed.
const MOST_STEPS: usize = 40;

/// The least part of the product of the second derivatives that their determinant must be. Below it are rounding errors.
const LEAST_DETERMINANT: f64 = 1e-9;

/// The fewest groups whose errors say something.
const FEWEST_GROUPS: usize = 10;

/// The longest step of either number. Far from the best line, longer ones lead away from it.
const LONGEST_STEP: f64 = 0.5;

/// A value with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitted {
    pub value: f64,
    pub error: f64,
}

/// The calibration by logistic regression \[Cox 1958\]: the logarithm of the odds of winning is `intercept + slope * x`, where `x` is
/// that of the odds predicted. A reliable model has intercept 0 and slope 1. With a negative intercept its chances are too high, with a slope
/// above 1 they are too near to one half.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CalibrationLine {
    pub intercept: Fitted,
    pub slope: Fitted,
}

impl CalibrationLine {
    /// Fits predictions with their results, 0 to 1 each, in groups that share results. Errors are those of independent groups. `None` with
    /// fewer than ten groups, if all predictions are equal, or if all wins have greater predictions than all losses.
    pub fn fit(groups: &[Vec<(f64, f64)>]) -> Option<CalibrationLine> {
        let log_odds = |chance: f64| {
            let chance = chance.clamp(LEAST_CHANCE, 1.0 - LEAST_CHANCE);
            (chance / (1.0 - chance)).ln()
        };
        if groups.len() < FEWEST_GROUPS {
            return None;
        }
        let (mut intercept, mut slope) = (0.0, 1.0);
        for _ in 0..MOST_STEPS {
            // The gradient of the likelihood by group, and the negative second derivatives of all.
            let (mut gradients, mut curvature) = (Vec::with_capacity(groups.len()), [0.0; 3]);
            for group in groups {
                let mut gradient = [0.0; 2];
                for &(predicted, happened) in group {
                    let x = log_odds(predicted);
                    let chance = 1.0 / (1.0 + (-intercept - slope * x).exp());
                    let (rest, variance) = (happened - chance, chance * (1.0 - chance));
                    gradient = [gradient[0] + rest, gradient[1] + rest * x];
                    curvature = [curvature[0] + variance, curvature[1] + variance * x, curvature[2] + variance * x * x];
                }
                gradients.push(gradient);
            }
            let [a, b, c] = curvature;
            let determinant = a * c - b * b;
            // Equal predictions have no slope.
            if determinant <= LEAST_DETERMINANT * a * c {
                return None;
            }
            let solved = |[first, second]: [f64; 2]| [(c * first - b * second) / determinant, (a * second - b * first) / determinant];
            let step = solved([0, 1].map(|at| gradients.iter().map(|gradient| gradient[at]).sum()));
            if !step.iter().all(|part| part.is_finite()) {
                return None;
            }
            let shorter = (LONGEST_STEP / step[0].abs().max(step[1].abs())).min(1.0);
            (intercept, slope) = (intercept + shorter * step[0], slope + shorter * step[1]);
            if step.iter().all(|part| part.abs() < 1e-9) {
                let moved: Vec<[f64; 2]> = gradients.into_iter().map(solved).collect();
                let many = moved.len() as f64;
                let error = |at: usize| (moved.iter().map(|of_group| of_group[at].powi(2)).sum::<f64>() * many / (many - 1.0)).sqrt();
                let [intercept, slope] = [(intercept, 0), (slope, 1)].map(|(value, at)| Fitted { value, error: error(at) });
                return Some(CalibrationLine { intercept, slope });
            }
        }
        None
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {
    /// All turns.
    All,
    /// Turns with this many tiles unseen.
    Unseen(usize),
}

/// The lead that is passed to a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lead {
    /// The lead with the values of the tiles that both players kept on their last turns, as in a search: [`valued_lead`].
    Valued,
    /// The spread alone.
    Spread,
}

/// Models on trial, all on the same turns.
#[derive(Debug)]
pub struct Trial<'a> {
    models: &'a [(&'a WinModel, Lead)],
    /// For each model: all turns, then the turns of each number in [`UNSEEN`].
    sums: Vec<[Reliability; 1 + UNSEEN.len()]>,
}

impl<'a> Trial<'a> {
    /// Returns a trial without turns.
    pub fn new(models: &'a [(&'a WinModel, Lead)]) -> Trial<'a> {
        Trial { models, sums: models.iter().map(|_| Default::default()).collect() }
    }

    /// Returns the reliability of a model on some turns.
    ///
    /// # Panics
    /// If there is no such model, or the number of `turns` is not in [`UNSEEN`].
    pub fn reliability(&self, model: usize, turns: Turns) -> &Reliability {
        let at = match turns {
            Turns::All => 0,
            Turns::Unseen(unseen) => 1 + UNSEEN.iter().position(|&listed| listed == unseen).expect("one of UNSEEN"),
        };
        &self.sums[model][at]
    }
}

impl Tally for Trial<'_> {
    fn add_game(&mut self, turns: &[TurnBefore], spread: i32) {
        for turn in turns {
            let happened = win_of_final_spread(if turn.seat == Seat::First { spread } else { -spread });
            let listed = UNSEEN.iter().position(|&unseen| unseen == turn.left.unseen());
            for ((model, lead), sums) in self.models.iter().zip(&mut self.sums) {
                let lead = match lead {
                    Lead::Valued => valued_lead(turn),
                    Lead::Spread => turn.spread,
                };
                let predicted = model.win(f64::from(lead), turn.left);
                sums[0].add(predicted, happened);
                if let Some(listed) = listed {
                    sums[1 + listed].add(predicted, happened);
                }
            }
        }
    }

    fn add(&mut self, other: &Self) {
        for (sums, more) in self.sums.iter_mut().zip(&other.sums) {
            sums.iter_mut().zip(more).for_each(|(sum, more)| sum.merge(more));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::win_model::TilesLeft;
    use crate::rules::units::Millipoints;

    #[test]
    fn what_is_right_by_construction_is_found_right() {
        let mut reliability = Reliability::default();
        // Of 1000 turns with a prediction of k / 1000, k turns are won.
        for percent in 0..=100u32 {
            (0..1000).for_each(|game| reliability.add(f64::from(percent) / 100.0, f64::from(u8::from(game < percent * 10))));
        }
        assert_eq!(reliability.count(), 101_000);
        assert_eq!(reliability.bins().count(), 20);
        for (at, bin) in reliability.bins().enumerate() {
            assert_eq!(bin.predicted, bin.happened, "{bin:?}");
            assert_eq!((bin.from * 20.0).round() as usize, at);
            // Each bin has five predictions, and the last one also has 100 %.
            assert_eq!(bin.count, if at == 19 { 6000 } else { 5000 });
        }
        assert_eq!(reliability.mean_error(), 0.0);
        // The mean of p (1 - p) over p = 0, 0.01, ..., 1.
        let expected = (0..=100).map(|percent| f64::from(percent * (100 - percent)) / 1e4).sum::<f64>() / 101.0;
        assert!((reliability.brier() - expected).abs() < 1e-9, "{} {expected}", reliability.brier());
    }

    #[test]
    fn a_line_tells_how_a_model_errs() {
        // Of 1000 turns with a prediction, the share won is the one on this line.
        let true_chance = |predicted: f64| 1.0 / (1.0 + (0.4 - 1.5 * (predicted / (1.0 - predicted)).ln()).exp());
        let group = |predicted: f64| {
            (0..1000).map(move |turn| (predicted, f64::from(u8::from(f64::from(turn) + 0.5 < 1000.0 * true_chance(predicted)))))
        };
        let all: Vec<(f64, f64)> = [0.1, 0.3, 0.5, 0.6, 0.8, 0.9].into_iter().flat_map(group).collect();
        let independent: Vec<Vec<(f64, f64)>> = all.iter().map(|&turn| vec![turn]).collect();
        let line = CalibrationLine::fit(&independent).expect("a line");
        assert!((line.intercept.value + 0.4).abs() < 0.01 && (line.slope.value - 1.5).abs() < 0.01, "{line:?}");
        assert!(0.02 < line.slope.error && line.slope.error < 0.06, "{line:?}");
        // Ten turns that share a result are worth one.
        let shared: Vec<Vec<(f64, f64)>> = all.iter().map(|&turn| vec![turn; 10]).collect();
        let of_shared = CalibrationLine::fit(&shared).expect("a line");
        assert!((of_shared.slope.value - line.slope.value).abs() < 1e-6 && (of_shared.slope.error - line.slope.error).abs() < 1e-6);
        // Predictions of 0 and 1 count as nearly certain.
        let fit = |turns: &[(f64, f64)]| CalibrationLine::fit(&turns.iter().cycle().take(60).map(|&turn| vec![turn]).collect::<Vec<_>>());
        assert!(fit(&[(0.0, 0.0), (1.0, 1.0), (0.4, 1.0), (0.6, 0.0)]).is_some());
        // There is no line without predictions, if all are equal, or if all wins have greater predictions than all losses.
        assert_eq!(CalibrationLine::fit(&[]), None);
        assert_eq!(CalibrationLine::fit(&[all]), None, "one group has no errors");
        assert_eq!(fit(&[(0.4, 0.0), (0.6, 1.0)]), None);
        for equal in [0.5, 0.95, 0.7, 0.123] {
            assert_eq!(fit(&[(equal, 0.0), (equal, 1.0), (equal, 1.0)]), None);
        }
    }

    #[test]
    fn known_scores() {
        let score = |predictions: &[(f64, f64)]| {
            let mut reliability = Reliability::default();
            predictions.iter().for_each(|&(predicted, happened)| reliability.add(predicted, happened));
            (reliability.brier(), reliability.mean_error())
        };
        assert_eq!(score(&[(0.5, 0.0), (0.5, 1.0)]), (0.25, 0.0));
        assert_eq!(score(&[(0.5, 0.5)]), (0.0, 0.0));
        assert_eq!(score(&[(1.0, 0.0), (0.0, 1.0)]), (1.0, 1.0));
        assert_eq!(score(&[(0.8, 1.0), (0.1, 0.0)]).0, 0.025);
        assert!(score(&[]).0.is_nan());
    }

    #[test]
    fn a_trial_asks_each_model_for_the_player_on_turn_and_sorts_by_tiles_unseen() {
        let model = WinModel::formula();
        let models = [(&model, Lead::Valued), (&model, Lead::Spread)];
        let left = |in_bag| TilesLeft { in_bag, own_rack: 7, other_rack: 7 };
        let turns = [
            TurnBefore { seat: Seat::First, left: left(83), spread: 20, leaves_lead: Millipoints(5000) },
            TurnBefore { seat: Seat::Second, left: left(80), spread: -30, leaves_lead: Millipoints(-5000) },
        ];
        let mut trial = Trial::new(&models);
        trial.add_game(&turns, 12);
        let mut twice = Trial::new(&models);
        twice.add_game(&turns, 12);
        twice.add(&trial);
        let square = |lead: f64, turn: usize, won: f64| (model.win(lead, turns[turn].left) - won).powi(2);
        let close = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-5, "{found} {expected}");
        close(twice.reliability(0, Turns::All).brier(), (square(25.0, 0, 1.0) + square(-35.0, 1, 0.0)) / 2.0);
        close(twice.reliability(1, Turns::All).brier(), (square(20.0, 0, 1.0) + square(-30.0, 1, 0.0)) / 2.0);
        close(twice.reliability(0, Turns::Unseen(90)).brier(), square(25.0, 0, 1.0));
        assert_eq!([Turns::All, Turns::Unseen(90), Turns::Unseen(60)].map(|turns| twice.reliability(0, turns).count()), [4, 2, 0]);
    }
}
