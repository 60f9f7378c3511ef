//! A census of a board: the best score of every possible multiset of tiles,
//! by one search for all racks.
//!
//! Training needs the best score of each of three million racks on a board. The search walks the word graph from every
//! anchor as `generate.rs` does, but with the whole pool for a rack. Blanks are not tried as letters. Instead, for each word
//! found, each choice of up to two letters gives a multiset in which blanks stand for them, without the points of those letters.
//!
//! Not here: what the tiles that are kept are worth (`training/board_census.rs`).

use crate::lexicon::word_graph::{NodeIndex, Reached, WordGraph};
use crate::movegen::found::WordPoints;
use crate::movegen::gaddag_walk::{self, AnchorWalk, WordPlace};
use crate::movegen::lane_square::LaneSquare;
use crate::movegen::lanes::{LaneBoard, Lanes};
use crate::rules::multisets::MultisetRanks;
use crate::rules::tiles::MAX_LETTERS;
use crate::rules::{GameRules, Rack};

/// Tiles of the largest multiset.
pub const MAX_PLAYED: usize = 7;

/// The most blanks of a play; plays with more are not considered, even if the pool has more.
const MAX_BLANKS: usize = 2;

/// Marks a multiset that cannot be played.
const UNPLAYABLE: i32 = -1;

/// The best score of every multiset of 1 to [`MAX_PLAYED`] tiles. Its memory is reused from board to board.
#[derive(Clone, Debug)]
pub struct Census {
    ranks: MultisetRanks,
    /// By number of tiles, then by rank; [`UNPLAYABLE`] for those that cannot be played.
    scores: [Vec<i32>; MAX_PLAYED + 1],
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
        Some(self.scores[tiles.len()][rank]).filter(|&score| score != UNPLAYABLE)
    }

    /// Counts a board: every placement of up to [`MAX_PLAYED`] tiles of the pool.
    pub fn count(&mut self, rules: &GameRules, graph: &WordGraph, lanes: Lanes<'_>, pool: &Rack) {
        for scores in &mut self.scores {
            scores.fill(UNPLAYABLE);
        }
        let blanks = (pool.counts()[0] as usize).min(MAX_BLANKS);
        let mut left = pool.counts().map(|count| count as i8);
        left[0] = 0;
        let board = lanes.board();
        let mut walk = CensusWalk { rules, graph, board, census: self, lane: &[], left, blanks, missing: 0, placed: Vec::new() };
        for lane in lanes.iter() {
            walk.lane = lane.squares();
            gaddag_walk::walk_lane(&mut walk, lane);
        }
    }
}

/// A letter placed: what it adds to the main word before the word's factor, and to the cross word.
#[derive(Clone, Copy, Debug, Default)]
struct PlacedLetter {
    letter: u8,
    in_main: i32,
    in_cross: i32,
}

/// A walk with all tiles of a pool.
struct CensusWalk<'a> {
    rules: &'a GameRules,
    graph: &'a WordGraph,
    board: &'a LaneBoard,
    census: &'a mut Census,
    lane: &'a [LaneSquare],
    /// Letters of the pool not placed yet, by number; negative where more are placed than the pool has.
    left: [i8; MAX_LETTERS + 1],
    /// Blanks that may be used.
    blanks: usize,
    /// Letters placed that the pool does not have: blanks must stand for them.
    missing: usize,
    placed: Vec<PlacedLetter>,
}

