//! Tests of the solver against an oracle, and against a twin that searches every line.

use super::moves::Move;
use super::packed_tiles::PackedTiles;
use super::worker::EndgameWorker;
use super::*;
use crate::evaluation::static_eval::EvaluatedPlay;
use crate::formats::{cgp, dear_rules, layout};
use crate::lexicon::Lexicon;
use crate::movegen::found::{GeneratedPlay, Terms};
use crate::movegen::generate::{GenerateScratch, generate};
use crate::movegen::sinks::AllPlays;
use crate::movegen::{LaneBoard, Lanes, RackValues};
use crate::rules::{Board, Direction, GameRules, Placed, Placement, Play, Position, Rack, Square, Tile};
use crate::search::budget::Signals;
use crate::search::randomness::{Stream, generator};
use rand::{Rng, RngExt};
use std::sync::{Arc, OnceLock};

const ORACLE: &str = include_str!("../../../tests/data/endgame_enable.tsv");

/// The position of the CGP specification, from a paper on Maven. Its words predate ENABLE; only the rules and the speed
/// matter here.
const MAVEN: &str = "5BERGS5/4PA3U5/2QAID3R5/3BEE3F2S2/1P1ET2VIATIC2/MA1TAW3c2H2/ES3IS2E2A2/AT1FOLIA4V2/LI1L1EX1E6/1N1O1D2N2Y3/1GNU2C1JETE3/2ER2OHO2N3/2O3GOY6/1INDOW1U7/4DORR7 IKLMTZ/AEINRU? 0/0 0";

fn lexicon() -> &'static Arc<Lexicon> {
    static LEXICON: OnceLock<Arc<Lexicon>> = OnceLock::new();
    LEXICON.get_or_init(|| Arc::new(Lexicon::builtin()))
}

fn position(text: &str) -> Position {
    let mut position = cgp::parse(text, &GameRules::english()).unwrap().position;
    position.deduce_racks();
    position
}

fn rack(text: &str) -> Rack {
    GameRules::english().distribution.parse_tiles(text).unwrap().into_iter().collect()
}

fn solver_at(position: &Position, pool: &Rack) -> BoardSolver {
    Solver::new(1).on(position.rules(), lexicon(), position.board(), pool)
}

fn solve(solver: &mut BoardSolver, deal: &EndgameDeal, goal: Goal) -> Solution {
    solver.solve(deal, goal, &EndgameLimits::default(), &Signals::default(), &mut |_| {})
}

/// Searches every line to its end, using only the generator and the rules for the end of the game.
struct Twin<'a> {
    rules: &'a GameRules,
    board: LaneBoard,
    /// Passes in a row that end the game.
    max_passes: u32,
}

impl Twin<'_> {
    fn plays(&mut self, rack: &Rack) -> Vec<GeneratedPlay> {
        let graph = lexicon().graph();
        self.board.prepare(graph);
        let values = RackValues::without_values(rack, self.board.tile_values());
        let terms = Terms::of(self.rules);
        let mut plays = AllPlays::default();
        generate(graph, Lanes::all(&self.board), &values, &terms, &mut GenerateScratch::default(), &mut plays);
        plays.plays
    }

    fn value(&mut self, racks: [Rack; 2], passes: u32) -> i32 {
        let graph = lexicon().graph();
        let points = |rack: &Rack| rack.value(&self.rules.distribution);
        let mut best = if passes + 1 == self.max_passes {
            points(&racks[1]) - points(&racks[0])
        } else {
            -self.value([racks[1], racks[0]], passes + 1)
        };
        for play in self.plays(&racks[0]) {
            let rest = racks[0].minus(&play.placement.rack_tiles()).unwrap();
            let value = if rest.is_empty() {
                play.score + 2 * racks[1].value(&self.rules.distribution)
            } else {
                self.board.play(&play.placement, graph);
                let value = play.score - self.value([racks[1], rest], 0);
                self.board.undo();
                value
            };
            best = best.max(value);
        }
        best
    }
}

fn random_rack(tiles: &[Tile], count: usize, rng: &mut impl Rng) -> Rack {
    (0..count).map(|_| tiles[rng.random_range(0..tiles.len())]).collect()
}

