//! CGP, the crossword game position: `<board> <racks> <scores> <zero turns> [opcode operands;]...` on one line.
//!
//! Racks and scores are listed from the player on turn, who becomes player 0 of the [`Position`]. Not here: move lists (a
//! `position` command has them, `protocol/`) and whole games (`gcg.rs`). Start with [`parse`] and [`print()`]. The opcodes `ld`
//! and `bdn` name data that the caller has to have: [`parse_opcodes`] says which, then [`parse`] takes the rules made from it.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::rules::board::{Board, Square};
use crate::rules::distribution::LetterDistribution;
use crate::rules::game::{ChallengeRule, GameRules, Position, TurnError, Variant};
use crate::rules::rack::Rack;
use crate::rules::tiles::Tile;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;
use thiserror::Error;

/// Scores and bonuses beyond this are refused, so that sums of them fit everywhere.
const MAX_POINTS: i32 = 999_999;

/// A position as written, with what the text says besides.
#[derive(Clone, Debug, PartialEq)]
pub struct Cgp {
    /// The position, player 0 on turn, with the rules that the opcodes ask for.
    pub position: Position,
    /// The opcodes.
    pub opcodes: Opcodes,
    /// Names of opcodes that CGP does not know, in their order.
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
    /// The rules with what `bb etl mcnz var cr` change of them. `ld` and `bdn` are up to the caller.
    pub fn apply(&self, rules: &GameRules) -> GameRules {
        let mut rules = rules.clone();
        rules.bingo_bonus = self.bingo_bonus.unwrap_or(rules.bingo_bonus);
        rules.exchange_limit = self.exchange_limit.unwrap_or(rules.exchange_limit);
        rules.max_zero_turns = self.max_zero_turns.unwrap_or(rules.max_zero_turns);
        rules.variant = self.variant.unwrap_or(rules.variant);
        rules.challenge_rule = self.challenge_rule.unwrap_or(rules.challenge_rule);
        rules
    }

