//! Terms for the end of the bag: the value of leaving few tiles there, and of the leave then.
//!
//! A play that empties the bag hands the opponent the first turn of the endgame; one that leaves a tile or two makes the opponent
//! draw them. And a leave is worth less when few tiles will be drawn to it. The numbers are trained (`training/bag_terms.rs`).
//!
//! A play that places more tiles than the bag holds leaves a negative number: -2 if the rack will lack two tiles. Source of the idea:
//! the timing table of \[Quackle\], which goes by the number of tiles unseen.
//!
//! Start with [`BagTerms::value`].

use crate::rules::fingerprint::Fingerprint;
use crate::rules::units::Millipoints;

/// Thousandths in the whole of a leave's value.
pub const WHOLE_SHARE: i32 = 1000;

/// The largest share, on either side of 0: a leave of a thousand points times this is still a number of millipoints.
pub const MOST_SHARE: i32 = 2 * WHOLE_SHARE;

/// What counts when a play leaves a certain number of tiles in the bag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BagRow {
    /// What the play is worth beside score and leave, compared with leaving many tiles.
    pub worth: Millipoints,
    /// How much of the leave's value counts, thousandths: at most [`MOST_SHARE`].
    pub leave_share: i32,
}

/// A row for each number of tiles that a play may leave in the bag, up to a last one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BagTerms {
    first: i32,
    rows: Vec<BagRow>,
}

impl BagTerms {
    /// A row for each number of tiles left, from `first` on. `None` without rows, or if the last row is for fewer than 0 tiles:
    /// [`BagTerms::value`] uses the first row for fewer tiles, but never the last row for more.
    pub fn new(first: i32, rows: Vec<BagRow>) -> Option<BagTerms> {
        (first + rows.len() as i32 > 0).then_some(BagTerms { first, rows })
    }

    /// The rows, by the tiles left.
    pub fn rows(&self) -> impl Iterator<Item = (i32, BagRow)> {
        (self.first..).zip(self.rows.iter().copied())
    }

    /// The number of tiles left in the bag that the last row is for.
    pub fn last(&self) -> i32 {
        self.first + self.rows.len() as i32 - 1
    }

    /// What tiles kept are worth when `left` tiles stay in the bag. `leave_value` is their value far from the end of the
    /// bag. With more tiles left than the last row has, that value holds; with fewer than the first row has, the first row counts.
    #[inline]
    pub fn value(&self, left: i32, leave_value: Millipoints) -> Millipoints {
        match self.rows.get((left - self.first).max(0) as usize) {
            Some(row) => row.worth + Millipoints((leave_value.0 * row.leave_share).div_euclid(WHOLE_SHARE)),
            None => leave_value,
        }
    }

    /// Adds the values that distinguish these terms from others.
    pub fn fingerprint(&self, hash: &mut Fingerprint) {
        let numbers = self.rows().flat_map(|(left, row)| [left, row.worth.0, row.leave_share]);
        hash.add(numbers.flat_map(i32::to_le_bytes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_count_where_they_are_and_the_first_one_before() {
        let row = |worth, leave_share| BagRow { worth: Millipoints(worth), leave_share };
        let terms = BagTerms::new(-1, vec![row(-3000, 500), row(1000, 0), row(0, 2000)]).unwrap();
        let values = [-4, -1, 0, 1, 2, 50].map(|left| terms.value(left, Millipoints(-7001)));
        assert_eq!(values, [-6501, -6501, 1000, -14_002, -7001, -7001].map(Millipoints));
        assert_eq!(terms.last(), 1);
        assert_eq!(BagTerms::new(-1, vec![row(0, 0)]), None);
    }
}
