//! Shared by the grammars of moves, positions and games: located text, its errors,
//! and small parsers. A located text has its line and column; the parsers, for words,
//! whole numbers and tiles, are combined with nom.
//!
//! Not here: the grammars, which are `rules/notation.rs`, `formats/cgp/parse.rs` and `formats/gcg/parse.rs`. The lines of the
//! protocol have a grammar of their own (`protocol/parse.rs`). Start with [`Span`] and [`Mismatch`].
//!
//! A parser whose first piece is missing returns nom's `Error`: another alternative may match. [`expect`], [`refuse`] and
//! [`checked`] return a `Failure`, which ends the reading and names the place.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::rules::distribution::LetterDistribution;
use crate::rules::tiles::{Placed, Tile};
use nom::branch::alt;
use nom::bytes::complete::{take_till, take_till1, take_while};
use nom::character::complete::{anychar, char, digit1, one_of};
use nom::combinator::{eof, map_opt, opt, recognize};
use nom::error::{ErrorKind, ParseError};
use nom::sequence::{preceded, terminated};
use nom::{Compare, CompareResult, Err, IResult, Input, Needed, Offset, Parser};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::{CharIndices, Chars, FromStr};

/// The most characters of a text that a message shows.
const SHOWN_CHARACTERS: usize = 24;

/// A place in a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TextPlace {
    /// The line, counted from 1. Lines end with `\n`, `\r\n` or `\r`.
    pub line: usize,
    /// The column in the line, counted from 1 in characters.
    pub column: usize,
}

/// `column 7` in the first line, `line 2, column 7` after it: many texts have one line only.
impl fmt::Display for TextPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 1 {
            write!(f, "line {}, ", self.line)?;
        }
        write!(f, "column {}", self.column)
    }
}

/// A part of a text with the place where it begins. nom parses it like a `&str`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span<'a> {
    text: &'a str,
    place: TextPlace,
}

impl<'a> Span<'a> {
    /// A whole text.
    pub const fn new(text: &'a str) -> Span<'a> {
        Span { text, place: TextPlace { line: 1, column: 1 } }
    }

    /// The text.
    pub const fn text(self) -> &'a str {
        self.text
    }

    /// Where it begins.
    pub const fn place(self) -> TextPlace {
        self.place
    }

    /// Whether no text is left.
    pub const fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    /// The span without white space at either end.
    pub fn trim(self) -> Span<'a> {
        let begin = self.text.len() - self.text.trim_start().len();
        self.take_from(begin).trim_end()
    }

    /// The span without white space at its end.
    pub fn trim_end(self) -> Span<'a> {
        Span { text: self.text.trim_end(), place: self.place }
    }

    /// Where it ends.
    pub fn end(self) -> TextPlace {
        self.take_from(self.text.len()).place
    }

    /// At most 24 characters of it, for messages.
    pub fn shortened(self) -> String {
        match self.text.chars().nth(SHOWN_CHARACTERS) {
            None => self.text.to_string(),
            Some(_) => self.text.chars().take(SHOWN_CHARACTERS - 1).chain(['…']).collect(),
        }
    }

    /// The place after the first `index` bytes.
    fn place_at(&self, index: usize) -> TextPlace {
        let (skipped, rest) = self.text.split_at(index);
        let TextPlace { mut line, mut column } = self.place;
        // PERF: most steps stay within their line; this halves the time that a position takes to read.
        if !skipped.bytes().any(|byte| matches!(byte, b'\r' | b'\n')) {
            return TextPlace { line, column: column + skipped.chars().count() };
        }
        let mut characters = skipped.chars().peekable();
        while let Some(character) = characters.next() {
            // `\r\n` ends one line, at its second character.
            let next = characters.peek().copied().or_else(|| rest.chars().next());
            let ends_line = character == '\n' || character == '\r' && next != Some('\n');
            (line, column) = if ends_line { (line + 1, 1) } else { (line, column + 1) };
        }
        TextPlace { line, column }
    }
}

impl<'a> Input for Span<'a> {
    type Item = char;
    type Iter = Chars<'a>;
    type IterIndices = CharIndices<'a>;

    fn input_len(&self) -> usize {
        self.text.len()
    }

