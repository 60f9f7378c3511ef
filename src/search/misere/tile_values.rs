//! The value of tiles to a misere player, who wants a rack of many points when the game ends.
//! The player may exchange a few times until then.
//!
//! [`PenaltyValues`] is a dynamic programme over the points of a tile and the exchanges left; [`TileChances`] has the chances of what an
//! unseen tile is. Not here: the belief about a whole rack (`belief.rs`), and the value of plays (`equity.rs`).

use crate::rules::tiles::MAX_LETTERS;
use crate::rules::units::Millipoints;
use crate::rules::{LetterDistribution, Rack, Tile};

/// Exchanges that a programme looks ahead. The usual rule of six turns leaves each player three exchanges; more change almost nothing.
const MOST_EXCHANGES: usize = 16;

/// The values of tiles to a player who wants a rack of many points at the end and may exchange until then.
///
/// With no exchange left a tile is worth its points. With one more exchange it is worth the better of two values: its own if it is kept,
/// and that of the tile drawn for it, which may be any unseen tile. This is exact for a player's last exchange. For earlier exchanges it
/// ignores that draws change the unseen tiles.
#[derive(Clone, Debug, PartialEq)]
pub struct PenaltyValues {
    /// By exchanges left, then by tile index.
    values: Vec<[Millipoints; MAX_LETTERS + 1]>,
    /// By exchanges left: a tile that is drawn.
    drawn: Vec<Millipoints>,
    fresh: TileChances,
}

impl PenaltyValues {
    /// Returns the values if tiles are drawn from `unseen`. If there are none, a drawn tile has the value 0.
    pub fn new(distribution: &LetterDistribution, unseen: &Rack) -> PenaltyValues {
        let mut value = [Millipoints::ZERO; MAX_LETTERS + 1];
        for tile in distribution.tiles() {
            value[tile.index()] = Millipoints::from_points(distribution.value(tile));
        }
        let mean = |value: &[Millipoints; MAX_LETTERS + 1]| {
            let sum: i64 = unseen.distinct().map(|(tile, count)| i64::from(value[tile.index()].0) * i64::from(count)).sum();
            Millipoints((sum / (unseen.len() as i64).max(1)) as i32)
        };
        let mut values = vec![value];
        let mut drawn = vec![mean(&value)];
        for exchanges in 0..MOST_EXCHANGES {
            value = value.map(|kept| kept.max(drawn[exchanges]));
            values.push(value);
            drawn.push(mean(&value));
        }
        PenaltyValues { values, drawn, fresh: TileChances::of_all(unseen) }
    }

    /// Whether to exchange this tile with `exchanges` more exchanges to come.
    pub fn throws(&self, tile: Tile, exchanges: usize) -> bool {
        self.tile(tile, exchanges) < self.drawn(exchanges)
    }

    /// The chances of a tile that is drawn now.
    pub fn fresh(&self) -> &TileChances {
        &self.fresh
    }

    /// The value of a tile to a player who has `exchanges` exchanges left.
    pub fn tile(&self, tile: Tile, exchanges: usize) -> Millipoints {
        self.values[exchanges.min(MOST_EXCHANGES)][tile.index()]
    }

    /// The value of a tile that is drawn now, to a player who then has `exchanges` exchanges left.
    pub fn drawn(&self, exchanges: usize) -> Millipoints {
        self.drawn[exchanges.min(MOST_EXCHANGES)]
    }

    /// The value of a rack of known tiles and `drawn` new ones.
    pub fn rack(&self, known: &Rack, drawn: usize, exchanges: usize) -> Millipoints {
        let kept: Millipoints = known.distinct().map(|(tile, count)| self.tile(tile, exchanges) * i32::from(count)).sum();
        kept + self.drawn(exchanges) * drawn as i32
    }
}

/// The chances of what an unseen tile is. Their sum is 1; all are 0 if there are no unseen tiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TileChances([f64; MAX_LETTERS + 1]);

impl TileChances {
    /// Returns the chances of a tile that is equally likely to be any of these.
    pub fn of_all(tiles: &Rack) -> TileChances {
        let mut chances = [0.0; MAX_LETTERS + 1];
        for (tile, count) in tiles.distinct() {
            chances[tile.index()] = f64::from(count) / tiles.len() as f64;
        }
        TileChances(chances)
    }

    /// The chance that it is this one.
    pub fn of(&self, tile: Tile) -> f64 {
        self.0[tile.index()]
    }

    /// The tiles that it may be, with their chances.
    pub fn possible<'a>(&'a self, distribution: &'a LetterDistribution) -> impl Iterator<Item = (Tile, f64)> + 'a {
        distribution.tiles().map(|tile| (tile, self.of(tile))).filter(|&(_, chance)| chance > 0.0)
    }

