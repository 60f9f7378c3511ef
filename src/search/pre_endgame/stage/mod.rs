//! The stages of a pre-endgame search. Each one is a type, which says what the stage does to a candidate,
//! which candidates it goes through, and how far it brings them.
//!
//! Not here: which stage comes when (`agenda.rs`), and the loop over batches of candidates (`search_loop.rs`).

mod common;
mod playouts;
mod signs;
mod spreads;
mod rivals;

pub use common::Stage;
pub use playouts::{Playouts, Screen};
pub use rivals::Rivals;
pub use signs::{SignSearch, Signs};
pub use spreads::{LEADER_GETS, Spreads, ValueSearch};
