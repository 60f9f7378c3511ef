//! Quick playouts: both sides play the most promising placement until the game is over.
//!
//! [`QuickPlayouts`] is for many games that begin on one board with the same tiles dealt in different ways. Placements
//! are generated once for a lane's contents and *all* tiles that are not on the board. Which of them a rack can make is
//! tested 64 at a time, beginning with the most promising ones (`ranked.rs`).
//!
//! What is left out, for the sake of speed:
//! - A playout considers only placements that are possible on the board where it begins and stay possible because
//!   nothing is placed on a square on which they depend ([`Squares::needed_by`]). It ignores what its own plays would
//!   open.
//! - Placements with a blank are those of the board without the candidate that stay possible, and use one blank.
//! - While there are tiles in the bag, leaves are looked up only for the [`FEW`] most promising placements.
//! - A player who can place tiles does so: there are no exchanges, and only forced passes.
//!
//! These playouts are therefore only a screen. Candidates that look good are searched, and played out on a board that
//! is kept up to date (`worker.rs`).

use crate::evaluation::Leaves;
use crate::evaluation::static_eval::worth_with_empty_bag;
use crate::lexicon::word_graph::WordGraph;
use crate::movegen::found::{Found, Terms};
use crate::movegen::generate::generate_lane;
use crate::movegen::lane_numbers::MAX_LANES;
use crate::movegen::sinks::Sink;
use crate::movegen::{LaneBoard, LaneNumber, LaneSquares, RackValues};
use crate::rules::units::Millipoints;
use crate::rules::{BySeat, Ending, GameRules, Play, Rack, Seat, Tile};
use crate::search::bag::Bag;
use crate::search::dealt_game::DealtGame;
use crate::search::endgame::moves::{ByHash, lane_hash};
use crate::search::endgame::packed_tiles::{self, PackedTiles, Packing};
use crate::search::endgame::ranked::{LackingRows, RankedList, RankedLists, RankedPlacement};
use crate::search::endgame::squares::{LaneNeeds, Squares};
use crate::search::randomness::mix;
use std::cmp::Reverse;

/// How many placements are kept before all are forgotten: about 80 MB per thread.
const MOST_PLACEMENTS: usize = 600_000;

/// Memory of a placement with its share of a block: twice what is in use, since vectors reserve space to grow.
const PLACEMENT_BYTES: usize = 2 * (size_of::<RankedPlacement>() + 8);

/// How many values of leaves are kept before all are forgotten.
const MOST_LEAVES: usize = 100_000;

/// How many placements a playout compares by score and leave.
const FEW: usize = 12;

/// Playouts of many deals after one candidate and then another, on one board. [`QuickPlayouts::begin`] sets the
/// candidate.
#[derive(Clone, Debug)]
pub struct QuickPlayouts<'a> {
    rules: &'a GameRules,
    graph: &'a WordGraph,
    leaves: &'a Leaves,
    packing: Packing,
    /// The tiles that are not on the board without the candidate.
    first_pool: PackedTiles,
    /// The board with the candidate, and the tiles that are not on it.
    board: LaneBoard,
    pool: PackedTiles,
    /// The squares that the candidate takes.
    candidate: Squares,
    lists: RankedLists,
    /// Bytes that the lists may take.
    room: usize,
    /// The placements of the list that is being made.
    new: Vec<RankedPlacement>,
    /// What candidates open in a lane, by the contents of the lane and the pool.
    opened: ByHash<RankedList>,
    /// The placements on the board without the candidate, by lane, once they are known: without blanks, and with one.
    plain_at_first: Option<Vec<RankedList>>,
    blank_at_first: Option<Vec<RankedList>>,
    /// The placements after the candidate; `None` until a candidate is ready.
    groups: Option<[ListGroup; 3]>,
    leave_values: ByHash<Millipoints>,
}

/// Lists that are searched in the same way, the one with the highest promise first.
#[derive(Clone, Debug)]
struct ListGroup {
    lists: Vec<RankedList>,
    /// Whether they are of use only for a rack with a blank.
    needs_blank: bool,
    /// Taken squares that the lists do not account for.
    taken: Squares,
}

/// The best placement so far. Its worth is in points with an empty bag, and otherwise in [`Millipoints`].
#[derive(Clone, Copy, Debug)]
struct BestPlacement<W> {
    number: usize,
    worth: W,
}

