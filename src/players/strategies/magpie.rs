//! The settings of MAGPIE's simulation.
//!
//! Source: \[MAGPIE\], the notes on how its bot divides a turn's work. A budget of `samples`
//! samples is for 20 * sqrt(samples / 12000) plays, rounded to fives, from 10 to 60 plays,
//! each two plies deep. Half of the samples, rounded to 25 a play, go to all plays alike.
//! The others go to the leader and the play that is most likely to be better (top-two sampling).
//! Plays are ranked by the chance of winning and, at half its weight, a logistic curve of the spread,
//! 100 points wide.
//!
//! Ours: tables, generator, and the exact searches of the last turns. Also, the leader and its rival are sampled together and compared by
//! their difference. MAGPIE samples one of the two at random, and compares them by separate errors.

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::movegen::LaneBoard;
use crate::players::kind::{BAG, KindLeaves, LEAVES, PlayerKind, PlayerOption, WIN_TABLE};
use crate::players::player::{Player, late_analysis, searched};
use crate::players::view::{Sight, View};
use crate::rules::VariantSupport;
use crate::search::phase::MOST_IN_PRE_ENDGAME;
use crate::search::simulation::DEFAULT_PLIES;
use crate::search::{Allocation, Analysis, Knowledge, PlaySelection, SimulationOptions};

/// The number of samples for 20 plays.
const SAMPLES_FOR_TWENTY: f64 = 12_000.0;

/// The fewest and the most plays.
const CANDIDATES: [usize; 2] = [10, 60];

/// The weight of the spread, relative to the chance of winning.
const SPREAD_WEIGHT: f64 = 0.5;

/// The player with these settings.
pub const MAGPIE: PlayerKind = PlayerKind {
    name: "magpie",
    about: "MAGPIE's simulation of two plies: half of the samples go to all plays alike, the others to the best two; plays are ranked by the \
            chance of winning and, at half its weight, the spread. With four or fewer tiles in the bag, exact searches",
    sight: Sight::Fair,
    options: &[SAMPLES, LEAVES, BAG, WIN_TABLE],
    leaves: KindLeaves::Lexicon,
    variants: VariantSupport::CLASSIC,
    make: |options, _, knowledge| Box::new(MagpiePlayer { knowledge, samples: options.count(&SAMPLES) }),
};

const SAMPLES: PlayerOption = PlayerOption::count("samples", 1_000_000_000, 6000);

/// Returns how many plays share a budget of `samples` samples, and how many samples each play gets
/// before the two leading plays get the rest.
fn shares(samples: u64) -> (usize, u64) {
    let rounded_to = |number: f64, step: f64| (number / step).round() * step;
    let plays = rounded_to(20.0 * (samples as f64 / SAMPLES_FOR_TWENTY).sqrt(), 5.0) as usize;
    let plays = plays.clamp(CANDIDATES[0], CANDIDATES[1]);
    (plays, rounded_to(samples as f64 / (2 * plays) as f64, 25.0) as u64)
}

/// Plays by simulation with MAGPIE's settings.
pub struct MagpiePlayer<'a> {
    knowledge: &'a Knowledge,
    samples: u64,
}

impl Player for MagpiePlayer<'_> {
    fn choose(&mut self, _: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        let analysis = late_analysis(view, MOST_IN_PRE_ENDGAME, PlaySelection::default()).unwrap_or_else(|| {
            let (plays, floor) = shares(self.samples);
            Analysis::Simulation(SimulationOptions {
                plays: PlaySelection::best(plays),
                plies: Some(DEFAULT_PLIES),
                // A sample is a play generated for each ply.
                nodes: Some(self.samples * DEFAULT_PLIES as u64),
                allocation: Allocation::TopTwo { floor },
                equity_weight: Some(SPREAD_WEIGHT),
                static_samples: Some(0),
                ..SimulationOptions::default()
            })
        });
        searched(self.knowledge, view.searchable(), analysis, view).play
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_are_those_of_the_notes() {
        for (samples, expected) in [(6_000, (15, 200)), (12_000, (20, 300)), (24_000, (30, 400)), (48_000, (40, 600)), (10, (10, 0))] {
            assert_eq!(shares(samples), expected, "{samples}");
        }
    }
}
