//! The loss of a turn by short simulations, for opponents who simulate.
//!
//! A simulation takes thousands of times as long as a static evaluation, so only the likeliest racks are measured. The other racks follow
//! these: the likelihood of a rack changes like that of the measured racks that lose about as much static equity.
//! Start with [`Refinement`].

use crate::rules::units::Millipoints;
use crate::rules::{Rack, Turn};
use crate::search::analysis::{Allocation, PlaySelection, SimulationOptions};
use crate::search::context::SearchContext;
use crate::search::inference::model::OpponentModel;
use crate::search::inference::types::ObservedTurn;
use crate::search::report::{Report, SimulationReport, SimulationRow};
use crate::search::{candidates, simulation};

/// The plays that the turn is simulated with: the statically best ones.
const CANDIDATES: usize = 6;

/// Samples of each play.
const ITERATIONS: u64 = 100;

/// The standard deviation of static equity from the result of a long simulation, points.
const STATIC_ERROR: f64 = 3.0;

/// The variance of the difference between two plays that meet the same racks, relative to the variance of a play.
const PAIRED: f64 = 0.5;

/// The temperature of a choice by static and simulated equity together, relative to one by static equity.
const SHARPER: f64 = 0.75;

/// Classes of racks by the static equity lost: the least loss of each class, points.
const CLASSES: [f64; 4] = [0.0, 1.0, 3.0, 8.0];

/// Each class starts as if this many racks had been measured without a change.
const UNCHANGED: f64 = 2.0;

/// A rack with the loss of the turn, and its weight so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StaticLoss {
    /// The rack.
    pub rack: Rack,
    /// Static equity that the turn loses with this rack.
    pub lost: Millipoints,
    /// Its weight.
    pub weight: f64,
}

/// Racks of which some are measured, the likeliest first.
pub struct Refinement {
    racks: Vec<StaticLoss>,
    /// Indices into `racks`, the likeliest first.
    order: Vec<usize>,
    /// By index into `racks`: the measured factor of its weight.
    factors: Vec<Option<f64>>,
    measured: usize,
    /// By class: the number of measured racks, and the sum of their factors.
    classes: [(f64, f64); CLASSES.len()],
}

impl Refinement {
    /// Returns a refinement of these racks, none of which is measured yet.
    pub fn new(racks: Vec<StaticLoss>) -> Refinement {
        let mut order: Vec<usize> = (0..racks.len()).collect();
        order.sort_by(|&a, &b| racks[b].weight.total_cmp(&racks[a].weight).then(a.cmp(&b)));
        Refinement { order, factors: vec![None; racks.len()], measured: 0, classes: [(UNCHANGED, UNCHANGED); CLASSES.len()], racks }
    }

    /// Measures the next rack. Returns false if there is none, or if a signal stopped it.
    pub fn measure_next(&mut self, context: &SearchContext<'_>, observed: &ObservedTurn) -> bool {
        let Some(&at) = self.order.get(self.measured) else { return false };
        let StaticLoss { rack, lost, .. } = self.racks[at];
        let Some(simulated) = simulated_loss(context, observed, &rack) else { return false };
        let in_bag = observed.before().in_bag();
        let now = OpponentModel::soft_likelihood(simulated, in_bag, SHARPER);
        let factor = now / OpponentModel::Static.likelihood(lost, in_bag);
        self.factors[at] = Some(factor);
        let (count, sum) = &mut self.classes[class_of(lost)];
        (*count, *sum) = (*count + 1.0, *sum + factor);
        self.measured += 1;
        true
    }

    /// Returns by rack the factor of its weight, measured or estimated from the measured ones.
    pub fn factors(&self) -> Vec<f64> {
        let estimate = |rack: &StaticLoss| {
            let (count, sum) = self.classes[class_of(rack.lost)];
            sum / count
        };
        self.racks.iter().zip(&self.factors).map(|(rack, factor)| factor.unwrap_or_else(|| estimate(rack))).collect()
    }
}

fn class_of(lost: Millipoints) -> usize {
    CLASSES.iter().rposition(|&least| lost.points() >= least).unwrap_or(0)
}

/// Returns the loss of the turn with this rack, by static equity and a short simulation together. `None` if the simulation was stopped, or
/// if the turn does not show its tiles.
fn simulated_loss(context: &SearchContext<'_>, observed: &ObservedTurn, rack: &Rack) -> Option<Millipoints> {
    let Turn::Play(play) = observed.turn() else { return None };
    let mut position = observed.before().clone();
    // The opponent did not see the observer's rack, which the position before their turn may have.
    position.set_rack(position.on_turn().opponent(), &Rack::EMPTY).ok()?;
    position.set_rack(position.on_turn(), rack).ok()?;
    let signals = context.signals.child();
    let context = SearchContext { position: &position, signals: &signals, ..*context };
    let plays = PlaySelection { also: vec![*play], ..PlaySelection::best(CANDIDATES) };
    let candidates = candidates::choose(&context, &plays, CANDIDATES);
    let options = SimulationOptions {
        plies: Some(simulation::DEFAULT_PLIES),
        iterations: Some(ITERATIONS),
        allocation: Allocation::Equal,
        ..SimulationOptions::default()
    };
    match simulation::run(&context, &candidates, &options, None, &mut |_: Report| {}).last {
        Some(Report::Simulation(SimulationReport { rows, .. })) if rows.iter().all(|row| row.iterations > 0) => {
            let worth = worth(&rows);
            let best = worth.iter().copied().fold(f64::MIN, f64::max);
            let played = rows.iter().position(|row| row.ranked.play == *play)?;
            Some(Millipoints::rounded(best - worth[played]))
        }
        _ => None,
    }
}

