//! The search for words: from each anchor outward through the word graph, the anchor with the highest bound first.
//!
//! This is the inner loop of everything else. A bound is the score that the rack's tiles would make on the extent's
//! multipliers, both in falling order, plus the best leave of that size: it never falls short of a real play, so anchors,
//! and directions within an anchor, whose bound is below the sink's cutoff are left out without loss.

use crate::lexicon::word_graph::{NodeIndex, WordGraph};
use crate::movegen::anchors::{Anchor, Extent, MAX_RACK};
use crate::movegen::lanes::{self, LaneBoard, LaneSquare, Lanes};
use crate::movegen::rack_values::RackValues;
use crate::movegen::sinks::{GeneratedPlay, Sink};
use crate::rules::layout::MAX_DIM;
use crate::rules::tiles::MAX_LETTERS;
use crate::rules::{Direction, Placement};

/// Points in millipoints.
pub(super) const MILLI: i32 = 1000;

/// What a turn's plays are judged by, beside the tiles kept.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    /// Points for placing `bingo_tiles` tiles.
    pub bingo_bonus: i32,
    /// Tiles on a full rack.
    pub bingo_tiles: usize,
    /// On an empty board: what a vowel on a square costs.
    pub opening: Option<&'a OpeningTerms>,
}

/// What vowels cost on the first play, by lane and position, in millipoints (never negative).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningTerms {
    /// Letter set of the vowels.
    pub vowels: u64,
    /// `costs[lane * dim + position]`.
    pub costs: Vec<i32>,
}

/// A play at the moment it is found. Borrowed: [`Found::play`] makes a value of it.
#[derive(Debug)]
pub struct Found<'a> {
    pub(super) board: &'a LaneBoard,
    pub(super) lane: usize,
    pub(super) first: usize,
    pub(super) end: usize,
    pub(super) word: &'a [u8; MAX_DIM],
    /// Points.
    pub score: i32,
    /// Score, leave and adjustments, millipoints.
    pub equity_millipoints: i32,
}

impl Found<'_> {
    /// The play as a value.
    pub fn play(&self) -> GeneratedPlay {
        let (start, direction) = self.board.square_at(self.lane, self.first);
        let placement = Placement::from_bits(start, direction, &self.word[self.first..self.end]);
        GeneratedPlay { placement, score: self.score, equity_millipoints: self.equity_millipoints }
    }
}

/// Memory that generation uses again and again.
#[derive(Debug, Default)]
pub struct Scratch {
    /// Bound, lane and anchor.
    queue: Vec<(i32, u8, u8)>,
}

/// Finds the placements of a rack in some lanes of a board and hands them to the sink; each different placement once.
///
/// The board must be [`LaneBoard::prepare`]d. A single tile that makes words in both directions counts as across.
pub fn generate<S: Sink>(graph: &WordGraph, lanes: Lanes<'_>, values: &RackValues, terms: &Terms<'_>, scratch: &mut Scratch, sink: &mut S) {
    if values.rack().is_empty() {
        return;
    }
    let board = lanes.board;
    let mut finder = Finder::new(graph, board, values, terms, sink);
    if !S::PRUNES || !values.has_values() {
        for lane in lanes.numbers() {
            finder.search_lane(lane);
        }
        return;
    }
    assert!(board.has_bounds(), "a board without bounds is for all plays");
    let available = finder.available;
    let queue = &mut scratch.queue;
    queue.clear();
    for lane in lanes.numbers() {
        let anchors = board.anchors(lane);
        let blocked = blocked_squares(&anchors.constrained, available);
        for (at, anchor) in anchors.anchors.iter().enumerate() {
            let extents = &anchors.extents[anchor.first_extent as usize..anchor.end_extent as usize];
            let bound = extents.iter().filter_map(|extent| bound_of(extent, blocked, values, terms)).max();
            if let Some(bound) = bound {
                queue.push((bound, lane as u8, at as u8));
            }
        }
    }
    while let Some(best) = (0..queue.len()).max_by_key(|&at| queue[at].0) {
        let (bound, lane, at) = queue.swap_remove(best);
        if bound < finder.sink.cutoff() {
            break;
        }
        let anchors = board.anchors(lane as usize);
        let anchor = &anchors.anchors[at as usize];
        finder.set_bounds(anchor, &anchors.extents, blocked_squares(&anchors.constrained, available));
        finder.search(lane as usize, anchor);
    }
}

