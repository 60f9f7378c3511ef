//! The order in which the tiles of a game are drawn: a function of a seed and the game's number.

use crate::rules::{GameRules, Rack, Tile};
use crate::search::randomness::{self, Stream};

/// A full bag in the order of game number `index`.
pub fn shuffled_bag(rules: &GameRules, seed: u64, index: u64) -> Vec<Tile> {
    let mut tiles: Vec<Tile> = Rack::full_bag(&rules.distribution).tiles().collect();
    randomness::shuffle(&mut tiles, &mut randomness::generator(seed, Stream::Games, index));
    tiles
}
