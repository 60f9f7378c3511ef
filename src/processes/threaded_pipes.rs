//! The input and output of a process where one cannot wait for both at once, as on Windows: a thread writes, and another one reads.
//!
//! An engine that does not read keeps only the first of them waiting. An engine that prints while nobody asks has to wait, as it would for a full
//! pipe, once a few parts are kept here. Both threads end with the process.

use crate::processes::pipes_turn::{PART, PipesTurn};
use std::io::{ErrorKind, Read, Write};
use std::process::{ChildStdin, ChildStdout};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Instant;

/// Parts of the output that are kept until somebody asks for them.
const PARTS_KEPT: usize = 4;

/// Input and output of a process.
#[derive(Debug)]
pub struct ThreadedPipes {
    /// `None` if the input is to be closed, once everything is sent.
    input: Option<Sender<Vec<u8>>>,
    /// `None` once the output has ended.
    output: Option<Receiver<(Instant, Vec<u8>)>>,
    /// The last part of the output.
    part: Vec<u8>,
}

impl ThreadedPipes {
    /// The pipes of a process that was just started.
    pub fn new(input: Option<ChildStdin>, output: Option<ChildStdout>) -> ThreadedPipes {
        // If no thread can be started, the process seems to take nothing and print nothing; `thread::spawn` would panic.
        let input = input.and_then(|stdin| {
            let (sender, unsent) = channel();
            thread::Builder::new().spawn(move || write_all(stdin, &unsent)).ok().map(|_| sender)
        });
        let output = output.and_then(|stdout| {
            let (sender, parts) = sync_channel(PARTS_KEPT);
            thread::Builder::new().spawn(move || read_all(stdout, &sender)).ok().map(|_| parts)
        });
        ThreadedPipes { input, output, part: Vec::new() }
    }

    /// Whether the output has ended.
    pub fn has_ended(&self) -> bool {
        self.output.is_none()
    }

    /// Sends bytes, without waiting for the process to take them.
    pub fn send(&mut self, bytes: &[u8]) {
        if self.input.as_ref().is_some_and(|input| input.send(bytes.to_vec()).is_err()) {
            // The process takes nothing more.
            self.input = None;
        }
    }

    /// Closes the input, once everything is sent.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits for output until then.
    pub fn turn_by(&mut self, end: Instant) -> PipesTurn<'_> {
        let Some(output) = &self.output else { return PipesTurn::Ended(Instant::now()) };
        match output.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok((at, part)) => {
                self.part = part;
                PipesTurn::Read(at, &self.part)
            }
            Err(RecvTimeoutError::Timeout) => PipesTurn::TimeOver,
            Err(RecvTimeoutError::Disconnected) => {
                self.output = None;
                PipesTurn::Ended(Instant::now())
            }
        }
    }
}

fn write_all(mut stdin: ChildStdin, unsent: &Receiver<Vec<u8>>) {
    for bytes in unsent {
        if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_all(mut stdout: ChildStdout, parts: &SyncSender<(Instant, Vec<u8>)>) {
    let mut buffer = vec![0; PART];
    loop {
        match stdout.read(&mut buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Ok(read @ 1..) if parts.send((Instant::now(), buffer[..read].to_vec())).is_ok() => {}
            // The output has ended, or nobody reads it any longer.
            _ => return,
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::process::{Child, Command, Stdio};
    use std::time::Duration;

    fn start(script: &str) -> (Child, ThreadedPipes) {
        let mut child = Command::new("sh").args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let pipes = ThreadedPipes::new(child.stdin.take(), child.stdout.take());
        (child, pipes)
    }

    fn read_to_end(pipes: &mut ThreadedPipes) -> Vec<u8> {
        let (end, mut all) = (Instant::now() + Duration::from_secs(30), Vec::new());
        loop {
            match pipes.turn_by(end) {
                PipesTurn::Read(_, part) => all.extend_from_slice(part),
                PipesTurn::Ended(_) => return all,
                PipesTurn::TimeOver => panic!("no end after {} bytes", all.len()),
            }
        }
    }

    #[test]
    fn what_is_sent_comes_back_in_order_and_the_end_after_it() {
        let (mut child, mut pipes) = start("cat");
        let sent: Vec<u8> = (0..300_000u32).flat_map(u32::to_le_bytes).collect();
        for part in sent.chunks(100_000) {
            pipes.send(part);
        }
        pipes.close_input();
        assert!(read_to_end(&mut pipes) == sent);
        assert!(pipes.has_ended());
        assert!(child.wait().unwrap().success());
    }

    #[test]
    fn a_process_that_neither_reads_nor_prints_keeps_nobody_waiting() {
        let (mut child, mut pipes) = start("exec sleep 600");
        pipes.send(&vec![b'x'; 4 << 20]);
        assert!(matches!(pipes.turn_by(Instant::now() + Duration::from_millis(20)), PipesTurn::TimeOver));
        child.kill().unwrap();
        assert_eq!(read_to_end(&mut pipes), b"");
        child.wait().unwrap();
    }
}
