//! Constructors and texts for the English game, from the data compiled into the program.
//!
//! Letters are numbers, and an alphabet gives them their faces. Without an alphabet, [`Rack`] and
//! [`Play`] can be written only by a convention: their `Display` and `FromStr` use the English
//! letters. For other alphabets there are [`Rack::text`] and [`Rack::parse`], and
//! [`play_text`](crate::rules::notation::play_text) and
//! [`parse_move`](crate::rules::notation::parse_move), which also take the board or the position. A
//! [`Position`] has its alphabet: its text is a CGP with the opcodes of its rules.

use crate::formats::cgp::{self, CgpError, Opcodes};
use crate::rules::board::MAX_DIM;
use crate::rules::distribution::TileTextError;
use crate::rules::notation::{coordinate_text, parse_coordinate};
use crate::rules::rack::RackTextError;
use crate::rules::{GameRules, Layout, LetterDistribution, Placement, Play, Position, Rack};
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, LazyLock};
use thiserror::Error;

static ENGLISH: LazyLock<Arc<GameRules>> =
    LazyLock::new(|| Arc::new(GameRules::standard(Arc::new(LetterDistribution::english()), Arc::new(Layout::standard()))));

impl GameRules {
    /// Returns the rules for English tiles on the standard 15x15 board, with the usual numbers ([`GameRules::builder`]).
    pub fn english() -> GameRules {
        GameRules::clone(&ENGLISH)
    }
}

/// The tiles in the order of the alphabet, in English letters, a blank as `?`.
///
/// ```
/// use tilewright::rules::Rack;
///
/// let rack: Rack = "stane?e".parse()?;
/// assert_eq!(rack.to_string(), "AEENST?");
/// # Ok::<(), tilewright::rules::rack::RackTextError>(())
/// ```
impl fmt::Display for Rack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text(&ENGLISH.distribution))
    }
}

/// Reads tiles in English letters: [`Rack::parse`].
impl FromStr for Rack {
    type Err = RackTextError;

    fn from_str(text: &str) -> Result<Rack, RackTextError> {
        Rack::parse(text, &ENGLISH.distribution)
    }
}

/// Why a text is not a play.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlayTextError {
    /// A text in none of the forms.
    #[error("{text:?} is not a play: write \"8D NAST.ER\" (with a dot for each tile played through), \"-ABC\" or \"-\"")]
    Syntax {
        /// The text.
        text: String,
    },
    /// Something that is not an English letter.
    #[error(transparent)]
    Tile(#[from] TileTextError),
    /// Tiles to exchange that are not tiles.
    #[error(transparent)]
    Rack(#[from] RackTextError),
    /// A word longer than a row.
    #[error("a word of {found} letters is too long: a row has at most {MAX_DIM} squares")]
    TooLong {
        /// The number of its letters.
        found: usize,
    },
}

/// A play as GCG writes it, in English letters: `8D NAST.ER` with a dot for each tile played
/// through, `-ABC` for an exchange, `-` for a pass.
///
/// ```
/// use tilewright::rules::Play;
///
/// for text in ["8D NAST.ER", "H11 qI", "-UUV", "-"] {
///     let play: Play = text.parse()?;
///     assert_eq!(play.to_string(), text);
/// }
/// let error = "8D".parse::<Play>().unwrap_err();
/// assert!(error.to_string().starts_with("\"8D\" is not a play"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl fmt::Display for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let english = &ENGLISH.distribution;
        match self {
            Play::Place(placement) => {
                let mut text = coordinate_text(placement.start, placement.direction) + " ";
                for tile in placement.tiles() {
                    match tile {
                        Some(tile) => english.write_placed(*tile, &mut text),
                        None => text.push('.'),
                    }
                }
                f.pad(&text)
            }
            Play::Exchange(tiles) => f.pad(&format!("-{tiles}")),
            Play::Pass => f.pad("-"),
        }
    }
}

/// Reads what `Display` writes. A position decides whether the play is possible.
impl FromStr for Play {
    type Err = PlayTextError;

