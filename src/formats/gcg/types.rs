//! The contents of a GCG file as data, and its errors.
//!
//! Not here: reading (`parse.rs`), recording a game that is played and writing it (`record.rs`), and the rules (`replay.rs`).

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::rules::TurnError;
use crate::rules::board::{Direction, Square};
use crate::rules::distribution::LetterDistribution;
use crate::rules::grammar::{Mismatch, TextPlace};
use crate::rules::rack::Rack;
use crate::rules::tiles::Placed;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// A game as it is written. Nothing in it has been checked against the rules: [`replay`](crate::formats::gcg::replay()) does that.
#[derive(Clone, Debug, PartialEq)]
pub struct Gcg {
    /// The players, in the order of `#player1` and `#player2`.
    pub players: [GcgPlayer; 2],
    /// `#character-encoding`.
    pub encoding: Option<String>,
    /// `#rack1` and `#rack2`: the players' tiles at the end of an unfinished game.
    pub racks: [Option<Rack>; 2],
    /// All other pragmas, including notes, in their order.
    pub pragmas: Vec<Pragma>,
    /// What happened, in order.
    pub events: Vec<GcgEvent>,
    /// The alphabet that the tiles are written in.
    pub distribution: Arc<LetterDistribution>,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct GcgPlayer {
    /// One word without `:`; it begins the player's events.
    pub nick: String,
    /// The full name, empty if not given.
    pub name: String,
}

impl GcgPlayer {
    /// Whether this is the player's nick or full name, in any case.
    pub(super) fn is_called(&self, name: &str) -> bool {
        [&self.nick, &self.name].iter().any(|known| known.eq_ignore_ascii_case(name))
    }
}

/// A line that begins with `#`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pragma {
    /// `title`, `lexicon`, `note` ..., as written.
    pub key: String,
    /// The text after it. A note may have several lines.
    pub value: String,
    /// The number of events before it.
    pub after_events: usize,
}

/// A line that begins with `>`.
#[derive(Clone, Debug)]
pub struct GcgEvent {
    /// Index of the player in [`Gcg::players`].
    pub player: usize,
    /// The player's rack before the event, as far as stated.
    pub rack: Rack,
    /// What happened.
    pub action: GcgAction,
    /// Points of this event.
    pub points: i32,
    /// The player's total after it.
    pub total: i32,
    /// Text after the total; some programs list the words there.
    pub remark: String,
    /// 1-based line in the text it was read from, 0 if it was not. Not compared by `==`.
    pub line: usize,
    /// What a reader that mends found in it. Neither written nor compared by `==`.
    pub mends: EventMends,
}

/// What a tolerant reader found wrong in an event that still counts. A strict reader leaves it at its default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventMends {
    /// Points beyond those of the rules that the players agreed on: a part of [`GcgEvent::points`].
    pub agreed_points: i32,
    /// Whether the stated rack cannot be the player's. It is still written, but the player's rack is unknown.
    pub is_rack_impossible: bool,
    /// Whether the end of the game is as the record states it, though the rules would also subtract
    /// the other rack.
    pub is_whole_end: bool,
    /// Whether the game goes on after this turn, though it is the last turn without points that the rules allow. Such turns are
    /// counted anew, beginning with this one.
    pub goes_on: bool,
}

impl GcgEvent {
    /// Returns the stated rack of the player, if it is possible.
    pub fn known_rack(&self) -> Rack {
        if self.mends.is_rack_impossible { Rack::EMPTY } else { self.rack }
    }
}

impl PartialEq for GcgEvent {
    fn eq(&self, other: &GcgEvent) -> bool {
        (self.player, &self.rack, &self.action, self.points, self.total, &self.remark)
            == (other.player, &other.rack, &other.action, other.points, other.total, &other.remark)
    }
}

