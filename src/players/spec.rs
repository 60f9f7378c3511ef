//! Players as text: a name, and options after a colon, such as `sim:iterations=500,plays=15`. Such texts are parsed, printed, and made into
//! players. The table of `strategies/mod.rs` determines what can be written.
//!
//! A player's text names its tables, but this file opens none of them: [`PlayerSpec::tables`] lists them, and `PlayerSpec::player` takes the
//! knowledge with them.

use crate::engine::tables::{AUTO, NONE, TableNames};
use crate::formats::suggest::nearest;
use crate::players::kind::{
    BAG, ExpectedValue, KindLeaves, LEAVES, OptionPrinted, PlayerKind, PlayerOptionType, PlayerOptions, RACKS, WIN_TABLE,
};
use crate::players::player::{EndsWonGames, Player};
use crate::players::strategies::KINDS;
use crate::players::strategies::engine::INFERENCE;
use crate::players::view::Sight;
use crate::rules::{GameRules, UnsupportedVariant, Variant};
use crate::search::Knowledge;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use thiserror::Error;

/// A player by name and options. `Display` writes the whole description, which parses to the same player.
#[derive(Clone)]
pub struct PlayerSpec {
    kind: &'static PlayerKind,
    options: PlayerOptions,
}

/// Why a text does not describe a player.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlayerSpecError {
    /// There is no kind of player with this name.
    #[error("there is no player {name:?}, {}", near_player(.name))]
    UnknownPlayer {
        /// The name.
        name: String,
    },
    /// An option that the player lacks.
    #[error("{player}: unknown option {option}; {player} has {known}")]
    UnknownOption {
        /// The player.
        player: &'static str,
        /// The option.
        option: String,
        /// The options that the player has.
        known: String,
    },
    /// An option without a value.
    #[error("{player}: {text:?} is not an option: expected option=value")]
    NoValue {
        /// The player.
        player: &'static str,
        /// The text found.
        text: String,
    },
    /// A value that does not fit.
    #[error("{player}: {option}={value}: expected {expected}")]
    BadValue {
        /// The player.
        player: &'static str,
        /// The option.
        option: String,
        /// The value found.
        value: String,
        /// The expected value.
        expected: String,
    },
    /// An option that is given twice.
    #[error("{player}: {option} is given twice")]
    Twice {
        /// The player.
        player: &'static str,
        /// The option.
        option: String,
    },
}

fn near_player(name: &str) -> String {
    let names = KINDS.map(|kind| kind.name);
    match nearest(name, names) {
        Some(meant) => format!("did you mean {meant}?"),
        None => format!("expected one of {}", names.join(", ")),
    }
}

impl PlayerSpec {
    /// Refuses a variant that the player does not play.
    ///
    /// # Errors
    /// The player does not play a rule of the variant.
    pub fn require(&self, variant: Variant) -> Result<(), UnsupportedVariant> {
        variant.require(self.kind.variants, self.kind.name)
    }

    /// Returns what the player sees of the opponent's rack.
    pub fn sight(&self) -> Sight {
        self.kind.sight
    }

    /// Whether the player infers the opponent's tiles from their turns.
    pub fn infers(&self) -> bool {
        self.kind.name == INFERENCE.name
    }

    /// Returns the names of the player's tables. Means of full racks are included only if the text names them.
    pub fn tables(&self) -> TableNames {
        let named = |option, default: &str| self.options.table(option).unwrap_or(default).to_string();
        TableNames {
            leaves: self.leaves().to_string(),
            win_table: named(&WIN_TABLE, AUTO),
            bag: named(&BAG, AUTO),
            racks: named(&RACKS, NONE),
        }
    }

    fn leaves(&self) -> &str {
        let of_kind = |kind: &PlayerKind| match kind.leaves {
            KindLeaves::Lexicon => None,
            KindLeaves::Nothing => Some(NONE),
            KindLeaves::Heuristic(heuristic) => Some(heuristic.name()),
        };
        // `leaves=rack1` is the heuristic of the player rack1.
        let heuristic_of = |name: &str| {
            let kind = KINDS.iter().find(|kind| kind.name == name && matches!(kind.leaves, KindLeaves::Heuristic(_)));
            kind.and_then(|kind| of_kind(kind))
        };
        match self.options.table(&LEAVES) {
            Some(name) => heuristic_of(name).unwrap_or(name),
            None => of_kind(self.kind).unwrap_or(AUTO),
        }
    }

    /// Makes the player, with words and tables.
    pub(crate) fn player<'a>(&self, rules: &'a Arc<GameRules>, knowledge: &'a Knowledge) -> Box<dyn Player + 'a> {
        Box::new(EndsWonGames::new((self.kind.make)(&self.options, rules, knowledge)))
    }
}

impl FromStr for PlayerSpec {
    type Err = PlayerSpecError;

