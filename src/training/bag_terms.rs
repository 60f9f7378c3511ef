//! Terms for the end of the bag from self-play: the later change of the lead,
//! by tiles left in the bag.
//!
//! Let y be the change of the lead from after the play to the end of the game, and v the value of the tiles kept. For each number n
//! of tiles left, a straight line `y = a + b v` is fitted by least squares. Another line is fitted to all plays that leave somewhat
//! more tiles (`FAR`), where the end of the bag does not matter yet. The value of leaving n tiles is `a(n) - a(far)`, and the value of
//! the tiles kept counts by the share b(n).
//!
//! The counted players do not use such terms themselves, since players who use them end their games differently. Sums are whole
//! numbers, so that the order of games does not matter.

use crate::evaluation::leaves::{BagRow, BagTerms, MOST_SHARE, WHOLE_SHARE};
use crate::match_play::game::TurnBefore;
use crate::rules::units::Millipoints;
use crate::rules::{BySeat, GameRules, Seat};
use crate::training::tally::{KeptTally, Tally};
use std::ops::RangeInclusive;

/// The greatest number of tiles left that has a row. Rows for 7 to 12 gain nothing: +0.07 ± 0.08 points a game over 10,000 pairs.
const LAST: i32 = 6;

/// The numbers of tiles left with which the rows are compared.
const FAR: RangeInclusive<i32> = 13..=20;

/// The unit in which values of leaves are counted, millipoints.
const QUANTUM: f64 = 10.0;

/// Sums for a straight line: of y in points, v in hundredths of a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct LineSums {
    count: i64,
    v: i64,
    vv: i64,
    y: i64,
    vy: i64,
}

impl LineSums {
    fn add(&mut self, leave_value: Millipoints, change: i32) {
        let (v, y) = ((f64::from(leave_value.0) / QUANTUM).round() as i64, i64::from(change));
        *self = LineSums { count: self.count + 1, v: self.v + v, vv: self.vv + v * v, y: self.y + y, vy: self.vy + v * y };
    }

    fn of_numbers(numbers: &[i64]) -> Option<LineSums> {
        let &[count, v, vv, y, vy] = numbers else { return None };
        Some(LineSums { count, v, vv, y, vy })
    }

    fn merge(&mut self, other: &LineSums) {
        self.count += other.count;
        self.v += other.v;
        self.vv += other.vv;
        self.y += other.y;
        self.vy += other.vy;
    }

    /// Fits the line: points for a leave without value, and points for each point of the leave. The latter is kept between 0 and 1, since
    /// a few plays may give any slope. It is 1 if all leaves have the same value.
    fn fit(&self) -> (f64, f64) {
        let [count, v, vv, y, vy] = [self.count, self.v, self.vv, self.y, self.vy].map(|sum| sum as f64);
        let spread = vv - v * v / count;
        let all = QUANTUM / f64::from(Millipoints::PER_POINT);
        let slope = if spread > 0.0 { ((vy - v * y / count) / spread).clamp(0.0, all) } else { all };
        ((y - slope * v) / count, slope * f64::from(Millipoints::PER_POINT) / QUANTUM)
    }
}

/// The counts of plays near the end of the bag, with their results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BagCounts {
    rack_size: usize,
    /// By tiles left, from `1 - rack_size` on. A negative number counts the tiles that the rack lacks after the last draw.
    rows: Vec<LineSums>,
    far: LineSums,
}

impl BagCounts {
    /// Returns empty counts for games by these rules.
    pub fn new(rules: &GameRules) -> BagCounts {
        let rows = LAST as usize + rules.rack_size;
        BagCounts { rack_size: rules.rack_size, rows: vec![LineSums::default(); rows], far: LineSums::default() }
    }

    fn first(&self) -> i32 {
        1 - self.rack_size as i32
    }

    fn line_mut(&mut self, left: i32) -> Option<&mut LineSums> {
        if FAR.contains(&left) {
            return Some(&mut self.far);
        }
        let at = usize::try_from(left - self.first()).ok()?;
        self.rows.get_mut(at)
    }

    /// Returns the terms, or `None` if no play has left some number of tiles.
    pub fn terms(&self) -> Option<BagTerms> {
        if self.rows.iter().chain([&self.far]).any(|line| line.count == 0) {
            return None;
        }
        let (far, _) = self.far.fit();
        let row = |line: &LineSums| {
            let (worth, share) = line.fit();
            let share = (share * f64::from(WHOLE_SHARE)).round() as i32;
            BagRow { worth: Millipoints::rounded(worth - far), leave_share: share.clamp(-MOST_SHARE, MOST_SHARE) }
        };
        BagTerms::new(self.first(), self.rows.iter().map(row).collect())
    }
}

impl Tally for BagCounts {
    fn add_game(&mut self, turns: &[TurnBefore], spread: i32) {
        let mut leaves = BySeat([Millipoints::ZERO; 2]);
        for pair in turns.windows(2) {
            let (turn, next) = (&pair[0], &pair[1]);
            // The next player's own leave is from the turn before this one.
            leaves[turn.seat] = leaves[next.seat] - next.leaves_lead;
            if turn.left.in_bag == 0 {
                continue;
            }
            let lacking = self.rack_size - next.left.other_rack;
            let left = next.left.in_bag as i32 - lacking as i32;
            let last = if turn.seat == Seat::First { spread } else { -spread };
            if let Some(line) = self.line_mut(left) {
                line.add(leaves[turn.seat], last + next.spread);
            }
        }
    }

