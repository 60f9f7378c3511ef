//! The line protocol: a line becomes a command, a command changes the session, the session answers with lines.
//!
//! | file | what it holds |
//! |---|---|
//! | `command.rs` | what can be said to the engine, as data |
//! | `help.rs` | what `help` says of commands and modes |
//! | `parameters.rs` | the one table of the parameters of `go`: words, values, help, what each search does with them |
//! | `parse.rs` | line -> command, the union of the dialects siu, ucgi and uci |
//! | `options.rs` | the one table of options: handshake, `setoption`, `help` |
//! | `reply.rs` | what the engine says -> lines of a dialect |
//! | `display.rs` | the board drawn for a person |
//! | `resources.rs` | what the session asks its surroundings for: lexicons, tables, games, logs |
//! | `session/` | what a line means, given the lines before it: no I/O, no clock |
//! | `sample_log.rs` | the lines of the option `SimLog` |
//! | `unread.rs` | (feature `cli`) how many bytes of answers wait to be read |
//! | `server.rs` | (feature `cli`) streams, clocks and threads around a session |
//!
//! The engine speaks two written protocols for crossword-game engines, \[SIU\] and \[UCGI\], and understands the words of chess's UCI.
//!
//! Not here: files and the terminal (`host/`, `terminal/`) and everything about the game itself. The specification for users is
//! `protocol/README.md` at the top of the repository. Start with `session/mod.rs`.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

pub mod command;
pub mod help;
pub mod parse;
pub mod parameters;
pub mod options;
pub mod reply;
pub mod display;
pub mod resources;
pub mod session;
pub mod sample_log;
#[cfg(feature = "cli")]
pub mod unread;
#[cfg(feature = "cli")]
pub mod server;
