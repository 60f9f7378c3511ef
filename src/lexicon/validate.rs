//! Checks a word graph that another program made: one wrong bit must not become a crash or a wrong word.
//!
//! First the structure (arcs, ends, order, no cycles), then the meaning: for each letter of each word of the DAWG there is its
//! path in the GADDAG, and there are no other paths.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::lexicon::graph_builder::MAX_NODES;
use crate::lexicon::word_graph::{Node, WordGraph};
use crate::rules::tiles::MAX_LETTERS;
use thiserror::Error;

/// What is wrong with a word graph.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum GraphError {
    /// Too few or too many nodes.
    #[error("{found} nodes, expected 2 to {MAX_NODES}")]
    Size {
        /// Nodes found.
        found: usize,
    },
    /// An arc to nowhere.
    #[error("node {node} points to node {target}, there are {nodes}")]
    ArcOutOfRange {
        /// The node.
        node: usize,
        /// Where it points.
        target: usize,
        /// Number of nodes.
        nodes: usize,
    },
    /// Siblings that never end.
    #[error("node {node}, the last one, has a sibling")]
    Unterminated {
        /// The last node.
        node: usize,
    },
    /// Siblings out of order.
    #[error("node {node}: letter {found} follows letter {previous} among its siblings")]
    OutOfOrder {
        /// The node.
        node: usize,
        /// The sibling before it.
        previous: u8,
        /// Its letter.
        found: u8,
    },
    /// A letter that no alphabet has.
    #[error("node {node}: letter {found}, the highest is {MAX_LETTERS}")]
    BadLetter {
        /// The node.
        node: usize,
        /// Its letter.
        found: u8,
    },
    /// A word without an end.
    #[error("node {node} leads back to itself")]
    Cycle {
        /// The node.
        node: usize,
    },
    /// A switch of direction where none can be.
    #[error("node {node}: a switch of direction inside a word that is read forward")]
    MisplacedSwitch {
        /// The node.
        node: usize,
    },
    /// One of the two graphs is missing.
    #[error("there is no {graph}")]
    Missing {
        /// Which.
        graph: &'static str,
    },
    /// More words, or longer ones, than any language has.
    #[error("{words} words of {letters} letters, more than {MAX_TOTAL_LETTERS} letters in all")]
    TooManyWords {
        /// Words.
        words: u64,
        /// Letters of all words.
        letters: u64,
    },
    /// The two graphs hold different numbers of words.
    #[error("the GADDAG holds {gaddag} paths, the DAWG's words have {letters} letters: they must be as many")]
    Disagreement {
        /// Paths in the GADDAG.
        gaddag: u64,
        /// Letters of all words.
        letters: u64,
    },
    /// The two graphs hold different words.
    #[error("the GADDAG lacks the path of the word with the letters {word:?} from letter {from}")]
    MissingPath {
        /// Letter numbers.
        word: Vec<u8>,
        /// 1-based letter.
        from: usize,
    },
}

/// Letters of all words together: ten times those of the largest lists.
const MAX_TOTAL_LETTERS: u64 = 40_000_000;

impl WordGraph {
    /// A graph from nodes of unknown origin.
    ///
    /// # Errors
    /// The node that is wrong and how, or that the two graphs disagree.
    pub fn from_nodes(nodes: Vec<u32>) -> Result<WordGraph, GraphError> {
        let roots = [0, 1].map(|at| nodes.get(at).map_or(0, |&bits| Node::from_bits(bits).arc().index()));
        let order = check_structure(&nodes, &roots)?;
        for (root, graph) in roots.into_iter().zip(["DAWG", "GADDAG"]) {
            if root == 0 {
                return Err(GraphError::Missing { graph });
            }
        }
        let sums = sum_words(&nodes, &order)?;
        let [dawg, gaddag] = roots.map(|root| sums.get(root).copied().unwrap_or_default());
        if dawg.has_switch {
            return Err(GraphError::MisplacedSwitch { node: roots[0] });
        }
        if dawg.letters > MAX_TOTAL_LETTERS {
            return Err(GraphError::TooManyWords { words: dawg.words, letters: dawg.letters });
        }
        if gaddag.words != dawg.letters {
            return Err(GraphError::Disagreement { gaddag: gaddag.words, letters: dawg.letters });
        }
        let graph = WordGraph::from_trusted_nodes(nodes);
        let mut missing = None;
        graph.for_each_word(|word| {
            if missing.is_none() {
                missing = (1..=word.len()).find(|&from| !has_path(&graph, word, from)).map(|from| (word.to_vec(), from));
            }
        });
        missing.map_or(Ok(graph), |(word, from)| Err(GraphError::MissingPath { word, from }))
    }
}

