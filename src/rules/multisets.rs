//! Multisets of tiles as numbers: the combinatorial number system, so that tables of leaves and racks are plain arrays.
//!
//! A multiset `t1 <= t2 <= ... <= tk` of tile indices is the combination `t1, t2 + 1, ..., tk + k - 1`, whose rank among those
//! of its size is the sum of `C(ti + i - 1, i)`. So a rank grows tile by tile, the smallest tile moves it by one, and no graph
//! has to be walked.

/// Tiles in the largest multiset that is ranked.
pub const MAX_SIZE: usize = 8;

/// Ranks of multisets of up to [`MAX_SIZE`] tiles from a number of kinds of tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MultisetRanks {
    kinds: usize,
    /// `steps[position][tile]` = C(tile + position - 1, position), the position counted from 1.
    steps: [Vec<u32>; MAX_SIZE + 1],
}

impl MultisetRanks {
    /// Ranks for tiles 0 to `kinds - 1`.
    pub fn new(kinds: usize) -> MultisetRanks {
        let mut steps: [Vec<u32>; MAX_SIZE + 1] = std::array::from_fn(|_| vec![0; kinds + 1]);
        for tile in 1..=kinds {
            steps[1][tile] = tile as u32;
            for position in 2..=MAX_SIZE {
                // C(t + p - 1, p) = C(t + p - 2, p - 1) + C(t + p - 2, p)
                steps[position][tile] = steps[position - 1][tile].saturating_add(steps[position][tile - 1]);
            }
        }
        MultisetRanks { kinds, steps }
    }

    /// Kinds of tiles.
    pub fn kinds(&self) -> usize {
        self.kinds
    }

    /// How many multisets of this size there are.
    pub fn count(&self, size: usize) -> usize {
        if size == 0 { 1 } else { self.steps[size][self.kinds] as usize }
    }

    /// What the tile at a position (counted from 1, in rising order) adds to the rank.
    #[inline]
    pub fn step(&self, tile: usize, position: usize) -> usize {
        self.steps[position][tile] as usize
    }

    /// What each tile adds to the rank at a position, and behind them the number of multisets of that size.
    #[inline]
    pub fn steps(&self, position: usize) -> &[u32] {
        &self.steps[position]
    }

    /// The rank of tiles in rising order among those of the same number.
    pub fn rank(&self, tiles: impl Iterator<Item = usize>) -> usize {
        tiles.enumerate().map(|(before, tile)| self.step(tile, before + 1)).sum()
    }
}

/// Calls `visit` with every multiset of `size` tiles that `counts` (by tile index) allows, in rising order of tiles.
pub fn for_each(counts: &[u8], size: usize, visit: &mut impl FnMut(&[u8])) {
    let mut tiles = [0; MAX_SIZE];
    assert!(size <= MAX_SIZE, "{size} tiles, {MAX_SIZE} at most");
    extend(counts, &mut tiles, 0, size, visit);
}

fn extend(counts: &[u8], tiles: &mut [u8; MAX_SIZE], filled: usize, size: usize, visit: &mut impl FnMut(&[u8])) {
    if filled == size {
        visit(&tiles[..size]);
        return;
    }
    let least = if filled == 0 { 0 } else { tiles[filled - 1] as usize };
    for tile in least..counts.len() {
        let same = tiles[..filled].iter().rev().take_while(|&&before| before as usize == tile).count();
        if same < counts[tile] as usize {
            tiles[filled] = tile as u8;
            extend(counts, tiles, filled + 1, size, visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn each_multiset_has_its_own_rank_without_gaps() {
        let ranks = MultisetRanks::new(9);
        for size in 0..=MAX_SIZE {
            let mut seen = HashSet::new();
            for_each(&[MAX_SIZE as u8; 9], size, &mut |tiles| {
                assert!(tiles.is_sorted());
                assert!(seen.insert(ranks.rank(tiles.iter().map(|&tile| tile as usize))));
            });
            assert_eq!(seen.len(), ranks.count(size));
            assert_eq!(seen.iter().max(), Some(&(ranks.count(size) - 1)));
        }
    }

    #[test]
    fn english_has_as_many_leaves_and_racks_as_published() {
        let bag = crate::rules::Rack::full_bag(&crate::formats::letter_distribution::english());
        let counts = &bag.counts()[..27];
        let mut found = [0; 8];
        for size in 1..=7 {
            for_each(counts, size, &mut |_| found[size] += 1);
        }
        assert_eq!(found, [0, 27, 373, 3_509, 25_254, 148_150, 737_311, 3_199_724]);
        assert_eq!(MultisetRanks::new(27).count(6), 906_192);
        assert_eq!(MultisetRanks::new(27).count(7), 4_272_048);
    }
}
