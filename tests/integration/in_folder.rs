//! Runs the program in a folder, and reads the files that it writes there.
//!
//! Not here: conversations (`engine_process.rs`). Start with [`fine`] and [`refused`].

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs the program with the words of a line. Returns whether it succeeded, its standard output, and its standard error.
pub fn run(folder: &Path, line: &str) -> (bool, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
    let output = command.args(line.split_whitespace()).current_dir(folder).stdin(Stdio::null()).output().expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), text(&output.stdout), text(&output.stderr))
}

/// Runs the program, which must succeed. Returns its standard output.
pub fn fine(folder: &Path, line: &str) -> String {
    let (is_fine, told, said) = run(folder, line);
    assert!(is_fine, "{line}: {told}{said}");
    told
}

/// Runs the program, which must fail with this text on its standard error.
pub fn refused(folder: &Path, line: &str, expected: &str) {
    let (is_fine, told, said) = run(folder, line);
    assert!(!is_fine && said.contains(expected), "{line}: {told}{said}\nexpected {expected}");
}

/// Returns the text of a file of the folder.
pub fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}
