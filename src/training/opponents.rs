//! How well models of an opponent predict the tiles that a player keeps, and which soft model fits the
//! player.
//!
//! A player plays against itself. The judge uses the word list's tables, not the player's.
//! After each placement, the racks that are possible from the opponent's view are compared with it.
//! A model is better if it gives a higher chance to the tiles actually kept. Its gain is measured in
//! bits: the binary logarithm of the chance after the turn divided by the chance before.
//! For the soft model, temperatures and floors are tried. Start with [`OpponentGames::watch`],
//! then [`OpponentSums`].
//!
//! Not here: the models (`search/inference/`).

use crate::engine::Engine;
use crate::evaluation::static_eval::EvaluatedPlay;
use crate::match_play::game::GameLoop;
use crate::match_play::pairs::Contestant;
use crate::players::Player;
use crate::rules::tiles::MAX_LETTERS;
use crate::rules::{BySeat, GameRules, Play, Position, Rack, Seat, Tile, Turn};
use crate::search::budget::Signals;
use crate::search::inference::{ObservedTurn, OpponentModel, TriedRack, TurnTrial};
use crate::search::{InferenceOptions, Knowledge};
use crate::training::calibration::Reliability;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The share of the prior that is mixed into the beliefs of a model that may give the truth no chance.
/// With it, a truth of chance 0 costs a finite number of bits.
const OF_PRIOR: f64 = 0.01;

/// The temperatures that are tried, points.
pub const TEMPERATURES: [f64; 12] = [0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0];

/// The floors that are tried.
pub const FLOORS: [f64; 9] = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.02, 0.05, 0.1, 0.2];

/// The least number of tiles in the bag before the turn, for each row of the table.
pub const BAG_BINS: [usize; 5] = [1, 12, 26, 47, 69];

/// The most tiles that a placement can have and still leave some on the rack.
pub const MOST_PLACED: usize = 6;

/// The models that are tried.
pub const MODELS: [OpponentModel; 4] = [OpponentModel::RichardsAmir, OpponentModel::Static, OpponentModel::Sim, OpponentModel::Auto];

/// The turns that are judged, and the effort for each.
#[derive(Clone, Copy, Debug)]
pub struct Trials {
    /// One turn in this many is judged. With 1, all turns are judged. Successive games begin with different turns.
    pub every: usize,
    /// The most racks that are compared with a turn.
    pub most_racks: usize,
    /// The number of turns before the judged one that also count.
    pub earlier_turns: usize,
    /// The number of racks with short simulations.
    pub simulated: usize,
}

/// One thread's games of a player against itself.
pub struct OpponentGames<'a> {
    rules: &'a Arc<GameRules>,
    knowledge: &'a Knowledge,
    games: GameLoop<'a>,
    player: Box<dyn Player + 'a>,
    trials: Trials,
}

impl<'a> OpponentGames<'a> {
    /// Returns games of this player. The judge uses the tables of `judge`.
    pub fn new(player: &'a Contestant, judge: &'a Engine, trials: Trials) -> OpponentGames<'a> {
        let (rules, knowledge) = (player.engine.rules(), judge.knowledge());
        let games = GameLoop::new(rules, knowledge.lexicon.graph());
        let player = player.spec.player(rules, player.engine.knowledge());
        OpponentGames { rules, knowledge, games, player, trials }
    }

    /// Plays a game of a seed and judges its turns.
    ///
    /// # Panics
    /// If the player makes an impossible play.
    pub fn watch(&mut self, seed: u64, index: u64) -> OpponentSums {
        let mut racks: Vec<Rack> = Vec::new();
        let player = &mut self.player;
        self.games.play(seed, index, &Signals::default(), |board, view| {
            racks.push(*view.tiles.rack);
            player.choose(board, view)
        });
        let Trials { every, most_racks, earlier_turns, simulated } = self.trials;
        let first_judged = (index % every as u64) as usize;
        let mut sums = OpponentSums::default();
        let mut position = Position::start(Arc::clone(self.rules));
        let mut seen: BySeat<Vec<ObservedTurn>> = BySeat::default();
        let mut exchanged = Rack::EMPTY;
        for (at, EvaluatedPlay { play, .. }) in self.games.plays().iter().enumerate() {
            let turn = match play {
                Play::Exchange(tiles) => Turn::ExchangeUnknown(tiles.len()),
                Play::Place(_) | Play::Pass => Turn::Play(*play),
            };
            let after = position.after(&turn).expect("the player plays by the rules");
            let before = std::mem::replace(&mut position, after);
            let turns = &mut seen[Seat::after_turns(at)];
            let observed = ObservedTurn::new(before, turn).expect("the player plays by the rules");
            turns.push(observed.after_exchange(exchanged));
            exchanged = if let Play::Exchange(tiles) = play { *tiles } else { Rack::EMPTY };
            let Some(own) = racks.get(at + 1) else { break };
            let mut view = position.clone();
            view.set_rack(view.on_turn(), own).expect("the tiles are the game's");
            // If the bag is empty, the opponent's rack is known, so there is nothing to infer.
            if view.in_bag() == 0 {
                break;
            }
            if at % every != first_judged {
                continue;
            }
            let options = InferenceOptions { most_racks, earlier_turns, ..InferenceOptions::new(OpponentModel::Static, turns.clone()) };
            let kept = racks[at].minus(&play.rack_tiles()).expect("the player plays by the rules");
            let trial_seed = seed.wrapping_add(index.wrapping_mul(1000)).wrapping_add(at as u64);
            if let Some(trial) = TurnTrial::of(self.knowledge, &view, &options, &kept, simulated, trial_seed) {
                sums.add_turn(&trial);
            }
        }
        sums
    }
}

