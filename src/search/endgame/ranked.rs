//! Placements by lane, in the order of what they promise, and which of them a rack has the tiles for: 64 at a time.
//!
//! 64 placements of a list are a *block*, with rows of bits, one for each of them. Each tile of the pool has a row: that of the n-th tile of
//! a kind says who asks for n or more of that kind. A rack that has fewer cannot make those placements, so one row for each
//! kind of which a rack does not have all tells who is left. Behind them come rows by the number of tiles.

use crate::rules::Placement;
use crate::search::endgame::squares::Squares;
use crate::search::endgame::state::Tiles;
use std::cmp::{Ordering, Reverse};
use std::ops::Index;

/// Placements in a block.
const BLOCK: usize = u64::BITS as usize;

/// A placement that was generated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub tiles: Tiles,
    /// Score, and what going out would cost of the points of the tiles: what it is worth with an empty bag, as far as that depends on it.
    pub promise: i16,
    pub score: i16,
    /// Points of the tiles.
    pub points: i16,
    pub placement: Placement,
    /// What it depends on.
    pub needed: Squares,
}

impl Entry {
    /// Highest promise first; equal ones in the order of their placements, so that no choice depends on the order of generation.
    pub fn ranking(&self, other: &Entry) -> Ordering {
        other.promise.cmp(&self.promise).then_with(|| self.placement.cmp(&other.placement))
    }
}

/// Entries that stand together, in the order of their ranks.
#[derive(Clone, Copy, Debug)]
pub(super) struct List {
    start: u32,
    end: u32,
    first_block: u32,
}

impl List {
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }
}

/// Part of a list, with what is known of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<'a> {
    start: usize,
    end: usize,
    /// The highest promise in it.
    pub most: i16,
    rows: &'a [u64],
}

impl Block<'_> {
    /// The entries that ask for none of what is lacking, as bits.
    #[inline]
    pub fn possible(&self, lacking: &Lacking) -> u64 {
        !lacking.0.iter().fold(0, |bits, &row| bits | self.rows[row])
    }

    /// The entries of a row, as bits.
    #[inline]
    pub fn row(&self, row: usize) -> u64 {
        self.rows[row]
    }

    /// The numbers of these entries, in order.
    #[inline]
    pub fn entries(&self, mut bits: u64) -> impl Iterator<Item = usize> + use<> {
        let Block { start, end, .. } = *self;
        std::iter::from_fn(move || {
            let at = (bits != 0).then(|| start + bits.trailing_zeros() as usize)?;
            bits &= bits - 1;
            (at < end).then_some(at)
        })
    }
}

/// The rows of the entries for which a rack lacks tiles.
#[derive(Clone, Debug)]
pub(super) struct Lacking(Vec<usize>);

/// See the module's text.
#[derive(Clone, Debug)]
pub(super) struct Ranked {
    entries: Vec<Entry>,
    /// By kind in the pool: its first row, and how many there are.
    kinds: Vec<(usize, usize)>,
    /// The row of entries with one tile.
    first_by_size: usize,
    /// Rows of a block.
    rows: usize,
    /// By block: its highest promise.
    most: Vec<i16>,
    /// By block: its rows.
    bits: Vec<u64>,
}

impl Ranked {
    /// For entries with tiles of this pool, so many of them at most.
    pub fn new(pool: Tiles, most_tiles: usize) -> Ranked {
        let (mut kinds, mut rows) = (Vec::new(), 0);
        for (kind, count) in pool.kinds() {
            kinds.resize(kind + 1, (0, 0));
            kinds[kind] = (rows, count);
            rows += count;
        }
        Ranked { entries: Vec::new(), kinds, first_by_size: rows, rows: rows + most_tiles, most: Vec::new(), bits: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn clear(&mut self) {
        self.entries.clear();
        self.most.clear();
        self.bits.clear();
    }

    /// Makes a list of these entries.
    pub fn add(&mut self, new: &[Entry]) -> List {
        let (start, first_block) = (self.len() as u32, self.most.len() as u32);
        // Entries are large: their numbers are sorted.
        let mut order: Vec<(Reverse<i16>, u32)> = (0..).zip(new).map(|(at, entry)| (Reverse(entry.promise), at)).collect();
        order.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| new[a.1 as usize].ranking(&new[b.1 as usize])));
        for block in order.chunks(BLOCK) {
            self.most.push(block[0].0.0);
            let first = self.bits.len();
            self.bits.resize(first + self.rows, 0);
            let rows = &mut self.bits[first..];
            for (at, &(_, number)) in block.iter().enumerate() {
                let entry = new[number as usize];
                for (kind, count) in entry.tiles.kinds() {
                    let row = self.kinds[kind].0;
                    rows[row..row + count].iter_mut().for_each(|row| *row |= 1 << at);
                }
                rows[self.first_by_size + entry.tiles.len() - 1] |= 1 << at;
                self.entries.push(entry);
            }
        }
        List { start, end: self.len() as u32, first_block }
    }

