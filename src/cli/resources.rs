//! Finds what a session asks for in the file system: by name in the directories of `DataPath` and one level below them, or by
//! path. What the program carries itself is found by name without any file.

use crate::cli::bench;
use crate::cli::logging::LogTarget;
use crate::evaluation::heuristics::RackHeuristic;
use crate::evaluation::{BagTerms, Evaluator, LeaveTable, Leaves, RackMeans, WinModel};
use crate::formats::{bag_terms, gcg, klv2, kwg, layout, leave_table, letter_distribution, win_table};
use crate::lexicon::{BUILTIN_NAME, Lexicon};
use crate::protocol::resources::{EvaluatorRequest, RecordedGame, Resources, SharedWriter};
use crate::rules::{GameRules, Layout, LetterDistribution};
use crate::search::Knowledge;
use clap::Parser;
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Names under which the standard board is known.
const STANDARD_LAYOUTS: [&str; 3] = ["standard15", "standard", "CrosswordGame"];

/// The heuristics that can be named as leave values.
const HEURISTICS: [RackHeuristic; 3] = [RackHeuristic::Letters, RackHeuristic::Duplicates, RackHeuristic::VowelMix];

/// Extensions of leave values.
const LEAVE_FILES: [&str; 2] = ["klv2", "leaves"];

/// The value of `Leaves` and `WinPctTable` that leaves the choice to the program.
pub(super) const AUTO: &str = "auto";

/// The name of no leave values, and of no terms for the end of the bag.
pub(super) const NONE: &str = "none";

/// The file system.
#[derive(Debug)]
pub struct FileResources {
    log: LogTarget,
}

impl FileResources {
    /// The file system, with the program's log.
    pub fn new(log: LogTarget) -> FileResources {
        FileResources { log }
    }
}

impl Resources for FileResources {
    fn check_data_path(&self, data_path: &str) -> Result<(), String> {
        match directories(data_path).find(|directory| !directory.is_dir()) {
            Some(missing) => Err(format!("DataPath: there is no directory {}", missing.display())),
            None => Ok(()),
        }
    }

    fn distribution(&self, name: &str, data_path: &str) -> Result<Arc<LetterDistribution>, String> {
        if name.eq_ignore_ascii_case("english") {
            return Ok(Arc::new(letter_distribution::english()));
        }
        let path = find("letter distribution", name, data_path, &["csv"], &["english"])?;
        let distribution = letter_distribution::parse(&stem(&path), &read_text(&path)?);
        distribution.map(Arc::new).map_err(|error| in_file(&path, &error))
    }

    fn layout(&self, name: &str, data_path: &str) -> Result<Arc<Layout>, String> {
        if STANDARD_LAYOUTS.iter().any(|standard| name.eq_ignore_ascii_case(standard)) {
            return Ok(Arc::new(layout::standard()));
        }
        let path = find("board layout", name, data_path, &["txt"], &STANDARD_LAYOUTS)?;
        layout::parse(&stem(&path), &read_text(&path)?).map(Arc::new).map_err(|error| in_file(&path, &error))
    }

    fn lexicon(&self, name: &str, data_path: &str, distribution: &Arc<LetterDistribution>) -> Result<Arc<Lexicon>, String> {
        let lexicon = if name.eq_ignore_ascii_case(BUILTIN_NAME) {
            Lexicon::builtin()
        } else {
            open_lexicon(&find("lexicon", name, data_path, &["kwg", "txt"], &[BUILTIN_NAME])?, distribution)?
        };
        if !lexicon.fits(distribution) {
            return Err(format!("the lexicon {} has letters that the {} alphabet lacks", lexicon.name(), distribution.name()));
        }
        let lexicon = Arc::new(lexicon);
        // Not waited for: until the map is there, searches are slower.
        std::thread::spawn({
            let lexicon = Arc::clone(&lexicon);
            move || lexicon.make_map()
        });
        Ok(lexicon)
    }

    fn evaluator(&self, request: &EvaluatorRequest, data_path: &str) -> Result<Arc<Evaluator>, String> {
        evaluator(request, data_path).map(Arc::new)
    }

    fn game(&self, path: &str, turn: Option<usize>, rules: &Arc<GameRules>) -> Result<RecordedGame, String> {
        let path = Path::new(path);
        let bytes = fs::read(path).map_err(|error| in_file(path, &error))?;
        let game = gcg::parse(&gcg::decode(&bytes), rules).map_err(|error| in_file(path, &error))?;
        let replay = gcg::replay(&game, rules, turn).map_err(|error| in_file(path, &error))?;
        Ok(RecordedGame { positions: replay.positions, lexicon: game.lexicon().map(String::from) })
    }

