//! Learns how sharply the opponent chooses, from their turns of the game. Start with [`learn`].
//!
//! Each turn is compared with racks that it may have come from: an opponent who often loses equity
//! does not choose sharply. Racks are drawn from all tiles that were off the board then;
//! that some of them were on our own rack changes little.

use crate::rules::{Play, Rack, Turn};
use crate::search::budget::Signals;
use crate::search::context::Knowledge;
use crate::search::inference::explain::Explainer;
use crate::search::inference::last_turn::{LastTurn, RackSupply};

use crate::search::inference::mixture::Mixture;
use crate::search::inference::model::OpponentModel;
use crate::search::inference::observed::ObservedTurn;

/// Turns that are learned from, at most: the last ones.
const MOST_TURNS: usize = 8;

/// The number of racks compared with each turn.
const RACKS: usize = 150;

/// By turn: the mixture to use on it, learned from the turns before it.
/// Turns that placed no tiles teach nothing. After a stop signal nothing more is learned.
pub fn learn(knowledge: &Knowledge, turns: &[ObservedTurn], seed: u64, signals: &Signals) -> Vec<Mixture> {
    let first = turns.len().saturating_sub(MOST_TURNS);
    let mut known = Mixture::unknown();
    let mut mixtures = vec![known; first];
    for (at, observed) in turns.iter().enumerate().skip(first) {
        let racks = racks_of(observed, seed.wrapping_add(at as u64));
        if racks.is_empty() || signals.is_stopped() {
            mixtures.push(known);
            continue;
        }
        let evidence = Explainer::new(knowledge, observed, OpponentModel::Auto).evidence(&racks);
        mixtures.push(known.on_turn(&evidence));
        known = known.after(&evidence);
    }
    mixtures
}

/// Racks that a placement may have come from, with the tiles kept; none for other turns.
fn racks_of(observed: &ObservedTurn, seed: u64) -> Vec<(Rack, Rack)> {
    let Turn::Play(Play::Place(_)) = observed.turn() else { return Vec::new() };
    let Ok(after) = observed.before().after(observed.turn()) else { return Vec::new() };
    let mut supply = RackSupply::of(&LastTurn::new(observed, &after), RACKS, seed);
    let racks = (0..supply.count()).map(|at| supply.get(at).rack);
    racks.filter_map(|rack| Some((rack, observed.kept_of(&rack)?))).collect()
}
