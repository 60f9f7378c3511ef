//! A set of letters.
//!
//! Start with [`LetterSet`]. Not here: multisets of tiles (`rack.rs`, `multisets.rs`).

use crate::rules::tiles::{Letter, Tile};
use std::ops::{BitAnd, BitOr, BitOrAssign};

/// A set of letters, one bit per letter by its number; bit 0 stands for no letter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(transparent)]
pub struct LetterSet(u64);

impl LetterSet {
    /// No letter.
    pub const EMPTY: LetterSet = LetterSet(0);

    /// Every letter.
    pub const ALL: LetterSet = LetterSet(!1);

    /// The letters whose bits are set; bit 0 is left out.
    #[inline]
    pub const fn from_bits(bits: u64) -> LetterSet {
        LetterSet(bits & LetterSet::ALL.0)
    }

    /// The bits, by letter number.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The set of one letter.
    #[inline]
    pub const fn of(letter: Letter) -> LetterSet {
        LetterSet(1 << letter.number())
    }

    /// Whether there are no letters.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the letter is one of them.
    #[inline]
    pub const fn has(self, letter: Letter) -> bool {
        self.has_number(letter.number())
    }

    /// Whether the tile is one of them. The blank never is.
    #[inline]
    pub const fn has_tile(self, tile: Tile) -> bool {
        self.0 >> tile.index() & 1 != 0
    }

    /// Whether the letter of this number is one of them. 0, the switch of word graphs, never is.
    #[inline]
    pub const fn has_number(self, number: u8) -> bool {
        self.0 >> number & 1 != 0
    }

    /// The set with the letter of this number added. 0, the switch of word graphs, adds nothing.
    #[inline]
    pub const fn with_number(self, number: u8) -> LetterSet {
        LetterSet::from_bits(self.0 | 1 << number)
    }

    /// The letters with this number or a higher one.
    #[inline]
    pub const fn from_number_on(self, number: u8) -> LetterSet {
        LetterSet(self.0 >> number << number)
    }

    /// Whether some letter is in both sets.
    #[inline]
    pub const fn meets(self, other: LetterSet) -> bool {
        self.0 & other.0 != 0
    }

    /// The letters in alphabet order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Letter> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            // Once no bit is left the number is 64, which is not a letter's.
            let letter = Letter::new(rest.trailing_zeros() as u8)?;
            rest &= rest - 1;
            Some(letter)
        })
    }
}

impl BitAnd for LetterSet {
    type Output = LetterSet;

    #[inline]
    fn bitand(self, other: LetterSet) -> LetterSet {
        LetterSet(self.0 & other.0)
    }
}

impl BitOr for LetterSet {
    type Output = LetterSet;

    #[inline]
    fn bitor(self, other: LetterSet) -> LetterSet {
        LetterSet(self.0 | other.0)
    }
}

impl BitOrAssign for LetterSet {
    #[inline]
    fn bitor_assign(&mut self, other: LetterSet) {
        self.0 |= other.0;
    }
}

impl FromIterator<Letter> for LetterSet {
    fn from_iter<I: IntoIterator<Item = Letter>>(letters: I) -> LetterSet {
        letters.into_iter().fold(LetterSet::EMPTY, |set, letter| set | LetterSet::of(letter))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::tiles::MAX_LETTERS;

    #[test]
    fn a_set_of_all_letters_has_each_of_them_and_not_the_blank() {
        let letters: Vec<_> = LetterSet::ALL.iter().collect();
        assert_eq!(letters.len(), MAX_LETTERS);
        assert_eq!(letters.iter().copied().collect::<LetterSet>(), LetterSet::ALL);
        assert!(letters.iter().all(|&letter| LetterSet::of(letter).has(letter) && LetterSet::of(letter).has_tile(Tile::from(letter))));
        assert!(!LetterSet::ALL.has_tile(Tile::BLANK) && !LetterSet::ALL.has_number(0));
        assert_eq!(LetterSet::EMPTY.with_number(0), LetterSet::EMPTY);
        assert_eq!(LetterSet::ALL.from_number_on(0), LetterSet::ALL);
        assert_eq!(LetterSet::ALL.from_number_on(63).iter().map(Letter::number).collect::<Vec<_>>(), [63]);
    }
}
