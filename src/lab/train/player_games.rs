//! The commands of `tilewright lab train` that watch a player's games against itself: `opponents` and `quantiles`.
//!
//! `opponents` can keep a journal, in which a piece has the sums of some games. An interrupted run continues from there, and several machines
//! can share the pieces. Not here: the counting (`training/opponents.rs`, `training/quantiles.rs`). Start with [`WatchedGames::open`].

use crate::host::game_arguments::{GameArguments, OpenedGame};
use crate::host::long_run;
use crate::host::output::{LinePrinter, RunProgress};
use crate::host::piece_run::{FinishedRun, PieceRun, TrainingArguments};
use crate::match_play::game::GameLoop;
use crate::match_play::journal::JournalHeader;
use crate::match_play::pairs::Contestant;
use crate::players::{Player, PlayerSpec};
use crate::search::OpponentModel;
use crate::search::budget::Signals;
use crate::training::opponents::{BAG_BINS, Cell, MODELS, OpponentGames, OpponentSums, Trials};
use crate::training::quantiles::PlayScores;
use anyhow::{Result, ensure};
use rayon::ThreadPool;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::PathBuf;

/// Games of a piece of `opponents`.
const JUDGED_AT_ONCE: u64 = 8;

/// Games of `quantiles` between two lines of progress.
const COUNTED_AT_ONCE: u64 = 500;

/// A player's games against itself, to be watched.
struct WatchedGames {
    /// The game.
    game: OpenedGame,
    /// The player.
    contestant: Contestant,
    games: u64,
    seed: u64,
    pool: ThreadPool,
}

impl WatchedGames {
    /// Prepares this many games of a player against itself.
    ///
    /// # Errors
    /// A file cannot be read, or threads cannot be started.
    fn open(game: &GameArguments, threads: Option<u16>, player: &PlayerSpec, games: u64, seed: u64) -> Result<WatchedGames> {
        let game = game.open()?;
        let contestant = game.contestant(player)?;
        Ok(WatchedGames { game, contestant, games, seed, pool: long_run::pool(threads)? })
    }

    /// Watches all games on all threads, `at_once` games between two lines of progress. `start` makes a thread's watcher, and `watch` gets the
    /// seed and number of a game. The results of `at_once` games go to `tell` together, in the order of the games.
    fn watch<W, S: Send>(
        &self,
        at_once: u64,
        start: impl Fn() -> W + Sync + Send,
        watch: impl Fn(&mut W, u64, u64) -> S + Sync + Send,
        mut tell: impl FnMut(&[S]),
    ) {
        let mut played = 0;
        let mut progress = RunProgress::new("games", played, self.games);
        while played < self.games {
            let next = self.games.min(played + at_once);
            let games = (played..next).into_par_iter().map_init(&start, |watcher, index| watch(watcher, self.seed, index));
            let of_games: Vec<S> = self.pool.install(|| games.collect());
            played = next;
            tell(&of_games);
            progress.tell(played);
        }
    }

    /// Returns the first line of a report.
    fn headline(&self) -> String {
        let WatchedGames { contestant, games, seed, .. } = self;
        format!("{}: {games} games against itself, seed {seed}, {}", contestant.spec, self.game.heading())
    }

    /// Describes everything that determines the games, without their number.
    fn asked(&self) -> String {
        let WatchedGames { contestant, seed, .. } = self;
        let evaluator = &contestant.engine.knowledge().evaluator;
        let tables = format!("leaves {} winpct {}", evaluator.leaves_id(), evaluator.win_id());
        format!("{} {tables} seed {seed} {}", contestant.spec, self.game.heading())
    }
}

/// The player whose games `opponents` evaluates, and the models.
#[derive(clap::Args, Clone, Debug)]
pub struct OpponentArguments {
    /// The player, named as in `match`.
    pub player: PlayerSpec,
    /// Number of games to evaluate.
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Evaluate every n-th turn of a game, beginning with a different turn in each game. With 1, all turns.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=20))]
    pub every: u8,
    /// The most racks to try for a turn. If more are possible, this many are drawn at random.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=200_000))]
    pub racks: u32,
    /// Number of turns before the last one that also count. Each makes the run some thirty times as long.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=7))]
    pub earlier: u8,
    /// Number of racks to simulate briefly, likeliest first. A simulated rack takes some thousand times as long as another.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=2000))]
    pub simulated: u16,
    /// Also write the report to this file. The same command with the same file continues an interrupted run.
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// Where pieces are kept if there is such a file, and the part to evaluate.
    #[command(flatten)]
    pub training: TrainingArguments,
    /// Seed of the games.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// The identity of an evaluation: the first line of its journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct OpponentHeader {
    /// The program's version.
    tilewright: String,
    /// The settings as in the report, without the number of games.
    asked: String,
}

