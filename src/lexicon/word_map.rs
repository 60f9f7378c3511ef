//! Finds the words with exactly these letters, and the letters that a blank can be.
//!
//! The generator asks this for parts of a rack together with letters on the board. Nearly every answer is "none", so a question
//! must cost one look into one small table. A multiset's hash is the sum of its letters' keys, so the hash of a union is the sum
//! of the hashes.
//!
//! | table | entry | number for ENABLE |
//! |---|---|---|
//! | anagrams | multiset -> its words | 152,000 |
//! | with a blank | multiset -> letters that complete it to one of the above | 800,000 |
//! | short | multiset of up to four letters -> both answers: the letters, and whether it has words itself | 31,000 |
//!
//! The last table is a plain array by the multiset's number (`rules/multisets.rs`): most parts of a rack are short, and their answers
//! cost one look into a table that fits a cache. The others are hash tables.
//!
//! A hash table stores 32 bits of a hash at the place that other bits choose. So an answer may, very rarely, be about other letters:
//! the caller must check the letters of each word. No word is ever missed: if two multisets of words have the same hash, the map is made
//! again with other keys.
//!
//! The idea comes from the word map of \[MAGPIE\]; the layout is our own.

use crate::rules::LetterSet;
use crate::rules::fingerprint::{SPLIT_MIX_STEP, mix};
use crate::rules::multisets::MultisetRanks;
use crate::rules::tiles::MAX_LETTERS;

/// The highest letter number that a map has room for.
pub const MAX_MAP_LETTERS: usize = 31;

/// The most words of a multiset.
const MAX_ANAGRAMS: usize = 255;

/// The most letters of all words together.
const MAX_TEXT: usize = 1 << 24;

/// Bits of the Bloom filter ([`HashTable::present`]) for each slot.
const BITS_A_SLOT: usize = 4;

/// Slots of the smallest table: its filter has two words, so that a bit of the hash chooses one.
const FEWEST_SLOTS: usize = 2 * 64 / BITS_A_SLOT;

/// The most letters of a multiset in the short table.
pub const SHORT: usize = 4;

/// How many times new keys are tried.
const ATTEMPTS: u64 = 16;

/// Words by the multiset of their letters.
#[derive(Clone, Debug)]
pub struct WordMap {
    keys: [u64; MAX_LETTERS + 1],
    last_letter: u8,
    /// Words one after another; anagrams are neighbours.
    text: Box<[u8]>,
    /// The place of the first letter in `text`, times 256, plus the number of words.
    anagrams: HashTable,
    /// Letter sets, as their lower 32 bits.
    with_blank: HashTable,
    /// The bits of each [`ShortEntry`], by number.
    short: Box<[u32]>,
    /// By position and letter, see [`WordMap::short_step`].
    short_steps: [[u32; MAX_MAP_LETTERS + 1]; SHORT],
}

/// The answers about a short multiset: the letters that a blank can be, as bits, and in bit 0 whether there are words without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct ShortEntry(u32);

impl ShortEntry {
    /// Whether it has words itself.
    #[inline]
    pub fn has_words(self) -> bool {
        self.0 & 1 != 0
    }

    /// The letters that a blank can be so that it and the multiset make a word.
    #[inline]
    pub fn blank_letters(self) -> LetterSet {
        LetterSet::from_bits(u64::from(self.0))
    }
}

/// Words with the same letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnagramClass(u32);

impl WordMap {
    /// The map of the words that are handed to the visitor. `None` for an alphabet that is too large, or words that are too many.
    pub fn new(for_each_word: impl FnOnce(&mut dyn FnMut(&[u8]))) -> Option<WordMap> {
        let mut words = Vec::new();
        let mut ends = Vec::new();
        for_each_word(&mut |word| {
            words.extend_from_slice(word);
            ends.push(words.len());
        });
        if words.len() > MAX_TEXT || words.iter().any(|&letter| usize::from(letter) > MAX_MAP_LETTERS) {
            return None;
        }
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let words: Vec<&[u8]> = starts.zip(&ends).map(|(start, &end)| &words[start..end]).collect();
        (0..ATTEMPTS).find_map(|attempt| WordMap::with_keys(&words, keys(attempt)))
    }

