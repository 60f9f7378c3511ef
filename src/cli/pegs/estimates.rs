//! `tilewright pegs --estimates`: how often what pre-endgames expect comes true, before anything is proved.

use crate::engine::Engine;
use crate::rules::Position;
use crate::search::pre_endgame::trial::{self, TriedEstimate, WinTieLoss};
use anyhow::{Context, Result};
use rayon::prelude::*;

/// Estimates of playouts are told apart by the lead that they expect, points: a range ends before each of these.
const LEADS: [i32; 12] = [-60, -40, -25, -15, -8, -3, 0, 1, 4, 9, 16, 26];

/// Those of searches are told apart by the lead of the playout before.
const FEW_LEADS: [i32; 4] = [-25, -8, 9, 26];

/// Estimates of a kind, of one position: how many, and the sums of what they tell and of what came.
#[derive(Clone, Copy, Debug, Default)]
struct EstimateSums {
    number: f64,
    told: f64,
    came: f64,
}

/// Tries the estimates of these positions, and says what came of them: a line a kind.
///
/// # Errors
/// No threads, or `say`'s.
pub fn run(
    positions: &[Position],
    engine: &Engine,
    threads: usize,
    seed: u64,
    say: &mut dyn FnMut(&str) -> std::io::Result<()>,
) -> Result<()> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("no threads")?;
    let try_one = |position: &Position| trial::try_estimates(position, engine.knowledge(), seed);
    let tried: Vec<Vec<TriedEstimate>> = pool.install(|| positions.par_iter().map(try_one).collect());
    say(&format!("estimates of {} positions: % told, % won when solved (a tie is half)", positions.len()))?;
    for (leaves_tiles, bag) in [(false, "bag emptied"), (true, "tiles stay")] {
        let of_bag = |estimate: &TriedEstimate| estimate.leaves_tiles == leaves_tiles;
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
    let of_position = |estimates: &Vec<TriedEstimate>| {
        estimates.iter().filter(|estimate| is_it(estimate)).fold(EstimateSums::default(), |sums, estimate| EstimateSums {
            number: sums.number + 1.0,
            told: sums.told + estimate.told,
            came: sums.came + estimate.came,
        })
    };
    let sums: Vec<EstimateSums> = tried.iter().map(of_position).collect();
    let total = |value: fn(&EstimateSums) -> f64| sums.iter().map(value).sum::<f64>();
    let number = total(|sums| sums.number);
    if number == 0.0 {
        return Ok(());
    }
    let [told, came] = [total(|sums| sums.told) / number, total(|sums| sums.came) / number];
    // The estimates of a position hang together, so positions are what is independent.
    let off = sums.iter().map(|sums| (sums.came - came * sums.number).powi(2)).sum::<f64>().sqrt() / number;
    say(&format!("{name}: {number} estimates, told {:.1}, won {:.1} +- {:.1}", 100.0 * told, 100.0 * came, 100.0 * off))
}
