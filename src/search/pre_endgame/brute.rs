//! The dumb twin of the search with one tile in the bag: play after play, each unseen tile in the bag in turn, every endgame
//! searched to its end. For tests and `tilewright pegs --check`; it takes as long as it takes.

use crate::lexicon::Lexicon;
use crate::rules::{Play, Position, Rack, Tile, scoring};
use crate::search::budget::Signals;
use crate::search::endgame::{Deal, Goal, Limits, Solver};
use crate::search::pre_endgame::results::PlayWorth;
use std::sync::Arc;

/// Table of a solver, MiB.
const HASH_MEGABYTES: usize = 4;

/// Nodes that each endgame of a play gets at first.
const NODES: u64 = 1_000;

/// How many times more nodes it gets whenever that did not tell enough.
const GROWTH: u64 = 8;

/// The endgames after a play.
struct BruteEndgames {
    solver: Solver,
    /// One for each kind of tile that may be in the bag.
    cases: Vec<BruteCase>,
}

/// The endgame after a play, with one kind of tile in the bag.
struct BruteCase {
    /// Unseen tiles of this kind.
    count: u64,
    deal: Deal,
}

impl BruteEndgames {
    /// # Panics
    /// Unless there is one tile in the bag and the play is a possible placement.
    fn new(position: &Position, play: &Play, lexicon: &Arc<Lexicon>) -> BruteEndgames {
        assert_eq!(position.in_bag(), 1, "tiles in the bag");
        let (rules, unseen) = (position.rules(), position.unseen());
        let placement = play.placement().expect("a placement");
        let score = scoring::score_placement(rules, position.board(), placement).expect("a possible play").score;
        let mut board = position.board().clone();
        for (square, tile) in placement.placed() {
            board.set(square, Some(tile));
        }
        let kept = position.mover_rack().minus(&play.rack_tiles()).expect("a play uses tiles of its rack");
        let case = |(tile, count): (Tile, u8)| {
            let drawn: Rack = [tile].into_iter().collect();
            // The opponent is on turn.
            let racks = [unseen.minus(&drawn).expect("an unseen tile"), kept.plus(&drawn)];
            BruteCase { count: u64::from(count), deal: Deal::new(racks, -(position.spread() + score), false) }
        };
        let mut solver = Solver::new(HASH_MEGABYTES);
        solver.set_board(rules, lexicon, &board, &kept.plus(&unseen));
        BruteEndgames { solver, cases: unseen.distinct().map(case).collect() }
    }
}

/// The half wins of a placement, each unseen tile counted once. If it cannot have more than `enough`, the answer may be any number
/// from its half wins up to `enough`, which is found sooner. It asks only who wins each endgame: faster than [`worth`].
///
/// # Panics
/// Unless there is one tile in the bag and the play is a possible placement.
pub fn half_wins(position: &Position, play: &Play, lexicon: &Arc<Lexicon>, enough: u64) -> u64 {
    let BruteEndgames { mut solver, cases } = BruteEndgames::new(position, play, lexicon);
    let mut most: u64 = cases.iter().map(|case| 2 * case.count).sum();
    let mut unknown: Vec<&BruteCase> = cases.iter().collect();
    let mut nodes = NODES;
    // Easy endgames come first: what they tell may be enough.
    while !unknown.is_empty() {
        let mut rest = Vec::new();
        for case in unknown {
            if most <= enough {
                return most;
            }
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let solution = solver.solve(&case.deal, Goal::FirstWin, &limits, &Signals::default(), &mut |_| {});
            // The opponent is on turn: what they win is not ours.
            match solution.outcome(case.deal.lead) {
                Some(sign) => most -= case.count * (1 + sign) as u64,
                None => rest.push(case),
            }
        }
        unknown = rest;
        nodes *= GROWTH;
    }
    most
}

/// What a placement is worth, each unseen tile counted once: from the exact value of every endgame.
///
/// # Panics
/// As [`half_wins`].
pub fn worth(position: &Position, play: &Play, lexicon: &Arc<Lexicon>) -> PlayWorth {
    let BruteEndgames { mut solver, cases } = BruteEndgames::new(position, play, lexicon);
    let mut worth = PlayWorth::default();
    for BruteCase { count, deal } in cases {
        let solution = solver.solve(&deal, Goal::Spread, &Limits::default(), &Signals::default(), &mut |_| {});
        assert!(solution.solved, "nothing ends it before");
        worth.add(count, -(deal.lead + solution.value));
    }
    worth
}
