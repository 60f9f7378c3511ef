//! `tilewright lab regret make|score`: makes a corpus of turns with played-out candidates,
//! and scores players. A player's score is the loss of its choices on these turns.
//!
//! What a choice is worth, and how it is found, is in `regret/`. Here are flags, files and progress.

pub mod making;
pub mod scoring;

use crate::host::game_arguments::GameArguments;
use crate::host::output;
use clap::Subcommand;

/// What to do.
#[derive(Subcommand, Debug)]
pub enum RegretAction {
    /// Take turns from games of a player, and play many candidates of each out to the end of the game, again and again.
    ///
    /// Some turns of each phase are taken from a game, and the same deals of the tiles out of sight are played for all candidates. The file has a line
    /// a game. The same seed gives the same file with any number of threads and however often the run was interrupted.
    Make(making::MakeArguments),
    /// Ask players for their choices on the turns of such a file, and say what these lose: percent of wins and points, by phase.
    ///
    /// What the first player loses against the best candidate is too large, since the best one is also the luckiest. What the others lose more or less than the first is
    /// found by playing out choices that differ, on deals of their own: this difference is what to go by.
    Score(scoring::ScoreArguments),
}

/// Does it.
///
/// # Errors
/// What is wrong with a file.
pub fn run(action: &RegretAction, game: &GameArguments) -> anyhow::Result<()> {
    match action {
        RegretAction::Make(arguments) => making::run(arguments, game),
        RegretAction::Score(arguments) => scoring::run(arguments, game, &mut output::line),
    }
}
