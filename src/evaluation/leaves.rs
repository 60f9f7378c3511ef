//! Leave values: the worth of the tiles kept after a play.
//!
//! They come from a heuristic (`heuristics.rs`), or from a table with a value for each multiset of up to [`MAX_LEAVE`]
//! tiles (`leave_table.rs`). Leave values may have terms for the end of the bag ([`BagTerms`]): the value of leaving
//! few tiles in the bag, and how much the leave then counts.
//!
//! A pass keeps more tiles than the tables have values for. The value of such a rack R follows from its parts, in the
//! way in which training values leaves that it saw too rarely (`training/leaves.rs`):
//! `V(R - t) + V(R - u) - V(R - t - u)`, averaged over all pairs of tiles t and u. The value is never above 0. A good
//! rack already counts through its plays on this board, with which the pass is compared. A bad rack is just as bad one
//! turn later.
//!
//! A play that empties the bag hands the opponent the first turn of the endgame; one that leaves a tile or two makes
//! the opponent draw them. A leave is also worth less when few tiles will be drawn to it. The numbers are trained
//! (`training/bag_terms.rs`). A play that places more tiles than the bag holds leaves a negative number of tiles: -2 if
//! the rack will lack two. The idea comes from the timing table of \[Quackle\], which uses the number of unseen tiles.
//!
//! Not here: values that depend on the tiles unseen (`rack_means.rs`). Start with [`Leaves::value`].

use crate::evaluation::heuristics::{HeuristicTable, RackHeuristic};
use crate::evaluation::leave_table::{LeaveTable, MAX_LEAVE};
use crate::movegen::RackValues;
use crate::rules::fingerprint::Fingerprint;
use crate::rules::units::Millipoints;
use crate::rules::{LetterDistribution, Rack, Tile};
use std::sync::LazyLock;

/// Values of leaves. The empty one is worth 0.
#[derive(Debug)]
pub struct Leaves {
    name: String,
    source: LeaveSource,
    bag: Option<BagTerms>,
}

/// No values, for a greedy player.
pub static NOTHING: LazyLock<Leaves> = LazyLock::new(Leaves::nothing);

/// Where the values come from.
#[derive(Debug)]
enum LeaveSource {
    Heuristic(HeuristicTable),
    Table(Box<LeaveTable>),
    Nothing,
}

impl Leaves {
    /// Creates the values of a heuristic.
    pub fn heuristic(heuristic: RackHeuristic, distribution: &LetterDistribution) -> Leaves {
        Leaves::weighted(heuristic.name(), HeuristicTable::new(heuristic, distribution))
    }

    /// Creates the values of a heuristic with its own weights.
    pub fn weighted(name: &str, table: HeuristicTable) -> Leaves {
        Leaves { name: name.to_string(), source: LeaveSource::Heuristic(table), bag: None }
    }

    /// No values, for a greedy player.
    pub fn nothing() -> Leaves {
        Leaves { name: "none".to_string(), source: LeaveSource::Nothing, bag: None }
    }

    /// Creates the values of a table.
    pub fn trained(name: &str, table: LeaveTable) -> Leaves {
        Leaves { name: name.to_string(), source: LeaveSource::Table(Box::new(table)), bag: None }
    }

    /// Returns the same values with these terms for the end of the bag, or without any.
    #[must_use]
    pub fn with_bag_terms(self, bag: Option<BagTerms>) -> Leaves {
        Leaves { bag, ..self }
    }

    /// Memory of the table, bytes.
    pub fn size(&self) -> usize {
        match &self.source {
            LeaveSource::Table(table) => table.size(),
            LeaveSource::Heuristic(_) | LeaveSource::Nothing => 0,
        }
    }

    /// Whether the values come from a table.
    pub fn is_trained(&self) -> bool {
        matches!(self.source, LeaveSource::Table(_))
    }

    /// The terms for the end of the bag.
    pub fn bag_terms(&self) -> Option<&BagTerms> {
        self.bag.as_ref()
    }

