//! The resources of a session: a shelf for each kind, so that a layout is never taken for a lexicon.
//!
//! A resource that is not there yet is a [`Refusal::Missing`]: the session loads it and carries the
//! command out again. Failures are kept until that command is done, so that it can report the
//! reason, and are then forgotten: the user may repair a file.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::engine::resource::ResourceError;
use crate::engine::tables::{CatalogEntry, EvaluatorRequest, TableNames};
use crate::evaluation::Evaluator;
use crate::ghost::GhostError;
use crate::lexicon::Lexicon;
use crate::protocol::reply::{ErrorCode, ErrorReply};
use crate::protocol::resources::{
    GameRequest, GhostRequest, GhostRules, LexiconRequest, LoadedResource, NamesRequest, RecordedGame, ResourceRequest, SharedWriter,
    SolvedGhost,
};
use crate::protocol::session::refusal::Refusal;
use crate::rules::{Layout, LetterDistribution};
use std::cell::Cell;
use std::cmp::Reverse;
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

/// Tables by their names, with the lexicon and alphabet that they are for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct EvaluatorKey {
    tables: TableNames,
    lexicon: String,
    alphabet: String,
}

impl EvaluatorKey {
    fn of(request: &EvaluatorRequest) -> EvaluatorKey {
        EvaluatorKey {
            tables: request.tables.clone(),
            lexicon: request.lexicon.name().to_string(),
            alphabet: request.distribution.name().to_string(),
        }
    }
}

/// A game of Ghost. The lexicon is identified by its address. It is kept with the solution, so no other lexicon can have this address.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct GhostKey {
    lexicon: usize,
    min_length: usize,
    rules: GhostRules,
}

/// A game of Ghost, solved, or why it cannot be played.
type GhostSolution = Result<Arc<SolvedGhost>, GhostError>;

impl GhostKey {
    fn of(request: &GhostRequest) -> GhostKey {
        GhostKey { lexicon: Arc::as_ptr(&request.lexicon).addr(), min_length: request.min_length, rules: request.rules }
    }
}

/// A resource, or why it could not be loaded.
struct Shelved<V> {
    result: Result<V, ResourceError>,
    /// The number of the command that used it last.
    used: Cell<u64>,
}

/// Resources of one kind, including those that could not be loaded.
struct Shelf<K, V> {
    resources: HashMap<K, Shelved<V>>,
    /// Counts commands.
    command: u64,
}

impl<K, V> Default for Shelf<K, V> {
    fn default() -> Shelf<K, V> {
        Shelf { resources: HashMap::new(), command: 0 }
    }
}

impl<K: Eq + Hash, V: Clone> Shelf<K, V> {
    /// Returns the resource; [`Refusal::Missing`] if it was not loaded yet.
    fn get(&self, key: &K, request: impl FnOnce() -> ResourceRequest) -> Result<V, Refusal> {
        let Some(shelved) = self.resources.get(key) else { return Err(Refusal::Missing(Box::new(request()))) };
        shelved.used.set(self.command);
        match &shelved.result {
            Ok(value) => Ok(value.clone()),
            Err(error) => Err(ErrorReply::new(ErrorCode::BadOption, error.to_string()).into()),
        }
    }

    fn put(&mut self, key: K, result: Result<V, ResourceError>) {
        self.resources.insert(key, Shelved { result, used: Cell::new(self.command) });
    }

    fn forget_failures(&mut self) {
        self.resources.retain(|_, shelved| shelved.result.is_ok());
    }

