//! Simulations, endgames, and what they are made of: for comparing two versions of the code.
//!
//! `cargo bench --bench simulation`

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use std::sync::Arc;
use tilewright::formats::cgp;
use tilewright::internals::{
    EndgameDeal, EndgameLimits, Goal, Horizon, Iteration, LaneBoard, Leaves, RaceCandidate, RackHeuristic, ReadyRack, RolloutWorker,
    SimulationContext, Solver, StaticEval, StaticTurn, WinModel, leave_table,
};
use tilewright::lexicon::Lexicon;
use tilewright::rules::{GameRules, Position, Rack};
use tilewright::search::Signals;

/// The empty board, and two midgame boards.
const POSITIONS: [&str; 3] = [
    "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0",
    include_str!("../src/lab/data/midgame_m1.cgp").trim_ascii(),
    include_str!("../src/lab/data/midgame_m2.cgp").trim_ascii(),
];

/// An endgame of two full racks.
const ENDGAME: &str = "13C1/13Oh/8W2MUNI/1DETESTER1VAPID/8YO3NE/5J1PEH4O/4QUAIS3GNU/3GIBBETS1FIAT/3U1E3E2N1S/3I5X2G2/2ODOMETRY2I2/\
     3E3H3AVOW/1cARIOLE3ZA2/7CANNOLI1/7A5FE ADLLRRT/KR 397/433 0";

/// Candidates of a simulation.
const CANDIDATES: usize = 15;

/// Nodes of a searched endgame.
const NODES: u64 = 2000;

fn main() {
    divan::main();
}

/// What a benchmark works on.
struct Setup {
    rules: GameRules,
    lexicon: Arc<Lexicon>,
    leaves: Leaves,
    position: Position,
}

impl Setup {
    fn new(position: &str) -> Setup {
        let rules = GameRules::english();
        let leaves = Leaves::heuristic(RackHeuristic::VowelMix, &rules.distribution);
        let position = cgp::parse(position, &rules).expect("a position").position;
        let lexicon = Arc::new(Lexicon::builtin());
        lexicon.make_map();
        Setup { rules, lexicon, leaves, position }
    }

    fn eval(&self) -> StaticEval<'_> {
        StaticEval::new(&self.rules, self.lexicon.as_ref(), &self.leaves)
    }

    fn turn(&self) -> StaticTurn<'_> {
        StaticTurn::new(self.position.mover_rack(), self.position.opponent_rack(), self.position.in_bag())
    }
}

/// An iteration of two plies with all its candidates; the items are candidate playouts.
#[divan::bench(args = [0, 1, 2], min_time = 1)]
fn iteration(bencher: Bencher, at: usize) {
    let setup = Setup::new(POSITIONS[at]);
    let win_model = WinModel::formula();
    let graph = setup.lexicon.graph();
    let context = SimulationContext::new(&setup.position, graph, &win_model, Horizon::Plies(2), 1);
    let mut board = LaneBoard::new(&setup.rules, setup.position.board(), graph);
    let plays = setup.eval().best_few(&mut board, &setup.turn(), CANDIDATES);
    let candidates = RaceCandidate::all(&plays);
    let mut worker = RolloutWorker::new(setup.eval(), CANDIDATES, CANDIDATES, false);
    let mut iteration = 0;
    bencher.counter(ItemsCount::new(CANDIDATES)).bench_local(|| {
        iteration += 1;
        for candidate in &candidates {
            black_box(worker.sample(&context, candidate, Iteration { number: iteration, candidates: CANDIDATES }));
        }
    });
}

/// A ply of a rollout: the best play, then the board with it and without it again.
#[divan::bench(args = [0, 1, 2])]
fn ply(bencher: Bencher, at: usize) {
    let setup = Setup::new(POSITIONS[at]);
    let graph = setup.lexicon.graph();
    let (mut eval, mut board) = (setup.eval(), LaneBoard::new(&setup.rules, setup.position.board(), graph));
    bencher.bench_local(|| {
        let best = eval.best(&mut board, black_box(&setup.turn()));
        let placement = best.play.placement().expect("a placement is best");
        board.play(placement, graph);
        board.prepare(graph);
        board.undo();
    });
}

/// The value of one leave in the built-in table.
#[divan::bench]
fn leave_lookup(bencher: Bencher) {
    let leaves = Leaves::trained("built-in", leave_table::builtin());
    let leave: Rack = GameRules::english().distribution.parse_tiles("EINRST").expect("English letters").into_iter().collect();
    bencher.bench_local(|| leaves.value(black_box(&leave)));
}

/// The values of all parts of a rack.
#[divan::bench]
fn ready_rack(bencher: Bencher) {
    let setup = Setup::new(POSITIONS[0]);
    let (eval, mut rack) = (setup.eval(), ReadyRack::default());
    bencher.bench_local(|| eval.make_ready(black_box(&setup.turn()), &mut rack));
}

/// The first nodes of an endgame's search; the items are nodes.
#[divan::bench]
fn endgame(bencher: Bencher) {
    let setup = Setup::new(ENDGAME);
    let deal = EndgameDeal::of(&setup.position).expect("an endgame");
    let pool = deal.racks[0].plus(&deal.racks[1]);
    let limits = EndgameLimits { depth: None, nodes: Some(NODES), threads: 1 };
    bencher.counter(ItemsCount::new(NODES)).bench_local(|| {
        let mut solver = Solver::new(4).on(&setup.rules, &setup.lexicon, setup.position.board(), &pool);
        black_box(solver.solve(&deal, Goal::Spread, &limits, &Signals::default(), &mut |_| {}))
    });
}
