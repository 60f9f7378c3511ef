//! Board layouts as text: one row a line, one character a square; the number of lines is the size.
//!
//! `.` plain, `'` `"` `^` letter x2 x3 x4, `-` `=` `~` word x2 x3 x4, and `*` the start square, which is a word x2
//! (`+`: a plain start square). Lines that begin with `#` are skipped. Not here: what a board must be (`rules/layout.rs`). Start
//! with [`parse`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::rules::Square;
use crate::rules::layout::{Layout, LayoutError, MAX_DIM, Premium};
use thiserror::Error;

const STANDARD: &str = include_str!("data/standard15.txt");
const SUPER: &str = include_str!("data/super21.txt");
const CROSSPLAY: &str = include_str!("data/crossplay15.txt");

/// Why a text is not a layout.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum LayoutTextError {
    /// An unknown character.
    #[error("line {line}, column {column}: {found:?} is none of . ' \" ^ - = ~ * +")]
    BadSquare {
        /// 1-based line.
        line: usize,
        /// 1-based column.
        column: usize,
        /// The character.
        found: char,
    },
    /// No start square.
    #[error("no start square (* or +) up to line {line}, the last one")]
    NoStart {
        /// 1-based line.
        line: usize,
    },
    /// More than one start square.
    #[error("line {line}, column {column}: a second start square, expected 1")]
    SecondStart {
        /// 1-based line.
        line: usize,
        /// 1-based column.
        column: usize,
    },
    /// Not a square board.
    #[error("line {line}, column {column}: a row of {found} squares, expected {expected}, as many as there are rows")]
    NotSquare {
        /// 1-based line.
        line: usize,
        /// 1-based column: the first square too many, or the one after the last.
        column: usize,
        /// Squares in the row.
        found: usize,
        /// Rows.
        expected: usize,
    },
    /// Rows that together are not a board.
    #[error(transparent)]
    Layout(#[from] LayoutError),
}

/// Names under which the standard board is known.
pub const STANDARD_NAMES: [&str; 3] = ["standard15", "standard", "CrosswordGame"];

/// Names under which the board of 200 tiles is known.
pub const SUPER_NAMES: [&str; 3] = ["super21", "super", "SuperCrosswordGame"];

/// Names under which the board of Crossplay is known.
pub const CROSSPLAY_NAMES: [&str; 3] = ["crossplay15", "crossplay", "CrossplayGame"];

impl Layout {
    /// Returns the standard 15x15 board.
    #[allow(clippy::expect_used, reason = "a part of the program, not an input; a test reads it")]
    pub fn standard() -> Layout {
        parse("standard15", STANDARD).expect("the built-in layout is well-formed")
    }

    /// Returns the 21x21 board of 200 tiles.
    #[allow(clippy::expect_used, reason = "a part of the program, not an input; a test reads it")]
    pub fn super21() -> Layout {
        parse("super21", SUPER).expect("the built-in layout is well-formed")
    }

    /// Returns the 15x15 board of Crossplay.
    #[allow(clippy::expect_used, reason = "a part of the program, not an input; a test reads it")]
    pub fn crossplay15() -> Layout {
        parse("crossplay15", CROSSPLAY).expect("the built-in layout is well-formed")
    }

    /// Returns a built-in layout by one of its names, in any case.
    pub fn built_in(name: &str) -> Option<Layout> {
        let is_among = |names: [&str; 3]| names.iter().any(|known| name.eq_ignore_ascii_case(known));
        match () {
            () if is_among(STANDARD_NAMES) => Some(Layout::standard()),
            () if is_among(SUPER_NAMES) => Some(Layout::super21()),
            () => is_among(CROSSPLAY_NAMES).then(Layout::crossplay15),
        }
    }
}

