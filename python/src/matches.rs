//! Matches in this process: pairs of games on the same tiles with the seats swapped, on all cores.
//!
//! Players named by a text play at the library's full speed. If a player is written in Python, games are played under the library's referee,
//! and workers take the interpreter's lock only while Python chooses.

use crate::PATIENCE;
use crate::errors::{illegal, search_error};
use crate::game::Game;
use crate::lexicon::Lexicon;
use crate::play::PlayArgument;
use crate::position::Position;
use crate::rules::Rules;
use crate::search::all_cores;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use tilewright::engine::Engine;
use tilewright::formats::gcg::{self, GcgPlayer};
use tilewright::match_play::LuckSetting;
use tilewright::match_play::pairs::{Contestant, GameResult, PairResult, PairedMatch, TurnCounting};
use tilewright::match_play::referee::{self, RefereedGame};
use tilewright::match_play::statistics::MatchStatistics;
use tilewright::players::{PlayerSpec, PlayerTurn};
use tilewright::rules::{Play as Deed, Position as Now, Seat, Turn};
use tilewright::search::{MOST_WORKERS, ObservedTurn, SearchPosition, Signals};

/// A pair that was played, with the records of its games if they are kept.
struct Pair {
    result: PairResult,
    records: Option<[String; 2]>,
}

/// A player as Python names it.
enum Competitor {
    /// A player named by a text, with the tables that the text names.
    Named(Contestant),
    /// A function written in Python.
    Python(Py<PyAny>),
}

impl Competitor {
    fn new(player: &Bound<'_, PyAny>, engine: &Engine, lexicon: &Lexicon) -> PyResult<Competitor> {
        if let Ok(text) = player.extract::<String>() {
            let spec: PlayerSpec = text.parse().map_err(search_error)?;
            spec.require(engine.rules().variant).map_err(search_error)?;
            let engine = lexicon.engine_of(engine, &spec)?;
            return Ok(Competitor::Named(Contestant { spec, engine }));
        }
        if player.is_callable() {
            return Ok(Competitor::Python(player.clone().unbind()));
        }
        Err(search_error("a player is a text such as \"static\", or a function that takes a position and returns a play"))
    }

    fn name(&self, py: Python<'_>) -> String {
        match self {
            Competitor::Named(contestant) => contestant.spec.to_string(),
            Competitor::Python(function) => {
                let named = function.bind(py).getattr("__name__").and_then(|name| name.extract());
                named.unwrap_or_else(|_| function.bind(py).get_type().to_string())
            }
        }
    }
}

/// The settings that both kinds of match share.
struct Setting {
    players: [Competitor; 2],
    names: [String; 2],
    engine: Engine,
    lexicon: Py<Lexicon>,
    rules: Py<Rules>,
    seed: u64,
    threads: usize,
    luck: Option<LuckSetting>,
    are_kept: bool,
}

impl Setting {
    fn record(&self, game: &RefereedGame, begins: usize) -> String {
        let player = |at: usize| GcgPlayer { nick: ["a", "b"][at].to_string(), name: self.names[at].clone() };
        let record = game.to_gcg([player(begins), player(1 - begins)], self.engine.lexicon());
        record.map_or_else(|error| error.to_string(), |record| gcg::print(&record))
    }
}

/// Plays a match. `tilewright.match` describes the arguments.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "Python's keywords")]
pub fn play_match<'py>(
    py: Python<'py>,
    player_a: &Bound<'py, PyAny>,
    player_b: &Bound<'py, PyAny>,
    pairs: (u64, u64),
    seed: u64,
    threads: Option<usize>,
    lexicon: Option<Py<Lexicon>>,
    rules: Option<Py<Rules>>,
    redraws: Option<usize>,
    keep_games: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let lexicon = Lexicon::or_builtin(py, lexicon)?;
    let engine = lexicon.get().engine_for(rules.as_ref().map(Py::get))?;
    let rules = rules.map_or_else(|| Py::new(py, lexicon.get().usual_rules()), Ok)?;
    let (tiles, rack_size) = (engine.rules().distribution.total(), engine.rules().rack_size);
    if tiles < 2 * rack_size {
        return Err(search_error(format!("the alphabet has {tiles} tiles, but two racks need {}", 2 * rack_size)));
    }
    let threads = threads.unwrap_or_else(all_cores);
    if !(1..=MOST_WORKERS).contains(&threads) {
        return Err(search_error(format!("{threads} threads, expected 1 to {MOST_WORKERS}")));
    }
    let players = [Competitor::new(player_a, &engine, lexicon.get())?, Competitor::new(player_b, &engine, lexicon.get())?];
    let names = players.each_ref().map(|player| player.name(py));
    let luck = redraws.map(|redraws| LuckSetting { engine: engine.clone(), redraws });
    let setting = Setting { players, names, engine, lexicon, rules, seed, threads, luck, are_kept: keep_games };
    if setting.luck.is_some() && setting.players.iter().any(|player| matches!(player, Competitor::Python(_))) {
        return Err(search_error("luck can only be judged if both players are named by a text"));
    }
    let range = pairs.0..pairs.1;
    let played = py.detach(|| played(&setting, range))?;
    told(py, &setting, &played)
}