    /// The opcodes that tell a reader these rules: `bb bdn cr etl ld mcnz var`.
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

/// `bb 50; lex CSW21;`: in alphabetical order, nothing at all if there are none.
impl fmt::Display for Opcodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |value: &Option<String>| value.clone();
        let operands: [(&str, Option<String>); 14] = [
            ("bb", self.bingo_bonus.map(|bonus| bonus.to_string())),
            ("bdn", text(&self.board_name)),
            ("cr", self.challenge_rule.map(|rule| challenge_rule_text(rule).to_string())),
            ("etl", self.exchange_limit.map(|limit| limit.to_string())),
            ("gid", text(&self.game_id)),
            ("ld", text(&self.letter_distribution)),
            ("lex", text(&self.lexicon)),
            ("lm", text(&self.last_move)),
            ("mcnz", self.max_zero_turns.map(|turns| turns.to_string())),
            ("oru", self.opponent_rack_unknown.then(String::new)),
            ("ti", self.timer_increment_ms.map(|ms| ms.to_string())),
            ("tmr", self.timers_ms.map(|[own, other]| format!("{own}/{other}"))),
            ("to", self.max_overtime_ms.map(|ms| ms.to_string())),
            ("var", self.variant.map(|variant| variant_text(variant).to_string())),
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

/// Why a text is no CGP. Columns count characters of the whole text from 1.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
pub enum CgpError {
    /// The text ends too early.
    #[error("column {column}: the text ends before the {expected}")]
    Missing {
        /// Column behind the last character.
        column: usize,
        /// The field that is missing.
        expected: &'static str,
    },
    /// The board has another number of rows.
    #[error("column {column}: {found} rows, the board has {expected}")]
    RowCount {
        /// Column of the first row too many, or behind the last row.
        column: usize,
        /// Rows found.
        found: usize,
        /// Rows of the layout.
        expected: usize,
    },
    /// A row is too short or too long.
    #[error("column {column}: row {row} has {found} squares, expected {expected}")]
    RowWidth {
        /// Column where the row begins.
        column: usize,
        /// 1-based row.
        row: usize,
        /// Its squares.
        found: usize,
        /// Columns of the layout.
        expected: usize,
    },
    /// A number in a row that is no gap.
    #[error("column {column}: {found:?} is not a gap of 1 to {expected} empty squares")]
    BadGap {
        /// Column of the number.
        column: usize,
        /// The number.
        found: String,
        /// Columns of the layout.
        expected: usize,
    },
    /// Something that is no tile.
    #[error("column {column}: {found:?} is not a tile of the {alphabet} alphabet")]
    BadTile {
        /// Its column.
        column: usize,
        /// The character or bracketed group.
        found: String,
        /// Name of the letter distribution.
        alphabet: String,
    },
    /// More of a tile than the game has.
    #[error("column {column}: {tile} number {found}, the game has {expected} of it")]
    TooManyOfTile {
        /// Column of the first one too many.
        column: usize,
        /// The tile.
        tile: String,
        /// Tiles of this kind up to here.
        found: usize,
        /// Tiles of this kind in a full bag.
        expected: usize,
    },
    /// More tiles than a rack holds.
    #[error("column {column}: {found} tiles, a rack holds {expected}")]
    RackTooLong {
        /// Column where the rack begins.
        column: usize,
        /// Its tiles.
        found: usize,
        /// Tiles on a full rack.
        expected: usize,
    },
    /// Not a game of two.
    #[error("column {column}: {field} of {found} players, expected 2 with one / between them")]
    PlayerCount {
        /// Column where the field begins.
        column: usize,
        /// `racks`, `scores` or `clocks`.
        field: &'static str,
        /// Parts found.
        found: usize,
    },
    /// A number that is none or out of range.
    #[error("column {column}: {found:?} is not {expected}")]
    BadNumber {
        /// Its column.
        column: usize,
        /// The text.
        found: String,
        /// What is wanted.
        expected: &'static str,
    },
    /// An opcode with another operand than it takes.
    #[error("column {column}: {opcode} takes {expected}, not {found:?}")]
    BadOperand {
        /// Column of the operand.
        column: usize,
        /// The opcode.
        opcode: &'static str,
        /// The operand.
        found: String,
        /// What is wanted.
        expected: &'static str,
    },
    /// An opcode given again.
    #[error("column {column}: {opcode} stands here for the second time")]
    Repeated {
        /// Column of the second one.
        column: usize,
        /// The opcode.
        opcode: &'static str,
    },
    /// All parts can be read, but they are no position together.
    #[error("no position: {0}")]
    Position(#[from] TurnError),
}

/// Reads the opcodes alone, to choose letter distribution and layout before [`parse`].
/// The second value names the unknown ones.
///
/// # Errors
/// Fewer than four fields before them, or an opcode with a wrong operand.
pub fn parse_opcodes(text: &str) -> Result<(Opcodes, Vec<String>), CgpError> {
    read_operations(text, Fields::split(text)?.operations)
}

/// Reads a position. `rules` say what the opcodes leave open, with the letter distribution and the layout.
///
/// An empty rack is an unknown one. With `oru` the opponent's rack is read and dropped.
///
/// # Errors
/// The column of the first thing that is wrong, what stands there and what was expected.
pub fn parse(text: &str, rules: &GameRules) -> Result<Cgp, CgpError> {
    let fields = Fields::split(text)?;
    let (opcodes, ignored) = read_operations(text, fields.operations)?;
    let rules = opcodes.apply(rules);
    let mut used = Used { whole: text, distribution: &rules.distribution, tiles: Rack::EMPTY };
    let board = read_board(fields.board, rules.layout.dim(), &mut used)?;
    let [own, other] = two_parts(text, fields.racks, "racks")?;
    let own = read_rack(own, rules.rack_size, &mut used)?;
    let other = if opcodes.opponent_rack_unknown {
        // Read for its errors only: its tiles may be anywhere.
        read_rack(other, rules.rack_size, &mut Used { tiles: Rack::EMPTY, ..used })?;
        Rack::EMPTY
    } else {
        read_rack(other, rules.rack_size, &mut used)?
    };
    let scores = two_parts(text, fields.scores, "scores")?;
    let [own_score, other_score] = scores.map(|score| read_number(text, score, -MAX_POINTS..=MAX_POINTS, "a score from -999999 to 999999"));
    let zero_turns = read_number(text, fields.zero_turns, 0..=9_999, "a number of turns without points from 0 to 9999")?;
    let position = Position::new(Arc::new(rules), board, [own, other], [own_score?, other_score?], zero_turns)?;
    Ok(Cgp { position, opcodes, ignored })
}

/// Writes a position from the player on turn, with these opcodes. [`parse`] gives both back.
pub fn print(position: &Position, opcodes: &Opcodes) -> String {
    let distribution = &position.rules().distribution;
    let mover = position.on_turn();
    let other_rack = if opcodes.opponent_rack_unknown { String::new() } else { position.opponent_rack().text(distribution) };
    let text = format!(
        "{} {}/{other_rack} {}/{} {} {opcodes}",
        board_text(position.board(), distribution),
        position.mover_rack().text(distribution),
        position.score(mover),
        position.score(1 - mover),
        position.zero_turns(),
    );
    text.trim_end().to_string()
}

/// A board as in the first field of a CGP.
pub fn board_text(board: &Board, distribution: &LetterDistribution) -> String {
    let mut text = String::new();
    for row in 0..board.dim() {
        let mut gap = 0;
        if row > 0 {
            text.push('/');
        }
        for col in 0..board.dim() {
            let Some(tile) = board.get(Square::new(row, col)) else {
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

/// A challenge rule as the opcode `cr` has it.
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

/// A variant as the opcode `var` has it.
pub const fn variant_text(variant: Variant) -> &'static str {
    variant.name()
}

/// Reads a variant in either case: `classic wordsmog misere`.
pub fn parse_variant(text: &str) -> Option<Variant> {
    Variant::from_name(text)
}

/// The four fields and the rest.
struct Fields<'a> {
    board: &'a str,
    racks: &'a str,
    scores: &'a str,
    zero_turns: &'a str,
    operations: &'a str,
}

impl<'a> Fields<'a> {
    fn split(text: &'a str) -> Result<Fields<'a>, CgpError> {
        let mut rest = text;
        let mut field = |expected| {
            let end = text.trim_end().chars().count() + 1;
            next_field(&mut rest).ok_or(CgpError::Missing { column: end, expected })
        };
        let (board, racks) = (field("board")?, field("racks")?);
        let (scores, zero_turns) = (field("scores")?, field("number of turns without points")?);
        Ok(Fields { board, racks, scores, zero_turns, operations: rest })
    }
}

/// The 1-based column, in characters, at which `part`, a slice of `whole`, begins.
pub(super) fn column_of(whole: &str, part: &str) -> usize {
    let offset = (part.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize);
    whole.get(..offset).map_or(1, |before| before.chars().count() + 1)
}

/// Takes the next word off the front of a text.
pub(super) fn next_field<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let trimmed = rest.trim_start();
    let (field, after) = trimmed.split_at(trimmed.find(char::is_whitespace).unwrap_or(trimmed.len()));
    *rest = after;
    (!field.is_empty()).then_some(field)
}

/// Takes one character, one bracketed group or one whole number off the front of a text.
pub(super) fn next_piece<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let first = rest.chars().next()?;
    let end = match first {
        '[' => rest.find(']').map_or(1, |end| end + 1),
        '0'..='9' => rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()),
        _ => first.len_utf8(),
    };
    let (piece, after) = rest.split_at(end);
    *rest = after;
    Some(piece)
}

/// At most 24 characters of a text, for messages.
pub(super) fn shortened(text: &str) -> String {
    if text.chars().nth(24).is_none() { text.to_string() } else { text.chars().take(23).chain(['…']).collect() }
}

fn push_gap(text: &mut String, gap: &mut usize) {
    if *gap > 0 {
        text.push_str(&gap.to_string());
        *gap = 0;
    }
}

fn two_parts<'a>(whole: &str, field: &'a str, name: &'static str) -> Result<[&'a str; 2], CgpError> {
    match field.split_once('/') {
        Some((own, other)) if !other.contains('/') => Ok([own, other]),
        _ => Err(CgpError::PlayerCount { column: column_of(whole, field), field: name, found: field.split('/').count() }),
    }
}

fn read_number<T: std::str::FromStr + PartialOrd>(
    whole: &str,
    text: &str,
    range: RangeInclusive<T>,
    expected: &'static str,
) -> Result<T, CgpError> {
    let bad = || CgpError::BadNumber { column: column_of(whole, text), found: shortened(text), expected };
    text.parse().ok().filter(|number| range.contains(number)).ok_or_else(bad)
}

/// The tiles read so far: no more than there are of each.
struct Used<'a> {
    whole: &'a str,
    distribution: &'a LetterDistribution,
    tiles: Rack,
}

impl Used<'_> {
    fn take(&mut self, tile: Tile, piece: &str) -> Result<(), CgpError> {
        let expected = self.distribution.count(tile);
        if self.tiles.count(tile) >= expected {
            return Err(CgpError::TooManyOfTile {
                column: column_of(self.whole, piece),
                tile: self.distribution.tiles_text([tile]),
                found: expected as usize + 1,
                expected: expected as usize,
            });
        }
        self.tiles.add(tile);
        Ok(())
    }

