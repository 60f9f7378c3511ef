//! A value for each multiset of up to [`MAX_LEAVE`] tiles, as plain arrays by rank (`rules/multisets.rs`).
//!
//! Not here: where the values come from (`training/`, `formats/`), and what uses them (`leaves.rs`).
//! Start with [`LeaveTable::value`].

use crate::rules::multisets::MultisetRanks;
use crate::rules::units::Millipoints;
use crate::rules::{LetterDistribution, Tile};
use thiserror::Error;

/// Tiles in the largest leave that has a value.
pub const MAX_LEAVE: usize = 6;

/// The largest value of a leave, positive or negative, in points.
pub const MOST_POINTS: f32 = 10_000.0;

/// The most entries that a table may have: enough for about 40 letters.
const MAX_ENTRIES: usize = 16 << 20;

/// Leave values, 0 until they are set. The empty leave is worth 0 and is not listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaveTable {
    ranks: MultisetRanks,
    /// By size: where the values of that size begin; after the last size, the end.
    offsets: [usize; MAX_LEAVE + 2],
    values: Vec<Millipoints>,
}

/// The difference between the leave values of two games with the same letters: a sum of terms for the tiles of a leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaveTerms {
    /// The term of every leave, by its size minus one.
    pub every: [Millipoints; MAX_LEAVE],
    /// For each kind of tile, the terms of its first copy in a leave, of its second, and so on, by the leave's size
    /// minus one. Further copies have no terms.
    pub copies: Vec<Vec<[Millipoints; MAX_LEAVE]>>,
}

/// Why trained values cannot be used.
#[derive(Debug, Error, PartialEq)]
pub enum LeavesError {
    /// A tile beyond the alphabet.
    #[error("leave {leave}: there is no tile {tile} in an alphabet of {letters} letters")]
    UnknownTile {
        /// 0-based number of the leave.
        leave: usize,
        /// The tile's index.
        tile: u8,
        /// Letters of the alphabet.
        letters: usize,
    },
    /// No tiles, or more than a leave has.
    #[error("leave {leave}: {tiles} tiles, expected 1 to {MAX_LEAVE}")]
    BadSize {
        /// 0-based number of the leave.
        leave: usize,
        tiles: usize,
    },
    /// A value out of range.
    #[error("leave {leave} is worth {found:?} points, expected -{MOST_POINTS} to {MOST_POINTS}")]
    BadValue {
        /// 0-based number of the leave.
        leave: usize,
        /// Its value.
        found: f32,
    },
    /// Values for pairs of a tile that occurs only once, or none for pairs of tiles that occur more often: the leaves
    /// are of other tiles.
    #[error(
        "the leaves are for another alphabet than {alphabet}, or for another order of its letters: it has {count} of {tile}, but {found}"
    )]
    OtherAlphabet {
        /// The alphabet in use.
        alphabet: String,
        /// The tile's face.
        tile: String,
        /// How many of it there are.
        count: u8,
        /// The values of leaves that contradict this number.
        found: &'static str,
    },
    /// An alphabet too large for a table.
    #[error("{letters} letters are too many for a table of leaves")]
    TooManyLetters {
        /// Letters of the alphabet.
        letters: usize,
    },
}

/// The tiles of a leave that have been chosen so far.
#[derive(Clone, Copy)]
struct Chosen {
    tiles: usize,
    /// Their part of the leave's rank.
    rank: usize,
    /// The sum of their terms, with that of every leave.
    worth: Millipoints,
}

impl LeaveTable {
    /// Memory, bytes.
    pub fn size(&self) -> usize {
        size_of_val(&self.values[..])
    }

    /// Creates a table from values in points: the tile indices (0 = the blank) of each leave in any order, with its
    /// value. Leaves not listed are worth 0.
    ///
    /// # Errors
    /// If a tile is not in the alphabet, a leave has 0 or more than [`MAX_LEAVE`] tiles, or a value is beyond
    /// [`MOST_POINTS`].
    pub fn from_values<'a>(
        distribution: &LetterDistribution,
        values: impl Iterator<Item = (&'a [u8], f32)>,
    ) -> Result<LeaveTable, LeavesError> {
        let letters = distribution.letter_count();
        let mut table = LeaveTable::new(letters + 1).ok_or(LeavesError::TooManyLetters { letters })?;
        for (leave, (tiles, points)) in values.enumerate() {
            if !(1..=MAX_LEAVE).contains(&tiles.len()) {
                return Err(LeavesError::BadSize { leave, tiles: tiles.len() });
            }
            if let Some(&tile) = tiles.iter().find(|&&tile| tile as usize > letters) {
                return Err(LeavesError::UnknownTile { leave, tile, letters });
            }
            // NaN is not in the range.
            if !(-MOST_POINTS..=MOST_POINTS).contains(&points) {
                return Err(LeavesError::BadValue { leave, found: points });
            }
            let mut sorted = tiles.to_vec();
            sorted.sort_unstable();
            *table.value_mut(&sorted) = Millipoints((points * Millipoints::PER_POINT as f32).round() as i32);
        }
        Ok(table)
    }