#[test]
fn every_row_of_the_oracle_is_solved() {
    let mut count = 0;
    for row in ORACLE.lines().skip(1) {
        let (text, value) = row.split_once('\t').unwrap();
        let position = position(text);
        let deal = EndgameDeal::of(&position).unwrap();
        let solution = solve(&mut solver_at(&position, &deal.pool()), &deal, Goal::Spread);
        let value: i32 = value.parse().unwrap();
        assert_eq!((solution.value, solution.bound, solution.solved), (value, Bound::Exact, true), "{text}");
        let winner = solve(&mut solver_at(&position, &deal.pool()), &deal, Goal::FirstWin);
        assert_eq!((winner.outcome(deal.lead), winner.solved), (Some((deal.lead + value).signum()), true), "{text}");
        count += 1;
    }
    assert_eq!(count, 19);
}

#[test]
fn questions_asked_one_after_the_other_have_the_answers_of_the_oracle() {
    for row in ORACLE.lines().skip(1) {
        let (text, value) = row.split_once('\t').unwrap();
        let position = position(text);
        let deal = EndgameDeal::of(&position).unwrap();
        let last = deal.lead + value.parse::<i32>().unwrap();
        let mut solver = solver_at(&position, &deal.pool());
        let letter = deal.pool().tiles().find_map(Tile::letter).unwrap();
        let mut hint = Some(Placement::new(Square::new(7, 7), Direction::Across, &[Some(Placed::tile(letter)), None]));
        use EndgameQuestion::{IsAtLeast, WhoWins};
        for question in [WhoWins, IsAtLeast(last + 1), IsAtLeast(last), IsAtLeast(last - 30), WhoWins] {
            // The play that is tried first does not matter: nothing, a placement from elsewhere, or the answer to the previous
            // question.
            let answer = solver.ask(&deal, question, hint.as_ref(), u64::MAX, &Signals::default());
            hint = answer.refutation.or(hint);
            let (change, bound) = answer.found.unwrap();
            let (is_right, text) = match (question, bound) {
                (IsAtLeast(least), Bound::AtLeast | Bound::Exact) => (deal.lead + change >= least && last >= least, "reached"),
                (IsAtLeast(least), Bound::AtMost) => (deal.lead + change < least && last < least, "not reached"),
                (WhoWins | IsAtLeast(_), bound) => (bound.outcome(deal.lead + change) == Some(last.signum()), "won"),
            };
            assert!(is_right, "{question:?} {text}: {answer:?}, {row}");
        }
        for guess in [0, last - deal.lead, -100] {
            let value = Some(last - deal.lead);
            let found = solver_at(&position, &deal.pool()).enclose(&deal, guess, u64::MAX, &Signals::default());
            assert_eq!((found.least, found.most), (value, value), "{row}");
            for nodes in [0, 100] {
                let found = solver_at(&position, &deal.pool()).enclose(&deal, guess, nodes, &Signals::default());
                assert!(found.least <= value && found.most.is_none_or(|most| Some(most) >= value), "{found:?}, {row}");
                assert!(found.nodes <= nodes, "{found:?}, {row}");
            }
        }
        // Without nodes, only what needs no search is known, and that must also be true.
        let answer = solver_at(&position, &deal.pool()).ask(&deal, WhoWins, None, 0, &Signals::default());
        let outcome = answer.found.and_then(|(change, bound)| bound.outcome(deal.lead + change));
        assert!(outcome.is_none_or(|outcome| outcome == last.signum()) && answer.nodes == 0, "{answer:?}, {row}");
    }
}

/// The placements of the side on turn, then those of the other side: placement, score, tiles.
fn placements(solver: &mut BoardSolver) -> Vec<(Placement, i32, PackedTiles)> {
    let EndgameWorker { state, lists, .. } = &mut solver.worker;
    let sides = [state.turn, state.turn.opponent()];
    let moves = sides.map(|side| lists.gather(state, side, lexicon().graph())).into_iter().flatten();
    moves.map(|m| (m.placement, m.score, m.tiles)).collect()
}

