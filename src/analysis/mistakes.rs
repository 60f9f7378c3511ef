//! The sizes of mistakes by the rules of macondo and MAGPIE, in our own words and code.
//!
//! Both give a small mistake 0.2 points, a medium one 0.5, a large one 1, and call the sum over a game the mistake index. They differ in
//! where the sizes begin. macondo's limits are those that the web analyser explains to its users (`liwords`, *About Mistake Index*), as
//! amended by macondo's pull request 510: a loss is measured in points only if neither play can change the winner. MAGPIE's limits are those
//! of its pull request 651. Not here: what a turn lost (`judge.rs`).

use crate::analysis::report::{GamePart, Loss, LossMeasure, MistakeSize};

/// A chance of winning this close to 0 or 1 counts as certain.
const DECIDED: f64 = 0.005;

/// The program whose rule applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MistakeRule {
    /// macondo's, as the web analyser shows it.
    Macondo,
    /// MAGPIE's.
    Magpie,
}

impl MistakeSize {
    /// The amount that a mistake of this size adds to a mistake index.
    pub fn weight(self) -> f64 {
        match self {
            MistakeSize::None => 0.0,
            MistakeSize::Small => 0.2,
            MistakeSize::Medium => 0.5,
            MistakeSize::Large => 1.0,
        }
    }
}

/// The unit of a loss: points if both chances of winning are certain and equal, else chances of winning.
pub fn measure_of(best_win: f64, played_win: f64) -> LossMeasure {
    let are_near = |at: f64| (best_win - at).abs() <= DECIDED && (played_win - at).abs() <= DECIDED;
    // One half is a decided result only if it is exact: a tie.
    let are_ties = best_win == 0.5 && played_win == 0.5;
    if are_near(0.0) || are_near(1.0) || are_ties { LossMeasure::Points } else { LossMeasure::Win }
}

/// The size of a mistake.
pub fn size_of(rule: MistakeRule, part: GamePart, loss: &Loss, blown: BlownEndgame) -> MistakeSize {
    if blown == BlownEndgame::Yes {
        return MistakeSize::Large;
    }
    let is_points = part == GamePart::Endgame || (rule == MistakeRule::Macondo && loss.measure == LossMeasure::Points);
    let (lost, [small, medium, large]) = match (rule, is_points) {
        (MistakeRule::Macondo, true) => (loss.points, [1.0, 8.0, 16.0]),
        (MistakeRule::Macondo, false) => (100.0 * loss.win, [f64::MIN_POSITIVE, 3.0 + 1e-9, 7.0 + 1e-9]),
        (MistakeRule::Magpie, true) => (loss.points, [1.0, 7.0, 15.0]),
        (MistakeRule::Magpie, false) => (100.0 * loss.win, [0.5, 3.0, 7.0]),
    };
    match lost {
        lost if lost >= large => MistakeSize::Large,
        lost if lost >= medium => MistakeSize::Medium,
        lost if lost >= small => MistakeSize::Small,
        _ => MistakeSize::None,
    }
}

/// Whether a won or tied endgame was given away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlownEndgame {
    /// It was given away.
    Yes,
    /// It was not given away.
    No,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes by both rules of a loss in percent (`w`) or points (`p`).
    fn check(part: GamePart, lost: &str, expected: &str) {
        let (number, unit) = lost.split_at(lost.len() - 1);
        let lost: f64 = number.parse().unwrap();
        let loss = match unit {
            "w" => Loss { win: lost / 100.0, ..Loss::NOTHING },
            _ => Loss { points: lost, measure: LossMeasure::Points, ..Loss::NOTHING },
        };
        let sizes = [MistakeRule::Macondo, MistakeRule::Magpie].map(|rule| size_of(rule, part, &loss, BlownEndgame::No));
        assert_eq!(format!("{:?} {:?}", sizes[0], sizes[1]), expected, "{number}{unit}");
    }

    #[test]
    fn sizes_begin_where_the_programs_say() {
        for (lost, expected) in [
            ("0w", "None None"),
            ("-2w", "None None"),
            ("0.4w", "Small None"),
            ("0.5w", "Small Small"),
            ("2.9w", "Small Small"),
            ("3w", "Small Medium"),
            ("3.1w", "Medium Medium"),
            ("7w", "Medium Large"),
            ("7.1w", "Large Large"),
        ] {
            check(GamePart::Middle, lost, expected);
        }
        for (lost, expected) in [
            ("0.9p", "None None"),
            ("1p", "Small Small"),
            ("7p", "Small Medium"),
            ("8p", "Medium Medium"),
            ("15p", "Medium Large"),
            ("16p", "Large Large"),
        ] {
            check(GamePart::Endgame, lost, expected);
        }
        // Before the endgame, only macondo counts points that cannot change the winner.
        check(GamePart::Middle, "9p", "Medium None");
        let small = Loss { points: 2.0, ..Loss::NOTHING };
        assert_eq!(size_of(MistakeRule::Magpie, GamePart::Endgame, &small, BlownEndgame::Yes), MistakeSize::Large);
    }

    #[test]
    fn points_count_where_both_plays_are_decided() {
        let check = |best, played, expected| assert_eq!(measure_of(best, played), expected, "{best} {played}");
        check(1.0, 1.0, LossMeasure::Points);
        check(0.0, 0.002, LossMeasure::Points);
        check(0.5, 0.5, LossMeasure::Points);
        // The position of macondo's issue 503.
        check(1.0, 0.842, LossMeasure::Win);
        check(1.0, 0.0, LossMeasure::Win);
        check(0.501, 0.499, LossMeasure::Win);
    }
}
