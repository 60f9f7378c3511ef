//! A line becomes a command: the union of what siu, ucgi and uci write. The only user of `nom`.
//!
//! Words that are not known are skipped, as all three ask for. No input panics; an error names the word and the column.
//! Not here: whether a move, a position or an option makes sense, which takes a session. Start with [`parse`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::protocol::command::{Command, Debugging, Dialect, GoMode, GoParameters, PositionBase, PositionCommand, Word};
use crate::search::budget::StopCondition;
use nom::bytes::complete::{take_while, take_while1};
use nom::combinator::all_consuming;
use nom::sequence::preceded;
use nom::{IResult, Parser};
use std::ops::RangeInclusive;
use thiserror::Error;

/// A wrong word is shown up to this many characters.
const SHOWN_CHARACTERS: usize = 40;

/// Why a line is no command.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
pub enum ParseError {
    /// No word of the line is a command.
    #[error("{} (column {}) is not a command: say help for the list", shown(&.0.text), .0.column)]
    UnknownCommand(Word),
    /// A command without something it needs.
    #[error("{command} needs {expected} at column {column}")]
    Missing {
        /// The command.
        command: &'static str,
        /// What it needs, as it is to be typed.
        expected: &'static str,
        /// Where the line ends or goes wrong.
        column: usize,
    },
    /// A `go` parameter with a wrong value.
    #[error("{parameter} {} (column {}): write {parameter} {expected}", shown(&.found.text), .found.column)]
    BadValue {
        /// The parameter.
        parameter: String,
        /// What stands there.
        found: Word,
        /// What is wanted.
        expected: String,
    },
}

/// A word as it is shown in a message: quoted, control characters escaped, cut short.
pub fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{:?}...", text.get(..end).unwrap_or_default()),
        None => format!("{text:?}"),
    }
}

/// Reads a line. `None` for an empty one.
///
/// # Errors
/// The word that is wrong, with its column, and what to write instead.
pub fn parse(line: &str) -> Result<Option<Command>, ParseError> {
    let mut words = Words::of(line);
    let Some(first) = words.next() else {
        return Ok(None);
    };
    let mut word = first.clone();
    loop {
        if let Some(command) = command(&word.text, &mut words)? {
            return Ok(Some(command));
        }
        match words.next() {
            Some(next) => word = next,
            None => return Err(ParseError::UnknownCommand(first)),
        }
    }
}

/// The command that begins with this word, or `None` if none does.
fn command(word: &str, words: &mut Words<'_>) -> Result<Option<Command>, ParseError> {
    let needs = |expected, words: &mut Words<'_>, command| {
        let column = words.column();
        words.next().ok_or(ParseError::Missing { command, expected, column })
    };
    Ok(Some(match word.to_ascii_lowercase().as_str() {
        "siu" => Command::Handshake(Dialect::Siu),
        "ucgi" => Command::Handshake(Dialect::Ucgi),
        "uci" => Command::Handshake(Dialect::Uci),
        "isready" => Command::IsReady,
        "debug" => Command::Debug(debugging(words)?),
        "siunewgame" | "ucginewgame" | "ucinewgame" => Command::NewGame,
        "setoption" => set_option(words)?,
        "position" => Command::Position(position(words)?),
        "rack" => Command::Rack(needs("the tiles, for example rack AEINRS?", words, "rack")?),
        "go" => Command::Go(Box::new(go(words)?)),
        "stop" => Command::Stop,
        "quit" => Command::Quit,
        "gameover" => game_over(words)?,
        "help" => Command::Help,
        "d" => Command::Display,
        "eval" => Command::Eval,
        "check" => {
            let first = needs("one or more words, for example check QI ZA", words, "check")?;
            Command::Check(std::iter::once(first).chain(words).collect())
        }
        "anagram" => Command::Anagram(needs("the tiles, for example anagram AEINRS?", words, "anagram")?),
        "hooks" => Command::Hooks(needs("a word, for example hooks CARE", words, "hooks")?),
        "pattern" => Command::Pattern(needs("a pattern, for example pattern C?R*", words, "pattern")?),
        "play" => Command::Play(needs("a move, for example play 8D.WORD", words, "play")?),
        "undo" => Command::Undo,
        "bench" => Command::Bench(words.map(|word| word.text).collect()),
        _ => return Ok(None),
    }))
}

fn debugging(words: &mut Words<'_>) -> Result<Debugging, ParseError> {
    let column = words.column();
    let found = words.find_map(|word| match word.text.to_ascii_lowercase().as_str() {
        "on" => Some(Debugging::On),
        "off" => Some(Debugging::Off),
        _ => None,
    });
    found.ok_or(ParseError::Missing { command: "debug", expected: "on or off", column })
}

