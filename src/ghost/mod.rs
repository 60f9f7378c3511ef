//! The games of Ghost and Superghost, solved.
//!
//! | file | what it holds |
//! |---|---|
//! | `classic.rs` | Ghost: letters are added at the end of the fragment |
//! | `superghost.rs` | Superghost: letters are added at either end |
//!
//! Not here: a game against a person (`protocol/session/ghost.rs`). Start with [`Ghost::solve`] and [`Superghost::solve`].

mod classic;
mod superghost;

pub use classic::{Ghost, GhostError, GhostLetter, GhostPlayer, GhostValue, GhostValues};
pub use superghost::{FragmentEnd, Superghost, SuperghostLetter};