/// All squares of a lane, by bit.
pub const WHOLE_LANE: u32 = u32::MAX;

/// The squares of a lane, by bit, on which a word from `first` to before `end` depends: its own and those at its ends.
#[inline]
pub fn squares_of_word(first: usize, end: usize) -> u32 {
    ((1 << (end - first + 2)) - 1) << first >> 1
}

/// [`generate()`] for one lane, which must be [prepared](LaneBoard::prepare_lane); placements of a full rack's tiles at most, and
/// only those whose words [depend](squares_of_word) on one of these squares. The sink must not prune.
pub fn generate_lane<S: Sink>(
    graph: &WordGraph,
    board: &LaneBoard,
    (lane, squares): (usize, u32),
    values: &RackValues,
    terms: &Terms<'_>,
    sink: &mut S,
) {
    const { assert!(!S::PRUNES, "bounds are for the whole board") };
    let mut finder = Finder::new(graph, board, values, terms, sink);
    finder.rack_len = finder.rack_len.min(terms.bingo_tiles);
    finder.wanted = squares;
    finder.search_lane(lane);
}

/// Squares where no tile of the rack fits.
pub(super) fn blocked_squares(constrained: &[(u8, u64)], available: u64) -> u32 {
    if available & 1 != 0 {
        return 0; // a blank fits wherever anything does, and extents end where nothing does
    }
    constrained.iter().fold(0, |blocked, &(position, set)| blocked | u32::from(set & available == 0) << position)
}

/// The most that a play on this extent can be worth, in millipoints; `None` if the rack cannot fill it.
#[inline]
fn bound_of(extent: &Extent, blocked: u32, values: &RackValues, terms: &Terms<'_>) -> Option<i32> {
    let tiles = extent.tiles as usize;
    let kept = values.rack().len().checked_sub(tiles)?;
    if extent.squares & blocked != 0 {
        return None;
    }
    let points = values.falling_points();
    let score: i32 = extent.multipliers.iter().zip(points).map(|(&multiplier, &points)| multiplier as i32 * points as i32).sum();
    let bonus = if tiles == terms.bingo_tiles { terms.bingo_bonus } else { 0 };
    Some((score + extent.fixed as i32 + bonus) * MILLI + values.best_keeping(kept))
}

/// The state of the search at one anchor.
struct Finder<'a, S> {
    graph: &'a WordGraph,
    board: &'a LaneBoard,
    values: &'a RackValues,
    terms: &'a Terms<'a>,
    sink: &'a mut S,
    lane_index: usize,
    lane: &'a [LaneSquare],
    /// Only words that depend on one of these squares are wanted. For sinks that do not prune.
    wanted: u32,
    /// By number of tiles: behind the last square to the right of the anchor that so many reach. More reach as far as there is room.
    right_reach: [u8; MAX_RACK + 1],
    /// Tiles not placed yet, by tile index.
    counts: [u8; MAX_LETTERS + 1],
    /// Bit by tile index: whether its count is not 0.
    available: u64,
    /// Mask of the tiles not placed yet.
    kept: u16,
    /// Tiles that may be placed.
    rack_len: usize,
    placed: usize,
    /// By position: [`Placed::to_bits`](crate::rules::Placed::to_bits) of the tiles placed, 0 elsewhere.
    word: [u8; MAX_DIM],
    /// `[left][right]`: the best bound of all extents with this many tiles left and at least that many right; `[left][0]`
    /// also covers all extents with more tiles left.
    bounds: [[i32; MAX_RACK + 1]; MAX_RACK + 1],
}

