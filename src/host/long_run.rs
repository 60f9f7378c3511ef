//! Support for long runs: threads, interruption, and the command that resumes them.
//! The files they write are in `output_file.rs`.

use crate::host::interrupts::on_interrupt;
use crate::host::surroundings::this_command_line;
use crate::search::budget::Signals;
use anyhow::{Context, Result};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The exit code of a program that was interrupted.
pub const INTERRUPTED: i32 = 130;

/// An interrupted process ends after this time at the latest, whatever holds it up. A turn ends in a fraction of it.
const PATIENCE: Duration = Duration::from_secs(5);

/// An interrupt this long after the first one ends the program at once.
const IMPATIENCE: Duration = Duration::from_secs(1);

/// Threads for a run: this many, or one for each core.
///
/// # Errors
/// They cannot be started.
pub fn pool(wanted: Option<u16>) -> Result<rayon::ThreadPool> {
    rayon::ThreadPoolBuilder::new().num_threads(threads(wanted)).build().context("cannot start the threads")
}

/// The number of threads: this many, or one for each core.
pub fn threads(wanted: Option<u16>) -> usize {
    wanted.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}

/// Raises the signals at an interrupt, which end a run of games between two turns.
///
/// # Errors
/// Interrupts cannot be listened for.
pub fn end_when_interrupted(signals: &Arc<Signals>) -> Result<()> {
    let raised = Arc::clone(signals);
    let mut first: Option<Instant> = None;
    let handler = move || {
        let Some(first) = first else {
            first = Some(Instant::now());
            raised.stop();
            // Not every wait ends at a signal: one for a pipe that nobody writes to does not.
            std::thread::spawn(|| {
                std::thread::sleep(PATIENCE);
                std::process::exit(INTERRUPTED);
            });
            return;
        };
        // A user who interrupts again does not want to wait for the turns under way. (Some runners send one interrupt twice at once.)
        if first.elapsed() > IMPATIENCE {
            std::process::exit(INTERRUPTED);
        }
    };
    on_interrupt(handler).context("cannot listen for interrupts")
}

/// How the words of a command line change when its run is resumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoingOn {
    /// They stay: the run finds by itself what it has saved.
    Same,
    /// `--resume` is among them, and `--force` is not.
    Resume,
}

/// The command that resumes the run of this process from a shell in any folder: it changes to this folder, then starts this program
/// with the same words, quoted.
pub fn this_command(going_on: GoingOn) -> String {
    let words = this_command_line().into_iter().map(|word| word.to_string_lossy().into_owned()).collect();
    shell_command(std::env::current_dir().ok().as_deref(), words, going_on)
}

fn shell_command(folder: Option<&Path>, mut words: Vec<String>, going_on: GoingOn) -> String {
    if going_on == GoingOn::Resume {
        words.retain(|word| word != "--force");
        if !words.iter().any(|word| word == "--resume") {
            // After `--` it would not be a flag.
            let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
            words.insert(end, "--resume".to_string());
        }
    }
    // Only a word with a NUL in it cannot be quoted, and no process is ever given one.
    let quoted = |words: &[&str]| shlex::try_join(words.iter().copied()).unwrap_or_else(|_| words.join(" "));
    let command = quoted(&words.iter().map(String::as_str).collect::<Vec<_>>());
    folder.map_or(command.clone(), |folder| format!("cd {} && {command}", quoted(&[&folder.to_string_lossy()])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_to_go_on_is_read_by_a_shell_as_it_was() {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_string()).collect::<Vec<_>>();
        let command = |words: &[&str]| shell_command(None, owned(words), GoingOn::Resume);
        assert_eq!(command(&["tilewright", "match", "static", "greedy"]), "tilewright match static greedy --resume");
        assert_eq!(command(&["t", "--out", "my file", "--resume"]), "t --out 'my file' --resume");
        assert_eq!(command(&["t", "--force", "--out", "x", "--", "a"]), "t --out x --resume -- a");
        for words in [["a/b-1.csv", "a b", "it's", ""], ["sim:plies=2,plays=9", "--out=x", "$HOME", "--force"]] {
            let command = shell_command(Some(Path::new("my folder")), owned(&words), GoingOn::Same);
            let rest = command.strip_prefix("cd 'my folder' && ").unwrap();
            assert_eq!(shlex::split(rest).unwrap(), words);
        }
    }
}
