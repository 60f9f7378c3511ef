//! Tilewright: a crossword-game engine as a library. The layers, low to high, are the modules below in this
//! order; a file uses only what stands above it. `src/README.md` is the map.

pub mod rules;
pub mod lexicon;
pub mod movegen;
pub mod evaluation;
pub mod search;
pub mod formats;
pub mod engine;
pub mod players;
pub mod match_play;
pub mod training;
pub mod protocol;
pub mod cli;
