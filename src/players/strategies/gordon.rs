//! Gordon's probabilistic search, which the paper compares with the weighted heuristics of
//! `rack_heuristic.rs`.
//!
//! Source: \[Gordon 1993\]. The best few plays by heuristic 3 are candidates.
//! A scenario is a rack for the opponent and an order of the bag. In each scenario,
//! the outcome of a candidate is its score, minus the opponent's best reply,
//! plus the player's best play after the reply. The candidate with the best mean is played.
//! Replies and comebacks are chosen and counted by points alone, or by points and heuristic 3.
//!
//! The paper does not describe the end of a game. Here, no play follows a play that goes out, which gains the bonus of the rules.

use crate::evaluation::heuristics::RackHeuristic;
use crate::evaluation::leaves::NOTHING;
use crate::evaluation::static_eval::{EvaluatedPlay, StaticTurn};
use crate::evaluation::{Leaves, StaticEval};
use crate::lexicon::Lexicon;
use crate::lexicon::word_graph::WordGraph;
use crate::movegen::LaneBoard;
use crate::players::kind::{KindLeaves, OptionPrinted, PlayerKind, PlayerOption, PlayerOptions};
use crate::players::player::{Deal, HiddenTiles, Player};
use crate::players::strategies::rack_heuristic::gordons_choice;
use crate::players::view::{Sight, View};
use crate::rules::units::Millipoints;
use crate::rules::{GameRules, Play, Seat, VariantSupport};
use crate::search::dealt_game::{DealtGame, ReturnTiles};
use crate::search::randomness::{self, Stream};
use std::cmp::Reverse;

/// The player's seat in a scenario.
const US: Seat = Seat::First;

/// The player with a probabilistic search.
pub const GORDON: PlayerKind = PlayerKind {
    name: "gordon",
    about: "Gordon's probabilistic search: the best candidates by rack3 are compared by score, best reply and best play after it, over scenarios",
    sight: Sight::Fair,
    options: &[CANDIDATES, SCENARIOS, REPLIES],
    leaves: KindLeaves::Heuristic(RackHeuristic::VowelMix),
    variants: VariantSupport::CLASSIC,
    make: |options, rules, knowledge| {
        Box::new(GordonPlayer::new(rules, &knowledge.lexicon, &knowledge.evaluator.leaves, GordonSettings::of(options)))
    },
};

const CANDIDATES: PlayerOption = PlayerOption::count("candidates", 1000, 5);
const SCENARIOS: PlayerOption = PlayerOption::count("scenarios", 1_000_000, 25);
const REPLIES: PlayerOption = PlayerOption::word("replies", &["greedy", "rack3"], "greedy").printed(OptionPrinted::Always);

/// The size of the search, and how replies are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GordonSettings {
    /// The number of plays that are compared.
    pub candidates: usize,
    /// The number of scenarios.
    pub scenarios: u64,
    /// Whether replies and comebacks are chosen by points alone, instead of by heuristic 3.
    pub greedy_replies: bool,
}

impl GordonSettings {
    fn of(options: &PlayerOptions) -> GordonSettings {
        GordonSettings {
            candidates: options.count(&CANDIDATES) as usize,
            scenarios: options.count(&SCENARIOS),
            greedy_replies: options.word(&REPLIES) == "greedy",
        }
    }
}

/// Plays by Gordon's probabilistic search.
pub struct GordonPlayer<'a> {
    rules: &'a GameRules,
    graph: &'a WordGraph,
    settings: GordonSettings,
    /// Chooses the candidates.
    candidates: StaticEval<'a>,
    /// Chooses replies and comebacks.
    replies: StaticEval<'a>,
    game: DealtGame,
}

