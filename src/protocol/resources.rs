//! The resources that a session requests from its host, since it reads no files itself.
//! `host/resources.rs` answers from the file system.
//!
//! A session hands out a [`ResourceRequest`] and gets a [`LoadedResource`]. A resource that is kept for later commands comes with
//! its request, so that the two cannot be mixed up. Start with [`Resources`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::engine::resource::{ResourceError, ResourceKind};
use crate::engine::tables::{CatalogEntry, EvaluatorRequest, Tables};
use crate::evaluation::Evaluator;
use crate::formats::gcg::{self, FileNote, Gcg, GcgError, ReadGame, Replay};
use crate::ghost::{Ghost, GhostError, GhostValues, Superghost};
use crate::lexicon::Lexicon;
use crate::protocol::options::OptionCaps;
use crate::rules::{GameRules, Layout, LetterDistribution};
use crate::search::{NoMemory, SearchMemory, Signals};
use std::io::Write;
use std::sync::{Arc, Mutex};
use thiserror::Error;

/// Something a session needs and does not have.
#[derive(Clone, Debug)]
pub enum ResourceRequest {
    /// Whether these directories, separated by `;`, exist.
    DataPath(String),
    /// An alphabet by name or file.
    Distribution(String),
    /// A board by name or file.
    Layout(String),
    /// Words by name or file.
    Lexicon(LexiconRequest),
    /// Leave values and win % model.
    Evaluator(EvaluatorRequest),
    /// The positions of a recorded game.
    Game(GameRequest),
    /// The names of the available lexicons, boards or letter distributions.
    Names(NamesRequest),
    /// A new file with the record of a game.
    GameFile(GameFile),
    /// A file to which the samples of simulations are appended.
    SampleLog(String),
    /// A file for the program's log; empty for standard error.
    LogFile(String),
    /// A table of endgames.
    EndgameTable(EndgameTableRequest),
    /// A game of Ghost, to be solved.
    Ghost(GhostRequest),
}

/// The game of Ghost to solve.
#[derive(Clone, Debug)]
pub struct GhostRequest {
    /// The words.
    pub lexicon: Arc<Lexicon>,
    /// Letters of the shortest words that count.
    pub min_length: usize,
    /// Where letters are added.
    pub rules: GhostRules,
}

/// Where letters are added in a game of Ghost.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GhostRules {
    /// At the end.
    Ghost,
    /// At either end.
    Superghost,
}

/// A game of Ghost, solved.
#[derive(Debug)]
pub enum SolvedGhost {
    /// Letters are added at the end.
    Ghost(GhostValues),
    /// Letters are added at either end.
    Superghost(Superghost),
}

impl GhostRequest {
    /// Solves the game unless it is stopped.
    ///
    /// # Errors
    /// It was stopped, or the words allow no game.
    pub fn solve(&self, signals: &Signals) -> Result<SolvedGhost, GhostError> {
        let (graph, is_stopped) = (self.lexicon.graph(), || signals.is_stopped());
        match self.rules {
            GhostRules::Ghost => {
                let solved = Ghost::solve_until(graph, self.min_length, &is_stopped);
                solved.map(|ghost| SolvedGhost::Ghost(ghost.into_values()))
            }
            GhostRules::Superghost => Superghost::solve_until(graph, self.min_length, &is_stopped).map(SolvedGhost::Superghost),
        }
    }
}

impl SolvedGhost {
    /// Returns the memory that it takes, bytes.
    pub fn size(&self) -> usize {
        match self {
            SolvedGhost::Ghost(values) => values.size(),
            SolvedGhost::Superghost(game) => game.size(),
        }
    }
}

/// A load under way: where names are looked up, and what ends it early.
#[derive(Clone, Debug, Default)]
pub struct Loading {
    /// The option `DataPath`.
    pub data_path: String,
    /// Whether it is stopped.
    pub signals: Arc<Signals>,
}

impl Loading {
    /// Returns a load that nobody stops.
    pub fn from_path(data_path: &str) -> Loading {
        Loading { data_path: data_path.to_string(), signals: Arc::default() }
    }
}

/// The table of endgames to make.
#[derive(Clone, Debug)]
pub struct EndgameTableRequest {
    /// Its size, MiB.
    pub megabytes: usize,
    /// The memory that gets the table.
    pub memory: Arc<SearchMemory>,
}

/// The words to load.
#[derive(Clone, Debug)]
pub struct LexiconRequest {
    /// The name or file.
    pub name: String,
    /// Its alphabet.
    pub distribution: Arc<LetterDistribution>,
}

