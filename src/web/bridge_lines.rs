//! The lines of the bridge, which begin with the word `bridge` (\[SIU\], section 11).
//! All other lines are the engine's.
//!
//! Not here: how they are answered (`bridge/relay.rs`). Start with [`ClientLine::read`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use std::fmt;

/// The version of the protocol that the bridge speaks.
pub const BRIDGE_VERSION: &str = "0.2";

/// A line of a front end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClientLine<'l> {
    /// `bridge hello`: the page asks to be paired.
    AskCode,
    /// `bridge hello code <code>`.
    Code(String),
    /// `bridge hello token <token>`.
    Token(&'l str),
    /// `bridge engines`.
    Engines,
    /// `bridge open <id>`.
    Open(&'l str),
    /// `bridge close`.
    Close,
    /// Any other line that begins with `bridge`.
    Unknown,
    /// A line for the engine, unchanged.
    Engine(&'l str),
}

impl<'l> ClientLine<'l> {
    /// Reads a line.
    pub fn read(line: &'l str) -> ClientLine<'l> {
        let mut words = line.split_whitespace();
        if !words.next().is_some_and(is_bridge_word) {
            return ClientLine::Engine(line);
        }
        let words: Vec<&str> = words.collect();
        match words.as_slice() {
            ["hello"] => ClientLine::AskCode,
            // People type codes with spaces.
            ["hello", "code", code @ ..] if !code.is_empty() => ClientLine::Code(code.concat()),
            ["hello", "token", token] => ClientLine::Token(token),
            ["engines"] => ClientLine::Engines,
            ["open", id] => ClientLine::Open(id),
            ["close"] => ClientLine::Close,
            _ => ClientLine::Unknown,
        }
    }
}

/// Whether a line of an engine could be mistaken for one of the bridge. Such a line is not passed on.
pub fn looks_like_bridge(line: &str) -> bool {
    line.split_whitespace().next().is_some_and(is_bridge_word)
}

fn is_bridge_word(word: &str) -> bool {
    word.eq_ignore_ascii_case("bridge")
}

/// Why the bridge refuses a line or ends an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BridgeFault {
    /// No `bridge hello` was accepted yet.
    NotPaired,
    /// The token is unknown or was revoked.
    WrongToken,
    /// The code is not the one that is shown, or is no longer valid.
    WrongCode,
    /// The next guess has to wait.
    Wait,
    /// No engine has this id.
    UnknownEngine,
    /// This connection has an engine already.
    EngineOpen,
    /// The line is for an engine, but none is open.
    NoEngine,
    /// The greatest allowed number of engines is running.
    TooManyEngines,
    /// The engine's program could not be started.
    CannotStart,
    /// The engine writes more than it may, or reads less than it must.
    BadEngine,
    /// No page may set this option.
    RefusedOption,
    /// The bridge has no such command.
    UnknownCommand,
    /// Something failed on this machine.
    Internal,
}

impl BridgeFault {
    /// The code on the wire.
    pub fn code(self) -> &'static str {
        match self {
            BridgeFault::NotPaired => "not-paired",
            BridgeFault::WrongToken => "wrong-token",
            BridgeFault::WrongCode => "wrong-code",
            BridgeFault::Wait => "wait",
            BridgeFault::UnknownEngine => "unknown-engine",
            BridgeFault::EngineOpen => "engine-open",
            BridgeFault::NoEngine => "no-engine",
            BridgeFault::TooManyEngines => "too-many-engines",
            BridgeFault::CannotStart => "cannot-start",
            BridgeFault::BadEngine => "bad-engine",
            BridgeFault::RefusedOption => "refused-option",
            BridgeFault::UnknownCommand => "unknown-command",
            BridgeFault::Internal => "internal",
        }
    }
}

/// A line of the bridge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BridgeReply {
    /// The page is paired.
    Ok,
    /// A code is shown to the user for this many seconds.
    Pairing(u64),
    /// The token for later connections.
    Token(String),
    /// An engine that can be opened.
    Engine(String),
    /// That was the last engine.
    EnginesOk,
    /// The engine runs.
    Opened(String),
    /// The engine has ended, and how.
    Closed(String, String),
    /// A line was refused, or an engine failed, and why.
    Error(BridgeFault, String),
}

impl fmt::Display for BridgeReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BridgeReply::Ok => write!(f, "bridge ok {BRIDGE_VERSION}"),
            BridgeReply::Pairing(seconds) => write!(f, "bridge pairing {seconds}"),
            BridgeReply::Token(token) => write!(f, "bridge token {token}"),
            BridgeReply::Engine(id) => write!(f, "bridge engine {id}"),
            BridgeReply::EnginesOk => write!(f, "bridge enginesok"),
            BridgeReply::Opened(id) => write!(f, "bridge opened {id}"),
            BridgeReply::Closed(id, how) => write!(f, "bridge closed {id} {how}"),
            BridgeReply::Error(fault, text) => write!(f, "bridge error {} {text}", fault.code()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_bridge_are_told_from_those_of_engines() {
        let check = |line, expected| assert_eq!(ClientLine::read(line), expected, "{line}");
        check("bridge hello", ClientLine::AskCode);
        check("  bridge\thello  token abc ", ClientLine::Token("abc"));
        check("bridge hello code K7QF-2M9D", ClientLine::Code("K7QF-2M9D".to_string()));
        check("bridge hello code k7qf 2m9d", ClientLine::Code("k7qf2m9d".to_string()));
        check("Bridge engines", ClientLine::Engines);
        check("bridge open magpie", ClientLine::Open("magpie"));
        check("bridge close", ClientLine::Close);
        for unknown in
            ["bridge", "bridge open", "bridge open a b", "bridge hello code", "bridge hello token", "bridge hello token a b", "bridge quit"]
        {
            check(unknown, ClientLine::Unknown);
        }
        for line in ["siu", "", "  go infinite", "bridges", "x bridge close"] {
            check(line, ClientLine::Engine(line));
        }
        assert!(looks_like_bridge(" BRIDGE ok") && !looks_like_bridge("info string bridge"));
    }
}
