//! Static self-play at full speed: one evaluation plays both sides.

use crate::evaluation::StaticEval;
use crate::lexicon::word_graph::WordGraph;
use crate::match_play::game::{GameLoop, GameSummary};
use crate::rules::GameRules;
use crate::search::budget::Signals;
use std::sync::Arc;

/// Plays static games. One a thread.
#[derive(Debug)]
pub struct SelfPlay<'a> {
    games: GameLoop<'a>,
    eval: StaticEval<'a>,
}

impl<'a> SelfPlay<'a> {
    /// Games by these rules between players that evaluate like this.
    pub fn new(rules: &'a Arc<GameRules>, graph: &'a WordGraph, eval: StaticEval<'a>) -> SelfPlay<'a> {
        SelfPlay { games: GameLoop::new(rules, graph), eval }
    }

    /// Plays game number `index` of a seed.
    pub fn play(&mut self, seed: u64, index: u64) -> GameSummary {
        let eval = &mut self.eval;
        let summary = self.games.play(seed, index, &Signals::default(), |board, view| eval.best(board, &view.tiles));
        summary.expect("nobody stops the game")
    }
}
