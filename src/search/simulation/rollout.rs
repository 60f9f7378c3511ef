//! One sample of a simulation: a candidate, some plies of best static plays,
//! and a final evaluation.
//!
//! All candidates of an iteration meet the same rack of the opponent and the same order of the bag. Successive iterations are dealt
//! from one shuffle, so that each tile comes equally often. Once the bag is empty a rollout goes on to the end of the game, whose
//! result needs no model. Near the end of the game all rollouts do so: see [`Horizon::usual`](super::context::Horizon::usual).

use crate::evaluation::StaticEval;
use crate::evaluation::static_eval::EvaluatedPlay;
use crate::evaluation::win_model::win_of_final_spread;
use crate::evaluation::zero_turns::EndInSight;
use crate::movegen::{LaneBoard, LaneSet, Lanes};
use crate::rules::units::Millipoints;
use crate::rules::{Play, Rack, Tile};
use crate::search::dealt_game::{DealtGame, Places};
use crate::search::race::rounds::Iteration;
use crate::search::race::standings::{RaceCandidate, Sample};
use crate::search::randomness::{self, Stream};
use crate::search::report::{LoggedPly, LoggedSample};
use crate::search::simulation::context::SimulationContext;
use crate::search::simulation::replies::Replies;
use rand::Rng;

/// The mover's seat in a rollout.
const US: usize = 0;

/// The opponent's.
const THEM: usize = 1;

/// The board after a candidate.
#[derive(Clone, Debug)]
struct BoardAfter {
    /// With its anchors.
    board: LaneBoard,
    /// The lanes that the candidate changed.
    lanes_changed: LaneSet,
}

impl BoardAfter {
    /// On a board of its own, ready for many racks.
    fn kept(context: &SimulationContext<'_>, play: &Play) -> BoardAfter {
        let mut after = BoardAfter::played(context.board.clone(), context, play);
        after.board.learn_letters(context.graph);
        after.board.commit();
        after
    }

    /// On the board before it, where it can be undone.
    fn played(mut board: LaneBoard, context: &SimulationContext<'_>, play: &Play) -> BoardAfter {
        let mut lanes_changed = LaneSet::EMPTY;
        if let Some(placement) = play.placement() {
            board.play(placement, context.graph);
            lanes_changed = board.lanes_changed();
        }
        board.prepare(context.graph);
        BoardAfter { board, lanes_changed }
    }

    /// The board before a candidate that was [played](BoardAfter::played).
    fn before(mut self, play: &Play) -> LaneBoard {
        if play.placement().is_some() {
            self.board.undo();
        }
        self.board
    }
}

/// The boards after the candidates, as far as there is room for them; the others are played and undone for each rollout. What is kept
/// changes no result.
#[derive(Debug)]
struct CandidateBoards {
    /// By candidate.
    kept: Vec<Option<Box<BoardAfter>>>,
    /// How many more may be kept.
    room: usize,
    /// The board before the candidates, once it was needed.
    before: Option<LaneBoard>,
}

impl CandidateBoards {
    /// Does something with the board after a candidate, which is afterwards as it was before.
    fn with<T>(&mut self, context: &SimulationContext<'_>, candidate: &RaceCandidate, action: impl FnOnce(&mut BoardAfter) -> T) -> T {
        let play = &candidate.play.play;
        let kept = &mut self.kept[candidate.number];
        if kept.is_none() && self.room > 0 {
            self.room -= 1;
            *kept = Some(Box::new(BoardAfter::kept(context, play)));
        }
        if let Some(after) = kept {
            return action(after);
        }
        let before = self.before.take().unwrap_or_else(|| context.board.clone());
        let mut after = BoardAfter::played(before, context, play);
        let done = action(&mut after);
        self.before = Some(after.before(play));
        done
    }
}

/// The result of a ply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlySample {
    /// Points of its play.
    pub score: i32,
    /// Whether it placed a whole rack.
    pub is_bingo: bool,
}

/// A thread's memory for rollouts.
#[derive(Debug)]
pub struct RolloutWorker<'a> {
    eval: StaticEval<'a>,
    replies: Replies,
    /// Taken out while one of them is in use.
    boards: Option<CandidateBoards>,
    tiles: Vec<Tile>,
    game: DealtGame,
    /// Value of each player's leave after their last turn.
    leaves: [Millipoints; 2],
    /// Plays generated for the rollout.
    nodes: u64,
    /// The first plies of the last rollout: those whose scores are reported.
    pub plies: Vec<PlySample>,
    /// Plies of the last rollout.
    pub length: usize,
    log: Option<Vec<LoggedPly>>,
}

