//! A thread of a simulation: plays out one candidate in one iteration, by best static plays, and
//! evaluates the end.
//!
//! All candidates of an iteration meet the same rack of the opponent and the same order of the bag. Successive iterations are dealt
//! from one shuffle, so that each tile comes up equally often. Once the bag is empty a rollout goes on to the end of the game, whose
//! result needs no model. Near the end of the game all rollouts do so: see [`Horizon::usual`](super::context::Horizon::usual).
//!
//! **Replies.** In an iteration the opponent holds the same rack whatever the candidate is. The rack is therefore made ready once, and
//! its best placements on the board before the candidates are found once. A candidate changes about a third of the lanes. In all other
//! lanes placements keep their values, so only the changed lanes are searched again.
//!
//! Start with [`RolloutWorker`].

use crate::evaluation::static_eval::{EvaluatedPlay, ReadyRack, StaticEval, StaticTurn};
use crate::evaluation::win_model::win_of_final_spread;
use crate::evaluation::zero_turns::EndInSight;
use crate::movegen::found::GeneratedPlay;
use crate::movegen::{LaneBoard, LaneNumber, LaneSet, Lanes};
use crate::rules::units::Millipoints;
use crate::rules::{BySeat, Placement, Play, Rack, Seat, Tile};
use crate::search::dealt_game::{DealtGame, ReturnTiles};
use crate::search::race::rounds::Iteration;
use crate::search::race::standings::{RaceCandidate, Sample};
use crate::search::randomness::{self, Stream};
use crate::search::report::{LoggedPly, LoggedSample};
use crate::search::simulation::context::SimulationContext;
use rand::Rng;

/// The mover's seat in a rollout.
const US: Seat = Seat::First;

/// The opponent's seat.
const THEM: Seat = Seat::Second;

/// The board after a candidate.
#[derive(Clone, Debug)]
struct BoardAfter {
    /// With its anchors, ready for many racks.
    board: LaneBoard,
    /// The lanes that the candidate changed.
    lanes_changed: LaneSet,
}

/// The boards after the candidates, as far as there is room for them. Other candidates are played and undone for each rollout. The
/// choice of boards to keep changes no result.
#[derive(Debug)]
struct CandidateBoards {
    /// By candidate.
    kept: Vec<Option<Box<BoardAfter>>>,
    /// How many more may be kept.
    room: usize,
    /// The board before the candidates. `None` until it is needed.
    before: Option<LaneBoard>,
}

impl CandidateBoards {
    /// Calls `action` with the board after a candidate and with the lanes that the candidate changed. It must leave the board unchanged.
    fn with<T>(
        &mut self,
        context: &SimulationContext<'_>,
        candidate: &RaceCandidate,
        action: impl FnOnce(&mut LaneBoard, LaneSet) -> T,
    ) -> T {
        let play = &candidate.play.play;
        let kept = &mut self.kept[candidate.number];
        if kept.is_none() && self.room > 0 {
            self.room -= 1;
            let mut board = context.board.clone();
            let lanes_changed = play_on(&mut board, context, play);
            board.learn_letters(context.graph);
            board.commit();
            *kept = Some(Box::new(BoardAfter { board, lanes_changed }));
        }
        if let Some(after) = kept {
            return action(&mut after.board, after.lanes_changed);
        }
        let board = self.before.get_or_insert_with(|| context.board.clone());
        let lanes_changed = play_on(board, context, play);
        let done = action(board, lanes_changed);
        if play.placement().is_some() {
            board.undo();
        }
        done
    }
}

/// Plays a candidate on the board before it, with its anchors. Returns the lanes that it changed.
fn play_on(board: &mut LaneBoard, context: &SimulationContext<'_>, play: &Play) -> LaneSet {
    let mut lanes_changed = LaneSet::EMPTY;
    if let Some(placement) = play.placement() {
        board.play(placement, context.graph);
        lanes_changed = board.lanes_changed();
    }
    board.prepare(context.graph);
    lanes_changed
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
    boards: CandidateBoards,
    /// The last rollout.
    pub rollout: Rollout<'a>,
}

/// A rollout with everything that it needs except the board.
#[derive(Debug)]
pub struct Rollout<'a> {
    eval: StaticEval<'a>,
    replies: Replies,
    tiles: Vec<Tile>,
    game: DealtGame,
    /// Value of each player's leave after their last turn.
    leaves: BySeat<Millipoints>,
    /// Plays generated for the rollout.
    nodes: u64,
    /// The first plies: those whose scores are reported.
    pub plies: Vec<PlySample>,
    /// Number of all plies.
    pub length: usize,
    log: Option<Vec<LoggedPly>>,
}

