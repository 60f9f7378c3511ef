//! The win % table from self-play: how often each change of lead occurs from a turn to the game's
//! end.
//!
//! Static players do not look at the score. Therefore one game is evidence for all leads:
//! if the player on turn led by `x` and finally by `y`, then with a lead of `s` the same game would
//! have ended with `s + y - x`. Each turn is counted in a row of the table, by the number of tiles
//! unseen, or by both rack sizes when the bag is empty. In its row, it is counted by the change
//! `d = y - x`. The lead `x` is the [`valued_lead`], as at the horizon of a simulation.
//!
//! With `N` turns in a row, `W(s) = (#{d > -s} + #{d = -s} / 2) / N`. Rows with few turns are drawn towards their neighbours (see
//! [`WinCounts::table`]).
//!
//! Not here: playing the games (`tally.rs`), and the use of the table in searches (`evaluation/win_model.rs`).

use crate::evaluation::win_model::{RowKey, WinTable, WinTableError};
use crate::match_play::game::TurnBefore;
use crate::rules::{GameRules, Seat};
use crate::training::tally::{KeptTally, Tally};

/// The greatest lead that has a column. The model extends the table beyond it.
pub const MAX_LEAD: i32 = 300;

/// The greatest change that is counted, either way. Greater changes count as this one, since no column
/// distinguishes them.
const MAX_CHANGE: i32 = MAX_LEAD + 1;

/// The number of different changes.
const CHANGES: usize = (2 * MAX_CHANGE + 1) as usize;

/// The number of turns that the neighbours of a row by tiles unseen count for. One tile more or fewer changes W by half a percent, which
/// is the error of 10,000 turns.
const NEIGHBOURS_BY_UNSEEN: f64 = 4000.0;

/// The same number for rows by rack sizes, whose neighbours differ more.
const NEIGHBOURS_BY_RACKS: f64 = 100.0;

/// Decimals of the table.
const DECIMALS: f64 = 1e4;

/// Returns the lead by which a turn is counted and looked up: the spread, plus the value of the tiles
/// that the player kept on the last turn, minus the value of the opponent's, in whole points.
///
/// Compared with a table of plain spreads, on 10,000 games after a training with 20,000 (Brier score, mean error of the bins):
///
/// | counted by | looked up by the valued lead | looked up by the spread |
/// |---|---|---|
/// | valued lead | 0.15306, 0.0027 | 0.15683, 0.0070 |
/// | spread | 0.15334, 0.0048 | 0.15671, 0.0038 |
///
/// (In the second row, turns with an empty bag were looked up by the spread in both columns.)
/// Searches use the valued lead, so turns are counted by it. It also helps with an empty bag:
/// with 7 tiles unseen, the Brier score is 0.0730 instead of 0.0771.
pub fn valued_lead(turn: &TurnBefore) -> i32 {
    turn.spread + turn.leaves_lead.points().round() as i32
}

/// Counts of changes of the lead. They take less than a megabyte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WinCounts {
    games: u64,
    rack_size: usize,
    /// First the rows by tiles unseen, from `rack_size + 1` on; then the rows by rack sizes, own rack first.
    rows: Vec<Row>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    key: RowKey,
    /// By change of the lead, from `-MAX_CHANGE` on.
    changes: Vec<u64>,
}

impl Row {
    fn turns(&self) -> u64 {
        self.changes.iter().sum()
    }
}

impl WinCounts {
    /// Returns empty counts for games by these rules.
    pub fn new(rules: &GameRules) -> WinCounts {
        let (tiles, rack_size) = (rules.distribution.total(), rules.rack_size);
        let by_unseen = (rack_size + 1..=tiles.saturating_sub(rack_size)).map(RowKey::Unseen);
        let racks = (1..=rack_size).flat_map(|own_rack| (1..=rack_size).map(move |other_rack| (own_rack, other_rack)));
        let by_racks = racks.map(|(own_rack, other_rack)| RowKey::EmptyBag { own_rack, other_rack });
        let rows = by_unseen.chain(by_racks).map(|key| Row { key, changes: vec![0; CHANGES] }).collect();
        WinCounts { games: 0, rack_size, rows }
    }

