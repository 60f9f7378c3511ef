//! `tilewright match <a> <b> --pairs <n> ...`: paired games of two players, on the same bags with the seats swapped, and what they
//! say about the players.
//!
//! Results go to a file a pair at a time, progress to standard error, the report to standard output; its last line is for
//! scripts. Start with [`play`].

use crate::cli::game_arguments::{GameArguments, OpenedGame};
use crate::cli::journal_file::{ExistingJournal, JournalFile, read_header};
use crate::cli::long_run::{self, GoingOn};
use crate::cli::output_file::{OutputFolder, Overwrite};
use crate::cli::progress::{RunProgress, say_aside};
use crate::engine::Engine;
use crate::formats::gcg::{self, GcgPlayer};
use crate::lexicon::Lexicon;
use crate::match_play::GameTime;
use crate::match_play::adjusted::AdjustedResults;
use crate::match_play::pairs::{PairResult, PairedMatch, PlayedPair, TurnCounting};
use crate::match_play::record::{LuckJudgement, MatchHeader, TableNames};
use crate::match_play::referee;
use crate::match_play::sprt::{Hypotheses, Measure, Sprt, Verdict, normalised_elo};
use crate::match_play::statistics::{CONFIDENCE_95, MatchStatistics};
use crate::players::{self, PlayerSpec};
use crate::rules::{Variant, VariantSupport};
use crate::search::budget::Signals;
use anyhow::{Context, Result, bail, ensure};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Points that each minute begun beyond the clock costs, as in the tournaments of NASPA.
const OVERTIME_POINTS: u32 = 10;

/// Draws that the luck of a draw is judged by, if it is not said.
const REDRAWS: u32 = 16;

/// A match, as the help text shows it.
const EXAMPLE: &str = "tilewright match sim:iterations=200 static --pairs 100 --sprt elo:0,20 --out sim.jsonl";

