//! The protocol at a terminal, for a person: line editing, a coloured board,
//! and a ranking updated in place.
//!
//! What a session says is the same as in a pipe; only how it is shown differs. Not here: what anything means (`protocol/session/`), who
//! is at the other end (`cli/serve.rs`). Start with [`converse`].

pub mod ink;
pub mod board;
pub mod table;
pub mod screen;
pub mod keys_only;
pub mod editor;

#[cfg(test)]
mod tests;

use crate::host::surroundings::variable;
use crate::protocol::resources::Resources;
use crate::protocol::server::{self, TerminalOutput};
use crate::terminal::editor::{AbovePrinter, LineEditor};
use crate::terminal::ink::Colours;
use crate::terminal::keys_only::KeysOnly;
use crate::terminal::screen::{Drawing, ScreenSize, TerminalScreen};
use std::io;
use std::sync::Arc;

/// Whether lines can be edited on a terminal of this kind (the variable `TERM`).
pub fn is_capable(term: Option<&str>) -> bool {
    !matches!(term, None | Some("" | "dumb" | "unknown"))
}

/// Holds a conversation at the terminal that an editor has taken over.
///
/// # Errors
/// The terminal cannot be written to, or a worker has panicked.
pub fn converse((editor, mut print): (LineEditor, AbovePrinter), resources: Arc<dyn Resources>, drawing: Drawing) -> io::Result<()> {
    let _keys_only = KeysOnly::hold();
    let colours = Colours::wanted(variable("NO_COLOR").as_deref());
    let terminal = console::Term::stdout();
    let mut screen = TerminalScreen::new(drawing, colours);
    let show = move |output: TerminalOutput| {
        let (rows, columns) = terminal.size();
        let text = screen.show(&output, ScreenSize { rows: rows.into(), columns: columns.into() });
        if text.is_empty() { Ok(()) } else { print(text) }
    };
    server::serve_terminal(move |hand_over| editor.read(hand_over), show, resources)
}
