//! The generator's board: rows and columns as *lanes* of squares, each with the letters that fit.
//!
//! There is one array for both directions: lane `dim * direction + n` is row `n` (across) or column `n` (down). So the
//! generator is written once, for a lane. A tile lies in two lanes; cross checks of one direction follow from the tiles
//! of the other.
//!
//! [`LaneBoard::play`] changes only the squares that a placement touches, [`LaneBoard::undo`] puts them back. What can be
//! derived from a lane alone (its anchors, `anchors.rs`) is kept until the lane changes, and comes back with an undo:
//! a simulation visits a candidate's board thousands of times and derives its lanes once.
//!
//! Only lanes that are *prepared* have anchors. [`LaneBoard::prepare`] returns [`Lanes`], [`LaneBoard::prepare_lane`] a
//! [`PreparedLane`]. Generation takes these, not the board, so no lane is searched before it is prepared.

use crate::lexicon::word_graph::WordGraph;
use crate::movegen::anchors::{Detail, LaneAnchors};
use crate::movegen::lane_numbers::{LaneNumber, LanePlace, LaneSet, MAX_LANES};
use crate::movegen::lane_square::{LaneSquare, Touches};
use crate::rules::distribution::TileSpec;
use crate::rules::layout::MAX_DIM;
use crate::rules::tiles::MAX_LETTERS;
use crate::rules::{Board, Direction, GameRules, LetterSet, Placement, Square};

/// Some lanes of a board, or all of them, with their anchors.
#[derive(Clone, Copy, Debug)]
pub struct Lanes<'a> {
    board: &'a LaneBoard,
    /// Which of its lanes.
    set: LaneSet,
}

impl<'a> Lanes<'a> {
    /// All lanes of a board that was prepared before. See [`LaneBoard::prepare`], which returns the same.
    ///
    /// # Panics
    /// If a lane has changed since.
    pub fn all(board: &'a LaneBoard) -> Lanes<'a> {
        Lanes::some(board, LaneSet::ALL)
    }

    /// Some lanes of a board that was prepared before.
    ///
    /// # Panics
    /// If one of them has changed since.
    pub fn some(board: &'a LaneBoard, set: LaneSet) -> Lanes<'a> {
        let lanes = Lanes { board, set };
        assert!(lanes.numbers().all(|lane| board.slots[lane.index()] != STALE), "a lane has changed since the board was prepared");
        lanes
    }

    /// The board.
    #[inline]
    pub fn board(self) -> &'a LaneBoard {
        self.board
    }

    /// Which lanes.
    #[inline]
    pub fn set(self) -> LaneSet {
        self.set
    }

    /// Their numbers.
    #[inline]
    pub fn numbers(self) -> impl Iterator<Item = LaneNumber> {
        self.board.lane_numbers().filter(move |&lane| self.set.has(lane))
    }

    /// The lanes, one by one.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = PreparedLane<'a>> {
        self.numbers().map(move |number| self.lane(number))
    }

    /// One of them.
    #[inline]
    pub fn lane(self, number: LaneNumber) -> PreparedLane<'a> {
        debug_assert!(self.set.has(number), "{number:?} is not one of them");
        PreparedLane { board: self.board, number }
    }
}

/// A lane of a board, with its anchors.
#[derive(Clone, Copy, Debug)]
pub struct PreparedLane<'a> {
    board: &'a LaneBoard,
    number: LaneNumber,
}

impl<'a> PreparedLane<'a> {
    /// The board.
    #[inline]
    pub fn board(self) -> &'a LaneBoard {
        self.board
    }

    /// Its number.
    #[inline]
    pub fn number(self) -> LaneNumber {
        self.number
    }

    /// Its squares.
    #[inline]
    pub fn squares(self) -> &'a [LaneSquare] {
        self.board.lane(self.number)
    }

    /// What is derived from it.
    #[inline]
    pub fn anchors(self) -> &'a LaneAnchors {
        &self.board.anchors[self.board.slots[self.number.index()] as usize]
    }
}

/// A square of a lane that a play has changed.
#[derive(Clone, Copy, Debug)]
pub struct ChangedSquare<'a> {
    /// Where it is.
    pub place: LanePlace,
    /// The square before the change.
    pub before: &'a LaneSquare,
}

const _: () = assert!(MAX_DIM as i32 * *TileSpec::VALUES.end() <= i16::MAX as i32, "sums of a lane's tiles");

