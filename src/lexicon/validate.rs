//! Checks a word graph that another program made: a wrong bit must not cause a crash or a wrong
//! word.
//!
//! First the structure (arcs, ends, order, no cycles), then the meaning: for each letter of each word of the DAWG there is its
//! path in the GADDAG, and there are no other paths.
//!
//! PERF: a graph of 178,691 words has 1.5 million such paths, but only 395,184 different beginnings
//! of words. Where the GADDAG goes on with the DAWG's own lists after its switch,
//! as in all graphs known to us, the beginnings are enough: see [`BeginningsCheck`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::lexicon::graph_builder::MAX_NODES;
use crate::lexicon::word_graph::{Node, NodeIndex, WordGraph};
use crate::rules::tiles::MAX_LETTERS;
use rayon::prelude::*;
use thiserror::Error;

/// What is wrong with a word graph.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum GraphError {
    /// Too few or too many nodes.
    #[error("the number of nodes is {found}, expected 2 to {MAX_NODES}")]
    Size {
        /// Nodes found.
        found: usize,
    },
    /// An arc to nowhere.
    #[error("node {node} points to node {target}, but there are only {nodes} nodes")]
    ArcOutOfRange {
        /// The node.
        node: usize,
        /// Where it points.
        target: usize,
        /// Number of nodes.
        nodes: usize,
    },
    /// Siblings that never end.
    #[error("node {node}, the last one, is not marked as the last of its siblings")]
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
    #[error("node {node} has letter {found}, but the highest letter is {MAX_LETTERS}")]
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
    /// Letters that lead to no word: walks through a graph would not end in any reasonable time.
    #[error("node {node} leads to no word")]
    DeadEnd {
        /// The node.
        node: usize,
    },
    /// A switch of direction where none can be.
    #[error("node {node} is a switch of direction inside a word that is read forward")]
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
    #[error("the {words} words have {letters} letters in all, but at most {MAX_TOTAL_LETTERS} are possible")]
    TooManyWords {
        /// Words.
        words: u32,
        /// Letters of all words.
        letters: u32,
    },
    /// A word longer than any board, or any language's words.
    #[error("a word has {found} letters, but at most {MAX_WORD_LETTERS} are possible")]
    TooLong {
        /// Its letters.
        found: u32,
    },
    /// The two graphs hold different numbers of words.
    #[error("the GADDAG has {gaddag} paths, but the DAWG's words have {letters} letters: the numbers must be equal")]
    Disagreement {
        /// Paths in the GADDAG.
        gaddag: u32,
        /// Letters of all words.
        letters: u32,
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

/// The most letters of a word: walks through a graph go that deep.
const MAX_WORD_LETTERS: u32 = 64;

/// Letters of all words together: ten times those of the largest lists.
const MAX_TOTAL_LETTERS: u32 = 40_000_000;

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
        if dawg.longest > MAX_WORD_LETTERS {
            return Err(GraphError::TooLong { found: dawg.longest });
        }
        if dawg.letters > MAX_TOTAL_LETTERS {
            return Err(GraphError::TooManyWords { words: dawg.words, letters: dawg.letters });
        }
        if gaddag.words != dawg.letters {
            return Err(GraphError::Disagreement { gaddag: gaddag.words, letters: dawg.letters });
        }
        // The number of paths is right, so if none is missing, there are no others.
        let graph = WordGraph::from_trusted_nodes(nodes);
        if BeginningsCheck::of(&graph).passes() {
            return Ok(graph);
        }
        let mut missing = None;
        graph.for_each_word(|word| {
            if missing.is_none() {
                missing = (1..=word.len()).find(|&from| !has_path(&graph, word, from)).map(|from| (word.to_vec(), from));
            }
        });
        missing.map_or(Ok(graph), |(word, from)| Err(GraphError::MissingPath { word, from }))
    }
}

