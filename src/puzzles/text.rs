//! Puzzles as text: the list of positions with their solutions, and the table of a run.
//!
//! The list has the form of `analysis/position_list.rs`, which `analyse` and `puzzles` read, with a remark in front of each position.
//! Start with [`position_lines`].

use crate::analysis::position_list;
use crate::analysis::report::{Loss, LossMeasure};
use crate::puzzles::record::{Puzzle, PuzzleDocument};

/// The widths of the columns of the table: the number, the difficulty, the margin, the themes.
const WIDTHS: [usize; 4] = [4, 11, 18, 34];

/// A loss with its unit and error.
pub fn loss_text(loss: &Loss) -> String {
    let (lost, error, unit) = match loss.measure {
        LossMeasure::Win => (100.0 * loss.win, 100.0 * loss.win_error, "%"),
        LossMeasure::Points => (loss.points, loss.points_error, "points"),
    };
    let error = if error > 0.0 { format!(" ± {error:.1}") } else { String::new() };
    format!("{lost:.1} {unit}{error}")
}

/// The themes of a puzzle in a line.
pub fn theme_text(puzzle: &Puzzle) -> String {
    let names: Vec<&str> = puzzle.themes.iter().map(|theme| theme.name()).collect();
    if names.is_empty() { "-".to_string() } else { names.join(", ") }
}

/// Where a puzzle is from.
pub fn place_text(puzzle: &Puzzle) -> String {
    format!("{}, turn {}", puzzle.source, puzzle.turn)
}

/// The positions with their solutions, as a list of positions.
pub fn position_lines(document: &PuzzleDocument) -> Vec<String> {
    let mut lines = Vec::new();
    for (number, puzzle) in (1..).zip(&document.puzzles) {
        let (grade, percent) = (puzzle.difficulty.grade.name(), puzzle.difficulty.percent);
        let second = puzzle.rivals.first().map_or("", |second| second.value.play.as_str());
        let (margin, themes, place) = (loss_text(&puzzle.margin()), theme_text(puzzle), place_text(puzzle));
        lines.push(format!("# puzzle {number}: {grade} ({percent}); {second} loses {margin}; {themes}; {place}"));
        lines.push(position_list::line(&puzzle.cgp, &puzzle.solution.play));
    }
    lines
}

/// The table of a run. It does not give the solutions away.
pub fn table(document: &PuzzleDocument) -> Vec<String> {
    let row = |cells: [String; 4], place: &str| {
        let ([number, difficulty, margin, themes], [a, b, c, d]) = (cells, WIDTHS);
        format!("{number:>a$}  {difficulty:<b$}{margin:<c$}{themes:<d$}{place}")
    };
    let mut lines = vec![row(["no", "difficulty", "margin", "themes"].map(String::from), "from")];
    for (number, puzzle) in (1..).zip(&document.puzzles) {
        let difficulty = format!("{} {}", puzzle.difficulty.percent, puzzle.difficulty.grade.name());
        let cells = [number.to_string(), difficulty, loss_text(&puzzle.margin()), theme_text(puzzle)];
        lines.push(row(cells, &place_text(puzzle)));
    }
    let PuzzleDocument { puzzles, positions, candidates, .. } = document;
    let puzzles = puzzles.len();
    let count = |number: usize, name: &str| if number == 1 { format!("1 {name}") } else { format!("{number} {name}s") };
    let (puzzles, positions, candidates) = (count(puzzles, "puzzle"), count(*positions, "position"), count(*candidates, "candidate"));
    lines.push(format!("{puzzles} in {positions}; the screen let {candidates} pass"));
    lines
}
