//! `tilewright train leaves`: generations of leave values, until one is hardly better than the one before. The boards are
//! looked at in `training/leaves.rs`.

use crate::cli::game_arguments::GameArguments;
use crate::cli::long_run;
use crate::cli::progress::{RunProgress, say_aside};
use crate::cli::train::leave_report;
use crate::evaluation::{Evaluator, LeaveTable, Leaves, WinModel};
use crate::formats::leave_table;
use crate::lexicon::Lexicon;
use crate::match_play::pairs::{Contestant, PairedMatch};
use crate::match_play::statistics::MatchStatistics;
use crate::rules::GameRules;
use crate::search::Knowledge;
use crate::search::budget::Signals;
use crate::training::leaves::LeaveTraining;
use anyhow::{Context, Result};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Points a game that a generation must gain over the one before, or it is the last.
const LEAST_GAIN: f64 = 0.3;

/// What is made.
#[derive(clap::Args, Clone, Debug)]
pub struct LeaveTrainingArguments {
    /// The values to write: .klv2 for any engine that reads them, .leaves for the form that this program carries.
    #[arg(long)]
    pub out: PathBuf,
    /// Seed of all games.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Boards of the first generation; each further one looks at twice as many.
    #[arg(long, default_value_t = 512, value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
    pub boards: u64,
    /// Generations at most.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=16))]
    pub generations: u32,
    /// Pairs of games of a generation against the one before; one that gains less than 0.3 points a game is the last.
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub pairs: u64,
    /// A file for the means of all full racks, as dynamic leaves need them (.racks).
    #[arg(long)]
    pub racks: Option<PathBuf>,
    /// Boards between two savings.
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u64).range(1..))]
    pub save_every: u64,
    /// Threads; one for each core if not given. The result does not depend on it.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Which game is played.
    #[command(flatten)]
    pub game: GameArguments,
}

/// Trains, going on from what was saved beside the table, and says what came of it, a line at a time.
///
/// # Errors
/// A file that cannot be read or written, or that was saved by another training.
pub fn run(arguments: &LeaveTrainingArguments, say: &mut dyn FnMut(&str) -> std::io::Result<()>) -> Result<()> {
    let game = arguments.game.open()?;
    let (rules, lexicon) = (&game.rules, game.lexicon());
    let threads = long_run::threads(arguments.threads);
    let mut training = LeaveTraining::new(rules, lexicon, arguments.seed).context("the alphabet has too many letters")?;
    let checkpoint = checkpoint_of(&arguments.out);
    if let Some(bytes) = long_run::read_if_there(&checkpoint)? {
        training
            .resume(&bytes)
            .with_context(|| format!("cannot go on from {}; without that file the training begins anew", checkpoint.display()))?;
        say_aside(&format!("generation {} has {} boards in {}", training.generation() + 1, training.boards(), checkpoint.display()));
    }
    say_aside(&format!("if interrupted, go on with: {}", long_run::this_command(None)));
    long_run::save(&checkpoint, training.save())?;
    loop {
        let generation = training.generation();
        if generation > 0 && training.boards() == 0 {
            let is_better = gain(&training, rules, lexicon, arguments, threads, say)?;
            if !is_better || generation >= arguments.generations {
                break;
            }
        }
        look_at_boards(&mut training, arguments.boards << generation, arguments.save_every, threads, &checkpoint)?;
        let finished = training.finish_generation();
        let coverage = finished.coverage;
        say(&format!(
            "generation {}: {} boards; of {} leaves, {} were met on fewer boards than are enough, {} on none",
            training.generation(),
            arguments.boards << generation,
            coverage.leaves,
            coverage.few,
            coverage.unseen
        ))?;
        if let Some(path) = &arguments.racks {
            long_run::save(path, leave_table::racks_to_bytes(training.table().ranks().kinds(), &finished.racks))?;
        }
        leave_report::write(&arguments.out, training.table(), &rules.distribution)?;
        long_run::save(&checkpoint, training.save())?;
    }
    for line in leave_report::best_and_worst(training.table(), &rules.distribution) {
        say(&line)?;
    }
    long_run::remove(&checkpoint)
}

fn look_at_boards(training: &mut LeaveTraining<'_>, wanted: u64, save_every: u64, threads: usize, checkpoint: &Path) -> Result<()> {
    let mut progress = RunProgress::new("boards", training.boards(), wanted);
    while training.boards() < wanted {
        training.advance(save_every.min(wanted - training.boards()), threads);
        long_run::save(checkpoint, training.save())?;
        progress.tell(training.boards());
    }
    Ok(())
}

/// Whether the values of the last generation gain enough over those before.
fn gain(
    training: &LeaveTraining<'_>,
    rules: &Arc<GameRules>,
    lexicon: &Arc<Lexicon>,
    arguments: &LeaveTrainingArguments,
    threads: usize,
    say: &mut dyn FnMut(&str) -> std::io::Result<()>,
) -> Result<bool> {
    let player = |table: &LeaveTable| -> Result<Contestant> {
        let evaluator = Evaluator { leaves: Leaves::trained("training", table.clone()), win_model: WinModel::formula(), rack_means: None };
        let knowledge = Knowledge { lexicon: Arc::clone(lexicon), evaluator: Arc::new(evaluator) };
        // Leaves are what is compared; endgames would only take time.
        Ok(Contestant { spec: "static:late=off".parse()?, knowledge })
    };
    let players = [player(training.table())?, player(training.previous())?];
    let contest = PairedMatch { rules, players, seed: arguments.seed, clock_ms: None };
    let mut statistics = MatchStatistics::default();
    let mut progress = RunProgress::new("pairs", 0, arguments.pairs);
    contest.play(0..arguments.pairs, threads, &Signals::default(), &mut |pair| {
        statistics.add(&pair.result);
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
    Ok(spread.mean >= LEAST_GAIN)
}

fn checkpoint_of(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".part");
    name.into()
}
