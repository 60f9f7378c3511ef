//! A turn that was taken, and the reasons why a turn is not possible. Turns are taken in `position.rs`.

use crate::rules::play::{Placement, Play};
use crate::rules::scoring::PlacementError;
use thiserror::Error;

/// A turn as it was taken, even if not all of it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// A play that stands.
    Play(Play),
    /// An exchange of this many unknown tiles.
    ExchangeUnknown(usize),
    /// A play that was challenged off the board: no points, the tiles go back to the rack.
    Phony(Placement),
}

impl From<Play> for Turn {
    fn from(play: Play) -> Turn {
        Turn::Play(play)
    }
}

/// Why a turn or a position is not possible.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
#[non_exhaustive]
pub enum TurnError {
    /// A placement against the rules.
    #[error(transparent)]
    Placement(#[from] PlacementError),
    /// A tile that the player cannot have.
    #[error("there is no {tile} for this play: {place}")]
    MissingTile {
        /// The tile, as text.
        tile: String,
        /// Where it was looked for.
        place: &'static str,
    },
    /// A rack with more of a tile than the board and the other rack leave.
    #[error("this rack has more {tile} than are left: the rest is on the board or the other rack")]
    TakenTile {
        /// The tile, as text.
        tile: String,
    },
    /// More tiles than a rack holds.
    #[error("{found} tiles, a rack holds {rack_size}")]
    TooManyTiles {
        /// Tiles in the text.
        found: usize,
        /// Tiles on a full rack.
        rack_size: usize,
    },
    /// The bag is too small for an exchange.
    #[error("an exchange needs {limit} tiles in the bag, which has {in_bag}")]
    ExchangeLimit {
        /// Tiles in the bag.
        in_bag: usize,
        /// Tiles needed.
        limit: usize,
    },
    /// An exchange of nothing.
    #[error("an exchange needs at least one tile: write `pass` instead")]
    EmptyExchange,
    /// Last turns that cannot be counted.
    #[error("there cannot be {found} last turns with {in_bag} tiles in the bag: {expected}")]
    LastTurns {
        /// Turns left.
        found: u32,
        /// Tiles in the bag.
        in_bag: usize,
        /// The rule that is broken.
        expected: &'static str,
    },
    /// A turn after the end of the game.
    #[error("the game is over")]
    GameOver,
    /// A score too large for sums.
    #[error("a score of {found} points is out of range: expected -900000000 to 900000000")]
    BadScore {
        /// The score.
        found: i32,
    },
    /// A board whose size is not that of the rules.
    #[error("the board has {found} rows, but the rules need {expected}")]
    BoardSize {
        /// Rows of the board.
        found: usize,
        /// Rows of the layout.
        expected: usize,
    },
}
