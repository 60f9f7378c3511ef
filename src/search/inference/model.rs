//! Models of an opponent's choice: the likelihood of a play by the static equity that it loses.
//!
//! An [`OpponentModel`] has a fixed sharpness, and a [`Mixture`] has the chances of several. A sharp
//! player nearly always chooses the best static play; a player who ignores static equity chooses any
//! play. The sharpness of [`OpponentModel::Static`] is in the middle.
//!
//! Not here: the loss of a play, and learning from the turns of a game (`explain.rs`).

use crate::rules::units::Millipoints;

/// How an inference assumes that the opponent chooses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OpponentModel {
    /// At random, so that a turn reveals nothing about the leave.
    #[default]
    Uniform,
    /// Always the best static play \[Richards & Amir 2007\]. If the turn is the best play of no rack, the racks with which it loses least
    /// count.
    RichardsAmir,
    /// Better static plays more often than worse ones: the more equity a play loses, the less often it is chosen.
    Static,
    /// As [`OpponentModel::Static`], but by short simulations, for opponents who simulate. Racks that are not simulated count by static
    /// equity.
    Sim,
    /// As [`OpponentModel::Static`], with a sharpness that is learned from the opponent's turns of the game.
    Auto,
}

/// By the least number of tiles in the bag: the loss of equity, in points, with which [`OpponentModel::Static`] chooses a play 1/e as often
/// as the best one. Fitted by `tilewright lab train opponents` to players who simulate and search.
const TEMPERATURES: [(usize, f64); 3] = [(26, 2.0), (12, 3.0), (0, 6.0)];

/// The least likelihood of any play relative to the best one, because no model foresees all plays.
const FLOOR: f64 = 0.0003;

impl OpponentModel {
    /// All models, with their names.
    pub const ALL: [(OpponentModel, &'static str); 5] = [
        (OpponentModel::Uniform, "uniform"),
        (OpponentModel::RichardsAmir, "richards-amir"),
        (OpponentModel::Static, "static"),
        (OpponentModel::Sim, "sim"),
        (OpponentModel::Auto, "auto"),
    ];

    /// Returns the model of this name.
    pub fn from_name(name: &str) -> Option<OpponentModel> {
        OpponentModel::ALL.iter().find(|(_, known)| known.eq_ignore_ascii_case(name)).map(|(model, _)| *model)
    }

    /// Its name: `static`.
    pub fn name(self) -> &'static str {
        OpponentModel::ALL.iter().find(|(model, _)| *model == self).map_or("uniform", |(_, name)| name)
    }

    /// Returns the likelihood of a play that loses `lost` static equity, relative to the best play,
    /// with `in_bag` tiles in the bag before it: 0 to 1. For [`OpponentModel::Sim`] this is the
    /// value before simulation, and for [`OpponentModel::Auto`] that of an opponent of the usual
    /// sharpness.
    pub(crate) fn likelihood(self, lost: Millipoints, in_bag: usize) -> f64 {
        let lost = Millipoints(lost.0.max(0));
        match self {
            OpponentModel::Uniform => 1.0,
            OpponentModel::RichardsAmir => f64::from(u8::from(lost == Millipoints::ZERO)),
            OpponentModel::Static | OpponentModel::Sim | OpponentModel::Auto => OpponentModel::soft_likelihood(lost, in_bag, 1.0),
        }
    }

    /// Returns the likelihood of a choice at `factor` times the usual temperature.
    pub(crate) fn soft_likelihood(lost: Millipoints, in_bag: usize, factor: f64) -> f64 {
        (-lost.points() / (factor * temperature(in_bag))).exp().max(FLOOR)
    }

    /// Returns the loss from which on all plays are equally likely; `None` if there is no such loss.
    pub(crate) fn loss_cap(self, in_bag: usize) -> Option<Millipoints> {
        match self {
            OpponentModel::Uniform => Some(Millipoints::ZERO),
            OpponentModel::RichardsAmir => Some(Millipoints(1)),
            OpponentModel::Static | OpponentModel::Sim => Some(Millipoints::rounded(-FLOOR.ln() * temperature(in_bag)) + Millipoints(1)),
            // Some sharpnesses of the mixture choose any play.
            OpponentModel::Auto => None,
        }
    }
}

/// Returns the temperature of [`OpponentModel::Static`], points.
fn temperature(in_bag: usize) -> f64 {
    TEMPERATURES.into_iter().find(|(least, _)| *least <= in_bag).unwrap_or(TEMPERATURES[0]).1
}

/// The sharpnesses considered: the factor of the usual temperature, and its chance before any turn
/// is seen.
const SHARPNESSES: [(f64, f64); KINDS] = [(0.125, 0.15), (0.5, 0.2), (1.0, 0.35), (2.0, 0.15), (4.0, 0.1), (1000.0, 0.05)];

/// The number of sharpnesses.
const KINDS: usize = 6;

/// Every sharpness keeps at least this share, because players do not always choose in the same way.
const LEAST: f64 = 0.01;

/// Chances of the sharpnesses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mixture([f64; KINDS]);

/// The evidence of a turn about the sharpnesses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TurnEvidence {
    /// By sharpness: the likelihood of the turn relative to the best play, summed over the racks that it may have come from.
    relative: [f64; KINDS],
    /// By sharpness: the chance of the turn, summed over the same racks.
    chance: [f64; KINDS],
}

impl Mixture {
    /// Returns the mixture of an unknown opponent.
    pub fn unknown() -> Mixture {
        Mixture(SHARPNESSES.map(|(_, chance)| chance))
    }

    /// Returns the likelihood of a play that loses `lost`, up to a factor that is the same for all plays.
    pub fn likelihood(&self, lost: Millipoints, in_bag: usize) -> f64 {
        likelihoods(lost, in_bag).iter().zip(self.0).map(|(likelihood, chance)| chance * likelihood).sum()
    }

