//! The format of cached word graphs, so that a word list is not compiled at every start.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `TWGRAPH1`; the number rises when the same words get other nodes, or this form changes |
//! | 8 | hash of the nodes (`rules/fingerprint.rs`, number by number), little-endian |
//! | 4 each | nodes as in KWG (`kwg.rs`) |
//!
//! A kept graph is checked like one from another program, and its words are compared with the list
//! (`lexicon/sorted_words.rs`): damaged or of another list, it is not used. The hash is there for the bits that mean nothing to these checks.
//! Not here: where it is kept (`host/graph_cache.rs`). Start with [`parse`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::formats::kwg::{self, KwgError};
use crate::lexicon::WordGraph;
use crate::rules::fingerprint::Fingerprint;
use thiserror::Error;

const MAGIC: &[u8; 8] = b"TWGRAPH1";

/// Why bytes are no kept graph.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeptGraphError {
    /// Another beginning.
    #[error("it does not begin with TWGRAPH1 and a hash")]
    Header,
    /// Nodes that are no graph.
    #[error(transparent)]
    Graph(#[from] KwgError),
    /// A graph with another hash than announced.
    #[error("its nodes have the hash {found:016x}, {expected:016x} was announced")]
    Hash {
        /// The hash of the nodes.
        found: u64,
        /// The hash in the file.
        expected: u64,
    },
}

/// Reads and checks a graph.
///
/// # Errors
/// What is wrong with it.
pub fn parse(bytes: &[u8]) -> Result<WordGraph, KeptGraphError> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(KeptGraphError::Header)?;
    let (expected, nodes) = rest.split_first_chunk::<8>().ok_or(KeptGraphError::Header)?;
    let graph = kwg::parse(nodes)?;
    let (found, expected) = (hash(&graph), u64::from_le_bytes(*expected));
    if found == expected { Ok(graph) } else { Err(KeptGraphError::Hash { found, expected }) }
}

/// The bytes of a graph.
pub fn to_bytes(graph: &WordGraph) -> Vec<u8> {
    [&MAGIC[..], &hash(graph).to_le_bytes(), &kwg::to_bytes(graph)].concat()
}

fn hash(graph: &WordGraph) -> u64 {
    let mut hash = Fingerprint::default();
    hash.add_numbers(graph.nodes().iter().map(|&node| u64::from(node)));
    hash.value()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Lexicon;
    use crate::rules::LetterDistribution;

    #[test]
    fn a_graph_reads_back_and_no_cut_or_flipped_one_is_believed() {
        let lexicon = Lexicon::from_text("t", &LetterDistribution::english(), "CAT\nCATS\nCARE\nACT\nTACO").unwrap();
        let bytes = to_bytes(lexicon.graph());
        assert_eq!(&parse(&bytes).unwrap(), lexicon.graph());
        for end in 0..bytes.len() {
            assert!(parse(&bytes[..end]).is_err(), "{end} of {} bytes", bytes.len());
        }
        for bit in 0..bytes.len() * 8 {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(parse(&damaged).is_err(), "bit {bit}");
        }
        assert!(parse(&[bytes.as_slice(), &[0; 4]].concat()).is_err());
    }
}
