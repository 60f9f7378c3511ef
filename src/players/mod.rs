//! Players: a trait, and its strategies, one per file. A player receives a `View` and returns a play.
//!
//! Not here: dealing, scores and clocks (`match_play/`). Start with [`PlayerSpec`] and, inside the crate, with `player.rs`.
//!
//! To add a player, write a file in `strategies/` with its kind, and add two lines to `strategies/mod.rs`: the module and the kind.

pub(crate) mod clock;
pub(crate) mod view;
pub(crate) mod player;
pub(crate) mod kind;
pub(crate) mod vocabulary;
pub(crate) mod strategies;
pub mod spec;
pub mod turn;

pub use clock::Clock;
pub(crate) use player::Player;
pub use spec::{PlayerSpec, PlayerSpecError};
pub use turn::PlayerTurn;
pub use view::Sight;
pub(crate) use view::{GameSoFar, PastTurns, View};

#[cfg(test)]
mod tests;
