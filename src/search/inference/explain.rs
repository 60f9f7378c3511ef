//! How well racks explain the opponent's turns, by each turn's loss against the rack's best static
//! play.
//!
//! | for | start with |
//! |---|---|
//! | one turn and any rack | [`Explainer`] |
//! | how well a turn before the last one fits the later rack | [`EarlierTurn`] |
//! | how sharply the opponent chooses | [`learn`] |
//!
//! To learn how sharply the opponent chooses, each turn is compared with racks that it may have come
//! from: an opponent who often loses equity does not choose sharply. Racks are drawn from all tiles
//! that were off the board on that turn. Some of these were on our own rack, which changes little.

use crate::evaluation::StaticEval;
use crate::evaluation::static_eval::StaticTurn;
use crate::movegen::LaneBoard;
use crate::rules::units::Millipoints;
use crate::rules::{Play, Rack, Turn, scoring, ways};
use crate::search::analysis::InferenceOptions;
use crate::search::budget::Signals;
use crate::search::context::Knowledge;
use crate::search::inference::last_turn::{LastTurn, RackSupply};
use crate::search::inference::model::{Mixture, OpponentModel, TurnEvidence};
use crate::search::inference::types::ObservedTurn;
use std::collections::HashMap;

/// The number of racks whose plays are all listed, to count those that are nearly as good as the best one. There are this many among the
/// racks that explain a turn best, and as many among the others.
const MOST_LISTED: usize = 6;

/// Explains one turn by any number of racks.
pub struct Explainer<'a> {
    model: OpponentModel,
    mixture: Mixture,
    eval: StaticEval<'a>,
    board: LaneBoard,
    in_bag: usize,
    turn: Turn,
    /// The value of the play without the tiles kept: its score minus the cost of its place on the
    /// board.
    fixed: Millipoints,
}

impl<'a> Explainer<'a> {
    /// Returns an explainer of this turn by this model.
    pub fn new(knowledge: &'a Knowledge, observed: &'a ObservedTurn, model: OpponentModel) -> Explainer<'a> {
        let (before, turn) = (observed.before(), *observed.turn());
        let rules = before.rules();
        let mut eval = StaticEval::new(rules, knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves);
        let graph = knowledge.lexicon.graph();
        let mut board = LaneBoard::new(rules, before.board(), graph);
        // The board is prepared because many racks are tried on it.
        board.prepare(graph);
        board.learn_letters(graph);
        // The bag as the opponent counted it. If their rack is unknown, it counts as full.
        let in_bag = before.in_bag();
        let placement = match &turn {
            Turn::Play(Play::Place(placement)) | Turn::Phony(placement) => Some(*placement),
            _ => None,
        };
        let fixed = placement.map_or(Millipoints::ZERO, |placement| {
            let (shown, play) = (observed.shown(), Play::Place(placement));
            let shown = StaticTurn::new(&shown, &Rack::EMPTY, in_bag);
            let found = eval.all(&mut board, &shown).into_iter().find(|found| found.play == play);
            let score = || scoring::score_placement(rules, before.board(), &placement).map_or(0, |scored| scored.score);
            found.map_or_else(|| Millipoints::from_points(score()), |found| found.equity - eval.worth_after(&shown, &play))
        });
        Explainer { model, mixture: Mixture::unknown(), eval, board, in_bag, turn, fixed }
    }

    /// Returns by leave the loss of the turn against the best play of this rack,
    /// if these tiles were kept. Losses of `most` or more need not be exact:
    /// any value of at least `most` may be returned. All are 0 for a model that does not use losses.
    pub fn losses(&mut self, rack: &Rack, leaves: &[Rack], most: Millipoints) -> Vec<Millipoints> {
        if self.model == OpponentModel::Uniform {
            return vec![Millipoints::ZERO; leaves.len()];
        }
        let turn = StaticTurn::new(rack, &Rack::EMPTY, self.in_bag);
        let worth: Vec<Millipoints> = leaves.iter().map(|kept| self.worth(&turn, kept)).collect();
        let Some((&least, &best)) = worth.iter().min().zip(worth.iter().max()) else { return worth };
        // PERF: plays worth less than the turn itself do not matter, because the turn is one of the
        // plays. Nor does it matter by how much more than `most` another play is better.
        let enough = Millipoints(best.0.saturating_add(most.0));
        let best = self.eval.best_equity_within(&mut self.board, &turn, least, enough);
        worth.into_iter().map(|worth| Millipoints((best - worth).0.max(0))).collect()
    }

    /// Returns the loss of one leave as in [`Explainer::losses`], as exact as the model needs.
    pub fn loss(&mut self, rack: &Rack, kept: &Rack) -> Millipoints {
        let most = self.loss_cap();
        self.losses(rack, std::slice::from_ref(kept), most)[0]
    }

    /// Returns the loss from which on all losses are equally likely.
    pub fn loss_cap(&self) -> Millipoints {
        self.model.loss_cap(self.in_bag).unwrap_or(Millipoints::MAX)
    }

    /// Returns in how many ways the same letters could have left the rack. The likelihood is divided
    /// by this number.
    ///
    /// A player chooses letters, and it does not matter which of two equal tiles is played.
    /// But the prior distinguishes physical tiles: a rack that kept a tile equal to one that was
    /// played comes up once for each of the two. \[Richards & Amir 2007\] do not correct for this,
    /// and a player who takes tiles at random needs no correction.
    pub fn equivalent_ways(&self, rack: &Rack, kept: &Rack) -> f64 {
        match (self.model, &self.turn) {
            (OpponentModel::Uniform | OpponentModel::RichardsAmir, _) => 1.0,
            (OpponentModel::Static | OpponentModel::Sim | OpponentModel::Auto, Turn::Phony(placement)) => {
                ways::draws(rack, &placement.rack_tiles())
            }
            // There are as many ways to choose the tiles that left as those that stayed.
            (OpponentModel::Static | OpponentModel::Sim | OpponentModel::Auto, _) => ways::draws(rack, kept),
        }
    }

    /// Sets the mixture of sharpnesses on this turn. Only [`OpponentModel::Auto`] uses it.
    pub fn with_mixture(self, mixture: Mixture) -> Explainer<'a> {
        Explainer { mixture, ..self }
    }

    /// Returns the likelihood of the turn by the model if it loses `lost`. Only ratios count.
    pub fn likelihood(&self, lost: Millipoints) -> f64 {
        match self.model {
            OpponentModel::Auto => self.mixture.likelihood(lost, self.in_bag),
            OpponentModel::Uniform | OpponentModel::RichardsAmir | OpponentModel::Static | OpponentModel::Sim => {
                self.model.likelihood(lost, self.in_bag)
            }
        }
    }

    /// Returns the evidence of the turn about the opponent's sharpness, if it came from one of these racks, each with the tiles kept.
    ///
    /// For a sharp opponent only the few racks with which the turn loses least matter; for other opponents all racks do. All plays are
    /// listed for a few racks of each kind.
    pub fn evidence(&mut self, racks: &[(Rack, Rack)]) -> TurnEvidence {
        let mut explained: Vec<(Millipoints, f64, Rack)> = Vec::with_capacity(racks.len());
        for (rack, kept) in racks {
            explained.push((self.loss(rack, kept), 1.0 / self.equivalent_ways(rack, kept), *rack));
        }
        // The sort is stable, so equal racks stay in the order in which they were drawn.
        explained.sort_by_key(|(lost, ..)| *lost);
        let (least, others) = explained.split_at(MOST_LISTED.min(explained.len()));
        let mut evidence = TurnEvidence::default();
        for part in [least, others] {
            let step = part.len().div_ceil(MOST_LISTED).max(1);
            for stratum in part.chunks(step) {
                let (_, _, rack) = &stratum[stratum.len() / 2];
                let plays = self.eval.all(&mut self.board, &StaticTurn::new(rack, &Rack::EMPTY, self.in_bag));
                let all: Vec<Millipoints> = plays.iter().map(|play| plays[0].equity - play.equity).collect();
                let of_turn: Vec<(Millipoints, f64)> = stratum.iter().map(|(lost, share, _)| (*lost, *share)).collect();
                evidence.add(&of_turn, &all, self.in_bag);
            }
        }
        evidence
    }

    /// Returns the value of the turn for a player with this rack who kept these tiles.
    fn worth(&self, held: &StaticTurn<'_>, kept: &Rack) -> Millipoints {
        let play = match self.turn {
            Turn::Play(play) => play,
            Turn::Phony(placement) => Play::Place(placement),
            Turn::ExchangeUnknown(_) => Play::Exchange(held.rack.minus(kept).unwrap_or_default()),
        };
        self.fixed + self.eval.worth_after(held, &play)
    }
}

