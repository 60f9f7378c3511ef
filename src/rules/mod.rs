//! The rules of crossword games as data and pure functions: the referee's truth.
//!
//! Not here: words (a play is scored without asking whether its words exist) and move generation.
//! Start with `tiles.rs`.

pub mod distribution;
pub mod tiles;
