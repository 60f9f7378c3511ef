//! Whose games `tilewright train` plays: the game, leave values, threads.

use crate::cli::game_arguments::GameArguments;
use crate::engine::Engine;
use crate::engine::tables::{AUTO, NONE, TableNames};
use crate::evaluation::WinModel;
use crate::rules::GameRules;
use crate::search::limits::MOST_THREADS;
use crate::training::tally::TallyPlayers;
use std::path::PathBuf;
use std::sync::Arc;

/// Which games are played, by whom.
#[derive(clap::Args, Clone, Debug)]
pub struct TrainingArguments {
    /// Which game is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// Leave values (.klv2 or .leaves) that the players choose by, other than the list's own.
    #[arg(long)]
    pub leaves: Option<PathBuf>,
    /// Threads; one for each core if not given. The result does not depend on it.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    pub threads: Option<u16>,
}

/// What [`TrainingArguments`] name.
pub struct TrainingGame {
    /// The rules.
    pub rules: Arc<GameRules>,
    engine: Engine,
    unusual_rules: Option<String>,
}

impl TrainingArguments {
    /// Opens what is named.
    ///
    /// # Errors
    /// What is wrong with a file.
    pub fn open(&self) -> anyhow::Result<TrainingGame> {
        let game = self.game.open()?;
        let leaves = self.leaves.as_ref().map_or(AUTO.to_string(), |path| path.display().to_string());
        // Players choose by score and leave alone: no table depends on whether terms for the end of the bag were made before it.
        let tables = TableNames { leaves, bag: NONE.to_string(), racks: NONE.to_string(), ..TableNames::default() };
        let engine = game.engine(tables)?;
        Ok(TrainingGame { unusual_rules: game.unusual_rules(), rules: game.rules, engine })
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