/// The recorded game to load.
#[derive(Clone, Debug)]
pub struct GameRequest {
    /// The file.
    pub path: String,
    /// The 1-based event before which to stop; none for the whole game.
    pub turn: Option<usize>,
    /// The rules that the file does not state.
    pub rules: Arc<GameRules>,
}

/// A writer that several threads share.
pub type SharedWriter = Arc<Mutex<dyn Write + Send>>;

/// A recorded game, up to the requested event.
#[derive(Clone, Debug)]
pub struct RecordedGame {
    /// The whole record.
    pub game: Gcg,
    /// Its positions and turns up to the requested event.
    pub replay: Replay,
    /// What was wrong or unusual in the text up to there.
    pub notes: Vec<FileNote>,
}

impl RecordedGame {
    /// Reads a game up to the position before an event (1-based), or all of it.
    ///
    /// # Errors
    /// The bytes are not a game in this alphabet, or the game has no such event.
    pub fn read(bytes: &[u8], rules: &GameRules, turn: Option<usize>) -> Result<RecordedGame, GcgError> {
        let read = gcg::read_file(bytes, rules)?;
        let replay = read.up_to(turn, rules)?;
        let ReadGame { game, mut notes, .. } = read;
        // Later events are not part of the position.
        let last = turn.and_then(|turn| game.events.get(turn.saturating_sub(1))).map(|event| event.line);
        notes.retain(|note| note.line <= last.or(note.line));
        Ok(RecordedGame { game, replay, notes })
    }
}

/// The kind of data whose names are requested.
#[derive(Clone, Debug)]
pub enum NamesRequest {
    /// Lexicons with words of this alphabet.
    Lexicons(Arc<LetterDistribution>),
    /// Boards.
    Layouts,
    /// Letter distributions.
    Distributions,
}

impl NamesRequest {
    /// Returns the names in these tables.
    pub(crate) fn names(&self, tables: &Tables<'_>) -> Vec<CatalogEntry> {
        match self {
            NamesRequest::Lexicons(distribution) => tables.lexicon_names(distribution),
            NamesRequest::Layouts => tables.layout_names(),
            NamesRequest::Distributions => tables.distribution_names(),
        }
    }

    /// Returns the kind of data that is requested.
    pub(crate) fn kind(&self) -> ResourceKind {
        match self {
            NamesRequest::Lexicons(_) => ResourceKind::Lexicon,
            NamesRequest::Layouts => ResourceKind::Layout,
            NamesRequest::Distributions => ResourceKind::LetterDistribution,
        }
    }
}

/// A record of a game, and the file to write it to.
#[derive(Clone, Debug)]
pub struct GameFile {
    /// The file, which must not exist yet.
    pub path: String,
    /// The record.
    pub text: String,
}

/// The result of a request. Resources that later commands also use come with their request.
#[derive(Clone)]
pub enum LoadedResource {
    /// Whether the request was met: the directories exist, the record is written, the log goes to the file, the table of endgames is
    /// made.
    Done(Result<(), ResourceError>),
    /// An alphabet.
    Distribution(Result<Arc<LetterDistribution>, ResourceError>, String),
    /// A board.
    Layout(Result<Arc<Layout>, ResourceError>, String),
    /// Words.
    Lexicon(Result<Arc<Lexicon>, ResourceError>, LexiconRequest),
    /// Leave values and win % model.
    Evaluator(Result<Arc<Evaluator>, ResourceError>, EvaluatorRequest),
    /// A game.
    Game(Result<Arc<RecordedGame>, ResourceError>),
    /// Names, with the places that they lead to.
    Names(Result<Arc<Vec<CatalogEntry>>, ResourceError>),
    /// A place for samples.
    SampleLog(Result<SharedWriter, ResourceError>),
    /// A game of Ghost, solved, or why it cannot be.
    Ghost(Result<Arc<SolvedGhost>, GhostError>, GhostRequest),
}

/// Why the engine cannot be measured.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum BenchError {
    /// The words after `bench` cannot be read.
    #[error("{reason}, expected bench [threads] [seconds]")]
    Words {
        /// What is wrong with them.
        reason: String,
    },
    /// The measurement failed.
    #[error("{reason}")]
    Failed {
        /// Why.
        reason: String,
    },
}

