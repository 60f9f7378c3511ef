//! Finds requested resources in the file system, by name or by path. Names are looked up in folders
//! and one level below them. Built-in words and tables are found by name, without any file.
//!
//! Not here: which table belongs to which list (`engine/tables.rs`).

use crate::engine::resource::{ByteSource, GraphOrigin, ResourceError, ResourceKind};
use crate::engine::tables::{CatalogEntry, EvaluatorRequest, TableNames, Tables, fitting};
use crate::evaluation::{Evaluator, LeaveTable, WinModel};
use crate::host::graph_cache::GraphCache;
use crate::host::input_file::{self, MOST_OF_A_GAME};
use crate::host::logging::LogTarget;
use crate::host::{memory, output_file};
use crate::lexicon::Lexicon;
use crate::protocol::resources::{BenchError, GameFile, GameRequest, Loading, NamesRequest, RecordedGame, Resources, SharedWriter};
use crate::protocol::word_maps::make_map_beside;
use crate::rules::{Layout, LetterDistribution};
use crate::search::{Knowledge, NoMemory, SearchMemory, Signals};
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Folders, in the order in which they are looked into.
#[derive(Clone, Debug, Default)]
pub struct Folders {
    folders: Vec<PathBuf>,
    /// Where the graphs of long lists are kept.
    graphs: GraphCache,
    /// Ends what is being read.
    signals: Arc<Signals>,
}

impl Folders {
    /// The folders of a `DataPath`: separated by `;`.
    pub fn of_data_path(data_path: &str) -> Folders {
        let folders = data_path.split(';').map(str::trim).filter(|part| !part.is_empty()).map(PathBuf::from);
        Folders { folders: folders.collect(), ..Folders::default() }
    }

    /// The same folders, with a place where the graphs of long lists are kept.
    fn keeping(self, graphs: &GraphCache) -> Folders {
        Folders { graphs: graphs.clone(), ..self }
    }

    /// The same folders for a load, which may be stopped.
    pub fn stopped_by(self, loading: &Loading) -> Folders {
        Folders { signals: Arc::clone(&loading.signals), ..self }
    }

    /// The folders of a load, which may be stopped.
    fn of_load(loading: &Loading) -> Folders {
        Folders::of_data_path(&loading.data_path).stopped_by(loading)
    }

    /// The folder of a file.
    fn beside(file: &Path) -> Folders {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Folders { folders: vec![folder.to_path_buf()], ..Folders::default() }
    }
}

impl ByteSource for Folders {
    /// Looks into the folders and those right below them; earlier folders come before earlier extensions.
    fn find(&self, name: &str, extensions: &[&str]) -> Option<String> {
        let found = self.folders.iter().find_map(|folder| {
            let files: Vec<PathBuf> = places_in(folder).iter().flat_map(|place| entries(place)).collect();
            extensions.iter().find_map(|extension| {
                let wanted = format!("{name}.{extension}");
                let is_wanted = |path: &&PathBuf| path.file_name().is_some_and(|file| file.to_string_lossy().eq_ignore_ascii_case(&wanted));
                files.iter().find(is_wanted).cloned()
            })
        });
        found.map(|path| path.display().to_string())
    }

    fn all(&self, extensions: &[&str]) -> Vec<String> {
        let has = |path: &Path, extension: &str| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension));
        let places = self.folders.iter().flat_map(|folder| places_in(folder));
        let files: Vec<PathBuf> = places.flat_map(|place| entries(&place)).filter(|path| path.is_file()).collect();
        let of = |extension: &&str| files.iter().filter(|path| has(path, extension)).map(|path| path.display().to_string()).collect();
        extensions.iter().flat_map(|extension| -> Vec<String> { of(extension) }).collect()
    }

    fn read(&self, place: &str, most_bytes: u64) -> io::Result<Vec<u8>> {
        input_file::read_until(Path::new(place), most_bytes, &|| self.is_stopped())
    }

    fn is_stopped(&self) -> bool {
        self.signals.is_stopped()
    }

    fn places(&self) -> Vec<String> {
        self.folders.iter().map(|folder| folder.display().to_string()).collect()
    }

    fn why_empty(&self) -> Option<&'static str> {
        self.folders.is_empty().then_some("DataPath is empty")
    }

    fn kept(&self, place: &str) -> Option<Vec<u8>> {
        self.graphs.read(Path::new(place))
    }

    fn keep(&self, place: &str, bytes: &[u8]) {
        if let Err(error) = self.graphs.write(Path::new(place), bytes) {
            tracing::info!("the word graph of {place} cannot be kept, so the next start will take as long: {error}");
        }
    }

    fn note_graph(&self, place: &str, origin: &GraphOrigin) {
        tracing::info!("word graph of {place} {origin}");
    }
}

