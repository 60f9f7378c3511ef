//! The stages that look for the greatest share of wins.
//!
//! | stage | what it does |
//! |---|---|
//! | [`Playouts`] | plays out the first candidates over some of the draws: an answer if there is no more time |
//! | [`Screen`] | plays out all candidates over all draws, quickly, to see which of them are worth searching |
//! | [`Signs`] | searches endgames for the winner alone, each with a node limit |
//!
//! The screen has no number among the stages: a candidate that was screened does not rank before one that was not.

use crate::search::pre_endgame::endgames::{Case, LeadAnswer, Question};
use crate::search::pre_endgame::lines::Skill;
use crate::search::pre_endgame::stage::{PLAYOUT_BATCH, Stage, usual_batch};
use crate::search::pre_endgame::standings::{MOST_PLAYED_OUT, PreEndgameStandings};
use crate::search::pre_endgame::types::{ChanceSum, DealResult, PreEndgameCandidate, ProofStatus, StageReached, WinTieLoss};
use crate::search::pre_endgame::worker::{Assignment, PreEndgameWorker, Stopped, Target, Visit, VisitEnd};

/// The remainder that selects the draws to play out: see [`Playouts::one_in`]. All steps of a plan use the same
/// remainder. If a later step's `one_in` divides that of an earlier step, the earlier draws are among the later ones,
/// and their playouts are reused.
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

/// Quick playouts.
#[derive(Clone, Copy, Debug)]
pub struct Screen {
    /// How many candidates are searched next. A candidate is broken off when it can no longer be one of them.
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
        let mut chances: Vec<u64> = complete.map(PreEndgameCandidate::ranked_chance).collect();
        chances.sort_unstable_by(|a, b| b.cmp(a));
        Target { chance: chances.get(self.passing - 1).copied().unwrap_or(0), ..Target::default() }
    }

    fn visit(&self, worker: &mut PreEndgameWorker<'_>, assignment: &Assignment<'_>, visit: &mut Visit) -> Result<VisitEnd, Stopped> {
        let end = examine(worker, assignment, visit);
        // However the visit ended, a candidate with a result for every deal is complete.
        if visit.results.iter().all(Option::is_some) {
            visit.note_mean(assignment.candidate, 0);
            return Ok(VisitEnd::Complete);
        }
        end
    }
}

/// Plays out deal after deal until the candidate can no longer pass the screen.
fn examine(worker: &mut PreEndgameWorker<'_>, assignment: &Assignment<'_>, visit: &mut Visit) -> Result<VisitEnd, Stopped> {
    let candidate = assignment.candidate;
    if !worker.begin_quick_playouts(assignment) {
        return Err(Stopped);
    }
    // The chances if all deals to come are won.
    let mut possible = ChanceSum::possible(candidate, |_| None);
    for deal in assignment.order() {
        assignment.go_on()?;
        // What was examined before is kept.
        let result = candidate.results[deal].unwrap_or_else(|| {
            visit.nodes += 1;
            DealResult::of_playout(worker.play_out_quickly(candidate, deal))
        });
        visit.results[deal] = Some(result);
        possible.take_back(candidate, deal, None);
        possible.add(candidate, deal, Some(&result));
        if !assignment.target.is_possible(candidate, &possible) {
            return Ok(VisitEnd::Cut);
        }
    }
    Ok(VisitEnd::Complete)
}

/// Finds the winner of each deal.
#[derive(Clone, Copy, Debug)]
pub struct Signs {
    /// How many candidates are searched.
    pub width: usize,
    /// How each deal is searched.
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

    /// The most promising candidates come first. The leader stays in front: to rank before it, a candidate has to be
    /// better on equal terms.
    fn arrange(&self, standings: &mut PreEndgameStandings) {
        standings.candidates[1..].sort_by_cached_key(PreEndgameCandidate::promise);
    }

    /// The best chance among the candidates that went through this stage.
    fn target(&self, standings: &PreEndgameStandings, _: usize) -> Target {
        let present = StageReached { stage: standings.stage, is_cut: false };
        let examined = standings.candidates.iter().filter(|candidate| candidate.reached == present);
        let chances = examined.map(PreEndgameCandidate::ranked_chance);
        Target { chance: chances.max().unwrap_or(0), ..Target::default() }
    }

    fn visit(&self, worker: &mut PreEndgameWorker<'_>, assignment: &Assignment<'_>, visit: &mut Visit) -> Result<VisitEnd, Stopped> {
        self.search.examine(worker, assignment, visit)
    }

    fn reached(&self, standings: &PreEndgameStandings, end: VisitEnd) -> Option<StageReached> {
        self.counts().then_some(StageReached { stage: standings.stage, is_cut: end == VisitEnd::Cut })
    }
}

impl SignSearch {
    /// Searches the deals that were searched less thoroughly before, until the candidate can no longer reach its
    /// target.
    ///
    /// # Errors
    /// If a signal came.
    pub fn examine(&self, worker: &mut PreEndgameWorker<'_>, assignment: &Assignment<'_>, visit: &mut Visit) -> Result<VisitEnd, Stopped> {
        let Assignment { candidate, target, .. } = *assignment;
        let known = |deal: usize| candidate.results[deal].filter(|result| result.status >= ProofStatus::Estimate { nodes: self.nodes });
        // The chances if all deals to come are won.
        let mut possible = ChanceSum::possible(candidate, known);
        if !target.is_possible(candidate, &possible) {
            return Ok(VisitEnd::Cut);
        }
        for line in worker.lines(assignment, self.skill, |deal| known(deal).is_none())? {
            let case = line.of(candidate);
            let answer = worker.endgames.ask(case, Question::WhoWins, assignment.refutation(line.deal), self.nodes, assignment.signals);
            assignment.go_on()?;
            visit.note_answer(case, &answer);
            let result = self.result(worker, case, &answer);
            visit.results[line.deal] = Some(result);
            possible.take_back(candidate, line.deal, None);
            possible.add(candidate, line.deal, Some(&result));
            if !target.is_possible(candidate, &possible) {
                return Ok(VisitEnd::Cut);
            }
        }
        Ok(VisitEnd::Complete)
    }

    /// The knowledge about a deal after an answer.
    fn result(&self, worker: &PreEndgameWorker<'_>, case: Case<'_>, answer: &LeadAnswer) -> DealResult {
        let known = case.candidate.results[case.deal];
        let lead = answer.lead.or(known.map(|known| known.expected)).unwrap_or(0);
        let mut result = known.unwrap_or_else(|| DealResult::of_playout(lead));
        // If the model's players chose by static equity, the line is a guess, and so is the solution at its end. An
        // upper bound holds whatever they chose.
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