    fn from_str(text: &str) -> Result<Play, PlayTextError> {
        match text.strip_prefix('-') {
            Some("") => return Ok(Play::Pass),
            Some(tiles) => return Ok(Play::Exchange(tiles.parse()?)),
            None => {}
        }
        let syntax = || PlayTextError::Syntax { text: text.to_string() };
        let (place, word) = text.split_once(' ').ok_or_else(syntax)?;
        let (start, direction) = parse_coordinate(place).ok_or_else(syntax)?;
        let found = word.chars().count();
        if found > MAX_DIM {
            return Err(PlayTextError::TooLong { found });
        }
        let mut placement = Placement::at(start, direction);
        for letter in word.chars() {
            match letter {
                '.' => placement.push(None),
                _ => ENGLISH.distribution.parse_placed(&letter.to_string())?.into_iter().for_each(|tile| placement.push(Some(tile))),
            }
        }
        if placement.tile_count() == 0 {
            return Err(syntax());
        }
        Ok(Play::Place(placement))
    }
}

/// A CGP from the player on turn, with the opcodes of its rules.
///
/// ```
/// use tilewright::rules::Position;
///
/// let text = "15/15/15/15/15/15/15/3QUIZ8/6E8/6B8/6R8/6A8/15/15/15 AEINRST/ 48/34 0";
/// let position: Position = text.parse()?;
/// assert!(position.to_string().starts_with(text));
/// assert_eq!(position.to_string().parse::<Position>()?, position);
/// # Ok::<(), tilewright::formats::cgp::CgpError>(())
/// ```
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&cgp::print(self, &Opcodes::of_rules(self.rules())))
    }
}

/// Reads a CGP by the rules of the English game, with the changes by its opcodes. `ld` and `bdn` may
/// name built-in letters and boards; [`cgp::parse`](cgp::parse()) reads others with their rules.
impl FromStr for Position {
    type Err = CgpError;

    fn from_str(text: &str) -> Result<Position, CgpError> {
        let (opcodes, _) = cgp::parse_opcodes(text)?;
        let letters = opcodes.letter_distribution.as_deref().and_then(LetterDistribution::built_in);
        let board = opcodes.board_name.as_deref().and_then(Layout::built_in);
        let rules = match (letters, board) {
            (None, None) => GameRules::english(),
            (letters, board) => GameRules::standard(
                letters.map_or_else(|| Arc::clone(&ENGLISH.distribution), Arc::new),
                board.map_or_else(|| Arc::clone(&ENGLISH.layout), Arc::new),
            ),
        };
        Ok(cgp::parse(text, &rules)?.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Direction, Square};

    #[test]
    fn a_position_in_other_letters_is_read_back() {
        let text = "15/15/15/15/15/15/15/6[CH]A7/15/15/15/15/15/15/15 ÑO[LL]/ 8/0 0 ld spanish;";
        let position: Position = text.parse().unwrap();
        assert_eq!(position.rules().distribution.name(), "spanish");
        assert_eq!(position.to_string().parse::<Position>().unwrap(), position);
        let large = format!("{} A/ 0/0 0 bdn SuperCrosswordGame;", ["21"; 21].join("/"));
        assert_eq!(large.parse::<Position>().unwrap().board().dim(), 21);
        let error = "15/15 A/ 0/0 0".parse::<Position>().unwrap_err().to_string();
        assert!(error.ends_with("2 rows, the board has 15"), "{error}");
    }

    #[test]
    fn texts_that_are_no_plays_are_refused() {
        let message = |text: &str| text.parse::<Play>().unwrap_err().to_string();
        for text in ["", "8D", "8D ", "8D ...", "pass", "99999A B", "8D.NASTIER"] {
            assert!(message(text).contains("is not a play"), "{text}: {}", message(text));
        }
        assert_eq!(message("8D N4"), "column 1: \"4\" is not a tile of the english alphabet");
        assert_eq!(message(&format!("8D {}", "A".repeat(22))), "a word of 22 letters is too long: a row has at most 21 squares");
        assert_eq!("H8".parse::<Square>().unwrap(), Square::new(7, 7));
        assert_eq!(format!("{:>5}|", "8H".parse::<Square>().unwrap()), "   8H|");
        let Play::Place(down) = "H8 A".parse::<Play>().unwrap() else { panic!("a placement") };
        assert_eq!(down.direction, Direction::Down);
    }
}
