//! The word list as a sorted set (`fst`): membership, patterns, anagrams and hooks for people and scripts.
//!
//! Words are stored as letter numbers, one byte a letter, so letters of several characters work like the others.
//! Not here: what generation walks (`word_graph.rs`). Start with [`WordList`].

use crate::rules::{Letter, Rack, Tile};
use fst::automaton::Automaton;
use fst::{IntoStreamer, Set, Streamer};
use std::borrow::Cow;

/// A sorted set of words.
pub struct WordList {
    set: Set<Cow<'static, [u8]>>,
}

/// A part of a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PatternPart {
    /// This letter.
    Letter(Letter),
    /// Any one letter.
    Any,
    /// Any number of letters, also none.
    AnyRun,
}

/// Which words of some tiles are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anagrams {
    /// Those that use all of the tiles.
    Whole,
    /// Those that use some of the tiles.
    Within,
}

/// Letters that make a word in front of, or behind, another.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Hooks {
    /// In front.
    pub front: Vec<Letter>,
    /// Behind.
    pub back: Vec<Letter>,
}

impl WordList {
    /// A set in `fst`'s own form, compiled into the program.
    ///
    /// # Panics
    /// If it is none: then the build is broken.
    pub(crate) fn from_static(bytes: &'static [u8]) -> WordList {
        WordList { set: Set::new(Cow::Borrowed(bytes)).expect("the built-in list is a set") }
    }

    /// A set of words, sorted, each once, as letter numbers.
    ///
    /// # Panics
    /// If they are not sorted.
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

    /// The first `limit` words that match a pattern of at most 63 parts, and how many there are.
    pub fn pattern(&self, parts: &[PatternPart], limit: usize) -> (Vec<Vec<Letter>>, usize) {
        self.search(PatternAutomaton { parts: &parts[..parts.len().min(63)] }, limit)
    }

    /// The first `limit` words of these tiles (blanks are any letter), and how many there are.
    pub fn anagrams(&self, tiles: &Rack, wanted: Anagrams, limit: usize) -> (Vec<Vec<Letter>>, usize) {
        self.search(AnagramAutomaton { tiles: *tiles, wanted }, limit)
    }

    /// The letters that make a word in front of this one, or behind it.
    pub fn hooks(&self, word: &[Letter], alphabet: impl Iterator<Item = Letter>) -> Hooks {
        let mut hooks = Hooks::default();
        for letter in alphabet {
            if self.contains(&[&[letter], word].concat()) {
                hooks.front.push(letter);
            }
            if self.contains(&[word, &[letter]].concat()) {
                hooks.back.push(letter);
            }
        }
        hooks
    }

    fn search(&self, automaton: impl Automaton, limit: usize) -> (Vec<Vec<Letter>>, usize) {
        let (mut found, mut count) = (Vec::new(), 0);
        let mut stream = self.set.search(automaton).into_stream();
        while let Some(word) = stream.next() {
            count += 1;
            if found.len() < limit {
                found.push(word.iter().filter_map(|&number| Letter::new(number)).collect());
            }
        }
        (found, count)
    }
}

impl std::fmt::Debug for WordList {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "WordList of {} words", self.len())
    }
}

/// Accepts words by a pattern. A state is the set of places in the pattern where a word may stand.
struct PatternAutomaton<'a> {
    parts: &'a [PatternPart],
}

impl PatternAutomaton<'_> {
    /// Adds the places behind runs that match nothing.
    fn close(&self, mut places: u64) -> u64 {
        for (at, part) in self.parts.iter().enumerate() {
            if *part == PatternPart::AnyRun && places >> at & 1 != 0 {
                places |= 1 << (at + 1);
            }
        }
        places
    }
}

impl Automaton for PatternAutomaton<'_> {
    type State = u64;

    fn start(&self) -> u64 {
        self.close(1)
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
        self.close(next)
    }
}

/// Accepts words by their tiles. A state is what is left of them, or nothing after a letter that was not there.
struct AnagramAutomaton {
    tiles: Rack,
    wanted: Anagrams,
}

impl Automaton for AnagramAutomaton {
    type State = Option<Rack>;

    fn start(&self) -> Option<Rack> {
        Some(self.tiles)
    }

    fn is_match(&self, left: &Option<Rack>) -> bool {
        left.as_ref().is_some_and(|left| self.wanted == Anagrams::Within || left.is_empty())
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