/// A source of data.
pub trait Resources: Send + Sync {
    /// Returns the greatest values of options.
    fn caps(&self) -> OptionCaps {
        OptionCaps::default()
    }
    /// Checks that all directories exist.
    ///
    /// # Errors
    /// The first one that does not.
    fn check_data_path(&self, data_path: &str) -> Result<(), ResourceError>;
    /// Returns an alphabet.
    ///
    /// # Errors
    /// What was tried, or what is wrong in the file.
    fn distribution(&self, name: &str, loading: &Loading) -> Result<Arc<LetterDistribution>, ResourceError>;
    /// Returns a board.
    ///
    /// # Errors
    /// What was tried, or what is wrong in the file.
    fn layout(&self, name: &str, loading: &Loading) -> Result<Arc<Layout>, ResourceError>;
    /// Returns words.
    ///
    /// # Errors
    /// What was tried, or what is wrong in the file.
    fn lexicon(&self, name: &str, loading: &Loading, distribution: &Arc<LetterDistribution>) -> Result<Arc<Lexicon>, ResourceError>;
    /// Returns leave values and a win % model.
    ///
    /// # Errors
    /// What was tried, or what is wrong in a file.
    fn evaluator(&self, request: &EvaluatorRequest, loading: &Loading) -> Result<Arc<Evaluator>, ResourceError>;
    /// Returns a recorded game.
    ///
    /// # Errors
    /// Why the file cannot be opened or read, with line and column.
    fn game(&self, request: &GameRequest, loading: &Loading) -> Result<RecordedGame, ResourceError>;
    /// Returns the names of the available lexicons, boards or letter distributions.
    ///
    /// # Errors
    /// The load was stopped before all files were examined.
    fn names(&self, request: &NamesRequest, loading: &Loading) -> Result<Vec<CatalogEntry>, ResourceError>;
    /// Writes a new file: all of it or nothing.
    ///
    /// # Errors
    /// It exists already, or why it cannot be written.
    fn write_new(&self, file: &GameFile) -> Result<(), ResourceError>;
    /// Opens a file to append to.
    ///
    /// # Errors
    /// Why it cannot be opened.
    fn append(&self, path: &str) -> Result<SharedWriter, ResourceError>;
    /// Sends the program's log to a file, or to standard error for an empty path.
    ///
    /// # Errors
    /// Why the file cannot be opened.
    fn log_to(&self, path: &str) -> Result<(), ResourceError>;
    /// Returns the reason if the log cannot be written to at the moment.
    fn log_trouble(&self) -> Option<String> {
        None
    }
    /// Makes an endgame table of `megabytes` MiB.
    ///
    /// # Errors
    /// There is not enough memory. In this case `memory` keeps its old table.
    fn endgame_table(&self, megabytes: usize, memory: &SearchMemory) -> Result<(), ResourceError> {
        memory.reserve(megabytes).map_err(|NoMemory { megabytes }| ResourceError::NoMemory { megabytes, available: None })
    }
    /// Measures the engine until it is done or stopped. Each line of the result is passed to `say`.
    ///
    /// # Errors
    /// Why it cannot be done.
    fn bench(&self, words: &[String], signals: &Signals, say: &mut dyn FnMut(String)) -> Result<(), BenchError>;

    /// Answers a request. A load that is stopped ends soon, with an error unless it is complete.
    fn load(&self, request: ResourceRequest, loading: &Loading) -> LoadedResource {
        match request {
            ResourceRequest::DataPath(path) => LoadedResource::Done(self.check_data_path(&path)),
            ResourceRequest::Distribution(name) => LoadedResource::Distribution(self.distribution(&name, loading), name),
            ResourceRequest::Layout(name) => LoadedResource::Layout(self.layout(&name, loading), name),
            ResourceRequest::Lexicon(request) => {
                LoadedResource::Lexicon(self.lexicon(&request.name, loading, &request.distribution), request)
            }
            ResourceRequest::Evaluator(request) => LoadedResource::Evaluator(self.evaluator(&request, loading), request),
            ResourceRequest::Game(request) => LoadedResource::Game(self.game(&request, loading).map(Arc::new)),
            ResourceRequest::Names(request) => LoadedResource::Names(self.names(&request, loading).map(Arc::new)),
            ResourceRequest::GameFile(file) => LoadedResource::Done(self.write_new(&file)),
            ResourceRequest::SampleLog(path) => LoadedResource::SampleLog(self.append(&path)),
            ResourceRequest::LogFile(path) => LoadedResource::Done(self.log_to(&path)),
            ResourceRequest::EndgameTable(request) => LoadedResource::Done(self.endgame_table(request.megabytes, &request.memory)),
            ResourceRequest::Ghost(request) => LoadedResource::Ghost(request.solve(&loading.signals).map(Arc::new), request),
        }
    }
}
