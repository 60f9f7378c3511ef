//! KWG files: a word graph as little-endian 32-bit nodes \[KWG\].
//!
//! Not here: the layout of a node (`lexicon/word_graph.rs`) and what makes nodes a graph (`lexicon/validate.rs`). Start with [`parse`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::lexicon::validate::GraphError;
use crate::lexicon::word_graph::WordGraph;
use thiserror::Error;

/// Why bytes are no word graph.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum KwgError {
    /// Not a whole number of nodes.
    #[error("{found} bytes are no whole number of 4-byte nodes: the file is cut off at byte {found}, or not a word graph")]
    Truncated {
        /// Bytes found.
        found: usize,
    },
    /// Nodes that are no graph.
    #[error("not a word graph: {0}")]
    Graph(#[from] GraphError),
}

/// Reads and checks a word graph.
///
/// # Errors
/// The byte or node that is wrong and how.
pub fn parse(bytes: &[u8]) -> Result<WordGraph, KwgError> {
    Ok(WordGraph::from_nodes(nodes_of(bytes).ok_or(KwgError::Truncated { found: bytes.len() })?)?)
}

/// The bytes of a word graph.
pub fn to_bytes(graph: &WordGraph) -> Vec<u8> {
    graph.nodes().iter().flat_map(|node| node.to_le_bytes()).collect()
}

/// Little-endian words, if the bytes are a whole number of them.
pub(crate) fn nodes_of(bytes: &[u8]) -> Option<Vec<u32>> {
    let (words, rest) = bytes.as_chunks::<4>();
    rest.is_empty().then(|| words.iter().map(|&word| u32::from_le_bytes(word)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::letter_distribution::english;
    use crate::lexicon::Lexicon;

    #[test]
    fn a_graph_reads_back_and_no_shortened_file_is_believed() {
        let lexicon = Lexicon::from_text("t", &english(), "CAT\nCATS\nCARE\nACT\nTACO").unwrap();
        let bytes = to_bytes(lexicon.graph());
        assert_eq!(&parse(&bytes).unwrap(), lexicon.graph());
        for end in 0..bytes.len() {
            assert!(parse(&bytes[..end]).is_err(), "{end} of {} bytes", bytes.len());
        }
        assert_eq!(
            parse(&bytes[..9]).unwrap_err().to_string(),
            "9 bytes are no whole number of 4-byte nodes: the file is cut off at byte 9, or not a word graph"
        );
        assert!(parse(b"this is some text, not a graph..").is_err());
    }
}
