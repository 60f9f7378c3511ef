//! Plays as text: the notation of UCGI, SIU and CGP (`8D.DJINN`, `H11.MAZEY.AEMYZ`, `ex.ABC`, `ex.4`, `pass`, `phony.8D.DJINN`).
//!
//! Number first is across, letter first down, as in CGP and GCG. Tiles played through are written as the letters they are,
//! blanks in small letters, tiles of several characters in brackets. Start with [`parse_move`] and [`play_text`].

use crate::rules::board::{Board, Direction, Square};
use crate::rules::distribution::{LetterDistribution, TileTextError};
use crate::rules::play::{Placement, Play};
use crate::rules::position::Position;
use crate::rules::rack::Rack;
use crate::rules::scoring::PlacementError;
use crate::rules::tiles::Placed;
use crate::rules::turn::{Turn, TurnError};
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

fn parse_move_syntax(text: &str, position: &Position) -> Result<MoveText, MoveError> {
    let syntax = || MoveError::Syntax { text: text.to_string() };
    let distribution = &position.rules().distribution;
    let bad_tiles = |error| MoveError::BadTiles { text: text.to_string(), error };
    let rack_of = |field: &str| -> Result<Rack, MoveError> {
        let tiles = distribution.parse_tiles(field).map_err(bad_tiles)?;
        let (found, rack_size) = (tiles.len(), position.rules().rack_size);
        // Before they are counted: a rack has bytes for its counts.
        if found > rack_size {
            return Err(MoveError::Impossible { text: text.to_string(), error: TurnError::TooManyTiles { found, rack_size } });
        }
        Ok(tiles.into_iter().collect())
    };
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
            let number = |field: &str| {
                let number = field.parse().ok().filter(|number| (-MAX_CHALLENGE_POINTS..=MAX_CHALLENGE_POINTS).contains(number));
                number.ok_or_else(|| MoveError::BadNumber { text: field.to_string() })
            };
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
    placement_of_word(start, direction, &cells, board)
        .map_err(|error| MoveError::Impossible { text: text.to_string(), error: error.into() })
}

/// The tiles of a main word as a placement on a board.
///
/// # Errors
/// The word runs off the board, or a tile contradicts one that lies there.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{cgp, english_rules, layout, letter_distribution};
    use crate::rules::GameRules;
    use proptest::prelude::*;
    use std::sync::Arc;

    const VICAR: &str = "15/15/15/15/15/15/15/3vICAR7/15/15/15/15/15/15/15 BDEENRS/ 28/0 0";

    fn vicar() -> Position {
        cgp::parse(VICAR, &english_rules()).unwrap().position
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
        let position = cgp::parse(&VICAR.replace("BDEENRS", "BD?ENRS"), &english_rules()).unwrap().position;
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
        assert_eq!((after.score(0), after.on_turn(), after.zero_turns()), (38, 0, 1));
        assert!(after.rack(0).is_empty(), "what the text says of the rack is not used against the player");

        let bare = parse_move("H8.REND..-10", &position).unwrap();
        assert_eq!((bare.rack, bare.challenge_points, bare.turn_loss), (None, -10, false));
        assert_eq!(parse_move("ex.3", &position).unwrap().turn, Turn::ExchangeUnknown(3));
        assert_eq!(parse_move("ex.BD.BDEENRS", &position).unwrap().rack.unwrap().len(), 7);
        assert_eq!(parse_move("pass.BDEENRS", &position).unwrap().rack.unwrap().len(), 7);
        let phony = parse_move("phony.8D.vICARS", &position).unwrap();
        assert!(matches!(phony.turn, Turn::Phony(_)));
        let after = apply_move(&position, &phony).unwrap();
        assert_eq!((after.board(), after.score(0), after.on_turn()), (position.board(), 28, 1));
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
            "in \"2A.[CH\", column 1: \"[\" is not a tile of the mini alphabet"
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
        assert_eq!(message("8D.vICAR5"), "in \"8D.vICAR5\", column 6: \"5\" is not a tile of the english alphabet");
        assert_eq!(message("ex.4x"), "\"4x\" is not a number of the expected size");
        assert_eq!(message("ex.99999999999999999999"), "\"99999999999999999999\" is not a number of the expected size");
        assert_eq!(message("H8.REND..five"), "\"five\" is not a number of the expected size");
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
            "\"2147483647\" is not a number of the expected size"
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
