//! A process and its children as one group, which ends as a whole, even if this program is killed.
//!
//! The process is the head of a group of its own, so that an interrupt at the terminal does not
//! reach it. Start with [`ProcessGroup::start`].
//!
//! A killed program cannot end its engines, and not every engine ends with its input. So a second process, the warden, ends what is left.
//! The runner starts itself a second time, as the warden, and reports to it, on its input,
//! which process groups are alive. When this input ends, the runner has ended, for whatever reason.
//! (Linux can send a signal to the children of a process that dies, but not to their children.)
//! A process that has left its group by `setsid` is not known here, and keeps running:
//! a runner that adopts orphans (`PR_SET_CHILD_SUBREAPER`) does not learn which engine they come
//! from, and adopts none once it is killed. The warden's own work is [`keep_watch`].

use crate::host::surroundings::this_program;
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

/// The subcommand that makes a process the warden.
pub const WARDEN_SUBCOMMAND: &str = "tournament-warden";

/// Returns a process of this program that can be started, still without arguments.
///
/// # Errors
/// Those of [`this_program`].
pub fn this_program_again() -> io::Result<Command> {
    let words = this_program()?;
    let mut command = Command::new(words.first().map_or_else(OsString::new, Clone::clone));
    command.args(words.iter().skip(1));
    Ok(command)
}

/// The warden, as the runner sees it. Windows needs none: the end of this program closes the jobs of its engines, which ends them.
#[derive(Debug)]
pub struct Warden {
    child: Option<Child>,
    stdin: Mutex<Option<ChildStdin>>,
}

impl Warden {
    /// Starts the warden.
    ///
    /// # Errors
    /// This program cannot be started a second time.
    pub fn start() -> Result<Warden> {
        if cfg!(windows) {
            return Ok(Warden { child: None, stdin: Mutex::new(None) });
        }
        let mut command = this_program_again()?;
        command.arg(WARDEN_SUBCOMMAND).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        // An interrupt at the terminal is for the runner, which ends the engines itself.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().context("cannot start the warden of the engines")?;
        let stdin = Mutex::new(child.stdin.take());
        Ok(Warden { child: Some(child), stdin })
    }

    /// Reports that a process group is alive.
    pub fn watch(&self, id: u32) {
        self.tell(&format!("+{id}\n"));
    }

    /// Reports that a process group has ended.
    pub fn forget(&self, id: u32) {
        self.tell(&format!("-{id}\n"));
    }

    fn tell(&self, line: &str) {
        let mut stdin = self.stdin.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(stdin) = stdin.as_mut() {
            // A warden that somebody has killed is missed only if the runner is also killed.
            let _ = stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush());
        }
    }
}

impl Drop for Warden {
    fn drop(&mut self) {
        *self.stdin.lock().unwrap_or_else(PoisonError::into_inner) = None;
        if let Some(child) = &mut self.child {
            let _ = child.wait();
        }
    }
}

/// Does the warden's work: keeps a list of the groups until its input ends, then kills those that are left.
pub fn keep_watch(input: impl BufRead) {
    let mut groups = BTreeSet::new();
    for line in input.lines().map_while(Result::ok) {
        note(&mut groups, &line);
    }
    groups.into_iter().for_each(kill_group);
}

fn note(groups: &mut BTreeSet<u32>, line: &str) {
    let number = |text: &str| text.parse::<u32>().ok().filter(|&id| id > 1);
    if let Some(id) = line.strip_prefix('+').and_then(number) {
        groups.insert(id);
    } else if let Some(id) = line.strip_prefix('-').and_then(number) {
        groups.remove(&id);
    }
}

/// Kills the group of a process that has not been waited for. Once it has, another process may have its number.
#[cfg(unix)]
pub fn kill_group(head: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = i32::try_from(head).ok().and_then(Pid::from_raw) {
        // Fails if nobody is left.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// On other systems a group has no number: its job is closed by [`ProcessGroup::end`].
#[cfg(not(unix))]
pub fn kill_group(_: u32) {}

/// A job with this process and all that it will start. They end when it is closed, also by the end of this program.
#[cfg(windows)]
fn job_of(head: &Child) -> io::Result<win32job::Job> {
    use std::os::windows::io::AsRawHandle;
    let mut limits = win32job::ExtendedLimitInfo::new();
    limits.limit_kill_on_job_close();
    let job = win32job::Job::create_with_limit_info(&limits).map_err(io::Error::other)?;
    job.assign_process(head.as_raw_handle() as isize).map_err(io::Error::other)?;
    Ok(job)
}

/// A running process with its children. All of them are killed when this is dropped.
#[derive(Debug)]
pub struct ProcessGroup {
    head: Child,
    /// `None` once the group was ended.
    #[cfg(windows)]
    job: Option<win32job::Job>,
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
        #[cfg_attr(not(windows), expect(unused_mut))]
        let mut head = command.spawn()?;
        #[cfg(windows)]
        let job = job_of(&head).inspect_err(|_| drop(head.kill()))?;
        if let Some(warden) = &warden {
            warden.watch(head.id());
        }
        Ok(ProcessGroup {
            head,
            #[cfg(windows)]
            job: Some(job),
            warden,
            is_over: false,
        })
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
            #[cfg(windows)]
            drop(self.job.take());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_that_have_ended_are_forgotten() {
        let mut groups = BTreeSet::new();
        ["+17", "+19", "-17", "x", "+", "+1", "+0", "+-5", "-99"].iter().for_each(|line| note(&mut groups, line));
        assert_eq!(groups.into_iter().collect::<Vec<_>>(), [19]);
    }
}
