//! Solves Superghost, in which players add letters at either end, and completing a word loses.
//!
//! A letter may be added if the fragment is still part of some word that counts; a player who adds any other letter loses the challenge
//! that follows. Therefore the fragments are the parts of words, and their values follow from those that are a letter longer. All parts
//! of one length are a sorted list. A fragment that loses, and is not a word, makes its two parts that are a letter shorter win. The lists
//! are worked through from the longest parts to the shortest. ENABLE has 1.0 million fragments, solved in a second and 20 MB.
//!
//! A fragment is a number: 6 bits a letter, the last letter lowest. No word of a board is longer than 21 letters, 126 bits.
//!
//! Not here: the game in which letters are added at the end (`classic.rs`). Start with [`Superghost::solve`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::ghost::classic::{Ghost, GhostError, GhostPlayer};
use crate::lexicon::word_graph::WordGraph;
use crate::rules::Letter;
use crate::rules::layout::MAX_DIM;

/// Bits of a letter.
const LETTER_BITS: usize = 6;

const _: () = assert!(MAX_DIM * LETTER_BITS <= 128 && crate::rules::tiles::MAX_LETTERS < 1 << LETTER_BITS);

/// An end of a fragment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FragmentEnd {
    /// Before its first letter.
    Front,
    /// After its last letter.
    Back,
}

/// A letter that may be added to a fragment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SuperghostLetter {
    /// The end to which it is added.
    pub side: FragmentEnd,
    /// The letter.
    pub letter: Letter,
    /// Whether it completes a word that counts.
    pub is_word: bool,
    /// The winner after it, as seen by the player who adds it.
    pub winner: GhostPlayer,
}

/// A fragment, which is a part of a word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct PackedFragment(u128);

impl PackedFragment {
    fn of(letters: impl Iterator<Item = u8>) -> PackedFragment {
        PackedFragment(letters.fold(0, |bits, letter| bits << LETTER_BITS | u128::from(letter)))
    }

    fn with(self, side: FragmentEnd, letter: u8, length: usize) -> PackedFragment {
        match side {
            FragmentEnd::Front => PackedFragment(self.0 | u128::from(letter) << (LETTER_BITS * length)),
            FragmentEnd::Back => PackedFragment(self.0 << LETTER_BITS | u128::from(letter)),
        }
    }

    /// The two parts of a fragment that are a letter shorter.
    fn shorter(self, length: usize) -> [PackedFragment; 2] {
        let without_first = self.0 & ((1 << (LETTER_BITS * (length - 1))) - 1);
        [PackedFragment(without_first), PackedFragment(self.0 >> LETTER_BITS)]
    }
}

/// All fragments of one length.
#[derive(Clone, Debug, Default)]
struct FragmentsOfLength {
    /// In rising order.
    fragments: Vec<PackedFragment>,
    /// By fragment: whether it is a word that counts.
    is_word: Vec<bool>,
    /// By fragment: whether the player who must add a letter wins.
    mover_wins: Vec<bool>,
}

impl FragmentsOfLength {
    fn find(&self, fragment: PackedFragment) -> Option<usize> {
        self.fragments.binary_search(&fragment).ok()
    }

    /// The winner from a fragment on, and whether the fragment is a word.
    fn value(&self, fragment: PackedFragment) -> Option<(GhostPlayer, bool)> {
        let at = self.find(fragment)?;
        let winner = if *self.mover_wins.get(at)? { GhostPlayer::Mover } else { GhostPlayer::Other };
        Some((winner, *self.is_word.get(at)?))
    }
}

/// All fragments of a word list, with the winner from each.
///
/// ```
/// use tilewright::rules::LetterDistribution;
/// use tilewright::ghost::{GhostPlayer, Superghost};
/// use tilewright::lexicon::Lexicon;
///
/// let alphabet = LetterDistribution::english();
/// let lexicon = Lexicon::from_words("toy", &alphabet, ["cat", "cats", "scat", "at"])?;
/// let game = Superghost::solve(lexicon.graph(), 3)?;
/// // From CA only CAT and SCA are possible, and after SCA only SCAT.
/// assert_eq!(game.winner(&alphabet.parse_word("CA")?)?, GhostPlayer::Mover);
/// assert_eq!(game.winner(&alphabet.parse_word("SCA")?)?, GhostPlayer::Other);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Superghost {
    min_length: usize,
    /// By length, from 0 to that of the longest word.
    lengths: Vec<FragmentsOfLength>,
    last_letter: u8,
}

impl Superghost {
    /// Solves the game in which words of at least `min_length` letters count.
    ///
    /// # Errors
    /// A length out of range, or one that no word has.
    pub fn solve(graph: &WordGraph, min_length: usize) -> Result<Superghost, GhostError> {
        Superghost::solve_until(graph, min_length, &|| false)
    }

