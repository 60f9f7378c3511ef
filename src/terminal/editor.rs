//! Edits the line that is typed, keeps its history, and writes above it.
//!
//! The crate `rustyline` edits the line. Text that is written meanwhile goes through its printer, which puts the line back after the
//! text. While a line is edited, the crate also makes Ctrl-C a key, not a signal that ends the program. Between two lines it restores the
//! mode of the terminal that it found, which [`KeysOnly`] has set. Start with [`LineEditor::open`].

use crate::host::private_files;
use crate::host::surroundings::UserFolder;
use crate::protocol::server::TerminalInput;
use crate::terminal::screen::PROMPT;
use anyhow::{Context, Result};
#[cfg(unix)]
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{Config, Editor, ExternalPrinter};
use std::io;
use std::path::PathBuf;

/// The number of lines that are kept.
const HISTORY_LINES: usize = 1000;

/// The file of the history in the user's folder.
const HISTORY_FILE: &str = "history";

/// Reads lines from a terminal.
pub struct LineEditor {
    editor: Editor<(), FileHistory>,
    history: Option<PathBuf>,
}

/// Writes above the line that is typed.
pub type AbovePrinter = Box<dyn FnMut(String) -> io::Result<()> + Send>;

impl LineEditor {
    /// Takes over the terminal. Lines are edited even if the history cannot be read or written.
    ///
    /// # Errors
    /// Lines cannot be edited on this terminal.
    pub fn open() -> Result<(LineEditor, AbovePrinter)> {
        let config = Config::builder()
            .max_history_size(HISTORY_LINES)
            .and_then(|config| config.history_ignore_dups(true))
            .context("the history of lines")?
            .history_ignore_space(true)
            .build();
        let mut editor: Editor<(), FileHistory> = Editor::with_config(config).context("the terminal")?;
        let mut printer = editor.create_external_printer().context("the terminal")?;
        let history = UserFolder::State.path().map(|folder| folder.join(HISTORY_FILE)).filter(|path| private_files::make(path).is_ok());
        if let Some(path) = &history {
            let _ = editor.load_history(path);
        }
        let print = move |text: String| printer.print(text).map_err(io::Error::other);
        Ok((LineEditor { editor, history }, Box::new(print)))
    }

    /// Hands over what is typed, until the input ends or the conversation is over.
    pub fn read(mut self, hand_over: &mut dyn FnMut(TerminalInput) -> bool) {
        loop {
            let goes_on = match self.editor.readline(PROMPT) {
                Ok(text) => {
                    self.keep(&text);
                    // Pasted text may have several lines.
                    text.split('\n').all(|line| hand_over(TerminalInput::Line(line.to_string())))
                }
                Err(ReadlineError::Interrupted) => hand_over(TerminalInput::Interrupt),
                Err(ReadlineError::Eof) => return,
                Err(error) => {
                    tracing::error!(%error, "the terminal cannot be read");
                    return;
                }
            };
            if !goes_on {
                return;
            }
        }
    }

    fn keep(&mut self, line: &str) {
        // At once, so that several programs at several terminals add to one history.
        if self.editor.add_history_entry(line).unwrap_or(false)
            && let Some(path) = &self.history
        {
            let _ = self.editor.append_history(path);
        }
    }
}

/// Keeps the terminal in a mode in which keys send no signals. Restores the earlier mode when it is dropped.
pub struct KeysOnly {
    #[cfg(unix)]
    before: Option<Termios>,
}

impl KeysOnly {
    /// Changes the mode of the terminal on standard input. If that is impossible, the mode stays.
    pub fn hold() -> KeysOnly {
        KeysOnly {
            #[cfg(unix)]
            before: without_signals(),
        }
    }
}

/// Sets the mode. Returns the earlier one.
#[cfg(unix)]
fn without_signals() -> Option<Termios> {
    let before = tcgetattr(rustix::stdio::stdin()).ok()?;
    let mut mode = before.clone();
    mode.local_modes.remove(LocalModes::ISIG);
    tcsetattr(rustix::stdio::stdin(), OptionalActions::Now, &mode).ok()?;
    Some(before)
}

impl Drop for KeysOnly {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(before) = &self.before {
            let _ = tcsetattr(rustix::stdio::stdin(), OptionalActions::Now, before);
        }
    }
}
