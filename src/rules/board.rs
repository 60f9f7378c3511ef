//! Squares, directions and the tiles on the board.
//!
//! Not here: premium squares (`layout.rs`) and the generator's own view with cross checks (`movegen/`).

use crate::rules::tiles::Placed;

/// A square by 0-based row and column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square {
    /// 0 for the top row.
    pub row: u8,
    /// 0 for the leftmost column.
    pub col: u8,
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

/// The tiles on a board, without premium squares.
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