/// The result is checked, then forgotten: what counts is that the game has ended.
fn game_over(words: &mut Words<'_>) -> Result<Command, ParseError> {
    let expected = "win, loss or tie, then spread <n>";
    let missing = |column| ParseError::Missing { command: "gameover", expected, column };
    let column = words.column();
    if !words.any(|word| ["win", "loss", "tie"].iter().any(|result| word.text.eq_ignore_ascii_case(result))) {
        return Err(missing(column));
    }
    let column = words.column();
    if !words.any(|word| word.text.eq_ignore_ascii_case("spread")) {
        return Err(missing(column));
    }
    let column = words.column();
    let spread = words.next().ok_or(missing(column))?;
    match spread.text.parse::<i32>() {
        Ok(_) => Ok(Command::GameOver),
        Err(_) => Err(ParseError::BadValue { parameter: "spread".to_string(), found: spread, expected: "<points>".to_string() }),
    }
}

fn set_option(words: &mut Words<'_>) -> Result<Command, ParseError> {
    let missing = |column| ParseError::Missing { command: "setoption", expected: "name <Name> [value <value>]", column };
    let column = words.column();
    if !words.any(|word| word.text.eq_ignore_ascii_case("name")) {
        return Err(missing(column));
    }
    let column = words.column();
    let (name, has_value) = words.text_until(|word| word.eq_ignore_ascii_case("value"));
    let name = name.ok_or_else(|| missing(column))?;
    if !has_value {
        return Ok(Command::SetOption { name, value: None });
    }
    let column = words.column();
    let (value, _) = words.text_until(|_| false);
    Ok(Command::SetOption { name, value: Some(value.unwrap_or(Word { text: String::new(), column })) })
}

fn position(words: &mut Words<'_>) -> Result<PositionCommand, ParseError> {
    let missing = |expected, column| ParseError::Missing { command: "position", expected, column };
    let begin = words.column();
    let base = words.find_map(|word| match word.text.to_ascii_lowercase().as_str() {
        base @ ("startpos" | "cgp" | "gcg") => Some(base.to_string()),
        _ => None,
    });
    let mut unknown = Vec::new();
    let mut has_moves = false;
    let base = match base.as_deref() {
        Some("cgp") => {
            let column = words.column();
            let (cgp, moves_follow) = words.text_until(|word| word.eq_ignore_ascii_case("moves"));
            has_moves = moves_follow;
            PositionBase::Cgp(cgp.ok_or_else(|| missing("a position after cgp", column))?)
        }
        Some("gcg") => {
            let column = words.column();
            let (path, turn_follows) = words.text_until(|word| word.eq_ignore_ascii_case("turn"));
            let path = path.ok_or_else(|| missing("a file after gcg", column))?;
            let turn = if turn_follows { Some(number("turn", 1..=9_999, words)?) } else { None };
            PositionBase::Gcg { path, turn }
        }
        Some(_) => PositionBase::Start,
        None => return Err(missing("startpos, cgp <position> or gcg <file>", begin)),
    };
    while !has_moves {
        match words.next() {
            Some(word) if word.text.eq_ignore_ascii_case("moves") => has_moves = true,
            Some(word) => unknown.push(word),
            None => break,
        }
    }
    Ok(PositionCommand { base, moves: words.collect(), unknown })
}

/// What stands behind a keyword of `go`.
#[derive(Clone, Copy, PartialEq)]
enum Keyword {
    Mode(GoMode),
    SearchMoves,
    AlsoSearchMoves,
    Depth,
    Iterations,
    MoveTime,
    MyTime,
    MyIncrement,
    OpponentTime,
    OpponentIncrement,
    PlayerTime(usize),
    PlayerIncrement(usize),
    Nodes,
    StopCondition,
    FirstWin,
    UseInference,
    Threads,
    Plays,
    Rows,
    Info,
    Seed,
    Infinite,
}

