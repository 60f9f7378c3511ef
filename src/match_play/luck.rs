//! The luck of a game's draws: the worth of each draw minus its expected worth.
//!
//! Its mean is zero by construction. Subtracting it from a result, times any factor that does not depend on that result, changes the
//! variance of the result but not its mean. Such a sum is a control variate, as in AIVAT [Burch et al. 2018]; but only chance is corrected
//! here, and not the players' choices.
//!
//! The worth of a draw is the equity of the best play that it allows on the board on which it is first used. The expectation is taken over
//! draws from the same [pool](GameDraw::pool): over all draws if they are few, and otherwise over a sample that is independent of the game.
//! The random numbers are the same in both games of a pair, so mirrored draws cancel exactly.
//!
//! Not here: the pools (`bags.rs`), and the factors (`adjusted.rs`). Start with [`LuckJudge`].

use crate::engine::Engine;
use crate::evaluation::StaticEval;
use crate::evaluation::static_eval::StaticTurn;
use crate::match_play::bags::GameDraw;
use crate::match_play::game::MatchPlayer;
use crate::movegen::LaneBoard;
use crate::rules::units::Millipoints;
use crate::rules::ways::choose;
use crate::rules::{BySeat, GameRules, Rack, Seat, Tile};
use crate::search::Knowledge;
use crate::search::dealt_game::DealtGame;
use crate::search::randomness::{self, Stream};
use rand::Rng;
use serde::{Deserialize, Serialize};

/// The most draws of a game. It keeps the draws' numbers of different games apart.
const MOST_DRAWS: u64 = 1 << 12;

/// How the luck of draws is estimated.
#[derive(Clone)]
pub struct LuckSetting {
    /// Words and tables.
    pub engine: Engine,
    /// The size of the sample where all possible draws are more than this.
    pub redraws: usize,
}

/// The luck of one side minus that of the other, summed over the draws of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Luck {
    /// In thousandths of a point.
    pub millipoints: i64,
    /// In millionths of a won game, by the win % model.
    pub win_millionths: i64,
}

impl Luck {
    /// Returns the luck from the other side.
    pub fn mirrored(self) -> Luck {
        Luck { millipoints: -self.millipoints, win_millionths: -self.win_millionths }
    }

    /// Turns luck by seat into the luck of player a minus that of b, in a game that `begins` began.
    pub(crate) fn of_players(self, begins: MatchPlayer) -> Luck {
        if begins == MatchPlayer::A { self } else { self.mirrored() }
    }
}

/// Estimates the luck of the draws, game after game. Each thread has one.
pub struct LuckJudge<'a> {
    eval: StaticEval<'a>,
    knowledge: &'a Knowledge,
    redraws: usize,
    /// The seed of the current game.
    seed: u64,
    game: u64,
    /// The value of each rack when its last draw was revealed, in points: the leave value of the tiles kept, plus the luck of the draw.
    held: BySeat<f64>,
    /// The worth of being on turn, in points: the expected worth of the last draw minus the value of the tiles kept.
    on_turn: f64,
    /// The luck of the first seat minus that of the second so far: `points` in points, `wins` in won games.
    points: f64,
    wins: f64,
}

impl<'a> LuckJudge<'a> {
    /// Returns a judge with this knowledge.
    pub fn new(rules: &'a GameRules, setting: &'a LuckSetting) -> LuckJudge<'a> {
        let knowledge = setting.engine.knowledge();
        let eval = StaticEval::new(rules, knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves);
        let held = BySeat::default();
        LuckJudge { eval, knowledge, redraws: setting.redraws, seed: 0, game: 0, held, on_turn: 0.0, points: 0.0, wins: 0.0 }
    }

    /// Begins game number `game` of a seed.
    pub fn start(&mut self, seed: u64, game: u64) {
        (self.seed, self.game, self.held) = (seed, game, BySeat::default());
        (self.on_turn, self.points, self.wins) = (0.0, 0.0, 0.0);
    }

    /// Adds a draw.
    pub fn add(&mut self, board: &mut LaneBoard, game: &DealtGame, draw: &GameDraw) {
        let chances =
            Chances::of(draw, self.redraws, || randomness::generator(self.seed, Stream::Draws, self.game * MOST_DRAWS + draw.number));
        let seat = draw.seat;
        let leaves = self.eval.leaves();
        let (kept, theirs) = (leaves.value(&draw.certain).points(), draw.opponent.map(|tiles| leaves.value(&tiles).points()));
        self.held[seat] = kept;
        let Some(Chances { draws, weights }) = chances else { return };
        let mut worth = |drawn: &Rack| {
            let rack = draw.certain.plus(drawn);
            let turn = StaticTurn::new(&rack, &game.racks[seat.opponent()], game.bag.len());
            self.eval.best(board, &turn).equity.points()
        };
        let actual = worth(&draw.drawn);
        let possible: Vec<f64> = draws.iter().map(&mut worth).collect();
        let mean = |of: &dyn Fn(f64) -> f64| possible.iter().zip(&weights).map(|(&worth, weight)| weight * of(worth)).sum::<f64>();
        let expected = mean(&|worth| worth);
        // INVARIANT: the lead does not depend on this draw or its redraws, not even on their mean. The chance of winning is not linear, so
        // the actual draw and the redraws, which form the mean, would not be valued alike.
        let lead = f64::from(game.scores.lead(seat)) - theirs.unwrap_or(self.held[seat.opponent()]) - self.on_turn;
        let left = game.tiles_left(seat);
        let win = |worth: f64| self.knowledge.evaluator.win_model.win(lead + worth, left);
        let (points, wins) = (actual - expected, win(actual) - mean(&win));
        self.on_turn = expected - kept;
        self.held[seat] += points;
        let sign = if seat == Seat::First { 1.0 } else { -1.0 };
        self.points += sign * points;
        self.wins += sign * wins;
    }

    /// Returns the luck of the game so far: that of the first seat minus that of the second.
    pub fn luck(&self) -> Luck {
        let millipoints = (self.points * f64::from(Millipoints::PER_POINT)).round() as i64;
        Luck { millipoints, win_millionths: (self.wins * 1e6).round() as i64 }
    }
}

