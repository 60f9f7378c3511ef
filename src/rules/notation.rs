//! Reads and writes plays in the notation of UCGI, SIU and CGP. Examples: `8D.DJINN`,
//! `H11.MAZEY.AEMYZ`, `ex.ABC`, `ex.4`, `pass`, `phony.8D.DJINN`.
//!
//! A coordinate with the number first is across, with the letter first down, as in CGP and GCG. Tiles played through are written as
//! their letters, blanks in small letters, tiles of several characters in brackets. Start with [`parse_move`] and [`play_text`].
//!
//! ```abnf
//! move        = place / exchange / pass / phony
//! place       = coordinate "." tiles ["." [rack] ["." points ["." loss]]]
//! exchange    = "ex." (rack ["." rack] / count)     ; known tiles, or the number of unknown ones
//! pass        = "pass" ["." rack]                   ; also a challenge that failed
//! phony       = "phony." coordinate "." tiles       ; a play that was challenged off
//! coordinate  = row column / column row             ; row first: across; column first: down
//! row         = 1*DIGIT                             ; from 1
//! column      = 1*2ALPHA                            ; A to Z, AA, AB, ...; read in any case
//! tiles       = 1*tile                              ; capital: a tile; small: a blank; in brackets: several characters
//! tile        = LETTER / "[" 2*LETTER "]"
//! rack        = 1*(LETTER / "?" / "[" 2*LETTER "]") ; "?" is a blank; letters in any case
//! points      = ["-"] 1*DIGIT                       ; the challenge bonus that this play earned
//! loss        = 1*DIGIT                             ; not 0: the opponent's wrong challenge cost them their next turn
//! count       = 1*DIGIT
//! ```
//!
//! A move is read in two steps: its form first, field by field, then the meaning of the fields in a position with its alphabet.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::rules::board::{Board, Direction, Square};
use crate::rules::distribution::{LetterDistribution, TileTextError};
use crate::rules::grammar::{GrammarResult, Mismatch, Span, checked, piece, placed_tile, rack_tile, read_all, whole_number};
use crate::rules::play::{Placement, Play};
use crate::rules::position::Position;
use crate::rules::rack::Rack;
use crate::rules::scoring::PlacementError;
use crate::rules::tiles::Placed;
use crate::rules::turn::{Turn, TurnError};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag_no_case, take_till, take_till1, take_while_m_n};
use nom::character::complete::{char, digit1};
use nom::combinator::{cut, eof, map_opt, opt, peek, recognize, verify};
use nom::multi::many0;
use nom::sequence::{preceded, terminated};
use std::str::FromStr;
use thiserror::Error;

/// Challenge points beyond this are refused, so that scores cannot overflow.
const MAX_CHALLENGE_POINTS: i32 = 9_999;

/// A move as written, with what the text says about the rack and a challenge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveText {
    /// What was done.
    pub turn: Turn,
    /// The whole rack before the move, if written.
    pub rack: Option<Rack>,
    /// Points that the player gains by a challenge that failed.
    pub challenge_points: i32,
    /// Whether the opponent lost the next turn by a challenge.
    pub turn_loss: bool,
}

/// Why a text is not a move in a position. Columns count characters of the move from 1.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
#[non_exhaustive]
pub enum MoveError {
    /// The text does not have the form of a move.
    #[error("{text:?} is not a move: write 8D.WORD (across), D8.WORD (down), ex.TILES, ex.N or pass")]
    Syntax {
        /// The text.
        text: String,
        /// The column at which it departs from the form.
        column: usize,
    },
    /// A coordinate off the board.
    #[error("{coord:?} is not a square of this board")]
    BadCoordinate {
        /// The coordinate.
        coord: String,
        /// Its column.
        column: usize,
    },
    /// Text that is not a letter of the alphabet.
    #[error("in {text:?}, {error}")]
    BadTiles {
        /// The whole move.
        text: String,
        /// Where in it, and what.
        error: TileTextError,
    },
    /// Text that is not a number, or a number out of range.
    #[error("{text:?} is not a number in the expected range")]
    BadNumber {
        /// The text.
        text: String,
        /// Its column.
        column: usize,
    },
    /// The text is a move, but the turn is not possible.
    #[error("{text}: {error}")]
    Impossible {
        /// The whole move.
        text: String,
        /// Why not.
        error: TurnError,
    },
}

