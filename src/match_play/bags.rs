//! The order of a game's bag, and what its draws are known to be.
//!
//! The start of each game and the order of its bag are a function of a seed and the game's number: [`shuffled_bag`]. A game that begins in
//! the middle has a [`GameStart`].
//!
//! A `Dealer` records draws: what each is drawn from, and when its tiles become known. To whoever sees every rack and play but not into
//! the bag, the places of the bag hold the tiles left in any order, each order equally likely. Only where exchanged tiles were put back is
//! known, since the dealer did that. So of a draw some tiles may be certain, and the others are any of the *pool*. That stays
//! so until somebody has acted on them: the opponent who sees them, or the player who drew them. A draw comes to light just before, so that
//! the pool is still what the tiles are drawn from.
//!
//! Not here: what a draw is worth (`luck.rs`).

use crate::players::Sight;
use crate::rules::{GameRules, Position, Rack, Seat, Tile, TurnError};
use crate::search::bag::Bag;
use crate::search::randomness::{self, Stream};
use std::sync::Arc;

/// A full bag in the order of game number `index`.
pub fn shuffled_bag(rules: &GameRules, seed: u64, index: u64) -> Vec<Tile> {
    shuffled(Rack::full_bag(&rules.distribution), seed, index)
}

fn shuffled(tiles: Rack, seed: u64, index: u64) -> Vec<Tile> {
    let mut tiles: Vec<Tile> = tiles.tiles().collect();
    randomness::shuffle(&mut tiles, &mut randomness::generator(seed, Stream::Games, index));
    tiles
}

/// A position that games begin from: seat 0 has the first turn. Tiles that it states are on the racks, all others are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct GameStart {
    /// Without racks.
    position: Position,
    racks: [Rack; 2],
}

impl GameStart {
    /// Games from this position on.
    ///
    /// # Errors
    /// Nothing that a position could cause: it is one already.
    pub fn new(position: &Position) -> Result<GameStart, TurnError> {
        let (mover, other) = (position.on_turn(), 1 - position.on_turn());
        let scores = [position.score(mover), position.score(other)];
        let (rules, board) = (Arc::clone(position.rules()), position.board().clone());
        let bare = Position::of_parts(rules, board, [Rack::EMPTY; 2], scores, position.countdown())?;
        Ok(GameStart { position: bare, racks: [*position.mover_rack(), *position.opponent_rack()] })
    }

    /// The position, without racks.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The tiles that each seat certainly holds.
    pub fn racks(&self) -> &[Rack; 2] {
        &self.racks
    }

    /// All other tiles that are not on the board, in the order of game number `index`.
    pub fn shuffled_bag(&self, seed: u64, index: u64) -> Vec<Tile> {
        let stated = self.racks[0].plus(&self.racks[1]);
        // INVARIANT: a position holds no more of a tile than the game has, its racks among them.
        let rest = self.position.unseen().minus(&stated).unwrap_or_default();
        shuffled(rest, seed, index)
    }
}

/// Tiles that a player drew at one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GameDraw {
    /// The seat that drew.
    pub seat: Seat,
    /// Draws of this game before it, of both players.
    pub number: u64,
    /// The tiles that the player certainly has: those kept, and those drawn from known places.
    pub certain: Rack,
    /// The other tiles drawn.
    pub drawn: Rack,
    /// What they were drawn from, themselves included: each as many tiles of it were equally likely.
    pub pool: Rack,
    /// The tiles that the opponent certainly has, while their own last draw is hidden.
    pub opponent: Option<Rack>,
}

/// Keeps account of a game's draws.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dealer {
    /// The places of the bag: the tile where it is known.
    places: Bag<Option<Tile>>,
    /// The tiles at the places where it is not.
    unknown: Rack,
    /// By seat, the last draw while it is hidden; its pool is filled in when it comes to light.
    hidden: [Option<GameDraw>; 2],
    draws: u64,
}

impl Dealer {
    /// A full bag, and nothing drawn.
    pub fn start(&mut self, bag: &[Tile]) {
        self.places.refill(&vec![None; bag.len()]);
        self.unknown = bag.iter().copied().collect();
        self.hidden = [None; 2];
        self.draws = 0;
    }

    /// A player kept these tiles and drew up to this rack.
    ///
    /// # Panics
    /// If the tiles are not those of the bag.
    pub fn drew(&mut self, seat: Seat, kept: &Rack, rack: &Rack) {
        let mut certain = *kept;
        for _ in kept.len()..rack.len() {
            if let Some(tile) = self.places.take(seat).expect("as many tiles as were drawn") {
                certain.add(tile);
            }
        }
        let drawn = rack.minus(&certain).expect("tiles at known places are there");
        self.unknown = self.unknown.minus(&drawn).expect("tiles come from the bag");
        self.hidden[seat] = Some(GameDraw { seat, number: self.draws, certain, drawn, pool: Rack::EMPTY, opponent: None });
        self.draws += 1;
    }

    /// A player put these tiles back. `place` is asked as [`Bag::put`] asks it.
    pub fn put_back(&mut self, seat: Seat, tiles: &Rack, mut place: impl FnMut(usize) -> usize) {
        tiles.tiles().for_each(|tile| self.places.put(seat, Some(tile), &mut place));
    }

    /// The player's last draw comes to light, if it is hidden.
    pub fn reveal(&mut self, seat: Seat) -> Option<GameDraw> {
        let draw = self.hidden[seat].take()?;
        let theirs = self.hidden[1 - seat];
        let pool = self.unknown.plus(&draw.drawn).plus(&theirs.map_or(Rack::EMPTY, |hidden| hidden.drawn));
        Some(GameDraw { pool, opponent: theirs.map(|hidden| hidden.certain), ..draw })
    }

    /// The player's last draw, if the opponent, who has this sight and is on turn, sees it: it comes to light.
    pub fn reveal_to(&mut self, opponent: Sight, seat: Seat) -> Option<GameDraw> {
        let is_seen = opponent == Sight::Whole || self.places.is_empty();
        if is_seen { self.reveal(seat) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::cgp;
    use crate::rules::GameRules;

    #[test]
    fn a_game_from_the_middle_draws_what_is_left() {
        let rules = GameRules::english();
        let text = "15/15/15/15/15/15/15/7DOG5/15/15/15/15/15/15/15 AEI/Q 10/20 0";
        let start = GameStart::new(&cgp::parse(text, &rules).unwrap().position).unwrap();
        let mut bag = start.shuffled_bag(1, 2);
        assert_ne!(bag, start.shuffled_bag(1, 3));
        assert_eq!(bag, start.shuffled_bag(1, 2));
        let named = "DOGAEIQ".chars().map(|letter| rules.distribution.parse_tiles(&letter.to_string()).unwrap()[0]);
        bag.extend(named);
        bag.sort_unstable();
        let mut all: Vec<Tile> = Rack::full_bag(&rules.distribution).tiles().collect();
        all.sort_unstable();
        assert_eq!(bag, all);
        assert_eq!((start.position().score(0), start.position().score(1), start.position().mover_rack().len()), (10, 20, 0));
        assert_eq!(start.racks().map(|rack| rack.len()), [3, 1]);
    }
}
