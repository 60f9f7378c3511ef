//! What a player can do on a turn: place tiles, exchange, or pass.
//!
//! Not here: how plays are written (`notation.rs`), what they score (`scoring.rs`), whether they are possible (`position.rs`).

use crate::rules::board::{Board, Direction, Square};
use crate::rules::layout::MAX_DIM;
use crate::rules::rack::Rack;
use crate::rules::tiles::{Letter, Placed};

/// Tiles placed in a line, with the tiles played through between and around them.
///
/// It covers the whole main word: one entry per square from `start`, `None` where the tile was on the board before.
#[derive(Clone, Copy)]
pub struct Placement {
    /// First square of the main word.
    pub start: Square,
    /// Direction of the main word.
    pub direction: Direction,
    len: u8,
    tiles: [Option<Placed>; MAX_DIM],
}

impl Placement {
    /// A placement without squares yet; see [`Placement::push`].
    pub const fn at(start: Square, direction: Direction) -> Placement {
        Placement { start, direction, len: 0, tiles: [None; MAX_DIM] }
    }

    /// A placement of these tiles, `None` for a tile played through.
    ///
    /// # Panics
    /// If there are more than the [`MAX_DIM`] squares of a line. Longer text is refused when it is read.
    pub fn new(start: Square, direction: Direction, tiles: &[Option<Placed>]) -> Placement {
        let mut placement = Placement { len: Placement::checked_len(tiles.len()), ..Placement::at(start, direction) };
        placement.tiles[..tiles.len()].copy_from_slice(tiles);
        placement
    }

    /// The number of squares, which must fit in a line.
    const fn checked_len(squares: usize) -> u8 {
        assert!(squares <= MAX_DIM, "a placement has more squares than a line");
        squares as u8
    }

    /// A placement of tiles by their packed bytes ([`Placed::from_bits`]), 0 for a tile played through. At most [`MAX_DIM`] squares.
    #[cfg(test)]
    pub(crate) fn from_bits(start: Square, direction: Direction, bits: &[u8]) -> Placement {
        debug_assert!(bits.len() <= MAX_DIM);
        let mut placement = Placement { len: bits.len() as u8, ..Placement::at(start, direction) };
        for (tile, &bits) in placement.tiles.iter_mut().zip(bits) {
            *tile = Placed::from_bits(bits);
        }
        placement
    }

    /// Adds the next square.
    ///
    /// # Panics
    /// If the placement has the [`MAX_DIM`] squares of a line already.
    pub const fn push(&mut self, tile: Option<Placed>) {
        let len = Placement::checked_len(self.len as usize + 1);
        self.tiles[self.len as usize] = tile;
        self.len = len;
    }

    /// One entry per square of the main word, `None` for a tile played through.
    pub fn tiles(&self) -> &[Option<Placed>] {
        &self.tiles[..self.len as usize]
    }

    /// Length of the main word.
    pub const fn word_len(&self) -> usize {
        self.len as usize
    }

    /// The placed tiles with their squares.
    pub fn placed(&self) -> impl Iterator<Item = (Square, Placed)> + '_ {
        self.tiles().iter().enumerate().filter_map(|(offset, tile)| tile.map(|tile| (self.square(offset), tile)))
    }

    /// Direction, start and the first five squares as a number. Of placements with different numbers, the one with the smaller number comes
    /// first in the order of placements.
    pub(crate) fn beginning(&self) -> u64 {
        let bits = |square: usize| self.tiles[square].map_or(0, Placed::to_bits);
        u64::from_be_bytes([self.direction as u8, self.start.row, self.start.col, bits(0), bits(1), bits(2), bits(3), bits(4)])
    }

    /// Puts the placed tiles on a board.
    pub fn put_on(&self, board: &mut Board) {
        self.placed().for_each(|(square, tile)| board.set(square, Some(tile)));
    }

    /// The square at this offset from the start, which may be off the board. Rows and columns end at 255.
    pub const fn square(&self, offset: usize) -> Square {
        let offset = if offset < u8::MAX as usize { offset as u8 } else { u8::MAX };
        match self.direction {
            Direction::Across => Square { row: self.start.row, col: self.start.col.saturating_add(offset) },
            Direction::Down => Square { row: self.start.row.saturating_add(offset), col: self.start.col },
        }
    }

    /// Number of tiles placed.
    pub fn tile_count(&self) -> usize {
        self.tiles().iter().flatten().count()
    }

    /// The tiles that leave the rack.
    pub fn rack_tiles(&self) -> Rack {
        self.tiles().iter().flatten().map(|tile| tile.rack_tile()).collect()
    }

    /// The letters of the main word. Those played through are read from the board before the play.
    pub fn word(&self, board: &Board) -> Vec<Letter> {
        self.cells(board).map(Placed::letter).collect()
    }

    /// The tiles of the main word. Those played through are read from the board before the play.
    pub fn cells<'a>(&'a self, board: &'a Board) -> impl Iterator<Item = Placed> + 'a {
        self.tiles().iter().enumerate().filter_map(|(offset, tile)| tile.or_else(|| board.get(self.square(offset))))
    }
}

