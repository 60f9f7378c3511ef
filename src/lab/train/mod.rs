//! `tilewright lab train`: tables from self-play, and what is counted of it.
//!
//! The counting itself is in `training/`. Here are flags, files and progress.

pub mod leaves;
pub mod static_games;
pub mod player_games;
pub mod weights;

use crate::host::game_arguments::GameArguments;
use crate::host::output;
use crate::search::limits::MOST_THREADS;
use clap::Subcommand;

/// What to make or judge, and how many threads do it.
#[derive(clap::Args, Debug)]
pub struct TrainArguments {
    /// What to do.
    #[command(subcommand)]
    pub action: TrainAction,
    /// Threads; one for each core if not given. The result does not depend on it.
    #[arg(long, global = true, value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    pub threads: Option<u16>,
}

/// What to make or judge.
#[derive(Subcommand, Debug)]
pub enum TrainAction {
    /// Make leave values (.klv2) from the boards of static self-play, a generation after the other.
    ///
    /// The same seed gives the same file, byte for byte, with any number of threads and however often the run was interrupted:
    /// the same command goes on where the last one stopped.
    Leaves(leaves::LeaveTrainingArguments),
    /// Make terms for the end of the bag (.bag.csv) from static self-play: what it is worth that a play leaves few tiles there.
    ///
    /// The same games and seed give the same file, byte for byte, with any number of threads and however often the run was
    /// interrupted: the same command goes on where the last one stopped.
    Bag(static_games::BagTermsArguments),
    /// Make a win % table (.win.csv) from the changes of the lead in static self-play.
    ///
    /// The same games and seed give the same file, byte for byte, with any number of threads and however often the run was
    /// interrupted: the same command goes on where the last one stopped.
    Winpct(static_games::WinTableArguments),
    /// Say how far a win % table's predictions come true in games it has not seen.
    ///
    /// Prints Brier scores, for comparison those of the formula and those without the leaves' values, and for each of 20 bins of
    /// predictions what was predicted and what happened: for all turns, and for 90, 60, 30, 14 and 7 tiles unseen.
    Calibrate(static_games::CalibrationArguments),
    /// Say how well models of an opponent foretell what a player keeps, and which temperature and floor of `static` fit the player.
    ///
    /// The player plays against itself. Prints the bits that the tiles kept were improbable by, those that each model gains, by tiles
    /// placed and tiles in the bag, the fits, and how far the chances of single tiles come true. With --out what is counted is saved after every eighth game.
    Opponents(player_games::OpponentArguments),
    /// Make the weights of a rack heuristic by letters and duplicates, as Gordon (1993) did: each weight in turn is raised or lowered, and the
    /// change is kept if the player then gains more points from the greedy player.
    ///
    /// Prints them beside the paper's. The same seed gives the same weights with any number of threads and however often the run was
    /// interrupted: the same command goes on where the last one stopped.
    Weights(weights::WeightArguments),
    /// Count what plays score by the tiles in them: the quantiles by which the player `wordsmith` conserves tiles.
    ///
    /// The player plays against itself. Prints for each tile the plays that it was part of, and what a quarter, a half and three
    /// quarters of them did not exceed. Nothing is saved.
    Quantiles(player_games::QuantileArguments),
}

/// Does it.
///
/// # Errors
/// What is wrong with a file.
pub fn run(arguments: &TrainArguments, game: &GameArguments) -> anyhow::Result<()> {
    let threads = arguments.threads;
    match &arguments.action {
        TrainAction::Leaves(arguments) => leaves::run(arguments, game, threads, &mut output::line),
        TrainAction::Bag(arguments) => static_games::bag(arguments, game, threads),
        TrainAction::Winpct(arguments) => static_games::winpct(arguments, game, threads),
        TrainAction::Calibrate(arguments) => static_games::calibrate(arguments, game, threads, &mut output::line),
        TrainAction::Opponents(arguments) => player_games::opponents(arguments, game, threads, &mut output::line),
        TrainAction::Weights(arguments) => weights::run(arguments, game, threads, &mut output::line),
        TrainAction::Quantiles(arguments) => player_games::quantiles(arguments, game, threads, &mut output::line),
    }
}
