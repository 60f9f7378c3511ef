//! The commands of `tilewright lab train` that count static games: `bag` and `winpct` make tables, `calibrate` judges a win % table.
//!
//! A journal next to a table has pieces with the counts of some games each. An interrupted run loses at most one piece, and several machines
//! can share the pieces. When all games are played, the table is written and the journal removed. Not here: the counting
//! (`training/bag_terms.rs`, `training/win_percent.rs`, `training/calibration.rs`). Start with [`TrainingGame::count`].

use crate::engine::Engine;
use crate::engine::tables::{AUTO, NONE, TableNames};
use crate::evaluation::WinModel;
use crate::formats::{bag_terms, win_table};
use crate::host::game_arguments::{GameArguments, VariantArguments};
use crate::host::journal_file::JournalFile;
use crate::host::long_run;
use crate::host::output::{LinePrinter, RunProgress, say_aside};
use crate::host::piece_run::TrainingArguments;
use crate::host::resources;
use crate::match_play::journal::JournalHeader;
use crate::rules::VariantSupport;
use crate::search::limits::MOST_SEED;
use crate::training::bag_terms::BagCounts;
use crate::training::calibration::{Lead, Reliability, Trial, Turns, UNSEEN};
use crate::training::tally::{self, KeptTally, Tally, TallyPlayers};
use crate::training::win_percent::WinCounts;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Games of `calibrate` between two lines of progress.
const GAMES_AT_ONCE: u64 = 2000;

/// The leave values of the players of the games.
#[derive(clap::Args, Clone, Debug)]
pub struct StaticPlayArguments {
    /// Leave values (.klv2 or .leaves) of the players, instead of the list's own.
    #[arg(long)]
    pub leaves: Option<PathBuf>,
    /// The variant to play: classic or crossplay.
    #[command(flatten)]
    pub variant: VariantArguments,
}

/// The static games that a training counts.
pub struct TrainingGame {
    engine: Engine,
    unusual_rules: Option<String>,
}

impl TrainingGame {
    /// Opens the game for static players.
    ///
    /// # Errors
    /// A file cannot be read, or is invalid.
    fn open(game: &GameArguments, players: &StaticPlayArguments) -> Result<TrainingGame> {
        let game = game.open_variant(players.variant.variant, VariantSupport::SPELLED)?;
        let leaves = players.leaves.as_ref().map_or(AUTO.to_string(), |path| path.display().to_string());
        // Players choose only by score and leave, so that no table depends on terms for the end of the bag.
        let tables = TableNames { leaves, bag: NONE.to_string(), racks: NONE.to_string(), ..TableNames::default() };
        let engine = game.engine(tables)?;
        Ok(TrainingGame { unusual_rules: game.unusual_rules(), engine })
    }

    /// Plays the games with these numbers on all threads, `at_once` games between two lines of progress, and passes the sums of each part to
    /// `add`. `empty` makes a sum over no game.
    ///
    /// # Errors
    /// Threads cannot be started, or `add` fails.
    fn count<T: Tally>(
        &self,
        (games, seed, at_once): (Range<u64>, u64, u64),
        threads: Option<u16>,
        empty: impl Fn() -> T + Sync + Send,
        mut add: impl FnMut(&T) -> Result<()>,
    ) -> Result<()> {
        let (players, pool) = (self.players(seed), long_run::pool(threads)?);
        let mut progress = RunProgress::new("games", games.start, games.end);
        let mut played = games.start;
        while played < games.end {
            let next = games.end.min(played + at_once);
            add(&pool.install(|| tally::tally_games(players, played..next, &empty)))?;
            played = next;
            progress.tell(played);
        }
        Ok(())
    }

