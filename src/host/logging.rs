//! The program's own log: warnings to stderr, or everything to the file of the option `LogFile`. `TILEWRIGHT_LOG` sets
//! another level, as in `TILEWRIGHT_LOG=debug`.

use crate::host::output_file;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tracing::{Level, Metadata};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::{self, MakeWriter};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

/// How the first line of a log begins, before the version. A file that is appended to has one for each session.
pub const HEADER: &str = "log of tilewright ";

/// The text, after a number, of the log line that replaces missing lines.
pub const HOLE: &str = " of the log are missing here: ";

/// Bytes of the log that are kept until there is a file for it.
const MOST_KEPT: usize = 4 << 20;

/// Where lines end up.
#[derive(Debug)]
enum LogSink {
    /// In a file.
    File(LogFile),
    /// On stderr, if they are severe. All of them are kept for a file that may be set later, so that its log begins with the program.
    Kept {
        lines: Vec<u8>,
        /// Bytes that there was no room for.
        lost: usize,
    },
}

/// A file that gets lines whenever it can: a disk may be full, and have room again later.
#[derive(Debug)]
struct LogFile {
    file: File,
    /// Lines that could not be written since the last one that could.
    missing: usize,
    /// Why they could not be written.
    reason: String,
    /// Whether the file ends in the middle of a line.
    is_cut: bool,
}

impl LogFile {
    /// Writes a line if that can be done. The first one after missing lines follows a line that
    /// reports the gap.
    fn add(&mut self, line: &[u8]) {
        if let Err(error) = self.mark_hole().and_then(|()| self.write(line)) {
            self.missing += 1;
            self.reason = error.to_string();
        }
    }

    fn mark_hole(&mut self) -> io::Result<()> {
        if self.is_cut {
            self.write(b"\n")?;
        }
        if self.missing > 0 {
            let mark = format!("{} lines{HOLE}{}\n", self.missing, self.reason);
            self.write(mark.as_bytes())?;
            self.missing = 0;
        }
        Ok(())
    }

