//! An endgame position that makes and unmakes plays, with board, racks and hash kept up to date.

use crate::lexicon::word_graph::WordGraph;
use crate::movegen::lane_numbers::{LanePlace, MAX_LANES};
use crate::movegen::lanes::ChangedSquare;
use crate::movegen::{LaneBoard, LaneNumber, LaneSquares};
use crate::rules::{BySeat, Ending, Rack, Seat};
use crate::search::endgame::moves::{LaneList, Move, lane_hash, rack_hash, square_hash};
use crate::search::endgame::packed_tiles::{PackedTiles, Packing};
use crate::search::endgame::types::{EndgameDeal, RackSupersets};
use crate::search::randomness::mix;

/// What is kept for a lane: a hash of its squares, and each side's placements in it once they are known.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LaneState {
    pub hash: u64,
    pub lists: BySeat<LaneList>,
    /// The squares that have changed since the root.
    pub changed: LaneSquares,
}

/// A packed rack with its hash.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct HashedTiles {
    pub tiles: PackedTiles,
    pub hash: u64,
}

impl HashedTiles {
    fn new(packing: &Packing, rack: &Rack) -> HashedTiles {
        HashedTiles { tiles: packing.pack(rack), hash: rack_hash(rack) }
    }
}

/// A board's lanes as hashes, and for each side the tiles for which placements in these lanes are generated.
#[derive(Clone, Copy, Debug)]
struct LaneSupersets {
    lanes: [u64; MAX_LANES],
    racks: BySeat<HashedTiles>,
}

/// The tiles for which a lane's placements at the root are generated. If there are more of them than on the rack, the
/// placements also serve other racks.
#[derive(Clone, Copy, Debug)]
pub(super) struct ListAtRoot {
    /// The lane's hash at the root.
    pub lane_hash: u64,
    pub rack: HashedTiles,
}

/// The data for taking a play back, apart from the play itself.
#[derive(Clone, Copy, Debug)]
struct UndoMark {
    hash: u64,
    passed: bool,
    lanes_logged: usize,
}

/// The hash of the fact that the previous turn was a pass.
const PASSED_HASH: u64 = 0x5bd1_e995_9d1d_8a41;

/// A position of an endgame. Each side has a seat, and the first one is on turn at the root.
#[derive(Clone, Debug)]
pub(super) struct EndgameState {
    pub board: LaneBoard,
    /// The adjustments at the end of the game.
    pub ending: Ending,
    pub lanes: [LaneState; MAX_LANES],
    pub racks: BySeat<PackedTiles>,
    /// Points of each rack.
    pub points: BySeat<i32>,
    /// Hash of each rack.
    pub rack_hashes: BySeat<u64>,
    /// The side on turn.
    pub turn: Seat,
    /// Whether the previous turn was a pass, so that one more ends the game.
    pub passed: bool,
    /// Hash of all tiles on the board.
    board_hash: u64,
    undo: Vec<UndoMark>,
    /// Lanes as they were before the plays that have not been taken back.
    lane_log: Vec<(LaneNumber, LaneState)>,
    /// For lanes as they are on the first board.
    on_first_board: LaneSupersets,
    /// For lanes as they are at the root.
    at_root: LaneSupersets,
}

impl EndgameState {
    /// Creates a position without racks on this board, whose tiles have this hash. [`EndgameState::deal`] must come
    /// next.
    pub fn new(board: LaneBoard, board_hash: u64, ending: Ending) -> EndgameState {
        let mut lanes = [LaneState::default(); MAX_LANES];
        for lane in board.lane_numbers() {
            lanes[lane.index()].hash = lane_hash(&board, lane);
        }
        let supersets = LaneSupersets { lanes: lanes.map(|lane| lane.hash), racks: BySeat::default() };
        EndgameState {
            board,
            ending,
            lanes,
            racks: BySeat([PackedTiles::EMPTY; 2]),
            points: BySeat::default(),
            rack_hashes: BySeat::default(),
            turn: Seat::First,
            passed: false,
            board_hash,
            undo: Vec::new(),
            lane_log: Vec::new(),
            on_first_board: supersets,
            at_root: supersets,
        }
    }

    /// Makes this position the root, with new racks and the first side on turn.
    pub fn deal(&mut self, packing: &Packing, deal: &EndgameDeal) {
        for lane in &mut self.lanes {
            (lane.lists, lane.changed) = (BySeat([LaneList::UNKNOWN; 2]), LaneSquares::EMPTY);
        }
        let RackSupersets { on_first_board, here } = deal.supersets;
        let hashed = |racks| BySeat(racks).map(|rack| HashedTiles::new(packing, &rack));
        self.on_first_board.racks = hashed(on_first_board);
        self.at_root = LaneSupersets { lanes: self.lanes.map(|lane| lane.hash), racks: hashed(here) };
        let racks = BySeat(deal.racks);
        self.racks = racks.map(|rack| packing.pack(&rack));
        self.points = racks.map(|rack| points_of(&rack, &self.board));
        self.rack_hashes = racks.map(|rack| rack_hash(&rack));
        (self.turn, self.passed) = (Seat::First, deal.passed);
    }

