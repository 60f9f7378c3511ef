//! Letters, tiles and placed tiles: the three ways in which a letter occurs in a crossword game.
//!
//! Not here: how many tiles there are and what they are worth (`distribution.rs`), or how they are written
//! (also `distribution.rs`, because faces such as `[CH]` are data).
//! Start with [`Letter`]; [`Tile`] adds the blank, [`Placed`] says whether a letter on the board is a blank.

use std::num::NonZeroU8;

/// The largest number of letters an alphabet may have: a set of letters has 64 bits, and bit 0 is not a letter's.
pub const MAX_LETTERS: usize = 63;

/// A letter of the alphabet: 1 for the first one (A) up to [`MAX_LETTERS`]. Never 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Letter(NonZeroU8);

impl Letter {
    /// The letter with this number, or `None` outside `1..=MAX_LETTERS`.
    pub const fn new(number: u8) -> Option<Letter> {
        if number as usize > MAX_LETTERS {
            return None;
        }
        match NonZeroU8::new(number) {
            Some(number) => Some(Letter(number)),
            None => None,
        }
    }

    /// The number, from 1, as in word graphs and letter sets.
    pub const fn number(self) -> u8 {
        self.0.get()
    }

    /// [`Letter::number`] as an index into tables that keep entry 0 for the blank.
    pub const fn index(self) -> usize {
        self.0.get() as usize
    }
}

/// A tile on a rack or in the bag: the blank (index 0) or a letter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Tile(u8);

impl Tile {
    /// The undesignated blank.
    pub const BLANK: Tile = Tile(0);

    /// The tile with this index, 0 for the blank, or `None` above [`MAX_LETTERS`].
    pub const fn from_index(index: usize) -> Option<Tile> {
        if index <= MAX_LETTERS { Some(Tile(index as u8)) } else { None }
    }

    /// 0 for the blank, else the letter's number.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The letter of a tile that is not a blank.
    pub const fn letter(self) -> Option<Letter> {
        Letter::new(self.0)
    }

    /// Whether this is the blank.
    pub const fn is_blank(self) -> bool {
        self.0 == 0
    }
}

impl From<Letter> for Tile {
    fn from(letter: Letter) -> Tile {
        Tile(letter.number())
    }
}

/// A tile as it lies on the board: its letter, and whether it is a blank that stands for that letter.
///
/// | bits | meaning |
/// |---|---|
/// | 0..5 | letter number, never 0 |
/// | 6 | 0 |
/// | 7 | 1 = a blank |
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Placed(NonZeroU8);

const _: () = assert!(size_of::<Option<Placed>>() == 1);

impl Placed {
    const BLANK_BIT: u8 = 0x80;

    /// The bits of the letter number.
    const LETTER_BITS: u8 = MAX_LETTERS as u8;

    /// A letter tile.
    pub const fn tile(letter: Letter) -> Placed {
        Placed(letter.0)
    }

    /// A blank designated as `letter`.
    pub const fn blank(letter: Letter) -> Placed {
        match NonZeroU8::new(letter.number() | Placed::BLANK_BIT) {
            Some(bits) => Placed(bits),
            None => unreachable!(),
        }
    }

    /// A blank that stands for the same letter.
    #[inline]
    pub fn as_blank(self) -> Placed {
        Placed(self.0 | Placed::BLANK_BIT)
    }

    /// A tile from its packed byte; `None` without a letter, or with a number above [`MAX_LETTERS`].
    #[inline]
    pub const fn from_bits(bits: u8) -> Option<Placed> {
        match NonZeroU8::new(bits) {
            Some(placed) if bits & Placed::LETTER_BITS != 0 && bits & !(Placed::LETTER_BITS | Placed::BLANK_BIT) == 0 => {
                Some(Placed(placed))
            }
            _ => None,
        }
    }

    /// The letter it stands for.
    pub const fn letter(self) -> Letter {
        match NonZeroU8::new(self.0.get() & !Placed::BLANK_BIT) {
            Some(number) => Letter(number),
            None => unreachable!(),
        }
    }

    /// Whether it is a blank.
    pub const fn is_blank(self) -> bool {
        self.0.get() & Placed::BLANK_BIT != 0
    }

    /// The tile that left the rack: the blank, or the letter.
    pub const fn rack_tile(self) -> Tile {
        if self.is_blank() { Tile::BLANK } else { Tile(self.0.get()) }
    }

    /// The packed byte (see [`Placed`]), for hashing and ordering.
    pub const fn to_bits(self) -> u8 {
        self.0.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_outside_the_alphabet_are_no_letters() {
        assert_eq!(Letter::new(0), None);
        assert_eq!(Letter::new(64), None);
        assert_eq!(Letter::new(63).map(Letter::number), Some(63));
        assert_eq!(Tile::from_index(64), None);
    }

    #[test]
    fn a_blank_keeps_its_letter_and_leaves_the_rack_as_a_blank() {
        let q = Letter::new(17).unwrap();
        assert_eq!(Placed::blank(q).letter(), q);
        assert_eq!(Placed::blank(q).rack_tile(), Tile::BLANK);
        assert_eq!([Placed::tile(q), Placed::blank(q)].map(Placed::as_blank), [Placed::blank(q); 2]);
        assert_eq!(Placed::tile(q).rack_tile(), Tile::from(q));
        assert!(!Placed::tile(q).is_blank());
        for placed in [Placed::blank(q), Placed::tile(q)] {
            assert_eq!(Placed::from_bits(placed.to_bits()), Some(placed));
        }
        assert_eq!([0, 0x80, 0x40, 0x41, 0xff].map(Placed::from_bits), [None; 5]);
        let letters: Vec<u8> = (0..=u8::MAX).filter_map(Placed::from_bits).map(|placed| placed.letter().number()).collect();
        assert_eq!((letters.len(), letters.iter().max()), (2 * MAX_LETTERS, Some(&(MAX_LETTERS as u8))));
    }
}
