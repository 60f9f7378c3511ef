//! The dumb twin of the search with one tile in the bag: every draw of a candidate, every endgame solved to its exact value,
//! nothing left out. For tests and checks; it takes as long as it takes.

use crate::lexicon::Lexicon;
use crate::rules::{Play, Position, Rack, scoring};
use crate::search::budget::Signals;
use crate::search::endgame::{Deal, Goal, Limits, Solver};
use std::sync::Arc;

/// What a placement with one tile in the bag is worth, as an exact sum over the unseen tiles, each one as the tile in the bag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Worth {
    /// Half wins.
    pub half_wins: u64,
    /// Final leads, points.
    pub spread: i64,
}

/// By candidate: its worth; `None` for what is no placement. Or nothing at all, if a signal came.
///
/// # Panics
/// Unless there is one tile in the bag and the plays are possible.
pub fn worths(position: &Position, plays: &[Play], lexicon: &Arc<Lexicon>, signals: &Signals) -> Option<Vec<Option<Worth>>> {
    assert_eq!(position.in_bag(), 1, "tiles in the bag");
    let (rules, unseen) = (position.rules(), position.unseen());
    let mut solver = Solver::new(16);
    let mut worths = Vec::new();
    for play in plays {
        let Some(placement) = play.placement() else {
            worths.push(None);
            continue;
        };
        let score = scoring::score_placement(rules, position.board(), placement).expect("a possible play").score;
        let mut board = position.board().clone();
        for (square, tile) in placement.placed() {
            board.set(square, Some(tile));
        }
        let kept = position.mover_rack().minus(&play.rack_tiles()).expect("a play uses tiles of its rack");
        solver.set_board(rules, lexicon, &board, &kept.plus(&unseen));
        let mut worth = Worth { half_wins: 0, spread: 0 };
        for (tile, count) in unseen.distinct() {
            let drawn: Rack = [tile].into_iter().collect();
            let racks = [unseen.minus(&drawn).expect("an unseen tile"), kept.plus(&drawn)];
            let lead = position.spread() + score;
            let solution =
                solver.solve(&Deal { racks, lead: -lead, passed: false }, Goal::Spread, &Limits::default(), signals, &mut |_| {});
            if !solution.solved {
                return None;
            }
            let last = lead - solution.value;
            worth.half_wins += u64::from(count) * (last.signum() + 1) as u64;
            worth.spread += i64::from(count) * i64::from(last);
        }
        worths.push(Some(worth));
    }
    Some(worths)
}
