//! Screening: many greedy playouts of different deals on one board, for pre-endgames.
//!
//! Not here: playouts that look at the board as it becomes (`search/endgame/worker.rs`). Start with [`QuickPlayouts`].

mod ranked;
mod quick_playouts;

pub use quick_playouts::QuickPlayouts;
