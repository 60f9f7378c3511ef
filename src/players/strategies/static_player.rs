//! The static player: the best play by static equity, including exchanges and the pass. If there are means of full racks, leave values
//! depend on the unseen tiles.
//!
//! Near the end, static equity is a poor guide, since the value of the last tiles depends on the
//! board. With few tiles in the bag, the player therefore plays out the best plays quickly.
//! With an empty bag, when the opponent's rack is known, it searches the endgame a little.
//! This takes nearly all of a game's time. To play as many games as possible, switch the late game off.

use crate::evaluation::StaticEval;
use crate::evaluation::static_eval::{EvaluatedPlay, StaticTurn};
use crate::movegen::LaneBoard;
use crate::players::kind::{BAG, KindLeaves, LATE, LEAVES, PlayerKind, RACKS};
use crate::players::player::{LateGame, Player};
use crate::players::view::{Sight, View};
use crate::rules::game_rules::MAX_RACK_SIZE;
use crate::rules::units::Millipoints;
use crate::rules::{GameRules, Rack, Seat, Tile, VariantSupport};
use crate::search::dealt_game::{DealtGame, ReturnTiles};
use crate::search::endgame::{EndgameDeal, EndgameLimits, Goal, QuickPlayouts, Solver};
use crate::search::randomness::{self, Stream};
use crate::search::{Knowledge, SearchKind};
use rand::Rng;
use std::cmp::Reverse;

/// Tiles in the bag with which playouts begin.
///
/// PERF: `match static rack3 --pairs 500 --seed 1`, points a game gained by playouts: +5.4 +- 0.9 from 14 tiles on; +6.3 from 18 on,
/// at half the games a second; +2.7 from 4 on, with 40 playouts of each candidate.
const MOST_IN_BAG: usize = 14;

const _: () = assert!(2 * MAX_RACK_SIZE + MOST_IN_BAG <= QuickPlayouts::MOST_TILES);

/// The most plays that are played out: the statically best ones.
///
/// PERF: as above, 24 instead of 12 gains +0.2 +- 0.6; with 18 tiles, 8 within 15 points gain -1.3 +- 0.9.
const CANDIDATES: usize = 12;

/// How far below the best equity a candidate may be.
const MARGIN: Millipoints = Millipoints::from_points(30);

/// Playouts of each candidate before the worse half is dropped. The others get twice as many, and so on.
///
/// PERF: as above, 8 instead of 24 gain -1.5 +- 0.7; 48 gain +0.2 +- 0.4.
const FIRST_PLAYOUTS: usize = 24;

/// The number of playouts that a candidate's static equity counts for.
///
/// PERF: as above over 1,000 pairs, 20 instead of none gain +0.25 +- 0.23; 8 gain +0.18 +- 0.14.
const EQUITY_COUNTS_FOR: i64 = 20;

/// Positions generated in the search of an endgame. A longer search wins less from a player that does not search, since it
/// expects the best answers.
///
/// PERF: `match static static:late=off --pairs 2000 --seed 3 --threads 1`, without playouts, during other work. Points a game and games a
/// second: 20 nodes +4.3, 176; 100 nodes +5.8, 136; 400 nodes +6.5, 53; without a search 545 games a second. Over 400 pairs: 400 nodes +5.3;
/// 2,000 nodes +4.7 (0.6 +- 0.2 worse); 10,000 nodes +5.1.
const ENDGAME_NODES: u64 = 400;

/// The table of such a search, MiB. This is the smallest size.
const HASH_MEGABYTES: usize = 1;

/// The player by static equity.
pub const STATIC: PlayerKind = PlayerKind {
    name: "static",
    about: "static equity; with 14 or fewer tiles in the bag, the best plays are played out, and once the bag is empty, the endgame is searched \
            a little; late=off: neither of these, which is some fifty times as fast and is always so in wordsmog",
    sight: Sight::Fair,
    options: &[LATE, LEAVES, BAG, RACKS],
    leaves: KindLeaves::Lexicon,
    variants: VariantSupport::MOST_POINTS,
    make: |options, rules, knowledge| Box::new(StaticPlayer::new(rules, knowledge, options.late_game())),
};

/// Plays the best play by static equity.
pub struct StaticPlayer<'a> {
    knowledge: &'a Knowledge,
    eval: StaticEval<'a>,
    late: LateGame,
    /// The solver, made for the first endgame.
    solver: Option<Solver>,
}

