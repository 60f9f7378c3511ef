//! The house rules, held against the text of the source and its documents. Test code may use anything.
//!
//! | file | what it holds |
//! |---|---|
//! | `source.rs` | reads a file of `src/` as a compiler does: what it uses, its types and functions, without tests |
//! | `imports.rs` | no circle is between files, and a folder has its face inside |
//! | `layers.rs` | folders are layers, files introduce themselves, the outside is confined |
//! | `map.rs` | `src/MAP.md` and the drawing in `src/README.md` are what the source says |
//! | `names.rs` | a type's name is its own; functions and files are not too long |
//! | `prose.rs` | documents are in plain English |
//! | `references.rs` | files that are named exist, sources that are cited are in the bibliography |
//!
//! A crate of its own, so that a slip is found in seconds, before anything else is compiled:
//!
//! ```text
//! cargo test --locked -p tilewright-house
//! ```

mod imports;
mod layers;
mod map;
mod names;
mod prose;
mod references;
mod source;

use std::path::{Path, PathBuf};

/// Something that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Finding {
    what: String,
    /// Where it is found.
    place: String,
}

/// Fails if a check found something.
fn judge(rule: &str, findings: &[Finding]) {
    let lines: Vec<String> = findings.iter().map(|finding| format!("{}   [{}]", finding.what, finding.place)).collect();
    assert!(findings.is_empty(), "{} against the rule \"{rule}\":\n{}", findings.len(), lines.join("\n"));
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

fn read(name: &str) -> String {
    std::fs::read_to_string(repository().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Returns the layers, low to high: the modules of the library, in the order in which `src/lib.rs` declares them.
fn layers() -> Vec<String> {
    let library = read("src/lib.rs");
    let declared = library.lines().filter_map(|line| line.strip_suffix(';')?.split_once("mod ").map(|(_, name)| name.to_string()));
    let layers: Vec<String> = declared.collect();
    assert!(layers.len() > 5, "src/lib.rs declares only {layers:?}");
    layers
}

/// The paths of the repository's own files: without those that are built, fetched or made by a run.
fn own_files() -> Vec<String> {
    let others = ["target", ".git", "private", "results", "fuzz/runs"];
    let is_cache = |folder: &str| folder.ends_with("_cache") || folder.ends_with("__pycache__");
    files_below("", |folder| !others.contains(&folder) && !is_cache(folder))
}

/// The lines of a document with their numbers, from 1. Code and its fences are empty lines.
fn without_code(document: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    document.lines().enumerate().map(move |(index, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        (index + 1, if is_code || is_fence { "" } else { line })
    })
}

/// The paths of all files below a folder, relative to the repository and with `/`, sorted. Folders for which `enter` says no are left out.
fn files_below(folder: &str, enter: impl Fn(&str) -> bool) -> Vec<String> {
    let root = repository();
    let mut folders = vec![root.join(folder)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a readable folder") {
            let path = entry.expect("a readable folder").path();
            let name = path.strip_prefix(&root).expect("below the repository").to_string_lossy().replace('\\', "/");
            if !path.is_dir() {
                files.push(name);
            } else if enter(&name) {
                folders.push(path);
            }
        }
    }
    files.sort();
    files
}
