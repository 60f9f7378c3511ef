//! A search thread: its position, its memory, and the search itself. The search is negamax with principal variations
//! and greedy playouts at the horizon. There are also searches to the end, in which a turn that takes many nodes is put
//! off until the others have had as many (`turn_queue.rs`).
//!
//! Not here: the turns at the root and the order of depths (`search_loop.rs`). Start with
//! [`EndgameWorker::answer`] or [`EndgameWorker::value_of`]; the heart is `search_turns`.

use crate::lexicon::word_graph::WordGraph;
use crate::movegen::LaneNumber;
use crate::rules::Placement;
use crate::search::budget::Signals;
use crate::search::endgame::lists::PlacementLists;
use crate::search::endgame::moves::Move;
use crate::search::endgame::state::EndgameState;
use crate::search::endgame::table::{EntryBound, MoveCode, PROVED, TableEntry, TranspositionTable};
use crate::search::endgame::turn_queue::{KEY_OF_HINT, KEY_OF_PASS, OutInTwo, StackMark, Threats, TurnQueue, TurnStack, slice_of_first};
use crate::search::endgame::types::{INFINITE, SearchValue, Window};
use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, Ordering};

/// A depth in plies that no search exceeds, because every game ends earlier.
pub(super) const MAX_DEPTH: u8 = 100;

/// The fewest turns for which threats are worked out. Threats require the placements of the other side's whole rack,
/// which pays only if several turns may be spared a search.
const MIN_TURNS_FOR_THREATS: usize = 4;

/// The best turn of a position so far.
#[derive(Clone, Copy, Debug)]
struct BestTurn {
    value: SearchValue,
    code: MoveCode,
}

/// What all threads of a search share.
#[derive(Clone, Copy)]
pub(super) struct EndgameContext<'a> {
    pub graph: &'a WordGraph,
    pub table: &'a TranspositionTable,
    pub signals: &'a Signals,
    /// Whether the first thread has finished.
    pub is_done: &'a AtomicBool,
    /// Positions that one thread may search.
    pub nodes: u64,
    /// Nodes that a turn gets in the first round before it is put off.
    pub first_slice: u64,
}

/// A placement in the current position: its lane, and its number in the lists.
#[derive(Clone, Copy, Debug)]
pub(super) struct ListedPlacement {
    pub lane: LaneNumber,
    pub number: u32,
}

/// A thread's position and memory.
#[derive(Clone, Debug)]
pub(super) struct EndgameWorker {
    pub state: EndgameState,
    pub lists: PlacementLists,
    /// The turns that are to be searched in the positions on the path.
    pub turns: TurnStack,
    /// The placements in the current position that do not go out.
    pub seen: Vec<ListedPlacement>,
    /// The number of nodes at which the turn that is being searched is put off.
    pub deadline: u64,
    /// The value of the best turn searched at the root so far, in points.
    pub expected: Option<i32>,
    /// Plies from the root to the current position.
    pub ply: usize,
    /// By ply: the placement that was last good enough. It is tried first in the next position at
    /// the same ply.
    pub refutations: Vec<Option<Move>>,
    /// Positions whose placements were generated.
    pub nodes: u64,
}

impl EndgameWorker {
    /// Creates a worker at this position.
    pub fn new(state: EndgameState, lists: PlacementLists) -> EndgameWorker {
        EndgameWorker {
            state,
            lists,
            turns: TurnStack::default(),
            seen: Vec::new(),
            deadline: u64::MAX,
            expected: None,
            ply: 0,
            refutations: Vec::new(),
            nodes: 0,
        }
    }

    /// Forgets what it has learned about the best order in which to search turns.
    pub fn forget(&mut self) {
        self.refutations.clear();
    }

    /// Whether a limit or a signal ends the search.
    pub fn is_over(&self, context: &EndgameContext<'_>) -> bool {
        self.nodes >= self.deadline.min(context.nodes) || context.signals.is_stopped() || context.is_done.load(Ordering::Relaxed)
    }

