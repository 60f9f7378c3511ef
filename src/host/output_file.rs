//! Writes the output files of subcommands. Each file is whole at any moment, has one writer,
//! and replaces an existing file only with `--force`. The place of a file is tested before the work
//! for it begins.
//!
//! | what is written | type |
//! |---|---|
//! | a file, when the work is done | [`OutputFile`] |
//! | the same by a run that can be interrupted and goes on | [`ResumableFile`], with a [`WorkFile`] |
//! | many files in a folder | [`OutputFolder`] |
//! | a line at a time | `journal_file.rs`, with [`hold`] |
//!
//! Not here: the program's log (`logging.rs`). Start with [`OutputFile::claim`].

use crate::host::input_file;
use crate::host::output::say_aside;
use anyhow::{Context, Result, bail, ensure};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// The suffix of a file's name until it is complete.
const UNFINISHED: &str = ".part";

/// The flag of subcommands that write files.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct OverwriteArguments {
    /// Overwrite existing files.
    #[arg(long)]
    pub force: bool,
}

/// What happens to a file that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overwrite {
    /// It stays, and nothing is done.
    Never,
    /// The new one takes its place.
    Allowed,
}

impl OverwriteArguments {
    /// The mode that the flag asks for.
    pub fn overwrite(self) -> Overwrite {
        if self.force { Overwrite::Allowed } else { Overwrite::Never }
    }
}

/// A file that is written when the work is done. While this lives, no other process can claim it.
#[derive(Debug)]
pub struct OutputFile(OutputSink);

#[derive(Debug)]
enum OutputSink {
    File {
        place: OutputPlace,
        /// Keeps other processes away, where no journal does.
        _claim: Option<WorkFile>,
    },
    /// A pipe or a device, which takes bytes as they come.
    Stream { path: PathBuf, stream: File },
}

impl OutputFile {
    /// Claims a place. Pipes and devices are written to as they are.
    ///
    /// # Errors
    /// An existing file that may not be overwritten, or a place that cannot be written to or that another process writes to.
    pub fn claim(path: &Path, overwrite: Overwrite) -> Result<OutputFile> {
        if is_stream(path) {
            let stream = OpenOptions::new().append(true).open(path).with_context(|| cannot_write(path))?;
            return Ok(OutputFile(OutputSink::Stream { path: path.to_path_buf(), stream }));
        }
        let place = OutputPlace::of(path, overwrite)?;
        let claim = place.claim()?;
        ensure_free(path, overwrite)?;
        Ok(OutputFile(OutputSink::File { place, _claim: Some(claim) }))
    }

    /// Claims a place for a file that is made of a journal, which is locked itself.
    ///
    /// # Errors
    /// Those of [`OutputFile::claim`], and a pipe or device.
    pub fn claim_beside(path: &Path, journal: &Path, overwrite: Overwrite) -> Result<OutputFile> {
        ensure!(!is_stream(path), "{}: not a file: a table that takes long to make is kept in a file", path.display());
        let place = OutputPlace::of(path, overwrite)?;
        let claim = if OutputFile::unfinished(path) == journal { None } else { Some(place.claim()?) };
        unfinished(&place.place).with_context(|| cannot_write(path))?;
        ensure_free(path, overwrite)?;
        Ok(OutputFile(OutputSink::File { place, _claim: claim }))
    }

    /// The name that this file has until it is complete.
    pub fn unfinished(path: &Path) -> PathBuf {
        let mut name = path.as_os_str().to_owned();
        name.push(UNFINISHED);
        PathBuf::from(name)
    }

    /// Whether it may be written over a file that is there.
    pub fn overwrite(&self) -> Overwrite {
        match &self.0 {
            OutputSink::File { place, .. } => place.overwrite,
            OutputSink::Stream { .. } => Overwrite::Never,
        }
    }

    /// Whether it is a pipe or a device.
    pub fn is_stream(&self) -> bool {
        matches!(self.0, OutputSink::Stream { .. })
    }

    /// Writes the file: readers find the old one or the new one, never a part.
    ///
    /// # Errors
    /// The file cannot be written, or one has appeared there since the place was claimed. The old one is then unchanged.
    pub fn write(&mut self, contents: impl AsRef<[u8]>) -> Result<()> {
        match &mut self.0 {
            OutputSink::File { place, .. } => place.put(contents.as_ref()),
            OutputSink::Stream { path, stream } => {
                stream.write_all(contents.as_ref()).and_then(|()| stream.flush()).with_context(|| cannot_write(path))
            }
        }
    }
}

