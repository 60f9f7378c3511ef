//! The questions to an endgame solver and its answers; and within it, the question to one step of the
//! search, a window, and its answer, a value.
//!
//! All values are changes of the lead: points that the side on turn gains on the other side from a
//! position until the end of the game, final adjustments included. So positions with different scores
//! share what is known.
//!
//! Not here: how the answers are found (`solver.rs`, `worker.rs`).

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::rules::{Placement, Position, Rack};

/// The racks of both sides and the score, on a board that the solver knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndgameDeal {
    /// The racks; 0 is on turn. Neither is empty, but for the other one where last turns are counted.
    pub racks: [Rack; 2],
    /// Lead of the side on turn, points.
    pub lead: i32,
    /// Whether the turn before was a pass: one more ends the game.
    pub passed: bool,
    /// How many turns there are to the end, where that is counted ([`Countdown::last_turns`](crate::rules::Countdown::last_turns)): 1 or 2.
    pub last_turns: Option<u32>,
    /// Matters for the time alone.
    pub supersets: RackSupersets,
}

/// For each side, tiles that contain its racks in all the questions about one board. Placements are found once for these tiles, and
/// those of each rack are picked from them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RackSupersets {
    /// In the questions about the first board, and about all boards after it.
    pub on_first_board: [Rack; 2],
    /// In the questions about the board asked about.
    pub here: [Rack; 2],
}

impl EndgameDeal {
    /// A deal that is asked about alone.
    pub fn new(racks: [Rack; 2], lead: i32, passed: bool) -> EndgameDeal {
        EndgameDeal { racks, lead, passed, last_turns: None, supersets: RackSupersets { on_first_board: racks, here: racks } }
    }

    /// The same deal, with this many turns to the end of the game, if that is counted.
    #[must_use]
    pub fn with_last_turns(self, last_turns: Option<u32>) -> EndgameDeal {
        EndgameDeal { last_turns, ..self }
    }

    /// Whether the sides have the tiles that an endgame needs.
    pub(super) fn has_racks(&self) -> bool {
        let [own, other] = self.racks;
        !own.is_empty() && (!other.is_empty() || self.last_turns.is_some())
    }

    /// The deal of a position; `None` if the bag is not empty or a rack is unknown. A rack that follows from the tiles that are left
    /// is known once it is [deduced](Position::deduce_racks).
    ///
    /// `passed` is whether one more turn without points ends the game: `search/endgame/mod.rs` says why that is enough.
    pub fn of(position: &Position) -> Option<EndgameDeal> {
        let racks = [*position.mover_rack(), *position.opponent_rack()];
        let passed = position.rules().is_ended_by_zero_turn_after(position.zero_turns());
        let deal = EndgameDeal::new(racks, position.spread(), passed).with_last_turns(position.last_turns());
        Some(deal).filter(|deal| position.unknown().is_empty() && deal.has_racks())
    }

    /// All tiles on the racks.
    pub fn pool(&self) -> Rack {
        self.racks[0].plus(&self.racks[1])
    }
}

/// The goal of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Goal {
    /// The best change of the lead.
    #[default]
    Spread,
    /// Whether the side on turn wins, ties or loses: the sign of the final lead.
    FirstWin,
    /// Whether the final lead is at least this many points.
    AtLeast(i32),
}

/// A question that bounds answer: no value need be found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndgameQuestion {
    /// The sign of the final lead of the side on turn.
    WhoWins,
    /// Whether the final lead of the side on turn is at least this many points.
    IsAtLeast(i32),
}

/// What ends a search before the proof. The first limit reached does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndgameLimits {
    /// Plies.
    pub depth: Option<usize>,
    /// Positions generated, by the first thread.
    pub nodes: Option<u64>,
    /// Threads, at least 1. With one, the answer depends on nothing but the question and earlier questions.
    pub threads: usize,
}

impl Default for EndgameLimits {
    fn default() -> EndgameLimits {
        EndgameLimits { depth: None, nodes: None, threads: 1 }
    }
}

/// What is known of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// Proved: exactly this.
    Exact,
    /// Proved: this or more.
    AtLeast,
    /// Proved: this or less.
    AtMost,
    /// Not proved: what the search expects so far.
    Estimate,
}

impl Bound {
    /// What is known of the same value with the other sign: as the other side sees it.
    pub fn turned(self) -> Bound {
        match self {
            Bound::AtLeast => Bound::AtMost,
            Bound::AtMost => Bound::AtLeast,
            Bound::Exact | Bound::Estimate => self,
        }
    }

    /// The least and the most that something can be of which this value is known, as far as they are proved.
    pub fn range(self, value: i32) -> (Option<i32>, Option<i32>) {
        match self {
            Bound::Exact => (Some(value), Some(value)),
            Bound::AtLeast => (Some(value), None),
            Bound::AtMost => (None, Some(value)),
            Bound::Estimate => (None, None),
        }
    }

