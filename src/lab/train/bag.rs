//! `tilewright lab train bag`: terms for the end of the bag from self-play. The counting is in `training/bag_terms.rs`.

use crate::formats::bag_terms;
use crate::host::output_file::{OutputFile, OverwriteArguments};
use crate::host::progress::{RunProgress, say_aside};
use crate::lab::train::game::{StaticPlayArguments, TrainingSetup};
use crate::search::limits::MOST_SEED;
use crate::training::bag_terms::BagCounts;
use crate::training::tally::{self, Tally};
use anyhow::{Context, Result};
use std::path::PathBuf;

/// Games between two lines of progress.
const GAMES_AT_ONCE: u64 = 2000;

/// What is made.
#[derive(clap::Args, Clone, Debug)]
pub struct BagTermsArguments {
    /// Games to count; each row of the table rests on a quarter as many plays.
    #[arg(long, default_value_t = 300_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Seed of the games.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=MOST_SEED))]
    pub seed: u64,
    /// The terms to write (.bag.csv).
    #[arg(long)]
    pub out: PathBuf,
    /// What happens to a file of that name.
    #[command(flatten)]
    pub overwriting: OverwriteArguments,
    /// Who plays the games.
    #[command(flatten)]
    pub players: StaticPlayArguments,
}

/// Plays, counts, writes the terms.
///
/// # Errors
/// A file that cannot be read or written, too few games.
pub fn run(arguments: &BagTermsArguments, setup: TrainingSetup<'_>) -> Result<()> {
    let game = setup.open(&arguments.players)?;
    let mut out = OutputFile::claim(&arguments.out, arguments.overwriting.overwrite())?;
    let players = game.players(arguments.seed);
    let pool = setup.pool()?;
    let mut progress = RunProgress::new("games", 0, arguments.games);
    let mut counts = BagCounts::new(&game.rules);
    while counts.games() < arguments.games {
        let games = counts.games()..arguments.games.min(counts.games() + GAMES_AT_ONCE);
        counts.add(&pool.install(|| tally::tally_games(players, games, || BagCounts::new(&game.rules))));
        progress.tell(counts.games());
    }
    let terms = counts.terms().context("some numbers of tiles have never been left: these are too few games")?;
    let comments = [
        "What it is worth, in points, that a play leaves so many tiles in the bag, and how much of the leave's value counts then."
            .to_string(),
        "Below 0: so many tiles that the rack lacks.".to_string(),
        format!("tilewright lab train bag --games {} --seed {}, {}", arguments.games, arguments.seed, game.names()),
    ];
    out.write(bag_terms::print(&terms, &comments))?;
    say_aside(&format!("{} is written", arguments.out.display()));
    Ok(())
}