/// A file that is made by a run which can be interrupted and goes on from what it has saved in a [`WorkFile`]. While this lives, no
/// other process can claim it.
#[derive(Debug)]
pub struct ResumableFile {
    place: OutputPlace,
    /// What is done so far.
    pub work: WorkFile,
    /// Keeps other processes away if `work` is elsewhere.
    _claim: Option<WorkFile>,
}

impl ResumableFile {
    /// Claims a place. Work is saved in the file `work`, or else next to the place. If something was saved, the run has begun earlier,
    /// and wrote any file at the place itself.
    ///
    /// # Errors
    /// Those of [`OutputFile::claim`], and a pipe or device.
    pub fn claim(path: &Path, work: Option<&Path>, overwrite: Overwrite) -> Result<ResumableFile> {
        ensure!(!is_stream(path), "{}: not a file: a table that takes long to make is kept in a file", path.display());
        let mut place = OutputPlace::of(path, overwrite)?;
        let claim = place.claim()?;
        let (work, claim) = match work {
            Some(work) if work != claim.path => (WorkFile::open(work)?, Some(claim)),
            _ => (claim, None),
        };
        if work.read()?.is_some() {
            place.overwrite = Overwrite::Allowed;
        }
        ensure_free(path, place.overwrite)?;
        Ok(ResumableFile { place, work, _claim: claim })
    }

    /// Writes the file: readers find the old one or the new one, never a part. It may be written again.
    ///
    /// # Errors
    /// Those of [`OutputFile::write`].
    pub fn write(&mut self, contents: impl AsRef<[u8]>) -> Result<()> {
        self.place.put(contents.as_ref())
    }
}

/// Where a file goes.
#[derive(Debug)]
struct OutputPlace {
    /// As the user named it.
    path: PathBuf,
    /// Where links lead: the file that a link names is replaced, not the link.
    place: PathBuf,
    overwrite: Overwrite,
}

impl OutputPlace {
    fn of(path: &Path, overwrite: Overwrite) -> Result<OutputPlace> {
        ensure!(!path.is_dir(), "{} is a folder: name a file in it", path.display());
        let is_link = fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink());
        let place = if is_link { fs::canonicalize(path).with_context(|| cannot_write(path))? } else { path.to_path_buf() };
        Ok(OutputPlace { path: path.to_path_buf(), place, overwrite })
    }

    fn claim(&self) -> Result<WorkFile> {
        let mut name = self.place.as_os_str().to_owned();
        name.push(UNFINISHED);
        WorkFile::open(Path::new(&name))
    }

    /// Puts a whole file there. It may overwrite a file that it has put there itself.
    fn put(&mut self, contents: &[u8]) -> Result<()> {
        let OutputPlace { path, place, overwrite } = self;
        let file = written_beside(place, contents).with_context(|| cannot_write(path))?;
        file.as_file().sync_all().with_context(|| cannot_write(path))?;
        let placed = match overwrite {
            Overwrite::Allowed => file.persist(place),
            Overwrite::Never => file.persist_noclobber(place),
        };
        if let Err(refused) = placed {
            if refused.error.kind() != ErrorKind::AlreadyExists {
                return Err(refused.error).with_context(|| cannot_write(path));
            }
            // The work is done, so it is not thrown away.
            let (_, kept) = refused.file.keep().with_context(|| cannot_write(path))?;
            bail!("{}: another file was put there in the meantime: the new one is {}", path.display(), kept.display());
        }
        *overwrite = Overwrite::Allowed;
        Ok(())
    }
}

/// A file for unfinished work, in the hands of one process. It is removed with this value if nothing was saved in it.
#[derive(Debug)]
pub struct WorkFile {
    path: PathBuf,
    /// The file that is now at the path, locked.
    held: File,
}

