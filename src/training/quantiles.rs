//! Tile quantiles: the scores of the plays that contain a tile. The player `wordsmith` conserves
//! tiles by them.
//!
//! Start with [`PlayScores`]. Not here: the player (`players/strategies/wordsmith.rs`).

use crate::rules::{LetterDistribution, Play, Tile};
use std::collections::BTreeMap;

/// The distribution of the scores of plays with each tile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayScores {
    /// By tile index, then by score. A play counts once for each kind of tile in it.
    by_tile: Vec<BTreeMap<i32, u64>>,
}

impl PlayScores {
    /// Returns empty counts for the tiles of an alphabet.
    pub fn new(distribution: &LetterDistribution) -> PlayScores {
        PlayScores { by_tile: vec![BTreeMap::new(); distribution.tiles().count()] }
    }

    /// Counts a placement. Other plays do not score, and are ignored.
    pub fn add_play(&mut self, play: &Play, score: i32) {
        let Some(placement) = play.placement() else { return };
        for (tile, _) in placement.rack_tiles().distinct() {
            *self.by_tile[tile.index()].entry(score).or_default() += 1;
        }
    }

    /// Adds other counts.
    pub fn add(&mut self, other: &PlayScores) {
        for (own, other) in self.by_tile.iter_mut().zip(&other.by_tile) {
            other.iter().for_each(|(&score, count)| *own.entry(score).or_default() += count);
        }
    }

    /// Counts the plays with this tile.
    pub fn plays(&self, tile: Tile) -> u64 {
        self.by_tile[tile.index()].values().sum()
    }

    /// Returns the lowest score that at least this share of the plays with a tile do not exceed, or `None` without plays.
    pub fn quantile(&self, tile: Tile, share: f64) -> Option<i32> {
        quantile(&self.by_tile[tile.index()], share)
    }

    /// Returns the same quantile over the plays of all tiles together.
    pub fn quantile_of_all(&self, share: f64) -> Option<i32> {
        let mut all = BTreeMap::new();
        for (&score, count) in self.by_tile.iter().flatten() {
            *all.entry(score).or_default() += count;
        }
        quantile(&all, share)
    }
}

fn quantile(counts: &BTreeMap<i32, u64>, share: f64) -> Option<i32> {
    let enough = share * counts.values().sum::<u64>() as f64;
    let mut below = 0;
    let reaches = |(&score, count): (&i32, &u64)| {
        below += count;
        (below as f64 >= enough).then_some(score)
    };
    counts.iter().find_map(reaches)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Direction, LetterDistribution, Placed, Placement, Square};

    #[test]
    fn quantiles_of_the_plays_that_a_tile_is_part_of() {
        let english = LetterDistribution::english();
        let tile = |text: &str| english.parse_tiles(text).unwrap()[0];
        let mut scores = PlayScores::new(&english);
        // A blank used as an A counts as a blank. Two As count as one play.
        for (word, score) in [("AA", 2), ("AB", 8), ("aB", 6), ("BE", 10)] {
            let placed: Vec<Option<Placed>> = english.parse_placed(word).unwrap().into_iter().map(Some).collect();
            let placement = Placement::new(Square { row: 7, col: 7 }, Direction::Across, &placed);
            scores.add_play(&Play::Place(placement), score);
        }
        scores.add_play(&Play::Pass, 0);
        let of = |text: &str| (scores.plays(tile(text)), [0.0, 0.5, 0.51, 1.0].map(|share| scores.quantile(tile(text), share)));
        assert_eq!(of("A"), (2, [2, 2, 8, 8].map(Some)));
        assert_eq!(of("B"), (3, [6, 8, 8, 10].map(Some)));
        assert_eq!(of("?"), (1, [Some(6); 4]));
        assert_eq!(of("Z"), (0, [None; 4]));
        // All scores are 2, 6, 6, 8, 8, 10, 10.
        assert_eq!(scores.quantile_of_all(0.5), Some(8));
        let mut twice = scores.clone();
        twice.add(&scores);
        assert_eq!((twice.plays(tile("B")), twice.quantile(tile("B"), 0.5)), (6, Some(8)));
    }
}
