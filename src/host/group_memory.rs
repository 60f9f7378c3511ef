//! Watches the memory of an engine's processes from start to end, even on the other engine's turn.
//!
//! An engine that takes more than it may is killed at once, so that the machine lives on,
//! and what it did is said when it is asked next. On systems that do not report memory (Linux
//! does), nothing is watched. Start with [`MemoryWatch::start`]. The members of the group are also
//! checked at its end ([`has_left_processes`]).

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Time between two looks. An engine that takes a gigabyte a second is seen a tenth of one too late.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Looks from one search for new processes of the group to the next: that reads a file of every process of the machine, a look by itself
/// one of each process of the group.
const LOOKS_A_SEARCH: u32 = 10;

/// Watches the processes of a group until it is dropped.
#[derive(Debug)]
pub struct MemoryWatch {
    shared: Arc<WatchShared>,
    /// The thread ends when this does.
    _end: Sender<()>,
}

#[derive(Debug)]
struct WatchShared {
    is_exceeded: AtomicBool,
    /// Whether the group may be killed: not once its head was waited for, whose number may then be another's.
    may_kill: Mutex<bool>,
}

impl WatchShared {
    fn lock(&self) -> MutexGuard<'_, bool> {
        // It is a flag: whoever panicked left it whole.
        self.may_kill.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl MemoryWatch {
    /// Watches the group of this process, which may use `most_bytes` bytes. `kill` kills the group.
    pub fn start(head: u32, most_bytes: u64, kill: impl Fn() + Send + 'static) -> MemoryWatch {
        let shared = Arc::new(WatchShared { is_exceeded: AtomicBool::new(false), may_kill: Mutex::new(true) });
        let (end, ended) = mpsc::channel::<()>();
        let watched = Arc::clone(&shared);
        std::thread::spawn(move || {
            let mut group = GroupMemory::new(head);
            while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(LOOK_EVERY) {
                if group.bytes().is_some_and(|bytes| bytes > most_bytes) {
                    let may_kill = watched.lock();
                    if *may_kill {
                        watched.is_exceeded.store(true, Ordering::Release);
                        kill();
                    }
                    return;
                }
            }
        });
        MemoryWatch { shared, _end: end }
    }

    /// Whether the group took too much, and was killed.
    pub fn is_exceeded(&self) -> bool {
        self.shared.is_exceeded.load(Ordering::Acquire)
    }

    /// The head of the group is about to be waited for: from here on nothing is killed.
    pub fn disarm(&self) {
        *self.shared.lock() = false;
    }
}

/// Measures the memory of a process group.
#[derive(Debug)]
pub struct GroupMemory {
    head: String,
    /// The processes of the group that were found last.
    members: Vec<String>,
    /// Looks until they are searched for again.
    until_search: u32,
}

impl GroupMemory {
    /// The group of this process.
    pub fn new(head: u32) -> GroupMemory {
        GroupMemory { head: head.to_string(), members: Vec::new(), until_search: 0 }
    }

    /// Bytes that the processes of the group hold together, swapped ones too; `None` where that is not known. A process that has left the
    /// group is not counted, and one that is new to it a little late.
    pub fn bytes(&mut self) -> Option<u64> {
        if self.until_search == 0 {
            self.members = members(&self.head, |_| true)?;
            self.until_search = LOOKS_A_SEARCH;
        }
        self.until_search -= 1;
        let held: Vec<u64> = self.members.iter().filter_map(|process| memory_of(process)).collect();
        (!held.is_empty()).then(|| held.iter().sum())
    }
}

/// Whether a process that has ended, and was not waited for, has left others in its group.
/// `false` on systems that do not list processes.
pub fn has_left_processes(head: u32) -> bool {
    // PERF: numbers rise, so only younger processes are looked at, few of all. Where they began anew, something may be missed.
    let left = members(&head.to_string(), |process| process > head);
    left.is_some_and(|left| !left.is_empty())
}

/// The processes of the group of this head that have not ended, as far as their numbers are asked for.
fn members(head: &str, is_asked_for: impl Fn(u32) -> bool) -> Option<Vec<String>> {
    let is_member = |process: &Path| {
        let Some(number) = process.file_name().and_then(|name| name.to_str()?.parse().ok()) else { return false };
        if !is_asked_for(number) {
            return false;
        }
        // `<pid> (<name>) <state> <parent> <group> ...`, and the name may be anything.
        let stat = std::fs::read_to_string(process.join("stat")).unwrap_or_default();
        let Some((_, rest)) = stat.rsplit_once(") ") else { return false };
        let mut words = rest.split(' ');
        words.next().is_some_and(|state| state != "Z") && words.nth(1) == Some(head)
    };
    let names = std::fs::read_dir("/proc").ok()?.flatten().map(|entry| entry.path()).filter(|path| is_member(path));
    Some(names.filter_map(|path| Some(path.file_name()?.to_str()?.to_string())).collect())
}

/// The bytes that a process holds, if it lives.
fn memory_of(process: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let lines = status.lines().filter_map(|line| line.strip_prefix("VmRSS:").or(line.strip_prefix("VmSwap:")));
    let kilobytes: u64 = lines.filter_map(|text| text.trim().trim_end_matches(" kB").parse::<u64>().ok()).sum();
    Some(kilobytes << 10)
}
