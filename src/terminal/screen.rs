//! The screen of a terminal: all output, and below it the current ranking, redrawn in place.
//!
//! It only makes text, which `editor.rs` writes above the line that is being typed. Start with [`TerminalScreen::show`].

use crate::protocol::command::Debugging;
use crate::protocol::ranking::ReplyStage;
use crate::protocol::reply::SessionReply;
use crate::protocol::server::{SaidReply, TerminalInput, TerminalOutput};
use crate::terminal::board;
use crate::terminal::ink::{Colours, Ink, InkLine};
use crate::terminal::table::{self, RankingTable};

/// The prompt before the typed line.
pub const PROMPT: &str = "tilewright> ";

/// Rows of the terminal that a ranking under way leaves free: for its heading, its last line, the line that is typed, and one more.
const FREE_ROWS: usize = 4;

/// The size of the terminal, in characters.
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
    /// The number of lines that it takes on the screen now.
    live_rows: usize,
}

impl TerminalScreen {
    /// Returns an empty screen.
    pub fn new(drawing: Drawing, colours: Colours) -> TerminalScreen {
        TerminalScreen { drawing, colours, live: Vec::new(), live_rows: 0 }
    }

    /// Returns the text to write for an output, at the beginning of a line. The text ends with a line
    /// end, or is empty.
    pub fn show(&mut self, output: &TerminalOutput, size: ScreenSize) -> String {
        match output {
            TerminalOutput::Entered(input) => self.entered(input, size),
            TerminalOutput::Said(said) => self.said(said, size),
        }
    }

    /// Swaps a line that was typed below the ranking under way with the ranking.
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
            // Lines are whole, even if one takes several lines of the screen.
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

    /// Draws a ranking in the place of the one before. The last one is shown whole, and stays.
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

    /// The ranking under way, as far as it fits: lines that have left the screen could not be redrawn.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::command::Dialect;
    use crate::protocol::ranking::ReplyStage;
    use crate::rules::Play;
    use crate::search::StaticReport;
    use crate::search::report::Report;
    use crate::terminal::table::tests::{rack, ranked, ranking};
    use std::num::NonZero;

    const SIZE: ScreenSize = ScreenSize { rows: 10, columns: 50 };

    /// A screen with the terminal that it is written to.
    struct Shown {
        screen: TerminalScreen,
        terminal: vt100::Parser,
        debugging: Debugging,
    }

    impl Shown {
        fn new(drawing: Drawing) -> Shown {
            let [rows, columns] = [SIZE.rows, SIZE.columns].map(|count| NonZero::new(count as u16).expect("a size"));
            let terminal = vt100::Parser::new(rows, columns, 100);
            Shown { screen: TerminalScreen::new(drawing, Colours::On), terminal, debugging: Debugging::Off }
        }

        fn output(&mut self, output: &TerminalOutput) {
            let text = self.screen.show(output, SIZE).replace('\n', "\r\n");
            self.terminal.process(text.as_bytes());
        }

        fn say(&mut self, reply: SessionReply) {
            let lines = reply.lines(Dialect::Siu);
            self.output(&TerminalOutput::Said(Box::new(SaidReply { reply, lines, debugging: self.debugging })));
        }

        /// A person enters a line.
        fn enter(&mut self, line: &str) {
            self.terminal.process(format!("{PROMPT}{line}\r\n").as_bytes());
            self.output(&TerminalOutput::Entered(TerminalInput::Line(line.to_string())));
        }

        /// The plays of a ranking: exchanges of these tiles.
        fn rank(&mut self, plays: &[&str], stage: ReplyStage) {
            let rows = plays.iter().map(|tiles| ranked(Play::Exchange(rack(tiles)))).collect();
            self.say(SessionReply::Ranking(ranking(Report::Static(StaticReport { rows }), 0, stage)));
        }

