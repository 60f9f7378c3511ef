//! The loop of a pre-endgame search, and its threads. The agenda picks the next stage,
//! the threads take the candidates through it in batches, and the standings collect the results.
//!
//! Start with [`search`].

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::search::budget::Signals;
use crate::search::pre_endgame::agenda::Agenda;
use crate::search::pre_endgame::context::{PreEndgameContext, PreEndgameSettings};
use crate::search::pre_endgame::stage::Stage;
use crate::search::pre_endgame::standings::PreEndgameStandings;
use crate::search::pre_endgame::visit::{Assignment, Stopped, Visit, VisitEnd};
use crate::search::pre_endgame::worker::PreEndgameWorker;
use crate::search::report::{Outcome, PreEndgameClaim, Report};
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

/// A search on its way.
struct PreEndgameSearch<'a> {
    settings: &'a PreEndgameSettings,
    standings: PreEndgameStandings,
    team: PreEndgameTeam<'a>,
    signals: &'a Signals,
    on_report: &'a mut dyn FnMut(Report),
}

/// Searches among these plays, at least one, until everything asked is settled, or a limit or a signal ends it.
pub fn search(
    context: &PreEndgameContext<'_>,
    settings: &PreEndgameSettings,
    plays: &[EvaluatedPlay],
    signals: &Signals,
    on_report: &mut dyn FnMut(Report),
) -> Outcome {
    let mut search = PreEndgameSearch {
        settings,
        standings: PreEndgameStandings::new(context, plays),
        team: PreEndgameTeam::new(context, settings),
        signals,
        on_report,
    };
    let mut agenda = Agenda::new(context.in_bag, context.draws.len(), settings.share_only);
    let mut is_first = true;
    while !search.is_over()
        && let Some(mut stage) = agenda.next(search.standings.in_order())
    {
        // Each stage's end is reported, but the last one's with the outcome.
        if !std::mem::take(&mut is_first) {
            search.report();
        }
        search.go_through(&mut *stage);
    }
    search.outcome()
}

impl PreEndgameSearch<'_> {
    /// Takes the candidates through a stage.
    fn go_through(&mut self, stage: &mut dyn Stage) {
        self.standings.stage += usize::from(stage.counts());
        stage.arrange(&mut self.standings);
        let width = stage.width().min(self.standings.candidates.len());
        let mut done = stage.first();
        while done < width {
            let batch = done..(done + stage.batch(&self.standings, done)).min(width);
            let visits = self.team.visit(stage, &self.standings, batch.clone(), self.signals);
            self.standings.nodes += visits.iter().map(|(visit, _)| visit.nodes).sum::<u64>();
            // The first results of a stage come together or not at all: one alone would rank before all others.
            let was_stopped = visits.iter().any(|(_, end)| end.is_err());
            let would_be_alone = stage.counts() && done == 0 && self.standings.stage > 1;
            if !(was_stopped && would_be_alone) {
                for (place, (visit, end)) in batch.clone().zip(visits) {
                    if let Ok(end) = end {
                        let reached = stage.reached(&self.standings, end);
                        self.standings.take_in(place, visit, reached);
                    }
                }
            }
            done = batch.end;
            if !stage.is_worthwhile_after(&self.standings, batch) {
                return;
            }
            if self.signals.take_report() {
                self.report();
            }
            if self.is_over() {
                return;
            }
        }
    }

    /// Whether a limit or a signal ends it.
    fn is_over(&self) -> bool {
        self.signals.is_stopped() || self.settings.most_nodes.is_some_and(|most| self.standings.nodes >= most)
    }

    fn report(&mut self) {
        (self.on_report)(self.standings.report());
    }

    fn outcome(mut self) -> Outcome {
        let best = self.standings.in_order()[0].play.play;
        let solved = match self.standings.claim() {
            PreEndgameClaim::Best => true,
            PreEndgameClaim::Share => self.settings.share_only,
            PreEndgameClaim::Nothing => false,
        };
        Outcome { best: Some(best), solved, last: Some(self.standings.report()) }
    }
}
