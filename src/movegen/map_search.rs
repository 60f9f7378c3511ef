//! The best plays by looking up letters: for each extent, best bound first, the parts of the rack that are worth enough there
//! are looked up in the word map together with the letters on the board, and the words found are fitted to the squares.
//!
//! It finds the same plays as `generate.rs` down to the sink's cutoff, several times faster: nearly every part is out of the
//! question by its exact bound, or has no word.
//!
//! Only for racks with values and at most two blanks. Source of the idea: MAGPIE's word map, ALGORITHMS 1.1.6.

use crate::lexicon::word_map::{Anagrams, WordMap};
use crate::movegen::LaneBoard;
use crate::movegen::RackValues;
use crate::movegen::anchors::{Extent, MAX_RACK, Through};
use crate::movegen::generate::{Found, MILLI, Points, Terms, blocked_squares, makes_word_across, opening_cost};
use crate::movegen::lanes::{ANY_LETTER, LaneSquare, letter_number};
use crate::movegen::sinks::Sink;
use crate::rules::Tile;
use crate::rules::layout::MAX_DIM;
use std::collections::BinaryHeap;

/// Worth that nothing has.
const NEVER: i32 = i32::MIN / 4;

/// The worth of a part with a letter on the board is looked up before the search for parts of at least this many tiles: there
/// are few such parts, and most of them have no word.
const LOOKED_UP_FIRST: usize = 5;

/// A part of the rack that may be placed.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// Points of its tiles in falling order, then zeros.
    points: [i16; MAX_RACK],
    /// Of its letters in the word map, the blank left out.
    hash: u64,
    /// Its letters, the blank left out.
    letters: u64,
    /// The value of what is kept, millipoints.
    kept_value: i32,
    tiles: u8,
    blanks: u8,
    /// Mask of what is kept.
    kept: u16,
}

/// A rack's parts, and what the word map says of them. Used again and again.
#[derive(Debug)]
pub struct PartSearch {
    parts: Vec<Part>,
    keys: Vec<u64>,
    /// Numbers of parts: by size, the best kept value first.
    order: Vec<u16>,
    /// By number of tiles: where they begin in `order`.
    first: [usize; MAX_RACK + 2],
    /// The parts that make words by themselves, sorted in the same way.
    alone: Vec<u16>,
    first_alone: [usize; MAX_RACK + 2],
    /// By letter on the board and number of tiles: the best kept value of the parts that make words with that letter.
    with_letter: Box<[[i32; MAX_RACK + 1]; 32]>,
    queue: BinaryHeap<(i32, u32)>,
}

/// A value of [`PartSearch::with_letter`] that is not known yet.
const UNKNOWN: i32 = i32::MAX;

impl Default for PartSearch {
    fn default() -> PartSearch {
        PartSearch {
            parts: Vec::new(),
            keys: Vec::new(),
            order: Vec::new(),
            first: [0; MAX_RACK + 2],
            alone: Vec::new(),
            first_alone: [0; MAX_RACK + 2],
            with_letter: Box::new([[UNKNOWN; MAX_RACK + 1]; 32]),
            queue: BinaryHeap::new(),
        }
    }
}

