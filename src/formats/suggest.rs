//! "Did you mean": suggests the known word closest to an unknown one. Also for the command line.
//!
//! Not here: what is done about it. Start with [`nearest`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use std::cmp::Reverse;

/// Texts shorter than this are close to too many words.
const LEAST_CHARACTERS: usize = 3;

/// Longer texts are not words, and a distance to megabytes would take seconds.
const MOST_BYTES: usize = 64;

/// Returns the word that was probably meant: one that a few slips of the fingers turn into the text, or else one that begins with it.
/// Ignores case.
pub fn nearest<'a>(text: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if text.len() > MOST_BYTES {
        return None;
    }
    let text = text.to_lowercase();
    let characters = text.chars().count();
    // A text without a letter is a number or a sign, not a word.
    if characters < LEAST_CHARACTERS || !text.chars().any(char::is_alphabetic) {
        return None;
    }
    let likeness = |word: &str| {
        let word = word.to_lowercase();
        // Letters left out, put in, replaced, or swapped with the next one.
        let slips = strsim::osa_distance(&text, &word);
        if slips <= slips_allowed(characters) {
            Some(Likeness::Slips(Reverse(slips)))
        } else {
            word.starts_with(&text).then_some(Likeness::Beginning(Reverse(word.chars().count())))
        }
    };
    let candidates = words.into_iter().filter_map(|word| Some((likeness(word)?, word)));
    // Of equally near ones the first.
    candidates.reduce(|best, other| if other.0 > best.0 { other } else { best }).map(|(_, word)| word)
}

/// Returns `, did you mean movetime?`, or nothing if no word is close.
pub fn did_you_mean<'a>(text: &str, words: impl IntoIterator<Item = &'a str>) -> String {
    nearest(text, words).map_or(String::new(), |word| format!(", did you mean {word}?"))
}

/// How much a word is like a text, the least alike first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Likeness {
    /// The word begins with the text. A shorter word is nearer.
    Beginning(Reverse<usize>),
    /// The number of slips between them.
    Slips(Reverse<usize>),
}

/// Returns 1 for three to five letters, 2 for more.
fn slips_allowed(characters: usize) -> usize {
    if characters < 6 { 1 } else { 2 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: [&str; 9] = ["go", "position", "isready", "movetime", "mytime", "iterations", "infinite", "info", "lexicon"];

    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(nearest(text, WORDS), expected, "{text}");
    }

    #[test]
    fn slips_of_the_fingers_are_seen_through() {
        check("moevtime", Some("movetime"));
        check("MoveTime", Some("movetime"));
        check("mvetime", Some("movetime"));
        check("movetimes", Some("movetime"));
        check("psoitoin", Some("position"));
        check("israedy", Some("isready"));
        check("lexcion", Some("lexicon"));
        check("goo", Some("go"));
    }

    #[test]
    fn a_beginning_is_enough_but_a_slip_is_nearer() {
        check("iter", Some("iterations"));
        check("pos", Some("position"));
        check("inf", Some("info"));
        check("infin", Some("infinite"));
    }

    #[test]
    fn what_is_far_from_every_word_or_is_no_word_is_left_alone() {
        for text in ["", "i", "op", "ponder", "frobnicate", "1000", "8H", "-20", "movestogo", "ÄÖÜ"] {
            check(text, None);
        }
        check(&"position".repeat(1 << 20), None);
    }

    #[test]
    fn of_equally_near_words_the_first_is_taken() {
        assert_eq!(nearest("btime", ["1time", "2time"]), Some("1time"));
        assert_eq!(nearest("btime", ["2time", "1time"]), Some("2time"));
    }
}
