//! Places of a board in the order of their bounds, the best first, to within about a point.
//!
//! A search that prunes by bounds needs no exact order, and to sort a few hundred places exactly would take a tenth of its time.

/// Millipoints of a level, as a power of two.
const LEVEL_BITS: u32 = 10;

/// Bounds of this level and above are not told apart.
const HIGHEST: i32 = 191;

/// Bounds of this level and below are not told apart.
const LOWEST: i32 = -64;

/// Places with bounds in millipoints. Used again and again.
#[derive(Debug)]
pub struct Queue {
    entries: Vec<(i32, u32)>,
    sorted: Vec<(i32, u32)>,
    /// By level, from the highest one: places in it, then where the next of them goes in `sorted`.
    places: [u32; (HIGHEST - LOWEST + 1) as usize],
}

impl Default for Queue {
    fn default() -> Queue {
        Queue { entries: Vec::new(), sorted: Vec::new(), places: [0; (HIGHEST - LOWEST + 1) as usize] }
    }
}

impl Queue {
    /// Takes all places out.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// Adds a place.
    #[inline]
    pub fn push(&mut self, bound: i32, place: u32) {
        self.entries.push((bound, place));
    }

    /// The places with their bounds, in order.
    pub fn sort(&mut self) -> &[(i32, u32)] {
        self.places.fill(0);
        for &(bound, _) in &self.entries {
            self.places[index_of(bound)] += 1;
        }
        let mut next = 0;
        for count in &mut self.places {
            next += std::mem::replace(count, next);
        }
        self.sorted.resize(self.entries.len(), (0, 0));
        for &entry in &self.entries {
            let at = &mut self.places[index_of(entry.0)];
            self.sorted[*at as usize] = entry;
            *at += 1;
        }
        &self.sorted
    }
}

/// What no bound that comes behind this one exceeds.
#[inline]
pub fn most_behind(bound: i32) -> i32 {
    let level = bound >> LEVEL_BITS;
    if level >= HIGHEST { i32::MAX } else { ((level.max(LOWEST) + 1) << LEVEL_BITS) - 1 }
}

#[inline]
fn index_of(bound: i32) -> usize {
    (HIGHEST - (bound >> LEVEL_BITS).clamp(LOWEST, HIGHEST)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_come_in_order_and_nothing_behind_a_bound_exceeds_what_is_said() {
        let bounds = [0, -1, 1, 1023, 1024, 5_000_000, 195_583, 195_584, 400_000, -65_536, -65_537, -9_000_000, i32::MIN / 4, 77_777];
        let mut queue = Queue::default();
        for round in 0..2 {
            queue.clear();
            bounds.iter().skip(round).enumerate().for_each(|(place, &bound)| queue.push(bound, place as u32));
            let sorted = queue.sort().to_vec();
            let mut places: Vec<_> = sorted.iter().map(|entry| entry.1).collect();
            places.sort_unstable();
            assert_eq!(places, (0..(bounds.len() - round) as u32).collect::<Vec<_>>());
            for (at, &(bound, place)) in sorted.iter().enumerate() {
                assert_eq!(bound, bounds[place as usize + round]);
                assert!(sorted[at..].iter().all(|later| later.0 <= most_behind(bound)), "{bound}");
                let told_apart = (LOWEST << LEVEL_BITS)..(HIGHEST << LEVEL_BITS);
                assert!(!told_apart.contains(&bound) || most_behind(bound) - bound < 1 << LEVEL_BITS, "{bound}");
            }
        }
    }
}
