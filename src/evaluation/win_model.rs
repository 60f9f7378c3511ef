//! The probability of winning, from the lead and the tiles left to draw and to play.
//!
//! It is either a table of frequencies from self-play (`training/` makes it, `formats/win_table.rs` reads and prints it), or the
//! formula `1 / (1 + exp(-(x + 15) / (18 + 0.42 u)))`. Here `x` is the lead of the player on turn in points, `u` the number of tiles
//! that player does not see, and 15 points are what being on turn is worth. The formula lies within 0.03 of the frequencies that \[MAGPIE\]
//! publishes for static self-play, for 14 to 93 tiles unseen and leads of 0, 50 and 100 points; within 0.08 for 7 tiles unseen.
//!
//! The lead includes the values of what both players kept on their last turns. Start with [`WinModel::win`].

use crate::rules::fingerprint::Fingerprint;
use std::collections::BTreeMap;
use thiserror::Error;

/// Tiles that are not on the board, as far as their number is known to everybody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TilesLeft {
    /// In the bag.
    pub in_bag: usize,
    /// On the rack of the player on turn.
    pub own_rack: usize,
    /// On the other rack.
    pub other_rack: usize,
}

impl TilesLeft {
    /// Tiles that the player on turn does not see.
    pub fn unseen(&self) -> usize {
        self.in_bag + self.other_rack
    }

    /// The row of a table for such turns.
    pub fn row(&self) -> RowKey {
        match self.in_bag {
            0 => RowKey::EmptyBag { own_rack: self.own_rack, other_rack: self.other_rack },
            _ => RowKey::Unseen(self.unseen()),
        }
    }
}

/// What a row of a table is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RowKey {
    /// This many tiles unseen by the player on turn.
    Unseen(usize),
    /// Racks of these sizes, and an empty bag.
    EmptyBag {
        /// Tiles of the player on turn.
        own_rack: usize,
        /// Tiles of the other player.
        other_rack: usize,
    },
}

impl RowKey {
    /// Tiles that the player on turn does not see.
    pub fn unseen(&self) -> usize {
        match *self {
            RowKey::Unseen(unseen) => unseen,
            RowKey::EmptyBag { other_rack, .. } => other_rack,
        }
    }

    /// Tiles that the player on turn does not see, or their own if these are more.
    fn most_tiles(&self) -> usize {
        match *self {
            RowKey::Unseen(unseen) => unseen,
            RowKey::EmptyBag { own_rack, other_rack } => own_rack.max(other_rack),
        }
    }
}

impl std::fmt::Display for RowKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RowKey::Unseen(unseen) => write!(f, "{unseen} tiles unseen"),
            RowKey::EmptyBag { own_rack, other_rack } => write!(f, "racks of {own_rack} and {other_rack}"),
        }
    }
}

/// A model of the probability of winning: a table or the formula.
#[derive(Debug)]
pub struct WinModel {
    name: String,
    table: Option<WinTable>,
}

/// Probabilities that the player on turn wins, with rows by tiles unseen or rack sizes and columns by lead.
#[derive(Debug, Clone, PartialEq)]
pub struct WinTable {
    first_lead: i32,
    columns: usize,
    /// Row after row.
    cells: Vec<f32>,
    /// Where the rows begin in `cells`.
    rows: BTreeMap<RowKey, usize>,
    /// For each number of tiles unseen, where the nearest row begins.
    nearest: Vec<usize>,
}

