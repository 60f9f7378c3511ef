//! Displays a position: the board drawn for a person, the rest as keys and values for programs as
//! well.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::formats::layout::premium_char;
use crate::rules::layout::{Layout, Premium};
use crate::rules::tiles::Placed;
use crate::rules::{GameEnd, GameRules, Position, Rack, Seat, Square};

/// The meaning of the characters of a board.
pub const LEGEND: &str = "' letter x2  \" letter x3  ^ letter x4  - word x2  = word x3  ~ word x4  * start  small letter: blank";

/// Returns the board with premium squares, coordinates and tiles.
pub fn draw(position: &Position) -> Vec<String> {
    let dim = position.board().dim();
    let mut lines = vec![column_names(dim)];
    for row in 0..dim {
        let mut line = format!("{:>3}", row + 1);
        for col in 0..dim {
            let cell = cell_text(position, Square::at(row, col));
            // A tile of several characters also takes the blank before it.
            line.push_str(&format!("{cell:>2}"));
        }
        lines.push(line);
    }
    lines.push(LEGEND.to_string());
    lines
}

/// Returns the line above a board.
pub fn column_names(dim: usize) -> String {
    format!("   {}", (0..dim).map(|col| format!(" {}", column_letter(col))).collect::<String>())
}

/// Returns racks, scores, the bag, the player on turn and whether the game is over, as keys and values.
pub fn position_lines(position: &Position) -> Vec<String> {
    let player = |seat: Seat| {
        format!("player {} score {} rack {}", seat.index() + 1, position.score(seat), rack_text(position, position.rack(seat)))
    };
    let (bag, unseen) = (position.in_bag(), position.unseen().len());
    let (zero_turns, most) = (position.zero_turns(), position.rules().max_zero_turns);
    let state = format!("onturn {} bag {bag} unseen {unseen} zeroturns {zero_turns} maxzeroturns {most}", position.on_turn().index() + 1);
    let last_turns = position.last_turns().map_or_else(String::new, |turns| format!(" lastturns {turns}"));
    vec![player(Seat::First), player(Seat::Second), format!("{state}{last_turns} over {}", over_word(position))]
}

/// Whether the game is over, and why: `no`, `out`, `zeroturns`, `lastturns`, `noplays`, `declared`.
pub fn over_word(position: &Position) -> &'static str {
    match position.end() {
        None => "no",
        Some(GameEnd::WentOut(_)) => "out",
        Some(GameEnd::ZeroTurns) => "zeroturns",
        Some(GameEnd::LastTurns) => "lastturns",
        Some(GameEnd::NoPlays) => "noplays",
        Some(GameEnd::Declared) => "declared",
    }
}

/// Returns all that is needed to draw a board: the numbers of the game, the squares row by row, the tiles with their counts and points.
pub fn rules_lines(rules: &GameRules) -> Vec<String> {
    let (layout, distribution) = (&rules.layout, &rules.distribution);
    let dim = layout.dim();
    let mut lines = vec![format!(
        "rules size {dim} rack {} bonus {} exchange {} maxzeroturns {} variant {} tiles {}",
        rules.rack_size,
        rules.bingo_bonus,
        rules.exchange_limit,
        rules.max_zero_turns,
        rules.variant.name(),
        distribution.total()
    )];
    for row in 0..dim {
        let squares: String = (0..dim).map(|col| square_char(layout, Square::at(row, col))).collect();
        lines.push(format!("rules row {} {squares}", row + 1));
    }
    for tile in distribution.tiles() {
        let (mut face, mut small) = (String::new(), String::new());
        distribution.write_tile(tile, &mut face);
        match tile.letter() {
            Some(letter) => distribution.write_placed(Placed::blank(letter), &mut small),
            None => small.clone_from(&face),
        }
        let kind = tile.letter().map_or("blank", |letter| if distribution.is_vowel(letter) { "vowel" } else { "consonant" });
        lines.push(format!(
            "rules tile {face} small {small} count {} points {} {kind}",
            distribution.count(tile),
            distribution.value(tile)
        ));
    }
    lines
}

/// The character of an empty square, as in layout files.
fn square_char(layout: &Layout, square: Square) -> char {
    match (square == layout.start(), layout.premium(square)) {
        (true, Premium::None) => '+',
        (true, _) => '*',
        (false, premium) => premium_char(premium),
    }
}

/// Returns the tiles of a rack, or `unknown`.
pub fn rack_text(position: &Position, rack: &Rack) -> String {
    if rack.is_empty() { "unknown".to_string() } else { rack.text(&position.rules().distribution) }
}

/// Returns the text of a square: a tile, or a character for its premium.
pub fn cell_text(position: &Position, square: Square) -> String {
    let Some(tile) = position.board().get(square) else {
        return square_char(&position.rules().layout, square).to_string();
    };
    let mut text = String::new();
    position.rules().distribution.write_placed(tile, &mut text);
    text.trim_matches(|c| matches!(c, '[' | ']')).to_string()
}

/// A, B, ... Z; boards have at most 21 columns.
pub fn column_letter(col: usize) -> char {
    u8::try_from(col).ok().and_then(|col| b'A'.checked_add(col)).map_or('?', char::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::GameRules;
    use crate::rules::notation::{apply_move, parse_move};
    use std::sync::Arc;

    #[test]
    fn the_board_after_a_move() {
        let start = Position::start(Arc::new(GameRules::english()));
        let position = apply_move(&start, &parse_move("8G.CaT", &start).unwrap()).unwrap();
        let lines = draw(&position);
        assert_eq!(lines[0], "    A B C D E F G H I J K L M N O");
        assert_eq!(lines[1], "  1 = . . ' . . . = . . . ' . . =");
        assert_eq!(lines[8], "  8 = . . ' . . C a T . . ' . . =");
        assert_eq!(draw(&start)[8], "  8 = . . ' . . . * . . . ' . . =");
        assert_eq!(lines.len(), 17);
        assert_eq!(
            position_lines(&position),
            [
                "player 1 score 8 rack unknown",
                "player 2 score 0 rack unknown",
                "onturn 2 bag 83 unseen 97 zeroturns 0 maxzeroturns 6 over no"
            ]
        );
    }
}