    /// Solves the game unless it is stopped.
    ///
    /// # Errors
    /// Those of [`Superghost::solve`], and [`GhostError::Stopped`].
    pub fn solve_until(graph: &WordGraph, min_length: usize, is_stopped: &dyn Fn() -> bool) -> Result<Superghost, GhostError> {
        if !Ghost::MIN_LENGTHS.contains(&min_length) {
            return Err(GhostError::MinLength { found: min_length });
        }
        let mut words: Vec<Vec<u8>> = Vec::new();
        graph.for_each_word(|word| {
            if (min_length..=MAX_DIM).contains(&word.len()) {
                words.push(word.to_vec());
            }
        });
        let Some(longest) = words.iter().map(Vec::len).max() else { return Err(GhostError::NoWords { min_length }) };
        let mut lengths: Vec<FragmentsOfLength> = Vec::new();
        for length in (0..=longest).rev() {
            let mut these = fragments_of(&words, length, is_stopped)?;
            if let Some(longer) = lengths.last() {
                let losing = longer.fragments.iter().zip(&longer.is_word).zip(&longer.mover_wins);
                let losing = losing.filter(|&((_, &is_word), &mover_wins)| !is_word && !mover_wins);
                for (number, ((fragment, _), _)) in losing.enumerate() {
                    if number.is_multiple_of(WORDS_AT_ONCE) && is_stopped() {
                        return Err(GhostError::Stopped);
                    }
                    for shorter in fragment.shorter(length + 1) {
                        let known = these.find(shorter).and_then(|at| these.mover_wins.get_mut(at));
                        known.into_iter().for_each(|wins| *wins = true);
                    }
                }
            }
            lengths.push(these);
        }
        lengths.reverse();
        let last_letter = words.iter().flatten().copied().max().unwrap_or(0);
        Ok(Superghost { min_length, lengths, last_letter })
    }

    /// Returns the length of the shortest words that count.
    pub fn min_length(&self) -> usize {
        self.min_length
    }

    /// Returns the memory that it takes, bytes.
    pub fn size(&self) -> usize {
        self.fragments() * (size_of::<PackedFragment>() + 2 * size_of::<bool>())
    }

    /// Returns the number of fragments, including words and the empty one.
    pub fn fragments(&self) -> usize {
        self.lengths.iter().map(|these| these.fragments.len()).sum()
    }

    /// Returns the winner from a fragment on. The empty one is the start of the game.
    ///
    /// # Errors
    /// A fragment that is part of no word, or a word.
    pub fn winner(&self, fragment: &[Letter]) -> Result<GhostPlayer, GhostError> {
        let nothing = GhostError::NoWord { letters: fragment.len(), min_length: self.min_length };
        let packed = PackedFragment::of(fragment.iter().map(|letter| letter.number()));
        let these = self.lengths.get(fragment.len()).ok_or(nothing)?;
        match these.value(packed).ok_or(nothing)? {
            (_, true) => Err(GhostError::Over { letters: fragment.len() }),
            (winner, false) => Ok(winner),
        }
    }

    /// Returns the letters that may be added, those in front first, in the order of the alphabet.
    ///
    /// # Errors
    /// Those of [`Superghost::winner`].
    pub fn letters(&self, fragment: &[Letter]) -> Result<Vec<SuperghostLetter>, GhostError> {
        self.winner(fragment)?;
        let packed = PackedFragment::of(fragment.iter().map(|letter| letter.number()));
        let longer = self.lengths.get(fragment.len() + 1);
        // The first letter has no side.
        let sides: &[FragmentEnd] = match fragment {
            [] => &[FragmentEnd::Back],
            _ => &[FragmentEnd::Front, FragmentEnd::Back],
        };
        let all = sides.iter().flat_map(|&side| (1..=self.last_letter).map(move |letter| (side, letter)));
        let added = |(side, number): (FragmentEnd, u8)| {
            let (winner, is_word) = longer?.value(packed.with(side, number, fragment.len()))?;
            // Completing a word loses. Otherwise the winner is seen from the other side.
            let winner = match winner {
                GhostPlayer::Other if !is_word => GhostPlayer::Mover,
                _ => GhostPlayer::Other,
            };
            Some(SuperghostLetter { side, letter: Letter::new(number)?, is_word, winner })
        };
        Ok(all.filter_map(added).collect())
    }
}

/// Words whose parts are sorted between two checks whether to go on: some milliseconds' work.
const WORDS_AT_ONCE: usize = 1 << 13;

