//! The solver: a table, a board, and the questions about endgames on it.
//!
//! A [`Solver`] is a table. [`Solver::on`] makes of it a [`BoardSolver`], which answers questions about one board;
//! [`BoardSolver::into_solver`] gives the table back for another board. Not here: the search itself (`search_loop.rs`, `worker.rs`).

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::lexicon::Lexicon;
use crate::movegen::LaneBoard;
use crate::rules::{Board, GameRules, Placement, Rack};
use crate::search::budget::Signals;
use crate::search::endgame::lists::PlacementLists;
use crate::search::endgame::moves::{Move, tiles_hash};
use crate::search::endgame::packed_tiles::Packing;
use crate::search::endgame::search_loop::{Helping, Leading, RootTurn};
use crate::search::endgame::state::EndgameState;
use crate::search::endgame::table::{NoMemory, TranspositionTable};
use crate::search::endgame::turn_queue::FIRST_SLICE;
use crate::search::endgame::types::{
    Answer, Bound, Enclosed, EndgameDeal, EndgameLimits, EndgameQuestion, Goal, RootWindow, Solution, Window,
};
use crate::search::endgame::worker::{EndgameContext, EndgameWorker};
use crate::search::threads;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The factor by which the steps between questions grow, as long as a value is not enclosed.
const STEP_GROWTH: i32 = 3;

/// The longest step between two questions, points.
const MOST_STEP: i32 = 81;

/// The fewest nodes with which another question makes sense.
const FEWEST_NODES: u64 = 16;

/// A transposition table for a series of endgames. It keeps what it has learned.
#[derive(Debug)]
pub struct Solver {
    table: TranspositionTable,
    megabytes: usize,
    /// Bytes for the lists of each thread.
    room: usize,
    /// The terms under which the table's entries are valid.
    terms: Option<SolverTerms>,
}

/// The data on which the values of positions depend, apart from the positions themselves.
#[derive(Clone, Debug)]
struct SolverTerms {
    rules: GameRules,
    lexicon: Arc<Lexicon>,
}

impl SolverTerms {
    /// Whether proofs under these terms also hold for these rules and this lexicon.
    fn hold_for(&self, rules: &GameRules, lexicon: &Arc<Lexicon>) -> bool {
        let mine = &self.rules;
        Arc::ptr_eq(&self.lexicon, lexicon)
            && Arc::ptr_eq(&mine.distribution, &rules.distribution)
            && Arc::ptr_eq(&mine.layout, &rules.layout)
            && (mine.bingo_bonus, mine.rack_size, mine.ending) == (rules.bingo_bonus, rules.rack_size, rules.ending)
    }
}

impl Solver {
    /// A solver with a transposition table of `hash_megabytes` MiB, or, if memory is short,
    /// of half, a quarter, ... of that.
    pub fn new(hash_megabytes: usize) -> Solver {
        let mut megabytes = hash_megabytes;
        loop {
            match Solver::with_table(megabytes) {
                Ok(solver) => return solver,
                Err(error) if megabytes == 0 => panic!("not even one bucket: {error}"),
                Err(_) => megabytes /= 2,
            }
        }
    }

    /// A solver with a transposition table of `hash_megabytes` MiB. The memory is not touched
    /// before it is used, so this takes no time.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn with_table(hash_megabytes: usize) -> Result<Solver, NoMemory> {
        Ok(Solver { table: TranspositionTable::new(hash_megabytes)?, megabytes: hash_megabytes, room: usize::MAX, terms: None })
    }

    /// The same solver with `bytes` bytes for the lists that each thread keeps.
    /// Answers do not depend on this limit.
    #[must_use]
    pub fn with_room(self, bytes: usize) -> Solver {
        Solver { room: bytes, ..self }
    }

    /// The size of its table, MiB.
    pub fn megabytes(&self) -> usize {
        self.megabytes
    }

    /// Forgets what earlier searches have found. Later results do not depend on them.
    pub fn forget(&mut self) {
        self.table.clear();
        self.terms = None;
    }

    /// A solver for questions about this board and the boards after it. `pool` has all tiles that racks may hold: those of both players
    /// and the bag.
    ///
    /// # Panics
    /// If the pool has more than 32 tiles: two racks and the bag of a pre-endgame have fewer.
    pub fn on(mut self, rules: &GameRules, lexicon: &Arc<Lexicon>, board: &Board, pool: &Rack) -> BoardSolver {
        if self.terms.as_ref().is_some_and(|terms| !terms.hold_for(rules, lexicon)) {
            self.table.clear();
        }
        let lane_board = LaneBoard::new(rules, board, lexicon.graph()).without_bounds();
        let packing = Packing::new(pool);
        let lists = PlacementLists::new(packing.clone(), &lane_board, rules.bingo_bonus, rules.rack_size).with_room(self.room);
        let worker = EndgameWorker::new(EndgameState::new(lane_board, tiles_hash(board.tiles()), rules.ending), lists);
        self.terms = Some(SolverTerms { rules: rules.clone(), lexicon: lexicon.clone() });
        BoardSolver { solver: self, lexicon: lexicon.clone(), worker, packing, placed: Vec::new(), only: None }
    }
}

