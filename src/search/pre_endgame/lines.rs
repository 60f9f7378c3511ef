//! Lines of play after a candidate: how both sides are taken to play while there are tiles in the bag, and greedy playouts.
//!
//! A player knows his rack, the board, and what he does not see: never the order of the bag, nor which of the unseen tiles the
//! other one holds. He takes the best play by static equity ([`Skill::Static`]), or the best of a few of them by playouts over
//! what he does not see ([`Skill::Informed`]). Once the bag is empty both know everything, and it is an endgame.

use crate::evaluation::StaticEval;
use crate::evaluation::static_eval::{EvaluatedPlay, StaticTurn};
use crate::lexicon::word_graph::WordGraph;
use crate::movegen::LaneBoard;
use crate::rules::{GameRules, Placement, Play, Rack, Tile};
use crate::search::dealt_game::{DealtGame, Places};
use crate::search::pre_endgame::draws::{self, Orders};
use crate::search::randomness::{self, Stream};
use std::collections::HashMap;

/// How well the players choose while there are tiles in the bag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skill {
    /// By static equity.
    Static,
    /// By playouts over the tiles they do not see.
    Informed,
}

/// Plays that an informed player compares.
const CHOICES: usize = 5;

/// Bags over which he compares them.
const BAGS: usize = 8;

/// The seat of the player whose candidates are compared.
pub const US: usize = 0;

/// How a game stands when the bag is empty, or when it is over before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// Placements since the candidate.
    pub placements: Vec<Placement>,
    /// Racks of the player on turn and of the other.
    pub racks: [Rack; 2],
    /// Who is on turn.
    pub seat: usize,
    /// Our lead; final if the game is over.
    pub spread: i32,
    /// Whether the last turn was a pass.
    pub passed: bool,
    /// Whether the game is over.
    pub is_over: bool,
    /// Whether we had a turn before: we might have done better on it than the model.
    pub had_turn: bool,
}

impl Settled {
    /// The lead of the player on turn.
    pub fn lead(&self) -> i32 {
        self.turned(self.spread)
    }

    /// A lead of ours as the player on turn sees it, or one of his as we do.
    pub fn turned(&self, lead: i32) -> i32 {
        if self.seat == US { lead } else { -lead }
    }
}

/// Plays lines. One a thread.
#[derive(Debug)]
pub struct LinePlayer<'a> {
    rules: &'a GameRules,
    graph: &'a WordGraph,
    eval: StaticEval<'a>,
    seed: u64,
    /// What informed players chose on the candidate's board: by rack. See [`LinePlayer::forget`].
    replies: HashMap<Rack, EvaluatedPlay>,
    /// Plays generated.
    pub nodes: u64,
}

