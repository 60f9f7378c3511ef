//! Words with their leave values: the Python class `Lexicon`, an engine of the library without searches.

use crate::errors::{LexiconError, lexicon_error, search_error};
use crate::rows::row;
use crate::rules::{Letters, RackArgument, Rules};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tilewright::engine::{ByteSource, Engine, EngineBuilder};
use tilewright::lexicon::{AnagramUse, BUILTIN_NAME, Pattern, WordsFound};
use tilewright::players::PlayerSpec;
use tilewright::rules::distribution::TileTextError;
use tilewright::rules::{GameRules, Letter};

/// The origin of a lexicon, from which another process can make it again.
#[derive(Clone)]
struct LexiconSource {
    source: String,
    words: Option<Arc<str>>,
    leaves: String,
    win_table: String,
}

/// The tables in the folder of a list, and those that a player names by a path.
struct Folder<'a>(Option<&'a Path>);

impl ByteSource for Folder<'_> {
    fn find(&self, name: &str, extensions: &[&str]) -> Option<String> {
        let paths = extensions.iter().filter_map(|extension| Some(self.0?.join(format!("{name}.{extension}"))));
        paths.filter(|path| path.is_file()).map(|path| path.to_string_lossy().into_owned()).next()
    }

    fn read(&self, place: &str, most_bytes: u64) -> io::Result<Vec<u8>> {
        let bytes = std::fs::metadata(place)?.len();
        if bytes > most_bytes { Err(io::Error::other(format!("it has {bytes} bytes"))) } else { std::fs::read(place) }
    }

    fn places(&self) -> Vec<String> {
        self.0.iter().map(|folder| folder.display().to_string()).collect()
    }
}

/// Words, their letters, and the leave values that belong to them.
#[pyclass(frozen, module = "tilewright", weakref)]
pub struct Lexicon {
    pub engine: Engine,
    pub letters: Letters,
    source: LexiconSource,
}

impl Lexicon {
    /// ENABLE, which is loaded once.
    pub fn builtin(py: Python<'_>) -> PyResult<Py<Lexicon>> {
        static BUILTIN: PyOnceLock<Py<Lexicon>> = PyOnceLock::new();
        let make = || Py::new(py, Lexicon::new(py, None, "english", "auto", "auto")?);
        Ok(BUILTIN.get_or_try_init(py, make)?.clone_ref(py))
    }

    /// The lexicon that was given, or the built-in one.
    pub fn or_builtin(py: Python<'_>, given: Option<Py<Lexicon>>) -> PyResult<Py<Lexicon>> {
        given.map_or_else(|| Lexicon::builtin(py), Ok)
    }

    /// The engine for games by these rules, or by the usual rules with the lexicon's letters.
    pub fn engine_for(&self, rules: Option<&Rules>) -> PyResult<Engine> {
        let Some(rules) = rules else { return Ok(self.engine.clone()) };
        self.engine.with_rules(GameRules::clone(&rules.rules)).map_err(lexicon_error)
    }

    /// The rules that a position has if none are given.
    pub fn usual_rules(&self) -> Rules {
        let usual = Rules::usual(self.letters.clone()).expect("the lexicon was made with them");
        usual.of_position(self.engine.rules())
    }

    /// A lexicon of the words that `begin` names. Indexing a list takes a second, during which other threads of Python go on.
    fn build(py: Python<'_>, letters: Letters, source: LexiconSource, begin: impl FnOnce() -> EngineBuilder + Send) -> PyResult<Lexicon> {
        let rules = GameRules::clone(&Rules::usual(letters.clone())?.rules);
        let (leaves, win_table) = (source.leaves.as_str(), source.win_table.as_str());
        let engine = py.detach(|| begin().rules(rules).leaves(leaves).win_table(win_table).build());
        Ok(Lexicon { engine: engine.map_err(lexicon_error)?, letters, source })
    }

    /// An engine of this lexicon with the tables that a player's text names; the others are those of the lexicon.
    pub fn engine_of(&self, engine: &Engine, spec: &PlayerSpec) -> PyResult<Engine> {
        let mut tables = spec.tables();
        let own = &self.source;
        for (named, usual) in [(&mut tables.leaves, &own.leaves), (&mut tables.win_table, &own.win_table)] {
            if named == "auto" {
                named.clone_from(usual);
            }
        }
        let folder = own.words.is_none().then(|| Path::new(&own.source).parent()).flatten();
        engine.with_tables(tables, &Folder(folder)).map_err(search_error)
    }