    fn bad_tile(&self, piece: &str) -> CgpError {
        let alphabet = self.distribution.name().to_string();
        CgpError::BadTile { column: column_of(self.whole, piece), found: shortened(piece), alphabet }
    }
}

fn read_board(field: &str, dim: usize, used: &mut Used) -> Result<Board, CgpError> {
    let mut board = Board::empty(dim);
    let rows: Vec<&str> = field.split('/').collect();
    if rows.len() != dim {
        let column = match rows.get(dim) {
            Some(extra) => column_of(used.whole, extra),
            None => column_of(used.whole, field) + field.chars().count(),
        };
        return Err(CgpError::RowCount { column, found: rows.len(), expected: dim });
    }
    for (row, text) in rows.into_iter().enumerate() {
        let (mut rest, mut col) = (text, 0);
        while let Some(piece) = next_piece(&mut rest) {
            if piece.starts_with(|c: char| c.is_ascii_digit()) {
                let bad_gap = || CgpError::BadGap { column: column_of(used.whole, piece), found: shortened(piece), expected: dim };
                col += piece.parse().ok().filter(|gap| (1..=dim).contains(gap)).ok_or_else(bad_gap)?;
                continue;
            }
            let tile = match used.distribution.parse_placed(piece).as_deref() {
                Ok(&[tile]) => tile,
                _ => return Err(used.bad_tile(piece)),
            };
            if col < dim {
                used.take(tile.rack_tile(), piece)?;
                board.set(Square::new(row, col), Some(tile));
            }
            col += 1;
        }
        if col != dim {
            return Err(CgpError::RowWidth { column: column_of(used.whole, text), row: row + 1, found: col, expected: dim });
        }
    }
    Ok(board)
}