/// Checks arcs, ends, order and cycles. Returns the nodes reachable from the roots (list indices,
/// 0 = none), each after all that it leads to.
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
        let child = (!node.arc().is_none()).then(|| node.arc().index());
        let mut sibling_at = None;
        if !node.is_end() {
            let sibling = node_at(at + 1);
            if sibling.tile() <= node.tile() {
                return Err(GraphError::OutOfOrder { node: at + 1, previous: node.tile(), found: sibling.tile() });
            }
            sibling_at = Some(at + 1);
        }
        for target in child.into_iter().chain(sibling_at) {
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
///
/// PERF: there is one for each node. The numbers saturate, since such large ones cannot be right.
#[derive(Clone, Copy, Default)]
struct Sums {
    words: u32,
    letters: u32,
    /// Letters of the longest.
    longest: u32,
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
        let end = u32::from(node.accepts());
        let words = child.words.saturating_add(end);
        if words == 0 {
            return Err(GraphError::DeadEnd { node: at });
        }
        let letters = if is_switch { child.letters } else { child.letters.saturating_add(words) };
        let sum = Sums {
            words: words.saturating_add(rest.words),
            letters: letters.saturating_add(rest.letters),
            longest: rest.longest.max(child.longest.saturating_add(u32::from(!is_switch))),
            has_switch: is_switch || child.has_switch || rest.has_switch,
        };
        sums.iter_mut().skip(at).take(1).for_each(|slot| *slot = sum);
    }
    Ok(sums)
}

/// Checks that the GADDAG has each beginning of a word, read from its last letter leftward,
/// marked as a word if it is one and followed by the DAWG's own list of what can come next.
/// If so it has the paths of all words, since each is such a beginning and its rest. If not,
/// it may still have them: after the switch it may continue with lists of its own.
struct BeginningsCheck<'a> {
    graph: &'a WordGraph,
    /// By the two letters read first: the GADDAG's list after them.
    ///
    /// PERF: the first two lists are the longest: most of the time would go into finding letters there.
    behind_two: Vec<NodeIndex>,
}

/// Letter numbers, and 0.
const LETTERS: usize = MAX_LETTERS + 1;

