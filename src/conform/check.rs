//! A check: its name, what it demands, and the function that makes it.

use crate::conform::probe::{CheckResult, Probe};

/// The lines that the process receives before a check begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckStart {
    /// Nothing.
    Silent,
    /// The handshake, the options of the command line, and `isready`.
    Ready,
}

/// Whom a check is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckScope {
    /// Engines of both dialects.
    Both,
    /// SIU alone, with the reason why UCGI has nothing to check.
    Siu(&'static str),
}

/// A check. It gets a process of its own.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it demands, in a line; numbers are sections of the SIU draft.
    pub demand: &'static str,
    /// Whom it is for.
    pub scope: CheckScope,
    /// How it begins.
    pub start: CheckStart,
    /// The check itself.
    pub run: fn(&mut Probe<'_>) -> CheckResult,
}

impl Check {
    /// A check of both dialects that begins with an engine that is ready.
    pub const fn new(name: &'static str, demand: &'static str, run: fn(&mut Probe<'_>) -> CheckResult) -> Check {
        Check { name, demand, scope: CheckScope::Both, start: CheckStart::Ready, run }
    }

    /// The same for SIU alone, since UCGI has nothing to check for this reason.
    pub const fn siu(self, why: &'static str) -> Check {
        Check { scope: CheckScope::Siu(why), ..self }
    }

    /// The same from a process to which nothing was said.
    pub const fn silent(self) -> Check {
        Check { start: CheckStart::Silent, ..self }
    }
}
