//! The whole engine as a player: on each turn what `go auto` does, or, with the late game switched off, simulation alone.
//!
//! On a clock he searches until he is told to stop, or has nothing left to decide; without one, to counted limits.

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::movegen::LaneBoard;
use crate::players::{LateGame, Player, View, searched};
use crate::search::budget::Limits;
use crate::search::phase::{self, PhaseRow, SETTLED, auto_mode};
use crate::search::rollout::DEFAULT_PLIES;
use crate::search::{Knowledge, Mode, SearchRequest};

/// The table of his exact searches, MiB: as the protocol's default.
const HASH_MEGABYTES: usize = 16;

/// The limits of a player without a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineSettings {
    /// On: searches as the table of phases says. Off: simulation of two plies to the last turn.
    pub late: LateGame,
    /// Samples of the leading candidate in a simulation.
    pub iterations: u64,
    /// Nodes of a pre-endgame or an endgame.
    pub nodes: u64,
}

impl Default for EngineSettings {
    fn default() -> EngineSettings {
        EngineSettings { late: LateGame::On, iterations: 500, nodes: 50_000 }
    }
}

/// See the module's text.
pub struct EnginePlayer<'a> {
    knowledge: &'a Knowledge,
    settings: EngineSettings,
}

impl<'a> EnginePlayer<'a> {
    /// A player who searches with this knowledge.
    pub fn new(knowledge: &'a Knowledge, settings: EngineSettings) -> EnginePlayer<'a> {
        EnginePlayer { knowledge, settings }
    }

    fn limits(&self, view: &View<'_>, mode: Mode) -> Limits {
        match view.clock {
            Some(_) => Limits { stop_condition: Some(SETTLED), ..Limits::default() },
            None if mode == Mode::Sim => Limits { iterations: Some(self.settings.iterations), ..Limits::default() },
            None => Limits { nodes: Some(self.settings.nodes), ..Limits::default() },
        }
    }
}

impl Player for EnginePlayer<'_> {
    fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        let position = view.position(board);
        let (mode, plies) = match self.settings.late {
            LateGame::On => (auto_mode(&position), None),
            LateGame::Off => (Mode::Sim, Some(DEFAULT_PLIES)),
        };
        let request = SearchRequest {
            plies,
            seed: view.seed,
            hash_megabytes: HASH_MEGABYTES,
            ..SearchRequest::new(position, mode, self.limits(view, mode))
        };
        searched(self.knowledge, &request, view.signals)
    }

    fn pace(&self) -> &'static [PhaseRow] {
        match self.settings.late {
            LateGame::On => &phase::TABLE,
            LateGame::Off => &phase::SIMULATION_ONLY,
        }
    }
}
