//! `tilewright bench [threads] [seconds] [--lexicon <path>]`: a signature of the engine's results, then how fast it is.
//!
//! The signature is the same for any number of threads and any machine: if it changes, results have changed. Then come lines
//! `metric <name> <value>`, each measured for about `seconds`.

use crate::cli::resources::{TableRequest, knowledge, lexicon_or_builtin, own_knowledge};
use crate::evaluation::StaticEval;
use crate::evaluation::static_eval::StaticTurn;
use crate::formats::{cgp, english_rules};
use crate::match_play::game::GameLoop;
use crate::match_play::self_play::SelfPlay;
use crate::movegen::LaneBoard;
use crate::rules::fingerprint::Fingerprint;
use crate::rules::notation::play_text;
use crate::rules::{GameRules, Position, Rack};
use crate::search::budget::Signals;
use crate::search::report::Report;
use crate::search::{self, Allocation, Analysis, Knowledge, RunSettings, SearchPosition, SearchRequest, SimulationOptions};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The positions of the generation oracle, from empty to full boards: its first column.
const POSITIONS: &str = include_str!("../../tests/data/movegen_enable.tsv");

/// Two midgame boards that other engines' simulations were measured on: names and CGPs.
pub const MIDGAMES: [(&str, &str); 2] = [
    ("m1", "14R/13MY/12WOE/12IN1/12SI1/12HEN/7G4A1A/6QI6Z/7G6I/7L2PERVS/6DONKEY3/7T2DECAF/12R2/12U2/10BUXOM FIIJOTU/ 199/158 0"),
    ("m2", "15/12P2/12U2/12D2/9VULGO1/12I2/11NE2/6TANGLER2/4CRIB3R3/9QATS2/11ZA2/12T1M/12I1I/9WORSEN/14X BDEIILM/ 87/207 0"),
];

/// Every this many positions one is simulated for the signature.
const SIMULATED: usize = 30;

/// Iterations of those simulations.
const ITERATIONS: u64 = 40;

/// The tables behind the signature: others may be trained anew without changing it.
const UNCHANGING: TableRequest<'_> = TableRequest { leaves: "rack-heuristic-3", win_table: "logistic", bag: "auto", racks: None };

/// What is measured, and how long.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// Threads of the simulations.
    #[arg(default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// Seconds for each figure.
    #[arg(default_value_t = 2.0)]
    pub seconds: f64,
    /// Another word list (.txt or .kwg).
    #[arg(long)]
    pub lexicon: Option<PathBuf>,
}

/// Prints signature and figures, a line at a time.
///
/// # Errors
/// A word list that cannot be read, or `say`'s.
pub fn run(arguments: &Arguments, say: &mut dyn FnMut(&str) -> std::io::Result<()>) -> anyhow::Result<()> {
    let rules = Arc::new(english_rules());
    let lexicon = lexicon_or_builtin(arguments.lexicon.as_deref(), &rules.distribution)?;
    let unchanging = knowledge(&lexicon, &rules.distribution, &UNCHANGING)?;
    let knowledge = own_knowledge(&lexicon, &rules.distribution)?;
    let (threads, seconds) = (usize::from(arguments.threads), arguments.seconds.clamp(0.01, 600.0));
    let positions = positions(&rules);
    say(&format!("Bench: {}", signature(&unchanging, &positions, threads)))?;
    let mut metric = |name: &str, value: f64| say(&format!("metric {name} {value:.1}"));
    let all = generation(&knowledge, &rules, seconds, Wanted::All);
    metric("all_plays_us", all.mean_us)?;
    metric("all_plays_mean", all.mean_plays)?;
    metric("best_play_us", generation(&knowledge, &rules, seconds, Wanted::Best).mean_us)?;
    metric("static_games_per_s", static_games_per_s(&knowledge, &rules, seconds))?;
    let empty = opening(&rules, "AEINRST");
    metric("sim_playouts_per_s_empty", playouts_per_s(&knowledge, &empty, threads, seconds))?;
    for (name, text) in MIDGAMES {
        let position = cgp::parse(text, &rules)?.position;
        metric(&format!("sim_playouts_per_s_{name}"), playouts_per_s(&knowledge, &position, threads, seconds))?;
    }
    if let Some(start_ms) = start_ms() {
        metric("start_ms", start_ms)?;
    }
    if let Some(rss_mib) = rss_mib() {
        metric("rss_mib", rss_mib)?;
    }
    Ok(())
}

fn positions(rules: &GameRules) -> Vec<Position> {
    let texts = POSITIONS.lines().skip(1).filter_map(|line| line.split('\t').next());
    texts.map(|text| cgp::parse(text, rules).expect("the positions are well-formed").position).collect()
}

fn opening(rules: &GameRules, rack: &str) -> Position {
    let mut position = Position::start(Arc::new(rules.clone()));
    let rack: Rack = rules.distribution.parse_tiles(rack).expect("English letters").into_iter().collect();
    position.set_rack(0, &rack).expect("tiles of a full bag");
    position
}