/// The action of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GcgAction {
    /// Tiles on the board.
    Place {
        /// First square of the main word.
        start: Square,
        /// Its direction.
        direction: Direction,
        /// The main word, a square each.
        word: Vec<WordCell>,
    },
    /// `-`: nothing, or a turn lost by a challenge.
    Pass,
    /// `-ABC`.
    Exchange(Rack),
    /// `-3`.
    ExchangeUnknown(usize),
    /// `--`: the play before is taken back.
    Withdrawn,
    /// `(challenge)`.
    ChallengeBonus,
    /// `(QU)` without a rack: what the other player kept when this one went out.
    OutBonus(Rack),
    /// `QU (QU)`: what this player kept when the game ended in another way.
    RackLoss(Rack),
    /// `(time)`.
    TimePenalty,
}

impl GcgAction {
    /// Whether it is a turn, not a remark on one.
    pub fn is_turn(&self) -> bool {
        matches!(self, GcgAction::Place { .. } | GcgAction::Pass | GcgAction::Exchange(_) | GcgAction::ExchangeUnknown(_))
    }
}

/// A square of a main word as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordCell {
    /// A letter: placed, or on the board already.
    Tile(Placed),
    /// A letter in parentheses: on the board already.
    Through(Placed),
    /// `.`: on the board already.
    Dot,
}

/// A remark about a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileNote {
    /// The line, from 1, if it is about one.
    pub line: Option<usize>,
    /// The finding, and how it was read.
    pub text: String,
}

impl fmt::Display for FileNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        f.write_str(&self.text)
    }
}

/// Why a text is not a GCG, or a GCG is not a game. Lines and columns count from 1.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
#[non_exhaustive]
pub enum GcgError {
    /// The text does not have the expected form.
    #[error("line {}, column {}: found {found:?}, expected {expected}", place.line, place.column)]
    Syntax {
        /// Its place.
        place: TextPlace,
        /// The wrong text, empty at the end of a line.
        found: String,
        /// The expected text.
        expected: &'static str,
    },
    /// Something that is not a tile.
    #[error("line {}, column {}: {found:?} is not a tile of the {alphabet} alphabet", place.line, place.column)]
    BadTile {
        /// Its place.
        place: TextPlace,
        /// The character or bracketed group.
        found: String,
        /// Name of the letter distribution.
        alphabet: String,
    },
    /// More tiles than a rack holds.
    #[error("line {}, column {}: {found} tiles, a rack holds {expected}", place.line, place.column)]
    RackTooLong {
        /// Where the tiles begin.
        place: TextPlace,
        /// Tiles found.
        found: usize,
        /// Tiles on a full rack.
        expected: usize,
    },
    /// A name that neither player has.
    #[error("line {}, column {}: {found:?} is not a player, expected {expected}", place.line, place.column)]
    UnknownPlayer {
        /// The place of the name.
        place: TextPlace,
        /// The name.
        found: String,
        /// The players.
        expected: String,
    },
    /// A game of more than two players.
    #[error("line {line}: {name} is a third player: this is a game of {found} players, and only games of two are read")]
    MorePlayers {
        /// The line of the first event of the third player.
        line: usize,
        /// The third player.
        name: String,
        /// The number of players.
        found: usize,
    },
    /// A pragma of which there can be only one.
    #[error("line {line}: a second {key}, expected one")]
    Repeated {
        /// The line of the second one.
        line: usize,
        /// The pragma.
        key: String,
    },
    /// The other player is to move.
    #[error("line {line}: a turn of {found}, but {expected} is to move")]
    NotOnTurn {
        /// The line.
        line: usize,
        /// The player to move.
        expected: String,
        /// The player of this event.
        found: String,
    },
    /// Against the rules.
    #[error("line {line}: {error}")]
    Turn {
        /// The line.
        line: usize,
        /// Which rule.
        error: TurnError,
    },
    /// The stated points are wrong.
    #[error("line {line}: {found:+} points are stated, but the rules give {expected:+}")]
    Points {
        /// The line.
        line: usize,
        /// What the rules give.
        expected: i32,
        /// What is stated.
        found: i32,
    },
    /// The stated total is wrong.
    #[error("line {line}: a total of {found} is stated, but the points so far add up to {expected}")]
    Total {
        /// The line.
        line: usize,
        /// The sum.
        expected: i32,
        /// What is stated.
        found: i32,
    },
    /// The stated tiles left at the end are wrong.
    #[error("line {line}: {found:?} is stated to be left at the end, but the rules give {expected:?}")]
    Leftover {
        /// The line.
        line: usize,
        /// Tiles by the rules.
        expected: String,
        /// Tiles stated.
        found: String,
    },
    /// An event where it cannot be.
    #[error("line {line}: {found} {reason}")]
    Misplaced {
        /// The line.
        line: usize,
        /// The event.
        found: &'static str,
        /// Why not here.
        reason: &'static str,
    },
    /// `#rack1` or `#rack2` cannot be.
    #[error("rack of {player} at the end: {error}")]
    FinalRack {
        /// The player.
        player: String,
        /// Why not.
        error: TurnError,
    },
    /// A game in another alphabet.
    #[error(
        "line {line}: this is a game with {found} letters, but {expected} ones are in use: set LetterDistribution to {found}, \
         and Lexicon to words of that language"
    )]
    OtherLetters {
        /// The line of the first letter that shows it.
        line: usize,
        /// The alphabet of the game.
        found: String,
        /// The alphabet in use.
        expected: String,
    },
    /// A turn that is not in the game.
    #[error("there is no event {found}, the game has {expected}")]
    NoSuchTurn {
        /// The turn asked for.
        found: usize,
        /// Events in the game.
        expected: usize,
    },
}