impl WorkFile {
    /// Opens it, or makes it.
    ///
    /// # Errors
    /// It cannot be written to, or another process has it.
    pub fn open(path: &Path) -> Result<WorkFile> {
        ensure!(!path.exists() || path.is_file(), "{}: not a file in which work can be saved", path.display());
        loop {
            let held = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path);
            let held = held.with_context(|| cannot_write(path))?;
            hold(&held, path)?;
            // Between opening and locking, its last holder may have put another file there, or removed this one.
            if stands_at(&held, path) {
                return Ok(WorkFile { path: path.to_path_buf(), held });
            }
        }
    }

    /// Its name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What was saved; `None` if nothing was.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn read(&self) -> Result<Option<Vec<u8>>> {
        let saved =
            input_file::read(&self.path, input_file::MOST_OF_A_RUN).with_context(|| format!("cannot read {}", self.path.display()))?;
        Ok(Some(saved).filter(|saved| !saved.is_empty()))
    }

    /// Saves work in place of what was saved before, as a whole.
    ///
    /// # Errors
    /// It cannot be written. What was saved before is then unchanged.
    pub fn save(&mut self, contents: impl AsRef<[u8]>) -> Result<()> {
        let place = || cannot_write(&self.path);
        let file = written_beside(&self.path, contents.as_ref()).with_context(place)?;
        file.as_file().sync_all().with_context(place)?;
        // No other process has the new file yet, so this fails only where there are no locks. The lock stays with the file when it gets its name.
        let _ = file.as_file().try_lock();
        self.held = file.persist(&self.path).map_err(|refused| refused.error).with_context(place)?;
        Ok(())
    }

    /// Deletes what was saved, once it is no longer needed. The file is removed with this value.
    ///
    /// # Errors
    /// It cannot be written to.
    pub fn clear(&mut self) -> Result<()> {
        self.held.set_len(0).with_context(|| cannot_write(&self.path))
    }
}

impl Drop for WorkFile {
    fn drop(&mut self) {
        // The lock goes last, with `held`. A file that cannot be removed stays, empty and free.
        if self.held.metadata().is_ok_and(|found| found.len() == 0) && stands_at(&self.held, &self.path) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// A folder that files are written to, each whole at any moment. While this lives, no other process can open it for writing.
#[derive(Debug)]
pub struct OutputFolder {
    path: PathBuf,
    overwrite: Overwrite,
    /// The folder itself, locked, where folders can be.
    _held: Option<File>,
}

impl OutputFolder {
    /// Opens a folder for files whose names `is_ours` accepts, and makes it if it does not exist.
    ///
    /// # Errors
    /// Such a file exists and may not be overwritten, the folder cannot be written to, or another process writes to it.
    pub fn open(path: &Path, overwrite: Overwrite, is_ours: impl Fn(&str) -> bool) -> Result<OutputFolder> {
        fs::create_dir_all(path).with_context(|| format!("cannot create the folder {}", path.display()))?;
        let held = File::open(path).ok();
        if let Some(held) = &held {
            hold(held, path)?;
        }
        unfinished(&path.join("try")).with_context(|| cannot_write(path))?;
        if overwrite == Overwrite::Never {
            let entries = fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))?;
            let mut names = entries.flatten().map(|entry| entry.file_name());
            if let Some(name) = names.find(|name| name.to_str().is_some_and(&is_ours)) {
                ensure_free(&path.join(name), overwrite)?;
            }
        }
        Ok(OutputFolder { path: path.to_path_buf(), overwrite, _held: held })
    }

    /// Writes a file. PERF: unlike files that take long to make, it is not forced to the disk: a folder gets thousands.
    ///
    /// # Errors
    /// It cannot be written, or exists and may not be overwritten.
    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> Result<()> {
        let path = self.path.join(name);
        let write = || -> io::Result<()> {
            let file = written_beside(&path, contents.as_ref())?;
            match self.overwrite {
                Overwrite::Allowed => file.persist(&path)?,
                Overwrite::Never => file.persist_noclobber(&path)?,
            };
            Ok(())
        };
        write().with_context(|| cannot_write(&path))
    }
}

/// Locks a file until it is closed.
///
/// # Errors
/// Another process has locked it, or this one has, because the file was named twice.
pub fn hold(file: &File, path: &Path) -> Result<()> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => {
            bail!(
                "{}: another process is writing to this file, or this one writes to it twice: wait for the other to end, or name another file",
                path.display()
            )
        }
        Err(TryLockError::Error(error)) => {
            // Some network file systems have no locks. Better without than not at all.
            say_aside(&format!("{} cannot be locked ({error}): make sure that no other process writes to it", path.display()));
            Ok(())
        }
    }
}

