//! Quackle's simulating players: the strong player and the championship player.
//! The championship player also searches the last turns.
//!
//! Source: \[Quackle\], its files `bogowinplayer`, `resolvent` and `preendgame`.
//! The 14 statically best plays within 33 points of the best are simulated one after the other,
//! two plies deep, or to the end of the game once the bag has at most two racks of tiles.
//! A play gets two iterations for each of the player's seconds. If its chance of winning,
//! converted to points, is then at most 1.96 * 35 / sqrt(iterations) below that of the best play so
//! far, it gets five iterations a second in all, and becomes the best play if its chance is
//! greater. A chance in points is the lead that has this chance by the win % table,
//! minus the lead of the position.
//!
//! Ours: the tables, the generator, and the same random numbers for all plays. The seconds only set the number of iterations, and are not
//! measured. The championship player's endgames and pre-endgames are our searches of the plays that Quackle would examine, since its own
//! endgame is not a proof, and its pre-endgame lets the opponent see the tiles that the player draws.

use crate::evaluation::StaticEval;
use crate::evaluation::static_eval::EvaluatedPlay;
use crate::evaluation::win_model::WinModel;
use crate::movegen::LaneBoard;
use crate::players::kind::{BAG, KindLeaves, LEAVES, PlayerKind, PlayerOption, PlayerOptions, WIN_TABLE};
use crate::players::player::{Player, late_analysis, run, searched};
use crate::players::view::{Sight, View};
use crate::rules::units::Millipoints;
use crate::rules::{GameRules, VariantSupport};
use crate::search::simulation::DEFAULT_PLIES;
use crate::search::{Knowledge, PlaySelection, SimulationOptions};

/// The most plays that are simulated.
const CANDIDATES: usize = 14;

/// How far below the best equity a candidate may be.
const MARGIN: Millipoints = Millipoints::from_points(33);

/// Iterations of each play, a second.
const LEAST_A_SECOND: u64 = 2;

/// Iterations of a play that may be the best, a second.
const MOST_A_SECOND: u64 = 5;

/// The standard deviation of an iteration, points, and how many standard errors a play may be behind.
const DEVIATION: f64 = 35.0;
const DEVIATIONS_BEHIND: f64 = 1.96;

/// The largest lead to which a chance is converted, points, either way.
const MOST_LEAD: i32 = 300;

/// The value of a chance outside of these leads, points.
const CERTAIN: f64 = 1000.0;

/// The most tiles in the bag with which a pre-endgame is searched.
const MOST_IN_PRE_ENDGAME: usize = 2;

/// The plays of a pre-endgame search.
const PRE_ENDGAME_CANDIDATES: usize = 30;

/// Plies to the end of any game.
const TO_THE_END: usize = 100;

/// The strong player, which simulates.
pub const STRONG: PlayerKind = PlayerKind {
    name: "strong",
    about: "Quackle's simulation: each of at most 14 plays gets 2 iterations a second, or 5 if it may be the best; the seconds only set the number \
            of iterations. Once the bag is empty, the endgame is searched",
    sight: Sight::Fair,
    options: &[seconds(20), LEAVES, BAG, WIN_TABLE],
    leaves: KindLeaves::Lexicon,
    variants: VariantSupport::CLASSIC,
    make: |options, rules, knowledge| Box::new(QuacklePlayer::new(rules, knowledge, QuackleSettings::of(options, 0))),
};

/// The championship player, with more iterations and a pre-endgame search.
pub const CHAMPIONSHIP: PlayerKind = PlayerKind {
    name: "championship",
    about: "the same with more seconds; with one or two tiles in the bag, the pre-endgame is searched",
    options: &[seconds(66), LEAVES, BAG, WIN_TABLE],
    make: |options, rules, knowledge| Box::new(QuacklePlayer::new(rules, knowledge, QuackleSettings::of(options, MOST_IN_PRE_ENDGAME))),
    ..STRONG
};

const fn seconds(default: u64) -> PlayerOption {
    PlayerOption::count("seconds", 1_000_000, default)
}

/// The length of such a player's searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuackleSettings {
    /// Iterations of every play.
    pub least_iterations: u64,
    /// Iterations of a play that may be the best.
    pub most_iterations: u64,
    /// Tiles in the bag with which pre-endgames begin. 0 for no pre-endgames.
    pub most_in_pre_endgame: usize,
}

