//! Paired games: two games on the same bag with the seats swapped, so that luck cancels.
//!
//! The player who begins draws from one end of the bag, the opponent from the other end. Both games therefore have the same draws until
//! the players choose differently. A pair is the unit of work, and pairs are returned in order for any number of threads.

use crate::engine::{Engine, EngineBuilder, ResourceError};
use crate::evaluation::static_eval::EvaluatedPlay;
use crate::match_play::bags::GameDraw;
use crate::match_play::clocks::timed;
use crate::match_play::game::{ByPlayer, GameCompany, GameLoop, MatchPlayer};
use crate::match_play::in_order::in_order;
use crate::match_play::luck::{Luck, LuckJudge, LuckSetting};
use crate::match_play::time_control::{GameTime, PlayerClock, TimeControl};
use crate::match_play::turn_counts::{TurnCounter, TurnCounts};
use crate::movegen::LaneBoard;
use crate::players::{Clock, Player, PlayerSpec, Sight, View};
use crate::rules::{BySeat, GameRules, Objective, Seat};
use crate::search::budget::Signals;
use crate::search::dealt_game::DealtGame;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::sync::Arc;

/// A player with its words and tables.
#[derive(Clone)]
pub struct Contestant {
    /// The player.
    pub spec: PlayerSpec,
    /// The words and tables that the player's text names.
    pub engine: Engine,
}

impl Contestant {
    /// Returns a player with the tables that its text names. Words and rules come from the builder.
    ///
    /// # Errors
    /// Those of [`EngineBuilder::build`].
    pub fn new(spec: PlayerSpec, builder: EngineBuilder) -> Result<Contestant, ResourceError> {
        let engine = builder.tables(spec.tables()).build()?;
        Ok(Contestant { spec, engine })
    }
}

/// A match: players a and b.
pub struct PairedMatch<'a> {
    /// The rules.
    pub rules: &'a Arc<GameRules>,
    /// Players a and b, with the same words.
    pub players: [Contestant; 2],
    /// The seed of all bags.
    pub seed: u64,
    /// The time of a game. Without it, players only have limits that are counted, and results can be reproduced.
    pub time: Option<GameTime>,
    /// How the luck of the draws is estimated, if it is.
    pub luck: Option<LuckSetting>,
    /// Whether exchanges and sacrifices are counted.
    pub turns: TurnCounting,
}

/// The kinds of turns that are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TurnCounting {
    /// The turns, and the bingos.
    #[default]
    Plain,
    /// Also exchanges and sacrifices: [`TurnCounts`].
    Counted,
}

/// The result of a game of a pair. Player a comes first, even in the game that player b began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameResult {
    /// Final scores, after penalties.
    pub scores: [i32; 2],
    /// Points lost by overtime.
    #[serde(default)]
    pub penalties: [i32; 2],
    /// Turns.
    pub turns: [u32; 2],
    /// Plays of a whole rack.
    pub bingos: [u32; 2],
    /// Time spent on choosing, microseconds.
    pub time_us: [u64; 2],
    /// Whether the time was more than the match allows.
    #[serde(default)]
    pub overstepped: [bool; 2],
    /// The luck of a minus that of b in their draws, if it was estimated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<Luck>,
    /// Exchanges and sacrifices, if they were counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<TurnCounts>,
}

/// The result of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairResult {
    /// Its number, from 0.
    pub pair: u64,
    /// Whether the players ever chose differently, so that the games are not mirror images.
    pub divergent: bool,
    /// The game that a began, then the one that b began.
    pub games: [GameResult; 2],
}

/// A pair with all its plays.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedPair {
    /// The result.
    pub result: PairResult,
    /// The plays of both games in order. Player a begins the first, b the second.
    pub plays: [Vec<EvaluatedPlay>; 2],
    /// The time of each play, microseconds.
    pub times_us: [Vec<u64>; 2],
}

impl GameResult {
    /// Returns the result of a game that `begins` began, from its scores and its plays. It has no luck and counts yet.
    pub(crate) fn new(
        rules: &GameRules,
        scores: BySeat<i32>,
        plays: &[EvaluatedPlay],
        begins: MatchPlayer,
        clocks: &ByPlayer<PlayerClock>,
    ) -> GameResult {
        let is_bingo = |play: &&EvaluatedPlay| play.play.is_bingo(rules.rack_size);
        let of_player = |player: MatchPlayer| plays.iter().skip(player.seat(begins).index()).step_by(2);
        let each = MatchPlayer::BOTH;
        GameResult {
            scores: each.map(|player| scores[player.seat(begins)].saturating_sub(clocks[player].penalty())),
            penalties: each.map(|player| clocks[player].penalty()),
            turns: each.map(|player| of_player(player).count() as u32),
            bingos: each.map(|player| of_player(player).filter(is_bingo).count() as u32),
            time_us: each.map(|player| clocks[player].spent_us()),
            overstepped: each.map(|player| clocks[player].is_overstepped()),
            luck: None,
            counts: None,
        }
    }

