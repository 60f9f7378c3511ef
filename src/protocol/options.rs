//! The table of options: names, types, defaults, bounds and effects. The handshake,
//! `setoption` and `help` use it.
//!
//! Not here: what an option leads to (`session/` loads what a value names). Start with [`OptionName`] and [`Options::read`].
//!
//! A new option is a name and a row of [`TABLE`] here, a row of the table in `protocol/options.md` (a test compares them), and the
//! place that asks [`Options`] for its value.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::formats::cgp;
use crate::formats::suggest::nearest;
use crate::protocol::parameters::whole_number_of;
use crate::protocol::parse::{shown, whole_number};
use crate::rules::Variant;
use crate::search::limits::{DEFAULT_MEMORY_MB, MEMORY_MB, MOST_ROWS, MOST_THREADS};
use std::ops::RangeInclusive;
use thiserror::Error;

/// The value of [`OptionName::Player`] with which the engine itself answers.
pub const ENGINE_PLAYS: &str = "auto";

/// The value of [`OptionName::Level`] at which the engine plays as well as it can.
pub const FULL_LEVEL: i64 = 10;

/// The greatest value of a spin: front ends keep it in a signed number of 32 bits.
const MOST_SPIN: i64 = i32::MAX as i64;

/// The options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionName {
    /// Directories with data.
    DataPath,
    /// Words.
    Lexicon,
    /// Alphabet and tiles.
    LetterDistribution,
    /// Premium squares.
    Layout,
    /// Values of tiles kept.
    Leaves,
    /// Chances of winning.
    WinPctTable,
    /// Workers of a search.
    Threads,
    /// Memory of exact searches.
    EndgameHash,
    /// Memory in all.
    Memory,
    /// What a challenge costs.
    ChallengeRule,
    /// What wins.
    Variant,
    /// Whether a game ends when nothing can be played any more.
    DeadBoard,
    /// The player that answers `auto`.
    Player,
    /// How well `auto` plays.
    Level,
    /// Whether the opponent passes in simulations.
    OpponentPasses,
    /// Where samples are written.
    SimLog,
    /// Rows shown.
    MultiPv,
    /// Time reserved for sending an answer.
    MoveOverhead,
    /// Seed of all randomness.
    Seed,
    /// How the opponent's tiles are guessed.
    OpponentModel,
    /// Where the program's own log goes.
    LogFile,
}

/// What values an option takes, with its default.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// Any text.
    String {
        /// The default, which may be empty.
        default: &'static str,
    },
    /// A whole number.
    Spin {
        /// The default.
        default: i64,
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// The default.
        default: &'static str,
        /// All of them.
        words: &'static [&'static str],
    },
    /// `true` or `false`.
    Check {
        /// The default.
        default: bool,
    },
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpecification {
    /// The option.
    pub option: OptionName,
    /// Its name.
    pub name: &'static str,
    /// Its values.
    pub kind: OptionKind,
    /// What it does, in a line.
    pub effect: &'static str,
}

const fn text(option: OptionName, name: &'static str, default: &'static str, effect: &'static str) -> OptionSpecification {
    OptionSpecification { option, name, kind: OptionKind::String { default }, effect }
}

const fn spin(
    option: OptionName,
    name: &'static str,
    default: i64,
    bounds: RangeInclusive<i64>,
    effect: &'static str,
) -> OptionSpecification {
    let (min, max) = (*bounds.start(), *bounds.end());
    OptionSpecification { option, name, kind: OptionKind::Spin { default, min, max }, effect }
}

