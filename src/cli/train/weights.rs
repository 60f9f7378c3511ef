//! `tilewright train weights`: the weights of a rack heuristic, trained against the greedy player as Gordon did. The search is in
//! `training/rack_weights.rs`.
//!
//! After each trial what it gained is saved in a file beside the table: a run that is interrupted goes on from there.

use crate::cli::game_arguments::{GameArguments, OpenedGame};
use crate::cli::long_run::{self, GoingOn};
use crate::cli::output_file::{OverwriteArguments, ResumableFile};
use crate::cli::progress::say_aside;
use crate::evaluation::Leaves;
use crate::evaluation::heuristics::{HeuristicTable, RackHeuristic};
use crate::match_play::game::GameLoop;
use crate::players::Player;
use crate::players::strategies::greedy::Greedy;
use crate::players::strategies::rack_heuristic::RackHeuristicPlayer;
use crate::rules::units::Millipoints;
use crate::rules::{LetterDistribution, Tile};
use crate::search::budget::Signals;
use crate::training::rack_weights::{WeightSearch, WeightStage, WeightTrial};
use anyhow::{Context, Result, ensure};
use rayon::prelude::*;
use std::path::PathBuf;

/// The steps of the paper.
const STEPS: [Millipoints; 2] = [Millipoints(2000), Millipoints(500)];

/// What is made.
#[derive(clap::Args, Clone, Debug)]
pub struct WeightArguments {
    /// Pairs of games of each trial: with steps of two points, then with steps of half a point.
    #[arg(long, value_name = "FIRST,THEN", value_delimiter = ',', default_values_t = [500u64, 5000], num_args = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub pairs: Vec<u64>,
    /// Passes over all weights with one step, at most.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub passes: u32,
    /// Seed of the games.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The table to write (.csv): for each tile the weight of the first one and of each further one, in points.
    #[arg(long)]
    pub out: PathBuf,
    /// What happens to a file of that name.
    #[command(flatten)]
    pub overwriting: OverwriteArguments,
    /// Threads; one for each core if not given. The result does not depend on it.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Which game is played.
    #[command(flatten)]
    pub game: GameArguments,
}

/// Trains, writes the table, and prints it beside the published weights.
///
/// # Errors
/// A file that cannot be read or written, trials of another search.
pub fn run(arguments: &WeightArguments, say: &mut dyn FnMut(&str) -> std::io::Result<()>) -> Result<()> {
    ensure!(arguments.pairs.len() == STEPS.len(), "--pairs: expected two numbers with a comma between, as in 500,5000");
    let game = arguments.game.open()?;
    let distribution = &game.rules.distribution;
    let stage = |(step, &pairs)| WeightStage { step, pairs, passes: arguments.passes };
    let mut search = WeightSearch::new(distribution, STEPS.into_iter().zip(&arguments.pairs).map(stage).collect());
    let heading = heading(arguments, &game);
    let mut out = ResumableFile::claim(&arguments.out, None, arguments.overwriting.overwrite())?;
    if let Some(text) = out.work.read()? {
        let path = out.work.path().display();
        resume(&mut search, &String::from_utf8_lossy(&text), &heading)
            .with_context(|| format!("cannot go on from {path}; without that file the search begins anew"))?;
    }
    say_aside(&format!("if interrupted, go on with: {}", long_run::this_command(GoingOn::Same)));
    let pool = long_run::pool(arguments.threads)?;
    while let Some(trial) = search.trial() {
        let gained = pool.install(|| play(&game, arguments.seed, &trial));
        search.tell(gained);
        out.work.save(journal(&search, &heading))?;
        let (stage, pass, trials) = search.place();
        let points = gained as f64 / (2 * (trial.pairs.end - trial.pairs.start)) as f64;
        say_aside(&format!("stage {stage}, pass {pass} of at most {trials} trials: {points:+.2} points a game"));
    }
    out.write(table(&search, distribution, &heading))?;
    out.work.clear()?;
    say(&heading)?;
    beside_the_published(&search, distribution).iter().try_for_each(|line| say(line))?;
    Ok(())
}

