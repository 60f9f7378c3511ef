//! WordSmith, the opponent that KNIA was made to beat: most points, with good tiles kept by their
//! quantiles.
//!
//! Source: the program's text \[Young 2013\]. A play is worth its score. While the rack is full, each
//! tile placed adds the median score of all plays minus the median score of the plays with this tile.
//! The formula is exact, but the medians are our own (`evaluation/heuristics.rs`). It exchanges only
//! the whole rack, and only if it finds no word.
//!
//! Not copied: errors in its search, by which it misses words that begin in the first row or column before a seed square, and some hooks
//! next to the right neighbour; and its limit of 15 seconds.

use crate::evaluation::heuristics::RackHeuristic;
use crate::evaluation::leaves::NOTHING;
use crate::evaluation::static_eval::EvaluatedPlay;
use crate::evaluation::{Leaves, StaticEval};
use crate::lexicon::WordSource;
use crate::movegen::LaneBoard;
use crate::players::kind::{KindLeaves, PlayerKind};
use crate::players::player::Player;
use crate::players::view::{Sight, View};
use crate::rules::units::Millipoints;
use crate::rules::{GameRules, Play, VariantSupport};

/// The player by score and tile quantiles.
pub const WORDSMITH: PlayerKind = PlayerKind {
    name: "wordsmith",
    about: "WordSmith: most points; from a full rack, it conserves tiles by the median score of the plays that use them",
    sight: Sight::Fair,
    options: &[],
    leaves: KindLeaves::Heuristic(RackHeuristic::TileQuantiles),
    variants: VariantSupport::CLASSIC,
    make: |_, rules, knowledge| Box::new(WordSmith::new(rules, knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves)),
};

/// Plays as WordSmith: the most points, with good tiles conserved.
#[derive(Debug)]
pub struct WordSmith<'a> {
    rules: &'a GameRules,
    /// The evaluation from a full rack.
    conserving: StaticEval<'a>,
    /// The evaluation from any other rack.
    greedy: StaticEval<'a>,
}

impl<'a> WordSmith<'a> {
    /// Returns a player with the tile quantiles in `leaves`.
    pub fn new(rules: &'a GameRules, words: impl Into<WordSource<'a>>, leaves: &'a Leaves) -> WordSmith<'a> {
        let words = words.into();
        let eval = |leaves| StaticEval::score_and_leave(rules, words, leaves);
        WordSmith { rules, conserving: eval(leaves), greedy: eval(&NOTHING) }
    }
}

impl Player for WordSmith<'_> {
    fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        let turn = &view.tiles;
        let eval = if turn.rack.len() == self.rules.rack_size { &mut self.conserving } else { &mut self.greedy };
        let stuck = || {
            let may_exchange = turn.in_bag >= self.rules.exchange_limit.max(turn.rack.len());
            let play = if may_exchange { Play::Exchange(*turn.rack) } else { Play::Pass };
            EvaluatedPlay { play, score: 0, equity: Millipoints::ZERO }
        };
        eval.best_placement(board, turn).unwrap_or_else(stuck)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Lexicon;
    use crate::match_play::game::GameLoop;
    use crate::players::GameSoFar;
    use crate::rules::{Board, BySeat, GameRules, Rack};
    use crate::search::budget::Signals;
    use std::sync::Arc;

    #[test]
    fn a_play_is_worth_its_score_and_what_the_tiles_placed_are_below_the_median() {
        let (rules, lexicon) = (Arc::new(GameRules::english()), Lexicon::builtin());
        let english = &rules.distribution;
        let leaves = Leaves::heuristic(RackHeuristic::TileQuantiles, english);
        let mut player = WordSmith::new(&rules, lexicon.graph(), &leaves);
        let mut all = StaticEval::score_and_leave(&rules, lexicon.graph(), &NOTHING);
        let [mut full, mut others] = [0, 0];
        GameLoop::new(&rules, lexicon.graph()).play(11, 0, &Signals::default(), |board, view| {
            let chosen = player.choose(board, view);
            let worth = |play: &EvaluatedPlay| {
                let placed = play.play.rack_tiles();
                let counts = view.tiles.rack.len() == rules.rack_size;
                let terms = placed.tiles().map(|tile| leaves.value(&[tile].into_iter().collect::<Rack>()));
                Millipoints::from_points(play.score) - if counts { terms.sum() } else { Millipoints::ZERO }
            };
            let plays = all.all(board, &view.tiles);
            let best = plays.iter().filter(|play| play.play.placement().is_some()).map(worth).max();
            assert_eq!(chosen.play.placement().map(|_| worth(&chosen)), best);
            *(if view.tiles.rack.len() == rules.rack_size { &mut full } else { &mut others }) += 1;
            chosen
        });
        assert!(full > 10 && others > 0, "{full} {others}");
    }

    #[test]
    fn without_a_word_the_whole_rack_goes_back() {
        let (rules, lexicon) = (Arc::new(GameRules::english()), Lexicon::builtin());
        let leaves = Leaves::heuristic(RackHeuristic::TileQuantiles, &rules.distribution);
        let mut player = WordSmith::new(&rules, lexicon.graph(), &leaves);
        let rack: Rack = rules.distribution.parse_tiles("CVVWWWW").unwrap().into_iter().collect();
        for (in_bag, expected) in [(7, Play::Exchange(rack)), (6, Play::Pass)] {
            let (board, racks) = (Board::empty(15), BySeat([rack, Rack::EMPTY]));
            let mut lanes = LaneBoard::new(&rules, &board, lexicon.graph());
            let game = GameSoFar::without_turns(&rules, &board, &racks, in_bag);
            let signals = Signals::default();
            assert_eq!(player.choose(&mut lanes, &View::new(&game, Sight::Fair, 0, &signals)).play, expected);
        }
    }
}
