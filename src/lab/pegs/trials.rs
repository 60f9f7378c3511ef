//! Tests the results of short pre-endgame searches by longer searches.
//!
//! `--choices` measures what the choices of short searches lose. In each position pre-endgames and simulations with few nodes choose a play,
//! and so does a pre-endgame with many nodes. If they disagree, each chosen play is searched alone,
//! so that every draw is examined. The loss of a choice is the difference between its chance of
//! winning and the greatest one: that of the play chosen with many nodes,
//! or of another play that turned out better. `--estimates` reports how often unproved expectations come true.

use crate::engine::Engine;
use crate::host::output::LinePrinter;
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

/// Nodes of the search that chooses well, and of the one that values a play.
const MANY: u64 = 400_000;

/// How a play is chosen.
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

/// What a chooser did in a position.
#[derive(Clone, Copy, Debug)]
struct Choice {
    play: Play,
    /// Processor time, ms.
    ms: f64,
}

/// A position with what was chosen there.
#[derive(Clone, Debug)]
struct JudgedPosition {
    /// By chooser, and last by many nodes.
    choices: Vec<Choice>,
    /// The plays that were chosen, with their chances of winning; one alone is not valued.
    valued: Vec<(Play, f64)>,
}

impl JudgedPosition {
    /// What a play loses, 0 to 1.
    fn lost(&self, play: &Play) -> f64 {
        let most = self.valued.iter().map(|(_, chance)| *chance).fold(0.0, f64::max);
        self.valued.iter().find(|(valued, _)| valued == play).map_or(0.0, |(_, chance)| most - chance)
    }
}

/// Lets each of these numbers of nodes choose in the positions. Says for each position what was chosen, then for each chooser what it loses.
///
/// # Errors
/// `say`'s.
pub fn choices(positions: &[Position], nodes: &[u64], engine: &Engine, pool: &ThreadPool, say: LinePrinter<'_>) -> Result<()> {
    let choosers: Vec<Chooser> = nodes.iter().flat_map(|&nodes| [Chooser::Peg(nodes), Chooser::Sim(nodes)]).collect();
    let mut judged = Vec::new();
    // A batch for each thread, so that progress can be seen.
    for batch in positions.chunks(pool.current_num_threads()) {
        let of_batch: Vec<JudgedPosition> = pool.install(|| batch.par_iter().map(|position| judge(position, &choosers, engine)).collect());
        for (position, of_position) in batch.iter().zip(of_batch) {
            say(&format!("{} {}", judged.len(), in_words(position, &of_position, engine)))?;
            judged.push(of_position);
        }
    }
    say("chooser: % of wins lost a position, ms of processor time, positions in which it loses any")?;
    for (at, chooser) in choosers.iter().enumerate() {
        let (mut lost, mut ms, mut losing) = (Moments::default(), Moments::default(), 0);
        for of_position in &judged {
            let Choice { play, ms: took } = of_position.choices[at];
            let lost_here = of_position.lost(&play);
            lost.add(100.0 * lost_here);
            ms.add(took);
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
        Choice { play, ms: start.elapsed().as_secs_f64() * 1e3 }
    });
    let choices: Vec<Choice> = choices.collect();
    let mut chosen: Vec<Play> = choices.iter().map(|choice| choice.play).collect();
    chosen.sort();
    chosen.dedup();
    let valued =
        if chosen.len() == 1 { Vec::new() } else { chosen.into_iter().map(|play| (play, chance(position, &play, engine))).collect() };
    JudgedPosition { choices, valued }
}

/// The chance of winning of a play that is searched alone, 0 to 1.
fn chance(position: &Position, play: &Play, engine: &Engine) -> f64 {
    let options =
        PreEndgameOptions { plays: PlaySelection::only(vec![*play]), nodes: Some(MANY), first_win: true, ..PreEndgameOptions::default() };
    search(position, options, engine).last.expect("a pre-endgame ranks its plays").rows[0].win
}

fn search<S: Search>(position: &Position, question: S, engine: &Engine) -> Outcome<S::Report> {
    engine.answer(position, question).expect("a pre-endgame is under way, its rack known")
}

/// The plays that were chosen, with their chances of winning in percent.
fn in_words(position: &Position, judged: &JudgedPosition, engine: &Engine) -> String {
    let text = |play: &Play| engine.play_text(play, position);
    if judged.valued.is_empty() {
        return format!("all choose {}", text(&judged.choices[0].play));
    }
    let mut valued: Vec<String> = judged.valued.iter().map(|(play, chance)| format!("{} {:.1}", text(play), 100.0 * chance)).collect();
    valued.sort();
    format!("{} plays: {}", valued.len(), valued.join(", "))
}

/// Estimates of playouts are grouped by the expected lead in points: a range ends before each of
/// these.
const LEADS: [i32; 12] = [-60, -40, -25, -15, -8, -3, 0, 1, 4, 9, 16, 26];

/// Estimates of searches are grouped by the lead of the playout before.
const FEW_LEADS: [i32; 4] = [-25, -8, 9, 26];

/// Tries the estimates of these positions, and says what came of them: a line a kind.
///
/// # Errors
/// `say`'s.
pub fn estimates(positions: &[Position], engine: &Engine, pool: &ThreadPool, seed: u64, say: LinePrinter<'_>) -> Result<()> {
    let try_one = |position: &Position| trial::try_estimates(position, engine.knowledge(), seed);
    let tried: Vec<Vec<TriedEstimate>> = pool.install(|| positions.par_iter().map(try_one).collect());
    say(&format!("estimates of {} positions: % told, % won when solved (a tie is half)", positions.len()))?;
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

/// A kind's estimates in a line, if there are any.
fn say_row(name: &str, tried: &[Vec<TriedEstimate>], is_it: impl Fn(&TriedEstimate) -> bool, say: LinePrinter<'_>) -> std::io::Result<()> {
    // The estimates of a position hang together, so positions are what is independent.
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
    say(&format!("{name}: {number} estimates, told {told:.1}, won {came:.1} +- {error:.1}"))
}
