//! Files that subcommands write: nothing is written over unasked, nothing is ever half written, each file has one writer, and what a
//! run prints as the way to go on does go on.

use crate::integration::waiting::soon;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

fn tilewright(folder: &Path, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
    command.args(words.split(' ')).current_dir(folder).stdin(Stdio::null());
    command
}

/// Runs the program. Returns whether it succeeded, and what it said on stderr.
fn run(folder: &Path, words: &str) -> (bool, String) {
    told(&mut tilewright(folder, words))
}

fn told(command: &mut Command) -> (bool, String) {
    let Output { status, stderr, .. } = command.output().expect("the program runs");
    (status.success(), String::from_utf8_lossy(&stderr).into_owned())
}

/// Runs the program, which must refuse without a change in the folder.
fn refused(folder: &Path, words: &str, expected: &str) {
    let before = contents(folder);
    let (is_fine, said) = run(folder, words);
    assert!(!is_fine && said.contains(expected), "{words}: {said}");
    assert_eq!(contents(folder), before, "{words}");
}

/// All files below a folder, in order.
fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            files.extend(contents(&path));
        } else {
            let bytes = fs::read(&path).expect("a readable file");
            files.push((path, bytes));
        }
    }
    files.sort();
    files
}

/// A run in the background, ended with the test.
struct Running(Child);

impl Running {
    fn start(folder: &Path, words: &str) -> Running {
        let mut command = tilewright(folder, words);
        Running(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts"))
    }

    fn is_alive(&mut self) -> bool {
        self.0.try_wait().expect("the process can be waited for").is_none()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn lines_of(path: &Path) -> usize {
    fs::read_to_string(path).map_or(0, |text| text.lines().count())
}

/// What the lines of a match's file say of each pair, without the times.
fn scores(path: &Path) -> Vec<serde_json::Value> {
    let text = fs::read_to_string(path).expect("a file");
    let pairs = text.lines().skip(1).map(|line| serde_json::from_str::<serde_json::Value>(line).expect("a line of JSON"));
    pairs.map(|pair| [0, 1].map(|game: usize| pair["games"][game]["scores"].clone()).into_iter().collect()).collect()
}

#[test]
fn nothing_is_written_over_unless_that_is_asked_for() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("a file");
    write("words.txt", "cat\ncats\n");
    refused(folder, "lexicon build words.txt words.txt", "words.txt: this is the input file: name another file for the output");
    refused(folder, "lexicon build words.txt ./words.txt --force", "this is the input file");
    assert!(run(folder, "lexicon build words.txt words.kwg").0);
    for name in ["old.kwg", "old.klv2", "old.txt", "old.bag.csv", "old.win.csv", "old.racks", "old.jsonl"] {
        write(name, "mine");
    }
    let is_there = "is there already: --force writes over it";
    for words in [
        "lexicon build words.txt old.kwg",
        "lexicon export words.kwg old.txt",
        "lexicon leaves enable old.klv2",
        "lab train bag --out old.bag.csv",
        "lab train winpct --out old.win.csv",
        "lab train leaves --out old.klv2",
        "lab train leaves --out new.klv2 --racks old.racks",
    ] {
        refused(folder, words, is_there);
    }
    refused(folder, "match greedy rack1 --out old.jsonl", "the journal is there already: --resume goes on");
    assert!(run(folder, "lexicon build words.txt old.kwg --force").0);
    assert_eq!(fs::read(folder.join("old.kwg")).unwrap(), fs::read(folder.join("words.kwg")).unwrap());
    assert!(run(folder, "lexicon export words.kwg old.txt --force").0);
    assert_eq!(fs::read_to_string(folder.join("old.txt")).unwrap(), "CAT\nCATS\n");
    assert!(run(folder, "match greedy rack1 --pairs 1 --out old.jsonl --force").0);
    assert_eq!(lines_of(&folder.join("old.jsonl")), 2);
}

#[test]
fn records_of_games_are_not_written_over() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    let (is_fine, said) = run(folder, "lab selfplay 2 --out games");
    assert!(is_fine && said.contains("games 2 of 2, "), "progress is told: {said}");
    refused(folder, "lab selfplay 3 --out games --seed 2", "is there already: --force writes over it");
    assert!(run(folder, "lab selfplay 2 --out games --force").0);
    assert!(run(folder, "match greedy rack1 --pairs 1 --gcg games --out m.jsonl").0);
    let records = fs::read_dir(folder.join("games")).unwrap().count();
    assert_eq!(records, 4, "two games, and two of a pair");
    let (is_fine, said) = run(folder, "match greedy rack1 --pairs 1 --gcg games");
    assert!(!is_fine && said.contains("pair000000-") && said.contains("--force"), "{said}");
    // A match that goes on writes behind what it has.
    let (is_fine, said) = run(folder, "match greedy rack1 --pairs 2 --gcg games --out m.jsonl --resume");
    assert!(is_fine, "{said}");
    assert!(run(folder, "match greedy rack1 --pairs 1 --gcg games --force").0);
}

#[test]
fn where_output_goes_is_tried_before_the_work() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    // With their usual numbers of games these would take hours.
    for words in ["lab train bag --out no/such.bag.csv", "lab train winpct --out no/such.win.csv", "lab train leaves --out no/such.klv2"] {
        refused(folder, words, "cannot write no/such.");
    }
    refused(folder, "lab train leaves --out a.klv2 --racks no/such.racks", "cannot write no/such.racks");
    fs::write(folder.join("file"), "mine").unwrap();
    refused(folder, "lab selfplay 1000000 --out file", "cannot create the folder file");
    refused(folder, "match greedy rack1 --pairs 1000000 --gcg file", "cannot create the folder file");
    refused(folder, "match greedy rack1 --pairs 1000000 --out no/such", "no/such: ");
}

