//! Statistics of a race: each candidate's mean, and each pair's mean difference on shared
//! iterations.
//!
//! Candidates share racks and bag orders, so the difference between two of them varies far less than either value alone. Decisions
//! are therefore based on differences. All sums are in the order of iterations and candidates, so they do not depend on threads.

/// Running mean and variance [Welford 1962].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    /// Samples.
    pub count: u64,
    /// Their mean.
    pub mean: f64,
    squares: f64,
}

impl Moments {
    /// Adds a sample.
    #[inline]
    pub fn add(&mut self, sample: f64) {
        self.count += 1;
        let before = sample - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (sample - self.mean);
    }

    /// Variance of a sample; 0 with fewer than two samples.
    pub fn variance(&self) -> f64 {
        if self.count < 2 { 0.0 } else { (self.squares / (self.count - 1) as f64).max(0.0) }
    }

    /// Standard deviation of a sample; 0 with fewer than two samples.
    pub fn deviation(&self) -> f64 {
        self.variance().sqrt()
    }

    /// Standard error of the mean; 0 with fewer than two samples.
    pub fn standard_error(&self) -> f64 {
        self.known_error().unwrap_or(0.0)
    }

    /// Standard error of the mean; `None` with fewer than two samples.
    pub fn known_error(&self) -> Option<f64> {
        (self.count >= 2).then(|| (self.variance() / self.count as f64).sqrt())
    }
}

/// Samples that two candidates must share before one of them may count as beaten.
pub const MIN_SAMPLES: u64 = 64;

/// Up to this many candidates the differences of all pairs are kept.
pub const ALL_PAIRS_UP_TO: usize = 512;

/// With more candidates only some get a row of differences: at least this many, and as many as keep the number of pairs within the square
/// of [`ALL_PAIRS_UP_TO`].
const FEWEST_ROWS: usize = 8;

/// Mean differences of pairs of candidates, over the iterations they share. A candidate's row has its differences from all others.
///
/// With up to [`ALL_PAIRS_UP_TO`] candidates, each one has a row. With more candidates, only some have one at a time, so that the memory
/// grows with the number of candidates, not with its square.
#[derive(Clone, Debug)]
pub struct PairedDifferences {
    rows: Vec<DifferenceRow>,
    /// By candidate: its row, if it has one.
    row_of: Vec<Option<usize>>,
    /// Iterations added.
    iterations: u64,
}

/// The differences of one candidate from all others.
#[derive(Clone, Debug)]
struct DifferenceRow {
    candidate: usize,
    /// Iterations that were added before the row began.
    since: u64,
    /// By the other candidate: value of this one minus value of the other one. Empty before the first iteration, so that a search that
    /// is stopped by then allocates no differences.
    differences: Vec<Moments>,
}

impl PairedDifferences {
    /// Returns the empty differences of this many candidates; the first ones have rows.
    pub fn new(candidates: usize) -> PairedDifferences {
        let rows =
            if candidates <= ALL_PAIRS_UP_TO { candidates } else { (ALL_PAIRS_UP_TO * ALL_PAIRS_UP_TO / candidates).max(FEWEST_ROWS) };
        PairedDifferences::with_rows(candidates, rows)
    }

    /// As [`PairedDifferences::new`], with this many rows.
    fn with_rows(candidates: usize, rows: usize) -> PairedDifferences {
        let row = |candidate| DifferenceRow { candidate, since: 0, differences: Vec::new() };
        let row_of = (0..candidates).map(|candidate| (candidate < rows).then_some(candidate)).collect();
        PairedDifferences { rows: (0..rows.min(candidates)).map(row).collect(), row_of, iterations: 0 }
    }

    /// Adds an iteration: the candidates sampled in it, in rising order, with their values.
    pub fn add(&mut self, values: &[(usize, f64)]) {
        self.iterations += 1;
        for &(candidate, value) in values {
            if let Some(row) = self.row_of[candidate] {
                let differences = &mut self.rows[row].differences;
                if differences.is_empty() {
                    differences.resize(self.row_of.len(), Moments::default());
                }
                for &(other, other_value) in values {
                    differences[other].add(value - other_value);
                }
            }
        }
    }

    /// Returns the mean of (value of `a` minus value of `b`), its standard error, and the number of iterations that both share since the
    /// row of `a` began; zeros if `a` has no row.
    pub fn difference(&self, a: usize, b: usize) -> (f64, f64, u64) {
        let moments = self.moments(a, b);
        (moments.mean, moments.standard_error(), moments.count)
    }

    /// Returns the statistics of these differences; they are empty if `a` has no row.
    pub fn moments(&self, a: usize, b: usize) -> Moments {
        self.row_of[a].and_then(|row| self.rows[row].differences.get(b).copied()).unwrap_or_default()
    }

    /// Returns whether the differences show that `a` has higher values than `b`, by the union bound over all candidates. `delta` is the
    /// accepted chance of error.
    pub fn shows(&self, a: usize, b: usize, delta: f64) -> bool {
        let (mean, error, count) = self.difference(a, b);
        let bound = (2.0 * (self.row_of.len() as f64 / delta).ln()).sqrt();
        count >= MIN_SAMPLES && mean > bound * error
    }

    /// Iterations since the row of a candidate began; `None` if it has none.
    pub fn age(&self, candidate: usize) -> Option<u64> {
        self.row_of[candidate].map(|row| self.iterations - self.rows[row].since)
    }

