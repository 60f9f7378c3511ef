//! A position of an endgame that plays and takes back: board, both racks, hash, all kept up to date from play to play.
//!
//! Racks are packed: a field of [`FIELD`] bits for each kind of tile in the pool, so that "does this play fit the rack" and
//! "the rack without these tiles" are one operation each.

use crate::lexicon::word_graph::WordGraph;
use crate::movegen::LaneBoard;
use crate::movegen::lane_square::LaneSquare;
use crate::movegen::lanes::MAX_LANES;
use crate::rules::layout::MAX_DIM;
use crate::rules::tiles::MAX_LETTERS;
use crate::rules::{Placed, Rack, Square, Tile};
use crate::search::endgame::moves::{LaneList, Move};
use crate::search::randomness::mix;

/// Bits of a field: counts up to 15, and a bit above that never carries.
const FIELD: usize = 5;

/// Kinds of tiles a pool may have.
pub(super) const MAX_KINDS: usize = 128 / FIELD;

/// Tiles of a kind that a pool may have.
pub(super) const MAX_COUNT: usize = 15;

/// The top bit of each field.
const TOPS: u128 = {
    let mut tops = 0;
    let mut kind = 0;
    while kind < MAX_KINDS {
        tops |= 1 << (kind * FIELD + FIELD - 1);
        kind += 1;
    }
    tops
};

/// A packed multiset of the pool's tiles.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Tiles(pub u128);

impl Tiles {
    pub const EMPTY: Tiles = Tiles(0);

    /// Whether these are all in `rack`.
    #[inline]
    pub fn fit(self, rack: Tiles) -> bool {
        ((rack.0 | TOPS) - self.0) & TOPS == TOPS
    }

    #[inline]
    pub fn without(self, tiles: Tiles) -> Tiles {
        Tiles(self.0 - tiles.0)
    }

    #[inline]
    pub fn with(self, tiles: Tiles) -> Tiles {
        Tiles(self.0 + tiles.0)
    }

    /// The fields in use, as digits of a number that tells the parts of these tiles apart, and how many parts there are.
    pub fn strides(self) -> (Fields, usize) {
        let mut fields = Fields { used: 0, digits: [(0, 0); MAX_KINDS] };
        let mut parts = 1;
        for (field, count) in self.kinds() {
            fields.digits[fields.used] = ((field * FIELD) as u32, parts as u32);
            fields.used += 1;
            parts = usize::saturating_mul(parts, count + 1);
        }
        (fields, parts)
    }

    /// The fields in use, with their counts.
    #[inline]
    pub fn kinds(self) -> impl Iterator<Item = (usize, usize)> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let field = (rest != 0).then(|| rest.trailing_zeros() as usize / FIELD)?;
            rest &= !(((1 << FIELD) - 1) << (field * FIELD));
            Some((field, self.count(field)))
        })
    }

    /// How many tiles these are.
    pub fn len(self) -> usize {
        self.kinds().map(|(_, count)| count).sum()
    }

    /// A hash.
    #[inline]
    pub fn hash(self) -> u64 {
        mix(self.0 as u64 ^ mix((self.0 >> 64) as u64))
    }

    #[inline]
    pub fn count(self, field: usize) -> usize {
        (self.0 >> (field * FIELD)) as usize % (1 << FIELD)
    }
}

/// How the parts of a multiset are numbered. See [`Tiles::strides`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields {
    used: usize,
    /// Where a field begins, and what one tile there counts.
    digits: [(u32, u32); MAX_KINDS],
}

impl Fields {
    /// The number of a part.
    #[inline]
    pub fn number(&self, part: Tiles) -> usize {
        let digit = |&(shift, stride): &(u32, u32)| (part.0 >> shift) as usize % (1 << FIELD) * stride as usize;
        self.digits[..self.used].iter().map(digit).sum()
    }
}

/// How the tiles of a pool are packed.
#[derive(Clone, Debug)]
pub(super) struct Packing {
    /// By tile index: the number of its field.
    fields: [u8; MAX_LETTERS + 1],
    /// By field.
    kinds: Vec<Tile>,
}

impl Packing {
    /// Whether there are not too many kinds of tiles, nor too many of one kind.
    pub fn can_hold(pool: &Rack) -> bool {
        pool.distinct().count() <= MAX_KINDS && pool.distinct().all(|(_, count)| usize::from(count) <= MAX_COUNT)
    }

    /// # Panics
    /// If it [cannot hold](Packing::can_hold) them.
    pub fn new(pool: &Rack) -> Packing {
        let mut fields = [u8::MAX; MAX_LETTERS + 1];
        let kinds: Vec<Tile> = pool.distinct().map(|(tile, _)| tile).collect();
        assert!(Packing::can_hold(pool), "an endgame has few tiles");
        for (field, tile) in kinds.iter().enumerate() {
            fields[tile.index()] = field as u8;
        }
        Packing { fields, kinds }
    }

