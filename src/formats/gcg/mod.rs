//! GCG, the generic crossword game: a whole game as text, one pragma (`#`) or event (`>`) a line.
//! The format was described by John Chew.
//!
//! Three separate steps: [`parse()`] reads the lines, [`replay()`] plays them by the rules and checks every stated score
//! and total, [`print()`] writes them. A referee records a game with [`Gcg::new`] and the `push_` methods. Not here: whether the
//! words exist (`lexicon/`). Read `types.rs`, `parse.rs`, `record.rs`, `replay.rs`,
//! `mending.rs`, `reading.rs`, in this order.
//!
//! ```text
//! >Ann: ACEIRTV 8D VICAR +24 24         a play; tiles played through as `.`, in parentheses, or as the letters they are
//! >Ben: AEFGHII -FGII +0 0              an exchange; `-4` if only the number is known
//! >Ann: BDELNTW - +0 24                 a pass
//! >Ben: AAEEHOT H7 O.HEA +16 16         a play and ...
//! >Ben: AAEEHOT -- -16 0                ... its withdrawal after a challenge
//! >Ann: BDELNTW (challenge) +5 29       points for being challenged in vain
//! >Ann: (QU) +22 301                    Ann went out, Ben kept QU
//! >Ben: QU (QU) -11 268                 the game ended by turns without points
//! >Ben: QU (time) -10 258               overtime
//! ```
//!
//! These steps are strict. [`read_file`] reads the games of other people: it finds the character set and the alphabet, repairs what is
//! wrong, and [notes](FileNote) each repair with its line. Everything that loads games uses it.
//!
//! ```
//! use tilewright::formats::{cgp, gcg};
//! use tilewright::rules::{GameRules, Seat};
//!
//! let rules = GameRules::english();
//! let text = "#player1 Ann\n#player2 Ben\n>Ann: ACEIRTV 8D VICAR +28 28\n>Ben: AEFGHII -FGII +0 0\n";
//! let game = gcg::parse(text, &rules)?;
//! assert_eq!(gcg::print(&game), text);
//!
//! // Before each event, and after the last one: Ann is on turn again.
//! let played = gcg::replay(&game, &rules, None)?;
//! assert_eq!(played.positions.len(), 3);
//! let after = &played.positions[2];
//! let board = cgp::board_text(after.board(), &rules.distribution);
//! assert_eq!((board.as_str(), after.score(Seat::First)), ("15/15/15/15/15/15/15/3VICAR7/15/15/15/15/15/15/15", 28));
//!
//! let wrong = gcg::parse(">Ann: 8D VICAR +27 27", &rules)?;
//! assert_eq!(gcg::replay(&wrong, &rules, None).unwrap_err().to_string(), "line 1: +27 points are stated, but the rules give +28");
//! # Ok::<(), gcg::GcgError>(())
//! ```

mod types;
mod parse;
mod record;
mod replay;
mod mending;
mod reading;

#[cfg(test)]
mod tests;

pub use mending::{GameText, ReadGame, games_of, read};
pub use parse::parse;
pub use reading::{GcgReading, read_file, understand};
pub use record::print;
pub use replay::{RecordedTurn, Replay, ReplayNote, UnusualEvent, position_at, replay};
pub use types::{EventMends, FileNote, Gcg, GcgAction, GcgError, GcgEvent, GcgPlayer, Pragma, WordCell};
