//! Gordon's players: points plus a rack heuristic, with the trading rule of the same paper. Also the player with which he compares them,
//! which plays the most points and ignores the leave.
//!
//! Source: [Gordon 1993]. Trading: make the exchange with the best leave, if that leave is worth more than score and leave of every
//! placement. The paper does not say how a leave counts when the bag is empty. Here it counts nothing, or as before with `end=count`. With
//! `end=out`, it also counts as before, but a play that goes out is preferred.
//!
//! Games by this rule have more trades than the paper counts, so other rules can be tried ([`TradingRule`]).

use crate::evaluation::heuristics::RackHeuristic;
use crate::evaluation::static_eval::{EvaluatedPlay, StaticTurn};
use crate::evaluation::{Leaves, StaticEval};
use crate::lexicon::WordSource;
use crate::movegen::LaneBoard;
use crate::players::kind::{KindLeaves, LEAVES, PlayerKind, PlayerOption, PlayerOptions};
use crate::players::player::Player;
use crate::players::view::{Sight, View};
use crate::rules::units::Millipoints;
use crate::rules::{GameRules, Play, Rack, Tile, VariantSupport};
use crate::search::Knowledge;

/// The player with the weights of letters.
pub const RACK1: PlayerKind = kind("rack1", RackHeuristic::Letters, "points and Gordon's first rack heuristic, with Gordon's trading rule");
/// The player with the weights of letters and of duplicates.
pub const RACK2: PlayerKind = kind("rack2", RackHeuristic::Duplicates, "the same with the second heuristic, which counts duplicates");
/// The player that also weighs the mix of vowels and consonants.
pub const RACK3: PlayerKind =
    kind("rack3", RackHeuristic::VowelMix, "the same with the third heuristic, which also weighs vowels against consonants");

const fn kind(name: &'static str, heuristic: RackHeuristic, about: &'static str) -> PlayerKind {
    PlayerKind {
        name,
        about,
        sight: Sight::Fair,
        options: &[END, TRADE, KEEP, MARGIN, LEAVES],
        leaves: KindLeaves::Heuristic(heuristic),
        variants: VariantSupport::MOST_POINTS,
        make: |options, rules, knowledge| {
            let Knowledge { lexicon, evaluator, .. } = knowledge;
            let player = RackHeuristicPlayer::new(rules, lexicon.as_ref(), &evaluator.leaves);
            Box::new(RackHeuristicPlayer { end: LeaveAtTheEnd::of(options), trading: TradingRule::of(options), ..player })
        },
    }
}

const END: PlayerOption = PlayerOption::word("end", &["ignore", "count", "out"], "ignore");

const TRADE: PlayerOption = PlayerOption::word("trade", &["best", "losing", "stuck"], "best");
const KEEP: PlayerOption = PlayerOption::limit("keep", 100);
const MARGIN: PlayerOption = PlayerOption::limit("margin", 1000);

/// When tiles are exchanged, and which.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct TradingRule {
    when: TradeWhen,
    /// The most tiles that are kept. `None` for any number.
    most_kept: Option<usize>,
    /// How much more the tiles kept must be worth than the best placement.
    margin: Millipoints,
}

/// Turns on which tiles are exchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum TradeWhen {
    /// If an exchange is worth more than every placement: Gordon's rule.
    #[default]
    Best,
    /// If, in addition, every placement has a negative value.
    Losing,
    /// If there is no placement.
    Stuck,
}

impl TradingRule {
    fn of(options: &PlayerOptions) -> TradingRule {
        TradingRule {
            when: match options.word(&TRADE) {
                "losing" => TradeWhen::Losing,
                "stuck" => TradeWhen::Stuck,
                _ => TradeWhen::Best,
            },
            most_kept: options.count_if_given(&KEEP).map(|tiles| tiles as usize),
            margin: Millipoints::from_points(options.count_if_given(&MARGIN).unwrap_or(0) as i32),
        }
    }

    /// Returns the best exchange by this rule, if there is one. If the best exchange of all keeps too many tiles, it is the best of the others.
    fn exchange(
        &self,
        best: Option<EvaluatedPlay>,
        placement: Option<EvaluatedPlay>,
        turn: &StaticTurn<'_>,
        leaves: &Leaves,
    ) -> Option<EvaluatedPlay> {
        let exchange = match self.most_kept {
            Some(most) if turn.rack.len() - best?.play.rack_tiles().len() > most => best_exchange(turn, leaves, most)?,
            _ => best?,
        };
        let is_made = placement.is_none_or(|placement| match self.when {
            TradeWhen::Best => exchange.equity - self.margin > placement.equity,
            TradeWhen::Losing => exchange.equity - self.margin > placement.equity && placement.equity < Millipoints::ZERO,
            TradeWhen::Stuck => false,
        });
        is_made.then_some(exchange)
    }
}

