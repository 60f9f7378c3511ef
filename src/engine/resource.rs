//! Resources that the engine requests from its host: tables as bytes, by name.
//! Errors say what was looked for, and where.
//!
//! Not here: opening files (`host/resources.rs`), and which table belongs to which list (`tables.rs`). Start with
//! [`ByteSource`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use std::cell::RefCell;
use std::error::Error;
use std::fmt;
use std::io;
use std::sync::Arc;
use thiserror::Error;

/// Where the bytes of word lists and tables come from: folders, an archive, a server. The engine itself opens no files.
pub trait ByteSource {
    /// Returns the place of `<name>.<extension>`, in upper or lower case. If several exist, it is the one whose
    /// extension comes first in the list.
    fn find(&self, name: &str, extensions: &[&str]) -> Option<String>;

    /// All places of files with one of these extensions, those that [`find`](ByteSource::find) prefers first.
    fn all(&self, _extensions: &[&str]) -> Vec<String> {
        Vec::new()
    }

    /// Reads the bytes at a place that [`find`](ByteSource::find) returned or that the user named. More than
    /// `most_bytes` bytes are of no use, and need not be read.
    ///
    /// # Errors
    /// If the bytes cannot be read.
    fn read(&self, place: &str, most_bytes: u64) -> io::Result<Vec<u8>>;

    /// Whether the result that is being made from the bytes is no longer wanted. Long work checks this repeatedly.
    fn is_stopped(&self) -> bool {
        false
    }

    /// The places where names are looked up, for messages.
    fn places(&self) -> Vec<String>;

    /// Why there is no place to look in, for messages: `DataPath is empty`. `None` if there is one.
    fn why_empty(&self) -> Option<&'static str> {
        None
    }

    /// Returns what was kept for the list at a place, perhaps in an earlier run. The caller checks it before using it.
    fn kept(&self, _place: &str) -> Option<Vec<u8>> {
        None
    }

    /// Keeps something for the list at a place, if possible.
    fn keep(&self, _place: &str, _bytes: &[u8]) {}

    /// Records, for a log, where the word graph of the list at `place` came from.
    fn note_graph(&self, _place: &str, _origin: &GraphOrigin) {}
}

/// Where the word graph of a list came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GraphOrigin {
    /// It was kept, and it matches the words.
    Kept,
    /// It was made from the words.
    Built {
        /// Why no kept graph could be used.
        why: String,
    },
}

impl fmt::Display for GraphOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GraphOrigin::Kept => f.write_str("kept from an earlier run, and checked"),
            GraphOrigin::Built { why } => write!(f, "built: {why}"),
        }
    }
}

/// An empty source: only the tables compiled into the program are available.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl ByteSource for NoFiles {
    fn find(&self, _name: &str, _extensions: &[&str]) -> Option<String> {
        None
    }

    fn read(&self, _place: &str, _most_bytes: u64) -> io::Result<Vec<u8>> {
        Err(io::Error::new(io::ErrorKind::NotFound, "this engine was given no files"))
    }

    fn places(&self) -> Vec<String> {
        Vec::new()
    }

    fn why_empty(&self) -> Option<&'static str> {
        Some("this engine was built without a source of files (EngineBuilder::source)")
    }
}

/// A source of files that a function reads ([`EngineBuilder::files`](crate::engine::EngineBuilder::files)).
pub(crate) struct FilesByName<F> {
    read: F,
    /// The file that was found last with its bytes, so that it is not read twice.
    found: RefCell<Option<(String, Vec<u8>)>>,
}

impl<F> FilesByName<F> {
    pub(crate) fn new(read: F) -> FilesByName<F> {
        FilesByName { read, found: RefCell::new(None) }
    }
}

impl<F: Fn(&str) -> io::Result<Vec<u8>>> ByteSource for FilesByName<F> {
    fn find(&self, name: &str, extensions: &[&str]) -> Option<String> {
        let mut files = extensions.iter().map(|extension| format!("{name}.{extension}"));
        let (file, bytes) = files.find_map(|file| (self.read)(&file).ok().map(|bytes| (file, bytes)))?;
        self.found.replace(Some((file.clone(), bytes)));
        Some(file)
    }

    fn read(&self, place: &str, _most_bytes: u64) -> io::Result<Vec<u8>> {
        match self.found.take() {
            Some((file, bytes)) if file == place => Ok(bytes),
            _ => (self.read)(place),
        }
    }

