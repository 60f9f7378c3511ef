//! Inference: a belief about the opponent's rack from their turns \[Richards & Amir 2007\].
//!
//! After a turn the opponent keeps some tiles, the *leave*, and draws others. Each leave has a chance of being drawn beforehand (the
//! prior), and explains the turn more or less well (the likelihood). The product of both, scaled to sum to 1, is the posterior. Earlier
//! turns also count: the better the possible leaves in a rack explain the turns before, the more likely the rack is.
//!
//! Not here: how simulations use a belief (`search/simulation/context.rs`). Start with [`infer`].

pub mod model;
pub mod types;
pub mod last_turn;
pub mod explain;
pub mod simulated;
pub mod search_loop;
pub mod trial;

#[cfg(test)]
mod tests;

pub use model::OpponentModel;
pub use search_loop::infer;
pub(crate) use trial::{TriedRack, TurnTrial};
pub use types::{Belief, BeliefScope, InferredLeave, ObservedTurn};
