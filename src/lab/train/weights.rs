//! `tilewright lab train weights`: trains the weights of a rack heuristic against the greedy
//! player. Weights are trained one at a time, as Gordon did, or all in the same games.
//!
//! The gain of each trial is saved in a file next to the table, so that an interrupted run can continue. Not here: the searches
//! (`training/rack_weights.rs`).

use crate::evaluation::Leaves;
use crate::evaluation::heuristics::{HeuristicTable, RackHeuristic, TileWeight};
use crate::host::game_arguments::{GameArguments, OpenedGame};
use crate::host::long_run::{self, GoingOn};
use crate::host::output::{LinePrinter, say_aside};
use crate::host::output_file::{OverwriteArguments, ResumableFile};
use crate::match_play::game::GameLoop;
use crate::players::Player;
use crate::players::strategies::rack_heuristic::{Greedy, RackHeuristicPlayer};
use crate::rules::units::Millipoints;
use crate::rules::{LetterDistribution, Seat, Tile};
use crate::search::budget::Signals;
use crate::search::limits::MOST_SEED;
use crate::training::rack_weights::{ERRORS, JointGain, JointTrial, JointWeightSearch, WeightSearch, WeightStage, WeightTrial};
use anyhow::{Context, Result, ensure};
use rayon::prelude::*;
use std::path::PathBuf;

/// The steps of the paper.
const STEPS: [Millipoints; 2] = [Millipoints(2000), Millipoints(500)];

/// The weights to make.
#[derive(clap::Args, Clone, Debug)]
pub struct WeightArguments {
    /// Pairs of games per trial, first with steps of two points, then with steps of half a point. With `--together`, a trial is a pass, and
    /// plays each pair twice.
    #[arg(long, value_name = "FIRST,THEN", value_delimiter = ',', default_values_t = [500u64, 5000], num_args = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub pairs: Vec<u64>,
    /// The most passes over all weights with one size of step.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub passes: u32,
    /// Try all weights in the same games, each raised or lowered at random, and move those with a significant effect.
    #[arg(long)]
    pub together: bool,
    /// Seed of the games.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=MOST_SEED))]
    pub seed: u64,
    /// The table to write (.csv): for each kind of tile, the weights of its first tile and of each further tile, in points.
    #[arg(long)]
    pub out: PathBuf,
    /// Whether an existing file may be overwritten.
    #[command(flatten)]
    pub overwriting: OverwriteArguments,
}

/// Trains, writes the table, and prints it next to the published weights.
///
/// # Errors
/// A file cannot be read or written, or has the trials of another search.
pub fn run(arguments: &WeightArguments, game: &GameArguments, threads: Option<u16>, say: LinePrinter<'_>) -> Result<()> {
    ensure!(arguments.pairs.len() == STEPS.len(), "--pairs: expected two numbers separated by a comma, such as 500,5000");
    let game = game.open()?;
    let distribution = &game.rules.distribution;
    let stage = |(step, &pairs)| WeightStage { step, pairs, passes: arguments.passes };
    let stages = STEPS.into_iter().zip(&arguments.pairs).map(stage).collect();
    let mut search = if arguments.together {
        WeightSearchKind::Together(JointWeightSearch::new(distribution, stages))
    } else {
        WeightSearchKind::InTurn(WeightSearch::new(distribution, stages))
    };
    let heading = heading(arguments, &game);
    let mut out = ResumableFile::claim(&arguments.out, None, arguments.overwriting.overwrite())?;
    if let Some(text) = out.work.read()? {
        let path = out.work.path().display();
        resume(&mut search, &String::from_utf8_lossy(&text), &heading)
            .with_context(|| format!("cannot continue from {path}; delete that file to begin again"))?;
    }
    say_aside(&format!("if interrupted, go on with: {}", long_run::this_command(GoingOn::Same)));
    let pool = long_run::pool(threads)?;
    let games = Games { game: &game, seed: arguments.seed };
    while let Some(progress) = search.play_next(&games, &pool) {
        out.work.save(journal(&search, &heading))?;
        say_aside(&progress);
    }
    out.write(table(search.weights(), distribution, &heading))?;
    out.work.clear()?;
    say(&heading)?;
    beside_the_published(search.weights(), distribution).iter().try_for_each(|line| say(line))?;
    search.errors(&arguments.pairs).iter().try_for_each(|line| say(line))?;
    Ok(())
}

