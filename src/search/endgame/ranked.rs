//! Ranked lists of placements, filtered by the tiles of a rack, 64 placements at a time.
//!
//! 64 placements of a list are a *block*. A block has rows of bits, with a bit for each of its placements:
//!
//! | rows | meaning of a placement's bit |
//! |---|---|
//! | one for each tile of the pool | in the row of the n-th tile of a kind: it needs n or more of that kind |
//! | one for each number of tiles | it puts this number of tiles on the board |
//!
//! A rack with fewer than n tiles of a kind cannot make the placements in the row of the n-th tile. So one row is
//! checked for each kind of which the rack lacks tiles. Placements that are in none of these rows are possible.

use crate::rules::Placement;
use crate::search::endgame::packed_tiles::{PackedField, PackedTiles, Packing};
use crate::search::endgame::squares::Squares;

use std::cmp::{Ordering, Reverse};

/// Placements in a block.
const BLOCK: usize = u64::BITS as usize;

/// A placement of a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct RankedPlacement {
    pub tiles: PackedTiles,
    /// The score, plus what the tiles would cost on the rack if the other side went out. With an empty bag, this is the
    /// part of the worth that depends on the placement.
    pub promise: i32,
    pub score: i32,
    /// Points of the tiles.
    pub points: i32,
    pub placement: Placement,
    /// The empty squares that it depends on.
    pub needed: Squares,
}

impl RankedPlacement {
    /// Highest promise first; equal ones in the order of their placements, so that no choice depends on the order of generation.
    pub fn ranking(&self, other: &RankedPlacement) -> Ordering {
        other.promise.cmp(&self.promise).then_with(|| self.placement.cmp(&other.placement))
    }
}

/// A list of placements, in the order of their ranks.
#[derive(Clone, Copy, Debug)]
pub(super) struct RankedList {
    start: u32,
    end: u32,
    first_block: u32,
}

impl RankedList {
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }
}

/// A block of a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct RankedBlock<'a> {
    start: usize,
    end: usize,
    /// The highest promise in it.
    pub most: i32,
    rows: &'a [u64],
}

impl RankedBlock<'_> {
    /// The placements that need none of the lacking tiles, as bits.
    #[inline]
    pub fn possible(&self, lacking: &LackingRows) -> u64 {
        !lacking.0.iter().fold(0, |bits, &row| bits | self.rows[row])
    }

    /// The placements of a row, as bits.
    #[inline]
    pub fn row(&self, row: usize) -> u64 {
        self.rows[row]
    }

    /// The numbers of these placements, in order.
    #[inline]
    pub fn numbers(&self, mut bits: u64) -> impl Iterator<Item = usize> + use<> {
        let RankedBlock { start, end, .. } = *self;
        std::iter::from_fn(move || {
            let at = (bits != 0).then(|| start + bits.trailing_zeros() as usize)?;
            bits &= bits - 1;
            (at < end).then_some(at)
        })
    }
}

/// The rows of the placements for which a rack lacks tiles.
#[derive(Clone, Debug)]
pub(super) struct LackingRows(Vec<usize>);

/// The rows of a kind of tiles.
#[derive(Clone, Copy, Debug)]
struct KindRows {
    field: PackedField,
    first: usize,
    /// As many as there are tiles of the kind in the pool.
    count: usize,
}

/// All lists, with their blocks one after the other.
#[derive(Clone, Debug)]
pub(super) struct RankedLists {
    packing: Packing,
    placements: Vec<RankedPlacement>,
    /// By field of the packing.
    kinds: Vec<KindRows>,
    /// The row of placements with one tile.
    first_by_size: usize,
    /// The number of rows in a block.
    rows: usize,
    /// By block: its highest promise.
    most: Vec<i32>,
    /// By block: its rows.
    bits: Vec<u64>,
}

impl RankedLists {
    /// Creates empty lists for placements of at most `most_tiles` tiles of this pool.
    pub fn new(packing: &Packing, pool: PackedTiles, most_tiles: usize) -> RankedLists {
        let (mut kinds, mut rows) = (Vec::new(), 0);
        for &field in packing.fields() {
            let count = field.count(pool);
            kinds.push(KindRows { field, first: rows, count });
            rows += count;
        }
        RankedLists {
            packing: packing.clone(),
            placements: Vec::new(),
            kinds,
            first_by_size: rows,
            rows: rows + most_tiles,
            most: Vec::new(),
            bits: Vec::new(),
        }
    }

    /// Placements in all lists.
    pub fn len(&self) -> usize {
        self.placements.len()
    }

    /// Forgets all lists.
    pub fn clear(&mut self) {
        self.placements.clear();
        self.most.clear();
        self.bits.clear();
    }