/// Returns the exchange with the best leave among those that keep at most `most_kept` tiles,
/// or `None` if the bag has too few tiles for any exchange.
fn best_exchange(turn: &StaticTurn<'_>, leaves: &Leaves, most_kept: usize) -> Option<EvaluatedPlay> {
    let (rack, in_bag) = (turn.rack, turn.in_bag);
    let tiles: Vec<Tile> = rack.tiles().collect();
    let kept = tiles.len().saturating_sub(in_bag)..=most_kept;
    let parts = (0..1u32 << tiles.len()).filter(|part| kept.contains(&(part.count_ones() as usize)));
    let kept_by = |part: u32| tiles.iter().enumerate().filter(|(at, _)| (part >> at) & 1 == 1).map(|(_, tile)| *tile).collect::<Rack>();
    let exchange = |part| {
        let kept = kept_by(part);
        let gone = rack.minus(&kept).expect("a part of the rack");
        EvaluatedPlay { play: Play::Exchange(gone), score: 0, equity: leaves.value(&kept) }
    };
    parts.map(exchange).max_by_key(|play| play.equity)
}

/// The value of a leave once the bag is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LeaveAtTheEnd {
    /// It counts nothing.
    Ignored,
    /// It counts as before.
    Counted,
    /// It counts as before, but a player who can go out does so.
    CountedUnlessOut,
}

impl LeaveAtTheEnd {
    fn of(options: &PlayerOptions) -> LeaveAtTheEnd {
        match options.word(&END) {
            "count" => LeaveAtTheEnd::Counted,
            "out" => LeaveAtTheEnd::CountedUnlessOut,
            _ => LeaveAtTheEnd::Ignored,
        }
    }
}

/// Plays by points plus a rack heuristic.
#[derive(Debug)]
pub struct RackHeuristicPlayer<'a> {
    eval: StaticEval<'a>,
    leaves: &'a Leaves,
    end: LeaveAtTheEnd,
    trading: TradingRule,
}

impl<'a> RackHeuristicPlayer<'a> {
    /// Returns a player with the heuristic in `leaves`, for which a leave is worth nothing once the bag is empty.
    pub fn new(rules: &'a GameRules, words: impl Into<WordSource<'a>>, leaves: &'a Leaves) -> RackHeuristicPlayer<'a> {
        let eval = StaticEval::score_and_leave(rules, words, leaves);
        RackHeuristicPlayer { eval, leaves, end: LeaveAtTheEnd::Ignored, trading: TradingRule::default() }
    }
}

impl RackHeuristicPlayer<'_> {
    /// Returns the play with the most points among those that leave no tile.
    fn best_out(&mut self, board: &mut LaneBoard, turn: &StaticTurn<'_>) -> Option<EvaluatedPlay> {
        let plays = self.eval.all(board, turn);
        let out = plays.into_iter().filter(|play| play.play.placement().is_some_and(|placement| placement.tile_count() == turn.rack.len()));
        // The game ends with this play, so leaves do not matter.
        out.min_by(|play, other| other.score.cmp(&play.score).then_with(|| play.ranking(other)))
    }
}

impl Player for RackHeuristicPlayer<'_> {
    fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        // Static evaluation counts no leave with an empty bag. With one tile in the bag, leaves count, and exchanges are still impossible.
        let in_bag = match self.end {
            LeaveAtTheEnd::Ignored => view.tiles.in_bag,
            LeaveAtTheEnd::Counted | LeaveAtTheEnd::CountedUnlessOut => view.tiles.in_bag.max(1),
        };
        if self.end == LeaveAtTheEnd::CountedUnlessOut
            && view.tiles.in_bag == 0
            && let Some(play) = self.best_out(board, &view.tiles)
        {
            return play;
        }
        let turn = StaticTurn { in_bag, ..view.tiles };
        let (placement, best) = self.eval.best_placement_and_exchange(board, &turn);
        chosen(placement, self.trading.exchange(best, placement, &turn, self.leaves))
    }
}

/// Returns the best placement, or the exchange if it is worth more than all placements, or the pass if there is neither.
pub(super) fn gordons_choice(eval: &mut StaticEval<'_>, board: &mut LaneBoard, turn: &StaticTurn<'_>) -> EvaluatedPlay {
    let (placement, exchange) = eval.best_placement_and_exchange(board, turn);
    chosen(placement, exchange.filter(|exchange| placement.is_none_or(|placement| exchange.equity > placement.equity)))
}

/// Returns the exchange if there is one, or the placement, or the pass.
fn chosen(placement: Option<EvaluatedPlay>, exchange: Option<EvaluatedPlay>) -> EvaluatedPlay {
    exchange.or(placement).unwrap_or(EvaluatedPlay::PASS)
}

/// The player with the most points.
pub const GREEDY: PlayerKind = PlayerKind {
    name: "greedy",
    about: "most points, also in misere; never exchanges",
    sight: Sight::Fair,
    options: &[],
    leaves: KindLeaves::Nothing,
    variants: VariantSupport::ALL,
    make: |_, rules, knowledge| Box::new(Greedy::new(rules, knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves)),
};

/// Plays the most points.
#[derive(Debug)]
pub struct Greedy<'a> {
    eval: StaticEval<'a>,
}

