//! Nothing points to what is not there: files that sources, documents and scripts name exist, and so do the headings that links
//! lead to; other documents are not mentioned, and what is cited is in the bibliography of `src/README.md`.
//!
//! A file is named by its path from the root of the repository, from `src/`, or from the folder of the file that names it
//! or one around that; a module without its `.rs`, an example session by its name alone. A source is cited by a key in
//! square brackets, which the bibliography explains.

use super::{Finding, judge, own_files, read, repository, without_code};
use std::collections::{BTreeMap, BTreeSet};

/// Files in which references are looked for, by the ends of their names. In `scripts/` and `.ci/` all files count.
const READ: [&str; 4] = [".rs", ".md", ".py", ".toml"];
/// Endings of words that name a file of the repository.
const NAMED: [&str; 5] = [".rs", ".md", ".py", ".toml", ".session"];
/// Folders of the repository: a word that begins with one of these names something in it.
const FOLDERS: [&str; 9] = ["src/", "tests/", "benches/", "examples/", "scripts/", "protocol/", "lexicons/", "docs/", ".ci/"];
/// The documents of the repository whose names are in capitals.
const OWN_DOCUMENTS: [&str; 4] = ["README", "CONTRIBUTING", "CHANGELOG", "SUMMARY"];
/// Where the bibliography stands in `src/README.md`.
const BIBLIOGRAPHY: &str = "## Bibliography";

/// Not read: the examples of this test, the names of other crates, and the map, whose sentences are read where they are written.
const NOT_READ: [&str; 3] = ["tests/house/", "Cargo.lock", "src/MAP.md"];

/// A file in which references are looked for.
struct Document {
    /// Relative to the repository.
    name: String,
    text: String,
}

fn documents() -> Vec<Document> {
    let names = own_files();
    let is_read = |name: &&String| {
        let is_text = READ.iter().any(|end| name.ends_with(end)) || name.starts_with("scripts/") || name.starts_with(".ci/");
        is_text && !NOT_READ.iter().any(|start| name.starts_with(start))
    };
    let read = |name: &String| Document {
        name: name.clone(),
        text: String::from_utf8_lossy(&std::fs::read(repository().join(name)).expect("a readable file")).into_owned(),
    };
    let documents: Vec<Document> = names.iter().filter(is_read).map(read).collect();
    assert!(documents.len() > 100, "only {} documents found", documents.len());
    documents
}

fn exists(name: &str) -> bool {
    repository().join(name).exists()
}

/// What a document names as files: quoted paths, paths into a folder of the repository, and links of Markdown.
fn named_files(document: &Document) -> Vec<(usize, String)> {
    let mut named = Vec::new();
    for (index, line) in document.text.lines().enumerate() {
        let is_outside_word = |c: char| !(c.is_alphanumeric() || "_-./:".contains(c));
        let trimmed = |word: &str| {
            let word = word.trim_end_matches(['.', ':']).trim_start_matches("./");
            // A place in a file is in that file: `x.rs:12`.
            word.split_once(':').map_or(word, |(file, _)| file).to_string()
        };
        let quoted = line.split('`').skip(1).step_by(2);
        let quoted = quoted.flat_map(|text| text.split(char::is_whitespace)).filter(|word| !word.contains(is_outside_word)).map(trimmed);
        // A bare `mod.rs` is a kind of file.
        let quoted = quoted.filter(|word| word != "mod.rs");
        named.extend(
            quoted.filter(|word| NAMED.iter().any(|end| word.len() > end.len() && word.ends_with(end))).map(|word| (index + 1, word)),
        );
        let words = line.split(is_outside_word).map(trimmed);
        // A part of an address or of a longer path does not begin a word; a folder alone, such as `src/`, is one.
        named.extend(words.filter(|word| FOLDERS.iter().any(|folder| word.starts_with(folder))).map(|word| (index + 1, word)));
        if document.name.ends_with(".md") {
            let links = line.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
            named.extend(links.filter(|link| !link.is_empty() && !link.contains("://")).map(|link| (index + 1, link.to_string())));
        }
    }
    named.sort();
    named.dedup();
    named
}

