//! `tilewright lab train`: makes tables from self-play, and prints statistics of it.
//!
//! This folder has the flags, files and progress. Not here: the counting (`training/`).

pub mod leaves;
pub mod static_games;
pub mod player_games;
pub mod weights;

use crate::host::game_arguments::GameArguments;
use crate::host::output;
use crate::search::limits::MOST_THREADS;
use clap::Subcommand;

/// The action, and its threads.
#[derive(clap::Args, Debug)]
pub struct TrainArguments {
    /// The action.
    #[command(subcommand)]
    pub action: TrainAction,
    /// Number of threads. Without this flag, one for each core. The result does not depend on it.
    #[arg(long, global = true, value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    pub threads: Option<u16>,
}

/// A subcommand of `tilewright lab train`.
#[derive(Subcommand, Debug)]
pub enum TrainAction {
    /// Make leave values (.klv2) from the boards of static self-play, generation after generation.
    ///
    /// After an interruption, the same command continues the run. The same seed gives the same file, byte for byte, with any number of
    /// threads and interruptions.
    Leaves(leaves::LeaveTrainingArguments),
    /// Make terms for the end of the bag (.bag.csv) from static self-play: the value of leaving few tiles in the bag.
    ///
    /// After an interruption, the same command continues the run. The same games and seed give the same file, byte for byte, with any number
    /// of threads and interruptions.
    Bag(static_games::BagTermsArguments),
    /// Make a win % table (.win.csv) from the changes of the lead in static self-play.
    ///
    /// After an interruption, the same command continues the run. The same games and seed give the same file, byte for byte, with any number
    /// of threads and interruptions.
    Winpct(static_games::WinTableArguments),
    /// Report how well a win % table predicts games that it was not made from.
    ///
    /// Prints Brier scores, also those of the formula and those without leave values for comparison. Then prints predictions and results for
    /// 20 bins of predictions: for all turns, and for 90, 60, 30, 14 and 7 tiles unseen.
    Calibrate(static_games::CalibrationArguments),
    /// Report how well models of an opponent predict the tiles that a player keeps, and the temperature and floor of `static` that fit best.
    ///
    /// The player plays against itself. Prints the improbability of the tiles kept in bits, and the bits that each model gains, by tiles placed
    /// and tiles in the bag. Also prints the fits, and how well the chances of single tiles are predicted. With --out, the counts are saved
    /// after every eighth game.
    Opponents(player_games::OpponentArguments),
    /// Make the weights of a rack heuristic by letters and duplicates, as Gordon (1993) did. Each weight in turn is raised or lowered, and the
    /// change is kept if the player then gains more points from the greedy player.
    ///
    /// Prints the weights next to those of the paper. After an interruption, the same command continues the run. The same seed gives the same
    /// weights with any number of threads and interruptions.
    Weights(weights::WeightArguments),
    /// Count the scores of plays by their tiles: the quantiles by which the player `wordsmith` conserves tiles.
    ///
    /// The player plays against itself. Prints the number of plays with each tile, and the quartiles of their scores. Nothing is saved.
    Quantiles(player_games::QuantileArguments),
}

/// Runs the subcommand.
///
/// # Errors
/// A file cannot be read or written, or is invalid.
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
