//! `tilewright tournament <file>`: engines of any maker against each other, on the same tiles, with hidden racks and real clocks.
//!
//! | file | what it does |
//! |---|---|
//! | `file.rs` | reads the tournament's file |
//! | `warden.rs` | kills engines that a killed runner leaves |
//! | `child.rs` | an engine's process: lines with their times, within bounds |
//! | `program.rs` | starts, sets up, asks and replaces it; says what it does wrong |
//! | `contest.rs` | the games of a pair |
//! | `journal_file.rs` | the journal on the disk |
//! | `report.rs` | tables from the journal |
//!
//! What is decided, judged and said without processes and clocks is in `tournament/`. Start with [`run`].

pub mod file;
pub mod warden;
pub mod child;
pub mod program;
pub mod contest;
pub mod journal_file;
pub mod report;

use crate::cli::game_arguments::{GameArguments, OpenedGame};
use crate::cli::long_run::{self, GoingOn, INTERRUPTED};
use crate::cli::output_file::{OutputFolder, Overwrite};
use crate::cli::progress::{RunProgress, say_aside};
use crate::cli::tournament::contest::{Hall, PairRunner};
use crate::cli::tournament::file::TournamentFile;
use crate::cli::tournament::journal_file::{ExistingJournal, JournalFile, read_journal};
use crate::cli::tournament::program::{ProgramEngine, ProgramSurroundings};
use crate::cli::tournament::warden::Warden;
use crate::engine::Engine;
use crate::formats::cgp::{self, Opcodes};
use crate::formats::gcg;
use crate::match_play::bags::shuffled_bag;
use crate::match_play::sprt::{Sprt, Verdict};
use crate::players::{self, PlayerSpec};
use crate::rules::{GameRules, Letter, Position};
use crate::search::budget::Signals;
use crate::tournament::configuration::{Competitor, CompetitorKind, EngineDialect, GameSetting};
use crate::tournament::game_records::game_record;
use crate::tournament::journal::{Journal, JournalHeader, PairRecord};
use crate::tournament::pairings::TournamentFormat;
use crate::tournament::standings::TournamentStandings;
use anyhow::{Context, Result, bail, ensure};
use cpu_time::ProcessTime;
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Instant;

/// What may change from run to run without another result: how many pairs there are, and how many are played at the same time.
const FREE_KEYS: [&str; 2] = ["pairs", "concurrency"];

/// Words that an engine is asked about before the first game, of each kind.
const PROBE_WORDS: usize = 8;

/// What the help text ends with.
const TEACHING: &str = r#"A tournament is a file:

  pairs = 100                 # of each pairing: two games on the same tiles, seats swapped
  seed = 1                    # the same seed, the same tiles
  format = "round-robin"      # or "gauntlet": the first engine against each other one
  concurrency = 2             # pairs played at the same time

  [time]                      # one of game_ms, move_ms, nodes; none: limits of their own
  game_ms = 60000             # for all turns of a player; increment_ms is added after each
  overtime = "loss"           # or "points": overtime_points (10) for each minute begun
  margin_ms = 100             # for delivery

  [[engines]]
  name = "mine"
  dialect = "siu"             # or "ucgi", or "exec": a process a turn, CGP and ms in, move out
  command = "./my_engine"     # with args, folder, environment; none: this program itself
  options = { Threads = 1 }   # by setoption; checked before the first game
  positions = "whole"         # or "moves" from the start of the game: for engines that infer

  [[engines]]
  name = "static"
  player = "static"           # a player of this program

More keys: [game] lexicon, letters, layout, bonus; [sprt] test, alpha, beta; [patience]
handshake_ms, newgame_ms, ready_ms, stop_ms, quit_ms; an engine's time, go (words behind each go),
and memory_mb (the most that its processes may have together). Paths begin from the folder of the file.

UCGI engines are told clocks. SIU has none: of a game's clock a turn gets the share that
`go auto` would take, as movetime. So does a process a turn.

A fault loses the game, by 50 points if it was not lost by more: start, refused, died, closed,
silent, late, illegal, tiles, word, flood, twice, memory. The engine is started anew, and the
journal has the reason.

Every pair is in the journal and on the disk before it counts. A run that was interrupted,
killed or out of disk goes on with --resume, which refuses another tournament by its key; only
pairs and concurrency may change. The exit status is 0 when the tournament is over (all pairs
are played, or the test is decided), 130 after an interrupt, 1 after an error.

