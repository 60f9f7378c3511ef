//! A play as the generator finds it: its points, its equity and its place.
//!
//! Both searches for plays end here: a word is laid on a lane (`LaidWord`), its points are known (`WordPoints`), and
//! `LaidWord::judge` makes a `Found` of them. Not here: what becomes of the play (`sinks.rs`).
//!
//! [`score_here`] checks and scores a known placement on another board without a search. The rules' own answer with its reasons is in
//! `rules/scoring.rs`.

use crate::lexicon::word_graph::WordGraph;
use crate::movegen::lane_numbers::{LaneNumber, LanePlace};
use crate::movegen::lane_square::LaneSquare;
use crate::movegen::lanes::LaneBoard;
use crate::rules::layout::MAX_DIM;
use crate::rules::units::Millipoints;
use crate::rules::{Direction, GameRules, Letter, LetterSet, Placed, Placement};

/// The terms by which a turn's plays are judged, apart from the tiles kept.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    /// Points for placing `bingo_tiles` tiles.
    pub bingo_bonus: i32,
    /// Tiles on a full rack.
    pub bingo_tiles: usize,
    /// On an empty board: what a vowel on a square costs.
    pub opening: Option<&'a OpeningTerms>,
}

impl Terms<'_> {
    /// The terms of the rules, without those of the opening.
    #[inline]
    pub fn of(rules: &GameRules) -> Self {
        Terms { bingo_bonus: rules.bingo_bonus, bingo_tiles: rules.rack_size, opening: None }
    }

    /// Points for placing this many tiles, in addition to those of the words.
    #[inline]
    pub fn bonus(&self, tiles: usize) -> i32 {
        if tiles == self.bingo_tiles { self.bingo_bonus } else { 0 }
    }
}

/// What vowels cost on the first play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningTerms {
    vowels: LetterSet,
    /// By lane times the board's dimension, plus position; never negative.
    costs: Vec<Millipoints>,
}

impl OpeningTerms {
    /// Charges `cost` for each vowel that is next to a letter premium across the word: the opponent could play there, along
    /// the word. A rough rule of \[macondo\], \[MAGPIE\] and \[wolges\], which charge 0.7 points and trace it to
    /// [Sheppard 2002].
    pub fn new(board: &LaneBoard, vowels: LetterSet, cost: Millipoints) -> OpeningTerms {
        let dim = board.dim();
        let mut costs = vec![Millipoints::ZERO; board.lane_count() * dim];
        for lane in board.lane_numbers() {
            for position in 0..dim {
                let (square, direction) = board.square_at(lane, position);
                let multiplies_letters = |steps| {
                    let beside = square.step(direction.other(), steps, dim);
                    beside.is_some_and(|beside| board.view(beside, Direction::Across).letter_factor > 1)
                };
                if multiplies_letters(-1) || multiplies_letters(1) {
                    costs[lane.index() * dim + position] = cost;
                }
            }
        }
        OpeningTerms { vowels, costs }
    }

    /// What the vowels of a word cost.
    fn cost(&self, word: &LaidWord<'_>) -> Millipoints {
        let costs = &self.costs[word.lane.index() * word.board.dim()..];
        let is_vowel = |tile: Option<Placed>| tile.is_some_and(|tile| self.vowels.has(tile.letter()));
        (word.first..word.end).filter(|&position| is_vowel(word.tiles[position])).map(|position| costs[position]).sum()
    }
}

/// Tiles placed in a lane, by position.
pub type LaneTiles = [Option<Placed>; MAX_DIM];

/// A word laid on a lane.
#[derive(Clone, Copy, Debug)]
pub struct LaidWord<'a> {
    pub board: &'a LaneBoard,
    pub lane: LaneNumber,
    /// Its first position.
    pub first: usize,
    /// One past its last position.
    pub end: usize,
    /// The tiles placed; `None` where it goes through tiles on the board.
    pub tiles: &'a LaneTiles,
    /// How many are placed.
    pub placed: usize,
}

impl<'a> LaidWord<'a> {
    /// The play with its score and equity. `None` for a single tile in a column that also makes a
    /// word in its row, since it is found in the row. `kept_value` is the value of the tiles kept.
    #[inline]
    pub fn judge(self, points: WordPoints, kept_value: Millipoints, terms: &Terms<'_>) -> Option<Found<'a>> {
        if self.placed == 1 && self.board.direction_of(self.lane) == Direction::Down && self.makes_word_across() {
            return None;
        }
        let score = points.score() + terms.bonus(self.placed);
        let mut equity = Millipoints::from_points(score) + kept_value;
        if let Some(opening) = terms.opening {
            equity -= opening.cost(&self);
        }
        Some(Found { word: self, score, equity })
    }

    /// Whether one of its tiles makes a word across the lane.
    fn makes_word_across(&self) -> bool {
        let lane = self.board.lane(self.lane);
        (self.first..self.end).any(|position| self.tiles[position].is_some() && lane[position].has_cross())
    }
}

/// A play at the moment it is found. It borrows the word; [`Found::play`] makes an owned value.
#[derive(Debug)]
pub struct Found<'a> {
    word: LaidWord<'a>,
    /// Points.
    pub score: i32,
    /// Score, leave and adjustments.
    pub equity: Millipoints,
}

