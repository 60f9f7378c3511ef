//! Letter distributions as CSV: one tile a line, the blank first as `?`.
//!
//! | fields | form | whose |
//! |---|---|---|
//! | 5 | `face,blank face,count,value,vowel` | this program, MAGPIE |
//! | 7 | the same, then two faces of full width for drawing boards, which are not used | MAGPIE |
//! | 4 | `face,count,value,vowel`: the face of a blank is that of the letter in lower case | macondo, Woogles |
//!
//! A letter of several characters may be in brackets: `[CH]`. A letter with a count of 0 is played with blanks alone. The order of the
//! lines is the order of the alphabet. Empty lines and lines that begin with `#` are skipped, except `# tiles 100`, which states the
//! total number of tiles: the counts must add up to it. The letters of several languages are built in, see
//! [`LetterDistribution::built_in`]. Not here: what an alphabet must be (`rules/distribution.rs`). Start with [`parse`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::formats::csv_rows::{self, CsvField, CsvRow};
use crate::rules::distribution::{DistributionError, LetterDistribution, TileSpec};
use crate::rules::grammar::TextPlace;
use std::sync::LazyLock;
use thiserror::Error;

const ENGLISH: &str = include_str!("data/english.csv");

/// The built-in letters, by name.
const BUILT_IN: [(&str, &str); 14] = [
    ("english", ENGLISH),
    ("english_super", include_str!("data/english_super.csv")),
    ("english_crossplay", include_str!("data/english_crossplay.csv")),
    ("catalan", include_str!("data/catalan.csv")),
    ("danish", include_str!("data/danish.csv")),
    ("dutch", include_str!("data/dutch.csv")),
    ("french", include_str!("data/french.csv")),
    ("german", include_str!("data/german.csv")),
    ("italian", include_str!("data/italian.csv")),
    ("norwegian", include_str!("data/norwegian.csv")),
    ("polish", include_str!("data/polish.csv")),
    ("portuguese", include_str!("data/portuguese.csv")),
    ("spanish", include_str!("data/spanish.csv")),
    ("swedish", include_str!("data/swedish.csv")),
];

/// The beginning of the line that states the total number of tiles.
const TOTAL: &str = "# tiles ";

/// Why a text is not a letter distribution.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum LetterDistributionError {
    /// A line in none of the forms.
    #[error(
        "line {line}: {found} fields, expected 5 (face,blank face,count,value,vowel), 7 (the same with two wide faces, as MAGPIE has them) \
         or 4 (face,count,value,vowel, as Woogles has them)"
    )]
    Fields {
        /// 1-based line.
        line: usize,
        /// Fields found.
        found: usize,
    },
    /// A field that is not a number.
    #[error("line {line}, column {column}: {found:?} is not {expected}")]
    BadNumber {
        /// 1-based line.
        line: usize,
        /// 1-based column of the field.
        column: usize,
        /// The field.
        found: String,
        /// The expected text.
        expected: &'static str,
    },
    /// The blank is missing, or not first.
    #[error("line {line}: the first tile must be the blank, `?`")]
    BlankNotFirst {
        /// 1-based line.
        line: usize,
    },
    /// The counts do not add up to the stated number of tiles.
    #[error("line {line}, column {column}: {stated} tiles are stated, but the counts add up to {found}")]
    Total {
        /// 1-based line.
        line: usize,
        /// 1-based column of the number.
        column: usize,
        /// Tiles counted.
        found: usize,
        /// The stated number.
        stated: usize,
    },
    /// Lines that together are not an alphabet.
    #[error(transparent)]
    Alphabet(#[from] DistributionError),
}

impl LetterDistribution {
    /// Returns the English tiles: 98 letters and 2 blanks.
    #[allow(clippy::expect_used, reason = "a part of the program, not an input; a test reads it")]
    pub fn english() -> LetterDistribution {
        // Read only once, since conversions of single words use it.
        static READ: LazyLock<LetterDistribution> =
            LazyLock::new(|| parse("english", ENGLISH).expect("the built-in distribution is well-formed"));
        READ.clone()
    }

    /// Returns built-in letters by their name, in any case: `spanish`.
    #[allow(clippy::expect_used, reason = "parts of the program, not inputs; a test reads them all")]
    pub fn built_in(name: &str) -> Option<LetterDistribution> {
        let (name, text) = BUILT_IN.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
        Some(parse(name, text).expect("the built-in distributions are well-formed"))
    }
}

/// Returns the names of the built-in letters.
pub fn built_in_names() -> impl Iterator<Item = &'static str> {
    BUILT_IN.iter().map(|&(name, _)| name)
}

