//! Patterns of words: `Q?I*` is a Q, any letter, an I, then anything.
//!
//! Not here: the words that are compared with a pattern (`word_list.rs`). Start with [`Pattern::parse`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::rules::distribution::TileTextError;
use crate::rules::{Letter, LetterDistribution};
use fst::automaton::Automaton;
use thiserror::Error;

/// The characters of a pattern that are not letters.
const SIGNS: [char; 3] = ['?', '.', '*'];

/// A part of a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PatternPart {
    /// This letter.
    Letter(Letter),
    /// Any one letter.
    Any,
    /// Any number of letters, including none.
    AnyRun,
}

/// A pattern of at most [`Pattern::MAX_PARTS`] parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    parts: Vec<PatternPart>,
}

/// Why a text is not a pattern.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
#[non_exhaustive]
pub enum PatternError {
    /// A letter that the alphabet lacks.
    #[error(transparent)]
    BadLetter(#[from] TileTextError),
    /// Too many parts.
    #[error("a pattern has at most {} letters and signs, but this one has {found} or more", Pattern::MAX_PARTS)]
    TooLong {
        /// Parts that were read before reading stopped.
        found: usize,
    },
}

impl Pattern {
    /// The most letters and signs: with one place after the last of them,
    /// the places of a pattern are the bits of a `u64`.
    pub const MAX_PARTS: usize = 63;

    /// A pattern of these parts.
    ///
    /// # Errors
    /// Too many parts.
    pub fn new(parts: Vec<PatternPart>) -> Result<Pattern, PatternError> {
        if parts.len() > Pattern::MAX_PARTS { Err(PatternError::TooLong { found: parts.len() }) } else { Ok(Pattern { parts }) }
    }

    /// Reads a pattern: `?` or `.` is any one letter, `*` any number of letters, everything else letters as in a word
    /// ([`LetterDistribution::parse_word`]).
    ///
    /// ```
    /// use tilewright::rules::LetterDistribution;
    /// use tilewright::lexicon::{Pattern, PatternPart};
    ///
    /// let alphabet = LetterDistribution::english();
    /// assert_eq!(Pattern::parse("a?*", &alphabet)?.parts()[1..], [PatternPart::Any, PatternPart::AnyRun]);
    /// assert_eq!(Pattern::parse("a.*", &alphabet)?, Pattern::parse("a?*", &alphabet)?);
    /// assert_eq!(Pattern::parse("*!", &alphabet).unwrap_err().to_string(), "column 2: \"!\" is not a tile of the english alphabet");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The column of a letter that the alphabet lacks, or too many parts.
    pub fn parse(text: &str, distribution: &LetterDistribution) -> Result<Pattern, PatternError> {
        let mut parts = Vec::new();
        let mut columns_before = 0;
        for piece in text.split_inclusive(SIGNS) {
            let letters = piece.trim_end_matches(SIGNS);
            let word = distribution.parse_word(letters);
            let word = word.map_err(|error| TileTextError { column: columns_before + error.column, ..error })?;
            parts.extend(word.into_iter().map(PatternPart::Letter));
            match piece.strip_prefix(letters) {
                Some("?" | ".") => parts.push(PatternPart::Any),
                Some("*") => parts.push(PatternPart::AnyRun),
                _ => {}
            }
            columns_before += piece.chars().count();
            if parts.len() > Pattern::MAX_PARTS {
                return Err(PatternError::TooLong { found: parts.len() });
            }
        }
        Ok(Pattern { parts })
    }

    /// The parts, from left to right.
    pub fn parts(&self) -> &[PatternPart] {
        &self.parts
    }

    /// These places, and those that are reached from them by empty runs.
    fn past_empty_runs(&self, mut places: u64) -> u64 {
        for (at, part) in self.parts.iter().enumerate() {
            if *part == PatternPart::AnyRun && places >> at & 1 != 0 {
                places |= 1 << (at + 1);
            }
        }
        places
    }
}

/// Accepts the words of a pattern. A state is the set of places in the pattern, by bit,
/// that the letters so far can lead to: before the first part, before the second, ...,
/// after the last.
impl Automaton for &Pattern {
    type State = u64;

    fn start(&self) -> u64 {
        self.past_empty_runs(1)
    }

    fn is_match(&self, places: &u64) -> bool {
        places >> self.parts.len() & 1 != 0
    }

    fn can_match(&self, places: &u64) -> bool {
        *places != 0
    }

    fn accept(&self, places: &u64, byte: u8) -> u64 {
        let mut next = 0;
        for (at, part) in self.parts.iter().enumerate().filter(|(at, _)| places >> at & 1 != 0) {
            match part {
                PatternPart::Letter(letter) if letter.number() == byte => next |= 1 << (at + 1),
                PatternPart::Letter(_) => {}
                PatternPart::Any => next |= 1 << (at + 1),
                PatternPart::AnyRun => next |= 1 << at,
            }
        }
        self.past_empty_runs(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::LetterDistribution;

    #[test]
    fn letters_of_several_characters_are_read_as_in_words() {
        let spanish = LetterDistribution::built_in("spanish").unwrap();
        let parse = |text| Pattern::parse(text, &spanish).unwrap();
        assert_eq!(parse("?alle*"), parse("?A[LL]E*"));
        assert_eq!(parse("C?LLE").parts().len(), 4);
        assert_eq!(parse("L?L").parts().len(), 3);
        assert_eq!(Pattern::parse("..LL4", &spanish).unwrap_err().to_string(), "column 5: \"4\" is not a tile of the spanish alphabet");
    }

    #[test]
    fn a_pattern_of_63_parts_is_read_and_a_longer_one_is_refused() {
        assert_eq!(Pattern::parse(&"A?".repeat(31), &LetterDistribution::english()).unwrap().parts().len(), 62);
        assert_eq!(Pattern::parse(&"?".repeat(63), &LetterDistribution::english()).unwrap().parts().len(), 63);
        let error = Pattern::parse(&"*".repeat(99), &LetterDistribution::english()).unwrap_err();
        assert_eq!(error.to_string(), "a pattern has at most 63 letters and signs, but this one has 64 or more");
        assert_eq!(Pattern::new(vec![PatternPart::Any; 70]), Err(PatternError::TooLong { found: 70 }));
    }
}