/// Results of the turns with one range of tiles in the bag and one number of tiles placed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    pub turns: u64,
    /// The improbability of the truth before the turn was seen, bits.
    pub prior_bits: f64,
    /// Bits gained by each model.
    pub gained: [f64; MODELS.len()],
    /// The number of turns after which a model gives the truth no chance.
    pub excluded: [u64; MODELS.len()],
    /// Bits gained by the soft model with each temperature and floor.
    pub fits: [[f64; FLOORS.len()]; TEMPERATURES.len()],
}

/// A temperature and a floor, with the bits per turn that they gain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// The temperature, points.
    pub temperature: f64,
    pub floor: f64,
    /// Bits gained per turn.
    pub bits: f64,
}

/// The results of all turns.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OpponentSums {
    /// By tiles in the bag, then by tiles placed from 1 on.
    pub cells: [[Cell; MOST_PLACED]; BAG_BINS.len()],
    /// By model: the predicted chances that at least one tile of a kind was kept, with the results, over all kinds of hidden tiles.
    pub reliability: [Reliability; MODELS.len()],
}

impl Cell {
    fn add(&mut self, other: &Cell) {
        self.turns += other.turns;
        self.prior_bits += other.prior_bits;
        let sums = self.gained.iter_mut().chain(self.fits.as_flattened_mut());
        sums.zip(other.gained.iter().chain(other.fits.as_flattened())).for_each(|(sum, more)| *sum += more);
        self.excluded.iter_mut().zip(&other.excluded).for_each(|(sum, more)| *sum += more);
    }

    /// Returns the temperature and the floor that gain most, or `None` without turns.
    pub fn best_fit(&self) -> Option<Fit> {
        let fits = self.fits.iter().zip(TEMPERATURES).flat_map(|(row, temperature)| {
            row.iter().zip(FLOORS).map(move |(bits, floor)| Fit { temperature, floor, bits: bits / self.turns as f64 })
        });
        fits.filter(|_| self.turns > 0).max_by(|a, b| a.bits.total_cmp(&b.bits))
    }
}

impl OpponentSums {
    /// Adds the results of another game.
    pub fn add(&mut self, other: &OpponentSums) {
        self.cells.as_flattened_mut().iter_mut().zip(other.cells.as_flattened()).for_each(|(cell, more)| cell.add(more));
        self.reliability.iter_mut().zip(&other.reliability).for_each(|(sum, more)| sum.merge(more));
    }

