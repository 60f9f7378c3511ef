//! Folders of `src/` are layers; every file introduces itself; only some touch the outside.

use super::layers;
use super::source::{Source, all_files, shipped_files};

/// Text that only the listed places may contain, with the reason.
const CONFINED: [(&str, &[&str], &str); 12] = [
    (
        "tokio::",
        &["protocol/server.rs", "protocol/unread.rs", "bridge/", "board/mod.rs", "host/interrupts.rs", "web/wasm/"],
        "only servers and signals are asynchronous",
    ),
    (
        "nom::",
        &["rules/grammar.rs", "rules/notation.rs", "formats/cgp/parse.rs", "formats/gcg/parse.rs", "protocol/parse.rs"],
        "each grammar has one file that reads it, above the small parsers that they share",
    ),
    ("std::fs", &["host/"], "one room touches files"),
    ("File::", &["host/"], "one room touches files"),
    ("std::env::", &["host/", "web/wasm/"], "no configuration from outside reaches the engine unseen"),
    ("println!", &[], "stdout belongs to the protocol's one writer"),
    ("std::io::stdout", &["host/", "protocol/server.rs"], "stdout belongs to the protocol's one writer"),
    ("std::io::stdin", &["cli/mod.rs", "protocol/server.rs"], "one reader, and the warden"),
    ("Instant", &["protocol/server.rs", "match_play/clocks.rs", PROGRAM], "a search reads no clock, so that it can be replayed"),
    ("SystemTime", &[PROGRAM], "a search reads no clock, so that it can be replayed"),
    ("process::exit", &["host/long_run.rs", "arena/mod.rs"], "errors do not end the process"),
    (
        "process::Command",
        &["processes/", "arena/", "conform/", "bridge/", "board/reports.rs", "lab/bench.rs", "cli/replay.rs"],
        "only what plays or checks engines starts a process, and the bench, to time its start",
    ),
];

/// Stands for the folders of the program, which have clocks: `host/` and those above it.
const PROGRAM: &str = "the program";

/// Where a file uses a layer above its own.
fn layers_above(file: &Source, layers: &[String]) -> Vec<String> {
    let layer_of = |folder: &str| layers.iter().position(|layer| layer == folder);
    let Some(own) = file.folder().and_then(layer_of) else { return Vec::new() };
    let mut wrong = Vec::new();
    for (line, path) in &file.uses {
        if let Some(used) = path.first().and_then(|folder| layer_of(folder)).filter(|used| *used > own) {
            wrong.push(format!("src/{}:{line} uses {}, which is above {}", file.name, layers[used], layers[own]));
        }
    }
    wrong
}

/// Where a file touches the outside and may not.
fn unconfined(file: &Source, layers: &[String]) -> Vec<String> {
    let (of_program, mut wrong) = (layers.iter().skip_while(|layer| *layer != "host"), Vec::new());
    let is_program = of_program.clone().any(|layer| file.folder() == Some(layer));
    for (number, code) in &file.shipped {
        for (text, places, reason) in CONFINED {
            let found = code.match_indices(text).any(|(at, _)| is_own_word(code, at));
            if found && !places.iter().any(|place| file.name.starts_with(place) || *place == PROGRAM && is_program) {
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
    let layers = layers();
    let wrong: Vec<String> = shipped_files().into_iter().flat_map(|file| layers_above(file, &layers)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_folder_is_a_layer() {
    let layers = layers();
    for file in all_files() {
        let is_root = ["lib.rs", "main.rs"].contains(&file.name.as_str());
        let is_in_layer = file.folder().is_some_and(|folder| layers.iter().any(|layer| layer == folder));
        assert!(is_root || is_in_layer, "src/{} is in no folder that src/lib.rs declares", file.name);
    }
}

#[test]
fn the_outside_is_touched_only_where_it_may_be() {
    let layers = layers();
    let wrong: Vec<String> = shipped_files().into_iter().flat_map(|file| unconfined(file, &layers)).collect();
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
    let layers = ["rules", "movegen", "search", "protocol", "cli"].map(str::to_string);
    assert_eq!(
        layers_above(&file, &layers),
        ["src/movegen/x.rs:1 uses search, which is above movegen", "src/movegen/x.rs:4 uses protocol, which is above movegen"]
    );
    assert!(layers_above(&Source::read("cli/x.rs", text), &layers).is_empty());
}

#[test]
fn what_is_confined_is_seen() {
    let file = Source::read("rules/x.rs", "fn f() { eprintln!(\"a\"); GcgFile::new(); }\nfn g() { std::fs::read(); } // println!");
    assert_eq!(unconfined(&file, &[]), ["src/rules/x.rs:2 has std::fs: one room touches files"]);
    assert!(is_own_word("println!", 0) && !is_own_word("eprintln!", 1));
}
