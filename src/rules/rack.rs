//! A multiset of tiles: a rack, a leave, the unseen tiles or the tiles in the bag.
//!
//! Not here: multisets as numbers (`multisets.rs`). Start with [`Rack`].

use crate::rules::distribution::{LetterDistribution, TileTextError};
use crate::rules::tiles::{MAX_LETTERS, Tile};
use thiserror::Error;

/// The most tiles that a text may list: as many of one kind as a multiset can count.
pub const MAX_TEXT_TILES: usize = u8::MAX as usize;

/// Why a text is not a rack.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
#[non_exhaustive]
pub enum RackTextError {
    /// Something that is not a tile.
    #[error(transparent)]
    Tile(#[from] TileTextError),
    /// Too many tiles.
    #[error("{found} tiles are too many: a rack counts at most {MAX_TEXT_TILES}")]
    TooMany {
        /// Tiles in the text.
        found: usize,
    },
}

/// A multiset of tiles with its size. It may be larger than a rack, as for all the unseen tiles.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rack {
    counts: [u8; MAX_LETTERS + 1],
    size: u16,
}

impl Default for Rack {
    fn default() -> Rack {
        Rack::EMPTY
    }
}

impl Rack {
    /// No tiles.
    pub const EMPTY: Rack = Rack { counts: [0; MAX_LETTERS + 1], size: 0 };

    /// The tiles of a full bag.
    pub fn full_bag(distribution: &LetterDistribution) -> Rack {
        let mut rack = Rack::EMPTY;
        for tile in distribution.tiles() {
            rack.add_many(tile, distribution.count(tile));
        }
        rack
    }

    /// Reads tiles in any order: letters in either case, `?` for a blank,
    /// `[CH]` for one tile of several characters. Whether a game has enough tiles for the rack is
    /// checked by a [position](crate::rules::Position).
    ///
    /// # Errors
    /// The column and text of the first thing that is not a tile, or more tiles than a rack can count.
    ///
    /// ```
    /// use tilewright::rules::{GameRules, Rack};
    ///
    /// let english = GameRules::english().distribution.clone();
    /// let rack = Rack::parse("stane?e", &english)?;
    /// assert_eq!((rack.len(), rack.text(&english)), (7, "AEENST?".to_string()));
    ///
    /// // A leave is what is left without the tiles played.
    /// let leave = rack.minus(&Rack::parse("SET", &english)?).expect("they are on the rack");
    /// assert_eq!(leave.text(&english), "AEN?");
    ///
    /// assert_eq!(Rack::parse("AB1", &english).unwrap_err().to_string(), "column 3: \"1\" is not a tile of the english alphabet");
    /// # Ok::<(), tilewright::rules::rack::RackTextError>(())
    /// ```
    pub fn parse(text: &str, distribution: &LetterDistribution) -> Result<Rack, RackTextError> {
        let tiles = distribution.parse_tiles(text)?;
        if tiles.len() > MAX_TEXT_TILES {
            return Err(RackTextError::TooMany { found: tiles.len() });
        }
        Ok(tiles.into_iter().collect())
    }

    /// Number of tiles.
    pub const fn len(&self) -> usize {
        self.size as usize
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// How many of this tile.
    pub const fn count(&self, tile: Tile) -> u8 {
        self.counts[tile.index()]
    }

    /// Counts by tile index, the blank at 0.
    pub const fn counts(&self) -> &[u8; MAX_LETTERS + 1] {
        &self.counts
    }

    /// Adds one tile.
    ///
    /// # Panics
    /// If there are 255 of it already. No game has more of a tile; text with more of them is refused ([`Rack::parse`]).
    pub const fn add(&mut self, tile: Tile) {
        self.add_many(tile, 1);
    }

    /// Adds several of one tile.
    ///
    /// # Panics
    /// If there would be more than 255 of it.
    pub const fn add_many(&mut self, tile: Tile, count: u8) {
        // Checked in every build: a count that wraps would make another rack.
        let Some(sum) = self.counts[tile.index()].checked_add(count) else { panic!("more of a tile than can be counted") };
        self.counts[tile.index()] = sum;
        self.size += count as u16;
    }

    /// Takes one tile away, if it is there.
    #[must_use]
    pub const fn remove(&mut self, tile: Tile) -> bool {
        if self.counts[tile.index()] == 0 {
            return false;
        }
        self.counts[tile.index()] -= 1;
        self.size -= 1;
        true
    }

    /// The tiles, blank first, then in alphabet order, each as often as it is there.
    pub fn tiles(&self) -> impl Iterator<Item = Tile> + '_ {
        self.distinct().flat_map(|(tile, count)| std::iter::repeat_n(tile, count as usize))
    }

