//! Multisets of tiles packed into one number, so that "do these tiles fit the rack" and "the rack without these tiles" are one
//! operation each.
//!
//! A [`Packing`] gives each kind of tile in a pool a field of [`FIELD`] bits; a [`PackedTiles`] holds a count in each field. The
//! tiles of different packings do not mix.

use crate::rules::tiles::MAX_LETTERS;
use crate::rules::{Rack, Tile};
use crate::search::randomness::mix;

/// Bits of a field: counts up to 15, and a bit above that never carries.
const FIELD: usize = 5;

/// Kinds of tiles a pool may have.
const MAX_KINDS: usize = 128 / FIELD;

/// Tiles of a kind that a pool may have.
const MAX_COUNT: usize = 15;

/// The top bit of each field.
const TOPS: u128 = {
    let mut tops = 0;
    let mut kind = 0;
    while kind < MAX_KINDS {
        tops |= 1 << (kind * FIELD + FIELD - 1);
        kind += 1;
    }
    tops
};

/// A packed multiset of the pool's tiles.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(transparent)]
pub(super) struct PackedTiles(u128);

impl PackedTiles {
    pub const EMPTY: PackedTiles = PackedTiles(0);

    /// Whether these are all in `rack`.
    #[inline]
    pub fn fit(self, rack: PackedTiles) -> bool {
        // A field that has too few borrows from the bit on top of it.
        ((rack.0 | TOPS) - self.0) & TOPS == TOPS
    }

    /// These without `tiles`, which must be among them.
    #[inline]
    pub fn without(self, tiles: PackedTiles) -> PackedTiles {
        PackedTiles(self.0 - tiles.0)
    }

    /// These and `tiles`.
    #[inline]
    pub fn with(self, tiles: PackedTiles) -> PackedTiles {
        PackedTiles(self.0 + tiles.0)
    }

    /// The fields in use, with their counts.
    #[inline]
    pub fn kinds(self) -> impl Iterator<Item = (usize, usize)> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let field = (rest != 0).then(|| rest.trailing_zeros() as usize / FIELD)?;
            rest &= !(((1 << FIELD) - 1) << (field * FIELD));
            Some((field, self.count(field)))
        })
    }

    /// How many tiles these are.
    pub fn len(self) -> usize {
        self.kinds().map(|(_, count)| count).sum()
    }

    /// A hash.
    #[inline]
    pub fn hash(self) -> u64 {
        mix(self.0 as u64 ^ mix((self.0 >> 64) as u64))
    }

    /// The tiles of a kind.
    #[inline]
    pub fn count(self, field: usize) -> usize {
        (self.0 >> (field * FIELD)) as usize % (1 << FIELD)
    }
}

/// A number for each part of a multiset, from 0 on: its counts are the digits.
#[derive(Clone, Copy, Debug)]
pub(super) struct PartNumbers {
    /// How many parts there are, the empty one and the whole included.
    pub parts: usize,
    used: usize,
    digits: [PartDigit; MAX_KINDS],
}

/// A field as a digit of a part's number.
#[derive(Clone, Copy, Debug, Default)]
struct PartDigit {
    /// Where the field begins.
    shift: u32,
    /// What one tile there adds to the number.
    stride: u32,
}

impl PartNumbers {
    /// Numbers for the parts of these tiles.
    pub fn of(whole: PackedTiles) -> PartNumbers {
        let mut numbers = PartNumbers { parts: 1, used: 0, digits: [PartDigit::default(); MAX_KINDS] };
        for (field, count) in whole.kinds() {
            numbers.digits[numbers.used] = PartDigit { shift: (field * FIELD) as u32, stride: numbers.parts as u32 };
            numbers.used += 1;
            numbers.parts = usize::saturating_mul(numbers.parts, count + 1);
        }
        numbers
    }

    /// The number of a part.
    #[inline]
    pub fn number(&self, part: PackedTiles) -> usize {
        let digit = |digit: &PartDigit| (part.0 >> digit.shift) as usize % (1 << FIELD) * digit.stride as usize;
        self.digits[..self.used].iter().map(digit).sum()
    }
}

/// How the tiles of a pool are packed.
#[derive(Clone, Debug)]
pub(super) struct Packing {
    /// By tile index: the number of its field.
    fields: [u8; MAX_LETTERS + 1],
    /// By field.
    kinds: Vec<Tile>,
}

impl Packing {
    /// Whether there are not too many kinds of tiles, nor too many of one kind.
    pub fn can_hold(pool: &Rack) -> bool {
        pool.distinct().count() <= MAX_KINDS && pool.distinct().all(|(_, count)| usize::from(count) <= MAX_COUNT)
    }

    /// A packing for the tiles of this pool.
    ///
    /// # Panics
    /// If it [cannot hold](Packing::can_hold) them.
    pub fn new(pool: &Rack) -> Packing {
        let mut fields = [u8::MAX; MAX_LETTERS + 1];
        let kinds: Vec<Tile> = pool.distinct().map(|(tile, _)| tile).collect();
        assert!(Packing::can_hold(pool), "an endgame has few tiles");
        for (field, tile) in kinds.iter().enumerate() {
            fields[tile.index()] = field as u8;
        }
        Packing { fields, kinds }
    }

    /// The rack of these tiles.
    pub fn unpack(&self, tiles: PackedTiles) -> Rack {
        let mut rack = Rack::EMPTY;
        for (field, &tile) in self.kinds.iter().enumerate() {
            rack.add_many(tile, tiles.count(field) as u8);
        }
        rack
    }

    /// How many blanks there are. They are the first kind, if the pool has any.
    fn blanks(&self, tiles: PackedTiles) -> usize {
        if self.fields[Tile::BLANK.index()] == 0 { tiles.count(0) } else { 0 }
    }

    /// Whether there is a blank among the tiles.
    pub fn has_blank(&self, tiles: PackedTiles) -> bool {
        self.blanks(tiles) > 0
    }

    /// The tiles that are no blanks.
    pub fn without_blanks(&self, tiles: PackedTiles) -> PackedTiles {
        tiles.without(PackedTiles(self.blanks(tiles) as u128))
    }

    /// The tiles of a rack.
    ///
    /// # Panics
    /// If a tile is not in the pool.
    pub fn pack(&self, rack: &Rack) -> PackedTiles {
        rack.tiles().fold(PackedTiles::EMPTY, |packed, tile| packed.with(self.one(tile)))
    }

    /// A single tile.
    ///
    /// # Panics
    /// If the tile is not in the pool.
    #[inline]
    pub fn one(&self, tile: Tile) -> PackedTiles {
        let field = self.fields[tile.index()];
        assert!(field != u8::MAX, "a tile outside the pool");
        PackedTiles(1 << (field as usize * FIELD))
    }
}
