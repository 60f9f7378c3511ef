//! `tilewright lab train leaves`: trains generations of leave values, until one is hardly better
//! than the one before. Also leave values as files, and the best and worst of them as lines, for `tilewright lexicon`.
//!
//! The values themselves are made in `training/leaves.rs`.

use crate::engine::Engine;
use crate::evaluation::leave_table::{LeaveTable, MAX_LEAVE};
use crate::evaluation::{Evaluator, Leaves, WinModel};
use crate::formats::{klv2, leave_table};
use crate::host::game_arguments::{GameArguments, OpenedGame, VariantArguments};
use crate::host::long_run::{self, GoingOn};
use crate::host::output::{LinePrinter, RunProgress, say_aside};
use crate::host::output_file::{OutputFile, OverwriteArguments, ResumableFile};
use crate::match_play::pairs::{Contestant, PairedMatch, TurnCounting};
use crate::match_play::statistics::MatchStatistics;
use crate::rules::units::Millipoints;
use crate::rules::{LetterDistribution, Rack, Tile, VariantSupport, multisets};
use crate::search::budget::Signals;
use crate::search::limits::MOST_SEED;
use crate::search::{Knowledge, RunSettings};
use crate::training::leaves::LeaveTraining;
use anyhow::{Context, Result, anyhow};
use std::cmp::Reverse;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A generation that gains fewer points a game than this over the one before is the last.
const LEAST_GAIN: f64 = 0.3;

/// What is made.
#[derive(clap::Args, Clone, Debug)]
pub struct LeaveTrainingArguments {
    /// The values to write: .klv2 for any engine that reads them, .leaves for the form that this program carries.
    #[arg(long)]
    pub out: PathBuf,
    /// What happens to files of these names.
    #[command(flatten)]
    pub overwriting: OverwriteArguments,
    /// Seed of all games.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=MOST_SEED))]
    pub seed: u64,
    /// Boards of the first generation; each further one looks at twice as many.
    #[arg(long, default_value_t = 512, value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
    pub boards: u64,
    /// Generations at most.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=16))]
    pub generations: u32,
    /// Pairs of games between a generation and the one before. A generation that gains less than 0.3 points a game is the last.
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub pairs: u64,
    /// A file for the means of all full racks, which dynamic leaves need (.racks).
    #[arg(long)]
    pub racks: Option<PathBuf>,
    /// Boards between two savings.
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u64).range(1..))]
    pub save_every: u64,
    /// The variant that is played: classic or crossplay.
    #[command(flatten)]
    pub variant: VariantArguments,
}

/// Trains, going on from what was saved beside the table, and says what came of it, a line at a time.
///
/// # Errors
/// A file that cannot be read or written, or that was saved by another training.
pub fn run(arguments: &LeaveTrainingArguments, game: &GameArguments, threads: Option<u16>, say: LinePrinter<'_>) -> Result<()> {
    let game = game.open_variant(arguments.variant.variant, VariantSupport::SPELLED)?;
    let out = ResumableFile::claim(&arguments.out, None, arguments.overwriting.overwrite())?;
    let racks = arguments.racks.as_deref().map(|path| OutputFile::claim(path, out.overwrite())).transpose()?;
    let mut run = LeaveRun { arguments, game: &game, threads: long_run::threads(threads), out, racks };
    let mut training = run.begin()?;
    loop {
        let generation = training.generation();
        // A generation that has just ended, here or before an interruption, is compared with the one before.
        if generation > 0 && training.boards() == 0 {
            let is_better = run.gain(&training, say)? >= LEAST_GAIN;
            if !is_better || generation >= arguments.generations {
                break;
            }
        }
        run.look_at_boards(&mut training)?;
        run.finish_generation(&mut training, say)?;
    }
    for line in best_and_worst(training.table(), &game.rules.distribution) {
        say(&line)?;
    }
    run.out.work.clear()
}

