//! Runs a request: picks the search that it asks for, and passes the candidates to it.
//!
//! Not here: which search `auto` picks (`phase.rs`). Start with [`run_in`].

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::rules::Objective;
use crate::search::analysis::{Analysis, EndgameOptions, OpponentTiles};
use crate::search::budget::Signals;
use crate::search::candidates::{self, ALL_PLAYS, DEFAULT_CANDIDATES};
use crate::search::context::{Knowledge, SearchContext, SearchMemory};
use crate::search::endgame::{self, EndgameDeal, Goal, Solution};
use crate::search::report::{Listener, Outcome, Report, StaticReport};
use crate::search::request::SearchRequest;
use crate::search::{inference, misere, pre_endgame, replies, simulation};
use std::sync::Arc;

/// Carries out a request on the calling thread, with as many workers as it asks for, until a limit or [`Signals::stop`]. Its memory is
/// freed at the end.
pub fn run(knowledge: &Knowledge, request: &SearchRequest, signals: &Signals, listener: &mut dyn Listener) -> Outcome {
    run_in(&SearchMemory::default(), knowledge, request, signals, listener)
}

/// As [`run`], with memory that later searches reuse.
pub fn run_in(
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
    match request.analysis() {
        Analysis::Static(options) => {
            // Nothing interrupts it: it takes no time, and half a ranking is worth nothing.
            let signals = Signals::default();
            let plays = candidates::choose(&SearchContext { signals: &signals, ..context }, &options.plays, DEFAULT_CANDIDATES);
            static_ranking(plays)
        }
        Analysis::Simulation(options) if context.position.rules().objective() == Objective::FewestPoints => {
            misere::playouts::simulate(&context, options, listener)
        }
        Analysis::Simulation(options) => {
            let belief = believed(&options.opponent_tiles, listener);
            let plays = candidates::with_ending_plays(context.position, &options.plays);
            simulation::run(&context, &choose(&plays, DEFAULT_CANDIDATES), options, belief.as_deref(), listener)
        }
        Analysis::Inference(options) => {
            let belief = Arc::new(inference::infer(&context, options, listener));
            let solved = belief.scope.racks == belief.scope.of_racks && !belief.scope.is_drawn;
            Outcome { best: None, last: Some(Report::Inference(belief)), solved }
        }
        Analysis::Replies(options) => {
            let belief = believed(&options.opponent_tiles, listener);
            replies::run(&context, options, belief.as_deref(), listener)
        }
        Analysis::PreEndgame(options) => {
            let plays = choose(&options.plays, ALL_PLAYS);
            match plays.len() {
                1 if options.skip_if_forced => static_ranking(plays),
                _ => {
                    let belief = believed(&options.opponent_tiles, listener);
                    pre_endgame::run(&context, &plays, options, belief.as_deref(), listener)
                }
            }
        }
        Analysis::Endgame(options) => {
            let forced = options.skip_if_forced.then(|| choose(&options.plays, DEFAULT_CANDIDATES)).filter(|plays| plays.len() == 1);
            match forced {
                Some(plays) => static_ranking(plays),
                None => solve_endgame(&context, options, listener),
            }
        }
    }
}

fn static_ranking(rows: Vec<EvaluatedPlay>) -> Outcome {
    Outcome { best: rows.first().map(|row| row.play), last: Some(Report::Static(StaticReport { rows })), solved: true }
}

/// The least memory of a thread of an endgame for its lists of placements, bytes.
const LEAST_LIST_BYTES: usize = 4 << 20;

/// Solves an endgame. With a counted limit it uses one thread, so that the answer does not depend on the number of threads.
fn solve_endgame(context: &SearchContext<'_>, options: &EndgameOptions, listener: &mut dyn Listener) -> Outcome {
    let position = context.position;
    let deal = &EndgameDeal::of(position).expect("a request for an endgame has a position whose racks are known");
    let is_counted = options.plies.is_some() || options.nodes.is_some();
    let shares = context.settings.thread_shares(LEAST_LIST_BYTES);
    let threads = if is_counted { 1 } else { shares.threads };
    let limits = endgame::EndgameLimits { depth: options.plies, nodes: options.nodes, threads };
    let goal = if options.first_win { Goal::FirstWin } else { Goal::Spread };
    let solver = context.memory.solver(context.settings.hash_megabytes).with_room(shares.bytes);
    let mut solver = solver.on(position.rules(), &context.knowledge.lexicon, position.board(), &deal.pool());
    if options.plays.only.is_some() {
        // With their scores, because the solver has none for invalid words.
        solver.restrict(&candidates::choose(context, &options.plays, ALL_PLAYS));
    }
    // The last report is part of the outcome, so the listener does not get it.
    let mut on_depth = |solution: &Solution| {
        if !solution.solved {
            listener.report(Report::Endgame(solution.clone()));
        }
    };
    let solution = solver.solve(deal, goal, &limits, context.signals, &mut on_depth);
    context.memory.keep(solver.into_solver());
    let (best, solved) = (solution.line.first().map(|first| first.play), solution.solved);
    Outcome { best, last: Some(Report::Endgame(solution)), solved }
}
