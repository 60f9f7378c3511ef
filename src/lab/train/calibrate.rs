//! `tilewright lab train calibrate`: how far the predictions of a win % table come true. The counting is in `training/calibration.rs`.

use crate::evaluation::WinModel;
use crate::host::progress::RunProgress;
use crate::host::resources;
use crate::lab::train::game::{StaticPlayArguments, TrainingSetup};
use crate::search::limits::MOST_SEED;
use crate::training::calibration::{Lead, Reliability, Trial, Turns, UNSEEN};
use crate::training::tally::{self, Tally};
use anyhow::Result;
use std::path::PathBuf;

/// Games between two lines of progress.
const GAMES_AT_ONCE: u64 = 2000;

/// What is judged.
#[derive(clap::Args, Clone, Debug)]
pub struct CalibrationArguments {
    /// Games to judge by.
    #[arg(long, default_value_t = 50_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Seed of the games: not the one that the table was made with.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(..=MOST_SEED))]
    pub seed: u64,
    /// The table to judge (.win.csv); the list's own if none is given.
    #[arg(long)]
    pub winpct: Option<PathBuf>,
    /// Who plays the games.
    #[command(flatten)]
    pub players: StaticPlayArguments,
}

/// Plays and prints the report, a line at a time.
///
/// # Errors
/// A file that cannot be read, or `say`'s.
pub fn run(arguments: &CalibrationArguments, setup: TrainingSetup<'_>, say: &mut dyn FnMut(&str) -> std::io::Result<()>) -> Result<()> {
    let game = setup.open(&arguments.players)?;
    let given = arguments.winpct.as_ref().map(|path| resources::open_win_table(path)).transpose()?;
    let table = given.as_ref().unwrap_or(game.win_model());
    let formula = WinModel::formula();
    let models = [(table, Lead::Valued), (table, Lead::Spread), (&formula, Lead::Valued), (&formula, Lead::Spread)];
    let players = game.players(arguments.seed);
    let pool = setup.pool()?;
    let mut progress = RunProgress::new("games", 0, arguments.games);
    let mut trial = Trial::new(&models);
    let mut played = 0;
    while played < arguments.games {
        let next = arguments.games.min(played + GAMES_AT_ONCE);
        trial.add(&pool.install(|| tally::tally_games(players, played..next, || Trial::new(&models))));
        played = next;
        progress.tell(played);
    }
    say(&format!("{} games, seed {}, {}", arguments.games, arguments.seed, game.names()))?;
    say("Brier score and (in brackets) mean error of the bins; without leaves: asked with the spread alone")?;
    let names = [table.name().to_string(), format!("{} without leaves", table.name())];
    let [valued, spread] = names;
    say(&format!("turns{:>11} {valued:>18} {spread:>24} {:>18} {:>24}", "number", "formula", "formula without leaves"))?;
    let kinds: Vec<Turns> = [Turns::All].into_iter().chain(UNSEEN.map(Turns::Unseen)).collect();
    for &turns in &kinds {
        let scores = [0, 1, 2, 3].map(|model| score(trial.reliability(model, turns)));
        let [valued, spread, formula, formula_spread] = scores;
        let number = trial.reliability(0, turns).count();
        say(&format!("{:<7}{number:>9} {valued:>18} {spread:>24} {formula:>18} {formula_spread:>24}", name(turns)))?;
    }
    for &turns in &kinds {
        say("")?;
        say(&format!("reliability of {}: {}", table.name(), long_name(turns)))?;
        say("from   predicted   happened    turns")?;
        for bin in trial.reliability(0, turns).bins() {
            say(&format!("{:.2} {:>11.4} {:>10.4} {:>8}", bin.from, bin.predicted, bin.happened, bin.count))?;
        }
    }
    Ok(())
}

fn score(reliability: &Reliability) -> String {
    format!("{:.5} ({:.4})", reliability.brier(), reliability.mean_error())
}

fn name(turns: Turns) -> String {
    match turns {
        Turns::All => "all".to_string(),
        Turns::Unseen(unseen) => unseen.to_string(),
    }
}

fn long_name(turns: Turns) -> String {
    match turns {
        Turns::All => "all turns".to_string(),
        Turns::Unseen(unseen) => format!("turns with {unseen} tiles unseen"),
    }
}
