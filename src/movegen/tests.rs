//! Tests of the generator against oracle files, a word-by-word twin, and recomputation after each
//! move.

use crate::evaluation::heuristics::RackHeuristic;
use crate::evaluation::static_eval::StaticTurn;
use crate::evaluation::{Leaves, StaticEval};
use crate::formats::{cgp, dear_rules, layout, letter_distribution};
use crate::lexicon::Lexicon;
use crate::movegen::found::{Found, GeneratedPlay, Terms, score_here};
use crate::movegen::generate::{GenerateScratch, generate, generate_lane};
use crate::movegen::sinks::{AllPlays, CountPlays, Sink};
use crate::movegen::{LaneBoard, LaneNumber, LaneSquares, Lanes, RackValues};
use crate::rules::notation::coordinate_text;
use crate::rules::variant::{Variant, WordRule};
use crate::rules::{Board, Direction, GameRules, Layout, Letter, Placed, Placement, Rack, Square, Tile, scoring};
use crate::search::randomness::{self, Stream};
use rand::{Rng, RngExt};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, OnceLock};

fn lexicon() -> &'static Lexicon {
    static LEXICON: OnceLock<Lexicon> = OnceLock::new();
    LEXICON.get_or_init(|| {
        let lexicon = Lexicon::builtin();
        lexicon.make_map();
        lexicon
    })
}

fn rules() -> &'static GameRules {
    static RULES: OnceLock<GameRules> = OnceLock::new();
    RULES.get_or_init(GameRules::english)
}

/// Board and rack of a CGP.
fn parse(text: &str) -> (Board, Rack) {
    let position = cgp::parse(text, rules()).unwrap().position;
    (position.board().clone(), *position.mover_rack())
}

fn terms() -> Terms<'static> {
    Terms { bingo_bonus: 50, bingo_tiles: 7, opening: None }
}

fn all_plays_of(lexicon: &Lexicon, board: &mut LaneBoard, rack: &Rack) -> Vec<GeneratedPlay> {
    let graph = lexicon.graph();
    board.prepare(graph);
    let values = RackValues::without_values(rack, board.tile_values());
    let mut sink = AllPlays::default();
    generate(graph, Lanes::all(board), &values, &terms(), &mut GenerateScratch::default(), &mut sink);
    sink.plays
}

fn all_plays(board: &mut LaneBoard, rack: &Rack) -> Vec<GeneratedPlay> {
    all_plays_of(lexicon(), board, rack)
}

/// Every 41st word of the list, and the two-letter words: enough to cross, few enough to try all.
fn small_lexicon(alphabet: &crate::rules::LetterDistribution) -> Lexicon {
    let words = include_str!("../../lexicons/enable.txt").lines();
    let kept: Vec<&str> = words.enumerate().filter(|(at, word)| at % 41 == 0 || word.len() == 2).map(|(_, word)| word).collect();
    Lexicon::from_text("small", alphabet, &kept.join("\n")).unwrap()
}

/// A random rack of the tiles that are not on the board.
fn random_rack(rules: &GameRules, board: &Board, rng: &mut impl Rng) -> Rack {
    let mut left = Rack::full_bag(&rules.distribution);
    for (_, tile) in board.tiles() {
        assert!(left.remove(tile.rack_tile()));
    }
    let mut tiles: Vec<Tile> = left.tiles().collect();
    randomness::shuffle(&mut tiles, rng);
    tiles.into_iter().take(rules.rack_size).collect()
}

/// All placements of a rack, by trying every word on every square: the dumb twin of the generator.
fn word_by_word(rules: &GameRules, lexicon: &Lexicon, board: &Board, rack: &Rack) -> Vec<(Placement, i32)> {
    let mut found = Vec::new();
    let words: Vec<Vec<Letter>> =
        lexicon.list().words().iter().map(|word| word.iter().map(|&number| Letter::new(number).unwrap()).collect()).collect();
    for start in Square::all(board.dim()) {
        for direction in Direction::ALL {
            for word in &words {
                place_word(rules, lexicon, board, rack, Placement::at(start, direction), word, &mut found);
            }
        }
    }
    found
}

