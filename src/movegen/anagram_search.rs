//! The search for words whose letters may stand in any order (WordSmog).
//!
//! A word lies on a *span*: squares of a lane with no tile right before or after them.
//! Its letters are those on the board there and those of a part of the rack,
//! one for each empty square; the word map says whether they form a word.
//! If they do, every arrangement of the part that fits the cross words is possible: up to 5,040 of
//! seven tiles. So **one placement stands for all arrangements of its tiles on its squares**: the
//! one of the highest equity, or of equal ones the first in the order of placements.
//! A blank that stands for another letter counts as another tile.
//!
//! Each span, and each part of the rack there, has a bound as in `generate.rs`: the highest tiles on the squares that multiply the most. The
//! best spans come first, so that sinks that prune can stop early. The arrangement is found by branch and bound with the same bound.
//!
//! The tests compare it with a twin that tries every tile on every square. Start with [`generate`].

use crate::lexicon::anagrams::Anagrams;
use crate::movegen::anchors::MAX_RACK;
use crate::movegen::found::{LaidWord, LaneTiles, Terms, WordPoints};
use crate::movegen::lane_square::LaneSquare;
use crate::movegen::lanes::{LaneBoard, Lanes, PreparedLane};
use crate::movegen::rack_values::RackValues;
use crate::movegen::sinks::Sink;
use crate::rules::layout::MAX_DIM;
use crate::rules::units::Millipoints;
use crate::rules::{Letter, Placed, Tile};

/// Hands the placements to the sink, one for each part of the rack on each span.
pub(super) fn generate<S: Sink>(anagrams: &Anagrams, lanes: Lanes<'_>, values: &RackValues, terms: &Terms<'_>, sink: &mut S) {
    let mut parts: Vec<Vec<AnagramPart>> = vec![Vec::new(); values.rack().len() + 1];
    let kinds: Vec<(Tile, u8)> = values.rack().distinct().collect();
    let nothing = AnagramPart { letters: Vec::new(), blanks: 0, hash: 0, points: Vec::new(), kept: values.whole() };
    add_parts(&Tiles { anagrams, board: lanes.board(), values }, &kinds, nothing, &mut parts);
    let mut spans: Vec<WordSpan<'_>> = lanes.iter().flat_map(|lane| spans_of(lane, anagrams, values, terms)).collect();
    if S::PRUNES {
        spans.sort_by_key(|span| std::cmp::Reverse(span.bound));
    }
    let mut search = AnagramSearch { anagrams, values, terms, sink, letters: Vec::new(), as_blanks: Vec::new() };
    for span in &spans {
        if span.bound < search.sink.cutoff() {
            break;
        }
        for part in &parts[span.shape.tiles] {
            search.try_part(span, part);
        }
    }
}

/// What the parts of a rack are made of.
struct Tiles<'a> {
    anagrams: &'a Anagrams,
    board: &'a LaneBoard,
    values: &'a RackValues,
}

/// A part of the rack that may be placed.
#[derive(Clone, Debug)]
struct AnagramPart {
    /// Its letters without the blanks, in rising order.
    letters: Vec<u8>,
    blanks: usize,
    /// The hash of the letters.
    hash: u64,
    /// The points of its tiles, in falling order.
    points: Vec<i32>,
    /// The mask of the tiles kept.
    kept: u16,
}

/// Adds every part that extends `part` with tiles of these kinds to `parts`, by number of tiles.
fn add_parts(tiles: &Tiles<'_>, kinds: &[(Tile, u8)], mut part: AnagramPart, parts: &mut [Vec<AnagramPart>]) {
    let Some((&(tile, count), rest)) = kinds.split_first() else {
        parts[part.points.len()].push(part);
        return;
    };
    add_parts(tiles, rest, part.clone(), parts);
    let points = i32::from(tiles.board.tile_values()[tile.index()]);
    for copy in (1..=count).rev() {
        // Of equal tiles, those kept have the lowest bits.
        part.kept &= !tiles.values.bit(tile.index(), copy);
        part.points.insert(part.points.partition_point(|&other| other >= points), points);
        if tile.is_blank() {
            part.blanks += 1;
        } else {
            part.letters.push(tile.index() as u8);
            part.hash = part.hash.wrapping_add(tiles.anagrams.key(tile.index() as u8));
        }
        add_parts(tiles, rest, part.clone(), parts);
    }
}

/// What a span's squares add to a score, apart from which tiles lie there.
#[derive(Clone, Copy, Debug)]
struct SpanShape {
    /// Empty squares.
    tiles: usize,
    /// By empty square: what a point of its tile adds to the score.
    factors: [i32; MAX_DIM],
    /// Points of the tiles on the board, in the word and the cross words.
    fixed: i32,
}

