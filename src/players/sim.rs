//! The simulating player: a simulation with a counted limit for each turn.

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::movegen::LaneBoard;
use crate::players::{Player, View};
use crate::search::budget::{Limits, StopCondition};
use crate::search::phase::{self, PhaseRow};
use crate::search::report::Report;
use crate::search::rollout::DEFAULT_PLIES;
use crate::search::{self, DEFAULT_CANDIDATES, Knowledge, Mode, SearchRequest};

/// How long and how wide the simulations are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimSettings {
    /// Samples of the leading candidate.
    pub iterations: u64,
    /// Candidates.
    pub plays: usize,
    /// Plies after the candidate.
    pub plies: usize,
    /// Certainty of the leader that ends a simulation early.
    pub stop: Option<StopCondition>,
}

impl Default for SimSettings {
    fn default() -> SimSettings {
        SimSettings { iterations: 500, plays: DEFAULT_CANDIDATES, plies: DEFAULT_PLIES, stop: None }
    }
}

/// See the module's text.
pub struct SimPlayer<'a> {
    knowledge: &'a Knowledge,
    settings: SimSettings,
}

impl<'a> SimPlayer<'a> {
    /// A player who simulates with this knowledge.
    pub fn new(knowledge: &'a Knowledge, settings: SimSettings) -> SimPlayer<'a> {
        SimPlayer { knowledge, settings }
    }
}

impl Player for SimPlayer<'_> {
    fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        // With an empty bag there is no chance left: every iteration would be the same.
        let iterations = if view.tiles.in_bag == 0 { 1 } else { self.settings.iterations };
        let limits = Limits { iterations: Some(iterations), stop_condition: self.settings.stop, ..Limits::default() };
        let request = SearchRequest {
            plies: Some(self.settings.plies),
            candidates: Some(self.settings.plays),
            seed: view.seed,
            ..SearchRequest::new(view.position(board), Mode::Sim, limits)
        };
        let outcome = search::run(self.knowledge, &request, view.signals, &mut |_: Report| {});
        let Some(Report::Sim { rows, .. }) = outcome.last else { panic!("a simulation reports a simulation") };
        let best = rows.first().expect("a simulation has a candidate").ranked;
        EvaluatedPlay { play: best.play, score: best.score, equity_millipoints: best.equity_millipoints }
    }

    fn pace(&self) -> &'static [PhaseRow] {
        &phase::SIMULATION_ONLY
    }
}
