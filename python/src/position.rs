//! A position with the plays that led to it: the Python class `Position`, which `push` and `pop` change, like a board of python-chess.

use crate::errors::{IllegalPlayError, InvalidPositionError, engine_error, illegal, rules_error};
use crate::game::Game;
use crate::lexicon::Lexicon;
use crate::play::{Place, Play, PlayArgument, Plays};
use crate::rows::row;
use crate::rules::{Rack, RackArgument, Rules, on_board};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::collections::BTreeMap;
use std::sync::Arc;
use tilewright::engine::Engine;
use tilewright::rules::notation::parse_coordinate;
use tilewright::rules::{Board, BySeat, GameEnd, Objective, Position as Now, Rack as TileRack, Seat, Square, Turn};

/// The beginning of a position.
#[derive(Clone)]
enum Beginning {
    /// A CGP, which begins with the player on turn, and the seat of that player.
    Cgp(String, Seat),
    /// A turn of a recorded game, from 0.
    Turn(Arc<Py<Game>>, usize),
}

/// A later change of a position, which another process can repeat.
#[derive(Clone)]
enum Change {
    Pushed(String),
    Rack(Seat, String),
}

/// A turn that led to the position.
#[derive(Clone)]
pub struct Taken {
    pub turn: Turn,
    pub score: Option<i32>,
    pub place: Arc<Place>,
    /// How many changes there were before it.
    changes: usize,
}

/// A position: board, racks, scores, whose turn it is, and the plays that led to it.
#[pyclass(module = "tilewright", weakref)]
pub struct Position {
    pub now: Now,
    pub engine: Engine,
    pub rules: Py<Rules>,
    pub lexicon: Py<Lexicon>,
    pub taken: Vec<Taken>,
    beginning: Beginning,
    changes: Vec<Change>,
}

impl Position {
    /// Wraps a position of the library, with the turns before it. It is pickled by its text.
    pub fn of_now(py: Python<'_>, now: Now, engine: Engine, rules: &Py<Rules>, lexicon: &Py<Lexicon>) -> Position {
        let beginning = Beginning::Cgp(engine.cgp(&now), now.on_turn());
        let (rules, lexicon) = (rules.clone_ref(py), lexicon.clone_ref(py));
        Position { now, engine, rules, lexicon, taken: Vec::new(), beginning, changes: Vec::new() }
    }

    /// A position of a recorded game, after these turns.
    pub fn of_game(py: Python<'_>, game: &Py<Game>, number: usize, now: Now, taken: Vec<Taken>) -> Position {
        let record = game.get();
        Position {
            now,
            engine: record.engine.clone(),
            rules: record.rules.clone_ref(py),
            lexicon: record.lexicon.clone_ref(py),
            taken,
            beginning: Beginning::Turn(Arc::new(game.clone_ref(py)), number),
            changes: Vec::new(),
        }
    }

    /// The place of plays made here.
    pub fn place(&self, py: Python<'_>) -> Arc<Place> {
        Place::new(self.now.clone(), self.rules.clone_ref(py), self.lexicon.clone_ref(py))
    }

    fn rack_of(&self, rack: tilewright::rules::Rack) -> Rack {
        Rack { rack, letters: self.letters() }
    }

    fn letters(&self) -> crate::rules::Letters {
        self.rules.get().letters.of_rules(self.now.rules())
    }

    fn seat(index: usize) -> PyResult<Seat> {
        let unknown = || InvalidPositionError::new_err(format!("seat {index} does not exist: the seats are 0 and 1"));
        Seat::from_index(index).ok_or_else(unknown)
    }
}

impl Taken {
    pub fn new(turn: Turn, score: Option<i32>, place: Arc<Place>) -> Taken {
        Taken { turn, score, place, changes: 0 }
    }

