//! The journal of `tilewright lab pegs`: the measurement, and its result for each position.
//!
//! Not here: the lines of a journal (`match_play/journal.rs`). Start with [`PegHeader`].

use crate::match_play::journal::JournalHeader;
use crate::search::pre_endgame::trial::TriedEstimate;
use serde::{Deserialize, Serialize};

/// The positions that are searched, and how.
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
    /// The measurement, with the flags that it follows from.
    pub measured: String,
}

/// The result for a position, by what was measured.
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

/// The answer of a search, and when it came.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SearchedPosition {
    /// The best play, and how far it is proved.
    pub answer: String,
    /// When the milestones came.
    pub times_ms: Milestones,
    /// How brute enumeration compares, if it was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<CheckedAnswer>,
}

/// A comparison with brute enumeration.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckedAnswer {
    /// Whether everything that was proved or claimed is so.
    pub is_equal: bool,
    /// Whether anything was claimed of the best play.
    pub is_claimed: bool,
    /// The same in a line.
    pub text: String,
}

impl JournalHeader for PegHeader {
    type Entry = PegPiece;

    const KIND: &'static str = "pre-endgames";

    const RUN: &'static str = "measurement of pre-endgames";

    const ENTRY: &'static str = "position";
}

/// The milestones of a search, ms. `None`: not reached.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Milestones {
    /// All candidates played out over all draws.
    pub playouts: Option<f64>,
    /// And endgames searched for the best eight, or the greatest share proved.
    pub useful: Option<f64>,
    /// No play has a greater share of wins, proved.
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

/// A position with what was chosen there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct JudgedPosition {
    /// By chooser, and last by many nodes.
    pub choices: Vec<Choice>,
    /// The plays that were chosen, with their chances of winning; one alone is not valued.
    pub valued: Vec<(String, f64)>,
}

impl JudgedPosition {
    /// The chance of winning that a play loses, 0 to 1.
    pub fn lost(&self, play: &str) -> f64 {
        let most = self.valued.iter().map(|(_, chance)| *chance).fold(0.0, f64::max);
        self.valued.iter().find(|(valued, _)| valued == play).map_or(0.0, |(_, chance)| most - chance)
    }
}
