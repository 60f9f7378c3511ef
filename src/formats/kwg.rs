//! KWG files: a word graph as little-endian 32-bit nodes \[KWG\].
//!
//! Other programs have graphs of the same nodes that cannot be walked in both directions: of words without the GADDAG, and of alphagrams
//! (`.kad`). They are refused by name. Not here: the layout of a node (`lexicon/word_graph.rs`) and what makes nodes a graph
//! (`lexicon/validate.rs`). Start with [`parse`].
//!
//! The graph of a word list is kept in the user's cache folder (`host/graph_cache.rs`), so that the list is not compiled at every start:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `TWGRAPH1` |
//! | 8 | hash of the nodes (`rules/fingerprint.rs`, number by number), little-endian |
//! | 4 each | nodes as in KWG |
//!
//! A kept graph is checked like one from another program, and its words are compared with the list
//! (`lexicon/sorted_words.rs`). If it is damaged or belongs to another list, it is not used. The hash covers the bits that these checks
//! ignore.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::lexicon::validate::GraphError;
use crate::lexicon::word_graph::{Node, WordGraph};
use crate::rules::fingerprint::Fingerprint;
use thiserror::Error;

/// Why bytes are not a word graph.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum KwgError {
    /// Not a whole number of nodes.
    #[error("{found} bytes are not a whole number of 4-byte nodes: the file is cut off at byte {found}, or not a word graph")]
    Truncated {
        /// Bytes found.
        found: usize,
    },
    /// A graph of words that lacks the GADDAG.
    #[error("a word graph without its GADDAG, which this program needs: make one from the list of words with `tilewright lexicon build`")]
    DawgAlone,
    /// A graph of the letters of words, sorted.
    #[error(
        "a graph of alphagrams (.kad), which are the letters of words in alphabetical order: this program needs the graph of the words (.kwg)"
    )]
    Alphagrams,
    /// Nodes that are not a graph.
    #[error("not a word graph: {0}")]
    Graph(#[from] GraphError),
}

/// Reads and checks a word graph.
///
/// # Errors
/// The byte or node that is wrong and how.
pub fn parse(bytes: &[u8]) -> Result<WordGraph, KwgError> {
    let nodes = nodes_of(bytes).ok_or(KwgError::Truncated { found: bytes.len() })?;
    if has_dawg_alone(&nodes) {
        return Err(if sorted_children(&nodes) == Some(true) { KwgError::Alphagrams } else { KwgError::DawgAlone });
    }
    Ok(WordGraph::from_nodes(nodes)?)
}

/// Whether the DAWG has a root, and the GADDAG has none: the node is empty, or one of the DAWG's own.
fn has_dawg_alone(nodes: &[u32]) -> bool {
    let &[dawg, gaddag, _, ..] = nodes else { return false };
    let [dawg, gaddag] = [dawg, gaddag].map(Node::from_bits);
    let has_root = dawg.tile() == 0 && (1..nodes.len()).contains(&dawg.arc().index());
    has_root && (gaddag.tile() != 0 || gaddag.arc().index() == 0) && sorted_children(nodes).is_some()
}

/// Whether the letters that follow a letter are never lower, as in alphagrams; `None` if these nodes are not a graph.
fn sorted_children(nodes: &[u32]) -> Option<bool> {
    let mut are_sorted = true;
    for &bits in nodes.iter().skip(1) {
        let node = Node::from_bits(bits);
        let first_child = Node::from_bits(*nodes.get(node.arc().index())?);
        are_sorted &= node.arc().index() == 0 || first_child.tile() >= node.tile();
    }
    Some(are_sorted)
}

/// Returns the bytes of a word graph.
pub fn to_bytes(graph: &WordGraph) -> Vec<u8> {
    graph.nodes().iter().flat_map(|node| node.to_le_bytes()).collect()
}

/// Reads little-endian words, if the bytes are a whole number of them.
pub(crate) fn nodes_of(bytes: &[u8]) -> Option<Vec<u32>> {
    let (words, rest) = bytes.as_chunks::<4>();
    rest.is_empty().then(|| words.iter().map(|&word| u32::from_le_bytes(word)).collect())
}

/// The beginning of a kept graph. The number rises when the same words get other nodes, or the form changes.
const KEPT_MAGIC: &[u8; 8] = b"TWGRAPH1";

