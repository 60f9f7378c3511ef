//! The protocol server on stdin and stdout, and the same for a few commands from the command line.

use crate::cli::logging::LogTarget;
use crate::cli::resources::FileResources;
use crate::protocol::server::{Pace, serve};
use anyhow::Context;
use std::io::{self, Cursor};
use std::sync::Arc;
use tokio::io::AsyncRead;

/// Holds a conversation on stdin and stdout.
///
/// # Errors
/// Stdout cannot be written to.
pub fn conversation(log: LogTarget) -> anyhow::Result<()> {
    on_stdout(tokio::io::stdin(), Pace::AsItComes, log)
}

/// Carries out protocol commands, each when the one before is done.
///
/// # Errors
/// Stdout cannot be written to.
pub fn script(lines: &[String], log: LogTarget) -> anyhow::Result<()> {
    on_stdout(Cursor::new(lines.join("\n").into_bytes()), Pace::OneByOne, log)
}

/// The protocol commands in the words of a command line: where a word has blanks in it, each is a command; else all are one.
pub fn script_of(words: &[String]) -> Vec<String> {
    if words.iter().any(|word| word.contains(char::is_whitespace)) { words.to_vec() } else { vec![words.join(" ")] }
}

fn on_stdout(input: impl AsyncRead + Send + Unpin + 'static, pace: Pace, log: LogTarget) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().context("no runtime for the server")?;
    let resources = Arc::new(FileResources::new(log));
    let result = runtime.block_on(serve(input, tokio::io::stdout(), resources, pace));
    // A read from stdin cannot be interrupted: it is left to the end of the process.
    runtime.shutdown_background();
    match result {
        // Whoever listened has gone.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result.context("standard output"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_words_are_commands_and_plain_words_one() {
        let script = |words: &[&str]| script_of(&words.iter().map(|word| (*word).to_string()).collect::<Vec<_>>());
        assert_eq!(script(&["go", "gen"]), ["go gen"]);
        assert_eq!(script(&["position startpos", "d"]), ["position startpos", "d"]);
    }
}