    /// Refuses values that were made for other tiles, even if the number of letters is the same. A pair of a tile that
    /// occurs only once must have no value. If most of the possible pairs have a value, at most one of them may lack
    /// one.
    ///
    /// # Errors
    /// [`LeavesError::OtherAlphabet`] with the first such tile.
    pub fn check_alphabet(&self, distribution: &LetterDistribution) -> Result<(), LeavesError> {
        let has_value = |tile: &Tile| self.value([tile.index(); 2].into_iter()) != Millipoints::ZERO;
        let (possible, impossible): (Vec<Tile>, Vec<Tile>) = distribution.tiles().partition(|&tile| distribution.count(tile) > 1);
        let foreign = |tile: Tile, found| {
            let (alphabet, count) = (distribution.name().to_string(), distribution.count(tile));
            Err(LeavesError::OtherAlphabet { alphabet, tile: distribution.tiles_text([tile]), count, found })
        };
        if let Some(&tile) = impossible.iter().find(|tile| has_value(tile)) {
            return foreign(tile, "a leave of two has a value");
        }
        let lacking: Vec<Tile> = possible.iter().copied().filter(|tile| !has_value(tile)).collect();
        match lacking.first() {
            Some(&tile) if lacking.len() > 1 && 2 * lacking.len() < possible.len() => foreign(tile, "a leave of two has no value"),
            _ => Ok(()),
        }
    }

    /// Returns the same values for a game that has more of some tiles: a tile beyond the `known` count adds nothing.
    /// Both alphabets must have the same letters.
    #[must_use]
    pub fn for_more_tiles(mut self, known: &LetterDistribution, wanted: &LetterDistribution) -> LeaveTable {
        for tile in wanted.tiles() {
            let (least, most) = (usize::from(known.count(tile)) + 1, usize::from(wanted.count(tile)).min(MAX_LEAVE));
            for count in least..=most {
                let mut others = Vec::new();
                self.add_tiles(tile.index() as u8, count, &mut others, 0);
            }
        }
        self
    }

    /// Sets the values of the leaves with `count` of a tile, these other tiles, and any tiles after them, to the values
    /// with one fewer of the tile.
    fn add_tiles(&mut self, tile: u8, count: usize, others: &mut Vec<u8>, next: u8) {
        let leave = |count: usize| {
            let mut tiles = [vec![tile; count], others.clone()].concat();
            tiles.sort_unstable();
            tiles
        };
        let (fewer, more) = (leave(count - 1), leave(count));
        *self.value_mut(&more) = if fewer.is_empty() { Millipoints::ZERO } else { *self.value_mut(&fewer) };
        if more.len() == MAX_LEAVE {
            return;
        }
        for other in (next..self.ranks.kinds() as u8).filter(|&other| other != tile) {
            others.push(other);
            self.add_tiles(tile, count, others, other);
            others.pop();
        }
    }

    /// Adds terms to the values of all leaves that are possible with these tiles.
    #[must_use]
    pub fn with_terms(mut self, terms: &LeaveTerms, distribution: &LetterDistribution) -> LeaveTable {
        let counts: Vec<usize> = distribution.tiles().map(|tile| distribution.count(tile).into()).collect();
        for size in 1..=MAX_LEAVE {
            self.add_terms(terms, &counts, size, 0, Chosen { tiles: 0, rank: 0, worth: terms.every[size - 1] });
        }
        self
    }

