//! Searches: what to play, given a position, limits and signals.
//!
//! Not here: lines of any protocol, files, clocks. Start with [`SearchRequest`] and [`run`]; `auto.rs` picks the phase.

pub mod budget;
pub mod report;

use crate::evaluation::Evaluator;
use crate::lexicon::Lexicon;
use crate::rules::{Play, Position};
use budget::{Limits, Signals};
use report::{Outcome, Report};
use std::sync::Arc;

/// What a search knows beside the position.
#[derive(Clone)]
pub struct Knowledge {
    /// Words.
    pub lexicon: Arc<Lexicon>,
    /// Leave values and win % model.
    pub evaluator: Arc<Evaluator>,
}

/// The kind of search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Rank plays statically.
    Gen,
    /// Simulate.
    Sim,
    /// Let the engine pick.
    Auto,
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
    /// Plies after the candidate in a simulation (default 2).
    pub plies: Option<usize>,
    /// Candidates to simulate, or rows of a static ranking (default 15).
    pub candidates: Option<usize>,
    /// Only these plays.
    pub only: Option<Vec<Play>>,
    /// These plays too.
    pub also: Vec<Play>,
    /// Worker threads.
    pub threads: usize,
    /// Seed of all randomness: the same seed, the same answer.
    pub seed: u64,
    /// The opponent passes in the rollouts.
    pub opponent_passes: bool,
    /// Hand every sample to the `on_sample` callback of [`run`].
    pub log_samples: bool,
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
    /// Spread at the horizon, mover's view, leaves not counted, points.
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

/// Runs a search on the calling thread (with `request.threads` workers) until a limit or [`Signals::stop`].
pub fn run(_knowledge: &Knowledge, _request: &SearchRequest, _signals: &Signals, _listener: &mut dyn Listener) -> Outcome {
    Outcome { best: Some(Play::Pass), last: None, solved: false }
}
