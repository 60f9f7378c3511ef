//! The value of every leave on one board: the mean of the best equities of the full racks into which
//! it can be completed.
//!
//! 1. A census of the board (`movegen/census.rs`) gives the best score of every multiset of tiles that can be played.
//! 2. The equity E(R) of a rack is the maximum of score + value of the tiles kept, over all ways to split it into tiles played and
//!    tiles kept. Exchanging tiles instead of playing them scores 0.
//! 3. The mean E(L) of a leave is over the draws of the missing tiles from the pool without L: drawn one tile at a time,
//!    `E(L) = sum over t of (pool_t - L_t) E(L + t) / (pool - |L|)`. E of the empty leave is the mean over all racks.
//!
//! Every rack that the pool allows is thus examined once, and counts by its probability: no rack is sampled. \[wolges\] makes its leave
//! values by the same kind of census.

use crate::evaluation::leave_table::{LeaveTable, MAX_LEAVE};
use crate::lexicon::word_graph::WordGraph;
use crate::movegen::Lanes;
use crate::movegen::census::Census;
use crate::rules::multisets::{self, JointRanks, MultisetRanks};
use crate::rules::tiles::MAX_LETTERS;
use crate::rules::units::Millipoints;
use crate::rules::{GameRules, Rack};

/// Tiles of the examined racks: one more than the largest leave.
pub const RACK: usize = MAX_LEAVE + 1;

/// The least worth of each rack on any board: the value of its best part, if the rest is exchanged.
#[derive(Debug)]
pub struct ExchangeFloor {
    /// The values of the racks of [`RACK`] tiles, by rank.
    values: Vec<Millipoints>,
}

impl ExchangeFloor {
    /// Returns the floor for these leave values. `counts` are the counts of a full bag.
    pub fn new(leaves: &LeaveTable, counts: &[u8]) -> ExchangeFloor {
        let ranks = leaves.ranks();
        // The best value of any part of a multiset, by size: the value of the whole, or the best value with one tile fewer.
        let mut smaller = vec![Millipoints::ZERO];
        for size in 1..=RACK {
            let mut values = vec![Millipoints::ZERO; ranks.count(size)];
            multisets::for_each(counts, size, &mut |tiles| {
                let rank = ranks.rank(tiles.iter().map(|&tile| tile as usize));
                // A full rack cannot be kept as a whole, since an exchange gives up at least one tile.
                let mut best = if size <= MAX_LEAVE { leaves.of_size(size)[rank] } else { Millipoints::MIN };
                for without in 0..size {
                    let rest = tiles.iter().enumerate().filter(|&(at, _)| at != without).map(|(_, &tile)| tile as usize);
                    best = best.max(smaller[ranks.rank(rest)]);
                }
                values[rank] = best;
            });
            smaller = values;
        }
        ExchangeFloor { values: smaller }
    }
}

/// The values of one board, and the memory for them: about 50 MB for English.
#[derive(Debug)]
pub struct BoardCensus {
    census: Census,
    ranks: MultisetRanks,
    /// `equities[size]`: E by rank. Multisets that the pool does not allow have old entries.
    equities: [Vec<Millipoints>; RACK + 1],
}

impl BoardCensus {
    /// Returns a census for alphabets with this many kinds of tiles, including the blank.
    pub fn new(kinds: usize) -> BoardCensus {
        let ranks = MultisetRanks::new(kinds);
        let equities = std::array::from_fn(|size| vec![Millipoints::ZERO; ranks.count(size)]);
        BoardCensus { census: Census::new(kinds), ranks, equities }
    }

    /// Returns E by rank, for the multisets of `size` tiles (up to [`RACK`]) that the pool of the last [`BoardCensus::take`]
    /// allows. Other entries have no meaning.
    pub fn equities(&self, size: usize) -> &[Millipoints] {
        &self.equities[size]
    }

    /// Takes the census of the board with these lanes. `pool` has the tiles that are not on the board, at least [`RACK`].
    ///
    /// # Panics
    /// If the pool is smaller.
    pub fn take(
        &mut self,
        rules: &GameRules,
        graph: &WordGraph,
        lanes: Lanes<'_>,
        pool: &Rack,
        leaves: &LeaveTable,
        floor: &ExchangeFloor,
    ) {
        assert!(pool.len() >= RACK, "{} tiles make no full rack", pool.len());
        self.census.count(rules, graph, lanes, pool);
        let counts = &pool.counts()[..self.ranks.kinds()];
        // E of full racks begins with an exchange, and rises to the best of all plays. Every multiset that scores is entered into all racks
        // that hold it.
        self.equities[RACK].copy_from_slice(&floor.values);
        for played in 1..=RACK {
            let scorer = Scatter { ranks: &self.ranks, leaves, counts, kept: RACK - played };
            let (census, equities) = (&self.census, &mut self.equities[RACK]);
            multisets::for_each(counts, played, &mut |tiles| {
                if let Some(score) = census.score(tiles) {
                    scorer.enter(tiles, Millipoints::from_points(score), equities);
                }
            });
        }
        // E of leaves is computed from the largest leave down to the empty one, each from E with one more tile.
        for size in (0..RACK).rev() {
            self.average(counts, pool.len(), size);
        }
    }