const fn combo(option: OptionName, name: &'static str, words: &'static [&'static str], effect: &'static str) -> OptionSpecification {
    // The first word is the default.
    let default = if let [first, ..] = words { *first } else { "" };
    OptionSpecification { option, name, kind: OptionKind::Combo { default, words }, effect }
}

/// All options, in the order of the handshake.
pub const TABLE: &[OptionSpecification] = &[
    text(OptionName::DataPath, "DataPath", "", "directories with lexicons and tables, separated by ;"),
    text(OptionName::Lexicon, "Lexicon", "ENABLE", "the words: a name, or a file (.kwg .txt)"),
    text(OptionName::LetterDistribution, "LetterDistribution", "english", "alphabet and tiles: a name, or a file (.csv)"),
    text(
        OptionName::Layout,
        "Layout",
        "standard15",
        "premium squares: a name, or a file (.txt); a position's bdn overrides it; applies from the next position on",
    ),
    text(
        OptionName::Leaves,
        "Leaves",
        "auto",
        "values of tiles kept: a name, or a file; auto = the lexicon's own, else the built-in table enable; rack-heuristic-1 to -3; tile-quantiles; none",
    ),
    text(
        OptionName::WinPctTable,
        "WinPctTable",
        "auto",
        "chances of winning: a name (enable logistic), or a file; auto = the lexicon's own, or else enable",
    ),
    spin(OptionName::Threads, "Threads", 1, 1..=MOST_THREADS, "workers of a search; more of them change its time, not its answer"),
    spin(OptionName::EndgameHash, "EndgameHash", 16, 1..=*MEMORY_MB.end(), "MB for exact searches: the table of an endgame"),
    spin(
        OptionName::Memory,
        "Memory",
        DEFAULT_MEMORY_MB,
        MEMORY_MB,
        "MB in all for tables, lists and caches, including EndgameHash; at least 64 besides it",
    ),
    combo(
        OptionName::ChallengeRule,
        "ChallengeRule",
        &["void", "single", "double", "triple", "five_point", "ten_point"],
        "what a challenge costs; void = only valid words can be played; applies from the next position on",
    ),
    combo(
        OptionName::Variant,
        "Variant",
        &["classic", "wordsmog", "misere", "crossplay"],
        "what counts as a word, who wins, how games end; static rankings and simulations support all variants, other searches classic and \
         crossplay; applies from the next position on",
    ),
    combo(
        OptionName::DeadBoard,
        "DeadBoard",
        &["plays_on", "ends_game"],
        "what happens to a game when no possible rack has a play: ends_game = it ends at once; applies from the next position on",
    ),
    text(OptionName::Player, "Player", ENGINE_PLAYS, "who answers go auto: auto = the engine, or a player of tilewright match, as text"),
    spin(
        OptionName::Level,
        "Level",
        FULL_LEVEL,
        1..=FULL_LEVEL,
        "how well go auto plays, 10 = as well as it can; ignored if Player names a player",
    ),
    OptionSpecification {
        option: OptionName::OpponentPasses,
        name: "OpponentPasses",
        kind: OptionKind::Check { default: false },
        effect: "the opponent passes in simulations",
    },
    text(OptionName::SimLog, "SimLog", "", "a file to which every simulated game is appended as a line of JSON; empty = none"),
    spin(
        OptionName::MultiPv,
        "MultiPV",
        0,
        0..=MOST_ROWS,
        "rows of a ranking that are shown; 0 = every candidate, in sim up to 1000, in peg up to 16",
    ),
    spin(OptionName::MoveOverhead, "MoveOverhead", 20, 0..=60_000, "ms of the clock reserved for sending an answer"),
    spin(OptionName::Seed, "Seed", 0, 0..=MOST_SPIN, "the same seed gives the same answer; go seed takes larger numbers"),
    combo(
        OptionName::OpponentModel,
        "OpponentModel",
        &["uniform", "richards-amir", "static", "sim", "auto"],
        "how the opponent is assumed to choose plays, in go infer and, unless uniform, in simulations",
    ),
    text(OptionName::LogFile, "LogFile", "", "a file for the program's own log; empty = standard error"),
];

/// The value of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionValue {
    /// A text or one of the words of a combo.
    Text(String),
    /// A number.
    Number(i64),
    /// Yes or no.
    Switch(bool),
}

/// Why an option cannot be set like this.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
#[non_exhaustive]
pub enum OptionError {
    /// No such option.
    #[error("there is no option {}, {}", shown(.name), near_option(.name, .offered))]
    Unknown {
        /// The name as written.
        name: String,
        /// The options that there are.
        offered: Vec<&'static str>,
    },
    /// No value.
    #[error("{name} has no value, expected {expected} after value")]
    NoValue {
        /// The option.
        name: &'static str,
        /// The expected text.
        expected: String,
    },
    /// A value that it does not take.
    #[error("{name} is {}, expected {expected}", shown(.found))]
    BadValue {
        /// The option.
        name: &'static str,
        /// The expected text.
        expected: String,
        /// The value as written.
        found: String,
    },
}