#[test]
fn placements_kept_from_turn_to_turn_are_those_found_anew() {
    let mut rng = generator(4, Stream::Positions, 3);
    let (mut compared, mut gathered) = (0, 0);
    for (number, row) in ORACLE.lines().skip(1).cycle().take(120).enumerate() {
        let position = position(row.split('\t').next().unwrap());
        let deal = EndgameDeal::of(&position).unwrap();
        let mut solver = solver_at(&position, &deal.pool());
        solver.deal(&deal);
        let at_root = placements(&mut solver);
        let mut line: Vec<Move> = Vec::new();
        loop {
            let EndgameWorker { state, lists, .. } = &mut solver.worker;
            // Lists that only one side looks at, or neither, are carried over several turns.
            let moves = lists.gather(state, state.turn, lexicon().graph());
            let moves: Vec<_> = moves.into_iter().filter(|m| m.tiles != state.racks[state.turn]).collect();
            if moves.is_empty() {
                break;
            }
            let m = moves[rng.random_range(0..moves.len())];
            state.play(&m, lexicon().graph());
            line.push(m);
            if rng.random_bool(0.5) {
                let racks = state.racks.own_first(state.turn).map(|rack| solver.packing.unpack(rack));
                let mut anew = solver_at(&position, &deal.pool());
                anew.go_to(line.iter().map(|m| &m.placement));
                anew.deal(&EndgameDeal::new(racks, 0, false));
                let expected = placements(&mut anew);
                assert_eq!(placements(&mut solver), expected, "{row} {number}");
                compared += 1;
                gathered += expected.len();
            }
        }
        for m in line.iter().rev() {
            solver.worker.state.take_back(m);
        }
        assert_eq!(placements(&mut solver), at_root, "{row} {number}");
    }
    assert!(compared > 100 && gathered > 3_000, "{compared} {gathered}");
}

#[test]
fn placements_filtered_from_more_tiles_are_those_found_for_the_rack() {
    let mut rng = generator(4, Stream::Positions, 2);
    let mut gathered = 0;
    for row in ORACLE.lines().skip(1) {
        let position = position(row.split('\t').next().unwrap());
        let pool = EndgameDeal::of(&position).unwrap().pool();
        let tiles: Vec<Tile> = pool.tiles().collect();
        let mut shared = solver_at(&position, &pool);
        // Twice on the first board, then on the board after a placement, then back again.
        let mut line = None;
        for number in 0..4 {
            let cut = rng.random_range(1..tiles.len());
            let racks = [&tiles[..cut], &tiles[cut..]].map(|tiles| tiles.iter().copied().take(7).collect::<Rack>());
            let alone = EndgameDeal::new(racks, 0, false);
            let supersets = RackSupersets { on_first_board: [pool; 2], here: [racks[0], pool] };
            let together = EndgameDeal { supersets, ..alone };
            let mut own = solver_at(&position, &pool);
            own.go_to(line.iter());
            shared.go_to(line.iter());
            let moves = [(&mut own, &alone), (&mut shared, &together)].map(|(solver, deal)| {
                solver.deal(deal);
                placements(solver)
            });
            // Their order must also agree, because it decides between equals.
            assert_eq!(moves[0], moves[1], "{row}");
            gathered += moves[0].len();
            if number == 1 {
                line = moves[0].first().map(|(placement, ..)| *placement);
            } else if number == 2 {
                line = None;
            }
        }
    }
    assert!(gathered > 5_000, "{gathered}");
}

#[test]
fn lists_that_are_forgotten_at_every_node_change_no_answer() {
    for row in ORACLE.lines().skip(1).take(6) {
        let position = position(row.split('\t').next().unwrap());
        let deal = EndgameDeal::of(&position).unwrap();
        let [ample, scarce] = [usize::MAX, 0].map(|bytes| {
            let solver = Solver::new(1).with_room(bytes);
            let mut solver = solver.on(position.rules(), lexicon(), position.board(), &deal.pool());
            let limits = EndgameLimits { nodes: Some(300), ..EndgameLimits::default() };
            let solution = solver.solve(&deal, Goal::Spread, &limits, &Signals::default(), &mut |_| {});
            format!("{solution:?}")
        });
        assert_eq!(ample, scarce, "{row}");
    }
}

