//! What one stage finds out about one candidate: by playouts, or by searched endgames.
//!
//! A visit depends on the candidate, its task, and nothing else: not on the thread, nor on what the thread did before.

use crate::evaluation::StaticEval;
use crate::movegen::LaneBoard;
use crate::rules::{Placement, Play, Rack};
use crate::search::Knowledge;
use crate::search::budget::Signals;
use crate::search::dealt_game::DealtGame;
use crate::search::endgame::{Answer, Bound, Deal, Goal, QuickPlayouts, Solver};
use crate::search::pre_endgame::Setting;
use crate::search::pre_endgame::candidate::{CERTAIN, Candidate, Finding, Ground, MeanSpread, Verdict};
use crate::search::pre_endgame::lines::{LinePlayer, Settled, Skill, US};

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
    /// The sum of final leads, points times weight, is proved to be this or less.
    pub most_spread: Option<i64>,
    /// Draws that are lost, each with a placement of the opponent that others are worth trying with ([`Answer::refutation`]).
    pub refutations: Vec<(usize, Placement)>,
    /// How it ended.
    pub end: VisitEnd,
    /// Plays generated and endgame positions searched.
    pub nodes: u64,
}

impl Visit {
    /// The mean final lead of the playouts so far, where endgames have not told a better one.
    fn note_mean_of_playouts(&mut self, candidate: &Candidate) {
        let mut spread = MeanSpread::default();
        for (deal, finding) in candidate.deals.iter().zip(&self.findings) {
            if let Some(finding) = finding {
                spread.sum += deal.weight as i64 * i64::from(finding.played_out);
                spread.weight += deal.weight;
            }
        }
        if self.spread.is_none_or(|known| known.stage == 0) {
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
            most_spread: candidate.most_spread,
            refutations: Vec::new(),
            end: VisitEnd::Complete,
            nodes: 0,
        };
        match task.work {
            Work::Playouts { step } => self.play_out(candidate, task, step, &mut visit, signals),
            Work::QuickPlayouts { .. } => self.play_out_quickly(candidate, task, &mut visit, signals),
            Work::Signs { nodes, skill } => self.find_signs(candidate, task, (nodes, skill), &mut visit, signals),
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

    fn play_out(&mut self, candidate: &Candidate, task: &Task<'_>, step: usize, visit: &mut Visit, signals: &Signals) {
        let is_wanted = |&at: &usize| candidate.deals[at].draw % step == SOME_DRAW % step && candidate.findings[at].is_none();
        for at in order(candidate, task.losses).into_iter().filter(is_wanted) {
            if signals.is_stopped() {
                visit.end = VisitEnd::Stopped;
                return;
            }
            self.deal(candidate, at);
            let settled = self.player.settle(&mut self.lanes, &mut self.game, candidate.play.play == Play::Pass, Skill::Static);
            visit.findings[at] = Some(Finding::of_playout(self.endgames.play_out(candidate, at, &settled)));
            visit.nodes += 1;
        }
        visit.note_mean_of_playouts(candidate);
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
            visit.note_mean_of_playouts(candidate);
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
            let answer = self.endgames.ask(candidate, *at, settled, task.refutations[draw].as_ref(), nodes, signals);
            if signals.is_stopped() {
                return;
            }
            visit.nodes += answer.nodes;
            if settled.seat != US {
                visit.refutations.extend(answer.refutation.map(|refutation| (draw, refutation)));
            }
            let played_out = candidate.findings[*at].map_or(0, |finding| finding.played_out);
            let outcome = answer.found.and_then(|(change, bound)| bound.outcome(settled.lead() + change));
            let expected = answer.found.map_or(played_out, |(change, _)| settled.turned(settled.lead() + change));
            let verdict = Verdict::of(outcome.map_or(expected, |outcome| settled.turned(outcome)));
            let ground = match outcome {
                Some(_) if !candidate.is_modelled || self.is_bounding(settled) => Ground::Proof,
                Some(_) if skill == Skill::Informed => Ground::Model,
                _ => Ground::Estimate { nodes },
            };
            let finding = Finding { verdict, ground, played_out, spread: None };
            visit.findings[*at] = Some(finding);
            possible -= candidate.deals[*at].weight * (CERTAIN - finding.chance());
            if possible < task.needed {
                visit.end = VisitEnd::Cut;
                return;
            }
        }
        visit.end = VisitEnd::Complete;
    }

    fn find_spreads(&mut self, candidate: &Candidate, task: &Task<'_>, (nodes, stage): (u64, usize), visit: &mut Visit, signals: &Signals) {
        visit.end = VisitEnd::Stopped;
        let Some(settled) = self.settle(candidate, task, Skill::Informed, signals, |_| true) else { return };
        if let Some(beat) = task.beat {
            let Some(is_behind) = self.is_behind(candidate, &settled, beat, nodes, visit, signals) else { return };
            if is_behind {
                visit.most_spread = Some(visit.most_spread.map_or(beat, |most| most.min(beat)));
                visit.end = VisitEnd::Complete;
                return;
            }
        }
        let mut mean = MeanSpread { stage, ..MeanSpread::default() };
        for (at, settled) in &settled {
            let known = visit.findings[*at].and_then(|finding| finding.spread);
            let Some(spread) = known.or_else(|| self.find_spread(candidate, *at, settled, nodes, visit, signals)) else { return };
            let weight = candidate.deals[*at].weight;
            mean.sum += weight as i64 * i64::from(spread);
            mean.weight += weight;
        }
        mean.is_proved = visit.findings.iter().all(|finding| finding.is_some_and(|finding| finding.spread.is_some()));
        visit.spread = Some(mean);
        visit.end = VisitEnd::Complete;
    }

    /// Our final lead after a deal, as far as the endgame is searched; noted if it is proved. `None` if it was stopped.
    fn find_spread(
        &mut self,
        candidate: &Candidate,
        at: usize,
        settled: &Settled,
        nodes: u64,
        visit: &mut Visit,
        signals: &Signals,
    ) -> Option<i32> {
        let answer = self.endgames.find_value(candidate, at, settled, nodes, signals);
        if signals.is_stopped() {
            return None;
        }
        visit.nodes += answer.nodes;
        let (change, bound) = answer.found?;
        let spread = settled.turned(change + settled.lead());
        if bound == Bound::Exact {
            let is_fact = !candidate.is_modelled || self.is_bounding(settled);
            let ground = if is_fact { Ground::Proof } else { Ground::Model };
            let verdict = Verdict::of(spread);
            visit.findings[at] = Some(Finding { verdict, ground, played_out: spread, spread: Some(spread) });
        }
        Some(spread)
    }

    /// Whether the sum of final leads is shown to be no more than `beat`. `None` if it was stopped.
    ///
    /// That needs no values: each deal may come above what is expected of it by its part of what all have to spare.
    fn is_behind(
        &mut self,
        candidate: &Candidate,
        settled: &[(usize, Settled)],
        beat: i64,
        nodes: u64,
        visit: &mut Visit,
        signals: &Signals,
    ) -> Option<bool> {
        if candidate.is_modelled {
            return Some(false);
        }
        if candidate.most_spread.is_some_and(|most| most <= beat) {
            return Some(true);
        }
        let weight = |at: usize| candidate.deals[at].weight as i64;
        // The value where it is known, or what is expected of it.
        let expected = |at: usize| candidate.findings[at].map_or(0, |finding| finding.spread.unwrap_or(finding.played_out));
        let is_open = |at: usize| candidate.findings[at].is_none_or(|finding| finding.spread.is_none());
        let mut spare = beat - settled.iter().map(|(at, _)| weight(*at) * i64::from(expected(*at))).sum::<i64>();
        let open: Vec<_> = settled.iter().filter(|(at, _)| is_open(*at)).collect();
        let mut open_weight: i64 = open.iter().map(|(at, _)| weight(*at)).sum();
        for (at, settled) in open {
            if spare < 0 {
                return Some(false);
            }
            let allowed = expected(*at) + (spare / open_weight) as i32;
            let answer = self.endgames.ask_whether_at_most(candidate, *at, settled, allowed, nodes, signals);
            visit.nodes += answer.nodes;
            let most = match answer.found {
                _ if signals.is_stopped() => return None,
                Some((lead, Bound::AtMost | Bound::Exact)) => lead,
                _ => return Some(false),
            };
            spare -= weight(*at) * i64::from(most - expected(*at));
            open_weight -= weight(*at);
        }
        Some(spare >= 0)
    }
}

/// A solver for the boards that may come of the position searched.
struct Endgames<'a> {
    setting: &'a Setting<'a>,
    solver: Solver,
}

