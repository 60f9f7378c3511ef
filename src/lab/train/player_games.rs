//! The commands of `tilewright lab train` that watch a player's games against itself: `opponents` and `quantiles`.
//!
//! What is counted is in `training/opponents.rs` and `training/quantiles.rs`. With a file for the report, `opponents` saves beside it what came of
//! the games after each few of them: a run that is interrupted goes on from there. Start with [`WatchedGames::open`].

use crate::host::game_arguments::{GameArguments, OpenedGame};
use crate::host::long_run::{self, GoingOn};
use crate::host::output::{LinePrinter, RunProgress, say_aside};
use crate::host::output_file::{OverwriteArguments, ResumableFile};
use crate::match_play::game::GameLoop;
use crate::match_play::pairs::Contestant;
use crate::players::{Player, PlayerSpec};
use crate::search::OpponentModel;
use crate::search::budget::Signals;
use crate::training::opponents::{BAG_BINS, Cell, MODELS, OpponentGames, OpponentSums, Trials};
use crate::training::quantiles::PlayScores;
use anyhow::{Context, Result, ensure};
use rayon::ThreadPool;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Games of `opponents` between two lines of progress.
const JUDGED_AT_ONCE: u64 = 8;

/// Games of `quantiles` between two lines of progress.
const COUNTED_AT_ONCE: u64 = 500;

/// A player's games against itself, which are to be watched.
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
    /// This many games of a player against itself.
    ///
    /// # Errors
    /// A file that cannot be read, threads that cannot be had.
    fn open(game: &GameArguments, threads: Option<u16>, player: &PlayerSpec, games: u64, seed: u64) -> Result<WatchedGames> {
        let game = game.open()?;
        let contestant = game.contestant(player)?;
        Ok(WatchedGames { game, contestant, games, seed, pool: long_run::pool(threads)? })
    }

    /// Watches all games but the first `played` ones, on all threads, `at_once` of them between two lines of progress: `start` makes what a
    /// thread plays with, `watch` is given the seed and the number of a game. What came of some games is handed on together, in the order
    /// of the games, since sums of fractions depend on it, with the number of those played by then.
    ///
    /// # Errors
    /// Those of `tell`.
    fn watch<W, S: Send>(
        &self,
        mut played: u64,
        at_once: u64,
        start: impl Fn() -> W + Sync + Send,
        watch: impl Fn(&mut W, u64, u64) -> S + Sync + Send,
        mut tell: impl FnMut(u64, &[S]) -> Result<()>,
    ) -> Result<()> {
        let mut progress = RunProgress::new("games", played, self.games);
        while played < self.games {
            let next = self.games.min(played + at_once);
            let games = (played..next).into_par_iter().map_init(&start, |watcher, index| watch(watcher, self.seed, index));
            let of_games: Vec<S> = self.pool.install(|| games.collect());
            played = next;
            tell(played, &of_games)?;
            progress.tell(played);
        }
        Ok(())
    }

    /// The first line of a report.
    fn headline(&self) -> String {
        let WatchedGames { contestant, games, seed, .. } = self;
        format!("{}: {games} games against itself, seed {seed}, {}", contestant.spec, self.game.heading())
    }

    /// What the first games follow from, however many there will be.
    fn asked(&self) -> String {
        let WatchedGames { contestant, seed, .. } = self;
        let evaluator = &contestant.engine.knowledge().evaluator;
        let tables = format!("leaves {} winpct {}", evaluator.leaves_id(), evaluator.win_id());
        format!("{} {tables} seed {seed} {}", contestant.spec, self.game.heading())
    }
}

/// Whom `opponents` judges.
#[derive(clap::Args, Clone, Debug)]
pub struct OpponentArguments {
    /// The player, as `match` names players.
    pub player: PlayerSpec,
    /// Games to judge by.
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Judge every n-th turn of a game, beginning with another turn in each game. 1: all turns.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=20))]
    pub every: u8,
    /// Try at most this many racks for a turn: all possible ones if there are no more, else as many drawn at random.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=200_000))]
    pub racks: u32,
    /// Turns before the last one that count, too. Each takes some thirty times as long.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=7))]
    pub earlier: u8,
    /// Racks that short simulations are made of, the likeliest first. Each takes some thousand times as long as one that is not simulated.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=2000))]
    pub simulated: u16,
    /// The file that gets the report, too. A run that was interrupted goes on if it is called again with the same file.
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// What happens to a file of that name.
    #[command(flatten)]
    pub overwriting: OverwriteArguments,
    /// Seed of the games.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// What came of the games so far, as it is saved.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OpponentWork {
    /// What was asked, as the report says it, without the number of games.
    asked: String,
    /// Games.
    played: u64,
    sums: OpponentSums,
}

/// Plays and prints the report, a line at a time.
///
/// # Errors
/// A file that cannot be read, or `say`'s.
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
    let mut out = arguments.out.as_ref().map(|path| ResumableFile::claim(path, None, arguments.overwriting.overwrite())).transpose()?;
    let saved = out.as_ref().map(|out| resume(out, &asked, arguments.games)).transpose()?.flatten();
    if out.is_some() {
        say_aside(&format!("if interrupted, go on with: {}", long_run::this_command(GoingOn::Same)));
    }
    let mut work = saved.unwrap_or(OpponentWork { asked, played: 0, sums: OpponentSums::default() });
    games.watch(work.played, JUDGED_AT_ONCE, start, OpponentGames::watch, |played, of_games| {
        of_games.iter().for_each(|of_game| work.sums.add(of_game));
        work.played = played;
        out.as_mut().map_or(Ok(()), |out| out.work.save(serde_json::to_vec(&work)?))
    })?;
    let mut lines = vec![games.headline(), limits];
    // Without simulations the model that simulates is the static one.
    let shown = |model: &OpponentModel| *model != OpponentModel::Sim || simulated > 0;
    let shown: Vec<usize> = (0..MODELS.len()).filter(|&at| shown(&MODELS[at])).collect();
    lines.extend(report(&work.sums, &shown));
    lines.iter().try_for_each(|line| say(line))?;
    if let Some(out) = &mut out {
        out.write(format!("{}\n", lines.join("\n")))?;
        out.work.clear()?;
    }
    Ok(())
}

/// What a run saved before, if it did.
fn resume(out: &ResumableFile, asked: &str, games: u64) -> Result<Option<OpponentWork>> {
    let Some(saved) = out.work.read()? else { return Ok(None) };
    let goes_on = || -> Result<OpponentWork> {
        let work: OpponentWork = serde_json::from_slice(&saved)?;
        ensure!(work.asked == asked, "it is of {:?}, not of {asked:?}", work.asked);
        ensure!(work.played <= games, "it has {} games, more than the {games} asked for", work.played);
        Ok(work)
    };
    let path = out.work.path().display();
    goes_on().map(Some).with_context(|| format!("cannot go on from {path}; without that file the run begins anew"))
}

/// The table and the lists behind it, of these of the models.
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

/// A line of the table: bits a turn, shares of the turns.
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

/// Whose plays `quantiles` counts.
#[derive(clap::Args, Clone, Debug)]
pub struct QuantileArguments {
    /// The player, as `match` names players.
    #[arg(default_value = "greedy")]
    pub player: PlayerSpec,
    /// Games to count.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Seed of the games.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Plays and prints the table, a line at a time.
///
/// # Errors
/// A file that cannot be read, or `say`'s.
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
    games.watch(0, COUNTED_AT_ONCE, start, watch, |_, of_games| {
        of_games.iter().for_each(|of_game| scores.add(of_game));
        Ok(())
    })?;
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
