//! KLV2 files: leave values with their leaves, in the format of wolges.
//! A DAWG over the sorted leaves (blank = 0), then a value for each in order.
//! The nodes are those of \[KWG\].
//!
//! | bytes | what |
//! |---|---|
//! | 4 | number of nodes, little-endian |
//! | 4 each | nodes as in KWG; node 0 points to the DAWG, node 1 is not used |
//! | 4 | number of values |
//! | 4 each | values in points, 32-bit floats, in the order of the leaves |
//!
//! Not here: tables of values (`evaluation/leave_table.rs`). Start with [`parse`] and [`LeaveValues`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::evaluation::leave_table::MOST_POINTS;
use crate::formats::kwg;
use crate::lexicon::graph_builder::{self, GraphBuildError};
use crate::lexicon::validate::{self, GraphError};
use crate::lexicon::word_graph::Node;
use thiserror::Error;

/// The number of tiles of the longest leave that is read.
const MAX_TILES: usize = 15;

/// Leaves with their values. All tiles are in one list: there are a million leaves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LeaveValues {
    /// The tiles of the leaves, one leave after the other.
    tiles: Vec<u8>,
    /// Where each leave ends among the tiles.
    ends: Vec<u32>,
    /// The value of each, in points.
    values: Vec<f32>,
}

impl LeaveValues {
    /// Adds a leave: its tile indices in rising order (0 = the blank), and its value in points.
    pub fn push(&mut self, tiles: &[u8], points: f32) {
        self.tiles.extend_from_slice(tiles);
        self.ends.push(self.tiles.len() as u32);
        self.values.push(points);
    }

    /// Returns the number of leaves.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the leaves in their order, with their values in points.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], f32)> {
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        let leaves = begins.zip(&self.ends).filter_map(|(begin, &end)| self.tiles.get(begin as usize..end as usize));
        leaves.zip(self.values.iter().copied())
    }
}

impl<'a> FromIterator<(&'a [u8], f32)> for LeaveValues {
    fn from_iter<I: IntoIterator<Item = (&'a [u8], f32)>>(leaves: I) -> LeaveValues {
        let mut values = LeaveValues::default();
        leaves.into_iter().for_each(|(tiles, points)| values.push(tiles, points));
        values
    }
}

/// Why bytes are not leave values.
#[derive(Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum Klv2Error {
    /// Fewer or more bytes than the counts need.
    #[error("the file has {found} bytes, but its counts need {expected}")]
    Length {
        /// Bytes found.
        found: usize,
        /// Bytes wanted.
        expected: usize,
    },
    /// Nodes that are not a graph.
    #[error("the leaves are not a graph: {0}")]
    Graph(#[from] GraphError),
    /// The numbers of leaves and of values differ.
    #[error("{leaves} leaves, but {values} values")]
    Count {
        /// Leaves in the graph.
        leaves: u64,
        /// Values after it.
        values: usize,
    },
    /// A leave that is too long or not sorted.
    #[error("leave {leave} is longer than {MAX_TILES} tiles or not sorted")]
    BadLeave {
        /// 0-based number.
        leave: usize,
    },
    /// Not a number, or one out of range.
    #[error("the value of leave {leave} (tiles {tiles:?}, 0 the blank) is {found:?}, expected -{MOST_POINTS} to {MOST_POINTS} points")]
    BadValue {
        /// 0-based number.
        leave: usize,
        /// Its tile indices.
        tiles: Vec<u8>,
        /// The value.
        found: f32,
    },
}

/// Reads leave values.
///
/// # Errors
/// The count, node or value that is wrong and how.
pub fn parse(bytes: &[u8]) -> Result<LeaveValues, Klv2Error> {
    let word_at = |at: usize| bytes.get(at..).and_then(|rest| rest.first_chunk::<4>()).map(|word| u32::from_le_bytes(*word) as usize);
    let length = |expected: usize| Klv2Error::Length { found: bytes.len(), expected };
    let node_count = word_at(0).ok_or(length(8))?;
    let values_at = node_count.saturating_mul(4).saturating_add(4);
    let value_count = word_at(values_at).ok_or(length(values_at.saturating_add(4)))?;
    let end = value_count.saturating_mul(4).saturating_add(values_at + 4);
    if end != bytes.len() {
        return Err(length(end));
    }
    let nodes = bytes.get(4..values_at).and_then(kwg::nodes_of).ok_or(length(end))?;
    let values = bytes.get(values_at + 4..).and_then(kwg::nodes_of).ok_or(length(end))?;
    let node_at = |at: usize| Node::from_bits(nodes.get(at).copied().unwrap_or(0));
    let root = node_at(0).arc().index();
    let order = validate::check_structure(&nodes, &[root])?;
    let leaves = if root == 0 { 0 } else { count_words(&nodes, &order).get(root).copied().unwrap_or(0) };
    if leaves != value_count as u64 {
        return Err(Klv2Error::Count { leaves, values: value_count });
    }
    let mut result = LeaveValues::default();
    // Lists still to be read, each with the number of tiles before it; the last one is read first.
    let mut lists: Vec<(usize, usize)> = if root == 0 { Vec::new() } else { vec![(root, 0)] };
    let mut tiles: Vec<u8> = Vec::new();
    while let Some((at, depth)) = lists.pop() {
        let node = node_at(at);
        // The entries before this list are still there: only tiles after it have changed since.
        tiles.truncate(depth);
        if depth >= MAX_TILES || tiles.last().is_some_and(|&last| last > node.tile()) {
            return Err(Klv2Error::BadLeave { leave: result.len() });
        }
        if !node.is_end() {
            lists.push((at + 1, depth));
        }
        tiles.push(node.tile());
        if node.accepts() {
            let leave = result.len();
            let found = f32::from_bits(values.get(leave).copied().unwrap_or(0));
            // NaN is in no range.
            if !(-MOST_POINTS..=MOST_POINTS).contains(&found) {
                return Err(Klv2Error::BadValue { leave, tiles, found });
            }
            result.push(&tiles, found);
        }
        // Longer leaves come before what follows in this list.
        if !node.arc().is_none() {
            lists.push((node.arc().index(), depth + 1));
        }
    }
    Ok(result)
}