    /// Identifies the values, as in provenance lines.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Distinguishes tables of the same name. Heuristics differ by their names alone.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = Fingerprint::default();
        hash.add(self.name.bytes());
        if let LeaveSource::Table(table) = &self.source {
            hash.add(table.values().iter().flat_map(|value| value.0.to_le_bytes()));
        }
        if let Some(bag) = &self.bag {
            bag.fingerprint(&mut hash);
        }
        hash.value()
    }

    /// The value of a leave far from the end of the bag.
    ///
    /// ```
    /// use tilewright::internals::{Leaves, RackHeuristic};
    /// use tilewright::rules::units::Millipoints;
    /// use tilewright::rules::{GameRules, Rack};
    ///
    /// let english = GameRules::english().distribution.clone();
    /// let leaves = Leaves::heuristic(RackHeuristic::VowelMix, &english);
    /// assert_eq!(leaves.value(&Rack::parse("EENRS", &english)?), Millipoints(17_000));
    /// assert_eq!(leaves.value(&Rack::parse("Q", &english)?), Millipoints(-11_500));
    /// # Ok::<(), tilewright::rules::rack::RackTextError>(())
    /// ```
    pub fn value(&self, leave: &Rack) -> Millipoints {
        match &self.source {
            LeaveSource::Nothing => Millipoints::ZERO,
            _ if leave.is_empty() => Millipoints::ZERO,
            LeaveSource::Heuristic(table) => table.value(leave),
            LeaveSource::Table(_) if leave.len() > MAX_LEAVE => {
                let of_one_less = |rack: &Rack| -> Vec<(Rack, u32)> {
                    rack.distinct().map(|(tile, count)| (rack.without(&Rack::from_iter([tile])), count.into())).collect()
                };
                large_value(leave, leave.len(), of_one_less, |part| self.value(part))
            }
            LeaveSource::Table(table) => table.value(leave.tiles().map(Tile::index)),
        }
    }

    /// Sets the value of every part of a rack, far from the end of the bag.
    pub fn fill(&self, values: &mut RackValues) {
        match &self.source {
            LeaveSource::Nothing => values.fill((), |(), _, _| (), |()| Millipoints::ZERO),
            LeaveSource::Heuristic(table) => fill_heuristic(table, values),
            LeaveSource::Table(table) => fill_table(table, values),
        }
    }
}

/// Returns the value of a rack of `tiles` tiles, more than the table has values for, by the formula in the module's
/// text. `of_one_less` returns the parts that lack one tile, each with the number of tiles of that kind.
fn large_value<P, I: IntoIterator<Item = (P, u32)>>(
    whole: &P,
    tiles: usize,
    of_one_less: impl Fn(&P) -> I,
    value: impl Fn(&P) -> Millipoints,
) -> Millipoints {
    let one_less =
        |part: &P| -> i64 { of_one_less(part).into_iter().map(|(part, ways)| i64::from(ways) * i64::from(value(&part).0)).sum() };
    let twice = |(part, ways): (P, u32)| i64::from(ways) * one_less(&part);
    let (tiles, two_less) = (tiles as i64, of_one_less(whole).into_iter().map(twice).sum::<i64>());
    Millipoints(((2 * (tiles - 1) * one_less(whole) - two_less) / (tiles * (tiles - 1))).min(0) as i32)
}

fn fill_heuristic(table: &HeuristicTable, values: &mut RackValues) {
    /// The letters of a part of the rack.
    #[derive(Clone, Copy, Default)]
    struct LetterMix {
        /// The sum of the single tiles' values.
        sum: Millipoints,
        vowels: i32,
        consonants: i32,
    }
    let add = |part: LetterMix, tile: Tile, copy: u8| LetterMix {
        sum: part.sum + table.tile_value(tile, i32::from(copy)),
        vowels: part.vowels + i32::from(table.is_vowel(tile)),
        consonants: part.consonants + i32::from(!table.is_vowel(tile) && !tile.is_blank()),
    };
    values.fill(LetterMix::default(), add, |part| part.sum + table.mix_value(part.vowels, part.consonants));
}

