//! Builds an engine from compiled-in data, from bytes, or from a source of files.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::engine::handle::Engine;
use crate::engine::resource::{ByteSource, FilesByName, NoFiles, ResourceError, ResourceKind};
use crate::engine::tables::{EvaluatorRequest, TableNames, Tables, fitting, of_alphabet};
use crate::formats::kwg;
use crate::lexicon::{BUILTIN_NAME, Lexicon};
use crate::rules::GameRules;
use crate::search::{Knowledge, NoMemory, RunSettings, SearchMemory};
use std::fmt;
use std::io;
use std::sync::Arc;

/// Where an engine's words come from.
enum GivenWords {
    /// By name: built in, or from the source.
    Named(String),
    /// A list as text, with its name.
    List(String, String),
    /// A KWG graph as bytes, with its name.
    Graph(String, Vec<u8>),
}

/// Collects the parts of an [`Engine`]. The defaults are English letters, the word list ENABLE, and the tables that belong to the list.
///
/// ```
/// use tilewright::engine::Engine;
///
/// let engine = Engine::builder().word_list("mine", "CAT\nCATS\nSCAT").leaves("none").threads(2).build()?;
/// let position = engine.position("15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 ACSTXYZ/ 0/0 0")?;
/// let best = engine.best_play(&position)?;
/// assert_eq!(best.score, 12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct EngineBuilder {
    rules: Option<GameRules>,
    words: GivenWords,
    tables: TableNames,
    source: Box<dyn ByteSource>,
    settings: RunSettings,
}

impl fmt::Debug for EngineBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = match &self.words {
            GivenWords::Named(name) | GivenWords::List(name, _) | GivenWords::Graph(name, _) => name,
        };
        let EngineBuilder { tables, settings, .. } = self;
        f.debug_struct("EngineBuilder").field("words", words).field("tables", tables).field("settings", settings).finish_non_exhaustive()
    }
}

impl Engine {
    /// Creates an engine from compiled-in data: English letters, the standard board, ENABLE, and the tables trained for
    /// it.
    pub fn builtin() -> Engine {
        let rules = Arc::new(GameRules::english());
        let lexicon = Arc::new(Lexicon::builtin());
        lexicon.make_map();
        let evaluator = crate::engine::tables::built_in_evaluator(&rules.distribution);
        Engine::of_parts(rules, Knowledge { lexicon, evaluator: Arc::new(evaluator) }, RunSettings::default())
    }

    /// Returns a builder with the defaults.
    pub fn builder() -> EngineBuilder {
        EngineBuilder {
            rules: None,
            words: GivenWords::Named(BUILTIN_NAME.to_string()),
            tables: TableNames::default(),
            source: Box::new(NoFiles),
            settings: RunSettings::default(),
        }
    }
}

impl EngineBuilder {
    /// Sets the rules: alphabet, board, bonus, exchange limit.
    #[must_use]
    pub fn rules(self, rules: GameRules) -> EngineBuilder {
        EngineBuilder { rules: Some(rules), ..self }
    }

    /// Sets the lexicon by name, from the [source](EngineBuilder::source): a `.kwg` graph or a `.txt` list.
    ///
    /// ```
    /// use tilewright::engine::Engine;
    ///
    /// let error = Engine::builder().lexicon("NWL20").build().unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "no lexicon \"NWL20\": this engine was built without a source of files (EngineBuilder::source), \
    ///      so NWL20.kwg or NWL20.txt was not looked for; built in: ENABLE"
    /// );
    /// ```
    #[must_use]
    pub fn lexicon(self, name: &str) -> EngineBuilder {
        EngineBuilder { words: GivenWords::Named(name.to_string()), ..self }
    }

    /// Sets the lexicon to a list of words as text: the first word of each line.
    #[must_use]
    pub fn word_list(self, name: &str, text: &str) -> EngineBuilder {
        EngineBuilder { words: GivenWords::List(name.to_string(), text.to_string()), ..self }
    }

    /// Sets the lexicon to a word graph in the KWG format.
    #[must_use]
    pub fn word_graph(self, name: &str, kwg: Vec<u8>) -> EngineBuilder {
        EngineBuilder { words: GivenWords::Graph(name.to_string(), kwg), ..self }
    }

    /// Sets the leave values by name: `auto`, `enable`, `crossplay`, `none`, `rack-heuristic-1` to `-3`, or a name from the source.
    /// `auto` takes those of the lexicon's name from the source, else `crossplay` with the letters of Crossplay, else `enable`.
    #[must_use]
    pub fn leaves(mut self, name: &str) -> EngineBuilder {
        self.tables.leaves = name.to_string();
        self
    }

    /// Sets the win % table by name: `auto`, `enable`, `crossplay`, `logistic`, or a name from the source. `auto` chooses as in
    /// [`EngineBuilder::leaves`].
    #[must_use]
    pub fn win_table(mut self, name: &str) -> EngineBuilder {
        self.tables.win_table = name.to_string();
        self
    }

    /// Sets all tables by name, such as those of a player's text ([`crate::players::PlayerSpec::tables`]).
    #[must_use]
    pub fn tables(self, tables: TableNames) -> EngineBuilder {
        EngineBuilder { tables, ..self }
    }

    /// Sets the source in which names that are not built in are looked up.
    #[must_use]
    pub fn source(self, source: impl ByteSource + 'static) -> EngineBuilder {
        EngineBuilder { source: Box::new(source), ..self }
    }

