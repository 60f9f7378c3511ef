//! Scores a placement by the rules alone, square by square: the reference for referee and
//! generator. Placements score the same in all variants.
//!
//! Not here: whether the words are in a lexicon. Start with [`score_placement`].

use crate::rules::board::{Board, Direction, Square};
use crate::rules::game_rules::GameRules;
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
    /// Its points, with premium squares but without the bingo bonus.
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
#[non_exhaustive]
pub enum PlacementError {
    /// The word runs off the board.
    #[error("the word does not fit on the board")]
    OffBoard,
    /// A square is taken.
    #[error("there is already another tile on {square}")]
    Occupied {
        /// The square.
        square: Square,
    },
    /// A square without the tile that is to be played through.
    #[error("there is no tile to play through on {square}")]
    NothingThere {
        /// The square.
        square: Square,
    },
    /// A letter that the alphabet lacks: the play belongs to another game.
    #[error("the tile for {square} is not in the {alphabet} alphabet")]
    ForeignLetter {
        /// The square.
        square: Square,
        /// The alphabet of the rules.
        alphabet: String,
    },
    /// No new tile.
    #[error("no tile is placed")]
    NoTiles,
    /// A tile before or after the placement belongs to the word.
    #[error("the word continues at {square}: write the whole word")]
    Incomplete {
        /// The square of that tile.
        square: Square,
    },
    /// A play next to no tile.
    #[error("the play touches no tile on the board")]
    Unconnected,
    /// The first play misses the start square.
    #[error("the first play must cover {start}")]
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
///
/// # Panics
/// If the board has another size than the rules, or letters that their alphabet lacks. A [`Position`](crate::rules::Position) has no such board.
///
/// ```
/// use tilewright::rules::scoring::score_placement;
/// use tilewright::rules::{Board, Direction, GameRules, Placement, Square};
///
/// let rules = GameRules::english();
/// let tiles: Vec<_> = rules.distribution.parse_placed("VICAR")?.into_iter().map(Some).collect();
/// // Row 8, column D: V on a double letter, R on the start square, which doubles the word.
/// let placement = Placement::new(Square::new(7, 3), Direction::Across, &tiles);
/// let scored = score_placement(&rules, &Board::empty(15), &placement)?;
/// assert_eq!((scored.score, scored.words.len()), (28, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn score_placement(rules: &GameRules, board: &Board, placement: &Placement) -> Result<Scored, PlacementError> {
    check_placement(rules, board, placement)?;
    let mut after = board.clone();
    placement.put_on(&mut after);
    let mut words = vec![word_through(rules, board, &after, placement.start, placement.direction)];
    for (square, _) in placement.placed() {
        let cross = word_through(rules, board, &after, square, placement.direction.other());
        // A tile without neighbours across makes no cross word.
        if cross.cells.len() > 1 {
            words.push(cross);
        }
    }
    let bonus = if placement.tile_count() == rules.rack_size { rules.bingo_bonus } else { 0 };
    Ok(Scored { score: words.iter().map(|word| word.score).sum::<i32>() + bonus, words })
}

/// Checks whether tiles can be placed like this. Of several broken rules, the error names the first in the order of the checks.
fn check_placement(rules: &GameRules, board: &Board, placement: &Placement) -> Result<(), PlacementError> {
    let dim = board.dim();
    let start_index = match placement.direction {
        Direction::Across => placement.start.col,
        Direction::Down => placement.start.row,
    } as usize;
    if placement.start.row as usize >= dim || placement.start.col as usize >= dim || start_index + placement.word_len() > dim {
        return Err(PlacementError::OffBoard);
    }
    // New tiles need empty squares; tiles played through must be there.
    let mut touches = false;
    for (offset, tile) in placement.tiles().iter().enumerate() {
        let square = placement.square(offset);
        match (tile, board.get(square)) {
            (Some(_), Some(_)) => return Err(PlacementError::Occupied { square }),
            (None, None) => return Err(PlacementError::NothingThere { square }),
            (Some(tile), None) if tile.letter().index() > rules.distribution.letter_count() => {
                return Err(PlacementError::ForeignLetter { square, alphabet: rules.distribution.name().to_string() });
            }
            (None, Some(_)) => touches = true,
            (Some(_), None) => touches |= board.has_neighbour(square),
        }
    }
    if placement.tile_count() == 0 {
        return Err(PlacementError::NoTiles);
    }
    // The word is whole: no tile is before its first square or after its last.
    let before = placement.start.step(placement.direction, -1, dim);
    let behind = placement.start.step(placement.direction, placement.word_len() as isize, dim);
    if let Some(square) = [before, behind].into_iter().flatten().find(|&square| board.get(square).is_some()) {
        return Err(PlacementError::Incomplete { square });
    }
    // The first play covers the start square; each later one touches a tile.
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
    Ok(())
}

