//! The possible contents of the bag with their chances, and the orders in which tiles are drawn.
//!
//! A [`Draw`] is a multiset of tiles that the bag may hold. A [`BagDeal`] is a draw in one order, as a line of play
//! needs it. After a play that empties the bag the order does not matter, so each draw is dealt once. After other plays
//! each draw is dealt in one or all of its rotations. Over all rotations, every tile takes every place equally often.

use crate::rules::{Rack, Tile, ways};
use crate::search::inference::Belief;

/// Tiles that the bag may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    /// The tiles, blank first, then in alphabet order.
    pub tiles: Vec<Tile>,
    /// The draw's weight: in how many orders these kinds of tiles can be drawn,
    /// counting equal tiles as distinct. [`weigh`] changes it.
    pub ways: u64,
}

/// A draw in one order. Our tiles come first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BagDeal {
    /// The number of its draw.
    pub draw: usize,
    /// The tiles in the order in which they are drawn.
    pub tiles: Vec<Tile>,
    /// Its weight. The weights of all deals of a candidate sum to those of the draws.
    pub weight: u64,
}

/// How many orders of each draw are dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orders {
    /// One: the order does not matter, or dealing all orders would take too long.
    One,
    /// As many as the draw has tiles.
    Rotations,
}

/// Returns the distinct draws of `in_bag` tiles from the `unknown` ones.
pub fn draws(unknown: &Rack, in_bag: usize) -> Vec<Draw> {
    let kinds: Vec<(Tile, u8)> = unknown.distinct().collect();
    let orders: u64 = (1..=in_bag as u64).product();
    let mut found = Vec::new();
    extend(&kinds, in_bag, orders, &mut Vec::new(), &mut found);
    found
}

/// Completes `tiles` with `missing` tiles of these kinds in every possible way, and adds the draws to `found`. `ways`
/// is the weight so far.
fn extend(kinds: &[(Tile, u8)], missing: usize, ways: u64, tiles: &mut Vec<Tile>, found: &mut Vec<Draw>) {
    if missing == 0 {
        found.push(Draw { tiles: tiles.clone(), ways });
        return;
    }
    let Some(((tile, count), rest)) = kinds.split_first() else { return };
    // The most of this kind first, so that draws come in the order of their tiles.
    for taken in (0..=missing.min(*count as usize)).rev() {
        let length = tiles.len();
        tiles.extend(std::iter::repeat_n(*tile, taken));
        extend(rest, missing - taken, ways * choose(u64::from(*count), taken as u64), tiles, found);
        tiles.truncate(length);
    }
}

/// The resolution of weights: a draw that the belief makes neither more nor less likely gets this weight for each of
/// its ways.
const USUAL: f64 = 1000.0;

/// Weighs the draws in whole numbers by a belief about the opponent's tiles. Given a leave, all ways to draw from the
/// remaining tiles are equally likely. No draw becomes impossible, because a belief may be wrong. `unknown` holds the
/// tiles that are drawn from.
pub fn weigh(draws: &mut [Draw], unknown: &Rack, belief: &Belief) {
    let chance = |pool: &Rack, bag: &Rack| ways::draws(pool, bag) / ways::choose(pool.len(), bag.len());
    // The tiles that are neither kept nor known to be on the opponent's rack, by leave.
    let left = belief.leaves.iter().filter_map(|row| {
        let hidden = row.leave.without(&belief.scope.known);
        Some((unknown.minus(&hidden).ok()?, row.chance))
    });
    let left: Vec<(Rack, f64)> = left.collect();
    for draw in draws {
        let bag: Rack = draw.tiles.iter().copied().collect();
        let believed: f64 = left.iter().map(|(pool, believed)| believed * chance(pool, &bag)).sum();
        draw.ways *= ((believed / chance(unknown, &bag) * USUAL).round() as u64).max(1);
    }
}

/// The number of ways to pick `taken` of `count` things.
fn choose(count: u64, taken: u64) -> u64 {
    (0..taken).fold(1, |ways, at| ways * (count - at) / (at + 1))
}

