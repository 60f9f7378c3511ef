//! Searches: the engine that carries them out, and their rankings while they improve.
//!
//! Options are dataclasses of `tilewright/analysis.py`, and rankings are dataclasses of `tilewright/rows.py`.

use crate::PATIENCE;
use crate::errors::{engine_error, search_error};
use crate::game::Game;
use crate::lexicon::Lexicon;
use crate::play::{Place, Play, PlayArgument};
use crate::position::Position;
use crate::rows::row;
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tilewright::analysis::{GameAnalyst, JudgeBudget, ReportHeading};
use tilewright::engine::{Engine, Rankings, StillSearching, StopHandle};
use tilewright::players::{PlayerSpec, PlayerTurn};
use tilewright::rules::{Play as Deed, Tile, Turn};
use tilewright::search::{
    Analysis, Belief, EndgameOptions, EvaluatedPlay, InferenceOptions, MOST_WORKERS, ObservedTurn, OpponentModel, OpponentTiles,
    PlaySelection, PreEndgameBasis, PreEndgameClaim, PreEndgameOptions, PreEndgameRow, RackMean, RepliesOptions, RepliesReport, Report,
    RunSettings, SearchKind, SearchPosition, Signals, SimulationOptions, SimulationRow, Solution, StaticOptions, StopCondition,
};

/// An engine in this process: words and tables with threads, a seed and memory.
#[pyclass(frozen, module = "tilewright._native")]
pub struct Searcher {
    engine: Engine,
    lexicon: Py<Lexicon>,
}

#[pymethods]
impl Searcher {
    #[new]
    #[pyo3(signature = (lexicon, threads, seed, hash_megabytes, memory_megabytes))]
    fn new(
        py: Python<'_>,
        lexicon: Option<Py<Lexicon>>,
        threads: Option<usize>,
        seed: u64,
        hash_megabytes: usize,
        memory_megabytes: usize,
    ) -> PyResult<Searcher> {
        let lexicon = Lexicon::or_builtin(py, lexicon)?;
        let threads = threads.unwrap_or_else(all_cores);
        if !(1..=MOST_WORKERS).contains(&threads) {
            return Err(search_error(format!("{threads} threads, expected 1 to {MOST_WORKERS}")));
        }
        let settings = RunSettings { threads, seed, hash_megabytes: hash_megabytes.max(1), memory_megabytes };
        Ok(Searcher { engine: lexicon.get().engine.with_settings(settings), lexicon })
    }

    #[getter]
    fn lexicon(&self, py: Python<'_>) -> Py<Lexicon> {
        self.lexicon.clone_ref(py)
    }

    #[getter]
    fn threads(&self) -> usize {
        self.engine.settings().threads
    }

    /// Begins a search, by default that of the position's phase.
    #[pyo3(signature = (position, options=None, seconds=None))]
    fn start(
        &self,
        py: Python<'_>,
        position: PyRef<'_, Position>,
        options: Option<&Bound<'_, PyAny>>,
        seconds: Option<f64>,
    ) -> PyResult<Search> {
        let analysis = match options {
            Some(options) => analysis_of(options, &position)?,
            None => confident(self.engine.phase_analysis(&position.now).map_err(engine_error)?),
        };
        let time = seconds.map(time_of).transpose()?;
        let kind = analysis.kind();
        let mut rankings = self.engine.search(&position.now, analysis).map_err(engine_error)?;
        if let Some(time) = time {
            rankings = rankings.stop_after(time);
        }
        let stop = rankings.stop_handle();
        Ok(Search { kind, stop, rankings: Mutex::new(rankings), place: position.place(py) })
    }

