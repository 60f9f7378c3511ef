//! The unit of equity: the millipoint, a thousandth of a point. Scores are whole points; equities and leaves are millipoints.

/// Millipoints in a point.
pub const MILLIPOINTS_PER_POINT: i32 = 1000;

/// Whole points in millipoints.
#[inline]
pub const fn millipoints(points: i32) -> i32 {
    points * MILLIPOINTS_PER_POINT
}

/// Millipoints in points.
#[inline]
pub fn points(millipoints: i32) -> f64 {
    f64::from(millipoints) / f64::from(MILLIPOINTS_PER_POINT)
}

/// Points in millipoints, rounded to the nearest; halves away from 0.
#[inline]
pub fn rounded_millipoints(points: f64) -> i32 {
    (points * f64::from(MILLIPOINTS_PER_POINT)).round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_thousands_of_millipoints() {
        assert_eq!((millipoints(-3), points(-2_500)), (-3_000, -2.5));
        assert_eq!([1.0005, -1.0005, 0.0].map(rounded_millipoints), [1_001, -1_001, 0]);
    }
}
