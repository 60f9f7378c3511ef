//! Bayesian inference: from the opponent's turns to a belief about the tiles they kept.
//!
//! A *hypothesis* is a rack that the opponent may have held on the last turn.
//! If there are not too many, all of them are tried, else racks are drawn at random.
//! The weight of a hypothesis is a product: the chance of its tiles, times how well it explains the
//! last turn, times how well it fits the turns before.
//!
//! The rack consists of the leave of the turn before and of tiles drawn since.
//! Any part of the rack of the right size may be that leave, so the mean of the parts' likelihoods
//! counts. This is exact: given the leave, the tiles drawn do not depend on how it was kept. The
//! likelihoods of these parts are computed in the same way, going back turn by turn.
//!
//! When we exchanged tiles, the rack of the opponent's next turn was already full. These tiles are therefore not on it, but may be among
//! the tiles drawn after that turn. Tiles that we exchanged before turns that do not count are treated like any others.
//!
//! All hypotheses are first compared with the last turn and then, likeliest first,
//! with the turns before. Work on the earlier turns is limited, so the likeliest racks come first.
//!
//! Start with [`infer`].

use crate::rules::Rack;
use crate::rules::units::Millipoints;
use crate::search::analysis::InferenceOptions;
use crate::search::context::SearchContext;
use crate::search::inference::explain::{self, EarlierTurn, Explainer};
use crate::search::inference::last_turn::{Hypothesis, LastTurn, RackSupply};
use crate::search::inference::model::{Mixture, OpponentModel};
use crate::search::inference::simulated::{Refinement, StaticLoss};
use crate::search::inference::types::{Belief, BeliefScope, InferredLeave};
use crate::search::report::{Listener, Report};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// The number of racks between two checks of the signals.
const AT_ONE_GO: usize = 64;

/// Of drawn racks, only the likeliest are compared with the turns before: those that together have
/// this share of the weight.
const DRAWN_CARRIED: f64 = 0.95;

/// A belief from drawn racks is mixed with the prior, which counts as this many racks of equal
/// weight.
const PRIOR_RACKS: f64 = 20.0;

/// Infers which tiles the opponent kept on the last of the turns, until limits or signals end it, and reports on request. There is at
/// least one turn.
pub fn infer(context: &SearchContext<'_>, options: &InferenceOptions, listener: &mut dyn Listener) -> Belief {
    let mut inference = Inference::new(context, options);
    while !inference.is_done() {
        // Some racks are always explained, because there is no belief without any.
        inference.explain_some();
        if context.signals.is_stopped() {
            break;
        }
        if context.signals.take_report() && !inference.is_done() {
            listener.report(Report::Inference(Arc::new(inference.belief())));
        }
    }
    if options.model == OpponentModel::Sim && inference.is_done() {
        inference.simulate(context, listener);
    }
    inference.belief()
}

/// An inference in progress.
struct Inference<'a> {
    last: LastTurn<'a>,
    explainer: Explainer<'a>,
    /// The turns before, the latest first.
    earlier: Vec<EarlierTurn<'a>>,
    options: &'a InferenceOptions,
    supply: RackSupply,
    /// The hypotheses that were compared with the last turn: the first ones of the supply.
    explained: Vec<ExplainedRack>,
    /// The indices of the hypotheses that are still to be compared with the turns before, the likeliest
    /// first. `None` until all are explained.
    to_carry: Option<VecDeque<usize>>,
    /// By leave: the factor by which simulations change its weight.
    factors: HashMap<Rack, f64>,
    /// The least equity that the last turn loses with any of the racks.
    least_lost: Millipoints,
}

/// A hypothesis with its possible leaves.
struct ExplainedRack {
    hypothesis: Hypothesis,
    leaves: Vec<ExplainedLeave>,
    /// How well it fits the turns before; `None` if that was not computed.
    fit: Option<f64>,
}

/// A leave that may have been kept of a hypothesis.
struct ExplainedLeave {
    leave: Rack,
    /// The chance that this leave was kept of the rack.
    share: f64,
    /// In how many ways the same letters could have left the rack.
    equivalent_ways: f64,
    /// The loss of the turn.
    lost: Millipoints,
}

/// The sums over all hypotheses.
#[derive(Default)]
struct PosteriorSums {
    /// The weights by leave.
    leaves: HashMap<Rack, InferredLeave>,
    /// Sums over the racks, weighted by their priors: the priors, the likelihoods, and the squared likelihoods.
    seen: f64,
    likely: f64,
    squares: f64,
}