/// A limit on the size of files is what an ordinary user can make of a full disk: a write gives an error in the middle of a file.
#[cfg(unix)]
#[test]
fn on_a_full_disk_the_old_file_stays_and_no_part_of_a_new_one_is_left() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    let limited = |words: &str| {
        let mut command = Command::new("sh");
        // Blocks of 512 or 1024 bytes; the graph and the values of ENABLE have megabytes.
        command.args(["-c", "trap '' XFSZ; ulimit -f 200; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_tilewright")]);
        told(command.args(words.split(' ')).current_dir(folder).stdin(Stdio::null()))
    };
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("lexicons/enable.txt"), folder.join("enable.txt")).expect("a copy");
    fs::write(folder.join("old.kwg"), "mine").unwrap();
    let before = contents(folder);
    for words in ["lexicon build enable.txt new.kwg", "lexicon build enable.txt old.kwg --force", "lexicon leaves enable new.klv2"] {
        let (is_fine, said) = limited(words);
        let name = words.split(' ').nth(3).unwrap();
        assert!(!is_fine && said.contains(&format!("cannot write {name}: ")), "{words}: {said}");
        assert!(contents(folder) == before, "{words} has left something");
    }
}

/// The file of a match grows by lines: what was written before the disk was full is kept, and gone on from.
#[cfg(unix)]
#[test]
fn a_match_goes_on_from_what_was_written_before_the_disk_was_full() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_tilewright")]);
    command.args("match greedy rack1 --pairs 60 --out m.jsonl".split(' ')).current_dir(folder).stdin(Stdio::null());
    let (is_fine, said) = told(&mut command);
    assert!(!is_fine && said.contains(" pairs are kept, go on with: ") && said.contains("m.jsonl"), "{said}");
    assert!(run(folder, "match greedy rack1 --pairs 60 --out m.jsonl --resume").0);
    assert!(run(folder, "match greedy rack1 --pairs 60 --out whole.jsonl").0);
    assert_eq!(scores(&folder.join("m.jsonl")), scores(&folder.join("whole.jsonl")));
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_take_what_can_be_streamed_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    fs::write(folder.join("words.txt"), "cat\ncats\n").expect("a file");
    assert!(run(folder, "lexicon build words.txt words.kwg").0);
    let exported = tilewright(folder, "lexicon export words.kwg /dev/stdout").output().expect("the program runs");
    assert_eq!(String::from_utf8_lossy(&exported.stdout), "CAT\nCATS\n");
    // Standard output is a pipe here: a match that read it would wait for itself.
    for words in ["match greedy rack1 --pairs 2 --out /dev/stdout", "match greedy rack1 --pairs 2 --resume --out /dev/stdout"] {
        let (is_fine, said) = run(folder, words);
        assert!(!is_fine && said.contains("/dev/stdout: not a file: a journal is kept in a file"), "{said}");
    }
    assert!(run(folder, "lab train winpct --out /dev/stdout").1.contains("/dev/stdout: not a file"));
    if Path::new("/dev/full").exists() {
        assert!(run(folder, "lexicon export words.kwg /dev/full").1.contains("cannot write /dev/full: "));
    }
    assert!(fs::metadata("/dev/null").is_ok_and(|found| !found.is_file()));
}

/// Nobody writes to the pipe: a match that read it would wait for ever.
#[cfg(unix)]
#[test]
fn a_pipe_is_refused_as_a_list_of_words() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    assert!(Command::new("mkfifo").arg(folder.path().join("pipe.txt")).status().expect("mkfifo runs").success());
    let (is_fine, said) = run(folder.path(), "match greedy rack1 --pairs 2 --lexicon pipe.txt");
    assert!(!is_fine && said.contains("pipe.txt") && said.contains("this is a pipe, not a file"), "{said}");
}

