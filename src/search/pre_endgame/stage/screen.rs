//! Quick playouts of all candidates over all draws, to see which of them are worth searching.
//!
//! It has no number among the stages: a candidate that was screened does not rank before one that was not.

use crate::search::pre_endgame::candidate::PreEndgameCandidate;
use crate::search::pre_endgame::results::{CERTAIN, DealResult};
use crate::search::pre_endgame::stage::common::{PLAYOUT_BATCH, Stage};
use crate::search::pre_endgame::standings::{MOST_PLAYED_OUT, PreEndgameStandings};
use crate::search::pre_endgame::visit::{Assignment, Stopped, Target, Visit, VisitEnd};
use crate::search::pre_endgame::worker::PreEndgameWorker;

/// Quick playouts.
#[derive(Clone, Copy, Debug)]
pub struct Screen {
    /// How many candidates are searched next. Another one is broken off when it cannot come among them any more.
    pub passing: usize,
}

impl Stage for Screen {
    fn width(&self) -> usize {
        MOST_PLAYED_OUT
    }

    fn counts(&self) -> bool {
        false
    }

    fn batch(&self, _: &PreEndgameStandings, _: usize) -> usize {
        PLAYOUT_BATCH
    }

    /// The chance of the last candidate that would pass.
    fn target(&self, standings: &PreEndgameStandings, _: usize) -> Target {
        let complete = standings.candidates.iter().filter(|candidate| candidate.is_examined_in_full());
        let mut chances: Vec<u64> = complete.map(PreEndgameCandidate::chance).collect();
        chances.sort_unstable_by(|a, b| b.cmp(a));
        Target { chance: chances.get(self.passing - 1).copied().unwrap_or(0), lead_sum: None }
    }

    fn visit(&self, worker: &mut PreEndgameWorker<'_>, assignment: &Assignment<'_>, visit: &mut Visit) -> Result<VisitEnd, Stopped> {
        let end = examine(worker, assignment, visit);
        // However it ended, a candidate with a result for every deal is complete.
        if visit.results.iter().all(Option::is_some) {
            visit.note_mean(assignment.candidate, 0);
            return Ok(VisitEnd::Complete);
        }
        end
    }
}

/// Plays out deal after deal until the candidate cannot pass any more.
fn examine(worker: &mut PreEndgameWorker<'_>, assignment: &Assignment<'_>, visit: &mut Visit) -> Result<VisitEnd, Stopped> {
    let candidate = assignment.candidate;
    if !worker.begin_quick_playouts(assignment) {
        return Err(Stopped);
    }
    // The chance if all deals to come are won.
    let mut possible: u64 = candidate.deals.iter().map(|deal| deal.weight * CERTAIN).sum();
    for deal in assignment.order() {
        assignment.go_on()?;
        // What was examined before is kept.
        let result = candidate.results[deal].unwrap_or_else(|| {
            visit.nodes += 1;
            DealResult::of_playout(worker.play_out_quickly(candidate, deal))
        });
        visit.results[deal] = Some(result);
        possible -= candidate.deals[deal].weight * (CERTAIN - candidate.chance_of(&result));
        if possible < assignment.target.chance {
            return Ok(VisitEnd::Cut);
        }
    }
    Ok(VisitEnd::Complete)
}
