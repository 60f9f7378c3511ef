//! What long runs need: threads, the command that goes on with them, files that are whole at any moment.

use anyhow::{Context, Result};
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// Threads for a run: this many, or one for each core.
///
/// # Errors
/// They cannot be started.
pub fn pool(wanted: Option<u16>) -> Result<rayon::ThreadPool> {
    rayon::ThreadPoolBuilder::new().num_threads(threads(wanted)).build().context("cannot start the threads")
}

/// The number of threads: this many, or one for each core.
pub fn threads(wanted: Option<u16>) -> usize {
    wanted.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}

/// The command line of this process, quoted for a shell, with `extra` behind it unless it is there already.
pub fn this_command(extra: Option<&str>) -> String {
    shell_command(std::env::args(), extra)
}

fn shell_command(words: impl Iterator<Item = String>, extra: Option<&str>) -> String {
    let mut words: Vec<String> = words.collect();
    if let Some(extra) = extra.filter(|extra| !words.iter().any(|word| word == extra)) {
        words.push(extra.to_string());
    }
    // Only a word with a NUL in it cannot be quoted, and no process is ever given one.
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}

/// Writes a file so that everybody finds the old one or the new one, never a part: to a temporary file beside it, to the disk,
/// then renamed.
///
/// # Errors
/// The file that cannot be written.
pub fn save(path: &Path, contents: impl AsRef<[u8]>) -> Result<()> {
    let write = || -> io::Result<()> {
        let mut file = unfinished(path)?;
        file.write_all(contents.as_ref())?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

/// An empty file in the same folder, which is removed if it is not renamed.
fn unfinished(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut prefix = path.file_name().unwrap_or_default().to_owned();
    prefix.push(".tmp");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix);
    // Temporary files are private as a rule. This one becomes a file like any other, which the umask alone restricts.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Reads a file; nothing if there is none.
///
/// # Errors
/// A file that is there and cannot be read.
pub fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

/// Removes a file that has done its work.
///
/// # Errors
/// It cannot be removed.
pub fn remove(path: &Path) -> Result<()> {
    fs::remove_file(path).with_context(|| format!("cannot remove {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_to_go_on_is_read_by_a_shell_as_it_was() {
        let command = |words: &[&str], extra| shell_command(words.iter().map(|word| (*word).to_string()), extra);
        assert_eq!(command(&["tilewright", "match", "static", "greedy"], Some("--resume")), "tilewright match static greedy --resume");
        assert_eq!(command(&["t", "--out", "my file", "--resume"], Some("--resume")), "t --out 'my file' --resume");
        for words in [["a/b-1.csv", "a b", "it's", ""], ["sim:plies=2,plays=9", "--out=x", "$HOME", "list@3"]] {
            assert_eq!(shlex::split(&command(&words, None)).unwrap(), words);
        }
    }

    #[test]
    fn a_file_is_replaced_as_a_whole_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        for text in ["one", "two"] {
            save(&path, text).unwrap();
            assert_eq!(read_if_there(&path).unwrap().unwrap(), text.as_bytes());
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        remove(&path).unwrap();
        assert_eq!(read_if_there(&path).unwrap(), None);
        assert!(save(&folder.path().join("no/such"), "").unwrap_err().to_string().starts_with("cannot write "));
    }
}
