//! Greedy playouts: both sides play the placement that promises most, until the game is over.
//!
//! [`Playouts`] is for many games that begin on one board with the same tiles dealt in different ways, as a pre-endgame asks
//! for. Placements are generated once for a lane's contents and *all* tiles that are not on the board; what a rack can do is a
//! filter. All placements of a board are sorted by what they promise, so a turn is mostly a look at the first few dozen.
//!
//! What is left out, for the sake of speed:
//! - A playout sees the placements that are possible on the board where it begins and stay possible, since nothing was placed
//!   on a square on which they depend ([`needed_squares`]): not what its own plays would open.
//! - Placements with a blank are those of the first board that stay possible, and use one blank.
//! - While there are tiles in the bag, leaves are looked up for the [`FEW`] placements that promise most.
//! - Nobody exchanges, and nobody passes who can place tiles.
//!
//! The playouts at the horizon of an endgame search are `Worker::playout`: the search has its own lists, by rack.

use crate::evaluation::Leaves;
use crate::lexicon::word_graph::WordGraph;
use crate::movegen::generate::{Found, Terms, generate_lane};
use crate::movegen::lanes::MAX_LANES;
use crate::movegen::sinks::Sink;
use crate::movegen::{LaneBoard, RackValues};
use crate::rules::layout::MAX_DIM;
use crate::rules::{GameRules, Placement, Rack};
use crate::search::bag::Bag;
use crate::search::dealt_game::DealtGame;
use crate::search::endgame::moves::{AsItIs, Move};
use crate::search::endgame::negamax::Worker;
use crate::search::endgame::state::{Packing, Tiles, lane_hash};
use crate::search::endgame::threats::{WORDS, needed_squares};
use crate::search::randomness::mix;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

/// Placements kept before all are forgotten: about 80 MB a thread.
const MOST_PLACEMENTS: usize = 600_000;

/// Values of leaves kept before all are forgotten.
const MOST_LEAVES: usize = 100_000;

/// Placements that are compared with their leaves in a playout.
const FEW: usize = 12;

/// What not going out with an empty bag costs, points (ALGORITHMS 1.3).
const NOT_OUT_COST: i32 = 10;

/// A placement found, with its worth on the turn asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Greedy {
    /// The placement.
    pub placement: Placement,
    /// Points it makes.
    pub score: i32,
    /// What it was chosen by, millipoints; only comparable on one turn.
    pub worth: i32,
}

impl Greedy {
    /// Higher worth first; equal ones in the order of their placements, so that the choice does not depend on the order of lists.
    fn ranking(&self, other: &Greedy) -> Ordering {
        other.worth.cmp(&self.worth).then_with(|| self.placement.cmp(&other.placement))
    }
}

/// A set with a bit for each square.
type Squares = [u64; WORDS];

type Known<T> = HashMap<u64, T, BuildHasherDefault<AsItIs>>;

/// A placement that was generated.
#[derive(Clone, Debug)]
struct Entry {
    tiles: Tiles,
    /// Score and twice the points of the tiles: what it is worth with an empty bag, as far as that depends on it.
    promise: i16,
    score: i16,
    placement: Placement,
    /// What it depends on.
    needed: Squares,
}

impl Entry {
    fn is_possible(&self, taken: &Squares) -> bool {
        (0..WORDS).all(|word| self.needed[word] & taken[word] == 0)
    }
}

/// A lane: the hash of its contents, and its entries, if known.
#[derive(Clone, Copy, Debug, Default)]
struct Lane {
    hash: u64,
    list: Option<LaneList>,
}

/// Entries of a lane: `entries[start..end]`.
#[derive(Clone, Copy, Debug)]
struct LaneList {
    start: u32,
    end: u32,
    /// How many plays were on the board: without the last of them the pool is larger.
    plays: usize,
}

/// Entries in the order of their promises.
#[derive(Clone, Debug, Default)]
struct Sorted {
    is_known: bool,
    /// Highest promise first.
    promises: Vec<i16>,
    tiles: Vec<Tiles>,
    entries: Vec<u32>,
    /// By the hash of tiles: the place of the first entry that uses them, and from one to the next.
    by_tiles: Known<u32>,
    next: Vec<u32>,
    /// What was found for racks while the bag held tiles.
    replies: Known<Option<(u32, i32)>>,
}

const NONE: u32 = u32::MAX;

