//! The layers of the source, held against its text: what may use what, which files may touch the outside, and that every
//! file introduces itself and stands on the map. Test code (`#[cfg(test)]`, files named `tests.rs`) may use anything.

use std::path::{Path, PathBuf};

/// The folders of `src/`, low to high. A file uses its own layer and those before it.
const LAYERS: [&str; 11] =
    ["rules", "lexicon", "movegen", "evaluation", "search", "players", "formats", "match_play", "training", "protocol", "cli"];

/// Text that only the listed places may contain, with the reason.
const CONFINED: [(&str, &[&str], &str); 12] = [
    ("tokio::", &["protocol/server.rs"], "only the server is asynchronous"),
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
    ("process::Command", &["cli/bench.rs", "match_play/"], "only matches start a process, and the bench, to time its start"),
];

struct Source {
    /// Relative to `src/`, with `/`.
    name: String,
    text: String,
}

impl Source {
    /// The code that is shipped: tests and comments taken out, line for line.
    fn shipped(&self) -> Vec<(usize, String)> {
        let mut shipped = Vec::new();
        let mut lines = self.text.lines().enumerate();
        while let Some((index, line)) = lines.next() {
            let indent = &line[..line.len() - line.trim_start().len()];
            if line.trim() == "#[cfg(test)]" {
                // The item below, to the end that rustfmt puts at its own indentation.
                let end = format!("{indent}}}");
                for (_, item) in lines.by_ref() {
                    let is_one_line = item.starts_with(indent) && !item[indent.len()..].starts_with(' ') && item.ends_with(';');
                    if is_one_line || item == end {
                        break;
                    }
                }
                continue;
            }
            let code = line.split("//").next().unwrap_or_default();
            shipped.push((index + 1, code.to_string()));
        }
        shipped
    }

    fn layer(&self) -> Option<usize> {
        let folder = self.name.split('/').next()?;
        LAYERS.iter().position(|layer| *layer == folder)
    }
}

fn source_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn all_files() -> Vec<Source> {
    let root = source_folder();
    let mut folders = vec![root.clone()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a readable folder") {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(&root).expect("below src").to_string_lossy().replace('\\', "/");
                files.push(Source { name, text: std::fs::read_to_string(&path).expect("a readable file") });
            }
        }
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(files.len() > 10, "only {} files below src", files.len());
    files
}

fn shipped_files() -> Vec<Source> {
    all_files().into_iter().filter(|file| !file.name.ends_with("/tests.rs")).collect()
}

/// The layers that a line of code names: `crate::rules`, `crate::{rules, search}`, `tilewright::rules`.
fn layers_named(code: &str) -> Vec<usize> {
    let mut named = Vec::new();
    for root in ["crate::", "tilewright::"] {
        for (at, _) in code.match_indices(root) {
            let rest = &code[at + root.len()..];
            let names: Vec<&str> = match rest.strip_prefix('{') {
                Some(list) => list.split(['{', '}']).next().unwrap_or_default().split(',').map(str::trim).collect(),
                None => vec![rest],
            };
            for name in names {
                let word: String = name.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                named.extend(LAYERS.iter().position(|layer| *layer == word));
            }
        }
    }
    named
}

#[test]
fn a_file_uses_no_layer_above_its_own() {
    let mut uses = 0;
    let mut wrong = Vec::new();
    for file in shipped_files() {
        let Some(own) = file.layer() else { continue };
        for (number, code) in file.shipped() {
            for used in layers_named(&code) {
                uses += 1;
                if used > own {
                    wrong.push(format!("src/{}:{number} uses {}, which is above {}", file.name, LAYERS[used], LAYERS[own]));
                }
            }
        }
    }
    assert!(uses > 50, "only {uses} uses found: does the test still read the code?");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_folder_is_a_layer() {
    for file in all_files() {
        let is_root = ["lib.rs", "main.rs"].contains(&file.name.as_str());
        assert!(is_root || file.layer().is_some(), "src/{} is in no layer", file.name);
    }
}

#[test]
fn the_outside_is_touched_only_where_it_may_be() {
    let mut wrong = Vec::new();
    for file in shipped_files() {
        for (number, code) in file.shipped() {
            for (text, places, reason) in CONFINED {
                let found = code.match_indices(text).any(|(at, _)| is_own_word(&code, at));
                if found && !places.iter().any(|place| file.name.starts_with(place)) {
                    wrong.push(format!("src/{}:{number} has {text}: {reason}", file.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether what stands there is not the end of a longer name, such as `eprintln!` or `GcgFile::`.
fn is_own_word(code: &str, at: usize) -> bool {
    !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_')
}

#[test]
fn every_file_introduces_itself() {
    for file in all_files() {
        assert!(file.text.starts_with("//! "), "src/{} does not open with //!", file.name);
    }
}

/// A file is on the map with its path; a `mod.rs` is where its folder is. What the map names is there.
#[test]
fn every_file_is_on_the_map_and_the_other_way_round() {
    let map = std::fs::read_to_string(source_folder().join("README.md")).expect("src/README.md is there");
    let mut missing = Vec::new();
    for Source { name, .. } in all_files() {
        let place = name.strip_suffix("mod.rs").unwrap_or(&name);
        if !map.contains(&format!("`{place}`")) {
            missing.push(name);
        }
    }
    assert!(missing.is_empty(), "src/README.md does not mention {missing:?}");
    let quoted = map.split('`').skip(1).step_by(2).filter(|text| text.ends_with(".rs"));
    let named = quoted.filter(|text| LAYERS.iter().any(|layer| text.starts_with(&format!("{layer}/"))));
    let gone: Vec<&str> = named.filter(|name| !source_folder().join(name).exists()).collect();
    assert!(gone.is_empty(), "src/README.md mentions {gone:?}, which are not there");
}

#[test]
fn the_reader_of_this_test_sees_what_it_must() {
    let source = |text: &str| Source { name: "rules/x.rs".to_string(), text: text.to_string() };
    let text = "use crate::lexicon::A;\n#[cfg(test)]\nuse crate::cli::B;\nfn f() {}\n#[cfg(test)]\nmod tests {\n    use crate::cli::C;\n}\nfn g() {}";
    let shipped: Vec<String> = source(text).shipped().into_iter().map(|(_, code)| code).collect();
    assert_eq!(shipped, ["use crate::lexicon::A;", "fn f() {}", "fn g() {}"]);
    assert_eq!(layers_named("use crate::{rules::Rack, search};"), [0, 4]);
    assert_eq!(layers_named("let x = crate::protocol::parse::parse(crate::rules::Y);"), [9, 0]);
    assert!(layers_named("use std::collections::HashMap;").is_empty());
    assert!(is_own_word("println!", 0) && !is_own_word("eprintln!", 1));
}
