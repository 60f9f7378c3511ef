//! Letter distributions as text: one tile a line, `face,blank face,count,value,vowel`, the blank first as `?`.
//!
//! Empty lines and lines that begin with `#` are skipped. The order of the lines is the order of the alphabet.

use crate::rules::distribution::{DistributionError, LetterDistribution, TileSpec};
use thiserror::Error;

const ENGLISH: &str = include_str!("data/english.csv");

/// Why a text is no letter distribution.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum LetterDistributionError {
    /// A line without five fields.
    #[error("line {line}: {found} fields, expected 5: face,blank face,count,value,vowel")]
    Fields {
        /// 1-based line.
        line: usize,
        /// Fields found.
        found: usize,
    },
    /// A field that is no number.
    #[error("line {line}, column {column}: {found:?} is not {expected}")]
    BadNumber {
        /// 1-based line.
        line: usize,
        /// 1-based column of the field.
        column: usize,
        /// The field.
        found: String,
        /// What is wanted.
        expected: &'static str,
    },
    /// No line for the blank, or not first.
    #[error("line {line}: the first tile must be the blank, `?`")]
    BlankNotFirst {
        /// 1-based line.
        line: usize,
    },
    /// The lines together are no alphabet.
    #[error(transparent)]
    Alphabet(#[from] DistributionError),
}

/// The English tiles: 98 letters and 2 blanks.
pub fn english() -> LetterDistribution {
    parse("english", ENGLISH).expect("the built-in distribution is well-formed")
}

/// Reads a distribution called `name`.
///
/// # Errors
/// The line and column that cannot be read, or why the lines are no alphabet.
pub fn parse(name: &str, text: &str) -> Result<LetterDistribution, LetterDistributionError> {
    let mut specs = Vec::new();
    for (index, content) in text.lines().enumerate() {
        let line = index + 1;
        if content.trim().is_empty() || content.starts_with('#') {
            continue;
        }
        let fields: Vec<&str> = content.split(',').map(str::trim).collect();
        let &[face, blank_face, count, value, vowel] = fields.as_slice() else {
            return Err(LetterDistributionError::Fields { line, found: fields.len() });
        };
        let bad = |found: &str, expected| {
            let column = content.find(found).map_or(1, |at| content[..at].chars().count() + 1);
            LetterDistributionError::BadNumber { line, column, found: found.to_string(), expected }
        };
        if specs.is_empty() && face != "?" {
            return Err(LetterDistributionError::BlankNotFirst { line });
        }
        specs.push(TileSpec {
            face: face.to_string(),
            blank_face: blank_face.to_string(),
            count: count.parse().map_err(|_| bad(count, "a count from 0 to 255"))?,
            value: value.parse::<u8>().map(i32::from).map_err(|_| bad(value, "a number of points from 0 to 255"))?,
            is_vowel: match vowel {
                "0" => false,
                "1" => true,
                _ => return Err(bad(vowel, "0 (consonant) or 1 (vowel)")),
            },
        });
    }
    if specs.is_empty() {
        return Err(DistributionError::Empty.into());
    }
    let blank = specs.remove(0);
    Ok(LetterDistribution::new(name, blank, specs)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Tile;

    #[test]
    fn english_has_a_hundred_tiles_worth_187() {
        let english = english();
        assert_eq!(english.total(), 100);
        assert_eq!(english.letter_count(), 26);
        let points: i32 = english.tiles().map(|tile| english.value(tile) * i32::from(english.count(tile))).sum();
        assert_eq!(points, 187);
        assert_eq!(english.count(Tile::BLANK), 2);
    }

    #[test]
    fn letters_of_two_characters_are_read_and_written_in_brackets() {
        let spanish = parse("mini", "?,?,2,0,0\nA,a,12,1,1\nCH,ch,1,5,0\nC,c,4,3,0\n").unwrap();
        let placed = spanish.parse_placed("[CH]A[ch]ac").unwrap();
        let mut text = String::new();
        placed.iter().for_each(|&tile| spanish.write_placed(tile, &mut text));
        assert_eq!(text, "[CH]A[ch]ac");
        assert_eq!(spanish.tiles_text(spanish.parse_tiles("?[ch]A").unwrap()), "?[CH]A");
        assert_eq!(spanish.parse_placed("A[LL]").unwrap_err().to_string(), "column 2: \"[LL]\" is not a tile of the mini alphabet");
        assert_eq!(spanish.parse_placed("A[CH").unwrap_err().column, 2);
    }

    #[test]
    fn errors_name_the_line_and_column() {
        let message = |text| parse("x", text).unwrap_err().to_string();
        assert_eq!(message("?,?,2,0,0\nA,a,nine,1,1"), "line 2, column 5: \"nine\" is not a count from 0 to 255");
        // Move generation keeps values in a byte: 300 points would count as 255 there, and as 300 for the referee.
        assert_eq!(message("?,?,2,0,0\nA,a,9,300,1"), "line 2, column 7: \"300\" is not a number of points from 0 to 255");
        assert_eq!(message("?,?,2,-1,0\nA,a,9,1,1"), "line 1, column 7: \"-1\" is not a number of points from 0 to 255");
        assert_eq!(message("?,?,2,0,0\n\nA,a,9"), "line 3: 3 fields, expected 5: face,blank face,count,value,vowel");
        assert_eq!(message("A,a,9,1,1"), "line 1: the first tile must be the blank, `?`");
        assert_eq!(message("?,?,2,0,0"), "no letters");
        assert!(message("?,?,2,0,0\nA,A,9,1,1").contains("used twice"));
    }
}
