//! KNIA: three plies of Monte Carlo expectimax with a beam.
//!
//! Source: \[Cooper & Shuster\]. The player's best M plays are examined. For each play, the opponent's rack is drawn N times, and the best P
//! replies of each rack are examined. After each reply, the player's rack is refilled Q times, and the best R plays count. Scores are
//! averaged at every level, and the play with the highest value is chosen:
//!
//! value = a * its score + b * mean score of the player's third plies - c * mean score of the opponent's replies
//!
//! The best plays, at every ply, are those with the highest sum of score, leave and board. The paper does not give the weights, or the
//! values of leaves and board. Here a = b = c = 1, and leaves have the values of Gordon's third heuristic. Each empty square that multiplies
//! words costs 0.7 points (times three and more) or 0.3 points (times two), if it is in the row or column of a placed tile and within reach
//! of a rack. The opponent's racks are the same for all plays, as in the paper's pseudocode, and so are the tiles that the player draws.
//!
//! Several threads may examine the racks. The play does not depend on their number. Instead of the paper's three minutes, `movetime` or a
//! clock limits the time. A search that is stopped uses the racks examined so far.
//!
//! If there is no placement, the player makes the exchange with the best leave, or passes. The paper counts neither tiles left at the end
//! of a game nor going out, and neither does this player.

use crate::evaluation::heuristics::RackHeuristic;
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
use crate::rules::{Direction, GameRules, Placement, Rack, Square, Tile, VariantSupport};
use crate::search::limits::MOST_THREADS;
use crate::search::randomness::{self, Stream};
use crate::search::threads;
use rayon::prelude::*;

/// The player with expectimax.
pub const KNIA: PlayerKind = PlayerKind {
    name: "knia",
    about: "KNIA: M plays, N racks of the opponent, P replies to each, Q draws after each reply, R plays then; the value of a play is a times its \
            score, plus b times the mean score of the last plays, minus c times that of the replies",
    sight: Sight::Fair,
    options: &[PRESET, M, N, P, Q, R, A, B, C, THREADS],
    leaves: KindLeaves::Heuristic(RackHeuristic::VowelMix),
    variants: VariantSupport::CLASSIC,
    make: |options, rules, knowledge| {
        Box::new(KniaPlayer::new(rules, &knowledge.lexicon, &knowledge.evaluator.leaves, KniaSettings::of(options)))
    },
};

const PRESET: PlayerOption = PlayerOption::word("preset", &["seed1", "seed2", "seed3", "timing"], "seed3").printed(OptionPrinted::Always);
const M: PlayerOption = PlayerOption::limit("m", 1000);
const N: PlayerOption = PlayerOption::limit("n", 1000);
const P: PlayerOption = PlayerOption::limit("p", 1000);
const Q: PlayerOption = PlayerOption::limit("q", 1000);
const R: PlayerOption = PlayerOption::limit("r", 1000);
const A: PlayerOption = PlayerOption::weight("a");
const B: PlayerOption = PlayerOption::weight("b");
const C: PlayerOption = PlayerOption::weight("c");
const THREADS: PlayerOption = PlayerOption::count("threads", MOST_THREADS as u64, 1).printed(OptionPrinted::IfNotDefault);

/// The cost of an open square that multiplies a word by two, and by more, in the ranking of plays.
const OPEN_SQUARES: [Millipoints; 2] = [Millipoints(300), Millipoints(700)];

/// The breadth of the search at every level, and the weights of the levels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KniaSettings {
    /// M: the player's plays.
    pub plays: usize,
    /// N: racks of the opponent.
    pub racks: usize,
    /// P: replies of each rack to each play.
    pub replies: usize,
    /// Q: refilled racks of the player after each reply.
    pub refills: usize,
    /// R: plays from each refilled rack.
    pub comebacks: usize,
    /// a, b, c: the weights of the play's score, the mean of the comebacks, and the mean of the replies.
    pub weights: [f64; 3],
    /// Threads that examine racks of the opponent.
    pub threads: usize,
}

