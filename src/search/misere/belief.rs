//! A misere player's belief about the other rack, tile by tile.
//!
//! Exchanges reveal much: a player who exchanges two tiles keeps five that are worth keeping, and a player who passes although they may
//! exchange likes the whole rack. The model assumes that tiles are independent of each other, and that the opponent follows the programme
//! of [`PenaltyValues`].
//!
//! | a turn of the opponent | effect on the believed tiles |
//! |---|---|
//! | an exchange of n tiles | the n tiles likeliest to be exchanged become new; the others are worth keeping |
//! | a placement | for each placed tile, the believed tile that was likeliest to be it becomes new |
//! | a turn without points that nobody watched | each tile may have been exchanged |
//!
//! Not here: the value of plays (`equity.rs`). Start with [`RackBelief::of_turns`].

use crate::rules::{GameRules, LetterDistribution, Play, Rack, Tile, Turn};
use crate::search::inference::types::ObservedTurn;
use crate::search::misere::tile_values::{PenaltyValues, TileChances};
use rand::{Rng, RngExt};

/// A turn of the opponent, as far as it reveals something of their rack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeenTurn {
    /// The tiles placed.
    pub placed: Rack,
    /// How many tiles were exchanged.
    pub exchanged: usize,
    /// Whether the rules allowed an exchange.
    pub may_exchange: bool,
    /// Successive turns without points before it.
    pub zero_turns: u32,
    /// How many tiles the rack held.
    pub held: usize,
}

impl SeenTurn {
    /// Returns what a turn reveals. The turn was taken with `held` tiles on the rack and `in_bag` tiles in the bag, after `zero_turns` turns
    /// without points.
    pub fn new(rules: &GameRules, turn: &Turn, held: usize, in_bag: usize, zero_turns: u32) -> SeenTurn {
        let (placed, exchanged) = match turn {
            Turn::Play(Play::Place(placement)) => (placement.rack_tiles(), 0),
            Turn::Play(Play::Exchange(tiles)) => (Rack::EMPTY, tiles.len()),
            Turn::ExchangeUnknown(count) => (Rack::EMPTY, *count),
            Turn::Play(Play::Pass) | Turn::Phony(_) => (Rack::EMPTY, 0),
        };
        SeenTurn { placed, exchanged, may_exchange: in_bag >= rules.exchange_limit, zero_turns, held }
    }

    /// Returns what an observed turn reveals.
    pub fn of(observed: &ObservedTurn) -> SeenTurn {
        let before = observed.before();
        SeenTurn::new(before.rules(), observed.turn(), observed.held(), before.in_bag(), before.zero_turns())
    }
}

/// A rack of which some tiles are known.
#[derive(Clone, Debug, PartialEq)]
pub struct RackBelief {
    known: Rack,
    hidden: Vec<TileChances>,
}

/// Returns the exchanges that a player has left after the current turn, if all turns to come are without points.
pub fn exchanges_left(rules: &GameRules, zero_turns: u32) -> usize {
    rules.max_zero_turns.saturating_sub(zero_turns + 1) as usize / 2
}

impl RackBelief {
    /// Returns the belief that the rack is this one.
    pub fn certain(rack: &Rack) -> RackBelief {
        RackBelief { known: *rack, hidden: Vec::new() }
    }

    /// Returns the belief about a rack of these tiles and `others` hidden ones. Each hidden tile went through the exchanges of the last
    /// `zero_turns` turns without points, of which the opponent took the last.
    pub fn unwatched(rules: &GameRules, values: &PenaltyValues, known: &Rack, others: usize, zero_turns: u32) -> RackBelief {
        let turns = zero_turns.div_ceil(2) as usize;
        let after = rules.max_zero_turns.saturating_sub(zero_turns) as usize / 2;
        let tile = values.fresh().exchanged(&rules.distribution, values, turns, after);
        RackBelief { known: *known, hidden: vec![tile; others] }
    }

