//! The rules of crossword games as data and pure functions, the reference for all other code.
//!
//! Not here: words (a play is scored without asking whether its words exist) and move generation.
//! Start with `tiles.rs`, then read in the order of the list below.

pub(crate) mod fingerprint;
pub mod units;
pub(crate) mod tiles;
pub(crate) mod letter_set;
pub mod distribution;
pub(crate) mod grammar;
pub mod board;
pub mod layout;
pub mod rack;
pub(crate) mod multisets;
pub(crate) mod ways;
pub(crate) mod play;
pub(crate) mod seat;
pub(crate) mod ending;
pub mod variant;
mod countdown;
pub mod game_rules;
pub(crate) mod identity;
pub mod scoring;
pub(crate) mod turn;
pub(crate) mod position;
pub mod notation;

pub use board::{Board, Direction, Square};
pub use countdown::Countdown;
pub use distribution::LetterDistribution;
pub use ending::{DeadBoard, Ending, GameEnd, Objective};
pub use game_rules::{ChallengeRule, GameRules};
pub use layout::Layout;
pub use letter_set::LetterSet;
pub use play::{Placement, Play};
pub use position::{MAX_SCORE, Position, PositionBuilder};
pub use rack::Rack;
pub use seat::{BySeat, Seat};
pub use tiles::{Letter, MAX_LETTERS, Placed, Tile};
pub use turn::{Turn, TurnError};
pub use variant::{UnsupportedVariant, Variant, VariantSupport};