    /// Analyses a game turn by turn. Returns the library's report as JSON. An interrupt from the keyboard ends the analysis.
    #[pyo3(signature = (game, iterations=None, seconds=None, opponent=None))]
    fn analyse_game(
        &self,
        py: Python<'_>,
        game: Py<Game>,
        iterations: Option<u64>,
        seconds: Option<f64>,
        opponent: Option<&str>,
    ) -> PyResult<String> {
        let mut budget = match (iterations, seconds) {
            (Some(_), Some(_)) => return Err(search_error("set iterations or seconds for a turn, not both")),
            (Some(iterations), None) => JudgeBudget::of_iterations(iterations),
            (None, seconds) => {
                let time = time_of(seconds.unwrap_or(1.0))?;
                JudgeBudget::Time { ms: u64::try_from(time.as_millis()).unwrap_or(u64::MAX) }
            }
        };
        let opponent = opponent.map_or(Ok(OpponentModel::Uniform), model)?;
        let read = game.get().read_again()?;
        let heading = ReportHeading { budget: budget.text(), ..ReportHeading::default() };
        let (engine, given_up) = (&self.engine, &Signals::default());
        let seed = engine.settings().seed;
        let report = py.detach(|| {
            std::thread::scope(|scope| {
                let analyst = GameAnalyst { engine, opponent, seed, given_up };
                let work = scope.spawn(move || analyst.analyse(&read, &heading, &mut budget));
                let mut interrupted = Ok(());
                while !work.is_finished() {
                    std::thread::park_timeout(PATIENCE / 5);
                    if interrupted.is_ok() {
                        interrupted = Python::attach(|py| py.check_signals());
                    }
                    if interrupted.is_err() {
                        given_up.stop();
                    }
                }
                interrupted.map(|()| work.join().expect("an analyst does not panic"))
            })
        })?;
        let report = report.ok_or_else(|| search_error("the analysis was interrupted"))?;
        serde_json::to_string(&report).map_err(search_error)
    }

    /// Returns the play of a player that a text names.
    fn player_play(&self, py: Python<'_>, position: PyRef<'_, Position>, player: &str) -> PyResult<Play> {
        let spec: PlayerSpec = player.parse().map_err(search_error)?;
        let engine = self.lexicon.get().engine_of(&self.engine, &spec)?;
        let turn = PlayerTurn::new(spec, SearchPosition::new(position.now.clone()).map_err(search_error)?, self.engine.settings().seed);
        let turn = turn.and_then(|turn| turn.with_opponents_turns(opponents_turns(&position)?)).map_err(search_error)?;
        let chosen = py.detach(|| turn.play(&engine, &Signals::default())).map_err(engine_error)?;
        Ok(Play::valued(&chosen, &position.place(py)))
    }
}

/// Converts a time that Python gives in seconds.
fn time_of(seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds).map_err(|error| search_error(format!("seconds={seconds}: {error}")))
}

/// Returns the number of processors, as a number of threads.
pub fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).min(MOST_WORKERS)
}

/// Makes a simulation without a limit end when it is sure of its first play.
fn confident(analysis: Analysis) -> Analysis {
    match analysis {
        Analysis::Simulation(options) => {
            Analysis::Simulation(SimulationOptions { stop_condition: Some(StopCondition::Percent99), ..options })
        }
        other => other,
    }
}

/// A search under way.
#[pyclass(frozen, module = "tilewright._native")]
pub struct Search {
    kind: SearchKind,
    stop: StopHandle,
    rankings: Mutex<Rankings>,
    place: Arc<Place>,
}

#[pymethods]
impl Search {
    /// Returns the next ranking, or `None` at the end. An interrupt from the keyboard ends the search.
    fn next<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let wait = || self.rankings().next_within(PATIENCE);
        loop {
            let waited = py.detach(wait);
            if let Err(interrupt) = py.check_signals() {
                self.stop.stop();
                return Err(interrupt);
            }
            match waited {
                Err(StillSearching) => {}
                Ok(None) => return Ok(None),
                // The belief of an inference before a simulation is not a ranking of plays.
                Ok(Some(Report::Inference(_))) if self.kind != SearchKind::Inference => {}
                Ok(Some(report)) => return self.told(py, report).map(Some),
            }
        }
    }

    /// Stops the search. Its last ranking still comes.
    fn stop(&self) {
        self.stop.stop();
    }

    /// Waits for the end without asking for intermediate rankings, and returns the last ranking.
    fn finish<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let mut pause = Duration::from_millis(1);
        while !py.detach(|| self.rankings().is_finished()) {
            py.detach(|| std::thread::sleep(pause));
            pause = (pause * 2).min(PATIENCE);
            if let Err(interrupt) = py.check_signals() {
                self.stop.stop();
                return Err(interrupt);
            }
        }
        let mut last = None;
        while let Some(ranking) = self.next(py)? {
            last = Some(ranking);
        }
        Ok(last)
    }
}