/// The players, the length of the match, and where its results are kept.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = format!("{}\nExample: {EXAMPLE}", players::spec::help()))]
pub struct MatchArguments {
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
    /// Wall time of each player for a game, ms. A search ends when its turn's share of it is over, so results cannot be repeated.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub clock: Option<u64>,
    /// Points that each minute begun beyond the clock costs the player, 0 for none: oversteps are then only counted [default: 10].
    #[arg(long, value_name = "POINTS", requires = "clock", value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub overtime: Option<u32>,
    /// Threads; all processors if not given. The result does not depend on it.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Draws that the luck of each draw is judged by, about 20 us each: the report then has the results with that luck taken off, too,
    /// which vary less. 0 for none: right for players that take no longer than that [default: 16, or what the --resume file has].
    #[arg(long, value_name = "DRAWS", value_parser = clap::value_parser!(u32).range(0..=100_000))]
    pub redraws: Option<u32>,
    /// Also count exchanges and sacrifices: placements on turns on which another one would have scored more.
    #[arg(long)]
    pub count_turns: bool,
    /// Which game is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// End as soon as one of two hypotheses is accepted: elo:H0,H1 (normalised Elo of a by results of pairs), spread:H0,H1 (mean
    /// spread of a in points a game) or adjusted:H0,H1 (the same with the luck of the draws taken off, in a third of the games).
    #[arg(long, value_name = "TEST", allow_hyphen_values = true)]
    pub sprt: Option<Hypotheses>,
    /// Chance of accepting H1 although H0 holds.
    #[arg(long, default_value_t = 0.05, value_parser = error_chance)]
    pub alpha: f64,
    /// Chance of accepting H0 although H1 holds.
    #[arg(long, default_value_t = 0.05, value_parser = error_chance)]
    pub beta: f64,
    /// File for the results, a JSON line a pair.
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// Go on with the match in the --out file, if it is there.
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// Write over a file and records of games that are there.
    #[arg(long, conflicts_with = "resume")]
    pub force: bool,
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

/// Plays a match. Ctrl-C interrupts it between two turns.
///
/// # Errors
/// Those of [`play`].
pub fn run(arguments: &MatchArguments, say: &mut dyn FnMut(&str) -> std::io::Result<()>) -> Result<()> {
    let signals = Arc::new(Signals::default());
    let command = long_run::this_command(GoingOn::Resume);
    long_run::end_when_interrupted(&signals)?;
    play(arguments, &signals, &command, say)
}

/// Plays a match until it is decided, its pairs are played, or the signals end it. `command` is the one that the user is told to
/// go on with after an interruption.
///
/// # Errors
/// Tables and files that cannot be read or written, a file of another match, a foul, an interruption.
pub fn play(arguments: &MatchArguments, signals: &Signals, command: &str, say: &mut dyn FnMut(&str) -> std::io::Result<()>) -> Result<()> {
    let game = arguments.game.open_for(VariantSupport::ALL)?;
    check_variant(arguments, game.rules.variant)?;
    let setting = paired_match(arguments, &game)?;
    let needs_luck = arguments.sprt.is_some_and(|hypotheses| hypotheses.measure == Measure::AdjustedSpread);
    ensure!(!needs_luck || setting.luck.is_some(), "--sprt adjusted needs the luck of the draws, which is not judged here (--redraws)");
    let header = header(arguments, &game, &setting);
    let existing = ExistingJournal::of_flags(arguments.resume, arguments.force);
    let (file, earlier) = match &arguments.out {
        Some(path) => JournalFile::open(path, "--out", &header, existing).map(|(file, pairs)| (Some(file), pairs))?,
        None => (None, Vec::new()),
    };
    if file.is_some() {
        say_aside(&format!("if interrupted, go on with: {command}"));
    }
    let records = match &arguments.gcg {
        Some(folder) => {
            // Behind the last pair of an interrupted match there may be records of one that it did not come to write down.
            let is_resumed = file.as_ref().is_some_and(JournalFile::is_resumed);
            let overwrite = if arguments.force || is_resumed { Overwrite::Allowed } else { Overwrite::Never };
            Some(OutputFolder::open(folder, overwrite, |name| pair_of(name).is_some_and(|pair| pair < arguments.pairs))?)
        }
        None => None,
    };
    let threads = long_run::threads(arguments.threads);
    let sprt = arguments.sprt.map(|hypotheses| Sprt { hypotheses, alpha: arguments.alpha, beta: arguments.beta });
    let mut course = Course {
        statistics: MatchStatistics::of(game.rules.objective()),
        sprt,
        pairs: arguments.pairs,
        started: Instant::now(),
        played: 0,
    };
    let is_over = earlier.iter().any(|pair| course.add(pair).is_break());
    if !is_over {
        play_the_rest(arguments, &setting, threads, signals, &mut course, Keeping { file, records, command })?;
    }
    if !course.is_over() {
        let kept = if arguments.out.is_some() { format!("go on with: {command}") } else { "nothing is kept without --out".to_string() };
        bail!("interrupted after {} of {} pairs; {kept}", course.statistics.pairs(), arguments.pairs);
    }
    report(&game, &setting, &course, threads, say)
}

/// Whether the players play a variant, and the match has nothing that only the classic game knows.
fn check_variant(arguments: &MatchArguments, variant: Variant) -> Result<()> {
    arguments.a.require(variant)?;
    arguments.b.require(variant)?;
    ensure!(
        variant.is_classic() || arguments.clock.is_none(),
        "{variant} is played without a clock: points lost by overtime would be a gain"
    );
    let is_judged = arguments.redraws.is_some_and(|redraws| redraws > 0);
    ensure!(variant.is_classic() || !is_judged, "in {variant} the luck of the draws is not judged: leave --redraws out");
    Ok(())
}

/// Where a match is kept.
struct Keeping<'a> {
    file: Option<JournalFile<MatchHeader>>,
    records: Option<OutputFolder>,
    /// What goes on with the match.
    command: &'a str,
}

impl Keeping<'_> {
    fn add(&mut self, pair: &PairResult) -> Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        file.add(pair).with_context(|| format!("{} pairs are kept, go on with: {}", pair.pair, self.command))
    }
}