    /// The blocks of a list, in order.
    #[inline]
    pub fn blocks(&self, list: &List) -> impl Iterator<Item = Block<'_>> {
        let first = list.first_block as usize;
        let starts = (list.start as usize..list.end as usize).step_by(BLOCK);
        let rows = self.bits[first * self.rows..].chunks_exact(self.rows);
        let end = list.end as usize;
        starts.zip(&self.most[first..]).zip(rows).map(move |((start, &most), rows)| Block { start, end, most, rows })
    }

    /// The highest promise of a list that is not empty.
    pub fn most(&self, list: &List) -> i16 {
        self.most[list.first_block as usize]
    }

    /// What a rack of tiles of the pool lacks.
    pub fn lacking(&self, rack: Tiles) -> Lacking {
        let kinds = self.kinds.iter().enumerate();
        let rows = kinds.filter(|&(kind, &(_, count))| rack.count(kind) < count).map(|(kind, &(first, _))| first + rack.count(kind));
        Lacking(rows.collect())
    }

    /// The row of entries with so many tiles, at least one; `None` if there are none.
    pub fn row_of_size(&self, size: usize) -> Option<usize> {
        Some(self.first_by_size + size - 1).filter(|&row| row < self.rows)
    }
}

impl Index<usize> for Ranked {
    type Output = Entry;

    #[inline]
    fn index(&self, number: usize) -> &Entry {
        &self.entries[number]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::english_rules;
    use crate::rules::{Direction, Rack, Square, Tile};
    use crate::search::endgame::state::Packing;
    use crate::search::randomness::{self, Stream};
    use rand::RngExt;

    #[test]
    fn blocks_tell_what_a_rack_can_place_as_one_by_one() {
        let rules = english_rules();
        let pool: Rack = rules.distribution.parse_tiles("AAAEEIOUSSTTRRNNLQZ?").unwrap().into_iter().collect();
        let packing = Packing::new(&pool);
        let mut tiles: Vec<Tile> = pool.tiles().collect();
        let mut rng = randomness::generator(3, Stream::Positions, 0);
        let mut some_tiles = |most: usize| {
            randomness::shuffle(&mut tiles, &mut rng);
            let size = rng.random_range(1..=most);
            (packing.pack(&tiles[..size].iter().copied().collect()), rng.random_range(0..40))
        };
        let mut ranked = Ranked::new(packing.pack(&pool), 7);
        let lists: Vec<(List, Vec<Entry>)> = [0, 1, 63, 64, 65, 500]
            .into_iter()
            .map(|count| {
                let entry = |at: usize| {
                    let (tiles, promise) = some_tiles(7);
                    let placement = Placement::from_bits(Square::new(at % 15, 3), Direction::Across, &[(at / 20) as u8 + 1, 2]);
                    Entry { tiles, promise, score: 0, points: 0, placement, needed: Squares::NONE }
                };
                let entries: Vec<Entry> = (0..count).map(entry).collect();
                (ranked.add(&entries), entries)
            })
            .collect();
        let (mut found, mut sizes) = (0, 0);
        for _ in 0..200 {
            let (rack, _) = some_tiles(9);
            let lacking = ranked.lacking(rack);
            for (list, entries) in &lists {
                let mut expected: Vec<&Entry> = entries.iter().filter(|entry| entry.tiles.fit(rack)).collect();
                expected.sort_by(|a, b| a.ranking(b));
                let expected: Vec<Placement> = expected.into_iter().map(|entry| entry.placement).collect();
                let possible = ranked.blocks(list).flat_map(|block| block.entries(block.possible(&lacking)));
                assert_eq!(possible.map(|entry| ranked[entry].placement).collect::<Vec<_>>(), expected);
                found += expected.len();
                if let Some(row) = ranked.row_of_size(rack.len()) {
                    let of_size: Vec<usize> = ranked.blocks(list).flat_map(|block| block.entries(block.row(row))).collect();
                    assert_eq!(of_size.len(), entries.iter().filter(|entry| entry.tiles.len() == rack.len()).count());
                    assert!(of_size.iter().all(|&entry| ranked[entry].tiles.len() == rack.len()));
                    sizes += of_size.len();
                }
                assert!(ranked.blocks(list).all(|block| block.entries(!0).next().is_some_and(|entry| ranked[entry].promise == block.most)));
                assert_eq!(list.is_empty(), entries.is_empty());
            }
        }
        assert!(found > 1_000 && sizes > 1_000, "{found} {sizes}");
        ranked.clear();
        assert_eq!(ranked.len(), 0);
    }
}