    pub fn play(&self) -> Play {
        Play { turn: self.turn, score: self.score, equity: None, place: Arc::clone(&self.place) }
    }
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (cgp=None, *, lexicon=None, rules=None))]
    fn new(py: Python<'_>, cgp: Option<&str>, lexicon: Option<Py<Lexicon>>, rules: Option<Py<Rules>>) -> PyResult<Position> {
        let lexicon = Lexicon::or_builtin(py, lexicon)?;
        let engine = lexicon.get().engine_for(rules.as_ref().map(Py::get))?;
        let now = cgp.map_or_else(|| Ok(engine.new_game()), |cgp| engine.position(cgp)).map_err(engine_error)?;
        let rules = rules.map_or_else(|| Py::new(py, lexicon.get().usual_rules()), Ok)?;
        let beginning = Beginning::Cgp(engine.cgp(&now), now.on_turn());
        Ok(Position { now, engine, rules, lexicon, taken: Vec::new(), beginning, changes: Vec::new() })
    }

    /// The position as text, from the player on turn.
    fn cgp(&self) -> String {
        self.engine.cgp(&self.now)
    }

    /// Its rules.
    #[getter]
    fn rules(&self) -> Rules {
        self.rules.get().of_position(self.now.rules())
    }

    /// The words that its plays are made of.
    #[getter]
    fn lexicon(&self, py: Python<'_>) -> Py<Lexicon> {
        self.lexicon.clone_ref(py)
    }

    /// The seat on turn, 0 or 1.
    #[getter]
    fn turn(&self) -> usize {
        self.now.on_turn().index()
    }

    /// The known tiles of the player on turn.
    #[getter]
    fn rack(&self) -> Rack {
        self.rack_of(*self.now.mover_rack())
    }

    /// The known tiles of the other player.
    #[getter]
    fn opponent_rack(&self) -> Rack {
        self.rack_of(*self.now.opponent_rack())
    }

    /// The known tiles by seat.
    #[getter]
    fn racks(&self) -> (Rack, Rack) {
        (self.rack_of(*self.now.rack(Seat::First)), self.rack_of(*self.now.rack(Seat::Second)))
    }

    /// Sets the rack of a player, by default the one on turn. No tiles stand for an unknown rack.
    #[pyo3(signature = (tiles, seat=None))]
    fn set_rack(&mut self, tiles: RackArgument<'_>, seat: Option<usize>) -> PyResult<()> {
        let seat = seat.map_or(Ok(self.now.on_turn()), Position::seat)?;
        let rack = tiles.read(&self.letters())?;
        self.now.set_rack(seat, &rack).map_err(wrong)?;
        self.changes.push(Change::Rack(seat, rack.text(&self.now.rules().distribution)));
        Ok(())
    }

    /// Places tiles square by square: from `8D` across, from `D8` down. Blanks are in lowercase; `.` is an empty square.
    fn set_tiles(&mut self, square: &str, tiles: &str) -> PyResult<()> {
        let rules = Arc::clone(self.now.rules());
        let (start, direction) = parse_coordinate(square).ok_or_else(|| rules_error(format!("{square:?} is not a square")))?;
        on_board(start, &rules, square)?;
        let found = rules.distribution.parse_squares(tiles);
        let found = found.map_err(|error| InvalidPositionError::new_err((error.to_string(), 1, error.column)))?;
        let dim = rules.layout.dim();
        self.change(|parts| {
            for (steps, tile) in (0..).zip(found) {
                let off = || wrong(format!("{tiles:?} from {square} does not fit on a board of {dim} by {dim}"));
                parts.board.set(start.step(direction, steps, dim).ok_or_else(off)?, tile);
            }
            parts.last_turns = None;
            Ok(())
        })
    }

    /// Sets the tiles on the board, by square. All other squares become empty.
    fn set_tile_map(&mut self, tiles: BTreeMap<String, String>) -> PyResult<()> {
        let rules = Arc::clone(self.now.rules());
        let mut board = Board::empty(rules.layout.dim());
        for (text, face) in &tiles {
            let square = on_board(text.parse().map_err(rules_error)?, &rules, text)?;
            match rules.distribution.parse_placed(face).as_deref() {
                Ok([tile]) => board.set(square, Some(*tile)),
                _ => return Err(wrong(format!("{face:?} on {text} is not one tile"))),
            }
        }
        self.change(|parts| {
            (parts.board, parts.last_turns) = (board, None);
            Ok(())
        })
    }

    #[setter]
    fn set_turn(&mut self, seat: usize) -> PyResult<()> {
        let seat = Position::seat(seat)?;
        self.change(|parts| {
            (parts.on_turn, parts.last_turns) = (seat, None);
            Ok(())
        })
    }

    #[setter]
    fn set_scores(&mut self, scores: (i32, i32)) -> PyResult<()> {
        self.change(|parts| {
            parts.scores = BySeat(scores.into());
            Ok(())
        })
    }

    #[setter]
    fn set_zero_turns(&mut self, turns: u32) -> PyResult<()> {
        self.change(|parts| {
            (parts.zero_turns, parts.last_turns) = (turns, None);
            Ok(())
        })
    }

    /// The tiles that the player on turn does not see: the bag and the other rack.
    #[getter]
    fn unseen(&self) -> Rack {
        self.rack_of(self.now.unseen())
    }

    /// How many tiles are in the bag.
    #[getter]
    fn in_bag(&self) -> usize {
        self.now.in_bag()
    }

    /// The scores by seat.
    #[getter]
    fn scores(&self) -> (i32, i32) {
        self.now.scores().0.into()
    }

    /// The score of the player on turn minus that of the other player.
    #[getter]
    fn spread(&self) -> i32 {
        self.now.spread()
    }

    /// The number of consecutive turns without points up to now.
    #[getter]
    fn zero_turns(&self) -> u32 {
        self.now.zero_turns()
    }

    /// The tile on a square: a face, in lowercase for a blank.
    fn tile_at(&self, square: &str) -> PyResult<Option<String>> {
        let found: Square = square.parse().map_err(rules_error)?;
        let tile = self.now.board().get(on_board(found, self.now.rules(), square)?);
        Ok(tile.map(|tile| self.face(tile)))
    }

    /// All tiles on the board by square.
    fn tile_map<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tiles = PyDict::new(py);
        for (square, tile) in self.now.board().tiles() {
            tiles.set_item(square.to_string(), self.face(tile))?;
        }
        Ok(tiles)
    }

    /// All plays with valid words, the exchanges and the pass, the best static equity first.
    fn legal_plays(&self, py: Python<'_>) -> PyResult<Plays> {
        self.best_plays(py, usize::MAX)
    }

    /// The best plays by static equity.
    #[pyo3(signature = (count=15))]
    fn best_plays(&self, py: Python<'_>, count: usize) -> PyResult<Plays> {
        let place = self.place(py);
        if count == 0 || self.now.end().is_some() {
            return Ok(Plays { rows: Vec::new(), place });
        }
        let rows = py.detach(|| self.engine.static_ranking(&self.now, count)).map_err(engine_error)?;
        Ok(Plays { rows, place })
    }

    /// Reads a play: `8D.VICAR` across, `D8.VICAR` down, `ex.ABC`, `pass`.
    fn parse_play(&self, py: Python<'_>, text: &str) -> PyResult<Play> {
        let turn = PlayArgument::Text(text.to_string()).read(&self.now)?;
        Ok(Play::scored(turn, &self.place(py)))
    }

    /// Whether a play is possible and its words are valid.
    fn is_legal(&self, play: PlayArgument<'_>) -> PyResult<bool> {
        Ok(self.verdict(&play)?.1.is_none())
    }

    /// Checks a play: its points, its words, and what is wrong with it.
    fn check<'py>(&self, py: Python<'py>, play: PlayArgument<'_>) -> PyResult<Bound<'py, PyAny>> {
        let (checked, reason) = self.verdict(&play)?;
        let mut words = Vec::new();
        for word in checked.iter().flat_map(|checked| &checked.words) {
            words.push(row(py, "Word", (&word.text, word.score, word.is_valid))?);
        }
        let score = checked.as_ref().map(|checked| checked.score);
        row(py, "Check", (reason.is_none(), reason, score, PyTuple::new(py, words)?))
    }

    /// Makes a play, whether or not its words are valid, and returns it.
    fn push(&mut self, py: Python<'_>, play: PlayArgument<'_>) -> PyResult<Play> {
        let turn = play.read(&self.now)?;
        let next = self.now.after(&turn).map_err(illegal)?;
        let play = Play::scored(turn, &self.place(py));
        let changes = self.changes.len();
        self.taken.push(Taken { turn, score: play.score, place: Arc::clone(&play.place), changes });
        self.changes.push(Change::Pushed(play.text()));
        self.now = next;
        Ok(play)
    }

    /// Takes the last play back, and returns it.
    fn pop(&mut self) -> PyResult<Play> {
        let taken = self.taken.pop().ok_or_else(|| IllegalPlayError::new_err("there is no play to take back"))?;
        let play = taken.play();
        self.now = taken.place.before.clone();
        match &self.beginning {
            // If a play of the record is taken back, the position before it is also one of the record.
            Beginning::Turn(game, number) if self.taken.len() < *number => {
                (self.beginning, self.changes) = (Beginning::Turn(Arc::clone(game), self.taken.len()), Vec::new());
            }
            _ => self.changes.truncate(taken.changes),
        }
        Ok(play)
    }

    /// The last play, if there is one.
    #[getter]
    fn last_play(&self) -> Option<Play> {
        self.taken.last().map(Taken::play)
    }

    /// The plays that led to the position.
    #[getter]
    fn plays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.taken.iter().map(Taken::play))
    }

    /// Whether the game has ended.
    fn is_over(&self) -> bool {
        self.now.end().is_some()
    }

    /// How the game ended, and who won; `None` until the game is over.
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(end) = self.now.end() else { return Ok(None) };
        let reason = match end {
            GameEnd::WentOut(_) => "went out",
            GameEnd::ZeroTurns => "turns without points",
            GameEnd::LastTurns => "last turns",
            GameEnd::NoPlays => "no plays",
            _ => "declared",
        };
        let lead = self.now.scores().lead(Seat::First);
        let gain = if self.now.rules().objective() == Objective::FewestPoints { -lead } else { lead };
        let winner = [Some(1), None, Some(0)][(gain.signum() + 1) as usize];
        row(py, "Outcome", (reason, winner, self.scores())).map(Some)
    }

    /// An independent copy.
    fn copy(&self, py: Python<'_>) -> Position {
        let Position { now, engine, rules, lexicon, taken, beginning, changes } = self;
        let (rules, lexicon) = (rules.clone_ref(py), lexicon.clone_ref(py));
        let (now, engine, taken) = (now.clone(), engine.clone(), taken.clone());
        Position { now, engine, rules, lexicon, taken, beginning: beginning.clone(), changes: changes.clone() }
    }

    fn __copy__(&self, py: Python<'_>) -> Position {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> Position {
        self.copy(py)
    }

    fn __eq__(&self, other: PyRef<'_, Position>) -> bool {
        self.now == other.now
    }

    fn __str__<'py>(slf: &Bound<'py, Position>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("tilewright.boards")?.getattr("text")?.call1((slf,))
    }

    fn __repr__(&self) -> String {
        format!("Position('{}')", self.cgp())
    }

    /// The board as a picture, for notebooks.
    fn _repr_svg_<'py>(slf: &Bound<'py, Position>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("tilewright.boards")?.getattr("svg")?.call1((slf,))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let load = py.import("tilewright._native")?.getattr("load_position")?;
        let (cgp, game, number) = match &self.beginning {
            Beginning::Cgp(text, seat) => (Some(text), None, seat.index()),
            Beginning::Turn(game, number) => (None, Some(&**game), *number),
        };
        let change = |change: &Change| match change {
            Change::Pushed(text) => (None, text.clone()),
            Change::Rack(seat, text) => (Some(seat.index()), text.clone()),
        };
        let changes: Vec<_> = self.changes.iter().map(change).collect();
        Ok((load, (cgp, game, number, changes, &self.lexicon, &self.rules).into_pyobject(py)?))
    }
}

