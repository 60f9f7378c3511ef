//! Disks that are full, folders that take no files, memory that is not to be had: told, and survived.
//!
//! What is injected needs no code in the program: `/dev/full`, `/proc`, and limits that a shell sets before it starts the engine. With
//! `trap '' XFSZ` a file that reaches the limit fails in the middle of a write, as on a disk that has become full. Linux only.
#![cfg(target_os = "linux")]

use crate::integration::answers::Search;
use crate::integration::engine_process::EngineProcess;
use crate::integration::positions::OPENING;
use std::path::Path;
use std::process::{Command, Output};

/// The program behind a line of shell that sets limits.
fn limited(limits: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{limits}; exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_tilewright")]);
    command
}

/// A file becomes full at this many blocks of 512 or 1024 bytes, as the shell counts them.
fn full_disk(blocks: usize) -> Command {
    limited(&format!("trap '' XFSZ; ulimit -f {blocks}"))
}

fn check_alive(engine: &mut EngineProcess) {
    engine.tell(&format!("position cgp {OPENING}"));
    Search::of(&engine.go("go sim iterations 20 plays 4"));
    assert!(engine.sync().is_empty());
}

#[test]
fn a_log_that_cannot_be_opened_is_refused() {
    let mut engine = EngineProcess::start();
    for option in ["LogFile", "SimLog"] {
        for file in ["/proc/tilewright.log", "/dev/null/tilewright.log", "/nowhere/at/all/tilewright.log", "/"] {
            let answer = engine.refused(&format!("setoption name {option} value {file}"), "bad-option");
            assert!(answer.contains(file), "{option}: {answer:?}");
        }
    }
    check_alive(&mut engine);
}

#[test]
fn samples_are_added_to_a_file_that_is_there_by_one_process_at_a_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("samples.json");
    // A run that was killed has left half a line.
    std::fs::write(&file, "{\"iteration\":0}\n{\"iter").expect("a file");
    let set = format!("setoption name SimLog value {}", file.display());
    let mut engine = EngineProcess::start();
    engine.tell(&set);
    let second = Command::new(env!("CARGO_BIN_EXE_tilewright")).arg(&set).output().expect("the program");
    let told = String::from_utf8_lossy(&second.stdout).into_owned();
    assert!(
        told.starts_with("info string error bad-option ") && told.trim_end().ends_with("another run is writing to this file"),
        "{told}"
    );
    engine.tell(&format!("position cgp {OPENING}"));
    engine.go("go sim iterations 5 plays 2 threads 1");
    // The same file once more is the same file.
    engine.tell(&set);
    engine.go("go sim iterations 5 plays 2 threads 1");
    engine.tell("setoption name SimLog value <empty>");
    let text = std::fs::read_to_string(&file).expect("the samples");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..2], ["{\"iteration\":0}", "{\"iter"]);
    assert_eq!(lines.len(), 2 + 2 * 10, "{text}");
    assert!(lines[2..].iter().all(|line| line.starts_with("{\"iteration\":") && line.ends_with('}')), "{text}");
    let mut other = Command::new(env!("CARGO_BIN_EXE_tilewright"));
    assert!(other.arg(&set).output().expect("the program").stdout.is_empty(), "the file is free again");
}

#[test]
fn a_full_disk_does_not_end_a_search_nor_the_program() {
    let folder = tempfile::tempdir().expect("a folder");
    for option in ["LogFile", "SimLog"] {
        let file = folder.path().join(option).display().to_string();
        for (mut command, file) in [(Command::new(env!("CARGO_BIN_EXE_tilewright")), "/dev/full"), (full_disk(4), file.as_str())] {
            let mut engine = EngineProcess::start_by(&mut command);
            let answer = engine.ask(&format!("setoption name {option} value {file}"));
            assert!(answer.is_empty() || answer[0].starts_with("info string error bad-option "), "{answer:?}");
            engine.tell(&format!("position cgp {OPENING}"));
            engine.ask("debug on");
            for _ in 0..3 {
                let lines = engine.go("go sim iterations 60 plays 8");
                assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove ")).count(), 1, "{lines:?}");
            }
            engine.ask("debug off");
            engine.tell(&format!("setoption name {option} value <empty>"));
            engine.renew_limit();
            check_alive(&mut engine);
        }
    }
}