impl KniaSettings {
    /// Returns the sizes of a preset, with the changes of the options that are given. The presets are the paper's runs: all numbers 1; 15
    /// hands of the opponent; five plays with 15 hands; and its example for the time of beams of five.
    fn of(options: &PlayerOptions) -> KniaSettings {
        let [m, n, p, q, r] = match options.word(&PRESET) {
            "seed1" => [1, 1, 1, 1, 1],
            "seed2" => [1, 15, 1, 1, 1],
            "timing" => [5, 1, 5, 1, 5],
            _ => [5, 15, 1, 1, 1],
        };
        let size = |option: &PlayerOption, preset: usize| options.count_if_given(option).map_or(preset, |count| count as usize);
        KniaSettings {
            plays: size(&M, m),
            racks: size(&N, n),
            replies: size(&P, p),
            refills: size(&Q, q),
            comebacks: size(&R, r),
            weights: [&A, &B, &C].map(|weight| options.weight(weight)),
            threads: options.count(&THREADS) as usize,
        }
    }
}

/// Plays by KNIA's expectimax of three plies.
pub struct KniaPlayer<'a> {
    rules: &'a GameRules,
    lexicon: &'a Lexicon,
    leaves: &'a Leaves,
    graph: &'a WordGraph,
    settings: KniaSettings,
    eval: StaticEval<'a>,
    /// The squares that multiply words, with their cost while they are open.
    word_squares: Vec<(Square, Millipoints)>,
}

/// A deal for trying the first plies: a rack of the opponent, and orders in
/// which the player may draw the other tiles.
struct Hands {
    other_rack: Rack,
    bags: Vec<Vec<Tile>>,
}

impl Hands {
    /// Returns the rack and the draws of this number.
    fn deal(hidden: &HiddenTiles, refills: usize, seed: u64, number: u64) -> Hands {
        let mut rng = randomness::generator(seed, Stream::Players, number);
        let Deal { other_rack, bag } = hidden.deal(&mut rng);
        let mut bags = vec![bag];
        while bags.len() < refills {
            let mut bag = bags[0].clone();
            randomness::shuffle(&mut bag, &mut rng);
            bags.push(bag);
        }
        Hands { other_rack, bags }
    }
}

