//! The two seats of a game, and values for each of them.
//!
//! Not here: the players of a match, who change seats (`match_play/game.rs`). Start with [`Seat`] and [`BySeat`].

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ops::Sub;

/// One of the two players of a position. The first one begins the game. In a position read from CGP, that is the player listed first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Seat {
    /// The player who begins.
    First,
    /// The other player.
    Second,
}

impl Seat {
    /// Both seats, in the order of their turns.
    pub const BOTH: [Seat; 2] = [Seat::First, Seat::Second];

    /// The seat on turn after this many turns of a game that the first seat began.
    pub const fn after_turns(turns: usize) -> Seat {
        Seat::BOTH[turns % 2]
    }

    /// The other seat.
    #[inline]
    pub const fn opponent(self) -> Seat {
        match self {
            Seat::First => Seat::Second,
            Seat::Second => Seat::First,
        }
    }

    /// 0 for the first seat, 1 for the second.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The seat with this [index](Seat::index), if there is one.
    pub fn from_index(index: usize) -> Option<Seat> {
        Seat::BOTH.get(index).copied()
    }
}

/// A seat is written as its [index](Seat::index).
impl Serialize for Seat {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.index().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Seat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Seat, D::Error> {
        let index = usize::deserialize(deserializer)?;
        Seat::from_index(index).ok_or_else(|| D::Error::custom(format_args!("seat {index} does not exist: the seats are 0 and 1")))
    }
}

/// A value for each seat, in the order of the seats. Only a [`Seat`] indexes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BySeat<T>(pub [T; 2]);

impl<T> BySeat<T> {
    /// Makes another value for each seat.
    pub fn map<U>(self, of: impl FnMut(T) -> U) -> BySeat<U> {
        BySeat(self.0.map(of))
    }
}

impl<T: Copy> BySeat<T> {
    /// The value of this seat, then that of the other seat.
    #[inline]
    pub fn own_first(&self, seat: Seat) -> [T; 2] {
        [self[seat], self[seat.opponent()]]
    }

    /// The value of this seat minus that of the other seat.
    #[inline]
    pub fn lead(&self, seat: Seat) -> T
    where
        T: Sub<Output = T>,
    {
        self[seat] - self[seat.opponent()]
    }
}

/// Implements indexing by `$of`, and by nothing else, for a type around an array of two.
macro_rules! indexed_by {
    ($by:ident, $of:ty) => {
        impl<T> std::ops::Index<$of> for $by<T> {
            type Output = T;

            #[inline]
            fn index(&self, of: $of) -> &T {
                &self.0[of.index()]
            }
        }

        impl<T> std::ops::IndexMut<$of> for $by<T> {
            #[inline]
            fn index_mut(&mut self, of: $of) -> &mut T {
                &mut self.0[of.index()]
            }
        }
    };
}
pub(crate) use indexed_by;

indexed_by!(BySeat, Seat);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_alternate_and_a_lead_is_a_difference() {
        assert_eq!([0, 1, 2, 3].map(Seat::after_turns), [Seat::BOTH, Seat::BOTH].concat()[..]);
        for seat in Seat::BOTH {
            assert_eq!((Seat::from_index(seat.index()), seat.opponent().opponent()), (Some(seat), seat));
        }
        let scores = BySeat([30, 10]);
        assert_eq!(Seat::BOTH.map(|seat| scores.lead(seat)), [20, -20]);
        assert_eq!(Seat::BOTH.map(|seat| scores.own_first(seat)), [[30, 10], [10, 30]]);
    }

    #[test]
    fn seats_are_0_and_1_in_json() {
        assert_eq!(serde_json::to_string(&BySeat(Seat::BOTH)).unwrap(), "[0,1]");
        assert_eq!(serde_json::from_str::<BySeat<Seat>>("[1,0]").unwrap(), BySeat([Seat::Second, Seat::First]));
        let wrong = serde_json::from_str::<Seat>("2").unwrap_err().to_string();
        assert!(wrong.starts_with("seat 2 does not exist: the seats are 0 and 1"), "{wrong}");
    }
}