    /// Counts games in pieces that a journal keeps. If pieces of other shards are missing, prints the progress of this shard and returns `None`.
    ///
    /// # Errors
    /// The journal belongs to other games or cannot be written, or threads cannot be started.
    fn count_kept<T: KeptTally>(
        &self,
        counted: &str,
        (kept, training, out): (KeptGamesArguments, &TrainingArguments, &Path),
        threads: Option<u16>,
        empty: impl Fn() -> T + Sync + Send,
    ) -> Result<Option<(T, JournalFile<TallyHeader>)>> {
        let KeptGamesArguments { games, seed, save_every } = kept;
        let header = TallyHeader {
            tilewright: env!("CARGO_PKG_VERSION").to_string(),
            counted: counted.to_string(),
            seed,
            game: self.names(),
            games_fingerprint: format!("{:016x}", tally::fingerprint(self.players(seed))),
            save_every,
        };
        let piece_of = |piece: u64| piece * save_every..games.min((piece + 1) * save_every);
        let (mut sum, mut played, mut wrong, pieces) = (empty(), 0, None, games.div_ceil(save_every));
        let mut journal = training.open(out, &header, pieces, &mut |number, piece: TallyPiece| {
            let expected = piece_of(number).count() as u64;
            if piece.games != expected {
                wrong.get_or_insert(format!(
                    "piece {number} has {} games, expected {expected}: it was begun with other --games",
                    piece.games
                ));
            } else if sum.add_numbers(piece.games, &piece.counts).is_none() {
                wrong.get_or_insert(format!("piece {number} has no such counts"));
            }
            played += piece.games;
        })?;
        let path = training.journal_of(out);
        if let Some(wrong) = wrong {
            bail!("cannot go on from {}: {wrong}", path.display());
        }
        if played > 0 {
            say_aside(&format!("{played} games are counted in {}", path.display()));
        }
        let (players, pool) = (self.players(seed), long_run::pool(threads)?);
        let shard = training.part.shard;
        let left = journal.left(0..pieces, shard);
        let to_play: u64 = left.iter().map(|&piece| piece_of(piece).count() as u64).sum();
        let mut progress = RunProgress::new("games", played, played + to_play);
        for piece in left {
            let more = pool.install(|| tally::tally_games(players, piece_of(piece), &empty));
            let entry = TallyPiece { games: piece_of(piece).count() as u64, counts: more.numbers() };
            journal.add([(piece, &entry)])?;
            sum.add(&more);
            played += entry.games;
            progress.tell(played);
        }
        if let Some(shard) = shard {
            say_aside(&journal.shard_line(shard, pieces));
            return Ok(None);
        }
        Ok(Some((sum, journal)))
    }

    /// Returns the players whose games are counted.
    fn players(&self, seed: u64) -> TallyPlayers<'_> {
        TallyPlayers { rules: self.engine.rules(), lexicon: self.engine.lexicon(), leaves: &self.engine.knowledge().evaluator.leaves, seed }
    }

    /// Returns the names of words, values and unusual rules.
    fn names(&self) -> String {
        let rules = self.unusual_rules.as_ref().map(|rules| format!(" {rules}")).unwrap_or_default();
        format!("lexicon {} leaves {}{rules}", self.engine.lexicon().name(), self.engine.knowledge().evaluator.leaves_id())
    }
}

/// The identity of a count: the first line of its journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct TallyHeader {
    /// The program's version.
    tilewright: String,
    /// The name of the counts.
    counted: String,
    seed: u64,
    /// Words, values and unusual rules by name.
    game: String,
    /// A hash of the first games.
    games_fingerprint: String,
    /// Games of a piece.
    save_every: u64,
}

/// The counts of some games.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct TallyPiece {
    games: u64,
    counts: Vec<Vec<i64>>,
}

impl JournalHeader for TallyHeader {
    type Entry = TallyPiece;

    const KIND: &'static str = "counts";

    const RUN: &'static str = "training";

    const ENTRY: &'static str = "part";

    const TOLD_FIRST: &'static [(&'static str, &'static str)] =
        &[("counted", "what is counted"), ("seed", "the seed (--seed)"), ("save_every", "the games of a piece (--save-every)")];
}

/// Games that are counted, in pieces.
#[derive(Clone, Copy, Debug)]
struct KeptGamesArguments {
    games: u64,
    seed: u64,
    save_every: u64,
}

