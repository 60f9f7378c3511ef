//! Puzzles as data: the JSON document, and the journal of a run. `docs/puzzles.md` describes the document.
//!
//! Not here: how puzzles are found (`maker.rs`). Start with [`Puzzle`].

use crate::analysis::report::{Certainty, Loss, Method, RankingRow, ValuedPlay};
use crate::match_play::journal::JournalHeader;
use crate::puzzles::difficulty::{ChosenPlay, Difficulty};
use crate::puzzles::theme::Theme;
use serde::{Deserialize, Serialize};

/// The number of the document's schema. It grows when a field changes its meaning or is removed, not when one is added.
pub const PUZZLE_SCHEMA: u32 = 1;

/// The JSON document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PuzzleDocument {
    /// [`PUZZLE_SCHEMA`].
    pub schema: u32,
    /// The settings that determine everything.
    pub run: PuzzleHeader,
    /// Positions that were looked at.
    pub positions: usize,
    /// Positions that the screen let pass.
    pub candidates: usize,
    /// The puzzles, in the order of their games.
    pub puzzles: Vec<Puzzle>,
}

/// A puzzle with its solution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Puzzle {
    /// The game that the position is from.
    pub source: String,
    /// The turn of the game, or the number of the position in a list, from 1.
    pub turn: usize,
    /// The position, as the player on turn sees it, in CGP.
    pub cgp: String,
    /// The solution.
    pub solution: ValuedPlay,
    /// Plays with the same effect, and other ways of writing the solution.
    pub also: Vec<String>,
    /// The other plays that were compared with the solution, the best first.
    pub rivals: Vec<Rival>,
    /// How the plays were valued.
    pub method: Method,
    /// How certain the values are.
    pub certainty: Certainty,
    /// Samples of each of these plays, if they were simulated.
    pub iterations: u64,
    /// The kinds of play that the solution is.
    pub themes: Vec<Theme>,
    /// How hard it is to see.
    pub difficulty: Difficulty,
    /// The choices of the weaker players, the most frequent first.
    pub chosen: Vec<ChosenPlay>,
    /// The ranking of the search that found the solution: its best plays.
    pub ranking: Vec<RankingRow>,
    /// Why the solution is better than the second best play, in sentences.
    pub why: Vec<String>,
}

/// A play that is worse than the solution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rival {
    /// The play.
    pub value: ValuedPlay,
    /// Its loss, a paired difference.
    pub loss: Loss,
}

impl Puzzle {
    /// Returns the loss of the second best play: the margin of the puzzle.
    pub fn margin(&self) -> Loss {
        self.rivals.first().map_or(Loss::NOTHING, |second| second.loss)
    }
}

/// The identity of a run: everything that determines the puzzles, except threads and the machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PuzzleHeader {
    /// The program's version.
    pub tilewright: String,
    /// Words, tables and rules, with their fingerprints.
    pub tables: Vec<String>,
    /// The games: names and fingerprints of files, or the player of self-play.
    pub games: Vec<String>,
    /// The least margin, in percent of wins or in points.
    pub margin: u32,
    /// The least difficulty.
    pub least_difficulty: u32,
    /// The budget of each search, in words.
    pub budget: String,
    /// The seed of all random numbers.
    pub seed: u64,
}

/// The puzzles of a game, or of a list of positions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GamePuzzles {
    /// Positions that were looked at.
    pub positions: usize,
    /// Positions that the screen let pass.
    pub candidates: usize,
    /// The puzzles.
    pub puzzles: Vec<Puzzle>,
}

impl JournalHeader for PuzzleHeader {
    type Entry = GamePuzzles;

    const KIND: &'static str = "puzzles";

    const RUN: &'static str = "run of puzzles";

    const ENTRY: &'static str = "game";

    const TOLD_FIRST: &'static [(&'static str, &'static str)] = &[
        ("tables", "words, tables and rules (--lexicon, --letters, --layout, --bonus)"),
        ("margin", "the margin (--margin)"),
        ("least_difficulty", "the least difficulty (--least-difficulty)"),
        ("budget", "the budget (--iterations)"),
        ("seed", "the seed (--seed)"),
        ("games", "the games (files, or --players)"),
        ("tilewright", "the program's version"),
    ];
}
