//! The simulating player: a limited simulation for each turn, and a short search once the bag is
//! empty.

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::movegen::LaneBoard;
use crate::players::clock::{self, ClockPace};
use crate::players::kind::{BAG, KindLeaves, LATE, LEAVES, PlayerKind, PlayerOption, PlayerOptions, RACKS, WIN_TABLE};
use crate::players::player::{LateGame, Player, Searched, searched};
use crate::players::view::{Sight, View};
use crate::rules::VariantSupport;
use crate::search::budget::StopCondition;
use crate::search::candidates::DEFAULT_CANDIDATES;
use crate::search::simulation::DEFAULT_PLIES;
use crate::search::{Analysis, EndgameOptions, Knowledge, PlaySelection, SearchKind, SimulationOptions};

/// Positions generated in the search of an endgame, which takes about as long as a simulation.
const ENDGAME_NODES: u64 = 10_000;

/// The player by simulation.
pub const SIM: PlayerKind = PlayerKind {
    name: "sim",
    about: "simulation: two plies after each play, or N; with nine or fewer tiles in the bag, to the end of the game; once the bag is empty, \
            the endgame is searched; nodes=N: until N plays are generated, instead of iterations; equity=N: the mean equity also counts, with \
            N percent of the weight of the chance of winning, by default 30; prior=off: static equity picks the candidates but \
            does not count after that; late=off: two plies to the last turn",
    sight: Sight::Fair,
    options: &[LATE, ITERATIONS, NODES, PLAYS, PLIES, EQUITY, PRIOR, STOP, LEAVES, BAG, RACKS, WIN_TABLE],
    leaves: KindLeaves::Lexicon,
    variants: VariantSupport::MOST_POINTS,
    make: |options, _, knowledge| Box::new(SimPlayer { knowledge, settings: SimSettings::of(options), expected_win: None }),
};

const ITERATIONS: PlayerOption = PlayerOption::count("iterations", 1_000_000_000, 500);
const PLAYS: PlayerOption = PlayerOption::count("plays", 1000, DEFAULT_CANDIDATES as u64);
const PLIES: PlayerOption = PlayerOption::limit("plies", 50);
const NODES: PlayerOption = PlayerOption::limit("nodes", 1_000_000_000_000);
const EQUITY: PlayerOption = PlayerOption::limit("equity", 1000);
const PRIOR: PlayerOption = PlayerOption::word("prior", &["on", "off"], "on");
const STOP: PlayerOption = PlayerOption::word("stop", &["95", "98", "99", "none"], "none");

/// The length and breadth of the simulations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimSettings {
    /// On: near the end, simulation to the end of the game, and a search once the bag is empty. Off: two plies to the last turn.
    pub late: LateGame,
    /// Samples of the leading candidate, if `nodes` is not given.
    pub iterations: u64,
    /// The limit of plays generated, instead of `iterations`.
    pub nodes: Option<u64>,
    /// The number of candidates.
    pub plays: usize,
    /// Plies after the candidate, if given. They replace those of the late game.
    pub plies: Option<usize>,
    /// The weight of the mean equity, percent of the weight of the chance of winning, if not the usual one.
    pub equity_percent: Option<u64>,
    /// The weight of static equity in samples, if not the usual one.
    pub static_samples: Option<u32>,
    /// Certainty of the leader that ends a simulation early.
    pub stop: Option<StopCondition>,
}

impl SimSettings {
    fn of(options: &PlayerOptions) -> SimSettings {
        SimSettings {
            late: options.late_game(),
            iterations: options.count(&ITERATIONS),
            plays: options.count(&PLAYS) as usize,
            plies: options.count_if_given(&PLIES).map(|plies| plies as usize),
            nodes: options.count_if_given(&NODES),
            equity_percent: options.count_if_given(&EQUITY),
            static_samples: (options.word(&PRIOR) == "off").then_some(0),
            stop: match options.word(&STOP) {
                "95" => Some(StopCondition::Percent95),
                "98" => Some(StopCondition::Percent98),
                "99" => Some(StopCondition::Percent99),
                _ => None,
            },
        }
    }
}

/// Plays by simulation, and by endgame search once the bag is empty.
pub struct SimPlayer<'a> {
    knowledge: &'a Knowledge,
    settings: SimSettings,
    expected_win: Option<f64>,
}

impl Player for SimPlayer<'_> {
    fn choose(&mut self, _: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        let settings = self.settings;
        let simulation = |plies| {
            Analysis::Simulation(SimulationOptions {
                plays: PlaySelection::best(settings.plays),
                plies,
                iterations: settings.nodes.is_none().then_some(settings.iterations),
                nodes: settings.nodes,
                equity_weight: settings.equity_percent.map(|percent| percent as f64 / 100.0),
                static_samples: settings.static_samples,
                stop_condition: settings.stop,
                ..SimulationOptions::default()
            })
        };
        let analysis = match settings.late {
            LateGame::On if view.tiles.in_bag == 0 && SearchKind::Endgame.variants().plays(view.rules.variant) => {
                Analysis::Endgame(EndgameOptions { nodes: Some(ENDGAME_NODES), ..EndgameOptions::default() })
            }
            LateGame::On => simulation(settings.plies),
            LateGame::Off => simulation(Some(settings.plies.unwrap_or(DEFAULT_PLIES))),
        };
        let Searched { play, win } = searched(self.knowledge, view.searchable(), analysis, view);
        self.expected_win = win;
        play
    }

    fn expected_win(&self) -> Option<f64> {
        self.expected_win
    }

    fn pace(&self) -> &'static ClockPace {
        &clock::SIMULATION_ONLY
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::builder::plain_engine;
    use crate::match_play::game::GameLoop;
    use crate::players::tests::exact_worth;
    use crate::rules::GameRules;
    use crate::search::budget::Signals;
    use std::sync::Arc;

    #[test]
    fn with_an_empty_bag_the_play_is_a_best_one() {
        let rules = Arc::new(GameRules::english());
        let knowledge = plain_engine().knowledge();
        let settings = SimSettings { iterations: 1, plays: 2, static_samples: Some(0), ..SimSettings::of(&PlayerOptions::defaults(&SIM)) };
        let mut player = SimPlayer { knowledge, settings, expected_win: None };
        let mut games = GameLoop::new(&rules, knowledge.lexicon.graph());
        let mut endgames = 0;
        for index in 0..8 {
            games.play(7, index, &Signals::default(), |board, view| {
                let chosen = player.choose(board, view);
                if view.tiles.in_bag == 0 && view.tiles.rack.len() + view.tiles.other_rack.len() <= 9 {
                    let worth = |only| exact_worth(knowledge, view.position(), only);
                    assert_eq!(worth(Some(vec![chosen.play])), worth(None), "{:?}", chosen.play);
                    endgames += 1;
                }
                chosen
            });
        }
        assert!(endgames > 6, "{endgames} endgames");
    }
}
