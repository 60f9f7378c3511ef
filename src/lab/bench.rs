//! `tilewright lab bench [threads] [seconds] [--lexicon <path>]`: the engine's signature and speed.
//! The signature is a hash of its results.
//!
//! The signature is the same for any number of threads and any machine. If it changes, results have changed. It is followed by lines
//! `metric <name> <value>`, each measured for about `seconds`.

use crate::engine::Engine;
use crate::engine::tables::{NONE, TableNames};
use crate::evaluation::StaticEval;
use crate::evaluation::static_eval::StaticTurn;
use crate::formats::{cgp, kwg};
use crate::host::game_arguments::{GameArguments, OpenedGame};
use crate::host::output::{LinePrinter, error_text};
use crate::host::private_files;
use crate::lab::selfplay::StaticGames;
use crate::lexicon::Lexicon;
use crate::match_play::game::{GameLoop, SelfPlay};
use crate::movegen::LaneBoard;
use crate::processes::group::this_program_again;
use crate::protocol::resources::BenchError;
use crate::rules::fingerprint::Fingerprint;
use crate::rules::notation::play_text;
use crate::rules::{GameRules, Letter, LetterDistribution, Play, Position, Rack, Turn};
use crate::search::budget::Signals;
use crate::search::limits::MOST_THREADS;
use crate::search::report::Report;
use crate::search::{
    Allocation, Analysis, EndgameOptions, InferenceOptions, ObservedTurn, OpponentModel, PreEndgameOptions, RunSettings, SearchPosition,
    SearchRequest, SimulationOptions,
};
use anyhow::{Context, Result};
use clap::Parser;
use std::path::Path;
use std::time::{Duration, Instant};

/// The positions of the generation oracle, from empty to full boards, in its first column.
const POSITIONS: &str = include_str!("data/movegen_enable.tsv");

/// The boards on which simulations are timed: names and CGPs. Simulations of other engines were measured on the last two.
const TIMED: [(&str, &str); 3] = [
    ("empty", "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0"),
    ("m1", include_str!("data/midgame_m1.cgp").trim_ascii()),
    ("m2", include_str!("data/midgame_m2.cgp").trim_ascii()),
];

/// Seed and number of the games from which positions come if the positions above do not fit the letters or the board.
const OWN_SEED: u64 = 1;
const OWN_GAMES: u64 = 8;

/// One in this many positions is simulated for the signature.
const SIMULATED: usize = 30;

/// Iterations of those simulations.
const ITERATIONS: u64 = 40;

/// Limits of the searches before the memory is measured.
const SEARCHED_ITERATIONS: u64 = 4;
const SEARCHED_NODES: u64 = 300;

/// Returns the tables of the signature, so that it stays the same when other tables are trained.
fn unchanging_tables() -> TableNames {
    let [leaves, win_table, bag, racks] = ["rack-heuristic-3", "logistic", NONE, NONE].map(str::to_string);
    TableNames { leaves, win_table, bag, racks }
}

/// The size and length of the measurement.
#[derive(clap::Args, Clone, Debug)]
pub struct BenchArguments {
    /// Threads of the simulations.
    #[arg(default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    pub threads: u16,
    /// Seconds for each figure.
    #[arg(default_value_t = 2.0)]
    pub seconds: f64,
}

/// The words of the protocol's command `bench`.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct BenchWords {
    #[command(flatten)]
    bench: BenchArguments,
    #[command(flatten)]
    game: GameArguments,
}

/// Runs the protocol's command `bench` with these arguments.
///
/// # Errors
/// The words are invalid, or the measurement fails.
pub fn run_words(words: &[String], signals: &Signals, say: &mut dyn FnMut(String)) -> Result<(), BenchError> {
    let words = BenchWords::try_parse_from(words).map_err(|error| BenchError::Words { reason: error.kind().to_string() })?;
    let mut line = |text: &str| {
        say(text.to_string());
        Ok(())
    };
    run_until_stopped(&words.bench, &words.game, signals, &mut line).map_err(|error| BenchError::Failed { reason: error_text(&error) })
}

/// Prints signature and figures, a line at a time.
///
/// # Errors
/// A file cannot be read, or `say` fails.
pub fn run(arguments: &BenchArguments, game: &GameArguments, say: LinePrinter<'_>) -> Result<()> {
    run_until_stopped(arguments, game, &Signals::default(), say)
}

/// Prints signature and figures until it is stopped. Unfinished figures are not printed.
fn run_until_stopped(arguments: &BenchArguments, game: &GameArguments, signals: &Signals, say: LinePrinter<'_>) -> Result<()> {
    measure(arguments, game, signals, say)?;
    if signals.is_stopped() {
        say("bench stopped: the figures above are complete")?;
    }
    Ok(())
}

