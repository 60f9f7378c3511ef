//! Every value that is declared can be set, and the engine works with it: options at their least and greatest values, parameters of
//! `go` at theirs, a long series of searches.
//!
//! Not here: values beyond the bounds (`protocol_checks.rs`, 18), random combinations (`monkey.rs`), how soon it answers at the greatest (`tests/timed/`), disks and memory that run out
//! (`faults.rs`).

use crate::integration::answers::Search;
use crate::integration::engine_process::EngineProcess;
use crate::integration::positions::{ENDGAME, MIDGAME, OPENING, PRE_ENDGAME};
use crate::integration::referee;

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

#[test]
fn a_time_of_0_or_less_ends_a_search_at_once() {
    let mut engine = EngineProcess::start();
    for (cgp, modes) in [(MIDGAME, &["gen", "sim", "auto"][..]), (PRE_ENDGAME, &["peg", "auto"]), (ENDGAME, &["endgame", "auto"])] {
        for mode in modes {
            for time in ["movetime 0", "movetime -5", "mytime 0", "mytime -5"] {
                engine.renew_limit();
                engine.tell(&format!("position cgp {cgp}"));
                let best = Search::of(&engine.go(&format!("go {mode} {time}"))).best;
                referee::check_legal(&referee::position(cgp), &best);
            }
        }
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
