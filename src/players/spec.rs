//! Players as text: a name, and options after a colon, as in `sim:iterations=500,plays=15`. Parsed with errors that name the
//! place, printed, and made into players.
//!
//! Leave values and win % tables are named here and found by whoever touches files: [`PlayerSpec::leaves`] and
//! [`PlayerSpec::win_table`] say which, a [`Knowledge`] with them comes back to [`PlayerSpec::player`].

use crate::evaluation::heuristics::RackHeuristic;
use crate::players::engine::{EnginePlayer, EngineSettings};
use crate::players::greedy::Greedy;
use crate::players::rack_heuristic::RackHeuristicPlayer;
use crate::players::sim::{SimPlayer, SimSettings};
use crate::players::static_player::StaticPlayer;
use crate::players::{LateGame, Player};
use crate::rules::GameRules;
use crate::search::Knowledge;
use crate::search::budget::StopCondition;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use thiserror::Error;

/// A player by name and options. `Display` gives the whole description, which parses to the same player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerSpec {
    /// How he plays.
    pub strategy: Strategy,
    leaves: Option<String>,
    bag: Option<String>,
    racks: Option<String>,
    win_table: Option<String>,
}

/// The strategies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Most points.
    Greedy,
    /// Gordon's heuristics.
    RackHeuristic(RackHeuristic),
    /// Static equity.
    Static(LateGame),
    /// Simulation.
    Sim(SimSettings),
    /// The whole engine.
    Engine(EngineSettings),
}

/// Gordon's heuristics as players and as names of leave values.
const RACK_HEURISTICS: [(&str, RackHeuristic); 3] =
    [("rack1", RackHeuristic::Letters), ("rack2", RackHeuristic::Duplicates), ("rack3", RackHeuristic::VowelMix)];

/// The names of all players, with the options that each knows.
const PLAYERS: [(&str, &[&str]); 7] = [
    ("greedy", &[]),
    ("rack1", &[]),
    ("rack2", &[]),
    ("rack3", &[]),
    ("static", &["late", "leaves", "bag", "racks"]),
    ("sim", &["late", "iterations", "plays", "plies", "stop", "leaves", "bag", "racks", "winpct"]),
    ("engine", &["late", "iterations", "nodes", "leaves", "bag", "racks", "winpct"]),
];

/// The values of `late`.
const LATE_GAMES: [(&str, LateGame); 2] = [("on", LateGame::On), ("off", LateGame::Off)];

/// The value of `stop` that never ends a simulation early.
const NEVER: &str = "none";

/// Why a text is no player.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum PlayerSpecError {
    /// Nobody of this name.
    #[error("there is no player {name:?}; the players are {known}", known = names())]
    UnknownPlayer {
        /// The name.
        name: String,
    },
    /// An option that the player lacks.
    #[error("{player}: unknown option {option}; {player} knows {known}")]
    UnknownOption {
        /// The player.
        player: &'static str,
        /// The option.
        option: String,
        /// Those he has.
        known: String,
    },
    /// An option without a value.
    #[error("{player}: {text:?} is no option: expected option=value")]
    NoValue {
        /// The player.
        player: &'static str,
        /// What stands there.
        text: String,
    },
    /// A value that does not fit.
    #[error("{player}: {option}={value}: expected {expected}")]
    BadValue {
        /// The player.
        player: &'static str,
        /// The option.
        option: String,
        /// What was given.
        value: String,
        /// What would have been right.
        expected: &'static str,
    },
    /// The same option again.
    #[error("{player}: {option} is given twice")]
    Twice {
        /// The player.
        player: &'static str,
        /// The option.
        option: String,
    },
}

fn names() -> String {
    PLAYERS.map(|(name, _)| name).join(", ")
}

impl PlayerSpec {
    /// The leave values to be found: `none`, a heuristic's name, a file, or `auto` for the lexicon's own.
    pub fn leaves(&self) -> &str {
        match (self.strategy, &self.leaves) {
            (Strategy::Greedy, _) => "none",
            (Strategy::RackHeuristic(heuristic), _) => heuristic.name(),
            (_, Some(name)) => match RACK_HEURISTICS.iter().find(|(short, _)| short == name) {
                Some((_, heuristic)) => heuristic.name(),
                None => name,
            },
            (_, None) => "auto",
        }
    }

    /// The win % table to be found: a file, or `auto` for the lexicon's own.
    pub fn win_table(&self) -> &str {
        self.win_table.as_deref().unwrap_or("auto")
    }

    /// The terms for the end of the bag to be found: `none`, a file, or `auto` for those that go with the leave values.
    pub fn bag(&self) -> &str {
        self.bag.as_deref().unwrap_or("auto")
    }