/// Describes everything that determines the trials.
fn heading(arguments: &WeightArguments, game: &OpenedGame) -> String {
    let [first, then] = [0, 1].map(|at: usize| arguments.pairs.get(at).copied().unwrap_or_default());
    let together = if arguments.together { "all together, " } else { "" };
    let passes = if arguments.together { "" } else { "at most " };
    format!(
        "weights against greedy: {together}seed {}, pairs {first},{then}, {passes}{} passes, {}",
        arguments.seed,
        arguments.passes,
        game.heading()
    )
}

/// A search for weights.
enum WeightSearchKind {
    /// One after another, as in the paper.
    InTurn(WeightSearch),
    /// All weights in the same games.
    Together(JointWeightSearch),
}

impl WeightSearchKind {
    /// Plays the next trial and adds its result. Returns a line about it, or `None` at the end.
    fn play_next(&mut self, games: &Games<'_>, pool: &rayon::ThreadPool) -> Option<String> {
        match self {
            WeightSearchKind::InTurn(search) => {
                let trial = search.trial()?;
                let gained = pool.install(|| games.gained(&trial));
                search.tell(gained);
                let (stage, pass, trials) = search.place();
                let points = gained as f64 / (2 * (trial.pairs.end - trial.pairs.start)) as f64;
                Some(format!("stage {stage}, pass {pass} of at most {trials} trials: {points:+.2} points a game"))
            }
            WeightSearchKind::Together(search) => {
                let (stage, pass) = search.place();
                let trial = search.trial()?;
                let gain = pool.install(|| games.joint_gain(&trial));
                let moved = search.tell(gain);
                Some(format!("stage {stage}, pass {pass}: {moved} of {} weights moved", search.size()))
            }
        }
    }

    fn weights(&self) -> &[TileWeight] {
        match self {
            WeightSearchKind::InTurn(search) => search.weights(),
            WeightSearchKind::Together(search) => search.weights(),
        }
    }

    /// Returns the gains so far, one per line.
    fn told(&self) -> Vec<String> {
        let of_joint =
            |gain: &JointGain| [&[gain.squares], &gain.sums[..]].concat().iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
        match self {
            WeightSearchKind::InTurn(search) => search.told().iter().map(i64::to_string).collect(),
            WeightSearchKind::Together(search) => search.told().iter().map(of_joint).collect(),
        }
    }

    /// Passes a saved line to the search.
    fn tell(&mut self, line: &str) -> Result<()> {
        match self {
            WeightSearchKind::InTurn(search) => search.tell(line.parse()?),
            WeightSearchKind::Together(search) => {
                let numbers = line.split(' ').map(str::parse).collect::<Result<Vec<i64>, _>>()?;
                ensure!(numbers.len() == search.size() + 1, "expected {} numbers, found {}", search.size() + 1, numbers.len());
                search.tell(JointGain { squares: numbers[0], sums: numbers[1..].to_vec() });
            }
        }
        Ok(())
    }

    /// Reports how well the first pass separated the weights, if it tried them together.
    fn errors(&self, pairs: &[u64]) -> Vec<String> {
        let WeightSearchKind::Together(search) = self else { return Vec::new() };
        let (Some(first), Some(&pairs)) = (search.told().first(), pairs.first()) else { return Vec::new() };
        // The difference of a pair is over two games with the changes and two games with the reverse changes.
        let error = (first.squares as f64).sqrt() / (2 * pairs) as f64;
        let largest = first.sums.iter().map(|sum| sum.abs()).max().unwrap_or_default() as f64 / (2 * pairs) as f64;
        let seen = first.sums.iter().filter(|&&sum| sum.abs() as f64 > ERRORS * (first.squares as f64).sqrt()).count();
        vec![format!(
            "first pass: a weight raised against the same lowered, points a game: at most {largest:.2}, standard error {error:.2}; {seen} of {} beyond \
             two errors",
            search.size()
        )]
    }
}

/// Returns the trials so far as text: the heading, then one line per trial.
fn journal(search: &WeightSearchKind, heading: &str) -> String {
    format!("{heading}\n{}\n", search.told().join("\n"))
}

/// Passes the gains of an earlier run to a search.
fn resume(search: &mut WeightSearchKind, text: &str, expected: &str) -> Result<()> {
    let mut lines = text.lines();
    let found = lines.next().unwrap_or_default();
    ensure!(found == expected, "it belongs to {found:?}, expected {expected:?}");
    for (number, line) in (2..).zip(lines.filter(|line| !line.is_empty())) {
        search.tell(line).with_context(|| format!("line {number}: {line:?} is not the result of a trial"))?;
    }
    Ok(())
}

/// Games of weights against the greedy player.
struct Games<'a> {
    game: &'a OpenedGame,
    seed: u64,
}

