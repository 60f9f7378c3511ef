//! `tilewright match <a> <b> --pairs <n> ...`: a tournament of two players of this program, set by flags instead of a file.
//!
//! Journal, report and statistics are the same as in `tilewright tournament`. The games, however, are played at full speed
//! (`match_play/pairs.rs`): without an arbiter, and without writing down turns until the pair is over.
//!
//! Results go to a file pair by pair, progress to standard error, and the report to standard output. Its last line is for
//! scripts. Start with [`play`].

use crate::arena::course::{PairKeeper, PairRemembering, PairingDesk, TournamentCourse, TournamentEnd};
use crate::arena::opening::{header_of, identity_of};
use crate::arena::outputs::{TableArguments, TableOutputs};
use crate::evaluation::static_eval::EvaluatedPlay;
use crate::formats::gcg::{self, GcgPlayer};
use crate::host::game_arguments::{GameArguments, VariantArguments};
use crate::host::journal_file::{ExistingJournal, JournalFile, ShardArguments};
use crate::host::long_run::{self, GoingOn};
use crate::host::output::{LinePrinter, say_aside};
use crate::host::output_file::{OutputFolder, Overwrite};
use crate::lexicon::Lexicon;
use crate::match_play::adjusted::AdjustedResults;
use crate::match_play::game::MatchPlayer;
use crate::match_play::pairs::{PairedMatch, PlayedPair, TurnCounting};
use crate::match_play::sprt::{Hypotheses, Measure, Sprt};
use crate::match_play::statistics::MatchStatistics;
use crate::match_play::time_control::TimeControl;
use crate::match_play::{GameTime, referee, shuffled_bag};
use crate::players::{self, PlayerSpec};
use crate::rules::notation::play_text;
use crate::rules::{Board, GameRules, Variant, VariantSupport};
use crate::search::budget::Signals;
use crate::search::limits::{LONGEST_TURN_MS, MOST_SEED};
use crate::tournament::configuration::{EngineSetting, GameSetting, TournamentSetting};
use crate::tournament::pairings::Pairings;
use crate::tournament::record::{GameRecord, PairRecord, TournamentHeader, TurnRecord};
use crate::tournament::standings::TournamentStandings;
use crate::tournament::text;
use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Points that each minute begun beyond the clock costs, as in the tournaments of NASPA.
const OVERTIME_POINTS: u32 = 10;

/// The default number of draws that each draw is compared with.
const REDRAWS: u32 = 16;

/// The players' names in reports.
const MATCH_NAMES: [&str; 2] = ["a", "b"];

/// The example of the help text.
const EXAMPLE: &str = "tilewright match sim:iterations=200 static --pairs 100 --sprt elo:0,20 --out sim.jsonl";

