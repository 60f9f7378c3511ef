//! Finds the best plays through the word map, extent by extent, the best bound first.
//! For each extent, the parts of the rack that are worth enough there are looked up in the word map
//! together with the letters on the board, and the words found are fitted to the squares.
//!
//! It finds the same plays as `generate.rs` down to the sink's cutoff, several times faster: nearly every part is ruled out by
//! its exact bound, or has no word.
//!
//! It is only for racks with values, at most two blanks, and letters that the map has room for. The idea comes from the word map of \[MAGPIE\].

use crate::lexicon::word_map::{AnagramClass, MAX_MAP_LETTERS, SHORT, WordMap};
use crate::movegen::anchors::{self, Extent, MAX_RACK, Through};
use crate::movegen::found::{LaidWord, LaneTiles, Terms, WordPoints};
use crate::movegen::generate::blocked_squares;
use crate::movegen::lane_square::LaneSquare;
use crate::movegen::lanes::{Lanes, PreparedLane};
use crate::movegen::queue::{self, Queue, QueuedExtent};
use crate::movegen::rack_values::RackValues;
use crate::movegen::sinks::Sink;
use crate::rules::layout::MAX_DIM;
use crate::rules::units::Millipoints;
use crate::rules::{Letter, LetterSet, Placed, Tile};

/// Below the worth of anything.
const NEVER: Millipoints = Millipoints(i32::MIN / 4);

/// Stands for a worth that is not known yet.
const UNKNOWN: Millipoints = Millipoints::MAX;

/// All letters that a word map has room for.
const MAP_LETTERS: LetterSet = LetterSet::from_bits((1 << (MAX_MAP_LETTERS + 1)) - 1);

/// With a blank on the rack, parts of at least this many tiles are looked up with the letter on the board before the search: there are
/// few such parts, and most of them have no word.
const LOOKED_UP_FIRST: usize = 5;

/// A part of the rack that may be placed.
#[derive(Clone, Copy, Debug)]
struct RackPart {
    /// Points of its tiles in falling order, then zeros.
    points: [i16; MAX_RACK],
    /// The word map's hash of its letters, the blank left out.
    hash: u64,
    /// The word map's number of its letters if there are at most [`SHORT`], see [`WordMap::short_step`].
    short: u32,
    /// Bit by [`Through::code`]: whether it may make words that go through these tiles.
    may_go_through: u64,
    /// Its letters, the blank left out.
    letters: u32,
    /// The value of the tiles kept.
    kept_value: Millipoints,
    /// Mask of the tiles kept.
    kept: u16,
    tiles: u8,
    blanks: u8,
}

/// A rack's parts, and the word map's answers about them: all that a search needs of a rack, for any board.
#[derive(Clone, Debug)]
pub struct RackParts {
    /// By size, the best kept value first.
    parts: Vec<RackPart>,
    /// By number of tiles: where they begin in `parts`.
    first: [usize; MAX_RACK + 2],
    /// By [`Through::code`] and number of tiles: the best kept value of the parts that may make words there.
    best: Box<[[Millipoints; MAX_RACK + 1]; Through::CODES]>,
}

/// Memory that searches reuse.
#[derive(Debug)]
pub struct MapSearchScratch {
    /// In the order of [`RackValues::grow`].
    made: Box<[RackPart; 1 << MAX_RACK]>,
    keys: Vec<u64>,
    queue: Queue,
    letters: SquareLetters,
}

/// Which letters may stand on the squares of an extent.
#[derive(Debug)]
struct SquareLetters {
    /// By position, up to the end of the word.
    fits: [LetterSet; MAX_DIM],
    /// The sets of the empty squares where not every letter fits.
    needs: [LetterSet; MAX_DIM],
    /// The number of sets in `needs`.
    need_count: usize,
}

