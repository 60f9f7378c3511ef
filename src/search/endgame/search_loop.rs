//! The loop of a search for a solution: one depth after the other, by the first thread, with helpers
//! that fill the table for it. Also the search at the root: its turns, and its window.
//!
//! Not here: what lies below a turn (`worker.rs`). Start with [`Leading::solve`].

use crate::evaluation::static_eval::{EvaluatedPlay, worth_with_empty_bag};
use crate::lexicon::word_graph::WordGraph;
use crate::rules::Play;
use crate::rules::units::Millipoints;
use crate::search::endgame::moves::Move;
use crate::search::endgame::packed_tiles::PackedTiles;
use crate::search::endgame::table::{MoveCode, TranspositionTable};
use crate::search::endgame::turn_queue::{FIRST_SLICE, next_slice, slice_of_first};
use crate::search::endgame::types::{Bound, EndgameLimits, Goal, RootWindow, SearchValue, Solution, Window};
use crate::search::endgame::worker::{EndgameContext, EndgameWorker, MAX_DEPTH};
use std::cmp::Reverse;

/// Half the width of the first window around the value of the previous depth, in points.
const ASPIRATION: i32 = 25;

/// The factor by which the window widens when the value is not in it.
const ASPIRATION_GROWTH: i32 = 4;

/// If the value itself is asked for, this many depths are searched before the first attempt to search to the end, so
/// that replies have been taken into account if there is no time for more.
const DEPTHS_BEFORE_DIVES: u8 = 2;

/// A turn at the root: `None` for the pass.
pub(super) type RootTurn = Option<Move>;

/// The result of a search to one depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct DepthResult {
    /// The value of the best turn.
    pub value: SearchValue,
    /// Whether all turns were searched. If not, the value is the best of those that were.
    pub is_complete: bool,
}

impl EndgameWorker {
    /// The turns of the side on turn, statically best first: the first one is played if there is no time for more.
    pub fn root_turns(&mut self, graph: &WordGraph) -> Vec<RootTurn> {
        let turn = self.state.turn;
        self.lists.make_room();
        // The other side's placements are also generated, so that its lists serve every part of its rack.
        if self.state.racks[turn.opponent()] != PackedTiles::EMPTY {
            self.lists.each(&mut self.state, turn.opponent(), graph, |_, _, _| {});
        }
        let mut turns: Vec<RootTurn> = self.lists.gather(&mut self.state, turn, graph).into_iter().map(Some).collect();
        turns.sort_by_key(|turn| Reverse(turn.map_or(i32::MIN, |m| self.static_worth(&m))));
        turns.push(None);
        turns
    }

    /// Searches all turns to one depth and sorts them, the best first. `guess` is the expected value, if there is one.
    /// Returns `None` if interrupted before the first turn had a value.
    pub fn deepen(
        &mut self,
        context: &EndgameContext<'_>,
        turns: &mut [RootTurn],
        depth: u8,
        window: RootWindow,
        guess: Option<i32>,
    ) -> Option<DepthResult> {
        let widest = match window {
            RootWindow::Open => Window::FULL,
            RootWindow::Fixed(window) => window,
        };
        // A narrow window around the guess is searched faster. While the value is not in the window, the window widens
        // on that side.
        let mut width = ASPIRATION;
        let mut window = match (window, guess) {
            (RootWindow::Open, Some(guess)) => Window { alpha: guess - width, beta: guess + width },
            _ => widest,
        };
        loop {
            let result = self.search_root(context, turns, depth, window)?;
            let points = result.value.points;
            let is_inside = points > window.alpha && points < window.beta;
            let is_widest = window.alpha <= widest.alpha && window.beta >= widest.beta;
            if !result.is_complete || is_inside || is_widest {
                return Some(result);
            }
            width *= ASPIRATION_GROWTH;
            if points <= window.alpha {
                window.alpha = (window.alpha - width).max(widest.alpha);
            } else {
                window.beta = (window.beta + width).min(widest.beta);
            }
        }
    }

