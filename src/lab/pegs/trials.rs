//! Tests the results of short pre-endgame searches by longer searches.
//!
//! `--choices` measures the loss of choices by short searches. In each position, pre-endgames and simulations with few nodes choose a play,
//! and so does a pre-endgame with many nodes. If they disagree, each chosen play is searched alone, so that every draw is examined. The loss
//! of a choice is its distance from the greatest chance of winning among the chosen plays.
//!
//! `--estimates` reports how often unproved expectations come true.

use crate::engine::Engine;
use crate::host::output::LinePrinter;
use crate::host::piece_run::{FinishedRun, PieceRun};
use crate::lab::pegs::record::{Choice, JudgedPosition, PegHeader, PegPiece};
use crate::regret::score::weighted_mean;
use crate::rules::{Play, Position};
use crate::search::pre_endgame::trial::{self, TriedEstimate, WinTieLoss};
use crate::search::race::differences::Moments;
use crate::search::report::Outcome;
use crate::search::{Analysis, PlaySelection, PreEndgameOptions, Search, SimulationOptions};
use anyhow::Result;
use cpu_time::ThreadTime;
use rayon::ThreadPool;
use rayon::prelude::*;

/// Nodes of the search with many nodes, and of the search that values a play.
const MANY: u64 = 400_000;

/// A search that chooses a play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chooser {
    /// A pre-endgame with this many nodes.
    Peg(u64),
    /// A simulation with this many nodes.
    Sim(u64),
}

impl Chooser {
    fn analysis(self) -> Analysis {
        match self {
            Chooser::Peg(nodes) => Analysis::PreEndgame(PreEndgameOptions { nodes: Some(nodes), ..PreEndgameOptions::default() }),
            Chooser::Sim(nodes) => Analysis::Simulation(SimulationOptions { nodes: Some(nodes), ..SimulationOptions::default() }),
        }
    }

    fn text(self) -> String {
        match self {
            Chooser::Peg(nodes) => format!("peg, {nodes} nodes"),
            Chooser::Sim(nodes) => format!("sim, {nodes} nodes"),
        }
    }
}

/// Lets searches with each of these numbers of nodes choose in the positions. Prints the choices for each position, then the loss of each
/// chooser.
///
/// # Errors
/// `say` fails.
pub fn choices(
    positions: &[Position],
    nodes: &[u64],
    engine: &Engine,
    pool: &ThreadPool,
    mut run: PieceRun<PegHeader>,
    say: LinePrinter<'_>,
) -> Result<()> {
    let choosers: Vec<Chooser> = nodes.iter().flat_map(|&nodes| [Chooser::Peg(nodes), Chooser::Sim(nodes)]).collect();
    // A batch has one position per thread, so that progress can be seen.
    for batch in run.own().chunks(pool.current_num_threads()) {
        let left: Vec<u64> = batch.iter().copied().filter(|&index| run.get(index).is_none()).collect();
        let judge = |&index: &u64| judge(&positions[index as usize], &choosers, engine);
        let of_batch: Vec<JudgedPosition> = pool.install(|| left.par_iter().map(judge).collect());
        for (&index, judged) in left.iter().zip(of_batch) {
            run.keep(index, PegPiece { chosen: Some(judged), ..PegPiece::default() })?;
        }
        for &index in batch {
            if let Some(judged) = run.get(index).and_then(|piece| piece.chosen.as_ref()) {
                say(&format!("{index} {}", in_words(judged)))?;
            }
        }
    }
    let judged: Vec<JudgedPosition> = match run.finish() {
        FinishedRun::Whole(all, _) => all.into_iter().filter_map(|piece| piece.chosen).collect(),
        FinishedRun::Shard(line) => return Ok(say(&line)?),
    };
    say("chooser: % of wins lost per position, processor time in ms, positions with a loss")?;
    for (at, chooser) in choosers.iter().enumerate() {
        let (mut lost, mut ms, mut losing) = (Moments::default(), Moments::default(), 0);
        for of_position in &judged {
            let Choice { play, time_ms: took } = &of_position.choices[at];
            let lost_here = of_position.lost(play);
            lost.add(100.0 * lost_here);
            ms.add(*took);
            losing += usize::from(lost_here > 0.0);
        }
        say(&format!(
            "{}: {:.2} +- {:.2}, {:.0} ms, {losing} of {}",
            chooser.text(),
            lost.mean,
            lost.standard_error(),
            ms.mean,
            judged.len()
        ))?;
    }
    Ok(())
}

fn judge(position: &Position, choosers: &[Chooser], engine: &Engine) -> JudgedPosition {
    let choices = choosers.iter().chain([&Chooser::Peg(MANY)]).map(|chooser| {
        let start = ThreadTime::now();
        let play = search(position, chooser.analysis(), engine).best.expect("there is always a play");
        (play, start.elapsed().as_secs_f64() * 1e3)
    });
    let choices: Vec<(Play, f64)> = choices.collect();
    let mut chosen: Vec<Play> = choices.iter().map(|(play, _)| *play).collect();
    chosen.sort();
    chosen.dedup();
    let text = |play: &Play| engine.play_text(play, position);
    let valued =
        if chosen.len() == 1 { Vec::new() } else { chosen.iter().map(|play| (text(play), chance(position, play, engine))).collect() };
    JudgedPosition { choices: choices.iter().map(|(play, time_ms)| Choice { play: text(play), time_ms: *time_ms }).collect(), valued }
}

