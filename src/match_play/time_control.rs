//! The time of a player or an engine: its limits, the time spent, the cost of overtime, and the `movetime` in place of
//! a clock.
//!
//! All of it is arithmetic on times that the runner measures. Not here: running clocks (`clocks.rs`). Start with
//! [`TimeControl`], then [`PlayerClock`].
//!
//! # From a clock to a `movetime`
//! SIU has no clocks, and neither have programs that are started for each turn. For these, the runner itself divides the clock. A turn
//! gets the share that `auto` of this engine would take (`players/clock.rs`, described in `protocol/searches.md`), with [`DELIVERY_MS`]
//! kept back for each answer still to come.

use crate::evaluation::win_model::TilesLeft;
use crate::players::clock::{Clock, ClockPace, move_time_ms};
use crate::search::limits::LONGEST_TURN_MS;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use thiserror::Error;

/// The time of a clock that is kept back for the delivery of each answer, ms.
pub const DELIVERY_MS: i64 = 10;

/// The unit of overtime.
const MINUTE: Duration = Duration::from_secs(60);

/// The cost of overtime on a game's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Overtime {
    /// The game is lost.
    #[default]
    Loss,
    /// Each minute begun costs points, as in tournaments between people.
    Points,
}

/// The time of an engine. Without any limit, the engine has its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TimeControl {
    /// Time for all turns of a game, ms.
    pub game_ms: Option<u64>,
    /// Time added after each turn, ms.
    pub increment_ms: u64,
    /// Time for each turn, ms.
    pub move_ms: Option<u64>,
    /// Nodes for each turn, as the engine counts them.
    pub nodes: Option<u64>,
    /// How long a turn may take beyond its time before it counts as overtime, ms. It allows for delivery on a busy machine.
    pub margin_ms: u64,
    /// The cost of overtime on `game_ms`. Overtime on `move_ms` always loses the game.
    pub overtime: Overtime,
    /// Points for each minute begun, if overtime costs points.
    pub overtime_points: u32,
    /// The longest turn if no time limit ends it, ms. It also ends overtime that costs points.
    pub ceiling_ms: u64,
}

impl Default for TimeControl {
    fn default() -> TimeControl {
        TimeControl {
            game_ms: None,
            increment_ms: 0,
            move_ms: None,
            nodes: None,
            margin_ms: 100,
            overtime: Overtime::Loss,
            overtime_points: 10,
            ceiling_ms: 60_000,
        }
    }
}

/// The time of a game between players of this program. They are stopped when a turn's share is over, but may overstep it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameTime {
    /// Wall time of each player, ms.
    pub ms: u64,
    /// Points for each minute begun beyond that time. Tournaments use 10.
    pub overtime_points: u32,
}

impl From<GameTime> for TimeControl {
    fn from(GameTime { ms, overtime_points }: GameTime) -> TimeControl {
        TimeControl { game_ms: Some(ms), margin_ms: 0, overtime: Overtime::Points, overtime_points, ..TimeControl::default() }
    }
}

/// Why a time control is invalid.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum TimeControlError {
    /// Limits that exclude each other.
    #[error("{key} and another limit are given: expected only one of game_ms, move_ms and nodes")]
    TwoLimits {
        /// The superfluous key.
        key: &'static str,
    },
    /// A key without the clock it belongs to.
    #[error("{key} needs game_ms")]
    NeedsClock {
        /// The key.
        key: &'static str,
    },
    /// A number out of range.
    #[error("{key} is {found}: expected 1 to {LONGEST_TURN_MS}")]
    OutOfRange {
        /// The key.
        key: &'static str,
        /// Its value.
        found: u64,
    },
}

impl TimeControlError {
    /// Returns the wrong key.
    pub fn key(self) -> &'static str {
        match self {
            TimeControlError::TwoLimits { key } | TimeControlError::NeedsClock { key } | TimeControlError::OutOfRange { key, .. } => key,
        }
    }
}

/// The limit of an engine's turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnBudget {
    /// A clock for the game.
    Clock,
    /// A time for each turn, ms.
    Move(u64),
    /// A number of nodes for each turn.
    Nodes(u64),
    /// The engine's own limits.
    Own,
}

