//! The program as a child process: send lines or bytes, read lines with a deadline, see the transcript when a test fails.
//!
//! Every line that arrives is held against the rules that all output obeys: whole, UTF-8, no carriage return, an answer of
//! the grammar. Not here: what the lines mean (`answers.rs`). Start with [`EngineProcess::start`].

use super::grammar::is_answer;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// A test may take this long from the start of its process, or from [`EngineProcess::renew_limit`] on.
const TEST_LIMIT: Duration = Duration::from_secs(10);

/// What the reading thread hands over.
enum Output {
    Line(Instant, Vec<u8>),
    End,
}

/// A running engine. Killed when dropped; if the test is failing then, its transcript is shown.
pub struct EngineProcess {
    child: Child,
    stdin: Option<ChildStdin>,
    output: Receiver<Output>,
    transcript: Vec<String>,
    started: Instant,
    /// How long a test may take, counted from `limit_from` on.
    limit: Duration,
    limit_from: Instant,
    ended: bool,
}

impl EngineProcess {
    /// Starts the program without arguments: the protocol server.
    pub fn start() -> EngineProcess {
        EngineProcess::start_by(&mut Command::new(env!("CARGO_BIN_EXE_tilewright")))
    }

    /// The same by a command of the caller's: in another folder, or within limits that a shell sets.
    pub fn start_by(command: &mut Command) -> EngineProcess {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program starts");
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("stdout is piped");
        let (sender, output) = mpsc::channel();
        thread::spawn(move || {
            let mut reader = BufReader::new(stdout);
            loop {
                let mut line = Vec::new();
                let read = reader.by_ref().read_until(b'\n', &mut line).unwrap_or(0);
                let message = if read == 0 { Output::End } else { Output::Line(Instant::now(), line) };
                if sender.send(message).is_err() || read == 0 {
                    return;
                }
            }
        });
        let started = Instant::now();
        EngineProcess { child, stdin, output, transcript: Vec::new(), started, limit: TEST_LIMIT, limit_from: started, ended: false }
    }

    /// The process's number.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// For a test with many steps: each may take as long as other tests take in all.
    pub fn renew_limit(&mut self) {
        self.limit_from = Instant::now();
    }

    /// For a test that looks for hangs alone, on a machine that may be busy.
    pub fn set_limit(&mut self, limit: Duration) {
        self.limit = limit;
    }

    /// Forgets all but the last lines of the transcript: what a long test shows when it fails.
    pub fn shorten_transcript(&mut self, lines: usize) {
        let surplus = self.transcript.len().saturating_sub(lines);
        self.transcript.drain(..surplus);
    }

    /// When the process was started.
    pub fn started(&self) -> Instant {
        self.started
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) -> Instant {
        self.send_bytes(format!("{line}\n").as_bytes())
    }

