//! Whose games `tilewright train` plays: words, leave values, threads.

use crate::cli::resources::{self, TableRequest};
use crate::engine::tables::{AUTO, NONE};
use crate::evaluation::{Evaluator, WinModel};
use crate::formats::english_rules;
use crate::lexicon::Lexicon;
use crate::rules::GameRules;
use crate::search::Knowledge;
use crate::training::tally::Players;
use std::path::PathBuf;
use std::sync::Arc;

/// Which games are played.
#[derive(clap::Args, Clone, Debug)]
pub struct GameArguments {
    /// Another word list (.txt or .kwg) than the built-in one.
    #[arg(long)]
    pub lexicon: Option<PathBuf>,
    /// Leave values (.klv2 or .leaves) that the players choose by, other than the list's own.
    #[arg(long)]
    pub leaves: Option<PathBuf>,
    /// Threads; one for each core if not given. The result does not depend on it.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
}

/// What [`GameArguments`] name.
#[derive(Debug)]
pub struct Game {
    /// The rules.
    pub rules: Arc<GameRules>,
    lexicon: Arc<Lexicon>,
    evaluator: Arc<Evaluator>,
}

impl Game {
    /// Opens what is named.
    ///
    /// # Errors
    /// What is wrong with a file.
    pub fn open(arguments: &GameArguments) -> anyhow::Result<Game> {
        let rules = Arc::new(english_rules());
        let opened = resources::lexicon_or_builtin(arguments.lexicon.as_deref(), &rules.distribution)?;
        let leaves = arguments.leaves.as_ref().map_or(AUTO.to_string(), |path| path.display().to_string());
        // Tables are made from score and leave alone: what comes out does not depend on the order they are made in.
        let tables = TableRequest { leaves: &leaves, win_table: AUTO, bag: NONE, racks: None };
        let Knowledge { lexicon, evaluator } = resources::knowledge(&opened, &rules.distribution, &tables)?;
        Ok(Game { rules, lexicon, evaluator })
    }

    /// The win % model that goes with the words.
    pub fn win_model(&self) -> &WinModel {
        &self.evaluator.win_model
    }

    /// Who plays, for counting.
    pub fn players(&self, seed: u64) -> Players<'_> {
        Players { rules: &self.rules, lexicon: &self.lexicon, leaves: &self.evaluator.leaves, seed }
    }

    /// Words and values by name.
    pub fn names(&self) -> String {
        format!("lexicon {} leaves {}", self.lexicon.name(), self.evaluator.leaves_id())
    }
}
