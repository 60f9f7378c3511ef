//! Every value that is declared can be set, and the engine works with it: options at their least and greatest values, parameters of
//! `go` at theirs, a long series of searches.
//!
//! Not here: values beyond the bounds (`protocol_checks.rs`, 18), random combinations (`monkey.rs`), disks and memory that run out
//! (`faults.rs`).

use crate::integration::answers::Search;
use crate::integration::engine_process::{EngineProcess, timed};
use crate::integration::referee;
use std::time::Duration;

const OPENING: &str = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0";
const MIDGAME: &str = "7Q2TUBAE/5PsI4U2/2JURAT3A1G2/5CITTERNS2/4PAM3T1E2/4I1Y2WE1E2/4S1I2OR1D2/4TEND1OI4/3YO1G3E4/3EL5S4/3AE10/3H11/15/15/15 AADORSW/ 232/220 0";
const PRE_ENDGAME: &str = "15/3Q7U3/3U2TAURINE2/1CHANSONS2W3/2AI6JO3/DIRL1PO3IN3/E1D2EF3V4/F1I2p1TRAIK3/O1L2T4E4/ABy1PIT2BRIG2/ME1MOZELLE5/1GRADE1O1NOH3/WE3R1V7/AT5E7/G6D7 ENOSTXY/ACEISUY 356/378 0";
const ENDGAME: &str = "5BERGS5/4PA3U5/2QAID3R5/3BEE3F2S2/1P1ET2VIATIC2/MA1TAW3c2H2/ES3IS2E2A2/AT1FOLIA4V2/LI1L1EX1E6/1N1O1D2N2Y3/1GNU2C1JETE3/2ER2OHO2N3/2O3GOY6/1INDOW1U7/4DORR7 IKLMTZ/AEINRU? 0/0 0";

/// A short search in each phase, each with its own kind of search.
const SEARCHES: [(&str, &str); 5] = [
    (OPENING, "go gen"),
    (MIDGAME, "go sim iterations 4 plays 4"),
    (MIDGAME, "go sim mytime 2000 plays 3 iterations 4"),
    (PRE_ENDGAME, "go peg nodes 2000"),
    (ENDGAME, "go endgame nodes 2000"),
];

/// All searches, each with one legal move.
fn check_searches(engine: &mut EngineProcess) {
    for (cgp, go) in SEARCHES {
        engine.renew_limit();
        engine.tell(&format!("position cgp {cgp}"));
        let mut lines = engine.go(go);
        lines.extend(engine.sync());
        let best: Vec<&String> = lines.iter().filter(|line| line.starts_with("bestmove ")).collect();
        assert_eq!(best.len(), 1, "{go}: {lines:?}");
        referee::check_legal(&referee::position(cgp), best[0].trim_start_matches("bestmove "));
    }
}

/// The spins of the handshake: name, least and greatest value.
fn spins(engine: &mut EngineProcess) -> Vec<(String, [String; 2])> {
    engine.send("siu");
    let lines = engine.until("siuok");
    let words = lines.iter().map(|line| line.split(' ').collect::<Vec<_>>());
    let spin = |words: Vec<&str>| match words[..] {
        ["option", "name", name, "type", "spin", "default", _, "min", min, "max", max] => {
            Some((name.to_string(), [min.to_string(), max.to_string()]))
        }
        _ => None,
    };
    words.filter_map(spin).collect()
}

/// Sizes in MB are declared as far as the largest machine has them: what this one has not is refused when it is set.
fn is_memory(option: &str) -> bool {
    ["EndgameHash", "Memory"].contains(&option)
}

#[test]
fn every_number_works_at_its_bounds() {
    let mut engine = EngineProcess::start();
    let spins = spins(&mut engine);
    assert!(spins.len() >= 5, "{spins:?}");
    drop(engine);
    for (name, bounds) in spins {
        for value in bounds {
            let mut engine = EngineProcess::start();
            let answer = engine.ask(&format!("setoption name {name} value {value}"));
            let is_refused = answer.len() == 1 && answer[0].starts_with("info string error bad-option ");
            assert!(answer.is_empty() || is_memory(&name) && is_refused, "{name} {value} was answered {answer:?}");
            check_searches(&mut engine);
        }
    }
}

#[test]
fn every_word_of_a_list_can_be_chosen() {
    let mut engine = EngineProcess::start();
    engine.send("siu");
    for line in engine.until("siuok") {
        let words: Vec<&str> = line.split(' ').collect();
        let ["option", "name", name, "type", kind, "default", default, choices @ ..] = &words[..] else { continue };
        let choices: Vec<&str> = match *kind {
            "combo" => choices.chunks(2).map(|pair| pair[1]).collect(),
            "check" => vec!["true", "false"],
            _ => continue,
        };
        for choice in choices {
            engine.tell(&format!("setoption name {name} value {choice}"));
            engine.tell(&format!("position cgp {OPENING}"));
            let mut answer = engine.ask("go gen");
            if !answer.iter().any(|line| line.starts_with("bestmove ") || line.starts_with("info string error ")) {
                answer.extend(engine.until("bestmove"));
            }
            let is_over = answer
                .iter()
                .filter(|line| line.starts_with("bestmove ") || line.starts_with("info string error unsupported-mode "))
                .count();
            assert_eq!(is_over, 1, "{name} {choice}: {answer:?}");
        }
        engine.tell(&format!("setoption name {name} value {default}"));
    }
}

