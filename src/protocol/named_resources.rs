//! Resources for callers who are not trusted, and for hosts without files: word lists and tables by name, and nothing else.
//! A request for another file is refused. Start with [`NamedResources`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::engine::resource::{ByteSource, ResourceError, ResourceKind};
use crate::engine::tables::{CatalogEntry, EvaluatorRequest, Tables};
use crate::evaluation::Evaluator;
use crate::lexicon::Lexicon;
use crate::protocol::options::{FileAccess, OptionCaps};
use crate::protocol::resources::{BenchError, GameFile, GameRequest, Loading, NamesRequest, RecordedGame, Resources, SharedWriter};
use crate::protocol::word_maps::make_map_beside;
use crate::rules::{Layout, LetterDistribution};
use crate::search::Signals;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The resources of a session that may read the word lists and tables of a source by name, and nothing else.
///
/// `source` returns the byte source for a load. Reading from it should end early when the load is stopped.
pub struct NamedResources<F> {
    source: F,
    caps: OptionCaps,
}

impl<S: ByteSource, F: Fn(&Loading) -> S> NamedResources<F> {
    /// Returns resources with one thread, and the greatest memory that the options offer.
    pub fn new(source: F) -> NamedResources<F> {
        NamedResources { source, caps: OptionCaps { threads: 1, files: FileAccess::Names, ..OptionCaps::default() } }
    }

    /// Sets the greatest number of threads, and of megabytes for each of `Memory` and `EndgameHash`.
    pub fn within(self, threads: u32, megabytes: u32) -> NamedResources<F> {
        NamedResources { caps: OptionCaps { threads: i64::from(threads), megabytes: i64::from(megabytes), ..self.caps }, ..self }
    }

    fn tables(&self, loading: &Loading) -> NamedTables<S> {
        NamedTables((self.source)(loading))
    }
}

/// A source that reads its tables by name only. Any other path is refused, even if it leads to one of them.
struct NamedTables<S>(S);

impl<S: ByteSource> ByteSource for NamedTables<S> {
    fn find(&self, name: &str, extensions: &[&str]) -> Option<String> {
        self.0.find(name, extensions)
    }

    fn all(&self, extensions: &[&str]) -> Vec<String> {
        self.0.all(extensions)
    }

    fn read(&self, place: &str, most_bytes: u64) -> io::Result<Vec<u8>> {
        let extension = Path::new(place).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        if self.0.all(&[extension]).iter().any(|listed| listed == place) { self.0.read(place, most_bytes) } else { Err(refused()) }
    }

    fn is_stopped(&self) -> bool {
        self.0.is_stopped()
    }

    fn places(&self) -> Vec<String> {
        // Where the user keeps files is private.
        Vec::new()
    }

    fn why_empty(&self) -> Option<&'static str> {
        self.0.why_empty()
    }
}

fn refused() -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, "files cannot be used here, only names")
}

impl<S: ByteSource, F: Fn(&Loading) -> S + Send + Sync> Resources for NamedResources<F> {
    fn caps(&self) -> OptionCaps {
        self.caps
    }

    fn check_data_path(&self, data_path: &str) -> Result<(), ResourceError> {
        if data_path.is_empty() { Ok(()) } else { Err(ResourceError::unreadable(ResourceKind::Lexicon, "DataPath", refused())) }
    }

    fn distribution(&self, name: &str, loading: &Loading) -> Result<Arc<LetterDistribution>, ResourceError> {
        Tables::of(&self.tables(loading)).distribution(name).map(Arc::new)
    }

    fn layout(&self, name: &str, loading: &Loading) -> Result<Arc<Layout>, ResourceError> {
        Tables::of(&self.tables(loading)).layout(name).map(Arc::new)
    }

    fn lexicon(&self, name: &str, loading: &Loading, distribution: &Arc<LetterDistribution>) -> Result<Arc<Lexicon>, ResourceError> {
        let lexicon = Arc::new(Tables::of(&self.tables(loading)).lexicon(name, distribution)?);
        make_map_beside(&lexicon);
        Ok(lexicon)
    }

    fn evaluator(&self, request: &EvaluatorRequest, loading: &Loading) -> Result<Arc<Evaluator>, ResourceError> {
        Tables::of(&self.tables(loading)).evaluator(request).map(Arc::new)
    }

    fn game(&self, request: &GameRequest, _: &Loading) -> Result<RecordedGame, ResourceError> {
        Err(ResourceError::unreadable(ResourceKind::Game, &request.path, refused()))
    }

    fn names(&self, request: &NamesRequest, loading: &Loading) -> Result<Vec<CatalogEntry>, ResourceError> {
        let entries = request.names(&Tables::of(&self.tables(loading)));
        // A file is named without its folder, which is private. Without any place it would count as built in.
        let file_name = |place: String| Path::new(&place).file_name().map(|name| name.to_string_lossy().into_owned());
        let shown = |CatalogEntry { name, place }: CatalogEntry| CatalogEntry {
            place: place.map(|place| file_name(place).unwrap_or_default()),
            name,
        };
        Ok(entries.into_iter().map(shown).collect())
    }

    fn write_new(&self, file: &GameFile) -> Result<(), ResourceError> {
        Err(ResourceError::unreadable(ResourceKind::Game, &file.path, refused()))
    }

    fn append(&self, path: &str) -> Result<SharedWriter, ResourceError> {
        Err(ResourceError::unreadable(ResourceKind::SampleLog, path, refused()))
    }

    fn log_to(&self, path: &str) -> Result<(), ResourceError> {
        Err(ResourceError::unreadable(ResourceKind::LogFile, path, refused()))
    }

    fn bench(&self, _: &[String], _: &Signals, _: &mut dyn FnMut(String)) -> Result<(), BenchError> {
        Err(BenchError::Failed { reason: "bench does not run here".to_string() })
    }
}
