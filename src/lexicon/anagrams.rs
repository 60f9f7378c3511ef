//! Words with letters in any order: whether letters form a word, and which letters complete one.
//!
//! The word map answers by a hash, which other letters may, very rarely, share. Here the letters are compared, so that the answers are exact.
//!
//! Not here: finding plays (`movegen/anagram_search.rs`). Start with [`Anagrams::is_word`].

use crate::lexicon::word_map::WordMap;
use crate::rules::LetterSet;
use crate::rules::tiles::MAX_LETTERS;
use std::sync::Arc;

/// The words of a list as multisets of letters.
#[derive(Clone, Debug)]
pub struct Anagrams {
    map: Arc<WordMap>,
}

impl Anagrams {
    /// The words of a map.
    pub fn new(map: Arc<WordMap>) -> Anagrams {
        Anagrams { map }
    }

    /// All letters of the words.
    #[inline]
    pub fn letters(&self) -> std::ops::RangeInclusive<u8> {
        self.map.letters()
    }

    /// What a letter adds to the hash of a multiset.
    #[inline]
    pub fn key(&self, letter: u8) -> u64 {
        self.map.key(letter)
    }

    /// The hash of letters in any order.
    #[inline]
    pub fn hash(&self, letters: &[u8]) -> u64 {
        letters.iter().fold(0, |sum: u64, &letter| sum.wrapping_add(self.map.key(letter)))
    }

    /// Whether these letters, with this hash, can be rearranged into a word.
    #[inline]
    pub fn is_word(&self, hash: u64, letters: &[u8]) -> bool {
        let Some(class) = self.map.anagrams(hash) else { return false };
        !letters.is_empty() && self.map.words(class, letters.len()).next().is_some_and(|word| has_same_letters(word, letters))
    }

    /// The words that these letters, with this hash, can be rearranged into, as letter numbers.
    pub fn spelled(&self, hash: u64, letters: &[u8]) -> impl Iterator<Item = &[u8]> {
        // If the hash is that of other letters, so are the words.
        let class = self.map.anagrams(hash).filter(|_| self.is_word(hash, letters));
        class.into_iter().flat_map(|class| self.map.words(class, letters.len()))
    }

    /// The letters of which each makes a word with these letters, which have this hash.
    pub fn completing(&self, hash: u64, letters: &[u8]) -> LetterSet {
        let may = self.map.blank_letters(hash);
        if may.is_empty() {
            return may;
        }
        let mut whole = letters.to_vec();
        whole.push(0);
        let mut complete = LetterSet::EMPTY;
        for letter in self.letters().filter(|&letter| may.has_number(letter)) {
            whole[letters.len()] = letter;
            if self.is_word(hash.wrapping_add(self.key(letter)), &whole) {
                complete = complete.with_number(letter);
            }
        }
        complete
    }
}

/// Whether two texts of the same length have each letter equally often.
fn has_same_letters(one: &[u8], other: &[u8]) -> bool {
    let mut counts = [0i8; MAX_LETTERS + 1];
    for (&one, &other) in one.iter().zip(other) {
        counts[usize::from(one)] += 1;
        counts[usize::from(other)] -= 1;
    }
    counts.iter().all(|&count| count == 0)
}

#[cfg(test)]
mod tests {
    use crate::lexicon::Lexicon;
    use crate::rules::GameRules;
    use crate::rules::variant::WordRule;
    use std::sync::Arc;

    #[test]
    fn letters_are_a_word_in_any_order_and_others_complete_them() {
        let english = GameRules::english().distribution.clone();
        let lexicon = Arc::new(Lexicon::from_words("t", &english, ["cat", "cart", "dog", "ad"]).unwrap());
        let any_order = lexicon.by_rule(WordRule::AnyOrder).unwrap();
        let letters = |text: &str| english.parse_word(text).unwrap();
        for (text, in_order, in_any_order) in [
            ("CAT", true, true),
            ("TCA", false, true),
            ("TRAC", false, true),
            ("DA", false, true),
            ("GO", false, false),
            ("CATT", false, false),
        ] {
            assert_eq!((lexicon.contains(&letters(text)), any_order.contains(&letters(text))), (in_order, in_any_order), "{text}");
        }
        let anagrams = any_order.graph().anagrams().unwrap();
        let completing = |text: &str| {
            let numbers: Vec<u8> = letters(text).iter().map(|letter| letter.number()).collect();
            let set = anagrams.completing(anagrams.hash(&numbers), &numbers);
            anagrams.letters().filter(|&letter| set.has_number(letter)).collect::<Vec<_>>()
        };
        let spelled = |text: &str| {
            let numbers: Vec<u8> = letters(text).iter().map(|letter| letter.number()).collect();
            let words = anagrams.spelled(anagrams.hash(&numbers), &numbers).map(<[u8]>::to_vec);
            words.collect::<Vec<_>>()
        };
        assert_eq!(spelled("TRAC"), [[3, 1, 18, 20]]);
        assert_eq!((spelled("GO"), spelled("")), (vec![], vec![]));
        assert_eq!(completing("TC"), [1]);
        assert_eq!(completing("TAC"), [18]);
        assert_eq!(completing("DO"), [7]);
        assert_eq!(completing("TT"), [] as [u8; 0]);
        let hooks = any_order.hooks(&letters("TAC"));
        assert_eq!((english.word_text(&hooks.front), english.word_text(&hooks.back)), ("R".to_string(), "R".to_string()));
    }

    #[test]
    fn words_that_no_map_has_room_for_have_no_other_order() {
        let graph = crate::lexicon::WordGraph::from_trusted_nodes(crate::lexicon::graph_builder::build(&[vec![1u8, 32]]).unwrap());
        let lexicon = Arc::new(Lexicon::from_graph("large", graph));
        assert!(Arc::ptr_eq(&lexicon.by_rule(WordRule::InOrder).unwrap(), &lexicon));
        let error = lexicon.by_rule(WordRule::AnyOrder).unwrap_err().to_string();
        assert_eq!(
            error,
            "the words of large cannot be read in any order: they have letters after the 31st of the alphabet, or there are too many"
        );
    }
}