/// Places the rest of a word after `placement`, with tiles and blanks in all ways.
fn place_word(
    rules: &GameRules,
    lexicon: &Lexicon,
    board: &Board,
    rack: &Rack,
    placement: Placement,
    word: &[Letter],
    found: &mut Vec<(Placement, i32)>,
) {
    let Some((&letter, rest)) = word.split_first() else {
        if let Ok(scored) = scoring::score_placement(rules, board, &placement) {
            let is_repeated = placement.tile_count() == 1 && placement.direction == Direction::Down && scored.words.len() > 1
                || board.is_empty() && placement.direction == Direction::Down && rules.layout.is_symmetric();
            if !is_repeated && scored.words.iter().all(|word| lexicon.graph().contains(&word.letters())) {
                found.push((placement, scored.score));
            }
        }
        return;
    };
    let Some(square) = placement.start.step(placement.direction, placement.word_len() as isize, board.dim()) else {
        return;
    };
    let mut go_on = |tile: Option<Placed>, rack: &Rack| {
        let mut longer = placement;
        longer.push(tile);
        place_word(rules, lexicon, board, rack, longer, rest, found);
    };
    if let Some(there) = board.get(square) {
        if there.letter() == letter {
            go_on(None, rack);
        }
        return;
    }
    for (tile, placed) in [(Tile::from(letter), Placed::tile(letter)), (Tile::BLANK, Placed::blank(letter))] {
        let mut left = *rack;
        if left.remove(tile) {
            go_on(Some(placed), &left);
        }
    }
}

/// Compares the generator with its twin on random positions.
fn check_against_twin(rules: &GameRules, lexicon: &Lexicon, games: u64, turns: usize) {
    let mut compared = 0;
    for game in 0..games {
        let mut rng = randomness::generator(5, Stream::Positions, game);
        let mut board = Board::empty(rules.layout.dim());
        for _ in 0..turns {
            let rack = random_rack(rules, &board, &mut rng);
            let mut lanes = LaneBoard::new(rules, &board, lexicon.graph());
            let mut found: Vec<_> = all_plays_of(lexicon, &mut lanes, &rack).iter().map(|play| (play.placement, play.score)).collect();
            let mut expected = word_by_word(rules, lexicon, &board, &rack);
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "{board:?} {rack:?}");
            compared += found.len();
            if !found.is_empty() {
                found[rng.random_range(0..found.len())].0.put_on(&mut board);
            }
        }
    }
    assert!(compared > 1000, "{compared} plays compared");
}

#[test]
fn every_play_of_the_oracle_positions_is_found_and_scored() {
    let rows: Vec<&str> = include_str!("../lab/data/movegen_enable.tsv").lines().skip(1).collect();
    assert_eq!(rows.len(), 300);
    for row in rows {
        let fields: Vec<&str> = row.split('\t').collect();
        let (board, rack) = parse(fields[0]);
        let mut lanes = LaneBoard::new(rules(), &board, lexicon().graph());
        let plays = all_plays(&mut lanes, &rack);
        let scores: Vec<i32> = plays.iter().map(|play| play.score).collect();
        let found = (plays.len(), scores.iter().sum::<i32>(), scores.iter().copied().max().unwrap_or(0));
        let number = |at: usize| fields[at].parse::<i32>().unwrap();
        assert_eq!(found, (number(1) as usize, number(2), number(3)), "{}", fields[0]);
        let mut lines: Vec<String> = plays
            .iter()
            .map(|play| {
                let mut line = coordinate_text(play.placement.start, play.placement.direction) + " ";
                play.placement.cells(&board).for_each(|cell| rules().distribution.write_placed(cell, &mut line));
                format!("{line} {}\n", play.score)
            })
            .collect();
        lines.sort_unstable();
        let sum: String = Sha256::digest(lines.concat()).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(sum, fields[4], "{}", fields[0]);
    }
}