    /// Searches all turns with one window, and brings those that led to the front, the best one first.
    fn search_root(&mut self, context: &EndgameContext<'_>, turns: &mut [RootTurn], depth: u8, window: Window) -> Option<DepthResult> {
        let mut leaders = Vec::new();
        let found = self.search_root_turns(context, turns, depth, window, &mut leaders);
        let (leading, mut rest): (Vec<_>, Vec<_>) = turns.iter().copied().enumerate().partition(|(at, _)| leaders.contains(at));
        rest.splice(0..0, leaders.iter().rev().filter_map(|leader| leading.iter().find(|(at, _)| at == leader).copied()));
        turns.iter_mut().zip(rest).for_each(|(turn, (_, new))| *turn = new);
        found
    }

    /// Records in `leaders` the turns that were better than alpha and all earlier turns, the best one last.
    fn search_root_turns(
        &mut self,
        context: &EndgameContext<'_>,
        turns: &[RootTurn],
        depth: u8,
        window: Window,
        leaders: &mut Vec<usize>,
    ) -> Option<DepthResult> {
        let mut best: Option<SearchValue> = None;
        let mut all_proved = true;
        let mut rest_of_window = window;
        let mut slice = context.first_slice;
        // Rounds as in `turn_queue.rs`, but in a fixed order.
        let mut to_search: Vec<usize> = (0..turns.len()).collect();
        while !to_search.is_empty() {
            let mut put_off = Vec::new();
            for at in to_search {
                // The first turn may take longer: all other turns are compared with it.
                let slice = if best.is_none() { slice_of_first(slice, rest_of_window) } else { slice };
                self.deadline = self.nodes.saturating_add(slice);
                // The first turn gets the full window; later ones must first be better.
                let searched = match best {
                    None => self.value_of(context, turns[at].as_ref(), rest_of_window, depth),
                    Some(_) => self.scout(context, turns[at].as_ref(), rest_of_window, depth),
                };
                self.deadline = u64::MAX;
                let Some(value) = searched else {
                    // The whole search is over: the best turn so far counts, without proof.
                    if self.is_over(context) {
                        return best.map(|best| DepthResult { value: SearchValue { proved: false, ..best }, is_complete: false });
                    }
                    // Only its slice is used up: the turn comes again in the next round.
                    put_off.push(at);
                    continue;
                };
                all_proved &= value.proved;
                if best.is_none_or(|best| value.points > best.points) {
                    best = Some(value);
                    rest_of_window = rest_of_window.raised_to(value.points);
                    // A value up to alpha is only a bound, so such a turn does not lead.
                    if value.points > window.alpha {
                        leaders.push(at);
                    }
                    // Good enough for the question: no other turn needs to be searched.
                    if value.points >= window.beta {
                        self.note_refutation(turns[at]);
                        return Some(DepthResult { value, is_complete: true });
                    }
                }
            }
            slice = next_slice(slice, put_off.len());
            to_search = put_off;
        }
        best.map(|best| DepthResult { value: SearchValue { points: best.points, proved: all_proved }, is_complete: true })
    }

    /// The equity of static evaluation with an empty bag (`evaluation/static_eval.rs`), points.
    fn static_worth(&self, m: &Move) -> i32 {
        let own = self.state.turn;
        let left = self.state.points[own] - m.points;
        let kept_points = (m.tiles != self.state.racks[own]).then_some(left);
        m.score + worth_with_empty_bag(self.state.ending, kept_points, self.state.points[own.opponent()])
    }
}

/// The first thread of a search, which finds the solution.
pub(super) struct Leading<'a> {
    pub worker: &'a mut EndgameWorker,
    pub context: &'a EndgameContext<'a>,
    /// The best one first, as far as it is known.
    pub turns: Vec<RootTurn>,
    pub window: RootWindow,
    pub goal: Goal,
    pub limits: &'a EndgameLimits,
}

