//! The protocol at a terminal, for a person: line editing, a coloured board,
//! and a ranking updated in place.
//!
//! The replies of a session are the same as in a pipe; only their display differs. Not here: what anything means (`protocol/session/`),
//! who is at the other end (`cli/serve.rs`). Start with [`converse`].

pub mod ink;
pub mod board;
pub mod table;
pub mod screen;
pub mod editor;

use crate::host::surroundings::variable;
use crate::protocol::resources::Resources;
use crate::protocol::server::{self, Pace, TerminalInput, TerminalOutput};
use crate::terminal::editor::{AbovePrinter, KeysOnly, LineEditor};
use crate::terminal::ink::Colours;
use crate::terminal::screen::{Drawing, ScreenSize, TerminalScreen};
use std::io::{self, Write};
use std::sync::Arc;

/// Whether lines can be edited on a terminal of this kind (the variable `TERM`).
pub fn is_capable(term: Option<&str>) -> bool {
    !matches!(term, None | Some("" | "dumb" | "unknown"))
}

/// Holds a conversation at the terminal that an editor has taken over. It begins with these lines, which are not shown.
///
/// # Errors
/// The terminal cannot be written to, or a worker has panicked.
pub fn converse(
    (editor, print): (LineEditor, AbovePrinter),
    opening: Vec<String>,
    resources: Arc<dyn Resources>,
    drawing: Drawing,
) -> io::Result<()> {
    let _keys_only = KeysOnly::hold();
    let read = move |hand_over: &mut dyn FnMut(TerminalInput) -> bool| {
        if opening.into_iter().all(|line| hand_over(TerminalInput::Line(line))) {
            editor.read(hand_over);
        }
    };
    server::serve_terminal(read, drawn(drawing, print), resources, Pace::AsItComes).map(drop)
}

/// Carries out lines, each when the one before is done, and shows the answers as in a conversation. Returns the number of error
/// replies.
///
/// # Errors
/// Those of [`converse`].
pub fn carry_out(lines: Vec<String>, resources: Arc<dyn Resources>, drawing: Drawing) -> io::Result<usize> {
    let read = move |hand_over: &mut dyn FnMut(TerminalInput) -> bool| {
        for line in lines {
            if !hand_over(TerminalInput::Line(line)) {
                return;
            }
        }
    };
    let print = |text: String| io::stdout().write_all(text.as_bytes()).and_then(|()| io::stdout().flush());
    server::serve_terminal(read, drawn(drawing, print), resources, Pace::OneByOne)
}

/// Returns the function that shows the answers of a conversation: it draws them for the terminal of stdout, and prints the text.
fn drawn(
    drawing: Drawing,
    mut print: impl FnMut(String) -> io::Result<()> + Send + 'static,
) -> impl FnMut(TerminalOutput) -> io::Result<()> + Send + 'static {
    let colours = Colours::wanted(variable("NO_COLOR").as_deref());
    let terminal = console::Term::stdout();
    let mut screen = TerminalScreen::new(drawing, colours);
    move |output: TerminalOutput| {
        let (rows, columns) = terminal.size();
        let text = screen.show(&output, ScreenSize { rows: rows.into(), columns: columns.into() });
        if text.is_empty() { Ok(()) } else { print(text) }
    }
}