Example: tilewright tournament scripts/tournament.toml
"#;

/// The tournament, its journal, and what is made of it.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = format!("{TEACHING}\n{}", players::spec::help()))]
pub struct TournamentArguments {
    /// The tournament's file (TOML).
    pub file: PathBuf,
    /// The journal, a JSON line a pair [default: the file's name with .journal instead of .toml, in the current folder].
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,
    /// Go on with the tournament in the journal, if it is there.
    #[arg(long)]
    pub resume: bool,
    /// Write over a journal and records of games that are there.
    #[arg(long, conflicts_with = "resume")]
    pub force: bool,
    /// Play nothing: report what the journal holds, also while it is written. Then --force is about records alone.
    #[arg(long, conflicts_with = "resume")]
    pub report: bool,
    /// Folder for all games of the journal as GCG records, made if it is not there.
    #[arg(long, value_name = "FOLDER")]
    pub gcg: Option<PathBuf>,
}

/// Why a tournament ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TournamentEnd {
    /// All pairs are played.
    AllPairs,
    /// A test is decided.
    Decided,
    /// It was interrupted, and can go on.
    Interrupted,
}

/// Plays a tournament. Ctrl-C interrupts it; moves under way are broken off.
///
/// # Errors
/// Those of [`play`].
pub fn run(arguments: &TournamentArguments, say: &mut dyn FnMut(&str) -> std::io::Result<()>) -> Result<()> {
    if arguments.report {
        return report_alone(arguments, say);
    }
    let signals = Arc::new(Signals::default());
    long_run::end_when_interrupted(&signals)?;
    let warden = Warden::start()?;
    let end = play(arguments, &signals, Some(&warden), &long_run::this_command(GoingOn::Resume), say)?;
    drop(warden);
    if end == TournamentEnd::Interrupted {
        std::process::exit(INTERRUPTED);
    }
    Ok(())
}

/// A tournament that is about to be played.
struct OpenedTournament {
    file: TournamentFile,
    game: OpenedGame,
    tables: Vec<Option<Engine>>,
    opcodes: Opcodes,
    journal: PathBuf,
}

impl OpenedTournament {
    fn open(arguments: &TournamentArguments) -> Result<OpenedTournament> {
        let file = file::read(&arguments.file)?;
        let game = game_arguments(&file.setting.game, &file.folder).open()?;
        let tables = file.competitors.iter().map(|competitor| match &competitor.kind {
            CompetitorKind::Player(spec) => Ok(Some(game.contestant(spec).with_context(|| competitor.name.clone())?.engine)),
            CompetitorKind::Program(_) => Ok(None),
        });
        let tables = tables.collect::<Result<Vec<_>>>()?;
        let lexicon = Some(game.lexicon().name().to_string());
        // The usual rules are what every engine takes for granted, and not every engine knows the words for them.
        let opcodes = match game.unusual_rules() {
            Some(_) => Opcodes { lexicon, ..Opcodes::of_rules(&game.rules) },
            None => Opcodes { lexicon, ..Opcodes::default() },
        };
        let name = arguments.file.file_stem().unwrap_or_default();
        let journal = arguments.journal.clone().unwrap_or_else(|| Path::new(name).with_extension("journal"));
        Ok(OpenedTournament { file, game, tables, opcodes, journal })
    }

    /// Which tournament it is. `names` are those that programs told.
    fn header(&self, names: &[String]) -> Result<JournalHeader> {
        let id = |name: &str, fingerprint: u64| format!("{name}@{fingerprint:016x}");
        let identity = |((competitor, tables), name): ((&Competitor, &Option<Engine>), &String)| match (&competitor.kind, tables) {
            (CompetitorKind::Player(spec), Some(tables)) => player_identity(spec, tables),
            _ => name.clone(),
        };
        let mut configuration = serde_json::to_value(&self.file.setting)?;
        if let Some(keys) = configuration.as_object_mut() {
            FREE_KEYS.iter().for_each(|key| drop(keys.remove(*key)));
        }
        let (rules, lexicon) = (&self.game.rules, self.game.lexicon());
        Ok(JournalHeader {
            tilewright: env!("CARGO_PKG_VERSION").to_string(),
            lexicon: id(lexicon.name(), lexicon.fingerprint()),
            rules: id(&self.game.unusual_rules().unwrap_or_else(|| rules.distribution.name().to_string()), rules.fingerprint()),
            identities: self.file.competitors.iter().zip(&self.tables).zip(names).map(identity).collect(),
            configuration,
        })
    }
}

