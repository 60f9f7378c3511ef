//! `tilewright match <a> <b> --pairs <n> ...`: two players on the same bags with the seats swapped, and what it says about them.
//!
//! Results go to a file a pair at a time, progress to standard error, the report to standard output; its last line is for
//! scripts. Start with [`play`].

use crate::cli::match_file::{Existing, MatchFile};
use crate::cli::resources::{TableRequest, knowledge, lexicon_or_builtin};
use crate::formats::english_rules;
use crate::formats::gcg::{self, GcgPlayer};
use crate::lexicon::Lexicon;
use crate::match_play::pairs::{Contestant, PairResult, PairedMatch, PlayedPair};
use crate::match_play::record::{MatchHeader, TableNames};
use crate::match_play::referee;
use crate::match_play::sprt::{Hypotheses, Sprt, Verdict, normalised_elo};
use crate::match_play::statistics::MatchStatistics;
use crate::players::{self, PlayerSpec};
use crate::rules::GameRules;
use crate::search::budget::Signals;
use anyhow::{Context, Result, bail, ensure};
use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The exit code of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// Time after an interrupt from which another one ends the program at once.
const IMPATIENCE: Duration = Duration::from_secs(1);

/// Time between two progress lines on a terminal; elsewhere they are rarer.
const PROGRESS_EVERY: Duration = Duration::from_secs(1);

/// Time between two progress lines in a log.
const LOG_EVERY: Duration = Duration::from_secs(60);

/// A match, as the help text shows it.
const EXAMPLE: &str = "tilewright match sim:iterations=200 static --pairs 100 --sprt elo:0,20 --out sim.jsonl";

/// Who plays, how long, and where it is kept.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = format!("{}\nExample: {EXAMPLE}", players::spec::help()))]
pub struct Arguments {
    /// Player a.
    pub a: PlayerSpec,
    /// Player b.
    pub b: PlayerSpec,
    /// Pairs of games; with --sprt, at most.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub pairs: u64,
    /// Seed of the bags: the same seed, the same result.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Wall time of each player for a game, ms: a turn's search is ended when its share is over. Results cannot be repeated then.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub clock: Option<u64>,
    /// Threads; all processors if not given. The result does not depend on it.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Another word list (.txt or .kwg).
    #[arg(long)]
    pub lexicon: Option<PathBuf>,
    /// End as soon as two hypotheses are told apart: elo:H0,H1 (normalised Elo of a by results of pairs) or spread:H0,H1
    /// (mean spread of a in points a game).
    #[arg(long, value_name = "TEST", allow_hyphen_values = true)]
    pub sprt: Option<Hypotheses>,
    /// Chance of accepting H1 though H0 holds.
    #[arg(long, default_value_t = 0.05, value_parser = error_chance)]
    pub alpha: f64,
    /// Chance of accepting H0 though H1 holds.
    #[arg(long, default_value_t = 0.05, value_parser = error_chance)]
    pub beta: f64,
    /// File for the results, a JSON line a pair.
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// Go on with the match in the --out file, if it is there.
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// Folder for the games played now, as GCG records, made if it is not there.
    #[arg(long)]
    pub gcg: Option<PathBuf>,
    /// Have every play checked and scored again by the referee.
    #[arg(long)]
    pub referee: bool,
}

fn error_chance(text: &str) -> Result<f64, String> {
    let chance = text.parse().ok().filter(|chance| (1e-6..0.5).contains(chance));
    chance.ok_or_else(|| "expected a chance above 0 and below 0.5".to_string())
}

/// Plays a match that Ctrl-C interrupts.
///
/// # Errors
/// Those of [`play`].
pub fn run(arguments: &Arguments, say: &mut dyn FnMut(&str) -> std::io::Result<()>) -> Result<()> {
    let signals = Arc::new(Signals::default());
    let raised = Arc::clone(&signals);
    let mut first: Option<Instant> = None;
    let handler = move || {
        // The second time the user does not want to wait for the turns under way. (Runners send one interrupt twice at once.)
        if first.get_or_insert_with(Instant::now).elapsed() > IMPATIENCE {
            std::process::exit(INTERRUPTED);
        }
        raised.stop();
    };
    ctrlc::set_handler(handler).context("cannot listen for interrupts")?;
    let command = resume_command(std::env::args());
    if arguments.out.is_some() {
        note(&format!("if interrupted, go on with: {command}"));
    }
    play(arguments, &signals, &command, say)
}

