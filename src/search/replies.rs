//! Replies to a play: the chances of a bingo, and the opponent's best static replies.
//!
//! The tiles that either player draws are unknown. If few racks are possible, each is examined with its probability, and the
//! answer is exact; else racks are dealt as in a simulation. A player *has* a bingo if some play places a full rack. The reply is
//! the best play by static equity, which need not be a bingo.
//!
//! The mover's own bingo is looked for on the board right after the play, without the opponent's reply.
//!
//! Not here: lines of the protocol (`protocol/ranking.rs`). Start with [`run`].

use crate::evaluation::static_eval::{StaticEval, StaticTurn};
use crate::movegen::LaneBoard;
use crate::rules::game_rules::MAX_BINGO_BONUS;
use crate::rules::units::Millipoints;
use crate::rules::ways::{for_each_part, multisets};
use crate::rules::{Board, GameRules, Play, Position, Rack, Square, Tile};
use crate::search::analysis::RepliesOptions;
use crate::search::context::SearchContext;
use crate::search::inference::types::Belief;
use crate::search::randomness::{self, Stream};
use crate::search::report::{Listener, Outcome, RackMean, RepliesReport, ReplyRow, Report};
use crate::search::simulation::{Horizon, SimulationContext};
use std::collections::HashMap;

/// If the mover has at most this many possible racks, all are examined.
const MOST_OWN_RACKS: usize = 20_000;

/// If the opponent has at most this many possible racks, all are examined. They take longer, because the best reply of each is also found.
const MOST_REPLY_RACKS: usize = 6_000;

/// The most different replies that are counted. More come up only after hours, and each of them is rare.
const MOST_REPLIES: usize = 500_000;

/// The most replies of a report: the most frequent ones.
const REPORTED_REPLIES: usize = 1000;

/// Examines the replies to a play until all racks are done, or until a limit or a signal ends the search.
pub fn run(context: &SearchContext<'_>, options: &RepliesOptions, belief: Option<&Belief>, listener: &mut dyn Listener) -> Outcome {
    let knowledge = context.knowledge;
    let graph = knowledge.lexicon.graph();
    let mut deals =
        SimulationContext::new(context.position, graph, &knowledge.evaluator.win_model, Horizon::Plies(0), context.settings.seed);
    deals.belief = belief;
    let bingo_rules = rules_of_bingos(context.position.rules());
    let mut search = RepliesSearch::new(context, options.play, &bingo_rules);
    let solved = search.look(context, options, &deals, listener);
    Outcome { best: None, last: Some(Report::Replies(search.report())), solved }
}

/// Returns rules under which every bingo is worth more than all other plays.
fn rules_of_bingos(rules: &GameRules) -> GameRules {
    rules.to_builder().bingo_bonus(MAX_BINGO_BONUS).build().expect("only the bonus differs")
}

/// Board, racks and bag after a play, as far as the mover knows them.
#[derive(Clone, Debug)]
struct AfterPlay {
    board: Board,
    /// The tiles that the mover keeps.
    kept: Rack,
    /// Tiles that the mover draws, including those of the rack that are not known.
    drawn: usize,
    /// Tiles that are unknown to the mover.
    unknown: Rack,
    /// The known tiles of the opponent's rack.
    known: Rack,
    /// Tiles on the opponent's rack that are unknown.
    opponent_drawn: usize,
    /// Tiles left in the bag.
    in_bag: usize,
}