    fn from_str(text: &str) -> Result<PlayerSpec, PlayerSpecError> {
        let (name, options) = text.split_once(':').map_or((text, None), |(name, options)| (name, Some(options)));
        let found = KINDS.into_iter().find(|kind| kind.name == name);
        let kind = found.ok_or_else(|| PlayerSpecError::UnknownPlayer { name: name.to_string() })?;
        let player = kind.name;
        let mut spec = PlayerSpec { kind, options: PlayerOptions::defaults(kind) };
        let mut given: Vec<&str> = Vec::new();
        let bare = kind.options.first().filter(|option| option.printed == OptionPrinted::Bare);
        for (at, part) in options.into_iter().flat_map(|options| options.split(',')).enumerate() {
            let (option, value) = match (part.split_once('='), bare) {
                (Some(option), _) => option,
                (None, Some(bare)) if at == 0 => (bare.name, part),
                _ => return Err(PlayerSpecError::NoValue { player, text: part.to_string() }),
            };
            if !kind.options.iter().any(|known| known.name == option) {
                let known: Vec<&str> = kind.options.iter().map(|option| option.name).collect();
                let known = if known.is_empty() { "none".to_string() } else { known.join(", ") };
                return Err(PlayerSpecError::UnknownOption { player, option: option.to_string(), known });
            }
            if given.contains(&option) {
                return Err(PlayerSpecError::Twice { player, option: option.to_string() });
            }
            given.push(option);
            spec.options.set(option, value).map_err(|ExpectedValue(expected)| PlayerSpecError::BadValue {
                player,
                option: option.to_string(),
                value: value.to_string(),
                expected,
            })?;
        }
        Ok(spec)
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.name)?;
        let options = self.options.to_string();
        if options.is_empty() { Ok(()) } else { write!(f, ":{options}") }
    }
}

impl fmt::Debug for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlayerSpec({self})")
    }
}

impl PartialEq for PlayerSpec {
    fn eq(&self, other: &PlayerSpec) -> bool {
        self.kind.name == other.kind.name && self.options == other.options
    }
}

impl Eq for PlayerSpec {}

/// Columns of the help text.
const HELP_WIDTH: usize = 100;
/// Columns before the description of a player.
const HELP_INDENT: usize = 23;

/// Returns the help text with all players and their options.
pub fn help() -> String {
    let mut text = String::from("Players, with options after a colon:\n");
    for kind in KINDS {
        let head = usage(kind);
        if head.len() < HELP_INDENT {
            text.push_str(&format!("{head:HELP_INDENT$}"));
        } else {
            text.push_str(&format!("{head}\n{:HELP_INDENT$}", ""));
        }
        text.push_str(&wrapped(kind.about));
        text.push('\n');
    }
    let mut explained: Vec<char> = Vec::new();
    for option in KINDS.iter().flat_map(|kind| kind.options) {
        if let PlayerOptionType::Table { letter, help } = option.values
            && !explained.contains(&letter)
        {
            explained.push(letter);
            text.push_str(&format!("{letter} is {help}\n"));
        }
    }
    text
}

/// Returns a player's name and options, on a second line if they do not fit on one.
fn usage(kind: &PlayerKind) -> String {
    let mut text = format!("  {}", kind.name);
    let mut line_start = 0;
    for (at, option) in kind.options.iter().enumerate() {
        text.push_str(if at == 0 { "[:" } else { "," });
        let option = option.usage();
        // The length includes the comma or bracket after it.
        if text.len() - line_start + option.len() + 1 > HELP_WIDTH {
            line_start = text.len() + 1;
            text.push_str("\n    ");
        }
        text.push_str(&option);
    }
    if !kind.options.is_empty() {
        text.push(']');
    }
    text
}

