//! The search of one thread: negamax with principal variations, iterative deepening, greedy playouts at the horizon; and
//! searches to the end, in which a turn that takes many nodes is put off until the others had as many, so that a wrong first
//! answer does not cost its whole tree.
//!
//! All values are changes of the lead from the position until the end, as the side on turn there sees them: positions with
//! different scores share what is known. Every value carries whether it is *proved*: whether no line below it was cut off at the
//! horizon, as far as the value depends on it. What is not proved is a guess, also where it is called a bound.

use crate::lexicon::word_graph::WordGraph;
use crate::rules::Placement;
use crate::search::budget::Signals;
use crate::search::endgame::MAX_DEPTH;
use crate::search::endgame::moves::{Lists, Move};
use crate::search::endgame::plans::Plans;
use crate::search::endgame::state::State;
use crate::search::endgame::table::{Bound, Code, Entry, PROVED, Table};
use crate::search::endgame::threats::Threats;
use std::sync::atomic::{AtomicBool, Ordering};

/// More than any change of the lead.
pub(super) const INFINITE: i32 = 30_000;

/// Threats are worked out for the other side's whole rack: it pays where several turns may be saved a search.
const MIN_TURNS_FOR_THREATS: usize = 4;

/// The pass among turns.
const PASS: u32 = u32::MAX;

/// Nodes that a turn gets in a search to the end before it is put off and the next turn is looked at.
pub(super) const FIRST_SLICE: u64 = 8;

/// The width of the window of who wins, with the tie between.
const WIDEST_QUESTION: i32 = 2;

/// How many times more it gets when all turns had theirs.
const SLICE_GROWTH: u64 = 4;

/// Turns that are picked one by one; who looks at more of them looks at all, most of the time, and they are sorted.
const SELECTED: usize = 3;

/// A result with what it rests on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Value {
    /// Points, the view of the side on turn.
    pub points: i32,
    /// Whether no horizon matters to it: then it is true, within the window of the search.
    pub proved: bool,
}

impl std::ops::Neg for Value {
    type Output = Value;

    fn neg(self) -> Value {
        Value { points: -self.points, ..self }
    }
}

/// What all threads of a search share.
#[derive(Clone, Copy)]
pub(super) struct Shared<'a> {
    pub graph: &'a WordGraph,
    pub table: &'a Table,
    pub signals: &'a Signals,
    /// The first thread has finished.
    pub is_done: &'a AtomicBool,
    /// Positions one thread may look at.
    pub nodes: u64,
    /// Nodes that a turn gets before it is put off, at first.
    pub first_slice: u64,
}

/// A turn that is searched.
#[derive(Clone, Copy, Debug)]
struct Choice {
    /// Who has the highest is searched first.
    key: i32,
    /// It is not worth more than this.
    most: i32,
    /// Its place among the moves, or [`PASS`].
    at: u32,
}

/// A thread's position and memory.
#[derive(Clone, Debug)]
pub(super) struct Worker {
    pub state: State,
    pub lists: Lists,
    /// The placements that are searched in the positions on the path, those of the last one behind.
    moves: Vec<Move>,
    /// In the same way the turns in their order.
    order: Vec<Choice>,
    /// Lanes and numbers of the placements of the position on hand that do not go out.
    seen: Vec<(u8, u32)>,
    /// Nodes at which what is searched now is put off.
    pub deadline: u64,
    /// What the best turn at the root that was searched is worth.
    expected: Option<i32>,
    /// Plies from the root to the position on hand.
    ply: usize,
    /// By ply: the placement that was good enough last.
    pub refutations: Vec<Option<Move>>,
    /// Positions whose placements were looked at.
    pub nodes: u64,
}

impl Worker {
    pub fn new(state: State, lists: Lists) -> Worker {
        Worker {
            state,
            lists,
            moves: Vec::new(),
            order: Vec::new(),
            seen: Vec::new(),
            deadline: u64::MAX,
            expected: None,
            ply: 0,
            refutations: Vec::new(),
            nodes: 0,
        }
    }

    /// Forgets what it has learned of the order in which turns are best searched.
    pub fn forget(&mut self) {
        self.refutations.clear();
    }

    /// Whether a limit or a signal ends the search.
    pub fn is_over(&self, shared: &Shared<'_>) -> bool {
        self.nodes >= self.deadline.min(shared.nodes) || shared.signals.is_stopped() || shared.is_done.load(Ordering::Relaxed)
    }

