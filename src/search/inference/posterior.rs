//! Bayes: from the opponent's turns to what is believed of the tiles they kept.
//!
//! A *hypothesis* is a rack that the opponent may have held on the last turn. All are gone through while there are not too many; else racks are drawn
//! at random. A hypothesis has the chance of its tiles, times how well it explains the last turn, times how well it fits the turns before: it
//! holds the leave of the turn before and tiles drawn since, nobody knows which are which, so each of its parts may be that leave, and the mean of their
//! likelihoods counts. That is exact: given the leave, what was drawn does not depend on how it was kept. Those likelihoods are worked out
//! for the parts that come up, in the same way, turn by turn back.
//!
//! Start with [`infer`].

use crate::rules::Rack;
use crate::rules::units::Millipoints;
use crate::search::analysis::InferenceOptions;
use crate::search::context::SearchContext;
use crate::search::inference::belief::{Belief, BeliefScope, InferredLeave};
use crate::search::inference::earlier_turn::EarlierTurn;
use crate::search::inference::explain::Explainer;
use crate::search::inference::last_turn::LastTurn;
use crate::search::inference::learning;
use crate::search::inference::mixture::Mixture;
use crate::search::inference::model::OpponentModel;
use crate::search::inference::racks::{Hypothesis, RackSupply};
use crate::search::inference::simulated::{Refinement, StaticLoss};
use crate::search::report::{Listener, Report};
use std::collections::HashMap;
use std::sync::Arc;

/// Racks between two looks at the signals.
const AT_ONE_GO: usize = 64;

/// A belief from drawn racks is mixed with the prior, which counts as much as so many racks of equal weight.
const PRIOR_RACKS: f64 = 20.0;

/// What the opponent kept on the last of the turns, as far as limits and signals allow; reported on the way. There is at least one turn.
pub fn infer(context: &SearchContext<'_>, options: &InferenceOptions, listener: &mut dyn Listener) -> Belief {
    let mut inference = Inference::new(context, options);
    while !inference.is_done() && !context.signals.is_stopped() {
        inference.explain_some();
        if context.signals.take_report() && !inference.is_done() {
            listener.report(Report::Infer { belief: Arc::new(inference.belief()) });
        }
    }
    if options.model == OpponentModel::Sim && inference.is_done() {
        inference.simulate(context, listener);
    }
    inference.belief()
}

/// An inference under way.
struct Inference<'a> {
    last: LastTurn<'a>,
    explainer: Explainer<'a>,
    /// The turns before, the latest first.
    earlier: Vec<EarlierTurn<'a>>,
    options: &'a InferenceOptions,
    supply: RackSupply,
    /// Hypotheses that were explained: the first ones.
    done: usize,
    leaves: HashMap<Rack, InferredLeave>,
    /// By leave: the static equity that the turn loses if it was kept. For simulations, and only of a turn that tells which tiles left the rack.
    losses: HashMap<Rack, Millipoints>,
    /// Sums over the explained racks, each as often as it comes up: how often, their likelihoods, and the squares of these.
    seen: f64,
    likely: f64,
    squares: f64,
    /// The least equity that the turn loses with any of them.
    least_lost: Millipoints,
}

