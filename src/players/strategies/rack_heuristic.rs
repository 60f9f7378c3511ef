//! Gordon's players: points and rack heuristic together, with the trading rule of the same paper.
//!
//! Source: [Gordon 1993]. Trading: exchange the tiles whose leave is worth most, if that is more than every placement's score
//! and leave. The paper does not say what a leave counts when the bag is empty: here it counts nothing, or with `end=count` as before.

use crate::evaluation::heuristics::RackHeuristic;
use crate::evaluation::static_eval::{EvaluatedPlay, StaticTurn};
use crate::evaluation::{Leaves, StaticEval};
use crate::lexicon::WordSource;
use crate::movegen::LaneBoard;
use crate::players::kind::{KindLeaves, OptionPrinted, PlayerKind, PlayerOption, PlayerOptionType, PlayerOptions};
use crate::players::player::Player;
use crate::players::view::{Sight, View};
use crate::rules::units::Millipoints;
use crate::rules::{GameRules, Play, VariantSupport};
use crate::search::Knowledge;

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
        options: &[END],
        leaves: KindLeaves::Heuristic(heuristic),
        variants: VariantSupport::MOST_POINTS,
        make: |options, rules, knowledge| {
            let Knowledge { lexicon, evaluator, .. } = knowledge;
            let player = RackHeuristicPlayer::new(rules, lexicon.as_ref(), &evaluator.leaves);
            Box::new(RackHeuristicPlayer { end: LeaveAtTheEnd::of(options), ..player })
        },
    }
}

const END: PlayerOption = PlayerOption {
    name: "end",
    values: PlayerOptionType::Word { words: &["ignore", "count"], default: "ignore" },
    printed: OptionPrinted::IfNotDefault,
};

/// What a leave is worth once the bag is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LeaveAtTheEnd {
    /// Nothing.
    Ignored,
    /// As much as before.
    Counted,
}

impl LeaveAtTheEnd {
    fn of(options: &PlayerOptions) -> LeaveAtTheEnd {
        if options.word(&END) == "count" { LeaveAtTheEnd::Counted } else { LeaveAtTheEnd::Ignored }
    }
}

/// See the module's text.
#[derive(Debug)]
pub struct RackHeuristicPlayer<'a> {
    eval: StaticEval<'a>,
    end: LeaveAtTheEnd,
}

impl<'a> RackHeuristicPlayer<'a> {
    /// A player with the heuristic that `leaves` hold, for which a leave is worth nothing once the bag is empty.
    pub fn new(rules: &'a GameRules, words: impl Into<WordSource<'a>>, leaves: &'a Leaves) -> RackHeuristicPlayer<'a> {
        RackHeuristicPlayer { eval: StaticEval::score_and_leave(rules, words, leaves), end: LeaveAtTheEnd::Ignored }
    }
}

impl Player for RackHeuristicPlayer<'_> {
    fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        // Static evaluation counts no leave with an empty bag. With a tile in it leaves count, and exchanges are as impossible.
        let in_bag = match self.end {
            LeaveAtTheEnd::Ignored => view.tiles.in_bag,
            LeaveAtTheEnd::Counted => view.tiles.in_bag.max(1),
        };
        gordons_choice(&mut self.eval, board, &StaticTurn { in_bag, ..view.tiles })
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
        check_with(rack, in_bag, LeaveAtTheEnd::Ignored, expected);
    }

    fn check_with(rack: &str, in_bag: usize, end: LeaveAtTheEnd, expected: &str) {
        let (rules, lexicon) = (Arc::new(english_rules()), Lexicon::builtin());
        let racks = [rules.distribution.parse_tiles(rack).unwrap().into_iter().collect(), Rack::EMPTY];
        let leaves = Leaves::heuristic(RackHeuristic::VowelMix, &rules.distribution);
        let mut player = RackHeuristicPlayer { end, ..RackHeuristicPlayer::new(&rules, lexicon.graph(), &leaves) };
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

    #[test]
    fn a_leave_counts_once_the_bag_is_empty_if_that_is_asked_for() {
        use LeaveAtTheEnd::{Counted, Ignored};
        // AXES scores 22; AX scores 18 and keeps E and S, for 12.5.
        check_with("AESX", 0, Ignored, "8E.AXES");
        check_with("AESX", 0, Counted, "8G.AX");
        // Nobody exchanges with an empty bag.
        check_with("CVVWWW", 0, Counted, "pass");
    }
}
