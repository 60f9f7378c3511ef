//! A placement with the data that the search needs, and the list of a side's placements in a lane.
//!
//! Not here: how the lists are made and kept (`lists.rs`).

use crate::movegen::{LaneBoard, LaneSquares};
use crate::rules::Placement;
use crate::search::endgame::hashes::{rack_tile_hash, tile_hash, tiles_hash};
use crate::search::endgame::packed_tiles::{PackedTiles, Packing};
use crate::search::endgame::table::MoveCode;

/// A placement with what the search needs of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    /// The tiles that leave the rack.
    pub tiles: PackedTiles,
    /// What it changes in the board's hash.
    pub hash: u64,
    /// What it takes from the rack's hash.
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
    pub fn of_the_board(placement: &Placement) -> Move {
        let hash = tiles_hash(placement.placed());
        Move { tiles: PackedTiles::EMPTY, hash, rack_hash: 0, placement: *placement, score: 0, points: 0 }
    }

    /// Its code in the table. Two placements of one position share one with a chance of 2^-32, which costs time and nothing else.
    #[inline]
    pub fn code(&self) -> MoveCode {
        MoveCode((self.hash as u32).max(2))
    }
}

/// The part of a placement that is checked before the whole of it is read: a [`Move`] is large.
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

/// A side's placements in a lane: numbers of moves that hold as long as the epoch is that of the lists.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LaneList {
    pub epoch: u32,
    pub range: MoveRange,
    /// The squares of the lane that have changed since.
    pub changed: LaneSquares,
    /// The rack it was made for. It holds what any part of this rack can do.
    pub rack: PackedTiles,
}

impl LaneList {
    /// The placements were not looked for yet.
    pub const UNKNOWN: LaneList =
        LaneList { epoch: 0, range: MoveRange { start: 0, end: 0 }, changed: LaneSquares::EMPTY, rack: PackedTiles::EMPTY };
}
