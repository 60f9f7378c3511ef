//! What a play or a position is worth without searching.

/// Leave values and win % model.
#[derive(Debug, Default)]
pub struct Evaluator {}

impl Evaluator {
    /// Identifies the leave values in a provenance line.
    pub fn leaves_id(&self) -> &str {
        "heuristic3"
    }

    /// Identifies the win % model in a provenance line.
    pub fn win_id(&self) -> &str {
        "logistic"
    }
}
