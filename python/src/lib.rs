//! The native half of the Python package `tilewright`: positions, words, games, searches and matches of the library as Python sees them.
//!
//! Not here: everything that can be written in Python. Rows of results, options of searches, errors and the drawing of boards are in
//! `tilewright/*.py`. Nothing here computes anything: a method asks the library, and converts the answer into Python's values. All long work is
//! done without the interpreter's lock, and checks for an interrupt from the keyboard every [`PATIENCE`]. Start with `position.rs`.

mod errors;
mod rows;
mod rules;
mod lexicon;
mod play;
mod position;
mod game;
mod search;
mod matches;
mod program;

use pyo3::prelude::*;
use std::time::Duration;

/// How long the interpreter waits for a search or a match before it checks for an interrupt.
pub const PATIENCE: Duration = Duration::from_millis(50);

/// The module that `tilewright/*.py` imports; `_native.pyi` describes it.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<rules::Rules>()?;
    module.add_class::<rules::Rack>()?;
    module.add_class::<lexicon::Lexicon>()?;
    module.add_class::<play::Play>()?;
    module.add_class::<play::Plays>()?;
    module.add_class::<position::Position>()?;
    module.add_class::<game::Game>()?;
    module.add_class::<search::Searcher>()?;
    module.add_class::<search::Search>()?;
    rules::add_names(module)?;
    module.add_function(wrap_pyfunction!(lexicon::load_lexicon, module)?)?;
    module.add_function(wrap_pyfunction!(play::load_play, module)?)?;
    module.add_function(wrap_pyfunction!(play::load_plays, module)?)?;
    module.add_function(wrap_pyfunction!(position::load_position, module)?)?;
    module.add_function(wrap_pyfunction!(game::load_game, module)?)?;
    module.add_function(wrap_pyfunction!(game::read_games, module)?)?;
    module.add_function(wrap_pyfunction!(matches::play_match, module)?)?;
    module.add_function(wrap_pyfunction!(program::run_program, module)?)?;
    Ok(())
}