    /// The position's value by a search to the end, as far as this window tells; of an interrupted search what it expects so far, if anything.
    pub fn answer(&mut self, shared: &Shared<'_>, alpha: i32, beta: i32, hint: Option<&Placement>) -> Option<Value> {
        self.expected = None;
        let hint = hint.and_then(|hint| self.lists.here(&self.state, shared.graph, &self.lists.without_score(&self.state, hint)));
        if let Some(value) = hint.and_then(|m| self.try_refutation(shared, &m, (alpha, beta), MAX_DEPTH as u8)) {
            self.note_refutation(hint);
            return Some(value);
        }
        let value = self.search(shared, alpha, beta, MAX_DEPTH as u8);
        value.or_else(|| self.expected.map(|points| Value { points, proved: false }))
    }

    /// A null window first, then the full one if the turn is better than thought.
    pub fn scout(&mut self, shared: &Shared<'_>, turn: Option<&Move>, low: i32, beta: i32, depth: u8) -> Option<Value> {
        let value = self.value_of(shared, turn, low, low + 1, depth)?;
        if value.points > low && value.points < beta { self.value_of(shared, turn, low, beta, depth) } else { Some(value) }
    }

    /// The value of a turn (`None` = pass) for the side on turn, `depth` plies deep with it.
    pub fn value_of(&mut self, shared: &Shared<'_>, turn: Option<&Move>, alpha: i32, beta: i32, depth: u8) -> Option<Value> {
        let own = self.state.turn;
        let Some(m) = turn else {
            if self.state.passed {
                return Some(Value { points: self.state.lead_when_stuck(), proved: true });
            }
            self.state.pass();
            self.ply += 1;
            let value = self.search(shared, -beta, -alpha, depth - 1);
            self.ply -= 1;
            self.state.take_back_pass();
            return value.map(|value| -value);
        };
        let score = i32::from(m.score);
        if m.tiles == self.state.racks[own] {
            return Some(Value { points: score + self.state.lead_for_going_out(), proved: true });
        }
        self.state.play(m, shared.graph);
        self.ply += 1;
        let value = self.search(shared, score - beta, score - alpha, depth - 1);
        self.ply -= 1;
        self.state.take_back(m);
        value.map(|value| Value { points: score - value.points, ..value })
    }

    /// The position's value if it lies between alpha and beta; otherwise a bound on that side. `None` when interrupted.
    fn search(&mut self, shared: &Shared<'_>, alpha: i32, beta: i32, depth: u8) -> Option<Value> {
        let hash = self.state.hash();
        let known = shared.table.find(hash);
        for entry in known.iter().flatten() {
            if entry.settles(alpha, beta, depth) {
                return Some(Value { points: i32::from(entry.value), proved: entry.depth == PROVED });
            }
        }
        // Before playouts, too: a first ply with a blank has thousands of them.
        if self.is_over(shared) {
            return None;
        }
        if depth == 0 {
            let points = self.playout(shared.graph);
            self.remember(shared, hash, Value { points, proved: false }, Bound::Exact, Code::NONE, 0);
            return Some(Value { points, proved: false });
        }
        if beta - alpha <= WIDEST_QUESTION
            && let Some(m) = self.refutations.get(self.ply).copied().flatten().and_then(|m| self.lists.here(&self.state, shared.graph, &m))
        {
            if let Some(value) = self.try_refutation(shared, &m, (alpha, beta), depth) {
                self.remember(shared, hash, value, Bound::Lower, m.code(), depth);
                return Some(value);
            }
            if self.is_over(shared) {
                return None;
            }
        }
        let base = self.moves.len();
        let value = self.search_turns(shared, (alpha, beta), depth, hash, known[1].or(known[0]).map_or(Code::NONE, |entry| entry.code));
        self.moves.truncate(base);
        value
    }

    /// What a turn is worth that was good enough elsewhere, if it is here, too, and that takes few nodes to see.
    fn try_refutation(&mut self, shared: &Shared<'_>, m: &Move, (alpha, beta): (i32, i32), depth: u8) -> Option<Value> {
        let deadline = self.deadline;
        self.deadline = deadline.min(self.nodes.saturating_add(shared.first_slice));
        let value = self.value_of(shared, Some(m), alpha, beta, depth);
        self.deadline = deadline;
        value.filter(|value| value.points >= beta)
    }