    /// Returns the belief about a rack of `tiles` tiles after these turns of the opponent, oldest first.
    pub fn of_turns(rules: &GameRules, values: &PenaltyValues, turns: &[SeenTurn], tiles: usize) -> RackBelief {
        let held = turns.first().map_or(tiles, |turn| turn.held);
        let mut belief = RackBelief { known: Rack::EMPTY, hidden: vec![*values.fresh(); held] };
        for (at, turn) in turns.iter().enumerate() {
            belief.see(rules, values, turn, turns.get(at + 1).map_or(tiles, |next| next.held));
        }
        belief
    }

    /// Returns the belief with these tiles known. Each replaces the hidden tile that was likeliest to be it.
    pub fn knowing(mut self, known: &Rack) -> RackBelief {
        for tile in known.tiles() {
            self.take(tile);
            self.known.add(tile);
        }
        self
    }

    /// Takes a turn of the opponent into account. They then hold `holds` tiles.
    pub fn see(&mut self, rules: &GameRules, values: &PenaltyValues, turn: &SeenTurn, holds: usize) {
        for tile in turn.placed.tiles() {
            self.take(tile);
        }
        if turn.placed.is_empty() && turn.may_exchange {
            let left = exchanges_left(rules, turn.zero_turns);
            self.exchange(&rules.distribution, |tile| values.throws(tile, left), turn.exchanged);
        }
        self.hidden.resize(holds.saturating_sub(self.known.len()), *values.fresh());
    }

    /// Takes an exchange of `count` tiles into account: the opponent wanted to keep all others.
    fn exchange(&mut self, distribution: &LetterDistribution, throws: impl Fn(Tile) -> bool, count: usize) {
        let keeps = |chances: &TileChances| chances.chance(distribution, |tile| !throws(tile));
        self.hidden.sort_by(|a, b| keeps(b).total_cmp(&keeps(a)));
        self.hidden.truncate(self.hidden.len().saturating_sub(count));
        for chances in &mut self.hidden {
            *chances = chances.given(distribution, |tile| !throws(tile));
        }
    }

    /// Removes this tile, or the hidden tile that was likeliest to be it.
    fn take(&mut self, tile: Tile) {
        if self.known.remove(tile) {
            return;
        }
        let likeliest = (0..self.hidden.len()).max_by(|&a, &b| self.hidden[a].of(tile).total_cmp(&self.hidden[b].of(tile)));
        if let Some(at) = likeliest {
            self.hidden.remove(at);
        }
    }

    /// The tiles that are known.
    pub fn known(&self) -> &Rack {
        &self.known
    }

    /// The chances of each hidden tile.
    pub fn hidden(&self) -> &[TileChances] {
        &self.hidden
    }

    /// The chances of all tiles, those of known ones first.
    pub fn tiles(&self) -> impl Iterator<Item = TileChances> + '_ {
        self.known.tiles().map(TileChances::certain).chain(self.hidden.iter().copied())
    }

    /// Draws a rack from the unseen tiles by these chances, and removes it from them. Known tiles come first.
    pub fn deal(&self, unseen: &mut Rack, rng: &mut impl Rng) -> Rack {
        let mut rack = self.known;
        let whole = TileChances::of_all(unseen);
        *unseen = unseen.minus(&self.known).unwrap_or(*unseen);
        for chances in &self.hidden {
            // The weight of a tile: its believed chance, divided by its share of all unseen tiles, times the copies that are left.
            let weight = |tile: Tile, count: u8| chances.of(tile) / whole.of(tile).max(f64::MIN_POSITIVE) * f64::from(count);
            let sum: f64 = unseen.distinct().map(|(tile, count)| weight(tile, count)).sum();
            let flat = sum <= 0.0;
            let weight = |tile: Tile, count: u8| if flat { f64::from(count) } else { weight(tile, count) };
            let mut at = rng.random::<f64>() * if flat { unseen.len() as f64 } else { sum };
            let mut drawn = None;
            for (tile, count) in unseen.distinct().filter(|&(tile, count)| weight(tile, count) > 0.0) {
                drawn = Some(tile);
                at -= weight(tile, count);
                if at < 0.0 {
                    break;
                }
            }
            let Some(tile) = drawn else { break };
            if unseen.remove(tile) {
                rack.add(tile);
            }
        }
        rack
    }
}
