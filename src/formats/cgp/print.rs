//! Writing a CGP. What is written here, [`parse`](crate::formats::cgp::parse()) reads back.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::formats::cgp::names::challenge_rule_text;
use crate::formats::cgp::types::Opcodes;
use crate::rules::Position;
use crate::rules::board::{Board, Square};
use crate::rules::distribution::LetterDistribution;
use std::fmt;

/// Writes a position from the player on turn, with these opcodes. [`parse`](crate::formats::cgp::parse()) gives both back.
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