    /// Adds terms to the leaves of a size that consist of the chosen tiles and others of this kind or later kinds.
    fn add_terms(&mut self, terms: &LeaveTerms, counts: &[usize], size: usize, kind: usize, mut chosen: Chosen) {
        if chosen.tiles == size {
            self.values[self.offsets[size] + chosen.rank].0 += chosen.worth.0;
            return;
        }
        let Some(&count) = counts.get(kind) else { return };
        for copy in 0..=count.min(size - chosen.tiles) {
            if copy > 0 {
                chosen.tiles += 1;
                chosen.rank += self.ranks.step(kind, chosen.tiles);
                chosen.worth.0 += terms.copies.get(kind).and_then(|copies| copies.get(copy - 1)).map_or(0, |by_size| by_size[size - 1].0);
            }
            self.add_terms(terms, counts, size, kind + 1, chosen);
        }
    }

    /// Creates a table of zeros for the leaves of `kinds` kinds of tiles; `None` if there are too many leaves.
    pub fn new(kinds: usize) -> Option<LeaveTable> {
        let ranks = MultisetRanks::new(kinds);
        let mut offsets = [0; MAX_LEAVE + 2];
        for size in 1..=MAX_LEAVE {
            offsets[size + 1] = offsets[size] + ranks.count(size);
        }
        let entries = offsets[MAX_LEAVE + 1];
        (entries <= MAX_ENTRIES).then(|| LeaveTable { ranks, offsets, values: vec![Millipoints::ZERO; entries] })
    }

    /// How leaves are ranked.
    pub fn ranks(&self) -> &MultisetRanks {
        &self.ranks
    }

    /// All values: those of one tile by rank, then those of two, and so on.
    pub fn values(&self) -> &[Millipoints] {
        &self.values
    }

    /// The values of the leaves of 1 to [`MAX_LEAVE`] tiles, by rank.
    #[inline]
    pub fn of_size(&self, size: usize) -> &[Millipoints] {
        &self.values[self.offsets[size]..self.offsets[size + 1]]
    }

    /// The values of the leaves of 1 to [`MAX_LEAVE`] tiles, by rank, to be set.
    pub fn of_size_mut(&mut self, size: usize) -> &mut [Millipoints] {
        &mut self.values[self.offsets[size]..self.offsets[size + 1]]
    }

    /// The value of a leave of 1 to [`MAX_LEAVE`] tiles in rising order.
    pub fn value(&self, tiles: impl Iterator<Item = usize>) -> Millipoints {
        let (mut size, mut rank) = (0, 0);
        for tile in tiles {
            size += 1;
            rank += self.ranks.step(tile, size);
        }
        self.of_size(size)[rank]
    }

