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

/// The largest table of a thread, in MiB. It does not depend on the number of threads, since unproved results may
/// depend on it.
const MOST_MEGABYTES: usize = 4;

/// The minimum space for a thread's lists of placements, in bytes.
const LEAST_LIST_BYTES: usize = 8 << 20;

/// A running search.
struct PreEndgameSearch<'a> {
    context: &'a PreEndgameContext<'a>,
    settings: PreEndgameSettings,
    options: &'a PreEndgameOptions,
    standings: PreEndgameStandings,
    /// The threads, each with a worker that is made at its first visit.
    team: Team<Option<PreEndgameWorker<'a>>>,
    /// Held while a worker is made. That takes milliseconds, and there may be hundreds of threads: with the lock, a
    /// signal waits for one worker at most.
    making: Mutex<()>,
    signals: &'a Signals,
    listener: &'a mut dyn Listener,
}

/// Searches these plays, of which there must be at least one, until everything is settled or a limit or signal ends the
/// search. If there is a belief, it determines the chances of the draws.
///
/// # Panics
/// Unless the bag holds 1 to `MOST_IN_PRE_ENDGAME` tiles, which a [`SearchRequest`](crate::search::SearchRequest)
/// ensures.
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
        // The end of each stage is reported; the last one's report comes with the outcome.
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
            // The first results of a stage count together or not at all: a single candidate with results would rank
            // before all others.
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
