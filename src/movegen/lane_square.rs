//! A square as a lane sees it, and which letters fit it.
//!
//! Not here: how squares are kept up to date from play to play (`lanes.rs`). Start with [`LaneSquare`].

use crate::lexicon::anagrams::Anagrams;
use crate::lexicon::word_graph::{NodeIndex, WordGraph};
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

    /// Whether there is no tile on it.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.tile.is_none()
    }
}

/// The place in the word graph that reading tiles has led to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reached {
    /// The letters that may follow.
    pub list: NodeIndex,
    /// Whether what was read is a word, or in the GADDAG a word's path.
    pub accepts: bool,
}

/// Reads the tiles of squares, all of which are taken, starting from a list. `None` if the graph has no such path.
#[inline]
pub fn read_tiles<'a>(graph: &WordGraph, list: NodeIndex, squares: impl Iterator<Item = &'a LaneSquare>) -> Option<Reached> {
    let mut reached = Reached { list, accepts: false };
    for tile in squares.filter_map(|square| square.tile) {
        let node = graph.find(reached.list, tile.letter().number())?;
        reached = Reached { list: node.arc(), accepts: node.accepts() };
    }
    Some(reached)
}

/// The letters that make a word with these tiles, in any order.
fn letters_with<'a>(anagrams: &Anagrams, squares: impl Iterator<Item = &'a LaneSquare>) -> LetterSet {
    let letters: Vec<u8> = squares.filter_map(|square| square.tile).map(|tile| tile.letter().number()).collect();
    anagrams.completing(anagrams.hash(&letters), &letters)
}

/// The letters that make a word of the tiles `before`, the letter, and the tiles `behind`, at least one of which must not be empty.
pub fn letters_between(graph: &WordGraph, before: &[LaneSquare], behind: &[LaneSquare]) -> LetterSet {
    if let Some(anagrams) = graph.anagrams() {
        return letters_with(anagrams, before.iter().chain(behind));
    }
    let read_forward = |list: NodeIndex, squares: &[LaneSquare]| read_tiles(graph, list, squares.iter());
    let read_backward = |list: NodeIndex, squares: &[LaneSquare]| read_tiles(graph, list, squares.iter().rev());
    let word_ends = |reached: Option<Reached>| reached.map_or(LetterSet::EMPTY, |reached| graph.letter_set(reached.list));
    if behind.is_empty() {
        return word_ends(read_forward(graph.dawg_root(), before));
    }
    if before.is_empty() {
        return word_ends(read_backward(graph.gaddag_root(), behind));
    }
    // Read the longer run once, and the shorter one after every letter that continues it.
    let is_forward = before.len() >= behind.len();
    let longer = if is_forward { read_forward(graph.dawg_root(), before) } else { read_backward(graph.gaddag_root(), behind) };
    let mut set = LetterSet::EMPTY;
    for node in longer.into_iter().flat_map(|longer| graph.siblings(longer.list)).filter(|node| node.tile() != 0) {
        let shorter = if is_forward { read_forward(node.arc(), behind) } else { read_backward(node.arc(), before) };
        if shorter.is_some_and(|reached| reached.accepts) {
            set = set.with_number(node.tile());
        }
    }
    set
}
