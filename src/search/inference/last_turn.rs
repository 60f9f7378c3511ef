//! The opponent's last turn: the known tiles of its rack, and the possible racks,
//! either all of them or a random sample.
//!
//! Not here: how well a rack explains the turn (`explain.rs`). Start with [`LastTurn`] and [`RackSupply::of`].

use crate::rules::{Position, Rack, Tile, multisets, ways};
use crate::search::inference::types::ObservedTurn;
use crate::search::randomness::{self, Stream};
use rand::{Rng, RngExt};

/// The last turn, and the unseen tiles after it.
pub struct LastTurn<'a> {
    /// The turn.
    pub observed: &'a ObservedTurn,
    /// The tiles in the bag and on the opponent's rack now.
    pub unseen: Rack,
    /// The known tiles on the opponent's rack now.
    pub known: Rack,
    /// Number of tiles on the opponent's rack now.
    pub holds: usize,
}

/// Where the tiles of a rack came from.
#[derive(Clone, Copy, Debug)]
pub struct RackOrigin {
    /// The tiles that the rack certainly held.
    pub certain: Rack,
    /// The tiles that the others were drawn from.
    pub pool: Rack,
    /// How many tiles were drawn from the pool.
    pub drawn: usize,
}

impl<'a> LastTurn<'a> {
    /// Returns this turn, as the player on turn in this position sees it afterwards.
    pub fn new(observed: &'a ObservedTurn, position: &Position) -> LastTurn<'a> {
        LastTurn { observed, unseen: position.unseen(), known: *position.opponent_rack(), holds: position.opponent_tiles() }
    }

    /// Returns where the tiles of the rack on that turn came from.
    pub fn origin(&self) -> RackOrigin {
        let shown = self.observed.shown();
        let pool = self.unseen.minus(&self.observed.shown_off_board()).unwrap_or_default();
        let pool = pool.without(&self.observed.exchanged_before());
        let others = self.observed.held().saturating_sub(shown.len()).min(pool.len());
        RackOrigin { certain: shown, pool, drawn: others }
    }

    /// Returns the known tiles that the turn did not show, and how many tiles were drawn since.
    pub fn known_to_be_drawn(&self) -> (Rack, usize) {
        let kept_for_certain = self.observed.kept_of(&self.observed.shown()).unwrap_or_default();
        (self.known.without(&kept_for_certain), self.holds.saturating_sub(self.observed.kept()))
    }

    /// Calls `visit` with every leave that may have been kept of a rack, and its share: the chance that this leave was kept and that
    /// the known tiles are on the rack now.
    pub fn for_each_leave(&self, rack: &Rack, visit: &mut impl FnMut(Rack, f64)) {
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

    /// Returns the chance that the opponent, having kept this leave, holds the known tiles after drawing.
    fn chance_of_known(&self, leave: &Rack) -> f64 {
        if self.known.is_empty() {
            return 1.0;
        }
        let Ok(pool) = self.unseen.minus(leave) else { return 0.0 };
        let drawn = self.holds.saturating_sub(leave.len());
        ways::draws_containing(&pool, drawn, &self.known.without(leave)) / ways::choose(pool.len(), drawn)
    }
}

/// A rack that the opponent may have held on the last turn.
#[derive(Clone, Copy, Debug)]
pub struct Hypothesis {
    /// The rack.
    pub rack: Rack,
    /// How often it comes up before any turn is considered: the ways to draw it, or the number of draws. Only ratios count.
    pub prior: f64,
}

/// The racks that the last turn is tested on.
pub enum RackSupply {
    /// All possible racks, likeliest first.
    All(Vec<Hypothesis>),
    /// Racks drawn at random, each when it is needed.
    Drawn(RackDraws),
}

/// Racks of some certain tiles and others that are drawn.
pub struct RackDraws {
    certain: Rack,
    parts: Vec<RackSplit>,
    racks: usize,
    seed: u64,
}

/// Racks that held the same part of the tiles that are known to be on the rack now.
struct RackSplit {
    /// This part of the known tiles.
    known: Rack,
    /// The tiles that the others were drawn from.
    pool: Vec<Tile>,
    /// The number of the other tiles.
    others: usize,
    /// In how many ways all can be drawn. Some ways count more than once if other tiles equal known ones.
    ways: f64,
}

impl RackSupply {
    /// Returns all racks that the opponent may have held on this turn, if there are at most `most`; else `most` racks drawn at random.
    pub fn of(last: &LastTurn<'_>, most: usize, seed: u64) -> RackSupply {
        let RackOrigin { certain, pool, .. } = last.origin();
        let parts = parts_of(last);
        let racks: f64 = parts.iter().map(|part| ways::multisets(&part.pool.iter().copied().collect(), part.others)).sum();
        if racks > most as f64 {
            return RackSupply::Drawn(RackDraws { certain, parts, racks: most, seed });
        }
        let mut racks = Vec::new();
        for part in parts {
            let others: Rack = part.pool.iter().copied().collect();
            multisets::for_each(others.counts(), part.others, &mut |tiles| {
                let others: Rack = tiles.iter().filter_map(|&index| Tile::from_index(index.into())).collect();
                let drawn = part.known.plus(&others);
                racks.push(Hypothesis { rack: certain.plus(&drawn), prior: ways::draws(&pool, &drawn) });
            });
        }
        racks.sort_by(|a, b| b.prior.total_cmp(&a.prior));
        RackSupply::All(racks)
    }

    /// The number of racks.
    pub fn count(&self) -> usize {
        match self {
            RackSupply::All(racks) => racks.len(),
            RackSupply::Drawn(draws) => draws.racks,
        }
    }

    /// Whether they are drawn at random.
    pub fn is_drawn(&self) -> bool {
        matches!(self, RackSupply::Drawn(_))
    }

    /// Returns the rack at this index, from 0. Indices are to be asked for in ascending order.
    pub fn get(&mut self, at: usize) -> Hypothesis {
        match self {
            RackSupply::All(racks) => racks[at],
            RackSupply::Drawn(draws) => draws.get(at),
        }
    }

    /// Returns the possible racks from this index on. Empty if racks are drawn, since those drawn so far represent all.
    pub fn rest(&self, from: usize) -> &[Hypothesis] {
        match self {
            RackSupply::All(racks) => &racks[from..],
            RackSupply::Drawn(_) => &[],
        }
    }
}

impl LastTurn<'_> {
    /// Whether the tiles allow any rack that the opponent may have held.
    pub fn has_racks(&self) -> bool {
        !parts_of(self).is_empty()
    }
}

impl RackDraws {
    fn get(&mut self, at: usize) -> Hypothesis {
        let mut rng = randomness::generator(self.seed, Stream::Inference, at as u64);
        let drawn_part = if self.parts.len() == 1 { 0 } else { self.drawn_part(&mut rng) };
        let part = &mut self.parts[drawn_part];
        randomness::shuffle(&mut part.pool, &mut rng);
        let drawn = part.known.plus(&part.pool[..part.others].iter().copied().collect());
        // A rack comes up once for each choice of the known tiles among equal ones.
        Hypothesis { rack: self.certain.plus(&drawn), prior: 1.0 / ways::draws(&drawn, &part.known) }
    }

