//! The input and the result of an inference: turns of the opponent as the player on turn saw them,
//! and the belief about the tiles that the opponent kept.

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
    /// Returns a turn of the player on turn in `before`. The tiles that `before` has on that player's rack are ignored.
    ///
    /// # Errors
    /// If the turn is not possible in `before`.
    pub fn new(before: Position, turn: Turn) -> Result<ObservedTurn, TurnError> {
        before.after(&turn)?;
        Ok(ObservedTurn { before, turn, exchanged_before: Rack::EMPTY })
    }

    /// Returns the turn as one right after the observer exchanged these tiles. The rack holds none of them, because it was already drawn when
    /// they went into the bag.
    pub fn after_exchange(self, tiles: Rack) -> ObservedTurn {
        ObservedTurn { exchanged_before: tiles, ..self }
    }

    /// Returns this player's turns of a game, each with the position before it as the other player saw it, and with the tiles that the other
    /// player exchanged just before.
    ///
    /// # Errors
    /// If a turn is not possible in its position.
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

    /// The turn itself.
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

    /// The shown tiles that are still off the board: thrown back into the bag, or taken back to the rack.
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

    /// Whether the turn shows which tiles left the rack. All turns except exchanges of unknown tiles
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

    /// How many tiles of the rack were kept: all tiles if the player passed or had to take back a phony.
    pub fn kept(&self) -> usize {
        let gone = match &self.turn {
            Turn::Phony(_) => 0,
            Turn::ExchangeUnknown(count) => *count,
            Turn::Play(_) => self.shown().len(),
        };
        self.held().saturating_sub(gone)
    }

    /// Returns the rack of which these tiles were kept. `None` if they do not determine it, or cannot have been kept.
    pub fn rack_of(&self, kept: &Rack) -> Option<Rack> {
        match &self.turn {
            Turn::Phony(_) => kept.contains(&self.shown()).then_some(*kept),
            Turn::ExchangeUnknown(_) => None,
            Turn::Play(_) => Some(self.shown().plus(kept)),
        }
    }

    /// Returns the tiles kept of a rack. `None` if the turn does not show them.
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
    /// Its chance after the turn was seen, 0 to 1.
    pub chance: f64,
}

/// A belief about the tiles that the opponent kept. The chances of its leaves sum to 1.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Belief {
    /// The leaves with a chance above 0, likeliest first.
    pub leaves: Vec<InferredLeave>,
    /// Whether any rack explains the turns. If not, the chances are those of the prior.
    pub is_explained: bool,
    /// The number of equally likely leaves with the same uncertainty, 1 or more: one over the sum of the squared chances.
    pub effective_leaves: f64,
    /// The basis of the belief.
    pub scope: BeliefScope,
    /// By leave: the sum of the chances up to and including it.
    cumulated: Vec<f64>,
}

/// The basis of a belief, and the position that it is for.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BeliefScope {
    /// The model of the opponent.
    pub model: OpponentModel,
    /// Racks that were compared with the last turn.
    pub racks: usize,
    /// Racks to compare with the last turn: all possible ones, or those that were drawn.
    pub of_racks: usize,
    /// Whether racks were drawn at random, because too many are possible.
    pub is_drawn: bool,
    /// Turns that counted, including the last one.
    pub turns: usize,
    /// The tiles that the player on turn does not see.
    pub unseen: Rack,
    /// The known tiles of the opponent's rack.
    pub known: Rack,
}

impl Belief {
    /// Returns a belief from leaves with their weights before and after the turn was seen. Only ratios of weights count. At least one leave
    /// has a prior weight above 0.
    pub(crate) fn of_weights(mut leaves: Vec<InferredLeave>, scope: BeliefScope) -> Belief {
        let tiles = |row: &InferredLeave| *row.leave.counts();
        // In a fixed order, because sums of floating-point numbers depend on the order.
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

    /// Whether it was made for a position with the same unseen tiles.
    pub fn fits(&self, position: &Position) -> bool {
        self.scope.unseen == position.unseen() && self.scope.known == *position.opponent_rack()
    }

    /// Returns the chance that at least one of this tile was kept, before and after the turn was seen.
    pub fn tile_chances(&self, tile: Tile) -> [f64; 2] {
        let with_it = self.leaves.iter().filter(|row| row.leave.count(tile) > 0);
        with_it.fold([0.0; 2], |[prior, chance], row| [prior + row.prior, chance + row.chance])
    }

    /// Returns the leave at a place from 0 to 1. Each leave takes up a part of this range that equals its chance.
    pub(crate) fn leave_at(&self, place: f64) -> Rack {
        let index = self.cumulated.partition_point(|&sum| sum <= place);
        self.leaves.get(index).or(self.leaves.last()).map_or(Rack::EMPTY, |row| row.leave)
    }
}
