//! The command line: one file per subcommand. Files, the terminal and the log are touched here and nowhere else.
//!
//! | file | what it does |
//! |---|---|
//! | `output.rs` | lines on stdout |
//! | `logging.rs` | the program's own log |
//! | `input_file.rs` | files that are read: regular ones, up to a size |
//! | `progress.rs`, `output_file.rs`, `long_run.rs` | how far a run has come, the files it writes, what else long runs need |
//! | `user_folders.rs`, `graph_cache.rs` | the user's folders; word graphs kept there |
//! | `machine_memory.rs` | how much memory is left |
//! | `resources.rs` | finds what a session asks for in the file system |
//! | `game_arguments.rs` | the game that a subcommand plays: the same flags everywhere |
//! | `static_games.rs` | static games, for the subcommands that measure |
//! | `bench.rs` | signature and speed of the engine |
//! | `endgames.rs` | how many endgames are solved by when |
//! | `pegs/` | how fast pre-endgames are searched, and how well |
//! | `selfplay.rs` | static games under the referee |
//! | `journal_file.rs` | the journal of a match or a tournament on the disk |
//! | `paired_games.rs` | paired games of two players |
//! | `sprt.rs` | what a sequential test says of five counts |
//! | `tournament/` | engines of any maker against each other |
//! | `conform/` | whether an engine speaks its protocol, and whether its moves are right |
//! | `train/` | tables from self-play |
//! | `regret/` | what the choices of players lose, by playouts that somebody else plays |
//! | `analyse/` | where recorded games were won and lost |
//! | `lexicon.rs` | makes, checks and lists word graphs |
//! | `replay.rs` | a session from its log, once more |
//! | `restricted.rs` | the protocol for callers who are not trusted |
//! | `bridge/` | pages in a browser drive engines on this machine |
//! | `board_reports.rs` | reports of games for the board |
//! | `board.rs` | a board in the browser |
//! | `terminal/` | the protocol at a terminal: edited lines, colours, tables |
//! | `serve.rs` | the protocol, on stdin and stdout or for a few commands from the command line |
//!
//! Start with [`run`]. A subcommand's flags, its `run` and what it prints stand together in its file.

pub mod output;
pub mod input_file;
pub mod progress;
pub mod output_file;
pub mod logging;
pub mod long_run;
pub mod user_folders;
pub mod graph_cache;
pub mod machine_memory;
pub mod resources;
pub mod game_arguments;
pub mod static_games;
pub mod bench;
pub mod endgames;
pub mod pegs;
pub mod selfplay;
pub mod journal_file;
pub mod paired_games;
pub mod sprt;
pub mod tournament;
pub mod conform;
pub mod train;
pub mod regret;
pub mod analyse;
pub mod lexicon;
pub mod replay;
pub mod terminal;
pub mod serve;
#[cfg(feature = "web")]
pub mod restricted;
#[cfg(feature = "web")]
pub mod bridge;
#[cfg(feature = "web")]
pub mod board_reports;
#[cfg(feature = "web")]
pub mod board;

use crate::cli::terminal::screen::Drawing;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};

