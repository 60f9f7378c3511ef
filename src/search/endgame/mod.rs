//! Endgames: the bag is empty, both racks are known, and play can be searched to its end.
//!
//! | file | what it holds |
//! |---|---|
//! | `state.rs` | board, racks and hash, from play to play and back |
//! | `moves.rs` | placements, kept by lane, filtered by rack and by what changed |
//! | `squares.rs` | sets of squares: what placements take and depend on |
//! | `table.rs` | the transposition table |
//! | `threats.rs` | true bounds from what the other side would go out with |
//! | `plans.rs` | an order of turns: who can go out in two |
//! | `negamax.rs` | the search of one thread |
//! | `root.rs` | its root: turns, windows, depths |
//! | `ranked.rs` | placements in the order of what they promise, asked about 64 at a time |
//! | `quick.rs` | playouts of many deals on one board, to screen them |
//!
//! Not here: who has which tiles (`rules/game.rs`), the tiles in the bag (`search/pre_endgame`). Start with [`Solver::set_board`] and [`Solver::solve`].
//!
//! **How the game ends here.** Who plays his last tile gains twice the points of the other rack. Two passes in a row end the
//! game, and each side loses the points of its own rack. Under the usual rule it takes six turns without points in a row
//! ([`GameRules::max_zero_turns`]); the values are the same. Let p be what the side on turn gets by its best placement, q the
//! other side's by his if he were on turn, e what it gets if the game ends now, all in its view. Then a pass before the last
//! allowed one is worth min(-q, max(p, e)), so the position is worth max(p, min(-q, max(p, e))) = max(p, min(-q, e)), which is
//! its worth where two passes end the game; and so on for every two passes before. Only who is on turn when a single turn
//! without points is left finds another game: that is [`Deal::passed`]. What is not the same: placements that score nothing
//! (two blanks) count as turns without points under the usual rule, and not here.
//!
//! **Claims.** A solution says whether it is proved: then it is exact (or the bound it says) for these rules, up to a collision of 64-bit hashes.

mod moves;
mod negamax;
mod plans;
mod quick;
mod ranked;
mod root;
mod squares;
mod state;
mod table;
mod threats;

#[cfg(test)]
mod tests;

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::lexicon::Lexicon;
use crate::movegen::LaneBoard;
use crate::rules::{Board, GameRules, Placement, Play, Position, Rack};
use crate::search::budget::Signals;
use moves::{Lists, Move};
use negamax::{FIRST_SLICE, Shared, Worker};
use root::{RootTurn, Window};
use state::{Packing, State, tiles_hash};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use table::{Code, Table};

pub use quick::QuickPlayouts;

/// Plies no search goes beyond: every game ends before.
const MAX_DEPTH: usize = 100;

/// Plies of the depths that are searched before the first try to search to the end, where the value itself is asked for: replies
/// are seen before, which matters where there is no time for more.
const DEPTHS_BEFORE_DIVES: usize = 2;

/// How many times further from the last answer the next question is, as long as a value is not enclosed.
const STEP_GROWTH: i32 = 3;

/// The longest step between two questions.
const MOST_STEP: i32 = 81;

/// Nodes with which it makes sense to ask once more.
const FEWEST_NODES: u64 = 16;

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Goal {
    /// The best change of the lead.
    #[default]
    Spread,
    /// Whether the side on turn wins, ties or loses: the sign of the final lead.
    FirstWin,
    /// Whether the final lead is at least this many points.
    AtLeast(i32),
}

impl Goal {
    /// Of changes of the lead.
    fn window(self, lead: i32) -> Window {
        match self {
            Goal::Spread => Window::Open,
            Goal::FirstWin => Window::Fixed(-lead - 1, -lead + 1),
            Goal::AtLeast(least) => Window::Fixed(least - lead - 1, least - lead),
        }
    }
}

/// What ends a search before the proof. The first one reached does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Plies.
    pub depth: Option<usize>,
    /// Positions generated, by the first thread.
    pub nodes: Option<u64>,
    /// Threads, at least 1. With one, the answer depends on nothing but the question and earlier questions.
    pub threads: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { depth: None, nodes: None, threads: 1 }
    }
}

/// What [`Solution::value`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// Proved: exactly this.
    Exact,
    /// Proved: this or more.
    AtLeast,
    /// Proved: this or less.
    AtMost,
    /// Not proved: what the search expects so far.
    Estimate,
}

