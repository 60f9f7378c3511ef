//! The environment of the process: its program, folder and environment variables.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// Returns the path of this program.
///
/// # Errors
/// The system does not know it.
pub fn this_program() -> io::Result<PathBuf> {
    let not_found = |error: io::Error| io::Error::new(error.kind(), format!("cannot find this program: {error}"));
    std::env::current_exe().map_err(not_found)
}

/// Returns the current folder.
///
/// # Errors
/// It was removed, or may not be entered.
pub fn current_folder() -> io::Result<PathBuf> {
    let not_found = |error: io::Error| io::Error::new(error.kind(), format!("there is no current folder: {error}"));
    std::env::current_dir().map_err(not_found)
}

/// Returns an environment variable.
pub fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// Returns the absolute path of a file that is there, without links.
///
/// # Errors
/// The file is not there, with its name.
pub fn whole_path(path: &Path) -> io::Result<PathBuf> {
    let not_read = |error: io::Error| io::Error::new(error.kind(), format!("cannot read {}: {error}", path.display()));
    std::fs::canonicalize(path).map_err(not_read)
}