impl QuackleSettings {
    fn of(options: &PlayerOptions, most_in_pre_endgame: usize) -> QuackleSettings {
        let seconds = options.count(&seconds(1));
        QuackleSettings { least_iterations: LEAST_A_SECOND * seconds, most_iterations: MOST_A_SECOND * seconds, most_in_pre_endgame }
    }

    /// Returns how far a play may be behind the best one to be simulated further, points.
    fn allowance(&self) -> f64 {
        DEVIATIONS_BEHIND * DEVIATION / (self.least_iterations as f64).sqrt()
    }
}

/// Plays as one of Quackle's simulating players.
pub struct QuacklePlayer<'a> {
    knowledge: &'a Knowledge,
    eval: StaticEval<'a>,
    settings: QuackleSettings,
}

impl<'a> QuacklePlayer<'a> {
    /// Returns a player with this knowledge.
    pub fn new(rules: &'a GameRules, knowledge: &'a Knowledge, settings: QuackleSettings) -> QuacklePlayer<'a> {
        let eval = StaticEval::new(rules, knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves);
        QuacklePlayer { knowledge, eval, settings }
    }

    /// Returns the plays that are simulated, best first.
    fn candidates(&mut self, board: &mut LaneBoard, view: &View<'_>) -> Vec<EvaluatedPlay> {
        let mut plays = self.eval.best_few(board, &view.tiles, CANDIDATES);
        let least = plays[0].equity - MARGIN;
        plays.retain(|play| play.equity >= least);
        plays
    }

    fn by_simulation(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        let candidates = self.candidates(board, view);
        let position = view.searchable();
        let plies = if view.tiles.in_bag <= 2 * view.rules.rack_size { TO_THE_END } else { DEFAULT_PLIES };
        let simulated = |play: &EvaluatedPlay, iterations| {
            let options = SimulationOptions {
                plays: PlaySelection::only(vec![play.play]),
                plies: Some(plies),
                iterations: Some(iterations),
                ..SimulationOptions::default()
            };
            let report = run(self.knowledge, position.clone(), options, view).last.expect("a simulation ranks its plays");
            // Quackle does not correct its chances.
            Standing { win: report.rows[0].sampled_win, equity: report.rows[0].equity }
        };
        let QuackleSettings { least_iterations, most_iterations, .. } = self.settings;
        let points = |standing: &Standing| points_of(standing, &self.knowledge.evaluator.win_model, view);
        // This is not a race of all candidates. Quackle simulates them one after the other, each from the first iteration on, and the best
        // play so far decides whether a play gets more.
        let mut best = (candidates[0], simulated(&candidates[0], least_iterations));
        for candidate in &candidates[1..] {
            if view.signals.is_stopped() {
                break;
            }
            if points(&simulated(candidate, least_iterations)) + self.settings.allowance() > points(&best.1) {
                let standing = simulated(candidate, most_iterations);
                // A simulation that was cut short is no evidence.
                if standing.win > best.1.win && !view.signals.is_stopped() {
                    best = (*candidate, standing);
                }
            }
        }
        best.0
    }
}

/// The result of a play's simulation.
struct Standing {
    /// The chance of winning, 0 to 1.
    win: f64,
    /// The lead gained, including leave values, points.
    equity: f64,
}

/// Converts a chance of winning to points: the lead that has this chance, minus the present lead.
fn points_of(standing: &Standing, model: &WinModel, view: &View<'_>) -> f64 {
    let left = view.tiles_left();
    let win = |lead: i32| model.win(f64::from(lead), left);
    if standing.win <= win(-MOST_LEAD) {
        return standing.equity - CERTAIN;
    }
    if standing.win >= win(MOST_LEAD) {
        return standing.equity + CERTAIN;
    }
    // Chances rise with the lead.
    let leads: Vec<i32> = (-MOST_LEAD..MOST_LEAD).collect();
    let lead = leads[leads.partition_point(|&lead| win(lead + 1) < standing.win)];
    let (below, above) = (win(lead), win(lead + 1));
    let fraction = if above > below { (standing.win - below) / (above - below) } else { 0.0 };
    f64::from(lead) + fraction - f64::from(view.scores.lead(view.seat))
}