/// The state of a thread from pair to pair.
type Table<'a> = (GameLoop<'a>, Greedy<'a>);

impl Games<'_> {
    fn leaves(&self, weights: &[TileWeight]) -> Leaves {
        let table = HeuristicTable::weighted(RackHeuristic::Duplicates, weights.to_vec(), &self.game.rules.distribution);
        Leaves::weighted("trained", table)
    }

    fn table<'a>(&'a self, nothing: &'a Leaves) -> Table<'a> {
        let (rules, lexicon) = (&self.game.rules, self.game.lexicon().as_ref());
        (GameLoop::new(rules, lexicon.graph()), Greedy::new(rules, lexicon, nothing))
    }

    fn player<'a>(&'a self, leaves: &'a Leaves) -> RackHeuristicPlayer<'a> {
        RackHeuristicPlayer::new(&self.game.rules, self.game.lexicon().as_ref(), leaves)
    }

    /// Returns the gain of a player against the greedy player in a pair of games: its points minus the opponent's.
    fn pair(&self, (games, greedy): &mut Table<'_>, weighted: &mut RackHeuristicPlayer<'_>, index: u64) -> i64 {
        let game = |seat: Seat| {
            let summary = games.play(self.seed, index, &Signals::default(), |board, view| {
                if view.seat == seat { weighted.choose(board, view) } else { greedy.choose(board, view) }
            });
            summary.map_or(0, |summary| i64::from(summary.scores.lead(seat)))
        };
        Seat::BOTH.map(game).into_iter().sum()
    }

    /// Returns the gain of a player with the weights of a trial in all its games.
    fn gained(&self, trial: &WeightTrial) -> i64 {
        let (leaves, nothing) = (self.leaves(&trial.weights), Leaves::nothing());
        let start = || (self.table(&nothing), self.player(&leaves));
        let pair = |(table, player): &mut (Table<'_>, RackHeuristicPlayer<'_>), index| self.pair(table, player, index);
        trial.pairs.clone().into_par_iter().map_init(start, pair).sum()
    }

    /// Returns the gain of each weight in a trial of all weights.
    fn joint_gain(&self, trial: &JointTrial) -> JointGain {
        let nothing = Leaves::nothing();
        let pair = |table: &mut Table<'_>, index| {
            let raised = trial.raised(self.seed, index);
            let [with, reverse] = trial.weights(&raised).map(|weights| {
                let leaves = self.leaves(&weights);
                self.pair(table, &mut self.player(&leaves), index)
            });
            JointGain::of_pair(&raised, with - reverse)
        };
        let pairs = trial.pairs.clone().into_par_iter().map_init(|| self.table(&nothing), pair);
        pairs.reduce(JointGain::nothing, |sum, gain| if gain.sums.is_empty() { sum } else { sum.plus(&gain) })
    }
}

fn points(weight: Millipoints) -> String {
    format!("{:.1}", f64::from(weight.0) / 1000.0)
}

/// Returns the weights as CSV.
fn table(weights: &[TileWeight], distribution: &LetterDistribution, heading: &str) -> String {
    let row = |tile: Tile| {
        let weight = weights[tile.index()];
        format!("{},{},{}\n", distribution.tiles_text([tile]), points(weight.first), points(weight.further))
    };
    let rows: String = distribution.tiles().map(row).collect();
    format!("# {heading}\n# tile, first, each further, points\n{rows}")
}

/// Lists the weights next to those of the paper's heuristic 2, and counts those with the same sign.
fn beside_the_published(weights: &[TileWeight], distribution: &LetterDistribution) -> Vec<String> {
    let published = HeuristicTable::new(RackHeuristic::Duplicates, distribution);
    let mut lines = vec![format!("{:<6}{:>8}{:>10}{:>10}{:>10}", "tile", "first", "paper", "further", "paper")];
    let (mut same, mut of) = (0, 0);
    for tile in distribution.tiles() {
        let (ours, theirs) = (weights[tile.index()], published.weight(tile));
        let pairs = [(ours.first, theirs.first), (ours.further, theirs.further)];
        of += pairs.iter().filter(|(_, theirs)| theirs.0 != 0).count();
        same += pairs.iter().filter(|(ours, theirs)| theirs.0 != 0 && ours.0.signum() == theirs.0.signum()).count();
        let [first, first_paper, further, further_paper] = [ours.first, theirs.first, ours.further, theirs.further].map(points);
        lines.push(format!("{:<6}{first:>8}{first_paper:>10}{further:>10}{further_paper:>10}", distribution.tiles_text([tile])));
    }
    lines.push(format!("{same} of {of} weights that are not zero in the paper have its sign"));
    lines
}