    /// Returns the index of a random part. Each part comes up in proportion to the ways to draw it.
    fn drawn_part(&self, rng: &mut impl Rng) -> usize {
        let place = rng.random::<f64>() * self.parts.iter().map(|part| part.ways).sum::<f64>();
        let mut sum = 0.0;
        let is_there = |part: &RackSplit| {
            sum += part.ways;
            place < sum
        };
        self.parts.iter().position(is_there).unwrap_or(self.parts.len() - 1)
    }
}

/// Splits the possible racks by the currently known tiles that they already held. Known tiles that they did not hold were drawn since.
fn parts_of(last: &LastTurn<'_>) -> Vec<RackSplit> {
    let RackOrigin { pool, drawn: count, .. } = last.origin();
    let (known, drawn_since) = last.known_to_be_drawn();
    let there = known.without(&known.without(&pool));
    let mut parts = Vec::new();
    for held in known.len().saturating_sub(drawn_since)..=there.len().min(count) {
        multisets::for_each(there.counts(), held, &mut |tiles| {
            let held: Rack = tiles.iter().filter_map(|&index| Tile::from_index(index.into())).collect();
            // If fewer of a tile were held than are known, the other drawn tiles include no more of it.
            let fewer = there.without(&held);
            let others: Vec<Tile> = pool.without(&held).tiles().filter(|&tile| fewer.count(tile) == 0).collect();
            let count = count - held.len();
            let ways = ways::draws(&pool, &held) * ways::choose(others.len(), count);
            if ways > 0.0 {
                parts.push(RackSplit { known: held, pool: others, others: count, ways });
            }
        });
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::builder::plain_engine;
    use crate::rules::{Play, Turn};
    use crate::search::inference::types::ObservedTurn;
    use std::collections::HashMap;

    #[test]
    fn racks_are_drawn_as_often_as_they_are_likely() {
        let engine = plain_engine();
        let before = engine.new_game();
        let rack = Rack::parse("CATS", &before.rules().distribution).unwrap();
        let Turn::Play(play @ Play::Place(_)) = engine.parse_play("8G.CATS", &before).unwrap() else { panic!("a placement") };
        let observed = ObservedTurn::new(before.clone(), Turn::Play(play)).unwrap();
        let after = before.after(&Turn::Play(play)).unwrap();
        let last = LastTurn::new(&observed, &after);
        assert_eq!((observed.shown(), observed.kept()), (rack, 3));
        let RackSupply::All(all) = RackSupply::of(&last, usize::MAX, 1) else { panic!("without a limit all racks are tried") };
        assert!(RackSupply::of(&last, all.len() - 1, 1).is_drawn());
        let ways: f64 = all.iter().map(|row| row.prior).sum();
        assert_eq!(ways, ways::choose(96, 3));
        let draws = 40_000;
        let mut supply = RackSupply::Drawn(RackDraws { certain: rack, parts: parts_of(&last), racks: draws, seed: 1 });
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
