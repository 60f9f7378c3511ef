//! A play: the action on a turn, with the board that it is made on, so that it can be written as text.

use crate::errors::{engine_error, move_error};
use crate::lexicon::Lexicon;
use crate::rules::{Letters, Rack, Rules};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PySlice, PyString, PyTuple};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use tilewright::formats::cgp::{Opcodes, print};
use tilewright::rules::notation::{coordinate_text, parse_move, play_text};
use tilewright::rules::scoring::score_placement;
use tilewright::rules::units::Millipoints;
use tilewright::rules::{Direction, Placed, Placement, Play as Deed, Position as Before, Rack as TileRack, Turn};
use tilewright::search::EvaluatedPlay;

/// The place of plays: a position, with the rules and the lexicon that it was made with, by which Python finds it again.
pub struct Place {
    pub before: Before,
    pub rules: Py<Rules>,
    pub lexicon: Py<Lexicon>,
    /// The position as text, made on demand: all plays of a pickle share it.
    cgp: PyOnceLock<Py<PyString>>,
}

impl Place {
    pub fn new(before: Before, rules: Py<Rules>, lexicon: Py<Lexicon>) -> Arc<Place> {
        Arc::new(Place { before, rules, lexicon, cgp: PyOnceLock::new() })
    }

    fn cgp(&self, py: Python<'_>) -> &Py<PyString> {
        let text = || print(&self.before, &Opcodes::of_rules(self.before.rules()));
        self.cgp.get_or_init(py, || PyString::new(py, &text()).unbind())
    }

    /// The letters of the position.
    pub fn letters(&self) -> Letters {
        self.rules.get().letters.of_rules(self.before.rules())
    }

    /// Tiles of the position.
    pub fn rack(&self, rack: TileRack) -> Rack {
        Rack { rack, letters: self.letters() }
    }
}

/// A play in a position. Plays are equal if they do the same, whatever they score.
#[pyclass(frozen, module = "tilewright")]
pub struct Play {
    pub turn: Turn,
    pub score: Option<i32>,
    pub equity: Option<Millipoints>,
    pub place: Arc<Place>,
}

impl Play {
    /// A play that the library has valued.
    pub fn valued(row: &EvaluatedPlay, place: &Arc<Place>) -> Play {
        Play { turn: Turn::Play(row.play), score: Some(row.score), equity: Some(row.equity), place: Arc::clone(place) }
    }

    /// A turn with the points that it brings by the rules.
    pub fn scored(turn: Turn, place: &Arc<Place>) -> Play {
        let before = &place.before;
        let score = match &turn {
            Turn::Play(Deed::Place(placement)) => {
                score_placement(before.rules(), before.board(), placement).ok().map(|scored| scored.score)
            }
            _ => Some(0),
        };
        Play { turn, score, equity: None, place: Arc::clone(place) }
    }

    /// Returns the play as text, by its place.
    pub fn text(&self) -> String {
        let before = &self.place.before;
        let text = |play| play_text(&play, before.board(), &before.rules().distribution);
        match self.turn {
            Turn::Play(play) => text(play),
            Turn::ExchangeUnknown(count) => format!("ex.{count}"),
            Turn::Phony(placement) => format!("phony.{}", text(Deed::Place(placement))),
        }
    }

    /// Returns the placed tiles, if there are any.
    pub fn placement(&self) -> Option<&Placement> {
        match &self.turn {
            Turn::Play(play) => play.placement(),
            Turn::Phony(placement) => Some(placement),
            Turn::ExchangeUnknown(_) => None,
        }
    }

    fn tiles_used(&self) -> TileRack {
        match &self.turn {
            Turn::Play(play) => play.rack_tiles(),
            Turn::Phony(placement) => placement.rack_tiles(),
            Turn::ExchangeUnknown(_) => TileRack::EMPTY,
        }
    }

    fn face(&self, tile: Placed) -> String {
        let mut face = String::new();
        self.place.before.rules().distribution.write_placed(tile, &mut face);
        face
    }
}

#[pymethods]
impl Play {
    /// Points, without the adjustments at the end of the game.
    #[getter]
    fn score(&self) -> Option<i32> {
        self.score
    }

