//! Parses a line into a command, by the grammar in `protocol/grammar.abnf`.
//! The grammar is the union of the dialects siu, ucgi, uci and tilefish. Lines of the Crossword Game Protocol have a grammar of their
//! own, in `crossword_game.rs`.
//!
//! Unknown words are skipped, as all three protocols demand. No input causes a panic; an error names the word and its column.
//! Not here: whether a move, a position or an option makes sense, which takes a session. Start with [`parse`].
//!
//! The input of every rule is a [`Span`], the rest of the line with its column. A rule that does not apply returns nom's `Error`,
//! so that another one is tried. If the line is wrong by any rule, the rule returns a `Failure` with a [`ParseError`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::formats::suggest::nearest;
use crate::ghost::Ghost;
use crate::protocol::command::{
    Command, Debugging, Dialect, GhostCommand, GhostSide, GoMode, GoParameters, PositionBase, PositionCommand, Word,
};
use crate::protocol::help::{command_words, is_command};
use crate::protocol::parameters::{MAX_MS, ParameterRow, ParameterValue, whole_number_of};
use crate::rules::grammar::{GrammarResult, Mismatch, Span, blanks, word as token};
use crate::search::budget::StopCondition;
use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{anychar, char, none_of};
use nom::combinator::{all_consuming, eof, fail, map_opt, not, opt, recognize, value, verify};
use nom::multi::{many_m_n, many_till, many0, many0_count, many1};
use nom::sequence::{preceded, terminated};
use std::ops::RangeInclusive;
use thiserror::Error;

/// The lengths that the shortest words of Ghost may have.
const GHOST_MIN_LENGTHS: RangeInclusive<i64> = *Ghost::MIN_LENGTHS.start() as i64..=*Ghost::MIN_LENGTHS.end() as i64;

/// The most characters of a wrong word that a message shows.
const SHOWN_CHARACTERS: usize = 40;

/// Why a line is not a command.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
#[error("{problem}")]
pub struct ParseError {
    /// The command that is wrong; none if the line has no command.
    pub command: Option<&'static str>,
    /// The 1-based column of what is wrong.
    pub column: usize,
    /// What is wrong there, and what was expected.
    pub problem: LineProblem,
}

/// What is wrong with a line.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
#[non_exhaustive]
pub enum LineProblem {
    /// No word of the line is a command. The first word is given.
    #[error("{} is not a command{}", shown(.0), near_command(.0))]
    UnknownCommand(String),
    /// Not a command of the Crossword Game Protocol, in which the line is read.
    #[error("{} is not a command of the Crossword Game Protocol 0.2", shown(.0).trim_matches('"'))]
    NotOfCrosswordGame(String),
    /// A command with more words on its line than it may have.
    #[error("{} is a command only if it is alone on its line", shown(.0))]
    NotAlone(String),
    /// The line lacks something.
    #[error("the line ends, expected {expected}")]
    LineEnds {
        /// What the command needs.
        expected: &'static str,
    },
    /// A word that does not belong here.
    #[error("unexpected {}, expected {expected}", shown(.found))]
    Unexpected {
        /// The word.
        found: String,
        /// What the command needs.
        expected: &'static str,
    },
    /// A parameter without its value.
    #[error("{parameter} has no value, expected {expected}")]
    NoValue {
        /// The parameter.
        parameter: String,
        /// What values it takes.
        expected: String,
    },
    /// A parameter with a value that it does not take.
    #[error("{parameter} is {}, expected {expected}", shown(.found))]
    BadValue {
        /// The parameter.
        parameter: String,
        /// The value.
        found: String,
        /// What values it takes.
        expected: String,
    },
}

fn near_command(word: &str) -> String {
    nearest(word, command_words()).map_or(": help lists the commands".to_string(), |meant| format!(", did you mean {meant}?"))
}

