//! Whose games `tilewright train` plays: words, leave values, threads.

use crate::cli::resources;
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
    /// Leave values (.klv2) that the players choose by, other than the built-in ones.
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
        let lexicon = resources::lexicon_or_builtin(arguments.lexicon.as_deref(), &rules.distribution)?;
        let Knowledge { lexicon, mut evaluator } = resources::own_knowledge(&lexicon, &rules.distribution)?;
        if let Some(path) = &arguments.leaves {
            let leaves = resources::open_leaves(path, &rules.distribution).map_err(anyhow::Error::msg)?;
            evaluator = Arc::new(Evaluator { leaves, win_model: WinModel::formula() });
        }
        Ok(Game { rules, lexicon, evaluator })
    }

    /// Who plays, for counting.
    pub fn players(&self, seed: u64) -> Players<'_> {
        Players { rules: &self.rules, graph: self.lexicon.graph(), leaves: &self.evaluator.leaves, seed }
    }

    /// Words and values by name.
    pub fn names(&self) -> String {
        format!("lexicon {} leaves {}", self.lexicon.name(), self.evaluator.leaves_id())
    }
}
