//! The order of a game's bag, and the pools from which its tiles are drawn.
//!
//! A seed and the game's number determine the start of a game and the order of its bag: [`shuffled_bag`]. A game that begins in the middle
//! has a [`GameStart`].
//!
//! A `Dealer` records draws: the tiles from which each is drawn, and the moment when its tiles become known. Consider an observer who sees
//! every rack and play, but not the bag. For this observer, all orders of the tiles in the bag are equally likely, except that the places
//! of exchanged tiles are known, since the dealer put them back. Some tiles of a draw may therefore be certain. The others are any tiles of
//! the *pool*, until somebody acts on them: the opponent who sees them, or the player who drew them. A draw is revealed just before that,
//! while the pool is still right.
//!
//! Not here: the worth of a draw (`luck.rs`).

use crate::players::Sight;
use crate::rules::{BySeat, GameRules, Position, Rack, Seat, Tile, TurnError};
use crate::search::bag::Bag;
use crate::search::randomness::{self, Stream};
use std::sync::Arc;

/// Returns a full bag in the order of game number `index`.
pub fn shuffled_bag(rules: &GameRules, seed: u64, index: u64) -> Vec<Tile> {
    shuffled(Rack::full_bag(&rules.distribution), seed, index)
}

fn shuffled(tiles: Rack, seed: u64, index: u64) -> Vec<Tile> {
    let mut tiles: Vec<Tile> = tiles.tiles().collect();
    randomness::shuffle(&mut tiles, &mut randomness::generator(seed, Stream::Games, index));
    tiles
}

/// A position that games begin from. The racks hold the tiles that the position states; all others are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct GameStart {
    /// The position, without racks.
    position: Position,
    racks: BySeat<Rack>,
}

impl GameStart {
    /// Returns the start of games from this position.
    ///
    /// # Errors
    /// None, for a valid position.
    pub fn new(position: &Position) -> Result<GameStart, TurnError> {
        let scores = position.scores().own_first(position.on_turn());
        let (rules, board) = (Arc::clone(position.rules()), position.board().clone());
        let bare = Position::of_parts(rules, board, [Rack::EMPTY; 2], scores, position.countdown())?;
        Ok(GameStart { position: bare, racks: BySeat([*position.mover_rack(), *position.opponent_rack()]) })
    }

    /// Returns the position, without racks.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the tiles that the position states for each seat.
    pub fn racks(&self) -> &BySeat<Rack> {
        &self.racks
    }

    /// Returns all tiles that are neither on the board nor on the stated racks, in the order of game number `index`.
    pub fn shuffled_bag(&self, seed: u64, index: u64) -> Vec<Tile> {
        let [first, second] = &self.racks.0;
        let stated = first.plus(second);
        // INVARIANT: board and racks of a position hold no more of a tile than the game has.
        let rest = self.position.unseen().minus(&stated).unwrap_or_default();
        shuffled(rest, seed, index)
    }
}

/// Tiles that a player drew at one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GameDraw {
    /// The seat that drew.
    pub seat: Seat,
    /// The number of draws of both players before it in this game.
    pub number: u64,
    /// The tiles that the player certainly has: those kept, and those drawn from known places.
    pub certain: Rack,
    /// The other tiles drawn.
    pub drawn: Rack,
    /// The tiles from which they were drawn, including themselves. Any draw of the same size was equally likely.
    pub pool: Rack,
    /// The tiles that the opponent certainly has, while their own last draw is hidden.
    pub opponent: Option<Rack>,
}

/// Records a game's draws.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dealer {
    /// The places of the bag, with the tiles that are known.
    places: Bag<Option<Tile>>,
    /// The tiles at all other places.
    unknown: Rack,
    /// Each player's last draw while it is hidden. Its pool is filled in when it is revealed.
    hidden: BySeat<Option<GameDraw>>,
    draws: u64,
}

impl Dealer {
    /// Starts a game with a full bag.
    pub fn start(&mut self, bag: &[Tile]) {
        self.places.refill(&vec![None; bag.len()]);
        self.unknown = bag.iter().copied().collect();
        self.hidden = BySeat::default();
        self.draws = 0;
    }

    /// Records that a player kept `kept` and then drew up to `rack`.
    ///
    /// # Panics
    /// If the tiles are not from the bag.
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

    /// Records that a player put these tiles back. [`Bag::put`] describes `place`.
    pub fn put_back(&mut self, seat: Seat, tiles: &Rack, mut place: impl FnMut(usize) -> usize) {
        tiles.tiles().for_each(|tile| self.places.put(seat, Some(tile), &mut place));
    }

    /// Reveals the player's last draw, if it is hidden.
    pub fn reveal(&mut self, seat: Seat) -> Option<GameDraw> {
        let draw = self.hidden[seat].take()?;
        let theirs = self.hidden[seat.opponent()];
        let pool = self.unknown.plus(&draw.drawn).plus(&theirs.map_or(Rack::EMPTY, |hidden| hidden.drawn));
        Some(GameDraw { pool, opponent: theirs.map(|hidden| hidden.certain), ..draw })
    }

    /// Reveals the player's last draw if the opponent, who has this sight and is on turn, sees it.
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
        assert_eq!((start.position().scores().0, start.position().mover_rack().len()), ([10, 20], 0));
        assert_eq!(start.racks().map(|rack| rack.len()).0, [3, 1]);
    }
}