/// Returns a word as messages show it: quoted, with control characters escaped, and cut short.
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
    // A carriage return ends no line here: as a blank it counts as a column.
    let line = line.replace('\r', " ");
    let line = of_line(&line);
    let Ok((_, first)) = word(line) else {
        return Ok(None);
    };
    match alt((opening_command, skip_to(command))).parse(line) {
        Ok((_, command)) => Ok(Some(command)),
        Err(nom::Err::Failure(Mismatch::Meaning(error))) => Err(error),
        Err(_) => {
            let problem = if is_command(&first.text) { LineProblem::NotAlone } else { LineProblem::UnknownCommand };
            Err(ParseError { command: None, column: first.column, problem: problem(first.text) })
        }
    }
}

// Commands

/// Commands that count only at the beginning of a line. Some are other words for commands, which a person tries first. Most of these
/// count only if they are alone on the line, since a short word that a program sends by mistake before a command is skipped like any
/// other. The rest are words that also occur in other commands.
fn opening_command(input: Span<'_>) -> Parsed<'_, Command> {
    let (rest, name) = token(input)?;
    let alone = |command| value(command, end).parse(rest);
    match name.text().to_ascii_lowercase().as_str() {
        name if !is_command(name) => fail().parse(input),
        "exit" | "q" => alone(Command::Quit),
        "board" => alone(Command::Display),
        "?" => opt(word).map(Command::Help).parse(rest),
        // Words that also occur in other commands: `psoition cgp ...` is a slip, not the command `cgp`.
        "cgp" => needs("cgp", "nothing after cgp (position cgp <position> sets a position)", value(Command::Cgp, end)).parse(rest),
        "gcg" => opt(text_before(&[])).map(Command::Gcg).parse(rest),
        "score" => one_word("score", "one move, such as 8D.WORD").map(Command::Score).parse(rest),
        "turns" => needs("turns", "nothing after turns", value(Command::Turns, end)).parse(rest),
        "rules" => needs("rules", "nothing after rules", value(Command::Rules, end)).parse(rest),
        "dead" => needs("dead", "nothing after dead", value(Command::Dead, end)).parse(rest),
        "why" => terminated(many_m_n(0, 2, word), needs("why", "at most two moves, such as 8D.WORD", end)).map(Command::Why).parse(rest),
        "history" => needs("history", "the events of a game, with | between them", text_before(&[])).map(Command::History).parse(rest),
        "leave" => needs("leave", "the tiles kept, such as ERS", many1(word)).map(Command::Leave).parse(rest),
        "ghost" => ghost.map(Command::Ghost).parse(rest),
        _ => fail().parse(input),
    }
}

/// `command *(blanks word)`
fn command(input: Span<'_>) -> Parsed<'_, Command> {
    let (rest, name) = token(input)?;
    let alone = |command| Ok((rest, command));
    match name.text().to_ascii_lowercase().as_str() {
        name if !is_command(name) => fail().parse(input),
        "siu" => alone(Command::Handshake(Dialect::Siu)),
        "ucgi" => alone(Command::Handshake(Dialect::Ucgi)),
        "uci" => alone(Command::Handshake(Dialect::Uci)),
        "tilefish" => alone(Command::Handshake(Dialect::Tilefish)),
        "isready" => alone(Command::IsReady),
        "debug" => debugging.map(Command::Debug).parse(rest),
        "siunewgame" => alone(Command::NewGame("siunewgame")),
        "ucginewgame" => alone(Command::NewGame("ucginewgame")),
        "ucinewgame" => alone(Command::NewGame("ucinewgame")),
        "setoption" => set_option(rest),
        "position" => position.map(Command::Position).parse(rest),
        "rack" => one_word("rack", "the tiles as one word, such as AEINRS?").map(Command::Rack).parse(rest),
        "opprack" => one_word("opprack", "the tiles as one word, such as QZ").map(Command::OpponentRack).parse(rest),
        "go" => go.map(|parameters| Command::Go(Box::new(parameters))).parse(rest),
        "stop" => alone(Command::Stop),
        "quit" => alone(Command::Quit),
        "gameover" => game_over(rest),
        "help" => opt(word).map(Command::Help).parse(rest),
        "d" => alone(Command::Display),
        "lexicons" => alone(Command::Lexicons),
        "layouts" => alone(Command::Layouts),
        "distributions" => alone(Command::Distributions),
        "eval" => many0(word).map(Command::Eval).parse(rest),
        "check" => needs("check", "one or more words, such as QI ZA", many1(word)).map(Command::Check).parse(rest),
        "anagram" => one_word("anagram", "the tiles as one word, such as AEINRS?").map(Command::Anagram).parse(rest),
        "hooks" => one_word("hooks", "one word, such as CARE").map(Command::Hooks).parse(rest),
        "pattern" => one_word("pattern", "one pattern, such as C?R*").map(Command::Pattern).parse(rest),
        "play" => one_word("play", "one move, such as 8D.WORD").map(Command::Play).parse(rest),
        "undo" => needs("undo", "nothing after undo, which takes one turn back", value(Command::Undo, end)).parse(rest),
        "bench" => many0(word.map(|word| word.text)).map(Command::Bench).parse(rest),
        _ => fail().parse(input),
    }
}

/// `"on" / "off"`
fn debugging(input: Span<'_>) -> Parsed<'_, Debugging> {
    let switch = alt((value(Debugging::On, keyword("on")), value(Debugging::Off, keyword("off"))));
    needs("debug", "on or off", skip_to(switch)).parse(input)
}

/// `("win" / "loss" / "tie") "spread" int`. The result is checked, then forgotten: what counts is that the game has ended.
fn game_over(input: Span<'_>) -> Parsed<'_, Command> {
    const EXPECTED: &str = "win, loss or tie, then spread <n>";
    let result = skip_to(alt((keyword("win"), keyword("loss"), keyword("tie"))));
    let (rest, _) = needs("gameover", EXPECTED, result).parse(input)?;
    let (rest, _) = needs("gameover", EXPECTED, skip_to(keyword("spread"))).parse(rest)?;
    let (rest, spread) = needs("gameover", EXPECTED, word).parse(rest)?;
    match spread.text.parse::<i32>() {
        Ok(_) => Ok((rest, Command::GameOver)),
        Err(_) => bad_value("gameover", "spread", spread, "a whole number"),
    }
}

/// `(["super"] "solve" / "play" ["first" / "second"] / ["super"] letters) ["minlen" int]`,
/// `"add" letter` or `"challenge"`, and nothing after it. Letters that are one of these words are
/// written in brackets: `[P]LAY`.
fn ghost(input: Span<'_>) -> Parsed<'_, GhostCommand> {
    const EXPECTED: &str = "solve, play, add <letter>, challenge, super or the letters of a fragment";
    const SUPER: &str = "solve or the letters of a fragment";
    let least = || opt(preceded(keyword("minlen"), number("ghost", "minlen", GHOST_MIN_LENGTHS))).map(|length| length.unwrap_or(1));
    let engine_begins = value(GhostSide::Engine, keyword("second"));
    let opener = opt(alt((value(GhostSide::Person, keyword("first")), engine_begins))).map(|opener| opener.unwrap_or(GhostSide::Person));
    let solve = preceded(keyword("solve"), least()).map(|min_length| GhostCommand::Solve { min_length });
    let play = preceded(keyword("play"), (opener, least())).map(|(opener, min_length)| GhostCommand::Play { opener, min_length });
    let add = preceded(keyword("add"), needs("ghost", "a letter, such as Q", word)).map(GhostCommand::Add);
    let challenge = value(GhostCommand::Challenge, keyword("challenge"));
    let fragment = (word, least()).map(|(letters, min_length)| GhostCommand::Fragment { letters, min_length });
    let whole = preceded(keyword("solve"), least()).map(|min_length| (None, min_length));
    let part = (word, least()).map(|(letters, min_length)| (Some(letters), min_length));
    let both_ends = preceded(keyword("super"), needs("ghost", SUPER, alt((whole, part))));
    let both_ends = both_ends.map(|(letters, min_length)| GhostCommand::Super { letters, min_length });
    let (rest, command) = needs("ghost", EXPECTED, alt((solve, play, add, challenge, both_ends, fragment))).parse(input)?;
    let (rest, _) = needs("ghost", "nothing more, since only solve, play and fragments take minlen <n>", end).parse(rest)?;
    Ok((rest, command))
}

/// `"name" text ["value" [text]]`
fn set_option(input: Span<'_>) -> Parsed<'_, Command> {
    const EXPECTED: &str = "name <Name> [value <value>]";
    let (rest, _) = needs("setoption", EXPECTED, skip_to(keyword("name"))).parse(input)?;
    let (rest, name) = needs("setoption", EXPECTED, text_before(&["value"])).parse(rest)?;
    let (rest, value) = opt(preceded(keyword("value"), alt((text_before(&[]), nothing)))).parse(rest)?;
    Ok((rest, Command::SetOption { name, value }))
}

/// `("startpos" / "cgp" text / "gcg" (text / string) ["turn" int] / "record" string ["turn" int]) ["moves" *move]`
fn position(input: Span<'_>) -> Parsed<'_, PositionCommand> {
    let start = value(PositionBase::Start, keyword("startpos"));
    let cgp = preceded(keyword("cgp"), needs("position", "a position after cgp", text_before(&["moves"]))).map(PositionBase::Cgp);
    let path = needs("position", "a file after gcg", alt((json_string, text_before(&["turn", "moves"]))));
    let text = needs("position", "the text of a game as a JSON string after record", json_string);
    let turn = || opt(preceded(keyword("turn"), number("position", "turn", 1..=9_999)));
    let gcg = preceded(keyword("gcg"), (path, turn())).map(|(path, turn)| PositionBase::Gcg { path, turn });
    let record = preceded(keyword("record"), (text, turn())).map(|(text, turn)| PositionBase::Record { text, turn });
    let base = skip_to(alt((start, cgp, gcg, record)));
    let (rest, base) = needs("position", "startpos, cgp <position>, gcg <file> or record <text>", base).parse(input)?;
    let (rest, (unknown, _)) = many_till(word, alt((keyword("moves"), end))).parse(rest)?;
    let (rest, moves) = many0(word).parse(rest)?;
    Ok((rest, PositionCommand { base, moves, unknown }))
}

// The parameters of go

/// `*(mode / parameter)`, in any order.
fn go(input: Span<'_>) -> Parsed<'_, GoParameters> {
    let mut parameters = GoParameters::default();
    let mut rest = input;
    while let Ok((after, word)) = word(rest) {
        rest = after;
        let name = word.text.as_str();
        if let Some(mode) = GoMode::from_word(name) {
            parameters.mode = mode;
        } else if let Some(row) = ParameterRow::find(name) {
            read_parameter(row, name, &mut rest, &mut parameters)?;
        } else {
            parameters.unknown.push(word);
        }
    }
    Ok((rest, parameters))
}

/// Reads the value of a parameter, which the line calls `name`, and stores it.
fn read_parameter<'a>(
    row: &ParameterRow,
    name: &str,
    rest: &mut Span<'a>,
    parameters: &mut GoParameters,
) -> Result<(), nom::Err<LineError<'a>>> {
    match &row.value {
        ParameterValue::Switch(place) => *place(parameters) = true,
        ParameterValue::Number(bounds, place) => *place(parameters) = Some(take(rest, number("go", name, bounds.clone()))?),
        ParameterValue::Count(bounds, place) => *place(parameters) = Some(take(rest, number("go", name, bounds.clone()))?),
        ParameterValue::Time(place) => *place(parameters) = Some(take(rest, time_ms(name))?.max(0).unsigned_abs()),
        ParameterValue::Clock(place) => *place(parameters) = Some(take(rest, time_ms(name))?),
        ParameterValue::Moves(place) => *place(parameters) = Some(take(rest, moves(name))?),
        ParameterValue::Certainty(place) => *place(parameters) = Some(take(rest, stop_condition(name))?),
        ParameterValue::Chance(place) => *place(parameters) = Some(take(rest, chance(name))?),
    }
    Ok(())
}

/// `1*move`: the words up to the next mode or parameter.
fn moves<'a>(parameter: &str) -> impl Parser<Span<'a>, Output = Vec<Word>, Error = LineError<'a>> {
    let is_move = |word: &Word| GoMode::from_word(&word.text).is_none() && ParameterRow::find(&word.text).is_none();
    value_of("go", parameter, "one or more moves".to_string(), many1(verify(word, is_move)))
}

/// A time in ms, at most a year.
fn time_ms<'a>(parameter: &str) -> impl Parser<Span<'a>, Output = i64, Error = LineError<'a>> {
    number("go", parameter, i64::MIN..=i64::MAX).map(|ms: i64| ms.clamp(-MAX_MS, MAX_MS))
}

/// `("95" / "98" / "99") ["%"]`
fn stop_condition<'a>(parameter: &str) -> impl Parser<Span<'a>, Output = StopCondition, Error = LineError<'a>> {
    let condition = token.map_opt(|token| match token.text().trim_end_matches('%') {
        "95" => Some(StopCondition::Percent95),
        "98" => Some(StopCondition::Percent98),
        "99" => Some(StopCondition::Percent99),
        _ => None,
    });
    value_of("go", parameter, "95, 98 or 99".to_string(), condition)
}

/// `decimal`, from 0 to 1.
fn chance<'a>(parameter: &str) -> impl Parser<Span<'a>, Output = f64, Error = LineError<'a>> {
    let is_decimal = |text: &str| text.chars().all(|c| c.is_ascii_digit() || c == '.');
    let chance = token.map_opt(move |token| {
        let number: f64 = Some(token.text()).filter(|text| is_decimal(text))?.parse().ok()?;
        (0.0..=1.0).contains(&number).then_some(number)
    });
    value_of("go", parameter, "a probability from 0 to 1, as in prob 0.4".to_string(), chance)
}

/// `int`, within bounds.
fn number<'a, N: TryFrom<i64>>(
    command: &'static str,
    parameter: &str,
    bounds: RangeInclusive<i64>,
) -> impl Parser<Span<'a>, Output = N, Error = LineError<'a>> {
    let expected = match *bounds.start() {
        i64::MIN => "a whole number".to_string(),
        _ => whole_number_of(&bounds),
    };
    let number = token.map_opt(move |token| {
        let number = whole_number(token.text()).filter(|number| bounds.contains(number))?;
        N::try_from(number).ok()
    });
    value_of(command, parameter, expected, number)
}

/// A whole number and nothing else.
pub(super) fn whole_number(text: &str) -> Option<i64> {
    all_consuming(nom::character::complete::i64::<&str, nom::error::Error<&str>>).parse(text).ok().map(|(_, number)| number)
}

// Words

/// `[blanks] 1*VISIBLE`
fn word(input: Span<'_>) -> Parsed<'_, Word> {
    token.map(kept).parse(input)
}

/// This word, in any case.
fn keyword<'a>(expected: &'static str) -> impl Parser<Span<'a>, Output = Span<'a>, Error = LineError<'a>> {
    verify(token, move |found: &Span<'_>| found.text().eq_ignore_ascii_case(expected))
}

/// The end of the line.
fn end(input: Span<'_>) -> Parsed<'_, Span<'_>> {
    preceded(blanks, eof).parse(input)
}

/// An empty word.
fn nothing(input: Span<'_>) -> Parsed<'_, Word> {
    Ok((input, next_word(input)))
}

/// One word or more, blanks between them kept, up to one of these keywords.
fn text_before<'a>(keywords: &'static [&'static str]) -> impl Parser<Span<'a>, Output = Word, Error = LineError<'a>> {
    let is_keyword = |token: &Span<'_>| keywords.iter().any(|keyword| token.text().eq_ignore_ascii_case(keyword));
    let words = many0_count(preceded(not(verify(token, is_keyword)), token));
    preceded(blanks, verify(recognize(words), |text: &Span<'_>| !text.is_empty())).map(kept)
}

/// A text in quotation marks, with the escapes of JSON.
fn json_string(input: Span<'_>) -> Parsed<'_, Word> {
    let escaped = preceded(char('\\'), anychar);
    let inside = many0_count(alt((escaped, none_of("\"\\"))));
    let quoted = preceded(blanks, recognize((char('"'), inside, char('"'))));
    map_opt(quoted, |quoted: Span<'_>| {
        let text = serde_json::from_str(quoted.text()).ok()?;
        Some(Word { text, column: quoted.place().column })
    })
    .parse(input)
}

/// Skips unknown words up to what this rule reads.
fn skip_to<'a, P: Parser<Span<'a>, Error = LineError<'a>>>(rule: P) -> impl Parser<Span<'a>, Output = P::Output, Error = LineError<'a>> {
    many_till(token, rule).map(|(_, found)| found)
}

/// A part that a command must have.
fn needs<'a, P: Parser<Span<'a>, Error = LineError<'a>>>(
    command: &'static str,
    expected: &'static str,
    mut rule: P,
) -> impl Parser<Span<'a>, Output = P::Output, Error = LineError<'a>> {
    move |input: Span<'a>| match rule.parse(input) {
        Err(nom::Err::Error(_)) => {
            let Word { text: found, column } = next_word(input);
            let is_end = found.is_empty();
            wrong(command, column, if is_end { LineProblem::LineEnds { expected } } else { LineProblem::Unexpected { found, expected } })
        }
        result => result,
    }
}

/// The only word of a command, which nothing may follow.
fn one_word<'a>(command: &'static str, expected: &'static str) -> impl Parser<Span<'a>, Output = Word, Error = LineError<'a>> {
    terminated(needs(command, expected, word), needs(command, expected, end))
}

