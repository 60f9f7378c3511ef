//! Quick playouts: both sides play the placement that promises most, until the game is over.
//!
//! [`QuickPlayouts`] is for many games that begin on one board with the same tiles dealt in different ways, as a pre-endgame asks
//! for. Placements are generated once for a lane's contents and *all* tiles that are not on the board; what a rack can do of them is
//! asked 64 at a time, from those on that promise most (`ranked.rs`).
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
use crate::movegen::found::{Found, Terms};
use crate::movegen::generate::{WHOLE_LANE, generate_lane};
use crate::movegen::lanes::MAX_LANES;
use crate::movegen::sinks::Sink;
use crate::movegen::{LaneBoard, RackValues};
use crate::rules::{GameRules, Play, Rack};
use crate::search::bag::Bag;
use crate::search::dealt_game::DealtGame;
use crate::search::endgame::moves::AsItIs;
use crate::search::endgame::ranked::{Entry, Lacking, List, Ranked};
use crate::search::endgame::squares::{LaneNeeds, Squares};
use crate::search::endgame::state::{Packing, Tiles, lane_hash};
use crate::search::randomness::mix;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

/// Placements kept before all are forgotten: about 80 MB a thread.
const MOST_PLACEMENTS: usize = 600_000;

/// Values of leaves kept before all are forgotten.
const MOST_LEAVES: usize = 100_000;

/// Placements that are compared with their leaves in a playout.
const FEW: usize = 12;

type Known<T> = HashMap<u64, T, BuildHasherDefault<AsItIs>>;

/// See the module's text.
#[derive(Clone, Debug)]
pub struct QuickPlayouts<'a> {
    rules: &'a GameRules,
    graph: &'a WordGraph,
    leaves: &'a Leaves,
    packing: Packing,
    /// The tiles that are not on the board without the candidate.
    first_pool: Tiles,
    /// The board with the candidate, the tiles that are not on it, and the squares that the candidate takes.
    board: LaneBoard,
    pool: Tiles,
    taken: Squares,
    entries: Ranked,
    /// Those of the lane on hand.
    new: Vec<Entry>,
    /// By the contents of a lane and the pool.
    known: Known<List>,
    /// By lane: what can be placed on the board without the candidate, without blanks and with one.
    first: Option<Vec<List>>,
    first_with_blank: Option<Vec<List>>,
    /// What can be placed after the candidate: without blanks; of the board without the candidate, in lanes that it changes, as far as it
    /// stays possible; and so with a blank. Lists with the highest promise first.
    plain: Vec<List>,
    kept: Vec<List>,
    blanks: Vec<List>,
    leave_values: Known<i32>,
}

impl<'a> QuickPlayouts<'a> {
    /// Whether playouts are possible with these tiles: there may be too many kinds of them.
    pub fn can_hold(pool: &Rack) -> bool {
        Packing::can_hold(pool)
    }