    fn search_turns(&mut self, shared: &Shared<'_>, (alpha, beta): (i32, i32), depth: u8, hash: u64, hint: Code) -> Option<Value> {
        let out = self.survey(shared.graph);
        let is_stuck = self.seen.is_empty() && out.is_none();
        let mut best = Value { points: -INFINITE, proved: true };
        let mut code = Code::NONE;
        // What ends the game costs no search.
        if self.state.passed {
            best.points = self.state.lead_when_stuck();
            code = Code::PASS;
        }
        if let Some(out) = out {
            let m = &self.lists.moves[out];
            let points = i32::from(m.score) + self.state.lead_for_going_out();
            if points > best.points {
                (best.points, code) = (points, m.code());
            }
        }
        if let Some(refutation) = self.refutations.get_mut(self.ply + 1) {
            *refutation = None;
        }
        let first_key = self.order.len();
        if best.points < beta {
            let threats = if self.seen.len() >= MIN_TURNS_FOR_THREATS { self.threats(shared.graph) } else { Threats::default() };
            best.points = best.points.max(self.choose(&threats, alpha.max(best.points), hint));
        }
        let mut all_proved = true;
        let mut is_first = true;
        let (mut next, mut end, mut postponed) = (first_key, self.order.len(), first_key);
        let mut is_in_order = false;
        let deadline = self.deadline;
        let mut slice = shared.first_slice;
        while best.points < beta && next < end {
            if !is_in_order {
                match next - first_key {
                    0..SELECTED => select(&mut self.order[next..end]),
                    _ => {
                        self.order[next..end].sort_unstable_by_key(|choice| (std::cmp::Reverse(choice.key), choice.at));
                        is_in_order = true;
                    }
                }
            }
            let choice = self.order[next];
            next += 1;
            let m = if choice.at == PASS { None } else { Some(self.moves[choice.at as usize]) };
            let low = alpha.max(best.points);
            if choice.most <= low {
                best.points = best.points.max(choice.most);
            } else {
                // A forced pass is no choice, so it costs no depth.
                let plies = if is_stuck { depth + 1 } else { depth };
                let slice = if is_first { slice_of_first(slice, low, beta) } else { slice };
                self.deadline = deadline.min(self.nodes.saturating_add(slice));
                let searched = match is_first {
                    true => self.value_of(shared, m.as_ref(), low, beta, plies),
                    false => self.scout(shared, m.as_ref(), low, beta, plies),
                };
                self.deadline = deadline;
                is_first = false;
                match searched {
                    None if self.is_over(shared) => {
                        self.order.truncate(first_key);
                        return None;
                    }
                    None => {
                        self.order[postponed] = choice;
                        postponed += 1;
                    }
                    Some(value) => {
                        all_proved &= value.proved;
                        if self.ply == 0 {
                            self.expected = self.expected.max(Some(value.points));
                        }
                        if value.points > best.points {
                            best = value;
                            code = m.map_or(Code::PASS, |m| m.code());
                            if value.points >= beta {
                                self.note_refutation(m);
                            }
                        }
                    }
                }
            }
            if next == end {
                slice = next_slice(slice, postponed - first_key);
                (next, end, postponed, is_in_order) = (first_key, postponed, first_key, true);
            }
        }
        self.order.truncate(first_key);
        let bound = if best.points >= beta {
            Bound::Lower
        } else {
            best.proved = all_proved;
            if best.points > alpha { Bound::Exact } else { Bound::Upper }
        };
        self.remember(shared, hash, best, bound, code, depth);
        Some(best)
    }

    pub fn note_refutation(&mut self, turn: Option<Move>) {
        self.refutations.resize(self.refutations.len().max(self.ply + 1), None);
        self.refutations[self.ply] = turn;
    }

    /// Notes what the side on turn can place. Returns the number of its best placement of the whole rack.
    fn survey(&mut self, graph: &WordGraph) -> Option<usize> {
        self.nodes += 1;
        self.lists.make_room();
        self.seen.clear();
        let (own, seen) = (self.state.turn, &mut self.seen);
        let rack = self.state.racks[own];
        let mut outs = Vec::new();
        self.lists.each(&mut self.state, own, graph, |lane, number, tiles| match tiles == rack {
            true => outs.push(number),
            false => seen.push((lane as u8, number as u32)),
        });
        outs.into_iter().min_by_key(|&out| std::cmp::Reverse(self.lists.briefs[out].score))
    }

    /// What the other side would go out with if it were on turn.
    fn threats(&mut self, graph: &WordGraph) -> Threats {
        let other = 1 - self.state.turn;
        let rack = self.state.racks[other];
        let mut outs = Vec::new();
        self.lists.each(&mut self.state, other, graph, |_, number, tiles| {
            if tiles == rack {
                outs.push(number);
            }
        });
        let mut moves: Vec<Move> = outs.into_iter().map(|out| self.lists.moves[out]).collect();
        Threats::new(&self.state.board, &mut moves)
    }