/// The greatest option values that a host allows, where they are lower than those of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionCaps {
    /// Of [`OptionName::Threads`], and of `go threads`.
    pub threads: i64,
    /// Of [`OptionName::Memory`] and [`OptionName::EndgameHash`], MB.
    pub megabytes: i64,
    /// The files that a value may name.
    pub files: FileAccess,
}

impl Default for OptionCaps {
    /// Returns caps that lower nothing.
    fn default() -> OptionCaps {
        OptionCaps { threads: i64::MAX, megabytes: i64::MAX, files: FileAccess::Paths }
    }
}

/// The files that the value of an option may name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileAccess {
    /// Any file, by its path.
    Paths,
    /// Files in the host's folders, by name. Options that take only paths are not offered.
    Names,
}

/// Returns the options that are offered within these caps, in the order of the handshake.
pub fn offered(caps: OptionCaps) -> impl Iterator<Item = OptionSpecification> {
    let is_offered = move |row: &&OptionSpecification| match row.option {
        OptionName::DataPath | OptionName::SimLog | OptionName::LogFile => caps.files == FileAccess::Paths,
        _ => true,
    };
    TABLE.iter().filter(is_offered).map(move |row| row.within(caps))
}

fn near_option(name: &str, offered: &[&'static str]) -> String {
    match nearest(name, offered.iter().copied()) {
        Some(meant) => format!("did you mean {meant}?"),
        None => format!("expected one of {}", offered.join(" ")),
    }
}

impl OptionSpecification {
    /// Returns the option with this name, ignoring case and blanks.
    pub fn find(name: &str) -> Option<&'static OptionSpecification> {
        let plain: String = name.chars().filter(|c| !c.is_whitespace()).collect();
        TABLE.iter().find(|row| row.name.eq_ignore_ascii_case(&plain))
    }

    /// Returns the row within these caps.
    pub fn within(&self, caps: OptionCaps) -> OptionSpecification {
        let cap = match self.option {
            OptionName::Threads => caps.threads,
            OptionName::Memory | OptionName::EndgameHash => caps.megabytes,
            _ => return *self,
        };
        let kind = match self.kind {
            OptionKind::Spin { default, min, max } => {
                OptionKind::Spin { default: default.min(cap).max(min), min, max: max.min(cap).max(min) }
            }
            other => other,
        };
        OptionSpecification { kind, ..*self }
    }

    /// Returns the line of the handshake.
    pub fn line(&self) -> String {
        let name = self.name;
        match self.kind {
            OptionKind::String { default: "" } => format!("option name {name} type string default <empty>"),
            OptionKind::String { default } => format!("option name {name} type string default {default}"),
            OptionKind::Spin { default, min, max } => format!("option name {name} type spin default {default} min {min} max {max}"),
            OptionKind::Check { default } => format!("option name {name} type check default {default}"),
            OptionKind::Combo { default, words } => {
                let words: String = words.iter().map(|word| format!(" var {word}")).collect();
                format!("option name {name} type combo default {default}{words}")
            }
        }
    }

    fn expected(&self) -> String {
        match self.kind {
            OptionKind::String { .. } => "text".to_string(),
            OptionKind::Spin { min, max, .. } => whole_number_of(&(min..=max)),
            OptionKind::Check { .. } => "true or false".to_string(),
            OptionKind::Combo { words, .. } => format!("one of {}", words.join(" ")),
        }
    }

    fn default_value(&self) -> OptionValue {
        match self.kind {
            OptionKind::String { default } | OptionKind::Combo { default, .. } => OptionValue::Text(default.to_string()),
            OptionKind::Spin { default, .. } => OptionValue::Number(default),
            OptionKind::Check { default } => OptionValue::Switch(default),
        }
    }

    fn read(&self, text: &str) -> Option<OptionValue> {
        match self.kind {
            OptionKind::String { .. } if text.eq_ignore_ascii_case("<empty>") => Some(OptionValue::Text(String::new())),
            OptionKind::String { .. } => Some(OptionValue::Text(text.to_string())),
            OptionKind::Spin { min, max, .. } => whole_number(text).filter(|number| (min..=max).contains(number)).map(OptionValue::Number),
            OptionKind::Check { .. } if text.eq_ignore_ascii_case("true") => Some(OptionValue::Switch(true)),
            OptionKind::Check { .. } if text.eq_ignore_ascii_case("false") => Some(OptionValue::Switch(false)),
            OptionKind::Check { .. } => None,
            OptionKind::Combo { words, .. } => {
                words.iter().find(|word| self.is_written(word, text)).map(|word| OptionValue::Text((*word).to_string()))
            }
        }
    }

    /// Whether a text means this word of a combo. Challenge rules also have the names of CGP's opcode `cr`: `5pt`.
    fn is_written(&self, word: &str, text: &str) -> bool {
        let is_same_rule = || cgp::parse_challenge_rule(text).is_some_and(|rule| cgp::parse_challenge_rule(word) == Some(rule));
        word.eq_ignore_ascii_case(text) || self.option == OptionName::ChallengeRule && is_same_rule()
    }
}

