//! A CGP as data, how it is written, and the errors of a text.
//!
//! Not here: reading ([`parse`](crate::formats::cgp::parse()), which gives back what [`print()`] has written).

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::rules::game_rules::GameRulesError;
use crate::rules::grammar::{Mismatch, TextPlace};
use crate::rules::{Board, ChallengeRule, GameRules, LetterDistribution, Position, Square, TurnError, Variant};
use std::fmt;
use thiserror::Error;

/// A position as written, with the other contents of the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Cgp {
    /// The position, the first seat on turn, with the rules that the opcodes state.
    pub position: Position,
    /// The opcodes.
    pub opcodes: Opcodes,
    /// Names of unknown opcodes, in their order.
    pub ignored: Vec<String>,
}

/// The operations at the end of a CGP, `None` where one is not given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opcodes {
    /// `bb`: points for placing a whole rack.
    pub bingo_bonus: Option<i32>,
    /// `bdn`: name of the board layout.
    pub board_name: Option<String>,
    /// `cr`: what a challenge costs.
    pub challenge_rule: Option<ChallengeRule>,
    /// `etl`: tiles that must be in the bag for an exchange.
    pub exchange_limit: Option<usize>,
    /// `gid`: id of the game.
    pub game_id: Option<String>,
    /// `ld`: name of the letter distribution.
    pub letter_distribution: Option<String>,
    /// `lex`: name of the lexicon.
    pub lexicon: Option<String>,
    /// `lm`: the last move, as written.
    pub last_move: Option<String>,
    /// `lt`: turns left to the end of the game, in a variant that [counts](Variant::last_turns) them once the bag is empty. An opcode of
    /// this program's own.
    pub last_turns: Option<u32>,
    /// `mcnz`: successive turns without points that end the game.
    pub max_zero_turns: Option<u32>,
    /// `oru`: the opponent's rack is not known to the player on turn, whatever the rack field says.
    pub opponent_rack_unknown: bool,
    /// `ti`: added to a clock after each move, in milliseconds.
    pub timer_increment_ms: Option<i64>,
    /// `to`: overtime that ends the game, in milliseconds.
    pub max_overtime_ms: Option<i64>,
    /// `tmr`: the clocks from the player on turn, in milliseconds, negative in overtime.
    pub timers_ms: Option<[i64; 2]>,
    /// `var`: the variant.
    pub variant: Option<Variant>,
}

impl Opcodes {
    /// Returns the rules with the changes by `bb etl mcnz var cr`. `ld` and `bdn` are up to the caller.
    ///
    /// # Errors
    /// The changes conflict with each other or with the rest of the rules.
    pub fn apply(&self, rules: &GameRules) -> Result<GameRules, GameRulesError> {
        // The variant first: another one brings its own bonus.
        let changed = rules
            .to_builder()
            .variant(self.variant.unwrap_or(rules.variant))
            .exchange_limit(self.exchange_limit.unwrap_or(rules.exchange_limit))
            .max_zero_turns(self.max_zero_turns.unwrap_or(rules.max_zero_turns))
            .challenge_rule(self.challenge_rule.unwrap_or(rules.challenge_rule));
        self.bingo_bonus.map_or(changed.clone(), |bonus| changed.bingo_bonus(bonus)).build()
    }

    /// Returns the opcodes that state these rules: `bb bdn cr etl ld mcnz var`.
    pub fn of_rules(rules: &GameRules) -> Opcodes {
        Opcodes {
            bingo_bonus: Some(rules.bingo_bonus),
            board_name: Some(rules.layout.name().to_string()),
            challenge_rule: Some(rules.challenge_rule),
            exchange_limit: Some(rules.exchange_limit),
            letter_distribution: Some(rules.distribution.name().to_string()),
            max_zero_turns: Some(rules.max_zero_turns),
            variant: Some(rules.variant),
            ..Opcodes::default()
        }
    }
}

/// Returns a challenge rule as the opcode `cr` writes it.
pub const fn challenge_rule_text(rule: ChallengeRule) -> &'static str {
    match rule {
        ChallengeRule::Void => "void",
        ChallengeRule::Single => "single",
        ChallengeRule::Double => "double",
        ChallengeRule::Triple => "triple",
        ChallengeRule::FivePoint => "5pt",
        ChallengeRule::TenPoint => "10pt",
    }
}

