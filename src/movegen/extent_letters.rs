//! Which letters can stand on an extent's empty squares in some word that fits there: worth knowing for boards that many racks are
//! tried on.
//!
//! For each anchor, all words that any tiles could make are gone through in the word graph, unless they are too many: then all
//! letters are taken to fit. Extents without a word are left out; a third of them are such on a midgame board.

use crate::lexicon::word_graph::{NodeIndex, WordGraph};
use crate::movegen::anchors::{Anchor, LaneAnchors, MAX_RACK};
use crate::movegen::lanes::{ANY_LETTER, LaneSquare, letter_number};

/// Letters tried at an anchor before it counts as open to all.
const MOST_STEPS: usize = 1500;

/// The letters of words by tiles left and right of an anchor.
type Letters = [[u64; MAX_RACK + 1]; MAX_RACK + 1];

impl LaneAnchors {
    /// Sets [`LaneAnchors::letters`] and drops extents without words. Does nothing the second time.
    pub fn learn_letters(&mut self, lane: &[LaneSquare], graph: &WordGraph) {
        if !self.letters.is_empty() {
            return;
        }
        let extents = std::mem::take(&mut self.extents);
        for anchor in &mut self.anchors {
            let letters = Words::new(graph, lane, self.most_tiles, anchor).letters();
            let first_extent = self.extents.len() as u16;
            for extent in &extents[anchor.first_extent as usize..anchor.end_extent as usize] {
                let letters = letters.as_ref().map_or(u64::MAX, |letters| letters[extent.left as usize][extent.right as usize]);
                if letters != 0 {
                    self.extents.push(*extent);
                    self.letters.push(letters);
                }
            }
            (anchor.first_extent, anchor.end_extent) = (first_extent, self.extents.len() as u16);
        }
    }
}

/// The words of an anchor that any tiles could make.
struct Words<'a> {
    graph: &'a WordGraph,
    lane: &'a [LaneSquare],
    most_tiles: usize,
    anchor: &'a Anchor,
    steps: usize,
    letters: Letters,
}

/// Too many words.
struct TooMany;

/// Letters placed, and how many.
#[derive(Clone, Copy)]
struct Placed {
    letters: u64,
    count: usize,
}

impl<'a> Words<'a> {
    fn new(graph: &'a WordGraph, lane: &'a [LaneSquare], most_tiles: usize, anchor: &'a Anchor) -> Words<'a> {
        Words { graph, lane, most_tiles, anchor, steps: 0, letters: [[0; MAX_RACK + 1]; MAX_RACK + 1] }
    }

    /// `None` if there are too many words.
    fn letters(mut self) -> Option<Letters> {
        let anchor = self.anchor;
        let nothing = Placed { letters: 0, count: 0 };
        let searched = if !anchor.is_hook {
            let is_letter = anchor.first == anchor.last;
            if is_letter { Err(TooMany) } else { self.leftward(anchor.list, false, 0, nothing) }
        } else if self.lane[anchor.first as usize].cross_set == ANY_LETTER {
            Err(TooMany)
        } else {
            let square = anchor.first as usize;
            self.place(anchor.list, square, nothing, |words, list, accepts, placed| words.leftward(list, accepts, 0, placed))
        };
        searched.is_ok().then_some(self.letters)
    }

    /// Tries all letters that fit on a square.
    fn place(
        &mut self,
        list: NodeIndex,
        position: usize,
        placed: Placed,
        mut go_on: impl FnMut(&mut Self, NodeIndex, bool, Placed) -> Result<(), TooMany>,
    ) -> Result<(), TooMany> {
        if list.is_none() || placed.count == self.most_tiles {
            return Ok(());
        }
        let (graph, fits) = (self.graph, self.lane[position].cross_set);
        for node in graph.siblings(list).filter(|node| fits >> node.tile() & 1 != 0) {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return Err(TooMany);
            }
            let placed = Placed { letters: placed.letters | 1 << node.tile(), count: placed.count + 1 };
            go_on(self, node.arc(), node.accepts(), placed)?;
        }
        Ok(())
    }

    /// With `left` tiles left of the anchor: the word may end here, turn to the right, or go on to the left.
    fn leftward(&mut self, list: NodeIndex, accepts: bool, left: usize, placed: Placed) -> Result<(), TooMany> {
        if accepts {
            self.letters[left][0] |= placed.letters;
        }
        if list.is_none() {
            return Ok(());
        }
        let (first, behind) = (self.anchor.first as usize, self.anchor.last as usize + 1);
        if behind < self.anchor.right_end as usize
            && let Some(switch) = self.graph.find(list, 0)
        {
            self.rightward(switch.arc(), behind, (left, 0), placed)?;
        }
        if left < self.anchor.left_room as usize {
            self.place(list, first - left - 1, placed, |words, list, accepts, placed| words.leftward(list, accepts, left + 1, placed))?;
        }
        Ok(())
    }

    /// Places a tile on the next empty square to the right, then reads the tiles behind it.
    fn rightward(&mut self, list: NodeIndex, position: usize, (left, right): (usize, usize), placed: Placed) -> Result<(), TooMany> {
        self.place(list, position, placed, |words, mut list, mut accepts, placed| {
            let mut next = position + 1;
            while next < words.lane.len() && words.lane[next].tile != 0 {
                let Some(node) = words.graph.find(list, letter_number(words.lane[next].tile)) else {
                    return Ok(());
                };
                (list, accepts) = (node.arc(), node.accepts());
                next += 1;
            }
            if accepts {
                words.letters[left][right + 1] |= placed.letters;
            }
            if next < words.anchor.right_end as usize {
                words.rightward(list, next, (left, right + 1), placed)?;
            }
            Ok(())
        })
    }
}
