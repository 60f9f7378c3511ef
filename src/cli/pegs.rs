//! `tilewright pegs`: searches pre-endgames from self-play games, and says when the first useful and the complete answers come.

use crate::cli::resources::{lexicon_or_builtin, own_knowledge};
use crate::evaluation::StaticEval;
use crate::evaluation::static_eval::Turn;
use crate::formats::english_rules;
use crate::match_play::referee;
use crate::movegen::LaneBoard;
use crate::rules::notation::play_text;
use crate::rules::{GameRules, Play, Position};
use crate::search::budget::{Limits, Signals};
use crate::search::pre_endgame::brute::{self, Worth};
use crate::search::report::{Outcome, PegBasis, PegClaim, PegRow, Report};
use crate::search::{self, Knowledge, Listener, Mode, SearchRequest};
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
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
    /// Threads of a search.
    #[arg(long, default_value_t = 1)]
    pub threads: usize,
    /// Processor time instead of time, for the limit and for what is told, where the system keeps it: for one thread on a machine that does other work, too.
    #[arg(long)]
    pub cpu: bool,
    /// Tiles on a full rack of the games.
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u8).range(1..=7))]
    pub rack_size: u8,
    /// With one tile in the bag: compare complete answers with every endgame after every candidate solved, as far as both end
    /// within this many ms each. What disagrees is an error.
    #[arg(long)]
    pub check: Option<u64>,
    /// Another word list (.txt or .kwg).
    #[arg(long)]
    pub lexicon: Option<PathBuf>,
}

/// The milestones of a search, ms. `None`: not reached.
#[derive(Clone, Copy, Debug, Default)]
struct Times {
    /// All candidates played out over all draws.
    playouts: Option<f64>,
    /// And endgames searched for the best eight.
    useful: Option<f64>,
    /// No play has a greater share of wins, proved.
    share: Option<f64>,
    /// Nor the same share with a greater mean spread, proved: the complete answer.
    complete: Option<f64>,
}

/// Rows that must rest on endgames for an answer to be useful.
const USEFUL_ROWS: usize = 8;

/// Searches and says what came of it, a line at a time: one for each position, then medians and 90th percentiles.
///
/// # Errors
/// A word list that cannot be read, or `say`'s.
pub fn run(arguments: &Arguments, say: &mut dyn FnMut(&str) -> std::io::Result<()>) -> Result<()> {
    let rules = Arc::new(GameRules { rack_size: usize::from(arguments.rack_size), ..english_rules() });
    let lexicon = lexicon_or_builtin(arguments.lexicon.as_deref(), &rules.distribution)?;
    let knowledge = own_knowledge(&lexicon, &rules.distribution)?;
    if let Some(most_ms) = arguments.check {
        return check(&rules, &knowledge, arguments, most_ms, say);
    }
    let mut all = Vec::new();
    for (index, position) in positions(&rules, &knowledge, arguments)?.into_iter().enumerate() {
        let (outcome, times) = search(&position, &knowledge, arguments);
        let Some(Report::Peg { rows, nodes, stage, claim }) = outcome.last else { continue };
        let best = &rows[0];
        let text = play_text(&best.ranked.play, position.board(), &rules.distribution);
        let claim = match claim {
            PegClaim::Nothing => "-",
            PegClaim::Share => "share",
            PegClaim::Best => "best",
        };
        say(&format!(
            "{index} plays {} best {text} share {:.1} proved {claim} stage {stage} nodes {nodes} ms: playouts {} useful {} share {} complete {}",
            rows.len(),
            100.0 * best.win,
            ms(times.playouts),
            ms(times.useful),
            ms(times.share),
            ms(times.complete),
        ))?;
        all.push(times);
    }
    let goal_ms = USEFUL_MS[usize::from(arguments.in_bag) - 1];
    say_times("all candidates played out over all draws", all.iter().map(|times| times.playouts), goal_ms, say)?;
    say_times("useful: the best 8 searched, too", all.iter().map(|times| times.useful), goal_ms, say)?;
    say_times("no greater share of wins, proved", all.iter().map(|times| times.share), COMPLETE_MS, say)?;
    say_times("complete: nor an equal one with a greater spread", all.iter().map(|times| times.complete), COMPLETE_MS, say)?;
    Ok(())
}