impl<'a> KniaPlayer<'a> {
    /// Returns a player with these leave values.
    pub fn new(rules: &'a GameRules, lexicon: &'a Lexicon, leaves: &'a Leaves, settings: KniaSettings) -> KniaPlayer<'a> {
        let word_square = |square| match rules.layout.premium(square).word_factor() {
            1 => None,
            2 => Some((square, OPEN_SQUARES[0])),
            _ => Some((square, OPEN_SQUARES[1])),
        };
        let word_squares = Square::all(rules.layout.dim()).filter_map(word_square).collect();
        let eval = StaticEval::score_and_leave(rules, lexicon, leaves);
        KniaPlayer { rules, lexicon, leaves, graph: lexicon.graph(), settings, eval, word_squares }
    }

    /// Returns the best placements by score, leave and board, at most `width`, best first.
    fn beam(&mut self, board: &mut LaneBoard, turn: &StaticTurn<'_>, width: usize) -> Vec<EvaluatedPlay> {
        let mut wanted = 4 * width + 8;
        loop {
            let found = self.eval.best_few(board, turn, wanted);
            let is_all = found.len() < wanted;
            // Open squares only lower the value of a play, so no other play can be worth more than this.
            let rest = found.last().map_or(Millipoints::MIN, |play| play.equity);
            let placements = found.iter().filter_map(|play| Some((play, play.play.placement()?)));
            let mut ranked: Vec<EvaluatedPlay> = placements
                .map(|(play, placement)| EvaluatedPlay { equity: play.equity - self.openness(board, placement), ..*play })
                .collect();
            ranked.sort_by(EvaluatedPlay::ranking);
            ranked.truncate(width);
            if is_all || ranked.get(width - 1).is_some_and(|last| last.equity > rest) {
                return ranked;
            }
            wanted *= 4;
        }
    }

    /// Returns the cost of the squares that a play opens.
    fn openness(&self, board: &LaneBoard, placement: &Placement) -> Millipoints {
        let reach = self.rules.rack_size;
        let placed: Vec<Square> = placement.placed().map(|(square, _)| square).collect();
        let near = |a: Square, b: Square| {
            (a.row == b.row && a.col.abs_diff(b.col) as usize <= reach) || (a.col == b.col && a.row.abs_diff(b.row) as usize <= reach)
        };
        let is_open = |square: Square| {
            let is_empty = board.view(square, Direction::Across).is_empty() && !placed.contains(&square);
            is_empty && placed.iter().any(|&tile| near(tile, square))
        };
        self.word_squares.iter().filter(|(square, _)| is_open(*square)).map(|(_, cost)| *cost).sum()
    }

    /// Returns the values of plays of this turn.
    fn values(&mut self, board: &mut LaneBoard, view: &View<'_>, plays: &[EvaluatedPlay]) -> Vec<f64> {
        let hidden = HiddenTiles::new(view);
        let numbers = 0..self.settings.racks as u64;
        // Returns the values of all plays against one rack, or `None` once the search is stopped.
        let look = |player: &mut Self, board: &mut LaneBoard, number| -> Option<Vec<[f64; 2]>> {
            let hands = (!view.signals.is_stopped()).then(|| Hands::deal(&hidden, player.settings.refills, view.seed, number))?;
            Some(plays.iter().map(|play| player.replies(board, view.tiles.rack, play, &hands)).collect())
        };
        let told: Vec<Option<Vec<[f64; 2]>>> = match threads::pool(self.settings.threads) {
            Some(pool) => {
                let KniaPlayer { rules, lexicon, leaves, settings, .. } = *self;
                let worker = || (KniaPlayer::new(rules, lexicon, leaves, settings), board.clone());
                pool.install(|| numbers.into_par_iter().map_init(worker, |(player, board), number| look(player, board, number)).collect())
            }
            None => numbers.map(|number| look(&mut *self, &mut *board, number)).collect(),
        };
        let told: Vec<Vec<[f64; 2]>> = told.into_iter().map_while(|of_rack| of_rack).collect();
        let [a, b, c] = self.settings.weights;
        let mean_of = |at: usize, side: usize| mean(&told.iter().map(|of_rack| of_rack[at][side]).collect::<Vec<f64>>());
        let value = |(at, play): (usize, &EvaluatedPlay)| a * f64::from(play.score) + b * mean_of(at, 1) - c * mean_of(at, 0);
        plays.iter().enumerate().map(value).collect()
    }

    /// Returns the mean scores of the replies to a play and of the comebacks after them. `board` is the board before the play, and stays
    /// unchanged.
    fn replies(&mut self, board: &mut LaneBoard, rack: &Rack, play: &EvaluatedPlay, hands: &Hands) -> [f64; 2] {
        let kept = rack.minus(&play.play.rack_tiles()).expect("the player has the tiles of a play");
        let drawn = (self.rules.rack_size - kept.len()).min(hands.bags[0].len());
        if kept.is_empty() && drawn == 0 {
            return [0.0; 2];
        }
        let in_bag = hands.bags[0].len() - drawn;
        let turn = StaticTurn::new(&hands.other_rack, &Rack::EMPTY, in_bag);
        self.on_board(board, play, |player, board| {
            let replies = player.beam(board, &turn, player.settings.replies);
            if replies.is_empty() {
                return [0.0, player.comebacks(board, &kept, drawn, in_bag, hands)];
            }
            let comebacks = replies.iter().map(|reply| {
                let placed = reply.play.rack_tiles().len();
                if in_bag == 0 && placed == hands.other_rack.len() {
                    return 0.0;
                }
                let left = in_bag.saturating_sub(placed);
                player.on_board(board, reply, |player, board| player.comebacks(board, &kept, drawn, left, hands))
            });
            let comebacks: Vec<f64> = comebacks.collect();
            [mean_score(&replies), mean(&comebacks)]
        })
    }

    /// Returns the mean score of the player's best plays from the racks into which this leave may be refilled.
    fn comebacks(&mut self, board: &mut LaneBoard, kept: &Rack, drawn: usize, in_bag: usize, hands: &Hands) -> f64 {
        let means = hands.bags.iter().map(|bag| {
            let rack = kept.plus(&bag[..drawn].iter().copied().collect());
            mean_score(&self.beam(board, &StaticTurn::new(&rack, &Rack::EMPTY, in_bag), self.settings.comebacks))
        });
        mean(&means.collect::<Vec<f64>>())
    }

    /// Runs an action on the board with a placement on it.
    fn on_board<T>(&mut self, board: &mut LaneBoard, play: &EvaluatedPlay, action: impl FnOnce(&mut Self, &mut LaneBoard) -> T) -> T {
        board.play(play.play.placement().expect("a beam holds placements"), self.graph);
        let done = action(self, board);
        board.undo();
        done
    }
}

/// Returns the mean, or 0 without values.
fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn mean_score(plays: &[EvaluatedPlay]) -> f64 {
    mean(&plays.iter().map(|play| f64::from(play.score)).collect::<Vec<f64>>())
}

impl Player for KniaPlayer<'_> {
    fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        let plays = self.beam(board, &view.tiles, self.settings.plays);
        match plays[..] {
            [] => return gordons_choice(&mut self.eval, board, &view.tiles),
            // With one play, there is nothing to decide.
            [only] => return only,
            _ => (),
        }
        let values = self.values(board, view, &plays);
        // The first of equal plays is chosen.
        let best = (0..plays.len()).rev().max_by(|&x, &y| values[x].total_cmp(&values[y]));
        plays[best.expect("a beam that is not empty")]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::leaves::NOTHING;
    use crate::formats::{cgp, layout, small_rules};
    use crate::match_play::game::GameLoop;
    use crate::rules::notation::{placement_of_word, play_text};
    use crate::rules::{Board, GameRules, Play};
    use crate::search::budget::Signals;
    use std::sync::Arc;

