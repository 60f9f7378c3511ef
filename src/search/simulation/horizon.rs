//! How far rollouts go.

use crate::search::phase::Phase;

/// Plies after the candidate if the request does not say and the end of the game is far.
pub const DEFAULT_PLIES: usize = 2;

/// How far rollouts go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Horizon {
    /// This number of plies after the candidate; further only with an empty bag.
    Plies(usize),
    /// To the end of the game, always.
    End,
}

impl Horizon {
    /// The horizon if the request does not say: two plies, as is usual [Sheppard 2002], or the end of the game where it is near
    /// enough to play for the result.
    pub fn usual(in_bag: usize) -> Horizon {
        if Phase::of(in_bag) >= Phase::Approach { Horizon::End } else { Horizon::Plies(DEFAULT_PLIES) }
    }

    /// Whether ply number `ply` (from 0) is played whatever is in the bag.
    pub fn covers(self, ply: usize) -> bool {
        match self {
            Horizon::Plies(plies) => ply < plies,
            Horizon::End => true,
        }
    }

    /// Plies whose scores are reported.
    pub fn told_plies(self) -> usize {
        match self {
            Horizon::Plies(plies) => plies,
            Horizon::End => DEFAULT_PLIES,
        }
    }
}