/// Why numbers are not a table of probabilities.
#[derive(Debug, Error, PartialEq)]
pub enum WinTableError {
    /// No rows at all.
    #[error("the table is empty")]
    Empty,
    /// A row of another length.
    #[error("{row}: {found} columns, expected {expected}")]
    BadRow {
        /// The row.
        row: RowKey,
        /// Its columns.
        found: usize,
        /// Columns of the first row.
        expected: usize,
    },
    /// Leads that no game reaches.
    #[error("the first lead is {first} and the number of columns is {columns}: leads must be from -{MAX_LEAD} to {MAX_LEAD}")]
    BadLeads {
        /// The first lead.
        first: i32,
        /// Columns.
        columns: usize,
    },
    /// A second row for the same turns, or one for more tiles than any game has.
    #[error("{row}: the row occurs twice, or is for more than {MAX_TILES} tiles")]
    BadKey {
        /// The row.
        row: RowKey,
    },
    /// Not a probability, or falling as the lead grows.
    #[error("{row}, lead {lead}: {found:?} is not a probability, or is less than the one before")]
    BadValue {
        /// The row.
        row: RowKey,
        /// The column's lead.
        lead: i32,
        /// The number.
        found: f32,
    },
}

/// The largest lead that a table may have, in points.
const MAX_LEAD: i32 = 100_000;

/// The most tiles, unseen or on a rack, that a row may be for.
const MAX_TILES: usize = 1000;

impl WinTable {
    /// Creates a table whose columns are the leads from `first_lead` on, in steps of a point. Rows may come in any
    /// order.
    ///
    /// # Errors
    /// If rows have different lengths, two rows are for the same turns, or numbers are outside 0 to 1 or fall along a
    /// row.
    pub fn new(first_lead: i32, listed: Vec<(RowKey, Vec<f32>)>) -> Result<WinTable, WinTableError> {
        let columns = listed.first().filter(|(_, cells)| !cells.is_empty()).ok_or(WinTableError::Empty)?.1.len();
        let leads = -i64::from(MAX_LEAD)..=i64::from(MAX_LEAD);
        if !leads.contains(&i64::from(first_lead)) || !leads.contains(&(i64::from(first_lead) + columns as i64 - 1)) {
            return Err(WinTableError::BadLeads { first: first_lead, columns });
        }
        let mut cells = Vec::with_capacity(columns * listed.len());
        let mut rows = BTreeMap::new();
        for (row, values) in listed {
            if values.len() != columns {
                return Err(WinTableError::BadRow { row, found: values.len(), expected: columns });
            }
            if row.most_tiles() > MAX_TILES || rows.insert(row, cells.len()).is_some() {
                return Err(WinTableError::BadKey { row });
            }
            let mut before = 0.0;
            for (column, &found) in values.iter().enumerate() {
                if !(0.0..=1.0).contains(&found) || found < before {
                    return Err(WinTableError::BadValue { row, lead: first_lead.saturating_add(column as i32), found });
                }
                before = found;
            }
            cells.extend(values);
        }
        // Cells are stored in the order of the rows, so that rows listed in another order make the same table.
        let cells = rows.values().flat_map(|&begin| &cells[begin..begin + columns]).copied().collect();
        rows.values_mut().enumerate().for_each(|(place, begin)| *begin = place * columns);
        let most = rows.keys().map(RowKey::unseen).max().unwrap_or(0);
        let nearest = (0..=most).map(|unseen| nearest_row(&rows, unseen)).collect();
        Ok(WinTable { first_lead, columns, cells, rows, nearest })
    }

