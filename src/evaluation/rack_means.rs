//! Dynamic leaves: leave values for the unseen tiles of a position, from the means of full racks.
//!
//! Let E(R) be the mean equity of the best play with a full rack R, minus the mean of all racks,
//! and B the tiles unseen. A leave L is worth the mean of E(L + D) over all draws D from B that
//! complete it, minus the mean of E over all full racks drawn from B. So a Q is worth less when no
//! U is left. Source: the dynamic leaves of \[wolges\].
//!
//! Not here: where E comes from (`training/leaves.rs`), its file (`formats/leave_table.rs`). Start with [`RackMeans::value`].

use crate::evaluation::leave_table::MAX_LEAVE;
use crate::movegen::RackValues;
use crate::rules::multisets::{self, JointRanks, MultisetRanks};
use crate::rules::units::Millipoints;
use crate::rules::{Rack, Tile};

/// Tiles of a full rack.
pub const RACK: usize = MAX_LEAVE + 1;

/// Leaves of fewer tiles keep their static values: they have too many draws to go through on every turn, and would gain
/// the least.
const SMALLEST: usize = 2;

/// Millipoints in the unit of the means.
const UNIT: f64 = 10.0;

/// E(R) of every rack of [`RACK`] tiles. 8.5 MB for English.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RackMeans {
    ranks: MultisetRanks,
    /// Hundredths of a point, by rank.
    means: Vec<i16>,
}

impl RackMeans {
    /// Memory, bytes.
    pub fn size(&self) -> usize {
        size_of_val(&self.means[..])
    }

    /// Creates the table from means in hundredths of a point by rank; `None` unless there is exactly one for each rack.
    pub fn new(kinds: usize, means: Vec<i16>) -> Option<RackMeans> {
        let ranks = MultisetRanks::new(kinds);
        (ranks.count(RACK) == means.len()).then_some(RackMeans { ranks, means })
    }

    /// Whether racks that cannot be drawn from these tiles have means. If so, the means were made for other letters, or
    /// another order of them.
    pub fn has_impossible_racks(&self, counts: &[u8]) -> bool {
        let mut possible = 0;
        multisets::for_each(counts, RACK, &mut |tiles| {
            let rank = self.ranks.rank(tiles.iter().map(|&tile| usize::from(tile)));
            possible += usize::from(self.means[rank] != 0);
        });
        self.means.iter().filter(|&&mean| mean != 0).count() > possible
    }

    /// Kinds of tiles.
    pub fn kinds(&self) -> usize {
        self.ranks.kinds()
    }

    /// Returns the value of a leave with these tiles unseen. The value of a full rack is at most 0; `leaves.rs` gives
    /// the reason. Returns `None` where the static value applies: for leaves of fewer than two tiles or more than a
    /// rack has, and if fewer tiles are unseen than a rack has.
    pub fn value(&self, leave: &Rack, unseen: &Rack) -> Option<Millipoints> {
        let is_valued = (SMALLEST..=RACK).contains(&leave.len()) && unseen.len() >= RACK;
        is_valued.then(|| self.value_over(self.mean(&Rack::EMPTY, unseen), leave, unseen))
    }

    /// Gives the parts of a rack the values they have with these tiles unseen, where [`RackMeans::value`] has any.
    pub fn revalue(&self, values: &mut RackValues, unseen: &Rack) {
        if unseen.len() < RACK {
            return;
        }
        let none = self.mean(&Rack::EMPTY, unseen);
        let leaves: Vec<(u16, Rack)> = values.parts().iter().map(|&mask| (mask, values.part(mask))).collect();
        let mut leaves = leaves.into_iter();
        values.revalue(|mask, static_value| match leaves.next() {
            Some((of, leave)) if (SMALLEST..=RACK).contains(&leave.len()) => {
                assert_eq!(of, mask, "parts come in the same order");
                self.value_over(none, &leave, unseen)
            }
            _ => static_value,
        });
    }

    /// The value of a leave; `none` is the mean of the racks drawn from the tiles unseen alone.
    fn value_over(&self, none: f64, leave: &Rack, unseen: &Rack) -> Millipoints {
        let value = Millipoints(((self.mean(leave, unseen) - none) * UNIT).round() as i32);
        if leave.len() == RACK { value.min(Millipoints::ZERO) } else { value }
    }

    /// The mean of E over the racks that hold these tiles and others drawn from `unseen`, in hundredths of a point.
    fn mean(&self, held: &Rack, unseen: &Rack) -> f64 {
        if held.len() == RACK {
            return f64::from(self.means[self.ranks.rank(held.tiles().map(Tile::index))]);
        }
        let mut tiles = [0; RACK];
        held.tiles().zip(&mut tiles).for_each(|(tile, slot)| *slot = tile.index() as u8);
        let drawn = RACK - held.len();
        let joint = JointRanks::new(&self.ranks, &tiles[..held.len()], drawn);
        let mut draws = Draws { means: &self.means, joint: &joint, counts: unseen.counts(), sum: 0.0, ways: 0.0 };
        draws.draw(drawn, self.kinds() - 1, 0, joint.base(), 1.0);
        draws.sum / draws.ways
    }
}

/// A sum over all draws that complete a rack.
struct Draws<'a> {
    /// Hundredths of a point, by rank of the rack.
    means: &'a [i16],
    /// The rank of a rack from the tiles drawn.
    joint: &'a JointRanks,
    /// Tiles unseen, by tile index.
    counts: &'a [u8],
    /// The sum of the racks' means, each weighted by the number of ways to draw the rack.
    sum: f64,
    /// Ways to draw any rack.
    ways: f64,
}