impl<'a> RolloutWorker<'a> {
    /// Returns a worker for this many candidates, which may keep the boards of `room` of them. If `logs`, it records all plays of its
    /// rollouts.
    pub fn new(eval: StaticEval<'a>, candidates: usize, room: usize, logs: bool) -> RolloutWorker<'a> {
        let boards = CandidateBoards { kept: (0..candidates).map(|_| None).collect(), room, before: None };
        let rollout = Rollout {
            eval,
            replies: Replies::default(),
            tiles: Vec::new(),
            game: DealtGame::default(),
            leaves: BySeat([Millipoints::ZERO; 2]),
            nodes: 0,
            plies: Vec::new(),
            length: 0,
            log: logs.then(Vec::new),
        };
        RolloutWorker { boards, rollout }
    }

    /// Plays out a candidate in an iteration.
    pub fn sample(&mut self, context: &SimulationContext<'_>, candidate: &RaceCandidate, iteration: Iteration) -> Sample {
        let RolloutWorker { boards, rollout } = self;
        boards.with(context, candidate, |lanes, lanes_changed| rollout.play_out(context, candidate, lanes, lanes_changed, iteration))
    }

    /// Frees the memory of candidates that are not sampled any more.
    pub fn forget(&mut self, candidates: &[usize]) {
        for &candidate in candidates {
            self.boards.room += usize::from(self.boards.kept[candidate].take().is_some());
        }
    }
}

impl Rollout<'_> {
    fn play_out(
        &mut self,
        context: &SimulationContext<'_>,
        candidate: &RaceCandidate,
        lanes: &mut LaneBoard,
        lanes_changed: LaneSet,
        iteration: Iteration,
    ) -> Sample {
        let drawn = context.deal(iteration.number, &mut self.tiles);
        let mut rng = randomness::generator(context.seed, Stream::Exchanges, iteration.number);
        let theirs = context.known.plus(&self.tiles[..drawn].iter().copied().collect());
        let position = context.position;
        self.game.deal([*position.mover_rack(), theirs], &self.tiles[drawn..], position.spread(), position.countdown());
        self.leaves = BySeat([Millipoints::ZERO; 2]);
        self.nodes = 0;
        self.plies.clear();
        if let Some(log) = &mut self.log {
            log.clear();
        }
        self.take_turn(context, US, &candidate.play, &mut rng);
        let mut ply = 0;
        let mut on_board = 0;
        let goes_on = |game: &DealtGame, ply| {
            // No model predicts whether a player ends the game when their next turn without points can do so.
            let may_end = game.zero_turns() > 0 && context.rules.is_ended_by_zero_turn_after(game.zero_turns());
            !game.is_over() && (context.horizon.covers(ply) || game.bag.is_empty() || may_end)
        };
        while goes_on(&self.game, ply) {
            let seat = if ply % 2 == 0 { THEM } else { US };
            let may_share = ply == 0 && !context.opponent_passes && context.end.is_none() && !self.eval.counts_bag(self.game.bag.len());
            let play = if may_share {
                self.reply(context, Lanes::some(lanes, lanes_changed), iteration)
            } else {
                self.choose(context, seat, lanes)
            };
            // The board after the last ply is needed only if the rollout may go on: the bag may become empty, or the end may be in sight.
            let may_go_on = context.horizon.covers(ply + 1) || self.game.bag.len() <= context.rules.rack_size || play.score == 0;
            if let Some(placement) = play.play.placement().filter(|_| may_go_on) {
                lanes.play(placement, context.graph);
                on_board += 1;
            }
            self.take_turn(context, seat, &play, &mut rng);
            if ply < context.horizon.reported_plies() {
                self.plies.push(PlySample { score: play.score, is_bingo: play.play.is_bingo(context.rules.rack_size) });
            }
            ply += 1;
        }
        for _ in 0..on_board {
            lanes.undo();
        }
        self.length = ply;
        self.value(context, ply)
    }

    /// Returns the rollout just made, if rollouts are logged.
    pub fn logged(&self, iteration: u64, sample: &Sample) -> Option<LoggedSample> {
        let plies = self.log.clone()?;
        Some(LoggedSample { iteration, plies, spread: self.game.spread(), equity: sample.equity, win: sample.win })
    }

    /// The opponent's play after the candidate.
    fn reply(&mut self, context: &SimulationContext<'_>, after: Lanes<'_>, iteration: Iteration) -> EvaluatedPlay {
        self.nodes += 1;
        self.replies.best(&mut self.eval, iteration, &self.game.turn(THEM), &context.board, after)
    }