    const TWO: KniaSettings =
        KniaSettings { plays: 2, racks: 2, replies: 2, refills: 2, comebacks: 2, weights: [1.0, 0.5, 2.0], threads: 1 };

    /// The paper's loops. They generate all plays of every board again, and sort them by score, leave and board.
    struct Twin<'a> {
        rules: &'a Arc<GameRules>,
        lexicon: &'a Lexicon,
        leaves: &'a Leaves,
    }

    impl Twin<'_> {
        fn best(&self, board: &Board, rack: &Rack, in_bag: usize) -> Vec<EvaluatedPlay> {
            let graph = self.lexicon.graph();
            let mut lanes = LaneBoard::new(self.rules, board, graph);
            let mut points = StaticEval::score_and_leave(self.rules, graph, &NOTHING);
            let plays = points.all(&mut lanes, &StaticTurn::new(rack, &Rack::EMPTY, in_bag));
            let mut placements: Vec<EvaluatedPlay> = plays.into_iter().filter(|play| play.play.placement().is_some()).collect();
            for play in &mut placements {
                let kept = rack.minus(&play.play.rack_tiles()).unwrap();
                let leave = if in_bag > 0 { self.leaves.value(&kept) } else { Millipoints::ZERO };
                play.equity = Millipoints::from_points(play.score) + leave - self.opened(board, &play.play);
            }
            placements.sort_by(EvaluatedPlay::ranking);
            placements.truncate(2);
            placements
        }

        fn opened(&self, board: &Board, play: &Play) -> Millipoints {
            let after = self.after(board, play);
            let placed: Vec<Square> = play.placement().unwrap().placed().map(|(square, _)| square).collect();
            let mut cost = Millipoints::ZERO;
            for row in 0..15 {
                for col in 0..15 {
                    let square = Square { row, col };
                    let steps = |tile: &Square| {
                        let away = [tile.row.abs_diff(row), tile.col.abs_diff(col)];
                        (away.contains(&0)).then_some(away[0] + away[1])
                    };
                    if after.get(square).is_none() && placed.iter().filter_map(steps).any(|steps| steps <= 7) {
                        cost += match self.rules.layout.premium(square).word_factor() {
                            1 => Millipoints::ZERO,
                            2 => Millipoints(300),
                            _ => Millipoints(700),
                        };
                    }
                }
            }
            cost
        }

        fn after(&self, board: &Board, play: &Play) -> Board {
            let mut board = board.clone();
            play.placement().unwrap().put_on(&mut board);
            board
        }

        fn value(&self, board: &Board, rack: &Rack, play: &EvaluatedPlay, all_hands: &[Hands]) -> f64 {
            let kept = rack.minus(&play.play.rack_tiles()).unwrap();
            let (mut replies_sum, mut comebacks_sum) = (0.0, 0.0);
            let after = self.after(board, &play.play);
            for hands in all_hands {
                let drawn = (7 - kept.len()).min(hands.bags[0].len());
                let in_bag = hands.bags[0].len() - drawn;
                let over = kept.is_empty() && drawn == 0;
                let replies = if over { Vec::new() } else { self.best(&after, &hands.other_rack, in_bag) };
                let (mut reply_scores, mut comeback_means) = (Vec::new(), Vec::new());
                let mut ends = |board: &Board, in_bag: usize| {
                    let mut means = Vec::new();
                    for bag in &hands.bags {
                        let refilled = kept.plus(&bag[..drawn].iter().copied().collect());
                        let scores: Vec<f64> = self.best(board, &refilled, in_bag).iter().map(|play| f64::from(play.score)).collect();
                        means.push(average(&scores));
                    }
                    comeback_means.push(average(&means));
                };
                for reply in &replies {
                    reply_scores.push(f64::from(reply.score));
                    let placed = reply.play.rack_tiles();
                    if in_bag > 0 || placed != hands.other_rack {
                        ends(&self.after(&after, &reply.play), in_bag.saturating_sub(placed.len()));
                    }
                }
                if replies.is_empty() && !over {
                    ends(&after, in_bag);
                }
                replies_sum += average(&reply_scores);
                comebacks_sum += comeback_means.iter().sum::<f64>() / replies.len().max(1) as f64;
            }
            let racks = all_hands.len() as f64;
            f64::from(play.score) + 0.5 * comebacks_sum / racks - 2.0 * replies_sum / racks
        }
    }

    fn average(values: &[f64]) -> f64 {
        values.iter().sum::<f64>() / values.len().max(1) as f64
    }

    #[test]
    fn the_choice_is_that_of_the_papers_loops() {
        let (rules, lexicon) = (Arc::new(GameRules::english()), Lexicon::builtin());
        let leaves = Leaves::heuristic(RackHeuristic::VowelMix, &rules.distribution);
        let twin = Twin { rules: &rules, lexicon: &lexicon, leaves: &leaves };
        let mut player = KniaPlayer::new(&rules, &lexicon, &leaves, TWO);
        let mut threaded = KniaPlayer::new(&rules, &lexicon, &leaves, KniaSettings { threads: 3, ..TWO });
        let mut choices = [0; 2];
        let mut with_empty_bag = 0;
        GameLoop::new(&rules, lexicon.graph()).play(5, 2, &Signals::default(), |board, view| {
            let chosen = player.choose(board, view);
            let hidden = HiddenTiles::new(view);
            let hands: Vec<Hands> = (0..2)
                .map(|number| {
                    let mut rng = randomness::generator(view.seed, Stream::Players, number);
                    let deal = hidden.deal(&mut rng);
                    let mut second = deal.bag.clone();
                    randomness::shuffle(&mut second, &mut rng);
                    Hands { other_rack: deal.other_rack, bags: vec![deal.bag, second] }
                })
                .collect();
            let plays = twin.best(view.board, view.tiles.rack, view.tiles.in_bag);
            let values: Vec<f64> = plays.iter().map(|play| twin.value(view.board, view.tiles.rack, play, &hands)).collect();
            let Some(mut best) = (!plays.is_empty()).then_some(0) else { return chosen };
            if values.len() > 1 && values[1] > values[0] + 1e-9 {
                best = 1;
            }
            assert_eq!(chosen.play, plays[best].play, "{plays:?} {values:?}");
            assert_eq!(threaded.values(board, view, &plays), player.values(board, view, &plays));
            choices[best] += 1;
            with_empty_bag += usize::from(view.tiles.in_bag == 0);
            chosen
        });
        assert!(choices.iter().all(|&count| count > 2) && with_empty_bag > 0, "{choices:?}, {with_empty_bag}");
    }

    #[test]
    fn a_play_by_hand() {
        // QUIRK from 8H to 8L: at most seven steps away are the triple word squares 8A and 8O in its row, and 1H and 15H in the column of Q;
        // the double word squares 5K and 11K in the column of R, and 4L and 12L in the column of K.
        let (rules, lexicon) = (Arc::new(GameRules::english()), Lexicon::builtin());
        let leaves = Leaves::heuristic(RackHeuristic::VowelMix, &rules.distribution);
        let player = KniaPlayer::new(&rules, &lexicon, &leaves, TWO);
        let empty = Board::empty(15);
        let board = LaneBoard::new(&rules, &empty, lexicon.graph());
        let word = rules.distribution.parse_placed("QUIRK").unwrap();
        let placement = placement_of_word(Square { row: 7, col: 7 }, Direction::Across, &word, &empty).unwrap();
        assert_eq!(player.openness(&board, &placement), Millipoints(4 * 700 + 4 * 300));
    }

    /// The paper's loops by hand on a board of 5 by 5 squares, whose only premium is 3A, which doubles words. AT is at 3C and 3D. The player
    /// has E and H. All other tiles are S: two on the opponent's rack, the others in the bag. Words: AT, ATE, HAT, HATS, SHAT, SHATE.
    ///
    /// - HAT scores 6 (H is worth 4, the others 1) and opens 3A. The opponent answers SHAT for 2 * 7 = 14 or HATS for 7. The player has drawn an
    ///   S and can play SHATE for 8 after SHAT, but nothing after HATS.
    /// - ATE scores 3. The opponent has no answer. The player comes back with SHATE from H and S, for 2 * 8 = 16.
    #[test]
    fn a_tiny_board_by_hand() {
        let five = layout::parse("tiny", ".....\n.....\n-.+..\n.....\n.....").unwrap();
        let tiny = small_rules("ATEHSSSSSS", 2).to_builder().layout(five).bingo_bonus(0).build().unwrap();
        let lexicon = Lexicon::from_text("tiny", &tiny.distribution, "AT\nATE\nHAT\nHATS\nSHAT\nSHATE").unwrap();
        let leaves = Leaves::heuristic(RackHeuristic::VowelMix, &tiny.distribution);
        let position = cgp::parse("5/5/2AT1/5/5 EH/ 0/0 0", &tiny).unwrap().position;
        let check = |replies, weights, expected: &[(&str, f64)]| {
            let settings = KniaSettings { plays: 2, racks: 3, replies, refills: 2, comebacks: 1, weights, threads: 1 };
            let mut player = KniaPlayer::new(&tiny, &lexicon, &leaves, settings);
            let mut board = LaneBoard::new(&tiny, position.board(), lexicon.graph());
            let signals = Signals::default();
            let view = View::of_position(&position, &[], 1, &signals);
            let plays = player.beam(&mut board, &view.tiles, 2);
            let values = player.values(&mut board, &view, &plays);
            let text = |play: &Play| play_text(play, position.board(), &tiny.distribution);
            let told: Vec<(String, f64)> = plays.iter().zip(values).map(|(play, value)| (text(&play.play), value)).collect();
            let expected_rows: Vec<(String, f64)> = expected.iter().map(|(play, value)| (play.to_string(), *value)).collect();
            assert_eq!(told, expected_rows, "P = {replies}, weights {weights:?}");
            let best = expected.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0;
            assert_eq!(text(&player.choose(&mut board, &view).play), best);
        };
        // The beam sorts them by score, leave and board: 6 + 3 - 0.3 and 3 + 0.5.
        check(1, [1.0, 1.0, 1.0], &[("3B.HAT", 6.0 + 8.0 - 14.0), ("3C.ATE", 3.0 + 16.0)]);
        check(2, [1.0, 1.0, 1.0], &[("3B.HAT", 6.0 + (8.0 + 0.0) / 2.0 - (14.0 + 7.0) / 2.0), ("3C.ATE", 3.0 + 16.0)]);
        check(2, [1.0, 0.0, 0.0], &[("3B.HAT", 6.0), ("3C.ATE", 3.0)]);
        check(1, [2.0, 0.25, 0.5], &[("3B.HAT", 12.0 + 2.0 - 7.0), ("3C.ATE", 6.0 + 4.0)]);
    }
}
