//! The turns to search in a position: their order, their limits of nodes, and their bounds.
//!
//! **Rounds.** A search to the end goes through the turns in rounds. In a round each turn gets a *slice*: a number of
//! nodes. A turn that is not decided within its slice is put off until the next round, in which slices are larger. A
//! wrong first choice therefore costs a slice instead of its whole tree.
//!
//! **Threats.** Suppose that the other side can place its whole rack on the board as it is, and that a turn touches
//! none of the squares on which this placement depends. Then the placement is still possible after the turn, with the
//! same score. So the turn is worth at most its own score, minus the score of the threat, minus what the other side
//! gains for the points that stay on the rack. These are true upper bounds, found without a search.
//!
//! **Going out in two.** A plan to make a placement now and place the rest of the rack on the next turn leaves the
//! other side one turn to answer, so it is searched early. Plans change only the order of turns, because the second
//! placement may be impossible after the first one and the other side's turn.
//!
//! Not here: what a turn is worth (`worker.rs`). Start with [`TurnQueue`].

use crate::movegen::lane_numbers::{LanePlace, MAX_LANES};
use crate::movegen::{LaneBoard, LaneNumber, LaneSquares};
use crate::rules::Direction;
use crate::search::endgame::moves::Move;
use crate::search::endgame::packed_tiles::{PackedTiles, Packing, PartNumbers};
use crate::search::endgame::squares::Squares;
use crate::search::endgame::types::Window;
use std::cmp::Reverse;

/// The slice of the first round.
pub(super) const FIRST_SLICE: u64 = 8;

/// The factor by which slices grow from round to round.
const SLICE_GROWTH: u64 = 4;

/// This many turns are picked one by one. A search that needs more of them usually needs all, so the rest are then
/// sorted.
const PICKED: usize = 3;

/// The slice of a position's first turn. It is unlimited if the value itself is asked for, because all other turns are
/// compared with the first one.
pub(super) fn slice_of_first(slice: u64, window: Window) -> u64 {
    if window.is_question() { slice } else { u64::MAX }
}

/// The slice of the next round, after `put_off` turns were put off.
pub(super) fn next_slice(slice: u64, put_off: usize) -> u64 {
    if put_off == 1 { u64::MAX } else { slice.saturating_mul(SLICE_GROWTH) }
}

/// A turn in a queue.
#[derive(Clone, Copy, Debug)]
pub(super) struct QueuedTurn {
    /// The turn with the highest key is searched first.
    key: i32,
    /// An upper bound on the worth of the turn.
    pub most: i32,
    /// Its place among the stack's placements, or [`PASS`].
    at: u32,
}

/// The place of the pass, which is not among the placements.
const PASS: u32 = u32::MAX;

/// The key of the turn that the table suggests, which comes before all others.
pub(super) const KEY_OF_HINT: i32 = i32::MAX;

/// The key of any other pass, which comes after all placements.
pub(super) const KEY_OF_PASS: i32 = i32::MIN;

/// The memory of all queues: those of the positions on the path, the last one on top.
#[derive(Clone, Debug, Default)]
pub(super) struct TurnStack {
    turns: Vec<QueuedTurn>,
    placements: Vec<Move>,
}

/// The height of a stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct StackMark {
    turns: usize,
    placements: usize,
}

impl TurnStack {
    /// The height at which the turns of another position begin.
    pub fn mark(&self) -> StackMark {
        StackMark { turns: self.turns.len(), placements: self.placements.len() }
    }

    /// Removes all turns above a mark.
    pub fn cut_to(&mut self, mark: StackMark) {
        self.turns.truncate(mark.turns);
        self.placements.truncate(mark.placements);
    }

    /// How many turns there are above a mark.
    pub fn count_above(&self, mark: StackMark) -> usize {
        self.turns.len() - mark.turns
    }

    /// Adds a placement that is worth at most `most`.
    #[inline]
    pub fn push(&mut self, key: i32, most: i32, m: Move) {
        self.turns.push(QueuedTurn { key, most, at: self.placements.len() as u32 });
        self.placements.push(m);
    }

