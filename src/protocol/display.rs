//! The position drawn for a person at a terminal, as plain lines.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::formats::layout::premium_char;
use crate::rules::layout::Premium;
use crate::rules::{GameEnd, Position, Rack, Seat, Square};

/// The board with premium squares, coordinates and tiles, then racks, scores, the bag and whose turn it is.
pub fn draw(position: &Position) -> Vec<String> {
    let rules = position.rules();
    let dim = position.board().dim();
    let columns: String = (0..dim).map(|col| format!(" {}", column_letter(col))).collect();
    let mut lines = vec![format!("   {columns}")];
    for row in 0..dim {
        let mut line = format!("{:>3}", row + 1);
        for col in 0..dim {
            let cell = cell_text(position, Square::new(row, col));
            // A tile of several characters takes the blank before it too.
            line.push_str(&format!("{cell:>2}"));
        }
        lines.push(line);
    }
    lines.push("' letter x2  \" letter x3  ^ letter x4  - word x2  = word x3  ~ word x4  * start  small letter: blank".to_string());
    for seat in 0..2 {
        lines.push(player_line(position, seat));
    }
    let bag = format!("{} in the bag, {} unseen by the player on turn", position.in_bag(), position.unseen().len());
    lines.push(format!("{bag}, {} of {} turns without points", position.zero_turns(), rules.max_zero_turns));
    if let Some(end) = position.end() {
        lines.push(match end {
            GameEnd::WentOut(seat) => format!("the game is over: player {} went out", seat + 1),
            GameEnd::ZeroTurns => "the game is over: too many turns without points".to_string(),
            GameEnd::Declared => "the game was declared over".to_string(),
        });
    }
    lines
}

fn player_line(position: &Position, seat: Seat) -> String {
    let marker = if position.on_turn() == seat { '>' } else { ' ' };
    let rack = position.rack(seat);
    format!("{marker} player {}  {:>4} points  rack {}", seat + 1, position.score(seat), rack_text(position, rack))
}

fn rack_text(position: &Position, rack: &Rack) -> String {
    if rack.is_empty() { "unknown".to_string() } else { rack.text(&position.rules().distribution) }
}

fn cell_text(position: &Position, square: Square) -> String {
    let layout = &position.rules().layout;
    let Some(tile) = position.board().get(square) else {
        let is_start = square == layout.start();
        return if is_start && layout.premium(square) != Premium::None {
            "*".to_string()
        } else if is_start {
            "+".to_string()
        } else {
            premium_char(layout.premium(square)).to_string()
        };
    };
    let mut text = String::new();
    position.rules().distribution.write_placed(tile, &mut text);
    text.trim_matches(|c| matches!(c, '[' | ']')).to_string()
}

/// A, B, ... Z; boards have at most 21 columns.
fn column_letter(col: usize) -> char {
    u8::try_from(col).ok().and_then(|col| b'A'.checked_add(col)).map_or('?', char::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::english_rules;
    use crate::rules::notation::{apply_move, parse_move};
    use std::sync::Arc;

    #[test]
    fn the_board_after_a_move() {
        let start = Position::start(Arc::new(english_rules()));
        let position = apply_move(&start, &parse_move("8G.CaT", &start).unwrap()).unwrap();
        let lines = draw(&position);
        assert_eq!(lines[0], "    A B C D E F G H I J K L M N O");
        assert_eq!(lines[1], "  1 = . . ' . . . = . . . ' . . =");
        assert_eq!(lines[8], "  8 = . . ' . . C a T . . ' . . =");
        assert_eq!(draw(&start)[8], "  8 = . . ' . . . * . . . ' . . =");
        assert_eq!(lines[17], "  player 1     8 points  rack unknown");
        assert_eq!(lines[18], "> player 2     0 points  rack unknown");
        assert_eq!(lines[19], "83 in the bag, 97 unseen by the player on turn, 0 of 6 turns without points");
    }
}
