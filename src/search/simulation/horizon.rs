//! How far rollouts go.

use crate::search::phase::Phase;

/// Plies after the candidate where the end is far, if the request does not say.
pub const DEFAULT_PLIES: usize = 2;

/// How far rollouts go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Horizon {
    /// So many plies after the candidate, further only with an empty bag.
    Plies(usize),
    /// To the end of the game, always.
    End,
}

impl Horizon {
    /// The horizon if the request does not say: two plies, as is usual [Sheppard 2002], or the end of the game where it is near
    /// and the result can be played for.
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

    /// Plies whose scores are told.
    pub fn told_plies(self) -> usize {
        match self {
            Horizon::Plies(plies) => plies,
            Horizon::End => DEFAULT_PLIES,
        }
    }
}