/// Reads a challenge rule in either case: `void single double triple 5pt 10pt`, also `five_point ten_point`.
pub fn parse_challenge_rule(text: &str) -> Option<ChallengeRule> {
    match text.to_ascii_lowercase().as_str() {
        "void" => Some(ChallengeRule::Void),
        "single" => Some(ChallengeRule::Single),
        "double" => Some(ChallengeRule::Double),
        "triple" => Some(ChallengeRule::Triple),
        "5pt" | "five_point" => Some(ChallengeRule::FivePoint),
        "10pt" | "ten_point" => Some(ChallengeRule::TenPoint),
        _ => None,
    }
}

/// Writes a position from the player on turn, with these opcodes. [`parse`](crate::formats::cgp::parse()) gives both back. The last turns of the
/// position are written with them. Names that are not one word, such as a path with blanks, cannot be written in a CGP, and are left out.
pub fn print(position: &Position, opcodes: &Opcodes) -> String {
    let distribution = &position.rules().distribution;
    let opcodes = &Opcodes { last_turns: position.last_turns(), ..opcodes.clone() };
    let mover = position.on_turn();
    let other_rack = if opcodes.opponent_rack_unknown { String::new() } else { position.opponent_rack().text(distribution) };
    let text = format!(
        "{} {}/{other_rack} {}/{} {} {opcodes}",
        board_text(position.board(), distribution),
        position.mover_rack().text(distribution),
        position.score(mover),
        position.score(mover.opponent()),
        position.zero_turns(),
    );
    text.trim_end().to_string()
}

/// Returns a board as in the first field of a CGP.
pub fn board_text(board: &Board, distribution: &LetterDistribution) -> String {
    let mut text = String::new();
    for row in 0..board.dim() {
        let mut gap = 0;
        if row > 0 {
            text.push('/');
        }
        for col in 0..board.dim() {
            let Some(tile) = board.get(Square::at(row, col)) else {
                gap += 1;
                continue;
            };
            push_gap(&mut text, &mut gap);
            distribution.write_placed(tile, &mut text);
        }
        push_gap(&mut text, &mut gap);
    }
    text
}

/// `bb 50; lex CSW21;`: in alphabetical order; nothing if there are none.
impl fmt::Display for Opcodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_word = |name: &String| !name.is_empty() && !name.contains(|c: char| c == ';' || c.is_whitespace());
        let name = |value: &Option<String>| value.clone().filter(is_word);
        let operands: [(&str, Option<String>); 15] = [
            ("bb", self.bingo_bonus.map(|bonus| bonus.to_string())),
            ("bdn", name(&self.board_name)),
            ("cr", self.challenge_rule.map(|rule| challenge_rule_text(rule).to_string())),
            ("etl", self.exchange_limit.map(|limit| limit.to_string())),
            ("gid", name(&self.game_id)),
            ("ld", name(&self.letter_distribution)),
            ("lex", name(&self.lexicon)),
            ("lm", self.last_move.clone()),
            ("lt", self.last_turns.map(|turns| turns.to_string())),
            ("mcnz", self.max_zero_turns.map(|turns| turns.to_string())),
            ("oru", self.opponent_rack_unknown.then(String::new)),
            ("ti", self.timer_increment_ms.map(|ms| ms.to_string())),
            ("tmr", self.timers_ms.map(|[own, other]| format!("{own}/{other}"))),
            ("to", self.max_overtime_ms.map(|ms| ms.to_string())),
            ("var", self.variant.map(|variant| variant.name().to_string())),
        ];
        let mut blank = "";
        for (name, operand) in operands.iter().filter_map(|(name, operand)| Some((name, operand.as_ref()?))) {
            let between = if operand.is_empty() { "" } else { " " };
            write!(f, "{blank}{name}{between}{operand};")?;
            blank = " ";
        }
        Ok(())
    }
}

fn push_gap(text: &mut String, gap: &mut usize) {
    if *gap > 0 {
        text.push_str(&gap.to_string());
        *gap = 0;
    }
}

