//! `tilewright lab train leaves`: trains generations of leave values, until a generation is hardly
//! better than the one before. Also writes leave values as files, and lists the best and worst of them, for `tilewright lexicon`.
//!
//! A journal next to the table has the pieces of a generation, each with the sums of some boards. Several machines can share the pieces. The
//! next generation plays by the values from all of them, so it begins from the joined journal. Each machine compares the generations itself,
//! which takes minutes.
//!
//! Not here: making the values (`training/leaves.rs`).

use crate::engine::Engine;
use crate::evaluation::leave_table::{LeaveTable, MAX_LEAVE};
use crate::evaluation::{Evaluator, Leaves, WinModel};
use crate::formats::{klv2, leave_table};
use crate::host::game_arguments::{GameArguments, OpenedGame, VariantArguments};
use crate::host::journal_file::JournalFile;
use crate::host::long_run;
use crate::host::output::{LinePrinter, RunProgress};
use crate::host::output_file::OutputFile;
use crate::host::piece_run::TrainingArguments;
use crate::match_play::journal::JournalHeader;
use crate::match_play::pairs::{Contestant, PairedMatch, TurnCounting};
use crate::match_play::shard::pieces_left;
use crate::match_play::statistics::MatchStatistics;
use crate::rules::units::Millipoints;
use crate::rules::{LetterDistribution, Rack, Tile, VariantSupport, multisets};
use crate::search::budget::Signals;
use crate::search::limits::MOST_SEED;
use crate::search::{Knowledge, RunSettings};
use crate::training::leaves::{LeaveTraining, Totals};
use anyhow::{Context, Result, anyhow, ensure};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The least gain of a generation over the one before, points a game. A generation that gains less is the last.
const LEAST_GAIN: f64 = 0.3;

/// The leave values to make.
#[derive(clap::Args, Clone, Debug)]
pub struct LeaveTrainingArguments {
    /// The file to write: .klv2 for all engines that read this format, .leaves for this program's own format.
    #[arg(long)]
    pub out: PathBuf,
    /// Where pieces are kept, and the part of the boards to examine.
    #[command(flatten)]
    pub training: TrainingArguments,
    /// Seed of all games.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=MOST_SEED))]
    pub seed: u64,
    /// Boards of the first generation. Each further generation examines twice as many.
    #[arg(long, default_value_t = 512, value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
    pub boards: u64,
    /// The most generations.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=16))]
    pub generations: u32,
    /// Pairs of games between a generation and the one before. A generation that gains less than 0.3 points a game is the last one.
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub pairs: u64,
    /// Also write the means of all full racks (.racks), which dynamic leaves need, to this file.
    #[arg(long)]
    pub racks: Option<PathBuf>,
    /// Boards per piece. A piece is saved as a whole (some megabytes), and belongs to one shard.
    #[arg(long, default_value_t = 128, value_parser = clap::value_parser!(u64).range(1..))]
    pub save_every: u64,
    /// The variant to play: classic or crossplay.
    #[command(flatten)]
    pub variant: VariantArguments,
}

/// The identity of a training: the first line of its journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct LeavesHeader {
    /// The program's version.
    tilewright: String,
    seed: u64,
    /// A hash of words and rules.
    game: String,
    /// Boards of the first generation.
    boards: u64,
    /// Boards of a piece.
    save_every: u64,
    /// Whether the sums of full racks are kept.
    racks: bool,
}

/// The sums of some boards of a generation.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct LeavesPiece {
    generation: u32,
    #[serde(flatten)]
    totals: Totals,
}

impl JournalHeader for LeavesHeader {
    type Entry = LeavesPiece;

    const KIND: &'static str = "leaves";

    const RUN: &'static str = "training of leaves";

    const ENTRY: &'static str = "part";

    const TOLD_FIRST: &'static [(&'static str, &'static str)] = &[
        ("seed", "the seed (--seed)"),
        ("game", "word list or rules (their hash)"),
        ("boards", "the boards (--boards)"),
        ("save_every", "the boards of a piece (--save-every)"),
        ("racks", "full racks (--racks)"),
    ];
}

impl LeavesHeader {
    /// Returns the number of boards of a generation. Each generation examines twice as many as the one before.
    fn boards(&self, generation: u32) -> u64 {
        self.boards << generation
    }

    fn pieces(&self, generation: u32) -> Range<u64> {
        let pieces = |generation: u32| self.boards(generation).div_ceil(self.save_every);
        let first = (0..generation).map(pieces).sum();
        first..first + pieces(generation)
    }

    /// Returns the boards of a piece of a generation.
    fn boards_of(&self, piece: u64, generation: u32) -> Range<u64> {
        let first = (piece - self.pieces(generation).start) * self.save_every;
        first..self.boards(generation).min(first + self.save_every)
    }
}

