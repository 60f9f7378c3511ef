//! What ends a search: limits that are counted, and signals from outside. Also how much of a clock one move may take.
//!
//! The search reads no clock: whoever has one (`protocol/server`) raises [`Signals`] when a time is up or a report is due.

use std::sync::atomic::{AtomicBool, Ordering};

/// Flags that another thread raises while a search runs.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    report: AtomicBool,
}

impl Signals {
    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the search is to end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Asks for a report at the next good moment.
    pub fn ask_report(&self) {
        self.report.store(true, Ordering::Relaxed);
    }

    /// Whether a report was asked for since the last call.
    pub fn take_report(&self) -> bool {
        self.report.load(Ordering::Relaxed) && self.report.swap(false, Ordering::Relaxed)
    }
}

/// How sure a simulation must be of its leader to end by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopCondition {
    /// 95 %.
    Percent95,
    /// 98 %.
    Percent98,
    /// 99 %.
    Percent99,
}

impl StopCondition {
    /// The chance of a wrong leader that is accepted.
    pub fn delta(self) -> f64 {
        match self {
            StopCondition::Percent95 => 0.05,
            StopCondition::Percent98 => 0.02,
            StopCondition::Percent99 => 0.01,
        }
    }
}

/// Limits that are counted, not timed. The first one reached ends the search.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Limits {
    /// Samples of the leading candidate.
    pub iterations: Option<u64>,
    /// Plays generated in all (a playout's plies).
    pub nodes: Option<u64>,
    /// Certainty of the leader.
    pub stop_condition: Option<StopCondition>,
    /// Go on until stopped, whatever is known.
    pub infinite: bool,
}

/// A player's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left, ms; may be negative.
    pub left_ms: i64,
    /// Added after each move, ms.
    pub increment_ms: i64,
}

/// The time one move may take, in ms, at least 1: an even share of the time left over the moves to come (four tiles a move,
/// and one in hand), less of it at the opening, and `overhead_ms` less for the way to the clock.
///
/// `unplayed_tiles` counts the mover's rack, the other rack and the bag. Source of the share: MAGPIE's player, ALGORITHMS 1.9.
pub fn move_time_ms(clock: Clock, unplayed_tiles: usize, overhead_ms: i64) -> u64 {
    let moves_to_come = unplayed_tiles.div_ceil(8) as i64 + 1;
    let usable = clock.left_ms.saturating_sub(overhead_ms).max(0);
    let weight_percent = match unplayed_tiles {
        86.. => 60,
        28..86 => 100,
        _ => 120,
    };
    let share = usable / moves_to_come * weight_percent / 100 + clock.increment_ms.max(0) / 4 * 3;
    share.min(usable - usable / 10).max(1) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_game_of_shares_never_uses_up_the_clock() {
        for start in [0, 1, 10, 1_000, 60_000, 1_500_000] {
            let mut left_ms = start;
            for unplayed in (1..=100).rev().step_by(5) {
                let used = move_time_ms(Clock { left_ms, increment_ms: 0 }, unplayed, 0) as i64;
                left_ms -= used;
            }
            assert!(left_ms > 0 || start <= 10, "{start} ms: {left_ms} left");
        }
    }

    #[test]
    fn a_clock_at_or_below_zero_still_gives_a_move() {
        for left_ms in [i64::MIN / 4, -5, 0, 1] {
            assert_eq!(move_time_ms(Clock { left_ms, increment_ms: -3 }, 50, 10), 1);
        }
    }
}