/// The players, the length of the match, and where its results are kept.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = format!("{}\nExample: {EXAMPLE}", players::spec::help()))]
pub struct MatchArguments {
    /// Player a.
    pub a: PlayerSpec,
    /// Player b.
    pub b: PlayerSpec,
    /// Pairs of games. With --sprt, the most pairs.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub pairs: u64,
    /// Seed of the bags. The same seed gives the same result.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=MOST_SEED))]
    pub seed: u64,
    /// Wall time of each player for a game, ms. Each search gets its turn's share of it, so results cannot be reproduced.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=LONGEST_TURN_MS))]
    pub clock: Option<u64>,
    /// Points that a player loses for each minute begun beyond the clock. With 0, overtime is only counted [default: 10].
    #[arg(long, value_name = "POINTS", requires = "clock", value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub overtime: Option<u32>,
    /// Number of threads. Without this flag, all processors. The result does not depend on it.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Compare each draw with this many others, at about 20 us each. The report then also has the results without the luck of the draws,
    /// which vary less. Use 0 for players that are as fast as that [default: 16, or as in the --resume file].
    #[arg(long, value_name = "DRAWS", value_parser = clap::value_parser!(u32).range(0..=100_000))]
    pub redraws: Option<u32>,
    /// Also count exchanges and sacrifices. A sacrifice is a placement when another one would have scored more.
    #[arg(long)]
    pub count_turns: bool,
    /// Which game is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// Which variant is played.
    #[command(flatten)]
    pub variant: VariantArguments,
    /// End the match as soon as one of two hypotheses is accepted: elo:H0,H1 (normalised Elo of a, from results of pairs), spread:H0,H1
    /// (mean spread of a, points a game) or adjusted:H0,H1 (mean spread without the luck of the draws, which needs a third of the games).
    #[arg(long, value_name = "TEST", allow_hyphen_values = true)]
    pub sprt: Option<Hypotheses>,
    /// Chance of accepting H1 although H0 holds.
    #[arg(long, default_value_t = 0.05, value_parser = error_chance)]
    pub alpha: f64,
    /// Chance of accepting H0 although H1 holds.
    #[arg(long, default_value_t = 0.05, value_parser = error_chance)]
    pub beta: f64,
    /// File for the results, one JSON line per pair.
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// Continue the match in the --out file, if the file exists.
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// Overwrite an existing file and game records.
    #[arg(long, conflicts_with = "resume")]
    pub force: bool,
    /// The part to play.
    #[command(flatten)]
    pub part: ShardArguments,
    /// The files to write in addition to the report, from all games in the --out file.
    #[command(flatten)]
    pub tables: TableArguments,
    /// Folder for GCG records of the games played in this run. Created if missing.
    #[arg(long)]
    pub gcg: Option<PathBuf>,
    /// Let the referee check and score every play again.
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
pub fn run(arguments: &MatchArguments, say: LinePrinter<'_>) -> Result<()> {
    let signals = Arc::new(Signals::default());
    let command = long_run::this_command(GoingOn::Resume);
    long_run::end_when_interrupted(&signals)?;
    play(arguments, &signals, &command, say)
}

/// Plays a match until it is decided, its pairs are played, or the signals end it. `command` is the command that resumes it, for
/// messages.
///
/// # Errors
/// Tables or files cannot be read or written, the file belongs to another match, the referee finds a foul, or the run was interrupted.
pub fn play(arguments: &MatchArguments, signals: &Signals, command: &str, say: LinePrinter<'_>) -> Result<()> {
    let shard = arguments.part.shard;
    ensure!(shard.is_none() || arguments.out.is_some(), "--shard needs --out <file>, to be joined with those of the other shards");
    ensure!(
        shard.is_none() || arguments.sprt.is_none(),
        "--shard: a test depends on all pairs, so a part of a match cannot have one: join the shards, then use --sprt with --resume"
    );
    let game = arguments.game.open_variant(arguments.variant.variant, VariantSupport::ALL)?;
    check_variant(arguments, game.rules.variant)?;
    let contestant = |spec: &PlayerSpec| game.contestant(spec).with_context(|| spec.to_string());
    let players = [contestant(&arguments.a)?, contestant(&arguments.b)?];
    let threads = long_run::threads(arguments.threads);
    let mut setting = match_setting(arguments, threads);
    let competitors = setting.competitors()?;
    // Set only after the check, since a match also plays variants that a tournament's file cannot name.
    setting.game = named_game(arguments);
    let sprt = arguments.sprt.map(|hypotheses| Sprt { hypotheses, alpha: arguments.alpha, beta: arguments.beta });
    let overwrite = if arguments.force || arguments.resume { Overwrite::Allowed } else { Overwrite::Never };
    let mut tables = TableOutputs::open(&arguments.tables, overwrite)?;
    ensure!(
        shard.is_none() || tables.needs_pairs() == PairRemembering::Forgotten,
        "--shard writes no tables and pages: join the files, then use `tilewright tournament --report --journal <file>`"
    );
    let desk = PairingDesk::new(Pairings::new(setting.format, 2, arguments.pairs, 1));
    let mut course = TournamentCourse::new(TournamentStandings::of(2, game.rules.objective()), &desk, sprt, tables.needs_pairs());
    let mut luck = None;
    let mut header_after = |begun: Option<&TournamentHeader>| {
        setting.redraws = Some(redraws(arguments, game.rules.variant, begun)).filter(|&redraws| redraws > 0);
        luck = setting.redraws.map(|redraws| game.luck(redraws)).transpose()?;
        let needs_luck = arguments.sprt.is_some_and(|hypotheses| hypotheses.measure == Measure::AdjustedSpread);
        ensure!(!needs_luck || luck.is_some(), "--sprt adjusted needs the luck of the draws: give --redraws a number above 0");
        header_of(&game, &setting, players.iter().map(|player| identity_of(&player.spec, &player.engine)).collect())
    };
    let existing = ExistingJournal::of_flags(arguments.resume, arguments.force);
    let (header, file) = match &arguments.out {
        Some(path) => {
            let (header, file) =
                JournalFile::open(path, "--out", existing, arguments.pairs, &mut header_after, &mut |_, pair| course.add_earlier(pair))?;
            say_aside(&format!("if interrupted, go on with: {command}"));
            (header, Some(file))
        }
        None => (header_after(None)?, None),
    };
    let time = game_time(arguments);
    let turns = if arguments.count_turns { TurnCounting::Counted } else { TurnCounting::Plain };
    let contest = PairedMatch { rules: &game.rules, players, seed: arguments.seed, time, luck, turns };
    let records = match &arguments.gcg {
        Some(folder) => {
            // An interrupted match may have left records of a pair that is not in its file.
            let is_resumed = file.as_ref().is_some_and(JournalFile::is_resumed);
            let overwrite = if arguments.force || is_resumed { Overwrite::Allowed } else { Overwrite::Never };
            Some(OutputFolder::open(folder, overwrite, |name| pair_of(name).is_some_and(|pair| pair < arguments.pairs))?)
        }
        None => None,
    };
    let (started, played_before) = (Instant::now(), course.standings.pairs());
    let left = file.as_ref().map_or_else(|| (0..arguments.pairs).collect(), |file| file.left(0..arguments.pairs, shard));
    let mut file = file;
    if course.end() == TournamentEnd::Interrupted {
        let mut keeper = PairKeeper::new(&mut course, file, &competitors, command, (shard, left.len() as u64));
        let mut record = |pair: PlayedPair| {
            check(arguments, &contest, &pair, records.as_ref())?;
            Ok(match_record(&game.rules, arguments.seed, &pair))
        };
        contest.play(left, threads, signals, &mut |pairs| {
            let flow = keeper.add(pairs, &mut record);
            // After the last pair, the report follows at once.
            if flow.is_continue() {
                keeper.tell();
            }
            flow
        });
        file = keeper.finish()?;
    }
    if let (Some(shard), Some(file)) = (shard, &file) {
        say(&file.shard_line(shard, arguments.pairs))?;
        ensure!(file.left(0..arguments.pairs, Some(shard)).is_empty(), "interrupted; go on with: {command}");
        return Ok(());
    }
    let pairs = course.standings.pairs();
    if course.end() == TournamentEnd::Interrupted {
        let kept = if arguments.out.is_some() { format!("go on with: {command}") } else { "nothing is kept without --out".to_string() };
        bail!("interrupted after {pairs} of {} pairs; {kept}", arguments.pairs);
    }
    text::lines(&header, &competitors, &course.standings, course.sprt.as_ref()).into_iter().try_for_each(|line| say(&line))?;
    tables.write((&game.rules, &competitors), &header, &course, &[])?;
    let Some(statistics) = course.standings.pairing([0, 1]) else { return Ok(()) };
    let games_per_s = 2.0 * (pairs - played_before) as f64 / started.elapsed().as_secs_f64().max(1e-9);
    say(&format!("games per second   {games_per_s:.1} ({threads} threads)"))?;
    if let Some(adjusted) = adjusted_script_line(statistics) {
        say(&adjusted)?;
    }
    let [a, b] = [&arguments.a, &arguments.b].map(PlayerSpec::to_string);
    say(&format!("{} games_per_s {games_per_s:.1}", statistics.script_line([&a, &b])))?;
    Ok(())
}

/// Checks that the players play a variant, and that the match uses nothing that only the classic game has.
fn check_variant(arguments: &MatchArguments, variant: Variant) -> Result<()> {
    arguments.a.require(variant)?;
    arguments.b.require(variant)?;
    ensure!(
        is_as_classic(variant) || arguments.clock.is_none(),
        "{variant} is played without --clock, since points lost by overtime would be a gain"
    );
    let is_judged = arguments.redraws.is_some_and(|redraws| redraws > 0);
    ensure!(is_as_classic(variant) || !is_judged, "in {variant} the luck of the draws cannot be estimated: leave --redraws out");
    Ok(())
}

/// Whether clocks and luck work in a variant as in the classic game: words are spelled, and more points are better.
fn is_as_classic(variant: Variant) -> bool {
    VariantSupport::SPELLED.plays(variant)
}

/// Returns the setting of the match as a tournament, without its redraws. Fingerprints identify the game.
fn match_setting(arguments: &MatchArguments, threads: usize) -> TournamentSetting {
    let engine = |(name, player): (&str, &PlayerSpec)| EngineSetting {
        name: name.to_string(),
        player: Some(player.to_string()),
        ..EngineSetting::default()
    };
    TournamentSetting {
        pairs: arguments.pairs,
        seed: arguments.seed,
        concurrency: threads,
        count_turns: arguments.count_turns,
        time: game_time(arguments).map_or_else(TimeControl::default, TimeControl::from),
        engines: MATCH_NAMES.into_iter().zip([&arguments.a, &arguments.b]).map(engine).collect(),
        ..TournamentSetting::default()
    }
}

/// Returns the game by names that mean the same on every machine. They are enough for reports on the journal.
fn named_game(arguments: &MatchArguments) -> GameSetting {
    let GameArguments { words, layout, bonus, .. } = &arguments.game;
    let is_name = |name: &&String| !name.contains(['/', '\\', '.']);
    let variant = arguments.variant.variant;
    GameSetting {
        variant: (!variant.is_classic()).then(|| variant.to_string()),
        letters: words.letters.letters.as_ref().filter(is_name).cloned(),
        layout: layout.as_ref().filter(is_name).cloned(),
        bonus: *bonus,
        ..GameSetting::default()
    }
}

fn game_time(arguments: &MatchArguments) -> Option<GameTime> {
    arguments.clock.map(|ms| GameTime { ms, overtime_points: arguments.overtime.unwrap_or(OVERTIME_POINTS) })
}

/// Returns the number of draws that each draw is compared with. A resumed match keeps its number.
fn redraws(arguments: &MatchArguments, variant: Variant, begun: Option<&TournamentHeader>) -> u32 {
    if !is_as_classic(variant) {
        return 0;
    }
    let of_header = |header: &TournamentHeader| {
        let redraws = header.configuration.get("redraws").and_then(Value::as_u64);
        redraws.map_or(0, |redraws| u32::try_from(redraws).unwrap_or(u32::MAX))
    };
    arguments.redraws.or_else(|| begun.map(of_header)).unwrap_or(REDRAWS)
}

/// Lets the referee check the games of a pair, and records them, if requested.
fn check(arguments: &MatchArguments, setting: &PairedMatch<'_>, pair: &PlayedPair, records: Option<&OutputFolder>) -> Result<()> {
    if !arguments.referee && records.is_none() {
        return Ok(());
    }
    let lexicon: &Lexicon = setting.players[0].engine.lexicon();
    let number = pair.result.pair;
    for (begins, plays) in MatchPlayer::BOTH.into_iter().zip(&pair.plays) {
        let result = &pair.result.games[begins.index()];
        let place = || format!("pair {number}, game {}", begins.index() + 1);
        let game = referee::replay(setting.rules, lexicon, setting.seed, number, plays).with_context(place)?;
        for (player, name) in MatchPlayer::BOTH.into_iter().zip(MATCH_NAMES) {
            // The referee has no clock.
            let (counted, refereed) =
                (result.scores[player.index()] + result.penalties[player.index()], game.last.score(player.seat(begins)));
            ensure!(counted == refereed, "{}: player {name} has {counted} points, the referee counts {refereed}", place());
        }
        if let Some(folder) = records {
            let named = |player: MatchPlayer| GcgPlayer {
                nick: MATCH_NAMES[player.index()].to_string(),
                name: setting.players[player.index()].spec.to_string(),
            };
            let mut record = game.to_gcg([named(begins), named(begins.other())], lexicon)?;
            for (player, points) in MatchPlayer::BOTH.into_iter().zip(result.penalties).filter(|(_, points)| *points != 0) {
                let seat = player.seat(begins);
                record.push_time(seat, game.last.rack(seat), -points);
            }
            folder.write(&record_name(number, begins.index()), gcg::print(&record))?;
        }
    }
    Ok(())
}

/// Returns the name of the record of a pair's game.
fn record_name(pair: u64, game: usize) -> String {
    format!("pair{pair:06}-{}.gcg", game + 1)
}

/// Returns the pair to which a record of this name belongs.
fn pair_of(name: &str) -> Option<u64> {
    let pair = name.strip_prefix("pair")?.split_once('-')?.0.parse().ok()?;
    (0..2).any(|game| name == record_name(pair, game)).then_some(pair)
}

/// Returns results without the luck of the draws, if it was estimated, as a line for scripts. Its form does not change.
fn adjusted_script_line(statistics: &MatchStatistics) -> Option<String> {
    let AdjustedResults { spread, win } = &statistics.adjusted;
    let (spread_worth, win_worth) = (spread.worth_in_pairs()?, win.worth_in_pairs()?);
    let (points, points_error) = (spread.adjusted.mean, spread.adjusted.standard_error());
    let [share, share_error] = [win.adjusted.mean, win.adjusted.standard_error()].map(|share| 100.0 * share);
    Some(format!(
        "adjusted winpct {share:.3} winpct_se {share_error:.3} winpct_worth {win_worth:.3} \
         spread {points:.3} spread_se {points_error:.3} spread_worth {spread_worth:.3}"
    ))
}

/// Returns the record of a pair.
fn match_record(rules: &Arc<GameRules>, seed: u64, pair: &PlayedPair) -> PairRecord {
    let number = pair.result.pair;
    let game = |at: usize| GameRecord {
        result: pair.result.games[at],
        plays: turn_records(rules, &pair.plays[at], &pair.times_us[at]),
        idle_us: [0; 2],
        fault: None,
    };
    PairRecord {
        pair: number,
        deal: number,
        engines: [0, 1],
        start: None,
        bag: rules.distribution.tiles_text(shuffled_bag(rules, seed, number)),
        divergent: pair.result.divergent,
        games: [game(0), game(1)],
    }
}

/// Returns the records of a game's turns. Each move is written for the board before it.
fn turn_records(rules: &GameRules, plays: &[EvaluatedPlay], times_us: &[u64]) -> Vec<TurnRecord> {
    let mut board = Board::empty(rules.layout.dim());
    let turn = |(taken, &time_us): (&EvaluatedPlay, &u64)| {
        let play = play_text(&taken.play, &board, &rules.distribution);
        if let Some(placement) = taken.play.placement() {
            placement.put_on(&mut board);
        }
        TurnRecord { play, score: taken.score, time_us, told: None }
    };
    plays.iter().zip(times_us).map(turn).collect()
}