    /// Adds the pass.
    pub fn push_pass(&mut self, key: i32, most: i32) {
        self.turns.push(QueuedTurn { key, most, at: PASS });
    }

    /// Raises the keys of the placements above a mark, except that of the hint.
    #[inline]
    pub fn raise_keys(&mut self, mark: StackMark, by: impl Fn(&Move) -> i32) {
        for turn in self.turns[mark.turns..].iter_mut().filter(|turn| turn.key < KEY_OF_HINT && turn.at != PASS) {
            turn.key += by(&self.placements[turn.at as usize]);
        }
    }

    /// The placement of a turn; `None` for the pass.
    #[inline]
    pub fn placement(&self, turn: QueuedTurn) -> Option<Move> {
        if turn.at == PASS { None } else { Some(self.placements[turn.at as usize]) }
    }
}

/// The turns of one position, which are on top of the stack whenever the queue is used.
///
/// | places on the stack | what is there |
/// |---|---|
/// | `first..put_off_end` | turns put off in this round, for the next one |
/// | `put_off_end..next` | turns that are done, or copies of those put off |
/// | `next..end` | turns that still come in this round |
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnQueue {
    first: usize,
    put_off_end: usize,
    next: usize,
    end: usize,
    /// Whether the remaining turns are in order.
    is_sorted: bool,
    /// Nodes for each turn in this round.
    pub slice: u64,
}

impl TurnQueue {
    /// The turns above a mark. The first round has this slice.
    pub fn above(mark: StackMark, stack: &TurnStack, slice: u64) -> TurnQueue {
        TurnQueue { first: mark.turns, put_off_end: mark.turns, next: mark.turns, end: stack.turns.len(), is_sorted: false, slice }
    }

    /// The next turn of this round, or the first one of the next round; `None` if no turn is left.
    #[inline]
    pub fn next(&mut self, stack: &mut TurnStack) -> Option<QueuedTurn> {
        if self.next == self.end {
            if self.put_off_end == self.first {
                return None;
            }
            // The turns were put off in the order of their keys, so they are still sorted.
            self.slice = next_slice(self.slice, self.put_off_end - self.first);
            (self.next, self.end, self.put_off_end, self.is_sorted) = (self.first, self.put_off_end, self.first, true);
        }
        if !self.is_sorted {
            let rest = &mut stack.turns[self.next..self.end];
            if self.next - self.first < PICKED {
                bring_best_to_front(rest);
            } else {
                rest.sort_unstable_by_key(|turn| (Reverse(turn.key), turn.at));
                self.is_sorted = true;
            }
        }
        self.next += 1;
        Some(stack.turns[self.next - 1])
    }

    /// Puts off the turn that was returned last until the next round. Its new place is that of a turn that is done.
    pub fn put_off(&mut self, stack: &mut TurnStack, turn: QueuedTurn) {
        stack.turns[self.put_off_end] = turn;
        self.put_off_end += 1;
    }
}

/// Brings the highest key to the front; of equal ones the first.
fn bring_best_to_front(turns: &mut [QueuedTurn]) {
    if let Some(best) = (0..turns.len()).max_by_key(|&at| (turns[at].key, Reverse(turns[at].at))) {
        turns.swap(0, best);
    }
}

/// At most this many threats are kept, highest first.
const MAX_THREATS: usize = 6;

/// A placement of a whole rack, and the empty squares that must stay empty for it.
#[derive(Clone, Copy, Debug)]
struct Threat {
    score: i32,
    /// By lane.
    needed: [LaneSquares; MAX_LANES],
}

/// The other side's placements that would end the game, highest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Threats(Vec<Threat>);

impl Threat {
    fn new(board: &LaneBoard, m: &Move) -> Threat {
        let mut needed = [LaneSquares::EMPTY; MAX_LANES];
        for square in Squares::needed_by(board, &m.placement).iter() {
            for direction in Direction::ALL {
                let LanePlace { lane, position } = board.lane_of(square, direction);
                needed[lane.index()] |= LaneSquares::at(position);
            }
        }
        Threat { score: m.score, needed }
    }
}

