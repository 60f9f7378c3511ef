//! Numbers multisets of tiles, so that tables of leaves and racks are plain arrays.
//! The numbering is the combinatorial number system.
//!
//! A multiset `t1 <= t2 <= ... <= tk` of tile indices is the combination `t1, t2 + 1, ..., tk + k - 1`, whose rank among those
//! of its size is the sum of `C(ti + i - 1, i)`. So a rank is a sum over the tiles, and finding it takes one look-up per tile.
//!
//! Not here: the tables (`evaluation/leave_table.rs`, `evaluation/rack_means.rs`). Start with [`MultisetRanks::rank`].

use crate::rules::tiles::MAX_LETTERS;

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

    /// What each tile adds to the rank at a position, followed by the number of multisets of that
    /// size.
    #[inline]
    pub fn steps(&self, position: usize) -> &[u32] {
        &self.steps[position]
    }

    /// The rank of tiles, given in rising order, among the multisets of the same size.
    pub fn rank(&self, tiles: impl Iterator<Item = usize>) -> usize {
        tiles.enumerate().map(|(before, tile)| self.step(tile, before + 1)).sum()
    }
}

/// The rank of some given tiles together with others that are still to be chosen, as a sum over the chosen tiles.
///
/// Choosing a tile changes the rank in two ways: by its own step, and by moving each larger given tile one position up. Both depend only
/// on the chosen tile and its place among the chosen ones. So for the chosen tiles `k1 <= ... <= km`, the rank of all is
/// [`JointRanks::base`] plus, for each `kj`, its entry in [`JointRanks::moves`] of place `j`.
#[derive(Clone, Debug)]
pub struct JointRanks {
    base: i32,
    moves: [[i32; MAX_LETTERS + 1]; MAX_SIZE + 1],
}

impl JointRanks {
    /// The ranks of `given` tiles in rising order with `chosen` more.
    pub fn new(ranks: &MultisetRanks, given: &[u8], chosen: usize) -> JointRanks {
        // moved[j]: what the given tiles up to `tile` add to the rank when j chosen tiles come before them.
        let mut moved = [0; MAX_SIZE + 1];
        let mut moves = [[0; MAX_LETTERS + 1]; MAX_SIZE + 1];
        let mut before = 0;
        for tile in 0..ranks.kinds() {
            while before < given.len() && given[before] as usize == tile {
                for (shift, moved) in moved.iter_mut().enumerate().take(chosen + 1) {
                    *moved += ranks.step(tile, before + 1 + shift) as i32;
                }
                before += 1;
            }
            // If `tile` is chosen at `place`: its own step, and one chosen tile fewer before the given tiles that are no larger.
            for (place, moves) in moves.iter_mut().enumerate().take(chosen + 1).skip(1) {
                moves[tile] = ranks.step(tile, before + place) as i32 + moved[place - 1] - moved[place];
            }
        }
        JointRanks { base: moved[chosen], moves }
    }

    /// What the given tiles add to the rank if all chosen tiles come before them.
    #[inline]
    pub fn base(&self) -> i32 {
        self.base
    }

    /// By tile: what it adds to the rank as the chosen tile at this place, counted from 1 in rising order.
    #[inline]
    pub fn moves(&self, place: usize) -> &[i32; MAX_LETTERS + 1] {
        &self.moves[place]
    }
}

/// Calls `visit` with every multiset of `size` tiles that `counts` (by tile index) allows, in rising order of tiles.
pub fn for_each(counts: &[u8], size: usize, visit: &mut impl FnMut(&[u8])) {
    let mut tiles = [0; MAX_SIZE];
    assert!(size <= MAX_SIZE, "a multiset has at most {MAX_SIZE} tiles, not {size}");
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
    use crate::rules::LetterDistribution;
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
    fn joint_ranks_are_the_ranks_of_all_tiles() {
        let ranks = MultisetRanks::new(5);
        for given in [&[][..], &[2], &[0, 2, 2], &[1, 3, 4, 4]] {
            for chosen in 0..=MAX_SIZE - given.len() {
                let joint = JointRanks::new(&ranks, given, chosen);
                for_each(&[MAX_SIZE as u8; 5], chosen, &mut |more| {
                    let moves: i32 = more.iter().enumerate().map(|(at, &tile)| joint.moves(at + 1)[tile as usize]).sum();
                    let mut all = [given, more].concat();
                    all.sort_unstable();
                    assert_eq!((joint.base() + moves) as usize, ranks.rank(all.iter().map(|&tile| tile as usize)), "{given:?} {more:?}");
                });
            }
        }
    }

    #[test]
    fn english_has_as_many_leaves_and_racks_as_published() {
        let bag = crate::rules::Rack::full_bag(&LetterDistribution::english());
        let counts = &bag.counts()[..27];
        let found = [1, 2, 3, 4, 5, 6, 7].map(|size| {
            let mut found = 0;
            for_each(counts, size, &mut |_| found += 1);
            found
        });
        assert_eq!(found, [27, 373, 3_509, 25_254, 148_150, 737_311, 3_199_724]);
        assert_eq!(MultisetRanks::new(27).count(6), 906_192);
        assert_eq!(MultisetRanks::new(27).count(7), 4_272_048);
    }
}