    /// The candidates that have rows.
    pub fn tracked(&self) -> impl Iterator<Item = usize> {
        self.rows.iter().map(|row| row.candidate)
    }

    /// Gives the row of one candidate to another one. The row starts empty.
    pub fn move_row(&mut self, from: usize, to: usize) {
        if let Some(row) = self.row_of[from].filter(|_| self.row_of[to].is_none()) {
            self.row_of[from] = None;
            self.row_of[to] = Some(row);
            let row = &mut self.rows[row];
            (row.candidate, row.since) = (to, self.iterations);
            row.differences.fill(Moments::default());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::randomness::{self, Stream};
    use rand::Rng;

    #[test]
    fn moments_are_those_of_the_samples() {
        let samples = [1.0, 4.0, -2.0, 0.5];
        let mut moments = Moments::default();
        samples.iter().for_each(|&sample| moments.add(sample));
        let mean = samples.iter().sum::<f64>() / 4.0;
        let variance = samples.iter().map(|sample| (sample - mean).powi(2)).sum::<f64>() / 3.0;
        assert!((moments.mean - mean).abs() < 1e-12 && (moments.variance() - variance).abs() < 1e-12);
        assert!((moments.standard_error() - (variance / 4.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn every_pair_has_its_own_difference_with_its_sign() {
        let mut differences = PairedDifferences::new(4);
        differences.add(&[(0, 1.0), (1, 2.0), (3, 8.0)]);
        differences.add(&[(0, 1.0), (2, 5.0), (3, 6.0)]);
        assert_eq!(differences.difference(0, 1), (-1.0, 0.0, 1));
        assert_eq!(differences.difference(3, 0).0, 6.0);
        assert_eq!(differences.difference(0, 3), (-6.0, 1.0, 2));
        assert_eq!(differences.difference(2, 3), (-1.0, 0.0, 1));
        assert_eq!(differences.difference(1, 2).2, 0);
    }

    /// Some iterations of random candidates with random values.
    fn iterations(candidates: usize, count: usize) -> Vec<Vec<(usize, f64)>> {
        let mut rng = randomness::generator(31, Stream::Positions, candidates as u64);
        let sampled = |rng: &mut _| (0..candidates).filter(|_| Rng::next_u32(rng) % 3 > 0).collect::<Vec<_>>();
        let value = |rng: &mut _| f64::from(Rng::next_u32(rng) % 1000) / 999.0;
        (0..count).map(|_| sampled(&mut rng).into_iter().map(|candidate| (candidate, value(&mut rng))).collect()).collect()
    }

    /// The dumb twin: goes through all iterations each time.
    fn difference_of(iterations: &[Vec<(usize, f64)>], a: usize, b: usize) -> (f64, f64, u64) {
        let mut moments = Moments::default();
        for values in iterations {
            let of = |candidate| values.iter().find(|(other, _)| *other == candidate).map(|(_, value)| *value);
            if let (Some(a), Some(b)) = (of(a), of(b)) {
                moments.add(a - b);
            }
        }
        (moments.mean, moments.standard_error(), moments.count)
    }

    #[test]
    fn rows_hold_what_all_iterations_say() {
        let iterations = iterations(9, 40);
        let mut all = PairedDifferences::new(9);
        iterations.iter().for_each(|values| all.add(values));
        for (a, b) in (0..9).flat_map(|a| (0..9).map(move |b| (a, b))).filter(|(a, b)| a != b) {
            assert_eq!(all.difference(a, b), difference_of(&iterations, a, b));
            let (mean, error, count) = all.difference(b, a);
            assert_eq!(all.difference(a, b), (-mean, error, count), "both orders say the same");
        }
    }

    #[test]
    fn a_row_that_is_moved_begins_anew_and_the_others_go_on() {
        let iterations = iterations(9, 60);
        let mut some = PairedDifferences::with_rows(9, 3);
        iterations[..20].iter().for_each(|values| some.add(values));
        some.move_row(1, 7);
        some.move_row(0, 2); // has a row: nothing happens
        some.move_row(5, 8); // has none to give
        iterations[20..].iter().for_each(|values| some.add(values));
        assert_eq!(some.tracked().collect::<Vec<_>>(), [0, 7, 2]);
        assert_eq!([0, 7, 2, 1, 5].map(|candidate| some.age(candidate)), [Some(60), Some(40), Some(60), None, None]);
        for other in 0..9 {
            assert_eq!(some.difference(1, other).2, 0);
            for (candidate, from) in [(0, 0), (7, 20), (2, 0)] {
                if candidate != other {
                    assert_eq!(some.difference(candidate, other), difference_of(&iterations[from..], candidate, other));
                }
            }
        }
    }

    #[test]
    fn memory_grows_with_the_number_of_candidates_not_with_its_square() {
        let pairs = |candidates| {
            let differences = PairedDifferences::new(candidates);
            differences.rows.len() * candidates
        };
        assert_eq!(pairs(ALL_PAIRS_UP_TO), ALL_PAIRS_UP_TO * ALL_PAIRS_UP_TO);
        for candidates in [ALL_PAIRS_UP_TO + 1, 2_000, 32_768, 100_000] {
            assert!(pairs(candidates) <= (ALL_PAIRS_UP_TO * ALL_PAIRS_UP_TO).max(FEWEST_ROWS * candidates), "{candidates}");
        }
    }
}