fn keyword(text: &str) -> Option<Keyword> {
    let lower = text.to_ascii_lowercase();
    if let Some((mode, _)) = GoMode::ALL.iter().find(|(_, word)| *word == lower) {
        return Some(Keyword::Mode(*mode));
    }
    Some(match lower.as_str() {
        "searchmoves" => Keyword::SearchMoves,
        "alsosearchmoves" => Keyword::AlsoSearchMoves,
        "depth" | "plies" => Keyword::Depth,
        "iterations" | "i" => Keyword::Iterations,
        "movetime" => Keyword::MoveTime,
        "mytime" => Keyword::MyTime,
        "myinc" => Keyword::MyIncrement,
        "opptime" => Keyword::OpponentTime,
        "oppinc" => Keyword::OpponentIncrement,
        "1time" => Keyword::PlayerTime(0),
        "1inc" => Keyword::PlayerIncrement(0),
        "2time" => Keyword::PlayerTime(1),
        "2inc" => Keyword::PlayerIncrement(1),
        "nodes" => Keyword::Nodes,
        "stopcondition" => Keyword::StopCondition,
        "firstwin" => Keyword::FirstWin,
        "useinference" => Keyword::UseInference,
        "threads" => Keyword::Threads,
        "plays" => Keyword::Plays,
        "multipv" => Keyword::Rows,
        "info" => Keyword::Info,
        "seed" => Keyword::Seed,
        "infinite" => Keyword::Infinite,
        _ => return None,
    })
}

/// Times beyond a year are as good as a year.
const MAX_MS: i64 = 1000 * 60 * 60 * 24 * 365;

fn go(words: &mut Words<'_>) -> Result<GoParameters, ParseError> {
    let mut parameters = GoParameters::default();
    while let Some(word) = words.next() {
        let Some(keyword) = keyword(&word.text) else {
            parameters.unknown.push(word);
            continue;
        };
        let name = word.text.as_str();
        match keyword {
            Keyword::Mode(mode) => parameters.mode = mode,
            Keyword::SearchMoves => parameters.search_moves = Some(moves(name, words)?),
            Keyword::AlsoSearchMoves => parameters.also_search_moves = Some(moves(name, words)?),
            Keyword::Depth => parameters.depth = Some(number(name, 1..=100, words)?),
            Keyword::Iterations => parameters.iterations = Some(number(name, 1..=i64::MAX, words)?),
            Keyword::MoveTime => parameters.movetime_ms = Some(time_ms(name, words)?.max(0).unsigned_abs()),
            Keyword::MyTime => parameters.my_clock.left_ms = Some(time_ms(name, words)?),
            Keyword::MyIncrement => parameters.my_clock.increment_ms = Some(time_ms(name, words)?),
            Keyword::OpponentTime => parameters.opponent_clock.left_ms = Some(time_ms(name, words)?),
            Keyword::OpponentIncrement => parameters.opponent_clock.increment_ms = Some(time_ms(name, words)?),
            Keyword::PlayerTime(player) => {
                let left_ms = time_ms(name, words)?;
                parameters.player_clocks.get_mut(player).into_iter().for_each(|clock| clock.left_ms = Some(left_ms));
            }
            Keyword::PlayerIncrement(player) => {
                let increment_ms = time_ms(name, words)?;
                parameters.player_clocks.get_mut(player).into_iter().for_each(|clock| clock.increment_ms = Some(increment_ms));
            }
            Keyword::Nodes => parameters.nodes = Some(number(name, 1..=i64::MAX, words)?),
            Keyword::StopCondition => parameters.stop_condition = Some(stop_condition(name, words)?),
            Keyword::FirstWin => parameters.first_win = true,
            Keyword::UseInference => parameters.use_inference = true,
            Keyword::Threads => parameters.threads = Some(number(name, 1..=256, words)?),
            Keyword::Plays => parameters.plays = Some(number(name, 1..=100_000, words)?),
            Keyword::Rows => parameters.rows = Some(number(name, 1..=100_000, words)?),
            Keyword::Info => parameters.info_ms = Some(number(name, 1..=MAX_MS, words)?),
            Keyword::Seed => parameters.seed = Some(number(name, 0..=i64::MAX, words)?),
            Keyword::Infinite => parameters.infinite = true,
        }
    }
    Ok(parameters)
}

/// The words up to the next keyword, at least one.
fn moves(parameter: &str, words: &mut Words<'_>) -> Result<Vec<Word>, ParseError> {
    let column = words.column();
    let mut moves = Vec::new();
    while let Some(word) = words.peek().filter(|word| keyword(&word.text).is_none()) {
        moves.push(word);
        words.next();
    }
    if moves.is_empty() {
        let found = words.peek().unwrap_or(Word { text: String::new(), column });
        return Err(ParseError::BadValue { parameter: parameter.to_string(), found, expected: "and one or more moves".to_string() });
    }
    Ok(moves)
}

