//! Move generation: all plays of a position, the best play, the best few, or their number.
//!
//! | file | what it holds |
//! |---|---|
//! | `lanes.rs` | the generator's board: rows and columns as lanes of squares with cross checks, kept up to date by play and undo |
//! | `anchors.rs` | a lane's anchors and the extents of tiles possible at them: all of it depends on the board alone and is cached |
//! | `rack_values.rs` | a rack's tiles with a value for each part of it that may be kept |
//! | `generate.rs` | the search for words at the anchors, best bound first |
//! | `map_search.rs` | the same for the best plays only, by looking up letters in a word map |
//! | `sinks.rs` | what is done with the plays: all, best, best N, count |
//! | `replay.rs` | whether a known placement is possible on another board, and its score there |
//! | `census.rs` | the best score of every multiset of tiles on a board, for training |
//!
//! Not here: what a leave is worth (`evaluation/`), whether tiles may be exchanged (`rules/`). Start with [`generate()`].
//!
//! Sources: Gordon 1994 (GADDAG), Appel and Jacobson 1988 (cross checks, anchors), best-first bounds as in ALGORITHMS 1.1.4.

pub mod lanes;
pub mod anchors;
mod extent_letters;
pub mod rack_values;
pub mod generate;
pub mod queue;
pub mod map_search;
pub mod sinks;
pub mod replay;
pub mod census;

#[cfg(test)]
mod tests;

pub use generate::generate;
pub use lanes::{LaneBoard, Lanes};
pub use rack_values::RackValues;