/// Returns the chance of winning of a play that is searched alone, 0 to 1.
fn chance(position: &Position, play: &Play, engine: &Engine) -> f64 {
    let options =
        PreEndgameOptions { plays: PlaySelection::only(vec![*play]), nodes: Some(MANY), first_win: true, ..PreEndgameOptions::default() };
    search(position, options, engine).last.expect("a pre-endgame ranks its plays").rows[0].win
}

fn search<S: Search>(position: &Position, question: S, engine: &Engine) -> Outcome<S::Report> {
    engine.answer(position, question).expect("a pre-endgame is under way, its rack known")
}

/// Lists the chosen plays with their chances of winning, percent.
fn in_words(judged: &JudgedPosition) -> String {
    if judged.valued.is_empty() {
        return format!("all choose {}", judged.choices[0].play);
    }
    let mut valued: Vec<String> = judged.valued.iter().map(|(play, chance)| format!("{play} {:.1}", 100.0 * chance)).collect();
    valued.sort();
    format!("{} plays: {}", valued.len(), valued.join(", "))
}

/// The expected leads, in points, by which estimates of playouts are grouped. A group ends before each
/// of these.
const LEADS: [i32; 12] = [-60, -40, -25, -15, -8, -3, 0, 1, 4, 9, 16, 26];

/// The leads of the preceding playout by which estimates of searches are grouped.
const FEW_LEADS: [i32; 4] = [-25, -8, 9, 26];

/// Tries the estimates of these positions, and prints their accuracy, one line per kind.
///
/// # Errors
/// `say` fails.
pub fn estimates(
    positions: &[Position],
    engine: &Engine,
    pool: &ThreadPool,
    seed: u64,
    mut run: PieceRun<PegHeader>,
    say: LinePrinter<'_>,
) -> Result<()> {
    let try_one = |&index: &u64| trial::try_estimates(&positions[index as usize], engine.knowledge(), seed);
    // A batch has one position per thread, so that an interruption loses little.
    for batch in run.left().chunks(pool.current_num_threads()) {
        let of_batch: Vec<Vec<TriedEstimate>> = pool.install(|| batch.par_iter().map(try_one).collect());
        for (&index, estimates) in batch.iter().zip(of_batch) {
            run.keep(index, PegPiece { estimates: Some(estimates), ..PegPiece::default() })?;
        }
    }
    let tried: Vec<Vec<TriedEstimate>> = match run.finish() {
        FinishedRun::Whole(all, _) => all.into_iter().filter_map(|piece| piece.estimates).collect(),
        FinishedRun::Shard(line) => return Ok(say(&line)?),
    };
    say(&format!("estimates of {} positions: % expected, % won when solved (a tie is half)", positions.len()))?;
    for (is_modelled, bag) in [(false, "bag emptied"), (true, "tiles stay")] {
        let of_bag = |estimate: &TriedEstimate| estimate.is_modelled == is_modelled;
        let mut nodes: Vec<u64> = tried.iter().flatten().map(|estimate| estimate.nodes).collect();
        nodes.sort_unstable();
        nodes.dedup();
        for searched in nodes {
            let (how, edges) =
                if searched == 0 { ("playouts".to_string(), &LEADS[..]) } else { (format!("{searched} nodes"), &FEW_LEADS[..]) };
            let edges = [&[i32::MIN][..], edges, &[i32::MAX]].concat();
            for (seems, outcome) in [("lost", WinTieLoss::Loss), ("level", WinTieLoss::Tie), ("won", WinTieLoss::Win)] {
                for lead in edges.windows(2).map(|ends| ends[0]..ends[1]) {
                    let is_it = |estimate: &TriedEstimate| {
                        of_bag(estimate) && estimate.nodes == searched && estimate.outcome == outcome && lead.contains(&estimate.lead)
                    };
                    let below = if lead.end == i32::MAX { String::new() } else { format!(", lead below {}", lead.end) };
                    say_row(&format!("{bag}, {how}, seems {seems}{below}"), &tried, is_it, say)?;
                }
            }
        }
    }
    Ok(())
}

/// Prints a line about the estimates of one kind, if there are any.
fn say_row(name: &str, tried: &[Vec<TriedEstimate>], is_it: impl Fn(&TriedEstimate) -> bool, say: LinePrinter<'_>) -> std::io::Result<()> {
    // The estimates of a position depend on each other, so the independent units are positions.
    let of_position = |estimates: &Vec<TriedEstimate>| {
        let of_kind: Vec<&TriedEstimate> = estimates.iter().filter(|estimate| is_it(estimate)).collect();
        let number = of_kind.len() as f64;
        let mean = |value: fn(&TriedEstimate) -> f64| of_kind.iter().map(|estimate| value(estimate)).sum::<f64>() / number;
        (number > 0.0).then(|| (number, mean(|estimate| estimate.told), mean(|estimate| estimate.came)))
    };
    let positions: Vec<(f64, f64, f64)> = tried.iter().filter_map(of_position).collect();
    if positions.is_empty() {
        return Ok(());
    }
    let number: f64 = positions.iter().map(|(number, ..)| number).sum();
    let told = weighted_mean(positions.iter().map(|&(number, told, _)| (number, told)));
    let came = weighted_mean(positions.iter().map(|&(number, _, came)| (number, came)));
    let [told, came, error] = [told.mean, came.mean, came.error].map(|share| 100.0 * share);
    say(&format!("{name}: {number} estimates, expected {told:.1}, won {came:.1} +- {error:.1}"))
}
