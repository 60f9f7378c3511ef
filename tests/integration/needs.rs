//! What a machine may lack: a test that needs it is skipped there, and says so where a reader sees it.
//!
//! A skipped test counts as passed for the test harness, which also swallows what passed tests print. So a line `skipped: ...` is written past it. Where
//! the variable TILEWRIGHT_SKIPS is set, only the needs that it names, with commas between them, may be missing: any other skip fails. `.ci/run` sets it.
//! Start with [`Need::is_met`].

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// A part of the machine that tests use.
#[derive(Clone, Copy)]
pub enum Need {
    /// Python 3: scripts, and engines with faults.
    Python,
    /// `script` of util-linux: a terminal.
    Terminal,
    /// The lists of SCOWL, Debian's package `scowl`.
    Scowl,
}

/// Where that package has them.
const SCOWL: &str = "/usr/share/dict/scowl";

impl Need {
    /// Its name in TILEWRIGHT_SKIPS.
    fn name(self) -> &'static str {
        match self {
            Need::Python => "python",
            Need::Terminal => "terminal",
            Need::Scowl => "scowl",
        }
    }

    /// The program or folder that shows whether it is there.
    fn thing(self) -> &'static str {
        match self {
            Need::Python => "python3",
            Need::Terminal => "script",
            Need::Scowl => SCOWL,
        }
    }

    /// Whether the machine has it. If it does not, the test that asks is skipped, or fails where no skip is expected.
    pub fn is_met(self) -> bool {
        let runs = |program: &str| {
            let status = Command::new(program).arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
            status.is_ok_and(|status| status.success())
        };
        let is_there = match self {
            Need::Python | Need::Terminal => runs(self.thing()),
            Need::Scowl => Path::new(self.thing()).is_dir(),
        };
        if is_there {
            return true;
        }
        let test = std::thread::current().name().unwrap_or("a test").to_string();
        let is_expected = std::env::var("TILEWRIGHT_SKIPS").map_or(true, |names| names.split(',').any(|name| name == self.name()));
        assert!(
            is_expected,
            "{test} needs {}, which is not on this machine, and TILEWRIGHT_SKIPS does not name {}",
            self.thing(),
            self.name()
        );
        let _ = writeln!(std::io::stderr(), "skipped: {test} needs {}", self.thing());
        false
    }
}