impl PartSearch {
    fn set_rack(&mut self, map: &WordMap, values: &RackValues, points: &[u8]) {
        let rack = values.rack();
        self.parts.clear();
        let nothing = Part { points: [0; MAX_RACK], hash: 0, letters: 0, kept_value: 0, tiles: 0, blanks: 0, kept: values.whole() };
        self.parts.push(nothing);
        let mut tiles = [(Tile::BLANK, 0u8); MAX_RACK];
        let mut kinds = 0;
        for entry in rack.distinct() {
            let mut at = kinds;
            while at > 0 && points[tiles[at - 1].0.index()] < points[entry.0.index()] {
                tiles[at] = tiles[at - 1];
                at -= 1;
            }
            tiles[at] = entry;
            kinds += 1;
        }
        for &(tile, count) in &tiles[..kinds] {
            let first_bit = values.first_bit(tile);
            for at in 0..self.parts.len() {
                let mut part = self.parts[at];
                for copy in (1..=count).rev() {
                    part.points[part.tiles as usize] = points[tile.index()] as i16;
                    part.tiles += 1;
                    part.kept &= !(1 << (first_bit + copy - 1));
                    if tile.is_blank() {
                        part.blanks += 1;
                    } else {
                        part.hash = part.hash.wrapping_add(map.key(tile.index() as u8));
                        part.letters |= 1 << tile.index();
                    }
                    self.parts.push(part);
                }
            }
        }
        self.keys.clear();
        for (at, part) in self.parts.iter_mut().enumerate() {
            part.kept_value = values.value(part.kept);
            let rank = (i64::from(i32::MAX) - i64::from(part.kept_value)) as u64;
            self.keys.push(u64::from(part.tiles) << 56 | rank << 16 | at as u64);
        }
        self.keys.sort_unstable();
        self.order.clear();
        self.alone.clear();
        let mut size = 0;
        for key in &self.keys {
            let at = (key & 0xffff) as u16;
            let part = &self.parts[at as usize];
            while size <= part.tiles as usize {
                self.first[size] = self.order.len();
                self.first_alone[size] = self.alone.len();
                size += 1;
            }
            self.order.push(at);
            if part.has_words(map, 0) {
                self.alone.push(at);
            }
        }
        for size in size..MAX_RACK + 2 {
            self.first[size] = self.order.len();
            self.first_alone[size] = self.alone.len();
        }
        *self.with_letter = [[UNKNOWN; MAX_RACK + 1]; 32];
    }

    fn of_size(&self, tiles: usize) -> &[u16] {
        &self.order[self.first[tiles]..self.first[tiles + 1]]
    }

    fn alone(&self, tiles: usize) -> &[u16] {
        &self.alone[self.first_alone[tiles]..self.first_alone[tiles + 1]]
    }

    /// The best value of what is kept when this many tiles are placed on an extent; [`NEVER`] if no word is possible.
    #[inline]
    fn best_kept(&mut self, map: &WordMap, through: Through, tiles: usize) -> i32 {
        let list = match through {
            Through::Nothing => self.alone(tiles),
            Through::Letter(letter) if tiles >= LOOKED_UP_FIRST => {
                let known = self.with_letter[letter as usize][tiles];
                if known != UNKNOWN {
                    return known;
                }
                let key = map.key(letter);
                let found = self.of_size(tiles).iter().find(|&&at| self.parts[at as usize].has_words(map, key));
                let value = found.map_or(NEVER, |&at| self.parts[at as usize].kept_value);
                self.with_letter[letter as usize][tiles] = value;
                return value;
            }
            _ => self.of_size(tiles),
        };
        list.first().map_or(NEVER, |&at| self.parts[at as usize].kept_value)
    }
}

impl Part {
    #[inline]
    fn has_words(&self, map: &WordMap, through: u64) -> bool {
        let hash = self.hash.wrapping_add(through);
        match self.blanks {
            0 => map.anagrams(hash).is_some(),
            1 => map.blank_letters(hash) != 0,
            _ => map.letters().any(|letter| map.blank_letters(hash.wrapping_add(map.key(letter))) != 0),
        }
    }
}

/// The points of tiles on squares, both in falling order.
#[inline(always)]
fn product(multipliers: &[i16; MAX_RACK], points: &[i16; MAX_RACK]) -> i32 {
    // PERF: in this form it becomes three or four vector instructions.
    let mut sum = 0;
    for at in 0..MAX_RACK {
        sum += i32::from(multipliers[at]) * i32::from(points[at]);
    }
    sum
}

/// Whether a rack can be searched for in this way.
pub fn is_possible(values: &RackValues) -> bool {
    values.has_values() && values.rack().count(Tile::BLANK) <= 2
}

