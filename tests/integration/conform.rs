//! `tilewright conform` as authors of engines meet it: this engine passes every check, and for each check there is an engine that fails it.
//!
//! The engines with faults are this one behind `tests/engines/twisted_engine.py`, so that nothing but the fault differs. Without Python 3
//! these tests are skipped, with a message.

use crate::integration::needs::Need;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

const ENGINE: &str = env!("CARGO_BIN_EXE_tilewright");

/// Runs it. Returns the exit status, and name and result of each check with the whole line.
fn conform(words: &[&str]) -> (i32, Vec<(String, String, String)>, String) {
    let output = Command::new(ENGINE).arg("conform").args(words).stdin(Stdio::null()).output().expect("the program runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let rows = said.lines().filter_map(|line| {
        let mut parts = line.split_whitespace();
        let result = parts.next().filter(|word| ["PASS", "FAIL", "SKIP"].contains(word))?;
        Some((parts.next()?.to_string(), result.to_string(), line.to_string()))
    });
    (output.status.code().expect("no signal ended it"), rows.collect(), said)
}

/// Skipped by this engine: it has every mode.
const NOTHING_TO_REFUSE: &str = "unsupported-mode";

#[test]
fn this_engine_passes_every_check_in_both_dialects() {
    let (status, rows, said) = conform(&[ENGINE]);
    assert_eq!(status, 0, "{said}");
    assert!(rows.len() > 40, "{said}");
    for (name, result, line) in &rows {
        assert_eq!(result == "SKIP", name == NOTHING_TO_REFUSE, "{line}");
    }
    assert!(said.lines().last().unwrap().starts_with("conform passed "), "{said}");
    let (status, rows, said) = conform(&["--dialect", "ucgi", ENGINE]);
    assert_eq!(status, 0, "{said}");
    for (_, result, line) in rows.iter().filter(|(_, result, _)| result == "SKIP") {
        assert!(line.contains("for SIU alone: ") && line.contains("UCGI"), "{result}: {line}");
    }
    assert_eq!(rows.iter().filter(|(_, result, _)| result == "SKIP").count(), 11, "{said}");
}

/// A fault, and checks that must fail by it.
const FAULTS: [(&str, &[&str]); 37] = [
    ("speaks-first", &["quiet-start"]),
    ("nameless", &["identity"]),
    ("boasts", &["capabilities"]),
    ("bad-option-line", &["options"]),
    ("deaf-to-quit", &["quit-first", "quit", "quit-in-search"]),
    ("deaf-to-end", &["end-of-input"]),
    ("ready-twice", &["isready"]),
    ("dies-of-unknown", &["unknown-command", "unknown-parameter"]),
    ("dies-of-crlf", &["blanks"]),
    ("dies-of-long-lines", &["bad-bytes"]),
    ("answers-idle-stop", &["stop-idle"]),
    ("refuses-small-letters", &["set-options"]),
    ("dies-of-options", &["bad-options"]),
    ("plays-without-position", &["no-position"]),
    ("swallows-errors", &["no-position", "bad-position", "bad-rack", "bad-move"]),
    ("wrong-code", &["no-position", "bad-position", "bad-rack", "bad-move"]),
    ("illegal", &["legal-moves", "go-auto", "go-gen"]),
    ("stops-at-isready", &["ready-in-search"]),
    ("infinite-for-a-moment", &["infinite"]),
    ("infinite-until-certain", &["infinite"]),
    ("deaf-to-stop", &["stop", "stop-at-once"]),
    ("twice", &["stop", "legal-moves", "go-sim"]),
    ("silent", &["go-peg"]),
    ("overruns", &["movetime"]),
    ("one-limit", &["first-limit"]),
    ("drops-searchmoves", &["searchmoves"]),
    ("drops-alsosearchmoves", &["alsosearchmoves"]),
    ("swallows-ignored", &["useinference", "ignored"]),
    ("sticks-to-position", &["new-game", "legal-moves"]),
    ("hears-no-moves", &["moves-as-cgp"]),
    ("no-provenance", &["go-gen"]),
    ("wrong-scores", &["go-gen"]),
    ("wrong-rows", &["go-sim", "go-peg", "go-endgame", "go-infer"]),
    ("passes", &["winning-bingo", "won-endgame", "go-infer"]),
    ("illegal", &["forced-pass"]),
    ("wrong-spread", &["endgame-value"]),
    ("moves-after-the-end", &["game-over"]),
];

