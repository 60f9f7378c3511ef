//! Squares, directions and the tiles on the board.
//!
//! Not here: premium squares (`layout.rs`) and the generator's own view with cross checks (`movegen/`).
//! Start with [`Square`] and [`Board`].

use crate::rules::distribution::{LetterDistribution, TileTextError};
use crate::rules::tiles::Placed;
use std::fmt;
use thiserror::Error;

/// The largest number of rows and columns.
pub const MAX_DIM: usize = 21;

/// A square by 0-based row and column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square {
    /// 0 for the top row.
    pub row: u8,
    /// 0 for the leftmost column.
    pub col: u8,
}

impl fmt::Display for Square {
    /// `8H`, as players name it. After Z come AA, AB and so on.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}{}", self.row_text(), self.column_text()))
    }
}

impl Square {
    /// The square in this row and column, from 0.
    pub const fn new(row: u8, col: u8) -> Square {
        Square { row, col }
    }

    /// The square in this row and column, whose numbers are known to fit a board.
    pub(crate) const fn at(row: usize, col: usize) -> Square {
        debug_assert!(row <= u8::MAX as usize && col <= u8::MAX as usize);
        Square { row: row as u8, col: col as u8 }
    }

    /// The row as players number it, from 1.
    pub(crate) fn row_text(self) -> String {
        (u16::from(self.row) + 1).to_string()
    }

    /// The column as players name it: A to Z, then AA, AB and so on.
    pub(crate) fn column_text(self) -> String {
        let (mut text, mut rest) = (String::new(), u16::from(self.col) + 1);
        while rest > 0 {
            text.insert(0, char::from(b'A' + ((rest - 1) % 26) as u8));
            rest = (rest - 1) / 26;
        }
        text
    }

    /// Row-major index on a board of `dim` columns.
    pub const fn index(self, dim: usize) -> usize {
        self.row as usize * dim + self.col as usize
    }

    /// The square with row and column swapped.
    pub const fn transposed(self) -> Square {
        Square { row: self.col, col: self.row }
    }

    /// All squares of a board, row by row. A board has at most [`MAX_DIM`] rows.
    pub fn all(dim: usize) -> impl Iterator<Item = Square> {
        let dim = dim.min(MAX_DIM) as u8;
        (0..dim).flat_map(move |row| (0..dim).map(move |col| Square::new(row, col)))
    }

    /// The square `steps` further in a direction (negative: back), or `None` off a board of `dim` rows.
    pub fn step(self, direction: Direction, steps: isize, dim: usize) -> Option<Square> {
        let (row, col) = match direction {
            Direction::Across => (self.row as isize, (self.col as isize).saturating_add(steps)),
            Direction::Down => ((self.row as isize).saturating_add(steps), self.col as isize),
        };
        let on_board = |x: isize| (0..dim.min(MAX_DIM) as isize).contains(&x);
        (on_board(row) && on_board(col)).then(|| Square::at(row as usize, col as usize))
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

/// Why a picture is not a board.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
#[non_exhaustive]
pub enum BoardTextError {
    /// Something that is neither a tile nor an empty square.
    #[error("row {row}, {error}")]
    Tile {
        /// 1-based row.
        row: usize,
        /// Where in the row, and what.
        error: TileTextError,
    },
    /// More rows than a board has.
    #[error("the board has {found} rows, but at most {MAX_DIM} are possible")]
    TooManyRows {
        /// Rows of the picture.
        found: usize,
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
/// let english = GameRules::english().distribution.clone();
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
    /// A board without tiles, of this many rows and columns.
    ///
    /// # Panics
    /// If there are more than [`MAX_DIM`] of them.
    pub fn empty(dim: usize) -> Board {
        assert!(dim <= MAX_DIM, "a board has at most {MAX_DIM} rows, not {dim}");
        Board { dim, squares: vec![None; dim * dim] }
    }

    /// Reads a picture: a row a line, `.` for an empty square, capitals for tiles, small letters for blanks, `[CH]` for one tile of
    /// several characters. White space around a row and empty lines are skipped.
    ///
    /// # Errors
    /// The row and column of the first thing that is not a square, a row whose length is not the number of rows, or more than [`MAX_DIM`] rows.
    pub fn parse(picture: &str, distribution: &LetterDistribution) -> Result<Board, BoardTextError> {
        let rows: Vec<&str> = picture.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
        let dim = rows.len();
        if dim > MAX_DIM {
            return Err(BoardTextError::TooManyRows { found: dim });
        }
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

    /// The number of rows, which is also the number of columns.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// The tile on a square; `None` if the square is empty or off the board.
    pub fn get(&self, square: Square) -> Option<Placed> {
        if self.has(square) { self.squares[square.index(self.dim)] } else { None }
    }

    /// Puts a tile on a square or takes it off.
    ///
    /// # Panics
    /// If the square is not on the board.
    pub fn set(&mut self, square: Square, tile: Option<Placed>) {
        assert!(self.has(square), "{square} is not on a board of {} rows", self.dim);
        self.squares[square.index(self.dim)] = tile;
    }

    /// Whether the square is on the board.
    fn has(&self, square: Square) -> bool {
        usize::from(square.row) < self.dim && usize::from(square.col) < self.dim
    }

    /// Whether there is no tile at all.
    pub fn is_empty(&self) -> bool {
        self.squares.iter().all(Option::is_none)
    }

    /// The tiles on the board, row by row.
    pub fn tiles(&self) -> impl Iterator<Item = (Square, Placed)> + '_ {
        Square::all(self.dim).zip(&self.squares).filter_map(|(square, tile)| Some((square, (*tile)?)))
    }

    /// Whether a square next to this one holds a tile.
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
        assert_eq!(message(&".\n".repeat(22)), "the board has 22 rows, but at most 21 are possible");
    }

    #[test]
    fn a_square_has_the_name_by_which_it_is_read() {
        for (row, col, name) in [(7, 7, "8H"), (7, 60, "8BI"), (255, 255, "256IV"), (0, 25, "1Z"), (20, 26, "21AA")] {
            assert_eq!(Square::new(row, col).to_string(), name);
        }
    }

    #[test]
    fn off_the_board_there_is_no_tile() {
        let board = Board::parse("AA\nAA\n", &LetterDistribution::english()).unwrap();
        assert_eq!([(0, 2), (2, 0), (255, 255)].map(|(row, col)| board.get(Square::new(row, col))), [None; 3]);
        assert_eq!(Square::new(1, 1).step(Direction::Across, isize::MAX, usize::MAX), None);
    }

    #[test]
    #[should_panic(expected = "1C is not on a board of 2 rows")]
    fn a_tile_cannot_be_put_beside_the_board() {
        Board::empty(2).set(Square::new(0, 2), None);
    }

    #[test]
    #[should_panic(expected = "a board has at most 21 rows, not 22")]
    fn a_board_has_no_more_rows_than_plays_can_cover() {
        Board::empty(22);
    }
}
