//! The pages of Tilewright in a real browser: the board, the reports of games, and puzzles.
//!
//! This is a crate of its own, so that the program and all other tests are built without the crates that drive a browser. It needs Chromium and its
//! driver, or Firefox (Debian: `chromium` and `chromium-driver`, `firefox-esr`), and a program that is already built: by `cargo test` or
//! `cargo build`, or the one that the variable TILEWRIGHT names. From the top folder of the repository:
//!
//! ```text
//! cargo test --locked -p tilewright-browser-tests
//! ```
//!
//! TILEWRIGHT_BROWSER=firefox runs them in Firefox (version 140 or later) instead of Chromium. With TILEWRIGHT_AXE and a file `axe.min.js` the page is also
//! judged by axe-core (`npm install axe-core`).
//!
//! With TILEWRIGHT_SITE and the folder of a site (`scripts/web site`), the tests of the page use it instead of `tilewright board`, and the tests
//! of `site` run.
//!
//! Pictures of the pages, wide and narrow, light and dark, are kept in `target/tmp/`. Start with `board.rs`.

mod access;
mod board;
#[path = "../integration/board_page.rs"]
mod board_page;
mod challenges;
mod connection;
mod driver;
mod entrance;
mod hands;
mod keys;
mod looks;
mod page;
mod puzzles;
mod reports;
mod site;
mod study;
mod stumbles;

use std::path::{Path, PathBuf};
use std::process::Command;

/// The top folder of the repository.
fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// The program under test, which starts in the top folder of the repository.
fn tilewright() -> Command {
    let program = std::env::var_os("TILEWRIGHT").map_or_else(|| repository().join("target/debug/tilewright"), PathBuf::from);
    assert!(program.is_file(), "there is no program {}: run cargo build first, or name another one in TILEWRIGHT", program.display());
    let mut command = Command::new(program);
    command.current_dir(repository());
    command
}
