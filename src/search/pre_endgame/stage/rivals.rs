//! Checks whether candidates that may equal the leader's share can also have a greater spread.
//!
//! Most are shown that they cannot with few nodes a deal. One that seems to be better is searched like the leader, and may take the
//! lead.

use crate::search::pre_endgame::candidate::StageReached;
use crate::search::pre_endgame::lines::Skill;
use crate::search::pre_endgame::results::{CERTAIN, ProofStatus};
use crate::search::pre_endgame::stage::common::Stage;
use crate::search::pre_endgame::stage::signs::SignSearch;
use crate::search::pre_endgame::stage::spreads::{SumStanding, SumTest, ValueSearch};
use crate::search::pre_endgame::standings::PreEndgameStandings;
use crate::search::pre_endgame::visit::{Assignment, Stopped, Target, Visit, VisitEnd};
use crate::search::pre_endgame::worker::PreEndgameWorker;
use std::ops::Range;

/// The number of rivals after which the stage looks whether it pays to go on: not if more than seven eighths of them are still in
/// question.
const PROBE: usize = 64;

/// Comparisons of rivals with the leader.
#[derive(Clone, Copy, Debug)]
pub struct Rivals {
    /// Nodes of each question.
    nodes: u64,
    /// The number of the round of tie-breaks before it.
    round: usize,
    /// Rivals so far that are still in question.
    open: usize,
}

impl Rivals {
    /// Comparisons after this round of tie-breaks, by questions with a limit of nodes.
    pub fn new(nodes: u64, round: usize) -> Rivals {
        Rivals { nodes, round, open: 0 }
    }
}

impl Stage for Rivals {
    fn width(&self) -> usize {
        usize::MAX
    }

    /// Behind the leader.
    fn first(&self) -> usize {
        1
    }

    fn counts(&self) -> bool {
        false
    }

    fn target(&self, standings: &PreEndgameStandings, _: usize) -> Target {
        Target { chance: standings.leader().chance(), lead_sum: standings.leaders_least_sum() }
    }

    fn visit(&self, worker: &mut PreEndgameWorker<'_>, assignment: &Assignment<'_>, visit: &mut Visit) -> Result<VisitEnd, Stopped> {
        let Assignment { candidate, target, .. } = *assignment;
        let beat = target.lead_sum.expect("the leader's sum is bounded before its rivals are asked about");
        // It may be settled already.
        let may_be_level = candidate.most_half_wins(ProofStatus::Proved) * CERTAIN / 2 >= target.chance;
        if !may_be_level || candidate.most_sum(ProofStatus::Proved).is_some_and(|most| most <= beat) {
            return Ok(VisitEnd::NotBetter);
        }
        let signs = SignSearch { nodes: self.nodes, skill: Skill::Informed };
        // If its share is expected to be smaller, to prove that takes the least effort.
        let is_share_doubtful = candidate.is_modelled || candidate.chance() < target.chance;
        if is_share_doubtful && signs.examine(worker, assignment, visit)? == VisitEnd::Cut {
            return Ok(VisitEnd::NotBetter);
        }
        // Its share may be as great. Then the spread decides.
        let lines = worker.lines(assignment, Skill::Informed, |_| true)?;
        let standing = SumTest { beat, nodes: self.nodes }.examine(worker, assignment, &lines, visit)?;
        visit.note_mean(candidate, 0);
        // A spread by the model is no reason to prefer a candidate to one whose spread is proved.
        if standing != SumStanding::Greater || candidate.is_modelled {
            return Ok(VisitEnd::NotBetter);
        }
        // It seems to be better, so it gets what the leader got.
        let known = visit.applied_to(candidate);
        if signs.examine(worker, &Assignment { candidate: &known, ..*assignment }, visit)? == VisitEnd::Cut {
            return Ok(VisitEnd::NotBetter);
        }
        ValueSearch { nodes: self.nodes, round: self.round }.examine(worker, assignment, &lines, visit)
    }

    /// A rival that was searched like the leader is on equal terms with it from now on.
    fn reached(&self, standings: &PreEndgameStandings, end: VisitEnd) -> Option<StageReached> {
        (end == VisitEnd::Complete).then_some(StageReached { stage: standings.leader().reached.stage, is_cut: false })
    }

    fn is_worthwhile_after(&mut self, standings: &PreEndgameStandings, batch: Range<usize>) -> bool {
        let end = batch.end;
        let is_open = |rival: usize| !standings.candidates[rival].is_behind(standings.leader(), ProofStatus::Proved);
        self.open += batch.filter(|&rival| is_open(rival)).count();
        end < PROBE || 8 * self.open <= 7 * end
    }
}
