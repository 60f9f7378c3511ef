//! An engine's process: bounded lines to and from it, with the time at which each line came.
//!
//! | bound | why |
//! |---|---|
//! | [`LONGEST_LINE`] | a line without an end would be kept for ever |
//! | [`MOST_OUTPUT`] since the last [`ChildProcess::send`] | so would lines that nobody asked for |
//! | a pipe | an engine that prints while nobody reads waits, and costs no memory |
//!
//! Nobody waits for an engine that does not read its input.
//!
//! Not here: waiting for bytes (`polled_pipes.rs`, and `threaded_pipes.rs` on Windows), the end of a process with its children (`group.rs`),
//! the meaning of the lines. Start with [`ChildProcess::start`].

use crate::host::memory::{MemoryWatch, has_left_processes};
use crate::processes::group::{ProcessGroup, Warden, kill_group};
use crate::processes::pipes_turn::PipesTurn;
#[cfg(unix)]
use crate::processes::polled_pipes::PolledPipes as ChildPipes;
#[cfg(not(unix))]
use crate::processes::threaded_pipes::ThreadedPipes as ChildPipes;
use std::collections::VecDeque;
use std::io;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Bytes of the longest line that is read: twice what the protocol promises to take.
pub const LONGEST_LINE: usize = 128 << 10;

/// Bytes that an engine may print from one question to the next. A simulation of five minutes that reports twice a second prints a tenth of it.
pub const MOST_OUTPUT: usize = 8 << 20;

/// The time between two checks whether a process without output has ended.
const LOOK_EVERY: Duration = Duration::from_millis(2);

/// How much longer than a process its children may live.
const LAST_MOMENT: Duration = Duration::from_millis(100);

/// The output of a process.
#[derive(Debug)]
pub enum ChildOutput {
    /// A line without its end, and when it came.
    Line(Instant, String),
    /// More output than it may print. Nothing follows.
    TooMuch,
    /// The end of its output.
    End,
}

/// A running process. Its whole group is killed when this is dropped.
#[derive(Debug)]
pub struct ChildProcess {
    group: ProcessGroup,
    pipes: ChildPipes,
    /// The beginning of a line whose end has not come yet.
    begun: Vec<u8>,
    /// Lines that came and have not been asked for, with the moment at which they came.
    lines: VecDeque<(Instant, String)>,
    /// Bytes printed since the last question.
    printed: usize,
    is_too_much: bool,
    /// Watches its memory, if that is limited.
    memory: Option<MemoryWatch>,
    /// Whether it ended by itself before processes that it had started.
    has_left_others: bool,
}