/// Returns for each node the number of words that begin with it or with a later node of its list. In `order`, each node comes after the
/// nodes whose counts it needs.
fn count_words(nodes: &[u32], order: &[u32]) -> Vec<u64> {
    let mut counts = vec![0u64; nodes.len()];
    for &at in order {
        let at = at as usize;
        let node = Node::from_bits(nodes.get(at).copied().unwrap_or(0));
        let count_at = |at: usize| counts.get(at).copied().unwrap_or(0);
        let behind = if node.arc().is_none() { 0 } else { count_at(node.arc().index()) };
        let rest = if node.is_end() { 0 } else { count_at(at + 1) };
        let count = behind.saturating_add(rest).saturating_add(u64::from(node.accepts()));
        counts.iter_mut().skip(at).take(1).for_each(|slot| *slot = count);
    }
    counts
}

/// Returns the bytes of leave values. The leaves must be sorted and different.
///
/// # Errors
/// More nodes than the layout has room for.
pub fn to_bytes(leaves: &LeaveValues) -> Result<Vec<u8>, GraphBuildError> {
    let words: Vec<&[u8]> = leaves.iter().map(|(tiles, _)| tiles).collect();
    let nodes = graph_builder::build_dawg_only(&words)?;
    let mut bytes = (nodes.len() as u32).to_le_bytes().to_vec();
    bytes.extend(nodes.iter().flat_map(|node| node.to_le_bytes()));
    bytes.extend((leaves.len() as u32).to_le_bytes());
    bytes.extend(leaves.iter().flat_map(|(_, value)| value.to_le_bytes()));
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sample() -> LeaveValues {
        let leaves: [(&[u8], f32); 6] =
            [(&[0], 25.5), (&[0, 0], 40.0), (&[0, 19], 31.25), (&[1], -0.5), (&[1, 1], -4.0), (&[5, 18, 19], 9.0)];
        leaves.into_iter().collect()
    }

    #[test]
    fn values_read_back() {
        assert_eq!(parse(&to_bytes(&sample()).unwrap()).unwrap(), sample());
        assert_eq!(sample().iter().nth(5), Some((&[5, 18, 19][..], 9.0)));
        assert_eq!(parse(&to_bytes(&LeaveValues::default()).unwrap()).unwrap(), LeaveValues::default());
    }

    #[test]
    fn damaged_files_are_refused_or_harmless() {
        let bytes = to_bytes(&sample()).unwrap();
        for end in 0..bytes.len() {
            assert!(parse(&bytes[..end]).is_err(), "{end} bytes");
        }
        let mut refused = 0;
        for at in 0..bytes.len() * 8 {
            let mut damaged = bytes.clone();
            damaged[at / 8] ^= 1 << (at % 8);
            match parse(&damaged) {
                Ok(leaves) => assert_eq!(leaves.len(), sample().len()),
                Err(_) => refused += 1,
            }
        }
        assert!(refused > bytes.len() * 2, "{refused}");
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let mut bytes = to_bytes(&sample()).unwrap();
        let length = bytes.len();
        assert_eq!(
            parse(&bytes[..length - 1]).unwrap_err().to_string(),
            format!("the file has {} bytes, but its counts need {length}", length - 1)
        );
        bytes[length - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
        let expected =
            |found: &str| format!("the value of leave 5 (tiles [5, 18, 19], 0 the blank) is {found}, expected -10000 to 10000 points");
        assert_eq!(parse(&bytes).unwrap_err().to_string(), expected("NaN"));
        for (impossible, found) in [(1e30f32, "1e30"), (f32::INFINITY, "inf"), (f32::NEG_INFINITY, "-inf"), (-10000.5, "-10000.5")] {
            bytes[length - 4..].copy_from_slice(&impossible.to_le_bytes());
            assert_eq!(parse(&bytes).unwrap_err().to_string(), expected(found));
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(
            leaves in prop::collection::btree_map(prop::collection::vec(0..27u8, 1..7), -90.0..90.0f32, 0..200),
        ) {
            let sorted = |(mut tiles, value): (Vec<u8>, f32)| { tiles.sort_unstable(); (tiles, value) };
            let leaves: std::collections::BTreeMap<Vec<u8>, f32> = leaves.into_iter().map(sorted).collect();
            let values: LeaveValues = leaves.iter().map(|(tiles, value)| (tiles.as_slice(), *value)).collect();
            prop_assert_eq!(parse(&to_bytes(&values).unwrap()).unwrap(), values);
        }
    }
}