    fn add(&mut self, other: &BagCounts) {
        self.rows.iter_mut().zip(&other.rows).for_each(|(line, other)| line.merge(other));
        self.far.merge(&other.far);
    }
}

impl KeptTally for BagCounts {
    fn numbers(&self) -> Vec<Vec<i64>> {
        self.rows.iter().chain([&self.far]).map(|line| vec![line.count, line.v, line.vv, line.y, line.vy]).collect()
    }

    fn add_numbers(&mut self, _: u64, rows: &[Vec<i64>]) -> Option<()> {
        let lines: Vec<LineSums> = rows.iter().map(|row| LineSums::of_numbers(row)).collect::<Option<_>>()?;
        let (far, rows) = lines.split_last().filter(|(_, rows)| rows.len() == self.rows.len())?;
        self.rows.iter_mut().zip(rows).for_each(|(line, more)| line.merge(more));
        self.far.merge(far);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::heuristics::RackHeuristic;
    use crate::evaluation::win_model::TilesLeft;
    use crate::evaluation::{Leaves, StaticEval};
    use crate::lexicon::Lexicon;
    use crate::match_play::game::GameLoop;
    use crate::rules::GameRules;
    use crate::search::budget::Signals;
    use crate::training::tally::{TallyPlayers, tally_games};
    use std::sync::Arc;

    /// Makes the same counts from the plays themselves.
    fn from_plays(players: TallyPlayers<'_>, games: u64) -> BagCounts {
        let mut eval = StaticEval::new(players.rules, players.lexicon, players.leaves);
        let mut game = GameLoop::new(players.rules, players.lexicon.graph());
        let mut counts = BagCounts::new(players.rules);
        for index in 0..games {
            let mut plays = Vec::new();
            let summary = game.play(players.seed, index, &Signals::default(), |board, view| {
                let play = eval.best(board, &view.tiles);
                let kept = view.tiles.rack.minus(&play.play.rack_tiles()).unwrap();
                let placed = play.play.placement().map_or(0, |placement| placement.tile_count());
                let lead = view.scores.lead(view.seat) + play.score;
                if view.tiles.in_bag > 0 {
                    plays.push((view.seat, view.tiles.in_bag as i32 - placed as i32, eval.leaves().value(&kept), lead));
                }
                play
            });
            let scores = summary.unwrap().scores;
            for (seat, left, value, lead) in plays {
                if let Some(line) = counts.line_mut(left) {
                    line.add(value, scores.lead(seat) - lead);
                }
            }
        }
        counts
    }

    #[test]
    fn turns_tell_what_the_plays_left_and_came_to() {
        let (rules, lexicon) = (Arc::new(GameRules::english()), Lexicon::builtin());
        let leaves = Leaves::heuristic(RackHeuristic::VowelMix, &rules.distribution);
        let players = TallyPlayers { rules: &rules, lexicon: &lexicon, leaves: &leaves, seed: 3 };
        let counts = tally_games(players, 0..40, || BagCounts::new(&rules));
        assert_eq!(counts, from_plays(players, 40));
        assert!(counts.rows.iter().filter(|line| line.count > 0).count() > 10 && counts.far.count > 40, "{counts:?}");
    }

    #[test]
    fn a_straight_line_is_found_again() {
        let rules = GameRules::english();
        let mut counts = BagCounts::new(&rules);
        assert_eq!(counts.terms(), None);
        for left in counts.first()..=*FAR.end() {
            for value in [-4000, 1000, 9000] {
                // The change is half of the leave, plus a point for each tile left.
                let change = value / 2000 + left.min(LAST + 1) - 30;
                if let Some(line) = counts.line_mut(left) {
                    line.add(Millipoints(value), change);
                }
            }
        }
        let terms = counts.terms().unwrap();
        for (left, row) in terms.rows() {
            assert!(
                (row.leave_share - 500).abs() < 40 && (row.worth - Millipoints::from_points(left - LAST - 1)).0.abs() < 10,
                "{left} {row:?}"
            );
        }
        assert_eq!(terms.rows().map(|(left, _)| left).collect::<Vec<_>>(), (-6..=LAST).collect::<Vec<_>>());
    }

    #[test]
    fn the_last_turn_of_a_game_and_those_with_an_empty_bag_tell_nothing() {
        let turn = |seat, in_bag, own_rack, other_rack| TurnBefore {
            seat,
            left: TilesLeft { in_bag, own_rack, other_rack },
            spread: 0,
            leaves_lead: Millipoints::ZERO,
        };
        let mut counts = BagCounts::new(&GameRules::english());
        // A player places four tiles and draws the last two of the bag. Then follows a short endgame.
        counts.add_game(&[turn(Seat::First, 2, 7, 7), turn(Seat::Second, 0, 7, 5), turn(Seat::First, 0, 5, 3)], 12);
        assert_eq!(counts.line_mut(-2).unwrap(), &LineSums { count: 1, y: 12, ..LineSums::default() });
        assert_eq!(counts.rows.iter().map(|line| line.count).sum::<i64>(), 1);
    }
}
