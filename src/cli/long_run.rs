//! What long runs need: threads, and the command that goes on with them. The files they write are in `output_file.rs`.

use anyhow::{Context, Result};
use std::path::Path;

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

/// How the words of a command line change when its run goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoingOn {
    /// They stay: the run finds by itself what it has saved.
    Same,
    /// `--resume` is among them, and `--force` is not.
    Resume,
}

/// The command that goes on with the run of this process, for a shell in any folder: to this folder, then this program with its
/// words, quoted.
pub fn this_command(going_on: GoingOn) -> String {
    let mut words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    // The name that a program was called by may not lead to it, from another folder or with another search path.
    let program = std::env::current_exe().ok().filter(|program| program.exists());
    if let (Some(word), Some(program)) = (words.first_mut(), program) {
        *word = program.to_string_lossy().into_owned();
    }
    shell_command(std::env::current_dir().ok().as_deref(), words, going_on)
}

fn shell_command(folder: Option<&Path>, mut words: Vec<String>, going_on: GoingOn) -> String {
    if going_on == GoingOn::Resume {
        words.retain(|word| word != "--force");
        if !words.iter().any(|word| word == "--resume") {
            // Behind `--` it would be no flag.
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
