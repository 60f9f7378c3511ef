//! Decodes a GCG file: finds its character set, and the alphabet from its letters.
//!
//! | the bytes are | what they are read as |
//! |---|---|
//! | UTF-8 | UTF-8, whatever `#character-encoding` states |
//! | not UTF-8, and `#character-encoding` names another set | that set |
//! | not UTF-8, without another set | Windows-1252, which includes ISO 8859-1, the first set of the format |
//!
//! A wrong statement of the file is noted. If a game has letters that the alphabet in use lacks, the other built-in alphabets are tried,
//! also in the character sets of central Europe. If the game names words of another language, that language's alphabet is tried. The
//! alphabet in which the fewest numbers are wrong is taken and noted. Not here: reading the lines (`parse.rs`), repairing what is wrong
//! in them (`mending.rs`). Start with [`read_file`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::formats::gcg::mending::{ReadGame, read};
use crate::formats::gcg::parse::{LooseFault, LooseGame, parse_loosely};
use crate::formats::gcg::types::{FileNote, GcgAction, GcgError};
use crate::formats::{file_text, letter_distribution};
use crate::rules::{GameRules, LetterDistribution};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use std::sync::Arc;

/// How the names of word lists begin that do not name their language (those of Woogles and of the federations), with the language.
const LIST_NAMES: [(&str, &str); 8] = [
    ("fise", "spanish"),
    ("file20", "spanish"),
    ("ods", "french"),
    ("fra2", "french"),
    ("rd2", "german"),
    ("osps", "polish"),
    ("nsf", "norwegian"),
    ("disc2", "catalan"),
];

/// A file as a text.
#[derive(Clone, Debug)]
pub struct GcgReading {
    /// The text.
    pub text: String,
    /// The alphabet in which it is a game, if that is not the requested one.
    pub letters: Option<Arc<LetterDistribution>>,
    /// Notes on wrong statements of the file.
    pub notes: Vec<FileNote>,
}

/// Reads a game from the bytes of a file, as far as it can be read: [`understand`], then [`read`](crate::formats::gcg::read()).
///
/// # Errors
/// It is a game in another alphabet, or not a game at all.
pub fn read_file(bytes: &[u8], rules: &GameRules) -> Result<ReadGame, GcgError> {
    let GcgReading { text, letters, notes } = understand(bytes, rules);
    if let Some(letters) = letters {
        let line = notes.iter().filter_map(|note| note.line).max().unwrap_or(1);
        let [found, expected] = [letters.name(), rules.distribution.name()].map(str::to_string);
        return Err(GcgError::OtherLetters { line, found, expected });
    }
    let mut game = read(&text, rules)?;
    game.notes.splice(0..0, notes);
    Ok(game)
}

/// Decodes the bytes of a GCG file, and finds the alphabet in which they are a game: that of the rules, if possible.
pub fn understand(bytes: &[u8], rules: &GameRules) -> GcgReading {
    let own = in_its_own_set(bytes);
    let strange = line_of_a_strange_letter(&own.text, rules);
    let hint = named_letters(&own.text).filter(|(_, letters)| letters.name() != rules.distribution.name());
    let Some(line) = strange.or(hint.as_ref().map(|(line, _)| *line)) else { return own };
    // Bytes without a set were already read in the first of these sets.
    let others = file_text::in_older_sets(bytes).skip(1).filter(|_| strange.is_some());
    let others = others.map(|(set, text)| {
        let line = Some(stated_set(bytes).map_or(1, |(line, _)| line));
        GcgReading { text, letters: None, notes: vec![FileNote { line, text: format!("read as {set}") }] }
    });
    for mut reading in std::iter::once(own.clone()).chain(others) {
        // In another set the letters may be those of the alphabet after all.
        let own_fit = fit_in(&reading.text, rules, &rules.distribution);
        if own_fit.is_some_and(|fit| fit.wrong_numbers == 0 && strange.is_some()) {
            return reading;
        }
        let alphabets = match &hint {
            Some((_, letters)) => vec![Arc::clone(letters)],
            None => letter_distribution::built_in_names().filter_map(LetterDistribution::built_in).map(Arc::new).collect(),
        };
        let fitting = alphabets.into_iter().filter_map(|letters| Some((fit_in(&reading.text, rules, &letters)?, letters)));
        let mut fitting: Vec<(GameFit, Arc<LetterDistribution>)> = fitting.collect();
        fitting.sort_by_key(|(fit, _)| *fit);
        let (fit, letters) = match fitting.as_slice() {
            [(best, letters), (next, _), ..] if best < next => (best, letters),
            [(best, letters)] => (best, letters),
            _ => continue,
        };
        if own_fit.is_none_or(|own| *fit < own) {
            let reason = if strange.is_some() { "letters that the {} alphabet lacks" } else { "a game with words that are not {}" };
            let reason = reason.replace("{}", rules.distribution.name());
            reading.notes.push(FileNote { line: Some(line), text: format!("{reason}: read in the {} alphabet", letters.name()) });
            reading.letters = Some(Arc::clone(letters));
            return reading;
        }
    }
    own
}

