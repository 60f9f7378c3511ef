//! The stages of a pre-endgame search. Each one is a type, which says what the stage does to a candidate,
//! which candidates it goes through, and how far it brings them.
//!
//! | file | what it holds |
//! |---|---|
//! | `common.rs` | [`Stage`], what all of them answer: read this first |
//! | `playouts.rs` | [`Playouts`]: greedy playouts of some draws; [`Screen`]: quick playouts of all draws, to choose what is searched |
//! | `signs.rs` | [`Signs`]: endgames are searched for the winner alone |
//! | `spreads.rs` | [`Spreads`]: endgames are searched for their values, to break ties; whether a sum of final leads is small enough |
//! | `rivals.rs` | [`Rivals`]: can anybody who may have the leader's share have a greater spread? |
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
