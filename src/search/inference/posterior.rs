//! Bayes: from the opponent's turns to what is believed of the tiles they kept.
//!
//! A *hypothesis* is a rack that the opponent may have held on the last turn. All are gone through while there are not too many; else racks are drawn
//! at random. A hypothesis has the chance of its tiles, times how well it explains the last turn, times how well it fits the turns before: it
//! holds the leave of the turn before and tiles drawn since, nobody knows which are which, so each of its parts may be that leave, and the mean of their
//! likelihoods counts. That is exact: given the leave, what was drawn does not depend on how it was kept. Those likelihoods are worked out
//! for the parts that come up, in the same way, turn by turn back.
//!
//! Start with [`infer`].

use crate::rules::multisets;
use crate::rules::units::Millipoints;
use crate::rules::{Rack, Tile, Turn};
use crate::search::analysis::InferenceOptions;
use crate::search::context::SearchContext;
use crate::search::inference::belief::{Belief, BeliefScope, InferredLeave};
use crate::search::inference::explain::Explainer;
use crate::search::inference::model::OpponentModel;
use crate::search::inference::observed::ObservedTurn;
use crate::search::inference::ways;
use crate::search::randomness::{self, Stream};
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
    inference.belief()
}

/// A rack that the opponent may have held on the last turn.
#[derive(Clone, Copy, Debug)]
struct Hypothesis {
    rack: Rack,
    /// How often it comes up before anything is explained: ways to draw it, or draws. Only ratios count.
    prior: f64,
}

/// The racks that are held against the last turn.
enum RackSupply {
    /// All that are possible, likeliest first.
    All(Vec<Hypothesis>),
    /// Racks drawn at random, each when it is its turn.
    Drawn(RackDraws),
}

/// Racks that hold some tiles for certain, and others that are drawn from a pool.
struct RackDraws {
    certain: Rack,
    pool: Vec<Tile>,
    others: usize,
    racks: usize,
    seed: u64,
}

impl RackSupply {
    /// All racks that the opponent may have held on this turn, if they are not more than `most`; else so many of them.
    fn of(last: &LastTurn<'_>, most: usize, seed: u64) -> RackSupply {
        let (certain, pool, others) = last.drawn_from();
        if ways::multisets(&pool, others) > most as f64 {
            return RackSupply::Drawn(RackDraws { certain, pool: pool.tiles().collect(), others, racks: most, seed });
        }
        let mut racks = Vec::new();
        multisets::for_each(pool.counts(), others, &mut |tiles| {
            let rest: Rack = tiles.iter().filter_map(|&index| Tile::from_index(index.into())).collect();
            racks.push(Hypothesis { rack: certain.plus(&rest), prior: ways::draws(&pool, &rest) });
        });
        racks.sort_by(|a, b| b.prior.total_cmp(&a.prior));
        RackSupply::All(racks)
    }

    /// How many there are.
    fn len(&self) -> usize {
        match self {
            RackSupply::All(racks) => racks.len(),
            RackSupply::Drawn(draws) => draws.racks,
        }
    }

    fn is_drawn(&self) -> bool {
        matches!(self, RackSupply::Drawn(_))
    }

    /// The one at this place, in rising order from 0.
    fn get(&mut self, at: usize) -> Hypothesis {
        match self {
            RackSupply::All(racks) => racks[at],
            RackSupply::Drawn(RackDraws { certain, pool, others, seed, .. }) => {
                randomness::shuffle(pool, &mut randomness::generator(*seed, Stream::Inference, at as u64));
                Hypothesis { rack: certain.plus(&pool[..*others].iter().copied().collect()), prior: 1.0 }
            }
        }
    }

    /// The possible racks from this place on. Of drawn ones those drawn so far stand for all.
    fn rest(&self, from: usize) -> &[Hypothesis] {
        match self {
            RackSupply::All(racks) => &racks[from..],
            RackSupply::Drawn(_) => &[],
        }
    }
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
        let last = LastTurn {
            observed: last,
            unseen: context.position.unseen(),
            known: *context.position.opponent_rack(),
            holds: context.position.opponent_tiles(),
        };
        let supply = RackSupply::of(&last, options.most_racks.max(1), context.settings.seed);
        let is_told = |turn: &&ObservedTurn| !matches!(turn.turn(), Turn::ExchangeUnknown(_));
        // Theirs is a model of one turn.
        let most_earlier = if options.model == OpponentModel::RichardsAmir { 0 } else { options.earlier_turns };
        let earlier = before.iter().rev().take_while(is_told).take(most_earlier);
        Inference {
            explainer: Explainer::new(context.knowledge, last.observed, options.model),
            earlier: earlier.map(|turn| EarlierTurn::new(context, turn, options)).collect(),
            options,
            supply,
            done: 0,
            leaves: HashMap::new(),
            seen: 0.0,
            likely: 0.0,
            squares: 0.0,
            least_lost: Millipoints(i32::MAX),
            last,
        }
    }

    fn is_done(&self) -> bool {
        self.done == self.supply.len()
    }

    /// Goes through the next racks.
    fn explain_some(&mut self) {
        for _ in 0..AT_ONE_GO.min(self.supply.len() - self.done) {
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

    /// How likely a turn is that loses so much. Where only the best play counts, and it was the best of no rack so far, what loses least counts:
    /// when less is lost than ever before, what was likely until then no longer is.
    fn likelihood(&mut self, lost: Millipoints) -> f64 {
        if self.options.model != OpponentModel::RichardsAmir {
            return self.options.model.likelihood(lost);
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
            of_racks: self.supply.len(),
            is_drawn: self.supply.is_drawn(),
            turns: 1 + self.earlier.len(),
            unseen: self.last.unseen,
            known: self.last.known,
        };
        Belief::of_weights(leaves.into_values().collect(), scope)
    }
}

/// The last turn, and what is out of sight since.
struct LastTurn<'a> {
    observed: &'a ObservedTurn,
    /// The bag and the opponent's rack as it is now.
    unseen: Rack,
    /// What is known of that rack.
    known: Rack,
    /// Tiles on it.
    holds: usize,
}