fn measure(arguments: &BenchArguments, game: &GameArguments, signals: &Signals, say: LinePrinter<'_>) -> Result<()> {
    let game = game.open()?;
    let (unchanging, engine) = (game.engine(unchanging_tables())?, game.own_engine()?);
    let (threads, seconds) = (usize::from(arguments.threads), arguments.seconds.clamp(0.01, 600.0));
    let positions = BenchPositions::of(&game, &unchanging)?;
    let start_rss = memory_stats::memory_stats();
    let signature = signature(&unchanging, &positions.signed, threads, signals);
    if signals.is_stopped() {
        return Ok(());
    }
    say(&format!("Bench: {signature}"))?;
    let mut metric = |name: &str, value: f64| if signals.is_stopped() { Ok(()) } else { say(&format!("metric {name} {value:.1}")) };
    if let Some(all) = generation(&engine, seconds, Wanted::All, signals) {
        metric("all_plays_us", all.mean_us)?;
        metric("all_plays_mean", all.mean_plays)?;
    }
    if let Some(best) = generation(&engine, seconds, Wanted::Best, signals) {
        metric("best_play_us", best.mean_us)?;
    }
    metric("static_games_per_s", static_games_per_s(&engine, seconds, signals))?;
    for (name, position) in &positions.timed {
        metric(&format!("sim_playouts_per_s_{name}"), playouts_per_s(&engine, position, threads, seconds, signals))?;
    }
    if signals.is_stopped() {
        return Ok(());
    }
    metric("inferred_racks_per_s", inferred_racks_per_s(&engine, &positions, seconds, signals)?)?;
    if signals.is_stopped() {
        return Ok(());
    }
    if let Some(start_ms) = start_ms() {
        metric("start_ms", start_ms)?;
    }
    // The memory is measured with words and tables, and again after searches of all kinds.
    if let Some(memory) = start_rss {
        metric("rss_start_mib", mib(memory.physical_mem))?;
    }
    metric("searched_games", f64::from(searched_games(&engine, threads, seconds, signals)?))?;
    if let Some(memory) = memory_stats::memory_stats() {
        metric("rss_mib", mib(memory.physical_mem))?;
    }
    for (name, ms) in own_list_starts_ms().into_iter().flatten() {
        metric(name, ms)?;
    }
    Ok(())
}

/// The positions of the measurement.
struct BenchPositions {
    /// The positions of the signature.
    signed: Vec<Position>,
    /// The positions that are timed, with names.
    timed: Vec<(&'static str, Position)>,
}

impl BenchPositions {
    /// Returns the positions listed above, or positions from static games if those do not fit the letters or the board.
    fn of(game: &OpenedGame, engine: &Engine) -> Result<BenchPositions> {
        if let Some(listed) = BenchPositions::listed(&game.rules) {
            return Ok(listed);
        }
        let mut games = StaticGames::new(engine, OWN_SEED);
        let games = (0..OWN_GAMES).map(|index| games.all_turns(index)).collect::<Result<Vec<_>>>()?;
        let middle = |turns: &[Position]| turns.get(turns.len() / 2).cloned();
        let timed = [games[0].first().cloned(), middle(&games[0]), middle(&games[1])];
        let timed = TIMED.iter().zip(timed).map(|(&(name, _), position)| Ok((name, position.context("a game without turns")?)));
        Ok(BenchPositions { timed: timed.collect::<Result<_>>()?, signed: games.concat() })
    }