#[test]
fn a_file_has_one_writer() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    let is_written =
        "another process is writing to this file, or this one writes to it twice: wait for the other to end, or name another file";

    let mut first = Running::start(folder, "match greedy rack1 --pairs 1000000 --threads 1 --out m.jsonl");
    soon("a pair is played", || lines_of(&folder.join("m.jsonl")) > 1);
    for flag in ["--resume", "--force", "--referee"] {
        let (is_fine, said) = run(folder, &format!("match greedy rack1 --pairs 2 --out m.jsonl {flag}"));
        assert!(!is_fine && said.contains(&format!("m.jsonl: {is_written}")), "{flag}: {said}");
    }
    assert!(first.is_alive());
    drop(first);
    // A killed match leaves no lock behind, and its file is whole.
    let pairs = lines_of(&folder.join("m.jsonl"));
    let (is_fine, said) = run(folder, &format!("match greedy rack1 --pairs {pairs} --out m.jsonl --resume"));
    assert!(is_fine, "{said}");

    for (words, part) in [
        ("lab train winpct --save-every 4 --threads 1 --out t.win.csv", "t.win.csv.part"),
        ("lab train bag --threads 1 --out t.bag.csv", "t.bag.csv.part"),
        ("lab train leaves --save-every 1 --threads 1 --out t.klv2", "t.klv2.part"),
        ("lab train weights --threads 1 --out t.csv", "t.csv.part"),
    ] {
        let mut first = Running::start(folder, words);
        soon("the place is taken", || folder.join(part).exists());
        // The file is there a moment before it is locked.
        std::thread::sleep(Duration::from_millis(200));
        // Between two savings, too.
        for _ in 0..3 {
            let (is_fine, said) = run(folder, words);
            assert!(!is_fine && said.contains(&format!("{part}: {is_written}")), "{words}: {said}");
        }
        assert!(first.is_alive());
    }

    let mut first = Running::start(folder, "lab selfplay 1000000 --out games");
    soon("a game is played", || folder.join("games/game00000.gcg").exists());
    if cfg!(unix) {
        let (is_fine, said) = run(folder, "lab selfplay 1 --out games --force");
        assert!(!is_fine && said.contains(&format!("games: {is_written}")), "{said}");
    }
    assert!(first.is_alive());
}

/// Starts a run, kills it when it has begun, and pastes what it has said into a shell in another folder.
#[cfg(unix)]
fn interrupt_and_paste(folder: &Path, words: &str, has_begun: impl Fn() -> bool) -> Output {
    let said = folder.join("said");
    let mut command = tilewright(folder, words);
    // Found by its name alone, as on a search path.
    std::os::unix::process::CommandExt::arg0(&mut command, "tilewright");
    let stderr = fs::File::create(&said).expect("a file");
    let mut child = Running(command.stdout(Stdio::null()).stderr(stderr).spawn().expect("the program starts"));
    soon("the run has begun", || has_begun() || child.0.try_wait().is_ok_and(|ended| ended.is_some()));
    drop(child);
    let said = fs::read_to_string(said).expect("what it said");
    let command = said.lines().find_map(|line| line.strip_prefix("if interrupted, go on with: ")).unwrap_or_else(|| panic!("{said}"));
    Command::new("sh").args(["-c", command]).current_dir("/").stdin(Stdio::null()).output().expect("a shell runs")
}

#[cfg(unix)]
#[test]
fn the_command_to_go_on_works_when_it_is_pasted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path().join("my folder");
    fs::create_dir(&folder).expect("a folder");

    // Old results, which the first command writes over, and the pasted one must not.
    assert!(run(&folder, "match rack2 rack3 --pairs 1 --out m.jsonl").0);
    let begun = || fs::read_to_string(folder.join("m.jsonl")).is_ok_and(|text| text.contains("greedy") && text.lines().count() > 2);
    let output = interrupt_and_paste(&folder, "match greedy rack1 --force --pairs 150 --threads 1 --out m.jsonl", begun);
    let report = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && report.contains("result a greedy b rack1 pairs 150 "), "{output:?}");

    let part = folder.join("t.win.csv.part");
    let begun = || fs::read_to_string(&part).is_ok_and(|text| text.lines().count() > 1);
    let output = interrupt_and_paste(&folder, "lab train winpct --games 40 --save-every 4 --threads 1 --out t.win.csv", begun);
    assert!(output.status.success(), "{output:?}");
    assert!(fs::read_to_string(folder.join("t.win.csv")).is_ok_and(|table| table.contains("40 games")) && !part.exists());
}

/// Names of files need not be UTF-8, and the command to go on is printed all the same.
#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_not_utf_8_is_a_name() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let name: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(b"m\xff.jsonl");
    let mut command = tilewright(folder.path(), "match greedy rack1 --pairs 1 --out");
    let (is_fine, said) = told(command.arg(name));
    assert!(is_fine && folder.path().join(name).exists(), "{said}");
}
