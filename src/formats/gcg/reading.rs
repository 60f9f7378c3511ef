//! From the bytes of a file to a text: its character set, and the alphabet that its letters make plain.
//!
//! | the bytes are | what they are read as |
//! |---|---|
//! | UTF-8 | that, whatever `#character-encoding` says |
//! | not UTF-8, and `#character-encoding` names another set | that |
//! | not UTF-8 otherwise | Windows-1252, of which ISO 8859-1, with which the format began, is a part |
//!
//! What is not as the file says is told. If the letters of a game are none of the alphabet that it is to be read in, the other built-in alphabets are tried, and
//! with them the character sets of central Europe: the only one in which it is a game is taken, and that is told, too. Not here: what
//! stands on the lines (`parse.rs`). Start with [`understand`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::formats::gcg::parse::parse;
use crate::formats::gcg::replay::replay;
use crate::formats::gcg::types::GcgError;
use crate::formats::letter_distribution;
use crate::rules::{GameRules, LetterDistribution};
use encoding_rs::{Encoding, ISO_8859_2, UTF_8, WINDOWS_1250, WINDOWS_1252};
use std::sync::Arc;

/// Something that is told of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineNote {
    /// The line that it is about, from 1.
    pub line: usize,
    /// What was found, and what was made of it.
    pub text: String,
}

/// A file as a text.
#[derive(Clone, Debug)]
pub struct GcgReading {
    /// The text.
    pub text: String,
    /// The alphabet in which it is a game, if that is another one than was asked for.
    pub letters: Option<Arc<LetterDistribution>>,
    /// What is not as the file says.
    pub notes: Vec<LineNote>,
}

/// The bytes of a GCG file as text.
pub fn decode(bytes: &[u8]) -> String {
    in_its_own_set(bytes).text
}

/// The bytes of a GCG file as text, and the alphabet in which it is a game: that of the rules, if it is one in that.
pub fn understand(bytes: &[u8], rules: &GameRules) -> GcgReading {
    let own = in_its_own_set(bytes);
    let Some(line) = line_of_a_strange_letter(&own.text, rules) else { return own };
    let others = [WINDOWS_1250, ISO_8859_2].map(|set| in_set(bytes, set));
    let others = others.into_iter().filter(|_| !is_utf8(bytes));
    for mut reading in std::iter::once(own.clone()).chain(others) {
        // In another set the letters may be those of the alphabet after all.
        if line_of_a_strange_letter(&reading.text, rules).is_none() {
            return reading;
        }
        let alphabets = letter_distribution::built_in_names().filter_map(letter_distribution::built_in).map(Arc::new);
        let fitting: Vec<_> = alphabets.filter(|letters| is_game_in(&reading.text, rules, letters)).collect();
        if let [letters] = fitting.as_slice() {
            let text = format!("letters that the {} alphabet lacks: read in the {} one", rules.distribution.name(), letters.name());
            reading.notes.push(LineNote { line, text });
            reading.letters = Some(Arc::clone(letters));
            return reading;
        }
    }
    own
}

/// The line of the first letter that the alphabet lacks.
fn line_of_a_strange_letter(text: &str, rules: &GameRules) -> Option<usize> {
    match parse(text, rules) {
        Err(GcgError::BadTile { place, .. }) => Some(place.line),
        _ => None,
    }
}

/// Whether a text is a game in an alphabet: its letters, and the points for them.
fn is_game_in(text: &str, rules: &GameRules, letters: &Arc<LetterDistribution>) -> bool {
    let rules = rules.to_builder().distribution(Arc::clone(letters)).build();
    rules.is_ok_and(|rules| parse(text, &rules).is_ok_and(|game| replay(&game, &rules, None).is_ok()))
}

fn is_utf8(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok()
}

/// The set that a file says it is written in, with the line that says it.
fn stated_set(bytes: &[u8]) -> Option<(usize, String)> {
    let lines = (1..).zip(bytes.split(|&byte| byte == b'\n'));
    lines.into_iter().find_map(|(line, bytes)| {
        let text = String::from_utf8_lossy(bytes);
        let (key, value) = text.trim().split_once(char::is_whitespace)?;
        key.eq_ignore_ascii_case("#character-encoding").then(|| (line, value.trim().to_string()))
    })
}

