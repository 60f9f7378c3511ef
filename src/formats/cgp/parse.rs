//! Reads a CGP.
//!
//! ```abnf
//! cgp        = board blanks racks blanks scores blanks zero-turns [blanks operations]
//! board      = row *("/" row)                        ; as many rows as the layout has
//! row        = *(gap / tile)                         ; as many squares as the layout has columns
//! gap        = 1*DIGIT                               ; that many empty squares
//! tile       = LETTER / "[" 2*LETTER "]"             ; capital: a tile; small: a blank
//! racks      = rack "/" rack
//! rack       = *(LETTER / "?" / "[" 2*LETTER "]")    ; letters in any case
//! scores     = score "/" score
//! score      = ["-"] 1*DIGIT
//! zero-turns = 1*DIGIT
//! operations = [operation] *(";" [operation])
//! operation  = ["-"] opcode [blanks operand]
//! ```
//!
//! The opcodes are read before the board, since they say whether the opponent's rack counts. Not here: what the opcodes
//! mean ([`Opcodes`]), and whether the parts form a position ([`Position::builder`]).

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::formats::cgp::types::{Cgp, CgpError, Opcodes, parse_challenge_rule};
use crate::rules::board::{Board, Square};
use crate::rules::distribution::LetterDistribution;
use crate::rules::grammar::{GrammarResult, Span, checked, expect, piece, placed_tile, rack_tile, read_all, refuse, whole_number, word};
use crate::rules::rack::Rack;
use crate::rules::tiles::{Placed, Tile};
use crate::rules::{Countdown, GameRules, Position, Variant};
use nom::branch::alt;
use nom::bytes::complete::take_till;
use nom::character::complete::{char, digit1};
use nom::combinator::{all_consuming, rest};
use nom::multi::{many0, separated_list1};
use nom::sequence::separated_pair;
use nom::{Input, Parser};
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::sync::Arc;

/// Scores and bonuses beyond this are refused, so that sums of them fit everywhere.
const MAX_POINTS: i32 = 999_999;

/// Milliseconds beyond this are refused, on a clock as in an increment.
const MAX_MS: i64 = i32::MAX as i64;

/// Reads the opcodes alone, to choose letter distribution and layout before [`parse`].
/// The second value names the unknown ones.
///
/// # Errors
/// Fewer than four fields before them, or an opcode with a wrong operand.
pub fn parse_opcodes(text: &str) -> Result<(Opcodes, Vec<String>), CgpError> {
    let operations = locate_opcodes(text)?;
    Ok((operations.opcodes, texts(&operations.ignored)))
}

/// The same, with the places of what the caller has to understand.
///
/// # Errors
/// Those of [`parse_opcodes`].
pub(crate) fn locate_opcodes(text: &str) -> Result<CgpOperations<'_>, CgpError> {
    read_operations(CgpFields::of(text)?.operations)
}

/// The operations of a CGP, with the places of what the caller has to understand.
pub(crate) struct CgpOperations<'a> {
    /// The opcodes.
    pub(crate) opcodes: Opcodes,
    /// The name after `ld`.
    pub(crate) letter_distribution: Option<Span<'a>>,
    /// The name after `bdn`.
    pub(crate) board_name: Option<Span<'a>>,
    /// Names of unknown opcodes, in their order.
    pub(crate) ignored: Vec<Span<'a>>,
}