fn time_ms(parameter: &str, words: &mut Words<'_>) -> Result<i64, ParseError> {
    let ms: i64 = number(parameter, i64::MIN..=i64::MAX, words)?;
    Ok(ms.clamp(-MAX_MS, MAX_MS))
}

fn stop_condition(parameter: &str, words: &mut Words<'_>) -> Result<StopCondition, ParseError> {
    let word = words.next_or_end();
    match word.text.trim_end_matches('%') {
        "95" => Ok(StopCondition::Percent95),
        "98" => Ok(StopCondition::Percent98),
        "99" => Ok(StopCondition::Percent99),
        _ => Err(ParseError::BadValue { parameter: parameter.to_string(), found: word, expected: "95, 98 or 99".to_string() }),
    }
}

/// A whole number within bounds.
fn number<N: TryFrom<i64>>(parameter: &str, bounds: RangeInclusive<i64>, words: &mut Words<'_>) -> Result<N, ParseError> {
    let word = words.next_or_end();
    let parsed = whole_number(&word.text).filter(|number| bounds.contains(number)).and_then(|number| N::try_from(number).ok());
    parsed.ok_or_else(|| {
        let expected = match (*bounds.start(), *bounds.end()) {
            (i64::MIN, _) => "and a whole number".to_string(),
            (least, i64::MAX) => format!("and a whole number from {least}"),
            (least, most) => format!("and a whole number from {least} to {most}"),
        };
        ParseError::BadValue { parameter: parameter.to_string(), found: word, expected }
    })
}

/// A whole number and nothing else.
pub(super) fn whole_number(text: &str) -> Option<i64> {
    all_consuming(nom::character::complete::i64::<&str, nom::error::Error<&str>>).parse(text).ok().map(|(_, number)| number)
}

fn blanks(input: &str) -> IResult<&str, &str> {
    take_while(char::is_whitespace).parse(input)
}

fn word(input: &str) -> IResult<&str, &str> {
    preceded(blanks, take_while1(|c: char| !c.is_whitespace())).parse(input)
}

/// The words of a line, from left to right, with their columns.
#[derive(Clone)]
struct Words<'a> {
    rest: &'a str,
    /// Column of the first character of `rest`.
    at: usize,
}

impl<'a> Words<'a> {
    fn of(line: &'a str) -> Words<'a> {
        // A byte order mark at the start of a file is no part of the first word.
        Words { rest: line.trim_start_matches('\u{feff}'), at: 1 }
    }

    /// Column of the next word, or behind the end of the line.
    fn column(&self) -> usize {
        match blanks(self.rest) {
            Ok((rest, skipped)) if !rest.is_empty() => self.at + skipped.chars().count(),
            _ => self.at + self.rest.trim_end().chars().count(),
        }
    }

    fn peek(&self) -> Option<Word> {
        self.clone().next()
    }

    /// The next word, or an empty one behind the end of the line.
    fn next_or_end(&mut self) -> Word {
        let column = self.column();
        self.next().unwrap_or(Word { text: String::new(), column })
    }

    /// The text up to a word that ends it, blanks inside kept; whether that word was there. It is consumed.
    fn text_until(&mut self, ends: impl Fn(&str) -> bool) -> (Option<Word>, bool) {
        let column = self.column();
        let begin = self.rest;
        let mut found = false;
        let mut used = 0;
        while let Some(next) = self.next() {
            if ends(&next.text) {
                found = true;
                break;
            }
            used = begin.len() - self.rest.len();
        }
        let text = begin.get(..used).unwrap_or_default().trim();
        let word = (!text.is_empty()).then(|| Word { text: text.to_string(), column });
        (word, found)
    }
}

impl Iterator for Words<'_> {
    type Item = Word;