/// The current values of all options.
#[derive(Clone, Debug)]
pub struct Options {
    values: Vec<(OptionName, OptionValue)>,
    caps: OptionCaps,
}

impl Default for Options {
    fn default() -> Options {
        Options::within(OptionCaps::default())
    }
}

impl Options {
    /// Returns the defaults within these caps.
    pub fn within(caps: OptionCaps) -> Options {
        Options { values: TABLE.iter().map(|row| (row.option, row.within(caps).default_value())).collect(), caps }
    }

    /// The caps.
    pub fn caps(&self) -> OptionCaps {
        self.caps
    }

    /// Reads a name and a value as written. Nothing is changed; see [`Options::set`].
    ///
    /// # Errors
    /// What is wrong with the name or the value, and what would be valid.
    pub fn read(&self, name: &str, value: Option<&str>) -> Result<(OptionName, OptionValue), OptionError> {
        let unknown = || OptionError::Unknown { name: name.to_string(), offered: offered(self.caps).map(|row| row.name).collect() };
        let row = OptionSpecification::find(name).ok_or_else(unknown)?;
        let row = row.within(self.caps);
        let missing = || OptionError::NoValue { name: row.name, expected: row.expected() };
        let text = value.map(str::trim).ok_or_else(missing)?;
        let bad = || OptionError::BadValue { name: row.name, expected: row.expected(), found: text.to_string() };
        Ok((row.option, row.read(text).ok_or_else(bad)?))
    }

    /// Sets a value from [`Options::read`].
    pub fn set(&mut self, option: OptionName, value: OptionValue) {
        if let Some(entry) = self.values.iter_mut().find(|(name, _)| *name == option) {
            entry.1 = value;
        }
    }

    fn get(&self, option: OptionName) -> Option<&OptionValue> {
        self.values.iter().find(|(name, _)| *name == option).map(|(_, value)| value)
    }

    /// Returns the value of a string or combo option; empty for others.
    pub fn text(&self, option: OptionName) -> &str {
        match self.get(option) {
            Some(OptionValue::Text(text)) => text,
            _ => "",
        }
    }

    /// The variant.
    pub fn variant(&self) -> Variant {
        Variant::from_name(self.text(OptionName::Variant)).unwrap_or_default()
    }

    /// Returns the name of the letter distribution for games of this variant: the value of `LetterDistribution`, or the variant's own
    /// while that value is the one of the classic game.
    pub fn letters(&self, variant: Variant) -> &str {
        let name = self.text(OptionName::LetterDistribution);
        if name.eq_ignore_ascii_case(Variant::Classic.letters()) { variant.letters() } else { name }
    }

