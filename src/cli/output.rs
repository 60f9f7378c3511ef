//! Lines on stdout for subcommands. The protocol server does not use it: it has a writer of its own.

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
