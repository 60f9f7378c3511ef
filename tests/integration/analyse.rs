//! `tilewright analyse` on games that the program plays against itself, and on files with faults.

use crate::integration::engine_process::share_machine;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs the program. Returns what it said on stdout and stderr.
fn run(folder: &Path, words: &str) -> (bool, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
    let command = command.args(words.split(' ')).current_dir(folder).stdin(Stdio::null());
    let Output { status, stdout, stderr } = command.output().expect("the program runs");
    (status.success(), String::from_utf8_lossy(&stdout).into_owned(), String::from_utf8_lossy(&stderr).into_owned())
}

fn fine(folder: &Path, words: &str) -> String {
    let (is_fine, out, errors) = run(folder, words);
    assert!(is_fine, "{words}: {out}{errors}");
    out
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn a_game_is_reported_in_all_forms_and_twice_the_same() {
    let _machine = share_machine();
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fine(folder, "selfplay 2 --seed 5 --out games");
    let line = "analyse games/game00001.gcg --iterations 20";
    let text = fine(folder, &format!("{line} --threads 1 --html a.html --json a.json --gcg a.gcg"));
    assert_eq!(fine(folder, &format!("{line} --threads 3 --json b.json")), text, "threads change nothing");
    let turns = read(folder, "games/game00001.gcg").lines().filter(|line| line.starts_with('>') && !line.contains(" (")).count();
    let report: Value = serde_json::from_str(&read(folder, "a.json")).expect("JSON");
    let judged = report["games"][0]["turns"].as_array().expect("turns");
    assert_eq!(judged.len(), turns);
    assert!(judged.iter().all(|turn| turn["verdict"].is_object() && turn["luck"].is_object()), "all racks are known");
    assert_eq!(report["games"][0]["notes"], Value::Array(Vec::new()));
    let exact = judged.iter().filter(|turn| turn["in_bag"] == 0 && turn["verdict"]["certainty"] == "exact").count();
    assert!(exact > 0, "endgames are exact");
    assert_eq!(read(folder, "a.html").matches("<section class=\"turn\"").count(), turns);
    assert_eq!(read(folder, "a.gcg").lines().filter(|line| line.starts_with("#note ")).count(), turns);
    // The record with its notes is a game that can be analysed again, and nothing is written over unasked.
    fine(folder, "analyse a.gcg --iterations 1");
    let (is_fine, _, errors) = run(folder, &format!("{line} --json a.json"));
    assert!(!is_fine && errors.contains("--force"), "{errors}");
}

#[test]
fn several_games_have_their_sums_and_faults_are_told() {
    let _machine = share_machine();
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fine(folder, "selfplay 1 --seed 6 --out games");
    let whole = read(folder, "games/game00000.gcg");
    let events: Vec<&str> = whole.lines().collect();
    // Cut in the middle of a line; without a rack; in another character set; no game at all.
    fs::write(folder.join("games/cut.gcg"), &whole[..whole.len() / 3]).expect("a file");
    let fourth = events[3].split(' ').nth(1).expect("a rack");
    fs::write(folder.join("games/rack.gcg"), events[..6].join("\n").replacen(&format!("{fourth} "), "", 1)).expect("a file");
    fs::write(folder.join("games/latin.gcg"), [b"#player1 first Zo\xeb\n".as_slice(), events[2..5].join("\n").as_bytes()].concat())
        .expect("a file");
    fs::write(folder.join("games/none.gcg"), "hello\n").expect("a file");
    let (is_fine, out, errors) = run(folder, "analyse games --iterations 5 --html pages");
    assert!(is_fine, "{out}{errors}");
    assert!(errors.contains("none.gcg: line 1, column 1"), "{errors}");
    assert!(out.contains("the game is read up to there") && out.contains("the rack is unknown"), "{out}");
    assert!(out.contains("first: 4 games, a game: lost"), "{out}");
    let mut pages: Vec<String> = fs::read_dir(folder.join("pages"))
        .expect("a folder")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    pages.sort();
    assert_eq!(pages, ["cut.html", "game00000.html", "latin.html", "rack.html"]);
    assert!(read(folder, "pages/latin.html").contains("Zoë"));
    let (is_fine, _, errors) = run(folder, "analyse games/none.gcg");
    assert!(!is_fine && errors.contains("no game could be read"), "{errors}");
}