impl TimeControl {
    /// Checks that the limits fit together.
    ///
    /// # Errors
    /// The first key that does not fit.
    pub fn check(&self) -> Result<(), TimeControlError> {
        if self.game_ms.is_some() || self.move_ms.is_some() && self.nodes.is_some() {
            if self.nodes.is_some() {
                return Err(TimeControlError::TwoLimits { key: "nodes" });
            }
            if self.move_ms.is_some() {
                return Err(TimeControlError::TwoLimits { key: "move_ms" });
            }
        }
        if self.game_ms.is_none() && self.increment_ms > 0 {
            return Err(TimeControlError::NeedsClock { key: "increment_ms" });
        }
        if self.game_ms.is_none() && self.overtime == Overtime::Points {
            return Err(TimeControlError::NeedsClock { key: "overtime" });
        }
        let limits = [("game_ms", self.game_ms), ("move_ms", self.move_ms), ("ceiling_ms", Some(self.ceiling_ms))];
        for (key, found) in limits.into_iter().filter_map(|(key, found)| Some((key, found?))) {
            if !(1..=LONGEST_TURN_MS).contains(&found) {
                return Err(TimeControlError::OutOfRange { key, found });
            }
        }
        for (key, found) in [("increment_ms", self.increment_ms), ("margin_ms", self.margin_ms)] {
            if found > LONGEST_TURN_MS {
                return Err(TimeControlError::OutOfRange { key, found });
            }
        }
        Ok(())
    }

    /// Returns the limit of a turn.
    pub fn budget(&self) -> TurnBudget {
        match (self.game_ms, self.move_ms, self.nodes) {
            (Some(_), ..) => TurnBudget::Clock,
            (None, Some(ms), _) => TurnBudget::Move(ms),
            (None, None, Some(nodes)) => TurnBudget::Nodes(nodes),
            (None, None, None) => TurnBudget::Own,
        }
    }
}

/// Writes the time control as in reports.
impl std::fmt::Display for TimeControl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.budget() {
            TurnBudget::Clock => {
                write!(f, "{} ms a game", self.game_ms.unwrap_or_default())?;
                if self.increment_ms > 0 {
                    write!(f, " and {} ms a turn", self.increment_ms)?;
                }
                match self.overtime {
                    Overtime::Loss => f.write_str(", overtime loses"),
                    Overtime::Points => write!(f, ", overtime costs {} points per minute begun", self.overtime_points),
                }
            }
            TurnBudget::Move(ms) => write!(f, "{ms} ms a turn, overtime loses"),
            TurnBudget::Nodes(nodes) => write!(f, "{nodes} nodes a turn"),
            TurnBudget::Own => f.write_str("limits of its own"),
        }
    }
}

/// The clock of one player in one game.
#[derive(Clone, Debug)]
pub struct PlayerClock {
    control: TimeControl,
    spent: Duration,
    turns: u32,
}

/// How long the runner waits in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnPatience {
    /// The time after which an answer is late. `None` if overtime does not lose the game.
    pub late_after: Option<Duration>,
    /// The time after which the engine gets `stop`.
    pub wait: Duration,
}

impl PlayerClock {
    /// Returns the clock at the start of a game.
    pub fn new(control: &TimeControl) -> PlayerClock {
        PlayerClock { control: *control, spent: Duration::ZERO, turns: 0 }
    }

    /// Returns the state of the clock, if there is one.
    pub fn clock(&self) -> Option<Clock> {
        let ms = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        Some(Clock { left_ms: ms(self.total()?).saturating_sub(ms(self.spent)), increment_ms: self.control.increment_ms as i64 })
    }

    /// Returns how long this turn may take, in ms: the value of `movetime`. Returns `None` without a time
    /// limit. `phases` divides a clock, with `delivery_ms` kept back for each answer.
    pub fn move_time_ms(&self, phases: &ClockPace, tiles_left: TilesLeft, delivery_ms: i64) -> Option<u64> {
        match self.control.budget() {
            TurnBudget::Clock => Some(move_time_ms(phases, self.clock()?, tiles_left, delivery_ms)),
            TurnBudget::Move(ms) => Some(ms),
            TurnBudget::Nodes(_) | TurnBudget::Own => None,
        }
    }

    /// Returns how long to wait for this turn.
    pub fn patience(&self) -> TurnPatience {
        let control = &self.control;
        let margin = Duration::from_millis(control.margin_ms);
        let ceiling = Duration::from_millis(control.ceiling_ms);
        match control.budget() {
            TurnBudget::Clock => {
                let left = self.total().unwrap_or_default().saturating_sub(self.spent);
                match control.overtime {
                    Overtime::Loss => TurnPatience { late_after: Some(left + margin), wait: left + margin },
                    Overtime::Points => TurnPatience { late_after: None, wait: left + ceiling },
                }
            }
            TurnBudget::Move(ms) => {
                let time = Duration::from_millis(ms) + margin;
                TurnPatience { late_after: Some(time), wait: time }
            }
            TurnBudget::Nodes(_) | TurnBudget::Own => TurnPatience { late_after: None, wait: ceiling },
        }
    }

    /// Subtracts the time of a turn.
    pub fn spend(&mut self, time: Duration) {
        self.spent += time;
        self.turns += 1;
    }

    /// Returns the time spent, microseconds.
    pub fn spent_us(&self) -> u64 {
        u64::try_from(self.spent.as_micros()).unwrap_or(u64::MAX)
    }