/// The terms that `bag` makes.
#[derive(clap::Args, Clone, Debug)]
pub struct BagTermsArguments {
    /// Number of games to count. Each row of the table is based on a quarter as many plays.
    #[arg(long, default_value_t = 300_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Seed of the games.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=MOST_SEED))]
    pub seed: u64,
    /// Games per piece. A piece is saved as a whole, and belongs to one shard.
    #[arg(long, default_value_t = 4000, value_parser = clap::value_parser!(u64).range(1..))]
    pub save_every: u64,
    /// The terms to write (.bag.csv).
    #[arg(long)]
    pub out: PathBuf,
    /// Where pieces are kept, and the part of the games to count.
    #[command(flatten)]
    pub training: TrainingArguments,
    /// The player of the games.
    #[command(flatten)]
    pub players: StaticPlayArguments,
}

/// Plays and counts games, and writes the terms.
///
/// # Errors
/// A file cannot be read or written, or there are too few games.
pub fn bag(arguments: &BagTermsArguments, game: &GameArguments, threads: Option<u16>) -> Result<()> {
    let game = TrainingGame::open(game, &arguments.players)?;
    let (training, path) = (&arguments.training, &arguments.out);
    let mut out = training.claim(path)?;
    let kept = KeptGamesArguments { games: arguments.games, seed: arguments.seed, save_every: arguments.save_every };
    let empty = || BagCounts::new(game.engine.rules());
    let Some((counts, journal)) = game.count_kept("terms for the end of the bag", (kept, training, path), threads, empty)? else {
        return Ok(());
    };
    let terms = counts.terms().context("some numbers of tiles have never been left: these are too few games")?;
    let comments = [
        "What it is worth, in points, that a play leaves so many tiles in the bag, and how much of the leave's value counts then."
            .to_string(),
        "Below 0: so many tiles that the rack lacks.".to_string(),
        format!("tilewright lab train bag --games {} --seed {}, {}", arguments.games, arguments.seed, game.names()),
    ];
    out.write(bag_terms::print(&terms, &comments))?;
    training.finish(journal)?;
    say_aside(&format!("{} is written", arguments.out.display()));
    Ok(())
}

/// The table that `winpct` makes.
#[derive(clap::Args, Clone, Debug)]
pub struct WinTableArguments {
    /// Number of games to count. A million games take most of an hour on two cores.
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Seed of the games.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=MOST_SEED))]
    pub seed: u64,
    /// The table to write (.win.csv).
    #[arg(long)]
    pub out: PathBuf,
    /// Where pieces are kept, and the part of the games to count.
    #[command(flatten)]
    pub training: TrainingArguments,
    /// The player of the games.
    #[command(flatten)]
    pub players: StaticPlayArguments,
    /// Games per piece. A piece is saved as a whole, and belongs to one shard.
    #[arg(long, default_value_t = 4000, value_parser = clap::value_parser!(u64).range(1..))]
    pub save_every: u64,
}

/// Plays and counts games, and writes the table.
///
/// # Errors
/// A file cannot be read or written, or the journal belongs to other games.
pub fn winpct(arguments: &WinTableArguments, game: &GameArguments, threads: Option<u16>) -> Result<()> {
    let game = TrainingGame::open(game, &arguments.players)?;
    let (training, path) = (&arguments.training, &arguments.out);
    let mut out = training.claim(path)?;
    let kept = KeptGamesArguments { games: arguments.games, seed: arguments.seed, save_every: arguments.save_every };
    let empty = || WinCounts::new(game.engine.rules());
    let Some((counts, journal)) = game.count_kept("win % table", (kept, training, path), threads, empty)? else { return Ok(()) };
    let table = counts.table()?;
    out.write(win_table::print(&table, &comments(arguments, &game, &counts)))?;
    training.finish(journal)?;
    say_aside(&format!("{} is written: {} games, {} turns", arguments.out.display(), counts.games(), counts.turns()));
    Ok(())
}

