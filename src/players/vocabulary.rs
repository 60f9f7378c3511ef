//! The words that a person knows: common words, and the words that people learn first for the game, which are short words and likely bingos.
//!
//! One person always knows a word or never does. The chance of knowing a word has two parts: having met it in life, by its class
//! ([`Commonness`]), and having learned it for the game, by its length and by the ways to draw its letters. Languages without such classes
//! have those of [`class_by_letters`].
//!
//! Where letters may be in any order, they are known if the person knows any word that they make.
//!
//! Not here: whether a known word is found on the board (`strategies/ladder.rs`). Start with [`Vocabulary::knows`].

use crate::lexicon::Lexicon;
use crate::lexicon::anagrams::Anagrams;
use crate::lexicon::commonness::{Commonness, WordClass, word_hash};
use crate::rules::tiles::{Letter, Tile};
use crate::rules::ways::likelihood;
use crate::rules::{GameRules, Rack};
use crate::search::randomness::{self, Stream};

/// The distance, in classes, from the class of which half of the words are known to that of which nearly three quarters are.
const COMMON_SCALE: f64 = 0.6;

/// The same distance for learned words, in the units of [`learning_rank`].
const LEARNED_SCALE: f64 = 0.08;

/// How far a person's vocabulary reaches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VocabularyReach {
    /// The class of which the person has met half of the words in life.
    pub common: f64,
    /// The rank at which the person has learned half of the words for the game.
    pub learned: f64,
}

/// The words that people with this reach know.
#[derive(Debug)]
pub struct Vocabulary<'a> {
    reach: VocabularyReach,
    /// The anagrams, if the letters of a word may be in any order.
    anagrams: Option<&'a Anagrams>,
    /// The classes of words, if the language has them.
    commonness: Option<&'static Commonness>,
    /// All tiles of the game.
    bag: Rack,
}

