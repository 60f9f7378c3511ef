//! The journal of `tilewright lab pegs`: the measurement, and its result for each position.
//!
//! Not here: the lines of a journal (`match_play/journal.rs`). Start with [`PegHeader`].

use crate::match_play::journal::JournalHeader;
use crate::search::pre_endgame::trial::TriedEstimate;
use serde::{Deserialize, Serialize};

/// The identity of a measurement: its positions and its searches.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PegHeader {
    /// The program's version.
    pub tilewright: String,
    /// Words and rules.
    pub game: String,
    /// Seed of the games.
    pub seed: u64,
    /// Tiles in the bag.
    pub in_bag: u8,
    /// The measurement, with the flags that determine it.
    pub measured: String,
}

/// The result for a position, by kind of measurement.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct PegPiece {
    /// The answer of a search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub searched: Option<SearchedPosition>,
    /// The estimates that were tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimates: Option<Vec<TriedEstimate>>,
    /// The plays that were chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen: Option<JudgedPosition>,
}

/// The answer of a search, and its times.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SearchedPosition {
    /// The best play, and how far it is proved.
    pub answer: String,
    /// The times of the milestones.
    pub times_ms: Milestones,
    /// The comparison with brute enumeration, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<CheckedAnswer>,
}

/// A comparison with brute enumeration.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckedAnswer {
    /// Whether everything that was proved or claimed is right.
    pub is_equal: bool,
    /// Whether anything was claimed about the best play.
    pub is_claimed: bool,
    /// The comparison as a line of text.
    pub text: String,
}

impl JournalHeader for PegHeader {
    type Entry = PegPiece;

    const KIND: &'static str = "pre-endgames";

    const RUN: &'static str = "measurement of pre-endgames";

    const ENTRY: &'static str = "position";
}

/// The times of a search's milestones, ms. `None` if a milestone was not reached.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Milestones {
    /// All candidates played out over all draws.
    pub playouts: Option<f64>,
    /// Also, endgames searched for the best eight, or the greatest share proved.
    pub useful: Option<f64>,
    /// Proved that no play has a greater share of wins.
    pub share: Option<f64>,
    /// The search ended before its time.
    pub complete: Option<f64>,
}

/// A chooser's play in a position.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Choice {
    /// The play, as text.
    pub play: String,
    /// Processor time, ms.
    pub time_ms: f64,
}

/// A position with the plays chosen in it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct JudgedPosition {
    /// The choice of each chooser, and last that of a search with many nodes.
    pub choices: Vec<Choice>,
    /// The chosen plays with their chances of winning. If all choices agree, this is empty.
    pub valued: Vec<(String, f64)>,
}

impl JudgedPosition {
    /// Returns the chance of winning that a play loses, 0 to 1.
    pub fn lost(&self, play: &str) -> f64 {
        let most = self.valued.iter().map(|(_, chance)| *chance).fold(0.0, f64::max);
        self.valued.iter().find(|(valued, _)| valued == play).map_or(0.0, |(_, chance)| most - chance)
    }
}
