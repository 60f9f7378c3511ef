//! The losses of possible racks on a turn whose true rack is known, for judging and fitting models.
//!
//! All models compute their likelihoods from these numbers, so the racks are examined only once. Not here: the use of the numbers
//! (`training/opponents.rs`). Start with [`TurnTrial::of`].

use crate::rules::units::Millipoints;
use crate::rules::{Play, Position, Rack, Turn, ways};
use crate::search::analysis::InferenceOptions;
use crate::search::budget::Signals;
use crate::search::context::{Knowledge, RunSettings, SearchContext, SearchMemory};
use crate::search::inference::explain::{self, EarlierTurn, Explainer};
use crate::search::inference::last_turn::{LastTurn, RackOrigin, RackSupply};
use crate::search::inference::model::{Mixture, OpponentModel};
use crate::search::inference::simulated::{Refinement, StaticLoss};

/// A rack compared with a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriedRack {
    /// The tiles that would have been kept of it.
    pub leave: Rack,
    /// How often it comes up before the turn is seen. Only ratios count.
    pub prior: f64,
    /// The static equity that the turn loses against the rack's best play.
    pub lost: Millipoints,
    /// In how many ways the same letters could have left it.
    pub equivalent_ways: f64,
    /// How well it fits the turns before; 1 if none of these counts.
    pub carried: f64,
}

/// A placement by a player whose rack is known.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnTrial {
    /// The true rack; its prior is the chance, 0 to 1, that these tiles were kept.
    pub truth: TriedRack,
    /// The racks that were possible from the other player's view: all of them, or a random sample.
    pub racks: Vec<TriedRack>,
    /// The sharpness expected of the player on this turn, learned from the turns before.
    pub mixture: Mixture,
    /// The factors by which short simulations change the weights of the racks, then of the truth; all 1 without simulations.
    pub refined: Vec<f64>,
    /// Whether the racks are a random sample.
    pub is_drawn: bool,
    /// Tiles placed.
    pub placed: usize,
    /// Tiles in the bag before it.
    pub in_bag: usize,
}

impl TurnTrial {
    /// Compares racks with the last of the options' turns, after which the tiles `kept` stayed on
    /// the rack. `position` is the position after the turn, as the other player sees it.
    /// `simulated` racks are simulated. `None` if the turn placed no tiles, or the whole rack.
    pub fn of(
        knowledge: &Knowledge,
        position: &Position,
        options: &InferenceOptions,
        kept: &Rack,
        simulated: usize,
        seed: u64,
    ) -> Option<TurnTrial> {
        let (observed, before) = options.turns.split_last()?;
        let Turn::Play(Play::Place(placement)) = observed.turn() else { return None };
        let last = LastTurn::new(observed, position);
        let mut explainer = Explainer::new(knowledge, observed, options.model);
        // The latest turns first, until one does not show which tiles left the rack.
        let before = before.iter().rev().take_while(|turn| turn.shows_tiles()).take(options.earlier_turns);
        let earlier = before.map(|turn| EarlierTurn::new(turn, Explainer::new(knowledge, turn, options.model), options));
        let mut earlier: Vec<EarlierTurn<'_>> = earlier.collect();
        let mut tried = |rack: Rack, leave: Rack, prior: f64| {
            let carried = earlier.split_first_mut().map_or(1.0, |(turn, before)| turn.fit(&rack, before));
            let lost = explainer.losses(&rack, &[leave], Millipoints::MAX)[0];
            TriedRack { leave, prior, lost, equivalent_ways: explainer.equivalent_ways(&rack, &leave), carried }
        };
        // The possible racks: all of them, or a random sample if they are too many.
        let mut supply = RackSupply::of(&last, options.most_racks.max(1), seed);
        let RackOrigin { pool, drawn: others, .. } = last.origin();
        let prior = ways::draws(&pool, kept) / ways::choose(pool.len(), others);
        // The truth goes through the same steps as every other rack.
        let truth = observed.rack_of(kept).filter(|_| !kept.is_empty()).map(|rack| tried(rack, *kept, prior))?;
        let racks = (0..supply.count()).filter_map(|at| {
            let hypothesis = supply.get(at);
            observed.kept_of(&hypothesis.rack).map(|leave| tried(hypothesis.rack, leave, hypothesis.prior))
        });
        let racks: Vec<TriedRack> = racks.collect();
        let (memory, signals) = (SearchMemory::default(), Signals::default());
        // The last mixture is the one on the tried turn, learned from the turns before it.
        let mixture = *explain::learn(knowledge, &options.turns, seed, &signals).last()?;
        let is_drawn = supply.is_drawn();
        // The truth is added to racks that are drawn.
        let in_bag = observed.before().in_bag();
        let weigh = |tried: &TriedRack, prior: f64| StaticLoss {
            rack: observed.shown().plus(&tried.leave),
            lost: tried.lost,
            weight: prior * tried.carried * OpponentModel::Sim.likelihood(tried.lost, in_bag) / tried.equivalent_ways,
        };
        let mut weighed: Vec<StaticLoss> = racks.iter().map(|tried| weigh(tried, tried.prior)).collect();
        if is_drawn {
            weighed.push(weigh(&truth, 1.0));
        }
        let settings = RunSettings { seed, ..RunSettings::default() };
        let context = SearchContext { knowledge, position, settings, memory: &memory, signals: &signals };
        // Simulations change the weights; the heaviest racks are measured first.
        let mut refinement = Refinement::new(weighed);
        (0..simulated).take_while(|_| refinement.measure_next(&context, observed)).count();
        let mut refined = refinement.factors();
        // All possible racks include the truth, so its factor is already there.
        if !is_drawn {
            let same = racks.iter().position(|tried| tried.leave == *kept)?;
            refined.push(refined[same]);
        }
        Some(TurnTrial { truth, racks, refined, mixture, is_drawn, placed: placement.tile_count(), in_bag: observed.before().in_bag() })
    }
}
