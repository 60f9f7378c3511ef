//! The distribution of the points of an uncertain rack, and its chance of more points than another
//! rack.
//!
//! Not here: the chances of a tile (`search/misere/tile_values.rs`). Start with [`PointChances::of`] and [`PointChances::drawn`].

use crate::rules::{GameRules, Rack, Tile, ways};

/// How many points a rack may have, with chances: by points.
#[derive(Clone, Debug)]
pub struct PointChances(Vec<f64>);

impl PointChances {
    /// Returns the chances for a rack of `count` tiles drawn from `tiles` and other tiles worth `points`.
    pub fn drawn(rules: &GameRules, points: i32, tiles: &Rack, count: usize) -> PointChances {
        let dearest = rules.distribution.tiles().map(|tile| rules.distribution.value(tile)).max().unwrap_or(0) as usize;
        // By the number of tiles drawn, then by their points: the ways.
        let mut by_count = vec![vec![0.0; points.max(0) as usize + count * dearest + 1]; count + 1];
        by_count[0][points.max(0) as usize] = 1.0;
        for (tile, there) in tiles.distinct() {
            let (there, value) = (usize::from(there), rules.distribution.value(tile) as usize);
            for total in (1..=count).rev() {
                for of_tile in 1..=there.min(total) {
                    let (fewer, more) = by_count.split_at_mut(total);
                    let ways = ways::choose(there, of_tile);
                    let before = &fewer[total - of_tile];
                    for (with, before) in more[0][of_tile * value..].iter_mut().zip(before) {
                        *with += ways * before;
                    }
                }
            }
        }
        let mut chances = by_count.swap_remove(count);
        let all: f64 = chances.iter().sum();
        chances.iter_mut().for_each(|ways| *ways /= all);
        PointChances(chances)
    }

    /// Returns the chances for a rack whose tiles are independent of each other; `chance_of` is the chance that a tile of the rack is
    /// this one.
    pub fn of<T>(rules: &GameRules, tiles: impl Iterator<Item = T>, chance_of: impl Fn(&T, Tile) -> f64) -> PointChances {
        let mut chances = vec![1.0];
        for unknown in tiles {
            let possible = || rules.distribution.tiles().map(|tile| (tile, chance_of(&unknown, tile))).filter(|&(_, chance)| chance > 0.0);
            let most = possible().map(|(tile, _)| rules.distribution.value(tile)).max().unwrap_or(0) as usize;
            let mut with_tile = vec![0.0; chances.len() + most];
            for (tile, chance) in possible() {
                let points = rules.distribution.value(tile) as usize;
                for (before, with) in chances.iter().zip(&mut with_tile[points..]) {
                    *with += chance * before;
                }
            }
            chances = with_tile;
        }
        PointChances(chances)
    }

    /// The chance that `lead` and `factor` times the difference of the racks are above 0 together; a tie counts half.
    pub fn chance_to_lead(&self, other: &PointChances, lead: i32, factor: i32) -> f64 {
        let mut chance = 0.0;
        for (own_points, own) in self.0.iter().enumerate().filter(|(_, own)| **own > 0.0) {
            for (other_points, other) in other.0.iter().enumerate().filter(|(_, other)| **other > 0.0) {
                let gained = lead + factor * (own_points as i32 - other_points as i32);
                chance += own * other * f64::from(gained.signum() + 1) / 2.0;
            }
        }
        chance
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{GameRules, Rack};
    use crate::search::misere::tile_values::TileChances;

    #[test]
    fn the_chance_to_win_is_that_of_all_ways_in_which_the_tiles_can_be() {
        let rules = GameRules::english();
        let chances = |text: &str| TileChances::of_all(&Rack::parse(text, &rules.distribution).unwrap());
        let (own, other) = (["AQ", "Z"].map(chances), ["EK?", "QQV"].map(chances));
        for lead in [-12, -3, 0, 4] {
            let points = |tiles: [&[i32]; 2]| tiles[0].iter().flat_map(|a| tiles[1].iter().map(move |b| a + b)).collect::<Vec<i32>>();
            let (own_ways, other_ways) = (points([&[1, 10], &[10]]), points([&[1, 5, 0], &[10, 10, 4]]));
            let wins = own_ways.iter().flat_map(|own| other_ways.iter().map(move |other| lead + own - other));
            let by_hand = wins.map(|gain| f64::from(gain.signum() + 1) / 2.0).sum::<f64>() / (own_ways.len() * other_ways.len()) as f64;
            let of = |tiles: &[TileChances; 2]| PointChances::of(&rules, tiles.iter().copied(), TileChances::of);
            assert!((of(&own).chance_to_lead(&of(&other), lead, 1) - by_hand).abs() < 1e-9, "{lead}");
        }
    }
}
