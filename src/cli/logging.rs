//! The program's own log: to stderr, or to the file of the option `LogFile`. `TILEWRIGHT_LOG` says what is kept (default `warn`).

use std::fs::File;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

/// Where log lines go. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct LogTarget {
    file: Arc<Mutex<Option<File>>>,
}

impl LogTarget {
    /// Sends the log to a file, behind what is in it, or to stderr for an empty path.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn set(&self, path: &str) -> io::Result<()> {
        let file = if path.is_empty() { None } else { Some(File::options().create(true).append(true).open(path)?) };
        *self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = file;
        Ok(())
    }
}

impl Write for LogTarget {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut *self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner) {
            Some(file) => file.write(bytes),
            None => io::stderr().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut *self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner) {
            Some(file) => file.flush(),
            None => io::stderr().flush(),
        }
    }
}

impl<'a> MakeWriter<'a> for LogTarget {
    type Writer = LogTarget;

    fn make_writer(&'a self) -> LogTarget {
        self.clone()
    }
}

/// Starts logging to stderr.
pub fn start() -> LogTarget {
    let target = LogTarget::default();
    let filter = EnvFilter::try_from_env("TILEWRIGHT_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    let subscriber = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false).with_writer(target.clone());
    // Fails only where a log is kept already: then that one stays.
    let _ = subscriber.try_init();
    target
}
