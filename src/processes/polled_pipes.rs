//! The input and output of a process, without threads: the thread that waits for a line sleeps in `poll` on both pipes, so that a line costs
//! one waking. Bytes that do not fit into the input are sent during the wait for output.

use crate::processes::pipes_turn::{PART, PipesTurn};
use std::io::{self, ErrorKind, Read, Write};
use std::process::{ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

/// Input and output of a process.
#[derive(Debug)]
pub struct PolledPipes {
    /// `None` once the input is closed.
    input: Option<ChildStdin>,
    /// Bytes that the pipe had no room for.
    unsent: Vec<u8>,
    /// Whether the input is closed when everything is sent.
    closes: bool,
    /// `None` once the output has ended.
    output: Option<ChildStdout>,
    buffer: Vec<u8>,
}

impl PolledPipes {
    /// The pipes of a process that was just started.
    pub fn new(input: Option<ChildStdin>, output: Option<ChildStdout>) -> PolledPipes {
        // Where this fails, an engine that does not read may keep the runner waiting.
        let _ = input.as_ref().map(never_wait);
        PolledPipes { input, unsent: Vec::new(), closes: false, output, buffer: vec![0; PART] }
    }

    /// Whether the output has ended.
    pub fn has_ended(&self) -> bool {
        self.output.is_none()
    }

    /// Sends bytes, as far as there is room for them. The others follow during [`PolledPipes::turn_by`].
    pub fn send(&mut self, bytes: &[u8]) {
        if self.input.is_some() {
            self.unsent.extend_from_slice(bytes);
            self.send_more();
        }
    }

    /// Closes the input, once everything is sent.
    pub fn close_input(&mut self) {
        self.closes = true;
        self.send_more();
    }

    fn send_more(&mut self) {
        let Some(input) = &mut self.input else { return };
        let (mut sent, mut takes_more) = (0, true);
        while takes_more && sent < self.unsent.len() {
            match input.write(&self.unsent[sent..]) {
                Ok(bytes @ 1..) => sent += bytes,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                // The process takes nothing more.
                Ok(0) | Err(_) => takes_more = false,
            }
        }
        self.unsent.drain(..sent);
        if !takes_more || (self.closes && self.unsent.is_empty()) {
            self.input = None;
            self.unsent = Vec::new();
        }
    }

    /// Waits for output until then, and meanwhile sends what is unsent.
    pub fn turn_by(&mut self, end: Instant) -> PipesTurn<'_> {
        loop {
            let Some(output) = &self.output else { return PipesTurn::Ended(Instant::now()) };
            let unsent = self.input.as_ref().filter(|_| !self.unsent.is_empty());
            let ready = wait(output, unsent, end.saturating_duration_since(Instant::now()));
            if ready.to_send {
                self.send_more();
            }
            if ready.to_read
                && let Some(output) = &mut self.output
            {
                match output.read(&mut self.buffer) {
                    Ok(read @ 1..) => return PipesTurn::Read(Instant::now(), &self.buffer[..read]),
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Ok(0) | Err(_) => {
                        self.output = None;
                        return PipesTurn::Ended(Instant::now());
                    }
                }
            } else if Instant::now() >= end {
                return PipesTurn::TimeOver;
            }
        }
    }
}

/// The pipes that can be used without waiting.
#[derive(Clone, Copy, Debug, Default)]
struct PipesReady {
    to_read: bool,
    to_send: bool,
}

/// Waits until there is output, or its end, or room for input if there is some to send.
fn wait(output: &ChildStdout, unsent: Option<&ChildStdin>, timeout: Duration) -> PipesReady {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let mut watched = vec![PollFd::new(output, PollFlags::IN)];
    watched.extend(unsent.map(|input| PollFd::new(input, PollFlags::OUT)));
    // A time too long for the type is centuries long.
    match poll(&mut watched, Timespec::try_from(timeout).ok().as_ref()) {
        // The end of a pipe is also among the events.
        Ok(_) => PipesReady {
            to_read: !watched[0].revents().is_empty(),
            to_send: watched.get(1).is_some_and(|input| !input.revents().is_empty()),
        },
        // A signal: the waiting thread checks the time and waits again.
        Err(_) => PipesReady::default(),
    }
}

/// Makes a write to the input fail where it would wait.
fn never_wait(input: &ChildStdin) -> io::Result<()> {
    Ok(rustix::io::ioctl_fionbio(input, true)?)
}
