//! Simulation: candidates are played out on random deals, and ranked by how the rollouts end.
//!
//! Not here: which plays are candidates (`search/candidates.rs`), rounds, rankings and statistics (`search/race/`). Start with [`run`].

pub mod context;
pub mod replies;
pub mod rollout;
pub mod rollouts;

pub use context::{DEFAULT_PLIES, Horizon, SimulationContext};
pub use rollout::RolloutWorker;
pub use rollouts::run;
