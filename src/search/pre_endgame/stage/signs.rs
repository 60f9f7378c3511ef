//! Endgames are searched for the winner alone, each with a limit of nodes.

use crate::search::pre_endgame::candidate::{PreEndgameCandidate, StageReached};
use crate::search::pre_endgame::endgames::{Case, LeadAnswer, Question};
use crate::search::pre_endgame::lines::Skill;
use crate::search::pre_endgame::results::{CERTAIN, DealResult, ProofStatus, WinTieLoss};
use crate::search::pre_endgame::stage::common::Stage;
use crate::search::pre_endgame::standings::PreEndgameStandings;
use crate::search::pre_endgame::visit::{Assignment, Stopped, Target, Visit, VisitEnd};
use crate::search::pre_endgame::worker::PreEndgameWorker;

/// Who wins each deal.
#[derive(Clone, Copy, Debug)]
pub struct Signs {
    /// How many candidates are searched.
    pub width: usize,
    /// How, on each deal.
    pub search: SignSearch,
}

/// How the sign of a deal's final lead is searched.
#[derive(Clone, Copy, Debug)]
pub struct SignSearch {
    /// Nodes for each deal.
    pub nodes: u64,
    /// How the players choose while there are tiles in the bag.
    pub skill: Skill,
}

impl Stage for Signs {
    fn width(&self) -> usize {
        self.width
    }

    /// Those that promise most come first. The leader stays in front: a candidate that is to rank before it has to be better on
    /// equal terms.
    fn arrange(&self, standings: &mut PreEndgameStandings) {
        standings.candidates[1..].sort_by_cached_key(PreEndgameCandidate::promise);
    }

    /// The best chance of those that went through this stage.
    fn target(&self, standings: &PreEndgameStandings, _: usize) -> Target {
        let present = StageReached { stage: standings.stage, is_cut: false };
        let examined = standings.candidates.iter().filter(|candidate| candidate.reached == present);
        Target { chance: examined.map(PreEndgameCandidate::chance).max().unwrap_or(0), lead_sum: None }
    }

    fn visit(&self, worker: &mut PreEndgameWorker<'_>, assignment: &Assignment<'_>, visit: &mut Visit) -> Result<VisitEnd, Stopped> {
        self.search.examine(worker, assignment, visit)
    }

    fn reached(&self, standings: &PreEndgameStandings, end: VisitEnd) -> Option<StageReached> {
        self.counts().then_some(StageReached { stage: standings.stage, is_cut: end == VisitEnd::Cut })
    }
}

impl SignSearch {
    /// Searches the deals that were not searched so thoroughly before, until the candidate cannot reach its target any more.
    ///
    /// # Errors
    /// If a signal came.
    pub fn examine(&self, worker: &mut PreEndgameWorker<'_>, assignment: &Assignment<'_>, visit: &mut Visit) -> Result<VisitEnd, Stopped> {
        let Assignment { candidate, target, .. } = *assignment;
        let known = |deal: usize| candidate.results[deal].filter(|result| result.status >= ProofStatus::Estimate { nodes: self.nodes });
        // The chance if all deals to come are won.
        let chance = |deal: usize| known(deal).map_or(CERTAIN, |result| candidate.chance_of(&result));
        let mut possible: u64 = candidate.deals.iter().enumerate().map(|(at, deal)| deal.weight * chance(at)).sum();
        if possible < target.chance {
            return Ok(VisitEnd::Cut);
        }
        for line in worker.lines(assignment, self.skill, |deal| known(deal).is_none())? {
            let case = line.of(candidate);
            let answer = worker.endgames.ask(case, Question::WhoWins, assignment.refutation(line.deal), self.nodes, assignment.signals);
            assignment.go_on()?;
            visit.note_answer(case, &answer);
            let result = self.result(worker, case, &answer);
            visit.results[line.deal] = Some(result);
            possible -= candidate.deals[line.deal].weight * (CERTAIN - candidate.chance_of(&result));
            if possible < target.chance {
                return Ok(VisitEnd::Cut);
            }
        }
        Ok(VisitEnd::Complete)
    }

    /// What is known of a deal after an answer.
    fn result(&self, worker: &PreEndgameWorker<'_>, case: Case<'_>, answer: &LeadAnswer) -> DealResult {
        let known = case.candidate.results[case.deal];
        let lead = answer.lead.or(known.map(|known| known.expected)).unwrap_or(0);
        let mut result = known.unwrap_or_else(|| DealResult::of_playout(lead));
        // Where players of the model chose by static equity, the line is a guess, and so is what is solved at its end. An upper
        // bound is true whatever they chose.
        let is_final = self.skill == Skill::Informed || !case.candidate.is_modelled;
        let proved = answer.bounds.outcome();
        result.outcome = proved.unwrap_or_else(|| WinTieLoss::of(lead));
        result.status = match proved {
            Some(_) if is_final || worker.is_bounding(case.end) => worker.status_of_solved(case),
            _ => ProofStatus::Estimate { nodes: self.nodes },
        };
        if is_final {
            result.note(answer.bounds, result.status);
        }
        result
    }
}
