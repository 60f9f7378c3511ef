//! What a session asks its surroundings for: it reads no files itself. `cli/resources.rs` answers from the file system.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::evaluation::Evaluator;
use crate::lexicon::Lexicon;
use crate::rules::{GameRules, Layout, LetterDistribution, Position};
use std::io::Write;
use std::sync::{Arc, Mutex};

/// Something a session needs and does not have.
#[derive(Clone, Debug)]
pub enum Request {
    /// Directories to look in, `;`-separated: are they there?
    DataPath(String),
    /// An alphabet by name or file.
    Distribution(String),
    /// A board by name or file.
    Layout(String),
    /// Words by name or file.
    Lexicon {
        /// The name or file.
        name: String,
        /// Its alphabet.
        distribution: Arc<LetterDistribution>,
    },
    /// Leave values and win % model.
    Evaluator(EvaluatorRequest),
    /// The positions of a recorded game.
    Game {
        /// The file.
        path: String,
        /// The 1-based turn before which to stop; all turns if there is none.
        turn: Option<usize>,
        /// Rules for what the file does not say.
        rules: Arc<GameRules>,
    },
    /// A file for the samples of simulations, emptied.
    SampleLog(String),
    /// A file for the program's log; empty for standard error.
    LogFile(String),
}

/// Which leave values and win % model.
#[derive(Clone, Debug)]
pub struct EvaluatorRequest {
    /// The option `Leaves`.
    pub leaves: String,
    /// The option `WinPctTable`.
    pub win_table: String,
    /// The alphabet.
    pub distribution: Arc<LetterDistribution>,
    /// The lexicon, whose name the tables may bear.
    pub lexicon: Arc<Lexicon>,
}

/// A place for lines.
pub type SharedWriter = Arc<Mutex<dyn Write + Send>>;

/// A recorded game: its positions up to the wanted one, the first one before the first turn.
#[derive(Clone, Debug)]
pub struct RecordedGame {
    /// The positions in order, at least one.
    pub positions: Vec<Position>,
    /// The lexicon it names.
    pub lexicon: Option<String>,
}

/// What was asked for.
#[derive(Clone)]
pub enum Loaded {
    /// It is there, or was done.
    Done,
    /// An alphabet.
    Distribution(Arc<LetterDistribution>),
    /// A board.
    Layout(Arc<Layout>),
    /// Words.
    Lexicon(Arc<Lexicon>),
    /// Leave values and win % model.
    Evaluator(Arc<Evaluator>),
    /// A game.
    Game(Arc<RecordedGame>),
    /// A place for samples.
    SampleLog(SharedWriter),
}

/// Where data comes from. Errors are texts for the user: what was looked for, and where.
pub trait Resources: Send + Sync {
    /// Whether all directories are there.
    ///
    /// # Errors
    /// The one that is not.
    fn check_data_path(&self, data_path: &str) -> Result<(), String>;
    /// An alphabet.
    ///
    /// # Errors
    /// What was tried, or what is wrong in the file.
    fn distribution(&self, name: &str, data_path: &str) -> Result<Arc<LetterDistribution>, String>;
    /// A board.
    ///
    /// # Errors
    /// What was tried, or what is wrong in the file.
    fn layout(&self, name: &str, data_path: &str) -> Result<Arc<Layout>, String>;
    /// Words.
    ///
    /// # Errors
    /// What was tried, or what is wrong in the file.
    fn lexicon(&self, name: &str, data_path: &str, distribution: &Arc<LetterDistribution>) -> Result<Arc<Lexicon>, String>;
    /// Leave values and win % model.
    ///
    /// # Errors
    /// What was tried, or what is wrong in a file.
    fn evaluator(&self, request: &EvaluatorRequest, data_path: &str) -> Result<Arc<Evaluator>, String>;
    /// A recorded game.
    ///
    /// # Errors
    /// Why the file cannot be opened or read, with line and column.
    fn game(&self, path: &str, turn: Option<usize>, rules: &Arc<GameRules>) -> Result<RecordedGame, String>;
    /// An empty file to write to.
    ///
    /// # Errors
    /// Why it cannot be created.
    fn create(&self, path: &str) -> Result<SharedWriter, String>;
    /// Sends the program's log to a file, or to standard error for an empty path.
    ///
    /// # Errors
    /// Why the file cannot be opened.
    fn log_to(&self, path: &str) -> Result<(), String>;
    /// Measures the engine; each line of the result is handed to `say`.
    ///
    /// # Errors
    /// Why it cannot be done.
    fn bench(&self, words: &[String], say: &mut dyn FnMut(String)) -> Result<(), String>;

    /// Answers a request.
    ///
    /// # Errors
    /// Those of the request's function.
    fn load(&self, request: &Request, data_path: &str) -> Result<Loaded, String> {
        match request {
            Request::DataPath(path) => self.check_data_path(path).map(|()| Loaded::Done),
            Request::Distribution(name) => self.distribution(name, data_path).map(Loaded::Distribution),
            Request::Layout(name) => self.layout(name, data_path).map(Loaded::Layout),
            Request::Lexicon { name, distribution } => self.lexicon(name, data_path, distribution).map(Loaded::Lexicon),
            Request::Evaluator(request) => self.evaluator(request, data_path).map(Loaded::Evaluator),
            Request::Game { path, turn, rules } => self.game(path, *turn, rules).map(|game| Loaded::Game(Arc::new(game))),
            Request::SampleLog(path) => self.create(path).map(Loaded::SampleLog),
            Request::LogFile(path) => self.log_to(path).map(|()| Loaded::Done),
        }
    }
}