    fn take(&self, index: usize) -> Span<'a> {
        let (taken, _) = self.text.split_at(index);
        Span { text: taken, place: self.place }
    }

    fn take_from(&self, index: usize) -> Span<'a> {
        let (_, rest) = self.text.split_at(index);
        Span { text: rest, place: self.place_at(index) }
    }

    fn take_split(&self, index: usize) -> (Span<'a>, Span<'a>) {
        (self.take_from(index), self.take(index))
    }

    fn position<P: Fn(char) -> bool>(&self, predicate: P) -> Option<usize> {
        self.text.find(predicate)
    }

    fn iter_elements(&self) -> Chars<'a> {
        self.text.chars()
    }

    fn iter_indices(&self) -> CharIndices<'a> {
        self.text.char_indices()
    }

    fn slice_index(&self, count: usize) -> Result<usize, Needed> {
        self.text.slice_index(count)
    }
}

impl Compare<&str> for Span<'_> {
    fn compare(&self, text: &str) -> CompareResult {
        self.text.compare(text)
    }

    fn compare_no_case(&self, text: &str) -> CompareResult {
        self.text.compare_no_case(text)
    }
}

impl Offset for Span<'_> {
    fn offset(&self, second: &Self) -> usize {
        // nom asks how much it has read: `second` is the rest of `self`.
        self.text.len().saturating_sub(second.text.len())
    }
}

/// Why a text does not fit a grammar. `E` is the error of the text's own kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mismatch<'a, E> {
    /// The form is wrong.
    Form {
        /// The text found there, empty at the end of the text.
        found: Span<'a>,
        /// The text that the grammar expects there; empty if an alternative did not begin here.
        expected: &'static str,
    },
    /// The form is right, but its meaning is wrong.
    Meaning(E),
}

impl<'a, E> ParseError<Span<'a>> for Mismatch<'a, E> {
    fn from_error_kind(found: Span<'a>, _: ErrorKind) -> Self {
        Mismatch::Form { found, expected: "" }
    }

    fn append(_: Span<'a>, _: ErrorKind, other: Self) -> Self {
        other
    }
}

/// The result of a parser: the rest of the text with a value, or the error.
pub type GrammarResult<'a, T, E> = IResult<Span<'a>, T, Mismatch<'a, E>>;

/// Ends the reading if the parser does not match; the error has the word found and what was expected.
pub fn expect<'a, T, E>(
    expected: &'static str,
    mut parser: impl Parser<Span<'a>, Output = T, Error = Mismatch<'a, E>>,
) -> impl FnMut(Span<'a>) -> GrammarResult<'a, T, E> {
    move |input| match parser.parse(input) {
        Err(Err::Error(_)) => Err(Err::Failure(Mismatch::Form { found: word_at(input), expected })),
        result => result,
    }
}

/// Ends the reading if the parser does not match, with an error made from the rest of the text.
pub fn refuse<'a, T, E>(
    mut parser: impl Parser<Span<'a>, Output = T, Error = Mismatch<'a, E>>,
    why: impl Fn(Span<'a>) -> E,
) -> impl FnMut(Span<'a>) -> GrammarResult<'a, T, E> {
    move |input| match parser.parse(input) {
        Err(Err::Error(_)) => Err(Err::Failure(Mismatch::Meaning(why(input)))),
        result => result,
    }
}

/// Converts what was read, or ends the reading with the error of the conversion.
pub fn checked<'a, S, T, E>(
    mut parser: impl Parser<Span<'a>, Output = S, Error = Mismatch<'a, E>>,
    check: impl Fn(S) -> Result<T, E>,
) -> impl FnMut(Span<'a>) -> GrammarResult<'a, T, E> {
    move |input| {
        let (rest, found) = parser.parse(input)?;
        let value = check(found).map_err(|error| Err::Failure(Mismatch::Meaning(error)))?;
        Ok((rest, value))
    }
}

/// Reads all of a text.
///
/// # Errors
/// The text that does not match, or what is left over after text that does.
pub fn read_all<'a, T, E>(
    parser: impl Parser<Span<'a>, Output = T, Error = Mismatch<'a, E>>,
    text: Span<'a>,
) -> Result<T, Mismatch<'a, E>> {
    match terminated(parser, eof).parse(text) {
        Ok((_, value)) => Ok(value),
        Err(Err::Error(mismatch) | Err::Failure(mismatch)) => Err(mismatch),
        // Only nom's streaming parsers wait for more, and there are none here.
        Err(Err::Incomplete(_)) => Err(Mismatch::Form { found: text, expected: "" }),
    }
}

/// White space, if there is any.
pub fn blanks<'a, E>(input: Span<'a>) -> GrammarResult<'a, Span<'a>, E> {
    take_while(char::is_whitespace).parse(input)
}

/// The next word: white space is skipped, then everything up to the next white space is read.
pub fn word<'a, E>(input: Span<'a>) -> GrammarResult<'a, Span<'a>, E> {
    preceded(blanks, take_till1(char::is_whitespace)).parse(input)
}

