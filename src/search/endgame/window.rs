//! Values and windows: the question to one step of the search, and its answer.
//!
//! All values are changes of the lead from a position until the end, as the side on turn there sees them: positions with different
//! scores share what is known.

use crate::search::endgame::types::{Bound, EndgameQuestion, Goal};

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