/// A folder, then those right below it.
fn places_in(folder: &Path) -> Vec<PathBuf> {
    let mut places = vec![folder.to_path_buf()];
    places.extend(entries(folder).into_iter().filter(|entry| entry.is_dir()));
    places
}

/// What is in a folder, in order; nothing if it cannot be read.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).map(|entries| entries.flatten().map(|entry| entry.path()).collect()).unwrap_or_default();
    entries.sort();
    entries
}

/// Carries out the protocol's command `bench`, given the words after it, signals that may stop it, and a function that takes lines.
pub type BenchFunction = fn(&[String], &Signals, &mut dyn FnMut(String)) -> Result<(), BenchError>;

/// The file system, as a session asks for it.
#[derive(Debug)]
pub struct FileResources {
    log: LogTarget,
    bench: BenchFunction,
    graphs: GraphCache,
}

impl FileResources {
    /// The file system, with the program's log. Without [`with_bench`](Self::with_bench) it refuses `bench`.
    pub fn new(log: LogTarget) -> FileResources {
        FileResources {
            log,
            bench: |_, _, _| Err(BenchError::Failed { reason: "nothing is measured here".to_string() }),
            graphs: GraphCache::default(),
        }
    }

    /// The same with a folder where the graphs of long lists are kept.
    pub fn with_graphs(self, graphs: GraphCache) -> FileResources {
        FileResources { graphs, ..self }
    }

    /// The same with a way to measure the engine.
    pub fn with_bench(self, bench: BenchFunction) -> FileResources {
        FileResources { bench, ..self }
    }
}

impl Resources for FileResources {
    fn check_data_path(&self, data_path: &str) -> Result<(), ResourceError> {
        match Folders::of_data_path(data_path).folders.iter().find(|folder| !folder.is_dir()) {
            Some(missing) => Err(ResourceError::NoDirectory { directory: missing.display().to_string() }),
            None => Ok(()),
        }
    }

    fn distribution(&self, name: &str, loading: &Loading) -> Result<Arc<LetterDistribution>, ResourceError> {
        Tables::of(&Folders::of_load(loading)).distribution(name).map(Arc::new)
    }

    fn layout(&self, name: &str, loading: &Loading) -> Result<Arc<Layout>, ResourceError> {
        Tables::of(&Folders::of_load(loading)).layout(name).map(Arc::new)
    }

    fn lexicon(&self, name: &str, loading: &Loading, distribution: &Arc<LetterDistribution>) -> Result<Arc<Lexicon>, ResourceError> {
        let lexicon = Arc::new(Tables::of(&Folders::of_load(loading).keeping(&self.graphs)).lexicon(name, distribution)?);
        make_map_beside(&lexicon);
        Ok(lexicon)
    }

    fn evaluator(&self, request: &EvaluatorRequest, loading: &Loading) -> Result<Arc<Evaluator>, ResourceError> {
        Tables::of(&Folders::of_load(loading)).evaluator(request).map(Arc::new)
    }

    fn game(&self, request: &GameRequest, loading: &Loading) -> Result<RecordedGame, ResourceError> {
        let GameRequest { path, turn, rules } = request;
        let bytes = input_file::read_until(Path::new(path), MOST_OF_A_GAME, &|| loading.signals.is_stopped());
        let bytes = bytes.map_err(|error| ResourceError::unreadable(ResourceKind::Game, path, error))?;
        RecordedGame::read(&bytes, rules, *turn).map_err(|error| ResourceError::wrong_format(ResourceKind::Game, path, error))
    }

    fn names(&self, request: &NamesRequest, loading: &Loading) -> Result<Vec<CatalogEntry>, ResourceError> {
        let folders = Folders::of_load(loading);
        let names = request.names(&Tables::of(&folders));
        // The files that were not read before the stop are missing.
        if folders.is_stopped() {
            return Err(ResourceError::unreadable(request.kind(), &loading.data_path, input_file::stopped()));
        }
        Ok(names)
    }

    fn write_new(&self, file: &GameFile) -> Result<(), ResourceError> {
        let GameFile { path, text } = file;
        output_file::write_new(Path::new(path), text).map_err(|error| ResourceError::unreadable(ResourceKind::Game, path, error))
    }

