//! The crates that this one is made from: their licences, duplicate versions and sources, as `deny.toml` wants them; and the same features for the
//! tests as for the program that ships.
//!
//! Read with cargo alone and without network. Licences are those of the crates for this machine's platform: cargo knows no more of the
//! others than their names. Not here: advisories, see `deny.toml`.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text(file: &str) -> String {
    std::fs::read_to_string(repository().join(file)).expect("a file of the repository")
}

/// What stands between double quotes.
fn quoted(text: &str) -> Vec<String> {
    text.split('"').skip(1).step_by(2).map(String::from).collect()
}

/// The licences and duplicate versions that `deny.toml` accepts.
struct Policy {
    licences: Vec<String>,
    /// Further ones of single crates: licence and crate.
    exceptions: Vec<(String, String)>,
    /// `name@version`, the version as far as it is told.
    duplicates: Vec<String>,
}

impl Policy {
    fn read() -> Policy {
        let toml = text("deny.toml");
        let allow = toml.lines().find(|line| line.starts_with("allow = [")).expect("a line of licences");
        let exceptions = toml.lines().filter(|line| line.trim_start().starts_with("{ allow = ["));
        let skips = toml.lines().filter(|line| line.trim_start().starts_with("{ crate = "));
        let exceptions = exceptions.map(|line| (quoted(line)[0].clone(), quoted(line)[1].clone())).collect();
        Policy { licences: quoted(allow), exceptions, duplicates: skips.map(|line| quoted(line)[0].clone()).collect() }
    }

    /// Whether a crate may be used.
    fn allows(&self, package: &Value) -> bool {
        let exceptions = self.exceptions.iter().filter(|(_, name)| package["name"] == name.as_str()).map(|(licence, _)| licence.clone());
        let licences: Vec<String> = self.licences.iter().cloned().chain(exceptions).collect();
        is_allowed(package["license"].as_str().unwrap_or_default(), &licences)
    }
}

/// Whether an SPDX expression can be fulfilled with these licences. `/` is how older crates write `OR`.
fn is_allowed(expression: &str, licences: &[String]) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    let allowed = any_of(&mut words, licences);
    allowed && words.next().is_none()
}

type Words<'w> = std::iter::Peekable<std::str::SplitWhitespace<'w>>;

fn any_of(words: &mut Words<'_>, licences: &[String]) -> bool {
    let mut allowed = all_of(words, licences);
    while words.next_if_eq(&"OR").is_some() {
        allowed |= all_of(words, licences);
    }
    allowed
}

fn all_of(words: &mut Words<'_>, licences: &[String]) -> bool {
    let mut allowed = licence(words, licences);
    while words.next_if_eq(&"AND").is_some() {
        allowed &= licence(words, licences);
    }
    allowed
}

fn licence(words: &mut Words<'_>, licences: &[String]) -> bool {
    if words.next_if_eq(&"(").is_some() {
        let allowed = any_of(words, licences);
        return words.next() == Some(")") && allowed;
    }
    let mut name = words.next().unwrap_or_default().to_string();
    if words.next_if_eq(&"WITH").is_some() {
        name = format!("{name} WITH {}", words.next().unwrap_or_default());
    }
    licences.contains(&name)
}

