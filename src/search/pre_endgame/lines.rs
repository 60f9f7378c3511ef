//! Lines of play after a candidate: a model of both sides' play while the bag has tiles, and greedy playouts.
//!
//! A player knows their rack, the board, and which tiles are unseen. They know neither the order of the bag nor which unseen
//! tiles the other player holds. They take the best play by static equity ([`Skill::Static`]), or the best of a few such plays by
//! playouts over bags that they cannot tell apart ([`Skill::Informed`]). Once the bag is empty both know everything, and the rest
//! is an endgame (`endgames.rs`).

use crate::evaluation::StaticEval;
use crate::evaluation::static_eval::{EvaluatedPlay, StaticTurn};
use crate::lexicon::word_graph::WordGraph;
use crate::movegen::LaneBoard;
use crate::rules::{GameRules, Placement, Play, Rack, Seat};
use crate::search::dealt_game::{DealtGame, ReturnTiles};
use crate::search::pre_endgame::draws::{self, BagDeal, Orders};
use crate::search::pre_endgame::types::PlayWorth;
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

/// How many plays an informed player compares.
const CHOICES: usize = 5;

/// How many bags an informed player compares them over.
const BAGS: usize = 8;

/// The seat of the player whose candidates are compared.
pub const US: Seat = Seat::First;

/// The seat of the opponent.
pub const THEM: Seat = Seat::Second;

/// The state of a game when the bag is empty, or at its end if it ended earlier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineEnd {
    /// Placements since the candidate.
    pub placements: Vec<Placement>,
    /// Racks of the player on turn and of the other player.
    pub racks: [Rack; 2],
    /// The seat on turn.
    pub seat: Seat,
    /// Our lead; final if the game is over.
    pub spread: i32,
    /// Whether the last turn was a pass.
    pub passed: bool,
    /// How many turns are left, where they are counted.
    pub last_turns: Option<u32>,
    /// Whether the game is over.
    pub is_over: bool,
    /// Whether we had a turn after the candidate, on which we might have done better than the model.
    pub had_turn: bool,
}

impl LineEnd {
    /// The lead of the player on turn.
    pub fn lead(&self) -> i32 {
        self.turned(self.spread)
    }

    /// Converts our lead into that of the player on turn, or back.
    pub fn turned(&self, lead: i32) -> i32 {
        if self.seat == US { lead } else { -lead }
    }
}

/// Plays lines. Each thread has one.
#[derive(Debug)]
pub struct LinePlayer<'a> {
    rules: &'a GameRules,
    graph: &'a WordGraph,
    eval: StaticEval<'a>,
    seed: u64,
    /// An informed opponent's replies on the candidate's board, by rack. See [`LinePlayer::forget`].
    replies: HashMap<Rack, EvaluatedPlay>,
    /// Plays generated.
    pub nodes: u64,
}

