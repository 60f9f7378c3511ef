//! Parses and prints the formats of other programs, with errors that name the place.
//!
//! Not here: opening files (`host/`). Every parser takes a text or bytes. Start with `cgp/`, the position format.

pub(crate) mod file_text;
pub(crate) mod suggest;
pub mod cgp;
pub mod gcg;
pub mod kwg;
pub mod klv2;
#[doc(hidden)]
pub mod leave_table;
pub(crate) mod leave_terms;
pub mod layout;
mod csv_rows;
pub mod letter_distribution;
#[doc(hidden)]
pub mod bag_terms;
#[doc(hidden)]
pub mod win_table;
mod english;

pub use english::PlayTextError;

#[cfg(test)]
use crate::rules::{GameRules, LetterDistribution};
#[cfg(test)]
use std::sync::Arc;

/// English rules on a layout, with tiles worth 250 times their points, but at most 1000, the limit for a tile. For tests.
#[cfg(test)]
pub(crate) fn dear_rules(layout: crate::rules::Layout) -> GameRules {
    use crate::rules::distribution::TileSpec;
    let english = LetterDistribution::english();
    let mut specs: Vec<TileSpec> = english.tiles().map(|tile| english.spec(tile).clone()).collect();
    specs.iter_mut().for_each(|spec| spec.value = (250 * spec.value).min(1000));
    let blank = specs.remove(0);
    let dear = LetterDistribution::new("dear", blank, specs).unwrap();
    GameRules::standard(Arc::new(dear), Arc::new(layout))
}

/// English rules with racks of `rack_size` and only these tiles, for exhaustive tests.
#[cfg(test)]
pub(crate) fn small_rules(tiles: &str, rack_size: usize) -> GameRules {
    let count = |face: &str| tiles.chars().filter(|tile| face.starts_with(*tile)).count();
    let line = |line: &str| match line.split(',').collect::<Vec<_>>()[..] {
        [face, blank, _, value, vowel] if !line.starts_with('#') => format!("{face},{blank},{},{value},{vowel}", count(face)),
        _ => line.to_string(),
    };
    let text: Vec<String> = include_str!("data/english.csv").lines().map(line).collect();
    let distribution = letter_distribution::parse("small", &text.join("\n")).unwrap();
    GameRules::english().to_builder().distribution(distribution).rack_size(rack_size).build().unwrap()
}
