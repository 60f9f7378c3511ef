//! A rack for the generator, with a value for each possible leave.
//!
//! The tiles are numbered by bits; equal tiles have neighbouring bits, and a kept part always has the lowest of them, so
//! each different part has one mask. During generation the mask of the tiles kept is at hand, and its value is one look-up away.
//!
//! Not here: what the values are (`evaluation/`). Racks above [`MAX_RACK`] tiles have no values: they are for questions
//! like "can any tile be played here".

use crate::movegen::anchors::{self, MAX_RACK};
use crate::rules::tiles::MAX_LETTERS;
use crate::rules::units::Millipoints;
use crate::rules::{Rack, Tile};

/// The value of keeping a number of tiles that the rack does not have.
const NEVER: Millipoints = Millipoints(i32::MIN / 4);

/// A rack with a value for each part of it that may be kept.
#[derive(Clone, Debug)]
pub struct RackValues {
    rack: Rack,
    /// By tile index: the bit of the first copy, as a mask; 0 in a rack without values.
    first_bit: [u16; MAX_LETTERS + 1],
    /// By bit: the bits of all copies of the tile.
    kinds: [u16; MAX_RACK],
    /// The masks of the different parts, the empty one first.
    parts: [u16; 1 << MAX_RACK],
    part_count: usize,
    /// By mask.
    values: [Millipoints; 1 << MAX_RACK],
    /// By number of tiles kept: the best value.
    best_by_count: [Millipoints; MAX_RACK + 1],
    /// Points of the tiles in falling order, then zeros.
    falling_points: [i16; MAX_RACK],
}

impl RackValues {
    /// A rack whose parts are all worth nothing. `points` by tile index.
    pub fn without_values(rack: &Rack, points: &[i16; MAX_LETTERS + 1]) -> RackValues {
        let mut result = RackValues::bare(rack, points);
        if result.has_values() {
            result.fill((), |(), _, _| (), |()| Millipoints::ZERO);
        }
        result
    }

    /// A rack whose values are still to be set, see [`RackValues::set`].
    pub fn bare(rack: &Rack, points: &[i16; MAX_LETTERS + 1]) -> RackValues {
        let mut result = RackValues {
            rack: *rack,
            first_bit: [0; MAX_LETTERS + 1],
            kinds: [0; MAX_RACK],
            parts: [0; 1 << MAX_RACK],
            part_count: 0,
            values: [Millipoints::ZERO; 1 << MAX_RACK],
            best_by_count: [NEVER; MAX_RACK + 1],
            falling_points: [0; MAX_RACK],
        };
        result.reset(rack, points);
        result
    }

    /// Replaces the rack in place. Its values are still to be set.
    pub fn reset(&mut self, rack: &Rack, points: &[i16; MAX_LETTERS + 1]) {
        self.rack = *rack;
        self.best_by_count = [NEVER; MAX_RACK + 1];
        self.falling_points = [0; MAX_RACK];
        self.part_count = 1;
        if rack.len() > MAX_RACK {
            self.values[0] = Millipoints::ZERO;
            self.first_bit = [0; MAX_LETTERS + 1];
            return;
        }
        let mut bit = 0;
        for (tile, count) in rack.distinct() {
            self.first_bit[tile.index()] = 1 << bit;
            self.kinds[bit..bit + usize::from(count)].fill(((1 << count) - 1) << bit);
            let without = self.part_count;
            for _ in 0..count {
                anchors::insert_falling(&mut self.falling_points, points[tile.index()]);
                for at in self.part_count..self.part_count + without {
                    self.parts[at] = self.parts[at - without] | 1 << bit;
                }
                self.part_count += without;
                bit += 1;
            }
        }
    }

    /// The masks of the different parts of the rack, the empty one first. Only for racks with values.
    pub fn parts(&self) -> &[u16] {
        &self.parts[..self.part_count]
    }

    /// Fills `made` with one value for each part, in the order of [`RackValues::parts`]. The empty part gets `nothing`. Every other part
    /// gets what `add` returns for the value of the part without its last tile, that tile, and which copy of it this is (from 1).
    ///
    /// # Panics
    /// If `made` is too short. It never needs more than 2 to the power of the rack's tiles.
    #[inline]
    pub fn grow<T: Copy>(&self, made: &mut [T], nothing: T, add: impl Fn(T, Tile, u8) -> T) {
        made[0] = nothing;
        let mut done = 1;
        for (tile, count) in self.rack.distinct() {
            let without = done;
            for copy in 1..=count {
                for at in done..done + without {
                    made[at] = add(made[at - without], tile, copy);
                }
                done += without;
            }
        }
    }

