//! The points for the tiles left at the end of a game, and whether more or fewer points win. Every search, player and format uses this.
//!
//! Not here: when a game ends (`countdown.rs`; `position.rs` for a referee, `search/dealt_game.rs` for playouts).
//! Start with [`Ending::adjustments`]; [`Ending::lead_for_going_out`] and [`Ending::lead_when_stuck`] return the same for searches
//! that have only the difference of the scores.

use crate::rules::seat::{BySeat, Seat};

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameEnd {
    /// The player in this seat had no tiles left when the bag was empty.
    WentOut(Seat),
    /// Too many successive turns without points.
    ZeroTurns,
    /// Each player had a last turn after the bag was empty: [`Variant::last_turns`](crate::rules::Variant::last_turns).
    LastTurns,
    /// No possible rack has a play any more, under rules that then end the game.
    NoPlays,
    /// The match runner declared the end.
    Declared,
}

/// The effect on a game of a board where no possible rack has a play (`search/board_life.rs`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DeadBoard {
    /// It goes on until it ends by turns without points, as in tournaments.
    #[default]
    PlaysOn,
    /// It ends at once, "when all possible plays have been made" (rule 9 in the game's box): each player loses their own rack.
    EndsGame,
}

/// What the players play for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Objective {
    /// The higher score wins.
    #[default]
    MostPoints,
    /// The lower score wins.
    FewestPoints,
}

impl Objective {
    /// A lead in points, with its sign such that more is better for the player who leads.
    pub const fn gain(self, lead: i32) -> i32 {
        match self {
            Objective::MostPoints => lead,
            Objective::FewestPoints => -lead,
        }
    }
}

/// What the end of a game pays, as multiples of the points of the tiles that are left on a rack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    /// The player who goes out gains the points of the other rack, times this factor.
    pub out_gain: i32,
    /// The other player then loses the points of their own rack, times this factor.
    pub out_loss: i32,
    /// When too many turns without points end the game, or nothing can be played any more, each player loses the points of
    /// their own rack, times this factor.
    pub stuck_loss: i32,
}

impl Ending {
    /// The player who goes out gains twice the other rack; stuck players lose their racks.
    pub const DOUBLE_GAIN: Ending = Ending { out_gain: 2, out_loss: 0, stuck_loss: 1 };

    /// The tiles that are left count for nothing.
    pub const NOTHING: Ending = Ending { out_gain: 0, out_loss: 0, stuck_loss: 0 };

    /// The points of the last rack go from one player to the other; stuck players lose their racks.
    pub const TRANSFER: Ending = Ending { out_gain: 1, out_loss: 1, stuck_loss: 1 };

    /// How the scores change by seat, given the points of the tiles on each rack.
    #[inline]
    pub fn adjustments(self, end: GameEnd, rack_points: BySeat<i32>) -> BySeat<i32> {
        match end {
            GameEnd::WentOut(seat) => {
                let left = rack_points[seat.opponent()];
                let mut changes = BySeat([-self.out_loss * left; 2]);
                changes[seat] = self.out_gain * left;
                changes
            }
            GameEnd::ZeroTurns | GameEnd::NoPlays => rack_points.map(|points| -self.stuck_loss * points),
            GameEnd::LastTurns | GameEnd::Declared => BySeat([0; 2]),
        }
    }

    /// How the lead of the player who goes out changes, in points, when the tiles on the other rack are worth this many points.
    #[inline]
    pub const fn lead_for_going_out(self, other_rack_points: i32) -> i32 {
        (self.out_gain + self.out_loss) * other_rack_points
    }

    /// How a player's lead changes, in points, when the game ends by turns without points and the racks are worth this many points.
    #[inline]
    pub const fn lead_when_stuck(self, own_rack_points: i32, other_rack_points: i32) -> i32 {
        self.stuck_loss * (other_rack_points - own_rack_points)
    }
}

impl Default for Ending {
    fn default() -> Ending {
        Ending::DOUBLE_GAIN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OTHERS: [Ending; 4] =
        [Ending::DOUBLE_GAIN, Ending::TRANSFER, Ending::NOTHING, Ending { out_gain: 3, out_loss: 4, stuck_loss: 5 }];

    #[test]
    fn going_out_pays_the_one_and_may_cost_the_other() {
        let changes = |ending: Ending, seat, racks| ending.adjustments(GameEnd::WentOut(seat), BySeat(racks)).0;
        assert_eq!(changes(Ending::DOUBLE_GAIN, Seat::First, [0, 8]), [16, 0]);
        assert_eq!(changes(Ending::DOUBLE_GAIN, Seat::Second, [8, 0]), [0, 16]);
        assert_eq!(changes(Ending::TRANSFER, Seat::First, [0, 8]), [8, -8]);
        assert_eq!(changes(Ending::TRANSFER, Seat::Second, [8, 0]), [-8, 8]);
    }

    #[test]
    fn stuck_players_lose_their_own_racks_and_a_declared_end_changes_nothing() {
        let changes = |end| Ending::DOUBLE_GAIN.adjustments(end, BySeat([16, 10])).0;
        assert_eq!(changes(GameEnd::ZeroTurns), [-16, -10]);
        assert_eq!(changes(GameEnd::NoPlays), [-16, -10]);
        assert_eq!(changes(GameEnd::Declared), [0, 0]);
        assert_eq!(changes(GameEnd::LastTurns), [0, 0]);
    }

    #[test]
    fn leads_change_as_the_scores_do() {
        for ending in OTHERS {
            for seat in Seat::BOTH {
                let racks = BySeat([7, 11]);
                let [own, other] = racks.own_first(seat);
                assert_eq!(ending.lead_for_going_out(other), ending.adjustments(GameEnd::WentOut(seat), racks).lead(seat));
                assert_eq!(ending.lead_when_stuck(own, other), ending.adjustments(GameEnd::ZeroTurns, racks).lead(seat));
            }
        }
    }

    #[test]
    fn the_objective_says_whose_lead_is_a_gain() {
        assert_eq!((Objective::MostPoints.gain(5), Objective::FewestPoints.gain(5)), (5, -5));
    }
}
