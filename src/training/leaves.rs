//! Leave values from the boards of static self-play, one generation after another.
//!
//! A generation plays games by the values so far, and takes the census of one board of each game (`board_census.rs`). The value of a
//! leave L is the mean of E(L) - E(nothing) over the boards whose pool allows it, in whole hundredths of a point. A leave that few
//! boards allow is drawn towards an estimate from smaller leaves: for tiles t and u of L,
//! `V(L - t) + V(L - u) - V(L - t - u)`, averaged over all pairs.
//!
//! The means of full racks, E(R) - E(nothing), come from the same boards.
//!
//! Sums are whole numbers, so that the result does not depend on threads, interruptions, or the division among machines. Not here: files,
//! progress, and the games that compare two generations (`lab/train/leaves.rs`). Start with [`LeaveTraining`].

use crate::evaluation::heuristics::RackHeuristic;
use crate::evaluation::leave_table::{LeaveTable, MAX_LEAVE};
use crate::evaluation::{Leaves, StaticEval};
use crate::lexicon::Lexicon;
use crate::match_play::game::GameLoop;
use crate::movegen::LaneBoard;
use crate::rules::fingerprint::Fingerprint;
use crate::rules::multisets::{self, MultisetRanks};
use crate::rules::tiles::MAX_LETTERS;
use crate::rules::units::Millipoints;
use crate::rules::{GameRules, Rack, Tile};
use crate::search::budget::Signals;
use crate::training::board_census::{BoardCensus, ExchangeFloor, RACK};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of boards from which on only a leave's own mean counts.
const ENOUGH_BOARDS: u32 = 50;

/// The fewest tiles that are not on a board. With fewer, the bag could not fill the racks.
const LEAST_POOL: usize = 25;

/// The fewest tiles on a board: about two plays.
const LEAST_PLAYED: usize = 12;

const _: () = assert!(LEAST_POOL > 2 * RACK, "a play from more tiles leaves enough for a full rack");

/// The unit to which values are rounded, millipoints, so that they fit 16 bits.
pub const QUANTUM: i32 = 10;

/// The sums over some boards, for each leave. Sums over different boards of a generation can be added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// `sums[size][rank]`: E(L) - E(nothing) in millipoints, over boards. Full racks are included unless they were dropped.
    sums: [Vec<i64>; RACK + 1],
    /// `boards[size][rank]`: the number of boards.
    boards: [Vec<u32>; RACK + 1],
}

impl Totals {
    fn new(ranks: &MultisetRanks) -> Totals {
        let len = |size: usize| if size == 0 { 0 } else { ranks.count(size) };
        Totals { sums: std::array::from_fn(|size| vec![0; len(size)]), boards: std::array::from_fn(|size| vec![0; len(size)]) }
    }

    fn count(&mut self, ranks: &MultisetRanks, census: &BoardCensus, pool: &Rack) {
        let none = i64::from(census.equities(0)[0].0);
        for size in 1..=RACK {
            let (equities, sums, boards) = (census.equities(size), &mut self.sums[size], &mut self.boards[size]);
            multisets::for_each(&pool.counts()[..ranks.kinds()], size, &mut |tiles| {
                let rank = ranks.rank(tiles.iter().map(|&tile| tile as usize));
                sums[rank] += i64::from(equities[rank].0) - none;
                boards[rank] += 1;
            });
        }
    }

    /// Drops full racks, which are three times as many as all leaves.
    pub fn drop_racks(&mut self) {
        (self.sums[RACK], self.boards[RACK]) = (Vec::new(), Vec::new());
    }

    /// Adds the sums of other boards. Returns `false` if they are for other leaves.
    pub fn add(&mut self, other: &Totals) -> bool {
        let is_like = other.is_like(self);
        if is_like {
            self.merge(other);
        }
        is_like
    }

    /// Whether these sums are for the same leaves as others.
    fn is_like(&self, other: &Totals) -> bool {
        let is_like = |size: usize, own: usize, other: usize| own == other || (size == RACK && own == 0);
        (0..=RACK).all(|size| {
            is_like(size, self.sums[size].len(), other.sums[size].len()) && is_like(size, self.boards[size].len(), other.boards[size].len())
        })
    }

    fn merge(&mut self, other: &Totals) {
        for size in 1..=RACK {
            self.sums[size].iter_mut().zip(&other.sums[size]).for_each(|(sum, more)| *sum += more);
            self.boards[size].iter_mut().zip(&other.boards[size]).for_each(|(boards, more)| *boards += more);
        }
    }
}

