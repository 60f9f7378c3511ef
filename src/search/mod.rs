//! Searches: what to play, given a position, limits and signals.
//!
//! Not here: lines of any protocol, files, clocks. Start with [`SearchRequest`] and [`run`].

pub mod phase;
pub mod budget;
pub mod randomness;
pub mod endgame;
pub mod report;
pub mod bag;
pub mod dealt_game;
pub mod paired;
pub mod candidates;
pub mod replies;
pub mod rollout;
pub mod simulate;
pub mod pre_endgame;

#[cfg(test)]
mod tests;

use crate::evaluation::Evaluator;
use crate::evaluation::static_eval::EvaluatedPlay;
use crate::lexicon::Lexicon;
use crate::rules::{Play, Position};
use budget::{Limits, Signals};
use endgame::{EndgameDeal, Goal, Solution, Solver};
use report::{Outcome, Report};
use simulate::Simulation;
use std::sync::Arc;

/// What a search knows beside the position.
#[derive(Clone)]
pub struct Knowledge {
    /// Words.
    pub lexicon: Arc<Lexicon>,
    /// Leave values and win % model.
    pub evaluator: Arc<Evaluator>,
}

/// The kind of search. Which one fits a position says [`phase::auto_mode`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Rank plays statically.
    Gen,
    /// Simulate.
    Sim,
    /// Solve with an empty bag.
    Endgame,
    /// Pre-endgame: one to [`pre_endgame::MOST_IN_BAG`] tiles in the bag.
    Peg,
}

/// A question to the engine.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The position; the player on turn is to move and his rack is known.
    pub position: Position,
    /// The kind of search.
    pub mode: Mode,
    /// Counted limits.
    pub limits: Limits,
    /// Plies after the candidate in a simulation (default: [`rollout::Horizon::usual`]); plies of an endgame (default: until it
    /// is solved).
    pub plies: Option<usize>,
    /// Candidates to look at, or rows of a static ranking (default 15, in a pre-endgame all).
    pub candidates: Option<usize>,
    /// Only these plays.
    pub only: Option<Vec<Play>>,
    /// These plays too.
    pub also: Vec<Play>,
    /// Worker threads.
    pub threads: usize,
    /// Of an endgame: ask only who wins.
    pub first_win: bool,
    /// MiB for the table of an exact search.
    pub hash_megabytes: usize,
    /// Seed of all randomness: the same seed, the same answer.
    pub seed: u64,
    /// The opponent passes in the rollouts.
    pub opponent_passes: bool,
    /// Hand every sample to the `on_sample` callback of [`run`].
    pub log_samples: bool,
    /// Sample all candidates of a simulation in every iteration, the hopeless ones, too.
    pub equally: bool,
}

impl SearchRequest {
    /// A search of all usual candidates by one thread, with nothing special asked.
    pub fn new(position: Position, mode: Mode, limits: Limits) -> SearchRequest {
        SearchRequest {
            position,
            mode,
            limits,
            plies: None,
            candidates: None,
            only: None,
            also: Vec::new(),
            threads: 1,
            first_win: false,
            hash_megabytes: 1,
            seed: 1,
            opponent_passes: false,
            log_samples: false,
            equally: false,
        }
    }
}

/// One play of a logged rollout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoggedPly {
    /// The rack before the play.
    pub rack: crate::rules::Rack,
    /// The play.
    pub play: Play,
    /// Its score.
    pub score: i32,
}

/// One logged rollout.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedSample {
    /// 0-based iteration: equal numbers share racks and the order of the bag.
    pub iteration: u64,
    /// The candidate, then the plies after it. Plays are placed on the board before them, in turn.
    pub plies: Vec<LoggedPly>,
    /// Spread at the horizon, mover's view, leaves not counted, points; the final one if the game is over there.
    pub spread: i32,
    /// Probability of winning at the horizon, 0 to 1.
    pub win: f64,
}

/// What a search calls back. Reports come from the calling thread, in order.
pub trait Listener {
    /// A ranking; each one replaces the last.
    fn report(&mut self, report: Report);
    /// A rollout, in the order of iterations and candidates, if the request asked for them.
    fn sample(&mut self, _sample: LoggedSample) {}
}

impl<F: FnMut(Report)> Listener for F {
    fn report(&mut self, report: Report) {
        self(report);
    }
}

/// Candidates of a simulation, if the request does not say.
pub const DEFAULT_CANDIDATES: usize = 15;

/// Runs a search on the calling thread (with `request.threads` workers) until a limit or [`Signals::stop`].
///
/// # Panics
/// If the rack of the player on turn is unknown, or [`EndgameDeal::of`] has nothing for an endgame: whoever asks checks that.
pub fn run(knowledge: &Knowledge, request: &SearchRequest, signals: &Signals, listener: &mut dyn Listener) -> Outcome {
    if request.position.end().is_some() {
        return Outcome { best: None, last: None, solved: true };
    }
    assert!(!request.position.mover_rack().is_empty(), "a search needs the mover's rack");
    let mut position = request.position.clone();
    position.deduce_racks();
    let candidates = candidates::choose(knowledge, request, &position);
    // Who asks for the best play, and not for what it is worth, has it.
    let is_alone = candidates.len() == 1 && request.limits.stop_condition.is_some();
    match request.mode {
        Mode::Gen => static_ranking(&position, &candidates),
        Mode::Sim => Simulation::new(knowledge, request, &position, &candidates).run(knowledge, request, signals, listener),
        Mode::Peg | Mode::Endgame if is_alone => static_ranking(&position, &candidates),
        Mode::Peg => pre_endgame::run(knowledge, request, &position, &candidates, signals, listener),
        Mode::Endgame => solve_endgame(knowledge, request, signals, listener),
    }
}

fn static_ranking(position: &Position, candidates: &[EvaluatedPlay]) -> Outcome {
    let rows: Vec<_> = candidates.iter().map(|candidate| candidates::ranked(candidate, position.mover_rack())).collect();
    Outcome { best: rows.first().map(|row| row.play), last: Some(Report::Gen { rows }), solved: true }
}

/// Solves an endgame. A counted limit is held by one thread, so that its answer is the same for any number of them.
fn solve_endgame(knowledge: &Knowledge, request: &SearchRequest, signals: &Signals, listener: &mut dyn Listener) -> Outcome {
    let position = &request.position;
    let deal = EndgameDeal::of(position).expect("an endgame needs both racks and an empty bag");
    let is_counted = request.plies.is_some() || request.limits.nodes.is_some();
    let threads = if is_counted { 1 } else { request.threads };
    let limits = endgame::EndgameLimits { depth: request.plies, nodes: request.limits.nodes, threads };
    let goal = if request.first_win { Goal::FirstWin } else { Goal::Spread };
    let solver = Solver::new(request.hash_megabytes);
    let mut solver = solver.on(position.rules(), &knowledge.lexicon, position.board(), &deal.pool());
    if let Some(only) = &request.only {
        solver.restrict(only.clone());
    }
    // What is solved is the last report, which the caller gives out with the end.
    let mut on_depth = |solution: &Solution| {
        if !solution.solved {
            listener.report(Report::Endgame { solution: solution.clone() });
        }
    };
    let solution = solver.solve(&deal, goal, &limits, signals, &mut on_depth);
    let (best, solved) = (solution.line.first().map(|first| first.play), solution.solved);
    Outcome { best, last: Some(Report::Endgame { solution }), solved }
}