    /// Writes a whole line.
    fn write(&mut self, line: &[u8]) -> io::Result<()> {
        let mut rest = line;
        while !rest.is_empty() {
            match self.file.write(rest) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => {
                    rest = &rest[written..];
                    self.is_cut = !rest.is_empty();
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

impl Default for LogSink {
    fn default() -> LogSink {
        LogSink::Kept { lines: Vec::new(), lost: 0 }
    }
}

impl LogSink {
    fn keep(&mut self, bytes: &[u8]) {
        if let LogSink::Kept { lines, lost } = self {
            // Once something is lost, nothing after it is kept: a log has at most one gap.
            if *lost > 0 || lines.len() + bytes.len() > MOST_KEPT {
                *lost += bytes.len();
            } else {
                lines.extend_from_slice(bytes);
            }
        }
    }
}

/// Where log lines go. Clones share it.
#[derive(Clone, Debug)]
pub struct LogTarget {
    sink: Arc<Mutex<LogSink>>,
    /// The least severe level of lines that go to stderr.
    stderr_level: Level,
}

impl Default for LogTarget {
    fn default() -> LogTarget {
        LogTarget { sink: Arc::default(), stderr_level: Level::WARN }
    }
}

impl LogTarget {
    /// Appends the log to a file, with all that was logged before there was one; or sends it to stderr if the path is empty.
    ///
    /// # Errors
    /// The file cannot be opened or written to.
    pub fn set(&self, path: &str) -> io::Result<()> {
        if path.is_empty() {
            *self.sink() = LogSink::default();
            return Ok(());
        }
        // Opened before the sink is locked, so that the lines of other threads do not wait for it.
        let mut file = output_file::append_to(Path::new(path))?;
        let mut sink = self.sink();
        writeln!(file, "{HEADER}{}", env!("CARGO_PKG_VERSION"))?;
        if let LogSink::Kept { lines, lost } = &*sink {
            file.write_all(lines)?;
            if *lost > 0 {
                writeln!(file, "{lost} bytes{HOLE}LogFile was set too late")?;
            }
        }
        *sink = LogSink::File(LogFile { file, missing: 0, reason: String::new(), is_cut: false });
        Ok(())
    }

    /// Why lines are missing at the end of the log, if any are.
    pub fn trouble(&self) -> Option<String> {
        match &*self.sink() {
            LogSink::File(LogFile { missing: 1.., reason, .. }) => Some(reason.clone()),
            _ => None,
        }
    }

    fn sink(&self) -> MutexGuard<'_, LogSink> {
        self.sink.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A line on its way.
#[derive(Debug)]
pub struct LogLine {
    target: LogTarget,
    level: Level,
}

impl Write for LogLine {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut *self.target.sink() {
            LogSink::File(file) => file.add(bytes),
            kept => {
                kept.keep(bytes);
                if self.level <= self.target.stderr_level {
                    io::stderr().write_all(bytes)?;
                }
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut *self.target.sink() {
            LogSink::File(file) => file.file.flush(),
            LogSink::Kept { .. } => io::stderr().flush(),
        }
    }
}

impl<'a> MakeWriter<'a> for LogTarget {
    type Writer = LogLine;

    fn make_writer(&'a self) -> LogLine {
        LogLine { target: self.clone(), level: Level::ERROR }
    }

    fn make_writer_for(&'a self, meta: &Metadata<'_>) -> LogLine {
        LogLine { target: self.clone(), level: *meta.level() }
    }
}

/// Starts logging.
pub fn start() -> LogTarget {
    let asked = std::env::var("TILEWRIGHT_LOG").ok();
    let filter = asked.as_deref().map(str::parse::<Targets>);
    let stderr_level = if matches!(filter, Some(Ok(_))) { Level::TRACE } else { Level::WARN };
    let target = LogTarget { stderr_level, ..LogTarget::default() };
    let lines = fmt::layer().with_ansi(false).with_writer(target.clone());
    let kept = match &filter {
        Some(Ok(filter)) => filter.clone(),
        _ => Targets::new().with_target("tilewright", Level::DEBUG),
    };
    // This fails only if a log was set up before, which then stays.
    let _ = tracing_subscriber::registry().with(lines).with(kept).try_init();
    if let (Some(text), Some(Err(error))) = (asked, filter) {
        tracing::warn!("TILEWRIGHT_LOG is \"{text}\", expected levels or <part>=<level>, separated by commas: {error}");
    }
    target
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn lines_that_a_full_disk_did_not_take_are_counted_where_they_are_missing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let target = LogTarget::default();
        target.set(&path.display().to_string()).unwrap();
        let mut line = target.make_writer();
        line.write_all(b"one\n").unwrap();
        let exchange = |file: File, is_cut: bool| match &mut *target.sink() {
            LogSink::File(log) => {
                log.is_cut = is_cut;
                std::mem::replace(&mut log.file, file)
            }
            LogSink::Kept { .. } => unreachable!("it was set"),
        };
        let full = File::options().write(true).open("/dev/full").unwrap();
        let own = exchange(full, false);
        assert_eq!(target.trouble(), None);
        for text in ["two\n", "three\n"] {
            line.write_all(text.as_bytes()).unwrap();
            assert!(target.trouble().unwrap().contains("No space left"));
        }
        // The disk took half a line before it was full.
        (&own).write_all(b"tw").unwrap();
        exchange(own, true);
        line.write_all(b"four\nfive\n").unwrap();
        assert_eq!(target.trouble(), None);
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(lines[..2], ["one", "tw"]);
        assert!(lines[2].starts_with("2 lines of the log are missing here: No space left"), "{text}");
        assert_eq!(lines[3..], ["four", "five"]);
    }

    #[test]
    fn a_log_goes_to_regular_files_alone_and_a_refusal_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log").display().to_string();
        let target = LogTarget::default();
        target.set(&path).unwrap();
        for refused in ["/dev/null", "/dev/full", "/", "/nowhere/log"] {
            assert!(target.set(refused).is_err(), "{refused}");
        }
        target.make_writer().write_all(b"still here\n").unwrap();
        assert!(fs::read_to_string(&path).unwrap().ends_with("still here\n"));
    }
}
