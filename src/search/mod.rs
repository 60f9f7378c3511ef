//! Searches: what to play, given a position, what is asked of it, and signals.
//!
//! | file | what it holds |
//! |---|---|
//! | `limits.rs` | the greatest values that searches, options and flags take |
//! | `budget.rs`, `analysis.rs`, `knowledge.rs` | what a search is given: signals, options, words and tables |
//! | `phase.rs` | the phases of a game: which search, which share of the clock |
//! | `randomness.rs`, `bag.rs`, `dealt_game.rs`, `paired.rs` | chance: random numbers, bags, games whose tiles are dealt, statistics |
//! | `threads.rs` | as many threads as can be had |
//! | `endgame/` | an empty bag |
//! | `memory.rs`, `context.rs` | what searches use one after the other; all that a search is given |
//! | `report.rs` | what a search tells |
//! | `candidates.rs` | which plays a search looks at |
//! | `inference/` | what the opponent's turns say about their rack |
//! | `simulation/` | candidates played out against racks of the opponent |
//! | `pre_endgame/` | one to four tiles in the bag |
//! | `board_life.rs` | whether any rack at all has a play |
//! | `misere_playouts.rs` | playouts of the game that is played to lose |
//! | `request.rs` | a position and an analysis that go together |
//!
//! Not here: lines of any protocol, files, clocks. Start with [`SearchRequest`] and `run`.

pub mod limits;
pub mod budget;
pub mod analysis;
pub mod inference;
pub(crate) mod knowledge;
pub mod phase;
pub(crate) mod randomness;
pub(crate) mod threads;
pub(crate) mod bag;
pub(crate) mod dealt_game;
pub(crate) mod paired;
pub(crate) mod endgame;
pub mod memory;
pub(crate) mod context;
pub mod report;
pub(crate) mod candidates;
pub(crate) mod simulation;
pub(crate) mod pre_endgame;
pub(crate) mod board_life;
pub(crate) mod misere_playouts;
pub mod request;

#[cfg(test)]
mod tests;

pub use analysis::{
    Allocation, Analysis, EndgameOptions, InferenceOptions, MOST_EQUITY_WEIGHT, MOST_PLIES, MOST_RACKS, OpponentTiles, PlaySelection,
    PreEndgameOptions, SearchKind, SimulationOptions, StaticOptions,
};
pub use board_life::{AnyRackPlay, BoardLife};
pub use budget::{Signals, StopCondition};
pub use context::{MOST_THREADS, RunSettings};
pub use endgame::{Bound, NoMemory, Solution};
pub use inference::{Belief, BeliefScope, InferredLeave, ObservedTurn, OpponentModel};
pub use memory::SearchMemory;
pub use report::{PlyStats, PreEndgameBasis, PreEndgameClaim, PreEndgameRow, RankedPlay, SimulationRow};

pub(crate) use context::SearchContext;
pub(crate) use knowledge::Knowledge;
pub use report::{Listener, LoggedPly, LoggedSample, Outcome, Report};
pub use request::{RequestError, SearchPosition, SearchRequest};

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::rules::{Objective, Position};
use candidates::{ALL_PLAYS, DEFAULT_CANDIDATES};
use endgame::{EndgameDeal, Goal};
use request::Task;
use std::sync::Arc;

/// Carries out a request on the calling thread, with as many workers as it says, until a limit or [`Signals::stop`]. Its memory is given
/// back at its end.
pub(crate) fn run(knowledge: &Knowledge, request: &SearchRequest, signals: &Signals, listener: &mut dyn Listener) -> Outcome {
    run_in(&SearchMemory::default(), knowledge, request, signals, listener)
}