/// What stays the same from generation to generation.
struct LeaveRun<'a> {
    arguments: &'a LeaveTrainingArguments,
    game: &'a OpenedGame,
    threads: usize,
    out: ResumableFile,
    racks: Option<OutputFile>,
}

impl<'a> LeaveRun<'a> {
    /// The training, as far as it was saved.
    fn begin(&mut self) -> Result<LeaveTraining<'a>> {
        let (game, checkpoint) = (self.game, self.out.work.path().display().to_string());
        let mut training =
            LeaveTraining::new(&game.rules, game.lexicon(), self.arguments.seed).context("the alphabet has too many letters")?;
        if let Some(bytes) = self.out.work.read()? {
            training
                .resume(&bytes)
                .with_context(|| format!("cannot go on from {checkpoint}; without that file the training begins anew"))?;
            say_aside(&format!("generation {} has {} boards in {checkpoint}", training.generation() + 1, training.boards()));
        }
        say_aside(&format!("if interrupted, go on with: {}", long_run::this_command(GoingOn::Same)));
        self.out.work.save(training.save())?;
        Ok(training)
    }

    /// Boards of a generation: each looks at twice as many as the one before.
    fn boards(&self, generation: u32) -> u64 {
        self.arguments.boards << generation
    }

    fn look_at_boards(&mut self, training: &mut LeaveTraining<'_>) -> Result<()> {
        let wanted = self.boards(training.generation());
        let mut progress = RunProgress::new("boards", training.boards(), wanted);
        while training.boards() < wanted {
            training.advance(self.arguments.save_every.min(wanted - training.boards()), self.threads);
            self.out.work.save(training.save())?;
            progress.tell(training.boards());
        }
        Ok(())
    }

    /// Ends a generation and writes its tables. The checkpoint comes last: if this is interrupted, the generation ends again.
    fn finish_generation(&mut self, training: &mut LeaveTraining<'_>, say: LinePrinter<'_>) -> Result<()> {
        let boards = self.boards(training.generation());
        let finished = training.finish_generation();
        let coverage = finished.coverage;
        say(&format!(
            "generation {}: {boards} boards; of {} leaves, {} were met on fewer boards than are enough, {} on none",
            training.generation(),
            coverage.leaves,
            coverage.few,
            coverage.unseen
        ))?;
        if let Some(racks) = &mut self.racks {
            racks.write(leave_table::racks_to_bytes(training.table().ranks().kinds(), &finished.racks))?;
        }
        self.out.write(leave_file(&self.arguments.out, training.table(), &self.game.rules.distribution)?)?;
        self.out.work.save(training.save())
    }

    /// What the values of the last generation gain over those before, points a game.
    fn gain(&self, training: &LeaveTraining<'_>, say: LinePrinter<'_>) -> Result<f64> {
        let player = |table: &LeaveTable| -> Result<Contestant> {
            let leaves = Leaves::trained("training", table.clone());
            let evaluator = Evaluator { leaves, win_model: WinModel::formula(), rack_means: None };
            let knowledge = Knowledge { lexicon: Arc::clone(self.game.lexicon()), evaluator: Arc::new(evaluator) };
            // Leaves are what is compared; endgames would only take time.
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

/// Leaves of each size at either end of the report.
const SHOWN: usize = 10;

/// The values of the leaves of a full bag as a file of this name: KLV2, or the program's own form if the name ends with `.leaves`.
///
/// # Errors
/// Values that the form has no room for.
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

/// The best and the worst leaves of each size.
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

/// The leaves of a full bag of this many tiles, with their values.
fn of_size(table: &LeaveTable, alphabet: &LetterDistribution, size: usize) -> Vec<(Vec<u8>, Millipoints)> {
    let mut leaves = Vec::new();
    multisets::for_each(&Rack::full_bag(alphabet).counts()[..table.ranks().kinds()], size, &mut |tiles| {
        leaves.push((tiles.to_vec(), table.value(tiles.iter().map(|&tile| tile as usize))));
    });
    leaves
}