/// Hands the sink every play whose equity reaches its cutoff, and some others; each different placement once.
///
/// The board must be [`LaneBoard::prepare`]d, the rack [`is_possible`].
pub fn generate<S: Sink>(map: &WordMap, board: &LaneBoard, values: &RackValues, terms: &Terms<'_>, search: &mut PartSearch, sink: &mut S) {
    let rack = values.rack();
    if rack.is_empty() {
        return;
    }
    search.set_rack(map, values, board.tile_values());
    let available = rack.distinct().fold(0, |set, (tile, _)| set | 1u64 << tile.index());
    let has_blank = available & 1 != 0;
    let mut queue = std::mem::take(&mut search.queue).into_vec();
    queue.clear();
    let floor = sink.cutoff();
    for lane in 0..board.lane_count() {
        let anchors = board.anchors(lane);
        let blocked = blocked_squares(&anchors.constrained, available);
        for (at, extent) in anchors.extents.iter().enumerate() {
            let tiles = extent.tiles as usize;
            if tiles > rack.len() || extent.squares & blocked != 0 || !has_blank && extent.next_letters(anchors) & available == 0 {
                continue;
            }
            let kept = search.best_kept(map, extent.through, tiles);
            let bound = most_points(extent, values.falling_points(), terms) * MILLI + kept;
            if kept != NEVER && bound >= floor {
                queue.push((bound, (lane << 16 | at) as u32));
            }
        }
    }
    search.queue = queue.into();
    while let Some((bound, place)) = search.queue.pop() {
        if bound < sink.cutoff() {
            break;
        }
        let lane = place as usize >> 16;
        let extent = &board.anchors(lane).extents[place as usize & 0xffff];
        let most = most_points(extent, values.falling_points(), terms) * MILLI;
        Fitting::new(map, board, lane, extent, terms, sink).search(search, most);
    }
}

/// What no tiles of the rack exceed on this extent, points.
#[inline(always)]
fn most_points(extent: &Extent, falling_points: &[i16; MAX_RACK], terms: &Terms<'_>) -> i32 {
    product(&extent.multipliers, falling_points) + fixed_points(extent, terms)
}

#[inline(always)]
fn fixed_points(extent: &Extent, terms: &Terms<'_>) -> i32 {
    i32::from(extent.fixed) + if usize::from(extent.tiles) == terms.bingo_tiles { terms.bingo_bonus } else { 0 }
}

/// The search for words on one extent.
struct Fitting<'a, S> {
    map: &'a WordMap,
    board: &'a LaneBoard,
    lane: usize,
    extent: &'a Extent,
    terms: &'a Terms<'a>,
    sink: &'a mut S,
    /// The squares from the first letter of the word to its last.
    squares: &'a [LaneSquare],
    first: usize,
    /// Of the letters on the board.
    through: u64,
    /// By position from `first`: the letters that may stand there.
    fits: [u64; MAX_DIM],
    /// Those sets again that are for empty squares and not for any letter.
    needs: [u64; MAX_DIM],
    /// How many.
    need_count: usize,
}

impl<'a, S: Sink> Fitting<'a, S> {
    fn new(map: &'a WordMap, board: &'a LaneBoard, lane: usize, extent: &'a Extent, terms: &'a Terms<'a>, sink: &'a mut S) -> Self {
        let first = extent.first as usize;
        let anchors = board.anchors(lane);
        let squares = &board.lane(lane)[first..extent.end as usize];
        let next = extent.next_position(anchors).wrapping_sub(first);
        let (mut fits, mut needs, mut need_count) = ([0; MAX_DIM], [0; MAX_DIM], 0);
        let mut through = 0u64;
        for (at, square) in squares.iter().enumerate() {
            if square.tile == 0 {
                fits[at] = if at == next { square.cross_set & extent.next_letters(anchors) } else { square.cross_set };
                if fits[at] != ANY_LETTER {
                    needs[need_count] = fits[at];
                    need_count += 1;
                }
            } else {
                let letter = letter_number(square.tile);
                fits[at] = 1 << letter;
                through = through.wrapping_add(map.key(letter));
            }
        }
        Fitting { map, board, lane, extent, terms, sink, squares, first, through, fits, needs, need_count }
    }

    /// `most`: what the extent scores at most, millipoints.
    fn search(&mut self, search: &PartSearch, most: i32) {
        let tiles = self.extent.tiles as usize;
        let parts = if self.extent.through == Through::Nothing { search.alone(tiles) } else { search.of_size(tiles) };
        let fixed = fixed_points(self.extent, self.terms);
        for &at in parts {
            let part = &search.parts[at as usize];
            let cutoff = self.sink.cutoff();
            if most + part.kept_value < cutoff {
                break;
            }
            if (product(&self.extent.multipliers, &part.points) + fixed) * MILLI + part.kept_value < cutoff {
                continue;
            }
            if part.blanks == 0 && self.needs[..self.need_count].iter().any(|&need| need & part.letters == 0) {
                continue;
            }
            let hash = part.hash.wrapping_add(self.through);
            match part.blanks {
                0 => self.look_up(part, hash, [0, 0]),
                1 => self.look_up_with_blank(part, hash, 0),
                _ => self.map.letters().for_each(|letter| {
                    self.look_up_with_blank(part, hash.wrapping_add(self.map.key(letter)), letter);
                }),
            }
        }
    }

