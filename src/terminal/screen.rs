//! The screen of a terminal: all output, and below it the current ranking, redrawn in place.
//!
//! It only makes text: nothing is written here (`editor.rs` does that, above the line that is being typed). Start with [`TerminalScreen::show`].

use crate::protocol::command::Debugging;
use crate::protocol::reply::{ReplyStage, SessionReply};
use crate::protocol::server::{SaidReply, TerminalInput, TerminalOutput};
use crate::terminal::board;
use crate::terminal::ink::{Colours, Ink, InkLine};
use crate::terminal::table::{self, RankingTable};

/// The prompt before the typed line.
pub const PROMPT: &str = "tilewright> ";

/// Rows of the terminal that a ranking under way leaves free: for its heading, its last line, the line that is typed, and one more.
const FREE_ROWS: usize = 4;

/// How many characters fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScreenSize {
    /// Lines.
    pub rows: usize,
    /// Characters a line.
    pub columns: usize,
}

/// How the session is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawing {
    /// The board and rankings are drawn.
    Drawn,
    /// The protocol's lines as they are.
    Lines,
}

/// The state of the screen.
#[derive(Clone, Debug)]
pub struct TerminalScreen {
    drawing: Drawing,
    colours: Colours,
    /// The ranking under way, at the bottom of the screen.
    live: Vec<InkLine>,
    /// Lines of the screen that it takes there now.
    live_rows: usize,
}

impl TerminalScreen {
    /// An empty one.
    pub fn new(drawing: Drawing, colours: Colours) -> TerminalScreen {
        TerminalScreen { drawing, colours, live: Vec::new(), live_rows: 0 }
    }

    /// The text to write for an output, at the beginning of a line. It ends with a line end,
    /// or is empty.
    pub fn show(&mut self, output: &TerminalOutput, size: ScreenSize) -> String {
        match output {
            TerminalOutput::Entered(input) => self.entered(input, size),
            TerminalOutput::Said(said) => self.said(said, size),
        }
    }

    /// A line that was typed below the ranking under way changes places with it.
    fn entered(&mut self, input: &TerminalInput, size: ScreenSize) -> String {
        if self.live_rows == 0 {
            return String::new();
        }
        let typed = match input {
            TerminalInput::Line(line) => format!("{PROMPT}{line}"),
            TerminalInput::Interrupt => format!("{PROMPT}^C"),
        };
        self.live_rows += 1 + typed.chars().count().saturating_sub(1) / size.columns.max(1);
        self.back() + &typed + "\n" + &self.live_text(size)
    }

    fn said(&mut self, said: &SaidReply, size: ScreenSize) -> String {
        let is_drawn = self.drawing == Drawing::Drawn && said.debugging == Debugging::Off;
        let plain = || said.lines.iter().map(|line| InkLine::of(line, Ink::Plain)).collect::<Vec<_>>();
        if !is_drawn {
            self.live.clear();
            self.live_rows = 0;
            // Whole, even where a line takes several of the screen.
            return said.lines.iter().map(|line| format!("{line}\n")).collect();
        }
        if let Some(table) = table::of_reply(&said.reply, &said.lines) {
            return self.ranking(table, size);
        }
        let mut text = self.back();
        match &said.reply {
            SessionReply::Board { position, last } => {
                let lines = board::lines(position, last.as_deref());
                text.push_str(&self.text(&lines, size.columns));
            }
            _ => text.push_str(&self.text(&plain(), usize::MAX)),
        }
        if let SessionReply::BestMove(_) = said.reply {
            self.live.clear();
        }
        if self.live_rows > 0 {
            text.push_str(&self.live_text(size));
        }
        text
    }

    /// A ranking in the place of the one before. The last one is shown whole, and stays.
    fn ranking(&mut self, table: RankingTable, size: ScreenSize) -> String {
        let back = self.back();
        match table.stage {
            ReplyStage::Running => {
                self.live = table.lines;
                back + &self.live_text(size)
            }
            ReplyStage::Final => {
                self.live.clear();
                self.live_rows = 0;
                back + &self.text(&table.lines, size.columns)
            }
        }
    }

    /// Goes to the beginning of the ranking under way, and clears the screen from there on (ECMA-48: CUU, ED).
    fn back(&self) -> String {
        match self.live_rows {
            0 => String::new(),
            rows => format!("\x1b[{rows}A\r\x1b[J"),
        }
    }

    /// The ranking under way, as far as it fits: what has left the screen could not be drawn again.
    fn live_text(&mut self, size: ScreenSize) -> String {
        let (last, rows) = self.live.split_last().map_or((None, &[][..]), |(last, rows)| (Some(last), rows));
        let room = size.rows.saturating_sub(FREE_ROWS).max(1);
        let shown: Vec<InkLine> = rows.iter().take(room).chain(last).cloned().collect();
        self.live_rows = shown.len();
        self.text(&shown, size.columns)
    }

    fn text(&self, lines: &[InkLine], columns: usize) -> String {
        lines.iter().map(|line| line.text(self.colours, columns) + "\n").collect()
    }
}
