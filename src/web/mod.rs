//! What front ends in a browser need, without sockets, files and processes: who may connect, how they are paired, what they say to the
//! bridge, what is refused, and the board's page.
//!
//! Not here: HTTP, WebSockets, the engines' processes (`bridge/`). Start with `bridge_lines.rs`.

pub mod origin;
pub mod secret;
pub mod pairing;
pub mod bridge_lines;
pub mod option_guard;
pub mod page;