/// The value of going out with an empty bag.
#[derive(Clone, Copy, Debug)]
struct GoingOut {
    /// The row of the placements of the whole rack; `None` if there are none.
    row: Option<usize>,
    /// Points in addition to the promise.
    gain: i32,
}

impl<'a> QuickPlayouts<'a> {
    /// The most tiles that may be off the board.
    pub const MOST_TILES: usize = packed_tiles::MOST_TILES;

    /// Creates quick playouts that begin on this board. `pool` has all tiles that are not on it.
    ///
    /// # Panics
    /// If the pool has more than [`QuickPlayouts::MOST_TILES`] tiles.
    pub fn new(rules: &'a GameRules, graph: &'a WordGraph, leaves: &'a Leaves, board: &LaneBoard, pool: &Rack) -> QuickPlayouts<'a> {
        let packing = Packing::new(pool);
        let pool = packing.pack(pool);
        let mut board = board.clone().without_bounds();
        board.prepare(graph);
        QuickPlayouts {
            rules,
            graph,
            leaves,
            first_pool: pool,
            board,
            pool,
            candidate: Squares::NONE,
            lists: RankedLists::new(&packing, pool, rules.rack_size),
            packing,
            room: usize::MAX,
            new: Vec::new(),
            opened: ByHash::default(),
            plain_at_first: None,
            blank_at_first: None,
            groups: None,
            leave_values: ByHash::default(),
        }
    }

    /// The same playouts with `bytes` bytes for lists; the lists of one candidate may take more.
    /// Results do not depend on this limit.
    #[must_use]
    pub fn with_room(self, bytes: usize) -> QuickPlayouts<'a> {
        QuickPlayouts { room: bytes, ..self }
    }

    /// Prepares playouts that begin after this candidate, which is a placement of tiles of the pool or another kind of
    /// turn. Returns whether it finished before `is_over`; if not, playouts are impossible.
    pub fn begin(&mut self, candidate: &Play, is_over: &dyn Fn() -> bool) -> bool {
        self.groups = None;
        self.take_back_candidate();
        self.make_room();
        let placement = candidate.placement();
        if let Some(placement) = placement {
            self.pool = self.pool.without(self.packing.pack(&placement.rack_tiles()));
        }
        // The blank may also be in the bag.
        let has_blank = self.packing.has_blank(self.pool);
        if !self.find_first_lists(has_blank, is_over) {
            return false;
        }
        let mut changed = [LaneSquares::EMPTY; MAX_LANES];
        if let Some(placement) = placement {
            self.candidate = Squares::taken_by(placement);
            self.board.play(placement, self.graph);
            for square in self.board.squares_changed() {
                changed[square.place.lane.index()] |= LaneSquares::at(square.place.position);
            }
        }
        self.groups = self.group_lists(&changed, has_blank, is_over);
        self.groups.is_some()
    }

    fn take_back_candidate(&mut self) {
        if self.candidate != Squares::NONE {
            self.board.undo();
        }
        (self.pool, self.candidate) = (self.first_pool, Squares::NONE);
    }

    /// Forgets all placements if there are too many.
    fn make_room(&mut self) {
        if self.lists.len() > MOST_PLACEMENTS || self.lists.len() * PLACEMENT_BYTES > self.room {
            self.lists.clear();
            self.opened.clear();
            (self.plain_at_first, self.blank_at_first) = (None, None);
        }
    }

    /// Finds the placements on the board without the candidate, unless they are known. Returns whether it finished
    /// before `is_over`.
    fn find_first_lists(&mut self, has_blank: bool, is_over: &dyn Fn() -> bool) -> bool {
        let without_blanks = self.packing.without_blanks(self.first_pool);
        if self.plain_at_first.is_none() {
            self.plain_at_first = self.on_this_board(without_blanks, is_over);
        }
        if has_blank && self.blank_at_first.is_none() {
            self.blank_at_first = self.on_this_board(without_blanks.with(self.packing.one(Tile::BLANK)), is_over);
        }
        self.plain_at_first.is_some() && (!has_blank || self.blank_at_first.is_some())
    }

