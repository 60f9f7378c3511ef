//! What a play or a position is worth without searching: leave values, static equity, the chance of winning.
//!
//! | file | what it holds |
//! |---|---|
//! | `heuristics.rs` | Gordon's rack heuristics 1 to 3 |
//! | `leave_table.rs` | a value for each multiset of up to six tiles |
//! | `bag_terms.rs` | what it is worth that few tiles are left in the bag |
//! | `leaves.rs` | leave values: a heuristic, or a table of trained values |
//! | `rack_means.rs` | dynamic leaves: values for the tiles that are unseen |
//! | `win_model.rs` | the probability of winning from a spread and the tiles unseen |
//! | `evaluator.rs` | these tables as one value |
//! | `static_eval.rs` | equity of plays: score, leave, and the terms of the opening and the end of the bag |
//! | `point_chances.rs` | how many points a rack may have, and whether more than another |
//! | `zero_turns.rs` | the end of a game by turns without points, on the turns before it |
//!
//! Not here: reading tables from files (`formats/`), and the game that is played to lose (`search/misere/`). Start with [`Evaluator`] for the tables, with [`StaticEval`] for plays.

pub mod heuristics;
pub mod leave_table;
pub mod bag_terms;
pub mod leaves;
pub mod rack_means;
pub mod win_model;
pub mod evaluator;
pub mod static_eval;
pub mod point_chances;
pub mod zero_turns;

pub use bag_terms::BagTerms;
pub use evaluator::Evaluator;
pub use leave_table::LeaveTable;
pub use leaves::Leaves;
pub use rack_means::RackMeans;
pub use static_eval::StaticEval;
pub use win_model::WinModel;
