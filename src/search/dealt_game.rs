//! A game whose tiles are dealt: the code that runs it knows both racks and the order of the bag. For rollouts and self-play.
//!
//! It keeps racks, scores and the bag, not the board, and does not check the plays it is given. The referee in
//! `match_play/referee.rs` checks every play.

use crate::evaluation::static_eval::{EvaluatedPlay, StaticTurn};
use crate::evaluation::win_model::TilesLeft;
use crate::rules::{BySeat, Countdown, GameEnd, GameRules, Play, Rack, Seat, Tile};
use crate::search::bag::Bag;
use rand::{Rng, RngExt};

/// Where exchanged tiles go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReturnTiles {
    /// Into the half of the bag that the player draws from. The other player's draws do not change, as paired games require.
    /// The player draws these tiles again twice as often as from a real bag.
    SameSide,
    /// Into either half, as into a real bag.
    Anywhere,
}

/// A game in progress of which both racks and the bag's order are known.
#[derive(Clone, Debug, Default)]
pub struct DealtGame {
    /// The tiles that each player holds.
    pub racks: BySeat<Rack>,
    /// Points of each player.
    pub scores: BySeat<i32>,
    /// What is left to draw.
    pub bag: Bag,
    countdown: Countdown,
    is_over: bool,
}

impl DealtGame {
    /// Sets up a game in progress with these racks; the first seat leads by `spread`.
    pub fn deal(&mut self, racks: [Rack; 2], bag: &[Tile], spread: i32, countdown: Countdown) {
        self.racks = BySeat(racks);
        self.scores = BySeat([spread, 0]);
        self.bag.refill(bag);
        self.countdown = countdown;
        self.is_over = false;
    }

    /// Starts a new game: both players draw from their ends of the bag.
    pub fn start(&mut self, rules: &GameRules, bag: &[Tile]) {
        self.deal([Rack::EMPTY; 2], bag, 0, Countdown::default());
        for seat in Seat::BOTH {
            self.bag.draw(seat, &mut self.racks[seat], rules.rack_size);
        }
        if self.bag.is_empty() {
            self.countdown.last_turns = rules.variant.last_turns();
        }
    }

    /// Score of the first seat minus that of the second, including final adjustments once the game is over.
    pub fn spread(&self) -> i32 {
        self.scores.lead(Seat::First)
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Successive turns without points up to now.
    pub fn zero_turns(&self) -> u32 {
        self.countdown.zero_turns
    }

    /// The counts of turns that end the game.
    pub fn countdown(&self) -> Countdown {
        self.countdown
    }

    /// Returns a player's turn as static evaluation needs it.
    pub fn turn(&self, seat: Seat) -> StaticTurn<'_> {
        StaticTurn::new(&self.racks[seat], &self.racks[seat.opponent()], self.bag.len())
    }

    /// How many tiles are left, as seen by the player on turn.
    pub fn tiles_left(&self, seat: Seat) -> TilesLeft {
        TilesLeft { in_bag: self.bag.len(), own_rack: self.racks[seat].len(), other_rack: self.racks[seat.opponent()].len() }
    }

    /// Scores a play, draws, puts exchanged tiles back at random places, and ends the game if it is over. Returns the tiles kept.
    ///
    /// # Panics
    /// If the play uses tiles that the player does not have.
    pub fn take_turn(&mut self, rules: &GameRules, seat: Seat, play: &EvaluatedPlay, returned: ReturnTiles, rng: &mut impl Rng) -> Rack {
        let gone = play.play.rack_tiles();
        let kept = self.racks[seat].minus(&gone).expect("a play uses tiles of its rack");
        self.scores[seat] += play.score;
        self.racks[seat] = kept;
        self.bag.draw(seat, &mut self.racks[seat], rules.rack_size);
        if let Play::Exchange(given) = &play.play {
            let side = match returned {
                ReturnTiles::SameSide => seat,
                ReturnTiles::Anywhere => Seat::BOTH[rng.random_range(0..2_usize)],
            };
            self.bag.put_back(side, given, |half| rng.random_range(0..=half));
        }
        self.countdown = self.countdown.after(rules.variant, play.score, self.bag.len());
        let is_out = self.racks[seat].is_empty() && self.countdown.last_turns.is_none();
        let end = if is_out { Some(GameEnd::WentOut(seat)) } else { self.countdown.end(rules.max_zero_turns) };
        if let Some(end) = end {
            self.end_as(rules, end);
        }
        kept
    }

    /// Ends the game because nothing can be played any more.
    pub fn end_without_plays(&mut self, rules: &GameRules) {
        if !self.is_over {
            self.end_as(rules, GameEnd::NoPlays);
        }
    }

    fn end_as(&mut self, rules: &GameRules, end: GameEnd) {
        let changes = rules.ending.adjustments(end, self.racks.map(|rack| rack.value(&rules.distribution)));
        Seat::BOTH.into_iter().for_each(|seat| self.scores[seat] += changes[seat]);
        self.is_over = true;
    }
}