    /// The chance that some condition holds.
    pub fn chance(&self, distribution: &LetterDistribution, holds: impl Fn(Tile) -> bool) -> f64 {
        self.possible(distribution).filter(|&(tile, _)| holds(tile)).map(|(_, chance)| chance).sum()
    }

    /// Returns the chances given that a condition holds. If it cannot hold, they do not change.
    pub fn given(&self, distribution: &LetterDistribution, holds: impl Fn(Tile) -> bool) -> TileChances {
        let all = self.chance(distribution, &holds);
        if all <= 0.0 {
            return *self;
        }
        let mut given = [0.0; MAX_LETTERS + 1];
        for (tile, chance) in self.possible(distribution).filter(|&(tile, _)| holds(tile)) {
            given[tile.index()] = chance / all;
        }
        TileChances(given)
    }

    /// Returns the chances after `times` exchanges by a player who follows the programme, with `after` more to come.
    pub fn exchanged(mut self, distribution: &LetterDistribution, values: &PenaltyValues, times: usize, after: usize) -> TileChances {
        for left in (after..after + times).rev() {
            let thrown = self.chance(distribution, |tile| values.throws(tile, left));
            for tile in distribution.tiles() {
                let kept = if values.throws(tile, left) { 0.0 } else { self.of(tile) };
                self.0[tile.index()] = kept + thrown * values.fresh.of(tile);
            }
        }
        self
    }

    /// Returns the chances of a tile that is certain.
    pub fn certain(tile: Tile) -> TileChances {
        let mut chances = [0.0; MAX_LETTERS + 1];
        chances[tile.index()] = 1.0;
        TileChances(chances)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::GameRules;

    /// The dumb twin of the programme: the value of a tile with `exchanges` exchanges left, in points, by trying both choices and every draw.
    fn best_by_hand(value: i32, exchanges: usize, pool: &[i32]) -> f64 {
        if exchanges == 0 {
            return f64::from(value);
        }
        let drawn = pool.iter().map(|&drawn| best_by_hand(drawn, exchanges - 1, pool)).sum::<f64>() / pool.len() as f64;
        best_by_hand(value, exchanges - 1, pool).max(drawn)
    }

    #[test]
    fn a_tile_is_worth_the_best_of_keeping_and_drawing() {
        let english = GameRules::english().distribution.clone();
        let pool = Rack::parse("AEIQZVB?", &english).unwrap();
        let values = PenaltyValues::new(&english, &pool);
        let points: Vec<i32> = pool.tiles().map(|tile| english.value(tile)).collect();
        for exchanges in 0..=4 {
            for tile in english.tiles() {
                let by_hand = best_by_hand(english.value(tile), exchanges, &points);
                assert!((values.tile(tile, exchanges).points() - by_hand).abs() < 0.01, "{tile:?} {exchanges}");
            }
        }
    }

    #[test]
    fn three_exchanges_make_ten_points_more_of_a_rack() {
        let english = GameRules::english().distribution.clone();
        let values = PenaltyValues::new(&english, &Rack::full_bag(&english));
        let rack = |exchanges| values.rack(&Rack::EMPTY, 7, exchanges).points();
        // The set has 187 points on a hundred tiles. In games of exchanges alone racks reach about 22.7, since tiles of many points run out.
        assert!((rack(0) - 13.09).abs() < 0.01, "{}", rack(0));
        assert!((22.7..23.4).contains(&rack(3)), "{}", rack(3));
        // The last exchange throws tiles below the mean of 1.87, and earlier exchanges also throw those of two points.
        let kept = |exchanges: usize, tile: &str| {
            let tile = english.parse_tiles(tile).unwrap()[0];
            values.tile(tile, exchanges - 1) > values.drawn(exchanges - 1)
        };
        let thrown =
            |exchanges| english.tiles().filter(|&tile| !kept(exchanges, &english.tiles_text([tile]))).map(|tile| english.value(tile)).max();
        assert_eq!([1, 2, 3].map(thrown), [Some(1), Some(2), Some(2)]);
    }

    #[test]
    fn chances_after_exchanges_have_the_mean_that_the_programme_says() {
        let english = GameRules::english().distribution.clone();
        let values = PenaltyValues::new(&english, &Rack::full_bag(&english));
        for (times, after) in [(0, 0), (1, 0), (1, 2), (3, 0), (2, 1)] {
            let tile = values.fresh().exchanged(&english, &values, times, after);
            let (all, mean) = tile
                .possible(&english)
                .fold((0.0, 0.0), |(all, mean), (tile, chance)| (all + chance, mean + chance * values.tile(tile, after).points()));
            assert!((all - 1.0).abs() < 1e-9);
            assert!((mean - values.drawn(times + after).points()).abs() < 0.01, "{times} {after}: {mean}");
        }
        let kept = values.fresh().given(&english, |tile| english.value(tile) >= 8);
        assert!((kept.chance(&english, |tile| english.value(tile) == 10) - 0.5).abs() < 1e-9, "J, X, Q and Z");
    }
}