/// Marks a lane whose anchors are not derived.
const STALE: u16 = u16::MAX;

/// The state that [`LaneBoard::undo`] restores.
#[derive(Clone, Debug)]
struct Mark {
    changed: usize,
    slots: [u16; MAX_LANES],
    used_slots: usize,
    tiles: usize,
}

/// The generator's board: rows and columns as lanes, see above.
#[derive(Clone, Debug)]
pub struct LaneBoard {
    dim: usize,
    squares: Box<[LaneSquare]>,
    values: [i16; MAX_LETTERS + 1],
    start: Square,
    start_in_both_lanes: bool,
    detail: Detail,
    tiles: usize,
    /// Changed squares as they were before, with their index, oldest first.
    changed: Vec<(u16, LaneSquare)>,
    marks: Vec<Mark>,
    /// By lane: the slot that holds its anchors, or [`STALE`].
    slots: [u16; MAX_LANES],
    /// A stack: slots above `used_slots` are free.
    anchors: Vec<LaneAnchors>,
    used_slots: usize,
}

impl LaneBoard {
    /// The lanes of a board.
    ///
    /// # Panics
    /// If rules and words differ in what makes letters a word, see [`Lexicon::by_rule`](crate::lexicon::Lexicon::by_rule).
    pub fn new(rules: &GameRules, board: &Board, graph: &WordGraph) -> LaneBoard {
        assert_eq!(rules.variant.words(), graph.word_rule(), "the words are those of another variant");
        let dim = board.dim();
        let mut values = [0; MAX_LETTERS + 1];
        for tile in rules.distribution.tiles() {
            values[tile.index()] = i16::try_from(rules.distribution.value(tile)).expect("no tile has more points");
        }
        let mut lanes = LaneBoard {
            dim,
            squares: vec![LaneSquare::PLAIN; 2 * dim * dim].into_boxed_slice(),
            values,
            start: rules.layout.start(),
            start_in_both_lanes: !rules.layout.is_symmetric(),
            detail: Detail::Extents(rules.rack_size),
            tiles: 0,
            changed: Vec::new(),
            marks: Vec::new(),
            slots: [STALE; MAX_LANES],
            anchors: Vec::new(),
            used_slots: 0,
        };
        // Every square belongs to a row and a column; each of these lanes has its own copy.
        for square in Square::all(dim) {
            let premium = rules.layout.premium(square);
            for direction in Direction::ALL {
                let here = &mut lanes.squares[index_of(dim, square, direction)];
                here.letter_factor = premium.letter_factor() as u8;
                here.word_factor = premium.word_factor() as u8;
                if let Some(tile) = board.get(square) {
                    here.tile = Some(tile);
                    here.value = values[tile.rack_tile().index()];
                }
            }
        }
        lanes.tiles = board.tiles().count();
        // Cross checks read the tiles around a square, so all tiles must be in place before.
        for square in Square::all(dim).filter(|&square| board.get(square).is_none()) {
            for direction in Direction::ALL {
                lanes.update_cross_check(index_of(dim, square, direction), graph);
            }
        }
        // The first play touches no tile: it must cover the start square instead.
        if lanes.tiles == 0 {
            lanes.mark_start(Touches::Start);
        }
        // Setting up is not a play: there is nothing to undo.
        lanes.changed.clear();
        lanes
    }

    /// This board for finding all plays only: quicker to prepare, but without the bounds that searches for the best plays need.
    #[must_use]
    pub fn without_bounds(mut self) -> LaneBoard {
        (self.detail, self.slots, self.used_slots) = (Detail::Anchors, [STALE; MAX_LANES], 0);
        self
    }

    /// Whether lanes are prepared with bounds.
    pub fn has_bounds(&self) -> bool {
        self.detail != Detail::Anchors
    }

    /// The number of rows, which is also the number of columns.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// The number of lanes: rows and columns together.
    pub fn lane_count(&self) -> usize {
        2 * self.dim
    }

    /// Whether no tile has been played.
    pub fn is_empty(&self) -> bool {
        self.tiles == 0
    }

    /// All lanes: rows, then columns.
    #[inline]
    pub fn lane_numbers(&self) -> impl Iterator<Item = LaneNumber> + use<> {
        LaneNumber::first(self.lane_count())
    }

    /// The direction of a lane.
    #[inline]
    pub fn direction_of(&self, lane: LaneNumber) -> Direction {
        if lane.index() < self.dim { Direction::Across } else { Direction::Down }
    }

