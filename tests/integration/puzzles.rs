//! `tilewright puzzles` as a user runs it: its files are read back, the same seed makes the same bytes, and mistakes are told.

use crate::integration::in_folder::{fine, read, refused};
use serde_json::Value;
use std::fs;

/// An opening with one bingo, one with several equal ones, and a line that is no position.
const LIST: &str = "EIOQTUX\nAEINRST\n15/15 AEIOU/ 0/0 0\n";

#[test]
fn puzzles_of_a_list_are_written_and_read_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("racks.cgp"), LIST).expect("a file");
    let told = fine(folder, "puzzles racks.cgp --iterations 40 --least-difficulty 0 --out found.cgp --json found.json --html found.html");
    assert!(told.contains("1 puzzle in 2 positions; ") && !told.contains("QUIXOTE"), "the solution is not told: {told}");
    let list = read(folder, "found.cgp");
    assert!(list.starts_with("# puzzle 1: ") && list.ends_with("QUIXOTE\n") && list.lines().count() == 2, "{list}");
    let document: Value = serde_json::from_str(&read(folder, "found.json")).expect("JSON");
    let puzzle = &document["puzzles"][0];
    assert!(puzzle["solution"]["play"].as_str().is_some_and(|play| play.ends_with(".QUIXOTE")), "{puzzle}");
    assert_eq!((puzzle["themes"][1].as_str(), puzzle["turn"].as_u64()), (Some("bingo"), Some(1)));
    assert!(read(folder, "found.html").contains("<section class=\"puzzle"));
    // Without a file the list itself is printed. The position alone is the same puzzle: it is the first one again.
    let again = fine(folder, "puzzles found.cgp --iterations 40 --least-difficulty 0");
    assert_eq!(again.replace("found.cgp", "racks.cgp"), list);
    let judged = fine(folder, "analyse found.cgp --iterations 40");
    assert!(judged.contains("QUIXOTE"), "{judged}");
    // Every key of a puzzle is described.
    let text = include_str!("../../docs/puzzles.md").split("## The JSON document").nth(1).expect("a description");
    let keys = document.as_object().into_iter().chain(puzzle.as_object()).flat_map(|object| object.keys());
    let missing: Vec<&String> = keys.filter(|key| !text.contains(&format!("`{key}`"))).collect();
    assert_eq!(missing, Vec::<&String>::new(), "not in docs/puzzles.md");
    refused(folder, "puzzles racks.cgp --iterations 40 --out found.cgp", "--force");
    refused(folder, "puzzles none.gcg --iterations 40", "none.gcg: ");
    refused(folder, "puzzles", "no games: name files or folders of games, or use --games <N>");
    refused(folder, "puzzles racks.cgp --games 2", "cannot be used with");
    refused(folder, "puzzles --games 1 --players knowall", "this player sees hidden tiles");
    refused(folder, "puzzles --games 1 --variant wordsmog", "this subcommand does not play wordsmog");
    refused(folder, "puzzles racks.cgp --variant misere", "this subcommand does not play misere");
    refused(folder, "puzzles racks.cgp --margin 0", "0 is not in 1..=100");
    refused(folder, "puzzles racks.cgp --shard 1/2", "--shard needs --journal");
    refused(folder, "puzzles racks.cgp --shard 1/2 --journal a.j --out b.cgp", "--shard writes only the journal: join the journals");
}