    /// Returns the mixture to use on this turn. Only ratios count. The sharper the opponent is,
    /// the likelier is the best play of the turn.
    pub fn on_turn(&self, evidence: &TurnEvidence) -> Mixture {
        self.times(|kind| if evidence.relative[kind] > 0.0 { evidence.chance[kind] / evidence.relative[kind] } else { 0.0 })
    }

    /// Returns the mixture after the turn.
    pub fn after(&self, evidence: &TurnEvidence) -> Mixture {
        let learned = self.times(|kind| evidence.chance[kind]);
        Mixture(learned.0.map(|chance| chance.max(LEAST))).normalised()
    }

    fn times(&self, factor: impl Fn(usize) -> f64) -> Mixture {
        Mixture(std::array::from_fn(|kind| self.0[kind] * factor(kind))).normalised()
    }

    /// Returns the chances, scaled to sum to 1; those before any turn if all are 0.
    fn normalised(self) -> Mixture {
        let sum: f64 = self.0.iter().sum();
        if sum > 0.0 && sum.is_finite() { Mixture(self.0.map(|chance| chance / sum)) } else { Mixture::unknown() }
    }
}

impl TurnEvidence {
    /// Adds racks that have about the same plays. `racks` has the loss of the turn with each rack, and the rack's weight; `plays` has the
    /// losses of all plays of such a rack.
    pub fn add(&mut self, racks: &[(Millipoints, f64)], plays: &[Millipoints], in_bag: usize) {
        let mut sums = [0.0; KINDS];
        for &lost in plays {
            sums.iter_mut().zip(likelihoods(lost, in_bag)).for_each(|(sum, likelihood)| *sum += likelihood);
        }
        for &(lost, share) in racks {
            for (kind, likelihood) in likelihoods(lost, in_bag).into_iter().enumerate() {
                self.relative[kind] += share * likelihood;
                self.chance[kind] += share * likelihood / sums[kind];
            }
        }
    }
}

/// Returns the likelihoods of a loss, by sharpness.
fn likelihoods(lost: Millipoints, in_bag: usize) -> [f64; KINDS] {
    SHARPNESSES.map(|(factor, _)| OpponentModel::soft_likelihood(lost, in_bag, factor))
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
                match model.loss_cap(in_bag) {
                    None => assert_eq!(model, OpponentModel::Auto),
                    Some(most) => {
                        assert_eq!(likelihood(most.0), likelihood(1_000_000), "{name}");
                        assert!(most.0 == 0 || likelihood(most.0 - 2) > likelihood(most.0), "{name}");
                    }
                }
            }
        }
        // The fewer tiles are in the bag, the less static equity matters.
        let late = [86, 26, 25, 12, 11, 0].map(|in_bag| OpponentModel::Static.likelihood(Millipoints::from_points(3), in_bag));
        assert!(late[0] == late[1] && late[1] < late[2] && late[2] == late[3] && late[3] < late[4] && late[4] == late[5], "{late:?}");
    }

    /// A turn that loses `points` points, with a rack whose plays lose 0, 1, 2, ... points.
    fn turn_that_loses(points: i32) -> TurnEvidence {
        let mut evidence = TurnEvidence::default();
        evidence.add(&[(Millipoints::from_points(points), 1.0)], &(0..60).map(Millipoints::from_points).collect::<Vec<_>>(), 50);
        evidence
    }

    #[test]
    fn turns_make_known_how_sharply_an_opponent_chooses() {
        let learn = |losses: &[i32]| losses.iter().fold(Mixture::unknown(), |mixture, &lost| mixture.after(&turn_that_loses(lost)));
        let likeliest = |mixture: Mixture| (0..KINDS).max_by(|&a, &b| mixture.0[a].total_cmp(&mixture.0[b])).unwrap();
        assert_eq!(likeliest(learn(&[0; 8])), 0, "{:?}", learn(&[0; 8]));
        assert_eq!(likeliest(learn(&[0, 3, 1, 0, 2, 4, 0, 1])), 2);
        assert_eq!(likeliest(learn(&[9, 3, 12, 0, 7, 10, 4, 8])), 4);
        assert_eq!(likeliest(learn(&[50, 23, 12, 40, 31, 8, 44, 17])), 5);
        // A player who was sharp for a long time may change.
        let sharp = learn(&[0; 50]);
        assert!(sharp.0.iter().all(|&chance| chance > 0.009) && (sharp.0.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert_ne!(likeliest([8; 3].iter().fold(sharp, |mixture, &lost| mixture.after(&turn_that_loses(lost)))), 0);
    }

    #[test]
    fn a_mixture_weighs_each_sharpness_by_how_likely_it_makes_the_best_play() {
        let (mixture, evidence) = (Mixture::unknown(), turn_that_loses(2));
        // The chance of a play is the sum over the sharpnesses of (their chance times the share of the play among all plays).
        let chance = |lost: i32| {
            let of_all = |kind: usize| {
                let all: f64 = (0..60).map(|points| likelihoods(Millipoints::from_points(points), 50)[kind]).sum();
                likelihoods(Millipoints::from_points(lost), 50)[kind] / all
            };
            (0..KINDS).map(|kind| mixture.0[kind] * of_all(kind)).sum::<f64>()
        };
        let on_turn = mixture.on_turn(&evidence);
        let ratio = |lost: i32| on_turn.likelihood(Millipoints::from_points(lost), 50) / chance(lost);
        assert!([1, 5, 20, 59].into_iter().all(|lost| (ratio(lost) / ratio(0) - 1.0).abs() < 1e-9));
        assert_eq!(mixture.on_turn(&TurnEvidence::default()), Mixture::unknown());
    }
}