/// Why bytes are not a kept graph.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) enum KeptGraphError {
    /// A wrong beginning.
    #[error("it does not begin with TWGRAPH1 and a hash")]
    Header,
    /// Nodes that are not a graph.
    #[error(transparent)]
    Graph(#[from] KwgError),
    /// A graph whose hash is not the stated one.
    #[error("its nodes have the hash {found:016x}, expected {expected:016x}")]
    Hash {
        /// The hash of the nodes.
        found: u64,
        /// The hash in the file.
        expected: u64,
    },
}

/// Reads and checks a kept graph.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn parse_kept(bytes: &[u8]) -> Result<WordGraph, KeptGraphError> {
    let rest = bytes.strip_prefix(KEPT_MAGIC).ok_or(KeptGraphError::Header)?;
    let (expected, nodes) = rest.split_first_chunk::<8>().ok_or(KeptGraphError::Header)?;
    let graph = parse(nodes)?;
    let (found, expected) = (hash(&graph), u64::from_le_bytes(*expected));
    if found == expected { Ok(graph) } else { Err(KeptGraphError::Hash { found, expected }) }
}

/// Returns the bytes of a graph that is kept.
pub(crate) fn kept_bytes(graph: &WordGraph) -> Vec<u8> {
    [&KEPT_MAGIC[..], &hash(graph).to_le_bytes(), &to_bytes(graph)].concat()
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
    fn a_graph_reads_back_and_no_shortened_file_is_believed() {
        let lexicon = Lexicon::from_text("t", &LetterDistribution::english(), "CAT\nCATS\nCARE\nACT\nTACO").unwrap();
        let bytes = to_bytes(lexicon.graph());
        assert_eq!(&parse(&bytes).unwrap(), lexicon.graph());
        for end in 0..bytes.len() {
            assert!(parse(&bytes[..end]).is_err(), "{end} of {} bytes", bytes.len());
        }
        assert_eq!(
            parse(&bytes[..9]).unwrap_err().to_string(),
            "9 bytes are not a whole number of 4-byte nodes: the file is cut off at byte 9, or not a word graph"
        );
        assert!(parse(b"this is some text, not a graph..").is_err());
    }

    #[test]
    fn graphs_of_other_forms_are_refused_by_name() {
        // CAT and ACT without a GADDAG; then their letters in order, with the first node as the only root.
        let bytes = |nodes: &[u32]| nodes.iter().flat_map(|node| node.to_le_bytes()).collect::<Vec<u8>>();
        let node =
            |letter: u32, arc: u32, is_word: bool, is_end: bool| letter << 24 | u32::from(is_word) << 23 | u32::from(is_end) << 22 | arc;
        let act_cat =
            [node(1, 4, false, false), node(3, 5, false, true), node(3, 6, false, true), node(1, 6, false, true), node(20, 0, true, true)];
        let dawg = [&[node(0, 2, false, true), node(0, 0, false, true)][..], &act_cat].concat();
        assert_eq!(parse(&bytes(&dawg)), Err(KwgError::DawgAlone));
        let alphagram = [node(0, 1, false, true), node(1, 2, false, true), node(3, 3, false, true), node(20, 0, true, true)];
        assert_eq!(parse(&bytes(&alphagram)), Err(KwgError::Alphagrams));
        // Words alone are not alphagrams, wherever the root is.
        let words = [node(0, 1, false, true), node(3, 2, false, true), node(1, 3, false, true), node(20, 0, true, true)];
        assert_eq!(parse(&bytes(&words)), Err(KwgError::DawgAlone));
        let told = parse(&bytes(&alphagram)).unwrap_err().to_string();
        assert!(told.starts_with("a graph of alphagrams (.kad)"), "{told}");
    }

    #[test]
    fn a_kept_graph_reads_back_and_no_cut_or_flipped_one_is_believed() {
        let lexicon = Lexicon::from_text("t", &LetterDistribution::english(), "CAT\nCATS\nCARE\nACT\nTACO").unwrap();
        let bytes = kept_bytes(lexicon.graph());
        assert_eq!(&parse_kept(&bytes).unwrap(), lexicon.graph());
        for end in 0..bytes.len() {
            assert!(parse_kept(&bytes[..end]).is_err(), "{end} of {} bytes", bytes.len());
        }
        for bit in 0..bytes.len() * 8 {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(parse_kept(&damaged).is_err(), "bit {bit}");
        }
        assert!(parse_kept(&[bytes.as_slice(), &[0; 4]].concat()).is_err());
    }
}
