//! Words by the multiset of their letters: which words have exactly these letters, and which letters a blank can be.
//!
//! The generator asks this for parts of a rack together with letters on the board; nearly every answer is "none", so what
//! counts is that a question costs one look into one small table. A multiset's hash is the sum of its letters' keys: that of
//! a union is a sum too.
//!
//! | table | entry | number for ENABLE |
//! |---|---|---|
//! | anagrams | multiset -> its words | 152,000 |
//! | with a blank, short | multiset of up to four letters -> letters that complete it to one of the above | 21,000 |
//! | with a blank, long | the same for more letters | 780,000 |
//!
//! The generator asks first and most about short multisets, the parts of a rack: their table fits a cache.
//!
//! A table keeps 32 bits of a hash beside the place that other bits chose. So an answer may, very rarely, be about other letters:
//! who takes a word checks its letters. No word is ever missed: sets of letters that would be mixed up get other keys.
//!
//! Source of the idea: the word map of MAGPIE, after González and Alquézar, ALGORITHMS 1.1.6. The layout is our own.

use crate::lexicon::word_graph::WordGraph;
use crate::rules::tiles::MAX_LETTERS;

/// The most letters of an alphabet that a map has room for.
const MAX_MAP_LETTERS: usize = 31;

/// The most words of a multiset.
const MAX_ANAGRAMS: usize = 255;

/// The most letters of all words together.
const MAX_TEXT: usize = 1 << 24;

/// Bits of [`Table::present`] for each slot.
const BITS_A_SLOT: usize = 4;

/// The most letters of a multiset in the short table.
const SHORT: usize = 4;

/// How often other keys are tried.
const ATTEMPTS: u64 = 16;

/// See the module's text.
#[derive(Clone, Debug)]
pub struct WordMap {
    keys: [u64; MAX_LETTERS + 1],
    last_letter: u8,
    /// Words one behind the other; anagrams are neighbours.
    text: Box<[u8]>,
    /// First letter in `text`, times 256, and the number of words.
    anagrams: Table,
    /// A letter set. The first table is for up to [`SHORT`] letters.
    with_blank: [Table; 2],
}

/// Words with the same letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anagrams(u32);