/// See the module's text.
#[derive(Clone, Debug)]
pub struct Playouts<'a> {
    rules: &'a GameRules,
    graph: &'a WordGraph,
    leaves: &'a Leaves,
    packing: Packing,
    board: LaneBoard,
    lanes: [Lane; MAX_LANES],
    /// The tiles that are not on the board.
    pool: Tiles,
    /// Before each play: the pool, the squares taken, and how long the log of lanes was.
    plays: Vec<(Tiles, Squares, usize)>,
    lane_log: Vec<(u8, Lane)>,
    /// The squares taken by plays.
    taken: Squares,
    entries: Vec<Entry>,
    /// By the contents of a lane and the pool.
    known: Known<(u32, u32)>,
    /// By plays on the board: what can be placed without blanks.
    sorted: Vec<Sorted>,
    /// What could be placed with a blank on the first board.
    blanks: Sorted,
    first_board: LaneBoard,
    leave_values: Known<i32>,
    /// Turns looked at.
    pub nodes: u64,
}

impl<'a> Playouts<'a> {
    /// Playouts from this board on. `pool` has all tiles that are not on it.
    pub fn new(rules: &'a GameRules, graph: &'a WordGraph, leaves: &'a Leaves, board: &LaneBoard, pool: &Rack) -> Playouts<'a> {
        let packing = Packing::new(pool);
        let mut lanes = [Lane::default(); MAX_LANES];
        for (lane, known) in lanes.iter_mut().enumerate().take(board.lane_count()) {
            known.hash = lane_hash(board, lane);
        }
        Playouts {
            rules,
            graph,
            leaves,
            pool: packing.pack(pool),
            packing,
            board: board.clone().without_bounds(),
            lanes,
            plays: Vec::new(),
            lane_log: Vec::new(),
            taken: [0; WORDS],
            entries: Vec::new(),
            known: Known::default(),
            sorted: vec![Sorted::default()],
            blanks: Sorted::default(),
            first_board: board.clone().without_bounds(),
            leave_values: Known::default(),
            nodes: 0,
        }
    }

    /// The board with all plays on it.
    pub fn board(&self) -> &LaneBoard {
        &self.board
    }

    /// Places tiles of the pool.
    pub fn play(&mut self, placement: &Placement) {
        let tiles = self.packing.pack(&placement.rack_tiles());
        self.plays.push((self.pool, self.taken, self.lane_log.len()));
        self.pool = self.pool.without(tiles);
        take_squares(&mut self.taken, placement);
        if self.sorted.len() == self.plays.len() {
            self.sorted.push(Sorted::default());
        }
        self.sorted[self.plays.len()].is_known = false;
        self.board.play(placement, self.graph);
        let mut changed = self.board.lanes_changed();
        while changed != 0 {
            let lane = changed.trailing_zeros() as usize;
            changed &= changed - 1;
            self.lane_log.push((lane as u8, self.lanes[lane]));
            self.lanes[lane] = Lane { hash: lane_hash(&self.board, lane), list: None };
        }
    }

    /// Takes back the last play.
    ///
    /// # Panics
    /// Without one.
    pub fn undo(&mut self) {
        let (pool, taken, logged) = self.plays.pop().expect("a play to take back");
        (self.pool, self.taken) = (pool, taken);
        self.board.undo();
        while self.lane_log.len() > logged {
            let (lane, old) = self.lane_log.pop().expect("longer than the mark");
            self.lanes[lane as usize] = old;
        }
        for lane in &mut self.lanes {
            lane.list = lane.list.filter(|list| list.plays <= self.plays.len());
        }
    }

    /// The final lead of seat 0 when both play greedily from here on, `seat` first: the best placement by [`Playouts::best`].
    /// Who has none passes; two passes in a row end the game.
    pub fn play_out(&mut self, game: &DealtGame, mut seat: usize) -> i32 {
        let mut line = Line {
            racks: game.racks.map(|rack| self.packing.pack(&rack)),
            points: game.racks.map(|rack| rack.value(&self.rules.distribution)),
            bag: game.bag.clone(),
            spread: game.spread(),
        };
        // Also a blank that is still in the bag.
        self.sort_all(self.pool);
        let mut taken = [0; WORDS];
        let mut passed = false;
        loop {
            let best = self.best_of(line.racks[seat], line.points[1 - seat], line.bag.is_empty(), &taken);
            match best {
                None if passed => return line.spread + line.points[1] - line.points[0],
                None => passed = true,
                Some((entry, _)) => {
                    passed = false;
                    if self.take_turn(&mut line, seat, entry) {
                        return line.spread;
                    }
                    take_squares(&mut taken, &self.entries[entry].placement);
                }
            }
            seat = 1 - seat;
        }
    }

    /// Scores, draws; whether that ends the game.
    fn take_turn(&self, line: &mut Line, seat: usize, entry: usize) -> bool {
        let Entry { tiles, promise, score, .. } = self.entries[entry];
        let sign = if seat == 0 { 1 } else { -1 };
        line.spread += sign * i32::from(score);
        line.racks[seat] = line.racks[seat].without(tiles);
        line.points[seat] -= i32::from(promise - score) / 2;
        if !line.bag.is_empty() {
            let mut drawn = Rack::EMPTY;
            let room = self.rules.rack_size - self.packing.unpack(line.racks[seat]).len();
            line.bag.draw(seat, &mut drawn, room);
            line.racks[seat] = line.racks[seat].with(self.packing.pack(&drawn));
            line.points[seat] += drawn.value(&self.rules.distribution);
        }
        let is_out = line.racks[seat] == Tiles::EMPTY;
        if is_out {
            line.spread += sign * 2 * line.points[1 - seat];
        }
        is_out
    }

    /// The best placement of a rack: by score and leave while there are tiles in the bag; then by score, what going out gains,
    /// and twice the points of the tiles kept (ALGORITHMS 1.3). `None` without any.
    pub fn best(&mut self, rack: &Rack, other_rack: &Rack, in_bag: usize) -> Option<Greedy> {
        let other_points = other_rack.value(&self.rules.distribution);
        let rack = self.packing.pack(rack);
        self.sort_all(rack);
        let (entry, worth) = self.best_of(rack, other_points, in_bag == 0, &[0; WORDS])?;
        Some(self.greedy(entry, if in_bag == 0 { 1000 * worth } else { worth }))
    }

    /// The best placements by [`Playouts::best`], best first, while there are tiles in the bag.
    pub fn best_few(&mut self, rack: &Rack, wanted: usize) -> Vec<Greedy> {
        let rack = self.packing.pack(rack);
        self.sort_all(rack);
        let mut all = Vec::new();
        self.each_of(rack, &[0; WORDS], usize::MAX, |entry, worth| all.push((entry, worth)));
        let mut all: Vec<Greedy> = all.into_iter().map(|(entry, worth)| self.greedy(entry, worth)).collect();
        all.sort_unstable_by(Greedy::ranking);
        all.truncate(wanted);
        all
    }

    fn greedy(&self, entry: usize, worth: i32) -> Greedy {
        Greedy { placement: self.entries[entry].placement, score: i32::from(self.entries[entry].score), worth }
    }

    /// The best entry for a rack, with its worth: points with an empty bag, else millipoints. `taken` are squares taken beside those on the board.
    fn best_of(&mut self, rack: Tiles, other_points: i32, bag_is_empty: bool, taken: &Squares) -> Option<(usize, i32)> {
        let mut best: Option<(usize, i32)> = None;
        if bag_is_empty {
            self.nodes += 1;
            let out_gain = 2 * other_points + NOT_OUT_COST;
            self.best_in(&self.sorted[self.plays.len()], rack, out_gain, taken, &mut best);
            if self.packing.has_blank(rack) {
                self.best_in(&self.blanks, rack, out_gain, &union(taken, &self.taken), &mut best);
            }
            return best;
        }
        let is_first = *taken == [0; WORDS];
        let key = rack.hash();
        if is_first && let Some(reply) = self.sorted[self.plays.len()].replies.get(&key) {
            return reply.map(|(entry, worth)| (entry as usize, worth));
        }
        let mut all = Vec::new();
        self.each_of(rack, taken, FEW, |entry, worth| all.push((entry, worth)));
        for (entry, worth) in all {
            if self.is_better(entry, worth, best) {
                best = Some((entry, worth));
            }
        }
        if is_first {
            self.sorted[self.plays.len()].replies.insert(key, best.map(|(entry, worth)| (entry as u32, worth)));
        }
        best
    }

    /// The best of sorted entries with an empty bag, if it is better than what is known.
    fn best_in(&self, sorted: &Sorted, rack: Tiles, out_gain: i32, taken: &Squares, best: &mut Option<(usize, i32)>) {
        let mut least = best.map_or(i32::MIN, |(_, worth)| worth);
        for ((&promise, &tiles), &entry) in sorted.promises.iter().zip(&sorted.tiles).zip(&sorted.entries) {
            let worth = i32::from(promise);
            if worth < least {
                break;
            }
            if tiles.fit(rack) && self.entries[entry as usize].is_possible(taken) && self.is_better(entry as usize, worth, *best) {
                (*best, least) = (Some((entry as usize, worth)), worth);
            }
        }
        let mut at = sorted.by_tiles.get(&rack.hash()).copied().unwrap_or(NONE);
        while at != NONE {
            let place = at as usize;
            let (entry, worth) = (sorted.entries[place] as usize, i32::from(sorted.promises[place]) + out_gain);
            if sorted.tiles[place] == rack && self.entries[entry].is_possible(taken) && self.is_better(entry, worth, *best) {
                *best = Some((entry, worth));
            }
            at = sorted.next[place];
        }
    }

    /// Higher worth first; equal ones in the order of their placements, so that the choice does not depend on the order of lists.
    fn is_better(&self, entry: usize, worth: i32, best: Option<(usize, i32)>) -> bool {
        best.is_none_or(|(other, most)| worth > most || worth == most && self.entries[entry].placement < self.entries[other].placement)
    }

    /// The entries for a rack that promise most, with and without blanks so many each, with score and leave in millipoints.
    fn each_of(&mut self, rack: Tiles, taken: &Squares, most: usize, mut take: impl FnMut(usize, i32)) {
        self.nodes += 1;
        if self.leave_values.len() > MOST_LEAVES {
            self.leave_values.clear();
        }
        let with_blanks = union(taken, &self.taken);
        let plain = (&self.sorted[self.plays.len()], taken);
        let blanks = self.packing.has_blank(rack).then_some((&self.blanks, &with_blanks));
        for (sorted, taken) in [plain].into_iter().chain(blanks) {
            let places = sorted.tiles.iter().zip(&sorted.entries);
            let possible = places.filter(|(tiles, entry)| tiles.fit(rack) && self.entries[**entry as usize].is_possible(taken));
            for (&tiles, &entry) in possible.take(most) {
                let kept = rack.without(tiles);
                let leave = self.leave_values.entry(kept.hash()).or_insert_with(|| self.leaves.value(&self.packing.unpack(kept)));
                take(entry as usize, 1000 * i32::from(self.entries[entry as usize].score) + *leave);
            }
        }
    }

    /// Sorts what can be placed on the board, as far as these racks need it.
    fn sort_all(&mut self, racks: Tiles) {
        let plays = self.plays.len();
        if self.packing.has_blank(racks) && !self.blanks.is_known {
            let pool = self.plays.first().map_or(self.pool, |(pool, ..)| *pool);
            let one_blank = self.packing.without_blanks(pool).with(Tiles(1));
            let board = std::mem::replace(&mut self.first_board, self.board.clone());
            let own = std::mem::replace(&mut self.board, board);
            let ranges: Vec<_> = (0..self.board.lane_count()).map(|lane| self.generate(lane, one_blank)).collect();
            self.first_board = std::mem::replace(&mut self.board, own);
            let mut blanks = std::mem::take(&mut self.blanks);
            self.sort(&mut blanks, &ranges);
            self.blanks = blanks;
        }
        if self.sorted[plays].is_known {
            return;
        }
        if self.entries.len() > MOST_PLACEMENTS {
            self.forget();
            return self.sort_all(racks);
        }
        let ranges: Vec<_> = (0..self.board.lane_count()).map(|lane| self.list(lane)).collect();
        let mut sorted = std::mem::take(&mut self.sorted[plays]);
        self.sort(&mut sorted, &ranges);
        self.sorted[plays] = sorted;
    }

    fn forget(&mut self) {
        self.entries.clear();
        self.known.clear();
        self.blanks = Sorted::default();
        self.sorted.iter_mut().for_each(|sorted| sorted.is_known = false);
        self.lanes.iter_mut().for_each(|lane| lane.list = None);
        self.lane_log.iter_mut().for_each(|(_, lane)| lane.list = None);
    }

    fn sort(&self, sorted: &mut Sorted, ranges: &[(u32, u32)]) {
        let Sorted { is_known, promises, tiles, entries, by_tiles, next, replies } = sorted;
        *is_known = true;
        entries.clear();
        entries.extend(ranges.iter().flat_map(|&(start, end)| start..end));
        entries.sort_unstable_by(|&a, &b| {
            let (a, b) = (&self.entries[a as usize], &self.entries[b as usize]);
            b.promise.cmp(&a.promise).then_with(|| a.placement.cmp(&b.placement))
        });
        promises.clear();
        promises.extend(entries.iter().map(|&entry| self.entries[entry as usize].promise));
        tiles.clear();
        tiles.extend(entries.iter().map(|&entry| self.entries[entry as usize].tiles));
        by_tiles.clear();
        next.clear();
        next.extend(tiles.iter().enumerate().map(|(at, tiles)| by_tiles.insert(tiles.hash(), at as u32).unwrap_or(NONE)));
        replies.clear();
    }

    /// The entries of a lane without blanks.
    fn list(&mut self, lane: usize) -> (u32, u32) {
        if let Some(list) = self.lanes[lane].list {
            return (list.start, list.end);
        }
        let key = self.lanes[lane].hash ^ mix(self.pool.hash());
        let (start, end) = match self.known.get(&key) {
            Some(&known) => known,
            None => {
                let range = self.generate(lane, self.packing.without_blanks(self.pool));
                self.known.insert(key, range);
                range
            }
        };
        self.lanes[lane].list = Some(LaneList { start, end, plays: self.plays.len() });
        (start, end)
    }

    /// Adds the entries of a lane for a pool; if it has a blank, only those with one.
    fn generate(&mut self, lane: usize, pool: Tiles) -> (u32, u32) {
        let values = RackValues::bare(&self.packing.unpack(pool), self.board.tile_values());
        let terms = Terms { bingo_bonus: self.rules.bingo_bonus, bingo_tiles: self.rules.rack_size, opening: None };
        self.board.prepare_lane(lane, self.graph);
        let start = self.entries.len();
        let has_blank = self.packing.has_blank(pool);
        let mut sink = Collect { packing: &self.packing, board: &self.board, has_blank, entries: &mut self.entries };
        generate_lane(self.graph, &self.board, lane, (&values, self.rules.rack_size), &terms, &mut sink);
        (start as u32, self.entries.len() as u32)
    }
}

fn union(a: &Squares, b: &Squares) -> Squares {
    std::array::from_fn(|word| a[word] | b[word])
}

fn take_squares(taken: &mut Squares, placement: &Placement) {
    for (square, _) in placement.placed() {
        let bit = square.index(MAX_DIM);
        taken[bit / 64] |= 1 << (bit % 64);
    }
}

/// A dealt game, packed.
struct Line {
    racks: [Tiles; 2],
    points: [i32; 2],
    bag: Bag,
    spread: i32,
}

struct Collect<'a> {
    packing: &'a Packing,
    board: &'a LaneBoard,
    has_blank: bool,
    entries: &'a mut Vec<Entry>,
}