/// All pairs in order. An interrupt from the keyboard, or an error of a player, ends the match.
fn played(setting: &Setting, pairs: Range<u64>) -> PyResult<Vec<Pair>> {
    let signals = Signals::default();
    let error = Mutex::new(None);
    let mut by_number = BTreeMap::new();
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        let (signals, error) = (&signals, &error);
        scope.spawn(move || match &setting.players {
            [Competitor::Named(a), Competitor::Named(b)] => at_full_speed(setting, [a, b], pairs, signals, &sender),
            _ => under_the_referee(setting, pairs, signals, error, &sender),
        });
        let mut looked = Instant::now();
        loop {
            match receiver.recv_timeout(PATIENCE) {
                Ok(pair) => drop(by_number.insert(Pair::number(&pair), pair)),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if looked.elapsed() >= PATIENCE {
                looked = Instant::now();
                if let Err(interrupt) = Python::attach(|py| py.check_signals()) {
                    signals.stop();
                    error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(interrupt);
                }
            }
        }
    });
    let error = error.into_inner().unwrap_or_else(PoisonError::into_inner);
    error.map_or(Ok(by_number.into_values().collect()), Err)
}

impl Pair {
    fn number(&self) -> u64 {
        self.result.pair
    }
}

fn at_full_speed(setting: &Setting, players: [&Contestant; 2], pairs: Range<u64>, signals: &Signals, sender: &Sender<Pair>) {
    let rules = setting.engine.rules();
    let paired = PairedMatch {
        rules,
        players: players.map(Contestant::clone),
        seed: setting.seed,
        time: None,
        luck: setting.luck.clone(),
        turns: TurnCounting::Plain,
    };
    paired.play(pairs, setting.threads, signals, &mut |played| {
        for pair in played {
            let number = pair.result.pair;
            let record = |game: usize| {
                let refereed = referee::replay(rules, setting.engine.lexicon(), setting.seed, number, &pair.plays[game]);
                refereed.map_or_else(|foul| foul.to_string(), |refereed| setting.record(&refereed, game))
            };
            let records = setting.are_kept.then(|| [record(0), record(1)]);
            // If the receiver is gone, it needs no more pairs.
            drop(sender.send(Pair { result: pair.result, records }));
        }
        ControlFlow::Continue(())
    });
}

fn under_the_referee(setting: &Setting, pairs: Range<u64>, signals: &Signals, error: &Mutex<Option<PyErr>>, sender: &Sender<Pair>) {
    let next = AtomicU64::new(pairs.start);
    std::thread::scope(|scope| {
        for _ in 0..setting.threads {
            let (next, sender, end) = (&next, sender.clone(), pairs.end);
            scope.spawn(move || {
                loop {
                    let pair = next.fetch_add(1, Ordering::Relaxed);
                    if pair >= end || signals.is_stopped() {
                        return;
                    }
                    match [0, 1].map(|begins| RefereedMatch { setting, signals }.game(pair, begins)) {
                        [Ok(first), Ok(second)] if !signals.is_stopped() => drop(sender.send(pair_of(setting, pair, [first, second]))),
                        [Err(failed), _] | [_, Err(failed)] => {
                            signals.stop();
                            error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failed);
                        }
                        _ => return,
                    }
                }
            });
        }
    });
}

/// A game with the time that each player took, microseconds.
struct TimedGame {
    game: RefereedGame,
    time_us: [u64; 2],
}

struct RefereedMatch<'a> {
    setting: &'a Setting,
    signals: &'a Signals,
}

impl RefereedMatch<'_> {
    /// A game of a pair that this player begins.
    fn game(&self, pair: u64, begins: usize) -> PyResult<TimedGame> {
        let Setting { engine, seed, .. } = self.setting;
        let mut failed = None;
        let mut past: Vec<(Now, Turn)> = Vec::new();
        let mut time_us = [0; 2];
        let mut choose = |position: &Now| {
            if failed.is_some() || self.signals.is_stopped() {
                return Deed::Pass;
            }
            let player = begins ^ position.on_turn().index();
            let began = Instant::now();
            let chosen = self.chosen(player, position, &past, pair);
            time_us[player] += u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
            match chosen {
                Ok(play) => {
                    past.push((position.clone(), Turn::Play(play)));
                    play
                }
                Err(error) => {
                    failed = Some(error);
                    Deed::Pass
                }
            }
        };
        let game = referee::play_game(engine.rules(), engine.lexicon(), *seed, pair, &mut choose);
        if let Some(error) = failed {
            return Err(error);
        }
        let game = game.map_err(|foul| illegal(format!("pair {pair}, the game that {} begins: {foul}", self.setting.names[begins])))?;
        Ok(TimedGame { game, time_us })
    }

    fn chosen(&self, player: usize, position: &Now, past: &[(Now, Turn)], pair: u64) -> PyResult<Deed> {
        let setting = self.setting;
        match &setting.players[player] {
            Competitor::Named(Contestant { spec, engine }) => {
                let seed = setting.seed.wrapping_add(pair.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_add(past.len() as u64) >> 1;
                let turn = PlayerTurn::new(spec.clone(), SearchPosition::new(position.clone()).map_err(search_error)?, seed);
                let mut turn = turn.map_err(search_error)?;
                if spec.infers() {
                    let seen = ObservedTurn::of_game(position.on_turn().opponent(), past.iter().map(|(before, turn)| (before, *turn)));
                    turn = turn.with_opponents_turns(seen.map_err(search_error)?).map_err(search_error)?;
                }
                Ok(turn.play(engine, self.signals).map_err(search_error)?.play)
            }
            Competitor::Python(function) => Python::attach(|py| {
                let shown = Position::of_now(py, position.clone(), setting.engine.clone(), &setting.rules, &setting.lexicon);
                let answer = function.bind(py).call1((shown,))?;
                match answer.extract::<PlayArgument<'_>>()?.read(position)? {
                    Turn::Play(play) => Ok(play),
                    Turn::ExchangeUnknown(_) | Turn::Phony(_) => Err(search_error("a player's play must name the tiles that it uses")),
                }
            }),
        }
    }
}