impl<'a> Vocabulary<'a> {
    /// Returns the vocabularies for this list of words.
    pub fn new(rules: &GameRules, lexicon: &'a Lexicon, reach: VocabularyReach) -> Vocabulary<'a> {
        let english = Commonness::english();
        Vocabulary {
            reach,
            anagrams: lexicon.graph().anagrams(),
            commonness: english.is_of_language(lexicon).then_some(english),
            bag: Rack::full_bag(&rules.distribution),
        }
    }

    /// Whether a person knows these letters as a word. Each person has a number.
    pub fn knows(&self, person: u64, letters: &[Letter]) -> bool {
        let numbers: Vec<u8> = letters.iter().map(|letter| letter.number()).collect();
        match self.anagrams {
            Some(anagrams) => anagrams.spelled(anagrams.hash(&numbers), &numbers).any(|word| self.knows_word(person, word)),
            None => self.knows_word(person, &numbers),
        }
    }

    fn knows_word(&self, person: u64, word: &[u8]) -> bool {
        randomness::fraction(person, Stream::Vocabulary, word_hash(word)) < self.chance(word)
    }

    /// Returns the chance that a person knows a word, which is given as letter numbers.
    fn chance(&self, word: &[u8]) -> f64 {
        let letters = word.iter().filter_map(|&number| Letter::new(number)).map(Tile::from).collect();
        let likelihood = likelihood(&self.bag, &letters);
        let class = match self.commonness {
            Some(commonness) => f64::from(commonness.class(word).number()),
            None => class_by_letters(word.len(), likelihood),
        };
        let met = share_within((self.reach.common - class) / COMMON_SCALE);
        let learned = share_within((self.reach.learned - learning_rank(word.len(), likelihood)) / LEARNED_SCALE);
        1.0 - (1.0 - met) * (1.0 - learned)
    }
}

/// Returns the share of words known at this distance inside the reach: one half at 0, nearly all from 4 on.
fn share_within(distance: f64) -> f64 {
    1.0 / (1.0 + (-distance).exp())
}

/// Returns when people learn a word for the game, from 0 for the first words to about 1 for late ones. Words of two and three letters come
/// first, then the likely words of seven and eight letters, which are bingos.
fn learning_rank(length: usize, likelihood: f64) -> f64 {
    let of_length = match length {
        0..=2 => 0.0,
        3 => 0.15,
        4 => 0.45,
        5 => 0.65,
        6 => 0.8,
        7 => 0.4,
        8 => 0.5,
        _ => 1.0,
    };
    of_length + if length >= 7 { (1.0 - likelihood).max(0.0) } else { 0.0 }
}

/// Returns the class of a word in a language without a list of common words. Short words of likely letters count as common.
fn class_by_letters(length: usize, likelihood: f64) -> f64 {
    let unlikely = 6.0 * (1.0 - likelihood).max(0.0);
    (0.5 * length.saturating_sub(2) as f64 + unlikely).min(f64::from(WordClass::RAREST.number()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::builder::plain_engine;
    use crate::rules::variant::WordRule;

    const REACH: VocabularyReach = VocabularyReach { common: 3.0, learned: 0.3 };

    fn numbers(text: &str) -> Vec<u8> {
        GameRules::english().distribution.parse_word(text).unwrap().iter().map(|letter| letter.number()).collect()
    }

    fn letters(text: &str) -> Rack {
        GameRules::english().distribution.parse_word(text).unwrap().into_iter().map(Tile::from).collect()
    }

    fn english(reach: VocabularyReach) -> Vocabulary<'static> {
        Vocabulary::new(&GameRules::english(), &plain_engine().knowledge().lexicon, reach)
    }

    /// The chances by hand: 1 minus the chance that the word was neither met nor learned.
    #[test]
    fn chances_are_those_of_class_length_and_letters() {
        let vocabulary = english(REACH);
        let logistic = |x: f64| x.exp() / (1.0 + x.exp());
        let check = |text: &str, class: f64, rank: f64| {
            let by_hand = 1.0 - (1.0 - logistic((3.0 - class) / 0.6)) * (1.0 - logistic((0.3 - rank) / 0.08));
            let told = vocabulary.chance(&numbers(text));
            assert!((told - by_hand).abs() < 1e-9, "{text}: {told}, not {by_hand}");
        };
        check("CAT", 0.0, 0.15);
        check("QI", 5.0, 0.0);
        check("ETUI", 6.0, 0.45);
        check("UNDERSTANDING", 0.0, 1.0 + 1.0 - likelihood(&vocabulary.bag, &letters("UNDERSTANDING")).min(1.0));
        // MUUMUUS needs all four Us, both Ms, and one S of four, or blanks in their places.
        let ways = 1.0 * 1.0 * 4.0 + 2.0 * (4.0 * 4.0 + 2.0 * 4.0 + 1.0) + (6.0 * 4.0 + 1.0 * 4.0 + 4.0 * 2.0 * 4.0 + 4.0 + 2.0);
        let likely = f64::log10(ways) / 6.0;
        assert!((likelihood(&vocabulary.bag, &letters("MUUMUUS")) - likely).abs() < 1e-9);
        check("MUUMUUS", 3.0, 0.4 + 1.0 - likely);
    }

    #[test]
    fn rare_and_long_words_are_known_less() {
        let vocabulary = english(REACH);
        let falls = |texts: &[&str]| {
            let chances: Vec<f64> = texts.iter().map(|text| vocabulary.chance(&numbers(text))).collect();
            assert!(chances.is_sorted_by(|one, other| one > other), "{texts:?}: {chances:?}");
        };
        // The class alone decides.
        falls(&["HOUSE", "SOLAR", "BAGEL", "AEGIS", "BOCCE", "ERNES", "ETUIS"]);
        // For words that are hardly met in life, length and letters decide.
        falls(&["ZA", "ZAX", "ETUI"]);
        falls(&["ANESTRI", "ZYZZYVA"]);
        for (less, more) in [(REACH, VocabularyReach { common: 4.0, ..REACH }), (REACH, VocabularyReach { learned: 0.6, ..REACH })] {
            for text in ["CAT", "QI", "ETUI", "ANESTRI"] {
                assert!(english(less).chance(&numbers(text)) < english(more).chance(&numbers(text)), "{text}");
            }
        }
    }

    #[test]
    fn a_person_knows_a_word_always_or_never_and_others_know_other_words() {
        let vocabulary = english(REACH);
        let words: Vec<_> = include_str!("../../lexicons/enable.txt").lines().step_by(97).collect();
        let letters = |text: &str| GameRules::english().distribution.parse_word(text).unwrap();
        let known = |vocabulary: &Vocabulary<'_>, person: u64| {
            words.iter().map(|text| vocabulary.knows(person, &letters(text))).collect::<Vec<_>>()
        };
        let first = known(&vocabulary, 1);
        assert_eq!(first, known(&english(REACH), 1));
        let other = known(&vocabulary, 2);
        assert!(first.iter().zip(&other).filter(|(one, other)| one != other).count() > words.len() / 20);
        // The number of known words agrees with the chances.
        let expected: f64 = words.iter().map(|text| vocabulary.chance(&numbers(text))).sum();
        let count = first.iter().filter(|known| **known).count() as f64;
        assert!((count - expected).abs() < 4.0 * expected.sqrt(), "{count} words, {expected} expected");
    }

    #[test]
    fn in_any_order_letters_are_known_by_any_word_that_they_make() {
        let lexicon = plain_engine().knowledge().lexicon.by_rule(WordRule::AnyOrder).unwrap();
        let rules = GameRules::english();
        let any_order = Vocabulary::new(&rules, &lexicon, REACH);
        let in_order = english(REACH);
        let letters = |text: &str| rules.distribution.parse_word(text).unwrap();
        let words = ["STARE", "TARES", "TEARS", "RATES", "ASTER", "ARETS", "AREST", "TASER", "RESAT"];
        for person in 0..200 {
            let any = any_order.knows(person, &letters("STARE"));
            assert_eq!(any, any_order.knows(person, &letters("RTSAE")), "the order does not matter");
            let known = words.iter().any(|word| lexicon.list().contains(&letters(word)) && in_order.knows(person, &letters(word)));
            assert_eq!(any, known, "person {person}");
        }
        assert!((0..200).all(|person| !any_order.knows(person, &letters("ZQ"))));
    }

    #[test]
    fn words_of_other_languages_are_known_by_length_and_letters() {
        let rules = GameRules::english();
        let lexicon = Lexicon::from_words("t", &rules.distribution, ["OUI", "MAISON", "ZYGOMYCETE"]).unwrap();
        let vocabulary = Vocabulary::new(&rules, &lexicon, REACH);
        assert!(vocabulary.commonness.is_none());
        let [short, longer, long] = ["OUI", "MAISON", "ZYGOMYCETE"].map(|text| vocabulary.chance(&numbers(text)));
        assert!(short > longer && longer > long, "{short} {longer} {long}");
    }
}
