//! What a play or a position is worth without searching: leave values, static equity, the chance of winning.
//!
//! | file | what it holds |
//! |---|---|
//! | `heuristics.rs` | Gordon's rack heuristics 1 to 3 |
//! | `leave_table.rs` | a value for each multiset of up to six tiles |
//! | `leaves.rs` | leave values: a heuristic, or a table of trained values |
//! | `bag_terms.rs` | what it is worth that few tiles are left in the bag |
//! | `rack_means.rs` | dynamic leaves: values for the tiles that are unseen |
//! | `win_model.rs` | the probability of winning from a spread and the tiles unseen |
//! | `static_eval.rs` | equity of plays: score, leave, and the terms of the opening and the end of the bag |
//!
//! Not here: reading tables from files (`formats/`). Start with [`Evaluator`].

pub mod heuristics;
pub mod leave_table;
pub mod bag_terms;
pub mod leaves;
pub mod rack_means;
pub mod win_model;
pub mod static_eval;

pub use bag_terms::BagTerms;
pub use leave_table::LeaveTable;
pub use leaves::Leaves;
pub use rack_means::RackMeans;
pub use static_eval::StaticEval;
pub use win_model::WinModel;

/// Leave values and win % model: all that evaluation knows beside the rules.
#[derive(Debug)]
pub struct Evaluator {
    /// Values of tiles kept.
    pub leaves: Leaves,
    /// Win % from spread and tiles unseen.
    pub win_model: WinModel,
    /// Means of full racks, for players who value leaves by the tiles unseen.
    pub rack_means: Option<RackMeans>,
}

impl Evaluator {
    /// Identifies the leave values in a provenance line: with `+racks` where means of full racks make them dynamic.
    pub fn leaves_id(&self) -> String {
        let dynamic = if self.rack_means.is_some() { "+racks" } else { "" };
        format!("{}{dynamic}", self.leaves.name())
    }

    /// Identifies the win % model in a provenance line.
    pub fn win_id(&self) -> &str {
        self.win_model.name()
    }
}