fn player_identity(spec: &PlayerSpec, tables: &Engine) -> String {
    let evaluator = &tables.knowledge().evaluator;
    let (leaves, win_model) = (&evaluator.leaves, &evaluator.win_model);
    format!("{spec}, leaves {}@{:016x}, winpct {}@{:016x}", leaves.name(), leaves.fingerprint(), win_model.name(), win_model.fingerprint())
}

/// The flags that stand for the game of a file.
fn game_arguments(game: &GameSetting, folder: &Path) -> GameArguments {
    // A bare name may be a table that is built in.
    let named = |name: &String| if name.contains('/') { folder.join(name).display().to_string() } else { name.clone() };
    GameArguments {
        lexicon: game.lexicon.as_ref().map(|file| folder.join(file)),
        letters: game.letters.as_ref().map(named),
        layout: game.layout.as_ref().map(named),
        bonus: game.bonus,
        ..GameArguments::default()
    }
}

/// Plays a tournament until it is over or the signals end it. `command` is the one that the user is told to go on with.
///
/// # Errors
/// A file that says what cannot be, an engine that cannot be used, a journal of another tournament, a disk that is full.
pub fn play(
    arguments: &TournamentArguments,
    signals: &Signals,
    warden: Option<&Warden>,
    command: &str,
    say: &mut dyn FnMut(&str) -> std::io::Result<()>,
) -> Result<TournamentEnd> {
    let opened = OpenedTournament::open(arguments)?;
    let setting = &opened.file.setting;
    let surroundings = ProgramSurroundings { folder: &opened.file.folder, patience: &setting.patience, warden, given_up: signals };
    let names = check_engines(&opened, surroundings, signals)?;
    let header = opened.header(&names)?;
    let existing = match (arguments.resume, arguments.force) {
        (true, _) => ExistingJournal::Resume,
        (false, true) => ExistingJournal::Replace,
        (false, false) => ExistingJournal::Keep,
    };
    let records = open_records(arguments)?;
    let (mut journal, pairs) = JournalFile::open(&opened.journal, &header, existing)?;
    say_aside(&format!("if interrupted, go on with: {command}"));
    let hall = Hall {
        rules: &opened.game.rules,
        lexicon: opened.game.lexicon(),
        opcodes: opened.opcodes.clone(),
        seed: setting.seed,
        hash: header.hash(),
        competitors: &opened.file.competitors,
        tables: &opened.tables,
        surroundings,
    };
    let total = setting.format.pairs(hall.competitors.len(), setting.pairs);
    let mut course =
        TournamentCourse { sprt: setting.sprt()?, total, standings: TournamentStandings::new(hall.competitors.len()), pairs: Vec::new() };
    let started = (Instant::now(), ProcessTime::try_now().ok());
    let is_over = pairs.into_iter().any(|pair| course.add(pair).is_break());
    let played_before = course.pairs.len();
    if !is_over && course.standings.pairs() < total {
        let mut progress = RunProgress::new("pairs", course.standings.pairs(), total);
        let mut outcome = Ok(());
        play_pairs(&hall, setting.format, course.standings.pairs()..total, setting.concurrency, signals, &mut |pair| {
            outcome = journal.add(&pair).with_context(|| format!("{} pairs are kept, go on with: {command}", pair.pair));
            if outcome.is_err() {
                return ControlFlow::Break(());
            }
            let flow = course.add(pair);
            progress.tell_with(course.standings.pairs(), || course.details(hall.competitors));
            flow
        });
        outcome?;
    }
    let end = course.end();
    finish(records.as_ref(), &opened, &header, &course, say)?;
    say(&runner_line(started, &course, played_before))?;
    say(&match end {
        TournamentEnd::AllPairs => format!("over: all {total} pairs are played"),
        TournamentEnd::Decided => format!("over: the test is decided after {} of {total} pairs", course.standings.pairs()),
        TournamentEnd::Interrupted => format!("interrupted after {} of {total} pairs; go on with: {command}", course.standings.pairs()),
    })?;
    Ok(end)
}

