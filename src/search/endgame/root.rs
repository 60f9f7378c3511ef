//! The search at the root: its turns, its window, depth after depth. What lies below a turn is `negamax.rs`'s.

use crate::evaluation::static_eval::NOT_OUT_COST;
use crate::lexicon::word_graph::WordGraph;
use crate::search::endgame::Bound;
use crate::search::endgame::moves::Move;
use crate::search::endgame::negamax::{INFINITE, Shared, Value, Worker, next_slice, slice_of_first};

/// Half the first window around the value of the depth before, points.
const ASPIRATION: i32 = 25;

/// A turn at the root: `None` for the pass.
pub(super) type RootTurn = Option<Move>;

/// The window of the search at the root.
#[derive(Clone, Copy, Debug)]
pub(super) enum Window {
    /// Finds the value.
    Open,
    /// Values up to the first and from the second on need not be told apart.
    Fixed(i32, i32),
}

impl Window {
    /// What a value found with this window is.
    pub fn bound(self, value: Value) -> Bound {
        match self {
            _ if !value.proved => Bound::Estimate,
            Window::Fixed(alpha, _) if value.points <= alpha => Bound::AtMost,
            Window::Fixed(_, beta) if value.points >= beta => Bound::AtLeast,
            _ => Bound::Exact,
        }
    }
}

impl Worker {
    /// The turns of the side on turn, statically best first: the first one is played if there is no time for more.
    pub fn turns(&mut self, graph: &WordGraph) -> Vec<RootTurn> {
        let turn = self.state.turn;
        self.lists.make_room();
        // The other side's, too: its lists then hold for every part of its rack.
        self.lists.each(&mut self.state, 1 - turn, graph, |_, _, _| {});
        let mut turns: Vec<RootTurn> = self.lists.gather(&mut self.state, turn, graph).into_iter().map(Some).collect();
        turns.sort_by_key(|turn| std::cmp::Reverse(turn.map_or(i32::MIN, |m| self.static_worth(&m))));
        turns.push(None);
        turns
    }

    /// One depth from the root, turns best first afterwards; `None` if it was interrupted before the first turn had its value.
    pub fn deepen(
        &mut self,
        shared: &Shared<'_>,
        turns: &mut [RootTurn],
        depth: usize,
        window: Window,
        guess: Option<i32>,
    ) -> Option<(Value, bool)> {
        let (lowest, highest) = match window {
            Window::Open => (-INFINITE, INFINITE),
            Window::Fixed(alpha, beta) => (alpha, beta),
        };
        let mut width = ASPIRATION;
        let (mut alpha, mut beta) = match (window, guess) {
            (Window::Open, Some(guess)) => (guess - width, guess + width),
            _ => (lowest, highest),
        };
        loop {
            let (value, complete) = self.root(shared, turns, depth as u8, alpha, beta)?;
            if !complete || value.points > alpha && value.points < beta || alpha <= lowest && beta >= highest {
                return Some((value, complete));
            }
            width *= 4;
            if value.points <= alpha {
                alpha = (alpha - width).max(lowest);
            } else {
                beta = (beta + width).min(highest);
            }
        }
    }

    fn root(&mut self, shared: &Shared<'_>, turns: &mut [RootTurn], depth: u8, alpha: i32, beta: i32) -> Option<(Value, bool)> {
        let mut leaders = Vec::new();
        let found = self.root_turns(shared, turns, depth, (alpha, beta), &mut leaders);
        let (leading, mut rest): (Vec<_>, Vec<_>) = turns.iter().copied().enumerate().partition(|(at, _)| leaders.contains(at));
        rest.splice(0..0, leaders.iter().rev().filter_map(|leader| leading.iter().find(|(at, _)| at == leader).copied()));
        turns.iter_mut().zip(rest).for_each(|(turn, (_, new))| *turn = new);
        found
    }

    /// Notes the turns that were better than alpha and all before, the best one last.
    fn root_turns(
        &mut self,
        shared: &Shared<'_>,
        turns: &[RootTurn],
        depth: u8,
        (alpha, beta): (i32, i32),
        leaders: &mut Vec<usize>,
    ) -> Option<(Value, bool)> {
        let mut best: Option<Value> = None;
        let mut all_proved = true;
        let mut low = alpha;
        let mut slice = shared.first_slice;
        let mut to_search: Vec<usize> = (0..turns.len()).collect();
        while !to_search.is_empty() {
            let mut postponed = Vec::new();
            for at in to_search {
                self.deadline = self.nodes.saturating_add(if best.is_none() { slice_of_first(slice, low, beta) } else { slice });
                let searched = match best {
                    None => self.value_of(shared, turns[at].as_ref(), low, beta, depth),
                    Some(_) => self.scout(shared, turns[at].as_ref(), low, beta, depth),
                };
                self.deadline = u64::MAX;
                let Some(value) = searched else {
                    if self.is_over(shared) {
                        return best.map(|best| (Value { proved: false, ..best }, false));
                    }
                    postponed.push(at);
                    continue;
                };
                all_proved &= value.proved;
                if best.is_none_or(|best| value.points > best.points) {
                    best = Some(value);
                    low = low.max(value.points);
                    if value.points > alpha {
                        leaders.push(at);
                    }
                    if value.points >= beta {
                        self.note_refutation(turns[at]);
                        return Some((value, true));
                    }
                }
            }
            slice = next_slice(slice, postponed.len());
            to_search = postponed;
        }
        best.map(|best| (Value { points: best.points, proved: all_proved }, true))
    }

    /// The equity of static evaluation with an empty bag (`evaluation/static_eval.rs`), points.
    fn static_worth(&self, m: &Move) -> i32 {
        let own = self.state.turn;
        let left = self.state.points[own] - i32::from(m.points);
        let end = if m.tiles == self.state.racks[own] {
            self.state.lead_for_going_out()
        } else {
            -NOT_OUT_COST - self.state.ending.lead_for_going_out(left)
        };
        i32::from(m.score) + end
    }
}
