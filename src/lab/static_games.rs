//! Static games under the referee, and their positions, as the input of measurements.

use crate::engine::Engine;
use crate::evaluation::StaticEval;
use crate::evaluation::static_eval::StaticTurn;
use crate::match_play::referee::{self, RefereedGame};
use crate::movegen::LaneBoard;
use crate::rules::Position;
use anyhow::{Context, Result};

/// The games of a seed.
pub struct StaticGames<'a> {
    engine: &'a Engine,
    eval: StaticEval<'a>,
    seed: u64,
}

impl<'a> StaticGames<'a> {
    /// Games by the rules of an engine between players who both have its words and tables.
    pub fn new(engine: &'a Engine, seed: u64) -> StaticGames<'a> {
        let eval = StaticEval::new(engine.rules(), engine.lexicon(), &engine.knowledge().evaluator.leaves);
        StaticGames { engine, eval, seed }
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
        let (eval, graph) = (&mut self.eval, self.engine.lexicon().graph());
        let mut choose = |position: &Position, turn: &StaticTurn<'_>| {
            watch(position, turn);
            eval.best(&mut LaneBoard::new(position.rules(), position.board(), graph), turn)
        };
        referee::play_stated_game(self.engine.rules(), self.engine.lexicon(), self.seed, index, &mut choose)
            .with_context(|| format!("game {index}"))
    }
}
