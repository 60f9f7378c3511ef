//! `tilewright train opponents <player>`: how well models of an opponent foretell what a player keeps. The counting is in
//! `training/opponents.rs`.

use crate::cli::train::watched::WatchArguments;
use crate::players::PlayerSpec;
use crate::search::OpponentModel;
use crate::training::opponents::{BAG_BINS, Cell, MODELS, OpponentGames, OpponentSums};
use anyhow::Result;

/// Games between two lines of progress.
const GAMES_AT_ONCE: u64 = 20;

/// Who is judged.
#[derive(clap::Args, Clone, Debug)]
pub struct OpponentArguments {
    /// The player, as `match` names players.
    pub player: PlayerSpec,
    /// Games to judge by.
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Racks that are held against a turn, at most: all that are possible, or so many drawn at random.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=200_000))]
    pub racks: u32,
    /// Turns before the last one that count, too. Each takes some thirty times as long.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=7))]
    pub earlier: u8,
    /// Racks that short simulations are made of, the likeliest first. Each takes some thousand times as long as one that is not simulated.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=2000))]
    pub simulated: u16,
    /// Which games.
    #[command(flatten)]
    pub watching: WatchArguments,
}

/// Plays and prints the report, a line at a time.
///
/// # Errors
/// A file that cannot be read, or `say`'s.
pub fn run(arguments: &OpponentArguments, say: &mut dyn FnMut(&str) -> std::io::Result<()>) -> Result<()> {
    let games = arguments.watching.open(&arguments.player, arguments.games)?;
    let judge = games.game.own_engine()?;
    let start = || {
        OpponentGames::new(
            &games.contestant,
            judge.knowledge(),
            arguments.racks as usize,
            usize::from(arguments.earlier),
            usize::from(arguments.simulated),
        )
    };
    let mut sums = OpponentSums::default();
    games.watch(GAMES_AT_ONCE, start, OpponentGames::watch, |of_game| sums.add(of_game));
    say(&games.headline())?;
    let OpponentArguments { racks, earlier, simulated, .. } = arguments;
    say(&format!("at most {racks} racks against a turn, {simulated} of them simulated, {earlier} turns before it count"))?;
    // Without simulations the model that simulates is the static one.
    let shown = |model: &OpponentModel| *model != OpponentModel::Sim || *simulated > 0;
    let shown: Vec<usize> = (0..MODELS.len()).filter(|&at| shown(&MODELS[at])).collect();
    report(&sums, &shown, say)
}

/// The table and the lists behind it, of these of the models.
fn report(sums: &OpponentSums, shown: &[usize], say: &mut dyn FnMut(&str) -> std::io::Result<()>) -> Result<()> {
    let models: Vec<String> = shown.iter().map(|&at| format!("{:>16}{:>11}", MODELS[at].name(), "excluded")).collect();
    say(&format!("{:<22}{:>8}{:>9}{}{:>13}{:>7}{:>8}", "turns", "number", "prior", models.concat(), "temperature", "floor", "gains"))?;
    say(&row("all", shown, &OpponentSums::total(sums.cells.as_flattened())))?;
    for (at, cells) in sums.cells.iter().enumerate() {
        let most = BAG_BINS.get(at + 1).map_or(String::new(), |next| (next - 1).to_string());
        say(&row(&format!("{}-{most} in the bag", BAG_BINS[at]), shown, &OpponentSums::total(cells)))?;
    }
    for placed in 0..sums.cells[0].len() {
        let cells = sums.cells.iter().map(|cells| &cells[placed]);
        say(&row(&format!("{} placed", placed + 1), shown, &OpponentSums::total(cells)))?;
    }
    for (model, reliability) in shown.iter().map(|&at| (MODELS[at], &sums.reliability[at])) {
        say("")?;
        say(&format!(
            "{}: chances that a tile was kept, mean error {:.4}, Brier score {:.5}",
            model.name(),
            reliability.mean_error(),
            reliability.brier()
        ))?;
        say("from   predicted   happened    tiles")?;
        for bin in reliability.bins() {
            say(&format!("{:.2} {:>11.4} {:>10.4} {:>8}", bin.from, bin.predicted, bin.happened, bin.count))?;
        }
    }
    Ok(())
}

/// A line of the table: bits a turn, shares of the turns.
fn row(name: &str, shown: &[usize], cell: &Cell) -> String {
    let turns = cell.turns as f64;
    let models = shown.iter().map(|&at| (cell.gained[at], cell.excluded[at]));
    let models = models.map(|(bits, excluded)| format!("{:>16.3}{:>10.1}%", bits / turns, 100.0 * excluded as f64 / turns));
    let fit = cell.best_fit().map_or(String::new(), |fit| format!("{:>13}{:>7}{:>8.3}", fit.temperature, fit.floor, fit.bits));
    format!("{name:<22}{:>8}{:>9.2}{}{fit}", cell.turns, cell.prior_bits / turns, models.collect::<String>())
}
