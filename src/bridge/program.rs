//! An engine's process on the bridge: lines to it and from it, within bounds, and its end with all its children.
//!
//! This differs from `processes/child.rs`: here an engine may print for hours without being asked
//! again, and the code that waits for it also waits for a page. A thread reads and a thread writes,
//! so that an engine that does neither holds up nobody. If the bridge is killed, the warden ends
//! what is left of the engine.
//!
//! | bound | why |
//! |---|---|
//! | [`LONGEST_LINE`] | a line without an end would be kept for ever |
//! | [`LINES_WAITING`], [`MOST_OUTPUT`] | an engine that prints faster than its lines are taken waits |
//! | [`MOST_INPUT`] | an engine that does not read costs no memory |
//!
//! Start with [`BridgeProgram::start`].

use crate::bridge::outbox::held_bytes;
use crate::processes::group::{ProcessGroup, Warden};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc as threads};
use std::thread;
use std::time::{Duration, Instant};
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{self, Receiver, Sender};

/// Bytes of the longest line that is read.
pub const LONGEST_LINE: usize = 1 << 20;

/// The most lines that wait to be taken.
pub const LINES_WAITING: usize = 256;

/// The most bytes of memory that they take, unless it is one line alone.
pub const MOST_OUTPUT: usize = 2 << 20;

/// The most bytes of memory of input that waits for an engine to read it.
pub const MOST_INPUT: usize = 1 << 20;

/// How long an engine may take to end by itself, when it is told to.
const GRACE: Duration = Duration::from_millis(500);

/// The time between two checks whether it has ended.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// The output of an engine.
#[derive(Debug)]
pub enum ProgramOutput {
    /// A line without its end.
    Line(String),
    /// A line of more than [`LONGEST_LINE`] bytes. Nothing follows.
    TooLong,
}

/// The engine does not read what it is sent.
#[derive(Debug)]
pub struct NotReading;

/// A running engine. Its whole group is killed when this is dropped.
pub struct BridgeProgram {
    group: ProcessGroup,
    input: Option<threads::Sender<String>>,
    /// Bytes of memory of what it has not read yet.
    unread: Arc<AtomicUsize>,
    output: Receiver<ProgramOutput>,
    room: Arc<OutputRoom>,
    /// One of the engines that may run at the same time.
    _permit: OwnedSemaphorePermit,
}

impl BridgeProgram {
    /// Starts an engine. What it writes to standard error goes to that of the bridge.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(mut command: Command, warden: Arc<Warden>, permit: OwnedSemaphorePermit) -> io::Result<BridgeProgram> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut group = ProcessGroup::start(&mut command, Some(warden))?;
        let (stdin, stdout) = group.take_pipes();
        let (sender, output) = mpsc::channel(LINES_WAITING);
        let (input, texts) = threads::channel();
        let (unread, room) = (Arc::new(AtomicUsize::new(0)), Arc::new(OutputRoom::default()));
        let program =
            BridgeProgram { group, input: Some(input), unread: Arc::clone(&unread), output, room: Arc::clone(&room), _permit: permit };
        // If no thread can be started, only this engine fails to start; `thread::spawn` would panic.
        if let Some(stdout) = stdout {
            thread::Builder::new().name("engine output".to_string()).spawn(move || read_lines(stdout, &sender, &room))?;
        }
        if let Some(stdin) = stdin {
            thread::Builder::new().name("engine input".to_string()).spawn(move || write_lines(stdin, &texts, &unread))?;
        }
        Ok(program)
    }

    /// Sends a line.
    ///
    /// # Errors
    /// Too much waits to be read.
    pub fn send(&mut self, line: &str) -> Result<(), NotReading> {
        let text = format!("{line}\n");
        let bytes = held_bytes(&text);
        if self.unread.fetch_add(bytes, Ordering::Relaxed) + bytes > MOST_INPUT {
            return Err(NotReading);
        }
        if let Some(input) = &self.input {
            // If the engine no longer takes lines, its output has also ended, and is reported so.
            let _ = input.send(text);
        }
        Ok(())
    }

    /// Its next output; `None` when it has closed its output.
    pub async fn next(&mut self) -> Option<ProgramOutput> {
        let output = self.output.recv().await;
        self.taken(output)
    }

    /// Output that nobody has taken yet.
    pub fn rest(&mut self) -> Option<ProgramOutput> {
        let output = self.output.try_recv().ok();
        self.taken(output)
    }

    fn taken(&self, output: Option<ProgramOutput>) -> Option<ProgramOutput> {
        self.room.give_back(output.as_ref().map_or(0, ProgramOutput::held_bytes));
        output
    }

    /// Whether the process has ended.
    pub fn has_ended(&mut self) -> bool {
        self.group.has_ended()
    }

    /// Kills what is left of the group, and returns how the process has ended.
    pub fn end(&mut self) -> String {
        self.group.end().map_or_else(|error| error.to_string(), |status| status.to_string())
    }

    /// Lets it end by itself for a moment, then kills what is left, on a thread of its own.
    pub fn dismiss(mut self) {
        let work = move || {
            let end = Instant::now() + GRACE;
            let _ = self.send("stop").and_then(|()| self.send("quit"));
            self.input = None;
            while !self.has_ended() && Instant::now() < end {
                // Nobody wants its last lines, but while they wait, it cannot go on.
                while self.rest().is_some() {}
                thread::sleep(LOOK_EVERY);
            }
        };
        // Without a thread it is killed at once, since it is dropped.
        let _ = thread::Builder::new().name("engine's end".to_string()).spawn(work);
    }
}