fn read_rack(text: &str, rack_size: usize, used: &mut Used) -> Result<Rack, CgpError> {
    let mut rack = Rack::EMPTY;
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(piece) = next_piece(&mut rest) {
        pieces.push(piece);
    }
    if pieces.len() > rack_size {
        return Err(CgpError::RackTooLong { column: column_of(used.whole, text), found: pieces.len(), expected: rack_size });
    }
    for piece in pieces {
        match used.distribution.parse_tiles(piece).as_deref() {
            Ok(&[tile]) => {
                used.take(tile, piece)?;
                rack.add(tile);
            }
            _ => return Err(used.bad_tile(piece)),
        }
    }
    Ok(rack)
}

/// One operation: an opcode with the text behind it.
struct Operation<'a> {
    whole: &'a str,
    /// The opcode as written, for the place.
    name: &'a str,
    opcode: &'static str,
    operand: &'a str,
}

impl Operation<'_> {
    fn bad(&self, expected: &'static str) -> CgpError {
        let column = column_of(self.whole, self.operand);
        CgpError::BadOperand { column, opcode: self.opcode, found: shortened(self.operand), expected }
    }

    fn word(&self, expected: &'static str) -> Result<String, CgpError> {
        if self.operand.is_empty() || self.operand.contains(char::is_whitespace) {
            return Err(self.bad(expected));
        }
        Ok(self.operand.to_string())
    }

    fn number<T: std::str::FromStr + PartialOrd>(&self, range: RangeInclusive<T>, expected: &'static str) -> Result<T, CgpError> {
        self.operand.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| self.bad(expected))
    }

    fn milliseconds(&self) -> Result<i64, CgpError> {
        self.number(0..=i64::from(i32::MAX), "milliseconds from 0 to 2147483647")
    }

    fn clocks(&self) -> Result<[i64; 2], CgpError> {
        let [own, other] = two_parts(self.whole, self.operand, "clocks")?;
        let limit = i64::from(i32::MAX);
        let read = |clock: &str| read_number(self.whole, clock, -limit..=limit, "milliseconds on a clock");
        Ok([read(own)?, read(other)?])
    }

    fn put<T>(&self, slot: &mut Option<T>, value: T) -> Result<(), CgpError> {
        if slot.replace(value).is_some() {
            return Err(CgpError::Repeated { column: column_of(self.whole, self.name), opcode: self.opcode });
        }
        Ok(())
    }
}