fn texts(spans: &[Span<'_>]) -> Vec<String> {
    spans.iter().map(|span| span.text().to_string()).collect()
}

/// Reads a position. `rules` provide what the opcodes leave open, the letter distribution and the layout.
///
/// An empty rack is an unknown one. With `oru` the opponent's rack is read and dropped.
///
/// # Errors
/// The place of an error, the text found there, and what was expected.
pub fn parse(text: &str, rules: &GameRules) -> Result<Cgp, CgpError> {
    let fields = CgpFields::of(text)?;
    let CgpOperations { opcodes, ignored, .. } = read_operations(fields.operations)?;
    let rules = opcodes.apply(rules).map_err(|error| CgpError::Rules { place: fields.operations.trim().place(), error })?;
    let mut used = UsedTiles { distribution: &rules.distribution, tiles: Rack::EMPTY };
    let board = read_board(fields.board, rules.layout.dim(), &mut used)?;
    let [own, other] = two_players(fields.racks, "racks")?;
    let own = read_rack(own, rules.rack_size, &mut used)?;
    let other = if opcodes.opponent_rack_unknown {
        // Read for its errors only: its tiles may be anywhere.
        read_rack(other, rules.rack_size, &mut UsedTiles { tiles: Rack::EMPTY, ..used })?;
        Rack::EMPTY
    } else {
        read_rack(other, rules.rack_size, &mut used)?
    };
    let score = |text| read_number(text, -MAX_POINTS..=MAX_POINTS, "a score from -999999 to 999999");
    let [own_score, other_score] = two_players(fields.scores, "scores")?;
    let scores = [score(own_score)?, score(other_score)?];
    let zero_turns = read_number(fields.zero_turns, 0..=9_999, "a number of turns without points from 0 to 9999")?;
    let countdown = Countdown { zero_turns, last_turns: opcodes.last_turns };
    let position = Position::of_parts(Arc::new(rules), board, [own, other], scores, countdown)?;
    Ok(Cgp { position, opcodes, ignored: texts(&ignored) })
}

/// The four fields and the rest.
struct CgpFields<'a> {
    board: Span<'a>,
    racks: Span<'a>,
    scores: Span<'a>,
    zero_turns: Span<'a>,
    operations: Span<'a>,
}

impl<'a> CgpFields<'a> {
    fn of(text: &'a str) -> Result<CgpFields<'a>, CgpError> {
        let field = |expected| refuse(word, move |end: Span<'_>| CgpError::Missing { place: end.place(), expected });
        let fields = (field("board"), field("racks"), field("scores"), field("number of turns without points"), rest);
        let (board, racks, scores, zero_turns, operations) = read_all(fields, Span::new(text).trim_end())?;
        Ok(CgpFields { board, racks, scores, zero_turns, operations })
    }
}

/// The text up to the next slash.
fn part(input: Span<'_>) -> GrammarResult<'_, Span<'_>, CgpError> {
    take_till(|c| c == '/').parse(input)
}

/// The parts of a field for the player on turn and the other one.
fn two_players<'a>(field: Span<'a>, name: &'static str) -> Result<[Span<'a>; 2], CgpError> {
    match read_all(separated_pair(part, char('/'), part), field) {
        Ok((own, other)) => Ok([own, other]),
        Err(_) => Err(CgpError::PlayerCount { place: field.place(), field: name, found: field.text().split('/').count() }),
    }
}

fn read_number<N: FromStr + PartialOrd>(field: Span<'_>, bounds: RangeInclusive<N>, expected: &'static str) -> Result<N, CgpError> {
    Ok(read_all(expect(expected, all_consuming(whole_number(bounds))), field)?)
}

/// The tiles read so far, at most as many of each as the game has.
struct UsedTiles<'a> {
    distribution: &'a LetterDistribution,
    tiles: Rack,
}

impl UsedTiles<'_> {
    fn take(&mut self, tile: Tile, piece: Span<'_>) -> Result<(), CgpError> {
        let expected = self.distribution.count(tile);
        if self.tiles.count(tile) >= expected {
            return Err(CgpError::TooManyOfTile {
                place: piece.place(),
                tile: self.distribution.tiles_text([tile]),
                found: expected as usize + 1,
                expected: expected as usize,
            });
        }
        self.tiles.add(tile);
        Ok(())
    }
}

fn bad_tile(piece: Span<'_>, distribution: &LetterDistribution) -> CgpError {
    CgpError::BadTile { place: piece.place(), found: piece.shortened(), alphabet: distribution.name().to_string() }
}