    fn listed(rules: &GameRules) -> Option<BenchPositions> {
        let read = |text: &str| cgp::parse(text, rules).ok().map(|parsed| parsed.position);
        let texts = POSITIONS.lines().skip(1).filter_map(|line| line.split('\t').next());
        let timed = TIMED.iter().map(|&(name, text)| Some((name, read(text)?)));
        Some(BenchPositions { signed: texts.map(read).collect::<Option<_>>()?, timed: timed.collect::<Option<_>>()? })
    }
}

/// Returns number and hash of all plays of all positions, and of the simulations of some positions.
fn signature(engine: &Engine, positions: &[Position], threads: usize, signals: &Signals) -> String {
    let knowledge = engine.knowledge();
    let mut hash = Fingerprint::default();
    let mut add = |line: &str| hash.add(line.bytes().chain([b'\n']));
    let mut count = 0;
    for (at, position) in positions.iter().enumerate().take_while(|_| !signals.is_stopped()) {
        let rules = position.rules();
        let mut eval = StaticEval::new(rules, knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves);
        let mut board = LaneBoard::new(rules, position.board(), knowledge.lexicon.graph());
        let turn = StaticTurn::new(position.mover_rack(), position.opponent_rack(), position.in_bag());
        let plays = eval.all(&mut board, &turn);
        count += plays.len();
        for play in &plays {
            add(&format!("{} {} {}", play_text(&play.play, position.board(), &rules.distribution), play.score, play.equity.0));
        }
        if at % SIMULATED == 0 {
            let request = simulation(position, ITERATIONS, Allocation::Adaptive, threads);
            let outcome = engine.run(&request, signals, &mut |_: Report| {}).expect("the letters are English");
            let Some(report) = outcome.of::<SimulationOptions>().last else { continue };
            add(&report.nodes.to_string());
            for row in report.rows {
                // The values are rounded, since the last bits of an exponential differ between machines.
                let text = play_text(&row.ranked.play, position.board(), &rules.distribution);
                add(&format!("{text} {:.6} {:.3} {}", row.win, row.equity, row.iterations));
            }
        }
    }
    format!("{count}-{:016x}", hash.value())
}

fn simulation(position: &Position, iterations: u64, allocation: Allocation, threads: usize) -> SearchRequest {
    let options = SimulationOptions { iterations: Some(iterations), allocation, ..SimulationOptions::default() };
    let searchable = SearchPosition::new(position.clone()).expect("a game under way, the rack known");
    let settings = RunSettings { threads, ..RunSettings::default() };
    SearchRequest::new(searchable, Analysis::Simulation(options), settings).expect("a simulation needs no more")
}

#[derive(Clone, Copy, PartialEq)]
enum Wanted {
    All,
    Best,
}

/// Measured generations of plays.
#[derive(Clone, Copy, Debug)]
struct Generations {
    mean_us: f64,
    /// The mean number of plays found: all of a turn, or one.
    mean_plays: f64,
}

/// Measures generation on the turns of static games with tiles on the board and in the bag. The board is kept from turn to turn, so the time
/// includes the anchors of the lanes that the last play changed. Returns `None` if no game has such turns, for example with very few tiles.
fn generation(engine: &Engine, seconds: f64, wanted: Wanted, signals: &Signals) -> Option<Generations> {
    let (rules, knowledge) = (engine.rules(), engine.knowledge());
    let graph = knowledge.lexicon.graph();
    let mut eval = StaticEval::new(rules, knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves);
    let mut games = GameLoop::new(rules, graph);
    let (mut spent, mut turns, mut plays, mut index) = (Duration::ZERO, 0u32, 0usize, 0);
    while spent.as_secs_f64() < seconds && !signals.is_stopped() {
        games.play(1, index, signals, |board, view| {
            let is_midgame = view.tiles.in_bag > 0 && !board.is_empty();
            let start = Instant::now();
            let (best, found) = match wanted {
                Wanted::All => {
                    let all = eval.all(board, &view.tiles);
                    (all[0], all.len())
                }
                Wanted::Best => (eval.best(board, &view.tiles), 1),
            };
            let elapsed = start.elapsed();
            if is_midgame {
                spent += elapsed;
                turns += 1;
                plays += found;
            }
            best
        });
        index += 1;
        if turns == 0 && index >= OWN_GAMES {
            return None;
        }
    }
    Some(Generations { mean_us: spent.as_secs_f64() * 1e6 / f64::from(turns), mean_plays: plays as f64 / f64::from(turns) })
}

fn static_games_per_s(engine: &Engine, seconds: f64, signals: &Signals) -> f64 {
    let (rules, knowledge) = (engine.rules(), engine.knowledge());
    let graph = knowledge.lexicon.graph();
    let mut self_play = SelfPlay::new(rules, graph, StaticEval::new(rules, knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves));
    let start = Instant::now();
    let mut games = 0;
    while start.elapsed().as_secs_f64() < seconds && !signals.is_stopped() {
        self_play.play(1, games);
        games += 1;
    }
    games as f64 / start.elapsed().as_secs_f64()
}

/// Measures playouts a second in a simulation of 15 candidates on two plies, all sampled equally often. Each search is twice as long as the
/// one before, so that most of the time goes to a long search.
fn playouts_per_s(engine: &Engine, position: &Position, threads: usize, seconds: f64, signals: &Signals) -> f64 {
    let start = Instant::now();
    let (mut playouts, mut iterations) = (0, 32);
    while start.elapsed().as_secs_f64() < seconds && !signals.is_stopped() {
        iterations *= 2;
        let request = simulation(position, iterations, Allocation::Equal, threads);
        let outcome = engine.run(&request, signals, &mut |_: Report| {}).expect("the letters are English");
        if let Some(report) = outcome.of::<SimulationOptions>().last {
            playouts += report.rows.iter().map(|row| row.iterations).sum::<u64>();
        }
    }
    playouts as f64 / start.elapsed().as_secs_f64()
}

/// Measures how many racks a second inference compares with the best play of five tiles or fewer on
/// the first timed board.
fn inferred_racks_per_s(engine: &Engine, positions: &BenchPositions, seconds: f64, signals: &Signals) -> Result<f64> {
    let (_, before) = positions.timed.first().context("there is a board to measure on")?;
    let plays = engine.static_ranking(before, usize::MAX)?;
    let few = |play: &Play| play.placement().is_some_and(|placement| placement.tile_count() <= 5);
    let turn = Turn::Play(plays.iter().map(|row| row.play).find(few).unwrap_or(Play::Pass));
    let mut after = before.after(&turn)?;
    after.set_rack(before.on_turn(), &Rack::EMPTY)?;
    let observed = vec![ObservedTurn::new(before.clone(), turn)?];
    let inference = InferenceOptions::new(OpponentModel::Static, observed);
    let (start, mut racks) = (Instant::now(), 0);
    while start.elapsed().as_secs_f64() < seconds && !signals.is_stopped() {
        let outcome = engine.search_with(&after, inference.clone(), signals, &mut |_: Report| {})?;
        if let Some(belief) = outcome.last {
            racks += belief.scope.racks;
        }
    }
    Ok(racks as f64 / start.elapsed().as_secs_f64())
}

fn mib(bytes: usize) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// Searches the positions of games for a short time, each by the search of its phase. Returns the number of games, at least one.
fn searched_games(engine: &Engine, threads: usize, seconds: f64, signals: &Signals) -> Result<u32> {
    let engine = engine.with_settings(RunSettings { threads, ..engine.settings() });
    let (start, mut games) = (Instant::now(), 0);
    while games == 0 || start.elapsed().as_secs_f64() < seconds && !signals.is_stopped() {
        for position in StaticGames::new(&engine, OWN_SEED).all_turns(u64::from(games))? {
            let analysis = match engine.phase_analysis(&position)? {
                Analysis::Simulation(options) => {
                    Analysis::Simulation(SimulationOptions { iterations: Some(SEARCHED_ITERATIONS), ..options })
                }
                Analysis::PreEndgame(options) => Analysis::PreEndgame(PreEndgameOptions { nodes: Some(SEARCHED_NODES), ..options }),
                Analysis::Endgame(options) => Analysis::Endgame(EndgameOptions { nodes: Some(SEARCHED_NODES), ..options }),
                other => other,
            };
            engine.search_with(&position, analysis, signals, &mut |_: Report| {})?;
        }
        games += 1;
    }
    Ok(games)
}

/// Measures the time from the start of a process of this program through its `readyok` to its end.
fn start_ms() -> Option<f64> {
    start_with_ms(None, Path::new(""))
}

/// Measures the same time with a user's word list that is as long as the built-in one: as a graph, as words that are compiled, and as words
/// whose graph was kept from the previous start.
fn own_list_starts_ms() -> Option<[(&'static str, f64); 3]> {
    let folder = private_files::folder("tilewright-bench-").ok()?;
    let [graph, words, cache] = ["own.kwg", "own.txt", "cache"].map(|name| folder.path().join(name));
    let (lexicon, english) = (Lexicon::builtin(), LetterDistribution::english());
    let text = |word: Vec<u8>| english.word_text(&word.into_iter().filter_map(Letter::new).collect::<Vec<_>>()) + "\n";
    private_files::write(&folder, "own.kwg", kwg::to_bytes(lexicon.graph())).ok()?;
    private_files::write(&folder, "own.txt", lexicon.list().words().into_iter().map(text).collect::<String>()).ok()?;
    let start = |list: &Path| start_with_ms(Some(list), &cache);
    Some([("start_own_graph_ms", start(&graph)?), ("start_own_words_ms", start(&words)?), ("start_own_words_again_ms", start(&words)?)])
}

fn start_with_ms(list: Option<&Path>, cache: &Path) -> Option<f64> {
    let mut command = this_program_again().ok()?;
    command.args(list.map(|list| format!("setoption name Lexicon value {}", list.display())));
    let start = Instant::now();
    let output = command.arg("isready").env("XDG_CACHE_HOME", cache).output().ok()?;
    output.stdout.starts_with(b"readyok").then(|| start.elapsed().as_secs_f64() * 1e3)
}