        /// The first word of each line on the screen; of a row, the tiles of its play.
        fn rows(&self) -> Vec<String> {
            let text = self.terminal.screen().contents();
            let word = |line: &str| {
                let words: Vec<&str> = line.split_whitespace().collect();
                let at = usize::from(words.first().is_some_and(|word| word.parse::<usize>().is_ok()));
                words.get(at).map(|word| word.trim_start_matches("ex.").to_lowercase())
            };
            text.lines().filter_map(word).collect()
        }
    }

    #[test]
    fn a_ranking_is_drawn_again_in_its_place_and_the_last_one_stays() {
        let mut shown = Shown::new(Drawing::Drawn);
        shown.enter("go");
        shown.rank(&["a", "b"], ReplyStage::Running);
        assert_eq!(shown.rows(), ["tilewright>", "play", "a", "b"]);
        shown.rank(&["b", "a", "c"], ReplyStage::Running);
        assert_eq!(shown.rows(), ["tilewright>", "play", "b", "a", "c"]);
        // Lines printed meanwhile are above it.
        shown.say(SessionReply::ReadyOk);
        assert_eq!(shown.rows(), ["tilewright>", "readyok", "play", "b", "a", "c"]);
        shown.rank(&["c"], ReplyStage::Final);
        shown.say(SessionReply::BestMove(Some("c".to_string())));
        assert_eq!(shown.rows(), ["tilewright>", "readyok", "play", "c", "bestmove"]);
        shown.rank(&["d"], ReplyStage::Final);
        assert_eq!(shown.rows(), ["tilewright>", "readyok", "play", "c", "bestmove", "play", "d"]);
    }

    #[test]
    fn a_line_that_is_entered_below_a_ranking_stands_above_it_then() {
        let mut shown = Shown::new(Drawing::Drawn);
        shown.rank(&["a"], ReplyStage::Running);
        shown.enter("isready");
        shown.say(SessionReply::ReadyOk);
        shown.rank(&["b"], ReplyStage::Running);
        shown.rank(&["c"], ReplyStage::Running);
        assert_eq!(shown.rows(), ["tilewright>", "readyok", "play", "c"]);
        // A line that takes two lines of the screen, and an interrupt.
        shown.enter(&"x".repeat(60));
        shown.terminal.process(format!("{PROMPT}\r\n").as_bytes());
        shown.output(&TerminalOutput::Entered(TerminalInput::Interrupt));
        shown.rank(&["d"], ReplyStage::Final);
        assert_eq!(shown.rows(), ["tilewright>", "readyok", "tilewright>", "tilewright>", "play", "d"]);
    }

    #[test]
    fn a_ranking_under_way_fits_on_the_screen_and_the_last_one_is_whole() {
        let mut shown = Shown::new(Drawing::Drawn);
        let plays: Vec<String> = ('a'..='z').map(String::from).chain(('b'..='e').map(|letter| format!("a{letter}"))).collect();
        let plays: Vec<&str> = plays.iter().map(String::as_str).collect();
        for _ in 0..3 {
            shown.rank(&plays, ReplyStage::Running);
        }
        let rows = shown.rows();
        assert!(rows.len() < SIZE.rows && rows[..2] == ["play", "a"], "{rows:?}");
        shown.rank(&plays, ReplyStage::Final);
        assert_eq!(shown.rows().last().unwrap(), "ae");
        // The heading has left the screen, once.
        shown.terminal.screen_mut().set_scrollback(100);
        assert_eq!(shown.rows()[0], "play");
    }

    #[test]
    fn lines_stay_lines_where_they_are_asked_for() {
        for (drawing, debugging) in [(Drawing::Lines, Debugging::Off), (Drawing::Drawn, Debugging::On)] {
            let mut shown = Shown::new(drawing);
            shown.debugging = debugging;
            shown.rank(&["a"], ReplyStage::Running);
            shown.rank(&["b"], ReplyStage::Final);
            let text = shown.terminal.screen().contents();
            assert_eq!(
                text.lines().collect::<Vec<_>>(),
                ["info gen move ex.A score 7 eq 7.000 leave CERT", "info gen move ex.B score 7 eq 7.000 leave"]
            );
        }
    }
}