/// Starts each program once and checks it. Returns what they call themselves, and for players of this program nothing.
fn check_engines(opened: &OpenedTournament, surroundings: ProgramSurroundings<'_>, signals: &Signals) -> Result<Vec<String>> {
    let probe = probe_position(&opened.game.rules, &opened.opcodes, opened.file.setting.seed);
    let words = probe_words(&opened.game);
    let lexicon = opened.game.lexicon().name();
    let mut names = Vec::new();
    for competitor in &opened.file.competitors {
        let CompetitorKind::Program(program) = &competitor.kind else {
            names.push(String::new());
            continue;
        };
        if program.dialect == EngineDialect::Exec {
            names.push(program.command.clone().unwrap_or_default());
            continue;
        }
        let mut engine = ProgramEngine::new(program, surroundings);
        let checked = engine.new_game().and_then(|()| engine.probe(&probe, lexicon, &words));
        ensure!(!signals.is_stopped(), "interrupted before the first game");
        if let Err(fault) = checked {
            bail!("the engine {:?} cannot be used: {}", competitor.name, fault.text);
        }
        names.push(engine.handshake().name.clone());
    }
    Ok(names)
}

/// A first turn of some game, for a first search.
fn probe_position(rules: &Arc<GameRules>, opcodes: &Opcodes, seed: u64) -> String {
    let mut position = Position::start(Arc::clone(rules));
    let rack = shuffled_bag(rules, seed, 0).into_iter().take(rules.rack_size).collect();
    position.set_rack(0, &rack).expect("the tiles are the game's");
    cgp::print(&position, opcodes)
}

/// Words of the lexicon, from all over it, and as many that are none.
fn probe_words(game: &OpenedGame) -> Vec<(String, bool)> {
    let (lexicon, distribution) = (game.lexicon(), &game.rules.distribution);
    let mut probe = Vec::new();
    let words = lexicon.list().words();
    for numbers in words.iter().step_by((words.len() / PROBE_WORDS).max(1)).take(PROBE_WORDS) {
        let letters: Vec<Letter> = numbers.iter().filter_map(|&number| Letter::new(number)).collect();
        let word = distribution.word_text(&letters);
        let twice: Vec<Letter> = letters.iter().chain(&letters).copied().collect();
        if !lexicon.contains(&twice) {
            probe.push((distribution.word_text(&twice), false));
        }
        probe.push((word, true));
    }
    probe
}

