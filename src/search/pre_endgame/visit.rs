//! What one stage finds out about one candidate: by playouts, or by searched endgames.
//!
//! A visit depends on the candidate, its task, and nothing else: not on the thread, nor on what the thread did before.

use crate::movegen::LaneBoard;
use crate::rules::{Placement, Play, Rack};
use crate::search::Knowledge;
use crate::search::budget::Signals;
use crate::search::dealt_game::DealtGame;
use crate::search::endgame::{Bound, Deal, Goal, Limits, Playouts, Solution, Solver};
use crate::search::pre_endgame::Setting;
use crate::search::pre_endgame::candidate::{Candidate, Finding, Ground, MeanSpread, Verdict};
use crate::search::pre_endgame::lines::{LinePlayer, Settled, Skill, US};

/// What is done for a candidate's deals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Greedy playouts of all deals.
    Playouts,
    /// The sign of each one's endgame, searched with so many nodes.
    Signs {
        /// Of each deal.
        nodes: u64,
        /// How the players choose while there are tiles in the bag.
        skill: Skill,
    },
    /// The proof, with so many nodes for each endgame, that the mean final lead is no greater than that of the candidate ranked
    /// first; if it seems to be, the value of each one's endgame.
    Bounds {
        /// Of each deal.
        nodes: u64,
        /// The number of this round of tie-breaks, from 1.
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
    /// Half wins, times weight, that the candidate must still be able to reach, or it is broken off.
    pub needed: u64,
    /// The final lead of the candidate ranked first, times weight, and its play.
    pub leader: (i64, Play),
    /// Plays generated and endgame positions searched after which it is broken off.
    pub most_nodes: u64,
    /// By draw: how much weight it cost other candidates. The most costly draws are examined first.
    pub losses: &'a [u64],
}

/// What a visit found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    /// By deal.
    pub findings: Vec<Option<Finding>>,
    /// The mean final lead, if it was worked out.
    pub spread: Option<MeanSpread>,
    /// How it ended.
    pub end: VisitEnd,
    /// Plays generated and endgame positions searched.
    pub nodes: u64,
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
    endgames: Endgames,
    game: DealtGame,
}

