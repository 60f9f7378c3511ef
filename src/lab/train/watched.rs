//! Shared by the commands that watch self-play: tables, threads, progress and the report's first
//! line.
//!
//! Not here: what is counted (`training/`) and printed (the commands' own files). Start with [`WatchedGames::open`].

use crate::host::game_arguments::OpenedGame;
use crate::host::progress::RunProgress;
use crate::lab::train::game::TrainingSetup;
use crate::match_play::pairs::Contestant;
use crate::players::PlayerSpec;
use anyhow::Result;
use rayon::ThreadPool;
use rayon::prelude::*;

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

impl WatchedGames {
    /// This many games of a player against itself.
    ///
    /// # Errors
    /// A file that cannot be read, threads that cannot be had.
    pub fn open(setup: TrainingSetup<'_>, player: &PlayerSpec, games: u64, seed: u64) -> Result<WatchedGames> {
        let game = setup.game.open()?;
        let contestant = game.contestant(player)?;
        Ok(WatchedGames { game, contestant, games, seed, pool: setup.pool()? })
    }

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
