//! The map of files and the drawing of layers: both are written from the source.
//!
//! `src/MAP.md` lists every file with the first sentence of its `//!`. `src/README.md` has the
//! drawing and a paragraph for each layer. A test that finds either out of date writes it anew and
//! fails, so that the change is seen and committed.

use super::imports::{Uses, uses_between};
use super::source::{Source, all_files, shipped_files};
use super::{layers, read, repository};
use std::collections::{BTreeMap, BTreeSet};

const INTRODUCTION: &str = "# The map of files

Written by `tests/house/map.rs` from the first sentence of each file: change it there.
The layers are listed from low to high, and so are the files of a folder, as far as they use each
other. A folder's `mod.rs` is its face: its sentence introduces the folder.
";

/// The line of `src/README.md` before the drawing, and the line after it.
const DRAWING: [&str; 2] = ["```mermaid", "```"];

/// Columns of the longest line.
const COLUMNS: usize = 100;

/// How the drawing groups the layers: a title, and the first layer of the group.
const GROUPS: [(&str, &str); 4] =
    [("The engine", "rules"), ("Games", "players"), ("Protocol and reports", "protocol"), ("The program", "host")];

/// Returns the first sentence of a file's introduction.
fn first_sentence(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim).take_while(|line| !line.is_empty());
    let paragraph = lines.collect::<Vec<_>>().join(" ");
    let end = paragraph.find(". ").map_or(paragraph.len(), |at| at + 1);
    paragraph[..end].to_string()
}

/// A file or a folder directly inside `folder` that a file is, or is in; `None` for the folder's face and for files elsewhere.
fn entry_of<'a>(file: &'a str, folder: &str) -> Option<&'a str> {
    let rest = file.strip_prefix(folder)?;
    let entry = rest.find('/').map_or(file, |at| &file[..folder.len() + at + 1]);
    (rest != "mod.rs").then_some(entry)
}

/// Returns what is in a folder, lowest first: what is used before what uses it. Of entries that use each other, or do
/// not, the first in the alphabet is first.
fn ordered<'a>(files: &'a [String], folder: &str, uses: &Uses) -> Vec<&'a str> {
    let mut left: BTreeSet<&str> = files.iter().filter_map(|file| entry_of(file, folder)).collect();
    let mut used_by: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (user, used) in uses {
        if let (Some(user), Some(used)) = (entry_of(user, folder), entry_of(used, folder))
            && user != used
        {
            used_by.entry(user).or_default().insert(used);
        }
    }
    let mut ordered = Vec::new();
    while !left.is_empty() {
        let missing = |entry: &&str| used_by.get(entry).map_or(0, |used| used.iter().filter(|used| left.contains(*used)).count());
        // Tests come last, whatever they use.
        let next = *left.iter().min_by_key(|entry| (entry.contains("tests"), missing(entry))).expect("something is left");
        left.remove(next);
        ordered.push(next);
    }
    ordered
}

/// Breaks a text into lines of at most [`COLUMNS`], the later ones with this indent.
fn wrapped(text: &str, indent: &str) -> String {
    let first_word = text.len() - text.trim_start().len();
    let (mut lines, mut line) = (String::new(), text[..first_word].to_string());
    for word in text.split_whitespace() {
        let is_first = line.trim().is_empty();
        if !is_first && line.chars().count() + 1 + word.chars().count() > COLUMNS {
            lines += &format!("{line}\n");
            line = format!("{indent}{word}");
        } else {
            line += &format!("{}{word}", if is_first { "" } else { " " });
        }
    }
    lines + &line + "\n"
}

/// Adds the lines of a folder's files, and of the folders in it.
fn list(lines: &mut String, files: &[String], folder: &str, depth: usize, uses: &Uses, introductions: &BTreeMap<&str, String>) {
    for entry in ordered(files, folder, uses) {
        let introduced_by = if entry.ends_with('/') { format!("{entry}mod.rs") } else { entry.to_string() };
        let sentence = introductions.get(introduced_by.as_str()).map_or("", String::as_str);
        let indent = "  ".repeat(depth);
        *lines += &wrapped(&format!("{indent}- `{entry}`: {sentence}"), &format!("{indent}  "));
        if entry.ends_with('/') {
            list(lines, files, entry, depth + 1, uses, introductions);
        }
    }
}

fn map_of(sources: &[Source], layers: &[String], uses: &Uses) -> String {
    let introductions: BTreeMap<&str, String> = sources.iter().map(|file| (file.name.as_str(), first_sentence(&file.text))).collect();
    let files: Vec<String> = sources.iter().map(|file| file.name.clone()).collect();
    let mut text = INTRODUCTION.to_string();
    for layer in layers {
        let face = introductions.get(format!("{layer}/mod.rs").as_str()).map_or("", String::as_str);
        text += &format!("\n## {layer}\n{}\n", wrapped(face, ""));
        list(&mut text, &files, &format!("{layer}/"), 0, uses, &introductions);
    }
    text
}

