//! Readers that pause, are slow, or read nothing: no answer is lost to them, and none is kept for them without bound.
//!
//! Start with [`a_script_waits_for_its_reader`].

use crate::integration::bridge::megabytes_of;
use crate::integration::waiting::soon;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A position whose static ranking has this many rows.
const RANKED: [&str; 2] = ["position startpos moves 8D.NASTIER rack.EIORST?", "go gen"];
const ROWS: usize = 18_054;

/// As many lines of `help` are answered by a few megabytes, and by more than a pipe and the engine keep.
const SOME_HELP: usize = 300;
const MUCH_HELP: usize = 2_000;

fn tilewright(lines: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
    command.args(lines).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
}

/// How a reader takes lines.
type Reading = fn(&mut BufReader<ChildStdout>) -> Vec<String>;

/// Begins late.
fn pausing(output: &mut BufReader<ChildStdout>) -> Vec<String> {
    thread::sleep(Duration::from_secs(1));
    output.lines().map(|line| line.expect("a line")).collect()
}

/// Takes half a millisecond for a line, as a front end may that draws it.
fn slow(output: &mut BufReader<ChildStdout>) -> Vec<String> {
    let line = |line: std::io::Result<String>| {
        thread::sleep(Duration::from_micros(500));
        line.expect("a line")
    };
    output.lines().map(line).collect()
}

/// What is read, and how the program ends.
fn read(child: Child, input: &str, reading: Reading) -> (Vec<String>, ExitStatus, String) {
    let mut child = child;
    let mut stdin = child.stdin.take().expect("a pipe");
    let text = input.to_string();
    let writer = thread::spawn(move || {
        // A program that has ended takes no more.
        let _ = stdin.write_all(text.as_bytes());
    });
    let lines = reading(&mut BufReader::new(child.stdout.take().expect("a pipe")));
    let mut told = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut told).expect("text");
    writer.join().expect("it writes");
    (lines, child.wait().expect("it ends"), told)
}

/// How many lines answer this many lines of `help`.
fn lines_of_help(times: usize) -> usize {
    times * read(tilewright(&["help"]), "", |output| output.lines().map(|line| line.expect("a line")).collect()).0.len()
}

#[test]
fn a_script_waits_for_its_reader() {
    thread::scope(|scope| {
        for reading in [pausing as Reading, slow] {
            scope.spawn(move || {
                let (lines, status, told) = read(tilewright(&RANKED), "", reading);
                assert!(status.success() && told.is_empty(), "{status} {told}");
                let rows = lines.iter().filter(|line| line.starts_with("info gen move ")).count();
                assert_eq!(rows, ROWS);
                assert!(lines.last().expect("lines").starts_with("bestmove "), "{:?}", lines.last());
                // `quit` ends a script, and what was asked before it is answered.
                let (quitting, status, _) = read(tilewright(&[RANKED[0], RANKED[1], "quit", "help"]), "", reading);
                assert!(status.success() && quitting.len() == lines.len(), "{status} {}", quitting.len());
            });
        }
    });
}

#[test]
fn the_end_of_the_input_waits_for_the_reader() {
    let expected = lines_of_help(SOME_HELP);
    thread::scope(|scope| {
        for (reading, end) in [(pausing as Reading, ""), (slow, ""), (slow, "quit\n")] {
            scope.spawn(move || {
                // Whoever reads on after `quit` gets everything, too.
                let (lines, status, told) = read(tilewright(&[]), &("help\n".repeat(SOME_HELP) + end), reading);
                assert!(status.success() && told.is_empty(), "{end:?}: {status} {told}");
                assert_eq!(lines.len(), expected, "{end:?}");
            });
        }
    });
}

#[test]
fn quit_without_a_reader_ends_soon_and_says_what_is_lost() {
    for times in [SOME_HELP, MUCH_HELP] {
        let mut child = tilewright(&[]);
        let stdin = child.stdin.as_mut().expect("a pipe");
        stdin.write_all(("help\n".repeat(times) + "quit\n").as_bytes()).expect("it reads");
        soon("it ends", || child.try_wait().expect("a process").is_some());
        assert_eq!(child.wait().expect("it ends").code(), Some(1));
        let (mut lines, mut told) = (String::new(), String::new());
        child.stderr.take().expect("a pipe").read_to_string(&mut told).expect("text");
        assert!(told.contains("nobody read its answers"), "{told}");
        child.stdout.take().expect("a pipe").read_to_string(&mut lines).expect("text");
        assert!(lines.ends_with('\n'), "the last line is cut: {:?}", lines.lines().last());
    }
}

#[test]
fn answers_that_nobody_reads_are_bounded_and_none_is_lost() {
    const TIMES: usize = 40_000;
    let expected = lines_of_help(TIMES);
    let mut child = tilewright(&[]);
    let mut stdin = child.stdin.take().expect("a pipe");
    thread::scope(|scope| {
        scope.spawn(move || stdin.write_all("help\n".repeat(TIMES).as_bytes()).expect("it reads"));
        // It takes in all of it, or as much as it takes before it waits.
        let (mut last, mut since) = (0, Instant::now());
        while since.elapsed() < Duration::from_secs(1) {
            let now = megabytes_of(&child, "VmRSS:");
            if now != last {
                (last, since) = (now, Instant::now());
            }
            thread::sleep(Duration::from_millis(10));
        }
        let megabytes = megabytes_of(&child, "VmHWM:");
        let mut output = BufReader::with_capacity(1 << 20, child.stdout.take().expect("a pipe"));
        let (mut line, mut lines) = (Vec::new(), 0);
        while output.read_until(b'\n', &mut line).expect("bytes") > 0 {
            line.clear();
            lines += 1;
        }
        assert_eq!(lines, expected);
        assert!(megabytes < 64, "{megabytes} MB for answers that nobody has read");
        assert!(child.wait().expect("it ends").success());
    });
}

#[test]
fn a_search_goes_on_without_a_reader_and_says_no_more_than_is_read() {
    let mut child = tilewright(&[]);
    let stdin = child.stdin.as_mut().expect("a pipe");
    let begun = "position startpos\nrack AEINRST\ngo sim infinite info 1\n".to_string();
    stdin.write_all(format!("{begun}{}", "help\n".repeat(MUCH_HELP)).as_bytes()).expect("it reads");
    thread::sleep(Duration::from_secs(4));
    // The engine sees it, although thousands of answers are unread.
    stdin.write_all(b"stop\n").expect("it reads");
    thread::sleep(Duration::from_secs(2));
    let (lines, status, _) = read(child, "", |output| output.lines().map(|line| line.expect("a line")).collect());
    assert!(status.success(), "{status}");
    let time_of = |line: &String| line.strip_prefix("info depth ")?.split(' ').nth(2)?.parse::<u64>().ok();
    let times: Vec<u64> = lines.iter().filter_map(time_of).collect();
    let unread = times.iter().filter(|ms| (2_000..3_500).contains(*ms)).count();
    assert_eq!(unread, 0, "rankings that were said while nobody read: {times:?}");
    let last = times.last().expect("the last ranking");
    assert!((3_500..5_500).contains(last), "stop was seen after {last} ms");
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove ")).count(), 1);
    // With the line that says how the best move was found.
    let helped = lines.iter().filter(|line| line.starts_with("info string ")).count();
    assert_eq!(helped, lines_of_help(MUCH_HELP) + 1);
}