impl ChildProcess {
    /// Starts a process with this standard error. Together with its children it may use `most_memory` bytes.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(mut command: Command, stderr: Stdio, warden: Option<Arc<Warden>>, most_memory: Option<u64>) -> io::Result<ChildProcess> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr);
        let mut group = ProcessGroup::start(&mut command, warden)?;
        let (stdin, stdout) = group.take_pipes();
        let head = group.id();
        let memory = most_memory.map(|bytes| MemoryWatch::start(head, bytes, move || kill_group(head)));
        Ok(ChildProcess {
            group,
            pipes: ChildPipes::new(stdin, stdout),
            begun: Vec::new(),
            lines: VecDeque::new(),
            printed: 0,
            is_too_much: false,
            memory,
            has_left_others: false,
        })
    }

    /// Sends a line. If the process no longer takes lines, its output has also ended, and is reported so.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.printed = 0;
        self.pipes.send(bytes);
    }

    /// Closes its input, once everything is sent.
    pub fn close_input(&mut self) {
        self.pipes.close_input();
    }

    /// Its next output, if there is any by then.
    pub fn next_by(&mut self, end: Instant) -> Option<ChildOutput> {
        loop {
            if let Some((at, line)) = self.lines.pop_front() {
                return Some(ChildOutput::Line(at, line));
            }
            if self.is_too_much {
                return Some(ChildOutput::TooMuch);
            }
            if self.pipes.has_ended() {
                return Some(ChildOutput::End);
            }
            self.read_by(end)?;
        }
    }

    /// Waits for output, and cuts it into lines. `None` if nothing came by then.
    fn read_by(&mut self, end: Instant) -> Option<()> {
        match self.pipes.turn_by(end) {
            PipesTurn::TimeOver => return None,
            PipesTurn::Read(at, bytes) => {
                self.printed += bytes.len();
                for part in bytes.split_inclusive(|&byte| byte == b'\n') {
                    self.begun.extend_from_slice(part);
                    if self.begun.len() > LONGEST_LINE || self.printed > MOST_OUTPUT {
                        self.is_too_much = true;
                        break;
                    }
                    if self.begun.ends_with(b"\n") {
                        self.lines.push_back((at, text_of(&self.begun)));
                        self.begun.clear();
                    }
                }
            }
            // A last line without its end counts: programs that print a move and end may leave it out.
            PipesTurn::Ended(at) if !self.begun.is_empty() => {
                self.lines.push_back((at, text_of(&self.begun)));
                self.begun.clear();
            }
            PipesTurn::Ended(_) => {}
        }
        Some(())
    }

    /// Processor time that the process has taken up to now, in all its threads;
    /// without its children. `None` if the system does not report it.
    // PERF: asking the clock of the process costs a microsecond. Reading `/proc/<id>/stat` cost 18 of them, twice a turn.
    #[cfg(target_os = "linux")]
    pub fn processor_time(&self) -> Option<Duration> {
        use nix::{time::ClockId, unistd::Pid};
        let clock = ClockId::pid_cpu_clock_id(Pid::from_raw(i32::try_from(self.group.id()).ok()?)).ok()?;
        Some(Duration::from(clock.now().ok()?))
    }

    /// Processor time that the process has taken up to now: not reported by this system.
    #[cfg(not(target_os = "linux"))]
    pub fn processor_time(&self) -> Option<Duration> {
        None
    }

    /// Waits for the process to end by then, and returns its status in words. What it still prints is read, up to what it may print, so that
    /// it is not kept waiting.
    pub fn ended_by(&mut self, end: Instant) -> Option<String> {
        loop {
            if self.group.has_ended() {
                return Some(self.end().map_or_else(|error| error.to_string(), |status| status.to_string()));
            }
            let now = Instant::now();
            if now >= end {
                return None;
            }
            if self.pipes.has_ended() || self.is_too_much {
                std::thread::sleep(LOOK_EVERY);
            } else {
                self.read_by(end.min(now + LOOK_EVERY));
            }
        }
    }

    /// Whether it took more memory than it may, and was killed for it.
    pub fn took_too_much_memory(&self) -> bool {
        self.memory.as_ref().is_some_and(MemoryWatch::is_exceeded)
    }

    /// Whether it ended by itself before processes that it had started.
    pub fn has_left_others(&self) -> bool {
        self.has_left_others
    }

    /// Whether other processes of the group keep running. Those that are about to end get a moment.
    fn leaves_others(&self) -> bool {
        let end = Instant::now() + LAST_MOMENT;
        while has_left_processes(self.group.id()) {
            if Instant::now() >= end {
                return true;
            }
            std::thread::sleep(LOOK_EVERY);
        }
        false
    }

    /// Kills what is left of the group, and waits for the process.
    fn end(&mut self) -> io::Result<std::process::ExitStatus> {
        if !self.group.is_over() {
            self.has_left_others = self.group.has_ended() && self.leaves_others();
            self.memory.iter().for_each(MemoryWatch::disarm);
        }
        self.group.end()
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        // This comes before the group is dropped, so that its memory is no longer watched then.
        let _ = self.end();
    }
}

