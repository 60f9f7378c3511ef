//! Files and texts that other programs read and write too: parsed with errors that name the place, and printed.
//!
//! Not here: opening files (`cli/`). Every parser takes a text or bytes. Start with `cgp/`, the position format.

pub mod cgp;
pub mod gcg;
pub mod kwg;
pub mod kept_graph;
pub mod klv2;
pub mod leave_table;
pub mod layout;
mod csv_rows;
pub mod letter_distribution;
pub mod bag_terms;
pub mod win_table;

use crate::rules::GameRules;
use std::sync::Arc;

impl GameRules {
    /// English tiles on the standard 15x15 board, with the [standard](GameRules::standard) rules. The data of a language are a
    /// format's, so this constructor is not in `rules/`.
    pub fn english() -> GameRules {
        GameRules::standard(Arc::new(letter_distribution::english()), Arc::new(layout::standard()))
    }
}

/// [`GameRules::english`].
pub fn english_rules() -> GameRules {
    GameRules::english()
}
