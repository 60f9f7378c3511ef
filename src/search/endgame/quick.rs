//! Quick playouts: both sides play the placement that promises most, until the game is over.
//!
//! [`QuickPlayouts`] is for many games that begin on one board with the same tiles dealt in different ways, as a pre-endgame asks
//! for. Placements are generated once for a lane's contents and *all* tiles that are not on the board; what a rack can do is a
//! filter. All placements of a board are sorted by what they promise, so a turn is mostly a look at the first few dozen.
//!
//! What is left out, for the sake of speed:
//! - A playout sees the placements that are possible on the board where it begins and stay possible, since nothing was placed
//!   on a square on which they depend ([`Squares::needed_by`]): not what its own plays would open.
//! - Placements with a blank are those of the first board that stay possible, and use one blank.
//! - While there are tiles in the bag, leaves are looked up for the [`FEW`] placements that promise most.
//! - Nobody exchanges, and nobody passes who can place tiles.
//!
//! So they screen: who looks good is played out on the board as it becomes (`Worker::playout`, with lists by rack), and searched.

use crate::evaluation::Leaves;
use crate::evaluation::static_eval::NOT_OUT_COST;
use crate::lexicon::word_graph::WordGraph;
use crate::movegen::generate::{Found, Terms, generate_lane};
use crate::movegen::sinks::Sink;
use crate::movegen::{LaneBoard, RackValues};
use crate::rules::{GameRules, Placement, Play, Rack};
use crate::search::bag::Bag;
use crate::search::dealt_game::DealtGame;
use crate::search::endgame::moves::AsItIs;
use crate::search::endgame::squares::Squares;
use crate::search::endgame::state::{Packing, Tiles, lane_hash};
use crate::search::randomness::mix;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::ops::Range;

/// Placements kept before all are forgotten: about 80 MB a thread.
const MOST_PLACEMENTS: usize = 600_000;

/// Values of leaves kept before all are forgotten.
const MOST_LEAVES: usize = 100_000;

/// Placements that are compared with their leaves in a playout.
const FEW: usize = 12;

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
    lane: u8,
}

/// Entries in the order of their promises.
#[derive(Clone, Debug, Default)]
struct Sorted {
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

impl Sorted {
    /// These entries, which are in order, in the memory of others.
    fn of(mut self, ordered: Vec<u32>, all: &[Entry]) -> Sorted {
        let Sorted { promises, tiles, entries, by_tiles, next, replies } = &mut self;
        *entries = ordered;
        promises.clear();
        promises.extend(entries.iter().map(|&entry| all[entry as usize].promise));
        tiles.clear();
        tiles.extend(entries.iter().map(|&entry| all[entry as usize].tiles));
        by_tiles.clear();
        next.clear();
        next.extend(tiles.iter().enumerate().map(|(at, tiles)| by_tiles.insert(tiles.hash(), at as u32).unwrap_or(NONE)));
        replies.clear();
        self
    }
}

const NONE: u32 = u32::MAX;

/// See the module's text.
#[derive(Clone, Debug)]
pub struct QuickPlayouts<'a> {
    rules: &'a GameRules,
    graph: &'a WordGraph,
    leaves: &'a Leaves,
    packing: Packing,
    /// The board without the candidate.
    first_board: LaneBoard,
    /// The tiles that are not on it.
    first_pool: Tiles,
    /// The board with the candidate, the tiles that are not on it, and the squares that the candidate takes.
    board: LaneBoard,
    pool: Tiles,
    taken: Squares,
    entries: Vec<Entry>,
    /// By the contents of a lane and the pool.
    known: Known<Range<u32>>,
    /// What can be placed on the first board, without blanks and with one.
    first: Option<Vec<u32>>,
    blanks: Option<Sorted>,
    /// What can be placed after the candidate, without blanks.
    plain: Sorted,
    leave_values: Known<i32>,
}

