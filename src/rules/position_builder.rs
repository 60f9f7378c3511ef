//! Builds a position from its parts.

use crate::rules::board::Board;
use crate::rules::game_rules::GameRules;
use crate::rules::position::Position;
use crate::rules::rack::Rack;
use crate::rules::turn::TurnError;
use std::sync::Arc;

/// The parts of a position, each of which has a default: an empty board, unknown racks, no points.
/// Start with [`Position::builder`].
#[derive(Clone, Debug)]
#[must_use = "nothing is made before build"]
pub struct PositionBuilder {
    rules: Arc<GameRules>,
    board: Board,
    racks: [Rack; 2],
    scores: [i32; 2],
    zero_turns: u32,
}

impl Position {
    /// Begins a position by these rules. Player 0 is on turn.
    ///
    /// ```
    /// use tilewright::rules::{Board, GameRules, Position};
    ///
    /// let position = Position::builder(GameRules::english()).rack("AEINRST".parse()?).scores(120, 98).build()?;
    /// assert_eq!((position.spread(), position.in_bag()), (22, 86));
    ///
    /// let wrong = Position::builder(GameRules::english()).board(Board::empty(21)).build().unwrap_err();
    /// assert_eq!(wrong.to_string(), "a board of 21 rows, the rules have 15");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn builder(rules: impl Into<Arc<GameRules>>) -> PositionBuilder {
        let rules = rules.into();
        let board = Board::empty(rules.layout.dim());
        PositionBuilder { rules, board, racks: [Rack::EMPTY; 2], scores: [0; 2], zero_turns: 0 }
    }
}

impl PositionBuilder {
    /// The tiles on the board.
    pub fn board(self, board: Board) -> PositionBuilder {
        PositionBuilder { board, ..self }
    }

    /// The known tiles of the player on turn; none for an unknown rack.
    pub fn rack(self, rack: Rack) -> PositionBuilder {
        PositionBuilder { racks: [rack, self.racks[1]], ..self }
    }

    /// The known tiles of the opponent; none for an unknown rack.
    pub fn opponent_rack(self, rack: Rack) -> PositionBuilder {
        PositionBuilder { racks: [self.racks[0], rack], ..self }
    }

    /// The scores of the player on turn and of the opponent.
    pub fn scores(self, own: i32, opponent: i32) -> PositionBuilder {
        PositionBuilder { scores: [own, opponent], ..self }
    }

    /// The number of successive turns without points up to now.
    pub fn zero_turns(self, zero_turns: u32) -> PositionBuilder {
        PositionBuilder { zero_turns, ..self }
    }

    /// Makes the position.
    ///
    /// # Errors
    /// A board of another size than the rules have; more tiles of a kind, or on a rack, than there
    /// are; scores beyond [`MAX_SCORE`](crate::rules::MAX_SCORE).
    pub fn build(self) -> Result<Position, TurnError> {
        Position::of_parts(self.rules, self.board, self.racks, self.scores, self.zero_turns)
    }
}
