//! The program's own log: warnings to stderr, or everything to the file of the option `LogFile`. `TILEWRIGHT_LOG` sets
//! another level, as in `TILEWRIGHT_LOG=debug`.

use std::fs::File;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tracing::{Level, Metadata};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

/// How the first line of a log begins, before the version. A file that is appended to has one for each session.
pub const HEADER: &str = "log of tilewright ";

/// So much of the log is kept until there is a file for it, bytes.
const MOST_KEPT: usize = 4 << 20;

/// Where lines end up.
#[derive(Debug)]
enum LogSink {
    /// In a file.
    File(File),
    /// On stderr, as far as they are severe; all of them are kept for a file that may come, so that its log begins with the program.
    Kept {
        lines: Vec<u8>,
        /// Bytes that there was no room for.
        lost: usize,
    },
}

impl Default for LogSink {
    fn default() -> LogSink {
        LogSink::Kept { lines: Vec::new(), lost: 0 }
    }
}

impl LogSink {
    fn keep(&mut self, bytes: &[u8]) {
        if let LogSink::Kept { lines, lost } = self {
            // Once something is lost, nothing behind it is kept: a log has one gap at most.
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
    /// Less severe lines do not go to stderr.
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
        let mut sink = self.sink();
        if path.is_empty() {
            *sink = LogSink::default();
            return Ok(());
        }
        let mut file = File::options().create(true).append(true).open(path)?;
        writeln!(file, "{HEADER}{}", env!("CARGO_PKG_VERSION"))?;
        if let LogSink::Kept { lines, lost } = &*sink {
            file.write_all(lines)?;
            if *lost > 0 {
                writeln!(file, "{lost} bytes of the log are missing here: LogFile was set too late")?;
            }
        }
        *sink = LogSink::File(file);
        Ok(())
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
            LogSink::File(file) => file.write_all(bytes)?,
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
            LogSink::File(file) => file.flush(),
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
    let (filter, stderr_level) = match EnvFilter::try_from_env("TILEWRIGHT_LOG") {
        Ok(filter) => (filter, Level::TRACE),
        Err(_) => (EnvFilter::new("tilewright=debug"), Level::WARN),
    };
    let target = LogTarget { stderr_level, ..LogTarget::default() };
    let subscriber = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false).with_writer(target.clone());
    // This fails only if a log was set up before, which then stays.
    let _ = subscriber.try_init();
    target
}
