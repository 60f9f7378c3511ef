//! `tilewright endgames`: solves endgames, each from the first turn with an empty bag of a self-play game, or from a file, and
//! says how many are proved by when.

use crate::cli::resources::{lexicon_or_builtin, own_knowledge};
use crate::evaluation::StaticEval;
use crate::evaluation::static_eval::StaticTurn;
use crate::formats::{cgp, english_rules};
use crate::lexicon::Lexicon;
use crate::match_play::referee;
use crate::movegen::LaneBoard;
use crate::rules::notation::play_text;
use crate::rules::{GameRules, Play, Position};
use crate::search::Knowledge;
use crate::search::budget::Signals;
use crate::search::endgame::{Bound, EndgameDeal, EndgameLimits, Goal, Solution, Solver};
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

/// What is solved, and how.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// Games that give one endgame each, if they come to an empty bag.
    #[arg(long, default_value_t = 60)]
    pub games: u64,
    /// Seed of the games' bags.
    #[arg(long, default_value_t = 1)]
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
    /// Another word list (.txt or .kwg).
    #[arg(long)]
    pub lexicon: Option<PathBuf>,
}

/// Solves and says what came of it, a line at a time: one for each endgame, then the shares and the speed.
///
/// # Errors
/// A file that cannot be read, a position without both racks.
pub fn run(arguments: &Arguments, say: &mut dyn FnMut(&str) -> std::io::Result<()>) -> Result<()> {
    let rules = Arc::new(english_rules());
    let lexicon = lexicon_or_builtin(arguments.lexicon.as_deref(), &rules.distribution)?;
    let knowledge = own_knowledge(&lexicon, &rules.distribution)?;
    let positions = match &arguments.file {
        None => fresh_endgames(&rules, &knowledge, arguments)?,
        Some(path) => {
            let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
            let texts = text.lines().filter_map(|line| line.split('\t').next()).filter(|text| text.contains('/'));
            texts.map(|text| Ok(cgp::parse(text, &rules)?.position)).collect::<Result<_>>()?
        }
    };
    let last_ms = arguments.times.iter().copied().max().unwrap_or(1000);
    let (mut proved_ms, mut nodes, mut seconds) = (Vec::new(), 0, 0.0);
    for (index, position) in positions.iter().enumerate() {
        let (solution, elapsed) = solve(position, &knowledge.lexicon, arguments, Duration::from_millis(last_ms))?;
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
        let text = play_text(&solution.line.first().map_or(Play::Pass, |first| first.play), position.board(), &rules.distribution);
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
fn fresh_endgames(rules: &Arc<GameRules>, knowledge: &Knowledge, arguments: &Arguments) -> Result<Vec<Position>> {
    let graph = knowledge.lexicon.graph();
    let mut eval = StaticEval::new(rules, knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves);
    let mut positions = Vec::new();
    for index in 0..arguments.games {
        let mut first = None;
        let mut choose = |position: &Position, turn: &StaticTurn<'_>| {
            if turn.in_bag == 0 && first.is_none() {
                first = Some(position.clone());
            }
            eval.best(&mut LaneBoard::new(position.rules(), position.board(), graph), turn)
        };
        referee::play_game(rules, &knowledge.lexicon, arguments.seed, index, &mut choose).with_context(|| format!("game {index}"))?;
        positions.extend(first);
    }
    Ok(positions)
}

/// Solves one position from scratch, with a new solver, in at most this time.
fn solve(position: &Position, lexicon: &Arc<Lexicon>, arguments: &Arguments, most: Duration) -> Result<(Solution, Duration)> {
    let deal = EndgameDeal::of(position).context("an endgame needs both racks and an empty bag")?;
    let solver = Solver::new(arguments.hash);
    let goal = if arguments.first_win { Goal::FirstWin } else { Goal::Spread };
    let limits = EndgameLimits { threads: arguments.threads, ..EndgameLimits::default() };
    let signals = Signals::default();
    let start = Instant::now();
    let solution = std::thread::scope(|scope| {
        let (finished, waits) = mpsc::channel::<()>();
        scope.spawn(|| {
            let waits = waits;
            if waits.recv_timeout(most).is_err() {
                signals.stop();
            }
        });
        let mut solver = solver.on(position.rules(), lexicon, position.board(), &deal.pool());
        let solution = solver.solve(&deal, goal, &limits, &signals, &mut |_| {});
        drop(finished);
        solution
    });
    Ok((solution, start.elapsed()))
}
