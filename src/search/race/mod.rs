//! Races: candidates are played out on the same deals, and the worse ones get fewer playouts or none.
//!
//! A [`Playout`] defines what one playout is: a rollout of a simulation (`search/simulation/`), a game played to lose
//! (`search/misere/playouts.rs`), or a whole game between players (`regret/oracle.rs`). Start with [`Race`].

pub mod differences;
pub mod standings;
pub mod rounds;

pub use rounds::{Iteration, Playout, Race, RaceLimits};
pub use standings::{RaceCandidate, RaceRule, Sample};