/// Returns the value of each play in points, up to a constant: the mean of static and simulated equity, weighted by their certainty.
fn worth(rows: &[SimulationRow]) -> Vec<f64> {
    let mean = |value: &dyn Fn(&SimulationRow) -> f64| rows.iter().map(value).sum::<f64>() / rows.len() as f64;
    let static_mean = mean(&|row| row.ranked.equity.points());
    let simulated_mean = mean(&|row| row.equity);
    let of_row = |row: &SimulationRow| {
        let certainty = 1.0 / (STATIC_ERROR * STATIC_ERROR);
        let simulated = 1.0 / (PAIRED * row.equity_error * row.equity_error).max(1e-6);
        ((row.ranked.equity.points() - static_mean) * certainty + (row.equity - simulated_mean) * simulated) / (certainty + simulated)
    };
    rows.iter().map(of_row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::builder::plain_engine;
    use crate::rules::Seat;
    use crate::search::budget::Signals;
    use crate::search::context::{RunSettings, SearchMemory};

    /// Racks that the opening RATE may have come from, of which the first `most` are measured.
    fn rate(signals: &Signals, most: usize) -> (Vec<StaticLoss>, Refinement) {
        rate_against("", signals, most)
    }

    /// As `rate`, seen by a player with these tiles.
    fn rate_against(own: &str, signals: &Signals, most: usize) -> (Vec<StaticLoss>, Refinement) {
        let engine = plain_engine();
        let mut before = engine.new_game();
        before.set_rack(Seat::Second, &Rack::parse(own, &before.rules().distribution).unwrap()).unwrap();
        let turn = engine.parse_play("8E.RATE", &before).unwrap();
        let observed = ObservedTurn::new(before.clone(), turn).unwrap();
        let (memory, after) = (SearchMemory::default(), before.after(&turn).unwrap());
        let knowledge = engine.knowledge();
        let context = SearchContext { knowledge, position: &after, settings: RunSettings::default(), memory: &memory, signals };
        let rack = |text: &str| Rack::parse(text, &before.rules().distribution).unwrap();
        let racks = [("RATEVVW", 0, 5.0), ("RATEINS", 60_000, 0.1), ("RATEVUU", 500, 4.0), ("RATEWUU", 700, 1.0), ("RATEQII", 200, 0.5)];
        let racks = racks.map(|(held, lost, weight)| StaticLoss { rack: rack(held), lost: Millipoints(lost), weight }).to_vec();
        let mut refinement = Refinement::new(racks.clone());
        (0..most).take_while(|_| refinement.measure_next(&context, &observed)).count();
        (racks, refinement)
    }

    #[test]
    fn the_likeliest_racks_are_measured_and_the_others_follow_those_of_their_class() {
        let (racks, refinement) = rate(&Signals::default(), 2);
        assert_eq!((refinement.measured, &refinement.order), (2, &vec![0, 2, 3, 4, 1]));
        let factors = refinement.factors();
        assert!(refinement.factors[0].is_some() && refinement.factors[2].is_some() && factors.iter().all(|&factor| factor > 0.0));
        // All racks except RATEINS lose less than a point. Those not measured change like the two that are, averaged with two without a change.
        let expected = (UNCHANGED + factors[0] + factors[2]) / (UNCHANGED + 2.0);
        assert!((factors[3] - expected).abs() < 1e-12 && factors[3] == factors[4], "{factors:?}");
        assert_eq!(factors[1], 1.0);
        // With the rack that has a bingo, RATE is not the choice of any simulation.
        let (_, all) = rate(&Signals::default(), 9);
        assert_eq!(all.measured, racks.len());
        assert!((all.factors()[1] - 1.0).abs() < 0.01, "{:?}", all.factors());
    }

    #[test]
    fn the_opponent_did_not_see_what_we_hold() {
        let factors = |own: &str| rate_against(own, &Signals::default(), 3).1.factors();
        assert_eq!(factors("DEINORS"), factors(""));
    }

    #[test]
    fn a_signal_ends_it_and_what_is_measured_is_the_same_again() {
        let stopped = Signals::default();
        stopped.stop();
        assert_eq!(rate(&stopped, 5).1.factors(), [1.0; 5]);
        assert_eq!(rate(&Signals::default(), 3).1.factors(), rate(&Signals::default(), 3).1.factors());
    }
}
