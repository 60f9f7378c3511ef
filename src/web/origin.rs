//! The headers `Origin` and `Host`, read exactly. Any page in a browser can send requests to 127.0.0.1; these two headers, which a page
//! cannot forge, identify the page and the host name that it used.
//!
//! Texts are never compared by their beginnings or ends. Each value has exactly one spelling; any other is refused, not corrected. Start
//! with [`Origin`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::str::FromStr;
use thiserror::Error;

/// The origin of a page, as a browser writes it: `https://woogles.io`, `http://127.0.0.1:8080`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Origin {
    is_secure: bool,
    host: String,
    port: u16,
}

/// Why a text is not an origin.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{found:?} is not an origin: {why}; expected a scheme and a host, then a port unless it is the default, as in https://woogles.io")]
pub struct OriginError {
    found: String,
    why: &'static str,
}

impl Origin {
    /// The origin of a page that this program serves itself.
    pub fn local(port: u16) -> Origin {
        Origin { is_secure: false, host: Ipv4Addr::LOCALHOST.to_string(), port }
    }

    fn usual_port(is_secure: bool) -> u16 {
        if is_secure { 443 } else { 80 }
    }
}

impl FromStr for Origin {
    type Err = OriginError;

    fn from_str(text: &str) -> Result<Origin, OriginError> {
        let wrong = |why| OriginError { found: text.chars().take(100).collect(), why };
        let (is_secure, rest) = match (text.strip_prefix("https://"), text.strip_prefix("http://")) {
            (Some(rest), _) => (true, rest),
            (None, Some(rest)) => (false, rest),
            (None, None) => return Err(wrong("it begins with neither https:// nor http://")),
        };
        let (host, port) = split_port(rest).map_err(wrong)?;
        check_host(host).map_err(wrong)?;
        if port == Some(Origin::usual_port(is_secure)) {
            return Err(wrong("browsers leave out the default port"));
        }
        Ok(Origin { is_secure, host: host.to_string(), port: port.unwrap_or(Origin::usual_port(is_secure)) })
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "http{}://{}", if self.is_secure { "s" } else { "" }, self.host)?;
        if self.port == Origin::usual_port(self.is_secure) { Ok(()) } else { write!(f, ":{}", self.port) }
    }
}

/// Whether a `Host` names this machine by its address or as `localhost`, with this port. Any other name is refused, even if it resolves to
/// 127.0.0.1.
pub fn is_own_host(host: &str, port: u16) -> bool {
    let Ok((name, found)) = split_port(host) else { return false };
    ["127.0.0.1", "localhost"].contains(&name) && found.unwrap_or(80) == port
}

/// A host, and the port after it, if there is one.
fn split_port(text: &str) -> Result<(&str, Option<u16>), &'static str> {
    // The colons of an IPv6 address are in brackets.
    let end_of_host = text.rfind(']').map_or(0, |at| at + 1);
    let Some(colon) = text.get(end_of_host..).and_then(|rest| rest.find(':')).map(|at| at + end_of_host) else {
        return Ok((text, None));
    };
    let (host, port) = (text.get(..colon).unwrap_or_default(), text.get(colon + 1..).unwrap_or_default());
    let number: u16 = port.parse().map_err(|_| "its port is not a number up to 65535")?;
    // No sign, no leading zero.
    if number == 0 || number.to_string() != port { Err("its port has a sign or leading zeros, or is 0") } else { Ok((host, Some(number))) }
}

