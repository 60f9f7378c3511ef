//! Themes of puzzles: the kind of play that the solution is, by the rule that [`Theme::rule`] states.
//!
//! Not here: how hard the play is to see (`difficulty.rs`). Start with [`themes`].

use crate::puzzles::same_play::squares_of;
use crate::rules::scoring::{FormedWord, score_placement};
use crate::rules::{Board, Play, Position};
use crate::search::phase::Phase;
use crate::search::{Comparison, EvaluatedPlay};
use serde::{Deserialize, Serialize};

/// A kind of play that the solution can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Theme {
    /// See [`Theme::rule`], here and below.
    Opening,
    /// The whole rack.
    Bingo,
    /// One letter in front of a word or after it.
    Hook,
    /// Several letters in front of a word or after it.
    Extension,
    /// A play along other words.
    Parallel,
    /// Tiles are exchanged.
    Exchange,
    /// Nothing is played.
    Pass,
    /// Less for the opponent.
    Defence,
    /// More on later turns.
    Preparation,
    /// The last tiles of the bag.
    PreEndgame,
    /// An empty bag.
    Endgame,
    /// The last tiles of the rack.
    OutPlay,
}

/// The solution, the second best play, and their comparison.
#[derive(Clone, Copy, Debug)]
pub struct SolvedPosition<'a> {
    /// The position.
    pub position: &'a Position,
    /// The solution with its score and static equity.
    pub solution: &'a EvaluatedPlay,
    /// The second best play with its score and static equity.
    pub second: &'a EvaluatedPlay,
    /// The difference between the two, if its terms are known.
    pub comparison: Option<&'a Comparison>,
}

impl Theme {
    /// All of them.
    pub const ALL: [Theme; 12] = [
        Theme::Opening,
        Theme::Bingo,
        Theme::Hook,
        Theme::Extension,
        Theme::Parallel,
        Theme::Exchange,
        Theme::Pass,
        Theme::Defence,
        Theme::Preparation,
        Theme::PreEndgame,
        Theme::Endgame,
        Theme::OutPlay,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        self.texts().0
    }

    /// When a puzzle has it.
    pub fn rule(self) -> &'static str {
        self.texts().1
    }

    fn texts(self) -> (&'static str, &'static str) {
        match self {
            Theme::Opening => ("opening", "the board is empty"),
            Theme::Bingo => ("bingo", "the play uses the whole rack"),
            Theme::Hook => ("hook", "the play adds one letter in front of a word on the board or after it"),
            Theme::Extension => ("extension", "the play adds two or more letters in front of a word on the board or after it"),
            Theme::Parallel => ("parallel", "the play forms two or more words in addition to its main one"),
            Theme::Exchange => ("exchange", "tiles are exchanged"),
            Theme::Pass => ("pass", "nothing is played"),
            Theme::Defence => (
                "defence",
                "the play has a lower score or static equity than the second best, and gains most because the opponent's reply scores less",
            ),
            Theme::Preparation => (
                "preparation",
                "the play has a lower score or static equity than the second best, and gains most on the player's later turns",
            ),
            Theme::PreEndgame => ("pre-endgame", "one to four tiles are in the bag"),
            Theme::Endgame => ("endgame", "the bag is empty"),
            Theme::OutPlay => ("out-play", "the bag is empty, and the play uses all tiles of the rack"),
        }
    }

    fn applies(self, solved: &SolvedPosition<'_>, words: &[FormedWord]) -> bool {
        let (position, play) = (solved.position, &solved.solution.play);
        let added = |word: &FormedWord| letters_added(position.board(), word);
        let uses = |tiles: usize| play.placement().is_some_and(|placement| placement.tile_count() == tiles);
        match self {
            Theme::Opening => position.board().is_empty(),
            Theme::Bingo => play.is_bingo(position.rules().rack_size),
            Theme::Hook => words.iter().any(|word| added(word) == Some(1)),
            Theme::Extension => words.iter().any(|word| added(word).is_some_and(|letters| letters > 1)),
            Theme::Parallel => words.len() > 2,
            Theme::Exchange => matches!(play, Play::Exchange(_)),
            Theme::Pass => *play == Play::Pass,
            Theme::Defence => greatest_gain(solved) == Some(Theme::Defence),
            Theme::Preparation => greatest_gain(solved) == Some(Theme::Preparation),
            Theme::PreEndgame => Phase::of(position.in_bag()) == Phase::PreEndgame,
            Theme::Endgame => position.in_bag() == 0,
            Theme::OutPlay => position.in_bag() == 0 && uses(position.mover_rack().len()),
        }
    }
}

/// The themes of a puzzle, in the order of [`Theme::ALL`].
pub fn themes(solved: &SolvedPosition<'_>) -> Vec<Theme> {
    let position = solved.position;
    let scored = solved.solution.play.placement().map(|placement| score_placement(position.rules(), position.board(), placement));
    let words = scored.and_then(Result::ok).map_or_else(Vec::new, |scored| scored.words);
    Theme::ALL.into_iter().filter(|theme| theme.applies(solved, &words)).collect()
}

/// Counts the letters of a formed word in front of a word that was on the board, after it, or both. `None` if there is no such word, or
/// more than one.
fn letters_added(board: &Board, word: &FormedWord) -> Option<usize> {
    let is_old: Vec<bool> = squares_of(word.start, word.direction, word.cells.len()).map(|square| board.get(square).is_some()).collect();
    let old = is_old.iter().filter(|is_old| **is_old).count();
    let runs = is_old.chunk_by(|one, other| one == other).filter(|run| run[0]).count();
    (runs == 1 && old > 1).then(|| word.cells.len() - old)
}

/// The theme of the later turns on which the solution gains most, if it looks worse at first and the gain is clear.
fn greatest_gain(solved: &SolvedPosition<'_>) -> Option<Theme> {
    let SolvedPosition { solution, second, comparison, .. } = solved;
    let looks_worse = solution.score < second.score || solution.equity < second.equity;
    let [_, reply, next, rest] = comparison.and_then(|comparison| comparison.terms).filter(|_| looks_worse)?;
    let own = if next.mean > rest.mean { next } else { rest };
    let (theme, gain) = if reply.mean > own.mean { (Theme::Defence, reply) } else { (Theme::Preparation, own) };
    (gain.mean > 0.0 && gain.is_clear()).then_some(theme)
}