impl<'a> RolloutWorker<'a> {
    /// A worker for this many candidates, which may keep the boards of `room` of them; `logs` if it keeps every play of its rollouts.
    pub fn new(eval: StaticEval<'a>, candidates: usize, room: usize, logs: bool) -> RolloutWorker<'a> {
        RolloutWorker {
            eval,
            replies: Replies::default(),
            boards: Some(CandidateBoards { kept: (0..candidates).map(|_| None).collect(), room, before: None }),
            tiles: Vec::new(),
            game: DealtGame::default(),
            leaves: [Millipoints::ZERO; 2],
            nodes: 0,
            plies: Vec::new(),
            length: 0,
            log: logs.then(Vec::new),
        }
    }

    /// Plays out a candidate in an iteration.
    pub fn sample(&mut self, context: &SimulationContext<'_>, candidate: &RaceCandidate, iteration: Iteration) -> Sample {
        let mut boards = self.boards.take().expect("they are put back after each rollout");
        let sample = boards.with(context, candidate, |after| self.play_out(context, candidate, after, iteration));
        self.boards = Some(boards);
        sample
    }

    /// Frees the memory of candidates that are not sampled any more.
    pub fn forget(&mut self, candidates: &[usize]) {
        let Some(boards) = &mut self.boards else { return };
        for &candidate in candidates {
            boards.room += usize::from(boards.kept[candidate].take().is_some());
        }
    }

    fn play_out(
        &mut self,
        context: &SimulationContext<'_>,
        candidate: &RaceCandidate,
        after: &mut BoardAfter,
        iteration: Iteration,
    ) -> Sample {
        let BoardAfter { board: lanes, lanes_changed } = after;
        let drawn = context.deal(iteration.number, &mut self.tiles);
        let mut rng = randomness::generator(context.seed, Stream::Exchanges, iteration.number);
        let theirs = context.known.plus(&self.tiles[..drawn].iter().copied().collect());
        self.game.deal([context.rack, theirs], &self.tiles[drawn..], context.spread, context.zero_turns);
        self.leaves = [Millipoints::ZERO; 2];
        self.nodes = 0;
        self.plies.clear();
        if let Some(log) = &mut self.log {
            log.clear();
        }
        self.take_turn(context, US, &candidate.play, &mut rng);
        let mut ply = 0;
        let mut on_board = 0;
        let goes_on = |game: &DealtGame, ply| {
            // No model says whether a player ends the game whose next turn without points does so.
            let may_end = game.zero_turns() > 0 && context.rules.is_ended_by_zero_turn_after(game.zero_turns());
            !game.is_over() && (context.horizon.covers(ply) || game.bag.is_empty() || may_end)
        };
        while goes_on(&self.game, ply) {
            let seat = if ply % 2 == 0 { THEM } else { US };
            let may_share = ply == 0 && !context.opponent_passes && context.end.is_none() && !self.eval.counts_bag(self.game.bag.len());
            let play = if may_share {
                self.reply(context, Lanes::some(lanes, *lanes_changed), iteration)
            } else {
                self.choose(context, seat, lanes)
            };
            // The board after the last ply is needed only if the bag may become empty or the end may be in sight, since the rollout then
            // goes on.
            let may_go_on = context.horizon.covers(ply + 1) || self.game.bag.len() <= context.rules.rack_size || play.score == 0;
            if let Some(placement) = play.play.placement().filter(|_| may_go_on) {
                lanes.play(placement, context.graph);
                on_board += 1;
            }
            self.take_turn(context, seat, &play, &mut rng);
            if ply < context.horizon.reported_plies() {
                let is_bingo = play.play.placement().is_some_and(|placement| placement.tile_count() == context.rules.rack_size);
                self.plies.push(PlySample { score: play.score, is_bingo });
            }
            ply += 1;
        }
        for _ in 0..on_board {
            lanes.undo();
        }
        self.length = ply;
        self.value(context, ply)
    }

    /// The rollout just made, if this worker keeps a log.
    pub fn logged(&self, iteration: u64, sample: &Sample) -> Option<LoggedSample> {
        let plies = self.log.clone()?;
        Some(LoggedSample { iteration, plies, spread: self.game.spread(), equity: sample.equity, win: sample.win })
    }

    /// The opponent's play after the candidate.
    fn reply(&mut self, context: &SimulationContext<'_>, after: Lanes<'_>, iteration: Iteration) -> EvaluatedPlay {
        self.nodes += 1;
        self.replies.best(&mut self.eval, iteration, &self.game.turn(THEM), &context.board, after)
    }

    fn choose(&mut self, context: &SimulationContext<'_>, seat: usize, lanes: &mut LaneBoard) -> EvaluatedPlay {
        if context.opponent_passes && seat == THEM {
            return EvaluatedPlay::PASS;
        }
        self.nodes += 1;
        let turn = self.game.turn(seat);
        let best = self.eval.best(lanes, &turn);
        let lead = self.game.scores[seat] - self.game.scores[1 - seat];
        // The player does not see which of these tiles are on the other rack.
        let pool = || turn.other_rack.plus(&self.game.bag.tiles().iter().copied().collect());
        match EndInSight::new(context.rules, self.game.zero_turns(), lead, &turn, Rack::EMPTY, pool) {
            Some(end) => end.choose(&mut self.eval, context.win_model, lanes, &turn, best),
            None => best,
        }
    }

    fn take_turn(&mut self, context: &SimulationContext<'_>, seat: usize, play: &EvaluatedPlay, rng: &mut impl Rng) {
        if let Some(log) = &mut self.log {
            log.push(LoggedPly { rack: self.game.racks[seat], play: play.play, score: play.score });
        }
        let kept = self.game.take_turn(context.rules, seat, play, Places::Anywhere, rng);
        self.leaves[seat] = self.eval.leaves().value(&kept);
    }

    /// The value at the horizon, after `plies` plies.
    fn value(&self, context: &SimulationContext<'_>, plies: usize) -> Sample {
        let spread = self.game.spread();
        if self.game.is_over() {
            return Sample { win: win_of_final_spread(spread), equity: f64::from(spread - context.spread), nodes: self.nodes };
        }
        let spread = f64::from(spread) + (self.leaves[US] - self.leaves[THEM]).points();
        let win = if plies.is_multiple_of(2) {
            1.0 - context.win_model.win(-spread, self.game.tiles_left(THEM))
        } else {
            context.win_model.win(spread, self.game.tiles_left(US))
        };
        Sample { win, equity: spread - f64::from(context.spread), nodes: self.nodes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::heuristics::RackHeuristic;
    use crate::evaluation::static_eval::StaticTurn;
    use crate::evaluation::{Leaves, WinModel};
    use crate::formats::cgp;
    use crate::lexicon::Lexicon;
    use crate::rules::GameRules;
    use crate::search::simulation::context::Horizon;

    #[test]
    fn boards_that_are_kept_change_no_sample() {
        let midgame = "14R/13MY/12WOE/12IN1/12SI1/12HEN/7G4A1A/6QI6Z/7G6I/7L2PERVS/6DONKEY3/7T2DECAF/12R2/12U2/10BUXOM FIIJOTU/ 199/158 0";
        let (rules, lexicon, win_model) = (GameRules::english(), Lexicon::builtin(), WinModel::formula());
        let leaves = Leaves::heuristic(RackHeuristic::VowelMix, &rules.distribution);
        let position = cgp::parse(midgame, &rules).unwrap().position;
        let mut eval = StaticEval::new(&rules, &lexicon, &leaves);
        for horizon in [Horizon::Plies(2), Horizon::End] {
            let context = SimulationContext::new(&position, lexicon.graph(), &win_model, horizon, 5);
            let turn = StaticTurn::new(position.mover_rack(), &Rack::EMPTY, position.in_bag());
            let mut plays = eval.best_few(&mut context.board.clone(), &turn, 5);
            // An exchange and the pass change no lane.
            plays.extend(eval.all(&mut context.board.clone(), &turn).into_iter().filter(|play| play.play.placement().is_none()).take(1));
            plays.push(EvaluatedPlay::PASS);
            let candidates = RaceCandidate::all(&plays);
            let worker = |room| RolloutWorker::new(StaticEval::new(&rules, &lexicon, &leaves), candidates.len(), room, true);
            let mut workers = [0, 2, candidates.len()].map(worker);
            for number in 0..6 {
                for candidate in &candidates {
                    let iteration = Iteration { number, candidates: candidates.len() };
                    let [none, some, all] = workers.each_mut().map(|worker| {
                        let sample = worker.sample(&context, candidate, iteration);
                        (sample, worker.logged(number, &sample))
                    });
                    assert_eq!(none, all);
                    assert_eq!(some, all);
                }
                if number == 3 {
                    // What is forgotten makes room for others.
                    workers[1].forget(&[0, 1, 4]);
                }
            }
        }
    }
}
