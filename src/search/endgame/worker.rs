//! A search thread's position and memory, and its greedy playouts, which are estimates at the
//! horizon.
//!
//! Not here: the search (`negamax.rs`, `root.rs`).

use crate::lexicon::word_graph::WordGraph;
use crate::movegen::LaneNumber;
use crate::search::budget::Signals;
use crate::search::endgame::lists::PlacementLists;
use crate::search::endgame::moves::Move;
use crate::search::endgame::state::EndgameState;
use crate::search::endgame::table::TranspositionTable;
use crate::search::endgame::turn_queue::{Threats, TurnStack};
use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, Ordering};

/// What all threads of a search share.
#[derive(Clone, Copy)]
pub(super) struct EndgameContext<'a> {
    pub graph: &'a WordGraph,
    pub table: &'a TranspositionTable,
    pub signals: &'a Signals,
    /// The first thread has finished.
    pub is_done: &'a AtomicBool,
    /// Positions that one thread may look at.
    pub nodes: u64,
    /// Nodes that a turn gets in the first round before it is put off.
    pub first_slice: u64,
}

/// A placement of the position on hand: its lane, and its number in the lists.
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
    /// The placements of the position on hand that do not go out.
    pub seen: Vec<ListedPlacement>,
    /// The number of nodes at which the turn that is searched now is put off.
    pub deadline: u64,
    /// What the best turn at the root that was searched is worth, points.
    pub expected: Option<i32>,
    /// Plies from the root to the position on hand.
    pub ply: usize,
    /// By ply: the placement that was last good enough. It is tried first in the next position at
    /// the same ply.
    pub refutations: Vec<Option<Move>>,
    /// Positions whose placements were looked at.
    pub nodes: u64,
}

impl EndgameWorker {
    /// A worker at this position.
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

    /// Forgets what it has learned of the order in which turns are best searched.
    pub fn forget(&mut self) {
        self.refutations.clear();
    }

    /// Whether a limit or a signal ends the search.
    pub fn is_over(&self, context: &EndgameContext<'_>) -> bool {
        self.nodes >= self.deadline.min(context.nodes) || context.signals.is_stopped() || context.is_done.load(Ordering::Relaxed)
    }

    /// Notes in `seen` what the side on turn can place, except what goes out. Returns the number of the best placement that goes out.
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

    /// What the other side would go out with if it were on turn.
    pub fn threats(&mut self, graph: &WordGraph) -> Threats {
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

    /// The change of the mover's lead if both sides play what promises most until the end.
    pub fn playout(&mut self, graph: &WordGraph) -> i32 {
        let own = self.state.turn;
        // A placement promises its points and those of the tiles that it gets rid of; going out comes before all.
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
}
