//! Values plays and positions without search: leave values, static equity, the chance of winning.
//!
//! Not here: reading tables from files (`formats/`), and the game that is played to lose (`search/misere/`). Start with
//! [`Evaluator`] for the tables and with [`StaticEval`] for plays.

pub mod heuristics;
pub mod leave_table;
pub mod leaves;
pub mod rack_means;
pub mod win_model;
pub mod evaluator;
pub mod static_eval;
pub mod zero_turns;

pub use evaluator::Evaluator;
pub use leave_table::LeaveTable;
pub use leaves::{BagTerms, Leaves};
pub use rack_means::RackMeans;
pub use static_eval::StaticEval;
pub use win_model::WinModel;