    /// Returns the number of games counted.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Returns the number of turns counted.
    pub fn turns(&self) -> u64 {
        self.rows.iter().map(Row::turns).sum()
    }

    fn row_mut(&mut self, key: RowKey) -> Option<&mut Row> {
        let first_by_racks = self.rows.len() - self.rack_size * self.rack_size;
        match key {
            RowKey::Unseen(unseen) => self.rows[..first_by_racks].get_mut(unseen.checked_sub(self.rack_size + 1)?),
            RowKey::EmptyBag { own_rack, other_rack } => {
                let at = (own_rack.checked_sub(1)?) * self.rack_size + other_rack.checked_sub(1)?;
                self.rows[first_by_racks..].get_mut(at)
            }
        }
    }

    /// Returns the table. A row's frequencies are drawn towards those of its neighbours, `P`, as if these were `m` more turns of the row.
    /// Half a win and half a loss are added, so that no result is certain:
    ///
    /// `W(s) = (N W'(s) + m P(s) + 1/2) / (N + m + 1)`
    ///
    /// `P` are the frequencies of the turns of all other rows of the same kind. A row one tile away counts fully, and half as much for
    /// every further tile. A row without turns is thus interpolated, and a row with a million turns is practically unchanged. All terms
    /// rise with the lead, and so does their sum.
    ///
    /// # Errors
    /// Nothing has been counted.
    pub fn table(&self) -> Result<WinTable, WinTableError> {
        if self.turns() == 0 {
            return Err(WinTableError::Empty);
        }
        WinTable::new(-MAX_LEAD, self.rows.iter().map(|row| (row.key, self.smoothed(row))).collect())
    }

    fn smoothed(&self, row: &Row) -> Vec<f32> {
        let mut neighbours = vec![0.0; CHANGES];
        for other in self.rows.iter().filter(|other| other.key != row.key) {
            let Some(distance) = distance(row.key, other.key) else { continue };
            let weight = 0.5f64.powi(distance as i32 - 1);
            neighbours.iter_mut().zip(&other.changes).for_each(|(sum, &count)| *sum += weight * count as f64);
        }
        let own: Vec<f64> = row.changes.iter().map(|&count| count as f64).collect();
        let (turns, of_neighbours) = (own.iter().sum::<f64>(), neighbours.iter().sum::<f64>());
        let most = match row.key {
            RowKey::Unseen(_) => NEIGHBOURS_BY_UNSEEN,
            RowKey::EmptyBag { .. } => NEIGHBOURS_BY_RACKS,
        };
        // Neighbours count for no more turns than they have.
        let weight = most.min(of_neighbours);
        let share = if of_neighbours > 0.0 { weight / of_neighbours } else { 0.0 };
        let (own, neighbours) = (wins_by_lead(&own), wins_by_lead(&neighbours));
        let smooth = |(own, neighbours): (&f64, &f64)| (own + share * neighbours + 0.5) / (turns + weight + 1.0);
        let mut before = 0.0f32;
        let rounded = own.iter().zip(&neighbours).map(smooth).map(|win| ((win * DECIMALS).round() / DECIMALS) as f32);
        // The last bits of sums in floating point need not rise.
        rounded
            .map(|win| {
                before = before.max(win);
                before
            })
            .collect()
    }
}

/// Returns the number of tiles between two rows, or `None` for rows of different kinds, which are not neighbours.
fn distance(a: RowKey, b: RowKey) -> Option<usize> {
    match (a, b) {
        (RowKey::Unseen(a), RowKey::Unseen(b)) => Some(a.abs_diff(b)),
        (RowKey::EmptyBag { own_rack, other_rack }, RowKey::EmptyBag { own_rack: own, other_rack: other }) => {
            Some(own_rack.abs_diff(own) + other_rack.abs_diff(other))
        }
        _ => None,
    }
}

/// Returns how many of the games would have been won with the lead of each column. A tie is half a win.
fn wins_by_lead(changes: &[f64]) -> Vec<f64> {
    let mut above = 0.0;
    let mut wins = Vec::with_capacity(CHANGES - 2);
    // With a lead of `s`, a change of `-s` ties. The loop begins with the least lead and the greatest change.
    for (at, count) in changes.iter().enumerate().rev() {
        if (1..CHANGES - 1).contains(&at) {
            wins.push(above + count / 2.0);
        }
        above += count;
    }
    wins
}

