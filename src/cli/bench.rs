//! `tilewright bench [threads] [seconds] [--lexicon <path>]`: a signature of the engine's results, then how fast it is.
//!
//! The signature is the same for any number of threads and any machine: if it changes, results have changed. Then come lines
//! `metric <name> <value>`, each measured for about `seconds`.

use crate::cli::resources::{TableRequest, knowledge, lexicon_or_builtin, own_knowledge};
use crate::evaluation::StaticEval;
use crate::evaluation::static_eval::Turn;
use crate::formats::{cgp, english_rules};
use crate::match_play::self_play::SelfPlay;
use crate::movegen::LaneBoard;
use crate::rules::fingerprint::Fingerprint;
use crate::rules::notation::play_text;
use crate::rules::{GameRules, Position, Rack};
use crate::search::budget::{Limits, Signals};
use crate::search::report::Report;
use crate::search::{self, Knowledge, Mode, SearchRequest};
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
const UNCHANGING: TableRequest<'_> = TableRequest { leaves: "rack-heuristic-3", win_table: "logistic", racks: None };

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
    metric("all_plays_us", generation_us(&knowledge, &positions, seconds, Wanted::All))?;
    metric("best_play_us", generation_us(&knowledge, &positions, seconds, Wanted::Best))?;
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
            let limits = Limits { iterations: Some(ITERATIONS), ..Limits::default() };
            let outcome = search::run(knowledge, &request(position, limits, threads), &Signals::default(), &mut |_: Report| {});
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

fn turn_of(position: &Position) -> Turn<'_> {
    Turn::new(position.mover_rack(), position.opponent_rack(), position.in_bag())
}

fn request(position: &Position, limits: Limits, threads: usize) -> SearchRequest {
    SearchRequest {
        position: position.clone(),
        mode: Mode::Sim,
        limits,
        plies: None,
        candidates: None,
        only: None,
        also: Vec::new(),
        threads,
        seed: 1,
        first_win: false,
        hash_megabytes: 1,
        opponent_passes: false,
        log_samples: false,
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Wanted {
    All,
    Best,
}

/// Mean time of a generation over the positions. The boards are set up before, as in a game; anchors are derived each time.
fn generation_us(knowledge: &Knowledge, positions: &[Position], seconds: f64, wanted: Wanted) -> f64 {
    let graph = knowledge.lexicon.graph();
    let rules = positions[0].rules();
    let mut eval = StaticEval::new(rules, knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves);
    let boards: Vec<LaneBoard> = positions.iter().map(|position| LaneBoard::new(rules, position.board(), graph)).collect();
    let (mut spent, mut generations) = (Duration::ZERO, 0u32);
    while spent.as_secs_f64() < seconds {
        for (position, board) in positions.iter().zip(&boards) {
            let mut board = board.clone();
            let turn = turn_of(position);
            let start = Instant::now();
            match wanted {
                Wanted::All => {
                    std::hint::black_box(eval.all(&mut board, &turn));
                }
                Wanted::Best => {
                    std::hint::black_box(eval.best(&mut board, &turn));
                }
            }
            spent += start.elapsed();
            generations += 1;
        }
    }
    spent.as_secs_f64() * 1e6 / f64::from(generations)
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

/// Playouts of a candidate a second, on two plies with 15 candidates. None is pruned: all are sampled equally often.
fn playouts_per_s(knowledge: &Knowledge, position: &Position, threads: usize, seconds: f64) -> f64 {
    let start = Instant::now();
    let mut playouts = 0;
    while start.elapsed().as_secs_f64() < seconds {
        let limits = Limits { iterations: Some(64), ..Limits::default() };
        let outcome = search::run(knowledge, &request(position, limits, threads), &Signals::default(), &mut |_: Report| {});
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
