//! Tests of the generator against independent truths: oracle files, a word-by-word twin, recomputation after each move.

use crate::evaluation::heuristics::RackHeuristic;
use crate::evaluation::static_eval::Turn;
use crate::evaluation::{Leaves, StaticEval};
use crate::formats::english_rules;
use crate::lexicon::Lexicon;
use crate::movegen::generate::{Scratch, Terms, generate};
use crate::movegen::sinks::{AllPlays, CountPlays, GeneratedPlay};
use crate::movegen::{LaneBoard, RackValues};
use crate::rules::notation::coordinate_text;
use crate::rules::{Board, GameRules, Rack, Square};
use sha2::{Digest, Sha256};
use std::sync::OnceLock;

fn lexicon() -> &'static Lexicon {
    static LEXICON: OnceLock<Lexicon> = OnceLock::new();
    LEXICON.get_or_init(Lexicon::builtin)
}

fn rules() -> &'static GameRules {
    static RULES: OnceLock<GameRules> = OnceLock::new();
    RULES.get_or_init(english_rules)
}

/// Board and rack of a CGP (no multi-letter tiles).
fn parse(cgp: &str) -> (Board, Rack) {
    let mut fields = cgp.split(' ');
    let mut board = Board::empty(15);
    for (row, text) in fields.next().unwrap().split('/').enumerate() {
        let (mut col, mut gap) = (0, 0);
        for c in text.chars() {
            if let Some(digit) = c.to_digit(10) {
                gap = gap * 10 + digit as usize;
                continue;
            }
            col += gap;
            gap = 0;
            board.set(Square::new(row, col), Some(rules().distribution.parse_placed(&c.to_string()).unwrap()[0]));
            col += 1;
        }
    }
    let rack = fields.next().unwrap().split('/').next().unwrap();
    (board, rules().distribution.parse_tiles(rack).unwrap().into_iter().collect())
}

fn terms() -> Terms<'static> {
    Terms { bingo_bonus: 50, bingo_tiles: 7, opening: None }
}

fn all_plays(board: &mut LaneBoard, rack: &Rack) -> Vec<GeneratedPlay> {
    let graph = lexicon().graph();
    board.prepare(graph);
    let values = RackValues::without_values(rack, board.tile_values());
    let mut sink = AllPlays::default();
    generate(graph, board, &values, &terms(), &mut Scratch::default(), &mut sink);
    sink.plays
}

#[test]
fn every_play_of_the_oracle_positions_is_found_and_scored() {
    let rows: Vec<&str> = include_str!("../../tests/data/movegen_enable.tsv").lines().skip(1).collect();
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

#[test]
fn best_play_is_the_best_of_all_plays_on_the_oracle_positions() {
    let leaves = Leaves::heuristic(RackHeuristic::VowelMix, &rules().distribution);
    let mut eval = StaticEval::new(rules(), lexicon().graph(), &leaves);
    for row in include_str!("../../tests/data/movegen_enable.tsv").lines().skip(1) {
        let (board, rack) = parse(row);
        let mut lanes = LaneBoard::new(rules(), &board, lexicon().graph());
        for in_bag in [0, 3, 40] {
            let turn = Turn { rack: &rack, other_rack: &rack, in_bag };
            let all = eval.all(&mut lanes, &turn);
            assert_eq!(eval.best(&mut lanes, &turn), all[0], "{row}");
            assert_eq!(eval.best_few(&mut lanes, &turn, 15), all[..15.min(all.len())], "{row}");
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
    generate(lexicon().graph(), &lanes, &values, &terms(), &mut Scratch::default(), &mut sink);
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