/// Checks arcs, ends, order and cycles. Returns the nodes reachable from the roots (list indices, 0 = none), each behind all
/// that it leads to.
///
/// # Errors
/// The first node that is wrong.
pub fn check_structure(nodes: &[u32], roots: &[usize]) -> Result<Vec<u32>, GraphError> {
    if nodes.len() < 2 || nodes.len() > MAX_NODES {
        return Err(GraphError::Size { found: nodes.len() });
    }
    let node_at = |at: usize| Node::from_bits(nodes.get(at).copied().unwrap_or(0));
    for at in 0..nodes.len() {
        let node = node_at(at);
        if node.arc().index() >= nodes.len() {
            return Err(GraphError::ArcOutOfRange { node: at, target: node.arc().index(), nodes: nodes.len() });
        }
        if node.tile() as usize > MAX_LETTERS {
            return Err(GraphError::BadLetter { node: at, found: node.tile() });
        }
    }
    if !node_at(nodes.len() - 1).is_end() {
        return Err(GraphError::Unterminated { node: nodes.len() - 1 });
    }
    // Depth first, without recursion: a node is entered, then left once its child and its next sibling have been left.
    const ENTERED: u8 = 1;
    const LEFT: u8 = 2;
    let mut state = vec![0u8; nodes.len()];
    let mut order = Vec::new();
    let mut stack: Vec<usize> = roots.iter().copied().filter(|&root| root != 0).collect();
    while let Some(&at) = stack.last() {
        let seen = state.get(at).copied().unwrap_or(LEFT);
        let node = node_at(at);
        if seen != 0 {
            stack.pop();
            if seen == ENTERED {
                state.iter_mut().skip(at).take(1).for_each(|state| *state = LEFT);
                order.push(at as u32);
            }
            continue;
        }
        state.iter_mut().skip(at).take(1).for_each(|state| *state = ENTERED);
        let mut next = Vec::with_capacity(2);
        if !node.arc().is_none() {
            next.push(node.arc().index());
        }
        if !node.is_end() {
            let sibling = node_at(at + 1);
            if sibling.tile() <= node.tile() {
                return Err(GraphError::OutOfOrder { node: at + 1, previous: node.tile(), found: sibling.tile() });
            }
            next.push(at + 1);
        }
        for target in next {
            match state.get(target) {
                Some(&ENTERED) => return Err(GraphError::Cycle { node: target }),
                Some(&LEFT) => {}
                _ => stack.push(target),
            }
        }
    }
    Ok(order)
}

/// Sums over the words that begin at a node or one of its later siblings.
#[derive(Clone, Copy, Default)]
struct Sums {
    words: u64,
    letters: u64,
    has_switch: bool,
}

/// Sums for each node of `order`.
fn sum_words(nodes: &[u32], order: &[u32]) -> Result<Vec<Sums>, GraphError> {
    let mut sums = vec![Sums::default(); nodes.len()];
    for &at in order {
        let at = at as usize;
        let node = Node::from_bits(nodes.get(at).copied().unwrap_or(0));
        let child = if node.arc().is_none() { Sums::default() } else { sums.get(node.arc().index()).copied().unwrap_or_default() };
        let rest = if node.is_end() { Sums::default() } else { sums.get(at + 1).copied().unwrap_or_default() };
        let is_switch = node.tile() == 0;
        if is_switch && (child.has_switch || node.accepts()) {
            return Err(GraphError::MisplacedSwitch { node: at });
        }
        let end = u64::from(node.accepts());
        let words = child.words.saturating_add(end);
        let letters = if is_switch { child.letters } else { child.letters.saturating_add(words) };
        let sum = Sums {
            words: words.saturating_add(rest.words),
            letters: letters.saturating_add(rest.letters),
            has_switch: is_switch || child.has_switch || rest.has_switch,
        };
        sums.iter_mut().skip(at).take(1).for_each(|slot| *slot = sum);
    }
    Ok(sums)
}

