//! A type's name is its own in the whole crate; functions and files are not too long.

use super::source::{Source, shipped_files};
use super::{Finding, judge};
use std::collections::BTreeMap;

/// Lines of a function, from its `fn` to its last brace.
const LONGEST_FUNCTION: usize = 120;
/// Lines of a file without its tests.
const LONGEST_FILE: usize = 800;

/// Names that more than one type has.
fn doubled(files: &[&Source]) -> Vec<Finding> {
    let mut places: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for file in files {
        for (line, name) in &file.types {
            places.entry(name).or_default().push(format!("src/{}:{line}", file.name));
        }
    }
    let doubled = places.into_iter().filter(|(_, places)| places.len() > 1);
    doubled.map(|(name, places)| Finding { what: name.to_string(), place: places.join(", ") }).collect()
}

fn long_functions(files: &[&Source]) -> Vec<Finding> {
    let mut found = Vec::new();
    for file in files {
        for (line, name, lines) in file.functions.iter().filter(|(_, _, lines)| *lines > LONGEST_FUNCTION) {
            found.push(Finding { what: format!("{name} in {}", file.name), place: format!("src/{}:{line}, {lines} lines", file.name) });
        }
    }
    found
}

fn long_files(files: &[&Source]) -> Vec<Finding> {
    let long = files.iter().filter(|file| file.lines_without_tests > LONGEST_FILE);
    long.map(|file| Finding { what: file.name.clone(), place: format!("{} lines without tests", file.lines_without_tests) }).collect()
}

#[test]
fn a_type_has_a_name_of_its_own() {
    judge("type", &doubled(&shipped_files()));
}

#[test]
fn functions_are_not_too_long() {
    judge("long function", &long_functions(&shipped_files()));
}

#[test]
fn files_are_not_too_long() {
    judge("long file", &long_files(&shipped_files()));
}

#[test]
fn doubled_names_are_seen() {
    let files = [
        Source::read("a/x.rs", "struct Worker;\nstruct Own;\nimpl Iterator for Own { type Item = u8; }"),
        Source::read(
            "b/y.rs",
            "/// Works.\npub enum Worker { A }\nimpl Iterator for Worker { type Item = u8; }\n#[cfg(test)]\nstruct Own;",
        ),
    ];
    assert_eq!(doubled(&files.each_ref()), [Finding { what: "Worker".to_string(), place: "src/a/x.rs:1, src/b/y.rs:2".to_string() }]);
}

#[test]
fn what_is_too_long_is_seen() {
    let long = |lines: usize| format!("fn f() {{\n{}}}\n", "    g();\n".repeat(lines - 2));
    let functions = |text: &str| long_functions(&[&Source::read("a/x.rs", text)]).len();
    assert_eq!((functions(&long(LONGEST_FUNCTION)), functions(&long(LONGEST_FUNCTION + 1))), (0, 1));
    assert_eq!(functions(&format!("impl A {{\n{}}}", long(LONGEST_FUNCTION + 1))), 1);
    assert_eq!(functions(&format!("#[cfg(test)]\nmod tests {{\n{}}}", long(LONGEST_FUNCTION + 1))), 0);
    let files = |lines: usize, tests: usize| {
        let (code, tests) = ("const A: u8 = 1;\n".repeat(lines), "fn f() {}\n".repeat(tests));
        let text = format!("{code}#[cfg(test)]\nmod tests {{\n{tests}}}\n");
        long_files(&[&Source::read("a/x.rs", &text)]).len()
    };
    assert_eq!((files(LONGEST_FILE, 100), files(LONGEST_FILE + 1, 0)), (0, 1));
}
