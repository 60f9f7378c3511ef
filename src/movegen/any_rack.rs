//! All placements of a given number of tiles from a pool, as if the pool were the rack.
//!
//! The walk is that of `generate.rs`, but what it tries depends on letters, not on tiles: a letter is placed as its own tile while the pool
//! has one, then as a blank, then as a tile *beyond* the pool, if those are asked for. So each placement of letters comes once, with as few
//! blanks and tiles beyond the pool as possible.
//!
//! Not here: what such plays say about a board (`search/board_life.rs`). Start with [`generate_any_rack`].

use crate::lexicon::word_graph::{NodeIndex, Reached, WordGraph};
use crate::movegen::found::{LaidWord, LaneTiles, Terms, WordPoints};
use crate::movegen::gaddag_walk::{self, AnchorWalk, WordPlace};
use crate::movegen::lane_numbers::LaneNumber;
use crate::movegen::lane_square::LaneSquare;
use crate::movegen::lanes::{LaneBoard, Lanes};
use crate::movegen::sinks::Sink;
use crate::rules::layout::MAX_DIM;
use crate::rules::tiles::MAX_LETTERS;
use crate::rules::units::Millipoints;
use crate::rules::{Placed, Rack, Tile};

/// Which placements are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TileDemand {
    /// The exact number of tiles placed.
    pub tiles: usize,
    /// The exact number of them that the pool lacks.
    pub beyond: usize,
}

/// Hands the sink every placement that some rack of tiles from the pool allows, each placement of letters once. Their equity is their
/// score.
///
/// # Panics
/// If the board has no bounds, see [`LaneBoard::without_bounds`].
pub fn generate_any_rack<S: Sink>(graph: &WordGraph, lanes: Lanes<'_>, pool: &Rack, demand: TileDemand, terms: &Terms<'_>, sink: &mut S) {
    const { assert!(!S::PRUNES, "bounds are for racks") };
    let board = lanes.board();
    assert!(board.has_bounds(), "the anchors' places in the word graph come with the bounds");
    let mut walk = AnyRackWalk {
        graph,
        board,
        demand,
        terms,
        sink,
        lane_number: LaneNumber::default(),
        lane: &[],
        left: pool.counts().map(i16::from),
        placed: 0,
        beyond: 0,
        word: [None; MAX_DIM],
    };
    for lane in lanes.iter() {
        (walk.lane_number, walk.lane) = (lane.number(), lane.squares());
        gaddag_walk::walk_lane(&mut walk, lane);
    }
}

/// Where the tile for a letter comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TileSource {
    OwnTile,
    Blank,
    Beyond,
}

/// A walk with the tiles of a pool.
struct AnyRackWalk<'a, S> {
    graph: &'a WordGraph,
    board: &'a LaneBoard,
    demand: TileDemand,
    terms: &'a Terms<'a>,
    sink: &'a mut S,
    lane_number: LaneNumber,
    lane: &'a [LaneSquare],
    /// Tiles of the pool not placed yet, by tile index.
    left: [i16; MAX_LETTERS + 1],
    placed: usize,
    /// How many of the tiles placed the pool lacks.
    beyond: usize,
    /// By position: the tiles placed.
    word: LaneTiles,
}

impl<S> AnyRackWalk<'_, S> {
    /// The first source that has a tile for a letter.
    fn source(&self, letter: usize) -> Option<TileSource> {
        if self.left[letter] > 0 {
            Some(TileSource::OwnTile)
        } else if self.left[Tile::BLANK.index()] > 0 {
            Some(TileSource::Blank)
        } else {
            (self.beyond < self.demand.beyond).then_some(TileSource::Beyond)
        }
    }

    /// Takes tiles from a source, or with -1 puts one back.
    fn count(&mut self, source: TileSource, letter: usize, tiles: i16) {
        match source {
            TileSource::OwnTile => self.left[letter] -= tiles,
            TileSource::Blank => self.left[Tile::BLANK.index()] -= tiles,
            TileSource::Beyond => self.beyond = self.beyond.wrapping_add_signed(tiles.into()),
        }
        self.placed = self.placed.wrapping_add_signed(tiles.into());
    }
}

impl<'a, S: Sink> AnchorWalk<'a> for AnyRackWalk<'a, S> {
    type Sum = WordPoints;

    fn graph(&self) -> &'a WordGraph {
        self.graph
    }

    fn lane(&self) -> &'a [LaneSquare] {
        self.lane
    }

    fn place_each(&mut self, list: NodeIndex, position: usize, points: WordPoints, mut go_on: impl FnMut(&mut Self, Reached, WordPoints)) {
        let square = &self.lane[position];
        for node in self.graph.siblings(list).filter(|node| square.cross_set.has_number(node.tile())) {
            let letter = node.tile() as usize;
            let (Some(source), Some(tile)) = (self.source(letter), Placed::from_bits(node.tile())) else { continue };
            let tile = if source == TileSource::Blank { tile.as_blank() } else { tile };
            let value = self.board.tile_values()[tile.rack_tile().index()] as i32;
            self.count(source, letter, 1);
            self.word[position] = Some(tile);
            go_on(self, Reached { list: node.arc(), accepts: node.accepts() }, points.with(square, value));
            self.word[position] = None;
            self.count(source, letter, -1);
        }
    }

    fn with_board_tile(points: WordPoints, square: &LaneSquare) -> WordPoints {
        points.through(square)
    }

    fn take_word(&mut self, place: WordPlace, points: WordPoints) {
        let WordPlace { first, end, .. } = place;
        let found = TileDemand { tiles: self.placed, beyond: self.beyond };
        if end - first < 2 || found != self.demand {
            return;
        }
        let word = LaidWord { board: self.board, lane: self.lane_number, first, end, tiles: &self.word, placed: self.placed };
        if let Some(found) = word.judge(points, Millipoints::ZERO, self.terms) {
            self.sink.take(&found);
        }
    }

    fn may_place(&self) -> bool {
        self.placed < self.demand.tiles
    }
}