impl Draws<'_> {
    /// Draws the tile at `place` (counted from 1) and then those at the places below. No tile is larger than `largest`, of which `taken`
    /// are drawn already. `rank` is the rank of the tiles drawn so far, `ways` the number of ways to draw them.
    fn draw(&mut self, place: usize, largest: usize, taken: u8, rank: i32, ways: f64) {
        let moves = self.joint.moves(place);
        let of_tile = |tile: usize, taken: u8| {
            // C(n, k + 1) = C(n, k) (n - k) / (k + 1)
            f64::from(self.counts[tile].saturating_sub(taken)) / f64::from(taken + 1)
        };
        // PERF: the last tile is a plain loop, in which most of the time is spent.
        if place == 1 {
            let last = ways * of_tile(largest, taken);
            let (mut sum, mut all) = (f64::from(self.means[(rank + moves[largest]) as usize]) * last, last);
            for (&count, &step) in self.counts[..largest].iter().zip(moves) {
                let more = ways * f64::from(count);
                sum += f64::from(self.means[(rank + step) as usize]) * more;
                all += more;
            }
            self.sum += sum;
            self.ways += all;
            return;
        }
        for tile in (0..=largest).rev() {
            let taken = if tile == largest { taken } else { 0 };
            let more = ways * of_tile(tile, taken);
            if more > 0.0 {
                self.draw(place - 1, tile, taken + 1, rank + moves[tile], more);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::letter_distribution;
    use crate::rules::LetterDistribution;

    fn alphabet() -> LetterDistribution {
        letter_distribution::parse("t", "?,?,1,0,0\nA,a,5,1,1\nB,b,4,3,0\nC,c,3,1,0\n").unwrap()
    }

    #[test]
    fn means_for_other_tiles_are_noticed() {
        let ranks = MultisetRanks::new(3);
        let mut means = vec![0; ranks.count(RACK)];
        means[ranks.rank([0, 1, 1, 1, 1, 1, 2].into_iter())] = 80;
        let table = RackMeans::new(3, means).unwrap();
        assert_eq!([[1, 5, 4], [1, 4, 5], [0, 5, 4]].map(|counts| table.has_impossible_racks(&counts)), [false, true, true]);
    }

    #[test]
    fn leaves_are_worth_the_mean_over_all_draws() {
        let alphabet = alphabet();
        let rack = |text: &str| -> Rack { alphabet.parse_tiles(text).unwrap().into_iter().collect() };
        let ranks = MultisetRanks::new(4);
        let means: Vec<i16> = (0..ranks.count(RACK)).map(|rank| (rank * 7919 % 2003) as i16 - 1000).collect();
        let table = RackMeans::new(4, means.clone()).unwrap();
        let (held, unseen) = (rack("?AABBCC"), rack("AAABBCAB"));
        let of = |rack: &Rack| f64::from(means[ranks.rank(rack.tiles().map(Tile::index))]);
        // Each draw by the places of its tiles.
        let tiles: Vec<Tile> = unseen.tiles().collect();
        let by_hand = |leave: &Rack| {
            let draws = (0u32..1 << tiles.len()).filter(|draw| draw.count_ones() as usize + leave.len() == RACK);
            let racks: Vec<f64> = draws
                .map(|draw| {
                    let drawn: Rack = tiles.iter().enumerate().filter(|&(at, _)| draw >> at & 1 != 0).map(|(_, &tile)| tile).collect();
                    of(&leave.plus(&drawn))
                })
                .collect();
            racks.iter().sum::<f64>() / racks.len() as f64
        };
        let mut values = RackValues::bare(&held, &[1; 64]);
        values.fill((), |(), _, _| (), |()| Millipoints(77));
        table.revalue(&mut values, &unseen);
        let mut compared = 0;
        for &mask in values.parts() {
            let leave = values.part(mask);
            if leave.len() < SMALLEST {
                assert_eq!(values.value(mask), Millipoints(77));
                continue;
            }
            let expected = (by_hand(&leave) - by_hand(&Rack::EMPTY)) * 10.0;
            let expected = if leave.len() == RACK { expected.min(0.0) } else { expected };
            assert!((f64::from(values.value(mask).0) - expected).abs() <= 0.51, "{mask:b}");
            compared += 1;
        }
        assert!(compared > 30);
    }

    #[test]
    fn too_few_tiles_change_nothing() {
        let alphabet = alphabet();
        let rack = |text: &str| -> Rack { alphabet.parse_tiles(text).unwrap().into_iter().collect() };
        let table = RackMeans::new(4, vec![500; MultisetRanks::new(4).count(RACK)]).unwrap();
        let mut values = RackValues::bare(&rack("?AABBCC"), &[1; 64]);
        values.fill((), |(), _, _| (), |()| Millipoints(77));
        table.revalue(&mut values, &rack("AABBC"));
        assert!(values.parts().iter().all(|&mask| values.value(mask) == Millipoints(77)));
        assert_eq!(table.value(&rack("AB"), &rack("AABBC")), None);
        assert_eq!(table.value(&rack("A"), &rack("AAABBCAB")), None);
        assert_eq!(table.value(&rack("AB"), &rack("AAABBCAB")), Some(Millipoints::ZERO), "all racks are equal");
        assert_eq!(RackMeans::new(4, vec![0; 3]), None);
    }
}
