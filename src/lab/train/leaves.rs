//! `tilewright lab train leaves`: trains generations of leave values, until one is hardly better
//! than the one before. The values themselves are made in `training/leaves.rs`.

use crate::engine::Engine;
use crate::evaluation::{Evaluator, LeaveTable, Leaves, WinModel};
use crate::formats::leave_table;
use crate::host::game_arguments::OpenedGame;
use crate::host::long_run::{self, GoingOn};
use crate::host::output_file::{OutputFile, OverwriteArguments, ResumableFile};
use crate::host::progress::{RunProgress, say_aside};
use crate::lab::train::game::TrainingSetup;
use crate::lab::train::leave_report;
use crate::match_play::pairs::{Contestant, PairedMatch, TurnCounting};
use crate::match_play::statistics::MatchStatistics;
use crate::search::budget::Signals;
use crate::search::limits::MOST_SEED;
use crate::search::{Knowledge, RunSettings};
use crate::training::leaves::LeaveTraining;
use anyhow::{Context, Result};
use std::ops::ControlFlow;
use std::path::PathBuf;
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
}

/// Trains, going on from what was saved beside the table, and says what came of it, a line at a time.
///
/// # Errors
/// A file that cannot be read or written, or that was saved by another training.
pub fn run(arguments: &LeaveTrainingArguments, setup: TrainingSetup<'_>, say: &mut dyn FnMut(&str) -> std::io::Result<()>) -> Result<()> {
    let game = setup.game.open()?;
    let out = ResumableFile::claim(&arguments.out, None, arguments.overwriting.overwrite())?;
    let racks = arguments.racks.as_deref().map(|path| OutputFile::claim(path, out.overwrite())).transpose()?;
    let mut run = LeaveRun { arguments, game: &game, threads: long_run::threads(setup.threads), out, racks };
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
    for line in leave_report::best_and_worst(training.table(), &game.rules.distribution) {
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
    fn finish_generation(&mut self, training: &mut LeaveTraining<'_>, say: &mut dyn FnMut(&str) -> std::io::Result<()>) -> Result<()> {
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
        self.out.write(leave_report::file_of(&self.arguments.out, training.table(), &self.game.rules.distribution)?)?;
        self.out.work.save(training.save())
    }

    /// What the values of the last generation gain over those before, points a game.
    fn gain(&self, training: &LeaveTraining<'_>, say: &mut dyn FnMut(&str) -> std::io::Result<()>) -> Result<f64> {
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