    /// Ends a command. Resources in use stay: those of the last command that needed this kind of
    /// resource. Of the others, the most recently used stay, as long as together they take at most
    /// `most_bytes`.
    fn end_command(&mut self, most_bytes: usize, size: impl Fn(&V) -> usize) {
        self.forget_failures();
        self.command += 1;
        let last = self.resources.values().map(|shelved| shelved.used.get()).max();
        let mut idle: Vec<(u64, usize)> = Vec::new();
        for shelved in self.resources.values().filter(|shelved| Some(shelved.used.get()) != last) {
            idle.push((shelved.used.get(), shelved.result.as_ref().map_or(0, &size)));
        }
        idle.sort_unstable_by_key(|&(used, _)| Reverse(used));
        let mut bytes = 0usize;
        let too_much = idle.into_iter().find(|(_, size)| {
            bytes = bytes.saturating_add(*size);
            bytes > most_bytes
        });
        if let Some((used, _)) = too_much {
            self.resources.retain(|_, shelved| shelved.used.get() > used);
        }
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
    /// The reason why a game cannot be played is kept like a solution.
    ghosts: Shelf<GhostKey, (Arc<Lexicon>, GhostSolution)>,
    // Kept only for the command that requested them, since the files may have changed the next time. INVARIANT: a command requests at
    // most one of each kind, so that they need no names.
    done: Shelf<(), ()>,
    games: Shelf<(), Arc<RecordedGame>>,
    names: Shelf<(), Arc<Vec<CatalogEntry>>>,
    sample_logs: Shelf<(), SharedWriter>,
}

impl ResourceCache {
    /// Keeps what was loaded, or why it could not be.
    pub(super) fn put(&mut self, loaded: LoadedResource) {
        match loaded {
            LoadedResource::Done(result) => self.done.put((), result),
            LoadedResource::Distribution(result, name) => self.distributions.put(name, result),
            LoadedResource::Layout(result, name) => self.layouts.put(name, result),
            LoadedResource::Lexicon(result, request) => self.lexicons.put(LexiconKey::of(&request), result),
            LoadedResource::Evaluator(result, request) => self.evaluators.put(EvaluatorKey::of(&request), result),
            LoadedResource::Game(result) => self.games.put((), result),
            LoadedResource::Names(result) => self.names.put((), result),
            LoadedResource::SampleLog(result) => self.sample_logs.put((), result),
            LoadedResource::Ghost(result, request) => self.ghosts.put(GhostKey::of(&request), Ok((request.lexicon, result))),
        }
    }

    /// Forgets what only the last command needed, and unused words and tables beyond `cache_bytes`
    /// in all.
    pub(super) fn end_command(&mut self, cache_bytes: usize) {
        self.distributions.forget_failures();
        self.layouts.forget_failures();
        self.lexicons.end_command(cache_bytes / 2, |lexicon| lexicon.size());
        self.ghosts.end_command(cache_bytes / 4, |(_, solved)| solved.as_ref().map_or(0, |solved| solved.size()));
        self.evaluators.end_command(cache_bytes / 4, |evaluator| evaluator.size());
        self.done = Shelf::default();
        self.games = Shelf::default();
        self.names = Shelf::default();
        self.sample_logs = Shelf::default();
    }

    /// Whether the request was met.
    pub(super) fn done(&self, request: ResourceRequest) -> Result<(), Refusal> {
        self.done.get(&(), || request)
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
        self.games.get(&(), || ResourceRequest::Game(request))
    }

    /// Returns a game of Ghost, solved, or why it cannot be played.
    pub(super) fn ghost(&self, request: GhostRequest) -> Result<GhostSolution, Refusal> {
        let (_, solved) = self.ghosts.get(&GhostKey::of(&request), || ResourceRequest::Ghost(request))?;
        Ok(solved)
    }

    /// Returns the names that a command requests, which are of one kind.
    pub(super) fn names(&self, request: NamesRequest) -> Result<Arc<Vec<CatalogEntry>>, Refusal> {
        self.names.get(&(), || ResourceRequest::Names(request))
    }

    pub(super) fn sample_log(&self, path: &str) -> Result<SharedWriter, Refusal> {
        self.sample_logs.get(&(), || ResourceRequest::SampleLog(path.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn have(shelf: &Shelf<&'static str, usize>) -> Vec<&'static str> {
        let mut names: Vec<_> = shelf.resources.keys().copied().collect();
        names.sort_unstable();
        names
    }

    fn used<'a>(shelf: &mut Shelf<&'a str, usize>, name: &'a str, bytes: usize) {
        if shelf.get(&name, || ResourceRequest::LogFile(String::new())).is_err() {
            shelf.put(name, Ok(bytes));
        }
    }

    #[test]
    fn what_is_not_in_use_stays_as_long_as_there_is_room() {
        let mut shelf = Shelf::default();
        for name in ["a", "b", "c", "a", "d"] {
            used(&mut shelf, name, 10);
            shelf.end_command(25, |&bytes| bytes);
        }
        // d is in use; a was used after c, and c after b.
        assert_eq!(have(&shelf), ["a", "c", "d"]);
        // A command that needs none changes nothing, even if there is less room than the one in use takes.
        shelf.end_command(20, |&bytes| bytes);
        assert_eq!(have(&shelf), ["a", "c", "d"]);
        shelf.end_command(19, |&bytes| bytes);
        assert_eq!(have(&shelf), ["a", "d"]);
        shelf.end_command(0, |&bytes| bytes);
        assert_eq!(have(&shelf), ["d"]);
        // A command that needs two at once has both.
        used(&mut shelf, "e", 100);
        used(&mut shelf, "f", 100);
        shelf.end_command(0, |&bytes| bytes);
        assert_eq!(have(&shelf), ["e", "f"]);
    }
}