    /// `None` if these keys give two multisets the same hash, or one has too many words.
    fn with_keys(words: &[&[u8]], keys: [u64; MAX_LETTERS + 1]) -> Option<WordMap> {
        let hash = |word: &[u8]| word.iter().fold(0u64, |sum, &letter| sum.wrapping_add(keys[letter as usize]));
        let last_letter = words.iter().copied().flatten().copied().max().unwrap_or(0);
        let mut sorted: Vec<(u64, u32)> = words.iter().enumerate().map(|(at, word)| (hash(word), at as u32)).collect();
        // Sorting by hash makes the words of one multiset neighbours: a class.
        sorted.sort_unstable();
        let classes = || sorted.chunk_by(|one, other| one.0 == other.0);
        let mut anagrams = HashTable::with_room(classes().count());
        let mut with_blank = HashTable::with_room(classes().count() * 6);
        let (short_steps, multisets) = short_steps(last_letter);
        let mut short = vec![0; multisets].into_boxed_slice();
        let mut text = Vec::with_capacity(words.iter().map(|word| word.len()).sum());
        for class in classes() {
            let first = letter_counts(words[class[0].1 as usize]);
            // Equal hashes of different letters are a collision: other keys must be tried.
            if class.len() > MAX_ANAGRAMS || class.iter().any(|&(_, at)| letter_counts(words[at as usize]) != first) {
                return None;
            }
            if !anagrams.insert_new(class[0].0, (text.len() as u32) << 8 | class.len() as u32) {
                return None;
            }
            let length = words[class[0].1 as usize].len();
            // Each letter taken out leaves a multiset which a blank completes to this class.
            for letter in (1..=MAX_MAP_LETTERS).filter(|&letter| first[letter] > 0) {
                with_blank.insert_bits(class[0].0.wrapping_sub(keys[letter]), 1 << letter);
                if length <= SHORT + 1 {
                    let mut rest = first;
                    rest[letter] -= 1;
                    short[short_number(&short_steps, &rest)] |= 1 << letter;
                }
            }
            if length <= SHORT {
                short[short_number(&short_steps, &first)] |= 1;
            }
            // The text comes last: the entry above has the place where it begins.
            for &(_, at) in class {
                text.extend_from_slice(words[at as usize]);
            }
        }
        Some(WordMap { keys, last_letter, text: text.into_boxed_slice(), anagrams, with_blank, short, short_steps })
    }

    /// All letters of its words.
    #[inline]
    pub fn letters(&self) -> std::ops::RangeInclusive<u8> {
        1..=self.last_letter
    }

    /// What a letter adds to the hash of a multiset.
    #[inline]
    pub fn key(&self, letter: u8) -> u64 {
        self.keys[letter as usize]
    }

    /// The words with exactly the letters of this hash.
    #[inline]
    pub fn anagrams(&self, hash: u64) -> Option<AnagramClass> {
        let value = self.anagrams.get(hash);
        (value != 0).then_some(AnagramClass(value))
    }

    /// The letters that a blank can be so that it and the letters of this hash make a word.
    #[inline]
    pub fn blank_letters(&self, hash: u64) -> LetterSet {
        LetterSet::from_bits(u64::from(self.with_blank.get(hash)))
    }

    /// The answers about a multiset of up to [`SHORT`] letters. Its number is the sum of its letters' steps.
    #[inline]
    pub fn short(&self, number: u32) -> ShortEntry {
        ShortEntry(self.short[number as usize])
    }

    /// What a letter adds to the number of a short multiset in which `before` letters precede it in
    /// alphabetical order. Letters above all those of the words add 0: then the answer is about the
    /// other letters alone.
    #[inline]
    pub fn short_step(&self, letter: u8, before: usize) -> u32 {
        self.short_steps[before][letter as usize]
    }

    /// The words as letter numbers; `length` is that of their multiset.
    #[inline]
    pub fn words(&self, anagrams: AnagramClass, length: usize) -> impl Iterator<Item = &[u8]> {
        let start = (anagrams.0 >> 8) as usize;
        let count = (anagrams.0 & 0xff) as usize;
        // A hash that stands for other letters may stand for another length.
        let end = (start + count * length).min(self.text.len());
        self.text[start..end].chunks_exact(length)
    }

    /// The memory that it takes, in bytes.
    pub fn size(&self) -> usize {
        let table = |table: &HashTable| table.slots.len() * size_of::<HashSlot>() + table.present.len() * size_of::<u64>();
        self.text.len() + table(&self.anagrams) + table(&self.with_blank) + size_of_val(&self.short[..])
    }
}