/// What [`generate_lane`] finds.
#[derive(Default)]
struct Placements(Vec<(Placement, i32)>);

impl Sink for Placements {
    const PRUNES: bool = false;

    fn take(&mut self, found: &Found<'_>) {
        self.0.push((found.play().placement, found.score));
    }
}

#[test]
fn generating_for_some_squares_of_a_lane_finds_the_plays_that_depend_on_them() {
    let mut rng = randomness::generator(5, Stream::Positions, 0);
    let graph = lexicon().graph();
    let (mut some, mut none) = (0, 0);
    for row in include_str!("../../tests/data/endgame_enable.tsv").lines().skip(1) {
        let (board, rack) = parse(row.split('\t').next().unwrap());
        let mut lanes = LaneBoard::new(rules(), &board, graph).without_bounds();
        lanes.prepare(graph);
        // Also with more tiles than a rack has: a play still places no more than seven.
        for rack in [rack, rack.plus(&random_rack(rules(), &Board::empty(15), &mut rng))] {
            let values = RackValues::without_values(&rack, lanes.tile_values());
            let found = |lane: LaneNumber, squares: LaneSquares| {
                let mut sink = Placements::default();
                generate_lane(graph, Lanes::all(&lanes).lane(lane), squares, &values, &terms(), &mut sink);
                sink.0
            };
            for lane in lanes.lane_numbers() {
                let all = found(lane, LaneSquares::WHOLE_LANE);
                for _ in 0..4 {
                    let squares: LaneSquares = (0..rng.random_range(1..4)).map(|_| rng.random_range(0..15)).collect();
                    let depends = |(placement, _): &&(Placement, i32)| {
                        let first = lanes.lane_of(placement.start, placement.direction).position;
                        LaneSquares::of_word(first, first + placement.word_len()).meets(squares)
                    };
                    let expected: Vec<_> = all.iter().filter(depends).copied().collect();
                    assert_eq!(found(lane, squares), expected, "{row} {lane:?} {squares:?}");
                    (some, none) = (some + expected.len(), none + all.len() - expected.len());
                }
            }
        }
    }
    assert!(some > 10_000 && none > 10_000, "{some} {none}");
}

#[test]
fn best_play_is_the_best_of_all_plays_on_the_oracle_positions() {
    let leaves = Leaves::heuristic(RackHeuristic::VowelMix, &rules().distribution);
    let mut eval = StaticEval::new(rules(), lexicon().graph(), &leaves);
    let mut by_map = StaticEval::new(rules(), lexicon(), &leaves);
    for row in include_str!("../lab/data/movegen_enable.tsv").lines().skip(1) {
        let (board, rack) = parse(row.split('\t').next().unwrap());
        let mut lanes = LaneBoard::new(rules(), &board, lexicon().graph());
        for in_bag in [0, 3, 40] {
            let turn = StaticTurn::new(&rack, &rack, in_bag);
            let all = eval.all(&mut lanes, &turn);
            assert_eq!(eval.best(&mut lanes, &turn), all[0], "{row}");
            assert_eq!(eval.best_few(&mut lanes, &turn, 15), all[..15.min(all.len())], "{row}");
            assert_eq!(by_map.best(&mut lanes, &turn), all[0], "{row}");
            assert_eq!(by_map.best_few(&mut lanes, &turn, 15), all[..15.min(all.len())], "{row}");
        }
    }
}

#[test]
fn counting_agrees_with_listing() {
    let (board, rack) = parse("15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0");
    let mut lanes = LaneBoard::new(rules(), &board, lexicon().graph());
    let listed = all_plays(&mut lanes, &rack).len();
    let mut sink = CountPlays::default();
    let values = RackValues::without_values(&rack, lanes.tile_values());
    generate(lexicon().graph(), Lanes::all(&lanes), &values, &terms(), &mut GenerateScratch::default(), &mut sink);
    assert_eq!(sink.count, listed as u64);
    assert!(listed > 1000);
}

