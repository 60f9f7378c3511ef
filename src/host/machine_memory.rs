//! How much memory the machine has left. The operating system promises more than there is, and ends the process that uses it: so who wants a
//! large table asks here first.
//!
//! Known on Linux alone. Elsewhere the try to get the memory has to do.

use std::fs;
use std::path::Path;

/// MiB that can be had now: what is free or can be freed, within the limits of the process's control groups, less a sixteenth, which others
/// need. `None` if that is not known.
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
