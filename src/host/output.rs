//! Prints lines on stdout for subcommands, and errors in readable form.
//! Not for the protocol server, which has a writer of its own.

use std::io::{self, Write};

/// An error with its causes, `what: why`. A cause that the text has already is not said again.
pub fn error_text(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |text, cause| match text.as_str() {
        "" => cause,
        said if said.ends_with(&cause) => text,
        said => format!("{said}: {cause}"),
    })
}

/// Prints a line.
///
/// # Errors
/// Stdout cannot be written to.
pub fn line(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::{Context, anyhow};

    #[test]
    fn causes_are_said_once() {
        let told = |error: anyhow::Error| error_text(&error);
        assert_eq!(told(anyhow!("no room")), "no room");
        assert_eq!(told(Err::<(), _>(anyhow!("no room")).context("x.txt").unwrap_err()), "x.txt: no room");
        assert_eq!(told(Err::<(), _>(anyhow!("no room")).context("x.txt: no room").unwrap_err()), "x.txt: no room");
    }
}