    fn create(&self, path: &str) -> Result<SharedWriter, String> {
        let file = File::create(path).map_err(|error| in_file(Path::new(path), &error))?;
        Ok(Arc::new(Mutex::new(BufWriter::new(file))))
    }

    fn log_to(&self, path: &str) -> Result<(), String> {
        self.log.set(path).map_err(|error| in_file(Path::new(path), &error))
    }

    fn bench(&self, words: &[String], say: &mut dyn FnMut(String)) -> Result<(), String> {
        let arguments = BenchCommand::try_parse_from(words).map_err(|error| error.kind().to_string() + ": bench [threads] [seconds]")?;
        let mut line = |text: &str| {
            say(text.to_string());
            Ok(())
        };
        bench::run(&arguments.bench, &mut line).map_err(|error| format!("{error:#}"))
    }
}

/// The words of the protocol's `bench` command.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct BenchCommand {
    #[command(flatten)]
    bench: bench::Arguments,
}

/// A lexicon, and where tables of its name are looked for: beside its file.
#[derive(Clone, Debug)]
pub(super) struct OpenedLexicon {
    /// The lexicon.
    pub lexicon: Arc<Lexicon>,
    folder: String,
}

/// The lexicon of a file, or the built-in one.
pub(super) fn lexicon_or_builtin(path: Option<&Path>, distribution: &LetterDistribution) -> anyhow::Result<OpenedLexicon> {
    let Some(path) = path else {
        return Ok(OpenedLexicon { lexicon: Arc::new(Lexicon::builtin()), folder: String::new() });
    };
    let lexicon = open_lexicon(path, distribution).map(Arc::new).map_err(anyhow::Error::msg)?;
    let (name, alphabet) = (lexicon.name(), distribution.name());
    anyhow::ensure!(lexicon.fits(distribution), "the lexicon {name} has letters that the {alphabet} alphabet lacks");
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(OpenedLexicon { lexicon, folder: folder.display().to_string() })
}

/// Tables by name or file.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableRequest<'a> {
    /// Leave values.
    pub leaves: &'a str,
    /// A win % table.
    pub win_table: &'a str,
    /// Terms for the end of the bag: a file, `none`, or `auto` for those that go with the leave values.
    pub bag: &'a str,
    /// Means of full racks: a file; none for static leaves.
    pub racks: Option<&'a str>,
}

/// A lexicon with its own leave values and win % model: what every player knows who is told nothing else.
pub(super) fn own_knowledge(lexicon: &OpenedLexicon, distribution: &Arc<LetterDistribution>) -> anyhow::Result<Knowledge> {
    knowledge(lexicon, distribution, &TableRequest { leaves: AUTO, win_table: AUTO, bag: AUTO, racks: None })
}

/// A lexicon with these tables, and with its map from letters to words.
pub(super) fn knowledge(
    opened: &OpenedLexicon,
    distribution: &Arc<LetterDistribution>,
    tables: &TableRequest<'_>,
) -> anyhow::Result<Knowledge> {
    let request = EvaluatorRequest {
        leaves: tables.leaves.to_string(),
        win_table: tables.win_table.to_string(),
        distribution: Arc::clone(distribution),
        lexicon: Arc::clone(&opened.lexicon),
    };
    let mut evaluator = evaluator(&request, &opened.folder).map_err(anyhow::Error::msg)?;
    if tables.bag != AUTO {
        let bag = if tables.bag == NONE { Ok(None) } else { open_bag_terms(Path::new(tables.bag)).map(Some) };
        evaluator.leaves = evaluator.leaves.with_bag_terms(bag.map_err(anyhow::Error::msg)?);
    }
    evaluator.rack_means = tables.racks.map(|path| open_racks(Path::new(path), distribution)).transpose().map_err(anyhow::Error::msg)?;
    opened.lexicon.make_map();
    Ok(Knowledge { lexicon: Arc::clone(&opened.lexicon), evaluator: Arc::new(evaluator) })
}