impl SpanShape {
    fn of(squares: &[LaneSquare]) -> SpanShape {
        let empty = || squares.iter().filter(|square| square.is_empty());
        let word_factor: i32 = empty().map(|square| i32::from(square.word_factor)).product();
        let mut shape = SpanShape { tiles: 0, factors: [0; MAX_DIM], fixed: 0 };
        for square in empty() {
            let cross_factor = if square.has_cross() { i32::from(square.word_factor) } else { 0 };
            shape.factors[shape.tiles] = i32::from(square.letter_factor) * (word_factor + cross_factor);
            shape.fixed += i32::from(square.cross_sum) * cross_factor;
            shape.tiles += 1;
        }
        shape.fixed += word_factor * squares.iter().map(|square| i32::from(square.value)).sum::<i32>();
        shape
    }

    /// The most that tiles of these points, in falling order, can score on the empty squares from `from` on.
    fn most(&self, from: usize, falling_points: impl Iterator<Item = i32>) -> i32 {
        let mut factors = self.factors;
        let factors = &mut factors[from..self.tiles];
        factors.sort_unstable_by(|one, other| other.cmp(one));
        factors.iter().zip(falling_points).map(|(factor, points)| factor * points).sum()
    }
}

/// Squares of a lane that a word may cover.
struct WordSpan<'a> {
    lane: PreparedLane<'a>,
    first: usize,
    end: usize,
    shape: SpanShape,
    /// An upper bound of the equity of placements there.
    bound: Millipoints,
    /// The hash of the letters on the board.
    hash: u64,
}

/// The spans of a lane with at least one empty square, at most as many as the rack has tiles, that touch a tile or cover the start square.
fn spans_of<'a>(lane: PreparedLane<'a>, anagrams: &Anagrams, values: &RackValues, terms: &Terms<'_>) -> Vec<WordSpan<'a>> {
    let (squares, rack_tiles) = (lane.squares(), values.rack().len());
    let mut spans = Vec::new();
    for first in (0..squares.len()).filter(|&first| first == 0 || squares[first - 1].is_empty()) {
        let (mut tiles, mut touches, mut hash) = (0, false, 0u64);
        for (at, square) in squares.iter().enumerate().skip(first) {
            match square.tile {
                Some(tile) => {
                    touches = true;
                    hash = hash.wrapping_add(anagrams.key(tile.letter().number()));
                }
                None => {
                    tiles += 1;
                    touches |= square.is_hook();
                }
            }
            if tiles > rack_tiles || square.is_empty() && square.cross_set.is_empty() {
                break; // nothing fits here or further on
            }
            let end = at + 1;
            let may_end = squares.get(end).is_none_or(LaneSquare::is_empty);
            if may_end && touches && tiles > 0 && end - first > 1 {
                let shape = SpanShape::of(&squares[first..end]);
                spans.push(WordSpan { lane, first, end, shape, bound: bound_of(&shape, values, terms), hash });
            }
        }
    }
    spans
}

fn bound_of(shape: &SpanShape, values: &RackValues, terms: &Terms<'_>) -> Millipoints {
    if !values.has_values() || shape.tiles > MAX_RACK {
        return Millipoints::MAX;
    }
    let score = shape.fixed + shape.most(0, values.falling_points().iter().map(|&points| i32::from(points))) + terms.bonus(shape.tiles);
    Millipoints::from_points(score) + values.best_keeping(values.rack().len() - shape.tiles)
}

/// A search with the parts of a rack.
struct AnagramSearch<'a, S> {
    anagrams: &'a Anagrams,
    values: &'a RackValues,
    terms: &'a Terms<'a>,
    sink: &'a mut S,
    /// The letters of the word being tried.
    letters: Vec<u8>,
    /// Those of them that blanks stand for, in rising order.
    as_blanks: Vec<u8>,
}

