//! The code map by file: a file uses only files above it, and no circle stands between files.
//!
//! The order is that of the table in `src/README.md`, top to bottom. A `mod.rs` is its folder's face and stands after all
//! files of the folder, wherever its row is: it may use and re-export them, and none of them may import through it. From
//! other folders a file imports through the face or from the file itself. `lib.rs` and `main.rs` come last.

use super::source::{Source, all_files, is_test_file, module_of, shipped_files};
use super::{Finding, judge, read_map};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

/// The files and folders that the map's table names, row by row. A folder is named with a `/` behind it.
pub fn rows_of(map: &str) -> Vec<String> {
    let mut rows = Vec::new();
    for line in map.lines().take_while(|line| !line.starts_with("## ")).filter(|line| line.starts_with('|')) {
        let cell = line.split('|').nth(2).unwrap_or_default();
        let quoted = cell.split('`').skip(1).step_by(2);
        rows.extend(quoted.filter(|name| name.ends_with(".rs") || name.ends_with('/')).map(str::to_string));
    }
    rows
}

/// The folder whose face a file is: of `search/mod.rs`, and of a `search.rs` beside a folder `search/`, it is `search/`.
fn face_of(name: &str, names: &[&str]) -> Option<String> {
    let folder = name.strip_suffix("mod.rs").map(str::to_string).unwrap_or_else(|| name.replace(".rs", "/"));
    let is_face = name.ends_with("/mod.rs") || names.iter().any(|other| other.starts_with(&folder));
    is_face.then_some(folder)
}

/// All files, lowest first: by the rows, faces after what they show.
fn ordered(names: &[&str], rows: &[String]) -> Vec<String> {
    let last_row_of = |folder: &str| rows.iter().rposition(|row| row.starts_with(folder));
    let key = |name: &&str| match face_of(name, names) {
        Some(folder) => (last_row_of(&folder), true, Reverse(folder.matches('/').count())),
        None => (rows.iter().position(|row| row == name), false, Reverse(0)),
    };
    // Files that are not on the map come last, in the order of their names.
    let key = |name: &&str| {
        let (row, is_face, depth) = key(name);
        (row.is_none(), row, is_face, depth)
    };
    let (roots, mut files): (Vec<&str>, Vec<&str>) = names.iter().partition(|name| ["lib.rs", "main.rs"].contains(*name));
    files.sort_by_key(key);
    files.into_iter().chain(roots).map(str::to_string).collect()
}

/// Which file uses which others, with the lines.
type Uses = BTreeMap<(String, String), Vec<usize>>;

fn uses_between(files: &[&Source]) -> Uses {
    let modules: HashMap<Vec<String>, &str> = files.iter().map(|file| (module_of(&file.name), file.name.as_str())).collect();
    // The file of the innermost module on a path. What is on the path but in no folder is defined or re-exported in `lib.rs`.
    let file_of = |path: &[String]| (0..=path.len()).rev().find_map(|length| modules.get(&path[..length]).copied());
    let mut uses = Uses::new();
    for file in files {
        for (line, path) in &file.uses {
            if let Some(used) = file_of(path).filter(|used| *used != file.name) {
                uses.entry((file.name.clone(), used.to_string())).or_default().push(*line);
            }
        }
    }
    uses
}

/// Whether a file stands below another in the map.
fn is_below(order: &[String], file: &str, other: &str) -> bool {
    let place = |name: &str| order.iter().position(|file| file == name);
    place(file) > place(other)
}

/// Uses of files that stand below in the map.
fn against_the_map(uses: &Uses, order: &[String]) -> Vec<Finding> {
    let wrong = uses.iter().filter(|((user, used), _)| is_below(order, used, user));
    let finding = |((user, used), lines): (&(String, String), &Vec<usize>)| Finding {
        what: format!("{user} uses {used}"),
        place: format!("src/{user}, lines {lines:?}; src/README.md has {used} after it"),
    };
    wrong.map(finding).collect()
}

