//! A stage of the search: its work on a candidate, the candidates that it visits, and how far it advances them.
//!
//! Not here: the individual stages (`shares.rs`, `tie_breaks.rs`), their order (`agenda.rs`), and the loop over batches
//! of candidates (`search_loop.rs`).

use crate::search::pre_endgame::standings::PreEndgameStandings;
use crate::search::pre_endgame::types::StageReached;
use crate::search::pre_endgame::worker::{Assignment, PreEndgameWorker, Stopped, Target, Visit, VisitEnd};
use std::fmt::Debug;
use std::ops::Range;

/// The size of a stage's first batch. The stage's results begin to count with it.
const FIRST_BATCH: usize = 2;

/// The size of the other batches.
const BATCH: usize = 4;

/// The size of a batch of playouts whose results are not compared with each other.
pub const PLAYOUT_BATCH: usize = 16;

/// How many candidates come next when `done` are finished, for stages whose results are compared.
pub fn usual_batch(done: usize) -> usize {
    if done == 0 { FIRST_BATCH } else { BATCH }
}

/// A stage: a kind of work on the first candidates of the ranking.
///
/// It goes through the candidates batch by batch. A batch's size and target ([`Stage::target`]) are fixed before it
/// begins and do not depend on the number of threads. The candidates of a batch are visited in parallel, one per
/// thread.
pub trait Stage: Sync + Debug {
    /// The number of candidates it visits; if there are fewer, it visits all.
    fn width(&self) -> usize;

    /// The place of the first candidate it visits.
    fn first(&self) -> usize {
        0
    }

    /// Whether it has a number of its own, so that its results replace those of earlier stages in the ranking. A stage
    /// that compares no candidates has none.
    fn counts(&self) -> bool {
        self.width() > 1
    }

    /// Sorts the candidates, which come in ranking order, into the order in which the stage visits them.
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
    /// If a signal came; the results are then dropped.
    fn visit(&self, worker: &mut PreEndgameWorker<'_>, assignment: &Assignment<'_>, visit: &mut Visit) -> Result<VisitEnd, Stopped>;

    /// How far a visit with this end brings its candidate; `None` if the candidate stays where it was.
    fn reached(&self, _standings: &PreEndgameStandings, _end: VisitEnd) -> Option<StageReached> {
        None
    }

    /// Whether it pays to go on after this batch.
    fn is_worthwhile_after(&mut self, _standings: &PreEndgameStandings, _batch: Range<usize>) -> bool {
        true
    }
}