    /// Sends bytes as they are. A process that has ended does not take them, which is not an error here.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> Instant {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let shown: String = text.trim_end_matches('\n').chars().take(300).collect();
        self.note(&format!("> {}{}", shown.escape_debug(), if shown.len() + 1 < text.len() { " ..." } else { "" }));
        if let Some(stdin) = &mut self.stdin {
            let _ = stdin.write_all(bytes).and_then(|()| stdin.flush());
        }
        Instant::now()
    }

    /// Closes the engine's input.
    pub fn close_input(&mut self) -> Instant {
        self.note("! end of input");
        self.stdin = None;
        Instant::now()
    }

    /// The next line, or `None` when none came within the time or the output has ended.
    pub fn line_within(&mut self, time: Duration) -> Option<(Instant, String)> {
        let until_limit = self.limit.saturating_sub(self.limit_from.elapsed());
        match self.output.recv_timeout(time.min(until_limit)) {
            Ok(Output::Line(at, bytes)) => Some((at, self.checked(bytes))),
            Ok(Output::End) => {
                self.ended = true;
                self.note("! end of output");
                None
            }
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                self.ended = true;
                None
            }
        }
    }

    /// The next line.
    pub fn line(&mut self) -> String {
        self.timed_line().1
    }

    /// The next line and when it came.
    pub fn timed_line(&mut self) -> (Instant, String) {
        self.line_within(self.limit).unwrap_or_else(|| panic!("no further line"))
    }

    /// All lines up to one that begins with this word, that one included.
    pub fn until(&mut self, first_word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.line_within(self.limit) {
                Some((_, line)) => lines.push(line),
                None => panic!("no line that begins with {first_word:?}"),
            }
            if lines.last().is_some_and(|line| line.split(' ').next() == Some(first_word)) {
                return lines;
            }
        }
    }

    /// Sends a line and returns what is answered to it: everything up to the answer of an `isready` sent after it.
    pub fn ask(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.sync()
    }

    /// Sends `isready` and returns what comes before `readyok`.
    pub fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Sends a line that must be taken without a word.
    pub fn tell(&mut self, line: &str) {
        let answer = self.ask(line);
        assert!(answer.is_empty(), "{line:?} was answered {answer:?}");
    }

    /// Sends a line that must be answered by one error of this code; returns its text.
    pub fn refused(&mut self, line: &str, code: &str) -> String {
        let answer = self.ask(line);
        assert_eq!(answer.len(), 1, "{line:?} was answered {answer:?}");
        let text = answer[0].strip_prefix(&format!("info string error {code} "));
        text.unwrap_or_else(|| panic!("{line:?} was answered {:?}, expected error {code} and a text", answer[0])).to_string()
    }

    /// Sends a `go` line that ends by itself; returns all lines up to the bestmove.
    pub fn go(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.until("bestmove")
    }

    /// Reads lines until `readyok` has come `times` times.
    pub fn expect_ready_times(&mut self, times: usize) {
        for _ in 0..times {
            self.until("readyok");
        }
    }

    /// Fails if a line comes within this time.
    pub fn expect_silence(&mut self, time: Duration) {
        if let Some((_, line)) = self.line_within(time) {
            panic!("expected silence, got {line:?}");
        }
    }

    /// Waits for the end of the process; every line on the way is an error. Returns the status and when it was seen.
    pub fn expect_exit(&mut self) -> (Instant, ExitStatus) {
        let lines = self.drain_to_end();
        assert!(lines.is_empty(), "expected the end, got {lines:?}");
        self.wait_exit()
    }

    /// Reads all lines that are left, to the end of the output.
    pub fn drain_to_end(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some((_, line)) = self.line_within(self.limit) {
            lines.push(line);
        }
        assert!(self.ended, "the output goes on");
        lines
    }

    /// Waits for the end of the process.
    pub fn wait_exit(&mut self) -> (Instant, ExitStatus) {
        while self.limit_from.elapsed() < self.limit {
            if let Some(status) = self.child.try_wait().expect("the process can be waited for") {
                self.note(&format!("! exit {status}"));
                return (Instant::now(), status);
            }
            thread::sleep(Duration::from_millis(1));
        }
        panic!("the process does not end");
    }

    /// Adds a line to the transcript.
    pub fn note(&mut self, text: &str) {
        self.transcript.push(format!("{:>6} ms  {text}", self.started.elapsed().as_millis()));
    }

    fn checked(&mut self, mut bytes: Vec<u8>) -> String {
        let whole = bytes.pop_if(|last| *last == b'\n').is_some();
        let line = String::from_utf8(bytes);
        let shown = line.as_ref().map_or_else(|error| format!("{error:?}"), |line| line.clone());
        self.note(&format!("< {shown}"));
        assert!(whole, "a line without its end: {shown:?}");
        let line = line.unwrap_or_else(|error| panic!("not UTF-8: {error:?}"));
        assert!(!line.contains(['\r', '\t', '\0']), "control characters in {line:?}");
        assert_eq!(line.trim_end(), line, "blanks at the end of {line:?}");
        assert!(is_answer(&line), "not a line of protocol/grammar.abnf: {line:?}");
        line
    }
}

impl Drop for EngineProcess {
    #[allow(clippy::print_stderr, reason = "the test harness shows it for failing tests only")]
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if thread::panicking() {
            eprintln!("--- transcript\n{}\n---", self.transcript.join("\n"));
        }
    }
}
