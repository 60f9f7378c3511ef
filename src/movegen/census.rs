//! A census of a board: the best score of every multiset of tiles that a pool allows, from one search for all racks at once.
//!
//! Training wants to know what each of three million racks can do on a board. The search walks the word graph from every
//! anchor as `generate.rs` does, but with the whole pool for a rack. Blanks are not tried as letters: of a word found, each
//! choice of up to two letters gives a multiset in which blanks stand for them, and costs what those letters score.
//!
//! Not here: what the tiles that are kept are worth (`training/census.rs`).

use crate::lexicon::word_graph::{NodeIndex, WordGraph};
use crate::movegen::anchors::Anchor;
use crate::movegen::lanes::{self, LaneBoard, LaneSquare};
use crate::rules::multisets::MultisetRanks;
use crate::rules::tiles::MAX_LETTERS;
use crate::rules::{GameRules, Rack};

/// Tiles of the largest multiset.
pub const MAX_PLAYED: usize = 7;

/// Blanks that a play may use; with more in the pool, plays of more are not looked at.
const MAX_BLANKS: usize = 2;

/// Marks a multiset that cannot be played.
const UNPLAYABLE: i16 = -1;

/// The best score of every multiset of 1 to [`MAX_PLAYED`] tiles. Memory that is used again for one board after the other.
#[derive(Clone, Debug)]
pub struct Census {
    ranks: MultisetRanks,
    /// By number of tiles, then by rank; [`UNPLAYABLE`] for those that cannot be played.
    scores: [Vec<i16>; MAX_PLAYED + 1],
}

impl Census {
    /// For alphabets of this many kinds of tiles.
    pub fn new(kinds: usize) -> Census {
        let ranks = MultisetRanks::new(kinds);
        let scores = std::array::from_fn(|size| vec![UNPLAYABLE; if size == 0 { 0 } else { ranks.count(size) }]);
        Census { ranks, scores }
    }

    /// The best score of tiles in rising order, `None` if they cannot be played.
    pub fn score(&self, tiles: &[u8]) -> Option<i32> {
        let rank = self.ranks.rank(tiles.iter().map(|&tile| tile as usize));
        Some(self.scores[tiles.len()][rank] as i32).filter(|&score| score != UNPLAYABLE as i32)
    }

    /// Counts a board: every placement of up to [`MAX_PLAYED`] tiles of the pool. The board must be [`LaneBoard::prepare`]d.
    pub fn count(&mut self, rules: &GameRules, graph: &WordGraph, board: &LaneBoard, pool: &Rack) {
        for scores in &mut self.scores {
            scores.fill(UNPLAYABLE);
        }
        let blanks = (pool.counts()[0] as usize).min(MAX_BLANKS);
        let mut counts = pool.counts().map(|count| count as i8);
        counts[0] = 0;
        let mut counter = Counter { rules, graph, board, census: self, lane: &[], left: counts, blanks, missing: 0, placed: Vec::new() };
        for lane in 0..board.lane_count() {
            counter.lane = board.lane(lane);
            for anchor in &board.anchors(lane).anchors {
                counter.search(anchor);
            }
        }
    }
}

/// A letter placed: what it adds to the main word before the word's factor, and to the cross word.
#[derive(Clone, Copy, Debug, Default)]
struct PlacedLetter {
    letter: u8,
    in_main: i16,
    in_cross: i16,
}

/// Points gathered so far.
#[derive(Clone, Copy)]
struct Points {
    main: i32,
    word_factor: i32,
    cross: i32,
}

struct Counter<'a> {
    rules: &'a GameRules,
    graph: &'a WordGraph,
    board: &'a LaneBoard,
    census: &'a mut Census,
    lane: &'a [LaneSquare],
    /// Letters of the pool not placed yet, by number; negative where the pool does not have that many.
    left: [i8; MAX_LETTERS + 1],
    /// Blanks that may be used.
    blanks: usize,
    /// Letters placed that the pool does not have: blanks must stand for them.
    missing: usize,
    placed: Vec<PlacedLetter>,
}

