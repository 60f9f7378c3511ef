//! What may be in the bag, how likely each possibility is, and in which orders its tiles are drawn.
//!
//! A [`Draw`] is a multiset of tiles that the bag may hold. A [`BagDeal`] is a draw in one order: a line of play needs that much.
//! After a play that empties the bag the order does not matter, so each draw is dealt once. After other plays each draw is dealt
//! in one or all of its rotations. Over all rotations every tile comes equally often to every place.

use crate::rules::{Rack, Tile};

/// Tiles that the bag may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    /// The tiles, blank first, then in alphabet order.
    pub tiles: Vec<Tile>,
    /// The draw's weight: in how many orders these kinds of tiles can be drawn. Equal tiles are told apart.
    pub ways: u64,
}

/// A draw in one order. Our tiles come first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BagDeal {
    /// The number of its draw.
    pub draw: usize,
    /// The tiles in the order in which they are drawn.
    pub tiles: Vec<Tile>,
    /// Its weight. The weights of all deals of a candidate sum to the number of orders in which the bag can be drawn.
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

/// Completes `tiles` by `missing` tiles of these kinds in all ways, and puts the draws into `found`. `ways` is the weight so far.
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

/// The deals of all draws. Equal orders of a draw become one deal with the weight of all of them.
pub fn deals(draws: &[Draw], orders: Orders) -> Vec<BagDeal> {
    let mut deals: Vec<BagDeal> = Vec::new();
    for (number, draw) in draws.iter().enumerate() {
        let tiles = draw.tiles.len();
        let rotations = match orders {
            Orders::Rotations => 0..tiles,
            // Each draw another one, so that no place in the bag is given to the first letters of the alphabet.
            Orders::One => {
                let only = number % tiles.max(1);
                only..only + 1
            }
        };
        let weight = draw.ways / rotations.len().max(1) as u64;
        for rotation in rotations {
            let mut dealt = draw.tiles.clone();
            dealt.rotate_left(rotation);
            // The deals of this draw stand at the end.
            let mut of_draw = deals.iter_mut().rev().take_while(|other| other.draw == number);
            match of_draw.find(|other| other.tiles == dealt) {
                Some(same) => same.weight += weight,
                None => deals.push(BagDeal { draw: number, tiles: dealt, weight }),
            }
        }
    }
    deals
}
