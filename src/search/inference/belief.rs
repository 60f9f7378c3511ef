//! The belief about the tiles that the opponent kept: leaves with their chances.

use crate::rules::{Position, Rack, Tile};
use crate::search::inference::model::OpponentModel;

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