/// A square and a direction as text: `8D` across, `D8` down.
pub fn coordinate_text(square: Square, direction: Direction) -> String {
    match direction {
        Direction::Across => format!("{}{}", square.row_text(), square.column_text()),
        Direction::Down => format!("{}{}", square.column_text(), square.row_text()),
    }
}

/// Reads `8D` or `D8`, in either case. Rows and columns up to 256 are read, whatever the size of the board.
///
/// ```
/// use tilewright::rules::notation::{coordinate_text, parse_coordinate};
/// use tilewright::rules::{Direction, Square};
///
/// let (square, direction) = parse_coordinate("h11").unwrap();
/// assert_eq!((square, direction), (Square::new(10, 7), Direction::Down));
/// assert_eq!(coordinate_text(square, direction), "H11");
/// ```
pub fn parse_coordinate(text: &str) -> Option<(Square, Direction)> {
    read_all(coordinate::<()>, Span::new(text)).ok()
}

/// A text that is not a square.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{text:?} is not a square: write 8H or H8")]
pub struct SquareTextError {
    text: String,
}

/// Reads a square, `8H` or `H8`, in either case.
impl FromStr for Square {
    type Err = SquareTextError;

    fn from_str(text: &str) -> Result<Square, SquareTextError> {
        parse_coordinate(text).map(|(square, _)| square).ok_or_else(|| SquareTextError { text: text.to_string() })
    }
}

/// The grammar of coordinates, for use in larger grammars.
pub fn coordinate<'a, E>(input: Span<'a>) -> GrammarResult<'a, (Square, Direction), E> {
    let across = (row, column).map(|(row, col)| (Square::new(row, col), Direction::Across));
    let down = (column, row).map(|(col, row)| (Square::new(row, col), Direction::Down));
    alt((across, down)).parse(input)
}

/// A 0-based row, written from 1.
fn row<'a, E>(input: Span<'a>) -> GrammarResult<'a, u8, E> {
    let from_zero = |digits: Span<'_>| digits.text().parse::<u8>().ok()?.checked_sub(1);
    map_opt(digit1, from_zero).parse(input)
}

/// A 0-based column, written in letters: a number in base 26 without a zero.
fn column<'a, E>(input: Span<'a>) -> GrammarResult<'a, u8, E> {
    let letters = take_while_m_n(1, 2, |c: char| c.is_ascii_alphabetic());
    let from_zero = |letters: Span<'_>| {
        let from_one = letters.text().bytes().fold(0, |sum, letter| sum * 26 + usize::from(letter.to_ascii_uppercase() - b'A') + 1);
        u8::try_from(from_one - 1).ok()
    };
    map_opt(letters, from_zero).parse(input)
}

/// A play as text. `board` is the one before the play.
pub fn play_text(play: &Play, board: &Board, distribution: &LetterDistribution) -> String {
    match play {
        Play::Place(placement) => {
            let mut text = coordinate_text(placement.start, placement.direction);
            text.push('.');
            for cell in placement.cells(board) {
                distribution.write_placed(cell, &mut text);
            }
            text
        }
        // Blanks are written as they are on a rack: `?`.
        Play::Exchange(tiles) => format!("ex.{}", tiles.text(distribution)),
        Play::Pass => "pass".to_string(),
    }
}

/// Reads a move in a position. The move is checked against the rules ([`Position::after`]), not against a lexicon.
///
/// ```
/// use std::sync::Arc;
/// use tilewright::rules::{GameRules, Position, Seat};
/// use tilewright::rules::notation::{apply_move, parse_move};
///
/// let start = Position::start(Arc::new(GameRules::english()));
/// let written = parse_move("8D.DJINN", &start)?;
/// let after = apply_move(&start, &written)?;
/// assert_eq!(after.score(Seat::First), 30);
///
/// let error = parse_move("8P.DJINN", &start).unwrap_err();
/// assert_eq!(error.to_string(), "\"8P\" is not a square of this board");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The part of the text that is wrong, or the rule that forbids it.
pub fn parse_move(text: &str, position: &Position) -> Result<MoveText, MoveError> {
    let reading = MoveReading { text, position };
    let written = read_all(written_move, Span::new(text)).map_err(|mismatch| reading.error(mismatch))?;
    let parsed = reading.meaning(&written)?;
    apply_move(position, &parsed).map_err(|error| reading.impossible(error))?;
    Ok(parsed)
}

