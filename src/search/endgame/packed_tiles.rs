//! Multisets of tiles packed into one number, so that inclusion and difference are one operation
//! each.
//!
//! A [`Packing`] gives each kind of tile in a pool a field, as wide as the pool's tiles of that kind need:
//!
//! | bits of a field | meaning |
//! |---|---|
//! | the upper one | 0; it takes the borrow of a subtraction |
//! | the others | a count, up to the pool's |
//!
//! A field for n tiles has at most 2n bits, so any pool of up to [`MOST_TILES`] tiles fits into 64 bits, whatever its
//! tiles are. The pools of exact searches have at most 20: two racks and the bag of a pre-endgame.
//!
//! A [`PackedTiles`] holds a count in each field. The tiles of different packings do not mix.

use crate::rules::game_rules::MAX_RACK_SIZE;
use crate::rules::tiles::MAX_LETTERS;
use crate::rules::{Rack, Tile};
use crate::search::phase::MOST_IN_PRE_ENDGAME;
use crate::search::randomness::mix;

/// Bits of packed tiles.
const BITS: usize = u64::BITS as usize;

/// The most tiles that a pool may have.
pub(super) const MOST_TILES: usize = BITS / 2;

const _: () = assert!(2 * MAX_RACK_SIZE + MOST_IN_PRE_ENDGAME <= MOST_TILES, "the largest pool of an exact search");

/// A packed multiset of the pool's tiles.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(transparent)]
pub(super) struct PackedTiles(u64);

impl PackedTiles {
    pub const EMPTY: PackedTiles = PackedTiles(0);

    /// Returns these tiles without `tiles`, which must be among them.
    #[inline]
    pub fn without(self, tiles: PackedTiles) -> PackedTiles {
        PackedTiles(self.0 - tiles.0)
    }

    /// Returns these tiles and `tiles`.
    #[inline]
    pub fn with(self, tiles: PackedTiles) -> PackedTiles {
        PackedTiles(self.0 + tiles.0)
    }

    /// A hash.
    #[inline]
    pub fn hash(self) -> u64 {
        mix(self.0)
    }
}

/// Packed tiles, prepared to test whether other tiles are among them.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeldTiles {
    /// The tiles, with the top bit of each field.
    raised: u64,
    tops: u64,
}

impl HeldTiles {
    /// Whether all of these tiles are among the held ones.
    #[inline]
    pub fn have(self, tiles: PackedTiles) -> bool {
        // A field with too few tiles borrows from its top bit.
        (self.raised - tiles.0) & self.tops == self.tops
    }
}

/// The field with the count of one kind of tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct PackedField {
    tile: Tile,
    shift: u32,
    /// The bits of its count, from bit 0 on.
    mask: u64,
}

impl PackedField {
    /// How many tiles of the kind there are.
    #[inline]
    pub fn count(self, tiles: PackedTiles) -> usize {
        (tiles.0 >> self.shift & self.mask) as usize
    }
}

/// Numbers the parts of a multiset from 0 on, with their counts as digits.
#[derive(Clone, Copy, Debug)]
pub(super) struct PartNumbers {
    /// How many parts there are, including the empty one and the whole.
    pub parts: usize,
    used: usize,
    digits: [PartDigit; MAX_RACK_SIZE],
}

/// A field as a digit of a part's number.
#[derive(Clone, Copy, Debug, Default)]
struct PartDigit {
    /// Where the field begins.
    shift: u32,
    mask: u64,
    /// The amount that one tile in the field adds to the number.
    stride: u32,
}

impl PartNumbers {
    /// The number of a part.
    #[inline]
    pub fn number(&self, part: PackedTiles) -> usize {
        let digit = |digit: &PartDigit| (part.0 >> digit.shift & digit.mask) as usize * digit.stride as usize;
        self.digits[..self.used].iter().map(digit).sum()
    }
}

