//! The simple twin of the search, for placements that empty the bag. With one tile in the bag, that is every placement.
//! It deals every possible content of the bag in turn and solves every endgame. For tests and
//! `tilewright lab pegs --check`; it has no time limit.

use crate::lexicon::Lexicon;
use crate::rules::{Play, Position, Rack, Tile, scoring};
use crate::search::budget::Signals;
use crate::search::endgame::{BoardSolver, EndgameDeal, EndgameLimits, Goal, Solver};
use crate::search::pre_endgame::types::PlayWorth;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Table of a solver, MiB.
const HASH_MEGABYTES: usize = 4;

/// Nodes that each endgame of a play gets at first.
const NODES: u64 = 1_000;

/// The factor by which its nodes grow whenever they were not enough.
const GROWTH: u64 = 8;

/// The endgames after a play.
struct BruteEndgames {
    solver: BoardSolver,
    /// One for each multiset of tiles that may be in the bag.
    cases: Vec<BruteCase>,
}

/// The endgame after a play, with certain tiles in the bag.
struct BruteCase {
    /// In how many orders these tiles can be drawn, counting equal tiles as distinct.
    count: u64,
    deal: EndgameDeal,
}

impl BruteEndgames {
    /// # Panics
    /// Unless the play is a possible placement that empties the bag.
    fn new(position: &Position, play: &Play, lexicon: &Arc<Lexicon>) -> BruteEndgames {
        let (rules, unseen, in_bag) = (position.rules(), position.unseen(), position.in_bag());
        let missing = rules.rack_size + play.rack_tiles().len() - position.mover_rack().len();
        assert!((1..=missing).contains(&in_bag), "{in_bag} tiles in the bag, of which {missing} are drawn");
        let placement = play.placement().expect("a placement");
        let score = scoring::score_placement(rules, position.board(), placement).expect("a possible play").score;
        let mut board = position.board().clone();
        placement.put_on(&mut board);
        let kept = position.mover_rack().minus(&play.rack_tiles()).expect("a play uses tiles of its rack");
        let case = |(tiles, count): (Vec<Tile>, u64)| {
            let drawn: Rack = tiles.into_iter().collect();
            // The opponent is on turn.
            let racks = [unseen.minus(&drawn).expect("unseen tiles"), kept.plus(&drawn)];
            let deal = EndgameDeal::new(racks, -(position.spread() + score), false);
            BruteCase { count, deal: deal.with_last_turns(rules.variant.last_turns()) }
        };
        let solver = Solver::new(HASH_MEGABYTES).on(rules, lexicon, &board, &kept.plus(&unseen));
        BruteEndgames { solver, cases: bags(&unseen, in_bag).into_iter().map(case).collect() }
    }
}

/// The possible contents of the bag as sorted tiles, with the number of orders of each. Unseen tiles are drawn one
/// after the other, in every order.
fn bags(unseen: &Rack, in_bag: usize) -> BTreeMap<Vec<Tile>, u64> {
    fn draw(left: &[Tile], in_bag: usize, drawn: &[Tile], bags: &mut BTreeMap<Vec<Tile>, u64>) {
        if drawn.len() == in_bag {
            let mut tiles = drawn.to_vec();
            tiles.sort_unstable();
            *bags.entry(tiles).or_default() += 1;
            return;
        }
        for (at, tile) in left.iter().enumerate() {
            let rest = [&left[..at], &left[at + 1..]].concat();
            draw(&rest, in_bag, &[drawn, &[*tile]].concat(), bags);
        }
    }
    let tiles: Vec<Tile> = unseen.tiles().collect();
    let mut bags = BTreeMap::new();
    draw(&tiles, in_bag, &[], &mut bags);
    bags
}

/// Returns the half wins of a placement, counting each order of the bag once. If they cannot exceed `enough`, the
/// answer may be any number from the half wins up to `enough`, which is found sooner. It searches only for the winner
/// of each endgame, so it is faster than [`worth`].
///
/// # Panics
/// Unless the play is a possible placement that empties the bag.
pub fn half_wins(position: &Position, play: &Play, lexicon: &Arc<Lexicon>, enough: u64) -> u64 {
    let BruteEndgames { mut solver, cases } = BruteEndgames::new(position, play, lexicon);
    let mut most: u64 = cases.iter().map(|case| 2 * case.count).sum();
    let mut unknown: Vec<&BruteCase> = cases.iter().collect();
    let mut nodes = NODES;
    // Easy endgames come first: their results may be enough.
    while !unknown.is_empty() {
        let mut rest = Vec::new();
        for case in unknown {
            if most <= enough {
                return most;
            }
            let limits = EndgameLimits { nodes: Some(nodes), ..EndgameLimits::default() };
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

/// Returns what a placement is worth by the exact value of every endgame, counting each order of the bag once.
///
/// # Panics
/// As [`half_wins`].
pub fn worth(position: &Position, play: &Play, lexicon: &Arc<Lexicon>) -> PlayWorth {
    let BruteEndgames { mut solver, cases } = BruteEndgames::new(position, play, lexicon);
    let mut worth = PlayWorth::default();
    for BruteCase { count, deal } in cases {
        let solution = solver.solve(&deal, Goal::Spread, &EndgameLimits::default(), &Signals::default(), &mut |_| {});
        assert!(solution.solved, "nothing interrupts the search");
        worth.add(count, -(deal.lead + solution.value));
    }
    worth
}
