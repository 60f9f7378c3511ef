//! Where plays in a lane can touch the board, and how far they can reach from there.
//!
//! An *anchor* is a run of tiles, or a *hook*: an empty square beside tiles of other lanes (or the start square). Each play
//! belongs to exactly one: to the leftmost run it goes through, or, without one, to the leftmost hook it covers.
//!
//! An *extent* is a number of tiles left and right of the anchor. Its multipliers bound what any tiles can score there,
//! without looking at words. All of this depends on the lane alone, not on a rack. Cross checks and anchors: [Appel & Jacobson 1988].
//!
//! ```text
//! position   0 1 2 3 4 5 6 7 8
//! lane       . . h . C A T . .      h: an empty square with tiles beside it
//!                ^   ^^^^^          anchors: the hook 2, the run 4..=6
//! ```
//!
//! The hook's plays cover square 2 and end before square 4, or they would go through the run. The run's plays may cover the hook.
//!
//! Not here: which letters words have on an extent (`extent_letters.rs`). Start with [`LaneAnchors::derive`].

use crate::lexicon::word_graph::{NodeIndex, WordGraph};
use crate::movegen::lane_numbers::LaneSquares;
use crate::movegen::lane_square::LaneSquare;
use crate::rules::game_rules::MAX_RACK_SIZE;
use crate::rules::tiles::MAX_LETTERS;
use crate::rules::{Letter, LetterSet};
use std::ops::Range;

/// The most tiles a rack may have for bounds and leave values.
pub const MAX_RACK: usize = MAX_RACK_SIZE;

/// A run of tiles or a hook, with the room on both sides. Positions count squares of the lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// First square: of the run, or the hook.
    pub first: u8,
    /// Last square: of the run, or the hook.
    pub last: u8,
    /// Squares to the left that a play of this anchor may use.
    pub left_room: u8,
    /// One past the last square to the right that a play of this anchor may use.
    pub right_end: u8,
    /// Whether it is an empty square.
    pub is_hook: bool,
    /// [`Anchor::list_behind`]; for a hook, or with [`Detail::Anchors`] alone, the root.
    pub list: NodeIndex,
    /// Points of the run's tiles.
    pub run_sum: i16,
    /// Letters that come right before the run in some word and fit the square there;
    /// any letter for a hook, or with [`Detail::Anchors`] alone.
    pub before: LetterSet,
    /// Letters that come right after the run in some word that begins with it and fit the square
    /// there; any letter for a hook, or with [`Detail::Anchors`] alone.
    pub behind: LetterSet,
    /// The first of its extents in the lane's list.
    pub first_extent: u16,
    /// One past the last of its extents in the lane's list.
    pub end_extent: u16,
}

impl Anchor {
    /// The list that reading the run from right to left leads to in the word graph; `None` if no word contains it. Only for a run.
    pub fn list_behind(&self, lane: &[LaneSquare], graph: &WordGraph) -> Option<NodeIndex> {
        let run = &lane[self.first as usize..=self.last as usize];
        graph.read(graph.gaddag_root(), run.iter().rev().map(LaneSquare::letter_number)).map(|reached| reached.list)
    }

    /// The numbers of its extents in the lane's list.
    #[inline]
    pub fn extents(&self) -> Range<usize> {
        self.first_extent as usize..self.end_extent as usize
    }
}

/// Tiles left and right of an anchor, with what bounds their score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(8))]
pub struct Extent {
    /// For each square that takes a tile, what a point on that tile adds to the score, in falling order, then zeros.
    pub multipliers: [i16; MAX_RACK],
    /// Points of the tiles that are already on the board, in the main word and the cross words.
    pub fixed: i32,
    /// Tiles left of the anchor.
    pub left: u8,
    /// Tiles right of the anchor; the tile on a hook counts as neither.
    pub right: u8,
    /// Tiles in all.
    pub tiles: u8,
    /// The first square of the word.
    pub first: u8,
    /// One past the last square of the word.
    pub end: u8,
    /// The tiles on the board that it goes through.
    pub through: Through,
    /// The number of its anchor in the lane.
    pub anchor: u8,
    /// The squares that take tiles.
    pub squares: LaneSquares,
}