/// Files that a document names and that are not there.
fn missing_files(document: &Document, exists: impl Fn(&str) -> bool) -> Vec<Finding> {
    let is_there = |word: &str| {
        if word.ends_with(".session") && exists(&format!("protocol/sessions/{word}")) {
            return true;
        }
        let around = document.name.match_indices('/').map(|(at, _)| &document.name[..=at]);
        ["", "src/"].into_iter().chain(around).any(|folder| exists(&format!("{folder}{word}")) || exists(&format!("{folder}{word}.rs")))
    };
    let missing = named_files(document).into_iter().filter(|(_, word)| !is_there(word));
    missing
        .map(|(line, word)| Finding { what: format!("{} names {word}", document.name), place: format!("{}:{line}", document.name) })
        .collect()
}

/// The headings of a document, as links name them: in small letters, blanks as dashes, without other signs.
fn headings(text: &str) -> BTreeSet<String> {
    let titles = without_code(text).filter_map(|(_, line)| line.split_once("# ").filter(|(signs, _)| signs.chars().all(|c| c == '#')));
    let name = |(_, title): (&str, &str)| {
        let signs = title.chars().filter(|c| c.is_alphanumeric() || "-_ ".contains(*c));
        signs.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
    };
    titles.map(name).collect()
}

/// Links of a document to headings that are not there.
fn missing_headings(document: &Document, documents: &BTreeMap<String, BTreeSet<String>>) -> Vec<Finding> {
    let folder = document.name.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut found = Vec::new();
    for (index, line) in document.text.lines().enumerate() {
        let links = line.split("](").skip(1).filter_map(|rest| rest.split(')').next()?.split_once('#'));
        for (file, heading) in links.filter(|(file, _)| !file.contains("://")) {
            let name = if file.is_empty() { document.name.clone() } else { joined(folder, file) };
            if documents.get(&name).is_some_and(|headings| !headings.contains(heading)) {
                let place = format!("{}:{}", document.name, index + 1);
                found.push(Finding { what: format!("{name} has no heading #{heading}"), place });
            }
        }
    }
    found
}

/// The path that a link names, which begins in this folder.
fn joined(folder: &str, link: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in link.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Documents outside the repository that a document mentions: names in capitals with a section's number, or with the ending `.md`.
fn elsewhere(document: &Document) -> Vec<Finding> {
    let mut found = Vec::new();
    for (index, line) in document.text.lines().enumerate() {
        let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '.').filter(|word| !word.is_empty()).collect();
        for (at, word) in words.iter().enumerate() {
            let name = word.trim_end_matches('.');
            let stem = name.strip_suffix(".md");
            let is_cited = |next: &&str| is_section(next.trim_end_matches('.')) && line.contains(&format!("{name} {next}"));
            let has_section = words.get(at + 1).is_some_and(is_cited);
            let document_name = stem.or(has_section.then_some(name)).filter(|name| is_in_capitals(name) && !OWN_DOCUMENTS.contains(name));
            if let Some(other) = document_name {
                let place = format!("{}:{}", document.name, index + 1);
                found.push(Finding { what: format!("{} mentions {other}", document.name), place });
            }
        }
    }
    found
}

fn is_in_capitals(word: &str) -> bool {
    word.len() >= 5 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_')
}

/// Whether this is a section's number, such as `1.2.5`.
fn is_section(word: &str) -> bool {
    word.contains('.') && word.split('.').all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit()))
}

/// The keys that the bibliography explains, as `- [Gordon 1994] ...`.
fn explained_keys(map: &str) -> Vec<String> {
    let Some((_, part)) = map.split_once(BIBLIOGRAPHY) else { return Vec::new() };
    let lines = part.lines().skip(1).take_while(|line| !line.starts_with("## "));
    lines.filter_map(|line| Some(line.strip_prefix("- [")?.split_once(']')?.0.to_string())).collect()
}

