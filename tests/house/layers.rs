//! Folders of `src/` are layers; every file introduces itself; only some touch the outside.

use super::source::{Source, all_files, shipped_files};
use super::{Finding, LAYERS, judge, repository};

/// Text that only the listed places may contain, with the reason.
const CONFINED: [(&str, &[&str], &str); 12] = [
    ("tokio::", &["protocol/server.rs", "protocol/unread.rs", "cli/board.rs", "cli/bridge/"], "only servers are asynchronous"),
    (
        "nom::",
        &["rules/grammar.rs", "rules/notation.rs", "formats/cgp/parse.rs", "formats/gcg/parse.rs", "protocol/parse.rs"],
        "each grammar has one file that reads it, above the small parsers that they share",
    ),
    ("std::fs", &["cli/"], "only the command line touches files"),
    ("File::", &["cli/"], "only the command line touches files"),
    ("println!", &[], "stdout belongs to the protocol's one writer"),
    ("std::io::stdout", &["cli/", "protocol/server.rs"], "stdout belongs to the protocol's one writer"),
    ("std::io::stdin", &["cli/", "protocol/server.rs"], "one reader"),
    ("Instant", &["cli/", "protocol/server.rs", "match_play/"], "a search reads no clock, so that it can be replayed"),
    ("SystemTime", &["cli/", "protocol/server.rs", "match_play/"], "a search reads no clock, so that it can be replayed"),
    ("std::env::", &["cli/"], "no configuration from outside reaches the engine unseen"),
    ("process::exit", &["cli/", "main.rs"], "errors do not end the process"),
    (
        "process::Command",
        &[
            "cli/bench.rs",
            "cli/board.rs",
            "cli/board_reports.rs",
            "cli/bridge/",
            "cli/replay.rs",
            "cli/tournament/",
            "cli/conform/",
            "match_play/",
        ],
        "only matches, tournaments, checks, replays, the bridge and the board start a process, and the bench, to time its start",
    ),
];

fn layer_of(folder: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| *layer == folder)
}

/// Where a file uses a layer above its own.
fn layers_above(file: &Source) -> Vec<String> {
    let Some(own) = file.folder().and_then(layer_of) else { return Vec::new() };
    let mut wrong = Vec::new();
    for (line, path) in &file.uses {
        if let Some(used) = path.first().and_then(|folder| layer_of(folder)).filter(|used| *used > own) {
            wrong.push(format!("src/{}:{line} uses {}, which is above {}", file.name, LAYERS[used], LAYERS[own]));
        }
    }
    wrong
}

/// Where a file touches the outside and may not.
fn unconfined(file: &Source) -> Vec<String> {
    let mut wrong = Vec::new();
    for (number, code) in &file.shipped {
        for (text, places, reason) in CONFINED {
            let found = code.match_indices(text).any(|(at, _)| is_own_word(code, at));
            if found && !places.iter().any(|place| file.name.starts_with(place)) {
                wrong.push(format!("src/{}:{number} has {text}: {reason}", file.name));
            }
        }
    }
    wrong
}

/// Whether what stands there is not the end of a longer name, such as `eprintln!` or `GcgFile::`.
fn is_own_word(code: &str, at: usize) -> bool {
    !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_')
}

#[test]
fn a_file_uses_no_layer_above_its_own() {
    let wrong: Vec<String> = shipped_files().into_iter().flat_map(layers_above).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_folder_is_a_layer() {
    for file in all_files() {
        let is_root = ["lib.rs", "main.rs"].contains(&file.name.as_str());
        assert!(is_root || file.folder().and_then(layer_of).is_some(), "src/{} is in no layer", file.name);
    }
}

#[test]
fn the_library_declares_the_layers_from_low_to_high() {
    let library = std::fs::read_to_string(repository().join("src/lib.rs")).expect("src/lib.rs is there");
    let declared = library.lines().filter_map(|line| line.strip_suffix(';')?.split_once("mod ").map(|(_, name)| name));
    let declared: Vec<&str> = declared.filter(|name| layer_of(name).is_some()).collect();
    assert!(declared.len() > 5, "src/lib.rs declares only {declared:?}");
    let late = declared.windows(2).filter(|pair| layer_of(pair[0]) > layer_of(pair[1]));
    let finding = |pair: &[&str]| Finding { what: format!("{} before {}", pair[0], pair[1]), place: "src/lib.rs".to_string() };
    judge("library", &late.map(finding).collect::<Vec<_>>());
}

#[test]
fn the_outside_is_touched_only_where_it_may_be() {
    let wrong: Vec<String> = shipped_files().into_iter().flat_map(unconfined).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_file_introduces_itself() {
    for file in all_files() {
        assert!(file.text.starts_with("//! "), "src/{} does not open with //!", file.name);
    }
}

#[test]
fn layers_above_are_seen() {
    let text =
        "use crate::{rules::Rack, search};\n#[cfg(test)]\nuse crate::cli::B;\nfn f() { crate::protocol::parse::parse(std::mem::take(x)); }";
    let file = Source::read("movegen/x.rs", text);
    assert_eq!(
        layers_above(&file),
        ["src/movegen/x.rs:1 uses search, which is above movegen", "src/movegen/x.rs:4 uses protocol, which is above movegen"]
    );
    assert!(layers_above(&Source::read("cli/x.rs", text)).is_empty());
}

#[test]
fn what_is_confined_is_seen() {
    let file = Source::read("rules/x.rs", "fn f() { eprintln!(\"a\"); GcgFile::new(); }\nfn g() { std::fs::read(); } // println!");
    assert_eq!(unconfined(&file), ["src/rules/x.rs:2 has std::fs: only the command line touches files"]);
    assert!(is_own_word("println!", 0) && !is_own_word("eprintln!", 1));
}
