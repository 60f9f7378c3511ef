//! Sets of squares: those that a placement takes, and those that must stay empty for it.

use crate::movegen::{LaneBoard, LaneNumber};
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

    /// The empty squares that a placement's words and score depend on: those it covers, those at the ends of its main word, and those
    /// at the ends of its cross words. A placed tile without a cross word counts as one of a single letter.
    pub fn needed_by(board: &LaneBoard, placement: &Placement) -> Squares {
        let across = placement.direction.other();
        let crosses = placement.placed().map(|(square, _)| Squares::with_ends_across(board, square, across));
        crosses.fold(Squares::ends_of(board, placement), |needed, cross| needed.with(&cross))
    }

    /// The squares at the ends of the main word.
    fn ends_of(board: &LaneBoard, placement: &Placement) -> Squares {
        let ends = [-1, placement.word_len() as isize].map(|step| placement.start.step(placement.direction, step, board.dim()));
        ends.into_iter().flatten().collect()
    }

    /// An empty square, and those at the ends of the cross word that a tile on it makes.
    fn with_ends_across(board: &LaneBoard, square: Square, across: Direction) -> Squares {
        let ends = [-1, 1].map(|step| end_of_run(board, square, across, step));
        ends.into_iter().flatten().chain([square]).collect()
    }

    /// The squares, in order.
    pub fn iter(&self) -> impl Iterator<Item = Square> {
        self.0.iter().enumerate().flat_map(|(word, &bits)| {
            let mut rest = bits;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| 64 * word + rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(Square::at(bit / MAX_DIM, bit % MAX_DIM))
            })
        })
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

impl FromIterator<Square> for Squares {
    fn from_iter<T: IntoIterator<Item = Square>>(squares: T) -> Squares {
        let mut set = Squares::NONE;
        squares.into_iter().for_each(|square| set.add(square));
        set
    }
}

/// What the placements of a lane depend on, worked out once for all of them.
pub(super) struct LaneNeeds {
    /// By position in the lane: an empty square, and the ends across it.
    crosses: [Squares; MAX_DIM],
}

impl LaneNeeds {
    pub fn of(board: &LaneBoard, lane: LaneNumber) -> LaneNeeds {
        let mut crosses = [Squares::NONE; MAX_DIM];
        for (position, cross) in crosses.iter_mut().enumerate().take(board.dim()) {
            let (square, direction) = board.square_at(lane, position);
            if board.view(square, direction).is_empty() {
                *cross = Squares::with_ends_across(board, square, direction.other());
            }
        }
        LaneNeeds { crosses }
    }

    /// As [`Squares::needed_by`], for a placement in the lane.
    pub fn of_placement(&self, board: &LaneBoard, placement: &Placement) -> Squares {
        let first = board.lane_of(placement.start, placement.direction).position;
        let placed = self.crosses[first..].iter().zip(placement.tiles()).filter(|(_, placed)| placed.is_some());
        placed.fold(Squares::ends_of(board, placement), |needed, (cross, _)| needed.with(cross))
    }
}

/// The first empty square from here in a direction; `None` if the edge of the board comes first.
fn end_of_run(board: &LaneBoard, square: Square, direction: Direction, step: isize) -> Option<Square> {
    let mut here = square.step(direction, step, board.dim())?;
    while !board.view(here, direction).is_empty() {
        here = here.step(direction, step, board.dim())?;
    }
    Some(here)
}