    /// Returns the name of the board in the same way, from the option `Layout`.
    pub fn layout(&self, variant: Variant) -> &str {
        let name = self.text(OptionName::Layout);
        if name.eq_ignore_ascii_case(Variant::Classic.layout()) { variant.layout() } else { name }
    }

    /// Returns the value of a spin option; 0 for others.
    pub fn number(&self, option: OptionName) -> i64 {
        match self.get(option) {
            Some(OptionValue::Number(number)) => *number,
            _ => 0,
        }
    }

    /// Whether a check option is on.
    pub fn is_on(&self, option: OptionName) -> bool {
        self.get(option) == Some(&OptionValue::Switch(true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_a_value_of_its_option() {
        for row in TABLE {
            let line = row.line();
            let default = line.split(" default ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
            assert_eq!(Options::default().read(row.name, Some(default)), Ok((row.option, row.default_value())), "{line}");
        }
    }

    #[test]
    fn spins_fit_into_the_numbers_of_front_ends() {
        let most = TABLE.iter().map(|row| if let OptionKind::Spin { max, .. } = row.kind { max } else { 0 });
        assert_eq!(most.max(), Some(MOST_SPIN));
    }

    #[test]
    fn caps_hold_for_defaults_bounds_and_the_handshake() {
        let options = Options::within(OptionCaps { threads: 2, megabytes: 100, files: FileAccess::Names });
        assert_eq!((options.number(OptionName::Memory), options.number(OptionName::EndgameHash)), (100, 16));
        assert_eq!(options.read("Threads", Some("3")).unwrap_err().to_string(), "Threads is \"3\", expected a whole number from 1 to 2");
        assert!(options.read("EndgameHash", Some("101")).is_err() && options.read("EndgameHash", Some("100")).is_ok());
        let row = OptionSpecification::find("Threads").unwrap().within(options.caps());
        assert_eq!(row.line(), "option name Threads type spin default 1 min 1 max 2");
        let none = OptionCaps { threads: 0, megabytes: 0, files: FileAccess::Names };
        assert_eq!(Options::within(none).number(OptionName::Memory), 64, "never below the least value");
        let left_out = |caps: OptionCaps| {
            let is_left_out = |row: &&OptionSpecification| offered(caps).all(|offered| offered.option != row.option);
            TABLE.iter().filter(is_left_out).map(|row| row.name).collect::<Vec<_>>()
        };
        assert_eq!((left_out(OptionCaps::default()), left_out(none)), (vec![], vec!["DataPath", "SimLog", "LogFile"]));
    }

    #[test]
    fn names_are_unique_and_found_in_any_case() {
        for (index, row) in TABLE.iter().enumerate() {
            assert!(TABLE.iter().skip(index + 1).all(|other| !other.name.eq_ignore_ascii_case(row.name)));
            assert_eq!(OptionSpecification::find(&row.name.to_uppercase()).map(|found| found.option), Some(row.option));
        }
    }

    #[test]
    fn values_out_of_bounds_are_refused_with_the_bounds() {
        let message = |name, value| Options::default().read(name, value).unwrap_err().to_string();
        assert_eq!(message("threads", Some("many")), "Threads is \"many\", expected a whole number from 1 to 256");
        assert_eq!(message("threads", Some("-1")), "Threads is \"-1\", expected a whole number from 1 to 256");
        assert_eq!(
            message("Threads", Some("99999999999999999999")),
            "Threads is \"99999999999999999999\", expected a whole number from 1 to 256"
        );
        assert_eq!(message("Seed", None), "Seed has no value, expected a whole number from 0 to 2147483647 after value");
        let rule = |text| Options::default().read("ChallengeRule", Some(text)).unwrap().1;
        assert_eq!((rule("5pt"), rule("10PT")), (rule("five_point"), rule("ten_point")));
        assert_eq!(message("Player", None), "Player has no value, expected text after value");
        assert_eq!(message("variant", Some("chess")), "Variant is \"chess\", expected one of classic wordsmog misere crossplay");
        assert_eq!(message("Thraeds", Some("1")), "there is no option \"Thraeds\", did you mean Threads?");
        assert!(message("Hash", Some("1")).starts_with("there is no option \"Hash\", expected one of DataPath Lexicon"));
    }
}
