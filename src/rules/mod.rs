//! The rules of crossword games as data and pure functions: the referee's truth.
//!
//! Not here: words (a play is scored without asking whether its words exist) and move generation.
//! Start with `tiles.rs`, then read in the order of the list below.

pub mod fingerprint;
pub mod units;
pub mod tiles;
pub mod letter_set;
pub mod distribution;
pub mod grammar;
pub mod board;
pub mod layout;
pub mod rack;
pub(crate) mod multisets;
pub(crate) mod ways;
pub mod play;
pub mod ending;
pub mod variant;
pub mod game_rules;
pub mod identity;
pub mod scoring;
pub mod turn;
pub mod position;
mod position_builder;
pub mod notation;

pub use board::{Board, Direction, Square};
pub use distribution::LetterDistribution;
pub use ending::{DeadBoard, Ending, GameEnd, Objective, Seat};
pub use game_rules::{ChallengeRule, GameRules};
pub use layout::Layout;
pub use letter_set::LetterSet;
pub use play::{Placement, Play};
pub use position::Position;
pub use position_builder::PositionBuilder;
pub use rack::Rack;
pub use tiles::{Letter, Placed, Tile};
pub use turn::{Turn, TurnError};
pub use variant::{UnsupportedVariant, Variant, VariantSupport};
