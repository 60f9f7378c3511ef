//! `tilewright train quantiles <player>`: what plays score by the tiles in them. The counting is in `training/quantiles.rs`.

use crate::cli::game_arguments::GameArguments;
use crate::cli::long_run;
use crate::cli::progress::RunProgress;
use crate::cli::resources::TableRequest;
use crate::match_play::game::GameLoop;
use crate::players::PlayerSpec;
use crate::search::budget::Signals;
use crate::training::quantiles::PlayScores;
use anyhow::Result;
use rayon::prelude::*;

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
    /// Threads; one for each core if not given. The result does not depend on it.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Which game is played.
    #[command(flatten)]
    pub game: GameArguments,
}

/// Plays and prints the table, a line at a time.
///
/// # Errors
/// A file that cannot be read, or `say`'s.
pub fn run(arguments: &QuantileArguments, say: &mut dyn FnMut(&str) -> std::io::Result<()>) -> Result<()> {
    let game = arguments.game.open()?;
    let player = &arguments.player;
    let tables = TableRequest { leaves: player.leaves(), win_table: player.win_table(), bag: player.bag(), racks: player.racks() };
    let engine = game.engine(&tables)?;
    let (rules, knowledge) = (engine.rules(), engine.knowledge());
    let pool = long_run::pool(arguments.threads)?;
    let start = || (GameLoop::new(rules, knowledge.lexicon.graph()), player.player(rules, knowledge));
    let mut progress = RunProgress::new("games", 0, arguments.games);
    let mut scores = PlayScores::new(&rules.distribution);
    let mut played = 0;
    while played < arguments.games {
        let next = arguments.games.min(played + GAMES_AT_ONCE);
        let watched = || {
            let of_games = (played..next).into_par_iter().map_init(start, |(games, player), index| {
                games.play(arguments.seed, index, &Signals::default(), |board, view| player.choose(board, view));
                let mut scores = PlayScores::new(&rules.distribution);
                games.plays().iter().for_each(|play| scores.add_play(&play.play, play.score));
                scores
            });
            of_games.collect::<Vec<PlayScores>>()
        };
        pool.install(watched).iter().for_each(|more| scores.add(more));
        played = next;
        progress.tell(played);
    }
    drop(progress);
    let distribution = &rules.distribution;
    let unusual = game.unusual_rules().map(|rules| format!(" {rules}")).unwrap_or_default();
    say(&format!(
        "{player}: {} games against itself, seed {}, lexicon {}{unusual}",
        arguments.games,
        arguments.seed,
        engine.lexicon().name()
    ))?;
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
