//! A stage of the search: its work on a candidate, the candidates that it goes through, and how far it
//! brings them.
//!
//! Not here: the stages (`shares.rs`, `tie_breaks.rs`), which of them comes when (`agenda.rs`), and the
//! loop over batches of candidates (`search_loop.rs`).

use crate::search::pre_endgame::standings::PreEndgameStandings;
use crate::search::pre_endgame::types::StageReached;
use crate::search::pre_endgame::worker::{Assignment, PreEndgameWorker, Stopped, Target, Visit, VisitEnd};
use std::fmt::Debug;
use std::ops::Range;

/// Candidates of a stage's first batch. Its results begin to count with them.
const FIRST_BATCH: usize = 2;

/// Candidates of the other batches.
const BATCH: usize = 4;

/// Candidates that are played out at once, where they are not compared with each other.
pub const PLAYOUT_BATCH: usize = 16;

/// How many candidates come next when `done` are finished, for stages whose results are compared.
pub fn usual_batch(done: usize) -> usize {
    if done == 0 { FIRST_BATCH } else { BATCH }
}

/// A stage: a kind of work on the first candidates of the ranking.
///
/// It goes through them batch after batch. What a batch must reach ([`Stage::target`]) is fixed before it begins, and so is its
/// size: the same for any number of threads. The candidates of a batch are visited at once, one by each thread.
pub trait Stage: Sync + Debug {
    /// The number of candidates it looks at, or all if there are fewer.
    fn width(&self) -> usize;

    /// The place at which it begins.
    fn first(&self) -> usize {
        0
    }

    /// Whether it has a number of its own, so that its results replace those of earlier stages in the ranking. A stage that
    /// compares nobody has none.
    fn counts(&self) -> bool {
        self.width() > 1
    }

    /// Puts the candidates, which come in the order of their ranks, in the order in which it goes through them.
    fn arrange(&self, _standings: &mut PreEndgameStandings) {}

    /// How many candidates come next when `done` are finished.
    fn batch(&self, _standings: &PreEndgameStandings, done: usize) -> usize {
        usual_batch(done)
    }

    /// What the candidates of the next batch must be able to reach.
    fn target(&self, standings: &PreEndgameStandings, done: usize) -> Target;

    /// Works on one candidate. What it finds goes into `visit`.
    ///
    /// # Errors
    /// If a signal came: then the results are dropped.
    fn visit(&self, worker: &mut PreEndgameWorker<'_>, assignment: &Assignment<'_>, visit: &mut Visit) -> Result<VisitEnd, Stopped>;

    /// How far a visit that ended so brings its candidate; `None` if it stays where it was.
    fn reached(&self, _standings: &PreEndgameStandings, _end: VisitEnd) -> Option<StageReached> {
        None
    }

    /// Whether it pays to go on after this batch.
    fn is_worthwhile_after(&mut self, _standings: &PreEndgameStandings, _batch: Range<usize>) -> bool {
        true
    }
}
