//! The settings of macondo's simulating bot.
//!
//! Source: \[macondo\], its file `ai/bot/elite`. The 40 statically best plays are simulated for two plies after the play, or for the five of
//! BestBot. If 9 to 14 tiles are unseen, 80 plays are simulated for as many plies as tiles are unseen. A simulation ends when the best play
//! is 99 % sure, or after 2000 iterations plus 625 for each ply. With 8 tiles unseen, the pre-endgame is searched; with fewer, the endgame.
//!
//! Ours: tables, generator, simulation with its pruning, and both exact searches. Macondo counts the samples of each play by itself. Here,
//! plays are compared by the iterations that they share, so that 99 % are reached sooner.

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::movegen::LaneBoard;
use crate::players::kind::{BAG, KindLeaves, LEAVES, PlayerKind, PlayerOption, WIN_TABLE};
use crate::players::player::{Player, late_analysis, searched};
use crate::players::view::{Sight, View};
use crate::rules::VariantSupport;
use crate::search::budget::StopCondition;
use crate::search::{Analysis, Knowledge, PlaySelection, SimulationOptions};

/// The most unseen tiles with which rollouts go to the end of the game. With fewer than [`LEAST_IN_SIMULATION`], the turn is searched.
const MOST_TO_THE_END: usize = 14;
const LEAST_IN_SIMULATION: usize = 9;

/// The factor by which more plays are simulated then.
const FACTOR_TO_THE_END: usize = 2;

/// The limit on iterations is `ITERATIONS`, plus `ITERATIONS_A_PLY` for each ply.
const ITERATIONS: u64 = 2000;
const ITERATIONS_A_PLY: u64 = 625;

/// The player with these settings.
pub const MACONDO: PlayerKind = PlayerKind {
    name: "macondo",
    about: "macondo's simulation, until the best play is 99 % sure; with 9 to 14 tiles unseen, twice the plays and to the end of the game. Then the \
            pre-endgame and the endgame are searched",
    sight: Sight::Fair,
    options: &[PLAYS, PLIES, LEAVES, BAG, WIN_TABLE],
    leaves: KindLeaves::Lexicon,
    variants: VariantSupport::CLASSIC,
    make: |options, _, knowledge| {
        Box::new(MacondoPlayer { knowledge, plays: options.count(&PLAYS) as usize, plies: options.count(&PLIES) as usize })
    },
};

const PLAYS: PlayerOption = PlayerOption::count("plays", 1000, 40);
const PLIES: PlayerOption = PlayerOption::count("plies", 50, 5);

/// Plays by simulation with the settings of macondo's bot.
pub struct MacondoPlayer<'a> {
    knowledge: &'a Knowledge,
    plays: usize,
    plies: usize,
}

impl MacondoPlayer<'_> {
    /// Returns the search for this position, by the number of unseen tiles.
    fn analysis(&self, view: &View<'_>) -> Analysis {
        let unseen = view.tiles_left().unseen();
        let most_in_bag = if unseen < LEAST_IN_SIMULATION { view.tiles.in_bag } else { 0 };
        if let Some(late) = late_analysis(view, most_in_bag, PlaySelection::default()) {
            return late;
        }
        let (plays, plies) = if unseen <= MOST_TO_THE_END { (FACTOR_TO_THE_END * self.plays, unseen) } else { (self.plays, self.plies) };
        Analysis::Simulation(SimulationOptions {
            plays: PlaySelection::best(plays),
            static_samples: Some(0),
            plies: Some(plies),
            iterations: Some(ITERATIONS + ITERATIONS_A_PLY * plies as u64),
            stop_condition: Some(StopCondition::Percent99),
            ..SimulationOptions::default()
        })
    }
}

impl Player for MacondoPlayer<'_> {
    fn choose(&mut self, _: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        searched(self.knowledge, view.searchable(), self.analysis(view), view).play
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::builder::plain_engine;
    use crate::evaluation::StaticEval;
    use crate::match_play::game::GameLoop;
    use crate::rules::GameRules;
    use crate::search::budget::Signals;
    use std::sync::Arc;

    #[test]
    fn what_is_searched_follows_from_the_tiles_unseen() {
        let rules = Arc::new(GameRules::english());
        let knowledge = plain_engine().knowledge();
        let player = MacondoPlayer { knowledge, plays: 40, plies: 5 };
        let mut eval = StaticEval::new(&rules, knowledge.lexicon.graph(), &knowledge.evaluator.leaves);
        let mut seen = [0; 4];
        for index in 0..20 {
            GameLoop::new(&rules, knowledge.lexicon.graph()).play(5, index, &Signals::default(), |board, view| {
                let unseen = view.tiles_left().unseen();
                let kind = match (player.analysis(view), unseen) {
                    (Analysis::Simulation(options), 15..) => {
                        assert_eq!((options.plays.most, options.plies, options.iterations), (Some(40), Some(5), Some(5125)));
                        0
                    }
                    (Analysis::Simulation(options), 9..=14) => {
                        assert_eq!((options.plays.most, options.plies), (Some(80), Some(unseen)));
                        1
                    }
                    (Analysis::PreEndgame(_), 8) => 2,
                    (Analysis::Endgame(_), 0..=7) => 3,
                    (other, _) => panic!("{unseen} tiles unseen: {other:?}"),
                };
                seen[kind] += 1;
                eval.best(board, &view.tiles)
            });
        }
        assert!(seen.iter().all(|&turns| turns > 2), "{seen:?}");
    }
}
