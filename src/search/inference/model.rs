//! Models of an opponent's choice: how likely a play is by the static equity that it loses.
//!
//! Not here: what a play loses (`explain.rs`).

use crate::rules::units::Millipoints;

/// How an opponent chooses, as far as inference believes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OpponentModel {
    /// Nothing is known: every leave is as likely as its tiles are.
    #[default]
    Uniform,
    /// The best static play, always \[Richards & Amir 2007\]. If it is the best play of no rack, of those racks for which it loses least.
    RichardsAmir,
    /// Rather a better static play than a worse one: a play that loses some equity is chosen the less often, the more it loses.
    Static,
    /// The same by short simulations, for opponents who simulate; static equity decides on racks that are not measured.
    Sim,
    /// As [`OpponentModel::Static`], more or less sharply: how sharply is learned from the opponent's turns of the game.
    Auto,
}

/// Equity lost at which a play of [`OpponentModel::Static`] is chosen 1/e as often as the best one, points: from this many tiles in the bag on.
/// Fitted by `tilewright lab train opponents` to players who simulate and search.
const TEMPERATURES: [(usize, f64); 3] = [(26, 2.0), (12, 3.0), (0, 6.0)];

/// The least likelihood of any play relative to that of the best one: some plays no model foresees.
const FLOOR: f64 = 0.0003;

impl OpponentModel {
    /// All, with their names.
    pub const ALL: [(OpponentModel, &'static str); 5] = [
        (OpponentModel::Uniform, "uniform"),
        (OpponentModel::RichardsAmir, "richards-amir"),
        (OpponentModel::Static, "static"),
        (OpponentModel::Sim, "sim"),
        (OpponentModel::Auto, "auto"),
    ];

    /// The model of this name.
    pub fn from_name(name: &str) -> Option<OpponentModel> {
        OpponentModel::ALL.iter().find(|(_, known)| known.eq_ignore_ascii_case(name)).map(|(model, _)| *model)
    }

    /// Its name: `static`.
    pub fn name(self) -> &'static str {
        OpponentModel::ALL.iter().find(|(model, _)| *model == self).map_or("uniform", |(_, name)| name)
    }

    /// How likely a play that loses `lost` static equity is, relative to the best play,
    /// with `in_bag` tiles in the bag before it: 0 to 1. For [`OpponentModel::Sim`] this is the
    /// value before simulation, for [`OpponentModel::Auto`] that of an opponent of the usual
    /// sharpness.
    pub(crate) fn likelihood(self, lost: Millipoints, in_bag: usize) -> f64 {
        let lost = Millipoints(lost.0.max(0));
        match self {
            OpponentModel::Uniform => 1.0,
            OpponentModel::RichardsAmir => f64::from(u8::from(lost == Millipoints::ZERO)),
            OpponentModel::Static | OpponentModel::Sim | OpponentModel::Auto => OpponentModel::soft_likelihood(lost, in_bag, 1.0),
        }
    }

    /// The likelihood of a choice at `factor` times the usual temperature.
    pub(crate) fn soft_likelihood(lost: Millipoints, in_bag: usize, factor: f64) -> f64 {
        (-lost.points() / (factor * temperature(in_bag))).exp().max(FLOOR)
    }

    /// Plays that lose so much are as likely as any that lose more; `None` if there is no such loss.
    pub(crate) fn most_told_apart(self, in_bag: usize) -> Option<Millipoints> {
        match self {
            OpponentModel::Uniform => Some(Millipoints::ZERO),
            OpponentModel::RichardsAmir => Some(Millipoints(1)),
            OpponentModel::Static | OpponentModel::Sim => Some(Millipoints::rounded(-FLOOR.ln() * temperature(in_bag)) + Millipoints(1)),
            // Some of its opponents take any play.
            OpponentModel::Auto => None,
        }
    }
}

/// Of [`OpponentModel::Static`], points.
fn temperature(in_bag: usize) -> f64 {
    TEMPERATURES.into_iter().find(|(least, _)| *least <= in_bag).unwrap_or(TEMPERATURES[0]).1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_play_that_loses_more_is_less_likely() {
        let of = |model: OpponentModel, points: i32| model.likelihood(Millipoints::from_points(points), 50);
        for (model, name) in OpponentModel::ALL {
            assert_eq!((OpponentModel::from_name(name), model.name()), (Some(model), name));
            assert!((of(model, 0) - 1.0).abs() < 1e-12);
            assert!((0..40).all(|points| of(model, points) >= of(model, points + 1)));
        }
        assert_eq!(of(OpponentModel::RichardsAmir, 1), 0.0);
        assert_eq!(of(OpponentModel::Uniform, 99), 1.0);
        assert!((of(OpponentModel::Static, 2) - 1.0 / std::f64::consts::E).abs() < 1e-9);
        assert_eq!(of(OpponentModel::Static, 500), FLOOR);
        for (model, name) in OpponentModel::ALL {
            for in_bag in [50, 20, 5] {
                let likelihood = |lost: i32| model.likelihood(Millipoints(lost), in_bag);
                match model.most_told_apart(in_bag) {
                    None => assert_eq!(model, OpponentModel::Auto),
                    Some(most) => {
                        assert_eq!(likelihood(most.0), likelihood(1_000_000), "{name}");
                        assert!(most.0 == 0 || likelihood(most.0 - 2) > likelihood(most.0), "{name}");
                    }
                }
            }
        }
        // The fewer tiles are in the bag, the less static equity decides.
        let late = [86, 26, 25, 12, 11, 0].map(|in_bag| OpponentModel::Static.likelihood(Millipoints::from_points(3), in_bag));
        assert!(late[0] == late[1] && late[1] < late[2] && late[2] == late[3] && late[3] < late[4] && late[4] == late[5], "{late:?}");
    }
}
