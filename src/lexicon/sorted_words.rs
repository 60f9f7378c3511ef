//! The words of a text as sorted letter numbers without duplicates, the input of a word graph.
//!
//! A line of a text is a word, then its definition if it has one. Signs by which lists mark words, as in Collins' `QI#`, are left out.
//! All [`Definitions`] are one text, so that those of 280,000 words take no more memory than they take in the file.
//!
//! Not here: the graph (`word_graph.rs`), the list that answers questions (`word_list.rs`). Start with [`SortedWords::from_text`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::lexicon::graph_builder::{self, GraphBuildError};
use crate::lexicon::word_graph::WordGraph;
use crate::rules::distribution::TileTextError;
use crate::rules::layout::MAX_DIM;
use crate::rules::{Letter, LetterDistribution, Placed};
use std::collections::BTreeMap;
use thiserror::Error;

// No word is too long for the builder of graphs: longer ones fit on no board and are left out.
const _: () = assert!(MAX_DIM <= graph_builder::MAX_WORD);

/// Why some words are not a word list.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum WordListError {
    /// A letter that the alphabet lacks.
    #[error("line {line}: {error}")]
    BadLetter {
        /// 1-based line of a text, or place in a sequence of words.
        line: usize,
        /// Where and what.
        error: TileTextError,
    },
    /// A word of one letter, or none.
    #[error("line {line}: {word:?} is too short: a word has at least two letters")]
    TooShort {
        /// 1-based line of a text, or place in a sequence of words.
        line: usize,
        /// The word.
        word: String,
    },
    /// No words.
    #[error("the list has no words")]
    Empty,
    /// More letters than memory is set aside for.
    #[error("the words have more than {MAX_LETTERS_IN_ALL} letters in all")]
    TooManyLetters,
    /// Too many words for the graph's layout, or the caller stopped it.
    #[error("{0}")]
    Graph(GraphBuildError),
}

/// Words in order, each once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortedWords {
    /// The letter numbers of all words, in the order of the text.
    letters: Vec<u8>,
    /// In the order of the alphabet: where a word begins and ends among the letters.
    words: Vec<(u32, u32)>,
    definitions: Definitions,
}

/// A line of a list.
struct ListLine<'t> {
    /// 1-based.
    line: usize,
    word: &'t str,
    /// What follows the word; may be empty.
    rest: &'t str,
}