/// Whether the GADDAG has the path of a word read leftward from its `from`-th letter, then rightward behind it.
fn has_path(graph: &WordGraph, word: &[u8], from: usize) -> bool {
    let (left, right) = word.split_at_checked(from).unwrap_or((word, &[]));
    let switch = (!right.is_empty()).then_some(0);
    let mut list = graph.gaddag_root();
    let mut accepts = false;
    for tile in left.iter().rev().copied().chain(switch).chain(right.iter().copied()) {
        let Some(node) = graph.find(list, tile) else {
            return false;
        };
        (list, accepts) = (node.arc(), node.accepts());
    }
    accepts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Lexicon;
    use crate::lexicon::graph_builder;

    fn small() -> Vec<u32> {
        let words = ["AA", "CARE", "CARES", "CARS", "EAR", "EARS", "SEA"];
        let letters = |word: &str| word.bytes().map(|letter| letter - b'A' + 1).collect();
        graph_builder::build(&words.map(letters)).unwrap()
    }

    #[test]
    fn our_own_graphs_pass() {
        let builtin = Lexicon::builtin();
        assert_eq!(&WordGraph::from_nodes(builtin.graph().nodes().to_vec()).unwrap(), builtin.graph());
        assert!(WordGraph::from_nodes(small()).is_ok());
    }

    #[test]
    fn each_kind_of_damage_is_named() {
        let message = |damage: &dyn Fn(&mut Vec<u32>)| {
            let mut nodes = small();
            damage(&mut nodes);
            WordGraph::from_nodes(nodes).unwrap_err().to_string()
        };
        let count = small().len();
        assert_eq!(message(&|nodes| nodes.truncate(1)), "1 nodes, expected 2 to 4194304");
        assert_eq!(message(&|nodes| nodes[3] |= 0x3f_ffff), format!("node 3 points to node 4194303, there are {count}"));
        assert_eq!(message(&|nodes| nodes[2] |= 0xff << 24), "node 2: letter 255, the highest is 63");
        assert_eq!(message(&|nodes| *nodes.last_mut().unwrap() &= !(1 << 22)), format!("node {}, the last one, has a sibling", count - 1));
        assert_eq!(message(&|nodes| nodes[1] = 1 << 22), "there is no GADDAG");
        assert_eq!(
            message(&|nodes| nodes[1] = nodes[0]),
            "the GADDAG holds 7 paths, the DAWG's words have 25 letters: they must be as many"
        );
        assert!(message(&|nodes| nodes[2] = (nodes[2] & !0x3f_ffff) | 2).contains("leads back to itself"));
        let out_of_order = message(&|nodes| nodes[2] |= 30 << 24);
        assert!(out_of_order.contains("follows letter 31 among its siblings"), "{out_of_order}");
    }

    #[test]
    fn no_flipped_bit_gives_other_words_or_a_crash() {
        let good = WordGraph::from_nodes(small()).unwrap();
        let words = |graph: &WordGraph| {
            let mut words = Vec::new();
            graph.for_each_word(|word| words.push(word.to_vec()));
            words
        };
        let mut accepted = 0;
        for node in 0..small().len() {
            for bit in 0..32 {
                let mut nodes = small();
                nodes[node] ^= 1 << bit;
                if let Ok(graph) = WordGraph::from_nodes(nodes) {
                    // Bits of the two pointer nodes other than their arcs mean nothing.
                    assert_eq!(words(&graph), words(&good), "bit {bit} of node {node}, {:?}", &small());
                    accepted += 1;
                }
            }
        }
        assert!(accepted <= 20);
    }
}