    /// Static equity: points, the value of the tiles kept, and more. `None` for a play that was not ranked.
    #[getter]
    fn equity(&self) -> Option<f64> {
        self.equity.map(Millipoints::points)
    }

    /// `place`, `exchange`, `pass`, `exchange-unknown` (an exchange of unknown tiles) or `phony` (a play that was challenged off).
    #[getter]
    fn kind(&self) -> &'static str {
        match self.turn {
            Turn::Play(Deed::Place(_)) => "place",
            Turn::Play(Deed::Exchange(_)) => "exchange",
            Turn::Play(Deed::Pass) => "pass",
            Turn::ExchangeUnknown(_) => "exchange-unknown",
            Turn::Phony(_) => "phony",
        }
    }

    /// The main word with the tiles already on the board, blanks in lowercase; empty for an exchange or a pass.
    #[getter]
    fn word(&self) -> String {
        let before = &self.place.before;
        let mut word = String::new();
        for cell in self.placement().into_iter().flat_map(|placement| placement.cells(before.board())) {
            before.rules().distribution.write_placed(cell, &mut word);
        }
        word
    }

    /// The tiles from the rack that it uses.
    #[getter]
    fn tiles(&self) -> Rack {
        self.place.rack(self.tiles_used())
    }

    /// The tiles of the rack that it keeps, as far as the rack is known.
    #[getter]
    fn leave(&self) -> Rack {
        let rack = self.place.before.mover_rack();
        self.place.rack(if let Turn::Phony(_) = self.turn { *rack } else { rack.without(&self.tiles_used()) })
    }

    /// The square of the first letter: `8D` across, `D8` down; `None` for an exchange or a pass.
    #[getter]
    fn square(&self) -> Option<String> {
        self.placement().map(|placement| coordinate_text(placement.start, placement.direction))
    }

    /// Whether the word is read from left to right.
    #[getter]
    fn is_across(&self) -> bool {
        self.placement().is_some_and(|placement| placement.direction == Direction::Across)
    }

    /// Whether it places a whole rack.
    #[getter]
    fn is_bingo(&self) -> bool {
        self.placement().is_some_and(|placement| placement.tile_count() == self.place.before.rules().rack_size)
    }

    /// The placed tiles, by square.
    #[getter]
    fn placed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let squares = PyDict::new(py);
        for (square, tile) in self.placement().into_iter().flat_map(Placement::placed) {
            squares.set_item(square.to_string(), self.face(tile))?;
        }
        Ok(squares)
    }

    fn __eq__(&self, other: &Play) -> bool {
        self.turn == other.turn
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        match &self.turn {
            Turn::Play(play) => play.hash(&mut hasher),
            Turn::ExchangeUnknown(count) => count.hash(&mut hasher),
            Turn::Phony(placement) => placement.hash(&mut hasher),
        }
        hasher.finish()
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        let score = self.score.map_or_else(String::new, |score| format!(" for {score}"));
        format!("<Play {}{score}>", self.text())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Play>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, this) = (slf.py(), slf.get());
        let place = &this.place;
        let load = py.import("tilewright._native")?.getattr("load_play")?;
        let (cgp, equity) = (place.cgp(py), this.equity.map(|equity| equity.0));
        Ok((load, (cgp, this.text(), this.score, equity, &place.lexicon, &place.rules).into_pyobject(py)?))
    }
}

/// Plays of a position, as a sequence. Python's objects are made on demand: a position has thousands of plays, and making all of them would take
/// as long as finding them.
#[pyclass(frozen, sequence, module = "tilewright")]
pub struct Plays {
    pub rows: Vec<EvaluatedPlay>,
    pub place: Arc<Place>,
}

/// An index or a slice in square brackets.
#[derive(FromPyObject)]
enum Index<'py> {
    One(isize),
    Slice(Bound<'py, PySlice>),
}

impl Plays {
    fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.rows.iter().map(|row| Play::valued(row, &self.place)))
    }

    fn place_of(&self, play: &Play) -> Option<usize> {
        self.rows.iter().position(|row| Turn::Play(row.play) == play.turn)
    }
}