/// The value that a parameter must have.
fn value_of<'a, P: Parser<Span<'a>, Error = LineError<'a>>>(
    command: &'static str,
    parameter: &str,
    expected: String,
    mut rule: P,
) -> impl Parser<Span<'a>, Output = P::Output, Error = LineError<'a>> {
    let parameter = parameter.to_string();
    move |input: Span<'a>| match rule.parse(input) {
        Err(nom::Err::Error(_)) => bad_value(command, &parameter, next_word(input), &expected),
        result => result,
    }
}

/// Reads from the rest of the line, and moves past what was read.
fn take<'a, T>(
    rest: &mut Span<'a>,
    mut rule: impl Parser<Span<'a>, Output = T, Error = LineError<'a>>,
) -> Result<T, nom::Err<LineError<'a>>> {
    let (after, value) = rule.parse(*rest)?;
    *rest = after;
    Ok(value)
}

/// Returns the error for a parameter with this wrong value. An empty word means that there is no value.
fn bad_value<'a, T>(command: &'static str, parameter: &str, found: Word, expected: &str) -> Parsed<'a, T> {
    let (parameter, expected) = (parameter.to_string(), expected.to_string());
    let Word { text: found, column } = found;
    let is_end = found.is_empty();
    let problem = if is_end { LineProblem::NoValue { parameter, expected } } else { LineProblem::BadValue { parameter, found, expected } };
    wrong(command, column, problem)
}

