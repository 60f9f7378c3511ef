//! What a search reports while it runs and when it ends. Numbers only; `protocol/ranking.rs` turns them into lines.
//!
//! The options of a search are the question, and each kind of options has its own report ([`Search`]):
//! a caller who asks for a simulation gets the report of a simulation. [`Analysis`] is for callers who
//! choose the kind at run time; its report is the enum [`Report`].

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::rules::{Play, Rack, Square, Tile};
use crate::search::analysis::{
    Analysis, EndgameOptions, InferenceOptions, PreEndgameOptions, RepliesOptions, SimulationOptions, StaticOptions,
};
use crate::search::endgame::Solution;
use crate::search::inference::types::Belief;
use std::sync::Arc;

/// Statistics of one ply of the rollouts, over all of a candidate's samples.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
#[non_exhaustive]
pub struct PlyStats {
    /// Share of the samples that reached this ply, 0 to 1; below 1 only if the game may end before it. The other numbers are of these samples.
    pub share: f64,
    /// Mean score of the ply's play, points.
    pub score_mean: f64,
    /// Its standard deviation.
    pub score_deviation: f64,
    /// Share of bingos, 0 to 1.
    pub bingo_share: f64,
}

/// A candidate's standing in a simulation.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SimulationRow {
    /// The candidate with its static evaluation.
    pub ranked: EvaluatedPlay,
    /// Chance of winning, 0 to 1, from the mover's side; a tie counts half. The mean over the samples, corrected by how often such chances
    /// came true in games. Without samples, the chance by static evaluation, not corrected.
    pub win: f64,
    /// Its standard error.
    pub win_error: f64,
    /// The mean over the samples before its correction.
    pub sampled_win: f64,
    /// Mean spread gained until the horizon with the leaves' values, points.
    pub equity: f64,
    /// Its standard error.
    pub equity_error: f64,
    /// Number of samples.
    pub iterations: u64,
    /// Whether it is no longer sampled.
    pub pruned: bool,
    /// One entry for each ply after the candidate.
    pub plies: Vec<PlyStats>,
}

/// The basis of a row of a pre-endgame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PreEndgameBasis {
    /// Static evaluation: the candidate has not been examined.
    Static,
    /// Broken off within a stage, because the candidate could no longer reach the best. Deals not examined have no result, or an older one.
    BrokenOff,
    /// Greedy playouts.
    Playouts,
    /// Endgames, not all of them solved.
    Searched,
    /// Solved endgames, reached by a model of the players' choices, because tiles are left in the bag after the candidate.
    Solved,
    /// Proved for every draw.
    Proved,
}

/// What is proved about the first row of a pre-endgame, among the plays that were asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PreEndgameClaim {
    /// Nothing.
    Nothing,
    /// No play has a greater share of wins.
    Share,
    /// No play has a greater share of wins, or the same one and a greater mean spread.
    Best,
}

/// A candidate's standing in a pre-endgame.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PreEndgameRow {
    /// The candidate with its static evaluation.
    pub ranked: EvaluatedPlay,
    /// How many of a draw's tiles the mover draws right after the candidate: the first ones.
    pub drawn: usize,
    /// Draws that win, each in the order of drawing.
    pub wins: Vec<Vec<Tile>>,
    /// Draws that tie.
    pub ties: Vec<Vec<Tile>>,
    /// Draws that lose.
    pub losses: Vec<Vec<Tile>>,
    /// Chance of winning over the draws examined, weighted by their probability, 0 to 1. A proved
    /// win counts 1 and a proved tie one half. Unproved results count with their corrected chance.
    pub win: f64,
    /// Mean final lead, points: by playouts, until endgames are searched to break ties. `None` without playouts.
    pub spread: Option<f64>,
    /// The basis of these results.
    pub basis: PreEndgameBasis,
}

impl PreEndgameRow {
    /// Whether any draw has been examined.
    pub fn has_results(&self) -> bool {
        self.basis != PreEndgameBasis::Static
    }
}

/// A static ranking.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StaticReport {
    /// The plays, best first.
    pub rows: Vec<EvaluatedPlay>,
}

/// The standings of a simulation.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SimulationReport {
    /// All candidates, best first.
    pub rows: Vec<SimulationRow>,
    /// Plies after the candidate. If rollouts go to the end of the game, those of the longest one.
    pub plies: usize,
    /// Plays generated so far.
    pub nodes: u64,
}

/// The standings of a pre-endgame.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PreEndgameReport {
    /// All candidates, best first.
    pub rows: Vec<PreEndgameRow>,
    /// Stages begun.
    pub stage: usize,
    /// Plays generated and endgame positions searched so far.
    pub nodes: u64,
    /// What is proved about the first row.
    pub claim: PreEndgameClaim,
}

/// A mean over racks.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
#[non_exhaustive]
pub struct RackMean {
    /// The mean; 0 without racks.
    pub mean: f64,
    /// Its standard error; 0 if it is exact.
    pub error: f64,
    /// Racks that were examined.
    pub racks: u64,
    /// Whether these are all possible racks.
    pub is_exact: bool,
}

/// A reply.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ReplyRow {
    /// The play.
    pub play: Play,
    /// Points it scores.
    pub score: i32,
    /// How often it is the best reply, 0 to 1.
    pub share: f64,
}