/// Number and hash of all plays of all positions, and of the simulations of some.
fn signature(knowledge: &Knowledge, positions: &[Position], threads: usize) -> String {
    let mut hash = Fingerprint::default();
    let mut add = |line: &str| hash.add(line.bytes().chain([b'\n']));
    let mut count = 0;
    for (at, position) in positions.iter().enumerate() {
        let rules = position.rules();
        let mut eval = StaticEval::new(rules, knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves);
        let mut board = LaneBoard::new(rules, position.board(), knowledge.lexicon.graph());
        let plays = eval.all(&mut board, &turn_of(position));
        count += plays.len();
        for play in &plays {
            add(&format!("{} {} {}", play_text(&play.play, position.board(), &rules.distribution), play.score, play.equity_millipoints));
        }
        if at % SIMULATED == 0 {
            let request = simulation(position, ITERATIONS, Allocation::Adaptive, threads);
            let outcome = search::run(knowledge, &request, &Signals::default(), &mut |_: Report| {});
            let Some(Report::Sim { rows, nodes, .. }) = outcome.last else { continue };
            add(&nodes.to_string());
            for row in rows {
                // Rounded: the last bits of an exponential are not the same everywhere.
                let text = play_text(&row.ranked.play, position.board(), &rules.distribution);
                add(&format!("{text} {:.6} {:.3} {}", row.win, row.equity, row.iterations));
            }
        }
    }
    format!("{count}-{:016x}", hash.value())
}

fn turn_of(position: &Position) -> StaticTurn<'_> {
    StaticTurn::new(position.mover_rack(), position.opponent_rack(), position.in_bag())
}

fn simulation(position: &Position, iterations: u64, allocation: Allocation, threads: usize) -> SearchRequest {
    let options = SimulationOptions { iterations: Some(iterations), allocation, ..SimulationOptions::default() };
    let searchable = SearchPosition::new(position.clone()).expect("a midgame with a rack");
    let settings = RunSettings { threads, ..RunSettings::default() };
    SearchRequest::new(searchable, Analysis::Simulation(options), settings).expect("a simulation needs no more")
}

#[derive(Clone, Copy, PartialEq)]
enum Wanted {
    All,
    Best,
}

/// What generations were like.
#[derive(Clone, Copy, Debug)]
struct Generations {
    mean_us: f64,
    /// Plays found: all of a turn, or one.
    mean_plays: f64,
}

/// Generations on the turns of static games that have tiles on the board and in the bag. The board is kept from turn to turn: the anchors of the lanes that
/// the last play changed are part of the time.
fn generation(knowledge: &Knowledge, rules: &Arc<GameRules>, seconds: f64, wanted: Wanted) -> Generations {
    let graph = knowledge.lexicon.graph();
    let mut eval = StaticEval::new(rules, knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves);
    let mut games = GameLoop::new(rules, graph);
    let (mut spent, mut turns, mut plays, mut index) = (Duration::ZERO, 0u32, 0usize, 0);
    while spent.as_secs_f64() < seconds {
        games.play(1, index, &Signals::default(), |board, view| {
            let is_midgame = view.tiles.in_bag > 0 && !board.is_empty();
            let start = Instant::now();
            let (best, found) = match wanted {
                Wanted::All => {
                    let all = eval.all(board, &view.tiles);
                    (all[0], all.len())
                }
                Wanted::Best => (eval.best(board, &view.tiles), 1),
            };
            let elapsed = start.elapsed();
            if is_midgame {
                spent += elapsed;
                turns += 1;
                plays += found;
            }
            best
        });
        index += 1;
    }
    Generations { mean_us: spent.as_secs_f64() * 1e6 / f64::from(turns), mean_plays: plays as f64 / f64::from(turns) }
}

fn static_games_per_s(knowledge: &Knowledge, rules: &Arc<GameRules>, seconds: f64) -> f64 {
    let graph = knowledge.lexicon.graph();
    let mut self_play = SelfPlay::new(rules, graph, StaticEval::new(rules, knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves));
    let start = Instant::now();
    let mut games = 0;
    while start.elapsed().as_secs_f64() < seconds {
        self_play.play(1, games);
        games += 1;
    }
    games as f64 / start.elapsed().as_secs_f64()
}

/// Playouts of a candidate a second, on two plies with 15 candidates, all sampled equally often. Each search is twice as long as the one
/// before, so that most of the time is spent in a long one.
fn playouts_per_s(knowledge: &Knowledge, position: &Position, threads: usize, seconds: f64) -> f64 {
    let start = Instant::now();
    let (mut playouts, mut iterations) = (0, 32);
    while start.elapsed().as_secs_f64() < seconds {
        iterations *= 2;
        let request = simulation(position, iterations, Allocation::Equal, threads);
        let outcome = search::run(knowledge, &request, &Signals::default(), &mut |_: Report| {});
        if let Some(Report::Sim { rows, .. }) = outcome.last {
            playouts += rows.iter().map(|row| row.iterations).sum::<u64>();
        }
    }
    playouts as f64 / start.elapsed().as_secs_f64()
}

/// From the start of a process to its `readyok`, and its end.
fn start_ms() -> Option<f64> {
    let program = std::env::current_exe().ok()?;
    let start = Instant::now();
    let output = std::process::Command::new(program).arg("isready").output().ok()?;
    output.stdout.starts_with(b"readyok").then(|| start.elapsed().as_secs_f64() * 1e3)
}

/// Memory of this process, where the system tells.
fn rss_mib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.split_whitespace().next()?.parse::<f64>().ok()? / 1024.0)
}