/// The line of the first letter that the alphabet lacks.
fn line_of_a_strange_letter(text: &str, rules: &GameRules) -> Option<usize> {
    let LooseGame { faults, end, .. } = parse_loosely(text, rules);
    let line = |error: &GcgError| if let GcgError::BadTile { place, .. } = error { Some(place.line) } else { None };
    let of_racks = faults.iter().filter_map(|fault| if let LooseFault::UnknownRack(error) = fault { line(error) } else { None });
    of_racks.chain(end.as_ref().and_then(line)).min()
}

/// The alphabet of the words that `#lexicon` or Woogles' `#tile-set` names, with its line.
fn named_letters(text: &str) -> Option<(usize, Arc<LetterDistribution>)> {
    (1..).zip(text.lines()).find_map(|(line, text)| {
        let (key, value) = text.trim().split_once(char::is_whitespace)?;
        if !["#lexicon", "#tile-set"].iter().any(|known| key.eq_ignore_ascii_case(known)) {
            return None;
        }
        let value = value.trim().to_lowercase();
        let by_list = LIST_NAMES.iter().find(|(list, _)| value.starts_with(list)).map(|(_, name)| *name);
        let name = by_list.or_else(|| letter_distribution::built_in_names().find(|name| value.contains(*name)))?;
        Some((line, Arc::new(LetterDistribution::built_in(name)?)))
    })
}

/// How well a text fits an alphabet, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct GameFit {
    /// Events that cannot be read.
    unread: usize,
    /// Numbers that contradict the rules.
    wrong_numbers: usize,
}

/// Returns how well a text fits an alphabet, or `None` if it is not a game in it: nothing can be read, a rack is invalid, or more than
/// half of the plays have wrong points.
fn fit_in(text: &str, rules: &GameRules, letters: &Arc<LetterDistribution>) -> Option<GameFit> {
    let rules = rules.to_builder().distribution(Arc::clone(letters)).build().ok()?;
    if line_of_a_strange_letter(text, &rules).is_some() {
        return None;
    }
    let ReadGame { game, wrong_numbers, .. } = read(text, &rules).ok()?;
    let plays = game.events.iter().filter(|event| matches!(event.action, GcgAction::Place { .. })).count();
    let unread = text.lines().filter(|line| line.trim_start().starts_with('>')).count().saturating_sub(game.events.len());
    (plays > 0 && 2 * wrong_numbers <= plays).then_some(GameFit { unread, wrong_numbers })
}

fn is_utf8(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok()
}

/// The character set that a file states, with the line of the statement.
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
            let text = format!("the stated character set {label} is wrong: read as {read_as}");
            notes.push(FileNote { line: Some(*line), text });
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::GameRules;
    use encoding_rs::{ISO_8859_2, WINDOWS_1250};

    /// A Polish word of 8 points, twice them on the start: Z 1, A 1, Ż 5, Ą 5, D 2.
    const POLISH: &str = ">Ala: ZAŻĄDEK 8F ŻĄDZA +28 28\n>Ola: AEIOUYK -AE +0 0\n";

    #[test]
    fn an_alphabet_that_the_letters_make_plain_is_found() {
        let check = |bytes: &[u8], notes: &[&str]| {
            let reading = understand(bytes, &GameRules::english());
            assert_eq!(reading.letters.as_ref().map(|letters| letters.name()), Some("polish"), "{reading:?}");
            assert!(reading.text.contains("ŻĄDZA"), "{reading:?}");
            let told: Vec<String> = reading.notes.iter().map(|note| format!("{} {}", note.line.unwrap(), note.text)).collect();
            assert_eq!(told, notes);
        };
        let polish = "1 letters that the english alphabet lacks: read in the polish alphabet";
        check(POLISH.as_bytes(), &[polish]);
        check(&WINDOWS_1250.encode(POLISH).0, &["1 read as windows-1250", polish]);
        let stated = format!("#character-encoding ISO-8859-2\n{POLISH}");
        check(&ISO_8859_2.encode(&stated).0, &[&polish.replacen('1', "2", 1)]);
    }

    #[test]
    fn letters_that_fit_in_no_alphabet_or_in_several_change_nothing() {
        for text in [">Ann: ŻŐ 8D ŻŐ +28 28\n", ">Ann: ABCDEFG 8D CAB +16 16\n", ">Ala: ŻĄDZA 8F ŻĄDZA +99 99\n", ""] {
            let reading = understand(text.as_bytes(), &GameRules::english());
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
            &["the stated character set UTF-8 is wrong: read as Windows-1252"],
        );
        check(
            "#character-encoding ISO-8859-1\n#title \u{c9}t\u{e9}".as_bytes(),
            "#character-encoding ISO-8859-1\n#title \u{c9}t\u{e9}",
            &["the stated character set ISO-8859-1 is wrong: read as UTF-8"],
        );
        check(b"#character-encoding windows-1250\n#title \xaf\xb9", "#character-encoding windows-1250\n#title \u{17b}\u{105}", &[]);
        check(
            b"#Character-Encoding no-such-set\n#title \xe9",
            "#Character-Encoding no-such-set\n#title \u{e9}",
            &["the stated character set no-such-set is wrong: read as Windows-1252"],
        );
        check(b"#character-encoding ISO-8859-1\n#title x", "#character-encoding ISO-8859-1\n#title x", &[]);
    }
}