/// The text in square brackets, without links. Documentation comments escape some: `\[KWG\]`.
fn bracketed(line: &str) -> Vec<String> {
    let line = line.replace('\\', "");
    let ends = |rest: &str| rest.split_once(']').filter(|(_, after)| !after.starts_with(['(', '['])).map(|(key, _)| key.to_string());
    line.split('[').skip(1).filter_map(ends).collect()
}

/// Whether text in square brackets can only be a citation: a name and a year.
fn has_year(key: &str) -> bool {
    let Some((name, year)) = key.rsplit_once(' ') else { return false };
    let digits = year.trim_end_matches(|c: char| c.is_ascii_lowercase());
    name.starts_with(char::is_uppercase) && digits.len() == 4 && year.len() <= 5 && digits.chars().all(|c| c.is_ascii_digit())
}

/// The citations of a document, of sources with a year and of those that the bibliography explains.
fn citations(document: &Document, explained: &[String]) -> Vec<(usize, String)> {
    let mut cited = Vec::new();
    for (index, line) in document.text.lines().enumerate() {
        // Several sources may share a pair of brackets.
        let keys = bracketed(line).into_iter().flat_map(|text| text.split("; ").map(str::to_string).collect::<Vec<_>>());
        cited.extend(keys.filter(|key| has_year(key) || explained.contains(key)).map(|key| (index + 1, key)));
    }
    cited
}

/// Citations without an entry in the bibliography, and entries that are cited nowhere.
fn citation_faults(documents: &[Document], map: &str) -> Vec<Finding> {
    let explained = explained_keys(map);
    let mut unused: BTreeSet<&String> = explained.iter().collect();
    let mut found = Vec::new();
    for document in documents {
        for (line, key) in citations(document, &explained) {
            let is_entry = document.text == map && document.text.lines().nth(line - 1).is_some_and(|line| line.starts_with("- ["));
            if !explained.contains(&key) {
                let place = format!("{}:{line}", document.name);
                found.push(Finding { what: format!("[{key}] is not in the bibliography"), place });
            } else if !is_entry {
                unused.remove(&key);
            }
        }
    }
    let place = || "src/README.md".to_string();
    found.extend(unused.into_iter().map(|key| Finding { what: format!("[{key}] is cited nowhere"), place: place() }));
    found
}

#[test]
fn files_that_are_named_exist() {
    let found: Vec<Finding> = documents().iter().flat_map(|document| missing_files(document, exists)).collect();
    judge("missing file", &found);
}

fn headings_of(documents: &[Document]) -> BTreeMap<String, BTreeSet<String>> {
    let pages = documents.iter().filter(|document| document.name.ends_with(".md"));
    pages.map(|document| (document.name.clone(), headings(&document.text))).collect()
}

#[test]
fn links_lead_to_headings_that_are_there() {
    let documents = documents();
    let headings = headings_of(&documents);
    let pages = documents.iter().filter(|document| document.name.ends_with(".md"));
    judge("missing heading", &pages.flat_map(|document| missing_headings(document, &headings)).collect::<Vec<_>>());
}

#[test]
fn every_document_is_in_the_summary() {
    let summary = read("docs/SUMMARY.md");
    let links = summary.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let listed: BTreeSet<String> = links.map(|link| joined("docs", link)).collect();
    let documents: BTreeSet<String> = own_files().into_iter().filter(|name| name.ends_with(".md") && name != "docs/SUMMARY.md").collect();
    assert!(documents.len() > 30, "only {documents:?}");
    assert_eq!(documents.difference(&listed).collect::<Vec<_>>(), Vec::<&String>::new(), "not in docs/SUMMARY.md");
}

