//! Published rack heuristics: leave values by rules that fit on a page.
//!
//! Gordon's heuristics use letters (1), letters and duplicates (2), and also the mix of vowels and consonants (3)
//! \[Gordon 1993\], tables 1 and 3. The paper does not say how a blank counts in the mix of vowels and consonants. Here
//! it is neither, and does not count as a letter.
//!
//! WordSmith's tile quantiles \[Young 2013\] use letters: a tile is worth the median score of the plays that it is part
//! of, minus the median of all tiles. The medians are our own, from greedy games.
//!
//! The tables have English letters only; a letter that English lacks is worth 0.
//!
//! Start with [`HeuristicTable::value`].

use crate::rules::units::Millipoints;
use crate::rules::{LetterDistribution, LetterSet, Rack, Tile};

/// A published heuristic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RackHeuristic {
    /// Letters.
    Letters,
    /// Letters and duplicates.
    Duplicates,
    /// Letters, duplicates, and the vowel and consonant mix.
    VowelMix,
    /// The median scores of the plays that tiles are part of.
    TileQuantiles,
}

impl RackHeuristic {
    /// Its name, as in provenance lines.
    pub fn name(self) -> &'static str {
        match self {
            RackHeuristic::Letters => "rack-heuristic-1",
            RackHeuristic::Duplicates => "rack-heuristic-2",
            RackHeuristic::VowelMix => "rack-heuristic-3",
            RackHeuristic::TileQuantiles => "tile-quantiles",
        }
    }
}

/// The weights by letter. In tenths of a point: heuristic 1 for each tile; heuristic 2 for the first tile; heuristic 2
/// for each further tile. In points: the median score of the plays with the tile, as
/// `tilewright lab train quantiles greedy --games 20000` prints it.
const WEIGHTS: [(&str, i32, i32, i32, i32); 27] = [
    ("?", 245, 245, -150, 48),
    ("A", 5, 10, -30, 30),
    ("B", -35, -35, -30, 30),
    ("C", -5, -5, -35, 30),
    ("D", -10, 0, -25, 30),
    ("E", 40, 40, -25, 30),
    ("F", -30, -20, -20, 31),
    ("G", -35, -20, -25, 28),
    ("H", 5, 5, -35, 33),
    ("I", -15, -5, -40, 30),
    ("J", -25, -30, 0, 33),
    ("K", -15, -25, 0, 33),
    ("L", -15, -10, -20, 29),
    ("M", -5, -10, -20, 31),
    ("N", 0, 5, -25, 30),
    ("O", -25, -15, -35, 30),
    ("P", -15, -15, -25, 30),
    ("Q", -115, -115, 0, 34),
    ("R", 10, 15, -35, 30),
    ("S", 75, 75, -40, 34),
    ("T", -10, 0, -25, 29),
    ("U", -45, -30, -30, 29),
    ("V", -65, -55, -35, 29),
    ("W", -40, -40, -45, 30),
    ("X", 35, 35, 0, 39),
    ("Y", -25, -20, -45, 32),
    ("Z", 30, 20, 0, 39),
];

/// The median score for all tiles together.
const MEDIAN_OF_ALL: i32 = 30;

/// A tenth of a point.
const TENTH: Millipoints = Millipoints(Millipoints::PER_POINT / 10);

/// The value of the tiles of one kind.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct TileWeight {
    /// The first tile.
    pub first: Millipoints,
    /// Added to `first` once for the second tile, twice for the third, and so on.
    pub further: Millipoints,
}

/// A heuristic with its weights by tile of one alphabet.
#[derive(Clone, Debug)]
pub struct HeuristicTable {
    heuristic: RackHeuristic,
    /// By tile index.
    weights: Vec<TileWeight>,
    vowels: LetterSet,
}

impl HeuristicTable {
    /// The heuristic's weights for an alphabet.
    pub fn new(heuristic: RackHeuristic, distribution: &LetterDistribution) -> HeuristicTable {
        let weight_of = |tile: Tile| {
            let face = if tile.is_blank() { "?" } else { distribution.spec(tile).face.as_str() };
            let Some((_, letters, first, duplicate, median)) = WEIGHTS.iter().find(|(letter, ..)| *letter == face) else {
                return TileWeight::default();
            };
            match heuristic {
                RackHeuristic::Letters => TileWeight { first: TENTH * *letters, further: Millipoints::ZERO },
                RackHeuristic::Duplicates | RackHeuristic::VowelMix => TileWeight { first: TENTH * *first, further: TENTH * *duplicate },
                RackHeuristic::TileQuantiles => {
                    TileWeight { first: Millipoints::from_points(median - MEDIAN_OF_ALL), further: Millipoints::ZERO }
                }
            }
        };
        HeuristicTable::weighted(heuristic, distribution.tiles().map(weight_of).collect(), distribution)
    }

