//! Limits of time and memory: what a large table must not cost, and what is refused instead of ending the process.

use crate::integration::engine_process::{EngineProcess, share_machine, timed};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Duration;
use tilewright::cli::static_games::StaticGames;
use tilewright::engine::Engine;
use tilewright::formats::cgp;

/// An endgame that takes seconds.
const LONG_ENDGAME: &str = "5BERGS5/4PA3U5/2QAID3R5/3BEE3F2S2/1P1ET2VIATIC2/MA1TAW3c2H2/ES3IS2E2A2/AT1FOLIA4V2/LI1L1EX1E6/1N1O1D2N2Y3/1GNU2C1JETE3/2ER2OHO2N3/2O3GOY6/1INDOW1U7/4DORR7 IKLMTZ/AEINRU? 0/0 0";

/// Sizes of a large table, MB: the first one that the machine has.
const LARGE: [u32; 3] = [1024, 512, 128];

/// How much later than it should an answer may come.
const MARGIN: Duration = Duration::from_millis(50);

/// At the long endgame, with a large table.
fn with_a_large_table(engine: &mut EngineProcess) {
    let is_had = |megabytes: &u32| engine.ask(&format!("setoption name EndgameHash value {megabytes}")).is_empty();
    assert!(LARGE.iter().any(is_had), "not even {} MB can be had", LARGE[2]);
    engine.tell(&format!("position cgp {LONG_ENDGAME}"));
}

#[test]
fn a_movetime_holds_whatever_the_size_of_the_table() {
    let movetime = Duration::from_millis(300);
    for _ in 0..2 {
        timed(movetime + MARGIN, |engine| {
            with_a_large_table(engine);
            // The second search finds the table that the first one has used.
            engine.go("go endgame movetime 100");
            let sent = engine.send(&format!("go endgame movetime {}", movetime.as_millis()));
            engine.until("bestmove");
            sent.elapsed()
        });
    }
}

#[test]
fn stop_is_obeyed_at_once_whatever_the_size_of_the_table() {
    for wait in [Duration::ZERO, Duration::from_millis(200)] {
        timed(MARGIN, |engine| {
            with_a_large_table(engine);
            engine.send("go endgame infinite");
            engine.line();
            std::thread::sleep(wait);
            let sent = engine.send("stop");
            engine.until("bestmove");
            sent.elapsed()
        });
    }
}

#[test]
fn a_table_that_cannot_be_had_is_refused_and_searches_go_on() {
    let mut engine = EngineProcess::start();
    engine.tell(&format!("position cgp {LONG_ENDGAME}"));
    // A machine that has so much may take it.
    for megabytes in [65_536, 40_000] {
        let answer = engine.ask(&format!("setoption name EndgameHash value {megabytes}"));
        if let [refused] = &answer[..] {
            let start = format!("info string error bad-option there is no memory for a table of {megabytes} MB");
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
    let _machine = share_machine();
    let program = env!("CARGO_BIN_EXE_tilewright");
    for megabytes in ["99999999999", "18446744073709551615"] {
        let output = Command::new(program).args(["endgames", "--games", "1", "--hash", megabytes]).output().expect("the program starts");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.contains(&format!("--hash {megabytes}")), "{told}");
    }
}

#[test]
fn a_bench_answers_isready_and_obeys_stop() {
    timed(MARGIN, |engine| {
        // Seconds for each figure, so that it does not end by itself.
        engine.send("bench 1 60\nisready");
        assert_eq!(engine.line(), "readyok");
        // Words and tables are made ready, and the signature is there: now it measures.
        assert!(engine.line().starts_with("info string Bench: "));
        let sent = engine.send("stop");
        let line = engine.line();
        assert_eq!(line, "info string bench stopped: what stands above was measured to its end");
        let taken = sent.elapsed();
        engine.tell("position startpos moves rack.AEINRST");
        engine.go("go gen multipv 1");
        taken
    });
}

#[test]
fn quit_ends_a_bench() {
    timed(Duration::from_millis(500), |engine| {
        engine.send("bench 1 60");
        engine.sync();
        let sent = engine.send("quit");
        engine.drain_to_end();
        let (ended, status) = engine.wait_exit();
        assert!(status.success());
        ended.duration_since(sent)
    });
}

#[test]
fn a_game_of_ghost_is_solved_beside_the_conversation() {
    timed(Duration::from_millis(100), |engine| {
        // The words are there.
        assert_eq!(engine.ask("check CAT"), ["info string check CAT valid"]);
        let asked = engine.send("ghost super solve\nisready\nstop");
        assert_eq!(engine.line(), "readyok");
        assert_eq!(engine.line(), "info string error bad-option Ghost was stopped before it was solved");
        asked.elapsed()
    });
}

#[test]
fn quit_does_not_wait_for_a_game_of_ghost() {
    timed(Duration::from_millis(500), |engine| {
        engine.ask("check CAT");
        engine.send("ghost super solve");
        let told = engine.send("quit");
        engine.drain_to_end();
        let (ended, status) = engine.wait_exit();
        assert!(status.success());
        ended.duration_since(told)
    });
}

/// Twenty thousand plays and more, each of them a candidate.
const MANY_PLAYS: &str = "15/15/15/7LACEWOOD/9Y5/9M5/6J2B5/3WAVER1I2H2/6F2D2A2/4FLEABITES2/9A2T2/12I2/12l2/12Y2/15 ?EEILNT/ 187/175 0";

#[cfg(target_os = "linux")]
fn status_number(process: u32, name: &str) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("the process lives");
    let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("the system tells");
    line.split_whitespace().next().and_then(|number| number.parse().ok()).expect("a number")
}

/// Processor time that a process has used, all its threads together.
#[cfg(target_os = "linux")]
fn processor_time(process: u32) -> Duration {
    let clock = nix::time::clock_getcpuclockid(nix::unistd::Pid::from_raw(process.cast_signed())).expect("the process lives");
    clock.now().expect("its clock can be read").into()
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

#[cfg(target_os = "linux")]
#[test]
fn stop_costs_no_more_work_with_many_threads_and_candidates() {
    timed(Duration::from_millis(100), |engine| {
        engine.tell(&format!("position cgp {MANY_PLAYS}"));
        engine.send("go sim plays 100000 infinite threads 256");
        // In the middle of an iteration, once the candidates are found.
        std::thread::sleep(Duration::from_secs(2));
        let before = processor_time(engine.id());
        engine.send("stop");
        engine.until("bestmove");
        processor_time(engine.id()) - before
    });
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
    let _machine = share_machine();
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
