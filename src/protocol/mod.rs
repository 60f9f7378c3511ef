//! The line protocol: parses lines into commands, runs them in a session, and prints its replies.
//!
//! The engine speaks two published protocols for crossword-game engines, \[SIU\] and \[UCGI\], and understands the commands of chess's UCI.
//! It also speaks the protocols of two programs that drive engines: Scuteboard and Tilefish's referee.
//!
//! Not here: files and the terminal (`host/`, `terminal/`) and everything about the game itself. The specification for users is
//! `protocol/` at the top of the repository. Start with `session/mod.rs`.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

pub(crate) mod command;
pub(crate) mod help;
pub(crate) mod parse;
pub(crate) mod crossword_game;
pub(crate) mod parameters;
pub(crate) mod options;
pub(crate) mod ranking;
pub(crate) mod challenge;
pub(crate) mod comparison;
pub(crate) mod reply;
pub(crate) mod display;
pub mod resources;
pub mod session;
pub(crate) mod sample_log;
#[cfg(feature = "server")]
pub(crate) mod word_maps;
#[cfg(feature = "server")]
pub mod named_resources;
#[cfg(feature = "server")]
mod unread;
#[cfg(feature = "server")]
pub mod server;
