//! The resources of a session: a shelf for each kind, so that a layout is never taken for a lexicon.
//!
//! A resource that is not there yet is a [`Refusal::Missing`]: the session loads it and carries the command out again.
//! Failures are kept until that command is done, so that it is told why, and are forgotten then: the user may mend a file.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::engine::resource::ResourceError;
use crate::engine::tables::EvaluatorRequest;
use crate::evaluation::Evaluator;
use crate::lexicon::Lexicon;
use crate::protocol::reply::ErrorCode;
use crate::protocol::resources::{GameRequest, LexiconRequest, LoadedResource, RecordedGame, ResourceRequest, SharedWriter};
use crate::protocol::session::refusal::Refusal;
use crate::rules::{Layout, LetterDistribution};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

/// A lexicon by its name or file, and the name of its alphabet.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct LexiconKey {
    name: String,
    alphabet: String,
}

impl LexiconKey {
    fn of(request: &LexiconRequest) -> LexiconKey {
        LexiconKey { name: request.name.clone(), alphabet: request.distribution.name().to_string() }
    }
}

/// Leave values and win % model by the options that name them, with the lexicon and alphabet that they are for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct EvaluatorKey {
    leaves: String,
    win_table: String,
    lexicon: String,
    alphabet: String,
}

impl EvaluatorKey {
    fn of(request: &EvaluatorRequest) -> EvaluatorKey {
        EvaluatorKey {
            leaves: request.leaves.clone(),
            win_table: request.win_table.clone(),
            lexicon: request.lexicon.name().to_string(),
            alphabet: request.distribution.name().to_string(),
        }
    }
}

/// A game up to one of its turns.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct GameKey {
    path: String,
    turn: Option<usize>,
}

impl GameKey {
    fn of(request: &GameRequest) -> GameKey {
        GameKey { path: request.path.clone(), turn: request.turn }
    }
}

/// Resources of one kind, with those that could not be had.
struct Shelf<K, V>(HashMap<K, Result<V, ResourceError>>);

impl<K, V> Default for Shelf<K, V> {
    fn default() -> Shelf<K, V> {
        Shelf(HashMap::new())
    }
}

impl<K: Eq + Hash, V: Clone> Shelf<K, V> {
    /// What stands there; [`Refusal::Missing`] if nothing was loaded yet.
    fn get(&self, key: &K, request: impl FnOnce() -> ResourceRequest) -> Result<V, Refusal> {
        match self.0.get(key) {
            Some(Ok(value)) => Ok(value.clone()),
            Some(Err(error)) => Err(Refusal::Error(ErrorCode::BadOption, error.to_string())),
            None => Err(Refusal::Missing(Box::new(request()))),
        }
    }

    fn put(&mut self, key: K, result: Result<V, ResourceError>) {
        self.0.insert(key, result);
    }

    fn forget_failures(&mut self) {
        self.0.retain(|_, result| result.is_ok());
    }
}

/// Everything that a session has loaded.
#[derive(Default)]
pub(super) struct ResourceCache {
    // Kept from command to command.
    distributions: Shelf<String, Arc<LetterDistribution>>,
    layouts: Shelf<String, Arc<Layout>>,
    lexicons: Shelf<LexiconKey, Arc<Lexicon>>,
    evaluators: Shelf<EvaluatorKey, Arc<Evaluator>>,
    // For the command that asked for them: the files may be others the next time.
    data_paths: Shelf<String, ()>,
    games: Shelf<GameKey, Arc<RecordedGame>>,
    sample_logs: Shelf<String, SharedWriter>,
    log_files: Shelf<String, ()>,
}

impl ResourceCache {
    /// Keeps what was loaded, or why it could not be.
    pub(super) fn put(&mut self, loaded: LoadedResource) {
        match loaded {
            LoadedResource::DataPath(path, result) => self.data_paths.put(path, result),
            LoadedResource::Distribution(name, result) => self.distributions.put(name, result),
            LoadedResource::Layout(name, result) => self.layouts.put(name, result),
            LoadedResource::Lexicon(request, result) => self.lexicons.put(LexiconKey::of(&request), result),
            LoadedResource::Evaluator(request, result) => self.evaluators.put(EvaluatorKey::of(&request), result),
            LoadedResource::Game(request, result) => self.games.put(GameKey::of(&request), result),
            LoadedResource::SampleLog(path, result) => self.sample_logs.put(path, result),
            LoadedResource::LogFile(path, result) => self.log_files.put(path, result),
        }
    }

    /// Forgets what only the last command needed.
    pub(super) fn end_command(&mut self) {
        self.distributions.forget_failures();
        self.layouts.forget_failures();
        self.lexicons.forget_failures();
        self.evaluators.forget_failures();
        self.data_paths = Shelf::default();
        self.games = Shelf::default();
        self.sample_logs = Shelf::default();
        self.log_files = Shelf::default();
    }

    pub(super) fn data_path(&self, path: &str) -> Result<(), Refusal> {
        self.data_paths.get(&path.to_string(), || ResourceRequest::DataPath(path.to_string()))
    }

    pub(super) fn distribution(&self, name: &str) -> Result<Arc<LetterDistribution>, Refusal> {
        self.distributions.get(&name.to_string(), || ResourceRequest::Distribution(name.to_string()))
    }

    pub(super) fn layout(&self, name: &str) -> Result<Arc<Layout>, Refusal> {
        self.layouts.get(&name.to_string(), || ResourceRequest::Layout(name.to_string()))
    }

    pub(super) fn lexicon(&self, request: LexiconRequest) -> Result<Arc<Lexicon>, Refusal> {
        self.lexicons.get(&LexiconKey::of(&request), || ResourceRequest::Lexicon(request))
    }

    pub(super) fn evaluator(&self, request: EvaluatorRequest) -> Result<Arc<Evaluator>, Refusal> {
        self.evaluators.get(&EvaluatorKey::of(&request), || ResourceRequest::Evaluator(request))
    }

    pub(super) fn game(&self, request: GameRequest) -> Result<Arc<RecordedGame>, Refusal> {
        self.games.get(&GameKey::of(&request), || ResourceRequest::Game(request))
    }

    pub(super) fn sample_log(&self, path: &str) -> Result<SharedWriter, Refusal> {
        self.sample_logs.get(&path.to_string(), || ResourceRequest::SampleLog(path.to_string()))
    }

    pub(super) fn log_file(&self, path: &str) -> Result<(), Refusal> {
        self.log_files.get(&path.to_string(), || ResourceRequest::LogFile(path.to_string()))
    }
}
