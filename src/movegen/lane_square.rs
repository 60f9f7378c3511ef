//! A square as a lane sees it, and which letters fit it.
//!
//! Not here: how squares are kept up to date from play to play (`lanes.rs`). Start with [`LaneSquare`].

use crate::rules::{LetterSet, Placed};

/// A square as a lane sees it.
///
/// Tiles *beside* the square are those that touch it across the lane: the runs of tiles that end right before it and begin right
/// after it in the lane that crosses here. A tile on the square makes a cross word with them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct LaneSquare {
    /// The letters that make a word with the tiles beside the square; all letters if there are no such tiles, or if the square is
    /// taken.
    pub cross_set: LetterSet,
    /// Points of the tiles beside the square.
    pub cross_sum: i16,
    /// Points of the tile on the square, 0 without one.
    pub value: i16,
    /// The tile on the square.
    pub tile: Option<Placed>,
    /// What the square multiplies the points of a tile by.
    pub letter_factor: u8,
    /// What the square multiplies the points of a word by.
    pub word_factor: u8,
    /// What a tile placed here touches across the lane.
    pub touches: Touches,
}

/// What a tile placed on an empty square touches across the lane. On a taken square: nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Touches {
    Nothing,
    /// Nothing, but it is the start square of an empty board.
    Start,
    /// Tiles beside the square.
    Tiles,
}

const _: () = assert!(size_of::<LaneSquare>() == 16, "squares are read in the inner loop: four to a cache line");

impl LaneSquare {
    /// An empty square without premium and without tiles beside it.
    pub const PLAIN: LaneSquare = LaneSquare {
        cross_set: LetterSet::ALL,
        cross_sum: 0,
        tile: None,
        value: 0,
        letter_factor: 1,
        word_factor: 1,
        touches: Touches::Nothing,
    };

    /// Whether there are tiles beside the square. Never if the square is taken.
    #[inline]
    pub fn has_cross(&self) -> bool {
        self.touches == Touches::Tiles
    }

    /// Whether a play along this lane touches the board by covering the square: it has tiles beside it, or it is the start square
    /// of an empty board.
    #[inline]
    pub fn is_hook(&self) -> bool {
        self.touches != Touches::Nothing
    }

    /// The number of the letter on it, 0 without one.
    #[inline]
    pub fn letter_number(&self) -> u8 {
        self.tile.map_or(0, |tile| tile.letter().number())
    }

    /// Whether there is no tile on it.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.tile.is_none()
    }
}
