//! Generates plays from each anchor outward through the word graph, the highest bound first.
//!
//! This is the inner loop of everything else. Each extent has a bound: the points of the rack's highest tiles on the extent's
//! highest multipliers, plus the best leave of that size. No play there is worth more. So anything with a bound below the sink's
//! cutoff can be left out without loss: whole anchors, and directions within an anchor.
//!
//! The walk itself is in `gaddag_walk.rs`. Start with [`generate()`].

use crate::lexicon::word_graph::{NodeIndex, Reached, WordGraph};
use crate::movegen::anagram_search;
use crate::movegen::anchors::{Anchor, ConstrainedSquare, Extent, MAX_RACK};
use crate::movegen::found::{LaidWord, LaneTiles, Terms, WordPoints};
use crate::movegen::gaddag_walk::{self, AnchorWalk, WordPlace};
use crate::movegen::lane_numbers::{LaneNumber, LaneSquares};
use crate::movegen::lane_square::LaneSquare;
use crate::movegen::lanes::{LaneBoard, Lanes, PreparedLane};
use crate::movegen::rack_values::RackValues;
use crate::movegen::sinks::Sink;
use crate::rules::layout::MAX_DIM;
use crate::rules::tiles::MAX_LETTERS;
use crate::rules::units::Millipoints;
use crate::rules::{LetterSet, Placed};

/// Memory that generation reuses.
#[derive(Debug, Default)]
pub struct GenerateScratch {
    queue: Vec<QueuedAnchor>,
}

/// An anchor that is still to be searched.
#[derive(Clone, Copy, Debug)]
struct QueuedAnchor {
    /// An upper bound of the plays there.
    bound: Millipoints,
    lane: LaneNumber,
    /// Its number in the lane.
    number: u8,
}

/// Finds the placements of a rack in some lanes of a board and hands them to the sink; each different placement once.
///
/// A single tile that makes words in both directions counts as across. Where letters may stand in any order, one placement stands for all
/// arrangements of its tiles on its squares: see `anagram_search.rs`.
///
/// # Panics
/// If the sink prunes and the board has no bounds, see [`LaneBoard::without_bounds`].
pub fn generate<S: Sink>(
    graph: &WordGraph,
    lanes: Lanes<'_>,
    values: &RackValues,
    terms: &Terms<'_>,
    scratch: &mut GenerateScratch,
    sink: &mut S,
) {
    if values.rack().is_empty() {
        return;
    }
    if let Some(anagrams) = graph.anagrams() {
        return anagram_search::generate(anagrams, lanes, values, terms, sink);
    }
    let board = lanes.board();
    let mut finder = Finder::new(graph, board, values, terms, sink);
    if !S::PRUNES || !values.has_values() {
        // Every play is wanted, or there is nothing to prune by: any order will do.
        for lane in lanes.iter() {
            finder.search_lane(lane);
        }
        return;
    }
    assert!(board.has_bounds(), "a board without bounds is for all plays");
    // First the bound of each anchor ...
    let fitting = finder.fitting();
    let queue = &mut scratch.queue;
    queue.clear();
    for lane in lanes.iter() {
        let anchors = lane.anchors();
        let blocked = blocked_squares(&anchors.constrained, fitting);
        for (number, anchor) in anchors.anchors.iter().enumerate() {
            let extents = &anchors.extents[anchor.extents()];
            let bound = extents.iter().filter_map(|extent| bound_of(extent, blocked, values, terms)).max();
            if let Some(bound) = bound {
                queue.push(QueuedAnchor { bound, lane: lane.number(), number: number as u8 });
            }
        }
    }
    // ... then the anchors, the most promising first, until the next one cannot help any more.
    while let Some(best) = (0..queue.len()).max_by_key(|&at| queue[at].bound) {
        let next = queue.swap_remove(best);
        if next.bound < finder.sink.cutoff() {
            break;
        }
        let lane = lanes.lane(next.lane);
        let anchors = lane.anchors();
        let anchor = &anchors.anchors[next.number as usize];
        finder.set_bounds(anchor, &anchors.extents, blocked_squares(&anchors.constrained, fitting));
        finder.search(lane, anchor);
    }
}

/// [`generate()`] for one lane, with placements of at most a full rack's tiles whose words [depend](LaneSquares::of_word) on one of the
/// `wanted` squares. The sink must not prune.
pub fn generate_lane<S: Sink>(
    graph: &WordGraph,
    lane: PreparedLane<'_>,
    wanted: LaneSquares,
    values: &RackValues,
    terms: &Terms<'_>,
    sink: &mut S,
) {
    const { assert!(!S::PRUNES, "bounds are for the whole board") };
    assert!(graph.anagrams().is_none(), "words are spelled as in the list");
    if values.rack().is_empty() {
        return;
    }
    let mut finder = Finder::new(graph, lane.board(), values, terms, sink);
    finder.rack_len = finder.rack_len.min(terms.bingo_tiles);
    finder.wanted = wanted;
    finder.search_lane(lane);
}

