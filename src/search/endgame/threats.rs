//! What the other side threatens to go out with: true upper bounds for turns that do nothing against it, without a search.
//!
//! Say the other side can place its whole rack on the board as it is, and a turn touches none of the squares on which that placement
//! depends. Then the placement is still possible after the turn, with the same score. So the turn is worth at most its own score,
//! less the score of the threat, less what the other side gains for the points that stay on the rack.

use crate::movegen::lane_numbers::{LanePlace, MAX_LANES};
use crate::movegen::{LaneBoard, LaneNumber, LaneSquares};
use crate::rules::Direction;
use crate::search::endgame::moves::Move;
use crate::search::endgame::squares::Squares;

/// The highest threats are looked at, so many of them.
const MAX_THREATS: usize = 6;

/// A placement of a whole rack, and the empty squares that must stay empty for it.
#[derive(Clone, Copy, Debug)]
struct Threat {
    score: i32,
    /// By lane.
    needed: [LaneSquares; MAX_LANES],
}

/// The other side's placements that would end the game, highest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Threats(Vec<Threat>);

impl Threat {
    fn new(board: &LaneBoard, m: &Move) -> Threat {
        let mut needed = [LaneSquares::EMPTY; MAX_LANES];
        for square in Squares::needed_by(board, &m.placement).iter() {
            for direction in Direction::ALL {
                let LanePlace { lane, position } = board.lane_of(square, direction);
                needed[lane.index()] |= LaneSquares::at(position);
            }
        }
        Threat { score: m.score, needed }
    }
}

impl Threats {
    /// The highest of these moves, each of which places the whole rack.
    pub fn new(board: &LaneBoard, moves: &mut [Move]) -> Threats {
        moves.sort_unstable_by_key(|m| (std::cmp::Reverse(m.score), m.hash));
        Threats(moves.iter().take(MAX_THREATS).map(|m| Threat::new(board, m)).collect())
    }

    /// The score of the best threat.
    pub fn after_pass(&self) -> Option<i32> {
        self.0.first().map(|threat| threat.score)
    }

    /// The score of the best threat that is still there after tiles were put on these squares of a lane.
    #[inline]
    pub fn after(&self, lane: LaneNumber, takes: LaneSquares) -> Option<i32> {
        self.0.iter().find(|threat| !threat.needed[lane.index()].meets(takes)).map(|threat| threat.score)
    }
}
