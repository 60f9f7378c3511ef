//! `tilewright tournament <file>`: matches of engines of any maker, with hidden racks and real
//! clocks. Opponents play on the same tiles.
//!
//! What is decided, judged and said without processes and clocks is in `tournament/`. Start with [`run`].

pub mod file;
pub mod program;
pub mod contest;
pub mod machine;
pub mod opening;
pub mod course;
pub mod outputs;
pub mod paired_games;

use crate::arena::contest::{Hall, PairRunner};
use crate::arena::course::{PairKeeper, PairRemembering, PairingDesk, TournamentCourse, TournamentEnd};
use crate::arena::file::TournamentSource;
use crate::arena::opening::{OpenedTournament, ToldTournament, check_engines};
use crate::arena::outputs::{OutputArguments, PlayedGame, TournamentOutputs};
use crate::arena::program::ProgramSurroundings;
use crate::host::journal_file::{ExistingJournal, JournalFile, ShardArguments, check_header, read_journal};
use crate::host::long_run::{self, GoingOn, INTERRUPTED};
use crate::host::output::{LinePrinter, say_aside};
use crate::host::output_file::Overwrite;
use crate::host::surroundings::current_folder;
use crate::match_play::in_order::in_order;
use crate::match_play::shard::Shard;
use crate::players;
use crate::processes::group::Warden;
use crate::search::budget::Signals;
use crate::tournament::pairings::Pairings;
use crate::tournament::record::{PairRecord, TournamentHeader};
use crate::tournament::standings::TournamentStandings;
use crate::tournament::text;
use anyhow::{Context, Result, ensure};
use cpu_time::ProcessTime;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

/// What the help text ends with.
const TEACHING: &str = r#"A tournament is a file:

  pairs = 100                 # of each meeting: two games on the same tiles, seats swapped
  seed = 1                    # the same seed, the same tiles
  format = "round-robin"      # or "gauntlet": the first engine against each other one;
                              # "swiss": rounds of engines with like results (rounds = 7);
                              # "copies": each engine against itself, which shows what chance does
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

More keys of the file:

  redraws = 16                # each draw is compared with this many others, and its luck subtracted
  count_turns = true          # exchanges, and plays that leave points on the table
  processors = 1              # reserved for each pair
  [game]                      # lexicon, letters, layout, bonus; challenge = "single" (or void,
                              # double, triple, 5pt, 10pt); starts = ["openings.cgp"]: positions
                              # that games begin from, a CGP a line, or .gcg with start_turn = 3
  [sprt]                      # of two engines: ends the tournament when it is decided
  test = "elo:0,10"           # or "spread:0,5", or with redraws "adjusted:0,5"; alpha, beta
  [patience]                  # handshake_ms, newgame_ms, ready_ms, stop_ms, quit_ms

and of an engine: a time of its own, as time = { move_ms = 100 }; go (words behind each go);
memory_mb (the most that its processes may have together); stderr (a file that its standard error
is appended to; else it is lost); phonies = true (it may play invalid words, and the arbiter
challenges them). Paths begin from the folder of the file.

UCGI engines are told clocks. SIU has none: of a game's clock a turn gets the share that
`go auto` would take, as movetime. So does a process a turn.

A fault loses the game, by 50 points if it was not lost by more: start, refused, died, closed,
silent, late, illegal, tiles, word, flood, twice, memory, children (a process a turn has left some
behind). The engine is started anew, and the journal has the reason.

Every pair is in the journal and on the disk before it counts. A run that was interrupted,
killed or out of disk goes on with --resume, which refuses another tournament and names the key
that differs; only pairs (in a Swiss tournament rounds) and concurrency may change. The exit status
is 0 when the tournament is over (all pairs are played, or the test is decided), 130 after an
interrupt, 1 after an error.

Flags can change keys of the file, or stand for it:

  tilewright tournament --engine static --engine sim:iterations=200 --set pairs=10

Example: tilewright tournament scripts/tournaments/tournament.toml
"#;

/// The tournament, its journal, and what is made of it.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = format!("{TEACHING}\n{}", players::spec::help()))]
pub struct TournamentArguments {
    /// What is played.
    #[command(flatten)]
    pub source: TournamentSource,
    /// The journal, a JSON line a pair [default: the file's name with .journal instead of .toml, in the current folder].
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,
    /// Go on with the tournament in the journal, if it is there.
    #[arg(long)]
    pub resume: bool,
    /// Write over a journal, records of games and a page that are there.
    #[arg(long, conflicts_with = "resume")]
    pub force: bool,
    /// Play nothing: report what the journal holds, also while it is written. Then --force is about records and page alone.
    #[arg(long, conflicts_with = "resume")]
    pub report: bool,
    /// The part that is played here.
    #[command(flatten)]
    pub part: ShardArguments,
    /// What is written beside the report.
    #[command(flatten)]
    pub outputs: OutputArguments,
}

impl TournamentArguments {
    fn journal_path(&self) -> PathBuf {
        self.journal.clone().unwrap_or_else(|| self.source.name().with_extension("journal"))
    }

