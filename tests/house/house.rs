//! The house rules, held against the text of the source and its documents. Test code may use anything.
//!
//! | file | what it holds |
//! |---|---|
//! | `source.rs` | reads a file of `src/` as a compiler does: what it uses, its types and functions, without tests |
//! | `imports.rs` | the code map by file: a file uses only files above it, and no circle stands between files |
//! | `layers.rs` | folders are layers, files introduce themselves and stand on the map, the outside is confined |
//! | `names.rs` | a type's name is its own; functions and files are not too long |
//! | `references.rs` | files that are named exist, sources that are cited are in the bibliography |
//! | `exceptions.rs` | the exceptions, each with its reason |
//!
//! A check fails on what it finds beyond the exceptions, and on exceptions that it does not find any more. It writes all that
//! it has found to `house-<check>.txt` in cargo's folder for tests, a line each, in the form that `exceptions.rs` takes. Start there.
//!
//! A crate of its own, so that a slip is found in seconds, before anything else is compiled:
//!
//! ```text
//! cargo test --locked --manifest-path tests/house/Cargo.toml --target-dir target
//! ```

mod exceptions;
mod imports;
mod layers;
mod names;
mod references;
mod source;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The folders of `src/`, low to high. A file uses its own layer and those before it.
const LAYERS: [&str; 18] = [
    "rules",
    "lexicon",
    "movegen",
    "evaluation",
    "search",
    "formats",
    "engine",
    "ghost",
    "players",
    "match_play",
    "training",
    "regret",
    "protocol",
    "pages",
    "analysis",
    "tournament",
    "web",
    "cli",
];

/// Something that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Finding {
    /// What is found, without line numbers: the form in which an exception names it.
    what: String,
    /// Where it stands.
    place: String,
}

/// Fails if a check found something that is no exception, or did not find an exception.
fn judge(check: &str, findings: &[Finding]) {
    let line = |finding: &Finding| format!("{check}: {}", finding.what);
    let found: BTreeSet<String> = findings.iter().map(line).collect();
    let ours = |line: &&str| line.starts_with(&format!("{check}: "));
    let kept: BTreeSet<&str> = exceptions::KEPT.iter().map(|(line, _)| *line).filter(ours).collect();
    let to_mend: BTreeSet<&str> = exceptions::TO_MEND.lines().filter(ours).collect();
    let allowed = |line: &str| kept.contains(line) || to_mend.contains(line);

    let mut wrong = Vec::new();
    for finding in findings.iter().filter(|finding| !allowed(&line(finding))) {
        wrong.push(format!("{}   [{}]", line(finding), finding.place));
    }
    for gone in kept.union(&to_mend).filter(|line| !found.contains(**line)) {
        wrong.push(format!("no longer found, take it from the exceptions: {gone}"));
    }
    let all: String = found.iter().filter(|line| !kept.contains(line.as_str())).map(|line| format!("{line}\n")).collect();
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("house-{}.txt", check.replace(' ', "-")));
    std::fs::write(path, all).expect("the folder for tests can be written to");
    assert!(wrong.is_empty(), "{} against the rule \"{check}\":\n{}", wrong.len(), wrong.join("\n"));
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// The code map with its glossary and bibliography.
fn read_map() -> String {
    std::fs::read_to_string(repository().join("src/README.md")).expect("src/README.md is there")
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
