//! The command line: one file per subcommand. Files, the terminal and the log are touched here and nowhere else.
//!
//! | file | what it does |
//! |---|---|
//! | `serve.rs` | the protocol, on stdin and stdout or for a few commands from the command line |
//! | `bench.rs` | signature and speed of the engine |
//! | `endgames.rs` | how many endgames are solved by when |
//! | `selfplay.rs` | static games under the referee |
//! | `paired_games.rs`, `match_file.rs` | paired games of two players, and the file of their results |
//! | `pegs.rs` | how fast pre-endgames are searched |
//! | `train/` | tables from self-play |
//! | `lexicon.rs` | makes, checks and lists word graphs |
//! | `resources.rs` | finds what a session asks for in the file system |
//! | `logging.rs` | the program's own log |
//! | `output.rs` | lines on stdout |
//!
//! Start with [`run`].

pub mod bench;
pub mod endgames;
pub mod lexicon;
pub mod logging;
pub mod match_file;
pub mod output;
pub mod paired_games;
pub mod pegs;
pub mod resources;
pub mod selfplay;
pub mod serve;
pub mod train;

use clap::{Parser, Subcommand};

/// A crossword-game engine.
///
/// Without arguments it reads protocol commands from standard input: say `help` to it. Words that are no subcommand are
/// protocol commands, carried out in order: each quoted argument is one, and unquoted words together are one.
#[derive(Parser, Debug)]
#[command(version, about, disable_help_subcommand = true, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    subcommand: Option<Command>,
    /// Protocol commands.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Make, check or list word graphs and leave values.
    #[command(subcommand)]
    Lexicon(lexicon::Action),
    /// Print the signature of the engine's results, then how fast it is.
    Bench(bench::Arguments),
    /// Solve endgames and say how many are proved by when.
    Endgames(endgames::Arguments),
    /// Play static games under a referee who checks every play; write and read back their records.
    Selfplay(selfplay::Arguments),
    /// Play pairs of games between two players, on the same tiles with the seats swapped, and say who is better.
    Match(Box<paired_games::Arguments>),
    /// Search pre-endgames from self-play games and say when answers come.
    Pegs(pegs::Arguments),
    /// Make tables from self-play, and judge them. What is interrupted goes on where it stopped.
    #[command(subcommand)]
    Train(train::Action),
}

/// Runs the program.
///
/// # Errors
/// What the user can mend: files that cannot be read or written, with their names.
pub fn run() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let log = logging::start();
    match arguments.subcommand {
        Some(Command::Lexicon(action)) => lexicon::run(&action),
        Some(Command::Bench(arguments)) => bench::run(&arguments, &mut output::line),
        Some(Command::Endgames(arguments)) => endgames::run(&arguments, &mut output::line),
        Some(Command::Selfplay(arguments)) => selfplay::run(&arguments, &mut output::line),
        Some(Command::Match(arguments)) => paired_games::run(&arguments, &mut output::line),
        Some(Command::Pegs(arguments)) => pegs::run(&arguments, &mut output::line),
        Some(Command::Train(action)) => train::run(&action),
        None if arguments.words.is_empty() => serve::conversation(log),
        None => serve::script(&serve::script_of(&arguments.words), log),
    }
}