/// What the trials follow from.
fn heading(arguments: &WeightArguments, game: &OpenedGame) -> String {
    let rules = game.unusual_rules().map(|rules| format!(" {rules}")).unwrap_or_default();
    let [first, then] = [0, 1].map(|at: usize| arguments.pairs.get(at).copied().unwrap_or_default());
    format!(
        "weights against greedy: seed {}, pairs {first},{then}, at most {} passes, lexicon {}{rules}",
        arguments.seed,
        arguments.passes,
        game.lexicon().name()
    )
}

/// The trials so far as text: the heading, then a line each.
fn journal(search: &WeightSearch, heading: &str) -> String {
    let gained: Vec<String> = search.told().iter().map(i64::to_string).collect();
    format!("{heading}\n{}\n", gained.join("\n"))
}

/// Tells a search what it was told before.
fn resume(search: &mut WeightSearch, text: &str, expected: &str) -> Result<()> {
    let mut lines = text.lines();
    let found = lines.next().unwrap_or_default();
    ensure!(found == expected, "it is of {found:?}, not of {expected:?}");
    for (number, line) in (2..).zip(lines.filter(|line| !line.is_empty())) {
        search.tell(line.parse().with_context(|| format!("line {number}: {line:?} is no sum of points"))?);
    }
    Ok(())
}

/// What a player with these weights gains from the greedy player in these pairs of games, points in all.
fn play(game: &OpenedGame, seed: u64, trial: &WeightTrial) -> i64 {
    let (rules, lexicon) = (&game.rules, game.lexicon().as_ref());
    let leaves =
        Leaves::weighted("trained", HeuristicTable::weighted(RackHeuristic::Duplicates, trial.weights.clone(), &rules.distribution));
    let nothing = Leaves::nothing();
    let start = || {
        (GameLoop::new(rules, lexicon.graph()), RackHeuristicPlayer::new(rules, lexicon, &leaves), Greedy::new(rules, lexicon, &nothing))
    };
    let pair = |(games, weighted, greedy): &mut (GameLoop<'_>, RackHeuristicPlayer<'_>, Greedy<'_>), index| -> i64 {
        let game = |seat: usize| {
            let summary = games.play(seed, index, &Signals::default(), |board, view| {
                if view.seat == seat { weighted.choose(board, view) } else { greedy.choose(board, view) }
            });
            summary.map_or(0, |summary| i64::from(summary.scores[seat] - summary.scores[1 - seat]))
        };
        [0, 1].map(game).into_iter().sum()
    };
    trial.pairs.clone().into_par_iter().map_init(start, pair).sum()
}

fn points(weight: Millipoints) -> String {
    format!("{:.1}", f64::from(weight.0) / 1000.0)
}

/// The weights as CSV.
fn table(search: &WeightSearch, distribution: &LetterDistribution, heading: &str) -> String {
    let row = |tile: Tile| {
        let weight = search.weights()[tile.index()];
        format!("{},{},{}\n", distribution.tiles_text([tile]), points(weight.first), points(weight.further))
    };
    let rows: String = distribution.tiles().map(row).collect();
    format!("# {heading}\n# tile, first, each further, points\n{rows}")
}

/// The weights beside those of the paper's heuristic 2, and how many have the same sign.
fn beside_the_published(search: &WeightSearch, distribution: &LetterDistribution) -> Vec<String> {
    let published = HeuristicTable::new(RackHeuristic::Duplicates, distribution);
    let mut lines = vec![format!("{:<6}{:>8}{:>10}{:>10}{:>10}", "tile", "first", "paper", "further", "paper")];
    let (mut same, mut of) = (0, 0);
    for tile in distribution.tiles() {
        let (ours, theirs) = (search.weights()[tile.index()], published.weight(tile));
        let pairs = [(ours.first, theirs.first), (ours.further, theirs.further)];
        of += pairs.iter().filter(|(_, theirs)| theirs.0 != 0).count();
        same += pairs.iter().filter(|(ours, theirs)| theirs.0 != 0 && ours.0.signum() == theirs.0.signum()).count();
        let [first, first_paper, further, further_paper] = [ours.first, theirs.first, ours.further, theirs.further].map(points);
        lines.push(format!("{:<6}{first:>8}{first_paper:>10}{further:>10}{further_paper:>10}", distribution.tiles_text([tile])));
    }
    lines.push(format!("{same} of {of} weights that are not zero in the paper have its sign"));
    lines
}
