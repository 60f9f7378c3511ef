//! Compares last turns with a twin that examines every turn and every reply.

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::evaluation::{Leaves, StaticEval};
use crate::lexicon::Lexicon;
use crate::movegen::found::{GeneratedPlay, Terms};
use crate::movegen::generate::{GenerateScratch, generate};
use crate::movegen::sinks::AllPlays;
use crate::movegen::{LaneBoard, Lanes, RackValues};
use crate::rules::{Board, Countdown, GameRules, Layout, LetterDistribution, Position, Rack, Seat, Tile, Variant};
use crate::search::budget::Signals;
use crate::search::dealt_game::{DealtGame, ReturnTiles};
use crate::search::endgame::{BoardSolver, Bound, EndgameDeal, EndgameLimits, EndgameQuestion, Goal, Solution, Solver};
use crate::search::randomness::{self, Stream, generator};
use rand::{Rng, RngExt};
use std::sync::{Arc, OnceLock};

fn lexicon() -> &'static Arc<Lexicon> {
    static LEXICON: OnceLock<Arc<Lexicon>> = OnceLock::new();
    LEXICON.get_or_init(|| Arc::new(Lexicon::builtin()))
}

fn crossplay() -> GameRules {
    let letters = LetterDistribution::built_in("english_crossplay").unwrap();
    GameRules::builder(letters, Layout::crossplay15()).variant(Variant::Crossplay).build().unwrap()
}

/// A game whose bag has just become empty.
struct LateGame {
    board: Board,
    /// The racks, that of the player on turn first.
    racks: [Rack; 2],
}

/// Plays a static game until the bag is empty.
fn late_game(rules: &GameRules, index: u64) -> LateGame {
    let leaves = Leaves::nothing();
    let mut eval = StaticEval::new(rules, lexicon().as_ref(), &leaves);
    let mut tiles: Vec<Tile> = Rack::full_bag(&rules.distribution).tiles().collect();
    let mut rng = generator(3, Stream::Positions, index);
    randomness::shuffle(&mut tiles, &mut rng);
    let mut lanes = LaneBoard::new(rules, &Board::empty(rules.layout.dim()), lexicon().graph());
    let mut game = DealtGame::default();
    game.start(rules, &tiles);
    let mut seat = Seat::First;
    while !game.bag.is_empty() {
        let play = eval.best(&mut lanes, &game.turn(seat));
        if let Some(placement) = play.play.placement() {
            lanes.play(placement, lexicon().graph());
        }
        game.take_turn(rules, seat, &play, ReturnTiles::Anywhere, &mut rng);
        seat = seat.opponent();
    }
    assert_eq!(game.countdown(), Countdown { zero_turns: 0, last_turns: Some(2) });
    assert_eq!(game.racks[seat].len(), rules.rack_size, "whoever did not empty the bag has a full rack");
    LateGame { board: lanes.to_board(), racks: game.racks.own_first(seat) }
}

/// Examines every turn and every reply, using only the generator.
struct Twin<'a> {
    rules: &'a GameRules,
    board: LaneBoard,
}

impl Twin<'_> {
    fn new<'a>(rules: &'a GameRules, board: &Board) -> Twin<'a> {
        Twin { rules, board: LaneBoard::new(rules, board, lexicon().graph()) }
    }

    fn plays(&mut self, rack: &Rack) -> Vec<GeneratedPlay> {
        let graph = lexicon().graph();
        self.board.prepare(graph);
        let values = RackValues::without_values(rack, self.board.tile_values());
        let mut plays = AllPlays::default();
        generate(graph, Lanes::all(&self.board), &values, &Terms::of(self.rules), &mut GenerateScratch::default(), &mut plays);
        plays.plays
    }

    fn best_score(&mut self, rack: &Rack) -> i32 {
        self.plays(rack).iter().map(|play| play.score).max().unwrap_or(0)
    }

    /// The value of every turn with two turns left; the first is the pass.
    fn values(&mut self, racks: [Rack; 2]) -> Vec<i32> {
        let mut values = vec![-self.best_score(&racks[1])];
        for play in self.plays(&racks[0]) {
            self.board.play(&play.placement, lexicon().graph());
            values.push(play.score - self.best_score(&racks[1]));
            self.board.undo();
        }
        values
    }
}

