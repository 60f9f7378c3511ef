//! Finds the cheapest placements, for players who want few points. A placement costs its score
//! minus the value of the tiles kept.
//!
//! The walk is that of `movegen/generate.rs` with reversed bounds. Another tile never lowers the points of a word, so the score so far is a
//! lower bound. At best, the most valuable part of the tiles still on the rack is kept. A path is abandoned when both bounds together are
//! worse than the plays found. Cheap plays place few tiles, so plays of at most two tiles are searched first, and bound the rest.
//!
//! The twin of the tests is `movegen/generate.rs` with all plays, sorted. Start with [`generate_cheapest`].

use crate::lexicon::word_graph::{NodeIndex, Reached, WordGraph};
use crate::movegen::anchors::MAX_RACK;
use crate::movegen::found::{LaidWord, LaneTiles, Terms, WordPoints};
use crate::movegen::gaddag_walk::{self, AnchorWalk, WordPlace};
use crate::movegen::lane_numbers::LaneNumber;
use crate::movegen::lane_square::LaneSquare;
use crate::movegen::lanes::{LaneBoard, Lanes};
use crate::movegen::rack_values::RackValues;
use crate::movegen::sinks::Sink;
use crate::rules::Placed;
use crate::rules::layout::MAX_DIM;
use crate::rules::tiles::MAX_LETTERS;
use crate::rules::units::Millipoints;

/// The most tiles of the placements that are searched first.
const FEW_TILES: usize = 2;

/// Passes to the sink the placements whose equity is not below its cutoff, each once. The equity is the value of the tiles kept minus the
/// score.
///
/// # Panics
/// If the rack has no values, or the board has no bounds; see [`LaneBoard::without_bounds`].
pub fn generate_cheapest<S: Sink>(graph: &WordGraph, lanes: Lanes<'_>, values: &RackValues, terms: &Terms<'_>, sink: &mut S) {
    let board = lanes.board();
    assert!(values.has_values() && board.has_bounds(), "parts of the rack have values, and anchors their places in the word graph");
    let mut walk = CheapWalk {
        graph,
        board,
        values,
        best_kept: best_kept(values),
        terms,
        sink,
        lane_number: LaneNumber::default(),
        lane: &[],
        left: *values.rack().counts(),
        kept: values.whole(),
        placed: 0,
        least: 1,
        most: FEW_TILES,
        word: [None; MAX_DIM],
    };
    for (least, most) in [(1, FEW_TILES), (FEW_TILES + 1, values.rack().len())] {
        (walk.least, walk.most) = (least, most);
        for lane in lanes.iter() {
            (walk.lane_number, walk.lane) = (lane.number(), lane.squares());
            gaddag_walk::walk_lane(&mut walk, lane);
        }
    }
}

/// By mask of a part: the best value of any part of it.
fn best_kept(values: &RackValues) -> [Millipoints; 1 << MAX_RACK] {
    let mut best = [Millipoints::MIN; 1 << MAX_RACK];
    for &part in values.parts() {
        // Removing the last copy of one of its tiles gives another part, which comes before this one.
        let last_copies = values
            .rack()
            .distinct()
            .filter_map(|(tile, count)| (1..=count).rev().map(|copy| values.bit(tile.index(), copy)).find(|bit| part & bit != 0));
        let smaller = last_copies.map(|bit| best[(part & !bit) as usize]).max();
        best[part as usize] = smaller.unwrap_or(Millipoints::MIN).max(values.value(part));
    }
    best
}

/// A walk that abandons paths that cost too much.
struct CheapWalk<'a, S> {
    graph: &'a WordGraph,
    board: &'a LaneBoard,
    values: &'a RackValues,
    /// See [`best_kept`].
    best_kept: [Millipoints; 1 << MAX_RACK],
    terms: &'a Terms<'a>,
    sink: &'a mut S,
    lane_number: LaneNumber,
    lane: &'a [LaneSquare],
    /// Tiles of the rack not placed yet, by tile index.
    left: [u8; MAX_LETTERS + 1],
    /// The mask of these tiles.
    kept: u16,
    placed: usize,
    /// Placements of fewer tiles are not taken.
    least: usize,
    /// Placements of more tiles are not searched.
    most: usize,
    /// By position: the tiles placed.
    word: LaneTiles,
}

impl<S: Sink> CheapWalk<'_, S> {
    /// Whether words with at least these points may still reach the sink's cutoff.
    fn may_be_cheap(&self, points: WordPoints) -> bool {
        let score = points.score() + self.terms.bingo_bonus.min(0);
        self.best_kept[self.kept as usize] - Millipoints::from_points(score) >= self.sink.cutoff()
    }
}