    fn told<'py>(&self, py: Python<'py>, found: &WordsFound) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, found.words.iter().map(|word| self.letters.distribution.word_text(word)))
    }

    fn word(&self, text: &str) -> PyResult<Vec<Letter>> {
        self.letters.distribution.parse_word(text).map_err(|error| tile_error(&error))
    }
}

fn tile_error(error: &TileTextError) -> PyErr {
    LexiconError::new_err((error.to_string(), 1, error.column))
}

#[pymethods]
impl Lexicon {
    #[new]
    #[pyo3(signature = (source=None, *, letters="english", leaves="auto", win_table="auto"))]
    fn new(py: Python<'_>, source: Option<PathBuf>, letters: &str, leaves: &str, win_table: &str) -> PyResult<Lexicon> {
        let letters = Letters::find(letters)?;
        let path = source.unwrap_or_else(|| PathBuf::from(BUILTIN_NAME));
        let source = path.to_string_lossy().into_owned();
        let own = LexiconSource { source, words: None, leaves: leaves.to_string(), win_table: win_table.to_string() };
        let folder: PathBuf = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
        let name = match path.extension() {
            Some(_) => path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            None => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        };
        if path.extension().is_some() && !path.exists() {
            return Err(LexiconError::new_err(format!("there is no file {}", path.display())));
        }
        // Takes the named file, not another one of the same stem.
        let extension = path.extension().map(|extension| extension.to_string_lossy().into_owned());
        let is_words = |file: &str| [".kwg", ".txt"].iter().any(|end| file.ends_with(end));
        let stem = name.clone();
        let read = move |file: &str| {
            let is_other =
                extension.as_ref().is_some_and(|own| is_words(file) && file.starts_with(&stem) && !file.ends_with(&format!(".{own}")));
            if is_other { Err(io::ErrorKind::NotFound.into()) } else { std::fs::read(folder.join(file)) }
        };
        Lexicon::build(py, letters, own, || Engine::builder().files(read).lexicon(&name))
    }

    /// A lexicon of these words.
    #[staticmethod]
    #[pyo3(signature = (words, *, name="words", letters="english", leaves="auto", win_table="auto"))]
    fn from_words(py: Python<'_>, words: &Bound<'_, PyAny>, name: &str, letters: &str, leaves: &str, win_table: &str) -> PyResult<Lexicon> {
        let mut text = String::new();
        for word in words.try_iter()? {
            text.push_str(&word?.extract::<String>()?);
            text.push('\n');
        }
        Lexicon::from_text(py, &text, name, letters, leaves, win_table)
    }

    #[getter]
    fn name(&self) -> &str {
        self.engine.lexicon().name()
    }

    #[getter]
    fn letters(&self) -> &str {
        self.letters.distribution.name()
    }

    /// The usual rules with its letters.
    #[getter]
    fn rules(&self) -> Rules {
        self.usual_rules()
    }

    fn __len__(&self) -> usize {
        self.engine.lexicon().list().len()
    }

    /// Whether a text is a word. A text that cannot be written with the letters is not.
    fn __contains__(&self, word: &str) -> bool {
        self.engine.is_word(word).unwrap_or(false)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let words = self.engine.lexicon().list().words();
        let letters = |word: &Vec<u8>| word.iter().filter_map(|&number| Letter::new(number)).collect::<Vec<_>>();
        let texts = PyList::new(py, words.iter().map(|word| self.letters.distribution.word_text(&letters(word))))?;
        Ok(texts.try_iter()?.into_any())
    }

