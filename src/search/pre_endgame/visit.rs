//! What one stage finds out about one candidate: by playouts, or by searched endgames.
//!
//! A visit depends on the candidate, its task, and nothing else: not on the thread, nor on what the thread did before.

use crate::evaluation::StaticEval;
use crate::movegen::LaneBoard;
use crate::rules::{Placement, Play, Rack};
use crate::search::Knowledge;
use crate::search::budget::Signals;
use crate::search::dealt_game::DealtGame;
use crate::search::endgame::{Answer, Bound, Deal, Enclosed, Goal, QuickPlayouts, Solver};
use crate::search::pre_endgame::PegContext;
use crate::search::pre_endgame::candidate::{CERTAIN, DealResult, MeanSpread, PegCandidate, ProofStatus, WinTieLoss};
use crate::search::pre_endgame::lines::{LineEnd, LinePlayer, Skill, US};
use std::collections::VecDeque;

/// A number that has all of the steps' remainders: the draws of a step are among those of each of its parts, so that what was
/// played out before is of use.
const SOME_DRAW: usize = 5;

/// What is done for a candidate's deals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Greedy playouts of the deals of every so-manieth draw: 1 for all. What was examined before is kept.
    Playouts {
        /// From a draw to the next one.
        step: usize,
    },
    /// Quick playouts of the deals that were not examined yet: to screen. Who went through it does not stand before those who did not.
    QuickPlayouts {
        /// Only who may come among so many needs to be looked at to the end.
        passing: usize,
    },
    /// The sign of each one's endgame, searched with so many nodes.
    Signs {
        /// Of each deal.
        nodes: u64,
        /// How the players choose while there are tiles in the bag.
        skill: Skill,
    },
    /// Whether the leader is as good, for candidates that may have his share: whether the sum of their final leads is no greater, with
    /// so many nodes a question. Who may be better gets signs and values; who is not keeps his place.
    Rivals {
        /// Of each question.
        nodes: u64,
        /// The number of the last round of tie-breaks.
        stage: usize,
    },
    /// The value of each one's endgame, searched with so many nodes.
    Spreads {
        /// Of each deal.
        nodes: u64,
        /// The number of this round of tie-breaks, from 1.
        stage: usize,
    },
}

/// A piece of work on a candidate.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// What is done.
    pub work: Work,
    /// Chance, thousandths times weight, that the candidate must still be able to reach, or it is broken off.
    pub needed: u64,
    /// Sum of final leads, points times weight, that a candidate must be able to exceed for its spread to be of interest.
    pub beat: Option<i64>,
    /// By draw: how much weight it cost other candidates. The most costly draws are examined first.
    pub losses: &'a [u64],
    /// By draw: the opponent's placement that is tried first, from the last candidate that lost by it ([`Answer::refutation`]).
    pub refutations: &'a [Option<Placement>],
}

/// What a visit found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    /// By deal.
    pub results: Vec<Option<DealResult>>,
    /// The mean final lead, if it was worked out.
    pub spread: Option<MeanSpread>,
    /// Draws that are lost, each with a placement of the opponent that others are worth trying with ([`Answer::refutation`]).
    pub refutations: Vec<(usize, Placement)>,
    /// How it ended.
    pub end: VisitEnd,
    /// Plays generated and endgame positions searched.
    pub nodes: u64,
}

impl Visit {
    /// Counts an answer's nodes, and keeps what it may help others with.
    fn note_answer(&mut self, case: Case<'_>, answer: &Answer) {
        self.nodes += answer.nodes;
        if case.settled.seat != US {
            let draw = case.candidate.deals[case.at].draw;
            self.refutations.extend(answer.refutation.map(|refutation| (draw, refutation)));
        }
    }

    /// The candidate with what was found out so far.
    fn applied_to(&self, candidate: &PegCandidate) -> PegCandidate {
        PegCandidate { results: self.results.clone(), ..candidate.clone() }
    }

