//! `tilewright lab`: measurements and training, for work on the engine or on tables for a word
//! list.
//!
//! Not here: counting and fitting (`training/`, `regret/`). Start with [`run`].

pub mod bench;
pub mod endgames;
pub mod pegs;
pub mod selfplay;
pub mod train;
pub mod regret;

use crate::host::game_arguments::GameArguments;
use crate::host::output;
use anyhow::Result;
use clap::Subcommand;

/// The action, and the game.
#[derive(clap::Args, Debug)]
pub struct LabArguments {
    /// The action.
    #[command(subcommand)]
    pub action: LabAction,
    /// Which game is played.
    #[command(flatten)]
    pub game: GameArguments,
}

/// A subcommand of `tilewright lab`.
#[derive(Subcommand, Debug)]
pub enum LabAction {
    /// Print the signature of the engine's results, then its speed.
    Bench(bench::BenchArguments),
    /// Solve endgames, and report how many are proved within given times.
    Endgames(endgames::EndgamesArguments),
    /// Search pre-endgames from self-play games, and report how long answers take.
    Pegs(pegs::PegArguments),
    /// Play static games under a referee who checks every play, and write and read back their records.
    Selfplay(selfplay::SelfplayArguments),
    /// Make tables from self-play, and evaluate them. An interrupted run continues where it stopped.
    Train(train::TrainArguments),
    /// Report the loss of players' choices, on turns whose candidates were played out to the end of the game.
    #[command(subcommand)]
    Regret(regret::RegretAction),
}

/// Runs a subcommand.
///
/// # Errors
/// A file cannot be read or written. The error names it.
pub fn run(arguments: &LabArguments) -> Result<()> {
    let game = &arguments.game;
    match &arguments.action {
        LabAction::Bench(arguments) => bench::run(arguments, game, &mut output::line),
        LabAction::Endgames(arguments) => endgames::run(arguments, game, &mut output::line),
        LabAction::Pegs(arguments) => pegs::run(arguments, game, &mut output::line),
        LabAction::Selfplay(arguments) => selfplay::run(arguments, game, &mut output::line),
        LabAction::Train(arguments) => train::run(arguments, game),
        LabAction::Regret(action) => regret::run(action, game),
    }
}
