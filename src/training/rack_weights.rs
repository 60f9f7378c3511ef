//! Two searches for the weights of a rack heuristic by games.
//!
//! [`WeightSearch`] is the procedure by which [Gordon 1993] trained heuristics 1 and 2. Each weight in turn is raised by a step. The change is
//! kept if the player then gains more points a game; if not, the weight is lowered. The search first takes large steps over few games, then
//! small steps over many games. Where the paper is silent, the rules are ours: all weights begin at zero; the trials of a pass over all
//! weights play the same games, and each pass plays new games; a stage ends with a pass that changes nothing, or after a number of passes.
//!
//! [`JointWeightSearch`] changes all weights at once, since the gain from one weight is far below the luck of a series of games. Every
//! weight is raised or lowered at random, the same games are played again with all of these changes reversed, and the difference counts for
//! or against each weight by its sign. Therefore every game is evidence about every weight, and the effects of the other weights cancel in
//! the mean over many pairs. A weight moves by a step once the games since its last move favour this by [`ERRORS`] standard errors.
//!
//! Not here: playing the games (`lab/train/weights.rs`).

use crate::evaluation::heuristics::TileWeight;
use crate::rules::units::Millipoints;
use crate::rules::{LetterDistribution, Tile};
use crate::search::randomness::{self, Stream};
use rand::RngExt;
use std::ops::Range;

/// A part of the search. All of its trials use the same step and the same number of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeightStage {
    /// The amount by which a weight is raised or lowered.
    pub step: Millipoints,
    /// Pairs of games of a trial.
    pub pairs: u64,
    /// The most passes over all weights.
    pub passes: u32,
}

/// A weight: of the first tile of a kind, or of each further tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WeightPlace {
    First(usize),
    Further(usize),
}

impl WeightPlace {
    /// Lists all weights of a heuristic. A kind with one tile has no weight for further tiles.
    pub(super) fn all(distribution: &LetterDistribution) -> Vec<WeightPlace> {
        let tiles: Vec<Tile> = distribution.tiles().collect();
        let first = tiles.iter().map(|tile| WeightPlace::First(tile.index()));
        let further = tiles.iter().filter(|&&tile| distribution.count(tile) > 1).map(|tile| WeightPlace::Further(tile.index()));
        first.chain(further).collect()
    }

    /// Returns this weight from all weights by tile index.
    pub(super) fn of(self, weights: &mut [TileWeight]) -> &mut Millipoints {
        match self {
            WeightPlace::First(tile) => &mut weights[tile].first,
            WeightPlace::Further(tile) => &mut weights[tile].further,
        }
    }
}

/// The games to play next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NextTrial {
    /// The present weights, for comparison.
    Unchanged,
    /// This weight changed by a step.
    Changed { place: usize, step: Millipoints },
}

/// Games to play with these weights.
#[derive(Clone, Debug)]
pub struct WeightTrial {
    /// The weights, by tile index.
    pub weights: Vec<TileWeight>,
    /// The numbers of the pairs.
    pub pairs: Range<u64>,
}

/// A search for weights, which asks for trials and receives their gains. The same gains lead to the
/// same weights.
#[derive(Clone, Debug)]
pub struct WeightSearch {
    stages: Vec<WeightStage>,
    places: Vec<WeightPlace>,
    weights: Vec<TileWeight>,
    stage: usize,
    pass: u32,
    next: NextTrial,
    /// The gain of the current weights in this pass.
    gained: i64,
    has_improved: bool,
    first_pair: u64,
    /// The gains received, in order.
    told: Vec<i64>,
}

impl WeightSearch {
    /// Begins a search at weights of zero.
    pub fn new(distribution: &LetterDistribution, stages: Vec<WeightStage>) -> WeightSearch {
        WeightSearch {
            stages,
            places: WeightPlace::all(distribution),
            weights: vec![TileWeight::default(); distribution.tiles().count()],
            stage: 0,
            pass: 0,
            next: NextTrial::Unchanged,
            gained: 0,
            has_improved: false,
            first_pair: 0,
            told: Vec::new(),
        }
    }

    /// Returns the games to play next, or `None` at the end.
    pub fn trial(&self) -> Option<WeightTrial> {
        let stage = self.stages.get(self.stage)?;
        Some(WeightTrial { weights: self.tried(), pairs: self.first_pair..self.first_pair + stage.pairs })
    }

    /// Receives the gain of the trial: points of the player minus those of its opponent, over all of its games.
    pub fn tell(&mut self, gained: i64) {
        let Some(stage) = self.stages.get(self.stage).copied() else { return };
        self.told.push(gained);
        match self.next {
            NextTrial::Unchanged => {
                self.gained = gained;
                self.next = NextTrial::Changed { place: 0, step: stage.step };
            }
            NextTrial::Changed { place, .. } if gained > self.gained => {
                self.weights = self.tried();
                (self.gained, self.has_improved) = (gained, true);
                self.go_on_behind(place);
            }
            NextTrial::Changed { place, step } if step > Millipoints::ZERO => self.next = NextTrial::Changed { place, step: -step },
            NextTrial::Changed { place, .. } => self.go_on_behind(place),
        }
    }

