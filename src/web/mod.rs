//! The support for front ends in a browser, without sockets, files and processes.
//! It decides which pages may connect, pairs them, reads and writes the lines of the bridge,
//! refuses some options, and has the board's page.
//!
//! Not here: HTTP, WebSockets, the engines' processes (`bridge/`). Start with `bridge_lines.rs`.

pub mod origin;
pub mod secret;
pub mod pairing;
pub mod bridge_lines;
pub mod option_guard;
pub mod page;
