//! Statistics of a simulation: a mean for each candidate, and the mean difference of each pair over the iterations they share.
//!
//! Candidates share racks and bag orders, so the difference of two of them varies far less than each alone: decisions are
//! based on differences. Everything is summed in the order of iterations and candidates, so the sums do not depend on threads.

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

    /// Variance of a sample; 0 below two samples.
    pub fn variance(&self) -> f64 {
        if self.count < 2 { 0.0 } else { (self.squares / (self.count - 1) as f64).max(0.0) }
    }

    /// Standard error of the mean; 0 below two samples.
    pub fn standard_error(&self) -> f64 {
        if self.count < 2 { 0.0 } else { (self.variance() / self.count as f64).sqrt() }
    }
}

/// Differences of all pairs of candidates.
#[derive(Clone, Debug)]
pub struct PairedDifferences {
    candidates: usize,
    /// For each pair (a, b) with a < b: value of a less value of b. A triangle, row by row.
    pairs: Vec<Moments>,
}

impl PairedDifferences {
    /// For this many candidates.
    pub fn new(candidates: usize) -> PairedDifferences {
        PairedDifferences { candidates, pairs: vec![Moments::default(); candidates * candidates.saturating_sub(1) / 2] }
    }

    fn index(&self, a: usize, b: usize) -> usize {
        a * (2 * self.candidates - a - 1) / 2 + b - a - 1
    }

    /// Adds an iteration: the candidates sampled in it, in rising order, with their values.
    pub fn add(&mut self, values: &[(usize, f64)]) {
        for (at, &(a, value_a)) in values.iter().enumerate() {
            for &(b, value_b) in &values[at + 1..] {
                let index = self.index(a, b);
                self.pairs[index].add(value_a - value_b);
            }
        }
    }

    /// Mean of (value of `a` less value of `b`) and its standard error, over the iterations they share.
    pub fn difference(&self, a: usize, b: usize) -> (f64, f64, u64) {
        let moments = &self.pairs[if a < b { self.index(a, b) } else { self.index(b, a) }];
        (if a < b { moments.mean } else { -moments.mean }, moments.standard_error(), moments.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