impl SortedWords {
    /// These words, in any order and in either case. Words longer than any board are left out.
    ///
    /// # Errors
    /// The first word that cannot be a word of this alphabet, by its place (its "line"); or no words, or too many letters.
    pub fn from_words<'w>(
        distribution: &LetterDistribution,
        words: impl IntoIterator<Item = &'w str>,
    ) -> Result<SortedWords, WordListError> {
        let lines = (1..).zip(words).map(|(line, word)| ListLine { line, word, rest: "" });
        SortedWords::from_lines(distribution, lines, &|| false)
    }

    /// The first word of each line, in either case, and what follows it as its definition. Empty lines and lines that begin with `#` are
    /// skipped, and so are words longer than any board.
    ///
    /// # Errors
    /// The line that is not a word of this alphabet; or no words, or too many letters.
    pub fn from_text(distribution: &LetterDistribution, text: &str) -> Result<SortedWords, WordListError> {
        SortedWords::from_text_until(distribution, text, &|| false)
    }

    /// [`SortedWords::from_text`] that can be stopped.
    ///
    /// # Errors
    /// Those of [`SortedWords::from_text`], and that it was stopped.
    pub fn from_text_until(
        distribution: &LetterDistribution,
        text: &str,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<SortedWords, WordListError> {
        let lines = (1..).zip(text.lines()).filter_map(|(line, text)| {
            let text = text.trim();
            let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
            (!word.is_empty() && !word.starts_with('#')).then_some(ListLine { line, word, rest })
        });
        SortedWords::from_lines(distribution, lines, is_stopped)
    }

    fn from_lines<'w>(
        distribution: &LetterDistribution,
        lines: impl IntoIterator<Item = ListLine<'w>>,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<SortedWords, WordListError> {
        let quick = QuickLetters::of(distribution);
        let mut letters = Vec::new();
        // By their first two letters: the parts are sorted one after the other, which can be stopped.
        let mut parts: BTreeMap<[u8; 2], Vec<(u32, u32)>> = BTreeMap::new();
        let mut defined = Vec::new();
        for (number, ListLine { line, word, rest }) in lines.into_iter().enumerate() {
            if number.is_multiple_of(WORDS_BETWEEN_LOOKS) && is_stopped() {
                return Err(WordListError::Graph(GraphBuildError::Stopped));
            }
            let start = letters.len();
            if !quick.read(word, &mut letters) {
                let unmarked = || distribution.parse_word(word.trim_end_matches(MARKS)).ok();
                let read = distribution.parse_word(word).or_else(|error| unmarked().ok_or(WordListError::BadLetter { line, error }))?;
                letters.extend(read.iter().map(|letter| letter.number()));
            }
            match letters.len() - start {
                0 | 1 => return Err(WordListError::TooShort { line, word: word.to_string() }),
                2..=MAX_DIM => {
                    let first = letters.get(start..).and_then(<[u8]>::first_chunk).copied().unwrap_or_default();
                    let place = (start as u32, letters.len() as u32);
                    parts.entry(first).or_default().push(place);
                    let definition = rest.trim_start().trim_start_matches(MARKS).trim();
                    if !definition.is_empty() {
                        defined.push((place, definition));
                    }
                }
                _ => letters.truncate(start),
            }
            if letters.len() > MAX_LETTERS_IN_ALL {
                return Err(WordListError::TooManyLetters);
            }
        }
        if parts.is_empty() {
            return Err(WordListError::Empty);
        }
        let word_at = |&(start, end): &(u32, u32)| letters.get(start as usize..end as usize).unwrap_or(&[]);
        let mut words = Vec::new();
        for mut part in parts.into_values() {
            if is_stopped() {
                return Err(WordListError::Graph(GraphBuildError::Stopped));
            }
            part.sort_unstable_by(|one, other| word_at(one).cmp(word_at(other)));
            part.dedup_by(|one, other| word_at(one) == word_at(other));
            words.append(&mut part);
        }
        defined.sort_by(|(one, _), (other, _)| word_at(one).cmp(word_at(other)));
        defined.dedup_by(|(one, _), (other, _)| word_at(one) == word_at(other));
        let definitions = Definitions::from_sorted(defined.iter().map(|(place, definition)| (word_at(place), *definition)));
        Ok(SortedWords { letters, words, definitions })
    }

    /// The definitions of the words, each that of the first line that has one.
    pub fn into_definitions(self) -> Definitions {
        self.definitions
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there are no words, which is never the case.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The words as letter numbers.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.words.iter().map(|&(start, end)| self.letters.get(start as usize..end as usize).unwrap_or(&[]))
    }

    /// A graph of these words.
    ///
    /// # Errors
    /// More nodes than a graph has room for.
    pub fn graph(&self) -> Result<WordGraph, WordListError> {
        self.graph_until(&|| false)
    }

    /// [`SortedWords::graph`] that can be stopped.
    ///
    /// # Errors
    /// More nodes than a graph has room for, or it was stopped.
    pub fn graph_until(&self, is_stopped: &dyn Fn() -> bool) -> Result<WordGraph, WordListError> {
        let words: Vec<&[u8]> = self.iter().collect();
        let nodes = graph_builder::build_until(&words, is_stopped).map_err(WordListError::Graph)?;
        Ok(WordGraph::from_trusted_nodes(nodes))
    }

    /// Whether a graph has these words and no others.
    pub fn are_all_of(&self, graph: &WordGraph) -> bool {
        let mut own = self.iter();
        let mut are_same = true;
        graph.for_each_word(|word| are_same &= own.next() == Some(word));
        are_same && own.next().is_none()
    }
}

/// Signs after words: Collins marks words that only one of two lists has,
/// and new words.
const MARKS: [char; 3] = ['#', '$', '*'];

/// Words after which the caller is asked again whether to go on: less than a millisecond's work.
const WORDS_BETWEEN_LOOKS: usize = 1 << 12;

/// Letters of all words together: more than any graph has room for.
const MAX_LETTERS_IN_ALL: usize = 1 << 30;

