//! The placements of both sides, generated once for a lane and a rack and then filtered by what is left of the rack and
//! of the lane.
//!
//! A play changes about ten of thirty lanes. In the other lanes, a side's placements are those of its previous turn for
//! which it still has the tiles. In a changed lane, they are the earlier ones that do not depend on its changed
//! squares, and those generated for these squares. Lanes with the same contents also occur again and again. So the word
//! graph is walked rarely, for few tiles and in few places.

use crate::lexicon::word_graph::WordGraph;
use crate::movegen::found::{Found, Terms, score_here};
use crate::movegen::generate::generate_lane;
use crate::movegen::sinks::Sink;
use crate::movegen::{LaneBoard, LaneNumber, LaneSquares, RackValues};
use crate::rules::{Placement, Rack, Seat};
use crate::search::endgame::moves::{ByHash, LaneList, Move, MoveRange, MoveSummary};
use crate::search::endgame::packed_tiles::{PackedTiles, Packing};
use crate::search::endgame::state::{EndgameState, LaneState, ListAtRoot};
use crate::search::randomness::mix;

/// How many moves are kept before all are forgotten: about 60 MB per thread.
const MAX_MOVES: usize = 600_000;

/// Memory of a placement, and of a list in the map: twice what is in use, since vectors and maps reserve space to grow.
const MOVE_BYTES: usize = 2 * (size_of::<Move>() + size_of::<MoveSummary>() + size_of::<PackedTiles>());
const LIST_BYTES: usize = 2 * (size_of::<u64>() + size_of::<MoveRange>());

/// The placements found so far. They stay valid when the racks change, as long as all tiles are of the same pool.
///
/// The number of a move is its index in three vectors, which hold different parts of it because they are read at
/// different times.
#[derive(Clone, Debug)]
pub(super) struct PlacementLists {
    pub packing: Packing,
    /// The rack that placements were last generated for, in the generator's form.
    values: RackValues,
    values_of: PackedTiles,
    bingo_bonus: i32,
    bingo_tiles: usize,
    /// Bytes that the lists may take.
    room: usize,
    /// Increases whenever everything is forgotten.
    epoch: u32,
    /// By the hashes of a lane's contents and of a rack.
    known: ByHash<MoveRange>,
    tiles: Vec<PackedTiles>,
    pub summaries: Vec<MoveSummary>,
    pub moves: Vec<Move>,
}