    pub fn unpack(&self, tiles: Tiles) -> Rack {
        let mut rack = Rack::EMPTY;
        for (field, &tile) in self.kinds.iter().enumerate() {
            rack.add_many(tile, tiles.count(field) as u8);
        }
        rack
    }

    /// How many blanks there are: the first kind, if the pool has any.
    fn blanks(&self, tiles: Tiles) -> usize {
        if self.fields[0] == 0 { tiles.count(0) } else { 0 }
    }

    /// Whether there is a blank among the tiles.
    pub fn has_blank(&self, tiles: Tiles) -> bool {
        self.blanks(tiles) > 0
    }

    /// The tiles that are no blanks.
    pub fn without_blanks(&self, tiles: Tiles) -> Tiles {
        tiles.without(Tiles(self.blanks(tiles) as u128))
    }

    /// # Panics
    /// If a tile is not in the pool.
    pub fn pack(&self, rack: &Rack) -> Tiles {
        rack.tiles().fold(Tiles::EMPTY, |packed, tile| packed.with(self.one(tile)))
    }

    /// # Panics
    /// If the tile is not in the pool.
    #[inline]
    pub fn one(&self, tile: Tile) -> Tiles {
        let field = self.fields[tile.index()];
        assert!(field != u8::MAX, "a tile outside the pool");
        Tiles(1 << (field as usize * FIELD))
    }
}

/// What is kept for a lane: a hash of its squares, and each side's placements in it once they are known.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lane {
    pub hash: u64,
    pub lists: [LaneList; 2],
    /// The squares, by bit, that have changed since the root.
    pub changed: u32,
}

/// Tiles for which placements are found in lanes as they are on a certain board: those of all racks that are asked about there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Holdings {
    lanes: [u64; MAX_LANES],
    racks: [(Tiles, u64); 2],
}

impl Holdings {
    pub const NONE: Holdings = Holdings { lanes: [0; MAX_LANES], racks: [(Tiles::EMPTY, 0); 2] };
}

#[derive(Clone, Copy, Debug)]
struct Undo {
    hash: u64,
    passed: bool,
    lanes_logged: usize,
}

/// See the module's text. The side on turn is `turn`, 0 or 1.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub board: LaneBoard,
    pub lanes: [Lane; MAX_LANES],
    pub racks: [Tiles; 2],
    /// Points of each rack.
    pub points: [i32; 2],
    /// Hash of each rack.
    pub rack_hashes: [u64; 2],
    pub turn: usize,
    /// Whether the turn before was a pass: one more ends the game.
    pub passed: bool,
    /// Of the tiles played since the root.
    board_hash: u64,
    undo: Vec<Undo>,
    lane_log: Vec<(u8, Lane)>,
    /// What may be held where lanes are as on the board that was set, and where they are as at the root.
    holdings: [Holdings; 2],
}

impl State {
    pub fn new(board: LaneBoard, board_hash: u64) -> State {
        let mut state = State {
            board,
            lanes: [Lane::default(); MAX_LANES],
            racks: [Tiles::EMPTY; 2],
            points: [0; 2],
            rack_hashes: [0; 2],
            turn: 0,
            passed: false,
            board_hash,
            undo: Vec::new(),
            lane_log: Vec::new(),
            holdings: [Holdings::NONE; 2],
        };
        for lane in 0..state.board.lane_count() {
            state.lanes[lane].hash = lane_hash(&state.board, lane);
        }
        state.holdings[0].lanes = state.lanes.map(|lane| lane.hash);
        state
    }

    /// Makes this position the root, with other racks, side 0 on turn. `holdings`: what each side may hold in other questions, its
    /// rack included: on the board that was set, and here.
    pub fn deal(&mut self, packing: &Packing, racks: &[Rack; 2], holdings: &[[Rack; 2]; 2], passed: bool) {
        for lane in &mut self.lanes {
            (lane.lists, lane.changed) = ([LaneList::UNKNOWN; 2], 0);
        }
        self.holdings[1].lanes = self.lanes.map(|lane| lane.hash);
        for (mine, racks) in self.holdings.iter_mut().zip(holdings) {
            mine.racks = racks.map(|rack| (packing.pack(&rack), rack_hash(&rack)));
        }
        self.racks = racks.map(|rack| packing.pack(&rack));
        self.points = racks.map(|rack| points_of(&rack, &self.board));
        self.rack_hashes = racks.map(|rack| rack_hash(&rack));
        (self.turn, self.passed) = (0, passed);
    }

    /// Tells positions apart: the board, the mover's rack, the other rack, whether the turn before was a pass.
    #[inline]
    pub fn hash(&self) -> u64 {
        let racks = self.rack_hashes[self.turn].wrapping_add(self.rack_hashes[1 - self.turn].rotate_left(17));
        mix(self.board_hash ^ racks ^ if self.passed { 0x5bd1_e995_9d1d_8a41 } else { 0 })
    }