/// Trains from the state of the journal on, and prints a line about each step.
///
/// # Errors
/// A file cannot be read or written, or was saved by another training.
pub fn run(arguments: &LeaveTrainingArguments, game: &GameArguments, threads: Option<u16>, say: LinePrinter<'_>) -> Result<()> {
    let game = game.open_variant(arguments.variant.variant, VariantSupport::SPELLED)?;
    let (keeping, path) = (&arguments.training, &arguments.out);
    let out = keeping.claim(path)?;
    let racks = arguments.racks.as_deref().map(|path| OutputFile::claim(path, out.overwrite())).transpose()?;
    let mut training = LeaveTraining::new(&game.rules, game.lexicon(), arguments.seed).context("the alphabet has too many letters")?;
    let header = LeavesHeader {
        tilewright: env!("CARGO_PKG_VERSION").to_string(),
        seed: arguments.seed,
        game: format!("{:016x}", training.game_id()),
        boards: arguments.boards,
        save_every: arguments.save_every,
        racks: racks.is_some(),
    };
    let (mut kept, mut last) = (BTreeMap::<u32, Vec<Totals>>::new(), 0);
    let mut journal = keeping.open(path, &header, header.pieces(0).end, &mut |_, piece| {
        last = last.max(piece.generation);
        add_up(kept.entry(piece.generation).or_default(), piece.totals);
    })?;
    let mut run = LeaveRun { arguments, game: &game, threads: long_run::threads(threads), header, out, racks };
    let shard = keeping.part.shard;
    loop {
        let generation = training.generation();
        // A generation that has just ended, here or before an interruption, is compared with the one before. If the next generation has begun,
        // it was better.
        if generation > last {
            let is_better = run.gain(&training, say)? >= LEAST_GAIN;
            if !is_better || generation >= arguments.generations {
                break;
            }
        }
        for totals in kept.remove(&generation).unwrap_or_default() {
            ensure!(training.add(&totals), "{}: the sums belong to other leaves", keeping.journal_of(path).display());
        }
        run.look_at_boards(&mut training, &mut journal)?;
        let pieces = run.header.pieces(generation);
        if let Some(shard) = shard.filter(|_| !journal.left(pieces.clone(), None).is_empty()) {
            let number = generation + 1;
            say(&format!("generation {number} needs the pieces of all shards: {}", journal.shard_line(shard, pieces.end)))?;
            return Ok(());
        }
        last = last.max(generation);
        run.finish_generation(&mut training, say)?;
    }
    if shard.is_some() {
        return Ok(say("all pieces are in the journal: use the same command without --shard to write the table")?);
    }
    for line in best_and_worst(training.table(), &game.rules.distribution) {
        say(&line)?;
    }
    keeping.finish(journal)
}

/// Adds sums to the total of a generation so far.
fn add_up(kept: &mut Vec<Totals>, totals: Totals) {
    let is_added = kept.first_mut().is_some_and(|sum| sum.add(&totals));
    if !is_added {
        kept.push(totals);
    }
}

/// The state that stays the same from generation to generation.
struct LeaveRun<'a> {
    arguments: &'a LeaveTrainingArguments,
    game: &'a OpenedGame,
    threads: usize,
    header: LeavesHeader,
    out: OutputFile,
    racks: Option<OutputFile>,
}

