//! The whole engine as a player: on each turn what `go auto` does, or, with the late game switched off, simulation alone.
//!
//! On a clock he searches until he is told to stop, or has nothing left to decide; without one, to counted limits.

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::movegen::LaneBoard;
use crate::players::{LateGame, Player, View, searched};
use crate::search::phase::{self, PhaseRow, SETTLED};
use crate::search::simulation::DEFAULT_PLIES;
use crate::search::{Analysis, EndgameOptions, Knowledge, PreEndgameOptions, RunSettings, SearchKind, SimulationOptions, StaticOptions};

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

    /// The search with its limits: counted ones without a clock, with one a certainty beyond need.
    fn analysis(&self, view: &View<'_>, kind: SearchKind, plies: Option<usize>) -> Analysis {
        let is_timed = view.clock.is_some();
        let iterations = (!is_timed).then_some(self.settings.iterations);
        let nodes = (!is_timed).then_some(self.settings.nodes);
        match kind {
            SearchKind::Static => Analysis::Static(StaticOptions::default()),
            SearchKind::Simulation => Analysis::Simulation(SimulationOptions {
                plies,
                iterations,
                stop_condition: is_timed.then_some(SETTLED),
                ..SimulationOptions::default()
            }),
            SearchKind::PreEndgame => {
                Analysis::PreEndgame(PreEndgameOptions { nodes, skip_if_forced: is_timed, ..PreEndgameOptions::default() })
            }
            SearchKind::Endgame => Analysis::Endgame(EndgameOptions { nodes, skip_if_forced: is_timed, ..EndgameOptions::default() }),
        }
    }
}

impl Player for EnginePlayer<'_> {
    fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        let position = view.searchable(board);
        let (kind, plies) = match self.settings.late {
            LateGame::On => (position.phase_search(), None),
            LateGame::Off => (SearchKind::Simulation, Some(DEFAULT_PLIES)),
        };
        let settings = RunSettings { threads: 1, seed: view.seed, hash_megabytes: HASH_MEGABYTES };
        searched(self.knowledge, position, self.analysis(view, kind, plies), settings, view.signals)
    }

    fn pace(&self) -> &'static [PhaseRow] {
        match self.settings.late {
            LateGame::On => &phase::TABLE,
            LateGame::Off => &phase::SIMULATION_ONLY,
        }
    }
}
