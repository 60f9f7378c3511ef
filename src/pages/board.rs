//! Boards as SVG: the empty board once a page, and the tiles of each turn.
//! A turn has the tiles on the board, those played, and those of other plays. Racks are drawn here as well.

use crate::rules::layout::Premium;
use crate::rules::{Direction, GameRules, Placed, Placement, Play, Position, Square, Turn, notation};
use maud::{Markup, html};

/// The style of boards and racks, which a page has before its own.
pub const STYLE: &str = include_str!("board.css");

/// The side of a square.
const SIDE: usize = 30;

/// Room for the names of rows and columns.
const MARGIN: usize = 22;

/// The id of the empty board.
const EMPTY_ID: &str = "empty-board";

fn size(rules: &GameRules) -> usize {
    MARGIN + SIDE * rules.layout.dim() + 2
}

fn corner(square: Square) -> (usize, usize) {
    (MARGIN + SIDE * usize::from(square.col), MARGIN + SIDE * usize::from(square.row))
}

/// The empty board, which the boards of all turns refer to.
pub fn empty(rules: &GameRules) -> Markup {
    let dim = rules.layout.dim();
    let squares = (0..dim).flat_map(|row| (0..dim).map(move |col| Square::at(row, col)));
    html! {
        svg width="0" height="0" style="position:absolute" aria-hidden="true" {
            defs {
                g id=(EMPTY_ID) {
                    @for at in 0..dim {
                        @let middle = MARGIN + SIDE * at + SIDE / 2;
                        @let name = notation::coordinate_text(Square::at(0, at), Direction::Down);
                        text.board-name x=(middle) y=(MARGIN - 7) { (name.trim_end_matches(|c: char| c.is_ascii_digit())) }
                        text.board-name x=(MARGIN / 2 - 1) y=(middle + 4) { (at + 1) }
                    }
                    @for square in squares {
                        @let (x, y) = corner(square);
                        rect class=(class_of(rules.layout.premium(square))) x=(x) y=(y) width=(SIDE) height=(SIDE) {}
                    }
                    @let (x, y) = corner(rules.layout.start());
                    circle.start cx=(x + SIDE / 2) cy=(y + SIDE / 2) r=(SIDE / 5) {}
                }
            }
        }
    }
}

fn class_of(premium: Premium) -> &'static str {
    match premium {
        Premium::None => "square",
        Premium::Letter(2) => "square letter2",
        Premium::Letter(_) => "square letter3",
        Premium::Word(2) => "square word2",
        Premium::Word(_) => "square word3",
    }
}

/// Reads a play as a placement in a position, if it is one.
pub fn placement_of(text: &str, position: &Position) -> Option<Placement> {
    match notation::parse_move(text, position).ok()?.turn {
        Turn::Play(Play::Place(placement)) => Some(placement),
        _ => None,
    }
}

/// A position's board with the play made, and the plays of a ranking, which the script shows one at a time.
pub fn turn(position: &Position, made: Option<&Placement>, ranking: &[Option<Placement>], description: &str) -> Markup {
    let rules = position.rules();
    let size = size(rules);
    html! {
        svg.board viewBox={ "0 0 " (size) " " (size) } role="img" aria-label=(description) {
            use href={ "#" (EMPTY_ID) } {}
            @for (square, tile) in position.board().tiles() { (drawn(rules, square, tile)) }
            @if let Some(made) = made { (placed("new made-tiles", None, rules, made)) }
            @for (number, placement) in ranking.iter().enumerate() {
                @if let Some(placement) = placement { (placed("new candidate", Some(number), rules, placement)) }
            }
        }
    }
}

fn placed(class: &str, number: Option<usize>, rules: &GameRules, placement: &Placement) -> Markup {
    html! {
        g class=(class) data-play=[number] {
            @for (square, tile) in placement.placed() { (drawn(rules, square, tile)) }
        }
    }
}

fn drawn(rules: &GameRules, square: Square, tile: Placed) -> Markup {
    let (x, y) = corner(square);
    let mut letter = String::new();
    rules.distribution.write_placed(tile, &mut letter);
    let letter = letter.trim_matches(['[', ']']);
    let is_blank = tile.rack_tile().letter().is_none();
    html! {
        rect.tile x=(x + 1) y=(y + 1) width=(SIDE - 2) height=(SIDE - 2) rx="4" {}
        text.blank[is_blank] x=(x + SIDE / 2) y=(y + 21) { (letter) }
        @if !is_blank {
            text.value x=(x + SIDE - 6) y=(y + SIDE - 4) { (rules.distribution.placed_value(tile)) }
        }
    }
}

/// A rack. An empty text stands for an unknown rack.
pub fn rack(rack: &str) -> Markup {
    let name = if rack.is_empty() { "unknown" } else { rack };
    html! {
        p.rack role="img" aria-label={ "Rack " (name) } {
            @for tile in tiles(rack) { span { (tile) } }
            @if rack.is_empty() { "rack unknown" }
        }
    }
}

/// Splits a rack into tiles; those of several characters stay whole.
fn tiles(rack: &str) -> Vec<String> {
    let mut tiles: Vec<String> = Vec::new();
    let mut is_open = false;
    for c in rack.chars() {
        match (c, is_open, tiles.last_mut()) {
            ('[', _, _) => {
                tiles.push(String::new());
                is_open = true;
            }
            (']', _, _) => is_open = false,
            (_, true, Some(tile)) => tile.push(c),
            _ => tiles.push(c.to_string()),
        }
    }
    tiles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn racks_are_cut_into_tiles() {
        assert_eq!(tiles("AB?"), ["A", "B", "?"]);
        assert_eq!(tiles("A[CH]B"), ["A", "CH", "B"]);
    }
}