/// The state of a training of leave values, between two boards. The sums of boards can be saved, and added to another training of the same
/// generation.
#[derive(Clone)]
pub struct LeaveTraining<'a> {
    rules: &'a Arc<GameRules>,
    lexicon: &'a Lexicon,
    seed: u64,
    generation: u32,
    /// The values by which the generation before played.
    previous: LeaveTable,
    /// The values by which this generation plays.
    table: LeaveTable,
    totals: Totals,
}

/// The results of a finished generation, in addition to its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// How well the boards cover the leaves.
    pub coverage: Coverage,
    /// E(R) - E(nothing) of full racks, by rank.
    pub racks: Vec<Millipoints>,
}

/// How well the boards of a finished generation cover the leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// The number of leaves of a full bag.
    pub leaves: usize,
    /// The number of leaves that occurred on no board.
    pub unseen: usize,
    /// The number of leaves that occurred on too few boards.
    pub few: usize,
}

impl<'a> LeaveTraining<'a> {
    /// Begins a training. Generation 0 plays by Gordon's third rack heuristic. Returns `None` if the alphabet has too many letters.
    pub fn new(rules: &'a Arc<GameRules>, lexicon: &'a Lexicon, seed: u64) -> Option<LeaveTraining<'a>> {
        let heuristic = Leaves::heuristic(RackHeuristic::VowelMix, &rules.distribution);
        let kinds = rules.distribution.letter_count() + 1;
        let mut table = LeaveTable::new(kinds)?;
        for size in 1..=MAX_LEAVE {
            multisets::for_each(&full_counts(rules)[..kinds], size, &mut |tiles| {
                let leave: Rack = tiles.iter().filter_map(|&tile| Tile::from_index(tile as usize)).collect();
                *table.value_mut(tiles) = heuristic.value(&leave);
            });
        }
        let totals = Totals::new(table.ranks());
        Some(LeaveTraining { rules, lexicon, seed, generation: 0, previous: table.clone(), table, totals })
    }

    /// Returns the current generation, from 0.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// Returns the values by which the generation before played. In the first generation, these are the same as now.
    pub fn previous(&self) -> &LeaveTable {
        &self.previous
    }

    /// Returns the values by which this generation plays.
    pub fn table(&self) -> &LeaveTable {
        &self.table
    }

    /// Takes the census of some boards of this generation, on this many threads. It counts only once it is added.
    pub fn census(&self, boards: Range<u64>, threads: usize) -> Totals {
        let leaves = Leaves::trained("training", self.table.clone());
        let floor = ExchangeFloor::new(&self.table, &full_counts(self.rules)[..self.table.ranks().kinds()]);
        let next = AtomicU64::new(boards.start);
        let work = || self.census_of(&boards, &next, &leaves, &floor);
        let found = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
            let joined = workers.into_iter().map(|worker| worker.join().expect("a worker does not panic"));
            joined.collect::<Vec<_>>()
        });
        let mut totals = Totals::new(self.table.ranks());
        found.iter().for_each(|more| totals.merge(more));
        totals
    }

    /// Adds the census of boards of this generation. Returns `false` if the sums are for other leaves.
    pub fn add(&mut self, totals: &Totals) -> bool {
        self.totals.add(totals)
    }

    /// Does the work of one thread: takes boards until there are no more.
    fn census_of(&self, range: &Range<u64>, next: &AtomicU64, leaves: &Leaves, floor: &ExchangeFloor) -> Totals {
        let graph = self.lexicon.graph();
        let ranks = self.table.ranks();
        let mut boards = Boards::new(self.rules, self.lexicon, leaves);
        let mut census = BoardCensus::new(ranks.kinds());
        let mut totals = Totals::new(ranks);
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= range.end {
                return totals;
            }
            let number = (u64::from(self.generation) << 40) + index;
            let (mut board, pool) = boards.board(self.seed, number);
            census.take(self.rules, graph, board.prepare(graph), &pool, &self.table, floor);
            totals.count(ranks, &census, &pool);
        }
    }

    /// Ends the generation. The next generation plays by its values.
    pub fn finish_generation(&mut self) -> Finished {
        let counts = full_counts(self.rules);
        let (table, finished) = smoothed(&self.totals, self.table.ranks(), &counts[..self.table.ranks().kinds()]);
        self.totals = Totals::new(table.ranks());
        self.previous = std::mem::replace(&mut self.table, table);
        self.generation += 1;
        finished
    }

    /// Returns a number that identifies words and rules. For the usual rules, it is the number of the words alone, as in early versions.
    pub fn game_id(&self) -> u64 {
        let (words, rules) = (self.lexicon.fingerprint(), self.rules.fingerprint());
        if rules == GameRules::english().fingerprint() {
            return words;
        }
        let mut hash = Fingerprint::default();
        hash.add([words, rules].into_iter().flat_map(u64::to_le_bytes));
        hash.value()
    }
}