    /// Adds the turns that may be worth more than `low` to those that are searched. Returns what the others are worth at most.
    fn choose(&mut self, threats: &Threats, low: i32, hint: Code) -> i32 {
        let own = self.state.turn;
        let (rack, own_points, ending) = (self.state.racks[own], self.state.points[own], self.state.ending);
        let first = self.order.len();
        let mut most_of_others = -INFINITE;
        for &(lane, number) in &self.seen {
            let brief = &self.lists.briefs[number as usize];
            let (score, left) = (i32::from(brief.score), own_points - i32::from(brief.points));
            let threat = threats.after(lane as usize, brief.takes);
            let most = threat.map_or(INFINITE, |threat| score - threat - ending.lead_for_going_out(left));
            if most <= low {
                most_of_others = most_of_others.max(most);
                continue;
            }
            let m = self.lists.moves[number as usize];
            // Where the other side threatens to go out, what it costs that it does.
            let key = if m.code() == hint { i32::MAX } else { score + i32::from(m.points) - threat.map_or(0, |threat| threat + left) };
            self.order.push(Choice { key, most, at: self.moves.len() as u32 });
            self.moves.push(m);
        }
        if self.order.len() - first > 1 {
            let seen = self.seen.iter().map(|&(_, number)| number as usize);
            let placements = seen.map(|number| (self.lists.moves[number].tiles, self.lists.briefs[number].score));
            if let Some(plans) = Plans::new(rack, placements) {
                for choice in self.order[first..].iter_mut().filter(|choice| choice.key < i32::MAX) {
                    let m = &self.moves[choice.at as usize];
                    // What there is to gain by placing the rest of the rack on the next turn.
                    choice.key += plans.rest(m).map_or(0, |score| score + own_points - i32::from(m.points));
                }
            }
        }
        if !self.state.passed {
            let most = threats.after_pass().map_or(INFINITE, |threat| -threat - ending.lead_for_going_out(own_points));
            if most <= low {
                most_of_others = most_of_others.max(most);
            } else {
                self.order.push(Choice { key: if hint == Code::PASS { i32::MAX } else { i32::MIN }, most, at: PASS });
            }
        }
        most_of_others
    }

    fn remember(&self, shared: &Shared<'_>, hash: u64, value: Value, bound: Bound, code: Code, depth: u8) {
        let depth = if value.proved { PROVED } else { depth };
        shared.table.store(hash, Entry { value: value.points as i16, code, depth, bound });
    }

    /// The change of the mover's lead if both sides play what promises most until the end.
    pub fn playout(&mut self, graph: &WordGraph) -> i32 {
        let own = self.state.turn;
        // Points now, and what the tiles that stay on the rack may cost.
        let out = self.survey(graph);
        let promise = |&number: &usize| {
            let brief = &self.lists.briefs[number];
            std::cmp::Reverse(brief.score + brief.points)
        };
        let best = out.or_else(|| self.seen.iter().map(|&(_, number)| number as usize).min_by_key(promise));
        match best.map(|number| self.lists.moves[number]) {
            None if self.state.passed => self.state.lead_when_stuck(),
            None => {
                self.state.pass();
                let value = -self.playout(graph);
                self.state.take_back_pass();
                value
            }
            Some(m) if m.tiles == self.state.racks[own] => i32::from(m.score) + self.state.lead_for_going_out(),
            Some(m) => {
                self.state.play(&m, graph);
                let value = i32::from(m.score) - self.playout(graph);
                self.state.take_back(&m);
                value
            }
        }
    }
}

/// What the first turn gets: where a value is asked for and not only on which side of a bound it lies, all others are measured by it.
pub(super) fn slice_of_first(slice: u64, alpha: i32, beta: i32) -> u64 {
    if beta - alpha > WIDEST_QUESTION { u64::MAX } else { slice }
}

/// What a turn gets next when all had their slices and so many were put off.
pub(super) fn next_slice(slice: u64, postponed: usize) -> u64 {
    if postponed == 1 { u64::MAX } else { slice.saturating_mul(SLICE_GROWTH) }
}

/// Brings the highest key to the front; of equal ones the first.
fn select(order: &mut [Choice]) {
    if let Some(best) = (0..order.len()).max_by_key(|&at| (order[at].key, std::cmp::Reverse(order[at].at))) {
        order.swap(0, best);
    }
}
