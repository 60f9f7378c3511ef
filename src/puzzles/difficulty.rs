//! The difficulty of a puzzle: the share of weaker players who do not find the play.
//!
//! The players are the levels 1 to 9 of the ladder for people (`players/strategies/ladder.rs`); the highest of them is the static player. Each
//! is asked several times, with different random numbers. Start with [`WeakerPlayers::choices`].

use crate::engine::{Engine, EngineError};
use crate::players::{PlayerSpec, PlayerTurn};
use crate::rules::{Play, Variant};
use crate::search::randomness::mix;
use crate::search::{SearchPosition, Signals};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Levels that are asked, from 1. The last one is the static player.
const LEVELS: u64 = 9;

/// How many times each level is asked.
const TIMES: u64 = 8;

/// A difficulty in one sentence, for people.
pub const DIFFICULTY_RULE: &str = "The difficulty is the percentage of the choices of weaker players, the levels 1 to 9 asked eight times \
                                   each, that are not the solution.";

/// How often a play was chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChosenPlay {
    /// The play.
    pub play: String,
    /// How often it was chosen.
    pub times: u32,
}

/// How hard the play is to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difficulty {
    /// The number of choices of weaker players.
    pub asked: u32,
    /// How many of them are not the solution.
    pub missed: u32,
    /// The percentage of missed choices, 0 to 100.
    pub percent: u32,
    /// The percentage in a word.
    pub grade: Grade,
}

/// A difficulty in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grade {
    /// Below 65.
    Easy,
    /// 65 to 84.
    Medium,
    /// 85 or more.
    Hard,
}

impl Grade {
    /// The grade of a percentage.
    pub fn of(percent: u32) -> Grade {
        match percent {
            ..65 => Grade::Easy,
            65..85 => Grade::Medium,
            _ => Grade::Hard,
        }
    }

    /// Its word.
    pub fn name(self) -> &'static str {
        match self {
            Grade::Easy => "easy",
            Grade::Medium => "medium",
            Grade::Hard => "hard",
        }
    }
}

impl Difficulty {
    /// The difficulty of a play that this many of these choices miss.
    pub fn new(missed: u32, asked: u32) -> Difficulty {
        let percent = (200 * missed + asked).checked_div(2 * asked).unwrap_or(0);
        Difficulty { asked, missed, percent, grade: Grade::of(percent) }
    }
}

/// How often each play was chosen, in the order of the plays.
pub type WeakerChoices = BTreeMap<Play, u32>;

/// Players who are weaker than the engine.
#[derive(Clone)]
pub struct WeakerPlayers(Vec<PlayerSpec>);

impl WeakerPlayers {
    /// The levels of the ladder.
    ///
    /// # Errors
    /// A variant that they do not play.
    pub fn new(variant: Variant) -> Result<WeakerPlayers, EngineError> {
        let level = |level: u64| format!("level:{level}").parse::<PlayerSpec>().expect("the ladder has this level");
        let players: Vec<PlayerSpec> = (1..=LEVELS).map(level).collect();
        players.iter().try_for_each(|player| player.require(variant))?;
        Ok(WeakerPlayers(players))
    }

    /// The choices of the players in a position, by play. The seed determines all random numbers.
    ///
    /// # Errors
    /// A position in which players cannot be asked.
    pub fn choices(&self, engine: &Engine, position: &SearchPosition, seed: u64, signals: &Signals) -> Result<WeakerChoices, EngineError> {
        let mut choices = WeakerChoices::new();
        for (level, player) in (0..).zip(&self.0) {
            for time in 0..TIMES {
                let turn = PlayerTurn::new(player.clone(), position.clone(), mix(seed ^ mix(level * TIMES + time)))?;
                *choices.entry(turn.play(engine, signals)?.play).or_default() += 1;
            }
        }
        Ok(choices)
    }
}
