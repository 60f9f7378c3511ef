//! `tilewright pegs`: searches pre-endgames from self-play games, and says when the first useful and the complete answers come.

use crate::cli::resources::{lexicon_or_builtin, own_knowledge};
use crate::evaluation::StaticEval;
use crate::evaluation::static_eval::StaticTurn;
use crate::formats::english_rules;
use crate::lexicon::Lexicon;
use crate::match_play::referee;
use crate::movegen::LaneBoard;
use crate::rules::notation::play_text;
use crate::rules::{GameRules, Position};
use crate::search::budget::Signals;
use crate::search::pre_endgame::brute;
use crate::search::report::{Outcome, PegBasis, PegClaim, PegRow, Report};
use crate::search::{self, Analysis, Knowledge, Listener, PreEndgameOptions, RunSettings, SearchPosition, SearchRequest};
use anyhow::{Context, Result, ensure};
use rayon::prelude::*;
use std::path::PathBuf;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

/// What is searched, and how.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// Games that give one position each, if the bag comes to hold so many tiles.
    #[arg(long, default_value_t = 20)]
    pub games: u64,
    /// Seed of the games' bags.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Tiles in the bag.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=4))]
    pub in_bag: u8,
    /// The end of each search, ms.
    #[arg(long, default_value_t = 10_000)]
    pub movetime: u64,
    /// Ask only for the greatest share of wins: equal shares are not told apart by spread.
    #[arg(long)]
    pub first_win: bool,
    /// Threads of a search.
    #[arg(long, default_value_t = 1)]
    pub threads: usize,
    /// Tell processor time instead of time, where the system keeps it: for one thread on a machine that does other work, too.
    #[arg(long)]
    pub cpu: bool,
    /// With one tile in the bag: compare what is proved with brute enumeration, every endgame after every play, where there are at most
    /// so many plays. Takes minutes a position, on as many threads as a search has.
    #[arg(long, value_name = "PLAYS")]
    pub check: Option<usize>,
    /// Another word list (.txt or .kwg).
    #[arg(long)]
    pub lexicon: Option<PathBuf>,
}

/// The milestones of a search, ms. `None`: not reached.
#[derive(Clone, Copy, Debug, Default)]
struct Times {
    /// All candidates played out over all draws.
    playouts: Option<f64>,
    /// And endgames searched for the best eight, or the greatest share proved.
    useful: Option<f64>,
    /// No play has a greater share of wins, proved.
    share: Option<f64>,
    /// The search ended before its time.
    complete: Option<f64>,
}

/// Rows that must rest on endgames for an answer to be useful.
const USEFUL_ROWS: usize = 8;

/// Searches and says what came of it, a line at a time: one for each position, then medians and 90th percentiles.
///
/// # Errors
/// A word list that cannot be read, something proved that brute enumeration has otherwise, or `say`'s.
pub fn run(arguments: &Arguments, say: &mut dyn FnMut(&str) -> std::io::Result<()>) -> Result<()> {
    let rules = Arc::new(english_rules());
    let lexicon = lexicon_or_builtin(arguments.lexicon.as_deref(), &rules.distribution)?;
    let knowledge = own_knowledge(&lexicon, &rules.distribution)?;
    ensure!(arguments.check.is_none() || arguments.in_bag == 1, "brute enumeration is for one tile in the bag");
    let (mut all, mut checks) = (Vec::new(), Checks::default());
    for (index, position) in positions(&rules, &knowledge, arguments)?.into_iter().enumerate() {
        let (outcome, times) = search(&position, &knowledge, arguments);
        let Some(Report::Peg { rows, nodes, stage, claim }) = outcome.last else { continue };
        let best = &rows[0];
        let text = play_text(&best.ranked.play, position.board(), &rules.distribution);
        // Plays that are not shown to have a smaller share.
        let level = rows.iter().filter(|row| row.basis != PegBasis::BrokenOff && row.win >= best.win).count();
        let proved = match claim {
            PegClaim::Nothing => "-",
            PegClaim::Share => "share",
            PegClaim::Best => "best",
        };
        say(&format!(
            "{index} plays {} best {text} share {:.1} level {level} proved {proved} stage {stage} nodes {nodes} ms: playouts {} useful {} share {} complete {}",
            rows.len(),
            100.0 * best.win,
            ms(times.playouts),
            ms(times.useful),
            ms(times.share),
            ms(times.complete),
        ))?;
        all.push(times);
        if arguments.check.is_some_and(|most| rows.len() <= most) {
            let verdict = checks.check(&position, &rows, claim, &knowledge.lexicon, arguments.threads)?;
            say(&format!("{index} {verdict}"))?;
        }
    }
    say_times("playouts", all.iter().map(|times| times.playouts), say)?;
    say_times("useful", all.iter().map(|times| times.useful), say)?;
    say_times("share proved", all.iter().map(|times| times.share), say)?;
    say_times("complete", all.iter().map(|times| times.complete), say)?;
    if arguments.check.is_some() {
        say(&format!(
            "brute enumeration: {} answers equal, {} different, {} without a claim",
            checks.equal, checks.different, checks.unclaimed
        ))?;
        ensure!(checks.different == 0, "{} answers differ from brute enumeration", checks.different);
    }
    Ok(())
}

