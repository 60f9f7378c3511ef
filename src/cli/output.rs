//! Lines on stdout for subcommands. Not for the protocol server, which has a writer of its own.

use std::io::{self, Write};

/// Prints a line.
///
/// # Errors
/// Stdout cannot be written to.
pub fn line(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}
