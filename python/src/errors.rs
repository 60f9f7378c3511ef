//! The library's errors as Python's exceptions (`tilewright/errors.py`), with their place.

use pyo3::import_exception;
use pyo3::prelude::*;
use std::fmt::Display;
use tilewright::engine::EngineError;
use tilewright::formats::cgp::CgpError;
use tilewright::formats::gcg::GcgError;
use tilewright::rules::notation::MoveError;
use tilewright::search::RequestError;

import_exception!(tilewright.errors, IllegalPlayError);
import_exception!(tilewright.errors, InvalidGameError);
import_exception!(tilewright.errors, InvalidPlayError);
import_exception!(tilewright.errors, InvalidPositionError);
import_exception!(tilewright.errors, LexiconError);
import_exception!(tilewright.errors, RulesError);
import_exception!(tilewright.errors, SearchError);

/// Returns the Python exception for a refused search.
pub fn engine_error(error: EngineError) -> PyErr {
    match error {
        EngineError::Cgp(error) => cgp_error(&error),
        EngineError::OtherData { .. } | EngineError::OtherAlphabet { .. } => InvalidPositionError::new_err(error.to_string()),
        EngineError::Request(RequestError::Play { error, .. }) => IllegalPlayError::new_err(error.to_string()),
        other => SearchError::new_err(other.to_string()),
    }
}

fn cgp_error(error: &CgpError) -> PyErr {
    let place = error.place();
    InvalidPositionError::new_err((error.to_string(), place.map(|place| place.line), place.map(|place| place.column)))
}

/// Returns the Python exception for a play whose text is wrong.
pub fn move_error(error: MoveError) -> PyErr {
    let column = match &error {
        MoveError::Syntax { column, .. } | MoveError::BadCoordinate { column, .. } | MoveError::BadNumber { column, .. } => Some(*column),
        MoveError::BadTiles { error, .. } => Some(error.column),
        _ => None,
    };
    match error {
        MoveError::Impossible { .. } => IllegalPlayError::new_err(error.to_string()),
        _ => InvalidPlayError::new_err((error.to_string(), column.map(|_| 1), column)),
    }
}

/// Returns the Python exception for a damaged game.
pub fn game_error(error: GcgError) -> PyErr {
    InvalidGameError::new_err((error.to_string(), error.line()))
}

/// Returns the Python exception for a play against the rules.
pub fn illegal(error: impl Display) -> PyErr {
    IllegalPlayError::new_err(error.to_string())
}

/// Returns the Python exception for words or tables that cannot be used.
pub fn lexicon_error(error: impl Display) -> PyErr {
    LexiconError::new_err(error.to_string())
}

/// Returns the Python exception for impossible rules.
pub fn rules_error(error: impl Display) -> PyErr {
    RulesError::new_err(error.to_string())
}

/// Returns the Python exception for a question that cannot be asked.
pub fn search_error(error: impl Display) -> PyErr {
    SearchError::new_err(error.to_string())
}