/// Plays a written move: sets the rack if the text has one, plays, adds challenge points, skips a lost turn.
/// A rack that the text states is known for the turn only ([`Position::state_rack`]).
///
/// # Errors
/// What the rules forbid.
pub fn apply_move(position: &Position, text: &MoveText) -> Result<Position, TurnError> {
    let mover = position.on_turn();
    let mut before = position.clone();
    if let Some(rack) = &text.rack {
        before.state_rack(rack)?;
    }
    let mut after = before.after(&text.turn)?;
    after.adjust_score(mover, text.challenge_points);
    if text.turn_loss {
        after.lose_turn();
    }
    Ok(after)
}

/// The tiles of a main word as a placement on a board.
///
/// # Errors
/// The word runs off the board, or a tile differs from the one on its square.
pub fn placement_of_word(start: Square, direction: Direction, cells: &[Placed], board: &Board) -> Result<Placement, PlacementError> {
    let mut placement = Placement::at(start, direction);
    for (offset, &cell) in cells.iter().enumerate() {
        let square = start.step(direction, offset as isize, board.dim()).ok_or(PlacementError::OffBoard)?;
        placement.push(match board.get(square) {
            // A blank on the board may be written as the letter it stands for.
            Some(there) if there.letter() == cell.letter() => None,
            Some(_) => return Err(PlacementError::Occupied { square }),
            None => Some(cell),
        });
    }
    Ok(placement)
}

/// A move of the right form, divided into its fields.
enum WrittenMove<'a> {
    Place(WrittenPlace<'a>),
    Exchange { tiles: Span<'a>, rack: Option<Span<'a>> },
    ExchangeUnknown { count: Span<'a> },
    Pass { rack: Option<Span<'a>> },
    Phony { coordinate: Span<'a>, tiles: Span<'a> },
}

/// The fields of tiles on the board.
struct WrittenPlace<'a> {
    coordinate: Span<'a>,
    tiles: Span<'a>,
    /// Present but empty if only a later field has text.
    rack: Option<Span<'a>>,
    points: Option<Span<'a>>,
    loss: Option<Span<'a>>,
}

fn written_move(input: Span<'_>) -> GrammarResult<'_, WrittenMove<'_>, MoveError> {
    alt((pass, exchange, phony, place)).parse(input)
}

fn pass(input: Span<'_>) -> GrammarResult<'_, WrittenMove<'_>, MoveError> {
    let (rest, rack) = preceded(keyword("pass"), opt(next_field)).parse(input)?;
    Ok((rest, WrittenMove::Pass { rack }))
}

fn exchange(input: Span<'_>) -> GrammarResult<'_, WrittenMove<'_>, MoveError> {
    // A field that begins with a digit is a number, unless a rack follows.
    let count = terminated(preceded(peek(digit1), field), eof).map(|count| WrittenMove::ExchangeUnknown { count });
    let tiles = (field, opt(next_field)).map(|(tiles, rack)| WrittenMove::Exchange { tiles, rack });
    preceded(keyword("ex"), cut(preceded(char('.'), alt((count, tiles))))).parse(input)
}

fn phony(input: Span<'_>) -> GrammarResult<'_, WrittenMove<'_>, MoveError> {
    let fields = (preceded(char('.'), coordinate_field), preceded(char('.'), field));
    let (rest, (coordinate, tiles)) = preceded(keyword("phony"), cut(fields)).parse(input)?;
    Ok((rest, WrittenMove::Phony { coordinate, tiles }))
}

fn place(input: Span<'_>) -> GrammarResult<'_, WrittenMove<'_>, MoveError> {
    let (rest, coordinate) = coordinate_field(input)?;
    let (rest, tiles) = preceded(char('.'), field).parse(rest)?;
    let (rest, (rack, points, loss)) = (opt(next_field), opt(next_field), opt(next_field)).parse(rest)?;
    Ok((rest, WrittenMove::Place(WrittenPlace { coordinate, tiles, rack, points, loss })))
}

/// A first field that is this word, in either case.
fn keyword<'a>(word: &'static str) -> impl Parser<Span<'a>, Output = Span<'a>, Error = Mismatch<'a, MoveError>> {
    terminated(tag_no_case(word), peek(alt((recognize(char('.')), eof))))
}

