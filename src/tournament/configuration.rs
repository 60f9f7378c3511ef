//! The settings of a tournament: its engines, the game, the times. The keys of its file are the fields of these types.
//!
//! Not here: reading the file (`src/arena/file.rs`). Start with [`TournamentSetting::competitors`], which checks that the fields fit
//! together.

use crate::formats::cgp::parse_challenge_rule;
use crate::match_play::sprt::{Hypotheses, HypothesesError, Measure, Sprt};
use crate::match_play::time_control::{TimeControl, TimeControlError};
use crate::players::{PlayerSpec, PlayerSpecError};
use crate::rules::{ChallengeRule, Variant, VariantSupport};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use thiserror::Error;

/// The ending of the names of game records.
pub const GCG_ENDING: &str = ".gcg";

/// A tournament, as its file describes it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentSetting {
    /// Pairs of games of each meeting. With a test, the most pairs.
    pub pairs: u64,
    /// Rounds of a Swiss tournament.
    pub rounds: Option<u64>,
    /// Seed of the bags: the same seed, the same tiles.
    #[serde(default = "one")]
    pub seed: u64,
    /// Which engines meet.
    #[serde(default)]
    pub format: TournamentFormat,
    /// Pairs that are played at the same time.
    #[serde(default = "one")]
    pub concurrency: usize,
    /// Processors reserved for each running pair. Without this key, all pairs share all processors.
    pub processors: Option<usize>,
    /// Other draws that each draw is compared with to estimate its luck. Without this key, luck is not estimated.
    pub redraws: Option<u32>,
    /// Whether to count exchanges and sacrifices. A sacrifice is a placement when another one would have scored more.
    #[serde(default, skip_serializing_if = "is_no")]
    pub count_turns: bool,
    /// Which game is played.
    #[serde(default)]
    pub game: GameSetting,
    /// The time of engines without a time of their own.
    #[serde(default)]
    pub time: TimeControl,
    /// How long engines may take for everything except moves.
    #[serde(default)]
    pub patience: EnginePatience,
    /// A test that decides when a tournament of two engines ends.
    pub sprt: Option<SprtSetting>,
    /// The engines, two or more.
    pub engines: Vec<EngineSetting>,
}

fn one<N: From<u8>>() -> N {
    N::from(1)
}

/// Which engines meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentFormat {
    /// Each engine meets each other one.
    #[default]
    RoundRobin,
    /// The first engine meets each other one.
    Gauntlet,
    /// Rounds in which engines of like results meet.
    Swiss,
    /// Each engine meets a copy of itself: any difference has other causes than the engine.
    Copies,
}

/// The game: words, variant, letters, board, bonus. The defaults are the built-in words, and the letters, board and
/// bonus of the variant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GameSetting {
    /// The file of a word list, relative to the tournament's file.
    pub lexicon: Option<String>,
    /// The variant: `classic` (the default) or `crossplay`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// The alphabet: a name, or a file.
    pub letters: Option<String>,
    /// The board: a name, or a file.
    pub layout: Option<String>,
    /// Points for a play of the whole rack.
    pub bonus: Option<i32>,
    /// The challenge rule: `void` (the default), `single`, `double`, `triple`, `5pt` or `10pt`.
    pub challenge: Option<String>,
    /// Files with positions that games begin from: a CGP a line, or records of games (`.gcg`).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub starts: Vec<String>,
    /// The turn of a record, from 1, at which games begin.
    pub start_turn: Option<usize>,
}

/// How long an engine may take for everything except moves, ms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EnginePatience {
    /// From its start to the end of its handshake.
    pub handshake_ms: u64,
    /// To load the files that its options name and to be ready for a game.
    pub newgame_ms: u64,
    /// To take a position.
    pub ready_ms: u64,
    /// From `stop`, when the time is over, to `bestmove`.
    pub stop_ms: u64,
    /// From `quit` to the end of the process.
    pub quit_ms: u64,
}

impl Default for EnginePatience {
    fn default() -> EnginePatience {
        EnginePatience { handshake_ms: 10_000, newgame_ms: 60_000, ready_ms: 5_000, stop_ms: 1_000, quit_ms: 2_000 }
    }
}

