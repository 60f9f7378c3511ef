//! A kind of player: its name, its options with their types, defaults and help, and the function that makes a player.
//! [`PlayerOptions`] has the options' values of one player.
//!
//! Not here: the table of kinds (`strategies/mod.rs`), and the text form of a player (`spec.rs`). Start with [`PlayerKind`].

use crate::evaluation::heuristics::RackHeuristic;
use crate::players::player::{LateGame, Player};
use crate::players::view::Sight;
use crate::rules::{GameRules, VariantSupport};
use crate::search::Knowledge;
use std::fmt;
use std::sync::Arc;

/// A row of the table of players.
pub struct PlayerKind {
    /// The name in a player's text form.
    pub name: &'static str,
    /// How such a player plays, for the help text: one sentence or a few clauses.
    pub about: &'static str,
    /// The part of the opponent's rack that such a player sees. It is unfair only for players that measure the worth of seeing it.
    pub sight: Sight,
    /// The options, in the order in which they are printed.
    pub options: &'static [PlayerOption],
    /// The leave values of a player whose options do not name any.
    pub leaves: KindLeaves,
    /// The variants that such a player plays.
    pub variants: VariantSupport,
    /// Makes a player with these options, words and tables.
    pub make: MakePlayer,
}

pub type MakePlayer = for<'a> fn(&PlayerOptions, &'a Arc<GameRules>, &'a Knowledge) -> Box<dyn Player + 'a>;

/// The leave values that go with a kind of player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KindLeaves {
    /// Those of the lexicon.
    Lexicon,
    /// Zero for all leaves.
    Nothing,
    /// A heuristic. Other players can use it by the name of this kind.
    Heuristic(RackHeuristic),
}

/// An option of a kind of player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerOption {
    /// The name before the `=`.
    pub name: &'static str,
    /// The values allowed after the `=`.
    pub values: PlayerOptionType,
    /// Whether it is printed.
    pub printed: OptionPrinted,
}

/// The type of an option's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerOptionType {
    /// One of these words.
    Word {
        words: &'static [&'static str],
        /// The default.
        default: &'static str,
    },
    /// A number, at least 1.
    Count {
        /// The largest number.
        most: u64,
        /// The default, if there is one.
        default: Option<u64>,
    },
    /// A weight from 0 to 100, with up to three decimals. The default is 1.
    Weight,
    /// A table, by its name or its file. It has no default.
    Table {
        /// The letter for the value in the help text.
        letter: char,
        /// The names and kinds of files, for the help text.
        help: &'static str,
    },
}

/// When an option is printed as part of a player's text form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionPrinted {
    /// Always, even with its default value.
    Always,
    /// Always, without its name, which may be left out if the option comes first. Only the first option of a kind may be printed like this.
    Bare,
    IfNotDefault,
}

/// `late`: whether the last turns of a game are searched.
pub const LATE: PlayerOption = PlayerOption::word("late", &["on", "off"], "on");

/// `leaves`: the leave values.
pub const LEAVES: PlayerOption =
    table("leaves", 'L', "auto, enable, crossplay, none, rack1, rack2, rack3, wordsmith or a .klv2 or .leaves file");

/// `bag`: terms for the end of the bag.
pub const BAG: PlayerOption = table("bag", 'B', "auto, none or a .csv file: values of turns with few tiles in the bag");

/// `racks`: means of full racks.
pub const RACKS: PlayerOption = table("racks", 'R', "a .racks file: leave values for the tiles unseen, for choosing plays or candidates");

/// `winpct`: the win % table.
pub const WIN_TABLE: PlayerOption = table("winpct", 'W', "auto, enable, crossplay, logistic or a .csv file");

const fn table(name: &'static str, letter: char, help: &'static str) -> PlayerOption {
    PlayerOption { name, values: PlayerOptionType::Table { letter, help }, printed: OptionPrinted::IfNotDefault }
}

/// The values of all options of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerOptions {
    /// The values as they are printed, in the order of the kind's options. `None` if an option is not given and has no default.
    values: Vec<(PlayerOption, Option<String>)>,
}

