//! Corrects the chances of winning that searches find, by how often such chances came true in games.
//!
//! The players of rollouts do not search. A real opponent finds better replies than they do, and a side that leads defends its lead
//! better. Chances are therefore found too high for the side behind; with many tiles in the bag they are found too low for a side clearly
//! ahead. In the logarithms of odds, the share of games won is nearly a straight line over the chance found: a logistic calibration
//! \[Cox 1958\]. A [`Correction`] is that line. It rises, so the corrected chances of a simulation are in the same order.
//!
//! **The numbers** are those of the best plays of 1,486 pairs of `scripts/tournaments/calibration.toml`: 200 and 300 iterations, the
//! classic game, ENABLE. The page of a tournament's report prints intercept and slope of the chances as they are reported. If these are
//! `a'` and `b'` where the correction has `a` and `b`, it should have `a' + b' a` and `b' b`. `docs/results.md` compares before and after.

use crate::rules::Position;

/// A line in the logarithms of odds: `log odds = intercept + slope * log odds found`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Correction {
    intercept: f64,
    slope: f64,
}

/// Corrections of simulations. Each holds from this many tiles in the bag on. The last one was fitted with five to nine tiles: with fewer,
/// simulations are rare.
const OF_SIMULATIONS: [(usize, Correction); 4] = [
    (25, Correction::new(-0.11, 1.12)),
    (15, Correction::new(-0.21, 1.25)),
    (10, Correction::new(-0.37, 1.15)),
    (1, Correction::new(-0.55, 1.22)),
];

impl Correction {
    /// Leaves chances as they are.
    pub const NONE: Correction = Correction::new(0.0, 1.0);

    /// Returns the line with this intercept and slope.
    ///
    /// # Panics
    /// If the slope is not positive.
    pub const fn new(intercept: f64, slope: f64) -> Correction {
        assert!(slope > 0.0);
        Correction { intercept, slope }
    }

    /// Returns the correction of a simulation of this position. There is none if the bag is empty. Nor is there if a turn without points
    /// may end the game: the chance of a play that ends it is exact, and the other plays are compared with it.
    pub fn of_simulation(position: &Position) -> Correction {
        if position.rules().is_ended_by_zero_turn_after(position.zero_turns()) {
            return Correction::NONE;
        }
        let in_bag = position.in_bag();
        OF_SIMULATIONS.iter().find(|(least, _)| in_bag >= *least).map_or(Correction::NONE, |&(_, correction)| correction)
    }

    /// Returns the corrected chance of winning, 0 to 1, where a search finds the chance `found`, 0 to 1. 0 and 1 stay as they are, also
    /// where they are the means of few samples.
    pub fn apply(self, found: f64) -> f64 {
        // The odds of `intercept + slope * log odds` are won : lost.
        let won = self.intercept.exp() * found.powf(self.slope);
        let lost = (1.0 - found).powf(self.slope);
        won / (won + lost)
    }

    /// Returns the factor by which a small error of the chance `found` changes the corrected chance: the derivative of [`Correction::apply`].
    /// It is 0 where `found` is 0 or 1.
    pub fn error_factor(self, found: f64) -> f64 {
        let win = self.apply(found);
        let variance = found * (1.0 - found);
        if variance > 0.0 { self.slope * win * (1.0 - win) / variance } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::builder::plain_engine;
    use crate::rules::{GameRules, Rack};

    const CORRECTION: Correction = Correction::new(-0.5, 1.5);

    #[test]
    fn a_correction_is_a_rising_line_in_the_logarithms_of_odds() {
        let log_odds = |win: f64| (win / (1.0 - win)).ln();
        for found in [0.01, 0.3, 0.5, 0.8, 0.999] {
            let win = CORRECTION.apply(found);
            assert!((log_odds(win) - (-0.5 + 1.5 * log_odds(found))).abs() < 1e-9, "{found} {win}");
            assert!((Correction::NONE.apply(found) - found).abs() < 1e-12);
            let rise = (CORRECTION.apply(found + 1e-6) - win) / 1e-6;
            assert!((CORRECTION.error_factor(found) - rise).abs() < 1e-3 * rise, "{found}");
        }
        assert_eq!([0.0, 1.0].map(|certain| CORRECTION.apply(certain)), [0.0, 1.0]);
        assert_eq!([0.0, 1.0].map(|certain| CORRECTION.error_factor(certain)), [0.0, 0.0]);
    }

    #[test]
    fn the_tiles_in_the_bag_and_the_turns_without_points_choose_the_correction() {
        let bag = Rack::full_bag(&GameRules::english().distribution).to_string();
        // A board with the tiles that are neither in the bag nor on a rack. Words do not matter.
        let with_bag = |in_bag: usize, zero_turns: u32| {
            let (placed, mut rows) = (100 - 14 - in_bag, Vec::new());
            for row in 0..15 {
                let tiles = bag.get(15 * row..placed.min(15 * row + 15)).unwrap_or("");
                let empty = 15 - tiles.len();
                rows.push(if empty == 0 { tiles.to_string() } else { format!("{tiles}{empty}") });
            }
            let cgp = format!("{} {}/ 0/0 {zero_turns}", rows.join("/"), &bag[93..]);
            plain_engine().position(&cgp).unwrap()
        };
        for (in_bag, row) in [(86, 0), (25, 0), (24, 1), (15, 1), (14, 2), (10, 2), (9, 3), (1, 3)] {
            let position = with_bag(in_bag, 0);
            assert_eq!((position.in_bag(), Correction::of_simulation(&position)), (in_bag, OF_SIMULATIONS[row].1));
        }
        assert_eq!(Correction::of_simulation(&with_bag(0, 0)), Correction::NONE);
        assert_eq!(Correction::of_simulation(&with_bag(30, 5)), Correction::NONE, "the sixth turn without points ends the game");
    }
}
