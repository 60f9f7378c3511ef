//! Limits of memory and threads: what is refused instead of ending the process, and what many games hold. Not here: limits of time (`tests/timed/`).

use crate::integration::engine_process::EngineProcess;
use crate::integration::positions::{ENDGAME, MANY_PLAYS};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use tilewright::engine::Engine;
use tilewright::formats::cgp;
use tilewright::internals::StaticGames;

#[test]
fn a_table_that_cannot_be_had_is_refused_and_searches_go_on() {
    let mut engine = EngineProcess::start();
    engine.tell(&format!("position cgp {ENDGAME}"));
    // A machine that has so much may take it.
    for megabytes in [65_536, 40_000] {
        let answer = engine.ask(&format!("setoption name EndgameHash value {megabytes}"));
        if let [refused] = &answer[..] {
            let start = format!("info string error bad-option setoption: column 34: not enough memory for a table of {megabytes} MB");
            assert!(refused.starts_with(&start), "{refused:?}");
        } else {
            assert!(answer.is_empty(), "{answer:?}");
        }
        engine.go("go endgame nodes 50");
    }
    engine.tell("setoption name EndgameHash value 8");
    engine.go("go endgame nodes 50");
}

#[test]
fn a_flag_for_a_table_that_cannot_be_had_is_an_error() {
    let program = env!("CARGO_BIN_EXE_tilewright");
    for megabytes in ["99999999999", "18446744073709551615"] {
        let output =
            Command::new(program).args(["lab", "endgames", "--games", "1", "--hash", megabytes]).output().expect("the program starts");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.contains(&format!("--hash {megabytes}")), "{told}");
    }
}

#[cfg(target_os = "linux")]
fn status_number(process: u32, name: &str) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("the process lives");
    let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("the system tells");
    line.split_whitespace().next().and_then(|number| number.parse().ok()).expect("a number")
}

#[cfg(target_os = "linux")]
#[test]
fn threads_beyond_the_processors_are_not_started() {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let mut engine = EngineProcess::start();
    engine.tell(&format!("position cgp {MANY_PLAYS}"));
    let before = status_number(engine.id(), "Threads:");
    engine.send("go sim infinite threads 256");
    engine.until("info");
    // The first ranking is there, so the threads are.
    while !engine.line().starts_with("info sim ") {}
    let with_search = status_number(engine.id(), "Threads:");
    engine.send("stop");
    engine.until("bestmove");
    // A thread or two may come for reading and writing.
    assert!(with_search <= before + processors + 2, "{before} threads, {with_search} in a search, with {processors} processors");
}

/// Games of the test of memory, and its budget, MB: the smallest.
const GAMES: u64 = 200;
const BUDGET: u64 = 64;

/// Resident memory of a process, KiB.
#[cfg(target_os = "linux")]
fn resident_kib(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("the process is there");
    let words = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its memory");
    words.split_whitespace().next().and_then(|number| number.parse().ok()).expect("a number")
}

#[cfg(target_os = "linux")]
#[test]
fn two_hundred_games_stay_within_the_budget() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tilewright"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let (mut input, output) = (child.stdin.take().expect("stdin is piped"), child.stdout.take().expect("stdout is piped"));
    let mut lines = BufReader::new(output).lines();
    let mut until = |first_word: &str| while lines.next().expect("an answer").expect("text").split(' ').next() != Some(first_word) {};
    // Words and tables are loaded by a first search.
    writeln!(input, "setoption name EndgameHash value 4\nsetoption name Memory value {BUDGET}\nposition startpos moves rack.AEINRST")
        .unwrap();
    writeln!(input, "anagram AEINRST\ngo sim iterations 50").unwrap();
    until("bestmove");
    let start = resident_kib(child.id());
    // The searches that keep lists, and one that does not.
    let engine = Engine::builtin();
    let mut games = StaticGames::new(&engine, 7);
    for game in 0..GAMES {
        for (in_bag, go) in
            [(20 + (game % 9) as usize, "sim iterations 4"), (1 + (game % 2) as usize, "peg nodes 300"), (0, "endgame nodes 300")]
        {
            if let Some(position) = games.first_with_in_bag(game, in_bag).unwrap() {
                let cgp = cgp::print(&position, &cgp::Opcodes::default());
                writeln!(input, "position cgp {cgp}\ngo {go}").unwrap();
                until("bestmove");
            }
        }
    }
    let end = resident_kib(child.id());
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(end < start + BUDGET * 1024, "{start} KiB before, {end} KiB after {GAMES} games, with a budget of {BUDGET} MB");
}