    /// The different tiles with their counts, blank first.
    pub fn distinct(&self) -> impl Iterator<Item = (Tile, u8)> + '_ {
        self.counts
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0)
            .filter_map(|(index, &count)| Some((Tile::from_index(index)?, count)))
    }

    /// Whether all tiles of `other` are here.
    pub fn contains(&self, other: &Rack) -> bool {
        self.counts.iter().zip(&other.counts).all(|(mine, theirs)| mine >= theirs)
    }

    /// These tiles and those of `other`.
    ///
    /// # Panics
    /// If they hold more than 255 of a tile.
    #[must_use]
    pub fn plus(&self, other: &Rack) -> Rack {
        let mut sum = *self;
        for (tile, count) in other.distinct() {
            sum.add_many(tile, count);
        }
        sum
    }

    /// These tiles without those of `other`, or the first tile that is missing.
    ///
    /// # Errors
    /// A tile that `other` has more of.
    pub fn minus(&self, other: &Rack) -> Result<Rack, Tile> {
        match other.distinct().find(|&(tile, count)| count > self.count(tile)) {
            Some((tile, _)) => Err(tile),
            None => Ok(self.without(other)),
        }
    }

    /// These tiles without those of `other`, as far as they are here.
    #[must_use]
    pub fn without(&self, other: &Rack) -> Rack {
        self.combined(other, u8::saturating_sub)
    }

    /// The smallest rack that contains these tiles and also those of `other`.
    #[must_use]
    pub fn union(&self, other: &Rack) -> Rack {
        self.combined(other, u8::max)
    }

    /// The tiles that are both here and in `other`.
    #[must_use]
    pub fn common(&self, other: &Rack) -> Rack {
        self.combined(other, u8::min)
    }

    /// The rack whose count of each tile is made from the counts of both racks.
    fn combined(&self, other: &Rack, make: impl Fn(u8, u8) -> u8) -> Rack {
        let counts = std::array::from_fn(|index| make(self.counts[index], other.counts[index]));
        Rack { counts, size: counts.iter().map(|&count| u16::from(count)).sum() }
    }

    /// Points of all tiles.
    ///
    /// # Panics
    /// If the alphabet lacks one of them.
    pub fn value(&self, distribution: &LetterDistribution) -> i32 {
        self.distinct().map(|(tile, count)| distribution.value(tile) * count as i32).sum()
    }

    /// As text, letters in alphabet order and blanks last: `AEINST?`.
    pub fn text(&self, distribution: &LetterDistribution) -> String {
        let letters = self.tiles().filter(|tile| !tile.is_blank());
        let blanks = std::iter::repeat_n(Tile::BLANK, self.count(Tile::BLANK) as usize);
        distribution.tiles_text(letters.chain(blanks))
    }
}

/// # Panics
/// If there are more than 255 of a tile.
impl FromIterator<Tile> for Rack {
    fn from_iter<I: IntoIterator<Item = Tile>>(tiles: I) -> Rack {
        let mut rack = Rack::EMPTY;
        for tile in tiles {
            rack.add(tile);
        }
        rack
    }
}

impl std::fmt::Debug for Rack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.distinct().map(|(tile, count)| (tile.index(), count))).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::LetterDistribution;

    #[test]
    fn a_text_has_no_more_tiles_than_can_be_counted() {
        let english = LetterDistribution::english();
        let rack = |tiles: usize| Rack::parse(&"E".repeat(tiles), &english);
        assert_eq!(rack(255).map(|rack| rack.len()), Ok(255));
        assert_eq!(rack(256), Err(RackTextError::TooMany { found: 256 }));
    }

    #[test]
    #[should_panic(expected = "more of a tile than can be counted")]
    fn no_count_wraps() {
        let _ = std::iter::repeat_n(Tile::BLANK, 256).collect::<Rack>();
    }
}
