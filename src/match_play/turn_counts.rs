//! Counts players' exchanges and sacrifices, as \[Gordon 1993\] calls plays that give up points.
//!
//! Start with [`TurnCounter`].

use crate::evaluation::StaticEval;
use crate::evaluation::leaves::NOTHING;
use crate::evaluation::static_eval::EvaluatedPlay;
use crate::lexicon::Lexicon;
use crate::match_play::game::MatchPlayer;
use crate::movegen::LaneBoard;
use crate::players::View;
use crate::rules::{GameRules, Play};
use serde::{Deserialize, Serialize};

/// The exchanges and sacrifices of a game. Player a comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnCounts {
    /// Turns on which tiles were exchanged.
    pub exchanges: [u32; 2],
    /// Placements on turns on which another placement would have scored more.
    pub sacrifices: [u32; 2],
}

/// Counts turns. Each thread has its own.
pub struct TurnCounter<'a> {
    most_points: StaticEval<'a>,
    counts: TurnCounts,
}

impl<'a> TurnCounter<'a> {
    /// Returns a counter at the start of a game.
    pub fn new(rules: &'a GameRules, lexicon: &'a Lexicon) -> TurnCounter<'a> {
        TurnCounter { most_points: StaticEval::score_and_leave(rules, lexicon, &NOTHING), counts: TurnCounts::default() }
    }

    /// Begins the counts of a new game.
    pub fn start(&mut self) {
        self.counts = TurnCounts::default();
    }

    /// Returns the counts of the game so far.
    pub fn counts(&self) -> TurnCounts {
        self.counts
    }

    /// Counts a turn of a player, with the board as it was before the turn.
    pub fn add(&mut self, board: &mut LaneBoard, view: &View<'_>, player: MatchPlayer, chosen: &EvaluatedPlay) {
        match chosen.play {
            Play::Exchange(_) => self.counts.exchanges[player.index()] += 1,
            Play::Place(_) => {
                let most = self.most_points.best_placement(board, &view.tiles);
                self.counts.sacrifices[player.index()] += u32::from(most.is_some_and(|most| most.score > chosen.score));
            }
            Play::Pass => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::builder::plain_engine;
    use crate::match_play::game::GameLoop;
    use crate::rules::GameRules;
    use crate::search::budget::Signals;
    use std::sync::Arc;

    #[test]
    fn a_placement_is_a_sacrifice_if_any_of_all_plays_scores_more() {
        let rules = Arc::new(GameRules::english());
        let knowledge = plain_engine().knowledge();
        let mut eval = StaticEval::new(&rules, knowledge.lexicon.graph(), &knowledge.evaluator.leaves);
        let mut counter = TurnCounter::new(&rules, &knowledge.lexicon);
        let mut expected = TurnCounts::default();
        let mut turns = 0;
        for index in 0..20 {
            GameLoop::new(&rules, knowledge.lexicon.graph()).play(3, index, &Signals::default(), |board, view| {
                let plays = eval.all(board, &view.tiles);
                // Play an exchange now and then, and the best play on other turns.
                let exchange = plays.iter().find(|play| matches!(play.play, Play::Exchange(_)) && turns % 10 == 0);
                let chosen = *exchange.unwrap_or(&plays[0]);
                turns += 1;
                expected.exchanges[view.seat.index()] += u32::from(matches!(chosen.play, Play::Exchange(_)));
                let is_placement = chosen.play.placement().is_some();
                expected.sacrifices[view.seat.index()] += u32::from(is_placement && plays.iter().any(|play| play.score > chosen.score));
                counter.add(board, view, MatchPlayer::at(view.seat, MatchPlayer::A), &chosen);
                chosen
            });
        }
        assert_eq!(counter.counts(), expected);
        assert!(expected.exchanges.iter().chain(&expected.sacrifices).all(|&count| count > 3), "{expected:?}");
        counter.start();
        assert_eq!(counter.counts(), TurnCounts::default());
    }
}
