//! Plays as text: the notation of UCGI, SIU and CGP (`8D.DJINN`, `H11.MAZEY.AEMYZ`, `ex.ABC`, `ex.4`, `pass`, `phony.8D.DJINN`).
//!
//! Number first is across, letter first down, as in CGP and GCG. Tiles played through are written as the letters they are,
//! blanks in small letters, tiles of several characters in brackets. Start with [`parse_move`] and [`play_text`].

use crate::rules::board::{Board, Direction, Square};
use crate::rules::distribution::{LetterDistribution, TileTextError};
use crate::rules::game::{Position, Turn, TurnError};
use crate::rules::play::{Placement, Play};
use crate::rules::rack::Rack;
use crate::rules::scoring::PlacementError;
use crate::rules::tiles::Placed;
use thiserror::Error;

/// A move as written, with what the text says about the rack and a challenge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveText {
    /// What was done.
    pub turn: Turn,
    /// The whole rack before the move, if written.
    pub rack: Option<Rack>,
    /// Points for having been challenged in vain.
    pub challenge_points: i32,
    /// Whether the opponent lost the next turn by a challenge.
    pub turn_loss: bool,
}

/// Why a text is no move here.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
pub enum MoveError {
    /// Not of the form.
    #[error("{text:?} is not a move: write 8D.WORD (across), D8.WORD (down), ex.TILES, ex.N or pass")]
    Syntax {
        /// The text.
        text: String,
    },
    /// A coordinate off the board.
    #[error("{coord:?} is not a square of this board")]
    BadCoordinate {
        /// The coordinate.
        coord: String,
    },
    /// A letter that is none.
    #[error("in {text:?}, {error}")]
    BadTiles {
        /// The whole move.
        text: String,
        /// Where and what.
        error: TileTextError,
    },
    /// A number that is none, or out of range.
    #[error("{text:?} is not a number of the expected size")]
    BadNumber {
        /// The text.
        text: String,
    },
    /// Possible text, impossible turn.
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
    let mut column = String::new();
    let mut rest = square.col as usize + 1;
    while rest > 0 {
        column.insert(0, (b'A' + ((rest - 1) % 26) as u8) as char);
        rest = (rest - 1) / 26;
    }
    match direction {
        Direction::Across => format!("{}{column}", square.row + 1),
        Direction::Down => format!("{column}{}", square.row + 1),
    }
}

/// Reads `8D` or `D8`, in either case; the square need not be on a board of a particular size below 256 rows.
pub fn parse_coordinate(text: &str) -> Option<(Square, Direction)> {
    let number_first = text.starts_with(|c: char| c.is_ascii_digit());
    let split = text.find(|c: char| c.is_ascii_digit() != number_first)?;
    let (first, second) = text.split_at(split);
    let (row, column, direction) = if number_first { (first, second, Direction::Across) } else { (second, first, Direction::Down) };
    if column.is_empty() || column.len() > 2 || !column.bytes().all(|b| b.is_ascii_alphabetic()) {
        return None;
    }
    let col = column.bytes().fold(0usize, |sum, b| sum * 26 + (b.to_ascii_uppercase() - b'A') as usize + 1) - 1;
    let row: u8 = row.parse().ok().filter(|&row| row > 0)?;
    Some((Square::new(row as usize - 1, u8::try_from(col).ok()? as usize), direction))
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
        Play::Exchange(tiles) => {
            // Blanks are written as they are on a rack; `?` is the blank in an exchange.
            format!("ex.{}", tiles.text(distribution))
        }
        Play::Pass => "pass".to_string(),
    }
}

/// Reads a move in a position. The move is checked against the rules ([`Position::after`]), not against a lexicon.
///
/// # Errors
/// The part of the text that is wrong, or the rule that forbids it.
pub fn parse_move(text: &str, position: &Position) -> Result<MoveText, MoveError> {
    let parsed = parse_move_syntax(text, position)?;
    let impossible = |error| MoveError::Impossible { text: text.to_string(), error };
    apply_move(position, &parsed).map_err(impossible)?;
    Ok(parsed)
}

/// Plays a written move: sets the rack if the text has one, plays, adds challenge points, skips a lost turn.
/// What the mover kept of a rack that the text stated is forgotten: it is not to be used against him.
///
/// # Errors
/// What the rules forbid.
pub fn apply_move(position: &Position, text: &MoveText) -> Result<Position, TurnError> {
    let mover = position.on_turn();
    let mut before = position.clone();
    if let Some(rack) = &text.rack {
        before.set_rack(mover, rack)?;
    }
    let mut after = before.after(&text.turn)?;
    if text.rack.is_some() && after.end().is_none() {
        after.set_rack(mover, &Rack::EMPTY)?;
    }
    after.adjust_score(mover, text.challenge_points);
    if text.turn_loss {
        after.lose_turn();
    }
    Ok(after)
}

