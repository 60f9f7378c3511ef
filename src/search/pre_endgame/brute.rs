//! The dumb twin of the search with one tile in the bag: play after play, each unseen tile in the bag in turn, every endgame
//! searched to its end. For tests and `tilewright pegs --check`; it takes as long as it takes.

use crate::lexicon::Lexicon;
use crate::rules::{Play, Position, Rack, scoring};
use crate::search::budget::Signals;
use crate::search::endgame::{BoardSolver, EndgameDeal, EndgameLimits, Goal, Solver};
use std::sync::Arc;

/// Table of a solver, MB.
const HASH_MEGABYTES: usize = 4;

/// Nodes that each endgame of a play gets at first, and how many times more whenever that did not tell enough.
const NODES: u64 = 1_000;
const GROWTH: u64 = 8;

/// The endgames after a play, one for each tile that may be in the bag.
struct Endgames {
    solver: BoardSolver,
    deals: Vec<(u64, EndgameDeal)>,
}

impl Endgames {
    /// # Panics
    /// Unless there is one tile in the bag and the play is a possible placement.
    fn new(position: &Position, play: &Play, lexicon: &Arc<Lexicon>) -> Endgames {
        assert_eq!(position.in_bag(), 1, "tiles in the bag");
        let (rules, unseen) = (position.rules(), position.unseen());
        let placement = play.placement().expect("a placement");
        let score = scoring::score_placement(rules, position.board(), placement).expect("a possible play").score;
        let mut board = position.board().clone();
        for (square, tile) in placement.placed() {
            board.set(square, Some(tile));
        }
        let kept = position.mover_rack().minus(&play.rack_tiles()).expect("a play uses tiles of its rack");
        let deal = |(tile, count): (_, u8)| {
            let drawn: Rack = [tile].into_iter().collect();
            let racks = [unseen.minus(&drawn).expect("an unseen tile"), kept.plus(&drawn)];
            (u64::from(count), EndgameDeal::new(racks, -(position.spread() + score), false))
        };
        let solver = Solver::new(HASH_MEGABYTES).on(rules, lexicon, &board, &kept.plus(&unseen));
        Endgames { solver, deals: unseen.distinct().map(deal).collect() }
    }
}

/// The half wins of a placement, each unseen tile counted once; or, as soon as it cannot have more than `enough`, any number up to
/// that which it does not exceed. From who wins each endgame: faster than [`worth`].
///
/// # Panics
/// Unless there is one tile in the bag and the play is a possible placement.
pub fn half_wins(position: &Position, play: &Play, lexicon: &Arc<Lexicon>, enough: u64) -> u64 {
    let Endgames { mut solver, deals } = Endgames::new(position, play, lexicon);
    let mut most: u64 = deals.iter().map(|(count, _)| 2 * count).sum();
    let mut unknown: Vec<usize> = (0..deals.len()).collect();
    let mut nodes = NODES;
    while !unknown.is_empty() {
        let mut rest = Vec::new();
        for at in unknown {
            if most <= enough {
                return most;
            }
            let (count, deal) = &deals[at];
            let limits = EndgameLimits { nodes: Some(nodes), ..EndgameLimits::default() };
            let solution = solver.solve(deal, Goal::FirstWin, &limits, &Signals::default(), &mut |_| {});
            // The opponent is on turn: what he wins is not ours.
            match solution.outcome(deal.lead) {
                Some(sign) => most -= count * (1 + sign) as u64,
                None => rest.push(at),
            }
        }
        unknown = rest;
        nodes *= GROWTH;
    }
    most
}

/// The half wins of a placement and the sum of our final leads after it, points, each unseen tile counted once: from the exact
/// value of every endgame.
///
/// # Panics
/// As [`half_wins`].
pub fn worth(position: &Position, play: &Play, lexicon: &Arc<Lexicon>) -> (u64, i64) {
    let Endgames { mut solver, deals } = Endgames::new(position, play, lexicon);
    let (mut half_wins, mut sum) = (0, 0);
    for (count, deal) in deals {
        let solution = solver.solve(&deal, Goal::Spread, &EndgameLimits::default(), &Signals::default(), &mut |_| {});
        assert!(solution.solved, "nothing ends it before");
        let last = -(deal.lead + solution.value);
        half_wins += count * (1 + last.signum()) as u64;
        sum += count as i64 * i64::from(last);
    }
    (half_wins, sum)
}
