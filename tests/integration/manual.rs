//! The manual pages and the shells' completions, as `examples/manual.rs` writes them: every subcommand has its page, its page is a page, and a shell
//! completes what the program takes.

use crate::integration::examples::program;
use clap::Command as Definition;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// The folder that the example writes.
fn written() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = Command::new(program("manual")).arg(folder.path()).output().expect("the example runs");
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    folder
}

fn shown(command: &Definition) -> impl Iterator<Item = &Definition> {
    command.get_subcommands().filter(|below| !below.is_hide_set())
}

/// Checks the pages of a command and of all below it. Returns their number.
fn check_pages(folder: &Path, name: &str, command: &Definition) -> usize {
    let page = fs::read_to_string(folder.join(format!("{name}.1"))).unwrap_or_else(|error| panic!("{name}.1: {error}"));
    // In a page a hyphen of a name has a backslash before it.
    let text = page.replace('\\', "");
    assert!(text.starts_with(&format!(".TH {name} 1 ")), "{name}: {text}");
    for section in [".SH NAME", ".SH SYNOPSIS", ".SH DESCRIPTION"] {
        assert!(text.contains(section), "{name}: no {section}");
    }
    for long in command.get_arguments().filter(|argument| !argument.is_hide_set()).filter_map(|argument| argument.get_long()) {
        assert!(text.contains(&format!("--{long}")), "{name}: no --{long}");
    }
    let below = shown(command).map(|below| {
        let page = format!("{name}-{}", below.get_name());
        assert!(text.contains(&format!("{page}(1)")), "{name} does not lead to {page}: {text}");
        check_pages(folder, &page, below)
    });
    1 + below.sum::<usize>()
}

#[test]
fn every_subcommand_has_its_page_and_no_other_has_one() {
    let folder = written();
    let pages = folder.path().join("man");
    let count = check_pages(&pages, "tilewright", &tilewright::cli::command());
    assert_eq!(fs::read_dir(&pages).expect("the folder").count(), count);
    assert!(count > 20, "{count} pages");
    let main = fs::read_to_string(pages.join("tilewright.1")).expect("the page of the program");
    for section in ["EXAMPLES", "EXIT STATUS", "ENVIRONMENT", "FILES"] {
        assert!(main.contains(section), "{section}");
    }
    assert!(!main.contains("warden"), "a subcommand that is hidden");
}

#[test]
fn each_shell_is_told_every_subcommand() {
    let folder = written();
    for name in ["tilewright.bash", "_tilewright", "tilewright.fish", "_tilewright.ps1"] {
        let text = fs::read_to_string(folder.path().join("completions").join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        for command in shown(&tilewright::cli::command()) {
            assert!(text.contains(command.get_name()), "{name} does not have {}", command.get_name());
        }
        assert!(!text.contains("warden"), "{name} has a subcommand that is hidden");
    }
}

#[cfg(unix)]
#[test]
fn bash_completes_subcommands_and_flags() {
    let folder = written();
    let script = folder.path().join("completions/tilewright.bash");
    let completed = |words: &[&str]| {
        // As readline calls it: the program, the word at the cursor, the one before it.
        let at = words.len() - 1;
        let call = format!("COMP_WORDS=(\"$@\"); COMP_CWORD={at}; _tilewright \"$1\" {:?} {:?}", words[at], words[at - 1]);
        let text = format!("set +o posix; source {:?}; {call}; printf '%s\\n' \"${{COMPREPLY[@]}}\"", script.display().to_string());
        let output = Command::new("bash").args(["--norc", "-c", &text, "bash"]).args(words).output().expect("bash runs");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("text").lines().map(String::from).collect::<Vec<_>>()
    };
    assert_eq!(completed(&["tilewright", "tour"]), ["tournament"]);
    assert_eq!(completed(&["tilewright", "lab", "train", "win"]), ["winpct"]);
    assert_eq!(completed(&["tilewright", "match", "--see"]), ["--seed"]);
}