impl<'a> Worker<'a> {
    /// A worker with a table of so many megabytes.
    pub fn new(setting: &'a Setting<'a>, knowledge: &'a Knowledge, hash_megabytes: usize) -> Worker<'a> {
        let pool = setting.rack.plus(&setting.unseen);
        let playouts = Playouts::new(setting.rules, setting.graph, &knowledge.evaluator.leaves, &setting.lanes, &pool);
        let player = LinePlayer::new(setting.rules, playouts, setting.seed);
        Worker { setting, player, endgames: Endgames::new(hash_megabytes), game: DealtGame::default() }
    }

    /// Carries out a task, and tells when something was done.
    pub fn visit(&mut self, candidate: &Candidate, task: &Task<'_>, signals: &Signals, tell: &mut dyn FnMut()) -> Visit {
        self.player.forget();
        self.player.playouts.nodes = 0;
        if let Some(placement) = candidate.play.play.placement() {
            self.player.playouts.play(placement);
        }
        let mut visit = Visit { findings: candidate.findings.clone(), spread: candidate.spread, end: VisitEnd::Complete, nodes: 0 };
        match task.work {
            Work::Playouts => self.play_out(candidate, task, &mut visit, signals),
            Work::Signs { nodes, skill } => self.find_signs(candidate, task, (nodes, skill), &mut visit, (signals, tell)),
            Work::Spreads { nodes, stage } => self.find_spreads(candidate, task, (nodes, stage), &mut visit, (signals, tell)),
            Work::Bounds { nodes, stage } => self.find_bounds(candidate, task, (nodes, stage), &mut visit, (signals, tell)),
        }
        if candidate.play.play.placement().is_some() {
            self.player.playouts.undo();
        }
        visit.nodes += self.player.playouts.nodes;
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

    /// Whether what is proved of this line's endgame is true whatever the players do before: an upper bound at least.
    fn is_fact(&self, candidate: &Candidate, settled: &Settled) -> bool {
        !candidate.is_modelled || self.is_bounding(settled)
    }

    /// Asks the solver; `None` if a signal or the limit of nodes came before its answer.
    #[expect(clippy::too_many_arguments, reason = "a question in its place")]
    fn solve(
        &mut self,
        candidate: &Candidate,
        task: &Task<'_>,
        settled: &Settled,
        goal: Goal,
        nodes: u64,
        visit: &mut Visit,
        signals: &Signals,
    ) -> Option<Solution> {
        let left = task.most_nodes.saturating_sub(visit.nodes + self.player.playouts.nodes);
        let nodes = nodes.min(left);
        let solution = self.endgames.solve(self.setting, self.player.playouts.board(), (candidate, settled), goal, nodes, signals);
        visit.nodes += solution.nodes;
        (!signals.is_stopped() && (solution.nodes < left || solution.solved)).then_some(solution)
    }

    fn play_out(&mut self, candidate: &Candidate, task: &Task<'_>, visit: &mut Visit, signals: &Signals) {
        let order = order(candidate, task.losses);
        let mut spread = MeanSpread::default();
        let mut possible: u64 = order.iter().map(|&at| 2 * candidate.deals[at].weight).sum();
        for at in order {
            if signals.is_stopped() || self.player.playouts.nodes >= task.most_nodes {
                visit.end = VisitEnd::Stopped;
                return;
            }
            self.deal(candidate, at);
            let points = self.player.play_out(&self.game, 1 - US);
            let weight = candidate.deals[at].weight;
            let verdict = Verdict::of(points);
            visit.findings[at] =
                Some(Finding { verdict, ground: Ground::Estimate { nodes: 0 }, spread: None, most: None, expected: points });
            spread.sum += weight as i64 * i64::from(points);
            spread.weight += weight;
            possible -= weight * (2 - verdict.half_wins());
            if possible < task.needed {
                visit.end = VisitEnd::Cut;
                return;
            }
        }
        visit.spread = Some(spread);
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
            if signals.is_stopped() || self.player.playouts.nodes >= task.most_nodes {
                return None;
            }
            self.deal(candidate, at);
            settled.push((at, self.player.settle(&mut self.game, passed, skill)));
        }
        // Stable: on one board the most costly draws stay first.
        settled.sort_by(|(_, a), (_, b)| a.placements.cmp(&b.placements));
        Some(settled)
    }

    fn find_signs(
        &mut self,
        candidate: &Candidate,
        task: &Task<'_>,
        (nodes, skill): (u64, Skill),
        visit: &mut Visit,
        (signals, tell): (&Signals, &mut dyn FnMut()),
    ) {
        let is_done = |at: usize| candidate.findings[at].is_some_and(|finding| finding.ground >= Ground::Estimate { nodes });
        let worth = |at: usize| match candidate.findings[at] {
            Some(finding) if is_done(at) => finding.verdict.half_wins(),
            _ => 2,
        };
        let mut possible: u64 = candidate.deals.iter().enumerate().map(|(at, deal)| deal.weight * worth(at)).sum();
        if possible < task.needed {
            visit.end = VisitEnd::Cut;
            return;
        }
        visit.end = VisitEnd::Stopped;
        let Some(settled) = self.settle(candidate, task, skill, signals, |at| !is_done(at)) else { return };
        self.endgames.forget();
        for (at, settled) in &settled {
            let Some(solution) = self.solve(candidate, task, settled, Goal::FirstWin, nodes, visit, signals) else { return };
            tell();
            let last = solution.value + settled.lead();
            let mover = solution.outcome(settled.lead()).map_or(Verdict::of(last), Verdict::of);
            let verdict = if settled.seat == US { mover } else { mover.reversed() };
            let ground = match solution.outcome(settled.lead()) {
                Some(_) if self.is_fact(candidate, settled) => Ground::Proof,
                Some(_) if skill == Skill::Informed => Ground::Model,
                _ => Ground::Estimate { nodes },
            };
            let known = candidate.findings[*at];
            let most = if self.is_fact(candidate, settled) { most(&solution, settled) } else { None };
            let most = known.and_then(|known| known.most).into_iter().chain(most).min();
            let expected = known.map_or(if settled.seat == US { last } else { -last }, |known| known.expected);
            visit.findings[*at] = Some(Finding { verdict, ground, spread: known.and_then(|known| known.spread), most, expected });
            possible -= candidate.deals[*at].weight * (2 - verdict.half_wins());
            if possible < task.needed {
                visit.end = VisitEnd::Cut;
                return;
            }
        }
        visit.end = VisitEnd::Complete;
    }

    fn find_spreads(
        &mut self,
        candidate: &Candidate,
        task: &Task<'_>,
        (nodes, stage): (u64, usize),
        visit: &mut Visit,
        (signals, tell): (&Signals, &mut dyn FnMut()),
    ) {
        visit.end = VisitEnd::Stopped;
        let Some(settled) = self.settle(candidate, task, Skill::Informed, signals, |_| true) else { return };
        self.endgames.forget();
        let mut mean = MeanSpread { stage, ..MeanSpread::default() };
        for (at, settled) in &settled {
            let known = candidate.findings[*at].and_then(|finding| finding.spread);
            let spread = match known {
                Some(spread) => spread,
                None => {
                    let Some(solution) = self.solve(candidate, task, settled, Goal::Spread, nodes, visit, signals) else { return };
                    tell();
                    let mover = solution.value + settled.lead();
                    let spread = if settled.seat == US { mover } else { -mover };
                    if solution.bound == Bound::Exact {
                        let is_fact = self.is_fact(candidate, settled);
                        let (ground, most) = if is_fact { (Ground::Proof, Some(spread)) } else { (Ground::Model, None) };
                        let verdict = Verdict::of(spread);
                        visit.findings[*at] = Some(Finding { verdict, ground, spread: Some(spread), most, expected: spread });
                    } else if let Some(finding) = &mut visit.findings[*at] {
                        finding.expected = spread;
                    }
                    spread
                }
            };
            let weight = candidate.deals[*at].weight;
            mean.sum += weight as i64 * i64::from(spread);
            mean.weight += weight;
        }
        mean.is_proved =
            !candidate.is_modelled && visit.findings.iter().all(|finding| finding.is_some_and(|finding| finding.spread.is_some()));
        visit.spread = Some(mean);
        visit.end = VisitEnd::Complete;
    }

    /// Shows that the candidate's mean final lead is no greater than the leader's: an upper bound for each deal, as loose as the
    /// sum allows.
    fn find_bounds(
        &mut self,
        candidate: &Candidate,
        task: &Task<'_>,
        (nodes, stage): (u64, usize),
        visit: &mut Visit,
        (signals, tell): (&Signals, &mut dyn FnMut()),
    ) {
        let (leading, leader) = task.leader;
        let is_behind =
            candidate.half_wins_above(Ground::Proof) < task.needed || candidate.most_spread().is_some_and(|most| most <= leading);
        if candidate.play.play == leader || is_behind {
            return;
        }
        visit.end = VisitEnd::Stopped;
        let Some(settled) = self.settle(candidate, task, Skill::Informed, signals, |_| true) else { return };
        self.endgames.forget();
        let mut bounds = Bounds::new(candidate, leading);
        // A draw that is not won may be enough; those that are expected not to be come first.
        let mut possible = candidate.half_wins_above(Ground::Proof);
        for (at, settled) in &settled {
            let is_open = bounds.expected[*at] <= 0 && bounds.most[*at].is_none_or(|most| most > 0);
            if possible < task.needed || !is_open || !self.is_fact(candidate, settled) {
                continue;
            }
            let goal = if settled.seat == US { Goal::AtLeast(1) } else { Goal::AtLeast(0) };
            let Some(solution) = self.solve(candidate, task, settled, goal, nodes, visit, signals) else { return };
            tell();
            if let Some(most) = most(&solution, settled) {
                bounds.most[*at] = Some(most);
                possible -= candidate.deals[*at].weight * (2 - Verdict::of(most).half_wins());
            }
        }
        if possible < task.needed {
            bounds.keep(&mut visit.findings);
            visit.end = VisitEnd::Complete;
            return;
        }
        if bounds.slack() < 0 {
            bounds.loosen();
        }
        'deals: for (at, settled) in &settled {
            if !self.is_fact(candidate, settled) {
                break;
            }
            for _ in 0..ATTEMPTS {
                let Some(target) = bounds.target(*at) else { break };
                let goal = if settled.seat == US { Goal::AtLeast(target + 1) } else { Goal::AtLeast(-target) };
                let Some(solution) = self.solve(candidate, task, settled, goal, nodes, visit, signals) else { return };
                tell();
                match most(&solution, settled) {
                    Some(most) => bounds.most[*at] = Some(most),
                    None if !solution.solved => break 'deals,
                    None => bounds.expected[*at] = target + TOO_LOW,
                }
            }
        }
        let seems_better = bounds.slack() < 0;
        bounds.keep(&mut visit.findings);
        visit.end = VisitEnd::Complete;
        if seems_better {
            self.find_spreads(candidate, task, (nodes, stage), visit, (signals, tell));
        }
    }
}