fn evaluator(request: &EvaluatorRequest, data_path: &str) -> Result<Evaluator, String> {
    let racks = find_named(request.lexicon.name(), data_path, &["racks"]);
    let leaves = leaves(request, data_path)?;
    // The terms are for trained values: the heuristics are what their author made them.
    let bag = if leaves.is_trained() { Some(bag_terms(request, data_path)?) } else { None };
    Ok(Evaluator {
        leaves: leaves.with_bag_terms(bag),
        win_model: win_model(request, data_path)?,
        rack_means: racks.map(|path| open_racks(&path, &request.distribution)).transpose()?,
    })
}

/// Opens a word list or word graph by its extension.
pub(super) fn open_lexicon(path: &Path, distribution: &LetterDistribution) -> Result<Lexicon, String> {
    let name = stem(path);
    if has_extension(path, "txt") {
        return Lexicon::from_text(&name, distribution, &read_text(path)?).map_err(|error| in_file(path, &error));
    }
    let bytes = fs::read(path).map_err(|error| in_file(path, &error))?;
    let graph = kwg::parse(&bytes).map_err(|error| in_file(path, &error))?;
    Ok(Lexicon::from_graph(&name, graph))
}

/// The leave values that the program carries, if they are for this alphabet.
pub(super) fn built_in_leaves(distribution: &LetterDistribution) -> Option<Leaves> {
    let is_theirs = *distribution == letter_distribution::english();
    is_theirs.then(|| Leaves::trained(leave_table::BUILTIN_NAME, leave_table::builtin()))
}

/// Reads leave values: KLV2, or this program's own form by the extension `.leaves`.
pub(super) fn open_leaves(path: &Path, distribution: &LetterDistribution) -> Result<Leaves, String> {
    open_leave_table(path, distribution).map(|table| Leaves::trained(&stem(path), table))
}

/// The same, as a table.
pub(super) fn open_leave_table(path: &Path, distribution: &LetterDistribution) -> Result<LeaveTable, String> {
    let bytes = fs::read(path).map_err(|error| in_file(path, &error))?;
    if !has_extension(path, "leaves") {
        let values = klv2::parse(&bytes).map_err(|error| in_file(path, &error))?;
        return LeaveTable::from_values(distribution, values.iter()).map_err(|error| in_file(path, &error));
    }
    let table = leave_table::parse(&bytes).map_err(|error| in_file(path, &error))?;
    check_kinds(path, table.ranks().kinds(), distribution).map(|()| table)
}

/// Reads the means of full racks.
fn open_racks(path: &Path, distribution: &LetterDistribution) -> Result<RackMeans, String> {
    let bytes = fs::read(path).map_err(|error| in_file(path, &error))?;
    let means = leave_table::parse_racks(&bytes).map_err(|error| in_file(path, &error))?;
    check_kinds(path, means.kinds(), distribution).map(|()| means)
}

fn check_kinds(path: &Path, found: usize, distribution: &LetterDistribution) -> Result<(), String> {
    let (alphabet, expected) = (distribution.name(), distribution.letter_count() + 1);
    if found != expected {
        return Err(format!("{}: {found} kinds of tiles, the {alphabet} alphabet has {expected}", path.display()));
    }
    Ok(())
}

/// The win % table that the program carries.
pub(super) fn built_in_win_table() -> WinModel {
    WinModel::table(win_table::BUILTIN_NAME, win_table::builtin())
}

/// Reads a win % table.
pub(super) fn open_win_table(path: &Path) -> Result<WinModel, String> {
    let table = win_table::parse(&read_text(path)?).map_err(|error| in_file(path, &error))?;
    Ok(WinModel::table(stem(path).trim_end_matches(".win"), table))
}

fn leaves(request: &EvaluatorRequest, data_path: &str) -> Result<Leaves, String> {
    let distribution = &request.distribution;
    let name = request.leaves.as_str();
    if name.eq_ignore_ascii_case(AUTO) || name.is_empty() {
        return match find_named(request.lexicon.name(), data_path, &LEAVE_FILES) {
            Some(path) => open_leaves(&path, distribution),
            None => Ok(built_in_leaves(distribution).unwrap_or_else(|| Leaves::heuristic(RackHeuristic::VowelMix, distribution))),
        };
    }
    if name.eq_ignore_ascii_case(leave_table::BUILTIN_NAME) {
        return built_in_leaves(distribution)
            .ok_or_else(|| format!("the leave values {name} are for the english alphabet, this is {}", distribution.name()));
    }
    if name.eq_ignore_ascii_case(NONE) {
        return Ok(Leaves::nothing());
    }
    if let Some(&heuristic) = HEURISTICS.iter().find(|heuristic| heuristic.name().eq_ignore_ascii_case(name)) {
        return Ok(Leaves::heuristic(heuristic, distribution));
    }
    let [first, second, third] = HEURISTICS.map(RackHeuristic::name);
    let built_in = [AUTO, leave_table::BUILTIN_NAME, NONE, first, second, third];
    let path = find("leave values", name, data_path, &LEAVE_FILES, &built_in)?;
    open_leaves(&path, distribution)
}