/// The possible draws, or a sample of them.
struct Chances {
    draws: Vec<Rack>,
    /// The weight of each draw. The sum is 1.
    weights: Vec<f64>,
}

impl Chances {
    /// Returns the draws that were possible, or `None` if there was only one possibility.
    fn of<R: Rng>(draw: &GameDraw, most: usize, random: impl FnOnce() -> R) -> Option<Chances> {
        if draw.drawn.is_empty() || draw.drawn.len() == draw.pool.len() {
            return None;
        }
        Some(
            Chances::all(&draw.pool, draw.drawn.len(), most)
                .unwrap_or_else(|| Chances::some(&draw.pool, draw.drawn.len(), most, &mut random())),
        )
    }

    /// Returns all draws of `size` tiles with their chances, if there are at most `most`.
    fn all(pool: &Rack, size: usize, most: usize) -> Option<Chances> {
        let mut chances = Chances { draws: vec![Rack::EMPTY], weights: vec![1.0] };
        let mut behind = pool.len();
        // For each kind of tile, every number of drawn tiles has its chance given the kinds before it (hypergeometric).
        for (tile, count) in pool.distinct() {
            behind -= usize::from(count);
            let mut next = Chances { draws: Vec::new(), weights: Vec::new() };
            for (drawn, weight) in chances.draws.iter().zip(&chances.weights) {
                let missing = size - drawn.len();
                for taken in missing.saturating_sub(behind)..=missing.min(usize::from(count)) {
                    let mut more = *drawn;
                    more.add_many(tile, taken as u8);
                    let ways = choose(usize::from(count), taken) * choose(behind, missing - taken);
                    next.draws.push(more);
                    next.weights.push(weight * ways / choose(behind + usize::from(count), missing));
                }
            }
            chances = next;
            if chances.draws.len() > most {
                return None;
            }
        }
        Some(chances)
    }

    /// Returns `wanted` random draws of `size` tiles. Each shuffle is cut into as many draws as it holds, so that no tile comes much more
    /// often than the others.
    fn some(pool: &Rack, size: usize, wanted: usize, rng: &mut impl Rng) -> Chances {
        let mut tiles: Vec<Tile> = pool.tiles().collect();
        let mut draws: Vec<Rack> = Vec::new();
        while draws.len() < wanted {
            randomness::shuffle(&mut tiles, rng);
            draws.extend(tiles.chunks_exact(size).map(|drawn| drawn.iter().copied().collect::<Rack>()).take(wanted - draws.len()));
        }
        let weights = vec![1.0 / wanted as f64; wanted];
        Chances { draws, weights }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::static_eval::EvaluatedPlay;
    use crate::formats::small_rules;
    use crate::match_play::game::{GameCompany, GameLoop};
    use crate::match_play::pairs::{Contestant, PairedMatch, TurnCounting};
    use crate::match_play::statistics::MatchStatistics;
    use crate::players::{Sight, View};
    use crate::rules::{Board, Countdown, GameRules, Play};
    use crate::search::budget::Signals;
    use crate::search::race::differences::Moments;
    use std::ops::ControlFlow;
    use std::sync::Arc;

    fn setting(redraws: usize) -> LuckSetting {
        LuckSetting { engine: crate::engine::builder::plain_engine().clone(), redraws }
    }

    /// Two players who act on everything that they see. The first exchanges a rack with a T. The second passes when it sees a rack with an S.
    struct ObservantCompany<'a> {
        eval: StaticEval<'a>,
        judge: LuckJudge<'a>,
        sights: BySeat<Sight>,
        exchanges: u32,
        passes: u32,
    }

