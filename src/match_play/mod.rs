//! Whole games between players in this process.
//!
//! | file | what it holds |
//! |---|---|
//! | `self_play.rs` | fast static games for measuring and training: plays are trusted |
//! | `referee.rs` | games in which every play is checked by the rules alone |
//!
//! Start with [`referee::play_game`].

pub mod self_play;
pub mod referee;

use crate::rules::{GameRules, Rack, Tile};
use crate::search::randomness::{self, Stream};

/// A full bag in the order of game number `index`.
pub fn shuffled_bag(rules: &GameRules, seed: u64, index: u64) -> Vec<Tile> {
    let mut tiles: Vec<Tile> = Rack::full_bag(&rules.distribution).tiles().collect();
    randomness::shuffle(&mut tiles, &mut randomness::generator(seed, Stream::Games, index));
    tiles
}