/// The pairs that are still to be played.
fn play_the_rest(
    arguments: &MatchArguments,
    setting: &PairedMatch<'_>,
    threads: usize,
    signals: &Signals,
    course: &mut Course,
    mut keeping: Keeping<'_>,
) -> Result<()> {
    let mut progress = RunProgress::new("pairs", course.statistics.pairs(), arguments.pairs);
    let mut outcome = Ok(());
    setting.play(course.statistics.pairs()..arguments.pairs, threads, signals, &mut |pair| {
        let kept = check(arguments, setting, &pair, keeping.records.as_ref()).and_then(|()| keeping.add(&pair.result));
        if kept.is_err() {
            outcome = kept;
            return ControlFlow::Break(());
        }
        course.played += 1;
        let flow = course.add(&pair.result);
        // The report follows the last pair.
        if flow.is_continue() {
            progress.tell_with(course.statistics.pairs(), || course.details());
        }
        flow
    });
    outcome
}

/// A match so far.
struct Course {
    statistics: MatchStatistics,
    sprt: Option<Sprt>,
    /// Pairs to play, at most.
    pairs: u64,
    started: Instant,
    /// Pairs played by this process.
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

    /// The results so far, for the line of progress.
    fn details(&self) -> String {
        let (spread, win) = (&self.statistics.spread, &self.statistics.win);
        let ratio = self.sprt.map(|sprt| format!(", llr {:.2}", sprt.log_likelihood_ratio(&self.statistics))).unwrap_or_default();
        let [win, win_error] = [win.mean, win.standard_error()].map(|share| 100.0 * share);
        format!(", spread {:.2} ± {:.2}, wins {win:.2} ± {win_error:.2} %{ratio}", spread.mean, spread.standard_error())
    }
}

fn paired_match<'a>(arguments: &MatchArguments, game: &'a OpenedGame) -> Result<PairedMatch<'a>> {
    let contestant = |spec: &PlayerSpec| game.contestant(spec).with_context(|| spec.to_string());
    let players = [contestant(&arguments.a)?, contestant(&arguments.b)?];
    let time = arguments.clock.map(|ms| GameTime { ms, overtime_points: arguments.overtime.unwrap_or(OVERTIME_POINTS) });
    let redraws = if game.rules.variant.is_classic() { redraws(arguments) } else { 0 };
    let luck = match redraws {
        0 => None,
        redraws => Some(game.luck(redraws)?),
    };
    let turns = if arguments.count_turns { TurnCounting::Counted } else { TurnCounting::Plain };
    Ok(PairedMatch { rules: &game.rules, players, seed: arguments.seed, time, luck, turns })
}

/// How many draws judge the luck of a draw. A match that goes on is judged as before.
fn redraws(arguments: &MatchArguments) -> u32 {
    let resumed = arguments.out.as_deref().filter(|_| arguments.resume);
    let before = || Some(read_header::<MatchHeader>(resumed?)?.luck.map_or(0, |judgement| judgement.redraws));
    arguments.redraws.or_else(before).unwrap_or(REDRAWS)
}

fn header(arguments: &MatchArguments, game: &OpenedGame, setting: &PairedMatch<'_>) -> MatchHeader {
    let id = |name: &str, fingerprint: u64| format!("{name}@{fingerprint:016x}");
    let tables = |engine: &Engine| {
        let (leaves, win_model) = (&engine.knowledge().evaluator.leaves, &engine.knowledge().evaluator.win_model);
        TableNames { leaves: id(leaves.name(), leaves.fingerprint()), winpct: id(win_model.name(), win_model.fingerprint()) }
    };
    let lexicon = setting.players[0].engine.lexicon();
    MatchHeader {
        tilewright: env!("CARGO_PKG_VERSION").to_string(),
        players: [arguments.a.to_string(), arguments.b.to_string()],
        tables: [tables(&setting.players[0].engine), tables(&setting.players[1].engine)],
        lexicon: id(lexicon.name(), lexicon.fingerprint()),
        rules: game.unusual_rules().map(|rules| id(&rules, game.rules.fingerprint())),
        seed: arguments.seed,
        clock_ms: arguments.clock,
        overtime_points: setting.time.map_or(0, |time| time.overtime_points),
        luck: setting.luck.as_ref().map(|luck| LuckJudgement { redraws: luck.redraws as u32, tables: tables(&luck.engine) }),
        counts_turns: arguments.count_turns,
    }
}

