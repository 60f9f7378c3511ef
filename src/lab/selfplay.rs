//! `tilewright lab selfplay [games] [--seed <n>] [--out <folder>]`: plays static games under the referee, writes them as GCG, and reads them
//! back. Other measurements begin from positions of such games ([`StaticGames`]).

use crate::engine::Engine;
use crate::evaluation::StaticEval;
use crate::evaluation::static_eval::StaticTurn;
use crate::evaluation::win_model::win_of_final_spread;
use crate::formats::gcg::{self, GcgPlayer};
use crate::host::game_arguments::{GameArguments, OpenedGame, VariantArguments};
use crate::host::output::{LinePrinter, RunProgress};
use crate::host::output_file::{OutputFolder, OverwriteArguments};
use crate::match_play::referee::{self, RefereedGame};
use crate::movegen::LaneBoard;
use crate::rules::{GameEnd, GameRules, Position, Seat, VariantSupport};
use crate::search::limits::MOST_SEED;
use anyhow::{Context, Result, ensure};
use std::path::PathBuf;
use std::time::Instant;

/// The games to play.
#[derive(clap::Args, Clone, Debug)]
pub struct SelfplayArguments {
    /// Number of games.
    #[arg(default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Seed of the bags.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=MOST_SEED))]
    pub seed: u64,
    /// Folder for the records (.gcg). Created if missing.
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// Whether existing records may be overwritten.
    #[command(flatten)]
    pub overwriting: OverwriteArguments,
    /// The variant to play: classic, wordsmog or crossplay.
    #[command(flatten)]
    pub variant: VariantArguments,
}

/// Sums over games.
#[derive(Default)]
struct GameSums {
    points: i64,
    turns: usize,
    bingos: usize,
    first_wins: f64,
    last_turns: u64,
}

impl GameSums {
    fn add(&mut self, game: &RefereedGame, rules: &GameRules) {
        let scores = game.last.scores();
        let placed = game.turns.iter().filter_map(|turn| turn.play.placement()).map(|placement| placement.tile_count());
        self.points += i64::from(scores.0.iter().sum::<i32>());
        self.turns += game.turns.len();
        self.bingos += placed.filter(|&tiles| tiles == rules.rack_size).count();
        self.last_turns += u64::from(game.end == GameEnd::LastTurns);
        self.first_wins += win_of_final_spread(scores.lead(Seat::First));
    }
}

/// Plays, checks and writes the games, and prints a summary.
///
/// # Errors
/// There was a foul, a file cannot be read or written, or a game reads back differently.
pub fn run(arguments: &SelfplayArguments, game: &GameArguments, say: LinePrinter<'_>) -> Result<()> {
    let game = game.open_variant(arguments.variant.variant, VariantSupport::MOST_POINTS)?;
    let engine = game.own_engine()?;
    let is_ours = |name: &str| index_of(name).is_some_and(|index| index < arguments.games);
    let open = |path: &PathBuf| OutputFolder::open(path, arguments.overwriting.overwrite(), is_ours);
    let folder = arguments.out.as_ref().map(open).transpose()?;
    let players = ["first", "second"].map(|nick| GcgPlayer { nick: nick.to_string(), name: format!("Tilewright static {nick}") });
    let mut games = StaticGames::new(&engine, arguments.seed);
    let mut progress = RunProgress::new("games", 0, arguments.games);
    let start = Instant::now();
    let mut sums = GameSums::default();
    for index in 0..arguments.games {
        let played = games.play(index)?;
        let text = gcg::print(&played.to_gcg(players.clone(), engine.lexicon())?);
        check_record(&text, &played, &game.rules).with_context(|| format!("game {index} reads back differently"))?;
        if let Some(folder) = &folder {
            folder.write(&name_of(index), text)?;
        }
        sums.add(&played, &game.rules);
        progress.tell(index + 1);
    }
    drop(progress);
    let count = arguments.games as f64;
    let seconds = start.elapsed().as_secs_f64();
    let (games, seed) = (arguments.games, arguments.seed);
    say(&format!("games {games} seed {seed} {}: no foul, every record reads back", game.heading()))?;
    say(&format!("mean score {:.1}", sums.points as f64 / count / 2.0))?;
    say(&format!("turns per game {:.1}", sums.turns as f64 / count))?;
    say(&format!("bingos per game {:.2}", sums.bingos as f64 / count))?;
    say(&format!("wins of the first player {:.1} %", 100.0 * sums.first_wins / count))?;
    if game.rules.variant.last_turns().is_some() {
        say(&format!("games ended by last turns {}", sums.last_turns))?;
    }
    say(&format!("games per second {:.0} (refereed, one thread)", games as f64 / seconds))?;
    Ok(())
}