/// How the tiles of a pool are packed.
#[derive(Clone, Debug)]
pub(super) struct Packing {
    /// By tile index: where its field begins; [`NO_FIELD`] if the pool has no such tile.
    shifts: [u8; MAX_LETTERS + 1],
    /// In the order of their tiles.
    fields: Vec<PackedField>,
    /// By bit: the number of the field.
    field_at: [u8; BITS],
    /// The top bit of each field.
    tops: u64,
    /// The bits of the blanks' count.
    blanks: u64,
}

/// No field begins here.
const NO_FIELD: u8 = u8::MAX;

/// The bits of a field for up to `count` tiles.
fn width(count: u8) -> usize {
    (u8::BITS - count.leading_zeros()) as usize + 1
}

impl Packing {
    /// Creates a packing for the tiles of this pool.
    ///
    /// # Panics
    /// If the pool has more than [`MOST_TILES`] tiles.
    pub fn new(pool: &Rack) -> Packing {
        assert!(pool.len() <= MOST_TILES, "{} tiles, {MOST_TILES} at most", pool.len());
        let mut packing = Packing { shifts: [NO_FIELD; MAX_LETTERS + 1], fields: Vec::new(), field_at: [0; BITS], tops: 0, blanks: 0 };
        let mut shift = 0;
        for (tile, count) in pool.distinct() {
            let end = shift + width(count);
            let field = PackedField { tile, shift: shift as u32, mask: (1 << (width(count) - 1)) - 1 };
            packing.shifts[tile.index()] = shift as u8;
            packing.field_at[shift..end].fill(packing.fields.len() as u8);
            packing.tops |= 1 << (end - 1);
            if tile.is_blank() {
                packing.blanks = field.mask << shift;
            }
            packing.fields.push(field);
            shift = end;
        }
        packing
    }

    /// The fields, by number.
    pub fn fields(&self) -> &[PackedField] {
        &self.fields
    }

    /// The rack of these tiles.
    pub fn unpack(&self, tiles: PackedTiles) -> Rack {
        let mut rack = Rack::EMPTY;
        for field in &self.fields {
            rack.add_many(field.tile, field.count(tiles) as u8);
        }
        rack
    }

    /// Prepares these tiles for tests whether others are among them.
    #[inline]
    pub fn held(&self, tiles: PackedTiles) -> HeldTiles {
        HeldTiles { raised: tiles.0 | self.tops, tops: self.tops }
    }

    /// The numbers of the fields in use, with their counts.
    #[inline]
    pub fn kinds(&self, tiles: PackedTiles) -> impl Iterator<Item = (usize, usize)> {
        let mut rest = tiles.0;
        std::iter::from_fn(move || {
            let number = (rest != 0).then(|| usize::from(self.field_at[rest.trailing_zeros() as usize]))?;
            let field = self.fields[number];
            rest &= !(field.mask << field.shift);
            Some((number, field.count(tiles)))
        })
    }

    /// How many tiles these are.
    pub fn len(&self, tiles: PackedTiles) -> usize {
        self.kinds(tiles).map(|(_, count)| count).sum()
    }

    /// Whether there is a blank among the tiles.
    pub fn has_blank(&self, tiles: PackedTiles) -> bool {
        tiles.0 & self.blanks != 0
    }

    /// The tiles that are not blanks.
    pub fn without_blanks(&self, tiles: PackedTiles) -> PackedTiles {
        PackedTiles(tiles.0 & !self.blanks)
    }