    fn places(&self) -> Vec<String> {
        vec!["the files of this engine".to_string()]
    }
}

/// A kind of resource. Messages name it by its `Display`: `leave values`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResourceKind {
    /// An alphabet.
    LetterDistribution,
    /// A board.
    Layout,
    /// Words.
    Lexicon,
    /// Leave values.
    Leaves,
    /// Means of full racks, for dynamic leaves.
    RackMeans,
    /// Terms for the end of the bag.
    BagTerms,
    /// A table of chances of winning.
    WinTable,
    /// A recorded game.
    Game,
    /// A file to which samples are written.
    SampleLog,
    /// A file to which the program's log is written.
    LogFile,
}

impl fmt::Display for ResourceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ResourceKind::LetterDistribution => "letter distribution",
            ResourceKind::Layout => "board layout",
            ResourceKind::Lexicon => "lexicon",
            ResourceKind::Leaves => "leave values",
            ResourceKind::RackMeans => "means of racks",
            ResourceKind::BagTerms => "terms for the end of the bag",
            ResourceKind::WinTable => "win % table",
            ResourceKind::Game => "game",
            ResourceKind::SampleLog => "sample log",
            ResourceKind::LogFile => "log file",
        })
    }
}

/// Why a resource is not available. The message is for the user: what was looked for and where, or what is wrong in
/// which file.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum ResourceError {
    /// A directory of `DataPath` does not exist.
    #[error("DataPath: there is no directory {directory}")]
    NoDirectory {
        /// The directory.
        directory: String,
    },
    /// Nothing has this name.
    #[error("no {kind} {name:?}: {}; built in: {}", searched(files, directories, *why_empty), built_in.join(" "))]
    NotFound {
        /// What was wanted.
        kind: ResourceKind,
        /// The name.
        name: String,
        /// The names of files that would have done.
        files: Vec<String>,
        /// Where they were looked for.
        directories: Vec<String>,
        /// Why they were not looked for, if they were not ([`ByteSource::why_empty`]).
        why_empty: Option<&'static str>,
        /// The names that need no file.
        built_in: Vec<String>,
    },
    /// The file cannot be opened, read or written.
    #[error("{path}: {source}")]
    Unreadable {
        /// What was wanted.
        kind: ResourceKind,
        /// The file.
        path: String,
        /// The error of the operating system.
        source: Arc<io::Error>,
    },
    /// The file is not in its format.
    #[error("{path}: {source}")]
    WrongFormat {
        /// What was wanted.
        kind: ResourceKind,
        /// The file.
        path: String,
        /// The place, the text found there, and what was expected.
        source: Arc<dyn Error + Send + Sync>,
    },
    /// Values for an alphabet of another size.
    #[error("{path}: the file is for {found} kinds of tiles, but the {alphabet} alphabet has {expected}")]
    TileKinds {
        /// What was wanted.
        kind: ResourceKind,
        /// The file.
        path: String,
        /// Kinds of tiles in the file.
        found: usize,
        /// The alphabet in use.
        alphabet: String,
        /// Its kinds of tiles, the blank included.
        expected: usize,
    },
    /// Means of racks for another alphabet of the same size.
    #[error(
        "{path}: the file has means for racks that cannot be drawn from the {alphabet} tiles: it was made for another alphabet, or for \
         another order of the letters. `tilewright lab train leaves --racks` makes it again"
    )]
    ForeignRacks {
        /// The file.
        path: String,
        /// The alphabet in use.
        alphabet: String,
    },
    /// Built-in values of another alphabet.
    #[error("the {kind} {name} are for the {expected} alphabet, but the alphabet in use is {found}")]
    OtherAlphabet {
        /// What was wanted.
        kind: ResourceKind,
        /// Its name.
        name: String,
        /// The alphabet that it is for.
        expected: String,
        /// The alphabet in use.
        found: String,
    },
    /// Not enough memory.
    #[error("not enough memory for a table of {megabytes} MB{}", available.map_or(String::new(), |left| format!(": {left} MB are left")))]
    NoMemory {
        /// The size wanted, MiB.
        megabytes: usize,
        /// The memory available, MiB, if known.
        available: Option<usize>,
    },
    /// A word graph whose words make no sense with the letters of the alphabet.
    #[error(
        "the lexicon {lexicon} is for another alphabet than {alphabet}: {without_tiles} of its {words} words cannot be laid with these tiles"
    )]
    ForeignWords {
        /// The lexicon.
        lexicon: String,
        /// The alphabet in use.
        alphabet: String,
        /// How many words it has.
        words: usize,
        /// How many of them need more tiles than there are.
        without_tiles: usize,
    },
    /// A word graph whose letters have the numbers of another alphabet.
    #[error(
        "the lexicon {lexicon} was made for the {found} alphabet, whose letter {letter} the {alphabet} alphabet lacks: choose the \
         {found} letters, or build the graph again from its word list"
    )]
    ForeignOrder {
        /// The lexicon.
        lexicon: String,
        /// The alphabet in use.
        alphabet: String,
        /// The alphabet that the graph was made with.
        found: String,
        /// A letter of its words that the alphabet in use lacks.
        letter: String,
    },
    /// Words with letters that the alphabet lacks.
    #[error("the lexicon {lexicon} has letters that the {alphabet} alphabet lacks")]
    ForeignLetters {
        /// The lexicon.
        lexicon: String,
        /// The alphabet in use.
        alphabet: String,
    },
}

