//! `tilewright restricted`: the protocol for callers who are not trusted, such as a page in a browser. Lines of theirs touch no file, start no
//! process, and have no more threads and memory than they are given.
//!
//! What would touch a file is refused where files are reached ([`RestrictedResources`]),
//! so a command that is added later is also refused. On Unix the process also gives up the right to
//! write to files, and to more memory than it could need. Start with [`run`].

use crate::engine::resource::{ByteSource, ResourceError, ResourceKind};
use crate::engine::tables::{CatalogEntry, EvaluatorRequest, Tables};
use crate::evaluation::Evaluator;
use crate::host::resources::{Folders, make_map_beside};
use crate::lexicon::Lexicon;
use crate::protocol::options::{FileAccess, OptionCaps};
use crate::protocol::resources::{BenchError, GameFile, GameRequest, Loading, NamesRequest, RecordedGame, Resources, SharedWriter};
use crate::protocol::server;
use crate::protocol::session::Audience;
use crate::rules::{Layout, LetterDistribution};
use crate::search::Signals;
use crate::search::limits::{DEFAULT_MEMORY_MB, MEMORY_MB, MOST_THREADS};
use anyhow::{Context, Result};
use clap::Args;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Memory beside that of the option `Memory`: the program, its words and tables, lines that wait, stacks.
#[cfg(unix)]
const MEGABYTES_BESIDE: u64 = 1024;

/// Flags of `tilewright restricted`.
#[derive(Args, Clone, Debug)]
pub struct RestrictedArguments {
    /// The greatest value of Threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=MOST_THREADS))]
    pub threads: u32,
    /// The greatest value of Memory and EndgameHash, MB
    #[arg(long, value_name = "MB", default_value_t = DEFAULT_MEMORY_MB as u32, value_parser = clap::value_parser!(u32).range(MEMORY_MB))]
    pub memory: u32,
    /// Folders with lexicons and tables that may be used by name, separated by ;
    #[arg(long, value_name = "FOLDERS", default_value = "", hide_default_value = true)]
    pub data_path: String,
}

/// Holds a conversation on stdin and stdout, which must be pipes: this process may write to no file.
///
/// # Errors
/// Stdout cannot be written to, or nobody reads it when `quit` comes, or a worker has panicked.
pub fn run(arguments: &RestrictedArguments) -> Result<()> {
    give_up_rights(arguments).context("cannot give up the right to write files")?;
    match server::serve_stdin(Arc::new(RestrictedResources::new(arguments)), Audience::Program) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result.context("the protocol server"),
    }
}

#[cfg(unix)]
fn give_up_rights(arguments: &RestrictedArguments) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let both = |limit| Rlimit { current: Some(limit), maximum: Some(limit) };
    setrlimit(Resource::Fsize, both(0))?;
    setrlimit(Resource::Core, both(0))?;
    setrlimit(Resource::Data, both((u64::from(arguments.memory) + MEGABYTES_BESIDE + 16 * u64::from(arguments.threads)) << 20))?;
    Ok(())
}

/// Elsewhere the session alone refuses files and bounds its memory.
#[cfg(not(unix))]
fn give_up_rights(_: &RestrictedArguments) -> io::Result<()> {
    tracing::warn!("this system sets no limits to files and memory of its own; those of the session hold");
    Ok(())
}

/// What a session gets that may touch no files but the tables in some folders, by name.
pub struct RestrictedResources {
    folders: Folders,
    caps: OptionCaps,
}

impl RestrictedResources {
    /// With the caps and the folders of the flags.
    pub fn new(arguments: &RestrictedArguments) -> RestrictedResources {
        RestrictedResources {
            folders: Folders::of_data_path(&arguments.data_path),
            caps: OptionCaps { threads: i64::from(arguments.threads), megabytes: i64::from(arguments.memory), files: FileAccess::Names },
        }
    }

    fn tables(&self, loading: &Loading) -> NamedTables {
        NamedTables(self.folders.clone().stopped_by(loading))
    }
}

/// Folders whose tables are found by name. A path is refused even if it leads to one of them from elsewhere.
struct NamedTables(Folders);

impl ByteSource for NamedTables {
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
        // Where the user keeps things is nobody's business.
        Vec::new()
    }

    fn why_empty(&self) -> Option<&'static str> {
        self.0.why_empty()
    }
}

fn refused() -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, "no files in the restricted mode, names only")
}

impl Resources for RestrictedResources {
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
        let entries = match request {
            NamesRequest::Lexicons(distribution) => Tables::of(&self.tables(loading)).lexicon_names(distribution),
            NamesRequest::Layouts => Tables::of(&self.tables(loading)).layout_names(),
            NamesRequest::Distributions => Tables::of(&self.tables(loading)).distribution_names(),
        };
        // A file is named without its folder: where the user keeps things is nobody's business. Without any place it would count as built in.
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
        Err(BenchError::Failed { reason: "nothing is measured in the restricted mode".to_string() })
    }
}
