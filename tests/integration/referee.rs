//! Judges the engine's moves: the rules of `tilewright::rules` and the words of `lexicons/enable.txt` themselves, not the
//! word graph that the engine generates from.

use std::collections::HashSet;
use std::sync::LazyLock;
use tilewright::formats::cgp;
use tilewright::rules::notation::{apply_move, parse_move};
use tilewright::rules::scoring::score_placement;
use tilewright::rules::{GameRules, Play, Position, Turn};

static WORDS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("../../lexicons/enable.txt").split_ascii_whitespace().collect());

/// Whether the lexicon has a word.
pub fn is_word(word: &str) -> bool {
    WORDS.contains(word)
}

/// An English position.
pub fn position(cgp: &str) -> Position {
    cgp::parse(cgp, &GameRules::english()).expect("a possible position").position
}

/// Checks that a move is possible from the mover's rack and forms words only; returns the position after it.
pub fn check_legal(position: &Position, text: &str) -> Position {
    let read = parse_move(text, position).unwrap_or_else(|error| panic!("illegal move {text}: {error}"));
    let Turn::Play(play) = &read.turn else { panic!("{text} is no play") };
    assert!(position.mover_rack().minus(&play.rack_tiles()).is_ok(), "{text} is not on the rack");
    if let Play::Place(placement) = play {
        let scored = score_placement(position.rules(), position.board(), placement).expect("it was checked");
        for word in scored.words {
            let word = position.rules().distribution.word_text(&word.letters());
            assert!(is_word(&word), "{text} forms {word}, which is no word");
        }
    }
    apply_move(position, &read).expect("it was checked")
}
