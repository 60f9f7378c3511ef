//! What a person meets: the program at a plain terminal, slips of the fingers, the log of a session and its replay.
//!
//! A terminal is made by `script` of util-linux; without it these tests are skipped, with a message. Those of a terminal that can be drawn on
//! are in `terminal.rs`.

use crate::integration::engine_process::EngineProcess;
use crate::integration::needs::Need;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// What the program says at a terminal to lines that are typed into it, each when the answer to the one before has come: a line that begins
/// like the text beside it. `None` if no terminal can be made.
fn at_a_terminal(typed: &[(&str, &str)]) -> Option<Vec<String>> {
    if !Need::Terminal.is_met() {
        return None;
    }
    let mut command = Command::new("script");
    command.args(["-qec", env!("CARGO_BIN_EXE_tilewright"), "/dev/null"]);
    // One that can only write on: what is said comes as lines.
    command.env("TERM", "dumb");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("script runs");
    let mut input = child.stdin.take().expect("stdin is piped");
    let output = BufReader::new(child.stdout.take().expect("stdout is piped"));
    let mut output = output.lines().map(|line| line.expect("the terminal shows text").replace('\r', ""));
    let mut lines = vec![output.next().expect("a greeting")];
    for (line, awaited) in typed {
        writeln!(input, "{line}").expect("the terminal takes the line");
        while !awaited.is_empty() {
            let answer = output.next().unwrap_or_else(|| panic!("no {awaited:?} after {lines:?}"));
            // The terminal shows what is typed, too.
            if answer == *line {
                continue;
            }
            let is_awaited = answer.starts_with(awaited);
            lines.push(answer);
            if is_awaited {
                break;
            }
        }
    }
    lines.extend(output.filter(|line| !typed.iter().any(|(typed, _)| typed == line)));
    assert!(child.wait().expect("script ends").success());
    Some(lines)
}

#[test]
fn a_terminal_is_greeted_and_a_pipe_is_not() {
    let Some(lines) = at_a_terminal(&[("exit", "")]) else { return };
    let greeting = format!("info string Tilewright {}: type help for commands, quit to leave", env!("CARGO_PKG_VERSION"));
    assert_eq!(lines, [greeting]);
    let mut engine = EngineProcess::start();
    assert_eq!(engine.ask(""), [""; 0]);
}

#[test]
fn a_static_ranking_fits_on_the_screen_and_says_how_to_see_the_rest() {
    let position = ("position startpos moves 8D.RETAINS rack.EIORSTV", "");
    let Some(lines) = at_a_terminal(&[position, ("go gen", "bestmove"), ("go gen multipv 30", "bestmove"), ("q", "")]) else { return };
    let rows = |from: usize| lines[from..].iter().take_while(|line| line.starts_with("info gen ")).count();
    let hints: Vec<usize> = (0..lines.len()).filter(|&at| lines[at].starts_with("info string the best ")).collect();
    let [hint] = hints[..] else { panic!("{lines:?}") };
    let asked = lines.iter().rposition(|line| line.starts_with("info string provenance ")).unwrap();
    assert_eq!((rows(hint + 1), rows(asked + 1)), (20, 30), "{lines:?}");
    let all = lines[hint].strip_prefix("info string the best 20 of ").unwrap().split(' ').next().unwrap();
    assert_eq!(lines[hint], format!("info string the best 20 of {all} plays: go gen multipv {all} shows all"));
    // A pipe gets them all, and no line more.
    let mut engine = EngineProcess::start();
    engine.tell("position startpos moves 8D.RETAINS rack.EIORSTV");
    let lines = engine.go("go gen");
    assert_eq!(lines.len(), all.parse::<usize>().unwrap() + 2);
}

