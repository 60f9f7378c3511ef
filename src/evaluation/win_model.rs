//! The probability of winning, from the spread and the number of tiles unseen.
//!
//! Either a table, or the formula `1 / (1 + exp(-(x + 15) / (18 + 0.42 u)))`: `x` is the spread of the player on turn (leaves
//! included), `u` the tiles he does not see, 15 points what being on turn is worth. The formula lies within 0.03 of the
//! frequencies published for static self-play (ALGORITHMS 1.4.2, for 7 to 93 tiles unseen and spreads of 0, 50 and 100).

use crate::rules::fingerprint::Fingerprint;
use thiserror::Error;

/// See the module's text.
#[derive(Debug)]
pub struct WinModel {
    name: String,
    table: Option<WinTable>,
}

/// Rows by tiles unseen, columns by spread, probabilities that the player on turn wins.
#[derive(Debug, Clone, PartialEq)]
pub struct WinTable {
    first_spread: i32,
    /// `rows[unseen]`; a missing row is empty.
    rows: Vec<Vec<f32>>,
}

/// Why numbers are no table.
#[derive(Debug, Error, PartialEq)]
pub enum WinTableError {
    /// No rows at all.
    #[error("the table is empty")]
    Empty,
    /// A row of another length.
    #[error("{unseen} tiles unseen: {found} columns, expected {expected}")]
    BadRow {
        /// The row.
        unseen: usize,
        /// Its columns.
        found: usize,
        /// Columns of the first row.
        expected: usize,
    },
    /// Not a probability, or falling as the spread grows.
    #[error("{unseen} tiles unseen, spread {spread}: {found} is no probability, or less than the one before")]
    BadValue {
        /// The row.
        unseen: usize,
        /// The column's spread.
        spread: i32,
        /// The number.
        found: f32,
    },
}

impl WinTable {
    /// A table whose columns are the spreads from `first_spread` on, with rows by tiles unseen (any number of rows, any order).
    ///
    /// # Errors
    /// Rows of different lengths, numbers outside 0 to 1 or falling along a row.
    pub fn new(first_spread: i32, rows: Vec<(usize, Vec<f32>)>) -> Result<WinTable, WinTableError> {
        let expected = rows.first().filter(|(_, row)| !row.is_empty()).ok_or(WinTableError::Empty)?.1.len();
        let mut by_unseen = vec![Vec::new(); rows.iter().map(|(unseen, _)| unseen + 1).max().unwrap_or(0).min(1000)];
        for (unseen, row) in rows {
            if row.len() != expected || unseen >= by_unseen.len() {
                return Err(WinTableError::BadRow { unseen, found: row.len(), expected });
            }
            let mut before = 0.0;
            for (column, &found) in row.iter().enumerate() {
                if !(0.0..=1.0).contains(&found) || found < before {
                    return Err(WinTableError::BadValue { unseen, spread: first_spread + column as i32, found });
                }
                before = found;
            }
            by_unseen[unseen] = row;
        }
        Ok(WinTable { first_spread, rows: by_unseen })
    }

    /// The nearest row, linear between columns, flat beyond the last ones.
    fn win(&self, spread: f64, unseen: usize) -> f64 {
        let nearest = |row: &usize| row.abs_diff(unseen);
        let row = (0..self.rows.len()).filter(|&row| !self.rows[row].is_empty()).min_by_key(nearest).expect("a table has a row");
        let row = &self.rows[row];
        let at = (spread - f64::from(self.first_spread)).clamp(0.0, (row.len() - 1) as f64);
        let below = at.floor();
        let low = f64::from(row[below as usize]);
        let high = f64::from(row[(below as usize + 1).min(row.len() - 1)]);
        low + (high - low) * (at - below)
    }
}

impl WinModel {
    /// The formula.
    pub fn formula() -> WinModel {
        WinModel { name: "logistic".to_string(), table: None }
    }

    /// A table.
    pub fn table(name: &str, table: WinTable) -> WinModel {
        WinModel { name: name.to_string(), table: Some(table) }
    }

    /// Identifies the model, as in provenance lines.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Tells tables of the same name apart.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = Fingerprint::default();
        hash.add(self.name.bytes());
        if let Some(table) = &self.table {
            hash.add(table.first_spread.to_le_bytes());
            for row in &table.rows {
                hash.add((row.len() as u64).to_le_bytes());
                hash.add(row.iter().flat_map(|value| value.to_bits().to_le_bytes()));
            }
        }
        hash.value()
    }

    /// The probability, 0 to 1, that the player on turn wins: `spread` in points from his side, leaves included, with this
    /// many tiles unseen by him.
    pub fn win(&self, spread: f64, unseen: usize) -> f64 {
        match &self.table {
            Some(table) => table.win(spread, unseen),
            None => 1.0 / (1.0 + (-(spread + 15.0) / (18.0 + 0.42 * unseen as f64)).exp()),
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
        for (unseen, wins) in published {
            for (spread, win) in [0.0, 50.0, 100.0].into_iter().zip(wins) {
                let error = (model.win(spread, unseen) - win).abs();
                assert!(error < if unseen == 7 { 0.08 } else { 0.03 }, "{unseen} unseen, {spread}: {error:.3} off");
            }
        }
    }

    #[test]
    fn a_table_is_read_between_its_columns_and_at_its_nearest_row() {
        let table = WinTable::new(-1, vec![(7, vec![0.1, 0.5, 0.9]), (50, vec![0.4, 0.5, 0.6])]).unwrap();
        let model = WinModel::table("t", table);
        let close = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-6, "{found}");
        close(model.win(0.5, 10), 0.7);
        close(model.win(-99.0, 60), 0.4);
        close(model.win(99.0, 60), 0.6);
    }

    #[test]
    fn tables_that_make_no_sense_are_refused() {
        assert_eq!(WinTable::new(0, vec![]), Err(WinTableError::Empty));
        let falling = WinTable::new(-1, vec![(3, vec![0.5, 0.4])]);
        assert_eq!(falling.unwrap_err().to_string(), "3 tiles unseen, spread 0: 0.4 is no probability, or less than the one before");
        assert!(WinTable::new(0, vec![(3, vec![0.5]), (4, vec![])]).is_err());
        assert!(WinTable::new(0, vec![(3, vec![f32::NAN])]).is_err());
    }
}