#[test]
fn corbins_dead_position_has_no_play_for_all_unseen_tiles_as_one_rack() {
    let (board, _) = parse("15/15/15/15/15/15/7j7/6JUS6/7SOX5/8xU5/15/15/15/15/15 / 0/0 0");
    let (dead, _) = parse("15/15/15/15/15/15/8j6/7JUS5/8SOX4/9xU4/15/15/15/15/15 / 0/0 0");
    assert_ne!(board, dead);
    let mut unseen = Rack::full_bag(&rules().distribution);
    for (_, tile) in dead.tiles() {
        assert!(unseen.remove(tile.rack_tile()));
    }
    assert_eq!(unseen.len(), 91);
    let mut lanes = LaneBoard::new(rules(), &dead, lexicon().graph());
    assert_eq!(all_plays(&mut lanes, &unseen), []);
}

#[test]
fn the_generator_finds_what_trying_every_word_finds() {
    check_against_twin(rules(), &small_lexicon(&rules().distribution), 6, 12);
}

#[test]
fn the_generator_finds_what_trying_every_word_finds_with_letters_of_two_characters() {
    // A start square off the diagonal: first plays down are not mirror images of those across.
    let rows: Vec<String> = (0..9)
        .map(|row| {
            (0..9)
                .map(|col| {
                    if (row, col) == (3, 5) {
                        '*'
                    } else if (row + col) % 4 == 0 {
                        '~'
                    } else {
                        '\''
                    }
                })
                .collect()
        })
        .collect();
    let layout = Arc::new(layout::parse("nine", &rows.join("\n")).unwrap());
    let distribution = "?,?,2,0,0\nA,a,9,1,1\nC,c,4,3,0\nCH,ch,3,5,0\nE,e,9,1,1\nO,o,8,1,1\nR,r,5,1,0\nRR,rr,2,8,0\nT,t,5,1,0\n";
    let distribution = Arc::new(letter_distribution::parse("mini", distribution).unwrap());
    let words = "A[CH]E\n[CH]A\n[CH]E[RR]A\nCA\nCARO\nTA\nTAC[RR]O\nRATA\nOCA\nO[CH]O\nTE\nETAO\nAROT\nAA\nCACA\nTATEO\n[RR]OAE";
    let lexicon = Lexicon::from_text("mini", &distribution, words).unwrap();
    let rules = GameRules::standard(distribution, layout);
    check_against_twin(&rules, &lexicon, 40, 5);
}

#[test]
fn the_generator_finds_what_trying_every_word_finds_on_a_board_of_21_with_quadruple_squares() {
    let row = |row: usize| {
        (0..21).map(move |col| {
            if (row, col) == (10, 10) {
                '*'
            } else if (row * col) % 7 == 3 {
                '^'
            } else {
                '.'
            }
        })
    };
    let rows: Vec<String> = (0..21).map(|at| row(at).collect()).collect();
    let layout = Arc::new(layout::parse("super", &rows.join("\n")).unwrap());
    let rules = GameRules::standard(Arc::clone(&rules().distribution), layout);
    check_against_twin(&rules, &small_lexicon(&rules.distribution), 5, 12);
}

