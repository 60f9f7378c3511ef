//! Whole games between players in this process.
//!
//! | file | what it holds |
//! |---|---|
//! | `game.rs` | one game at full speed: plays are trusted |
//! | `self_play.rs` | static games of one player against himself, for measuring and training |
//! | `clocks.rs` | wall time for each player, and who says that a turn's share is over |
//! | `pairs.rs` | two players on the same bags with the seats swapped |
//! | `statistics.rs` | what the pairs say |
//! | `sprt.rs` | when they have said enough |
//! | `record.rs` | a match as JSON lines |
//! | `referee.rs` | games in which every play is checked by the rules alone |
//!
//! Start with [`pairs::PairedMatch`] and [`referee::play_game`].

pub mod game;
pub mod self_play;
pub mod clocks;
pub mod pairs;
pub mod statistics;
pub mod sprt;
pub mod record;
pub mod referee;

use crate::rules::{GameRules, Rack, Tile};
use crate::search::randomness::{self, Stream};

/// A full bag in the order of game number `index`.
pub fn shuffled_bag(rules: &GameRules, seed: u64, index: u64) -> Vec<Tile> {
    let mut tiles: Vec<Tile> = Rack::full_bag(&rules.distribution).tiles().collect();
    randomness::shuffle(&mut tiles, &mut randomness::generator(seed, Stream::Games, index));
    tiles
}
