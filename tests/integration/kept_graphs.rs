//! The graph of a long list is compiled once and kept in the user's cache folder; whatever stands there, the words are those of the list.
//!
//! Not here: damage of each bit (`formats/kwg.rs`, `host/resources.rs`).

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const BUILT: &str = "built: no graph was kept";
const KEPT: &str = "kept from an earlier run, and checked";
const OF_OTHER_WORDS: &str = "built: the kept graph has other words";
const DAMAGED: &str = "built: the kept graph cannot be used";

/// A list of the user's own and a cache folder.
struct OwnList {
    folder: TempDir,
}

impl OwnList {
    fn new(words: usize) -> OwnList {
        let own = OwnList { folder: tempfile::tempdir().expect("a temporary folder") };
        own.write(words);
        own
    }

    /// Every sixth word of the built-in list, this many.
    fn write(&self, words: usize) {
        let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("lexicons/enable.txt")).expect("the built-in list");
        let words: Vec<&str> = text.lines().step_by(6).take(words).collect();
        std::fs::write(self.list(), words.join("\n")).expect("the list is written");
    }

    fn list(&self) -> PathBuf {
        self.folder.path().join("own.txt")
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    /// The files in the cache.
    fn kept(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.cache().join("tilewright")).expect("the cache folder is there");
        entries.map(|entry| entry.expect("a readable folder").path()).collect()
    }

    fn command(&self, cache: &Path) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
        let option = format!("setoption name Lexicon value {}", self.list().display());
        command.args([option.as_str(), "isready", "position startpos", "rack AEINRST", "go gen"]);
        command.env("XDG_CACHE_HOME", cache).env("TILEWRIGHT_LOG", "tilewright=info");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// All plays that the program finds with this list; its log must say this of the graph.
    fn plays(&self, expected: &str) -> String {
        checked(&self.command(&self.cache()).output().expect("the program runs"), expected)
    }
}

/// What was said on stdout.
fn checked(output: &Output, expected: &str) -> String {
    let [said, log] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert!(output.status.success(), "{said}\n{log}");
    assert!(log.contains(expected), "expected {expected:?} in the log:\n{log}");
    assert!(said.starts_with("readyok\n") && said.contains("8H."), "{said}");
    assert!(!said.contains("error"), "{said}");
    said
}

#[test]
fn a_graph_is_kept_used_and_replaced_when_the_list_changes() {
    let own = OwnList::new(24_000);
    let built = own.plays(BUILT);
    assert_eq!(own.plays(KEPT), built);
    own.write(23_000);
    let shorter = own.plays(OF_OTHER_WORDS);
    assert_ne!(shorter, built);
    assert_eq!(own.plays(KEPT), shorter);
    assert_eq!(own.kept().len(), 1);
}

#[test]
fn definitions_of_a_long_list_are_shown_whether_its_graph_was_built_or_kept() {
    let own = OwnList::new(24_000);
    let text = std::fs::read_to_string(own.list()).expect("the list");
    let word = text.lines().nth(7_000).expect("a word").to_string();
    let defined: Vec<String> = text.lines().map(|line| format!("{line}\twhat {line} means")).collect();
    std::fs::write(own.list(), defined.join("\n")).expect("the list is written");
    for expected in [BUILT, KEPT] {
        let mut command = own.command(&own.cache());
        let said = checked(&command.arg(format!("check {word}")).output().expect("the program runs"), expected);
        assert!(said.ends_with(&format!("check {word} valid\ninfo string definition {word} what {word} means\n")), "{said}");
    }
}

#[test]
fn a_damaged_graph_is_replaced() {
    let own = OwnList::new(24_000);
    let built = own.plays(BUILT);
    let [file] = own.kept().try_into().expect("one file");
    let whole = std::fs::read(&file).expect("a readable file");
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 4;
    for damaged in [&whole[..whole.len() - 4], &whole[..9], &[], &flipped, b"something else"] {
        std::fs::write(&file, damaged).expect("the file is damaged");
        assert_eq!(own.plays(DAMAGED), built);
        assert_eq!(std::fs::read(&file).expect("a readable file"), whole, "mended");
    }
    assert_eq!(own.plays(KEPT), built);
}

#[test]
fn processes_that_start_together_do_not_disturb_each_other() {
    let own = OwnList::new(24_000);
    let children: Vec<_> = (0..4).map(|_| own.command(&own.cache()).spawn().expect("the program starts")).collect();
    // The first ones build; a later one may find what they kept.
    let said: Vec<String> =
        children.into_iter().map(|child| checked(&child.wait_with_output().expect("the program ends"), "word graph of ")).collect();
    assert!(said.iter().all(|text| *text == said[0]));
    assert_eq!(own.plays(KEPT), said[0]);
    assert_eq!(own.kept().len(), 1, "no unfinished files");
}

#[test]
fn a_cache_that_cannot_be_written_is_no_error() {
    let own = OwnList::new(24_000);
    // A file where the folder should be: nobody may write there, not even the system's administrator.
    let blocked = own.list();
    let run = || own.command(&blocked).output().expect("the program runs");
    let built = checked(&run(), "cannot be kept");
    assert_eq!(checked(&run(), BUILT), built);
}

#[test]
fn a_short_list_leaves_nothing_behind() {
    let own = OwnList::new(10_000);
    own.plays("");
    assert!(!own.cache().exists());
}