    /// Returns the points of a minus the points of b.
    pub fn spread(&self) -> i32 {
        self.scores[0] - self.scores[1]
    }

    /// Returns the wins of a in halves: 2 for a win, 1 for a tie.
    pub fn half_wins(&self, objective: Objective) -> usize {
        (objective.gain(self.spread()).signum() + 1) as usize
    }
}

impl PairResult {
    /// Returns the mean spread of the two games for a, points a game. Where the lower score wins, it is the points of b minus the points of a.
    pub fn spread(&self, objective: Objective) -> f64 {
        f64::from(objective.gain(self.games[0].spread() + self.games[1].spread())) / 2.0
    }

    /// Returns the share of the two games that a won, 0 to 1. A tie counts half.
    pub fn win_share(&self, objective: Objective) -> f64 {
        self.half_wins(objective) as f64 / 4.0
    }

    /// Returns the wins of a in halves, 0 to 4: the pair's index in the pentanomial.
    pub fn half_wins(&self, objective: Objective) -> usize {
        self.games[0].half_wins(objective) + self.games[1].half_wins(objective)
    }
}

impl PairedMatch<'_> {
    /// Plays these pairs on this many threads. `on_pairs` gets them in order, as many at a time as are finished, and may end the match. The
    /// signals may also end it. Pairs under way are then given up.
    pub fn play(
        &self,
        pairs: impl IntoIterator<Item = u64>,
        threads: usize,
        signals: &Signals,
        on_pairs: &mut dyn FnMut(Vec<PlayedPair>) -> ControlFlow<()>,
    ) {
        let pairs: Vec<u64> = pairs.into_iter().collect();
        let make_worker = || {
            let mut worker = PairWorker::new(self, signals);
            move |pair| worker.pair(pair)
        };
        in_order(&pairs, threads, signals, &make_worker, on_pairs);
    }
}

/// One thread's players.
struct PairWorker<'a> {
    rules: &'a GameRules,
    games: GameLoop<'a>,
    company: PairCompany<'a>,
    seed: u64,
    time: TimeControl,
}

/// The players of a pair's game, with their clocks, and the judge of their luck.
struct PairCompany<'a> {
    players: ByPlayer<Box<dyn Player + 'a>>,
    sights: ByPlayer<Sight>,
    judge: Option<LuckJudge<'a>>,
    counter: Option<TurnCounter<'a>>,
    /// The player who has the first turn.
    begins: MatchPlayer,
    clocks: ByPlayer<PlayerClock>,
    /// The times of the game's turns, microseconds.
    times_us: Vec<u64>,
    signals: &'a Signals,
}

impl GameCompany for PairCompany<'_> {
    fn sight(&self, seat: Seat) -> Sight {
        self.sights[MatchPlayer::at(seat, self.begins)]
    }

    fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        let player = MatchPlayer::at(view.seat, self.begins);
        let chooser = &mut self.players[player];
        let (clock, pace) = (&mut self.clocks[player], chooser.pace());
        let choose = |told: Option<Clock>, signals: &Signals| chooser.choose(board, &view.timed(told, signals));
        let (chosen, time) = timed(clock, pace, view.tiles_left(), self.signals, choose);
        clock.spend(time);
        self.times_us.push(u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
        if let Some(counter) = &mut self.counter {
            counter.add(board, view, player, &chosen);
        }
        chosen
    }

    fn watches_draws(&self) -> bool {
        self.judge.is_some()
    }

    fn drew(&mut self, board: &mut LaneBoard, game: &DealtGame, draw: &GameDraw) {
        if let Some(judge) = &mut self.judge {
            judge.add(board, game, draw);
        }
    }
}