/// Opens a file to add to it, and makes it if it does not exist, without waiting for anybody. Standard output is refused under any name, since
/// what is added would come between the program's answers.
///
/// # Errors
/// An error of the operating system, something that is not a regular file, or the file to which standard output goes.
pub fn append_to(path: &Path) -> io::Result<File> {
    // A device may do something when it is opened.
    if let Ok(found) = fs::metadata(path) {
        input_file::ensure_regular(found.file_type())?;
    }
    let mut options = OpenOptions::new();
    options.create(true).read(true).append(true);
    input_file::never_wait(&mut options);
    let file = options.open(path)?;
    input_file::ensure_regular(file.metadata()?.file_type())?;
    if is_standard_output(&file) {
        return Err(io::Error::new(ErrorKind::InvalidInput, "standard output goes to this file, and is for answers alone"));
    }
    Ok(file)
}

#[cfg(unix)]
fn is_standard_output(file: &File) -> bool {
    let id = |found: rustix::fs::Stat| (found.st_dev, found.st_ino);
    let (file, output) = (rustix::fs::fstat(file).map(id), rustix::fs::fstat(rustix::stdio::stdout()).map(id));
    matches!((file, output), (Ok(file), Ok(output)) if file == output)
}

/// On other systems standard output has no name.
#[cfg(not(unix))]
fn is_standard_output(_: &File) -> bool {
    false
}

/// Whether this names a pipe, a device or a stream of the process, which does not keep the bytes written to it.
pub fn is_stream(path: &Path) -> bool {
    let is_of_the_system = ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder)) && !path.starts_with("/dev/shm");
    is_of_the_system || fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Refuses an output that would overwrite its input.
///
/// # Errors
/// Both are the same file.
pub fn ensure_different(from: &Path, to: &Path) -> Result<()> {
    let same = fs::canonicalize(from).is_ok_and(|from| fs::canonicalize(to).is_ok_and(|to| from == to));
    ensure!(!same, "{}: this is the input file: name another file for the output", to.display());
    Ok(())
}