/// What is known at the end of a search, or of a depth.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution {
    /// Change of the mover's lead from now until the end of the game, final adjustments included, points, mover's view.
    pub value: i32,
    /// What the value is.
    pub bound: Bound,
    /// Whether the goal is reached, proved. For [`Goal::Spread`] the value is then exact; for the others it is a bound that answers the question.
    pub solved: bool,
    /// Plies of the last depth searched completely, 0 for a playout. After a search to the end, those of the line at least.
    pub depth: usize,
    /// Positions generated, by all threads.
    pub nodes: u64,
    /// How full the table is, thousandths.
    pub hashfull: u32,
    /// The play and what is expected to follow, as far as it is known. Empty only if the game is over.
    pub line: Vec<EvaluatedPlay>,
}

impl Solution {
    /// The sign of the final lead (1 = the mover wins, 0 = a tie), as far as value and bound tell; `None` if they don't.
    pub fn outcome(&self, lead: i32) -> Option<i32> {
        self.bound.outcome(lead + self.value)
    }
}

/// What [`Solver::ask`] found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Change of the mover's lead until the end, points, mover's view, and what it is.
    pub found: Option<(i32, Bound)>,
    /// If the answer is that something is good enough: the placement that was so last, here or in an earlier question. Worth a try where
    /// much is as here, and no more than that.
    pub refutation: Option<Placement>,
    /// Positions generated.
    pub nodes: u64,
}

/// What [`Solver::enclose`] found out: changes of the mover's lead until the end, points, mover's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Enclosed {
    /// It is proved to be this or more.
    pub least: Option<i32>,
    /// It is proved to be this or less.
    pub most: Option<i32>,
    /// Positions generated.
    pub nodes: u64,
}

impl Bound {
    /// What it is of the same value with the other sign: as the other side sees it.
    pub fn turned(self) -> Bound {
        match self {
            Bound::AtLeast => Bound::AtMost,
            Bound::AtMost => Bound::AtLeast,
            Bound::Exact | Bound::Estimate => self,
        }
    }

    /// What is proved of a value of which this is known: that it is no less, and no more.
    pub fn range(self, value: i32) -> (Option<i32>, Option<i32>) {
        match self {
            Bound::Exact => (Some(value), Some(value)),
            Bound::AtLeast => (Some(value), None),
            Bound::AtMost => (None, Some(value)),
            Bound::Estimate => (None, None),
        }
    }

    /// The sign of a final lead (1 = the mover wins, 0 = a tie) of which this is known; `None` if that does not tell.
    pub fn outcome(self, last: i32) -> Option<i32> {
        match self {
            Bound::Exact => Some(last.signum()),
            Bound::AtLeast if last > 0 => Some(1),
            Bound::AtMost if last < 0 => Some(-1),
            _ => None,
        }
    }
}

/// Who holds what, on a board that the solver knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deal {
    /// The racks; 0 is on turn. Neither is empty.
    pub racks: [Rack; 2],
    /// Lead of the side on turn, points.
    pub lead: i32,
    /// Whether the turn before was a pass: one more ends the game.
    pub passed: bool,
    /// What each side may hold in all the questions about one board, its rack included: placements are found once for these
    /// tiles. First on the board that was set, then on the one asked about. Matters for the time alone.
    pub holdings: [[Rack; 2]; 2],
}

impl Deal {
    /// A deal that is asked about alone.
    pub fn new(racks: [Rack; 2], lead: i32, passed: bool) -> Deal {
        Deal { racks, lead, passed, holdings: [racks; 2] }
    }

    /// The deal of a position, whose racks are deduced if one is missing; `None` if the bag is not empty or a rack is unknown.
    ///
    /// `passed` is whether a single turn without points is left before they end the game: see the module's text.
    pub fn of(position: &Position) -> Option<Deal> {
        let mut position = position.clone();
        position.deduce_racks();
        let racks = [*position.mover_rack(), *position.opponent_rack()];
        let is_complete = position.unknown().is_empty() && racks.iter().all(|rack| !rack.is_empty());
        let passed = position.zero_turns() + 1 >= position.rules().max_zero_turns;
        is_complete.then(|| Deal::new(racks, position.spread(), passed))
    }