impl Player for QuacklePlayer<'_> {
    fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        let plays = PlaySelection::best(PRE_ENDGAME_CANDIDATES);
        match late_analysis(view, self.settings.most_in_pre_endgame, plays) {
            Some(late) => searched(self.knowledge, view.searchable(), late, view).play,
            None => self.by_simulation(board, view),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::builder::plain_engine;
    use crate::match_play::game::GameLoop;
    use crate::rules::GameRules;
    use crate::search::budget::Signals;
    use std::sync::Arc;

    #[test]
    fn the_seconds_are_iterations() {
        let settings = QuackleSettings::of(&PlayerOptions::defaults(&STRONG), 0);
        assert_eq!((settings.least_iterations, settings.most_iterations), (40, 100));
        assert!((settings.allowance() - 10.8466).abs() < 1e-4, "1.96 * 35 / sqrt(40) points: {}", settings.allowance());
        let settings = QuackleSettings::of(&PlayerOptions::defaults(&CHAMPIONSHIP), MOST_IN_PRE_ENDGAME);
        assert_eq!((settings.least_iterations, settings.most_iterations), (132, 330));
    }

    /// Checks each turn of a game: the candidates among all plays, a simulation of each by itself, and the best of those that are
    /// near enough for more iterations.
    #[test]
    fn the_best_of_those_that_are_looked_at_again_is_played() {
        let rules = Arc::new(GameRules::english());
        let knowledge = plain_engine().knowledge();
        let settings_of_player = QuackleSettings { least_iterations: 4, most_iterations: 10, most_in_pre_endgame: 2 };
        let mut player = QuacklePlayer::new(&rules, knowledge, settings_of_player);
        let (mut turns, mut others) = (0, 0);
        GameLoop::new(&rules, knowledge.lexicon.graph()).play(5, 1, &Signals::default(), |board, view| {
            let chosen = player.choose(board, view);
            if view.tiles.in_bag > 2 {
                let mut plays = StaticEval::new(&rules, knowledge.lexicon.graph(), &knowledge.evaluator.leaves).all(board, &view.tiles);
                plays.sort_by(EvaluatedPlay::ranking);
                let best_equity = plays[0].equity;
                let near = plays.iter().take(14).filter(|play| play.equity.0 >= best_equity.0 - 33_000);
                let standing = |play: &EvaluatedPlay, iterations| {
                    let options = SimulationOptions {
                        plays: PlaySelection::only(vec![play.play]),
                        plies: Some(if view.tiles.in_bag <= 14 { 60 } else { 2 }),
                        iterations: Some(iterations),
                        ..SimulationOptions::default()
                    };
                    let found = run(knowledge, view.searchable(), options, view);
                    let rows = found.last.expect("a simulation ranks its plays").rows;
                    Standing { win: rows[0].sampled_win, equity: rows[0].equity }
                };
                let in_points = |standing: &Standing| points_of(standing, &knowledge.evaluator.win_model, view);
                let mut best: Option<(EvaluatedPlay, Standing)> = None;
                for play in near {
                    let short = standing(play, 4);
                    best = match best {
                        None => Some((*play, short)),
                        Some(best) if in_points(&short) <= in_points(&best.1) - 1.96 * 35.0 / 2.0 => Some(best),
                        Some(best) => {
                            let long = standing(play, 10);
                            Some(if long.win > best.1.win { (*play, long) } else { best })
                        }
                    };
                }
                assert_eq!(chosen.play, best.unwrap().0.play);
                turns += 1;
                others += usize::from(chosen.play != plays[0].play);
            }
            chosen
        });
        assert!(turns > 10 && others > 3, "{turns} turns, {others} not the statically best play");
    }

    #[test]
    fn a_chance_in_points_is_the_lead_that_has_it() {
        let rules = Arc::new(GameRules::english());
        let knowledge = plain_engine().knowledge();
        let model = &knowledge.evaluator.win_model;
        let mut eval = StaticEval::new(&rules, knowledge.lexicon.graph(), &knowledge.evaluator.leaves);
        GameLoop::new(&rules, knowledge.lexicon.graph()).play(5, 2, &Signals::default(), |board, view| {
            let lead = f64::from(view.scores.lead(view.seat));
            if view.tiles.in_bag > 20 {
                for gained in [-40.0, 0.0, 12.3] {
                    let standing = Standing { win: model.win(lead + gained, view.tiles_left()), equity: 0.0 };
                    let told = points_of(&standing, model, view);
                    // The table may be flat between two leads. Beyond its columns, it is a curve.
                    let error = (model.win(lead + told, view.tiles_left()) - standing.win).abs();
                    assert!(error < 1e-9 || (told - gained).abs() < 0.01, "{told}, not {gained}");
                }
            }
            assert_eq!(points_of(&Standing { win: 1.0, equity: 8.0 }, model, view), 1008.0);
            assert_eq!(points_of(&Standing { win: 0.0, equity: 8.0 }, model, view), -992.0);
            eval.best(board, &view.tiles)
        });
    }
}