impl Sink for Collect<'_> {
    const PRUNES: bool = false;

    fn take(&mut self, found: &Found<'_>) {
        let placement = found.play().placement;
        let placed = placement.tiles().iter().flatten().map(|placed| placed.rack_tile());
        let tiles = placed.fold(Tiles::EMPTY, |tiles, tile| tiles.with(self.packing.one(tile)));
        if self.packing.has_blank(tiles) == self.has_blank {
            let values = self.board.tile_values();
            let points: i32 = placement.tiles().iter().flatten().map(|placed| i32::from(values[placed.rack_tile().index()])).sum();
            let (promise, score) = ((found.score + 2 * points) as i16, found.score as i16);
            self.entries.push(Entry { tiles, promise, score, placement, needed: needed_squares(self.board, &placement) });
        }
    }
}

impl Worker {
    /// The change of the mover's lead if both sides play what promises most until the end.
    pub fn playout(&mut self, graph: &WordGraph) -> i32 {
        let own = self.state.turn;
        self.nodes += 1;
        let rack = self.state.racks[own];
        let other_points = self.state.points[1 - own];
        let mut best: Option<(i32, Move)> = None;
        self.lists.visit(&mut self.state, own, graph, |tiles, m| {
            if tiles.fit(rack) {
                let promise = promise(m, rack, other_points);
                if best.as_ref().is_none_or(|(most, _)| promise > *most) {
                    best = Some((promise, *m));
                }
            }
        });
        let best = best.map(|(_, m)| m);
        match best {
            None if self.state.passed => self.state.points[1 - own] - self.state.points[own],
            None => {
                self.state.pass();
                let value = -self.playout(graph);
                self.state.take_back_pass();
                value
            }
            Some(m) if m.tiles == self.state.racks[own] => i32::from(m.score) + 2 * self.state.points[1 - own],
            Some(m) => {
                self.state.play(&m, graph);
                let value = i32::from(m.score) - self.playout(graph);
                self.state.take_back(&m);
                value
            }
        }
    }
}

/// What a turn of an endgame promises: points now, and what the tiles that stay on the rack may cost; going out before all.
pub(super) fn promise(m: &Move, rack: Tiles, other_points: i32) -> i32 {
    let score = i32::from(m.score);
    if m.tiles == rack { score + 2 * other_points + 1000 } else { score + i32::from(m.points) }
}