impl PlacementLists {
    /// Creates empty lists.
    pub fn new(packing: Packing, board: &LaneBoard, bingo_bonus: i32, bingo_tiles: usize) -> PlacementLists {
        PlacementLists {
            packing,
            values: RackValues::bare(&Rack::EMPTY, board.tile_values()),
            values_of: PackedTiles::EMPTY,
            bingo_bonus,
            bingo_tiles,
            room: usize::MAX,
            epoch: 1,
            known: ByHash::default(),
            tiles: Vec::new(),
            summaries: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// The same lists with `bytes` bytes of memory. With less memory, more lists are generated again, with the same
    /// contents.
    pub fn with_room(self, bytes: usize) -> PlacementLists {
        PlacementLists { room: bytes, ..self }
    }

    /// Forgets everything if it takes too much memory. Numbers of moves are valid until then.
    pub fn make_room(&mut self) {
        // There are also lists without moves.
        let bytes = self.moves.len() * MOVE_BYTES + self.known.len() * LIST_BYTES;
        if self.moves.len() > MAX_MOVES || bytes > self.room {
            self.known.clear();
            self.tiles.clear();
            self.summaries.clear();
            self.moves.clear();
            self.epoch += 1;
        }
    }

    /// A side's placements.
    pub fn gather(&mut self, state: &mut EndgameState, side: Seat, graph: &WordGraph) -> Vec<Move> {
        self.make_room();
        // Only where last turns are counted may a player without tiles have a turn.
        if state.racks[side] == PackedTiles::EMPTY {
            return Vec::new();
        }
        let mut numbers = Vec::new();
        self.each(state, side, graph, |_, number, _| numbers.push(number));
        numbers.into_iter().map(|number| self.moves[number]).collect()
    }

    /// Calls `look` with the lane, the number, and the tiles of each of a side's placements.
    #[inline]
    pub fn each(&mut self, state: &mut EndgameState, side: Seat, graph: &WordGraph, mut look: impl FnMut(LaneNumber, usize, PackedTiles)) {
        let rack = state.racks[side];
        let held = self.packing.held(rack);
        for lane in state.board.lane_numbers() {
            let mut list = state.lanes[lane.index()].lists[side];
            // A turn that was tried before the others were generated may have left a list for a smaller rack.
            if list.epoch != self.epoch || !list.changed.is_empty() || !self.packing.held(list.rack).have(rack) {
                list = self.list(state, lane, side, graph);
                state.lanes[lane.index()].lists[side] = list;
            }
            // The list may be for more tiles than the rack has.
            let first = list.range.start as usize;
            for (at, &tiles) in self.tiles[first..list.range.end as usize].iter().enumerate() {
                if held.have(tiles) {
                    look(lane, first + at, tiles);
                }
            }
        }
    }

    fn terms(&self) -> Terms<'static> {
        Terms { bingo_bonus: self.bingo_bonus, bingo_tiles: self.bingo_tiles, opening: None }
    }

    /// Returns a placement of the pool's tiles as a move, without its score.
    pub fn without_score(&self, state: &EndgameState, placement: &Placement) -> Move {
        Move::new(&self.packing, &state.board, placement, 0)
    }

    /// Returns a placement from another position with its score in this one, if the side on turn can make it here.
    pub fn here(&self, state: &EndgameState, graph: &WordGraph, m: &Move) -> Option<Move> {
        if !self.packing.held(state.racks[state.turn]).have(m.tiles) {
            return None;
        }
        let score = score_here(graph, &state.board, &self.terms(), &m.placement)?;
        Some(Move { score, ..*m })
    }

    /// A side's placements in a lane.
    fn list(&mut self, state: &mut EndgameState, lane: LaneNumber, side: Seat, graph: &WordGraph) -> LaneList {
        let rack = state.racks[side];
        let key = state.lanes[lane.index()].hash ^ mix(state.rack_hashes[side]);
        let range = match self.known.get(&key) {
            Some(&known) => known,
            None => {
                // The placements from before the lane changed that are still possible, and those that the change opens.
                let (old, changed) = self.older_list(state, lane, side, graph);
                let first = self.moves.len();
                if let Some(old) = old {
                    self.filter(old, rack, changed);
                }
                if !changed.is_empty() {
                    self.generate(state, lane, changed, rack, graph);
                }
                let range = self.finish(first, state);
                self.known.insert(key, range);
                range
            }
        };
        LaneList { epoch: self.epoch, range, changed: LaneSquares::EMPTY, rack }
    }

    /// A list for a side's rack or a superset of it, and the squares of the lane that have changed since the list was
    /// made. Without a list, these are the whole lane.
    fn older_list(
        &mut self,
        state: &mut EndgameState,
        lane: LaneNumber,
        side: Seat,
        graph: &WordGraph,
    ) -> (Option<MoveRange>, LaneSquares) {
        let LaneState { lists, changed, .. } = state.lanes[lane.index()];
        // The list of an earlier turn on the way to this position.
        let old = lists[side];
        if old.epoch == self.epoch && self.packing.held(old.rack).have(state.racks[side]) {
            return (Some(old.range), old.changed);
        }
        // The list of the lane as it is at the root.
        let ListAtRoot { lane_hash, rack } = state.list_at_root(&self.packing, lane, side);
        let key = lane_hash ^ mix(rack.hash);
        if let Some(&known) = self.known.get(&key) {
            return (Some(known), changed);
        }
        // There is no such list. Making one pays only if other racks can use it and the lane is still the same.
        if !changed.is_empty() || rack.tiles == state.racks[side] {
            return (None, LaneSquares::WHOLE_LANE);
        }
        let first = self.moves.len();
        self.generate(state, lane, LaneSquares::WHOLE_LANE, rack.tiles, graph);
        let range = self.finish(first, state);
        self.known.insert(key, range);
        (Some(range), LaneSquares::EMPTY)
    }

    /// Adds the placements of a list that a rack has the tiles for and that do not depend on squares that have changed.
    fn filter(&mut self, range: MoveRange, rack: PackedTiles, changed: LaneSquares) {
        let held = self.packing.held(rack);
        for at in range.start as usize..range.end as usize {
            if held.have(self.tiles[at]) && !self.summaries[at].depends.meets(changed) {
                self.moves.push(self.moves[at]);
            }
        }
    }

    /// Makes a list of the moves from this one on. Their order does not depend on how they were found.
    fn finish(&mut self, first: usize, state: &EndgameState) -> MoveRange {
        self.moves[first..].sort_unstable_by_key(|m| m.hash);
        for m in &self.moves[first..] {
            let begin = state.board.lane_of(m.placement.start, m.placement.direction).position;
            self.tiles.push(m.tiles);
            let depends = LaneSquares::of_word(begin, begin + m.placement.word_len());
            let taken = (begin..).zip(m.placement.tiles()).map(|(at, tile)| LaneSquares::at_if(at, tile.is_some()));
            let takes = taken.fold(LaneSquares::EMPTY, |takes, square| takes | square);
            self.summaries.push(MoveSummary { depends, takes, score: m.score, points: m.points });
        }
        MoveRange { start: first as u32, end: self.moves.len() as u32 }
    }

    /// Adds the placements of these tiles that depend on at least one of these squares of a lane.
    fn generate(&mut self, state: &mut EndgameState, lane: LaneNumber, squares: LaneSquares, tiles: PackedTiles, graph: &WordGraph) {
        if self.values_of != tiles {
            self.values_of = tiles;
            self.values.reset(&self.packing.unpack(tiles), state.board.tile_values());
        }
        let lane = state.board.prepare_lane(lane, graph);
        let terms = self.terms();
        let mut sink = MoveCollector { packing: &self.packing, board: lane.board(), moves: &mut self.moves };
        generate_lane(graph, lane, squares, &self.values, &terms, &mut sink);
    }
}

/// Collects the generator's placements as moves.
struct MoveCollector<'a> {
    packing: &'a Packing,
    board: &'a LaneBoard,
    moves: &'a mut Vec<Move>,
}

impl Sink for MoveCollector<'_> {
    const PRUNES: bool = false;

    fn take(&mut self, found: &Found<'_>) {
        let placement = found.play().placement;
        self.moves.push(Move::new(self.packing, self.board, &placement, found.score));
    }
}
