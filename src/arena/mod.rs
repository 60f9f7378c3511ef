//! `tilewright tournament <file>`: matches of engines by any author, with hidden racks and real
//! clocks. Opponents play on the same tiles.
//!
//! Not here: everything that needs neither processes nor clocks (`tournament/`). Start with [`run`].

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

/// The end of the help text.
const TEACHING: &str = r#"A tournament is a file:

  pairs = 100                 # per meeting: two games each, on the same tiles with seats swapped
  seed = 1                    # the same seed gives the same tiles
  format = "round-robin"      # or "gauntlet": the first engine meets each other one;
                              # "swiss": rounds of engines with similar results (rounds = 7);
                              # "copies": each engine meets itself, which shows the effect of chance
  concurrency = 2             # pairs played at the same time

  [time]                      # one of game_ms, move_ms, nodes; without any, the engines' own limits
  game_ms = 60000             # for all turns of a player; increment_ms is added after each turn
  overtime = "loss"           # or "points": overtime_points (10) for each minute begun
  margin_ms = 100             # allowance for delivery

  [[engines]]
  name = "mine"
  dialect = "siu"             # or "ucgi", or "exec": one process per turn, CGP and ms in, move out
  command = "./my_engine"     # with args, folder, environment; without it, this program itself
  options = { Threads = 1 }   # sent by setoption; checked before the first game
  positions = "whole"         # or "moves" from the start of the game, for engines that infer

  [[engines]]
  name = "static"
  player = "static"           # a player of this program

More keys of the file:

  redraws = 16                # compares each draw with this many others, and subtracts its luck
  count_turns = true          # counts exchanges, and plays that leave points on the table
  processors = 1              # reserved for each pair
  [game]                      # lexicon, letters, layout, bonus; challenge = "single" (or void,
                              # double, triple, 5pt, 10pt); starts = ["openings.cgp"]: positions
                              # that games begin from, a CGP a line, or .gcg with start_turn = 3
  [sprt]                      # a test that ends a tournament of two engines when it is decided
  test = "elo:0,10"           # or "spread:0,5", or with redraws "adjusted:0,5"; alpha, beta
  [patience]                  # handshake_ms, newgame_ms, ready_ms, stop_ms, quit_ms

More keys of an engine: time = { move_ms = 100 } (a time of its own); go (words after each go);
memory_mb (the most memory of all its processes together); stderr (a file to which its standard
error is appended; without it, standard error is lost); phonies = true (it may play invalid words,
which the arbiter challenges). Paths are relative to the folder of the file.

UCGI engines receive clocks. SIU has no clocks: an engine gets a movetime instead, the share of the
game's clock that `go auto` would take. "exec" engines get the same share.

A fault loses the game, by at least 50 points: start, refused, died, closed, silent, late, illegal,
tiles, word, flood, twice, memory, children (the process of a turn left others behind). The engine
is then restarted, and the journal has the reason.

Every pair is in the journal and on the disk before it counts. --resume continues a run that was
interrupted, killed or out of disk space. It refuses another tournament and names the key that
differs. Only pairs (in a Swiss tournament, rounds) and concurrency may change. The exit status is 0
when the tournament is over (all pairs are played, or the test is decided), 130 after an interrupt,
and 1 after an error.

Flags can change keys of the file, or replace it:

  tilewright tournament --engine static --engine sim:iterations=200 --set pairs=10

Example: tilewright tournament scripts/tournaments/tournament.toml
"#;

/// The tournament, its journal, and its outputs.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = format!("{TEACHING}\n{}", players::spec::help()))]
pub struct TournamentArguments {
    /// The description of the tournament.
    #[command(flatten)]
    pub source: TournamentSource,
    /// The journal, one JSON line per pair [default: the file's name with .journal instead of .toml, in the current folder].
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,
    /// Continue the tournament in the journal, if the journal exists.
    #[arg(long)]
    pub resume: bool,
    /// Overwrite an existing journal, game records and a page.
    #[arg(long, conflicts_with = "resume")]
    pub force: bool,
    /// Report on the journal without playing, even while a tournament writes it. Then --force applies only to records and page.
    #[arg(long, conflicts_with = "resume")]
    pub report: bool,
    /// The part to play.
    #[command(flatten)]
    pub part: ShardArguments,
    /// The files to write in addition to the report.
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

/// Plays a tournament. Ctrl-C interrupts it, and also the moves under way.
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

/// Plays a tournament until it is over or the signals end it. `command` is the command that resumes it, for messages.
///
/// # Errors
/// The file is invalid, an engine cannot be used, the journal belongs to another tournament, or the disk is full.
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
    // A shard of a Swiss tournament has only pairs of known rounds.
    let is_begun = |pair: &u64| shard.is_none() || desk.is_known(*pair);
    let left: Vec<u64> = journal.left(0..total, shard).into_iter().filter(is_begun).collect();
    let mut journal = Some(journal);
    if course.end() == TournamentEnd::Interrupted {
        let (threads, processors) = (AtomicUsize::new(0), processors.as_deref().unwrap_or_default());
        let make_worker = || {
            // Processes that a thread starts stay on its processors.
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
            say("the next round depends on all pairs of this one: join the shards with --partial, then --resume with the joined journal")?;
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

/// Checks that the tournament can be played in parts: it has no test, and no outputs of all pairs.
fn check_shard(shard: Option<Shard>, course: &TournamentCourse<'_>, outputs: PairRemembering) -> Result<()> {
    let is_whole = shard.is_none();
    ensure!(
        is_whole || course.sprt.is_none(),
        "--shard: a test depends on all pairs, so a part of a tournament cannot have one: leave [sprt] out, join the shards, then use \
         `tilewright sprt`"
    );
    ensure!(
        is_whole || outputs == PairRemembering::Forgotten,
        "--shard writes no tables, pages and records: join the journals, then use --report"
    );
    Ok(())
}

/// Writes the outputs and prints the report. `ending` has lines about the end of the run.
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

/// Reports on a journal without playing. The tournament need not be described; a description is compared with the journal.
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

/// The state at the beginning of a run.
struct RunStart {
    wall: Instant,
    cpu: Option<ProcessTime>,
    pairs: u64,
    turns: u64,
}

/// Reports the runner's own use of the machine, without this program's players, which think in the same process.
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
        "runner: {share:.2} % of one processor, {own_ms:.3} ms a turn, not counting players of this program; overhead of a turn: \
         {beyond_ms:.2} ms; {pairs} pairs in {wall:.1} s"
    )
}
