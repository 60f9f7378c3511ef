//! What long runs need: threads, a line of progress on stderr, files that are whole at any moment.

use anyhow::{Context, Result};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How often a line of progress is worth printing.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(2);

/// Threads for a run: so many, or one for each core.
///
/// # Errors
/// They cannot be started.
pub fn threads(wanted: Option<u16>) -> Result<rayon::ThreadPool> {
    // rayon takes 0 for one thread a core.
    let threads = wanted.map_or(0, usize::from);
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("cannot start the threads")
}

/// Says something on stderr.
pub fn say(text: &str) {
    // Where stderr cannot be written to, the run goes on in silence.
    let _ = writeln!(io::stderr(), "{text}");
}

/// Lines such as `games 12000 of 1000000, 521 games/s, 31 min left` on stderr.
#[derive(Debug)]
pub struct Progress {
    unit: &'static str,
    started: Instant,
    first: u64,
    last: u64,
    said: Option<Instant>,
}

impl Progress {
    /// A run from the state `first` to the state `last`, counted in such units.
    pub fn new(unit: &'static str, first: u64, last: u64) -> Progress {
        Progress { unit, started: Instant::now(), first, last, said: None }
    }

    /// Tells how far the run is, unless it did so a moment ago.
    pub fn tell(&mut self, done: u64) {
        if done == self.last || self.said.is_none_or(|said| said.elapsed() >= PROGRESS_INTERVAL) {
            say(&progress_line(self.unit, done, self.last, done - self.first, self.started.elapsed()));
            self.said = Some(Instant::now());
        }
    }
}

fn progress_line(unit: &str, done: u64, last: u64, now: u64, elapsed: Duration) -> String {
    let per_second = now as f64 / elapsed.as_secs_f64().max(1e-3);
    let left = (last - done) as f64 / per_second.max(1e-3);
    let left = match left {
        ..90.0 => format!("{left:.0} s"),
        90.0..5400.0 => format!("{:.0} min", left / 60.0),
        _ => format!("{:.1} h", left / 3600.0),
    };
    let per_second = if per_second < 10.0 { format!("{per_second:.1}") } else { format!("{per_second:.0}") };
    format!("{unit} {done} of {last}, {per_second} {unit}/s, {left} left")
}

/// Writes a file so that whoever looks finds the old one or the new one, never a part: under another name first, to the disk,
/// then renamed.
///
/// # Errors
/// The file that cannot be written.
pub fn save(path: &Path, contents: impl AsRef<[u8]>) -> Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".tmp");
    let unfinished = PathBuf::from(name);
    let write = || -> io::Result<()> {
        let mut file = File::create(&unfinished)?;
        file.write_all(contents.as_ref())?;
        file.sync_all()?;
        fs::rename(&unfinished, path)
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

/// Reads a file; nothing if there is none.
///
/// # Errors
/// A file that is there and cannot be read.
pub fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

/// Removes a file that has done its work.
///
/// # Errors
/// It cannot be removed.
pub fn remove(path: &Path) -> Result<()> {
    fs::remove_file(path).with_context(|| format!("cannot remove {}", path.display()))
}

/// A word of a command line, quoted if a shell would take it apart.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=:,+%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) { word.to_string() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_told_with_speed_and_time_left() {
        let line = |games, played, seconds| progress_line("games", games, 1_000_000, played, Duration::from_secs(seconds));
        assert_eq!(line(4000, 4000, 8), "games 4000 of 1000000, 500 games/s, 33 min left");
        assert_eq!(line(990_000, 1000, 2), "games 990000 of 1000000, 500 games/s, 20 s left");
        assert_eq!(line(0, 100, 1), "games 0 of 1000000, 100 games/s, 2.8 h left");
    }

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        assert_eq!(["a/b-1.csv", "a b", "it's", ""].map(quoted), ["a/b-1.csv", "'a b'", r"'it'\''s'", "''"]);
    }
}
