//! A recorded game (GCG): the Python class `Game`.

use crate::errors::{IllegalPlayError, InvalidGameError, InvalidPositionError, game_error, illegal};
use crate::lexicon::Lexicon;
use crate::play::{Place, Play, PlayArgument};
use crate::position::{Position, Taken};
use crate::rows::row;
use crate::rules::{RackArgument, Rules};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBytes, PyList, PyTuple};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tilewright::engine::Engine;
use tilewright::formats::gcg::{self, FileNote, Gcg, GcgError, GcgPlayer, ReadGame, Replay};
use tilewright::rules::{Position as Now, Rack};

/// A recorded game.
#[pyclass(frozen, module = "tilewright", weakref)]
pub struct Game {
    pub engine: Engine,
    pub rules: Py<Rules>,
    pub lexicon: Py<Lexicon>,
    record: Mutex<Record>,
}

/// The parts of a game that change when a turn is added.
struct Record {
    gcg: Gcg,
    replay: Replay,
    notes: Vec<FileNote>,
    unread: Option<GcgError>,
    /// The text that the game was read from; `None` once a turn was added.
    source: Option<Vec<u8>>,
}

impl Record {
    fn of_read(game: ReadGame, source: Vec<u8>) -> Record {
        let ReadGame { game, replay, notes, unread, .. } = game;
        Record { gcg: game, replay, notes, unread, source: Some(source) }
    }

    fn last(&self) -> &Now {
        self.replay.positions.last().expect("a game has a position at its end")
    }

    /// The position before a turn, or after the last one.
    fn before(&self, number: usize) -> &Now {
        self.replay.turns.get(number).map_or_else(|| self.last(), |turn| &self.replay.positions[turn.event])
    }
}

/// The lexicon and rules given to a reader.
struct Setting {
    engine: Engine,
    rules: Py<Rules>,
    lexicon: Py<Lexicon>,
}

impl Setting {
    fn new(py: Python<'_>, lexicon: Option<Py<Lexicon>>, rules: Option<Py<Rules>>) -> PyResult<Setting> {
        let lexicon = Lexicon::or_builtin(py, lexicon)?;
        let engine = lexicon.get().engine_for(rules.as_ref().map(Py::get))?;
        let rules = rules.map_or_else(|| Py::new(py, lexicon.get().usual_rules()), Ok)?;
        Ok(Setting { engine, rules, lexicon })
    }

    fn game(&self, py: Python<'_>, record: Record) -> Game {
        let (engine, rules, lexicon) = (self.engine.clone(), self.rules.clone_ref(py), self.lexicon.clone_ref(py));
        Game { engine, rules, lexicon, record: Mutex::new(record) }
    }
}

/// A text as an argument from Python.
#[derive(FromPyObject)]
enum GameText {
    Text(String),
    Bytes(Vec<u8>),
}