#[test]
fn small_racks_have_the_values_of_the_unpruned_twin() {
    let rules = GameRules::english();
    let mut rng = generator(4, Stream::Positions, 1);
    let all: Vec<Tile> = Rack::full_bag(&rules.distribution).tiles().collect();
    let (mut deals, mut passes, mut stuck) = (0, 0, 0);
    for row in ORACLE.lines().skip(1) {
        let position = position(row.split('\t').next().unwrap());
        let mut idle = Solver::new(1);
        let mut twin = Twin { rules: &rules, board: LaneBoard::new(&rules, position.board(), lexicon().graph()), max_passes: 2 };
        for number in 0..110 {
            // The blank makes thousands of plays and Q few: no blank in the larger deals, and a Q in some.
            let tiles = if number % 10 == 0 { &all[..] } else { &all[2..] };
            let counts = if number % 10 == 0 { [1, 1] } else { [[1, 1], [1, 2], [2, 1], [2, 2]][number % 4] };
            let mut racks = counts.map(|count| random_rack(tiles, count, &mut rng));
            if number % 7 == 0 {
                racks[number % 2] = rack("Q");
            }
            let passed = number % 5 == 0;
            let expected = twin.value(racks, u32::from(passed));
            let deal = EndgameDeal::new(racks, rng.random_range(-30..30), passed);
            let text = format!("{racks:?} {passed} on {row}");
            let mut solver = idle.on(&rules, lexicon(), position.board(), &deal.pool());
            let solution = solve(&mut solver, &deal, Goal::Spread);
            assert_eq!((solution.value, solution.bound, solution.solved), (expected, Bound::Exact, true), "{text}");
            let last = deal.lead + expected;
            let mut fresh = solver_at(&position, &deal.pool());
            assert_eq!(solve(&mut fresh, &deal, Goal::FirstWin).outcome(deal.lead), Some(last.signum()), "{text}");
            for (least, is_reached) in [(last, true), (last + 1, false)] {
                let answer = solve(&mut fresh, &deal, Goal::AtLeast(least));
                assert!(answer.solved && (deal.lead + answer.value >= least) == is_reached, "{text}: {answer:?}");
            }
            deals += 1;
            idle = solver.into_solver();
            if solution.line[0].play == Play::Pass {
                let can_play = !twin.plays(&racks[0]).is_empty();
                *if can_play { &mut passes } else { &mut stuck } += 1;
            }
        }
    }
    assert_eq!(deals, 19 * 110);
    assert!(passes >= 5 && stuck >= 50, "positions where passing beats all plays: {passes}; where there are none: {stuck}");
}

#[test]
fn endgames_with_tiles_of_hundreds_of_points_are_solved_as_their_twin_says() {
    // Every square quadruples the word score, so some values are too large for the table, which does not keep them.
    let rows: Vec<String> = (0..15).map(|row| if row == 7 { "~~~~~~~+~~~~~~~".to_string() } else { "~".repeat(15) }).collect();
    let rules = dear_rules(layout::parse("dear", &rows.join("\n")).unwrap());
    let mut rng = generator(4, Stream::Positions, 4);
    let tiles: Vec<Tile> = Rack::full_bag(&rules.distribution).tiles().filter(|tile| !tile.is_blank()).collect();
    let mut beyond_16_bits = 0;
    for row in ORACLE.lines().skip(1) {
        let position = position(row.split('\t').next().unwrap());
        let mut twin = Twin { rules: &rules, board: LaneBoard::new(&rules, position.board(), lexicon().graph()), max_passes: 2 };
        for number in 0..12 {
            let racks = [[1, 1], [1, 2], [2, 1], [2, 2]][number % 4].map(|count| random_rack(&tiles, count, &mut rng));
            let expected = twin.value(racks, 0);
            let deal = EndgameDeal::new(racks, 0, false);
            let mut solver = Solver::new(1).on(&rules, lexicon(), position.board(), &deal.pool());
            let solution = solve(&mut solver, &deal, Goal::Spread);
            assert_eq!((solution.value, solution.bound, solution.solved), (expected, Bound::Exact, true), "{racks:?} on {row}");
            let winner = solve(&mut solver, &EndgameDeal::new(racks, 1 - expected, false), Goal::FirstWin);
            assert_eq!(winner.outcome(1 - expected), Some(1), "{racks:?} on {row}");
            beyond_16_bits += usize::from(i16::try_from(expected).is_err());
        }
    }
    assert!(beyond_16_bits >= 5, "{beyond_16_bits}");
}