impl Found<'_> {
    /// The same play for a player whose points count against them.
    pub fn with_points_as_cost(mut self) -> Self {
        self.equity -= Millipoints::from_points(2 * self.score);
        self
    }

    /// The play as a value.
    pub fn play(&self) -> GeneratedPlay {
        let word = &self.word;
        let (start, direction) = word.board.square_at(word.lane, word.first);
        let placement = Placement::new(start, direction, &word.tiles[word.first..word.end]);
        GeneratedPlay { placement, score: self.score, equity: self.equity }
    }
}

/// A generated placement with its worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GeneratedPlay {
    /// The placement.
    pub placement: Placement,
    /// Points.
    pub score: i32,
    /// Score, leave and adjustments.
    pub equity: Millipoints,
}

impl GeneratedPlay {
    /// Higher equity first; plays of equal equity in the order of their placements, so that the choice never depends on the
    /// order of generation.
    pub fn is_before(&self, other: &GeneratedPlay) -> bool {
        match self.equity.cmp(&other.equity) {
            std::cmp::Ordering::Equal => self.placement < other.placement,
            order => order.is_gt(),
        }
    }
}

/// Points of a word and its cross words, gathered tile by tile.
#[derive(Clone, Copy, Debug)]
pub struct WordPoints {
    /// The main word's tiles, letter premiums counted.
    pub main: i32,
    /// What the main word's premiums multiply it by.
    pub word_factor: i32,
    /// The cross words, all premiums counted.
    pub cross: i32,
}

impl WordPoints {
    /// No tiles.
    pub const START: WordPoints = WordPoints { main: 0, word_factor: 1, cross: 0 };

    /// The points with one more tile, which is on the board.
    #[inline]
    pub fn through(mut self, square: &LaneSquare) -> WordPoints {
        self.main += i32::from(square.value);
        self
    }

    /// The points with one more tile, placed on this square.
    #[inline]
    pub fn with(mut self, square: &LaneSquare, value: i32) -> WordPoints {
        let on_square = value * square.letter_factor as i32;
        self.main += on_square;
        self.word_factor *= square.word_factor as i32;
        if square.has_cross() {
            self.cross += (on_square + square.cross_sum as i32) * square.word_factor as i32;
        }
        self
    }

    /// The score without the bonus for a whole rack.
    #[inline]
    pub fn score(self) -> i32 {
        self.main * self.word_factor + self.cross
    }
}

/// The score of a placement, if the generator would find it on this board with its tiles (a single
/// tile: in one of the two directions). `None` otherwise: a square is taken or missing,
/// a word is invalid, or nothing connects the placement.
pub fn score_here(graph: &WordGraph, board: &LaneBoard, terms: &Terms<'_>, placement: &Placement) -> Option<i32> {
    let LanePlace { lane, position: first } = board.lane_of(placement.start, placement.direction);
    let squares = board.lane(lane);
    let end = first + placement.word_len();
    // The word must fit the lane, have two letters or more, and be bounded by no tiles.
    let is_taken = |position: usize| squares.get(position).is_some_and(|square| !square.is_empty());
    if end > squares.len() || end - first < 2 || is_taken(end) || first > 0 && is_taken(first - 1) {
        return None;
    }
    // Any letter will do where none has been read yet.
    let mut letters = [const { Letter::new(1).expect("a letter") }; MAX_DIM];
    let (mut points, mut placed, mut connects) = (WordPoints::START, 0, false);
    for ((square, tile), letter) in squares[first..end].iter().zip(placement.tiles()).zip(&mut letters) {
        *letter = match (tile, square.tile) {
            // A gap in the word.
            (None, None) => return None,
            (None, Some(on_board)) => {
                points = points.through(square);
                connects = true;
                on_board.letter()
            }
            // The square is taken.
            (Some(_), Some(_)) => return None,
            (Some(tile), None) => {
                // The cross set has all letters if no tiles are beside the square.
                if !square.cross_set.has(tile.letter()) {
                    return None;
                }
                points = points.with(square, i32::from(board.tile_values()[tile.rack_tile().index()]));
                connects |= square.is_hook();
                placed += 1;
                tile.letter()
            }
        };
    }
    (connects && graph.contains(&letters[..end - first])).then(|| points.score() + terms.bonus(placed))
}
