//! Why a command is not carried out, or not yet.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::protocol::command::Word;
use crate::protocol::parse::shown;
use crate::protocol::reply::ErrorCode;
use crate::protocol::resources::ResourceRequest;
use crate::rules::Position;
use crate::rules::notation::{MoveText, parse_move};
use std::fmt::Display;

/// Why a command is not carried out.
pub(super) enum Refusal {
    /// It cannot be carried out.
    Error(ErrorCode, String),
    /// Not yet: this has to be loaded first.
    Missing(Box<ResourceRequest>),
}

impl Refusal {
    /// The same refusal with another code, if it is an error.
    pub(super) fn with_code(self, code: ErrorCode) -> Refusal {
        match self {
            Refusal::Error(_, text) => Refusal::Error(code, text),
            missing @ Refusal::Missing(_) => missing,
        }
    }
}

/// An error.
pub(super) fn error<T>(code: ErrorCode, text: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Error(code, text.into()))
}

/// An error about a word of the line, which is shown with its column.
pub(super) fn error_at<T>(code: ErrorCode, word: &Word, text: impl Display) -> Result<T, Refusal> {
    error(code, format!("{} (column {}): {text}", shown(&word.text), word.column))
}

/// A move as written in a position.
pub(super) fn move_at(position: &Position, word: &Word) -> Result<MoveText, Refusal> {
    parse_move(&word.text, position).map_err(|error| Refusal::Error(ErrorCode::BadMove, format!("column {}: {error}", word.column)))
}