impl Default for MapSearchScratch {
    fn default() -> MapSearchScratch {
        MapSearchScratch {
            made: Box::new([RackPart::nothing(0); 1 << MAX_RACK]),
            keys: Vec::new(),
            queue: Queue::default(),
            letters: SquareLetters { fits: [LetterSet::EMPTY; MAX_DIM], needs: [LetterSet::EMPTY; MAX_DIM], need_count: 0 },
        }
    }
}

impl Default for RackParts {
    fn default() -> RackParts {
        RackParts { parts: Vec::new(), first: [0; MAX_RACK + 2], best: Box::new([[NEVER; MAX_RACK + 1]; Through::CODES]) }
    }
}

impl RackParts {
    /// Sets another rack, which must be [`is_possible`]. `points` by tile index.
    pub fn set_rack(&mut self, map: &WordMap, values: &RackValues, points: &[i16], scratch: &mut MapSearchScratch) {
        let rack = values.rack();
        values.grow(&mut scratch.made[..], RackPart::nothing(values.whole()), |mut part, tile, copy| {
            anchors::insert_falling(&mut part.points, points[tile.index()]);
            // Of equal tiles, those kept have the lowest bits.
            part.kept &= !values.bit(tile.index(), rack.count(tile) + 1 - copy);
            part.tiles += 1;
            if tile.is_blank() {
                part.blanks += 1;
            } else {
                let letter = tile.index() as u8;
                part.hash = part.hash.wrapping_add(map.key(letter));
                let before = usize::from(part.tiles - part.blanks) - 1;
                part.short += if before < SHORT { map.short_step(letter, before) } else { 0 };
                part.letters |= 1 << tile.index();
            }
            part
        });
        let made = &mut scratch.made[..values.parts().len()];
        scratch.keys.clear();
        for (at, part) in made.iter_mut().enumerate() {
            part.kept_value = values.value(part.kept);
            part.may_go_through = part.find_may_go_through(map);
            let rank = (i64::from(i32::MAX) - i64::from(part.kept_value.0)) as u64;
            scratch.keys.push(u64::from(part.tiles) << 56 | rank << 16 | at as u64);
        }
        scratch.keys.sort_unstable();
        self.parts.clear();
        self.parts.extend(scratch.keys.iter().map(|key| made[(key & 0xffff) as usize]));
        for size in 0..MAX_RACK + 2 {
            self.first[size] = self.parts.partition_point(|part| (part.tiles as usize) < size);
        }
        self.set_best(rack.count(Tile::BLANK) > 0);
    }

    fn set_best(&mut self, has_blank: bool) {
        *self.best = [[NEVER; MAX_RACK + 1]; Through::CODES];
        for size in 1..=MAX_RACK {
            let mut open = u64::MAX;
            for part in &self.parts[self.first[size]..self.first[size + 1]] {
                let mut new = part.may_go_through & open;
                open &= !new;
                while new != 0 {
                    self.best[new.trailing_zeros() as usize][size] = part.kept_value;
                    new &= new - 1;
                }
            }
            if has_blank && size >= LOOKED_UP_FIRST {
                self.best[1..Through::SEVERAL.code()].iter_mut().for_each(|best| best[size] = UNKNOWN);
            }
        }
    }

    fn of_size(&self, tiles: usize) -> &[RackPart] {
        &self.parts[self.first[tiles]..self.first[tiles + 1]]
    }

    /// The best value of what is kept when this many tiles are placed on an extent; [`NEVER`] if no word is possible.
    #[inline]
    fn best_kept(&mut self, map: &WordMap, through: Through, tiles: usize) -> Millipoints {
        match self.best[through.code()][tiles] {
            UNKNOWN => self.look_up_best(map, through.code(), tiles),
            known => known,
        }
    }

    #[cold]
    fn look_up_best(&mut self, map: &WordMap, letter: usize, tiles: usize) -> Millipoints {
        let goes_through =
            |part: &&RackPart| part.may_go_through >> letter & 1 != 0 && (part.blanks == 0 || part.has_words_with(map, letter as u8));
        let best = self.of_size(tiles).iter().find(goes_through).map_or(NEVER, |part| part.kept_value);
        self.best[letter][tiles] = best;
        best
    }
}

