//! The protocol server on stdin and stdout, and the same for a few commands from the command line.

use crate::cli::bench;
use crate::cli::logging::LogTarget;
use crate::cli::resources::FileResources;
use crate::protocol::server;
use anyhow::Context;
use std::io;
use std::sync::Arc;

/// Holds a conversation on stdin and stdout.
///
/// # Errors
/// Stdout cannot be written to, or a worker has panicked.
pub fn conversation(log: LogTarget) -> anyhow::Result<()> {
    ended(server::serve_stdin(Arc::new(files(log))))
}

/// Carries out protocol commands one after the other.
///
/// # Errors
/// Stdout cannot be written to, or a worker has panicked.
pub fn script(lines: &[String], log: LogTarget) -> anyhow::Result<()> {
    ended(server::serve_script(lines, Arc::new(files(log))))
}

/// The protocol commands in the words of a command line. If any word has a blank in it, each word is a command; otherwise all words
/// together are one command.
pub fn script_of(words: &[String]) -> Vec<String> {
    if words.iter().any(|word| word.contains(char::is_whitespace)) { words.to_vec() } else { vec![words.join(" ")] }
}

fn files(log: LogTarget) -> FileResources {
    FileResources::new(log).with_bench(bench::run_words)
}

fn ended(result: io::Result<()>) -> anyhow::Result<()> {
    match result {
        // The reader of stdout has gone.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result.context("the protocol server"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_words_are_commands_and_plain_words_form_one_command() {
        let script = |words: &[&str]| script_of(&words.iter().map(|word| (*word).to_string()).collect::<Vec<_>>());
        assert_eq!(script(&["go", "gen"]), ["go gen"]);
        assert_eq!(script(&["position startpos", "d"]), ["position startpos", "d"]);
    }
}
