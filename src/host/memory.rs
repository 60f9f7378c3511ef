//! How much memory the machine has left, and how much an engine's processes take.
//!
//! The operating system promises more memory than there is, and ends the process that uses it: ask [`available_megabytes`] before making
//! a large table. Only Linux reports it. On other systems one can only try to get the memory.
//!
//! An engine's processes are watched from start to end, even on the other engine's turn.
//! An engine that takes more than it may is killed at once, so that the machine survives, and the
//! excess is reported when the engine is asked next. On systems that do not report memory (Linux
//! does), nothing is watched. Start with [`MemoryWatch::start`]. The end of a group is also checked
//! for processes that are left ([`has_left_processes`]).

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The time between two looks. An engine that takes a gigabyte a second is caught a tenth of a gigabyte too late.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The number of looks per search for new processes of the group. A search reads a file for every process of the machine, a look only one
/// for each process of the group.
const LOOKS_A_SEARCH: u32 = 10;

/// Watches the processes of a group until it is dropped.
#[derive(Debug)]
pub struct MemoryWatch {
    shared: Arc<WatchShared>,
    /// The thread ends when this is dropped.
    _end: Sender<()>,
}

#[derive(Debug)]
struct WatchShared {
    is_exceeded: AtomicBool,
    /// Whether the group may be killed: not once its head has been waited for, since another process may then have its number.
    may_kill: Mutex<bool>,
}

impl WatchShared {
    fn lock(&self) -> MutexGuard<'_, bool> {
        // It is a flag, which a panic cannot leave half set.
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

    /// Stops the killing, because the head of the group is about to be waited for.
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

    /// Bytes that the processes of the group hold together, including swapped ones; `None` where that is not known. A process that has left
    /// the group is not counted, and a new one is counted a little late.
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
    // PERF: numbers rise, so only the few younger processes are looked at. Once the numbers have wrapped around, some may be missed.
    let left = members(&head.to_string(), |process| process > head);
    left.is_some_and(|left| !left.is_empty())
}

/// The processes of this head's group that have not ended, among those whose numbers are asked for.
fn members(head: &str, is_asked_for: impl Fn(u32) -> bool) -> Option<Vec<String>> {
    let is_member = |process: &Path| {
        let Some(number) = process.file_name().and_then(|name| name.to_str()?.parse().ok()) else { return false };
        if !is_asked_for(number) {
            return false;
        }
        // `<pid> (<name>) <state> <parent> <group> ...`, and the name may be anything.
        let stat = fs::read_to_string(process.join("stat")).unwrap_or_default();
        let Some((_, rest)) = stat.rsplit_once(") ") else { return false };
        let mut words = rest.split(' ');
        words.next().is_some_and(|state| state != "Z") && words.nth(1) == Some(head)
    };
    let names = fs::read_dir("/proc").ok()?.flatten().map(|entry| entry.path()).filter(|path| is_member(path));
    Some(names.filter_map(|path| Some(path.file_name()?.to_str()?.to_string())).collect())
}

/// The bytes that a process holds, if it lives.
fn memory_of(process: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let lines = status.lines().filter_map(|line| line.strip_prefix("VmRSS:").or(line.strip_prefix("VmSwap:")));
    let kilobytes: u64 = lines.filter_map(|text| text.trim().trim_end_matches(" kB").parse::<u64>().ok()).sum();
    Some(kilobytes << 10)
}

/// The memory that can be had now, in MiB: what is free or can be freed, within the limits of the process's control groups, minus a sixteenth,
/// which others need. `None` if that is not known.
pub fn available_megabytes() -> Option<usize> {
    let of_machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| field_number(&text, "MemAvailable:"));
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    of_machine.map(|kib| kib * 1024).into_iter().chain(left_in_groups(Path::new("/sys/fs/cgroup"), &groups)).min().map(megabytes)
}

fn megabytes(bytes: u64) -> usize {
    usize::try_from((bytes - bytes / 16) >> 20).unwrap_or(usize::MAX)
}

/// The number after a name, as in `MemAvailable:   18035352 kB`.
fn field_number(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(name))?.split_whitespace().next()?.parse().ok()
}

/// Bytes that the limits of the control groups leave, the least of all groups from the process's own up to the root. `None` without limits.
///
/// `groups` has lines `<number>:<controllers>:<path>`: without controllers for version 2, with `memory` among them for version 1.
fn left_in_groups(root: &Path, groups: &str) -> Option<u64> {
    let left = |line: &str| {
        let (_, rest) = line.split_once(':')?;
        let (controllers, path) = rest.split_once(':')?;
        let (folder, limit, used, freeable) = match controllers {
            "" => (root.to_path_buf(), "memory.max", "memory.current", "inactive_file "),
            _ if controllers.split(',').any(|name| name == "memory") => {
                (root.join("memory"), "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file ")
            }
            _ => return None,
        };
        let of_group = |group: &Path| {
            let number = |file: &str| fs::read_to_string(group.join(file)).ok()?.trim().parse::<u64>().ok();
            let files = fs::read_to_string(group.join("memory.stat")).ok().and_then(|text| field_number(&text, freeable)).unwrap_or(0);
            Some(number(limit)?.saturating_sub(number(used)?).saturating_add(files))
        };
        let own = folder.join(path.trim_start_matches('/'));
        own.ancestors().take_while(|group| group.starts_with(&folder)).filter_map(of_group).min()
    };
    groups.lines().filter_map(left).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_that_a_group_leaves_counts() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let group = |path: &str, files: &[(&str, &str)]| {
            let group = root.join(path);
            fs::create_dir_all(&group).unwrap();
            files.iter().for_each(|(name, text)| fs::write(group.join(name), text).unwrap());
        };
        assert_eq!(left_in_groups(root, "0::/user/job\n"), None);
        group("user/job", &[("memory.max", "max\n"), ("memory.current", "700\n")]);
        assert_eq!(left_in_groups(root, "0::/user/job\n"), None);
        group("user", &[("memory.max", "5000\n"), ("memory.current", "1000\n"), ("memory.stat", "anon 1\ninactive_file 300\n")]);
        assert_eq!(left_in_groups(root, "0::/user/job\n"), Some(4300));
        group("user/job", &[("memory.max", "900\n")]);
        assert_eq!(left_in_groups(root, "0::/user/job\n"), Some(200));
        // More is used than the limit: nothing is left.
        group("user/job", &[("memory.max", "600\n")]);
        assert_eq!(left_in_groups(root, "0::/user/job\n"), Some(0));
        group(
            "memory/a",
            &[("memory.limit_in_bytes", "100\n"), ("memory.usage_in_bytes", "60\n"), ("memory.stat", "total_inactive_file 5\n")],
        );
        assert_eq!(left_in_groups(root, "3:cpu:/a\n4:blkio,memory:/a\n"), Some(45));
        assert_eq!(left_in_groups(root, "no line of a group"), None);
    }

    #[test]
    fn fields_are_read_with_their_units() {
        let text = "MemTotal:       24000000 kB\nMemAvailable:   18035352 kB\n";
        assert_eq!(field_number(text, "MemAvailable:"), Some(18_035_352));
        assert_eq!(field_number("MemAvailable: much", "MemAvailable:"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_machine_has_some_memory() {
        let available = available_megabytes().expect("linux tells");
        assert!(available > 1 && available < 1 << 30, "{available} MiB");
    }
}