impl<'a> Endgames<'a> {
    fn new(setting: &'a Setting<'a>, hash_megabytes: usize) -> Endgames<'a> {
        let mut solver = Solver::new(hash_megabytes);
        let pool = setting.rack.plus(&setting.unseen);
        solver.set_board(setting.rules, setting.lexicon, &setting.lanes.to_board(), &pool);
        Endgames { setting, solver }
    }

    /// Our final lead if both sides play greedily from here on.
    fn play_out(&mut self, candidate: &Candidate, at: usize, settled: &Settled) -> i32 {
        if settled.is_over {
            return settled.spread;
        }
        let deal = self.begin(candidate, at, settled);
        settled.spread + settled.turned(self.solver.play_out(&deal))
    }

    /// Who wins.
    fn ask(
        &mut self,
        candidate: &Candidate,
        at: usize,
        settled: &Settled,
        hint: Option<&Placement>,
        nodes: u64,
        signals: &Signals,
    ) -> Answer {
        if settled.is_over {
            return Answer { found: Some((0, Bound::Exact)), refutation: None, nodes: 0 };
        }
        let deal = self.begin(candidate, at, settled);
        self.solver.ask(&deal, Goal::FirstWin, hint, nodes, signals)
    }

    /// Whether our final lead is at most this; what is found is our final lead.
    fn ask_whether_at_most(
        &mut self,
        candidate: &Candidate,
        at: usize,
        settled: &Settled,
        most: i32,
        nodes: u64,
        signals: &Signals,
    ) -> Answer {
        if settled.is_over {
            return Answer { found: Some((settled.spread, Bound::Exact)), refutation: None, nodes: 0 };
        }
        let deal = self.begin(candidate, at, settled);
        let least = if settled.seat == US { most + 1 } else { -most };
        let answer = self.solver.ask(&deal, Goal::AtLeast(least), None, nodes, signals);
        let ours = |(change, bound): (i32, Bound)| {
            let bound = if settled.seat == US { bound } else { bound.turned() };
            (settled.turned(settled.lead() + change), bound)
        };
        Answer { found: answer.found.map(ours), ..answer }
    }

    /// By how much.
    fn find_value(&mut self, candidate: &Candidate, at: usize, settled: &Settled, nodes: u64, signals: &Signals) -> Answer {
        if settled.is_over {
            return Answer { found: Some((0, Bound::Exact)), refutation: None, nodes: 0 };
        }
        let expected = candidate.findings[at].map_or(settled.spread, |finding| finding.spread.unwrap_or(finding.played_out));
        let deal = self.begin(candidate, at, settled);
        self.solver.find_value(&deal, settled.turned(expected) - settled.lead(), nodes, signals)
    }

    /// Brings the solver to the board after a candidate and the placements behind it. The endgame there.
    fn begin(&mut self, candidate: &Candidate, at: usize, settled: &Settled) -> Deal {
        self.solver.go_to(candidate.play.play.placement().into_iter().chain(&settled.placements));
        deal(self.setting, candidate, at, settled)
    }
}