impl PlayerOption {
    /// Returns an option that is one of these words.
    pub const fn word(name: &'static str, words: &'static [&'static str], default: &'static str) -> PlayerOption {
        PlayerOption { name, values: PlayerOptionType::Word { words, default }, printed: OptionPrinted::IfNotDefault }
    }

    /// Returns an option that is a number from 1 to `most`, without a default.
    pub const fn limit(name: &'static str, most: u64) -> PlayerOption {
        PlayerOption { name, values: PlayerOptionType::Count { most, default: None }, printed: OptionPrinted::IfNotDefault }
    }

    /// Returns an option that is a number from 1 to `most`, and is always printed.
    pub const fn count(name: &'static str, most: u64, default: u64) -> PlayerOption {
        PlayerOption { name, values: PlayerOptionType::Count { most, default: Some(default) }, printed: OptionPrinted::Always }
    }

    /// Returns an option that is a weight.
    pub const fn weight(name: &'static str) -> PlayerOption {
        PlayerOption { name, values: PlayerOptionType::Weight, printed: OptionPrinted::IfNotDefault }
    }

    /// Returns the same option, printed like this.
    pub const fn printed(self, printed: OptionPrinted) -> PlayerOption {
        PlayerOption { printed, ..self }
    }

    /// Returns the option as in the help text: with its default, its words,
    /// or a letter for its value.
    pub fn usage(&self) -> String {
        let values = match self.values {
            PlayerOptionType::Word { words, .. } => words.join("|"),
            PlayerOptionType::Count { default: Some(default), .. } => default.to_string(),
            PlayerOptionType::Count { default: None, .. } => "N".to_string(),
            PlayerOptionType::Weight => "1".to_string(),
            PlayerOptionType::Table { letter, .. } => letter.to_string(),
        };
        if self.printed == OptionPrinted::Bare { values } else { format!("{}={values}", self.name) }
    }

    fn default(&self) -> Option<String> {
        match self.values {
            PlayerOptionType::Word { default, .. } => Some(default.to_string()),
            PlayerOptionType::Count { default, .. } => default.map(|count| count.to_string()),
            PlayerOptionType::Weight => Some("1".to_string()),
            PlayerOptionType::Table { .. } => None,
        }
    }

    /// Returns a value as it is printed, if the option may have it.
    fn read(&self, text: &str) -> Option<String> {
        match self.values {
            PlayerOptionType::Word { words, .. } => words.contains(&text).then(|| text.to_string()),
            PlayerOptionType::Count { most, .. } => {
                text.parse().ok().filter(|count| (1..=most).contains(count)).map(|count: u64| count.to_string())
            }
            PlayerOptionType::Weight => {
                let thousandths = text.parse().ok().filter(|weight: &f64| (0.0..=100.0).contains(weight)).map(|weight| 1000.0 * weight)?;
                // More decimals would be lost.
                let is_exact = (thousandths - thousandths.round()).abs() < 1e-6;
                is_exact.then(|| (f64::from(thousandths.round() as u32) / 1000.0).to_string())
            }
            PlayerOptionType::Table { .. } => (!text.is_empty()).then(|| text.to_string()),
        }
    }

    /// Describes the expected value, for an error.
    fn expected(&self) -> String {
        match self.values {
            PlayerOptionType::Word { words: [first @ .., last], .. } => format!("{} or {last}", first.join(", ")),
            PlayerOptionType::Word { words: [], .. } => "nothing".to_string(),
            PlayerOptionType::Count { most, .. } => format!("a number from 1 to {most}"),
            PlayerOptionType::Weight => "a number from 0 to 100 with up to three decimals".to_string(),
            PlayerOptionType::Table { .. } => "a name or a file".to_string(),
        }
    }
}

impl PlayerOptions {
    /// Returns the defaults of a kind of player.
    pub fn defaults(kind: &PlayerKind) -> PlayerOptions {
        PlayerOptions { values: kind.options.iter().map(|option| (*option, option.default())).collect() }
    }

    /// Sets an option of the kind from text.
    ///
    /// # Errors
    /// The expected value, if the text is wrong.
    ///
    /// # Panics
    /// If the kind lacks the option.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), ExpectedValue> {
        let (option, value) = self.values.iter_mut().find(|(option, _)| option.name == name).expect("an option of the kind");
        *value = Some(option.read(text).ok_or_else(|| ExpectedValue(option.expected()))?);
        Ok(())
    }

    /// Returns the value of an option that has a default.
    ///
    /// # Panics
    /// If the kind lacks the option.
    pub fn word(&self, option: &PlayerOption) -> &str {
        self.value(option).expect("an option with a default")
    }

    /// Returns the value of an option that is a number with a default.
    ///
    /// # Panics
    /// If the kind lacks the option.
    pub fn count(&self, option: &PlayerOption) -> u64 {
        self.count_if_given(option).expect("an option with a default")
    }

    /// Returns the value of an option that is a number, if it is given.
    ///
    /// # Panics
    /// If the kind lacks the option.
    pub fn count_if_given(&self, option: &PlayerOption) -> Option<u64> {
        self.value(option).map(|count| count.parse().expect("a number"))
    }

    /// Returns the value of an option that is a weight.
    ///
    /// # Panics
    /// If the kind lacks the option.
    pub fn weight(&self, option: &PlayerOption) -> f64 {
        self.word(option).parse().expect("a number")
    }

    /// Returns the name of a table, if the kind has the option and the name is given.
    pub fn table(&self, option: &PlayerOption) -> Option<&str> {
        self.values.iter().find(|(known, _)| known.name == option.name)?.1.as_deref()
    }

    /// Returns the value of [`LATE`].
    ///
    /// # Panics
    /// If the kind lacks the option.
    pub fn late_game(&self) -> LateGame {
        if self.word(&LATE) == "off" { LateGame::Off } else { LateGame::On }
    }

    fn value(&self, option: &PlayerOption) -> Option<&str> {
        let (_, value) = self.values.iter().find(|(known, _)| known.name == option.name).expect("an option of the kind");
        value.as_deref()
    }
}

/// Describes the expected value of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedValue(pub String);

/// Writes the printed options as text: `iterations=500,plays=15`.
impl fmt::Display for PlayerOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut comma = "";
        for (option, value) in &self.values {
            let is_printed = option.printed != OptionPrinted::IfNotDefault || *value != option.default();
            let Some(value) = value.as_ref().filter(|_| is_printed) else { continue };
            f.write_str(comma)?;
            if option.printed != OptionPrinted::Bare {
                write!(f, "{}=", option.name)?;
            }
            f.write_str(value)?;
            comma = ",";
        }
        Ok(())
    }
}