impl Game {
    /// Locks the parts that change. A caller that waits lets other Python threads run, since one of them may hold the lock.
    fn record(&self) -> MutexGuard<'_, Record> {
        Python::attach(|py| self.record.lock_py_attached(py)).unwrap_or_else(PoisonError::into_inner)
    }

    /// The position before a turn, with the turns up to it.
    pub fn position_of(py: Python<'_>, game: &Py<Game>, number: usize) -> PyResult<Position> {
        let this = game.get();
        let record = this.record();
        let turns = record.replay.turns.len();
        if number > turns {
            return Err(InvalidPositionError::new_err(format!("there is no turn {number}: the game has {turns}")));
        }
        let taken = this.taken(py, &record, number);
        Ok(Position::of_game(py, game, number, record.before(number).clone(), taken))
    }

    /// The first turns.
    fn taken(&self, py: Python<'_>, record: &Record, number: usize) -> Vec<Taken> {
        let turns = record.replay.turns.iter().take(number).enumerate();
        let taken = |(at, turn): (usize, &gcg::RecordedTurn)| {
            let place = self.place(py, record.before(at));
            let play = Play::scored(turn.turn, &place);
            Taken::new(turn.turn, play.score, place)
        };
        turns.map(taken).collect()
    }

    fn place(&self, py: Python<'_>, before: &Now) -> Arc<Place> {
        Place::new(before.clone(), self.rules.clone_ref(py), self.lexicon.clone_ref(py))
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (player1="player1", player2="player2", *, lexicon=None, rules=None))]
    fn new(py: Python<'_>, player1: &str, player2: &str, lexicon: Option<Py<Lexicon>>, rules: Option<Py<Rules>>) -> PyResult<Game> {
        let setting = Setting::new(py, lexicon, rules)?;
        let players = [player1, player2].map(|name| GcgPlayer { nick: name.to_string(), name: name.to_string() });
        let mut gcg = Gcg::new(players, Arc::clone(&setting.engine.rules().distribution));
        gcg.push_pragma("lexicon", setting.engine.lexicon().name());
        let replay = gcg::replay(&gcg, setting.engine.rules(), None).map_err(game_error)?;
        Ok(setting.game(py, Record { gcg, replay, notes: Vec::new(), unread: None, source: None }))
    }

    /// Reads a game, as far as it can be read; `repairs` lists what was mended.
    #[staticmethod]
    #[pyo3(signature = (text, *, lexicon=None, rules=None))]
    fn parse(py: Python<'_>, text: GameText, lexicon: Option<Py<Lexicon>>, rules: Option<Py<Rules>>) -> PyResult<Game> {
        let bytes = match text {
            GameText::Text(text) => text.into_bytes(),
            GameText::Bytes(bytes) => bytes,
        };
        let setting = Setting::new(py, lexicon, rules)?;
        let read = py.detach(|| gcg::read_file(&bytes, setting.engine.rules())).map_err(game_error)?;
        Ok(setting.game(py, Record::of_read(read, bytes)))
    }

    /// Reads the game of a file.
    #[staticmethod]
    #[pyo3(signature = (path, *, lexicon=None, rules=None))]
    fn read(py: Python<'_>, path: PathBuf, lexicon: Option<Py<Lexicon>>, rules: Option<Py<Rules>>) -> PyResult<Game> {
        Game::parse(py, GameText::Bytes(file_bytes(&path)?), lexicon, rules)
    }

    /// The game as text.
    fn gcg(&self) -> String {
        gcg::print(&self.record().gcg)
    }

    /// The players' names; the first one is `player1` of the record.
    #[getter]
    fn players(&self) -> (String, String) {
        let record = self.record();
        let [first, second] = record.gcg.players.each_ref().map(|player| if player.name.is_empty() { &player.nick } else { &player.name });
        (first.clone(), second.clone())
    }

    /// The players' totals at the end, in the order of `players`.
    #[getter]
    fn scores(&self) -> (i32, i32) {
        let record = self.record();
        (record.gcg.total(0), record.gcg.total(1))
    }

    /// The lexicon that the record names, which need not be that of the positions.
    #[getter]
    fn lexicon_name(&self) -> Option<String> {
        self.record().gcg.lexicon().map(str::to_string)
    }

    /// The text of a line `#key`.
    fn pragma(&self, key: &str) -> Option<String> {
        self.record().gcg.pragma(key).map(str::to_string)
    }

    /// Adds a line `#key` at the head, or after the last turn.
    fn add_pragma(&self, key: &str, value: &str) {
        let mut record = self.record();
        record.gcg.push_pragma(key, value);
        record.source = None;
    }

    /// Adds a note to the last turn.
    fn add_note(&self, text: &str) {
        self.add_pragma("note", text);
    }

    /// The repairs of the text: each thing that was wrong or unusual, and how it was read.
    #[getter]
    fn repairs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let record = self.record();
        let rows: PyResult<Vec<_>> = record.notes.iter().map(|note| row(py, "Repair", (note.line, &note.text))).collect();
        PyList::new(py, rows?)
    }

    /// Why the rest of the text was not read, if it was not.
    #[getter]
    fn unread(&self) -> Option<String> {
        self.record().unread.as_ref().map(ToString::to_string)
    }

    /// The turns, in order.
    #[getter]
    fn turns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let record = self.record();
        let turns = &record.replay.turns;
        let mut rows = Vec::new();
        for (number, turn) in turns.iter().enumerate() {
            let event = &record.gcg.events[turn.event];
            let before = &record.replay.positions[turn.event];
            let place = self.place(py, before);
            let play = Py::new(py, Play::scored(turn.turn, &place))?;
            let last = turns.get(number + 1).map_or(record.gcg.events.len(), |next| next.event);
            let of_turn = |pragma: &&gcg::Pragma| {
                pragma.key.eq_ignore_ascii_case("note") && pragma.after_events > turn.event && pragma.after_events <= last
            };
            let notes: Vec<&str> = record.gcg.pragmas.iter().filter(of_turn).map(|pragma| pragma.value.as_str()).collect();
            let rack = Py::new(py, place.rack(event.known_rack()))?;
            // The player's score before the next turn of either player, by when the points of a phony are gone.
            let total =
                record.gcg.events[turn.event..last].iter().rev().find(|other| other.player == event.player).map_or(0, |own| own.total);
            let points = event.points;
            rows.push(row(py, "GameTurn", (number, event.player, rack, play, points, total, turn.challenge_points, notes.join("\n")))?);
        }
        PyList::new(py, rows)
    }

    /// The position before a turn (from 0), or at the end, with the plays up to it.
    #[pyo3(signature = (turn=None))]
    fn position(slf: &Bound<'_, Game>, turn: Option<usize>) -> PyResult<Position> {
        let number = turn.unwrap_or_else(|| slf.get().__len__());
        Game::position_of(slf.py(), &slf.clone().unbind(), number)
    }

    /// The positions before each turn, and the last one.
    fn positions<'py>(slf: &Bound<'py, Game>) -> PyResult<Bound<'py, PyList>> {
        let py = slf.py();
        let game = slf.clone().unbind();
        let positions: PyResult<Vec<_>> = (0..=slf.get().__len__()).map(|number| Game::position_of(py, &game, number)).collect();
        PyList::new(py, positions?)
    }

    /// Adds a turn, with the rack of the player if it is known. If the turn ends the game, the final adjustments are also added.
    #[pyo3(signature = (play, *, rack=None, note=None))]
    fn push(&self, py: Python<'_>, play: PlayArgument<'_>, rack: Option<RackArgument<'_>>, note: Option<&str>) -> PyResult<Play> {
        let mut record = self.record();
        if let Some(error) = &record.unread {
            return Err(InvalidGameError::new_err(format!("turns cannot be added, since a part of the game was not read: {error}")));
        }
        let mut before = record.last().clone();
        if before.end().is_some() {
            return Err(IllegalPlayError::new_err("the game is over"));
        }
        let mut known = Rack::EMPTY;
        if let Some(rack) = rack {
            known = rack.read(&self.rules.get().letters.of_rules(before.rules()))?;
            before.state_rack(&known).map_err(illegal)?;
        }
        let turn = play.read(&before)?;
        let mut gcg = record.gcg.clone();
        gcg.order_by(record.replay.seats);
        gcg.push_turn(&before, &turn, &known).map_err(illegal)?;
        if let Some(text) = note {
            gcg.push_pragma("note", text);
        }
        let mut replay = gcg::replay(&gcg, self.engine.rules(), None).map_err(game_error)?;
        let end = replay.positions.last().filter(|last| last.end().is_some()).cloned();
        if let Some(end) = end.filter(|_| !gcg.has_end()) {
            gcg.push_end(&end);
            replay = gcg::replay(&gcg, self.engine.rules(), None).map_err(game_error)?;
        }
        (record.gcg, record.replay, record.source) = (gcg, replay, None);
        Ok(Play::scored(turn, &self.place(py, &before)))
    }

    /// The number of turns.
    fn __len__(&self) -> usize {
        self.record().replay.turns.len()
    }

    /// Iterates over the turns.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.turns(py)?.try_iter()?.into_any())
    }

    /// A turn, or some of them.
    fn __getitem__<'py>(&self, py: Python<'py>, index: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.turns(py)?.as_any().get_item(index)
    }

    fn __eq__(&self, other: &Game) -> bool {
        std::ptr::eq(self, other) || self.gcg() == other.gcg()
    }

    fn __str__(&self) -> String {
        self.gcg()
    }

    fn __repr__(&self) -> String {
        let ((first, second), (own, other)) = (self.players(), self.scores());
        format!("<Game {first} {own}, {second} {other}, {} turns>", self.__len__())
    }

    fn _repr_svg_<'py>(slf: &Bound<'py, Game>) -> PyResult<Bound<'py, PyAny>> {
        let last = Py::new(slf.py(), Game::position(slf, None)?)?;
        slf.py().import("tilewright.boards")?.getattr("svg")?.call1((last,))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let load = py.import("tilewright._native")?.getattr("load_game")?;
        Ok((load, (PyBytes::new(py, &self.source()), &self.lexicon, &self.rules).into_pyobject(py)?))
    }
}

