//! Reads input files: only regular files, up to a plausible size.
//!
//! A path comes from the user, or from a program on a user's behalf. It may lead to something that has no end (`/dev/zero`), that waits for a
//! writer for ever (a named pipe), or that is larger than memory. So a file is checked before it is opened, opened without waiting, checked
//! again, and read in pieces, between which the reader may be stopped.
//!
//! Not here: files that are written (`output_file.rs`), what the bytes mean (`formats/`). Start with [`read`].

use crate::formats::file_text;
use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Most bytes of a file in which a person describes something, such as a tournament or a bridge: thousands of lines.
pub const MOST_OF_A_SETTING: u64 = 1 << 20;

/// Most bytes of the record of a game. The longest games have a hundred lines; notes may be long.
pub const MOST_OF_A_GAME: u64 = 4 << 20;

/// Most bytes of a list of positions: half a million of them.
pub const MOST_OF_POSITIONS: u64 = 64 << 20;

/// Most bytes of the log of a session, or of what a long run has saved: both are made by this program, and grow with its work.
pub const MOST_OF_A_RUN: u64 = 1 << 30;

/// Bytes that are read at once, a few milliseconds' worth: after each piece the reader may be stopped.
const PIECE: u64 = 1 << 20;

/// The bytes of a regular file of at most `most_bytes`.
///
/// # Errors
/// An error of the operating system, something that is not a regular file, or a file with more bytes.
pub fn read(path: &Path, most_bytes: u64) -> io::Result<Vec<u8>> {
    read_until(path, most_bytes, &|| false)
}

/// The bytes of standard input, at most `most_bytes`.
///
/// # Errors
/// Standard input cannot be read, or has more bytes.
pub fn read_stdin(most_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(most_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most_bytes { Err(too_large(&format!("more than {most_bytes}"), most_bytes)) } else { Ok(bytes) }
}

/// The text of a regular file of at most `most_bytes`, in the character sets of [`file_text::decode`].
///
/// # Errors
/// Those of [`read`], and bytes that are not text, with their place.
pub fn read_text(path: &Path, most_bytes: u64) -> io::Result<String> {
    file_text::decode(read(path, most_bytes)?).map_err(|error| io::Error::new(ErrorKind::InvalidData, error))
}

/// [`read`] that can be stopped.
///
/// # Errors
/// Those of [`read`], and [`stopped`].
pub fn read_until(path: &Path, most_bytes: u64, is_stopped: &dyn Fn() -> bool) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let length = file.metadata()?.len();
    if length > most_bytes {
        return Err(too_large(&length.to_string(), most_bytes));
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length as usize).map_err(|_| io::Error::from(ErrorKind::OutOfMemory))?;
    // Files of the system report that they are empty, and others may grow meanwhile: only the bytes read count.
    let mut rest = file.take(most_bytes.saturating_add(1));
    loop {
        if is_stopped() {
            return Err(stopped());
        }
        match rest.by_ref().take(PIECE).read_to_end(&mut bytes)? {
            0 => return Ok(bytes),
            _ if bytes.len() as u64 > most_bytes => return Err(too_large(&format!("more than {most_bytes}"), most_bytes)),
            _ => {}
        }
    }
}

/// Opens a regular file for reading, without waiting for anybody.
///
/// # Errors
/// An error of the operating system, or something that is not a regular file.
pub fn open(path: &Path) -> io::Result<File> {
    // A device may do something when it is opened.
    ensure_regular(fs::metadata(path)?.file_type())?;
    let mut options = OpenOptions::new();
    options.read(true);
    // Something else may be there by now.
    never_wait(&mut options);
    let file = options.open(path)?;
    ensure_regular(file.metadata()?.file_type())?;
    Ok(file)
}

/// Returns the files in and below a folder whose names have one of these endings, in the order of
/// their paths. Links to folders are not followed, since they can form a circle.
///
/// # Errors
/// A folder that cannot be read.
pub fn files_below(folder: &Path, endings: &[&str]) -> io::Result<Vec<PathBuf>> {
    let has_ending = |path: &Path| path.extension().is_some_and(|ending| endings.iter().any(|known| ending.eq_ignore_ascii_case(known)));
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)?.flatten() {
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            found.append(&mut files_below(&path, endings)?);
        } else if has_ending(&path) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Makes a pipe open without waiting for its other end.