impl LastTurn<'_> {
    /// What the rack held for certain, the tiles that the rest of it came from, and how many these were.
    fn drawn_from(&self) -> (Rack, Rack, usize) {
        let shown = self.observed.shown();
        let pool = self.unseen.minus(&self.observed.shown_off_board()).unwrap_or_default();
        let others = self.observed.held().saturating_sub(shown.len()).min(pool.len());
        (shown, pool, others)
    }

    /// Calls `visit` with every leave that may have been kept of a rack, and its share: the chance that it was this one, and that
    /// the known tiles are on the rack now.
    fn for_each_leave(&self, rack: &Rack, visit: &mut impl FnMut(Rack, f64)) {
        let mut tell = |leave: Rack, share: f64| {
            let share = share * self.chance_of_known(&leave);
            if share > 0.0 {
                visit(leave, share);
            }
        };
        match self.observed.kept_of(rack) {
            Some(leave) => tell(leave, 1.0),
            None => ways::for_each_part(rack, self.observed.kept(), &mut tell),
        }
    }

    /// The chance that the opponent, having kept this leave, holds the known tiles after drawing.
    fn chance_of_known(&self, leave: &Rack) -> f64 {
        if self.known.is_empty() {
            return 1.0;
        }
        let Ok(pool) = self.unseen.minus(leave) else { return 0.0 };
        let drawn = self.holds.saturating_sub(leave.len());
        let mut kept = *leave;
        let missing: Rack = self.known.tiles().filter(|&tile| !kept.remove(tile)).collect();
        ways::draws_containing(&pool, drawn, &missing) / ways::choose(pool.len(), drawn)
    }
}

/// A turn before the last one, with the likelihoods that were worked out for its leaves.
struct EarlierTurn<'a> {
    observed: &'a ObservedTurn,
    explainer: Explainer<'a>,
    model: OpponentModel,
    likelihoods: HashMap<Rack, f64>,
    /// Leaves that may still be worked out.
    left: usize,
    sum: f64,
}

impl<'a> EarlierTurn<'a> {
    fn new(context: &SearchContext<'a>, observed: &'a ObservedTurn, options: &InferenceOptions) -> EarlierTurn<'a> {
        let explainer = Explainer::new(context.knowledge, observed, options.model);
        EarlierTurn { observed, explainer, model: options.model, likelihoods: HashMap::new(), left: options.most_racks.max(1), sum: 0.0 }
    }

    /// How well the turns up to this one fit a rack that was held one turn later: the mean over its parts that may have been kept.
    fn fit(&mut self, rack: &Rack, before: &mut [EarlierTurn<'a>]) -> f64 {
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

    fn likelihood_of_rack(&mut self, rack: &Rack, leave: &Rack, before: &mut [EarlierTurn<'a>]) -> f64 {
        let carried = before.split_first_mut().map_or(1.0, |(turn, before)| turn.fit(rack, before));
        let best = self.explainer.best(rack);
        carried * self.model.likelihood(self.explainer.lost(rack, best, leave)) / self.explainer.alike(rack, leave)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::builder::plain_engine;
    use crate::rules::Play;

    #[test]
    fn racks_are_drawn_as_often_as_they_are_likely() {
        let engine = plain_engine();
        let before = engine.new_game();
        let rack = Rack::parse("CATS", &before.rules().distribution).unwrap();
        let Turn::Play(play @ Play::Place(_)) = engine.parse_play("8G.CATS", &before).unwrap() else { panic!("a placement") };
        let observed = ObservedTurn::new(before.clone(), Turn::Play(play)).unwrap();
        let after = before.after(&Turn::Play(play)).unwrap();
        let last = LastTurn { observed: &observed, unseen: after.unseen(), known: Rack::EMPTY, holds: after.opponent_tiles() };
        assert_eq!((observed.shown(), observed.kept()), (rack, 3));
        let RackSupply::All(all) = RackSupply::of(&last, usize::MAX, 1) else { panic!("so many are gone through") };
        assert!(RackSupply::of(&last, all.len() - 1, 1).is_drawn());
        let ways: f64 = all.iter().map(|row| row.prior).sum();
        assert_eq!(ways, ways::choose(96, 3));
        let draws = 40_000;
        let (certain, pool, others) = last.drawn_from();
        let mut supply = RackSupply::Drawn(RackDraws { certain, pool: pool.tiles().collect(), others, racks: draws, seed: 1 });
        let mut drawn: HashMap<Rack, f64> = HashMap::new();
        for at in 0..draws {
            *drawn.entry(supply.get(at).rack).or_insert(0.0) += 1.0;
        }
        for row in all.iter().filter(|row| row.prior / ways > 1e-3) {
            let expected = draws as f64 * row.prior / ways;
            let times = drawn.get(&row.rack).copied().unwrap_or(0.0);
            assert!((times - expected).abs() < 5.0 * expected.sqrt(), "{row:?} {times} {expected}");
        }
    }
}
