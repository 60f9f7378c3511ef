//! `tilewright lab train opponents <player>`: how well models of an opponent foretell what a player keeps. The counting is in
//! `training/opponents.rs`.
//!
//! With a file for the report, what came of the games is saved beside it after each few of them: a run that is interrupted goes on from there.

use crate::host::long_run::{self, GoingOn};
use crate::host::output_file::{OverwriteArguments, ResumableFile};
use crate::host::progress::say_aside;
use crate::lab::train::game::TrainingSetup;
use crate::lab::train::watched::WatchedGames;
use crate::players::PlayerSpec;
use crate::search::OpponentModel;
use crate::training::opponents::{BAG_BINS, Cell, MODELS, OpponentGames, OpponentSums, Trials};
use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Games between two lines of progress.
const GAMES_AT_ONCE: u64 = 8;

/// Who is judged.
#[derive(clap::Args, Clone, Debug)]
pub struct OpponentArguments {
    /// The player, as `match` names players.
    pub player: PlayerSpec,
    /// Games to judge by.
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Turns to judge: one in so many of a game's turns, from another one on in each game. 1: all.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=20))]
    pub every: u8,
    /// Racks that are held against a turn, at most: all that are possible, or so many drawn at random.
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
pub fn run(arguments: &OpponentArguments, setup: TrainingSetup<'_>, say: &mut dyn FnMut(&str) -> std::io::Result<()>) -> Result<()> {
    let games = WatchedGames::open(setup, &arguments.player, arguments.games, arguments.seed)?;
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
    games.watch(work.played, GAMES_AT_ONCE, start, OpponentGames::watch, |played, of_games| {
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