impl ResourceError {
    /// The file cannot be opened, read or written.
    pub fn unreadable(kind: ResourceKind, path: impl fmt::Display, source: io::Error) -> ResourceError {
        ResourceError::Unreadable { kind, path: path.to_string(), source: Arc::new(source) }
    }

    /// The file is not in its format; `source` says where.
    pub fn wrong_format(kind: ResourceKind, path: impl fmt::Display, source: impl Error + Send + Sync + 'static) -> ResourceError {
        ResourceError::WrongFormat { kind, path: path.to_string(), source: Arc::new(source) }
    }
}

/// Where files were looked for.
fn searched(files: &[String], directories: &[String], why_empty: Option<&str>) -> String {
    let files = files.join(" or ");
    match (why_empty, directories) {
        (Some(reason), _) => format!("{reason}, so {files} was not looked for"),
        (None, []) => format!("no {files} was found"),
        (None, _) => format!("no {files} in {}", directories.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::error::Error;

    #[test]
    fn what_is_not_found_is_told_with_the_places_searched() {
        let files = vec!["X.kwg".to_string(), "X.txt".to_string()];
        let error = |directories: &[&str], why_empty| {
            let directories = directories.iter().map(|&directory| directory.to_string()).collect();
            let (kind, name, built_in) = (ResourceKind::Lexicon, "X".to_string(), vec!["ENABLE".to_string()]);
            ResourceError::NotFound { kind, name, files: files.clone(), directories, why_empty, built_in }.to_string()
        };
        let not_looked_for = "no lexicon \"X\": the shelf is empty, so X.kwg or X.txt was not looked for; built in: ENABLE";
        assert_eq!(error(&[], Some("the shelf is empty")), not_looked_for);
        assert_eq!(error(&[], None), "no lexicon \"X\": no X.kwg or X.txt was found; built in: ENABLE");
        assert_eq!(error(&["/a", "/b"], None), "no lexicon \"X\": no X.kwg or X.txt in /a, /b; built in: ENABLE");
    }

    #[test]
    fn an_error_in_a_file_keeps_its_cause() {
        let cause = crate::formats::layout::parse("x", "*.\n.x").unwrap_err();
        let text = cause.to_string();
        let error = ResourceError::wrong_format(ResourceKind::Layout, "small.txt", cause);
        assert_eq!(error.to_string(), format!("small.txt: {text}"));
        assert_eq!(error.source().map(ToString::to_string), Some(text));
    }

    #[test]
    fn a_file_that_is_found_is_read_once() {
        let reads = RefCell::new(Vec::new());
        let files = FilesByName::new(|name: &str| {
            reads.borrow_mut().push(name.to_string());
            if name == "a.txt" { Ok(b"A".to_vec()) } else { Err(io::ErrorKind::NotFound.into()) }
        });
        assert_eq!(files.find("a", &["kwg", "txt"]).as_deref(), Some("a.txt"));
        assert_eq!(files.read("a.txt", 9).unwrap(), b"A");
        assert_eq!(*reads.borrow(), ["a.kwg", "a.txt"]);
        assert_eq!((files.find("b", &["txt"]), files.read("a.txt", 9).unwrap()), (None, b"A".to_vec()));
    }
}
