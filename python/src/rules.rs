//! Rules of games, racks, and the names of what is built in.

use crate::errors::{IllegalPlayError, InvalidPlayError, rules_error};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};
use std::path::Path;
use std::sync::Arc;
use tilewright::formats::cgp::{challenge_rule_text, parse_challenge_rule};
use tilewright::formats::layout::{self, CROSSPLAY_NAMES, STANDARD_NAMES, SUPER_NAMES};
use tilewright::formats::letter_distribution;
use tilewright::rules::{GameRules, Layout, LetterDistribution, Rack as TileRack, Square, Tile, Variant, rack::RackTextError};

/// The variants.
const VARIANTS: [Variant; 4] = [Variant::Classic, Variant::Wordsmog, Variant::Misere, Variant::Crossplay];

/// The challenge rules.
const CHALLENGES: [&str; 6] = ["void", "single", "double", "triple", "5pt", "10pt"];

/// Adds `VARIANTS`, `LETTERS`, `LAYOUTS` and `CHALLENGES` to the module.
pub fn add_names(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let layouts = [STANDARD_NAMES[0], SUPER_NAMES[0], CROSSPLAY_NAMES[0]];
    module.add("VARIANTS", PyTuple::new(py, VARIANTS.map(Variant::name))?)?;
    module.add("LETTERS", PyTuple::new(py, letter_distribution::built_in_names().collect::<Vec<_>>())?)?;
    module.add("LAYOUTS", PyTuple::new(py, layouts)?)?;
    module.add("CHALLENGES", PyTuple::new(py, CHALLENGES)?)
}

/// An alphabet, and the name or file by which Python finds it again.
#[derive(Clone)]
pub struct Letters {
    pub distribution: Arc<LetterDistribution>,
    pub source: Arc<str>,
}

impl Letters {
    /// Finds the letters of this name, or of this file.
    pub fn find(source: &str) -> PyResult<Letters> {
        let distribution = match LetterDistribution::built_in(source) {
            Some(built_in) => built_in,
            None => {
                let names: Vec<&str> = letter_distribution::built_in_names().collect();
                let (name, text) = file(source, "letters", &names)?;
                letter_distribution::parse(&name, &text).map_err(|error| rules_error(format!("{source}: {error}")))?
            }
        };
        Ok(Letters { distribution: Arc::new(distribution), source: source.into() })
    }

    /// The letters of a position, whose rules were made from these.
    pub fn of_rules(&self, rules: &GameRules) -> Letters {
        Letters { distribution: Arc::clone(&rules.distribution), source: Arc::clone(&self.source) }
    }

    /// Reads tiles: `AEINST?`.
    pub fn rack(&self, text: &str) -> PyResult<TileRack> {
        TileRack::parse(text, &self.distribution).map_err(|error| match error {
            RackTextError::Tile(tile) => InvalidPlayError::new_err((tile.to_string(), 1, tile.column)),
            other => InvalidPlayError::new_err(other.to_string()),
        })
    }
}

fn board(source: &str) -> PyResult<Layout> {
    if let Some(built_in) = Layout::built_in(source) {
        return Ok(built_in);
    }
    let (name, text) = file(source, "board", &[STANDARD_NAMES[0], SUPER_NAMES[0], CROSSPLAY_NAMES[0]])?;
    layout::parse(&name, &text).map_err(|error| rules_error(format!("{source}: {error}")))
}

/// Returns the stem and the text of a user's file.
fn file(source: &str, what: &str, built_in: &[&str]) -> PyResult<(String, String)> {
    let path = Path::new(source);
    let text = std::fs::read_to_string(path)
        .map_err(|error| rules_error(format!("there is no {what} {source:?}: {error}; built in: {}", built_in.join(", "))))?;
    Ok((path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), text))
}

/// Everything that is fixed before the first turn: variant, letters, board, numbers. Anything left out is as usual in the variant.
#[pyclass(frozen, module = "tilewright", weakref)]
pub struct Rules {
    pub rules: Arc<GameRules>,
    pub letters: Letters,
    layout: String,
}

impl Rules {
    /// The rules of a position, from those that it was made with.
    pub fn of_position(&self, rules: &Arc<GameRules>) -> Rules {
        Rules { rules: Arc::clone(rules), letters: self.letters.of_rules(rules), layout: self.layout.clone() }
    }

    /// The usual rules with these letters.
    pub fn usual(letters: Letters) -> PyResult<Rules> {
        let layout = Variant::Classic.layout();
        let rules = GameRules::builder(Arc::clone(&letters.distribution), board(layout)?).build().map_err(rules_error)?;
        Ok(Rules { rules: Arc::new(rules), letters, layout: layout.to_string() })
    }
}