    /// The lists for playouts after the candidate, which has changed these squares, by lane. `None` if `is_over` comes
    /// first.
    fn group_lists(&mut self, changed: &[LaneSquares; MAX_LANES], has_blank: bool, is_over: &dyn Fn() -> bool) -> Option<[ListGroup; 3]> {
        let (mut after, mut before) = (Vec::new(), Vec::new());
        for (lane, list) in self.board.lane_numbers().zip(self.plain_at_first.clone()?) {
            let changed = changed[lane.index()];
            if changed.is_empty() {
                after.push(list);
                continue;
            }
            if is_over() {
                return None;
            }
            // Earlier placements stay possible unless the candidate is in their way; the candidate also opens new ones.
            before.push(list);
            after.push(self.what_opened(lane, changed));
        }
        let with_blank = if has_blank { self.blank_at_first.clone()? } else { Vec::new() };
        let group = |mut lists: Vec<RankedList>, needs_blank, taken| {
            lists.retain(|list| !list.is_empty());
            lists.sort_by_key(|list| Reverse(self.lists.most(list)));
            ListGroup { lists, needs_blank, taken }
        };
        Some([group(after, false, Squares::NONE), group(before, false, self.candidate), group(with_blank, true, self.candidate)])
    }

    /// The placements on the current board, by lane; `None` if `is_over` comes first.
    fn on_this_board(&mut self, pool: PackedTiles, is_over: &dyn Fn() -> bool) -> Option<Vec<RankedList>> {
        let lanes = self.board.lane_numbers();
        lanes.map(|lane| if is_over() { None } else { Some(self.generate(lane, LaneSquares::WHOLE_LANE, pool)) }).collect()
    }

    /// The placements in a lane of the board after the candidate that depend on squares that it has changed, without blanks.
    fn what_opened(&mut self, lane: LaneNumber, changed: LaneSquares) -> RankedList {
        let key = lane_hash(&self.board, lane) ^ mix(self.pool.hash());
        if let Some(known) = self.opened.get(&key) {
            return *known;
        }
        let list = self.generate(lane, changed, self.packing.without_blanks(self.pool));
        self.opened.insert(key, list);
        list
    }

    /// Lists the placements of a pool in a lane that depend on one of these squares. If the pool has a blank, only those with a blank.
    fn generate(&mut self, lane: LaneNumber, squares: LaneSquares, pool: PackedTiles) -> RankedList {
        let values = RackValues::bare(&self.packing.unpack(pool), self.board.tile_values());
        let terms = Terms::of(self.rules);
        self.new.clear();
        let has_blank = self.packing.has_blank(pool);
        let needs = LaneNeeds::of(&self.board, lane);
        let ending = self.rules.ending;
        let lane = self.board.prepare_lane(lane, self.graph);
        let mut sink = RankedCollector { packing: &self.packing, board: lane.board(), ending, needs, has_blank, placements: &mut self.new };
        generate_lane(self.graph, lane, squares, &values, &terms, &mut sink);
        self.lists.add(&self.new)
    }

    /// The final lead of the first seat when both play greedily from here on, `seat` first.
    ///
    /// With tiles in the bag, they play by score and leave. With an empty bag, they play by score, by what going out
    /// gains, and by what the tiles kept cost if the other side goes out, like static equity
    /// (`evaluation/static_eval.rs`). A player who can place nothing passes; two passes in a row end the game. In
    /// variants where each player has one more turn once the bag is empty, they play these turns for points alone.
    ///
    /// # Panics
    /// Unless a candidate is ready, as [`QuickPlayouts::begin`] reports.
    pub fn play_out(&mut self, game: &DealtGame, seat: Seat) -> i32 {
        // PERF: the variant is checked once per playout, not on every turn.
        if self.rules.variant.last_turns().is_some() { self.play_out_by::<true>(game, seat) } else { self.play_out_by::<false>(game, seat) }
    }

    fn play_out_by<const LAST_TURNS: bool>(&mut self, game: &DealtGame, mut seat: Seat) -> i32 {
        let mut line = PackedGame {
            racks: game.racks.map(|rack| self.packing.pack(&rack)),
            points: game.racks.map(|rack| rack.value(&self.rules.distribution)),
            bag: game.bag.clone(),
            spread: game.spread(),
        };
        let mut taken = Squares::NONE;
        let mut passed = false;
        let mut countdown = game.countdown();
        loop {
            if LAST_TURNS && countdown.last_turns == Some(0) {
                return line.spread;
            }
            let best = self.best_of::<LAST_TURNS>(line.racks[seat], line.points[seat.opponent()], line.bag.is_empty(), &taken);
            match best {
                None if passed && (!LAST_TURNS || countdown.last_turns.is_none()) => {
                    return line.spread + self.rules.ending.lead_when_stuck(line.points[Seat::First], line.points[Seat::Second]);
                }
                None => passed = true,
                Some(number) => {
                    passed = false;
                    if self.take_turn(&mut line, seat, number) && !LAST_TURNS {
                        return line.spread;
                    }
                    taken = taken.with(&Squares::taken_by(&self.lists.placement(number).placement));
                }
            }
            if LAST_TURNS {
                countdown.last_turns = countdown.last_turns_after(self.rules.variant, line.bag.is_empty());
            }
            seat = seat.opponent();
        }
    }

