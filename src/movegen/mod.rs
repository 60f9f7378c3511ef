//! Move generation: all plays of a position, the best play, the best few, or their number.
//!
//! | file | what it holds |
//! |---|---|
//! | `lane_numbers.rs` | lanes by number, sets of lanes, sets of a lane's squares |
//! | `lane_square.rs` | a square as a lane sees it, and which letters fit it |
//! | `anchors.rs` | a lane's anchors and the extents of tiles possible at them: all of it depends on the lane alone |
//! | `gaddag_walk.rs` | the walk from an anchor through the word graph |
//! | `extent_letters.rs` | the letters that words have on an extent |
//! | `lanes.rs` | the generator's board: rows and columns as lanes, kept up to date by play and undo, with their anchors |
//! | `rack_values.rs` | a rack's tiles with a value for each part of it that may be kept |
//! | `found.rs` | a play as it is found, its points and its equity |
//! | `sinks.rs` | what is done with the plays: all, best, best N, count |
//! | `anagram_search.rs` | the search for words whose letters may stand in any order |
//! | `generate.rs` | the search for words at the anchors, best bound first |
//! | `queue.rs` | places in the order of their bounds |
//! | `map_search.rs` | the same search for the best plays only, by looking up letters in a word map |
//! | `replay.rs` | whether a known placement is possible on another board, and its score there |
//! | `census.rs` | the best score of every multiset of tiles on a board, for training |
//! | `any_rack.rs` | the plays of any rack at all whose tiles come from a pool |
//!
//! Not here: what a leave is worth (`evaluation/`), whether tiles may be exchanged (`rules/`). Start with [`generate::generate`].
//!
//! Sources: [Gordon 1994] (GADDAG), [Appel & Jacobson 1988] (cross checks, anchors), \[wolges\] (bounds by which the most promising anchor
//! comes first), \[MAGPIE\] (the word map).

pub mod lane_numbers;
pub mod lane_square;
pub mod anchors;
pub mod gaddag_walk;
mod extent_letters;
pub mod lanes;
pub mod rack_values;
pub mod found;
pub mod sinks;
mod anagram_search;
pub mod generate;
pub mod queue;
pub mod map_search;
pub mod replay;
pub mod census;
pub mod any_rack;

#[cfg(test)]
mod tests;

pub use lane_numbers::{LaneNumber, LaneSet, LaneSquares};
pub use lanes::{LaneBoard, Lanes};
pub use rack_values::RackValues;
