//! The input of every search: words, tables, position, settings, memory of earlier searches,
//! and signals.
//!
//! No search sees the results of an earlier one: a reused table is emptied first, which takes no time (`endgame/table.rs`). Not
//! here: how much memory the machine has, which only the program finds out. Start with [`SearchContext`].

use crate::evaluation::Evaluator;
use crate::lexicon::Lexicon;
use crate::rules::Position;
use crate::search::budget::Signals;
use crate::search::endgame::{NoMemory, Solver};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Words and tables. A clone shares them.
#[derive(Clone, Debug)]
pub struct Knowledge {
    /// The words.
    pub lexicon: Arc<Lexicon>,
    /// Leave values and win % model.
    pub evaluator: Arc<Evaluator>,
}

/// How a search of any kind runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RunSettings {
    /// Worker threads, 1 to [`MOST_WORKERS`](crate::search::MOST_WORKERS); fewer are started if there
    /// is no room for all. Their number does not change the answer of a search with counted limits.
    pub threads: usize,
    /// Seed of all randomness: the same seed gives the same answer.
    pub seed: u64,
    /// MiB for the table of an endgame.
    pub hash_megabytes: usize,
    /// MiB in all: for the table of an endgame, for the lists of exact searches, and for words and tables that are loaded but not in use.
    pub memory_megabytes: usize,
}

/// The least memory for lists, words and tables, however large the table of endgames is, MiB.
const LEAST_BESIDE_TABLE: usize = 64;

/// Threads, and the memory that each has for its lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ThreadShares {
    /// The number of threads, at least one.
    pub threads: usize,
    /// Bytes for each.
    pub bytes: usize,
}

impl RunSettings {
    /// Returns the bytes that the table of endgames leaves.
    fn beside_table(&self) -> usize {
        let megabytes = self.memory_megabytes.saturating_sub(self.hash_megabytes).max(LEAST_BESIDE_TABLE);
        megabytes.saturating_mul(1 << 20)
    }

    /// Returns the bytes for words and tables that are loaded but not in use: a quarter of those that the table of endgames leaves.
    pub fn cache_bytes(&self) -> usize {
        self.beside_table() / 4
    }

    /// Shares the other three quarters among the threads of an exact search. There are fewer threads if each would get less than
    /// `least_bytes`.
    pub(crate) fn thread_shares(&self, least_bytes: usize) -> ThreadShares {
        let bytes = self.beside_table() - self.cache_bytes();
        let threads = self.threads.min(bytes / least_bytes.max(1)).max(1);
        ThreadShares { threads, bytes: bytes / threads }
    }
}

impl Default for RunSettings {
    fn default() -> RunSettings {
        RunSettings { threads: 1, seed: 1, hash_megabytes: 16, memory_megabytes: 256 }
    }
}

/// The memory that successive searches reuse. Searches at the same time have their own tables.
#[derive(Debug, Default)]
pub struct SearchMemory {
    /// The table, while no search uses it.
    solver: Mutex<Option<Solver>>,
}

impl SearchMemory {
    /// Replaces the table by one of this many MiB.
    ///
    /// # Errors
    /// If there is not enough memory. The old table is kept.
    pub fn reserve(&self, megabytes: usize) -> Result<(), NoMemory> {
        let solver = Solver::with_table(megabytes)?;
        self.keep(solver);
        Ok(())
    }

    /// Frees the table, unless a search uses it. The next search makes a new one.
    pub fn release(&self) {
        let _old = self.slot().take();
    }

    /// Returns a solver with an empty table of this many MiB: the one that is kept, if it is free and of that size, else a new one. The
    /// table is smaller if there is not enough memory.
    pub(crate) fn solver(&self, megabytes: usize) -> Solver {
        let kept = self.slot().take_if(|solver| solver.megabytes() == megabytes);
        let mut solver = kept.unwrap_or_else(|| Solver::new(megabytes));
        solver.forget();
        solver
    }

    /// Keeps a solver for the next search.
    pub(crate) fn keep(&self, solver: Solver) {
        // The old one is freed after the lock, because freeing a large table takes a while.
        let _old = self.slot().replace(solver);
    }

    fn slot(&self) -> MutexGuard<'_, Option<Solver>> {
        // A search that panicked did not put its solver back, so the slot is sound.
        self.solver.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The input of a search apart from its options.
#[derive(Clone, Copy, Debug)]
pub struct SearchContext<'a> {
    /// Words and tables.
    pub knowledge: &'a Knowledge,
    /// The position. The mover's rack is known, and the game is not over.
    pub position: &'a Position,
    /// Threads, seed, memory.
    pub settings: RunSettings,
    /// The memory that earlier searches left.
    pub memory: &'a SearchMemory,
    /// Ends the search, or asks for a report.
    pub signals: &'a Signals,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_share_what_the_table_leaves_and_none_has_too_little() {
        let settings =
            |threads, hash_megabytes, memory_megabytes| RunSettings { threads, hash_megabytes, memory_megabytes, ..RunSettings::default() };
        let mib = |shares: ThreadShares| (shares.threads, shares.bytes >> 20);
        assert_eq!(mib(settings(1, 16, 256).thread_shares(12 << 20)), (1, 180));
        assert_eq!(mib(settings(4, 16, 256).thread_shares(12 << 20)), (4, 45));
        assert_eq!(mib(settings(256, 16, 256).thread_shares(12 << 20)), (15, 12));
        // A table that leaves nothing.
        assert_eq!(mib(settings(1, 4096, 256).thread_shares(12 << 20)), (1, 48));
        assert_eq!(settings(1, 4096, 256).cache_bytes(), 16 << 20);
        assert_eq!(mib(settings(1, usize::MAX, usize::MAX).thread_shares(usize::MAX)), (1, 48));
    }
}