impl<'a> QuickPlayouts<'a> {
    /// Quick playouts from this board on. `pool` has all tiles that are not on it.
    pub fn new(rules: &'a GameRules, graph: &'a WordGraph, leaves: &'a Leaves, board: &LaneBoard, pool: &Rack) -> QuickPlayouts<'a> {
        let packing = Packing::new(pool);
        let pool = packing.pack(pool);
        let mut board = board.clone().without_bounds();
        board.prepare(graph);
        QuickPlayouts {
            rules,
            graph,
            leaves,
            packing,
            first_board: board.clone(),
            first_pool: pool,
            board,
            pool,
            taken: Squares::NONE,
            entries: Vec::new(),
            known: Known::default(),
            first: None,
            blanks: None,
            plain: Sorted::default(),
            leave_values: Known::default(),
        }
    }

    /// The playouts to come begin after this candidate, a placement of tiles of the pool or another turn. Whether it got ready
    /// before `is_over`.
    pub fn begin(&mut self, candidate: &Play, is_over: &dyn Fn() -> bool) -> bool {
        if self.taken != Squares::NONE {
            self.board.undo();
        }
        (self.pool, self.taken) = (self.first_pool, Squares::NONE);
        let mut changed = 0;
        if let Some(placement) = candidate.placement() {
            self.pool = self.pool.without(self.packing.pack(&placement.rack_tiles()));
            self.taken = Squares::taken_by(placement);
            self.board.play(placement, self.graph);
            changed = self.board.lanes_changed();
        }
        if self.entries.len() > MOST_PLACEMENTS {
            self.entries.clear();
            self.known.clear();
            (self.first, self.blanks) = (None, None);
        }
        let without_blanks = self.packing.without_blanks(self.first_pool);
        if self.first.is_none() {
            let Some(entries) = self.on_first_board(without_blanks, is_over) else { return false };
            self.first = Some(entries);
        }
        // Also where it is the bag that holds the blank.
        if self.blanks.is_none() && self.packing.has_blank(self.pool) {
            let Some(entries) = self.on_first_board(without_blanks.with(Tiles(1)), is_over) else { return false };
            self.blanks = Some(Sorted::default().of(entries, &self.entries));
        }
        let mut new = Vec::new();
        for lane in (0..self.board.lane_count()).filter(|lane| changed >> lane & 1 != 0) {
            if is_over() {
                return false;
            }
            new.extend(self.list(lane));
        }
        self.sort(&mut new);
        // In order: those of the first board that may still be there, and the new ones.
        let may_stay = |entry: &Entry| changed >> entry.lane & 1 == 0 && entry.tiles.fit(self.pool);
        let first = self.first.iter().flatten().copied().filter(|&entry| may_stay(&self.entries[entry as usize]));
        let (mut first, mut new) = (first.peekable(), new.into_iter().peekable());
        let mut entries = Vec::new();
        loop {
            let is_first = match (first.peek(), new.peek()) {
                (None, None) => break,
                (Some(&a), Some(&b)) => self.ranking(a, b).is_le(),
                (a, _) => a.is_some(),
            };
            entries.extend(if is_first { first.next() } else { new.next() });
        }
        drop((first, new));
        self.plain = std::mem::take(&mut self.plain).of(entries, &self.entries);
        true
    }

    /// What can be placed on the first board, in order; `None` if it is over before.
    fn on_first_board(&mut self, pool: Tiles, is_over: &dyn Fn() -> bool) -> Option<Vec<u32>> {
        std::mem::swap(&mut self.board, &mut self.first_board);
        let found: Option<Vec<_>> =
            (0..self.board.lane_count()).map(|lane| if is_over() { None } else { Some(self.generate(lane, pool)) }).collect();
        std::mem::swap(&mut self.board, &mut self.first_board);
        let mut entries: Vec<u32> = found?.into_iter().flatten().collect();
        self.sort(&mut entries);
        Some(entries)
    }

    /// The entries of a lane of the board after the candidate, without blanks.
    fn list(&mut self, lane: usize) -> Range<u32> {
        let key = lane_hash(&self.board, lane) ^ mix(self.pool.hash());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let range = self.generate(lane, self.packing.without_blanks(self.pool));
        self.known.insert(key, range.clone());
        range
    }

    /// Highest promise first; equal ones in the order of their placements.
    fn ranking(&self, a: u32, b: u32) -> Ordering {
        let (a, b) = (&self.entries[a as usize], &self.entries[b as usize]);
        b.promise.cmp(&a.promise).then_with(|| a.placement.cmp(&b.placement))
    }

    fn sort(&self, entries: &mut [u32]) {
        entries.sort_unstable_by(|&a, &b| self.ranking(a, b));
    }

    /// Adds the entries of a lane for a pool; if it has a blank, only those with one.
    fn generate(&mut self, lane: usize, pool: Tiles) -> Range<u32> {
        let values = RackValues::bare(&self.packing.unpack(pool), self.board.tile_values());
        let terms = Terms { bingo_bonus: self.rules.bingo_bonus, bingo_tiles: self.rules.rack_size, opening: None };
        self.board.prepare_lane(lane, self.graph);
        let start = self.entries.len();
        let has_blank = self.packing.has_blank(pool);
        let mut sink = Collect { packing: &self.packing, board: &self.board, has_blank, entries: &mut self.entries };
        generate_lane(self.graph, &self.board, lane, &values, &terms, &mut sink);
        start as u32..self.entries.len() as u32
    }

    /// The final lead of seat 0 when both play greedily from here on, `seat` first: with tiles in the bag by score and leave; then
    /// by score, what going out gains, and twice the points of the tiles kept (ALGORITHMS 1.3). Who can place nothing passes; two
    /// passes in a row end the game.
    pub fn play_out(&mut self, game: &DealtGame, mut seat: usize) -> i32 {
        let mut line = Line {
            racks: game.racks.map(|rack| self.packing.pack(&rack)),
            points: game.racks.map(|rack| rack.value(&self.rules.distribution)),
            bag: game.bag.clone(),
            spread: game.spread(),
        };
        let mut taken = Squares::NONE;
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
                    taken = taken.with(&Squares::taken_by(&self.entries[entry].placement));
                }
            }
            seat = 1 - seat;
        }
    }

    /// What a rack plays first with an empty bag, and its worth, points.
    #[cfg(test)]
    pub fn first_play(&mut self, rack: &Rack, other_points: i32) -> Option<(Placement, i32)> {
        let (entry, worth) = self.best_of(self.packing.pack(rack), other_points, true, &Squares::NONE)?;
        Some((self.entries[entry].placement, worth))
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

    /// The best entry for a rack, with its worth: points with an empty bag, else millipoints. `taken` are squares taken beside those on the board.
    fn best_of(&mut self, rack: Tiles, other_points: i32, bag_is_empty: bool, taken: &Squares) -> Option<(usize, i32)> {
        let mut best: Option<(usize, i32)> = None;
        if bag_is_empty {
            let out_gain = 2 * other_points + NOT_OUT_COST;
            self.best_in(&self.plain, rack, out_gain, taken, &mut best);
            if let Some(blanks) = self.blanks.as_ref().filter(|_| self.packing.has_blank(rack)) {
                self.best_in(blanks, rack, out_gain, &taken.with(&self.taken), &mut best);
            }
            return best;
        }
        let is_first = *taken == Squares::NONE;
        let key = rack.hash();
        if is_first && let Some(reply) = self.plain.replies.get(&key) {
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
            self.plain.replies.insert(key, best.map(|(entry, worth)| (entry as u32, worth)));
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
            if tiles.fit(rack) && self.entries[entry as usize].needed.are_apart_from(taken) && self.is_better(entry as usize, worth, *best)
            {
                (*best, least) = (Some((entry as usize, worth)), worth);
            }
        }
        let mut at = sorted.by_tiles.get(&rack.hash()).copied().unwrap_or(NONE);
        while at != NONE {
            let place = at as usize;
            let (entry, worth) = (sorted.entries[place] as usize, i32::from(sorted.promises[place]) + out_gain);
            if sorted.tiles[place] == rack && self.entries[entry].needed.are_apart_from(taken) && self.is_better(entry, worth, *best) {
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
        if self.leave_values.len() > MOST_LEAVES {
            self.leave_values.clear();
        }
        let with_blanks = taken.with(&self.taken);
        let plain = (&self.plain, taken);
        let blanks = self.blanks.as_ref().filter(|_| self.packing.has_blank(rack)).map(|blanks| (blanks, &with_blanks));
        for (sorted, taken) in [plain].into_iter().chain(blanks) {
            let places = sorted.tiles.iter().zip(&sorted.entries);
            let possible = places.filter(|(tiles, entry)| tiles.fit(rack) && self.entries[**entry as usize].needed.are_apart_from(taken));
            for (&tiles, &entry) in possible.take(most) {
                let kept = rack.without(tiles);
                let leave = self.leave_values.entry(kept.hash()).or_insert_with(|| self.leaves.value(&self.packing.unpack(kept)));
                take(entry as usize, 1000 * i32::from(self.entries[entry as usize].score) + *leave);
            }
        }
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
            let needed = Squares::needed_by(self.board, &placement);
            self.entries.push(Entry { tiles, promise, score, placement, needed, lane: found.lane() });
        }
    }
}
