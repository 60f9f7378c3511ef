//! Checks and scores a known placement on another board, without a search.
//!
//! Not here: the rules' own answer with its reasons (`rules/scoring.rs`).

use crate::lexicon::word_graph::WordGraph;
use crate::movegen::found::{Terms, WordPoints};
use crate::movegen::lane_numbers::LanePlace;
use crate::movegen::lanes::LaneBoard;
use crate::rules::layout::MAX_DIM;
use crate::rules::{Letter, Placement};

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
    // Any letter stands for those that are not read yet.
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
