//! Static self-play at full speed: one evaluation plays both sides. Training and measurements use it.

use crate::evaluation::StaticEval;
use crate::evaluation::win_model::TilesLeft;
use crate::lexicon::word_graph::WordGraph;
use crate::match_play::game::{GameLoop, GameSummary};
use crate::rules::GameRules;
use crate::rules::units::Millipoints;
use crate::search::budget::Signals;
use std::sync::Arc;

/// A turn that is about to be played: what can be known of its value without the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnBefore {
    /// The seat on turn.
    pub seat: usize,
    /// Tiles left, as the player on turn sees them.
    pub left: TilesLeft,
    /// The score of the player on turn minus the opponent's.
    pub spread: i32,
    /// The value of the tiles that the player on turn kept on the last own turn,
    /// minus the same for the opponent. It is 0 for a player without a turn so far.
    pub leaves_lead: Millipoints,
}

/// Plays static games. Each thread has its own.
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
        self.play_watched(seed, index, |_| {})
    }

    /// Plays game number `index` of a seed, with every turn shown before it is played.
    pub fn play_watched(&mut self, seed: u64, index: u64, mut watch: impl FnMut(TurnBefore)) -> GameSummary {
        let eval = &mut self.eval;
        let mut leaves = [Millipoints::ZERO; 2];
        let summary = self.games.play(seed, index, &Signals::default(), |board, view| {
            let seat = view.seat;
            watch(TurnBefore {
                seat,
                left: view.tiles_left(),
                spread: view.scores[seat] - view.scores[1 - seat],
                leaves_lead: leaves[seat] - leaves[1 - seat],
            });
            let play = eval.best(board, &view.tiles);
            let kept = view.tiles.rack.minus(&play.play.rack_tiles()).expect("a play uses tiles of its rack");
            leaves[seat] = eval.leaves().value(&kept);
            play
        });
        summary.expect("nobody stops the game")
    }
}