impl<S: Sink> AnagramSearch<'_, S> {
    fn try_part(&mut self, span: &WordSpan<'_>, part: &AnagramPart) {
        let kept_value = self.values.value(part.kept);
        let most = span.shape.fixed + span.shape.most(0, part.points.iter().copied()) + self.terms.bonus(span.shape.tiles);
        if Millipoints::from_points(most) + kept_value < self.sink.cutoff() {
            return;
        }
        self.letters.clear();
        self.as_blanks.clear();
        let squares = &span.lane.squares()[span.first..span.end];
        self.letters.extend(squares.iter().filter_map(|square| square.tile).map(|tile| tile.letter().number()));
        self.letters.extend_from_slice(&part.letters);
        self.try_blanks(span, part, span.hash.wrapping_add(part.hash), part.blanks);
    }

    /// Tries letters for `blanks` blanks, from the letter chosen last on.
    fn try_blanks(&mut self, span: &WordSpan<'_>, part: &AnagramPart, hash: u64, blanks: usize) {
        if blanks == 0 {
            if self.anagrams.is_word(hash, &self.letters) {
                self.arrange(span, part);
            }
            return;
        }
        // Blanks are equal, so their letters are tried in rising order: each choice comes once.
        let last = self.as_blanks.last().copied().unwrap_or(0);
        // For the last blank one lookup gives all letters that make a word.
        let complete = (blanks == 1).then(|| self.anagrams.completing(hash, &self.letters));
        for letter in self.anagrams.letters().filter(|&letter| letter >= last) {
            if complete.is_some_and(|complete| !complete.has_number(letter)) {
                continue;
            }
            self.letters.push(letter);
            self.as_blanks.push(letter);
            self.try_blanks(span, part, hash.wrapping_add(self.anagrams.key(letter)), blanks - 1);
            self.letters.pop();
            self.as_blanks.pop();
        }
    }

    /// Hands the best arrangement of a part to the sink, if any fits.
    fn arrange(&mut self, span: &WordSpan<'_>, part: &AnagramPart) {
        let board = span.lane.board();
        let letters = part.letters.iter().filter_map(|&letter| Letter::new(letter)).map(Placed::tile);
        let blanks = self.as_blanks.iter().filter_map(|&letter| Letter::new(letter)).map(Placed::blank);
        // Equal tiles are one kind, so that exchanging them makes no second arrangement.
        let mut left: Vec<TileKind> = Vec::new();
        for tile in letters.chain(blanks) {
            match left.last_mut() {
                Some(kind) if kind.tile == tile => kind.count += 1,
                _ => left.push(TileKind { tile, points: i32::from(board.tile_values()[tile.rack_tile().index()]), count: 1 }),
            }
        }
        // The order of placements decides between arrangements of equal equity.
        left.sort_by_key(|kind| kind.tile);
        // The bound needs the most valuable tiles first.
        let mut falling: Vec<usize> = (0..left.len()).collect();
        falling.sort_by_key(|&kind| std::cmp::Reverse(left[kind].points));
        let kept_value = self.values.value(part.kept);
        let mut arranger = Arranger {
            span,
            terms: self.terms,
            kept_value,
            floor: self.sink.cutoff(),
            left,
            falling,
            tiles: [None; MAX_DIM],
            placed: 0,
            scored: 0,
            best: None,
        };
        arranger.place(span.first, WordPoints::START);
        // The arranger keeps tiles and points only, so the winner is judged again for the sink.
        if let Some(ArrangedWord { tiles, points, .. }) = arranger.best {
            let word =
                LaidWord { board, lane: span.lane.number(), first: span.first, end: span.end, tiles: &tiles, placed: span.shape.tiles };
            if let Some(found) = word.judge(points, kept_value, self.terms) {
                self.sink.take(&found);
            }
        }
    }
}

/// Equal tiles of a part.
#[derive(Clone, Copy, Debug)]
struct TileKind {
    tile: Placed,
    points: i32,
    /// How many are not placed yet.
    count: usize,
}

/// The best arrangement so far.
#[derive(Clone, Copy)]
struct ArrangedWord {
    equity: Millipoints,
    tiles: LaneTiles,
    points: WordPoints,
}

/// A search for the best arrangement of a part on a span, in the order of placements.
struct Arranger<'a> {
    span: &'a WordSpan<'a>,
    terms: &'a Terms<'a>,
    kept_value: Millipoints,
    /// Arrangements worth less are of no use.
    floor: Millipoints,
    /// The kinds, in the order of placements.
    left: Vec<TileKind>,
    /// The kinds by falling points.
    falling: Vec<usize>,
    tiles: LaneTiles,
    placed: usize,
    /// What the tiles placed add to the score.
    scored: i32,
    best: Option<ArrangedWord>,
}

impl Arranger<'_> {
    /// Places the rest of the tiles on the squares from here on.
    fn place(&mut self, at: usize, points: WordPoints) {
        let WordSpan { lane, first, end, shape, .. } = *self.span;
        if at == end {
            let word = LaidWord { board: lane.board(), lane: lane.number(), first, end, tiles: &self.tiles, placed: self.placed };
            let equity = word.judge(points, self.kept_value, self.terms).map(|found| found.equity);
            if let Some(equity) = equity.filter(|&equity| self.best.is_none_or(|best| equity > best.equity)) {
                self.best = Some(ArrangedWord { equity, tiles: self.tiles, points });
            }
            return;
        }
        let square = &lane.squares()[at];
        if !square.is_empty() {
            return self.place(at + 1, points.through(square));
        }
        if !self.may_help() {
            return;
        }
        for kind in 0..self.left.len() {
            let TileKind { tile, points: value, count } = self.left[kind];
            if count == 0 || !square.cross_set.has(tile.letter()) {
                continue;
            }
            let adds = shape.factors[self.placed] * value;
            self.left[kind].count -= 1;
            self.tiles[at] = Some(tile);
            self.placed += 1;
            self.scored += adds;
            self.place(at + 1, points.with(square, value));
            self.scored -= adds;
            self.placed -= 1;
            self.tiles[at] = None;
            self.left[kind].count += 1;
        }
    }

    /// Whether the tiles left may still make an arrangement that is better than the best one.
    fn may_help(&self) -> bool {
        let shape = &self.span.shape;
        let falling = self.falling.iter().map(|&kind| self.left[kind]).flat_map(|kind| std::iter::repeat_n(kind.points, kind.count));
        let most = shape.fixed + self.scored + shape.most(self.placed, falling) + self.terms.bonus(shape.tiles);
        let bound = Millipoints::from_points(most) + self.kept_value;
        self.best.map_or(bound >= self.floor, |best| bound > best.equity)
    }
}