    /// The same heuristic with other weights, by tile index.
    pub fn weighted(heuristic: RackHeuristic, weights: Vec<TileWeight>, distribution: &LetterDistribution) -> HeuristicTable {
        HeuristicTable { heuristic, weights, vowels: distribution.vowels() }
    }

    /// The weights of a tile.
    pub fn weight(&self, tile: Tile) -> TileWeight {
        self.weights[tile.index()]
    }

    /// What the `copy`-th (1-based) tile of a kind adds.
    #[inline]
    pub fn tile_value(&self, tile: Tile, copy: i32) -> Millipoints {
        let weight = self.weights[tile.index()];
        weight.first + weight.further * (copy - 1)
    }

    /// Whether the tile is a vowel.
    #[inline]
    pub fn is_vowel(&self, tile: Tile) -> bool {
        self.vowels.has_tile(tile)
    }

    /// The value of the mix of vowels and consonants; zero for the heuristics that do not use it.
    #[inline]
    pub fn mix_value(&self, vowels: i32, consonants: i32) -> Millipoints {
        match self.heuristic {
            RackHeuristic::VowelMix => Millipoints::from_points(vowel_mix(vowels, consonants)),
            RackHeuristic::Letters | RackHeuristic::Duplicates | RackHeuristic::TileQuantiles => Millipoints::ZERO,
        }
    }

    /// The value of a leave.
    pub fn value(&self, leave: &Rack) -> Millipoints {
        let (mut sum, mut vowels, mut consonants) = (Millipoints::ZERO, 0, 0);
        for (tile, count) in leave.distinct() {
            sum += (1..=i32::from(count)).map(|copy| self.tile_value(tile, copy)).sum::<Millipoints>();
            if self.is_vowel(tile) {
                vowels += i32::from(count);
            } else if !tile.is_blank() {
                consonants += i32::from(count);
            }
        }
        sum + self.mix_value(vowels, consonants)
    }
}

/// Gordon's VCMix in points: `min(3V + 1, 3C) - L` for V vowels and C consonants, L = V + C.
pub fn vowel_mix(vowels: i32, consonants: i32) -> i32 {
    (3 * vowels + 1).min(3 * consonants) - (vowels + consonants)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::LetterDistribution;

    fn check(heuristic: RackHeuristic, leave: &str, points: f64) {
        let english = LetterDistribution::english();
        let leave = english.parse_tiles(leave).unwrap().into_iter().collect();
        let value = HeuristicTable::new(heuristic, &english).value(&leave);
        assert_eq!(value, Millipoints::rounded(points), "{heuristic:?}");
    }

    #[test]
    fn gordons_worked_examples() {
        // Rack EENQRST: QAT keeps EENRS and is worth 29.0, QATS keeps EENR and is worth 22.5, CENTERS keeps Q and is worth 26.5.
        for (score, leave, worth) in [(12.0, "EENRS", 29.0), (13.0, "EENR", 22.5), (38.0, "Q", 26.5)] {
            check(RackHeuristic::VowelMix, leave, worth - score);
        }
    }

    #[test]
    fn duplicates_count_again_for_each_further_tile() {
        check(RackHeuristic::Letters, "IIISS", 10.5);
        check(RackHeuristic::Duplicates, "IIISS", -2.5);
    }

    #[test]
    fn tiles_are_worth_their_median_above_that_of_all() {
        check(RackHeuristic::TileQuantiles, "?", 18.0);
        check(RackHeuristic::TileQuantiles, "XAA", 9.0);
        check(RackHeuristic::TileQuantiles, "VV", -2.0);
    }

    #[test]
    fn the_mix_is_gordons_table_3() {
        let printed: [&[i32]; 7] =
            [&[0, 0, -1, -2, -3, -4, -5], &[-1, 1, 1, 0, -1, -2], &[-2, 0, 2, 2, 1], &[-3, -1, 1, 3], &[-4, -2, 0], &[-5, -3], &[-6]];
        for (vowels, row) in printed.iter().enumerate() {
            for (consonants, &expected) in row.iter().enumerate() {
                // The printed first row has 0 for a lone consonant and falls by one: min(1, 3C) - C.
                assert_eq!(vowel_mix(vowels as i32, consonants as i32), expected, "{vowels} vowels, {consonants} consonants");
            }
        }
    }
}
