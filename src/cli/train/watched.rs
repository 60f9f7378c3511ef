//! What the commands share that watch a player play against itself: flags, tables, threads, progress, the first line of the report.
//!
//! Not here: what is counted (`training/`) and printed (the commands' own files). Start with [`WatchArguments::open`].

use crate::cli::game_arguments::{GameArguments, OpenedGame};
use crate::cli::long_run;
use crate::cli::progress::RunProgress;
use crate::match_play::pairs::Contestant;
use crate::players::PlayerSpec;
use crate::search::limits::{MOST_SEED, MOST_THREADS};
use anyhow::Result;
use rayon::ThreadPool;
use rayon::prelude::*;

/// Which games are watched, and on how many threads.
#[derive(clap::Args, Clone, Debug)]
pub struct WatchArguments {
    /// Seed of the games.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=MOST_SEED))]
    pub seed: u64,
    /// Threads; one for each core if not given. The result does not depend on it.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    pub threads: Option<u16>,
    /// Which game is played.
    #[command(flatten)]
    pub game: GameArguments,
}

/// A player's games against itself, which are to be watched.
pub struct WatchedGames {
    /// The game.
    pub game: OpenedGame,
    /// The player.
    pub contestant: Contestant,
    games: u64,
    seed: u64,
    pool: ThreadPool,
}

impl WatchArguments {
    /// This many games of a player against itself.
    ///
    /// # Errors
    /// A file that cannot be read, threads that cannot be had.
    pub fn open(&self, player: &PlayerSpec, games: u64) -> Result<WatchedGames> {
        let game = self.game.open()?;
        let contestant = game.contestant(player)?;
        Ok(WatchedGames { game, contestant, games, seed: self.seed, pool: long_run::pool(self.threads)? })
    }
}

impl WatchedGames {
    /// Watches all games but the first `played` ones, on all threads, `at_once` of them between two lines of progress: `start` makes what a
    /// thread plays with, `watch` is given the seed and the number of a game. What came of some games is handed on together, in the order
    /// of the games, since sums of fractions depend on it, with the number of those played by then.
    ///
    /// # Errors
    /// Those of `tell`.
    pub fn watch<W, S: Send>(
        &self,
        mut played: u64,
        at_once: u64,
        start: impl Fn() -> W + Sync + Send,
        watch: impl Fn(&mut W, u64, u64) -> S + Sync + Send,
        mut tell: impl FnMut(u64, &[S]) -> Result<()>,
    ) -> Result<()> {
        let mut progress = RunProgress::new("games", played, self.games);
        while played < self.games {
            let next = self.games.min(played + at_once);
            let games = (played..next).into_par_iter().map_init(&start, |watcher, index| watch(watcher, self.seed, index));
            let of_games: Vec<S> = self.pool.install(|| games.collect());
            played = next;
            tell(played, &of_games)?;
            progress.tell(played);
        }
        Ok(())
    }

    /// The first line of a report.
    pub fn headline(&self) -> String {
        let WatchedGames { contestant, games, seed, .. } = self;
        format!("{}: {games} games against itself, seed {seed}, {}", contestant.spec, self.named_game())
    }

    /// What the first games follow from, however many there will be.
    pub fn asked(&self) -> String {
        let WatchedGames { contestant, seed, .. } = self;
        let evaluator = &contestant.engine.knowledge().evaluator;
        let tables = format!("leaves {} winpct {}", evaluator.leaves_id(), evaluator.win_id());
        format!("{} {tables} seed {seed} {}", contestant.spec, self.named_game())
    }

    fn named_game(&self) -> String {
        let rules = self.game.unusual_rules().map(|rules| format!(" {rules}")).unwrap_or_default();
        format!("lexicon {}{rules}", self.game.lexicon().name())
    }
}
