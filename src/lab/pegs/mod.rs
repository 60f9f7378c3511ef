//! `tilewright lab pegs`: measures when searches of pre-endgames have useful and complete answers.
//! The pre-endgames are from self-play games.

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

/// What is searched, and how.
#[derive(clap::Args, Clone, Debug)]
pub struct PegArguments {
    /// Positions to search, each from a game of its own. A game whose bag never holds the wanted number of tiles is left out.
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
    /// Ask only for the greatest share of wins, without comparing spreads where shares are equal.
    #[arg(long)]
    pub first_win: bool,
    /// Threads of a search.
    #[arg(long, default_value_t = 1)]
    pub threads: u16,
    /// Tell processor time of the searching thread instead of wall time: for one thread on a machine that does other work, too.
    #[arg(long)]
    pub cpu: bool,
    /// With one tile in the bag: compare what is proved with brute enumeration, which searches every endgame after every play. Done
    /// for positions with at most this many plays. Takes minutes a position, on as many threads as a search has.
    #[arg(long, value_name = "PLAYS")]
    pub check: Option<usize>,
    /// Instead: how often what the search expects before anything is proved comes true, by kinds of estimates. Takes four to ten seconds a position
    /// on a thread; `--threads` are shared by the positions, `--movetime` has no meaning.
    #[arg(long, conflicts_with_all = ["check", "cpu", "first_win"])]
    pub estimates: bool,
    /// Instead: what the choices of pre-endgames and of simulations with each of these numbers of nodes lose, by pre-endgames of many nodes. Takes five
    /// seconds to half a minute a position on a thread; `--threads` and `--movetime` as with `--estimates`.
    #[arg(long, value_name = "NODES", value_delimiter = ',', conflicts_with_all = ["check", "cpu", "first_win", "estimates"])]
    pub choices: Vec<u64>,
    /// Where what is found is kept, and which part of the positions is searched here.
    #[command(flatten)]
    pub keeping: MeasurementArguments,
}

/// Rows that must rest on endgames for an answer to be useful.
const USEFUL_ROWS: usize = 8;

/// The time between two reports that a search is asked for.
const REPORT_EVERY: Duration = Duration::from_millis(20);

/// At most this many games are played for each wanted position: few games reach a given number of
/// tiles in the bag.
const GAMES_FOR_A_POSITION: u64 = 50;

/// Searches and says what came of it, a line at a time: one for each position, then medians and 90th percentiles.
///
/// # Errors
/// A word list that cannot be read, a proved result that differs from brute enumeration, or `say`'s.
pub fn run(arguments: &PegArguments, game: &GameArguments, say: LinePrinter<'_>) -> Result<()> {
    ensure!(arguments.check.is_none() || arguments.in_bag == 1, "brute enumeration is for one tile in the bag");
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

/// The measurement, with the flags that it follows from.
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

/// When searches have answers.
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

/// Searches a position. `None` if the search told nothing.
fn searched(position: &Position, engine: &Engine, arguments: &PegArguments) -> Result<Option<SearchedPosition>> {
    let (outcome, times_ms) = search(position, engine, arguments);
    let Some(PreEndgameReport { rows, nodes, stage, claim, .. }) = outcome.last else { return Ok(None) };
    let answer = format!("{} stage {stage} nodes {nodes}", answer(position, &rows, claim));
    let is_checked = arguments.check.is_some_and(|most| rows.len() <= most);
    let check = is_checked.then(|| checked(position, &rows, claim, &engine.knowledge().lexicon, arguments.threads)).transpose()?;
    Ok(Some(SearchedPosition { answer, times_ms, check }))
}

/// The first row of the last block, and how far it is proved.
fn answer(position: &Position, rows: &[PreEndgameRow], claim: PreEndgameClaim) -> String {
    let best = &rows[0];
    let text = play_text(&best.ranked.play, position.board(), &position.rules().distribution);
    // Plays that are not shown to have a smaller share.
    let level = rows.iter().filter(|row| row.basis != PreEndgameBasis::BrokenOff && row.win >= best.win).count();
    let proved = match claim {
        PreEndgameClaim::Nothing => "-",
        PreEndgameClaim::Share => "share",
        PreEndgameClaim::Best => "best",
    };
    format!("plays {} best {text} share {:.1} level {level} proved {proved}", rows.len(), 100.0 * best.win)
}

/// What brute enumeration says of one answer.
struct BruteVerdict {
    /// Half wins of the first play.
    of_first: u64,
    none_is_better: bool,
    /// Proved shares that were compared, and those of them that are wrong.
    proved: usize,
    wrong: usize,
    /// Whether everything that was proved or claimed is so.
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

/// Compares every share that is proved, and what is claimed of the first play, with brute enumeration. Placements only: it does
/// not know the worth of a pass or an exchange. `None` if there is no placement.
fn compare(position: &Position, rows: &[PreEndgameRow], claim: PreEndgameClaim, lexicon: &Arc<Lexicon>) -> Option<BruteVerdict> {
    let placements: Vec<&PreEndgameRow> = rows.iter().filter(|row| row.ranked.play.placement().is_some()).collect();
    let (first, others) = placements.split_first()?;
    let of_first = brute::half_wins(position, &first.ranked.play, lexicon, 0);
    // A proved share must be found exactly. Of the other plays it matters only whether they are better than the first, or, if the
    // first is claimed to be best, level with it: enumeration may stop once a play has less.
    let enough = |row: &PreEndgameRow| match claim {
        _ if row.basis == PreEndgameBasis::Proved => 0,
        PreEndgameClaim::Best => of_first.saturating_sub(1),
        PreEndgameClaim::Share | PreEndgameClaim::Nothing => of_first,
    };
    let half_wins = |row: &&PreEndgameRow| brute::half_wins(position, &row.ranked.play, lexicon, enough(row));
    let of_others: Vec<u64> = others.par_iter().map(half_wins).collect();

    // The shares that are proved, one by one.
    let told = |row: &PreEndgameRow| (row.win * most_half_wins(position)).round() as u64;
    let all_half_wins = std::iter::once(of_first).chain(of_others.iter().copied());
    let proved: Vec<_> = placements.iter().zip(all_half_wins).filter(|(row, _)| row.basis == PreEndgameBasis::Proved).collect();
    let wrong = proved.iter().filter(|(row, half_wins)| told(row) != *half_wins).count();

    // The claim: nobody has more half wins, and, if the first is the best, nobody with as many is worth more.
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

/// Half wins if every tile that may be in the bag wins.
fn most_half_wins(position: &Position) -> f64 {
    2.0 * position.unseen().len() as f64
}

/// How many searches reached a milestone, and when.
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

/// The first positions of static games with the wanted number of tiles in the bag.
fn positions(engine: &Engine, arguments: &PegArguments) -> Result<Vec<Position>> {
    let mut games = StaticGames::new(engine, arguments.seed);
    let in_bag = usize::from(arguments.in_bag);
    let indices = 0..GAMES_FOR_A_POSITION * arguments.games;
    let found = indices.filter_map(|index| games.first_with_in_bag(index, in_bag).transpose());
    found.take(usize::try_from(arguments.games)?).collect()
}

/// Notes when the milestones come.
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