/// The letters that are written as one ASCII character, in either case.
///
/// PERF: the alphabet's own reader takes ten times as long: 40 ms for a list of 178,691 words.
struct QuickLetters {
    /// By character: the letter's number, 0 for all other characters.
    numbers: [u8; 128],
    /// The beginnings of letters of several characters: words that contain one are left to the alphabet's own reader.
    long: Vec<[u8; 2]>,
}

impl QuickLetters {
    fn of(distribution: &LetterDistribution) -> QuickLetters {
        let mut numbers = [0; 128];
        let mut long = Vec::new();
        for letter in distribution.letters() {
            for placed in [Placed::tile(letter), Placed::blank(letter)] {
                let mut face = String::new();
                distribution.write_placed(placed, &mut face);
                match *face.as_bytes() {
                    [byte] => numbers.iter_mut().skip(usize::from(byte)).take(1).for_each(|slot| *slot = letter.number()),
                    [b'[', first, second, ..] => long.push([first, second]),
                    _ => {}
                }
            }
        }
        QuickLetters { numbers, long }
    }

    /// Adds the letters of a word. If it has others, nothing is added.
    fn read(&self, word: &str, letters: &mut Vec<u8>) -> bool {
        let start = letters.len();
        letters.extend(word.bytes().map(|byte| self.numbers.get(usize::from(byte)).copied().unwrap_or(0)));
        let is_long = |pair: &[u8]| self.long.iter().any(|long| long.eq_ignore_ascii_case(pair));
        let has_long = !self.long.is_empty() && word.as_bytes().windows(2).any(is_long);
        let are_all_known = !has_long && letters.iter().skip(start).all(|&number| number != 0);
        if !are_all_known {
            letters.truncate(start);
        }
        are_all_known
    }
}

/// Definitions of words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Definitions {
    /// Entry after entry: the letter numbers of a word, a 0, its definition.
    text: Vec<u8>,
    /// Where the entries begin, in the order of their words.
    starts: Vec<u32>,
}