fn text_of(line: &[u8]) -> String {
    String::from_utf8_lossy(line).trim_end_matches(['\n', '\r']).to_string()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::host::memory::GroupMemory;

    fn start(script: &str) -> ChildProcess {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        ChildProcess::start(command, Stdio::null(), None, None).unwrap()
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(10)
    }

    #[test]
    fn lines_come_and_the_last_one_needs_no_end() {
        let mut child = start("read line; printf 'got %s\\r\\nlast' \"$line\"");
        child.send("hello");
        for expected in ["got hello", "last"] {
            assert!(matches!(child.next_by(soon()), Some(ChildOutput::Line(_, line)) if line == expected));
        }
        assert!(matches!(child.next_by(soon()), Some(ChildOutput::End)));
        assert_eq!(child.ended_by(soon()).unwrap(), "exit status: 0");
    }

    #[test]
    fn output_without_end_is_too_much() {
        for script in ["yes", "head -c 1000000 /dev/zero"] {
            let mut child = start(script);
            let mut lines = 0;
            let last = loop {
                match child.next_by(soon()) {
                    Some(ChildOutput::Line(..)) => lines += 1,
                    other => break other,
                }
            };
            assert!(matches!(last, Some(ChildOutput::TooMuch)), "{script}: {last:?} after {lines} lines");
            assert!(lines <= MOST_OUTPUT, "{lines}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn processor_time_is_that_of_work_and_not_of_sleep() {
        let (busy, idle) = (start("while :; do :; done"), start("sleep 600"));
        let end = soon();
        while busy.processor_time().unwrap() < Duration::from_millis(50) {
            assert!(Instant::now() < end, "{:?}", busy.processor_time());
            std::thread::sleep(LOOK_EVERY);
        }
        assert!(idle.processor_time().unwrap() < Duration::from_millis(50), "{:?}", idle.processor_time());
    }

    #[test]
    fn an_engine_that_does_not_read_keeps_nobody_waiting() {
        let mut child = start("sleep 600");
        let started = Instant::now();
        child.send(&"x".repeat(4 << 20));
        child.send("quit");
        drop(child);
        assert!(started.elapsed() < Duration::from_secs(60));
    }

    #[test]
    fn children_end_with_their_parent() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("child");
        for end in ["wait", "exit 3"] {
            let mut child = start(&format!("sleep 600 & echo $! > '{}'; echo started; {end}", file.display()));
            assert!(matches!(child.next_by(soon()), Some(ChildOutput::Line(..))));
            if end == "exit 3" {
                assert_eq!(child.ended_by(soon()).unwrap(), "exit status: 3");
            }
            drop(child);
            let id: i32 = std::fs::read_to_string(&file).unwrap().trim().parse().unwrap();
            let id = rustix::process::Pid::from_raw(id).unwrap();
            // A killed process stays known until its new parent has waited for it.
            let end = soon();
            while rustix::process::test_kill_process(id).is_ok() && Instant::now() < end && !is_zombie(id) {
                std::thread::sleep(LOOK_EVERY);
            }
            assert!(rustix::process::test_kill_process(id).is_err() || is_zombie(id), "{end:?}: the child lives");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_is_that_of_all_processes_of_the_group() {
        // The letters are in the memory of a child of the child.
        let mut child = start("sh -c 'x=$(head -c 20000000 /dev/zero | tr \"\\0\" a); echo ready; sleep 600; echo $x' & wait");
        let memory = |child: &ChildProcess| GroupMemory::new(child.group.id()).bytes();
        assert!(memory(&child).is_some_and(|bytes| bytes < 20_000_000));
        assert!(matches!(child.next_by(soon()), Some(ChildOutput::Line(..))));
        assert!(memory(&child).is_some_and(|bytes| bytes > 20_000_000), "{:?}", memory(&child));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_that_takes_too_much_memory_is_killed_although_nobody_waits_for_it() {
        let mut command = Command::new("sh");
        command.args(["-c", "x=$(head -c 60000000 /dev/zero | tr '\\0' a); sleep 600; echo $x"]);
        let mut child = ChildProcess::start(command, Stdio::null(), None, Some(30_000_000)).unwrap();
        let end = Instant::now() + Duration::from_secs(60);
        while !child.took_too_much_memory() {
            assert!(Instant::now() < end, "nobody saw it");
            std::thread::sleep(LOOK_EVERY);
        }
        assert!(child.ended_by(end).is_some_and(|status| status.contains("signal: 9")));
    }

    fn is_zombie(id: rustix::process::Pid) -> bool {
        let state = std::fs::read_to_string(format!("/proc/{}/stat", id.as_raw_nonzero())).unwrap_or_default();
        state.rsplit(") ").next().is_some_and(|state| state.starts_with('Z'))
    }
}
