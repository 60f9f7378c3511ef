//! The unit of equity: the millipoint, a thousandth of a point. Scores are whole points; equities and leaves are [`Millipoints`].

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// Equity: thousandths of a point, as a whole number. Sums are exact.
///
/// ```
/// use tilewright::rules::units::Millipoints;
///
/// let equity = Millipoints::from_points(12) + Millipoints(-345);
/// assert_eq!(equity.points(), 11.655);
/// assert_eq!(equity.to_string(), "11.655");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Millipoints(pub i32);

impl Millipoints {
    /// Millipoints in a point.
    pub const PER_POINT: i32 = 1000;

    /// No equity.
    pub const ZERO: Millipoints = Millipoints(0);

    /// Below every equity.
    pub const MIN: Millipoints = Millipoints(i32::MIN);

    /// Above every equity.
    pub const MAX: Millipoints = Millipoints(i32::MAX);

    /// Whole points, limited to 2,147,483 above or below 0.
    #[inline]
    pub const fn from_points(points: i32) -> Millipoints {
        Millipoints(points.saturating_mul(Millipoints::PER_POINT))
    }

    /// Points, rounded to the nearest millipoint; halves away from 0.
    #[inline]
    pub fn rounded(points: f64) -> Millipoints {
        Millipoints((points * f64::from(Millipoints::PER_POINT)).round() as i32)
    }

    /// In points.
    #[inline]
    pub fn points(self) -> f64 {
        f64::from(self.0) / f64::from(Millipoints::PER_POINT)
    }
}

impl Add for Millipoints {
    type Output = Millipoints;

    #[inline]
    fn add(self, other: Millipoints) -> Millipoints {
        Millipoints(self.0 + other.0)
    }
}

impl AddAssign for Millipoints {
    #[inline]
    fn add_assign(&mut self, other: Millipoints) {
        self.0 += other.0;
    }
}

impl Sub for Millipoints {
    type Output = Millipoints;

    #[inline]
    fn sub(self, other: Millipoints) -> Millipoints {
        Millipoints(self.0 - other.0)
    }
}

impl SubAssign for Millipoints {
    #[inline]
    fn sub_assign(&mut self, other: Millipoints) {
        self.0 -= other.0;
    }
}

impl Neg for Millipoints {
    type Output = Millipoints;

    #[inline]
    fn neg(self) -> Millipoints {
        Millipoints(-self.0)
    }
}

impl Mul<i32> for Millipoints {
    type Output = Millipoints;

    #[inline]
    fn mul(self, times: i32) -> Millipoints {
        Millipoints(self.0 * times)
    }
}

impl Sum for Millipoints {
    #[inline]
    fn sum<I: Iterator<Item = Millipoints>>(each: I) -> Millipoints {
        Millipoints(each.map(|millipoints| millipoints.0).sum())
    }
}

/// Points with all three decimals.
impl fmt::Display for Millipoints {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, size) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        let per_point = Millipoints::PER_POINT.unsigned_abs();
        write!(formatter, "{sign}{}.{:03}", size / per_point, size % per_point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_thousands_of_millipoints() {
        assert_eq!((Millipoints::from_points(-3), Millipoints(-2_500).points()), (Millipoints(-3_000), -2.5));
        assert_eq!([1.0005, -1.0005, 0.0].map(Millipoints::rounded), [Millipoints(1_001), Millipoints(-1_001), Millipoints::ZERO]);
    }

    #[test]
    fn sums_are_those_of_the_numbers() {
        let all = [1_500, -20, 7].map(Millipoints);
        assert_eq!(all.into_iter().sum::<Millipoints>(), Millipoints(1_487));
        assert_eq!(-(all[0] - all[1]) * 2 + all[2], Millipoints(-3_033));
        assert!(Millipoints::MIN < all[1] && all[1] < Millipoints::ZERO && all[0] < Millipoints::MAX);
    }

    #[test]
    fn the_text_has_three_decimals() {
        for number in (-2_345..2_345).chain([i32::MIN, i32::MAX, 1_234_567]) {
            assert_eq!(Millipoints(number).to_string(), format!("{:.3}", f64::from(number) / 1000.0));
        }
    }
}