/// What a row lists.
enum RowItem<'a> {
    /// A number of empty squares.
    Gap(usize),
    /// A tile, and how it is written.
    Tile(Placed, Span<'a>),
}

fn row_items<'a>(row: Span<'a>, dim: usize, distribution: &LetterDistribution) -> Result<Vec<RowItem<'a>>, CgpError> {
    let gap = checked(digit1, |digits: Span<'_>| {
        let squares = digits.text().parse().ok().filter(|squares| (1..=dim).contains(squares));
        let bad_gap = || CgpError::BadGap { place: digits.place(), found: digits.shortened(), expected: dim };
        squares.map(RowItem::Gap).ok_or_else(bad_gap)
    });
    let tile = checked(piece, |piece| match placed_tile(piece, distribution) {
        Some(tile) => Ok(RowItem::Tile(tile, piece)),
        None => Err(bad_tile(piece, distribution)),
    });
    Ok(read_all(many0(alt((gap, tile))), row)?)
}

fn read_board(field: Span<'_>, dim: usize, used: &mut UsedTiles<'_>) -> Result<Board, CgpError> {
    let rows = read_all(separated_list1(char('/'), part), field)?;
    if rows.len() != dim {
        let place = rows.get(dim).map_or(field.end(), |extra| extra.place());
        return Err(CgpError::RowCount { place, found: rows.len(), expected: dim });
    }
    let mut board = Board::empty(dim);
    for (row, text) in rows.into_iter().enumerate() {
        let mut col = 0;
        for item in row_items(text, dim, used.distribution)? {
            match item {
                RowItem::Gap(squares) => col += squares,
                RowItem::Tile(tile, piece) => {
                    // A row that is too long is read to its end, so that its error can state its length.
                    if col < dim {
                        used.take(tile.rack_tile(), piece)?;
                        board.set(Square::at(row, col), Some(tile));
                    }
                    col += 1;
                }
            }
        }
        if col != dim {
            return Err(CgpError::RowWidth { place: text.place(), row: row + 1, found: col, expected: dim });
        }
    }
    Ok(board)
}

fn read_rack(field: Span<'_>, rack_size: usize, used: &mut UsedTiles<'_>) -> Result<Rack, CgpError> {
    let pieces = read_all(many0(piece), field)?;
    if pieces.len() > rack_size {
        return Err(CgpError::RackTooLong { place: field.place(), found: pieces.len(), expected: rack_size });
    }
    let mut rack = Rack::EMPTY;
    for piece in pieces {
        let tile = rack_tile(piece, used.distribution).ok_or_else(|| bad_tile(piece, used.distribution))?;
        used.take(tile, piece)?;
        rack.add(tile);
    }
    Ok(rack)
}

/// One operation: an opcode with the text after it.
struct Operation<'a> {
    /// The opcode as written, with its place.
    name: Span<'a>,
    opcode: &'static str,
    operand: Span<'a>,
}

impl Operation<'_> {
    fn bad(&self, expected: &'static str) -> CgpError {
        CgpError::BadOperand { place: self.operand.place(), opcode: self.opcode, found: self.operand.shortened(), expected }
    }

    fn word(&self, expected: &'static str) -> Result<String, CgpError> {
        let text = read_all(word::<()>, self.operand).map_err(|_| self.bad(expected))?;
        Ok(text.text().to_string())
    }

    fn number<N: FromStr + PartialOrd>(&self, bounds: RangeInclusive<N>, expected: &'static str) -> Result<N, CgpError> {
        read_all(whole_number::<N, ()>(bounds), self.operand).map_err(|_| self.bad(expected))
    }

    fn milliseconds(&self) -> Result<i64, CgpError> {
        self.number(0..=MAX_MS, "milliseconds from 0 to 2147483647")
    }

    fn clocks(&self) -> Result<[i64; 2], CgpError> {
        let [own, other] = two_players(self.operand, "clocks")?;
        let clock = |text| read_number(text, -MAX_MS..=MAX_MS, "milliseconds on a clock");
        Ok([clock(own)?, clock(other)?])
    }

    fn put<T>(&self, slot: &mut Option<T>, value: T) -> Result<(), CgpError> {
        if slot.replace(value).is_some() {
            return Err(CgpError::Repeated { place: self.name.place(), opcode: self.opcode });
        }
        Ok(())
    }
}

