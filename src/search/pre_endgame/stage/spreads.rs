//! A round of tie-breaks: endgames are searched for their values, for the leader and those that are level with it.
//!
//! Only the leader's sum of final leads has to be known. Of the others it is enough to show that theirs is no greater.

use crate::search::pre_endgame::lines::Skill;
use crate::search::pre_endgame::results::DealResult;
use crate::search::pre_endgame::stage::common::{Stage, usual_batch};
use crate::search::pre_endgame::stage::sum_test::{SumStanding, SumTest};
use crate::search::pre_endgame::standings::PreEndgameStandings;
use crate::search::pre_endgame::visit::{Assignment, Stopped, Target, Visit, VisitEnd};
use crate::search::pre_endgame::worker::{DealtLine, PreEndgameWorker};

/// How many times more nodes the leader gets than the others.
pub const LEADER_GETS: u64 = 4;

/// The values of endgames.
#[derive(Clone, Copy, Debug)]
pub struct Spreads {
    /// How many candidates are looked at, the leader among them.
    pub width: usize,
    /// How values are searched.
    pub search: ValueSearch,
}

/// How the value of a deal's endgame is searched.
#[derive(Clone, Copy, Debug)]
pub struct ValueSearch {
    /// Nodes for each deal.
    pub nodes: u64,
    /// The number of the round of tie-breaks, from 1.
    pub round: usize,
}

impl Stage for Spreads {
    fn width(&self) -> usize {
        self.width
    }

    fn batch(&self, _: &PreEndgameStandings, done: usize) -> usize {
        // The others are compared with the leader.
        if done == 0 { 1 } else { usual_batch(done) }
    }

    fn target(&self, standings: &PreEndgameStandings, done: usize) -> Target {
        Target { chance: 0, lead_sum: if done > 0 { standings.leaders_least_sum() } else { None } }
    }

    fn visit(&self, worker: &mut PreEndgameWorker<'_>, assignment: &Assignment<'_>, visit: &mut Visit) -> Result<VisitEnd, Stopped> {
        let Assignment { candidate, target, is_leader, .. } = *assignment;
        let lines = worker.lines(assignment, Skill::Informed, |_| true)?;
        if let Some(beat) = target.lead_sum {
            let standing = SumTest { beat, nodes: self.search.nodes }.examine(worker, assignment, &lines, visit)?;
            visit.note_mean(candidate, 0);
            if standing == SumStanding::NotGreater {
                return Ok(VisitEnd::Complete);
            }
        }
        // By the model nothing can be proved of a leader, so nobody is measured by its sum.
        let leaders = ValueSearch { nodes: LEADER_GETS * self.search.nodes, ..self.search };
        let search = if is_leader && !candidate.is_modelled { leaders } else { self.search };
        search.examine(worker, assignment, &lines, visit)
    }
}

impl ValueSearch {
    /// Encloses our final lead of every deal, as far as the nodes go, and notes their mean.
    ///
    /// # Errors
    /// If a signal came.
    pub fn examine(
        &self,
        worker: &mut PreEndgameWorker<'_>,
        assignment: &Assignment<'_>,
        lines: &[DealtLine],
        visit: &mut Visit,
    ) -> Result<VisitEnd, Stopped> {
        for line in lines {
            let mut result = visit.results[line.deal].unwrap_or_else(|| DealResult::of_playout(line.end.spread));
            if !result.bounds.is_exact() {
                let case = line.of(assignment.candidate);
                let (bounds, nodes) = worker.endgames.enclose(case, result.expected, self.nodes, assignment.signals);
                assignment.go_on()?;
                visit.nodes += nodes;
                result.note(bounds, worker.status_of_solved(case));
                visit.results[line.deal] = Some(result);
            }
        }
        visit.note_mean(assignment.candidate, self.round);
        Ok(VisitEnd::Complete)
    }
}