/// The parts of a position that are set by hand.
struct Parts {
    board: Board,
    racks: BySeat<TileRack>,
    scores: BySeat<i32>,
    on_turn: Seat,
    zero_turns: u32,
    /// `None` if the number follows from the rest.
    last_turns: Option<u32>,
}

impl Position {
    /// Rebuilds the position with changed parts, and forgets the plays that led to it. After an error the position is unchanged.
    fn change(&mut self, change: impl FnOnce(&mut Parts) -> PyResult<()>) -> PyResult<()> {
        let now = &self.now;
        let mut parts = Parts {
            board: now.board().clone(),
            racks: BySeat(Seat::BOTH.map(|seat| *now.rack(seat))),
            scores: now.scores(),
            on_turn: now.on_turn(),
            zero_turns: now.zero_turns(),
            last_turns: now.last_turns(),
        };
        change(&mut parts)?;
        let Parts { board, racks, scores, on_turn: own, zero_turns, last_turns } = parts;
        let other = own.opponent();
        let builder = Now::builder(Arc::clone(now.rules())).board(board).rack(racks[own]).opponent_rack(racks[other]);
        let mut builder = builder.scores(scores[own], scores[other]).zero_turns(zero_turns).on_turn(own);
        if let Some(turns) = last_turns {
            builder = builder.last_turns(turns);
        }
        self.now = builder.build().map_err(wrong)?;
        self.beginning = Beginning::Cgp(self.engine.cgp(&self.now), own);
        self.taken.clear();
        self.changes.clear();
        Ok(())
    }