impl Search {
    fn rankings(&self) -> MutexGuard<'_, Rankings> {
        self.rankings.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Search {
    fn told<'py>(&self, py: Python<'py>, report: Report) -> PyResult<Bound<'py, PyAny>> {
        match report {
            Report::Static(report) => {
                let rows: PyResult<Vec<_>> = report.rows.iter().map(|play| self.static_row(py, play)).collect();
                row(py, "Ranking", ("static", PyTuple::new(py, rows?)?))
            }
            Report::Simulation(report) => {
                let rows: PyResult<Vec<_>> = report.rows.iter().map(|standing| self.simulation_row(py, standing)).collect();
                row(py, "Ranking", ("simulation", PyTuple::new(py, rows?)?, report.nodes))
            }
            Report::PreEndgame(report) => {
                let rows: PyResult<Vec<_>> = report.rows.iter().map(|standing| self.pre_endgame_row(py, standing)).collect();
                let claim = match report.claim {
                    PreEndgameClaim::Nothing => "nothing",
                    PreEndgameClaim::Share => "share",
                    PreEndgameClaim::Best => "best",
                };
                row(py, "PreEndgame", ("pre-endgame", PyTuple::new(py, rows?)?, report.nodes, claim))
            }
            Report::Endgame(solution) => self.solution(py, &solution),
            Report::Inference(belief) => self.belief(py, &belief),
            Report::Replies(report) => self.replies(py, &report),
            _ => Err(search_error("this version of the package cannot show this kind of report")),
        }
    }

    fn play(&self, play: &EvaluatedPlay) -> Play {
        Play::valued(play, &self.place)
    }

    fn tiles(&self, tiles: &[Tile]) -> String {
        self.place.before.rules().distribution.tiles_text(tiles.iter().copied())
    }

    fn static_row<'py>(&self, py: Python<'py>, play: &EvaluatedPlay) -> PyResult<Bound<'py, PyAny>> {
        row(py, "StaticRow", (self.play(play), play.score, play.equity.points()))
    }

    fn simulation_row<'py>(&self, py: Python<'py>, standing: &SimulationRow) -> PyResult<Bound<'py, PyAny>> {
        let plies: PyResult<Vec<_>> =
            standing.plies.iter().map(|ply| row(py, "Ply", (ply.score_mean, ply.score_deviation, ply.bingo_share))).collect();
        let fields = (
            self.play(&standing.ranked),
            standing.ranked.score,
            standing.ranked.equity.points(),
            standing.win,
            standing.win_error,
            standing.equity,
            standing.equity_error,
            standing.iterations,
            standing.pruned,
            PyTuple::new(py, plies?)?,
        );
        row(py, "SimulationRow", fields)
    }

    fn pre_endgame_row<'py>(&self, py: Python<'py>, standing: &PreEndgameRow) -> PyResult<Bound<'py, PyAny>> {
        let basis = match standing.basis {
            PreEndgameBasis::Static => "static",
            PreEndgameBasis::BrokenOff => "broken-off",
            PreEndgameBasis::Playouts => "playouts",
            PreEndgameBasis::Searched => "searched",
            PreEndgameBasis::Solved => "solved",
            PreEndgameBasis::Proved => "proved",
        };
        let draws = |draws: &[Vec<Tile>]| PyTuple::new(py, draws.iter().map(|draw| self.tiles(draw)));
        let (wins, ties, losses) = (draws(&standing.wins)?, draws(&standing.ties)?, draws(&standing.losses)?);
        let play = self.play(&standing.ranked);
        row(py, "PreEndgameRow", (play, standing.ranked.score, standing.win, standing.spread, basis, standing.drawn, wins, ties, losses))
    }

    fn solution<'py>(&self, py: Python<'py>, solution: &Solution) -> PyResult<Bound<'py, PyAny>> {
        // Each play is written on the board after the plays before it.
        let (mut now, mut rows) = (self.place.before.clone(), Vec::new());
        now.deduce_racks();
        for play in &solution.line {
            let place = Place::new(now.clone(), self.place.rules.clone_ref(py), self.place.lexicon.clone_ref(py));
            rows.push(row(py, "LineRow", (Play::scored(Turn::Play(play.play), &place), play.score))?);
            let Ok(next) = now.after(&Turn::Play(play.play)) else { break };
            now = next;
        }
        let lead = self.place.before.spread() + solution.value;
        let winner = solution.outcome(self.place.before.spread());
        let fields = ("endgame", PyTuple::new(py, rows)?, solution.nodes, solution.value, lead, winner, solution.solved, solution.depth);
        row(py, "Solution", fields)
    }

    fn belief<'py>(&self, py: Python<'py>, belief: &Belief) -> PyResult<Bound<'py, PyAny>> {
        let leaves = belief.leaves.iter();
        let rows: PyResult<Vec<_>> =
            leaves.map(|leave| row(py, "LeaveRow", (self.place.rack(leave.leave), leave.chance, leave.prior))).collect();
        row(py, "Belief", ("inference", PyTuple::new(py, rows?)?, None::<u64>, belief.is_explained, belief.effective_leaves))
    }

    fn replies<'py>(&self, py: Python<'py>, report: &RepliesReport) -> PyResult<Bound<'py, PyAny>> {
        // Replies are written on the board after the play.
        let after = self.place.before.after(&Turn::Play(report.play)).map_err(search_error)?;
        let place = Place::new(after, self.place.rules.clone_ref(py), self.place.lexicon.clone_ref(py));
        let replies = report.replies.iter();
        let rows: PyResult<Vec<_>> = replies
            .map(|reply| {
                let play = Play { turn: Turn::Play(reply.play), score: Some(reply.score), equity: None, place: Arc::clone(&place) };
                row(py, "ReplyRow", (play, reply.score, reply.share))
            })
            .collect();
        let mean = |mean: &RackMean| row(py, "Mean", (mean.mean, mean.error, mean.racks, mean.is_exact));
        let squares = PyDict::new(py);
        for (square, share) in &report.squares {
            squares.set_item(square.to_string(), share)?;
        }
        let (score, reply_bingo, own_bingo) = (mean(&report.score)?, mean(&report.reply_bingo)?, mean(&report.own_bingo)?);
        row(py, "Replies", ("replies", PyTuple::new(py, rows?)?, None::<u64>, score, reply_bingo, own_bingo, squares))
    }
}

