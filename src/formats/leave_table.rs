//! Leave values of all leaves as plain numbers: the form in which the program carries its own.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `TWLEAVE1` |
//! | 4 | kinds of tiles, the blank among them, little-endian |
//! | 2 each | hundredths of a point, little-endian, signed: leaves of one tile, of two, up to six, each size by rank (`rules/multisets.rs`) |
//!
//! Means of full racks (`.racks`) have the same form: `TWRACKS1`, and then the racks of seven tiles.
//!
//! KLV2 (`klv2.rs`) is the form that other engines read; it is twice as large, and slower to read. Not here: the table itself
//! (`evaluation/leave_table.rs`). Start with [`parse`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::evaluation::RackMeans;
use crate::evaluation::leave_table::{LeaveTable, MAX_LEAVE};
use crate::evaluation::rack_means::RACK;
use crate::rules::multisets::MultisetRanks;
use crate::rules::units::Millipoints;
use thiserror::Error;

/// The name of the built-in values.
pub const BUILTIN_NAME: &str = "enable";

const BUILTIN: &[u8] = include_bytes!("../../lexicons/enable.leaves");

const MAGIC: &[u8; 8] = b"TWLEAVE1";

const RACKS_MAGIC: &[u8; 8] = b"TWRACKS1";

/// The most kinds of tiles of a file, more than any alphabet has.
const MAX_KINDS: usize = 64;

/// Millipoints in the unit of the file.
const UNIT: i32 = 10;

/// Why bytes are not a table of leave values.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum LeaveTableError {
    /// A wrong beginning.
    #[error("the file does not begin with TWLEAVE1 and a number of tiles")]
    Header,
    /// A wrong beginning of the means of racks.
    #[error("the file does not begin with TWRACKS1 and a number of tiles")]
    RacksHeader,
    /// An alphabet too large for a table.
    #[error("{kinds} kinds of tiles are too many for a table of leaves")]
    TooManyKinds {
        /// Kinds of tiles.
        kinds: usize,
    },
    /// Fewer or more bytes than the leaves need.
    #[error("the file has {found} bytes, but the leaves of {kinds} kinds of tiles need {expected}")]
    Length {
        /// Bytes found.
        found: usize,
        /// Bytes wanted.
        expected: usize,
        /// Kinds of tiles.
        kinds: usize,
    },
}

/// Returns the built-in values: English, trained on ENABLE.
#[expect(clippy::expect_used, reason = "the file is part of the program, a test reads it")]
pub fn builtin() -> LeaveTable {
    parse(BUILTIN).expect("lexicons/enable.leaves is a table")
}

/// Reads a table.
///
/// # Errors
/// Why the bytes are not a table, see [`LeaveTableError`].
pub fn parse(bytes: &[u8]) -> Result<LeaveTable, LeaveTableError> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(LeaveTableError::Header)?;
    let (kinds, rest) = rest.split_first_chunk::<4>().ok_or(LeaveTableError::Header)?;
    let kinds = u32::from_le_bytes(*kinds) as usize;
    let too_many = || LeaveTableError::TooManyKinds { kinds };
    if kinds > MAX_KINDS {
        return Err(too_many());
    }
    // Checked before the table is made: twelve bytes must not allocate 64 MB.
    let ranks = MultisetRanks::new(kinds);
    let leaves: usize = (1..=MAX_LEAVE).map(|size| ranks.count(size)).sum();
    let expected = MAGIC.len() + 4 + 2 * leaves;
    if bytes.len() != expected {
        return Err(LeaveTableError::Length { found: bytes.len(), expected, kinds });
    }
    let mut table = LeaveTable::new(kinds).ok_or_else(too_many)?;
    let (numbers, _) = rest.as_chunks::<2>();
    let mut numbers = numbers.iter();
    for size in 1..=MAX_LEAVE {
        for (value, number) in table.of_size_mut(size).iter_mut().zip(&mut numbers) {
            *value = Millipoints(i32::from(i16::from_le_bytes(*number)) * UNIT);
        }
    }
    Ok(table)
}

/// Returns the bytes of a table. Values are rounded to hundredths of a point, and limited to 327 points.
pub fn to_bytes(table: &LeaveTable) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend((table.ranks().kinds() as u32).to_le_bytes());
    for size in 1..=MAX_LEAVE {
        bytes.extend(table.of_size(size).iter().map(hundredths).flat_map(i16::to_le_bytes));
    }
    bytes
}

