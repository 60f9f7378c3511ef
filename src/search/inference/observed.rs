//! A turn of the opponent as the player on turn saw it. It has the position before the turn,
//! the action, the tiles shown, and the number of tiles kept.

use crate::rules::{Play, Position, Rack, Seat, Turn, TurnError};

/// A turn that the opponent took.
#[derive(Clone, Debug, PartialEq)]
pub struct ObservedTurn {
    before: Position,
    turn: Turn,
    /// Tiles that the observer exchanged on the turn before it.
    exchanged_before: Rack,
}

impl ObservedTurn {
    /// A turn of the player on turn in `before`. What `before` knows of that player's rack is not used.
    ///
    /// # Errors
    /// The turn is not possible there.
    pub fn new(before: Position, turn: Turn) -> Result<ObservedTurn, TurnError> {
        before.after(&turn)?;
        Ok(ObservedTurn { before, turn, exchanged_before: Rack::EMPTY })
    }

    /// The same right after the observer has exchanged these tiles. They came into the bag when the rack was drawn already, so it holds none of them.
    pub fn after_exchange(self, tiles: Rack) -> ObservedTurn {
        ObservedTurn { exchanged_before: tiles, ..self }
    }

    /// The turns of this player out of the turns of a game, each with the position before it as the other player saw it, and with what that
    /// player exchanged.
    ///
    /// # Errors
    /// A turn is not possible in its position.
    pub fn of_game<'a>(seat: Seat, game: impl IntoIterator<Item = (&'a Position, Turn)>) -> Result<Vec<ObservedTurn>, TurnError> {
        let mut observed = Vec::new();
        let mut exchanged = Rack::EMPTY;
        for (before, turn) in game {
            if before.on_turn() == seat {
                observed.push(ObservedTurn::new(before.clone(), turn)?.after_exchange(exchanged));
            }
            exchanged = if let Turn::Play(Play::Exchange(tiles)) = turn { tiles } else { Rack::EMPTY };
        }
        Ok(observed)
    }

    /// The position before it.
    pub fn before(&self) -> &Position {
        &self.before
    }

    /// What was done.
    pub fn turn(&self) -> &Turn {
        &self.turn
    }

    /// The tiles of the rack that were shown: placed, thrown back, or placed and taken back.
    pub fn shown(&self) -> Rack {
        match &self.turn {
            Turn::Play(play) => play.rack_tiles(),
            Turn::Phony(placement) => placement.rack_tiles(),
            Turn::ExchangeUnknown(_) => Rack::EMPTY,
        }
    }

    /// Those of them that are still off the board: thrown back into the bag, or taken back to the rack.
    pub fn shown_off_board(&self) -> Rack {
        match &self.turn {
            Turn::Play(Play::Place(_)) => Rack::EMPTY,
            _ => self.shown(),
        }
    }

    /// Tiles that the observer exchanged on the turn before it.
    pub fn exchanged_before(&self) -> Rack {
        self.exchanged_before
    }

    /// Whether the turn shows which tiles left the rack: all turns but exchanges of unknown tiles
    /// do.
    pub fn is_told(&self) -> bool {
        !matches!(self.turn, Turn::ExchangeUnknown(_))
    }

    /// How many tiles the rack held.
    pub fn held(&self) -> usize {
        let off_board = self.before.unseen().len() + self.before.mover_rack().len();
        let other = self.before.opponent_rack().len();
        let rack_size = self.before.rules().rack_size;
        if off_board >= 2 * rack_size || other == 0 { rack_size.min(off_board) } else { rack_size.min(off_board.saturating_sub(other)) }
    }

    /// How many tiles of the rack were kept: all of them by a player who passed, or had to take a phony back.
    pub fn kept(&self) -> usize {
        let gone = match &self.turn {
            Turn::Phony(_) => 0,
            Turn::ExchangeUnknown(count) => *count,
            Turn::Play(_) => self.shown().len(),
        };
        self.held().saturating_sub(gone)
    }

    /// The rack of which these tiles were kept, if they tell it; `None` if they cannot have been.
    pub fn rack_of(&self, kept: &Rack) -> Option<Rack> {
        match &self.turn {
            Turn::Phony(_) => kept.contains(&self.shown()).then_some(*kept),
            Turn::ExchangeUnknown(_) => None,
            Turn::Play(_) => Some(self.shown().plus(kept)),
        }
    }

    /// The tiles kept of a rack, if the turn shows them.
    pub fn kept_of(&self, rack: &Rack) -> Option<Rack> {
        match &self.turn {
            Turn::Phony(_) => rack.contains(&self.shown()).then_some(*rack),
            Turn::ExchangeUnknown(_) => None,
            Turn::Play(_) => rack.minus(&self.shown()).ok(),
        }
    }
}