#[test]
fn questions_of_larger_racks_are_answered_as_the_value_says() {
    let rules = GameRules::english();
    let mut rng = generator(4, Stream::Positions, 3);
    let tiles: Vec<Tile> = Rack::full_bag(&rules.distribution).tiles().filter(|tile| !tile.is_blank()).collect();
    let (mut wins, mut losses) = (0, 0);
    for row in ORACLE.lines().skip(1).step_by(2) {
        let position = position(row.split('\t').next().unwrap());
        for counts in [[4, 3], [3, 4], [5, 2], [2, 5]] {
            let racks = counts.map(|count| random_rack(&tiles, count, &mut rng));
            let deal = EndgameDeal::new(racks, rng.random_range(-40..15), false);
            let value = solve(&mut solver_at(&position, &deal.pool()), &deal, Goal::Spread);
            assert_eq!((value.bound, value.solved), (Bound::Exact, true), "{racks:?} on {row}");
            let last = deal.lead + value.value;
            // The board and racks stay the same, so every answer also rests on the earlier ones.
            let mut solver = solver_at(&position, &deal.pool());
            for least in [last + 1, last, last + 30, last - 30] {
                let answer = solve(&mut solver, &deal, Goal::AtLeast(least));
                assert!(answer.solved && (deal.lead + answer.value >= least) == (last >= least), "{least}, {racks:?} on {row}: {answer:?}");
            }
            let answer = solve(&mut solver, &deal, Goal::FirstWin);
            assert_eq!(answer.outcome(deal.lead), Some(last.signum()), "{racks:?} on {row}");
            *if last > 0 { &mut wins } else { &mut losses } += 1;
        }
    }
    assert!(wins >= 10 && losses >= 10, "{wins} {losses}");
}

#[test]
fn two_passes_end_the_game_as_well_as_six() {
    let rules = GameRules::english();
    let mut rng = generator(4, Stream::Positions, 2);
    let tiles: Vec<Tile> = Rack::full_bag(&rules.distribution).tiles().filter(|tile| !tile.is_blank()).collect();
    for row in ORACLE.lines().skip(1) {
        let position = position(row.split('\t').next().unwrap());
        let mut twin = Twin { rules: &rules, board: LaneBoard::new(&rules, position.board(), lexicon().graph()), max_passes: 6 };
        for number in 0..20 {
            let racks = [[1, 1], [1, 2], [2, 1]][number % 3].map(|count| random_rack(&tiles, count, &mut rng));
            for zero_turns in 0..6 {
                let expected = twin.value(racks, zero_turns);
                let deal = EndgameDeal::new(racks, 0, zero_turns == 5);
                let solution = solve(&mut solver_at(&position, &deal.pool()), &deal, Goal::Spread);
                assert_eq!(solution.value, expected, "{racks:?}, {zero_turns} turns without points, on {row}");
            }
        }
    }
}

#[test]
fn a_board_and_its_mirror_image_have_one_value() {
    for row in ORACLE.lines().skip(1).step_by(6) {
        let position = position(row.split('\t').next().unwrap());
        let deal = EndgameDeal::of(&position).unwrap();
        let mut mirrored = Board::empty(position.board().dim());
        for (square, tile) in position.board().tiles() {
            mirrored.set(square.transposed(), Some(tile));
        }
        let mut solver = Solver::new(1).on(position.rules(), lexicon(), &mirrored, &deal.pool());
        let value = solve(&mut solver, &deal, Goal::Spread).value;
        assert_eq!(value.to_string(), row.split('\t').nth(1).unwrap());
    }
}

