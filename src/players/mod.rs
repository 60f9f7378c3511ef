//! Players: one strategy a file behind one trait. A player sees a [`View`] and answers with a play.
//!
//! | file | what it holds |
//! |---|---|
//! | `clock.rs` | how much of a clock one turn may take |
//! | `view.rs` | what a player sees of a game |
//! | `player.rs` | the trait |
//! | `kind.rs` | a kind of player: its name, its options with their types, defaults and help, and how one is made |
//! | `strategies/` | the kinds there are, one strategy a file, and the table of them |
//! | `spec.rs` | players as text, `sim:iterations=500,plays=15`: parsed, printed, made |
//! | `turn.rs` | a turn of a player outside of any match |
//!
//! Not here: dealing, scores and clocks (`match_play/`). Start with [`Player`].
//!
//! A new player is a file in `strategies/` with its kind, and two lines in `strategies/mod.rs`: the module and the kind.

pub mod clock;
pub(crate) mod view;
pub(crate) mod player;
pub(crate) mod kind;
pub(crate) mod strategies;
pub mod spec;
pub mod turn;

pub(crate) use player::Player;
pub use spec::{PlayerSpec, PlayerSpecError};
pub use turn::PlayerTurn;
pub use view::Sight;
pub(crate) use view::{GameSoFar, PastTurns, View};

#[cfg(test)]
mod tests;