#[pymethods]
impl Plays {
    fn __len__(&self) -> usize {
        self.rows.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: Index<'py>) -> PyResult<Bound<'py, PyAny>> {
        let one = match index {
            Index::Slice(slice) => return self.list(py)?.as_any().get_item(slice),
            Index::One(one) if one < 0 => self.rows.len().checked_add_signed(one),
            Index::One(one) => usize::try_from(one).ok(),
        };
        let row = one.and_then(|one| self.rows.get(one)).ok_or_else(|| PyIndexError::new_err("the index is beyond the last play"))?;
        Ok(Bound::new(py, Play::valued(row, &self.place))?.into_any())
    }

    fn __contains__(&self, play: &Play) -> bool {
        self.place_of(play).is_some()
    }

    fn __iter__(slf: Py<Plays>) -> PlaysIterator {
        PlaysIterator { plays: slf, next: 0 }
    }

    fn __reversed__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let plays = self.list(py)?;
        plays.reverse()?;
        Ok(plays.try_iter()?.into_any())
    }

    /// The index of a play.
    fn index(&self, play: &Play) -> PyResult<usize> {
        self.place_of(play).ok_or_else(|| PyValueError::new_err(format!("{} is not among the plays", play.text())))
    }

    /// How often a play occurs.
    fn count(&self, play: &Play) -> usize {
        usize::from(self.place_of(play).is_some())
    }

    fn __eq__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<bool> {
        match other.cast::<Plays>() {
            Ok(other) => Ok(self.rows.iter().map(|row| row.play).eq(other.get().rows.iter().map(|row| row.play))),
            Err(_) => self.list(py)?.eq(other),
        }
    }

    fn __repr__(&self) -> String {
        let best = self.rows.first().map(|row| format!(", the best {}", Play::valued(row, &self.place).text()));
        format!("<{} plays{}>", self.rows.len(), best.unwrap_or_default())
    }

    /// Pickles the position, so that another process finds the plays again.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let Place { lexicon, rules, .. } = &*self.place;
        let load = py.import("tilewright._native")?.getattr("load_plays")?;
        Ok((load, (self.place.cgp(py), self.rows.len(), lexicon, rules).into_pyobject(py)?))
    }
}

/// An iterator over plays, which makes one at a time.
#[pyclass(module = "tilewright._native")]
pub struct PlaysIterator {
    plays: Py<Plays>,
    next: usize,
}

#[pymethods]
impl PlaysIterator {
    fn __iter__(slf: Py<PlaysIterator>) -> Py<PlaysIterator> {
        slf
    }

    fn __next__(&mut self) -> Option<Play> {
        let plays = self.plays.get();
        let row = plays.rows.get(self.next)?;
        self.next += 1;
        Some(Play::valued(row, &plays.place))
    }
}

/// Makes plays from their pickle.
#[pyfunction]
pub fn load_plays(py: Python<'_>, cgp: &str, count: usize, lexicon: Py<Lexicon>, rules: Py<Rules>) -> PyResult<Plays> {
    let engine = lexicon.get().engine_for(Some(rules.get()))?;
    let before = engine.position(cgp).map_err(engine_error)?;
    let rows = if count == 0 { Vec::new() } else { py.detach(|| engine.static_ranking(&before, count)).map_err(engine_error)? };
    Ok(Plays { rows, place: Place::new(before, rules, lexicon) })
}

/// Makes a play from its pickle.
#[pyfunction]
pub fn load_play(cgp: &str, text: &str, score: Option<i32>, equity: Option<i32>, lexicon: Py<Lexicon>, rules: Py<Rules>) -> PyResult<Play> {
    let before = lexicon.get().engine_for(Some(rules.get()))?.position(cgp).map_err(engine_error)?;
    let turn = parse_move(text, &before).map_err(move_error)?.turn;
    Ok(Play { turn, score, equity: equity.map(Millipoints), place: Place::new(before, rules, lexicon) })
}

/// A play as an argument from Python: a play, or its text.
#[derive(FromPyObject)]
pub enum PlayArgument<'py> {
    Play(Bound<'py, Play>),
    Text(String),
}

impl PlayArgument<'_> {
    /// Returns the turn in a position. A play of another position may be against the rules of this one.
    pub fn read(&self, before: &Before) -> PyResult<Turn> {
        match self {
            PlayArgument::Play(play) => Ok(play.get().turn),
            PlayArgument::Text(text) => Ok(parse_move(text, before).map_err(move_error)?.turn),
        }
    }
}