    /// All tiles on the racks.
    pub fn pool(&self) -> Rack {
        self.racks[0].plus(&self.racks[1])
    }
}

/// A board with the tiles that can still come to it.
#[derive(Debug)]
struct Setting {
    rules: GameRules,
    lexicon: Arc<Lexicon>,
    worker: Worker,
    packing: Packing,
    /// The turns from the board that was set to the one asked about.
    line: Vec<Move>,
}

/// Solves endgames, one after the other, and keeps what it learned: a table of fixed size, and placements by lane.
#[derive(Debug)]
pub struct Solver {
    table: Table,
    setting: Option<Setting>,
    only: Option<Vec<Play>>,
}

impl Solver {
    /// A solver with a transposition table of so many MiB.
    pub fn new(hash_megabytes: usize) -> Solver {
        Solver { table: Table::new(hash_megabytes), setting: None, only: None }
    }

    /// Forgets what earlier searches have found out: what is found from now on does not depend on them.
    pub fn forget(&mut self) {
        self.table.clear();
        if let Some(setting) = &mut self.setting {
            setting.worker.forget();
        }
    }

    /// Prepares for questions about one board. `pool` has all tiles that racks may hold: those of both players and the bag.
    pub fn set_board(&mut self, rules: &GameRules, lexicon: &Arc<Lexicon>, board: &Board, pool: &Rack) {
        let lane_board = LaneBoard::new(rules, board, lexicon.graph()).without_bounds();
        let packing = Packing::new(pool);
        let lists = Lists::new(packing.clone(), &lane_board, rules.bingo_bonus, rules.rack_size);
        if self.setting.as_ref().is_some_and(|setting| !setting.is_of(rules, lexicon)) {
            self.table.clear();
        }
        let worker = Worker::new(State::new(lane_board, tiles_hash(board.tiles()), rules.ending), lists);
        self.only = None;
        self.setting = Some(Setting { rules: rules.clone(), lexicon: lexicon.clone(), worker, packing, line: Vec::new() });
    }