impl Game {
    /// The text that the game was read from, or the text of the changed game.
    fn source(&self) -> Vec<u8> {
        let source = self.record().source.clone();
        source.unwrap_or_else(|| self.gcg().into_bytes())
    }

    /// Reads the record again with the library.
    pub fn read_again(&self) -> PyResult<ReadGame> {
        gcg::read_file(&self.source(), self.engine.rules()).map_err(game_error)
    }

    /// A game from the text that the library wrote.
    pub fn of_text(py: Python<'_>, text: &str, lexicon: &Py<Lexicon>, rules: &Py<Rules>) -> PyResult<Game> {
        Game::parse(py, GameText::Text(text.to_string()), Some(lexicon.clone_ref(py)), Some(rules.clone_ref(py)))
    }
}

/// Reads the bytes of a file. An error names the file, as errors of Python's `open` do.
fn file_bytes(path: &Path) -> PyResult<Vec<u8>> {
    std::fs::read(path).map_err(|error| match error.raw_os_error() {
        Some(number) => PyOSError::new_err((number, error.kind().to_string(), path.to_path_buf())),
        None => error.into(),
    })
}

/// Makes a game from its pickle.
#[pyfunction]
pub fn load_game(py: Python<'_>, text: Vec<u8>, lexicon: Py<Lexicon>, rules: Py<Rules>) -> PyResult<Game> {
    Game::parse(py, GameText::Bytes(text), Some(lexicon), Some(rules))
}

