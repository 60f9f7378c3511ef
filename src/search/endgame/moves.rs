//! Placements: generated once for a lane's contents and a rack, then filtered by what is left of the rack and of the lane.
//!
//! A play changes about ten of thirty lanes; in the others a side's placements are those of its turn before that still fit. Where a
//! lane has changed, they are those that do not depend on its changed squares, and those that are found for these squares. And lanes come
//! back with the same contents again and again. So the word graph is walked rarely, for few tiles and in few places.

use crate::lexicon::word_graph::WordGraph;
use crate::movegen::found::{Found, Terms};
use crate::movegen::generate::{WHOLE_LANE, generate_lane, squares_of_word};
use crate::movegen::replay::score_here;
use crate::movegen::sinks::Sink;
use crate::movegen::{LaneBoard, RackValues};
use crate::rules::{Placement, Rack};
use crate::search::endgame::state::{Lane, Packing, State, Tiles, rack_tile_hash, tile_hash, tiles_hash};
use crate::search::endgame::table::Code;
use crate::search::randomness::mix;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A placement with what the search needs of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    /// The tiles that leave the rack.
    pub tiles: Tiles,
    /// What it changes in the board's hash.
    pub hash: u64,
    /// What it takes from the rack's hash.
    pub rack_hash: u64,
    pub placement: Placement,
    /// Points it makes.
    pub score: i16,
    /// Points of the tiles that leave the rack.
    pub points: i16,
}

impl Move {
    fn new(packing: &Packing, board: &LaneBoard, placement: &Placement, score: i16) -> Move {
        let mut m = Move { tiles: Tiles::EMPTY, hash: 0, rack_hash: 0, placement: *placement, score, points: 0 };
        for (square, placed) in placement.placed() {
            let tile = placed.rack_tile();
            m.tiles = m.tiles.with(packing.one(tile));
            m.hash ^= tile_hash(square, placed);
            m.rack_hash = m.rack_hash.wrapping_add(rack_tile_hash(tile));
            m.points += i16::from(board.tile_values()[tile.index()]);
        }
        m
    }

    /// A placement as the board sees it, whoever made it.
    pub fn of_the_board(placement: &Placement) -> Move {
        let hash = tiles_hash(placement.placed());
        Move { tiles: Tiles::EMPTY, hash, rack_hash: 0, placement: *placement, score: 0, points: 0 }
    }

    /// Its code in the table; two placements of one position share one with a chance of 2^-32, which costs time, not truth.
    #[inline]
    pub fn code(&self) -> Code {
        Code((self.hash as u32).max(2))
    }
}

/// What is asked of a placement before the whole of it is looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Brief {
    /// The squares of its lane, by bit, on which its word depends.
    depends: u32,
    /// Those on which it puts tiles.
    pub takes: u32,
    /// As [`Move::score`].
    pub score: i16,
    /// As [`Move::points`].
    pub points: i16,
}

/// A side's placements in a lane: a range of [`Lists::moves`], if `epoch` is that of the lists.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LaneList {
    epoch: u32,
    start: u32,
    end: u32,
    /// The squares of the lane, by bit, that have changed since.
    changed: u32,
    /// The rack it was made for: it holds what any part of this one can do.
    rack: Tiles,
}

impl LaneList {
    pub const UNKNOWN: LaneList = LaneList { epoch: 0, start: 0, end: 0, changed: 0, rack: Tiles::EMPTY };

    /// Squares of the lane have changed: placements that do not depend on them are what they were.
    #[inline]
    pub fn note_change(&mut self, squares: u32) {
        self.changed |= squares;
    }
}

/// Moves kept before all are forgotten: about 60 MB a thread.
const MAX_MOVES: usize = 600_000;

/// The placements found so far. Survives changes of the racks, not of the board's pool.
#[derive(Clone, Debug)]
pub(super) struct Lists {
    packing: Packing,
    /// The rack that placements were last generated for, as the generator wants it.
    values: RackValues,
    values_of: Tiles,
    bingo_bonus: i32,
    bingo_tiles: usize,
    epoch: u32,
    known: HashMap<u64, (u32, u32), BuildHasherDefault<AsItIs>>,
    /// By number of a move.
    tiles: Vec<Tiles>,
    pub briefs: Vec<Brief>,
    pub moves: Vec<Move>,
}

