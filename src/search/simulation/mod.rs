//! Simulation: candidates are played out against racks of the opponent and orders of the bag, and ranked by how the rollouts end.
//!
//! | file | what it holds |
//! |---|---|
//! | `context.rs` | what all rollouts have in common: how far they go, and how their tiles are dealt |
//! | `replies.rs` | the opponent's replies to several candidates |
//! | `rollout.rs` | one sample: a candidate, then some plies, then a value |
//! | `rollouts.rs` | a simulation as a race of candidates by rollouts |
//!
//! Not here: which plays are candidates (`search/candidates.rs`), rounds, rankings and statistics (`search/race/`). Start with [`run`].

pub mod context;
pub mod replies;
pub mod rollout;
pub mod rollouts;

pub use context::{DEFAULT_PLIES, Horizon, SimulationContext};
pub use rollout::RolloutWorker;
pub use rollouts::run;