impl Drop for BridgeProgram {
    fn drop(&mut self) {
        let _ = self.end();
        self.room.close();
    }
}

impl ProgramOutput {
    fn held_bytes(&self) -> usize {
        match self {
            ProgramOutput::Line(line) => held_bytes(line),
            ProgramOutput::TooLong => 0,
        }
    }
}

/// Room for lines that wait to be taken: as many bytes as [`MOST_OUTPUT`], or one line.
#[derive(Debug, Default)]
struct OutputRoom {
    taken: Mutex<TakenRoom>,
    wake: Condvar,
}

#[derive(Debug, Default)]
struct TakenRoom {
    bytes: usize,
    is_closed: bool,
}

impl OutputRoom {
    fn taken(&self) -> MutexGuard<'_, TakenRoom> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there is room for `bytes` bytes, or nobody takes lines any more.
    fn take(&self, bytes: usize) {
        let has_none = |taken: &mut TakenRoom| taken.bytes > 0 && taken.bytes + bytes > MOST_OUTPUT && !taken.is_closed;
        let mut taken = self.wake.wait_while(self.taken(), has_none).unwrap_or_else(PoisonError::into_inner);
        taken.bytes += bytes;
    }

    fn give_back(&self, bytes: usize) {
        self.taken().bytes -= bytes;
        self.wake.notify_one();
    }

    fn close(&self) {
        self.taken().is_closed = true;
        self.wake.notify_one();
    }
}

/// Hands over lines until the output ends, or a line does not, or nobody takes them.
fn read_lines(stdout: ChildStdout, sender: &Sender<ProgramOutput>, room: &OutputRoom) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let read = stdout.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut line);
        if !matches!(read, Ok(1..)) {
            return;
        }
        let is_too_long = line.len() > LONGEST_LINE;
        let text = || ProgramOutput::Line(String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']).to_string());
        let output = if is_too_long { ProgramOutput::TooLong } else { text() };
        room.take(output.held_bytes());
        if sender.blocking_send(output).is_err() || is_too_long {
            return;
        }
    }
}

/// Writes texts until there are no more, or the engine takes none.
fn write_lines(mut stdin: ChildStdin, texts: &threads::Receiver<String>, unread: &AtomicUsize) {
    for text in texts {
        if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
        unread.fetch_sub(held_bytes(&text), Ordering::Relaxed);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use tokio::sync::Semaphore;

    fn start(command: &mut Command) -> BridgeProgram {
        let permit = Arc::new(Semaphore::new(1)).try_acquire_owned().unwrap();
        BridgeProgram::start(std::mem::replace(command, Command::new("")), Arc::new(Warden::start().unwrap()), permit).unwrap()
    }

    #[test]
    fn an_engine_that_prints_faster_than_its_lines_are_taken_waits() {
        let program = start(&mut Command::new("yes"));
        // Nobody takes its lines. (`yes` prints millions a second.)
        while program.output.len() < LINES_WAITING {
            thread::sleep(LOOK_EVERY);
        }
        thread::sleep(20 * LOOK_EVERY);
        assert_eq!(program.output.len(), LINES_WAITING);
    }

    #[test]
    fn an_engine_that_prints_long_lines_waits_after_a_few() {
        let mut program = start(Command::new("sh").args(["-c", "yes $(head -c 100000 /dev/zero | tr '\\0' x)"]));
        let few = MOST_OUTPUT / 100_000;
        for _ in 0..3 {
            while program.output.len() < few {
                thread::sleep(LOOK_EVERY);
            }
            thread::sleep(20 * LOOK_EVERY);
            assert_eq!(program.output.len(), few);
            // What is taken makes room for as much.
            (0..few).for_each(|_| assert!(matches!(program.rest(), Some(ProgramOutput::Line(line)) if line.len() == 100_000)));
        }
    }

    #[test]
    fn an_engine_that_does_not_read_empty_lines_costs_no_memory_either() {
        let mut program = start(Command::new("sleep").arg("600"));
        let sent = (0..MOST_INPUT).take_while(|_| program.send("").is_ok()).count();
        // Some are in the pipe.
        assert!(sent < (64 << 10) + MOST_INPUT / (size_of::<String>() + 1), "{sent} lines");
    }
}
