//! Generation, one position at a time: the figures behind `tilewright lab bench`, for comparing two versions of the code.
//!
//! `cargo bench --bench generation`

use divan::{Bencher, black_box};
use tilewright::formats::cgp;
use tilewright::internals::{
    CountPlays, GenerateScratch, LaneBoard, Lanes, Leaves, RackHeuristic, RackValues, StaticEval, StaticTurn, Terms, generate,
};
use tilewright::lexicon::Lexicon;
use tilewright::rules::{GameRules, Position};

/// A bench position with many plays, and one on the empty board.
const POSITIONS: [&str; 2] =
    [include_str!("../src/lab/data/midgame_m1.cgp").trim_ascii(), "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0"];

fn main() {
    divan::main();
}

/// What a benchmark works on.
struct Setup {
    rules: GameRules,
    lexicon: Lexicon,
    leaves: Leaves,
    position: Position,
}

impl Setup {
    fn new(at: usize) -> Setup {
        let rules = GameRules::english();
        let leaves = Leaves::heuristic(RackHeuristic::VowelMix, &rules.distribution);
        let position = cgp::parse(POSITIONS[at], &rules).expect("a position").position;
        let lexicon = Lexicon::builtin();
        lexicon.make_map();
        Setup { rules, lexicon, leaves, position }
    }

    fn board(&self) -> LaneBoard {
        LaneBoard::new(&self.rules, self.position.board(), self.lexicon.graph())
    }

    fn eval(&self) -> StaticEval<'_> {
        StaticEval::new(&self.rules, &self.lexicon, &self.leaves)
    }

    fn turn(&self) -> StaticTurn<'_> {
        StaticTurn::new(self.position.mover_rack(), self.position.opponent_rack(), self.position.in_bag())
    }
}

#[divan::bench(args = [0, 1])]
fn all_plays(bencher: Bencher, at: usize) {
    let setup = Setup::new(at);
    let (mut board, mut eval) = (setup.board(), setup.eval());
    bencher.bench_local(|| black_box(eval.all(&mut board, &setup.turn())));
}

#[divan::bench(args = [0, 1])]
fn count_plays(bencher: Bencher, at: usize) {
    let setup = Setup::new(at);
    let mut board = setup.board();
    board.prepare(setup.lexicon.graph());
    let terms = Terms::of(&setup.rules);
    let values = RackValues::bare(setup.position.mover_rack(), board.tile_values());
    let mut scratch = GenerateScratch::default();
    bencher.bench_local(|| {
        let mut sink = CountPlays::default();
        generate(setup.lexicon.graph(), Lanes::all(&board), &values, &terms, &mut scratch, &mut sink);
        sink.count
    });
}

#[divan::bench(args = [0, 1])]
fn best_play(bencher: Bencher, at: usize) {
    let setup = Setup::new(at);
    let (mut board, mut eval) = (setup.board(), setup.eval());
    bencher.bench_local(|| black_box(eval.best(&mut board, &setup.turn())));
}

#[divan::bench(args = [0, 1])]
fn best_fifteen(bencher: Bencher, at: usize) {
    let setup = Setup::new(at);
    let (mut board, mut eval) = (setup.board(), setup.eval());
    bencher.bench_local(|| black_box(eval.best_few(&mut board, &setup.turn(), 15)));
}

/// Cross checks and anchors anew after a play, and its undo.
#[divan::bench(args = [0, 1])]
fn play_prepare_undo(bencher: Bencher, at: usize) {
    let setup = Setup::new(at);
    let (mut board, mut eval) = (setup.board(), setup.eval());
    let best = eval.best_placement(&mut board, &setup.turn()).expect("a play");
    let placement = best.play.placement().copied().expect("a placement");
    bencher.bench_local(|| {
        board.play(&placement, setup.lexicon.graph());
        board.prepare(setup.lexicon.graph());
        board.undo();
    });
}
