//! CGP, the crossword game position: `<board> <racks> <scores> <zero turns> [opcode operands;]...` on one line.
//!
//! Racks and scores are listed from the player on turn, who gets the first seat of the [`Position`](crate::rules::Position).
//! Not here: move lists (a `position` command has them, `protocol/`) and whole games (`formats/gcg/`).
//!
//! Start with [`parse()`] and [`print()`]. The opcodes `ld` and `bdn` name data that the caller must provide: [`parse_opcodes`]
//! returns the names, and [`parse()`] takes rules with this data. Read `types.rs`, `parse.rs`, `last_move.rs`, in this order.
//!
//! The format is macondo's \[CGP\].
//!
//! ```
//! use tilewright::formats::cgp;
//! use tilewright::rules::GameRules;
//!
//! let text = "15/15/15/15/15/15/15/5CaT7/15/15/15/15/15/15/15 AEINRST/QZ 10/0 0 bb 40; lex ENABLE;";
//! let read = cgp::parse(text, &GameRules::english())?;
//! assert_eq!(read.position.mover_rack().len(), 7);
//! assert_eq!(read.position.rules().bingo_bonus, 40);
//! assert_eq!(read.opcodes.lexicon.as_deref(), Some("ENABLE"));
//! assert_eq!(cgp::print(&read.position, &read.opcodes), text);
//!
//! let error = cgp::parse("15/15/5C0T7 / 0/0 0", &GameRules::english()).unwrap_err();
//! assert_eq!(error.to_string(), "column 12: 3 rows, the board has 15");
//! # Ok::<(), cgp::CgpError>(())
//! ```

mod types;
mod parse;
mod last_move;

#[cfg(test)]
mod tests;

pub use last_move::{LastMoveError, last_turn};
pub(crate) use parse::locate_opcodes;
pub use parse::{parse, parse_opcodes};
pub use types::{Cgp, CgpError, Opcodes, board_text, challenge_rule_text, parse_challenge_rule, print};