    /// Notes the mean final lead as it is expected after this round of tie-breaks (0: before the first), unless a later one has told it.
    fn note_mean(&mut self, candidate: &PegCandidate, stage: usize) {
        let mut spread = MeanSpread { stage, ..MeanSpread::default() };
        for (deal, result) in candidate.deals.iter().zip(&self.results) {
            if let Some(result) = result {
                spread.sum += deal.weight as i64 * i64::from(result.expected);
                spread.weight += deal.weight;
            }
        }
        if self.spread.is_none_or(|known| known.stage <= stage) {
            self.spread = Some(spread);
        }
    }
}

/// How a visit ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VisitEnd {
    /// Every deal was examined.
    Complete,
    /// The candidate cannot reach what it needs.
    Cut,
    /// It was not shown to be better than the leader.
    Kept,
    /// A signal came.
    Stopped,
}

/// A thread's memory.
pub struct PegWorker<'a> {
    context: &'a PegContext<'a>,
    player: LinePlayer<'a>,
    endgames: PegEndgames<'a>,
    quick: QuickPlayouts<'a>,
    /// The board, with the candidate on it while lines after it are played.
    lanes: LaneBoard,
    game: DealtGame,
}

impl<'a> PegWorker<'a> {
    /// A worker with a table of so many megabytes.
    pub fn new(context: &'a PegContext<'a>, knowledge: &'a Knowledge, hash_megabytes: usize) -> PegWorker<'a> {
        let eval = StaticEval::new(context.rules, knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves);
        let player = LinePlayer::new(context.rules, context.graph, eval, context.seed);
        let endgames = PegEndgames::new(context, hash_megabytes);
        let pool = context.rack.plus(&context.unseen);
        let quick = QuickPlayouts::new(context.rules, context.graph, &knowledge.evaluator.leaves, &context.lanes, &pool);
        PegWorker { context, player, endgames, quick, lanes: context.lanes.clone(), game: DealtGame::default() }
    }

    /// Carries out a task.
    pub fn visit(&mut self, candidate: &PegCandidate, task: &Task<'_>, signals: &Signals) -> Visit {
        self.player.forget();
        self.player.nodes = 0;
        self.endgames.solver.forget();
        // Only where tiles stay in the bag there are turns before the endgame.
        let is_quick = matches!(task.work, Work::QuickPlayouts { .. });
        let on_board = if candidate.is_modelled && !is_quick { candidate.play.play.placement() } else { None };
        if let Some(placement) = on_board {
            self.lanes.play(placement, self.context.graph);
            self.lanes.prepare(self.context.graph);
            self.lanes.learn_letters(self.context.graph);
        }
        let mut visit = Visit {
            results: candidate.results.clone(),
            spread: candidate.spread,
            refutations: Vec::new(),
            end: VisitEnd::Complete,
            nodes: 0,
        };
        match task.work {
            Work::Playouts { step } => self.play_out(candidate, task, step, &mut visit, signals),
            Work::QuickPlayouts { .. } => self.play_out_quickly(candidate, task, &mut visit, signals),
            Work::Signs { nodes, skill } => self.find_signs(candidate, task, (nodes, skill), &mut visit, signals),
            Work::Rivals { nodes, stage } => self.compare(candidate, task, (nodes, stage), &mut visit, signals),
            Work::Spreads { nodes, stage } => self.find_spreads(candidate, task, (nodes, stage), &mut visit, signals),
        }
        if on_board.is_some() {
            self.lanes.undo();
        }
        visit.nodes += self.player.nodes;
        visit
    }

    /// The game after the candidate, with these tiles in the bag.
    fn deal(&mut self, candidate: &PegCandidate, at: usize) {
        let context = self.context;
        let tiles = &candidate.deals[at].tiles;
        let in_bag: Rack = tiles.iter().copied().collect();
        let theirs = context.unseen.minus(&in_bag).expect("the bag is drawn from what is unseen");
        self.game.deal([context.rack, theirs], tiles, context.spread, context.zero_turns);
        self.player.take_turn(&mut self.game, US, &candidate.play);
    }

    /// Whether we cannot do better in this line than the model: all orders of the bag are dealt, and only the opponent chose.
    fn is_bounding(&self, settled: &LineEnd) -> bool {
        self.context.deals_all_orders() && !settled.had_turn
    }

    /// The proof on which a proved result of an endgame stands.
    fn proof_of(&self, case: Case<'_>) -> ProofStatus {
        if !case.candidate.is_modelled || self.is_bounding(case.settled) { ProofStatus::Proved } else { ProofStatus::Modelled }
    }

    fn play_out(&mut self, candidate: &PegCandidate, task: &Task<'_>, step: usize, visit: &mut Visit, signals: &Signals) {
        let is_wanted = |&at: &usize| candidate.deals[at].draw % step == SOME_DRAW % step && candidate.results[at].is_none();
        for at in order(candidate, task.losses).into_iter().filter(is_wanted) {
            if signals.is_stopped() {
                visit.end = VisitEnd::Stopped;
                return;
            }
            self.deal(candidate, at);
            let settled = self.player.settle(&mut self.lanes, &mut self.game, candidate.play.play == Play::Pass, Skill::Static);
            visit.results[at] = Some(DealResult::of_playout(self.endgames.play_out(Case { candidate, at, settled: &settled })));
            visit.nodes += 1;
        }
        visit.note_mean(candidate, 0);
    }

    fn play_out_quickly(&mut self, candidate: &PegCandidate, task: &Task<'_>, visit: &mut Visit, signals: &Signals) {
        visit.end = VisitEnd::Stopped;
        let is_ready = self.quick.begin(&candidate.play.play, &|| signals.is_stopped());
        let mut possible: u64 = candidate.deals.iter().map(|deal| deal.weight * CERTAIN).sum();
        for at in order(candidate, task.losses) {
            if !is_ready || signals.is_stopped() {
                break;
            }
            let result = candidate.results[at].unwrap_or_else(|| {
                self.deal(candidate, at);
                let game = &self.game;
                let played_out = if game.is_over() { game.spread() } else { self.quick.play_out(game, 1 - US) };
                visit.nodes += 1;
                DealResult::of_playout(played_out)
            });
            visit.results[at] = Some(result);
            possible -= candidate.deals[at].weight * (CERTAIN - result.chance());
            if possible < task.needed {
                visit.end = VisitEnd::Cut;
                break;
            }
        }
        if visit.results.iter().all(Option::is_some) {
            visit.end = VisitEnd::Complete;
            visit.note_mean(candidate, 0);
        }
    }

    /// The deals that are wanted, with how the game stands when the bag is empty; those with the same board side by side.
    fn settle(
        &mut self,
        candidate: &PegCandidate,
        task: &Task<'_>,
        skill: Skill,
        signals: &Signals,
        wanted: impl Fn(usize) -> bool,
    ) -> Option<Vec<(usize, LineEnd)>> {
        let passed = candidate.play.play == Play::Pass;
        let mut settled = Vec::new();
        for at in order(candidate, task.losses).into_iter().filter(|&at| wanted(at)) {
            if signals.is_stopped() {
                return None;
            }
            self.deal(candidate, at);
            settled.push((at, self.player.settle(&mut self.lanes, &mut self.game, passed, skill)));
        }
        // Stable: on one board the most costly draws stay first.
        settled.sort_by(|(_, a), (_, b)| a.placements.cmp(&b.placements));
        Some(settled)
    }

    fn find_signs(
        &mut self,
        candidate: &PegCandidate,
        task: &Task<'_>,
        (nodes, skill): (u64, Skill),
        visit: &mut Visit,
        signals: &Signals,
    ) {
        let is_done = |at: usize| candidate.results[at].is_some_and(|result| result.proof >= ProofStatus::Estimate { nodes });
        let chance = |at: usize| match candidate.results[at] {
            Some(result) if is_done(at) => result.chance(),
            _ => CERTAIN,
        };
        let mut possible: u64 = candidate.deals.iter().enumerate().map(|(at, deal)| deal.weight * chance(at)).sum();
        if possible < task.needed {
            visit.end = VisitEnd::Cut;
            return;
        }
        visit.end = VisitEnd::Stopped;
        let Some(settled) = self.settle(candidate, task, skill, signals, |at| !is_done(at)) else { return };
        for (at, settled) in &settled {
            let draw = candidate.deals[*at].draw;
            let case = Case { candidate, at: *at, settled };
            let answer = self.endgames.ask(case, Question::WhoWins, task.refutations[draw].as_ref(), nodes, signals);
            if signals.is_stopped() {
                return;
            }
            visit.note_answer(case, &answer);
            let known = candidate.results[*at];
            let (lead, bound) = answer.found.unwrap_or((known.map_or(0, |known| known.expected), Bound::Estimate));
            let outcome = bound.outcome(lead);
            // What the model's players do who are not informed is left to guesses.
            let is_final = skill == Skill::Informed || !candidate.is_modelled;
            let proof = match outcome {
                Some(_) if is_final || self.is_bounding(settled) => self.proof_of(case),
                _ => ProofStatus::Estimate { nodes },
            };
            let mut result = known.unwrap_or_else(|| DealResult::of_playout(lead));
            (result.outcome, result.proof) = (WinTieLoss::of(outcome.unwrap_or(lead)), proof);
            if is_final {
                let (least, most) = bound.range(lead);
                result.note(least, most, proof);
            }
            visit.results[*at] = Some(result);
            possible -= candidate.deals[*at].weight * (CERTAIN - result.chance());
            if possible < task.needed {
                visit.end = VisitEnd::Cut;
                return;
            }
        }
        visit.end = VisitEnd::Complete;
    }

    /// See [`Work::Rivals`].
    fn compare(&mut self, candidate: &PegCandidate, task: &Task<'_>, (nodes, stage): (u64, usize), visit: &mut Visit, signals: &Signals) {
        let beat = task.beat.expect("rivals are those of a leader whose spread is bounded");
        let may_be_level = candidate.half_wins_above(ProofStatus::Proved) * CERTAIN / 2 >= task.needed;
        if !may_be_level || candidate.most_sum(ProofStatus::Proved).is_some_and(|most| most <= beat) {
            visit.end = VisitEnd::Kept;
            return;
        }
        // What is expected to have a smaller share is shown to have one with the least effort.
        if candidate.is_modelled || candidate.chance() < task.needed {
            self.find_signs(candidate, task, (nodes, Skill::Informed), visit, signals);
        }
        if visit.end == VisitEnd::Complete {
            visit.end = VisitEnd::Stopped;
            let Some(settled) = self.settle(candidate, task, Skill::Informed, signals, |_| true) else { return };
            let Some(standing) = self.bound(candidate, task, (&settled, beat), nodes, visit, signals) else { return };
            visit.note_mean(candidate, 0);
            // What the model says of who is played on by it is no reason to prefer him to what is proved.
            if standing == Standing::Ahead && !candidate.is_modelled {
                self.find_signs(&visit.applied_to(candidate), task, (nodes, Skill::Informed), visit, signals);
                if visit.end == VisitEnd::Complete {
                    self.find_values(candidate, &settled, (nodes, stage), visit, signals);
                }
            } else {
                visit.end = VisitEnd::Kept;
            }
        }
        if visit.end == VisitEnd::Cut {
            visit.end = VisitEnd::Kept;
        }
    }

    /// See [`Work::Spreads`].
    fn find_spreads(
        &mut self,
        candidate: &PegCandidate,
        task: &Task<'_>,
        (nodes, stage): (u64, usize),
        visit: &mut Visit,
        signals: &Signals,
    ) {
        visit.end = VisitEnd::Stopped;
        let Some(settled) = self.settle(candidate, task, Skill::Informed, signals, |_| true) else { return };
        if let Some(beat) = task.beat {
            let Some(standing) = self.bound(candidate, task, (&settled, beat), nodes, visit, signals) else { return };
            visit.note_mean(candidate, 0);
            if standing == Standing::Behind {
                visit.end = VisitEnd::Complete;
                return;
            }
        }
        self.find_values(candidate, &settled, (nodes, stage), visit, signals);
    }

    /// Our final leads, as far as the endgames are searched, and their mean.
    fn find_values(
        &mut self,
        candidate: &PegCandidate,
        settled: &[(usize, LineEnd)],
        (nodes, stage): (u64, usize),
        visit: &mut Visit,
        signals: &Signals,
    ) {
        visit.end = VisitEnd::Stopped;
        for (at, settled) in settled {
            let mut result = visit.results[*at].unwrap_or_else(|| DealResult::of_playout(settled.spread));
            if !result.is_exact() {
                let case = Case { candidate, at: *at, settled };
                let found = self.endgames.enclose(case, result.expected, nodes, signals);
                if signals.is_stopped() {
                    return;
                }
                visit.nodes += found.nodes;
                result.note(found.least, found.most, self.proof_of(case));
                visit.results[*at] = Some(result);
            }
        }
        visit.note_mean(candidate, stage);
        visit.end = VisitEnd::Complete;
    }

    /// Where the sum of final leads is shown to stand beside `beat`. `None` if it was stopped.
    ///
    /// That needs no values: each deal may come above what is expected of it by its part of what all have to spare. One that comes higher, or
    /// is not answered, is asked about once more when the others have left it what they did not need.
    fn bound(
        &mut self,
        candidate: &PegCandidate,
        task: &Task<'_>,
        (settled, beat): (&[(usize, LineEnd)], i64),
        nodes: u64,
        visit: &mut Visit,
        signals: &Signals,
    ) -> Option<Standing> {
        if candidate.is_modelled && !settled.iter().all(|(_, settled)| self.is_bounding(settled)) {
            return Some(Standing::Open);
        }
        let weight = |at: usize| candidate.deals[at].weight as i64;
        let mut spare = beat;
        for (at, settled) in settled {
            let result = visit.results[*at].get_or_insert_with(|| {
                visit.nodes += 1;
                DealResult::of_playout(self.endgames.play_out(Case { candidate, at: *at, settled }))
            });
            spare -= weight(*at) * i64::from(result.expected);
        }
        let mut open_weight: i64 = settled.iter().map(|(at, _)| weight(*at)).sum();
        let mut queue: VecDeque<_> = settled.iter().map(|(at, settled)| (*at, settled, false)).collect();
        let mut is_one_unanswered = false;
        while let Some((at, settled, is_again)) = queue.pop_front() {
            let mut result = visit.results[at].expect("all deals were examined");
            let expected = result.expected;
            let allowed = expected + spare.div_euclid(open_weight) as i32;
            if result.most.is_none_or(|most| most > allowed) && result.least.is_none_or(|least| least <= allowed) {
                let case = Case { candidate, at, settled };
                let hint = task.refutations[candidate.deals[at].draw].as_ref();
                let answer = self.endgames.ask(case, Question::IsAtMost(allowed), hint, nodes, signals);
                if signals.is_stopped() {
                    return None;
                }
                visit.note_answer(case, &answer);
                let (least, most) = answer.found.map_or((None, None), |(lead, bound)| bound.range(lead));
                result.note(least, most, self.proof_of(case));
                visit.results[at] = Some(result);
                if (least, most) == (None, None) && std::mem::replace(&mut is_one_unanswered, true) {
                    return Some(Standing::Open);
                }
            }
            if let Some(most) = result.most.filter(|&most| most <= allowed) {
                spare -= weight(at) * i64::from(most - expected);
                open_weight -= weight(at);
            } else if is_again {
                return Some(if is_one_unanswered { Standing::Open } else { Standing::Ahead });
            } else {
                spare -= weight(at) * i64::from(result.expected - expected);
                queue.push_back((at, settled, true));
            }
        }
        Some(Standing::Behind)
    }
}

/// Where a candidate stands beside the leader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Standing {
    /// Proved to be no better.
    Behind,
    /// It was not found out.
    Open,
    /// Better, it seems.
    Ahead,
}