/// Plays a match until it is decided, its pairs are played, or the signals end it. `command` is what goes on with it.
///
/// # Errors
/// Tables and files that cannot be read or written, a file of another match, a foul, an interruption.
pub fn play(arguments: &Arguments, signals: &Signals, command: &str, say: &mut dyn FnMut(&str) -> std::io::Result<()>) -> Result<()> {
    let rules = &Arc::new(english_rules());
    let setting = paired_match(arguments, rules)?;
    let header = header(arguments, &setting);
    let existing = if arguments.resume { Existing::Resume } else { Existing::Keep };
    let (file, earlier) = match &arguments.out {
        Some(path) => MatchFile::open(path, &header, existing).map(|(file, pairs)| (Some(file), pairs))?,
        None => (None, Vec::new()),
    };
    if let Some(folder) = &arguments.gcg {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
    }
    let threads = arguments.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let sprt = arguments.sprt.map(|hypotheses| Sprt { hypotheses, alpha: arguments.alpha, beta: arguments.beta });
    let mut course = Course { statistics: MatchStatistics::default(), sprt, pairs: arguments.pairs, started: Instant::now(), played: 0 };
    let is_over = earlier.iter().any(|pair| course.add(pair).is_break());
    if !is_over {
        play_the_rest(arguments, &setting, threads, signals, &mut course, file)?;
    }
    if !course.is_over() {
        let kept = if arguments.out.is_some() { format!("go on with: {command}") } else { "nothing is kept without --out".to_string() };
        bail!("interrupted after {} of {} pairs; {kept}", course.statistics.pairs(), arguments.pairs);
    }
    report(&setting, &course, threads, say)
}

/// The pairs that are still to be played.
fn play_the_rest(
    arguments: &Arguments,
    setting: &PairedMatch<'_>,
    threads: usize,
    signals: &Signals,
    course: &mut Course,
    mut file: Option<MatchFile>,
) -> Result<()> {
    let mut progress = Progress::start();
    let mut outcome = Ok(());
    setting.play(course.statistics.pairs()..arguments.pairs, threads, signals, &mut |pair| {
        let kept = check(arguments, setting, &pair).and_then(|()| file.as_mut().map_or(Ok(()), |file| file.add(&pair.result)));
        if kept.is_err() {
            outcome = kept;
            return ControlFlow::Break(());
        }
        course.played += 1;
        let flow = course.add(&pair.result);
        progress.tell(course);
        flow
    });
    progress.end();
    outcome
}

/// How far a match has come.
struct Course {
    statistics: MatchStatistics,
    sprt: Option<Sprt>,
    /// Wanted.
    pairs: u64,
    started: Instant,
    /// Pairs since the start of the program.
    played: u64,
}

impl Course {
    /// Adds a pair, in order; breaks off when the match is over.
    fn add(&mut self, pair: &PairResult) -> ControlFlow<()> {
        self.statistics.add(pair);
        if self.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn is_over(&self) -> bool {
        self.statistics.pairs() >= self.pairs || self.verdict() != Verdict::Undecided
    }

    fn verdict(&self) -> Verdict {
        self.sprt.map_or(Verdict::Undecided, |sprt| sprt.verdict(&self.statistics))
    }

    fn games_per_s(&self) -> f64 {
        2.0 * self.played as f64 / self.started.elapsed().as_secs_f64().max(1e-9)
    }
}

fn paired_match<'a>(arguments: &Arguments, rules: &'a Arc<GameRules>) -> Result<PairedMatch<'a>> {
    let lexicon = lexicon_or_builtin(arguments.lexicon.as_deref(), &rules.distribution)?;
    let contestant = |spec: &PlayerSpec| -> Result<Contestant> {
        let request = TableRequest { leaves: spec.leaves(), win_table: spec.win_table(), bag: spec.bag(), racks: spec.racks() };
        let knowledge = knowledge(&lexicon, &rules.distribution, &request).with_context(|| spec.to_string())?;
        Ok(Contestant { spec: spec.clone(), knowledge })
    };
    Ok(PairedMatch {
        rules,
        players: [contestant(&arguments.a)?, contestant(&arguments.b)?],
        seed: arguments.seed,
        clock_ms: arguments.clock,
    })
}