/// How answers compare with brute enumeration.
#[derive(Clone, Copy, Debug, Default)]
struct Checks {
    equal: usize,
    different: usize,
    /// Nothing was proved of the best play; proved shares of others are compared still.
    unclaimed: usize,
}

impl Checks {
    /// Compares every share that is proved, and what is claimed of the first play. What a play is worth that is no placement
    /// brute enumeration cannot tell.
    fn check(&mut self, position: &Position, rows: &[PegRow], claim: PegClaim, lexicon: &Arc<Lexicon>, threads: usize) -> Result<String> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("no threads")?;
        let placements: Vec<&PegRow> = rows.iter().filter(|row| row.ranked.play.placement().is_some()).collect();
        let (first, others) = placements.split_first().context("no placement")?;
        let of_first = brute::half_wins(position, &first.ranked.play, lexicon, 0);
        // Exact where something is said of the play itself; of others it matters whether they are better than the first, or level.
        let enough = |row: &PegRow| match claim {
            _ if row.basis == PegBasis::Proved => 0,
            PegClaim::Best => of_first.saturating_sub(1),
            PegClaim::Share | PegClaim::Nothing => of_first,
        };
        let half_wins = |row: &&PegRow| brute::half_wins(position, &row.ranked.play, lexicon, enough(row));
        let of_others: Vec<u64> = pool.install(|| others.par_iter().map(half_wins).collect());
        let all = 2.0 * position.unseen().len() as f64;
        let told = |row: &PegRow| (row.win * all).round() as u64;
        let half_wins = std::iter::once(of_first).chain(of_others.iter().copied());
        let proved: Vec<_> = placements.iter().zip(half_wins).filter(|(row, _)| row.basis == PegBasis::Proved).collect();
        let wrong = proved.iter().filter(|(row, half_wins)| told(row) != *half_wins).count();
        let none_is_better = of_others.iter().all(|half_wins| *half_wins <= of_first);
        let is_equal = wrong == 0
            && match claim {
                PegClaim::Nothing => true,
                PegClaim::Share => none_is_better,
                PegClaim::Best => {
                    let worth = |row: &PegRow| brute::worth(position, &row.ranked.play, lexicon);
                    let worth_of_first = worth(first);
                    let mut level = others.iter().zip(&of_others).filter(|(_, half_wins)| **half_wins == of_first);
                    none_is_better && level.all(|(row, _)| worth(row) <= worth_of_first)
                }
            };
        *match (is_equal, claim) {
            (false, _) => &mut self.different,
            (true, PegClaim::Nothing) => &mut self.unclaimed,
            (true, _) => &mut self.equal,
        } += 1;
        Ok(format!(
            "brute: share of the first {:.1}, no play has more: {none_is_better}, proved shares {}, wrong {wrong}: {}",
            100.0 * of_first as f64 / all,
            proved.len(),
            if is_equal { "equal" } else { "DIFFERENT" }
        ))
    }
}

/// How many searches came to a milestone, and when.
fn say_times(
    name: &str,
    times: impl Iterator<Item = Option<f64>>,
    say: &mut dyn FnMut(&str) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let mut times: Vec<f64> = times.map(|time| time.unwrap_or(f64::INFINITY)).collect();
    times.sort_by(f64::total_cmp);
    let reached = times.iter().filter(|time| time.is_finite()).count();
    let at = |percent: usize| ms(times.get(times.len() * percent / 100).copied().filter(|time| time.is_finite()));
    say(&format!("{name}: {reached} of {}, median {} ms, 90th percentile {} ms", times.len(), at(50), at(90)))
}