/// The terms for the end of the bag that go with the lexicon: a file of its name, or the built-in ones.
fn bag_terms(request: &EvaluatorRequest, data_path: &str) -> Result<BagTerms, String> {
    find_named(request.lexicon.name(), data_path, &["bag.csv"]).map_or_else(|| Ok(bag_terms::builtin()), |path| open_bag_terms(&path))
}

fn open_bag_terms(path: &Path) -> Result<BagTerms, String> {
    bag_terms::parse(&read_text(path)?).map_err(|error| in_file(path, &error))
}

fn win_model(request: &EvaluatorRequest, data_path: &str) -> Result<WinModel, String> {
    let name = request.win_table.as_str();
    let path = if name.eq_ignore_ascii_case(AUTO) || name.is_empty() {
        match find_named(request.lexicon.name(), data_path, &["win.csv"]) {
            Some(path) => path,
            None => return Ok(built_in_win_table()),
        }
    } else if name.eq_ignore_ascii_case(WinModel::formula().name()) {
        return Ok(WinModel::formula());
    } else if name.eq_ignore_ascii_case(win_table::BUILTIN_NAME) {
        return Ok(built_in_win_table());
    } else {
        find("win % table", name, data_path, &["win.csv"], &[AUTO, win_table::BUILTIN_NAME, WinModel::formula().name()])?
    };
    open_win_table(&path)
}

fn directories(data_path: &str) -> impl Iterator<Item = PathBuf> + '_ {
    data_path.split(';').map(str::trim).filter(|part| !part.is_empty()).map(PathBuf::from)
}

/// The file that a name or path means.
fn find(what: &str, name: &str, data_path: &str, extensions: &[&str], built_in: &[&str]) -> Result<PathBuf, String> {
    if name.contains(['/', '\\']) || Path::new(name).extension().is_some() {
        return Ok(PathBuf::from(name));
    }
    find_named(name, data_path, extensions).ok_or_else(|| {
        let files: Vec<String> = extensions.iter().map(|extension| format!("{name}.{extension}")).collect();
        let files = files.join(" or ");
        let places: Vec<String> = directories(data_path).map(|directory| directory.display().to_string()).collect();
        let places = if places.is_empty() {
            format!("DataPath is empty, so {files} was not looked for")
        } else {
            format!("no {files} in {}", places.join(", "))
        };
        format!("no {what} {name:?}: {places}; built in: {}", built_in.join(" "))
    })
}

/// `<name>.<extension>` in any case, in the directories and those right below them; earlier directories and extensions first.
fn find_named(name: &str, data_path: &str, extensions: &[&str]) -> Option<PathBuf> {
    directories(data_path).find_map(|directory| {
        let mut places = vec![directory.clone()];
        places.extend(entries(&directory).into_iter().filter(|entry| entry.is_dir()));
        let files: Vec<PathBuf> = places.iter().flat_map(|place| entries(place)).collect();
        extensions.iter().find_map(|extension| {
            let wanted = format!("{name}.{extension}");
            let is_wanted = |path: &&PathBuf| path.file_name().is_some_and(|file| file.to_string_lossy().eq_ignore_ascii_case(&wanted));
            files.iter().find(is_wanted).cloned()
        })
    })
}

/// What is in a directory, in order; nothing if it cannot be read.
fn entries(directory: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(directory).map(|entries| entries.flatten().map(|entry| entry.path()).collect()).unwrap_or_default();
    entries.sort();
    entries
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn read_text(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| in_file(path, &error))
}

