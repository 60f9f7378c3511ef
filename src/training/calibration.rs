//! The calibration of a win % model: its Brier score and reliability on games that it was not made
//! from.
//!
//! A model predicts the result before every turn of a game. The result is 1 for a win, one half for a
//! tie, 0 for a loss. The Brier score is the mean squared difference. A model that always predicts one
//! half gets 0.25. A reliable model is right in every [bin](Reliability::bins): of the turns for which
//! it predicts 30 %, 30 % are won.

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
