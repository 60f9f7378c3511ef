//! The games that `tilewright lab train` plays: the game, leave values and threads.

use crate::engine::Engine;
use crate::engine::tables::{AUTO, NONE, TableNames};
use crate::evaluation::WinModel;
use crate::host::game_arguments::GameArguments;
use crate::host::long_run;
use crate::rules::GameRules;
use crate::training::tally::TallyPlayers;
use rayon::ThreadPool;
use std::path::PathBuf;
use std::sync::Arc;

/// What all trainings are given: the game, and how many threads play it.
#[derive(Clone, Copy, Debug)]
pub struct TrainingSetup<'a> {
    /// The game.
    pub game: &'a GameArguments,
    /// Threads; `None`: one for each core.
    pub threads: Option<u16>,
}

/// By which leave values the players of the games choose.
#[derive(clap::Args, Clone, Debug)]
pub struct StaticPlayArguments {
    /// Leave values (.klv2 or .leaves) that the players choose by, other than the list's own.
    #[arg(long)]
    pub leaves: Option<PathBuf>,
}

/// The static games that a training counts.
pub struct TrainingGame {
    /// The rules.
    pub rules: Arc<GameRules>,
    engine: Engine,
    unusual_rules: Option<String>,
}

impl TrainingSetup<'_> {
    /// Opens the game for static players.
    ///
    /// # Errors
    /// What is wrong with a file.
    pub fn open(&self, players: &StaticPlayArguments) -> anyhow::Result<TrainingGame> {
        let game = self.game.open()?;
        let leaves = players.leaves.as_ref().map_or(AUTO.to_string(), |path| path.display().to_string());
        // Players choose by score and leave alone: no table depends on whether terms for the end of the bag were made before it.
        let tables = TableNames { leaves, bag: NONE.to_string(), racks: NONE.to_string(), ..TableNames::default() };
        let engine = game.engine(tables)?;
        Ok(TrainingGame { unusual_rules: game.unusual_rules(), rules: game.rules, engine })
    }

    /// The threads.
    ///
    /// # Errors
    /// They cannot be started.
    pub fn pool(&self) -> anyhow::Result<ThreadPool> {
        long_run::pool(self.threads)
    }
}

impl TrainingGame {
    /// The win % model that goes with the words.
    pub fn win_model(&self) -> &WinModel {
        &self.engine.knowledge().evaluator.win_model
    }

    /// The players whose games are counted.
    pub fn players(&self, seed: u64) -> TallyPlayers<'_> {
        TallyPlayers { rules: &self.rules, lexicon: self.engine.lexicon(), leaves: &self.engine.knowledge().evaluator.leaves, seed }
    }

    /// Words, values and unusual rules by name.
    pub fn names(&self) -> String {
        let rules = self.unusual_rules.as_ref().map(|rules| format!(" {rules}")).unwrap_or_default();
        format!("lexicon {} leaves {}{rules}", self.engine.lexicon().name(), self.engine.knowledge().evaluator.leaves_id())
    }
}