/// Boards from static games.
struct Boards<'a> {
    games: GameLoop<'a>,
    eval: StaticEval<'a>,
    full: Rack,
}

impl<'a> Boards<'a> {
    fn new(rules: &'a Arc<GameRules>, lexicon: &'a Lexicon, leaves: &'a Leaves) -> Boards<'a> {
        let eval = StaticEval::new(rules, lexicon, leaves);
        Boards { games: GameLoop::new(rules, lexicon.graph()), eval, full: Rack::full_bag(&rules.distribution) }
    }

    /// Returns a board of game number `index`, and its pool: the tiles of the bag and of both racks. The game is stopped as soon as the
    /// pool has a given size. This size differs from game to game, so that all sizes come up equally often. A game that ends earlier
    /// gives its last board.
    fn board(&mut self, seed: u64, index: u64) -> (LaneBoard, Rack) {
        let largest = self.full.len().saturating_sub(LEAST_PLAYED).max(LEAST_POOL);
        // The size advances in steps of a prime number, so that consecutive boards are spread over the range.
        let wanted = largest - (index * 37 % (largest - LEAST_POOL + 1) as u64) as usize;
        let signals = Signals::default();
        let mut last = None;
        self.games.play(seed, index, &signals, |board, view| {
            last = Some(board.clone());
            if view.tiles.in_bag + view.tiles.rack.len() + view.other_tiles <= wanted {
                signals.stop();
            }
            self.eval.best(board, &view.tiles)
        });
        let board = last.expect("a game has a turn");
        let placed: Rack = board.to_board().tiles().map(|(_, tile)| tile.rack_tile()).collect();
        let pool = self.full.minus(&placed).expect("the board's tiles are the game's");
        (board, pool)
    }
}

fn full_counts(rules: &GameRules) -> [u8; MAX_LETTERS + 1] {
    *Rack::full_bag(&rules.distribution).counts()
}

/// Returns the values of a generation, and their coverage. A leave with few boards is drawn towards the estimate from smaller leaves.
fn smoothed(totals: &Totals, ranks: &MultisetRanks, counts: &[u8]) -> (LeaveTable, Finished) {
    let mut table = LeaveTable::new(ranks.kinds()).expect("as large as the one before");
    let mut coverage = Coverage { leaves: 0, unseen: 0, few: 0 };
    let mut racks = Vec::new();
    for size in 1..=RACK {
        let mut values = vec![Millipoints::ZERO; ranks.count(size)];
        multisets::for_each(counts, size, &mut |tiles| {
            let rank = ranks.rank(tiles.iter().map(|&tile| tile as usize));
            let (sum, boards) = (totals.sums[size][rank], totals.boards[size][rank]);
            if size <= MAX_LEAVE {
                coverage.leaves += 1;
                coverage.unseen += usize::from(boards == 0);
                coverage.few += usize::from((1..ENOUGH_BOARDS).contains(&boards));
            }
            // The estimate counts as much as the missing boards.
            let missing = f64::from(ENOUGH_BOARDS.saturating_sub(boards));
            let guess = if missing > 0.0 { from_smaller(&table, tiles) } else { 0.0 };
            let value = (sum as f64 + missing * guess) / (f64::from(boards) + missing);
            values[rank] = Millipoints((value / f64::from(QUANTUM)).round() as i32 * QUANTUM);
        });
        if size <= MAX_LEAVE {
            table.of_size_mut(size).copy_from_slice(&values);
        } else {
            racks = values;
        }
    }
    (table, Finished { coverage, racks })
}

/// Returns the estimate for these tiles from smaller leaves, millipoints (see the module's text). A single tile that never occurred is worth
/// nothing.
fn from_smaller(table: &LeaveTable, tiles: &[u8]) -> f64 {
    let without = |first: usize, second: usize| {
        let rest = tiles.iter().enumerate().filter(move |&(at, _)| at != first && at != second).map(|(_, &tile)| tile as usize);
        if rest.clone().next().is_none() { 0 } else { i64::from(table.value(rest).0) }
    };
    let (mut sum, mut pairs) = (0, 0);
    for first in 0..tiles.len() {
        for second in first + 1..tiles.len() {
            sum += without(first, first) + without(second, second) - without(first, second);
            pairs += 1;
        }
    }
    sum as f64 / f64::from(pairs.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::tests::{small_lexicon, small_rules};

    fn training<'a>(rules: &'a Arc<GameRules>, lexicon: &'a Lexicon, seed: u64) -> LeaveTraining<'a> {
        LeaveTraining::new(rules, lexicon, seed).unwrap()
    }

    #[test]
    fn neither_threads_nor_the_order_of_pieces_change_the_values() {
        let (rules, lexicon) = (Arc::new(small_rules()), small_lexicon());
        let mut expected = training(&rules, &lexicon, 3);
        let mut racks = Vec::new();
        for _ in 0..2 {
            let census = expected.census(0..9, 1);
            assert!(expected.add(&census));
            racks = expected.finish_generation().racks;
        }
        assert!(expected.table().of_size(1).iter().any(|&value| value != Millipoints::ZERO));
        let mut in_pieces = training(&rules, &lexicon, 3);
        let mut without_racks = in_pieces.clone();
        let mut finished = Vec::new();
        for pieces in [[0..2, 6..9, 2..6], [1..9, 0..1, 9..9]] {
            for (threads, boards) in (1..).zip(pieces) {
                let text = serde_json::to_string(&in_pieces.census(boards, threads)).unwrap();
                let mut census: Totals = serde_json::from_str(&text).unwrap();
                assert!(in_pieces.add(&census));
                census.drop_racks();
                assert!(without_racks.add(&census));
                census.sums[2].pop();
                assert!(!without_racks.add(&census), "sums of other leaves");
            }
            without_racks.finish_generation();
            finished = in_pieces.finish_generation().racks;
        }
        assert_eq!((in_pieces.table(), in_pieces.previous(), finished), (expected.table(), expected.previous(), racks));
        assert_eq!(without_racks.table(), expected.table());
        let mut other_seed = training(&rules, &lexicon, 4);
        let census = other_seed.census(0..9, 2);
        other_seed.add(&census);
        other_seed.finish_generation();
        assert_ne!(other_seed.table(), expected.table());
    }

    #[test]
    fn boards_are_spread_over_the_game() {
        let (rules, lexicon) = (Arc::new(GameRules::english()), Lexicon::builtin());
        let leaves = Leaves::nothing();
        let mut boards = Boards::new(&rules, &lexicon, &leaves);
        let mut by_size = [0; 4];
        for index in 0..64 {
            let (board, pool) = boards.board(1, index);
            assert_eq!(board.to_board().tiles().count() + pool.len(), 100);
            assert!((19..=88).contains(&pool.len()));
            by_size[(pool.len() - 19) / 18] += 1;
        }
        assert!(by_size.iter().all(|&boards| boards >= 8), "{by_size:?}");
    }

    #[test]
    fn leaves_met_on_few_boards_lean_on_smaller_ones() {
        let rules = small_rules();
        let kinds = rules.distribution.letter_count() + 1;
        let ranks = MultisetRanks::new(kinds);
        let mut totals = Totals::new(&ranks);
        // Single tiles occurred often. So did AA; but BB occurred only on ten boards.
        for (tile, points) in [(1, 2.0), (2, 3.0)] {
            totals.boards[1][tile] = 100;
            totals.sums[1][tile] = (points * 1000.0 * 100.0) as i64;
        }
        let rank = |tiles: [usize; 2]| ranks.rank(tiles.into_iter());
        totals.boards[2][rank([2, 2])] = 10;
        totals.sums[2][rank([2, 2])] = -10 * 4_000;
        let (table, finished) = smoothed(&totals, &ranks, &full_counts(&rules)[..kinds]);
        assert_eq!(table.value([1].into_iter()), Millipoints(2_000));
        assert_eq!(table.value([1, 2].into_iter()), Millipoints(5_000), "never met: the sum of its tiles");
        assert_eq!(table.value([2, 2].into_iter()), Millipoints((10 * -4_000 + 40 * 6_000) / 50));
        assert_eq!(table.value([2, 2].into_iter()), Millipoints(4_000));
        // ABB without A and one B is BB + AB - B, twice; without both Bs it is AB + AB - A. The mean is rounded to 10.
        assert_eq!(table.value([1, 2, 2].into_iter()), Millipoints((6_000 + 6_000 + 8_000) / 30 * 10 + 10));
        assert_eq!((finished.coverage.few, finished.coverage.leaves - finished.coverage.unseen), (1, 3));
        // Seven As, of which six are worth twelve points.
        assert_eq!(finished.racks[ranks.rank([1; 7].into_iter())], Millipoints(14_000));
    }
}
