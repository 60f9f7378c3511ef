//! What front ends in a browser need, without sockets, files and processes: who may connect, how they are paired, what they say to the
//! bridge, what is refused, and the board's page.
//!
//! | file | what it holds |
//! |---|---|
//! | `origin.rs` | the headers `Origin` and `Host`, read exactly |
//! | `secret.rs` | one-time codes, tokens, and the hashes by which they are known |
//! | `pairing.rs` | who is paired; guesses are slowed down |
//! | `bridge_lines.rs` | the lines that begin with `bridge` |
//! | `option_guard.rs` | options that no page may set |
//! | `page.rs`, `page/` | the page of the board |
//!
//! Not here: HTTP, WebSockets, the engines' processes (`cli/bridge/`). Start with `bridge_lines.rs`.

pub mod origin;
pub mod secret;
pub mod pairing;
pub mod bridge_lines;
pub mod option_guard;
pub mod page;
