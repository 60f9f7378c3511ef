//! A dealer's record of the draws of a game: what each is drawn from, and when its tiles become
//! known.
//!
//! To whoever sees every rack and play but not into the bag, the places of the bag hold the tiles left in any order, each order equally
//! likely. Only where exchanged tiles were put back is known, since the dealer did that. So of a draw some tiles may be certain, and
//! the others are any of the [pool](GameDraw::pool). That stays so until somebody has acted on them: the opponent who sees them, or the
//! player who drew them. A draw comes to light just before, so that the pool is still what the tiles are drawn from.
//!
//! Not here: what a draw is worth (`luck.rs`). Start with [`Dealer`].

use crate::players::Sight;
use crate::rules::{Rack, Tile};
use crate::search::bag::Bag;

/// Tiles that a player drew at one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameDraw {
    /// Who drew.
    pub seat: usize,
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
pub struct Dealer {
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
    pub fn drew(&mut self, seat: usize, kept: &Rack, rack: &Rack) {
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
    pub fn put_back(&mut self, seat: usize, tiles: &Rack, mut place: impl FnMut(usize) -> usize) {
        tiles.tiles().for_each(|tile| self.places.put(seat, Some(tile), &mut place));
    }

    /// The player's last draw comes to light, if it is hidden.
    pub fn reveal(&mut self, seat: usize) -> Option<GameDraw> {
        let draw = self.hidden[seat].take()?;
        let theirs = self.hidden[1 - seat];
        let pool = self.unknown.plus(&draw.drawn).plus(&theirs.map_or(Rack::EMPTY, |hidden| hidden.drawn));
        Some(GameDraw { pool, opponent: theirs.map(|hidden| hidden.certain), ..draw })
    }

    /// The player's last draw, if the opponent, who has this sight and is on turn, sees it: it comes to light.
    pub fn reveal_to(&mut self, opponent: Sight, seat: usize) -> Option<GameDraw> {
        let is_seen = opponent == Sight::Whole || self.places.is_empty();
        if is_seen { self.reveal(seat) } else { None }
    }
}
