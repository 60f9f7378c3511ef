//! Sets of squares: those that a placement takes, and those on whose being empty it depends.

use crate::movegen::LaneBoard;
use crate::rules::layout::MAX_DIM;
use crate::rules::{Direction, Placement, Square};

const WORDS: usize = (MAX_DIM * MAX_DIM).div_ceil(64);

/// A set with a bit for each square of the largest board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Squares([u64; WORDS]);

impl Squares {
    pub const NONE: Squares = Squares([0; WORDS]);

    /// The squares on which a placement puts tiles.
    #[inline]
    pub fn taken_by(placement: &Placement) -> Squares {
        let mut squares = Squares::NONE;
        for (square, _) in placement.placed() {
            squares.add(square);
        }
        squares
    }

    /// The empty squares whose state a placement's words and score depend on: those it covers, those at the ends of its main word,
    /// and those at the ends of its cross words (beside each placed tile, where there is none).
    pub fn needed_by(board: &LaneBoard, placement: &Placement) -> Squares {
        let mut squares = Squares::taken_by(placement);
        let dim = board.dim();
        let across = placement.direction.other();
        let ends_across = placement.placed().flat_map(|(square, _)| [-1, 1].map(|step| end_of_run(board, square, across, step)));
        let ends = [-1, placement.word_len() as isize].map(|step| placement.start.step(placement.direction, step, dim));
        for square in ends_across.chain(ends).flatten() {
            squares.add(square);
        }
        squares
    }

    /// Whether no square is in both.
    #[inline]
    pub fn are_apart_from(&self, other: &Squares) -> bool {
        self.0.iter().zip(other.0).all(|(mine, other)| mine & other == 0)
    }

    /// The squares of both.
    #[inline]
    pub fn with(&self, other: &Squares) -> Squares {
        Squares(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    #[inline]
    fn add(&mut self, square: Square) {
        let bit = square.index(MAX_DIM);
        self.0[bit / 64] |= 1 << (bit % 64);
    }
}

/// The first empty square from here in a direction; `None` at the edge of the board.
fn end_of_run(board: &LaneBoard, square: Square, direction: Direction, step: isize) -> Option<Square> {
    let mut here = square.step(direction, step, board.dim())?;
    while board.view(here, direction).tile != 0 {
        here = here.step(direction, step, board.dim())?;
    }
    Some(here)
}
