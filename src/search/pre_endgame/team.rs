//! The threads of a search, each with its own tools.

use crate::search::budget::Signals;
use crate::search::pre_endgame::context::{PegContext, PegSettings};
use crate::search::pre_endgame::stage::Stage;
use crate::search::pre_endgame::standings::Standings;
use crate::search::pre_endgame::visit::{Assignment, Stopped, Visit, VisitEnd};
use crate::search::pre_endgame::worker::PegWorker;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Threads with their memory.
pub struct PegTeam<'a> {
    /// By thread.
    workers: Vec<Mutex<PegWorker<'a>>>,
    /// `None` for a single thread: then the caller's does the work.
    pool: Option<rayon::ThreadPool>,
}

impl<'a> PegTeam<'a> {
    /// Starts the threads.
    pub fn new(context: &'a PegContext<'a>, settings: &PegSettings) -> PegTeam<'a> {
        let threads = settings.threads;
        let workers = (0..threads).map(|_| Mutex::new(PegWorker::new(context, settings))).collect();
        let pool = (threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started"));
        PegTeam { workers, pool }
    }

    /// Visits the candidates of a batch, all with the same target. Returns what was found, in their order.
    pub fn visit(
        &self,
        stage: &dyn Stage,
        standings: &Standings,
        batch: Range<usize>,
        signals: &Signals,
    ) -> Vec<(Visit, Result<VisitEnd, Stopped>)> {
        let target = stage.target(standings, batch.start);
        let visit = |place: usize| {
            let candidate = &standings.candidates[place];
            let assignment = Assignment { candidate, is_leader: place == 0, target, hints: &standings.hints, signals };
            // Each thread has a worker of its own, so this never waits.
            let worker = &self.workers[rayon::current_thread_index().unwrap_or(0)];
            let mut worker = worker.lock().unwrap_or_else(PoisonError::into_inner);
            worker.visit(candidate, |worker, visit| stage.visit(worker, &assignment, visit))
        };
        match &self.pool {
            Some(pool) => pool.install(|| batch.into_par_iter().map(visit).collect()),
            None => batch.map(visit).collect(),
        }
    }
}
