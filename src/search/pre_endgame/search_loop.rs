//! The loop of a pre-endgame search: the agenda says which stage comes next, the stage goes through the candidates in batches,
//! the standings take in what was found.

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::search::budget::Signals;
use crate::search::pre_endgame::agenda::Agenda;
use crate::search::pre_endgame::context::{PreEndgameContext, PreEndgameSettings};
use crate::search::pre_endgame::stage::Stage;
use crate::search::pre_endgame::standings::PreEndgameStandings;
use crate::search::pre_endgame::team::PreEndgameTeam;
use crate::search::report::{Outcome, PreEndgameClaim, Report};

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
        // Each stage's end is told, but the last one's with the outcome.
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
