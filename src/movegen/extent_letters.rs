//! The letters possible on an extent's empty squares. Worth computing for boards on which many
//! racks are tried.
//!
//! For each anchor, the word graph is searched for all words that any tiles could make. If there are too many, all letters are
//! taken to fit. Extents without a word are left out: on a midgame board, a third of them.

use crate::lexicon::word_graph::{NodeIndex, Reached, WordGraph};
use crate::movegen::anchors::{Anchor, LaneAnchors, MAX_RACK};
use crate::movegen::gaddag_walk::{self, AnchorWalk, WordPlace};
use crate::movegen::lane_square::LaneSquare;
use crate::rules::LetterSet;

/// Letters tried at an anchor before it counts as open to all.
const MOST_STEPS: usize = 1500;

/// The letters of words, by the number of tiles left and right of an anchor.
type ExtentLetters = [[LetterSet; MAX_RACK + 1]; MAX_RACK + 1];

impl LaneAnchors {
    /// Sets [`LaneAnchors::letters`] and drops extents without words. Does nothing the second time.
    pub fn learn_letters(&mut self, lane: &[LaneSquare], graph: &WordGraph) {
        if !self.letters.is_empty() {
            return;
        }
        let extents = std::mem::take(&mut self.extents);
        for anchor in &mut self.anchors {
            let letters = letters_at(anchor, lane, graph, self.most_tiles);
            let first_extent = self.extents.len() as u16;
            for extent in &extents[anchor.extents()] {
                let letters = letters.as_ref().map_or(LetterSet::ALL, |letters| letters[extent.left as usize][extent.right as usize]);
                if !letters.is_empty() {
                    self.extents.push(*extent);
                    self.letters.push(letters);
                }
            }
            (anchor.first_extent, anchor.end_extent) = (first_extent, self.extents.len() as u16);
        }
    }
}

/// The letters of all words at an anchor, `None` if there are too many words.
fn letters_at(anchor: &Anchor, lane: &[LaneSquare], graph: &WordGraph, most_tiles: usize) -> Option<ExtentLetters> {
    // A single letter, or a hook where any letter fits, always has too many words.
    let is_open = if anchor.is_hook { lane[anchor.first as usize].cross_set == LetterSet::ALL } else { anchor.first == anchor.last };
    if is_open {
        return None;
    }
    let mut walk = LetterWalk { graph, lane, most_tiles, steps: 0, letters: [[LetterSet::EMPTY; MAX_RACK + 1]; MAX_RACK + 1] };
    gaddag_walk::walk(&mut walk, anchor, anchor.list, LettersPlaced { letters: LetterSet::EMPTY, count: 0 });
    (walk.steps <= MOST_STEPS).then_some(walk.letters)
}

/// A walk with any tiles.
struct LetterWalk<'a> {
    graph: &'a WordGraph,
    lane: &'a [LaneSquare],
    most_tiles: usize,
    /// Letters tried. The walk stops when they are too many.
    steps: usize,
    letters: ExtentLetters,
}

/// The letters placed so far, and their number.
#[derive(Clone, Copy)]
struct LettersPlaced {
    letters: LetterSet,
    count: usize,
}

impl<'a> AnchorWalk<'a> for LetterWalk<'a> {
    type Sum = LettersPlaced;

    fn graph(&self) -> &'a WordGraph {
        self.graph
    }

    fn lane(&self) -> &'a [LaneSquare] {
        self.lane
    }

    fn place_each(
        &mut self,
        list: NodeIndex,
        position: usize,
        placed: LettersPlaced,
        mut go_on: impl FnMut(&mut Self, Reached, LettersPlaced),
    ) {
        if placed.count == self.most_tiles {
            return;
        }
        let fits = self.lane[position].cross_set;
        for node in self.graph.siblings(list).filter(|node| fits.has_number(node.tile())) {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return;
            }
            let placed = LettersPlaced { letters: placed.letters.with_number(node.tile()), count: placed.count + 1 };
            go_on(self, Reached { list: node.arc(), accepts: node.accepts() }, placed);
        }
    }

    fn with_board_tile(placed: LettersPlaced, _square: &LaneSquare) -> LettersPlaced {
        placed
    }

    fn take_word(&mut self, place: WordPlace, placed: LettersPlaced) {
        self.letters[place.left][place.right] |= placed.letters;
    }

    fn may_place(&self) -> bool {
        self.steps <= MOST_STEPS
    }
}