fn ms(time: Option<f64>) -> String {
    time.map_or("-".to_string(), |time| format!("{time:.0}"))
}

/// The first positions of static games with so many tiles in the bag.
fn positions(rules: &Arc<GameRules>, knowledge: &Knowledge, arguments: &Arguments) -> Result<Vec<Position>> {
    let graph = knowledge.lexicon.graph();
    let mut eval = StaticEval::new(rules, knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves);
    let (mut positions, mut index) = (Vec::new(), 0);
    // Few games come to a given number of tiles: those that don't are left out.
    while (positions.len() as u64) < arguments.games && index < 50 * arguments.games {
        let mut first = None;
        let mut choose = |position: &Position, turn: &StaticTurn<'_>| {
            if turn.in_bag == usize::from(arguments.in_bag) && first.is_none() {
                first = Some(position.clone());
            }
            eval.best(&mut LaneBoard::new(position.rules(), position.board(), graph), turn)
        };
        referee::play_game(rules, &knowledge.lexicon, arguments.seed, index, &mut choose).with_context(|| format!("game {index}"))?;
        positions.extend(first);
        index += 1;
    }
    Ok(positions)
}

/// Notes when the milestones come.
struct Stopwatch {
    start: Instant,
    /// Processor time at the start, ms, if that is what is told.
    start_cpu: Option<f64>,
    times: Times,
}

impl Stopwatch {
    fn ms(&self) -> f64 {
        match self.start_cpu.zip(thread_ms()) {
            Some((start, now)) => now - start,
            None => self.start.elapsed().as_secs_f64() * 1e3,
        }
    }
}

/// The processor time of this thread, ms, where the system tells.
fn thread_ms() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split_whitespace().next()?.parse::<f64>().ok()? / 1e6)
}

impl Listener for Stopwatch {
    fn report(&mut self, report: Report) {
        let Report::Peg { rows, claim, .. } = report else { return };
        let now = self.ms();
        let is_searched = |row: &PegRow| !matches!(row.basis, PegBasis::Static | PegBasis::Playouts);
        if rows.iter().all(|row| row.basis != PegBasis::Static) {
            self.times.playouts.get_or_insert(now);
        }
        if claim != PegClaim::Nothing || rows.iter().take(USEFUL_ROWS).all(is_searched) {
            self.times.useful.get_or_insert(now);
        }
        if claim != PegClaim::Nothing {
            self.times.share.get_or_insert(now);
        }
    }
}

fn search(position: &Position, knowledge: &Knowledge, arguments: &Arguments) -> (Outcome, Times) {
    let analysis = Analysis::PreEndgame(PreEndgameOptions { first_win: arguments.first_win, ..PreEndgameOptions::default() });
    let settings = RunSettings { threads: arguments.threads, ..RunSettings::default() };
    let searchable = SearchPosition::new(position.clone()).expect("a pre-endgame is under way, its rack known");
    let request = SearchRequest::new(searchable, analysis, settings).expect("few tiles are in the bag");
    let signals = Signals::default();
    let start_cpu = thread_ms().filter(|_| arguments.cpu);
    let mut watch = Stopwatch { start: Instant::now(), start_cpu, times: Times::default() };
    let outcome = std::thread::scope(|scope| {
        let (finished, waits) = mpsc::channel::<()>();
        let (signals, start) = (&signals, watch.start);
        scope.spawn(move || {
            while waits.recv_timeout(Duration::from_millis(20)) == Err(mpsc::RecvTimeoutError::Timeout) {
                signals.ask_report();
                if start.elapsed() >= Duration::from_millis(arguments.movetime) {
                    signals.stop();
                }
            }
        });
        let outcome = search::run(knowledge, &request, signals, &mut watch);
        drop(finished);
        outcome
    });
    if !signals.is_stopped() {
        watch.times.complete = Some(watch.ms());
    }
    if let Some(last) = &outcome.last {
        watch.report(last.clone());
    }
    (outcome, watch.times)
}