#[test]
fn lanes_are_those_of_the_board_after_every_play_and_undo() {
    let graph = lexicon().graph();
    let fresh = |board: &Board| {
        let mut lanes = LaneBoard::new(rules(), board, graph);
        lanes.prepare(graph);
        lanes
    };
    let mut steps = 0;
    for game in 0..60 {
        let mut rng = randomness::generator(6, Stream::Positions, game);
        let mut lanes = fresh(&Board::empty(15));
        let mut boards = vec![Board::empty(15)];
        for _ in 0..60 {
            steps += 1;
            let board = boards.last().unwrap().clone();
            let rack = random_rack(rules(), &board, &mut rng);
            let plays = if boards.len() > 14 { Vec::new() } else { all_plays(&mut lanes, &rack) };
            if boards.len() > 1 && (plays.is_empty() || rng.random_range(0..3) == 0) {
                lanes.undo();
                boards.pop();
            } else if let Some(play) = plays.get(rng.random_range(0..plays.len().max(1))) {
                lanes.play(&play.placement, graph);
                let mut next = board;
                play.placement.put_on(&mut next);
                boards.push(next);
            }
            if rng.random_range(0..2) == 0 {
                lanes.prepare(graph);
            }
            let expected = fresh(boards.last().unwrap());
            let mut derived = lanes.clone();
            derived.prepare(graph);
            for lane in LaneNumber::first(30) {
                assert_eq!(lanes.lane(lane), expected.lane(lane), "{lane:?}");
                assert_eq!(Lanes::all(&derived).lane(lane).anchors(), Lanes::all(&expected).lane(lane).anchors(), "{lane:?}");
            }
            assert_eq!(&lanes.to_board(), boards.last().unwrap());
        }
    }
    assert!(steps >= 3000);
}

#[test]
fn the_generator_finds_what_trying_every_word_finds_with_tiles_of_up_to_a_thousand_points() {
    let rules = dear_rules(Layout::super21());
    check_against_twin(&rules, &small_lexicon(&rules.distribution), 5, 12);
}

#[test]
fn an_empty_start_square_beside_tiles_is_a_square_like_others() {
    // A position by hand: nobody has covered the start, 8H, which is below the T.
    let (board, rack) = parse("15/15/15/15/15/15/7TAX5/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0");
    let small = small_lexicon(&rules().distribution);
    let mut lanes = LaneBoard::new(rules(), &board, small.graph());
    let mut found: Vec<_> = all_plays_of(&small, &mut lanes, &rack).iter().map(|play| (play.placement, play.score)).collect();
    let mut expected = word_by_word(rules(), &small, &board, &rack);
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
    let start = rules().layout.start();
    let covers = |placement: &Placement| placement.placed().count() > 1 && placement.placed().any(|(square, _)| square == start);
    assert!(found.iter().any(|(placement, _)| placement.direction == Direction::Across && covers(placement)), "{found:?}");
}

#[test]
fn best_play_is_the_best_of_all_plays_in_whole_games() {
    check_best_plays(rules(), 200);
}

#[test]
fn best_play_is_the_best_of_all_plays_with_tiles_of_up_to_a_thousand_points() {
    check_best_plays(&dear_rules(Layout::standard()), 20);
}

fn check_best_plays(rules: &GameRules, games: u64) {
    let leaves = Leaves::heuristic(RackHeuristic::VowelMix, &rules.distribution);
    let mut eval = StaticEval::new(rules, lexicon().graph(), &leaves);
    let mut by_map = StaticEval::new(rules, lexicon(), &leaves);
    let (mut compared, mut dropped) = (0, 0);
    for game in 0..games {
        let mut rng = randomness::generator(8, Stream::Positions, game);
        let mut lanes = LaneBoard::new(rules, &Board::empty(rules.layout.dim()), lexicon().graph());
        loop {
            let board = lanes.to_board();
            let rack = random_rack(rules, &board, &mut rng);
            let left = rules.distribution.total() - board.tiles().count();
            if rack.len() < 2 {
                break;
            }
            let turn = StaticTurn::new(&rack, &rack, left.saturating_sub(14));
            let all = eval.all(&mut lanes, &turn);
            assert_eq!(eval.best(&mut lanes, &turn), all[0]);
            assert_eq!(eval.best_few(&mut lanes, &turn, 3), all[..3.min(all.len())]);
            assert_eq!(by_map.best(&mut lanes, &turn), all[0]);
            assert_eq!(by_map.best_few(&mut lanes, &turn, 60), all[..60.min(all.len())]);
            let mut learned = lanes.clone();
            learned.learn_letters(lexicon().graph());
            assert_eq!(eval.best(&mut learned, &turn), all[0]);
            assert_eq!(by_map.best_few(&mut learned, &turn, 60), all[..60.min(all.len())]);
            let extents = |board: &LaneBoard| Lanes::all(board).iter().map(|lane| lane.anchors().extents.len()).sum::<usize>();
            dropped += extents(&lanes) - extents(&learned);
            compared += 1;
            match all[rng.random_range(0..all.len().min(20))].play.placement() {
                Some(placement) => lanes.play(placement, lexicon().graph()),
                None => break,
            }
            lanes.commit();
        }
    }
    assert!(compared > 10 * games as usize && dropped > 50 * compared, "{compared} {dropped}");
}