/// The sums of some games.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct OpponentPiece {
    games: u64,
    sums: OpponentSums,
}

impl JournalHeader for OpponentHeader {
    type Entry = OpponentPiece;

    const KIND: &'static str = "opponents";

    const RUN: &'static str = "judgement of models";

    const ENTRY: &'static str = "part";
}

/// Returns the games of a piece.
fn games_of(piece: u64, games: u64) -> Range<u64> {
    piece * JUDGED_AT_ONCE..games.min((piece + 1) * JUDGED_AT_ONCE)
}

/// Plays and prints the report.
///
/// # Errors
/// A file cannot be read, or `say` fails.
pub fn opponents(arguments: &OpponentArguments, game: &GameArguments, threads: Option<u16>, say: LinePrinter<'_>) -> Result<()> {
    let games = WatchedGames::open(game, threads, &arguments.player, arguments.games, arguments.seed)?;
    let judge = games.game.own_engine()?;
    let OpponentArguments { every, racks, earlier, simulated, .. } = *arguments;
    let trials = Trials {
        every: usize::from(every),
        most_racks: racks as usize,
        earlier_turns: usize::from(earlier),
        simulated: usize::from(simulated),
    };
    let start = || OpponentGames::new(&games.contestant, &judge, trials);
    let of_turns = if every == 1 { String::new() } else { format!("one turn in {every}, ") };
    let limits = format!("{of_turns}at most {racks} racks against a turn, {simulated} of them simulated, {earlier} turns before it count");
    let asked = format!("{} {limits}", games.asked());
    let (training, pieces) = (&arguments.training, arguments.games.div_ceil(JUDGED_AT_ONCE));
    let mut out = arguments.out.as_ref().map(|path| training.claim(path)).transpose()?;
    let header = OpponentHeader { tilewright: env!("CARGO_PKG_VERSION").to_string(), asked };
    let mut run = PieceRun::of_training(training, arguments.out.as_deref(), &header, pieces)?;
    for (number, piece) in run.done() {
        let expected = games_of(number, arguments.games).count() as u64;
        ensure!(piece.games <= expected, "part {number} of the journal has games beyond the {} asked for", arguments.games);
        ensure!(
            piece.games == expected,
            "part {number} of the journal has {} games, expected {expected}: it was begun with other --games",
            piece.games
        );
    }
    let left = run.left();
    let judge_piece = |watcher: &mut OpponentGames<'_>, game| OpponentGames::watch(watcher, arguments.seed, game);
    let mut progress = RunProgress::new("games", 0, left.iter().map(|&piece| games_of(piece, arguments.games).count() as u64).sum());
    let mut played = 0;
    for number in left {
        let range = games_of(number, arguments.games);
        let of_games: Vec<OpponentSums> = games.pool.install(|| range.clone().into_par_iter().map_init(start, judge_piece).collect());
        let mut sums = OpponentSums::default();
        of_games.iter().for_each(|of_game| sums.add(of_game));
        let piece = OpponentPiece { games: of_games.len() as u64, sums };
        played += piece.games;
        run.keep(number, piece)?;
        progress.tell(played);
    }
    let (done, journal) = match run.finish() {
        FinishedRun::Whole(done, journal) => (done, journal),
        FinishedRun::Shard(line) => return Ok(say(&line)?),
    };
    // The order of the pieces matters, since sums of fractions depend on it.
    let mut sums = OpponentSums::default();
    done.iter().for_each(|piece| sums.add(&piece.sums));
    let mut lines = vec![games.headline(), limits];
    // Without simulations, the model that simulates is the same as the static one.
    let shown = |model: &OpponentModel| *model != OpponentModel::Sim || simulated > 0;
    let shown: Vec<usize> = (0..MODELS.len()).filter(|&at| shown(&MODELS[at])).collect();
    lines.extend(report(&sums, &shown));
    lines.iter().try_for_each(|line| say(line))?;
    if let (Some(out), Some(journal)) = (&mut out, journal) {
        out.write(format!("{}\n", lines.join("\n")))?;
        training.finish(journal)?;
    }
    Ok(())
}