    /// The squares of a lane.
    pub fn lane(&self, lane: LaneNumber) -> &[LaneSquare] {
        &self.squares[lane.index() * self.dim..(lane.index() + 1) * self.dim]
    }

    /// The square at a position of a lane, and the lane's direction.
    pub fn square_at(&self, lane: LaneNumber, position: usize) -> (Square, Direction) {
        let direction = self.direction_of(lane);
        let square = match direction {
            Direction::Across => Square::at(lane.index(), position),
            Direction::Down => Square::at(position, lane.index() - self.dim),
        };
        (square, direction)
    }

    /// Where a square lies in its lane of this direction.
    pub fn lane_of(&self, square: Square, direction: Direction) -> LanePlace {
        self.place_of(index_of(self.dim, square, direction))
    }

    /// Where the square with this index lies.
    #[inline]
    fn place_of(&self, index: usize) -> LanePlace {
        LanePlace { lane: LaneNumber::new(index / self.dim), position: index % self.dim }
    }

    /// A square as the lane in this direction sees it.
    pub fn view(&self, square: Square, direction: Direction) -> &LaneSquare {
        &self.squares[index_of(self.dim, square, direction)]
    }

    /// The tiles, as the rules see them.
    pub fn to_board(&self) -> Board {
        let mut board = Board::empty(self.dim);
        for square in Square::all(self.dim) {
            board.set(square, self.view(square, Direction::Across).tile);
        }
        board
    }

    /// Points of a tile (0 = the blank) on this board.
    pub fn tile_values(&self) -> &[i16; MAX_LETTERS + 1] {
        &self.values
    }

    /// Places tiles. The placement must be possible here: this is not checked.
    pub fn play(&mut self, placement: &Placement, graph: &WordGraph) {
        self.marks.push(Mark { changed: self.changed.len(), slots: self.slots, used_slots: self.used_slots, tiles: self.tiles });
        if self.tiles == 0 {
            self.mark_start(Touches::Nothing);
        }
        for (square, tile) in placement.placed() {
            let value = self.values[tile.rack_tile().index()];
            for direction in Direction::ALL {
                let index = index_of(self.dim, square, direction);
                self.touch(index);
                let here = &mut self.squares[index];
                (here.tile, here.value) = (Some(tile), value);
                // Nothing can be placed here any more, so the cross check is reset.
                (here.cross_set, here.cross_sum, here.touches) = (LetterSet::ALL, 0, Touches::Nothing);
            }
            self.tiles += 1;
        }
        self.update_run_ends(index_of(self.dim, placement.start, placement.direction), graph);
        for (square, _) in placement.placed() {
            self.update_run_ends(index_of(self.dim, square, placement.direction.other()), graph);
        }
    }

    /// Takes back the last [`LaneBoard::play`].
    ///
    /// # Panics
    /// If there is none.
    pub fn undo(&mut self) {
        let mark = self.marks.pop().expect("a play to undo");
        while self.changed.len() > mark.changed {
            let (index, square) = self.changed.pop().expect("longer than the mark");
            self.squares[index as usize] = square;
        }
        self.slots = mark.slots;
        self.used_slots = mark.used_slots;
        self.tiles = mark.tiles;
    }

    /// Makes the plays so far permanent: they can no longer be undone.
    pub fn commit(&mut self) {
        self.marks.clear();
        self.changed.clear();
    }

