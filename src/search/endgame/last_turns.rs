//! Last turns: an endgame in which each player has one more turn, whatever is left on the racks ([`Countdown`]).
//!
//! With one turn left, a position is worth the best score. With two turns left, each turn is worth its score minus the
//! other side's best score after it, and the position is worth the best turn. The search examines all replies to a
//! turn, but only a few turns. After a turn, the other side can still make every placement that it can make now and
//! that the turn does not touch, for the same points. So a turn is worth at most its score minus the best of these
//! replies.
//!
//! Nothing is kept in the table: a search takes milliseconds. Start with [`EndgameWorker::search_last_turns`].
//!
//! [`Countdown`]: crate::rules::Countdown

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::lexicon::word_graph::WordGraph;
use crate::rules::units::Millipoints;
use crate::rules::{Play, Seat};
use crate::search::endgame::moves::Move;
use crate::search::endgame::packed_tiles::PackedTiles;
use crate::search::endgame::search_loop::RootTurn;
use crate::search::endgame::squares::Squares;
use crate::search::endgame::types::{RootWindow, SearchValue, Solution, Window};
use crate::search::endgame::worker::{EndgameContext, EndgameWorker};
use std::cmp::Reverse;

/// How many of the highest-scoring replies are generated before a turn. More would rarely improve a bound: some of
/// these are out of the turn's way.
const MOST_THREATS: usize = 200;

/// The result of a search of last turns.
pub(super) struct LastTurns {
    /// The value of the best turn, as far as it is inside the window.
    pub value: SearchValue,
    /// The best turn and the reply to it: the moves of all turns that are left, as far as they are known. `None` is a pass.
    pub line: Vec<RootTurn>,
}

impl LastTurns {
    /// The line as plays with their scores.
    pub fn plays(&self) -> Vec<EvaluatedPlay> {
        let play = |turn: &RootTurn| {
            turn.map_or(EvaluatedPlay::PASS, |m| EvaluatedPlay {
                play: Play::Place(m.placement),
                score: m.score,
                equity: Millipoints::from_points(m.score),
            })
        };
        self.line.iter().map(play).collect()
    }
}

/// A turn, and an upper bound on its worth.
struct BoundedTurn {
    turn: RootTurn,
    most: i32,
}

/// Sorts turns by their bounds, the greatest first.
fn by_bound(turns: impl Iterator<Item = BoundedTurn>) -> Vec<BoundedTurn> {
    let mut turns: Vec<BoundedTurn> = turns.collect();
    turns.sort_by_key(|turn| (Reverse(turn.most), turn.turn.map(|m| m.placement)));
    turns
}

/// Points of a turn.
fn score_of(turn: &RootTurn) -> i32 {
    turn.map_or(0, |m| m.score)
}

impl EndgameWorker {
    /// Solves a position of last turns, on this thread alone.
    pub fn solve_last_turns(
        &mut self,
        context: &EndgameContext<'_>,
        turns: &[RootTurn],
        left: u32,
        window: RootWindow,
        depth: Option<usize>,
    ) -> Solution {
        let fixed = match window {
            RootWindow::Open => Window::FULL,
            RootWindow::Fixed(window) => window,
        };
        let found = match depth.is_none_or(|depth| depth >= left as usize) {
            true => self.search_last_turns(context, turns, left, fixed),
            false => self.expect_last_turns(context.graph, turns),
        };
        Solution {
            value: found.value.points,
            bound: window.bound(found.value),
            solved: found.value.proved,
            depth: found.line.len(),
            nodes: self.nodes,
            hashfull: context.table.permille_full(),
            line: found.plays(),
        }
    }

