//! `tilewright lab train winpct`: a win % table from static self-play. The counting is in `training/win_percent.rs`.
//!
//! After every [`save_every`](WinTableArguments::save_every) games all counts are saved in a file beside the table: a run that is
//! interrupted loses no more than that. When all games are played, the table is written and that file removed.

use crate::formats::win_table;
use crate::host::long_run::{self, GoingOn};
use crate::host::output_file::{OverwriteArguments, ResumableFile};
use crate::host::progress::{RunProgress, say_aside};
use crate::lab::train::game::{StaticPlayArguments, TrainingGame, TrainingSetup};
use crate::search::limits::MOST_SEED;
use crate::training::tally::{self, TallyPlayers};
use crate::training::win_percent::WinCounts;
use anyhow::{Context, Result, ensure};
use std::path::PathBuf;

/// What is made.
#[derive(clap::Args, Clone, Debug)]
pub struct WinTableArguments {
    /// Games to count; a million take the better part of an hour on two cores.
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Seed of the games.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=MOST_SEED))]
    pub seed: u64,
    /// The table to write (.win.csv).
    #[arg(long)]
    pub out: PathBuf,
    /// What happens to a file of that name.
    #[command(flatten)]
    pub overwriting: OverwriteArguments,
    /// Who plays the games.
    #[command(flatten)]
    pub players: StaticPlayArguments,
    /// Where counts are saved while the games go on [default: the table's file with .part behind].
    #[arg(long)]
    pub checkpoint: Option<PathBuf>,
    /// Games between two savings.
    #[arg(long, default_value_t = 4000, value_parser = clap::value_parser!(u64).range(1..))]
    pub save_every: u64,
}

/// Plays, counts, writes the table.
///
/// # Errors
/// A file that cannot be read or written, a checkpoint of other games.
pub fn run(arguments: &WinTableArguments, setup: TrainingSetup<'_>) -> Result<()> {
    let game = setup.open(&arguments.players)?;
    let players = game.players(arguments.seed);
    let of_games = description(&game, players);
    let mut out = ResumableFile::claim(&arguments.out, arguments.checkpoint.as_deref(), arguments.overwriting.overwrite())?;
    let checkpoint = out.work.path().display().to_string();
    let mut counts = match out.work.read()? {
        Some(text) => WinCounts::resume(&game.rules, &String::from_utf8_lossy(&text), &of_games)
            .with_context(|| format!("cannot go on from {}; without that file the games begin anew", checkpoint))?,
        None => WinCounts::new(&game.rules),
    };
    let first = counts.games();
    ensure!(first <= arguments.games, "{} counts {first} games already, more than {}", checkpoint, arguments.games);
    if first > 0 {
        say_aside(&format!("{first} games are counted in {}", checkpoint));
    }
    say_aside(&format!("if interrupted, go on with: {}", long_run::this_command(GoingOn::Same)));
    out.work.save(counts.checkpoint(&of_games))?;
    let pool = setup.pool()?;
    let mut progress = RunProgress::new("games", first, arguments.games);
    while counts.games() < arguments.games {
        let games = counts.games()..arguments.games.min(counts.games() + arguments.save_every);
        let more = pool.install(|| tally::tally_games(players, games, || WinCounts::new(&game.rules)));
        tally::Tally::add(&mut counts, &more);
        out.work.save(counts.checkpoint(&of_games))?;
        progress.tell(counts.games());
    }
    let table = counts.table()?;
    out.write(win_table::print(&table, &comments(arguments, &game, &counts)))?;
    out.work.clear()?;
    say_aside(&format!("{} is written: {} games, {} turns", arguments.out.display(), counts.games(), counts.turns()));
    Ok(())
}

/// Which games are counted, in a line. Counts of other games must not be added to them.
fn description(game: &TrainingGame, players: TallyPlayers<'_>) -> String {
    format!("seed {} {} fingerprint {:016x}", players.seed, game.names(), tally::fingerprint(players))
}

/// The lines above the table. They have no paths and nothing of the machine, so that the same games make the same file everywhere.
fn comments(arguments: &WinTableArguments, game: &TrainingGame, counts: &WinCounts) -> Vec<String> {
    vec![
        "How likely the player on turn wins. Rows: tiles this player does not see, or own/other rack with an empty bag. Columns: the"
            .to_string(),
        "lead in points, with the value of the tiles kept on the last turn less that of the tiles that the opponent kept.".to_string(),
        format!("tilewright lab train winpct --games {} --seed {}, {}", arguments.games, arguments.seed, game.names()),
        format!("{} games, {} turns", counts.games(), counts.turns()),
    ]
}