    fn next(&mut self) -> Option<Word> {
        let (rest, text) = word(self.rest).ok()?;
        let used = self.rest.get(..self.rest.len() - rest.len()).unwrap_or_default();
        let end = self.at + used.chars().count();
        self.rest = rest;
        self.at = end;
        Some(Word { text: text.to_string(), column: end - text.chars().count() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(words: &[Word]) -> Vec<&str> {
        words.iter().map(|word| word.text.as_str()).collect()
    }

    fn go_of(line: &str) -> GoParameters {
        match parse(line) {
            Ok(Some(Command::Go(parameters))) => *parameters,
            other => panic!("{other:?}"),
        }
    }

    fn error(line: &str) -> String {
        parse(line).unwrap_err().to_string()
    }

    #[test]
    fn unknown_words_before_a_command_are_skipped() {
        assert_eq!(parse("  joho\tisready \r"), Ok(Some(Command::IsReady)));
        assert_eq!(parse("joho debug   on"), Ok(Some(Command::Debug(Debugging::On))));
        assert_eq!(parse("\u{feff}UCI"), Ok(Some(Command::Handshake(Dialect::Uci))));
        assert_eq!(parse(" \t \r"), Ok(None));
    }

    #[test]
    fn errors_name_the_word_and_the_column() {
        assert_eq!(error("  joho tilt"), "\"joho\" (column 3) is not a command: say help for the list");
        assert_eq!(error("\0"), "\"\\0\" (column 1) is not a command: say help for the list");
        assert_eq!(error("rack "), "rack needs the tiles, for example rack AEINRS? at column 5");
        assert_eq!(error("position foo"), "position needs startpos, cgp <position> or gcg <file> at column 10");
        assert_eq!(error("go sim depth x"), "depth \"x\" (column 14): write depth and a whole number from 1 to 100");
        assert_eq!(error("go movetime"), "movetime \"\" (column 12): write movetime and a whole number");
        assert_eq!(error("go stopcondition 97"), "stopcondition \"97\" (column 18): write stopcondition 95, 98 or 99");
        assert_eq!(error("go searchmoves depth 2"), "searchmoves \"depth\" (column 16): write searchmoves and one or more moves");
        assert_eq!(error("setoption Seed 1"), "setoption needs name <Name> [value <value>] at column 11");
    }

    #[test]
    fn move_lists_run_to_the_next_keyword_in_any_order() {
        let parameters = go_of("go searchmoves 8D.CAT ex.A alsosearchmoves pass movetime 5 sim seed 7 ponder plies 4 i 9");
        assert_eq!(texts(&parameters.search_moves.unwrap()), ["8D.CAT", "ex.A"]);
        assert_eq!(texts(&parameters.also_search_moves.unwrap()), ["pass"]);
        assert_eq!((parameters.mode, parameters.movetime_ms, parameters.seed), (GoMode::Sim, Some(5), Some(7)));
        assert_eq!((parameters.depth, parameters.iterations), (Some(4), Some(9)));
        assert_eq!(texts(&parameters.unknown), ["ponder"]);
    }

    #[test]
    fn clocks_may_be_zero_and_negative() {
        let parameters = go_of("go 1time 0 2time -5 1inc 3 mytime -9223372036854775808 oppinc 1");
        assert_eq!(parameters.player_clocks[0].clock().map(|clock| (clock.left_ms, clock.increment_ms)), Some((0, 3)));
        assert_eq!(parameters.player_clocks[1].left_ms, Some(-5));
        assert_eq!(parameters.my_clock.left_ms, Some(-MAX_MS));
        assert_eq!(parameters.opponent_clock.clock(), None);
        assert_eq!(go_of("go movetime -7").movetime_ms, Some(0));
    }

    #[test]
    fn positions_keep_their_columns() {
        let Ok(Some(Command::Position(command))) = parse("position cgp  15/15 A/B  0/0 0 lex X; moves 8D.CAT rack.AB") else { panic!() };
        assert_eq!(command.base, PositionBase::Cgp(Word { text: "15/15 A/B  0/0 0 lex X;".to_string(), column: 15 }));
        assert_eq!(command.moves, [Word { text: "8D.CAT".to_string(), column: 45 }, Word { text: "rack.AB".to_string(), column: 52 }]);
        let Ok(Some(Command::Position(command))) = parse("position gcg my games/1.gcg turn 7") else { panic!() };
        assert_eq!(command.base, PositionBase::Gcg { path: Word { text: "my games/1.gcg".to_string(), column: 14 }, turn: Some(7) });
    }

    #[test]
    fn option_values_keep_their_blanks() {
        let Ok(Some(Command::SetOption { name, value })) = parse("setoption name Data  Path value /a b/c;d  ") else { panic!() };
        assert_eq!((name.text.as_str(), value.unwrap().text.as_str()), ("Data  Path", "/a b/c;d"));
        let Ok(Some(Command::SetOption { value, .. })) = parse("setoption name SimLog value") else { panic!() };
        assert_eq!(value.unwrap().text, "");
        let Ok(Some(Command::SetOption { value, .. })) = parse("setoption name Clear") else { panic!() };
        assert_eq!(value, None);
    }

    proptest! {
        #[test]
        fn no_line_panics(line in "(go|position|setoption|name|value|moves|cgp|gcg|turn|rack|depth|[ -~]{0,6}|\\PC{0,3}|[ \t\0]){0,12}") {
            let _ = parse(&line);
        }
    }
}
