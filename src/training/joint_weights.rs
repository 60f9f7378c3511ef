//! Weights of a rack heuristic, found by games in which all of them are changed at once.
//!
//! In `rack_weights.rs` a series of games tries one weight, but the gain from one weight is far
//! below the luck of these games. Here each pair of games tries all weights.
//! Every weight is raised or lowered at random, the same games are played again with all of these
//! changes reversed, and the difference counts for or against each weight by its sign.
//! Therefore every game is evidence about every weight, and the effects of the other weights cancel
//! in the mean over many pairs. A weight moves by a step once the games since its last move say so
//! by [`ERRORS`] standard errors.
//!
//! Not here: who plays the games (`lab/train/weights.rs`). Start with [`JointWeightSearch`].

use crate::evaluation::heuristics::TileWeight;
use crate::rules::LetterDistribution;
use crate::rules::units::Millipoints;
use crate::search::randomness::{self, Stream};
use crate::training::rack_weights::{WeightPlace, WeightStage};
use rand::RngExt;
use std::ops::Range;

/// A weight moves only if the games favour the move by this many standard errors.
pub const ERRORS: f64 = 2.0;

/// Pairs of games that try all weights.
#[derive(Clone, Debug)]
pub struct JointTrial {
    weights: Vec<TileWeight>,
    places: Vec<WeightPlace>,
    tried: Millipoints,
    /// The numbers of the pairs.
    pub pairs: Range<u64>,
}

impl JointTrial {
    /// Which weights this pair raises; it lowers the others.
    pub fn raised(&self, seed: u64, pair: u64) -> Vec<bool> {
        let mut chances = randomness::generator(seed, Stream::Weights, pair);
        self.places.iter().map(|_| chances.random()).collect()
    }

    /// The weights with these changes, and with the reverse ones.
    pub fn weights(&self, raised: &[bool]) -> [Vec<TileWeight>; 2] {
        [self.tried, -self.tried].map(|change| {
            let mut weights = self.weights.clone();
            for (place, &is_raised) in self.places.iter().zip(raised) {
                *place.of(&mut weights) += if is_raised { change } else { -change };
            }
            weights
        })
    }
}

/// What pairs of games said of all weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointGain {
    /// By weight: the gain when it was raised minus the gain when it was lowered.
    pub sums: Vec<i64>,
    /// The squares of the differences of the pairs.
    pub squares: i64,
}

impl JointGain {
    /// Of a pair: the player's gain with the changes minus its gain with the reverse changes.
    pub fn of_pair(raised: &[bool], difference: i64) -> JointGain {
        let sums = raised.iter().map(|&is_raised| if is_raised { difference } else { -difference }).collect();
        JointGain { sums, squares: difference * difference }
    }

    /// Of both.
    #[must_use]
    pub fn plus(mut self, other: &JointGain) -> JointGain {
        if self.sums.is_empty() {
            self.sums = vec![0; other.sums.len()];
        }
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, more)| *sum += more);
        self.squares += other.squares;
        self
    }

    /// Of no pair.
    pub fn nothing() -> JointGain {
        JointGain { sums: Vec::new(), squares: 0 }
    }
}

/// What the games since the last move of a weight say of it.
#[derive(Clone, Copy, Default, Debug)]
struct JointEvidence {
    sum: i64,
    squares: i64,
}

impl JointEvidence {
    fn errors(self) -> f64 {
        if self.squares == 0 { 0.0 } else { self.sum as f64 / (self.squares as f64).sqrt() }
    }
}

/// The search for weights. It asks for trials and receives their gains;
/// the same gains lead to the same weights.
#[derive(Clone, Debug)]
pub struct JointWeightSearch {
    stages: Vec<WeightStage>,
    /// What weights are raised or lowered by in trials, in all stages.
    tried: Millipoints,
    places: Vec<WeightPlace>,
    weights: Vec<TileWeight>,
    evidence: Vec<JointEvidence>,
    stage: usize,
    pass: u32,
    first_pair: u64,
    /// The gains received, in order.
    told: Vec<JointGain>,
}

impl JointWeightSearch {
    /// From weights of zero, each tried by the step of the first stage.
    pub fn new(distribution: &LetterDistribution, stages: Vec<WeightStage>) -> JointWeightSearch {
        let places = WeightPlace::all(distribution);
        JointWeightSearch {
            tried: stages.first().map_or(Millipoints::ZERO, |stage| stage.step),
            stages,
            weights: vec![TileWeight::default(); distribution.tiles().count()],
            evidence: vec![JointEvidence::default(); places.len()],
            places,
            stage: 0,
            pass: 0,
            first_pair: 0,
            told: Vec::new(),
        }
    }

    /// The games to play next; `None` at the end.
    pub fn trial(&self) -> Option<JointTrial> {
        let stage = self.stages.get(self.stage)?;
        Some(JointTrial {
            weights: self.weights.clone(),
            places: self.places.clone(),
            tried: self.tried,
            pairs: self.first_pair..self.first_pair + stage.pairs,
        })
    }

