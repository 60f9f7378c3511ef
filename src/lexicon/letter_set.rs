//! A set of letters.

use crate::rules::Letter;
use std::ops::{BitAnd, BitOr, BitOrAssign};

/// A set of letters, one bit a letter by its number; bit 0 stands for no letter.
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

    /// The set of one letter, by its number, which is not 0.
    #[inline]
    pub const fn of(number: u8) -> LetterSet {
        debug_assert!(number != 0);
        LetterSet(1 << number)
    }

    /// Whether there are no letters.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the letter of this number is one of them. 0 never is.
    #[inline]
    pub const fn has(self, number: u8) -> bool {
        self.0 >> number & 1 != 0
    }

    /// Whether some letter is in both sets.
    #[inline]
    pub const fn meets(self, other: LetterSet) -> bool {
        self.0 & other.0 != 0
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
        letters.into_iter().fold(LetterSet::EMPTY, |set, letter| set | LetterSet::of(letter.number()))
    }
}
