//! The `tilewright` program: dispatches to one file per subcommand; without arguments it is the protocol server.

use std::io::Write;
use std::process::ExitCode;
use tilewright::host::output::error_text;

fn main() -> ExitCode {
    match tilewright::cli::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Where standard error cannot be written to, the exit code has to do.
            let _ = writeln!(std::io::stderr(), "tilewright: {}", error_text(&error));
            ExitCode::FAILURE
        }
    }
}