/// A field that is not empty.
fn field(input: Span<'_>) -> GrammarResult<'_, Span<'_>, MoveError> {
    take_till1(|c| c == '.').parse(input)
}

/// The field after a dot, which may be empty.
fn next_field(input: Span<'_>) -> GrammarResult<'_, Span<'_>, MoveError> {
    preceded(char('.'), take_till(|c| c == '.')).parse(input)
}

/// A field that is meant as a coordinate: it begins with a letter or a digit, and contains a digit.
fn coordinate_field(input: Span<'_>) -> GrammarResult<'_, Span<'_>, MoveError> {
    let is_meant = |field: &Span<'_>| {
        field.text().starts_with(|c: char| c.is_ascii_alphanumeric()) && field.text().contains(|c: char| c.is_ascii_digit())
    };
    verify(field, is_meant).parse(input)
}

/// Reads the meaning of a move's fields in a position.
struct MoveReading<'p> {
    /// The whole move, for messages.
    text: &'p str,
    position: &'p Position,
}

impl MoveReading<'_> {
    fn meaning(&self, written: &WrittenMove<'_>) -> Result<MoveText, MoveError> {
        let plain = |turn, rack| MoveText { turn, rack, challenge_points: 0, turn_loss: false };
        let rack_of = |field: &Option<Span<'_>>| field.map(|field| self.rack(field)).transpose();
        match written {
            WrittenMove::Place(written) => self.place(written),
            WrittenMove::Exchange { tiles, rack } => Ok(plain(Turn::Play(Play::Exchange(self.rack(*tiles)?)), rack_of(rack)?)),
            WrittenMove::ExchangeUnknown { count } => {
                let count = count.text().parse().map_err(|_| bad_number(*count))?;
                Ok(plain(Turn::ExchangeUnknown(count), None))
            }
            WrittenMove::Pass { rack } => Ok(plain(Turn::Play(Play::Pass), rack_of(rack)?)),
            WrittenMove::Phony { coordinate, tiles } => Ok(plain(Turn::Phony(self.placement(*coordinate, *tiles)?), None)),
        }
    }

    fn place(&self, written: &WrittenPlace<'_>) -> Result<MoveText, MoveError> {
        let placement = self.placement(written.coordinate, written.tiles)?;
        let number = |field: Option<Span<'_>>| match field {
            Some(field) => {
                read_all(whole_number::<i32, ()>(-MAX_CHALLENGE_POINTS..=MAX_CHALLENGE_POINTS), field).map_err(|_| bad_number(field))
            }
            None => Ok(0),
        };
        let rack = written.rack.filter(|field| !field.is_empty()).map(|field| self.rack(field)).transpose()?;
        let challenge_points = number(written.points)?;
        let turn_loss = number(written.loss)? != 0;
        Ok(MoveText { turn: Turn::Play(Play::Place(placement)), rack, challenge_points, turn_loss })
    }

    fn placement(&self, coordinate_field: Span<'_>, tiles: Span<'_>) -> Result<Placement, MoveError> {
        let board = self.position.board();
        let on_board = |(start, _): &(Square, Direction)| [start.row, start.col].iter().all(|&at| usize::from(at) < board.dim());
        let read = read_all(verify(coordinate::<()>, on_board), coordinate_field);
        let bad_coordinate =
            |_| MoveError::BadCoordinate { coord: coordinate_field.text().to_string(), column: coordinate_field.place().column };
        let (start, direction) = read.map_err(bad_coordinate)?;
        let tile = checked(piece, |piece| placed_tile(piece, self.distribution()).ok_or_else(|| self.bad_tile(piece)));
        let cells = read_all(many0(tile), tiles).map_err(|mismatch| self.error(mismatch))?;
        placement_of_word(start, direction, &cells, board).map_err(|error| self.impossible(error.into()))
    }

    fn rack(&self, field: Span<'_>) -> Result<Rack, MoveError> {
        let tile = checked(piece, |piece| rack_tile(piece, self.distribution()).ok_or_else(|| self.bad_tile(piece)));
        let tiles = read_all(many0(tile), field).map_err(|mismatch| self.error(mismatch))?;
        let (found, rack_size) = (tiles.len(), self.position.rules().rack_size);
        // Checked before the tiles are counted, since a rack counts in bytes.
        if found > rack_size {
            return Err(self.impossible(TurnError::TooManyTiles { found, rack_size }));
        }
        Ok(tiles.into_iter().collect())
    }

    fn distribution(&self) -> &LetterDistribution {
        &self.position.rules().distribution
    }

    fn error(&self, mismatch: Mismatch<'_, MoveError>) -> MoveError {
        match mismatch {
            Mismatch::Form { found, .. } => MoveError::Syntax { text: self.text.to_string(), column: found.place().column },
            Mismatch::Meaning(error) => error,
        }
    }

    fn impossible(&self, error: TurnError) -> MoveError {
        MoveError::Impossible { text: self.text.to_string(), error }
    }

    fn bad_tile(&self, piece: Span<'_>) -> MoveError {
        let (column, found, alphabet) = (piece.place().column, piece.text().to_string(), self.distribution().name().to_string());
        MoveError::BadTiles { text: self.text.to_string(), error: TileTextError { column, found, alphabet } }
    }
}