/// The result of a pair of refereed games.
fn pair_of(setting: &Setting, pair: u64, games: [TimedGame; 2]) -> Pair {
    let rack_size = setting.engine.rules().rack_size;
    let result = |begins: usize| {
        let TimedGame { game, time_us } = &games[begins];
        let each = [0, 1].map(|player: usize| Seat::BOTH[player ^ begins]);
        let turns_of = |seat| game.turns.iter().filter(move |turn| turn.before.on_turn() == seat);
        let is_bingo = |turn: &&referee::RefereedTurn| turn.play.placement().is_some_and(|placed| placed.tile_count() == rack_size);
        GameResult {
            scores: each.map(|seat| game.last.score(seat)),
            penalties: [0; 2],
            turns: each.map(|seat| turns_of(seat).count() as u32),
            bingos: each.map(|seat| turns_of(seat).filter(is_bingo).count() as u32),
            time_us: *time_us,
            overstepped: [false; 2],
            luck: None,
            counts: None,
        }
    };
    let plays = |game: &TimedGame| game.game.turns.iter().map(|turn| turn.play).collect::<Vec<_>>();
    let divergent = plays(&games[0]) != plays(&games[1]);
    let records = setting.are_kept.then(|| [0, 1].map(|begins| setting.record(&games[begins].game, begins)));
    Pair { result: PairResult { pair, divergent, games: [result(0), result(1)] }, records }
}

/// The numbers for the result in Python.
fn told<'py>(py: Python<'py>, setting: &Setting, pairs: &[Pair]) -> PyResult<Bound<'py, PyDict>> {
    let mut statistics = MatchStatistics::of(setting.engine.rules().objective());
    pairs.iter().for_each(|pair| statistics.add(&pair.result));
    let objective = setting.engine.rules().objective();
    let rows = pairs.iter().flat_map(|Pair { result, .. }| {
        (0..2).map(move |begins: usize| {
            let game = &result.games[begins];
            let win = game.half_wins(objective) as f64 / 2.0;
            (result.pair, begins, win, game.scores.into(), game.turns.into(), game.bingos.into(), game.time_us.into(), result.divergent)
        })
    });
    type GameRow = (u64, usize, f64, (i32, i32), (u32, u32), (u32, u32), (u64, u64), bool);
    let rows: Vec<GameRow> = rows.collect();
    let mut games = Vec::new();
    for text in pairs.iter().filter_map(|pair| pair.records.as_ref()).flatten() {
        games.push(Game::of_text(py, text, &setting.lexicon, &setting.rules)?);
    }
    let told = PyDict::new(py);
    told.set_item("players", (&setting.names[0], &setting.names[1]))?;
    told.set_item("pairs", statistics.pairs())?;
    told.set_item("win", statistics.win.mean)?;
    told.set_item("win_error", statistics.win.standard_error())?;
    told.set_item("spread", statistics.spread.mean)?;
    told.set_item("spread_error", statistics.spread.standard_error())?;
    told.set_item("pentanomial", pyo3::types::PyTuple::new(py, statistics.pentanomial)?)?;
    let [losses, ties, wins] = statistics.games;
    told.set_item("wins", wins)?;
    told.set_item("ties", ties)?;
    told.set_item("losses", losses)?;
    told.set_item("divergent", statistics.divergent)?;
    told.set_item("mean_scores", (statistics.mean_score(0), statistics.mean_score(1)))?;
    let adjusted = &statistics.adjusted;
    let judged = setting.luck.is_some().then(|| {
        let (win, spread) = (&adjusted.win.adjusted, &adjusted.spread.adjusted);
        (win.mean, win.standard_error(), spread.mean, spread.standard_error())
    });
    told.set_item("adjusted", judged)?;
    told.set_item("rows", PyList::new(py, rows)?)?;
    told.set_item("games", games)?;
    Ok(told)
}
