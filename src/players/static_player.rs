//! The static player: the best play by static equity, exchanges and the pass among them. With means of full racks, by leave
//! values for the tiles that are unseen.

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::evaluation::{RackMeans, StaticEval};
use crate::movegen::LaneBoard;
use crate::players::{Player, View};
use crate::rules::Rack;

/// See the module's text.
#[derive(Debug)]
pub struct StaticPlayer<'a> {
    eval: StaticEval<'a>,
    means: Option<&'a RackMeans>,
}

impl<'a> StaticPlayer<'a> {
    /// A player who evaluates like this, with dynamic leaves if there are means of full racks.
    pub fn new(eval: StaticEval<'a>, means: Option<&'a RackMeans>) -> StaticPlayer<'a> {
        StaticPlayer { eval, means }
    }
}

impl Player for StaticPlayer<'_> {
    fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        if self.means.is_none() {
            return self.eval.best(board, &view.tiles);
        }
        let unseen = unseen(board, view);
        self.eval.best(board, &view.tiles.with_means(self.means, &unseen))
    }
}

/// The tiles in the bag and on the other rack.
fn unseen(board: &LaneBoard, view: &View<'_>) -> Rack {
    let placed: Rack = board.to_board().tiles().map(|(_, tile)| tile.rack_tile()).collect();
    let seen = placed.plus(view.tiles.rack);
    Rack::full_bag(&view.rules.distribution).minus(&seen).expect("the tiles are the game's")
}