    /// Goes to the board after these placements on the one that was set, which must be possible: the next questions are about that
    /// one. Cheaper than to set it, and what both boards have in common is found once.
    ///
    /// # Panics
    /// Without a board.
    pub fn go_to<'a>(&mut self, placements: impl Iterator<Item = &'a Placement> + Clone) {
        let Setting { worker, line, lexicon, .. } = self.setting.as_mut().expect("a board comes first");
        let common = line.iter().zip(placements.clone()).take_while(|(turn, placement)| turn.placement == **placement).count();
        for turn in line.drain(common..).rev() {
            worker.state.take_back(&turn);
        }
        for placement in placements.skip(common) {
            let turn = Move::of_the_board(placement);
            worker.state.play(&turn, lexicon.graph());
            line.push(turn);
        }
    }

    /// The change of the mover's lead if both sides play greedily until the end.
    ///
    /// # Panics
    /// As [`Solver::solve`].
    pub fn play_out(&mut self, deal: &Deal) -> i32 {
        let setting = self.setting.as_mut().expect("a board comes first");
        setting.deal(deal);
        setting.worker.playout(setting.lexicon.graph())
    }

    /// From now on, until a board is set, only these turns are looked at in the positions asked about; without any that is
    /// possible, the pass.
    pub fn restrict(&mut self, only: Vec<Play>) {
        self.only = Some(only);
    }

    /// Asks only whether something is so, straight to the end, with so many nodes at most: for many questions about one board.
    /// What earlier searches have found out is used again, also for the order of the turns; `hint`, of tiles of the pool, is looked
    /// at before all others if it is possible. `None` if nothing was found out; what is not proved is an estimate.
    ///
    /// # Panics
    /// As [`Solver::solve`]. [`Goal::Spread`] is no question.
    pub fn ask(&mut self, deal: &Deal, question: Goal, hint: Option<&Placement>, nodes: u64, signals: &Signals) -> Answer {
        let setting = self.setting.as_mut().expect("a board comes first");
        setting.deal(deal);
        let graph = setting.lexicon.graph();
        let worker = &mut setting.worker;
        let is_done = AtomicBool::new(false);
        let shared = Shared { graph, table: &self.table, signals, is_done: &is_done, nodes, first_slice: FIRST_SLICE };
        let window = question.window(deal.lead);
        let Window::Fixed(alpha, beta) = window else { panic!("{question:?} is no question") };
        let value = worker.answer(&shared, alpha, beta, hint);
        let is_enough = value.is_some_and(|value| value.points >= beta);
        let refutation = worker.refutations.first().copied().flatten().filter(|_| is_enough).map(|m| m.placement);
        Answer { found: value.map(|value| (value.points, window.bound(value))), refutation, nodes: worker.nodes }
    }

    /// Encloses the change of the lead by questions alone, from a guess on, with so many nodes at most in all.
    ///
    /// # Panics
    /// As [`Solver::solve`].
    pub fn enclose(&mut self, deal: &Deal, guess: i32, nodes: u64, signals: &Signals) -> Enclosed {
        let mut known = Enclosed::default();
        let (mut least, mut step) = (guess, 1);
        loop {
            let left = nodes.saturating_sub(known.nodes);
            // Half of them, as long as a question further away may do.
            let most_nodes = if known.most.is_none() || known.least.is_none() { left / 2 } else { left };
            let answer = self.ask(deal, Goal::AtLeast(deal.lead + least), None, most_nodes, signals);
            known.nodes += answer.nodes;
            let mut is_answered = true;
            match answer.found {
                Some((value, Bound::AtLeast)) => known.least = known.least.max(Some(value)),
                Some((value, Bound::AtMost)) => known.most = Some(known.most.map_or(value, |most| most.min(value))),
                _ => is_answered = false,
            }
            least = match (known.least, known.most) {
                (Some(low), Some(high)) if low >= high || !is_answered => break,
                (Some(low), Some(high)) => low + (high - low + 1) / 2,
                _ if !is_answered && (signals.is_stopped() || most_nodes < FEWEST_NODES) => break,
                (_, None) => least.max(known.least.unwrap_or(least)) + step,
                (None, Some(high)) => least.min(high + 1) - step,
            };
            step = (step * STEP_GROWTH).min(MOST_STEP);
        }
        known
    }

    /// Solves a position on the board that was set. `on_depth` hears of every completed depth.
    ///
    /// What earlier searches have proved is used again.
    ///
    /// # Panics
    /// Without a board, with tiles outside its pool, or with an empty rack.
    pub fn solve(&mut self, deal: &Deal, goal: Goal, limits: &Limits, signals: &Signals, on_depth: &mut dyn FnMut(&Solution)) -> Solution {
        let setting = self.setting.as_mut().expect("a board comes first");
        setting.deal(deal);
        let graph = setting.lexicon.graph();
        let worker = &mut setting.worker;
        let is_done = AtomicBool::new(false);
        let shared = Shared {
            graph,
            table: &self.table,
            signals,
            is_done: &is_done,
            nodes: limits.nodes.unwrap_or(u64::MAX),
            first_slice: u64::MAX,
        };
        let window = goal.window(deal.lead);
        let mut turns = worker.turns(graph);
        if let Some(only) = &self.only {
            turns.retain(|turn| only.contains(&turn.map_or(Play::Pass, |m| Play::Place(m.placement))));
        }
        if turns.is_empty() {
            turns.push(None);
        }
        let helpers: Vec<Worker> = (1..limits.threads).map(|_| worker.clone()).collect();
        let helping = Helping { shared: &shared, turns: &turns.clone(), window };
        let mut solution = Solution {
            value: worker.playout(graph),
            bound: Bound::Estimate,
            solved: false,
            depth: 0,
            nodes: worker.nodes,
            hashfull: 0,
            line: line(worker, &self.table, graph, turns[0]),
        };
        std::thread::scope(|scope| {
            let running: Vec<_> =
                (1..).zip(helpers).map(|(number, mut helper)| scope.spawn(move || helping.help(&mut helper, number))).collect();
            for depth in 1..=limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH) {
                // To the end at once: for a value with no more nodes than all before took, for a question with all there are.
                // PERF: proofs take about a quarter of the nodes that they take depth by depth.
                let most = match goal {
                    _ if limits.depth.is_some() => 0,
                    Goal::Spread if depth <= DEPTHS_BEFORE_DIVES => 0,
                    Goal::Spread => shared.nodes.min(2 * worker.nodes),
                    Goal::FirstWin | Goal::AtLeast(_) => shared.nodes,
                };
                let guess = Some(solution.value);
                let dive = Shared { nodes: most, first_slice: FIRST_SLICE, ..shared };
                let (plies, searched) = match worker.deepen(&dive, &mut turns, MAX_DEPTH, window, guess) {
                    Some((value, true)) => (MAX_DEPTH, Some((value, true))),
                    _ if worker.is_over(&shared) => break,
                    _ => (depth, worker.deepen(&shared, &mut turns, depth, window, guess)),
                };
                let Some((value, is_complete)) = searched else { break };
                solution.value = value.points;
                solution.bound = window.bound(value);
                solution.solved = value.proved;
                solution.nodes = worker.nodes;
                solution.hashfull = self.table.permille_full();
                solution.line = line(worker, &self.table, graph, turns[0]);
                if !is_complete {
                    break;
                }
                solution.depth = if plies == MAX_DEPTH { solution.line.len().max(depth) } else { depth };
                on_depth(&solution);
                if solution.solved {
                    break;
                }
            }
            solution.nodes = worker.nodes;
            is_done.store(true, Ordering::Relaxed);
            for helper in running {
                solution.nodes += helper.join().expect("a helper does not panic");
            }
        });
        solution
    }
}

