//! The program's own log: warnings to stderr, or everything to the file of the option `LogFile`. `TILEWRIGHT_LOG` sets
//! another level, as in `TILEWRIGHT_LOG=debug`.

use std::fs::File;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tracing::{Level, Metadata};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

/// Where log lines go. Clones share it.
#[derive(Clone, Debug)]
pub struct LogTarget {
    file: Arc<Mutex<Option<File>>>,
    /// Less severe lines do not go to stderr.
    stderr_level: Level,
}

impl Default for LogTarget {
    fn default() -> LogTarget {
        LogTarget { file: Arc::default(), stderr_level: Level::WARN }
    }
}

impl LogTarget {
    /// Appends the log to a file, or sends it to stderr if the path is empty.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn set(&self, path: &str) -> io::Result<()> {
        let file = if path.is_empty() { None } else { Some(File::options().create(true).append(true).open(path)?) };
        *self.file() = file;
        Ok(())
    }

    fn file(&self) -> MutexGuard<'_, Option<File>> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
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
        match &mut *self.target.file() {
            Some(file) => file.write(bytes),
            None if self.level > self.target.stderr_level => Ok(bytes.len()),
            None => io::stderr().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut *self.target.file() {
            Some(file) => file.flush(),
            None => io::stderr().flush(),
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