#[test]
fn what_has_no_end_or_never_comes_is_refused_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    assert!(Command::new("mkfifo").arg(path("pipe")).status().expect("mkfifo").success());
    std::os::unix::fs::symlink("/dev/zero", path("zero.txt")).expect("a link");
    std::fs::File::create(path("sparse.csv")).and_then(|file| file.set_len(20 << 30)).expect("a file with a hole");
    let mut engine = EngineProcess::start();
    let read = ["Lexicon", "Leaves", "WinPctTable", "LetterDistribution", "Layout"].map(|option| format!("setoption name {option} value"));
    let written = ["LogFile", "SimLog"].map(|option| format!("setoption name {option} value"));
    let game = ["position gcg".to_string()];
    for (lines, file, why) in [
        (&[&read[..], &written[..], &game[..]].concat(), path("pipe"), "this is a pipe, not a file"),
        (&[&read[..], &written[..], &game[..]].concat(), path("zero.txt"), "this is a device, not a file"),
        (&[&read[..], &written[..], &game[..]].concat(), "/dev/zero".to_string(), "this is a device, not a file"),
        (&[&read[..], &game[..]].concat(), path("sparse.csv"), "the file has 21474836480 bytes, but a file of its kind has at most "),
        (&written.to_vec(), "/dev/stdout".to_string(), "this is a pipe, not a file"),
        (&written.to_vec(), "/dev/stderr".to_string(), "this is a device, not a file"),
    ] {
        for line in lines {
            engine.renew_limit();
            let answer = engine.ask(&format!("{line} {file}"));
            assert!(answer.len() == 1 && answer[0].starts_with("info string error bad-"), "{line} {file}: {answer:?}");
            assert!(answer[0].contains(&file) && answer[0].contains(why), "{line} {file}: {answer:?}");
        }
    }
    check_alive(&mut engine);
    let told = |words: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_tilewright")).args(words).output().expect("the program starts");
        assert_eq!(output.status.code(), Some(1), "{words:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    drop(engine);
    for words in [["replay", &path("pipe")], ["analyse", &path("pipe")], ["tournament", &path("pipe")], ["analyse", "/dev/zero"]] {
        assert!(told(&words).contains(", not a file"), "{words:?}: {}", told(&words));
    }
}

#[test]
fn standard_output_is_no_log_whatever_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = folder.path().join("said");
    for option in ["LogFile", "SimLog"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
        command.arg(format!("setoption name {option} value {}", output.display()));
        let status = command.stdout(std::fs::File::create(&output).expect("a file")).status().expect("the program starts");
        assert_eq!(status.code(), Some(1));
        let said = std::fs::read_to_string(&output).expect("what it said");
        assert!(
            said.trim_end().ends_with("standard output goes to this file, and is for answers alone") && said.lines().count() == 1,
            "{said}"
        );
    }
}

#[test]
fn a_log_on_a_full_disk_is_told_and_its_hole_marked() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log").display().to_string();
    let mut engine = EngineProcess::start_by(&mut limited("trap '' XFSZ; ulimit -S -f 4"));
    engine.tell(&format!("setoption name LogFile value {log}"));
    let mut told = Vec::new();
    for _ in 0..40 {
        told.extend(engine.ask("check CAT").into_iter().filter(|line| line.contains("LogFile")));
    }
    let [line] = &told[..] else { panic!("{told:?}") };
    assert!(line.starts_with(&format!("info string LogFile {log}: File too large")), "{line}");
    let value = |engine: &mut EngineProcess| engine.ask("help LogFile").into_iter().nth(1).expect("the value");
    assert!(value(&mut engine).contains("LogFile = <empty>: "));
    // The disk has room again.
    let all = rustix::process::Rlimit { current: None, maximum: None };
    let process = rustix::process::Pid::from_raw(engine.id().cast_signed());
    rustix::process::prlimit(process, rustix::process::Resource::Fsize, all).expect("the limit is lifted");
    engine.sync();
    assert!(value(&mut engine).contains(&format!("LogFile = {log}: ")));
    engine.send("quit");
    engine.expect_exit();
    let text = std::fs::read_to_string(&log).expect("the log");
    assert!(text.lines().any(|line| line.contains(" lines of the log are missing here: File too large")), "{text}");
    let replayed = run(&mut Command::new(env!("CARGO_BIN_EXE_tilewright")), "replay OUT", Path::new(&log));
    let why = String::from_utf8_lossy(&replayed.stderr).into_owned();
    assert!(replayed.status.code() == Some(1) && why.contains("the log has a gap here"), "{why}");
}

#[test]
fn samples_that_cannot_be_written_are_told_to_the_program() {
    let folder = tempfile::tempdir().expect("a folder");
    for dialect in ["siu", "ucgi"] {
        let samples = folder.path().join(dialect).display().to_string();
        let mut engine = EngineProcess::start_by(&mut full_disk(1));
        engine.send(dialect);
        engine.until(&format!("{dialect}ok"));
        engine.tell(&format!("setoption name SimLog value {samples}"));
        engine.tell(&format!("position cgp {OPENING}"));
        let lines = engine.go("go sim iterations 50");
        let told: Vec<&String> = lines.iter().filter(|line| line.starts_with("info string SimLog ")).collect();
        let [line] = &told[..] else { panic!("{lines:?}") };
        assert!(
            line.starts_with(&format!("info string SimLog {samples}: File too large")) && line.ends_with("no more samples are written"),
            "{line}"
        );
        assert!(engine.go("go sim iterations 50").iter().all(|line| !line.contains("SimLog")));
    }
}