impl<'a> Greedy<'a> {
    /// Returns a greedy player. `leaves` are [`Leaves::nothing`].
    pub fn new(rules: &'a GameRules, words: impl Into<WordSource<'a>>, leaves: &'a Leaves) -> Greedy<'a> {
        Greedy { eval: StaticEval::score_and_leave(rules, words, leaves) }
    }
}

impl Player for Greedy<'_> {
    fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        let pass = EvaluatedPlay::PASS;
        self.eval.best_placement(board, &view.tiles).unwrap_or(pass)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Lexicon;
    use crate::players::view::GameSoFar;
    use crate::rules::notation::play_text;
    use crate::rules::{Board, BySeat, GameRules, Rack};
    use crate::search::budget::Signals;
    use std::sync::Arc;

    /// Checks the play of heuristic 3 on the empty board with this many tiles in the bag.
    fn check(rack: &str, in_bag: usize, expected: &str) {
        check_with(rack, in_bag, LeaveAtTheEnd::Ignored, TradingRule::default(), expected);
    }

    fn check_with(rack: &str, in_bag: usize, end: LeaveAtTheEnd, trading: TradingRule, expected: &str) {
        assert_eq!(choice(rack, in_bag, end, trading), expected, "{rack}, {in_bag} in the bag, {trading:?}");
    }

    fn choice(rack: &str, in_bag: usize, end: LeaveAtTheEnd, trading: TradingRule) -> String {
        let (rules, lexicon) = (Arc::new(GameRules::english()), Lexicon::builtin());
        let racks = BySeat([rules.distribution.parse_tiles(rack).unwrap().into_iter().collect(), Rack::EMPTY]);
        let leaves = Leaves::heuristic(RackHeuristic::VowelMix, &rules.distribution);
        let mut player = RackHeuristicPlayer { end, trading, ..RackHeuristicPlayer::new(&rules, lexicon.graph(), &leaves) };
        let board = Board::empty(15);
        let game = GameSoFar::without_turns(&rules, &board, &racks, in_bag);
        let mut lanes = LaneBoard::new(&rules, &board, lexicon.graph());
        let play = player.choose(&mut lanes, &View::new(&game, Sight::Fair, 0, &Signals::default()));
        play_text(&play.play, &board, &rules.distribution)
    }

    #[test]
    fn gordons_trading_rule() {
        // Keeping IS is worth 7.5 - 0.5 + 1 for the mix: half a point more than S alone, and more than any placement.
        check("IIUUVVS", 86, "ex.IUUVV");
        check("IIUUVVS", 7, "ex.IUUVV");
        // Without a word, and with too few tiles to exchange, the player passes.
        check("IIUUVV", 6, "pass");
        check("CVVWWW", 6, "pass");
        check("CVVWWW", 93, "ex.CVVWWW");
    }

    #[test]
    fn a_leave_counts_once_the_bag_is_empty_if_that_is_asked_for() {
        let check = |rack, end, expected| check_with(rack, 0, end, TradingRule::default(), expected);
        // AXES scores 22; AX scores 18 and keeps E and S, for 12.5.
        check("AESX", LeaveAtTheEnd::Ignored, "8E.AXES");
        check("AESX", LeaveAtTheEnd::Counted, "8G.AX");
        // A player who goes out if possible does not keep them.
        check("AESX", LeaveAtTheEnd::CountedUnlessOut, "8E.AXES");
        let with_a_q = choice("AEQSX", 0, LeaveAtTheEnd::Counted, TradingRule::default());
        assert_eq!(choice("AEQSX", 0, LeaveAtTheEnd::CountedUnlessOut, TradingRule::default()), with_a_q);
        // With an empty bag, no player exchanges.
        check("CVVWWW", LeaveAtTheEnd::Counted, "pass");
    }

    #[test]
    fn other_trading_rules_exchange_less() {
        let check = |rack, trading, expected| check_with(rack, 86, LeaveAtTheEnd::Ignored, trading, expected);
        let gordons = TradingRule::default();
        // S alone is worth 7.5.
        check("IIUUVVS", TradingRule { most_kept: Some(1), ..gordons }, "ex.IIUUVV");
        check("CVVWWWW", TradingRule { when: TradeWhen::Stuck, ..gordons }, "ex.CVVWWWW");
        // VIS scores 12 and keeps IUUV, for -16. Its value is negative, and 12 points below that of S and I.
        check("IIUUVVS", TradingRule { when: TradeWhen::Losing, ..gordons }, "ex.IUUVV");
        check("IIUUVVS", TradingRule { margin: Millipoints::from_points(11), ..gordons }, "ex.IUUVV");
        for other in [TradingRule { when: TradeWhen::Stuck, ..gordons }, TradingRule { margin: Millipoints::from_points(13), ..gordons }] {
            let placed = choice("IIUUVVS", 86, LeaveAtTheEnd::Ignored, other);
            assert!(placed.ends_with(".VIS"), "{placed}, {other:?}");
        }
    }
}