/// Squares where no tile of the rack fits. `fitting` are its letters, or all letters if it has a blank.
pub(super) fn blocked_squares(constrained: &[ConstrainedSquare], fitting: LetterSet) -> LaneSquares {
    if fitting == LetterSet::ALL {
        return LaneSquares::EMPTY; // a blank fits wherever anything does, and extents end where nothing does
    }
    let blocked_at = |square: &ConstrainedSquare| LaneSquares::at_if(square.position.into(), !square.fits.meets(fitting));
    constrained.iter().fold(LaneSquares::EMPTY, |blocked, square| blocked | blocked_at(square))
}

/// The most that a play on this extent can be worth; `None` if the rack cannot fill it.
#[inline]
fn bound_of(extent: &Extent, blocked: LaneSquares, values: &RackValues, terms: &Terms<'_>) -> Option<Millipoints> {
    let tiles = extent.tiles as usize;
    let kept = values.rack().len().checked_sub(tiles)?;
    if extent.squares.meets(blocked) {
        return None;
    }
    let points = values.falling_points();
    let score: i32 = extent.multipliers.iter().zip(points).map(|(&multiplier, &points)| multiplier as i32 * points as i32).sum();
    Some(Millipoints::from_points(score + extent.fixed + terms.bonus(tiles)) + values.best_keeping(kept))
}

/// A walk with the tiles of a rack.
struct Finder<'a, S> {
    graph: &'a WordGraph,
    board: &'a LaneBoard,
    values: &'a RackValues,
    terms: &'a Terms<'a>,
    sink: &'a mut S,
    lane_number: LaneNumber,
    lane: &'a [LaneSquare],
    /// Only words that depend on one of these squares are wanted. For sinks that do not prune.
    wanted: LaneSquares,
    /// `right_reach[n]`: the end of the squares that n tiles can reach to the right of the anchor.
    /// Larger numbers of tiles reach as far as there is room.
    right_reach: [u8; MAX_RACK + 1],
    /// Tiles not placed yet, by tile index.
    counts: [u8; MAX_LETTERS + 1],
    /// Bit by tile index, 0 for the blank: whether its count is not 0.
    available: u64,
    /// Mask of the tiles not placed yet.
    kept: u16,
    /// Tiles that may be placed.
    rack_len: usize,
    placed: usize,
    /// By position: the tile placed. On other empty squares: any tile.
    word: LaneTiles,
    /// `[left][right]`: the best bound of all extents with this many tiles left and at least that many right; `[left][0]`
    /// also covers all extents with more tiles left.
    bounds: [[Millipoints; MAX_RACK + 1]; MAX_RACK + 1],
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
            lane_number: LaneNumber::default(),
            lane: &[],
            wanted: LaneSquares::WHOLE_LANE,
            right_reach: [0; MAX_RACK + 1],
            counts: *rack.counts(),
            available: rack.distinct().fold(0, |available, (tile, _)| available | 1 << tile.index()),
            kept: values.whole(),
            rack_len: rack.len(),
            placed: 0,
            word: [None; MAX_DIM],
            bounds: [[Millipoints::MAX; MAX_RACK + 1]; MAX_RACK + 1],
        }
    }

    /// The letters that its tiles can be.
    fn fitting(&self) -> LetterSet {
        if self.available & 1 != 0 { LetterSet::ALL } else { LetterSet::from_bits(self.available) }
    }

    fn set_bounds(&mut self, anchor: &Anchor, extents: &[Extent], blocked: LaneSquares) {
        self.bounds = [[Millipoints::MIN; MAX_RACK + 1]; MAX_RACK + 1];
        for extent in &extents[anchor.extents()] {
            if let Some(bound) = bound_of(extent, blocked, self.values, self.terms) {
                self.bounds[extent.left as usize][extent.right as usize] = bound;
            }
        }
        let mut more_left = Millipoints::MIN;
        for row in self.bounds.iter_mut().rev() {
            for right in (0..MAX_RACK).rev() {
                row[right] = row[right].max(row[right + 1]);
            }
            row[0] = row[0].max(more_left);
            more_left = row[0];
        }
    }

    /// Searches all anchors of a lane, from left to right.
    fn search_lane(&mut self, lane: PreparedLane<'a>) {
        for anchor in &lane.anchors().anchors {
            if self.wanted != LaneSquares::WHOLE_LANE {
                self.set_right_reach(lane.squares(), anchor);
                let tiles = self.rack_len - usize::from(anchor.is_hook);
                if !self.may_depend_on_wanted(anchor, anchor.first as usize, 0, tiles) {
                    continue;
                }
            }
            self.search(lane, anchor);
        }
    }

    fn set_right_reach(&mut self, lane: &[LaneSquare], anchor: &Anchor) {
        let mut end = anchor.last as usize + 1;
        for reach in &mut self.right_reach {
            while end < anchor.right_end as usize && !lane[end].is_empty() {
                end += 1;
            }
            *reach = end as u8;
            end = (end + 1).min(anchor.right_end as usize);
        }
    }

    /// Whether words of an anchor with `left` tiles to its left, from `first` on,
    /// may depend on wanted squares with `tiles` more tiles.
    #[inline]
    fn may_depend_on_wanted(&self, anchor: &Anchor, first: usize, left: usize, tiles: usize) -> bool {
        let first = first - tiles.min(anchor.left_room as usize - left);
        let end = self.right_reach.get(tiles).copied().unwrap_or(anchor.right_end);
        LaneSquares::of_word(first, end as usize).meets(self.wanted)
    }

    fn search(&mut self, lane: PreparedLane<'a>, anchor: &Anchor) {
        self.lane_number = lane.number();
        self.lane = lane.squares();
        self.word = [None; MAX_DIM];
        let list = if anchor.is_hook || self.board.has_bounds() { Some(anchor.list) } else { anchor.list_behind(self.lane, self.graph) };
        if let Some(list) = list {
            gaddag_walk::walk(self, anchor, list, WordPoints { main: anchor.run_sum as i32, ..WordPoints::START });
        }
    }

    #[inline]
    fn put(&mut self, tile: usize, position: usize, placed: Option<Placed>) {
        self.kept &= !self.values.bit(tile, self.counts[tile]);
        self.counts[tile] -= 1;
        if self.counts[tile] == 0 {
            self.available &= !(1 << tile);
        }
        self.placed += 1;
        self.word[position] = placed;
    }

    /// Takes a tile back. `kept` and `available` are as they were before it was placed.
    #[inline]
    fn take_back(&mut self, tile: usize, kept: u16, available: u64) {
        self.counts[tile] += 1;
        (self.kept, self.available) = (kept, available);
        self.placed -= 1;
    }
}