const OPCODES: [&str; 14] = ["bb", "bdn", "cr", "etl", "gid", "ld", "lex", "lm", "mcnz", "oru", "ti", "tmr", "to", "var"];

fn read_operations(whole: &str, text: &str) -> Result<(Opcodes, Vec<String>), CgpError> {
    let (mut opcodes, mut ignored) = (Opcodes::default(), Vec::new());
    let mut unknown_rack = None;
    for operation in text.split(';') {
        let mut rest = operation;
        let Some(name) = next_field(&mut rest) else { continue };
        let plain = name.strip_prefix('-').unwrap_or(name);
        let Some(opcode) = OPCODES.into_iter().find(|opcode| opcode.eq_ignore_ascii_case(plain)) else {
            ignored.push(plain.to_string());
            continue;
        };
        let it = Operation { whole, name, opcode, operand: rest.trim() };
        match opcode {
            "bb" => it.put(&mut opcodes.bingo_bonus, it.number(0..=MAX_POINTS, "points from 0 to 999999")?)?,
            "bdn" => it.put(&mut opcodes.board_name, it.word("the name of a board, one word")?)?,
            "cr" => {
                let rule = parse_challenge_rule(it.operand).ok_or_else(|| it.bad("void, single, double, triple, 5pt or 10pt"))?;
                it.put(&mut opcodes.challenge_rule, rule)?;
            }
            "etl" => it.put(&mut opcodes.exchange_limit, it.number(0..=9_999, "a number of tiles from 0 to 9999")?)?,
            "gid" => it.put(&mut opcodes.game_id, it.word("an id, one word")?)?,
            "ld" => it.put(&mut opcodes.letter_distribution, it.word("the name of a letter distribution, one word")?)?,
            "lex" => it.put(&mut opcodes.lexicon, it.word("the name of a lexicon, one word")?)?,
            "lm" if it.operand.is_empty() => return Err(it.bad("a move")),
            "lm" => it.put(&mut opcodes.last_move, it.operand.to_string())?,
            "mcnz" => it.put(&mut opcodes.max_zero_turns, it.number(1..=9_999, "a number of turns from 1 to 9999")?)?,
            "oru" if !it.operand.is_empty() => return Err(it.bad("nothing")),
            "oru" => it.put(&mut unknown_rack, ())?,
            "ti" => it.put(&mut opcodes.timer_increment_ms, it.milliseconds()?)?,
            "tmr" => it.put(&mut opcodes.timers_ms, it.clocks()?)?,
            "to" => it.put(&mut opcodes.max_overtime_ms, it.milliseconds()?)?,
            _ => {
                let variant = parse_variant(it.operand).ok_or_else(|| it.bad("classic, wordsmog or misere"))?;
                it.put(&mut opcodes.variant, variant)?;
            }
        }
    }
    opcodes.opponent_rack_unknown = unknown_rack.is_some();
    Ok((opcodes, ignored))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{english_rules, layout, letter_distribution};
    use crate::rules::game::GameEnd;
    use proptest::prelude::*;

    const EMPTY: &str = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15";
    const MAVEN: &str = "5BERGS5/4PA3U5/2QAID3R5/3BEE3F2S2/1P1ET2VIATIC2/MA1TAW3c2H2/ES3IS2E2A2/AT1FOLIA4V2/LI1L1EX1E6/\
        1N1O1D2N2Y3/1GNU2C1JETE3/2ER2OHO2N3/2O3GOY6/1INDOW1U7/4DORR7 IKLMTZ/AEINRU? 0/0 0 lex OSPD1;";
    const MOVEGEN: &str = include_str!("../../tests/data/movegen_enable.tsv");
    const ENDGAMES: &str = include_str!("../../tests/data/endgame_enable.tsv");

    fn read(text: &str) -> Cgp {
        parse(text, &english_rules()).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    /// A 3x3 board with two letters, one of them of two characters, six of each and one blank.
    fn small_rules() -> GameRules {
        let tiles = letter_distribution::parse("mini", "?,?,1,0,0\nA,a,6,1,1\nCH,ch,6,5,0\n").unwrap();
        GameRules::standard(Arc::new(tiles), Arc::new(layout::parse("3x3", "=.=\n.*.\n=.=").unwrap()))
    }

    fn message(text: &str) -> String {
        parse(text, &small_rules()).unwrap_err().to_string()
    }

    #[test]
    fn the_format_descriptions_examples_are_read() {
        let opening = read(&format!("{EMPTY} AELNOQT/ 0/0 0 lex NWL18; lm -2;"));
        assert_eq!(opening.opcodes.lexicon.as_deref(), Some("NWL18"));
        assert_eq!(opening.opcodes.last_move.as_deref(), Some("-2"));
        assert_eq!(opening.position.mover_rack().len(), 7);
        assert!(opening.position.opponent_rack().is_empty());
        assert!(opening.position.board().is_empty());

        let endgame = read(MAVEN).position;
        assert_eq!(endgame.in_bag(), 0);
        assert_eq!(endgame.opponent_rack().count(Tile::BLANK), 1);
        let blank = endgame.board().get(Square::new(5, 9)).unwrap();
        assert!(blank.is_blank());
        assert_eq!(blank.letter().number(), 3);
        assert_eq!(print(&endgame, &Opcodes::default()) + " lex OSPD1;", MAVEN);
    }

    #[test]
    fn the_oracles_positions_are_printed_as_they_were_read() {
        let rows: Vec<&str> =
            [MOVEGEN, ENDGAMES].into_iter().flat_map(|table| table.lines().skip(1)).map(|line| line.split('\t').next().unwrap()).collect();
        assert_eq!(rows.len(), 300 + ENDGAMES.lines().count() - 1);
        for text in rows {
            let cgp = read(text);
            assert_eq!(print(&cgp.position, &cgp.opcodes), text);
        }
    }

    #[test]
    fn all_opcodes_are_read_and_written() {
        let all = "bb 35; bdn Super; cr 5pt; etl 1; gid g-17; ld english; lex CSW21; lm ex.ABC; mcnz 4; oru; ti 3000; \
            tmr 10000/-2500; to 60000; var wordsmog;";
        let text = format!("{EMPTY} AB/ 12/-7 2 {all}");
        let cgp = read(&text);
        let rules = cgp.position.rules();
        assert_eq!((rules.bingo_bonus, rules.exchange_limit, rules.max_zero_turns), (35, 1, 4));
        assert_eq!((rules.challenge_rule, rules.variant), (ChallengeRule::FivePoint, Variant::Wordsmog));
        assert_eq!(cgp.opcodes.timers_ms, Some([10_000, -2_500]));
        assert_eq!(print(&cgp.position, &cgp.opcodes), text);
        assert_eq!(parse_opcodes(&text), Ok((cgp.opcodes, Vec::new())));
    }

    #[test]
    fn opcodes_are_read_in_the_spellings_that_occur() {
        let opcodes = |text: &str| parse_opcodes(&format!("{EMPTY}  / 0/0\t0  {text}")).unwrap();
        assert_eq!(opcodes("-lex CSW21;").0.lexicon.as_deref(), Some("CSW21"));
        assert_eq!(opcodes("lex CSW21;ld english").0.letter_distribution.as_deref(), Some("english"));
        assert_eq!(opcodes(" cr TEN_POINT ; ;").0.challenge_rule, Some(ChallengeRule::TenPoint));
        assert_eq!(opcodes("var WordSmog;").0.variant, Some(Variant::Wordsmog));
        assert_eq!(opcodes("lm phony.8D.DJINN; foo; -bar 1 2; FOO x").1, ["foo", "bar", "FOO"]);
        assert_eq!(opcodes(""), (Opcodes::default(), vec![]));
        let rules = english_rules();
        assert_eq!(Opcodes::of_rules(&rules).to_string(), "bb 50; bdn standard15; cr void; etl 7; ld english; mcnz 6; var classic;");
        for rule in ["void", "single", "double", "triple", "5pt", "10pt"] {
            assert_eq!(parse_challenge_rule(rule).map(challenge_rule_text), Some(rule));
        }
        for variant in ["classic", "wordsmog", "misere"] {
            assert_eq!(parse_variant(variant).map(variant_text), Some(variant));
        }
    }

    #[test]
    fn racks_may_be_unknown_known_in_part_or_not_to_be_used() {
        let racks = |field: &str| {
            let cgp = read(&format!("{EMPTY} {field} 0/0 0"));
            [0, 1].map(|seat| cgp.position.rack(seat).text(&cgp.position.rules().distribution))
        };
        assert_eq!(racks("/"), ["", ""]);
        assert_eq!(racks("aeinrst/"), ["AEINRST", ""]);
        assert_eq!(racks("/?AB"), ["", "AB?"]);
        // The opponent's rack is dropped, also when his tiles cannot be his.
        let hidden = read(&format!("{EMPTY} QABC/QJK 0/0 0 oru;"));
        assert!(hidden.position.opponent_rack().is_empty());
        assert_eq!(hidden, read(&print(&hidden.position, &hidden.opcodes)));
    }

    #[test]
    fn tiles_of_two_characters_and_other_sizes_are_read() {
        let text = "3/[CH]a1/3 A[CH]?/ 4/0 0";
        let error = message(text);
        assert_eq!(error, "column 17: ? number 2, the game has 1 of it");
        let text = "3/[CH]A1/1[ch]1 A[CH]/[CH] 4/0 0";
        let cgp = parse(text, &small_rules()).unwrap();
        assert_eq!(cgp.position.board().tiles().count(), 3);
        assert_eq!(print(&cgp.position, &cgp.opcodes), text);
    }

    #[test]
    fn a_position_after_the_end_of_the_game_is_known_as_such() {
        let end = |text: &str| read(text).position.end();
        assert_eq!(end(&format!("{EMPTY} AB/CD 0/0 6")), Some(GameEnd::ZeroTurns));
        assert_eq!(end(&format!("{EMPTY} AB/CD 0/0 3 mcnz 3;")), Some(GameEnd::ZeroTurns));
        assert_eq!(end(&format!("{EMPTY} AB/CD 0/0 5")), None);
        assert_eq!(end(MAVEN), None);
    }

    #[test]
    fn the_second_player_is_printed_first_when_it_is_his_turn() {
        use crate::rules::game::Turn;
        use crate::rules::play::Play;
        let before = read(&format!("{EMPTY} AB/CD 10/20 0"));
        let after = before.position.after(&Turn::Play(Play::Pass)).unwrap();
        assert_eq!(print(&after, &before.opcodes), format!("{EMPTY} CD/AB 20/10 1"));
    }

    #[test]
    fn errors_name_the_column_and_what_was_expected() {
        assert_eq!(message(""), "column 1: the text ends before the board");
        assert_eq!(message("3/3/3 / 0/0 "), "column 12: the text ends before the number of turns without points");
        assert_eq!(message("3/3 / 0/0 0"), "column 4: 2 rows, the board has 3");
        assert_eq!(message("3/3/3/3 / 0/0 0"), "column 7: 4 rows, the board has 3");
        assert_eq!(message("3/A1/3 / 0/0 0"), "column 3: row 2 has 2 squares, expected 3");
        assert_eq!(message("3/AAAA/3 / 0/0 0"), "column 3: row 2 has 4 squares, expected 3");
        assert_eq!(message("3/A3/3 / 0/0 0"), "column 3: row 2 has 4 squares, expected 3");
        assert_eq!(
            message("3/A99999999999999999999999/3 / 0/0 0"),
            "column 4: \"99999999999999999999999\" is not a gap of 1 to 3 empty squares"
        );
        assert_eq!(message("0/3/3 / 0/0 0"), "column 1: \"0\" is not a gap of 1 to 3 empty squares");
        assert_eq!(message("3/1B1/3 / 0/0 0"), "column 4: \"B\" is not a tile of the mini alphabet");
        assert_eq!(message("3/1?1/3 / 0/0 0"), "column 4: \"?\" is not a tile of the mini alphabet");
        assert_eq!(message("é/3/3 / 0/0 0"), "column 1: \"é\" is not a tile of the mini alphabet");
        assert_eq!(message("3/1[LL]1/3 / 0/0 0"), "column 4: \"[LL]\" is not a tile of the mini alphabet");
        assert_eq!(message("3/1[CH/3 / 0/0 0"), "column 4: \"[\" is not a tile of the mini alphabet");
        assert_eq!(message("AAA/AAA/A2 / 0/0 0"), "column 9: A number 7, the game has 6 of it");
        assert_eq!(message("3/3/3 AAAA/AAA 0/0 0"), "column 14: A number 7, the game has 6 of it");
        assert_eq!(message("3/3/3 A/AAAAAAAA 0/0 0"), "column 9: 8 tiles, a rack holds 7");
        assert_eq!(message("3/3/3 A/1 0/0 0"), "column 9: \"1\" is not a tile of the mini alphabet");
        assert_eq!(message("3/3/3 A 0/0 0"), "column 7: racks of 1 players, expected 2 with one / between them");
        assert_eq!(message("3/3/3 // 0/0/0 0"), "column 7: racks of 3 players, expected 2 with one / between them");
        assert_eq!(message("3/3/3 / 0/0/0 0"), "column 9: scores of 3 players, expected 2 with one / between them");
        assert_eq!(message("3/3/3 / 0/x 0"), "column 11: \"x\" is not a score from -999999 to 999999");
        assert_eq!(message("3/3/3 / 0/1000000 0"), "column 11: \"1000000\" is not a score from -999999 to 999999");
        assert_eq!(message("3/3/3 / 0/0 -1"), "column 13: \"-1\" is not a number of turns without points from 0 to 9999");
        assert_eq!(message("3/3/3 / 0/0 0 cr hard;"), "column 18: cr takes void, single, double, triple, 5pt or 10pt, not \"hard\"");
        assert_eq!(message("3/3/3 / 0/0 0 var chess"), "column 19: var takes classic, wordsmog or misere, not \"chess\"");
        assert_eq!(message("3/3/3 / 0/0 0 lex;"), "column 18: lex takes the name of a lexicon, one word, not \"\"");
        assert_eq!(message("3/3/3 / 0/0 0 lex A ld B;"), "column 19: lex takes the name of a lexicon, one word, not \"A ld B\"");
        assert_eq!(message("3/3/3 / 0/0 0 bb -1;"), "column 18: bb takes points from 0 to 999999, not \"-1\"");
        assert_eq!(message("3/3/3 / 0/0 0 oru 1;"), "column 19: oru takes nothing, not \"1\"");
        assert_eq!(message("3/3/3 / 0/0 0 lm;"), "column 17: lm takes a move, not \"\"");
        assert_eq!(message("3/3/3 / 0/0 0 tmr 5;"), "column 19: clocks of 1 players, expected 2 with one / between them");
        assert_eq!(message("3/3/3 / 0/0 0 tmr 5/x;"), "column 21: \"x\" is not milliseconds on a clock");
        assert_eq!(message("3/3/3 / 0/0 0 bb 5; -bb 5;"), "column 21: bb stands here for the second time");
    }

    /// A CGP with some characters replaced, put in or taken out.
    fn mutated() -> impl Strategy<Value = String> {
        let table: Vec<&str> =
            MOVEGEN.lines().skip(1).chain(ENDGAMES.lines().skip(1)).map(|line| line.split('\t').next().unwrap()).collect();
        let edit =
            (any::<prop::sample::Index>(), 0..3usize, prop::sample::select("AZaz019/ ;[]?-.é\0\u{2028}Q".chars().collect::<Vec<_>>()));
        (prop::sample::select(table), prop::collection::vec(edit, 1..6)).prop_map(|(text, edits)| {
            let mut chars: Vec<char> = text.chars().collect();
            for (place, kind, c) in edits {
                let at = place.index(chars.len());
                match kind {
                    0 => chars[at] = c,
                    1 => chars.insert(at, c),
                    _ => drop(chars.remove(at)),
                }
            }
            chars.into_iter().collect()
        })
    }

    proptest! {
        #[test]
        fn damaged_positions_are_refused_or_read_back(text in mutated()) {
            if let Ok(cgp) = parse(&text, &english_rules()) {
                let printed = print(&cgp.position, &cgp.opcodes);
                let again = parse(&printed, &english_rules()).unwrap();
                prop_assert_eq!(&again.position, &cgp.position);
                prop_assert_eq!(&again.opcodes, &cgp.opcodes);
            }
        }

        #[test]
        fn any_text_is_refused_without_panic(text in "\\PC*") {
            let _ = parse(&text, &english_rules());
            let _ = parse(&format!("{EMPTY} / 0/0 0 {text}"), &english_rules());
        }

        #[test]
        fn any_opcodes_are_read_back(
            bonus in prop::option::of(0..100i32),
            name in prop::option::of("[A-Za-z0-9_.-]{1,9}"),
            zeros in prop::option::of(1..9u32),
            clocks in prop::option::of([-9_999..9_999i64, 0..9_999i64]),
            hidden: bool,
        ) {
            let opcodes = Opcodes {
                bingo_bonus: bonus,
                board_name: name.clone(),
                game_id: name,
                max_zero_turns: zeros,
                timers_ms: clocks,
                opponent_rack_unknown: hidden,
                ..Opcodes::default()
            };
            let text = format!("{EMPTY} / 0/0 0 {opcodes}");
            prop_assert_eq!(parse_opcodes(&text), Ok((opcodes, vec![])));
        }
    }
}