/// Compares complete answers with brute enumeration, a line for each position, then the count.
fn check(
    rules: &Arc<GameRules>,
    knowledge: &Knowledge,
    arguments: &Arguments,
    most_ms: u64,
    say: &mut dyn FnMut(&str) -> std::io::Result<()>,
) -> Result<()> {
    ensure!(arguments.in_bag == 1, "brute enumeration is for one tile in the bag");
    let (mut equal, mut left_out, mut different) = (0, 0, 0);
    for (index, position) in positions(rules, knowledge, arguments)?.into_iter().enumerate() {
        let (outcome, _) = search(&position, knowledge, &Arguments { movetime: most_ms, ..arguments.clone() });
        let Some(Report::Peg { rows, claim, .. }) = outcome.last else { continue };
        let best = &rows[0];
        let text = play_text(&best.ranked.play, position.board(), &rules.distribution);
        if claim != PegClaim::Best {
            left_out += 1;
            say(&format!("{index} plays {} best {text} left out: no complete answer", rows.len()))?;
            continue;
        }
        let plays: Vec<Play> = rows.iter().map(|row| row.ranked.play).collect();
        let signals = Signals::default();
        let Some(worths) = stopped_after(most_ms, &signals, || brute::worths(&position, &plays, &knowledge.lexicon, &signals)) else {
            left_out += 1;
            say(&format!("{index} plays {} best {text} left out: no brute enumeration", rows.len()))?;
            continue;
        };
        let all = position.unseen().len() as f64;
        let share = |worth: &Worth| worth.half_wins as f64 / (2.0 * all);
        let most = worths.iter().flatten().max().context("a placement")?;
        let is_right = |(row, worth): (&PegRow, &Option<Worth>)| {
            row.basis != PegBasis::Proved || worth.is_some_and(|worth| (share(&worth) - row.win).abs() < 1e-9)
        };
        // The mean spread of an answer is exact only where it had to break a tie: the play is what is compared.
        let is_equal = worths[0] == Some(*most) && rows.iter().zip(&worths).all(is_right);
        *if is_equal { &mut equal } else { &mut different } += 1;
        let verdict = if is_equal { "equal" } else { "DIFFERENT" };
        let (win, spread) = (100.0 * share(most), most.spread as f64 / all);
        say(&format!("{index} plays {} best {text} share {win:.1} spread {spread:+.2} {verdict}", rows.len()))?;
    }
    say(&format!("equal to brute enumeration: {equal}, different: {different}, left out: {left_out}"))?;
    ensure!(different == 0, "{different} answers differ from brute enumeration");
    Ok(())
}

/// Runs something that ends when its signals say so, which they do after so many ms.
fn stopped_after<T>(most_ms: u64, signals: &Signals, work: impl FnOnce() -> T) -> T {
    std::thread::scope(|scope| {
        let (finished, waits) = mpsc::channel::<()>();
        scope.spawn(move || {
            if waits.recv_timeout(Duration::from_millis(most_ms)) == Err(mpsc::RecvTimeoutError::Timeout) {
                signals.stop();
            }
        });
        let done = work();
        drop(finished);
        done
    })
}

/// By tiles in the bag: when a useful answer is wanted, ms.
const USEFUL_MS: [f64; 4] = [1_000.0, 1_000.0, 2_000.0, 5_000.0];

/// Time between the reports that are asked for; the ends of stages come besides.
const REPORT_MS: u64 = 50;

/// When a complete answer is wanted, ms.
const COMPLETE_MS: f64 = 2_000.0;

/// How many searches came to a milestone, how many of them in time, and when.
fn say_times(
    name: &str,
    times: impl Iterator<Item = Option<f64>>,
    goal_ms: f64,
    say: &mut dyn FnMut(&str) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let mut times: Vec<f64> = times.map(|time| time.unwrap_or(f64::INFINITY)).collect();
    times.sort_by(f64::total_cmp);
    let reached = times.iter().filter(|time| time.is_finite()).count();
    let at = |percent: usize| ms(times.get(times.len() * percent / 100).copied().filter(|time| time.is_finite()));
    let in_time = times.iter().filter(|&&time| time <= goal_ms).count();
    let count = times.len();
    say(&format!("{name}: {in_time} of {count} within {goal_ms} ms, {reached} in all, median {} ms, 90th percentile {} ms", at(50), at(90)))
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
        let mut choose = |position: &Position, turn: &Turn<'_>| {
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
    clock: Clock,
    times: Times,
}

