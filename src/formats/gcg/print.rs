//! Writing a game. What is written here, [`parse`](crate::formats::gcg::parse()) reads back.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::formats::gcg::types::{Gcg, GcgAction, GcgEvent, WordCell};
use crate::rules::notation::coordinate_text;
use std::fmt::Write as _;

/// Writes a game. [`parse`](crate::formats::gcg::parse()) gives it back.
pub fn print(game: &Gcg) -> String {
    let mut out = String::new();
    let mut line = |text: String| {
        out.push_str(text.trim_end());
        out.push('\n');
    };
    if let Some(encoding) = &game.encoding {
        line(format!("#character-encoding {encoding}"));
    }
    for (number, player) in (1..).zip(&game.players) {
        line(format!("#player{number} {} {}", player.nick, player.name));
    }
    for (number, rack) in (1..).zip(&game.racks) {
        if let Some(rack) = rack {
            line(format!("#rack{number} {}", rack.text(&game.distribution)));
        }
    }
    let mut pragmas = game.pragmas.iter().peekable();
    for events_before in 0..=game.events.len() {
        while let Some(pragma) = pragmas.next_if(|pragma| pragma.after_events <= events_before) {
            line(format!("#{} {}", pragma.key, pragma.value));
        }
        if let Some(event) = game.events.get(events_before) {
            line(event_text(game, event));
        }
    }
    for pragma in pragmas {
        line(format!("#{} {}", pragma.key, pragma.value));
    }
    out
}

fn event_text(game: &Gcg, event: &GcgEvent) -> String {
    let distribution = &game.distribution;
    let mut text = String::from(">");
    text.push_str(game.players.get(event.player).map_or("?", |player| player.nick.as_str()));
    text.push_str(": ");
    if !event.rack.is_empty() {
        text.push_str(&event.rack.text(distribution));
        text.push(' ');
    }
    match &event.action {
        GcgAction::Place { start, direction, word } => {
            text.push_str(&coordinate_text(*start, *direction));
            text.push(' ');
            for cell in word {
                match cell {
                    WordCell::Dot => text.push('.'),
                    WordCell::Tile(tile) => distribution.write_placed(*tile, &mut text),
                    WordCell::Through(tile) => {
                        text.push('(');
                        distribution.write_placed(*tile, &mut text);
                        text.push(')');
                    }
                }
            }
        }
        GcgAction::Pass => text.push('-'),
        GcgAction::Exchange(tiles) => {
            text.push('-');
            text.push_str(&tiles.text(distribution));
        }
        GcgAction::ExchangeUnknown(count) => {
            let _ = write!(text, "-{count}");
        }
        GcgAction::Withdrawn => text.push_str("--"),
        GcgAction::ChallengeBonus => text.push_str("(challenge)"),
        GcgAction::TimePenalty => text.push_str("(time)"),
        GcgAction::OutBonus(tiles) | GcgAction::RackLoss(tiles) => {
            text.push('(');
            text.push_str(&tiles.text(distribution));
            text.push(')');
        }
    }
    // As Quackle wrote it: by the sign a reader knows that the record has all of the end.
    let sign = if event.mends.is_whole_end { "+" } else { "" };
    let _ = write!(text, " {sign}{:+} {} {}", event.points, event.total, event.remark);
    text
}