    /// The lead of the first column.
    pub fn first_lead(&self) -> i32 {
        self.first_lead
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The rows, those by tiles unseen first, in ascending order.
    pub fn rows(&self) -> impl Iterator<Item = (RowKey, &[f32])> {
        self.rows.iter().map(|(&row, &begin)| (row, &self.cells[begin..begin + self.columns]))
    }

    /// The probability by the row of the turn, or by the row with the nearest number of tiles unseen. Between two
    /// columns it is interpolated linearly. Beyond the first and the last column, the distance from certainty shrinks
    /// with each point as in the formula.
    fn win(&self, lead: f64, left: TilesLeft) -> f64 {
        let begin = match self.rows.get(&left.row()) {
            Some(&begin) => begin,
            None => self.nearest[left.unseen().min(self.nearest.len() - 1)],
        };
        let row = &self.cells[begin..begin + self.columns];
        let at = lead - f64::from(self.first_lead);
        let last = row.len() - 1;
        if at <= 0.0 {
            return f64::from(row[0]) * (at / scale(left)).exp();
        }
        if at >= last as f64 {
            return 1.0 - (1.0 - f64::from(row[last])) * ((last as f64 - at) / scale(left)).exp();
        }
        let below = at.floor();
        let low = f64::from(row[below as usize]);
        let high = f64::from(row[below as usize + 1]);
        low + (high - low) * (at - below)
    }
}

/// Where the row with the nearest number of tiles unseen begins. Of equally near rows, one for a bag with tiles comes
/// before one for rack sizes, and fewer tiles come before more.
fn nearest_row(rows: &BTreeMap<RowKey, usize>, unseen: usize) -> usize {
    let nearest = rows.iter().min_by_key(|(row, _)| (row.unseen().abs_diff(unseen), *row));
    *nearest.expect("a table has a row").1
}

/// By how many points a lead has to grow for the odds to grow by the factor e, in the formula.
fn scale(left: TilesLeft) -> f64 {
    18.0 + 0.42 * left.unseen() as f64
}

impl WinModel {
    /// Creates a model that uses the formula.
    pub fn formula() -> WinModel {
        WinModel { name: "logistic".to_string(), table: None }
    }

    /// Creates a model that uses a table.
    pub fn table(name: &str, table: WinTable) -> WinModel {
        WinModel { name: name.to_string(), table: Some(table) }
    }

    /// Identifies the model, as in provenance lines.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Distinguishes tables of the same name.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = Fingerprint::default();
        hash.add(self.name.bytes());
        if let Some(table) = &self.table {
            hash.add(table.first_lead.to_le_bytes());
            for (row, cells) in table.rows() {
                hash.add(row.to_string().into_bytes());
                hash.add(cells.iter().flat_map(|value| value.to_bits().to_le_bytes()));
            }
        }
        hash.value()
    }

    /// The probability, 0 to 1, that the player on turn wins.
    ///
    /// `lead` is in points: the score of the player on turn minus the other score, plus the value of the leave that
    /// this player kept on their last turn, minus the value of the leave that the other player kept (0 before a first
    /// turn).
    ///
    /// ```
    /// use tilewright::internals::{TilesLeft, WinModel};
    ///
    /// let model = WinModel::formula();
    /// let (early, late) = (
    ///     TilesLeft { in_bag: 60, own_rack: 7, other_rack: 7 },
    ///     TilesLeft { in_bag: 5, own_rack: 7, other_rack: 7 },
    /// );
    /// assert!(model.win(0.0, early) > 0.5, "being on turn is worth something");
    /// assert!(model.win(30.0, late) > model.win(30.0, early), "a lead is safer when few tiles are left");
    /// ```
    pub fn win(&self, lead: f64, left: TilesLeft) -> f64 {
        match &self.table {
            Some(table) => table.win(lead, left),
            None => 1.0 / (1.0 + (-(lead + 15.0) / scale(left)).exp()),
        }
    }
}

