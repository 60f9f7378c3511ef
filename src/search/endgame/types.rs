//! The questions to an endgame solver and its answers. Inside the solver, the question to a step of the search is a
//! window, and the answer is a value.
//!
//! All values are changes of the lead: points that the side on turn gains on the other side from a position until the
//! end of the game, final adjustments included. Positions with different scores can therefore share results.
//!
//! Not here: how the answers are found (`solver.rs`, `worker.rs`).

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::rules::{Placement, Position, Rack};

/// The racks of both sides and the score, on a board that the solver already has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndgameDeal {
    /// The racks, that of the side on turn first. Neither is empty, except that the other side's may be where last turns are counted.
    pub racks: [Rack; 2],
    /// Lead of the side on turn, points.
    pub lead: i32,
    /// Whether the previous turn was a pass, so that one more ends the game.
    pub passed: bool,
    /// How many turns are left, where they are counted
    /// ([`Countdown::last_turns`](crate::rules::Countdown::last_turns)): 1 or 2.
    pub last_turns: Option<u32>,
    /// Affects only the time that a search takes.
    pub supersets: RackSupersets,
}

/// For each side, the one on turn first: tiles that include all its racks in the questions about a board. Placements are found once for these
/// tiles, and those of each rack are picked from them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RackSupersets {
    /// In the questions about the first board, and about all boards after it.
    pub on_first_board: [Rack; 2],
    /// In the questions about the present board.
    pub here: [Rack; 2],
}

impl EndgameDeal {
    /// Creates a deal that shares its placements with no other deal.
    pub fn new(racks: [Rack; 2], lead: i32, passed: bool) -> EndgameDeal {
        EndgameDeal { racks, lead, passed, last_turns: None, supersets: RackSupersets { on_first_board: racks, here: racks } }
    }

    /// Returns the same deal with this many turns left, if they are counted.
    #[must_use]
    pub fn with_last_turns(self, last_turns: Option<u32>) -> EndgameDeal {
        EndgameDeal { last_turns, ..self }
    }

    /// Whether the sides have the tiles that an endgame needs.
    pub(super) fn has_racks(&self) -> bool {
        let [own, other] = self.racks;
        !own.is_empty() && (!other.is_empty() || self.last_turns.is_some())
    }

    /// The deal of a position; `None` if the bag is not empty or a rack is unknown. A rack that follows from the
    /// remaining tiles is known once it is [deduced](Position::deduce_racks).
    ///
    /// `passed` is whether one more turn without points ends the game: `search/endgame/mod.rs` explains why that is
    /// enough.
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

/// A question that bounds can answer, without the exact value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndgameQuestion {
    /// The sign of the final lead of the side on turn.
    WhoWins,
    /// Whether the final lead of the side on turn is at least this many points.
    IsAtLeast(i32),
}

/// The limit that ends a search before it has a proof: the first limit that is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndgameLimits {
    /// Plies.
    pub depth: Option<usize>,
    /// Positions generated, by the first thread.
    pub nodes: Option<u64>,
    /// Threads, at least 1. With one thread, the answer depends only on this question and earlier ones.
    pub threads: usize,
}

impl Default for EndgameLimits {
    fn default() -> EndgameLimits {
        EndgameLimits { depth: None, nodes: None, threads: 1 }
    }
}

/// The knowledge about a value.
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
    /// Returns what is known about the negated value, which is how the other side sees it.
    pub fn turned(self) -> Bound {
        match self {
            Bound::AtLeast => Bound::AtMost,
            Bound::AtMost => Bound::AtLeast,
            Bound::Exact | Bound::Estimate => self,
        }
    }

    /// Returns the least and the greatest possible true value, as far as they are proved, given this `value`.
    pub fn range(self, value: i32) -> (Option<i32>, Option<i32>) {
        match self {
            Bound::Exact => (Some(value), Some(value)),
            Bound::AtLeast => (Some(value), None),
            Bound::AtMost => (None, Some(value)),
            Bound::Estimate => (None, None),
        }
    }

    /// Returns the sign of the true final lead (1 = the mover wins, 0 = a tie) if this bound on it decides the sign.
    pub fn outcome(self, final_lead: i32) -> Option<i32> {
        match self {
            Bound::Exact => Some(final_lead.signum()),
            Bound::AtLeast if final_lead > 0 => Some(1),
            Bound::AtMost if final_lead < 0 => Some(-1),
            _ => None,
        }
    }
}

/// The result of a search, or of one of its depths.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Solution {
    /// Change of the mover's lead from now until the end of the game, final adjustments included, in points from the
    /// mover's point of view.
    pub value: i32,
    /// The knowledge about the value.
    pub bound: Bound,
    /// Whether the goal is reached and proved. For [`Goal::Spread`] the value is then exact; for the other goals it is
    /// a bound that answers the question.
    pub solved: bool,
    /// The last depth searched completely, in plies; 0 for a playout. After a search to the end, at least the length of
    /// the line.
    pub depth: usize,
    /// Positions generated, by all threads.
    pub nodes: u64,
    /// How full the table is, thousandths.
    pub hashfull: u32,
    /// The play and what is expected to follow, as far as it is known. Empty only if the game is over.
    pub line: Vec<EvaluatedPlay>,
}

impl Solution {
    /// Returns the sign of the final lead (1 = the mover wins, 0 = a tie) if value and bound decide it.
    pub fn outcome(&self, lead: i32) -> Option<i32> {
        self.bound.outcome(lead + self.value)
    }
}

/// The answer to a single question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Change of the mover's lead until the end, in points from the mover's point of view, and what is known about it.
    pub found: Option<(i32, Bound)>,
    /// If the lead asked about is reached: the placement that reached it last, in this question or an earlier one. It
    /// is only a hint for similar positions.
    pub refutation: Option<Placement>,
    /// Positions generated.
    pub nodes: u64,
}

/// Proved bounds on the change of the mover's lead until the end, in points from the mover's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Enclosed {
    /// The change is at least this.
    pub least: Option<i32>,
    /// The change is at most this.
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
    /// Points, from the point of view of the side on turn.
    pub points: i32,
    /// Whether no relevant line below it was cut off at the horizon. If so, the value is true within the window of the
    /// search; if not, it is a guess, even where it is called a bound.
    pub proved: bool,
}

impl SearchValue {
    /// The value of a turn with this score that leads to a position with this value.
    pub fn before(self, score: i32) -> SearchValue {
        SearchValue { points: score - self.points, ..self }
    }
}

/// A window of values: those up to alpha need not be distinguished from each other, nor those from beta on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Window {
    /// Values up to this one are too low to matter.
    pub alpha: i32,
    /// Values from this one on are good enough.
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

    /// The narrowest window: asks whether the value is more than this.
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

    /// Whether it asks only on which side of a bound the value lies, not for the value itself.
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

    /// The knowledge about a value found with this window.
    pub fn bound(self, value: SearchValue) -> Bound {
        match self {
            _ if !value.proved => Bound::Estimate,
            RootWindow::Fixed(window) if value.points <= window.alpha => Bound::AtMost,
            RootWindow::Fixed(window) if value.points >= window.beta => Bound::AtLeast,
            _ => Bound::Exact,
        }
    }
}