    /// Numbers for the parts of these tiles; `None` if they are of more kinds than a rack has tiles.
    pub fn part_numbers(&self, whole: PackedTiles) -> Option<PartNumbers> {
        let mut numbers = PartNumbers { parts: 1, used: 0, digits: [PartDigit::default(); MAX_RACK_SIZE] };
        for (number, count) in self.kinds(whole) {
            let PackedField { shift, mask, .. } = self.fields[number];
            *numbers.digits.get_mut(numbers.used)? = PartDigit { shift, mask, stride: numbers.parts as u32 };
            numbers.used += 1;
            numbers.parts *= count + 1;
        }
        Some(numbers)
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
        let shift = self.shifts[tile.index()];
        assert!(shift != NO_FIELD, "a tile outside the pool");
        PackedTiles(1 << shift)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::randomness::{Stream, generator, shuffle};
    use rand::RngExt;

    fn rack(counts: &[(usize, u8)]) -> Rack {
        let mut rack = Rack::EMPTY;
        counts.iter().for_each(|&(tile, count)| rack.add_many(Tile::from_index(tile).unwrap(), count));
        rack
    }

    /// Pools with the most kinds, the most of one kind, the most bits, and many at random.
    fn pools() -> Vec<Rack> {
        let mut pools =
            vec![Rack::EMPTY, rack(&[(5, MOST_TILES as u8)]), rack(&[(0, 16), (63, 16)]), rack(&[(5, 16), (1, 1), (2, 1), (9, 2)])];
        pools.push((0..32).map(|kind| Tile::from_index(2 * kind).unwrap()).collect());
        let mut rng = generator(1, Stream::Positions, 0);
        for _ in 0..300 {
            let (kinds, size) = (rng.random_range(1..=63), rng.random_range(1..=32));
            pools.push((0..size).map(|_| Tile::from_index(rng.random_range(0..=kinds)).unwrap()).collect());
        }
        pools
    }

    #[test]
    fn packed_tiles_are_the_same_multisets_whatever_the_pool() {
        let mut rng = generator(2, Stream::Positions, 0);
        for pool in pools() {
            let packing = Packing::new(&pool);
            let mut tiles: Vec<Tile> = pool.tiles().collect();
            let mut part = |tiles: &mut Vec<Tile>| -> Rack {
                shuffle(tiles, &mut rng);
                tiles[..rng.random_range(0..=tiles.len())].iter().copied().collect()
            };
            for _ in 0..20 {
                let (one, other) = (part(&mut tiles), part(&mut tiles));
                let [packed_one, packed_other] = [one, other].map(|rack| packing.pack(&rack));
                assert_eq!((packing.unpack(packed_one), packing.len(packed_one)), (one, one.len()));
                assert_eq!(packing.held(packed_one).have(packed_other), one.contains(&other), "{one:?} {other:?}");
                assert_eq!(packing.has_blank(packed_one), one.count(Tile::BLANK) > 0);
                let plain: Rack = one.tiles().filter(|tile| !tile.is_blank()).collect();
                assert_eq!(packing.unpack(packing.without_blanks(packed_one)), plain);
                if let Ok(rest) = one.minus(&other) {
                    assert_eq!(packing.unpack(packed_one.without(packed_other)), rest);
                }
                let counts: Vec<usize> = packing.fields().iter().map(|field| field.count(packed_one)).filter(|&count| count > 0).collect();
                assert!(packing.kinds(packed_one).map(|(_, count)| count).eq(counts));
            }
        }
    }

    #[test]
    fn parts_have_numbers_without_gaps() {
        let pool = rack(&[(0, 3), (4, 17), (6, 1), (9, 2)]);
        let packing = Packing::new(&pool);
        let whole = rack(&[(0, 1), (4, 4), (9, 2)]);
        let numbers = packing.part_numbers(packing.pack(&whole)).unwrap();
        let mut seen = vec![false; numbers.parts];
        assert_eq!(numbers.parts, 2 * 5 * 3);
        for (blanks, fours, nines) in (0..30).map(|part| (part % 2, part / 2 % 5, part / 10)) {
            let part = rack(&[(0, blanks), (4, fours), (9, nines)]);
            assert!(!std::mem::replace(&mut seen[numbers.number(packing.pack(&part))], true));
        }
        let kinds: Rack = (0..9).map(|kind| Tile::from_index(kind).unwrap()).collect();
        assert!(Packing::new(&kinds).part_numbers(Packing::new(&kinds).pack(&kinds)).is_none());
    }
}
