//! The opponent's replies in a simulation, with work shared between an iteration's candidates.
//!
//! In an iteration the opponent holds the same rack whatever the candidate. So the rack is made ready once, and its best placements
//! on the board before the candidates are found once. A candidate changes about a third of the lanes. In all others the
//! placements are worth what they were before, so only the changed lanes are searched again.

use crate::evaluation::static_eval::{EvaluatedPlay, ReadyRack, StaticEval, StaticTurn};
use crate::movegen::found::GeneratedPlay;
use crate::movegen::{LaneBoard, LaneNumber, Lanes};
use crate::rules::Placement;
use crate::search::race::rounds::Iteration;

/// Iterations that are kept.
pub const KEPT: usize = 8;

/// How many placements on the board before the candidates are kept. Usually one of the first lies in a lane that a candidate did
/// not change.
const PLACEMENTS: usize = 3;

/// With fewer candidates the board before them is not searched: that search costs as much as the replies to two or three candidates.
const FEWEST_CANDIDATES: usize = 5;

/// What is known of some iterations. Each thread has its own; the answers do not depend on what is remembered.
#[derive(Debug, Default)]
pub struct Replies {
    /// By iteration, modulo [`KEPT`].
    kept: [Option<KnownReply>; KEPT],
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
    /// The opponent's best play by static equity after a candidate. The bag must be so full that its size
    /// [does not count](StaticEval::counts_bag). `before` is the board before the candidates, `after` has the lanes that the
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
        let kept = &mut self.kept[(iteration.number % KEPT as u64) as usize];
        if kept.as_ref().is_none_or(|reply| reply.iteration != iteration.number) {
            let mut rack = kept.take().map(|reply| reply.rack).unwrap_or_default();
            eval.make_ready(turn, &mut rack);
            // An empty board has no placements that a candidate would leave unchanged.
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
    use crate::evaluation::Leaves;
    use crate::evaluation::heuristics::RackHeuristic;
    use crate::lexicon::Lexicon;
    use crate::movegen::LaneSet;
    use crate::rules::{Board, GameRules, Rack, Tile};
    use crate::search::randomness::{self, Stream};
    use rand::Rng;

    /// Seven of the tiles that are not on the board.
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