/// Returns the table and the lists after it, for these models.
fn report(sums: &OpponentSums, shown: &[usize]) -> Vec<String> {
    let models: Vec<String> = shown.iter().map(|&at| format!("{:>16}{:>11}", MODELS[at].name(), "excluded")).collect();
    let mut lines =
        vec![format!("{:<22}{:>8}{:>9}{}{:>13}{:>7}{:>8}", "turns", "number", "prior", models.concat(), "temperature", "floor", "gains")];
    lines.push(row("all", shown, &OpponentSums::total(sums.cells.as_flattened())));
    for (at, cells) in sums.cells.iter().enumerate() {
        let most = BAG_BINS.get(at + 1).map_or(String::new(), |next| (next - 1).to_string());
        lines.push(row(&format!("{}-{most} in the bag", BAG_BINS[at]), shown, &OpponentSums::total(cells)));
    }
    for placed in 0..sums.cells[0].len() {
        let cells = sums.cells.iter().map(|cells| &cells[placed]);
        lines.push(row(&format!("{} placed", placed + 1), shown, &OpponentSums::total(cells)));
    }
    for (model, reliability) in shown.iter().map(|&at| (MODELS[at].name(), &sums.reliability[at])) {
        let (error, brier) = (reliability.mean_error(), reliability.brier());
        lines.push(String::new());
        lines.push(format!("{model}: chances that a tile was kept, mean error {error:.4}, Brier score {brier:.5}"));
        lines.push("from   predicted   happened    tiles".to_string());
        let bin_lines = reliability.bins();
        lines.extend(bin_lines.map(|bin| format!("{:.2} {:>11.4} {:>10.4} {:>8}", bin.from, bin.predicted, bin.happened, bin.count)));
    }
    lines
}

/// Returns a line of the table: bits per turn, and shares of the turns.
fn row(name: &str, shown: &[usize], cell: &Cell) -> String {
    if cell.turns == 0 {
        return format!("{name:<22}{:>8}", cell.turns);
    }
    let turns = cell.turns as f64;
    let models = shown.iter().map(|&at| (cell.gained[at], cell.excluded[at]));
    let models = models.map(|(bits, excluded)| format!("{:>16.3}{:>10.1}%", bits / turns, 100.0 * excluded as f64 / turns));
    let fit = cell.best_fit().map_or(String::new(), |fit| format!("{:>13}{:>7}{:>8.3}", fit.temperature, fit.floor, fit.bits));
    format!("{name:<22}{:>8}{:>9.2}{}{fit}", cell.turns, cell.prior_bits / turns, models.collect::<String>())
}

/// The player whose plays `quantiles` counts.
#[derive(clap::Args, Clone, Debug)]
pub struct QuantileArguments {
    /// The player, named as in `match`.
    #[arg(default_value = "greedy")]
    pub player: PlayerSpec,
    /// Number of games to count.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Seed of the games.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Plays and prints the table.
///
/// # Errors
/// A file cannot be read, or `say` fails.
pub fn quantiles(arguments: &QuantileArguments, game: &GameArguments, threads: Option<u16>, say: LinePrinter<'_>) -> Result<()> {
    let games = WatchedGames::open(game, threads, &arguments.player, arguments.games, arguments.seed)?;
    let engine = &games.contestant.engine;
    let (rules, knowledge) = (engine.rules(), engine.knowledge());
    let distribution = &rules.distribution;
    let start = || (GameLoop::new(rules, knowledge.lexicon.graph()), arguments.player.player(rules, knowledge));
    let mut scores = PlayScores::new(distribution);
    let watch = |(games, player): &mut (GameLoop<'_>, Box<dyn Player + '_>), seed, index| {
        games.play(seed, index, &Signals::default(), |board, view| player.choose(board, view));
        let mut scores = PlayScores::new(distribution);
        games.plays().iter().for_each(|play| scores.add_play(&play.play, play.score));
        scores
    };
    games.watch(COUNTED_AT_ONCE, start, watch, |of_games| of_games.iter().for_each(|of_game| scores.add(of_game)));
    say(&games.headline())?;
    say(&format!("{:<5}{:>9}{:>8}{:>8}{:>8}", "tile", "plays", "25 %", "50 %", "75 %"))?;
    let row = |name: &str, plays: u64, quantile: &dyn Fn(f64) -> Option<i32>| {
        let cell = |share: f64| quantile(share).map_or("-".to_string(), |score| score.to_string());
        format!("{name:<5}{plays:>9}{:>8}{:>8}{:>8}", cell(0.25), cell(0.5), cell(0.75))
    };
    for tile in distribution.tiles() {
        say(&row(&distribution.tiles_text([tile]), scores.plays(tile), &|share| scores.quantile(tile, share)))?;
    }
    let plays = distribution.tiles().map(|tile| scores.plays(tile)).sum();
    say(&row("all", plays, &|share| scores.quantile_of_all(share)))?;
    Ok(())
}
