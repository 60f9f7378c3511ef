//! Reads lines of the Crossword Game Protocol, draft 0.2, into commands.
//!
//! The protocol has the initials of the position format \[CGP\], but is something else: its `position` is a board alone, racks come on
//! a line of their own, and `H8 WORD` runs across. Some of its commands, such as `cgp` and `lexicons`, have another meaning in
//! `parse.rs`. Therefore a conversation has one grammar or the other, which `session/dispatch.rs` chooses by the first line. Not here:
//! the form of the answers (`reply.rs`), and the work of the commands (`session/crossword_game.rs`). Start with [`parse()`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::protocol::command::{Command, CrosswordGameCommand, Dialect, PositionBase, PositionCommand, Word};
use crate::protocol::parse::{self, LineProblem, ParseError};

/// The most words that `lexiconsample` lists.
pub const MOST_SAMPLED: usize = 1_000;

/// Whether a line opens a conversation in this protocol.
pub fn is_handshake(line: &str) -> bool {
    matches!(words_of(line).as_slice(), [word] if word.text.eq_ignore_ascii_case("cgp"))
}

/// Reads a line. `None` for an empty one.
///
/// # Errors
/// The wrong word, with its column and a correct form.
pub fn parse(line: &str) -> Result<Option<Command>, ParseError> {
    let words = words_of(line);
    let Some((name, rest)) = words.split_first() else { return Ok(None) };
    let of = |command| Ok(Some(Command::CrosswordGame(command)));
    let arguments = |command| Arguments { command, words: rest, end: line.chars().count() + 1 };
    match name.text.to_ascii_lowercase().as_str() {
        "cgp" => Ok(Some(Command::Handshake(Dialect::CrosswordGame))),
        "setup" => of(arguments("setup").setup()?),
        "ready" => of(CrosswordGameCommand::Ready),
        "ping" => of(CrosswordGameCommand::Ping),
        "position" => Ok(Some(Command::Position(position(&arguments("position").one("a board of rows with / between them")?)))),
        "rack" if rest.is_empty() => of(CrosswordGameCommand::NoRack),
        "rack" => Ok(Some(Command::Rack(arguments("rack").one("the tiles as one word, such as AEINRS?")?))),
        "unseen" if rest.is_empty() => of(CrosswordGameCommand::Unseen(None)),
        "unseen" => of(CrosswordGameCommand::Unseen(Some(arguments("unseen").one("counts and tiles as one word, such as 9A2B1?")?))),
        "lexicons" => of(CrosswordGameCommand::Lexicons),
        "variants" => of(CrosswordGameCommand::Variants),
        "tilesets" => of(CrosswordGameCommand::Tilesets),
        "lexiconsample" => of(arguments("lexiconsample").sample()?),
        "lexiconcheck" => {
            let (lexicon, words) = arguments("lexiconcheck").first_and_more("a lexicon, then one or more words")?;
            of(CrosswordGameCommand::LexiconCheck { lexicon, words })
        }
        "tileset" => of(CrosswordGameCommand::Tileset(arguments("tileset").one("a tile set or a lexicon")?)),
        "tilesetcheck" => {
            let (tileset, tiles) = arguments("tilesetcheck").first_and_more("a tile set, then one or more tiles, such as A:9:1")?;
            of(CrosswordGameCommand::TilesetCheck { tileset, tiles })
        }
        // These mean the same in all dialects. `stop` is not in the draft.
        "go" | "stop" | "quit" => parse::parse(line),
        _ => Err(ParseError { command: None, column: name.column, problem: LineProblem::NotOfCrosswordGame(name.text.clone()) }),
    }
}

/// The words of a line, with their columns.
fn words_of(line: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut is_inside = false;
    for (column, c) in (1..).zip(line.chars()) {
        if c.is_whitespace() || c == '\u{feff}' {
            is_inside = false;
        } else if let Some(word) = words.last_mut().filter(|_| is_inside) {
            word.text.push(c);
        } else {
            words.push(Word { text: c.to_string(), column });
            is_inside = true;
        }
    }
    words
}

/// A board alone: the scores are unknown, and so far the racks.
fn position(board: &Word) -> PositionCommand {
    let base = if board.text.eq_ignore_ascii_case("startpos") {
        PositionBase::Start
    } else {
        PositionBase::Cgp(Word { text: format!("{} / 0/0 0", board.text), column: board.column })
    };
    PositionCommand { base, moves: Vec::new(), unknown: Vec::new() }
}

/// The words after a command.
struct Arguments<'a> {
    command: &'static str,
    words: &'a [Word],
    /// The column after the line.
    end: usize,
}