/// Lets the referee check the games of a pair, and records them, as far as that is asked for.
fn check(arguments: &MatchArguments, setting: &PairedMatch<'_>, pair: &PlayedPair, records: Option<&OutputFolder>) -> Result<()> {
    if !arguments.referee && records.is_none() {
        return Ok(());
    }
    let lexicon: &Lexicon = setting.players[0].engine.lexicon();
    let number = pair.result.pair;
    for (begins, plays) in pair.plays.iter().enumerate() {
        let place = || format!("pair {number}, game {}", begins + 1);
        let game = referee::replay(setting.rules, lexicon, setting.seed, number, plays).with_context(place)?;
        for player in 0..2 {
            let result = &pair.result.games[begins];
            // The referee has no clock.
            let (counted, refereed) = (result.scores[player] + result.penalties[player], game.last.score(player ^ begins));
            ensure!(counted == refereed, "{}: player {} has {counted} points, the referee says {refereed}", place(), ["a", "b"][player]);
        }
        if let Some(folder) = records {
            let named = |player: usize| GcgPlayer { nick: ["a", "b"][player].to_string(), name: setting.players[player].spec.to_string() };
            let mut record = game.to_gcg([named(begins), named(1 - begins)], lexicon)?;
            for (player, &points) in pair.result.games[begins].penalties.iter().enumerate().filter(|(_, points)| **points != 0) {
                let seat = player ^ begins;
                record.push_time(seat, game.last.rack(seat), -points);
            }
            folder.write(&record_name(number, begins), gcg::print(&record))?;
        }
    }
    Ok(())
}

/// The name of the record of a pair's game.
fn record_name(pair: u64, begins: usize) -> String {
    format!("pair{pair:06}-{}.gcg", begins + 1)
}

/// The pair of whose games one has a record of this name.
fn pair_of(name: &str) -> Option<u64> {
    let pair = name.strip_prefix("pair")?.split_once('-')?.0.parse().ok()?;
    (0..2).any(|begins| name == record_name(pair, begins)).then_some(pair)
}

/// The report. Its last line is for scripts, and keeps its form.
fn report(
    game: &OpenedGame,
    setting: &PairedMatch<'_>,
    course: &Course,
    threads: usize,
    say: &mut dyn FnMut(&str) -> std::io::Result<()>,
) -> Result<()> {
    let statistics = &course.statistics;
    let [a, b] = [0, 1].map(|player: usize| setting.players[player].spec.to_string());
    let leaves = |player: usize| setting.players[player].engine.knowledge().evaluator.leaves.name();
    let rules = game.unusual_rules().map(|rules| format!(", {rules}")).unwrap_or_default();
    say(&format!("a: {a} (leaves {})", leaves(0)))?;
    say(&format!("b: {b} (leaves {})", leaves(1)))?;
    say(&format!("lexicon {}{rules}, seed {}, {} pairs", game.lexicon().name(), setting.seed, statistics.pairs()))?;
    let adjusted = adjusted_difference(statistics);
    for line in players_side_by_side(statistics, setting.time).into_iter().chain(difference_of_players(statistics)).chain(adjusted) {
        say(&line)?;
    }
    if let Some(sprt) = course.sprt {
        say(&sprt.report(statistics))?;
    }
    let games_per_s = course.games_per_s();
    say(&format!("games per second   {games_per_s:.1} ({threads} threads)"))?;
    say(&format!("{} games_per_s {games_per_s:.1}", statistics.script_line([&a, &b])))?;
    Ok(())
}

