//! The stages that break ties between equal shares of wins by the mean spread.
//!
//! **[`Spreads`]** searches endgames for the spreads of the leader and of its equals. Only the leader's sum of final
//! leads has to be known. For the others it is enough to show that their sums are no greater ([`SumTest`]), which needs
//! no exact values. Each deal has an expected lead. The leader's sum minus the sum of the expected leads is slack. The
//! slack is divided among the deals by weight: each deal may exceed its expected lead by its part. A deal that is
//! proved to stay within its allowance gives back the part it did not need, so that later deals are allowed more. A
//! deal without such a proof is asked about once more when all others have given back.
//!
//! **[`Rivals`]** checks whether candidates that may equal the leader's share can also have a greater spread. For most
//! of them, a few nodes per deal are enough to show that they cannot. One that seems to be better is searched like the
//! leader, and may take the lead.

use crate::search::pre_endgame::endgames::Question;
use crate::search::pre_endgame::lines::Skill;
use crate::search::pre_endgame::shares::SignSearch;
use crate::search::pre_endgame::stage::{Stage, usual_batch};
use crate::search::pre_endgame::standings::PreEndgameStandings;
use crate::search::pre_endgame::types::{DealResult, LeadBounds, PreEndgameCandidate, ProofStatus, StageReached};
use crate::search::pre_endgame::worker::{Assignment, DealtLine, PreEndgameWorker, Stopped, Target, Visit, VisitEnd};
use std::collections::VecDeque;
use std::ops::Range;

/// How a candidate's sum compares with the leader's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SumStanding {
    /// Proved to be no greater.
    NotGreater,
    /// Not decided.
    Open,
    /// Apparently greater.
    Greater,
}

/// How far the deals together may exceed their expected leads, in points times weight. It is divided among them by
/// weight.
struct Slack {
    points: i64,
    /// The weight of the deals that are not proved yet.
    open_weight: i64,
}

impl Slack {
    /// The points by which each unproved deal may exceed its expected lead.
    fn of_each(&self) -> i32 {
        self.points.div_euclid(self.open_weight) as i32
    }

    /// Records that a deal is proved to have at most this lead.
    fn settle(&mut self, weight: i64, expected: i32, most: i32) {
        self.points -= weight * i64::from(most - expected);
        self.open_weight -= weight;
    }

    /// Records that a deal's expected lead has changed.
    fn expect(&mut self, weight: i64, before: i32, now: i32) {
        self.points -= weight * i64::from(now - before);
    }
}

/// Compares a candidate's sum of final leads with another sum.
#[derive(Clone, Copy, Debug)]
pub struct SumTest {
    /// The sum to exceed, points times weight.
    pub beat: i64,
    /// Nodes for each question.
    pub nodes: u64,
}

impl SumTest {
    /// Compares the sums. What is found out about the deals goes into `visit`.
    ///
    /// # Errors
    /// If a signal came.
    pub fn examine(
        &self,
        worker: &mut PreEndgameWorker<'_>,
        assignment: &Assignment<'_>,
        lines: &[DealtLine],
        visit: &mut Visit,
    ) -> Result<SumStanding, Stopped> {
        let candidate = assignment.candidate;
        // The model proves nothing unless its lines are upper bounds on our result.
        if candidate.is_modelled && !lines.iter().all(|line| worker.is_bounding(&line.end)) {
            return Ok(SumStanding::Open);
        }
        let weight = |line: &DealtLine| candidate.deals[line.deal].weight as i64;
        let mut slack = self.slack(worker, candidate, lines, visit);
        let mut queue: VecDeque<(&DealtLine, bool)> = lines.iter().map(|line| (line, false)).collect();
        let mut is_one_unanswered = false;
        while let Some((line, is_again)) = queue.pop_front() {
            let before = visit.results[line.deal].expect("every deal has a result by now");
            let allowed = before.expected + slack.of_each();
            let mut result = before;
            if !tells_whether_at_most(result.bounds, allowed) {
                let case = line.of(candidate);
                let (question, hint) = (Question::IsAtMost(allowed), assignment.refutation(line.deal));
                let answer = worker.endgames.ask(case, question, hint, self.nodes, assignment.signals);
                assignment.go_on()?;
                visit.note_answer(case, &answer);
                result.note(answer.bounds, worker.status_of_solved(case));
                visit.results[line.deal] = Some(result);
                // One deal may stay without an answer, since the others may leave it enough slack. Two are too many.
                if answer.bounds.is_open() && std::mem::replace(&mut is_one_unanswered, true) {
                    return Ok(SumStanding::Open);
                }
            }
            match result.bounds.most.filter(|&most| most <= allowed) {
                // The deal gives back what it did not need.
                Some(most) => slack.settle(weight(line), before.expected, most),
                // The deal comes up once more after all others, with its current expected lead.
                None if !is_again => {
                    slack.expect(weight(line), before.expected, result.expected);
                    queue.push_back((line, true));
                }
                // Even what all the others left was not enough.
                None if is_one_unanswered => return Ok(SumStanding::Open),
                None => return Ok(SumStanding::Greater),
            }
        }
        Ok(SumStanding::NotGreater)
    }