/// Reads the means of full racks.
///
/// # Errors
/// Why the bytes are not such means.
pub fn parse_racks(bytes: &[u8]) -> Result<RackMeans, LeaveTableError> {
    let rest = bytes.strip_prefix(RACKS_MAGIC).ok_or(LeaveTableError::RacksHeader)?;
    let (kinds, numbers) = rest.split_first_chunk::<4>().ok_or(LeaveTableError::RacksHeader)?;
    let kinds = u32::from_le_bytes(*kinds) as usize;
    if kinds > MAX_KINDS {
        return Err(LeaveTableError::TooManyKinds { kinds });
    }
    let expected = RACKS_MAGIC.len() + 4 + 2 * MultisetRanks::new(kinds).count(RACK);
    let (numbers, odd) = numbers.as_chunks::<2>();
    let means = numbers.iter().map(|number| i16::from_le_bytes(*number)).collect();
    let length = LeaveTableError::Length { found: bytes.len(), expected, kinds };
    RackMeans::new(kinds, means).filter(|_| odd.is_empty()).ok_or(length)
}

/// Returns the bytes of the means of full racks, by rank.
pub fn racks_to_bytes(kinds: usize, racks: &[Millipoints]) -> Vec<u8> {
    let mut bytes = RACKS_MAGIC.to_vec();
    bytes.extend((kinds as u32).to_le_bytes());
    bytes.extend(racks.iter().map(hundredths).flat_map(i16::to_le_bytes));
    bytes
}

fn hundredths(value: &Millipoints) -> i16 {
    (value.0 + UNIT / 2).div_euclid(UNIT).clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::LetterDistribution;

    #[test]
    fn values_read_back() {
        let mut table = LeaveTable::new(5).unwrap();
        for size in 1..=MAX_LEAVE {
            table
                .of_size_mut(size)
                .iter_mut()
                .enumerate()
                .for_each(|(rank, value)| *value = Millipoints((rank as i32 - 20) * 10 * size as i32));
        }
        assert_eq!(parse(&to_bytes(&table)).unwrap(), table);
        *table.value_mut(&[0, 3]) = Millipoints(12_346);
        assert_eq!(parse(&to_bytes(&table)).unwrap().value([0, 3].into_iter()), Millipoints(12_350));
        *table.value_mut(&[0, 3]) = Millipoints(-999_999);
        assert_eq!(parse(&to_bytes(&table)).unwrap().value([0, 3].into_iter()), Millipoints(-327_680));
    }

    #[test]
    fn the_values_that_the_program_carries_are_what_players_expect() {
        let english = LetterDistribution::english();
        let table = builtin();
        let value = |text: &str| {
            let leave: crate::rules::Rack = english.parse_tiles(text).unwrap().into_iter().collect();
            table.value(leave.tiles().map(crate::rules::Tile::index))
        };
        let mut single: Vec<char> = "?ABCDEFGHIJKLMNOPQRSTUVWXYZ".chars().collect();
        single.sort_by_key(|tile| -value(&tile.to_string()));
        assert_eq!(single[..2], ['?', 'S']);
        let worst = &single[25..];
        assert!(worst.contains(&'Q') && worst.contains(&'V'), "{single:?}");
        assert!(value("QU") > value("Q"));
        assert!(value("ERS") > Millipoints(10_000) && value("CEINRT") > Millipoints(15_000), "{} {}", value("ERS"), value("CEINRT"));
        assert!(value("UVWW") < Millipoints(-20_000) && value("UUVVWW") < Millipoints(-30_000), "{} {}", value("UVWW"), value("UUVVWW"));
    }

    #[test]
    fn means_of_racks_read_back() {
        let racks: Vec<_> = (0..MultisetRanks::new(3).count(RACK) as i32).map(|rank| Millipoints((rank - 15) * 10)).collect();
        let hundredths = racks.iter().map(|value| (value.0 / 10) as i16).collect();
        let bytes = racks_to_bytes(3, &racks);
        assert_eq!(parse_racks(&bytes).unwrap(), RackMeans::new(3, hundredths).unwrap());
        let refuse = |bytes: &[u8]| parse_racks(bytes).unwrap_err().to_string();
        assert_eq!(refuse(&bytes[..7]), "the file does not begin with TWRACKS1 and a number of tiles");
        let length = bytes.len();
        assert_eq!(
            refuse(&bytes[..length - 1]),
            format!("the file has {} bytes, but the leaves of 3 kinds of tiles need {length}", length - 1)
        );
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let bytes = to_bytes(&LeaveTable::new(3).unwrap());
        let refuse = |bytes: &[u8]| parse(bytes).unwrap_err().to_string();
        assert_eq!(refuse(b"TWLEAVE"), "the file does not begin with TWLEAVE1 and a number of tiles");
        assert_eq!(refuse(&bytes[..100]), format!("the file has 100 bytes, but the leaves of 3 kinds of tiles need {}", bytes.len()));
        // The length is wrong before anything is made of it.
        for kinds in [44u8, 64] {
            let found = refuse(&[b"TWLEAVE1", &[kinds, 0, 0, 0][..]].concat());
            assert!(found.starts_with(&format!("the file has 12 bytes, but the leaves of {kinds} kinds of tiles need ")), "{found}");
        }
        assert_eq!(refuse(b"TWLEAVE1\xff\xff\0\0"), "65535 kinds of tiles are too many for a table of leaves");
    }
}