    /// Records in `seen` the placements of the side on turn that do not go out. Returns the number of the best
    /// placement that goes out.
    pub fn find_placements(&mut self, graph: &WordGraph) -> Option<usize> {
        self.nodes += 1;
        self.lists.make_room();
        self.seen.clear();
        let (own, seen) = (self.state.turn, &mut self.seen);
        let rack = self.state.racks[own];
        let mut outs = Vec::new();
        self.lists.each(&mut self.state, own, graph, |lane, number, tiles| match tiles == rack {
            true => outs.push(number),
            false => seen.push(ListedPlacement { lane, number: number as u32 }),
        });
        outs.into_iter().min_by_key(|&out| Reverse(self.lists.summaries[out].score))
    }

    /// The placements with which the other side would go out if it were on turn.
    pub fn threats(&mut self, graph: &WordGraph) -> Threats {
        let other = self.state.turn.opponent();
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

    /// The change of the mover's lead if both sides make the most promising placement on each turn until the end.
    pub fn playout(&mut self, graph: &WordGraph) -> i32 {
        let own = self.state.turn;
        // The promise of a placement is its score plus the points of the tiles that it gets rid of; going out comes
        // before everything else.
        let out = self.find_placements(graph);
        let promise = |&number: &usize| {
            let summary = &self.lists.summaries[number];
            Reverse(summary.score + summary.points)
        };
        let best = out.or_else(|| self.seen.iter().map(|placement| placement.number as usize).min_by_key(promise));
        match best.map(|number| self.lists.moves[number]) {
            None if self.state.passed => self.state.lead_when_stuck(),
            None => {
                self.state.pass();
                let value = -self.playout(graph);
                self.state.take_back_pass();
                value
            }
            Some(m) if m.tiles == self.state.racks[own] => m.score + self.state.lead_for_going_out(),
            Some(m) => {
                self.state.play(&m, graph);
                let value = m.score - self.playout(graph);
                self.state.take_back(&m);
                value
            }
        }
    }

    /// The position's value by a search to the end, as far as it is inside the window.
    /// An interrupted search returns its expectation so far, if any. `hint` is tried before all
    /// others.
    pub fn answer(&mut self, context: &EndgameContext<'_>, window: Window, hint: Option<&Placement>) -> Option<SearchValue> {
        self.expected = None;
        let hint = hint.and_then(|hint| self.lists.here(&self.state, context.graph, &self.lists.without_score(&self.state, hint)));
        if let Some(value) = hint.and_then(|m| self.try_refutation(context, &m, window, MAX_DEPTH)) {
            self.note_refutation(hint);
            return Some(value);
        }
        let value = self.search(context, window, MAX_DEPTH);
        value.or_else(|| self.expected.map(|points| SearchValue { points, proved: false }))
    }

    /// Searches first whether the turn is worth more than alpha, and only in that case for its value.
    pub fn scout(&mut self, context: &EndgameContext<'_>, turn: Option<&Move>, window: Window, depth: u8) -> Option<SearchValue> {
        let value = self.value_of(context, turn, Window::above(window.alpha), depth)?;
        if value.points > window.alpha && value.points < window.beta { self.value_of(context, turn, window, depth) } else { Some(value) }
    }

    /// The value of a turn (`None` = pass) for the side on turn, `depth` plies deep including the turn. Returns `None`
    /// when interrupted.
    pub fn value_of(&mut self, context: &EndgameContext<'_>, turn: Option<&Move>, window: Window, depth: u8) -> Option<SearchValue> {
        let own = self.state.turn;
        let Some(m) = turn else {
            if self.state.passed {
                return Some(SearchValue { points: self.state.lead_when_stuck(), proved: true });
            }
            self.state.pass();
            self.ply += 1;
            let value = self.search(context, window.after(0), depth - 1);
            self.ply -= 1;
            self.state.take_back_pass();
            return value.map(|value| value.before(0));
        };
        let score = m.score;
        if m.tiles == self.state.racks[own] {
            return Some(SearchValue { points: score + self.state.lead_for_going_out(), proved: true });
        }
        self.state.play(m, context.graph);
        self.ply += 1;
        let value = self.search(context, window.after(score), depth - 1);
        self.ply -= 1;
        self.state.take_back(m);
        value.map(|value| value.before(score))
    }

    /// The position's value if it lies in the window, or a bound if it lies outside. `None` when interrupted.
    fn search(&mut self, context: &EndgameContext<'_>, window: Window, depth: u8) -> Option<SearchValue> {
        let hash = self.state.hash();
        let known = context.table.find(hash);
        if let Some(value) = known.answer(window, depth) {
            return Some(value);
        }
        // This check also precedes playouts: a first ply with a blank has thousands of them.
        if self.is_over(context) {
            return None;
        }
        if depth == 0 {
            let value = SearchValue { points: self.playout(context.graph), proved: false };
            self.remember(context, hash, BestTurn { value, code: MoveCode::NONE }, EntryBound::Exact, 0);
            return Some(value);
        }
        // For a question, the reply that refuted the turn before this one is tried first.
        if window.is_question()
            && let Some(m) = self.refutations.get(self.ply).copied().flatten()
            && let Some(m) = self.lists.here(&self.state, context.graph, &m)
        {
            if let Some(value) = self.try_refutation(context, &m, window, depth) {
                self.remember(context, hash, BestTurn { value, code: m.code() }, EntryBound::Lower, depth);
                return Some(value);
            }
            if self.is_over(context) {
                return None;
            }
        }
        let hint = known.limited.or(known.proved).map_or(MoveCode::NONE, |entry| entry.code);
        let mark = self.turns.mark();
        let found = self.search_turns(context, window, depth, hint, mark);
        self.turns.cut_to(mark);
        let (best, bound) = found?;
        self.remember(context, hash, best, bound, depth);
        Some(best.value)
    }

    /// The value of a turn that was good enough elsewhere, if a few nodes show that it is good
    /// enough here as well.
    fn try_refutation(&mut self, context: &EndgameContext<'_>, m: &Move, window: Window, depth: u8) -> Option<SearchValue> {
        let deadline = self.deadline;
        self.deadline = deadline.min(self.nodes.saturating_add(context.first_slice));
        let value = self.value_of(context, Some(m), window, depth);
        self.deadline = deadline;
        value.filter(|value| value.points >= window.beta)
    }

    /// Searches the turns of a position, `hint` first. Uses the stack of turns above the mark. `None` when interrupted.
    fn search_turns(
        &mut self,
        context: &EndgameContext<'_>,
        window: Window,
        depth: u8,
        hint: MoveCode,
        mark: StackMark,
    ) -> Option<(BestTurn, EntryBound)> {
        let Window { alpha, beta } = window;
        let out = self.find_placements(context.graph);
        let is_stuck = self.seen.is_empty() && out.is_none();
        // Turns that end the game need no search.
        let mut best = self.best_end(out);
        // A reply that refuted a turn of another position need not refute the turns of this one.
        if let Some(refutation) = self.refutations.get_mut(self.ply + 1) {
            *refutation = None;
        }
        // The other turns are queued, except those that cannot be worth more than what is certain.
        if best.value.points < beta {
            let threats = if self.seen.len() >= MIN_TURNS_FOR_THREATS { self.threats(context.graph) } else { Threats::default() };
            let most_of_others = self.queue_turns(&threats, alpha.max(best.value.points), hint, mark);
            best.value.points = best.value.points.max(most_of_others);
        }
        let mut queue = TurnQueue::above(mark, &self.turns, context.first_slice);
        let mut is_first = true;
        let mut all_proved = true;
        let deadline = self.deadline;
        while best.value.points < beta
            && let Some(turn) = queue.next(&mut self.turns)
        {
            // The best turn may have become so good that this one need not be searched any more.
            let window = window.raised_to(best.value.points);
            if turn.most <= window.alpha {
                best.value.points = best.value.points.max(turn.most);
                continue;
            }
            // A forced pass is no choice, so it costs no depth.
            let plies = if is_stuck { depth + 1 } else { depth };
            // The first turn gets a value, and the others are compared with it. Each turn gets the nodes of its slice.
            let slice = if is_first { slice_of_first(queue.slice, window) } else { queue.slice };
            self.deadline = deadline.min(self.nodes.saturating_add(slice));
            let m = self.turns.placement(turn);
            let searched = match is_first {
                true => self.value_of(context, m.as_ref(), window, plies),
                false => self.scout(context, m.as_ref(), window, plies),
            };
            self.deadline = deadline;
            is_first = false;
            let Some(value) = searched else {
                // Either the whole search is over, or the slice is used up and the turn waits for the next round.
                if self.is_over(context) {
                    return None;
                }
                queue.put_off(&mut self.turns, turn);
                continue;
            };
            all_proved &= value.proved;
            if self.ply == 0 {
                self.expected = self.expected.max(Some(value.points));
            }
            if value.points > best.value.points {
                best = BestTurn { value, code: m.map_or(MoveCode::PASS, |m| m.code()) };
                if value.points >= beta {
                    self.note_refutation(m);
                }
            }
        }
        // One turn that is good enough proves a lower bound by itself. Any other result rests on all turns.
        if best.value.points >= beta {
            return Some((best, EntryBound::Lower));
        }
        best.value.proved = all_proved;
        Some((best, if best.value.points > alpha { EntryBound::Exact } else { EntryBound::Upper }))
    }

    /// The best of the turns that end the game: the second pass in a row, and the placement that goes out best. If
    /// there are none, a value below that of any turn.
    fn best_end(&self, out: Option<usize>) -> BestTurn {
        let mut best = BestTurn { value: SearchValue { points: -INFINITE, proved: true }, code: MoveCode::NONE };
        if self.state.passed {
            best.value.points = self.state.lead_when_stuck();
            best.code = MoveCode::PASS;
        }
        if let Some(out) = out {
            let m = &self.lists.moves[out];
            let points = m.score + self.state.lead_for_going_out();
            if points > best.value.points {
                (best.value.points, best.code) = (points, m.code());
            }
        }
        best
    }

    /// Queues the turns that may be worth more than `low`, above the mark. Returns an upper bound on the worth of the
    /// others.
    fn queue_turns(&mut self, threats: &Threats, low: i32, hint: MoveCode, mark: StackMark) -> i32 {
        let own = self.state.turn;
        let (rack, own_points, ending) = (self.state.racks[own], self.state.points[own], self.state.ending);
        let mut most_of_others = -INFINITE;
        for placement in &self.seen {
            let summary = &self.lists.summaries[placement.number as usize];
            let (score, left) = (summary.score, own_points - summary.points);
            let threat = threats.after(placement.lane, summary.takes);
            let most = threat.map_or(INFINITE, |threat| score - threat - ending.lead_for_going_out(left));
            if most <= low {
                most_of_others = most_of_others.max(most);
                continue;
            }
            let m = self.lists.moves[placement.number as usize];
            // The score and the points of the tiles got rid of, minus the cost of the other side's going out, if it
            // threatens to.
            let cost = threat.map_or(0, |threat| threat + left);
            let key = if m.code() == hint { KEY_OF_HINT } else { score + m.points - cost };
            self.turns.push(key, most, m);
        }
        if self.turns.count_above(mark) > 1 {
            let lists = &self.lists;
            let seen = self.seen.iter().map(|placement| placement.number as usize);
            let placements = seen.map(|number| (lists.moves[number].tiles, lists.summaries[number].score));
            if let Some(plans) = OutInTwo::new(&lists.packing, rack, placements) {
                // The gain of placing the rest of the rack on the next turn.
                let gain = |m: &Move| plans.second_score(m).map_or(0, |score| score + own_points - m.points);
                self.turns.raise_keys(mark, gain);
            }
        }
        if !self.state.passed {
            let most = threats.after_pass().map_or(INFINITE, |threat| -threat - ending.lead_for_going_out(own_points));
            if most <= low {
                most_of_others = most_of_others.max(most);
            } else {
                self.turns.push_pass(if hint == MoveCode::PASS { KEY_OF_HINT } else { KEY_OF_PASS }, most);
            }
        }
        most_of_others
    }

    /// Records that this turn was good enough in the current position. A pass leaves nothing to try.
    pub fn note_refutation(&mut self, turn: Option<Move>) {
        self.refutations.resize(self.refutations.len().max(self.ply + 1), None);
        self.refutations[self.ply] = turn;
    }

    fn remember(&self, context: &EndgameContext<'_>, hash: u64, best: BestTurn, bound: EntryBound, depth: u8) {
        let BestTurn { value, code } = best;
        let depth = if value.proved { PROVED } else { depth };
        // The table has room for values of 16 bits. Larger values, which occur only with tiles worth hundreds of
        // points, are searched again each time.
        if let Ok(value) = i16::try_from(value.points) {
            context.table.store(hash, TableEntry { value, code, depth, bound });
        }
    }
}