/// A sequential test of the first engine against the second.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SprtSetting {
    /// `elo:0,10` or `spread:0,2`.
    pub test: String,
    /// Chance of accepting H1 although H0 holds.
    #[serde(default = "error_chance")]
    pub alpha: f64,
    /// Chance of accepting H0 although H1 holds.
    #[serde(default = "error_chance")]
    pub beta: f64,
}

fn is_no(answer: &bool) -> bool {
    !answer
}

fn error_chance() -> f64 {
    0.05
}

/// An engine, as its table in the file describes it. Either `player` or `dialect` is given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineSetting {
    /// Its name in reports.
    pub name: String,
    /// A player of this program.
    pub player: Option<String>,
    /// How to talk to a program.
    pub dialect: Option<EngineDialect>,
    /// The program: a path relative to the tournament's file if it contains a `/`, or a name on the search path. Without it, the program that
    /// runs the tournament.
    pub command: Option<String>,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// The folder that it is started in, relative to the tournament's file.
    pub folder: Option<String>,
    /// Variables of its environment, in addition to those of the runner.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
    /// The options to set by `setoption`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, OptionSetting>,
    /// The form in which it receives positions. The default is with moves.
    pub positions: Option<PositionForm>,
    /// The words after each `go`: a mode and its parameters.
    pub go: Option<String>,
    /// Whether it may play invalid words. The arbiter challenges them, so that they come off the board.
    #[serde(default, skip_serializing_if = "is_no")]
    pub phonies: bool,
    /// The most memory that all its processes together may use, MB. Without it, there is no limit.
    pub memory_mb: Option<u64>,
    /// The file that its standard error is appended to, relative to the tournament's file. Without it, standard error is lost.
    pub stderr: Option<String>,
    /// Its time, if it differs from that of the other engines.
    pub time: Option<TimeControl>,
}

/// The value of an engine's option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OptionSetting {
    /// `true` or `false`.
    Flag(bool),
    /// A number.
    Number(i64),
    /// Anything else.
    Text(String),
}

impl fmt::Display for OptionSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionSetting::Flag(flag) => write!(f, "{flag}"),
            OptionSetting::Number(number) => write!(f, "{number}"),
            OptionSetting::Text(text) => f.write_str(text),
        }
    }
}

/// How to talk to a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineDialect {
    /// SIU: one process for all games; clocks are given as `movetime`.
    Siu,
    /// UCGI: like SIU, but with clocks.
    Ucgi,
    /// One process per turn. Its last two arguments are a CGP and a number of ms, and it prints a move.
    Exec,
}

/// The form in which an engine receives positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PositionForm {
    /// The start of the game and all moves: for engines that infer.
    #[default]
    Moves,
    /// The position as a CGP: for engines without memory.
    Whole,
}

/// An engine whose settings have been checked.
#[derive(Clone, Debug)]
pub struct Competitor {
    /// Its name in reports.
    pub name: String,
    /// The engine's identity.
    pub kind: CompetitorKind,
    /// Its time.
    pub time: TimeControl,
    /// Whether it may play invalid words.
    pub phonies: bool,
}

impl Competitor {
    /// Whether it is a process that lives during the opponent's turns, so that its processor time there can be measured.
    pub fn is_watched(&self) -> bool {
        matches!(&self.kind, CompetitorKind::Program(program) if program.dialect != EngineDialect::Exec)
    }
}

/// What an engine is.
#[derive(Clone, Debug)]
pub enum CompetitorKind {
    /// A player of this program.
    Player(PlayerSpec),
    /// Another program.
    Program(Box<ProgramSetting>),
}

/// A program and how to talk to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramSetting {
    /// How to talk to it.
    pub dialect: EngineDialect,
    /// The form in which it receives positions.
    pub positions: PositionForm,
    /// All keys of its table in the file.
    pub keys: EngineSetting,
}