impl<'a> Inference<'a> {
    fn new(context: &SearchContext<'a>, options: &'a InferenceOptions) -> Inference<'a> {
        let (last, before) = options.turns.split_last().expect("a request has at least one turn");
        let last = LastTurn::new(last, context.position);
        let supply = RackSupply::of(&last, options.most_racks.max(1), context.settings.seed);
        // Richards and Amir model only one turn.
        let most_earlier = if options.model == OpponentModel::RichardsAmir { 0 } else { options.earlier_turns };
        let mixtures = match options.model {
            OpponentModel::Auto => explain::learn(context.knowledge, &options.turns, context.settings.seed, context.signals),
            _ => vec![Mixture::unknown(); options.turns.len()],
        };
        let explainer = |turn, mixture| Explainer::new(context.knowledge, turn, options.model).with_mixture(mixture);
        let earlier = before.iter().zip(&mixtures).rev().take_while(|(turn, _)| turn.shows_tiles()).take(most_earlier);
        Inference {
            explainer: explainer(last.observed, mixtures[before.len()]),
            earlier: earlier.map(|(turn, mixture)| EarlierTurn::new(turn, explainer(turn, *mixture), options)).collect(),
            options,
            supply,
            explained: Vec::new(),
            to_carry: None,
            factors: HashMap::new(),
            least_lost: Millipoints::MAX,
            last,
        }
    }

    fn is_done(&self) -> bool {
        self.explained.len() == self.supply.count() && (self.earlier.is_empty() || self.to_carry.as_ref().is_some_and(VecDeque::is_empty))
    }

    /// Compares the next racks with the last turn. Once this is done for all, it compares racks with the turns before.
    fn explain_some(&mut self) {
        if self.explained.len() < self.supply.count() {
            for _ in 0..AT_ONE_GO.min(self.supply.count() - self.explained.len()) {
                let hypothesis = self.supply.get(self.explained.len());
                self.explain(hypothesis);
            }
            return;
        }
        if self.to_carry.is_none() {
            self.to_carry = Some(self.worth_carrying());
        }
        let (Some(queue), Some((turn, before))) = (&mut self.to_carry, self.earlier.split_first_mut()) else { return };
        for at in queue.drain(..AT_ONE_GO.min(queue.len())) {
            let explained = &mut self.explained[at];
            explained.fit = Some(turn.fit(&explained.hypothesis.rack, before));
        }
        if turn.is_used_up() {
            queue.clear();
        }
    }

    /// Records the losses of the last turn with a rack.
    fn explain(&mut self, hypothesis: Hypothesis) {
        let rack = hypothesis.rack;
        let (mut leaves, mut shares) = (Vec::new(), Vec::new());
        self.last.for_each_leave(&rack, &mut |leave, share| {
            leaves.push(leave);
            shares.push(share);
        });
        let most = match self.options.model {
            // A rack with which the turn loses more than with another one does not count.
            OpponentModel::RichardsAmir => Millipoints(self.least_lost.0.saturating_add(1)),
            _ => self.explainer.loss_cap(),
        };
        let losses = self.explainer.losses(&rack, &leaves, most);
        let of_leave =
            |((leave, share), lost)| ExplainedLeave { leave, share, equivalent_ways: self.explainer.equivalent_ways(&rack, &leave), lost };
        let leaves: Vec<ExplainedLeave> = leaves.into_iter().zip(shares).zip(losses).map(of_leave).collect();
        self.least_lost = leaves.iter().map(|row| row.lost).fold(self.least_lost, Millipoints::min);
        self.explained.push(ExplainedRack { hypothesis, leaves, fit: None });
    }

    /// Returns the racks that are compared with the turns before, the likeliest first.
    /// Drawn racks of little weight are left out, because their effect is below the sampling error.
    fn worth_carrying(&self) -> VecDeque<usize> {
        let weights: Vec<f64> = self.explained.iter().map(|explained| explained.hypothesis.prior * self.likely(explained)).collect();
        let mut order: Vec<usize> = (0..weights.len()).collect();
        order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]).then(a.cmp(&b)));
        if self.supply.is_drawn() {
            let enough = DRAWN_CARRIED * weights.iter().sum::<f64>();
            let weight_before = order.iter().scan(0.0, |sum, &at| {
                *sum += weights[at];
                Some(*sum - weights[at])
            });
            let counted = weight_before.take_while(|&before| before < enough).count();
            order.truncate(counted);
        }
        order.into()
    }

    /// Returns the likelihood of the last turn with a rack.
    fn likely(&self, explained: &ExplainedRack) -> f64 {
        explained.leaves.iter().map(|row| row.share / row.equivalent_ways * self.likelihood(row)).sum()
    }

    /// Returns the likelihood of the last turn with a leave, by model and simulations. Only ratios
    /// count. If the model accepts only best plays, and the turn is the best play of no rack,
    /// the racks with the least loss count.
    fn likelihood(&self, row: &ExplainedLeave) -> f64 {
        let by_model = match self.options.model {
            OpponentModel::RichardsAmir => f64::from(u8::from(row.lost == self.least_lost)),
            _ => self.explainer.likelihood(row.lost),
        };
        by_model * self.factors.get(&row.leave).copied().unwrap_or(1.0)
    }

    /// Returns the sums over the racks so far. Racks not compared with the turns before count as if
    /// they fitted them as well as the compared racks do on average.
    fn sums(&self) -> PosteriorSums {
        let fitted = self.explained.iter().filter_map(|explained| Some((explained.hypothesis.prior, explained.fit?)));
        let (often, fits) = fitted.fold((0.0, 0.0), |(often, fits), (prior, fit)| (often + prior, fits + prior * fit));
        let usual = if often > 0.0 { fits / often } else { 1.0 };
        let mut sums = PosteriorSums::default();
        for explained in &self.explained {
            let (prior, fit) = (explained.hypothesis.prior, explained.fit.unwrap_or(usual));
            for row in &explained.leaves {
                let of_leave = sums.row(row.leave);
                of_leave.prior += prior * row.share;
                of_leave.chance += prior * fit * row.share / row.equivalent_ways * self.likelihood(row);
            }
            let likely = fit * self.likely(explained);
            sums.seen += prior;
            sums.likely += prior * likely;
            sums.squares += prior * likely * likely;
        }
        sums
    }

    /// Measures the likeliest leaves by short simulations.
    fn simulate(&mut self, context: &SearchContext<'_>, listener: &mut dyn Listener) {
        let observed = self.last.observed;
        if !observed.shows_tiles() {
            return;
        }
        let losses: HashMap<Rack, Millipoints> =
            self.explained.iter().flat_map(|explained| &explained.leaves).map(|row| (row.leave, row.lost)).collect();
        let of_row =
            |row: &InferredLeave| Some(StaticLoss { rack: observed.rack_of(&row.leave)?, lost: losses[&row.leave], weight: row.chance });
        let mut rows: Vec<InferredLeave> = self.sums().leaves.into_values().collect();
        rows.sort_by_key(|row| *row.leave.counts());
        let (leaves, losses): (Vec<Rack>, Vec<StaticLoss>) = rows.iter().filter_map(|row| Some((row.leave, of_row(row)?))).unzip();
        let mut refinement = Refinement::new(losses);
        for _ in 0..self.options.most_simulated {
            if !refinement.measure_next(context, observed) {
                break;
            }
            if context.signals.take_report() {
                self.factors = leaves.iter().copied().zip(refinement.factors()).collect();
                listener.report(Report::Inference(Arc::new(self.belief())));
            }
        }
        self.factors = leaves.into_iter().zip(refinement.factors()).collect();
    }

    /// Returns the current belief. Racks that were not explained count as if they explained the turns as well as the others do on average.
    fn belief(&self) -> Belief {
        let mut sums = self.sums();
        let usual = if sums.seen > 0.0 { sums.likely / sums.seen } else { 1.0 };
        for &Hypothesis { rack, prior } in self.supply.rest(self.explained.len()) {
            self.last.for_each_leave(&rack, &mut |leave, share| {
                let row = sums.row(leave);
                row.prior += prior * share;
                row.chance += prior * share * usual;
            });
        }
        if self.supply.is_drawn() && sums.likely > 0.0 {
            let effective = sums.likely * sums.likely / sums.squares;
            let of_prior = PRIOR_RACKS / (PRIOR_RACKS + effective);
            for row in sums.leaves.values_mut() {
                row.chance = (1.0 - of_prior) * row.chance + of_prior * usual * row.prior;
            }
        }
        let scope = BeliefScope {
            model: self.options.model,
            // The last rack counts only when all turns are done.
            racks: if self.is_done() { self.supply.count() } else { self.explained.len().min(self.supply.count().saturating_sub(1)) },
            of_racks: self.supply.count(),
            is_drawn: self.supply.is_drawn(),
            turns: 1 + self.earlier.len(),
            unseen: self.last.unseen,
            known: self.last.known,
        };
        Belief::of_weights(sums.leaves.into_values().collect(), scope)
    }
}

impl PosteriorSums {
    fn row(&mut self, leave: Rack) -> &mut InferredLeave {
        self.leaves.entry(leave).or_insert(InferredLeave { leave, prior: 0.0, chance: 0.0 })
    }
}
