//! `tilewright lab endgames`: solves endgames, and reports how many are proved by when.
//! An endgame is the first turn with an empty bag of a self-play game, or comes from a file.

use crate::engine::Engine;
use crate::formats::cgp;
use crate::host::game_arguments::GameArguments;
use crate::host::input_file::{self, MOST_OF_POSITIONS};
use crate::host::memory;
use crate::host::output::LinePrinter;
use crate::lab::selfplay::StaticGames;
use crate::lexicon::Lexicon;
use crate::match_play::clocks;
use crate::rules::notation::play_text;
use crate::rules::{GameRules, Play, Position};
use crate::search::budget::Signals;
use crate::search::endgame::{Bound, EndgameDeal, EndgameLimits, Goal, Solution, Solver};
use crate::search::limits::MOST_SEED;
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What is solved, and how.
#[derive(clap::Args, Clone, Debug)]
pub struct EndgamesArguments {
    /// Games that give one endgame each, if they come to an empty bag.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Seed of the games' bags.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=MOST_SEED))]
    pub seed: u64,
    /// Positions to solve instead: the first column of each line is a CGP with both racks; lines without one are skipped.
    #[arg(long)]
    pub file: Option<PathBuf>,
    /// Times that are counted, ms; the last one ends each search.
    #[arg(long, value_delimiter = ',', default_value = "300,1000,3000")]
    pub times: Vec<u64>,
    /// Threads of a search.
    #[arg(long, default_value_t = 1)]
    pub threads: usize,
    /// Transposition table, MB.
    #[arg(long, default_value_t = 16)]
    pub hash: usize,
    /// Ask only who wins.
    #[arg(long)]
    pub first_win: bool,
}

/// Solves and says what came of it, a line at a time: one for each endgame, then the shares and the speed.
///
/// # Errors
/// A file that cannot be read, a position without both racks.
pub fn run(arguments: &EndgamesArguments, game: &GameArguments, say: LinePrinter<'_>) -> Result<()> {
    let game = game.open()?;
    let engine = game.own_engine()?;
    let positions = match &arguments.file {
        None => fresh_endgames(&engine, arguments)?,
        Some(path) => endgames_of_file(path, &game.rules)?,
    };
    ensure!(!positions.is_empty(), "there is no endgame to solve: no game came to an empty bag, or no line of the file is a position");
    let mut solver = solver(arguments.hash)?;
    let last_ms = arguments.times.iter().copied().max().unwrap_or(1000);
    let (mut proved_ms, mut nodes, mut seconds) = (Vec::new(), 0, 0.0);
    for (index, position) in positions.iter().enumerate() {
        solver.forget();
        let (solution, elapsed);
        (solution, elapsed, solver) = solve(solver, position, &engine.knowledge().lexicon, arguments, Duration::from_millis(last_ms))?;
        let ms = elapsed.as_secs_f64() * 1e3;
        if solution.solved {
            proved_ms.push(ms);
        }
        nodes += solution.nodes;
        seconds += elapsed.as_secs_f64();
        let tiles = format!("{}/{}", position.mover_rack().len(), position.opponent_rack().len());
        let mark = match solution.bound {
            Bound::Exact => "exact",
            Bound::AtLeast => "at-least",
            Bound::AtMost => "at-most",
            Bound::Estimate => "estimate",
        };
        let text = play_text(&solution.line.first().map_or(Play::Pass, |first| first.play), position.board(), &game.rules.distribution);
        say(&format!(
            "{index} tiles {tiles} value {:+} {mark} depth {} nodes {} ms {ms:.1} play {text}",
            solution.value, solution.depth, solution.nodes
        ))?;
    }
    for &limit in &arguments.times {
        let count = proved_ms.iter().filter(|&&ms| ms <= limit as f64).count();
        say(&format!("proved within {limit} ms: {count} of {}", positions.len()))?;
    }
    proved_ms.sort_by(f64::total_cmp);
    if let (Some(median), Some(slowest)) = (proved_ms.get(proved_ms.len() / 2), proved_ms.last()) {
        say(&format!("of the proved ones: median {median:.1} ms, slowest {slowest:.1} ms"))?;
    }
    say(&format!("nodes per second: {:.0}", nodes as f64 / seconds))?;
    Ok(())
}

/// The first positions with an empty bag of static games.
fn fresh_endgames(engine: &Engine, arguments: &EndgamesArguments) -> Result<Vec<Position>> {
    let mut games = StaticGames::new(engine, arguments.seed);
    (0..arguments.games).filter_map(|index| games.first_with_in_bag(index, 0).transpose()).collect()
}

fn endgames_of_file(path: &Path, rules: &GameRules) -> Result<Vec<Position>> {
    let text = input_file::read_text(path, MOST_OF_POSITIONS).with_context(|| format!("cannot read {}", path.display()))?;
    let texts = text.lines().filter_map(|line| line.split('\t').next()).filter(|text| text.contains('/'));
    texts.map(|text| Ok(cgp::parse(text, rules)?.position)).collect()
}

/// A solver with a table of `megabytes` MiB.
fn solver(megabytes: usize) -> Result<Solver> {
    if let Some(available) = memory::available_megabytes() {
        ensure!(megabytes <= available, "--hash {megabytes}: {available} MB are left");
    }
    Solver::with_table(megabytes).with_context(|| format!("--hash {megabytes}"))
}

/// Solves one position, with a solver that knows nothing, in at most this time.
/// Also returns the time it took, and the solver.
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
