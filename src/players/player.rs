//! The trait of all players, and what several of them share.

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::movegen::LaneBoard;
use crate::players::view::View;
use crate::rules::scoring;
use crate::rules::units::Millipoints;
use crate::search::budget::Signals;
use crate::search::phase::{self, PhaseRow};
use crate::search::report::{Outcome, Report};
use crate::search::{self, Analysis, Knowledge, RunSettings, SearchPosition, SearchRequest};

/// Somebody who plays. Each thread has one for each seat.
///
/// A player may keep memory for speed, but the answer follows from the view alone. So games can be played in any order and
/// on any thread, and a player who meets an equal player plays the same games from both seats.
pub trait Player {
    /// The play for this turn, with the score that the player counts. `board` is the generator's board. It must be left as it
    /// was, except for what it caches.
    fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay;

    /// How the player's clock, if there is one, is divided over the turns.
    fn pace(&self) -> &'static [PhaseRow] {
        &phase::TABLE
    }
}

/// Whether a player has special searches for the last turns of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LateGame {
    /// The last turns are searched.
    #[default]
    On,
    /// The last turns are played like all others.
    Off,
}

/// The best play that a search finds, with its score.
///
/// # Panics
/// If the analysis does not fit the position.
pub(super) fn searched(
    knowledge: &Knowledge,
    position: SearchPosition,
    analysis: Analysis,
    settings: RunSettings,
    signals: &Signals,
) -> EvaluatedPlay {
    let before = position.position().clone();
    let play = run(knowledge, position, analysis, settings, signals).best.expect("a game that is not over has a play");
    let score = play.placement().map_or(0, |placement| {
        scoring::score_placement(before.rules(), before.board(), placement).expect("a search plays by the rules").score
    });
    EvaluatedPlay { play, score, equity: Millipoints::from_points(score) }
}

/// How a search ends.
///
/// # Panics
/// If the analysis does not fit the position.
pub(super) fn run(
    knowledge: &Knowledge,
    position: SearchPosition,
    analysis: Analysis,
    settings: RunSettings,
    signals: &Signals,
) -> Outcome {
    let request = SearchRequest::new(position, analysis, settings).expect("the analysis fits the position");
    search::run(knowledge, &request, signals, &mut |_: Report| {})
}
