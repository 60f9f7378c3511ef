//! The countdown to the end of a game: turns without points, and last turns once the bag is empty.
//!
//! Not here: going out, and the end on a dead board (`position.rs` for a referee, `search/dealt_game.rs` for playouts), and what an end
//! pays (`ending.rs`). Start with [`Countdown::after`].

use crate::rules::ending::GameEnd;
use crate::rules::variant::Variant;

/// The counts of turns that end a game: those without points, and in some variants last turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Countdown {
    /// Successive turns without points up to now.
    pub zero_turns: u32,
    /// How many turns are left, once a turn has emptied the bag in a variant with [last turns](Variant::last_turns). `None` before
    /// that, and in other variants.
    pub last_turns: Option<u32>,
}

impl Countdown {
    /// The countdown after this many turns without points, while there are tiles in the bag.
    pub const fn of_zero_turns(zero_turns: u32) -> Countdown {
        Countdown { zero_turns, last_turns: None }
    }

    /// The countdown after one more turn, which scores these points and leaves this many tiles in the bag.
    #[inline]
    #[must_use]
    pub fn after(self, variant: Variant, points: i32, in_bag: usize) -> Countdown {
        let zero_turns = if points == 0 { self.zero_turns + 1 } else { 0 };
        Countdown { zero_turns, last_turns: self.last_turns_after(variant, in_bag == 0) }
    }

    /// The number of last turns after one more turn, which leaves the bag empty or not.
    #[inline]
    pub fn last_turns_after(self, variant: Variant, bag_is_empty: bool) -> Option<u32> {
        match self.last_turns {
            Some(turns) => Some(turns.saturating_sub(1)),
            None if bag_is_empty => variant.last_turns(),
            None => None,
        }
    }

    /// How the game has ended, if it has: after `max_zero_turns` successive turns without points, or after the last turns. While last
    /// turns are counted, turns without points do not end the game, since each player has exactly one turn left.
    #[inline]
    pub fn end(self, max_zero_turns: u32) -> Option<GameEnd> {
        match self.last_turns {
            Some(0) => Some(GameEnd::LastTurns),
            None if self.zero_turns >= max_zero_turns => Some(GameEnd::ZeroTurns),
            Some(_) | None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_turns_are_counted_from_the_empty_bag_on_and_turns_without_points_before_it() {
        let after = |variant: Variant, turns: &[(i32, usize)]| {
            turns.iter().fold(Countdown::default(), |now, &(points, in_bag)| now.after(variant, points, in_bag))
        };
        let crossplay = |turns: &[(i32, usize)]| after(Variant::Crossplay, turns);
        assert_eq!(crossplay(&[(10, 3), (0, 3)]), Countdown::of_zero_turns(1));
        assert_eq!(crossplay(&[(0, 3), (10, 0)]), Countdown { zero_turns: 0, last_turns: Some(2) });
        assert_eq!(crossplay(&[(10, 0), (0, 0)]), Countdown { zero_turns: 1, last_turns: Some(1) });
        assert_eq!(after(Variant::Classic, &[(10, 0), (0, 0)]), Countdown::of_zero_turns(1));
        let ends = |turns: &[(i32, usize)]| crossplay(turns).end(2);
        assert_eq!(ends(&[(0, 9), (0, 9)]), Some(GameEnd::ZeroTurns));
        assert_eq!([ends(&[(5, 0)]), ends(&[(0, 0), (0, 0)]), ends(&[(0, 0), (0, 0), (0, 0)])], [None, None, Some(GameEnd::LastTurns)]);
    }
}