impl<'a> GordonPlayer<'a> {
    /// Returns a player with the leave values of heuristic 3.
    pub fn new(rules: &'a GameRules, lexicon: &'a Lexicon, leaves: &'a Leaves, settings: GordonSettings) -> GordonPlayer<'a> {
        let eval = |leaves| StaticEval::score_and_leave(rules, lexicon, leaves);
        let replies = if settings.greedy_replies { &NOTHING } else { leaves };
        GordonPlayer {
            rules,
            graph: lexicon.graph(),
            settings,
            candidates: eval(leaves),
            replies: eval(replies),
            game: DealtGame::default(),
        }
    }

    /// Returns the best plays by heuristic 3. The pass is included only if there is nothing else.
    fn candidates(&mut self, board: &mut LaneBoard, turn: &StaticTurn<'_>) -> Vec<EvaluatedPlay> {
        let mut plays = self.candidates.best_few(board, turn, self.settings.candidates + 1);
        if plays.len() > 1 {
            plays.retain(|play| play.play != Play::Pass);
        }
        plays.truncate(self.settings.candidates);
        plays
    }

    /// Returns the outcome of a candidate in one scenario: the lead that the candidate, the reply and the comeback gain, with the leaves of
    /// the last two if they count. `board` is the board before the candidate, and stays unchanged.
    fn outcome(&mut self, board: &mut LaneBoard, view: &View<'_>, scenario: &Deal, candidate: &EvaluatedPlay) -> Millipoints {
        self.game.deal([*view.tiles.rack, scenario.other_rack], &scenario.bag, 0, view.countdown);
        let mut leaves = Millipoints::ZERO;
        let mut placed = 0;
        for ply in 0..3 {
            let seat = Seat::after_turns(ply);
            let play = if ply == 0 { *candidate } else { gordons_choice(&mut self.replies, board, &self.game.turn(seat)) };
            if ply > 0 {
                let leave = play.equity - Millipoints::from_points(play.score);
                leaves += if seat == US { leave } else { -leave };
            }
            if let Some(placement) = play.play.placement() {
                board.play(placement, self.graph);
                placed += 1;
            }
            // The places of exchanged tiles do not matter, since tiles drawn after the comeback are never played.
            let mut exchanges = randomness::generator(view.seed, Stream::Exchanges, 0);
            self.game.take_turn(self.rules, seat, &play, ReturnTiles::SameSide, &mut exchanges);
            if self.game.is_over() {
                break;
            }
        }
        (0..placed).for_each(|_| board.undo());
        Millipoints::from_points(self.game.spread()) + leaves
    }
}

impl Player for GordonPlayer<'_> {
    fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        let candidates = self.candidates(board, &view.tiles);
        if candidates.len() == 1 {
            return candidates[0];
        }
        let hidden = HiddenTiles::new(view);
        // This is not a race (`search/race/`): no candidate drops out. The sums are exact, so that the first of equal candidates is played.
        // Means of fractions might change the order of equals.
        let mut sums = vec![0; candidates.len()];
        for number in 0..self.settings.scenarios {
            let scenario = hidden.deal(&mut randomness::generator(view.seed, Stream::Players, number));
            for (sum, candidate) in sums.iter_mut().zip(&candidates) {
                *sum += i64::from(self.outcome(board, view, &scenario, candidate).0);
            }
            if view.signals.is_stopped() {
                break;
            }
        }
        // Of equal candidates the first is played, since they are sorted by heuristic 3.
        let best = (0..candidates.len()).max_by_key(|&at| (sums[at], Reverse(at)));
        candidates[best.expect("a turn has a play")]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_play::game::GameLoop;
    use crate::rules::{GameRules, Position, Rack, Turn};
    use crate::search::budget::Signals;
    use std::sync::Arc;

    /// Finds the best play by points and leave among all plays on a new board, with heuristic 3 or with points alone.
    fn choice(position: &Position, lexicon: &Lexicon, leaves: &Leaves) -> EvaluatedPlay {
        let rules = position.rules();
        let mut board = LaneBoard::new(rules, position.board(), lexicon.graph());
        let turn = StaticTurn::new(position.mover_rack(), position.opponent_rack(), position.in_bag());
        let mut plays = StaticEval::score_and_leave(rules, lexicon.graph(), leaves).all(&mut board, &turn);
        plays.sort_by_key(|play| (play.play == Play::Pass, Reverse(play.equity), play.play.placement().is_none()));
        plays[0]
    }

    #[test]
    fn an_outcome_is_what_three_turns_gain() {
        let (rules, lexicon) = (Arc::new(GameRules::english()), Lexicon::builtin());
        let heuristic = Leaves::heuristic(RackHeuristic::VowelMix, &rules.distribution);
        let (mut outcomes, mut ends) = (0, 0);
        for greedy_replies in [true, false] {
            let settings = GordonSettings { candidates: 3, scenarios: 2, greedy_replies };
            let leaves = if greedy_replies { &NOTHING } else { &heuristic };
            let mut player = GordonPlayer::new(&rules, &lexicon, &heuristic, settings);
            GameLoop::new(&rules, lexicon.graph()).play(3, 1, &Signals::default(), |board, view| {
                let deal = HiddenTiles::new(view).deal(&mut randomness::generator(view.seed, Stream::Players, 0));
                let own = view.tiles.rack;
                for candidate in player.candidates(board, &view.tiles) {
                    let told = player.outcome(board, view, &deal, &candidate);
                    let mut position = view.position();
                    position.set_rack(Seat::Second, &deal.other_rack).unwrap();
                    let before = position.spread();
                    let kept = own.minus(&candidate.play.rack_tiles()).unwrap();
                    let drawn = deal.bag.iter().copied().take(rules.rack_size - kept.len());
                    let refilled = kept.plus(&drawn.collect::<Rack>());
                    let mut position = position.after_draw(&Turn::Play(candidate.play), &refilled).unwrap();
                    let mut expected = Millipoints::ZERO;
                    for sign in [-1, 1] {
                        if position.end().is_none() {
                            let play = choice(&position, &lexicon, leaves);
                            expected += (play.equity - Millipoints::from_points(play.score)) * sign;
                            position = position.after(&Turn::Play(play.play)).unwrap();
                        }
                    }
                    expected += Millipoints::from_points(position.scores().lead(Seat::First) - before);
                    assert_eq!(told, expected, "{candidate:?}");
                    outcomes += 1;
                    ends += usize::from(position.end().is_some());
                }
                player.choose(board, view)
            });
        }
        assert!(outcomes > 60 && ends > 5, "{outcomes} outcomes, {ends} ends");
    }
}