/// Returns the parts of words with this many letters, each once.
fn fragments_of(words: &[Vec<u8>], length: usize, is_stopped: &dyn Fn() -> bool) -> Result<FragmentsOfLength, GhostError> {
    let pack = |part: &[u8]| PackedFragment::of(part.iter().copied());
    let sorted = |mut fragments: Vec<PackedFragment>| {
        fragments.sort_unstable();
        fragments.dedup();
        fragments
    };
    let mut fragments = Vec::new();
    for words in words.chunks(WORDS_AT_ONCE) {
        if is_stopped() {
            return Err(GhostError::Stopped);
        }
        match length {
            0 => fragments.push(PackedFragment(0)),
            _ => fragments.append(&mut sorted(words.iter().flat_map(|word| word.windows(length).map(pack)).collect())),
        }
    }
    // The standard library's stable sort finds the pieces that are already sorted, and merges them.
    fragments.sort();
    fragments.dedup();
    let whole = sorted(words.iter().filter(|word| word.len() == length).map(|word| pack(word)).collect());
    let is_word = fragments.iter().map(|fragment| whole.binary_search(fragment).is_ok()).collect();
    Ok(FragmentsOfLength { mover_wins: vec![false; fragments.len()], is_word, fragments })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Lexicon;
    use crate::rules::LetterDistribution;

    /// Whether the player who must add a letter wins. The dumb twin: tries every letter on both sides, with texts.
    fn mover_wins(words: &[&str], least: usize, fragment: &str) -> bool {
        let is_part = |text: &str| words.iter().any(|word| word.len() >= least && word.contains(text));
        let is_word = |text: &str| text.len() >= least && words.contains(&text);
        let longer = ('A'..='Z').flat_map(|letter| [format!("{letter}{fragment}"), format!("{fragment}{letter}")]);
        longer.filter(|text| is_part(text) && !is_word(text)).any(|text| !mover_wins(words, least, &text))
    }

    #[test]
    fn toy_lists_are_solved_as_by_trying_every_letter() {
        let alphabet = LetterDistribution::english();
        let text = include_str!("../../lexicons/enable.txt").to_uppercase();
        let all: Vec<&str> = text.lines().collect();
        let (mut fragments, mut won) = (0, 0);
        for (every, least) in [(9001, 1), (9001, 3), (7001, 4), (6007, 2)] {
            let words: Vec<&str> = all.iter().copied().skip(every / 3).step_by(every).filter(|word| word.len() <= 9).collect();
            let lexicon = Lexicon::from_words("toy", &alphabet, words.iter().copied()).unwrap();
            let game = Superghost::solve(lexicon.graph(), least).unwrap();
            let mut parts: Vec<&str> = vec![""];
            for word in words.iter().filter(|word| word.len() >= least) {
                parts.extend((0..word.len()).flat_map(|first| (first + 1..=word.len()).map(move |end| &word[first..end])));
            }
            parts.sort_unstable();
            parts.dedup();
            assert_eq!(game.fragments(), parts.len());
            for part in parts {
                let found = game.winner(&alphabet.parse_word(part).unwrap_or_default());
                if part.len() >= least && words.contains(&part) {
                    assert_eq!(found, Err(GhostError::Over { letters: part.len() }));
                    continue;
                }
                let expected = if mover_wins(&words, least, part) { GhostPlayer::Mover } else { GhostPlayer::Other };
                assert_eq!(found, Ok(expected), "{part} in {words:?}");
                (fragments, won) = (fragments + 1, won + usize::from(expected == GhostPlayer::Mover));
            }
        }
        assert!(fragments > 500 && won > 100 && won + 100 < fragments, "{won} of {fragments}");
    }

    #[test]
    fn letters_at_both_ends_are_told_with_what_they_lead_to() {
        let alphabet = LetterDistribution::english();
        let lexicon = Lexicon::from_words("toy", &alphabet, ["cat", "cats", "scat", "at"]).unwrap();
        let game = Superghost::solve(lexicon.graph(), 3).unwrap();
        let word = |text: &str| alphabet.parse_word(text).unwrap();
        let told = |text: &str| {
            let letters = game.letters(&word(text)).unwrap();
            let line = |added: &SuperghostLetter| {
                let wins = if added.winner == GhostPlayer::Mover { "wins" } else { "loses" };
                format!("{:?} {} {wins}{}", added.side, alphabet.word_text(&[added.letter]), if added.is_word { " word" } else { "" })
            };
            letters.iter().map(line).collect::<Vec<_>>().join(", ")
        };
        assert_eq!(told("CA"), "Front S wins, Back T loses word");
        assert_eq!(told("SCA"), "Back T loses word");
        assert_eq!(told("AT"), "Front C loses word, Back S wins");
        assert_eq!(game.winner(&word("SCAT")), Err(GhostError::Over { letters: 4 }));
        assert_eq!(game.winner(&word("CT")), Err(GhostError::NoWord { letters: 2, min_length: 3 }));
        assert_eq!(game.winner(&word("SCATSCATSCATSCATSCATSCAT")).map_err(|error| matches!(error, GhostError::NoWord { .. })), Err(true));
        assert_eq!(Superghost::solve(lexicon.graph(), 5).unwrap_err(), GhostError::NoWords { min_length: 5 });
        assert_eq!(Superghost::solve(lexicon.graph(), 0).unwrap_err(), GhostError::MinLength { found: 0 });
    }
}