/// Reads all games of a file.
#[pyfunction]
#[pyo3(signature = (path, *, lexicon=None, rules=None))]
pub fn read_games(py: Python<'_>, path: PathBuf, lexicon: Option<Py<Lexicon>>, rules: Option<Py<Rules>>) -> PyResult<Vec<Game>> {
    let bytes = file_bytes(&path)?;
    let setting = Setting::new(py, lexicon, rules)?;
    let understood = gcg::understand(&bytes, setting.engine.rules());
    if understood.letters.is_some() {
        // The message names the letters.
        return Ok(vec![setting.game(py, Record::of_read(gcg::read_file(&bytes, setting.engine.rules()).map_err(game_error)?, bytes))]);
    }
    let mut games = Vec::new();
    for part in gcg::games_of(&understood.text) {
        let mut read = gcg::read(part.text, setting.engine.rules()).map_err(|error| {
            let line = error.line().map(|line| line + part.line - 1);
            InvalidGameError::new_err((format!("the game that begins on line {}: {error}", part.line), line))
        })?;
        // Counts lines from the beginning of the file, not of the game.
        read.notes.iter_mut().for_each(|note| note.line = note.line.map(|line| line + part.line - 1));
        games.push(setting.game(py, Record::of_read(read, part.text.as_bytes().to_vec())));
    }
    Ok(games)
}
