//! The board's premium squares and start square, for any size up to [`MAX_DIM`].
//!
//! Not here: the file format (`formats/layout.rs`) and the tiles on the board (`board.rs`). Start with [`Layout`].

use crate::rules::board::Square;
use thiserror::Error;

pub use crate::rules::board::MAX_DIM;

/// What a square multiplies when a tile is placed on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Premium {
    /// Nothing.
    #[default]
    None,
    /// The tile's value, by this factor (2 to 4).
    Letter(u8),
    /// The word's value, by this factor (2 to 4).
    Word(u8),
}

impl Premium {
    /// Factor for the tile's value.
    pub const fn letter_factor(self) -> i32 {
        match self {
            Premium::Letter(factor) => factor as i32,
            _ => 1,
        }
    }

    /// Factor for the word's value.
    pub const fn word_factor(self) -> i32 {
        match self {
            Premium::Word(factor) => factor as i32,
            _ => 1,
        }
    }
}

/// Why rows of premium squares are not a layout.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum LayoutError {
    /// Too small or too large.
    #[error("the board has {found} rows, expected 2 to {MAX_DIM}")]
    BadSize {
        /// Rows given.
        found: usize,
    },
    /// Not a square board.
    #[error("row {row} has {found} squares, expected {expected}")]
    BadRow {
        /// 1-based row.
        row: usize,
        /// Squares in it.
        found: usize,
        /// Squares wanted, the number of rows.
        expected: usize,
    },
    /// The start square is off the board.
    #[error("the start square is off the board")]
    BadStart,
}

/// A square board's premium squares.
///
/// ```
/// use tilewright::formats::layout;
/// use tilewright::rules::Square;
/// use tilewright::rules::layout::Premium;
///
/// // One character a square: `'` and `"` multiply the letter by 2 and 3, `-` and `=` the word; `*` is the start.
/// let small = layout::parse(
///     "small",
///     "=...=\n\
///      .'.'.\n\
///      ..*..\n\
///      .'.'.\n\
///      =...=\n",
/// )?;
/// assert_eq!((small.dim(), small.start()), (5, Square::new(2, 2)));
/// assert_eq!(small.premium(Square::new(1, 3)), Premium::Letter(2));
/// assert_eq!(small.premium(small.start()).word_factor(), 2);
/// assert!(small.is_symmetric());
/// # Ok::<(), layout::LayoutTextError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    name: String,
    dim: usize,
    premiums: Vec<Premium>,
    start: Square,
}

impl Layout {
    /// Builds a layout from rows of premium squares.
    ///
    /// # Errors
    /// Sizes outside `2..=MAX_DIM`, rows whose length is not the number of rows, a start square off the board.
    pub fn new(name: &str, rows: &[Vec<Premium>], start: Square) -> Result<Layout, LayoutError> {
        let dim = rows.len();
        if !(2..=MAX_DIM).contains(&dim) {
            return Err(LayoutError::BadSize { found: dim });
        }
        if let Some((row, squares)) = rows.iter().enumerate().find(|(_, squares)| squares.len() != dim) {
            return Err(LayoutError::BadRow { row: row + 1, found: squares.len(), expected: dim });
        }
        if start.row as usize >= dim || start.col as usize >= dim {
            return Err(LayoutError::BadStart);
        }
        Ok(Layout { name: name.to_string(), dim, premiums: rows.concat(), start })
    }

    /// Name, as in the CGP opcode `bdn`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether both have the same premium squares and start. Names are not compared.
    pub fn has_same_squares(&self, other: &Layout) -> bool {
        (self.dim, self.start, &self.premiums) == (other.dim, other.start, &other.premiums)
    }

    /// The number of rows, which is also the number of columns.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// The premium of a square.
    pub fn premium(&self, square: Square) -> Premium {
        self.premiums[square.index(self.dim)]
    }

    /// The square that the first play must cover.
    pub fn start(&self) -> Square {
        self.start
    }

    /// Whether swapping rows and columns changes nothing. If so, a first play down is the mirror image of one across.
    pub fn is_symmetric(&self) -> bool {
        self.start.row == self.start.col && Square::all(self.dim).all(|square| self.premium(square) == self.premium(square.transposed()))
    }
}