/// Plays these pairs on this many threads; `on_pair` gets them in order and may end the tournament. So may the signals: pairs under way
/// are then given up.
fn play_pairs(
    hall: &Hall<'_>,
    format: TournamentFormat,
    pairs: Range<u64>,
    threads: usize,
    signals: &Signals,
    on_pair: &mut dyn FnMut(PairRecord) -> ControlFlow<()>,
) {
    let mut next = pairs.start;
    let unclaimed = AtomicU64::new(pairs.start);
    let (sender, played) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (sender, unclaimed, end) = (sender.clone(), &unclaimed, pairs.end);
            scope.spawn(move || {
                let mut runner = PairRunner::new(hall);
                loop {
                    let pair = unclaimed.fetch_add(1, Ordering::Relaxed);
                    if pair >= end || signals.is_stopped() {
                        return;
                    }
                    let Some(played) = runner.pair(pair, format.pairing(hall.competitors.len(), pair)) else { return };
                    if sender.send(played).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        for pair in played {
            waiting.insert(pair.pair, pair);
            while let Some(pair) = waiting.remove(&next) {
                next += 1;
                if on_pair(pair).is_break() {
                    signals.stop();
                    return;
                }
            }
        }
    });
}

/// A tournament so far.
struct TournamentCourse {
    sprt: Option<Sprt>,
    /// Pairs of the whole tournament.
    total: u64,
    standings: TournamentStandings,
    pairs: Vec<PairRecord>,
}

impl TournamentCourse {
    /// Adds a pair, in order; breaks off when the tournament is over.
    fn add(&mut self, pair: PairRecord) -> ControlFlow<()> {
        self.standings.add(&pair);
        self.pairs.push(pair);
        if self.end() == TournamentEnd::Interrupted { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// Why it ended, if it ended now.
    fn end(&self) -> TournamentEnd {
        let verdict = self.sprt.and_then(|sprt| Some(sprt.verdict(self.standings.pairing([0, 1])?)));
        match verdict {
            Some(Verdict::H0 | Verdict::H1) => TournamentEnd::Decided,
            _ if self.standings.pairs() >= self.total => TournamentEnd::AllPairs,
            _ => TournamentEnd::Interrupted,
        }
    }

    /// The results so far, for the line of progress: the leader, and how many games were lost by faults.
    fn details(&self, competitors: &[Competitor]) -> String {
        let ratings = self.standings.ratings();
        let leader = (0..ratings.len()).max_by(|&a, &b| ratings[a].elo.total_cmp(&ratings[b].elo)).unwrap_or_default();
        let faults: u64 = self.standings.faults().map(|(_, _, games)| games).sum();
        let (name, rating) = (&competitors[leader].name, ratings[leader]);
        format!(", {name} leads with {:+.0} ± {:.0} Elo, {faults} faults", rating.elo, rating.error)
    }
}

/// Report and records of the games.
fn finish(
    records: Option<&OutputFolder>,
    opened: &OpenedTournament,
    header: &JournalHeader,
    course: &TournamentCourse,
    say: &mut dyn FnMut(&str) -> std::io::Result<()>,
) -> Result<()> {
    if let Some(folder) = records {
        write_records(folder, opened, &course.pairs)?;
    }
    for line in report::lines(header, &opened.file.competitors, &course.pairs, course.sprt.as_ref()) {
        say(&line)?;
    }
    Ok(())
}

/// The report of a journal, without playing.
fn report_alone(arguments: &TournamentArguments, say: &mut dyn FnMut(&str) -> std::io::Result<()>) -> Result<()> {
    let opened = OpenedTournament::open(arguments)?;
    let records = open_records(arguments)?;
    let Journal { header, pairs, .. } = read_journal(&opened.journal)?;
    let here = opened.header(&header.identities)?;
    if let Some(difference) = header.difference(&here) {
        bail!("{}: the journal is of another tournament; {difference}", opened.journal.display());
    }
    let setting = &opened.file.setting;
    let total = setting.format.pairs(opened.file.competitors.len(), setting.pairs);
    let standings = TournamentStandings::new(opened.file.competitors.len());
    let mut course = TournamentCourse { sprt: setting.sprt()?, total, standings, pairs: Vec::new() };
    for pair in pairs {
        let _ = course.add(pair);
    }
    finish(records.as_ref(), &opened, &header, &course, say)
}

/// The folder for records of games, if they are asked for.
fn open_records(arguments: &TournamentArguments) -> Result<Option<OutputFolder>> {
    let overwrite = if arguments.force || arguments.resume { Overwrite::Allowed } else { Overwrite::Never };
    let is_record = |name: &str| name.starts_with("pair") && name.ends_with(".gcg");
    arguments.gcg.as_ref().map(|folder| OutputFolder::open(folder, overwrite, is_record)).transpose()
}

/// All games as GCG.
fn write_records(folder: &OutputFolder, opened: &OpenedTournament, pairs: &[PairRecord]) -> Result<()> {
    let competitors = &opened.file.competitors;
    for pair in pairs {
        let names = pair.engines.map(|engine| competitors[engine].name.as_str());
        for game in 0..2 {
            let place = || format!("pair {}, game {}", pair.pair, game + 1);
            let record = game_record(&opened.game.rules, opened.file.setting.seed, pair, game, names).with_context(place)?;
            folder.write(&format!("pair{:06}-{}.gcg", pair.pair, game + 1), gcg::print(&record))?;
        }
    }
    Ok(())
}

/// What the runner itself took of the machine.
fn runner_line((started, cpu): (Instant, Option<ProcessTime>), course: &TournamentCourse, played_before: usize) -> String {
    let wall = started.elapsed().as_secs_f64().max(1e-9);
    let cpu = cpu.and_then(|cpu| cpu.try_elapsed().ok()).map_or(0.0, |cpu| cpu.as_secs_f64());
    let played = course.pairs.get(played_before..).unwrap_or_default();
    let turns: usize = played.iter().flat_map(|pair| &pair.games).map(|game| game.plays.len()).sum();
    let (share, per_turn) = (100.0 * cpu / wall, 1000.0 * cpu / turns.max(1) as f64);
    let pairs = played.len();
    format!(
        "runner: {share:.2} % of a processor, {per_turn:.2} ms of it a turn, players in this process included; {pairs} pairs in {wall:.1} s"
    )
}