/// The replies to a play.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RepliesReport {
    /// The play.
    pub play: Play,
    /// How often the mover has a bingo on the next turn, 0 to 1, if the opponent's reply is ignored.
    pub own_bingo: RackMean,
    /// How often the opponent has a bingo in reply.
    pub reply_bingo: RackMean,
    /// Points of the best replies.
    pub score: RackMean,
    /// The squares that best replies place tiles on, row by row, with their shares, 0 to 1.
    pub squares: Vec<(Square, f64)>,
    /// The best replies, most frequent first, a thousand at most.
    pub replies: Vec<ReplyRow>,
}

/// A report during a search whose kind is chosen at run time.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Report {
    /// A static ranking. Other searches also report one if only one play is possible.
    Static(StaticReport),
    /// The standings of a simulation.
    Simulation(SimulationReport),
    /// The solution of an endgame: the value, the line, and what is proved about them.
    Endgame(Solution),
    /// A belief about the tiles that the opponent kept: leaves with their chances, likeliest first.
    Inference(Arc<Belief>),
    /// The standings of a pre-endgame.
    PreEndgame(PreEndgameReport),
    /// The replies to a play.
    Replies(RepliesReport),
}

impl Report {
    /// Returns the chance of winning of the first row, 0 to 1, for a mover who leads by `lead` points now; a tie is half a win. `None`
    /// if the report has no such chance: static values do not, nor does an endgame whose winner is not known.
    pub(crate) fn first_win(&self, lead: i32) -> Option<f64> {
        match self {
            Report::Simulation(SimulationReport { rows, .. }) => rows.first().filter(|row| row.iterations > 0).map(|row| row.win),
            Report::PreEndgame(PreEndgameReport { rows, .. }) => rows.first().filter(|row| row.has_results()).map(|row| row.win),
            Report::Endgame(solution) => solution.outcome(lead).map(|sign| f64::from(1 + sign) / 2.0),
            Report::Static(_) | Report::Inference(_) | Report::Replies(_) => None,
        }
    }
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Outcome<R = Report> {
    /// The best play. `None` for an inference, for a search for replies, and when the game is over.
    pub best: Option<Play>,
    /// The last report, to be printed right before the best move. `None` when there was nothing to rank.
    pub last: Option<R>,
    /// Whether more searching could not change the result.
    pub solved: bool,
}

/// One play of a logged rollout.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct LoggedPly {
    /// The rack before the play.
    pub rack: Rack,
    /// The play.
    pub play: Play,
    /// Its score.
    pub score: i32,
}

/// One logged rollout.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LoggedSample {
    /// 0-based iteration: equal numbers share racks and the order of the bag.
    pub iteration: u64,
    /// The candidate, then the plies after it. Each play is to be placed on the board that those before it have left.
    pub plies: Vec<LoggedPly>,
    /// Spread at the horizon, mover's view, leaves not counted, points; the final one if the game is over there.
    pub spread: i32,
    /// Spread gained until the horizon with the leaves' values there, points.
    pub equity: f64,
    /// Probability of winning at the horizon, 0 to 1. Not corrected.
    pub win: f64,
}

/// Receives a search's reports. They come from the calling thread, in order.
pub trait Listener {
    /// Receives a ranking, which replaces the one before.
    fn report(&mut self, report: Report);
    /// Receives a rollout, in the order of iterations and candidates, if the request asked for rollouts.
    fn sample(&mut self, _sample: LoggedSample) {}
}

impl<F: FnMut(Report)> Listener for F {
    fn report(&mut self, report: Report) {
        self(report);
    }
}

/// A question that a search answers. The options of the searches are such questions, and so is [`Analysis`].
pub trait Search {
    /// What the search reports.
    type Report;

    /// Returns the question as a value of one type for all kinds.
    fn analysis(self) -> Analysis;

    /// Returns the report as one of the search's own kind. `None` if it is of another kind: a search with a single possible
    /// play answers with a static ranking.
    fn report(report: Report) -> Option<Self::Report>;
}

/// One question a line: its options, its kind, its report.
macro_rules! searches {
    ($($options:ty, $kind:ident, $report:ty;)*) => {$(
        impl Search for $options {
            type Report = $report;

            fn analysis(self) -> Analysis {
                Analysis::$kind(self)
            }

            fn report(report: Report) -> Option<$report> {
                match report {
                    Report::$kind(report) => Some(report),
                    _ => None,
                }
            }
        }
    )*};
}

searches! {
    StaticOptions, Static, StaticReport;
    SimulationOptions, Simulation, SimulationReport;
    PreEndgameOptions, PreEndgame, PreEndgameReport;
    EndgameOptions, Endgame, Solution;
    InferenceOptions, Inference, Arc<Belief>;
    RepliesOptions, Replies, RepliesReport;
}

impl Search for Analysis {
    type Report = Report;

    fn analysis(self) -> Analysis {
        self
    }

    fn report(report: Report) -> Option<Report> {
        Some(report)
    }
}

impl Outcome {
    /// Returns the outcome with the last report as one of this kind of search, if it is of this kind.
    pub fn of<S: Search>(self) -> Outcome<S::Report> {
        Outcome { best: self.best, last: self.last.and_then(S::report), solved: self.solved }
    }
}