impl PartialEq for Placement {
    fn eq(&self, other: &Placement) -> bool {
        self.start == other.start && self.direction == other.direction && self.tiles() == other.tiles()
    }
}

impl Eq for Placement {}

impl std::hash::Hash for Placement {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.start.hash(state);
        self.direction.hash(state);
        self.tiles().hash(state);
    }
}

impl PartialOrd for Placement {
    fn partial_cmp(&self, other: &Placement) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Across before down, then by square, then by tiles: the order in which equal plays are listed.
impl Ord for Placement {
    fn cmp(&self, other: &Placement) -> std::cmp::Ordering {
        (self.direction, self.start, self.tiles()).cmp(&(other.direction, other.start, other.tiles()))
    }
}

impl std::fmt::Debug for Placement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let letters: Vec<u8> = self.tiles().iter().map(|tile| tile.map_or(0, Placed::to_bits)).collect();
        write!(f, "{:?} {:?} {:?}", self.direction, self.start, letters)
    }
}

/// The action of a player on a turn.
///
/// ```
/// use tilewright::rules::{Direction, GameRules, Placement, Play, Rack, Square};
///
/// let english = GameRules::english().distribution.clone();
/// let tiles: Vec<_> = english.parse_placed("CaT")?.into_iter().map(Some).collect();
/// let place = Play::Place(Placement::new(Square::new(7, 6), Direction::Across, &tiles));
/// // The small letter is a blank, and leaves the rack as one.
/// assert_eq!(place.rack_tiles().text(&english), "CT?");
///
/// let exchange = Play::Exchange(Rack::parse("UV", &english)?);
/// assert!(place < exchange && exchange < Play::Pass, "the order of equal plays in a list");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Play {
    /// Tiles on the board.
    Place(Placement),
    /// Tiles go back into the bag, and as many are drawn.
    Exchange(Rack),
    /// Nothing.
    Pass,
}

impl Play {
    /// The tiles that leave the rack.
    pub fn rack_tiles(&self) -> Rack {
        match self {
            Play::Place(placement) => placement.rack_tiles(),
            Play::Exchange(tiles) => *tiles,
            Play::Pass => Rack::EMPTY,
        }
    }

    /// Whether it places a whole rack of this size: a bingo.
    pub fn is_bingo(&self, rack_size: usize) -> bool {
        self.placement().is_some_and(|placement| placement.tile_count() == rack_size)
    }

    /// The tiles of this rack that the play keeps; no tiles if the rack lacks any of the play's tiles.
    pub fn leave(&self, rack: &Rack) -> Rack {
        rack.minus(&self.rack_tiles()).unwrap_or_default()
    }

    /// The placement, if tiles are placed.
    pub fn placement(&self) -> Option<&Placement> {
        match self {
            Play::Place(placement) => Some(placement),
            _ => None,
        }
    }
}

/// Placements first, then exchanges, then the pass: the order in which plays of equal worth are listed.
impl Ord for Play {
    fn cmp(&self, other: &Play) -> std::cmp::Ordering {
        use std::cmp::Ordering::{Equal, Greater, Less};
        match (self, other) {
            (Play::Place(a), Play::Place(b)) => a.cmp(b),
            (Play::Exchange(a), Play::Exchange(b)) => a.len().cmp(&b.len()).then_with(|| b.counts().cmp(a.counts())),
            (Play::Pass, Play::Pass) => Equal,
            (Play::Place(_), _) | (Play::Exchange(_), Play::Pass) => Less,
            _ => Greater,
        }
    }
}

impl PartialOrd for Play {
    fn partial_cmp(&self, other: &Play) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use std::cmp::Ordering;

    #[test]
    fn a_placement_may_leave_the_board_but_not_the_numbers_of_squares() {
        let placement = Placement::new(Square::new(3, 250), Direction::Across, &[None; MAX_DIM]);
        assert_eq!((placement.word_len(), placement.square(20)), (MAX_DIM, Square::new(3, 255)));
        assert!(placement.word(&Board::empty(15)).is_empty());
    }

    proptest! {
        #[test]
        fn the_beginnings_of_placements_are_in_their_order(
            placements in vec((0u8..3, 0u8..3, any::<bool>(), vec(0u8..3, 0..8)), 2),
        ) {
            let placement = |(row, col, down, tiles): &(u8, u8, bool, Vec<u8>)| {
                let direction = if *down { Direction::Down } else { Direction::Across };
                Placement::from_bits(Square::new(*row, *col), direction, tiles)
            };
            let [a, b] = [placement(&placements[0]), placement(&placements[1])];
            match a.beginning().cmp(&b.beginning()) {
                Ordering::Equal => prop_assert_eq!((a.direction, a.start), (b.direction, b.start)),
                order => prop_assert_eq!(a.cmp(&b), order),
            }
        }
    }

    #[test]
    #[should_panic(expected = "a placement has more squares than a line")]
    fn a_placement_has_no_more_squares_than_a_line() {
        let mut placement = Placement::new(Square::new(0, 0), Direction::Down, &[None; MAX_DIM]);
        placement.push(None);
    }
}