impl Setting {
    /// Whether what was proved here is true under these rules and words, too.
    fn is_of(&self, rules: &GameRules, lexicon: &Arc<Lexicon>) -> bool {
        let mine = &self.rules;
        Arc::ptr_eq(&self.lexicon, lexicon)
            && Arc::ptr_eq(&mine.distribution, &rules.distribution)
            && Arc::ptr_eq(&mine.layout, &rules.layout)
            && (mine.bingo_bonus, mine.rack_size, mine.ending) == (rules.bingo_bonus, rules.rack_size, rules.ending)
    }

    fn deal(&mut self, Deal { racks, passed, holdings, .. }: &Deal) {
        assert!(racks.iter().all(|rack| !rack.is_empty()), "an endgame needs both racks");
        self.worker.state.deal(&self.packing, racks, holdings, *passed);
        self.worker.nodes = 0;
    }
}

/// What a helping thread needs. It fills the table for the first thread; its own results are dropped.
#[derive(Clone, Copy)]
struct Helping<'a> {
    shared: &'a Shared<'a>,
    turns: &'a [RootTurn],
    window: Window,
}

impl Helping<'_> {
    /// Searches until the first thread is done, every other helper a depth ahead. Returns the nodes.
    fn help(&self, worker: &mut Worker, number: usize) -> u64 {
        let mut turns = self.turns.to_vec();
        let mut guess = None;
        for depth in 1 + number % 2..=MAX_DEPTH {
            match worker.deepen(self.shared, &mut turns, depth, self.window, guess) {
                Some((value, true)) if !value.proved => guess = Some(value.points),
                _ => break,
            }
        }
        worker.nodes
    }
}

/// A turn and the table's best plays behind it.
fn line(worker: &mut Worker, table: &Table, graph: &crate::lexicon::word_graph::WordGraph, first: Option<Move>) -> Vec<EvaluatedPlay> {
    let evaluated = |turn: Option<&Move>| {
        let score = turn.map_or(0, |m| i32::from(m.score));
        EvaluatedPlay { play: turn.map_or(Play::Pass, |m| Play::Place(m.placement)), score, equity_millipoints: 1000 * score }
    };
    let mut line = vec![evaluated(first.as_ref())];
    let state = &mut worker.state;
    match first {
        None if state.passed => return line,
        None => state.pass(),
        Some(m) if m.tiles == state.racks[state.turn] => return line,
        Some(m) => state.play(&m, graph),
    }
    let code = table.find(state.hash()).iter().flatten().map(|entry| entry.code).find(|&code| code != Code::NONE);
    let moves = worker.lists.gather(state, state.turn, graph);
    let next = match code {
        Some(Code::PASS) => Some(None),
        Some(code) => moves.iter().find(|m| m.code() == code).map(|m| Some(*m)),
        None => None,
    };
    if let Some(next) = next {
        line.extend(self::line(worker, table, graph, next));
    }
    match first {
        None => worker.state.take_back_pass(),
        Some(m) => worker.state.take_back(&m),
    }
    line
}