/// Why a text is not a CGP. Places count characters from 1; the line is named only if a text has
/// several.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
#[non_exhaustive]
pub enum CgpError {
    /// The text ends too early.
    #[error("{place}: the text ends before the {expected}")]
    Missing {
        /// The place after the last character.
        place: TextPlace,
        /// The field that is missing.
        expected: &'static str,
    },
    /// The board has another number of rows.
    #[error("{place}: {found} rows, the board has {expected}")]
    RowCount {
        /// The first row too many, or the place after the last row.
        place: TextPlace,
        /// Rows found.
        found: usize,
        /// Rows of the layout.
        expected: usize,
    },
    /// A row is too short or too long.
    #[error("{place}: row {row} has {found} squares, expected {expected}")]
    RowWidth {
        /// Where the row begins.
        place: TextPlace,
        /// 1-based row.
        row: usize,
        /// Its squares.
        found: usize,
        /// Columns of the layout.
        expected: usize,
    },
    /// A number in a row that is not a gap.
    #[error("{place}: {found:?} is not a gap of 1 to {expected} empty squares")]
    BadGap {
        /// Where the number begins.
        place: TextPlace,
        /// The number.
        found: String,
        /// Columns of the layout.
        expected: usize,
    },
    /// Something that is not a tile.
    #[error("{place}: {found:?} is not a tile of the {alphabet} alphabet")]
    BadTile {
        /// Its place.
        place: TextPlace,
        /// The character or bracketed group.
        found: String,
        /// Name of the letter distribution.
        alphabet: String,
    },
    /// More of a tile than the game has.
    #[error("{place}: {tile} number {found}, the game has {expected} of it")]
    TooManyOfTile {
        /// The first one too many.
        place: TextPlace,
        /// The tile.
        tile: String,
        /// Tiles of this kind up to here.
        found: usize,
        /// Tiles of this kind in a full bag.
        expected: usize,
    },
    /// More tiles than a rack holds.
    #[error("{place}: {found} tiles, a rack holds {expected}")]
    RackTooLong {
        /// Where the rack begins.
        place: TextPlace,
        /// Its tiles.
        found: usize,
        /// Tiles on a full rack.
        expected: usize,
    },
    /// Not a game of two.
    #[error("{place}: {field} of {found} players, expected 2 with one / between them")]
    PlayerCount {
        /// Where the field begins.
        place: TextPlace,
        /// `racks`, `scores` or `clocks`.
        field: &'static str,
        /// Parts found.
        found: usize,
    },
    /// Opcodes that conflict with the other rules.
    #[error("{place}: {error}")]
    Rules {
        /// Where the opcodes begin.
        place: TextPlace,
        /// The conflict.
        error: GameRulesError,
    },
    /// Something unexpected: not a number, or one out of range.
    #[error("{place}: {found:?} is not {expected}")]
    Syntax {
        /// Its place.
        place: TextPlace,
        /// The text.
        found: String,
        /// The expected text.
        expected: &'static str,
    },
    /// An opcode with a wrong operand.
    #[error("{place}: {opcode} takes {expected}, not {found:?}")]
    BadOperand {
        /// Where the operand begins.
        place: TextPlace,
        /// The opcode.
        opcode: &'static str,
        /// The operand.
        found: String,
        /// The expected text.
        expected: &'static str,
    },
    /// An opcode that is given twice.
    #[error("{place}: a second {opcode}, expected one")]
    Repeated {
        /// Where the second one begins.
        place: TextPlace,
        /// The opcode.
        opcode: &'static str,
    },
    /// All parts can be read, but together they are not a position.
    #[error("not a possible position: {0}")]
    Position(#[from] TurnError),
}

impl CgpError {
    /// Returns where the text is wrong. `None` if all parts of it can be read, but together they are not a position.
    pub fn place(&self) -> Option<TextPlace> {
        match self {
            CgpError::Missing { place, .. }
            | CgpError::RowCount { place, .. }
            | CgpError::RowWidth { place, .. }
            | CgpError::BadGap { place, .. }
            | CgpError::BadTile { place, .. }
            | CgpError::TooManyOfTile { place, .. }
            | CgpError::RackTooLong { place, .. }
            | CgpError::PlayerCount { place, .. }
            | CgpError::Rules { place, .. }
            | CgpError::Syntax { place, .. }
            | CgpError::BadOperand { place, .. }
            | CgpError::Repeated { place, .. } => Some(*place),
            CgpError::Position(_) => None,
        }
    }

    /// Returns the message without the place, for callers that print the place in their own form.
    pub(crate) fn without_place(&self) -> String {
        let (text, place) = (self.to_string(), self.place().map_or_else(String::new, |place| format!("{place}: ")));
        text.strip_prefix(&place).unwrap_or(&text).to_string()
    }
}

impl From<Mismatch<'_, CgpError>> for CgpError {
    fn from(mismatch: Mismatch<'_, CgpError>) -> CgpError {
        match mismatch {
            Mismatch::Form { found, expected } => CgpError::Syntax { place: found.place(), found: found.shortened(), expected },
            Mismatch::Meaning(error) => error,
        }
    }
}