    fn beginning_is_text(&self) -> bool {
        matches!(self.beginning, Beginning::Cgp(..))
    }
}

/// Returns the exception for an impossible position.
fn wrong(error: impl std::fmt::Display) -> PyErr {
    InvalidPositionError::new_err(error.to_string())
}

/// The result of checking a play: its words if it is possible, else the reason.
type Verdict = (Option<tilewright::engine::CheckedPlay>, Option<String>);

impl Position {
    fn face(&self, tile: tilewright::rules::Placed) -> String {
        let mut face = String::new();
        self.now.rules().distribution.write_placed(tile, &mut face);
        face
    }

    fn verdict(&self, play: &PlayArgument<'_>) -> PyResult<Verdict> {
        let turn = match play {
            PlayArgument::Play(play) => play.get().turn,
            PlayArgument::Text(text) => match tilewright::rules::notation::parse_move(text, &self.now) {
                Ok(read) => read.turn,
                Err(tilewright::rules::notation::MoveError::Impossible { error, .. }) => return Ok((None, Some(error.to_string()))),
                Err(error) => return Err(crate::errors::move_error(error)),
            },
        };
        if let Err(error) = self.now.after(&turn) {
            return Ok((None, Some(error.to_string())));
        }
        let Turn::Play(play) = turn else { return Ok((None, None)) };
        let checked = self.engine.check_play(&play, &self.now).map_err(engine_error)?;
        let bad: Vec<&str> = checked.words.iter().filter(|word| !word.is_valid).map(|word| word.text.as_str()).collect();
        let name = self.engine.lexicon().name();
        let reason = match bad.as_slice() {
            [] => None,
            [word] => Some(format!("{word} is not in {name}")),
            words => Some(format!("{} are not in {name}", words.join(", "))),
        };
        Ok((Some(checked), reason))
    }
}

/// Makes a position from its pickle.
#[pyfunction]
pub fn load_position(
    py: Python<'_>,
    cgp: Option<&str>,
    game: Option<Py<Game>>,
    number: usize,
    changes: Vec<(Option<usize>, String)>,
    lexicon: Py<Lexicon>,
    rules: Py<Rules>,
) -> PyResult<Position> {
    let mut position = match game {
        Some(game) => Game::position_of(py, &game, number)?,
        None => Position::new(py, cgp, Some(lexicon), Some(rules))?,
    };
    if position.now.on_turn().index() != number && position.beginning_is_text() {
        let seat = Position::seat(number)?;
        position.change(|parts| {
            parts.racks.0.reverse();
            parts.scores.0.reverse();
            parts.on_turn = seat;
            Ok(())
        })?;
    }
    for (seat, text) in changes {
        match seat {
            Some(_) => position.set_rack(RackArgument::Text(text), seat)?,
            None => drop(position.push(py, PlayArgument::Text(text))?),
        }
    }
    Ok(position)
}