#[test]
fn racks_may_have_letters_that_no_word_has() {
    // English without the words that have a letter above S, and twelve letters more, some of them beyond those that a word map has room for.
    let greek = "ΑΒΓΔΕΖΗΘΙΚΛΜ".chars().zip("αβγδεζηθικλμ".chars()).map(|(upper, lower)| format!("{upper},{lower},2,3,0\n"));
    let english = include_str!("../formats/data/english.csv");
    let distribution =
        Arc::new(letter_distribution::parse("long", &(english.trim_end().to_string() + "\n" + &greek.collect::<String>())).unwrap());
    let words = include_str!("../../lexicons/enable.txt").lines().filter(|word| word.bytes().all(|letter| letter <= b'S'));
    let lexicon = Lexicon::from_text("low", &distribution, &words.collect::<Vec<_>>().join("\n")).unwrap();
    lexicon.make_map();
    assert!(crate::lexicon::WordSource::from(&lexicon).map().is_some());
    let rules = rules().to_builder().distribution(distribution.clone()).build().unwrap();
    let leaves = Leaves::heuristic(RackHeuristic::VowelMix, &distribution);
    let mut by_graph = StaticEval::new(&rules, lexicon.graph(), &leaves);
    let mut by_map = StaticEval::new(&rules, &lexicon, &leaves);
    let (mut compared, mut strange) = (0, 0);
    for game in 0..20 {
        let mut rng = randomness::generator(31, Stream::Positions, game);
        let mut lanes = LaneBoard::new(&rules, &Board::empty(15), lexicon.graph());
        for _ in 0..12 {
            let rack = random_rack(&rules, &lanes.to_board(), &mut rng);
            let turn = StaticTurn::new(&rack, &rack, 30);
            let all = by_graph.all(&mut lanes, &turn);
            assert_eq!(by_map.best_few(&mut lanes, &turn, 60), all[..60.min(all.len())]);
            compared += 1;
            strange += usize::from(rack.distinct().any(|(tile, _)| (20..=31).contains(&tile.index())));
            if let Some(placement) = all[rng.random_range(0..all.len().min(20))].play.placement() {
                lanes.play(placement, lexicon.graph());
                lanes.commit();
            }
        }
    }
    assert!(strange > 100, "{strange} of {compared}");
}

#[test]
fn plays_of_a_board_are_possible_on_the_next_one_if_they_are_generated_there() {
    let graph = lexicon().graph();
    let (mut kept, mut changed, mut gone) = (0, 0, 0);
    for game in 0..12 {
        let mut rng = randomness::generator(game, Stream::Positions, 3);
        let mut board = Board::empty(rules().layout.dim());
        for _ in 0..14 {
            let rack = random_rack(rules(), &board, &mut rng);
            let mut lanes = LaneBoard::new(rules(), &board, graph).without_bounds();
            let before = all_plays(&mut lanes, &rack);
            if before.is_empty() {
                break;
            }
            let chosen = before[rng.random_range(0..before.len())];
            lanes.play(&chosen.placement, graph);
            let after = all_plays(&mut lanes, &rack);
            for play in &before {
                let score = score_here(graph, &lanes, &terms(), &play.placement);
                // A single tile may make words in both directions now: the generator has it across.
                let placed = |play: &GeneratedPlay| play.placement.placed().collect::<Vec<_>>();
                let same = after.iter().find(|other| other.placement == play.placement || score.is_some() && placed(other) == placed(play));
                assert_eq!(score, same.map(|play| play.score), "{play:?} after {chosen:?}");
                match score {
                    None => gone += 1,
                    Some(score) if score == play.score => kept += 1,
                    Some(_) => changed += 1,
                }
            }
            for play in &after {
                assert_eq!(score_here(graph, &lanes, &terms(), &play.placement), Some(play.score), "{play:?}");
            }
            board = lanes.to_board();
        }
    }
    assert!(kept > 1000 && changed > 10 && gone > 1000, "{kept} {changed} {gone}");
}