const _: () = assert!(size_of::<Extent>() == 32);

/// An empty square where not every letter can stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConstrainedSquare {
    /// Its position in the lane.
    pub position: u8,
    /// The letters that can.
    pub fits: LetterSet,
}

impl Extent {
    /// The square next to its anchor's run, before it or else after it, with the letters that can
    /// stand there in some word, whatever lies beside the square in other lanes.
    #[inline]
    pub fn beside_run(&self, anchor: &Anchor) -> ConstrainedSquare {
        if self.left > 0 {
            ConstrainedSquare { position: anchor.first - 1, fits: anchor.before }
        } else {
            ConstrainedSquare { position: anchor.last + 1, fits: anchor.behind }
        }
    }
}

/// The tiles on the board that a word goes through: none, one, or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Through(u8);

impl Through {
    /// None.
    pub const NOTHING: Through = Through(0);

    /// More than one.
    pub const SEVERAL: Through = Through(MAX_LETTERS as u8);

    /// How many codes there are.
    pub const CODES: usize = MAX_LETTERS + 1;

    /// 0 for none, a letter's number for one, the highest number for more. The last letter of the largest alphabet counts as more.
    #[inline]
    pub fn code(self) -> usize {
        self.0 as usize
    }

    /// With one more tile of this letter.
    #[inline]
    fn with(self, letter: Letter) -> Through {
        if self == Through::NOTHING { Through(letter.number()) } else { Through::SEVERAL }
    }
}

/// How much is derived from a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Its anchors: enough to find all plays.
    Anchors,
    /// The anchors, and the extents of up to this many tiles, which bound what plays score.
    Extents(usize),
}

/// What is derived from a lane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaneAnchors {
    /// From left to right, runs and hooks mixed.
    pub anchors: Vec<Anchor>,
    /// The extents of all anchors.
    pub extents: Vec<Extent>,
    /// By extent: at least all letters that words have there on empty squares. Empty until
    /// [`LaneAnchors::learn_letters`].
    pub letters: Vec<LetterSet>,
    /// Empty squares where not every letter fits.
    pub constrained: Vec<ConstrainedSquare>,
    /// The most tiles of an extent.
    pub(super) most_tiles: usize,
}

impl LaneAnchors {
    /// Derives everything anew.
    pub fn derive(&mut self, lane: &[LaneSquare], graph: &WordGraph, detail: Detail) {
        self.most_tiles = match detail {
            Detail::Anchors => 0,
            Detail::Extents(most_tiles) => most_tiles.min(MAX_RACK),
        };
        self.anchors.clear();
        self.extents.clear();
        self.letters.clear();
        self.constrained.clear();
        if detail != Detail::Anchors {
            for (position, square) in lane.iter().enumerate() {
                if square.is_empty() && square.has_cross() {
                    self.constrained.push(ConstrainedSquare { position: position as u8, fits: square.cross_set });
                }
            }
        }
        // The first square that the plays of the next hook may use: squares further left belong to an earlier run or hook.
        let mut left_limit = 0;
        let mut position = 0;
        while position < lane.len() {
            let here = position;
            if !lane[here].is_empty() {
                // A run. Step over it.
                while position < lane.len() && !lane[position].is_empty() {
                    position += 1;
                }
                // Its plays may cover hooks to the left, but must not touch the run before: one square stays free between them.
                let run_before = lane[..here].iter().rposition(|square| !square.is_empty());
                let run_limit = run_before.map_or(0, |last| last + 2).min(here);
                self.add_run(lane, graph, here..position, run_limit, detail);
                left_limit = position + 1;
                continue;
            }
            // An empty square. Next to a run it is not a hook, since a play that covers it goes through the run.
            let touches_run = here > 0 && !lane[here - 1].is_empty() || here + 1 < lane.len() && !lane[here + 1].is_empty();
            if lane[here].is_hook() && !touches_run {
                // Plays of a hook end before the next run, with one square free between them.
                let next_run = lane[here..].iter().position(|square| !square.is_empty()).map_or(lane.len() + 1, |steps| here + steps);
                let room = left_limit.min(here)..(next_run - 1).min(lane.len());
                self.add_hook(lane, graph, here, room, detail);
                left_limit = here + 1;
            }
            position += 1;
        }
    }