#[test]
fn several_threads_prove_the_same_value() {
    for row in ORACLE.lines().skip(1).step_by(5) {
        let (text, value) = row.split_once('\t').unwrap();
        let position = position(text);
        let deal = EndgameDeal::of(&position).unwrap();
        let limits = EndgameLimits { threads: 3, ..EndgameLimits::default() };
        let solution = solver_at(&position, &deal.pool()).solve(&deal, Goal::Spread, &limits, &Signals::default(), &mut |_| {});
        assert_eq!((solution.value.to_string().as_str(), solution.solved), (value, true), "{text}");
    }
}

#[test]
fn limits_end_a_search_without_a_claim() {
    let position = position(MAVEN);
    let deal = EndgameDeal::of(&position).unwrap();
    let search = |limits: EndgameLimits, signals: &Signals| {
        solver_at(&position, &deal.pool()).solve(&deal, Goal::Spread, &limits, signals, &mut |_| {})
    };
    let signals = Signals::default();
    let deep = search(EndgameLimits { depth: Some(2), ..EndgameLimits::default() }, &signals);
    assert_eq!((deep.depth, deep.solved, deep.bound), (2, false, Bound::Estimate));
    let few = search(EndgameLimits { nodes: Some(500), ..EndgameLimits::default() }, &signals);
    assert!(few.nodes < 2_000 && !few.solved && few.bound == Bound::Estimate, "{few:?}");
    assert_eq!(few, search(EndgameLimits { nodes: Some(500), ..EndgameLimits::default() }, &signals));
    signals.stop();
    let stopped = search(EndgameLimits::default(), &signals);
    assert_eq!((stopped.solved, stopped.bound, stopped.line.len()), (false, Bound::Estimate, 1));
}

/// Under ENABLE. The value was first found depth by depth, without searches to the end (168,155 nodes).
#[test]
fn the_position_of_the_specification_has_a_proved_value() {
    let position = position(MAVEN);
    let deal = EndgameDeal::of(&position).unwrap();
    let solution = solve(&mut solver_at(&position, &deal.pool()), &deal, Goal::Spread);
    assert_eq!((solution.value, solution.bound, solution.solved), (-14, Bound::Exact, true));
    for (least, is_reached) in [(-14, true), (-13, false)] {
        let answer = solve(&mut solver_at(&position, &deal.pool()), &deal, Goal::AtLeast(least));
        assert!(answer.solved && (answer.value >= least) == is_reached, "{answer:?}");
    }
}

#[test]
fn only_the_turns_asked_for_are_looked_at() {
    let text = ORACLE.lines().nth(1).unwrap().split('\t').next().unwrap();
    let position = position(text);
    let deal = EndgameDeal::of(&position).unwrap();
    let mut solver = solver_at(&position, &deal.pool());
    solver.restrict(&[EvaluatedPlay::PASS]);
    let passing = solve(&mut solver, &deal, Goal::Spread);
    let reply = EndgameDeal::new([deal.racks[1], deal.racks[0]], -deal.lead, true);
    let answer = solve(&mut solver_at(&position, &deal.pool()), &reply, Goal::Spread);
    assert_eq!((passing.line[0].play, passing.value), (Play::Pass, -answer.value));
}

#[test]
fn a_deal_needs_an_empty_bag_and_one_rack() {
    let oracle = ORACLE.lines().nth(1).unwrap().split('\t').next().unwrap();
    let whole = EndgameDeal::of(&position(oracle)).unwrap();
    for text in [oracle.replace("/KR", "/"), oracle.replace("ADLLRRT/KR", "/KR")] {
        assert_eq!(EndgameDeal::of(&position(&text)), Some(whole), "{text}");
    }
    assert_eq!(EndgameDeal::of(&position(&oracle.replace("ADLLRRT/KR", "/"))), None);
    assert_eq!(EndgameDeal::of(&position("15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0")), None);
    let passed = |zeros: &str| EndgameDeal::of(&position(&oracle.replace(" 0 lex", zeros))).unwrap().passed;
    assert_eq!([" 1 lex", " 4 lex", " 5 lex"].map(passed), [false, false, true]);
}

mod last_turns;