/// Points gathered so far.
#[derive(Clone, Copy)]
pub(super) struct Points {
    main: i32,
    word_factor: i32,
    cross: i32,
}

impl<'a, S: Sink> Finder<'a, S> {
    fn new(graph: &'a WordGraph, board: &'a LaneBoard, values: &'a RackValues, terms: &'a Terms<'a>, sink: &'a mut S) -> Finder<'a, S> {
        let rack = values.rack();
        Finder {
            graph,
            board,
            values,
            terms,
            sink,
            lane_index: 0,
            lane: &[],
            wanted: WHOLE_LANE,
            right_reach: [0; MAX_RACK + 1],
            counts: *rack.counts(),
            available: rack.distinct().fold(0, |available, (tile, _)| available | 1 << tile.index()),
            kept: values.whole(),
            rack_len: rack.len(),
            placed: 0,
            word: [0; MAX_DIM],
            bounds: [[i32::MAX; MAX_RACK + 1]; MAX_RACK + 1],
        }
    }

    fn set_bounds(&mut self, anchor: &Anchor, extents: &[Extent], blocked: u32) {
        self.bounds = [[i32::MIN; MAX_RACK + 1]; MAX_RACK + 1];
        for extent in &extents[anchor.first_extent as usize..anchor.end_extent as usize] {
            if let Some(bound) = bound_of(extent, blocked, self.values, self.terms) {
                self.bounds[extent.left as usize][extent.right as usize] = bound;
            }
        }
        let mut more_left = i32::MIN;
        for row in self.bounds.iter_mut().rev() {
            for right in (0..MAX_RACK).rev() {
                row[right] = row[right].max(row[right + 1]);
            }
            row[0] = row[0].max(more_left);
            more_left = row[0];
        }
    }

    /// Whether an extent with this many tiles left, and at least this many right, may hold something of use.
    #[inline]
    fn may_help(&self, left: usize, right: usize) -> bool {
        if !S::PRUNES {
            return true;
        }
        self.bounds[left.min(MAX_RACK)][right.min(MAX_RACK)] >= self.sink.cutoff()
    }

    /// Searches all anchors of a lane, from left to right.
    fn search_lane(&mut self, lane: usize) {
        let board = self.board;
        for anchor in &board.anchors(lane).anchors {
            if self.wanted != WHOLE_LANE {
                self.set_right_reach(board.lane(lane), anchor);
                let tiles = self.rack_len - usize::from(anchor.is_hook);
                if !self.may_reach(anchor, anchor.first as usize, 0, tiles) {
                    continue;
                }
            }
            self.search(lane, anchor);
        }
    }

    fn set_right_reach(&mut self, lane: &[LaneSquare], anchor: &Anchor) {
        let mut end = anchor.last as usize + 1;
        for reach in &mut self.right_reach {
            while end < anchor.right_end as usize && lane[end].tile != 0 {
                end += 1;
            }
            *reach = end as u8;
            end = (end + 1).min(anchor.right_end as usize);
        }
    }

    /// Whether words of an anchor with `left` tiles to its left, from `first` on, may depend on wanted squares with so many tiles more.
    #[inline]
    fn may_reach(&self, anchor: &Anchor, first: usize, left: usize, tiles: usize) -> bool {
        let first = first - tiles.min(anchor.left_room as usize - left);
        let end = self.right_reach.get(tiles).copied().unwrap_or(anchor.right_end);
        squares_of_word(first, end as usize) & self.wanted != 0
    }

    fn search(&mut self, lane: usize, anchor: &Anchor) {
        self.lane_index = lane;
        self.lane = self.board.lane(lane);
        let points = Points { main: anchor.run_sum as i32, ..Points::START };
        if anchor.is_hook {
            self.place(anchor.list, anchor.first as usize, points, |finder, list, accepts, points| {
                finder.leftward(anchor, list, accepts, 0, points);
            });
            return;
        }
        let list = if self.board.has_bounds() { Some(anchor.list) } else { anchor.list_behind(self.lane, self.graph) };
        if let Some(list) = list {
            self.leftward(anchor, list, false, 0, points);
        }
    }

    /// Tries every tile that fits on an empty square and that the word graph allows.
    #[inline]
    fn place(&mut self, list: NodeIndex, position: usize, points: Points, mut go_on: impl FnMut(&mut Self, NodeIndex, bool, Points)) {
        let square = &self.lane[position];
        let has_blank = self.available & 1 != 0;
        let allowed = if has_blank { square.cross_set } else { square.cross_set & self.available };
        if allowed == 0 {
            return;
        }
        for node in self.graph.siblings(list) {
            let letter = node.tile() as usize;
            if allowed >> letter & 1 == 0 {
                continue;
            }
            if self.available >> letter & 1 != 0 {
                let value = self.board.tile_values()[letter] as i32;
                self.put(letter, position, letter as u8);
                go_on(self, node.arc(), node.accepts(), points.with(square, value));
                self.take_back(letter, position);
            }
            if has_blank {
                let value = self.board.tile_values()[0] as i32;
                self.put(0, position, letter as u8 | 0x80);
                go_on(self, node.arc(), node.accepts(), points.with(square, value));
                self.take_back(0, position);
            }
        }
    }

    #[inline]
    fn put(&mut self, tile: usize, position: usize, bits: u8) {
        self.kept &= !self.values.bit(tile, self.counts[tile]);
        self.counts[tile] -= 1;
        if self.counts[tile] == 0 {
            self.available &= !(1 << tile);
        }
        self.placed += 1;
        self.word[position] = bits;
    }

    #[inline]
    fn take_back(&mut self, tile: usize, position: usize) {
        self.counts[tile] += 1;
        self.available |= 1 << tile;
        self.kept |= self.values.bit(tile, self.counts[tile]);
        self.placed -= 1;
        self.word[position] = 0;
    }

    /// With `left` tiles to the left of the anchor: the word may end here, turn to the right, or go on to the left.
    /// `list` and `accepts` tell where the word graph stands after the leftmost letter.
    fn leftward(&mut self, anchor: &Anchor, list: NodeIndex, accepts: bool, left: usize, points: Points) {
        if !self.may_help(left, 0) {
            return;
        }
        let first = anchor.first as usize - left;
        let last = anchor.last as usize;
        if accepts && self.placed > 0 {
            self.record(first, last + 1, points);
        }
        if self.placed == self.rack_len || list.is_none() {
            return;
        }
        if !S::PRUNES && self.wanted != WHOLE_LANE && !self.may_reach(anchor, first, left, self.rack_len - self.placed) {
            return;
        }
        if last + 1 < anchor.right_end as usize && self.may_help(left, 1) {
            let switch = self.graph.node(list);
            if switch.tile() == 0 {
                self.rightward(anchor, switch.arc(), first, last + 1, (left, 0), points);
            }
        }
        if left < anchor.left_room as usize {
            self.place(list, first - 1, points, |finder, list, accepts, points| {
                finder.leftward(anchor, list, accepts, left + 1, points);
            });
        }
    }

    /// Places a tile on the next empty square to the right, then reads the tiles behind it.
    fn rightward(
        &mut self,
        anchor: &Anchor,
        list: NodeIndex,
        first: usize,
        position: usize,
        (left, right): (usize, usize),
        points: Points,
    ) {
        self.place(list, position, points, |finder, mut list, mut accepts, mut points| {
            let mut next = position + 1;
            while next < finder.lane.len() && finder.lane[next].tile != 0 {
                let Some(node) = finder.graph.find(list, lanes::letter_number(finder.lane[next].tile)) else {
                    return;
                };
                points = points.through(&finder.lane[next]);
                (list, accepts) = (node.arc(), node.accepts());
                next += 1;
            }
            if accepts {
                finder.record(first, next, points);
            }
            if finder.placed < finder.rack_len && next < anchor.right_end as usize && finder.may_help(left, right + 2) {
                finder.rightward(anchor, list, first, next, (left, right + 1), points);
            }
        });
    }

    /// A word stands on `first..end`.
    #[inline]
    fn record(&mut self, first: usize, end: usize, points: Points) {
        if !S::PRUNES && squares_of_word(first, end) & self.wanted == 0 {
            return;
        }
        let is_down = self.lane_index >= self.board.dim();
        if end - first < 2 || self.placed == 1 && is_down && makes_word_across(self.lane, &self.word, first, end) {
            return;
        }
        let bonus = if self.placed == self.terms.bingo_tiles { self.terms.bingo_bonus } else { 0 };
        let score = points.score() + bonus;
        let mut equity_millipoints = score * MILLI + self.values.value(self.kept);
        if let Some(opening) = self.terms.opening {
            equity_millipoints -= opening_cost(opening, self.lane_index, self.lane.len(), &self.word, first, end);
        }
        let found = Found { board: self.board, lane: self.lane_index, first, end, word: &self.word, score, equity_millipoints };
        self.sink.take(&found);
    }
}

