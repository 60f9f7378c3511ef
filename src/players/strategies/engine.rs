//! The whole engine as a player: each turn is the answer to `go auto`. With the late game switched
//! off, it only simulates.
//!
//! On a clock, it searches until it is stopped or has nothing left to decide. Without a clock, it searches to counted limits.
//!
//! Three kinds of players differ from it only in what they know of the opponent's rack:
//!
//! - `inference` infers the tiles that the opponent kept, as the Inference player of \[Richards & Amir 2007\] does, but with this engine's
//!   searches. Simulations deal the opponent's tiles by the belief from their last turns, and pre-endgames weigh draws by it. The player of
//!   that paper is `inference:richards-amir`.
//! - `knowall` sees the opponent's whole rack, as the Full Knowledge player of the same paper.
//! - `knowleave` sees the tiles that the opponent kept on their last turn, which is the most that can be inferred from that turn.
//!
//! The last two cheat by design. They are not meant as opponents: their matches against the plain engine show how much perfect inference
//! would gain. Their [`Sight`] defines what they see.

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::movegen::LaneBoard;
use crate::players::clock::{self, CLOCK_STOP, ClockPace};
use crate::players::kind::{BAG, KindLeaves, LATE, LEAVES, OptionPrinted, PlayerKind, PlayerOption, PlayerOptions, RACKS, WIN_TABLE};
use crate::players::player::{LateGame, Player, Searched, searched};
use crate::players::view::{Sight, View};
use crate::rules::VariantSupport;
use crate::search::simulation::DEFAULT_PLIES;
use crate::search::{
    Analysis, EndgameOptions, InferenceOptions, Knowledge, OpponentModel, OpponentTiles, PreEndgameOptions, SearchKind, SimulationOptions,
    StaticOptions,
};

/// The engine, as `go auto` plays.
pub const ENGINE: PlayerKind = PlayerKind {
    name: "engine",
    about: "each phase of the game with its own search; late=off: simulation to the last turn. With --clock, iterations and nodes \
            do not count: each turn takes its share of the clock",
    sight: Sight::Fair,
    options: &[ALWAYS_LATE, ITERATIONS, NODES, LEAVES, BAG, RACKS, WIN_TABLE],
    leaves: KindLeaves::Lexicon,
    variants: VariantSupport::MOST_POINTS,
    make: |options, _, knowledge| Box::new(EnginePlayer::new(knowledge, EngineSettings::of(options))),
};

/// The engine with an opponent model.
pub const INFERENCE: PlayerKind = PlayerKind {
    name: "inference",
    about: "the engine, but it infers the opponent's tiles before it simulates; held: racks compared with each of their turns, at most",
    options: &[MODEL, HELD, SIMS, ALWAYS_LATE, ITERATIONS, NODES, LEAVES, WIN_TABLE],
    variants: VariantSupport::SPELLED,
    make: |options, _, knowledge| Box::new(EnginePlayer::new(knowledge, EngineSettings::inferring(options))),
    ..ENGINE
};

/// The engine that sees the opponent's whole rack.
pub const KNOW_ALL: PlayerKind = PlayerKind {
    name: "knowall",
    about: "the engine that cheats: it sees the opponent's whole rack, to measure what knowing it is worth",
    sight: Sight::Whole,
    variants: VariantSupport::SPELLED,
    ..ENGINE
};

/// The engine that sees the opponent's last leave.
pub const KNOW_LEAVE: PlayerKind = PlayerKind {
    name: "knowleave",
    about: "the engine that cheats: it sees what the opponent kept on their last turn, to measure what inferring it could gain",
    sight: Sight::LastLeave,
    ..KNOW_ALL
};

const ALWAYS_LATE: PlayerOption = LATE.printed(OptionPrinted::Always);
/// Iterations of a simulation.
const ITERATIONS: PlayerOption = PlayerOption::count("iterations", 1_000_000_000, 500);
/// Nodes of an exact search.
const NODES: PlayerOption = PlayerOption::count("nodes", 1_000_000_000_000, 50_000);
const MODEL: PlayerOption =
    PlayerOption::word("model", &["uniform", "richards-amir", "static", "sim", "auto"], "static").printed(OptionPrinted::Bare);
/// Racks that `inference:sim` simulates.
const SIMS: PlayerOption = PlayerOption::count("sims", 2000, 20).printed(OptionPrinted::IfNotDefault);
const HELD: PlayerOption = PlayerOption::count("held", 200_000, 1000);

