//! Word study: alphagrams, the letters that words share, by how many ways there are to draw them.
//!
//! Programs for learning words list them in this order, so that the letters that come to a rack most often are learned first. Not here: questions for
//! single words (`word_list.rs`), and what the command line selects (`cli/lexicon.rs`). Start with [`alphagrams`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::lexicon::word_list::WordList;
use crate::rules::{Letter, LetterDistribution, Rack, ways};
use std::collections::HashMap;

/// Letters that make words.
#[derive(Clone, PartialEq, Debug)]
pub struct Alphagram {
    /// The letters.
    pub letters: Rack,
    /// The words, in the order of the alphabet: at least one.
    pub words: Vec<Vec<Letter>>,
    /// The number of ways to draw tiles that spell them from a full bag, where every tile is distinct.
    pub ways: f64,
    /// The place among the alphagrams of this length: 1 for the one with the most ways; equal ones are in the order of the alphabet.
    pub rank: usize,
}

/// All alphagrams of a list: short ones first, then by rank. At most `blanks` of the tiles drawn are blanks.
pub fn alphagrams(list: &WordList, distribution: &LetterDistribution, blanks: usize) -> Vec<Alphagram> {
    let pool = Rack::full_bag(distribution);
    let mut by_letters: HashMap<Rack, Vec<Vec<Letter>>> = HashMap::new();
    for word in list.words() {
        let word: Vec<Letter> = word.into_iter().filter_map(Letter::new).collect();
        let letters = word.iter().map(|&letter| letter.into()).collect();
        by_letters.entry(letters).or_default().push(word);
    }
    let set = |(letters, words)| Alphagram { letters, words, ways: ways::draws_with_blanks(&pool, &letters, blanks), rank: 0 };
    let mut sets: Vec<Alphagram> = by_letters.into_iter().map(set).collect();
    let tiles = |set: &Alphagram| set.letters.tiles().collect::<Vec<_>>();
    let length = |set: &Alphagram| set.letters.len();
    sets.sort_by(|a, b| length(a).cmp(&length(b)).then(b.ways.total_cmp(&a.ways)).then_with(|| tiles(a).cmp(&tiles(b))));
    let (mut rank, mut last) = (0, 0);
    for set in &mut sets {
        rank = if set.letters.len() == last { rank + 1 } else { 1 };
        (set.rank, last) = (rank, set.letters.len());
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Lexicon;

    #[test]
    fn alphagrams_are_ranked_within_their_length() {
        let english = LetterDistribution::english();
        let lexicon = Lexicon::from_words("pets", &english, ["act", "cat", "oe", "zoea", "tea", "eat", "ate", "zzz"]).unwrap();
        let told = |blanks| {
            let text = |set: &Alphagram| {
                let words: Vec<String> = set.words.iter().map(|word| english.word_text(word)).collect();
                format!("{} {} {} {}", set.letters.text(&english), set.rank, set.ways, words.join("|"))
            };
            alphagrams(lexicon.list(), &english, blanks).iter().map(text).collect::<Vec<_>>()
        };
        // Without blanks: 8 O and 12 E; 9 A, 12 E, 6 T; 9 A, 2 C, 6 T; no three Z.
        assert_eq!(told(0), ["EO 1 96 OE", "AET 1 648 ATE|EAT|TEA", "ACT 2 108 ACT|CAT", "ZZZ 3 0 ZZZ", "AEOZ 1 864 ZOEA"]);
        // With a blank for one of them: 2 times 20, and one way of two blanks.
        assert_eq!(told(2)[0], "EO 1 137 OE");
        assert_eq!(told(2)[3], "ZZZ 3 1 ZZZ", "two blanks and the Z");
    }
}