impl AfterPlay {
    /// Makes a play whose tiles are on the mover's rack.
    fn new(position: &Position, play: &Play) -> AfterPlay {
        let mut board = position.board().clone();
        let mut placed = 0;
        if let Some(placement) = play.placement() {
            placement.put_on(&mut board);
            placed = placement.tile_count();
        }
        let (kept, opponent_tiles) = (play.leave(position.mover_rack()), position.opponent_tiles());
        // Exchanged tiles go into the bag after the draw.
        let most = kept.len() + position.unseen().len() - opponent_tiles;
        let held = most.min(position.rules().rack_size).max(kept.len());
        let all = position.mover_rack().len() + position.unseen().len() - placed;
        let unknown = position.unknown();
        AfterPlay {
            board,
            kept,
            drawn: held - kept.len(),
            known: *position.opponent_rack(),
            opponent_drawn: (opponent_tiles - position.opponent_rack().len()).min(unknown.len()),
            unknown,
            in_bag: all - held - opponent_tiles,
        }
    }
}

/// A rack's unknown tiles and their probability.
struct WeightedDraw {
    tiles: Rack,
    weight: f64,
}

/// Returns all draws of a number of tiles in random order, so that those before a stop are representative. `None` if there are more than
/// `most`.
fn all_draws(unknown: &Rack, drawn: usize, most: usize, seed: u64, index: u64) -> Option<Vec<WeightedDraw>> {
    if multisets(unknown, drawn) > most as f64 {
        return None;
    }
    let mut draws = Vec::new();
    for_each_part(unknown, drawn, &mut |tiles, weight| draws.push(WeightedDraw { tiles, weight }));
    randomness::shuffle(&mut draws, &mut randomness::generator(seed, Stream::Replies, index));
    Some(draws)
}

/// Sums over racks with their weights.
#[derive(Clone, Copy, Debug, Default)]
struct RackSums {
    racks: u64,
    weights: f64,
    values: f64,
    /// Sums of the squared weights, of these times the values, and of these times the squared values.
    squares: [f64; 3],
    is_exact: bool,
}

impl RackSums {
    fn add(&mut self, weight: f64, value: f64) {
        self.racks += 1;
        self.weights += weight;
        self.values += weight * value;
        let square = weight * weight;
        self.squares[0] += square;
        self.squares[1] += square * value;
        self.squares[2] += square * value * value;
    }

    /// Returns the mean with the standard error of a ratio of sums. With equal weights that is the standard error of a mean.
    fn mean(&self) -> RackMean {
        if self.racks == 0 {
            return RackMean::default();
        }
        let mean = self.values / self.weights;
        let [weights, values, squares] = self.squares;
        let variance = (squares - 2.0 * mean * values + mean * mean * weights).max(0.0);
        let error = if self.is_exact { 0.0 } else { variance.sqrt() / self.weights };
        RackMean { mean, error, racks: self.racks, is_exact: self.is_exact }
    }
}

/// How often a reply is the best one.
#[derive(Clone, Copy, Debug)]
struct CountedReply {
    score: i32,
    weight: f64,
}

struct RepliesSearch<'a> {
    /// After the play.
    board: LaneBoard,
    eval: StaticEval<'a>,
    /// Under [`rules_of_bingos`].
    bingos: StaticEval<'a>,
    rack_size: usize,
    /// Whether the mover has a turn after a reply that does not go out: not if the reply is the last turn.
    has_next_turn: bool,
    dim: usize,
    play: Play,
    after: AfterPlay,
    own_bingo: RackSums,
    reply_bingo: RackSums,
    score: RackSums,
    /// By square: the weights of the replies that place a tile there.
    squares: Vec<f64>,
    replies: HashMap<Play, CountedReply>,
}

