//! What a placement scores, from the rules alone, square by square: the referee's truth and the generator's oracle.
//!
//! Not here: whether the words are in a lexicon. Start with [`score_placement`].

use crate::rules::board::{Board, Direction, Square};
use crate::rules::game::GameRules;
use crate::rules::play::Placement;
use crate::rules::tiles::{Letter, Placed};
use thiserror::Error;

/// A word formed by a placement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormedWord {
    /// Its first square.
    pub start: Square,
    /// Its direction.
    pub direction: Direction,
    /// Its tiles, old and new.
    pub cells: Vec<Placed>,
    /// Its points, premium squares included, the bingo bonus not.
    pub score: i32,
}

impl FormedWord {
    /// Its letters, blanks as the letters they stand for.
    pub fn letters(&self) -> Vec<Letter> {
        self.cells.iter().map(|cell| cell.letter()).collect()
    }
}

/// A placement's score with the words that make it up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scored {
    /// All words and the bingo bonus.
    pub score: i32,
    /// The main word first, then the cross words in the order of their squares.
    pub words: Vec<FormedWord>,
}

/// Why tiles cannot be placed like this.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
pub enum PlacementError {
    /// The word runs off the board.
    #[error("the word does not fit on the board")]
    OffBoard,
    /// A square is taken.
    #[error("there is already another tile on row {}, column {}", .square.row + 1, .square.col + 1)]
    Occupied {
        /// The square.
        square: Square,
    },
    /// Nothing lies where a tile is to be played through.
    #[error("there is no tile to play through on row {}, column {}", .square.row + 1, .square.col + 1)]
    NothingThere {
        /// The square.
        square: Square,
    },
    /// No new tile.
    #[error("no tile is placed")]
    NoTiles,
    /// A tile before or after the word belongs to it.
    #[error("the word goes on at row {}, column {}: write it whole", .square.row + 1, .square.col + 1)]
    Incomplete {
        /// The square of the neglected tile.
        square: Square,
    },
    /// Away from all tiles.
    #[error("the play touches no tile on the board")]
    Unconnected,
    /// The first play misses the start square.
    #[error("the first play must cover row {}, column {}", .start.row + 1, .start.col + 1)]
    MissesStart {
        /// The start square.
        start: Square,
    },
    /// A single letter alone.
    #[error("a word has at least two letters")]
    TooShort,
}

/// Checks a placement against the board and scores it.
///
/// The bingo bonus is given for placing a whole rack (`rules.rack_size` tiles).
///
/// # Errors
/// What the rules forbid, apart from unknown words and tiles that are not on the rack.
pub fn score_placement(rules: &GameRules, board: &Board, placement: &Placement) -> Result<Scored, PlacementError> {
    let dim = board.dim();
    let start_index = match placement.direction {
        Direction::Across => placement.start.col,
        Direction::Down => placement.start.row,
    } as usize;
    if placement.start.row as usize >= dim || placement.start.col as usize >= dim || start_index + placement.word_len() > dim {
        return Err(PlacementError::OffBoard);
    }
    let mut touches = false;
    for (offset, tile) in placement.tiles().iter().enumerate() {
        let square = placement.square(offset);
        match (tile, board.get(square)) {
            (Some(_), Some(_)) => return Err(PlacementError::Occupied { square }),
            (None, None) => return Err(PlacementError::NothingThere { square }),
            (None, Some(_)) => touches = true,
            (Some(_), None) => touches |= board.has_neighbour(square),
        }
    }
    if placement.tile_count() == 0 {
        return Err(PlacementError::NoTiles);
    }
    for end in
        [placement.start.step(placement.direction, -1, dim), placement.start.step(placement.direction, placement.word_len() as isize, dim)]
    {
        if let Some(square) = end.filter(|&square| board.get(square).is_some()) {
            return Err(PlacementError::Incomplete { square });
        }
    }
    if board.is_empty() {
        let start = rules.layout.start();
        if !placement.placed().any(|(square, _)| square == start) {
            return Err(PlacementError::MissesStart { start });
        }
    } else if !touches {
        return Err(PlacementError::Unconnected);
    }
    if placement.word_len() < 2 {
        return Err(PlacementError::TooShort);
    }
    let mut after = board.clone();
    for (square, tile) in placement.placed() {
        after.set(square, Some(tile));
    }
    let mut words = vec![word_through(rules, board, &after, placement.start, placement.direction)];
    for (square, _) in placement.placed() {
        let cross = word_through(rules, board, &after, square, placement.direction.other());
        if cross.cells.len() > 1 {
            words.push(cross);
        }
    }
    let bonus = if placement.tile_count() == rules.rack_size { rules.bingo_bonus } else { 0 };
    Ok(Scored { score: words.iter().map(|word| word.score).sum::<i32>() + bonus, words })
}

/// The word on `after` that covers `square`, scored with the premiums of the squares that are free on `before`.
fn word_through(rules: &GameRules, before: &Board, after: &Board, square: Square, direction: Direction) -> FormedWord {
    let dim = after.dim();
    let mut start = square;
    while let Some(previous) = start.step(direction, -1, dim).filter(|&previous| after.get(previous).is_some()) {
        start = previous;
    }
    let (mut cells, mut sum, mut factor) = (Vec::new(), 0, 1);
    let mut next = Some(start);
    while let Some((here, tile)) = next.and_then(|here| Some((here, after.get(here)?))) {
        let value = rules.distribution.placed_value(tile);
        if before.get(here).is_none() {
            let premium = rules.layout.premium(here);
            sum += value * premium.letter_factor();
            factor *= premium.word_factor();
        } else {
            sum += value;
        }
        cells.push(tile);
        next = here.step(direction, 1, dim);
    }
    FormedWord { start, direction, cells, score: sum * factor }
}