/// Time since its start.
#[derive(Clone, Debug)]
struct Clock {
    start: Instant,
    /// The processor time of the thread that started it: at the start, ms, and where the system tells it. If that is what counts.
    processor: Option<(f64, PathBuf)>,
}

impl Clock {
    fn start(is_processor_time: bool) -> Clock {
        let thread = std::fs::read_link("/proc/thread-self").ok().filter(|_| is_processor_time);
        let file = thread.map(|thread| PathBuf::from("/proc").join(thread).join("schedstat"));
        Clock { start: Instant::now(), processor: file.and_then(|file| Some((processor_ms(&file)?, file))) }
    }

    fn ms(&self) -> f64 {
        let processor = self.processor.as_ref().and_then(|(start, file)| Some(processor_ms(file)? - start));
        processor.unwrap_or_else(|| self.start.elapsed().as_secs_f64() * 1e3)
    }
}

/// A thread's processor time, ms.
fn processor_ms(file: &Path) -> Option<f64> {
    let text = std::fs::read_to_string(file).ok()?;
    Some(text.split_whitespace().next()?.parse::<f64>().ok()? / 1e6)
}

impl Listener for Stopwatch {
    fn report(&mut self, report: Report) {
        let Report::Peg { rows, claim, .. } = report else { return };
        let now = self.clock.ms();
        let is_searched = |row: &PegRow| !matches!(row.basis, PegBasis::Static | PegBasis::Playouts);
        if rows.iter().all(|row| row.basis != PegBasis::Static) {
            self.times.playouts.get_or_insert(now);
        }
        if rows.iter().take(USEFUL_ROWS).all(is_searched) {
            self.times.useful.get_or_insert(now);
        }
        if claim != PegClaim::Nothing {
            self.times.share.get_or_insert(now);
        }
        if claim == PegClaim::Best {
            self.times.complete.get_or_insert(now);
        }
    }
}

fn search(position: &Position, knowledge: &Knowledge, arguments: &Arguments) -> (Outcome, Times) {
    let request = SearchRequest {
        position: position.clone(),
        mode: Mode::Peg,
        limits: Limits::default(),
        plies: None,
        candidates: Some(usize::MAX),
        only: None,
        also: Vec::new(),
        threads: arguments.threads,
        seed: 1,
        opponent_passes: false,
        first_win: false,
        hash_megabytes: 16,
        log_samples: false,
    };
    let signals = Signals::default();
    let mut watch = Stopwatch { clock: Clock::start(arguments.cpu), times: Times::default() };
    let outcome = std::thread::scope(|scope| {
        let (finished, waits) = mpsc::channel::<()>();
        let (signals, clock) = (&signals, watch.clock.clone());
        scope.spawn(move || {
            while waits.recv_timeout(Duration::from_millis(REPORT_MS)) == Err(mpsc::RecvTimeoutError::Timeout) {
                signals.ask_report();
                if clock.ms() >= arguments.movetime as f64 {
                    signals.stop();
                }
            }
        });
        let outcome = search::run(knowledge, &request, signals, &mut watch);
        drop(finished);
        outcome
    });
    if let Some(last) = &outcome.last {
        watch.report(last.clone());
    }
    (outcome, watch.times)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complete_answers_are_those_of_brute_enumeration() {
        let arguments = Arguments {
            games: 4,
            seed: 1,
            in_bag: 1,
            movetime: 0,
            threads: 1,
            cpu: false,
            rack_size: 3,
            check: Some(20_000),
            lexicon: None,
        };
        let mut lines = Vec::new();
        run(&arguments, &mut |line| {
            lines.push(line.to_string());
            Ok(())
        })
        .unwrap();
        assert_eq!(lines.len(), 5, "{lines:?}");
        let count = lines[..4].iter().filter(|line| line.ends_with("equal")).count();
        assert!(count > 0, "{lines:?}");
        assert!(lines[4].starts_with(&format!("equal to brute enumeration: {count}, different: 0")), "{lines:?}");
    }
}
