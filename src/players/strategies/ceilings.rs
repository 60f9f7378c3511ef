//! Engines that see hidden tiles: upper bounds on what perfect guessing would gain.
//! They cheat by design, and are no opponents for anybody: their matches against the plain engine
//! say how much there is to win.
//!
//! The Full Knowledge player of [Richards & Amir 2007] sees the whole other rack; the other one sees what the opponent kept on
//! their last turn, which is the most that can be inferred from that turn. What each sees is its [`Sight`]; all else is the engine's.

use crate::players::kind::{KindLeaves, PlayerKind};
use crate::players::strategies::engine::{MAKE, OPTIONS};
use crate::players::view::Sight;
use crate::rules::VariantSupport;

/// The engine with the whole other rack in sight.
pub const KNOW_ALL: PlayerKind = PlayerKind {
    name: "knowall",
    about: "the engine that cheats: it sees the opponent's whole rack, a ceiling for what knowing it is worth",
    sight: Sight::Whole,
    options: OPTIONS,
    leaves: KindLeaves::Lexicon,
    variants: VariantSupport::CLASSIC,
    make: MAKE,
};

/// The engine with the opponent's last leave in sight.
pub const KNOW_LEAVE: PlayerKind = PlayerKind {
    name: "knowleave",
    about: "the engine that cheats: it sees what the opponent kept on their last turn, a ceiling for what inferring it is worth",
    sight: Sight::Kept,
    options: OPTIONS,
    leaves: KindLeaves::Lexicon,
    variants: VariantSupport::CLASSIC,
    make: MAKE,
};