/// Whether the one tile placed in this column also makes a word in its row: then it is found there.
pub(super) fn makes_word_across(lane: &[LaneSquare], word: &[u8; MAX_DIM], first: usize, end: usize) -> bool {
    (first..end).any(|position| word[position] != 0 && lane[position].has_cross)
}

/// What the vowels of a first play cost, millipoints.
pub(super) fn opening_cost(opening: &OpeningTerms, lane: usize, dim: usize, word: &[u8; MAX_DIM], first: usize, end: usize) -> i32 {
    let costs = &opening.costs[lane * dim..];
    let is_vowel = |bits: u8| opening.vowels >> lanes::letter_number(bits) & 1 != 0;
    (first..end).filter(|&position| is_vowel(word[position])).map(|position| costs[position]).sum()
}

impl Points {
    /// No tiles.
    pub(super) const START: Points = Points { main: 0, word_factor: 1, cross: 0 };

    /// With a tile that is on the board.
    #[inline]
    pub(super) fn through(mut self, square: &LaneSquare) -> Points {
        self.main += i32::from(square.value);
        self
    }

    /// The bonus left out.
    #[inline]
    pub(super) fn score(self) -> i32 {
        self.main * self.word_factor + self.cross
    }

    /// With a tile placed on this square.
    #[inline]
    pub(super) fn with(mut self, square: &LaneSquare, value: i32) -> Points {
        let on_square = value * square.letter_factor as i32;
        self.main += on_square;
        self.word_factor *= square.word_factor as i32;
        if square.has_cross {
            self.cross += (on_square + square.cross_sum as i32) * square.word_factor as i32;
        }
        self
    }
}

/// What vowels cost on the first play: `cost_millipoints` on a square beside (across the word) a square that multiplies letters.
///
/// Source: ALGORITHMS 1.3, a rough rule after the Maven paper; 0.7 points in the engines that use it.
pub fn opening_terms(board: &LaneBoard, vowels: u64, cost_millipoints: i32) -> OpeningTerms {
    let dim = board.dim();
    let mut costs = vec![0; board.lane_count() * dim];
    for lane in 0..board.lane_count() {
        for position in 0..dim {
            let (square, direction) = board.square_at(lane, position);
            let multiplies_letters = |steps| {
                square.step(direction.other(), steps, dim).is_some_and(|beside| board.view(beside, Direction::Across).letter_factor > 1)
            };
            if multiplies_letters(-1) || multiplies_letters(1) {
                costs[lane * dim + position] = cost_millipoints;
            }
        }
    }
    OpeningTerms { vowels, costs }
}
