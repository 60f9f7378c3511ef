//! `tilewright lab train`: tables from self-play, one file for each kind.
//!
//! The counting itself is in `training/`. Here are flags, files and progress.

pub mod game;
pub mod leave_report;
pub mod leaves;
pub mod bag;
pub mod winpct;
pub mod calibrate;
pub mod watched;
pub mod opponents;
pub mod weights;
pub mod quantiles;

use crate::host::game_arguments::GameArguments;
use crate::host::output;
use crate::lab::train::game::TrainingSetup;
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
    /// The same games and seed give the same file, byte for byte, with any number of threads. Nothing is saved before the end.
    Bag(bag::BagTermsArguments),
    /// Make a win % table (.win.csv) from the changes of the lead in static self-play.
    ///
    /// The same games and seed give the same file, byte for byte, with any number of threads and however often the run was
    /// interrupted: the same command goes on where the last one stopped.
    Winpct(winpct::WinTableArguments),
    /// Say how far a win % table's predictions come true in games it has not seen.
    ///
    /// Prints Brier scores, for comparison those of the formula and those without the leaves' values, and for each of 20 bins of
    /// predictions what was predicted and what happened: for all turns, and for 90, 60, 30, 14 and 7 tiles unseen.
    Calibrate(calibrate::CalibrationArguments),
    /// Say how well models of an opponent foretell what a player keeps, and which temperature and floor of `static` fit the player.
    ///
    /// The player plays against itself. Prints the bits that the tiles kept were improbable by, those that each model gains, by tiles
    /// placed and tiles in the bag, the fits, and how far the chances of single tiles come true. With --out what is counted is saved after every eighth game.
    Opponents(opponents::OpponentArguments),
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
    Quantiles(quantiles::QuantileArguments),
}

/// Does it.
///
/// # Errors
/// What is wrong with a file.
pub fn run(arguments: &TrainArguments, game: &GameArguments) -> anyhow::Result<()> {
    let setup = TrainingSetup { game, threads: arguments.threads };
    match &arguments.action {
        TrainAction::Leaves(arguments) => leaves::run(arguments, setup, &mut output::line),
        TrainAction::Bag(arguments) => bag::run(arguments, setup),
        TrainAction::Winpct(arguments) => winpct::run(arguments, setup),
        TrainAction::Calibrate(arguments) => calibrate::run(arguments, setup, &mut output::line),
        TrainAction::Opponents(arguments) => opponents::run(arguments, setup, &mut output::line),
        TrainAction::Weights(arguments) => weights::run(arguments, setup, &mut output::line),
        TrainAction::Quantiles(arguments) => quantiles::run(arguments, setup, &mut output::line),
    }
}
