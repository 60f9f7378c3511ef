//! `tilewright lab pegs`: measures when pre-endgame searches have useful and complete answers. The
//! pre-endgames are from self-play games.

mod record;
mod trials;

use crate::engine::Engine;
use crate::host::game_arguments::GameArguments;
use crate::host::long_run;
use crate::host::output::LinePrinter;
use crate::host::piece_run::{FinishedRun, MeasurementArguments, PieceRun};
use crate::lab::pegs::record::{CheckedAnswer, Milestones, PegHeader, PegPiece, SearchedPosition};
use crate::lab::selfplay::{StaticGames, identity_of};
use crate::lexicon::Lexicon;
use crate::match_play::clocks;
use crate::rules::Position;
use crate::rules::notation::play_text;
use crate::search::budget::Signals;
use crate::search::limits::MOST_SEED;
use crate::search::pre_endgame::brute;
use crate::search::report::{Outcome, PreEndgameBasis, PreEndgameClaim, PreEndgameRow, Report};
use crate::search::{Analysis, Listener, PreEndgameOptions, PreEndgameReport, RunSettings, SearchPosition, SearchRequest};
use anyhow::{Context, Result, ensure};
use cpu_time::ThreadTime;
use rayon::prelude::*;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The positions to search, and the measurement.
#[derive(clap::Args, Clone, Debug)]
pub struct PegArguments {
    /// Number of positions to search, each from a different game. Games whose bag never holds the given number of tiles are left out.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Seed of the games' bags.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=MOST_SEED))]
    pub seed: u64,
    /// Tiles in the bag.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=4))]
    pub in_bag: u8,
    /// Time of each search, ms.
    #[arg(long, default_value_t = 10_000)]
    pub movetime: u64,
    /// Find only the greatest share of wins, without comparing spreads of equal shares.
    #[arg(long)]
    pub first_win: bool,
    /// Threads of a search.
    #[arg(long, default_value_t = 1)]
    pub threads: u16,
    /// Report processor time of the searching thread instead of wall time. Useful for one thread on a busy machine.
    #[arg(long)]
    pub cpu: bool,
    /// With one tile in the bag, compare proved results with brute enumeration, which searches every endgame after every play. Only positions
    /// with at most this many plays are compared. Takes minutes a position, on the threads of a search.
    #[arg(long, value_name = "PLAYS")]
    pub check: Option<usize>,
    /// Instead, report how often unproved expectations of a search come true, by kinds of estimates. Takes four to ten seconds a position on
    /// one thread. The positions share `--threads`, and `--movetime` has no effect.
    #[arg(long, conflicts_with_all = ["check", "cpu", "first_win"])]
    pub estimates: bool,
    /// Instead, report the loss of plays chosen by pre-endgames and simulations with each of these numbers of nodes, judged by pre-endgames of
    /// many nodes. Takes 5 to 30 seconds a position on one thread. `--threads` and `--movetime` are as with `--estimates`.
    #[arg(long, value_name = "NODES", value_delimiter = ',', conflicts_with_all = ["check", "cpu", "first_win", "estimates"])]
    pub choices: Vec<u64>,
    /// Where results are kept, and the part of the positions to search.
    #[command(flatten)]
    pub keeping: MeasurementArguments,
}

/// The number of rows that must be based on endgames for an answer to be useful.
const USEFUL_ROWS: usize = 8;

/// The time between two reports of a search.
const REPORT_EVERY: Duration = Duration::from_millis(20);

/// The most games that are played for each position, since few games reach a given number of tiles in
/// the bag.
const GAMES_FOR_A_POSITION: u64 = 50;

/// Searches positions and prints a line for each, then medians and 90th percentiles.
///
/// # Errors
/// A word list cannot be read, a proved result differs from brute enumeration, or `say` fails.
pub fn run(arguments: &PegArguments, game: &GameArguments, say: LinePrinter<'_>) -> Result<()> {
    ensure!(arguments.check.is_none() || arguments.in_bag == 1, "--check needs one tile in the bag (--in-bag 1)");
    let game = game.open()?;
    let engine = game.own_engine()?;
    let positions = positions(&engine, arguments)?;
    let header = PegHeader {
        tilewright: env!("CARGO_PKG_VERSION").to_string(),
        game: identity_of(&game, &engine),
        seed: arguments.seed,
        in_bag: arguments.in_bag,
        measured: measured(arguments),
    };
    let run = PieceRun::open(&arguments.keeping, &header, positions.len() as u64)?;
    if arguments.estimates {
        let pool = long_run::pool(Some(arguments.threads))?;
        return trials::estimates(&positions, &engine, &pool, arguments.seed, run, say);
    }
    if !arguments.choices.is_empty() {
        let pool = long_run::pool(Some(arguments.threads))?;
        return trials::choices(&positions, &arguments.choices, &engine, &pool, run, say);
    }
    milestones(&positions, &engine, arguments, run, say)
}