fn parse_move_syntax(text: &str, position: &Position) -> Result<MoveText, MoveError> {
    let syntax = || MoveError::Syntax { text: text.to_string() };
    let distribution = &position.rules().distribution;
    let bad_tiles = |error| MoveError::BadTiles { text: text.to_string(), error };
    let rack_of =
        |field: &str| -> Result<Rack, MoveError> { Ok(distribution.parse_tiles(field).map_err(bad_tiles)?.into_iter().collect()) };
    let plain = |turn, rack| MoveText { turn, rack, challenge_points: 0, turn_loss: false };
    let fields: Vec<&str> = text.split('.').collect();
    let lower = fields[0].to_ascii_lowercase();
    match (lower.as_str(), &fields[1..]) {
        ("pass", []) => Ok(plain(Turn::Play(Play::Pass), None)),
        ("pass", [rack]) => Ok(plain(Turn::Play(Play::Pass), Some(rack_of(rack)?))),
        ("ex", [count]) if count.starts_with(|c: char| c.is_ascii_digit()) => {
            let count = count.parse().map_err(|_| MoveError::BadNumber { text: count.to_string() })?;
            Ok(plain(Turn::ExchangeUnknown(count), None))
        }
        ("ex", [tiles]) if !tiles.is_empty() => Ok(plain(Turn::Play(Play::Exchange(rack_of(tiles)?)), None)),
        ("ex", [tiles, rack]) if !tiles.is_empty() => Ok(plain(Turn::Play(Play::Exchange(rack_of(tiles)?)), Some(rack_of(rack)?))),
        ("phony", [coord, tiles]) => Ok(plain(Turn::Phony(parse_placement(coord, tiles, text, position)?), None)),
        ("pass" | "ex" | "phony", _) => Err(syntax()),
        (_, [tiles, rest @ ..]) if rest.len() <= 3 && !tiles.is_empty() => {
            let placement = parse_placement(fields[0], tiles, text, position)?;
            let number = |field: &str| field.parse::<i32>().map_err(|_| MoveError::BadNumber { text: field.to_string() });
            let rack = rest.first().filter(|field| !field.is_empty()).map(|field| rack_of(field)).transpose()?;
            let challenge_points = rest.get(1).map_or(Ok(0), |field| number(field))?;
            let turn_loss = rest.get(2).map_or(Ok(0), |field| number(field))? != 0;
            Ok(MoveText { turn: Turn::Play(Play::Place(placement)), rack, challenge_points, turn_loss })
        }
        _ => Err(syntax()),
    }
}

fn parse_placement(coord: &str, tiles: &str, text: &str, position: &Position) -> Result<Placement, MoveError> {
    let board = position.board();
    let bad_coordinate = || MoveError::BadCoordinate { coord: coord.to_string() };
    if !coord.starts_with(|c: char| c.is_ascii_alphanumeric()) || !coord.bytes().any(|b| b.is_ascii_digit()) {
        return Err(MoveError::Syntax { text: text.to_string() });
    }
    let (start, direction) = parse_coordinate(coord).ok_or_else(bad_coordinate)?;
    if start.row as usize >= board.dim() || start.col as usize >= board.dim() {
        return Err(bad_coordinate());
    }
    let cells = position.rules().distribution.parse_placed(tiles).map_err(|error| MoveError::BadTiles { text: text.to_string(), error })?;
    let impossible = |error: PlacementError| MoveError::Impossible { text: text.to_string(), error: error.into() };
    let mut placement = Placement::at(start, direction);
    for (offset, cell) in cells.into_iter().enumerate() {
        let Some(square) = start.step(direction, offset as isize, board.dim()) else {
            return Err(impossible(PlacementError::OffBoard));
        };
        placement.push(match board.get(square) {
            // A blank on the board may be written as the letter it stands for.
            Some(there) if there.letter() == cell.letter() => None,
            Some(_) => return Err(impossible(PlacementError::Occupied { square })),
            None => Some(cell),
        });
    }
    Ok(placement)
}

/// The tiles of a main word as a placement on a board, `None` if one contradicts a tile that lies there.
pub fn placement_of_word(start: Square, direction: Direction, cells: &[Placed], board: &Board) -> Option<Placement> {
    let mut placement = Placement::at(start, direction);
    for (offset, &cell) in cells.iter().enumerate() {
        let square = start.step(direction, offset as isize, board.dim())?;
        match board.get(square) {
            Some(there) if there.letter() == cell.letter() => placement.push(None),
            Some(_) => return None,
            None => placement.push(Some(cell)),
        }
    }
    Some(placement)
}
