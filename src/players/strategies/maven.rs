//! Maven's three phases, as settings of our own searches.
//!
//! Source: \[Sheppard 2002\]. While more than nine tiles are in the bag, the ten most promising plays are played out for two plies with many
//! random racks and draws, and the play that gains most points is played. With nine or fewer tiles, the same is done with an eye to the
//! endgame. With an empty bag, the endgame is searched.
//!
//! Ours: the choice of the ten plays (the statically best; Maven's kibitzer used several heuristics), the number of iterations, rollouts to
//! the end of the game that count wins with nine or fewer tiles, all tables, and an exact search of endgames in place of Maven's B*.

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::movegen::LaneBoard;
use crate::players::kind::{BAG, KindLeaves, LEAVES, PlayerKind, PlayerOption, WIN_TABLE};
use crate::players::player::{Player, late_analysis, run, searched};
use crate::players::view::{Sight, View};
use crate::rules::VariantSupport;
use crate::search::report::SimulationRow;
use crate::search::simulation::DEFAULT_PLIES;
use crate::search::{Allocation, Knowledge, PlaySelection, Search, SimulationOptions};

/// The most tiles in the bag after the middle of the game.
const MOST_IN_PRE_ENDGAME: usize = 9;

/// Plies that reach the end of any game from there.
const TO_THE_END: usize = 60;

/// The player with these phases.
pub const MAVEN: PlayerKind = PlayerKind {
    name: "maven",
    about: "Maven's phases: simulation of two plies for the most points; with nine or fewer tiles in the bag, simulation to the end of the game, \
            for the win; then endgame search",
    sight: Sight::Fair,
    options: &[PLAYS, ITERATIONS, LEAVES, BAG, WIN_TABLE],
    leaves: KindLeaves::Lexicon,
    variants: VariantSupport::CLASSIC,
    make: |options, _, knowledge| {
        Box::new(MavenPlayer { knowledge, plays: options.count(&PLAYS) as usize, iterations: options.count(&ITERATIONS) })
    },
};

const PLAYS: PlayerOption = PlayerOption::count("plays", 1000, 10);
const ITERATIONS: PlayerOption = PlayerOption::count("iterations", 1_000_000_000, 300);

/// Plays Maven's three phases.
pub struct MavenPlayer<'a> {
    knowledge: &'a Knowledge,
    plays: usize,
    iterations: u64,
}

impl MavenPlayer<'_> {
    fn simulation(&self, plies: usize) -> SimulationOptions {
        SimulationOptions {
            plays: PlaySelection::best(self.plays),
            static_samples: Some(0),
            plies: Some(plies),
            iterations: Some(self.iterations),
            allocation: Allocation::Equal,
            ..SimulationOptions::default()
        }
    }

    /// Returns the play that gains most points.
    fn by_points(&self, view: &View<'_>) -> EvaluatedPlay {
        let report = run(self.knowledge, view.searchable(), self.simulation(DEFAULT_PLIES), view).last;
        most_points(&report.expect("a simulation ranks its plays").rows).ranked
    }
}

/// Returns the row with the most points, the first of equals.
fn most_points(rows: &[SimulationRow]) -> &SimulationRow {
    rows.iter().rev().max_by(|a, b| a.equity.total_cmp(&b.equity)).expect("a game that is not over has a play")
}

impl Player for MavenPlayer<'_> {
    fn choose(&mut self, _: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        if view.tiles.in_bag > MOST_IN_PRE_ENDGAME {
            return self.by_points(view);
        }
        let analysis = late_analysis(view, 0, PlaySelection::default()).unwrap_or_else(|| self.simulation(TO_THE_END).analysis());
        searched(self.knowledge, view.searchable(), analysis, view).play
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

    /// Compares each turn of a game with a separate simulation: with more than nine tiles in the bag, the play of the ten that gains most, and
    /// then the one that wins most often.
    #[test]
    fn points_count_until_nine_tiles_are_in_the_bag() {
        let rules = Arc::new(GameRules::english());
        let knowledge = plain_engine().knowledge();
        let mut player = MavenPlayer { knowledge, plays: 10, iterations: 12 };
        let (mut by_points, mut differing, mut by_wins) = (0, 0, 0);
        for index in 0..3 {
            GameLoop::new(&rules, knowledge.lexicon.graph()).play(7, index, &Signals::default(), |board, view| {
                let chosen = player.choose(board, view);
                let is_middle = view.tiles.in_bag > 9;
                if view.tiles.in_bag > 0 {
                    let mut eval = StaticEval::new(&rules, knowledge.lexicon.graph(), &knowledge.evaluator.leaves);
                    let best: Vec<_> = eval.all(board, &view.tiles).into_iter().take(10).map(|play| play.play).collect();
                    let options = SimulationOptions {
                        plays: PlaySelection::only(best),
                        plies: Some(if is_middle { 2 } else { 60 }),
                        iterations: Some(12),
                        allocation: Allocation::Equal,
                        static_samples: Some(0),
                        ..SimulationOptions::default()
                    };
                    let outcome = run(knowledge, view.searchable(), options, view);
                    let mut rows = outcome.last.expect("a simulation ranks its plays").rows;
                    let by_win = rows[0].ranked.play;
                    if is_middle {
                        rows.sort_by(|a, b| b.equity.total_cmp(&a.equity));
                        by_points += 1;
                        differing += usize::from(rows[0].ranked.play != by_win);
                    } else {
                        by_wins += 1;
                    }
                    assert_eq!(chosen.play, rows[0].ranked.play);
                }
                chosen
            });
        }
        assert!(by_points > 30 && differing > 0 && by_wins > 3, "{by_points} turns by points, {differing} differ, {by_wins} by wins");
    }
}
