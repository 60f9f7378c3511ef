//! A bag in a fixed order with two ends: each player draws from his own, so that what one draws does not depend on how many
//! tiles the other played. That is what makes the same bag comparable between candidates and between games of a pair.

use crate::rules::{Rack, Tile};

/// Tiles in order. See the module's text.
#[derive(Clone, Debug, Default)]
pub struct Bag {
    tiles: Vec<Tile>,
    front: usize,
}

impl Bag {
    /// A bag of these tiles; seat 0 draws from the beginning, seat 1 from the end.
    pub fn new(tiles: Vec<Tile>) -> Bag {
        Bag { tiles, front: 0 }
    }

    /// Other tiles in the same memory.
    pub fn refill(&mut self, tiles: &[Tile]) {
        self.tiles.clear();
        self.tiles.extend_from_slice(tiles);
        self.front = 0;
    }

    /// Tiles left.
    pub fn len(&self) -> usize {
        self.tiles.len() - self.front
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Fills a rack up to `size` tiles, as far as there are any.
    pub fn draw(&mut self, seat: usize, rack: &mut Rack, size: usize) {
        while rack.len() < size && !self.is_empty() {
            let tile = if seat == 0 {
                self.front += 1;
                self.tiles[self.front - 1]
            } else {
                self.tiles.pop().expect("the bag is not empty")
            };
            rack.add(tile);
        }
    }

    /// Puts tiles back, each at the place that `place` picks among `0..=len`.
    pub fn put_back(&mut self, tiles: &Rack, mut place: impl FnMut(usize) -> usize) {
        for tile in tiles.tiles() {
            let at = self.front + place(self.len()).min(self.len());
            self.tiles.insert(at, tile);
        }
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
        bag.draw(0, &mut first, 2);
        bag.draw(1, &mut second, 2);
        assert_eq!((first, second), ([1, 2].map(tile).into_iter().collect(), [5, 6].map(tile).into_iter().collect()));
        bag.put_back(&[tile(9)].into_iter().collect(), |len| len);
        assert_eq!(bag.len(), 3);
        bag.draw(1, &mut second, 3);
        assert_eq!(second.count(tile(9)), 1);
        bag.draw(0, &mut first, 7);
        assert!(bag.is_empty());
        assert_eq!(first.len(), 4);
    }
}