/// A candidate's deal, with how the game stands there when the bag is empty.
#[derive(Clone, Copy)]
struct Case<'a> {
    candidate: &'a PegCandidate,
    at: usize,
    settled: &'a LineEnd,
}

/// What is asked about a case.
#[derive(Clone, Copy)]
enum Question {
    /// The sign of our final lead.
    WhoWins,
    /// Whether our final lead is this or less.
    IsAtMost(i32),
}

/// A solver for the boards that may come of the position searched.
struct PegEndgames<'a> {
    context: &'a PegContext<'a>,
    solver: Solver,
}

impl<'a> PegEndgames<'a> {
    fn new(context: &'a PegContext<'a>, hash_megabytes: usize) -> PegEndgames<'a> {
        let mut solver = Solver::new(hash_megabytes);
        let pool = context.rack.plus(&context.unseen);
        solver.set_board(context.rules, context.lexicon, &context.lanes.to_board(), &pool);
        PegEndgames { context, solver }
    }

    /// Our final lead if both sides play greedily from here on.
    fn play_out(&mut self, case: Case<'_>) -> i32 {
        let settled = case.settled;
        if settled.is_over {
            return settled.spread;
        }
        let deal = self.begin(case);
        settled.spread + settled.turned(self.solver.play_out(&deal))
    }

    /// The answer, in which what is found is our final lead.
    fn ask(&mut self, case: Case<'_>, question: Question, hint: Option<&Placement>, nodes: u64, signals: &Signals) -> Answer {
        let settled = case.settled;
        if settled.is_over {
            return Answer { found: Some((settled.spread, Bound::Exact)), refutation: None, nodes: 0 };
        }
        let goal = match question {
            Question::WhoWins => Goal::FirstWin,
            Question::IsAtMost(most) if settled.seat == US => Goal::AtLeast(most + 1),
            Question::IsAtMost(most) => Goal::AtLeast(-most),
        };
        let deal = self.begin(case);
        let answer = self.solver.ask(&deal, goal, hint, nodes, signals);
        let ours = |(change, bound): (i32, Bound)| {
            let bound = if settled.seat == US { bound } else { bound.turned() };
            (settled.turned(settled.lead() + change), bound)
        };
        Answer { found: answer.found.map(ours), ..answer }
    }

    /// What is found from a guess on; it and the guess are our final lead.
    fn enclose(&mut self, case: Case<'_>, guess: i32, nodes: u64, signals: &Signals) -> Enclosed {
        let settled = case.settled;
        if settled.is_over {
            return Enclosed { least: Some(settled.spread), most: Some(settled.spread), nodes: 0 };
        }
        let deal = self.begin(case);
        let found = self.solver.enclose(&deal, settled.turned(guess) - settled.lead(), nodes, signals);
        let ours = |change: i32| settled.turned(settled.lead() + change);
        let (least, most) = if settled.seat == US { (found.least, found.most) } else { (found.most, found.least) };
        Enclosed { least: least.map(ours), most: most.map(ours), ..found }
    }

    /// Brings the solver to the board after a candidate and the placements behind it. The endgame there.
    fn begin(&mut self, case: Case<'_>) -> Deal {
        self.solver.go_to(case.candidate.play.play.placement().into_iter().chain(&case.settled.placements));
        deal(self.context, case)
    }
}

