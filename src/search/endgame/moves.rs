//! A placement with the data that the search needs, and the list of a side's placements in a lane. Also the hashes of
//! boards, lanes, racks and tiles. Each combines the hashes of its parts, so that a placement updates it in a few
//! steps.
//!
//! Not here: how the lists are made and kept (`lists.rs`).

use crate::movegen::lane_square::LaneSquare;
use crate::movegen::{LaneBoard, LaneNumber, LaneSquares};
use crate::rules::layout::MAX_DIM;
use crate::rules::{Placed, Placement, Rack, Square, Tile};
use crate::search::endgame::packed_tiles::{PackedTiles, Packing};
use crate::search::endgame::table::MoveCode;
use crate::search::randomness::mix;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A placement with the data that the search needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    /// The tiles that leave the rack.
    pub tiles: PackedTiles,
    /// How it changes the board's hash.
    pub hash: u64,
    /// The amount that it subtracts from the rack's hash.
    pub rack_hash: u64,
    pub placement: Placement,
    /// Points it makes.
    pub score: i32,
    /// Points of the tiles that leave the rack.
    pub points: i32,
}

impl Move {
    /// A placement of the pool's tiles, with its score.
    pub fn new(packing: &Packing, board: &LaneBoard, placement: &Placement, score: i32) -> Move {
        let mut m = Move { tiles: PackedTiles::EMPTY, hash: 0, rack_hash: 0, placement: *placement, score, points: 0 };
        for (square, placed) in placement.placed() {
            let tile = placed.rack_tile();
            m.tiles = m.tiles.with(packing.one(tile));
            m.hash ^= tile_hash(square, placed);
            m.rack_hash = m.rack_hash.wrapping_add(rack_tile_hash(tile));
            m.points += i32::from(board.tile_values()[tile.index()]);
        }
        m
    }

    /// A placement that changes the board and no rack.
    pub fn without_rack(placement: &Placement) -> Move {
        let hash = tiles_hash(placement.placed());
        Move { tiles: PackedTiles::EMPTY, hash, rack_hash: 0, placement: *placement, score: 0, points: 0 }
    }

    /// Its code in the table. Two placements of one position share a code with a chance of 2^-32, which costs only
    /// time.
    #[inline]
    pub fn code(&self) -> MoveCode {
        MoveCode((self.hash as u32).max(2))
    }
}

/// The part of a placement that is checked before the rest is read, since a [`Move`] is large.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveSummary {
    /// The squares of its lane on which its word depends.
    pub depends: LaneSquares,
    /// The squares of its lane on which it puts tiles.
    pub takes: LaneSquares,
    /// Points it makes.
    pub score: i32,
    /// Points of the tiles that leave the rack.
    pub points: i32,
}

/// Numbers of moves, from `start` up to `end`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct MoveRange {
    pub start: u32,
    pub end: u32,
}

/// A side's placements in a lane: numbers of moves that are valid as long as the epoch is that of the lists.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LaneList {
    pub epoch: u32,
    pub range: MoveRange,
    /// The squares of the lane that have changed since.
    pub changed: LaneSquares,
    /// The rack it was made for. The list also has the placements of any part of this rack.
    pub rack: PackedTiles,
}

impl LaneList {
    /// The placements have not been generated yet.
    pub const UNKNOWN: LaneList =
        LaneList { epoch: 0, range: MoveRange { start: 0, end: 0 }, changed: LaneSquares::EMPTY, rack: PackedTiles::EMPTY };
}

/// The hash of everything that placements in this lane depend on.
pub(super) fn lane_hash(board: &LaneBoard, lane: LaneNumber) -> u64 {
    board.lane(lane).iter().enumerate().fold(mix(lane.index() as u64), |hash, (position, square)| hash ^ square_hash(position, square))
}

/// What a square adds to the hash of its lane.
#[inline]
pub(super) fn square_hash(position: usize, square: &LaneSquare) -> u64 {
    let small = square.tile.map_or(0, Placed::to_bits) as u64
        | (square.cross_sum as u16 as u64) << 8
        | (square.has_cross() as u64) << 24
        | (square.is_hook() as u64) << 25
        | (position as u64) << 26;
    mix(square.cross_set.bits() ^ mix(small))
}

/// The sum of the hashes of its tiles: racks and the tiles that leave them are hashed in the same way.
pub(super) fn rack_hash(rack: &Rack) -> u64 {
    rack.tiles().fold(0, |hash: u64, tile| hash.wrapping_add(rack_tile_hash(tile)))
}

/// The hash of a tile on a rack.
#[inline]
pub(super) fn rack_tile_hash(tile: Tile) -> u64 {
    mix(tile.index() as u64 + 1)
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

/// A map whose keys are already hashes.
pub(super) type ByHash<T> = HashMap<u64, T, BuildHasherDefault<KeyIsHash>>;

/// The hasher of [`ByHash`]: it takes the key as it is.
#[derive(Default)]
pub(super) struct KeyIsHash(u64);

impl Hasher for KeyIsHash {
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
