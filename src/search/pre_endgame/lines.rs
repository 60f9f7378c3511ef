//! Lines of play after a candidate: how both sides are taken to play while there are tiles in the bag, and greedy playouts.
//!
//! A player knows his rack, the board, and what he does not see: never the order of the bag, nor which of the unseen tiles the
//! other one holds. He takes the best play by static equity ([`Skill::Static`]), or the best of a few of them by playouts over
//! what he does not see ([`Skill::Informed`]). Once the bag is empty both know everything, and it is an endgame.

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::rules::{GameRules, Placement, Play, Rack, Tile};
use crate::search::dealt_game::{DealtGame, Places};
use crate::search::endgame::{Greedy, Playouts};
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
        if self.seat == US { self.spread } else { -self.spread }
    }
}

/// Plays lines. One a thread.
#[derive(Debug)]
pub struct LinePlayer<'a> {
    rules: &'a GameRules,
    /// The board, and what can be played on it.
    pub playouts: Playouts<'a>,
    seed: u64,
    /// What informed players chose on the candidate's board: by rack. See [`LinePlayer::forget`].
    replies: HashMap<Rack, EvaluatedPlay>,
}

impl<'a> LinePlayer<'a> {
    /// A player on the board of these playouts.
    pub fn new(rules: &'a GameRules, playouts: Playouts<'a>, seed: u64) -> LinePlayer<'a> {
        LinePlayer { rules, playouts, seed, replies: HashMap::new() }
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
    pub fn settle(&mut self, game: &mut DealtGame, passed: bool, skill: Skill) -> Settled {
        let mut settled =
            Settled { placements: Vec::new(), racks: game.racks, seat: 1 - US, spread: 0, passed, is_over: false, had_turn: false };
        while !game.is_over() && !game.bag.is_empty() {
            let play = match skill {
                Skill::Static => {
                    let best = self.playouts.best(&game.racks[settled.seat], &game.racks[1 - settled.seat], game.bag.len());
                    best.map_or(PASS, evaluated)
                }
                Skill::Informed if settled.placements.is_empty() && settled.seat != US => {
                    let known = self.replies.get(&game.racks[settled.seat]).copied();
                    known.unwrap_or_else(|| self.best_informed(game, settled.seat))
                }
                Skill::Informed => self.best_informed(game, settled.seat),
            };
            if skill == Skill::Informed && settled.placements.is_empty() && settled.seat != US {
                self.replies.insert(game.racks[settled.seat], play);
            }
            if let Some(placement) = play.play.placement() {
                self.playouts.play(placement);
                settled.placements.push(*placement);
            }
            settled.passed = play.play == Play::Pass;
            settled.had_turn |= settled.seat == US;
            self.take_turn(game, settled.seat, &play);
            settled.seat = 1 - settled.seat;
        }
        for _ in &settled.placements {
            self.playouts.undo();
        }
        settled.racks = [game.racks[settled.seat], game.racks[1 - settled.seat]];
        settled.spread = game.spread();
        settled.is_over = game.is_over();
        settled
    }

    /// The best of a few plays by playouts over bags that the player cannot tell apart.
    fn best_informed(&mut self, game: &DealtGame, seat: usize) -> EvaluatedPlay {
        let in_bag = game.bag.len();
        let rack = game.racks[seat];
        let bag: Rack = game.bag.tiles().iter().copied().collect();
        let unseen = game.racks[1 - seat].plus(&bag);
        let choices = self.playouts.best_few(&rack, CHOICES);
        let bags = sample(&draws::deals(&draws::draws(&unseen, in_bag), Orders::One));
        let lead = if seat == US { game.spread() } else { -game.spread() };
        let mut best: Option<((u64, i64), EvaluatedPlay)> = None;
        for choice in choices.into_iter().map(evaluated).chain([PASS]) {
            if let Some(placement) = choice.play.placement() {
                self.playouts.play(placement);
            }
            let mut worth = (0, 0);
            for (tiles, weight) in &bags {
                let held: Rack = tiles.iter().copied().collect();
                let other = unseen.minus(&held).expect("a bag is drawn from what is unseen");
                let mut line = DealtGame::default();
                line.deal([rack, other], tiles, lead, game.zero_turns());
                self.take_turn(&mut line, US, &choice);
                let spread = self.play_out(&line, 1 - US);
                worth.0 += weight * super::candidate::Verdict::of(spread).half_wins();
                worth.1 += *weight as i64 * i64::from(spread);
            }
            if choice.play.placement().is_some() {
                self.playouts.undo();
            }
            // Equal worth: the earlier one, which is the better one by static equity.
            if best.as_ref().is_none_or(|(most, _)| worth > *most) {
                best = Some((worth, choice));
            }
        }
        best.expect("there is always a pass").1
    }

    /// Our final lead when both sides play greedily from here on. The bag may hold tiles.
    pub fn play_out(&mut self, game: &DealtGame, first: usize) -> i32 {
        if game.is_over() { game.spread() } else { self.playouts.play_out(game, first) }
    }
}

const PASS: EvaluatedPlay = EvaluatedPlay { play: Play::Pass, score: 0, equity_millipoints: 0 };

fn evaluated(greedy: Greedy) -> EvaluatedPlay {
    EvaluatedPlay { play: Play::Place(greedy.placement), score: greedy.score, equity_millipoints: greedy.worth }
}

/// At most [`BAGS`] of the deals, evenly spread, each with the weight of those it stands for.
fn sample(deals: &[draws::Deal]) -> Vec<(Vec<Tile>, u64)> {
    let step = deals.len().div_ceil(BAGS).max(1);
    deals.chunks(step).map(|chunk| (chunk[chunk.len() / 2].tiles.clone(), chunk.iter().map(|deal| deal.weight).sum())).collect()
}
