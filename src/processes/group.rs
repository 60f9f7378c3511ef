//! A process and its children as one group, which ends as a whole.
//!
//! The process is the head of a group of its own, so that an interrupt at the terminal does not
//! reach it. What is left of the group when this program is killed is the warden's business
//! (`warden.rs`). Start with [`ProcessGroup::start`].

use crate::processes::warden::{Warden, kill_group};
use std::io;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus};
use std::sync::Arc;

/// A running process with its children. All of them are killed when this is dropped.
#[derive(Debug)]
pub struct ProcessGroup {
    head: Child,
    warden: Option<Arc<Warden>>,
    /// Whether the head was waited for: from then on its number may be that of another process.
    is_over: bool,
}

impl ProcessGroup {
    /// Starts a process.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(command: &mut Command, warden: Option<Arc<Warden>>) -> io::Result<ProcessGroup> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let head = command.spawn()?;
        if let Some(warden) = &warden {
            warden.watch(head.id());
        }
        Ok(ProcessGroup { head, warden, is_over: false })
    }

    /// The number of the process, which is that of its group.
    pub fn id(&self) -> u32 {
        self.head.id()
    }

    /// Takes the ends of the pipes to and from the process, where it was started with pipes.
    pub fn take_pipes(&mut self) -> (Option<ChildStdin>, Option<ChildStdout>) {
        (self.head.stdin.take(), self.head.stdout.take())
    }

    /// Whether the process was waited for.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Whether the process has ended. It is left to be waited for: until then no other process gets
    /// its number, and its group can be killed.
    #[cfg(unix)]
    pub fn has_ended(&mut self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        // An error means that it was waited for.
        !matches!(waitid(WaitId::Pid(Pid::from_child(&self.head)), options), Ok(None))
    }

    /// Whether the process has ended.
    #[cfg(not(unix))]
    pub fn has_ended(&mut self) -> bool {
        !matches!(self.head.try_wait(), Ok(None))
    }

    /// Kills what is left of the group, waits for the process, and returns its status.
    ///
    /// # Errors
    /// It cannot be waited for.
    pub fn end(&mut self) -> io::Result<ExitStatus> {
        if !self.is_over {
            kill_group(self.head.id());
            let _ = self.head.kill();
            self.is_over = true;
        }
        self.head.wait()
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        let _ = self.end();
        if let Some(warden) = &self.warden {
            warden.forget(self.head.id());
        }
    }
}