/// Returns the lines above the table. They have no paths and nothing about the machine, so that the same games make the same file everywhere.
fn comments(arguments: &WinTableArguments, game: &TrainingGame, counts: &WinCounts) -> Vec<String> {
    vec![
        "How likely the player on turn wins. Rows: tiles this player does not see, or own/other rack with an empty bag. Columns: the"
            .to_string(),
        "lead in points, with the value of the tiles kept on the last turn less that of the tiles that the opponent kept.".to_string(),
        format!("tilewright lab train winpct --games {} --seed {}, {}", arguments.games, arguments.seed, game.names()),
        format!("{} games, {} turns", counts.games(), counts.turns()),
    ]
}

/// The table that `calibrate` evaluates.
#[derive(clap::Args, Clone, Debug)]
pub struct CalibrationArguments {
    /// Number of games to evaluate.
    #[arg(long, default_value_t = 50_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Seed of the games. It should differ from the seed with which the table was made.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(..=MOST_SEED))]
    pub seed: u64,
    /// The table to evaluate (.win.csv). Without this flag, the list's own.
    #[arg(long)]
    pub winpct: Option<PathBuf>,
    /// The player of the games.
    #[command(flatten)]
    pub players: StaticPlayArguments,
}

/// Plays and prints the report.
///
/// # Errors
/// A file cannot be read, or `say` fails.
pub fn calibrate(arguments: &CalibrationArguments, game: &GameArguments, threads: Option<u16>, say: LinePrinter<'_>) -> Result<()> {
    let game = TrainingGame::open(game, &arguments.players)?;
    let given = arguments.winpct.as_ref().map(|path| resources::open_win_table(path)).transpose()?;
    let table = given.as_ref().unwrap_or(&game.engine.knowledge().evaluator.win_model);
    let formula = WinModel::formula();
    let models = [(table, Lead::Valued), (table, Lead::Spread), (&formula, Lead::Valued), (&formula, Lead::Spread)];
    let mut trial = Trial::new(&models);
    let games = (0..arguments.games, arguments.seed, GAMES_AT_ONCE);
    game.count(
        games,
        threads,
        || Trial::new(&models),
        |more| {
            trial.add(more);
            Ok(())
        },
    )?;
    say(&format!("{} games, seed {}, {}", arguments.games, arguments.seed, game.names()))?;
    say("Brier score and (in brackets) mean error of the bins; without leaves: asked with the spread alone")?;
    let [valued, spread] = [table.name().to_string(), format!("{} without leaves", table.name())];
    say(&format!("turns{:>11} {valued:>18} {spread:>24} {:>18} {:>24}", "number", "formula", "formula without leaves"))?;
    let kinds: Vec<Turns> = [Turns::All].into_iter().chain(UNSEEN.map(Turns::Unseen)).collect();
    for &turns in &kinds {
        let [valued, spread, formula, formula_spread] = [0, 1, 2, 3].map(|model| score(trial.reliability(model, turns)));
        let number = trial.reliability(0, turns).count();
        say(&format!("{:<7}{number:>9} {valued:>18} {spread:>24} {formula:>18} {formula_spread:>24}", name(turns)))?;
    }
    for &turns in &kinds {
        say("")?;
        say(&format!("reliability of {}: {}", table.name(), long_name(turns)))?;
        say("from   predicted   happened    turns")?;
        for bin in trial.reliability(0, turns).bins() {
            say(&format!("{:.2} {:>11.4} {:>10.4} {:>8}", bin.from, bin.predicted, bin.happened, bin.count))?;
        }
    }
    Ok(())
}

fn score(reliability: &Reliability) -> String {
    format!("{:.5} ({:.4})", reliability.brier(), reliability.mean_error())
}

fn name(turns: Turns) -> String {
    match turns {
        Turns::All => "all".to_string(),
        Turns::Unseen(unseen) => unseen.to_string(),
    }
}

fn long_name(turns: Turns) -> String {
    match turns {
        Turns::All => "all turns".to_string(),
        Turns::Unseen(unseen) => format!("turns with {unseen} tiles unseen"),
    }
}
