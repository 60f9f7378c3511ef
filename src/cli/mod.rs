//! The command line: selects the subcommand, and has the small subcommands.
//!
//! Start with [`main`]. The file of a subcommand has its flags, its `run` and its output.

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
/// Without arguments, it reads protocol commands from standard input; try `help`. Arguments that are not a subcommand are
/// protocol commands, run in order. Quote each command; a single command needs no quotes. The exit status is 0 for success, 1 for
/// an error, and 2 for a wrong command line.
#[derive(Parser, Debug)]
#[command(version, about, disable_help_subcommand = true, args_conflicts_with_subcommands = true)]
struct CommandLine {
    #[command(subcommand)]
    subcommand: Option<CliCommand>,
    /// At a terminal, show the lines of the protocol as a program gets them, instead of a drawn board and tables.
    #[arg(long)]
    lines: bool,
    /// Set an option before the first command, for programs that cannot send options to an engine. May be repeated.
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
    /// Check that an engine speaks SIU or UCGI correctly and plays legal moves: PASS, FAIL or SKIP, with the lines that show it.
    Conform(Box<conform::ConformArguments>),
    /// Measure the engine, and train its tables from self-play. For researchers and developers.
    Lab(Box<lab::LabArguments>),
    /// Kill the engines that a killed tournament leaves behind. The tournament starts this process itself.
    #[command(name = group::WARDEN_SUBCOMMAND, hide = true)]
    TournamentWarden,
    /// Report where recorded games were won and lost, with the loss of each turn, skill and luck, as text, HTML, JSON, or GCG with notes.
    ///
    /// Each turn is searched. Then the best play and the play made are simulated again with the same fresh random numbers, so that luck in the
    /// search does not enlarge the loss. A loss is the win % that the best play would have kept. Where neither play can change the winner, it is
    /// counted in points. A loss in brackets is within two standard errors, so it may be noise. `=` means that the best play was made.
    Analyse(Box<analyse::AnalyseArguments>),
    /// Make puzzles from recorded games or self-play: positions in which one play is clearly best and hard to find.
    Puzzles(Box<puzzles::PuzzleArguments>),
    /// Send the lines of a session's log (option LogFile) to a fresh engine, and compare the answers.
    Replay(replay::ReplayArguments),
    /// Set up positions, analyse and play on a board in the browser.
    #[cfg(feature = "web")]
    Board(board::BoardArguments),
    /// Let pages in a browser drive engines on this machine, over a WebSocket on 127.0.0.1.
    #[cfg(feature = "web")]
    Bridge(bridge::BridgeArguments),
    /// Speak the protocol to callers that are not trusted: without access to files, and with limits on threads and memory.
    #[cfg(feature = "web")]
    Restricted(restricted::RestrictedArguments),
}

/// Runs the program and reports its error.
pub fn main() -> ExitCode {
    ExitCode::from(run_reported(surroundings::arguments()))
}

/// Runs the program inside another one, such as an interpreter, and returns its exit status. A wrong command line or an interrupt ends
/// the whole process at once. `again` has the words that start this program in any folder, `typed` the words that the user typed; both
/// come before the arguments.
pub fn main_within(again: Vec<OsString>, typed: Vec<OsString>, arguments: Vec<OsString>) -> u8 {
    surroundings::set_hosted(HostedProgram { again, typed, arguments: arguments.clone() });
    let status = run_reported(arguments);
    // The other program would not flush this buffer.
    output::flush();
    status
}

fn run_reported(arguments: Vec<OsString>) -> u8 {
    match run(arguments) {
        Ok(()) => 0,
        Err(error) => {
            // If standard error cannot be written to, only the exit status reports the error.
            let _ = writeln!(std::io::stderr(), "tilewright: {}", output::error_text(&error));
            1
        }
    }
}

/// Returns the definition of the command line with its help texts. `examples/manual.rs` makes manual pages and completions from it.
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

/// Ends the program with the status of a wrong command line if a line is not a command, since it was probably meant as a subcommand.
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