/// Reads a distribution called `name`.
///
/// ```
/// use tilewright::formats::letter_distribution::parse;
///
/// let two_letters = parse("mini", "?,?,1,0,0\nA,a,6,1,1\nCH,ch,6,5,0\n")?;
/// assert_eq!((two_letters.letter_count(), two_letters.total()), (2, 13));
/// assert_eq!(two_letters.tiles_text(two_letters.parse_tiles("A[CH]?").unwrap()), "A[CH]?");
///
/// let error = parse("mini", "?,?,1,0,0\nA,a,six,1,1\n").unwrap_err();
/// assert_eq!(error.to_string(), "line 2, column 5: \"six\" is not a count from 0 to 255");
/// # Ok::<(), tilewright::formats::letter_distribution::LetterDistributionError>(())
/// ```
///
/// # Errors
/// The line and column that cannot be read, or why the lines are not an alphabet.
pub fn parse(name: &str, text: &str) -> Result<LetterDistribution, LetterDistributionError> {
    let mut specs = Vec::new();
    for row in csv_rows::rows(text) {
        specs.push(tile_spec(&row, specs.is_empty())?);
    }
    if specs.is_empty() {
        return Err(DistributionError::Empty.into());
    }
    let blank = specs.remove(0);
    let distribution = LetterDistribution::new(name, blank, specs)?;
    for (index, line) in text.lines().enumerate() {
        let stated = line.strip_prefix(TOTAL).and_then(|number| number.trim().parse().ok());
        if let Some(stated) = stated.filter(|&stated| stated != distribution.total()) {
            let column = TOTAL.len() + 1;
            return Err(LetterDistributionError::Total { line: index + 1, column, found: distribution.total(), stated });
        }
    }
    Ok(distribution)
}

/// The tile of a row; the first one must be the blank.
fn tile_spec(row: &CsvRow, is_first: bool) -> Result<TileSpec, LetterDistributionError> {
    let fields: Vec<CsvField<'_>> = row.fields().collect();
    let (face, blank_face, count, value, vowel) = match *fields.as_slice() {
        [face, blank_face, count, value, vowel] | [face, blank_face, count, value, vowel, _, _] => {
            (face, Some(blank_face), count, value, vowel)
        }
        [face, count, value, vowel] => (face, None, count, value, vowel),
        _ => return Err(LetterDistributionError::Fields { line: row.line, found: fields.len() }),
    };
    if is_first && face.text != "?" {
        return Err(LetterDistributionError::BlankNotFirst { line: row.line });
    }
    let without_brackets = |field: CsvField<'_>| {
        let inside = field.text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        inside.unwrap_or(field.text).to_string()
    };
    Ok(TileSpec {
        face: without_brackets(face),
        blank_face: blank_face.map_or_else(|| without_brackets(face).to_lowercase(), without_brackets),
        count: count.text.parse().map_err(|_| bad_number(count, "a count from 0 to 255"))?,
        value: points(value.text).ok_or_else(|| bad_number(value, "a number of points from 0 to 1000"))?,
        is_vowel: match vowel.text {
            "0" => false,
            "1" => true,
            _ => return Err(bad_number(vowel, "0 (consonant) or 1 (vowel)")),
        },
    })
}

/// Reads the points of a tile, if a tile may have them.
fn points(text: &str) -> Option<i32> {
    text.parse().ok().filter(|points| TileSpec::VALUES.contains(points))
}