impl<'a> RepliesSearch<'a> {
    /// Returns a search before its first rack. `bingo_rules` are [`rules_of_bingos`].
    fn new(context: &SearchContext<'a>, play: Play, bingo_rules: &'a GameRules) -> RepliesSearch<'a> {
        let (rules, lexicon, leaves) = (context.position.rules(), context.knowledge.lexicon.as_ref(), &context.knowledge.evaluator.leaves);
        let after = AfterPlay::new(context.position, &play);
        let dim = after.board.dim();
        RepliesSearch {
            board: LaneBoard::new(rules, &after.board, lexicon.graph()),
            eval: StaticEval::new(rules, lexicon, leaves),
            bingos: StaticEval::score_and_leave(bingo_rules, lexicon, leaves),
            rack_size: rules.rack_size,
            has_next_turn: context.position.last_turns().is_none_or(|turns| turns > 2),
            dim,
            play,
            after,
            own_bingo: RackSums::default(),
            reply_bingo: RackSums::default(),
            score: RackSums::default(),
            squares: vec![0.0; dim * dim],
            replies: HashMap::new(),
        }
    }

    /// Examines the racks. Returns whether it got through all of them.
    fn look(
        &mut self,
        context: &SearchContext<'_>,
        options: &RepliesOptions,
        deals: &SimulationContext<'_>,
        listener: &mut dyn Listener,
    ) -> bool {
        let (seed, iterations) = (context.settings.seed, options.iterations.unwrap_or(u64::MAX).max(1));
        let AfterPlay { unknown, drawn, opponent_drawn, .. } = self.after;
        // A belief about the opponent's tiles makes racks of both players more or less likely.
        let all = |drawn, most: usize, index| {
            let most = usize::try_from(iterations).unwrap_or(usize::MAX).min(most);
            all_draws(&unknown, drawn, most, seed, index).filter(|_| deals.belief.is_none())
        };
        let own = all(drawn, MOST_OWN_RACKS, 0);
        let theirs = all(opponent_drawn, MOST_REPLY_RACKS, 1);
        // The replies come first, because most of the report is about them.
        for draw in theirs.iter().flatten() {
            let ours = self.ours_without(&draw.tiles);
            self.look_at_reply(draw.weight, &self.after.known.plus(&draw.tiles), &ours);
            if self.is_to_end(context, listener) {
                break;
            }
        }
        self.reply_bingo.is_exact = theirs.as_ref().is_some_and(|draws| draws.len() as u64 == self.reply_bingo.racks);
        self.score.is_exact = self.reply_bingo.is_exact;
        for draw in own.iter().flatten() {
            self.look_at_own(draw.weight, &self.after.kept.plus(&draw.tiles));
            if self.is_to_end(context, listener) {
                break;
            }
        }
        self.own_bingo.is_exact = own.as_ref().is_some_and(|draws| draws.len() as u64 == self.own_bingo.racks);
        if own.is_none() || theirs.is_none() {
            self.sample(context, deals, [own.is_none(), theirs.is_none()], iterations, listener);
        }
        self.own_bingo.is_exact && self.reply_bingo.is_exact
    }

    /// Deals racks to the players whose draws are not all examined: `[own, theirs]`.
    fn sample(
        &mut self,
        context: &SearchContext<'_>,
        deals: &SimulationContext<'_>,
        [own, theirs]: [bool; 2],
        iterations: u64,
        listener: &mut dyn Listener,
    ) {
        let mut tiles: Vec<Tile> = Vec::new();
        for iteration in 0..iterations {
            let drawn = deals.deal(iteration, &mut tiles);
            let (reply, rest) = tiles.split_at(drawn);
            let ours = self.after.kept.plus(&rest.iter().take(self.after.drawn).copied().collect());
            if own {
                self.look_at_own(1.0, &ours);
            }
            if theirs {
                self.look_at_reply(1.0, &self.after.known.plus(&reply.iter().copied().collect()), &ours);
            }
            if self.is_to_end(context, listener) {
                break;
            }
        }
    }

    /// Returns whether the search is stopped, and reports if a report was asked for.
    fn is_to_end(&self, context: &SearchContext<'_>, listener: &mut dyn Listener) -> bool {
        let is_stopped = context.signals.is_stopped();
        if !is_stopped && context.signals.take_report() {
            listener.report(Report::Replies(self.report()));
        }
        is_stopped
    }

    /// Returns the mover's rack if the opponent drew these tiles and the bag is empty. With tiles in the bag it does not count, and is empty.
    fn ours_without(&self, drawn: &Rack) -> Rack {
        let rest = self.after.unknown.without(drawn);
        if self.after.in_bag == 0 { self.after.kept.plus(&rest) } else { Rack::EMPTY }
    }

    fn look_at_own(&mut self, weight: f64, rack: &Rack) {
        let has_bingo = self.has_next_turn && self.has_bingo(rack);
        self.own_bingo.add(weight, f64::from(u8::from(has_bingo)));
    }

    fn look_at_reply(&mut self, weight: f64, rack: &Rack, other_rack: &Rack) {
        let best = self.eval.best(&mut self.board, &StaticTurn::new(rack, other_rack, self.after.in_bag));
        let placed = best.play.placement().map_or(0, |placement| placement.tile_count());
        let has_bingo = placed == self.rack_size || self.has_bingo(rack);
        self.reply_bingo.add(weight, f64::from(u8::from(has_bingo)));
        self.score.add(weight, f64::from(best.score));
        for (square, _) in best.play.placement().iter().flat_map(|placement| placement.placed()) {
            self.squares[square.index(self.dim)] += weight;
        }
        if self.replies.len() < MOST_REPLIES || self.replies.contains_key(&best.play) {
            self.replies.entry(best.play).or_insert(CountedReply { score: best.score, weight: 0.0 }).weight += weight;
        }
    }

    /// Returns whether the rack is full and some play places all of it.
    fn has_bingo(&mut self, rack: &Rack) -> bool {
        if rack.len() < self.rack_size {
            return false;
        }
        // Only a bingo is worth more than this.
        let less = Millipoints::from_points(MAX_BINGO_BONUS) - Millipoints(1);
        // With tiles in the bag, so that no terms for its end count.
        let turn = StaticTurn::new(rack, &Rack::EMPTY, rack.len());
        self.bingos.best_equity_within(&mut self.board, &turn, less, less + Millipoints(1)) > less
    }

    fn report(&self) -> RepliesReport {
        let share = |weight: f64| if self.score.weights > 0.0 { weight / self.score.weights } else { 0.0 };
        let squares = Square::all(self.dim).map(|square| (square, share(self.squares[square.index(self.dim)])));
        let row = |(play, counted): (&Play, &CountedReply)| ReplyRow { play: *play, score: counted.score, share: share(counted.weight) };
        let mut replies: Vec<ReplyRow> = self.replies.iter().map(row).collect();
        replies.sort_unstable_by(|a, b| b.share.total_cmp(&a.share).then_with(|| a.play.cmp(&b.play)));
        replies.truncate(REPORTED_REPLIES);
        RepliesReport {
            play: self.play,
            own_bingo: self.own_bingo.mean(),
            reply_bingo: self.reply_bingo.mean(),
            score: self.score.mean(),
            squares: squares.filter(|(_, share)| *share > 0.0).collect(),
            replies,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::builder::plain_engine;
    use crate::formats::{cgp, small_rules};
    use crate::rules::Turn;
    use crate::search::candidates::ALL_PLAYS;
    use crate::search::context::{RunSettings, SearchMemory};
    use crate::search::{Analysis, SearchPosition, SearchRequest, Signals, run_in};

    const SETTINGS: RunSettings = RunSettings { threads: 1, seed: 7, hash_megabytes: 1, memory_megabytes: 256 };

    /// Three tiles each, and some in the bag, on a board with CARE.
    fn small(index: u64, in_bag: usize) -> Position {
        let mut letters: Vec<char> = "AABDEEEHIMNOOPRSSTTY".chars().collect();
        randomness::shuffle(&mut letters, &mut randomness::generator(5, Stream::Positions, index));
        let text = |from: usize, to: usize| letters[from..to].iter().collect::<String>();
        let rules = small_rules(&format!("CARE{}", text(0, 6 + in_bag)), 3);
        let board = "15/15/15/15/15/15/15/5CARE6/15/15/15/15/15/15/15";
        cgp::parse(&format!("{board} {}/ 0/0 0", text(0, 3)), &rules).unwrap().position
    }

    fn answer(position: &Position, options: RepliesOptions) -> RepliesReport {
        answer_until(position, options, &Signals::default(), SETTINGS)
    }

    fn answer_until(position: &Position, options: RepliesOptions, signals: &Signals, settings: RunSettings) -> RepliesReport {
        let request = SearchRequest::new(SearchPosition::new(position.clone()).unwrap(), Analysis::Replies(options), settings).unwrap();
        let outcome = run_in(&SearchMemory::default(), plain_engine().knowledge(), &request, signals, &mut |_: Report| {});
        match outcome.last {
            Some(Report::Replies(report)) => report,
            other => panic!("{other:?}"),
        }
    }

    /// Over all choices of tiles: how often there is a bingo; the mean score, the squares and the shares of the best plays.
    struct Twin {
        bingo: f64,
        score: f64,
        squares: HashMap<Square, f64>,
        plays: HashMap<Play, f64>,
    }

    /// Tries all choices of physical tiles, one by one, with all plays of each rack in order.
    fn twin(after: &Position, kept: &Rack, pool: &Rack, count: usize) -> Twin {
        let tiles: Vec<Tile> = pool.tiles().collect();
        let sets: Vec<u32> = (0u32..1 << tiles.len()).filter(|set| set.count_ones() as usize == count).collect();
        let mut twin = Twin { bingo: 0.0, score: 0.0, squares: HashMap::new(), plays: HashMap::new() };
        let share = 1.0 / sets.len() as f64;
        for set in &sets {
            let rack = kept.plus(&(0..tiles.len()).filter(|&at| set >> at & 1 == 1).map(|at| tiles[at]).collect());
            let mut position = after.clone();
            position.set_rack(after.on_turn().opponent(), &Rack::EMPTY).unwrap();
            position.set_rack(after.on_turn(), &rack).unwrap();
            let plays = plain_engine().static_ranking(&position, ALL_PLAYS).unwrap();
            let placed = |play: &Play| play.placement().map_or(0, |placement| placement.tile_count());
            twin.bingo += share * f64::from(u8::from(plays.iter().any(|row| placed(&row.play) == position.rules().rack_size)));
            twin.score += share * f64::from(plays[0].score);
            *twin.plays.entry(plays[0].play).or_default() += share;
            for (square, _) in plays[0].play.placement().iter().flat_map(|placement| placement.placed()) {
                *twin.squares.entry(square).or_default() += share;
            }
        }
        twin
    }

    /// Some plays: the pass, the best placement, the best of one tile, an exchange.
    fn some_plays(position: &Position) -> Vec<Play> {
        let plays = plain_engine().static_ranking(position, ALL_PLAYS).unwrap();
        let find = |wanted: &dyn Fn(&Play) -> bool| plays.iter().map(|row| row.play).find(|play| wanted(play));
        let of_one = find(&|play| play.placement().is_some_and(|placement| placement.tile_count() == 1));
        let exchange = find(&|play| matches!(play, Play::Exchange(_)));
        [Some(Play::Pass), find(&|play| play.placement().is_some()), of_one, exchange].into_iter().flatten().collect()
    }

    #[test]
    fn with_few_racks_all_is_as_every_choice_of_tiles_says() {
        let near = |found: f64, expected: f64, what: &str| assert!((found - expected).abs() < 1e-9, "{what}: {found}, not {expected}");
        let (mut seen, mut uncertain) = (0, 0);
        for (index, in_bag) in [(0, 6), (1, 5), (2, 3), (3, 1)] {
            let position = small(index, in_bag);
            for play in some_plays(&position) {
                let after = position.after(&Turn::Play(play)).unwrap();
                let what = format!("{index} {play:?}");
                let found = answer(&position, RepliesOptions { play, ..RepliesOptions::default() });
                let replies = twin(&after, &Rack::EMPTY, &position.unseen(), 3);
                assert!(found.own_bingo.is_exact && found.reply_bingo.is_exact && found.score.is_exact, "{what}");
                assert_eq!([found.own_bingo.error, found.reply_bingo.error, found.score.error], [0.0; 3], "{what}");
                near(found.reply_bingo.mean, replies.bingo, &what);
                let kept = play.leave(position.mover_rack());
                let drawn = (3 - kept.len()).min(in_bag);
                let own = twin(&after, &kept, &position.unseen(), drawn);
                near(found.own_bingo.mean, own.bingo, &what);
                near(found.score.mean, replies.score, &what);
                assert_eq!(found.squares.len(), replies.squares.len(), "{what}");
                found.squares.iter().for_each(|(square, share)| near(*share, replies.squares[square], &what));
                assert_eq!(found.replies.len(), replies.plays.len(), "{what}");
                found.replies.iter().for_each(|row| near(row.share, replies.plays[&row.play], &what));
                assert!(found.replies.is_sorted_by(|a, b| a.share >= b.share), "{what}");
                seen += 1;
                uncertain += [own.bingo, replies.bingo].iter().filter(|&&chance| chance > 0.0 && chance < 1.0).count();
            }
        }
        assert!(seen >= 12 && uncertain >= 12, "{seen} {uncertain}");
    }

    #[test]
    fn dealt_racks_say_the_same_within_their_errors() {
        let knowledge = plain_engine().knowledge();
        let (memory, signals) = (SearchMemory::default(), Signals::default());
        for (index, in_bag) in [(0, 6), (1, 5), (2, 3)] {
            let position = small(index, in_bag);
            let bingo_rules = rules_of_bingos(position.rules());
            let graph = knowledge.lexicon.graph();
            let deals = SimulationContext::new(&position, graph, &knowledge.evaluator.win_model, Horizon::Plies(0), 7);
            let context = SearchContext { knowledge, position: &position, settings: SETTINGS, memory: &memory, signals: &signals };
            for play in some_plays(&position) {
                let exact = answer(&position, RepliesOptions { play, ..RepliesOptions::default() });
                let mut search = RepliesSearch::new(&context, play, &bingo_rules);
                search.sample(&context, &deals, [true, true], 1500, &mut |_: Report| {});
                let found = search.report();
                for (found, exact) in
                    [(found.own_bingo, exact.own_bingo), (found.reply_bingo, exact.reply_bingo), (found.score, exact.score)]
                {
                    assert_eq!((found.racks, found.is_exact), (1500, false));
                    assert!((found.mean - exact.mean).abs() <= 4.0 * found.error + 1e-9, "{index} {play:?}: {found:?}, {exact:?}");
                }
            }
        }
    }

    #[test]
    fn a_seed_has_one_answer_and_a_stop_leaves_one_rack_at_least() {
        let position = cgp::parse("15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0", &GameRules::english()).unwrap().position;
        let options = || RepliesOptions { iterations: Some(40), ..RepliesOptions::default() };
        let by_seed = |seed| answer_until(&position, options(), &Signals::default(), RunSettings { seed, ..SETTINGS });
        let found = by_seed(1);
        assert_eq!(found, by_seed(1));
        assert_ne!(found, by_seed(2));
        // The rack is a bingo, and stays one after a pass.
        assert_eq!((found.own_bingo.mean, found.own_bingo.is_exact), (1.0, true));
        assert_eq!((found.reply_bingo.racks, found.reply_bingo.is_exact), (40, false));
        assert!((found.replies.iter().map(|row| row.share).sum::<f64>() - 1.0).abs() < 1e-9);
        let signals = Signals::default();
        signals.stop();
        for position in [&position, &small(0, 6)] {
            let found = answer_until(position, RepliesOptions::default(), &signals, SETTINGS);
            assert_eq!((found.reply_bingo.racks, found.reply_bingo.is_exact), (1, false));
        }
    }
}
