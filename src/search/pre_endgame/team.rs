//! The threads of a search, each with its own tools.

use crate::search::budget::Signals;
use crate::search::pre_endgame::context::{PreEndgameContext, PreEndgameSettings};
use crate::search::pre_endgame::stage::Stage;
use crate::search::pre_endgame::standings::PreEndgameStandings;
use crate::search::pre_endgame::visit::{Assignment, Stopped, Visit, VisitEnd};
use crate::search::pre_endgame::worker::PreEndgameWorker;
use crate::search::threads;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Threads with their memory.
pub struct PreEndgameTeam<'a> {
    context: &'a PreEndgameContext<'a>,
    settings: &'a PreEndgameSettings,
    /// By thread; `None` before the thread's first visit.
    workers: Vec<Mutex<Option<PreEndgameWorker<'a>>>>,
    /// Held while a worker is made. It takes milliseconds, and there may be hundreds: a signal waits for one of them at most.
    making: Mutex<()>,
    /// `None` for a single thread: then the caller's does the work.
    pool: Option<rayon::ThreadPool>,
}

impl<'a> PreEndgameTeam<'a> {
    /// Starts the threads.
    pub fn new(context: &'a PreEndgameContext<'a>, settings: &'a PreEndgameSettings) -> PreEndgameTeam<'a> {
        let threads = settings.threads;
        let workers = (0..threads).map(|_| Mutex::new(None)).collect();
        let pool = threads::pool(threads);
        PreEndgameTeam { context, settings, workers, making: Mutex::new(()), pool }
    }

    /// Visits the candidates of a batch, all with the same target. Returns what was found, in their order.
    pub fn visit(
        &self,
        stage: &dyn Stage,
        standings: &PreEndgameStandings,
        batch: Range<usize>,
        signals: &Signals,
    ) -> Vec<(Visit, Result<VisitEnd, Stopped>)> {
        let target = stage.target(standings, batch.start);
        let visit = |place: usize| {
            let candidate = &standings.candidates[place];
            let assignment = Assignment { candidate, is_leader: place == 0, target, hints: &standings.hints, signals };
            // Each thread has a worker of its own, so this never waits.
            let worker = &self.workers[threads::number_in(self.pool.as_ref())];
            let mut worker = worker.lock().unwrap_or_else(PoisonError::into_inner);
            if worker.is_none() {
                let _one_at_a_time = self.making.lock().unwrap_or_else(PoisonError::into_inner);
                if let Err(stopped) = assignment.go_on() {
                    return (Visit::of(candidate), Err(stopped));
                }
                *worker = Some(PreEndgameWorker::new(self.context, self.settings));
            }
            let worker = worker.as_mut().expect("it was made above");
            worker.visit(candidate, |worker, visit| stage.visit(worker, &assignment, visit))
        };
        match &self.pool {
            Some(pool) => pool.install(|| batch.into_par_iter().map(visit).collect()),
            None => batch.map(visit).collect(),
        }
    }
}