impl Tally for WinCounts {
    fn add_game(&mut self, turns: &[TurnBefore], spread: i32) {
        self.games += 1;
        for turn in turns {
            let last = if turn.seat == Seat::First { spread } else { -spread };
            let change = (last - valued_lead(turn)).clamp(-MAX_CHANGE, MAX_CHANGE);
            if let Some(row) = self.row_mut(turn.left.row()) {
                row.changes[(change + MAX_CHANGE) as usize] += 1;
            }
        }
    }

    fn add(&mut self, other: &WinCounts) {
        self.games += other.games;
        for (row, more) in self.rows.iter_mut().zip(&other.rows) {
            row.changes.iter_mut().zip(&more.changes).for_each(|(count, more)| *count += more);
        }
    }
}

impl KeptTally for WinCounts {
    /// Returns each row without the zeros at both ends: the offset of the rest, then the rest.
    fn numbers(&self) -> Vec<Vec<i64>> {
        let of_row = |row: &Row| {
            let first = row.changes.iter().position(|&count| count > 0).unwrap_or(0);
            let last = row.changes.iter().rposition(|&count| count > 0).map_or(first, |last| last + 1);
            std::iter::once(first as i64).chain(row.changes[first..last].iter().map(|&count| count as i64)).collect()
        };
        self.rows.iter().map(of_row).collect()
    }