#[test]
fn word_lists_of_other_editors_are_read_or_refused_with_their_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let list = folder.path().join("list.txt");
    let mut engine = EngineProcess::start();
    let utf16 = |order: fn(u16) -> [u8; 2]| "\u{feff}cat\r\ncats\r\n".encode_utf16().flat_map(order).collect::<Vec<u8>>();
    for bytes in [b"\xef\xbb\xbfcat\r\ncats\r\n".to_vec(), utf16(u16::to_le_bytes), utf16(u16::to_be_bytes)] {
        std::fs::write(&list, bytes).expect("a list");
        // With the folders set anew the list is read again.
        engine.tell(&format!("setoption name DataPath value {}", folder.path().display()));
        engine.tell("setoption name Lexicon value list");
        assert_eq!(engine.ask("check CATS DOG"), ["info string check CATS valid", "info string check DOG invalid"]);
    }
    std::fs::write(&list, b"cat\ncaf\xe9\n").expect("a list");
    // The list is gone, which `isready` reports.
    engine.ask(&format!("setoption name DataPath value {}", folder.path().display()));
    engine.send("setoption name Lexicon value ENABLE");
    engine.sync();
    let refused = engine.refused("setoption name Lexicon value list", "bad-option");
    assert!(refused.ends_with("list.txt: line 2: column 4: the byte 0xe9 is not UTF-8: save the file as UTF-8"), "{refused}");
}

/// Runs a subcommand to its end.
fn run(command: &mut Command, words: &str, out: &Path) -> Output {
    let words = words.split(' ').map(|word| if word == "OUT" { out.display().to_string() } else { word.to_string() });
    command.args(words).output().expect("the program starts")
}

/// Subcommands that write a file, with little work before.
const WRITERS: [&str; 3] = [
    "match static greedy --pairs 6 --seed 1 --out OUT",
    "lexicon build lexicons/enable.txt OUT",
    "lexicon leaves lexicons/enable.leaves OUT",
];

#[test]
fn a_full_disk_is_an_error_and_leaves_no_part_of_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    for (number, words) in WRITERS.into_iter().enumerate() {
        let kind = if words.contains("leaves") { "klv2" } else { "kwg" };
        let out = folder.path().join(format!("{number}.{kind}"));
        let output = run(&mut full_disk(1), words, &out);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{words} on a full disk: {told}");
        assert_eq!(output.status.code(), Some(1), "{words}: {told}");
        assert!(told.contains("error") && !told.contains("panicked"), "{words}: {told}");
        if words.starts_with("match") {
            // What is there are whole lines but for the last one: the match goes on from there.
            let resumed = run(&mut Command::new(env!("CARGO_BIN_EXE_tilewright")), &format!("{words} --resume"), &out);
            assert!(resumed.status.success(), "{}", String::from_utf8_lossy(&resumed.stderr));
        } else {
            assert!(!out.exists(), "{words} left a part of a file");
        }
    }
}

#[test]
fn a_folder_that_takes_no_files_is_an_error_at_once() {
    for words in WRITERS {
        for out in ["/proc/tilewright.kwg", "/nowhere/at/all/tilewright.kwg", "/dev/null/tilewright.kwg"] {
            let output = run(&mut Command::new(env!("CARGO_BIN_EXE_tilewright")), words, Path::new(out));
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(1), "{words} to {out}: {told}");
            assert!(told.contains(out) && !told.contains("panicked"), "{words} to {out}: {told}");
        }
    }
}

#[test]
fn little_address_space_is_told_and_ends_no_process() {
    let mut answered = 0;
    for megabytes in [60, 80, 100, 120, 160, 200, 300, 400] {
        let mut engine = EngineProcess::start_by(&mut limited(&format!("ulimit -v {}", megabytes * 1024)));
        engine.send(&format!("position cgp {OPENING}\ngo sim iterations 5 plays 4 threads 8\nquit"));
        // A machine on which the program itself does not fit says so, or cannot start it.
        let lines = engine.drain_to_end();
        let (_, status) = engine.wait_exit();
        let is_answered = lines.iter().any(|line| line.starts_with("bestmove ") || line.starts_with("info string error bad-option "));
        assert!(is_answered && status.success() || status.code() == Some(1), "{megabytes} MB: {status}, {lines:?}");
        answered += usize::from(is_answered);
    }
    assert!(answered >= 3, "{answered} answers");
}

/// Address space in KiB: enough for words, tables and some threads, each with what the C library's allocator reserves for it (64 MiB), but not for 256.
const SMALL_MACHINE: &str = "ulimit -v 700000";

#[test]
fn threads_and_tables_that_cannot_be_had_end_no_process() {
    let mut engine = EngineProcess::start_by(&mut limited(SMALL_MACHINE));
    engine.refused("setoption name EndgameHash value 4096", "bad-option");
    engine.tell(&format!("position cgp {OPENING}"));
    for threads in [256, 2, 256] {
        let lines = engine.go(&format!("go sim iterations 5 plays 4 threads {threads}"));
        assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove ")).count(), 1, "{lines:?}");
    }
    assert!(engine.sync().is_empty());
}
