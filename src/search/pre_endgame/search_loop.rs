//! The loop of a pre-endgame search, and its threads. The agenda picks the next stage,
//! the threads take the candidates through it in batches, and the standings collect the results.
//!
//! Start with [`run`].

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::search::analysis::PreEndgameOptions;
use crate::search::budget::Signals;
use crate::search::context::{SearchContext, ThreadShares};
use crate::search::inference::Belief;
use crate::search::pre_endgame::agenda::Agenda;
use crate::search::pre_endgame::context::{PreEndgameContext, PreEndgameSettings};
use crate::search::pre_endgame::stage::Stage;
use crate::search::pre_endgame::standings::PreEndgameStandings;
use crate::search::pre_endgame::worker::{Assignment, PreEndgameWorker, Stopped, Visit, VisitEnd};
use crate::search::report::{Listener, Outcome, PreEndgameClaim};
use crate::search::threads::Team;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// The largest table of a thread, MiB. The same for any number of threads, since what is not proved may depend on it.
const MOST_MEGABYTES: usize = 4;

/// The least that a thread has for its lists of placements, bytes.
const LEAST_LIST_BYTES: usize = 8 << 20;

/// A search on its way.
struct PreEndgameSearch<'a> {
    context: &'a PreEndgameContext<'a>,
    settings: PreEndgameSettings,
    options: &'a PreEndgameOptions,
    standings: PreEndgameStandings,
    /// A worker is made for the thread's first visit.
    team: Team<Option<PreEndgameWorker<'a>>>,
    /// Held while a worker is made. It takes milliseconds, and there may be hundreds: a signal waits for one of them at most.
    making: Mutex<()>,
    signals: &'a Signals,
    listener: &'a mut dyn Listener,
}

/// Searches among these plays, at least one, until everything is settled, or a limit or a signal ends it. Draws are as likely as the belief, if
/// there is one, makes them.
///
/// # Panics
/// Unless the bag holds as many tiles as a pre-endgame has: a [`SearchRequest`](crate::search::SearchRequest) sees to that.
pub fn run(
    search: &SearchContext<'_>,
    plays: &[EvaluatedPlay],
    options: &PreEndgameOptions,
    belief: Option<&Belief>,
    listener: &mut dyn Listener,
) -> Outcome {
    let hash_megabytes = search.settings.hash_megabytes.min(MOST_MEGABYTES);
    let table_bytes = hash_megabytes << 20;
    let ThreadShares { threads, bytes } = search.settings.thread_shares(table_bytes + LEAST_LIST_BYTES);
    let settings = PreEndgameSettings { hash_megabytes, list_bytes: bytes - table_bytes, seed: search.settings.seed };
    let context = PreEndgameContext::new(search.knowledge, search.position, belief);
    let mut search = PreEndgameSearch {
        context: &context,
        settings,
        options,
        standings: PreEndgameStandings::new(&context, plays),
        team: Team::new(threads, |_| None),
        making: Mutex::new(()),
        signals: search.signals,
        listener,
    };
    let mut agenda = Agenda::new(context.in_bag, context.draws.len(), options.first_win);
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
    /// Visits the candidates of a batch, all with the same target. Returns what was found, in their order.
    fn visit(&self, stage: &dyn Stage, batch: Range<usize>) -> Vec<(Visit, Result<VisitEnd, Stopped>)> {
        let PreEndgameSearch { context, settings, standings, team, making, signals, .. } = self;
        let target = stage.target(standings, batch.start);
        let assignment = |place: usize| {
            let candidate = &standings.candidates[place];
            Assignment { candidate, is_leader: place == 0, target, hints: &standings.hints, signals }
        };
        let assignments: Vec<Assignment<'_>> = batch.map(assignment).collect();
        team.map(&assignments, |worker, assignment| {
            if worker.is_none() {
                let _one_at_a_time = making.lock().unwrap_or_else(PoisonError::into_inner);
                if let Err(stopped) = assignment.go_on() {
                    return (Visit::of(assignment.candidate), Err(stopped));
                }
                *worker = Some(PreEndgameWorker::new(context, settings));
            }
            let worker = worker.as_mut().expect("it was made above");
            worker.visit(assignment.candidate, |worker, visit| stage.visit(worker, assignment, visit))
        })
    }

    /// Takes the candidates through a stage.
    fn go_through(&mut self, stage: &mut dyn Stage) {
        self.standings.stage += usize::from(stage.counts());
        stage.arrange(&mut self.standings);
        let width = stage.width().min(self.standings.candidates.len());
        let mut done = stage.first();
        while done < width {
            let batch = done..(done + stage.batch(&self.standings, done)).min(width);
            let visits = self.visit(stage, batch.clone());
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
        self.signals.is_stopped() || self.options.nodes.is_some_and(|most| self.standings.nodes >= most)
    }

    fn report(&mut self) {
        self.listener.report(self.standings.report());
    }

    fn outcome(mut self) -> Outcome {
        let best = self.standings.in_order()[0].play.play;
        let solved = match self.standings.claim() {
            PreEndgameClaim::Best => true,
            PreEndgameClaim::Share => self.options.first_win,
            PreEndgameClaim::Nothing => false,
        };
        Outcome { best: Some(best), solved, last: Some(self.standings.report()) }
    }
}
