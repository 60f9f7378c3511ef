//! The game that is played to lose: the lower score at the end wins.
//!
//! | file | what it holds |
//! |---|---|
//! | `tile_values.rs` | the value of a tile as a penalty at the end, by exchanges left |
//! | `belief.rs` | what a player believes of the other rack, tile by tile |
//! | `cheapest.rs` | the placements that cost least |
//! | `equity.rs` | static equity, and the turn of a player who looks no further than the end |
//! | `playouts.rs` | candidates played out to the end of the game |
//!
//! Not here: the rules (`rules/variant.rs`, `rules/ending.rs`). Start with [`equity`].

pub mod tile_values;
pub mod belief;
pub mod cheapest;
pub mod equity;
pub mod playouts;