const OPCODES: [&str; 15] = ["bb", "bdn", "cr", "etl", "gid", "ld", "lex", "lm", "lt", "mcnz", "oru", "ti", "tmr", "to", "var"];

fn read_operations(text: Span<'_>) -> Result<CgpOperations<'_>, CgpError> {
    let operations = read_all(separated_list1(char(';'), take_till(|c| c == ';')), text)?;
    let (mut opcodes, mut ignored) = (Opcodes::default(), Vec::new());
    let (mut letter_distribution, mut board_name) = (None, None);
    let mut unknown_rack = None;
    for operation in operations {
        let Ok((operand, name)) = word::<()>(operation) else { continue };
        // A lone dash is an unknown opcode.
        let plain = if name.text().starts_with('-') && name.text() != "-" { name.take_from(1) } else { name };
        let Some(opcode) = OPCODES.into_iter().find(|opcode| opcode.eq_ignore_ascii_case(plain.text())) else {
            ignored.push(plain);
            continue;
        };
        let it = Operation { name, opcode, operand: operand.trim() };
        match opcode {
            "bb" => it.put(&mut opcodes.bingo_bonus, it.number(0..=MAX_POINTS, "points from 0 to 999999")?)?,
            "bdn" => {
                it.put(&mut opcodes.board_name, it.word("the name of a board, one word")?)?;
                board_name = Some(it.operand);
            }
            "cr" => {
                let rule = parse_challenge_rule(it.operand.text()).ok_or_else(|| it.bad("void, single, double, triple, 5pt or 10pt"))?;
                it.put(&mut opcodes.challenge_rule, rule)?;
            }
            "etl" => it.put(&mut opcodes.exchange_limit, it.number(0..=9_999, "a number of tiles from 0 to 9999")?)?,
            "gid" => it.put(&mut opcodes.game_id, it.word("an id, one word")?)?,
            "ld" => {
                it.put(&mut opcodes.letter_distribution, it.word("the name of a letter distribution, one word")?)?;
                letter_distribution = Some(it.operand);
            }
            "lex" => it.put(&mut opcodes.lexicon, it.word("the name of a lexicon, one word")?)?,
            "lm" if it.operand.is_empty() => return Err(it.bad("a move")),
            "lm" => it.put(&mut opcodes.last_move, it.operand.text().to_string())?,
            "lt" => it.put(&mut opcodes.last_turns, it.number(0..=2, "a number of turns from 0 to 2")?)?,
            "mcnz" => it.put(&mut opcodes.max_zero_turns, it.number(1..=9_999, "a number of turns from 1 to 9999")?)?,
            "oru" if !it.operand.is_empty() => return Err(it.bad("nothing")),
            "oru" => it.put(&mut unknown_rack, ())?,
            "ti" => it.put(&mut opcodes.timer_increment_ms, it.milliseconds()?)?,
            "tmr" => it.put(&mut opcodes.timers_ms, it.clocks()?)?,
            "to" => it.put(&mut opcodes.max_overtime_ms, it.milliseconds()?)?,
            _ => {
                let variant = Variant::from_name(it.operand.text()).ok_or_else(|| it.bad(Variant::NAMES))?;
                it.put(&mut opcodes.variant, variant)?;
            }
        }
    }
    opcodes.opponent_rack_unknown = unknown_rack.is_some();
    Ok(CgpOperations { opcodes, letter_distribution, board_name, ignored })
}