impl<'a> PairWorker<'a> {
    fn new(setting: &'a PairedMatch<'_>, signals: &'a Signals) -> PairWorker<'a> {
        let graph = setting.players[0].engine.lexicon().graph();
        let contestant = |player: MatchPlayer| &setting.players[player.index()];
        let time = setting.time.map_or_else(TimeControl::default, TimeControl::from);
        let company = PairCompany {
            players: ByPlayer::new(|player| contestant(player).spec.player(setting.rules, contestant(player).engine.knowledge())),
            sights: ByPlayer::new(|player| contestant(player).spec.sight()),
            judge: setting.luck.as_ref().map(|luck| LuckJudge::new(setting.rules, luck)),
            counter: match setting.turns {
                TurnCounting::Plain => None,
                TurnCounting::Counted => Some(TurnCounter::new(setting.rules, setting.players[0].engine.lexicon())),
            },
            begins: MatchPlayer::A,
            clocks: ByPlayer::new(|_| PlayerClock::new(&time)),
            times_us: Vec::new(),
            signals,
        };
        PairWorker { rules: setting.rules, games: GameLoop::new(setting.rules, graph), company, seed: setting.seed, time }
    }

    fn pair(&mut self, pair: u64) -> Option<PlayedPair> {
        let first = self.game(pair, MatchPlayer::A)?;
        let (plays, times_us) = (self.games.plays().to_vec(), std::mem::take(&mut self.company.times_us));
        let second = self.game(pair, MatchPlayer::B)?;
        let (plays, times_us) = ([plays, self.games.plays().to_vec()], [times_us, std::mem::take(&mut self.company.times_us)]);
        let mirrored = plays[0].len() == plays[1].len() && plays[0].iter().zip(&plays[1]).all(|(a, b)| a.play == b.play);
        Some(PlayedPair { result: PairResult { pair, divergent: !mirrored, games: [first, second] }, plays, times_us })
    }

    /// Plays a game that this player begins.
    fn game(&mut self, pair: u64, begins: MatchPlayer) -> Option<GameResult> {
        let company = &mut self.company;
        (company.begins, company.clocks) = (begins, ByPlayer::new(|_| PlayerClock::new(&self.time)));
        if let Some(judge) = &mut company.judge {
            judge.start(self.seed, pair);
        }
        if let Some(counter) = &mut company.counter {
            counter.start();
        }
        let summary = self.games.play_in(company, None, self.seed, pair, company.signals)?;
        let luck = company.judge.as_ref().map(|judge| judge.luck().of_players(begins));
        let counts = company.counter.as_ref().map(TurnCounter::counts);
        Some(GameResult { luck, counts, ..GameResult::new(self.rules, summary.scores, self.games.plays(), begins, &company.clocks) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Lexicon;
    use crate::match_play::referee;
    use crate::rules::{GameRules, Play};

    fn contestant(name: &str) -> Contestant {
        let spec: PlayerSpec = name.parse().unwrap();
        let engine = Engine::builder().tables(spec.tables()).win_table("logistic").build().unwrap();
        Contestant { spec, engine }
    }

    #[test]
    fn both_games_see_the_same_draws_until_the_players_differ() {
        let (rules, lexicon) = (Arc::new(GameRules::english()), Arc::new(Lexicon::builtin()));
        let players = ["rack2", "rack3"].map(contestant);
        let setting = PairedMatch { rules: &rules, players, seed: 3, time: None, luck: None, turns: TurnCounting::Plain };
        let (mut next, mut divergent, mut exchanges) = (0, 0, 0);
        setting.play(0..60, 2, &Signals::default(), &mut |pairs| {
            pairs.into_iter().for_each(|pair| {
                assert_eq!(pair.result.pair, next);
                next += 1;
                let [first, second] =
                    pair.plays.each_ref().map(|plays| referee::replay(&rules, &lexicon, 3, pair.result.pair, plays).unwrap());
                let same = first.turns.iter().zip(&second.turns).take_while(|(a, b)| a.play == b.play).count();
                // At the first difference, both games still have the same position: board, racks and scores.
                let seen =
                    |game: &referee::RefereedGame| game.turns.iter().take(same + 1).map(|turn| turn.before.clone()).collect::<Vec<_>>();
                assert_eq!(seen(&first), seen(&second));
                assert_eq!(pair.result.divergent, same < first.turns.len().max(second.turns.len()));
                divergent += u64::from(pair.result.divergent);
                exchanges += first.turns[..same].iter().filter(|turn| matches!(turn.play, Play::Exchange(_))).count();
            });
            ControlFlow::Continue(())
        });
        assert_eq!(next, 60);
        assert!((1..60).contains(&divergent) && exchanges > 0, "{divergent} divergent pairs, {exchanges} common exchanges");
    }

    #[test]
    fn pairs_that_end_the_match_are_the_last_ones_told() {
        let rules = Arc::new(GameRules::english());
        let players = ["greedy", "rack1"].map(contestant);
        let setting = PairedMatch { rules: &rules, players, seed: 1, time: None, luck: None, turns: TurnCounting::Plain };
        let (mut told, mut was_ended) = (0, false);
        setting.play(0..1_000_000, 3, &Signals::default(), &mut |pairs| {
            assert!(!was_ended, "nothing is told behind the end");
            told += pairs.len();
            was_ended = told >= 2;
            if was_ended { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert!(was_ended);
        let stopped = Signals::default();
        stopped.stop();
        setting.play(0..10, 1, &stopped, &mut |_| panic!("nothing was played"));
    }
}
