//! What the other side threatens to go out with: true upper bounds for turns that do nothing against it, without a search.
//!
//! If the other side has a placement of its whole rack on the board as it is, and a turn touches none of the squares on which
//! that placement depends, then it is there after the turn, too, with the same score. So the turn is worth at most its own
//! score, less that score, less twice the points that stay on the rack.

use crate::movegen::LaneBoard;
use crate::rules::layout::MAX_DIM;
use crate::rules::{Direction, Placement, Square};
use crate::search::endgame::moves::Move;

/// Threats that are looked at: the highest.
const MAX_THREATS: usize = 6;

/// Words of a set with a bit for each square.
pub(super) const WORDS: usize = (MAX_DIM * MAX_DIM).div_ceil(64);

/// A placement of a whole rack, and what it depends on.
#[derive(Clone, Copy, Debug)]
struct Threat {
    score: i32,
    /// A bit by [`Square::index`] of the largest board: empty squares that must stay empty.
    squares: [u64; WORDS],
}

/// The other side's placements that would end the game, highest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Threats(Vec<Threat>);

impl Threats {
    /// Those among `moves`, which all place the whole rack.
    pub fn new(board: &LaneBoard, moves: &mut [Move]) -> Threats {
        moves.sort_unstable_by_key(|m| (std::cmp::Reverse(m.score), m.hash));
        let threat = |m: &Move| Threat { score: i32::from(m.score), squares: needed_squares(board, &m.placement) };
        Threats(moves.iter().take(MAX_THREATS).map(threat).collect())
    }

    /// The score of the best threat that is still there after this turn (`None` = pass).
    #[inline]
    pub fn after(&self, turn: Option<&Move>) -> Option<i32> {
        let is_there = |threat: &&Threat| {
            turn.is_none_or(|m| {
                m.placement.placed().all(|(square, _)| {
                    let bit = square.index(MAX_DIM);
                    threat.squares[bit / 64] >> (bit % 64) & 1 == 0
                })
            })
        };
        self.0.iter().find(is_there).map(|threat| threat.score)
    }
}

/// The empty squares whose state a placement's words and score depend on: those it covers, those at the ends of its main word,
/// and those at the ends of its cross words (beside each placed tile, where there is none).
pub(super) fn needed_squares(board: &LaneBoard, placement: &Placement) -> [u64; WORDS] {
    let mut squares = [0; WORDS];
    let mut add = |square: Option<Square>| {
        if let Some(square) = square {
            let bit = square.index(MAX_DIM);
            squares[bit / 64] |= 1 << (bit % 64);
        }
    };
    let dim = board.dim();
    let across = placement.direction.other();
    for (square, _) in placement.placed() {
        add(Some(square));
        add(end_of_run(board, square, across, -1));
        add(end_of_run(board, square, across, 1));
    }
    add(placement.start.step(placement.direction, -1, dim));
    add(placement.start.step(placement.direction, placement.word_len() as isize, dim));
    squares
}

/// The first empty square from here in a direction; `None` at the edge of the board.
fn end_of_run(board: &LaneBoard, square: Square, direction: Direction, step: isize) -> Option<Square> {
    let mut here = square.step(direction, step, board.dim())?;
    while board.view(here, direction).tile != 0 {
        here = here.step(direction, step, board.dim())?;
    }
    Some(here)
}