/// The word on `after` that covers `square`, scored with the premiums of the squares that are free on `before`.
fn word_through(rules: &GameRules, before: &Board, after: &Board, square: Square, direction: Direction) -> FormedWord {
    let dim = after.dim();
    let mut start = square;
    while let Some(previous) = start.step(direction, -1, dim).filter(|&previous| after.get(previous).is_some()) {
        start = previous;
    }
    // Letter premiums count for their tile, word premiums multiply the whole.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{cgp, layout, letter_distribution};
    use crate::rules::notation::{MoveError, apply_move, parse_move};
    use crate::rules::play::Play;
    use crate::rules::turn::Turn;
    use crate::rules::{GameRules, Placed, Position};
    use std::sync::Arc;

    const EMPTY: &str = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 / 0/0 0";

    /// The score and the words of a move, each with its points.
    fn scored(position: &Position, text: &str) -> (i32, String) {
        let turn = parse_move(text, position).unwrap_or_else(|error| panic!("{error}")).turn;
        let Turn::Play(Play::Place(placement)) = turn else { panic!("{text} places no tiles") };
        let rules = position.rules();
        let scored = score_placement(rules, position.board(), &placement).unwrap();
        let words: Vec<String> = scored
            .words
            .iter()
            .map(|word| {
                let mut text = String::new();
                word.cells.iter().for_each(|&cell| rules.distribution.write_placed(cell, &mut text));
                format!("{text} {}", word.score)
            })
            .collect();
        (scored.score, words.join(", "))
    }

    fn check(cgp: &str, text: &str, score: i32, words: &str) {
        let position = cgp::parse(cgp, &GameRules::english()).unwrap().position;
        assert_eq!(scored(&position, text), (score, words.to_string()), "{text}");
    }

    #[test]
    fn a_first_play_counts_double_and_a_blank_nothing() {
        // V on the letter x2 of D8, R on the star: (2*4 + 1 + 3 + 1 + 1) * 2.
        check(EMPTY, "8D.VICAR", 28, "VICAR 28");
        check(EMPTY, "H4.VICAR", 28, "VICAR 28");
        check(EMPTY, "8D.vICAR", 12, "vICAR 12");
        check(EMPTY, "8G.ab", 0, "ab 0");
    }

    #[test]
    fn a_whole_rack_earns_the_bonus_once_after_all_factors() {
        // T R A*2 I N E D = 9, doubled by the star.
        check(EMPTY, "8B.TRAINED", 68, "TRAINED 18");
        check(&format!("{EMPTY} bb 35;"), "8B.TRAINED", 53, "TRAINED 18");
        // Six tiles and one played through are no whole rack: (T R A 2*I N E D) * 3.
        let through = "15/15/15/15/15/15/15/2A12/15/15/15/15/15/15/15 / 0/0 0";
        check(through, "8A.TRAINED", 27, "TRAINED 27");
    }

    #[test]
    fn premiums_count_for_new_tiles_only_and_in_both_words() {
        let vicar = "15/15/15/15/15/15/15/3VICAR7/15/15/15/15/15/15/15 / 0/0 0";
        // H8 is taken: R 1 + E 1 + N 1 + D 2.
        check(vicar, "H8.REND", 5, "REND 5");
        // H12 is a letter x2 (the second E), H15 a word x3: (R + E + N + 2 + 2*E + S + T + 0) * 3, and seven tiles are a bonus.
        check(vicar, "H8.RENDESTs", 27 + 50, "RENDESTs 27");
        // A hook on I8, which is plain; I9 is a letter x2: S + 2*T + Y. V I C A R + S are 10 + 1.
        check(vicar, "I8.STY", 18, "STY 7, VICARS 11");
        // Parallel below: D9 and F9 are plain, C9, G9 and I9 letters x2. E 1 + T 1 + H 4; V+E, I+T, C+H.
        check(vicar, "9D.ETH", 6 + 5 + 2 + 7, "ETH 6, VE 5, IT 2, CH 7");
        // The same with the last tile on G9: it counts double in both words.
        check(vicar, "9F.AH", 1 + 8 + 4 + 9, "AH 9, CA 4, AH 9");
    }

    #[test]
    fn corbins_dead_position_is_reached_by_four_plays() {
        let mut position = Position::start(Arc::new(GameRules::english()));
        for (text, score, words) in
            [("8G.JUS", 20, "JUS 20"), ("I8.SOx", 3, "SOx 3"), ("H7.jUS", 4, "jUS 2, SO 2"), ("J9.XU", 24, "XU 11, SOX 10, xU 3")]
        {
            assert_eq!(scored(&position, text), (score, words.to_string()), "{text}");
            position = apply_move(&position, &parse_move(text, &position).unwrap()).unwrap();
        }
        let text = cgp::print(&position, &cgp::Opcodes::default());
        assert_eq!(text, "15/15/15/15/15/15/7j7/6JUS6/7SOX5/8xU5/15/15/15/15/15 / 24/27 0");
        assert_eq!(position.in_bag(), 77);
        assert_eq!(position.unseen().len(), 91);
    }

    #[test]
    fn big_boards_multiply_by_four_and_by_sixteen() {
        let mut rows = vec![".".repeat(21); 21];
        rows[10] = ".......~.^+~.........".to_string();
        let rules = GameRules::english().to_builder().layout(layout::parse("quad", &rows.join("\n")).unwrap()).build().unwrap();
        let position = Position::start(Arc::new(rules));
        // (Q 10 + U 1 + I 1 * 4 + Z 10) * 4
        assert_eq!(scored(&position, "11H.QUIZ"), (100, "QUIZ 100".to_string()));
        assert_eq!(scored(&position, "11H.QUIZE"), (416, "QUIZE 416".to_string()));
    }

    #[test]
    fn letters_of_two_characters_score_as_one_tile() {
        let tiles = letter_distribution::parse("mini", "?,?,1,0,0\nA,a,6,1,1\nCH,ch,6,5,0\n").unwrap();
        let rules = GameRules::standard(Arc::new(tiles), Arc::new(layout::parse("3", "=.=\n'*.\n=.=").unwrap()));
        let position = Position::start(Arc::new(rules.clone()));
        // (2 * 5 + 1 + 0) * 2
        assert_eq!(scored(&position, "2A.[CH]A[ch]"), (22, "[CH]A[ch] 22".to_string()));
        let position = Position::start(Arc::new(rules.to_builder().rack_size(3).build().unwrap()));
        assert_eq!(scored(&position, "2A.[CH]A[ch]").0, 72);
    }

    #[test]
    fn each_error_says_what_is_wrong_where() {
        let vicar = "15/15/15/15/15/15/15/3VICAR7/15/15/15/15/15/15/15 / 0/0 0";
        let message = |cgp: &str, text: &str| {
            let position = cgp::parse(cgp, &GameRules::english()).unwrap().position;
            match parse_move(text, &position).unwrap_err() {
                MoveError::Impossible { error, .. } => error.to_string(),
                other => panic!("{other}"),
            }
        };
        assert_eq!(message(vicar, "8K.REALLY"), "the word does not fit on the board");
        assert_eq!(message(vicar, "8C.ETUDE"), "there is already another tile on 8D");
        assert_eq!(message(vicar, "8D.VICAR"), "no tile is placed");
        assert_eq!(message(vicar, "8I.ED"), "the word continues at 8H: write the whole word");
        assert_eq!(message(vicar, "8B.AV"), "the word continues at 8D: write the whole word");
        assert_eq!(message(vicar, "1A.AT"), "the play touches no tile on the board");
        assert_eq!(message(vicar, "7D.A"), "a word has at least two letters");
        assert_eq!(message(EMPTY, "8H.A"), "a word has at least two letters");
        assert_eq!(message(EMPTY, "8I.AT"), "the first play must cover 8H");

        let rules = GameRules::english();
        let board = cgp::parse(vicar, &rules).unwrap().position.board().clone();
        let s = Placed::tile(Letter::new(19).unwrap());
        let direct = |row, col, tiles: &[Option<Placed>]| {
            score_placement(&rules, &board, &Placement::new(Square::new(row, col), Direction::Across, tiles))
        };
        assert_eq!(direct(7, 8, &[None]), Err(PlacementError::NothingThere { square: Square::new(7, 8) }));
        assert_eq!(direct(7, 7, &[Some(s)]), Err(PlacementError::Occupied { square: Square::new(7, 7) }));
        assert_eq!(direct(15, 0, &[Some(s)]), Err(PlacementError::OffBoard));
        assert_eq!(direct(7, 3, &[]), Err(PlacementError::NoTiles));
    }
}
