//! Takes back the last move of a CGP (`lm`): returns the position before it, and the turn.
//!
//! A CGP writes a word in full, so only the board can show which of its tiles were placed. All possibilities are tried. The rest of the
//! board must be one that turns can lead to, with valid words next to the missing tiles, and the move must lead from it to the position.
//! Of several possibilities, the one that places the most tiles counts: IMINO may have been NO before, but hardly ever was. Start with
//! [`last_turn`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::rules::notation::{parse_coordinate, parse_move};
use crate::rules::{Board, Countdown, Direction, Letter, Position, Rack, Square, Turn};
use std::collections::BTreeSet;
use std::sync::Arc;
use thiserror::Error;

/// Why a last move identifies no turn.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum LastMoveError {
    /// It does not lead to the position.
    #[error("this move does not lead to the position")]
    Impossible,
    /// Several turns that place the same number of tiles lead to the position.
    #[error("the board does not show which tiles of this move were placed")]
    Ambiguous,
}

/// Returns the position before the move that led to `position`, with the other player on turn, and the turn. In this position, only the
/// rack of the player now on turn is known. Its scores are those after the move: the points of the move are not subtracted.
///
/// `written` is a move of the protocol (`8D.RETAINS`, `ex.3`, `pass`), also with a blank in place of the dot; or an exchange or a pass as
/// in GCG (`-3`, `-ABC`, `-`). `is_word` returns whether letters are a word.
///
/// # Errors
/// The move does not lead to the position, or several turns that place the same number of tiles do.
pub fn last_turn(position: &Position, written: &str, is_word: &dyn Fn(&[Letter]) -> bool) -> Result<(Position, Turn), LastMoveError> {
    let written = written.trim();
    let text = match written.strip_prefix('-') {
        Some("") => "pass".to_string(),
        Some(tiles) => format!("ex.{tiles}"),
        None => written.split_whitespace().collect::<Vec<_>>().join("."),
    };
    let lane = lane_of(position.board(), &text);
    let rack_size = position.rules().rack_size;
    for tiles in (0..=lane.len().min(rack_size)).rev() {
        // One bit for each square of the lane.
        let choices = (0..1_u32 << lane.len()).filter(|placed| placed.count_ones() as usize == tiles);
        let squares = |placed: u32| -> Vec<Square> {
            lane.iter().enumerate().filter(|(at, _)| placed & (1 << at) != 0).map(|(_, &square)| square).collect()
        };
        let mut turns = choices.filter_map(|placed| turn_that_placed(position, &text, &squares(placed), is_word));
        match (turns.next(), turns.next()) {
            (Some(turn), None) => return Ok(turn),
            (Some(_), Some(_)) => return Err(LastMoveError::Ambiguous),
            (None, _) => {}
        }
    }
    Err(LastMoveError::Impossible)
}

/// The squares with tiles from the move's coordinate on; none if it has no coordinate, like an exchange.
fn lane_of(board: &Board, text: &str) -> Vec<Square> {
    let Some((start, direction)) = text.split('.').next().and_then(parse_coordinate) else { return Vec::new() };
    let steps = (0..board.dim()).map_while(|steps| start.step(direction, isize::try_from(steps).ok()?, board.dim()));
    steps.take_while(|&square| board.get(square).is_some()).collect()
}

/// Returns the turn, if it placed the tiles of exactly these squares.
fn turn_that_placed(position: &Position, text: &str, placed: &[Square], is_word: &dyn Fn(&[Letter]) -> bool) -> Option<(Position, Turn)> {
    let mut board = position.board().clone();
    placed.iter().for_each(|&square| board.set(square, None));
    if !placed.is_empty() && !can_come_about(&board, position.rules().layout.start()) {
        return None;
    }
    let lines = placed.iter().flat_map(|&square| [Direction::Across, Direction::Down].map(|direction| (square, direction)));
    if !lines.flat_map(|(square, direction)| words_beside(&board, square, direction)).all(|word| is_word(&word)) {
        return None;
    }
    let mover = position.on_turn();
    let scores = [position.score(mover.opponent()), position.score(mover)];
    let racks = [Rack::EMPTY, *position.mover_rack()];
    // A turn that placed nothing is one of the counted turns without points.
    let zero_turns = if placed.is_empty() { position.zero_turns().checked_sub(1)? } else { 0 };
    let off_board = position.unseen().len() + position.mover_rack().len() + placed.len();
    // With an empty bag the turn was one of the last turns, which are counted.
    let all = position.rules().variant.last_turns().filter(|_| off_board <= 2 * position.rules().rack_size);
    let last_turns = all.map(|all| position.last_turns().map_or(all, |left| all.min(left + 1)));
    let countdown = Countdown { zero_turns, last_turns };
    let before = Position::of_parts(Arc::clone(position.rules()), board, racks, scores, countdown).ok()?;
    let turn = parse_move(text, &before).ok()?.turn;
    let after = before.after(&turn).ok()?;
    (after.board() == position.board()).then_some((before, turn))
}

/// Whether turns can lead to this board: it is empty, or its tiles are connected and cover the start.
fn can_come_about(board: &Board, start: Square) -> bool {
    let all: BTreeSet<(u8, u8)> = board.tiles().map(|(square, _)| (square.row, square.col)).collect();
    let mut reached = BTreeSet::new();
    let mut open = vec![(start.row, start.col)];
    while let Some((row, col)) = open.pop() {
        if all.contains(&(row, col)) && reached.insert((row, col)) {
            open.extend([(row.wrapping_sub(1), col), (row + 1, col), (row, col.wrapping_sub(1)), (row, col + 1)]);
        }
    }
    // No turn leaves one tile alone.
    reached == all && all.len() != 1
}

/// The runs of two and more tiles that end before this empty square and begin after it.
fn words_beside(board: &Board, square: Square, direction: Direction) -> impl Iterator<Item = Vec<Letter>> {
    let run = |step: isize| -> Vec<Letter> {
        let squares = (1..).map_while(|steps| square.step(direction, step * steps, board.dim()));
        squares.map_while(|square| board.get(square)).map(|tile| tile.letter()).collect()
    };
    let before = run(-1).into_iter().rev().collect();
    [before, run(1)].into_iter().filter(|run: &Vec<Letter>| run.len() > 1)
}