impl LeaveRun<'_> {
    /// Examines the boards of a generation that belong to this shard and are not in the journal.
    fn look_at_boards(&mut self, training: &mut LeaveTraining<'_>, journal: &mut JournalFile<LeavesHeader>) -> Result<()> {
        let generation = training.generation();
        let pieces = self.header.pieces(generation);
        let shard = self.arguments.training.part.shard;
        let boards = |pieces: &[u64]| -> u64 { pieces.iter().map(|&piece| self.header.boards_of(piece, generation).count() as u64).sum() };
        let left = journal.left(pieces.clone(), shard);
        let wanted = boards(&pieces_left(pieces, shard, |_| false));
        let mut done = wanted - boards(&left);
        let mut progress = RunProgress::new("boards", done, wanted);
        for piece in left {
            let boards = self.header.boards_of(piece, generation);
            let mut totals = training.census(boards.clone(), self.threads);
            if !self.header.racks {
                totals.drop_racks();
            }
            training.add(&totals);
            journal.add([(piece, &LeavesPiece { generation, totals })])?;
            done += boards.count() as u64;
            progress.tell(done);
        }
        Ok(())
    }

    /// Ends a generation and writes its tables. After an interruption, this is done again.
    fn finish_generation(&mut self, training: &mut LeaveTraining<'_>, say: LinePrinter<'_>) -> Result<()> {
        let boards = self.header.boards(training.generation());
        let finished = training.finish_generation();
        let coverage = finished.coverage;
        say(&format!(
            "generation {}: {boards} boards; of {} leaves, {} occurred on too few boards, {} on none",
            training.generation(),
            coverage.leaves,
            coverage.few,
            coverage.unseen
        ))?;
        // A shard writes only its journal.
        if self.arguments.training.part.shard.is_some() {
            return Ok(());
        }
        if let Some(racks) = &mut self.racks {
            racks.write(leave_table::racks_to_bytes(training.table().ranks().kinds(), &finished.racks))?;
        }
        self.out.write(leave_file(&self.arguments.out, training.table(), &self.game.rules.distribution)?)
    }

    /// Returns the gain of the last generation's values over those before, points a game.
    fn gain(&self, training: &LeaveTraining<'_>, say: LinePrinter<'_>) -> Result<f64> {
        let player = |table: &LeaveTable| -> Result<Contestant> {
            let leaves = Leaves::trained("training", table.clone());
            let evaluator = Evaluator { leaves, win_model: WinModel::formula(), rack_means: None };
            let knowledge = Knowledge { lexicon: Arc::clone(self.game.lexicon()), evaluator: Arc::new(evaluator) };
            // Only leaves are compared, and endgames would take time.
            let engine = Engine::of_parts(Arc::clone(&self.game.rules), knowledge, RunSettings::default());
            Ok(Contestant { spec: "static:late=off".parse()?, engine })
        };
        let players = [player(training.table())?, player(training.previous())?];
        let contest =
            PairedMatch { rules: &self.game.rules, players, seed: self.arguments.seed, time: None, luck: None, turns: TurnCounting::Plain };
        let pairs = self.arguments.pairs;
        let mut statistics = MatchStatistics::default();
        let mut progress = RunProgress::new("pairs", 0, pairs);
        contest.play(0..pairs, self.threads, &Signals::default(), &mut |pairs| {
            pairs.iter().for_each(|pair| statistics.add(&pair.result));
            progress.tell(statistics.pairs());
            ControlFlow::Continue(())
        });
        let (spread, win) = (&statistics.spread, &statistics.win);
        say(&format!(
            "generation {} against the one before: {} pairs, spread {:+.2} +- {:.2} points a game, wins {:.2} +- {:.2} %",
            training.generation(),
            statistics.pairs(),
            spread.mean,
            spread.standard_error(),
            100.0 * win.mean,
            100.0 * win.standard_error()
        ))?;
        Ok(spread.mean)
    }
}

/// The number of leaves of each size at either end of the report.
const SHOWN: usize = 10;

/// Returns the values of the leaves of a full bag as a file of this name: in the program's own format if the name ends in `.leaves`, or as
/// KLV2.
///
/// # Errors
/// The format has no room for the values.
pub fn leave_file(path: &Path, table: &LeaveTable, alphabet: &LetterDistribution) -> Result<Vec<u8>> {
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("leaves")) {
        Ok(leave_table::to_bytes(table))
    } else {
        let mut leaves: Vec<(Vec<u8>, Millipoints)> = (1..=MAX_LEAVE).flat_map(|size| of_size(table, alphabet, size)).collect();
        leaves.sort_by(|first, second| first.0.cmp(&second.0));
        let points = leaves.iter().map(|(tiles, millipoints)| (tiles.as_slice(), millipoints.0 as f32 / Millipoints::PER_POINT as f32));
        klv2::to_bytes(&points.collect()).map_err(|error| anyhow!("{error}"))
    }
}

/// Lists the best and the worst leaves of each size.
pub fn best_and_worst(table: &LeaveTable, alphabet: &LetterDistribution) -> Vec<String> {
    let line = |size| {
        let mut leaves = of_size(table, alphabet, size);
        leaves.sort_by_key(|(_, value)| Reverse(*value));
        let shown = SHOWN.min(leaves.len() / 2);
        let text = |leaves: &[(Vec<u8>, Millipoints)]| {
            let one = |(tiles, value): &(Vec<u8>, Millipoints)| {
                let tiles = tiles.iter().filter_map(|&tile| Tile::from_index(tile as usize));
                format!("{} {:.1}", alphabet.tiles_text(tiles), value.points())
            };
            leaves.iter().map(one).collect::<Vec<_>>().join("  ")
        };
        let worst: Vec<_> = leaves[leaves.len() - shown..].iter().rev().cloned().collect();
        [format!("{size} best:  {}", text(&leaves[..shown])), format!("{size} worst: {}", text(&worst))]
    };
    (1..=MAX_LEAVE).flat_map(line).collect()
}

/// Returns the leaves of this many tiles of a full bag, with their values.
fn of_size(table: &LeaveTable, alphabet: &LetterDistribution, size: usize) -> Vec<(Vec<u8>, Millipoints)> {
    let mut leaves = Vec::new();
    multisets::for_each(&Rack::full_bag(alphabet).counts()[..table.ranks().kinds()], size, &mut |tiles| {
        leaves.push((tiles.to_vec(), table.value(tiles.iter().map(|&tile| tile as usize))));
    });
    leaves
}
