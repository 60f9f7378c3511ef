//! The scripts as their users meet them: every script answers `--help`, and refuses a wrong argument, before it needs anything else.
//! Every tournament file of `scripts/tournaments/` can be read.

use crate::integration::needs::Need;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tilewright::internals::TournamentSetting;

/// What a help text must have besides the use of the script.
const PARTS: [&str; 2] = ["Environment:", "Exit status:"];

/// The executable files of a folder and of all folders in it.
fn executables(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(executables(&path));
        } else if path.metadata().expect("a file").permissions().mode() & 0o100 != 0 {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Runs a script from its folder, with one argument.
fn run(script: &Path, argument: &str) -> Output {
    let mut command = Command::new(script);
    command.arg(argument).stdin(Stdio::null()).current_dir(script.parent().expect("a folder"));
    command.env_remove("TILEWRIGHT").env("PYTHONDONTWRITEBYTECODE", "1").env("PYTHONIOENCODING", "utf-8");
    command.output().expect("the script starts")
}

fn lines(bytes: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(bytes).lines().map(String::from).collect()
}

#[test]
fn every_script_answers_help_and_refuses_a_wrong_argument() {
    if !Need::Python.is_met() {
        return;
    }
    let scripts = executables(&Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts"));
    assert!(scripts.len() > 10, "only {scripts:?}");
    for script in scripts {
        let name = script.file_name().expect("a name").to_string_lossy();
        let help = run(&script, "--help");
        assert!(help.status.success() && help.stderr.is_empty(), "{name} --help: {help:?}");
        let text = String::from_utf8_lossy(&help.stdout);
        for part in PARTS.into_iter().chain([&*name]) {
            assert!(text.contains(part), "{name} --help does not have {part:?}:\n{text}");
        }
        let wrong = run(&script, "--nonsense-flag");
        assert_eq!(wrong.status.code(), Some(2), "{name} --nonsense-flag: {wrong:?}");
        assert!(wrong.stdout.is_empty() && lines(&wrong.stderr).len() == 1, "{name} --nonsense-flag: {wrong:?}");
    }
}

#[test]
fn the_classes_of_words_are_those_that_the_script_makes() {
    if !Need::Python.is_met() || !Need::Scowl.is_met() {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let made = folder.path().join("made");
    let told = Command::new(root.join("scripts/commonness")).arg("--out").arg(&made).output().unwrap();
    assert!(told.status.success() && told.stderr.is_empty(), "{told:?}");
    assert_eq!(fs::read_to_string(&made).unwrap(), fs::read_to_string(root.join("lexicons/enable.commonness")).unwrap());
    // A folder without lists is refused, and nothing is written.
    let elsewhere = folder.path().join("none");
    let refused =
        Command::new(root.join("scripts/commonness")).arg("--out").arg(&elsewhere).arg("--scowl").arg(folder.path()).output().unwrap();
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("no lists of SCOWL") && !elsewhere.exists(), "{refused:?}");
}

#[test]
fn every_tournament_file_names_its_engines() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/tournaments");
    for entry in fs::read_dir(folder).expect("the folder") {
        let path = entry.expect("a file").path();
        let text = fs::read_to_string(&path).expect("text");
        let setting: TournamentSetting = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(setting.competitors().is_ok_and(|engines| engines.len() > 1), "{}", path.display());
    }
}

#[test]
fn plots_have_the_figures_of_their_tables() {
    if !Need::Python.is_met() {
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/studies/plot_results");
    let checked = run(&script, "--check");
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}