/// The result of a finished game: 1, one half or 0.
pub fn win_of_final_spread(spread: i32) -> f64 {
    match spread.signum() {
        1 => 1.0,
        0 => 0.5,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seven tiles on both racks, or an empty bag and fewer on the other one.
    fn unseen(count: usize) -> TilesLeft {
        TilesLeft { in_bag: count.saturating_sub(7), own_rack: 7, other_rack: count.min(7) }
    }

    #[test]
    fn the_formula_is_near_published_frequencies() {
        let published = [
            (93, [0.557, 0.741, 0.875]),
            (50, [0.618, 0.832, 0.947]),
            (30, [0.640, 0.881, 0.976]),
            (20, [0.655, 0.913, 0.987]),
            (14, [0.676, 0.933, 0.996]),
            (7, [0.743, 0.933, 0.997]),
        ];
        let model = WinModel::formula();
        for (count, wins) in published {
            for (lead, win) in [0.0, 50.0, 100.0].into_iter().zip(wins) {
                let error = (model.win(lead, unseen(count)) - win).abs();
                assert!(error < if count == 7 { 0.08 } else { 0.03 }, "{count} unseen, {lead}: {error:.3} off");
            }
        }
    }

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-6, "{found}, expected {expected}");
    }

    #[test]
    fn a_table_is_read_between_its_columns_and_at_its_nearest_row() {
        let rows = vec![(RowKey::Unseen(9), vec![0.1, 0.5, 0.9]), (RowKey::Unseen(50), vec![0.4, 0.5, 0.6])];
        let model = WinModel::table("t", WinTable::new(-1, rows).unwrap());
        close(model.win(0.5, unseen(10)), 0.7);
        close(model.win(0.5, unseen(3)), 0.7);
        close(model.win(-0.5, unseen(60)), 0.45);
        close(model.win(1.0, unseen(60)), 0.6);
    }

    #[test]
    fn with_an_empty_bag_both_racks_choose_the_row() {
        let racks = |own_rack, other_rack| RowKey::EmptyBag { own_rack, other_rack };
        let rows = vec![(racks(7, 2), vec![0.1]), (racks(2, 7), vec![0.3]), (RowKey::Unseen(8), vec![0.2])];
        let model = WinModel::table("t", WinTable::new(0, rows).unwrap());
        let empty_bag = |own_rack, other_rack| model.win(0.0, TilesLeft { in_bag: 0, own_rack, other_rack });
        close(empty_bag(7, 2), 0.1);
        close(empty_bag(2, 7), 0.3);
        close(empty_bag(5, 7), 0.3);
        close(model.win(0.0, TilesLeft { in_bag: 1, own_rack: 7, other_rack: 7 }), 0.2);
    }

    #[test]
    fn beyond_its_columns_a_table_goes_on_towards_certainty() {
        let model = WinModel::table("t", WinTable::new(-10, vec![(RowKey::Unseen(20), vec![0.3; 21])]).unwrap());
        let mut before = 0.0;
        for lead in -200..200 {
            let win = model.win(f64::from(lead), unseen(20));
            let is_column = (-10..=10).contains(&lead);
            assert!(if is_column { (win - 0.3).abs() < 1e-6 } else { win > before }, "{lead}: {win} after {before}");
            before = win;
        }
        assert!(before > 0.99 && before < 1.0);
    }

    #[test]
    fn tables_that_make_no_sense_are_refused() {
        let one = |key, cells| WinTable::new(-1, vec![(key, cells)]);
        assert_eq!(WinTable::new(0, vec![]), Err(WinTableError::Empty));
        let falling = one(RowKey::Unseen(3), vec![0.5, 0.4]);
        assert_eq!(falling.unwrap_err().to_string(), "3 tiles unseen, lead 0: 0.4 is not a probability, or is less than the one before");
        assert!(WinTable::new(0, vec![(RowKey::Unseen(3), vec![0.5]), (RowKey::Unseen(4), vec![])]).is_err());
        assert!(WinTable::new(0, vec![(RowKey::Unseen(3), vec![0.5]), (RowKey::Unseen(3), vec![0.6])]).is_err());
        assert!(one(RowKey::Unseen(MAX_TILES + 1), vec![0.5]).is_err());
        for impossible in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.001, 1.001] {
            assert!(one(RowKey::EmptyBag { own_rack: 7, other_rack: 1 }, vec![impossible]).is_err(), "{impossible}");
        }
        assert!(one(RowKey::EmptyBag { own_rack: MAX_TILES + 1, other_rack: 7 }, vec![0.5]).is_err());
        let error = WinTable::new(MAX_LEAD, vec![(RowKey::Unseen(3), vec![0.5, 0.6])]).unwrap_err();
        assert_eq!(error.to_string(), "the first lead is 100000 and the number of columns is 2: leads must be from -100000 to 100000");
        assert!(WinTable::new(MAX_LEAD - 1, vec![(RowKey::Unseen(3), vec![0.5, 0.6])]).is_ok());
        assert!(WinTable::new(i32::MIN, vec![(RowKey::Unseen(3), vec![0.5])]).is_err());
    }
}
