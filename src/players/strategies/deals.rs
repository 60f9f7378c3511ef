//! Random deals of the hidden tiles, for players that look a few plays ahead.
//! A deal is the opponent's rack and the order in which the other tiles are drawn.
//!
//! Not here: the deals of simulations, which share their luck between candidates (`search/simulation/`). Start with [`HiddenTiles::deal`].

use crate::players::view::View;
use crate::rules::{Rack, Tile};
use crate::search::randomness;
use rand::Rng;

/// The tiles that a player does not see.
#[derive(Clone, Debug)]
pub struct HiddenTiles {
    /// Tiles of the opponent's rack that are known: all of them once the bag is empty.
    known: Rack,
    /// All others, in the bag or with the opponent.
    unknown: Vec<Tile>,
    /// How many of these are the opponent's.
    drawn: usize,
}

/// A way in which the hidden tiles may lie.
#[derive(Clone, Debug)]
pub struct Deal {
    /// The opponent's rack.
    pub other_rack: Rack,
    /// The tiles in the bag, in the order in which the player draws them.
    pub bag: Vec<Tile>,
}

impl HiddenTiles {
    /// What is hidden on this turn.
    pub fn new(view: &View<'_>) -> HiddenTiles {
        let known = *view.seen;
        let unknown = view.unseen().minus(&known).expect("tiles in sight on the other rack are not on the board");
        HiddenTiles { known, unknown: unknown.tiles().collect(), drawn: view.other_tiles - known.len() }
    }

    /// One of the ways in which they may lie, each equally likely.
    pub fn deal(&self, rng: &mut impl Rng) -> Deal {
        let mut bag = self.unknown.clone();
        randomness::shuffle(&mut bag, rng);
        let drawn = bag.split_off(bag.len() - self.drawn);
        Deal { other_rack: self.known.plus(&drawn.into_iter().collect()), bag }
    }
}
