//! The start of each game and the order of its bag, as a function of a seed and the game's number.
//!
//! Start with [`shuffled_bag`]; a game that begins in the middle has a [`GameStart`].

use crate::rules::{GameRules, Position, Rack, Tile, TurnError};
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
        let bare = Position::of_parts(rules, board, [Rack::EMPTY; 2], scores, position.zero_turns())?;
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