impl<'a> LinePlayer<'a> {
    /// A player with these words and values.
    pub fn new(rules: &'a GameRules, graph: &'a WordGraph, eval: StaticEval<'a>, seed: u64) -> LinePlayer<'a> {
        LinePlayer { rules, graph, eval, seed, replies: HashMap::new(), nodes: 0 }
    }

    /// Forgets the replies to the last candidate. Needed before another one.
    pub fn forget(&mut self) {
        self.replies.clear();
    }

    /// Takes the candidate's turn.
    pub fn take_turn(&self, game: &mut DealtGame, seat: usize, play: &EvaluatedPlay) {
        // Only exchanges use the generator, and they are very rare with a few tiles in the bag.
        let mut rng = randomness::generator(self.seed, Stream::Rollouts, game.bag.len() as u64);
        game.take_turn(self.rules, seat, play, Places::Anywhere, &mut rng);
    }

    /// Plays on from the opponent's turn after the candidate until the bag is empty or the game over.
    pub fn settle(&mut self, lanes: &mut LaneBoard, game: &mut DealtGame, passed: bool, skill: Skill) -> Settled {
        let mut settled =
            Settled { placements: Vec::new(), racks: game.racks, seat: 1 - US, spread: 0, passed, is_over: false, had_turn: false };
        while !game.is_over() && !game.bag.is_empty() {
            let play = match skill {
                Skill::Static => self.best(lanes, game, settled.seat),
                Skill::Informed if settled.placements.is_empty() && settled.seat != US => {
                    let known = self.replies.get(&game.racks[settled.seat]).copied();
                    known.unwrap_or_else(|| self.best_informed(lanes, game, settled.seat))
                }
                Skill::Informed => self.best_informed(lanes, game, settled.seat),
            };
            if skill == Skill::Informed && settled.placements.is_empty() && settled.seat != US {
                self.replies.insert(game.racks[settled.seat], play);
            }
            if let Some(placement) = play.play.placement() {
                lanes.play(placement, self.graph);
                settled.placements.push(*placement);
            }
            settled.passed = play.play == Play::Pass;
            settled.had_turn |= settled.seat == US;
            self.take_turn(game, settled.seat, &play);
            settled.seat = 1 - settled.seat;
        }
        for _ in &settled.placements {
            lanes.undo();
        }
        settled.racks = [game.racks[settled.seat], game.racks[1 - settled.seat]];
        settled.spread = game.spread();
        settled.is_over = game.is_over();
        settled
    }

    /// Our final lead when both sides play the best static play from here on. The bag may hold tiles.
    pub fn play_out(&mut self, lanes: &mut LaneBoard, game: &mut DealtGame, first: usize) -> i32 {
        let (mut seat, mut on_board, mut passes) = (first, 0, 0);
        while !game.is_over() && passes < 2 {
            let play = self.best(lanes, game, seat);
            if let Some(placement) = play.play.placement() {
                lanes.play(placement, self.graph);
                on_board += 1;
            }
            passes = if play.play == Play::Pass && game.bag.is_empty() { passes + 1 } else { 0 };
            self.take_turn(game, seat, &play);
            seat = 1 - seat;
        }
        for _ in 0..on_board {
            lanes.undo();
        }
        if game.is_over() {
            return game.spread();
        }
        // Neither can play any more: both lose what they hold.
        let points = |seat: usize| game.racks[seat].value(&self.rules.distribution);
        game.spread() + self.rules.ending.lead_when_stuck(points(US), points(1 - US))
    }

    fn best(&mut self, lanes: &mut LaneBoard, game: &DealtGame, seat: usize) -> EvaluatedPlay {
        self.nodes += 1;
        self.eval.best(lanes, &game.turn(seat))
    }

    /// The best of a few plays by playouts over bags that the player cannot tell apart.
    fn best_informed(&mut self, lanes: &mut LaneBoard, game: &DealtGame, seat: usize) -> EvaluatedPlay {
        self.nodes += 1;
        let in_bag = game.bag.len();
        let rack = game.racks[seat];
        let bag: Rack = game.bag.tiles().iter().copied().collect();
        let unseen = game.racks[1 - seat].plus(&bag);
        let choices = self.eval.best_few(lanes, &StaticTurn::new(&rack, &Rack::EMPTY, in_bag), CHOICES);
        let bags = sample(&draws::deals(&draws::draws(&unseen, in_bag), Orders::One));
        let lead = if seat == US { game.spread() } else { -game.spread() };
        let mut best: Option<((u64, i64), EvaluatedPlay)> = None;
        for choice in choices {
            if let Some(placement) = choice.play.placement() {
                lanes.play(placement, self.graph);
            }
            let mut worth = (0, 0);
            for (tiles, weight) in &bags {
                let held: Rack = tiles.iter().copied().collect();
                let other = unseen.minus(&held).expect("a bag is drawn from what is unseen");
                let mut line = DealtGame::default();
                line.deal([rack, other], tiles, lead, game.zero_turns());
                self.take_turn(&mut line, US, &choice);
                let spread = self.play_out(lanes, &mut line, 1 - US);
                worth.0 += weight * super::candidate::Verdict::of(spread).half_wins();
                worth.1 += *weight as i64 * i64::from(spread);
            }
            if choice.play.placement().is_some() {
                lanes.undo();
            }
            // Equal worth: the earlier one, which is the better one by static equity.
            if best.as_ref().is_none_or(|(most, _)| worth > *most) {
                best = Some((worth, choice));
            }
        }
        best.expect("there is always a play").1
    }
}

/// At most [`BAGS`] of the deals, evenly spread, each with the weight of those it stands for.
fn sample(deals: &[draws::Deal]) -> Vec<(Vec<Tile>, u64)> {
    let step = deals.len().div_ceil(BAGS).max(1);
    deals.chunks(step).map(|chunk| (chunk[chunk.len() / 2].tiles.clone(), chunk.iter().map(|deal| deal.weight).sum())).collect()
}
