//! Detects the order in which the letters of a word graph are numbered.
//!
//! A word graph stores letters as numbers, by an alphabet that it does not name. Programs number the letters of a
//! language differently: for German, most use A, Ä, B, ..., and earlier versions of this program used A to Z, Ä, Ö, Ü.
//! Read in the wrong order, the words become other words, nearly all of which could be laid, so nobody would notice.
//! The frequencies of the letters distinguish the orders. The misfit of an order is the relative entropy of the letters
//! in the words, given the tiles of the alphabet, in nats:
//!
//! | words | in their own order | in other orders of the built-in letters |
//! |---|---|---|
//! | ENABLE | 0.06 | 0.16 and more |
//! | German, 179,986 words | 0.06 | 0.49 and more |
//! | Catalan, 582,236 words | 0.04 | 0.26 and more |
//! | French, 416,349 words | 0.07 | 0.21 and more |
//! | Spanish, 639,293 words | 0.08 | 0.38 and more |
//! | Norwegian, 810,642 alphagrams | 0.10 | 0.36 and more |
//!
//! Orders that differ only in letters without tiles, as in Norwegian, cannot be distinguished. The alphabet's own order
//! is then used.
//!
//! Not here: what follows from the answer (`tables.rs`). Start with [`other_order`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::formats::letter_distribution::built_in_names;
use crate::lexicon::WordGraph;
use crate::rules::LetterDistribution;
use crate::rules::distribution::TileSpec;
use crate::rules::tiles::MAX_LETTERS;

/// With fewer words, the frequencies of their letters mean too little.
pub const LEAST_WORDS: usize = 1000;

/// An order with a larger misfit is never taken for the one that a graph was made with.
const MOST_MISFIT: f64 = 0.15;

/// Another order is chosen only if its misfit, times this, is less than the misfit of the alphabet's own order.
const CLEARLY: f64 = 2.0;

/// A letter without tiles counts as this many tiles, because it occurs in words now and then.
const LEAST_TILES: f64 = 0.25;

/// Letters in an order.
#[derive(Clone, Debug, PartialEq)]
pub struct LetterOrder {
    /// The alphabet that they belong to.
    pub alphabet: String,
    /// Their faces by number, from 1.
    pub faces: Vec<String>,
    /// Tiles of each.
    tiles: Vec<f64>,
}

/// Returns the order of letters that a graph was made with, if it is clearly not the order of this alphabet.
///
/// Orders of the same letters are tried first, then those of all built-in alphabets.
pub fn other_order(graph: &WordGraph, distribution: &LetterDistribution) -> Option<LetterOrder> {
    let shares = shares_of(graph)?;
    let own = orders_of(distribution);
    let built_in: Vec<LetterOrder> =
        built_in_names().filter_map(LetterDistribution::built_in).flat_map(|letters| orders_of(&letters)).collect();
    // Alphabets that have the same letters in the same places read the same words.
    let asked: Vec<Option<&str>> = own.first()?.read(&shares).collect();
    let (same, other): (Vec<&LetterOrder>, Vec<&LetterOrder>) =
        own.iter().chain(&built_in).partition(|order| order.read(&shares).eq(asked.iter().copied()));
    let own_misfit = same.iter().map(|order| order.misfit(&shares)).fold(f64::INFINITY, f64::min);
    let is_better = |misfit: f64| misfit < MOST_MISFIT && misfit * CLEARLY < own_misfit;
    let best_of = |has_these_letters: bool| {
        let of_kind = other.iter().copied().filter(|order| (order.alphabet == distribution.name()) == has_these_letters);
        let best = of_kind.map(|order| (order.misfit(&shares), order)).min_by(|one, other| one.0.total_cmp(&other.0));
        best.filter(|&(misfit, _)| is_better(misfit)).map(|(_, order)| order)
    };
    let best = best_of(true).or_else(|| best_of(false))?;
    // Some alphabets number the letters in the same way, such as French and English: the first of them is named.
    other.iter().copied().find(|order| order.read(&shares).eq(best.read(&shares))).cloned()
}

/// The share of each letter in the words, with its number from 1; `None` for few words.
fn shares_of(graph: &WordGraph) -> Option<Vec<(usize, f64)>> {
    let mut counts = [0u32; MAX_LETTERS + 1];
    let mut words = 0;
    graph.for_each_word(|word| {
        words += 1;
        for &letter in word {
            if let Some(count) = counts.get_mut(usize::from(letter)) {
                *count += 1;
            }
        }
    });
    let all: f64 = counts.iter().copied().map(f64::from).sum();
    let shares = counts.iter().enumerate().filter(|(_, count)| **count > 0).map(|(number, &count)| (number, f64::from(count) / all));
    (words >= LEAST_WORDS).then(|| shares.collect())
}

