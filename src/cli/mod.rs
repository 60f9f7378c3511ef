//! The command line: one file per subcommand. Files, the terminal and the log are touched here and nowhere else.
//!
//! | file | what it does |
//! |---|---|
//! | `output.rs` | lines on stdout |
//! | `logging.rs` | the program's own log |
//! | `progress.rs`, `long_run.rs` | what long runs need |
//! | `resources.rs` | finds what a session asks for in the file system |
//! | `game_arguments.rs` | the game that a subcommand plays: the same flags everywhere |
//! | `static_games.rs` | static games, for the subcommands that measure |
//! | `bench.rs` | signature and speed of the engine |
//! | `endgames.rs` | how many endgames are solved by when |
//! | `pegs.rs` | how fast pre-endgames are searched |
//! | `selfplay.rs` | static games under the referee |
//! | `match_file.rs`, `paired_games.rs` | paired games of two players, and the file of their results |
//! | `train/` | tables from self-play |
//! | `lexicon.rs` | makes, checks and lists word graphs |
//! | `serve.rs` | the protocol, on stdin and stdout or for a few commands from the command line |
//!
//! Start with [`run`]. A subcommand's flags, its `run` and what it prints stand together in its file.

pub mod output;
pub mod logging;
pub mod progress;
pub mod long_run;
pub mod resources;
pub mod game_arguments;
pub mod static_games;
pub mod bench;
pub mod endgames;
pub mod pegs;
pub mod selfplay;
pub mod match_file;
pub mod paired_games;
pub mod train;
pub mod lexicon;
pub mod serve;

use clap::{Parser, Subcommand};

/// A crossword-game engine.
///
/// Without arguments it reads protocol commands from standard input: say `help` to it. Words that are no subcommand are
/// protocol commands, carried out in order: each quoted argument is one, and unquoted words together are one.
#[derive(Parser, Debug)]
#[command(version, about, disable_help_subcommand = true, args_conflicts_with_subcommands = true)]
struct CommandLine {
    #[command(subcommand)]
    subcommand: Option<CliCommand>,
    /// Protocol commands.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

#[derive(Subcommand, Debug)]
enum CliCommand {
    /// Make, check or list word graphs and leave values.
    #[command(subcommand)]
    Lexicon(lexicon::LexiconAction),
    /// Print the signature of the engine's results, then how fast it is.
    Bench(bench::BenchArguments),
    /// Solve endgames and say how many are proved by when.
    Endgames(endgames::EndgamesArguments),
    /// Play static games under a referee who checks every play; write and read back their records.
    Selfplay(selfplay::SelfplayArguments),
    /// Play pairs of games between two players, on the same tiles with the seats swapped, and say who is better.
    Match(Box<paired_games::MatchArguments>),
    /// Search pre-endgames from self-play games and say when answers come.
    Pegs(pegs::PegArguments),
    /// Make tables from self-play, and judge them. What is interrupted goes on where it stopped.
    #[command(subcommand)]
    Train(train::TrainAction),
}

/// Runs the program.
///
/// # Errors
/// What the user can mend: files that cannot be read or written, with their names.
pub fn run() -> anyhow::Result<()> {
    let arguments = CommandLine::parse();
    let log = logging::start();
    match arguments.subcommand {
        Some(CliCommand::Lexicon(action)) => lexicon::run(&action),
        Some(CliCommand::Bench(arguments)) => bench::run(&arguments, &mut output::line),
        Some(CliCommand::Endgames(arguments)) => endgames::run(&arguments, &mut output::line),
        Some(CliCommand::Selfplay(arguments)) => selfplay::run(&arguments, &mut output::line),
        Some(CliCommand::Match(arguments)) => paired_games::run(&arguments, &mut output::line),
        Some(CliCommand::Pegs(arguments)) => pegs::run(&arguments, &mut output::line),
        Some(CliCommand::Train(action)) => train::run(&action),
        None if arguments.words.is_empty() => serve::conversation(log),
        None => serve::script(&serve::script_of(&arguments.words), log),
    }
}