/// Checks that a host is written as browsers write it: in lowercase, without a dot at the end, addresses in their usual form.
fn check_host(host: &str) -> Result<(), &'static str> {
    if let Some(address) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let usual = address.parse::<Ipv6Addr>().is_ok_and(|parsed| parsed.to_string() == address);
        return if usual { Ok(()) } else { Err("its IPv6 address is not in the usual form") };
    }
    let is_label = |label: &str| {
        !label.is_empty()
            && label.len() < 64
            && label.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    if host.len() > 253 || !host.split('.').all(is_label) {
        return Err("its host may only have lowercase letters, digits and dashes, with single dots between them");
    }
    // Browsers take a host that ends in a number for an IPv4 address, whichever way it is written.
    let ends_in_number =
        host.rsplit('.').next().is_some_and(|label| label.bytes().all(|byte| byte.is_ascii_digit()) || label.starts_with("0x"));
    let is_address = host.parse::<Ipv4Addr>().is_ok_and(|parsed| parsed.to_string() == host);
    if ends_in_number && !is_address { Err("its IPv4 address is not in the usual form") } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_printed_as_it_was_read() {
        for text in ["https://woogles.io", "http://localhost:3000", "http://127.0.0.1:7480", "https://[::1]:8443", "https://a-b.example"] {
            assert_eq!(text.parse::<Origin>().unwrap().to_string(), text);
        }
        assert_eq!(Origin::local(7480), "http://127.0.0.1:7480".parse().unwrap());
    }

    #[test]
    fn what_is_not_written_as_browsers_write_it_is_no_origin() {
        for text in [
            "",
            "null",
            "*",
            "file://",
            "https://",
            "woogles.io",
            "//woogles.io",
            "HTTPS://woogles.io",
            "https://Woogles.io",
            "https://woogles.io.",
            "https://woogles.io/",
            "https://woogles.io:443",
            "http://woogles.io:80",
            "https://woogles.io:",
            "https://woogles.io:0",
            "https://woogles.io:+8",
            "https://woogles.io:08",
            "https://woogles.io:65536",
            "https://woogles.io:1:2",
            "https://user@woogles.io",
            "https://woogles.io?x",
            "https://woogles.io#x",
            "https://.woogles.io",
            "https://woogles..io",
            "https://woogles.io https://b.example",
            " https://woogles.io",
            "https://woogles.io\t",
            "https://wöogles.io",
            "https://*.woogles.io",
            "https://::1",
            "https://[::1",
            "https://[::1]x",
            "https://[0:0::1]",
            "https://[::1]:",
            "http://127.1:3000",
            "http://0x7f.1",
            "http://2130706433:3000",
            "http://127.0.0.01:3000",
            "ws://woogles.io",
            "chrome-extension://abc",
        ] {
            assert!(text.parse::<Origin>().is_err(), "{text:?} was taken for an origin");
        }
    }

    #[test]
    fn origins_that_look_alike_are_not_equal() {
        let allowed: Origin = "http://127.0.0.1:3000".parse().unwrap();
        for other in [
            "http://127.0.0.1.attacker.example:3000",
            "http://127.0.0.1",
            "http://127.0.0.1:3001",
            "https://127.0.0.1:3000",
            "http://localhost:3000",
            "http://[::1]:3000",
        ] {
            assert_ne!(other.parse::<Origin>().unwrap(), allowed, "{other}");
        }
    }

    #[test]
    fn only_the_machines_own_names_are_its_host() {
        for host in ["127.0.0.1:7480", "localhost:7480"] {
            assert!(is_own_host(host, 7480), "{host}");
        }
        for host in [
            "127.0.0.1.attacker.example:7480",
            "127.0.0.1",
            "localhost",
            "127.0.0.1:7481",
            "127.0.0.1:07480",
            "127.0.0.1.:7480",
            "localhost.:7480",
            "LOCALHOST:7480",
            "[::1]:7480",
            "[::ffff:127.0.0.1]:7480",
            "attacker.example:7480",
            "127.1:7480",
            "0.0.0.0:7480",
            "127.0.0.2:7480",
            "x@127.0.0.1:7480",
            "127.0.0.1:7480:7480",
            "127.0.0.1:7480 ",
            "",
            ":7480",
            "null",
        ] {
            assert!(!is_own_host(host, 7480), "{host:?} was taken for this machine");
        }
        assert!(is_own_host("127.0.0.1", 80) && is_own_host("127.0.0.1:80", 80));
    }
}
