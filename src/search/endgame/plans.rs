//! Plans of two turns: a placement now, and the rest of the rack on the next turn.
//!
//! Who can go out that way needs few answers to whatever the other side does in between, so such turns are looked at early.
//! Only an order: whether the second placement is still there after the first one and the other side's turn is not asked.

use crate::search::endgame::moves::Move;
use crate::search::endgame::state::{Fields, Tiles};

/// Parts of a rack that are told apart; a rack with more has no plans. Seven tiles have at most 128.
const MAX_PARTS: usize = 256;

/// By part of the rack: the best score of the placements that use exactly it.
pub(super) struct Plans {
    rack: Tiles,
    /// Fields of the rack, with what one tile there adds to the number of a part.
    strides: Fields,
    best: [Option<i16>; MAX_PARTS],
}

impl Plans {
    /// Of this rack and its placements, with their scores; `None` if it has too many parts.
    pub fn new(rack: Tiles, placements: impl Iterator<Item = (Tiles, i16)>) -> Option<Plans> {
        let (strides, parts) = rack.strides();
        if parts > MAX_PARTS {
            return None;
        }
        let mut plans = Plans { rack, strides, best: [None; MAX_PARTS] };
        for (tiles, score) in placements {
            let best = &mut plans.best[plans.strides.number(tiles)];
            *best = (*best).max(Some(score));
        }
        Some(plans)
    }

    /// The best score of placing, on the board as it is, all that this placement leaves on the rack.
    #[inline]
    pub fn rest(&self, m: &Move) -> Option<i32> {
        self.best[self.strides.number(self.rack.without(m.tiles))].map(i32::from)
    }
}