/// Reads a layout called `name`.
///
/// # Errors
/// The line and column that cannot be read, or why the rows are not a board.
pub fn parse(name: &str, text: &str) -> Result<Layout, LayoutTextError> {
    let mut rows: Vec<Vec<Premium>> = Vec::new();
    let (mut start, mut lines) = (None, Vec::new());
    for (index, content) in text.lines().enumerate().filter(|(_, content)| !content.starts_with('#') && !content.trim().is_empty()) {
        let mut row = Vec::new();
        for (col, found) in content.trim_end().chars().enumerate() {
            if matches!(found, '*' | '+') {
                if start.is_some() {
                    return Err(LayoutTextError::SecondStart { line: index + 1, column: col + 1 });
                }
                start = Some(Square::at(rows.len().min(255), col.min(255)));
            }
            row.push(match found {
                '.' | '+' => Premium::None,
                '\'' => Premium::Letter(2),
                '"' => Premium::Letter(3),
                '^' => Premium::Letter(4),
                '-' | '*' => Premium::Word(2),
                '=' => Premium::Word(3),
                '~' => Premium::Word(4),
                _ => return Err(LayoutTextError::BadSquare { line: index + 1, column: col + 1, found }),
            });
        }
        rows.push(row);
        lines.push(index + 1);
    }
    let expected = rows.len();
    // A wrong number of rows is reported as such.
    if (2..=MAX_DIM).contains(&expected)
        && let Some((&line, row)) = lines.iter().zip(&rows).find(|(_, row)| row.len() != expected)
    {
        return Err(LayoutTextError::NotSquare { line, column: row.len().min(expected) + 1, found: row.len(), expected });
    }
    let Some(start) = start else {
        return Err(LayoutTextError::NoStart { line: lines.last().copied().unwrap_or(1) });
    };
    Ok(Layout::new(name, &rows, start)?)
}

/// Returns the character of a premium square in a layout file.
pub fn premium_char(premium: Premium) -> char {
    match premium {
        Premium::None => '.',
        Premium::Letter(2) => '\'',
        Premium::Letter(3) => '"',
        Premium::Letter(_) => '^',
        Premium::Word(2) => '-',
        Premium::Word(3) => '=',
        Premium::Word(_) => '~',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_board_is_symmetric_with_61_premium_squares() {
        let standard = Layout::standard();
        let count = |wanted| Square::all(15).filter(|&square| standard.premium(square) == wanted).count();
        assert!(standard.is_symmetric());
        assert_eq!(standard.start(), Square::new(7, 7));
        assert_eq!([Premium::Word(3), Premium::Word(2), Premium::Letter(3), Premium::Letter(2)].map(count), [8, 17, 12, 24]);
    }

    #[test]
    fn the_middle_of_the_super_board_is_the_standard_board() {
        let (standard, large) = (Layout::standard(), Layout::super21());
        assert!(large.is_symmetric() && large.dim() == 21 && large.start() == Square::new(10, 10));
        for square in Square::all(15) {
            assert_eq!(large.premium(Square::new(square.row + 3, square.col + 3)), standard.premium(square));
        }
        let count = |wanted| Square::all(21).filter(|&square| large.premium(square) == wanted).count();
        assert_eq!([Premium::Word(4), Premium::Letter(4)].map(count), [4, 8]);
    }

    #[test]
    fn the_board_of_crossplay_is_symmetric_with_56_premium_squares_and_a_plain_start() {
        let board = Layout::crossplay15();
        let count = |wanted| Square::all(15).filter(|&square| board.premium(square) == wanted).count();
        assert!(board.is_symmetric() && board.start() == Square::new(7, 7) && board.premium(board.start()) == Premium::None);
        assert_eq!([Premium::Word(3), Premium::Word(2), Premium::Letter(3), Premium::Letter(2)].map(count), [8, 8, 20, 20]);
    }

    #[test]
    fn other_sizes_load_and_errors_name_the_place() {
        let big = parse(
            "21",
            &format!("{}{}{}", "~....................\n".repeat(10), "..........+..........\n", ".....................\n".repeat(10)),
        );
        assert_eq!(big.unwrap().dim(), 21);
        let message = |text| parse("x", text).unwrap_err().to_string();
        assert_eq!(message("*.\n.x"), "line 2, column 2: 'x' is none of . ' \" ^ - = ~ * +");
        assert_eq!(message("# x\n..\n.."), "no start square (* or +) up to line 3, the last one");
        assert_eq!(message("*.\n.+"), "line 2, column 2: a second start square, expected 1");
        assert_eq!(message("*.\n..."), "line 2, column 3: a row of 3 squares, expected 2, as many as there are rows");
        assert_eq!(message("*.\n\n.\n"), "line 3, column 2: a row of 1 squares, expected 2, as many as there are rows");
        assert_eq!(message(&format!("*{}", ".\n".repeat(22))), "the board has 22 rows, expected 2 to 21");
    }
}