fn solver(rules: &GameRules, board: &Board, racks: &[Rack; 2]) -> BoardSolver {
    Solver::new(1).on(rules, lexicon(), board, &racks[0].plus(&racks[1]))
}

fn solve(solver: &mut BoardSolver, deal: &EndgameDeal, goal: Goal) -> Solution {
    solver.solve(deal, goal, &EndgameLimits::default(), &Signals::default(), &mut |_| {})
}

/// Some tiles of a rack.
fn part_of(rack: &Rack, count: usize, rng: &mut impl Rng) -> Rack {
    let mut tiles: Vec<Tile> = rack.tiles().collect();
    randomness::shuffle(&mut tiles, rng);
    tiles.into_iter().take(count).collect()
}

#[test]
fn random_late_positions_agree_with_a_twin_that_looks_at_every_reply() {
    let rules = crossplay();
    let mut rng = generator(3, Stream::Positions, 1_000);
    let (mut by_greed, mut otherwise) = (0, 0);
    for index in 0..30 {
        let LateGame { board, racks } = late_game(&rules, index);
        let counts = [[7, 7], [4, 7], [7, 3], [3, 4], [5, 5], [2, 1]][index as usize % 6];
        let racks = std::array::from_fn(|side| part_of(&racks[side], counts[side], &mut rng));
        let mut twin = Twin::new(&rules, &board);
        let value = twin.values(racks).into_iter().max().unwrap();
        let lead = rng.random_range(-40..40);
        let deal = EndgameDeal::new(racks, lead, false).with_last_turns(Some(2));
        let mut solver = solver(&rules, &board, &racks);
        let found = solve(&mut solver, &deal, Goal::Spread);
        assert_eq!((found.value, found.bound, found.solved), (value, Bound::Exact, true), "game {index}, {racks:?}");
        assert_eq!(found.line.iter().zip([1, -1]).map(|(play, sign)| sign * play.score).sum::<i32>(), value, "game {index}: {found:?}");
        let greedy = solver.play_out(&deal);
        assert!(greedy <= value, "game {index}");
        *if greedy == value { &mut by_greed } else { &mut otherwise } += 1;
        check_questions(&mut solver, &deal, value);
        // With one turn left, only the mover's score counts.
        let last = EndgameDeal::new([racks[1], racks[0]], -lead, true).with_last_turns(Some(1));
        let found = solve(&mut solver, &last, Goal::Spread);
        assert_eq!((found.value, found.bound, found.line.len()), (twin.best_score(&racks[1]), Bound::Exact, 1), "game {index}");
        assert_eq!(solver.play_out(&last), found.value);
    }
    assert!(by_greed >= 5 && otherwise >= 3, "{by_greed} {otherwise}");
}

/// Checks that every kind of question gets the answer that follows from the value.
fn check_questions(solver: &mut BoardSolver, deal: &EndgameDeal, value: i32) {
    let last = deal.lead + value;
    let signals = Signals::default();
    for least in [last - 30, last, last + 1, last + 30] {
        let answer = solver.ask(deal, EndgameQuestion::IsAtLeast(least), None, u64::MAX, &signals);
        let (change, bound) = answer.found.unwrap();
        let (low, high) = bound.range(change);
        assert!(low.is_none_or(|low| low <= value) && high.is_none_or(|high| high >= value), "{least}: {answer:?}, {value}");
        assert_eq!(low.is_some_and(|low| deal.lead + low >= least), last >= least, "{least}: {answer:?}, {value}");
        let solution = solve(solver, deal, Goal::AtLeast(least));
        assert!(solution.solved && (deal.lead + solution.value >= least) == (last >= least), "{least}: {solution:?}");
    }
    let winner = solve(solver, deal, Goal::FirstWin);
    assert_eq!((winner.outcome(deal.lead), winner.solved), (Some(last.signum()), true));
    let found = solver.enclose(deal, 0, u64::MAX, &signals);
    assert_eq!((found.least, found.most), (Some(value), Some(value)));
}