fn header(arguments: &Arguments, setting: &PairedMatch<'_>) -> MatchHeader {
    let id = |name: &str, fingerprint: u64| format!("{name}@{fingerprint:016x}");
    let tables = |player: &Contestant| {
        let (leaves, win_model) = (&player.knowledge.evaluator.leaves, &player.knowledge.evaluator.win_model);
        TableNames { leaves: id(leaves.name(), leaves.fingerprint()), winpct: id(win_model.name(), win_model.fingerprint()) }
    };
    let lexicon = &setting.players[0].knowledge.lexicon;
    MatchHeader {
        tilewright: env!("CARGO_PKG_VERSION").to_string(),
        players: [arguments.a.to_string(), arguments.b.to_string()],
        tables: [tables(&setting.players[0]), tables(&setting.players[1])],
        lexicon: id(lexicon.name(), lexicon.fingerprint()),
        seed: arguments.seed,
        clock_ms: arguments.clock,
    }
}

/// Has the games of a pair refereed and recorded, as far as that is asked for.
fn check(arguments: &Arguments, setting: &PairedMatch<'_>, pair: &PlayedPair) -> Result<()> {
    if !arguments.referee && arguments.gcg.is_none() {
        return Ok(());
    }
    let lexicon: &Lexicon = &setting.players[0].knowledge.lexicon;
    let number = pair.result.pair;
    for (begins, plays) in pair.plays.iter().enumerate() {
        let place = || format!("pair {number}, game {}", begins + 1);
        let game = referee::replay(setting.rules, lexicon, setting.seed, number, plays).with_context(place)?;
        for player in 0..2 {
            let (counted, refereed) = (pair.result.games[begins].scores[player], game.last.score(player ^ begins));
            ensure!(counted == refereed, "{}: player {} has {counted} points, the referee says {refereed}", place(), ["a", "b"][player]);
        }
        if let Some(folder) = &arguments.gcg {
            let named = |player: usize| GcgPlayer { nick: ["a", "b"][player].to_string(), name: setting.players[player].spec.to_string() };
            let text = gcg::print(&game.to_gcg([named(begins), named(1 - begins)], lexicon)?);
            let path = folder.join(format!("pair{number:06}-{}.gcg", begins + 1));
            std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    Ok(())
}

/// The report. Its last line is for scripts, and keeps its form.
fn report(setting: &PairedMatch<'_>, course: &Course, threads: usize, say: &mut dyn FnMut(&str) -> std::io::Result<()>) -> Result<()> {
    let statistics = &course.statistics;
    let [a, b] = [0, 1].map(|player: usize| setting.players[player].spec.to_string());
    let leaves = |player: usize| setting.players[player].knowledge.evaluator.leaves.name();
    let both =
        |name: &str, value: &dyn Fn(usize) -> f64, digits: usize| format!("{name:<18}{:>10.digits$}{:>10.digits$}", value(0), value(1));
    let [losses, ties, wins] = statistics.games;
    let percent = |share: f64| 100.0 * share;
    let (low, high) = statistics.win_interval();
    let (elo, elo_error) = normalised_elo(&statistics.pentanomial);
    say(&format!("a: {a} (leaves {})", leaves(0)))?;
    say(&format!("b: {b} (leaves {})", leaves(1)))?;
    say(&format!("lexicon {}, seed {}, {} pairs", setting.players[0].knowledge.lexicon.name(), setting.seed, statistics.pairs()))?;
    say(&format!("{:<18}{:>10}{:>10}", "", "a", "b"))?;
    say(&format!("{:<18}{wins:>10}{losses:>10}   ties {ties}", "wins"))?;
    say(&both("mean score", &|player| statistics.mean_score(player), 1))?;
    say(&both("bingos per game", &|player| statistics.per_game(statistics.bingos[player]), 2))?;
    say(&both("turns per game", &|player| statistics.per_game(statistics.turns[player]), 2))?;
    say(&both("ms per turn", &|player| statistics.ms_per_turn(player), 3))?;
    if let Some(clock_ms) = setting.clock_ms {
        let [a, b] = statistics.time_losses;
        say(&format!("{:<18}{a:>10}{b:>10}   on {clock_ms} ms a game", "time losses"))?;
    }
    say(&format!(
        "spread of a        {:.2} points a game, standard error {:.2}",
        statistics.spread.mean,
        statistics.spread.standard_error()
    ))?;
    say(&format!("wins of a          {:.2} %, 95 %: {:.2} to {:.2}", percent(statistics.win.mean), percent(low), percent(high)))?;
    say(&format!("normalised Elo     {elo:.1}, standard error {elo_error:.1}"))?;
    say(&format!("divergent pairs    {}", statistics.divergent))?;
    say(&format!(
        "pairs by wins of a 0: {}, 1/2: {}, 1: {}, 3/2: {}, 2: {}",
        statistics.pentanomial[0],
        statistics.pentanomial[1],
        statistics.pentanomial[2],
        statistics.pentanomial[3],
        statistics.pentanomial[4]
    ))?;
    if let Some(sprt) = course.sprt {
        let (low, high) = sprt.bounds();
        let verdict = match course.verdict() {
            Verdict::Undecided => "undecided",
            Verdict::H0 => "H0 accepted",
            Verdict::H1 => "H1 accepted",
        };
        let ratio = sprt.log_likelihood_ratio(statistics);
        say(&format!("sprt {}     {verdict}: log-likelihood ratio {ratio:.2}, bounds {low:.2} and {high:.2}", sprt.hypotheses))?;
    }
    say(&format!("games per second   {:.1} ({threads} threads)", course.games_per_s()))?;
    let word = |name: &str| name.replace(char::is_whitespace, "_");
    say(&format!(
        "result a {} b {} pairs {} winpct {:.3} winpct_se {:.3} spread {:.3} spread_se {:.3} divergent {} games_per_s {:.1}",
        word(&a),
        word(&b),
        statistics.pairs(),
        percent(statistics.win.mean),
        percent(statistics.win.standard_error()),
        statistics.spread.mean,
        statistics.spread.standard_error(),
        statistics.divergent,
        course.games_per_s()
    ))?;
    Ok(())
}

/// The line on standard error that says how it is going.
struct Progress {
    is_terminal: bool,
    last: Instant,
}

impl Progress {
    fn start() -> Progress {
        Progress { is_terminal: std::io::stderr().is_terminal(), last: Instant::now() }
    }

    fn tell(&mut self, course: &Course) {
        let every = if self.is_terminal { PROGRESS_EVERY } else { LOG_EVERY };
        if self.last.elapsed() < every {
            return;
        }
        self.last = Instant::now();
        let statistics = &course.statistics;
        let ratio = course.sprt.map(|sprt| format!(", llr {:.2}", sprt.log_likelihood_ratio(statistics)));
        let text = format!(
            "{} of {} pairs, spread {:.2} ± {:.2}, wins {:.2} ± {:.2} %{}, {:.1} games/s",
            statistics.pairs(),
            course.pairs,
            statistics.spread.mean,
            statistics.spread.standard_error(),
            100.0 * statistics.win.mean,
            100.0 * statistics.win.standard_error(),
            ratio.unwrap_or_default(),
            course.games_per_s()
        );
        if self.is_terminal {
            // Over the line before, to its end.
            let _ = write!(std::io::stderr(), "\r{text}\x1b[K");
        } else {
            note(&text);
        }
    }

    fn end(&self) {
        if self.is_terminal {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// A line on standard error; where there is none, nobody misses it.
fn note(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// The command that was given, as a shell reads it, with `--resume`.
fn resume_command(words: impl Iterator<Item = String>) -> String {
    let mut words: Vec<String> = words.map(|word| quoted(&word)).collect();
    if !words.iter().any(|word| word == "--resume") {
        words.push("--resume".to_string());
    }
    words.join(" ")
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:=,+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) { word.to_string() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_to_go_on_is_read_by_a_shell_as_it_was() {
        let command = |words: &[&str]| resume_command(words.iter().map(|word| (*word).to_string()));
        assert_eq!(command(&["tilewright", "match", "sim:plies=2", "greedy"]), "tilewright match sim:plies=2 greedy --resume");
        assert_eq!(command(&["t", "--out", "my file", "--resume"]), "t --out 'my file' --resume");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