    /// How the lead of the side on turn changes when both sides are stuck, points.
    #[inline]
    pub fn lead_when_stuck(&self) -> i32 {
        self.ending.lead_when_stuck(self.points[self.turn], self.points[self.turn.opponent()])
    }

    /// How the lead of the side on turn changes when it goes out, points.
    #[inline]
    pub fn lead_for_going_out(&self) -> i32 {
        self.ending.lead_for_going_out(self.points[self.turn.opponent()])
    }

    /// The hash of the board, the mover's rack, the other rack, and whether the previous turn was a pass.
    #[inline]
    pub fn hash(&self) -> u64 {
        let racks = self.rack_hashes[self.turn].wrapping_add(self.rack_hashes[self.turn.opponent()].rotate_left(17));
        mix(self.board_hash ^ racks ^ if self.passed { PASSED_HASH } else { 0 })
    }

    /// The side on turn makes this placement.
    pub fn play(&mut self, m: &Move, graph: &WordGraph) {
        self.undo.push(UndoMark { hash: self.board_hash, passed: self.passed, lanes_logged: self.lane_log.len() });
        self.board.play(&m.placement, graph);
        // A lane is logged when the first of its squares changes. A square may be reported twice, but changes the hash
        // only once.
        let mut changed = [LaneSquares::EMPTY; MAX_LANES];
        for ChangedSquare { place: LanePlace { lane, position }, before } in self.board.squares_changed() {
            let (changed, state) = (&mut changed[lane.index()], &mut self.lanes[lane.index()]);
            if changed.has(position) {
                continue;
            }
            if changed.is_empty() {
                self.lane_log.push((lane, *state));
            }
            *changed |= LaneSquares::at(position);
            state.hash ^= square_hash(position, before) ^ square_hash(position, &self.board.lane(lane)[position]);
        }
        // Placements that do not depend on these squares stay the same.
        for &(lane, _) in &self.lane_log[self.undo.last().map_or(0, |undo| undo.lanes_logged)..] {
            let (lane, changed) = (&mut self.lanes[lane.index()], changed[lane.index()]);
            lane.changed |= changed;
            for list in &mut lane.lists.0 {
                list.changed |= changed;
            }
        }
        self.board_hash ^= m.hash;
        self.racks[self.turn] = self.racks[self.turn].without(m.tiles);
        self.points[self.turn] -= m.points;
        self.rack_hashes[self.turn] = self.rack_hashes[self.turn].wrapping_sub(m.rack_hash);
        self.turn = self.turn.opponent();
        self.passed = false;
    }

    /// Takes back the last [`EndgameState::play`], which was of this move.
    pub fn take_back(&mut self, m: &Move) {
        let undo = self.undo.pop().expect("a play to take back");
        self.board.undo();
        while self.lane_log.len() > undo.lanes_logged {
            let (lane, old) = self.lane_log.pop().expect("longer than the mark");
            self.lanes[lane.index()] = old;
        }
        (self.board_hash, self.passed) = (undo.hash, undo.passed);
        self.turn = self.turn.opponent();
        self.racks[self.turn] = self.racks[self.turn].with(m.tiles);
        self.points[self.turn] += m.points;
        self.rack_hashes[self.turn] = self.rack_hashes[self.turn].wrapping_add(m.rack_hash);
    }

    /// Passes. The previous turn must not have been a pass.
    pub fn pass(&mut self) {
        debug_assert!(!self.passed, "the second pass ends the game");
        self.passed = true;
        self.turn = self.turn.opponent();
    }

    /// Takes back the last [`EndgameState::pass`].
    pub fn take_back_pass(&mut self) {
        self.passed = false;
        self.turn = self.turn.opponent();
    }

    /// The tiles for which a side's placements in a lane are generated at the root: its rack, or a superset of it.
    pub fn list_at_root(&self, packing: &Packing, lane: LaneNumber, side: Seat) -> ListAtRoot {
        let lane_hash = self.at_root.lanes[lane.index()];
        // A lane that is the same as on the first board serves the questions about all boards.
        let supersets = if self.on_first_board.lanes[lane.index()] == lane_hash { &self.on_first_board } else { &self.at_root };
        let own = HashedTiles { tiles: self.racks[side], hash: self.rack_hashes[side] };
        let superset = supersets.racks[side];
        ListAtRoot { lane_hash, rack: if packing.held(superset.tiles).have(own.tiles) { superset } else { own } }
    }
}

/// The points of all tiles of a rack.
fn points_of(rack: &Rack, board: &LaneBoard) -> i32 {
    rack.distinct().map(|(tile, count)| i32::from(board.tile_values()[tile.index()]) * i32::from(count)).sum()
}