#[test]
fn a_player_who_has_placed_all_tiles_leaves_the_last_turn_to_the_other() {
    let rules = crossplay();
    let LateGame { board, racks } = late_game(&rules, 4);
    let deal = EndgameDeal::new([racks[0], Rack::EMPTY], 3, false).with_last_turns(Some(1));
    let found = solve(&mut solver(&rules, &board, &racks), &deal, Goal::Spread);
    assert_eq!(found.value, Twin::new(&rules, &board).best_score(&racks[0]));
}

#[test]
fn limits_and_signals_end_a_search_of_last_turns_without_a_claim() {
    let rules = crossplay();
    let search_in = |LateGame { board, racks }: &LateGame, limits: EndgameLimits, signals: &Signals| {
        let deal = EndgameDeal::new(*racks, 0, false).with_last_turns(Some(2));
        solver(&rules, board, racks).solve(&deal, Goal::Spread, &limits, signals, &mut |_| {})
    };
    // A game in which one node, for the most promising turn, does not settle the question.
    let takes_long = |game: &LateGame| search_in(game, EndgameLimits::default(), &Signals::default()).nodes > 1;
    let game = (0..20).map(|index| late_game(&rules, index)).find(takes_long).unwrap();
    let search = |limits: EndgameLimits, signals: &Signals| search_in(&game, limits, signals);
    let whole = search(EndgameLimits::default(), &Signals::default());
    let shallow = search(EndgameLimits { depth: Some(1), ..EndgameLimits::default() }, &Signals::default());
    assert_eq!((shallow.depth, shallow.solved, shallow.bound), (1, false, Bound::Estimate));
    assert!(shallow.value >= whole.value, "a bound: {shallow:?} {whole:?}");
    let few = search(EndgameLimits { nodes: Some(1), ..EndgameLimits::default() }, &Signals::default());
    assert!(!few.solved && few.bound == Bound::Estimate && few.value <= whole.value, "{few:?}");
    let signals = Signals::default();
    signals.stop();
    assert_eq!(search(EndgameLimits::default(), &signals), few);
    let many = search(EndgameLimits { threads: 3, ..EndgameLimits::default() }, &Signals::default());
    assert_eq!(many, whole);
}

#[test]
fn only_the_last_turns_asked_for_are_looked_at() {
    let rules = crossplay();
    let LateGame { board, racks } = late_game(&rules, 7);
    let deal = EndgameDeal::new(racks, 0, false).with_last_turns(Some(2));
    let mut solver = solver(&rules, &board, &racks);
    solver.restrict(&[EvaluatedPlay::PASS]);
    let passing = solve(&mut solver, &deal, Goal::Spread);
    assert_eq!((passing.line[0].play, passing.value), (EvaluatedPlay::PASS.play, -Twin::new(&rules, &board).best_score(&racks[1])));
}

#[test]
fn the_deal_of_a_position_says_how_many_turns_are_left() {
    let rules = Arc::new(crossplay());
    let LateGame { board, racks } = late_game(&rules, 1);
    let position = |turns: u32| {
        let builder = Position::builder(Arc::clone(&rules)).board(board.clone()).rack(racks[0]).opponent_rack(racks[1]);
        builder.last_turns(turns).build().unwrap()
    };
    let deal = |turns: u32| EndgameDeal::of(&position(turns)).map(|deal| deal.last_turns);
    assert_eq!([2, 1].map(deal), [Some(Some(2)), Some(Some(1))]);
    assert!(position(0).end().is_some());
}