impl RackPart {
    /// The empty part, where `kept` is the mask of the whole rack.
    fn nothing(kept: u16) -> RackPart {
        RackPart {
            points: [0; MAX_RACK],
            hash: 0,
            short: 0,
            may_go_through: 0,
            letters: 0,
            kept_value: Millipoints::ZERO,
            kept,
            tiles: 0,
            blanks: 0,
        }
    }

    /// Whether it makes words with a letter on the board.
    fn has_words_with(&self, map: &WordMap, letter: u8) -> bool {
        self.has_words(map, self.hash.wrapping_add(map.key(letter)))
    }

    /// Whether its blanks and the letters of a hash make words.
    fn has_words(&self, map: &WordMap, hash: u64) -> bool {
        match self.blanks {
            0 => map.anagrams(hash).is_some(),
            1 => !map.blank_letters(hash).is_empty(),
            _ => map.letters().any(|letter| !map.blank_letters(hash.wrapping_add(map.key(letter))).is_empty()),
        }
    }

    /// Computes the field `may_go_through`. Whether blanks make words with a letter on the board is not looked up: they are taken to.
    #[inline]
    fn find_may_go_through(&self, map: &WordMap) -> u64 {
        let is_short = usize::from(self.tiles - self.blanks) <= SHORT;
        let (alone, letters) = match (is_short, self.blanks) {
            (true, 0) => (map.short(self.short).has_words(), map.short(self.short).blank_letters()),
            (true, 1) => (!map.short(self.short).blank_letters().is_empty(), MAP_LETTERS),
            (_, 0) => (map.anagrams(self.hash).is_some(), map.blank_letters(self.hash)),
            _ => (self.has_words(map, self.hash), MAP_LETTERS),
        };
        1 << Through::SEVERAL.code() | letters.bits() | u64::from(alone)
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

/// Whether this search can be used for a rack.
pub fn is_possible(values: &RackValues) -> bool {
    let has_room_for = |(tile, _): (Tile, u8)| tile.index() <= MAX_MAP_LETTERS;
    values.has_values() && values.rack().count(Tile::BLANK) <= 2 && values.rack().distinct().all(has_room_for)
}

/// Hands the sink every play in some lanes whose equity reaches its cutoff, and some others; each different placement once.
///
/// `parts` must be [set](RackParts::set_rack) to the rack of `values`.
pub fn generate<S: Sink>(
    map: &WordMap,
    lanes: Lanes<'_>,
    values: &RackValues,
    parts: &mut RackParts,
    terms: &Terms<'_>,
    scratch: &mut MapSearchScratch,
    sink: &mut S,
) {
    let rack = values.rack();
    if rack.is_empty() {
        return;
    }
    let has_blank = rack.count(Tile::BLANK) > 0;
    let fitting = if has_blank { LetterSet::ALL } else { rack.distinct().filter_map(|(tile, _)| tile.letter()).collect() };
    let MapSearchScratch { queue, letters, .. } = scratch;
    queue.clear();
    let floor = sink.cutoff().max(Millipoints(NEVER.0 / 2));
    // First the bound of each extent that the rack can fill ...
    for lane in lanes.iter() {
        let anchors = lane.anchors();
        let blocked = blocked_squares(&anchors.constrained, fitting);
        for anchor in &anchors.anchors {
            for at in anchor.extents() {
                let extent = &anchors.extents[at];
                let tiles = extent.tiles as usize;
                let in_words = anchors.letters.get(at).copied().unwrap_or(LetterSet::ALL);
                if tiles > rack.len()
                    || !in_words.meets(fitting)
                    || extent.squares.meets(blocked)
                    || !extent.beside_run(anchor).fits.meets(fitting)
                {
                    continue;
                }
                let kept = parts.best_kept(map, extent.through, tiles);
                let bound = Millipoints::from_points(most_points(extent, values.falling_points(), terms)) + kept;
                if bound >= floor {
                    queue.push(QueuedExtent { bound, lane: lane.number(), number: at as u16 });
                }
            }
        }
    }
    // ... then the extents, the most promising first, until no later one can help any more.
    for &QueuedExtent { bound, lane, number } in queue.sort() {
        let cutoff = sink.cutoff();
        if bound < cutoff {
            if queue::most_behind(bound) < cutoff {
                break;
            }
            continue;
        }
        let (lane, number) = (lanes.lane(lane), number as usize);
        let most = Millipoints::from_points(most_points(&lane.anchors().extents[number], values.falling_points(), terms));
        ExtentSearch::new(map, lane, number, terms, letters, sink).search(parts, most);
    }
}

/// The most points that tiles of the rack can score on this extent.
#[inline(always)]
fn most_points(extent: &Extent, falling_points: &[i16; MAX_RACK], terms: &Terms<'_>) -> i32 {
    product(&extent.multipliers, falling_points) + fixed_points(extent, terms)
}

#[inline(always)]
fn fixed_points(extent: &Extent, terms: &Terms<'_>) -> i32 {
    extent.fixed + terms.bonus(usize::from(extent.tiles))
}

/// The search for words on one extent.
struct ExtentSearch<'a, S> {
    map: &'a WordMap,
    lane: PreparedLane<'a>,
    extent: &'a Extent,
    terms: &'a Terms<'a>,
    sink: &'a mut S,
    /// The squares from the first letter of the word to its last.
    squares: &'a [LaneSquare],
    first: usize,
    /// The hash of the letters on the board.
    through: u64,
    /// Letters that no word has here on an empty square.
    excluded: u32,
    /// PERF: a reference, since a value would be copied for each extent: 336 bytes, and 4 % of all instructions of
    /// `match static:late=off rack3`.
    letters: &'a SquareLetters,
}

impl<'a, S: Sink> ExtentSearch<'a, S> {
    /// For extent number `at` of a lane.
    fn new(
        map: &'a WordMap,
        lane: PreparedLane<'a>,
        at: usize,
        terms: &'a Terms<'a>,
        letters: &'a mut SquareLetters,
        sink: &'a mut S,
    ) -> Self {
        let anchors = lane.anchors();
        let extent = &anchors.extents[at];
        let excluded = !anchors.letters.get(at).map_or(u32::MAX, |letters| letters.bits() as u32);
        let first = extent.first as usize;
        let squares = &lane.squares()[first..extent.end as usize];
        let beside_run = extent.beside_run(&anchors.anchors[extent.anchor as usize]);
        letters.need_count = 0;
        let mut through = 0u64;
        for (at, (square, fits)) in squares.iter().zip(&mut letters.fits).enumerate() {
            if let Some(tile) = square.tile {
                *fits = LetterSet::of(tile.letter());
                through = through.wrapping_add(map.key(tile.letter().number()));
            } else {
                let is_beside_run = first + at == beside_run.position as usize;
                *fits = if is_beside_run { square.cross_set & beside_run.fits } else { square.cross_set };
                if *fits != LetterSet::ALL {
                    letters.needs[letters.need_count] = *fits;
                    letters.need_count += 1;
                }
            }
        }
        ExtentSearch { map, lane, extent, terms, sink, squares, first, through, excluded, letters }
    }