/// Questions about one deal, each with a higher bound, before it is left to the next round.
const ATTEMPTS: usize = 3;

/// How much more we are taken to gain from a deal than a bound that proved too low, points.
const TOO_LOW: i32 = 4;

/// Upper bounds of our final leads whose sum is to stay below a limit.
struct Bounds<'a> {
    candidate: &'a Candidate,
    limit: i64,
    /// By deal: proved.
    most: Vec<Option<i32>>,
    /// By deal: what stands in for it until then.
    expected: Vec<i32>,
}

impl Bounds<'_> {
    fn new(candidate: &Candidate, limit: i64) -> Bounds<'_> {
        let weight: u64 = candidate.deals.iter().map(|deal| deal.weight).sum();
        let mean = (limit / weight as i64) as i32;
        Bounds {
            candidate,
            limit,
            most: candidate.findings.iter().map(|finding| finding.and_then(|finding| finding.most)).collect(),
            expected: candidate.findings.iter().map(|finding| finding.map_or(mean, |finding| finding.expected)).collect(),
        }
    }

    /// What the sum, times weight, leaves to be given away.
    fn slack(&self) -> i64 {
        let sum = self
            .candidate
            .deals
            .iter()
            .enumerate()
            .map(|(at, deal)| deal.weight as i64 * i64::from(self.most[at].unwrap_or(self.expected[at])));
        self.limit - sum.sum::<i64>()
    }

    /// Writes down what was found out.
    fn keep(&self, findings: &mut [Option<Finding>]) {
        for (at, finding) in findings.iter_mut().enumerate() {
            if let Some(finding) = finding {
                finding.most = finding.most.into_iter().chain(self.most[at]).min();
                finding.expected = self.expected[at];
            }
        }
    }

    /// Gives up proofs of too little.
    fn loosen(&mut self) {
        for (most, &expected) in self.most.iter_mut().zip(&self.expected) {
            *most = most.filter(|&most| most <= expected);
        }
    }

    /// What is to be proved of a deal; `None` if it is, or if the sum is beyond the limit already.
    fn target(&self, at: usize) -> Option<i32> {
        let open: u64 = self.candidate.deals.iter().zip(&self.most).filter(|(_, most)| most.is_none()).map(|(deal, _)| deal.weight).sum();
        let slack = self.slack();
        (self.most[at].is_none() && slack >= 0).then(|| self.expected[at] + (slack / open as i64) as i32)
    }
}