    fn go_on_behind(&mut self, place: usize) {
        let stage = self.stages[self.stage];
        if place + 1 < self.places.len() {
            self.next = NextTrial::Changed { place: place + 1, step: stage.step };
            return;
        }
        // The next pass plays other games, so that weights are not fitted to particular games.
        self.first_pair += stage.pairs;
        self.next = NextTrial::Unchanged;
        self.pass += 1;
        if !self.has_improved || self.pass >= stage.passes {
            (self.stage, self.pass) = (self.stage + 1, 0);
        }
        self.has_improved = false;
    }

    /// Returns the weights with the change that is tried.
    fn tried(&self) -> Vec<TileWeight> {
        let mut weights = self.weights.clone();
        if let NextTrial::Changed { place, step } = self.next {
            *self.places[place].of(&mut weights) += step;
        }
        weights
    }

    /// Returns the weights so far, by tile index.
    pub fn weights(&self) -> &[TileWeight] {
        &self.weights
    }

    /// Returns the gains received so far, in order. A new search that receives them gets to the same state.
    pub fn told(&self) -> &[i64] {
        &self.told
    }

    /// Returns the state of the search: the stage and the pass, from 1, and the most trials of a pass.
    pub fn place(&self) -> (usize, u32, usize) {
        (self.stage + 1, self.pass + 1, 1 + 2 * self.places.len())
    }
}

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
    /// Returns which weights this pair raises. It lowers the others.
    pub fn raised(&self, seed: u64, pair: u64) -> Vec<bool> {
        let mut chances = randomness::generator(seed, Stream::Weights, pair);
        self.places.iter().map(|_| chances.random()).collect()
    }

    /// Returns the weights with these changes, and with the reverse changes.
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

/// The gains of all weights in pairs of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointGain {
    /// By weight: the gain when it was raised minus the gain when it was lowered.
    pub sums: Vec<i64>,
    /// The squares of the differences of the pairs.
    pub squares: i64,
}

impl JointGain {
    /// Returns the gains in one pair. `difference` is the player's gain with the changes minus its gain with the reverse changes.
    pub fn of_pair(raised: &[bool], difference: i64) -> JointGain {
        let sums = raised.iter().map(|&is_raised| if is_raised { difference } else { -difference }).collect();
        JointGain { sums, squares: difference * difference }
    }

    /// Returns the sum of both gains.
    #[must_use]
    pub fn plus(mut self, other: &JointGain) -> JointGain {
        if self.sums.is_empty() {
            self.sums = vec![0; other.sums.len()];
        }
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, more)| *sum += more);
        self.squares += other.squares;
        self
    }

    /// Returns the gains in no pair.
    pub fn nothing() -> JointGain {
        JointGain { sums: Vec::new(), squares: 0 }
    }
}

/// The evidence about a weight in the games since its last move.
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

/// A search for weights, which asks for trials and receives their gains. The same gains lead to the
/// same weights.
#[derive(Clone, Debug)]
pub struct JointWeightSearch {
    stages: Vec<WeightStage>,
    /// The amount by which trials raise or lower weights, in all stages.
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
    /// Begins a search at weights of zero. Each is tried by the step of the first stage.
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

    /// Returns the games to play next, or `None` at the end.
    pub fn trial(&self) -> Option<JointTrial> {
        let stage = self.stages.get(self.stage)?;
        Some(JointTrial {
            weights: self.weights.clone(),
            places: self.places.clone(),
            tried: self.tried,
            pairs: self.first_pair..self.first_pair + stage.pairs,
        })
    }

    /// Receives the gains of the trial, and returns the number of weights that it moved.
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

    /// Returns the weights so far, by tile index.
    pub fn weights(&self) -> &[TileWeight] {
        &self.weights
    }

    /// Counts the weights.
    pub fn size(&self) -> usize {
        self.places.len()
    }

    /// Returns the gains received so far, in order. A new search that receives them gets to the same state.
    pub fn told(&self) -> &[JointGain] {
        &self.told
    }

