//! Leave values: what the tiles kept after a play are worth, in millipoints.
//!
//! Either one of Gordon's heuristics, or a table with a value for each multiset of up to [`MAX_LEAVE`] tiles (`leave_table.rs`).

use crate::evaluation::heuristics::{HeuristicTable, RackHeuristic};
use crate::evaluation::leave_table::{LeaveTable, MAX_LEAVE};
use crate::movegen::RackValues;
use crate::rules::fingerprint::Fingerprint;
use crate::rules::{LetterDistribution, Rack, Tile};

/// Values of leaves. Larger leaves than the table's, and the empty one, are worth 0.
#[derive(Debug)]
pub struct Leaves {
    name: String,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Heuristic(HeuristicTable),
    Table(Box<LeaveTable>),
    Nothing,
}

impl Leaves {
    /// One of Gordon's heuristics.
    pub fn heuristic(heuristic: RackHeuristic, distribution: &LetterDistribution) -> Leaves {
        Leaves { name: heuristic.name().to_string(), kind: Kind::Heuristic(HeuristicTable::new(heuristic, distribution)) }
    }

    /// No values: a greedy player's.
    pub fn nothing() -> Leaves {
        Leaves { name: "none".to_string(), kind: Kind::Nothing }
    }

    /// The values of a table.
    pub fn trained(name: &str, table: LeaveTable) -> Leaves {
        Leaves { name: name.to_string(), kind: Kind::Table(Box::new(table)) }
    }

    /// Identifies the values, as in provenance lines.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Tells tables of the same name apart. Values that are not a table have their names for that.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = Fingerprint::default();
        hash.add(self.name.bytes());
        if let Kind::Table(table) = &self.kind {
            hash.add(table.values().iter().flat_map(|value| value.to_le_bytes()));
        }
        hash.value()
    }

    /// The value of a leave, millipoints.
    pub fn value(&self, leave: &Rack) -> i32 {
        match &self.kind {
            Kind::Nothing => 0,
            _ if leave.is_empty() => 0,
            Kind::Heuristic(table) => table.value(leave),
            Kind::Table(_) if leave.len() > MAX_LEAVE => 0,
            Kind::Table(table) => table.value(leave.tiles().map(Tile::index)),
        }
    }

    /// Sets the value of every part of a rack.
    pub fn fill(&self, values: &mut RackValues) {
        let rack = *values.rack();
        let mut tiles = [(Tile::BLANK, 0u8); 16];
        let mut kinds = 0;
        for entry in rack.distinct() {
            tiles[kinds] = entry;
            kinds += 1;
        }
        let tiles = &tiles[..kinds];
        match &self.kind {
            Kind::Nothing => fill_zero(tiles, values, 0),
            Kind::Heuristic(table) => fill_heuristic(table, tiles, values, Partial { mask: 0, sum: 0, vowels: 0, consonants: 0 }),
            Kind::Table(table) => fill_table(table, tiles, values, 0, 0, 0),
        }
    }
}

fn fill_zero(tiles: &[(Tile, u8)], values: &mut RackValues, mask: u16) {
    let Some((&(tile, count), rest)) = tiles.split_first() else {
        values.set(mask, 0);
        return;
    };
    let first = values.first_bit(tile);
    for kept in 0..=count {
        fill_zero(rest, values, mask | ((1u16 << kept) - 1) << first);
    }
}

/// What is known of a part of a rack while the tiles are gone through.
#[derive(Clone, Copy)]
struct Partial {
    mask: u16,
    sum: i32,
    vowels: i32,
    consonants: i32,
}

fn fill_heuristic(table: &HeuristicTable, tiles: &[(Tile, u8)], values: &mut RackValues, mut part: Partial) {
    let Some((&(tile, count), rest)) = tiles.split_first() else {
        values.set(part.mask, part.sum + table.mix_value(part.vowels, part.consonants));
        return;
    };
    let first = values.first_bit(tile);
    fill_heuristic(table, rest, values, part);
    for copy in 1..=count {
        part.mask |= 1 << (first + copy - 1);
        part.sum += table.tile_value(tile, copy as i32);
        if table.is_vowel(tile) {
            part.vowels += 1;
        } else if !tile.is_blank() {
            part.consonants += 1;
        }
        fill_heuristic(table, rest, values, part);
    }
}

fn fill_table(table: &LeaveTable, tiles: &[(Tile, u8)], values: &mut RackValues, mask: u16, size: usize, rank: usize) {
    let Some((&(tile, count), rest)) = tiles.split_first() else {
        values.set(mask, if size == 0 || size > MAX_LEAVE { 0 } else { table.of_size(size)[rank] });
        return;
    };
    let first = values.first_bit(tile);
    let (mut mask, mut rank) = (mask, rank);
    fill_table(table, rest, values, mask, size, rank);
    for copy in 1..=count as usize {
        mask |= 1 << (first as usize + copy - 1);
        if size + copy <= MAX_LEAVE {
            rank += table.ranks().step(tile.index(), size + copy);
        }
        fill_table(table, rest, values, mask, size + copy, rank);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::letter_distribution::english;

    fn rack(text: &str) -> Rack {
        english().parse_tiles(text).unwrap().into_iter().collect()
    }

    #[test]
    fn parts_of_a_rack_get_the_values_of_the_leaves() {
        let english = english();
        let trained =
            [(vec![0u8], 25.0), (vec![5, 18, 19], 9.25), (vec![19, 5], 11.5), (vec![5, 5], -3.0), (vec![0, 5, 5, 18, 19, 20], 40.0)];
        let listed = trained.iter().map(|(tiles, value)| (tiles.as_slice(), *value));
        let table = Leaves::trained("t", LeaveTable::from_values(&english, listed).unwrap());
        let heuristic = Leaves::heuristic(RackHeuristic::VowelMix, &english);
        for text in ["?EERSTS", "EEEEEEE", "??QUIZZ", "A", "ABCDEFGH"] {
            for leaves in [&table, &heuristic, &Leaves::nothing()] {
                let mut values = RackValues::bare(&rack(text), &[1; 64]);
                leaves.fill(&mut values);
                let parts = values.parts();
                assert!(parts.len() > 1);
                for mask in parts {
                    assert_eq!(values.value(mask), leaves.value(&values.part(mask)), "{text} {mask:b}");
                }
            }
        }
        assert_eq!(table.value(&rack("SE")), 11_500);
        assert_eq!(table.value(&rack("?")), 25_000);
        assert_eq!(table.value(&rack("TSREE?")), 40_000);
    }
}
