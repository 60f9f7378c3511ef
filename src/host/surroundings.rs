//! The environment of the process: its program, folder and variables, and the user's folders for the program's own files, by the XDG rules.
//!
//! | kept | folder |
//! |---|---|
//! | what can be made again | `$XDG_CACHE_HOME/tilewright`, else `~/.cache/tilewright` |
//! | what a person set up | `$XDG_CONFIG_HOME/tilewright`, else `~/.config/tilewright` |
//! | what a person typed, and what was agreed with them | `$XDG_STATE_HOME/tilewright`, else `~/.local/state/tilewright` |
//!
//! Without both variables it is `%LOCALAPPDATA%\\tilewright`.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// How this program was started, if it is part of another one, such as an interpreter: the system would name the other one.
static HOSTED: OnceLock<HostedProgram> = OnceLock::new();

/// This program as a part of another one.
#[derive(Clone, Debug)]
pub struct HostedProgram {
    /// The words that start this program again, in any folder, before its arguments.
    pub again: Vec<OsString>,
    /// The words by which the user started it, before its arguments.
    pub typed: Vec<OsString>,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

/// Notes that this program is part of another one. The first call holds for the whole process.
pub fn set_hosted(program: HostedProgram) {
    // A process starts as one program only.
    let _ = HOSTED.set(program);
}

/// Returns the words that start this program again, before its arguments: its path, or what the program that it is part of has set.
///
/// # Errors
/// The system does not report the path.
pub fn this_program() -> io::Result<Vec<OsString>> {
    let not_found = |error: io::Error| io::Error::new(error.kind(), format!("cannot find this program: {error}"));
    match HOSTED.get() {
        Some(hosted) => Ok(hosted.again.clone()),
        None => Ok(vec![std::env::current_exe().map_err(not_found)?.into_os_string()]),
    }
}

/// Returns the arguments of this process, without its name.
pub fn arguments() -> Vec<OsString> {
    std::env::args_os().skip(1).collect()
}

/// Returns the command line of this process: what a user would type to start it in any folder.
pub fn this_command_line() -> Vec<OsString> {
    if let Some(hosted) = HOSTED.get() {
        return [hosted.typed.clone(), hosted.arguments.clone()].concat();
    }
    let mut words: Vec<OsString> = std::env::args_os().collect();
    // The name that a program was called by may not lead to it, from another folder or with another search path.
    let program = std::env::current_exe().ok().filter(|program| program.exists());
    if let (Some(word), Some(program)) = (words.first_mut(), program) {
        *word = program.into_os_string();
    }
    words
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

/// What a folder is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserFolder {
    /// What can be made again.
    Cache,
    /// What a person set up.
    Config,
    /// What a person typed, and what was agreed with them.
    State,
}

impl UserFolder {
    /// The path, if the environment determines it. The folder may not exist yet.
    pub fn path(self) -> Option<PathBuf> {
        self.of(|name| std::env::var_os(name))
    }

    /// Where it is in an environment.
    pub fn of(self, variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
        let (name, at_home) = match self {
            UserFolder::Cache => ("XDG_CACHE_HOME", ".cache"),
            UserFolder::Config => ("XDG_CONFIG_HOME", ".config"),
            UserFolder::State => ("XDG_STATE_HOME", ".local/state"),
        };
        // A relative path would be another folder in each place from which the program is started;
        // the XDG rules also ignore it.
        let absolute = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let folder = absolute(name).or_else(|| Some(absolute("HOME")?.join(at_home))).or_else(|| absolute("LOCALAPPDATA"));
        folder.map(|folder| folder.join("tilewright"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_the_users() {
        let folder = |kind: UserFolder, variables: &[(&str, &str)]| {
            let find = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value));
            kind.of(find).map(|folder| folder.display().to_string())
        };
        use UserFolder::{Cache, Config, State};
        assert_eq!(folder(Cache, &[("XDG_CACHE_HOME", "/x"), ("HOME", "/h")]).unwrap(), "/x/tilewright");
        assert_eq!(folder(Cache, &[("XDG_CACHE_HOME", "x"), ("HOME", "/h")]).unwrap(), "/h/.cache/tilewright");
        assert_eq!(folder(State, &[("XDG_CACHE_HOME", "/x"), ("HOME", "/h")]).unwrap(), "/h/.local/state/tilewright");
        assert_eq!(folder(State, &[("XDG_STATE_HOME", "/s")]).unwrap(), "/s/tilewright");
        assert_eq!(folder(Config, &[("XDG_CONFIG_HOME", "/c"), ("HOME", "/h")]).unwrap(), "/c/tilewright");
        assert_eq!(folder(Config, &[("HOME", "/h")]).unwrap(), "/h/.config/tilewright");
        assert_eq!(folder(Cache, &[("HOME", ""), ("LOCALAPPDATA", "/l")]).unwrap(), "/l/tilewright");
        assert_eq!(folder(Cache, &[]), None);
    }
}