    /// Adds a run, from whose left plays may use squares from `left_limit` on.
    fn add_run(&mut self, lane: &[LaneSquare], graph: &WordGraph, run: Range<usize>, left_limit: usize, detail: Detail) {
        let anchor = Anchor {
            first: run.start as u8,
            last: run.end as u8 - 1,
            left_room: (run.start - left_limit) as u8,
            right_end: lane.len() as u8,
            is_hook: false,
            list: graph.gaddag_root(),
            run_sum: lane[run.clone()].iter().map(|square| square.value).sum(),
            before: LetterSet::ALL,
            behind: LetterSet::ALL,
            first_extent: 0,
            end_extent: 0,
        };
        if detail == Detail::Anchors {
            self.anchors.push(anchor);
            return;
        }
        let Some(list) = anchor.list_behind(lane, graph) else {
            return; // no word contains this run: nothing can be played through it
        };
        let fitting = |beside: Option<&LaneSquare>| beside.map_or(LetterSet::EMPTY, |square| square.cross_set);
        let before = letters(graph, list) & fitting(lane[..run.start].last());
        let behind = graph.find(list, 0).map_or(LetterSet::EMPTY, |switch| letters(graph, switch.arc())) & fitting(lane.get(run.end));
        let left_room = if before.is_empty() { 0 } else { anchor.left_room };
        self.add_with_extents(lane, Anchor { list, before, behind, left_room, ..anchor });
    }

    /// Adds a hook, whose plays may use the squares of `room`.
    fn add_hook(&mut self, lane: &[LaneSquare], graph: &WordGraph, position: usize, room: Range<usize>, detail: Detail) {
        if lane[position].cross_set.is_empty() {
            return;
        }
        let anchor = Anchor {
            first: position as u8,
            last: position as u8,
            left_room: (position - room.start) as u8,
            right_end: room.end as u8,
            is_hook: true,
            list: graph.gaddag_root(),
            run_sum: 0,
            before: LetterSet::ALL,
            behind: LetterSet::ALL,
            first_extent: 0,
            end_extent: 0,
        };
        match detail {
            Detail::Anchors => self.anchors.push(anchor),
            Detail::Extents(_) => self.add_with_extents(lane, anchor),
        }
    }

    /// Adds an anchor with its extents, if it has any.
    fn add_with_extents(&mut self, lane: &[LaneSquare], mut anchor: Anchor) {
        anchor.first_extent = self.extents.len() as u16;
        let mut left = GrowingExtent::start(lane, &anchor);
        // Outer steps: one tile more to the left.
        for left_tiles in 0..=anchor.left_room as usize {
            if left_tiles > 0 && (left.tiles == self.most_tiles || !left.take(lane, anchor.first as usize - left_tiles)) {
                break;
            }
            let first = anchor.first as usize - left_tiles;
            let right_end = if left_tiles == 0 && anchor.behind.is_empty() { 0 } else { anchor.right_end as usize };
            let mut whole = left;
            let mut end = anchor.last as usize + 1;
            // Inner steps: one tile more to the right, and over the run after it.
            for right_tiles in 0.. {
                if whole.tiles > 0 && end - first >= 2 {
                    let anchor = self.anchors.len() as u8;
                    let (left, right) = (left_tiles as u8, right_tiles as u8);
                    self.extents.push(Extent { anchor, left, right, first: first as u8, end: end as u8, ..whole.extent() });
                }
                if end >= right_end || whole.tiles == self.most_tiles || !whole.take(lane, end) {
                    break;
                }
                end += 1;
                while end < lane.len() && !lane[end].is_empty() {
                    whole.pass(&lane[end]);
                    end += 1;
                }
            }
        }
        anchor.end_extent = self.extents.len() as u16;
        if anchor.first_extent < anchor.end_extent {
            self.anchors.push(anchor);
        }
    }
}