/// A wrong value in a tournament's settings. `Display` begins with the key.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{key}: {problem}")]
pub struct ConfigurationError {
    /// The key, such as `engines[1].player`. Engines are counted from 0.
    pub key: String,
    /// What is wrong with its value.
    pub problem: ConfigurationProblem,
}

/// What can be wrong with a value.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum ConfigurationProblem {
    /// Too few engines.
    #[error("{found} engines: expected {fewest} or more")]
    TooFewEngines {
        /// Engines given.
        found: usize,
        /// Engines needed.
        fewest: usize,
    },
    /// A number that must not be 0.
    #[error("expected 1 or more")]
    Zero,
    /// A name that is empty, has several lines, or belongs to an earlier engine.
    #[error("{name:?}: expected a name in one line that no other engine has")]
    BadName {
        /// The name.
        name: String,
    },
    /// Both a player and a program, or neither.
    #[error("expected either player or dialect; command goes only with dialect")]
    NobodyOrBoth,
    /// A missing program.
    #[error("exec needs command, since this program itself speaks only siu and ucgi")]
    NoCommand,
    /// A key that has no effect with another key.
    #[error("this key has no effect with {beside}")]
    Useless {
        /// The other key or value.
        beside: &'static str,
    },
    /// An unknown player.
    #[error(transparent)]
    Player(#[from] PlayerSpecError),
    /// An invalid time control.
    #[error(transparent)]
    Time(#[from] TimeControlError),
    /// An invalid test.
    #[error(transparent)]
    Test(#[from] HypothesesError),
    /// A test of more than two engines.
    #[error("expected two engines")]
    NotTested,
    /// An unknown challenge rule.
    #[error("expected void, single, double, triple, 5pt or 10pt")]
    NoChallengeRule,
    /// A variant that tournaments do not play.
    #[error("expected classic or crossplay")]
    NoVariant,
    /// A game record without the turn at which games begin.
    #[error("a .gcg needs start_turn, the turn at which games begin")]
    NoStartTurn,
    /// A test of luck-adjusted results in a tournament that does not estimate luck.
    #[error("a test of adjusted results needs redraws")]
    NoRedraws,
    /// A chance of error out of range.
    #[error("expected a chance above 0 and below 0.5")]
    BadChance,
    /// Text of several lines for a command of the protocol.
    #[error("expected one line")]
    SeveralLines,
}

impl TournamentSetting {
    /// Checks all values and returns the engines. If engines meet copies of themselves, the copies follow in the same order.
    ///
    /// # Errors
    /// The first wrong value, with its key.
    pub fn competitors(&self) -> Result<Vec<Competitor>, ConfigurationError> {
        let wrong = |key: &str, problem| ConfigurationError { key: key.to_string(), problem };
        for (key, number) in [("pairs", self.pairs), ("concurrency", self.concurrency as u64)] {
            if number == 0 {
                return Err(wrong(key, ConfigurationProblem::Zero));
            }
        }
        let fewest = if self.format == TournamentFormat::Copies { 1 } else { 2 };
        if self.engines.len() < fewest {
            return Err(wrong("engines", ConfigurationProblem::TooFewEngines { found: self.engines.len(), fewest }));
        }
        match (self.format, self.rounds) {
            (TournamentFormat::Swiss, Some(1..)) => {}
            (TournamentFormat::Swiss, _) => return Err(wrong("rounds", ConfigurationProblem::Zero)),
            (_, Some(_)) => return Err(wrong("rounds", ConfigurationProblem::Useless { beside: "a format other than swiss" })),
            (_, None) => {}
        }
        if self.processors == Some(0) {
            return Err(wrong("processors", ConfigurationProblem::Zero));
        }
        let rule = self.game.challenge_rule()?;
        self.game.variant()?;
        if let Some(at) = self.engines.iter().position(|engine| engine.phonies).filter(|_| rule == ChallengeRule::Void) {
            return Err(wrong(
                &format!("engines[{at}].phonies"),
                ConfigurationProblem::Useless { beside: "void challenges (game.challenge)" },
            ));
        }
        let has_records = self.game.starts.iter().any(|file| file.ends_with(GCG_ENDING));
        match self.game.start_turn {
            Some(0) => return Err(wrong("game.start_turn", ConfigurationProblem::Zero)),
            Some(_) if !has_records => {
                return Err(wrong("game.start_turn", ConfigurationProblem::Useless { beside: "starts without a .gcg" }));
            }
            None if has_records => return Err(wrong("game.starts", ConfigurationProblem::NoStartTurn)),
            Some(_) | None => {}
        }
        self.time.check().map_err(|error| wrong(&format!("time.{}", error.key()), error.into()))?;
        self.sprt()?;
        let mut competitors: Vec<Competitor> = Vec::new();
        for (at, engine) in self.engines.iter().enumerate() {
            let place = |(key, problem): (String, ConfigurationProblem)| wrong(&format!("engines[{at}].{key}"), problem);
            let is_taken = competitors.iter().any(|other| other.name == engine.name);
            if is_taken || engine.name.trim().is_empty() || engine.name.contains(char::is_control) {
                return Err(place(("name".to_string(), ConfigurationProblem::BadName { name: engine.name.clone() })));
            }
            competitors.push(engine.competitor(&self.time).map_err(place)?);
        }
        if self.format == TournamentFormat::Copies {
            let copy = |competitor: &Competitor| Competitor { name: format!("{} (copy)", competitor.name), ..competitor.clone() };
            competitors.extend(competitors.iter().map(copy).collect::<Vec<_>>());
        }
        Ok(competitors)
    }

    /// Returns the keys that determine the results, as the journal has them. Left out are the keys that may change between runs: the length
    /// of the tournament, and the number of pairs played at the same time.
    ///
    /// # Errors
    /// None, for settings that were read from a file.
    pub fn identity(&self) -> serde_json::Result<Value> {
        // A Swiss round depends on all pairs of the round before.
        let length = if self.format == TournamentFormat::Swiss { "rounds" } else { "pairs" };
        let mut keys = serde_json::to_value(self)?;
        if let Some(keys) = keys.as_object_mut() {
            [length, "concurrency"].iter().for_each(|key| drop(keys.remove(*key)));
        }
        remove_nulls(&mut keys);
        Ok(keys)
    }

    /// Returns the test, if there is one.
    ///
    /// # Errors
    /// The wrong value of the test, with its key.
    pub fn sprt(&self) -> Result<Option<Sprt>, ConfigurationError> {
        let Some(SprtSetting { test, alpha, beta }) = &self.sprt else { return Ok(None) };
        let wrong = |key: &str, problem| ConfigurationError { key: format!("sprt.{key}"), problem };
        let hypotheses: Hypotheses = test.parse().map_err(|error: HypothesesError| wrong("test", error.into()))?;
        if self.engines.len() != 2 {
            return Err(wrong("test", ConfigurationProblem::NotTested));
        }
        if hypotheses.measure == Measure::AdjustedSpread && self.redraws.is_none_or(|redraws| redraws == 0) {
            return Err(wrong("test", ConfigurationProblem::NoRedraws));
        }
        for (key, chance) in [("alpha", alpha), ("beta", beta)] {
            if !(1e-6..0.5).contains(chance) {
                return Err(wrong(key, ConfigurationProblem::BadChance));
            }
        }
        Ok(Some(Sprt { hypotheses, alpha: *alpha, beta: *beta }))
    }
}

/// Removes the keys that the file does not have.
fn remove_nulls(value: &mut Value) {
    match value {
        Value::Object(keys) => {
            keys.retain(|_, value| !value.is_null());
            keys.values_mut().for_each(remove_nulls);
        }
        Value::Array(values) => values.iter_mut().for_each(remove_nulls),
        _ => {}
    }
}

impl GameSetting {
    /// Returns the challenge rule.
    ///
    /// # Errors
    /// The rule is unknown.
    pub fn challenge_rule(&self) -> Result<ChallengeRule, ConfigurationError> {
        let Some(text) = &self.challenge else { return Ok(ChallengeRule::Void) };
        let wrong = || ConfigurationError { key: "game.challenge".to_string(), problem: ConfigurationProblem::NoChallengeRule };
        parse_challenge_rule(text).ok_or_else(wrong)
    }

    /// Returns the variant.
    ///
    /// # Errors
    /// The variant is unknown, or tournaments do not play it.
    pub fn variant(&self) -> Result<Variant, ConfigurationError> {
        let Some(text) = &self.variant else { return Ok(Variant::Classic) };
        let wrong = || ConfigurationError { key: "game.variant".to_string(), problem: ConfigurationProblem::NoVariant };
        Variant::from_name(text).filter(|variant| VariantSupport::SPELLED.plays(*variant)).ok_or_else(wrong)
    }
}

impl EngineSetting {
    /// Returns the engine, or the wrong key with its problem.
    fn competitor(&self, time: &TimeControl) -> Result<Competitor, (String, ConfigurationProblem)> {
        let wrong = |key: &str, problem| (key.to_string(), problem);
        let own_time = self.time.as_ref();
        if let Some(own) = own_time {
            own.check().map_err(|error| wrong(&format!("time.{}", error.key()), error.into()))?;
        }
        let kind = match (&self.player, self.dialect, &self.command) {
            (Some(player), None, None) => {
                if let Some(key) = self.keys_of_programs().first() {
                    return Err(wrong(key, ConfigurationProblem::Useless { beside: "player" }));
                }
                CompetitorKind::Player(player.parse().map_err(|error: PlayerSpecError| wrong("player", error.into()))?)
            }
            (None, Some(dialect), _) => CompetitorKind::Program(Box::new(self.program(dialect)?)),
            (Some(_), ..) => return Err(wrong("player", ConfigurationProblem::NobodyOrBoth)),
            (None, None, _) => return Err(wrong("name", ConfigurationProblem::NobodyOrBoth)),
        };
        Ok(Competitor { name: self.name.clone(), kind, time: *own_time.unwrap_or(time), phonies: self.phonies })
    }

    fn program(&self, dialect: EngineDialect) -> Result<ProgramSetting, (String, ConfigurationProblem)> {
        if dialect == EngineDialect::Exec {
            if self.command.is_none() {
                return Err(("dialect".to_string(), ConfigurationProblem::NoCommand));
            }
            let given = [("options", !self.options.is_empty()), ("positions", self.positions.is_some()), ("go", self.go.is_some())];
            if let Some((key, _)) = given.into_iter().find(|(_, is_given)| *is_given) {
                return Err((key.to_string(), ConfigurationProblem::Useless { beside: "dialect = \"exec\"" }));
            }
        }
        let several = |text: &str| text.contains(['\n', '\r']);
        if self.go.as_deref().is_some_and(several) {
            return Err(("go".to_string(), ConfigurationProblem::SeveralLines));
        }
        if let Some((name, _)) = self.options.iter().find(|(name, value)| several(name) || several(&value.to_string())) {
            return Err((format!("options.{name}"), ConfigurationProblem::SeveralLines));
        }
        Ok(ProgramSetting { dialect, positions: self.positions.unwrap_or_default(), keys: self.clone() })
    }

    /// Lists the given keys that apply only to programs.
    fn keys_of_programs(&self) -> Vec<&'static str> {
        let given = [
            ("args", !self.args.is_empty()),
            ("folder", self.folder.is_some()),
            ("environment", !self.environment.is_empty()),
            ("options", !self.options.is_empty()),
            ("positions", self.positions.is_some()),
            ("go", self.go.is_some()),
            ("memory_mb", self.memory_mb.is_some()),
            ("stderr", self.stderr.is_some()),
        ];
        given.into_iter().filter_map(|(key, is_given)| is_given.then_some(key)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(mut change: impl FnMut(&mut Value), key: &str, text: &str) {
        let mut value = json!({
            "pairs": 2,
            "engines": [{ "name": "a", "player": "static" }, { "name": "b", "dialect": "siu", "command": "x", "options": { "Threads": 1 } }],
        });
        let sound: TournamentSetting = serde_json::from_value(value.clone()).unwrap();
        assert_eq!(sound.competitors().unwrap().len(), 2);
        change(&mut value);
        let setting: TournamentSetting = serde_json::from_value(value).unwrap();
        let error = setting.competitors().unwrap_err();
        assert_eq!(error.key, key);
        assert!(error.to_string().contains(text), "{error}");
    }

    #[test]
    fn an_unknown_player_is_named_with_its_key() {
        let text = r#"{"pairs": 1, "engines": [{"name": "a", "player": "static"}, {"name": "b", "player": "gredy"}]}"#;
        let setting: TournamentSetting = serde_json::from_str(text).unwrap();
        let error = setting.competitors().unwrap_err();
        assert_eq!(error.key, "engines[1].player");
        assert!(error.to_string().starts_with("engines[1].player: there is no player \"gredy\""));
    }

    #[test]
    fn what_cannot_be_is_told_by_its_key() {
        check(|value| value["pairs"] = json!(0), "pairs", "expected 1 or more");
        check(|value| value["engines"] = json!([]), "engines", "0 engines: expected 2 or more");
        check(|value| (value["format"], value["engines"]) = (json!("copies"), json!([])), "engines", "0 engines: expected 1 or more");
        check(|value| value["format"] = json!("swiss"), "rounds", "expected 1 or more");
        check(|value| value["rounds"] = json!(3), "rounds", "this key has no effect with a format other than swiss");
        check(
            |value| value["engines"][1]["name"] = json!("a"),
            "engines[1].name",
            "\"a\": expected a name in one line that no other engine has",
        );
        check(|value| value["engines"][0]["player"] = json!("gredy"), "engines[0].player", "there is no player");
        check(|value| value["engines"][0]["command"] = json!("x"), "engines[0].player", "expected either player or dialect");
        check(|value| value["engines"][0]["go"] = json!("sim"), "engines[0].go", "this key has no effect with player");
        check(|value| value["engines"][1]["dialect"] = json!("exec"), "engines[1].options", "this key has no effect with dialect");
        check(|value| value["engines"][1] = json!({ "name": "b", "dialect": "exec" }), "engines[1].dialect", "exec needs command");
        check(|value| value["engines"][1]["go"] = json!("a\nquit"), "engines[1].go", "one line");
        check(|value| value["engines"][1]["options"]["Leaves"] = json!("a\nb"), "engines[1].options.Leaves", "one line");
        check(|value| value["engines"][1]["time"] = json!({ "increment_ms": 5 }), "engines[1].time.increment_ms", "needs game_ms");
        check(|value| value["time"] = json!({ "move_ms": 5, "nodes": 5 }), "time.nodes", "one of game_ms, move_ms and nodes");
        check(|value| value["sprt"] = json!({ "test": "elo:5" }), "sprt.test", "expected elo:");
        check(|value| value["sprt"] = json!({ "test": "adjusted:0,2" }), "sprt.test", "a test of adjusted results needs redraws");
        check(|value| value["processors"] = json!(0), "processors", "expected 1 or more");
        check(|value| value["game"] = json!({ "challenge": "triple jump" }), "game.challenge", "expected void, single");
        check(|value| value["engines"][1]["phonies"] = json!(true), "engines[1].phonies", "this key has no effect with void challenges");
        check(|value| value["game"] = json!({ "starts": ["a.gcg"] }), "game.starts", "a .gcg needs start_turn");
        check(|value| value["game"] = json!({ "start_turn": 3 }), "game.start_turn", "this key has no effect with starts without a .gcg");
        check(|value| value["sprt"] = json!({ "test": "elo:0,5", "beta": 0.5 }), "sprt.beta", "below 0.5");
    }

    #[test]
    fn a_key_that_nobody_knows_is_refused() {
        for text in [r#"{"pairs": 1, "engines": [], "hours": 2}"#, r#"{"pairs": 1, "engines": [{"name": "a", "plyer": "static"}]}"#] {
            let error = serde_json::from_str::<TournamentSetting>(text).unwrap_err().to_string();
            assert!(error.starts_with("unknown field"), "{error}");
        }
    }
}
