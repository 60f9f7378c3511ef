//! What one stage finds out about one candidate: by playouts, or by searched endgames.
//!
//! A visit depends on the candidate, its task, and nothing else: not on the thread, nor on what the thread did before.

use crate::evaluation::StaticEval;
use crate::movegen::LaneBoard;
use crate::rules::{Placement, Play, Rack};
use crate::search::Knowledge;
use crate::search::budget::Signals;
use crate::search::dealt_game::DealtGame;
use crate::search::endgame::{Answer, BoardSolver, Bound, Enclosed, EndgameDeal, EndgameQuestion, QuickPlayouts, RackSupersets, Solver};
use crate::search::pre_endgame::Setting;
use crate::search::pre_endgame::candidate::{CERTAIN, Candidate, Finding, Ground, MeanSpread, Verdict};
use crate::search::pre_endgame::lines::{LinePlayer, Settled, Skill, US};
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
    pub findings: Vec<Option<Finding>>,
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
    fn applied_to(&self, candidate: &Candidate) -> Candidate {
        Candidate { findings: self.findings.clone(), ..candidate.clone() }
    }

    /// Notes the mean final lead as it is expected after this round of tie-breaks (0: before the first), unless a later one has told it.
    fn note_mean(&mut self, candidate: &Candidate, stage: usize) {
        let mut spread = MeanSpread { stage, ..MeanSpread::default() };
        for (deal, finding) in candidate.deals.iter().zip(&self.findings) {
            if let Some(finding) = finding {
                spread.sum += deal.weight as i64 * i64::from(finding.expected);
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
pub struct Worker<'a> {
    setting: &'a Setting<'a>,
    player: LinePlayer<'a>,
    endgames: Endgames<'a>,
    quick: QuickPlayouts<'a>,
    /// The board, with the candidate on it while lines after it are played.
    lanes: LaneBoard,
    game: DealtGame,
}

impl<'a> Worker<'a> {
    /// A worker with a table of so many megabytes.
    pub fn new(setting: &'a Setting<'a>, knowledge: &'a Knowledge, hash_megabytes: usize) -> Worker<'a> {
        let eval = StaticEval::new(setting.rules, knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves);
        let player = LinePlayer::new(setting.rules, setting.graph, eval, setting.seed);
        let endgames = Endgames::new(setting, hash_megabytes);
        let pool = setting.rack.plus(&setting.unseen);
        let quick = QuickPlayouts::new(setting.rules, setting.graph, &knowledge.evaluator.leaves, &setting.lanes, &pool);
        Worker { setting, player, endgames, quick, lanes: setting.lanes.clone(), game: DealtGame::default() }
    }

    /// Carries out a task.
    pub fn visit(&mut self, candidate: &Candidate, task: &Task<'_>, signals: &Signals) -> Visit {
        self.player.forget();
        self.player.nodes = 0;
        self.endgames.solver.forget();
        // Only where tiles stay in the bag there are turns before the endgame.
        let is_quick = matches!(task.work, Work::QuickPlayouts { .. });
        let on_board = if candidate.is_modelled && !is_quick { candidate.play.play.placement() } else { None };
        if let Some(placement) = on_board {
            self.lanes.play(placement, self.setting.graph);
            self.lanes.prepare(self.setting.graph);
            self.lanes.learn_letters(self.setting.graph);
        }
        let mut visit = Visit {
            findings: candidate.findings.clone(),
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
    fn deal(&mut self, candidate: &Candidate, at: usize) {
        let setting = self.setting;
        let tiles = &candidate.deals[at].tiles;
        let in_bag: Rack = tiles.iter().copied().collect();
        let theirs = setting.unseen.minus(&in_bag).expect("the bag is drawn from what is unseen");
        self.game.deal([setting.rack, theirs], tiles, setting.spread, setting.zero_turns);
        self.player.take_turn(&mut self.game, US, &candidate.play);
    }

    /// Whether we cannot do better in this line than the model: all orders of the bag are dealt, and only the opponent chose.
    fn is_bounding(&self, settled: &Settled) -> bool {
        self.setting.deals_all_orders() && !settled.had_turn
    }

    /// The ground on which a proved result of an endgame stands.
    fn ground_of(&self, case: Case<'_>) -> Ground {
        if !case.candidate.is_modelled || self.is_bounding(case.settled) { Ground::Proof } else { Ground::Model }
    }

    fn play_out(&mut self, candidate: &Candidate, task: &Task<'_>, step: usize, visit: &mut Visit, signals: &Signals) {
        let is_wanted = |&at: &usize| candidate.deals[at].draw % step == SOME_DRAW % step && candidate.findings[at].is_none();
        for at in order(candidate, task.losses).into_iter().filter(is_wanted) {
            if signals.is_stopped() {
                visit.end = VisitEnd::Stopped;
                return;
            }
            self.deal(candidate, at);
            let settled = self.player.settle(&mut self.lanes, &mut self.game, candidate.play.play == Play::Pass, Skill::Static);
            visit.findings[at] = Some(Finding::of_playout(self.endgames.play_out(Case { candidate, at, settled: &settled })));
            visit.nodes += 1;
        }
        visit.note_mean(candidate, 0);
    }

    fn play_out_quickly(&mut self, candidate: &Candidate, task: &Task<'_>, visit: &mut Visit, signals: &Signals) {
        visit.end = VisitEnd::Stopped;
        let is_ready = self.quick.begin(&candidate.play.play, &|| signals.is_stopped());
        let mut possible: u64 = candidate.deals.iter().map(|deal| deal.weight * CERTAIN).sum();
        for at in order(candidate, task.losses) {
            if !is_ready || signals.is_stopped() {
                break;
            }
            let finding = candidate.findings[at].unwrap_or_else(|| {
                self.deal(candidate, at);
                let game = &self.game;
                let played_out = if game.is_over() { game.spread() } else { self.quick.play_out(game, 1 - US) };
                visit.nodes += 1;
                Finding::of_playout(played_out)
            });
            visit.findings[at] = Some(finding);
            possible -= candidate.deals[at].weight * (CERTAIN - finding.chance());
            if possible < task.needed {
                visit.end = VisitEnd::Cut;
                break;
            }
        }
        if visit.findings.iter().all(Option::is_some) {
            visit.end = VisitEnd::Complete;
            visit.note_mean(candidate, 0);
        }
    }

    /// The deals that are wanted, with how the game stands when the bag is empty; those with the same board side by side.
    fn settle(
        &mut self,
        candidate: &Candidate,
        task: &Task<'_>,
        skill: Skill,
        signals: &Signals,
        wanted: impl Fn(usize) -> bool,
    ) -> Option<Vec<(usize, Settled)>> {
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

    fn find_signs(&mut self, candidate: &Candidate, task: &Task<'_>, (nodes, skill): (u64, Skill), visit: &mut Visit, signals: &Signals) {
        let is_done = |at: usize| candidate.findings[at].is_some_and(|finding| finding.ground >= Ground::Estimate { nodes });
        let chance = |at: usize| match candidate.findings[at] {
            Some(finding) if is_done(at) => finding.chance(),
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
            let known = candidate.findings[*at];
            let (lead, bound) = answer.found.unwrap_or((known.map_or(0, |known| known.expected), Bound::Estimate));
            let outcome = bound.outcome(lead);
            // What the model's players do who are not informed is left to guesses.
            let is_final = skill == Skill::Informed || !candidate.is_modelled;
            let ground = match outcome {
                Some(_) if is_final || self.is_bounding(settled) => self.ground_of(case),
                _ => Ground::Estimate { nodes },
            };
            let mut finding = known.unwrap_or_else(|| Finding::of_playout(lead));
            (finding.verdict, finding.ground) = (Verdict::of(outcome.unwrap_or(lead)), ground);
            if is_final {
                let (least, most) = bound.range(lead);
                finding.note(least, most, ground);
            }
            visit.findings[*at] = Some(finding);
            possible -= candidate.deals[*at].weight * (CERTAIN - finding.chance());
            if possible < task.needed {
                visit.end = VisitEnd::Cut;
                return;
            }
        }
        visit.end = VisitEnd::Complete;
    }

    /// See [`Work::Rivals`].
    fn compare(&mut self, candidate: &Candidate, task: &Task<'_>, (nodes, stage): (u64, usize), visit: &mut Visit, signals: &Signals) {
        let beat = task.beat.expect("rivals are those of a leader whose spread is bounded");
        let may_be_level = candidate.half_wins_above(Ground::Proof) * CERTAIN / 2 >= task.needed;
        if !may_be_level || candidate.most_sum(Ground::Proof).is_some_and(|most| most <= beat) {
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
    fn find_spreads(&mut self, candidate: &Candidate, task: &Task<'_>, (nodes, stage): (u64, usize), visit: &mut Visit, signals: &Signals) {
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
        candidate: &Candidate,
        settled: &[(usize, Settled)],
        (nodes, stage): (u64, usize),
        visit: &mut Visit,
        signals: &Signals,
    ) {
        visit.end = VisitEnd::Stopped;
        for (at, settled) in settled {
            let mut finding = visit.findings[*at].unwrap_or_else(|| Finding::of_playout(settled.spread));
            if !finding.is_exact() {
                let case = Case { candidate, at: *at, settled };
                let found = self.endgames.enclose(case, finding.expected, nodes, signals);
                if signals.is_stopped() {
                    return;
                }
                visit.nodes += found.nodes;
                finding.note(found.least, found.most, self.ground_of(case));
                visit.findings[*at] = Some(finding);
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
        candidate: &Candidate,
        task: &Task<'_>,
        (settled, beat): (&[(usize, Settled)], i64),
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
            let finding = visit.findings[*at].get_or_insert_with(|| {
                visit.nodes += 1;
                Finding::of_playout(self.endgames.play_out(Case { candidate, at: *at, settled }))
            });
            spare -= weight(*at) * i64::from(finding.expected);
        }
        let mut open_weight: i64 = settled.iter().map(|(at, _)| weight(*at)).sum();
        let mut queue: VecDeque<_> = settled.iter().map(|(at, settled)| (*at, settled, false)).collect();
        let mut is_one_unanswered = false;
        while let Some((at, settled, is_again)) = queue.pop_front() {
            let mut finding = visit.findings[at].expect("all deals were examined");
            let expected = finding.expected;
            let allowed = expected + spare.div_euclid(open_weight) as i32;
            if finding.most.is_none_or(|most| most > allowed) && finding.least.is_none_or(|least| least <= allowed) {
                let case = Case { candidate, at, settled };
                let hint = task.refutations[candidate.deals[at].draw].as_ref();
                let answer = self.endgames.ask(case, Question::IsAtMost(allowed), hint, nodes, signals);
                if signals.is_stopped() {
                    return None;
                }
                visit.note_answer(case, &answer);
                let (least, most) = answer.found.map_or((None, None), |(lead, bound)| bound.range(lead));
                finding.note(least, most, self.ground_of(case));
                visit.findings[at] = Some(finding);
                if (least, most) == (None, None) && std::mem::replace(&mut is_one_unanswered, true) {
                    return Some(Standing::Open);
                }
            }
            if let Some(most) = finding.most.filter(|&most| most <= allowed) {
                spare -= weight(at) * i64::from(most - expected);
                open_weight -= weight(at);
            } else if is_again {
                return Some(if is_one_unanswered { Standing::Open } else { Standing::Ahead });
            } else {
                spare -= weight(at) * i64::from(finding.expected - expected);
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
    candidate: &'a Candidate,
    at: usize,
    settled: &'a Settled,
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
struct Endgames<'a> {
    setting: &'a Setting<'a>,
    solver: BoardSolver,
}

impl<'a> Endgames<'a> {
    fn new(setting: &'a Setting<'a>, hash_megabytes: usize) -> Endgames<'a> {
        let pool = setting.rack.plus(&setting.unseen);
        let solver = Solver::new(hash_megabytes).on(setting.rules, setting.lexicon, &setting.lanes.to_board(), &pool);
        Endgames { setting, solver }
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
        let question = match question {
            Question::WhoWins => EndgameQuestion::WhoWins,
            Question::IsAtMost(most) if settled.seat == US => EndgameQuestion::IsAtLeast(most + 1),
            Question::IsAtMost(most) => EndgameQuestion::IsAtLeast(-most),
        };
        let deal = self.begin(case);
        let answer = self.solver.ask(&deal, question, hint, nodes, signals);
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
    fn begin(&mut self, case: Case<'_>) -> EndgameDeal {
        self.solver.go_to(case.candidate.play.play.placement().into_iter().chain(&case.settled.placements));
        deal(self.setting, case)
    }
}

/// The endgame of a candidate's deal. With one tile in the bag, with what each side may hold over all draws: a tile more than its
/// rack. With more tiles it takes longer to find placements for all of them than it saves.
fn deal(setting: &Setting<'_>, Case { candidate, at, settled }: Case<'_>) -> EndgameDeal {
    let alone = EndgameDeal::new(settled.racks, settled.lead(), settled.passed);
    if setting.in_bag > 1 {
        return alone;
    }
    let in_bag: Rack = candidate.deals[at].tiles.iter().copied().collect();
    let ours = settled.racks[usize::from(settled.seat != US)];
    // By seat: on the board searched, and after the line.
    let at_first = [setting.rack.plus(&in_bag), setting.unseen];
    let here = [ours, setting.unseen];
    let [on_first_board, here] = [at_first, here].map(|racks| [racks[settled.seat], racks[1 - settled.seat]]);
    EndgameDeal { supersets: RackSupersets { on_first_board, here }, ..alone }
}

/// The deals in the order in which they are examined: those expected to be lost first, then those that others lost.
fn order(candidate: &Candidate, losses: &[u64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..candidate.deals.len()).collect();
    let expected = |at: usize| candidate.findings[at].map_or(Verdict::Tie, |finding| finding.verdict);
    order.sort_by_key(|&at| (expected(at), std::cmp::Reverse((losses[candidate.deals[at].draw], candidate.deals[at].weight))));
    order
}