    /// Sets the value of keeping each part: `value` of what [`RackValues::grow`] makes.
    #[inline]
    pub fn fill<T: Copy>(&mut self, nothing: T, add: impl Fn(T, Tile, u8) -> T, value: impl Fn(T) -> Millipoints) {
        let mut made = [nothing; 1 << MAX_RACK];
        self.grow(&mut made, nothing, add);
        for (at, &made) in made.iter().enumerate().take(self.part_count) {
            self.set(self.parts[at], value(made));
        }
    }

    /// Sets the value of keeping a part.
    #[inline]
    pub fn set(&mut self, mask: u16, value: Millipoints) {
        self.values[mask as usize] = value;
        let count = mask.count_ones() as usize;
        self.best_by_count[count] = self.best_by_count[count].max(value);
    }

    /// Gives every part another value: `value_of` gets its mask, in the order of [`RackValues::parts`], and the value it has.
    pub fn revalue(&mut self, mut value_of: impl FnMut(u16, Millipoints) -> Millipoints) {
        self.best_by_count = [Millipoints::MIN; MAX_RACK + 1];
        for at in 0..self.part_count {
            let mask = self.parts[at];
            let value = value_of(mask, self.value(mask));
            self.set(mask, value);
        }
    }

    /// Gives every part of more than `size` tiles another value, the smaller ones first: `value_of` gets its mask.
    pub fn revalue_larger(&mut self, size: usize, value_of: impl Fn(&RackValues, u16) -> Millipoints) {
        if self.rack.len() <= size {
            return;
        }
        self.best_by_count[size + 1..].fill(NEVER);
        // A part comes after its own parts.
        for at in 0..self.part_count {
            let mask = self.parts[at];
            if mask.count_ones() as usize > size {
                self.set(mask, value_of(self, mask));
            }
        }
    }

    /// The parts of a part that lack one of its tiles, each with the number of tiles of that kind.
    pub fn parts_of_one_less(&self, mask: u16) -> impl Iterator<Item = (u16, u32)> + '_ {
        let mut rest = mask;
        std::iter::from_fn(move || {
            let first = rest & rest.wrapping_neg();
            // The copies of a tile have neighbouring bits, of which a part has the lowest.
            let kind = self.kinds[first.checked_ilog2()? as usize];
            let of_kind = mask & kind;
            rest &= !kind;
            Some((mask & !(1 << of_kind.ilog2()), of_kind.count_ones()))
        })
    }

    /// The rack.
    pub fn rack(&self) -> &Rack {
        &self.rack
    }

    /// Whether the parts have values.
    pub fn has_values(&self) -> bool {
        self.rack.len() <= MAX_RACK
    }

    /// The mask of the whole rack; 0 for a rack without values.
    pub fn whole(&self) -> u16 {
        if self.has_values() { ((1u32 << self.rack.len()) - 1) as u16 } else { 0 }
    }

    /// The bit of the `copy`-th (1-based) tile of this kind; 0 for a rack without values.
    #[inline]
    pub fn bit(&self, tile_index: usize, copy: u8) -> u16 {
        // A rack without values may have more of a kind than there are bits.
        self.first_bit[tile_index].wrapping_shl(u32::from(copy) - 1)
    }

    /// The value of keeping this part.
    #[inline]
    pub fn value(&self, mask: u16) -> Millipoints {
        self.values[mask as usize]
    }

    /// The best value of keeping exactly this many tiles.
    #[inline]
    pub fn best_keeping(&self, count: usize) -> Millipoints {
        self.best_by_count[count]
    }

    /// Points of the tiles in falling order, then zeros.
    #[inline]
    pub fn falling_points(&self) -> &[i16; MAX_RACK] {
        &self.falling_points
    }

    /// The tiles of a part.
    pub fn part(&self, mask: u16) -> Rack {
        let mut part = Rack::EMPTY;
        for (tile, count) in self.rack.distinct() {
            let copies = self.first_bit[tile.index()] * ((1 << count) - 1);
            let kept = (mask & copies).count_ones();
            if kept > 0 {
                part.add_many(tile, kept as u8);
            }
        }
        part
    }
}