impl<'a> AnchorWalk<'a> for CensusWalk<'a> {
    type Sum = WordPoints;

    fn graph(&self) -> &'a WordGraph {
        self.graph
    }

    fn lane(&self) -> &'a [LaneSquare] {
        self.lane
    }

    /// Tries every letter that the pool has, and others as long as blanks can stand for them.
    fn place_each(&mut self, list: NodeIndex, position: usize, points: WordPoints, mut go_on: impl FnMut(&mut Self, Reached, WordPoints)) {
        let square = &self.lane[position];
        if square.cross_set.is_empty() {
            return;
        }
        for node in self.graph.siblings(list).filter(|node| square.cross_set.has_number(node.tile())) {
            let letter = node.tile() as usize;
            let is_missing = self.left[letter] <= 0;
            if is_missing && self.missing >= self.blanks {
                continue;
            }
            let value = self.board.tile_values()[letter] as i32;
            let on_square = value * square.letter_factor as i32;
            let in_cross = if square.has_cross() { on_square * square.word_factor as i32 } else { 0 };
            self.left[letter] -= 1;
            self.missing += usize::from(is_missing);
            self.placed.push(PlacedLetter { letter: letter as u8, in_main: on_square, in_cross });
            go_on(self, Reached { list: node.arc(), accepts: node.accepts() }, points.with(square, value));
            self.placed.pop();
            self.missing -= usize::from(is_missing);
            self.left[letter] += 1;
        }
    }

    fn with_board_tile(points: WordPoints, square: &LaneSquare) -> WordPoints {
        points.through(square)
    }

    fn take_word(&mut self, place: WordPlace, points: WordPoints) {
        if place.end - place.first >= 2 {
            self.record(points);
        }
    }

    fn may_place(&self) -> bool {
        self.placed.len() < MAX_PLAYED
    }
}

impl CensusWalk<'_> {
    /// Enters a word, and what it becomes with blanks in it.
    fn record(&mut self, points: WordPoints) {
        let size = self.placed.len();
        let bonus = if size == self.rules.rack_size { self.rules.bingo_bonus } else { 0 };
        let score = points.score() + bonus;
        let word = SortedWord::new(&self.placed, points.word_factor, self.blanks, &self.census.ranks);
        let scores = &mut self.census.scores[size];
        let mut enter = |rank: usize, score: i32| scores[rank] = scores[rank].max(score);
        // As it is.
        if is_covered(self.missing, &self.left, []) {
            enter(word.rank([]), score);
        }
        if self.blanks == 0 {
            return;
        }
        for first in 0..size {
            // With one blank.
            let one_blank = score - word.costs[first];
            if is_covered(self.missing, &self.left, [word.letters[first]]) {
                enter(word.rank([first]), one_blank);
            }
            if self.blanks == 1 {
                continue;
            }
            // With two.
            for second in first + 1..size {
                if is_covered(self.missing, &self.left, [word.letters[first], word.letters[second]]) {
                    enter(word.rank([first, second]), one_blank - word.costs[second]);
                }
            }
        }
    }
}

/// Whether blanks for these letters are enough for the `missing` ones. `left` as in [`CensusWalk`].
#[inline]
fn is_covered<const BLANKS: usize>(missing: usize, left: &[i8; MAX_LETTERS + 1], letters: [u8; BLANKS]) -> bool {
    // A blank helps where more of its letter are missing than the blanks before it stand for.
    let helps = |at: usize| {
        let before = letters[..at].iter().filter(|&&other| other == letters[at]).count();
        -i32::from(left[letters[at] as usize]) > before as i32
    };
    (0..BLANKS).filter(|&at| helps(at)).count() >= missing
}

/// The letters placed for a word in rising order, with what is needed to replace some of them by blanks.
///
/// A multiset's rank is a sum over its tiles in rising order: each adds its [step](MultisetRanks::step), which depends on its kind
/// and on its position. Blanks come first and add nothing. So where blanks stand for some letters, every other letter's
/// position is shifted: up by one for each blank, down by one for each letter before it that is replaced.
struct SortedWord {
    size: usize,
    letters: [u8; MAX_PLAYED],
    /// By index: how many points a blank in place of the letter costs.
    costs: [i32; MAX_PLAYED],
    /// By shift and index: what the letters before that index add to a rank when their positions are shifted by that much.
    sums: [[usize; MAX_PLAYED + 1]; MAX_BLANKS + 1],
}

