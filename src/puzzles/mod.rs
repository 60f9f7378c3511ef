//! Puzzles: positions in which one play is clearly better than all others and hard to see.
//!
//! A puzzle is proved by the judge of `analysis/`, its themes are facts of the rules and of the comparison with the second best play, and its
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
