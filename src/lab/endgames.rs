//! `tilewright lab endgames`: solves endgames, and reports how many are proved within given times.
//! An endgame is the first turn of a self-play game with an empty bag, or comes from a file.

use crate::engine::Engine;
use crate::formats::cgp;
use crate::host::game_arguments::GameArguments;
use crate::host::input_file::{self, MOST_OF_POSITIONS};
use crate::host::memory;
use crate::host::output::LinePrinter;
use crate::host::piece_run::{FinishedRun, MeasurementArguments, PieceRun};
use crate::lab::selfplay::{StaticGames, identity_of};
use crate::lexicon::Lexicon;
use crate::match_play::clocks;
use crate::match_play::journal::JournalHeader;
use crate::rules::fingerprint::Fingerprint;
use crate::rules::notation::play_text;
use crate::rules::{GameRules, Play, Position};
use crate::search::budget::Signals;
use crate::search::endgame::{Bound, EndgameDeal, EndgameLimits, Goal, Solution, Solver};
use crate::search::limits::MOST_SEED;
use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The endgames to solve, and the search.
#[derive(clap::Args, Clone, Debug)]
pub struct EndgamesArguments {
    /// Number of games. Each gives one endgame, if it comes to an empty bag.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Seed of the games' bags.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=MOST_SEED))]
    pub seed: u64,
    /// Solve the positions of this file instead. The first column of a line is a CGP with both racks; other lines are skipped.
    #[arg(long)]
    pub file: Option<PathBuf>,
    /// Times for which proofs are counted, ms. The last time ends each search.
    #[arg(long, value_delimiter = ',', default_value = "300,1000,3000")]
    pub times: Vec<u64>,
    /// Threads of a search.
    #[arg(long, default_value_t = 1)]
    pub threads: usize,
    /// Transposition table, MB.
    #[arg(long, default_value_t = 16)]
    pub hash: usize,
    /// Find only the winner.
    #[arg(long)]
    pub first_win: bool,
    /// Where results are kept, and the part of the endgames to solve.
    #[command(flatten)]
    pub keeping: MeasurementArguments,
}

/// The identity of a measurement: its endgames and its search.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct EndgamesHeader {
    /// The program's version.
    tilewright: String,
    /// Words and rules.
    game: String,
    /// The source of the endgames: static games of a seed, or a file's positions by their fingerprint.
    positions: String,
    /// The time that ends a search, ms.
    time_ms: u64,
    threads: usize,
    hash_mb: usize,
    first_win: bool,
}

/// An endgame that was searched.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SolvedEndgame {
    /// Tiles of the player on turn and of the opponent.
    tiles: [usize; 2],
    value: i32,
    /// Whether the value is exact or a bound.
    bound: String,
    solved: bool,
    depth: usize,
    nodes: u64,
    play: String,
    time_us: u64,
}

impl JournalHeader for EndgamesHeader {
    type Entry = SolvedEndgame;

    const KIND: &'static str = "endgames";

    const RUN: &'static str = "measurement of endgames";

    const ENTRY: &'static str = "endgame";
}

impl SolvedEndgame {
    fn ms(&self) -> f64 {
        self.time_us as f64 / 1e3
    }
}

/// Solves endgames and prints a line for each, then the shares that were proved, and the speed.
///
/// # Errors
/// A file cannot be read, or a position lacks a rack.
pub fn run(arguments: &EndgamesArguments, game: &GameArguments, say: LinePrinter<'_>) -> Result<()> {
    let game = game.open()?;
    let engine = game.own_engine()?;
    let (positions, origin) = match &arguments.file {
        None => (fresh_endgames(&engine, arguments)?, format!("static games, seed {}", arguments.seed)),
        Some(path) => endgames_of_file(path, &game.rules)?,
    };
    ensure!(!positions.is_empty(), "no endgame to solve: no game came to an empty bag, or the file has no position");
    let last_ms = arguments.times.iter().copied().max().unwrap_or(1000);
    let header = EndgamesHeader {
        tilewright: env!("CARGO_PKG_VERSION").to_string(),
        game: identity_of(&game, &engine),
        positions: origin,
        time_ms: last_ms,
        threads: arguments.threads,
        hash_mb: arguments.hash,
        first_win: arguments.first_win,
    };
    let mut run = PieceRun::open(&arguments.keeping, &header, positions.len() as u64)?;
    let mut solver = solver(arguments.hash)?;
    for index in run.own() {
        let position = &positions[index as usize];
        if run.get(index).is_none() {
            solver.forget();
            let (solution, elapsed);
            (solution, elapsed, solver) = solve(solver, position, &engine.knowledge().lexicon, arguments, Duration::from_millis(last_ms))?;
            run.keep(index, in_words(&solution, elapsed, position))?;
        }
        if let Some(found) = run.get(index) {
            let SolvedEndgame { tiles: [own, other], value, bound, depth, nodes, play, .. } = found;
            let ms = found.ms();
            say(&format!("{index} tiles {own}/{other} value {value:+} {bound} depth {depth} nodes {nodes} ms {ms:.1} play {play}"))?;
        }
    }
    let all = match run.finish() {
        FinishedRun::Whole(all, _) => all,
        FinishedRun::Shard(line) => return Ok(say(&line)?),
    };
    let mut proved_ms: Vec<f64> = all.iter().filter(|found| found.solved).map(SolvedEndgame::ms).collect();
    for &limit in &arguments.times {
        let count = proved_ms.iter().filter(|&&ms| ms <= limit as f64).count();
        say(&format!("proved within {limit} ms: {count} of {}", positions.len()))?;
    }
    proved_ms.sort_by(f64::total_cmp);
    if let (Some(median), Some(slowest)) = (proved_ms.get(proved_ms.len() / 2), proved_ms.last()) {
        say(&format!("proved endgames: median {median:.1} ms, slowest {slowest:.1} ms"))?;
    }
    let nodes: u64 = all.iter().map(|found| found.nodes).sum();
    let seconds = all.iter().map(SolvedEndgame::ms).sum::<f64>() / 1e3;
    say(&format!("nodes per second: {:.0}", nodes as f64 / seconds))?;
    Ok(())
}