    /// The slack at the beginning. A deal without a result is played out to get an expected lead.
    fn slack(&self, worker: &mut PreEndgameWorker<'_>, candidate: &PreEndgameCandidate, lines: &[DealtLine], visit: &mut Visit) -> Slack {
        let mut slack = Slack { points: self.beat, open_weight: 0 };
        for line in lines {
            let result = visit.results[line.deal].get_or_insert_with(|| {
                visit.nodes += 1;
                DealResult::of_playout(worker.endgames.play_out(line.of(candidate)))
            });
            let weight = candidate.deals[line.deal].weight as i64;
            slack.expect(weight, 0, result.expected);
            slack.open_weight += weight;
        }
        slack
    }
}

/// Whether the bounds decide if a lead is at most this one.
fn tells_whether_at_most(bounds: LeadBounds, lead: i32) -> bool {
    bounds.most.is_some_and(|most| most <= lead) || bounds.least.is_some_and(|least| least > lead)
}

/// The leader gets this many times the nodes of the others.
pub const LEADER_GETS: u64 = 4;

/// The stage that searches the values of endgames.
#[derive(Clone, Copy, Debug)]
pub struct Spreads {
    /// How many candidates are searched, including the leader.
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
        // The leader comes alone, because the others are compared with it.
        if done == 0 { 1 } else { usual_batch(done) }
    }

    fn target(&self, standings: &PreEndgameStandings, done: usize) -> Target {
        Target { lead_sum: if done > 0 { standings.leaders_least_sum() } else { None }, ..Target::default() }
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
        // Nothing can be proved about a modelled leader, so no candidate is compared with its sum.
        let leaders = ValueSearch { nodes: LEADER_GETS * self.search.nodes, ..self.search };
        let search = if is_leader && !candidate.is_modelled { leaders } else { self.search };
        search.examine(worker, assignment, &lines, visit)
    }
}

impl ValueSearch {
    /// Encloses our final lead in every deal as far as the nodes allow, and notes the mean.
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

/// The number of rivals after which the stage checks whether it pays to go on. It does not if more than seven eighths
/// of them are still in question.
const PROBE: usize = 64;

/// The stage that compares rivals with the leader.
#[derive(Clone, Copy, Debug)]
pub struct Rivals {
    /// Nodes of each question.
    nodes: u64,
    /// The number of the round of tie-breaks before it.
    round: usize,
    /// How many of the rivals visited so far are still in question.
    open: usize,
}

impl Rivals {
    /// Creates the stage after this round of tie-breaks, with this node limit for each question.
    pub fn new(nodes: u64, round: usize) -> Rivals {
        Rivals { nodes, round, open: 0 }
    }
}

impl Stage for Rivals {
    fn width(&self) -> usize {
        usize::MAX
    }

    /// The place after the leader.
    fn first(&self) -> usize {
        1
    }

    fn counts(&self) -> bool {
        false
    }

    fn target(&self, standings: &PreEndgameStandings, _: usize) -> Target {
        let chance = standings.leader().most_chance(ProofStatus::Proved);
        Target { chance, is_share: true, lead_sum: standings.leaders_least_sum() }
    }

    fn visit(&self, worker: &mut PreEndgameWorker<'_>, assignment: &Assignment<'_>, visit: &mut Visit) -> Result<VisitEnd, Stopped> {
        let Assignment { candidate, target, .. } = *assignment;
        let beat = target.lead_sum.expect("the leader's sum is bounded before its rivals are asked about");
        // It may be settled already.
        let may_be_level = candidate.most_chance(ProofStatus::Proved) >= target.chance;
        if !may_be_level || candidate.most_sum(ProofStatus::Proved).is_some_and(|most| most <= beat) {
            return Ok(VisitEnd::NotBetter);
        }
        let signs = SignSearch { nodes: self.nodes, skill: Skill::Informed };
        // If its share is expected to be smaller, proving that takes the least effort.
        let is_share_doubtful = candidate.is_modelled || candidate.ranked_chance() < target.chance;
        if is_share_doubtful && signs.examine(worker, assignment, visit)? == VisitEnd::Cut {
            return Ok(VisitEnd::NotBetter);
        }
        // Its share may be as great. Then the spread decides.
        let lines = worker.lines(assignment, Skill::Informed, |_| true)?;
        let standing = SumTest { beat, nodes: self.nodes }.examine(worker, assignment, &lines, visit)?;
        visit.note_mean(candidate, 0);
        // A modelled spread is no reason to prefer a candidate to one whose spread is proved.
        if standing != SumStanding::Greater || candidate.is_modelled {
            return Ok(VisitEnd::NotBetter);
        }
        // It seems to be better, so it is searched like the leader.
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