/// Returns the drawing: an arrow from each layer to those that it uses, without arrows that follow from others.
fn drawing_of(layers: &[String], uses: &Uses) -> String {
    let folder = |file: &str| file.split_once('/').map(|(folder, _)| folder.to_string());
    let arrows: BTreeSet<(String, String)> =
        uses.iter().filter_map(|(user, used)| Some((folder(user)?, folder(used)?))).filter(|(user, used)| user != used).collect();
    let mut text = "flowchart BT\n".to_string();
    let mut is_open = false;
    for layer in layers {
        if let Some((number, (title, _))) = GROUPS.iter().enumerate().find(|(_, (_, first))| first == layer) {
            text += if is_open { "  end\n" } else { "" };
            text += &format!("  subgraph g{number} [\"{title}\"]\n");
            is_open = true;
        }
        text += &format!("    {layer}\n");
    }
    text += "  end\n";
    for user in layers {
        let used: Vec<&String> = layers.iter().filter(|used| arrows.contains(&(user.clone(), used.to_string()))).collect();
        let follows = |target: &String| used.iter().any(|between| *between != target && reaches(&arrows, between, target));
        for target in used.iter().filter(|target| !follows(target)) {
            text += &format!("  {user} --> {target}\n");
        }
    }
    text
}

fn reaches(arrows: &BTreeSet<(String, String)>, from: &str, to: &str) -> bool {
    arrows.iter().any(|(user, used)| user == from && (used == to || reaches(arrows, used, to)))
}

/// Writes a file anew, and fails, if its text is not what it should be.
fn hold(name: &str, expected: &str) {
    if read(name) != expected {
        std::fs::write(repository().join(name), expected).expect("a file that can be written");
        panic!("{name} was out of date and has been written anew: look at the change and commit it");
    }
}

#[test]
fn the_map_lists_every_file_with_its_first_sentence() {
    hold("src/MAP.md", &map_of(all_files(), &layers(), &uses_between(&shipped_files())));
}

#[test]
fn the_drawing_shows_which_layer_uses_which() {
    let text = read("src/README.md");
    let [begin, end] = DRAWING;
    let (before, rest) = text.split_once(&format!("{begin}\n")).expect("src/README.md has a drawing");
    let (_, after) = rest.split_once(&format!("{end}\n")).expect("the drawing ends");
    let drawing = drawing_of(&layers(), &uses_between(&shipped_files()));
    hold("src/README.md", &format!("{before}{begin}\n{drawing}{end}\n{after}"));
}

#[test]
fn every_layer_has_its_paragraph_in_order() {
    let text = read("src/README.md");
    let (_, part) = text.split_once("\n## Layers\n").expect("src/README.md has a section on the layers");
    let lines = part.lines().take_while(|line| !line.starts_with("## "));
    let described: Vec<&str> = lines.filter_map(|line| line.strip_prefix("- **`")?.split_once("/`**").map(|(layer, _)| layer)).collect();
    assert_eq!(described, layers());
}

#[test]
fn a_map_is_written_from_low_to_high() {
    let files = [
        ("lib.rs", "pub mod a;"),
        ("a/mod.rs", "//! Face of a.\nmod x; pub mod y; mod b;"),
        ("a/x.rs", "//! The first [file](x). Not this.\nuse crate::a::y::A;"),
        ("a/y.rs", "//! A sentence\n//! on two lines\n//!\n//! More."),
        ("a/b/mod.rs", "//! Inner.\nmod z;"),
        ("a/b/z.rs", "//! Deep.\nuse crate::a::x::X;"),
        ("a/tests.rs", "//! Tests."),
    ];
    let sources: Vec<Source> = files.iter().map(|(name, text)| Source::read(name, text)).collect();
    let uses = uses_between(&sources.iter().collect::<Vec<_>>());
    let map = map_of(&sources, &["a".to_string()], &uses);
    let expected = "\n## a\nFace of a.\n\n- `a/y.rs`: A sentence on two lines\n- `a/x.rs`: The first [file](x).\n- `a/b/`: Inner.\n  - `a/b/z.rs`: Deep.\n- `a/tests.rs`: Tests.\n";
    assert_eq!(map.strip_prefix(INTRODUCTION), Some(expected));
}

#[test]
fn long_sentences_are_broken_between_words() {
    let text = format!("  - `x.rs`: {} end", "word ".repeat(18).trim_end());
    let lines = wrapped(&text, "    ");
    let lines: Vec<&str> = lines.lines().collect();
    assert!(lines.len() == 2 && lines[0].len() <= COLUMNS && lines[1].starts_with("    w"), "{lines:?}");
    assert_eq!(lines.join(" ").split_whitespace().collect::<Vec<_>>(), text.split_whitespace().collect::<Vec<_>>());
}

#[test]
fn a_drawing_leaves_out_what_follows() {
    let layers = ["rules", "search", "players"].map(str::to_string);
    let uses: Uses = [("search/x.rs", "rules/y.rs"), ("players/x.rs", "rules/y.rs"), ("players/x.rs", "search/x.rs")]
        .map(|(user, used)| (user.to_string(), used.to_string()))
        .into();
    let expected = "flowchart BT\n  subgraph g0 [\"The engine\"]\n    rules\n    search\n  end\n  subgraph g1 [\"Games\"]\n    players\n  end\n  search --> rules\n  players --> search\n";
    assert_eq!(drawing_of(&layers, &uses), expected);
}
