//! A bag in a fixed order with two ends: each player draws from their own end.
//! Therefore one player's draws do not depend on how many tiles the other played.
//! That makes the same bag comparable between candidates and between the games of a pair.
//! Exchanged tiles go back on the side of the player who exchanged, so the other player's next
//! draws do not change.

use crate::rules::{Rack, Seat, Tile};

/// Tiles, or what is known of them, in a fixed order, drawn from either end.
#[derive(Clone, Debug)]
pub struct Bag<T = Tile> {
    tiles: Vec<T>,
    front: usize,
}

impl<T> Default for Bag<T> {
    fn default() -> Bag<T> {
        Bag { tiles: Vec::new(), front: 0 }
    }
}

impl<T: Copy> Bag<T> {
    /// A bag of these tiles; the first seat draws from the beginning, the second from the end.
    pub fn new(tiles: Vec<T>) -> Bag<T> {
        Bag { tiles, front: 0 }
    }

    /// Replaces the tiles, and reuses the memory.
    pub fn refill(&mut self, tiles: &[T]) {
        self.tiles.clear();
        self.tiles.extend_from_slice(tiles);
        self.front = 0;
    }

    /// The tiles left, from the end of the first seat to that of the second.
    pub fn tiles(&self) -> &[T] {
        &self.tiles[self.front..]
    }

    /// Tiles left.
    pub fn len(&self) -> usize {
        self.tiles.len() - self.front
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Takes the tile that a player draws next, if the bag is not empty.
    #[inline]
    pub fn take(&mut self, seat: Seat) -> Option<T> {
        if self.is_empty() {
            None
        } else if seat == Seat::First {
            self.front += 1;
            Some(self.tiles[self.front - 1])
        } else {
            self.tiles.pop()
        }
    }

    /// Puts a tile into the half of the bag that the player draws from. `place` takes the number of tiles in that half and
    /// returns how many of them are drawn before the new one; 0 means that the new one is drawn next.
    pub fn put(&mut self, seat: Seat, tile: T, place: impl FnOnce(usize) -> usize) {
        let half = self.len() / 2;
        let behind = place(half).min(half);
        let at = if seat == Seat::First { self.front + behind } else { self.tiles.len() - behind };
        self.tiles.insert(at, tile);
    }
}

impl Bag {
    /// Fills a rack up to `size` tiles, or until the bag is empty.
    pub fn draw(&mut self, seat: Seat, rack: &mut Rack, size: usize) {
        while rack.len() < size {
            let Some(tile) = self.take(seat) else { return };
            rack.add(tile);
        }
    }

    /// [Puts](Bag::put) tiles back, one after the other.
    pub fn put_back(&mut self, seat: Seat, tiles: &Rack, mut place: impl FnMut(usize) -> usize) {
        tiles.tiles().for_each(|tile| self.put(seat, tile, &mut place));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_draw_from_their_own_ends_and_tiles_put_back_come_again() {
        let tile = |index| Tile::from_index(index).unwrap();
        let mut bag = Bag::new((1..=6).map(tile).collect());
        let (mut first, mut second) = (Rack::EMPTY, Rack::EMPTY);
        bag.draw(Seat::First, &mut first, 2);
        bag.draw(Seat::Second, &mut second, 2);
        assert_eq!((first, second), ([1, 2].map(tile).into_iter().collect(), [5, 6].map(tile).into_iter().collect()));
        bag.put_back(Seat::Second, &[tile(9)].into_iter().collect(), |_| 0);
        assert_eq!(bag.len(), 3);
        bag.draw(Seat::Second, &mut second, 3);
        assert_eq!(second.count(tile(9)), 1);
        bag.draw(Seat::First, &mut first, 7);
        assert!(bag.is_empty());
        assert_eq!(first.len(), 4);
    }

    #[test]
    fn an_exchange_leaves_the_other_players_half_unchanged() {
        let tiles: Vec<Tile> = (1..=20).map(|index| Tile::from_index(index).unwrap()).collect();
        let given: Rack = (21..=25).map(|index| Tile::from_index(index).unwrap()).collect();
        for seat in Seat::BOTH {
            for pick in [|_| 0, |half| half, |half| half / 2] {
                let mut bag = Bag::new(tiles.clone());
                bag.put_back(seat, &given, pick);
                let other_half = if seat == Seat::First { &tiles[10..] } else { &tiles[..10] };
                let mut drawn = Rack::EMPTY;
                bag.draw(seat.opponent(), &mut drawn, other_half.len());
                assert_eq!(drawn, other_half.iter().copied().collect());
                bag.draw(seat, &mut drawn, 99);
                assert_eq!(drawn, given.plus(&tiles.iter().copied().collect()));
            }
        }
    }
}