/// The steps of [`WordMap::short_step`] for letters up to this one, and how many numbers there are: shorter multisets have lower ones.
fn short_steps(last_letter: u8) -> ([[u32; MAX_MAP_LETTERS + 1]; SHORT], usize) {
    let ranks = MultisetRanks::new(usize::from(last_letter));
    let mut steps = [[0; MAX_MAP_LETTERS + 1]; SHORT];
    let mut shorter = 0;
    for (before, steps) in steps.iter_mut().enumerate() {
        let of_this_size = ranks.count(before);
        shorter += of_this_size;
        for (kind, step) in steps[1..=usize::from(last_letter)].iter_mut().enumerate() {
            *step = (of_this_size + ranks.step(kind, before + 1)) as u32;
        }
    }
    (steps, shorter + ranks.count(SHORT))
}

/// The number of up to [`SHORT`] letters.
fn short_number(steps: &[[u32; MAX_MAP_LETTERS + 1]; SHORT], counts: &[u8; MAX_MAP_LETTERS + 1]) -> usize {
    let letters = counts.iter().enumerate().flat_map(|(letter, &count)| std::iter::repeat_n(letter, usize::from(count)));
    letters.zip(steps).map(|(letter, steps)| steps[letter] as usize).sum()
}

/// A key for each letter, from pseudo-random numbers that differ with each attempt.
fn keys(attempt: u64) -> [u64; MAX_LETTERS + 1] {
    let first = SPLIT_MIX_STEP.wrapping_mul(attempt + 1);
    std::array::from_fn(|letter| mix(first.wrapping_add(SPLIT_MIX_STEP.wrapping_mul(letter as u64))))
}

fn letter_counts(word: &[u8]) -> [u8; MAX_MAP_LETTERS + 1] {
    let mut counts = [0; MAX_MAP_LETTERS + 1];
    for &letter in word {
        counts[letter as usize] += 1;
    }
    counts
}

/// A hash table from hashes to numbers other than 0.
#[derive(Clone, Debug)]
struct HashTable {
    slots: Box<[HashSlot]>,
    shift: u32,
    /// A Bloom filter: each entry sets two bits of one word. It fits a cache that the slots do not, and most questions end here.
    present: Box<[u64]>,
    present_shift: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct HashSlot {
    check: u32,
    /// 0 in an empty slot.
    value: u32,
}

impl HashTable {
    /// A table that this many entries fill to two thirds at most.
    fn with_room(entries: usize) -> HashTable {
        let size = (entries * 3 / 2).next_power_of_two().max(FEWEST_SLOTS);
        let bits = size * BITS_A_SLOT;
        HashTable {
            slots: vec![HashSlot::default(); size].into_boxed_slice(),
            shift: 64 - size.trailing_zeros(),
            present: vec![0; bits / 64].into_boxed_slice(),
            present_shift: 64 - bits.trailing_zeros() + 6,
        }
    }

    #[inline]
    fn get(&self, hash: u64) -> u32 {
        let (at, bits) = self.trace(hash);
        if self.present[at] & bits != bits {
            return 0;
        }
        let mut at = (hash >> self.shift) as usize;
        loop {
            let slot = self.slots[at & (self.slots.len() - 1)];
            if slot.check == hash as u32 || slot.value == 0 {
                return slot.value;
            }
            at += 1;
        }
    }

    /// The word of `present` that a hash chooses, and its two bits.
    #[inline]
    fn trace(&self, hash: u64) -> (usize, u64) {
        let word = hash >> self.present_shift;
        (word as usize & (self.present.len() - 1), 1 << (hash >> 32 & 63) | 1 << (hash >> 26 & 63))
    }

    fn slot(&mut self, hash: u64) -> &mut HashSlot {
        let mask = self.slots.len() - 1;
        let mut at = (hash >> self.shift) as usize & mask;
        while self.slots[at].value != 0 && self.slots[at].check != hash as u32 {
            at = (at + 1) & mask;
        }
        let (word, bits) = self.trace(hash);
        self.present[word] |= bits;
        let slot = &mut self.slots[at];
        slot.check = hash as u32;
        slot
    }

    /// Sets the number for a hash, and returns whether it had none.
    fn insert_new(&mut self, hash: u64, value: u32) -> bool {
        let slot = self.slot(hash);
        let is_new = slot.value == 0;
        slot.value = value;
        is_new
    }

