//! Files and folders that only the user may read: secrets, typed lines, and games to be reported.
//!
//! Not here: files that are written for the user (`output_file.rs`).

use crate::host::input_file::{self, MOST_OF_A_SETTING};
use anyhow::{Context, Result};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use tempfile::{NamedTempFile, TempDir};

/// Makes an empty file and its folder, unless they exist.
///
/// # Errors
/// Those of the operating system.
pub fn make(path: &Path) -> io::Result<()> {
    let (mut folders, mut options) = (DirBuilder::new(), OpenOptions::new());
    folders.recursive(true);
    options.create(true).append(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
        folders.mode(0o700);
        options.mode(0o600);
    }
    if let Some(folder) = path.parent() {
        folders.create(folder)?;
    }
    options.open(path).map(drop)
}

/// Returns the text of a file; nothing if it is not there.
///
/// # Errors
/// The file cannot be read, or others may read or write it.
pub fn read(path: &Path) -> Result<String> {
    let shown = path.display();
    let text = match input_file::read_text(path, MOST_OF_A_SETTING) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(String::new()),
        text => text.with_context(|| format!("cannot read {shown}"))?,
    };
    #[cfg(unix)]
    {
        use anyhow::ensure;
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(path).with_context(|| format!("cannot read {shown}"))?.permissions().mode();
        ensure!(mode & 0o077 == 0, "{shown} can be read or written by others: run chmod 600 {shown}");
    }
    Ok(text)
}

/// Changes the text of a file. At any moment the file is the old one or the new one, and two
/// programs change it one after the other. The folder is made if it is not there.
///
/// # Errors
/// Those of `change` and of reading and writing.
pub fn change(path: &Path, change: impl FnOnce() -> Result<String>) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let failed = || format!("cannot write {}", path.display());
    let lock = File::create(path.with_extension("lock")).with_context(failed)?;
    lock.lock().with_context(failed)?;
    let text = change()?;
    let mut file = NamedTempFile::new_in(folder).with_context(failed)?;
    only_for_owner(file.as_file()).with_context(failed)?;
    file.write_all(text.as_bytes()).and_then(|()| file.as_file().sync_all()).with_context(failed)?;
    file.persist(path).with_context(failed)?;
    Ok(())
}

/// Makes a new folder, which is removed when it is dropped. Nobody else can ever look into it, since
/// the files in it stay if this process is killed.
///
/// # Errors
/// Those of the operating system.
pub fn folder(prefix: &str) -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir()
}

/// Writes a file into such a folder.
///
/// # Errors
/// Those of the operating system.
pub fn write(folder: &TempDir, name: &str, contents: impl AsRef<[u8]>) -> io::Result<()> {
    fs::write(folder.path().join(name), contents)
}

/// Opens a new file in such a folder, for a process that writes it.
///
/// # Errors
/// Those of the operating system.
pub fn create(folder: &TempDir, name: &str) -> io::Result<File> {
    File::create(folder.path().join(name))
}

#[cfg(unix)]
fn only_for_owner(file: &File) -> io::Result<()> {
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))
}

#[cfg(not(unix))]
fn only_for_owner(_: &File) -> io::Result<()> {
    Ok(())
}
