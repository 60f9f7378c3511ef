//! What the other side threatens to go out with: true upper bounds for turns that do nothing against it, without a search.
//!
//! If the other side has a placement of its whole rack on the board as it is, and a turn touches none of the squares on which
//! that placement depends, then it is there after the turn, too, with the same score. So the turn is worth at most its own
//! score, less that score, less twice the points that stay on the rack.

use crate::movegen::LaneBoard;
use crate::search::endgame::moves::Move;
use crate::search::endgame::squares::Squares;

/// Threats that are looked at: the highest.
const MAX_THREATS: usize = 6;

/// A placement of a whole rack, and the empty squares that must stay empty for it.
#[derive(Clone, Copy, Debug)]
struct Threat {
    score: i32,
    needed: Squares,
}

/// The other side's placements that would end the game, highest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Threats(Vec<Threat>);

impl Threats {
    /// Those among `moves`, which all place the whole rack.
    pub fn new(board: &LaneBoard, moves: &mut [Move]) -> Threats {
        moves.sort_unstable_by_key(|m| (std::cmp::Reverse(m.score), m.hash));
        let threat = |m: &Move| Threat { score: i32::from(m.score), needed: Squares::needed_by(board, &m.placement) };
        Threats(moves.iter().take(MAX_THREATS).map(threat).collect())
    }

    /// The score of the best threat that is still there after this turn (`None` = pass).
    #[inline]
    pub fn after(&self, turn: Option<&Move>) -> Option<i32> {
        if self.0.is_empty() {
            return None;
        }
        let taken = turn.map_or(Squares::NONE, |m| Squares::taken_by(&m.placement));
        self.0.iter().find(|threat| threat.needed.are_apart_from(&taken)).map(|threat| threat.score)
    }
}