/// Answers questions about endgames on one board and on the boards after it, and keeps what it learned: a table of fixed size, and
/// placements by lane.
#[derive(Debug)]
pub struct BoardSolver {
    solver: Solver,
    lexicon: Arc<Lexicon>,
    pub(super) worker: EndgameWorker,
    pub(super) packing: Packing,
    /// The placements from the first board to the one asked about.
    placed: Vec<Move>,
    /// The only turns to search at the root, if they are restricted.
    only: Option<Vec<RootTurn>>,
}

impl BoardSolver {
    /// Returns the solver, to be used for another board.
    pub fn into_solver(self) -> Solver {
        self.solver
    }

    /// Forgets what earlier searches have found. Later results do not depend on them.
    pub fn forget(&mut self) {
        self.solver.table.clear();
        self.worker.forget();
    }

    /// Goes to the board after these placements on the first board, which must be possible. The next questions are
    /// about that board. This is cheaper than another solver, and what both boards have in common is found only once.
    pub fn go_to<'a>(&mut self, placements: impl Iterator<Item = &'a Placement> + Clone) {
        let BoardSolver { worker, placed, lexicon, .. } = self;
        let common = placed.iter().zip(placements.clone()).take_while(|(turn, placement)| turn.placement == **placement).count();
        for turn in placed.drain(common..).rev() {
            worker.state.take_back(&turn);
        }
        for placement in placements.skip(common) {
            let turn = Move::without_rack(placement);
            worker.state.play(&turn, lexicon.graph());
            placed.push(turn);
        }
    }

    /// Restricts the search at the root to these turns from now on, whether or not their words are valid. They must be
    /// possible with tiles of the pool, and have their correct scores.
    pub fn restrict(&mut self, only: &[EvaluatedPlay]) {
        let turn = |play: &EvaluatedPlay| {
            let placement = play.play.placement()?;
            Some(Move { score: play.score, ..self.worker.lists.without_score(&self.worker.state, placement) })
        };
        self.only = Some(only.iter().map(turn).collect());
    }

    /// The change of the mover's lead if both sides play greedily until the end.
    ///
    /// # Panics
    /// As [`BoardSolver::solve`].
    pub fn play_out(&mut self, deal: &EndgameDeal) -> i32 {
        self.deal(deal);
        match deal.last_turns {
            Some(left) => self.worker.play_out_last_turns(self.lexicon.graph(), left),
            None => self.worker.playout(self.lexicon.graph()),
        }
    }

    /// Answers one question by a search straight to the end, with a limit of nodes.
    /// Made for many questions about one board.
    ///
    /// The results of earlier searches are reused, also to order the turns. `hint` is a placement of tiles of the pool,
    /// which is tried before all others if it is possible. An answer that is not proved is an estimate, and there may
    /// be no answer.
    ///
    /// # Panics
    /// As [`BoardSolver::solve`].
    pub fn ask(
        &mut self,
        deal: &EndgameDeal,
        question: EndgameQuestion,
        hint: Option<&Placement>,
        nodes: u64,
        signals: &Signals,
    ) -> Answer {
        self.deal(deal);
        let last_turns = deal.last_turns.map(|left| (left, self.root_turns()));
        let is_done = AtomicBool::new(false);
        let graph = self.lexicon.graph();
        let context = EndgameContext { graph, table: &self.solver.table, signals, is_done: &is_done, nodes, first_slice: FIRST_SLICE };
        let window = Window::of(question, deal.lead);
        let worker = &mut self.worker;
        let (value, refutation) = match &last_turns {
            None => (worker.answer(&context, window, hint), worker.refutations.first().copied().flatten()),
            Some((left, turns)) => {
                let found = worker.search_last_turns(&context, turns, *left, window);
                (Some(found.value), found.line[0])
            }
        };
        let is_enough = value.is_some_and(|value| value.points >= window.beta);
        let refutation = refutation.filter(|_| is_enough).map(|m| m.placement);
        Answer { found: value.map(|value| (value.points, RootWindow::Fixed(window).bound(value))), refutation, nodes: worker.nodes }
    }

    /// Encloses the change of the lead by questions alone, starting from a guess, with a limit on the nodes of all
    /// questions together. The questions are null-window searches until the bounds meet [Plaat et al. 1996], except
    /// that the steps between them grow, and the last steps halve the interval.
    ///
    /// # Panics
    /// As [`BoardSolver::solve`].
    pub fn enclose(&mut self, deal: &EndgameDeal, guess: i32, nodes: u64, signals: &Signals) -> Enclosed {
        let mut known = Enclosed::default();
        let (mut least, mut step) = (guess, 1);
        loop {
            let left = nodes.saturating_sub(known.nodes);
            // Half of the nodes, as long as a question further away may be answered.
            let most_nodes = if known.most.is_none() || known.least.is_none() { left / 2 } else { left };
            let answer = self.ask(deal, EndgameQuestion::IsAtLeast(deal.lead + least), None, most_nodes, signals);
            known.nodes += answer.nodes;
            let mut is_answered = true;
            match answer.found {
                Some((value, Bound::AtLeast)) => known.least = known.least.max(Some(value)),
                Some((value, Bound::AtMost)) => known.most = Some(known.most.map_or(value, |most| most.min(value))),
                _ => is_answered = false,
            }
            least = match (known.least, known.most) {
                // Enclosed: halve the interval until it is empty or a question has no answer.
                (Some(low), Some(high)) if low >= high || !is_answered => break,
                (Some(low), Some(high)) => low + (high - low + 1) / 2,
                // Not enclosed: a question further away may be easier, but it needs nodes.
                _ if !is_answered && (signals.is_stopped() || most_nodes < FEWEST_NODES) => break,
                (_, None) => least.max(known.least.unwrap_or(least)) + step,
                (None, Some(high)) => least.min(high + 1) - step,
            };
            step = (step * STEP_GROWTH).min(MOST_STEP);
        }
        known
    }

    /// Solves a position. Calls `on_depth` after every completed depth.
    ///
    /// Proofs of earlier searches are reused.
    ///
    /// # Panics
    /// If the deal has tiles outside the board's pool, or an empty rack.
    pub fn solve(
        &mut self,
        deal: &EndgameDeal,
        goal: Goal,
        limits: &EndgameLimits,
        signals: &Signals,
        on_depth: &mut dyn FnMut(&Solution),
    ) -> Solution {
        self.deal(deal);
        let turns = self.root_turns();
        let is_done = AtomicBool::new(false);
        let context = EndgameContext {
            graph: self.lexicon.graph(),
            table: &self.solver.table,
            signals,
            is_done: &is_done,
            nodes: limits.nodes.unwrap_or(u64::MAX),
            first_slice: u64::MAX,
        };
        let window = RootWindow::of(goal, deal.lead);
        let worker = &mut self.worker;
        if let Some(left) = deal.last_turns {
            return worker.solve_last_turns(&context, &turns, left, window, limits.depth);
        }
        let helpers: Vec<EndgameWorker> = (1..threads::fitting(limits.threads)).map(|_| worker.clone()).collect();
        let helping = Helping { context: &context, turns: &turns, window };
        std::thread::scope(|scope| {
            // Helpers for which the system has no thread are left out: they change the time, not the answer.
            let start = |(number, mut helper): (usize, EndgameWorker)| {
                std::thread::Builder::new().spawn_scoped(scope, move || helping.help(&mut helper, number)).ok()
            };
            let running: Vec<_> = (1..).zip(helpers).map_while(start).collect();
            let mut leading = Leading { worker, context: &context, turns: turns.clone(), window, goal, limits };
            let mut solution = leading.solve(on_depth);
            is_done.store(true, Ordering::Relaxed);
            for helper in running {
                solution.nodes += helper.join().expect("a helper does not panic");
            }
            solution
        })
    }

    /// Begins a question about this deal.
    pub(super) fn deal(&mut self, deal: &EndgameDeal) {
        assert!(deal.has_racks(), "an endgame needs both racks");
        self.worker.state.deal(&self.packing, deal);
        self.worker.nodes = 0;
    }

    /// The turns to search in the current position, statically best first.
    fn root_turns(&mut self) -> Vec<RootTurn> {
        let mut turns = self.worker.root_turns(self.lexicon.graph());
        let Some(only) = &self.only else { return turns };
        let play_of = |turn: &RootTurn| turn.map(|m| m.placement);
        turns.retain(|turn| only.iter().any(|named| play_of(named) == play_of(turn)));
        // The other turns have invalid words, or place a single tile in the other direction.
        let others: Vec<RootTurn> = only.iter().filter(|named| turns.iter().all(|turn| play_of(turn) != play_of(named))).copied().collect();
        turns.extend(others);
        turns
    }
}
