//! Greedy playouts of the first candidates, over some of the draws: an answer for players who have no more time than that.

use crate::search::pre_endgame::candidate::StageReached;
use crate::search::pre_endgame::lines::Skill;
use crate::search::pre_endgame::results::DealResult;
use crate::search::pre_endgame::stage::common::{PLAYOUT_BATCH, Stage, usual_batch};
use crate::search::pre_endgame::standings::PreEndgameStandings;
use crate::search::pre_endgame::visit::{Assignment, Stopped, Target, Visit, VisitEnd};
use crate::search::pre_endgame::worker::PreEndgameWorker;

/// The remainder that says which draws are played out: see [`Playouts::one_in`]. The numbers of those draws are congruent to it for
/// every step of a plan, so that the draws of a step are among those of each of its divisors, and what was played out before is
/// of use.
const SOME_DRAW: usize = 5;

/// Greedy playouts.
#[derive(Clone, Copy, Debug)]
pub struct Playouts {
    /// How many candidates are played out.
    pub width: usize,
    /// One draw in this many is played out; 1 means all.
    pub one_in: usize,
}

impl Stage for Playouts {
    fn width(&self) -> usize {
        self.width
    }

    fn batch(&self, standings: &PreEndgameStandings, done: usize) -> usize {
        // In the first stage it does not matter whose results come first.
        if standings.stage == 1 { PLAYOUT_BATCH } else { usual_batch(done) }
    }

    fn target(&self, _: &PreEndgameStandings, _: usize) -> Target {
        Target::default()
    }

    fn visit(&self, worker: &mut PreEndgameWorker<'_>, assignment: &Assignment<'_>, visit: &mut Visit) -> Result<VisitEnd, Stopped> {
        let candidate = assignment.candidate;
        let is_chosen = |deal: usize| candidate.deals[deal].draw % self.one_in == SOME_DRAW % self.one_in;
        // What was examined before is kept.
        for deal in assignment.order().into_iter().filter(|&deal| is_chosen(deal) && candidate.results[deal].is_none()) {
            assignment.go_on()?;
            let line = worker.line(candidate, deal, Skill::Static);
            visit.results[deal] = Some(DealResult::of_playout(worker.endgames.play_out(line.of(candidate))));
            visit.nodes += 1;
        }
        visit.note_mean(candidate, 0);
        Ok(VisitEnd::Complete)
    }

    fn reached(&self, standings: &PreEndgameStandings, _: VisitEnd) -> Option<StageReached> {
        self.counts().then_some(StageReached { stage: standings.stage, is_cut: false })
    }
}
