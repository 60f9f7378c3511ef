//! The rules of crossword games as data and pure functions: the referee's truth.
//!
//! Not here: words (a play is scored without asking whether its words exist) and move generation.
//! Start with `tiles.rs`, then read in the order of the list below.

pub mod fingerprint;
pub mod tiles;
pub mod distribution;
pub mod grammar;
pub mod layout;
pub mod board;
pub mod rack;
pub mod multisets;
pub mod play;
pub mod notation;
pub mod scoring;
pub mod game;

pub use board::{Board, Direction, Square};
pub use distribution::LetterDistribution;
pub use game::{GameRules, Position};
pub use layout::Layout;
pub use play::{Placement, Play};
pub use rack::Rack;
pub use tiles::{Letter, Placed, Tile};