impl<'a> StaticPlayer<'a> {
    /// Returns a player with this knowledge. It has dynamic leaves if the knowledge has means of full racks.
    pub fn new(rules: &'a GameRules, knowledge: &'a Knowledge, late: LateGame) -> StaticPlayer<'a> {
        let eval = StaticEval::new(rules, knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves);
        StaticPlayer { knowledge, eval, late, solver: None }
    }

    /// Calls static evaluation, with leave values for the unseen tiles if there are any.
    fn evaluate<T>(
        &mut self,
        board: &mut LaneBoard,
        view: &View<'_>,
        ask: impl Fn(&mut StaticEval<'a>, &mut LaneBoard, &StaticTurn<'_>) -> T,
    ) -> T {
        let means = self.knowledge.evaluator.rack_means.as_ref();
        let unseen = means.map_or(Rack::EMPTY, |_| view.unseen());
        ask(&mut self.eval, board, &view.tiles.with_means(means, &unseen))
    }

    /// Returns the best of the statically best plays by quick playouts, on average over the possible bags.
    ///
    /// It uses sequential halving [Karnin et al. 2013]: all candidates play the same deals, the worse half is dropped, and the others
    /// play twice as many new deals.
    fn by_playouts(&mut self, board: &mut LaneBoard, view: &View<'_>) -> Option<EvaluatedPlay> {
        let (rack, unseen) = (*view.tiles.rack, view.unseen());
        let pool = rack.plus(&unseen);
        let plays = self.evaluate(board, view, |eval, board, turn| eval.best_few(board, turn, CANDIDATES));
        let least = plays[0].equity - MARGIN;
        let near = plays.into_iter().filter(|play| play.equity >= least);
        // Each candidate has the sum of its results so far, millipoints.
        let mut candidates: Vec<(EvaluatedPlay, i64)> = near.map(|play| (play, EQUITY_COUNTS_FOR * i64::from(play.equity.0))).collect();
        let leaves = &self.knowledge.evaluator.leaves;
        let mut playouts = QuickPlayouts::new(view.rules, self.knowledge.lexicon.graph(), leaves, board, &pool);
        let [mut deals, mut exchanges] = [0, 1].map(|index| randomness::generator(view.seed, Stream::Players, index));
        let mut game = DealtGame::default();
        let mut wanted = FIRST_PLAYOUTS;
        // This is not a race (`search/race/`): setting up a candidate takes longer than its playouts, so each plays all deals of a round at
        // once. One generator serves all exchanges, and the sums are exact.
        while candidates.len() > 1 {
            let theirs = |bag: &[Tile]| unseen.minus(&bag.iter().copied().collect()).expect("the bag holds unseen tiles");
            let bags: Vec<_> = bags(&unseen, view.tiles.in_bag, wanted, &mut deals).into_iter().map(|bag| (theirs(&bag), bag)).collect();
            let leader = Some(candidates[0].0);
            for (play, sum) in &mut candidates {
                if !playouts.begin(&play.play, &|| view.signals.is_stopped()) {
                    return leader;
                }
                for (theirs, bag) in &bags {
                    game.deal([rack, *theirs], bag, 0, view.countdown);
                    game.take_turn(view.rules, Seat::First, play, ReturnTiles::Anywhere, &mut exchanges);
                    let lead = if game.is_over() { game.spread() } else { playouts.play_out(&game, Seat::Second) };
                    *sum += i64::from(Millipoints::from_points(lead).0);
                }
            }
            candidates.sort_by_key(|(_, sum)| Reverse(*sum));
            candidates.truncate(candidates.len() / 2);
            wanted *= 2;
        }
        candidates.pop().map(|(play, _)| play)
    }

    /// Returns the play that a short search finds with an empty bag.
    fn by_endgame(&mut self, view: &View<'_>) -> Option<EvaluatedPlay> {
        let position = view.position();
        let deal = EndgameDeal::of(&position)?;
        let mut solver = self.solver.take().unwrap_or_else(|| Solver::new(HASH_MEGABYTES));
        // Results of earlier turns must not change the play.
        solver.forget();
        let mut solver = solver.on(view.rules, &self.knowledge.lexicon, position.board(), &deal.pool());
        let limits = EndgameLimits { nodes: Some(ENDGAME_NODES), ..EndgameLimits::default() };
        let solution = solver.solve(&deal, Goal::Spread, &limits, view.signals, &mut |_| {});
        self.solver = Some(solver.into_solver());
        solution.line.first().copied()
    }
}