    pub fn play(&mut self, m: &Move, graph: &WordGraph) {
        self.undo.push(Undo { hash: self.board_hash, passed: self.passed, lanes_logged: self.lane_log.len() });
        self.board.play(&m.placement, graph);
        let mut changed = [0; MAX_LANES];
        for (lane, position, old) in self.board.squares_changed() {
            if changed[lane] >> position & 1 != 0 {
                continue;
            }
            if changed[lane] == 0 {
                self.lane_log.push((lane as u8, self.lanes[lane]));
            }
            changed[lane] |= 1 << position;
            self.lanes[lane].hash ^= square_hash(position, old) ^ square_hash(position, &self.board.lane(lane)[position]);
        }
        for &(lane, _) in &self.lane_log[self.undo.last().map_or(0, |undo| undo.lanes_logged)..] {
            let (lane, changed) = (&mut self.lanes[lane as usize], changed[lane as usize]);
            lane.changed |= changed;
            for list in &mut lane.lists {
                list.note_change(changed);
            }
        }
        self.board_hash ^= m.hash;
        self.racks[self.turn] = self.racks[self.turn].without(m.tiles);
        self.points[self.turn] -= i32::from(m.points);
        self.rack_hashes[self.turn] = self.rack_hashes[self.turn].wrapping_sub(m.rack_hash);
        self.turn = 1 - self.turn;
        self.passed = false;
    }

    /// Takes back the last [`State::play`], which was of this move.
    pub fn take_back(&mut self, m: &Move) {
        let undo = self.undo.pop().expect("a play to take back");
        self.board.undo();
        while self.lane_log.len() > undo.lanes_logged {
            let (lane, old) = self.lane_log.pop().expect("longer than the mark");
            self.lanes[lane as usize] = old;
        }
        (self.board_hash, self.passed) = (undo.hash, undo.passed);
        self.turn = 1 - self.turn;
        self.racks[self.turn] = self.racks[self.turn].with(m.tiles);
        self.points[self.turn] += i32::from(m.points);
        self.rack_hashes[self.turn] = self.rack_hashes[self.turn].wrapping_add(m.rack_hash);
    }

    /// Passes; the turn before was no pass.
    pub fn pass(&mut self) {
        debug_assert!(!self.passed, "the second pass ends the game");
        self.passed = true;
        self.turn = 1 - self.turn;
    }

    pub fn take_back_pass(&mut self) {
        self.passed = false;
        self.turn = 1 - self.turn;
    }

    /// The tiles, and their hash, for which a side's placements in a lane as it is at the root are to be found: its rack, or more.
    /// And the lane's hash there.
    pub fn holding(&self, lane: usize, side: usize) -> (Tiles, u64, u64) {
        let hash = self.holdings[1].lanes[lane];
        let holding = self.holdings.iter().find(|holdings| holdings.lanes[lane] == hash).map(|holdings| holdings.racks[side]);
        let holding = holding.filter(|(tiles, _)| self.racks[side].fit(*tiles)).unwrap_or((self.racks[side], self.rack_hashes[side]));
        (holding.0, holding.1, hash)
    }
}

/// The hash of all that placements in this lane depend on.
pub(super) fn lane_hash(board: &LaneBoard, lane: usize) -> u64 {
    board.lane(lane).iter().enumerate().fold(mix(lane as u64), |hash, (position, square)| hash ^ square_hash(position, square))
}

/// What a square adds to the hash of its lane.
#[inline]
fn square_hash(position: usize, square: &LaneSquare) -> u64 {
    let small = square.tile.map_or(0, Placed::to_bits) as u64
        | (square.cross_sum as u16 as u64) << 8
        | (square.has_cross as u64) << 24
        | (square.is_hook as u64) << 25
        | (position as u64) << 26;
    mix(square.cross_set.bits() ^ mix(small))
}

/// The sum of the hashes of its tiles: racks and what leaves them are hashed alike.
pub(super) fn rack_hash(rack: &Rack) -> u64 {
    rack.tiles().fold(0, |hash: u64, tile| hash.wrapping_add(rack_tile_hash(tile)))
}

/// The hash of a tile on a rack.
#[inline]
pub(super) fn rack_tile_hash(tile: Tile) -> u64 {
    mix(tile.index() as u64 + 1)
}

/// Points of all tiles.
pub(super) fn points_of(rack: &Rack, board: &LaneBoard) -> i32 {
    rack.distinct().map(|(tile, count)| i32::from(board.tile_values()[tile.index()]) * i32::from(count)).sum()
}

/// The hash of tiles on a board: the exclusive or of their single hashes.
pub(super) fn tiles_hash(tiles: impl Iterator<Item = (Square, Placed)>) -> u64 {
    tiles.fold(0, |hash, (square, tile)| hash ^ tile_hash(square, tile))
}

/// The hash of a tile on a board.
#[inline]
pub(super) fn tile_hash(square: Square, tile: Placed) -> u64 {
    mix((square.index(MAX_DIM) as u64) << 8 | u64::from(tile.to_bits()))
}