    /// The file with the means of full racks, for dynamic leaves.
    pub fn racks(&self) -> Option<&str> {
        self.racks.as_deref()
    }

    /// The player, with the words and tables he knows.
    pub fn player<'a>(&self, rules: &'a Arc<GameRules>, knowledge: &'a Knowledge) -> Box<dyn Player + 'a> {
        let (words, leaves) = (knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves);
        match self.strategy {
            Strategy::Greedy => Box::new(Greedy::new(rules, words, leaves)),
            Strategy::RackHeuristic(_) => Box::new(RackHeuristicPlayer::new(rules, words, leaves)),
            Strategy::Static(late) => Box::new(StaticPlayer::new(rules, knowledge, late)),
            Strategy::Sim(settings) => Box::new(SimPlayer::new(knowledge, settings)),
            Strategy::Engine(settings) => Box::new(EnginePlayer::new(knowledge, settings)),
        }
    }

    fn set(&mut self, player: &'static str, option: &str, value: &str) -> Result<(), PlayerSpecError> {
        let bad = |expected| PlayerSpecError::BadValue { player, option: option.to_string(), value: value.to_string(), expected };
        let count = |most: u64, expected| value.parse().ok().filter(|count| (1..=most).contains(count)).ok_or_else(|| bad(expected));
        match (option, &mut self.strategy) {
            ("leaves" | "winpct" | "bag" | "racks", _) if value.is_empty() => return Err(bad("a name or a file")),
            ("leaves", _) => self.leaves = Some(value.to_string()),
            ("winpct", _) => self.win_table = Some(value.to_string()),
            ("bag", _) => self.bag = Some(value.to_string()),
            ("racks", _) => self.racks = Some(value.to_string()),
            ("iterations", Strategy::Sim(sim)) => sim.iterations = count(1_000_000_000, "a number from 1 to 1000000000")?,
            ("iterations", Strategy::Engine(engine)) => engine.iterations = count(1_000_000_000, "a number from 1 to 1000000000")?,
            ("nodes", Strategy::Engine(engine)) => engine.nodes = count(1_000_000_000_000, "a number from 1 to 1000000000000")?,
            ("late", Strategy::Static(late) | Strategy::Sim(SimSettings { late, .. }) | Strategy::Engine(EngineSettings { late, .. })) => {
                *late = LATE_GAMES.into_iter().find(|(word, _)| *word == value).ok_or_else(|| bad("on or off"))?.1;
            }
            ("plays", Strategy::Sim(sim)) => sim.plays = count(1000, "a number from 1 to 1000")? as usize,
            ("plies", Strategy::Sim(sim)) => sim.plies = Some(count(50, "a number from 1 to 50")? as usize),
            ("stop", Strategy::Sim(sim)) => {
                sim.stop = match value {
                    NEVER => None,
                    "95" => Some(StopCondition::Percent95),
                    "98" => Some(StopCondition::Percent98),
                    "99" => Some(StopCondition::Percent99),
                    _ => return Err(bad("95, 98, 99 or none")),
                }
            }
            _ => unreachable!("the table of players lists the options"),
        }
        Ok(())
    }
}

impl FromStr for PlayerSpec {
    type Err = PlayerSpecError;

