//! Screening: many greedy playouts on one board, with the same tiles dealt in different ways, as a pre-endgame asks for.
//!
//! | file | what it holds |
//! |---|---|
//! | `ranked.rs` | lists of placements in the order of what they promise, asked about 64 at a time |
//! | `quick_playouts.rs` | the playouts |
//!
//! Not here: playouts that look at the board as it becomes (`search/endgame/worker.rs`). Start with [`QuickPlayouts`].

mod ranked;
mod quick_playouts;

pub use quick_playouts::QuickPlayouts;