impl Definitions {
    /// The definitions of words, which are sorted by their letter numbers and come once each.
    pub(super) fn from_sorted<'t>(entries: impl IntoIterator<Item = (&'t [u8], &'t str)>) -> Definitions {
        let mut definitions = Definitions::default();
        for (word, definition) in entries {
            // No file is as long as that.
            let Ok(start) = u32::try_from(definitions.text.len()) else { break };
            definitions.starts.push(start);
            definitions.text.extend(word);
            definitions.text.push(0);
            definitions.text.extend(definition.as_bytes());
        }
        definitions.text.shrink_to_fit();
        definitions
    }

    /// The definition of a word.
    pub fn of(&self, word: &[Letter]) -> Option<&str> {
        let wanted = word.iter().map(|letter| letter.number());
        let found = self.starts.binary_search_by(|&start| {
            let entry = self.text.get(start as usize..).unwrap_or_default();
            entry.iter().copied().take_while(|&number| number != 0).cmp(wanted.clone())
        });
        let found = found.ok()?;
        let start = *self.starts.get(found)? as usize + word.len() + 1;
        let end = self.starts.get(found + 1).map_or(self.text.len(), |&next| next as usize);
        std::str::from_utf8(self.text.get(start..end)?).ok()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The memory that they take, in bytes.
    pub(super) fn size(&self) -> usize {
        self.text.len() + size_of_val(&self.starts[..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::letter_distribution::parse;
    use proptest::prelude::*;

    #[test]
    fn a_graph_of_other_words_is_told_apart() {
        let words = |text: &str| SortedWords::from_text(&LetterDistribution::english(), text).unwrap();
        let own = words("cat\ncats\nact");
        assert!(own.are_all_of(&own.graph().unwrap()));
        for other in ["cat\ncats", "cat\ncats\nact\ntaco", "cat\ncats\nace", "ab\ncat\ncats\nact"] {
            assert!(!own.are_all_of(&words(other).graph().unwrap()), "{other}");
        }
    }

    #[test]
    fn the_reading_of_a_list_is_stopped() {
        let letters = LetterDistribution::english();
        assert_eq!(SortedWords::from_text_until(&letters, "cat\ndog", &|| true), Err(WordListError::Graph(GraphBuildError::Stopped)));
        let words = SortedWords::from_text(&letters, "cat\ndog").unwrap();
        assert_eq!(words.graph_until(&|| true), Err(WordListError::Graph(GraphBuildError::Stopped)));
        assert_eq!(words.graph_until(&|| false), words.graph());
    }

    #[test]
    fn a_plain_list_has_letters_of_several_characters() {
        let spanish = LetterDistribution::built_in("spanish").unwrap();
        let read = |text: &str| SortedWords::from_text(&spanish, text).unwrap();
        assert_eq!(read("CHOCHO\ncalle\nPerro\nOCHO"), read("[CH]O[CH]O\nCA[LL]E\nPE[RR]O\nO[CH]O"));
        assert_eq!(read("chocho").iter().map(<[u8]>::len).collect::<Vec<_>>(), [4]);
        assert_eq!(read("[c]hocho").iter().map(<[u8]>::len).collect::<Vec<_>>(), [5]);
    }

    #[test]
    fn marks_are_left_out_and_definitions_kept() {
        let text = "QI# vital energy [n QIS]\nAA$\t rough  lava \nZA*\nCAT\ncat # purrs\nDOG  #\n# a comment\nCAT sleeps\n";
        let words = SortedWords::from_text(&LetterDistribution::english(), text).unwrap();
        assert_eq!(words.len(), 5);
        let definitions = words.into_definitions();
        let of = |word: &str| definitions.of(&LetterDistribution::english().parse_word(word).unwrap());
        assert_eq!(
            ["QI", "AA", "ZA", "CAT", "DOG"].map(of),
            [Some("vital energy [n QIS]"), Some("rough  lava"), None, Some("purrs"), None]
        );
        let message = |text: &str| SortedWords::from_text(&LetterDistribution::english(), text).unwrap_err().to_string();
        assert_eq!(message("CAT\nQI%"), "line 2: column 3: \"%\" is not a tile of the english alphabet");
        assert_eq!(message("Q#I"), "line 1: column 2: \"#\" is not a tile of the english alphabet");
        assert_eq!(message("A#"), "line 1: \"A#\" is too short: a word has at least two letters");
    }

    proptest! {
        /// Letter by letter, as the alphabet reads them.
        #[test]
        fn words_are_those_of_the_text_in_order(listed in prop::collection::vec("([A-Ca-ché]|\\[CH\\]|\\[ch\\]){3,25}", 1..20)) {
            let letters = parse("t", "?,?,1,0,0\nA,a,5,1,1\nB,b,4,3,0\nC,c,3,1,0\nCH,ch,1,1,0\nH,h,1,1,0\nÉ,é,1,1,1\n").unwrap();
            let read = |word: &String| letters.parse_word(word).unwrap().iter().map(|letter| letter.number()).collect::<Vec<u8>>();
            let expected: std::collections::BTreeSet<Vec<u8>> =
                listed.iter().map(read).filter(|word| word.len() <= MAX_DIM).collect();
            let words = SortedWords::from_words(&letters, listed.iter().map(String::as_str));
            match words {
                Ok(words) => prop_assert!(words.iter().eq(expected.iter())),
                Err(error) => prop_assert!(expected.is_empty() && error == WordListError::Empty),
            }
        }
    }

    #[test]
    fn each_word_has_its_own_definition() {
        let words: [(&[u8], &str); 4] = [(&[1, 1], "rough lava"), (&[1, 1, 8], ""), (&[1, 2], "é"), (&[17, 9], "vital energy")];
        let definitions = Definitions::from_sorted(words);
        let of = |numbers: &[u8]| {
            let word: Vec<Letter> = numbers.iter().map(|&number| Letter::new(number).unwrap()).collect();
            definitions.of(&word)
        };
        for (word, definition) in words {
            assert_eq!(of(word), Some(definition));
        }
        for other in [&[][..], &[1], &[1, 1, 1], &[1, 3], &[17, 9, 1], &[18]] {
            assert_eq!(of(other), None, "{other:?}");
        }
        assert!(!definitions.is_empty() && Definitions::default().is_empty());
        assert_eq!(Definitions::default().of(&[]), None);
    }
}