    fn insert_bits(&mut self, hash: u64, bits: u32) {
        self.slot(hash).value |= bits;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::{Lexicon, WordGraph};
    use crate::rules::multisets::for_each;
    use std::collections::HashMap;

    fn hash(map: &WordMap, letters: &[u8]) -> u64 {
        letters.iter().fold(0u64, |sum, &letter| sum.wrapping_add(map.key(letter)))
    }

    #[test]
    fn every_word_is_found_by_its_letters_and_with_each_of_them_as_a_blank() {
        let lexicon = Lexicon::builtin();
        let map = WordMap::new(|visit| lexicon.graph().for_each_word(visit)).unwrap();
        let mut classes: HashMap<Vec<u8>, Vec<Vec<u8>>> = HashMap::new();
        lexicon.graph().for_each_word(|word| {
            let mut sorted = word.to_vec();
            sorted.sort_unstable();
            classes.entry(sorted).or_default().push(word.to_vec());
        });
        let mut blanks: HashMap<Vec<u8>, LetterSet> = HashMap::new();
        for (letters, words) in &classes {
            let found: Vec<_> = map.words(map.anagrams(hash(&map, letters)).unwrap(), letters.len()).collect();
            assert_eq!(&found, words, "the words of a class, in the order of the list");
            for at in 0..letters.len() {
                let mut rest = letters.clone();
                let letter = rest.remove(at);
                let letters = blanks.entry(rest).or_default();
                *letters = letters.with_number(letter);
            }
        }
        for (rest, &letters) in &blanks {
            assert_eq!(map.blank_letters(hash(&map, rest)), letters, "{rest:?}");
        }
        assert!(map.size() < 24 << 20, "{}", map.size());
    }

    #[test]
    fn the_short_table_agrees_with_the_others() {
        let lexicon = Lexicon::builtin();
        let map = WordMap::new(|visit| lexicon.graph().for_each_word(visit)).unwrap();
        let counts = [SHORT as u8; 27];
        let mut seen = vec![false; map.short.len()];
        for size in 0..=SHORT {
            for_each(&counts[..26], size, &mut |tiles| {
                let letters: Vec<u8> = tiles.iter().map(|tile| tile + 1).collect();
                let number = letters.iter().enumerate().map(|(before, &letter)| map.short_step(letter, before)).sum();
                assert!(!std::mem::replace(&mut seen[number as usize], true), "{letters:?}");
                let hash = hash(&map, &letters);
                let expected = (map.blank_letters(hash), map.anagrams(hash).is_some());
                assert_eq!((map.short(number).blank_letters(), map.short(number).has_words()), expected, "{letters:?}");
            });
        }
        assert!(seen.iter().all(|&seen| seen));
    }

    #[test]
    fn a_list_may_have_one_word() {
        let graph = WordGraph::from_trusted_nodes(crate::lexicon::graph_builder::build(&[vec![3u8, 1, 20]]).unwrap());
        let map = WordMap::new(|visit| graph.for_each_word(visit)).unwrap();
        let found = map.anagrams(hash(&map, &[1, 3, 20])).unwrap();
        assert_eq!(map.words(found, 3).collect::<Vec<_>>(), [[3, 1, 20]]);
        assert_eq!((map.blank_letters(hash(&map, &[3, 20])), map.anagrams(hash(&map, &[3, 20]))), (LetterSet::EMPTY.with_number(1), None));
    }

    #[test]
    fn letters_without_words_have_none() {
        let lexicon = Lexicon::builtin();
        let map = WordMap::new(|visit| lexicon.graph().for_each_word(visit)).unwrap();
        let number = |word: &str| word.bytes().map(|letter| letter - b'A' + 1).collect::<Vec<_>>();
        for letters in ["", "A", "AAA", "QVWXZJK", "BCDFGHJKL"] {
            assert_eq!(map.anagrams(hash(&map, &number(letters))), None, "{letters}");
        }
        assert_eq!(map.blank_letters(hash(&map, &number("QVWXZJK"))), LetterSet::EMPTY);
    }

    #[test]
    fn a_large_alphabet_has_no_map() {
        let words = [vec![1u8, 32], vec![2, 3]];
        let graph = WordGraph::from_trusted_nodes(crate::lexicon::graph_builder::build(&words).unwrap());
        assert!(WordMap::new(|visit| graph.for_each_word(visit)).is_none());
    }
}