impl Leading<'_> {
    /// Searches depth after depth until the goal is proved or a limit reached.
    pub fn solve(&mut self, on_depth: &mut dyn FnMut(&Solution)) -> Solution {
        let graph = self.context.graph;
        let mut solution = Solution {
            value: self.worker.playout(graph),
            bound: Bound::Estimate,
            solved: false,
            depth: 0,
            nodes: self.worker.nodes,
            hashfull: 0,
            line: self.line(),
        };
        let deepest = self.limits.depth.map_or(MAX_DEPTH, |depth| depth.min(MAX_DEPTH.into()) as u8);
        for depth in 1..=deepest {
            let Some((DepthResult { value, is_complete }, plies)) = self.deepen(depth, solution.value) else { break };
            solution.value = value.points;
            solution.bound = self.window.bound(value);
            solution.solved = value.proved;
            solution.nodes = self.worker.nodes;
            solution.hashfull = self.context.table.permille_full();
            solution.line = self.line();
            if !is_complete {
                break;
            }
            solution.depth = if plies == MAX_DEPTH { solution.line.len().max(depth.into()) } else { depth.into() };
            on_depth(&solution);
            if solution.solved {
                break;
            }
        }
        solution.nodes = self.worker.nodes;
        solution
    }

    /// Tries to search to the end, and if that takes too many nodes, to this depth. Returns the result and the plies
    /// that were searched, or `None` if interrupted before anything was found.
    fn deepen(&mut self, depth: u8, guess: i32) -> Option<(DepthResult, u8)> {
        let dive = EndgameContext { nodes: self.dive_nodes(depth), first_slice: FIRST_SLICE, ..*self.context };
        let Leading { worker, context, turns, window, .. } = self;
        match worker.deepen(&dive, turns, MAX_DEPTH, *window, Some(guess)) {
            Some(result) if result.is_complete => Some((result, MAX_DEPTH)),
            _ if worker.is_over(context) => None,
            _ => worker.deepen(context, turns, depth, *window, Some(guess)).map(|result| (result, depth)),
        }
    }

    /// Nodes for a search to the end at this depth. A search for a value gets as many as all earlier ones took; a
    /// question gets all that are left.
    ///
    /// PERF: proofs take about a quarter of the nodes that they take depth by depth.
    fn dive_nodes(&self, depth: u8) -> u64 {
        match self.goal {
            _ if self.limits.depth.is_some() => 0,
            Goal::Spread if depth <= DEPTHS_BEFORE_DIVES => 0,
            Goal::Spread => self.context.nodes.min(2 * self.worker.nodes),
            Goal::FirstWin | Goal::AtLeast(_) => self.context.nodes,
        }
    }

    /// The best turn and what is expected to follow.
    fn line(&mut self) -> Vec<EvaluatedPlay> {
        principal_variation(self.worker, self.context.table, self.context.graph, self.turns[0])
    }
}

/// The data of a helping thread. The thread fills the table for the first one; its own results are dropped.
#[derive(Clone, Copy)]
pub(super) struct Helping<'a> {
    pub context: &'a EndgameContext<'a>,
    pub turns: &'a [RootTurn],
    pub window: RootWindow,
}

impl Helping<'_> {
    /// Searches until the first thread is done, every other helper a depth ahead. Returns the nodes.
    pub fn help(&self, worker: &mut EndgameWorker, number: usize) -> u64 {
        let mut turns = self.turns.to_vec();
        let mut guess = None;
        let first_depth = if number.is_multiple_of(2) { 1 } else { 2 };
        for depth in first_depth..=MAX_DEPTH {
            match worker.deepen(self.context, &mut turns, depth, self.window, guess) {
                Some(DepthResult { value, is_complete: true }) if !value.proved => guess = Some(value.points),
                _ => break,
            }
        }
        worker.nodes
    }
}

/// A turn, followed by the table's best plays.
fn principal_variation(worker: &mut EndgameWorker, table: &TranspositionTable, graph: &WordGraph, first: RootTurn) -> Vec<EvaluatedPlay> {
    let score = first.map_or(0, |m| m.score);
    let play = first.map_or(Play::Pass, |m| Play::Place(m.placement));
    let mut line = vec![EvaluatedPlay { play, score, equity: Millipoints::from_points(score) }];
    let state = &mut worker.state;
    match first {
        None if state.passed => return line,
        None => state.pass(),
        Some(m) if m.tiles == state.racks[state.turn] => return line,
        Some(m) => state.play(&m, graph),
    }
    let moves = worker.lists.gather(state, state.turn, graph);
    let next: Option<RootTurn> = match table.find(state.hash()).best_code() {
        MoveCode::NONE => None,
        MoveCode::PASS => Some(None),
        code => moves.iter().find(|m| m.code() == code).map(|m| Some(*m)),
    };
    if let Some(next) = next {
        line.extend(principal_variation(worker, table, graph, next));
    }
    match first {
        None => worker.state.take_back_pass(),
        Some(m) => worker.state.take_back(&m),
    }
    line
}