impl Arguments<'_> {
    fn wrong<T>(&self, column: usize, problem: LineProblem) -> Result<T, ParseError> {
        Err(ParseError { command: Some(self.command), column, problem })
    }

    /// The only word.
    fn one(&self, expected: &'static str) -> Result<Word, ParseError> {
        match self.words {
            [] => self.wrong(self.end, LineProblem::LineEnds { expected }),
            [word] => Ok(word.clone()),
            [_, more, ..] => self.wrong(more.column, LineProblem::Unexpected { found: more.text.clone(), expected }),
        }
    }

    /// A word, and at least one more.
    fn first_and_more(&self, expected: &'static str) -> Result<(Word, Vec<Word>), ParseError> {
        match self.words {
            [first, more @ ..] if !more.is_empty() => Ok((first.clone(), more.to_vec())),
            _ => self.wrong(self.end, LineProblem::LineEnds { expected }),
        }
    }

    /// Names with values, in any order. Other words are skipped: the protocol is a draft.
    fn setup(&self) -> Result<CrosswordGameCommand, ParseError> {
        let (mut variant, mut lexicon, mut tileset, mut hash) = (None, None, None, None);
        let mut words = self.words.iter();
        while let Some(name) = words.next() {
            let place = match name.text.to_ascii_lowercase().as_str() {
                "variant" => &mut variant,
                "lexicon" => &mut lexicon,
                "tileset" => &mut tileset,
                "lexiconhash" | "tilesethash" => &mut hash,
                _ => continue,
            };
            let Some(value) = words.next() else {
                let (parameter, expected) = (name.text.clone(), "a name".to_string());
                return self.wrong(self.end, LineProblem::NoValue { parameter, expected });
            };
            *place = Some(value.clone());
        }
        Ok(CrosswordGameCommand::Setup { variant, lexicon, tileset })
    }

    /// A lexicon and a number.
    fn sample(&self) -> Result<CrosswordGameCommand, ParseError> {
        let (lexicon, more) = self.first_and_more("a lexicon, then the number of words")?;
        let [number] = more.as_slice() else {
            let found = more.get(1).cloned().unwrap_or(Word { text: String::new(), column: self.end });
            return self.wrong(found.column, LineProblem::Unexpected { found: found.text, expected: "nothing after the number" });
        };
        match number.text.parse() {
            Ok(count) if (1..=MOST_SAMPLED).contains(&count) => Ok(CrosswordGameCommand::LexiconSample { lexicon, count }),
            _ => {
                let expected = format!("a whole number from 1 to {MOST_SAMPLED}");
                self.wrong(number.column, LineProblem::BadValue { parameter: "count".to_string(), found: number.text.clone(), expected })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str, column: usize) -> Word {
        Word { text: text.to_string(), column }
    }

    #[test]
    fn lines_of_the_draft_are_read() {
        let setup = parse("setup variant standard lexiconhash sha256:ab lexicon NWL23 soon tileset english");
        let (variant, lexicon, tileset) = (word("standard", 15), word("NWL23", 54), word("english", 73));
        let expected = CrosswordGameCommand::Setup { variant: Some(variant), lexicon: Some(lexicon), tileset: Some(tileset) };
        assert_eq!(setup, Ok(Some(Command::CrosswordGame(expected))));
        assert_eq!(parse("RACK  AE?"), Ok(Some(Command::Rack(word("AE?", 7)))));
        assert_eq!(parse("rack "), Ok(Some(Command::CrosswordGame(CrosswordGameCommand::NoRack))));
        assert_eq!(parse(" \t"), Ok(None));
        let board = PositionBase::Cgp(word("15/15 / 0/0 0", 10));
        assert_eq!(
            parse("position 15/15"),
            Ok(Some(Command::Position(PositionCommand { base: board, moves: Vec::new(), unknown: Vec::new() })))
        );
        assert_eq!(parse("go movetime 20"), parse::parse("go movetime 20"));
        assert!(is_handshake(" cgp\r") && !is_handshake("cgp 15/15") && !is_handshake("siu"));
    }

    #[test]
    fn wrong_lines_are_told_with_their_place() {
        let told = |line: &str| {
            let error = parse(line).unwrap_err();
            format!("{:?} {} {error}", error.command, error.column)
        };
        for (line, expected) in [
            ("isready", "None 1 isready is not a command of the Crossword Game Protocol 0.2"),
            ("position", "Some(\"position\") 9 the line ends, expected a board of rows with / between them"),
            ("rack AE INRST", "Some(\"rack\") 9 unexpected \"INRST\", expected the tiles as one word, such as AEINRS?"),
            ("setup lexicon", "Some(\"setup\") 14 lexicon has no value, expected a name"),
            ("lexiconsample ENABLE 0", "Some(\"lexiconsample\") 22 count is \"0\", expected a whole number from 1 to 1000"),
            ("lexiconsample ENABLE 1 2", "Some(\"lexiconsample\") 24 unexpected \"2\", expected nothing after the number"),
            ("lexiconcheck ENABLE", "Some(\"lexiconcheck\") 20 the line ends, expected a lexicon, then one or more words"),
        ] {
            assert_eq!(told(line), expected);
        }
    }
}