#[test]
fn missing_headings_are_seen() {
    let pages = [
        document("docs/a.md", "# A page\n```\n# none\n```\n## `go`, [and](b.md) so on\n[x](#a-page) [y](../README.md#top)\n"),
        document("README.md", "# Top\n[a](docs/a.md#none) [b](docs/a.md#a-page) [c](#bottom) [d](https://x.y/docs/a.md#e)\n"),
    ];
    let headings = headings_of(&pages);
    assert!(missing_headings(&pages[0], &headings).is_empty());
    let what: Vec<String> = missing_headings(&pages[1], &headings).into_iter().map(|finding| finding.what).collect();
    assert_eq!(what, ["docs/a.md has no heading #none", "README.md has no heading #bottom"]);
}

#[test]
fn no_document_outside_the_repository_is_mentioned() {
    judge("elsewhere", &documents().iter().flat_map(elsewhere).collect::<Vec<_>>());
}

#[test]
fn every_citation_is_in_the_bibliography_and_every_entry_is_cited() {
    judge("citation", &citation_faults(&documents(), &read("src/README.md")));
}

fn document(name: &str, text: &str) -> Document {
    Document { name: name.to_string(), text: text.to_string() }
}

#[test]
fn missing_files_are_seen() {
    let there = ["src/rules/rack.rs", "README.md", "src/README.md", "src/search/bag.rs", "scripts/go", "src/lib.rs"];
    let missing = |name: &str, text: &str| -> Vec<String> {
        let found = missing_files(&document(name, text), |path| there.contains(&path));
        found.into_iter().map(|finding| finding.what).collect()
    };
    let text = "//! See `rules/rack.rs` and `bag.rs`, `src/lib.rs:12`, `README.md`, scripts/go and ./scripts/go; not `a/b.klv2`, `.rs`, `mod.rs`, https://x.y/src/z.";
    assert!(missing("src/search/x.rs", text).is_empty());
    let text = "//! See `training/census.rs`, `rack.rs` and `scripts/gone 5`, or src/search/gone.";
    assert_eq!(
        missing("src/search/x.rs", text),
        ["rack.rs", "scripts/gone", "src/search/gone", "training/census.rs"].map(|word| format!("src/search/x.rs names {word}"))
    );
    assert_eq!(missing("README.md", "[map](src/README.md#x), [a](https://b.c), [gone](GONE.md)"), ["README.md names GONE.md"]);
}

#[test]
fn documents_elsewhere_are_seen() {
    let what = |text: &str| elsewhere(&document("a.rs", text)).into_iter().map(|finding| finding.what).collect::<Vec<_>>();
    assert_eq!(what("//! (FORMULAS 1.2)"), ["a.rs mentions FORMULAS"]);
    assert_eq!(what("see HOUSE_RULES.md, and PLANS 3.1.4."), ["a.rs mentions HOUSE_RULES", "a.rs mentions PLANS"]);
    assert!(what("see README.md and src/README.md; formulas 1.2, FORMULAS, KWG 1.0, 300 WORDS 5").is_empty());
}

#[test]
fn citations_are_held_against_the_bibliography() {
    let map = "# Map\n## Bibliography\nText.\n- [Gordon 1994] S. Gordon: text.\n- [KWG] a format\n- [Unused 2001] text\n## More\n- [x] y\n";
    assert_eq!(explained_keys(map), ["Gordon 1994", "KWG", "Unused 2001"]);
    let text = "//! By [Gordon 1994; Appel & Jacobson 1988], \\[KWG\\], [Sheppard 2002b].\n//! Not [`Rack`], [1000], [a 1990], [Item 12], [KLV](x), [Gordon 1999](y).";
    let faults = citation_faults(&[document("src/README.md", map), document("src/x.rs", text)], map);
    let what: Vec<&str> = faults.iter().map(|finding| finding.what.as_str()).collect();
    assert_eq!(
        what,
        [
            "[Appel & Jacobson 1988] is not in the bibliography",
            "[Sheppard 2002b] is not in the bibliography",
            "[Unused 2001] is cited nowhere"
        ]
    );
}