/// Reads an option of a search. A number below 0 is reported as a wrong value, not as one too large for the machine.
fn option<'py, T: FromPyObjectOwned<'py>>(options: &Bound<'py, PyAny>, name: &str) -> PyResult<T> {
    let value = options.getattr(name)?;
    value.extract::<T>().map_err(Into::<PyErr>::into).map_err(|error| {
        let is_range = error.is_instance_of::<PyOverflowError>(options.py());
        if is_range { search_error(format!("{name} is {value}, expected a number of at least 0")) } else { error }
    })
}

/// Reads the options of a search from its dataclass.
fn analysis_of(options: &Bound<'_, PyAny>, position: &Position) -> PyResult<Analysis> {
    let kind: String = option(options, "kind")?;
    let plays = || plays_of(options, position);
    let nodes = || option::<Option<u64>>(options, "nodes");
    Ok(match kind.as_str() {
        "static" => Analysis::Static(StaticOptions { plays: plays()? }),
        "simulation" => Analysis::Simulation(SimulationOptions {
            plays: plays()?,
            plies: option(options, "plies")?,
            iterations: option(options, "iterations")?,
            nodes: nodes()?,
            stop_condition: confidence(option(options, "confidence")?)?,
            equity_weight: option(options, "equity_weight")?,
            opponent_tiles: opponent_tiles(options, position)?,
            ..SimulationOptions::default()
        }),
        "pre-endgame" => Analysis::PreEndgame(PreEndgameOptions {
            plays: plays()?,
            nodes: nodes()?,
            first_win: option(options, "first_win")?,
            opponent_tiles: opponent_tiles(options, position)?,
            ..PreEndgameOptions::default()
        }),
        "endgame" => Analysis::Endgame(EndgameOptions {
            plays: plays()?,
            plies: option(options, "plies")?,
            nodes: nodes()?,
            first_win: option(options, "first_win")?,
            ..EndgameOptions::default()
        }),
        "inference" => Analysis::Inference(InferenceOptions::new(model(&option::<String>(options, "model")?)?, turns_of(position)?)),
        "replies" => {
            let asked: PlayArgument<'_> = option(options, "play")?;
            let Turn::Play(play) = asked.read(&position.now)? else {
                return Err(search_error("replies need a play whose tiles are known"));
            };
            let iterations = option(options, "iterations")?;
            Analysis::Replies(RepliesOptions { play, iterations, opponent_tiles: opponent_tiles(options, position)? })
        }
        other => return Err(search_error(format!("there is no search {other:?}"))),
    })
}

