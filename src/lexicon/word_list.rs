//! The word list as a sorted set (`fst`): membership, patterns and anagrams for people and scripts.
//!
//! Words are stored as letter numbers, one byte per letter, so letters of several characters work like the others.
//! Not here: what generation walks (`word_graph.rs`). Start with [`WordList`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::lexicon::pattern::Pattern;
use crate::rules::{Letter, Rack, Tile};
use fst::automaton::Automaton;
use fst::{IntoStreamer, Set, Streamer};
use std::borrow::Cow;

/// A sorted set of words.
pub struct WordList {
    set: Set<Cow<'static, [u8]>>,
}

/// How many of the tiles an anagram uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnagramUse {
    /// All of them.
    AllTiles,
    /// Some of them, or all.
    SomeTiles,
}

/// The answer to a question for words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WordsFound {
    /// The first ones in alphabetical order, as many as were asked for.
    pub words: Vec<Vec<Letter>>,
    /// How many there are.
    pub total: usize,
}

/// Letters that make a new word in front of, or after, another.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Hooks {
    /// Those in front of the word.
    pub front: Vec<Letter>,
    /// Those after the word.
    pub back: Vec<Letter>,
}

impl WordList {
    /// The memory that it takes, in bytes.
    pub(crate) fn size(&self) -> usize {
        self.set.as_fst().as_bytes().len()
    }

    /// A set in `fst`'s own form, compiled into the program.
    ///
    /// # Panics
    /// If the bytes are not a word list, which means that the build is broken.
    #[expect(clippy::expect_used, reason = "the bytes come from our own build script, not from outside")]
    pub(crate) fn from_static(bytes: &'static [u8]) -> WordList {
        WordList { set: Set::new(Cow::Borrowed(bytes)).expect("the built-in list is a set") }
    }

    /// A set of words, sorted, each once, as letter numbers.
    ///
    /// # Panics
    /// If they are not sorted.
    #[expect(clippy::expect_used, reason = "callers sort the words, or read them in order from a graph that was checked")]
    pub(crate) fn from_sorted(words: &[Vec<u8>]) -> WordList {
        let set = Set::from_iter(words).expect("the words are sorted");
        WordList { set: Set::new(Cow::Owned(set.into_fst().into_inner())).expect("a set just built") }
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.set.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.set.is_empty()
    }

    /// Whether this is a word.
    pub fn contains(&self, word: &[Letter]) -> bool {
        self.set.contains(word.iter().map(|letter| letter.number()).collect::<Vec<u8>>())
    }

    /// All words in order, as letter numbers.
    pub fn words(&self) -> Vec<Vec<u8>> {
        self.set.stream().into_bytes()
    }

    /// The words that match a pattern, the first `limit` of them in full.
    pub fn matching(&self, pattern: &Pattern, limit: usize) -> WordsFound {
        self.search(pattern, limit)
    }

    /// The words of these tiles (a blank is any letter), the first `limit` of them in full.
    pub fn anagrams(&self, tiles: &Rack, tiles_used: AnagramUse, limit: usize) -> WordsFound {
        self.search(AnagramAutomaton { tiles: *tiles, tiles_used }, limit)
    }

    fn search(&self, automaton: impl Automaton, limit: usize) -> WordsFound {
        let mut found = WordsFound::default();
        let mut stream = self.set.search(automaton).into_stream();
        while let Some(word) = stream.next() {
            found.total += 1;
            if found.words.len() < limit {
                found.words.push(word.iter().filter_map(|&number| Letter::new(number)).collect());
            }
        }
        found
    }
}

impl std::fmt::Debug for WordList {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "WordList of {} words", self.len())
    }
}

/// Accepts the words of some tiles. A state is the tiles that are left, or `None` after a letter that no tile is left for.
struct AnagramAutomaton {
    tiles: Rack,
    tiles_used: AnagramUse,
}

impl Automaton for AnagramAutomaton {
    type State = Option<Rack>;

    fn start(&self) -> Option<Rack> {
        Some(self.tiles)
    }

    fn is_match(&self, left: &Option<Rack>) -> bool {
        left.as_ref().is_some_and(|left| self.tiles_used == AnagramUse::SomeTiles || left.is_empty())
    }

    fn can_match(&self, left: &Option<Rack>) -> bool {
        left.is_some()
    }

    fn accept(&self, left: &Option<Rack>, byte: u8) -> Option<Rack> {
        let mut left = (*left)?;
        let tile = Tile::from_index(byte as usize)?;
        (left.remove(tile) || left.remove(Tile::BLANK)).then_some(left)
    }
}