/// Letters in the order of the alphabet: the same for all arrangements.
fn sorted<T: Ord + Copy>(letters: &[T]) -> Vec<T> {
    let mut letters = letters.to_vec();
    letters.sort_unstable();
    letters
}

/// All placements whose words are valid in some order of their letters: every tile is tried on every square, and the rules score all of
/// it. The dumb twin of the search for anagrams.
struct EveryArrangement<'a> {
    rules: &'a GameRules,
    board: &'a Board,
    /// Sorted.
    words: &'a HashSet<Vec<Letter>>,
    found: Vec<(Placement, i32)>,
}

impl EveryArrangement<'_> {
    /// Goes on after `placement`.
    fn extend(&mut self, placement: Placement, rack: &Rack) {
        let square = placement.start.step(placement.direction, placement.word_len() as isize, self.board.dim());
        if square.is_none_or(|square| self.board.get(square).is_none()) {
            self.judge(&placement);
        }
        let Some(square) = square else { return };
        if self.board.get(square).is_some() {
            let mut through = placement;
            through.push(None);
            return self.extend(through, rack);
        }
        for (tile, _) in rack.distinct() {
            let mut left = *rack;
            assert!(left.remove(tile));
            let as_letter = |letter| if tile.is_blank() { Placed::blank(letter) } else { Placed::tile(letter) };
            for letter in self.rules.distribution.letters().filter(|&letter| tile.is_blank() || tile == Tile::from(letter)) {
                let mut longer = placement;
                longer.push(Some(as_letter(letter)));
                self.extend(longer, &left);
            }
        }
    }

    fn judge(&mut self, placement: &Placement) {
        let Ok(scored) = scoring::score_placement(self.rules, self.board, placement) else { return };
        let is_repeated = placement.tile_count() == 1 && placement.direction == Direction::Down && scored.words.len() > 1
            || self.board.is_empty() && placement.direction == Direction::Down && self.rules.layout.is_symmetric();
        if !is_repeated && scored.words.iter().all(|word| self.words.contains(&sorted(&word.letters()))) {
            self.found.push((*placement, scored.score));
        }
    }
}

/// Where a word lies, how long it is, and its tiles in the order of the alphabet.
type SameTiles = (Square, Direction, usize, Vec<Option<Placed>>);

