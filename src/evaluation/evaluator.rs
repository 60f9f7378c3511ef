//! The tables that evaluation uses in addition to rules and words, as one value.

use crate::evaluation::leaves::Leaves;
use crate::evaluation::rack_means::RackMeans;
use crate::evaluation::win_model::WinModel;

/// Leave values and win % model: everything that evaluation uses in addition to the rules and the words.
#[derive(Debug)]
pub struct Evaluator {
    /// Values of the tiles kept after a play.
    pub leaves: Leaves,
    /// Win % from spread and tiles unseen.
    pub win_model: WinModel,
    /// Means of full racks, for players who value leaves by the tiles unseen.
    pub rack_means: Option<RackMeans>,
}

impl Evaluator {
    /// Memory of the larger tables, bytes.
    pub fn size(&self) -> usize {
        self.leaves.size() + self.rack_means.as_ref().map_or(0, RackMeans::size)
    }

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