    /// `other` is the letter of another blank, which is in the hash, or 0. Each pair of letters comes once.
    fn look_up_with_blank(&mut self, part: &Part, hash: u64, other: u8) {
        let mut letters = self.map.blank_letters(hash) >> other << other;
        while letters != 0 {
            let letter = letters.trailing_zeros() as u8;
            letters &= letters - 1;
            self.look_up(part, hash.wrapping_add(self.map.key(letter)), [letter, other]);
        }
    }

    /// Fits the words of a hash to the squares. `blanks` are the letters that blanks stand for, the first one first, or 0.
    #[inline]
    fn look_up(&mut self, part: &Part, hash: u64, blanks: [u8; 2]) {
        if let Some(anagrams) = self.map.anagrams(hash) {
            self.fit(part, anagrams, blanks);
        }
    }

    fn fit(&mut self, part: &Part, anagrams: Anagrams, blanks: [u8; 2]) {
        let length = self.squares.len();
        let map = self.map;
        for word in map.words(anagrams, length) {
            if word.iter().zip(&self.fits).all(|(&letter, &fits)| fits >> letter & 1 != 0) {
                self.record(part, word, blanks);
            }
        }
    }

    fn record(&mut self, part: &Part, letters: &[u8], blanks: [u8; 2]) {
        let mut word = [0; MAX_DIM];
        let mut hash = 0u64;
        for ((bits, square), &letter) in word[self.first..].iter_mut().zip(self.squares).zip(letters) {
            if square.tile == 0 {
                *bits = letter;
                hash = hash.wrapping_add(self.map.key(letter));
            }
        }
        let of_blanks = blanks.iter().filter(|&&blank| blank != 0).fold(0u64, |sum, &blank| sum.wrapping_add(self.map.key(blank)));
        if hash != part.hash.wrapping_add(of_blanks) {
            return; // the map's answer was about other letters
        }
        self.place_blanks(part, &word, &blanks[..part.blanks as usize], 0);
    }

    /// Takes the word once for each choice of squares for the blanks, equal ones from left to right.
    fn place_blanks(&mut self, part: &Part, word: &[u8; MAX_DIM], blanks: &[u8], from: usize) {
        let Some((&blank, rest)) = blanks.split_first() else {
            self.take(part, word);
            return;
        };
        for at in (from..self.extent.end as usize).filter(|&at| word[at] == blank) {
            let mut word = *word;
            word[at] |= 0x80;
            self.place_blanks(part, &word, rest, if rest.first() == Some(&blank) { at + 1 } else { 0 });
        }
    }

    fn take(&mut self, part: &Part, word: &[u8; MAX_DIM]) {
        let (first, end) = (self.first, self.extent.end as usize);
        let lane = self.board.lane(self.lane);
        if part.tiles == 1 && self.lane >= self.board.dim() && makes_word_across(lane, word, first, end) {
            return;
        }
        let mut points = Points::START;
        for (square, &bits) in lane.iter().zip(word).take(end).skip(first) {
            points = match bits {
                0 => points.through(square),
                bits => points.with(square, i32::from(self.board.tile_values()[if bits & 0x80 != 0 { 0 } else { bits as usize }])),
            };
        }
        let bonus = if part.tiles as usize == self.terms.bingo_tiles { self.terms.bingo_bonus } else { 0 };
        let score = points.score() + bonus;
        let mut equity_millipoints = score * MILLI + part.kept_value;
        if let Some(opening) = self.terms.opening {
            equity_millipoints -= opening_cost(opening, self.lane, lane.len(), word, first, end);
        }
        self.sink.take(&Found { board: self.board, lane: self.lane, first, end, word, score, equity_millipoints });
    }
}
