//! The engine as WebAssembly: the protocol's conversation on the standard streams of its host, a page or Node (`engine.js`). A search runs
//! on threads, as everywhere else, so that `stop` is heard while it runs.
//!
//! Usage: `tilewright <threads> <megabytes>`, the greatest values of the options `Threads` and `Memory`.
//!
//! There are no files. A line `FILE <bytes> <name>`, after the character of code 1, is followed by the bytes of a word list or table,
//! which is found by its name from then on, as in a folder.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use tilewright::engine::ByteSource;
use tilewright::protocol::named_resources::NamedResources;
use tilewright::protocol::server::{self, Pace};
use tilewright::protocol::session::Audience;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::mpsc::{self, Receiver, Sender};

/// Lines read ahead of the conversation.
const LINES_AHEAD: usize = 16;

/// The beginning of the line before the bytes of a file.
const FILE: &[u8] = b"\x01FILE ";

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u32>().ok());
    let (Some(Some(threads)), Some(Some(megabytes))) = (arguments.next(), arguments.next()) else {
        return Err(io::Error::other("usage: tilewright <threads> <megabytes>"));
    };
    let files = HostFiles::default();
    let (sender, lines) = mpsc::channel(LINES_AHEAD);
    let reader = files.clone();
    std::thread::Builder::new().name("reader".to_string()).spawn(move || read_input(&sender, &reader))?;
    let resources = NamedResources::new(move |_| files.clone()).within(threads, megabytes);
    let input = InputLines { lines, line: io::Cursor::default() };
    server::run(server::serve(input, Output, Arc::new(resources), Pace::AsItComes, Audience::Program)).map(drop)
}

/// Passes on the input until it ends or its receiver is gone. Files are stored, to be found by name.
fn read_input(lines: &Sender<Vec<u8>>, files: &HostFiles) {
    let mut input = BufReader::new(io::stdin());
    loop {
        let mut line = Vec::new();
        match input.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if let Some(announced) = line.strip_prefix(FILE) {
            if files.take(announced, &mut input).is_err() {
                return;
            }
        } else if lines.blocking_send(line).is_err() {
            return;
        }
    }
}

/// The word lists and tables that the host has handed over, by their names.
#[derive(Clone, Default)]
struct HostFiles(Arc<Mutex<BTreeMap<String, Vec<u8>>>>);

impl HostFiles {
    /// Reads the file that this line announces: its size and its name. A later file replaces one of the same name.
    fn take(&self, announced: &[u8], input: &mut impl Read) -> io::Result<()> {
        let text = std::str::from_utf8(announced).map_err(io::Error::other)?;
        let (size, name) = text.trim_end().split_once(' ').ok_or_else(|| io::Error::other("a file without a name"))?;
        let size: u64 = size.parse().map_err(io::Error::other)?;
        let mut bytes = Vec::new();
        input.take(size).read_to_end(&mut bytes)?;
        self.with(|files| files.insert(name.to_string(), bytes));
        Ok(())
    }

    fn with<T>(&self, use_files: impl FnOnce(&mut BTreeMap<String, Vec<u8>>) -> T) -> T {
        use_files(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl ByteSource for HostFiles {
    fn find(&self, name: &str, extensions: &[&str]) -> Option<String> {
        let wanted = extensions.iter().map(|extension| format!("{name}.{extension}"));
        self.with(|files| wanted.into_iter().find_map(|wanted| files.keys().find(|file| file.eq_ignore_ascii_case(&wanted)).cloned()))
    }

    fn all(&self, extensions: &[&str]) -> Vec<String> {
        let has = |file: &str, extension: &str| Path::new(file).extension().is_some_and(|found| found.eq_ignore_ascii_case(extension));
        self.with(|files| {
            extensions.iter().flat_map(|extension| files.keys().filter(|file| has(file, extension)).cloned().collect::<Vec<_>>()).collect()
        })
    }

    fn read(&self, place: &str, most_bytes: u64) -> io::Result<Vec<u8>> {
        let bytes = self.with(|files| files.get(place).cloned()).ok_or(io::ErrorKind::NotFound)?;
        if bytes.len() as u64 > most_bytes { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
    }

    fn places(&self) -> Vec<String> {
        vec!["the files that were opened in this page".to_string()]
    }

    fn why_empty(&self) -> Option<&'static str> {
        self.with(|files| files.is_empty()).then_some("no file was opened in this page")
    }
}

/// The lines from the reader as a stream.
struct InputLines {
    lines: Receiver<Vec<u8>>,
    line: io::Cursor<Vec<u8>>,
}

impl AsyncRead for InputLines {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.line.fill_buf()?.is_empty() {
            let Some(line) = ready!(self.lines.poll_recv(context)) else { return Poll::Ready(Ok(())) };
            self.line = io::Cursor::new(line);
        }
        Pin::new(&mut self.line).poll_read(context, buffer)
    }
}

/// Standard output. The host takes what is written at once.
struct Output;

impl AsyncWrite for Output {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Poll::Ready(io::stdout().write(bytes))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(io::stdout().flush())
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(context)
    }
}