/// The endgame of a candidate's deal. With one tile in the bag, with what each side may hold over all draws: a tile more than its
/// rack. With more tiles it takes longer to find placements for all of them than it saves.
fn deal(setting: &Setting<'_>, candidate: &Candidate, at: usize, settled: &Settled) -> Deal {
    let alone = Deal::new(settled.racks, settled.lead(), settled.passed);
    if setting.in_bag > 1 {
        return alone;
    }
    let in_bag: Rack = candidate.deals[at].tiles.iter().copied().collect();
    let ours = settled.racks[usize::from(settled.seat != US)];
    // By seat: on the board searched, and after the line.
    let at_first = [setting.rack.plus(&in_bag), setting.unseen];
    let here = [ours, setting.unseen];
    Deal { holdings: [at_first, here].map(|racks| [racks[settled.seat], racks[1 - settled.seat]]), ..alone }
}

/// The deals in the order in which they are examined: those expected to be lost first, then those that others lost.
fn order(candidate: &Candidate, losses: &[u64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..candidate.deals.len()).collect();
    let expected = |at: usize| candidate.findings[at].map_or(Verdict::Tie, |finding| finding.verdict);
    order.sort_by_key(|&at| (expected(at), std::cmp::Reverse((losses[candidate.deals[at].draw], candidate.deals[at].weight))));
    order
}