    fn from_str(text: &str) -> Result<PlayerSpec, PlayerSpecError> {
        let (name, options) = text.split_once(':').map_or((text, None), |(name, options)| (name, Some(options)));
        let found = PLAYERS.iter().find(|(player, _)| *player == name);
        let &(player, known) = found.ok_or_else(|| PlayerSpecError::UnknownPlayer { name: name.to_string() })?;
        let strategy = match player {
            "greedy" => Strategy::Greedy,
            "static" => Strategy::Static(LateGame::default()),
            "sim" => Strategy::Sim(SimSettings::default()),
            "engine" => Strategy::Engine(EngineSettings::default()),
            rack => {
                let heuristic = RACK_HEURISTICS.iter().find(|(name, _)| *name == rack);
                Strategy::RackHeuristic(heuristic.expect("every player has a strategy").1)
            }
        };
        let mut spec = PlayerSpec { strategy, leaves: None, bag: None, racks: None, win_table: None };
        let mut given: Vec<&str> = Vec::new();
        for part in options.into_iter().flat_map(|options| options.split(',')) {
            let Some((option, value)) = part.split_once('=') else {
                return Err(PlayerSpecError::NoValue { player, text: part.to_string() });
            };
            if !known.contains(&option) {
                let known = if known.is_empty() { "none".to_string() } else { known.join(", ") };
                return Err(PlayerSpecError::UnknownOption { player, option: option.to_string(), known });
            }
            if given.contains(&option) {
                return Err(PlayerSpecError::Twice { player, option: option.to_string() });
            }
            given.push(option);
            spec.set(player, option, value)?;
        }
        Ok(spec)
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut options = Vec::new();
        let name = match self.strategy {
            Strategy::Greedy => "greedy",
            Strategy::RackHeuristic(heuristic) => {
                RACK_HEURISTICS.iter().find(|(_, known)| *known == heuristic).map_or("rack", |(name, _)| name)
            }
            Strategy::Static(late) => {
                options.extend((late == LateGame::Off).then(|| "late=off".to_string()));
                "static"
            }
            Strategy::Sim(sim) => {
                options.extend((sim.late == LateGame::Off).then(|| "late=off".to_string()));
                options.extend([format!("iterations={}", sim.iterations), format!("plays={}", sim.plays)]);
                options.extend(sim.plies.map(|plies| format!("plies={plies}")));
                let percent = sim.stop.map(|stop| 100.0 * (1.0 - stop.delta()));
                options.extend(percent.map(|percent| format!("stop={percent:.0}")));
                "sim"
            }
            Strategy::Engine(engine) => {
                let (late, _) = LATE_GAMES.into_iter().find(|(_, late)| *late == engine.late).unwrap_or(LATE_GAMES[0]);
                options.extend([format!("late={late}"), format!("iterations={}", engine.iterations), format!("nodes={}", engine.nodes)]);
                "engine"
            }
        };
        options.extend(self.leaves.iter().map(|leaves| format!("leaves={leaves}")));
        options.extend(self.bag.iter().map(|bag| format!("bag={bag}")));
        options.extend(self.racks.iter().map(|racks| format!("racks={racks}")));
        options.extend(self.win_table.iter().map(|table| format!("winpct={table}")));
        f.write_str(name)?;
        if !options.is_empty() {
            write!(f, ":{}", options.join(","))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let told = match text.parse::<PlayerSpec>() {
            Ok(spec) => {
                let printed = spec.to_string();
                assert_eq!(printed.parse(), Ok(spec), "{printed}");
                printed
            }
            Err(error) => error.to_string(),
        };
        assert_eq!(told, expected, "{text}");
    }

    #[test]
    fn players_are_read_and_printed() {
        for name in
            ["greedy", "rack1", "rack2", "rack3", "static", "static:leaves=a/b.klv2", "static:late=off,leaves=none,bag=none,racks=a.racks"]
        {
            check(name, name);
        }
        check("static:late=on", "static");
        check("engine", "engine:late=on,iterations=500,nodes=50000");
        check("engine:late=off,nodes=9,leaves=none", "engine:late=off,iterations=500,nodes=9,leaves=none");
        check("sim", "sim:iterations=500,plays=15");
        check("sim:plies=3,late=off", "sim:late=off,iterations=500,plays=15,plies=3");
        check("sim:plies=4,iterations=100", "sim:iterations=100,plays=15,plies=4");
        check("sim:stop=99,winpct=w.csv,leaves=rack1", "sim:iterations=500,plays=15,stop=99,leaves=rack1,winpct=w.csv");
    }

    #[test]
    fn errors_name_the_place() {
        check("gredy", "there is no player \"gredy\"; the players are greedy, rack1, rack2, rack3, static, sim, engine");
        check("engine:late=never", "engine: late=never: expected on or off");
        check("sim:plies2=3", "sim: unknown option plies2; sim knows late, iterations, plays, plies, stop, leaves, bag, racks, winpct");
        check("greedy:leaves=none", "greedy: unknown option leaves; greedy knows none");
        check("sim:plies", "sim: \"plies\" is no option: expected option=value");
        check("static:", "static: \"\" is no option: expected option=value");
        check("sim:plies=0", "sim: plies=0: expected a number from 1 to 50");
        check("sim:stop=97", "sim: stop=97: expected 95, 98, 99 or none");
        check("sim:plies=2,plies=2", "sim: plies is given twice");
        check("static:leaves=", "static: leaves=: expected a name or a file");
    }

    #[test]
    fn tables_to_be_found() {
        let tables = |text: &str| {
            let spec: PlayerSpec = text.parse().unwrap();
            (spec.leaves().to_string(), spec.win_table().to_string())
        };
        let expect = |leaves: &str, win: &str| (leaves.to_string(), win.to_string());
        assert_eq!(tables("greedy"), expect("none", "auto"));
        assert_eq!(tables("rack2"), expect("rack-heuristic-2", "auto"));
        assert_eq!(tables("static:leaves=rack1"), expect("rack-heuristic-1", "auto"));
        assert_eq!(tables("sim:leaves=x.klv2,winpct=y.csv"), expect("x.klv2", "y.csv"));
        assert_eq!(tables("static"), expect("auto", "auto"));
    }
}