impl<'a> BeginningsCheck<'a> {
    fn of(graph: &'a WordGraph) -> BeginningsCheck<'a> {
        let mut behind_two = vec![NodeIndex::NONE; LETTERS * LETTERS];
        for first in graph.siblings(graph.gaddag_root()) {
            for second in graph.siblings(first.arc()) {
                let at = usize::from(first.tile()) * LETTERS + usize::from(second.tile());
                behind_two.iter_mut().skip(at).take(1).for_each(|slot| *slot = second.arc());
            }
        }
        BeginningsCheck { graph, behind_two }
    }

    /// Runs the check on all threads, one part for each first letter.
    fn passes(&self) -> bool {
        let firsts: Vec<Node> = self.graph.siblings(self.graph.dawg_root()).collect();
        firsts.into_par_iter().all(|first| self.has_all_with(first, &mut vec![first.tile()]))
    }

    /// Checks this beginning and all that continue it; `node` is the DAWG's node of its last letter.
    fn has_all_with(&self, node: Node, beginning: &mut Vec<u8>) -> bool {
        self.has(node, beginning)
            && self.graph.siblings(node.arc()).all(|next| {
                beginning.push(next.tile());
                let are_there = self.has_all_with(next, beginning);
                beginning.pop();
                are_there
            })
    }

    fn has(&self, node: Node, beginning: &[u8]) -> bool {
        let (mut list, earlier) = match beginning {
            [earlier @ .., third, second, first] => {
                let at = usize::from(*first) * LETTERS + usize::from(*second);
                (self.behind_two.get(at).copied().unwrap_or(NodeIndex::NONE), (Some(third), earlier))
            }
            _ => (self.graph.gaddag_root(), (None, beginning)),
        };
        let mut accepts = false;
        for &tile in earlier.0.into_iter().chain(earlier.1.iter().rev()) {
            let Some(found) = self.graph.find(list, tile) else {
                return false;
            };
            (list, accepts) = (found.arc(), found.accepts());
        }
        // The switch is the first of its siblings: no letter has a lower number.
        let goes_on = || self.graph.siblings(list).next().is_some_and(|switch| switch.tile() == 0 && switch.arc() == node.arc());
        (accepts || !node.accepts()) && (node.arc().is_none() || goes_on())
    }
}

/// Whether the GADDAG has the path of a word read leftward from its `from`-th letter,
/// then rightward after it.
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
        let letters = |word: &str| word.bytes().map(|letter| letter - b'A' + 1).collect::<Vec<u8>>();
        graph_builder::build(&words.map(letters)).unwrap()
    }

    #[test]
    fn our_own_graphs_pass() {
        let builtin = Lexicon::builtin();
        assert_eq!(&WordGraph::from_nodes(builtin.graph().nodes().to_vec()).unwrap(), builtin.graph());
        assert!(BeginningsCheck::of(builtin.graph()).passes(), "checked the quick way");
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
        assert_eq!(message(&|nodes| nodes.truncate(1)), "the number of nodes is 1, expected 2 to 4194304");
        assert_eq!(message(&|nodes| nodes[3] |= 0x3f_ffff), format!("node 3 points to node 4194303, but there are only {count} nodes"));
        assert_eq!(message(&|nodes| nodes[2] |= 0xff << 24), "node 2 has letter 255, but the highest letter is 63");
        assert_eq!(
            message(&|nodes| *nodes.last_mut().unwrap() &= !(1 << 22)),
            format!("node {}, the last one, is not marked as the last of its siblings", count - 1)
        );
        assert_eq!(message(&|nodes| nodes[1] = 1 << 22), "there is no GADDAG");
        assert_eq!(
            message(&|nodes| nodes[1] = nodes[0]),
            "the GADDAG has 7 paths, but the DAWG's words have 25 letters: the numbers must be equal"
        );
        assert!(message(&|nodes| nodes[2] = (nodes[2] & !0x3f_ffff) | 2).contains("leads back to itself"));
        let out_of_order = message(&|nodes| nodes[2] |= 30 << 24);
        assert!(out_of_order.contains("follows letter 31 among its siblings"), "{out_of_order}");
    }

    #[test]
    fn walks_through_an_accepted_graph_are_neither_too_deep_nor_too_many() {
        // Each letter of a long word calls the next one: without a limit the stack ends before the word does.
        let (accepts, is_end, count) = (1 << 23, 1 << 22, 100_000u32);
        let dawg = (2..count + 2).map(|at| 1 << 24 | if at == count + 1 { accepts | is_end } else { is_end | (at + 1) });
        let nodes: Vec<u32> = [is_end | 2, is_end | 2].into_iter().chain(dawg).collect();
        assert_eq!(WordGraph::from_nodes(nodes).unwrap_err().to_string(), "a word has 100000 letters, but at most 64 are possible");
        // Two letters a list, both to the next list, 60 lists: no word, and 2^60 ways to find none.
        let list = |at: u32| if at == 120 { [1 << 24, 2 << 24 | is_end] } else { [1 << 24 | (at + 2), 2 << 24 | is_end | (at + 2)] };
        let nodes: Vec<u32> = [is_end | 2, is_end | 2].into_iter().chain((2..=120).step_by(2).flat_map(list)).collect();
        assert_eq!(WordGraph::from_nodes(nodes).unwrap_err().to_string(), "node 121 leads to no word");
    }

    /// A graph whose GADDAG goes on, after its switches, in a copy of the DAWG.
    fn with_copied_lists() -> Vec<u32> {
        let mut nodes = small();
        let (count, is_switch) = (nodes.len() as u32, |&node: &u32| node >> 24 == 0);
        let copy: Vec<u32> = nodes.iter().map(|&node| if node & 0x3f_ffff == 0 { node } else { node + count }).collect();
        nodes.iter_mut().skip(2).filter(|node| is_switch(node)).for_each(|node| *node += count);
        nodes.extend(copy);
        nodes
    }

    #[test]
    fn lists_behind_the_switch_may_be_copies_but_not_others() {
        let nodes = with_copied_lists();
        let graph = WordGraph::from_nodes(nodes.clone()).unwrap();
        assert!(!BeginningsCheck::of(&graph).passes(), "checked path by path");
        let mut refused = 0;
        for at in small().len() + 2..nodes.len() {
            let mut damaged = nodes.clone();
            damaged[at] += 1 << 24;
            match WordGraph::from_nodes(damaged) {
                Ok(_) => {}
                Err(GraphError::MissingPath { .. }) => refused += 1,
                Err(error) => assert!(matches!(error, GraphError::OutOfOrder { .. }), "{error}"),
            }
        }
        assert!(refused > 5, "{refused}");
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