    fn append(&self, path: &str) -> Result<SharedWriter, ResourceError> {
        let file = lines_to(Path::new(path)).map_err(|error| ResourceError::unreadable(ResourceKind::SampleLog, path, error))?;
        Ok(Arc::new(Mutex::new(BufWriter::new(file))))
    }

    fn log_to(&self, path: &str) -> Result<(), ResourceError> {
        self.log.set(path).map_err(|error| ResourceError::unreadable(ResourceKind::LogFile, path, error))
    }

    fn log_trouble(&self) -> Option<String> {
        self.log.trouble()
    }

    fn endgame_table(&self, megabytes: usize, memory: &SearchMemory) -> Result<(), ResourceError> {
        // Memory that the system promises may not be there when it is used. The old table is released only if the new one needs its room.
        let is_too_much = || memory::available_megabytes().is_some_and(|available| available < megabytes);
        if is_too_much() {
            memory.release();
        }
        if is_too_much() {
            return Err(ResourceError::NoMemory { megabytes, available: memory::available_megabytes() });
        }
        memory.reserve(megabytes).map_err(|NoMemory { megabytes }| ResourceError::NoMemory { megabytes, available: None })
    }

    fn bench(&self, words: &[String], signals: &Signals, say: &mut dyn FnMut(String)) -> Result<(), BenchError> {
        (self.bench)(words, signals, say)
    }
}

/// Opens a file to add lines to it. No other process can do so until it is closed.
fn lines_to(path: &Path) -> io::Result<File> {
    let mut file = output_file::append_to(path)?;
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        return Err(io::Error::other("another run is writing to this file"));
    }
    // A run that was killed may have left half a line.
    let mut last = [b'\n'];
    if file.seek(SeekFrom::End(-1)).is_ok() {
        file.read_exact(&mut last)?;
    }
    if last != [b'\n'] {
        file.write_all(b"\n")?;
    }
    Ok(file)
}

/// A lexicon, and the folder where tables of its name are looked for: that of its file.
#[derive(Clone, Debug)]
pub struct OpenedLexicon {
    /// The lexicon.
    pub lexicon: Arc<Lexicon>,
    folders: Folders,
}

/// The lexicon of a file, or the built-in one.
pub fn lexicon_or_builtin(path: Option<&Path>, distribution: &LetterDistribution) -> anyhow::Result<OpenedLexicon> {
    let Some(path) = path else {
        return Ok(OpenedLexicon { lexicon: Arc::new(Lexicon::builtin()), folders: Folders::default() });
    };
    let lexicon = fitting(open_lexicon(path, distribution)?, distribution)?;
    Ok(OpenedLexicon { lexicon: Arc::new(lexicon), folders: Folders::beside(path) })
}

/// A lexicon with these tables, and with its map from letters to words.
pub fn knowledge(opened: &OpenedLexicon, distribution: &Arc<LetterDistribution>, tables: TableNames) -> Result<Knowledge, ResourceError> {
    let request = EvaluatorRequest { tables, distribution: Arc::clone(distribution), lexicon: Arc::clone(&opened.lexicon) };
    let evaluator = Tables::of(&opened.folders).evaluator(&request)?;
    opened.lexicon.make_map();
    Ok(Knowledge { lexicon: Arc::clone(&opened.lexicon), evaluator: Arc::new(evaluator) })
}

/// Opens a word list or word graph by its extension.
pub fn open_lexicon(path: &Path, distribution: &LetterDistribution) -> Result<Lexicon, ResourceError> {
    Tables::of(&Folders::default()).open_lexicon(&path.display().to_string(), distribution)
}

/// Reads leave values: KLV2, or this program's own form by the extension `.leaves`.
pub fn open_leave_table(path: &Path, distribution: &LetterDistribution) -> Result<LeaveTable, ResourceError> {
    Tables::of(&Folders::default()).open_leave_table(&path.display().to_string(), distribution)
}