    /// Searches these turns of the side on turn, with `left` turns left: 1 or 2. The first turn is searched in any
    /// case.
    pub fn search_last_turns(&mut self, context: &EndgameContext<'_>, turns: &[RootTurn], left: u32, window: Window) -> LastTurns {
        let turns = match left {
            1 => by_bound(turns.iter().map(|turn| BoundedTurn { turn: *turn, most: score_of(turn) })),
            _ => self.bounded(context.graph, turns),
        };
        let mut best: Option<LastTurns> = None;
        // The upper bound on the turns that are not searched.
        let mut most_of_rest = i32::MIN;
        for BoundedTurn { turn, most } in turns {
            let least = best.as_ref().map_or(i32::MIN, |best| best.value.points.max(window.alpha));
            if most <= least {
                most_of_rest = most;
                break;
            }
            if let Some(best) = best.as_mut().filter(|_| self.is_over(context)) {
                best.value.proved = false;
                break;
            }
            let mut line = vec![turn];
            let points = match left {
                1 => score_of(&turn),
                _ => {
                    let reply = self.best_reply(context.graph, turn.as_ref());
                    line.push(reply);
                    score_of(&turn) - score_of(&reply)
                }
            };
            if best.as_ref().is_none_or(|best| points > best.value.points) {
                best = Some(LastTurns { value: SearchValue { points, proved: true }, line });
            }
            if points >= window.beta {
                break;
            }
        }
        let mut best = best.expect("a pass is always possible");
        // Up to alpha a value is only a bound.
        best.value.points = best.value.points.max(most_of_rest);
        best
    }

    /// Estimates these turns without a search of replies, as if the best reply known before a turn stayed the best.
    pub fn expect_last_turns(&mut self, graph: &WordGraph, turns: &[RootTurn]) -> LastTurns {
        let turns = self.bounded(graph, turns);
        let BoundedTurn { turn, most } = turns[0];
        LastTurns { value: SearchValue { points: most, proved: false }, line: vec![turn] }
    }

    /// The change of the lead if both sides play for points alone.
    pub fn play_out_last_turns(&mut self, graph: &WordGraph, left: u32) -> i32 {
        let own = self.best_placement(graph, self.state.turn);
        let reply = if left > 1 { self.best_reply(graph, own.as_ref()) } else { None };
        score_of(&own) - score_of(&reply)
    }

    /// Sorts the turns by the upper bounds on their worth, the greatest first.
    fn bounded(&mut self, graph: &WordGraph, turns: &[RootTurn]) -> Vec<BoundedTurn> {
        let other = self.state.turn.opponent();
        let mut replies = self.lists.gather(&mut self.state, other, graph);
        replies.sort_by_key(|reply| (Reverse(reply.score), reply.placement));
        replies.truncate(MOST_THREATS);
        let board = &self.state.board;
        let threats: Vec<(i32, Squares)> = replies.iter().map(|reply| (reply.score, Squares::needed_by(board, &reply.placement))).collect();
        let most = |turn: &RootTurn| {
            let taken = turn.map_or(Squares::NONE, |m| Squares::taken_by(&m.placement));
            let threat = threats.iter().find(|(_, needed)| needed.are_apart_from(&taken)).map_or(0, |(score, _)| *score);
            score_of(turn) - threat
        };
        by_bound(turns.iter().map(|turn| BoundedTurn { turn: *turn, most: most(turn) }))
    }

    /// The other side's highest-scoring placement after a turn; `None` if it can place nothing.
    fn best_reply(&mut self, graph: &WordGraph, turn: Option<&Move>) -> RootTurn {
        let other = self.state.turn.opponent();
        if let Some(m) = turn {
            self.state.play(m, graph);
        }
        let reply = self.best_placement(graph, other);
        if let Some(m) = turn {
            self.state.take_back(m);
        }
        reply
    }

    /// A side's highest-scoring placement; of several, the first in the order of placements.
    fn best_placement(&mut self, graph: &WordGraph, side: Seat) -> Option<Move> {
        self.nodes += 1;
        self.lists.make_room();
        if self.state.racks[side] == PackedTiles::EMPTY {
            return None;
        }
        let mut numbers = Vec::new();
        self.lists.each(&mut self.state, side, graph, |_, number, _| numbers.push(number));
        let most = numbers.iter().map(|&number| self.lists.summaries[number].score).max()?;
        numbers.retain(|&number| self.lists.summaries[number].score == most);
        numbers.into_iter().map(|number| self.lists.moves[number]).min_by_key(|m| m.placement)
    }
}
