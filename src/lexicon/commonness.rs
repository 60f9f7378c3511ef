//! How common English words are: a class for each word of the built-in list, by the sizes of the lists of SCOWL.
//! `lexicons/README.md` says what is taken from there.
//!
//! Not here: the vocabulary of a person (`players/vocabulary.rs`). Start with [`Commonness::english`].

use crate::lexicon::bundle::{Lexicon, builtin_list};
use crate::rules::Letter;
use crate::rules::fingerprint::{Fingerprint, mix};
use std::sync::LazyLock;

/// Two classes per character, in the order of the built-in list; `scripts/commonness` describes and makes it.
const BUILTIN: &str = include_str!("../../lexicons/enable.commonness");

/// The character for two words of class 0.
const FIRST_CHARACTER: u8 = b'0';

/// Bits of an entry that hold the class.
const CLASS_BITS: u32 = 3;
const CLASS_MASK: u64 = (1 << CLASS_BITS) - 1;

/// Every this many words of class 0, one is in the sample that shows whether a list is English.
const SAMPLED: usize = 16;

/// How common a word is, from 0, the commonest, to [`WordClass::RAREST`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WordClass(u8);

impl WordClass {
    /// The class of the rarest words, and of words that are not in the built-in list.
    pub const RAREST: WordClass = WordClass(6);

    /// How many there are.
    pub const COUNT: usize = WordClass::RAREST.0 as usize + 1;

    /// Its number.
    pub const fn number(self) -> u8 {
        self.0
    }
}

/// The classes of words.
#[derive(Debug)]
pub struct Commonness {
    /// A number for each word, in order: the bits of its hash, the lowest of them replaced by its class.
    ///
    /// PERF: 1.4 MB. A map of the words would make the program larger by as much as the word list.
    entries: Box<[u64]>,
    /// Some of the commonest words, as letter numbers.
    commonest: Vec<Vec<u8>>,
}

impl Commonness {
    /// The classes of English words, by the letters A to Z. The first call takes a few hundredths of a second.
    pub fn english() -> &'static Commonness {
        static ENGLISH: LazyLock<Commonness> = LazyLock::new(|| {
            let of_two = |byte: u8| {
                let both = byte - FIRST_CHARACTER;
                [both / WordClass::COUNT as u8, both % WordClass::COUNT as u8]
            };
            let packed = BUILTIN.lines().filter(|line| !line.starts_with('#')).flat_map(str::bytes);
            Commonness::new(builtin_list().words(), packed.flat_map(of_two).map(WordClass))
        });
        &ENGLISH
    }

    /// Words with their classes.
    fn new(words: Vec<Vec<u8>>, classes: impl Iterator<Item = WordClass>) -> Commonness {
        let classes: Vec<WordClass> = classes.take(words.len()).collect();
        assert_eq!(words.len(), classes.len(), "each word has a class");
        let entry = |(word, class): (&Vec<u8>, &WordClass)| (word_hash(word) & !CLASS_MASK) | u64::from(class.number());
        let mut entries: Vec<u64> = words.iter().zip(&classes).map(entry).collect();
        entries.sort_unstable();
        let commonest = words.into_iter().zip(classes).filter(|(_, class)| class.number() == 0).map(|(word, _)| word);
        Commonness { entries: entries.into_boxed_slice(), commonest: commonest.step_by(SAMPLED).collect() }
    }

    /// The class of a word, as letter numbers.
    pub fn class(&self, word: &[u8]) -> WordClass {
        let hash = word_hash(word) & !CLASS_MASK;
        let at = self.entries.partition_point(|&entry| entry < hash);
        match self.entries.get(at) {
            Some(&entry) if entry & !CLASS_MASK == hash => WordClass((entry & CLASS_MASK) as u8),
            _ => WordClass::RAREST,
        }
    }

    /// Whether a list is of this language: it has nine in ten of a sample of the commonest words.
    pub fn is_of_language(&self, lexicon: &Lexicon) -> bool {
        let letters = |word: &[u8]| word.iter().filter_map(|&number| Letter::new(number)).collect::<Vec<_>>();
        let there = self.commonest.iter().filter(|word| lexicon.contains(&letters(word))).count();
        10 * there >= 9 * self.commonest.len()
    }
}

/// A hash of a word, as letter numbers: the same in every program.
pub fn word_hash(word: &[u8]) -> u64 {
    let mut hash = Fingerprint::default();
    hash.add(word.iter().copied());
    mix(hash.value())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::LetterDistribution;
    use std::collections::HashMap;

    fn class(text: &str) -> u8 {
        let letters = LetterDistribution::english().parse_word(text).unwrap();
        Commonness::english().class(&letters.iter().map(|letter| letter.number()).collect::<Vec<_>>()).number()
    }

    #[test]
    fn words_have_their_classes() {
        let told = ["CAT", "QUIZ", "RETINAS", "MUUMUU", "QI", "ZA", "AA", "QZX"].map(class);
        assert_eq!(told, [0, 1, 2, 3, 5, 6, 6, 6]);
    }

    /// Each word of the list keeps its class through the hash, so no two of them share one.
    #[test]
    fn every_word_is_found() {
        let (words, packed) = (include_str!("../../lexicons/enable.txt").lines(), BUILTIN.lines().skip(2).collect::<String>());
        let mut counts: HashMap<u8, usize> = HashMap::new();
        for (at, text) in words.enumerate() {
            let both = packed.as_bytes()[at / 2] - b'0';
            let expected = if at % 2 == 0 { both / 7 } else { both % 7 };
            let letters: Vec<u8> = text.bytes().map(|byte| byte - b'A' + 1).collect();
            assert_eq!(Commonness::english().class(&letters).number(), expected, "{text}");
            *counts.entry(expected).or_default() += 1;
        }
        // As the script counts them.
        assert_eq!([0, 1, 2, 3, 4, 5, 6].map(|class| counts[&class]), [4030, 7147, 29389, 22648, 14191, 27573, 63893]);
    }

    #[test]
    fn a_list_is_english_by_its_commonest_words() {
        let english = LetterDistribution::english();
        assert!(Commonness::english().is_of_language(&Lexicon::builtin()));
        let others = Lexicon::from_words("t", &english, ["CAT", "DOG", "MAISON"]).unwrap();
        assert!(!Commonness::english().is_of_language(&others));
        let most = include_str!("../../lexicons/enable.txt").lines().enumerate().filter(|(at, _)| at % 20 > 0).map(|(_, word)| word);
        assert!(Commonness::english().is_of_language(&Lexicon::from_words("t", &english, most).unwrap()));
    }
}
