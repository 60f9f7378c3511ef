//! Queues a board's extents by their bounds, best first, to within about a point.
//!
//! A search that prunes by bounds needs no exact order, and to sort a few hundred extents exactly would take a tenth of its time. So they are
//! put into levels of 1024 millipoints (a counting sort), in no particular order within a level.
//!
//! Not here: what the bounds are (`map_search.rs`). Start with [`Queue`]; a search must ask [`most_behind`] before it stops.

use crate::movegen::lane_numbers::LaneNumber;
use crate::rules::units::Millipoints;

/// Millipoints of a level, as a power of two.
const LEVEL_BITS: u32 = 10;

/// Bounds of this level and above are not distinguished.
const HIGHEST: i32 = 191;

/// Bounds of this level and below are not distinguished.
const LOWEST: i32 = -64;

/// An extent that is still to be searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueuedExtent {
    /// An upper bound of the plays there.
    pub bound: Millipoints,
    pub lane: LaneNumber,
    /// Its number in the lane.
    pub number: u16,
}

/// Extents with their bounds. The queue is reused.
#[derive(Debug)]
pub struct Queue {
    entries: Vec<QueuedExtent>,
    sorted: Vec<QueuedExtent>,
    /// By level, from the highest one: entries in it, then where the next of them goes in `sorted`.
    levels: [u32; (HIGHEST - LOWEST + 1) as usize],
}

impl Default for Queue {
    fn default() -> Queue {
        Queue { entries: Vec::new(), sorted: Vec::new(), levels: [0; (HIGHEST - LOWEST + 1) as usize] }
    }
}

impl Queue {
    /// Takes all extents out.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// Adds an extent.
    #[inline]
    pub fn push(&mut self, extent: QueuedExtent) {
        self.entries.push(extent);
    }

    /// The extents in order.
    pub fn sort(&mut self) -> &[QueuedExtent] {
        // How many there are in each level ...
        self.levels.fill(0);
        for entry in &self.entries {
            self.levels[index_of(entry.bound)] += 1;
        }
        // ... so where each level begins ...
        let mut next = 0;
        for count in &mut self.levels {
            next += std::mem::replace(count, next);
        }
        // ... and where each entry goes.
        self.sorted.resize(self.entries.len(), QueuedExtent::default());
        for &entry in &self.entries {
            let at = &mut self.levels[index_of(entry.bound)];
            self.sorted[*at as usize] = entry;
            *at += 1;
        }
        &self.sorted
    }
}

/// An upper bound of the bounds that come after this one.
#[inline]
pub fn most_behind(bound: Millipoints) -> Millipoints {
    let level = bound.0 >> LEVEL_BITS;
    if level >= HIGHEST { Millipoints::MAX } else { Millipoints(((level.max(LOWEST) + 1) << LEVEL_BITS) - 1) }
}

#[inline]
fn index_of(bound: Millipoints) -> usize {
    (HIGHEST - (bound.0 >> LEVEL_BITS).clamp(LOWEST, HIGHEST)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_come_in_order_and_nothing_behind_a_bound_exceeds_what_is_said() {
        let bounds = [0, -1, 1, 1023, 1024, 5_000_000, 195_583, 195_584, 400_000, -65_536, -65_537, -9_000_000, i32::MIN / 4, 77_777]
            .map(Millipoints);
        let mut queue = Queue::default();
        for round in 0..2 {
            queue.clear();
            for (number, &bound) in bounds.iter().skip(round).enumerate() {
                queue.push(QueuedExtent { bound, lane: LaneNumber::default(), number: number as u16 });
            }
            let sorted = queue.sort().to_vec();
            let mut numbers: Vec<_> = sorted.iter().map(|entry| entry.number).collect();
            numbers.sort_unstable();
            assert_eq!(numbers, (0..(bounds.len() - round) as u16).collect::<Vec<_>>());
            for (at, &QueuedExtent { bound, number, .. }) in sorted.iter().enumerate() {
                assert_eq!(bound, bounds[number as usize + round]);
                assert!(sorted[at..].iter().all(|later| later.bound <= most_behind(bound)), "{bound}");
                let told_apart = (LOWEST << LEVEL_BITS)..(HIGHEST << LEVEL_BITS);
                assert!(!told_apart.contains(&bound.0) || (most_behind(bound) - bound).0 < 1 << LEVEL_BITS, "{bound}");
            }
        }
    }
}