fn in_its_own_set(bytes: &[u8]) -> GcgReading {
    let stated = stated_set(bytes);
    let known = stated.as_ref().and_then(|(_, label)| Encoding::for_label(label.as_bytes()));
    let mut notes = Vec::new();
    let mut tell = |read_as: &str| {
        if let Some((line, label)) = &stated {
            let text = format!("the file is said to be {label}, which it is not: read as {read_as}");
            notes.push(LineNote { line: *line, text });
        }
    };
    let set = match known {
        _ if bytes.is_ascii() => UTF_8,
        Some(set) if is_utf8(bytes) && set != UTF_8 => {
            tell("UTF-8");
            UTF_8
        }
        _ if is_utf8(bytes) => UTF_8,
        Some(set) if set != UTF_8 => set,
        _ => {
            tell("Windows-1252");
            WINDOWS_1252
        }
    };
    GcgReading { text: set.decode(bytes).0.into_owned(), letters: None, notes }
}

fn in_set(bytes: &[u8], set: &'static Encoding) -> GcgReading {
    let note = LineNote { line: stated_set(bytes).map_or(1, |(line, _)| line), text: format!("read as {}", set.name()) };
    GcgReading { text: set.decode(bytes).0.into_owned(), letters: None, notes: vec![note] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::english_rules;

    /// A Polish word of 8 points, twice them on the start: Z 1, A 1, Ż 5, Ą 5, D 2.
    const POLISH: &str = ">Ala: ZAŻĄDEK 8F ŻĄDZA +28 28\n>Ola: AEIOUYK -AE +0 0\n";

    #[test]
    fn an_alphabet_that_the_letters_make_plain_is_found() {
        let check = |bytes: &[u8], notes: &[&str]| {
            let reading = understand(bytes, &english_rules());
            assert_eq!(reading.letters.as_ref().map(|letters| letters.name()), Some("polish"), "{reading:?}");
            assert!(reading.text.contains("ŻĄDZA"), "{reading:?}");
            let told: Vec<String> = reading.notes.iter().map(|note| format!("{} {}", note.line, note.text)).collect();
            assert_eq!(told, notes);
        };
        let polish = "1 letters that the english alphabet lacks: read in the polish one";
        check(POLISH.as_bytes(), &[polish]);
        check(&WINDOWS_1250.encode(POLISH).0, &["1 read as windows-1250", polish]);
        let stated = format!("#character-encoding ISO-8859-2\n{POLISH}");
        check(&ISO_8859_2.encode(&stated).0, &[&polish.replacen('1', "2", 1)]);
    }

    #[test]
    fn letters_that_fit_in_no_alphabet_or_in_several_change_nothing() {
        for text in [">Ann: ŻŐ 8D ŻŐ +28 28\n", ">Ann: ABCDEFG 8D CAB +16 16\n", ">Ala: ŻĄDZA 8F ŻĄDZA +99 99\n", ""] {
            let reading = understand(text.as_bytes(), &english_rules());
            assert!(reading.letters.is_none() && reading.notes.is_empty() && reading.text == text, "{reading:?}");
        }
    }

    #[test]
    fn a_wrong_character_set_is_told_and_the_right_one_read() {
        let check = |bytes: &[u8], text: &str, notes: &[&str]| {
            let reading = in_its_own_set(bytes);
            assert_eq!(reading.text, text);
            assert_eq!(reading.notes.iter().map(|note| note.text.as_str()).collect::<Vec<_>>(), notes);
        };
        check(b"#title \xc9t\xe9", "#title \u{c9}t\u{e9}", &[]);
        check("#title \u{c9}t\u{e9}".as_bytes(), "#title \u{c9}t\u{e9}", &[]);
        check(
            b"#character-encoding UTF-8\n#title \xc9t\xe9",
            "#character-encoding UTF-8\n#title \u{c9}t\u{e9}",
            &["the file is said to be UTF-8, which it is not: read as Windows-1252"],
        );
        check(
            "#character-encoding ISO-8859-1\n#title \u{c9}t\u{e9}".as_bytes(),
            "#character-encoding ISO-8859-1\n#title \u{c9}t\u{e9}",
            &["the file is said to be ISO-8859-1, which it is not: read as UTF-8"],
        );
        check(b"#character-encoding windows-1250\n#title \xaf\xb9", "#character-encoding windows-1250\n#title \u{17b}\u{105}", &[]);
        check(
            b"#Character-Encoding no-such-set\n#title \xe9",
            "#Character-Encoding no-such-set\n#title \u{e9}",
            &["the file is said to be no-such-set, which it is not: read as Windows-1252"],
        );
        check(b"#character-encoding ISO-8859-1\n#title x", "#character-encoding ISO-8859-1\n#title x", &[]);
    }
}