/// The limits of a player without a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineSettings {
    /// On: searches as in the table of phases. Off: simulation of two plies to the last turn.
    pub late: LateGame,
    /// Samples of the leading candidate in a simulation.
    pub iterations: u64,
    /// Nodes of a pre-endgame or an endgame.
    pub nodes: u64,
    /// The model of how the opponent chooses.
    pub model: OpponentModel,
    /// The most racks that are compared with each of the opponent's turns.
    pub held: usize,
    /// The most racks that are simulated if the model of the opponent simulates.
    pub simulated: usize,
}

impl EngineSettings {
    /// Returns the settings from these options, without an opponent model.
    pub fn of(options: &PlayerOptions) -> EngineSettings {
        let (iterations, nodes) = (options.count(&ITERATIONS), options.count(&NODES));
        EngineSettings { late: options.late_game(), iterations, nodes, model: OpponentModel::Uniform, held: 1, simulated: 0 }
    }

    /// Returns the settings from the options of a player that infers.
    fn inferring(options: &PlayerOptions) -> EngineSettings {
        let model = OpponentModel::from_name(options.word(&MODEL)).unwrap_or_default();
        let held = usize::try_from(options.count(&HELD)).unwrap_or(usize::MAX);
        let simulated = usize::try_from(options.count(&SIMS)).unwrap_or(usize::MAX);
        EngineSettings { model, held, simulated, ..EngineSettings::of(options) }
    }
}

/// A player that plays the engine's answer to `go auto`.
pub struct EnginePlayer<'a> {
    knowledge: &'a Knowledge,
    settings: EngineSettings,
    expected_win: Option<f64>,
}

impl<'a> EnginePlayer<'a> {
    /// Returns a player that searches with this knowledge.
    pub fn new(knowledge: &'a Knowledge, settings: EngineSettings) -> EnginePlayer<'a> {
        EnginePlayer { knowledge, settings, expected_win: None }
    }

    /// Returns the source of the opponent's tiles for this turn.
    fn opponent_tiles(&self, view: &View<'_>) -> OpponentTiles {
        let EngineSettings { model, held, simulated, .. } = self.settings;
        let turns = if model == OpponentModel::Uniform { Vec::new() } else { view.opponents_turns() };
        if turns.is_empty() {
            return OpponentTiles::Uniform;
        }
        OpponentTiles::Inferred(InferenceOptions { most_racks: held, most_simulated: simulated, ..InferenceOptions::new(model, turns) })
    }

    /// Returns the search with its limits: counted limits without a clock, or a very high certainty with one.
    fn analysis(&self, view: &View<'_>, kind: SearchKind, plies: Option<usize>) -> Analysis {
        let is_timed = view.clock.is_some();
        let iterations = (!is_timed).then_some(self.settings.iterations);
        let nodes = (!is_timed).then_some(self.settings.nodes);
        match kind {
            SearchKind::Static => Analysis::Static(StaticOptions::default()),
            SearchKind::Simulation => Analysis::Simulation(SimulationOptions {
                plies,
                iterations,
                stop_condition: is_timed.then_some(CLOCK_STOP),
                opponent_tiles: self.opponent_tiles(view),
                ..SimulationOptions::default()
            }),
            SearchKind::PreEndgame => {
                let opponent_tiles = self.opponent_tiles(view);
                Analysis::PreEndgame(PreEndgameOptions { nodes, skip_if_forced: is_timed, opponent_tiles, ..PreEndgameOptions::default() })
            }
            SearchKind::Inference | SearchKind::Replies => unreachable!("no phase of the game asks for it"),
            SearchKind::Endgame => Analysis::Endgame(EndgameOptions { nodes, skip_if_forced: is_timed, ..EndgameOptions::default() }),
        }
    }
}

impl Player for EnginePlayer<'_> {
    fn choose(&mut self, _: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        let position = view.searchable();
        let (kind, plies) = match self.settings.late {
            LateGame::On => (position.phase_search(), None),
            LateGame::Off => (SearchKind::Simulation, Some(DEFAULT_PLIES)),
        };
        let Searched { play, win } = searched(self.knowledge, position, self.analysis(view, kind, plies), view);
        self.expected_win = win;
        play
    }

    fn expected_win(&self) -> Option<f64> {
        self.expected_win
    }

    fn pace(&self) -> &'static ClockPace {
        match self.settings.late {
            LateGame::On => &clock::USUAL,
            LateGame::Off => &clock::SIMULATION_ONLY,
        }
    }
}
