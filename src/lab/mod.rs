//! `tilewright lab`: measurements and training, for work on the engine or on tables for a word
//! list.
//!
//! What is counted and fitted is in `training/` and `regret/`. Start with [`run`].

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

/// What is measured or made, and of which game.
#[derive(clap::Args, Debug)]
pub struct LabArguments {
    /// What to do.
    #[command(subcommand)]
    pub action: LabAction,
    /// Which game is played.
    #[command(flatten)]
    pub game: GameArguments,
}

/// A subcommand of `tilewright lab`.
#[derive(Subcommand, Debug)]
pub enum LabAction {
    /// Print the signature of the engine's results, then how fast it is.
    Bench(bench::BenchArguments),
    /// Solve endgames and report how many are proved by when.
    Endgames(endgames::EndgamesArguments),
    /// Search pre-endgames from self-play games and report when answers come.
    Pegs(pegs::PegArguments),
    /// Play static games under a referee who checks every play; write and read back their records.
    Selfplay(selfplay::SelfplayArguments),
    /// Make tables from self-play, and judge them. An interrupted run continues where it stopped.
    Train(train::TrainArguments),
    /// Report what the choices of players lose on turns whose candidates were played out to the end of the game.
    #[command(subcommand)]
    Regret(regret::RegretAction),
}

/// Runs a subcommand.
///
/// # Errors
/// What the user can mend: files that cannot be read or written, with their names.
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
