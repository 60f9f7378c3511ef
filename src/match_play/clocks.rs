//! The running clocks of players in this process. A player receives a stop signal when a turn's share of the clock is over.
//!
//! Not here: the size of a share (`players/clock.rs`), the state of a clock and the cost of overtime (`time_control.rs`). Start with
//! [`timed`].

use crate::evaluation::win_model::TilesLeft;
use crate::match_play::time_control::PlayerClock;
use crate::players::clock::{Clock, ClockPace};
use crate::search::budget::Signals;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How long a turn may take beyond its share, ms: from the signal to the answer.
const TURN_OVERHEAD_MS: i64 = 5;

/// Time between two checks whether the match was given up.
const GIVEN_UP_EVERY: Duration = Duration::from_millis(20);

/// Times a turn of a player, and returns the answer with its time. `choose` gets the state of the clock, if there is one, and signals,
/// which stop when the turn's share of the clock is over or the match is given up.
pub fn timed<T>(
    clock: &PlayerClock,
    pace: &ClockPace,
    tiles_left: TilesLeft,
    given_up: &Signals,
    choose: impl FnOnce(Option<Clock>, &Signals) -> T,
) -> (T, Duration) {
    let start = Instant::now();
    let answer = match clock.move_time_ms(pace, tiles_left, TURN_OVERHEAD_MS) {
        None => choose(None, given_up),
        Some(ms) => within(Duration::from_millis(ms), given_up, |signals| choose(clock.clock(), signals)),
    };
    (answer, start.elapsed())
}

/// Runs a search, and stops it after this time or when the match is given up.
pub fn within<T>(time: Duration, given_up: &Signals, search: impl FnOnce(&Signals) -> T) -> T {
    let signals = Signals::default();
    let end = Instant::now() + time;
    let look = || {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() || given_up.is_stopped() {
            signals.stop();
            return None;
        }
        Some(left.min(GIVEN_UP_EVERY))
    };
    watched(look, || search(&signals))
}

/// Runs a search with a watchdog on another thread. The watchdog calls `look` at once, and again after each time that it returns. The
/// watchdog ends with the search, or when `look` returns `None`.
pub fn watched<T>(mut look: impl FnMut() -> Option<Duration> + Send, search: impl FnOnce() -> T) -> T {
    std::thread::scope(|scope| {
        let (searching, answered) = mpsc::channel::<()>();
        scope.spawn(move || {
            while let Some(wait) = look() {
                // Nothing is ever sent. The channel closes when the search is over.
                if answered.recv_timeout(wait) == Err(RecvTimeoutError::Disconnected) {
                    return;
                }
            }
        });
        let answer = search();
        drop(searching);
        answer
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_play::time_control::{GameTime, TimeControl};
    use crate::players::clock::USUAL;

    fn with(ms: u64) -> PlayerClock {
        PlayerClock::new(&TimeControl::from(GameTime { ms, overtime_points: 10 }))
    }

    /// Takes a turn in the middle of a game.
    fn turn<T>(clock: &mut PlayerClock, given_up: &Signals, choose: impl FnOnce(Option<Clock>, &Signals) -> T) -> (T, Duration) {
        let (answer, time) = timed(clock, &USUAL, TilesLeft { in_bag: 40, own_rack: 7, other_rack: 7 }, given_up, choose);
        clock.spend(time);
        (answer, time)
    }

    /// Thinks until the signals stop.
    fn think(signals: &Signals) {
        while !signals.is_stopped() {
            std::thread::sleep(Duration::from_micros(100));
        }
    }

    #[test]
    fn a_turn_is_stopped_and_its_time_is_spent() {
        let mut clock = with(2_000);
        let given_up = Signals::default();
        let (first, time) = turn(&mut clock, &given_up, |clock, signals| {
            think(signals);
            clock.unwrap().left_ms
        });
        let (second, _) = turn(&mut clock, &given_up, |clock, _| clock.unwrap().left_ms);
        assert!(first == 2_000 && second < 2_000, "{first}, then {second}");
        assert!(!time.is_zero() && !given_up.is_stopped());
    }

    #[test]
    fn a_match_that_is_given_up_ends_a_turn() {
        let mut clock = with(3_600_000);
        let given_up = Signals::default();
        turn(&mut clock, &given_up, |_, signals| {
            given_up.stop();
            think(signals);
        });
        assert!(!clock.is_overstepped());
    }

    #[test]
    fn a_turn_longer_than_the_clock_oversteps_it() {
        for (mut clock, expected) in [(with(1), (true, 10)), (PlayerClock::new(&TimeControl::default()), (false, 0))] {
            turn(&mut clock, &Signals::default(), |_, _| std::thread::sleep(Duration::from_millis(3)));
            assert_eq!((clock.is_overstepped(), clock.penalty()), expected);
        }
    }
}