    /// The words that match a pattern: `?` or `.` stands for any letter, `*` for any number of letters.
    #[pyo3(signature = (pattern, limit=None))]
    fn matching<'py>(&self, py: Python<'py>, pattern: &str, limit: Option<usize>) -> PyResult<Bound<'py, PyList>> {
        let pattern = Pattern::parse(pattern, &self.letters.distribution).map_err(lexicon_error)?;
        let found = py.detach(|| self.engine.lexicon().matching(&pattern, limit.unwrap_or(usize::MAX)));
        self.told(py, &found)
    }

    /// The words that use all of these tiles, or some of them; `?` stands for any letter.
    #[pyo3(signature = (tiles, *, use_all=true, limit=None))]
    fn anagrams<'py>(&self, py: Python<'py>, tiles: RackArgument<'_>, use_all: bool, limit: Option<usize>) -> PyResult<Bound<'py, PyList>> {
        let tiles = tiles.read(&self.letters)?;
        let used = if use_all { AnagramUse::AllTiles } else { AnagramUse::SomeTiles };
        let found = py.detach(|| self.engine.lexicon().anagrams(&tiles, used, limit.unwrap_or(usize::MAX)));
        self.told(py, &found)
    }

    /// The letters that make another word in front of a word, and after it.
    fn hooks<'py>(&self, py: Python<'py>, word: &str) -> PyResult<Bound<'py, PyAny>> {
        let hooks = self.engine.lexicon().hooks(&self.word(word)?);
        let text = |letters: &[Letter]| self.letters.distribution.word_text(letters);
        row(py, "Hooks", (text(&hooks.front), text(&hooks.back)))
    }

    /// The value of keeping these tiles, points.
    fn leave_value(&self, tiles: RackArgument<'_>) -> PyResult<f64> {
        let leave = tiles.read(&self.letters)?;
        let all = tilewright::rules::Rack::full_bag(&self.letters.distribution);
        let most = self.engine.rules().rack_size;
        if leave.len() > most {
            return Err(LexiconError::new_err(format!("{} tiles, but a rack holds {most}", leave.len())));
        }
        all.minus(&leave).map_err(|tile| {
            let tile = self.letters.distribution.tiles_text([tile]);
            LexiconError::new_err(format!("there are not that many {tile} tiles in the game"))
        })?;
        Ok(self.engine.leave_value(&leave).points())
    }

    /// The definition of a word, if the list has one.
    fn definition(&self, word: &str) -> PyResult<Option<String>> {
        Ok(self.engine.lexicon().definition(&self.word(word)?).map(str::to_string))
    }

    fn __repr__(&self) -> String {
        format!("<Lexicon {}, {} letters>", self.name(), self.letters.distribution.name())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Lexicon>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, this) = (slf.py(), slf.get());
        let LexiconSource { source, words, leaves, win_table } = &this.source;
        let load = py.import("tilewright._native")?.getattr("load_lexicon")?;
        Ok((load, (source, words.as_deref(), &*this.letters.source, leaves, win_table).into_pyobject(py)?))
    }
}

impl Lexicon {
    fn from_text(py: Python<'_>, text: &str, name: &str, letters: &str, leaves: &str, win_table: &str) -> PyResult<Lexicon> {
        let own = LexiconSource {
            source: name.to_string(),
            words: Some(text.into()),
            leaves: leaves.to_string(),
            win_table: win_table.to_string(),
        };
        Lexicon::build(py, Letters::find(letters)?, own, || Engine::builder().word_list(name, text))
    }
}

/// Makes a lexicon from its pickle. A process loads each lexicon only once.
#[pyfunction]
pub fn load_lexicon(
    py: Python<'_>,
    source: &str,
    words: Option<&str>,
    letters: &str,
    leaves: &str,
    win_table: &str,
) -> PyResult<Py<Lexicon>> {
    static LOADED: PyOnceLock<Py<PyDict>> = PyOnceLock::new();
    if (source, words, letters, leaves, win_table) == (BUILTIN_NAME, None, "english", "auto", "auto") {
        return Lexicon::builtin(py);
    }
    let loaded = LOADED.get_or_init(py, || PyDict::new(py).unbind()).bind(py);
    let key = (source, words, letters, leaves, win_table).into_pyobject(py)?;
    if let Some(known) = loaded.get_item(&key)? {
        return Ok(known.extract::<Py<Lexicon>>()?);
    }
    let made = match words {
        Some(text) => Lexicon::from_text(py, text, source, letters, leaves, win_table)?,
        None => Lexicon::new(py, Some(source.into()), letters, leaves, win_table)?,
    };
    let made = Py::new(py, made)?;
    loaded.set_item(key, &made)?;
    Ok(made)
}