/// Returns the error for a line that is wrong by any rule.
fn wrong<'a, T>(command: &'static str, column: usize, problem: LineProblem) -> Parsed<'a, T> {
    Err(nom::Err::Failure(Mismatch::Meaning(ParseError { command: Some(command), column, problem })))
}

/// The next word, or an empty one right after the last word of the line.
fn next_word(input: Span<'_>) -> Word {
    word(input).map_or(Word { text: String::new(), column: input.place().column }, |(_, word)| word)
}

/// A whole line.
fn of_line(line: &str) -> Span<'_> {
    // A byte order mark at the start of a file is not part of the first word.
    Span::new(line.trim_start_matches('\u{feff}'))
}

/// A part of the line as a word of a command.
fn kept(span: Span<'_>) -> Word {
    Word { text: span.text().to_string(), column: span.place().column }
}

/// The result of a rule: the rest of the line, and what was read.
type Parsed<'a, T> = GrammarResult<'a, T, ParseError>;

/// Why a rule has no result: it does not apply, or the line is wrong.
type LineError<'a> = Mismatch<'a, ParseError>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::parameters::go_words;
    use crate::rules::Seat;
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
        let error = parse(line).unwrap_err();
        let command = error.command.map_or(String::new(), |command| format!("{command}: "));
        format!("{command}column {}: {error}", error.column)
    }

    #[test]
    fn unknown_words_before_a_command_are_skipped() {
        assert_eq!(parse("  joho\tisready \r"), Ok(Some(Command::IsReady)));
        assert_eq!(parse("joho debug   on"), Ok(Some(Command::Debug(Debugging::On))));
        assert_eq!(parse("\u{feff}UCI"), Ok(Some(Command::Handshake(Dialect::Uci))));
        assert_eq!(parse(" \t \r"), Ok(None));
    }

    #[test]
    fn a_mistyped_command_is_answered_by_the_one_that_was_meant() {
        assert_eq!(error("psoition startpos"), "column 1: \"psoition\" is not a command, did you mean position?");
        assert_eq!(error(" QUTI"), "column 2: \"QUTI\" is not a command, did you mean quit?");
    }

    #[test]
    fn other_words_for_commands_count_at_the_beginning_of_a_line_only() {
        for line in ["exit", " q ", "Q", "EXIT\r"] {
            assert_eq!(parse(line), Ok(Some(Command::Quit)), "{line:?}");
        }
        assert_eq!(parse("board"), Ok(Some(Command::Display)));
        assert_eq!(parse("?"), Ok(Some(Command::Help(None))));
        assert_eq!(parse("? go"), Ok(Some(Command::Help(Some(Word { text: "go".to_string(), column: 3 })))));
        for (line, word) in [("board x", "board"), ("exit now", "exit")] {
            assert_eq!(error(line), format!("column 1: {word:?} is a command only if it is alone on its line"));
        }
        for line in ["q isready", "joho isready", "exit isready", "board isready", "joho q isready"] {
            assert_eq!(parse(line), Ok(Some(Command::IsReady)), "{line:?}");
        }
    }

    #[test]
    fn every_command_and_parameter_is_understood() {
        for word in command_words() {
            assert!(!matches!(parse(word), Ok(None) | Err(ParseError { command: None, .. })), "{word}");
        }
        for word in go_words() {
            let parameters = parse(&format!("go {word} 1"));
            assert!(!matches!(parameters, Ok(Some(Command::Go(go))) if go.unknown.iter().any(|unknown| unknown.text == word)), "{word}");
        }
    }

    #[test]
    fn errors_name_the_word_and_the_column() {
        assert_eq!(error("  joho tilt"), "column 3: \"joho\" is not a command: help lists the commands");
        assert_eq!(error("\0"), "column 1: \"\\0\" is not a command: help lists the commands");
        assert_eq!(error("rack "), "rack: column 5: the line ends, expected the tiles as one word, such as AEINRS?");
        assert_eq!(error("rack AE INRST"), "rack: column 9: unexpected \"INRST\", expected the tiles as one word, such as AEINRS?");
        assert_eq!(error("undo 3"), "undo: column 6: unexpected \"3\", expected nothing after undo, which takes one turn back");
        let bases = "startpos, cgp <position>, gcg <file> or record <text>";
        assert_eq!(error("position foo"), format!("position: column 10: unexpected \"foo\", expected {bases}"));
        assert_eq!(error("go sim depth x"), "go: column 14: depth is \"x\", expected a whole number from 1 to 100");
        assert_eq!(error("go nodes 0"), "go: column 10: nodes is \"0\", expected a whole number from 1");
        assert_eq!(error("go movetime"), "go: column 12: movetime has no value, expected a whole number");
        assert_eq!(error("go stopcondition 97"), "go: column 18: stopcondition is \"97\", expected 95, 98 or 99");
        assert_eq!(error("go searchmoves depth 2"), "go: column 16: searchmoves is \"depth\", expected one or more moves");
        assert_eq!(error("setoption Seed 1"), "setoption: column 11: unexpected \"Seed\", expected name <Name> [value <value>]");
        assert_eq!(error("gameover win spread x"), "gameover: column 21: spread is \"x\", expected a whole number");
    }

    #[test]
    fn ghost_is_asked_and_played() {
        let ghost = |line: &str| match parse(line) {
            Ok(Some(Command::Ghost(command))) => command,
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(ghost("ghost solve"), GhostCommand::Solve { min_length: 1 });
        assert_eq!(ghost("GHOST SOLVE MINLEN 4"), GhostCommand::Solve { min_length: 4 });
        let letters = Word { text: "[P]LAY".to_string(), column: 7 };
        assert_eq!(ghost("ghost [P]LAY minlen 5"), GhostCommand::Fragment { letters, min_length: 5 });
        assert_eq!(ghost("ghost play"), GhostCommand::Play { opener: GhostSide::Person, min_length: 1 });
        assert_eq!(ghost("ghost play second minlen 3"), GhostCommand::Play { opener: GhostSide::Engine, min_length: 3 });
        assert_eq!(ghost("ghost add q"), GhostCommand::Add(Word { text: "q".to_string(), column: 11 }));
        assert_eq!(ghost("ghost challenge"), GhostCommand::Challenge);
        assert_eq!(ghost("ghost super solve minlen 3"), GhostCommand::Super { letters: None, min_length: 3 });
        let letters = Some(Word { text: "ert".to_string(), column: 13 });
        assert_eq!(ghost("ghost super ert"), GhostCommand::Super { letters, min_length: 1 });
        assert_eq!(error("ghost solve minlen 22"), "ghost: column 20: minlen is \"22\", expected a whole number from 1 to 21");
        let questions = "solve, play, add <letter>, challenge, super or the letters of a fragment";
        assert_eq!(error("ghost"), format!("ghost: column 6: the line ends, expected {questions}"));
        assert_eq!(error("ghost add"), "ghost: column 10: the line ends, expected a letter, such as Q");
        let nothing = "expected nothing more, since only solve, play and fragments take minlen <n>";
        assert_eq!(error("ghost challenge 3"), format!("ghost: column 17: unexpected \"3\", {nothing}"));
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
        assert_eq!(parameters.player_clocks[Seat::First].clock().map(|clock| (clock.left_ms, clock.increment_ms)), Some((0, 3)));
        assert_eq!(parameters.player_clocks[Seat::Second].left_ms, Some(-5));
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
        let Ok(Some(Command::Position(command))) = parse(r#"position gcg "my turn 3 \"moves\".gcg" turn 7"#) else { panic!() };
        let path = Word { text: "my turn 3 \"moves\".gcg".to_string(), column: 14 };
        assert_eq!(command.base, PositionBase::Gcg { path, turn: Some(7) });
        let Ok(Some(Command::Position(command))) = parse(r#"position record "> moves\n\u00e9" moves pass"#) else { panic!() };
        assert_eq!(command.base, PositionBase::Record { text: Word { text: "> moves\n\u{e9}".to_string(), column: 17 }, turn: None });
        assert_eq!(texts(&command.moves), ["pass"]);
        for line in ["position record", "position record text", "position record \"text", "position record \"\\x\""] {
            assert!(parse(line).is_err(), "{line}");
        }
        let Ok(Some(Command::Position(command))) = parse("position startpos at all moves pass") else { panic!() };
        assert_eq!((texts(&command.unknown), texts(&command.moves)), (vec!["at", "all"], vec!["pass"]));
    }

    #[test]
    fn a_recorded_game_can_be_played_on() {
        for line in ["position gcg 1.gcg turn 7 moves 8D.CAT", "position gcg 1.gcg moves 8D.CAT"] {
            let Ok(Some(Command::Position(command))) = parse(line) else { panic!("{line}") };
            let PositionBase::Gcg { path, .. } = &command.base else { panic!("{line}") };
            assert_eq!((path.text.as_str(), texts(&command.moves)), ("1.gcg", vec!["8D.CAT"]));
        }
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
        fn no_line_panics(line in "(go|position|setoption|name|value|moves|cgp|gcg|record|turn|rack|depth|\"|[ -~]{0,6}|\\PC{0,3}|[ \t\0]){0,12}") {
            let _ = parse(&line);
        }
    }
}
