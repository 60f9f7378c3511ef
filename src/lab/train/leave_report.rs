//! Trained leave values as files, and the best and worst of them as lines.

use crate::evaluation::leave_table::{LeaveTable, MAX_LEAVE};
use crate::formats::{klv2, leave_table};
use crate::rules::units::Millipoints;
use crate::rules::{LetterDistribution, Rack, Tile, multisets};
use anyhow::{Result, anyhow};
use std::cmp::Reverse;
use std::path::Path;

/// Leaves of each size at either end of the report.
const SHOWN: usize = 10;

/// The values of the leaves of a full bag as a file of this name: KLV2, or the program's own form if the name ends with `.leaves`.
///
/// # Errors
/// Values that the form has no room for.
pub fn file_of(path: &Path, table: &LeaveTable, alphabet: &LetterDistribution) -> Result<Vec<u8>> {
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