impl Lists {
    pub fn new(packing: Packing, board: &LaneBoard, bingo_bonus: i32, bingo_tiles: usize) -> Lists {
        Lists {
            packing,
            values: RackValues::bare(&Rack::EMPTY, board.tile_values()),
            values_of: Tiles::EMPTY,
            bingo_bonus,
            bingo_tiles,
            epoch: 1,
            known: HashMap::default(),
            tiles: Vec::new(),
            briefs: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// Forgets all if it has become too much. Numbers of moves hold until then.
    pub fn make_room(&mut self) {
        if self.moves.len() > MAX_MOVES {
            self.known.clear();
            self.tiles.clear();
            self.briefs.clear();
            self.moves.clear();
            self.epoch += 1;
        }
    }

    /// A side's placements.
    pub fn gather(&mut self, state: &mut State, side: usize, graph: &WordGraph) -> Vec<Move> {
        self.make_room();
        let mut numbers = Vec::new();
        self.each(state, side, graph, |_, number, _| numbers.push(number));
        numbers.into_iter().map(|number| self.moves[number]).collect()
    }

    /// Goes through a side's placements: lane, number, tiles of each.
    #[inline]
    pub fn each(&mut self, state: &mut State, side: usize, graph: &WordGraph, mut look: impl FnMut(usize, usize, Tiles)) {
        let rack = state.racks[side];
        for lane in 0..state.board.lane_count() {
            let mut list = state.lanes[lane].lists[side];
            // A turn that was tried before all others were looked at may have left a list for a smaller rack.
            if list.epoch != self.epoch || list.changed != 0 || !rack.fit(list.rack) {
                list = self.list(state, lane, side, graph);
                state.lanes[lane].lists[side] = list;
            }
            let first = list.start as usize;
            for (at, &tiles) in self.tiles[first..list.end as usize].iter().enumerate() {
                if tiles.fit(rack) {
                    look(lane, first + at, tiles);
                }
            }
        }
    }

    fn terms(&self) -> Terms<'static> {
        Terms { bingo_bonus: self.bingo_bonus, bingo_tiles: self.bingo_tiles, opening: None }
    }

    /// A placement of the pool's tiles; its score is not known.
    pub fn without_score(&self, state: &State, placement: &Placement) -> Move {
        Move::new(&self.packing, &state.board, placement, 0)
    }

    /// A placement known from another position, if the side on turn has it here, too, with its score here.
    pub fn here(&self, state: &State, graph: &WordGraph, m: &Move) -> Option<Move> {
        let score =
            if m.tiles.fit(state.racks[state.turn]) { score_here(graph, &state.board, &self.terms(), &m.placement)? } else { return None };
        Some(Move { score: score as i16, ..*m })
    }

    /// What a side can do in a lane: known, or what it could do before the lane changed and what that opens, or filtered from what its
    /// holding can do there.
    fn list(&mut self, state: &mut State, lane: usize, side: usize, graph: &WordGraph) -> LaneList {
        let rack = state.racks[side];
        let key = state.lanes[lane].hash ^ mix(state.rack_hashes[side]);
        let (start, end) = match self.known.get(&key) {
            Some(&known) => known,
            None => {
                let (old, changed) = self.older_list(state, lane, side, graph);
                let first = self.moves.len();
                if let Some(old) = old {
                    self.filter(old, rack, changed);
                }
                if changed != 0 {
                    self.generate(state, (lane, changed), rack, graph);
                }
                let range = self.finish(first, state);
                self.known.insert(key, range);
                range
            }
        };
        LaneList { epoch: self.epoch, start, end, changed: 0, rack }
    }

    /// A list for a side's rack, or for more than that, made when the lane was as it is but for these squares. Without a list
    /// they are all.
    fn older_list(&mut self, state: &mut State, lane: usize, side: usize, graph: &WordGraph) -> (Option<(u32, u32)>, u32) {
        let Lane { lists, changed, .. } = state.lanes[lane];
        let old = lists[side];
        if old.epoch == self.epoch && state.racks[side].fit(old.rack) {
            return (Some((old.start, old.end)), old.changed);
        }
        let (holding, hash, hash_at_root) = state.holding(lane, side);
        let key = hash_at_root ^ mix(hash);
        if let Some(&known) = self.known.get(&key) {
            return (Some(known), changed);
        }
        if changed != 0 || holding == state.racks[side] {
            return (None, WHOLE_LANE);
        }
        let first = self.moves.len();
        self.generate(state, (lane, WHOLE_LANE), holding, graph);
        let range = self.finish(first, state);
        self.known.insert(key, range);
        (Some(range), 0)
    }

    /// Adds the placements of a list that a rack has the tiles for and that do not depend on squares that have changed.
    fn filter(&mut self, (start, end): (u32, u32), rack: Tiles, changed: u32) {
        for at in start as usize..end as usize {
            if self.tiles[at].fit(rack) && self.briefs[at].depends & changed == 0 {
                self.moves.push(self.moves[at]);
            }
        }
    }

    /// Makes a list of the moves from this one on. Their order does not depend on how they were found.
    fn finish(&mut self, first: usize, state: &State) -> (u32, u32) {
        self.moves[first..].sort_unstable_by_key(|m| m.hash);
        for m in &self.moves[first..] {
            let (_, begin) = state.board.lane_of(m.placement.start, m.placement.direction);
            self.tiles.push(m.tiles);
            let depends = squares_of_word(begin, begin + m.placement.word_len());
            let takes = (begin..).zip(m.placement.tiles()).fold(0, |takes, (at, tile)| takes | u32::from(tile.is_some()) << at);
            self.briefs.push(Brief { depends, takes, score: m.score, points: m.points });
        }
        (first as u32, self.moves.len() as u32)
    }

    /// Adds the placements of a rack that depend on one of some squares of a lane.
    fn generate(&mut self, state: &mut State, (lane, squares): (usize, u32), tiles: Tiles, graph: &WordGraph) {
        if self.values_of != tiles {
            self.values_of = tiles;
            self.values.reset(&self.packing.unpack(tiles), state.board.tile_values());
        }
        let lane = state.board.prepare_lane(lane, graph);
        let terms = self.terms();
        let mut sink = Collect { packing: &self.packing, board: lane.board(), moves: &mut self.moves };
        generate_lane(graph, lane, squares, &self.values, &terms, &mut sink);
    }
}

struct Collect<'a> {
    packing: &'a Packing,
    board: &'a LaneBoard,
    moves: &'a mut Vec<Move>,
}

impl Sink for Collect<'_> {
    const PRUNES: bool = false;

    fn take(&mut self, found: &Found<'_>) {
        let placement = found.play().placement;
        self.moves.push(Move::new(self.packing, self.board, &placement, found.score as i16));
    }
}

/// A hasher for keys that are hashes already.
#[derive(Default)]
pub(super) struct AsItIs(u64);

impl Hasher for AsItIs {
    fn write(&mut self, _bytes: &[u8]) {
        unreachable!("keys are u64")
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
