//! Plays whole games between players in this process.
//!
//! Start with [`pairs::PairedMatch`] and [`referee::play_game`].

pub mod bags;
pub(crate) mod game;
pub(crate) mod time_control;
pub(crate) mod clocks;
pub(crate) mod luck;
pub(crate) mod turn_counts;
pub(crate) mod in_order;
pub mod pairs;
pub(crate) mod adjusted;
pub mod statistics;
pub mod sprt;
pub(crate) mod journal;
pub(crate) mod shard;
pub mod referee;

pub use crate::evaluation::static_eval::EvaluatedPlay;
pub use bags::shuffled_bag;
pub use luck::{Luck, LuckSetting};
pub use time_control::GameTime;
pub use turn_counts::TurnCounts;
