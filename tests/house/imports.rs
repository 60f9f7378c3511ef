//! No circle between files: what two files need of each other lies below both.
//!
//! A `mod.rs` is its folder's face: it uses and re-exports the files of its folder, and none of them
//! imports through it, which would be a circle. From other folders a file imports through the face
//! or from the file itself.

use super::source::{Source, module_of, shipped_files};
use super::{Finding, judge};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

/// Pairs of a file and another one that it uses.
pub type Uses = BTreeSet<(String, String)>;

/// Returns which of these files uses which.
pub fn uses_between(files: &[&Source]) -> Uses {
    let modules: HashMap<Vec<String>, &str> = files.iter().map(|file| (module_of(&file.name), file.name.as_str())).collect();
    // The file of the innermost module on a path. What is on the path but in no folder is defined or re-exported in `lib.rs`.
    let file_of = |path: &[String]| (0..=path.len()).rev().find_map(|length| modules.get(&path[..length]).copied());
    let mut uses = Uses::new();
    for file in files {
        let used = file.uses.iter().filter_map(|(_, path)| file_of(path)).filter(|used| *used != file.name);
        uses.extend(used.map(|used| (file.name.clone(), used.to_string())));
    }
    uses
}

/// Returns a shortest circle through each use that is part of one.
fn circles(uses: &Uses) -> Vec<Finding> {
    let mut used_by: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (user, used) in uses {
        used_by.entry(user).or_default().push(used);
    }
    let mut found = BTreeSet::new();
    for (user, used) in uses {
        if let Some(mut circle) = shortest_way(&used_by, used, user) {
            // Written from its first name in the alphabet, so that each circle has one form.
            let first = (0..circle.len()).min_by_key(|at| circle[*at]).expect("a way has two ends");
            circle.rotate_left(first);
            circle.push(circle[0]);
            found.insert(circle.join(" -> "));
        }
    }
    found.into_iter().map(|what| Finding { place: format!("{} files", what.matches("->").count()), what }).collect()
}

/// A shortest way from file to file along their uses.
fn shortest_way<'a>(used_by: &BTreeMap<&'a str, Vec<&'a str>>, from: &'a str, to: &'a str) -> Option<Vec<&'a str>> {
    let mut reached_from: BTreeMap<&str, &str> = BTreeMap::from([(from, from)]);
    let mut queue = VecDeque::from([from]);
    while let Some(file) = queue.pop_front() {
        if file == to {
            let mut way = vec![to];
            while way[way.len() - 1] != from {
                way.push(reached_from[way[way.len() - 1]]);
            }
            way.reverse();
            return Some(way);
        }
        for next in used_by.get(file).into_iter().flatten() {
            if !reached_from.contains_key(next) {
                reached_from.insert(next, file);
                queue.push_back(next);
            }
        }
    }
    None
}

#[test]
fn no_circle_is_between_files() {
    let uses = uses_between(&shipped_files());
    assert!(uses.len() > 200, "only {} uses found: does the test still read the code?", uses.len());
    judge("circle", &circles(&uses));
}

/// A folder has one kind of face.
#[test]
fn a_folder_has_its_face_inside() {
    let files = shipped_files();
    let has_folder = |name: &str| files.iter().any(|file| file.name.starts_with(&name.replace(".rs", "/")));
    let outside = files.iter().map(|file| file.name.as_str()).filter(|name| !name.ends_with("mod.rs") && has_folder(name));
    let finding = |name: &str| Finding { what: name.to_string(), place: format!("move it to {}", name.replace(".rs", "/mod.rs")) };
    judge("face", &outside.map(finding).collect::<Vec<_>>());
}

/// Made-up files, each a name and its text, and the circles among them.
fn check(files: &[(&str, &str)], expected: &[&str]) {
    let sources: Vec<Source> = files.iter().map(|(name, text)| Source::read(name, text)).collect();
    let found = circles(&uses_between(&sources.iter().collect::<Vec<_>>()));
    assert_eq!(found.into_iter().map(|finding| finding.what).collect::<Vec<String>>(), expected);
}

#[test]
fn faces_show_their_files() {
    let files = [
        ("a/mod.rs", "mod x; pub mod y; pub use x::A; pub use y::{B, C}; use self::y::D;"),
        ("a/x.rs", "use std::fmt; pub struct A;"),
        ("a/y.rs", "use crate::a::x::A; use super::x::E;"),
        ("b/mod.rs", "pub mod u;"),
        ("b/u.rs", "use crate::a::A; fn f() { crate::a::y::g(); }"),
        ("lib.rs", "pub mod a; pub mod b; pub use b::u::U;"),
        ("main.rs", "fn main() { tilewright::b::run(); }"),
    ];
    check(&files, &[]);
}

#[test]
fn circles_are_found() {
    let files = [
        ("a/mod.rs", "mod x; pub mod y; pub struct F;"),
        ("a/x.rs", "use crate::b;"),
        ("a/y.rs", "fn f() { super::F::new(); }"),
        ("b/mod.rs", "pub mod u;"),
        ("b/u.rs", "use crate::U;"),
        ("lib.rs", "pub mod a;"),
        ("c/x.rs", "use crate::c::y::B;"),
        ("c/y.rs", "use crate::c::z::C;"),
        ("c/z.rs", "use crate::c::x::A;"),
    ];
    let expected = [
        "a/mod.rs -> a/x.rs -> b/mod.rs -> b/u.rs -> lib.rs -> a/mod.rs",
        "a/mod.rs -> a/y.rs -> a/mod.rs",
        "c/x.rs -> c/y.rs -> c/z.rs -> c/x.rs",
    ];
    check(&files, &expected);
}
