//! Tests of the screen as a terminal shows it: a ranking redrawn in place,
//! and the output around it.

use crate::protocol::command::{Debugging, Dialect};
use crate::protocol::reply::{GenReplyRow, ReplyStage, SessionReply};
use crate::protocol::server::{SaidReply, TerminalInput, TerminalOutput};
use crate::rules::units::Millipoints;
use crate::terminal::ink::Colours;
use crate::terminal::screen::{Drawing, PROMPT, ScreenSize, TerminalScreen};
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

    /// The plays of a ranking.
    fn rank(&mut self, plays: &[&str], stage: ReplyStage) {
        let row =
            |play: &&str| GenReplyRow { play: (*play).to_string(), score: 1, equity: Millipoints::from_points(1), leave: String::new() };
        self.say(SessionReply::Gen { rows: plays.iter().map(row).collect(), stage });
    }

    /// The first words of each line that stands there, those of rows being their plays.
    fn rows(&self) -> Vec<String> {
        let text = self.terminal.screen().contents();
        let word = |line: &str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let at = usize::from(words.first().is_some_and(|word| word.parse::<usize>().is_ok()));
            words.get(at).map(|word| (*word).to_string())
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
    // A line that takes two of the screen, and an interrupt.
    shown.enter(&"x".repeat(60));
    shown.terminal.process(format!("{PROMPT}\r\n").as_bytes());
    shown.output(&TerminalOutput::Entered(TerminalInput::Interrupt));
    shown.rank(&["d"], ReplyStage::Final);
    assert_eq!(shown.rows(), ["tilewright>", "readyok", "tilewright>", "tilewright>", "play", "d"]);
}

#[test]
fn a_ranking_under_way_fits_on_the_screen_and_the_last_one_is_whole() {
    let mut shown = Shown::new(Drawing::Drawn);
    let plays: Vec<String> = (0..30).map(|number| format!("p{number}")).collect();
    let plays: Vec<&str> = plays.iter().map(String::as_str).collect();
    for _ in 0..3 {
        shown.rank(&plays, ReplyStage::Running);
    }
    let rows = shown.rows();
    assert!(rows.len() < SIZE.rows && rows[..2] == ["play", "p0"], "{rows:?}");
    shown.rank(&plays, ReplyStage::Final);
    assert_eq!(shown.rows().last().unwrap(), "p29");
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
        assert_eq!(text.lines().collect::<Vec<_>>(), ["info gen move a score 1 eq 1.000 leave", "info gen move b score 1 eq 1.000 leave"]);
    }
}
