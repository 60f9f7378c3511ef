//! The clocks of a game between players in this process. Each player has wall time for all turns of
//! a game, and receives a stop signal when a turn's share of it is over.
//! A player may overstep a clock, which costs points at the end of the game, as in tournaments.
//!
//! Not here: how large a share is (`players/clock.rs`). Start with [`Clocks::turn`].

use crate::evaluation::win_model::TilesLeft;
use crate::match_play::game::MatchPlayer;
use crate::players::clock::{Clock, ClockPace, move_time_ms};
use crate::search::budget::Signals;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// What a turn may take beyond its share, ms: from the signal to the answer.
const TURN_OVERHEAD_MS: i64 = 5;

/// Time between two looks whether the match was given up.
const GIVEN_UP_EVERY: Duration = Duration::from_millis(20);

/// A minute, which overtime is counted in.
const MINUTE: Duration = Duration::from_secs(60);

/// The time of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameTime {
    /// Wall time of each player, ms.
    pub ms: u64,
    /// Points that each minute begun beyond it costs. Tournaments take 10.
    pub overtime_points: u32,
}

/// The time that both players of a game have, and what they have spent.
#[derive(Clone, Copy, Debug)]
pub struct Clocks {
    time: Option<GameTime>,
    /// By player, a first.
    spent: [Duration; 2],
}

/// A turn that is to be timed.
#[derive(Clone, Copy, Debug)]
pub struct TimedTurn<'a> {
    /// Whose turn it is.
    pub player: MatchPlayer,
    /// How the player divides a clock over the turns.
    pub phases: &'a ClockPace,
    /// The tiles left, as the player sees them.
    pub tiles_left: TilesLeft,
}

impl Clocks {
    /// Clocks at the start of a game, with or without a limit.
    pub fn new(time: Option<GameTime>) -> Clocks {
        Clocks { time, spent: [Duration::ZERO; 2] }
    }

    /// Times a turn. `choose` gets the player's clock, if there is one, and signals. They say stop when the turn's share is over or
    /// the match is given up. Returns the answer with the time that it took.
    pub fn turn<T>(&mut self, turn: TimedTurn<'_>, given_up: &Signals, choose: impl FnOnce(Option<Clock>, &Signals) -> T) -> (T, Duration) {
        let start = Instant::now();
        let answer = match self.clock(turn.player) {
            None => choose(None, given_up),
            Some(clock) => {
                let share = Duration::from_millis(move_time_ms(turn.phases, clock, turn.tiles_left, TURN_OVERHEAD_MS));
                within(share, given_up, |signals| choose(Some(clock), signals))
            }
        };
        let time = start.elapsed();
        self.spent[turn.player.index()] += time;
        (answer, time)
    }

    /// Time spent by player, microseconds.
    pub fn spent_us(&self) -> [u64; 2] {
        self.spent.map(|spent| u64::try_from(spent.as_micros()).unwrap_or(u64::MAX))
    }

    /// By player, whether more was spent than the clock had.
    pub fn overstepped(&self) -> [bool; 2] {
        self.overtime().map(|overtime| !overtime.is_zero())
    }

    /// By player, the points that overtime costs.
    pub fn penalties(&self) -> [i32; 2] {
        let points = self.time.map_or(0, |time| time.overtime_points);
        self.overtime().map(|overtime| i32::try_from(u128::from(points) * minutes_begun(overtime)).unwrap_or(i32::MAX))
    }

    fn overtime(&self) -> [Duration; 2] {
        self.spent.map(|spent| self.time.map_or(Duration::ZERO, |time| spent.saturating_sub(Duration::from_millis(time.ms))))
    }

    fn clock(&self, player: MatchPlayer) -> Option<Clock> {
        let spent_ms = i64::try_from(self.spent[player.index()].as_millis()).unwrap_or(i64::MAX);
        let start_ms = i64::try_from(self.time?.ms).unwrap_or(i64::MAX);
        Some(Clock { left_ms: start_ms.saturating_sub(spent_ms), increment_ms: 0 })
    }
}

fn minutes_begun(time: Duration) -> u128 {
    time.as_nanos().div_ceil(MINUTE.as_nanos())
}

/// Runs a search that is told to stop after this time, or when the match is given up.
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

/// Runs a search beside a watchdog on a thread of its own: `look` is called at once, and says after which time it is to be called
/// again, if at all. The watchdog ends with the search.
pub fn watched<T>(mut look: impl FnMut() -> Option<Duration> + Send, search: impl FnOnce() -> T) -> T {
    std::thread::scope(|scope| {
        let (searching, answered) = mpsc::channel::<()>();
        scope.spawn(move || {
            while let Some(wait) = look() {
                // Nothing is ever sent: the other end is gone when the search is over.
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
    use crate::players::clock::USUAL;

    fn midgame(player: MatchPlayer) -> TimedTurn<'static> {
        TimedTurn { player, phases: &USUAL, tiles_left: TilesLeft { in_bag: 40, own_rack: 7, other_rack: 7 } }
    }

    fn with(ms: u64) -> Option<GameTime> {
        Some(GameTime { ms, overtime_points: 10 })
    }

    /// Thinks until told to stop.
    fn think(signals: &Signals) {
        while !signals.is_stopped() {
            std::thread::sleep(Duration::from_micros(100));
        }
    }

    #[test]
    fn a_turn_is_stopped_and_its_time_is_the_players() {
        let mut clocks = Clocks::new(with(2_000));
        let given_up = Signals::default();
        let (first, time) = clocks.turn(midgame(MatchPlayer::B), &given_up, |clock, signals| {
            think(signals);
            clock.unwrap().left_ms
        });
        let (second, _) = clocks.turn(midgame(MatchPlayer::B), &given_up, |clock, _| clock.unwrap().left_ms);
        assert!(first == 2_000 && second < 2_000, "{first}, then {second}");
        assert!(!time.is_zero() && clocks.spent_us()[0] == 0);
        assert!(!given_up.is_stopped());
    }

    #[test]
    fn a_match_that_is_given_up_ends_a_turn() {
        let mut clocks = Clocks::new(with(3_600_000));
        let given_up = Signals::default();
        clocks.turn(midgame(MatchPlayer::A), &given_up, |_, signals| {
            given_up.stop();
            think(signals);
        });
        assert_eq!(clocks.overstepped(), [false; 2]);
    }

    #[test]
    fn a_turn_longer_than_the_clock_oversteps_it() {
        for (time, expected, penalties) in [(with(1), [true, false], [10, 0]), (None, [false; 2], [0; 2])] {
            let mut clocks = Clocks::new(time);
            clocks.turn(midgame(MatchPlayer::A), &Signals::default(), |_, _| std::thread::sleep(Duration::from_millis(3)));
            assert_eq!((clocks.overstepped(), clocks.penalties()), (expected, penalties));
        }
    }

    #[test]
    fn overtime_costs_points_for_each_minute_begun() {
        let check = |over: Duration, expected: i32| {
            let clocks = Clocks { time: with(1_000), spent: [Duration::from_secs(1) + over, Duration::from_secs(1)] };
            assert_eq!(clocks.penalties(), [expected, 0], "{over:?}");
        };
        for (nanoseconds, expected) in [(0, 0), (1, 10), (60_000_000_000, 10), (60_000_000_001, 20), (599_000_000_000, 100)] {
            check(Duration::from_nanos(nanoseconds), expected);
        }
        check(Duration::MAX - Duration::from_secs(1), i32::MAX);
    }
}
