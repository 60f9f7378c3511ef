//! The definitions of a word list: the text after each word on its line.
//!
//! All definitions are one text, so that those of 280,000 words take no more memory than they take in the file. Not here: which part of a
//! line is a definition (`sorted_words.rs`). Start with [`Definitions::of`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::rules::Letter;

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

    /// Memory, bytes.
    pub(super) fn size(&self) -> usize {
        self.text.len() + size_of_val(&self.starts[..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