/// Breaks a text into indented lines. The first line has its indentation already.
fn wrapped(text: &str) -> String {
    let mut lines = String::new();
    let mut column = HELP_INDENT;
    for word in text.split_whitespace() {
        if column > HELP_INDENT && column + 1 + word.len() > HELP_WIDTH {
            lines.push_str(&format!("\n{:HELP_INDENT$}", ""));
            column = HELP_INDENT;
        } else if column > HELP_INDENT {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += word.len();
    }
    lines
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
        check("inference", "inference:static,held=1000,late=on,iterations=500,nodes=50000");
        check("inference:sim,held=9", "inference:sim,held=9,late=on,iterations=500,nodes=50000");
        check("inference:nodes=9,model=auto", "inference:auto,held=1000,late=on,iterations=500,nodes=9");
        check("knia:m=3,b=0.25,c=2", "knia:preset=seed3,m=3,b=0.25,c=2");
        check("level", "level:5");
        check("level:10", "level:10");
        check("macondo-level:0", "macondo-level:0");
        check("macondo-level:1,find=1.5", "macondo-level:1,find=1.5");
        check("rack1:keep=1,leaves=w.leaves,end=out", "rack1:end=out,keep=1,leaves=w.leaves");
        check("sim", "sim:iterations=500,plays=15");
        check("sim:plies=3,late=off", "sim:late=off,iterations=500,plays=15,plies=3");
        check("sim:equity=1,plays=9", "sim:iterations=500,plays=9,equity=1");
        check("sim:plies=4,iterations=100", "sim:iterations=100,plays=15,plies=4");
        check("sim:prior=off,nodes=900,prior", "sim: \"prior\" is not an option: expected option=value");
        check("sim:prior=off,nodes=900", "sim:iterations=500,nodes=900,plays=15,prior=off");
        check("sim:stop=99,winpct=w.csv,leaves=rack1", "sim:iterations=500,plays=15,stop=99,leaves=rack1,winpct=w.csv");
    }

    #[test]
    fn errors_name_the_place() {
        check("gredy", "there is no player \"gredy\", did you mean greedy?");
        check(
            "nobody",
            "there is no player \"nobody\", expected one of greedy, rack1, rack2, rack3, gordon, wordsmith, knia, \
             static, sim, engine, strong, championship, maven, macondo, magpie, macondo-level, level, inference, knowall, knowleave, misere, \
             misere-sim, threshold, random",
        );
        check("engine:late=never", "engine: late=never: expected on or off");
        check(
            "sim:plies2=3",
            "sim: unknown option plies2; sim has late, iterations, nodes, plays, plies, equity, prior, stop, leaves, bag, racks, winpct",
        );
        check("greedy:leaves=none", "greedy: unknown option leaves; greedy has none");
        check("sim:plies", "sim: \"plies\" is not an option: expected option=value");
        check("inference:held=9,sim", "inference: \"sim\" is not an option: expected option=value");
        check("inference:best", "inference: model=best: expected uniform, richards-amir, static, sim or auto");
        check("level:11", "level: level=11: expected 1, 2, 3, 4, 5, 6, 7, 8, 9 or 10");
        check("static:", "static: \"\" is not an option: expected option=value");
        check("sim:plies=0", "sim: plies=0: expected a number from 1 to 50");
        check("sim:stop=97", "sim: stop=97: expected 95, 98, 99 or none");
        check("sim:plies=2,plies=2", "sim: plies is given twice");
        check("knia:a=-1", "knia: a=-1: expected a number from 0 to 100 with up to three decimals");
        check("knia:a=0.1234", "knia: a=0.1234: expected a number from 0 to 100 with up to three decimals");
        check("static:leaves=", "static: leaves=: expected a name or a file");
    }

    #[test]
    fn tables_to_be_found() {
        let tables = |text: &str| {
            let TableNames { leaves, win_table, bag, racks } = text.parse::<PlayerSpec>().unwrap().tables();
            [leaves, win_table, bag, racks]
        };
        assert_eq!(tables("greedy"), ["none", "auto", "auto", "none"]);
        assert_eq!(tables("rack2"), ["rack-heuristic-2", "auto", "auto", "none"]);
        assert_eq!(tables("static:leaves=rack1"), ["rack-heuristic-1", "auto", "auto", "none"]);
        assert_eq!(tables("sim:leaves=x.klv2,bag=z.csv,racks=v.racks,winpct=y.csv"), ["x.klv2", "y.csv", "z.csv", "v.racks"]);
        assert_eq!(tables("static"), ["auto", "auto", "auto", "none"]);
    }

    #[test]
    fn every_kind_can_be_made_and_the_help_and_both_documents_name_it() {
        let documents = [include_str!("README.md"), include_str!("../../protocol/searches.md")];
        let rules = Arc::new(GameRules::english());
        let knowledge = crate::engine::builder::plain_engine().knowledge();
        let help = help();
        for kind in KINDS {
            let spec: PlayerSpec = kind.name.parse().unwrap();
            assert_eq!(spec.kind.name, kind.name);
            // The player reads its options when it is made.
            let _ = spec.player(&rules, knowledge);
            assert!(help.contains(&format!("\n  {}", kind.name)) && help.contains(kind.about.split(' ').next().unwrap()));
            for document in documents {
                // The kind must be in a row of the table of players.
                let is_named = |line: &str| line.starts_with("| `") && line.contains(&format!("`{}`", kind.name));
                assert!(document.lines().any(is_named), "{}", kind.name);
            }
        }
        assert!(help.contains("  sim[:late=on|off,iterations=500,nodes=N,plays=15,plies=N,equity=N,prior=on|off,stop=95|98|99|none,\n    leaves=L,bag=B,racks=R,winpct=W]\n"));
        assert_eq!(help.matches("L is ").count(), 1);
        assert!(help.lines().all(|line| line.len() <= HELP_WIDTH), "{help}");
    }
}
