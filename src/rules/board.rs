//! Squares, directions and the tiles on the board.
//!
//! Not here: premium squares (`layout.rs`) and the generator's own view with cross checks (`movegen/`).
//! Start with [`Square`] and [`Board`].

use crate::rules::distribution::{LetterDistribution, TileTextError};
use crate::rules::tiles::Placed;
use std::fmt;
use thiserror::Error;

/// A square by 0-based row and column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square {
    /// 0 for the top row.
    pub row: u8,
    /// 0 for the leftmost column.
    pub col: u8,
}

impl fmt::Display for Square {
    /// `8H`, as players name it. Boards have at most 21 columns.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.row + 1, char::from(b'A' + self.col))
    }
}

impl Square {
    /// The square in this row and column.
    pub const fn new(row: usize, col: usize) -> Square {
        Square { row: row as u8, col: col as u8 }
    }

    /// Row-major index on a board of `dim` columns.
    pub const fn index(self, dim: usize) -> usize {
        self.row as usize * dim + self.col as usize
    }

    /// The square with row and column swapped.
    pub const fn transposed(self) -> Square {
        Square { row: self.col, col: self.row }
    }

    /// All squares of a board, row by row.
    pub fn all(dim: usize) -> impl Iterator<Item = Square> {
        (0..dim).flat_map(move |row| (0..dim).map(move |col| Square::new(row, col)))
    }

    /// The square `steps` further in a direction (negative: back), or `None` off a board of `dim` rows.
    pub fn step(self, direction: Direction, steps: isize, dim: usize) -> Option<Square> {
        let (row, col) = match direction {
            Direction::Across => (self.row as isize, self.col as isize + steps),
            Direction::Down => (self.row as isize + steps, self.col as isize),
        };
        let on_board = |x: isize| (0..dim as isize).contains(&x);
        (on_board(row) && on_board(col)).then(|| Square::new(row as usize, col as usize))
    }
}

/// The direction of a word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// Left to right; written number first: `8D`.
    Across,
    /// Top to bottom; written letter first: `D8`.
    Down,
}

impl Direction {
    /// Both.
    pub const ALL: [Direction; 2] = [Direction::Across, Direction::Down];

    /// The other one.
    pub const fn other(self) -> Direction {
        match self {
            Direction::Across => Direction::Down,
            Direction::Down => Direction::Across,
        }
    }

    /// 0 for across, 1 for down.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// Why a picture is no board.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
pub enum BoardTextError {
    /// Something that is neither a tile nor an empty square.
    #[error("row {row}, {error}")]
    Tile {
        /// 1-based row.
        row: usize,
        /// Where in the row, and what.
        error: TileTextError,
    },
    /// Not a square board.
    #[error("row {row} has {found} squares, expected {expected}")]
    RowLength {
        /// 1-based row.
        row: usize,
        /// Squares in it.
        found: usize,
        /// The number of rows.
        expected: usize,
    },
}

/// The tiles on a board, without premium squares.
///
/// ```
/// use tilewright::rules::{Board, Direction, GameRules, Square};
///
/// let english = GameRules::english().distribution;
/// let board = Board::parse(
///     "
///     .....
///     .....
///     .CAT.
///     ..s..
///     .....
///     ",
///     &english,
/// )?;
/// let s = board.get(Square::new(3, 2)).expect("a tile lies there");
/// assert!(s.is_blank());
/// assert!(board.has_neighbour(Square::new(4, 2)));
/// assert_eq!(Square::new(2, 1).step(Direction::Down, 3, board.dim()), None);
/// assert_eq!(board.picture(&english), ".....\n.....\n.CAT.\n..s..\n.....\n");
/// # Ok::<(), tilewright::rules::board::BoardTextError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    dim: usize,
    squares: Vec<Option<Placed>>,
}

impl Board {
    /// A board without tiles.
    pub fn empty(dim: usize) -> Board {
        Board { dim, squares: vec![None; dim * dim] }
    }

    /// Reads a picture: a row a line, `.` for an empty square, capitals for tiles, small letters for blanks, `[CH]` for one tile of
    /// several characters. Blanks around a row and empty lines are skipped.
    ///
    /// # Errors
    /// The row and column of the first thing that is no square, or a row of another length than the number of rows.
    pub fn parse(picture: &str, distribution: &LetterDistribution) -> Result<Board, BoardTextError> {
        let rows: Vec<&str> = picture.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
        let dim = rows.len();
        let mut squares = Vec::with_capacity(dim * dim);
        for (row, text) in (1..).zip(rows) {
            let tiles = distribution.parse_squares(text).map_err(|error| BoardTextError::Tile { row, error })?;
            if tiles.len() != dim {
                return Err(BoardTextError::RowLength { row, found: tiles.len(), expected: dim });
            }
            squares.extend(tiles);
        }
        Ok(Board { dim, squares })
    }

    /// The picture that [`Board::parse`] reads.
    pub fn picture(&self, distribution: &LetterDistribution) -> String {
        let mut picture = String::new();
        for row in self.squares.chunks(self.dim.max(1)) {
            for square in row {
                match square {
                    Some(tile) => distribution.write_placed(*tile, &mut picture),
                    None => picture.push('.'),
                }
            }
            picture.push('\n');
        }
        picture
    }

    /// Rows, and columns.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// The tile on a square.
    pub fn get(&self, square: Square) -> Option<Placed> {
        self.squares[square.index(self.dim)]
    }

    /// Puts a tile on a square or takes it off.
    pub fn set(&mut self, square: Square, tile: Option<Placed>) {
        self.squares[square.index(self.dim)] = tile;
    }

    /// Whether there is no tile at all.
    pub fn is_empty(&self) -> bool {
        self.squares.iter().all(Option::is_none)
    }

    /// The tiles on the board, row by row.
    pub fn tiles(&self) -> impl Iterator<Item = (Square, Placed)> + '_ {
        Square::all(self.dim).filter_map(|square| self.get(square).map(|tile| (square, tile)))
    }

    /// Whether a square beside this one holds a tile.
    pub fn has_neighbour(&self, square: Square) -> bool {
        Direction::ALL
            .iter()
            .flat_map(|&direction| [square.step(direction, -1, self.dim), square.step(direction, 1, self.dim)])
            .flatten()
            .any(|neighbour| self.get(neighbour).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::letter_distribution;

    #[test]
    fn a_picture_is_read_as_it_is_drawn() {
        let spanish = letter_distribution::parse("mini", "?,?,2,0,0\nA,a,12,1,1\nCH,ch,1,5,0\n").unwrap();
        let picture = "...\n[CH]Aa\n.[ch].\n";
        let board = Board::parse(picture, &spanish).unwrap();
        assert_eq!(board.picture(&spanish), picture);
        let across: Vec<bool> = (0..3).map(|col| board.get(Square::new(1, col)).unwrap().is_blank()).collect();
        assert_eq!(across, [false, false, true]);
        let message = |picture| Board::parse(picture, &spanish).unwrap_err().to_string();
        assert_eq!(message("..\nAA.\n"), "row 2 has 3 squares, expected 2");
        assert_eq!(message("..\n.B\n"), "row 2, column 2: \"B\" is not a tile of the mini alphabet");
    }
}
