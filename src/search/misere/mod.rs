//! Misere, a game played to lose: the lower final score wins.
//!
//! Not here: the rules (`rules/variant.rs`, `rules/ending.rs`). Start with [`equity`].

pub mod tile_values;
pub mod belief;
pub mod cheapest;
pub mod equity;
pub mod playouts;