fn output(command: &mut Command) -> String {
    let output = command.current_dir(repository()).output().expect("the tool runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// The packages that are compiled for this machine.
fn packages() -> Vec<Value> {
    let version = output(Command::new("rustc").arg("-vV"));
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc names its host");
    let metadata = ["metadata", "--locked", "--offline", "--format-version", "1", "--filter-platform", host];
    let metadata: Value = serde_json::from_str(&output(Command::new(env!("CARGO")).args(metadata))).expect("JSON");
    metadata["packages"].as_array().expect("a list of packages").clone()
}

/// By name: the versions in `Cargo.lock`, for all platforms.
fn locked() -> BTreeMap<String, BTreeSet<String>> {
    let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let lock = text("Cargo.lock");
    for package in lock.split("[[package]]").skip(1) {
        let field = |name: &str| package.lines().find(|line| line.starts_with(name)).map(|line| quoted(line)[0].clone());
        let (name, version) = (field("name = ").expect("a name"), field("version = ").expect("a version"));
        let source = field("source = ").unwrap_or_default();
        // Only our own crates come from no registry.
        assert!(
            if name.starts_with("tilewright") { source.is_empty() } else { source.starts_with("registry+") },
            "{name} comes from {source:?}"
        );
        versions.entry(name).or_default().insert(version);
    }
    versions
}

/// Whether `found` is the version `told`, as far as it is told.
fn is_version(found: &str, told: &str) -> bool {
    found.strip_prefix(told).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

#[test]
fn every_crate_may_be_used_under_the_licences_that_are_allowed() {
    let (policy, packages) = (Policy::read(), packages());
    assert!(packages.len() > 50, "{} packages", packages.len());
    let refused: Vec<String> = packages
        .iter()
        .filter(|package| !policy.allows(package))
        .map(|package| format!("{}: {}", package["name"], package["license"]))
        .collect();
    assert!(refused.is_empty(), "{refused:#?}");
    let unused = policy.licences.iter().filter(|&unused| {
        let others: Vec<String> = policy.licences.iter().filter(|other| *other != unused).cloned().collect();
        packages.iter().all(|package| is_allowed(package["license"].as_str().unwrap_or_default(), &others))
    });
    assert_eq!(unused.collect::<Vec<_>>(), Vec::<&String>::new(), "licences that no crate needs");
}

#[test]
fn no_crate_is_there_twice_without_a_reason() {
    let (policy, locked) = (Policy::read(), locked());
    let mut unused: BTreeSet<&String> = policy.duplicates.iter().collect();
    for (name, versions) in locked.iter().filter(|(_, versions)| versions.len() > 1) {
        let reason = |found: &str| {
            let is_it = |entry: &&String| entry.split_once('@').is_some_and(|(of, told)| of == name && is_version(found, told));
            policy.duplicates.iter().find(is_it)
        };
        let reasons: Vec<&String> = versions.iter().filter_map(|found| reason(found)).collect();
        assert!(versions.len() - reasons.len() <= 1, "{name} is there in versions {versions:?}: deny.toml gives no reason");
        reasons.iter().for_each(|entry| _ = unused.remove(entry));
    }
    assert!(unused.is_empty(), "deny.toml has reasons for what is not there twice: {unused:?}");
}

/// Crates with their features, those of these kinds of dependencies.
fn crates(kinds: &str) -> BTreeSet<String> {
    let tree = ["tree", "--locked", "--offline", "--edges", kinds, "--format", "{p} {f}", "--prefix", "none", "--no-dedupe"];
    output(Command::new(env!("CARGO")).args(tree)).lines().map(str::to_string).collect()
}

#[test]
fn what_tests_need_changes_no_crate_of_the_program() {
    let (program, tested) = (crates("normal,build"), crates("normal,build,dev"));
    assert!(program.len() > 50 && tested.len() > program.len(), "{} and {} crates", program.len(), tested.len());
    assert_eq!(program.difference(&tested).collect::<Vec<_>>(), Vec::<&String>::new(), "the tests have these with other features");
}

#[test]
fn licence_expressions_are_read_as_written() {
    let allowed = ["MIT", "Unicode-3.0"].map(String::from);
    for good in ["MIT", "MIT OR Apache-2.0", "Apache-2.0/MIT", "Apache-2.0 WITH LLVM-exception OR MIT", "(MIT OR Zlib) AND Unicode-3.0"] {
        assert!(is_allowed(good, &allowed), "{good}");
    }
    for bad in ["", "GPL-3.0", "MIT AND GPL-3.0", "GPL-3.0 AND MIT", "(MIT OR Zlib) AND Zlib", "MIT WITH Commons-Clause", "MIT MIT", "(MIT"]
    {
        assert!(!is_allowed(bad, &allowed), "{bad}");
    }
}
