//! Walks the GADDAG from an anchor outward to all words that can be laid over it [Gordon 1994].
//!
//! A GADDAG holds each word once for each of its letters: from that letter leftward to the word's
//! beginning, then, after a switch, from that letter rightward to the word's end. So a walk begins
//! at the anchor, continues to the left square by square, and at each square may switch to the right.
//! No path is tried that does not lead to a word.
//!
//! ```text
//! lane     . . C A R . .        the run CAR, read leftward: R A C
//!          . . C A R T .        switch, then T
//!          . S C A R . .        S; it is the beginning of SCAR
//!          . S C A R F .        S, switch, F
//! ```
//!
//! What differs from one use to another is in [`AnchorWalk`]: which tiles are tried on a square, what is summed up on the way, and what
//! becomes of the words. One piece of code serves the generator (`generate.rs`), the letters of extents (`extent_letters.rs`) and the census
//! (`census.rs`).
//!
//! PERF: the walk is compiled once for each use, and the small calls are inlined. It takes 0.98 to 1.02 of the user time of a walk written for
//! the generator alone (six to eight alternated runs each of static rankings of the 300 positions of `src/lab/data/movegen_enable.tsv` and
//! of sixty endgames).

use crate::lexicon::word_graph::{NodeIndex, Reached, WordGraph};
use crate::movegen::anchors::Anchor;
use crate::movegen::found::WordPoints;
use crate::movegen::lane_square::LaneSquare;
use crate::movegen::lanes::PreparedLane;

/// Where a word lies in a lane.
#[derive(Clone, Copy, Debug)]
pub struct WordPlace {
    /// Its first square.
    pub first: usize,
    /// One past its last square.
    pub end: usize,
    /// Tiles placed to the left of the anchor.
    pub left: usize,
    /// Tiles placed to the right of the anchor.
    pub right: usize,
}

/// What a walk tries on the squares, and what it does with the words.
pub trait AnchorWalk<'a>: Sized {
    /// What is summed up on the way, tile by tile.
    type Sum: Copy;

    /// The graph of the words.
    fn graph(&self) -> &'a WordGraph;

    /// The lane in which the anchor lies.
    fn lane(&self) -> &'a [LaneSquare];

    /// Places each tile that may stand on an empty square and whose letter is in a list, calls `go_on`, and takes the tile back.
    fn place_each(&mut self, list: NodeIndex, position: usize, sum: Self::Sum, go_on: impl FnMut(&mut Self, Reached, Self::Sum));

    /// The sum with a tile that is on the board.
    fn with_board_tile(sum: Self::Sum, square: &LaneSquare) -> Self::Sum;

    /// Takes a word with at least one tile placed. It may be the single letter on a hook, which is not a play in this lane.
    fn take_word(&mut self, place: WordPlace, sum: Self::Sum);

    /// Whether another tile may be placed.
    fn may_place(&self) -> bool;

    /// Whether words with this many tiles left of the anchor and at least this many right of it are of use.
    #[inline]
    fn may_help(&self, _left: usize, _right: usize) -> bool {
        true
    }

    /// Whether words that begin at `first` (with `left` tiles left of the anchor) or further left are of use.
    #[inline]
    fn may_reach(&self, _anchor: &Anchor, _first: usize, _left: usize) -> bool {
        true
    }
}

/// Walks to all words at an anchor. `list` is the graph's list after the anchor's run, or its root for a hook.
#[inline]
pub fn walk<'a, W: AnchorWalk<'a>>(walk: &mut W, anchor: &Anchor, list: NodeIndex, sum: W::Sum) {
    if anchor.is_hook {
        walk.place_each(list, anchor.first as usize, sum, |walk, reached, sum| leftward(walk, anchor, reached, 0, sum));
    } else {
        leftward(walk, anchor, Reached { list, accepts: false }, 0, sum);
    }
}

/// Walks to all words at the anchors of a lane, from left to right, and adds up their points.
pub fn walk_lane<'a, W: AnchorWalk<'a, Sum = WordPoints>>(walker: &mut W, lane: PreparedLane<'_>) {
    for anchor in &lane.anchors().anchors {
        walk(walker, anchor, anchor.list, WordPoints { main: anchor.run_sum as i32, ..WordPoints::START });
    }
}

/// With `left` tiles to the left of the anchor: the word may end here, turn to the right, or go on to the left.
fn leftward<'a, W: AnchorWalk<'a>>(walk: &mut W, anchor: &Anchor, reached: Reached, left: usize, sum: W::Sum) {
    if !walk.may_help(left, 0) {
        return;
    }
    let first = anchor.first as usize - left;
    let behind = anchor.last as usize + 1;
    if reached.accepts {
        walk.take_word(WordPlace { first, end: behind, left, right: 0 }, sum);
    }
    if !walk.may_place() || reached.list.is_none() || !walk.may_reach(anchor, first, left) {
        return;
    }
    if behind < anchor.right_end as usize && walk.may_help(left, 1) {
        // The switch, if there is one, is the first of its siblings: its number is 0.
        let switch = walk.graph().node(reached.list);
        if switch.tile() == 0 {
            rightward(walk, anchor, switch.arc(), WordPlace { first, end: behind, left, right: 0 }, sum);
        }
    }
    if left < anchor.left_room as usize {
        walk.place_each(reached.list, first - 1, sum, |walk, reached, sum| leftward(walk, anchor, reached, left + 1, sum));
    }
}

/// Places a tile after `place`, reads the tiles on the board after it, and goes on to the right.
fn rightward<'a, W: AnchorWalk<'a>>(walk: &mut W, anchor: &Anchor, list: NodeIndex, place: WordPlace, sum: W::Sum) {
    walk.place_each(list, place.end, sum, |walk, mut reached, mut sum| {
        let lane = walk.lane();
        let mut end = place.end + 1;
        while end < lane.len()
            && let Some(tile) = lane[end].tile
        {
            let Some(node) = walk.graph().find(reached.list, tile.letter().number()) else {
                return;
            };
            sum = W::with_board_tile(sum, &lane[end]);
            reached = Reached { list: node.arc(), accepts: node.accepts() };
            end += 1;
        }
        let place = WordPlace { end, right: place.right + 1, ..place };
        if reached.accepts {
            walk.take_word(place, sum);
        }
        if walk.may_place() && end < anchor.right_end as usize && walk.may_help(place.left, place.right + 1) {
            rightward(walk, anchor, reached.list, place, sum);
        }
    });
}