/// Describes the solution of an endgame in words and numbers.
fn in_words(solution: &Solution, elapsed: Duration, position: &Position) -> SolvedEndgame {
    let bound = match solution.bound {
        Bound::Exact => "exact",
        Bound::AtLeast => "at-least",
        Bound::AtMost => "at-most",
        Bound::Estimate => "estimate",
    };
    let first = solution.line.first().map_or(Play::Pass, |first| first.play);
    SolvedEndgame {
        tiles: [position.mover_rack().len(), position.opponent_rack().len()],
        value: solution.value,
        bound: bound.to_string(),
        solved: solution.solved,
        depth: solution.depth,
        nodes: solution.nodes,
        play: play_text(&first, position.board(), &position.rules().distribution),
        time_us: u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX),
    }
}

/// Returns the first positions of static games with an empty bag.
fn fresh_endgames(engine: &Engine, arguments: &EndgamesArguments) -> Result<Vec<Position>> {
    let mut games = StaticGames::new(engine, arguments.seed);
    (0..arguments.games).filter_map(|index| games.first_with_in_bag(index, 0).transpose()).collect()
}

/// Returns the positions of a file, and their identity.
fn endgames_of_file(path: &Path, rules: &GameRules) -> Result<(Vec<Position>, String)> {
    let text = input_file::read_text(path, MOST_OF_POSITIONS).with_context(|| format!("cannot read {}", path.display()))?;
    let texts = text.lines().filter_map(|line| line.split('\t').next()).filter(|text| text.contains('/'));
    let mut hash = Fingerprint::default();
    let read = |text: &str| {
        hash.add(text.bytes().chain([b'\n']));
        Ok(cgp::parse(text, rules)?.position)
    };
    let positions = texts.map(read).collect::<Result<Vec<_>>>()?;
    Ok((positions, format!("a file with the fingerprint {:016x}", hash.value())))
}

/// Returns a solver with a table of `megabytes` MiB.
fn solver(megabytes: usize) -> Result<Solver> {
    if let Some(available) = memory::available_megabytes() {
        ensure!(megabytes <= available, "--hash {megabytes}: only {available} MB are available");
    }
    Solver::with_table(megabytes).with_context(|| format!("--hash {megabytes}"))
}

/// Solves one position with an empty table, in at most this time. Also returns the time that
/// it took, and the solver.
fn solve(
    solver: Solver,
    position: &Position,
    lexicon: &Arc<Lexicon>,
    arguments: &EndgamesArguments,
    most: Duration,
) -> Result<(Solution, Duration, Solver)> {
    let mut position = position.clone();
    position.deduce_racks();
    let deal = EndgameDeal::of(&position).context("an endgame needs both racks and an empty bag")?;
    let goal = if arguments.first_win { Goal::FirstWin } else { Goal::Spread };
    let limits = EndgameLimits { threads: arguments.threads, ..EndgameLimits::default() };
    let start = Instant::now();
    let (solution, solver) = clocks::within(most, &Signals::default(), |signals| {
        let mut solver = solver.on(position.rules(), lexicon, position.board(), &deal.pool());
        let solution = solver.solve(&deal, goal, &limits, signals, &mut |_| {});
        (solution, solver.into_solver())
    });
    Ok((solution, start.elapsed(), solver))
}