    fn holds(rules: &GameRules, tiles: &Rack, letter: &str) -> bool {
        tiles.contains(&Rack::parse(letter, &rules.distribution).unwrap())
    }

    impl GameCompany for ObservantCompany<'_> {
        fn sight(&self, seat: Seat) -> Sight {
            self.sights[seat]
        }

        fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
            let other = |play| EvaluatedPlay { play, score: 0, equity: Millipoints::ZERO };
            if view.seat == Seat::First && view.tiles.in_bag > 1 && holds(view.rules, view.tiles.rack, "T") {
                self.exchanges += 1;
                return other(Play::Exchange(*view.tiles.rack));
            }
            if view.seat == Seat::Second && holds(view.rules, view.seen, "S") {
                self.passes += 1;
                return other(Play::Pass);
            }
            self.eval.best(board, &view.tiles)
        }

        fn watches_draws(&self) -> bool {
            true
        }

        fn drew(&mut self, board: &mut LaneBoard, game: &DealtGame, draw: &GameDraw) {
            self.judge.add(board, game, draw);
        }
    }

    /// Returns all distinct orders of tiles.
    fn orders(tiles: &Rack) -> Vec<Vec<Tile>> {
        if tiles.is_empty() {
            return vec![Vec::new()];
        }
        let with_last = |last: Tile| {
            let rest = tiles.minus(&[last].into_iter().collect()).unwrap();
            orders(&rest).into_iter().map(move |order| [order, vec![last]].concat())
        };
        tiles.distinct().flat_map(|(tile, _)| with_last(tile)).collect()
    }

    #[test]
    fn over_all_orders_of_a_bag_luck_is_nothing_whatever_players_see() {
        let rules = Arc::new(small_rules("AAAEESST", 2).to_builder().exchange_limit(1).build().unwrap());
        let (knowledge, setting) = (crate::engine::builder::plain_engine().knowledge(), setting(1000));
        let orders = orders(&Rack::full_bag(&rules.distribution));
        assert_eq!(orders.len(), 1680);
        for sights in [[Sight::Fair; 2], [Sight::Fair, Sight::LastLeave], [Sight::Fair, Sight::Whole], [Sight::Whole, Sight::Whole]] {
            let mut games = GameLoop::new(&rules, knowledge.lexicon.graph());
            let eval = StaticEval::new(&rules, knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves);
            let judge = LuckJudge::new(&rules, &setting);
            let mut company = ObservantCompany { eval, judge, sights: BySeat(sights), exchanges: 0, passes: 0 };
            let (mut points, mut wins) = (Moments::default(), Moments::default());
            for bag in &orders {
                company.judge.start(1, 0);
                games.play_bag(&mut company, None, bag, 1, 0, &Signals::default()).unwrap();
                let luck = company.judge.luck();
                points.add(luck.millipoints as f64);
                wins.add(luck.win_millionths as f64);
            }
            // The rest is the rounding of a game's luck to thousandths and millionths.
            assert!(points.mean.abs() < 0.5 && points.variance() > 1e6, "{sights:?}: {points:?}");
            assert!(wins.mean.abs() < 0.5 && wins.variance() > 1e6, "{sights:?}: {wins:?}");
            assert!(company.exchanges > 300 && company.passes > 100, "{} exchanges, {} passes", company.exchanges, company.passes);
        }
    }

    #[test]
    fn chances_are_those_of_tiles_drawn_one_by_one() {
        let rules = small_rules("AAAEESST?", 2);
        let tiles: Vec<Tile> = Rack::full_bag(&rules.distribution).tiles().collect();
        let pool: Rack = tiles.iter().copied().collect();
        for size in 1..=5 {
            let chances = Chances::all(&pool, size, 1000).unwrap();
            let subsets: Vec<Rack> = (0u32..1 << tiles.len())
                .filter(|subset| subset.count_ones() as usize == size)
                .map(|subset| tiles.iter().enumerate().filter(|&(at, _)| subset >> at & 1 != 0).map(|(_, &tile)| tile).collect())
                .collect();
            for (draw, weight) in chances.draws.iter().zip(&chances.weights) {
                let share = subsets.iter().filter(|subset| *subset == draw).count() as f64 / subsets.len() as f64;
                assert!((weight - share).abs() < 1e-12 && share > 0.0, "{draw:?}: {weight}, expected {share}");
            }
            assert!((chances.weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            assert!(Chances::all(&pool, size, chances.draws.len() - 1).is_none());
        }
        let draw = |drawn: usize| GameDraw {
            seat: Seat::First,
            number: 0,
            certain: Rack::EMPTY,
            drawn: tiles[..drawn].iter().copied().collect(),
            pool,
            opponent: None,
        };
        let random = || randomness::generator(1, Stream::Draws, 0);
        assert!(Chances::of(&draw(0), 10, random).is_none() && Chances::of(&draw(tiles.len()), 10, random).is_none());
        let some = Chances::of(&draw(4), 7, random).unwrap();
        assert!(some.draws.len() == 7 && some.draws.iter().all(|drawn| drawn.len() == 4 && pool.contains(drawn)));
    }

    #[test]
    fn over_all_draws_and_many_redraws_luck_is_nothing() {
        let rules = GameRules::english();
        let (knowledge, setting) = (crate::engine::builder::plain_engine().knowledge(), setting(2));
        let rack = |text: &str| Rack::parse(text, &rules.distribution).unwrap();
        let mut board = LaneBoard::new(&rules, &Board::empty(15), knowledge.lexicon.graph());
        let (pool, certain) = (rack("AEZQS"), rack("AINRT"));
        let mut game = DealtGame::default();
        // At this lead, the chance of winning is far from linear.
        game.deal([certain, rack("EEEEEEE")], &[Tile::BLANK; 9], 60, Countdown::default());
        let possible = Chances::all(&pool, 2, 100).unwrap();
        let mut judge = LuckJudge::new(&rules, &setting);
        let (mut points, mut wins) = (Moments::default(), Moments::default());
        for number in 0..1500 {
            for drawn in &possible.draws {
                judge.start(7, number);
                judge.add(&mut board, &game, &GameDraw { seat: Seat::First, number: 0, certain, drawn: *drawn, pool, opponent: None });
                points.add(judge.points);
                wins.add(judge.wins);
            }
        }
        for (name, luck, largest_error) in [("points", points, 0.4), ("wins", wins, 0.002)] {
            let error = luck.standard_error();
            assert!(luck.mean.abs() < 3.5 * error && error < largest_error, "{name}: {} +- {error}", luck.mean);
        }
    }

    #[test]
    fn over_many_games_luck_is_nothing_and_explains_most_of_the_spread() {
        let rules = Arc::new(GameRules::english());
        let player = |name: &str| Contestant { spec: name.parse().unwrap(), engine: crate::engine::builder::plain_engine().clone() };
        let contest = |a: &str, b: &str, pairs: u64, on_pair: &mut dyn FnMut(&crate::match_play::pairs::PairResult)| {
            let setting = PairedMatch {
                rules: &rules,
                players: [player(a), player(b)],
                seed: 4,
                time: None,
                luck: Some(setting(8)),
                turns: TurnCounting::Plain,
            };
            setting.play(0..pairs, 2, &Signals::default(), &mut |pairs| {
                pairs.iter().for_each(|pair| on_pair(&pair.result));
                ControlFlow::Continue(())
            });
        };
        let (mut statistics, mut points, mut wins) = (MatchStatistics::default(), Moments::default(), Moments::default());
        contest("static:late=off", "rack3", 300, &mut |pair| {
            statistics.add(pair);
            let luck = pair.games.map(|game| game.luck.unwrap());
            points.add((luck[0].millipoints + luck[1].millipoints) as f64 / 2000.0);
            wins.add((luck[0].win_millionths + luck[1].win_millionths) as f64 / 2e6);
        });
        for (name, luck, largest_error) in [("points", points, 3.0), ("wins", wins, 0.015)] {
            let error = luck.standard_error();
            assert!(luck.mean.abs() < 3.5 * error && error < largest_error, "{name}: {} +- {error}", luck.mean);
        }
        let adjusted = &statistics.adjusted;
        let (worth_of_spread, worth_of_wins) = (adjusted.spread.worth_in_pairs().unwrap(), adjusted.win.worth_in_pairs().unwrap());
        assert!(worth_of_spread > 2.0 && worth_of_wins > 1.3, "{worth_of_spread}, {worth_of_wins}");
        // The means differ by the luck that was subtracted.
        assert!((adjusted.spread.adjusted.mean - statistics.spread.mean).abs() < 3.5 * points.standard_error());
        assert!((adjusted.win.adjusted.mean - statistics.win.mean).abs() < 3.5 * wins.standard_error());
        // The games of equal players mirror each other, and so does their luck.
        contest("rack3", "rack3", 5, &mut |pair| {
            let [first, second] = pair.games.map(|game| game.luck.unwrap());
            assert!(first == second.mirrored() && first != Luck::default(), "{pair:?}");
        });
    }
}
