//! `tilewright lab train quantiles <player>`: what plays score by the tiles in them. The counting is in `training/quantiles.rs`.

use crate::lab::train::game::TrainingSetup;
use crate::lab::train::watched::WatchedGames;
use crate::match_play::game::GameLoop;
use crate::players::{Player, PlayerSpec};
use crate::search::budget::Signals;
use crate::training::quantiles::PlayScores;
use anyhow::Result;

/// Games between two lines of progress.
const GAMES_AT_ONCE: u64 = 500;

/// Whose plays are counted.
#[derive(clap::Args, Clone, Debug)]
pub struct QuantileArguments {
    /// The player, as `match` names players.
    #[arg(default_value = "greedy")]
    pub player: PlayerSpec,
    /// Games to count.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Seed of the games.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Plays and prints the table, a line at a time.
///
/// # Errors
/// A file that cannot be read, or `say`'s.
pub fn run(arguments: &QuantileArguments, setup: TrainingSetup<'_>, say: &mut dyn FnMut(&str) -> std::io::Result<()>) -> Result<()> {
    let games = WatchedGames::open(setup, &arguments.player, arguments.games, arguments.seed)?;
    let engine = &games.contestant.engine;
    let (rules, knowledge) = (engine.rules(), engine.knowledge());
    let distribution = &rules.distribution;
    let start = || (GameLoop::new(rules, knowledge.lexicon.graph()), arguments.player.player(rules, knowledge));
    let mut scores = PlayScores::new(distribution);
    let watch = |(games, player): &mut (GameLoop<'_>, Box<dyn Player + '_>), seed, index| {
        games.play(seed, index, &Signals::default(), |board, view| player.choose(board, view));
        let mut scores = PlayScores::new(distribution);
        games.plays().iter().for_each(|play| scores.add_play(&play.play, play.score));
        scores
    };
    games.watch(0, GAMES_AT_ONCE, start, watch, |_, of_games| {
        of_games.iter().for_each(|of_game| scores.add(of_game));
        Ok(())
    })?;
    say(&games.headline())?;
    say(&format!("{:<5}{:>9}{:>8}{:>8}{:>8}", "tile", "plays", "25 %", "50 %", "75 %"))?;
    let row = |name: &str, plays: u64, quantile: &dyn Fn(f64) -> Option<i32>| {
        let cell = |share: f64| quantile(share).map_or("-".to_string(), |score| score.to_string());
        format!("{name:<5}{plays:>9}{:>8}{:>8}{:>8}", cell(0.25), cell(0.5), cell(0.75))
    };
    for tile in distribution.tiles() {
        say(&row(&distribution.tiles_text([tile]), scores.plays(tile), &|share| scores.quantile(tile, share)))?;
    }
    let plays = distribution.tiles().map(|tile| scores.plays(tile)).sum();
    say(&row("all", plays, &|share| scores.quantile_of_all(share)))?;
    Ok(())
}