    fn outputs(&self) -> Result<TournamentOutputs> {
        let overwrite = if self.force || self.resume { Overwrite::Allowed } else { Overwrite::Never };
        TournamentOutputs::open(&self.outputs, overwrite)
    }
}

/// Plays a tournament. Ctrl-C interrupts it; moves under way are broken off.
///
/// # Errors
/// Those of [`play`].
pub fn run(arguments: &TournamentArguments, say: LinePrinter<'_>) -> Result<()> {
    if arguments.report {
        return report_alone(arguments, say);
    }
    let signals = Arc::new(Signals::default());
    long_run::end_when_interrupted(&signals)?;
    let warden = Arc::new(Warden::start()?);
    let end = play(arguments, &signals, Some(&warden), &long_run::this_command(GoingOn::Resume), say)?;
    drop(warden);
    if end == TournamentEnd::Interrupted {
        std::process::exit(INTERRUPTED);
    }
    Ok(())
}

/// Plays a tournament until it is over or the signals end it. `command` is the one that the user is told to go on with.
///
/// # Errors
/// A file that says what cannot be, an engine that cannot be used, a journal of another tournament, a disk that is full.
pub fn play(
    arguments: &TournamentArguments,
    signals: &Signals,
    warden: Option<&Arc<Warden>>,
    command: &str,
    say: LinePrinter<'_>,
) -> Result<TournamentEnd> {
    let opened = OpenedTournament::open(arguments.source.read()?)?;
    let setting = &opened.file.setting;
    let surroundings = ProgramSurroundings { folder: &opened.file.folder, patience: &setting.patience, warden, given_up: signals };
    let names = check_engines(&opened, surroundings, signals)?;
    let processors = setting.processors.map(|each| machine::shares(setting.concurrency, each)).transpose()?;
    let existing = ExistingJournal::of_flags(arguments.resume, arguments.force);
    let mut outputs = arguments.outputs()?;
    let desk = PairingDesk::new(opened.pairings());
    let mut course = opened.course(&desk, outputs.needs_pairs())?;
    let shard = arguments.part.shard;
    check_shard(shard, &course, outputs.needs_pairs())?;
    let mut header_after = |begun: Option<&TournamentHeader>| {
        let machine = match begun {
            Some(begun) => begun.machine,
            None => Some(machine::speed(&opened.game, setting.concurrency)?),
        };
        Ok(TournamentHeader { machine, ..opened.header(&names)? })
    };
    let path = arguments.journal_path();
    let (header, journal) =
        JournalFile::open(&path, "--journal", existing, course.total, &mut header_after, &mut |_, pair| course.add_earlier(pair))?;
    say_aside(&format!("if interrupted, go on with: {command}"));
    let hall = Hall {
        opened: &opened,
        luck: setting.redraws.filter(|&redraws| redraws > 0).map(|redraws| opened.game.luck(redraws)).transpose()?,
        surroundings,
        thought_ns: AtomicU64::new(0),
        beyond_ns: AtomicU64::new(0),
    };
    let total = course.total;
    let turns = course.standings.totals().iter().map(|totals| totals.turns).sum();
    let run = RunStart { wall: Instant::now(), cpu: ProcessTime::try_now().ok(), pairs: course.standings.pairs(), turns };
    // A shard of a Swiss tournament has its pairs of the rounds that are known.
    let is_begun = |pair: &u64| shard.is_none() || desk.is_known(*pair);
    let left: Vec<u64> = journal.left(0..total, shard).into_iter().filter(is_begun).collect();
    let mut journal = Some(journal);
    if course.end() == TournamentEnd::Interrupted {
        let (threads, processors) = (AtomicUsize::new(0), processors.as_deref().unwrap_or_default());
        let make_worker = || {
            // Processes that a thread starts are kept where it is.
            if let Some(own) = processors.get(threads.fetch_add(1, Ordering::Relaxed)) {
                machine::keep_to(own);
            }
            let (mut runner, desk) = (PairRunner::new(&hall), &desk);
            move |pair| runner.pair(pair, desk.pairing(pair, signals)?)
        };
        let part = (shard, left.len() as u64);
        let mut keeper = PairKeeper::new(&mut course, journal, &opened.file.competitors, command, part);
        in_order(&left, setting.concurrency, signals, &make_worker, &mut |pairs| {
            let flow = keeper.add(pairs, &mut Ok);
            keeper.tell();
            flow
        });
        journal = keeper.finish()?;
    }
    if let (Some(shard), Some(journal)) = (shard, &journal) {
        say(&journal.shard_line(shard, total))?;
        if journal.left(0..total, Some(shard)).iter().any(is_begun) {
            say(&format!("interrupted; go on with: {command}"))?;
            return Ok(TournamentEnd::Interrupted);
        }
        if (0..total).any(|pair| !desk.is_known(pair)) {
            say("the next round follows from all pairs of this one: join the shards with --partial, and go on with the joined journal")?;
        }
        return Ok(TournamentEnd::ShardDone);
    }
    let end = course.end();
    let runner = runner_line(&run, &hall, &course.standings);
    let told = match end {
        TournamentEnd::AllPairs => format!("over: all {total} pairs are played"),
        TournamentEnd::Decided => format!("over: the test is decided after {} of {total} pairs", course.standings.pairs()),
        TournamentEnd::Interrupted | TournamentEnd::ShardDone => {
            format!("interrupted after {} of {total} pairs; go on with: {command}", course.standings.pairs())
        }
    };
    finish(&mut outputs, &opened.played(), &header, &course, &[runner, told], say)?;
    Ok(end)
}

