//! The engine's replies, and their form in each dialect.
//!
//! Not here: when a reply is printed (`session/`), and the lines of a ranking (`ranking.rs`). Start with [`SessionReply`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::protocol::challenge::ChallengeAnswer;
use crate::protocol::command::Dialect;
use crate::protocol::comparison::ComparisonAnswer;
use crate::protocol::display::draw;
use crate::protocol::options::{self, OptionCaps};
use crate::protocol::ranking::{Ranking, play_in};
use crate::rules::{Placement, Position};

/// The kind of an error line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorCode {
    /// The line is not a command.
    UnknownCommand,
    /// A position that cannot be read, cannot exist or cannot be searched.
    BadPosition,
    /// A move that cannot be read or played.
    BadMove,
    /// A search or command that does not support the variant.
    UnsupportedMode,
    /// Nothing to search or to show.
    NoPosition,
    /// A value that is refused.
    BadOption,
    /// A search is running.
    Busy,
}

impl ErrorCode {
    /// Returns the word of the code.
    pub const fn word(self) -> &'static str {
        match self {
            ErrorCode::UnknownCommand => "unknown-command",
            ErrorCode::BadPosition => "bad-position",
            ErrorCode::BadMove => "bad-move",
            ErrorCode::UnsupportedMode => "unsupported-mode",
            ErrorCode::NoPosition => "no-position",
            ErrorCode::BadOption => "bad-option",
            ErrorCode::Busy => "busy",
        }
    }
}

/// The parts of an error line, and the one place that puts them together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ErrorReply {
    /// The kind.
    pub code: ErrorCode,
    /// The command that it answers; none for a line without a command.
    pub command: Option<&'static str>,
    /// The 1-based column of what is wrong, in characters. None if no word of the line is wrong.
    pub column: Option<usize>,
    /// What is wrong, and what was expected.
    pub message: String,
}

impl ErrorReply {
    /// Returns an error without a place.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> ErrorReply {
        ErrorReply { code, command: None, column: None, message: message.into() }
    }

    /// Returns the same error at this column.
    pub fn at(self, column: usize) -> ErrorReply {
        ErrorReply { column: Some(column), ..self }
    }

    /// Returns the same error as the answer to this command.
    pub fn answering(self, command: &'static str) -> ErrorReply {
        ErrorReply { command: Some(command), ..self }
    }

    fn line(&self) -> String {
        let command = self.command.map_or_else(String::new, |command| format!("{command}: "));
        let column = self.column.map_or_else(String::new, |column| format!("column {column}: "));
        format!("info string error {} {command}{column}{}", self.code.word(), one_line(&self.message))
    }

    /// The same in the Crossword Game Protocol: its codes have underscores, and an unknown command has no place.
    fn crossword_game_line(&self) -> String {
        let code = self.code.word().replace('-', "_");
        let place = match (self.command, self.column) {
            (Some(command), Some(column)) => format!("{command}: column {column}: "),
            (Some(command), None) => format!("{command}: "),
            (None, _) => String::new(),
        };
        format!("error {code} {place}{}", one_line(&self.message))
    }
}

/// A reply of the engine.
#[derive(Clone, PartialEq, Debug)]
pub enum SessionReply {
    /// The name, the capabilities and the options of the engine, within these caps.
    Handshake(OptionCaps),
    /// All earlier commands are done.
    ReadyOk,
    /// A refusal, with its reason.
    Error(ErrorReply),
    /// An answer to a person: one line.
    Text(String),
    /// The board.
    Board {
        /// The position on it.
        position: Box<Position>,
        /// The placement of the last turn.
        last: Option<Box<Placement>>,
    },
    /// A word that was skipped.
    Ignored(String),
    /// The limit of a search whose stated limits were skipped.
    Limit {
        /// The time. Without one, the search ends when it is solved.
        movetime_ms: Option<u64>,
    },
    /// The sources of the numbers of a search.
    Provenance {
        /// Leave values.
        leaves: String,
        /// Win % model.
        win: String,
        /// Lexicon.
        lexicon: String,
    },
    /// The results of a search, so far or at its end.
    Ranking(Ranking),
    /// Why one play is better than another.
    Comparison(Box<ComparisonAnswer>),
    /// Whether to challenge, as far as it is known yet.
    Challenge(ChallengeAnswer),
    /// The answer to a `go`; `None` when there is nothing to play.
    BestMove(Option<String>),
    /// Lines that only the Crossword Game Protocol has.
    CrosswordGame(Vec<String>),
}

impl SessionReply {
    /// Whether it is a remark on a search, not a result. Strict readers of ucgi and tilefish do not expect such lines.
    pub fn is_comment(&self) -> bool {
        matches!(self, SessionReply::Ignored(_) | SessionReply::Limit { .. } | SessionReply::Provenance { .. })
    }