    /// Sets the files in which names that are not built in are looked up: a function that returns the bytes of a file
    /// by its name, such as `NWL20.kwg`, or an error if there is no such file.
    ///
    /// ```
    /// use std::path::Path;
    /// use tilewright::engine::Engine;
    ///
    /// let folder = Path::new("my/lexicons");
    /// let engine = Engine::builder().lexicon("NWL20").files(move |name| std::fs::read(folder.join(name))).build();
    /// assert!(engine.unwrap_err().to_string().starts_with("no lexicon \"NWL20\": no NWL20.kwg or NWL20.txt in the files"));
    /// ```
    #[must_use]
    pub fn files(self, read: impl Fn(&str) -> io::Result<Vec<u8>> + 'static) -> EngineBuilder {
        self.source(FilesByName::new(read))
    }

    /// Sets the number of worker threads of each search; 1 by default.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> EngineBuilder {
        self.settings.threads = threads.max(1);
        self
    }

    /// Sets the seed of all randomness; 1 by default.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> EngineBuilder {
        self.settings.seed = seed;
        self
    }

    /// Sets the size of the table for endgames in MiB; 16 by default. The table is allocated with the engine, so that
    /// [`EngineBuilder::build`] fails if there is not enough memory. The memory is not touched before a search uses it.
    #[must_use]
    pub fn hash_megabytes(mut self, megabytes: usize) -> EngineBuilder {
        self.settings.hash_megabytes = megabytes.max(1);
        self
    }

    /// Sets the memory for all search tables and lists in MiB, in addition to the words and tables in use; 256 by
    /// default.
    #[must_use]
    pub fn memory_megabytes(mut self, megabytes: usize) -> EngineBuilder {
        self.settings.memory_megabytes = megabytes;
        self
    }

    /// Builds the engine.
    ///
    /// # Errors
    /// If something is not found (with the places searched), a table is invalid (with the reason), or there is not
    /// enough memory for the table for endgames.
    pub fn build(self) -> Result<Engine, ResourceError> {
        let rules = Arc::new(self.rules.unwrap_or_else(GameRules::english));
        let (tables, distribution) = (Tables::of(self.source.as_ref()), &rules.distribution);
        let lexicon = match self.words {
            GivenWords::Named(name) => tables.lexicon(&name, distribution)?,
            GivenWords::List(name, text) => Lexicon::from_text(&name, distribution, &text)
                .map_err(|error| ResourceError::wrong_format(ResourceKind::Lexicon, name, error))?,
            GivenWords::Graph(name, bytes) => {
                let graph = kwg::parse(&bytes).map_err(|error| ResourceError::wrong_format(ResourceKind::Lexicon, &name, error))?;
                fitting(of_alphabet(Lexicon::from_graph(&name, graph), distribution)?, distribution)?
            }
        };
        lexicon.make_map();
        let (lexicon, distribution) = (Arc::new(lexicon), Arc::clone(distribution));
        let request = EvaluatorRequest { tables: self.tables, distribution, lexicon: Arc::clone(&lexicon) };
        let evaluator = Arc::new(tables.evaluator(&request)?);
        let memory = Arc::new(SearchMemory::default());
        memory
            .reserve(self.settings.hash_megabytes)
            .map_err(|NoMemory { megabytes }| ResourceError::NoMemory { megabytes, available: None })?;
        Ok(Engine::of_parts(rules, Knowledge { lexicon, evaluator }, self.settings).with_memory(memory))
    }
}

/// An engine for tests, with values that need no table: Gordon's third heuristic and the win % formula.
#[cfg(test)]
pub(crate) fn plain_engine() -> &'static Engine {
    static ENGINE: std::sync::OnceLock<Engine> = std::sync::OnceLock::new();
    ENGINE.get_or_init(|| Engine::builder().leaves("rack-heuristic-3").win_table("logistic").build().expect("both are built in"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graph_of_another_alphabet_is_read_by_its_letters_or_refused() {
        let bytes: Vec<u8> = Lexicon::builtin().graph().nodes().iter().flat_map(|node| node.to_le_bytes()).collect();
        let build = |letters: &str| {
            let tables = Tables::of(&NoFiles);
            let rules = GameRules::builder(tables.distribution(letters).unwrap(), tables.layout("standard").unwrap()).build().unwrap();
            Engine::builder().rules(rules).word_graph("words", bytes.clone()).build().map(|engine| engine.lexicon().name().to_string())
        };
        for letters in ["spanish", "catalan"] {
            let expected = format!(
                "the lexicon words was made for the english alphabet, whose letter K the {letters} alphabet lacks: choose \
                 the english letters, or build the graph again from its word list"
            );
            assert_eq!(build(letters).unwrap_err().to_string(), expected);
        }
        // These have all letters of English, with the same numbers or others.
        for letters in ["english", "english_super", "french", "german", "dutch", "norwegian"] {
            assert_eq!(build(letters).as_deref().map_err(ToString::to_string), Ok("words"));
        }
    }

    #[test]
    fn an_engine_whose_table_cannot_be_had_is_refused() {
        let megabytes = usize::MAX >> 20;
        let error = Engine::builder().hash_megabytes(megabytes).build().unwrap_err();
        assert_eq!(error.to_string(), format!("not enough memory for a table of {megabytes} MB"));
    }
}