/// The orders in which programs number the letters of an alphabet, its own first. In the others, the letters A to Z
/// come before all other letters, or letters without tiles have no numbers.
fn orders_of(distribution: &LetterDistribution) -> Vec<LetterOrder> {
    let specs: Vec<_> = distribution.letters().map(|letter| distribution.spec(letter.into())).collect();
    let with_tiles: Vec<_> = specs.iter().copied().filter(|spec| spec.count > 0).collect();
    let is_plain = |face: &str| face.len() == 1 && face.is_ascii();
    let orders = [specs, with_tiles].into_iter().flat_map(|specs| {
        let (plain, rest): (Vec<_>, Vec<_>) = specs.iter().partition(|spec| is_plain(&spec.face));
        [specs, [plain, rest].concat()]
    });
    let order = |specs: Vec<&TileSpec>| LetterOrder {
        alphabet: distribution.name().to_string(),
        faces: specs.iter().map(|spec| spec.face.clone()).collect(),
        tiles: specs.iter().map(|spec| f64::from(spec.count).max(LEAST_TILES)).collect(),
    };
    orders.map(order).collect()
}

impl LetterOrder {
    /// The face of a letter number.
    pub fn face(&self, number: usize) -> Option<&str> {
        self.faces.get(number.checked_sub(1)?).map(String::as_str)
    }

    /// The faces that these letters have.
    fn read(&self, shares: &[(usize, f64)]) -> impl Iterator<Item = Option<&str>> {
        shares.iter().map(|&(number, _)| self.face(number))
    }

    /// How badly shares of letters fit the shares of the tiles; infinite if a letter has no number here.
    fn misfit(&self, shares: &[(usize, f64)]) -> f64 {
        let all: f64 = self.tiles.iter().sum();
        let term = |&(number, share): &(usize, f64)| {
            let tiles = number.checked_sub(1).and_then(|index| self.tiles.get(index));
            tiles.map_or(f64::INFINITY, |tiles| share * (share * all / tiles).ln())
        };
        shares.iter().map(term).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::letter_distribution;
    use crate::lexicon::{Lexicon, SortedWords};
    use crate::rules::Letter;

    /// 3000 words of eight letters, in which letters are as frequent as the alphabet's tiles.
    fn words_like(letters: &LetterDistribution) -> Vec<Vec<Letter>> {
        let bag: Vec<Letter> =
            letters.letters().flat_map(|letter| std::iter::repeat_n(letter, usize::from(letters.count(letter.into())))).collect();
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            bag[(state >> 33) as usize % bag.len()]
        };
        (0..3000).map(|_| (0..8).map(|_| next()).collect()).collect()
    }

    /// A graph of the words of one alphabet, with the letter numbers of another.
    fn graph(words: &[Vec<Letter>], written: &LetterDistribution, numbered: &LetterDistribution) -> WordGraph {
        let texts: Vec<String> = words.iter().map(|word| written.word_text(word)).collect();
        SortedWords::from_words(numbered, texts.iter().map(String::as_str)).unwrap().graph().unwrap()
    }

    /// The letters of an alphabet in the order of a list of faces, as a file might have them.
    fn reordered(letters: &LetterDistribution, order: &LetterOrder) -> LetterDistribution {
        let mut text = "?,?,2,0,0\n".to_string();
        for face in &order.faces {
            let letter = letters.parse_word(&format!("[{face}]")).unwrap()[0];
            let spec = letters.spec(letter.into());
            text += &format!("{},{},{},{},{}\n", spec.face, spec.blank_face, spec.count, spec.value, u8::from(spec.is_vowel));
        }
        letter_distribution::parse(letters.name(), &text).unwrap()
    }

    #[test]
    fn every_order_of_the_letters_of_a_built_in_alphabet_is_recognised() {
        for name in built_in_names() {
            let letters = LetterDistribution::built_in(name).unwrap();
            let words = words_like(&letters);
            for order in orders_of(&letters) {
                let numbered = reordered(&letters, &order);
                let graph = graph(&words, &letters, &numbered);
                let shares = shares_of(&graph).unwrap();
                let found = other_order(&graph, &letters).unwrap_or_else(|| orders_of(&letters).remove(0));
                assert!(found.read(&shares).eq(order.read(&shares)), "{name} {:?}: {found:?}", order.faces);
                // A graph made with the alphabet's own letters, whatever their order, is accepted.
                assert_eq!(other_order(&graph, &numbered), None, "{name} {:?}", order.faces);
            }
        }
    }

    #[test]
    fn words_of_another_alphabet_are_recognised() {
        let english = Lexicon::builtin();
        let alphabet_of =
            |asked: &str| other_order(english.graph(), &LetterDistribution::built_in(asked).unwrap()).map(|order| order.alphabet);
        for asked in ["english", "english_super", "french", "dutch", "italian"] {
            assert_eq!(alphabet_of(asked), None, "the letters of {asked} have the same numbers");
        }
        for asked in ["german", "norwegian", "swedish"] {
            assert_eq!(alphabet_of(asked).as_deref(), Some(asked), "A to Z are among its letters");
        }
        for asked in ["spanish", "catalan", "polish", "danish", "portuguese"] {
            assert_eq!(alphabet_of(asked).as_deref(), Some("english"), "{asked}");
        }
    }

    #[test]
    fn few_words_say_nothing() {
        let german = LetterDistribution::built_in("german").unwrap();
        let english = LetterDistribution::english();
        let words = words_like(&english);
        assert!(other_order(&graph(&words[..900], &english, &english), &german).is_none());
    }
}
