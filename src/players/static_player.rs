//! The static player: the best play by static equity, exchanges and the pass among them. With means of full racks, by leave
//! values for the tiles that are unseen.
//!
//! With an empty bag he knows the other rack, and static equity does not look at what it can do. So he searches the endgame, a hundred
//! positions a turn. That takes most of a game's time: who wants as many games as possible switches his late game off.

use crate::evaluation::StaticEval;
use crate::evaluation::static_eval::EvaluatedPlay;
use crate::movegen::LaneBoard;
use crate::players::{LateGame, Player, View};
use crate::rules::{GameRules, Rack};
use crate::search::Knowledge;
use crate::search::endgame::{Deal, Goal, Limits, Solver};

/// Positions generated in the search of an endgame.
///
/// PERF: `match static static:late=off --pairs 2000 --seed 3 --threads 1`, points a game and games a second, beside other work:
/// 20 +4.3 176, 100 +5.8 136, 400 +6.5 53; without a search 545.
const ENDGAME_NODES: u64 = 100;

/// Table of such a search, MiB: the smallest.
const HASH_MEGABYTES: usize = 1;

/// See the module's text.
pub struct StaticPlayer<'a> {
    knowledge: &'a Knowledge,
    eval: StaticEval<'a>,
    late: LateGame,
    /// Made for the first endgame.
    solver: Option<Solver>,
}

impl<'a> StaticPlayer<'a> {
    /// A player with this knowledge, with dynamic leaves if it has means of full racks.
    pub fn new(rules: &'a GameRules, knowledge: &'a Knowledge, late: LateGame) -> StaticPlayer<'a> {
        let eval = StaticEval::new(rules, knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves);
        StaticPlayer { knowledge, eval, late, solver: None }
    }

    fn by_equity(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        let Some(means) = &self.knowledge.evaluator.rack_means else {
            return self.eval.best(board, &view.tiles);
        };
        let unseen = unseen(board, view);
        self.eval.best(board, &view.tiles.with_means(Some(means), &unseen))
    }

    /// What a short search finds; nothing with tiles in the bag.
    fn by_endgame(&mut self, board: &LaneBoard, view: &View<'_>) -> Option<EvaluatedPlay> {
        if view.tiles.in_bag > 0 {
            return None;
        }
        let position = view.position(board);
        let deal = Deal::of(&position)?;
        let solver = self.solver.get_or_insert_with(|| Solver::new(HASH_MEGABYTES));
        // What he knows from earlier turns must not change his play.
        solver.forget();
        solver.set_board(view.rules, &self.knowledge.lexicon, position.board(), &deal.pool());
        let limits = Limits { nodes: Some(ENDGAME_NODES), ..Limits::default() };
        solver.solve(&deal, Goal::Spread, &limits, view.signals, &mut |_| {}).line.first().copied()
    }
}

impl Player for StaticPlayer<'_> {
    fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        let searched = match self.late {
            LateGame::On => self.by_endgame(board, view),
            LateGame::Off => None,
        };
        searched.unwrap_or_else(|| self.by_equity(board, view))
    }
}

/// The tiles in the bag and on the other rack.
fn unseen(board: &LaneBoard, view: &View<'_>) -> Rack {
    let placed: Rack = board.to_board().tiles().map(|(_, tile)| tile.rack_tile()).collect();
    let seen = placed.plus(view.tiles.rack);
    Rack::full_bag(&view.rules.distribution).minus(&seen).expect("the tiles are the game's")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::heuristics::RackHeuristic;
    use crate::evaluation::{Evaluator, Leaves, WinModel};
    use crate::formats::english_rules;
    use crate::lexicon::Lexicon;
    use crate::match_play::game::GameLoop;
    use crate::search::budget::Signals;
    use std::sync::Arc;

    /// What a play is worth with perfect play after it, points; the position must be small.
    fn exact_worth(knowledge: &Knowledge, board: &LaneBoard, view: &View<'_>, play: &EvaluatedPlay) -> i32 {
        let position = view.position(board);
        let deal = Deal::of(&position).unwrap();
        let mut solver = Solver::new(HASH_MEGABYTES);
        solver.set_board(view.rules, &knowledge.lexicon, position.board(), &deal.pool());
        solver.restrict(vec![play.play]);
        let solution = solver.solve(&deal, Goal::Spread, &Limits::default(), &Signals::default(), &mut |_| {});
        assert!(solution.solved);
        solution.value
    }

    #[test]
    fn with_an_empty_bag_he_plays_better_than_by_equity_alone() {
        let (rules, lexicon) = (Arc::new(english_rules()), Arc::new(Lexicon::builtin()));
        let leaves = Leaves::heuristic(RackHeuristic::VowelMix, &rules.distribution);
        let evaluator = Arc::new(Evaluator { leaves, win_model: WinModel::formula(), rack_means: None });
        let knowledge = Knowledge { lexicon, evaluator };
        let mut players = [LateGame::On, LateGame::Off].map(|late| StaticPlayer::new(&rules, &knowledge, late));
        let mut games = GameLoop::new(&rules, knowledge.lexicon.graph());
        let (mut gained, mut endgames) = (0, 0);
        for index in 0..6 {
            games.play(5, index, &Signals::default(), |board, view| {
                let [late, plain] = players.each_mut().map(|player| player.choose(board, view));
                if view.tiles.in_bag > 0 {
                    assert_eq!(late, plain);
                } else if view.tiles.rack.len() + view.tiles.other_rack.len() <= 9 {
                    let [late, plain] = [late, plain].map(|play| exact_worth(&knowledge, board, view, &play));
                    gained += late - plain;
                    endgames += 1;
                }
                plain
            });
        }
        assert!(endgames > 6 && gained > 0, "{gained} points gained on {endgames} turns");
    }
}