    /// Derives the anchors of lanes that changed since they were last derived.
    pub fn prepare(&mut self, graph: &WordGraph) -> Lanes<'_> {
        for lane in self.lane_numbers() {
            self.derive_lane(lane, graph);
        }
        Lanes { board: self, set: LaneSet::ALL }
    }

    /// [`LaneBoard::prepare`] for one lane.
    pub fn prepare_lane(&mut self, lane: LaneNumber, graph: &WordGraph) -> PreparedLane<'_> {
        self.derive_lane(lane, graph);
        PreparedLane { board: self, number: lane }
    }

    fn derive_lane(&mut self, lane: LaneNumber, graph: &WordGraph) {
        let lane = lane.index();
        if self.slots[lane] != STALE {
            return;
        }
        let slot = self.used_slots;
        if slot == self.anchors.len() {
            self.anchors.push(LaneAnchors::default());
        }
        self.used_slots += 1;
        self.slots[lane] = slot as u16;
        let squares = &self.squares[lane * self.dim..(lane + 1) * self.dim];
        self.anchors[slot].derive(squares, graph, self.detail);
    }

    /// Finds out which letters words have on the extents of prepared lanes, see `LaneAnchors::learn_letters`. Worthwhile for a board
    /// on which many racks are tried.
    pub fn learn_letters(&mut self, graph: &WordGraph) {
        for lane in (0..self.lane_count()).filter(|&lane| self.slots[lane] != STALE) {
            let squares = &self.squares[lane * self.dim..(lane + 1) * self.dim];
            self.anchors[self.slots[lane] as usize].learn_letters(squares, graph);
        }
    }

    /// The lanes changed by the last [`LaneBoard::play`] that can still be undone.
    pub fn lanes_changed(&self) -> LaneSet {
        self.squares_changed().map(|changed| changed.place.lane).collect()
    }

    /// The squares changed by the last [`LaneBoard::play`] that can still be undone.
    /// A square that changed several times comes several times, first as it was before the play.
    pub fn squares_changed(&self) -> impl Iterator<Item = ChangedSquare<'_>> {
        let from = self.marks.last().map_or(self.changed.len(), |mark| mark.changed);
        self.changed[from..].iter().map(|(index, before)| ChangedSquare { place: self.place_of(*index as usize), before })
    }

    /// Remembers a square before it changes.
    fn touch(&mut self, index: usize) {
        self.changed.push((index as u16, self.squares[index]));
        self.slots[index / self.dim] = STALE;
    }

    fn mark_start(&mut self, touches: Touches) {
        let directions: &[Direction] = if self.start_in_both_lanes { &Direction::ALL } else { &[Direction::Across] };
        for &direction in directions {
            let index = index_of(self.dim, self.start, direction);
            self.touch(index);
            self.squares[index].touches = touches;
        }
    }

    /// Updates the cross checks at both ends of the run of tiles through this square, along its lane.
    fn update_run_ends(&mut self, index: usize, graph: &WordGraph) {
        let lane_start = index - index % self.dim;
        let (mut first, mut last) = (index, index);
        while first > lane_start && !self.squares[first - 1].is_empty() {
            first -= 1;
        }
        while last + 1 < lane_start + self.dim && !self.squares[last + 1].is_empty() {
            last += 1;
        }
        if first > lane_start {
            self.update_cross_check(first - 1, graph);
        }
        if last + 1 < lane_start + self.dim {
            self.update_cross_check(last + 1, graph);
        }
    }

    /// Computes which letters fit an empty square between the tiles of this lane,
    /// and stores them in the crossing lane's square.
    fn update_cross_check(&mut self, index: usize, graph: &WordGraph) {
        let position = index % self.dim;
        let lane_start = index - position;
        let lane = &self.squares[lane_start..lane_start + self.dim];
        let mut first = position;
        while first > 0 && !lane[first - 1].is_empty() {
            first -= 1;
        }
        let mut end = position + 1;
        while end < self.dim && !lane[end].is_empty() {
            end += 1;
        }
        let (before, behind) = (&lane[first..position], &lane[position + 1..end]);
        let touches = if before.is_empty() && behind.is_empty() { Touches::Nothing } else { Touches::Tiles };
        let sum = before.iter().chain(behind).map(|square| square.value).sum();
        let letters = |from, end| lane[from..end].iter().map(LaneSquare::letter_number);
        let cross_set = if touches == Touches::Tiles {
            graph.letters_between(letters(first, position), letters(position + 1, end))
        } else {
            LetterSet::ALL
        };
        let crossing = self.crossing(index);
        let old = self.squares[crossing];
        if (old.cross_set, old.cross_sum, old.has_cross()) != (cross_set, sum, touches == Touches::Tiles) {
            self.touch(crossing);
            let square = &mut self.squares[crossing];
            square.cross_set = cross_set;
            square.cross_sum = sum;
            square.touches = touches;
        }
    }

    /// The same square in the lane that crosses.
    fn crossing(&self, index: usize) -> usize {
        let (lane, position) = (index / self.dim, index % self.dim);
        if lane < self.dim { (self.dim + position) * self.dim + lane } else { position * self.dim + lane - self.dim }
    }
}

fn index_of(dim: usize, square: Square, direction: Direction) -> usize {
    match direction {
        Direction::Across => square.row as usize * dim + square.col as usize,
        Direction::Down => (dim + square.col as usize) * dim + square.row as usize,
    }
}