fn plays_of(options: &Bound<'_, PyAny>, position: &Position) -> PyResult<PlaySelection> {
    let most: Option<usize> = option(options, "count")?;
    let named: Option<Vec<PlayArgument<'_>>> = option(options, "plays")?;
    let Some(named) = named else { return Ok(PlaySelection { most, ..PlaySelection::default() }) };
    let play = |named: &PlayArgument<'_>| match named.read(&position.now)? {
        Turn::Play(play) => Ok(play),
        Turn::ExchangeUnknown(_) | Turn::Phony(_) => Err(search_error("only plays whose tiles are known can be searched")),
    };
    Ok(PlaySelection::only(named.iter().map(play).collect::<PyResult<Vec<Deed>>>()?))
}

fn confidence(percent: Option<u32>) -> PyResult<Option<StopCondition>> {
    match percent {
        None => Ok(None),
        Some(95) => Ok(Some(StopCondition::Percent95)),
        Some(98) => Ok(Some(StopCondition::Percent98)),
        Some(99) => Ok(Some(StopCondition::Percent99)),
        Some(other) => Err(search_error(format!("confidence is {other}, expected 95, 98, 99 or None"))),
    }
}

fn model(name: &str) -> PyResult<OpponentModel> {
    let names = || OpponentModel::ALL.map(|(_, name)| name).join(", ");
    OpponentModel::from_name(name).ok_or_else(|| search_error(format!("there is no opponent model {name:?}, expected one of {}", names())))
}

fn opponent_tiles(options: &Bound<'_, PyAny>, position: &Position) -> PyResult<OpponentTiles> {
    let Some(name) = options.getattr("opponent")?.extract::<Option<String>>()? else { return Ok(OpponentTiles::Uniform) };
    Ok(OpponentTiles::Inferred(InferenceOptions::new(model(&name)?, turns_of(position)?)))
}

/// Returns the turns of the other player among those that led to a position.
fn opponents_turns(position: &Position) -> Result<Vec<ObservedTurn>, tilewright::search::RequestError> {
    let other = position.now.on_turn().opponent();
    let turns = position.taken.iter().map(|taken| (&taken.place.before, taken.turn));
    ObservedTurn::of_game(other, turns).map_err(|_| tilewright::search::RequestError::OtherTurns)
}

fn turns_of(position: &Position) -> PyResult<Vec<ObservedTurn>> {
    let turns = opponents_turns(position).map_err(search_error)?;
    if turns.is_empty() {
        return Err(search_error("there is no turn of the opponent to infer from: begin with the position before that turn, and push it"));
    }
    Ok(turns)
}
