//! Counts the ways to draw tiles from a pool, where every physical tile is distinct.

use crate::rules::rack::Rack;
use crate::rules::tiles::Tile;

/// The number of ways to choose `count` things from `from`.
pub fn choose(from: usize, count: usize) -> f64 {
    if count > from {
        return 0.0;
    }
    (0..count.min(from - count)).fold(1.0, |ways, taken| ways * (from - taken) as f64 / (taken + 1) as f64)
}

/// The number of ways to draw exactly these tiles from a pool.
pub fn draws(pool: &Rack, tiles: &Rack) -> f64 {
    tiles.distinct().map(|(tile, count)| choose(pool.count(tile).into(), count.into())).product()
}

/// The number of ways to draw tiles that spell these letters from a pool, with at most `most_blanks` blanks in place of letters.
pub fn draws_with_blanks(pool: &Rack, letters: &Rack, most_blanks: usize) -> f64 {
    let most = most_blanks.min(letters.len());
    // ways[n]: the ways to draw all letters of the kinds so far, except n for which blanks will stand.
    let mut ways = vec![0.0; most + 1];
    ways[0] = 1.0;
    for (tile, count) in letters.distinct() {
        let mut next = vec![0.0; most + 1];
        for by_blanks in 0..=most.min(count.into()) {
            let drawn = choose(pool.count(tile).into(), usize::from(count) - by_blanks);
            for before in 0..=most - by_blanks {
                next[before + by_blanks] += ways[before] * drawn;
            }
        }
        ways = next;
    }
    let there = usize::from(pool.count(Tile::BLANK));
    ways.iter().enumerate().map(|(blanks, ways)| ways * choose(there, blanks)).sum()
}

/// Returns how likely it is to draw the letters of a word from a pool: the decimal logarithm of the ways to draw them, with any blanks
/// in place of letters, divided by the number of letters minus one. It is about 1 for a likely word of seven letters and a full bag, and
/// 0 if they cannot be drawn.
pub fn likelihood(pool: &Rack, letters: &Rack) -> f64 {
    let ways = draws_with_blanks(pool, letters, pool.count(Tile::BLANK).into());
    ways.max(1.0).log10() / letters.len().saturating_sub(1).max(1) as f64
}

/// The number of ways to draw `count` tiles that contain `required` from a pool.
pub fn draws_containing(pool: &Rack, count: usize, required: &Rack) -> f64 {
    if required.is_empty() {
        return choose(pool.len(), count);
    }
    // ways[n]: the ways to choose n tiles of the kinds so far, including those required.
    let mut ways = vec![0.0; count + 1];
    ways[0] = 1.0;
    let mut others = pool.len();
    for (tile, least) in required.distinct() {
        let there = usize::from(pool.count(tile));
        others -= there;
        let mut next = vec![0.0; count + 1];
        for taken in usize::from(least)..=there.min(count) {
            for before in 0..=count - taken {
                next[before + taken] += ways[before] * choose(there, taken);
            }
        }
        ways = next;
    }
    (0..=count).map(|taken| ways[taken] * choose(others, count - taken)).sum()
}

/// How many different multisets of `size` tiles a pool has.
pub fn multisets(pool: &Rack, size: usize) -> f64 {
    let mut counts = vec![0.0; size + 1];
    counts[0] = 1.0;
    for (_, there) in pool.distinct() {
        for total in (1..=size).rev() {
            counts[total] += (1..=total.min(there.into())).map(|taken| counts[total - taken]).sum::<f64>();
        }
    }
    counts[size]
}

/// Calls `visit` once with every part of `size` tiles of a rack and its share:
/// the chance that `size` tiles taken from the rack at random are this part.
pub fn for_each_part(rack: &Rack, size: usize, visit: &mut impl FnMut(Rack, f64)) {
    let all = choose(rack.len(), size);
    crate::rules::multisets::for_each(rack.counts(), size, &mut |tiles| {
        let part: Rack = tiles.iter().filter_map(|&index| Tile::from_index(index.into())).collect();
        visit(part, draws(rack, &part) / all);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rack(indices: &[u8]) -> Rack {
        indices.iter().map(|&index| Tile::from_index(index.into()).unwrap()).collect()
    }

    /// All choices of `count` of the pool's physical tiles, one by one.
    fn every_choice(pool: &Rack, count: usize) -> Vec<Rack> {
        let tiles: Vec<Tile> = pool.tiles().collect();
        let sets = (0u32..1 << tiles.len()).filter(|set| set.count_ones() as usize == count);
        sets.map(|set| (0..tiles.len()).filter(|&at| set >> at & 1 == 1).map(|at| tiles[at]).collect()).collect()
    }

    #[test]
    fn ways_are_those_of_choosing_one_by_one() {
        let pool = rack(&[0, 0, 1, 1, 1, 4, 7, 7, 9]);
        for count in 0..=6 {
            let all = every_choice(&pool, count);
            assert_eq!(choose(pool.len(), count), all.len() as f64);
            let distinct: std::collections::HashSet<Rack> = all.iter().copied().collect();
            assert_eq!(multisets(&pool, count), distinct.len() as f64);
            for tiles in &distinct {
                assert_eq!(draws(&pool, tiles), all.iter().filter(|choice| *choice == tiles).count() as f64);
            }
            for required in [rack(&[]), rack(&[1]), rack(&[1, 1, 7]), rack(&[0, 4, 9]), rack(&[3])] {
                let expected = all.iter().filter(|choice| choice.contains(&required)).count() as f64;
                assert_eq!(draws_containing(&pool, count, &required), expected, "{count} {required:?}");
            }
        }
        // The twin tries which choices spell the letters, with blanks for those that they lack. The blank is tile 0.
        for letters in [rack(&[1]), rack(&[1, 4]), rack(&[1, 1, 7]), rack(&[1, 1, 1, 1]), rack(&[2, 9, 9]), rack(&[4, 4, 7, 9])] {
            for most_blanks in 0..=3 {
                let spells = |choice: &Rack| {
                    let blanks: usize = choice.count(Tile::BLANK).into();
                    let plain: Rack = choice.tiles().filter(|tile| *tile != Tile::BLANK).collect();
                    blanks <= most_blanks && letters.contains(&plain)
                };
                let expected = every_choice(&pool, letters.len()).iter().filter(|choice| spells(choice)).count() as f64;
                assert_eq!(draws_with_blanks(&pool, &letters, most_blanks), expected, "{letters:?} {most_blanks}");
            }
        }
        assert_eq!(choose(3, 4), 0.0);
        let mut shares = 0.0;
        for_each_part(&rack(&[0, 0, 1, 3]), 2, &mut |_, share| shares += share);
        assert!((shares - 1.0).abs() < 1e-12);
    }
}
