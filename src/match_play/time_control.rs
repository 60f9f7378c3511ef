//! The time of a player or an engine: its limits, time spent, cost of overtime, and the `movetime` in place of
//! a clock.
//!
//! All of it is arithmetic on times that the runner measures. Not here: clocks that run (`clocks.rs`). Start with
//! [`TimeControl`], then [`PlayerClock`].
//!
//! # From a clock to a `movetime`
//! SIU has no clocks, and a program that is started for each turn has none either. For these the runner divides the clock itself: a turn
//! gets what `auto` of this engine would take (`players/clock.rs`, shown in `protocol/searches.md`), with [`DELIVERY_MS`] kept back for
//! each answer still to come.

use crate::evaluation::win_model::TilesLeft;
use crate::players::clock::{Clock, ClockPace, move_time_ms};
use crate::search::limits::LONGEST_TURN_MS;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use thiserror::Error;

/// What is kept back of a clock for the delivery of each answer, ms.
pub const DELIVERY_MS: i64 = 10;

/// A minute, which overtime is counted in.
const MINUTE: Duration = Duration::from_secs(60);

/// What overtime on a game's clock is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Overtime {
    /// The game is lost.
    #[default]
    Loss,
    /// Each minute begun costs points, as in tournaments of people.
    Points,
}

/// The time of an engine. Without any limit it goes by the limits it counts itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TimeControl {
    /// For all turns of a game, ms.
    pub game_ms: Option<u64>,
    /// Added to that after each turn, ms.
    pub increment_ms: u64,
    /// For each turn, ms.
    pub move_ms: Option<u64>,
    /// Nodes for each turn, as the engine counts them.
    pub nodes: Option<u64>,
    /// How much more than its time a turn may take before it is overtime, ms: for delivery on a busy machine.
    pub margin_ms: u64,
    /// What overtime on `game_ms` is. Overtime on `move_ms` is always a loss.
    pub overtime: Overtime,
    /// Points for each minute begun, if it costs points.
    pub overtime_points: u32,
    /// A turn that no time limits ends after this long, ms; overtime that costs points, too.
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

/// The time of a game between players of this program, who are told to stop when a turn's share is over, and may overstep it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameTime {
    /// Wall time of each player, ms.
    pub ms: u64,
    /// Points that each minute begun beyond it costs. Tournaments take 10.
    pub overtime_points: u32,
}

impl From<GameTime> for TimeControl {
    fn from(GameTime { ms, overtime_points }: GameTime) -> TimeControl {
        TimeControl { game_ms: Some(ms), margin_ms: 0, overtime: Overtime::Points, overtime_points, ..TimeControl::default() }
    }
}

/// Why a time control is none.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum TimeControlError {
    /// Limits that exclude each other.
    #[error("{key} and another limit are given: expected one of game_ms, move_ms and nodes")]
    TwoLimits {
        /// The key that is one too many.
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
    /// The key that is wrong.
    pub fn key(self) -> &'static str {
        match self {
            TimeControlError::TwoLimits { key } | TimeControlError::NeedsClock { key } | TimeControlError::OutOfRange { key, .. } => key,
        }
    }
}

/// What limits an engine's turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnBudget {
    /// A clock for the game.
    Clock,
    /// A time for each turn, ms.
    Move(u64),
    /// A number of nodes for each turn.
    Nodes(u64),
    /// What the engine counts itself.
    Own,
}

impl TimeControl {
    /// Whether the limits go together.
    ///
    /// # Errors
    /// The first key that does not.
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

    /// What limits a turn.
    pub fn budget(&self) -> TurnBudget {
        match (self.game_ms, self.move_ms, self.nodes) {
            (Some(_), ..) => TurnBudget::Clock,
            (None, Some(ms), _) => TurnBudget::Move(ms),
            (None, None, Some(nodes)) => TurnBudget::Nodes(nodes),
            (None, None, None) => TurnBudget::Own,
        }
    }
}

/// The time control as reports print it.
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
                    Overtime::Points => write!(f, ", overtime costs {} a minute begun", self.overtime_points),
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
    /// An answer after this is late. `None` where overtime is no loss.
    pub late_after: Option<Duration>,
    /// After this the engine is told to stop.
    pub wait: Duration,
}

impl PlayerClock {
    /// The clock at the start of a game.
    pub fn new(control: &TimeControl) -> PlayerClock {
        PlayerClock { control: *control, spent: Duration::ZERO, turns: 0 }
    }

    /// What the clock shows, if there is one.
    pub fn clock(&self) -> Option<Clock> {
        let ms = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        Some(Clock { left_ms: ms(self.total()?).saturating_sub(ms(self.spent)), increment_ms: self.control.increment_ms as i64 })
    }

    /// How long this turn may take before the engine must move, in ms: the value of `movetime`.
    /// `None` without a limit of time. A clock is divided by `phases`, with `delivery_ms` kept back
    /// for each answer.
    pub fn move_time_ms(&self, phases: &ClockPace, tiles_left: TilesLeft, delivery_ms: i64) -> Option<u64> {
        match self.control.budget() {
            TurnBudget::Clock => Some(move_time_ms(phases, self.clock()?, tiles_left, delivery_ms)),
            TurnBudget::Move(ms) => Some(ms),
            TurnBudget::Nodes(_) | TurnBudget::Own => None,
        }
    }

    /// How long to wait for this turn.
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

    /// A turn took this long.
    pub fn spend(&mut self, time: Duration) {
        self.spent += time;
        self.turns += 1;
    }

    /// Time spent, microseconds.
    pub fn spent_us(&self) -> u64 {
        u64::try_from(self.spent.as_micros()).unwrap_or(u64::MAX)
    }

    /// Whether more was spent than the clock had and the margin allows.
    pub fn is_overstepped(&self) -> bool {
        self.overtime() > Duration::from_millis(self.control.margin_ms)
    }

    /// Points that overtime costs.
    pub fn penalty(&self) -> i32 {
        if self.control.overtime == Overtime::Loss || !self.is_overstepped() {
            return 0;
        }
        let minutes = self.overtime().as_nanos().div_ceil(MINUTE.as_nanos());
        i32::try_from(u128::from(self.control.overtime_points) * minutes).unwrap_or(i32::MAX)
    }

    /// The time that the clock has granted so far.
    fn total(&self) -> Option<Duration> {
        let game = Duration::from_millis(self.control.game_ms?);
        Some(game + Duration::from_millis(self.control.increment_ms).saturating_mul(self.turns))
    }

    fn overtime(&self) -> Duration {
        // The increment of the last turn came when that was over.
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