impl SortedWord {
    fn new(placed: &[PlacedLetter], word_factor: i32, blanks: usize, ranks: &MultisetRanks) -> SortedWord {
        let size = placed.len();
        let mut sorted = [PlacedLetter::default(); MAX_PLAYED];
        for (filled, &placed) in placed.iter().enumerate() {
            let mut at = filled;
            while at > 0 && sorted[at - 1].letter > placed.letter {
                sorted[at] = sorted[at - 1];
                at -= 1;
            }
            sorted[at] = placed;
        }
        let mut sums = [[0; MAX_PLAYED + 1]; MAX_BLANKS + 1];
        for (shift, sums) in sums.iter_mut().enumerate().take(blanks + 1) {
            for (at, placed) in sorted[..size].iter().enumerate() {
                // Positions count from 1. Sums that would shift a letter past the end are never used.
                let position = (at + 1 + shift).min(size);
                sums[at + 1] = sums[at] + ranks.step(placed.letter as usize, position);
            }
        }
        let letters = sorted.map(|placed| placed.letter);
        let costs = sorted.map(|placed| placed.in_main * word_factor + placed.in_cross);
        SortedWord { size, letters, costs, sums }
    }

    /// The rank of its multiset with blanks for the letters at these indices, which rise.
    #[inline]
    fn rank<const BLANKS: usize>(&self, blanks: [usize; BLANKS]) -> usize {
        let (mut rank, mut shift, mut from) = (0, BLANKS, 0);
        for at in blanks {
            rank += self.sums[shift][at] - self.sums[shift][from];
            (shift, from) = (shift - 1, at + 1);
        }
        rank + self.sums[0][self.size] - self.sums[0][from]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Lexicon;
    use crate::movegen::found::Terms;
    use crate::movegen::generate::{self, GenerateScratch};
    use crate::movegen::rack_values::RackValues;
    use crate::movegen::sinks::AllPlays;
    use crate::rules::GameRules;
    use crate::rules::multisets;
    use crate::search::randomness::{self, Stream};
    use rand::RngExt;
    use std::collections::HashMap;

    /// The best score of every part of a rack, from the generator.
    fn by_generation(rules: &GameRules, graph: &WordGraph, lanes: Lanes<'_>, rack: &Rack) -> HashMap<Vec<u8>, i32> {
        let values = RackValues::bare(rack, lanes.board().tile_values());
        let terms = Terms::of(rules);
        let mut sink = AllPlays::default();
        generate::generate(graph, lanes, &values, &terms, &mut GenerateScratch::default(), &mut sink);
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
        let (rules, lexicon) = (GameRules::english(), Lexicon::builtin());
        let graph = lexicon.graph();
        let mut census = Census::new(27);
        let mut compared = [0; 8];
        for (index, cgp) in include_str!("../lab/data/movegen_enable.tsv").lines().skip(1).step_by(60).enumerate() {
            let text = cgp.split('\t').next().unwrap();
            let position = crate::formats::cgp::parse(text, &rules).unwrap().position;
            let mut board = LaneBoard::new(&rules, position.board(), graph);
            let lanes = board.prepare(graph);
            let mut pool = Rack::full_bag(&rules.distribution);
            for (_, tile) in position.board().tiles() {
                let _ = pool.remove(tile.rack_tile());
            }
            // Every second pool is short of letters that blanks can stand for.
            if index % 2 == 1 {
                let few = pool.distinct().map(|(tile, count)| (tile, if tile.is_blank() { count } else { count.min(1) }));
                pool = few.flat_map(|(tile, count)| std::iter::repeat_n(tile, count as usize)).collect();
            }
            census.count(&rules, graph, lanes, &pool);
            let mut rng = randomness::generator(5, Stream::Positions, index as u64);
            for _ in 0..60 {
                let mut unseen: Vec<_> = pool.tiles().collect();
                // Blanks first, every other time, so that they are met often.
                let blanks = if rng.random_range(0..2) == 0 { pool.counts()[0] as usize } else { 0 };
                randomness::shuffle(&mut unseen[blanks..], &mut rng);
                let rack: Rack = unseen[..7].iter().copied().collect();
                let expected = by_generation(&rules, graph, lanes, &rack);
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