fn bad_number(field: Span<'_>) -> MoveError {
    MoveError::BadNumber { text: field.text().to_string(), column: field.place().column }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{cgp, layout, letter_distribution};
    use crate::rules::{GameRules, Seat};
    use proptest::prelude::*;
    use std::sync::Arc;

    const VICAR: &str = "15/15/15/15/15/15/15/3vICAR7/15/15/15/15/15/15/15 BDEENRS/ 28/0 0";

    fn vicar() -> Position {
        cgp::parse(VICAR, &GameRules::english()).unwrap().position
    }

    #[test]
    fn coordinates_are_read_in_either_case_and_written_in_capitals() {
        for (text, row, col, direction) in [
            ("8D", 7, 3, Direction::Across),
            ("D8", 7, 3, Direction::Down),
            ("1A", 0, 0, Direction::Across),
            ("O15", 14, 14, Direction::Down),
            ("21U", 20, 20, Direction::Across),
            ("AA1", 0, 26, Direction::Down),
        ] {
            let square = Square::new(row, col);
            assert_eq!(parse_coordinate(text), Some((square, direction)), "{text}");
            assert_eq!(parse_coordinate(&text.to_lowercase()), Some((square, direction)), "{text}");
            assert_eq!(coordinate_text(square, direction), text);
        }
        for text in ["", "8", "D", "0A", "A0", "8D8", "D8D", "-8D", "8 D", "8É", "256A", "99999999999A", "AAA1", "ZZ1", "8.D"] {
            assert_eq!(parse_coordinate(text), None, "{text}");
        }
    }

    #[test]
    fn moves_are_written_as_they_are_read() {
        let position = vicar();
        for (text, written) in [
            ("8D.vICARS", "8D.vICARS"),
            ("8d.VICARS", "8D.vICARS"),
            ("h8.REND", "H8.REND"),
            ("pass", "pass"),
            ("PASS", "pass"),
            ("ex.SNEB", "ex.BENS"),
            ("Ex.BDEENRS", "ex.BDEENRS"),
        ] {
            let Turn::Play(play) = parse_move(text, &position).unwrap_or_else(|error| panic!("{error}")).turn else { panic!() };
            let again = play_text(&play, position.board(), &position.rules().distribution);
            assert_eq!(again, written, "{text}");
            assert_eq!(parse_move(&again, &position).unwrap().turn, Turn::Play(play));
        }
    }

    #[test]
    fn a_placed_blank_is_written_small() {
        let position = cgp::parse(&VICAR.replace("BDEENRS", "BD?ENRS"), &GameRules::english()).unwrap().position;
        let Turn::Play(play) = parse_move("H8.ReND", &position).unwrap().turn else { panic!() };
        assert_eq!(play_text(&play, position.board(), &position.rules().distribution), "H8.ReND");
        let Turn::Play(play) = parse_move("ex.?b", &position).unwrap().turn else { panic!() };
        assert_eq!(play_text(&play, position.board(), &position.rules().distribution), "ex.B?");
    }

    #[test]
    fn the_optional_fields_are_read() {
        let position = vicar();
        let full = parse_move("H8.REND.BDEENRS.5.1", &position).unwrap();
        assert_eq!(full.rack.unwrap().len(), 7);
        assert_eq!((full.challenge_points, full.turn_loss), (5, true));
        let after = apply_move(&position, &full).unwrap();
        assert_eq!((after.score(Seat::First), after.on_turn(), after.zero_turns()), (38, Seat::First, 1));
        assert!(after.rack(Seat::First).is_empty(), "what the text says of the rack is not used against the player");

        let bare = parse_move("H8.REND..-10", &position).unwrap();
        assert_eq!((bare.rack, bare.challenge_points, bare.turn_loss), (None, -10, false));
        assert_eq!(parse_move("ex.3", &position).unwrap().turn, Turn::ExchangeUnknown(3));
        assert_eq!(parse_move("ex.BD.BDEENRS", &position).unwrap().rack.unwrap().len(), 7);
        assert_eq!(parse_move("pass.BDEENRS", &position).unwrap().rack.unwrap().len(), 7);
        let phony = parse_move("phony.8D.vICARS", &position).unwrap();
        assert!(matches!(phony.turn, Turn::Phony(_)));
        let after = apply_move(&position, &phony).unwrap();
        assert_eq!((after.board(), after.score(Seat::First), after.on_turn()), (position.board(), 28, Seat::Second));
    }

    #[test]
    fn tiles_in_brackets_and_blanks_of_them_are_read() {
        let tiles = letter_distribution::parse("mini", "?,?,1,0,0\nA,a,6,1,1\nCH,ch,6,5,0\n").unwrap();
        let rules = GameRules::standard(Arc::new(tiles), Arc::new(layout::parse("3", "=.=\n.*.\n=.=").unwrap()));
        let position = Position::start(Arc::new(rules));
        let Turn::Play(play) = parse_move("2A.[CH]A[ch]", &position).unwrap().turn else { panic!() };
        assert_eq!(play_text(&play, position.board(), &position.rules().distribution), "2A.[CH]A[ch]");
        assert_eq!(
            parse_move("2A.[CH", &position).unwrap_err().to_string(),
            "in \"2A.[CH\", column 4: \"[\" is not a tile of the mini alphabet"
        );
    }

    #[test]
    fn errors_name_the_part_that_is_wrong() {
        let position = vicar();
        let message = |text: &str| parse_move(text, &position).unwrap_err().to_string();
        let syntax = |text: &str| format!("{text:?} is not a move: write 8D.WORD (across), D8.WORD (down), ex.TILES, ex.N or pass");
        for text in ["", ".", "8D", "8D.", "ex", "ex.", "pass.A.B", "phony.8D", "hello.AB", "8D.AB.C.5.1.9", "-8D.AB", "ex..AB"] {
            assert_eq!(message(text), syntax(text));
        }
        assert_eq!(message("16A.AT"), "\"16A\" is not a square of this board");
        assert_eq!(message("8Z.AT"), "\"8Z\" is not a square of this board");
        assert_eq!(message("99999999999999999999A.AT"), "\"99999999999999999999A\" is not a square of this board");
        assert_eq!(message("8D.vICAR5"), "in \"8D.vICAR5\", column 9: \"5\" is not a tile of the english alphabet");
        assert_eq!(message("ex.4x"), "\"4x\" is not a number in the expected range");
        assert_eq!(message("ex.99999999999999999999"), "\"99999999999999999999\" is not a number in the expected range");
        assert_eq!(message("H8.REND..five"), "\"five\" is not a number in the expected range");
        assert_eq!(message("1A.AT"), "1A.AT: the play touches no tile on the board");
        assert_eq!(message("8D.vICARX"), "8D.vICARX: there is no X for this play: it is not on the rack");
        assert_eq!(message("ex.8"), "ex.8: 8 tiles, a rack holds 7");
        assert_eq!(message("ex.Q"), "ex.Q: there is no Q for this play: it is not on the rack");
    }

    /// Racks count in bytes and scores in 32 bits: a text must not be able to overflow them.
    #[test]
    fn enormous_racks_and_points_are_refused() {
        let position = vicar();
        let many = "E".repeat(300);
        for text in [format!("ex.{many}"), format!("pass.{many}"), format!("H8.REND.{many}")] {
            assert!(parse_move(&text, &position).unwrap_err().to_string().ends_with("300 tiles, a rack holds 7"));
        }
        assert_eq!(
            parse_move("H8.REND..2147483647", &position).unwrap_err().to_string(),
            "\"2147483647\" is not a number in the expected range"
        );
        assert!(parse_move(&format!("8D.{many}"), &position).is_err());
    }

    #[test]
    fn a_main_word_becomes_a_placement_on_a_board() {
        let position = vicar();
        let cells = position.rules().distribution.parse_placed("VICARS").unwrap();
        let placement = placement_of_word(Square::new(7, 3), Direction::Across, &cells, position.board()).unwrap();
        assert_eq!(placement.tile_count(), 1);
        assert_eq!(placement_of_word(Square::new(7, 4), Direction::Across, &cells, position.board()).ok(), None);
        assert_eq!(placement_of_word(Square::new(0, 12), Direction::Across, &cells, position.board()).ok(), None);
    }

    proptest! {
        #[test]
        fn coordinates_are_read_back(row in 0..255u8, col: u8, down: bool) {
            let square = (Square::new(row, col), Direction::ALL[usize::from(down)]);
            prop_assert_eq!(parse_coordinate(&coordinate_text(square.0, square.1)), Some(square));
        }

        /// First plays of some tiles of a rack with a blank, exchanges of them, the pass.
        #[test]
        fn plays_are_read_back(
            tiles in Just("BDE?NRS".chars().collect::<Vec<_>>()).prop_shuffle(),
            count in 1..=7usize,
            before in 0..7usize,
            down: bool,
            kind in 0..3usize,
        ) {
            let rules = GameRules::english();
            let rack: Rack = rules.distribution.parse_tiles("BDE?NRS").unwrap().into_iter().collect();
            let text: String = tiles[..count].iter().collect();
            let played = match kind {
                0 => Play::Pass,
                1 => Play::Exchange(rules.distribution.parse_tiles(&text).unwrap().into_iter().collect()),
                _ => {
                    let cells = rules.distribution.parse_placed(&text.replace('?', "q")).unwrap();
                    let cells: Vec<Option<Placed>> = cells.into_iter().map(Some).collect();
                    let at = 7 - before.min(count - 1);
                    let start = if down { Square::at(at, 7) } else { Square::at(7, at) };
                    Play::Place(Placement::new(start, Direction::ALL[usize::from(down)], &cells))
                }
            };
            let mut position = Position::start(Arc::new(rules));
            position.set_rack(Seat::First, &rack).unwrap();
            let written = play_text(&played, position.board(), &position.rules().distribution);
            let is_single = matches!(played, Play::Place(placement) if placement.tile_count() == 1);
            match parse_move(&written, &position) {
                Ok(read) => prop_assert_eq!(read.turn, Turn::Play(played)),
                Err(error) => prop_assert!(is_single, "{}", error),
            }
        }

        #[test]
        fn any_text_is_refused_or_played_without_panic(
            text in "(([0-9]{1,3}[A-Za-z]{1,2}|[A-Za-z]{1,2}[0-9]{1,3}|ex|pass|phony|rack)[.])?[A-Za-z?.0-9\\[\\]é-]{0,24}"
        ) {
            let position = vicar();
            if let Ok(parsed) = parse_move(&text, &position) {
                let _ = apply_move(&position, &parsed).unwrap();
            }
        }
    }
}
