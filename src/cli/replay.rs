//! `tilewright replay`: sends the lines of a session's log to a fresh engine and compares the answers.
//!
//! The option `LogFile` writes the log: every line received and sent, with its time. Not here: the writing (`protocol/server.rs`,
//! `host/logging.rs`). Start with [`run`].

use crate::host::input_file::{self, MOST_OF_A_RUN};
use crate::host::logging::{HEADER, HOLE};
use crate::host::output::LinePrinter;
use crate::processes::group::this_program_again;
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How much longer an answer may take than in the log.
const PATIENCE: Duration = Duration::from_secs(60);

/// First words of lines that answer a command exactly once. They show the replay how far the engine is.
const MILESTONES: [&str; 5] = ["readyok", "bestmove", "siuok", "ucgiok", "uciok"];

/// Flags of `tilewright replay`.
#[derive(Args, Debug)]
pub struct ReplayArguments {
    /// The log of a session, as the option LogFile writes it.
    log: PathBuf,
    /// The engine to test. Without one, this program.
    #[arg(long)]
    engine: Option<PathBuf>,
    /// Send each line at its logged time, instead of as soon as the previous answers have come.
    #[arg(long)]
    at_times: bool,
    /// The session to replay in a log with several, from 1. Without this flag, the last one.
    #[arg(long)]
    session: Option<usize>,
}

/// A logged event of a session.
#[derive(Clone, PartialEq, Eq, Debug)]
enum LogEvent {
    Received(String),
    Sent(String),
    InputEnded,
    /// Lines are missing, as this line reports.
    Hole(String),
}

/// An event with its time since the beginning of the session.
#[derive(Clone, PartialEq, Eq, Debug)]
struct LoggedEvent {
    at: Duration,
    event: LogEvent,
}

/// Runs the subcommand.
///
/// # Errors
/// The log cannot be read or has no session, the engine does not start or does not answer, or its answers differ from the log.
pub fn run(arguments: &ReplayArguments, line: LinePrinter<'_>) -> Result<()> {
    let place = arguments.log.display();
    let text = input_file::read(&arguments.log, MOST_OF_A_RUN).with_context(|| place.to_string())?;
    let mut sessions = sessions(&String::from_utf8_lossy(&text));
    ensure!(!sessions.is_empty(), "{place}: this log has no session; setoption name LogFile value <file> writes one");
    let number = arguments.session.unwrap_or(sessions.len());
    ensure!((1..=sessions.len()).contains(&number), "{place}: there is no session {number}: the log has {}", sessions.len());
    let mut session = sessions.swap_remove(number - 1);
    // The lines of a gap are unknown, so nothing after the gap can be replayed.
    let hole = session.iter().position(|logged| matches!(logged.event, LogEvent::Hole(_))).map(|at| session.drain(at..).next());
    let mut engine = match &arguments.engine {
        Some(path) => Command::new(path),
        None => this_program_again()?,
    };
    let answers = replay(&session, &mut engine, arguments.at_times, line)?;
    let logged = session.iter().filter_map(|logged| match &logged.event {
        LogEvent::Sent(line) => Some(line.as_str()),
        _ => None,
    });
    let (logged, answers) = (steady(logged), steady(answers.iter().map(String::as_str)));
    match logged.iter().zip(&answers).position(|(logged, answer)| logged != answer) {
        Some(at) => bail!("answer {} differs\n  log:    {}\n  replay: {}", at + 1, logged[at], answers[at]),
        // The end of a log may be missing, if the session or the engine was killed.
        None if answers.len() < logged.len() => {
            bail!("{} answers of the log did not come; the first is {:?}", logged.len() - answers.len(), logged[answers.len()])
        }
        None => line(&format!("# all {} answers are the same as in the log", logged.len()))?,
    }
    if let Some(Some(LoggedEvent { event: LogEvent::Hole(text), .. })) = hole {
        bail!("the log has a gap here, so the replay ends: {text}");
    }
    Ok(())
}

/// Returns the sessions of a log, in order. Lines outside of sessions are skipped.
fn sessions(text: &str) -> Vec<Vec<LoggedEvent>> {
    let mut sessions: Vec<Vec<LoggedEvent>> = vec![Vec::new()];
    for line in text.lines() {
        let Some(logged) = logged_event(line) else {
            if line.starts_with(HEADER) {
                sessions.push(Vec::new());
            } else if is_hole(line)
                && let Some(session) = sessions.last_mut()
            {
                let at = session.last().map_or(Duration::ZERO, |last| last.at);
                session.push(LoggedEvent { at, event: LogEvent::Hole(line.to_string()) });
            }
            continue;
        };
        match sessions.last_mut() {
            // A log from standard error has no headers: there a session begins where the time goes back.
            Some(session) if session.last().is_none_or(|last| last.at <= logged.at) => session.push(logged),
            _ => sessions.push(vec![logged]),
        }
    }
    sessions.retain(|session| !session.is_empty());
    sessions
}

/// Whether a line reports a gap: `12 lines of the log are missing here: <why>`.
fn is_hole(line: &str) -> bool {
    line.split_once(HOLE).and_then(|(count, _)| count.split_once(' ')).is_some_and(|(number, _)| number.parse::<usize>().is_ok())
}

