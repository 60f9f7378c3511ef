//! Gordon's rack heuristics: what a leave is worth by its letters (1), by letters and duplicates (2), and also by the mix of
//! vowels and consonants (3).
//!
//! Source: [Gordon 1993], tables 1 and 3. The tables have English letters only; a letter that English lacks is worth 0.
//!
//! The paper does not say what a blank is in the mix of vowels and consonants. Here it is neither, and does not count as a letter.
//!
//! Start with [`HeuristicTable::value`].

use crate::rules::units::{MILLIPOINTS_PER_POINT, millipoints};
use crate::rules::{LetterDistribution, Rack, Tile};

/// Which of the three heuristics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RackHeuristic {
    /// Letters.
    Letters,
    /// Letters and duplicates.
    Duplicates,
    /// Letters, duplicates, and the vowel and consonant mix.
    VowelMix,
}

impl RackHeuristic {
    /// Its name, as in provenance lines.
    pub fn name(self) -> &'static str {
        match self {
            RackHeuristic::Letters => "rack-heuristic-1",
            RackHeuristic::Duplicates => "rack-heuristic-2",
            RackHeuristic::VowelMix => "rack-heuristic-3",
        }
    }
}

/// By letter, in tenths of a point: heuristic 1 for each tile; heuristic 2 for the first tile; heuristic 2 for each further one.
const WEIGHTS: [(&str, i32, i32, i32); 27] = [
    ("?", 245, 245, -150),
    ("A", 5, 10, -30),
    ("B", -35, -35, -30),
    ("C", -5, -5, -35),
    ("D", -10, 0, -25),
    ("E", 40, 40, -25),
    ("F", -30, -20, -20),
    ("G", -35, -20, -25),
    ("H", 5, 5, -35),
    ("I", -15, -5, -40),
    ("J", -25, -30, 0),
    ("K", -15, -25, 0),
    ("L", -15, -10, -20),
    ("M", -5, -10, -20),
    ("N", 0, 5, -25),
    ("O", -25, -15, -35),
    ("P", -15, -15, -25),
    ("Q", -115, -115, 0),
    ("R", 10, 15, -35),
    ("S", 75, 75, -40),
    ("T", -10, 0, -25),
    ("U", -45, -30, -30),
    ("V", -65, -55, -35),
    ("W", -40, -40, -45),
    ("X", 35, 35, 0),
    ("Y", -25, -20, -45),
    ("Z", 30, 20, 0),
];

/// Millipoints in a tenth of a point.
const TENTH: i32 = MILLIPOINTS_PER_POINT / 10;

/// What the tiles of one kind are worth, millipoints.
#[derive(Clone, Copy, Default, Debug)]
struct TileWeight {
    /// The first tile.
    first: i32,
    /// Added to this for each further tile, once more than for the one before.
    further: i32,
}

/// A heuristic with its weights by tile of one alphabet.
#[derive(Clone, Debug)]
pub struct HeuristicTable {
    heuristic: RackHeuristic,
    /// By tile index.
    weights: Vec<TileWeight>,
    /// The letters that are vowels, as bits ([`Letter::bit`](crate::rules::Letter::bit)).
    vowels: u64,
}

impl HeuristicTable {
    /// The heuristic's weights for an alphabet.
    pub fn new(heuristic: RackHeuristic, distribution: &LetterDistribution) -> HeuristicTable {
        let weight_of = |tile: Tile| {
            let face = if tile.is_blank() { "?" } else { distribution.spec(tile).face.as_str() };
            let Some((_, letters, first, duplicate)) = WEIGHTS.iter().find(|(letter, ..)| *letter == face) else {
                return TileWeight::default();
            };
            match heuristic {
                RackHeuristic::Letters => TileWeight { first: letters * TENTH, further: 0 },
                RackHeuristic::Duplicates | RackHeuristic::VowelMix => TileWeight { first: first * TENTH, further: duplicate * TENTH },
            }
        };
        HeuristicTable { heuristic, weights: distribution.tiles().map(weight_of).collect(), vowels: distribution.vowels() }
    }

    /// What the `copy`-th (1-based) tile of a kind adds, millipoints.
    #[inline]
    pub fn tile_value(&self, tile: Tile, copy: i32) -> i32 {
        let weight = self.weights[tile.index()];
        weight.first + (copy - 1) * weight.further
    }

    /// Whether the tile is a vowel.
    #[inline]
    pub fn is_vowel(&self, tile: Tile) -> bool {
        self.vowels >> tile.index() & 1 != 0
    }

    /// What the mix of vowels and consonants adds, millipoints; 0 for the heuristics that do not look at it.
    #[inline]
    pub fn mix_value(&self, vowels: i32, consonants: i32) -> i32 {
        match self.heuristic {
            RackHeuristic::VowelMix => millipoints(vowel_mix(vowels, consonants)),
            RackHeuristic::Letters | RackHeuristic::Duplicates => 0,
        }
    }

    /// The value of a leave, millipoints.
    pub fn value(&self, leave: &Rack) -> i32 {
        let (mut sum, mut vowels, mut consonants) = (0, 0, 0);
        for (tile, count) in leave.distinct() {
            sum += (1..=i32::from(count)).map(|copy| self.tile_value(tile, copy)).sum::<i32>();
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
    use crate::formats::letter_distribution::english;

    fn check(heuristic: RackHeuristic, leave: &str, points: f64) {
        let english = english();
        let leave = english.parse_tiles(leave).unwrap().into_iter().collect();
        let value = HeuristicTable::new(heuristic, &english).value(&leave);
        assert_eq!(value, (points * 1000.0) as i32, "{heuristic:?}");
    }

    #[test]
    fn gordons_worked_examples() {
        // Rack EENQRST: QAT keeps EENRS, QATS keeps EENR, CENTERS keeps Q.
        check(RackHeuristic::VowelMix, "EENRS", 17.0);
        check(RackHeuristic::VowelMix, "EENR", 9.5);
        check(RackHeuristic::VowelMix, "Q", -11.5);
    }

    #[test]
    fn duplicates_count_again_for_each_further_tile() {
        check(RackHeuristic::Letters, "IIISS", 10.5);
        check(RackHeuristic::Duplicates, "IIISS", -2.5);
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