/// The word that a message shows: the next one, empty at the end.
fn word_at(input: Span<'_>) -> Span<'_> {
    let here: GrammarResult<'_, Span<'_>, ()> = preceded(blanks, take_till(char::is_whitespace)).parse(input);
    here.map_or(input, |(_, word)| word)
}

/// A whole number within bounds, with or without a sign.
pub fn whole_number<'a, N: FromStr + PartialOrd, E>(bounds: RangeInclusive<N>) -> impl FnMut(Span<'a>) -> GrammarResult<'a, N, E> {
    move |input| {
        let digits = recognize((opt(one_of("+-")), digit1));
        let within = |digits: Span<'_>| digits.text().parse().ok().filter(|number| bounds.contains(number));
        map_opt(digits, within).parse(input)
    }
}

/// Text that may be one tile: a group in brackets, or one character.
pub fn piece<'a, E>(input: Span<'a>) -> GrammarResult<'a, Span<'a>, E> {
    let group = (char('['), take_till(|c| c == ']'), char(']'));
    alt((recognize(group), recognize(anychar))).parse(input)
}

/// Reads a [`piece`] as a rack tile.
pub fn rack_tile(piece: Span<'_>, distribution: &LetterDistribution) -> Option<Tile> {
    match *distribution.parse_tiles(piece.text()).ok()? {
        [tile] => Some(tile),
        _ => None,
    }
}

/// Reads a [`piece`] as a tile on the board.
pub fn placed_tile(piece: Span<'_>, distribution: &LetterDistribution) -> Option<Placed> {
    match *distribution.parse_placed(piece.text()).ok()? {
        [tile] => Some(tile),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nom::multi::many0;
    use proptest::prelude::*;

    fn words(text: &str) -> Vec<(String, usize, usize)> {
        let (_, words) = many0(word::<()>).parse(Span::new(text)).unwrap();
        words.into_iter().map(|word| (word.text().to_string(), word.place().line, word.place().column)).collect()
    }

    #[test]
    fn words_know_their_lines_and_columns() {
        let place = |text: &str, line, column| (text.to_string(), line, column);
        assert_eq!(words("é b"), [place("é", 1, 1), place("b", 1, 3)]);
        assert_eq!(
            words(" a\n b\r\nc\rd\n\re"),
            [place("a", 1, 2), place("b", 2, 2), place("c", 3, 1), place("d", 4, 1), place("e", 6, 1)]
        );
        assert_eq!(Span::new("  a b \n").trim().end(), TextPlace { line: 1, column: 6 });
        assert_eq!([(1, 7), (3, 2)].map(|(line, column)| TextPlace { line, column }.to_string()), ["column 7", "line 3, column 2"]);
    }

    #[test]
    fn numbers_are_whole_signed_and_within_bounds() {
        let read = |text| read_all(whole_number::<i32, ()>(-5..=5), Span::new(text)).ok();
        assert_eq!(["5", "+5", "-5", "05"].map(read), [Some(5), Some(5), Some(-5), Some(5)]);
        assert_eq!(["", "-", "6", "-6", "5x", "x", " 5", "99999999999"].map(read), [None; 8]);
    }

    #[test]
    fn pieces_are_groups_and_characters() {
        let (_, pieces) = many0(piece::<()>).parse(Span::new("A[CH]12é[x")).unwrap();
        assert_eq!(pieces.into_iter().map(Span::text).collect::<Vec<_>>(), ["A", "[CH]", "1", "2", "é", "[", "x"]);
    }

    #[test]
    fn errors_hold_the_word_and_what_was_expected() {
        let error = expect("a number", whole_number::<i32, ()>(0..=9)).parse(Span::new(" what now")).unwrap_err();
        let Err::Failure(Mismatch::Form { found, expected }) = error else { panic!("{error:?}") };
        assert_eq!((found.text(), found.place().column, expected), ("what", 2, "a number"));
        assert_eq!(Span::new(&"x".repeat(25)).shortened(), format!("{}…", "x".repeat(23)));
    }

    proptest! {
        /// The places are those that splitting the text into lines gives.
        #[test]
        fn places_are_those_of_the_lines(text in "[a é\r\n]{0,30}") {
            let unix = text.replace("\r\n", "\n").replace('\r', "\n");
            let mut expected = Vec::new();
            for (index, line) in unix.split('\n').enumerate() {
                let mut before = 0;
                for part in line.split(' ') {
                    if !part.is_empty() {
                        expected.push((part.to_string(), index + 1, before + 1));
                    }
                    before += part.chars().count() + 1;
                }
            }
            prop_assert_eq!(words(&text), expected);
        }
    }
}
