//! Puzzles: positions in which one play is clearly better than all others and hard to see.
//!
//! The judge of `analysis/` proves a puzzle. Its themes follow from the rules and from the comparison with the second best play, and its
//! difficulty is the share of weaker players who play something else. Not here: games and files (`cli/puzzles.rs`). Start with
//! [`maker::PuzzleMaker`].

pub mod theme;
pub mod difficulty;
pub mod same_play;
pub mod record;
pub mod maker;
pub mod text;
#[cfg(feature = "web")]
pub mod page;

#[cfg(all(test, feature = "web"))]
mod tests;