/// Returns the name of a game's record.
fn name_of(index: u64) -> String {
    format!("game{index:05}.gcg")
}

/// Returns the game whose record has this name.
fn index_of(name: &str) -> Option<u64> {
    let index = name.strip_prefix("game")?.strip_suffix(".gcg")?.parse().ok()?;
    (name == name_of(index)).then_some(index)
}

/// Checks that the text is a record of this game, with the same board and the same final scores.
fn check_record(text: &str, game: &RefereedGame, rules: &GameRules) -> Result<()> {
    let record = gcg::parse(text, rules)?;
    let last = gcg::position_at(&record, rules, None)?;
    for seat in Seat::BOTH {
        let (found, expected) = (last.score(seat), game.last.score(seat));
        ensure!(found == expected, "seat {}: {found} points, expected {expected}", seat.index());
    }
    ensure!(last.board() == game.last.board(), "the boards differ");
    ensure!(last.last_turns() == game.last.last_turns(), "the last turns differ");
    Ok(())
}

/// The static games of a seed.
pub struct StaticGames<'a> {
    engine: &'a Engine,
    eval: StaticEval<'a>,
    seed: u64,
}

impl<'a> StaticGames<'a> {
    /// Returns games by the rules of an engine. Both players have its words and tables.
    pub fn new(engine: &'a Engine, seed: u64) -> StaticGames<'a> {
        let eval = StaticEval::new(engine.rules(), engine.lexicon(), &engine.knowledge().evaluator.leaves);
        StaticGames { engine, eval, seed }
    }

    /// Plays a game.
    ///
    /// # Errors
    /// There was a foul.
    pub fn play(&mut self, index: u64) -> Result<RefereedGame> {
        self.play_watched(index, |_, _| {})
    }

    /// Returns the first turn of a game with this many tiles in the bag, as the player on turn sees it, or `None` if there is no such turn.
    ///
    /// # Errors
    /// There was a foul.
    pub fn first_with_in_bag(&mut self, index: u64, in_bag: usize) -> Result<Option<Position>> {
        let mut first = None;
        self.play_watched(index, |position, turn| {
            if turn.in_bag == in_bag && first.is_none() {
                first = Some(position.clone());
            }
        })?;
        Ok(first)
    }

    /// Returns all turns of a game, as the players on turn see them.
    ///
    /// # Errors
    /// There was a foul.
    pub fn all_turns(&mut self, index: u64) -> Result<Vec<Position>> {
        let mut seen = Vec::new();
        self.play_watched(index, |position, _| seen.push(position.clone()))?;
        Ok(seen)
    }

    fn play_watched(&mut self, index: u64, mut watch: impl FnMut(&Position, &StaticTurn<'_>)) -> Result<RefereedGame> {
        let (eval, graph) = (&mut self.eval, self.engine.lexicon().graph());
        let mut choose = |position: &Position, turn: &StaticTurn<'_>| {
            watch(position, turn);
            eval.best(&mut LaneBoard::new(position.rules(), position.board(), graph), turn)
        };
        referee::play_stated_game(self.engine.rules(), self.engine.lexicon(), self.seed, index, &mut choose)
            .with_context(|| format!("game {index}"))
    }
}

/// Names words, rules and tables of the engine whose static games give the positions, for the header of a journal.
pub fn identity_of(game: &OpenedGame, engine: &Engine) -> String {
    let evaluator = &engine.knowledge().evaluator;
    format!("{}, leaves {} winpct {}", game.identity(), evaluator.leaves_id(), evaluator.win_id())
}
