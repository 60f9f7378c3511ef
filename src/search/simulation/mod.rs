//! Simulation: candidates are played out against racks of the opponent and orders of the bag, and ranked by how the rollouts end.
//!
//! | file | what it holds |
//! |---|---|
//! | `horizon.rs` | how far rollouts go |
//! | `context.rs` | what all rollouts have in common, and how their tiles are dealt |
//! | `replies.rs` | the opponent's replies to several candidates |
//! | `rollout.rs` | one sample: a candidate, then some plies, then a value |
//! | `standings.rs` | statistics, ranking, pruning |
//! | `rounds.rs` | the course of a simulation |
//!
//! Not here: which plays are candidates (`search/candidates.rs`), random numbers, statistics of pairs. Start with [`run`].

pub mod horizon;
pub mod context;
pub mod replies;
pub mod rollout;
pub mod standings;
pub mod rounds;

pub use context::SimulationContext;
pub use horizon::{DEFAULT_PLIES, Horizon};
pub use rollout::{RolloutWorker, SimulationCandidate};

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::search::analysis::SimulationOptions;
use crate::search::context::SearchContext;
use crate::search::inference::belief::Belief;
use crate::search::report::{Listener, Outcome};
use rounds::Simulation;

/// Simulates these candidates (at least one, best static play first) until a limit or a signal.
///
/// The opponent's tiles come from the belief, if there is one.
pub fn run(
    context: &SearchContext<'_>,
    candidates: &[EvaluatedPlay],
    options: &SimulationOptions,
    belief: Option<&Belief>,
    listener: &mut dyn Listener,
) -> Outcome {
    Simulation::new(context, candidates, options, belief).run(context, listener)
}