    /// Returns the state of the search: the stage and the pass, from 1.
    pub fn place(&self) -> (usize, u32) {
        (self.stage + 1, self.pass + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::LetterDistribution;

    fn stages() -> Vec<WeightStage> {
        let stage = |step, pairs, passes| WeightStage { step: Millipoints(step), pairs, passes };
        vec![stage(2000, 10, 20), stage(500, 100, 20)]
    }

    /// Returns the gain of weights, if each costs the square of its distance from its best value.
    fn gained(weights: &[TileWeight], best: impl Fn(usize) -> [i32; 2]) -> i64 {
        let off = |value: Millipoints, best: i32| i64::from(value.0 - best).pow(2);
        let of_tile = |(at, weight): (usize, &TileWeight)| off(weight.first, best(at)[0]) + off(weight.further, best(at)[1]);
        -weights.iter().enumerate().map(of_tile).sum::<i64>()
    }

    #[test]
    fn gordons_number_of_weights_is_searched_and_the_best_ones_are_found() {
        let distribution = LetterDistribution::english();
        let best = |at: usize| {
            [500 * (at as i32 % 23 - 11), if distribution.count(Tile::from_index(at).unwrap()) > 1 { -500 * (at as i32 % 7) } else { 0 }]
        };
        let mut search = WeightSearch::new(&distribution, stages());
        assert_eq!(search.places.len(), 49, "as the paper says");
        let (mut seen, mut middle) = (Vec::new(), None);
        while let Some(trial) = search.trial() {
            assert!(trial.pairs.end - trial.pairs.start == if search.place().0 == 1 { 10 } else { 100 });
            seen.push(trial.pairs.start);
            search.tell(gained(&trial.weights, best));
            if seen.len() == 400 {
                middle = Some(search.clone());
            }
        }
        for (at, weight) in search.weights().iter().enumerate() {
            assert_eq!([weight.first.0, weight.further.0], best(at), "{at}");
        }
        assert!(seen.is_sorted() && seen.last() > Some(&100), "each pass plays new games");
        // A new search that receives the same gains gets to the same state.
        let mut again = WeightSearch::new(&distribution, stages());
        search.told()[..400].iter().for_each(|&sum| again.tell(sum));
        let middle = middle.expect("more than 400 trials");
        assert_eq!(
            (again.place(), again.weights(), again.trial().unwrap().pairs),
            (middle.place(), middle.weights(), middle.trial().unwrap().pairs)
        );
    }

    fn joint_stages() -> Vec<WeightStage> {
        let stage = |step, passes| WeightStage { step: Millipoints(step), pairs: 400, passes };
        vec![stage(2000, 8), stage(500, 30)]
    }

    /// Returns the best value of each weight in this test.
    fn joint_best(at: usize) -> [i32; 2] {
        [500 * (at as i32 % 23 - 11), -500 * (at as i32 % 7)]
    }

    /// Returns the gain of weights, if each costs the square of its distance from its best value, in steps of half a point.
    fn gained_in_steps(weights: &[TileWeight], distribution: &LetterDistribution) -> i64 {
        let off = |value: Millipoints, best: i32| i64::from((value.0 - best) / 500).pow(2);
        let of_tile = |at: usize, weight: &TileWeight| {
            let has_further = distribution.tiles().nth(at).is_some_and(|tile| distribution.count(tile) > 1);
            off(weight.first, joint_best(at)[0]) + if has_further { off(weight.further, joint_best(at)[1]) } else { 0 }
        };
        -weights.iter().enumerate().map(|(at, weight)| of_tile(at, weight)).sum::<i64>()
    }

    fn played(trial: &JointTrial, distribution: &LetterDistribution) -> JointGain {
        let of_pair = |pair| {
            let raised = trial.raised(3, pair);
            let [with, reverse] = trial.weights(&raised).map(|weights| gained_in_steps(&weights, distribution));
            JointGain::of_pair(&raised, with - reverse)
        };
        trial.pairs.clone().map(of_pair).fold(JointGain::nothing(), |sum, gain| sum.plus(&gain))
    }

    #[test]
    fn the_best_weights_are_found_and_the_same_answers_lead_to_them_again() {
        let distribution = LetterDistribution::english();
        let mut search = JointWeightSearch::new(&distribution, joint_stages());
        assert_eq!(search.size(), 49);
        let mut moves = Vec::new();
        while let Some(trial) = search.trial() {
            moves.push(search.tell(played(&trial, &distribution)));
        }
        for (at, tile) in distribution.tiles().enumerate() {
            let weight = search.weights()[at];
            let further = if distribution.count(tile) > 1 { joint_best(at)[1] } else { 0 };
            assert_eq!([weight.first.0, weight.further.0], [joint_best(at)[0], further], "{at}");
        }
        assert!(moves.len() == 38 && moves[0] > 20 && moves[37] == 0, "{moves:?}");
        let mut again = JointWeightSearch::new(&distribution, joint_stages());
        for gain in &search.told()[..20] {
            again.tell(gain.clone());
        }
        assert_eq!(again.place(), (2, 13));
        assert_eq!(again.trial().map(|trial| trial.pairs), Some(8000..8400));
    }

    /// Adds the changes of each pair one by one, by the definition of a weight's sum.
    #[test]
    fn a_weights_sum_is_what_pairs_that_raise_it_gain_over_those_that_lower_it() {
        let distribution = LetterDistribution::english();
        let trial = JointWeightSearch::new(&distribution, joint_stages()).trial().expect("a first trial");
        let gain = played(&trial, &distribution);
        let differences: Vec<(Vec<bool>, i64)> = (trial.pairs.clone())
            .map(|pair| {
                let raised = trial.raised(3, pair);
                let of = |change: i32| {
                    let mut weights = vec![TileWeight::default(); distribution.tiles().count()];
                    for (place, &is_raised) in WeightPlace::all(&distribution).iter().zip(&raised) {
                        *place.of(&mut weights) += Millipoints(if is_raised { change } else { -change });
                    }
                    gained_in_steps(&weights, &distribution)
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