/// An empty file in the same folder, which is removed if it is not renamed.
pub(super) fn unfinished(path: &Path) -> io::Result<NamedTempFile> {
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

fn written_beside(path: &Path, contents: &[u8]) -> io::Result<NamedTempFile> {
    let mut file = unfinished(path)?;
    file.write_all(contents)?;
    Ok(file)
}

/// Writes a file that is not there yet: all of it or nothing.
///
/// # Errors
/// It is there, or cannot be written.
pub(super) fn write_new(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    let is_there = || io::Error::new(ErrorKind::AlreadyExists, "it exists already, and stays as it is: name another file");
    if fs::symlink_metadata(path).is_ok() {
        return Err(is_there());
    }
    let file = written_beside(path, contents.as_ref())?;
    file.as_file().sync_all()?;
    match file.persist_noclobber(path) {
        Ok(_) => Ok(()),
        Err(refused) if refused.error.kind() == ErrorKind::AlreadyExists => Err(is_there()),
        Err(refused) => Err(refused.error),
    }
}

fn ensure_free(path: &Path, overwrite: Overwrite) -> Result<()> {
    let is_there = overwrite == Overwrite::Never && fs::symlink_metadata(path).is_ok();
    ensure!(!is_there, "{} is there already: --force writes over it", path.display());
    Ok(())
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

/// Whether this is the file that the path names now.
#[cfg(unix)]
fn stands_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |found: fs::Metadata| (found.dev(), found.ino());
    let (held, there) = (file.metadata().map(id), fs::metadata(path).map(id));
    matches!((held, there), (Ok(held), Ok(there)) if held == there)
}

/// On other systems a file that is open cannot be replaced or removed.
#[cfg(not(unix))]
fn stands_at(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names in a folder, sorted.
    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    fn text<T>(result: Result<T>) -> String {
        format!("{:#}", result.map(drop).unwrap_err())
    }

    #[test]
    fn a_file_is_written_as_a_whole_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        let mut out = OutputFile::claim(&path, Overwrite::Never).unwrap();
        assert_eq!(names(folder.path()), ["table.csv.part"]);
        out.write("one").unwrap();
        drop(out);
        assert_eq!(names(folder.path()), ["table.csv"]);
        let refused = text(OutputFile::claim(&path, Overwrite::Never));
        assert_eq!(refused, format!("{} is there already: --force writes over it", path.display()));
        OutputFile::claim(&path, Overwrite::Allowed).unwrap().write("two").unwrap();
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), names(folder.path()).len()), ("two", 1));
        assert!(text(OutputFile::claim(&folder.path().join("no/such"), Overwrite::Never)).starts_with("cannot write "));
        assert!(text(OutputFile::claim(folder.path(), Overwrite::Allowed)).ends_with(" is a folder: name a file in it"));
    }

    #[test]
    fn what_was_made_is_not_lost_to_a_file_that_came_meanwhile() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        let mut out = OutputFile::claim(&path, Overwrite::Never).unwrap();
        fs::write(&path, "of another").unwrap();
        let said = text(out.write("mine"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "of another");
        let (_, kept) = said.split_once("the new one is ").unwrap();
        assert_eq!(fs::read_to_string(kept).unwrap(), "mine");
    }

    #[test]
    fn a_place_has_one_writer_also_while_work_is_saved() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        let claim = || ResumableFile::claim(&path, None, Overwrite::Never);
        let mut first = claim().unwrap();
        for saved in ["one", "two"] {
            let refused = text(claim());
            let expected = format!(
                "{}.part: another process is writing to this file, or this one writes to it twice: wait for the other to end, or name another file",
                path.display()
            );
            assert_eq!(refused, expected);
            first.work.save(saved).unwrap();
        }
        drop(first);
        // What was saved stays, and a run that goes on from it may write over its own file.
        fs::write(&path, "of the first").unwrap();
        let mut second = claim().unwrap();
        assert_eq!(second.work.read().unwrap().unwrap(), b"two");
        second.write("of the second").unwrap();
        second.work.clear().unwrap();
        drop(second);
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), names(folder.path()).len()), ("of the second", 1));
        assert!(text(claim()).contains("--force"));
    }

    #[test]
    fn work_may_be_saved_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let [path, work] = ["table.csv", "work"].map(|name| folder.path().join(name));
        let mut first = ResumableFile::claim(&path, Some(&work), Overwrite::Never).unwrap();
        first.work.save("so far").unwrap();
        assert_eq!(names(folder.path()), ["table.csv.part", "work"]);
        // Neither the table nor the work can be taken by another.
        assert!(text(ResumableFile::claim(&path, None, Overwrite::Never)).contains("another process"));
        assert!(text(ResumableFile::claim(&folder.path().join("other.csv"), Some(&work), Overwrite::Never)).contains("another process"));
        drop(first);
        assert_eq!(names(folder.path()), ["work"]);
    }

    #[test]
    fn records_of_other_names_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let open = |overwrite| OutputFolder::open(&path, overwrite, |name| name.ends_with(".gcg"));
        let out = open(Overwrite::Never).unwrap();
        out.write("1.gcg", "one").unwrap();
        assert!(text(out.write("1.gcg", "again")).starts_with("cannot write "));
        #[cfg(unix)]
        assert!(text(open(Overwrite::Never)).contains("games: another process"));
        drop(out);
        fs::write(path.join("notes.txt"), "mine").unwrap();
        assert!(text(open(Overwrite::Never)).ends_with("1.gcg is there already: --force writes over it"));
        open(Overwrite::Allowed).unwrap().write("1.gcg", "two").unwrap();
        assert_eq!(names(&path), ["1.gcg", "notes.txt"]);
        assert_eq!(fs::read_to_string(path.join("1.gcg")).unwrap(), "two");
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_links_and_devices_stay_devices() {
        let folder = tempfile::tempdir().unwrap();
        let [link, file] = ["link", "file"].map(|name| folder.path().join(name));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert!(text(OutputFile::claim(&link, Overwrite::Never)).contains("--force"));
        OutputFile::claim(&link, Overwrite::Allowed).unwrap().write("new").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert!(ensure_different(&file, &link).unwrap_err().to_string().contains("name another file"));
        let mut null = OutputFile::claim(Path::new("/dev/null"), Overwrite::Allowed).unwrap();
        null.write("gone").unwrap();
        assert!(is_stream(Path::new("/dev/null")) && null.is_stream() && !is_stream(&file));
        assert!(text(ResumableFile::claim(Path::new("/dev/null"), None, Overwrite::Never)).contains("not a file"));
    }
}