/// Parses a line such as `<time and place>: received at 120 ms: "go"`.
fn logged_event(line: &str) -> Option<LoggedEvent> {
    let (_, rest) = line.split_once("server: ")?;
    let (kind, rest) = rest.split_once(" at ")?;
    let (ms, text) = match rest.split_once(" ms: ") {
        Some((ms, text)) => (ms, serde_json::from_str(text).ok()?),
        None => (rest.strip_suffix(" ms")?, String::new()),
    };
    let event = match kind {
        "received" => LogEvent::Received(text),
        "sent" => LogEvent::Sent(text),
        "the input ended" => LogEvent::InputEnded,
        _ => return None,
    };
    Some(LoggedEvent { at: Duration::from_millis(ms.parse().ok()?), event })
}

/// Sends the lines of a session to an engine and returns the answers. Prints both as they go.
fn replay(session: &[LoggedEvent], engine: &mut Command, at_times: bool, line: LinePrinter<'_>) -> Result<Vec<String>> {
    let program = engine.get_program().to_string_lossy().into_owned();
    let mut child = engine.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().with_context(|| program.clone())?;
    let (mut input, output) = (child.stdin.take(), child.stdout.take().context("the engine has no output")?);
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    let mut answers = Answers { lines, all: Vec::new(), milestones: 0, has_row: false, print: line };
    let started = Instant::now();
    // The state of the log up to here: its milestones, whether a ranking came since the last go, and when a running search began.
    let (mut milestones, mut has_row) = (0, false);
    let mut search: Option<(Duration, Instant)> = None;
    for logged in session {
        match &logged.event {
            LogEvent::Hole(_) => break,
            LogEvent::Sent(text) => {
                milestones += usize::from(is_milestone(text));
                has_row |= is_row(text);
                if text.starts_with("bestmove") {
                    search = None;
                }
            }
            LogEvent::Received(_) | LogEvent::InputEnded => {
                answers.wait_for(milestones, has_row, Instant::now() + logged.at + PATIENCE)?;
                // A line during a search is sent as long after its go as in the log. Without this wait, `stop` would come too early.
                let from_go = search.map(|(at, sent)| sent + logged.at.saturating_sub(at));
                let due = if at_times { Some(started + logged.at) } else { from_go };
                answers.listen_until(due.unwrap_or_else(Instant::now))?;
                let LogEvent::Received(text) = &logged.event else {
                    input = None;
                    continue;
                };
                let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
                if writes_file(&words) {
                    (answers.print)(&format!("# not sent: {text}"))?;
                    continue;
                }
                (answers.print)(&format!("> {text}"))?;
                if words.iter().any(|word| word == "go") {
                    search = Some((logged.at, Instant::now()));
                    (has_row, answers.has_row) = (false, false);
                }
                let Some(input) = &mut input else { continue };
                if let Err(error) = writeln!(input, "{text}").and_then(|()| input.flush()) {
                    answers.listen_until(Instant::now() + Duration::from_millis(100))?;
                    bail!("the engine has ended: {error}");
                }
            }
        }
    }
    answers.wait_for(milestones, has_row, Instant::now() + PATIENCE)?;
    // A log without a quit was cut off, and its replay ends in the same way.
    drop(input);
    answers.listen_to_end()?;
    let status = child.wait().context("the engine")?;
    ensure!(status.success(), "the engine ended with {status}");
    Ok(answers.all)
}

/// Whether a command writes a file. A replay writes none, least of all the log that it reads.
fn writes_file(words: &[String]) -> bool {
    match words {
        [set, name, option, ..] if set == "setoption" && name == "name" => option == "logfile" || option == "simlog",
        [gcg, _, ..] => gcg == "gcg",
        _ => false,
    }
}

fn is_milestone(line: &str) -> bool {
    line.split(' ').next().is_some_and(|word| MILESTONES.contains(&word))
}

/// Whether a line belongs to a ranking.
fn is_row(line: &str) -> bool {
    matches!(line.split(' ').collect::<Vec<_>>()[..], ["info", "gen" | "sim" | "infer" | "endgame" | "peg" | "currmove", ..])
}

/// The answers of the engine.
struct Answers<'a> {
    lines: Receiver<String>,
    all: Vec<String>,
    milestones: usize,
    /// Whether a ranking came since the last go.
    has_row: bool,
    print: LinePrinter<'a>,
}

