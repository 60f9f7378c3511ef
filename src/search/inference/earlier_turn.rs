//! How well a turn before the last one fits the later rack.

use crate::rules::Rack;
use crate::rules::ways;
use crate::search::analysis::InferenceOptions;
use crate::search::inference::explain::Explainer;
use crate::search::inference::observed::ObservedTurn;
use std::collections::HashMap;

/// A turn before the last one, with the likelihoods that were worked out for its leaves.
pub struct EarlierTurn<'a> {
    observed: &'a ObservedTurn,
    explainer: Explainer<'a>,
    likelihoods: HashMap<Rack, f64>,
    /// Leaves that may still be worked out.
    left: usize,
    sum: f64,
}

impl<'a> EarlierTurn<'a> {
    /// A turn with who explains it, by the limits of an inference.
    pub fn new(observed: &'a ObservedTurn, explainer: Explainer<'a>, options: &InferenceOptions) -> EarlierTurn<'a> {
        EarlierTurn { observed, explainer, likelihoods: HashMap::new(), left: options.most_racks.max(1), sum: 0.0 }
    }

    /// Whether no more leaves may be worked out.
    pub fn is_used_up(&self) -> bool {
        self.left == 0
    }

    /// How well the turns up to this one fit a rack that was held one turn later: the mean over its parts that may have been kept.
    pub fn fit(&mut self, rack: &Rack, before: &mut [EarlierTurn<'a>]) -> f64 {
        let kept = self.observed.kept();
        if kept > rack.len() {
            return 0.0;
        }
        let mut fit = 0.0;
        ways::for_each_part(rack, kept, &mut |leave, share| fit += share * self.likelihood(&leave, before));
        fit
    }

    /// How well this turn and those before are explained if this leave was kept. What may no longer be worked out is as usual.
    fn likelihood(&mut self, leave: &Rack, before: &mut [EarlierTurn<'a>]) -> f64 {
        if let Some(&known) = self.likelihoods.get(leave) {
            return known;
        }
        if self.left == 0 {
            return self.sum / self.likelihoods.len() as f64;
        }
        self.left -= 1;
        let rack = self.observed.rack_of(leave);
        let likelihood = rack.map_or(0.0, |rack| self.likelihood_of_rack(&rack, leave, before));
        self.likelihoods.insert(*leave, likelihood);
        self.sum += likelihood;
        likelihood
    }

    /// Of the ways to hold a rack then, the share in which none of its tiles is one that we had exchanged before it: those may only have been drawn
    /// after it.
    fn share_without_exchanged(&self, rack: &Rack) -> f64 {
        let exchanged = self.observed.exchanged_before();
        if exchanged.is_empty() {
            return 1.0;
        }
        let before = self.observed.before();
        let all = before.unknown().plus(before.mover_rack());
        ways::draws(&all.without(&exchanged), rack) / ways::draws(&all, rack).max(1.0)
    }

    fn likelihood_of_rack(&mut self, rack: &Rack, leave: &Rack, before: &mut [EarlierTurn<'a>]) -> f64 {
        let carried = before.split_first_mut().map_or(1.0, |(turn, before)| turn.fit(rack, before));
        let lost = self.explainer.loss(rack, leave);
        let possible = self.share_without_exchanged(rack);
        carried * possible * self.explainer.likelihood(lost) / self.explainer.alike(rack, leave)
    }
}
