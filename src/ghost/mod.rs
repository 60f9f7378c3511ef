//! Solves the games of Ghost and Superghost.
//!
//! Not here: a game against a person (`protocol/session/ghost.rs`). Start with [`Ghost::solve`] and [`Superghost::solve`].

mod classic;
mod superghost;

pub use classic::{Ghost, GhostError, GhostLetter, GhostPlayer, GhostValue, GhostValues};
pub use superghost::{FragmentEnd, Superghost, SuperghostLetter};