    /// The sign of a final lead (1 = the mover wins, 0 = a tie) of which this value is known; `None` if that does not tell.
    pub fn outcome(self, final_lead: i32) -> Option<i32> {
        match self {
            Bound::Exact => Some(final_lead.signum()),
            Bound::AtLeast if final_lead > 0 => Some(1),
            Bound::AtMost if final_lead < 0 => Some(-1),
            _ => None,
        }
    }
}

/// What is known at the end of a search, or of a depth.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Solution {
    /// Change of the mover's lead from now until the end of the game, final adjustments included, points, mover's view.
    pub value: i32,
    /// What is known of the value.
    pub bound: Bound,
    /// Whether the goal is reached, proved. For [`Goal::Spread`] the value is then exact; for the others it is a bound that answers the
    /// question.
    pub solved: bool,
    /// Plies of the last depth searched completely, 0 for a playout. After a search to the end, at least those of the line.
    pub depth: usize,
    /// Positions generated, by all threads.
    pub nodes: u64,
    /// How full the table is, thousandths.
    pub hashfull: u32,
    /// The play and what is expected to follow, as far as it is known. Empty only if the game is over.
    pub line: Vec<EvaluatedPlay>,
}

impl Solution {
    /// The sign of the final lead (1 = the mover wins, 0 = a tie), as far as value and bound tell; `None` if they don't.
    pub fn outcome(&self, lead: i32) -> Option<i32> {
        self.bound.outcome(lead + self.value)
    }
}

/// The answer to a single question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Change of the mover's lead until the end, points, mover's view, and what is known of it.
    pub found: Option<(i32, Bound)>,
    /// If the answer is that the lead is reached: the placement that reached it last, here or in an earlier question. It is worth a
    /// try in similar positions, and no more than that.
    pub refutation: Option<Placement>,
    /// Positions generated.
    pub nodes: u64,
}

/// What is proved of a change of the mover's lead until the end: points, mover's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Enclosed {
    /// It is this or more.
    pub least: Option<i32>,
    /// It is this or less.
    pub most: Option<i32>,
    /// Positions generated.
    pub nodes: u64,
}

/// More than any change of the lead.
pub(super) const INFINITE: i32 = 1 << 28;

/// The widest window of a question: win, tie or loss.
const WIDEST_QUESTION: i32 = 2;

/// A result with what it rests on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SearchValue {
    /// Points, the view of the side on turn.
    pub points: i32,
    /// Whether no line below it that matters was cut off at the horizon. Then it is true, within the window of the search; if not,
    /// it is a guess, even where it is called a bound.
    pub proved: bool,
}

impl SearchValue {
    /// The value of a turn with this score that leads to a position with this value.
    pub fn before(self, score: i32) -> SearchValue {
        SearchValue { points: score - self.points, ..self }
    }
}

/// A window of values: those up to alpha need not be distinguished, nor those from beta on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Window {
    /// Too low to matter, up to this.
    pub alpha: i32,
    /// Good enough, from this on.
    pub beta: i32,
}

impl Window {
    /// Nothing is too low or good enough.
    pub const FULL: Window = Window { alpha: -INFINITE, beta: INFINITE };

    /// The window that answers a question about a position with this lead.
    pub fn of(question: EndgameQuestion, lead: i32) -> Window {
        match question {
            EndgameQuestion::WhoWins => Window { alpha: -lead - 1, beta: -lead + 1 },
            EndgameQuestion::IsAtLeast(least) => Window::above(least - lead - 1),
        }
    }

    /// The narrowest one: is it more than this?
    #[inline]
    pub fn above(alpha: i32) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    /// The same window after a turn with this score, as the other side sees it.
    #[inline]
    pub fn after(self, score: i32) -> Window {
        Window { alpha: score - self.beta, beta: score - self.alpha }
    }

    /// The rest of the window when this value is certain.
    #[inline]
    pub fn raised_to(self, known: i32) -> Window {
        Window { alpha: self.alpha.max(known), ..self }
    }

    /// Whether it asks on which side of a bound a value lies, and not for the value.
    #[inline]
    pub fn is_question(self) -> bool {
        self.beta - self.alpha <= WIDEST_QUESTION
    }
}

/// The window of the search at the root.
#[derive(Clone, Copy, Debug)]
pub(super) enum RootWindow {
    /// Finds the value.
    Open,
    /// Finds the value as far as it is inside the window.
    Fixed(Window),
}

impl RootWindow {
    /// The window that reaches a goal in a position with this lead.
    pub fn of(goal: Goal, lead: i32) -> RootWindow {
        match goal {
            Goal::Spread => RootWindow::Open,
            Goal::FirstWin => RootWindow::Fixed(Window::of(EndgameQuestion::WhoWins, lead)),
            Goal::AtLeast(least) => RootWindow::Fixed(Window::of(EndgameQuestion::IsAtLeast(least), lead)),
        }
    }

    /// What is known of a value found with this window.
    pub fn bound(self, value: SearchValue) -> Bound {
        match self {
            _ if !value.proved => Bound::Estimate,
            RootWindow::Fixed(window) if value.points <= window.alpha => Bound::AtMost,
            RootWindow::Fixed(window) if value.points >= window.beta => Bound::AtLeast,
            _ => Bound::Exact,
        }
    }
}