impl Counter<'_> {
    fn search(&mut self, anchor: &Anchor) {
        let points = Points { main: anchor.run_sum as i32, word_factor: 1, cross: 0 };
        if anchor.is_hook {
            self.place(anchor.list, anchor.first as usize, points, |counter, list, accepts, points| {
                counter.leftward(anchor, list, accepts, 0, points);
            });
        } else {
            self.leftward(anchor, anchor.list, false, 0, points);
        }
    }

    fn place(&mut self, list: NodeIndex, position: usize, points: Points, go_on: impl Fn(&mut Self, NodeIndex, bool, Points)) {
        let square = &self.lane[position];
        if list.is_none() || square.cross_set == 0 {
            return;
        }
        let mut at = list;
        loop {
            let node = self.graph.node(at);
            let letter = node.tile() as usize;
            if square.cross_set >> letter & 1 != 0 && (self.left[letter] > 0 || self.missing < self.blanks) {
                let is_missing = self.left[letter] <= 0;
                let on_square = self.board.tile_values()[letter] as i32 * square.letter_factor as i32;
                let word_factor = square.word_factor as i32;
                let in_cross = if square.has_cross { on_square * word_factor } else { 0 };
                let fixed = if square.has_cross { square.cross_sum as i32 * word_factor } else { 0 };
                self.left[letter] -= 1;
                self.missing += usize::from(is_missing);
                self.placed.push(PlacedLetter { letter: letter as u8, in_main: on_square as i16, in_cross: in_cross as i16 });
                let points = Points {
                    main: points.main + on_square,
                    word_factor: points.word_factor * word_factor,
                    cross: points.cross + in_cross + fixed,
                };
                go_on(self, node.arc(), node.accepts(), points);
                self.placed.pop();
                self.missing -= usize::from(is_missing);
                self.left[letter] += 1;
            }
            if node.is_end() {
                return;
            }
            at = at.next();
        }
    }

    fn leftward(&mut self, anchor: &Anchor, list: NodeIndex, accepts: bool, left: usize, points: Points) {
        let first = anchor.first as usize - left;
        let last = anchor.last as usize;
        if accepts && !self.placed.is_empty() && last > first {
            self.record(points);
        }
        if self.placed.len() == MAX_PLAYED || list.is_none() {
            return;
        }
        if last + 1 < anchor.right_end as usize {
            let switch = self.graph.node(list);
            if switch.tile() == 0 {
                self.rightward(anchor, switch.arc(), last + 1, points);
            }
        }
        if left < anchor.left_room as usize {
            self.place(list, first - 1, points, |counter, list, accepts, points| {
                counter.leftward(anchor, list, accepts, left + 1, points);
            });
        }
    }

    fn rightward(&mut self, anchor: &Anchor, list: NodeIndex, position: usize, points: Points) {
        self.place(list, position, points, |counter, mut list, mut accepts, mut points| {
            let mut next = position + 1;
            while next < counter.lane.len() && counter.lane[next].tile != 0 {
                let Some(node) = counter.graph.find(list, lanes::letter_number(counter.lane[next].tile)) else {
                    return;
                };
                points.main += counter.lane[next].value as i32;
                (list, accepts) = (node.arc(), node.accepts());
                next += 1;
            }
            if accepts {
                counter.record(points);
            }
            if counter.placed.len() < MAX_PLAYED && next < anchor.right_end as usize {
                counter.rightward(anchor, list, next, points);
            }
        });
    }

    /// A word stands: enters it, and what it becomes with blanks in it.
    fn record(&mut self, points: Points) {
        let size = self.placed.len();
        let bonus = if size == self.rules.rack_size { self.rules.bingo_bonus } else { 0 };
        let score = points.main * points.word_factor + points.cross + bonus;
        let mut sorted = [PlacedLetter::default(); MAX_PLAYED];
        for (filled, &placed) in self.placed.iter().enumerate() {
            let mut at = filled;
            while at > 0 && sorted[at - 1].letter > placed.letter {
                sorted[at] = sorted[at - 1];
                at -= 1;
            }
            sorted[at] = placed;
        }
        let sorted = &sorted[..size];
        let ranks = &self.census.ranks;
        // sums[shift][i]: what the first i letters add to a rank that has `shift` blanks before them.
        let mut sums = [[0; MAX_PLAYED + 1]; MAX_BLANKS + 1];
        for (shift, sums) in sums.iter_mut().enumerate().take(self.blanks + 1) {
            for (at, placed) in sorted.iter().enumerate() {
                let position = (at + 1 + shift).min(size);
                sums[at + 1] = sums[at] + ranks.step(placed.letter as usize, position);
            }
        }
        let costs: [i32; MAX_PLAYED] = std::array::from_fn(|at| {
            let placed = sorted.get(at).copied().unwrap_or_default();
            placed.in_main as i32 * points.word_factor + placed.in_cross as i32
        });
        let scores = &mut self.census.scores[size];
        let mut enter = |rank: usize, score: i32| scores[rank] = scores[rank].max(score as i16);
        if self.missing == 0 {
            enter(sums[0][size], score);
        }
        if self.blanks == 0 {
            return;
        }
        let left = &self.left;
        for i in 0..size {
            let is_missing = |letter: u8| left[letter as usize] < 0;
            let before_i = sums[1][i];
            let behind_i = sums[0][size] - sums[0][i + 1];
            if self.missing == 0 || self.missing == 1 && is_missing(sorted[i].letter) {
                enter(before_i + behind_i, score - costs[i]);
            }
            if self.blanks < 2 {
                continue;
            }
            for j in i + 1..size {
                let mut covered = usize::from(is_missing(sorted[i].letter));
                let covers_twice = sorted[i].letter == sorted[j].letter && left[sorted[j].letter as usize] > -2;
                covered += usize::from(is_missing(sorted[j].letter) && !covers_twice);
                if covered < self.missing {
                    continue;
                }
                let rank = sums[2][i] + (sums[1][j] - sums[1][i + 1]) + (sums[0][size] - sums[0][j + 1]);
                enter(rank, score - costs[i] - costs[j]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::english_rules;
    use crate::lexicon::Lexicon;
    use crate::movegen::Lanes;
    use crate::movegen::generate::{self, Scratch, Terms};
    use crate::movegen::rack_values::RackValues;
    use crate::movegen::sinks::AllPlays;
    use crate::rules::multisets;
    use crate::search::randomness::{self, Stream};
    use rand::RngExt;
    use std::collections::HashMap;

    /// The best score of every part of a rack, from the generator.
    fn by_generation(rules: &GameRules, graph: &WordGraph, board: &LaneBoard, rack: &Rack) -> HashMap<Vec<u8>, i32> {
        let values = RackValues::bare(rack, board.tile_values());
        let terms = Terms { bingo_bonus: rules.bingo_bonus, bingo_tiles: rules.rack_size, opening: None };
        let mut sink = AllPlays::default();
        generate::generate(graph, Lanes::all(board), &values, &terms, &mut Scratch::default(), &mut sink);
        let mut best = HashMap::new();
        for play in sink.plays {
            let tiles: Rack = play.placement.placed().map(|(_, tile)| tile.rack_tile()).collect();
            let score = best.entry(tiles.tiles().map(|tile| tile.index() as u8).collect()).or_insert(0);
            *score = play.score.max(*score);
        }
        best
    }

    #[test]
    fn agrees_with_the_generator_on_random_racks() {
        let (rules, lexicon) = (english_rules(), Lexicon::builtin());
        let graph = lexicon.graph();
        let mut census = Census::new(27);
        let mut compared = [0; 8];
        for (index, cgp) in include_str!("../../tests/data/movegen_enable.tsv").lines().skip(1).step_by(60).enumerate() {
            let text = cgp.split('\t').next().unwrap();
            let position = crate::formats::cgp::parse(text, &rules).unwrap().position;
            let mut board = LaneBoard::new(&rules, position.board(), graph);
            board.prepare(graph);
            let mut pool = Rack::full_bag(&rules.distribution);
            for (_, tile) in position.board().tiles() {
                let _ = pool.remove(tile.rack_tile());
            }
            // Every second pool is short of letters that blanks can stand for.
            if index % 2 == 1 {
                let few = pool.distinct().map(|(tile, count)| (tile, if tile.is_blank() { count } else { count.min(1) }));
                pool = few.flat_map(|(tile, count)| std::iter::repeat_n(tile, count as usize)).collect();
            }
            census.count(&rules, graph, &board, &pool);
            let mut rng = randomness::generator(5, Stream::Positions, index as u64);
            for _ in 0..60 {
                let mut unseen: Vec<_> = pool.tiles().collect();
                // Blanks first, every other time, so that they are met often.
                let blanks = if rng.random_range(0..2) == 0 { pool.counts()[0] as usize } else { 0 };
                randomness::shuffle(&mut unseen[blanks..], &mut rng);
                let rack: Rack = unseen[..7].iter().copied().collect();
                let expected = by_generation(&rules, graph, &board, &rack);
                let counts = &rack.counts()[..27];
                for (size, compared) in compared.iter_mut().enumerate().skip(1) {
                    multisets::for_each(counts, size, &mut |tiles| {
                        assert_eq!(census.score(tiles), expected.get(tiles).copied(), "{text} {tiles:?}");
                        *compared += usize::from(expected.contains_key(tiles));
                    });
                }
            }
        }
        assert!(compared[1..].iter().all(|&compared| compared > 20), "{compared:?}");
    }
}