    /// Whether the time spent exceeds the clock's time and the margin.
    pub fn is_overstepped(&self) -> bool {
        self.overtime() > Duration::from_millis(self.control.margin_ms)
    }

    /// Returns the points that overtime costs.
    pub fn penalty(&self) -> i32 {
        if self.control.overtime == Overtime::Loss || !self.is_overstepped() {
            return 0;
        }
        let minutes = self.overtime().as_nanos().div_ceil(MINUTE.as_nanos());
        i32::try_from(u128::from(self.control.overtime_points) * minutes).unwrap_or(i32::MAX)
    }

    /// Returns the time that the clock has granted so far.
    fn total(&self) -> Option<Duration> {
        let game = Duration::from_millis(self.control.game_ms?);
        Some(game + Duration::from_millis(self.control.increment_ms).saturating_mul(self.turns))
    }

    fn overtime(&self) -> Duration {
        // The increment of the last turn came after that turn.
        let total = self.total().map(|total| total.saturating_sub(Duration::from_millis(self.control.increment_ms)));
        total.map_or(Duration::ZERO, |total| self.spent.saturating_sub(total))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::clock::USUAL;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn a_clock_runs_down_and_gains_its_increment() {
        let control = TimeControl { game_ms: Some(1_000), increment_ms: 100, ..TimeControl::default() };
        let mut clock = PlayerClock::new(&control);
        assert_eq!(clock.patience(), TurnPatience { late_after: Some(ms(1_100)), wait: ms(1_100) });
        clock.spend(ms(300));
        assert_eq!(clock.clock(), Some(Clock { left_ms: 800, increment_ms: 100 }));
        assert_eq!(clock.patience().late_after, Some(ms(900)));
        let tiles = TilesLeft { in_bag: 40, own_rack: 7, other_rack: 7 };
        let expected = move_time_ms(&USUAL, Clock { left_ms: 800, increment_ms: 100 }, tiles, DELIVERY_MS);
        assert_eq!(clock.move_time_ms(&USUAL, tiles, DELIVERY_MS), Some(expected));
        assert!(!clock.is_overstepped());
    }

    #[test]
    fn overtime_is_a_loss_or_costs_points_for_each_minute_begun() {
        let with = |overtime, spent| {
            let control = TimeControl { game_ms: Some(1_000), margin_ms: 50, overtime, ..TimeControl::default() };
            let mut clock = PlayerClock::new(&control);
            clock.spend(ms(spent));
            (clock.is_overstepped(), clock.penalty())
        };
        assert_eq!(with(Overtime::Points, 1_050), (false, 0));
        assert_eq!(with(Overtime::Points, 1_051), (true, 10));
        assert_eq!(with(Overtime::Points, 61_000), (true, 10));
        assert_eq!(with(Overtime::Points, 61_001), (true, 20));
        assert_eq!(with(Overtime::Points, u64::MAX), (true, i32::MAX));
        assert_eq!(with(Overtime::Loss, 61_001), (true, 0));
        let control = TimeControl { game_ms: Some(1_000), overtime: Overtime::Points, ceiling_ms: 5_000, ..TimeControl::default() };
        assert_eq!(PlayerClock::new(&control).patience(), TurnPatience { late_after: None, wait: ms(6_000) });
    }

    #[test]
    fn a_turn_without_a_clock_ends_at_its_time_or_at_the_ceiling() {
        let patience = |control: TimeControl| PlayerClock::new(&control).patience();
        let per_move = TimeControl { move_ms: Some(200), margin_ms: 10, ..TimeControl::default() };
        assert_eq!(patience(per_move), TurnPatience { late_after: Some(ms(210)), wait: ms(210) });
        let nodes = TimeControl { nodes: Some(1), ceiling_ms: 7, ..TimeControl::default() };
        assert_eq!(patience(nodes), TurnPatience { late_after: None, wait: ms(7) });
    }

    #[test]
    fn limits_that_do_not_go_together_are_refused_by_their_key() {
        let check = |control: TimeControl, expected: &str| {
            let error = control.check().unwrap_err();
            assert_eq!(error.key(), expected);
            assert!(error.to_string().contains(expected), "{error}");
        };
        let plain = TimeControl::default();
        assert_eq!(plain.check(), Ok(()));
        check(TimeControl { game_ms: Some(1), move_ms: Some(1), ..plain }, "move_ms");
        check(TimeControl { game_ms: Some(1), nodes: Some(1), ..plain }, "nodes");
        check(TimeControl { move_ms: Some(1), nodes: Some(1), ..plain }, "nodes");
        check(TimeControl { increment_ms: 1, ..plain }, "increment_ms");
        check(TimeControl { move_ms: Some(1), overtime: Overtime::Points, ..plain }, "overtime");
        check(TimeControl { game_ms: Some(0), ..plain }, "game_ms");
        check(TimeControl { margin_ms: u64::MAX, ..plain }, "margin_ms");
    }
}
