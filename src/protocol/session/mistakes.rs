//! Suggests corrections of words that were probably mistyped. The protocols ask for unknown words
//! to be skipped. Here are the exceptions, where a slip would lead to something that nobody asked
//! for: a search of five seconds instead of one, the position before the moves instead of after
//! them.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::formats::suggest::{did_you_mean, nearest};
use crate::protocol::command::{GoMode, GoParameters, Word};
use crate::protocol::parameters::go_words;
use crate::protocol::parse::shown;
use crate::protocol::reply::ErrorCode;
use crate::protocol::session::refusal::{Refusal, error_at};

/// Refuses a `go` that nothing limits, if one of its unknown words is near to a known one.
pub(super) fn refuse_mistyped_limit(parameters: &GoParameters) -> Result<(), Refusal> {
    let meant = |word: &Word| nearest(&word.text, go_words());
    match parameters.unknown.iter().find_map(|word| Some((word, meant(word)?))) {
        Some((word, meant)) if !is_limited(parameters) => {
            let message = format!("{} is not a parameter, did you mean {meant}? Nothing else limits the search", shown(&word.text));
            error_at(ErrorCode::BadOption, word, message)
        }
        _ => Ok(()),
    }
}

/// An unknown word of a `go` as it is named, with the word that was probably meant.
pub(super) fn ignored_go_word(word: &Word) -> String {
    format!("{}{}", word.text, did_you_mean(&word.text, go_words()))
}

/// Refuses a `position` with an unknown word that was probably to be `moves`.
pub(super) fn refuse_mistyped_moves(unknown: &[Word]) -> Result<(), Refusal> {
    match unknown.iter().find(|word| nearest(&word.text, ["moves"]).is_some()) {
        Some(word) => error_at(ErrorCode::BadPosition, word, format!("unexpected {}, did you mean moves?", shown(&word.text))),
        None => Ok(()),
    }
}

/// Whether a `go` says how it ends.
fn is_limited(parameters: &GoParameters) -> bool {
    let clocks = std::iter::once(&parameters.my_clock).chain(&parameters.player_clocks);
    let has_time = parameters.movetime_ms.is_some() || clocks.into_iter().any(|clock| clock.left_ms.is_some());
    let is_counted = parameters.iterations.is_some() || parameters.nodes.is_some() || parameters.stop_condition.is_some();
    let by_mode = match parameters.mode {
        GoMode::Gen => true,
        GoMode::Endgame => parameters.depth.is_some(),
        _ => false,
    };
    has_time || is_counted || by_mode || parameters.infinite
}