/// Reads a win % table.
pub fn open_win_table(path: &Path) -> Result<WinModel, ResourceError> {
    Tables::of(&Folders::default()).open_win_table(&path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::tables::NONE;
    use crate::formats::{klv2, leave_table};
    use crate::rules::multisets::MultisetRanks;
    use crate::rules::units::Millipoints;
    use tempfile::TempDir;

    /// A temporary folder with a folder in it.
    fn scratch() -> TempDir {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join("lexica")).unwrap();
        directory
    }

    #[test]
    fn names_are_found_in_any_case_one_level_down_and_errors_say_where() {
        let directory = scratch();
        fs::write(directory.path().join("lexica/Mini.TXT"), "cat\ncats\n").unwrap();
        let resources = FileResources::new(LogTarget::default());
        let path = directory.path().display().to_string();
        let (nowhere, there) = (Loading::default(), Loading::from_path(&path));
        let english = resources.distribution("English", &nowhere).unwrap();
        assert_eq!(resources.lexicon("MINI", &there, &english).unwrap().name(), "Mini");
        assert_eq!(resources.lexicon("enable", &nowhere, &english).unwrap().name(), "ENABLE");
        let error = resources.lexicon("CSW21", &there, &english).unwrap_err().to_string();
        assert_eq!(error, format!("no lexicon \"CSW21\": no CSW21.kwg or CSW21.txt in {path}; built in: ENABLE"));
        let error = resources.lexicon("CSW21", &nowhere, &english).unwrap_err().to_string();
        assert!(error.contains("DataPath is empty, so CSW21.kwg or CSW21.txt was not looked for"), "{error}");
        assert!(resources.check_data_path(&path).is_ok());
        assert!(resources.check_data_path(&format!("{path};{path}/no")).unwrap_err().to_string().ends_with("/no"));
    }

    #[test]
    fn the_names_that_lead_to_lexicons_and_boards_are_listed() {
        let directory = scratch();
        let path = |name: &str| directory.path().join(name).display().to_string();
        fs::write(path("lexica/Mini.TXT"), "# two words\ncat\ncats\n").unwrap();
        // Files after the list of the same name, and one that is not a list.
        fs::write(path("mini.kwg"), b"not looked into").unwrap();
        fs::write(path("lexica/mini.kwg"), b"not looked into").unwrap();
        fs::write(path("notes.txt"), "1. buy milk\n").unwrap();
        fs::write(path("empty.txt"), "").unwrap();
        fs::write(path("enable.txt"), "cat\n").unwrap();
        fs::write(path("small.txt"), include_str!("../../protocol/sessions/nine.txt")).unwrap();
        let resources = FileResources::new(LogTarget::default());
        let english = resources.distribution("english", &Loading::default()).unwrap();
        let names = |request: NamesRequest, path: &str| {
            let entry = |entry: CatalogEntry| format!("{} {}", entry.name, entry.place.unwrap_or_default());
            resources.names(&request, &Loading::from_path(path)).unwrap().into_iter().map(entry).collect::<Vec<String>>()
        };
        let folder = directory.path().display().to_string();
        let lexicons = |path: &str| names(NamesRequest::Lexicons(Arc::clone(&english)), path);
        assert_eq!(lexicons(""), ["ENABLE "]);
        assert_eq!(lexicons(&folder), ["ENABLE ".to_string(), format!("mini {}", path("mini.kwg"))]);
        fs::remove_file(path("mini.kwg")).unwrap();
        fs::remove_file(path("lexica/mini.kwg")).unwrap();
        assert_eq!(lexicons(&folder), ["ENABLE ".to_string(), format!("Mini {}", path("lexica/Mini.TXT"))]);
        assert_eq!(
            names(NamesRequest::Layouts, &folder),
            ["standard15 ".to_string(), "super21 ".to_string(), "crossplay15 ".to_string(), format!("small {}", path("small.txt"))]
        );
        assert_eq!(names(NamesRequest::Layouts, ""), ["standard15 ", "super21 ", "crossplay15 "]);
        // A table that is not a letter distribution, and one that is.
        fs::write(path("numbers.csv"), "1,2,3\n").unwrap();
        fs::write(path("mini.csv"), "?,?,1,0,0\nA,a,6,1,1\nCH,ch,6,5,0\n").unwrap();
        let listed = names(NamesRequest::Distributions, &folder);
        assert_eq!((listed[0].as_str(), listed.last()), ("english ", Some(&format!("mini {}", path("mini.csv")))));
        assert_eq!(listed.len(), 1 + names(NamesRequest::Distributions, "").len());
    }

    #[test]
    fn win_percent_comes_from_the_lexicons_own_file_or_the_built_in_table_and_on_request_from_the_formula() {
        let directory = scratch();
        fs::write(directory.path().join("lexica/mini.txt"), "cat\ncats\n").unwrap();
        let resources = FileResources::new(LogTarget::default());
        let path = directory.path().display().to_string();
        let distribution = resources.distribution("english", &Loading::default()).unwrap();
        let lexicon = resources.lexicon("mini", &Loading::from_path(&path), &distribution).unwrap();
        let name = |win_table: &str| {
            let (distribution, lexicon) = (Arc::clone(&distribution), Arc::clone(&lexicon));
            let tables = TableNames { win_table: win_table.to_string(), ..TableNames::default() };
            let request = EvaluatorRequest { tables, distribution, lexicon };
            resources.evaluator(&request, &Loading::from_path(&path)).map(|evaluator| evaluator.win_id().to_string())
        };
        assert_eq!(["auto", "", "Enable", "logistic"].map(|table| name(table).unwrap()), ["enable", "enable", "enable", "logistic"]);
        fs::write(directory.path().join("lexica/mini.win.csv"), "unseen,0\n7,0.5\n").unwrap();
        assert_eq!(["auto", "mini", "enable"].map(|table| name(table).unwrap()), ["mini", "mini", "enable"]);
        assert!(name("other").unwrap_err().to_string().ends_with("built in: auto enable crossplay logistic"));
    }

    #[test]
    fn tables_beside_a_list_are_found_with_it() {
        let directory = scratch();
        let list = directory.path().join("mini.txt");
        fs::write(&list, "cat\ncats\n").unwrap();
        let english = Arc::new(LetterDistribution::english());
        let ids = || {
            let tables = TableNames { racks: NONE.to_string(), ..TableNames::default() };
            let knowledge = knowledge(&lexicon_or_builtin(Some(&list), &english).unwrap(), &english, tables).unwrap();
            [knowledge.evaluator.leaves_id(), knowledge.evaluator.win_id().to_string()]
        };
        assert_eq!(ids(), ["enable", "enable"]);
        fs::write(directory.path().join("mini.klv2"), klv2::to_bytes(&[(&[1][..], 2.5)].into_iter().collect()).unwrap()).unwrap();
        fs::write(directory.path().join("mini.win.csv"), "unseen,0\n7,0.5\n").unwrap();
        assert_eq!(ids(), ["mini", "mini"]);
        // Dynamic leaves are used by searches, and by players that are given them.
        let racks = leave_table::racks_to_bytes(27, &vec![Millipoints::ZERO; MultisetRanks::new(27).count(7)]);
        fs::write(directory.path().join("mini.racks"), racks).unwrap();
        assert_eq!(ids(), ["mini", "mini"]);
        let (lexicon, resources) = (lexicon_or_builtin(Some(&list), &english).unwrap().lexicon, FileResources::new(LogTarget::default()));
        let request = EvaluatorRequest { tables: TableNames::default(), distribution: english, lexicon };
        let found = resources.evaluator(&request, &Loading::from_path(&directory.path().display().to_string())).unwrap();
        assert_eq!(found.leaves_id(), "mini+racks");
    }

    #[test]
    fn no_flipped_bit_of_a_kept_graph_changes_a_lexicon() {
        let directory = scratch();
        let list = directory.path().join("long.txt");
        let words: Vec<&str> = include_str!("../../lexicons/enable.txt").lines().step_by(8).collect();
        fs::write(&list, words.join("\n")).unwrap();
        let cache = GraphCache::in_folder(directory.path().join("cache"));
        let english = LetterDistribution::english();
        let load = || Tables::of(&Folders::default().keeping(&cache)).open_lexicon(&list.display().to_string(), &english).unwrap();
        let built = load();
        let whole = cache.read(&list).unwrap();
        // Header, hash, both roots, then all through the DAWG and the GADDAG to the last node.
        let spread = (1..=24).map(|part| whole.len() * part / 24 - 1);
        for at in [0, 7, 8, 15, 16, 19, 20, 23, 24].into_iter().chain(spread) {
            let mut flipped = whole.clone();
            flipped[at] ^= 1 << (at % 8);
            cache.write(&list, &flipped).unwrap();
            assert!(load().graph() == built.graph(), "byte {at}");
            assert!(cache.read(&list).unwrap() == whole, "byte {at}: a damaged graph was not replaced");
        }
        // What was kept is used: nothing is written then.
        assert!(load().graph() == built.graph());
        assert_eq!(fs::read_dir(directory.path().join("cache")).unwrap().count(), 1);
    }

    #[test]
    fn a_broken_graph_is_refused_with_its_file() {
        let directory = scratch();
        let file = directory.path().join("b.kwg");
        fs::write(&file, b"abc").unwrap();
        let error = open_lexicon(&file, &LetterDistribution::english()).unwrap_err();
        assert!(error.to_string().starts_with(&format!("{}: 3 bytes", file.display())), "{error}");
    }
}