/// The circles. Each has a use against the map, whatever the map is: for each such use, a shortest circle.
fn circles(uses: &Uses, order: &[String]) -> Vec<Finding> {
    let mut used_by: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (user, used) in uses.keys() {
        used_by.entry(user).or_default().push(used);
    }
    let mut found = BTreeSet::new();
    for (user, used) in uses.keys().filter(|(user, used)| is_below(order, used, user)) {
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

/// What the code uses, and the order that the map asks for.
fn uses_and_order() -> (Uses, Vec<String>) {
    let files = shipped_files();
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let uses = uses_between(&files);
    assert!(uses.len() > 200, "only {} uses found: does the test still read the code?", uses.len());
    (uses, ordered(&names, &rows_of(&read_map())))
}

#[test]
fn a_file_uses_only_files_above_it() {
    let (uses, order) = uses_and_order();
    judge("import", &against_the_map(&uses, &order));
}

#[test]
fn no_circle_stands_between_files() {
    let (uses, order) = uses_and_order();
    judge("circle", &circles(&uses, &order));
}

/// A folder has one kind of face.
#[test]
fn a_folder_has_its_face_inside() {
    let files = shipped_files();
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let outside = |name: &&&str| !name.ends_with("mod.rs") && face_of(name, &names).is_some();
    let finding = |name: &&str| Finding { what: name.to_string(), place: format!("move it to {}", name.replace(".rs", "/mod.rs")) };
    judge("face", &names.iter().filter(outside).map(finding).collect::<Vec<_>>());
}

#[test]
fn every_file_is_on_the_map_once_and_every_row_names_a_file() {
    let map = read_map();
    let rows = rows_of(&map);
    let files = all_files();
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).filter(|name| name.contains('/')).collect();
    let mut wrong = Vec::new();
    for name in &names {
        // A layer's folder stands in the first column.
        let is_layer = |folder: &str| map.contains(&format!("\n| `{folder}` | "));
        let is_named = match name.strip_suffix("mod.rs") {
            Some(folder) => is_layer(folder) || rows.iter().any(|row| row == folder),
            None => rows.iter().filter(|row| row == name).count() == 1,
        };
        if !is_named {
            wrong.push(format!("src/{name} is not on the map, or not once"));
        }
    }
    let is_there = |row: &str| names.iter().any(|name| *name == row || row.ends_with('/') && name.strip_suffix("mod.rs") == Some(row));
    wrong.extend(rows.iter().filter(|row| !is_there(row)).map(|row| format!("the map has {row}, which is not there")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Made-up files, each a name and its text.
fn check(map: &str, files: &[(&str, &str)], against: &[&str], round: &[&str]) {
    let sources: Vec<Source> = files.iter().map(|(name, text)| Source::read(name, text)).collect();
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    let uses = uses_between(&sources.iter().collect::<Vec<_>>());
    let order = ordered(&names, &rows_of(map));
    let whats = |findings: Vec<Finding>| findings.into_iter().map(|finding| finding.what).collect::<Vec<String>>();
    assert_eq!(whats(against_the_map(&uses, &order)), against);
    assert_eq!(whats(circles(&uses, &order)), round);
}

const MADE_UP_MAP: &str = "| layer | file | |\n|---|---|---|\n| `a/` | `a/` | face |\n| | `a/x.rs`, `a/y.rs` | two `z.rs` |\n| | `b/u.rs` | |\n| `b/` | `b/mod.rs` | |\n\n## More\n| | `c.rs` |";

#[test]
fn faces_stand_after_what_they_show() {
    assert_eq!(rows_of(MADE_UP_MAP), ["a/", "a/x.rs", "a/y.rs", "b/u.rs", "b/mod.rs"]);
    let names = ["a/mod.rs", "a/x.rs", "a/y.rs", "b/mod.rs", "b/u.rs", "lib.rs", "main.rs"];
    let order = ordered(&names, &rows_of(MADE_UP_MAP));
    assert_eq!(order, ["a/x.rs", "a/y.rs", "a/mod.rs", "b/u.rs", "b/mod.rs", "lib.rs", "main.rs"]);
}

#[test]
fn imports_that_follow_the_map_are_accepted() {
    let files = [
        ("a/mod.rs", "mod x; pub mod y; pub use x::A; pub use y::{B, C}; use self::y::D;"),
        ("a/x.rs", "use std::fmt; pub struct A;"),
        ("a/y.rs", "use crate::a::x::A; use super::x::E;"),
        ("b/mod.rs", "pub mod u;"),
        ("b/u.rs", "use crate::a::A; fn f() { crate::a::y::g(); }"),
        ("lib.rs", "pub mod a; pub mod b; pub use b::u::U;"),
        ("main.rs", "fn main() { tilewright::b::run(); }"),
    ];
    check(MADE_UP_MAP, &files, &[], &[]);
}

#[test]
fn imports_against_the_map_are_found() {
    let files = [
        ("a/mod.rs", "mod x; pub mod y; pub struct F;"),
        ("a/x.rs", "use crate::{a::{y::{C, D}}, b};"),
        ("a/y.rs", "fn f() { super::F::new(); }"),
        ("b/mod.rs", "pub mod u;"),
        ("b/u.rs", "use crate::U;"),
        ("lib.rs", "pub mod a;"),
    ];
    let against = ["a/x.rs uses a/y.rs", "a/x.rs uses b/mod.rs", "a/y.rs uses a/mod.rs", "b/u.rs uses lib.rs"];
    let round = [
        "a/mod.rs -> a/x.rs -> a/y.rs -> a/mod.rs",
        "a/mod.rs -> a/x.rs -> b/mod.rs -> b/u.rs -> lib.rs -> a/mod.rs",
        "a/mod.rs -> a/y.rs -> a/mod.rs",
    ];
    check(MADE_UP_MAP, &files, &against, &round);
}

#[test]
fn circles_among_files_off_the_map_are_found() {
    let files = [
        ("c/x.rs", "use crate::c::y::B;"),
        ("c/y.rs", "use crate::c::z::C;"),
        ("c/z.rs", "use crate::c::x::A;"),
        ("b/u.rs", "use crate::c::x::A;"),
    ];
    check(
        MADE_UP_MAP,
        &files,
        &["b/u.rs uses c/x.rs", "c/x.rs uses c/y.rs", "c/y.rs uses c/z.rs"],
        &["c/x.rs -> c/y.rs -> c/z.rs -> c/x.rs"],
    );
}

#[test]
fn a_file_beside_its_folder_is_a_face_too() {
    let names = ["a/x.rs", "a/x/inner.rs"];
    assert_eq!(face_of("a/x.rs", &names).as_deref(), Some("a/x/"));
    assert_eq!(face_of("a/x/inner.rs", &names), None);
    assert!(!is_test_file("a/x.rs") && is_test_file("a/x/tests.rs"));
}
