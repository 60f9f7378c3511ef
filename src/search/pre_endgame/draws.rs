//! What may be in the bag, how likely each possibility is, and in which orders its tiles are drawn.
//!
//! A [`Draw`] is a multiset of tiles that the bag may hold. A [`BagDeal`] is a draw in an order: what one line of play needs. For
//! a play that empties the bag the order does not matter, and there is one deal a draw. For the others the tiles of each draw
//! are dealt in one or all of their rotations: over all of them every tile comes equally often at every place.

use crate::rules::{Rack, Tile};

/// Tiles that the bag may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    /// The tiles, blank first, then in alphabet order.
    pub tiles: Vec<Tile>,
    /// In how many orders these kinds of tiles can be drawn, equal tiles told apart: the draw's weight.
    pub ways: u64,
}

/// A draw in an order, ours first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BagDeal {
    /// The number of its draw.
    pub draw: usize,
    /// The tiles in the order in which they are drawn.
    pub tiles: Vec<Tile>,
    /// Its weight. Those of all deals of a candidate sum to the number of orders in which the bag can be drawn.
    pub weight: u64,
}

/// How many orders of each draw are dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orders {
    /// One: the order does not matter, or all of them would take too long.
    One,
    /// As many as there are tiles.
    Rotations,
}

/// The different draws of `in_bag` tiles out of `unknown` ones.
pub fn draws(unknown: &Rack, in_bag: usize) -> Vec<Draw> {
    let kinds: Vec<(Tile, u8)> = unknown.distinct().collect();
    let orders: u64 = (1..=in_bag as u64).product();
    let mut found = Vec::new();
    extend(&kinds, in_bag, orders, &mut Vec::new(), &mut found);
    found
}

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

/// The number of ways to pick `taken` of `count` things.
fn choose(count: u64, taken: u64) -> u64 {
    (0..taken).fold(1, |ways, at| ways * (count - at) / (at + 1))
}

/// The deals of all draws.
pub fn deals(draws: &[Draw], orders: Orders) -> Vec<BagDeal> {
    let mut deals = Vec::new();
    for (at, draw) in draws.iter().enumerate() {
        let tiles = draw.tiles.len();
        let all = 0..tiles;
        let first = at % tiles.max(1);
        let rotations = if orders == Orders::Rotations { all } else { first..first + 1 };
        let weight = draw.ways / rotations.len().max(1) as u64;
        for rotation in rotations {
            let mut dealt = draw.tiles.clone();
            dealt.rotate_left(rotation);
            match deals.iter_mut().rev().take_while(|other: &&mut BagDeal| other.draw == at).find(|other| other.tiles == dealt) {
                Some(same) => same.weight += weight,
                None => deals.push(BagDeal { draw: at, tiles: dealt, weight }),
            }
        }
    }
    deals
}