/// What our final lead does not exceed, if a solution says so.
fn most(solution: &Solution, settled: &Settled) -> Option<i32> {
    let last = solution.value + settled.lead();
    match (solution.bound, settled.seat == US) {
        (Bound::Exact | Bound::AtMost, true) => Some(last),
        (Bound::Exact | Bound::AtLeast, false) => Some(-last),
        _ => None,
    }
}

/// A solver and the board it is set to. It forgets between visits: what it finds must not depend on what it did before.
struct Endgames {
    solver: Solver,
    placements: Option<Vec<Placement>>,
}

impl Endgames {
    fn new(hash_megabytes: usize) -> Endgames {
        Endgames { solver: Solver::new(hash_megabytes), placements: None }
    }

    fn forget(&mut self) {
        self.solver.forget();
        self.placements = None;
    }

    fn solve(
        &mut self,
        setting: &Setting<'_>,
        lanes: &LaneBoard,
        (candidate, settled): (&Candidate, &Settled),
        goal: Goal,
        nodes: u64,
        signals: &Signals,
    ) -> Solution {
        if settled.is_over {
            return Solution { value: 0, bound: Bound::Exact, solved: true, depth: 0, nodes: 0, hashfull: 0, line: Vec::new() };
        }
        if self.placements.as_ref() != Some(&settled.placements) {
            let mut board = lanes.to_board();
            for (square, tile) in settled.placements.iter().flat_map(Placement::placed) {
                board.set(square, Some(tile));
            }
            let pool = setting.rack.plus(&setting.unseen);
            self.solver.set_board(setting.rules, setting.lexicon, &board, &pool);
            if settled.placements.is_empty() && settled.seat != US {
                let kept = setting.rack.minus(&candidate.play.play.rack_tiles()).expect("a play uses tiles of its rack");
                self.solver.share([setting.unseen, kept.plus(&setting.unseen)]);
            }
            self.placements = Some(settled.placements.clone());
        }
        let limits = Limits { depth: None, nodes: Some(nodes), threads: 1 };
        let deal = Deal { racks: settled.racks, lead: settled.lead(), passed: settled.passed };
        self.solver.solve(&deal, goal, &limits, signals, &mut |_| {})
    }
}

/// The deals in the order in which they are examined: those expected to be lost first, then those that others lost.
fn order(candidate: &Candidate, losses: &[u64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..candidate.deals.len()).collect();
    let expected = |at: usize| candidate.findings[at].map_or(Verdict::Tie, |finding| finding.verdict);
    order.sort_by_key(|&at| (expected(at), std::cmp::Reverse((losses[candidate.deals[at].draw], candidate.deals[at].weight))));
    order
}
