//! The program `tilewright` in the interpreter's process. `tilewright/__main__.py` calls it with the words.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the program with these arguments, and ends the process with its exit status. `again` are the words that start the program a
/// second time, `typed` those that the user typed, both before the arguments.
#[pyfunction]
pub fn run_program(py: Python<'_>, arguments: Vec<OsString>, again: Vec<OsString>, typed: Vec<OsString>) {
    // A panic on any thread ends the process, as it ends the program, since nobody would wait for the other threads.
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        report(panic);
        std::process::abort();
    }));
    py.detach(|| std::process::exit(i32::from(tilewright::cli::main_within(again, typed, arguments))));
}
