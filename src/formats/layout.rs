//! Board layouts as text: one row a line, one character a square; the number of lines is the size.
//!
//! `.` plain, `'` `"` `^` letter x2 x3 x4, `-` `=` `~` word x2 x3 x4, and `*` the start square, which is a word x2
//! (`+`: a plain start square). Lines that begin with `#` are skipped. Not here: what a board must be (`rules/layout.rs`). Start
//! with [`parse`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::rules::Square;
use crate::rules::layout::{Layout, LayoutError, Premium};
use thiserror::Error;

const STANDARD: &str = include_str!("data/standard15.txt");

/// Why a text is no layout.
#[derive(Debug, Error, PartialEq, Eq)]
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
    /// No start square, or two.
    #[error("{found} start squares (* or +), expected 1")]
    StartSquares {
        /// Their number.
        found: usize,
    },
    /// The rows together are no board.
    #[error(transparent)]
    Layout(#[from] LayoutError),
}

/// The standard 15x15 board.
#[allow(clippy::expect_used, reason = "a part of the program, not an input; a test reads it")]
pub fn standard() -> Layout {
    parse("standard15", STANDARD).expect("the built-in layout is well-formed")
}

/// Reads a layout called `name`.
///
/// # Errors
/// The line and column that cannot be read, or why the rows are no board.
pub fn parse(name: &str, text: &str) -> Result<Layout, LayoutTextError> {
    let mut rows: Vec<Vec<Premium>> = Vec::new();
    let mut starts = Vec::new();
    for (index, content) in text.lines().enumerate().filter(|(_, content)| !content.starts_with('#') && !content.trim().is_empty()) {
        let mut row = Vec::new();
        for (col, found) in content.trim_end().chars().enumerate() {
            if matches!(found, '*' | '+') {
                starts.push(Square::new(rows.len().min(255), col.min(255)));
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
    }
    let &[start] = starts.as_slice() else {
        return Err(LayoutTextError::StartSquares { found: starts.len() });
    };
    Ok(Layout::new(name, &rows, start)?)
}

/// The character of a premium square in a layout file.
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
        let standard = standard();
        let count = |wanted| Square::all(15).filter(|&square| standard.premium(square) == wanted).count();
        assert!(standard.is_symmetric());
        assert_eq!(standard.start(), Square::new(7, 7));
        assert_eq!([Premium::Word(3), Premium::Word(2), Premium::Letter(3), Premium::Letter(2)].map(count), [8, 17, 12, 24]);
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
        assert_eq!(message("..\n.."), "0 start squares (* or +), expected 1");
        assert_eq!(message("*.\n..."), "row 2 has 3 squares, expected 2");
        assert_eq!(message(&format!("*{}", ".\n".repeat(22))), "22 rows, a board has 2 to 21");
    }
}