impl<'a, S: Sink> AnchorWalk<'a> for CheapWalk<'a, S> {
    type Sum = WordPoints;

    fn graph(&self) -> &'a WordGraph {
        self.graph
    }

    fn lane(&self) -> &'a [LaneSquare] {
        self.lane
    }

    fn place_each(&mut self, list: NodeIndex, position: usize, points: WordPoints, mut go_on: impl FnMut(&mut Self, Reached, WordPoints)) {
        let square = &self.lane[position];
        for node in self.graph.siblings(list).filter(|node| square.cross_set.has_number(node.tile())) {
            let Some(letter) = Placed::from_bits(node.tile()) else { continue };
            for tile in [letter, letter.as_blank()] {
                let index = tile.rack_tile().index();
                let copies = self.left[index];
                if copies == 0 {
                    continue;
                }
                let points = points.with(square, self.board.tile_values()[index] as i32);
                let bit = self.values.bit(index, copies);
                self.left[index] -= 1;
                self.kept &= !bit;
                if self.may_be_cheap(points) {
                    self.placed += 1;
                    self.word[position] = Some(tile);
                    go_on(self, Reached { list: node.arc(), accepts: node.accepts() }, points);
                    self.word[position] = None;
                    self.placed -= 1;
                }
                self.kept |= bit;
                self.left[index] += 1;
            }
        }
    }

    fn with_board_tile(points: WordPoints, square: &LaneSquare) -> WordPoints {
        points.through(square)
    }

    fn take_word(&mut self, place: WordPlace, points: WordPoints) {
        let WordPlace { first, end, .. } = place;
        if end - first < 2 || self.placed < self.least {
            return;
        }
        let word = LaidWord { board: self.board, lane: self.lane_number, first, end, tiles: &self.word, placed: self.placed };
        if let Some(found) = word.judge(points, self.values.value(self.kept), self.terms) {
            self.sink.take(&found.with_points_as_cost());
        }
    }

    fn may_place(&self) -> bool {
        self.placed < self.most
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Lexicon;
    use crate::movegen::found::GeneratedPlay;
    use crate::movegen::generate::{GenerateScratch, generate};
    use crate::movegen::sinks::{AllPlays, BestPlays};
    use crate::rules::{Board, GameRules, Rack, Tile};
    use crate::search::randomness::{self, Stream};
    use rand::RngExt;

    /// The dumb twin: all plays, each judged by itself, sorted.
    fn twin(board: &mut LaneBoard, graph: &WordGraph, values: &RackValues, terms: &Terms<'_>) -> Vec<GeneratedPlay> {
        let (mut sink, mut scratch) = (AllPlays::default(), GenerateScratch::default());
        generate(graph, board.prepare(graph), values, terms, &mut scratch, &mut sink);
        for play in &mut sink.plays {
            let score = Millipoints::from_points(play.score);
            play.equity = play.equity - score - score;
        }
        sink.plays.sort_by(|a, b| b.equity.cmp(&a.equity).then_with(|| a.placement.cmp(&b.placement)));
        sink.plays
    }

    #[test]
    fn the_cheapest_are_the_first_of_all_sorted() {
        let (rules, lexicon) = (GameRules::english(), Lexicon::builtin());
        let graph = lexicon.graph();
        let terms = Terms::of(&rules);
        let mut compared = 0;
        for game in 0..6 {
            let mut rng = randomness::generator(27, Stream::Players, game);
            let mut bag: Vec<Tile> = Rack::full_bag(&rules.distribution).tiles().collect();
            randomness::shuffle(&mut bag, &mut rng);
            let mut board = LaneBoard::new(&rules, &Board::empty(15), graph);
            let mut rack: Rack = bag.split_off(bag.len() - 7).into_iter().collect();
            while !rack.is_empty() {
                let mut values = RackValues::bare(&rack, board.tile_values());
                // Tiles of any value, even of a negative one.
                let worth: Vec<i32> = (0..=MAX_LETTERS).map(|_| rng.random_range(-2000..4000)).collect();
                values.fill(0, |sum: i32, tile: Tile, _| sum + worth[tile.index()], Millipoints);
                let all = twin(&mut board, graph, &values, &terms);
                for wanted in [1, 4, 15, all.len() + 1] {
                    let mut sink = BestPlays::new(wanted);
                    generate_cheapest(graph, board.prepare(graph), &values, &terms, &mut sink);
                    assert_eq!(sink.into_plays(), all[..wanted.min(all.len())], "game {game}, {wanted}");
                    compared += 1;
                }
                // A random play, so that boards fill up.
                if all.is_empty() {
                    break;
                }
                let play = &all[rng.random_range(0..all.len())];
                board.play(&play.placement, graph);
                rack = rack.minus(&play.placement.rack_tiles()).unwrap();
                while rack.len() < 7
                    && let Some(tile) = bag.pop()
                {
                    rack.add(tile);
                }
            }
        }
        assert!(compared > 200, "{compared}");
    }
}