/// The same in a memory that later searches use, too.
pub(crate) fn run_in(
    memory: &SearchMemory,
    knowledge: &Knowledge,
    request: &SearchRequest,
    signals: &Signals,
    listener: &mut dyn Listener,
) -> Outcome {
    let context = SearchContext { knowledge, position: request.position(), settings: request.settings(), memory, signals };
    let choose = |plays, usual| candidates::choose(&context, plays, usual);
    let believed = |tiles: &OpponentTiles, listener: &mut dyn Listener| match tiles {
        OpponentTiles::Uniform => None,
        OpponentTiles::Believed(belief) => Some(Arc::clone(belief)),
        OpponentTiles::Inferred(options) => Some(Arc::new(inference::infer(&context, options, listener))),
    };
    match request.task() {
        Task::Static(options) => {
            // It is complete in no time, and half a ranking is none: nothing interrupts it.
            let signals = Signals::default();
            let plays = candidates::choose(&SearchContext { signals: &signals, ..context }, &options.plays, DEFAULT_CANDIDATES);
            static_ranking(context.position, &plays)
        }
        Task::Simulation(options) if context.position.rules().objective() == Objective::FewestPoints => {
            misere_playouts::simulate(&context, options, listener)
        }
        Task::Simulation(options) => {
            let belief = believed(&options.opponent_tiles, listener);
            let plays = candidates::with_ending_plays(context.position, &options.plays);
            simulation::run(&context, &choose(&plays, DEFAULT_CANDIDATES), options, belief.as_deref(), listener)
        }
        Task::Inference(options) => {
            let belief = Arc::new(inference::infer(&context, options, listener));
            let solved = belief.scope.racks == belief.scope.of_racks && !belief.scope.is_drawn;
            Outcome { best: None, last: Some(Report::Inference { belief }), solved }
        }
        Task::PreEndgame(options) => {
            let plays = choose(&options.plays, ALL_PLAYS);
            match plays.len() {
                1 if options.skip_if_forced => static_ranking(context.position, &plays),
                _ => {
                    let belief = believed(&options.opponent_tiles, listener);
                    pre_endgame::run(&context, &plays, options, belief.as_deref(), listener)
                }
            }
        }
        Task::Endgame(options, deal) => {
            let forced = options.skip_if_forced.then(|| choose(&options.plays, DEFAULT_CANDIDATES)).filter(|plays| plays.len() == 1);
            match forced {
                Some(plays) => static_ranking(context.position, &plays),
                None => solve_endgame(&context, deal, options, listener),
            }
        }
    }
}

fn static_ranking(position: &Position, ranking: &[EvaluatedPlay]) -> Outcome {
    let rows: Vec<_> = ranking.iter().map(|play| candidates::ranked(play, position.mover_rack())).collect();
    Outcome { best: rows.first().map(|row| row.play), last: Some(Report::Static { rows }), solved: true }
}

/// The least that a thread of an endgame has for its lists of placements, bytes.
const LEAST_LIST_BYTES: usize = 4 << 20;

/// Solves an endgame. A counted limit is held by one thread, so that its answer is the same for any number of them.
fn solve_endgame(context: &SearchContext<'_>, deal: &EndgameDeal, options: &EndgameOptions, listener: &mut dyn Listener) -> Outcome {
    let position = context.position;
    let is_counted = options.plies.is_some() || options.nodes.is_some();
    let shares = context.settings.thread_shares(LEAST_LIST_BYTES);
    let threads = if is_counted { 1 } else { shares.threads };
    let limits = endgame::EndgameLimits { depth: options.plies, nodes: options.nodes, threads };
    let goal = if options.first_win { Goal::FirstWin } else { Goal::Spread };
    let solver = context.memory.solver(context.settings.hash_megabytes).with_room(shares.bytes);
    let mut solver = solver.on(position.rules(), &context.knowledge.lexicon, position.board(), &deal.pool());
    if options.plays.only.is_some() {
        // With their scores, which the solver does not know of plays that are no words.
        solver.restrict(&candidates::choose(context, &options.plays, ALL_PLAYS));
    }
    // The last report is handed to the caller with the outcome, so it is not told twice.
    let mut on_depth = |solution: &Solution| {
        if !solution.solved {
            listener.report(Report::Endgame { solution: solution.clone() });
        }
    };
    let solution = solver.solve(deal, goal, &limits, context.signals, &mut on_depth);
    context.memory.keep(solver.into_solver());
    let (best, solved) = (solution.line.first().map(|first| first.play), solution.solved);
    Outcome { best, last: Some(Report::Endgame { solution }), solved }
}