    /// Takes in what the trial said; how many weights it moved.
    pub fn tell(&mut self, gain: JointGain) -> usize {
        let Some(stage) = self.stages.get(self.stage).copied() else { return 0 };
        let mut moved = 0;
        for ((place, evidence), sum) in self.places.iter().zip(&mut self.evidence).zip(&gain.sums) {
            evidence.sum += sum;
            evidence.squares += gain.squares;
            if evidence.errors().abs() > ERRORS {
                *place.of(&mut self.weights) += if evidence.sum > 0 { stage.step } else { -stage.step };
                *evidence = JointEvidence::default();
                moved += 1;
            }
        }
        self.told.push(gain);
        self.first_pair += stage.pairs;
        self.pass += 1;
        if self.pass >= stage.passes {
            (self.stage, self.pass) = (self.stage + 1, 0);
        }
        moved
    }

    /// The weights so far, by tile index.
    pub fn weights(&self) -> &[TileWeight] {
        &self.weights
    }

    /// The number of weights.
    pub fn size(&self) -> usize {
        self.places.len()
    }

    /// The gains received so far, in order. A new search that receives them gets to the same state.
    pub fn told(&self) -> &[JointGain] {
        &self.told
    }

    /// Where the search is: the stage and the pass, from 1.
    pub fn place(&self) -> (usize, u32) {
        (self.stage + 1, self.pass + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::LetterDistribution;

    fn stages() -> Vec<WeightStage> {
        let stage = |step, passes| WeightStage { step: Millipoints(step), pairs: 400, passes };
        vec![stage(2000, 8), stage(500, 30)]
    }

    /// The best value of each weight here.
    fn best(at: usize) -> [i32; 2] {
        [500 * (at as i32 % 23 - 11), -500 * (at as i32 % 7)]
    }

    /// What weights gain if each costs the square of its distance from the best value, in steps of half a point.
    fn gained(weights: &[TileWeight], distribution: &LetterDistribution) -> i64 {
        let off = |value: Millipoints, best: i32| i64::from((value.0 - best) / 500).pow(2);
        let of_tile = |at: usize, weight: &TileWeight| {
            let has_further = distribution.tiles().nth(at).is_some_and(|tile| distribution.count(tile) > 1);
            off(weight.first, best(at)[0]) + if has_further { off(weight.further, best(at)[1]) } else { 0 }
        };
        -weights.iter().enumerate().map(|(at, weight)| of_tile(at, weight)).sum::<i64>()
    }

    fn played(trial: &JointTrial, distribution: &LetterDistribution) -> JointGain {
        let of_pair = |pair| {
            let raised = trial.raised(3, pair);
            let [with, reverse] = trial.weights(&raised).map(|weights| gained(&weights, distribution));
            JointGain::of_pair(&raised, with - reverse)
        };
        trial.pairs.clone().map(of_pair).fold(JointGain::nothing(), |sum, gain| sum.plus(&gain))
    }

    #[test]
    fn the_best_weights_are_found_and_the_same_answers_lead_to_them_again() {
        let distribution = LetterDistribution::english();
        let mut search = JointWeightSearch::new(&distribution, stages());
        assert_eq!(search.size(), 49);
        let mut moves = Vec::new();
        while let Some(trial) = search.trial() {
            moves.push(search.tell(played(&trial, &distribution)));
        }
        for (at, tile) in distribution.tiles().enumerate() {
            let weight = search.weights()[at];
            let further = if distribution.count(tile) > 1 { best(at)[1] } else { 0 };
            assert_eq!([weight.first.0, weight.further.0], [best(at)[0], further], "{at}");
        }
        assert!(moves.len() == 38 && moves[0] > 20 && moves[37] == 0, "{moves:?}");
        let mut again = JointWeightSearch::new(&distribution, stages());
        for gain in &search.told()[..20] {
            again.tell(gain.clone());
        }
        assert_eq!(again.place(), (2, 13));
        assert_eq!(again.trial().map(|trial| trial.pairs), Some(8000..8400));
    }

    /// The changes of a pair one by one: what a weight's sum is by its definition.
    #[test]
    fn a_weights_sum_is_what_pairs_that_raise_it_gain_over_those_that_lower_it() {
        let distribution = LetterDistribution::english();
        let trial = JointWeightSearch::new(&distribution, stages()).trial().expect("a first trial");
        let gain = played(&trial, &distribution);
        let differences: Vec<(Vec<bool>, i64)> = (trial.pairs.clone())
            .map(|pair| {
                let raised = trial.raised(3, pair);
                let of = |change: i32| {
                    let mut weights = vec![TileWeight::default(); distribution.tiles().count()];
                    for (place, &is_raised) in WeightPlace::all(&distribution).iter().zip(&raised) {
                        *place.of(&mut weights) += Millipoints(if is_raised { change } else { -change });
                    }
                    gained(&weights, &distribution)
                };
                let difference = of(2000) - of(-2000);
                (raised, difference)
            })
            .collect();
        for at in [0, 11, 26, 27, 48] {
            let of = |is_raised| differences.iter().filter(|(raised, _)| raised[at] == is_raised).map(|(_, gained)| gained).sum::<i64>();
            assert_eq!(gain.sums[at], of(true) - of(false), "{at}");
        }
        assert_eq!(gain.squares, differences.iter().map(|(_, gained)| gained * gained).sum::<i64>());
        assert!(
            differences.iter().all(|(raised, _)| raised.iter().any(|&is_raised| is_raised) && raised.iter().any(|&is_raised| !is_raised))
        );
    }
}