impl<'a> Inference<'a> {
    fn new(context: &SearchContext<'a>, options: &'a InferenceOptions) -> Inference<'a> {
        let (last, before) = options.turns.split_last().expect("a request has at least one turn");
        let last = LastTurn::new(last, context.position);
        let supply = RackSupply::of(&last, options.most_racks.max(1), context.settings.seed);
        // Theirs is a model of one turn.
        let most_earlier = if options.model == OpponentModel::RichardsAmir { 0 } else { options.earlier_turns };
        let mixtures = match options.model {
            OpponentModel::Auto => learning::learn(context.knowledge, &options.turns, context.settings.seed),
            _ => vec![Mixture::unknown(); options.turns.len()],
        };
        let explainer = |turn, mixture| Explainer::new(context.knowledge, turn, options.model).with_mixture(mixture);
        let earlier = before.iter().zip(&mixtures).rev().take_while(|(turn, _)| turn.is_told()).take(most_earlier);
        Inference {
            explainer: explainer(last.observed, mixtures[before.len()]),
            earlier: earlier.map(|(turn, mixture)| EarlierTurn::new(turn, explainer(turn, *mixture), options)).collect(),
            options,
            supply,
            done: 0,
            leaves: HashMap::new(),
            losses: HashMap::new(),
            seen: 0.0,
            likely: 0.0,
            squares: 0.0,
            least_lost: Millipoints(i32::MAX),
            last,
        }
    }

    fn is_done(&self) -> bool {
        self.done == self.supply.count()
    }

    /// Goes through the next racks.
    fn explain_some(&mut self) {
        for _ in 0..AT_ONE_GO.min(self.supply.count() - self.done) {
            let hypothesis = self.supply.get(self.done);
            self.explain(hypothesis);
            self.done += 1;
        }
    }

    /// Adds what a rack says of the leaves in it.
    fn explain(&mut self, Hypothesis { rack, prior }: Hypothesis) {
        let carried = self.earlier.split_first_mut().map_or(1.0, |(turn, before)| turn.fit(&rack, before));
        let best = self.explainer.best(&rack);
        let mut explained = Vec::new();
        self.last.for_each_leave(&rack, &mut |leave, share| {
            explained.push((leave, share / self.explainer.alike(&rack, &leave), share, self.explainer.lost(&rack, best, &leave)));
        });
        let mut likely = 0.0;
        for (leave, counted, share, lost) in explained {
            if self.options.model == OpponentModel::Sim && self.last.observed.is_told() {
                self.losses.insert(leave, lost);
            }
            let likelihood = carried * self.likelihood(lost);
            let row = self.leaves.entry(leave).or_insert(InferredLeave { leave, prior: 0.0, chance: 0.0 });
            row.prior += prior * share;
            row.chance += prior * counted * likelihood;
            likely += counted * likelihood;
        }
        self.seen += prior;
        self.likely += prior * likely;
        self.squares += prior * likely * likely;
    }

    /// Measures the likeliest leaves by short simulations.
    fn simulate(&mut self, context: &SearchContext<'_>, listener: &mut dyn Listener) {
        let observed = self.last.observed;
        let of_row = |row: &InferredLeave| {
            let (lost, rack) = (*self.losses.get(&row.leave)?, observed.rack_of(&row.leave)?);
            Some((*row, StaticLoss { rack, lost, weight: row.chance }))
        };
        let mut rows: Vec<(InferredLeave, StaticLoss)> = self.leaves.values().filter_map(of_row).collect();
        rows.sort_by_key(|(row, _)| *row.leave.counts());
        let (rows, losses): (Vec<InferredLeave>, Vec<StaticLoss>) = rows.into_iter().unzip();
        let mut refinement = Refinement::new(losses);
        for _ in 0..self.options.most_simulated {
            if !refinement.measure_next(context, observed) {
                break;
            }
            if context.signals.take_report() {
                self.reweigh(&rows, &refinement.factors());
                listener.report(Report::Infer { belief: Arc::new(self.belief()) });
            }
        }
        self.reweigh(&rows, &refinement.factors());
    }

    /// Gives these leaves, all there are or none, so many times the chance that they had.
    fn reweigh(&mut self, rows: &[InferredLeave], factors: &[f64]) {
        if rows.is_empty() {
            return;
        }
        (self.likely, self.squares) = (0.0, 0.0);
        for (row, factor) in rows.iter().zip(factors) {
            let row = InferredLeave { chance: row.chance * factor, ..*row };
            self.leaves.insert(row.leave, row);
            self.likely += row.chance;
            self.squares += row.chance * row.chance / row.prior;
        }
    }

    /// How likely a turn is that loses so much. Where only the best play counts, and it was the best of no rack so far, what loses least counts:
    /// when less is lost than ever before, what was likely until then no longer is.
    fn likelihood(&mut self, lost: Millipoints) -> f64 {
        if self.options.model != OpponentModel::RichardsAmir {
            return self.explainer.likelihood(lost);
        }
        if lost < self.least_lost {
            self.least_lost = lost;
            (self.likely, self.squares) = (0.0, 0.0);
            self.leaves.values_mut().for_each(|row| row.chance = 0.0);
        }
        f64::from(u8::from(lost == self.least_lost))
    }

    /// What is believed now. Racks that were not explained count as if they explained the turns as well as those that were, on average.
    fn belief(&self) -> Belief {
        let mut leaves = self.leaves.clone();
        let usual = if self.seen > 0.0 { self.likely / self.seen } else { 1.0 };
        for &Hypothesis { rack, prior } in self.supply.rest(self.done) {
            self.last.for_each_leave(&rack, &mut |leave, share| {
                let row = leaves.entry(leave).or_insert(InferredLeave { leave, prior: 0.0, chance: 0.0 });
                row.prior += prior * share;
                row.chance += prior * share * usual;
            });
        }
        if self.supply.is_drawn() && self.likely > 0.0 {
            let effective = self.likely * self.likely / self.squares;
            let of_prior = PRIOR_RACKS / (PRIOR_RACKS + effective);
            for row in leaves.values_mut() {
                row.chance = (1.0 - of_prior) * row.chance + of_prior * usual * row.prior;
            }
        }
        let scope = BeliefScope {
            model: self.options.model,
            racks: self.done,
            of_racks: self.supply.count(),
            is_drawn: self.supply.is_drawn(),
            turns: 1 + self.earlier.len(),
            unseen: self.last.unseen,
            known: self.last.known,
        };
        Belief::of_weights(leaves.into_values().collect(), scope)
    }
}