    fn add_numbers(&mut self, games: u64, rows: &[Vec<i64>]) -> Option<()> {
        if rows.len() != self.rows.len() {
            return None;
        }
        for (row, numbers) in self.rows.iter_mut().zip(rows) {
            let (first, counts) = numbers.split_first()?;
            let changes = row.changes.get_mut(usize::try_from(*first).ok()?..)?.get_mut(..counts.len())?;
            for (change, &count) in changes.iter_mut().zip(counts) {
                *change += u64::try_from(count).ok()?;
            }
        }
        self.games += games;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::Leaves;
    use crate::evaluation::heuristics::RackHeuristic;
    use crate::evaluation::win_model::{TilesLeft, win_of_final_spread};
    use crate::lexicon::Lexicon;
    use crate::rules::GameRules;
    use crate::rules::units::Millipoints;
    use crate::training::tally::{TallyPlayers, tally_games};
    use std::sync::Arc;

    /// The games themselves with their counts.
    struct Recorded {
        games: Vec<(Vec<TurnBefore>, i32)>,
        counts: WinCounts,
    }

    impl Tally for Recorded {
        fn add_game(&mut self, turns: &[TurnBefore], spread: i32) {
            self.games.push((turns.to_vec(), spread));
            self.counts.add_game(turns, spread);
        }

        fn add(&mut self, other: &Recorded) {
            self.games.extend_from_slice(&other.games);
            self.counts.add(&other.counts);
        }
    }

    fn recorded(games: u64) -> Recorded {
        let (rules, lexicon) = (Arc::new(GameRules::english()), Lexicon::builtin());
        let leaves = Leaves::heuristic(RackHeuristic::VowelMix, &rules.distribution);
        let players = TallyPlayers { rules: &rules, lexicon: &lexicon, leaves: &leaves, seed: 11 };
        tally_games(players, 0..games, || Recorded { games: Vec::new(), counts: WinCounts::new(&rules) })
    }

    /// A simple twin: for each row and lead, the games themselves show who would have won.
    #[test]
    fn counts_are_what_the_games_say() {
        let Recorded { games, counts } = recorded(40);
        assert_eq!(counts.games(), 40);
        assert_eq!(counts.turns(), games.iter().map(|(turns, _)| turns.len() as u64).sum::<u64>());
        let mut rows_seen = 0;
        for row in &counts.rows {
            let of_row = |turn: &&TurnBefore| {
                let unseen = turn.left.in_bag + turn.left.other_rack;
                match row.key {
                    RowKey::Unseen(wanted) => turn.left.in_bag > 0 && unseen == wanted,
                    RowKey::EmptyBag { own_rack, other_rack } => turn.left == TilesLeft { in_bag: 0, own_rack, other_rack },
                }
            };
            let turns: Vec<(&TurnBefore, i32)> =
                games.iter().flat_map(|(turns, spread)| turns.iter().filter(of_row).map(move |turn| (turn, *spread))).collect();
            assert_eq!(turns.len() as u64, row.turns());
            rows_seen += usize::from(!turns.is_empty());
            let wins = wins_by_lead(&row.changes.iter().map(|&count| count as f64).collect::<Vec<_>>());
            assert_eq!(wins.len(), 601);
            for (lead, found) in (-MAX_LEAD..).zip(wins) {
                let won = |&(turn, spread): &(&TurnBefore, i32)| {
                    let last = if turn.seat == Seat::First { spread } else { -spread };
                    win_of_final_spread(lead + last - valued_lead(turn))
                };
                assert_eq!(found, turns.iter().map(won).sum::<f64>(), "{}, lead {lead}", row.key);
            }
        }
        assert!(rows_seen > 60, "only {rows_seen} rows have turns");
    }

    fn turn(left: TilesLeft, spread: i32, leaves_lead: Millipoints) -> TurnBefore {
        TurnBefore { seat: Seat::First, left, spread, leaves_lead }
    }

    #[test]
    fn leaves_count_in_whole_points() {
        let with_bag = TilesLeft { in_bag: 1, own_rack: 7, other_rack: 7 };
        let leads = [-2600, -400, 400, 2600].map(|leaves| valued_lead(&turn(with_bag, 10, Millipoints(leaves))));
        assert_eq!(leads, [7, 10, 10, 13]);
    }

    #[test]
    fn a_row_leans_on_its_neighbours_only_while_it_has_few_turns_itself() {
        let rules = GameRules::english();
        let left = |in_bag| TilesLeft { in_bag, own_rack: 7, other_rack: 7 };
        let lost_near_by = |wins: u64| {
            let mut counts = WinCounts::new(&rules);
            (0..10_000).for_each(|_| counts.add_game(&[turn(left(42), 0, Millipoints::ZERO)], -50));
            (0..wins).for_each(|_| counts.add_game(&[turn(left(43), 0, Millipoints::ZERO)], 50));
            let table = counts.table().unwrap();
            let row = table.rows().find(|(key, _)| *key == RowKey::Unseen(50)).unwrap().1;
            row[MAX_LEAD as usize]
        };
        let wins = [0, 1000, 100_000].map(lost_near_by);
        assert_eq!(wins[0], 0.0001);
        assert_eq!(wins[1], 0.2001);
        assert!((0.96..0.9999).contains(&wins[2]), "{wins:?}");
    }

    #[test]
    fn few_turns_claim_no_certainty_and_rows_rise() {
        let Recorded { counts, .. } = recorded(5);
        let table = counts.table().unwrap();
        assert_eq!(table.rows().count(), 86 + 49);
        for (key, row) in table.rows() {
            assert!(row.is_sorted() && row[0] > 0.0 && row[row.len() - 1] < 1.0 && row[0] < row[row.len() - 1], "{key}: {row:?}");
        }
        assert_eq!(WinCounts::new(&GameRules::english()).table(), Err(WinTableError::Empty));
    }

    #[test]
    fn numbers_give_the_counts_back() {
        let (rules, Recorded { counts, .. }) = (GameRules::english(), recorded(3));
        for counts in [counts, WinCounts::new(&rules)] {
            let (numbers, mut read) = (counts.numbers(), WinCounts::new(&rules));
            assert_eq!(read.add_numbers(counts.games(), &numbers), Some(()));
            assert_eq!(read, counts);
            assert_eq!(read.add_numbers(0, &numbers[1..]), None);
            for wrong in [vec![], vec![CHANGES as i64, 1], vec![-1, 1], vec![0, -1], vec![1; CHANGES + 1]] {
                let mut numbers = numbers.clone();
                numbers[0] = wrong;
                assert_eq!(WinCounts::new(&rules).add_numbers(0, &numbers), None);
            }
        }
    }
}