    /// Quick playouts from this board on. `pool` has all tiles that are not on it.
    ///
    /// # Panics
    /// If it [cannot hold](QuickPlayouts::can_hold) them.
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
            first_pool: pool,
            board,
            pool,
            taken: Squares::NONE,
            entries: Ranked::new(pool, rules.rack_size),
            new: Vec::new(),
            known: Known::default(),
            first: None,
            first_with_blank: None,
            plain: Vec::new(),
            kept: Vec::new(),
            blanks: Vec::new(),
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
        if self.entries.len() > MOST_PLACEMENTS {
            self.entries.clear();
            self.known.clear();
            (self.first, self.first_with_blank) = (None, None);
        }
        let placement = candidate.placement();
        if let Some(placement) = placement {
            self.pool = self.pool.without(self.packing.pack(&placement.rack_tiles()));
        }
        let without_blanks = self.packing.without_blanks(self.first_pool);
        if self.first.is_none() {
            self.first = self.on_this_board(without_blanks, is_over);
        }
        // Also where it is the bag that holds the blank.
        let has_blank = self.packing.has_blank(self.pool);
        if has_blank && self.first_with_blank.is_none() {
            self.first_with_blank = self.on_this_board(without_blanks.with(Tiles(1)), is_over);
        }
        self.plain.clear();
        self.kept.clear();
        self.blanks.clear();
        let Some(first) = self.first.clone() else { return false };
        if has_blank {
            let Some(lists) = &self.first_with_blank else { return false };
            self.blanks.extend(lists);
        }
        let mut changed = [0; MAX_LANES];
        if let Some(placement) = placement {
            self.taken = Squares::taken_by(placement);
            self.board.play(placement, self.graph);
            for (lane, position, _) in self.board.squares_changed() {
                changed[lane] |= 1 << position;
            }
        }
        for (lane, list) in first.into_iter().enumerate() {
            if changed[lane] == 0 {
                self.plain.push(list);
                continue;
            }
            if is_over() {
                return false;
            }
            self.kept.push(list);
            let opened = self.opened(lane, changed[lane]);
            self.plain.push(opened);
        }
        for lists in [&mut self.plain, &mut self.kept, &mut self.blanks] {
            lists.retain(|list| !list.is_empty());
            lists.sort_by_key(|list| Reverse(self.entries.most(list)));
        }
        true
    }

    /// What can be placed on the board as it is, by lane; `None` if it is over before.
    fn on_this_board(&mut self, pool: Tiles, is_over: &dyn Fn() -> bool) -> Option<Vec<List>> {
        (0..self.board.lane_count()).map(|lane| if is_over() { None } else { Some(self.generate((lane, WHOLE_LANE), pool)) }).collect()
    }

    /// The entries of a lane of the board after the candidate that depend on squares that it has changed, without blanks.
    fn opened(&mut self, lane: usize, changed: u32) -> List {
        let key = lane_hash(&self.board, lane) ^ mix(self.pool.hash());
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let list = self.generate((lane, changed), self.packing.without_blanks(self.pool));
        self.known.insert(key, list);
        list
    }

    /// Adds the entries of a lane for a pool that depend on one of these squares; if the pool has a blank, only those with one.
    fn generate(&mut self, (lane, squares): (usize, u32), pool: Tiles) -> List {
        let values = RackValues::bare(&self.packing.unpack(pool), self.board.tile_values());
        let terms = Terms { bingo_bonus: self.rules.bingo_bonus, bingo_tiles: self.rules.rack_size, opening: None };
        self.new.clear();
        let has_blank = self.packing.has_blank(pool);
        let needs = LaneNeeds::of(&self.board, lane);
        let lane = self.board.prepare_lane(lane, self.graph);
        let mut sink = Collect { packing: &self.packing, board: lane.board(), needs, has_blank, entries: &mut self.new };
        generate_lane(self.graph, lane, squares, &values, &terms, &mut sink);
        self.entries.add(&self.new)
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
    pub fn first_play(&mut self, rack: &Rack, other_points: i32) -> Option<(crate::rules::Placement, i32)> {
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
            let room = self.rules.rack_size - line.racks[seat].len();
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
        let has_blank = self.packing.has_blank(rack);
        let with_candidate = taken.with(&self.taken);
        let lacking = self.entries.lacking(rack);
        let mut best: Option<(usize, i32)> = None;
        if bag_is_empty {
            let out_gain = 2 * other_points + NOT_OUT_COST;
            let outs = self.entries.row_of_size(rack.len());
            self.best_in(&self.plain, &lacking, (outs, out_gain), taken, &mut best);
            self.best_in(&self.kept, &lacking, (outs, out_gain), &with_candidate, &mut best);
            if has_blank {
                self.best_in(&self.blanks, &lacking, (outs, out_gain), &with_candidate, &mut best);
            }
            return best;
        }
        let mut few = self.first_few(&self.plain, &lacking, taken);
        few.extend(self.first_few(&self.kept, &lacking, &with_candidate));
        if has_blank {
            few.extend(self.first_few(&self.blanks, &lacking, &with_candidate));
        }
        if self.leave_values.len() > MOST_LEAVES {
            self.leave_values.clear();
        }
        for entry in few {
            let kept = rack.without(self.entries[entry].tiles);
            let leave = self.leave_values.entry(kept.hash()).or_insert_with(|| self.leaves.value(&self.packing.unpack(kept)));
            let worth = 1000 * i32::from(self.entries[entry].score) + *leave;
            if self.is_better(entry, worth, best) {
                best = Some((entry, worth));
            }
        }
        best
    }

    /// The best of these lists with an empty bag, if it is better than what is known. `outs` are those that place the whole rack,
    /// with what that gains.
    fn best_in(
        &self,
        lists: &[List],
        lacking: &Lacking,
        (outs, out_gain): (Option<usize>, i32),
        taken: &Squares,
        best: &mut Option<(usize, i32)>,
    ) {
        for list in lists {
            let mut is_found = false;
            for block in self.entries.blocks(list) {
                if best.is_some_and(|(_, worth)| i32::from(block.most) + out_gain < worth) {
                    break;
                }
                let outs = outs.map_or(0, |row| block.row(row));
                if is_found && outs == 0 {
                    continue;
                }
                let possible = block.possible(lacking);
                let mut first_of = |bits: u64, gain: i32| {
                    let first = block.entries(bits).find(|&entry| self.entries[entry].needed.are_apart_from(taken))?;
                    let worth = i32::from(self.entries[first].promise) + gain;
                    if self.is_better(first, worth, *best) {
                        *best = Some((first, worth));
                    }
                    Some(first)
                };
                is_found = is_found || first_of(possible, 0).is_some();
                if first_of(possible & outs, out_gain).is_some() {
                    break;
                }
            }
        }
    }

    /// The possible entries of these lists that promise most, in order.
    fn first_few(&self, lists: &[List], lacking: &Lacking, taken: &Squares) -> Vec<usize> {
        let mut few: Vec<usize> = Vec::with_capacity(FEW);
        for list in lists {
            'list: for block in self.entries.blocks(list) {
                if few.len() == FEW && block.most < self.entries[few[FEW - 1]].promise {
                    break;
                }
                for entry in block.entries(block.possible(lacking)) {
                    if few.len() == FEW && self.entries[few[FEW - 1]].ranking(&self.entries[entry]).is_le() {
                        break 'list;
                    }
                    if self.entries[entry].needed.are_apart_from(taken) {
                        few.truncate(FEW - 1);
                        let place = few.partition_point(|&other| self.entries[other].ranking(&self.entries[entry]).is_lt());
                        few.insert(place, entry);
                    }
                }
            }
        }
        few
    }

    /// Higher worth first; equal ones in the order of their placements, so that the choice does not depend on the order of lists.
    fn is_better(&self, entry: usize, worth: i32, best: Option<(usize, i32)>) -> bool {
        best.is_none_or(|(other, most)| worth > most || worth == most && self.entries[entry].placement < self.entries[other].placement)
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
    needs: LaneNeeds,
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
            let needed = self.needs.of_placement(self.board, &placement);
            self.entries.push(Entry { tiles, promise, score, placement, needed });
        }
    }
}
