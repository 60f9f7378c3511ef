//! Lanes by number, sets of lanes, and sets of a lane's squares.
//!
//! Not here: what lies on the squares (`lane_square.rs`, `lanes.rs`). A set of squares of the whole board is
//! `search/endgame/squares.rs`.

use crate::rules::layout::MAX_DIM;
use std::ops::{BitOr, BitOrAssign};

/// Lanes of the largest board.
pub const MAX_LANES: usize = 2 * MAX_DIM;

const _: () = assert!(MAX_LANES <= 64, "a set of lanes has 64 bits");
const _: () = assert!(MAX_DIM + 2 <= 32, "a word and the squares at its ends have room in 32 bits");

/// The number of a lane of a board: rows first, then columns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
#[repr(transparent)]
pub struct LaneNumber(u8);

impl LaneNumber {
    /// The lane with this number, below [`MAX_LANES`].
    #[inline]
    pub const fn new(number: usize) -> LaneNumber {
        debug_assert!(number < MAX_LANES);
        LaneNumber(number as u8)
    }

    /// The first `count` lanes.
    #[inline]
    pub fn first(count: usize) -> impl DoubleEndedIterator<Item = LaneNumber> + ExactSizeIterator + Clone {
        (0..count as u8).map(LaneNumber)
    }

    /// As an array index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Some lanes of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(transparent)]
pub struct LaneSet(u64);

impl LaneSet {
    /// No lane.
    pub const EMPTY: LaneSet = LaneSet(0);

    /// Every lane.
    pub const ALL: LaneSet = LaneSet(u64::MAX);

    /// Whether the lane is one of them.
    #[inline]
    pub const fn has(self, lane: LaneNumber) -> bool {
        self.0 >> lane.0 & 1 != 0
    }
}

impl FromIterator<LaneNumber> for LaneSet {
    #[inline]
    fn from_iter<I: IntoIterator<Item = LaneNumber>>(lanes: I) -> LaneSet {
        LaneSet(lanes.into_iter().fold(0, |set, lane| set | 1 << lane.0))
    }
}

/// Some squares of one lane, one bit per position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(transparent)]
pub struct LaneSquares(u32);

impl LaneSquares {
    /// No square.
    pub const EMPTY: LaneSquares = LaneSquares(0);

    /// Every square.
    pub const WHOLE_LANE: LaneSquares = LaneSquares(u32::MAX);

    /// The square at this position.
    #[inline]
    pub const fn at(position: usize) -> LaneSquares {
        LaneSquares(1 << position)
    }

    /// The square at this position if `is_in`, else no square. PERF: without a branch.
    #[inline]
    pub const fn at_if(position: usize, is_in: bool) -> LaneSquares {
        LaneSquares((is_in as u32) << position)
    }

    /// The squares on which a word from `first` to before `end` depends: its own and those at its ends.
    #[inline]
    pub const fn of_word(first: usize, end: usize) -> LaneSquares {
        LaneSquares(((1 << (end - first + 2)) - 1) << first >> 1)
    }

    /// Whether there are none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the square at this position is one of them.
    #[inline]
    pub const fn has(self, position: usize) -> bool {
        self.0 >> position & 1 != 0
    }

    /// Whether some square is in both sets.
    #[inline]
    pub const fn meets(self, other: LaneSquares) -> bool {
        self.0 & other.0 != 0
    }

    /// The positions of the squares, in rising order.
    #[inline]
    pub fn positions(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let position = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            Some(position)
        })
    }
}

impl BitOr for LaneSquares {
    type Output = LaneSquares;

    #[inline]
    fn bitor(self, other: LaneSquares) -> LaneSquares {
        LaneSquares(self.0 | other.0)
    }
}

impl BitOrAssign for LaneSquares {
    #[inline]
    fn bitor_assign(&mut self, other: LaneSquares) {
        self.0 |= other.0;
    }
}

impl FromIterator<usize> for LaneSquares {
    /// The squares at these positions.
    #[inline]
    fn from_iter<I: IntoIterator<Item = usize>>(positions: I) -> LaneSquares {
        positions.into_iter().fold(LaneSquares::EMPTY, |squares, position| squares | LaneSquares::at(position))
    }
}

/// Where a square lies in one of its two lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LanePlace {
    pub lane: LaneNumber,
    /// How many squares of the lane come before it.
    pub position: usize,
}