impl WordMap {
    /// The map of a graph's words. `None` for an alphabet that is too large, or words that are too many.
    pub fn new(graph: &WordGraph) -> Option<WordMap> {
        let mut words = Vec::new();
        let mut ends = Vec::new();
        graph.for_each_word(|word| {
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

    /// `None` if these keys mix up two multisets, or one has too many words.
    fn with_keys(words: &[&[u8]], keys: [u64; MAX_LETTERS + 1]) -> Option<WordMap> {
        let hash = |word: &[u8]| word.iter().fold(0u64, |sum, &letter| sum.wrapping_add(keys[letter as usize]));
        let last_letter = words.iter().copied().flatten().copied().max().unwrap_or(0);
        let mut sorted: Vec<(u64, u32)> = words.iter().enumerate().map(|(at, word)| (hash(word), at as u32)).collect();
        sorted.sort_unstable();
        let classes = || sorted.chunk_by(|one, other| one.0 == other.0);
        let mut anagrams = Table::with_room(classes().count());
        let mut with_blank = [Table::with_room(multisets(last_letter, SHORT)), Table::with_room(classes().count() * 6)];
        let mut text = Vec::with_capacity(words.iter().map(|word| word.len()).sum());
        for class in classes() {
            let first = letter_counts(words[class[0].1 as usize]);
            if class.len() > MAX_ANAGRAMS || class.iter().any(|&(_, at)| letter_counts(words[at as usize]) != first) {
                return None;
            }
            if !anagrams.insert_new(class[0].0, (text.len() as u32) << 8 | class.len() as u32) {
                return None;
            }
            for letter in (1..=MAX_MAP_LETTERS).filter(|&letter| first[letter] > 0) {
                let table = &mut with_blank[which(words[class[0].1 as usize].len())];
                table.insert_bits(class[0].0.wrapping_sub(keys[letter]), 1 << letter);
            }
            for &(_, at) in class {
                text.extend_from_slice(words[at as usize]);
            }
        }
        Some(WordMap { keys, last_letter, text: text.into_boxed_slice(), anagrams, with_blank })
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
    pub fn anagrams(&self, hash: u64) -> Option<Anagrams> {
        let value = self.anagrams.get(hash);
        (value != 0).then_some(Anagrams(value))
    }

    /// The letters that a blank can be so that it and the letters of this hash make a word of this length.
    #[inline]
    pub fn blank_letters(&self, hash: u64, length: usize) -> u32 {
        self.with_blank[which(length)].get(hash)
    }

    /// The words as letter numbers; `length` is that of their multiset.
    #[inline]
    pub fn words(&self, anagrams: Anagrams, length: usize) -> impl Iterator<Item = &[u8]> {
        let start = (anagrams.0 >> 8) as usize;
        let count = (anagrams.0 & 0xff) as usize;
        // A hash that stands for other letters may stand for another length.
        let end = (start + count * length).min(self.text.len());
        self.text[start..end].chunks_exact(length)
    }

    /// Memory, bytes.
    pub fn size(&self) -> usize {
        let table = |table: &Table| table.slots.len() * size_of::<Slot>() + table.present.len() * size_of::<u64>();
        self.text.len() + table(&self.anagrams) + self.with_blank.iter().map(table).sum::<usize>()
    }
}

/// The table of the multisets that a blank completes to words of this length.
#[inline]
fn which(length: usize) -> usize {
    usize::from(length > SHORT + 1)
}

/// How many multisets there are of up to `most` of so many letters.
fn multisets(letters: u8, most: usize) -> usize {
    (1..=most).fold(1, |product, taken| product * (usize::from(letters) + taken) / taken)
}

fn keys(attempt: u64) -> [u64; MAX_LETTERS + 1] {
    // Steele, Lea and Flood's SplitMix64: numbers without a pattern.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(attempt + 1);
    std::array::from_fn(|_| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    })
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
struct Table {
    slots: Box<[Slot]>,
    shift: u32,
    /// A Bloom filter: each entry sets two bits of one word. It fits a cache that the slots do not, and most questions end here.
    present: Box<[u64]>,
    present_shift: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    check: u32,
    /// 0 in an empty slot.
    value: u32,
}

impl Table {
    /// At most two thirds full.
    fn with_room(entries: usize) -> Table {
        let size = (entries * 3 / 2).next_power_of_two().max(16);
        let bits = size * BITS_A_SLOT;
        Table {
            slots: vec![Slot::default(); size].into_boxed_slice(),
            shift: 64 - size.trailing_zeros(),
            present: vec![0; bits.div_ceil(64)].into_boxed_slice(),
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

    fn slot(&mut self, hash: u64) -> &mut Slot {
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

    /// Whether there was none for this hash.
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
    use crate::lexicon::Lexicon;
    use std::collections::HashMap;

    fn hash(map: &WordMap, letters: &[u8]) -> u64 {
        letters.iter().fold(0u64, |sum, &letter| sum.wrapping_add(map.key(letter)))
    }

    #[test]
    fn every_word_is_found_by_its_letters_and_with_each_of_them_as_a_blank() {
        let lexicon = Lexicon::builtin();
        let map = WordMap::new(lexicon.graph()).unwrap();
        let mut classes: HashMap<Vec<u8>, Vec<Vec<u8>>> = HashMap::new();
        lexicon.graph().for_each_word(|word| {
            let mut sorted = word.to_vec();
            sorted.sort_unstable();
            classes.entry(sorted).or_default().push(word.to_vec());
        });
        let mut blanks: HashMap<Vec<u8>, u32> = HashMap::new();
        for (letters, words) in &classes {
            let found: Vec<_> = map.words(map.anagrams(hash(&map, letters)).unwrap(), letters.len()).collect();
            assert_eq!(&found, words, "the words of a class, in the order of the list");
            for at in 0..letters.len() {
                let mut rest = letters.clone();
                let letter = rest.remove(at);
                *blanks.entry(rest).or_default() |= 1 << letter;
            }
        }
        for (rest, &letters) in &blanks {
            assert_eq!(map.blank_letters(hash(&map, rest), rest.len() + 1), letters, "{rest:?}");
        }
        assert!(map.size() < 24 << 20, "{}", map.size());
    }

    #[test]
    fn letters_without_words_have_none() {
        let lexicon = Lexicon::builtin();
        let map = WordMap::new(lexicon.graph()).unwrap();
        let number = |word: &str| word.bytes().map(|letter| letter - b'A' + 1).collect::<Vec<_>>();
        for letters in ["", "A", "AAA", "QVWXZJK", "BCDFGHJKL"] {
            assert_eq!(map.anagrams(hash(&map, &number(letters))), None, "{letters}");
        }
        assert_eq!(map.blank_letters(hash(&map, &number("QVWXZJK")), 8), 0);
    }

    #[test]
    fn a_large_alphabet_has_no_map() {
        let words = [vec![1u8, 32], vec![2, 3]];
        let graph = WordGraph::from_trusted_nodes(crate::lexicon::graph_builder::build(&words).unwrap());
        assert!(WordMap::new(&graph).is_none());
    }
}