/// The endgame of a candidate's deal. With one tile in the bag, with what each side may hold over all draws: a tile more than its
/// rack. With more tiles it takes longer to find placements for all of them than it saves.
fn deal(context: &PegContext<'_>, Case { candidate, at, settled }: Case<'_>) -> Deal {
    let alone = Deal::new(settled.racks, settled.lead(), settled.passed);
    if context.in_bag > 1 {
        return alone;
    }
    let in_bag: Rack = candidate.deals[at].tiles.iter().copied().collect();
    let ours = settled.racks[usize::from(settled.seat != US)];
    // By seat: on the board searched, and after the line.
    let at_first = [context.rack.plus(&in_bag), context.unseen];
    let here = [ours, context.unseen];
    Deal { holdings: [at_first, here].map(|racks| [racks[settled.seat], racks[1 - settled.seat]]), ..alone }
}

/// The deals in the order in which they are examined: those expected to be lost first, then those that others lost.
fn order(candidate: &PegCandidate, losses: &[u64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..candidate.deals.len()).collect();
    let expected = |at: usize| candidate.results[at].map_or(WinTieLoss::Tie, |result| result.outcome);
    order.sort_by_key(|&at| (expected(at), std::cmp::Reverse((losses[candidate.deals[at].draw], candidate.deals[at].weight))));
    order
}
