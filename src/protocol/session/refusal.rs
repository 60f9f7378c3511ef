//! The reasons why a command is refused or delayed.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::protocol::command::Word;
use crate::protocol::parse::shown;
use crate::protocol::reply::{ErrorCode, ErrorReply};
use crate::protocol::resources::ResourceRequest;
use crate::rules::Position;
use crate::rules::distribution::TileTextError;
use crate::rules::notation::{MoveError, MoveText, parse_move};

/// Why a command is not carried out.
pub(super) enum Refusal {
    /// It cannot be carried out. The command's name is added when the refusal is reported.
    Error(ErrorReply),
    /// Not yet: this has to be loaded first.
    ///
    /// The command is carried out again from its beginning when the resource has come. INVARIANT: a
    /// handler asks for all of its resources before it changes the session. Its replies until then
    /// are discarded. `resources_that_come_late_change_no_answer` tests all commands.
    Missing(Box<ResourceRequest>),
}

impl Refusal {
    /// Returns the same refusal with another code, if it is an error.
    pub(super) fn with_code(self, code: ErrorCode) -> Refusal {
        self.map_error(|error| ErrorReply { code, ..error })
    }

    /// Returns the same refusal at the column of a word, if it is an error without one.
    pub(super) fn at(self, word: &Word) -> Refusal {
        self.map_error(|error| ErrorReply { column: error.column.or(Some(word.column)), ..error })
    }

    fn map_error(self, change: impl FnOnce(ErrorReply) -> ErrorReply) -> Refusal {
        match self {
            Refusal::Error(error) => Refusal::Error(change(error)),
            missing @ Refusal::Missing(_) => missing,
        }
    }
}

impl From<ErrorReply> for Refusal {
    fn from(error: ErrorReply) -> Refusal {
        Refusal::Error(error)
    }
}

/// Returns an error without a place.
pub(super) fn error<T>(code: ErrorCode, message: impl Into<String>) -> Result<T, Refusal> {
    Err(ErrorReply::new(code, message).into())
}

/// Returns an error at the column of a word.
pub(super) fn error_at<T>(code: ErrorCode, word: &Word, message: impl Into<String>) -> Result<T, Refusal> {
    Err(ErrorReply::new(code, message).at(word.column).into())
}

/// Returns an error at the character of a word that is not a tile. `hint` ends the message.
pub(super) fn bad_tile<T>(code: ErrorCode, word: &Word, error: &TileTextError, hint: &str) -> Result<T, Refusal> {
    let TileTextError { column, found, alphabet } = error;
    let message = format!("{} is not a tile of the {alphabet} alphabet{hint}", shown(found));
    Err(ErrorReply::new(code, message).at(word.column + column - 1).into())
}

/// Reads a move in a position.
pub(super) fn move_at(position: &Position, word: &Word) -> Result<MoveText, Refusal> {
    parse_move(&word.text, position).or_else(|wrong| match &wrong {
        MoveError::BadTiles { text, error } => bad_tile(ErrorCode::BadMove, word, error, &format!(", in {text:?}")),
        MoveError::BadCoordinate { column, .. } | MoveError::BadNumber { column, .. } => {
            Err(ErrorReply::new(ErrorCode::BadMove, wrong.to_string()).at(word.column + column - 1).into())
        }
        // The whole move is wrong.
        _ => error_at(ErrorCode::BadMove, word, wrong.to_string()),
    })
}
