//! Leave values from the boards of static self-play, one generation after another.
//!
//! A generation plays games by the values so far, and takes the census of a board of each game (`board_census.rs`). The value of a
//! leave L is the mean of E(L) - E(nothing) over the boards whose pool allows it, in whole hundredths of a point. A leave that few
//! boards allow is drawn towards what smaller leaves say of it: for tiles t and u of L,
//! `V(L - t) + V(L - u) - V(L - t - u)`, averaged over all pairs.
//!
//! The means of full racks, E(R) - E(nothing), come from the same boards.
//!
//! Sums are whole numbers, so neither the number of threads nor interruptions change the result, nor how boards are shared out to machines. Start with [`LeaveTraining`].
//! Not here: files, progress, and the games that compare two generations (`lab/train/leaves.rs`).

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

/// With this many boards, a leave's own mean is all that counts.
const ENOUGH_BOARDS: u32 = 50;

/// The fewest tiles that are not on a board: with fewer, the bag cannot fill the racks any more.
const LEAST_POOL: usize = 25;

/// The fewest tiles on a board: about two plays.
const LEAST_PLAYED: usize = 12;

const _: () = assert!(LEAST_POOL > 2 * RACK, "a play from more tiles leaves enough for a full rack");

/// Values are rounded to this many millipoints, so that they fit 16 bits.
pub const QUANTUM: i32 = 10;

/// The sums of some boards, for each leave. Sums of different boards of a generation can be added up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// `sums[size][rank]`: E(L) - E(nothing) in millipoints, over boards; full racks too, unless they were dropped.
    sums: [Vec<i64>; RACK + 1],
    /// `boards[size][rank]`: how many.
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

    /// Forgets full racks, of which there are three times as many as of all leaves.
    pub fn drop_racks(&mut self) {
        (self.sums[RACK], self.boards[RACK]) = (Vec::new(), Vec::new());
    }

    /// Adds the sums of other boards. `false` if they are not of the same leaves.
    pub fn add(&mut self, other: &Totals) -> bool {
        let is_like = other.is_like(self);
        if is_like {
            self.merge(other);
        }
        is_like
    }

    /// Whether these are sums of the same leaves as others.
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

/// Training of leave values, between two boards. The sums of boards can be kept elsewhere, and added to another training of the same generation.
#[derive(Clone)]
pub struct LeaveTraining<'a> {
    rules: &'a Arc<GameRules>,
    lexicon: &'a Lexicon,
    seed: u64,
    generation: u32,
    /// The values that the generation before played by.
    previous: LeaveTable,
    /// The values that this generation plays by.
    table: LeaveTable,
    totals: Totals,
}

/// What is known of a generation that has ended, beside its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// How well it knows the leaves.
    pub coverage: Coverage,
    /// Of full racks, by rank: E(R) - E(nothing).
    pub racks: Vec<Millipoints>,
}

/// How well a finished generation knows the leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// Leaves of a full bag.
    pub leaves: usize,
    /// Of these, met on no board.
    pub unseen: usize,
    /// Met on fewer boards than are enough.
    pub few: usize,
}

impl<'a> LeaveTraining<'a> {
    /// The beginning: generation 0 plays by Gordon's third rack heuristic. `None` if the alphabet has too many letters.
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

    /// The generation at work, from 0 on.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// The values that the generation before played by; in the first one, the same as now.
    pub fn previous(&self) -> &LeaveTable {
        &self.previous
    }

    /// The values that this generation plays by.
    pub fn table(&self) -> &LeaveTable {
        &self.table
    }

    /// Takes the census of some boards of this generation, on this many threads. It does not count before it is added.
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

    /// Adds the census of boards of this generation. `false` if these are not sums of such leaves.
    pub fn add(&mut self, totals: &Totals) -> bool {
        self.totals.add(totals)
    }

    /// The work of one thread: takes boards until there are no more.
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

    /// Ends the generation: its values are those that the next one plays by.
    pub fn finish_generation(&mut self) -> Finished {
        let counts = full_counts(self.rules);
        let (table, finished) = smoothed(&self.totals, self.table.ranks(), &counts[..self.table.ranks().kinds()]);
        self.totals = Totals::new(table.ranks());
        self.previous = std::mem::replace(&mut self.table, table);
        self.generation += 1;
        finished
    }

    /// Tells words and rules apart. For the usual rules it is the number of the words alone, as it was when there were no others.
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

    /// A board of game number `index`, and its pool: the tiles of the bag and of both racks. The game is stopped as soon as the pool
    /// is small enough. What is small enough differs from game to game, so that all sizes come up equally often. A game that ends
    /// before gives its last board.
    fn board(&mut self, seed: u64, index: u64) -> (LaneBoard, Rack) {
        let largest = self.full.len().saturating_sub(LEAST_PLAYED).max(LEAST_POOL);
        // In steps of a prime number, so that any few boards in a row are spread over the range.
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

/// The values of a generation, and how well they are known. A leave with few boards is drawn towards what smaller leaves say.
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
            // The guess counts as many boards as are missing.
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

/// What smaller leaves say of these tiles, millipoints: see the module's text. A single tile that was never seen is worth nothing.
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
        // One tile each: met often. Two: A with itself often, B with itself on ten boards.
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
        // ABB without A and either B: BB + AB - B, twice; without both B: AB + AB - A. Rounded to 10.
        assert_eq!(table.value([1, 2, 2].into_iter()), Millipoints((6_000 + 6_000 + 8_000) / 30 * 10 + 10));
        assert_eq!((finished.coverage.few, finished.coverage.leaves - finished.coverage.unseen), (1, 3));
        // Seven A's, whose six are worth twelve points.
        assert_eq!(finished.racks[ranks.rank([1; 7].into_iter())], Millipoints(14_000));
    }
}