    fn choose(&mut self, context: &SimulationContext<'_>, seat: Seat, lanes: &mut LaneBoard) -> EvaluatedPlay {
        if context.opponent_passes && seat == THEM {
            return EvaluatedPlay::PASS;
        }
        self.nodes += 1;
        let turn = self.game.turn(seat);
        let best = self.eval.best(lanes, &turn);
        let lead = self.game.scores.lead(seat);
        // The player does not see which of these tiles are on the other rack.
        let pool = || turn.other_rack.plus(&self.game.bag.tiles().iter().copied().collect());
        match EndInSight::new(context.rules, self.game.countdown(), lead, &turn, Rack::EMPTY, pool) {
            Some(end) => end.choose(&mut self.eval, context.win_model, lanes, &turn, best),
            None => best,
        }
    }

    fn take_turn(&mut self, context: &SimulationContext<'_>, seat: Seat, play: &EvaluatedPlay, rng: &mut impl Rng) {
        if let Some(log) = &mut self.log {
            log.push(LoggedPly { rack: self.game.racks[seat], play: play.play, score: play.score });
        }
        let kept = self.game.take_turn(context.rules, seat, play, ReturnTiles::Anywhere, rng);
        self.leaves[seat] = self.eval.leaves().value(&kept);
    }

    /// Returns the value at the horizon, after `plies` plies.
    fn value(&self, context: &SimulationContext<'_>, plies: usize) -> Sample {
        let (spread, before) = (self.game.spread(), context.position.spread());
        if self.game.is_over() {
            return Sample { win: win_of_final_spread(spread), equity: f64::from(spread - before), nodes: self.nodes };
        }
        let spread = f64::from(spread) + self.leaves.lead(US).points();
        let win = if plies.is_multiple_of(2) {
            1.0 - context.win_model.win(-spread, self.game.tiles_left(THEM))
        } else {
            context.win_model.win(spread, self.game.tiles_left(US))
        };
        Sample { win, equity: spread - f64::from(before), nodes: self.nodes }
    }
}

/// Iterations whose replies are kept.
pub const ITERATIONS_REMEMBERED: usize = 8;

/// How many placements on the board before the candidates are kept. Usually one of the first is in a lane that a candidate did
/// not change.
const PLACEMENTS: usize = 3;

/// With fewer candidates the board before them is not searched: that search costs as much as the replies to two or three candidates.
const FEWEST_CANDIDATES: usize = 5;

/// The replies that are kept for some iterations. Each thread has its own; the answers do not depend on what is kept.
#[derive(Debug, Default)]
pub struct Replies {
    /// By iteration, modulo [`ITERATIONS_REMEMBERED`].
    kept: [Option<KnownReply>; ITERATIONS_REMEMBERED],
}

#[derive(Debug)]
struct KnownReply {
    iteration: u64,
    rack: ReadyRack,
    /// The best placements before the candidates, best first. May be empty.
    before: Vec<ReplyInLane>,
}

/// A placement before the candidates.
#[derive(Clone, Copy, Debug)]
struct ReplyInLane {
    lane: LaneNumber,
    play: GeneratedPlay,
}