    /// The value of a leave of 1 to [`MAX_LEAVE`] tiles in rising order, to be set.
    pub fn value_mut(&mut self, tiles: &[u8]) -> &mut Millipoints {
        let rank = self.ranks.rank(tiles.iter().map(|&tile| tile as usize));
        &mut self.values[self.offsets[tiles.len()] + rank]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::letter_distribution;

    #[test]
    fn a_tile_beyond_those_that_are_known_adds_nothing() {
        let [known, wanted] =
            [2, 4].map(|count| letter_distribution::parse("t", &format!("?,?,{count},0,0\nA,a,3,1,1\nB,b,1,3,0\n")).unwrap());
        let values: Vec<(Vec<u8>, f32)> = vec![(vec![0, 0], 40.0), (vec![0, 0, 1], 44.0), (vec![0, 0, 1, 1, 1], 50.0), (vec![1], 2.0)];
        let table = LeaveTable::from_values(&known, values.iter().map(|(tiles, value)| (tiles.as_slice(), *value))).unwrap();
        let more = table.clone().for_more_tiles(&known, &wanted);
        let value = |tiles: &[usize]| more.value(tiles.iter().copied()).0;
        assert_eq!([value(&[0, 0, 0]), value(&[0, 0, 0, 0]), value(&[0, 0, 0, 1])], [40_000, 40_000, 44_000]);
        assert_eq!([value(&[0, 0, 0, 1, 1, 1]), value(&[0, 0]), value(&[1])], [50_000, 40_000, 2_000]);
        assert_eq!(table.clone().for_more_tiles(&known, &known), table);
    }

    #[test]
    fn terms_are_added_to_the_leaves_that_the_game_has() {
        let letters = letter_distribution::parse("t", "?,?,2,0,0\nA,a,3,1,1\nB,b,1,3,0\n").unwrap();
        let point = Millipoints::from_points(1);
        let first_a = [100, 200, 300, 400, 500, 600].map(Millipoints);
        let terms = LeaveTerms { every: [point; MAX_LEAVE], copies: vec![vec![], vec![first_a, [Millipoints(7); MAX_LEAVE]], vec![]] };
        let values: Vec<(Vec<u8>, f32)> = vec![(vec![1, 1], 3.0), (vec![0, 2], 5.0)];
        let table = LeaveTable::from_values(&letters, values.iter().map(|(tiles, value)| (tiles.as_slice(), *value))).unwrap();
        let sum = table.with_terms(&terms, &letters);
        let value = |tiles: &[usize]| sum.value(tiles.iter().copied()).0;
        assert_eq!([value(&[0]), value(&[1]), value(&[1, 1]), value(&[0, 2])], [1000, 1100, 4207, 6000]);
        assert_eq!([value(&[1, 1, 1]), value(&[0, 0, 1, 1, 1, 2])], [1307, 1607]);
        assert_eq!([value(&[2, 2]), value(&[0, 0, 0]), value(&[1, 1, 1, 1])], [0; 3], "there are no such leaves");
    }

    #[test]
    fn values_of_another_alphabet_with_as_many_letters_are_refused() {
        let letters = |name: &str| LetterDistribution::built_in(name).unwrap();
        let of = |made_for: &LetterDistribution| {
            let leaves: Vec<Vec<u8>> = made_for
                .tiles()
                .flat_map(|tile| (1..=made_for.count(tile).min(3)).map(move |copies| vec![tile.index() as u8; copies as usize]))
                .collect();
            LeaveTable::from_values(made_for, leaves.iter().map(|leave| (&leave[..], 1.5))).unwrap()
        };
        let names = ["english", "catalan", "dutch", "french", "norwegian"];
        for made_for in names {
            for used in names {
                let checked = of(&letters(made_for)).check_alphabet(&letters(used));
                assert_eq!(checked.is_ok(), made_for == used, "{made_for} {used}");
            }
        }
        let error = of(&letters("catalan")).check_alphabet(&letters("english")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the leaves are for another alphabet than english, or for another order of its letters: it has 1 of J, but a leave of two has a value"
        );
        // A few hand-made values are not taken for another alphabet.
        let few = LeaveTable::from_values(&letters("english"), [(&[1u8][..], 2.0), (&[19, 19], 8.0)].into_iter()).unwrap();
        assert_eq!(few.check_alphabet(&letters("english")), Ok(()));
    }

    #[test]
    fn values_for_an_earlier_order_of_the_letters_are_refused() {
        for name in ["german", "norwegian", "swedish", "italian"] {
            let letters = LetterDistribution::built_in(name).unwrap();
            // Letters without tiles had no numbers, and A to Z came first.
            let mut tiles: Vec<Tile> = letters.tiles().filter(|&tile| letters.count(tile) > 0).collect();
            tiles.sort_by_key(|&tile| !letters.spec(tile).face.is_ascii());
            let numbered = tiles.iter().zip(0u8..);
            let leaves: Vec<Vec<u8>> = numbered
                .flat_map(|(&tile, number)| (1..=letters.count(tile).min(3)).map(move |copies| vec![number; copies.into()]))
                .collect();
            let table = LeaveTable::from_values(&letters, leaves.iter().map(|leave| (&leave[..], 1.5))).unwrap();
            assert!(table.check_alphabet(&letters).is_err(), "{name}");
        }
    }

    #[test]
    fn impossible_leaves_are_refused() {
        let english = LetterDistribution::english();
        let refuse = |tiles: &[u8]| LeaveTable::from_values(&english, [(tiles, 1.0)].into_iter()).unwrap_err().to_string();
        assert_eq!(refuse(&[1, 27]), "leave 0: there is no tile 27 in an alphabet of 26 letters");
        assert_eq!(refuse(&[]), "leave 0: 0 tiles, expected 1 to 6");
        let value = |points: f32| LeaveTable::from_values(&english, [(&[1][..], 1.0), (&[2], points)].into_iter()).map(|_| ());
        assert_eq!([-10_000.0, 10_000.0].map(value), [Ok(()), Ok(())]);
        assert_eq!(value(1e30).unwrap_err().to_string(), "leave 1 is worth 1e30 points, expected -10000 to 10000");
        assert!([f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 10_000.1].iter().all(|&points| value(points).is_err()));
        assert_eq!(refuse(&[1; 7]), "leave 0: 7 tiles, expected 1 to 6");
    }
}
