//! Simulation: candidates are played out on random deals, and ranked by how the rollouts end.
//!
//! Not here: the choice of candidates (`search/candidates.rs`); rounds, rankings and statistics (`search/race/`). Start with [`run`].

pub mod context;
pub mod worker;
pub mod search_loop;

pub use context::{DEFAULT_PLIES, Horizon, SimulationContext};
pub use search_loop::run;
pub use worker::RolloutWorker;