    /// The first placement of a rack with an empty bag, and its worth in points.
    #[cfg(test)]
    pub fn first_play(&mut self, rack: &Rack, other_points: i32) -> Option<(crate::rules::Placement, i32)> {
        let best = self.best_with_empty_bag::<false>(self.packing.pack(rack), other_points, &Squares::NONE)?;
        Some((self.lists.placement(best.number).placement, best.worth))
    }

    /// Makes the placement, scores it, and draws tiles. Returns whether that ends the game.
    fn take_turn(&self, line: &mut PackedGame, seat: Seat, number: usize) -> bool {
        let RankedPlacement { tiles, points, score, .. } = *self.lists.placement(number);
        let sign = if seat == Seat::First { 1 } else { -1 };
        line.spread += sign * score;
        line.racks[seat] = line.racks[seat].without(tiles);
        line.points[seat] -= points;
        if !line.bag.is_empty() {
            let mut drawn = Rack::EMPTY;
            let room = self.rules.rack_size - self.packing.len(line.racks[seat]);
            line.bag.draw(seat, &mut drawn, room);
            line.racks[seat] = line.racks[seat].with(self.packing.pack(&drawn));
            line.points[seat] += drawn.value(&self.rules.distribution);
        }
        let is_out = line.racks[seat] == PackedTiles::EMPTY;
        if is_out {
            line.spread += sign * self.rules.ending.lead_for_going_out(line.points[seat.opponent()]);
        }
        is_out
    }

    /// The best placement for a rack. `taken` are the squares taken since the playout began.
    fn best_of<const LAST_TURNS: bool>(
        &mut self,
        rack: PackedTiles,
        other_points: i32,
        bag_is_empty: bool,
        taken: &Squares,
    ) -> Option<usize> {
        if bag_is_empty {
            return self.best_with_empty_bag::<LAST_TURNS>(rack, other_points, taken).map(|best| best.number);
        }
        let has_blank = self.packing.has_blank(rack);
        let groups = self.groups.as_ref().expect("a candidate is ready").iter().filter(|group| has_blank || !group.needs_blank);
        let lacking = self.lists.lacking(rack);
        // A few placements of each group, compared by score and leave.
        let few: Vec<usize> = groups.flat_map(|group| self.first_few(&group.lists, &lacking, &taken.with(&group.taken))).collect();
        if self.leave_values.len() > MOST_LEAVES {
            self.leave_values.clear();
        }
        let mut best = None;
        for number in few {
            let kept = rack.without(self.lists.placement(number).tiles);
            let leave = self.leave_values.entry(kept.hash()).or_insert_with(|| self.leaves.value(&self.packing.unpack(kept)));
            let worth = Millipoints::from_points(self.lists.placement(number).score) + *leave;
            if self.is_better(number, worth, best) {
                best = Some(BestPlacement { number, worth });
            }
        }
        best.map(|best| best.number)
    }

    /// The best placement for a rack with an empty bag. Its worth is in points.
    fn best_with_empty_bag<const LAST_TURNS: bool>(
        &self,
        rack: PackedTiles,
        other_points: i32,
        taken: &Squares,
    ) -> Option<BestPlacement<i32>> {
        let has_blank = self.packing.has_blank(rack);
        let groups = self.groups.as_ref().expect("a candidate is ready").iter().filter(|group| has_blank || !group.needs_blank);
        let lacking = self.lists.lacking(rack);
        // A promise already counts the placed tiles. So going out gains, in addition, only its difference from a play
        // that keeps tiles worth no points.
        let [out, not_out] = [None, Some(0)].map(|kept| worth_with_empty_bag(self.rules.ending, kept, other_points));
        let going_out = GoingOut { row: self.lists.row_of_size(self.packing.len(rack)), gain: if LAST_TURNS { 0 } else { out - not_out } };
        let mut best = None;
        for group in groups {
            self.best_in(&group.lists, &lacking, going_out, &taken.with(&group.taken), &mut best);
        }
        best
    }

