//! Plays that are the same in effect: a player who finds one of them has found them all, and none counts as the second best play next to another.
//!
//! | same in effect | because |
//! |---|---|
//! | the same tiles on the same squares | a tile that forms words both ways can be written either way |
//! | the same letters on the same squares for the same score, with the same tiles of the rack | only the places of the blanks differ |
//! | on the empty board, the same word with the same tiles | it is found before its place is chosen: shifted or down instead of across |
//!
//! Other plays of equal value are not the same: a position with two equal best plays is no puzzle. Start with [`is_same_play`].

use crate::rules::notation::placement_of_word;
use crate::rules::scoring::score_placement;
use crate::rules::{Direction, Letter, Placement, Play, Position, Square};

/// Whether two plays are the same in effect in a position.
pub fn is_same_play(position: &Position, one: &Play, other: &Play) -> bool {
    let (Play::Place(one), Play::Place(other)) = (one, other) else { return one == other };
    if one.rack_tiles() != other.rack_tiles() {
        return false;
    }
    let board = position.board();
    if board.is_empty() {
        return one.word(board) == other.word(board);
    }
    let squares = |placement: &Placement| {
        let mut squares: Vec<(Square, Letter)> = placement.placed().map(|(square, tile)| (square, tile.letter())).collect();
        squares.sort_unstable();
        squares
    };
    let score = |placement: &Placement| score_placement(position.rules(), board, placement).map(|scored| scored.score).ok();
    squares(one) == squares(other) && score(one) == score(other)
}

/// The play and all plays that are the same in effect, in all ways of writing them. `plays` are the possible plays.
pub fn all_writings(position: &Position, play: &Play, plays: &[Play]) -> Vec<Play> {
    let mut same: Vec<Play> =
        std::iter::once(play).chain(plays.iter().filter(|other| is_same_play(position, play, other))).copied().collect();
    let turned: Vec<Play> = same.iter().filter_map(|play| Some(Play::Place(turned(position, play.placement()?)?))).collect();
    same.extend(turned);
    same.sort();
    same.dedup();
    same
}

/// The placement in the other direction: its mirror image on the empty board, or the other word that a single tile forms.
fn turned(position: &Position, placement: &Placement) -> Option<Placement> {
    let (board, direction) = (position.board(), placement.direction.other());
    if board.is_empty() {
        let is_symmetric = position.rules().layout.is_symmetric();
        return is_symmetric.then(|| Placement::new(placement.start.transposed(), direction, placement.tiles()));
    }
    let single = (placement.tile_count() == 1).then(|| score_placement(position.rules(), board, placement).ok())?;
    let word = single?.words.into_iter().find(|word| word.direction == direction)?;
    placement_of_word(word.start, direction, &word.cells, board).ok()
}

/// The squares of a word, from its start.
pub fn squares_of(start: Square, direction: Direction, len: usize) -> impl Iterator<Item = Square> {
    let placement = Placement::at(start, direction);
    (0..len).map(move |offset| placement.square(offset))
}