/// A crossword-game engine.
///
/// Without arguments it reads protocol commands from standard input: say `help` to it. Words that are no subcommand are
/// protocol commands, carried out in order: each quoted argument is one, and unquoted words together are one.
/// The exit status is 0, 1 after an error, and 2 for words that are neither.
#[derive(Parser, Debug)]
#[command(version, about, disable_help_subcommand = true, args_conflicts_with_subcommands = true)]
struct CommandLine {
    #[command(subcommand)]
    subcommand: Option<CliCommand>,
    /// At a terminal, show the protocol's lines as a program gets them, instead of a drawn board and tables.
    #[arg(long)]
    lines: bool,
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
    /// Play engines of any maker against each other, by a file: hidden tiles, clocks, ratings, a journal that nothing is lost from.
    Tournament(Box<tournament::TournamentArguments>),
    /// Say what a sequential test makes of the results of pairs: log-likelihood ratio, normalised Elo, verdict.
    Sprt(sprt::SprtArguments),
    /// Check how an engine speaks SIU or UCGI, and whether its moves are right: PASS, FAIL, SKIP, with the lines that show it.
    Conform(Box<conform::ConformArguments>),
    /// Kill the engines that a killed tournament leaves. The tournament starts this itself.
    #[command(name = tournament::warden::WARDEN_SUBCOMMAND, hide = true)]
    TournamentWarden,
    /// Search pre-endgames from self-play games and say when answers come.
    Pegs(pegs::PegArguments),
    /// Make tables from self-play, and judge them. What is interrupted goes on where it stopped.
    #[command(subcommand)]
    Train(train::TrainAction),
    /// Say what the choices of players lose on turns whose candidates somebody else has played out to the end of the game.
    #[command(subcommand)]
    Regret(regret::RegretAction),
    /// Say where recorded games were won and lost: what each turn lost, skill and luck, as text, HTML, JSON, and GCG with notes.
    Analyse(Box<analyse::AnalyseArguments>),
    /// Send the lines of a session's log (option LogFile) to a fresh engine, and compare the answers.
    Replay(replay::ReplayArguments),
    /// A board in the browser: set up, analyse, play.
    #[cfg(feature = "web")]
    Board(board::BoardArguments),
    /// Let pages in a browser drive engines on this machine, over a WebSocket on 127.0.0.1.
    #[cfg(feature = "web")]
    Bridge(bridge::BridgeArguments),
    /// Hold a conversation in the protocol that touches no files, with caps on threads and memory: for callers who are not trusted.
    #[cfg(feature = "web")]
    Restricted(restricted::RestrictedArguments),
}

/// Runs the program.
///
/// # Errors
/// What the user can mend: files that cannot be read or written, with their names.
pub fn run() -> anyhow::Result<()> {
    let arguments = CommandLine::parse();
    let lines = serve::script_of(&arguments.words);
    refuse_mistakes(&lines);
    let log = logging::start();
    match arguments.subcommand {
        Some(CliCommand::Lexicon(action)) => lexicon::run(&action),
        Some(CliCommand::Bench(arguments)) => bench::run(&arguments, &mut output::line),
        Some(CliCommand::Endgames(arguments)) => endgames::run(&arguments, &mut output::line),
        Some(CliCommand::Selfplay(arguments)) => selfplay::run(&arguments, &mut output::line),
        Some(CliCommand::Match(arguments)) => paired_games::run(&arguments, &mut output::line),
        Some(CliCommand::Tournament(arguments)) => tournament::run(&arguments, &mut output::line),
        Some(CliCommand::TournamentWarden) => {
            tournament::warden::keep_watch(std::io::stdin().lock());
            Ok(())
        }
        Some(CliCommand::Conform(arguments)) => conform::run(&arguments, &mut output::line),
        Some(CliCommand::Sprt(arguments)) => sprt::run(&arguments, &mut output::line),
        Some(CliCommand::Pegs(arguments)) => pegs::run(&arguments, &mut output::line),
        Some(CliCommand::Train(action)) => train::run(&action),
        Some(CliCommand::Regret(action)) => regret::run(&action),
        Some(CliCommand::Analyse(arguments)) => analyse::run(&arguments, &mut output::line),
        Some(CliCommand::Replay(arguments)) => replay::run(&arguments, &mut output::line),
        #[cfg(feature = "web")]
        Some(CliCommand::Board(arguments)) => board::run(&arguments, output::line),
        #[cfg(feature = "web")]
        Some(CliCommand::Bridge(arguments)) => bridge::run(&arguments, output::line),
        #[cfg(feature = "web")]
        Some(CliCommand::Restricted(arguments)) => restricted::run(&arguments),
        None if arguments.words.is_empty() => serve::conversation(log, if arguments.lines { Drawing::Lines } else { Drawing::Drawn }),
        None => serve::script(&lines, log),
    }
}

/// Ends the program with the status of a wrong command line if one of the lines is no command: it was probably meant for a subcommand.
fn refuse_mistakes(lines: &[String]) {
    let mut command = CommandLine::command();
    let subcommands: Vec<String> = command.get_subcommands().map(|subcommand| subcommand.get_name().to_string()).collect();
    let subcommands: Vec<&str> = subcommands.iter().map(String::as_str).collect();
    if let Some((word, meant)) = serve::mistaken(lines, &subcommands) {
        let hint = meant.map(|meant| format!(": did you mean {meant:?}?")).unwrap_or_default();
        let text = format!("{word:?} is neither a subcommand nor a command of the protocol{hint}");
        command.error(ErrorKind::InvalidSubcommand, text).exit();
    }
}