#[test]
fn every_parameter_works_at_its_bounds() {
    let most = i64::MAX;
    let least = i64::MIN;
    let mut engine = EngineProcess::start();
    for (cgp, modes) in [(MIDGAME, &["sim", "auto"][..]), (PRE_ENDGAME, &["peg", "auto"]), (ENDGAME, &["endgame", "auto"])] {
        for mode in modes {
            for parameters in [
                "depth 1 iterations 1".to_string(),
                "depth 100 iterations 2 plays 2 nodes 20000".to_string(),
                format!("iterations {most} nodes 1"),
                format!("nodes {most} movetime 30"),
                "movetime 0".to_string(),
                format!("movetime {least}"),
                format!("movetime {most} iterations 2 nodes 500 plays 2"),
                format!("mytime {least} myinc {least} opptime {least} oppinc {least}"),
                format!("mytime {most} myinc {most} iterations 2 nodes 500 plays 2"),
                format!("1time {least} 2time {most} 1inc {most} 2inc {least} nodes 500 iterations 1"),
                "threads 1 nodes 500".to_string(),
                "threads 256 nodes 500 plays 3".to_string(),
                "plays 1 nodes 500".to_string(),
                "multipv 1 nodes 500 iterations 3".to_string(),
                "multipv 100000 nodes 500 iterations 3".to_string(),
                "info 1 nodes 500 plays 3".to_string(),
                "info 31536000000 nodes 500 plays 3".to_string(),
                "seed 0 iterations 2 nodes 500".to_string(),
                format!("seed {most} iterations 2 nodes 500"),
            ] {
                engine.renew_limit();
                engine.tell(&format!("position cgp {cgp}"));
                // Those without a limit of their own kind end with `stop`.
                engine.send(&format!("go {mode} {parameters}"));
                engine.send("stop");
                let mut lines = engine.until("bestmove");
                lines.extend(engine.sync());
                let best: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("bestmove ")).collect();
                assert_eq!(best.len(), 1, "{mode} {parameters}: {lines:?}");
                referee::check_legal(&referee::position(cgp), best[0]);
                assert!(!lines.iter().any(|line| line.starts_with("info string error ")), "{mode} {parameters}: {lines:?}");
            }
        }
    }
}

/// Endless searches with the greatest values that are declared.
const GREATEST: [(&str, &str); 5] = [
    (MIDGAME, "go sim infinite threads 256"),
    (MIDGAME, "go sim infinite depth 100 info 1"),
    (OPENING, "go gen infinite plays 100000 multipv 100000"),
    (PRE_ENDGAME, "go peg infinite threads 256 multipv 100000"),
    (ENDGAME, "go endgame infinite threads 256 depth 100"),
];

/// Starts an endless search and lets it come to work.
fn think(engine: &mut EngineProcess, cgp: &str, go: &str) {
    engine.tell(&format!("position cgp {cgp}"));
    engine.send(go);
    std::thread::sleep(Duration::from_millis(300));
}

#[test]
fn it_answers_at_the_greatest_values() {
    for (cgp, go) in GREATEST {
        timed(Duration::from_millis(100), |engine| {
            think(engine, cgp, go);
            let asked = engine.send("isready");
            engine.until("readyok");
            let answered = asked.elapsed();
            let told = engine.send("stop");
            engine.until("bestmove");
            answered.max(told.elapsed())
        });
    }
}

#[test]
fn it_ends_at_the_greatest_values() {
    for ((cgp, go), by_quit) in GREATEST.into_iter().zip([true, false].into_iter().cycle()) {
        timed(Duration::from_millis(500), |engine| {
            think(engine, cgp, go);
            let told = if by_quit { engine.send("quit") } else { engine.close_input() };
            engine.drain_to_end();
            let (ended, status) = engine.wait_exit();
            assert!(status.success(), "{go}: {status}");
            ended - told
        });
    }
}

#[test]
fn the_most_threads_find_the_same() {
    for (cgp, go) in [(MIDGAME, "go sim iterations 20 plays 4 seed 7 info 100000"), (PRE_ENDGAME, "go peg nodes 2000 plays 4 info 100000")]
    {
        let last_block = |threads: usize| {
            let mut engine = EngineProcess::start();
            engine.tell(&format!("position cgp {cgp}"));
            let search = Search::of(&engine.go(&format!("{go} threads {threads}")));
            (search.best, search.blocks.last().cloned())
        };
        assert_eq!(last_block(256), last_block(1), "{go}");
    }
}

/// A short form of `scripts/soak`, which makes thousands.
#[test]
#[cfg(target_os = "linux")]
fn searches_do_not_add_up_in_memory() {
    let mut engine = EngineProcess::start();
    // What grows is soon as large as it may be.
    engine.tell("setoption name Memory value 64");
    let search = |engine: &mut EngineProcess, number: usize| {
        let (cgp, go) = SEARCHES[number % SEARCHES.len()];
        engine.renew_limit();
        engine.tell(&format!("position cgp {cgp}"));
        let seed = if go.contains("sim") { format!(" seed {number}") } else { String::new() };
        Search::of(&engine.go(&format!("{go}{seed}")));
        engine.shorten_transcript(200);
    };
    let resident_mib = |engine: &EngineProcess| {
        let status = std::fs::read_to_string(format!("/proc/{}/status", engine.id())).expect("the process lives");
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("its memory");
        line.split_whitespace().nth(1).and_then(|kb| kb.parse::<usize>().ok()).expect("a number") / 1024
    };
    // Tables and caches are filled by the first searches.
    (0..60).for_each(|number| search(&mut engine, number));
    let settled = resident_mib(&engine);
    (60..240).for_each(|number| search(&mut engine, number));
    let after = resident_mib(&engine);
    assert!(after <= settled + settled / 10 + 8, "{settled} MiB after 60 searches, {after} MiB after 240");
}
