//! Match results with the luck of the draws removed: the same mean with a smaller error.
//!
//! The luck of a pair has mean zero (`luck.rs`), so any multiple of it may be subtracted,
//! as long as the factor does not depend on the pair. The best factor is the slope of the results over
//! the luck. Here each pair's factor is the slope over the pairs before it. Given all pairs before it,
//! every adjusted result therefore has the same mean as the plain result, which sequential tests need.
//! A match that was interrupted also gives the same figures.
//!
//! Start with [`AdjustedResults::add`].

use crate::match_play::pairs::PairResult;
use crate::rules::Objective;
use crate::search::race::differences::Moments;

/// Pairs with the slope 1 that are counted in addition to those played.
const PAIRS_OF_SLOPE_ONE: f64 = 20.0;

/// The results of a match without the luck of the draws of both sides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AdjustedResults {
    /// Spread of a pair, points a game.
    pub spread: AdjustedMean,
    /// Share of a pair's two games won, usually 0 to 1. A tie counts half.
    pub win: AdjustedMean,
}

/// A mean without luck.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AdjustedMean {
    /// The adjusted results.
    pub adjusted: Moments,
    plain: Moments,
    luck: Moments,
    /// Sum of the products of the deviations of luck and result from their means.
    products: f64,
}

impl AdjustedResults {
    /// Adds a pair, if its luck was estimated.
    pub fn add(&mut self, pair: &PairResult, objective: Objective) {
        let [Some(first), Some(second)] = pair.games.map(|game| game.luck) else { return };
        let mean = |first: i64, second: i64, unit: f64| (first + second) as f64 / (2.0 * unit);
        self.spread.add(pair.spread(objective), mean(first.millipoints, second.millipoints, 1e3));
        self.win.add(pair.win_share(objective), mean(first.win_millionths, second.win_millionths, 1e6));
    }
}

impl AdjustedMean {
    /// Adds a result with its luck.
    pub fn add(&mut self, result: f64, luck: f64) {
        self.adjusted.add(result - self.slope() * luck);
        let before = luck - self.luck.mean;
        self.luck.add(luck);
        self.plain.add(result);
        self.products += before * (result - self.plain.mean);
    }

    /// Returns the slope of the results over their luck so far.
    fn slope(&self) -> f64 {
        let count = self.luck.count as f64;
        let squares = self.luck.variance() * (count - 1.0).max(0.0);
        let beside = PAIRS_OF_SLOPE_ONE * squares / count.max(1.0);
        if squares > 0.0 { (beside + self.products) / (beside + squares) } else { 1.0 }
    }

    /// Returns how many times as many pairs the plain mean would need for the same error, or `None` before the mean has an error.
    pub fn worth_in_pairs(&self) -> Option<f64> {
        (self.adjusted.variance() > 0.0).then(|| self.plain.variance() / self.adjusted.variance())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::randomness::{Stream, generator};
    use rand::RngExt;

    #[test]
    fn the_mean_stays_and_the_error_shrinks_by_what_luck_explains() {
        let mut rng = generator(3, Stream::Positions, 0);
        let mut uniform = || rng.random::<f64>() - 0.5;
        let mut mean = AdjustedMean::default();
        for _ in 0..20_000 {
            let luck = uniform();
            // 0.7 of the luck counts. The variances are 0.49 and 0.25 units.
            mean.add(3.0 + 0.7 * luck + 0.5 * uniform(), luck);
        }
        assert!((mean.adjusted.mean - 3.0).abs() < 4.0 * mean.adjusted.standard_error());
        assert!((mean.slope() - 0.7).abs() < 0.02, "{}", mean.slope());
        let worth = mean.worth_in_pairs().unwrap();
        assert!((worth - 0.74 / 0.25).abs() < 0.1, "{worth}");
    }

    #[test]
    fn no_pair_has_a_part_in_its_own_factor() {
        // The results are all luck. A slope that is fitted with the pair itself would reduce the first results to zero.
        let mut mean = AdjustedMean::default();
        mean.add(2.0, 1.0);
        assert_eq!(mean.adjusted.mean, 1.0, "the slope is 1 before there are pairs");
        mean.add(-4.0, -2.0);
        assert!(mean.slope() > 1.0 && mean.slope() < 2.0);
        let (slope, before) = (mean.slope(), mean.adjusted.mean);
        mean.add(50.0, 3.0);
        assert!((mean.adjusted.mean - (2.0 * before + 50.0 - 3.0 * slope) / 3.0).abs() < 1e-12);
    }

    #[test]
    fn without_luck_nothing_changes() {
        let mut mean = AdjustedMean::default();
        [1.0, 5.0, 3.0].iter().for_each(|&result| mean.add(result, 0.0));
        assert_eq!((mean.adjusted.mean, mean.worth_in_pairs()), (3.0, Some(1.0)));
    }
}
