//! The command line: selects the subcommand, and has the small subcommands.
//!
//! Start with [`main`]. A subcommand's flags, its `run` and what it prints are together in its file.

pub mod sprt;
pub mod analyse;
pub mod journal;
pub mod lexicon;
pub mod puzzles;
pub mod replay;
pub mod serve;
#[cfg(feature = "web")]
pub mod restricted;

use crate::arena::{self, paired_games};
#[cfg(feature = "web")]
use crate::board;
#[cfg(feature = "web")]
use crate::bridge;
use crate::host::surroundings::{self, HostedProgram};
use crate::host::{logging, output};
use crate::processes::group;
use crate::terminal::screen::Drawing;
use crate::{conform, lab};
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

/// A crossword-game engine.
///
/// Without arguments it reads protocol commands from standard input; try `help`. Arguments that are not a subcommand are
/// protocol commands, run in order: quote each command, or give a single one unquoted. The exit status is 0, 1 after an
/// error, and 2 for arguments that are neither.
#[derive(Parser, Debug)]
#[command(version, about, disable_help_subcommand = true, args_conflicts_with_subcommands = true)]
struct CommandLine {
    #[command(subcommand)]
    subcommand: Option<CliCommand>,
    /// At a terminal, show the protocol's lines as a program gets them, instead of a drawn board and tables.
    #[arg(long)]
    lines: bool,
    /// An option to set before the first command, for programs that start engines and send them none; may be given several times.
    #[arg(long, value_name = "NAME=VALUE", value_parser = serve::option_line)]
    option: Vec<String>,
    /// Protocol commands.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

#[derive(Subcommand, Debug)]
enum CliCommand {
    /// Make, check or list word graphs and leave values.
    Lexicon(lexicon::LexiconArguments),
    /// Play pairs of games between two players, on the same tiles with the seats swapped, and report who is better.
    Match(Box<paired_games::MatchArguments>),
    /// Play engines by any author against each other: hidden tiles, clocks, ratings, and a crash-safe journal.
    Tournament(Box<arena::TournamentArguments>),
    /// Join the journals of a run that several machines shared.
    #[command(subcommand)]
    Journal(journal::JournalAction),
    /// Evaluate a sequential test on the results of pairs: log-likelihood ratio, normalised Elo, verdict.
    Sprt(sprt::SprtArguments),
    /// Check how an engine speaks SIU or UCGI, and whether its moves are right: PASS, FAIL or SKIP, with the lines that show it.
    Conform(Box<conform::ConformArguments>),
    /// Measure the engine and train tables from self-play: for researchers and developers.
    Lab(Box<lab::LabArguments>),
    /// Kill the engines that a killed tournament leaves. The tournament starts this itself.
    #[command(name = group::WARDEN_SUBCOMMAND, hide = true)]
    TournamentWarden,
    /// Report where recorded games were won and lost: what each turn lost, skill and luck, as text, HTML, JSON, or GCG with notes.
    Analyse(Box<analyse::AnalyseArguments>),
    /// Make puzzles of recorded games or of self-play: positions in which one play is clearly best and hard to see.
    Puzzles(Box<puzzles::PuzzleArguments>),
    /// Send the lines of a session's log (option LogFile) to a fresh engine, and compare the answers.
    Replay(replay::ReplayArguments),
    /// A board in the browser: set up, analyse, play.
    #[cfg(feature = "web")]
    Board(board::BoardArguments),
    /// Let pages in a browser drive engines on this machine, over a WebSocket on 127.0.0.1.
    #[cfg(feature = "web")]
    Bridge(bridge::BridgeArguments),
    /// Speak the protocol without touching files, with caps on threads and memory: for callers that are not trusted.
    #[cfg(feature = "web")]
    Restricted(restricted::RestrictedArguments),
}

/// Runs the program and reports its error.
pub fn main() -> ExitCode {
    ExitCode::from(run_reported(surroundings::arguments()))
}

/// Runs the program as a part of another one, such as an interpreter, and returns its exit status. A wrong command line and an
/// interrupted run end the process at once, as they end the program. `again` are the words that start this program in any folder, and
/// `typed` those by which the user did, both before the arguments.
pub fn main_within(again: Vec<OsString>, typed: Vec<OsString>, arguments: Vec<OsString>) -> u8 {
    surroundings::set_hosted(HostedProgram { again, typed, arguments: arguments.clone() });
    let status = run_reported(arguments);
    // The other program does not know of this buffer.
    output::flush();
    status
}

fn run_reported(arguments: Vec<OsString>) -> u8 {
    match run(arguments) {
        Ok(()) => 0,
        Err(error) => {
            // Where standard error cannot be written to, the exit code has to do.
            let _ = writeln!(std::io::stderr(), "tilewright: {}", output::error_text(&error));
            1
        }
    }
}

/// All that the command line takes, with its help texts: what manual pages and completions are made from (`examples/manual.rs`).
pub fn command() -> clap::Command {
    CommandLine::command()
}

fn run(arguments: Vec<OsString>) -> anyhow::Result<()> {
    let arguments = CommandLine::parse_from(std::iter::once(OsString::from("tilewright")).chain(arguments));
    let lines = serve::script_of(&arguments.words);
    refuse_mistakes(&lines);
    let log = logging::start();
    let drawing = if arguments.lines { Drawing::Lines } else { Drawing::Drawn };
    match arguments.subcommand {
        Some(CliCommand::Lexicon(arguments)) => lexicon::run(&arguments),
        Some(CliCommand::Match(arguments)) => paired_games::run(&arguments, &mut output::line),
        Some(CliCommand::Tournament(arguments)) => arena::run(&arguments, &mut output::line),
        Some(CliCommand::Lab(arguments)) => lab::run(&arguments),
        Some(CliCommand::TournamentWarden) => {
            group::keep_watch(std::io::stdin().lock());
            Ok(())
        }
        Some(CliCommand::Conform(arguments)) => conform::run(&arguments, &mut output::line),
        Some(CliCommand::Journal(action)) => journal::run(&action, &mut output::line),
        Some(CliCommand::Sprt(arguments)) => sprt::run(&arguments, &mut output::line),
        Some(CliCommand::Analyse(arguments)) => analyse::run(&arguments, &mut output::line),
        Some(CliCommand::Puzzles(arguments)) => puzzles::run(&arguments, &mut output::line),
        Some(CliCommand::Replay(arguments)) => replay::run(&arguments, &mut output::line),
        #[cfg(feature = "web")]
        Some(CliCommand::Board(arguments)) => board::run(&arguments, output::line),
        #[cfg(feature = "web")]
        Some(CliCommand::Bridge(arguments)) => bridge::run(&arguments, output::line),
        #[cfg(feature = "web")]
        Some(CliCommand::Restricted(arguments)) => restricted::run(&arguments),
        None if arguments.words.is_empty() => serve::conversation(arguments.option, log, drawing),
        None => serve::script(arguments.option.into_iter().chain(lines).collect(), log, drawing),
    }
}

/// Ends the program with the status of a wrong command line if one of the lines is no command: it was probably meant for a subcommand.
fn refuse_mistakes(lines: &[String]) {
    let mut command = command();
    let subcommands: Vec<String> = command.get_subcommands().map(|subcommand| subcommand.get_name().to_string()).collect();
    let subcommands: Vec<&str> = subcommands.iter().map(String::as_str).collect();
    if let Some((word, meant)) = serve::mistaken(lines, &subcommands) {
        let hint = meant.map(|meant| format!(": did you mean {meant:?}?")).unwrap_or_default();
        let text = format!("{word:?} is neither a subcommand nor a command of the protocol{hint}");
        command.error(ErrorKind::InvalidSubcommand, text).exit();
    }
}