    /// The best placement of these lists with an empty bag, if it is better than the best so far.
    fn best_in(
        &self,
        lists: &[RankedList],
        lacking: &LackingRows,
        going_out: GoingOut,
        taken: &Squares,
        best: &mut Option<BestPlacement<i32>>,
    ) {
        for list in lists {
            let mut is_found = false;
            for block in self.lists.blocks(list) {
                // From here on nothing is better, even by going out.
                if best.is_some_and(|best| block.most + going_out.gain < best.worth) {
                    break;
                }
                let outs = going_out.row.map_or(0, |row| block.row(row));
                if is_found && outs == 0 {
                    continue;
                }
                let possible = block.possible(lacking);
                // The first placement with nothing in its way is the best one.
                let mut first_of = |bits: u64, gain: i32| {
                    let first = block.numbers(bits).find(|&number| self.lists.placement(number).needed.are_apart_from(taken))?;
                    let worth = self.lists.placement(first).promise + gain;
                    if self.is_better(first, worth, *best) {
                        *best = Some(BestPlacement { number: first, worth });
                    }
                    Some(first)
                };
                is_found = is_found || first_of(possible, 0).is_some();
                if first_of(possible & outs, going_out.gain).is_some() {
                    break;
                }
            }
        }
    }

    /// The most promising of the possible placements of these lists, in order.
    fn first_few(&self, lists: &[RankedList], lacking: &LackingRows, taken: &Squares) -> Vec<usize> {
        let mut few: Vec<usize> = Vec::with_capacity(FEW);
        for list in lists {
            'list: for block in self.lists.blocks(list) {
                if few.len() == FEW && block.most < self.lists.placement(few[FEW - 1]).promise {
                    break;
                }
                for number in block.numbers(block.possible(lacking)) {
                    let placement = self.lists.placement(number);
                    if few.len() == FEW && self.lists.placement(few[FEW - 1]).ranking(placement).is_le() {
                        break 'list;
                    }
                    if placement.needed.are_apart_from(taken) {
                        few.truncate(FEW - 1);
                        let place = few.partition_point(|&other| self.lists.placement(other).ranking(placement).is_lt());
                        few.insert(place, number);
                    }
                }
            }
        }
        few
    }

    /// Higher worth first; equal ones in the order of their placements, so that the choice does not depend on the order of lists.
    fn is_better<W: Copy + Ord>(&self, number: usize, worth: W, best: Option<BestPlacement<W>>) -> bool {
        let placement = |number: usize| &self.lists.placement(number).placement;
        best.is_none_or(|best| worth > best.worth || worth == best.worth && placement(number) < placement(best.number))
    }
}

/// A dealt game, packed.
struct PackedGame {
    racks: BySeat<PackedTiles>,
    /// Points of each rack.
    points: BySeat<i32>,
    bag: Bag,
    /// Lead of the first seat, points.
    spread: i32,
}

/// Collects the generator's placements: those with a blank, or those without.
struct RankedCollector<'a> {
    packing: &'a Packing,
    board: &'a LaneBoard,
    ending: Ending,
    needs: LaneNeeds,
    has_blank: bool,
    placements: &'a mut Vec<RankedPlacement>,
}

impl Sink for RankedCollector<'_> {
    const PRUNES: bool = false;

    fn take(&mut self, found: &Found<'_>) {
        let placement = found.play().placement;
        let placed = placement.tiles().iter().flatten().map(|placed| placed.rack_tile());
        let tiles = placed.fold(PackedTiles::EMPTY, |tiles, tile| tiles.with(self.packing.one(tile)));
        if self.packing.has_blank(tiles) == self.has_blank {
            let values = self.board.tile_values();
            let points: i32 = placement.tiles().iter().flatten().map(|placed| i32::from(values[placed.rack_tile().index()])).sum();
            let promise = found.score + self.ending.lead_for_going_out(points);
            let score = found.score;
            let needed = self.needs.of_placement(self.board, &placement);
            self.placements.push(RankedPlacement { tiles, promise, score, points, placement, needed });
        }
    }
}
