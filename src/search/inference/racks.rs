//! The racks that are held against the opponent's last turn: all that are possible, or so many drawn at random.

use crate::rules::multisets;
use crate::rules::{Rack, Tile};
use crate::search::inference::last_turn::LastTurn;
use crate::search::inference::ways;
use crate::search::randomness::{self, Stream};

/// A rack that the opponent may have held on the last turn.
#[derive(Clone, Copy, Debug)]
pub struct Hypothesis {
    /// The rack.
    pub rack: Rack,
    /// How often it comes up before anything is explained: ways to draw it, or draws. Only ratios count.
    pub prior: f64,
}

/// The racks that are held against the last turn.
pub enum RackSupply {
    /// All that are possible, likeliest first.
    All(Vec<Hypothesis>),
    /// Racks drawn at random, each when it is its turn.
    Drawn(RackDraws),
}

/// Racks that hold some tiles for certain, and others that are drawn from a pool.
pub struct RackDraws {
    certain: Rack,
    pool: Vec<Tile>,
    others: usize,
    racks: usize,
    seed: u64,
}

impl RackSupply {
    /// All racks that the opponent may have held on this turn, if they are not more than `most`; else so many of them.
    pub fn of(last: &LastTurn<'_>, most: usize, seed: u64) -> RackSupply {
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

    /// The one at this place, in rising order from 0.
    pub fn get(&mut self, at: usize) -> Hypothesis {
        match self {
            RackSupply::All(racks) => racks[at],
            RackSupply::Drawn(RackDraws { certain, pool, others, seed, .. }) => {
                randomness::shuffle(pool, &mut randomness::generator(*seed, Stream::Inference, at as u64));
                Hypothesis { rack: certain.plus(&pool[..*others].iter().copied().collect()), prior: 1.0 }
            }
        }
    }

    /// The possible racks from this place on. Of drawn ones those drawn so far stand for all.
    pub fn rest(&self, from: usize) -> &[Hypothesis] {
        match self {
            RackSupply::All(racks) => &racks[from..],
            RackSupply::Drawn(_) => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::builder::plain_engine;
    use crate::rules::{Play, Turn};
    use crate::search::inference::observed::ObservedTurn;
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