impl Answers<'_> {
    fn take(&mut self, line: String) -> Result<()> {
        (self.print)(&format!("< {line}"))?;
        self.milestones += usize::from(is_milestone(&line));
        self.has_row |= is_row(&line);
        self.all.push(line);
        Ok(())
    }

    /// Waits for this many milestones, and for a ranking if `needs_row`:
    /// a slower machine must not be stopped before its first ranking.
    fn wait_for(&mut self, milestones: usize, needs_row: bool, until: Instant) -> Result<()> {
        while self.milestones < milestones || needs_row && !self.has_row {
            match self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(line) => self.take(line)?,
                Err(RecvTimeoutError::Timeout) => bail!("the engine does not give the next answer of the log"),
                Err(RecvTimeoutError::Disconnected) => bail!("the engine ended before the log did"),
            }
        }
        Ok(())
    }

    fn listen_until(&mut self, until: Instant) -> Result<()> {
        while let Ok(line) = self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
            self.take(line)?;
        }
        // If the engine has ended, sending the next line reports it.
        std::thread::sleep(until.saturating_duration_since(Instant::now()));
        Ok(())
    }

    fn listen_to_end(&mut self) -> Result<()> {
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => self.take(line)?,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Err(RecvTimeoutError::Timeout) => bail!("the engine does not end"),
            }
        }
    }
}

/// Keeps the lines that do not depend on the speed of the machine: no times, and only the last ranking of a search, just before its best
/// move.
fn steady<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut steady = Vec::new();
    let mut block: Vec<String> = Vec::new();
    for line in lines {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            _ if is_row(line) => block.push(line.to_string()),
            // A pre-endgame's summary comes before each of its rankings, as `info depth` does.
            ["info", "depth" | "nps" | "time" | "nodes", ..] | ["info", "string", "peg" | "solved" | "debug", ..] | ["bestsofar", ..] => {
                block.clear();
            }
            // The replay does not write the record again.
            ["info", "string", "gcg", "lines", _, "file", ..] => {}
            ["bestmove", ..] => {
                steady.append(&mut block);
                steady.push(line.to_string());
            }
            _ => steady.push(line.to_string()),
        }
    }
    steady
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_a_log_are_read_as_they_are_written() {
        let log = "log of tilewright 0.1.0\n\
            2026-11-23T08:00:00.000001Z DEBUG tilewright::protocol::server: received at 3 ms: \"check \\\"\\u0000\"\n\
            2026-11-23T08:00:00.000002Z DEBUG tilewright::protocol::server: sent at 12 ms: \"readyok\"\n\
            2026-11-23T08:00:00.000002Z  WARN tilewright::cli: something else\n\
            2026-11-23T08:00:00.000003Z DEBUG tilewright::protocol::server: the input ended at 15 ms\n\
            2026-11-23T08:00:00.000004Z DEBUG tilewright::protocol::server: received at 1 ms: \"quit\"\n\
            log of tilewright 0.2.0\n\
            2026-11-23T08:00:00.000005Z DEBUG tilewright::protocol::server: received at 7 ms: \"d\"\n";
        let at = |ms, event| LoggedEvent { at: Duration::from_millis(ms), event };
        let first = vec![
            at(3, LogEvent::Received("check \"\0".to_string())),
            at(12, LogEvent::Sent("readyok".to_string())),
            at(15, LogEvent::InputEnded),
        ];
        let hole = "7 lines of the log are missing here: No space left on device (os error 28)";
        let with_hole = sessions(&format!("{}\n{hole}\n", log.lines().last().unwrap_or_default()));
        assert_eq!(with_hole[0][1], at(7, LogEvent::Hole(hole.to_string())));
        let alone = |ms, text: &str| vec![at(ms, LogEvent::Received(text.to_string()))];
        assert_eq!(sessions(log), [first, alone(1, "quit"), alone(7, "d")]);
        assert!(sessions("no log\nserver: at\nserver: sent at x ms: \"\"\n").is_empty());
    }

    #[test]
    fn lines_that_write_files_are_known() {
        let writes = |line: &str| writes_file(&line.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>());
        for line in ["setoption name SimLog value a", "SETOPTION name logfile value a", "gcg a game.gcg"] {
            assert!(writes(line), "{line}");
        }
        for line in ["gcg", "position gcg a.gcg", "setoption name Seed value 1", "", "go"] {
            assert!(!writes(line), "{line}");
        }
        let log = "info string gcg lines 4 file a game.gcg\nreadyok\ninfo string gcg lines 4";
        assert_eq!(steady(log.lines()), ["readyok", "info string gcg lines 4"]);
    }

    #[test]
    fn rankings_before_the_last_and_times_do_not_count() {
        let lines = |text: &str| steady(text.lines());
        let fast = "info string provenance x\ninfo depth 2 time 3 nodes 9 nps 1\ninfo sim move 8D.A eq 1\nbestmove 8D.A\nreadyok";
        let slow = "info string provenance x\ninfo depth 2 time 1 nodes 4 nps 1\ninfo sim move 8D.B eq 2\n\
            info depth 2 time 9 nodes 9 nps 1\ninfo sim move 8D.A eq 1\nbestmove 8D.A\nreadyok";
        assert_eq!(lines(fast), lines(slow));
        assert_eq!(lines(fast), ["info string provenance x", "info sim move 8D.A eq 1", "bestmove 8D.A", "readyok"]);
        assert_ne!(lines(fast), lines(&slow.replace("eq 1", "eq 3")));
        assert_eq!(
            lines("info currmove 8d.A sc 1\nbestsofar 8d.A\ninfo nps 5\ninfo currmove 8d.B sc 1\nbestmove 8d.B"),
            ["info currmove 8d.B sc 1", "bestmove 8d.B"]
        );
    }
}
