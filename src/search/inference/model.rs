//! Models of how an opponent chooses a play: how likely they are to choose one that loses so much static equity.
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
}

/// Equity lost at which a play of [`OpponentModel::Static`] is chosen 1/e as often as the best one, points.
const TEMPERATURE: f64 = 4.0;

/// The likelihood of a play that the model does not foresee, relative to that of the best one.
const FLOOR: f64 = 0.02;

impl OpponentModel {
    /// All, with their names.
    pub const ALL: [(OpponentModel, &'static str); 3] =
        [(OpponentModel::Uniform, "uniform"), (OpponentModel::RichardsAmir, "richards-amir"), (OpponentModel::Static, "static")];

    /// The model of this name.
    pub fn from_name(name: &str) -> Option<OpponentModel> {
        OpponentModel::ALL.iter().find(|(_, known)| known.eq_ignore_ascii_case(name)).map(|(model, _)| *model)
    }

    /// Its name: `static`.
    pub fn name(self) -> &'static str {
        OpponentModel::ALL.iter().find(|(model, _)| *model == self).map_or("uniform", |(_, name)| name)
    }

    /// How likely a play that loses so much equity is, relative to the best one: 0 to 1.
    pub(crate) fn likelihood(self, lost: Millipoints) -> f64 {
        let lost = lost.0.max(0);
        match self {
            OpponentModel::Uniform => 1.0,
            OpponentModel::RichardsAmir => f64::from(u8::from(lost == 0)),
            OpponentModel::Static => {
                let points = f64::from(lost) / f64::from(Millipoints::PER_POINT);
                FLOOR + (1.0 - FLOOR) * (-points / TEMPERATURE).exp()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_play_that_loses_more_is_less_likely() {
        let of = |model: OpponentModel, points: i32| model.likelihood(Millipoints::from_points(points));
        for (model, name) in OpponentModel::ALL {
            assert_eq!((OpponentModel::from_name(name), model.name()), (Some(model), name));
            assert!((of(model, 0) - 1.0).abs() < 1e-12);
            assert!((0..40).all(|points| of(model, points) >= of(model, points + 1)));
        }
        assert_eq!(of(OpponentModel::RichardsAmir, 1), 0.0);
        assert_eq!(of(OpponentModel::Uniform, 99), 1.0);
        assert!((of(OpponentModel::Static, 4) - (0.02 + 0.98 / std::f64::consts::E)).abs() < 1e-9);
        assert!(of(OpponentModel::Static, 500) >= 0.02);
    }
}