    /// Searches the extent. `most` is the most that it can score.
    fn search(&mut self, parts: &RackParts, most: Millipoints) {
        let tiles = self.extent.tiles as usize;
        let through = self.extent.through.code();
        let fixed = fixed_points(self.extent, self.terms);
        let needs = &self.letters.needs[..self.letters.need_count];
        // Cheap questions first. The parts that keep the best come first, so the first one that cannot help ends the search.
        for part in parts.of_size(tiles) {
            let cutoff = self.sink.cutoff();
            if most + part.kept_value < cutoff {
                break;
            }
            if part.may_go_through >> through & 1 == 0 || part.letters & self.excluded != 0 {
                continue;
            }
            if Millipoints::from_points(product(&self.extent.multipliers, &part.points) + fixed) + part.kept_value < cutoff {
                continue;
            }
            if part.blanks == 0 && needs.iter().any(|need| need.bits() & u64::from(part.letters) == 0) {
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
    fn look_up_with_blank(&mut self, part: &RackPart, hash: u64, other: u8) {
        for letter in self.map.blank_letters(hash).from_number_on(other).iter().map(Letter::number) {
            self.look_up(part, hash.wrapping_add(self.map.key(letter)), [letter, other]);
        }
    }

    /// Fits the words of a hash to the squares. `blanks` are the letters that blanks stand for, the first one first, or 0.
    #[inline]
    fn look_up(&mut self, part: &RackPart, hash: u64, blanks: [u8; 2]) {
        if let Some(anagrams) = self.map.anagrams(hash) {
            self.fit(part, anagrams, blanks);
        }
    }

    fn fit(&mut self, part: &RackPart, anagrams: AnagramClass, blanks: [u8; 2]) {
        let length = self.squares.len();
        let map = self.map;
        for word in map.words(anagrams, length) {
            if word.iter().zip(&self.letters.fits).all(|(&letter, fits)| fits.has_number(letter)) {
                self.record(part, word, blanks);
            }
        }
    }

    /// Lays a word on the squares; `blanks` as in [`ExtentSearch::look_up`].
    fn record(&mut self, part: &RackPart, letters: &[u8], blanks: [u8; 2]) {
        let mut tiles: LaneTiles = [None; MAX_DIM];
        let mut hash = 0u64;
        for ((tile, square), &letter) in tiles[self.first..].iter_mut().zip(self.squares).zip(letters) {
            if square.is_empty() {
                *tile = Placed::from_bits(letter);
                hash = hash.wrapping_add(self.map.key(letter));
            }
        }
        let of_blanks = blanks.iter().filter(|&&blank| blank != 0).fold(0u64, |sum, &blank| sum.wrapping_add(self.map.key(blank)));
        if hash != part.hash.wrapping_add(of_blanks) {
            return; // the map's answer was for other letters
        }
        self.place_blanks(part, &tiles, &blanks[..part.blanks as usize], 0);
    }

    /// Takes the word once for each choice of squares for the blanks, equal ones from left to right.
    fn place_blanks(&mut self, part: &RackPart, tiles: &LaneTiles, blanks: &[u8], from: usize) {
        let Some((&blank, rest)) = blanks.split_first() else {
            self.take(part, tiles);
            return;
        };
        let letter_tile = Placed::from_bits(blank);
        for at in (from..self.extent.end as usize).filter(|&at| tiles[at] == letter_tile) {
            let mut tiles = *tiles;
            tiles[at] = letter_tile.map(Placed::as_blank);
            self.place_blanks(part, &tiles, rest, if rest.first() == Some(&blank) { at + 1 } else { 0 });
        }
    }

    /// Hands the sink a word whose tiles are all chosen.
    fn take(&mut self, part: &RackPart, tiles: &LaneTiles) {
        let (board, end) = (self.lane.board(), self.extent.end as usize);
        let mut points = WordPoints::START;
        for (square, tile) in self.squares.iter().zip(&tiles[self.first..end]) {
            points = match tile {
                None => points.through(square),
                Some(tile) => points.with(square, i32::from(board.tile_values()[tile.rack_tile().index()])),
            };
        }
        let word = LaidWord { board, lane: self.lane.number(), first: self.first, end, tiles, placed: part.tiles as usize };
        if let Some(found) = word.judge(points, part.kept_value, self.terms) {
            self.sink.take(&found);
        }
    }
}