/// Describes the measurement, with the flags that determine it.
fn measured(arguments: &PegArguments) -> String {
    let PegArguments { movetime, first_win, threads, cpu, check, estimates, choices, .. } = arguments;
    match (estimates, &choices[..]) {
        (true, _) => "estimates".to_string(),
        (false, []) => {
            let check = check.map(|most| format!(", checked where there are at most {most} plays")).unwrap_or_default();
            let [only, clock] = [(first_win, ", first wins"), (cpu, ", processor time")].map(|(is, text)| if *is { text } else { "" });
            format!("times within {movetime} ms on {threads} threads{only}{clock}{check}")
        }
        (false, nodes) => format!("choices by {} nodes", nodes.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// Measures when searches have answers.
fn milestones(
    positions: &[Position],
    engine: &Engine,
    arguments: &PegArguments,
    mut run: PieceRun<PegHeader>,
    say: LinePrinter<'_>,
) -> Result<()> {
    for index in run.own() {
        if run.get(index).is_none() {
            let searched = searched(&positions[index as usize], engine, arguments)?;
            run.keep(index, PegPiece { searched, ..PegPiece::default() })?;
        }
        if let Some(SearchedPosition { answer, times_ms, check }) = run.get(index).and_then(|piece| piece.searched.as_ref()) {
            say(&format!("{index} {answer} ms: {}", milestones_text(times_ms)))?;
            if let Some(check) = check {
                say(&format!("{index} {}", check.text))?;
            }
        }
    }
    let all = match run.finish() {
        FinishedRun::Whole(all, _) => all,
        FinishedRun::Shard(line) => return Ok(say(&line)?),
    };
    let all: Vec<SearchedPosition> = all.into_iter().filter_map(|piece| piece.searched).collect();
    say_times("playouts", all.iter().map(|found| found.times_ms.playouts), say)?;
    say_times("useful", all.iter().map(|found| found.times_ms.useful), say)?;
    say_times("share proved", all.iter().map(|found| found.times_ms.share), say)?;
    say_times("complete", all.iter().map(|found| found.times_ms.complete), say)?;
    if arguments.check.is_some() {
        let checks: Vec<CheckedAnswer> = all.into_iter().filter_map(|found| found.check).collect();
        let different = checks.iter().filter(|check| !check.is_equal).count();
        let unclaimed = checks.iter().filter(|check| check.is_equal && !check.is_claimed).count();
        let equal = checks.len() - different - unclaimed;
        say(&format!("brute enumeration: {equal} answers equal, {different} different, {unclaimed} without a claim"))?;
        ensure!(different == 0, "{different} answers differ from brute enumeration");
    }
    Ok(())
}

/// Searches a position. Returns `None` if the search had no result.
fn searched(position: &Position, engine: &Engine, arguments: &PegArguments) -> Result<Option<SearchedPosition>> {
    let (outcome, times_ms) = search(position, engine, arguments);
    let Some(PreEndgameReport { rows, nodes, stage, claim, .. }) = outcome.last else { return Ok(None) };
    let answer = format!("{} stage {stage} nodes {nodes}", answer(position, &rows, claim));
    let is_checked = arguments.check.is_some_and(|most| rows.len() <= most);
    let check = is_checked.then(|| checked(position, &rows, claim, &engine.knowledge().lexicon, arguments.threads)).transpose()?;
    Ok(Some(SearchedPosition { answer, times_ms, check }))
}

/// Describes the first row of the last ranking, and how far it is proved.
fn answer(position: &Position, rows: &[PreEndgameRow], claim: PreEndgameClaim) -> String {
    let best = &rows[0];
    let text = play_text(&best.ranked.play, position.board(), &position.rules().distribution);
    // Counts plays that may still have the greatest share.
    let level = rows.iter().filter(|row| row.basis != PreEndgameBasis::BrokenOff && row.win >= best.win).count();
    let proved = match claim {
        PreEndgameClaim::Nothing => "-",
        PreEndgameClaim::Share => "share",
        PreEndgameClaim::Best => "best",
    };
    format!("plays {} best {text} share {:.1} level {level} proved {proved}", rows.len(), 100.0 * best.win)
}

/// The verdict of brute enumeration on an answer.
struct BruteVerdict {
    /// Half wins of the first play.
    of_first: u64,
    none_is_better: bool,
    /// The number of proved shares that were compared (`proved`), and of those that are wrong (`wrong`).
    proved: usize,
    wrong: usize,
    /// Whether everything that was proved or claimed is right.
    is_equal: bool,
}

/// Checks an answer by brute enumeration.
fn checked(
    position: &Position,
    rows: &[PreEndgameRow],
    claim: PreEndgameClaim,
    lexicon: &Arc<Lexicon>,
    threads: u16,
) -> Result<CheckedAnswer> {
    let pool = long_run::pool(Some(threads))?;
    let verdict = pool.install(|| compare(position, rows, claim, lexicon)).context("no placement")?;
    let BruteVerdict { of_first, none_is_better, proved, wrong, is_equal } = verdict;
    let text = format!(
        "brute: share of the first {:.1}, no play has more: {none_is_better}, proved shares {proved}, wrong {wrong}: {}",
        100.0 * of_first as f64 / most_half_wins(position),
        if is_equal { "equal" } else { "DIFFERENT" }
    );
    Ok(CheckedAnswer { is_equal, is_claimed: claim != PreEndgameClaim::Nothing, text })
}

/// Compares every proved share, and the claim about the first play, with brute enumeration. Only placements are compared, since
/// enumeration cannot value a pass or an exchange. Returns `None` if there is no placement.
fn compare(position: &Position, rows: &[PreEndgameRow], claim: PreEndgameClaim, lexicon: &Arc<Lexicon>) -> Option<BruteVerdict> {
    let placements: Vec<&PreEndgameRow> = rows.iter().filter(|row| row.ranked.play.placement().is_some()).collect();
    let (first, others) = placements.split_first()?;
    let of_first = brute::half_wins(position, &first.ranked.play, lexicon, 0);
    // A proved share must be found exactly. Other plays matter only if they are better than the first play, or level with it if the first
    // is claimed to be best. Enumeration may stop once a play has less.
    let enough = |row: &PreEndgameRow| match claim {
        _ if row.basis == PreEndgameBasis::Proved => 0,
        PreEndgameClaim::Best => of_first.saturating_sub(1),
        PreEndgameClaim::Share | PreEndgameClaim::Nothing => of_first,
    };
    let half_wins = |row: &&PreEndgameRow| brute::half_wins(position, &row.ranked.play, lexicon, enough(row));
    let of_others: Vec<u64> = others.par_iter().map(half_wins).collect();

    // Each proved share is compared.
    let told = |row: &PreEndgameRow| (row.win * most_half_wins(position)).round() as u64;
    let all_half_wins = std::iter::once(of_first).chain(of_others.iter().copied());
    let proved: Vec<_> = placements.iter().zip(all_half_wins).filter(|(row, _)| row.basis == PreEndgameBasis::Proved).collect();
    let wrong = proved.iter().filter(|(row, half_wins)| told(row) != *half_wins).count();

    // The claim is that no play has more half wins, and, if the first is the best, that no play with equally many is worth more.
    let none_is_better = of_others.iter().all(|half_wins| *half_wins <= of_first);
    let is_claim_true = match claim {
        PreEndgameClaim::Nothing => true,
        PreEndgameClaim::Share => none_is_better,
        PreEndgameClaim::Best => {
            let worth = |row: &PreEndgameRow| brute::worth(position, &row.ranked.play, lexicon);
            let worth_of_first = worth(first);
            let mut level = others.iter().zip(&of_others).filter(|(_, half_wins)| **half_wins == of_first);
            none_is_better && level.all(|(row, _)| worth(row) <= worth_of_first)
        }
    };
    Some(BruteVerdict { of_first, none_is_better, proved: proved.len(), wrong, is_equal: wrong == 0 && is_claim_true })
}

/// Returns the half wins if every possible tile in the bag wins.
fn most_half_wins(position: &Position) -> f64 {
    2.0 * position.unseen().len() as f64
}

/// Prints how many searches reached a milestone, and when.
fn say_times(name: &str, times: impl Iterator<Item = Option<f64>>, say: LinePrinter<'_>) -> std::io::Result<()> {
    let mut times: Vec<f64> = times.map(|time| time.unwrap_or(f64::INFINITY)).collect();
    times.sort_by(f64::total_cmp);
    let reached = times.iter().filter(|time| time.is_finite()).count();
    let at = |percent: usize| ms(times.get(times.len() * percent / 100).copied().filter(|time| time.is_finite()));
    say(&format!("{name}: {reached} of {}, median {} ms, 90th percentile {} ms", times.len(), at(50), at(90)))
}

fn ms(time: Option<f64>) -> String {
    time.map_or("-".to_string(), |time| format!("{time:.0}"))
}

fn milestones_text(times: &Milestones) -> String {
    let [playouts, useful, share, complete] = [times.playouts, times.useful, times.share, times.complete].map(ms);
    format!("playouts {playouts} useful {useful} share {share} complete {complete}")
}

/// Returns the first positions of static games with the given number of tiles in the bag.
fn positions(engine: &Engine, arguments: &PegArguments) -> Result<Vec<Position>> {
    let mut games = StaticGames::new(engine, arguments.seed);
    let in_bag = usize::from(arguments.in_bag);
    let indices = 0..GAMES_FOR_A_POSITION * arguments.games;
    let found = indices.filter_map(|index| games.first_with_in_bag(index, in_bag).transpose());
    found.take(usize::try_from(arguments.games)?).collect()
}

/// Records when the milestones are reached.
struct Stopwatch {
    start: Instant,
    /// Processor time at the start, if processor time is reported.
    start_cpu: Option<ThreadTime>,
    milestones: Milestones,
}

impl Stopwatch {
    fn ms(&self) -> f64 {
        let cpu = self.start_cpu.and_then(|start| start.try_elapsed().ok());
        cpu.unwrap_or_else(|| self.start.elapsed()).as_secs_f64() * 1e3
    }
}

impl Listener for Stopwatch {
    fn report(&mut self, report: Report) {
        let Report::PreEndgame(PreEndgameReport { rows, claim, .. }) = report else { return };
        let now = self.ms();
        let is_searched = |row: &PreEndgameRow| !matches!(row.basis, PreEndgameBasis::Static | PreEndgameBasis::Playouts);
        if rows.iter().all(|row| row.basis != PreEndgameBasis::Static) {
            self.milestones.playouts.get_or_insert(now);
        }
        if claim != PreEndgameClaim::Nothing || rows.iter().take(USEFUL_ROWS).all(is_searched) {
            self.milestones.useful.get_or_insert(now);
        }
        if claim != PreEndgameClaim::Nothing {
            self.milestones.share.get_or_insert(now);
        }
    }
}

fn search(position: &Position, engine: &Engine, arguments: &PegArguments) -> (Outcome<PreEndgameReport>, Milestones) {
    let analysis = Analysis::PreEndgame(PreEndgameOptions { first_win: arguments.first_win, ..PreEndgameOptions::default() });
    let settings = RunSettings { threads: arguments.threads.into(), ..RunSettings::default() };
    let searchable = SearchPosition::new(position.clone()).expect("a pre-endgame is under way, its rack known");
    let request = SearchRequest::new(searchable, analysis, settings).expect("few tiles are in the bag");
    let signals = Signals::default();
    let start = Instant::now();
    let start_cpu = if arguments.cpu { ThreadTime::try_now().ok() } else { None };
    let mut watch = Stopwatch { start, start_cpu, milestones: Milestones::default() };
    let ask = || {
        let elapsed = start.elapsed();
        if elapsed >= REPORT_EVERY {
            signals.ask_report();
        }
        if elapsed >= Duration::from_millis(arguments.movetime) {
            signals.stop();
        }
        Some(REPORT_EVERY)
    };
    let outcome = clocks::watched(ask, || engine.run(&request, &signals, &mut watch)).expect("the positions have the engine's letters");
    if !signals.is_stopped() {
        watch.milestones.complete = Some(watch.ms());
    }
    if let Some(last) = &outcome.last {
        watch.report(last.clone());
    }
    (outcome.of::<PreEndgameOptions>(), watch.milestones)
}