impl Player for StaticPlayer<'_> {
    fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        // Playouts and endgame search generate placements in their own way, and only for words that are spelled in order.
        let late = if SearchKind::Endgame.variants().plays(view.rules.variant) { self.late } else { LateGame::Off };
        let searched = match late {
            LateGame::On if view.tiles.in_bag == 0 => self.by_endgame(view),
            LateGame::On if view.tiles.in_bag <= MOST_IN_BAG => self.by_playouts(board, view),
            LateGame::On | LateGame::Off => None,
        };
        let play = searched.unwrap_or_else(|| self.evaluate(board, view, StaticEval::best));
        let Some(end) = view.end_in_sight().filter(|_| view.tiles.in_bag > 0) else { return play };
        let win_model = &self.knowledge.evaluator.win_model;
        self.evaluate(board, view, |eval, board, turn| end.choose(eval, win_model, board, turn, play))
    }
}

/// Returns at least `wanted` bags of unseen tiles, each in the order of drawing. Each shuffle is cut into as many bags as it holds, so that
/// no tile comes much more often than the others.
fn bags(unseen: &Rack, in_bag: usize, wanted: usize, rng: &mut impl Rng) -> Vec<Vec<Tile>> {
    let mut tiles: Vec<Tile> = unseen.tiles().collect();
    let mut bags = Vec::new();
    while bags.len() < wanted {
        randomness::shuffle(&mut tiles, rng);
        bags.extend(tiles.chunks_exact(in_bag).map(<[Tile]>::to_vec));
    }
    bags
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::builder::plain_engine;
    use crate::match_play::game::GameLoop;
    use crate::players::tests::exact_worth;
    use crate::rules::GameRules;
    use crate::search::{self, Allocation, Analysis, PlaySelection, Report, RunSettings, SearchRequest, Signals, SimulationOptions};
    use std::sync::Arc;

    /// Returns the worth of plays by simulation to the end of the game, points.
    fn simulated_worth(knowledge: &Knowledge, view: &View<'_>, plays: [&EvaluatedPlay; 2]) -> [f64; 2] {
        let analysis = Analysis::Simulation(SimulationOptions {
            plays: PlaySelection::only(plays.map(|play| play.play).to_vec()),
            plies: Some(50),
            iterations: Some(100),
            allocation: Allocation::Equal,
            ..SimulationOptions::default()
        });
        let settings = RunSettings { seed: 77, ..RunSettings::default() };
        let request = SearchRequest::new(view.searchable(), analysis, settings).unwrap();
        let outcome = search::run(knowledge, &request, &Signals::default(), &mut |_: Report| {});
        let rows = outcome.of::<SimulationOptions>().last.expect("a simulation ranks its plays").rows;
        plays.map(|play| rows.iter().find(|row| row.ranked.play == play.play).unwrap().equity)
    }

    #[test]
    fn late_in_the_game_searches_play_better_than_equity_alone() {
        let rules = Arc::new(GameRules::english());
        let knowledge = plain_engine().knowledge();
        let mut players = [LateGame::On, LateGame::Off].map(|late| StaticPlayer::new(&rules, knowledge, late));
        let mut games = GameLoop::new(&rules, knowledge.lexicon.graph());
        let (mut by_endgames, mut endgames, mut by_playouts, mut playouts) = (0, 0, 0.0, 0);
        for index in 0..6 {
            games.play(5, index, &Signals::default(), |board, view| {
                let [late, plain] = players.each_mut().map(|player| player.choose(board, view));
                if view.tiles.in_bag > MOST_IN_BAG {
                    assert_eq!(late, plain);
                } else if view.tiles.in_bag > 0 {
                    if late != plain {
                        let [late, plain] = simulated_worth(knowledge, view, [&late, &plain]);
                        by_playouts += late - plain;
                        playouts += 1;
                    }
                } else if view.tiles.rack.len() + view.tiles.other_rack.len() <= 9 {
                    let [late, plain] = [late, plain].map(|play| exact_worth(knowledge, view.position(), Some(vec![play.play])));
                    by_endgames += late - plain;
                    endgames += 1;
                }
                plain
            });
        }
        assert!(endgames > 6 && by_endgames > 0, "{by_endgames} points gained on {endgames} turns");
        assert!(playouts > 6 && by_playouts > 3.0 * f64::from(playouts), "{by_playouts} points gained on {playouts} turns");
    }

    #[test]
    fn bags_are_dealt_from_what_is_unseen() {
        let unseen: Rack = GameRules::english().distribution.parse_tiles("AABCDEFG?").unwrap().into_iter().collect();
        let mut rng = randomness::generator(1, Stream::Players, 0);
        let bags = bags(&unseen, 2, 24, &mut rng);
        assert_eq!(bags.len(), 24);
        for four in bags.chunks(4) {
            let dealt: Rack = four.iter().flatten().copied().collect();
            assert_eq!(unseen.minus(&dealt).unwrap().len(), 1, "each shuffle deals as many bags as it has tiles for");
        }
        assert!(bags.iter().any(|bag| bag != &bags[0]));
    }
}