impl From<Mismatch<'_, GcgError>> for GcgError {
    fn from(mismatch: Mismatch<'_, GcgError>) -> GcgError {
        match mismatch {
            Mismatch::Form { found, expected } => GcgError::Syntax { place: found.place(), found: found.shortened(), expected },
            Mismatch::Meaning(error) => error,
        }
    }
}

impl GcgError {
    /// Returns the line with the error.
    pub fn line(&self) -> Option<usize> {
        match self {
            GcgError::Syntax { place, .. }
            | GcgError::BadTile { place, .. }
            | GcgError::RackTooLong { place, .. }
            | GcgError::UnknownPlayer { place, .. } => Some(place.line),
            GcgError::Repeated { line, .. }
            | GcgError::MorePlayers { line, .. }
            | GcgError::NotOnTurn { line, .. }
            | GcgError::Turn { line, .. }
            | GcgError::Points { line, .. }
            | GcgError::Total { line, .. }
            | GcgError::Leftover { line, .. }
            | GcgError::Misplaced { line, .. }
            | GcgError::OtherLetters { line, .. } => Some(*line),
            GcgError::FinalRack { .. } | GcgError::NoSuchTurn { .. } => None,
        }
    }
}

impl Gcg {
    /// Returns the first value of a pragma, if there is one: `title`, `description`, `lexicon`, `id`.
    pub fn pragma(&self, key: &str) -> Option<&str> {
        self.pragmas.iter().find(|pragma| pragma.key.eq_ignore_ascii_case(key)).map(|pragma| pragma.value.as_str())
    }

    /// Returns the lexicon's name, if it is stated.
    pub fn lexicon(&self) -> Option<&str> {
        self.pragma("lexicon")
    }

    /// Returns the total of a player after the last event.
    pub fn total(&self, player: usize) -> i32 {
        self.events.iter().rev().find(|event| event.player == player).map_or(0, |event| event.total)
    }

    /// Returns a game without events, whose players are still to be named.
    pub(super) fn without_players(distribution: Arc<LetterDistribution>) -> Gcg {
        Gcg { players: Default::default(), encoding: None, racks: [None; 2], pragmas: Vec::new(), events: Vec::new(), distribution }
    }
}
