//! The `tilewright` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    tilewright::cli::main()
}