#[cfg(unix)]
pub fn never_wait(options: &mut OpenOptions) {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed());
}

/// On other systems pipes are not files.
#[cfg(not(unix))]
pub fn never_wait(_: &mut OpenOptions) {}

/// Refuses anything that is not a regular file.
///
/// # Errors
/// The kind of thing that it is instead, in words.
pub fn ensure_regular(found: FileType) -> io::Result<()> {
    if found.is_file() {
        return Ok(());
    }
    if found.is_dir() {
        return Err(io::Error::new(ErrorKind::IsADirectory, "this is a folder, not a file"));
    }
    Err(io::Error::new(ErrorKind::InvalidInput, format!("this is {}, not a file", name_of(found))))
}

#[cfg(unix)]
fn name_of(found: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match () {
        () if found.is_fifo() => "a pipe",
        () if found.is_socket() => "a socket",
        () => "a device",
    }
}

#[cfg(not(unix))]
fn name_of(_: FileType) -> &'static str {
    "something else"
}

fn too_large(found: &str, most_bytes: u64) -> io::Error {
    io::Error::new(ErrorKind::FileTooLarge, format!("the file has {found} bytes, but a file of its kind has at most {most_bytes}"))
}

/// The error of a reader that was stopped.
pub fn stopped() -> io::Error {
    // Not `Interrupted`, after which a reader would try again.
    io::Error::other("reading it was stopped")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn a_file_is_read_up_to_its_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "12345").unwrap();
        assert_eq!(read(&path, 5).unwrap(), b"12345");
        assert_eq!(read(&path, 4).unwrap_err().to_string(), "the file has 5 bytes, but a file of its kind has at most 4");
        fs::write(&path, "").unwrap();
        assert_eq!(read(&path, 0).unwrap(), b"");
        assert_eq!(read(folder.path(), 4).unwrap_err().to_string(), "this is a folder, not a file");
        assert_eq!(read(&folder.path().join("b"), 4).unwrap_err().kind(), ErrorKind::NotFound);
    }

    #[test]
    fn a_hole_of_many_gigabytes_is_refused_without_being_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sparse");
        // Where a file system has no holes there is nothing to test.
        if File::create(&path).unwrap().set_len(20 << 30).is_ok() {
            let error = read(&path, MOST_OF_A_RUN).unwrap_err().to_string();
            assert_eq!(error, "the file has 21474836480 bytes, but a file of its kind has at most 1073741824");
        }
    }

    #[test]
    fn a_reader_is_stopped_between_two_pieces() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("long");
        fs::write(&path, vec![b'x'; 3 * PIECE as usize]).unwrap();
        let looks = Cell::new(0);
        let is_stopped = || {
            looks.set(looks.get() + 1);
            looks.get() > 2
        };
        assert_eq!(read_until(&path, 1 << 30, &is_stopped).unwrap_err().to_string(), stopped().to_string());
        assert_eq!(read_until(&path, 1 << 30, &|| false).unwrap().len(), 3 * PIECE as usize);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_has_no_end_or_waits_for_others_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        rustix::fs::mknodat(rustix::fs::CWD, path("pipe"), rustix::fs::FileType::Fifo, rustix::fs::Mode::RUSR, 0).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(path("socket")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", path("zero")).unwrap();
        std::os::unix::fs::symlink(path("pipe"), path("link")).unwrap();
        for (name, kind) in [("pipe", "a pipe"), ("link", "a pipe"), ("socket", "a socket"), ("zero", "a device")] {
            assert_eq!(read(&path(name), 1 << 20).unwrap_err().to_string(), format!("this is {kind}, not a file"));
        }
        // A file of the system that reports that it is empty.
        assert!(!read(Path::new("/proc/self/status"), 1 << 20).unwrap().is_empty());
        let error = read(Path::new("/proc/self/status"), 9).unwrap_err().to_string();
        assert_eq!(error, "the file has more than 9 bytes, but a file of its kind has at most 9");
    }
}
