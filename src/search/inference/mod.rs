//! Inference: a belief about the opponent's rack from their turns \[Richards & Amir 2007\].
//!
//! After a turn the opponent keeps some tiles, the *leave*, and draws others. Each leave is as likely beforehand as its tiles can be drawn
//! (the prior), and explains the turn more or less well (the likelihood). Their product, made to sum to 1, is the posterior. Earlier turns count,
//! too: a rack is the more likely, the better the leaves in it explain the turns before.
//!
//! Not here: how simulations use a belief (`search/simulation/context.rs`). Start with [`infer`].

pub mod model;
pub mod observed;
pub mod mixture;
pub mod explain;
pub mod last_turn;
pub mod learning;
pub mod earlier_turn;
pub mod simulated;
pub mod belief;
pub mod posterior;
pub mod trial;

#[cfg(test)]
mod tests;

pub use belief::{Belief, BeliefScope, InferredLeave};
pub use model::OpponentModel;
pub use observed::ObservedTurn;
pub use posterior::infer;
pub(crate) use trial::{TriedRack, TurnTrial};
