//! The warden: a process that kills the remaining engines if their runner is killed.
//! It kills their children as well.
//!
//! A killed program cannot end its engines, and not every engine ends with its input.
//! So the runner starts itself a second time, as the warden, and reports to it, on its input,
//! which process groups are alive. The end of this input is the end of the runner, however it came.
//! (Linux can send a signal to the children of a process that dies, but not to their children.)
//! A process that has left its group by `setsid` is not known here, and goes on:
//! a runner that adopts orphans (`PR_SET_CHILD_SUBREAPER`) does not learn which engine they come
//! from, and adopts none once it is killed.
//!
//! Start with [`Warden::start`]; the warden's own work is [`keep_watch`].

use crate::host::surroundings::this_program;
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::io::{BufRead, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// The subcommand that makes a process the warden.
pub const WARDEN_SUBCOMMAND: &str = "tournament-warden";

/// The warden, as the runner sees it.
#[derive(Debug)]
pub struct Warden {
    child: Child,
    stdin: Mutex<Option<ChildStdin>>,
}

impl Warden {
    /// Starts the warden.
    ///
    /// # Errors
    /// This program cannot be started a second time.
    pub fn start() -> Result<Warden> {
        let program = this_program()?;
        let mut command = Command::new(program);
        command.arg(WARDEN_SUBCOMMAND).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        // An interrupt at the terminal is for the runner, which ends the engines itself.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().context("cannot start the warden of the engines")?;
        let stdin = Mutex::new(child.stdin.take());
        Ok(Warden { child, stdin })
    }

    /// A process group lives.
    pub fn watch(&self, id: u32) {
        self.tell(&format!("+{id}\n"));
    }

    /// A process group has ended.
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
        let _ = self.child.wait();
    }
}

/// The warden's work: until its input ends, keep account of the groups; then kill those that are left.
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

/// Kills the group of a process that was not waited for: from then on its number may be another's.
#[cfg(unix)]
pub fn kill_group(head: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = i32::try_from(head).ok().and_then(Pid::from_raw) {
        // Fails if nobody is left.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// Groups are not known here: their heads alone are killed, by those who started them.
#[cfg(not(unix))]
pub fn kill_group(_: u32) {}

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
