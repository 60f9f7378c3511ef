//! The opponent's last turn: which tiles its rack held, and what was kept of it.
//!
//! Not here: how well a rack explains it (`explain.rs`).

use crate::rules::ways;
use crate::rules::{Position, Rack};
use crate::search::inference::observed::ObservedTurn;

/// The last turn, and what is out of sight since.
pub struct LastTurn<'a> {
    /// The turn.
    pub observed: &'a ObservedTurn,
    /// The bag and the opponent's rack as it is now.
    pub unseen: Rack,
    /// What is known of that rack.
    pub known: Rack,
    /// Tiles on it.
    pub holds: usize,
}

impl<'a> LastTurn<'a> {
    /// This turn, as the player on turn in this position looks back on it.
    pub fn new(observed: &'a ObservedTurn, position: &Position) -> LastTurn<'a> {
        LastTurn { observed, unseen: position.unseen(), known: *position.opponent_rack(), holds: position.opponent_tiles() }
    }

    /// What the rack held for certain, the tiles that the rest of it came from, and how many these were.
    pub fn drawn_from(&self) -> (Rack, Rack, usize) {
        let shown = self.observed.shown();
        let pool = self.unseen.minus(&self.observed.shown_off_board()).unwrap_or_default();
        let pool = pool.without(&self.observed.exchanged_before());
        let others = self.observed.held().saturating_sub(shown.len()).min(pool.len());
        (shown, pool, others)
    }

    /// The known tiles that nobody saw on the rack of that turn, and how many tiles were drawn since.
    pub fn known_to_be_drawn(&self) -> (Rack, usize) {
        let kept_for_certain = self.observed.kept_of(&self.observed.shown()).unwrap_or_default();
        (self.known.without(&kept_for_certain), self.holds.saturating_sub(self.observed.kept()))
    }

    /// Calls `visit` with every leave that may have been kept of a rack, and its share: the chance that it was this one, and that
    /// the known tiles are on the rack now.
    pub fn for_each_leave(&self, rack: &Rack, visit: &mut impl FnMut(Rack, f64)) {
        let mut tell = |leave: Rack, share: f64| {
            let share = share * self.chance_of_known(&leave);
            if share > 0.0 {
                visit(leave, share);
            }
        };
        match self.observed.kept_of(rack) {
            Some(leave) => tell(leave, 1.0),
            None => ways::for_each_part(rack, self.observed.kept(), &mut tell),
        }
    }

    /// The chance that the opponent, having kept this leave, holds the known tiles after drawing.
    fn chance_of_known(&self, leave: &Rack) -> f64 {
        if self.known.is_empty() {
            return 1.0;
        }
        let Ok(pool) = self.unseen.minus(leave) else { return 0.0 };
        let drawn = self.holds.saturating_sub(leave.len());
        ways::draws_containing(&pool, drawn, &self.known.without(leave)) / ways::choose(pool.len(), drawn)
    }
}
