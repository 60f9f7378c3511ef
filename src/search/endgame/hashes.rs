//! Incremental hashes of boards, lanes, racks and tiles. Each is made of the hashes of its parts,
//! so that a play changes it in a few steps.

use crate::movegen::lane_square::LaneSquare;
use crate::movegen::{LaneBoard, LaneNumber};
use crate::rules::layout::MAX_DIM;
use crate::rules::{Placed, Rack, Square, Tile};
use crate::search::randomness::mix;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The hash of all that placements in this lane depend on.
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

/// The sum of the hashes of its tiles: racks and what leaves them are hashed alike.
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

/// A map whose keys are hashes already.
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