#[pymethods]
impl Rules {
    #[new]
    #[pyo3(signature = (variant="classic", *, letters=None, layout=None, bingo_bonus=None, rack_size=None, exchange_limit=None, max_zero_turns=None, challenge="void"))]
    #[expect(clippy::too_many_arguments, reason = "Python's keywords")]
    fn new(
        variant: &str,
        letters: Option<&str>,
        layout: Option<&str>,
        bingo_bonus: Option<i32>,
        rack_size: Option<usize>,
        exchange_limit: Option<usize>,
        max_zero_turns: Option<u32>,
        challenge: &str,
    ) -> PyResult<Rules> {
        let names = VARIANTS.map(Variant::name).join(", ");
        let unknown = || rules_error(format!("there is no variant {variant:?}, expected one of {names}"));
        let variant = Variant::from_name(variant).ok_or_else(unknown)?;
        let letters = Letters::find(letters.unwrap_or(variant.letters()))?;
        let layout = layout.unwrap_or(variant.layout());
        let mut builder = GameRules::builder(Arc::clone(&letters.distribution), board(layout)?).variant(variant);
        if let Some(points) = bingo_bonus {
            builder = builder.bingo_bonus(points);
        }
        if let Some(tiles) = rack_size {
            builder = builder.rack_size(tiles);
        }
        if let Some(tiles) = exchange_limit {
            builder = builder.exchange_limit(tiles);
        }
        if let Some(turns) = max_zero_turns {
            builder = builder.max_zero_turns(turns);
        }
        let unknown = || rules_error(format!("there is no challenge rule {challenge:?}, expected one of {}", CHALLENGES.join(", ")));
        builder = builder.challenge_rule(parse_challenge_rule(challenge).ok_or_else(unknown)?);
        Ok(Rules { rules: Arc::new(builder.build().map_err(rules_error)?), letters, layout: layout.to_string() })
    }

    #[getter]
    fn variant(&self) -> &'static str {
        self.rules.variant.name()
    }

    #[getter]
    fn letters(&self) -> &str {
        self.rules.distribution.name()
    }

    #[getter]
    fn layout(&self) -> &str {
        self.rules.layout.name()
    }

    #[getter]
    fn size(&self) -> usize {
        self.rules.layout.dim()
    }

    #[getter]
    fn bingo_bonus(&self) -> i32 {
        self.rules.bingo_bonus
    }

    #[getter]
    fn rack_size(&self) -> usize {
        self.rules.rack_size
    }

    #[getter]
    fn exchange_limit(&self) -> usize {
        self.rules.exchange_limit
    }

    #[getter]
    fn max_zero_turns(&self) -> u32 {
        self.rules.max_zero_turns
    }

    #[getter]
    fn challenge(&self) -> &'static str {
        challenge_rule_text(self.rules.challenge_rule)
    }

    /// How many tiles of each face there are; `?` is the blank.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.by_face(py, |distribution, tile| i32::from(distribution.count(tile)))
    }

    /// The points of each face.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.by_face(py, LetterDistribution::value)
    }

    /// The factors of a square, for a letter and for a word.
    fn premium(&self, square: &str) -> PyResult<(i32, i32)> {
        let found: Square = square.parse().map_err(rules_error)?;
        let premium = self.rules.layout.premium(on_board(found, &self.rules, square)?);
        Ok((premium.letter_factor(), premium.word_factor()))
    }

    /// The square that the first play must cover.
    #[getter]
    fn start(&self) -> String {
        self.rules.layout.start().to_string()
    }

    fn __eq__(&self, other: &Rules) -> bool {
        self.rules == other.rules
    }

    fn __hash__(&self) -> isize {
        (self.rules.bingo_bonus as isize) << 8 | self.rules.layout.dim() as isize
    }

    fn __repr__(&self) -> String {
        let rules = &self.rules;
        format!("<Rules {}, {} letters, board {}>", rules.variant.name(), rules.distribution.name(), rules.layout.name())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Rules>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, this) = (slf.py(), slf.get());
        let rules = &this.rules;
        let keywords = PyDict::new(py);
        keywords.set_item("letters", &*this.letters.source)?;
        keywords.set_item("layout", &this.layout)?;
        keywords.set_item("bingo_bonus", rules.bingo_bonus)?;
        keywords.set_item("rack_size", rules.rack_size)?;
        keywords.set_item("exchange_limit", rules.exchange_limit)?;
        keywords.set_item("max_zero_turns", rules.max_zero_turns)?;
        keywords.set_item("challenge", challenge_rule_text(rules.challenge_rule))?;
        let class: Bound<'py, PyType> = slf.get_type();
        let made = (class, rules.variant.name()).into_pyobject(py)?;
        let partial = py.import("functools")?.getattr("partial")?.call(made, Some(&keywords))?;
        Ok((partial, PyTuple::empty(py)))
    }
}