/// What is checked in UCGI by other means than in SIU.
const UCGI_FAULTS: [(&str, &[&str]); 4] = [
    ("drops-searchmoves", &["searchmoves"]),
    ("drops-alsosearchmoves", &["alsosearchmoves"]),
    ("sticks-to-position", &["new-game"]),
    ("hears-no-moves", &["moves-as-cgp"]),
];

/// Has an engine with a fault checked: all these checks must fail. Returns their names.
fn fails(twisted: &str, dialect: &str, fault: &str, checks: &[&str]) -> Vec<String> {
    let mut words: Vec<&str> = checks.iter().flat_map(|check| ["--check", check]).collect();
    words.extend(["--dialect", dialect, "--slow", "0.5", "--", "python3", twisted, fault, ENGINE]);
    let (status, rows, said) = conform(&words);
    assert_eq!((status, rows.len()), (1, checks.len()), "{fault}: {said}");
    assert!(rows.iter().all(|(_, result, _)| result == "FAIL"), "{fault}: {said}");
    rows.into_iter().map(|(name, ..)| name).collect()
}

#[test]
fn each_check_fails_an_engine_that_does_what_it_is_about() {
    if !Need::Python.is_met() {
        return;
    }
    let twisted = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines/twisted_engine.py");
    let twisted = twisted.to_str().expect("a path of text");
    let mut failed = BTreeSet::from([NOTHING_TO_REFUSE.to_string()]);
    // Most of the time is spent waiting for what does not come.
    let siu = FAULTS.iter().map(|fault| ("siu", fault));
    let all: Vec<_> = siu.chain(UCGI_FAULTS.iter().map(|fault| ("ucgi", fault))).collect();
    for faults in all.chunks(4) {
        std::thread::scope(|scope| {
            let runs: Vec<_> =
                faults.iter().map(|(dialect, (fault, checks))| scope.spawn(|| fails(twisted, dialect, fault, checks))).collect();
            runs.into_iter().for_each(|run| failed.extend(run.join().expect("the checks fail")));
        });
    }
    let list = Command::new(ENGINE).args(["conform", "--list"]).output().expect("the program runs").stdout;
    let all: BTreeSet<String> =
        String::from_utf8_lossy(&list).lines().filter_map(|line| line.split_whitespace().next().map(String::from)).collect();
    assert_eq!(all, failed, "checks that no engine fails");
}

#[test]
fn a_small_engine_is_held_to_what_it_claims() {
    if !Need::Python.is_met() {
        return;
    }
    let skeleton = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/siu_skeleton.py");
    let (_, rows, said) = conform(&["--check", "unsupported-mode", "--check", "go-gen", "--", "python3", skeleton.to_str().unwrap()]);
    let results: Vec<&str> = rows.iter().map(|(_, result, _)| result.as_str()).collect();
    assert_eq!(results, ["FAIL", "SKIP"], "{said}");
}

#[test]
fn a_failure_shows_the_last_lines_of_standard_error() {
    let engine = ["--", "sh", "-c", r#"for n in $(seq 20); do echo \"line\" $n >&2; done; exit 3"#];
    let last_lines: Vec<String> = (9..=20).map(|n| format!("2> \"line\" {n}")).collect();
    let (status, rows, said) = conform(&[&["--check", "identity"], &engine[..]].concat());
    assert_eq!((status, rows[0].1.as_str()), (1, "FAIL"), "{said}");
    let shown: Vec<&str> = said.lines().map(str::trim).filter(|line| line.starts_with("2>")).collect();
    assert_eq!(shown, last_lines, "{said}");
    let (_, _, said) = conform(&[&["--json", "--check", "identity"], &engine[..]].concat());
    let object: serde_json::Value = serde_json::from_str(said.trim()).expect("one object");
    assert_eq!(object["stderr"], serde_json::json!(last_lines), "{said}");
}

#[test]
fn what_cannot_be_is_told() {
    let check = |words: &[&str], expected: &str| {
        let output = Command::new(ENGINE).arg("conform").args(words).stdin(Stdio::null()).output().expect("the program runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains(expected), "{words:?}: {errors}");
    };
    check(&["--check", "stopp", ENGINE], "there is no check \"stopp\"");
    check(&["no/such/engine"], "the engine cannot be started: no/such/engine: ");
    check(&["--option", "Threads", ENGINE], "expected NAME=VALUE");
    check(&["--slow", "0", ENGINE], "expected a factor");
    check(&["--check", "identity", "--slow", "0.1", "sleep", "100"], "1 check failed");
}