/// The letters of a list.
fn letters(graph: &WordGraph, list: NodeIndex) -> LetterSet {
    LetterSet::from_bits(graph.siblings(list).fold(0, |bits, node| bits | 1 << node.tile()))
}

/// An extent that grows, square by square.
#[derive(Clone, Copy)]
struct GrowingExtent {
    /// See [`Extent::multipliers`].
    multipliers: [i16; MAX_RACK],
    tiles: usize,
    squares: LaneSquares,
    word_factor: i32,
    through: Through,
    through_points: i32,
    cross: i32,
}

impl GrowingExtent {
    fn start(lane: &[LaneSquare], anchor: &Anchor) -> GrowingExtent {
        let mut extent = GrowingExtent {
            multipliers: [0; MAX_RACK],
            tiles: 0,
            squares: LaneSquares::EMPTY,
            word_factor: 1,
            through: Through::NOTHING,
            through_points: 0,
            cross: 0,
        };
        if anchor.is_hook {
            extent.take(lane, anchor.first as usize);
        } else {
            lane[anchor.first as usize..=anchor.last as usize].iter().for_each(|square| extent.pass(square));
        }
        extent
    }

    /// Adds a square that has a tile.
    fn pass(&mut self, square: &LaneSquare) {
        self.through_points += i32::from(square.value);
        self.through = square.tile.map_or(self.through, |tile| self.through.with(tile.letter()));
    }

    /// Adds a square; `false` if no letter at all fits there.
    #[inline]
    fn take(&mut self, lane: &[LaneSquare], position: usize) -> bool {
        let square = &lane[position];
        if square.cross_set.is_empty() {
            return false;
        }
        self.tiles += 1;
        self.squares |= LaneSquares::at(position);
        if square.has_cross() {
            self.cross += square.cross_sum as i32 * square.word_factor as i32;
        }
        if square.word_factor == 1 {
            self.insert(square);
            return true;
        }
        self.word_factor *= square.word_factor as i32;
        self.multipliers = [0; MAX_RACK];
        for taken in self.squares.positions() {
            self.insert(&lane[taken]);
        }
        true
    }

    #[inline]
    fn insert(&mut self, square: &LaneSquare) {
        let own_word = if square.has_cross() { square.word_factor as i32 } else { 0 };
        let multiplier = (square.letter_factor as i32 * (self.word_factor + own_word)).min(i16::MAX as i32) as i16;
        insert_falling(&mut self.multipliers, multiplier);
    }

    /// The extent so far, without its place and its anchor.
    fn extent(&self) -> Extent {
        Extent {
            multipliers: self.multipliers,
            fixed: self.word_factor * self.through_points + self.cross,
            left: 0,
            right: 0,
            tiles: self.tiles as u8,
            first: 0,
            end: 0,
            through: self.through,
            anchor: 0,
            squares: self.squares,
        }
    }
}

/// Puts a number among others, in falling order. The last one is lost.
#[inline]
pub(super) fn insert_falling(falling: &mut [i16; MAX_RACK], number: i16) {
    // PERF: in this form it becomes a few vector instructions.
    let mut before = [i16::MAX; MAX_RACK];
    before[1..].copy_from_slice(&falling[..MAX_RACK - 1]);
    for (here, before) in falling.iter_mut().zip(before) {
        *here = (*here).max(number.min(before));
    }
}