/// The deals of all draws. Equal orders of a draw become one deal with their total weight.
pub fn deals(draws: &[Draw], orders: Orders) -> Vec<BagDeal> {
    let mut deals: Vec<BagDeal> = Vec::new();
    for (number, draw) in draws.iter().enumerate() {
        let tiles = draw.tiles.len();
        let rotations = match orders {
            Orders::Rotations => 0..tiles,
            // The rotation differs from draw to draw, so that no place in the bag always gets the first letters of the
            // alphabet.
            Orders::One => {
                let only = number % tiles.max(1);
                only..only + 1
            }
        };
        let weight = draw.ways / rotations.len().max(1) as u64;
        for rotation in rotations {
            let mut dealt = draw.tiles.clone();
            dealt.rotate_left(rotation);
            // The deals of this draw are at the end.
            let mut of_draw = deals.iter_mut().rev().take_while(|other| other.draw == number);
            match of_draw.find(|other| other.tiles == dealt) {
                Some(same) => same.weight += weight,
                None => deals.push(BagDeal { draw: number, tiles: dealt, weight }),
            }
        }
    }
    deals
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::inference::{BeliefScope, InferredLeave, OpponentModel};

    fn rack(indices: &[usize]) -> Rack {
        indices.iter().map(|&index| Tile::from_index(index).unwrap()).collect()
    }

    fn belief(leaves: &[(&[usize], f64)], unseen: Rack, known: Rack) -> Belief {
        let leaves = leaves.iter().map(|&(leave, chance)| InferredLeave { leave: rack(leave), prior: 1.0, chance });
        let scope = BeliefScope { model: OpponentModel::Static, racks: 2, of_racks: 2, is_drawn: false, turns: 1, unseen, known };
        Belief::of_weights(leaves.collect(), scope)
    }

    /// By tiles of the bag: the share of the weights.
    fn shares(draws: &[Draw]) -> Vec<(Rack, f64)> {
        let all: u64 = draws.iter().map(|draw| draw.ways).sum();
        draws.iter().map(|draw| (draw.tiles.iter().copied().collect(), draw.ways as f64 / all as f64)).collect()
    }

    /// The chance of a bag, by enumerating all ways in which the physical tiles can lie, without the opponent's known
    /// tiles.
    fn chance_of(bag: &Rack, unknown: &Rack, leaves: &[(Rack, f64)]) -> f64 {
        let tiles: Vec<Tile> = unknown.tiles().collect();
        let bags: Vec<Vec<usize>> = (0u32..1 << tiles.len())
            .filter(|set| set.count_ones() as usize == bag.len())
            .map(|set| (0..tiles.len()).filter(|&at| set >> at & 1 == 1).collect())
            .collect();
        let of_leave = |(leave, chance): &(Rack, f64)| {
            // The first tiles of each kind are those that were kept: which of equal ones does not matter.
            let mut kept = *leave;
            let is_kept: Vec<bool> = tiles.iter().map(|&tile| kept.remove(tile)).collect();
            let possible: Vec<_> = bags.iter().filter(|places| places.iter().all(|&at| !is_kept[at])).collect();
            let these = possible.iter().filter(|places| places.iter().map(|&at| tiles[at]).collect::<Rack>() == *bag);
            chance * these.count() as f64 / possible.len() as f64
        };
        leaves.iter().map(of_leave).sum()
    }

    #[test]
    fn draws_are_as_likely_as_a_belief_makes_them() {
        let unknown = rack(&[0, 1, 1, 5, 5, 5, 9, 19]);
        let leaves: [(&[usize], f64); 3] = [(&[0, 5], 0.5), (&[1, 1], 0.3), (&[9, 19], 0.2)];
        let racks = leaves.map(|(leave, chance)| (rack(leave), chance));
        for in_bag in [1, 2, 3] {
            let mut weighed = draws(&unknown, in_bag);
            weigh(&mut weighed, &unknown, &belief(&leaves, unknown, Rack::EMPTY));
            for (bag, share) in shares(&weighed) {
                let expected = chance_of(&bag, &unknown, &racks);
                assert!((share - expected).abs() < 2e-3, "{in_bag}: {bag:?} {share} {expected}");
            }
        }
        // A known tile is on the rack whether it was kept or not, so a leave that contains it means nothing more.
        let known = rack(&[20]);
        let leaves: [(&[usize], f64); 2] = [(&[0, 20], 0.6), (&[1, 5], 0.4)];
        let mut weighed = draws(&unknown, 2);
        weigh(&mut weighed, &unknown, &belief(&leaves, unknown.plus(&known), known));
        for (bag, share) in shares(&weighed) {
            let expected = chance_of(&bag, &unknown, &[(rack(&[0]), 0.6), (rack(&[1, 5]), 0.4)]);
            assert!((share - expected).abs() < 2e-3, "{bag:?} {share} {expected}");
        }
    }

    #[test]
    fn a_belief_that_says_nothing_changes_nothing_and_no_draw_is_impossible() {
        let unknown = rack(&[1, 1, 5, 5, 5, 9, 19]);
        let plain = draws(&unknown, 2);
        let mut weighed = plain.clone();
        weigh(&mut weighed, &unknown, &belief(&[(&[], 1.0)], unknown, Rack::EMPTY));
        assert!(plain.iter().zip(&weighed).all(|(before, after)| after.ways == before.ways * 1000));
        let certain = belief(&[(&[1, 1, 5, 9, 19], 1.0)], unknown, Rack::EMPTY);
        let mut weighed = plain;
        weigh(&mut weighed, &unknown, &certain);
        let shares = shares(&weighed);
        assert!(shares.iter().all(|(_, share)| *share > 0.0));
        let only = shares.iter().find(|(bag, _)| *bag == rack(&[5, 5])).map(|(_, share)| *share);
        assert!(only.is_some_and(|share| share > 0.99), "{shares:?}");
    }
}