    /// Makes a list of these placements.
    pub fn add(&mut self, new: &[RankedPlacement]) -> RankedList {
        let (start, first_block) = (self.len() as u32, self.most.len() as u32);
        // Placements are large, so their numbers are sorted instead.
        let mut order: Vec<(Reverse<i32>, u32)> = (0..).zip(new).map(|(at, placement)| (Reverse(placement.promise), at)).collect();
        order.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| new[a.1 as usize].ranking(&new[b.1 as usize])));
        for block in order.chunks(BLOCK) {
            self.most.push(block[0].0.0);
            let first = self.bits.len();
            self.bits.resize(first + self.rows, 0);
            let rows = &mut self.bits[first..];
            for (at, &(_, number)) in block.iter().enumerate() {
                let placement = new[number as usize];
                for (kind, count) in self.packing.kinds(placement.tiles) {
                    let row = self.kinds[kind].first;
                    rows[row..row + count].iter_mut().for_each(|row| *row |= 1 << at);
                }
                rows[self.first_by_size + self.packing.len(placement.tiles) - 1] |= 1 << at;
                self.placements.push(placement);
            }
        }
        RankedList { start, end: self.len() as u32, first_block }
    }

    /// The blocks of a list, in order.
    #[inline]
    pub fn blocks(&self, list: &RankedList) -> impl Iterator<Item = RankedBlock<'_>> {
        let first = list.first_block as usize;
        let starts = (list.start as usize..list.end as usize).step_by(BLOCK);
        let rows = self.bits[first * self.rows..].chunks_exact(self.rows);
        let end = list.end as usize;
        starts.zip(&self.most[first..]).zip(rows).map(move |((start, &most), rows)| RankedBlock { start, end, most, rows })
    }

    /// The highest promise of a list that is not empty.
    pub fn most(&self, list: &RankedList) -> i32 {
        self.most[list.first_block as usize]
    }

    /// Returns the rows of the tiles that a rack lacks.
    pub fn lacking(&self, rack: PackedTiles) -> LackingRows {
        let kinds = self.kinds.iter();
        let lacking = kinds.map(|rows| (rows.field.count(rack), rows)).filter(|(count, rows)| *count < rows.count);
        LackingRows(lacking.map(|(count, rows)| rows.first + count).collect())
    }

    /// The row of placements of `size` tiles, at least one; `None` if there are none.
    pub fn row_of_size(&self, size: usize) -> Option<usize> {
        Some(self.first_by_size + size - 1).filter(|&row| row < self.rows)
    }

    /// The placement with this number.
    #[inline]
    pub fn placement(&self, number: usize) -> &RankedPlacement {
        &self.placements[number]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Direction, GameRules, Rack, Square, Tile};
    use crate::search::randomness::{self, Stream};
    use rand::RngExt;

    #[test]
    fn blocks_tell_what_a_rack_can_place_as_one_by_one() {
        let rules = GameRules::english();
        let pool: Rack = rules.distribution.parse_tiles("AAAEEIOUSSTTRRNNLQZ?").unwrap().into_iter().collect();
        let packing = Packing::new(&pool);
        let mut tiles: Vec<Tile> = pool.tiles().collect();
        let mut rng = randomness::generator(3, Stream::Positions, 0);
        let mut some_tiles = |most: usize| {
            randomness::shuffle(&mut tiles, &mut rng);
            let size = rng.random_range(1..=most);
            (packing.pack(&tiles[..size].iter().copied().collect()), rng.random_range(0..40))
        };
        let mut ranked = RankedLists::new(&packing, packing.pack(&pool), 7);
        let lists: Vec<(RankedList, Vec<RankedPlacement>)> = [0, 1, 63, 64, 65, 500]
            .into_iter()
            .map(|count| {
                let placement = |at: usize| {
                    let (tiles, promise) = some_tiles(7);
                    let placement = Placement::from_bits(Square::at(at % 15, 3), Direction::Across, &[(at / 20) as u8 + 1, 2]);
                    RankedPlacement { tiles, promise, score: 0, points: 0, placement, needed: Squares::NONE }
                };
                let placements: Vec<RankedPlacement> = (0..count).map(placement).collect();
                (ranked.add(&placements), placements)
            })
            .collect();
        let (mut found, mut sizes) = (0, 0);
        for _ in 0..200 {
            let (rack, _) = some_tiles(9);
            let lacking = ranked.lacking(rack);
            for (list, placements) in &lists {
                let mut expected: Vec<&RankedPlacement> =
                    placements.iter().filter(|placement| packing.held(rack).have(placement.tiles)).collect();
                expected.sort_by(|a, b| a.ranking(b));
                let expected: Vec<Placement> = expected.into_iter().map(|placement| placement.placement).collect();
                let possible = ranked.blocks(list).flat_map(|block| block.numbers(block.possible(&lacking)));
                assert_eq!(possible.map(|number| ranked.placement(number).placement).collect::<Vec<_>>(), expected);
                found += expected.len();
                let size = packing.len(rack);
                if let Some(row) = ranked.row_of_size(size) {
                    let of_size: Vec<usize> = ranked.blocks(list).flat_map(|block| block.numbers(block.row(row))).collect();
                    assert_eq!(of_size.len(), placements.iter().filter(|placement| packing.len(placement.tiles) == size).count());
                    assert!(of_size.iter().all(|&number| packing.len(ranked.placement(number).tiles) == size));
                    sizes += of_size.len();
                }
                assert!(
                    ranked
                        .blocks(list)
                        .all(|block| block.numbers(!0).next().is_some_and(|first| ranked.placement(first).promise == block.most))
                );
                assert_eq!(list.is_empty(), placements.is_empty());
            }
        }
        assert!(found > 1_000 && sizes > 1_000, "{found} {sizes}");
        ranked.clear();
        assert_eq!(ranked.len(), 0);
    }
}
