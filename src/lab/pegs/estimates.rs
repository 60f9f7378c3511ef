//! `tilewright lab pegs --estimates`: reports how often unproved expectations come true.

use crate::engine::Engine;
use crate::regret::score::weighted_mean;
use crate::rules::Position;
use crate::search::pre_endgame::trial::{self, TriedEstimate, WinTieLoss};
use anyhow::Result;
use rayon::ThreadPool;
use rayon::prelude::*;

/// Estimates of playouts are grouped by the expected lead in points: a range ends before each of
/// these.
const LEADS: [i32; 12] = [-60, -40, -25, -15, -8, -3, 0, 1, 4, 9, 16, 26];

/// Estimates of searches are grouped by the lead of the playout before.
const FEW_LEADS: [i32; 4] = [-25, -8, 9, 26];

/// Tries the estimates of these positions, and says what came of them: a line a kind.
///
/// # Errors
/// `say`'s.
pub fn run(
    positions: &[Position],
    engine: &Engine,
    pool: &ThreadPool,
    seed: u64,
    say: &mut dyn FnMut(&str) -> std::io::Result<()>,
) -> Result<()> {
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
fn say_row(
    name: &str,
    tried: &[Vec<TriedEstimate>],
    is_it: impl Fn(&TriedEstimate) -> bool,
    say: &mut dyn FnMut(&str) -> std::io::Result<()>,
) -> std::io::Result<()> {
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