impl<'a, S: Sink> AnchorWalk<'a> for Finder<'a, S> {
    type Sum = WordPoints;

    #[inline]
    fn graph(&self) -> &'a WordGraph {
        self.graph
    }

    #[inline]
    fn lane(&self) -> &'a [LaneSquare] {
        self.lane
    }

    /// Tries every tile of the rack that fits.
    #[inline]
    fn place_each(&mut self, list: NodeIndex, position: usize, points: WordPoints, mut go_on: impl FnMut(&mut Self, Reached, WordPoints)) {
        let square = &self.lane[position];
        let (kept, available) = (self.kept, self.available);
        let has_blank = available & 1 != 0;
        let allowed = if has_blank { square.cross_set.bits() } else { square.cross_set.bits() & available };
        if allowed == 0 {
            return;
        }
        // PERF: a bit for each node whose letter is allowed, without a branch that the processor would often guess wrong.
        let mut fitting = self.graph.siblings(list).enumerate().fold(0, |fitting, (at, node)| fitting | (allowed >> node.tile() & 1) << at);
        while fitting != 0 {
            let node = self.graph.node(list.sibling(fitting.trailing_zeros()));
            fitting &= fitting - 1;
            let letter = node.tile() as usize;
            let tile = Placed::from_bits(node.tile());
            let reached = Reached { list: node.arc(), accepts: node.accepts() };
            // The letter's own tile ...
            if available >> letter & 1 != 0 {
                let value = self.board.tile_values()[letter] as i32;
                self.put(letter, position, tile);
                go_on(self, reached, points.with(square, value));
                self.take_back(letter, kept, available);
            }
            // ... and a blank in its place.
            if has_blank {
                let value = self.board.tile_values()[0] as i32;
                self.put(0, position, tile.map(Placed::as_blank));
                go_on(self, reached, points.with(square, value));
                self.take_back(0, kept, available);
            }
        }
    }

    #[inline]
    fn with_board_tile(points: WordPoints, square: &LaneSquare) -> WordPoints {
        points.through(square)
    }

    #[inline]
    fn take_word(&mut self, place: WordPlace, points: WordPoints) {
        let (first, end) = (place.first, place.end);
        if end - first < 2 || !S::PRUNES && !LaneSquares::of_word(first, end).meets(self.wanted) {
            return;
        }
        let word = LaidWord { board: self.board, lane: self.lane_number, first, end, tiles: &self.word, placed: self.placed };
        if let Some(found) = word.judge(points, self.values.value(self.kept), self.terms) {
            self.sink.take(&found);
        }
    }

    #[inline]
    fn may_place(&self) -> bool {
        self.placed < self.rack_len
    }

    #[inline]
    fn may_help(&self, left: usize, right: usize) -> bool {
        !S::PRUNES || self.bounds[left.min(MAX_RACK)][right.min(MAX_RACK)] >= self.sink.cutoff()
    }

    #[inline]
    fn may_reach(&self, anchor: &Anchor, first: usize, left: usize) -> bool {
        let is_whole_lane = S::PRUNES || self.wanted == LaneSquares::WHOLE_LANE;
        is_whole_lane || self.may_depend_on_wanted(anchor, first, left, self.rack_len - self.placed)
    }
}