    /// Returns the lines in a dialect, without line ends. There are none if the dialect has no such line.
    pub fn lines(&self, dialect: Dialect) -> Vec<String> {
        if dialect == Dialect::CrosswordGame {
            return self.crossword_game_lines();
        }
        match self {
            SessionReply::Handshake(caps) => handshake(dialect, *caps),
            SessionReply::ReadyOk => vec!["readyok".to_string()],
            SessionReply::Error(error) => vec![error.line()],
            SessionReply::Text(text) => vec![text_line(text)],
            SessionReply::Board { position, .. } => draw(position).iter().map(|line| text_line(line)).collect(),
            _ if matches!(dialect, Dialect::Ucgi | Dialect::Tilefish) && self.is_comment() => Vec::new(),
            SessionReply::Limit { movetime_ms: Some(ms) } => vec![format!("info string limit movetime {ms}")],
            SessionReply::Limit { movetime_ms: None } => vec!["info string limit none, until it is solved".to_string()],
            SessionReply::Ignored(what) => vec![format!("info string ignored {}", short_line(what))],
            SessionReply::Provenance { leaves, win, lexicon } => {
                let [leaves, win, lexicon] = [leaves, win, lexicon].map(|name| token(name));
                let version = env!("CARGO_PKG_VERSION");
                vec![format!("info string provenance engine=tilewright/{version} leaves={leaves} winpct={win} lexicon={lexicon}")]
            }
            SessionReply::Ranking(ranking) => ranking.lines(dialect),
            SessionReply::Comparison(answer) => answer.lines(dialect),
            SessionReply::Challenge(answer) => answer.lines(),
            SessionReply::BestMove(best) => vec![best_move_line(best.as_deref(), dialect)],
            SessionReply::CrosswordGame(_) => Vec::new(),
        }
    }

    /// The lines in the Crossword Game Protocol, which has no rankings and no remarks.
    fn crossword_game_lines(&self) -> Vec<String> {
        match self {
            SessionReply::ReadyOk => vec!["readyok".to_string()],
            SessionReply::Error(error) => vec![error.crossword_game_line()],
            SessionReply::BestMove(best) => vec![best_move_line(best.as_deref(), Dialect::CrosswordGame)],
            SessionReply::CrosswordGame(lines) => lines.iter().map(|line| one_line(line)).collect(),
            _ => Vec::new(),
        }
    }
}

/// The answer to a `go`. If there is nothing to play and the dialect has no word for that, it is a pass.
fn best_move_line(best: Option<&str>, dialect: Dialect) -> String {
    let play = match (best, dialect) {
        (None, Dialect::Siu | Dialect::Ucgi | Dialect::Uci) => "none".to_string(),
        (None, Dialect::Tilefish | Dialect::CrosswordGame) => "pass".to_string(),
        (Some(play), dialect) => play_in(play, dialect),
    };
    format!("bestmove {play}")
}

fn handshake(dialect: Dialect, caps: OptionCaps) -> Vec<String> {
    let mut lines = vec![format!("id name Tilewright {}", env!("CARGO_PKG_VERSION")), "id author the Tilewright authors".to_string()];
    if dialect == Dialect::Siu {
        lines.push("capability gen sim infer peg endgame auto stream stop".to_string());
    }
    lines.extend(options::offered(caps).map(|row| row.line()));
    lines.push(format!("{}ok", dialect.word()));
    lines
}

fn text_line(text: &str) -> String {
    format!("info string {}", one_line(text)).trim_end().to_string()
}

/// A text as a part of a line. Characters that would end the line or control a terminal become blanks or U+FFFD, since texts repeat what
/// was typed.
fn one_line(text: &str) -> String {
    let plain = |c: char| match c {
        '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}' => ' ',
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    text.chars().map(plain).collect::<String>().trim_end().to_string()
}

/// A text that was typed, cut short.
fn short_line(text: &str) -> String {
    const MOST: usize = 400;
    let line = one_line(text);
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

/// A name without blanks; `none` for an empty one.
fn token(name: &str) -> String {
    if name.is_empty() { "none".to_string() } else { one_line(name).split_whitespace().collect::<Vec<_>>().join("_") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_typed_cannot_break_a_line() {
        let lines = |reply: SessionReply| reply.lines(Dialect::Siu);
        let typed = "go\0\u{1b}[2J\tnow\r\nbestmove\u{85}8D.X\u{2028}".to_string();
        let shown = "go\u{fffd}\u{fffd}[2J now  bestmove\u{fffd}8D.X";
        assert_eq!(lines(SessionReply::Ignored(typed.clone())), [format!("info string ignored {shown}")]);
        assert_eq!(lines(SessionReply::Text(typed.clone())), [format!("info string {shown}")]);
        let error = ErrorReply::new(ErrorCode::BadMove, typed);
        for (error, place) in [
            (error.clone(), ""),
            (error.clone().at(3), "column 3: "),
            (error.clone().answering("play"), "play: "),
            (error.at(3).answering("play"), "play: column 3: "),
        ] {
            assert_eq!(lines(SessionReply::Error(error)), [format!("info string error bad-move {place}{shown}")]);
        }
        let long = &lines(SessionReply::Ignored("x".repeat(1 << 20)))[0];
        assert!(long.len() < 1000 && long.ends_with("x..."), "{} bytes", long.len());
    }

    #[test]
    fn the_handshake_ends_in_the_dialects_word() {
        for dialect in [Dialect::Siu, Dialect::Ucgi, Dialect::Uci] {
            let lines = SessionReply::Handshake(OptionCaps::default()).lines(dialect);
            assert_eq!(lines.last().map(String::as_str), Some(format!("{}ok", dialect.word()).as_str()));
            assert_eq!(lines.iter().any(|line| line.starts_with("capability ")), dialect == Dialect::Siu);
        }
    }

    #[test]
    fn names_stay_one_word_and_texts_one_line() {
        let reply = SessionReply::Provenance { leaves: "my leaves".to_string(), win: String::new(), lexicon: "X".to_string() };
        let version = env!("CARGO_PKG_VERSION");
        let line = format!("info string provenance engine=tilewright/{version} leaves=my_leaves winpct=none lexicon=X");
        assert_eq!(reply.lines(Dialect::Siu), [line]);
        assert!(reply.lines(Dialect::Ucgi).is_empty());
        let error = SessionReply::Error(ErrorReply::new(ErrorCode::BadMove, "a\nb"));
        assert_eq!(error.lines(Dialect::Ucgi), ["info string error bad-move a b"]);
    }
}
