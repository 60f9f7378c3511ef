//! Move generation: all plays of a position, the best play, the best few plays, or their number.
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
pub mod census;
pub mod any_rack;

#[cfg(test)]
mod tests;

pub use lane_numbers::{LaneNumber, LaneSet, LaneSquares};
pub use lanes::{LaneBoard, Lanes};
pub use rack_values::RackValues;
