//! Static games under the referee, and the positions that a player sees in them: what the subcommands that measure begin with.

use crate::evaluation::StaticEval;
use crate::evaluation::static_eval::StaticTurn;
use crate::match_play::referee::{self, RefereedGame};
use crate::movegen::LaneBoard;
use crate::rules::{GameRules, Position};
use crate::search::Knowledge;
use anyhow::{Context, Result};
use std::sync::Arc;

/// The games of a seed.
pub struct StaticGames<'a> {
    rules: &'a Arc<GameRules>,
    knowledge: &'a Knowledge,
    eval: StaticEval<'a>,
    seed: u64,
}

impl<'a> StaticGames<'a> {
    /// Games between players who both have this knowledge.
    pub fn new(rules: &'a Arc<GameRules>, knowledge: &'a Knowledge, seed: u64) -> StaticGames<'a> {
        let eval = StaticEval::new(rules, knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves);
        StaticGames { rules, knowledge, eval, seed }
    }

    /// Plays a game.
    ///
    /// # Errors
    /// A foul.
    pub fn play(&mut self, index: u64) -> Result<RefereedGame> {
        self.play_watched(index, |_, _| {})
    }

    /// The first turn of a game with this many tiles in the bag, as the player on turn sees it; `None` if no turn has as many.
    ///
    /// # Errors
    /// A foul.
    pub fn first_with_in_bag(&mut self, index: u64, in_bag: usize) -> Result<Option<Position>> {
        let mut first = None;
        self.play_watched(index, |position, turn| {
            if turn.in_bag == in_bag && first.is_none() {
                first = Some(position.clone());
            }
        })?;
        Ok(first)
    }

    /// All turns of a game, as the players on turn see them.
    ///
    /// # Errors
    /// A foul.
    pub fn all_turns(&mut self, index: u64) -> Result<Vec<Position>> {
        let mut seen = Vec::new();
        self.play_watched(index, |position, _| seen.push(position.clone()))?;
        Ok(seen)
    }

    fn play_watched(&mut self, index: u64, mut watch: impl FnMut(&Position, &StaticTurn<'_>)) -> Result<RefereedGame> {
        let (eval, graph) = (&mut self.eval, self.knowledge.lexicon.graph());
        let mut choose = |position: &Position, turn: &StaticTurn<'_>| {
            watch(position, turn);
            eval.best(&mut LaneBoard::new(position.rules(), position.board(), graph), turn)
        };
        referee::play_game(self.rules, &self.knowledge.lexicon, self.seed, index, &mut choose).with_context(|| format!("game {index}"))
    }
}