impl<'a> LinePlayer<'a> {
    /// Creates a player with these words and values.
    pub fn new(rules: &'a GameRules, graph: &'a WordGraph, eval: StaticEval<'a>, seed: u64) -> LinePlayer<'a> {
        LinePlayer { rules, graph, eval, seed, replies: HashMap::new(), nodes: 0 }
    }

    /// Forgets the replies to the last candidate, and resets the node count. Must be called before the next candidate.
    pub fn forget(&mut self) {
        self.replies.clear();
        self.nodes = 0;
    }

    /// Takes a turn on the racks and the bag. The caller changes the board.
    pub fn take_turn(&self, game: &mut DealtGame, seat: Seat, play: &EvaluatedPlay) {
        // Only exchanges use the generator, and they are very rare with a few tiles in the bag.
        let mut rng = randomness::generator(self.seed, Stream::Rollouts, game.bag.len() as u64);
        game.take_turn(self.rules, seat, play, ReturnTiles::Anywhere, &mut rng);
    }

    /// Plays on from the opponent's turn after the candidate until the bag is empty or the game is over. `lanes` has the
    /// candidate on it and is left as it was; `passed` is whether the candidate is a pass.
    pub fn play_to_empty_bag(&mut self, lanes: &mut LaneBoard, game: &mut DealtGame, passed: bool, skill: Skill) -> LineEnd {
        let (mut placements, mut seat, mut passed, mut had_turn) = (Vec::new(), THEM, passed, false);
        while !game.is_over() && !game.bag.is_empty() {
            let is_reply = placements.is_empty() && seat == THEM;
            let play = match skill {
                Skill::Static if !self.is_last(game) => self.best(lanes, game, seat),
                _ if is_reply => self.reply(lanes, game),
                _ => self.best_informed(lanes, game, seat),
            };
            if let Some(placement) = play.play.placement() {
                lanes.play(placement, self.graph);
                placements.push(*placement);
            }
            passed = play.play == Play::Pass;
            had_turn |= seat == US;
            self.take_turn(game, seat, &play);
            seat = seat.opponent();
        }
        for _ in &placements {
            lanes.undo();
        }
        let racks = game.racks.own_first(seat);
        LineEnd {
            placements,
            racks,
            seat,
            spread: game.spread(),
            passed,
            last_turns: game.countdown().last_turns,
            is_over: game.is_over(),
            had_turn,
        }
    }

    /// Our final lead when both sides play the best static play from here on. The bag may hold tiles.
    fn play_out(&mut self, lanes: &mut LaneBoard, game: &mut DealtGame, first: Seat) -> i32 {
        let (mut seat, mut on_board, mut passes) = (first, 0, 0);
        while !game.is_over() && passes < 2 {
            let play = self.best(lanes, game, seat);
            if let Some(placement) = play.play.placement() {
                lanes.play(placement, self.graph);
                on_board += 1;
            }
            passes = if play.play == Play::Pass && game.bag.is_empty() { passes + 1 } else { 0 };
            self.take_turn(game, seat, &play);
            seat = seat.opponent();
        }
        for _ in 0..on_board {
            lanes.undo();
        }
        if game.is_over() {
            return game.spread();
        }
        // Neither can play any more: both lose what they hold.
        let points = |seat: Seat| game.racks[seat].value(&self.rules.distribution);
        game.spread() + self.rules.ending.lead_when_stuck(points(US), points(THEM))
    }

    fn best(&mut self, lanes: &mut LaneBoard, game: &DealtGame, seat: Seat) -> EvaluatedPlay {
        self.nodes += 1;
        self.eval.best(lanes, &game.turn(seat))
    }

    /// Whether a turn without points ends the game. Static equity does not account for that, so players then do not
    /// choose by it alone.
    fn is_last(&self, game: &DealtGame) -> bool {
        self.rules.is_ended_by_zero_turn_after(game.zero_turns())
    }

    /// The informed opponent's play right after the candidate. It depends on their rack alone, so it is worked out once
    /// for each rack.
    fn reply(&mut self, lanes: &mut LaneBoard, game: &DealtGame) -> EvaluatedPlay {
        let rack = game.racks[THEM];
        if let Some(known) = self.replies.get(&rack) {
            return *known;
        }
        let play = self.best_informed(lanes, game, THEM);
        self.replies.insert(rack, play);
        play
    }

    /// The best of a few plays by playouts over bags that the player cannot tell apart.
    fn best_informed(&mut self, lanes: &mut LaneBoard, game: &DealtGame, seat: Seat) -> EvaluatedPlay {
        self.nodes += 1;
        // What the player sees: their rack, and which other tiles there are, but not where.
        let in_bag = game.bag.len();
        let rack = game.racks[seat];
        let bag: Rack = game.bag.tiles().iter().copied().collect();
        let unseen = game.racks[seat.opponent()].plus(&bag);
        let lead = if seat == US { game.spread() } else { -game.spread() };
        let mut choices = self.eval.best_few(lanes, &StaticTurn::new(&rack, &Rack::EMPTY, in_bag), CHOICES);
        // A pass that ends the game may win it. Its result is certain, not a playout's,
        // so it ranks before a play that wins as often.
        let is_pass = |choice: &EvaluatedPlay| choice.play == Play::Pass;
        let is_last = self.is_last(game);
        if is_last && !choices.iter().any(is_pass) {
            choices.push(EvaluatedPlay::PASS);
        }
        let bags = sample(&draws::deals(&draws::draws(&unseen, in_bag), Orders::One));
        let rank = |worth: &PlayWorth, choice: &EvaluatedPlay| (worth.half_wins, is_last && is_pass(choice), worth.lead_sum);
        let mut best: Option<(PlayWorth, EvaluatedPlay)> = None;
        for choice in choices {
            if let Some(placement) = choice.play.placement() {
                lanes.play(placement, self.graph);
            }
            // All choices meet the same bags. In these playouts the player sits in the first seat.
            let mut worth = PlayWorth::default();
            for bag in &bags {
                let held: Rack = bag.tiles.iter().copied().collect();
                let other = unseen.minus(&held).expect("a bag is drawn from what is unseen");
                let mut line = DealtGame::default();
                line.deal([rack, other], &bag.tiles, lead, game.countdown());
                self.take_turn(&mut line, US, &choice);
                worth.add(bag.weight, self.play_out(lanes, &mut line, THEM));
            }
            if choice.play.placement().is_some() {
                lanes.undo();
            }
            // Of equal choices the earlier one stays, which has the greater static equity.
            if best.as_ref().is_none_or(|(most, choice_so_far)| rank(&worth, &choice) > rank(most, choice_so_far)) {
                best = Some((worth, choice));
            }
        }
        best.expect("there is always a play").1
    }
}

/// At most [`BAGS`] of the deals, evenly spread, each with the weight of those it stands for.
fn sample(deals: &[BagDeal]) -> Vec<BagDeal> {
    let step = deals.len().div_ceil(BAGS).max(1);
    let middle = |chunk: &[BagDeal]| {
        let weight = chunk.iter().map(|deal| deal.weight).sum();
        BagDeal { weight, ..chunk[chunk.len() / 2].clone() }
    };
    deals.chunks(step).map(middle).collect()
}