impl Replies {
    /// Returns the opponent's best play by static equity after a candidate. The bag must be so full that its size
    /// [does not count](StaticEval::counts_bag). `before` is the board before the candidates, and `after` has the lanes that the
    /// candidate changed, on the board after it.
    ///
    /// # Panics
    /// If a lane of `before` has changed since it was [prepared](LaneBoard::prepare).
    pub fn best(
        &mut self,
        eval: &mut StaticEval<'_>,
        iteration: Iteration,
        turn: &StaticTurn<'_>,
        before: &LaneBoard,
        after: Lanes<'_>,
    ) -> EvaluatedPlay {
        let kept = &mut self.kept[(iteration.number % ITERATIONS_REMEMBERED as u64) as usize];
        if kept.as_ref().is_none_or(|reply| reply.iteration != iteration.number) {
            let mut rack = kept.take().map(|reply| reply.rack).unwrap_or_default();
            eval.make_ready(turn, &mut rack);
            // On an empty board, a candidate leaves no placement unchanged.
            let plays = if before.is_empty() || iteration.candidates < FEWEST_CANDIDATES {
                Vec::new()
            } else {
                eval.best_placements(Lanes::all(before), &mut rack, PLACEMENTS)
            };
            let lane_of = |placement: &Placement| before.lane_of(placement.start, placement.direction).lane;
            let with_lane = |play: GeneratedPlay| ReplyInLane { lane: lane_of(&play.placement), play };
            *kept = Some(KnownReply { iteration: iteration.number, rack, before: plays.into_iter().map(with_lane).collect() });
        }
        let reply = kept.as_mut().expect("it was made");
        let unchanged = reply.before.iter().find(|reply| !after.set().has(reply.lane)).map(|reply| reply.play);
        let lanes = if unchanged.is_some() { after } else { Lanes::all(after.board()) };
        eval.best_with(lanes, turn, &mut reply.rack, unchanged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::heuristics::RackHeuristic;
    use crate::evaluation::{Leaves, WinModel};
    use crate::formats::cgp;
    use crate::lexicon::Lexicon;
    use crate::rules::{Board, GameRules};
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
                        (sample, worker.rollout.logged(number, &sample))
                    });
                    assert_eq!(none, all);
                    assert_eq!(some, all);
                }
                if number == 3 {
                    // Boards that are forgotten make room for others.
                    workers[1].forget(&[0, 1, 4]);
                }
            }
        }
    }

    /// Draws seven of the tiles that are not on the board.
    fn rack(board: &LaneBoard, rng: &mut impl Rng) -> Rack {
        let placed: Rack = board.to_board().tiles().map(|(_, tile)| tile.rack_tile()).collect();
        let mut unseen: Vec<Tile> = Rack::full_bag(&GameRules::english().distribution).minus(&placed).unwrap().tiles().collect();
        randomness::shuffle(&mut unseen, rng);
        unseen.into_iter().take(7).collect()
    }

    #[test]
    fn a_word_map_may_come_into_being_between_two_candidates() {
        let (rules, lexicon) = (GameRules::english(), Lexicon::builtin());
        let leaves = Leaves::heuristic(RackHeuristic::VowelMix, &rules.distribution);
        let mut eval = StaticEval::new(&rules, &lexicon, &leaves);
        let mut before = LaneBoard::new(&rules, &Board::empty(15), lexicon.graph());
        before.prepare(lexicon.graph());
        let theirs = rack(&before, &mut randomness::generator(22, Stream::Positions, 0));
        let turn = StaticTurn::new(&theirs, &theirs, 20);
        let mut replies = Replies::default();
        let lanes = Lanes::some(&before, LaneSet::EMPTY);
        let first = replies.best(&mut eval, Iteration { number: 0, candidates: 1 }, &turn, &before, lanes);
        lexicon.make_map();
        assert_eq!(replies.best(&mut eval, Iteration { number: 0, candidates: 1 }, &turn, &before, lanes), first);
        assert_eq!(replies.best(&mut eval, Iteration { number: 1, candidates: 1 }, &turn, &before, lanes), first);
    }

    #[test]
    fn replies_are_the_best_plays_on_the_whole_board() {
        let (rules, lexicon) = (GameRules::english(), Lexicon::builtin());
        lexicon.make_map();
        let leaves = Leaves::heuristic(RackHeuristic::VowelMix, &rules.distribution);
        let mut eval = StaticEval::new(&rules, &lexicon, &leaves);
        let (mut compared, mut unchanged) = (0, 0);
        for game in 0..8 {
            let mut rng = randomness::generator(21, Stream::Positions, game);
            let mut before = LaneBoard::new(&rules, &Board::empty(15), lexicon.graph());
            for _ in 0..12 {
                let own = rack(&before, &mut rng);
                let candidates = eval.best_few(&mut before, &StaticTurn::new(&own, &own, 20), 12);
                let mut replies = [Replies::default(), Replies::default()];
                for iteration in 0..6 {
                    let theirs = rack(&before, &mut rng);
                    let in_bag = if iteration % 2 == 0 { 20 } else { 3 };
                    let turn = StaticTurn::new(&theirs, &own, in_bag);
                    for candidate in &candidates {
                        let mut after = before.clone();
                        let placement = candidate.play.placement();
                        let set = placement.map_or(LaneSet::EMPTY, |placement| {
                            after.play(placement, lexicon.graph());
                            after.lanes_changed()
                        });
                        let best = eval.best(&mut after, &turn);
                        for (replies, candidates) in replies.iter_mut().zip([1, FEWEST_CANDIDATES]) {
                            let lanes = Lanes::some(&after, set);
                            assert_eq!(replies.best(&mut eval, Iteration { number: iteration, candidates }, &turn, &before, lanes), best);
                        }
                        compared += 1;
                        unchanged +=
                            usize::from(best.play.placement().is_some_and(|best| !set.has(after.lane_of(best.start, best.direction).lane)));
                    }
                }
                let Some(placement) = candidates[0].play.placement() else { break };
                before.play(placement, lexicon.graph());
                before.prepare(lexicon.graph());
                before.commit();
            }
        }
        assert!(compared > 4000 && unchanged > 1000 && compared - unchanged > 1000, "{unchanged} of {compared}");
    }
}