impl Threats {
    /// The highest of these moves, each of which places the whole rack.
    pub fn new(board: &LaneBoard, moves: &mut [Move]) -> Threats {
        moves.sort_unstable_by_key(|m| (Reverse(m.score), m.hash));
        Threats(moves.iter().take(MAX_THREATS).map(|m| Threat::new(board, m)).collect())
    }

    /// The score of the best threat.
    pub fn after_pass(&self) -> Option<i32> {
        self.0.first().map(|threat| threat.score)
    }

    /// The score of the best threat that remains after tiles are placed on these squares of a lane.
    #[inline]
    pub fn after(&self, lane: LaneNumber, takes: LaneSquares) -> Option<i32> {
        self.0.iter().find(|threat| !threat.needed[lane.index()].meets(takes)).map(|threat| threat.score)
    }
}

/// A rack with more parts has no plans. Seven tiles have at most 128.
const MAX_PARTS: usize = 256;

/// For each part of a rack, the best score of the placements that use exactly its tiles.
pub(super) struct OutInTwo {
    rack: PackedTiles,
    numbers: PartNumbers,
    best: [Option<i32>; MAX_PARTS],
}

impl OutInTwo {
    /// Collects the scores of a rack's placements, given with the tiles that they use; `None` if the rack has too many
    /// parts.
    pub fn new(packing: &Packing, rack: PackedTiles, placements: impl Iterator<Item = (PackedTiles, i32)>) -> Option<OutInTwo> {
        let numbers = packing.part_numbers(rack)?;
        if numbers.parts > MAX_PARTS {
            return None;
        }
        let mut plans = OutInTwo { rack, numbers, best: [None; MAX_PARTS] };
        for (tiles, score) in placements {
            let best = &mut plans.best[plans.numbers.number(tiles)];
            *best = (*best).max(Some(score));
        }
        Some(plans)
    }

    /// The best score of placing, on the board as it is, all that this placement leaves on the rack.
    #[inline]
    pub fn second_score(&self, first: &Move) -> Option<i32> {
        self.best[self.numbers.number(self.rack.without(first.tiles))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Direction, Placement, Square};
    use crate::search::randomness::{Stream, generator};
    use rand::RngExt;

    /// Compares the queue with a twin that sorts all turns at once and keeps those put off in another list.
    #[test]
    fn turns_come_in_the_order_of_their_keys_and_again_in_larger_slices_if_they_are_put_off() {
        let mut rng = generator(1, Stream::Positions, 0);
        let m = Move::without_rack(&Placement::from_bits(Square::new(3, 3), Direction::Across, &[1, 2]));
        let (mut stack, mut rounds) = (TurnStack::default(), 0);
        for count in 0..200 {
            // The turns of other positions lie below.
            let mark = stack.mark();
            let bottom = stack.placements.len() as u32;
            let mut expected: Vec<(Reverse<i32>, u32)> = Vec::new();
            for at in 0..count % 12 {
                let key = if rng.random_bool(0.1) { KEY_OF_HINT } else { rng.random_range(0..8) };
                stack.push(key, 0, m);
                expected.push((Reverse(key), bottom + at));
            }
            stack.push_pass(KEY_OF_PASS, 0);
            expected.push((Reverse(KEY_OF_PASS), PASS));
            assert_eq!(stack.count_above(mark), expected.len());
            expected.sort_unstable();
            let mut queue = TurnQueue::above(mark, &stack, FIRST_SLICE);
            let mut slice = FIRST_SLICE;
            while !expected.is_empty() {
                let mut put_off = Vec::new();
                for &(key, at) in &expected {
                    let turn = queue.next(&mut stack).unwrap();
                    assert_eq!((Reverse(turn.key), turn.at, queue.slice), (key, at, slice));
                    assert_eq!(stack.placement(turn).is_none(), at == PASS);
                    if rng.random_bool(0.6) {
                        queue.put_off(&mut stack, turn);
                        put_off.push((key, at));
                    }
                }
                slice = next_slice(slice, put_off.len());
                expected = put_off;
                rounds += 1;
            }
            assert!(queue.next(&mut stack).is_none());
            if count % 3 == 0 {
                stack.cut_to(mark);
                assert_eq!(stack.turns.len(), mark.turns);
            }
        }
        assert!(rounds > 400, "{rounds}");
    }
}
