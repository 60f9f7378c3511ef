//! The board in colours: premium squares, tiles, those of the last turn, blanks.
//!
//! The characters are those of `protocol/display.rs`, so nothing is shown by colour alone.
//! Start with [`lines`].

use crate::protocol::display::{LEGEND, cell_text, column_letter, column_names};
use crate::rules::layout::Premium;
use crate::rules::{Placement, Position, Square};
use crate::terminal::ink::{Ink, InkLine};

/// The percentages at which a square becomes hotter.
const HEAT_FROM: [f64; 4] = [3.0, 10.0, 20.0, 35.0];

/// Returns the lines of a position's board.
pub fn lines(position: &Position, last: Option<&Placement>) -> Vec<InkLine> {
    let dim = position.board().dim();
    let new: Vec<Square> = last.into_iter().flat_map(|placement| placement.placed().map(|(square, _)| square)).collect();
    let mut lines = vec![InkLine::of(column_names(dim), Ink::Soft)];
    for row in 0..dim {
        let mut line = InkLine::of(format!("{:>3}", row + 1), Ink::Soft);
        for col in 0..dim {
            let square = Square::at(row, col);
            line.push(format!("{:>2}", cell_text(position, square)), ink_of(position, square, &new));
        }
        // Without this, squares of the last column end in mid-air on a dark terminal.
        line.push(" ", Ink::Plain);
        lines.push(line);
    }
    lines.push(InkLine::of(LEGEND, Ink::Soft));
    lines
}

/// Returns the board with the chance that each square is covered. `squares` has chances from 0 to 1. The board shows percents, and `.`
/// for less than half a percent.
pub fn heat_lines(position: &Position, squares: &[(Square, f64)]) -> Vec<InkLine> {
    let dim = position.board().dim();
    let mut heading = InkLine::of("   ", Ink::Soft);
    (0..dim).for_each(|col| heading.push(format!("{:>3}", column_letter(col)), Ink::Soft));
    let mut lines = vec![heading];
    for row in 0..dim {
        let mut line = InkLine::of(format!("{:>3}", row + 1), Ink::Soft);
        for col in 0..dim {
            let square = Square::at(row, col);
            let percent = squares.iter().find(|(at, _)| *at == square).map_or(0.0, |(_, share)| 100.0 * share).round();
            match position.board().get(square) {
                Some(_) => line.push(format!("{:>3}", cell_text(position, square)), ink_of(position, square, &[])),
                None if percent < 1.0 => line.push("  .", Ink::Heat(0)),
                None => line.push(format!("{percent:>3}"), heat_of(percent)),
            }
        }
        line.push(" ", Ink::Plain);
        lines.push(line);
    }
    lines
}

fn heat_of(percent: f64) -> Ink {
    Ink::Heat(HEAT_FROM.iter().take_while(|&&least| percent >= least).count() as u8)
}

fn ink_of(position: &Position, square: Square, new: &[Square]) -> Ink {
    let Some(tile) = position.board().get(square) else {
        return match position.rules().layout.premium(square) {
            Premium::None => Ink::Square,
            Premium::Letter(times) => Ink::Letter(times),
            Premium::Word(times) => Ink::Word(times),
        };
    };
    let is_blank = tile.rack_tile().letter().is_none();
    match (new.contains(&square), is_blank) {
        (false, false) => Ink::Tile,
        (false, true) => Ink::Blank,
        (true, false) => Ink::NewTile,
        (true, true) => Ink::NewBlank,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::display::draw;
    use crate::rules::GameRules;
    use crate::rules::notation::{apply_move, parse_move};
    use crate::terminal::ink::Colours;
    use std::sync::Arc;

    #[test]
    fn without_colours_it_is_the_board_of_the_protocol() {
        let mut position = Position::start(Arc::new(GameRules::english()));
        for text in ["8G.CaT", "H8.AxE"] {
            position = apply_move(&position, &parse_move(text, &position).unwrap()).unwrap();
        }
        let shown: Vec<String> = lines(&position, None).iter().map(|line| line.text(Colours::Off, 200).trim_end().to_string()).collect();
        assert_eq!(shown, draw(&position));
    }

    #[test]
    fn tiles_of_the_last_turn_and_blanks_have_their_colours() {
        let start = Position::start(Arc::new(GameRules::english()));
        let made = parse_move("8G.CaT", &start).unwrap();
        let position = apply_move(&start, &made).unwrap();
        let crate::rules::Turn::Play(crate::rules::Play::Place(placement)) = made.turn else { panic!("{made:?}") };
        let row = |last| lines(&position, last)[8].text(Colours::On, 200);
        assert_eq!(row(Some(&placement)).matches("48;5;114").count(), 3);
        assert_eq!(row(Some(&placement)).matches("\x1b[1;3;").count(), 1);
        assert_eq!(row(None).matches("48;5;223").count(), 3);
        // Two triple words, and the letters between.
        assert_eq!(row(None).matches("48;5;160").count(), 2);
    }
}
