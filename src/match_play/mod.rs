//! Whole games between players in this process.
//!
//! | file | what it holds |
//! |---|---|
//! | `bags.rs` | the order of a game's tiles |
//! | `dealer.rs` | what each draw is drawn from |
//! | `game.rs` | one game at full speed: plays are trusted |
//! | `self_play.rs` | static games of one player against itself, for measuring and training |
//! | `clocks.rs` | wall time for each player, and the watchdog that ends a turn |
//! | `luck.rs` | what the draws of a game were worth above what could be expected |
//! | `turn_counts.rs` | exchanges and sacrifices |
//! | `in_order.rs` | pairs on several threads, handed on in order |
//! | `pairs.rs` | two players on the same bags with the seats swapped |
//! | `adjusted.rs` | results with that luck taken off |
//! | `statistics.rs` | what the pairs say |
//! | `sprt.rs` | when they have said enough |
//! | `journal.rs` | a run of pairs as JSON lines |
//! | `referee.rs` | games in which every play is checked by the rules alone |
//!
//! Start with [`pairs::PairedMatch`] and [`referee::play_game`].

pub mod bags;
pub(crate) mod dealer;
pub(crate) mod game;
pub(crate) mod self_play;
pub(crate) mod clocks;
pub(crate) mod luck;
pub mod turn_counts;
pub mod in_order;
pub mod pairs;
pub mod adjusted;
pub mod statistics;
pub mod sprt;
pub mod journal;
pub mod referee;

pub use crate::evaluation::static_eval::EvaluatedPlay;
pub use bags::shuffled_bag;
pub use clocks::GameTime;
pub use luck::{Luck, LuckSetting};