fn fill_table(table: &LeaveTable, values: &mut RackValues) {
    /// The place of a part of the rack in the table, as far as it is there.
    #[derive(Clone, Copy, Default)]
    struct Place {
        size: usize,
        rank: usize,
    }
    let ranks = table.ranks();
    let add = |part: Place, tile: Tile, _| {
        let size = part.size + 1;
        Place { size, rank: if size <= MAX_LEAVE { part.rank + ranks.step(tile.index(), size) } else { 0 } }
    };
    let value = |part: Place| if (1..=MAX_LEAVE).contains(&part.size) { table.of_size(part.size)[part.rank] } else { Millipoints::ZERO };
    values.fill(Place::default(), add, value);
    values.revalue_larger(MAX_LEAVE, |values, mask| {
        large_value(&mask, mask.count_ones() as usize, |&part| values.parts_of_one_less(part), |&part| values.value(part))
    });
}

/// The whole of a leave's value, in thousandths.
pub const WHOLE_SHARE: i32 = 1000;

/// The largest share, positive or negative. Its product with the value of a leave of a thousand points still fits into
/// 32 bits.
pub const MOST_SHARE: i32 = 2 * WHOLE_SHARE;

/// The terms of plays that leave a certain number of tiles in the bag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BagRow {
    /// The value of the play in addition to score and leave, compared with leaving many tiles.
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
    /// Creates terms with a row for each number of tiles left, from `first` on. Returns `None` without rows, or if the
    /// last row is for fewer than 0 tiles: [`BagTerms::value`] uses the first row for fewer tiles, but never the last
    /// row for more.
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

    /// The value of the tiles kept when `left` tiles stay in the bag. `leave_value` is their value far from the end of
    /// the bag. If more tiles are left than the last row is for, that value is returned unchanged; if fewer are left
    /// than the first row is for, the first row is used.
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
    use crate::rules::LetterDistribution;

    fn rack(text: &str) -> Rack {
        LetterDistribution::english().parse_tiles(text).unwrap().into_iter().collect()
    }

    #[test]
    fn parts_of_a_rack_get_the_values_of_the_leaves() {
        let english = LetterDistribution::english();
        let trained =
            [(vec![0u8], 25.0), (vec![5, 18, 19], 9.25), (vec![19, 5], 11.5), (vec![5, 5], -3.0), (vec![0, 5, 5, 18, 19, 20], 40.0)];
        let listed = trained.iter().map(|(tiles, value)| (tiles.as_slice(), *value));
        let table = Leaves::trained("t", LeaveTable::from_values(&english, listed).unwrap());
        let heuristic = Leaves::heuristic(RackHeuristic::VowelMix, &english);
        for text in ["?EERSTS", "EEEEEEE", "??QUIZZ", "A", "ABCDEFGH"] {
            for leaves in [&table, &heuristic, &Leaves::nothing()] {
                let mut values = RackValues::bare(&rack(text), &[1; 64]);
                leaves.fill(&mut values);
                let parts = values.parts();
                assert!(parts.len() > 1);
                for &mask in parts {
                    assert_eq!(values.value(mask), leaves.value(&values.part(mask)), "{text} {mask:b}");
                }
            }
        }
        assert_eq!(table.value(&rack("SE")), Millipoints(11_500));
        assert_eq!(table.value(&rack("?")), Millipoints(25_000));
        assert_eq!(table.value(&rack("TSREE?")), Millipoints(40_000));
    }

    #[test]
    fn a_rack_that_a_pass_keeps_is_worth_what_its_parts_are_but_never_more_than_nothing() {
        let english = LetterDistribution::english();
        // The parts that lack one U, V or W, of which there are two each, have these values; all others are worth
        // nothing.
        let table = |values: [f32; 3]| {
            let parts = ["IUVVWW", "IUUVWW", "IUUVVW"].map(|text| rack(text).tiles().map(|tile| tile.index() as u8).collect::<Vec<u8>>());
            let listed = parts.iter().zip(values).map(|(tiles, value)| (tiles.as_slice(), value));
            Leaves::trained("t", LeaveTable::from_values(&english, listed).unwrap())
        };
        // Each part is in six of the 21 pairs of tiles.
        assert_eq!(table([-20.0, -25.0, -15.0]).value(&rack("IUUVVWW")), Millipoints(-120_000 * 6 / 21));
        assert_eq!(table([20.0, 25.0, 15.0]).value(&rack("IUUVVWW")), Millipoints::ZERO);
    }

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