    /// Computes E of the multisets of `size` tiles: the mean of E with one more tile, over the next tile drawn.
    fn average(&mut self, counts: &[u8], pool: usize, size: usize) {
        let ranks = &self.ranks;
        let (means, larger) = self.equities.split_at_mut(size + 1);
        let (means, larger) = (&mut means[size], &larger[0]);
        multisets::for_each(counts, size, &mut |tiles| {
            // Ranks are sums over places, and `tiles` is sorted. The tile drawn goes after the tiles
            // that are not greater than it. These keep their places, and `before` counts them. The
            // tiles after it move by one place.
            let mut rank = 0;
            // The rank with one more tile, without that tile's own part. At first, all tiles are
            // after it.
            let mut with_more: usize = tiles.iter().enumerate().map(|(at, &tile)| ranks.step(tile as usize, at + 2)).sum();
            let mut sum = 0i64;
            let mut before = 0;
            for (tile, &count) in counts.iter().enumerate() {
                let mut held = 0;
                // The tiles of this kind come before the tile drawn, so they return to their own places.
                while before < size && tiles[before] as usize == tile {
                    with_more = with_more - ranks.step(tile, before + 2) + ranks.step(tile, before + 1);
                    rank += ranks.step(tile, before + 1);
                    before += 1;
                    held += 1;
                }
                // The number of ways to draw it is the number left in the pool.
                if count > held {
                    sum += i64::from(count - held) * i64::from(larger[with_more + ranks.step(tile, before + 1)].0);
                }
            }
            means[rank] = Millipoints(rounded_quotient(sum, (pool - size) as i64));
        });
    }
}

fn rounded_quotient(sum: i64, count: i64) -> i32 {
    (sum + count.signum() * count / 2).div_euclid(count) as i32
}

/// Enters plays of one number of tiles into all racks that hold them.
struct Scatter<'a> {
    ranks: &'a MultisetRanks,
    leaves: &'a LeaveTable,
    counts: &'a [u8],
    kept: usize,
}

impl Scatter<'_> {
    /// Sets `E(played + kept) = max(E, score + value of kept)` for all tiles that may be kept.
    ///
    /// PERF: both ranks are sums over the tiles kept ([`JointRanks`]). The smallest tile varies fastest, since its leaves are adjacent.
    fn enter(&self, played: &[u8], score: Millipoints, equities: &mut [Millipoints]) {
        let kinds = self.counts.len();
        let joint = JointRanks::new(self.ranks, played, self.kept);
        // A play of the whole rack keeps nothing.
        if self.kept == 0 {
            let equity = &mut equities[joint.base() as usize];
            *equity = (*equity).max(score);
            return;
        }
        // The tiles of the pool that can be kept.
        let mut left = [0u8; MAX_LETTERS + 1];
        left[..kinds].copy_from_slice(self.counts);
        for &tile in played {
            left[tile as usize] -= 1;
        }
        let values = self.leaves.of_size(self.kept);
        let mut kept = KeptTiles { ranks: self.ranks, joint: &joint, left: &mut left, values, equities, score };
        kept.keep(self.kept, kinds, joint.base(), 0);
    }
}

/// The choice of the tiles kept, from the greatest to the smallest.
struct KeptTiles<'a> {
    ranks: &'a MultisetRanks,
    joint: &'a JointRanks,
    left: &'a mut [u8; MAX_LETTERS + 1],
    values: &'a [Millipoints],
    equities: &'a mut [Millipoints],
    score: Millipoints,
}

