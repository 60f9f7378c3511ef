//! Decodes a data file: UTF-8 with or without a byte order mark, and UTF-16 with one.
//!
//! Tables, boards and settings are read in this way. Other character sets are refused with the place
//! of the first byte that is not UTF-8, since a byte alone does not tell which letter was meant. In a
//! word list the letters of its alphabet decide which set is right: [`in_older_sets`]. Not here:
//! records of games, which name their sets (`gcg/reading.rs`). Start with [`decode`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::rules::grammar::TextPlace;
use encoding_rs::{Encoding, ISO_8859_2, UTF_8, WINDOWS_1250, WINDOWS_1252};
use thiserror::Error;

/// Why bytes are not a text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NoTextError {
    /// A byte that is not UTF-8.
    #[error("line {}: column {}: the byte {byte:#04x} is not UTF-8: save the file as UTF-8", place.line, place.column)]
    NotUtf8 {
        /// Where it is.
        place: TextPlace,
        /// The byte.
        byte: u8,
    },
    /// A text in UTF-16 that is cut off, or that contains half a character.
    #[error("the file begins as {set} but is damaged: save it as UTF-8")]
    Damaged {
        /// The character set that its byte order mark names.
        set: &'static str,
    },
}

/// Decodes bytes to a text without the byte order mark.
///
/// # Errors
/// The first byte that is not UTF-8, or UTF-16 that is damaged.
pub fn decode(mut bytes: Vec<u8>) -> Result<String, NoTextError> {
    if let Some((set, mark)) = Encoding::for_bom(&bytes) {
        if set != UTF_8 {
            let text = set.decode_without_bom_handling_and_without_replacement(bytes.get(mark..).unwrap_or_default());
            return text.map(String::from).ok_or(NoTextError::Damaged { set: set.name() });
        }
        bytes.drain(..mark);
    }
    String::from_utf8(bytes).map_err(|error| {
        let (before, behind) = error.as_bytes().split_at(error.utf8_error().valid_up_to());
        let before = String::from_utf8_lossy(before);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        NoTextError::NotUtf8 { place: TextPlace { line, column }, byte: behind.first().copied().unwrap_or_default() }
    })
}

/// The character sets of texts that are not UTF-8, the most common one first. ISO 8859-1 is a part of Windows-1252.
const OLDER_SETS: [&Encoding; 3] = [WINDOWS_1252, WINDOWS_1250, ISO_8859_2];

/// Decodes bytes in each of the character sets that were common before UTF-8, with the name of the set. Returns nothing if the bytes are
/// UTF-8, or begin with a byte order mark.
pub fn in_older_sets(bytes: &[u8]) -> impl Iterator<Item = (&'static str, String)> {
    let is_decoded = Encoding::for_bom(bytes).is_some() || std::str::from_utf8(bytes).is_ok();
    OLDER_SETS.iter().filter(move |_| !is_decoded).map(|set| (set.name(), set.decode_without_bom_handling(bytes).0.into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// UTF-16 with its mark.
    fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(to_bytes).collect()
    }

    #[test]
    fn marks_are_no_part_of_a_text() {
        let text = "cat\nŻÓŁW\n\u{10348}\n";
        let marked = [b"\xef\xbb\xbf", text.as_bytes()].concat();
        for bytes in [text.as_bytes().to_vec(), marked, utf16(text, u16::to_le_bytes), utf16(text, u16::to_be_bytes)] {
            assert_eq!(decode(bytes).as_deref(), Ok(text));
        }
        assert_eq!(decode(Vec::new()).as_deref(), Ok(""));
        // Only the first one is a mark.
        assert_eq!(decode(b"\xef\xbb\xbf\xef\xbb\xbfa".to_vec()).as_deref(), Ok("\u{feff}a"));
    }

    #[test]
    fn older_sets_are_for_bytes_that_are_nothing_else() {
        let read = |bytes: &[u8]| in_older_sets(bytes).map(|(_, text)| text).collect::<Vec<_>>();
        assert_eq!(read(b"M\xdcHLE \xa3\xb9"), ["MÜHLE £¹", "MÜHLE Łą", "MÜHLE Łš"]);
        for bytes in ["MÜHLE".as_bytes(), b"\xef\xbb\xbf\xff", &utf16("MÜHLE", u16::to_le_bytes), b""] {
            assert!(read(bytes).is_empty(), "{bytes:?}");
        }
    }

    #[test]
    fn the_first_byte_that_is_no_text_is_told_with_its_place() {
        let check = |bytes: &[u8], error: &str| assert_eq!(decode(bytes.to_vec()).unwrap_err().to_string(), error);
        check(b"cat\ncaf\xe9s\n", "line 2: column 4: the byte 0xe9 is not UTF-8: save the file as UTF-8");
        check(b"\xef\xbb\xbfpi\xc3\xb1a\xf1", "line 1: column 5: the byte 0xf1 is not UTF-8: save the file as UTF-8");
        // Cut off in the middle of a letter.
        check(b"\nab\xc3", "line 2: column 3: the byte 0xc3 is not UTF-8: save the file as UTF-8");
        let cut = utf16("cat", u16::to_le_bytes);
        check(&cut[..cut.len() - 1], "the file begins as UTF-16LE but is damaged: save it as UTF-8");
        check(b"\xfe\xff\xd8\x00\x00a", "the file begins as UTF-16BE but is damaged: save it as UTF-8");
    }
}
