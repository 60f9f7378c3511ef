//! The greedy player: plays the most points, and ignores the leave. It never exchanges,
//! and passes when it cannot place a tile.

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::evaluation::{Leaves, StaticEval};
use crate::lexicon::WordSource;
use crate::movegen::LaneBoard;
use crate::players::kind::{KindLeaves, PlayerKind};
use crate::players::player::Player;
use crate::players::view::{Sight, View};
use crate::rules::{GameRules, VariantSupport};

/// Most points.
pub const GREEDY: PlayerKind = PlayerKind {
    name: "greedy",
    about: "most points, also in misere; never exchanges",
    sight: Sight::Fair,
    options: &[],
    leaves: KindLeaves::Nothing,
    variants: VariantSupport::ALL,
    make: |_, rules, knowledge| Box::new(Greedy::new(rules, knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves)),
};

/// Plays the most points.
#[derive(Debug)]
pub struct Greedy<'a> {
    eval: StaticEval<'a>,
}

impl<'a> Greedy<'a> {
    /// A greedy player; `leaves` are [`Leaves::nothing`].
    pub fn new(rules: &'a GameRules, words: impl Into<WordSource<'a>>, leaves: &'a Leaves) -> Greedy<'a> {
        Greedy { eval: StaticEval::score_and_leave(rules, words, leaves) }
    }
}

impl Player for Greedy<'_> {
    fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        let pass = EvaluatedPlay::PASS;
        self.eval.best_placement(board, &view.tiles).unwrap_or(pass)
    }
}