/// A turn before the last one, with the likelihoods that were computed for its leaves.
pub struct EarlierTurn<'a> {
    observed: &'a ObservedTurn,
    explainer: Explainer<'a>,
    likelihoods: HashMap<Rack, f64>,
    /// The number of leaves whose likelihoods may still be computed.
    left: usize,
    sum: f64,
}

impl<'a> EarlierTurn<'a> {
    /// Returns a turn with its explainer, under the limits of an inference.
    pub fn new(observed: &'a ObservedTurn, explainer: Explainer<'a>, options: &InferenceOptions) -> EarlierTurn<'a> {
        EarlierTurn { observed, explainer, likelihoods: HashMap::new(), left: options.most_racks.max(1), sum: 0.0 }
    }

    /// Whether no more likelihoods may be computed.
    pub fn is_used_up(&self) -> bool {
        self.left == 0
    }

    /// Returns how well the turns up to this one fit a rack that was held one turn later: the mean over its parts that may have been kept.
    pub fn fit(&mut self, rack: &Rack, before: &mut [EarlierTurn<'a>]) -> f64 {
        let kept = self.observed.kept();
        if kept > rack.len() {
            return 0.0;
        }
        let mut fit = 0.0;
        ways::for_each_part(rack, kept, &mut |leave, share| fit += share * self.likelihood(&leave, before));
        fit
    }

    /// Returns how well this turn and those before are explained if this leave was kept. If the likelihood may no longer be computed, the mean
    /// of the others is used.
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

    /// Returns the share of the ways to hold a rack on this turn in which none of its tiles is one that we exchanged just before. The
    /// opponent can have drawn those only after the turn.
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
        carried * possible * self.explainer.likelihood(lost) / self.explainer.equivalent_ways(rack, leave)
    }
}

/// The most turns that are learned from: the last ones.
const MOST_TURNS: usize = 8;

/// The number of racks compared with each turn.
const RACKS: usize = 150;

/// Returns by turn the mixture to use on it, learned from the turns before it.
/// Nothing is learned from turns that placed no tiles, or after a stop signal.
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

/// Returns racks that a placement may have come from, with the tiles kept; none for other turns.
fn racks_of(observed: &ObservedTurn, seed: u64) -> Vec<(Rack, Rack)> {
    let Turn::Play(Play::Place(_)) = observed.turn() else { return Vec::new() };
    let Ok(after) = observed.before().after(observed.turn()) else { return Vec::new() };
    let mut supply = RackSupply::of(&LastTurn::new(observed, &after), RACKS, seed);
    let racks = (0..supply.count()).map(|at| supply.get(at).rack);
    racks.filter_map(|rack| Some((rack, observed.kept_of(&rack)?))).collect()
}
