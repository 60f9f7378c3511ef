//! The question to an inference and its answer: turns of the opponent as the player on turn saw
//! them, and the belief about the tiles that the opponent kept.

use crate::rules::{Play, Position, Rack, Seat, Tile, Turn, TurnError};
use crate::search::inference::model::OpponentModel;

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
    pub fn shows_tiles(&self) -> bool {
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

/// A leave that the opponent may have kept.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct InferredLeave {
    /// The tiles.
    pub leave: Rack,
    /// Its chance before the turn was seen, 0 to 1.
    pub prior: f64,
    /// Its chance after it, 0 to 1.
    pub chance: f64,
}

/// What is believed of the tiles that the opponent kept. Its leaves' chances sum to 1.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Belief {
    /// The leaves with a chance above 0, likeliest first.
    pub leaves: Vec<InferredLeave>,
    /// Whether any rack explains the turns. If not, the chances are those of the prior.
    pub is_explained: bool,
    /// How many equally likely leaves would leave as much open, 1 or more: one over the sum of the squared chances.
    pub effective_leaves: f64,
    /// What it was made from.
    pub scope: BeliefScope,
    /// By leave: the sum of the chances up to it and with it.
    cumulated: Vec<f64>,
}

/// What a belief was made from, and for which position.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BeliefScope {
    /// By which model.
    pub model: OpponentModel,
    /// Racks that were compared with the last turn.
    pub racks: usize,
    /// Racks to compare with it: all that are possible, or those that were drawn.
    pub of_racks: usize,
    /// Whether racks were drawn at random, since there are too many to go through.
    pub is_drawn: bool,
    /// Turns that counted, the last one with them.
    pub turns: usize,
    /// The tiles that the player on turn does not see.
    pub unseen: Rack,
    /// What is known of the opponent's rack.
    pub known: Rack,
}

impl Belief {
    /// A belief from leaves with their weights before and after the turn was seen; only ratios of weights count. At least one leave has a prior
    /// weight.
    pub(crate) fn of_weights(mut leaves: Vec<InferredLeave>, scope: BeliefScope) -> Belief {
        let tiles = |row: &InferredLeave| *row.leave.counts();
        // In an order of their own: sums of fractions depend on it.
        leaves.sort_by_key(tiles);
        let [priors, chances] = leaves.iter().fold([0.0; 2], |[prior, chance], row| [prior + row.prior, chance + row.chance]);
        let is_explained = chances > 0.0;
        for row in &mut leaves {
            row.prior /= priors;
            row.chance = if is_explained { row.chance / chances } else { row.prior };
        }
        leaves.retain(|row| row.chance > 0.0);
        leaves.sort_by(|a, b| b.chance.total_cmp(&a.chance).then(b.prior.total_cmp(&a.prior)).then_with(|| tiles(b).cmp(&tiles(a))));
        let effective_leaves = 1.0 / leaves.iter().map(|row| row.chance * row.chance).sum::<f64>();
        let cumulated = leaves.iter().scan(0.0, |sum, row| {
            *sum += row.chance;
            Some(*sum)
        });
        let cumulated = cumulated.collect();
        Belief { leaves, is_explained, effective_leaves, cumulated, scope }
    }

    /// Whether it was made for a position with these tiles out of sight.
    pub fn fits(&self, position: &Position) -> bool {
        self.scope.unseen == position.unseen() && self.scope.known == *position.opponent_rack()
    }

    /// The chance that at least one of this tile was kept, before and after the turn was seen.
    pub fn tile_chances(&self, tile: Tile) -> [f64; 2] {
        let with_it = self.leaves.iter().filter(|row| row.leave.count(tile) > 0);
        with_it.fold([0.0; 2], |[prior, chance], row| [prior + row.prior, chance + row.chance])
    }

    /// The leave at a place from 0 to 1: leaves take up as much of that range as they are likely.
    pub(crate) fn leave_at(&self, place: f64) -> Rack {
        let index = self.cumulated.partition_point(|&sum| sum <= place);
        self.leaves.get(index).or(self.leaves.last()).map_or(Rack::EMPTY, |row| row.leave)
    }
}
