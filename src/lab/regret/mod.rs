//! `tilewright lab regret make|score`: makes a corpus of turns with played-out candidates,
//! and scores players. A player's score is the loss of its choices on these turns.
//!
//! This folder has the flags, files and progress. Not here: the worth of a choice (`regret/`).

pub mod making;
pub mod scoring;

use crate::host::game_arguments::GameArguments;
use crate::host::output;
use clap::Subcommand;

/// A subcommand of `tilewright lab regret`.
#[derive(Subcommand, Debug)]
pub enum RegretAction {
    /// Take turns from games of a player, and play out many candidates of each turn to the end of the game, many times.
    ///
    /// Some turns of each phase are taken from a game. All candidates are played out with the same deals of the unseen tiles. The file has one
    /// line per game. The same seed gives the same file with any number of threads, and also after interruptions.
    Make(making::MakeArguments),
    /// Report the loss of players' choices on the turns of such a file, as percent of wins and as points, by phase.
    ///
    /// The loss of the first player against the best candidate is too large, since the best candidate is also the luckiest. The differences
    /// between the other players and the first are reliable: choices that differ are played out on deals of their own.
    Score(scoring::ScoreArguments),
}

/// Runs the subcommand.
///
/// # Errors
/// A file cannot be read or written, or is invalid.
pub fn run(action: &RegretAction, game: &GameArguments) -> anyhow::Result<()> {
    match action {
        RegretAction::Make(arguments) => making::run(arguments, game),
        RegretAction::Score(arguments) => scoring::run(arguments, game, &mut output::line),
    }
}