impl Rules {
    fn by_face<'py>(&self, py: Python<'py>, of: impl Fn(&LetterDistribution, Tile) -> i32) -> PyResult<Bound<'py, PyDict>> {
        let distribution = &self.rules.distribution;
        let faces = PyDict::new(py);
        for tile in distribution.tiles() {
            faces.set_item(distribution.tiles_text([tile]), of(distribution, tile))?;
        }
        Ok(faces)
    }
}

/// Returns a square, if the board has it.
pub fn on_board(square: Square, rules: &GameRules, text: &str) -> PyResult<Square> {
    let dim = rules.layout.dim();
    let is_there = usize::from(square.row) < dim && usize::from(square.col) < dim;
    if is_there { Ok(square) } else { Err(rules_error(format!("{text:?} is not a square of a board of {dim} by {dim}"))) }
}

/// Tiles, `AEINST?`: a rack, a leave, the unseen tiles. An immutable multiset.
#[pyclass(frozen, module = "tilewright", weakref)]
pub struct Rack {
    pub rack: TileRack,
    pub letters: Letters,
}

#[pymethods]
impl Rack {
    #[new]
    #[pyo3(signature = (tiles="", *, letters="english"))]
    fn new(tiles: &str, letters: &str) -> PyResult<Rack> {
        let letters = Letters::find(letters)?;
        Ok(Rack { rack: letters.rack(tiles)?, letters })
    }

    /// The sum of the tiles' points.
    #[getter]
    fn value(&self) -> i32 {
        self.rack.value(&self.letters.distribution)
    }

    /// How many of a tile there are.
    fn count(&self, tile: &str) -> PyResult<usize> {
        let sought = self.letters.rack(tile)?;
        let one = sought.distinct().next().filter(|_| sought.len() == 1);
        one.map(|(tile, _)| self.rack.count(tile).into()).ok_or_else(|| InvalidPlayError::new_err(format!("{tile:?} is not one tile")))
    }

    fn __len__(&self) -> usize {
        self.rack.len()
    }

    /// Whether the rack has all of these tiles.
    fn __contains__(&self, tiles: RackArgument<'_>) -> PyResult<bool> {
        Ok(self.rack.contains(&tiles.read(&self.letters)?))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let faces: Vec<String> = self.rack.tiles().map(|tile| self.letters.distribution.tiles_text([tile])).collect();
        Ok(faces.into_pyobject(py)?.try_iter()?.into_any())
    }

    fn __add__(&self, tiles: RackArgument<'_>) -> PyResult<Rack> {
        let added = tiles.read(&self.letters)?;
        if self.rack.len() + added.len() > usize::from(u8::MAX) {
            return Err(InvalidPlayError::new_err("a rack has at most 255 tiles"));
        }
        Ok(self.of(self.rack.plus(&added)))
    }

    fn __sub__(&self, tiles: RackArgument<'_>) -> PyResult<Rack> {
        let distribution = &self.letters.distribution;
        let missing = |tile| IllegalPlayError::new_err(format!("there is no {} to remove", distribution.tiles_text([tile])));
        Ok(self.of(self.rack.minus(&tiles.read(&self.letters)?).map_err(missing)?))
    }

    fn __eq__(&self, other: RackArgument<'_>) -> bool {
        other.read(&self.letters).is_ok_and(|other| other == self.rack)
    }

    /// The hash of its text, since a rack equals its text.
    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.__str__().into_pyobject(py)?.hash()
    }

    fn __str__(&self) -> String {
        self.rack.text(&self.letters.distribution)
    }

    fn __repr__(&self) -> String {
        let letters = if &*self.letters.source == "english" { String::new() } else { format!(", letters='{}'", self.letters.source) };
        format!("Rack('{}'{letters})", self.__str__())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Rack>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, this) = (slf.py(), slf.get());
        let keywords = PyDict::new(py);
        keywords.set_item("letters", &*this.letters.source)?;
        let made = (slf.get_type(), this.__str__()).into_pyobject(py)?;
        Ok((py.import("functools")?.getattr("partial")?.call(made, Some(&keywords))?, PyTuple::empty(py)))
    }
}

impl Rack {
    fn of(&self, rack: TileRack) -> Rack {
        Rack { rack, letters: self.letters.clone() }
    }
}

/// Tiles as an argument from Python: a rack or a text.
#[derive(FromPyObject)]
pub enum RackArgument<'py> {
    Rack(Bound<'py, Rack>),
    Text(String),
}

impl RackArgument<'_> {
    /// Reads the tiles with these letters.
    pub fn read(&self, letters: &Letters) -> PyResult<TileRack> {
        match self {
            RackArgument::Rack(rack) => Ok(rack.get().rack),
            RackArgument::Text(text) => letters.rack(text),
        }
    }
}