impl KeptTiles<'_> {
    /// Chooses the tile at `place` (1 is the smallest), below `end`, and then the tiles before it. `rank` is the rank of the rack so far,
    /// `value_rank` the rank of the tiles kept.
    fn keep(&mut self, place: usize, end: usize, rank: i32, value_rank: usize) {
        let moves = self.joint.moves(place);
        if place == 1 {
            // For the last tile, all choices are made at once, over adjacent entries.
            let values = &self.values[value_rank..value_rank + end];
            for ((&count, &step), &value) in self.left.iter().zip(moves).zip(values) {
                if count > 0 {
                    let equity = &mut self.equities[(rank + step) as usize];
                    *equity = (*equity).max(self.score + value);
                }
            }
            return;
        }
        for (tile, &step) in moves.iter().enumerate().take(end) {
            if self.left[tile] == 0 {
                continue;
            }
            self.left[tile] -= 1;
            self.keep(place - 1, tile + 1, rank + step, value_rank + self.ranks.step(tile, place));
            self.left[tile] += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::static_eval::StaticTurn;
    use crate::evaluation::{Leaves, StaticEval};
    use crate::match_play::shuffled_bag;
    use crate::movegen::LaneBoard;
    use crate::rules::{Board, Tile};
    use crate::training::tests::{small_lexicon, small_rules};

    /// Returns leave values that depend on everything, so that errors show.
    fn some_values(kinds: usize) -> LeaveTable {
        let mut table = LeaveTable::new(kinds).unwrap();
        for size in 1..=MAX_LEAVE {
            for (rank, value) in table.of_size_mut(size).iter_mut().enumerate() {
                *value = Millipoints((rank as i32 * 7_919 + size as i32 * 104_729) % 30_000 - 10_000);
            }
        }
        table
    }

    #[test]
    fn agrees_with_static_evaluation_of_every_draw() {
        let (rules, lexicon) = (small_rules(), small_lexicon());
        let graph = lexicon.graph();
        let kinds = rules.distribution.letter_count() + 1;
        let table = some_values(kinds);
        let leaves = Leaves::trained("some", table.clone());
        let full = Rack::full_bag(&rules.distribution);
        let floor = ExchangeFloor::new(&table, &full.counts()[..kinds]);
        let mut eval = StaticEval::new(&rules, graph, &leaves);
        let mut census = BoardCensus::new(kinds);
        for seed in 0..4 {
            let mut board = LaneBoard::new(&rules, &Board::empty(15), graph);
            let tiles = shuffled_bag(&rules, seed, 0);
            // Three plays, then a pool of eleven of the other tiles.
            for rack in tiles.chunks(7).take(3) {
                let rack: Rack = rack.iter().copied().collect();
                let turn = StaticTurn::new(&rack, &Rack::EMPTY, 20);
                if let Some(play) = eval.best_placement(&mut board, &turn) {
                    board.play(play.play.placement().unwrap(), graph);
                    board.commit();
                }
            }
            assert!(!board.is_empty());
            let drawn = &tiles[21..32];
            let pool: Rack = drawn.iter().copied().collect();
            census.take(&rules, graph, board.prepare(graph), &pool, &table, &floor);
            let ranks = &table.ranks().clone();
            let rank_of = |rack: &Rack| ranks.rank(rack.tiles().map(Tile::index));
            let mut sums = vec![std::collections::HashMap::<usize, (i64, i64)>::new(); RACK];
            for chosen in (0u32..1 << drawn.len()).filter(|chosen| chosen.count_ones() as usize == RACK) {
                let is_chosen = |at: usize| chosen >> at & 1 != 0;
                let rack: Rack = drawn.iter().enumerate().filter(|&(at, _)| is_chosen(at)).map(|(_, &tile)| tile).collect();
                let turn = StaticTurn::new(&rack, &Rack::EMPTY, 20);
                let equity = eval.best(&mut board, &turn).equity;
                assert_eq!(census.equities(RACK)[rank_of(&rack)], equity, "{rack:?}");
                // Each part of the rack is given by the places of its tiles in the pool, so that every draw counts once.
                for part in (0u32..1 << drawn.len()).filter(|part| part & !chosen == 0 && (part.count_ones() as usize) < RACK) {
                    let leave: Rack = drawn.iter().enumerate().filter(|&(at, _)| part >> at & 1 != 0).map(|(_, &tile)| tile).collect();
                    let sum = sums[leave.len()].entry(rank_of(&leave)).or_default();
                    (sum.0, sum.1) = (sum.0 + i64::from(equity.0), sum.1 + 1);
                }
            }
            for (size, sums) in sums.iter().enumerate() {
                for (&rank, &(sum, draws)) in sums {
                    let (found, expected) = (f64::from(census.equities(size)[rank].0), sum as f64 / draws as f64);
                    // Each of up to seven averages rounds by half a millipoint.
                    assert!((found - expected).abs() <= 4.0, "size {size} rank {rank}: {found}, {expected}");
                }
            }
        }
    }
}