fn in_file(path: &Path, error: &dyn std::fmt::Display) -> String {
    format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::multisets::MultisetRanks;

    fn scratch(name: &str) -> PathBuf {
        let directory = std::env::temp_dir().join(format!("tilewright-{}-{name}", std::process::id()));
        fs::create_dir_all(directory.join("lexica")).unwrap();
        directory
    }

    #[test]
    fn names_are_found_in_any_case_one_level_down_and_errors_say_where() {
        let directory = scratch("names");
        fs::write(directory.join("lexica/Mini.TXT"), "cat\ncats\n").unwrap();
        let resources = FileResources::new(LogTarget::default());
        let english = resources.distribution("English", "").unwrap();
        let path = directory.display().to_string();
        assert_eq!(resources.lexicon("MINI", &path, &english).unwrap().name(), "Mini");
        assert_eq!(resources.lexicon("enable", "", &english).unwrap().name(), "ENABLE");
        let error = resources.lexicon("CSW21", &path, &english).unwrap_err();
        assert_eq!(error, format!("no lexicon \"CSW21\": no CSW21.kwg or CSW21.txt in {path}; built in: ENABLE"));
        let error = resources.lexicon("CSW21", "", &english).unwrap_err();
        assert!(error.contains("DataPath is empty, so CSW21.kwg or CSW21.txt was not looked for"), "{error}");
        assert!(resources.check_data_path(&path).is_ok());
        assert!(resources.check_data_path(&format!("{path};{path}/no")).unwrap_err().ends_with("/no"));
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn win_percent_comes_from_the_lexicons_own_file_or_the_built_in_table_and_on_request_from_the_formula() {
        let directory = scratch("winpct");
        fs::write(directory.join("lexica/mini.txt"), "cat\ncats\n").unwrap();
        let resources = FileResources::new(LogTarget::default());
        let path = directory.display().to_string();
        let distribution = resources.distribution("english", "").unwrap();
        let lexicon = resources.lexicon("mini", &path, &distribution).unwrap();
        let name = |win_table: &str| {
            let (distribution, lexicon) = (Arc::clone(&distribution), Arc::clone(&lexicon));
            let request = EvaluatorRequest { leaves: AUTO.to_string(), win_table: win_table.to_string(), distribution, lexicon };
            resources.evaluator(&request, &path).map(|evaluator| evaluator.win_id().to_string())
        };
        assert_eq!(["auto", "", "Enable", "logistic"].map(|table| name(table).unwrap()), ["enable", "enable", "enable", "logistic"]);
        fs::write(directory.join("lexica/mini.win.csv"), "unseen,0\n7,0.5\n").unwrap();
        assert_eq!(["auto", "mini", "enable"].map(|table| name(table).unwrap()), ["mini", "mini", "enable"]);
        assert!(name("other").unwrap_err().ends_with("built in: auto enable logistic"));
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn tables_beside_a_list_are_found_with_it() {
        let directory = scratch("beside");
        let list = directory.join("mini.txt");
        fs::write(&list, "cat\ncats\n").unwrap();
        let english = Arc::new(letter_distribution::english());
        let ids = || {
            let knowledge = own_knowledge(&lexicon_or_builtin(Some(&list), &english).unwrap(), &english).unwrap();
            [knowledge.evaluator.leaves_id(), knowledge.evaluator.win_id().to_string()]
        };
        assert_eq!(ids(), ["enable", "enable"]);
        fs::write(directory.join("mini.klv2"), klv2::to_bytes(&[(&[1][..], 2.5)].into_iter().collect()).unwrap()).unwrap();
        fs::write(directory.join("mini.win.csv"), "unseen,0\n7,0.5\n").unwrap();
        assert_eq!(ids(), ["mini", "mini"]);
        // Dynamic leaves are for who asks for them, and for searches.
        let racks = leave_table::racks_to_bytes(27, &vec![0; MultisetRanks::new(27).count(7)]);
        fs::write(directory.join("mini.racks"), racks).unwrap();
        assert_eq!(ids(), ["mini", "mini"]);
        let (lexicon, resources) = (lexicon_or_builtin(Some(&list), &english).unwrap().lexicon, FileResources::new(LogTarget::default()));
        let request = EvaluatorRequest { leaves: AUTO.into(), win_table: AUTO.into(), distribution: english, lexicon };
        let found = resources.evaluator(&request, &directory.display().to_string()).unwrap();
        assert_eq!(found.leaves_id(), "mini+racks");
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn a_broken_graph_is_refused_with_its_file() {
        let directory = scratch("broken");
        let file = directory.join("b.kwg");
        fs::write(&file, b"abc").unwrap();
        let error = open_lexicon(&file, &letter_distribution::english()).unwrap_err();
        assert!(error.starts_with(&format!("{}: 3 bytes", file.display())), "{error}");
        fs::remove_dir_all(directory).unwrap();
    }
}