#[test]
fn a_mistyped_limit_is_no_search_of_five_seconds() {
    let mut engine = EngineProcess::start();
    engine.tell("position startpos moves rack.AEINRST");
    for (line, meant) in
        [("go moevtime 1000", "movetime"), ("go sim itreations 5", "iterations"), ("go iter 5", "iterations"), ("go wtime 5", "1time")]
    {
        let text = engine.refused(line, "bad-option");
        assert!(text.contains(&format!("did you mean {meant}?")), "{text:?}");
    }
    // With another limit, and where there is nothing to limit, a word that is not known is skipped and named.
    let lines = engine.go("go sim iterations 5 moevtime 1000");
    assert_eq!(lines[..2], ["info string ignored moevtime, did you mean movetime?", "info string ignored 1000"]);
    assert_eq!(engine.go("go gen mutlipv 5")[0], "info string ignored mutlipv, did you mean multipv?");
    // A word that is near to none may be one of a protocol to come.
    assert_eq!(engine.go("go sim iterations 5 ponder")[0], "info string ignored ponder");
    for line in ["position startpos mvoes 8D.RETAINS", "position cgp 15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 / 0/0 0 move 8D.CAT;"] {
        let text = engine.refused(line, "bad-position");
        assert!(text.contains("did you mean moves?"), "{text:?}");
    }
}

/// A session of several kinds of searches, with its log switched on in the middle; returns what was sent behind the handshake.
fn logged_session(log: &Path) -> Vec<String> {
    let mut engine = EngineProcess::start();
    let mut lines = Vec::new();
    engine.send("siu");
    engine.until("siuok");
    lines.extend(engine.ask(&format!("position startpos {}moves rack.AEINRST", "at all ".repeat(30))));
    lines.extend(engine.go("go sim iterations 40 seed 3 threads 2"));
    engine.tell(&format!("setoption name LogFile value {}", log.display()));
    lines.extend(engine.ask("check RETAINS"));
    lines.extend(engine.ask("check RETAINS  \"quoted\"\t\u{1}"));
    engine.send("go gen infinite");
    // Stopped when it is complete: a ranking that is cut short cannot be repeated.
    while !engine.line().starts_with("info gen ") {}
    lines.extend(engine.sync());
    engine.send("stop");
    lines.extend(engine.until("bestmove"));
    lines.extend(engine.ask("joho frobnicate"));
    engine.send("quit");
    engine.wait_exit();
    lines
}

fn replayed(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tilewright")).arg("replay").args(arguments).output().expect("the program runs")
}

#[test]
fn a_session_can_be_replayed_from_its_log() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let log = folder.path().join("session.log");
    let lines = logged_session(&log);
    let text = std::fs::read_to_string(&log).expect("the log is written");
    // Lines are whole, with the time of day and the time since the start.
    assert!(
        text.contains("at all at all moves rack.AEINRST\"\n") && text.contains("check RETAINS  \\\"quoted\\\"\\t\\u0001\"\n"),
        "{text}"
    );
    for line in text.lines().filter(|line| line.contains(" sent at ") || line.contains(" received at ")) {
        assert!(line.as_bytes()[..4].iter().all(u8::is_ascii_digit) && line.contains(" ms: \""), "{line:?}");
    }
    let path = log.display().to_string();
    let output = replayed(&[&path]);
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{told}\n{}", String::from_utf8_lossy(&output.stderr));
    // Nothing is compared that the session did not say: the answers are those that this test saw.
    let is_timed = |line: &str| line.starts_with("info depth ");
    let seen: Vec<&str> =
        lines.iter().map(String::as_str).filter(|line| line.starts_with("info string") || line.starts_with("bestmove")).collect();
    let answers: Vec<&str> = told.lines().filter_map(|line| line.strip_prefix("< ")).filter(|line| !is_timed(line)).collect();
    assert!(seen.iter().all(|line| answers.contains(line)), "{seen:?}\n{answers:?}");
    assert!(told.contains(&format!("# not sent: setoption name LogFile value {path}")), "{told}");
    assert_eq!(std::fs::read_to_string(&log).unwrap(), text, "a replay leaves its log alone");
    assert!(replayed(&[&path, "--at-times"]).status.success());
    // Another answer is found.
    std::fs::write(&log, text.replace("check RETAINS valid", "check RETAINS invalid")).unwrap();
    let output = replayed(&[&path]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(1) && error.contains("log:    info string check RETAINS invalid"), "{error}");
    std::fs::write(&log, "no log\n").unwrap();
    assert!(String::from_utf8_lossy(&replayed(&[&path]).stderr).contains("this log has no session"));
}
