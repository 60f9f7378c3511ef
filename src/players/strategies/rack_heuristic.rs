//! Gordon's players: points and rack heuristic together, with the trading rule of the same paper.
//!
//! Source: [Gordon 1993]. Trading: exchange the tiles whose leave is worth most, if that is more than every placement's score
//! and leave. The paper does not say what a leave counts when the bag is empty: here it counts nothing.

use crate::evaluation::heuristics::RackHeuristic;
use crate::evaluation::static_eval::{EvaluatedPlay, StaticTurn};
use crate::evaluation::{Leaves, StaticEval};
use crate::lexicon::WordSource;
use crate::movegen::LaneBoard;
use crate::players::kind::{KindLeaves, PlayerKind};
use crate::players::player::Player;
use crate::players::view::{Sight, View};
use crate::rules::units::Millipoints;
use crate::rules::{GameRules, Play, VariantSupport};

/// With the weights of letters.
pub const RACK1: PlayerKind = kind("rack1", RackHeuristic::Letters, "points and Gordon's first rack heuristic, with Gordon's trading rule");
/// With the weights of letters and of duplicates.
pub const RACK2: PlayerKind = kind("rack2", RackHeuristic::Duplicates, "the same with the second, which counts duplicates");
/// With the mix of vowels and consonants too.
pub const RACK3: PlayerKind = kind("rack3", RackHeuristic::VowelMix, "the same with the third, which weighs vowels against consonants too");

const fn kind(name: &'static str, heuristic: RackHeuristic, about: &'static str) -> PlayerKind {
    PlayerKind {
        name,
        about,
        sight: Sight::Fair,
        options: &[],
        leaves: KindLeaves::Heuristic(heuristic),
        variants: VariantSupport::MOST_POINTS,
        make: |_, rules, knowledge| Box::new(RackHeuristicPlayer::new(rules, knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves)),
    }
}

/// See the module's text.
#[derive(Debug)]
pub struct RackHeuristicPlayer<'a> {
    eval: StaticEval<'a>,
}

impl<'a> RackHeuristicPlayer<'a> {
    /// A player with the heuristic that `leaves` hold.
    pub fn new(rules: &'a GameRules, words: impl Into<WordSource<'a>>, leaves: &'a Leaves) -> RackHeuristicPlayer<'a> {
        RackHeuristicPlayer { eval: StaticEval::score_and_leave(rules, words, leaves) }
    }
}

impl Player for RackHeuristicPlayer<'_> {
    fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        gordons_choice(&mut self.eval, board, &view.tiles)
    }
}

/// The best placement, or the exchange that is worth more than all of them; the pass where there is neither.
pub(super) fn gordons_choice(eval: &mut StaticEval<'_>, board: &mut LaneBoard, turn: &StaticTurn<'_>) -> EvaluatedPlay {
    let (placement, exchange) = eval.best_placement_and_exchange(board, turn);
    match (placement, exchange) {
        (Some(placement), Some(exchange)) if exchange.equity > placement.equity => exchange,
        (Some(placement), _) => placement,
        (None, Some(exchange)) => exchange,
        (None, None) => EvaluatedPlay { play: Play::Pass, score: 0, equity: Millipoints::ZERO },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::english_rules;
    use crate::lexicon::Lexicon;
    use crate::players::view::{GameSoFar, PastTurns};
    use crate::rules::notation::play_text;
    use crate::rules::{Board, Rack};
    use crate::search::budget::Signals;
    use std::sync::Arc;

    /// What heuristic 3 plays on the empty board with this many tiles in the bag.
    fn check(rack: &str, in_bag: usize, expected: &str) {
        let (rules, lexicon) = (Arc::new(english_rules()), Lexicon::builtin());
        let racks = [rules.distribution.parse_tiles(rack).unwrap().into_iter().collect(), Rack::EMPTY];
        let leaves = Leaves::heuristic(RackHeuristic::VowelMix, &rules.distribution);
        let mut player = RackHeuristicPlayer::new(&rules, lexicon.graph(), &leaves);
        let board = Board::empty(15);
        let game = GameSoFar {
            rules: &rules,
            racks: &racks,
            kept: &[Rack::EMPTY; 2],
            scores: [0; 2],
            in_bag,
            zero_turns: 0,
            past: PastTurns::default(),
        };
        let mut lanes = LaneBoard::new(&rules, &board, lexicon.graph());
        let play = player.choose(&mut lanes, &View::new(&game, Sight::Fair, 0, &Signals::default()));
        assert_eq!(play_text(&play.play, &board, &rules.distribution), expected, "{rack}, {in_bag} in the bag");
    }

    #[test]
    fn gordons_trading_rule() {
        // Keeping IS is worth 7.5 - 0.5, and 1 for the mix: half a point more than S alone, and more than any placement.
        check("IIUUVVS", 86, "ex.IUUVV");
        check("IIUUVVS", 7, "ex.IUUVV");
        // No word, and too few tiles to exchange: a pass.
        check("IIUUVV", 6, "pass");
        check("CVVWWW", 6, "pass");
        check("CVVWWW", 93, "ex.CVVWWW");
    }
}
