//! What every kind of search is given: the position, what is known, how it runs, and who may stop it.

use crate::rules::Position;
use crate::search::budget::Signals;
use crate::search::knowledge::Knowledge;

/// How a search runs, whatever it looks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RunSettings {
    /// Worker threads, at least 1. Their number does not change the answer of a search with counted limits.
    pub threads: usize,
    /// Seed of all randomness: the same seed, the same answer.
    pub seed: u64,
    /// MiB for the table of an exact search.
    pub hash_megabytes: usize,
}

impl Default for RunSettings {
    fn default() -> RunSettings {
        RunSettings { threads: 1, seed: 1, hash_megabytes: 16 }
    }
}

/// A search's surroundings.
#[derive(Clone, Copy, Debug)]
pub struct SearchContext<'a> {
    /// Words and tables.
    pub knowledge: &'a Knowledge,
    /// The position. The mover's rack is known, the game goes on.
    pub position: &'a Position,
    /// Threads, seed, memory.
    pub settings: RunSettings,
    /// Ends the search, or asks for a report.
    pub signals: &'a Signals,
}