    /// Returns the sum over some cells.
    pub fn total<'a>(cells: impl IntoIterator<Item = &'a Cell>) -> Cell {
        cells.into_iter().fold(Cell::default(), |mut sum, cell| {
            sum.add(cell);
            sum
        })
    }

    fn add_turn(&mut self, trial: &TurnTrial) {
        let Some(bag) = BAG_BINS.iter().rposition(|&least| least <= trial.in_bag) else { return };
        let Some(cell) = self.cells[bag].get_mut(trial.placed - 1) else { return };
        cell.turns += 1;
        cell.prior_bits -= trial.truth.prior.log2();
        for (at, model) in MODELS.into_iter().enumerate() {
            let weights = Weights::by_model(trial, model);
            cell.gained[at] += if model == OpponentModel::RichardsAmir { weights.mixed_bits() } else { weights.bits() };
            cell.excluded[at] += u64::from(weights.truth == 0.0);
            add_tile_chances(&mut self.reliability[at], trial, &weights);
        }
        for (row, temperature) in cell.fits.iter_mut().zip(TEMPERATURES) {
            for (bits, floor) in row.iter_mut().zip(FLOORS) {
                let soft = |rack: &TriedRack| (-rack.lost.points() / temperature).exp().max(floor) * rack.carried / rack.equivalent_ways;
                *bits += Weights::of(trial, soft).bits();
            }
        }
    }
}

/// The likelihood of a turn by a model.
struct Weights {
    /// With the true rack.
    truth: f64,
    /// The mean over all racks.
    mean: f64,
    racks: Vec<f64>,
}

impl Weights {
    fn of(trial: &TurnTrial, weight: impl Fn(&TriedRack) -> f64) -> Weights {
        Weights::new(trial, trial.racks.iter().map(&weight).collect(), weight(&trial.truth))
    }

    fn new(trial: &TurnTrial, racks: Vec<f64>, truth: f64) -> Weights {
        // The truth is added to racks that are drawn at random.
        let counted = if trial.is_drawn { 1.0 } else { 0.0 };
        let priors: f64 = trial.racks.iter().map(|rack| rack.prior).sum();
        let sum: f64 = trial.racks.iter().zip(&racks).map(|(rack, weight)| rack.prior * weight).sum();
        Weights { truth, mean: (sum + counted * truth) / (priors + counted), racks }
    }

    fn by_model(trial: &TurnTrial, model: OpponentModel) -> Weights {
        match model {
            OpponentModel::RichardsAmir => {}
            OpponentModel::Auto => {
                return Weights::of(trial, |rack| trial.mixture.likelihood(rack.lost, trial.in_bag) * rack.carried / rack.equivalent_ways);
            }
            OpponentModel::Uniform | OpponentModel::Static => {
                return Weights::of(trial, |rack| model.likelihood(rack.lost, trial.in_bag) * rack.carried / rack.equivalent_ways);
            }
            OpponentModel::Sim => {
                let weight = |rack: &TriedRack| model.likelihood(rack.lost, trial.in_bag) * rack.carried / rack.equivalent_ways;
                let racks = trial.racks.iter().zip(&trial.refined).map(|(rack, factor)| factor * weight(rack)).collect();
                let of_truth = trial.refined.last().copied().unwrap_or(1.0);
                return Weights::new(trial, racks, of_truth * weight(&trial.truth));
            }
        }
        // If the turn is the best play of no rack, the racks for which it loses least count.
        let least = trial.racks.iter().chain([&trial.truth]).map(|rack| rack.lost).min().unwrap_or_default();
        Weights::of(trial, |rack| f64::from(u8::from(rack.lost == least)))
    }

    /// Returns by what factor the truth has become more likely.
    fn gained(&self) -> f64 {
        if self.mean > 0.0 { self.truth / self.mean } else { 1.0 }
    }

    fn bits(&self) -> f64 {
        self.gained().log2()
    }

    /// Returns the bits gained with some of the prior in the belief.
    fn mixed_bits(&self) -> f64 {
        (OF_PRIOR + (1.0 - OF_PRIOR) * self.gained()).log2()
    }
}

fn add_tile_chances(reliability: &mut Reliability, trial: &TurnTrial, weights: &Weights) {
    let total: f64 = trial.racks.iter().zip(&weights.racks).map(|(rack, weight)| rack.prior * weight).sum();
    if total <= 0.0 {
        return;
    }
    let mut chances = [0.0; MAX_LETTERS + 1];
    let mut is_out = [false; MAX_LETTERS + 1];
    for (rack, weight) in trial.racks.iter().zip(&weights.racks) {
        for (tile, _) in rack.leave.distinct() {
            chances[tile.index()] += rack.prior * weight / total;
            is_out[tile.index()] = true;
        }
    }
    for (index, &chance) in chances.iter().enumerate().filter(|(index, _)| is_out[*index]) {
        let was_kept = Tile::from_index(index).is_some_and(|tile| trial.truth.leave.count(tile) > 0);
        reliability.add(chance.min(1.0), f64::from(u8::from(was_kept)));
    }
}
