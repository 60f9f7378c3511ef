//! Screening: many greedy playouts on one board, with the same tiles dealt in different ways, as a pre-endgame asks for.
//!
//! Not here: playouts that look at the board as it becomes (`search/endgame/worker.rs`). Start with [`QuickPlayouts`].

mod ranked;
mod quick_playouts;

pub use quick_playouts::QuickPlayouts;
