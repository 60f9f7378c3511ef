//! Weights of a rack heuristic, found by games: the procedure by which [Gordon 1993] trained heuristics 1 and 2.
//!
//! Each weight in turn is raised by a step and kept if the player then gains more points a game, else lowered; first in great steps over few
//! games, then in small steps over many. Ours, where the paper is silent: all weights begin at zero; the trials of a pass over all weights
//! play the same games, and each pass plays new ones; a stage ends with a pass that changes nothing, or after some passes.
//!
//! Not here: who plays the games (`lab/train/weights.rs`), and the search that tries all weights at once (`joint_weights.rs`). Start with [`WeightSearch`].

use crate::evaluation::heuristics::TileWeight;
use crate::rules::units::Millipoints;
use crate::rules::{LetterDistribution, Tile};
use std::ops::Range;

/// A part of the search: all of its trials use the same step and the same number of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeightStage {
    /// The amount by which a weight is raised or lowered.
    pub step: Millipoints,
    /// Pairs of games of a trial.
    pub pairs: u64,
    /// Passes over all weights, at most.
    pub passes: u32,
}

/// A weight: of the first tile of a kind, or what each further one adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WeightPlace {
    First(usize),
    Further(usize),
}

impl WeightPlace {
    /// All weights of a heuristic. A kind with one tile has no weight for further ones.
    pub(super) fn all(distribution: &LetterDistribution) -> Vec<WeightPlace> {
        let tiles: Vec<Tile> = distribution.tiles().collect();
        let first = tiles.iter().map(|tile| WeightPlace::First(tile.index()));
        let further = tiles.iter().filter(|&&tile| distribution.count(tile) > 1).map(|tile| WeightPlace::Further(tile.index()));
        first.chain(further).collect()
    }

    /// This one of all weights by tile index.
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
    /// The weights as they are, for comparison.
    Unchanged,
    /// This weight changed by a step.
    Changed { place: usize, step: Millipoints },
}

/// Games to play with these weights.
#[derive(Clone, Debug)]
pub struct WeightTrial {
    /// By tile index.
    pub weights: Vec<TileWeight>,
    /// The numbers of the pairs.
    pub pairs: Range<u64>,
}

/// The search for weights. It asks for trials and receives their gains;
/// the same gains lead to the same weights.
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
    /// From weights of zero.
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

    /// The games to play next; `None` at the end.
    pub fn trial(&self) -> Option<WeightTrial> {
        let stage = self.stages.get(self.stage)?;
        Some(WeightTrial { weights: self.tried(), pairs: self.first_pair..self.first_pair + stage.pairs })
    }

    /// Takes in what the trial gained: points of the player less those of its opponent, over all of its games.
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
        // The next pass plays other games, so that weights are not fitted to some.
        self.first_pair += stage.pairs;
        self.next = NextTrial::Unchanged;
        self.pass += 1;
        if !self.has_improved || self.pass >= stage.passes {
            (self.stage, self.pass) = (self.stage + 1, 0);
        }
        self.has_improved = false;
    }

    /// The weights with the change that is tried.
    fn tried(&self) -> Vec<TileWeight> {
        let mut weights = self.weights.clone();
        if let NextTrial::Changed { place, step } = self.next {
            *self.places[place].of(&mut weights) += step;
        }
        weights
    }

    /// The weights so far, by tile index.
    pub fn weights(&self) -> &[TileWeight] {
        &self.weights
    }

    /// The gains received so far, in order. A new search that receives them gets to the same state.
    pub fn told(&self) -> &[i64] {
        &self.told
    }

    /// Where the search is: the stage and the pass from 1, and the trials of a pass at most.
    pub fn place(&self) -> (usize, u32, usize) {
        (self.stage + 1, self.pass + 1, 1 + 2 * self.places.len())
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

    /// What weights gain if every weight has its best value, and costs the square of its distance from it.
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
        // Told the same again, a new search is at the same place.
        let mut again = WeightSearch::new(&distribution, stages());
        search.told()[..400].iter().for_each(|&sum| again.tell(sum));
        let middle = middle.expect("more than 400 trials");
        assert_eq!(
            (again.place(), again.weights(), again.trial().unwrap().pairs),
            (middle.place(), middle.weights(), middle.trial().unwrap().pairs)
        );
    }
}