/// Whether a part of a tournament can be played alone.
fn check_shard(shard: Option<Shard>, course: &TournamentCourse<'_>, outputs: PairRemembering) -> Result<()> {
    let is_whole = shard.is_none();
    ensure!(
        is_whole || course.sprt.is_none(),
        "--shard: a test ends the tournament after some pair, which depends on all pairs before it: leave [sprt] out, join the shards, and then \
         use `tilewright sprt`"
    );
    ensure!(
        is_whole || outputs == PairRemembering::Forgotten,
        "--shard: tables, pages and records are made of the joined journal, with --report"
    );
    Ok(())
}

/// Report and records of the games. `ending` are lines about the run that ended.
fn finish(
    outputs: &mut TournamentOutputs,
    played: &PlayedGame<'_>,
    header: &TournamentHeader,
    course: &TournamentCourse<'_>,
    ending: &[String],
    say: LinePrinter<'_>,
) -> Result<()> {
    outputs.write(played, header, course, ending)?;
    let competitors = played.competitors;
    let lines = text::lines(header, competitors, &course.standings, course.sprt.as_ref());
    lines.into_iter().chain(text::script_lines(competitors, &course.standings)).try_for_each(|line| say(&line))?;
    ending.iter().try_for_each(|line| say(line))?;
    Ok(())
}

/// The report of a journal, without playing. A description of the tournament is compared with the journal, and not needed.
fn report_alone(arguments: &TournamentArguments, say: LinePrinter<'_>) -> Result<()> {
    let described = (!arguments.source.is_empty()).then(|| OpenedTournament::open(arguments.source.read()?)).transpose()?;
    let mut outputs = arguments.outputs()?;
    let path = arguments.journal_path();
    let mut is_this = |there: &TournamentHeader| match &described {
        Some(opened) => check_header(&path, there, &opened.header(&there.identities)?),
        None => Ok(()),
    };
    let mut pairs = Vec::new();
    let head = read_journal(&path, &mut is_this, &mut |_, pair| pairs.push(pair))?;
    pairs.sort_by_key(|pair: &PairRecord| pair.pair);
    let (header, last) = (head.identity, pairs.last().map_or(0, |last| last.pair + 1));
    let folder = match &described {
        Some(opened) => opened.file.folder.clone(),
        None => current_folder()?,
    };
    let told = ToldTournament::of_header(&header, head.pieces.max(last), &folder, outputs.needs_pairs());
    let told = told.with_context(|| path.display().to_string())?;
    let (setting, competitors, rules) = (&told.setting, &told.competitors, &told.rules);
    let rounds = setting.rounds.unwrap_or(1);
    let desk = PairingDesk::new(Pairings::new(setting.format, competitors.len(), setting.pairs, rounds));
    let standings = TournamentStandings::of(competitors.len(), rules.objective());
    let mut course = TournamentCourse::new(standings, &desk, setting.sprt()?, outputs.needs_pairs());
    pairs.iter().for_each(|pair| course.count(pair));
    let played = PlayedGame { rules, opcodes: &told.opcodes, seed: setting.seed, competitors };
    finish(&mut outputs, &played, &header, &course, &[], say)
}

/// What a run has begun with.
struct RunStart {
    wall: Instant,
    cpu: Option<ProcessTime>,
    pairs: u64,
    turns: u64,
}

/// What the runner itself took of the machine while it played, without the players of this program, which think in its process.
fn runner_line(run: &RunStart, hall: &Hall<'_>, standings: &TournamentStandings) -> String {
    let wall = run.wall.elapsed().as_secs_f64().max(1e-9);
    let cpu = run.cpu.and_then(|cpu| cpu.try_elapsed().ok()).map_or(0.0, |cpu| cpu.as_secs_f64());
    let [thought, beyond] = [&hall.thought_ns, &hall.beyond_ns].map(|ns| ns.load(Ordering::Relaxed) as f64 / 1e9);
    let own = (cpu - thought).max(0.0);
    let turns = standings.totals().iter().map(|totals| totals.turns).sum::<u64>() - run.turns;
    let [own_ms, beyond_ms] = [own, beyond].map(|seconds| 1000.0 * seconds / turns.max(1) as f64);
    let share = 100.0 * own / wall;
    let pairs = standings.pairs() - run.pairs;
    format!(
        "runner: {share:.2} % of one processor, {own_ms:.3} ms of it a turn, without what players of this program thought; a turn took \
         {beyond_ms:.2} ms beyond its engine's own time; pairs: {pairs} in {wall:.1} s"
    )
}
