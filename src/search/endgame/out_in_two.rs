//! Going out in two turns: a placement now, and the rest of the rack on the next turn.
//!
//! Such a plan leaves the other side one turn to answer it, so it is looked at early. It changes the order of turns and nothing
//! else: the second placement may be impossible after the first one and the other side's turn.

use crate::search::endgame::moves::Move;
use crate::search::endgame::packed_tiles::{PackedTiles, Packing, PartNumbers};

/// A rack with more parts has no plans. Seven tiles have at most 128.
const MAX_PARTS: usize = 256;

/// For each part of a rack, the best score of the placements that use exactly its tiles.
pub(super) struct OutInTwo {
    rack: PackedTiles,
    numbers: PartNumbers,
    best: [Option<i32>; MAX_PARTS],
}

impl OutInTwo {
    /// The scores of a rack's placements, given with the tiles that they use; `None` if the rack has too many parts.
    pub fn new(packing: &Packing, rack: PackedTiles, placements: impl Iterator<Item = (PackedTiles, i32)>) -> Option<OutInTwo> {
        let numbers = packing.part_numbers(rack)?;
        if numbers.parts > MAX_PARTS {
            return None;
        }
        let mut plans = OutInTwo { rack, numbers, best: [None; MAX_PARTS] };
        for (tiles, score) in placements {
            let best = &mut plans.best[plans.numbers.number(tiles)];
            *best = (*best).max(Some(score));
        }
        Some(plans)
    }

    /// The best score of placing, on the board as it is, all that this placement leaves on the rack.
    #[inline]
    pub fn second_score(&self, first: &Move) -> Option<i32> {
        self.best[self.numbers.number(self.rack.without(first.tiles))]
    }
}