#[test]
fn of_all_arrangements_of_tiles_in_any_order_the_best_one_is_found() {
    let boards = [
        "=..'..=\n.-...-.\n..~.^..\n'..*..'\n..^.\"..\n.-...-.\n=..'..=\n",
        "=..'..=\n.-..'..\n..~..-.\n'..*..'\n....^..\n..'..-.\n=..\"..'\n",
    ];
    let text = "?,?,2,0,0\nA,a,6,1,1\nC,c,3,3,0\nD,d,3,2,0\nE,e,6,1,1\nR,r,4,1,0\nS,s,4,1,0\nT,t,4,2,0\n";
    let letters = letter_distribution::parse("few", text).unwrap();
    let letters = Arc::new(letters);
    let rules_on = |board: &str| {
        let layout = layout::parse("seven", board).unwrap();
        GameRules::builder(Arc::clone(&letters), layout).rack_size(4).variant(Variant::Wordsmog).build().unwrap()
    };
    let both = boards.map(rules_on);
    assert!(both[0].layout.is_symmetric() && !both[1].layout.is_symmetric());
    let of_few_letters = |word: &&str| word.len() <= 7 && word.bytes().all(|letter| b"ACDERST".contains(&letter));
    let text: Vec<&str> = include_str!("../../lexicons/enable.txt").lines().filter(of_few_letters).collect();
    assert!(text.len() > 300, "{} words", text.len());
    let lexicon = Arc::new(Lexicon::from_text("few", &letters, &text.join("\n")).unwrap()).by_rule(WordRule::AnyOrder).unwrap();
    let number = |word: &Vec<u8>| sorted(&word.iter().map(|&letter| Letter::new(letter).unwrap()).collect::<Vec<_>>());
    let words: HashSet<Vec<Letter>> = lexicon.list().words().iter().map(number).collect();
    let leaves = Leaves::heuristic(RackHeuristic::VowelMix, &letters);
    let terms = Terms { bingo_bonus: 50, bingo_tiles: 4, opening: None };
    let (mut arrangements, mut kept) = (0, 0);
    for game in 0..12 {
        let rules = &both[game as usize % 2];
        let mut eval = StaticEval::new(rules, lexicon.as_ref(), &leaves);
        let mut rng = randomness::generator(27, Stream::Positions, game);
        let mut board = Board::empty(7);
        for _ in 0..7 {
            let rack = random_rack(rules, &board, &mut rng);
            let mut twin = EveryArrangement { rules, board: &board, words: &words, found: Vec::new() };
            for start in Square::all(7) {
                for direction in Direction::ALL {
                    if start.step(direction, -1, 7).is_none_or(|before| board.get(before).is_none()) {
                        twin.extend(Placement::at(start, direction), &rack);
                    }
                }
            }
            // Of the arrangements of the same tiles on the same squares: most points, then the first.
            let mut best: BTreeMap<SameTiles, (i32, Placement)> = BTreeMap::new();
            for &(placement, score) in &twin.found {
                let tiles = sorted(placement.tiles());
                let entry = best.entry((placement.start, placement.direction, placement.word_len(), tiles)).or_insert((score, placement));
                if (-score, placement) < (-entry.0, entry.1) {
                    *entry = (score, placement);
                }
            }
            let mut lanes = LaneBoard::new(rules, &board, lexicon.graph());
            lanes.prepare(lexicon.graph());
            let values = RackValues::without_values(&rack, lanes.tile_values());
            let mut sink = AllPlays::default();
            generate(lexicon.graph(), Lanes::all(&lanes), &values, &terms, &mut GenerateScratch::default(), &mut sink);
            let found: Vec<(i32, Placement)> = sorted(&sink.plays.iter().map(|play| (play.score, play.placement)).collect::<Vec<_>>());
            assert_eq!(found, sorted(&best.into_values().collect::<Vec<_>>()), "game {game} {board:?}");
            for (score, placement) in &found {
                assert_eq!(score_here(lexicon.graph(), &lanes, &terms, placement), Some(*score));
            }
            // The best few are the first of all, also with values for tiles kept and for the opening.
            let turn = StaticTurn::new(&rack, &rack, 9);
            let all = eval.all(&mut lanes, &turn);
            assert_eq!(eval.best_few(&mut lanes, &turn, 12), all[..12.min(all.len())]);
            assert_eq!(eval.best(&mut lanes, &turn), all[0]);
            assert!(all.len() > found.len());
            (arrangements, kept) = (arrangements + twin.found.len(), kept + found.len());
            let Some(&(_, placement)) = (!found.is_empty()).then(|| &found[rng.random_range(0..found.len())]) else { continue };
            lanes.play(&placement, lexicon.graph());
            placement.put_on(&mut board);
            let anew = LaneBoard::new(rules, &board, lexicon.graph());
            for square in Square::all(7) {
                for direction in Direction::ALL {
                    assert_eq!(lanes.view(square, direction), anew.view(square, direction), "{square:?}");
                }
            }
        }
    }
    assert!(arrangements > 2 * kept && kept > 2000, "{arrangements} arrangements, {kept} kept");
}
