//! What searches use one after the other: the table of endgames is made once and kept, however large it is.
//!
//! Nothing of what a search found is seen by the next one: a table that is handed out has forgotten all, which takes no time
//! (`endgame/table.rs`). Not here: who asks the operating system how much memory there is (the program does).

use crate::search::endgame::{NoMemory, Solver};
use std::sync::{Mutex, PoisonError};

/// The memory of searches that follow each other. Searches at the same time have tables of their own.
#[derive(Debug, Default)]
pub struct SearchMemory {
    /// The table, while no search uses it.
    solver: Mutex<Option<Solver>>,
}

impl SearchMemory {
    /// Makes a table of so many MiB, in place of the one that is kept.
    ///
    /// # Errors
    /// There is not so much memory: the old table is kept.
    pub fn reserve(&self, megabytes: usize) -> Result<(), NoMemory> {
        let solver = Solver::with_table(megabytes)?;
        self.keep(solver);
        Ok(())
    }

    /// Gives the table back, unless a search uses it. The next search makes another one.
    pub fn release(&self) {
        let _old = self.slot().take();
    }

    /// A solver that knows nothing, with a table of so many MiB: the one that is kept, if it is free and of that size. Where there is not
    /// so much memory the table is smaller.
    pub(crate) fn solver(&self, megabytes: usize) -> Solver {
        let kept = self.slot().take_if(|solver| solver.megabytes() == megabytes);
        let mut solver = kept.unwrap_or_else(|| Solver::new(megabytes));
        solver.forget();
        solver
    }

    /// Keeps a solver for the next search.
    pub(crate) fn keep(&self, solver: Solver) {
        // The old one goes when the lock is free again: with a large table that takes a while.
        let _old = self.slot().replace(solver);
    }

    fn slot(&self) -> std::sync::MutexGuard<'_, Option<Solver>> {
        // A search that panicked has not put its solver back.
        self.solver.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
