//! Serves the protocol on stdin and stdout, or answers a few commands from the command line.

use crate::formats::suggest::nearest;
use crate::host::graph_cache::GraphCache;
use crate::host::logging::LogTarget;
use crate::host::resources::FileResources;
use crate::host::surroundings::variable;
use crate::lab::bench;
use crate::protocol::help::HELP;
use crate::protocol::parse::{ParseError, parse};
use crate::protocol::server;
use crate::protocol::session::Audience;
use crate::terminal::editor::LineEditor;
use crate::terminal::{self, screen::Drawing};
use anyhow::{Context, bail};
use std::io::{self, IsTerminal};
use std::sync::{Arc, Mutex};

/// Threads of a conversation in addition to the first one: the worker, the reader and the writer.
const CONVERSATION_THREADS: usize = 3;

/// Returns the command that sets an option named on the command line.
///
/// # Errors
/// The text is not `NAME=VALUE`.
pub fn option_line(text: &str) -> Result<String, String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !text.contains(char::is_control) => {
            Ok(format!("setoption name {} value {value}", name.trim()))
        }
        _ => Err("expected NAME=VALUE".to_string()),
    }
}

/// Carries out the lines of `opening`, then holds a conversation on stdin and stdout, or draws at a capable terminal.
///
/// # Errors
/// Stdout cannot be written to, nobody reads it when `quit` comes, or a worker has panicked.
pub fn conversation(opening: Vec<String>, log: LogTarget, drawing: Drawing) -> anyhow::Result<()> {
    ensure_threads()?;
    let resources = Arc::new(files(log));
    // If the terminal cannot be taken over, it gets the lines of the protocol.
    if is_drawn_on()
        && let Ok(taken) = LineEditor::open()
    {
        return ended(terminal::converse(taken, opening, resources, drawing), ());
    }
    ended(server::serve_stdin(&opening, resources, audience()), ())
}

/// Carries out protocol commands one after the other. A terminal shows the answers as in a conversation.
///
/// # Errors
/// A command was answered by an error, stdout cannot be written to, or a worker has panicked.
pub fn script(lines: Vec<String>, log: LogTarget, drawing: Drawing) -> anyhow::Result<()> {
    ensure_threads()?;
    let resources = Arc::new(files(log));
    let errors =
        if is_drawn_on() { terminal::carry_out(lines, resources, drawing) } else { server::serve_script(&lines, resources, audience()) };
    match ended(errors, 0)? {
        0 => Ok(()),
        1 => bail!("a command was answered by an error"),
        errors => bail!("{errors} commands were answered by errors"),
    }
}

/// Returns the first word of the first line that does not begin with a command, and the word that was probably meant: a command or one
/// of `others`.
pub fn mistaken<'a>(lines: &'a [String], others: &[&'a str]) -> Option<(&'a str, Option<&'a str>)> {
    let word = lines.iter().filter_map(|line| line.split_whitespace().next()).find(|word| !is_command(word))?;
    // `help` names all commands.
    let named = HELP.iter().flat_map(|line| line.split(|c: char| !c.is_alphanumeric())).filter(|word| is_command(word));
    Some((word, nearest(word, others.iter().copied().chain(named))))
}

/// Whether a word is a command of the protocol.
fn is_command(word: &str) -> bool {
    !matches!(parse(word), Ok(None) | Err(ParseError { command: None, .. }))
}

/// Returns the protocol commands in the words of a command line. If any word contains a space, each word is a command. If none does, all
/// words together are one command.
pub fn script_of(words: &[String]) -> Vec<String> {
    if words.iter().any(|word| word.contains(char::is_whitespace)) { words.to_vec() } else { vec![words.join(" ")] }
}

/// Returns `Person` if both stdin and stdout are terminals. A program at the other end of a pipe gets no text
/// before it asks something.
fn audience() -> Audience {
    if io::stdin().is_terminal() && io::stdout().is_terminal() { Audience::Person } else { Audience::Program }
}

/// Whether a person sits at a terminal that can redraw its contents.
fn is_drawn_on() -> bool {
    let term = variable("TERM").and_then(|term| term.into_string().ok());
    audience() == Audience::Person && terminal::is_capable(term.as_deref())
}

/// Checks that threads can be started. Without them, a conversation would neither answer nor report an error.
fn ensure_threads() -> anyhow::Result<()> {
    let failed =
        || format!("cannot start {CONVERSATION_THREADS} threads: raise this user's limit of processes (ulimit -u), or free memory");
    try_to_start(CONVERSATION_THREADS).with_context(failed)
}

/// Tries to start this many threads in addition to the running ones, and ends them. Without this check, nobody might notice that a thread
/// could not be started later, and that its work is never done.
///
/// # Errors
/// The error of the system.
fn try_to_start(threads: usize) -> io::Result<()> {
    let gate = Mutex::new(());
    let closed = gate.lock();
    std::thread::scope(|scope| {
        let wait = || drop(gate.lock());
        let started: io::Result<Vec<_>> = (0..threads).map(|_| std::thread::Builder::new().spawn_scoped(scope, wait)).collect();
        // The threads end only now, so all of them ran at the same time.
        drop(closed);
        started.map(drop)
    })
}

fn files(log: LogTarget) -> FileResources {
    FileResources::new(log).with_bench(bench::run_words).with_graphs(GraphCache::of_user())
}

fn ended<T>(result: io::Result<T>, without_reader: T) -> anyhow::Result<T> {
    match result {
        // Nobody reads stdout any more.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(without_reader),
        result => result.context("the protocol server"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_started_for_a_try_and_end() {
        assert!(try_to_start(0).is_ok() && try_to_start(3).is_ok());
    }

    #[test]
    fn quoted_words_are_commands_and_plain_words_form_one_command() {
        let script = |words: &[&str]| script_of(&words.iter().map(|word| (*word).to_string()).collect::<Vec<_>>());
        assert_eq!(script(&["go", "gen"]), ["go gen"]);
        assert_eq!(script(&["position startpos", "d"]), ["position startpos", "d"]);
    }

    #[test]
    fn a_line_that_begins_with_no_command_is_a_mistake_and_a_near_word_is_named() {
        let check = |lines: &[&str], expected: Option<(&str, Option<&str>)>| {
            let lines: Vec<String> = lines.iter().map(|line| (*line).to_string()).collect();
            assert_eq!(mistaken(&lines, &["lexicon", "match"]), expected, "{lines:?}");
        };
        check(&["lexcion build a b"], Some(("lexcion", Some("lexicon"))));
        check(&["position startpos", "anagarm RETAINS"], Some(("anagarm", Some("anagram"))));
        check(&["--foo"], Some(("--foo", None)));
        // In a conversation, an unknown word before a command is skipped.
        check(&["joho isready"], Some(("joho", None)));
        for line in ["position nowhere", "CHECK", "go gen", "d", "", "setoption"] {
            check(&[line], None);
        }
    }
}