/// A line for each figure that both players have.
fn players_side_by_side(statistics: &MatchStatistics, time: Option<GameTime>) -> Vec<String> {
    let both =
        |name: &str, value: &dyn Fn(usize) -> f64, digits: usize| format!("{name:<18}{:>10.digits$}{:>10.digits$}", value(0), value(1));
    let [losses, ties, wins] = statistics.games;
    let mut lines = vec![
        format!("{:<18}{:>10}{:>10}", "", "a", "b"),
        format!("{:<18}{wins:>10}{losses:>10}   ties {ties}", "wins"),
        both("mean score", &|player| statistics.mean_score(player), 1),
        both("bingos per game", &|player| statistics.per_game(statistics.bingos[player]), 2),
        both("turns per game", &|player| statistics.per_game(statistics.turns[player]), 2),
        both("ms per turn", &|player| statistics.ms_per_turn(player), 3),
    ];
    if statistics.counted_games > 0 {
        let counted =
            |sums: [u64; 2], name: &str| format!("{name:<18}{:>10}{:>10}   in {} games", sums[0], sums[1], statistics.counted_games);
        lines.push(counted(statistics.exchanges, "exchanges"));
        lines.push(counted(statistics.sacrifices, "sacrifices"));
    }
    if let Some(GameTime { ms, overtime_points }) = time {
        let [a, b] = statistics.time_losses;
        lines.push(format!("{:<18}{a:>10}{b:>10}   on {ms} ms a game", "time losses"));
        let [a, b] = statistics.penalties;
        lines.push(format!("{:<18}{a:>10}{b:>10}   {overtime_points} for each minute begun", "points for them"));
    }
    lines
}

/// What the pairs say of a against b.
fn difference_of_players(statistics: &MatchStatistics) -> [String; 5] {
    let (spread, win) = (&statistics.spread, 100.0 * statistics.win.mean);
    let (low, high) = statistics.win_interval();
    let [low, high] = [low, high].map(|share| 100.0 * share);
    let (elo, elo_error) = normalised_elo(&statistics.pentanomial);
    let [lost, mostly_lost, level, mostly_won, won] = statistics.pentanomial;
    [
        format!("spread of a        {:.2} points a game, standard error {:.2}", spread.mean, spread.standard_error()),
        format!(
            "wins of a          {win:.2} %, standard error {:.2}, 95 %: {low:.2} to {high:.2}",
            100.0 * statistics.win.standard_error()
        ),
        format!("normalised Elo     {elo:.1}, standard error {elo_error:.1}"),
        format!("divergent pairs    {}", statistics.divergent),
        format!("pairs by wins of a 0: {lost}, 1/2: {mostly_lost}, 1: {level}, 3/2: {mostly_won}, 2: {won}"),
    ]
}

/// The same with the luck of the draws taken off, if it was judged; the last line is for scripts.
fn adjusted_difference(statistics: &MatchStatistics) -> Vec<String> {
    let AdjustedResults { spread, win } = &statistics.adjusted;
    let (Some(spread_worth), Some(win_worth)) = (spread.worth_in_pairs(), win.worth_in_pairs()) else { return Vec::new() };
    let (points, points_error) = (spread.adjusted.mean, spread.adjusted.standard_error());
    let [share, share_error] = [win.adjusted.mean, win.adjusted.standard_error()].map(|share| 100.0 * share);
    let [low, high] = [-CONFIDENCE_95, CONFIDENCE_95].map(|reach| share + reach * share_error);
    vec![
        "with the luck of the draws taken off".to_string(),
        format!("  spread of a      {points:.2} points a game, standard error {points_error:.2}, worth {spread_worth:.2} times the pairs"),
        format!(
            "  wins of a        {share:.2} %, standard error {share_error:.2}, 95 %: {low:.2} to {high:.2}, worth {win_worth:.2} times the pairs"
        ),
        format!(
            "adjusted winpct {share:.3} winpct_se {share_error:.3} winpct_worth {win_worth:.3} \
             spread {points:.3} spread_se {points_error:.3} spread_worth {spread_worth:.3}"
        ),
    ]
}