fn bad_number(field: CsvField<'_>, expected: &'static str) -> LetterDistributionError {
    let TextPlace { line, column } = field.place;
    LetterDistributionError::BadNumber { line, column, found: field.text.to_string(), expected }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Tile;

    #[test]
    fn english_has_a_hundred_tiles_worth_187() {
        let english = LetterDistribution::english();
        assert_eq!(english.total(), 100);
        assert_eq!(english.letter_count(), 26);
        let points: i32 = english.tiles().map(|tile| english.value(tile) * i32::from(english.count(tile))).sum();
        assert_eq!(points, 187);
        assert_eq!(english.count(Tile::BLANK), 2);
    }

    #[test]
    fn every_language_has_the_tiles_and_points_that_its_source_gives() {
        let known = [
            ("english", 26, 100, 187),
            ("english_super", 26, 200, 381),
            ("english_crossplay", 26, 100, 210),
            ("catalan", 26, 100, 189),
            ("danish", 27, 100, 247),
            ("dutch", 26, 102, 230),
            ("french", 26, 102, 197),
            ("german", 29, 102, 202),
            ("italian", 26, 120, 293),
            ("norwegian", 32, 100, 202),
            ("polish", 32, 100, 190),
            ("portuguese", 24, 120, 204),
            ("spanish", 28, 100, 192),
            ("swedish", 31, 100, 194),
        ];
        assert!(built_in_names().eq(known.map(|(name, ..)| name)));
        for (name, letters, tiles, points) in known {
            let of = LetterDistribution::built_in(&name.to_uppercase()).unwrap();
            let sum: i32 = of.tiles().map(|tile| of.value(tile) * i32::from(of.count(tile))).sum();
            assert_eq!((of.name(), of.letter_count(), of.total(), sum), (name, letters, tiles, points));
        }
        assert_eq!(LetterDistribution::built_in("klingon"), None);
    }

    #[test]
    fn letters_of_several_characters_are_tiles_of_their_languages() {
        for (name, text) in [("spanish", "[CH]A[LL]E[RR]O"), ("catalan", "[QU]E[L\u{b7}L]A[NY]"), ("catalan", "[qu]I")] {
            let letters = LetterDistribution::built_in(name).unwrap();
            let mut written = String::new();
            letters.parse_placed(text).unwrap().iter().for_each(|&tile| letters.write_placed(tile, &mut written));
            assert_eq!(written, text);
        }
        // Written wrongly: a digraph that the language lacks, one without its end, mixed cases.
        let message = |text: &str| LetterDistribution::built_in("spanish").unwrap().parse_placed(text).unwrap_err().to_string();
        assert_eq!(message("A[NY]"), "column 2: \"[NY]\" is not a tile of the spanish alphabet");
        assert_eq!(message("AL[Ll]"), "column 3: \"[Ll]\" is not a tile of the spanish alphabet");
        assert!(message("A[LL").starts_with("column 2: "));
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
    fn the_forms_of_other_programs_are_read() {
        let own = parse("x", "?,?,2,0,0\nA,a,12,1,1\nCH,ch,1,5,0\nÑ,ñ,0,8,0\n").unwrap();
        let wide = "?,?,2,0,0,？,？\nA,a,12,1,1,Ａ,ａ\n[CH],[ch],1,5,0,ＣＨ,ｃｈ\nÑ,ñ,0,8,0,Ñ,ñ\n";
        assert_eq!(parse("x", wide), Ok(own.clone()));
        assert_eq!(parse("x", "?,2,0,0\nA,12,1,1\n[CH],1,5,0\nÑ,0,8,0"), Ok(own));
    }

    #[test]
    fn letters_are_numbered_as_in_other_programs() {
        let order = |name: &str| LetterDistribution::built_in(name).unwrap().faces().collect::<Vec<_>>().join(" ");
        assert_eq!(order("german"), "A Ä B C D E F G H I J K L M N O Ö P Q R S T U Ü V W X Y Z");
        assert_eq!(order("norwegian"), "A B C D E F G H I J K L M N O P Q R S T U V W X Y Ü Z Æ Ä Ø Ö Å");
        assert_eq!(order("swedish"), "A B C D E F G H I J K L M N O P Q R S T U V W X Y Ü Z Å Ä Æ Ö");
        assert_eq!(order("spanish"), "A B C CH D E F G H I J L LL M N Ñ O P Q R RR S T U V X Y Z");
        assert_eq!(order("catalan"), "A B C Ç D E F G H I J L L\u{b7}L M N NY O P QU R S T U V X Z");
        assert_eq!(order("polish"), "A Ą B C Ć D E Ę F G H I J K L Ł M N Ń O Ó P R S Ś T U W Y Z Ź Ż");
        for plain in ["english", "english_super", "dutch", "french", "italian"] {
            assert_eq!(order(plain), "A B C D E F G H I J K L M N O P Q R S T U V W X Y Z", "{plain}");
        }
    }

    #[test]
    fn a_face_that_a_file_would_lose_is_refused() {
        // After a control character, which is cut off like a blank, this line is not a comment, but written again it would be one.
        for face in ["\u{b}#Q", "Q#", "Q\0Q", "\u{1b}Q"] {
            let error = parse("x", &format!("?,?,2,0,0\nA,a,9,1,1\n{face},q,1,10,0\n")).unwrap_err();
            let expected = DistributionError::BadFace {
                face: face.trim().to_string(),
                reason: "it contains a character that has another meaning in positions, moves or files",
            };
            assert_eq!(error, expected.into());
        }
    }

    #[test]
    fn errors_name_the_line_and_column() {
        let message = |text| parse("x", text).unwrap_err().to_string();
        assert_eq!(message("?,?,2,0,0\nA,a,nine,1,1"), "line 2, column 5: \"nine\" is not a count from 0 to 255");
        // Move generation has no room for more: it and the referee would differ.
        assert_eq!(message("?,?,2,0,0\nA,a,9,1001,1"), "line 2, column 7: \"1001\" is not a number of points from 0 to 1000");
        assert_eq!(message("?,?,2,-1,0\nA,a,9,1,1"), "line 1, column 7: \"-1\" is not a number of points from 0 to 1000");
        let forms = "expected 5 (face,blank face,count,value,vowel), 7 (the same with two wide faces, as MAGPIE has them) or 4 \
                     (face,count,value,vowel, as Woogles has them)";
        assert_eq!(message("?,?,2,0,0\n\nA,a,9"), format!("line 3: 3 fields, {forms}"));
        assert_eq!(message("?,?,2,0,0\nA,a,9,1"), "line 2, column 3: \"a\" is not a count from 0 to 255");
        assert_eq!(message("A,a,9,1,1"), "line 1: the first tile must be the blank, `?`");
        assert_eq!(message("?,?,2,0,0\n# tiles 12\nA,a,9,1,1"), "line 2, column 9: 12 tiles are stated, but the counts add up to 11");
        assert_eq!(message("?,?,2,0,0"), "the alphabet has no letters");
        assert!(message("?,?,2,0,0\nA,A,9,1,1").contains("used twice"));
    }
}
