//! The static player: the best play by static equity, exchanges and the pass among them.

use crate::evaluation::StaticEval;
use crate::evaluation::static_eval::EvaluatedPlay;
use crate::movegen::LaneBoard;
use crate::players::{Player, View};

/// See the module's text.
#[derive(Debug)]
pub struct StaticPlayer<'a> {
    eval: StaticEval<'a>,
}

impl<'a> StaticPlayer<'a> {
    /// A player who evaluates like this.
    pub fn new(eval: StaticEval<'a>) -> StaticPlayer<'a> {
        StaticPlayer { eval }
    }
}

impl Player for StaticPlayer<'_> {
    fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        self.eval.best(board, &view.tiles)
    }
}
